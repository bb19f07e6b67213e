//! A formula in a file: parameters by name, then the texts, each refused at its own place.
use super::text::Text;
use super::{Formula, OwnParameter, Part, edit};
use crate::model::quantity::Ratio;
use serde::de::{self, DeserializeSeed, MapAccess, Visitor};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

const FIELDS: [&str; 9] = [
    "parameters",
    "work",
    "traffic",
    "traffic_llc",
    "traffic_l2",
    "traffic_l1",
    "format",
    "unit",
    "drag",
];

impl Serialize for Formula {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let optional = self.given().count() + usize::from(self.drag.is_some());
        let mut file = serializer.serialize_struct("Formula", 3 + optional)?;
        file.serialize_field("parameters", &Numbers(&self.parameters))?;
        for (part, text) in self.given() {
            file.serialize_field(part.name(), text.as_written())?;
        }
        file.serialize_field("format", &self.format)?;
        file.serialize_field("unit", &self.unit)?;
        if let Some(drag) = &self.drag {
            file.serialize_field("drag", drag)?;
        }
        file.end()
    }
}

/// The parameters as a map that keeps their order.
struct Numbers<'a>(&'a [OwnParameter]);

impl Serialize for Numbers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for own in self.0 {
            map.serialize_entry(&own.name, &Number(own.value))?;
        }
        map.end()
    }
}

/// A bare number: they have no unit that text could carry.
struct Number(Ratio);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.0.get();
        if value.fract() == 0.0 && value < 1e15 {
            serializer.serialize_u64(value as u64)
        } else {
            serializer.serialize_f64(value)
        }
    }
}

impl<'de> Deserialize<'de> for Formula {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("Formula", &FIELDS, OfFile)
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Field {
    Parameters,
    Work,
    Traffic,
    TrafficLlc,
    TrafficL2,
    TrafficL1,
    Format,
    Unit,
    Drag,
    #[serde(other)]
    Unknown,
}

impl Field {
    fn part(&self) -> Option<Part> {
        match self {
            Self::Work => Some(Part::Work),
            Self::Traffic => Some(Part::Dram),
            Self::TrafficLlc => Some(Part::Llc),
            Self::TrafficL2 => Some(Part::L2),
            Self::TrafficL1 => Some(Part::L1),
            _ => None,
        }
    }
}

/// What was read of a formula so far.
#[derive(Default)]
struct Read {
    parameters: Option<Vec<OwnParameter>>,
    texts: [Option<Text>; 5],
    /// Texts that came before the parameters they name.
    early: Vec<(Part, String)>,
    drag: Option<String>,
}

impl Read {
    fn names(&self) -> Option<Vec<&str>> {
        let own = self.parameters.as_ref()?;
        Some(own.iter().map(OwnParameter::name).collect())
    }

    fn compile<E: de::Error>(&self, text: &str) -> Result<Text, E> {
        let names = self.names().unwrap_or_default();
        Text::read(text, &names).map_err(|error| match error.place {
            Some((at, _)) => E::custom(format!("{} (column {})", error.message, at + 1)),
            None => E::custom(error.message),
        })
    }
}

struct OfFile;

impl<'de> Visitor<'de> for OfFile {
    type Value = Formula;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a formula: parameters, work and traffic")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Formula, A::Error> {
        let mut read = Read::default();
        let (mut format, mut unit) = (None, None);
        while let Some(field) = map.next_key::<Field>()? {
            if let Some(part) = field.part() {
                if read.texts[part as usize].is_some() {
                    return Err(de::Error::duplicate_field(part.name()));
                }
                if let Some(text) = map.next_value_seed(TextOf(&read))? {
                    match text {
                        Ok(text) => read.texts[part as usize] = Some(text),
                        Err(written) => read.early.push((part, written)),
                    }
                }
                continue;
            }
            match field {
                Field::Parameters if read.parameters.is_some() => {
                    return Err(de::Error::duplicate_field("parameters"));
                }
                Field::Parameters => read.parameters = Some(map.next_value_seed(Parameters)?),
                Field::Format => format = Some(map.next_value()?),
                Field::Unit => unit = Some(map.next_value()?),
                Field::Drag => read.drag = map.next_value()?,
                _ => {
                    map.next_value::<de::IgnoredAny>()?;
                }
            }
        }
        for (part, written) in std::mem::take(&mut read.early) {
            read.texts[part as usize] = Some(read.compile(&written)?);
        }
        let [work, traffic, llc, l2, l1] = read.texts;
        let mut formula = Formula {
            parameters: read.parameters.unwrap_or_default(),
            work: work.ok_or_else(|| de::Error::missing_field("work"))?,
            traffic: traffic.ok_or_else(|| de::Error::missing_field("traffic"))?,
            caches: [llc, l2, l1],
            format: format.unwrap_or_else(super::default_format),
            unit: unit.unwrap_or_else(super::default_unit),
            drag: None,
        };
        let drag = formula.set_drag(read.drag.as_deref());
        drag.map_err(de::Error::custom)?;
        Ok(formula)
    }
}

/// A text, compiled if the parameters are known already, so that the reader still stands beside it where it is wrong.
struct TextOf<'a>(&'a Read);

impl<'de> DeserializeSeed<'de> for TextOf<'_> {
    type Value = Option<Result<Text, String>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let Some(written) = Option::<String>::deserialize(deserializer)? else {
            return Ok(None);
        };
        if self.0.parameters.is_none() {
            return Ok(Some(Err(written)));
        }
        self.0.compile(&written).map(|text| Some(Ok(text)))
    }
}

/// The parameters, whose names are refused beside their numbers.
struct Parameters;

impl<'de> DeserializeSeed<'de> for Parameters {
    type Value = Vec<OwnParameter>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Parameters {
    type Value = Vec<OwnParameter>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("parameters such as {\"M\": 4096, \"bytes\": 2}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut own = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            map.next_value_seed(Named {
                own: &mut own,
                name: &name,
            })?;
        }
        Ok(own)
    }
}

/// The number of a parameter.
struct Named<'a> {
    own: &'a mut Vec<OwnParameter>,
    name: &'a str,
}

impl<'de> DeserializeSeed<'de> for Named<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let value = Ratio::deserialize(deserializer)?;
        edit::add(self.own, self.name, value).map_err(de::Error::custom)
    }
}
