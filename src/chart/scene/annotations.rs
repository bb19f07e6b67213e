//! The annotations of a scene: where notes, arrows, regions and reference lines lie, in powers of ten.
use super::{MarkKind, Scene};
use crate::model::annotation::{Annotation, Role, Ruled, Shape};
use crate::model::ids::{AnnotationId, WorkloadId};
use crate::model::session::{Session, Workload};
use crate::model::view::View;

/// An annotation where it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    pub id: AnnotationId,
    pub text: String,
    pub role: Role,
    pub shape: NoteShape,
}

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NoteShape {
    Text([f64; 2]),
    Arrow([f64; 2], [f64; 2]),
    Region([f64; 2], [f64; 2]),
    Line(Ruled),
}

impl Scene {
    /// Puts the annotations where they belong; those tied to what is not on the chart are left out.
    pub(super) fn annotate(&mut self, session: &Session, view: &View, selected: Option<&Workload>) {
        let shown = |one: &&Annotation| !view.hidden_annotations.contains(&one.id);
        let shown = session.annotations.iter().filter(shown);
        let placed = shown.filter_map(|annotation| {
            Some(Note {
                id: annotation.id,
                text: format!("{}{}", annotation.role.sign(), annotation.text),
                role: annotation.role,
                shape: self.shape(annotation, selected)?,
            })
        });
        self.notes = placed.collect();
    }

    fn shape(&self, annotation: &Annotation, selected: Option<&Workload>) -> Option<NoteShape> {
        let mark = |id| self.predicted(id);
        Some(match annotation.shape {
            Shape::Note(at) => NoteShape::Text(at.place(mark)?),
            Shape::Arrow { from, to } => NoteShape::Arrow(from.place(mark)?, to.place(mark)?),
            Shape::Region { from, to } => NoteShape::Region(from, to),
            Shape::Line(reference) => NoteShape::Line(reference.ruled(selected)?),
        })
    }

    /// The place of a workload's prediction on the active GPU.
    pub fn predicted(&self, id: WorkloadId) -> Option<[f64; 2]> {
        let mark = self.marks.iter().find(|mark| {
            let plain = mark.on_other.is_none() && !mark.secondary;
            mark.workload == id && mark.kind == MarkKind::Predicted && plain
        });
        mark.map(|mark| mark.at)
    }
}
