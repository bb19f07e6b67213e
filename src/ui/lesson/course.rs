//! How far a lesson has come: the place, what was done, what was answered.
use crate::files::presets::{self, LessonPreset};
use crate::files::session_file::Loaded;
use crate::model::ids::WorkloadId;
use crate::model::lesson::{Condition, Lesson, Names, Question, Situation, Step};
use crate::model::session::{Session, Workload};
use crate::model::view::View;

/// Where in a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Step(usize),
    Question(usize),
    End,
}

/// What is asked of a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    To(Place),
    Answer(usize),
    /// Puts a workload back on its roof.
    PutBack(WorkloadId),
    Restart,
    Leave,
}

/// A lesson under way.
#[derive(Debug, Clone)]
pub struct Course {
    preset: Box<LessonPreset>,
    names: Names,
    /// Steps, then questions, then the end.
    at: usize,
    /// Which steps were done; a step stays done when its condition no longer holds.
    done: Vec<bool>,
    /// The step whose fixes were brought into sight.
    led_to: Option<usize>,
    /// Whether the tables are shown beside it.
    pub shows_tables: bool,
    /// Whether the step here was done before it was predicted.
    ahead: bool,
    /// How wide it was when its texts were measured, and how high the longest was.
    measured: Option<[f32; 2]>,
    /// The first answer to what is asked at each place.
    answers: Vec<Option<usize>>,
}

impl Course {
    /// A lesson from its beginning.
    pub fn new(preset: LessonPreset) -> Self {
        let places = preset.lesson.steps.len() + preset.lesson.questions.len();
        Self {
            names: Names::of(&preset.start.session),
            at: 0,
            led_to: None,
            measured: None,
            ahead: false,
            shows_tables: false,
            done: vec![false; preset.lesson.steps.len()],
            answers: vec![None; places],
            preset: Box::new(preset),
        }
    }

    /// What is taught.
    pub fn lesson(&self) -> &Lesson {
        &self.preset.lesson
    }

    /// The lesson after this one.
    pub fn following(&self) -> Option<LessonPreset> {
        let ids = presets::lessons().iter().map(|preset| preset.id);
        let next = ids.skip_while(|id| *id != self.preset.id).nth(1)?;
        presets::lesson(next)?.ok()
    }

    /// Whether something is to be predicted here that has not been yet.
    pub fn is_predicting(&self) -> bool {
        self.asked().is_some() && self.chosen().is_none()
    }

    /// Whether what is to be predicted here could be read off already, for it was done before it was predicted.
    pub fn keeps_secret(&self) -> bool {
        self.is_predicting() && self.ahead
    }

    /// The workloads whose marks would tell what is to be predicted: the one still to be selected, and, where what is
    /// asked for was done ahead, the one that is.
    pub fn veiled(&self, session: &Session, view: &View) -> Vec<WorkloadId> {
        let Place::Step(index) = self.place() else {
            return Vec::new();
        };
        if !self.is_predicting() {
            return Vec::new();
        }
        let done = self.lesson().steps[index].done.iter();
        let tells =
            done.filter(|condition| self.ahead || matches!(condition, Condition::Selected(_)));
        let named = |name: &str| session.workloads.iter().find(|w| w.name == name);
        let about = tells.filter_map(|condition| Some(named(condition.names()[0]?)?.id));
        let selected = view.selected.filter(|_| self.ahead);
        about.chain(selected).collect()
    }

    /// Notices whether what is asked for was done ahead of its prediction.
    pub fn look_ahead(&mut self, session: &Session, view: &View) {
        let now = self.situation(session, view, None);
        self.ahead = match self.place() {
            Place::Step(index) => self.lesson().steps[index].seen_at_once(&now),
            _ => false,
        };
    }

