//! Where a value stands in RON text, so that errors can point.
use super::walk::{Step, walk};
use std::ops::{ControlFlow, Range};

/// The extent of the value at a path such as `workloads.0.kind`.
pub(super) fn find(text: &str, path: &str) -> Option<Range<usize>> {
    let wanted: Vec<_> = path.split('.').map(Step::of).collect();
    let mut found = None;
    walk(text, |steps, extent| {
        if steps == wanted {
            found = Some(extent);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found
}

/// The extent of the whole value, if the structure is sound to its end.
pub(super) fn find_root(text: &str) -> Option<Range<usize>> {
    let mut found = None;
    walk(text, |steps, extent| {
        if steps.is_empty() {
            found = Some(extent);
        }
        ControlFlow::Continue(())
    });
    found
}

/// The extent of the value at a path, or of the nearest value around it.
pub(super) fn find_nearest(text: &str, path: &str) -> Option<Range<usize>> {
    let mut path = path;
    loop {
        if let Some(extent) = find(text, path) {
            return Some(extent);
        }
        path = path.rsplit_once('.')?.0;
    }
}

/// The extent of the smallest value around a byte.
pub(super) fn innermost(text: &str, offset: usize) -> Option<Range<usize>> {
    let mut found = None;
    // Inner values are visited before outer ones.
    walk(text, |_, extent| {
        if extent.start <= offset && offset <= extent.end {
            found = Some(extent);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found
}

/// The name of the field whose value is the smallest around a byte; `None` where that is no field's.
pub(super) fn field_at(text: &str, offset: usize) -> Option<&str> {
    let mut found = None;
    walk(text, |steps, extent| {
        if extent.start <= offset && offset <= extent.end {
            found = match steps.last() {
                Some(Step::Field(name)) => Some(*name),
                _ => None,
            };
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found
}

/// Whether the text holds comments, which no reader keeps.
pub(super) fn has_comments(text: &str) -> bool {
    walk(text, |_, _| ControlFlow::Continue(()))
}

/// Line and column of a byte, both from one, columns in characters.
pub(super) fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

/// The byte at a line and column.
pub(super) fn offset(text: &str, line: usize, column: usize) -> usize {
    let line_start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let rest = &text[line_start..];
    let within = rest.char_indices().nth(column.saturating_sub(1));
    line_start + within.map_or(rest.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#![enable(implicit_some)]\nSession( // title: \"no\"\n  title: r#\"a \"b\" // c\"#, \
                        gpus: [Gpu(name: \"x\\\"y\", peak: 1e3), Gpu(name:'é')], m: {\"k\": (1, -2)},\n)";

    fn at(path: &str) -> &'static str {
        find(TEXT, path).map_or("nothing", |extent| &TEXT[extent])
    }

    #[test]
    fn finds_values_by_path() {
        assert_eq!(at("title"), "r#\"a \"b\" // c\"#");
        assert_eq!(at("gpus.0.name"), "\"x\\\"y\"");
        assert_eq!(at("gpus.0.peak"), "1e3");
        assert_eq!(at("gpus.1"), "Gpu(name:'é')");
        assert_eq!(at("m.\"k\".1"), "-2");
        assert_eq!(at("gpus.2"), "nothing");
        assert_eq!(
            &TEXT[find_nearest(TEXT, "gpus.1.peak").unwrap()],
            "Gpu(name:'é')"
        );
    }

    #[test]
    fn finds_values_by_place() {
        let (line, column) = line_column(TEXT, TEXT.find("1e3").unwrap());
        assert_eq!((line, column), (3, 58));
        assert_eq!(
            &TEXT[innermost(TEXT, offset(TEXT, line, column)).unwrap()],
            "1e3"
        );
    }

    #[test]
    fn finds_the_field_of_a_value() {
        let at = |value| field_at(TEXT, TEXT.find(value).unwrap());
        assert_eq!(at("1e3"), Some("peak"));
        assert_eq!(at("r#"), Some("title"));
        assert_eq!(at("Gpu(name: "), None);
    }

    #[test]
    fn tells_comments_from_strings() {
        assert!(has_comments(TEXT));
        assert!(has_comments("(a: 1 /* x /* y */ z */, b: \"\")"));
        assert!(!has_comments(
            "(a: \"http://x\", b: r\"/* */\", c: \"\\\"//\")"
        ));
    }

    #[test]
    fn broken_text_ends_the_walk() {
        for text in [
            "",
            "(",
            "(a:",
            "(a: \"",
            "(a: r#\"x\"",
            "/*",
            "#![",
            "'",
            "[1 2]",
            "b",
            "{1",
        ] {
            assert!(find(text, "b.c").is_none());
            innermost(text, 1);
        }
        assert!(find(&"(".repeat(100_000), "0").is_none());
    }
}
