//! Finding a thing by a name as people type it.
use crate::model::spelling::edits;
use std::cmp::Ordering;

/// Why a name finds nothing, with what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotFound {
    #[error("{wanted:?} may mean {}: write one of them", listed(.candidates))]
    Ambiguous {
        wanted: String,
        candidates: Vec<String>,
    },
    #[error("there is no {what} {wanted:?}: {}", suggestion(.near))]
    Unknown {
        what: &'static str,
        wanted: String,
        near: Vec<String>,
    },
}

fn listed(names: &[String]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("{name:?}")).collect();
    quoted.join(", ")
}

fn suggestion(near: &[String]) -> String {
    match near {
        [] => "the list is empty".to_owned(),
        near => format!("write one of {}", listed(near)),
    }
}

/// The order of two names as people read them: numbers by their size, `0.6B` before `14B`; letters without regard to case.
pub fn as_read(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (pieces(a).into_iter(), pieces(b).into_iter());
    loop {
        let order = match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(Piece::Number(a)), Some(Piece::Number(b))) => a.total_cmp(&b),
            (Some(Piece::Text(a)), Some(Piece::Text(b))) => a.cmp(&b),
            (Some(Piece::Number(_)), Some(Piece::Text(_))) => Ordering::Less,
            (Some(Piece::Text(_)), Some(Piece::Number(_))) => Ordering::Greater,
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// A run of digits with its fraction, or what stands between two of them.
enum Piece {
    Number(f64),
    Text(String),
}

fn pieces(name: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = name;
    let digits = |text: &str| {
        text.find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len())
    };
    while !rest.is_empty() {
        let mut end = digits(rest);
        if end == 0 {
            let end = rest
                .find(|c: char| c.is_ascii_digit())
                .unwrap_or(rest.len());
            pieces.push(Piece::Text(rest[..end].to_lowercase()));
            rest = &rest[end..];
            continue;
        }
        if let Some(fraction) = rest[end..].strip_prefix('.') {
            let more = digits(fraction);
            end += if more > 0 { more + 1 } else { 0 };
        }
        pieces.push(Piece::Number(rest[..end].parse().unwrap_or(f64::MAX)));
        rest = &rest[end..];
    }
    pieces
}

/// The place of the thing called `wanted`, where each thing has one or more names.
///
/// A name counts as written, else without regard to case, else by the only thing whose letters and digits begin so.
pub fn find(what: &'static str, wanted: &str, things: &[Vec<&str>]) -> Result<usize, NotFound> {
    let wanted = wanted.trim();
    let position = |same: &dyn Fn(&str) -> bool| {
        things
            .iter()
            .position(|names| names.iter().any(|name| same(name)))
    };
    if let Some(index) = position(&|name| name == wanted)
        .or_else(|| position(&|name| name.to_lowercase() == wanted.to_lowercase()))
    {
        return Ok(index);
    }
    let start = letters_and_digits(wanted);
    let begins = |name: &&str| !start.is_empty() && letters_and_digits(name).starts_with(&start);
    let matching: Vec<_> = (0..things.len())
        .filter(|index| things[*index].iter().any(begins))
        .collect();
    match matching.as_slice() {
        [only] => Ok(*only),
        [] => Err(NotFound::Unknown {
            what,
            wanted: wanted.to_owned(),
            near: near(&start, things),
        }),
        several => Err(NotFound::Ambiguous {
            wanted: wanted.to_owned(),
            candidates: several.iter().map(|at| shown(&things[*at])).collect(),
        }),
    }
}

/// The last of a thing's names, which is the one people read.
fn shown(names: &[&str]) -> String {
    names.last().copied().unwrap_or_default().to_owned()
}

fn letters_and_digits(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The things whose names begin most like `start`; all of them if none does.
fn near(start: &str, things: &[Vec<&str>]) -> Vec<String> {
    let length = start.chars().count();
    let distance = |name: &&str| {
        let name: String = letters_and_digits(name).chars().take(length).collect();
        edits(start, &name)
    };
    let is_near = |names: &&Vec<&str>| {
        let nearest = names.iter().map(distance).min();
        nearest.is_some_and(|distance| distance <= length / 3)
    };
    let near: Vec<_> = things.iter().filter(is_near).map(|n| shown(n)).collect();
    if near.is_empty() {
        return things.iter().map(|names| shown(names)).collect();
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_people_type_them() {
        let things = [
            vec!["nvidia-h100-sxm", "H100 SXM"],
            vec!["h100-rounded", "H100 (rounded)"],
            vec!["amd-mi300x", "MI300X"],
        ];
        let find = |wanted| find("GPU", wanted, &things);
        assert_eq!(find("h100-rounded"), Ok(1));
        assert_eq!(find("H100 SXM"), Ok(0));
        assert_eq!(find("h100 sxm"), Ok(0));
        assert_eq!(find("h100r"), Ok(1));
        assert_eq!(find("mi300"), Ok(2));
        assert_eq!(
            find("H100").unwrap_err().to_string(),
            "\"H100\" may mean \"H100 SXM\", \"H100 (rounded)\": write one of them"
        );
        assert_eq!(
            find("MI200X").unwrap_err().to_string(),
            "there is no GPU \"MI200X\": write one of \"MI300X\""
        );
        assert!(find("").is_err());
    }
}
