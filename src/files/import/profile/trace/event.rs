//! One event of a trace, read leniently: what has an unexpected type counts as missing.
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// What tells whether an event is of interest.
#[derive(Deserialize)]
pub(super) struct Head<'a> {
    #[serde(borrow, default)]
    pub ph: Text<'a>,
    #[serde(borrow, default)]
    pub cat: Text<'a>,
    #[serde(borrow, default)]
    pub name: Text<'a>,
}

/// The rest of an event of interest.
#[derive(Deserialize)]
pub(super) struct Body<'a> {
    /// Both in µs.
    #[serde(default)]
    pub ts: Number,
    #[serde(default)]
    pub dur: Number,
    #[serde(borrow, default)]
    pub args: Args<'a>,
}

/// What is used of an event's arguments.
#[derive(Deserialize, Default)]
pub(super) struct Args<'a> {
    #[serde(rename = "External id", alias = "external id", default)]
    pub external: Number,
    #[serde(default)]
    pub correlation: Number,
    #[serde(default)]
    pub grid: Node,
    #[serde(default)]
    pub block: Node,
    #[serde(default)]
    pub device: Number,
    #[serde(default)]
    pub bytes: Number,
    #[serde(rename = "Input Dims", alias = "Input dims", default)]
    pub dims: Node,
    #[serde(rename = "Input type", borrow, default)]
    pub types: Texts<'a>,
    #[serde(rename = "Concrete Inputs", borrow, default)]
    pub concrete: Texts<'a>,
    #[serde(alias = "Flops", alias = "FLOPS", default)]
    pub flops: Number,
}

/// A device as the trace describes it: nothing but what the chart can use.
#[derive(Deserialize)]
pub(super) struct Device<'a> {
    #[serde(default)]
    pub id: Number,
    #[serde(borrow, default)]
    pub name: Text<'a>,
    #[serde(rename = "totalGlobalMem", default)]
    pub memory: Number,
    #[serde(rename = "numSms", default)]
    pub units: Number,
}

/// Text, or nothing.
#[derive(Default)]
pub(super) struct Text<'a>(pub Option<Cow<'a, str>>);

impl Text<'_> {
    pub fn as_str(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }
}

/// A number, or nothing.
#[derive(Default, Clone, Copy)]
pub(super) struct Number(pub Option<f64>);

impl Number {
    /// An identifier; zero where there is none.
    pub fn id(self) -> u64 {
        self.0.map_or(0, |number| number as u64)
    }
}

/// A list of texts; what is none is empty.
#[derive(Default)]
pub(super) struct Texts<'a>(pub Vec<Cow<'a, str>>);

/// Numbers in lists in lists.
#[derive(Default)]
pub(super) enum Node {
    Number(f64),
    List(Vec<Node>),
    #[default]
    Other,
}

impl Node {
    /// The entries of a list; none of what is no list.
    pub fn list(&self) -> &[Node] {
        match self {
            Self::List(list) => list,
            _ => &[],
        }
    }

    /// Its numbers, if it is a list of numbers only.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        let Self::List(list) = self else { return None };
        let number = |node: &Node| match node {
            Node::Number(number) => Some(*number),
            _ => None,
        };
        list.iter().map(number).collect()
    }
}

/// What an unexpected value is worth: nothing, but it must be read over.
macro_rules! ignored {
    ($($kind:ident: $type:ty),*) => {
        $(fn $kind<E>(self, _: $type) -> Result<Self::Value, E> {
            Ok(Default::default())
        })*
    };
}

macro_rules! ignored_others {
    () => {
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Default::default())
        }

        fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(Default::default())
        }
    };
}

macro_rules! ignored_list {
    () => {
        fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Self::Value, S::Error> {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            Ok(Default::default())
        }
    };
}

macro_rules! numbers {
    ($make:expr) => {
        fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
            Ok($make(number))
        }

        fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
            Ok($make(number as f64))
        }

        fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
            Ok($make(number as f64))
        }
    };
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(Some(Cow::Borrowed(text))))
    }

    fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(Some(Cow::Owned(text.to_owned()))))
    }

    ignored!(visit_bool: bool, visit_f64: f64, visit_u64: u64, visit_i64: i64);
    ignored_list!();
    ignored_others!();
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct NumberVisitor;

impl<'de> Visitor<'de> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    // Some versions write identifiers and times as text.
    fn visit_str<E>(self, text: &str) -> Result<Number, E> {
        Ok(Number(text.trim().parse().ok()))
    }

    numbers!(|number| Number(Some(number)));
    ignored!(visit_bool: bool);
    ignored_list!();
    ignored_others!();
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct TextsVisitor;

impl<'de> Visitor<'de> for TextsVisitor {
    type Value = Texts<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of texts")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Texts<'de>, S::Error> {
        let mut texts = Vec::new();
        while let Some(text) = list.next_element::<Text<'de>>()? {
            texts.push(text.0.unwrap_or_default());
        }
        Ok(Texts(texts))
    }

    ignored!(visit_bool: bool, visit_f64: f64, visit_u64: u64, visit_i64: i64, visit_str: &str);
    ignored_others!();
}

impl<'de: 'a, 'a> Deserialize<'de> for Texts<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextsVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("numbers in lists")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Node, S::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = list.next_element()? {
            nodes.push(node);
        }
        Ok(Node::List(nodes))
    }

    numbers!(Node::Number);
    ignored!(visit_bool: bool, visit_str: &str);
    ignored_others!();
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}
