//! What the card beside a gesture says.
use crate::document::Document;
use crate::model::annotation::Shape;
use crate::model::ids::GpuId;
use crate::model::quantity::Intensity;
use crate::model::units::{self, Unit};
use crate::ui::derived::Derived;
use crate::ui::state::{Ghost, Handle, UiState};

/// What the card beside a gesture says.
pub fn card_lines(document: &Document, derived: &Derived, state: &UiState) -> Option<Vec<String>> {
    if let Some(ghost) = &state.chart.ghost {
        return ghost_lines(document, ghost);
    }
    let drag = state.chart.drag.as_ref()?;
    match drag.handle {
        Handle::Slope(id) | Handle::Flat(id) | Handle::Ridge(id) => {
            roof_lines(document, derived, id)
        }
        Handle::Predicted(id) => {
            let p = derived.on_active(id)?.as_ref().ok()?;
            let intensity = p.intensity().map_or_else(String::new, |i| i.to_string());
            let rate = p.rate().map_or_else(String::new, |r| r.to_string());
            let mut lines = vec![
                format!("{intensity} · {rate}"),
                format!("{} over {}", p.work, p.traffic),
                format!("{} · {}", p.time(), p.regime().name()),
            ];
            if p.efficiency < 1.0 {
                lines.push(format!("{} of the roof", units::percent(p.efficiency)));
            }
            lines.extend(drag.stopped.clone());
            Some(lines)
        }
        Handle::Annotation(id, _) => {
            let annotation = document.session.annotation(id)?;
            match annotation.shape {
                Shape::Line(reference) => Some(vec![reference.exact()]),
                _ => None,
            }
        }
        Handle::Measured(_) => None,
    }
}

pub(super) fn roof_lines(document: &Document, derived: &Derived, id: GpuId) -> Option<Vec<String>> {
    let gpu = document.session.gpu(id)?;
    let roof = derived.scene.roofs.iter().find(|roof| roof.gpu == id)?;
    let mut lines = vec![
        gpu.name.clone(),
        format!("{} · {}", roof.peak_text, roof.bandwidth_text),
        format!("ridge {} FLOP/B", roof.ridge_text),
    ];
    if let Some([peak, bandwidth]) = roof.original {
        let text = |at: f64, unit| units::short(10f64.powf(at), unit);
        let was = format!(
            "was {} · {}",
            text(peak, Unit::FlopPerSecond),
            text(bandwidth, Unit::BytePerSecond)
        );
        lines.push(was);
    }
    Some(lines)
}

pub(super) fn ghost_lines(document: &Document, ghost: &Ghost) -> Option<Vec<String>> {
    let workload = document.session.workload(ghost.workload)?;
    let work = workload.kind.family().cost().ok()?.total_work();
    let needs = |value: f64, unit| units::short(value, unit);
    let intensity: Intensity = ghost.intensity;
    Some(vec![
        format!("{intensity} · {}", ghost.rate),
        format!(
            "needs {} of traffic",
            needs(work.get() / intensity.get(), Unit::Byte)
        ),
        format!("and {}", needs(work.get() / ghost.rate.get(), Unit::Second)),
        "Enter keeps it as a variant, Esc drops it".to_owned(),
    ])
}
