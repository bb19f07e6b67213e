//! Figures as files: what their text says, that they are the same each time, and how the command refuses.
use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Pos2, Stroke, Theme, vec2};
use ridgepoint::app::App;
use ridgepoint::chart::style;
use ridgepoint::figure::{offscreen, svg};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const EXAMPLE: &str = "@8b-decode-on-h100";

/// A program without any display.
fn ridgepoint(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ridgepoint"))
        .args(arguments)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap()
}

fn draw(folder: &Path, command: &str, session: &str, name: &str, more: &[&str]) -> PathBuf {
    let path = folder.join(name);
    let mut arguments = vec![command, session, "-o", path.to_str().unwrap()];
    arguments.extend(more);
    let output = ridgepoint(&arguments);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    path
}

/// The words of an SVG, in the order they are painted.
fn words(path: &Path) -> Vec<String> {
    let svg = std::fs::read_to_string(path).unwrap();
    let texts = svg.split("<text").skip(1);
    let text = |chunk: &str| {
        let chunk = chunk.split("</text>").next().unwrap();
        let start = chunk.find('>').unwrap() + 1;
        chunk[start..]
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&")
    };
    texts.map(text).collect()
}

#[track_caller]
fn says(words: &[String], wanted: &str) {
    let all = words.join("");
    assert!(all.contains(wanted), "{wanted:?} is not in {words:?}");
}

#[test]
fn a_figure_says_in_text_what_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    let words = words(&draw(folder.path(), "figure", EXAMPLE, "a.svg", &[]));
    for wanted in [
        "8B decode on H100",
        "H100 (rounded) · FP16 matrix 990 TFLOP/s",
        "DRAM 3.35 TB/s",
        "ridge 295.5",
        "8B decode step",
        "memory-bound: move fewer bytes",
        "compute-bound: cheaper arithmetic",
        "Arithmetic intensity (FLOP/B)",
        "Performance (FLOP/s)",
        "100 T",
        "dense peaks · theoretical · full overlap · FP16 matrix on DRAM",
    ] {
        says(&words, wanted);
    }
}

#[test]
fn the_same_session_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["svg", "png"] {
        let once = draw(folder.path(), "figure", EXAMPLE, &format!("a.{name}"), &[]);
        let twice = draw(folder.path(), "figure", EXAMPLE, &format!("b.{name}"), &[]);
        assert_eq!(
            std::fs::read(once).unwrap(),
            std::fs::read(twice).unwrap(),
            "{name}"
        );
    }
}

#[test]
fn a_png_has_the_size_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for command in ["figure", "screenshot"] {
        let more = ["--size", "900x600", "--theme", "dark"];
        let path = draw(folder.path(), command, EXAMPLE, "a.png", &more);
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
        let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!([side(16), side(20)], [900, 600], "{command}");
    }
}

#[test]
fn a_crowd_is_drawn_and_named_where_names_fit() {
    let folder = tempfile::tempdir().unwrap();
    let crowd = (0..40).map(|i| {
        let traffic = 10.0 + f64::from(i) * 0.5;
        format!("Workload(name: \"kernel number {i}\", kind: Raw(work: \"1 TFLOP\", traffic: \"{traffic} GB\")),\n")
    });
    let gpu = "Gpu(name: \"G\", compute: [Compute(path: \"FP16 matrix\", peak: \"990 TFLOP/s\")], \
               memory: [Memory(level: DRAM, bandwidth: \"3.35 TB/s\")])";
    let text = format!(
        "Session(version: 1, gpus: [{gpu}], workloads: [{}])",
        crowd.collect::<String>()
    );
    let session = folder.path().join("crowd.ron");
    std::fs::write(&session, text).unwrap();
    let path = draw(
        folder.path(),
        "figure",
        session.to_str().unwrap(),
        "crowd.svg",
        &[],
    );
    let words = words(&path);
    let named = words
        .iter()
        .filter(|word| word.starts_with("kernel number"))
        .count();
    assert!((1..=40).contains(&named), "{named}");
}

#[test]
fn every_level_and_normalised_axes_can_be_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let session = |view: &str| {
        format!(
            "Session(version: 1, gpus: [Gpu(name: \"G\", \
             compute: [Compute(path: \"FP16 matrix\", peak: \"1 PFLOP/s\")], \
             memory: [Memory(level: DRAM, bandwidth: \"2 TB/s\"), Memory(level: L2, bandwidth: \"8 TB/s\")])], \
             workloads: [Workload(name: \"W\", kind: Raw(work: \"1 TFLOP\", traffic: \"10 GB\", traffic_l2: \"90 GB\"))], \
             view: View({view}))"
        )
    };
    let draw_view = |name: &str, view: &str| {
        let file = folder.path().join(format!("{name}.ron"));
        std::fs::write(&file, session(view)).unwrap();
        words(&draw(
            folder.path(),
            "figure",
            file.to_str().unwrap(),
            &format!("{name}.svg"),
            &[],
        ))
    };
    let all = draw_view("all", "levels: \"all\"");
    says(&all, "L2 8 TB/s");
    says(&all, "on all levels");
    let l2 = draw_view("l2", "levels: \"L2\"");
    says(&l2, "L2 8 TB/s");
    assert!(!l2.join("").contains("DRAM 2 TB/s"));
    let normalised = draw_view("normalised", "normalised: true");
    says(&normalised, "Intensity ÷ ridge");
    says(&normalised, "Share of the compute roof");
}

#[test]
fn what_cannot_be_drawn_is_refused_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.svg");
    let path = path.to_str().unwrap();
    let cases: [(&[&str], i32, &str); 5] = [
        (&["figure", EXAMPLE, "-o", "a.pdf"], 2, ".svg or .png"),
        (
            &["figure", EXAMPLE, "-o", path, "--size", "big"],
            2,
            "1600x1000",
        ),
        (
            &["figure", EXAMPLE, "-o", path, "--theme", "pink"],
            2,
            "light or dark",
        ),
        (&["figure", "@nothing", "-o", path], 1, "nothing"),
        (
            &["figure", EXAMPLE, "-o", "/nowhere/at/all.svg"],
            1,
            "/nowhere/at",
        ),
    ];
    for (arguments, code, wanted) in cases {
        let output = ridgepoint(arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        assert!(told.contains(wanted), "{arguments:?}: {told}");
    }
}

/// A ligature is one glyph, and three letters to a reader, wherever it lies between pixels.
#[test]
fn no_letter_of_a_ligature_is_lost() {
    let size = vec2(400.0, 40.0);
    for step in 0..60 {
        let font = FontId::new(10.0 + step as f32 * 0.21, style::body().family);
        let shapes = offscreen::shapes(size, Theme::Light, 1, App::prepare, |ui| {
            let mut job = LayoutJob::default();
            let plain = TextFormat::simple(font.clone(), Color32::BLACK);
            let marked = TextFormat {
                underline: Stroke::new(1.0, Color32::GRAY),
                ..plain.clone()
            };
            job.append("its ", 0.0, plain.clone());
            job.append("traffic", 0.0, marked);
            job.append(" of traffic", 0.0, plain);
            let galley = ui.painter().layout_job(job);
            ui.painter()
                .galley(Pos2::new(5.0, 5.0), galley, Color32::BLACK);
        });
        let svg = svg::from_shapes(&shapes, size, Color32::WHITE);
        assert_eq!(svg.matches("traffic").count(), 2, "{font:?}: {svg}");
    }
}
