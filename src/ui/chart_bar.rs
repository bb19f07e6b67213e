//! The bar above the chart: the title, and the switches of what is shown and assumed.
use super::command::Command;
use super::request::Requests;
use super::widgets::{Choice, folded, segmented_of};
use crate::chart::scene::Scene;
use crate::chart::style::size;
use crate::chart::style::{self};
use crate::document::Document;
use crate::model::cost::Level;
use crate::model::gpu::{Gpu, JudgedBy};
use crate::model::placement::{Launches, Overlap};
use crate::model::view::Levels;
use egui::{Align, Id, Layout, RichText, Ui, vec2};

/// What the bar has, the most useful first; what a narrow window has no room for is in the menu.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Button(&'static str, Command),
    Basis,
    Levels,
    Launches,
    Overlap,
}

/// In the order they stand from the right, with the room each takes folded and unfolded, and its rank: the same
/// whatever the GPU has, so that nothing jumps when another becomes the active one.
const PARTS: [(Part, [f32; 2], u8); 9] = [
    (Part::Button("Fit", Command::Fit), [38.0, 38.0], 0),
    (Part::Button("Lock", Command::LockAxes), [46.0, 46.0], 3),
    (Part::Button("Axes…", Command::AxisLimits), [54.0, 54.0], 4),
    (Part::Button("Sweep", Command::ToggleTrail), [60.0, 60.0], 1),
    (
        Part::Button("Compare", Command::ToggleCompare),
        [77.0, 77.0],
        2,
    ),
    (Part::Launches, [150.0, 190.0], 8),
    (Part::Levels, [90.0, 205.0], 6),
    (Part::Basis, [175.0, 175.0], 5),
    (Part::Overlap, [116.0, 170.0], 7),
];

/// What the title keeps.
const TITLE: f32 = 140.0;

/// The parts there is room for, each with whether it is unfolded: by rank, and then what room is left.
fn fitting(mut room: f32, overlap: Overlap) -> Vec<(Part, bool)> {
    let mut by_rank = PARTS;
    by_rank.sort_by_key(|(_, _, rank)| *rank);
    let mut shown = Vec::new();
    for (part, [folded, _], _) in by_rank {
        // What is not as usual must be seen.
        let unusual = part == Part::Overlap && overlap == Overlap::None;
        if folded <= room || unusual {
            room -= folded;
            shown.push((part, false));
        }
    }
    for (part, [folded, unfolded], _) in by_rank {
        if let Some(shown) = shown.iter_mut().find(|(other, _)| *other == part)
            && unfolded - folded <= room
        {
            room -= unfolded - folded;
            shown.1 = true;
        }
    }
    shown
}

pub(super) fn bar(ui: &mut Ui, document: &mut Document, scene: &Scene, requests: &mut Requests) {
    let room = ui.available_width() - TITLE;
    let fitting = fitting(room, document.session.assumptions.overlap);
    // What the parts took is known from the frame before, so that Tab goes through them from left to right.
    let known = Id::unique("width of the chart's bar");
    let estimate = || fitting.iter().map(width).sum::<f32>();
    let taken: Option<(usize, f32)> = ui.data(|data| data.get_temp(known));
    let taken = taken.filter(|(count, _)| *count == fitting.len());
    let taken = taken.map_or_else(estimate, |(_, width)| width);
    ui.horizontal(|ui| {
        ui.set_min_height(26.0);
        let left = ui.available_width() - taken - ui.spacing().item_spacing.x;
        let room = vec2(left.max(0.0), 26.0);
        // The title has what is left.
        ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(room.x);
            let title = match document.session.title.trim() {
                "" => "Untitled session",
                title => title,
            };
            // A title that is cut says less than one in smaller letters.
            let fits = |font: egui::FontId| {
                let wide =
                    ui.painter()
                        .layout_no_wrap(title.to_owned(), font, egui::Color32::WHITE);
                wide.size().x <= ui.available_width()
            };
            let size = match fits(style::strong(size::HEADING)) {
                true => size::HEADING,
                false => size::BODY,
            };
            let text = RichText::new(title).font(style::strong(size));
            ui.add(egui::Label::new(text).truncate())
                .on_hover_text(title);
        });
        let parts = ui.horizontal(|ui| {
            for (part, ..) in PARTS.iter().rev() {
                let fits = fitting.iter().find(|(other, _)| other == part);
                if let Some((_, unfolded)) = fits {
                    show(ui, *part, *unfolded, document, scene, requests);
                }
            }
        });
        let width = parts.response.rect.width();
        if (width - taken).abs() > 0.5 {
            ui.ctx().request_repaint();
        }
        ui.data_mut(|data| data.insert_temp(known, (fitting.len(), width)));
    });
}

/// The room a part takes.
fn width((part, unfolded): &(Part, bool)) -> f32 {
    let found = PARTS.iter().find(|(other, ..)| other == part);
    found.map_or(0.0, |(_, rooms, _)| rooms[usize::from(*unfolded)])
}

