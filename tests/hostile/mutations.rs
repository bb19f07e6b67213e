//! Bytes without sense, and files with something changed anywhere.
use crate::{bear, seeds};
use proptest::prelude::*;
use proptest::sample::Index;

/// Numbers and what stands for them, as files have them and as they should not.
const NUMBERS: [&str; 16] = [
    "nan",
    "NaN",
    "inf",
    "-Infinity",
    "-1",
    "-0",
    "0",
    "1e999",
    "1e308",
    "-1e308",
    "1e-320",
    "99999999999999999999999999",
    "1,5",
    "1.234.567,8",
    "0x10",
    "",
];

/// Something done to a file.
#[derive(Debug, Clone)]
enum Change {
    Set(Index, u8),
    Insert(Index, u8),
    Remove(Index, Index),
    Double(Index, Index),
    Number(Index, usize),
    /// A piece of another seed.
    Graft(Index, Index, Index),
    Cut(Index),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    prop_oneof![
        3 => (at(), any::<u8>()).prop_map(|(a, b)| Change::Set(a, b)),
        2 => (at(), prop::sample::select(b"\",;\t\n\r{}[]:'|-.0".to_vec())).prop_map(|(a, b)| Change::Insert(a, b)),
        2 => (at(), at()).prop_map(|(a, b)| Change::Remove(a, b)),
        2 => (at(), at()).prop_map(|(a, b)| Change::Double(a, b)),
        4 => (at(), 0..NUMBERS.len()).prop_map(|(a, b)| Change::Number(a, b)),
        1 => (at(), at(), at()).prop_map(|(a, b, c)| Change::Graft(a, b, c)),
        1 => at().prop_map(Change::Cut),
    ]
}

/// Two places, the lesser first.
fn range(bytes: &[u8], a: &Index, b: &Index) -> std::ops::Range<usize> {
    let (a, b) = (a.index(bytes.len()), b.index(bytes.len()));
    a.min(b)..a.max(b)
}

/// Where numbers stand.
fn numbers(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let digit = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'+' | b'-');
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|byte| digit(byte)).count();
        if bytes[at..at + length].iter().any(u8::is_ascii_digit) {
            found.push(at..at + length);
        }
        at += length.max(1);
    }
    found
}

fn changed(bytes: &mut Vec<u8>, change: &Change, seeds: &[seeds::Seed]) {
    if bytes.is_empty() {
        return;
    }
    match change {
        Change::Set(at, byte) => {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        }
        Change::Insert(at, byte) => bytes.insert(at.index(bytes.len()), *byte),
        Change::Remove(a, b) => {
            let range = range(bytes, a, b);
            bytes.drain(range.start..range.end.min(range.start + 400));
        }
        Change::Double(a, b) => {
            let piece = bytes[range(bytes, a, b)].to_vec();
            let at = a.index(bytes.len());
            bytes.splice(at..at, piece);
        }
        Change::Number(which, number) => {
            let places = numbers(bytes);
            if !places.is_empty() {
                bytes.splice(
                    places[which.index(places.len())].clone(),
                    NUMBERS[*number].bytes(),
                );
            }
        }
        Change::Graft(seed, from, at) => {
            let seed = &seeds[seed.index(seeds.len())].bytes;
            let from = from.index(seed.len());
            let at = at.index(bytes.len());
            bytes.splice(
                at..at,
                seed[from..seed.len().min(from + 300)].iter().copied(),
            );
        }
        Change::Cut(at) => bytes.truncate(at.index(bytes.len())),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn arbitrary_bytes_are_borne(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        bear(&bytes, "a");
        // Behind what is recognised as each format.
        for seed in seeds::all() {
            let rows = seed.bytes.split_inclusive(|byte| *byte == b'\n');
            let head: Vec<_> = rows.take(9).flatten().copied().take(700).collect();
            bear(&[&head[..], &bytes[..]].concat(), seed.name);
        }
    }

    #[test]
    fn mutants_of_every_format_are_borne(changes in prop::collection::vec(change(), 1..9)) {
        let seeds = seeds::all();
        for seed in &seeds {
            let mut bytes = seed.bytes.clone();
            for change in &changes {
                changed(&mut bytes, change, &seeds);
            }
            bear(&bytes, seed.name);
        }
    }
}

/// A copy that ended early.
#[test]
fn files_cut_anywhere_are_borne() {
    for seed in seeds::all() {
        let step = seed.bytes.len() / 100 + 1;
        for at in (0..seed.bytes.len()).step_by(step) {
            bear(&seed.bytes[..at], seed.name);
        }
    }
}

/// One number at a time, and all of them.
#[test]
fn every_number_may_be_any_other() {
    for seed in seeds::all() {
        let places = numbers(&seed.bytes);
        for number in NUMBERS {
            for place in places.iter().step_by(places.len() / 6 + 1) {
                let bytes = [
                    &seed.bytes[..place.start],
                    number.as_bytes(),
                    &seed.bytes[place.end..],
                ]
                .concat();
                bear(&bytes, seed.name);
            }
            let mut all = seed.bytes.clone();
            for place in places.iter().rev() {
                all.splice(place.clone(), number.bytes());
            }
            bear(&all, seed.name);
        }
    }
}
