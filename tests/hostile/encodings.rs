//! The same file as other programs save it: byte order marks, UTF-16, ends of lines; and what is no text.
use crate::seeds::{self, Seed};
use crate::{bear, devices_of, profile_of};

/// What a seed holds: kernels, or devices. Their hash and their sentences differ with the bytes.
#[track_caller]
fn holds(seed: &Seed, bytes: &[u8]) -> String {
    match profile_of(bytes, seed.name) {
        Ok(profile) => format!("{:?}", profile.kernels),
        Err(of_profile) => match devices_of(bytes, seed.name) {
            Ok(imported) => format!("{:?}", imported.gpus),
            Err(of_device) => panic!("{of_profile}\n{of_device}"),
        },
    }
}

fn utf_16(text: &str, big_endian: bool) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    match big_endian {
        true => units.flat_map(u16::to_be_bytes).collect(),
        false => units.flat_map(u16::to_le_bytes).collect(),
    }
}

#[test]
fn marks_and_ends_of_lines_change_nothing() {
    for seed in seeds::all() {
        let text = str::from_utf8(&seed.bytes)
            .unwrap()
            .trim_start_matches('\u{feff}');
        let plain = holds(&seed, text.as_bytes());
        let marked = format!("\u{feff}{text}");
        let returns = text.replace("\r\n", "\n").replace('\n', "\r\n");
        let blank = format!("{}\n\n", text.trim_end());
        for (what, bytes) in [
            ("a mark", marked.into_bytes()),
            ("returns", returns.into_bytes()),
            ("blank lines at the end", blank.into_bytes()),
            ("UTF-16, little endian", utf_16(text, false)),
            ("UTF-16, big endian", utf_16(text, true)),
        ] {
            assert_eq!(holds(&seed, &bytes), plain, "{} with {what}", seed.name);
        }
    }
}

/// Without a mark nothing says that it is UTF-16; Latin-1 has bytes that are no UTF-8; and much is no text at all.
#[test]
fn what_is_no_text_is_refused_or_borne() {
    for seed in seeds::all() {
        let text = str::from_utf8(&seed.bytes)
            .unwrap()
            .trim_start_matches('\u{feff}');
        let unmarked = &utf_16(text, false)[2..];
        let said = profile_of(unmarked, seed.name).unwrap_err();
        assert!(said.contains("line 1: this is binary data"), "{said}");
        bear(unmarked, seed.name);
        let latin: Vec<u8> = text
            .bytes()
            .map(|byte| if byte == b'e' { 0xe9 } else { byte })
            .collect();
        bear(&latin, seed.name);
        let holes: Vec<u8> = text
            .bytes()
            .map(|byte| if byte == b' ' { 0 } else { byte })
            .collect();
        bear(&holes, seed.name);
    }
    for nothing in [
        &b""[..],
        b"\n",
        b"\r\n\r\n",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\x1f\x8b",
        b"\x7fELF\0\0\0\n",
        b"\0",
    ] {
        bear(nothing, "nothing");
        assert!(profile_of(nothing, "nothing").is_err());
    }
}
