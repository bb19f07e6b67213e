//! A row of a list: icon, name, and a word or chip at its right.
use super::roles;
use crate::chart::style;
use crate::chart::style::size;
use egui::{
    Color32, FontId, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2,
};

/// What stands at the right of a row.
pub enum Tail<'a> {
    Word(&'a str),
    Chip(&'a str, Color32),
}

/// A row's height.
const HEIGHT: f32 = 28.0;

/// Shows a row; `icon` is painted about the given place.
pub fn list_row(
    ui: &mut Ui,
    selected: bool,
    faded: bool,
    name: &str,
    tail: &Tail<'_>,
    icon: impl FnOnce(&egui::Painter, Pos2),
) -> Response {
    let roles = roles(ui);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, selected, name));
    let hovered = response.hovered();
    let fill = match (selected, hovered) {
        (true, _) => roles.selection,
        (false, true) => roles.line.gamma_multiply(0.45),
        (false, false) => Color32::TRANSPARENT,
    };
    let painter = ui.painter();
    painter.rect_filled(rect, 5.0, fill);
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    icon(painter, rect.left_center() + vec2(20.0, 0.0));
    let right = paint_tail(ui, rect, tail, roles.muted);
    let ink = if faded { roles.muted } else { roles.ink };
    let room = right - rect.left() - 46.0;
    let mut job = egui::text::LayoutJob::simple_singleline(name.to_owned(), style::body(), ink);
    job.wrap = egui::text::TextWrapping::truncate_at_width(room.max(20.0));
    let galley = ui.painter().layout_job(job);
    let cut = galley.elided;
    let at = rect.left_center() + vec2(40.0, -galley.size().y / 2.0);
    ui.painter().galley(at, galley, ink);
    if cut {
        response.on_hover_text(name)
    } else {
        response
    }
}

/// Paints what stands at the right and returns its left edge.
fn paint_tail(ui: &Ui, row: Rect, tail: &Tail<'_>, muted: Color32) -> f32 {
    let (text, colour, pad) = match tail {
        Tail::Word(text) => (*text, muted, 0.0),
        Tail::Chip(text, colour) => (*text, *colour, 8.0),
    };
    let galley =
        ui.painter()
            .layout_no_wrap(text.to_owned(), FontId::proportional(size::LABEL), colour);
    let size = galley.size();
    let center = row.right_center() - vec2(8.0 + pad + size.x / 2.0, 0.0);
    let area = Rect::from_center_size(center, size);
    if pad > 0.0 {
        let chip = area.expand2(vec2(pad, 2.0));
        ui.painter()
            .rect_stroke(chip, 9.0, Stroke::new(1.0, colour), StrokeKind::Inside);
    }
    ui.painter().galley(area.min, galley, colour);
    area.left() - pad
}
