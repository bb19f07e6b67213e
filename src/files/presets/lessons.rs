//! Built-in lessons: steps over the built-in session of the same name.
use super::{LESSONS, Preset, sessions};
use crate::files::session_file::{self, FileError, Loaded};
use crate::model::lesson::Lesson;

/// A lesson and the session it begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct LessonPreset {
    pub id: &'static str,
    pub lesson: Lesson,
    pub start: Loaded,
}

/// The built-in lessons, by id.
pub fn lessons() -> &'static [Preset] {
    LESSONS
}

/// The built-in lesson of this id.
pub fn lesson(id: &str) -> Option<Result<LessonPreset, FileError>> {
    let of_id = |list: &'static [Preset]| list.iter().find(|preset| preset.id == id);
    let (steps, session) = of_id(lessons()).zip(of_id(sessions()))?;
    let read = || {
        let (lesson, _) = session_file::parse::<Lesson>(steps.text)?;
        let start = session_file::read(session.text)?;
        Ok(LessonPreset {
            id: steps.id,
            lesson,
            start,
        })
    };
    Some(read())
}
