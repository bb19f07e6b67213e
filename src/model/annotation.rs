//! Annotations: notes, arrows, regions and reference lines over the chart, at places or at marks.
use super::ids::{AnnotationId, WorkloadId};
use super::quantity::{ByteRate, FlopRate, Intensity, Quantity};
use super::session::{Session, Workload};
use super::units::{self, Unit};

/// Something written or drawn over the chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Annotation {
    pub id: AnnotationId,
    pub text: String,
    pub role: Role,
    pub shape: Shape,
}

/// What an annotation says, which decides its colour, its line and its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    #[default]
    Plain,
    Good,
    Warning,
    Question,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Good, Self::Warning, Self::Question];

    /// The word in files and in the panel.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Good => "good",
            Self::Warning => "warning",
            Self::Question => "question",
        }
    }

    /// The role of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// What stands before the text, so that colour is not the only sign.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Good => "+ ",
            Self::Warning => "! ",
            Self::Question => "? ",
        }
    }
}

/// A place on the chart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor {
    /// Powers of ten of intensity and rate.
    At([f64; 2]),
    /// The predicted mark of a workload on the active GPU, and how many decades away from it.
    Mark(WorkloadId, [f64; 2]),
}

/// What is drawn, and where; places are powers of ten.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A text at a place.
    Note(Anchor),
    /// From a place to another; the text stands at its beginning.
    Arrow { from: Anchor, to: Anchor },
    /// A rectangle between two opposite corners.
    Region { from: [f64; 2], to: [f64; 2] },
    /// A line across the chart.
    Line(Reference),
}

impl Shape {
    /// What the panel and the undo menu call it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Note(_) => "note",
            Self::Arrow { .. } => "arrow",
            Self::Region { .. } => "region",
            Self::Line(_) => "reference line",
        }
    }
}

/// What a reference line stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reference {
    /// Items per second of the selected workload, such as tokens: as much arithmetic as that many ask for.
    Items(f64),
    /// A level of FLOP/s.
    Rate(FlopRate),
    /// A slope of B/s.
    Bandwidth(ByteRate),
    /// An upright line at FLOP/B.
    Intensity(Intensity),
}

/// A reference line on the chart, in powers of ten.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ruled {
    Level(f64),
    Slope(f64),
    Upright(f64),
}

/// Why text is no reference line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no reference: write for example 50 tok/s, 400 TFLOP/s, 2 TB/s or 100 FLOP/B")]
pub struct ReferenceError(String);

impl Reference {
    /// Reads `50 tok/s`, `400 TFLOP/s`, `2 TB/s` or `100 FLOP/B`.
    pub fn parse(text: &str) -> Result<Self, ReferenceError> {
        let text = text.trim();
        let wrong = || ReferenceError(text.to_owned());
        // A bare number says no unit, which is what tells the four apart.
        if text.ends_with(|c: char| c.is_ascii_digit()) {
            return Err(wrong());
        }
        for ending in ["tok/s", "tokens/s", "token/s", "items/s", "item/s", "/s"] {
            if let Some(number) = text.strip_suffix(ending)
                && number.trim_end().ends_with(|c: char| c.is_ascii_digit())
            {
                let rate = units::parse(number.trim_end(), Unit::One).map_err(|_| wrong())?;
                let usable = rate.is_finite() && rate > 0.0;
                return usable.then_some(Self::Items(rate)).ok_or_else(wrong);
            }
        }
        let quantity = |unit| units::parse(text, unit).ok();
        let rate = quantity(Unit::FlopPerSecond).and_then(|v| FlopRate::try_from(v).ok());
        let bandwidth = quantity(Unit::BytePerSecond).and_then(|v| ByteRate::try_from(v).ok());
        let intensity = quantity(Unit::FlopPerByte).and_then(|v| Intensity::try_from(v).ok());
        let intensity = intensity.filter(|intensity| intensity.get() > 0.0);
        let plain = rate.map(Self::Rate).or(bandwidth.map(Self::Bandwidth));
        plain.or(intensity.map(Self::Intensity)).ok_or_else(wrong)
    }

