//! Lessons: each can be gone through by doing what it says, and a step that is not done is noticed.
use ridgepoint::files::presets::{LessonPreset, lesson, lessons};
use ridgepoint::model::lesson::{Names, Situation};
use ridgepoint::model::measurement::{Measurement, Observation};
use ridgepoint::model::session::{Session, Workload};
use ridgepoint::model::view::View;
use ridgepoint::model::what_if;
use ridgepoint::ui::lesson::{Course, Place};

/// What a learner has before the eyes.
struct Desk {
    session: Session,
    view: View,
    fix: Option<String>,
}

impl Desk {
    fn select(&mut self, name: &str) {
        let found = self.session.workloads.iter().find(|w| w.name == name);
        self.view.select(Some(found.unwrap().id));
    }

    fn set(&mut self, name: &str, parameter: &str, value: f64) {
        let found = self.session.workloads.iter_mut().find(|w| w.name == name);
        let workload = found.unwrap();
        workload.kind = workload.kind.with(parameter, value).unwrap();
    }

    fn measure(&mut self, name: &str, text: &str) {
        let gpu = self.view.active.unwrap();
        let found = self.session.workloads.iter_mut().find(|w| w.name == name);
        let workload = found.unwrap();
        let measurement = Measurement {
            observed: Observation::parse(text).unwrap(),
            of: workload.kind.clone(),
        };
        workload.set_measurement(gpu, Some(measurement));
    }

    /// Points at a fix of the selected workload.
    fn point_at(&mut self, start: &str) {
        let gpu = self.session.gpu(self.view.active.unwrap()).unwrap();
        let workload = self.session.workload(self.view.selected.unwrap()).unwrap();
        let fixes = what_if::fixes(workload, gpu, self.session.assumptions);
        let found = fixes.into_iter().find(|fix| fix.name.starts_with(start));
        self.fix = Some(found.unwrap_or_else(|| panic!("no fix {start:?}")).name);
    }
}

type Edit = fn(&mut Desk);

fn nothing(_: &mut Desk) {}

/// What each step asks for, done to the session.
fn script(id: &str) -> Vec<Edit> {
    match id {
        "lesson-1-ovens-or-flour" => vec![
            nothing,
            |desk| desk.select("Adding two lists"),
            |desk| desk.select("Matrix product"),
            |desk| desk.set("Decode step", "batch", 400.0),
            |desk| {
                let bandwidth = &mut desk.session.gpus[0].memory[0].bandwidth;
                bandwidth.set_own(6.7e12.try_into().unwrap());
            },
        ],
        "lesson-2-batching" => vec![
            nothing,
            |desk| desk.set("Decode step", "batch", 64.0),
            |desk| desk.set("Decode step", "batch", 296.0),
            |desk| {
                desk.set("Decode step", "batch", 1.0);
                desk.point_at("8-bit weights");
            },
            |desk| {
                desk.view.hidden_gpus.clear();
                desk.fix = None;
            },
            |desk| {
                desk.select("Decode step with KV cache");
                desk.view.hidden_workloads.clear();
                desk.set("Decode step with KV cache", "batch", 64.0);
            },
            |desk| desk.set("Decode step with KV cache", "batch", 1024.0),
        ],
        "lesson-3-wrong-row" => vec![
            nothing,
            |desk| desk.point_at("Twice the peak"),
            |desk| desk.point_at("8-bit weights"),
            |desk| {
                desk.select("Matrix product");
                desk.point_at("Twice the bandwidth");
            },
            |desk| desk.point_at("A and B in FP8"),
            |desk| {
                let copy = desk.session.workloads[1].clone();
                desk.session
                    .add_workload(Workload::new("variant", copy.kind), None);
            },
        ],
        "lesson-4-prediction-to-measurement" => vec![
            nothing,
            |desk| desk.measure("Decode step", "6.4 ms"),
            |desk| desk.measure("Decode step", "60 ms"),
            |desk| desk.measure("Decode step", "3 ms"),
            |desk| desk.select("Model, operator by operator"),
            |desk| desk.set("Model, operator by operator", "batch", 64.0),
        ],
        other => panic!("no script for {other}"),
    }
}

fn all() -> Vec<LessonPreset> {
    let read = |id| {
        lesson(id)
            .unwrap()
            .unwrap_or_else(|error| panic!("{id}: {error}"))
    };
    lessons().iter().map(|preset| read(preset.id)).collect()
}

fn desk(preset: &LessonPreset) -> Desk {
    Desk {
        session: preset.start.session.clone(),
        view: preset.start.view.clone(),
        fix: None,
    }
}

#[test]
fn there_are_four_lessons_that_name_only_what_they_have() {
    let all = all();
    assert_eq!(all.len(), 4);
    for LessonPreset { id, lesson, start } in &all {
        let names = Names::of(&start.session);
        assert_eq!(lesson.questions.len(), 3, "{id}");
        let asked = lesson.steps.iter().filter_map(|step| step.ask.as_ref());
        for question in asked.chain(&lesson.questions) {
            assert!(
                question.right < question.choices.len(),
                "{id}: {}",
                question.ask
            );
        }
        for condition in lesson.steps.iter().flat_map(|step| &step.done) {
            let [workload, gpu] = condition.names();
            assert!(
                workload.is_none_or(|name| names.workload(name).is_some()),
                "{id}: {condition:?}"
            );
            assert!(
                gpu.is_none_or(|name| names.gpu(name).is_some()),
                "{id}: {condition:?}"
            );
            assert!(condition.is_possible(), "{id}: {condition:?}");
        }
    }
}

