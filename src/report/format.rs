//! The forms a report comes in.

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// Aligned columns, for a terminal.
    #[default]
    Text,
    Markdown,
    /// RFC 4180; full precision in SI units.
    Csv,
    /// Full precision in SI units.
    Json,
}

impl Format {
    /// Every form.
    pub const ALL: [Self; 4] = [Self::Text, Self::Markdown, Self::Csv, Self::Json];

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "markdown",
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }

    /// The form with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}
