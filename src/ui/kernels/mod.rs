//! Measured kernels: the card under the pointer, marks that are clicked, the rows of the table.
mod card;
mod compared;
mod marks;
pub mod rows;
pub mod state;

pub use card::{card, facts, formulas};
pub use compared::Compared;
pub use marks::kernel_marks;