    /// Text that reads back to the same reference.
    pub fn exact(self) -> String {
        match self {
            Self::Items(rate) => format!("{} items/s", units::exact(rate, Unit::One)),
            Self::Rate(rate) => units::exact(rate.get(), Unit::FlopPerSecond),
            Self::Bandwidth(rate) => units::exact(rate.get(), Unit::BytePerSecond),
            Self::Intensity(at) => units::exact(at.get(), Unit::FlopPerByte),
        }
    }

    /// Where the line lies; items per second need a workload that does work.
    pub fn ruled(self, workload: Option<&Workload>) -> Option<Ruled> {
        let level = |rate: f64| Some(Ruled::Level(rate.log10()));
        match self {
            Self::Rate(rate) => level(rate.get()),
            Self::Bandwidth(rate) => Some(Ruled::Slope(rate.get().log10())),
            Self::Intensity(at) => Some(Ruled::Upright(at.get().log10())),
            Self::Items(rate) => {
                let family = workload?.kind.family();
                let work = family.cost().ok()?.total_work().get();
                let per_item = work / family.items().per_execution;
                level(rate * per_item).filter(|_| per_item > 0.0)
            }
        }
    }

    /// The reference through another place: what a drag makes of it.
    pub fn moved(self, by: [f64; 2]) -> Self {
        let factor = |power: f64| 10f64.powf(power);
        let [x, y] = by;
        match self {
            Self::Items(rate) => Self::Items(four_digits(rate * factor(y))),
            Self::Rate(rate) => scaled(rate, factor(y)).map_or(self, Self::Rate),
            Self::Bandwidth(rate) => scaled(rate, factor(y - x)).map_or(self, Self::Bandwidth),
            Self::Intensity(at) => scaled(at, factor(x)).map_or(self, Self::Intensity),
        }
    }
}

