//! Which kernels something is said of: one line, every launch shape of a name, or every name that matches.
use super::{Kernel, Kernels};
use regex::Regex;

/// A line by what stays the same when its file is read again: the full name and the launch shape.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KernelKey {
    pub name: String,
    pub launch: String,
}

impl KernelKey {
    /// Of a line.
    pub fn of(kernel: &Kernel) -> Self {
        Self {
            name: kernel.name.to_string(),
            launch: kernel.launch.to_string(),
        }
    }

    /// Whether a line is the one.
    pub fn is(&self, kernel: &Kernel) -> bool {
        *self.name == *kernel.name && *self.launch == *kernel.launch
    }
}

/// Kernels by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selector {
    /// One line.
    Line(KernelKey),
    /// Every launch shape of this full name.
    Name(String),
    /// Every name in which this regular expression is found.
    Pattern(String),
}

/// Why a pattern matches nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pattern:?} is no regular expression: {reason}")]
pub struct PatternError {
    pub pattern: String,
    pub reason: String,
}

/// A regular expression as people write it.
pub fn pattern(text: &str) -> Result<Regex, PatternError> {
    Regex::new(text).map_err(|error| PatternError {
        pattern: text.to_owned(),
        // The last line says what is wrong; those before point at it.
        reason: error
            .to_string()
            .lines()
            .last()
            .unwrap_or_default()
            .trim_start_matches("error: ")
            .to_owned(),
    })
}

/// A selector ready to be asked.
#[derive(Debug, Clone)]
pub(super) enum Matcher {
    Line(KernelKey),
    Name(String),
    Pattern(Regex),
}

impl Selector {
    /// Ready to be asked; an error where it is a broken pattern.
    pub(super) fn matcher(&self) -> Result<Matcher, PatternError> {
        Ok(match self {
            Self::Line(key) => Matcher::Line(key.clone()),
            Self::Name(name) => Matcher::Name(name.clone()),
            Self::Pattern(text) => Matcher::Pattern(pattern(text)?),
        })
    }

    /// Whether it selects a kernel; a broken pattern selects none.
    pub fn selects(&self, kernel: &Kernel) -> bool {
        self.matcher().is_ok_and(|matcher| matcher.selects(kernel))
    }

    /// The lines it selects; none of a broken pattern.
    pub fn lines(&self, kernels: &Kernels) -> Vec<u32> {
        let Ok(matcher) = self.matcher() else {
            return Vec::new();
        };
        let lines = kernels.lines.iter().zip(0..);
        let lines = lines.filter(|(kernel, _)| matcher.selects(kernel));
        lines.map(|(_, line)| line).collect()
    }
}

/// `copy [grid 1]`, `copy`, `/gemm_.*/`.
impl std::fmt::Display for Selector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(KernelKey { name, launch }) if launch.is_empty() => f.write_str(name),
            Self::Line(KernelKey { name, launch }) => write!(f, "{name} [{launch}]"),
            Self::Name(name) => f.write_str(name),
            Self::Pattern(text) => write!(f, "/{text}/"),
        }
    }
}

impl Matcher {
    /// Whether a line is selected.
    pub fn selects(&self, kernel: &Kernel) -> bool {
        match self {
            Self::Line(key) => key.is(kernel),
            Self::Name(name) => **name == *kernel.name,
            Self::Pattern(pattern) => pattern.is_match(&kernel.name),
        }
    }
}
