//! The fields of a record of separated values, as slices of it.
use std::borrow::Cow;

/// The most columns a table may have: the widest real one has about a thousand.
pub const MOST_COLUMNS: usize = 1 << 14;

/// Splits a record into fields, quotation marks and all; says whether there are not too many.
pub fn split<'a>(record: &'a [u8], separator: u8, fields: &mut Vec<&'a [u8]>) -> bool {
    fields.clear();
    let mut rest = record;
    loop {
        let end = end_of_field(rest, separator);
        fields.push(&rest[..end]);
        if end == rest.len() {
            return true;
        }
        if fields.len() == MOST_COLUMNS {
            return false;
        }
        rest = &rest[end + 1..];
    }
}

/// Where the field that text begins with ends.
fn end_of_field(text: &[u8], separator: u8) -> usize {
    let mut at = 0;
    // Blanks may stand before a quotation mark.
    let first = text.iter().position(|byte| *byte != b' ').unwrap_or(0);
    if text.get(first) == Some(&b'"') {
        at = first + 1;
        while let Some(quote) = memchr::memchr(b'"', &text[at..]) {
            at += quote + 1;
            if text.get(at) != Some(&b'"') {
                break;
            }
            at += 1;
        }
    }
    memchr::memchr(separator, &text[at..]).map_or(text.len(), |end| at + end)
}

/// A field without blanks and quotation marks around it.
pub fn unquoted(field: &[u8]) -> Cow<'_, [u8]> {
    let field = field.trim_ascii();
    let inner = field
        .strip_prefix(b"\"")
        .and_then(|f| f.strip_suffix(b"\""));
    let Some(inner) = inner else {
        return Cow::Borrowed(field);
    };
    if memchr::memchr(b'"', inner).is_none() {
        return Cow::Borrowed(inner);
    }
    let mut out = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte == b'"' && bytes.peek() == Some(&b'"') {
            bytes.next();
        }
        out.push(byte);
    }
    Cow::Owned(out)
}

/// A field as text; `None` where it is not UTF-8.
pub fn text(field: &[u8]) -> Option<Cow<'_, str>> {
    match unquoted(field) {
        Cow::Borrowed(bytes) => str::from_utf8(bytes).ok().map(Cow::Borrowed),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_hold_separators() {
        let mut fields = Vec::new();
        assert!(split(br#"1,"a, ""b""",, "x" ,"#, b',', &mut fields));
        let texts: Vec<_> = fields.iter().map(|field| text(field).unwrap()).collect();
        assert_eq!(texts, ["1", "a, \"b\"", "", "x", ""]);
        assert!(!split(&b",".repeat(MOST_COLUMNS + 1), b',', &mut fields));
    }
}
