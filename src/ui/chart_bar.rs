//! The bar above the chart: the title, and the switches of what is shown and assumed.
use super::command::Command;
use super::request::Requests;
use super::widgets::segmented;
use crate::chart::scene::Scene;
use crate::chart::style::size;
use crate::chart::style::{self};
use crate::document::Document;
use crate::model::gpu::{Gpu, JudgedBy};
use crate::model::placement::{Launches, Overlap};
use crate::model::view::Levels;
use egui::{Align, Layout, RichText, Ui};

pub(super) fn bar(ui: &mut Ui, document: &mut Document, scene: &Scene, requests: &mut Requests) {
    // In a narrow window the menu has what the bar has no room for; the title keeps some.
    const TITLE: f32 = 120.0;
    let narrow = ui.available_width() < wanted_width(document, scene) + TITLE;
    ui.horizontal(|ui| {
        ui.set_min_height(26.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let mut buttons = vec![("Fit", Command::Fit, false)];
            if !narrow {
                buttons.push(("Lock", Command::LockAxes, document.view.locked));
                buttons.push(("Axes…", Command::AxisLimits, false));
            }
            buttons.push(("Sweep", Command::ToggleTrail, document.view.show_trail));
            if document.session.gpus.len() > 1 {
                buttons.push(("Compare", Command::ToggleCompare, document.view.compare));
            }
            for (name, command, on) in buttons {
                if named_button(ui, name, command, on) {
                    requests.command(command);
                }
            }
            ui.add_space(6.0);
            switches(ui, document, scene, narrow);
            // The title has what is left.
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let title = match document.session.title.trim() {
                    "" => "Untitled session",
                    title => title,
                };
                let text = RichText::new(title).font(style::strong(size::HEADING));
                ui.add(egui::Label::new(text).truncate())
                    .on_hover_text(title);
            });
        });
    });
}

/// About how wide everything in the bar but the title is.
fn wanted_width(document: &Document, scene: &Scene) -> f32 {
    let gpus = &document.session.gpus;
    let active = document.view.active.and_then(|id| document.session.gpu(id));
    let levels = active.map_or(0, |gpu| level_choices(gpu).len());
    let parts = [
        (true, 260.0 + 170.0),
        (gpus.len() > 1, 80.0),
        (gpus.iter().any(|gpu| gpu.launch_overhead.is_some()), 180.0),
        (levels > 1, 50.0 * levels as f32),
        (
            scene.roofs.iter().any(|roof| roof.other_basis.is_some()),
            190.0,
        ),
    ];
    parts
        .iter()
        .filter(|(shown, _)| *shown)
        .map(|(_, width)| width)
        .sum()
}

fn named_button(ui: &mut Ui, name: &str, command: Command, on: bool) -> bool {
    let entry = command.entry();
    let keys = entry
        .shortcut
        .map(|s| ui.ctx().format_shortcut(&s))
        .unwrap_or_default();
    let button = egui::Button::new(RichText::new(name).size(size::CONTROL)).selected(on);
    ui.add(button)
        .on_hover_text(format!("{} ({keys})", entry.tooltip))
        .clicked()
}

fn switches(ui: &mut Ui, document: &mut Document, scene: &Scene, narrow: bool) {
    let has_launches = document
        .session
        .gpus
        .iter()
        .any(|gpu| gpu.launch_overhead.is_some());
    let active = document
        .view
        .active
        .and_then(|id| document.session.gpu(id))
        .cloned();
    let assumptions = &mut document.session.assumptions;
    // Laid out from the right.
    if has_launches {
        let options = [
            ("launches hidden", "Launching overlaps the kernel before"),
            ("added", "Every launch takes its time"),
        ];
        let chosen = usize::from(assumptions.launches == Launches::Added);
        if let Some(chosen) = segmented(ui, &options, chosen) {
            assumptions.launches = [Launches::Hidden, Launches::Added][chosen];
        }
        ui.add_space(8.0);
    }
    let choices = active.as_ref().map(level_choices).unwrap_or_default();
    // In a narrow bar the levels come before what the menu has as well, if the title keeps some room.
    let room = ui.available_width() > 50.0 * choices.len() as f32 + 100.0;
    if choices.len() > 1 && room {
        let names: Vec<_> = choices
            .iter()
            .map(|c| (c.name(), "Roofs and intensities of this memory level"))
            .collect();
        let chosen = choices
            .iter()
            .position(|choice| *choice == document.view.levels);
        if let Some(chosen) = segmented(ui, &names, chosen.unwrap_or(0)) {
            document.view.levels = choices[chosen];
        }
        ui.add_space(8.0);
    }
    let by = assumptions.judged_by;
    let has_both = scene.roofs.iter().any(|roof| roof.other_basis.is_some());
    if has_both || by == JudgedBy::Achievable {
        let options = [
            (JudgedBy::Theoretical.name(), "Judge by published peaks"),
            (
                JudgedBy::Achievable.name(),
                "Judge by what good kernels were measured to reach",
            ),
        ];
        let chosen = usize::from(by == JudgedBy::Achievable);
        if let Some(chosen) = segmented(ui, &options, chosen) {
            assumptions.judged_by = JudgedBy::ALL[chosen];
        }
        ui.add_space(8.0);
    }
    if narrow && assumptions.overlap == Overlap::Full {
        return;
    }
    let options = [
        (
            Overlap::Full.name(),
            "The longest term is the time: the least it can take",
        ),
        (
            Overlap::None.name(),
            "The terms add up: the most it can take",
        ),
    ];
    let chosen = usize::from(assumptions.overlap == Overlap::None);
    if let Some(chosen) = segmented(ui, &options, chosen) {
        assumptions.overlap = [Overlap::Full, Overlap::None][chosen];
    }
}

/// The memory levels of a GPU that can be shown, and all of them.
pub fn level_choices(gpu: &Gpu) -> Vec<Levels> {
    let levels = gpu
        .memory
        .iter()
        .map(|roof| roof.level)
        .filter(|level| !level.is_link());
    let mut choices: Vec<_> = levels.map(Levels::Only).collect();
    choices.sort_by_key(|choice| choice.main());
    if choices.len() > 1 {
        choices.push(Levels::All);
    }
    choices
}
