//! Random formulas and random text: the former agree with their trees, the latter does no harm.
use super::super::Expression;
use super::NAMES;
use proptest::prelude::*;

/// A formula as a tree, to be evaluated and written independently of the parser.
#[derive(Debug, Clone)]
enum Tree {
    Number(f64),
    Name(usize),
    Minus(Box<Tree>),
    Signs(char, Box<Tree>, Box<Tree>),
    Call(&'static str, Vec<Tree>),
}

impl Tree {
    /// The value in f64, `None` as soon as any part is not finite.
    fn value(&self, values: &[f64]) -> Option<f64> {
        let value = match self {
            Self::Number(number) => *number,
            Self::Name(index) => values[*index],
            Self::Minus(tree) => -tree.value(values)?,
            Self::Signs(sign, x, y) => {
                let (x, y) = (x.value(values)?, y.value(values)?);
                match sign {
                    '+' => x + y,
                    '-' => x - y,
                    '*' => x * y,
                    '/' => x / y,
                    _ => x.powf(y),
                }
            }
            Self::Call(name, numbers) => {
                let numbers: Option<Vec<f64>> = numbers.iter().map(|n| n.value(values)).collect();
                call(name, &numbers?)
            }
        };
        value.is_finite().then_some(value)
    }

    /// How strongly its outermost sign binds.
    fn strength(&self) -> u8 {
        match self {
            Self::Signs('+' | '-', ..) => 1,
            Self::Signs('*' | '/', ..) => 2,
            Self::Minus(_) => 3,
            Self::Signs(..) => 4,
            _ => 5,
        }
    }

    /// The text with only the parentheses that it needs.
    fn text(&self) -> String {
        let wrapped = |tree: &Self, needs: bool| {
            let text = tree.text();
            if needs { format!("({text})") } else { text }
        };
        match self {
            Self::Number(number) => format!("{number:e}"),
            Self::Name(index) => NAMES[*index].to_owned(),
            Self::Minus(tree) => format!("-{}", wrapped(tree, tree.strength() < 3)),
            Self::Signs('^', x, y) => {
                let base = wrapped(x, x.strength() <= 4);
                format!("{base}^{}", wrapped(y, y.strength() < 3))
            }
            Self::Signs(sign, x, y) => {
                let first = wrapped(x, x.strength() < self.strength());
                let last = wrapped(y, y.strength() <= self.strength());
                format!("{first} {sign}{last}")
            }
            Self::Call(name, numbers) => {
                let numbers: Vec<_> = numbers.iter().map(Self::text).collect();
                format!("{name}({})", numbers.join(", "))
            }
        }
    }
}

fn call(name: &str, numbers: &[f64]) -> f64 {
    let x = numbers[0];
    match name {
        "min" => numbers.iter().copied().fold(f64::INFINITY, f64::min),
        "max" => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        "ceil" => x.ceil(),
        "floor" => x.floor(),
        "round" => x.round(),
        "sqrt" => x.sqrt(),
        "log2" => x.log2(),
        "ln" => x.ln(),
        "log10" => x.log10(),
        "exp" => x.exp(),
        _ => x.abs(),
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    let number = prop_oneof![
        (0..9u32).prop_map(f64::from),
        0.0..1e3f64,
        (-300..300i32).prop_map(|power| 10f64.powi(power)),
    ];
    let leaf = prop_oneof![
        number.prop_map(Tree::Number),
        (0..NAMES.len()).prop_map(Tree::Name)
    ];
    leaf.prop_recursive(6, 48, 4, |inner| {
        let several = prop::collection::vec(inner.clone(), 1..5);
        let one = prop::sample::select(vec![
            "ceil", "floor", "round", "sqrt", "log2", "ln", "log10", "exp", "abs",
        ]);
        let sign = prop::sample::select(vec!['+', '-', '*', '/', '^']);
        prop_oneof![
            1 => inner.clone().prop_map(|tree| Tree::Minus(Box::new(tree))),
            5 => (sign, inner.clone(), inner.clone())
                .prop_map(|(sign, x, y)| Tree::Signs(sign, Box::new(x), Box::new(y))),
            1 => (one, inner).prop_map(|(name, tree)| Tree::Call(name, vec![tree])),
            1 => (prop::sample::select(vec!["min", "max"]), several)
                .prop_map(|(name, numbers)| Tree::Call(name, numbers)),
        ]
    })
}

/// Reads and evaluates whatever it is; what is refused has a place within the text.
fn does_no_harm(text: &str) -> Result<(), TestCaseError> {
    let place = match Expression::compile(text, &NAMES) {
        Err(error) => (error.at, error.length, error.bytes),
        Ok(formula) => {
            formula.with_numbers(&[1.0, -2.0], |value| value.to_string());
            match formula.value(&[3.0, 0.0, -7.0, 1e300]) {
                Ok(value) => {
                    prop_assert!(value.is_finite());
                    return Ok(());
                }
                Err(error) => (error.at, error.length, error.bytes),
            }
        }
    };
    let (at, length, bytes) = place;
    let wrong = text.get(bytes.clone());
    prop_assert_eq!(wrong.map(|part| part.chars().count()), Some(length));
    prop_assert_eq!(text[..bytes.start].chars().count(), at);
    Ok(())
}

proptest! {
    #[test]
    fn random_formulas_agree_with_their_trees(
        tree in tree(), values in prop::array::uniform4(prop_oneof![-1e3..1e3f64, Just(0.0), Just(2.0)]),
    ) {
        let text = tree.text();
        let formula = Expression::compile(&text, &NAMES);
        prop_assert!(formula.is_ok(), "{}: {:?}", text, formula);
        let value = formula.unwrap().value(&values).ok();
        prop_assert_eq!(value.map(f64::to_bits), tree.value(&values).map(f64::to_bits), "{}", text);
    }

    #[test]
    fn random_text_does_no_harm(text in any::<String>()) {
        does_no_harm(&text)?;
    }

    #[test]
    fn random_signs_do_no_harm(text in "([0-9eE.+*/^() ,−·MNKQ-]|bytes|max\\(|sqrt\\(){0,60}") {
        does_no_harm(&text)?;
    }
}
