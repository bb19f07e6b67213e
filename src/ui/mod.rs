//! Floor 4, the interface: edits what it is lent, asks for the rest.
pub mod chart_bar;
pub mod chart_view;
pub mod command;
pub mod derived;
pub mod dialogs;
mod formula_editor;
pub mod gpu_panel;
pub mod half_typed;
pub mod handles;
pub mod inspector;
pub mod mapped;
pub mod menu;
mod parameter_field;
pub mod request;
pub mod state;
pub mod tables;
pub mod widgets;
pub mod workload_panel;
