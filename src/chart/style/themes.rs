//! The themes: what colour each role has.
use super::Style;
use egui::Color32;

const fn hex(c: u32) -> Color32 {
    Color32::from_rgb((c >> 16) as u8, (c >> 8) as u8, c as u8)
}

/// For paper and bright rooms.
pub const LIGHT: Style = Style {
    dark: false,
    ground: hex(0xffffff),
    panel: hex(0xf6f7f9),
    field: hex(0xffffff),
    line: hex(0xd9dde3),
    ink: hex(0x1d2129),
    muted: hex(0x5f6774),
    faint: hex(0x838b97),
    accent: hex(0x0b62c4),
    selection: hex(0xe4eefb),
    memory: hex(0x286aaa),
    compute: hex(0x9f540d),
    latency: hex(0x9c1f63),
    good: hex(0x17774a),
    warning: hex(0xa84a06),
    grid_major: hex(0xe3e6eb),
    grid_minor: hex(0xf1f2f5),
    shade: 20,
    gpus: [
        hex(0x0072B2),
        hex(0xD55E00),
        hex(0x009E73),
        hex(0xC46FA0),
        hex(0x725700),
        hex(0x2F90C8),
    ],
    // The same hues, dark enough to be read.
    gpu_texts: [
        hex(0x006aa6),
        hex(0xb04c00),
        hex(0x00795a),
        hex(0x9c4a79),
        hex(0x6b5200),
        hex(0x1c6c9a),
    ],
};

/// For screens.
pub const DARK: Style = Style {
    dark: true,
    ground: hex(0x15171c),
    panel: hex(0x1b1e25),
    field: hex(0x14161b),
    line: hex(0x333843),
    ink: hex(0xe6e8ec),
    muted: hex(0x9aa3b1),
    faint: hex(0x7b8492),
    accent: hex(0x5aa9ff),
    selection: hex(0x1f3350),
    memory: hex(0x5aa4e6),
    compute: hex(0xf0a04b),
    latency: hex(0xe695bd),
    good: hex(0x4cc38a),
    warning: hex(0xf0b24b),
    grid_major: hex(0x282c36),
    grid_minor: hex(0x1d2027),
    shade: 24,
    gpus: [
        hex(0x56B4E9),
        hex(0xF0863A),
        hex(0x3CC9A0),
        hex(0xE29AC2),
        hex(0xF5D264),
        hex(0xB5DCF7),
    ],
    gpu_texts: [
        hex(0x6cbff0),
        hex(0xf4954f),
        hex(0x4fd3ac),
        hex(0xe9a9cc),
        hex(0xf8da78),
        hex(0xc4e3fa),
    ],
};

/// Light, for eyes and rooms that need more.
pub const LIGHT_CONTRAST: Style = Style {
    dark: false,
    ground: hex(0xffffff),
    panel: hex(0xffffff),
    field: hex(0xffffff),
    line: hex(0x5a626e),
    ink: hex(0x000000),
    muted: hex(0x333a44),
    faint: hex(0x5a626e),
    accent: hex(0x0045a0),
    selection: hex(0xd0e2ff),
    memory: hex(0x0b4a84),
    compute: hex(0x743a00),
    latency: hex(0x6b0f42),
    good: hex(0x00552c),
    warning: hex(0x7d3300),
    grid_major: hex(0xb4bac3),
    grid_minor: hex(0xdfe2e7),
    shade: 26,
    gpus: [
        hex(0x00457A),
        hex(0xB54A00),
        hex(0x007A58),
        hex(0x9A3A78),
        hex(0x553F00),
        hex(0x287AB4),
    ],
    gpu_texts: [
        hex(0x003f70),
        hex(0x8a3800),
        hex(0x00543d),
        hex(0x7d2f62),
        hex(0x4a3700),
        hex(0x14567e),
    ],
};

/// Dark, for eyes and rooms that need more.
pub const DARK_CONTRAST: Style = Style {
    dark: true,
    ground: hex(0x000000),
    panel: hex(0x000000),
    field: hex(0x000000),
    line: hex(0x9aa2ae),
    ink: hex(0xffffff),
    muted: hex(0xd5dae2),
    faint: hex(0xa5adb9),
    accent: hex(0x9bcbff),
    selection: hex(0x0f3a75),
    memory: hex(0x8cc4ff),
    compute: hex(0xffbd70),
    latency: hex(0xffb3da),
    good: hex(0x6fe0aa),
    warning: hex(0xffca66),
    grid_major: hex(0x4a515d),
    grid_minor: hex(0x262b33),
    shade: 34,
    gpus: [
        hex(0x4DB2F0),
        hex(0xFF9340),
        hex(0x48DCB0),
        hex(0xF2A8D2),
        hex(0xFFE070),
        hex(0xC4E6FF),
    ],
    gpu_texts: [
        hex(0x86ccf5),
        hex(0xffae70),
        hex(0x6fe6c2),
        hex(0xf7bfdf),
        hex(0xffe88e),
        hex(0xd4ecff),
    ],
};
