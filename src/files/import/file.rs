//! A file that may hold devices: its text, what it is called, and its JSON.
use super::ImportError;
use serde_json::{Map, Value};

/// The text of a file, its own name, and its JSON if it is some.
pub(super) struct DeviceFile<'a> {
    pub text: &'a str,
    /// Without folders, which are nobody's business.
    pub name: String,
    json: Option<Value>,
}

impl<'a> DeviceFile<'a> {
    /// Text as it was read; what begins as JSON must be JSON.
    pub fn new(text: &'a str, name: &str) -> Result<Self, ImportError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let json = text.trim_start().starts_with(['{', '[']).then(|| {
            json(text).map_err(|reason| ImportError::Json {
                file: name.to_owned(),
                reason,
            })
        });
        Ok(Self {
            text,
            name: name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned(),
            json: json.transpose()?,
        })
    }

    /// The object the file is, if it is JSON.
    pub fn object(&self) -> Option<&Map<String, Value>> {
        self.json.as_ref()?.as_object()
    }

    /// The name without its ending, for a device that has no name of its own.
    pub fn stem(&self) -> &str {
        match self.name.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => &self.name,
        }
    }
}

/// The JSON that text is, also as Python writes it: with NaN and Infinity, which are no JSON.
pub(super) fn json(text: &str) -> Result<Value, serde_json::Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(text)
        .or_else(|reason| serde_json::from_str(&null_for_nan(text)).map_err(|_| reason))
}

/// The text with `null` for NaN and infinities that stand outside of strings.
pub(super) fn null_for_nan(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let (mut inside, mut escaped) = (false, false);
    while let Some(c) = rest.chars().next() {
        let numbers = ["NaN", "-Infinity", "Infinity"];
        let number = numbers.iter().find(|number| rest.starts_with(**number));
        if let Some(number) = number.filter(|_| !inside) {
            out.push_str("null");
            rest = &rest[number.len()..];
            continue;
        }
        if c == '"' && !escaped {
            inside = !inside;
        }
        escaped = inside && c == '\\' && !escaped;
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_none_are_null_outside_of_strings() {
        let text = r#"{"a \" NaN": NaN, "b": [-Infinity, "Infinity"], "\\": Infinity}"#;
        let expected = r#"{"a \" NaN": null, "b": [null, "Infinity"], "\\": null}"#;
        assert_eq!(null_for_nan(text), expected);
    }
}