fn four_digits(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

fn scaled<Q: Quantity>(value: Q, factor: f64) -> Option<Q> {
    Q::try_from(four_digits(value.get() * factor)).ok()
}

impl Anchor {
    /// Where it is, in powers of ten; `None` where the workload has no mark.
    pub fn place(self, mark: impl Fn(WorkloadId) -> Option<[f64; 2]>) -> Option<[f64; 2]> {
        match self {
            Self::At(at) => Some(at),
            Self::Mark(id, [dx, dy]) => {
                let [x, y] = mark(id)?;
                Some([x + dx, y + dy])
            }
        }
    }

    /// The same, moved by so many decades.
    pub fn moved(self, [dx, dy]: [f64; 2]) -> Self {
        match self {
            Self::At([x, y]) => Self::At(tidy([x + dx, y + dy])),
            Self::Mark(id, [x, y]) => Self::Mark(id, tidy([x + dx, y + dy])),
        }
    }

    fn workload(self) -> Option<WorkloadId> {
        match self {
            Self::At(_) => None,
            Self::Mark(id, _) => Some(id),
        }
    }
}

/// A ten-thousandth of a decade is less than a pixel, and reads better in a file.
fn tidy(at: [f64; 2]) -> [f64; 2] {
    at.map(|at| (at * 1e4).round() / 1e4)
}

impl Annotation {
    /// An annotation not yet in a session.
    pub fn new(text: impl Into<String>, shape: Shape) -> Self {
        Self {
            id: AnnotationId(0),
            text: text.into(),
            role: Role::default(),
            shape,
        }
    }

    /// Moves all of it by so many decades.
    pub fn shift(&mut self, by: [f64; 2]) {
        match &mut self.shape {
            Shape::Note(at) => *at = at.moved(by),
            Shape::Arrow { from, to } => {
                *from = from.moved(by);
                // An end at a mark stays at its mark.
                if to.workload().is_none() {
                    *to = to.moved(by);
                }
            }
            Shape::Region { from, to } => {
                for corner in [from, to] {
                    *corner = tidy([corner[0] + by[0], corner[1] + by[1]]);
                }
            }
            Shape::Line(reference) => *reference = reference.moved(by),
        }
    }

    /// Moves its second end only: an arrow's point, a region's other corner.
    pub fn shift_end(&mut self, by: [f64; 2]) {
        match &mut self.shape {
            Shape::Arrow { to, .. } => *to = to.moved(by),
            Shape::Region { to, .. } => *to = tidy([to[0] + by[0], to[1] + by[1]]),
            Shape::Note(_) | Shape::Line(_) => self.shift(by),
        }
    }

    /// Leaves workloads that are gone: what was tied to them stays near the middle of a chart.
    pub(super) fn detach(&mut self, exists: impl Fn(WorkloadId) -> bool) {
        /// Where devices of today have their ridges.
        const SOMEWHERE: [f64; 2] = [1.0, 13.0];
        let release = |anchor: &mut Anchor| {
            if anchor.workload().is_some_and(|id| !exists(id)) {
                *anchor = Anchor::At(SOMEWHERE);
            }
        };
        match &mut self.shape {
            Shape::Note(at) => release(at),
            Shape::Arrow { from, to } => [from, to].into_iter().for_each(release),
            Shape::Region { .. } | Shape::Line(_) => {}
        }
    }
}

impl Session {
    /// The annotation of this id.
    pub fn annotation(&self, id: AnnotationId) -> Option<&Annotation> {
        self.annotations.iter().find(|one| one.id == id)
    }

    /// The annotation of this id, to edit.
    pub fn annotation_mut(&mut self, id: AnnotationId) -> Option<&mut Annotation> {
        self.annotations.iter_mut().find(|one| one.id == id)
    }

    /// Adds an annotation.
    pub fn add_annotation(&mut self, mut annotation: Annotation) -> AnnotationId {
        annotation.id = AnnotationId(self.fresh_id());
        let id = annotation.id;
        self.annotations.push(annotation);
        id
    }

    /// Removes an annotation.
    pub fn remove_annotation(&mut self, id: AnnotationId) {
        self.annotations.retain(|one| one.id != id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::workload::Kind;

    #[test]
    fn references_read_back() {
        for (text, exact) in [
            ("50 tok/s", "50 items/s"),
            ("50/s", "50 items/s"),
            ("400 TFLOP/s", "400 TFLOP/s"),
            ("2 TB/s", "2 TB/s"),
            ("100 FLOP/B", "100 FLOP/B"),
        ] {
            let reference = Reference::parse(text).unwrap();
            assert_eq!(reference.exact(), exact);
            assert_eq!(Reference::parse(exact), Ok(reference));
        }
        for text in ["", "50", "fifty", "-3 tok/s", "0 tok/s", "5 W"] {
            let error = Reference::parse(text).unwrap_err().to_string();
            assert!(error.contains("50 tok/s"), "{error}");
        }
    }

    #[test]
    fn items_become_the_arithmetic_they_ask_for() {
        // 8 G parameters: 16 GFLOP a token, so 50 tokens per second are 800 GFLOP/s, whatever the batch.
        let decode = Kind::examples()
            .into_iter()
            .find(|kind| kind.title() == "Decode step, simple")
            .unwrap();
        let decode = decode.with("parameters", 8e9).unwrap();
        for batch in [1.0, 64.0] {
            let workload = Workload::new("w", decode.with("batch", batch).unwrap());
            let ruled = Reference::Items(50.0).ruled(Some(&workload));
            let Some(Ruled::Level(y)) = ruled else {
                panic!("{ruled:?}");
            };
            assert!((y - 800e9_f64.log10()).abs() < 1e-12);
        }
        assert_eq!(Reference::Items(50.0).ruled(None), None);
    }
}