/// The choices side by side, or folded into one that opens.
fn choose(
    ui: &mut Ui,
    name: &str,
    unfolded: bool,
    options: &[Choice<'_>],
    chosen: usize,
) -> Option<usize> {
    match unfolded {
        true => segmented_of(ui, options, chosen),
        false => folded(ui, name, options, chosen),
    }
}

fn show(
    ui: &mut Ui,
    part: Part,
    unfolded: bool,
    document: &mut Document,
    scene: &Scene,
    requests: &mut Requests,
) {
    match part {
        Part::Button(name, command) => {
            let view = &document.view;
            let on = match command {
                Command::LockAxes => view.locked,
                Command::ToggleTrail => view.show_trail,
                Command::ToggleCompare => view.compare,
                _ => false,
            };
            let alone = document.session.gpus.len() < 2 && command == Command::ToggleCompare;
            let reason = alone.then_some("There is only one GPU: add another to compare with");
            if named_button(ui, name, command, on, reason) {
                requests.command(command);
            }
            return;
        }
        Part::Launches => launches(ui, unfolded, document),
        Part::Levels => levels(ui, unfolded, document),
        Part::Basis => basis(ui, document, scene),
        Part::Overlap => overlap(ui, unfolded, document),
    }
    ui.add_space(6.0);
}

fn named_button(ui: &mut Ui, name: &str, command: Command, on: bool, reason: Option<&str>) -> bool {
    let entry = command.entry();
    let keys = entry
        .shortcut
        .map(|s| ui.ctx().format_shortcut(&s))
        .unwrap_or_default();
    let button = egui::Button::new(RichText::new(name).size(size::CONTROL)).selected(on);
    // One that is on can always be switched off.
    ui.add_enabled(reason.is_none() || on, button)
        .on_hover_text(format!("{} ({keys})", entry.tooltip))
        .on_disabled_hover_text(reason.unwrap_or_default())
        .clicked()
}

fn launches(ui: &mut Ui, unfolded: bool, document: &mut Document) {
    let gpus = &document.session.gpus;
    let known = gpus.iter().any(|gpu| gpu.launch_overhead.is_some());
    let assumptions = &mut document.session.assumptions;
    let reason = (!known).then_some("No GPU here has a launch overhead, so launches cost nothing");
    let options = [
        Choice::of(
            "launches hidden",
            "Launching overlaps the kernel before",
            reason,
        ),
        Choice::of("added", "Every launch takes its time", reason),
    ];
    let chosen = usize::from(assumptions.launches == Launches::Added);
    if let Some(chosen) = choose(ui, "Launches", unfolded, &options, chosen) {
        assumptions.launches = [Launches::Hidden, Launches::Added][chosen];
    }
}

/// Every level there is, so that the switch is the same for every GPU.
fn levels(ui: &mut Ui, unfolded: bool, document: &mut Document) {
    let active = document.view.active.and_then(|id| document.session.gpu(id));
    let has = active.map(level_choices).unwrap_or_default();
    let all = [Level::L1, Level::L2, Level::Llc, Level::Dram].map(Levels::Only);
    let mut all: Vec<_> = all.into_iter().chain([Levels::All]).collect();
    all.sort_by_key(|choice| (*choice == Levels::All, choice.main()));
    let name = active.map_or("no GPU", |gpu| gpu.name.as_str());
    let reasons: Vec<_> = all
        .iter()
        .map(|choice| match choice {
            Levels::Only(level) => format!("{name} has no {} bandwidth", level.name()),
            Levels::All => format!("{name} has only one level"),
        })
        .collect();
    let options: Vec<_> = all
        .iter()
        .zip(&reasons)
        .map(|(choice, reason)| {
            let reason = (!has.contains(choice)).then_some(reason.as_str());
            let hint = "Roofs and intensities of this memory level";
            Choice::of(choice.name(), hint, reason)
        })
        .collect();
    let chosen = all
        .iter()
        .position(|choice| *choice == document.view.levels);
    if let Some(chosen) = choose(ui, "Memory level", unfolded, &options, chosen.unwrap_or(0)) {
        document.view.levels = all[chosen];
    }
}

fn basis(ui: &mut Ui, document: &mut Document, scene: &Scene) {
    let by = &mut document.session.assumptions.judged_by;
    let known = scene.roofs.iter().any(|roof| roof.other_basis.is_some());
    let missing = !known && *by == JudgedBy::Theoretical;
    let reason = missing.then_some("No achievable figure of these roofs is known");
    let hint = "Judge by what good kernels were measured to reach";
    let options = [
        Choice::of(
            JudgedBy::Theoretical.name(),
            "Judge by published peaks",
            None,
        ),
        Choice::of(JudgedBy::Achievable.name(), hint, reason),
    ];
    let chosen = usize::from(*by == JudgedBy::Achievable);
    if let Some(chosen) = segmented_of(ui, &options, chosen) {
        *by = JudgedBy::ALL[chosen];
    }
}

fn overlap(ui: &mut Ui, unfolded: bool, document: &mut Document) {
    let overlap = &mut document.session.assumptions.overlap;
    let most = "The longest term is the time: the least it can take";
    let options = [
        Choice::of(Overlap::Full.name(), most, None),
        Choice::of(
            Overlap::None.name(),
            "The terms add up: the most it can take",
            None,
        ),
    ];
    let chosen = usize::from(*overlap == Overlap::None);
    if let Some(chosen) = choose(ui, "Overlap", unfolded, &options, chosen) {
        *overlap = [Overlap::Full, Overlap::None][chosen];
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
