//! Lessons: each can be gone through by doing what it says, and a step that is not done is noticed.
use egui::epaint::{ClippedShape, Shape};
use egui::{Rect, Theme, Vec2, vec2};
use ridgepoint::app::{App, Dialogs, Jobs};
use ridgepoint::document::Document;
use ridgepoint::figure::{offscreen, png, svg};
use ridgepoint::files::presets::{LessonPreset, lesson, lessons};
use ridgepoint::files::settings::Settings;
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
            |desk| desk.set("Decode step", "batch", 64.0),
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

/// What batching is for, worked out without the program: 16 GB ÷ 3.35 TB/s for one person and for 64.
#[test]
fn the_first_lesson_says_why_batching_helps() {
    let preset = all().remove(0);
    let desk = desk(&preset);
    let course = Course::new(preset.clone());
    let now = course.situation(&desk.session, &desk.view, None);
    let said: Vec<_> = preset
        .lesson
        .steps
        .iter()
        .map(|step| now.filled(&step.explain))
        .collect();
    let batching = said
        .iter()
        .find(|text| text.contains("that is why batching helps"))
        .unwrap();
    for number in [
        "4.776 ms: 209.4 tokens per second",
        "4.776 ms: 13,400 tokens per second",
    ] {
        assert!(batching.contains(number), "{batching}");
    }
}

/// The texts of a picture of the window: what, where, and what is left of it.
fn texts(shapes: &[ClippedShape]) -> Vec<(String, Rect, Rect)> {
    fn gather(shape: &Shape, clip: Rect, into: &mut Vec<(String, Rect, Rect)>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| gather(shape, clip, into)),
            Shape::Text(text) => {
                let place = text.galley.rect.translate(text.pos.to_vec2());
                into.push((text.galley.text().to_owned(), place, clip));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    for ClippedShape {
        clip_rect, shape, ..
    } in shapes
    {
        gather(shape, *clip_rect, &mut found);
    }
    found
}

/// A lesson in a window, and how it is drawn.
struct Pane {
    app: App,
    size: Vec2,
}

impl Pane {
    fn new(preset: &LessonPreset, size: Vec2) -> Self {
        let start = preset.start.clone();
        let document = Document::new(start.session, start.view, None);
        let settings = Settings {
            hints: false,
            ..Settings::default()
        };
        let mut app = App::new(document, settings, None, Jobs::new(Dialogs::BuiltIn));
        app.begin_lesson(preset.id);
        Self { app, size }
    }

    fn course(&mut self) -> &mut Course {
        self.app.state.course.as_mut().unwrap()
    }

    fn draw(&mut self, name: &str) -> Vec<(String, Rect, Rect)> {
        let size = self.size;
        let app = &mut self.app;
        let shapes = offscreen::shapes(size, Theme::Dark, 4, App::prepare, |ui| app.show(ui));
        if let Ok(folder) = std::env::var("LOOK") {
            let picture = svg::from_shapes(&shapes, size, App::ground(Theme::Dark));
            let file = format!("{folder}/{name}.png");
            std::fs::write(file, png::from_svg(&picture, 1.0).unwrap()).unwrap();
        }
        texts(&shapes)
    }
}

/// Each of these is drawn, and none is cut.
fn all_in_sight(name: &str, wanted: &[String], texts: &[(String, Rect, Rect)]) {
    for wanted in wanted {
        let found = texts.iter().find(|(text, ..)| text == wanted);
        let (_, place, clip) = found.unwrap_or_else(|| panic!("{name}: no {wanted:?}"));
        assert!(
            clip.expand(1.0).contains_rect(*place),
            "{name}: {wanted:?} is cut"
        );
    }
    assert!(
        texts.iter().all(|(text, ..)| text != "more below ↓"),
        "{name}"
    );
}

#[test]
fn everything_of_a_step_is_in_sight_without_scrolling() {
    for preset in all() {
        let id = preset.id;
        let mut desk = desk(&preset);
        let mut pane = Pane::new(&preset, vec2(1280.0, 800.0));
        for (index, edit) in script(id).into_iter().enumerate() {
            let step = &preset.lesson.steps[index];
            let name = format!("{id}-{}", index + 1);
            let asked = |course: &Course, desk: &Desk, text: &str| {
                course
                    .situation(&desk.session, &desk.view, None)
                    .filled(text)
            };
            if let Some(question) = &step.ask {
                let texts = pane.draw(&format!("{name}-before"));
                let mut wanted = question.choices.clone();
                wanted.push(asked(pane.course(), &desk, &question.ask));
                all_in_sight(&name, &wanted, &texts);
                // A wrong answer takes the most room.
                let wrong = (question.right + 1) % question.choices.len();
                pane.course().answer(wrong);
            }
            edit(&mut desk);
            pane.app.document.session = desk.session.clone();
            pane.app.document.view = desk.view.clone();
            pane.course()
                .check(&desk.session, &desk.view, desk.fix.as_deref());
            let texts = pane.draw(&name);
            let course = pane.course();
            let mut wanted = vec![
                asked(course, &desk, &step.say),
                asked(course, &desk, &step.explain),
            ];
            wanted.extend(step.ask.iter().map(|it| asked(course, &desk, &it.because)));
            all_in_sight(&name, &wanted, &texts);
            let next = course.next().unwrap();
            course.go(next);
        }
        for index in 0..preset.lesson.questions.len() {
            let question = &preset.lesson.questions[index];
            pane.course().answer(question.right);
            let name = format!("{id}-question-{}", index + 1);
            let texts = pane.draw(&name);
            let course = pane.course();
            let now = course.situation(&desk.session, &desk.view, None);
            all_in_sight(&name, &[now.filled(&question.because)], &texts);
            let next = course.next().unwrap();
            course.go(next);
        }
        let texts = pane.draw(&format!("{id}-end"));
        assert!(
            texts
                .iter()
                .any(|(text, ..)| text.starts_with("3 of 3 questions")),
            "{id}"
        );
    }
}

#[test]
fn a_mark_that_left_its_roof_is_noticed_and_put_back() {
    let preset = all().remove(0);
    let mut pane = Pane::new(&preset, vec2(1280.0, 800.0));
    pane.course().go(Place::Step(4));
    let gpu = pane.app.document.view.active.unwrap();
    let strayed = |pane: &mut Pane| {
        let (session, view) = (
            pane.app.document.session.clone(),
            pane.app.document.view.clone(),
        );
        pane.course().check(&session, &view, None);
        (
            pane.course().strayed(&session, &view).len(),
            pane.course().is_done(),
        )
    };
    // Far to the right, and not up: compute-bound, but at a hundredth of its roof.
    let decode = &mut pane.app.document.session.workloads[1];
    decode.kind = decode.kind.with("batch", 400.0).unwrap();
    decode.set_efficiency(gpu, 0.01);
    assert_eq!(strayed(&mut pane), (1, false));
    let texts = pane.draw("strayed");
    let told = |start: &str| texts.iter().any(|(text, ..)| text.starts_with(start));
    assert!(told("“Decode step” has left its roof: it is drawn at 1 %") && told("Put it back"));
    pane.app.document.session.workloads[1].set_efficiency(gpu, 1.0);
    assert_eq!(strayed(&mut pane), (0, true));
}
