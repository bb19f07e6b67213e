//! How long things take, each as a multiple of a yardstick timed in the same run: `cargo bench --bench speeds`.
mod common;

use criterion::Criterion;
use ridgepoint::app::{App, Dialogs, Jobs};
use ridgepoint::chart::scene;
use ridgepoint::document::Document;
use ridgepoint::figure::{self, offscreen};
use ridgepoint::files::presets;
use ridgepoint::files::session_file;
use ridgepoint::files::settings::Settings;
use ridgepoint::model::expression::Expression;
use ridgepoint::model::gpu::Gpu;
use ridgepoint::model::llm::Serving;
use ridgepoint::model::placement::Assumptions;
use ridgepoint::model::session::{Session, Workload};
use ridgepoint::model::sweep::Sweep;
use ridgepoint::model::sweep::grid::{self, Grid, Task};
use ridgepoint::model::view::View;
use ridgepoint::model::workload::Kind;
use std::hint::black_box;

/// The session with its workloads copied until there are `count` more.
fn crowded(session: &Session, count: usize) -> Session {
    let mut session = session.clone();
    let ids: Vec<_> = session.workloads.iter().map(|w| w.id).collect();
    for id in ids.into_iter().cycle().take(count) {
        session.duplicate_workload(id);
    }
    session
}

/// A decode step of a language model, to be placed once, and a grid of 10,000 of them.
fn grid() -> Option<(Workload, Gpu, Task)> {
    let gpu = presets::gpu("nvidia-h100-sxm")?.ok()?.gpu;
    let workload = Workload::new("", Kind::LanguageModel(Serving::default()));
    let axis = |parameter: &str, step: f64| Sweep {
        parameter: parameter.to_owned(),
        values: (1..=100).map(|i| f64::from(i) * step).collect(),
    };
    let grid = Grid {
        first: axis("batch", 8.0),
        second: axis("context", 512.0),
    };
    let task = Task::new(grid, &workload, &gpu, None, Assumptions::default()).ok()?;
    Some((workload, gpu, task))
}

/// The window on a session.
fn window(session: &Session, view: &View) -> App {
    let document = Document::new(session.clone(), view.clone(), None);
    let jobs = Jobs::new(Dialogs::BuiltIn);
    App::new(document, Settings::default(), None, jobs)
}

/// Times one thing after another, and tells them all at the end.
struct Times {
    criterion: Criterion,
    times: Vec<(&'static str, Option<f64>)>,
}

impl Times {
    fn take<T>(&mut self, name: &'static str, mut run: impl FnMut() -> T) {
        let run = || drop(black_box(run()));
        let time = common::by_the_clock(&mut self.criterion, name, run);
        self.times.push((name, time));
    }

    fn tell(self) {
        let (yardstick, first) = self.times[0];
        for (name, time) in self.times {
            common::ratio(name, time, yardstick, first);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (_, loaded) = presets::find_session("@compare-three-gpus")?;
    let (session, view) = (loaded.session, loaded.view);
    let text = session_file::write(&session, &view);
    let many = crowded(&session, 300);
    let mut times = Times {
        criterion: common::criterion(),
        times: Vec::new(),
    };
    let (size, theme) = (egui::vec2(1440.0, 900.0), egui::Theme::Light);
    times.take("ten frames of one label", || {
        let label = |ui: &mut egui::Ui| drop(ui.label("one label"));
        offscreen::shapes(size, theme, 10, App::prepare, label)
    });
    for (name, session) in [
        ("ten frames of the window, 3 workloads", &session),
        ("ten frames of the window, 303 workloads", &many),
    ] {
        let mut app = window(session, &view);
        times.take(name, || {
            offscreen::shapes(size, theme, 10, App::prepare, |ui| app.show(ui))
        });
    }
    times.take("scene, 3 workloads", || scene::build(&session, &view));
    times.take("scene, 303 workloads", || scene::build(&many, &view));
    let formula = Expression::compile("(M*K + K*N + M*N)*bytes", &["M", "N", "K", "bytes"])?;
    times.take("a cost formula", || {
        formula.value(&black_box([4096.0, 4096.0, 4096.0, 2.0]))
    });
    if let Some((workload, gpu, task)) = grid() {
        times.take("a language model's step, placed", || {
            workload.place_on(&gpu, Assumptions::default())
        });
        times.take("a heat map of 10,000 of them", || grid::run(task.clone()));
    }
    times.take("reading a session", || session_file::read(&text));
    times.take("writing a session", || session_file::write(&session, &view));
    let svg = || figure::chart::svg(&session, &view, None, size, theme);
    times.take("figure as SVG", svg);
    let drawn = svg();
    times.take("that SVG as PNG", || figure::png::from_svg(&drawn, 1.0));
    times.tell();
    Ok(())
}
