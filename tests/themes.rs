//! Colours by role: contrast by WCAG 2.2, and GPUs that stay apart for every eye and in print.
use egui::Color32;
use ridgepoint::chart::style::{DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, Style, dashes};

const THEMES: [(&str, &Style, bool); 4] = [
    ("light", &LIGHT, false),
    ("dark", &DARK, false),
    ("light, high contrast", &LIGHT_CONTRAST, true),
    ("dark, high contrast", &DARK_CONTRAST, true),
];

/// A channel as light: the transfer function of sRGB (IEC 61966-2-1).
fn linear(channel: u8) -> f64 {
    let c = f64::from(channel) / 255.0;
    if c <= 0.04045 {
        c / 12.92
    } else {
        ((c + 0.055) / 1.055).powf(2.4)
    }
}

fn light(colour: Color32) -> [f64; 3] {
    [colour.r(), colour.g(), colour.b()].map(linear)
}

/// Relative luminance, WCAG 2.2.
fn luminance(colour: Color32) -> f64 {
    let [r, g, b] = light(colour);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// Contrast ratio, WCAG 2.2: 1 to 21.
fn contrast(a: Color32, b: Color32) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn the_measure_is_that_of_wcag() {
    assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 1e-9);
    // #767676 on white is the known edge of 4.5:1.
    let grey = |v| Color32::from_rgb(v, v, v);
    assert!(contrast(grey(0x76), Color32::WHITE) >= 4.5);
    assert!(contrast(grey(0x77), Color32::WHITE) < 4.5);
}

#[test]
fn text_of_every_role_is_readable_on_every_ground() {
    for (name, style, strong) in THEMES {
        let least = if strong { 6.0 } else { 4.5 };
        let text = [
            ("ink", style.ink),
            ("muted", style.muted),
            ("accent", style.accent),
            ("memory", style.memory),
            ("compute", style.compute),
            ("latency", style.latency),
            ("good", style.good),
            ("warning", style.warning),
        ];
        let grounds = [
            ("ground", style.ground),
            ("panel", style.panel),
            ("field", style.field),
            ("selection", style.selection),
        ];
        for (role, colour) in text {
            for (on, ground) in grounds {
                let ratio = contrast(colour, ground);
                assert!(ratio >= least, "{name}: {role} on {on} is {ratio:.2}:1");
            }
        }
        // Names of GPUs stand on the chart's ground, over its regimes, in panels and in chosen rows.
        for (index, colour) in style.gpu_texts.iter().enumerate() {
            let [memory, compute] = regimes(style);
            for ground in [style.ground, style.panel, style.selection, memory, compute] {
                let ratio = contrast(*colour, ground);
                assert!(
                    ratio >= least,
                    "{name}: text of GPU {index} is {ratio:.2}:1"
                );
            }
        }
    }
}

/// The grounds of the chart's two regimes: their fill as it lies over the ground.
fn regimes(style: &Style) -> [Color32; 2] {
    [style.memory, style.compute].map(|colour| style.ground.blend(style.shaded(colour)))
}

#[test]
fn text_and_marks_are_readable_over_the_regimes() {
    for (name, style, strong) in THEMES {
        let least = if strong { 6.0 } else { 4.5 };
        for ground in regimes(style) {
            assert_ne!(ground, style.ground, "{name}: the regime is not filled");
            let text = [
                style.ink,
                style.muted,
                style.accent,
                style.memory,
                style.compute,
                style.latency,
                style.good,
                style.warning,
            ];
            for colour in text {
                let ratio = contrast(colour, ground);
                assert!(
                    ratio >= least,
                    "{name}: {colour:?} on {ground:?}: {ratio:.2}:1"
                );
            }
            for colour in style.gpus {
                let ratio = contrast(colour, ground);
                assert!(ratio >= 3.0, "{name}: line {colour:?}: {ratio:.2}:1");
            }
        }
    }
}

#[test]
fn marks_of_every_role_are_seen_on_every_ground() {
    for (name, style, strong) in THEMES {
        let least = if strong { 4.4 } else { 3.0 };
        let mut marks = vec![("faint", style.faint), ("accent", style.accent)];
        marks.extend(style.gpus.iter().map(|colour| ("a GPU's line", *colour)));
        // With high contrast the borders of fields carry meaning too; without it they are decoration.
        marks.extend(strong.then_some(("line", style.line)));
        for (role, colour) in marks {
            for ground in [style.ground, style.panel] {
                let ratio = contrast(colour, ground);
                assert!(ratio >= least, "{name}: {role} is {ratio:.2}:1");
            }
        }
    }
}

/// What the dichromat sees, in linear light: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-based
/// Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009, severity 1.
const PROTANOPIA: [[f64; 3]; 3] = [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
];
const DEUTERANOPIA: [[f64; 3]; 3] = [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.011820, 0.042940, 0.968881],
];
const ALL_CONES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn times(matrix: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

/// CIE L*a*b* of linear sRGB, white D65.
fn lab(linear: [f64; 3]) -> [f64; 3] {
    const TO_XYZ: [[f64; 3]; 3] = [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ];
    let f = |t: f64| {
        if t > 0.008856 {
            t.cbrt()
        } else {
            7.787 * t + 16.0 / 116.0
        }
    };
    let [x, y, z] = times(TO_XYZ, linear);
    let [x, y, z] = [f(x / 0.95047), f(y), f(z / 1.08883)];
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// The distance of two colours as an eye sees them (CIE 1976; 2.3 is just noticeable).
fn distance(a: Color32, b: Color32, eye: [[f64; 3]; 3]) -> f64 {
    let seen = |colour| lab(times(eye, light(colour)).map(|c| c.clamp(0.0, 1.0)));
    let (a, b) = (seen(a), seen(b));
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

/// How far apart two GPUs' colours must be for every eye: four just noticeable differences.
const APART: f64 = 9.5;

#[test]
fn gpus_and_regimes_stay_apart_for_every_eye() {
    let eyes = [
        ("all", ALL_CONES),
        ("protanopia", PROTANOPIA),
        ("deuteranopia", DEUTERANOPIA),
    ];
    for (name, style, _) in THEMES {
        for (eye, cones) in eyes {
            for i in 0..style.gpus.len() {
                for j in i + 1..style.gpus.len() {
                    let apart = distance(style.gpus[i], style.gpus[j], cones);
                    assert!(
                        apart >= APART,
                        "{name}, {eye}: GPUs {i} and {j} are {apart:.1} apart"
                    );
                }
            }
            for (regime, colour) in [("memory", style.memory), ("compute", style.compute)] {
                let apart = distance(style.latency, colour, cones);
                assert!(
                    apart >= APART,
                    "{name}, {eye}: latency and {regime} are {apart:.1} apart"
                );
            }
            let apart = distance(style.memory, style.compute, cones);
            assert!(
                apart >= 4.0 * APART,
                "{name}, {eye}: the regimes are {apart:.1} apart"
            );
        }
    }
}

#[test]
fn in_grey_print_every_gpu_has_a_line_of_its_own() {
    // Six colours of like lightness cannot stay apart in grey, so the dashes must: 42 GPUs before one repeats.
    for i in 0..7 {
        for j in i + 1..7 {
            assert_ne!(dashes(i), dashes(j), "{i} and {j}");
        }
    }
    assert!(dashes(0).is_empty(), "the first is solid");
    for index in 1..7 {
        let pattern = dashes(index);
        assert!(pattern.len().is_multiple_of(2) && pattern.iter().all(|part| *part >= 2.0));
    }
}
