//! The fields of a config: each is asked for by its names, and what is missing or cannot be is gathered.
use super::ConfigError;
use crate::model::quantity::Count;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Where multimodal configs keep that of their language model.
const NESTED: [&str; 4] = [
    "text_config",
    "llm_config",
    "language_config",
    "thinker_config",
];

/// What is told of a reading beside the model itself.
#[derive(Default)]
pub(super) struct Notes {
    pub assumed: Vec<String>,
    pub ignored: Vec<String>,
    pub warnings: Vec<String>,
}

/// A config being read.
pub(super) struct Fields<'a> {
    file: &'a str,
    /// The language model's own fields.
    text: &'a Map<String, Value>,
    /// What is around them, where they are nested.
    around: Option<&'a Map<String, Value>>,
    /// What the family's class takes where a field is missing.
    pub defaults: &'static [(&'static str, f64)],
    asked: BTreeSet<&'static str>,
    sure: Vec<String>,
    missing: Vec<String>,
    wrong: Vec<String>,
    pub notes: Notes,
}

impl<'a> Fields<'a> {
    pub fn new(outer: &'a Map<String, Value>, file: &'a str) -> Self {
        let text = innermost(outer);
        Self {
            file,
            text,
            around: (!std::ptr::eq(text, outer)).then_some(outer),
            defaults: &[],
            asked: BTreeSet::new(),
            sure: Vec::new(),
            missing: Vec::new(),
            wrong: Vec::new(),
            notes: Notes::default(),
        }
    }

