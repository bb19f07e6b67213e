//! How long things take, each as a multiple of a yardstick timed in the same run: `cargo bench`.
//!
//! Absolute times depend on the machine and on what else it does; the ratios do not.
use ridgepoint::app::{App, Dialogs, Jobs};
use ridgepoint::chart::scene;
use ridgepoint::document::Document;
use ridgepoint::figure::{self, offscreen};
use ridgepoint::files::presets;
use ridgepoint::files::session_file;
use ridgepoint::files::settings::Settings;
use ridgepoint::model::expression::Expression;
use ridgepoint::model::llm::Serving;
use ridgepoint::model::placement::Assumptions;
use ridgepoint::model::session::{Session, Workload};
use ridgepoint::model::sweep::Sweep;
use ridgepoint::model::sweep::grid::{self, Grid, Task};
use ridgepoint::model::view::View;
use ridgepoint::model::workload::Kind;
use std::hint::black_box;
use std::time::Instant;

/// The middle of several timings, in seconds.
fn median(mut run: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..15)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The session with its workloads copied until there are `count` more.
fn crowded(session: &Session, count: usize) -> Session {
    let mut session = session.clone();
    let ids: Vec<_> = session.workloads.iter().map(|w| w.id).collect();
    for id in ids.into_iter().cycle().take(count) {
        session.duplicate_workload(id);
    }
    session
}

/// A thousand values of a cost formula, because one is too short to be timed.
fn evaluations() -> Option<f64> {
    let names = ["M", "N", "K", "bytes"];
    let formula = Expression::compile("(M*K + K*N + M*N)*bytes", &names).ok()?;
    Some(median(|| {
        for _ in 0..1000 {
            let values = black_box([4096.0, 4096.0, 4096.0, 2.0]);
            drop(black_box(formula.value(&values)));
        }
    }))
}

/// A decode step of a language model placed once, and a grid of 10,000 of them.
fn grids() -> Option<[f64; 2]> {
    let gpu = presets::gpu("nvidia-h100-sxm")?.ok()?.gpu;
    let workload = Workload::new("", Kind::LanguageModel(Serving::default()));
    let assumptions = Assumptions::default();
    let once = || drop(black_box(workload.place_on(&gpu, assumptions)));
    let axis = |parameter: &str, step: f64| Sweep {
        parameter: parameter.to_owned(),
        values: (1..=100).map(|i| f64::from(i) * step).collect(),
    };
    let grid = Grid {
        first: axis("batch", 8.0),
        second: axis("context", 512.0),
    };
    let task = Task::new(grid, &workload, &gpu, None, assumptions).ok()?;
    let whole = || drop(black_box(grid::run(task.clone())));
    Some([median(once), median(whole)])
}

/// Ten frames of the whole window at 1440 × 900.
fn frames(session: &Session, view: &View) -> f64 {
    let document = Document::new(session.clone(), view.clone(), None);
    let jobs = Jobs::new(Dialogs::BuiltIn);
    let mut app = App::new(document, Settings::default(), None, jobs);
    let size = egui::vec2(1440.0, 900.0);
    median(|| {
        let theme = egui::Theme::Light;
        black_box(offscreen::shapes(size, theme, 10, App::prepare, |ui| {
            app.show(ui)
        }));
    })
}

fn main() {
    let Ok((_, loaded)) = presets::find_session("@compare-three-gpus") else {
        eprintln!("the built-in session is missing");
        return;
    };
    let (session, view) = (loaded.session, loaded.view);
    let text = session_file::write(&session, &view);
    let many = crowded(&session, 300);

    // The yardstick: ten frames in which egui lays out one label.
    let size = egui::vec2(1440.0, 900.0);
    let theme = egui::Theme::Light;
    let yardstick = median(|| {
        let label = |ui: &mut egui::Ui| drop(ui.label("one label"));
        black_box(offscreen::shapes(size, theme, 10, App::prepare, label));
    });
    let show = |name: &str, time: f64| {
        println!(
            "{name:<42} {:>10.3} ms {:>9.3} ×",
            time * 1e3,
            time / yardstick
        );
    };
    println!("{:<42} {:>13} {:>11}", "", "median", "yardstick");
    show("ten frames of one label (the yardstick)", yardstick);
    show(
        "ten frames of the window, 3 workloads",
        frames(&session, &view),
    );
    show(
        "ten frames of the window, 303 workloads",
        frames(&many, &view),
    );
    let build = |session| median(|| drop(black_box(scene::build(session, &view))));
    show("scene, 3 workloads", build(&session));
    show("scene, 303 workloads", build(&many));
    if let Some(time) = evaluations() {
        show("a cost formula, 1,000 times", time);
    }
    if let Some([once, whole]) = grids() {
        show("a language model's step, placed", once);
        show("a heat map of 10,000 of them", whole);
        println!("{:<42} {:>10.0} placements", "the same", whole / once);
    }
    show(
        "reading a session",
        median(|| drop(black_box(session_file::read(&text)))),
    );
    let write = || session_file::write(&session, &view);
    show("writing a session", median(|| drop(black_box(write()))));
    let svg = || figure::chart::svg(&session, &view, None, size, theme);
    show("figure as SVG", median(|| drop(black_box(svg()))));
    let drawn = svg();
    show(
        "that SVG as PNG",
        median(|| drop(black_box(figure::png::from_svg(&drawn, 1.0)))),
    );
}
