//! Texts typed over a parameter that are not in force: half typed, or refused and kept until they are right.
use crate::model::ids::WorkloadId;
use crate::model::session::{Session, Workload};
use crate::model::workload::{Kind, TextError};

/// A text over the one in force.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub workload: WorkloadId,
    /// The parameter's name.
    pub field: String,
    pub text: String,
    /// The text in force when it was typed; another one, as after an undo, drops the draft.
    pub from: String,
    /// Why it was refused, if it was.
    pub error: Option<TextError>,
}

/// All of them: a field that is not shown keeps its own as well.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HalfTyped(Vec<Draft>);

impl HalfTyped {
    /// Takes the draft of a field out, unless it was typed over another text than `from`.
    pub fn take(&mut self, workload: WorkloadId, field: &str, from: &str) -> Option<Draft> {
        let of_field = |draft: &Draft| draft.workload == workload && draft.field == field;
        let draft = self.0.remove(self.0.iter().position(of_field)?);
        (draft.from == from).then_some(draft)
    }

    /// Keeps a draft.
    pub fn put(&mut self, draft: Draft) {
        self.0.push(draft);
    }

    /// Forgets what is refused of a workload; says whether there was anything.
    pub fn take_back(&mut self, workload: WorkloadId) -> bool {
        let before = self.0.len();
        self.0
            .retain(|draft| draft.workload != workload || draft.error.is_none());
        self.0.len() < before
    }

    /// The workloads with a refused text, in the session's order.
    pub fn refused<'a>(&self, session: &'a Session) -> Vec<&'a Workload> {
        let is_refused = |workload: &&Workload| {
            let mut drafts = self.0.iter();
            drafts.any(|draft| draft.workload == workload.id && draft.error.is_some())
        };
        session.workloads.iter().filter(is_refused).collect()
    }

    /// Forgets all, as another document opens.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps the drafts of a workload whose texts were rewritten around them, as by a new name.
    pub fn rebase(&mut self, workload: WorkloadId, kind: &Kind) {
        let drafts = self.0.iter_mut();
        for draft in drafts.filter(|draft| draft.workload == workload) {
            if let Some(text) = kind.text(&draft.field) {
                draft.from = text;
            }
        }
    }

    /// The workloads that show the last good value, since what is typed is refused; forgets drafts over texts of the past.
    pub fn stale(&mut self, session: &Session) -> Vec<WorkloadId> {
        self.0.retain(|draft| {
            let workload = session.workload(draft.workload);
            let text = workload.and_then(|workload| workload.kind.text(&draft.field));
            text.as_ref() == Some(&draft.from)
        });
        let refused = self.0.iter().filter(|draft| draft.error.is_some());
        let mut stale: Vec<_> = refused.map(|draft| draft.workload).collect();
        stale.sort();
        stale.dedup();
        stale
    }
}
