//! Golden values of systems we did not write, row by row: what is exact to the digit, the rest within its tolerance.
//!
//! Every row of `tests/data/reference_values.json` is run: those of language models by `models`, the others by the first
//! of [`RUNNERS`] that knows it. To cover more rows, add a module with a `run` and its line below.
mod kernels;
mod models;
mod networks;
mod world;

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Who knows which rows.
const RUNNERS: [(&str, Runner); 1] = [("kernels", kernels::run)];

/// What our code says of a row, by the names of what is expected; `None` for a row of someone else.
type Runner = fn(&Row) -> Option<Vec<(&'static str, Found)>>;

/// A value with where it comes from.
#[derive(Deserialize)]
pub struct Row {
    pub id: String,
    pub kind: String,
    pub inputs: Value,
    pub expected: BTreeMap<String, Value>,
    pub tolerance: Option<f64>,
}

impl Row {
    /// A number of the inputs.
    pub fn number(&self, name: &str) -> f64 {
        let number = self.inputs[name].as_f64();
        number.unwrap_or_else(|| panic!("{}: no number {name}", self.id))
    }

    /// A text of the inputs, where there is one.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.inputs[name].as_str()
    }
}

/// What our code says.
#[derive(Debug)]
pub enum Found {
    /// This number, within the row's tolerance.
    Number(f64),
    Text(String),
    /// What was measured is no less than this.
    AtLeast(f64),
    /// What was measured is no more than this.
    AtMost(f64),
}

impl Found {
    /// Why it is not what the row expects; `None` where it is.
    fn differs(&self, expected: &Value, tolerance: f64) -> Option<String> {
        let number = expected.as_f64().unwrap_or(f64::NAN);
        let agrees = match self {
            Self::Number(found) if tolerance == 0.0 => *found == number,
            Self::Number(found) => ((found / number) - 1.0).abs() <= tolerance,
            Self::Text(found) => expected.as_str() == Some(found),
            Self::AtLeast(bound) => number >= *bound,
            Self::AtMost(bound) => number <= *bound,
        };
        (!agrees).then(|| format!("{self:?} where {expected} is expected"))
    }
}

fn rows() -> Vec<Row> {
    serde_json::from_str(include_str!("../data/reference_values.json")).unwrap()
}

/// What is wrong with a row that one of the runners knows.
fn check(row: &Row, found: &[(&'static str, Found)]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, expected) in &row.expected {
        let Some((_, found)) = found.iter().find(|(found, _)| found == name) else {
            wrong.push(format!("{}: nothing says {name}", row.id));
            continue;
        };
        let difference = found.differs(expected, row.tolerance.unwrap_or(0.0));
        wrong.extend(difference.map(|text| format!("{}: {name} is {text}", row.id)));
    }
    wrong
}

#[test]
fn our_numbers_are_those_of_others() {
    let mut wrong = Vec::new();
    let mut covered: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut left = Vec::new();
    let of_models = models::check_all();
    let rows = rows();
    for row in &rows {
        // A peer's mistake is kept to document it, never to be reproduced.
        let ours = row.kind != "peer_bug";
        let known = RUNNERS.iter().filter(|_| ours);
        let known = known.into_iter().find_map(|(_, run)| run(row));
        let (done, all) = covered.entry(row.kind.clone()).or_default();
        *all += 1;
        *done += usize::from(known.is_some() || of_models.contains(&row.id));
        match known {
            Some(found) => wrong.extend(check(row, &found)),
            None if !of_models.contains(&row.id) => left.push(row.id.as_str()),
            None => {}
        }
    }
    for (kind, (done, all)) in &covered {
        println!("{kind}: {done} of {all}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(left.is_empty(), "nothing runs {}", left.join(", "));
}

#[test]
fn no_mistake_of_a_peer_is_reproduced() {
    for row in rows().iter().filter(|row| row.kind == "peer_bug") {
        for (_, run) in RUNNERS {
            assert!(run(row).is_none(), "{} is a mistake", row.id);
        }
    }
}
