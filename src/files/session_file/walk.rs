//! The structure of RON text, walked without reading the values.
use std::ops::{ControlFlow, Range};

/// Deeper nesting is left to the RON reader, which refuses it.
const DEPTH_LIMIT: usize = 128;

/// One step from a value to one inside it.
#[derive(PartialEq)]
pub(super) enum Step<'a> {
    Field(&'a str),
    Index(usize),
}

impl<'a> Step<'a> {
    /// A step of a path written with dots.
    pub fn of(text: &'a str) -> Self {
        text.parse().map_or(Self::Field(text), Self::Index)
    }
}

/// Visits every value until told to break or the structure ends; tells whether comments were passed.
pub(super) fn walk<'a>(
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
