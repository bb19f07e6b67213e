//! Undo by snapshots: the past, the present, and what was undone.
use std::collections::VecDeque;

/// The most steps kept. A session without imported data takes a few kilobytes, so this is a few megabytes at most.
const MOST_STEPS: usize = 500;

/// The past, the present and the future of a value.
pub struct History<T> {
    past: VecDeque<T>,
    present: T,
    future: Vec<T>,
}

impl<T: Clone + PartialEq> History<T> {
    /// A history that begins here.
    pub fn new(present: T) -> Self {
        Self {
            past: VecDeque::new(),
            present,
            future: Vec::new(),
        }
    }

    /// The last recorded value.
    pub fn present(&self) -> &T {
        &self.present
    }

    /// Remembers `current` as a new step, if it differs from the present.
    pub fn record(&mut self, current: &T) {
        if *current == self.present {
            return;
        }
        let before = std::mem::replace(&mut self.present, current.clone());
        self.past.push_back(before);
        self.future.clear();
        if self.past.len() > MOST_STEPS {
            self.past.pop_front();
        }
    }

    /// Sets `current` to the step before; what was not yet recorded is a step of its own.
    pub fn undo(&mut self, current: &mut T) {
        self.record(current);
        if let Some(previous) = self.past.pop_back() {
            let undone = std::mem::replace(&mut self.present, previous);
            self.future.push(undone);
            current.clone_from(&self.present);
        }
    }

    /// Sets `current` to the step that was undone last.
    pub fn redo(&mut self, current: &mut T) {
        self.record(current);
        if let Some(next) = self.future.pop() {
            let before = std::mem::replace(&mut self.present, next);
            self.past.push_back(before);
            current.clone_from(&self.present);
        }
    }

    /// The step that led here, as before and after.
    pub fn last_step(&self) -> Option<(&T, &T)> {
        Some((self.past.back()?, &self.present))
    }

    /// The step that redo would take, as before and after.
    pub fn next_step(&self) -> Option<(&T, &T)> {
        Some((&self.present, self.future.last()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_then_redo_comes_back() {
        let mut state = 1;
        let mut history = History::new(state);
        state = 2;
        history.record(&state);
        state = 3; // not recorded yet: undo takes it as a step
        history.undo(&mut state);
        assert_eq!(state, 2);
        history.undo(&mut state);
        assert_eq!(state, 1);
        history.undo(&mut state);
        assert_eq!(state, 1);
        history.redo(&mut state);
        history.redo(&mut state);
        assert_eq!(state, 3);
    }

    #[test]
    fn an_edit_after_undo_forgets_the_future() {
        let mut state = 1;
        let mut history = History::new(state);
        state = 2;
        history.undo(&mut state);
        state = 5;
        history.redo(&mut state);
        assert_eq!(state, 5);
    }
}
