//! What a frame costs with 100,000 and 1,000,000 measured kernels, beside bare egui_plot on the same points:
//! `cargo bench --bench kernels`.
//!
//! A frame is everything egui does on the processor: the pass and its tessellation.
mod common;

use common::Stopwatch;
use criterion::Criterion;
use egui::{
    Context, Event, Modifiers, MouseWheelUnit, PointerButton, Pos2, RawInput, Rect, Theme,
    TouchPhase, Vec2, pos2, vec2,
};
use egui_plot::{Plot, PlotPoint, PlotPoints, Points};
use ridgepoint::app::{App, Dialogs, Jobs};
use ridgepoint::document::Document;
use ridgepoint::files::presets;
use ridgepoint::files::settings::Settings;
use ridgepoint::model::cost::{Level, Path};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::profile::{
    Builder, Counter, Factor, Formula, Kernels, Launch, Profile, Source, Target,
};
use ridgepoint::model::session::Session;
use ridgepoint::model::view::{Limits, View};
use std::time::Duration;

const SIZE: Vec2 = vec2(1440.0, 900.0);
/// Everything, and a view with fewer than 20,000 of a million: the most that are drawn one by one.
const WHOLE: Limits = Limits {
    x: [-3.0, 5.0],
    y: [8.0, 15.5],
};

/// Where the n-th kernel lies, in powers of ten: a cloud without order, of multiples of two irrational numbers.
fn place(n: usize) -> [f64; 2] {
    let part = |step: f64| (n as f64 * step).fract();
    let x = part(0.754_877_666) * 6.0 - 2.0;
    [x, (12.4 + x).min(13.6) - 4.0 * part(0.569_840_291)]
}

/// So many kernels, each of a name and shape of its own; one in twenty does no work.
fn kernels(count: usize) -> Kernels {
    let column = |name: &str, unit: &str| Counter {
        name: name.to_owned(),
        unit: unit.to_owned(),
    };
    let mut builder = Builder::new(vec![column("flop", "FLOP"), column("bytes", "B")]);
    for n in 0..count {
        let [x, y] = place(n);
        let time = 1e-6 * (1 + n % 1000) as f64;
        let work = if n % 20 == 0 {
            0.0
        } else {
            10_f64.powf(y) * time
        };
        let bytes = 10_f64.powf(y - x) * time;
        let name = format!(
            "void kernel_{}<float, {}>(const float *, float *, int)",
            n % 500,
            n % 7
        );
        let shape = format!("grid {n}×1×1, block 256×1×1");
        let launch = Launch {
            name: &name,
            shape: &shape,
            time: Some(time),
            derivation: None,
        };
        builder.add(launch, [Some(work), Some(bytes)]);
    }
    let formula = |target, column| Formula::single(target, 1.0, vec![Factor::of(column)]);
    let work = Target::Work(Path::vector(NumberFormat::FP32));
    builder
        .finish(vec![
            formula(work, 0),
            formula(Target::Traffic(Level::Dram), 1),
        ])
        .0
}

/// The window on a session of so many kernels on an H100.
fn window(count: usize, limits: Limits) -> App {
    let mut session = Session::empty("kernels");
    let gpu = presets::gpu("nvidia-h100-sxm")
        .expect("a GPU")
        .expect("a sound one")
        .gpu;
    let gpu = session.add_gpu(gpu, None);
    let source = Source {
        file: "a.csv".to_owned(),
        format: "bench".to_owned(),
        hash: String::new(),
    };
    let mut profile = Profile::new("a", source, kernels(count));
    profile.gpu = Some(gpu);
    let id = session.add_profile(profile);
    let mut view = View::of(&session);
    (view.active, view.profile, view.limits) = (Some(gpu), Some(id), Some(limits));
    let mut settings = Settings::default();
    settings.panels.bottom = true;
    App::new(
        Document::new(session, view, None),
        settings,
        None,
        Jobs::new(Dialogs::BuiltIn),
    )
}

/// A screen without a window.
struct Screen {
    ctx: Context,
    frame: usize,
}

impl Screen {
    /// A screen that shows what it will show, and has settled.
    fn new(show: &mut dyn FnMut(&mut egui::Ui)) -> Self {
        let ctx = Context::default();
        App::prepare(&ctx);
        ctx.set_theme(Theme::Light);
        let mut screen = Self { ctx, frame: 0 };
        for _ in 0..5 {
            screen.frame(Vec::new(), show);
        }
        screen
    }

