//! How work, traffic or time follows from counters: a sum of coefficients times differences of counters.
use super::counters::Counters;
use crate::model::cost::{Level, Path};
use crate::model::units;

/// What a formula gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// In FLOP.
    Work(Path),
    /// In B.
    Traffic(Level),
}

impl Target {
    /// `FP32 vector work`, `DRAM bytes`.
    pub fn name(self) -> String {
        match self {
            Self::Work(path) => format!("{path} work"),
            Self::Traffic(level) => format!("{} bytes", level.name()),
        }
    }
}

/// A counter in a term, added or taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factor {
    pub column: usize,
    /// Whether it is subtracted.
    pub minus: bool,
    /// Whether the formula has no value without it; a counter that is not required counts as zero.
    pub required: bool,
}

impl Factor {
    /// A counter that must be there.
    pub fn of(column: usize) -> Self {
        Self {
            column,
            minus: false,
            required: true,
        }
    }

    /// A counter that counts as zero where it is missing.
    pub fn optional(column: usize) -> Self {
        Self {
            required: false,
            ..Self::of(column)
        }
    }

    /// The same, subtracted.
    pub fn minus(self) -> Self {
        Self {
            minus: true,
            ..self
        }
    }
}

/// `coefficient · (counter + counter − counter)`.
#[derive(Debug, Clone, PartialEq)]
pub struct TermOfFormula {
    pub coefficient: f64,
    pub factors: Vec<Factor>,
}

/// How one quantity follows from counters.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    pub target: Target,
    pub terms: Vec<TermOfFormula>,
    /// What the formula rests on: `a sector is 32 B`, `derived from a percentage of the peak`; empty where nothing is to say.
    pub note: String,
}

impl Formula {
    /// A formula of one term.
    pub fn single(target: Target, coefficient: f64, factors: Vec<Factor>) -> Self {
        Self {
            target,
            terms: vec![TermOfFormula {
                coefficient,
                factors,
            }],
            note: String::new(),
        }
    }

    /// The value on a line, in FLOP or B; `None` where a required counter is missing or every counter is.
    ///
    /// A difference below zero (counters of different passes) counts as zero.
    pub fn value(&self, counters: &Counters, line: usize) -> Option<f64> {
        let mut sum = 0.0;
        let mut known = false;
        for term in &self.terms {
            let mut inner = 0.0;
            for factor in &term.factors {
                match counters.get(line, factor.column) {
                    Some(value) => {
                        known = true;
                        inner += if factor.minus { -value } else { value };
                    }
                    None if factor.required => return None,
                    None => {}
                }
            }
            sum += term.coefficient * inner.max(0.0);
        }
        (known && sum.is_finite()).then_some(sum)
    }

    /// `DRAM bytes = 32·RD32 + 64·(RD − RD32)`.
    pub fn text(&self, counters: &Counters) -> String {
        self.written(|column| counters.columns()[column].name.clone())
    }

    /// The same with the numbers of a line put in: `DRAM bytes = 32·3 + 64·(131,072 − 3) = 8.389 MB`.
    pub fn with_numbers(&self, counters: &Counters, line: usize) -> Option<String> {
        let value = self.value(counters, line)?;
        let written = self.written(|column| match counters.get(line, column) {
            Some(value) => units::count(value),
            None => "0".to_owned(),
        });
        let unit = match self.target {
            Target::Work(_) => units::Unit::Flop,
            Target::Traffic(_) => units::Unit::Byte,
        };
        Some(format!("{written} = {}", units::short(value, unit)))
    }

    fn written(&self, name: impl Fn(usize) -> String) -> String {
        let terms: Vec<_> = self
            .terms
            .iter()
            .map(|term| written_term(term, &name))
            .collect();
        format!("{} = {}", self.target.name(), terms.join(" + "))
    }
}

fn written_term(term: &TermOfFormula, name: &impl Fn(usize) -> String) -> String {
    let mut inner = String::new();
    for factor in &term.factors {
        let sign = match (inner.is_empty(), factor.minus) {
            (true, false) => "",
            (true, true) => "−",
            (false, false) => " + ",
            (false, true) => " − ",
        };
        inner += sign;
        inner += &name(factor.column);
    }
    match (term.coefficient == 1.0, term.factors.len()) {
        (true, _) => inner,
        (false, 1) => format!("{}·{inner}", term.coefficient),
        (false, _) => format!("{}·({inner})", term.coefficient),
    }
}

#[cfg(test)]
mod tests {
    use super::super::counters::Counter;
    use super::*;

    /// rocprofiler-compute's HBM reads on MI200, with the counts of its test workload `vecCopy`, dispatch 0.
    fn reads() -> (Formula, Counters) {
        let column = |name: &str| Counter {
            name: name.to_owned(),
            unit: String::new(),
        };
        let mut counters = Counters::new(vec![column("RD32"), column("RD")]);
        let line = counters.add_line();
        counters.add(line, 0, 4.0);
        counters.add(line, 1, 131_076.0);
        let formula = Formula {
            target: Target::Traffic(Level::Dram),
            terms: vec![
                TermOfFormula {
                    coefficient: 32.0,
                    factors: vec![Factor::of(0)],
                },
                TermOfFormula {
                    coefficient: 64.0,
                    factors: vec![Factor::of(1), Factor::of(0).minus()],
                },
            ],
            note: String::new(),
        };
        (formula, counters)
    }

    #[test]
    fn a_formula_says_its_numbers() {
        let (formula, counters) = reads();
        assert_eq!(formula.value(&counters, 0), Some(8_388_736.0));
        assert_eq!(
            formula.text(&counters),
            "DRAM bytes = 32·RD32 + 64·(RD − RD32)"
        );
        let numbers = formula.with_numbers(&counters, 0).unwrap();
        assert!(numbers.starts_with("DRAM bytes = 32·4 + 64·("), "{numbers}");
    }

    #[test]
    fn a_required_counter_that_is_missing_leaves_no_value() {
        let (formula, mut counters) = reads();
        let line = counters.add_line();
        counters.add(line, 0, 4.0);
        assert_eq!(formula.value(&counters, line), None);
        assert!(!counters.add(line, 1, f64::NAN));
        assert!(!counters.add(line, 1, -1.0));
        assert_eq!(formula.value(&counters, line), None);
    }
}
