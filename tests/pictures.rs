//! The whole window in ten states, light and dark, in two sizes, drawn without a display and compared with small pictures.
//!
//! After a wanted change of the look: `LOOK=/tmp/look cargo test --test pictures` draws every state at its full size
//! to be looked at, and `RENEW=1 cargo test --test pictures` keeps them small.
use egui::{Theme as EguiTheme, Vec2, vec2};
use resvg::tiny_skia::Pixmap;
use ridgepoint::app::{App, Dialogs, Jobs};
use ridgepoint::document::Document;
use ridgepoint::figure::{offscreen, png, svg};
use ridgepoint::files::presets;
use ridgepoint::files::settings::{Settings, Theme};
use ridgepoint::model::session::Session;
use ridgepoint::model::view::View;
use ridgepoint::ui::dialogs::picker;
use ridgepoint::ui::palette;
use ridgepoint::ui::state::{Dialog, Tab, Then};
use std::path::{Path, PathBuf};

/// Width of a kept picture in pixels: enough for panels, dialogs and the shape of the chart, too little for letters.
const WIDTH: f32 = 80.0;
/// Cells that pictures are compared in, across and down.
const CELLS: [u32; 2] = [10, 8];
/// By how much the mean of a cell may differ, of 255, in any colour: hinting and a moved label stay below it.
const TOLERANCE: f64 = 7.0;

const SIZES: [Vec2; 2] = [vec2(1280.0, 800.0), vec2(2560.0, 1440.0)];

/// A state of the window: its name, the session, and what is done to it.
type State = (&'static str, &'static str, fn(&mut App));

const STATES: [State; 10] = [
    ("hints", "@8b-decode-on-h100", |app| {
        app.settings.hints = true
    }),
    ("empty", "", |_| {}),
    ("compare", "@compare-three-gpus", |app| {
        app.document.view.compare = true;
        app.state.tab = Tab::Compare;
    }),
    ("operators", "@serve-llama-3-1", |app| {
        app.state.tab = Tab::Operators
    }),
    ("palette", "@compare-three-gpus", |app| {
        palette::open(
            &mut app.state,
            &app.document,
            &app.settings,
            false,
            Vec::new(),
        );
        if let Some(Dialog::Palette(palette)) = &mut app.state.dialog {
            palette.query = "decode".to_owned();
        }
    }),
    ("keys", "@8b-decode-on-h100", |app| {
        app.state.dialog = Some(Dialog::Keys(String::new()));
    }),
    ("picker", "@8b-decode-on-h100", |app| {
        picker::open(&mut app.state, Vec::new());
    }),
    ("contrast", "@compare-three-gpus", |app| {
        app.settings.contrast = true
    }),
    ("chart-alone", "@compare-three-gpus", |app| {
        app.document.view.normalised = true;
        app.settings.panels.left = false;
        app.settings.panels.right = false;
        app.settings.panels.bottom = false;
    }),
    ("question", "@8b-decode-on-h100", |app| {
        app.state.dialog = Some(Dialog::Unsaved { then: Then::Close });
        app.state.complain("The file is gone: open another.");
    }),
];

/// Draws the window without a display, as SVG.
fn draw(session: &str, prepare: fn(&mut App), theme: EguiTheme, size: Vec2) -> String {
    let (session, view) = match session {
        "" => {
            let session = Session::empty("Untitled");
            let view = View::of(&session);
            (session, view)
        }
        name => {
            let (_, loaded) = presets::find_session(name).unwrap();
            (loaded.session, loaded.view)
        }
    };
    let settings = Settings {
        theme: match theme {
            EguiTheme::Light => Theme::Light,
            EguiTheme::Dark => Theme::Dark,
        },
        hints: false,
        ..Settings::default()
    };
    let document = Document::new(session, view, None);
    let mut app = App::new(document, settings, None, Jobs::new(Dialogs::BuiltIn));
    prepare(&mut app);
    let shapes = offscreen::shapes(size, theme, 4, App::prepare, |ui| app.show(ui));
    svg::from_shapes(&shapes, size, App::ground(theme))
}

/// The same as a picture as wide as [`WIDTH`].
fn small(session: &str, prepare: fn(&mut App), theme: EguiTheme, size: Vec2) -> Vec<u8> {
    let svg = draw(session, prepare, theme, size);
    png::from_svg(&svg, WIDTH / size.x).unwrap()
}

