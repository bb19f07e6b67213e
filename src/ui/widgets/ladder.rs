//! The ladder: a bar per term; the longest is the time, the next is where a fix stops paying.
use super::roles;
use crate::chart::labels::shortened;
use crate::chart::style::size;
use egui::{Align2, Color32, FontId, Rect, Sense, Ui, pos2, vec2};

/// One bar.
pub struct Bar {
    pub name: String,
    /// In seconds; negative values draw no bar.
    pub length: f64,
    pub text: String,
    pub colour: Color32,
    pub hover: String,
}

/// Shows the bars, the longest as wide as there is room.
pub fn ladder(ui: &mut Ui, bars: &[Bar]) {
    let roles = roles(ui);
    let font = FontId::proportional(size::CONTROL);
    let names: Vec<String> = bars.iter().map(|bar| shortened(&bar.name, 22)).collect();
    // As wide as the longest name, so that bars begin together and names are not cut.
    let width_of = |name: &String| {
        ui.painter()
            .layout_no_wrap(name.clone(), font.clone(), roles.muted)
            .size()
            .x
    };
    let name_width = names.iter().map(width_of).fold(78.0, f32::max) + 12.0;
    let longest = bars.iter().map(|bar| bar.length).fold(0.0, f64::max);
    for (bar, name) in bars.iter().zip(&names) {
        let size = vec2(ui.available_width(), 20.0);
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        response.widget_info(|| {
            let text = format!("{}: {}", bar.name, bar.text);
            egui::WidgetInfo::labeled(egui::Role::Label, true, text)
        });
        let painter = ui.painter();
        painter.text(
            rect.left_center(),
            Align2::LEFT_CENTER,
            name,
            font.clone(),
            roles.muted,
        );
        painter.text(
            rect.right_center(),
            Align2::RIGHT_CENTER,
            &bar.text,
            font.clone(),
            roles.ink,
        );
        let (left, right) = (rect.left() + name_width, rect.right() - 70.0);
        let part = if longest > 0.0 {
            (bar.length / longest).max(0.0)
        } else {
            0.0
        };
        let width = ((right - left) * part as f32).max(2.0);
        let y = rect.center().y;
        let area = Rect::from_min_max(pos2(left, y - 4.5), pos2(left + width, y + 4.5));
        painter.rect_filled(area, 2.0, bar.colour);
        if !bar.hover.is_empty() {
            response.on_hover_text(&bar.hover);
        }
    }
}
