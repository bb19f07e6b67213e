//! Short notices at the foot of the window.
use crate::ui::request::{Request, Requests};
use crate::ui::state::UiState;
use crate::ui::widgets::roles;
use egui::{Button, Frame, Id, RichText, Ui};

/// Seconds a notice that is no error stays.
pub(super) const STAYS: f64 = 5.0;

/// The most notices that are shown one by one; of more, the oldest are counted.
const MOST: usize = 3;

/// Shows the notices, the newest lowest, their feet at the height `above` which nothing is typed.
pub fn toasts(ui: &Ui, above: f32, state: &mut UiState, requests: &mut Requests) {
    if state.toasts.is_empty() {
        return;
    }
    let now = ui.input(|input| input.time);
    for toast in &mut state.toasts {
        toast.since.get_or_insert(now);
    }
    state
        .toasts
        .retain(|toast| toast.is_error || toast.since.is_none_or(|since| now - since < STAYS));
    let soon = state
        .toasts
        .iter()
        .filter(|toast| !toast.is_error)
        .filter_map(|toast| toast.since);
    if let Some(first) = soon.fold(None, |least: Option<f64>, since| {
        Some(least.map_or(since, |l| l.min(since)))
    }) {
        let left = (first + STAYS - now).max(0.05);
        ui.ctx()
            .request_repaint_after(std::time::Duration::from_secs_f64(left));
    }
    let roles = roles(ui);
    egui::Area::new(Id::unique("toasts"))
        .pivot(egui::Align2::CENTER_BOTTOM)
        .fixed_pos(egui::pos2(ui.ctx().content_rect().center().x, above - 8.0))
        .order(egui::Order::Foreground)
        .show(ui.ctx(), |ui| {
            let width = (ui.ctx().content_rect().width() - 60.0).min(560.0);
            let older = state.toasts.len().saturating_sub(MOST);
            if older > 0 {
                Frame::popup(ui.style()).show(ui, |ui| {
                    let text = match older {
                        1 => "Close the notice before these".to_owned(),
                        n => format!("Close the {n} notices before these"),
                    };
                    let text = RichText::new(text).small().color(roles.muted);
                    if ui.add(Button::new(text).frame(false)).clicked() {
                        // Each closes the first that is left.
                        (0..older).for_each(|_| requests.push(Request::DismissToast(0)));
                    }
                });
            }
            for (i, toast) in state.toasts.iter().enumerate().skip(older) {
                Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_max_width(width);
                    ui.horizontal(|ui| {
                        let colour = if toast.is_error {
                            roles.warning
                        } else {
                            roles.ink
                        };
                        let text = RichText::new(&toast.text).color(colour);
                        let response = ui.add(egui::Label::new(text).wrap());
                        response.widget_info(|| {
                            egui::WidgetInfo::labeled(egui::Role::Status, true, &toast.text)
                        });
                        let close = ui.add(Button::new("×").frame(false));
                        close.widget_info(|| {
                            egui::WidgetInfo::labeled(egui::Role::Button, true, "Close notice")
                        });
                        if close.clicked() {
                            requests.push(Request::DismissToast(i));
                        }
                    });
                });
            }
        });
}
