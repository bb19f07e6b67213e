//! The dialog in which a roof is derived: factors, their product, and what it would replace.
use super::{modal, title};
use crate::chart::labels::shortened;
use crate::document::Document;
use crate::model::derive::{Factor, Product, Target};
use crate::model::gpu::Gpu;
use crate::model::ids::GpuId;
use crate::ui::state::{Dialog, UiState};
use crate::ui::widgets::roles;
use egui::{Align, Button, Id, Key, Layout, RichText, TextEdit, Ui};

/// Width of the dialog.
const WIDTH: f32 = 430.0;

/// Width of a factor's name, and of its field.
const WIDTHS: [f32; 2] = [150.0, 235.0];

/// From the edge to a factor's name.
const INDENT: f32 = 12.0;

/// Shows the product as it is typed; it becomes the device's number only when applied.
pub(super) fn derive(
    ui: &mut Ui,
    document: &mut Document,
    id: GpuId,
    mut product: Product,
    state: &mut UiState,
) {
    // The GPU may be gone by an undo.
    let Some(gpu) = document.session.gpu_mut(id) else {
        state.dialog = None;
        return;
    };
    let modal = modal(ui, "derive").show(ui.ctx(), |ui| {
        ui.set_width(WIDTH);
        title(
            ui,
            &format!(
                "Derive {} of {}",
                product.target.name(),
                shortened(&gpu.name, 28)
            ),
        );
        let mut entered = false;
        for (index, factor) in product.factors.iter_mut().enumerate() {
            entered |= factor_row(ui, index, factor);
        }
        ui.add_space(6.0);
        let ready = result(ui, gpu, &product);
        ui.add_space(10.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let accent = roles(ui).selection;
            let apply = Button::new("Use this number").fill(accent);
            let apply = ui.add_enabled(ready, apply).clicked() || (entered && ready);
            let cancel = ui.button("Cancel").clicked();
            // What is not ready is not applied: the button is off and the reason is shown.
            let applied = apply && product.apply(gpu).is_ok();
            applied || cancel
        })
        .inner
    });
    let done = modal.inner || modal.should_close();
    state.dialog = (!done).then_some(Dialog::Derive { gpu: id, product });
}

/// One factor; returns whether Enter was pressed in it.
fn factor_row(ui: &mut Ui, index: usize, factor: &mut Factor) -> bool {
    let row = ui.horizontal(|ui| {
        ui.set_min_height(26.0);
        let sign = if index == 0 { "" } else { "×" };
        ui.add_sized([INDENT, 20.0], egui::Label::new(sign));
        let label = ui.label(factor.name);
        ui.add_space((WIDTHS[0] - label.rect.width()).max(0.0));
        let edit = TextEdit::singleline(&mut factor.text)
            .id(Id::unique(("derive", index)))
            .desired_width(WIDTHS[1])
            .hint_text("not known");
        let response = ui.add(edit).labelled_by(label.id);
        let nothing_focused = ui.memory(|memory| memory.focused().is_none());
        if index == 0 && nothing_focused && !response.lost_focus() {
            response.request_focus();
        }
        response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = 0.0;
        ui.add_space(INDENT + ui.spacing().item_spacing.x);
        let muted = roles(ui).muted;
        // A long source goes on below; it must not widen the dialog.
        ui.vertical(|ui| {
            let note = RichText::new(&factor.note).small().color(muted);
            ui.add(egui::Label::new(note).wrap());
        });
    });
    row.inner
}

/// The product and what it comes to, or what is missing; returns whether it can be used.
fn result(ui: &mut Ui, gpu: &Gpu, product: &Product) -> bool {
    let roles = roles(ui);
    let result = product.result();
    let text = product.text().unwrap_or_default();
    match &result {
        Ok(value) => {
            ui.label(RichText::new(format!("{text} = {value}")).strong());
        }
        Err(reason) => {
            ui.label(RichText::new(reason).color(roles.warning));
        }
    }
    let now = match product.target {
        Target::Compute(path) => {
            let roof = gpu.compute_roof(path);
            roof.map(|roof| (roof.peak.value.to_string(), roof.peak.basis))
        }
        Target::Memory(level) => {
            let roof = gpu.memory_roof(level);
            roof.map(|roof| (roof.bandwidth.value.to_string(), roof.bandwidth.basis))
        }
    };
    let now = match now {
        Some((value, basis)) => format!("now {value}, {}", basis.name()),
        None => "no bandwidth yet".to_owned(),
    };
    ui.label(RichText::new(now).small().color(roles.muted));
    result.is_ok()
}
