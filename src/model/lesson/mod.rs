//! Lessons: guided steps over a session, each with what is to be done, how that is noticed, and what it means.
mod condition;
mod template;

pub use condition::Condition;
pub use template::TemplateError;

use super::ids::{GpuId, WorkloadId};
use super::session::Session;
use super::view::View;
use serde::{Deserialize, Serialize};

/// A guided session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    pub version: u32,
    pub title: String,
    /// What one can say after it, in a sentence.
    pub about: String,
    /// About how long it takes.
    pub minutes: u32,
    pub steps: Vec<Step>,
    /// What is asked at the end.
    pub questions: Vec<Question>,
}

/// One thing to do and to understand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub title: String,
    /// What to do; `{key of NAME}` stands for a number of the session.
    pub say: String,
    /// What to predict before it is done.
    #[serde(default)]
    pub ask: Option<Question>,
    /// All of these hold once it is done; without any, reading is enough.
    #[serde(default)]
    pub done: Vec<Condition>,
    /// What is seen then, with the numbers on the screen.
    pub explain: String,
}

/// A question with the answers to choose from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub ask: String,
    pub choices: Vec<String>,
    /// The right one, from 0.
    pub right: usize,
    pub because: String,
}

/// What the names in a lesson stand for: as its session was when it began, whatever is renamed later.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Names {
    gpus: Vec<(String, GpuId)>,
    workloads: Vec<(String, WorkloadId)>,
}

impl Names {
    /// The names of a session.
    pub fn of(session: &Session) -> Self {
        let gpus = session.gpus.iter().map(|gpu| (gpu.name.clone(), gpu.id));
        let workloads = session.workloads.iter().map(|w| (w.name.clone(), w.id));
        Self {
            gpus: gpus.collect(),
            workloads: workloads.collect(),
        }
    }

    /// The GPU that had this name.
    pub fn gpu(&self, name: &str) -> Option<GpuId> {
        let found = self.gpus.iter().find(|(known, _)| known == name);
        found.map(|(_, id)| *id)
    }

    /// The workload that had this name.
    pub fn workload(&self, name: &str) -> Option<WorkloadId> {
        let found = self.workloads.iter().find(|(known, _)| known == name);
        found.map(|(_, id)| *id)
    }
}

/// What is looked at to see whether a step is done.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    pub session: &'a Session,
    pub view: &'a View,
    /// The fix whose arrow is on the chart.
    pub shown_fix: Option<&'a str>,
    pub names: &'a Names,
}

impl Step {
    /// Whether its result is on the screen: all holds but for a fix, whose effect stands beside it unpointed at.
    pub fn seen_at_once(&self, now: &Situation<'_>) -> bool {
        let mut done = self.done.iter();
        done.all(|condition| matches!(condition, Condition::FixShown(_)) || condition.holds(now))
    }

    /// Whether all its conditions hold now.
    pub fn is_done(&self, now: &Situation<'_>) -> bool {
        self.done.iter().all(|condition| condition.holds(now))
    }
}

impl Situation<'_> {
    /// A lesson's text with the numbers of the session put in.
    pub fn fill(&self, text: &str) -> Result<String, TemplateError> {
        template::fill(text, self)
    }

    /// The same for readers: a number that cannot be given is told in its place.
    pub fn filled(&self, text: &str) -> String {
        self.fill(text)
            .unwrap_or_else(|error| format!("{text} ({error})"))
    }
}
