//! What tells launch shapes of one kernel name from each other.
use super::Kernel;
use std::collections::HashMap;
use std::sync::Arc;

/// Of each name that has several launch shapes, which of their parts differ: the n-th bit is of the n-th part.
#[derive(Debug, Default)]
pub struct Apart(HashMap<Arc<str>, u64>);

impl Apart {
    /// Of all lines of a file.
    pub fn of(lines: &[Kernel]) -> Self {
        let mut first: HashMap<&Arc<str>, (&str, u64)> = HashMap::new();
        for line in lines {
            let (other, differ) = first.entry(&line.name).or_insert((&line.launch, 0));
            *differ |= differing(other, &line.launch);
        }
        let several = first.into_iter().filter(|(_, (_, differ))| *differ != 0);
        Self(
            several
                .map(|(name, (_, differ))| (Arc::clone(name), differ))
                .collect(),
        )
    }

    /// The part of a launch shape by which it is told from the others of its name: `grid 128×2×1`; `None` where there
    /// is but one.
    pub fn part(&self, kernel: &Kernel) -> Option<String> {
        let differ = *self.0.get(&kernel.name)?;
        let parts = kernel.launch.split(", ").enumerate();
        let parts = parts.filter(|(at, _)| differ >> (*at).min(63) & 1 == 1);
        let parts: Vec<_> = parts.map(|(_, part)| part).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// The parts in which two launch shapes differ.
fn differing(one: &str, other: &str) -> u64 {
    if one == other {
        return 0;
    }
    let (mut one, mut other) = (one.split(", "), other.split(", "));
    let (mut differ, mut at) = (0, 0);
    loop {
        match (one.next(), other.next()) {
            (None, None) => return differ,
            (one, other) if one != other => differ |= 1 << at,
            _ => {}
        }
        at = (at + 1).min(63);
    }
}

/// A part of a launch shape without dimensions of one at its end: `grid 128×2` for `grid 128×2×1`.
pub fn brief(part: &str) -> String {
    let parts = part.split(", ").map(|part| {
        let mut part = part;
        while let Some(shorter) = part.strip_suffix("×1") {
            part = shorter;
        }
        part
    });
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_one_name_are_told_apart_by_what_differs() {
        let kernel = |name: &str, launch: &str| Kernel {
            name: name.into(),
            launch: launch.into(),
            count: 1,
            timing: None,
            derivation: None,
        };
        let lines = [
            kernel("a", "grid 9×1×1, block 256×1×1"),
            kernel("b", "grid 9×1×1, block 256×1×1"),
            kernel("a", "grid 18×1×1, block 256×1×1"),
            kernel("c", ""),
            kernel("c", "M 4, N 8"),
        ];
        let apart = Apart::of(&lines);
        let told = lines.each_ref().map(|line| apart.part(line));
        assert_eq!(told[0].as_deref(), Some("grid 9×1×1"));
        assert_eq!(told[1], None);
        assert_eq!(told[2].as_deref().map(brief).as_deref(), Some("grid 18"));
        assert_eq!(told[4].as_deref(), Some("M 4, N 8"));
        assert_eq!(brief("grid 1×1×1, block 2×1×1"), "grid 1, block 2");
    }
}