    /// Shows a frame; how long it took.
    fn frame(&mut self, events: Vec<Event>, show: &mut dyn FnMut(&mut egui::Ui)) -> Duration {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            time: Some(self.frame as f64 / 60.0),
            events,
            ..RawInput::default()
        };
        self.frame += 1;
        let watch = Stopwatch::start();
        let mut output = self.ctx.run_ui(input, show);
        let shapes = std::mem::take(&mut output.shapes);
        drop(self.ctx.tessellate(shapes, 1.0));
        let time = watch.elapsed();
        output.drop_without_applying_deltas();
        time
    }
}

/// What the hand does in the n-th frame.
type Hand = dyn Fn(usize) -> Vec<Event>;

/// The median of a frame, in s.
fn frames(
    criterion: &mut Criterion,
    name: &str,
    hand: &Hand,
    show: &mut dyn FnMut(&mut egui::Ui),
) -> Option<f64> {
    let mut screen = Screen::new(show);
    let mut n = 0;
    common::timed(criterion, name, |count| {
        let mut next = || {
            n += 1;
            screen.frame(hand(n - 1), show)
        };
        (0..count).map(|_| next()).sum()
    })
}

/// The hand holds the chart and moves it to and fro.
fn pans(at: Pos2) -> impl Fn(usize) -> Vec<Event> {
    move |n| {
        let moved = at + vec2((n % 30) as f32 * 3.0 - 45.0, (n % 20) as f32 * 2.0 - 20.0);
        let button = |pressed| Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        match n {
            0 => vec![Event::PointerMoved(at), button(true)],
            _ => vec![Event::PointerMoved(moved)],
        }
    }
}

/// The pointer goes over the chart.
fn hovers(at: Pos2) -> impl Fn(usize) -> Vec<Event> {
    move |n| {
        vec![Event::PointerMoved(
            at + vec2((n % 30) as f32 * 3.0, (n % 20) as f32 * 2.0),
        )]
    }
}

/// The wheel turns over the table.
fn scrolls(n: usize) -> Vec<Event> {
    let wheel = Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: vec2(0.0, -40.0),
        phase: TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    };
    vec![
        Event::PointerMoved(pos2(700.0, 820.0 + (n % 2) as f32)),
        wheel,
    ]
}

/// Bare egui_plot with the same points in the same view.
fn bare(points: &[PlotPoint], limits: Limits, hover: bool) -> impl FnMut(&mut egui::Ui) {
    let mut first = true;
    move |ui| {
        Plot::new("bare").show(ui, |plot| {
            if std::mem::take(&mut first) {
                plot.set_plot_bounds_x(limits.x[0]..=limits.x[1]);
                plot.set_plot_bounds_y(limits.y[0]..=limits.y[1]);
            }
            plot.points(
                Points::new("kernels", PlotPoints::Borrowed(points))
                    .radius(3.0)
                    .allow_hover(hover),
            );
        });
    }
}

fn main() {
    let mut criterion = common::criterion();
    let criterion = &mut criterion;
    let at = pos2(620.0, 300.0);
    let hands: [(&str, Box<Hand>); 2] = [
        ("panning", Box::new(pans(at))),
        ("hovering", Box::new(hovers(at))),
    ];
    let mut ratios = Vec::new();
    for count in [100_000, 1_000_000] {
        // About 19,000 in view.
        let part = (19_000.0 / count as f64).sqrt();
        let near = Limits {
            x: [0.0, 6.0 * part],
            y: [11.0, 11.0 + 4.0 * part],
        };
        let points: Vec<PlotPoint> = (0..count).map(|n| place(n).into()).collect();
        for (how, hand) in &hands {
            let mut plot = bare(&points, WHOLE, *how == "hovering");
            let name = format!("{count} points, bare egui_plot, {how}");
            let theirs = frames(criterion, &name, hand, &mut plot);
            for (what, limits) in [("all in view", WHOLE), ("19,000 in view", near)] {
                let mut app = window(count, limits);
                let name = format!("{count} kernels, {what}, {how}");
                let ours = frames(criterion, &name, hand, &mut |ui| app.show(ui));
                ratios.push((name, ours, "bare egui_plot", theirs));
            }
        }
    }
    let mut few = None;
    for count in [10, 1000, 100_000] {
        let mut app = window(count, WHOLE);
        let name = format!("a table of {count} kernels, scrolling");
        let time = frames(criterion, &name, &scrolls, &mut |ui| app.show(ui));
        few = few.or(time);
        ratios.push((name, time, "a table of 10", few));
    }
    for (name, time, other, yardstick) in ratios {
        common::ratio(&name, time, other, yardstick);
    }
}
