//! Kernels on the chart under the hand: hovered, clicked, and those beside it.
use super::card;
use crate::chart::paint::{self, Hit, Painted};
use crate::chart::scene::{KernelLayer, Scene, kernel_id};
use crate::model::profile::KernelId;
use crate::model::units;
use crate::ui::derived::Derived;
use crate::ui::request::{Request, Requests};
use crate::ui::state::UiState;
use crate::ui::widgets::roles;
use egui::{CursorIcon, Id, Rect, RichText, Role, Sense, Ui, Vec2, WidgetInfo};

/// Shows what is under the pointer, and selects what is clicked.
pub fn kernel_marks(
    ui: &mut Ui,
    derived: &Derived,
    scene: &Scene,
    painted: &Painted,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let layer = &scene.kernels;
    if layer.is_empty() {
        return;
    }
    beside(ui, derived, layer, painted, requests);
    let plane = &painted.response;
    let pointer = ui.input(|input| input.pointer.hover_pos());
    let Some(pointer) = pointer.filter(|_| plane.hovered() && !plane.dragged()) else {
        return;
    };
    let Some(hit) = paint::hit(layer, &mut state.chart.grids, &painted.projection, pointer) else {
        return;
    };
    let Some(kernel) = layer.kernel(hit.point(), &derived.analyses) else {
        return;
    };
    if plane.clicked() || plane.secondary_clicked() {
        requests.push(Request::SelectKernel(kernel));
    }
    ui.set_cursor_icon(CursorIcon::PointingHand);
    let count = match hit {
        Hit::Kernel(_) => 1,
        Hit::Cell { count, .. } => count,
    };
    plane
        .clone()
        .on_hover_ui_at_pointer(|ui| heaviest_of(ui, derived, kernel, count));
}

/// The card of a kernel that stands for `count` of them.
fn heaviest_of(ui: &mut Ui, derived: &Derived, kernel: KernelId, count: usize) {
    if count > 1 {
        let text = format!("{} kernels here; the heaviest:", units::count(count as f64));
        ui.label(RichText::new(text).small().color(roles(ui).muted));
    }
    if let Some(analysed) = derived.analyses.of_kernel(kernel) {
        card(ui, analysed, kernel.line);
    }
}

/// Kernels without work.
fn beside(
    ui: &Ui,
    derived: &Derived,
    layer: &KernelLayer,
    painted: &Painted,
    requests: &mut Requests,
) {
    for landed in &painted.kernel_gutter {
        let Some(mark) = layer.gutter.get(landed.heaviest as usize) else {
            continue;
        };
        let Some(kernel) = kernel_id(&derived.analyses, mark.profile, mark.line) else {
            continue;
        };
        let side = 2.0 * landed.radius.max(5.0);
        let area = Rect::from_center_size(landed.center, Vec2::splat(side));
        let response = ui.interact(area, Id::unique(("kernel beside", kernel)), Sense::click());
        let name = derived
            .analyses
            .of_kernel(kernel)
            .map(|a| a.name(kernel.line));
        let name = name.unwrap_or_default();
        response.widget_info(|| {
            let share = units::percent(mark.share);
            let text = format!("{name}, no work, {share} of the bandwidth");
            WidgetInfo::labeled(Role::Button, true, text)
        });
        if response.clicked() {
            requests.push(Request::SelectKernel(kernel));
        }
        response.on_hover_ui(|ui| heaviest_of(ui, derived, kernel, landed.count));
    }
}
