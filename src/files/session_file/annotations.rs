//! Annotations between model and file.
use super::problem::{Problem, at, unix_lines};
use super::to_model::Names;
use super::v1_shown::{AnchorFile, AnnotationFile, ShapeFile};
use crate::model::annotation::{Anchor, Annotation, Reference, Role, Shape};
use crate::model::ids::WorkloadId;
use crate::model::session::Session;

/// The most decades from 1 that a place can be: nothing that can be drawn lies beyond.
const FARTHEST: f64 = 120.0;

impl AnnotationFile {
    /// The file's form of an annotation.
    pub(super) fn of(session: &Session, annotation: &Annotation) -> Self {
        let anchor = |anchor: Anchor| match anchor {
            Anchor::At([x, y]) => AnchorFile::At(x, y),
            Anchor::Mark(id, off) => match session.workload(id) {
                Some(workload) => AnchorFile::Mark {
                    workload: workload.name.trim().to_owned(),
                    off: off.into(),
                },
                None => AnchorFile::At(off[0], off[1]),
            },
        };
        let shape = match annotation.shape {
            Shape::Note(at) => ShapeFile::Note(anchor(at)),
            Shape::Arrow { from, to } => ShapeFile::Arrow {
                from: anchor(from),
                to: anchor(to),
            },
            Shape::Region { from, to } => ShapeFile::Region {
                from: from.into(),
                to: to.into(),
            },
            Shape::Line(reference) => ShapeFile::Line(reference.exact()),
        };
        let role = annotation.role;
        Self {
            text: annotation.text.replace("\r\n", "\n"),
            role: (role != Role::default()).then(|| role.name().to_owned()),
            shape,
        }
    }

    /// The annotation of a file at `path`.
    pub(super) fn read(
        self,
        path: &str,
        workloads: &Names<WorkloadId>,
    ) -> Result<Annotation, Problem> {
        let in_reach = |part: &str, (x, y): (f64, f64)| {
            if [x, y].iter().all(|at| at.abs() <= FARTHEST) {
                return Ok([x, y]);
            }
            let message = format!(
                "({x}, {y}) is no place on a chart: write two powers of ten between -{FARTHEST} and {FARTHEST}"
            );
            Err(at(format!("{path}.shape.{part}"))(message))
        };
        let anchor = |part: &str, file: AnchorFile| match file {
            AnchorFile::At(x, y) => Ok(Anchor::At(in_reach(part, (x, y))?)),
            AnchorFile::Mark { workload, off } => {
                let place = at(format!("{path}.shape.{part}.workload"));
                let id = workloads.get(&workload).map_err(place)?;
                Ok(Anchor::Mark(id, in_reach(part, off)?))
            }
        };
        let role = match &self.role {
            None => Role::default(),
            Some(name) => Role::named(name)
                .ok_or_else(|| {
                    let names = Role::ALL.map(Role::name).join(", ");
                    format!("an annotation cannot be {name:?}: write one of {names}")
                })
                .map_err(at(format!("{path}.role")))?,
        };
        let shape = match self.shape {
            ShapeFile::Note(place) => Shape::Note(anchor("0", place)?),
            ShapeFile::Arrow { from, to } => Shape::Arrow {
                from: anchor("from", from)?,
                to: anchor("to", to)?,
            },
            ShapeFile::Region { from, to } => Shape::Region {
                from: in_reach("from", from)?,
                to: in_reach("to", to)?,
            },
            ShapeFile::Line(text) => {
                let reference = Reference::parse(&text);
                let wrong = |error: crate::model::annotation::ReferenceError| error.to_string();
                Shape::Line(
                    reference
                        .map_err(wrong)
                        .map_err(at(format!("{path}.shape")))?,
                )
            }
        };
        let mut annotation = Annotation::new(unix_lines(self.text), shape);
        annotation.role = role;
        Ok(annotation)
    }
}
