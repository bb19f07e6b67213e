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

    /// Of a product, such as `AMD Instinct MI300X`: what a person calls the device.
    pub fn of_product(name: &str) -> Option<Self> {
        let name = name.to_ascii_uppercase();
        let series = [
            (Self::Mi100, &["MI100"][..]),
            (Self::Mi200, &["MI200", "MI210", "MI250"]),
            (Self::Mi300, &["MI300", "MI308", "MI325"]),
            (Self::Mi350, &["MI350", "MI355"]),
        ];
        let of = series
            .iter()
            .find(|(_, products)| products.iter().any(|product| name.contains(product)))?;
        Some(of.0)
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