#[test]
fn each_lesson_is_completed_by_doing_what_it_says_and_not_before() {
    for preset in all() {
        let (id, edits) = (preset.id, script(preset.id));
        let mut desk = desk(&preset);
        let mut course = Course::new(preset.clone());
        assert_eq!(edits.len(), preset.lesson.steps.len(), "{id}");
        for (index, edit) in edits.into_iter().enumerate() {
            let step = &preset.lesson.steps[index];
            assert_eq!(course.place(), Place::Step(index));
            let check = |course: &mut Course, desk: &Desk| {
                course.check(&desk.session, &desk.view, desk.fix.as_deref());
                course.is_done()
            };
            let reads = step.done.is_empty() && step.ask.is_none();
            // Nothing done yet.
            assert_eq!(
                check(&mut course, &desk),
                reads,
                "{id}: {} is done before",
                step.title
            );
            if let Some(asked) = &step.ask {
                edit(&mut desk);
                assert!(
                    !check(&mut course, &desk),
                    "{id}: {} without predicting",
                    step.title
                );
                course.answer(asked.right);
            }
            edit(&mut desk);
            assert!(
                check(&mut course, &desk),
                "{id}: {} is not noticed",
                step.title
            );
            let now = course.situation(&desk.session, &desk.view, desk.fix.as_deref());
            for text in [&step.say, &step.explain] {
                let filled = now
                    .fill(text)
                    .unwrap_or_else(|error| panic!("{id}, {}: {error}", step.title));
                assert!(!filled.contains(['{', '}']), "{filled}");
            }
            course.go(course.next().unwrap());
        }
        for question in &preset.lesson.questions {
            assert!(!course.is_done());
            course.answer(question.right);
            // The first answer counts.
            course.answer(question.right + 1);
            let now = course.situation(&desk.session, &desk.view, None);
            now.fill(&question.because)
                .unwrap_or_else(|error| panic!("{id}: {error}"));
            course.go(course.next().unwrap());
        }
        assert_eq!(
            (course.place(), course.score()),
            (Place::End, (3, 3)),
            "{id}"
        );
        assert_eq!(course.next(), None);
        course.restart();
        assert_eq!((course.place(), course.is_done()), (Place::Step(0), false));
    }
}

#[test]
fn a_mark_dragged_off_its_roof_is_noticed() {
    let preset = lesson("lesson-1-ovens-or-flour").unwrap().unwrap();
    let mut desk = desk(&preset);
    let mut course = Course::new(preset);
    course.go(Place::Step(3));
    desk.set("Decode step", "batch", 400.0);
    let gpu = desk.session.gpus[0].id;
    let step = desk
        .session
        .workloads
        .iter_mut()
        .find(|w| w.name == "Decode step");
    let step = step.unwrap();
    step.set_efficiency(gpu, 0.06);
    let id = step.id;
    course.check(&desk.session, &desk.view, None);
    assert!(!course.is_done());
    desk.session
        .workload_mut(id)
        .unwrap()
        .set_efficiency(gpu, 1.0);
    course.check(&desk.session, &desk.view, None);
    assert!(course.is_done());
}

#[test]
fn lessons_follow_one_another() {
    let ids: Vec<_> = lessons().iter().map(|preset| preset.id).collect();
    for pair in ids.windows(2) {
        let course = Course::new(lesson(pair[0]).unwrap().unwrap());
        assert_eq!(course.following().map(|next| next.id), Some(pair[1]));
    }
    let last = lesson(ids[ids.len() - 1]).unwrap().unwrap();
    assert_eq!(Course::new(last).following(), None);
}

/// Facts of the roofs that the texts rely on, which are worked out here without them.
#[test]
fn what_the_batching_lesson_says_is_so() {
    let preset = lesson("lesson-2-batching").unwrap().unwrap();
    let names = Names::of(&preset.start.session);
    let now = Situation {
        session: &preset.start.session,
        view: &preset.start.view,
        shown_fix: None,
        names: &names,
    };
    let fill = |text: &str| now.fill(text).unwrap();
    // 990e12 ÷ 3.35e12 = 295.5, so 296 whole sequences.
    assert_eq!(fill("{flip of Decode step}"), "296");
    assert_eq!(fill("{ridge of Decode step}"), "295.5 FLOP/B");
    // 16 GB ÷ 3.35 TB/s.
    assert_eq!(fill("{time of Decode step at batch 64}"), "4.776 ms");
    assert_eq!(fill("{highest ridge of Decode step}"), "H100 (rounded)");
    // 16 GFLOP × B ÷ (16 GB + B × 8192 × 131072 B) stays below 16e9 ÷ 1.0737e9 = 14.9 FLOP/B.
    assert_eq!(fill("{flip of Decode step with KV cache}"), "no value");
    assert_eq!(
        fill("{regime of Decode step with KV cache at batch 100000}"),
        "memory-bound"
    );
    assert!(now.fill("{nonsense of Decode step}").is_err());
    assert!(now.fill("{time of Nobody}").is_err());
    assert!(now.fill("{time of Decode step").is_err());
}
