//! From the text of a formula to its steps: operands first, then what is done to them.
use super::names::{self, Function};
use super::operations::{Binary, Unary};
use super::steps::{Place, Step};
use super::tokens::{Kind, Token, token};
use super::{ExpressionError, MAX_BYTES, MAX_DEPTH};
use std::collections::HashMap;
use std::ops::Range;

/// How strongly a sign holds what stands beside it; parts of a formula bind at least `ANY`.
const ANY: u8 = 0;
const SUM: u8 = 1;
const PRODUCT: u8 = 2;
const MINUS: u8 = 3;
const POWER: u8 = 4;

/// The steps of a formula and their places.
pub(super) fn parse(
    text: &str,
    names: &[&str],
) -> Result<(Vec<Step>, Vec<Place>), ExpressionError> {
    if text.len() > MAX_BYTES {
        let end = text.floor_char_boundary(MAX_BYTES);
        let message = format!(
            "the formula has {} bytes: shorten it to {MAX_BYTES}",
            text.len()
        );
        return Err(ExpressionError::new(text, end..text.len(), message));
    }
    let mut parser = Parser {
        text,
        names,
        // Of two equal names the first counts, so it is entered last.
        indices: (0..names.len()).rev().map(|i| (names[i], i)).collect(),
        token: token(text, 0)?,
        steps: Vec::new(),
        places: Vec::new(),
        depth: 0,
    };
    if parser.token.kind == Kind::End {
        let message = "nothing is written: write a formula such as 2*M*N*K";
        return Err(parser.error(parser.token.bytes.clone(), message));
    }
    parser.operation(ANY)?;
    if parser.token.kind != Kind::End {
        return Err(parser.not_expected());
    }
    Ok((parser.steps, parser.places))
}

/// A formula that is being read.
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) names: &'a [&'a str],
    pub(super) indices: HashMap<&'a str, usize>,
    /// The part of the text that is looked at.
    pub(super) token: Token,
    pub(super) steps: Vec<Step>,
    pub(super) places: Vec<Place>,
    depth: usize,
}

impl<'a> Parser<'a> {
    /// An operand and all the signs after it that bind at least so strongly, with theirs.
    fn operation(&mut self, least: u8) -> Result<Range<usize>, ExpressionError> {
        let mut first = self.operand()?;
        while let Kind::Sign(binary) = self.token.kind {
            let strength = strength(binary);
            if strength < least {
                break;
            }
            self.advance()?;
            // The operand of equal strength to the right belongs to a power but not to the others: 2^3^2, 2-3-2.
            let last = match binary {
                Binary::Power => self.nested(first.clone(), POWER)?,
                _ => self.operation(strength + 1)?,
            };
            first = self.put(Step::Binary(binary), first.start..last.end, first, last);
        }
        Ok(first)
    }

    /// A number, a name, a function of operands, a signed operand, or anything in parentheses.
    fn operand(&mut self) -> Result<Range<usize>, ExpressionError> {
        let bytes = self.token.bytes.clone();
        match self.token.kind {
            Kind::Number(number) => {
                self.advance()?;
                Ok(self.put(Step::Number(number), bytes.clone(), bytes.clone(), bytes))
            }
            Kind::Name => {
                self.advance()?;
                let name = &self.text[bytes.clone()];
                if self.token.kind == Kind::Open {
                    return self.call(name, bytes);
                }
                let Some(index) = self.indices.get(name) else {
                    return Err(self.unknown_name(name, bytes));
                };
                Ok(self.put(Step::Name(*index), bytes.clone(), bytes.clone(), bytes))
            }
            Kind::Sign(sign @ (Binary::Add | Binary::Subtract)) => {
                self.advance()?;
                let operand = self.nested(bytes.clone(), MINUS)?;
                let whole = bytes.start..operand.end;
                if sign == Binary::Subtract {
                    let step = Step::Unary(Unary::Negate);
                    self.put(step, whole.clone(), operand.clone(), operand);
                }
                Ok(whole)
            }
            Kind::Open => {
                self.advance()?;
                self.nested(bytes.clone(), ANY)?;
                let end = self.close(&bytes)?;
                Ok(bytes.start..end)
            }
            _ => Err(self.no_operand()),
        }
    }

    /// The numbers of a function and what it does to them; its name has been read.
    fn call(&mut self, name: &str, bytes: Range<usize>) -> Result<Range<usize>, ExpressionError> {
        let Some(function) = names::function(name) else {
            return Err(self.unknown_function(name, bytes));
        };
        let open = self.token.bytes.clone();
        self.advance()?;
        if self.token.kind == Kind::Close {
            let message = format!("{name} has nothing in its parentheses: write {name}(x)");
            return Err(self.error(bytes.start..self.token.bytes.end, message));
        }
        let mut first = self.nested(bytes.clone(), ANY)?;
        let start = bytes.start;
        while self.token.kind == Kind::Comma {
            let comma = self.token.bytes.clone();
            let Function::Several(binary) = function else {
                let message = format!("{name} takes one number: remove the comma and what follows");
                return Err(self.error(comma, message));
            };
            self.advance()?;
            let last = self.nested(bytes.clone(), ANY)?;
            // Two at a time, so that no list of numbers makes the stack high.
            first = self.put(Step::Binary(binary), start..last.end, first, last);
        }
        let end = self.close(&open)?;
        if let Function::One(unary) = function {
            self.put(Step::Unary(unary), start..end, first.clone(), first);
        }
        Ok(start..end)
    }

    /// One level deeper, up to the limit: what bounds the recursion.
    fn nested(&mut self, from: Range<usize>, least: u8) -> Result<Range<usize>, ExpressionError> {
        if self.depth == MAX_DEPTH {
            let message =
                format!("the formula is nested more than {MAX_DEPTH} deep: write it flatter");
            return Err(self.error(from, message));
        }
        self.depth += 1;
        let operation = self.operation(least);
        self.depth -= 1;
        operation
    }

    /// The end of the closing parenthesis that must stand here.
    fn close(&mut self, open: &Range<usize>) -> Result<usize, ExpressionError> {
        let end = self.token.bytes.end;
        match self.token.kind {
            Kind::Close => self.advance().map(|()| end),
            Kind::End => Err(self.error(
                open.clone(),
                "this parenthesis is not closed: write a ) where it ends",
            )),
            _ => Err(self.not_expected()),
        }
    }

    fn advance(&mut self) -> Result<(), ExpressionError> {
        self.token = token(self.text, self.token.bytes.end)?;
        Ok(())
    }

    fn put(
        &mut self,
        step: Step,
        whole: Range<usize>,
        first: Range<usize>,
        last: Range<usize>,
    ) -> Range<usize> {
        self.steps.push(step);
        self.places.push(Place {
            whole: whole.clone(),
            first,
            last,
        });
        whole
    }
}

fn strength(binary: Binary) -> u8 {
    match binary {
        Binary::Add | Binary::Subtract => SUM,
        Binary::Multiply | Binary::Divide => PRODUCT,
        Binary::Power | Binary::Min | Binary::Max => POWER,
    }
}