    /// The workloads that a hand took off their roofs, which the lesson did not: with the share that is left of it.
    pub fn strayed<'a>(&self, session: &'a Session, view: &View) -> Vec<(&'a Workload, f64)> {
        let Some(gpu) = view.active else {
            return Vec::new();
        };
        let begun = |id| self.preset.start.session.workload(id);
        let share = |workload: &'a Workload| {
            let (was, is) = (begun(workload.id)?, workload.efficiency_on(gpu));
            (is < was.efficiency_on(gpu)).then_some((workload, is))
        };
        session.workloads.iter().filter_map(share).collect()
    }

    /// The height its texts need at a width, which is asked for once.
    pub fn height(&mut self, width: f32, measure: impl FnOnce(&Self) -> f32) -> f32 {
        match self.measured {
            Some([known, height]) if known == width => height,
            _ => {
                let height = measure(self);
                self.measured = Some([width, height]);
                height
            }
        }
    }

    /// Whether a fix is to be pointed at here; says so once a step, for what then comes into sight.
    pub fn leads_to_fixes(&mut self) -> bool {
        let wants = |step: &Step| {
            let mut done = step.done.iter();
            done.any(|condition| matches!(condition, Condition::FixShown(_)))
        };
        let Place::Step(index) = self.place() else {
            return false;
        };
        let step = self.preset.lesson.steps.get(index);
        let leads = step.is_some_and(wants) && !self.done[index] && self.led_to != Some(index);
        if leads {
            self.led_to = Some(index);
        }
        leads
    }

    /// The session it begins with.
    pub fn start(&self) -> Loaded {
        self.preset.start.clone()
    }

    /// Begins again.
    pub fn restart(&mut self) {
        *self = Self::new((*self.preset).clone());
    }

    /// Where it is.
    pub fn place(&self) -> Place {
        let steps = self.lesson().steps.len();
        match self.at {
            at if at < steps => Place::Step(at),
            at if at < self.answers.len() => Place::Question(at - steps),
            _ => Place::End,
        }
    }

    fn index(&self, place: Place) -> usize {
        match place {
            Place::Step(index) => index,
            Place::Question(index) => self.lesson().steps.len() + index,
            Place::End => self.answers.len(),
        }
    }

    /// Goes to a place.
    pub fn go(&mut self, place: Place) {
        self.at = self.index(place).min(self.answers.len());
    }

    fn beside(&self, at: Option<usize>) -> Option<Place> {
        let at = at.filter(|at| *at <= self.answers.len())?;
        let there = Self { at, ..self.clone() };
        Some(there.place())
    }

    /// The place after this one.
    pub fn next(&self) -> Option<Place> {
        self.beside(Some(self.at + 1))
    }

    /// The place before this one.
    pub fn back(&self) -> Option<Place> {
        self.beside(self.at.checked_sub(1))
    }

    /// How many places lie behind, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        (self.at, self.answers.len())
    }

    fn asked(&self) -> Option<&Question> {
        match self.place() {
            Place::Step(index) => self.lesson().steps[index].ask.as_ref(),
            Place::Question(index) => self.lesson().questions.get(index),
            Place::End => None,
        }
    }

    /// Answers what is asked here; the first answer counts.
    pub fn answer(&mut self, choice: usize) {
        let known = self
            .asked()
            .is_some_and(|asked| choice < asked.choices.len());
        if let Some(answer) = self.answers.get_mut(self.at).filter(|_| known) {
            answer.get_or_insert(choice);
        }
    }

    /// What was answered here.
    pub fn chosen(&self) -> Option<usize> {
        self.answers.get(self.at).copied().flatten()
    }

    /// Whether what is to be done here was done: predicted before, and changed.
    pub fn is_done(&self) -> bool {
        match self.place() {
            Place::Step(index) => self.done[index],
            Place::Question(_) => self.chosen().is_some(),
            Place::End => true,
        }
    }

    /// How many of the questions at the end were answered at all.
    pub fn answered(&self) -> usize {
        let answers = self.answers.iter().skip(self.lesson().steps.len());
        answers.flatten().count()
    }

    /// How many of the questions at the end were answered right, and how many there are.
    pub fn score(&self) -> (usize, usize) {
        let questions = &self.lesson().questions;
        let answers = self.answers.iter().skip(self.lesson().steps.len());
        let right = questions.iter().zip(answers);
        let right = right.filter(|(question, answer)| **answer == Some(question.right));
        (right.count(), questions.len())
    }

    /// The situation that conditions and texts are about.
    pub fn situation<'a>(
        &'a self,
        session: &'a Session,
        view: &'a View,
        shown_fix: Option<&'a str>,
    ) -> Situation<'a> {
        Situation {
            session,
            view,
            shown_fix,
            names: &self.names,
        }
    }

    /// Notices whether the step here is done. What is to be predicted first must be.
    pub fn check(&mut self, session: &Session, view: &View, shown_fix: Option<&str>) {
        let Place::Step(index) = self.place() else {
            return;
        };
        let step = &self.lesson().steps[index];
        let predicted = step.ask.is_none() || self.chosen().is_some();
        let now = self.situation(session, view, shown_fix);
        if predicted && step.is_done(&now) {
            self.done[index] = true;
        }
    }
}