/// The mean colour of each cell, rows from the top.
fn cells(picture: &[u8]) -> Vec<[f64; 3]> {
    let picture = Pixmap::decode_png(picture).unwrap();
    let (width, height) = (picture.width(), picture.height());
    let mut cells = Vec::new();
    for row in 0..CELLS[1] {
        for column in 0..CELLS[0] {
            let across = column * width / CELLS[0]..(column + 1) * width / CELLS[0];
            let down = row * height / CELLS[1]..(row + 1) * height / CELLS[1];
            let pixels = down.flat_map(|y| across.clone().map(move |x| (x, y)));
            let pixels: Vec<_> = pixels.filter_map(|(x, y)| picture.pixel(x, y)).collect();
            let mean = |channel: fn(&resvg::tiny_skia::PremultipliedColorU8) -> u8| {
                pixels.iter().map(|p| f64::from(channel(p))).sum::<f64>() / pixels.len() as f64
            };
            cells.push([mean(|p| p.red()), mean(|p| p.green()), mean(|p| p.blue())]);
        }
    }
    cells
}

/// The largest difference of a cell, and which one: its column and row.
fn difference(a: &[u8], b: &[u8]) -> (f64, [usize; 2]) {
    let (a, b) = (cells(a), cells(b));
    let far = |(a, b): (&[f64; 3], &[f64; 3])| {
        let apart = (0..3).map(|i| (a[i] - b[i]).abs());
        apart.fold(0.0, f64::max)
    };
    let all = a.iter().zip(&b).map(far).enumerate();
    let (at, most) = all.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    let columns = CELLS[0] as usize;
    (most, [at % columns, at / columns])
}

fn kept(name: &str, theme: EguiTheme, size: Vec2) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pictures");
    let theme = if theme == EguiTheme::Dark {
        "dark"
    } else {
        "light"
    };
    folder.join(format!("{name}-{theme}-{}.png", size.x))
}

/// Compares one size and theme of every state.
fn compare(theme: EguiTheme, size: Vec2) {
    let mut wrong = Vec::new();
    for (name, session, prepare) in STATES {
        let drawn = small(session, prepare, theme, size);
        let path = kept(name, theme, size);
        if std::env::var_os("RENEW").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &drawn).unwrap();
        }
        if let Some(folder) = std::env::var_os("LOOK") {
            std::fs::create_dir_all(&folder).unwrap();
            let large = png::from_svg(&draw(session, prepare, theme, size), 1.0).unwrap();
            std::fs::write(Path::new(&folder).join(path.file_name().unwrap()), large).unwrap();
        }
        let kept = std::fs::read(&path).expect("a picture is missing: see the head of this test");
        let (most, [column, row]) = difference(&drawn, &kept);
        if most > TOLERANCE {
            let file = path.file_name().unwrap().to_string_lossy();
            wrong.push(format!("{file}: cell {column}, {row} differs by {most:.1}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "see the head of this test\n{}",
        wrong.join("\n")
    );
}

#[test]
fn light_1280() {
    compare(EguiTheme::Light, SIZES[0]);
}

#[test]
fn dark_1280() {
    compare(EguiTheme::Dark, SIZES[0]);
}

#[test]
fn light_2560() {
    compare(EguiTheme::Light, SIZES[1]);
}

#[test]
fn dark_2560() {
    compare(EguiTheme::Dark, SIZES[1]);
}

#[test]
fn a_missing_panel_is_seen_and_so_is_another_theme() {
    let base = |app: &mut App| app.settings.contrast = false;
    let whole = |theme| small("@compare-three-gpus", base, theme, SIZES[0]);
    let missing: [fn(&mut App); 3] = [
        |app| app.settings.panels.left = false,
        |app| app.settings.panels.right = false,
        |app| app.settings.panels.bottom = false,
    ];
    for theme in [EguiTheme::Light, EguiTheme::Dark] {
        let whole = whole(theme);
        for (index, without) in missing.into_iter().enumerate() {
            let (most, _) = difference(
                &whole,
                &small("@compare-three-gpus", without, theme, SIZES[0]),
            );
            assert!(most > TOLERANCE, "without panel {index}: {most:.1}");
        }
        let (most, _) = difference(
            &whole,
            &small("@compare-three-gpus", STATES[7].2, theme, SIZES[0]),
        );
        assert!(most > TOLERANCE / 2.0, "high contrast: {most:.1}");
    }
}
