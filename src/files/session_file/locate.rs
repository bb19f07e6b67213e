//! Where a value stands in RON text: walks its structure without reading the values, so that errors can point.
use std::ops::{ControlFlow, Range};

/// Deeper nesting is left to the RON reader, which refuses it.
const DEPTH_LIMIT: usize = 128;

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

/// One step from a value to one inside it.
#[derive(PartialEq)]
enum Step<'a> {
    Field(&'a str),
    Index(usize),
}

impl<'a> Step<'a> {
    fn of(text: &'a str) -> Self {
        text.parse().map_or(Self::Field(text), Self::Index)
    }
}

/// Visits every value until told to break or the structure ends; tells whether comments were passed.
fn walk<'a>(
    text: &'a str,
    visit: impl FnMut(&[Step<'a>], Range<usize>) -> ControlFlow<()>,
) -> bool {
    let mut walker = Walker {
        text,
        at: 0,
        path: Vec::new(),
        comments: false,
        visit,
    };
    walker.blank();
    while walker.rest().starts_with('#') {
        let end = walker.rest().find(']').map_or(text.len(), |at| at + 1);
        walker.at = (walker.at + end).min(text.len());
        walker.blank();
    }
    if walker.value().is_continue() {
        walker.blank();
    }
    walker.comments
}

struct Walker<'a, F> {
    text: &'a str,
    at: usize,
    path: Vec<Step<'a>>,
    comments: bool,
    visit: F,
}

impl<'a, F: FnMut(&[Step<'a>], Range<usize>) -> ControlFlow<()>> Walker<'a, F> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn eat(&mut self, text: &str) -> bool {
        let eats = self.rest().starts_with(text);
        if eats {
            self.at += text.len();
        }
        eats
    }

    fn eat_while(&mut self, mut wanted: impl FnMut(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Moves behind the next `end`, or to the end of the text.
    fn skip_to(&mut self, end: &str) {
        let rest = self.rest();
        self.at += rest.find(end).map_or(rest.len(), |at| at + end.len());
    }

    /// Skips spaces and comments.
    fn blank(&mut self) {
        loop {
            self.eat_while(char::is_whitespace);
            if self.eat("//") {
                self.skip_to("\n");
            } else if self.eat("/*") {
                self.block_comment();
            } else {
                return;
            }
            self.comments = true;
        }
    }

    /// Block comments nest.
    fn block_comment(&mut self) {
        let mut depth = 1;
        while depth > 0 {
            let rest = self.rest();
            let Some(at) = rest.find(['/', '*']) else {
                self.at = self.text.len();
                return;
            };
            self.at += at;
            if self.eat("*/") {
                depth -= 1;
            } else if self.eat("/*") {
                depth += 1;
            } else {
                self.at += 1;
            }
        }
    }

    fn value(&mut self) -> ControlFlow<()> {
        self.blank();
        let start = self.at;
        let mut end = None;
        if self.literal() {
            // Strings, characters: nothing inside.
        } else {
            let word = self.eat_while(|c| c.is_alphanumeric() || "_.+-".contains(c));
            let after_word = self.at;
            self.blank();
            match self.rest().chars().next() {
                Some('(') => self.inside(')')?,
                Some('[') if word.is_empty() => self.inside(']')?,
                Some('{') if word.is_empty() => self.inside('}')?,
                _ if word.is_empty() => return ControlFlow::Break(()),
                _ => end = Some(after_word),
            }
        }
        (self.visit)(&self.path, start..end.unwrap_or(self.at))
    }

    /// Skips a string or character, raw or not; `false` where none begins.
    fn literal(&mut self) -> bool {
        let rest = self.rest();
        let raw = rest.trim_start_matches('b');
        if let Some(raw) = raw.strip_prefix('r') {
            let hashes = raw.len() - raw.trim_start_matches('#').len();
            if raw[hashes..].starts_with('"') {
                self.skip_to("\"");
                self.skip_to(&format!("\"{}", "#".repeat(hashes)));
                return true;
            }
        }
        let quote = match rest.strip_prefix('b').unwrap_or(rest).chars().next() {
            Some(quote @ ('"' | '\'')) => quote,
            _ => return false,
        };
        self.eat("b");
        self.at += 1;
        let mut escaped = false;
        self.eat_while(|c| {
            let ends = c == quote && !escaped;
            escaped = c == '\\' && !escaped;
            !ends
        });
        self.at = (self.at + 1).min(self.text.len());
        true
    }

    /// Walks what is between brackets, from the opening one on.
    fn inside(&mut self, close: char) -> ControlFlow<()> {
        if self.path.len() >= DEPTH_LIMIT {
            return ControlFlow::Break(());
        }
        self.at += 1;
        let mut index = 0;
        loop {
            self.blank();
            if self.rest().starts_with(close) {
                self.at += 1;
                return ControlFlow::Continue(());
            }
            let step = match close {
                ')' => self.field(),
                '}' => Some(self.key()?),
                _ => None,
            };
            self.path.push(step.unwrap_or(Step::Index(index)));
            self.value()?;
            self.path.pop();
            index += 1;
            self.blank();
            if !self.eat(",") && !self.rest().starts_with(close) {
                return ControlFlow::Break(());
            }
        }
    }

    /// `name:`, if that comes next.
    fn field(&mut self) -> Option<Step<'a>> {
        let start = self.at;
        let word = self.eat_while(|c| c.is_alphanumeric() || c == '_');
        self.blank();
        if !word.is_empty() && self.eat(":") {
            return Some(Step::Field(word));
        }
        self.at = start;
        None
    }

    /// The key of a map, which is skipped unread, and its colon.
    fn key(&mut self) -> ControlFlow<(), Step<'a>> {
        let start = self.at;
        if !self.literal() {
            self.eat_while(|c| c != ':' && c != '}');
        }
        let key = &self.text[start..self.at];
        self.blank();
        if self.eat(":") {
            ControlFlow::Continue(Step::Field(key))
        } else {
            ControlFlow::Break(())
        }
    }
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
