//! From a number on the chart to where it is from: told on hover, and its row in the panel on a click.
use crate::chart::paint::LandedLabel;
use crate::document::Document;
use crate::model::derive::Target;
use crate::model::ids::GpuId;
use crate::ui::request::{Request, Requests};
use egui::{CursorIcon, Id, Sense, Ui};

/// What a number on the chart is and where it is from.
pub(super) fn origin(document: &Document, gpu: GpuId, target: Target) -> Option<String> {
    let gpu = document.session.gpu(gpu)?;
    let by = document.session.assumptions.judged_by;
    let (name, value, from) = match target {
        Target::Compute(path) => {
            let number = gpu.compute_roof(path)?.judged(by);
            (path.to_string(), number.value.to_string(), number.origin())
        }
        Target::Memory(level) => {
            let number = gpu.memory_roof(level)?.judged(by);
            let name = level.name().to_owned();
            (name, number.value.to_string(), number.origin())
        }
    };
    Some(format!("{}: {name} {value}\n{from}", gpu.name))
}

/// Makes the labels of roofs lead to their numbers.
pub(super) fn labels(
    ui: &Ui,
    document: &Document,
    labels: &[LandedLabel],
    requests: &mut Requests,
) {
    for (index, label) in labels.iter().enumerate() {
        let Some(origin) = origin(document, label.gpu, label.target) else {
            continue;
        };
        for (part, area) in label.areas.iter().enumerate() {
            // No stop for Tab: the handles of slope and flat are, and do the same.
            let id = Id::unique(("roof label", index, part));
            let response = ui.interact(*area, id, Sense::CLICK);
            if response.clicked() {
                requests.push(Request::Trace(label.gpu, label.target));
            }
            response
                .on_hover_cursor(CursorIcon::PointingHand)
                .on_hover_text(format!("{origin}\nClick: its row in the GPU panel"));
        }
    }
}