    /// The first of these fields that is there and not null, and its name.
    fn find(&mut self, names: &[&'static str]) -> Option<(&'static str, &'a Value)> {
        self.asked.extend(names);
        let found = names.iter().map(|name| (*name, self.text.get(*name)));
        let mut found = found.filter_map(|(name, value)| Some((name, value?)));
        found.find(|(_, value)| !value.is_null())
    }

    /// As `find`, of the language model's fields, else of those around them.
    pub fn anywhere(&mut self, names: &[&'static str]) -> Option<(&'static str, &'a Value)> {
        self.find(names).or_else(|| {
            let around = self.around?;
            let found = names.iter().map(|name| (*name, around.get(*name)));
            let mut found = found.filter_map(|(name, value)| Some((name, value?)));
            found.find(|(_, value)| !value.is_null())
        })
    }

    /// A whole number from `least` to `most`; anything else that is there is wrong.
    fn number(&mut self, names: &[&'static str], least: f64, most: f64) -> Option<f64> {
        let Some((name, value)) = self.find(names) else {
            return self.default(names);
        };
        let number = value.as_f64();
        let number =
            number.filter(|number| number.fract() == 0.0 && (least..=most).contains(number));
        match number {
            Some(number) => push_new(&mut self.sure, format!("{name} {number}")),
            None => self.wrong(format!(
                "{name} is {}, which is no whole number from {least} to {most}",
                shortened(value)
            )),
        }
        number
    }

    /// What the family's class takes for a field that is missing.
    fn default(&mut self, names: &[&'static str]) -> Option<f64> {
        let (name, number) = self
            .defaults
            .iter()
            .find(|(name, _)| names.contains(name))?;
        self.assume(format!(
            "{name} is missing: {number}, as its class has where nothing is said"
        ));
        Some(*number)
    }

    /// A number of things, of which there is at least one.
    pub fn count(&mut self, names: &[&'static str], most: f64) -> Option<Count> {
        Count::try_from(self.number(names, 1.0, most)?).ok()
    }

    /// A number of things, of which there may be none: `None` then too.
    pub fn count_or_none(&mut self, names: &[&'static str], most: f64) -> Option<Count> {
        Count::try_from(self.number(names, 0.0, most)?).ok()
    }

    /// As `count`, and missing if it is not there.
    pub fn needed(&mut self, names: &[&'static str], most: f64) -> Option<Count> {
        let count = self.count(names, most);
        if count.is_none() && self.find(names).is_none() {
            self.miss(names[0]);
        }
        count
    }

    /// True or false; anything else that is there is wrong.
    pub fn flag(&mut self, names: &[&'static str]) -> Option<bool> {
        let (name, value) = self.find(names)?;
        if !value.is_boolean() {
            self.wrong(format!("{name} is {}, not true or false", shortened(value)));
        }
        value.as_bool()
    }

    /// The flag of this name around the language model's fields.
    pub fn outer_flag(&self, name: &str) -> Option<bool> {
        self.around?.get(name)?.as_bool()
    }

    /// Text; anything else that is there is wrong.
    pub fn text(&mut self, names: &[&'static str]) -> Option<&'a str> {
        let (name, value) = self.find(names)?;
        if !value.is_string() {
            self.wrong(format!("{name} is {}, not text", shortened(value)));
        }
        value.as_str()
    }

    /// A list; anything else that is there is wrong.
    pub fn list(&mut self, names: &[&'static str]) -> Option<&'a [Value]> {
        let (name, value) = self.find(names)?;
        if !value.is_array() {
            self.wrong(format!("{name} is {}, not a list", shortened(value)));
        }
        value.as_array().map(Vec::as_slice)
    }

    /// Whether a field is there and not null.
    pub fn has(&mut self, name: &'static str) -> bool {
        self.find(&[name]).is_some()
    }

    /// A field of an unnamed kind, without being asked for.
    pub fn peek(&self, name: &str) -> Option<&'a Value> {
        let around = || self.around?.get(name);
        self.text.get(name).or_else(around)
    }

    /// The fields nobody asked for, those around the language model's as well, with null and empty ones left out.
    pub fn unasked(&self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        let around = self.around.into_iter().flatten();
        let all = self.text.iter().chain(around);
        all.filter(|(name, value)| {
            let empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
            !empty && !self.asked.contains(name.as_str()) && !NESTED.contains(&name.as_str())
        })
        .map(|(name, value)| (name.as_str(), value))
    }

    pub fn miss(&mut self, name: &str) {
        push_new(&mut self.missing, name.to_owned());
    }

    pub fn wrong(&mut self, clause: String) {
        push_new(&mut self.wrong, clause);
    }

    pub fn assume(&mut self, sentence: String) {
        push_new(&mut self.notes.assumed, sentence);
    }

    pub fn ignore(&mut self, sentence: String) {
        push_new(&mut self.notes.ignored, sentence);
    }

    pub fn warn(&mut self, sentence: String) {
        push_new(&mut self.notes.warnings, sentence);
    }

    /// An error if anything is missing or wrong.
    pub fn check(&self) -> Result<(), ConfigError> {
        match self.missing.is_empty() && self.wrong.is_empty() {
            true => Ok(()),
            false => Err(self.error()),
        }
    }

    /// What is missing and wrong, all at once.
    pub fn error(&self) -> ConfigError {
        let missing = match self.missing.as_slice() {
            [] => None,
            [one] => Some(format!("{one} is missing")),
            [others @ .., last] => Some(format!("{} and {last} are missing", others.join(", "))),
        };
        ConfigError::Fields {
            file: self.file.to_owned(),
            problems: missing.into_iter().chain(self.wrong.clone()).collect(),
            sure: self.sure.clone(),
            ask: self.asked_again(),
        }
    }

    /// The fields to ask for: those that are missing, and those whose clause says what they wrongly are.
    fn asked_again(&self) -> Vec<String> {
        let wrong = self
            .wrong
            .iter()
            .filter_map(|clause| clause.split([' ', ',']).next());
        let mut all: Vec<_> = self.missing.clone();
        for name in wrong.filter(|name| self.peek(name).is_some()) {
            push_new(&mut all, name.to_owned());
        }
        all
    }

    /// The file's name, for messages.
    pub fn file(&self) -> &'a str {
        self.file
    }

    /// What the model is called: by its config, else by the file, else by its type and size.
    pub fn name(&mut self, parameters: f64) -> String {
        let path = self.anywhere(&["_name_or_path"]);
        let path = path
            .and_then(|(_, value)| value.as_str())
            .unwrap_or_default();
        // Only the last part: a path is nobody's business.
        let name = path
            .split(['/', '\\'])
            .rfind(|part| !part.trim().is_empty());
        let is_hash = |name: &str| name.len() >= 32 && name.chars().all(|c| c.is_ascii_hexdigit());
        let is_name = |name: &&str| {
            let plain = !name.chars().any(char::is_control) && name.len() < 100;
            plain && name.chars().any(char::is_alphabetic) && !is_hash(name)
        };
        if let Some(name) = name.filter(is_name) {
            return name.trim().to_owned();
        }
        let stem = self.file.strip_suffix(".json").unwrap_or(self.file);
        let stem = stem.strip_suffix("config").unwrap_or(stem);
        let stem = stem.trim_end_matches(['_', '-', '.', ' ']);
        if !stem.is_empty() {
            return stem.to_owned();
        }
        let model_type = self.text(&["model_type"]).unwrap_or("model");
        let (size, unit) = match parameters {
            size if size >= 1e9 => (size / 1e9, "B"),
            size => (size / 1e6, "M"),
        };
        format!("{model_type} {size:.1}{unit}")
    }
}

/// Adds what is not there yet.
fn push_new(list: &mut Vec<String>, sentence: String) {
    if !list.contains(&sentence) {
        list.push(sentence);
    }
}

/// The config of the language model: what is nested in a multimodal one, else the whole.
fn innermost(outer: &Map<String, Value>) -> &Map<String, Value> {
    let nested = NESTED.iter().find_map(|name| outer.get(*name)?.as_object());
    match nested {
        // An empty one names a model elsewhere; the outer fields are then all there is.
        Some(inner) if !inner.is_empty() => innermost(inner),
        _ => outer,
    }
}

/// A value as it stands in the file, not longer than fits a sentence.
pub(super) fn shortened(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
