//! How far one spelling is from another.

/// How many letters must be added, removed or changed to get from one word to the other.
pub fn edits(a: &str, b: &str) -> usize {
    let b: Vec<_> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_more_less_or_other_is_one_edit() {
        assert_eq!(edits("bytes", "bytes"), 0);
        assert_eq!(edits("byte", "bytes"), 1);
        assert_eq!(edits("bytess", "bytes"), 1);
        assert_eq!(edits("bites", "bytes"), 1);
        assert_eq!(edits("btyes", "bytes"), 2);
        assert_eq!(edits("", "bytes"), 5);
        assert_eq!(edits("größe", "grösse"), 2);
    }
}
