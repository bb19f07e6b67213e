//! Which generation of GPU counters are of: what a request counts for differs between them.

/// The generations with known formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Architecture {
    /// gfx908
    Mi100,
    /// gfx90a
    Mi200,
    /// gfx940, gfx941, gfx942
    Mi300,
    /// gfx950
    Mi350,
}

impl Architecture {
    /// The generation of a target such as `gfx90a` or `gfx942:sramecc+`.
    pub fn of_target(target: &str) -> Option<Self> {
        let target = target.split(':').next().unwrap_or_default().trim();
        match target.to_ascii_lowercase().as_str() {
            "gfx908" => Some(Self::Mi100),
            "gfx90a" => Some(Self::Mi200),
            "gfx940" | "gfx941" | "gfx942" => Some(Self::Mi300),
            "gfx950" => Some(Self::Mi350),
            _ => None,
        }
    }

    /// The words notes use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mi100 => "MI100",
            Self::Mi200 => "MI200",
            Self::Mi300 => "MI300",
            Self::Mi350 => "MI350",
        }
    }
}
