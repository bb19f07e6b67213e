//! What lies over the chart for those who are new: three lines until they are closed, or what to do where nothing is shown.
use super::command::Command;
use super::request::{Request, Requests};
use super::widgets::{empty, roles};
use crate::chart::style;
use crate::document::Document;
use crate::files::presets;
use egui::{
    Align2, Button, Frame, Layout, Link, Margin, Rect, RichText, Stroke, Ui, UiBuilder, vec2,
};

const LINES: [&str; 3] = [
    "New to rooflines? “Ovens or flour”: 5 minutes.",
    "Drag marks and roofs, or type over any number.",
    "Ctrl+Z undoes, Ctrl+K finds all, F1 lists keys.",
];

/// How far the hints stay from the corner of the frame, and what stands beside their lines.
const BESIDE: f32 = 26.0;
const LINE: f32 = 20.0;
const CORNER: egui::Vec2 = vec2(8.0, 27.0);

/// As wide as the longest line, which then need not break.
fn size(ui: &Ui) -> egui::Vec2 {
    let width = |text: &str| {
        let text = text.to_owned();
        let galley = ui
            .painter()
            .layout_no_wrap(text, style::small(), egui::Color32::WHITE);
        galley.size().x
    };
    let longest = LINES.iter().map(|text| width(text)).fold(0.0, f32::max);
    vec2(
        longest.ceil() + BESIDE + 24.0,
        LINES.len() as f32 * LINE + 20.0,
    )
}

/// What the hints take of the upper left corner of the chart.
pub(super) fn room(ui: &Ui) -> egui::Vec2 {
    CORNER + size(ui)
}

/// Shows the hints at the upper left of the frame, where no roof is.
pub(super) fn hints(ui: &mut Ui, frame: Rect, requests: &mut Requests) {
    let width = size(ui).x.min(frame.width() * 0.6);
    if width < 160.0 || frame.height() < 220.0 {
        return;
    }
    let area = Rect::from_min_size(frame.min + CORNER, vec2(width, frame.height() * 0.5));
    let mut ui = ui.new_child(UiBuilder::new().max_rect(area));
    let roles = roles(&ui);
    Frame::new()
        .fill(roles.panel)
        .stroke(Stroke::new(1.0, roles.line))
        .corner_radius(6.0)
        .inner_margin(Margin::symmetric(10, 8))
        .show(&mut ui, |ui| {
            ui.set_width(ui.available_width());
            ui.horizontal_top(|ui| {
                let text = ui.available_width() - BESIDE;
                ui.allocate_ui_with_layout(vec2(text, 0.0), Layout::default(), |ui| {
                    // The first lesson is a click away.
                    let [lesson, lines @ ..] = LINES;
                    let first = Link::new(RichText::new(lesson).small());
                    if ui.add(first).clicked() {
                        let id = presets::lessons()[0].id;
                        requests.push(Request::OpenExample(id.to_owned()));
                    }
                    for line in lines {
                        let line = RichText::new(line).small().color(roles.muted);
                        ui.add(egui::Label::new(line).wrap());
                    }
                });
                let close = ui.add(Button::new("×").frame_when_inactive(false));
                close.widget_info(|| {
                    egui::WidgetInfo::labeled(egui::Role::Button, true, "Close hints")
                });
                let close = close.on_hover_text("Help, Show hints brings them back");
                if close.clicked() {
                    requests.push(Request::DismissHints);
                }
            });
        });
}

/// Says in the middle of an empty chart what to do next.
pub(super) fn nothing_yet(ui: &mut Ui, frame: Rect, document: &Document, requests: &mut Requests) {
    let session = &document.session;
    let (text, commands): (_, &[Command]) = match (session.gpus.len(), session.workloads.len()) {
        (0, _) => (
            "A chart begins with a GPU: its peak and its bandwidth are the roofs.",
            &[Command::AddGpu, Command::Palette],
        ),
        (_, 0) if session.profiles.is_empty() => (
            "Now something to run: Add… at the right has over twenty kinds of workload, and a profiler's file brings measured kernels.",
            &[Command::AddModel, Command::ImportKernels],
        ),
        _ => return,
    };
    let size = vec2(380.0_f32.min(frame.width() - 20.0), 90.0);
    let area = Align2::CENTER_CENTER.align_size_within_rect(size, frame);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(area));
    empty(&mut ui, text, commands, requests);
}
