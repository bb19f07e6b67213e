//! A row of the palette: the name with its matched letters, a few words, the keys.
use super::matching::Found;
use crate::chart::style::size;
use crate::chart::{fonts, style};
use crate::ui::widgets::roles;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Color32, FontId, Response, Role, Sense, Ui, WidgetInfo, vec2};

/// A row's height.
const HEIGHT: f32 = 28.0;

/// Shows a row; `here` is the one that Enter takes.
pub(super) fn row(ui: &mut Ui, found: &Found<'_>, here: bool) -> Response {
    let roles = roles(ui);
    let item = found.item;
    let size = vec2(ui.available_width() - 8.0, HEIGHT);
    // The search field keeps the keyboard: arrow keys lead here, Tab does not.
    let (rect, response) = ui.allocate_exact_size(size, Sense::CLICK);
    let usable = item.unavailable.is_none();
    let told = match item.unavailable {
        Some(why) => format!("{}: not now, {why}", item.name),
        None => item.name.clone(),
    };
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, usable, here, &told));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let fill = match (here, response.hovered()) {
        (true, _) => roles.selection,
        (false, true) => roles.line.gamma_multiply(0.45),
        (false, false) => Color32::TRANSPARENT,
    };
    let painter = ui.painter();
    painter.rect_filled(rect, 5.0, fill);
    let keys = item.keys.map(|keys| ui.ctx().format_shortcut(&keys));
    let right = keys.as_deref().unwrap_or(item.sort);
    let font = match keys {
        Some(_) => FontId::monospace(size::LABEL),
        None => style::small(),
    };
    let right = painter.layout_no_wrap(right.to_owned(), font, roles.muted);
    let edge = rect.right() - 10.0 - right.size().x;
    let centred = |height: f32| rect.center().y - height / 2.0;
    painter.galley(
        egui::pos2(edge, centred(right.size().y)),
        right,
        roles.muted,
    );

    let ink = if usable { roles.ink } else { roles.muted };
    let name = painter.layout_job(emphasised(&item.name, &found.letters, ink, roles.accent));
    let left = rect.left() + 10.0;
    let about = match item.unavailable {
        Some(why) => format!("not now: {why}"),
        None => item.about.clone(),
    };
    let colour = if usable { roles.muted } else { roles.warning };
    let mut job = LayoutJob::simple_singleline(about, style::small(), colour);
    let from = left + name.size().x + 12.0;
    job.wrap = TextWrapping::truncate_at_width((edge - 16.0 - from).max(0.0));
    painter.galley(egui::pos2(left, centred(name.size().y)), name, ink);
    if job.wrap.max_width > 24.0 {
        let about = painter.layout_job(job);
        painter.galley(egui::pos2(from, centred(about.size().y)), about, colour);
    }
    response
}

/// The name, its matched letters bold and coloured.
fn emphasised(name: &str, letters: &[u32], ink: Color32, accent: Color32) -> LayoutJob {
    let mut job = LayoutJob::default();
    job.wrap.max_rows = 1;
    let plain = TextFormat::simple(style::body(), ink);
    let bold = TextFormat::simple(FontId::new(style::body().size, fonts::bold()), accent);
    let mut buffer = [0; 4];
    for (index, letter) in name.chars().enumerate() {
        let matched = u32::try_from(index).is_ok_and(|index| letters.binary_search(&index).is_ok());
        let format = if matched { &bold } else { &plain };
        job.append(letter.encode_utf8(&mut buffer), 0.0, format.clone());
    }
    job
}
