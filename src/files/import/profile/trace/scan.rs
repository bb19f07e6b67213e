//! Finds the events of a trace in JSON that streams by: without recursion, in bounded memory, whatever else the file holds.
use std::io::{self, Read};

/// How many bytes are looked at in one go.
const CHUNK: usize = 1 << 18;

/// The largest event that is read, in B; larger ones are counted and left out.
const LARGEST: usize = 4 << 20;

/// The longest key that is told from others, in B.
const LONGEST_KEY: usize = 32;

/// What a piece of the file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An object of `traceEvents`, or of the list that the file is.
    Event,
    /// An object of `deviceProperties`.
    Device,
}

/// How a file ended.
#[derive(Debug)]
pub(super) enum End {
    /// Every bracket was closed.
    Whole,
    /// The text stops inside of the list, at this byte.
    Cut { byte: u64 },
    /// The stream failed at this byte.
    Failed { byte: u64, reason: io::Error },
}

/// Hands each object of interest to `found`, with the byte it begins at; says how many were too large.
pub(super) fn scan(reader: &mut dyn Read, found: &mut dyn FnMut(Kind, &[u8], u64)) -> (End, u64) {
    let mut scanner = Scanner::default();
    let mut chunk = vec![0; CHUNK];
    loop {
        match reader.read(&mut chunk) {
            Ok(0) => {
                let byte = scanner.offset;
                return (End::Cut { byte }, scanner.too_large);
            }
            Ok(count) => {
                scanner.chunk(&chunk[..count], found);
                if scanner.done {
                    return (End::Whole, scanner.too_large);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(reason) => {
                let byte = scanner.offset;
                return (End::Failed { byte, reason }, scanner.too_large);
            }
        }
    }
}

#[derive(Default)]
struct Scanner {
    /// Bytes before the current chunk.
    offset: u64,
    depth: u64,
    inside_string: bool,
    escaped: bool,
    /// Whether the whole file is a list.
    list: bool,
    /// The string being read at depth one, which may turn out to be a key.
    word: Option<Vec<u8>>,
    key: Option<Kind>,
    /// What the objects at which depth are.
    objects: Option<(Kind, u64)>,
    /// Where the object being read begins, in the file.
    begin: Option<u64>,
    /// What of it was in earlier chunks.
    held: Vec<u8>,
    too_large: u64,
    done: bool,
}

impl Scanner {
    fn chunk(&mut self, chunk: &[u8], found: &mut dyn FnMut(Kind, &[u8], u64)) {
        // Where in this chunk the object being read goes on.
        let mut from = 0;
        let mut at = 0;
        while at < chunk.len() && !self.done {
            if self.inside_string {
                at = self.string(chunk, at);
                continue;
            }
            match chunk[at] {
                b'"' => self.open_string(),
                b':' if self.depth == 1 => self.end_key(),
                b'{' | b'[' => {
                    if self.opens_object(chunk[at]) {
                        self.begin = Some(self.offset + at as u64);
                        from = at;
                    }
                    self.open(chunk[at]);
                }
                b'}' | b']' => {
                    self.close();
                    if let Some((kind, begin)) = self.closes_object() {
                        self.emit(kind, &chunk[from..=at], begin, found);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        if self.begin.is_some() {
            self.hold(&chunk[from..]);
        }
        self.offset += chunk.len() as u64;
    }

    /// Goes on inside of a string; says where it stopped.
    fn string(&mut self, chunk: &[u8], at: usize) -> usize {
        if std::mem::take(&mut self.escaped) {
            return at + 1;
        }
        let end = memchr::memchr2(b'"', b'\\', &chunk[at..]).map(|count| at + count);
        if let Some(word) = &mut self.word {
            let room = LONGEST_KEY.saturating_sub(word.len());
            let part = &chunk[at..end.unwrap_or(chunk.len())];
            word.extend_from_slice(&part[..part.len().min(room)]);
        }
        match end {
            Some(end) if chunk[end] == b'"' => self.inside_string = false,
            Some(_) => self.escaped = true,
            None => {}
        }
        end.map_or(chunk.len(), |end| end + 1)
    }

    fn open_string(&mut self) {
        self.inside_string = true;
        self.word = (self.depth == 1 && !self.list).then(Vec::new);
    }

    fn end_key(&mut self) {
        self.key = match self.word.take().as_deref() {
            Some(b"traceEvents") => Some(Kind::Event),
            Some(b"deviceProperties") => Some(Kind::Device),
            _ => None,
        };
    }

    fn opens_object(&self, bracket: u8) -> bool {
        let here = self.objects.is_some_and(|(_, depth)| depth == self.depth);
        bracket == b'{' && here && self.begin.is_none()
    }

    fn open(&mut self, bracket: u8) {
        self.depth += 1;
        match (self.depth, bracket) {
            (1, b'[') => {
                self.list = true;
                self.objects = Some((Kind::Event, 1));
            }
            (2, b'[') if !self.list => self.objects = self.key.take().map(|kind| (kind, 2)),
            _ => {}
        }
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if self.objects.is_some_and(|(_, depth)| self.depth < depth) {
            self.objects = None;
            self.begin = None;
            self.held.clear();
        }
        self.done = self.depth == 0;
    }

    /// The object that ends here, if one does.
    fn closes_object(&mut self) -> Option<(Kind, u64)> {
        let (kind, depth) = self.objects?;
        let begin = self.begin.filter(|_| depth == self.depth)?;
        self.begin = None;
        Some((kind, begin))
    }

    fn emit(
        &mut self,
        kind: Kind,
        last: &[u8],
        begin: u64,
        found: &mut dyn FnMut(Kind, &[u8], u64),
    ) {
        if self.held.len() + last.len() > LARGEST {
            self.too_large += 1;
        } else if self.held.is_empty() {
            found(kind, last, begin);
        } else {
            self.held.extend_from_slice(last);
            found(kind, &self.held, begin);
        }
        self.held.clear();
    }

    /// Keeps the beginning of an object that goes on in the next chunk.
    fn hold(&mut self, part: &[u8]) {
        let room = (LARGEST + 1).saturating_sub(self.held.len());
        self.held.extend_from_slice(&part[..part.len().min(room)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str, chunk: usize) -> (Vec<String>, bool) {
        let mut scanner = Scanner::default();
        let mut found = Vec::new();
        for part in text.as_bytes().chunks(chunk) {
            scanner.chunk(part, &mut |kind, bytes, begin| {
                let text_of = std::str::from_utf8(bytes).unwrap();
                assert!(text[begin as usize..].starts_with(text_of));
                found.push(format!("{kind:?} {text_of}"));
            });
        }
        (found, scanner.done)
    }

    #[test]
    fn objects_are_found_wherever_chunks_end() {
        let text = r#"{"a": [{"b": 1}], "deviceProperties": [{"id": 0}], "x": "traceEvents", "traceEvents":
            [{"n": "}{\"]\\", "args": {"k": [[1], {}]}}, 7, {"o": 2}], "z": {"traceEvents": [{"no": 1}]}}"#;
        let expected = [
            r#"Device {"id": 0}"#,
            r#"Event {"n": "}{\"]\\", "args": {"k": [[1], {}]}}"#,
            r#"Event {"o": 2}"#,
        ];
        for chunk in [1, 2, 3, 7, 64, 4096] {
            assert_eq!(
                events(text, chunk),
                (expected.map(str::to_owned).to_vec(), true)
            );
        }
        let (found, whole) = events(r#"[{"a": 1}, {"b": 2}, {"c""#, 4);
        assert_eq!((found.len(), whole), (2, false));
    }

    #[test]
    fn a_huge_event_is_counted_and_not_kept() {
        let text = format!(r#"[{{"a": "{}"}}, {{"b": 1}}]"#, "x".repeat(LARGEST));
        let mut found = 0;
        let (end, too_large) = scan(&mut text.as_bytes(), &mut |_, _, _| found += 1);
        assert!(matches!(end, End::Whole));
        assert_eq!((found, too_large), (1, 1));
    }
}
