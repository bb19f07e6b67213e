//! A formula as steps on a stack of numbers, and what it says when a step gives no number.
use super::names::{Function, shortened, spelling};
use super::operations::{Binary, Unary};
use std::ops::Range;

/// One step: puts a number on the stack, or replaces those on top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step {
    Number(f64),
    /// The value at this index.
    Name(usize),
    Unary(Unary),
    Binary(Binary),
}

/// Where a step stands in the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Place {
    /// The operation with its operands.
    pub whole: Range<usize>,
    /// The first of the operands, which may be the only one.
    pub first: Range<usize>,
    /// The last of the operands.
    pub last: Range<usize>,
}

/// A step that gave no number, and what it was given.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Failure {
    pub step: usize,
    first: f64,
    last: f64,
}

/// Why a result is refused that nothing but its size keeps from being a number.
const TOO_LARGE: &str = "it is beyond 1.8e308, where numbers end, so use smaller ones";

/// How many numbers are on the stack at most.
pub(super) fn height(steps: &[Step]) -> usize {
    let mut now: usize = 0;
    let mut most = 0;
    for step in steps {
        match step {
            Step::Number(_) | Step::Name(_) => now += 1,
            Step::Unary(_) => {}
            Step::Binary(_) => now = now.saturating_sub(1),
        }
        most = most.max(now);
    }
    most
}

/// Takes all steps; every number on the way is finite, or the step that gave another one is the failure.
pub(super) fn run(steps: &[Step], values: &[f64], height: usize) -> Result<f64, Failure> {
    let mut stack = Vec::with_capacity(height);
    // The parser puts the operands before each operation; were one missing, the NaN would be refused.
    let pop = |stack: &mut Vec<f64>| stack.pop().unwrap_or(f64::NAN);
    for (step, what) in steps.iter().enumerate() {
        let (first, last, result) = match *what {
            Step::Number(number) => (number, number, number),
            Step::Name(index) => {
                let value = values.get(index).copied().unwrap_or(f64::NAN);
                (value, value, value)
            }
            Step::Unary(unary) => {
                let x = pop(&mut stack);
                (x, x, unary.apply(x))
            }
            Step::Binary(binary) => {
                let y = pop(&mut stack);
                let x = pop(&mut stack);
                (x, y, binary.apply(x, y))
            }
        };
        if !result.is_finite() {
            return Err(Failure { step, first, last });
        }
        stack.push(result);
    }
    Ok(pop(&mut stack))
}

impl Failure {
    /// What was computed, why that is no number, and what to change.
    pub fn message(&self, steps: &[Step], place: &Place, text: &str) -> String {
        let quote = |bytes: &Range<usize>| shortened(text.get(bytes.clone()).unwrap_or_default());
        let (first, last) = (quote(&place.first), quote(&place.last));
        let (x, y) = (shown(self.first), shown(self.last));
        let (computed, why) = match steps.get(self.step) {
            Some(Step::Unary(unary)) => {
                let name = spelling(Function::One(*unary));
                (format!("{name}({x})"), self.why_one(*unary, &last))
            }
            Some(Step::Binary(binary)) => {
                let sign = binary.sign();
                // Without parentheses the sign would belong to the power.
                let power_of_minus = *binary == Binary::Power && self.first < 0.0;
                let x = if power_of_minus { format!("({x})") } else { x };
                (
                    format!("{x} {sign} {y}"),
                    self.why_two(*binary, &first, &last),
                )
            }
            _ if self.last.is_nan() => return format!("{last} has no value: give it a number"),
            _ => return format!("{last} is {y}: give it a finite number"),
        };
        format!("{computed} is not a number: {why}")
    }

    fn why_one(&self, unary: Unary, operand: &str) -> String {
        match unary {
            Unary::Sqrt => format!("keep {operand} from being negative"),
            Unary::Log2 | Unary::Ln | Unary::Log10 => format!("keep {operand} above zero"),
            _ => TOO_LARGE.to_owned(),
        }
    }

    fn why_two(&self, binary: Binary, first: &str, last: &str) -> String {
        let zero = |divisor: &str| match divisor.parse::<f64>() {
            Ok(_) => format!("it divides by zero, so write another number than {divisor}"),
            Err(_) => format!("it divides by zero, so keep {divisor} from being zero"),
        };
        match binary {
            Binary::Divide if self.last == 0.0 => zero(last),
            Binary::Power if self.first == 0.0 => zero(first),
            Binary::Power if self.first < 0.0 && self.last.fract() != 0.0 => {
                format!("keep {first} from being negative, or {last} whole")
            }
            _ => TOO_LARGE.to_owned(),
        }
    }
}

/// A number in a message: exactly, but in few characters however large or small it is.
fn shown(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if (1e-4..1e15).contains(&value.abs()) {
        return value.to_string();
    }
    format!("{value:e}")
}
