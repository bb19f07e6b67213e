//! What a GPU is built of, in the editor, and where all its numbers are from.
use super::number::*;
use crate::model::cost::Level;
use crate::model::gpu::{Gpu, Sourced};
use crate::model::parts::Parts;
use crate::model::quantity::{Count, Quantity};
use crate::ui::widgets::{Field, fold, text_field};
use egui::Ui;

/// Units, clocks, caches and links, folded under a line that says the most of it.
pub(super) fn parts(ui: &mut Ui, gpu: &mut Gpu) {
    ui.add_space(6.0);
    let heading = heading(&gpu.parts);
    let header = egui::CollapsingHeader::new(heading).id_salt("parts");
    fold(ui, header, |ui| {
        let parts = &mut gpu.parts;
        let units = "What the vendor counts: SMs, CUs, cores";
        optional_sourced(ui, "Compute units", units, &mut parts.units);
        let clock = "The clock that published peaks are of, usually the boost clock";
        optional_sourced(ui, "Clock", clock, &mut parts.clock);
        let clock = "The clock that the matrix peaks are of, where it is another one";
        optional_sourced(ui, "Matrix clock", clock, &mut parts.matrix_clock);
        let bus =
            "How wide the memory's bus is, in bits: traffic follows from a share of the peak by it";
        optional_sourced(ui, "Memory bus", bus, &mut parts.memory_bus);
        let l1 = "L1 cache or shared memory of one compute unit";
        optional_sourced(ui, "L1 per unit", l1, &mut parts.l1);
        optional_sourced(ui, "L2 size", "L2 cache of the whole device", &mut parts.l2);
        optional_sourced(ui, "LLC size", "Last cache before DRAM", &mut parts.llc);
        if let Some(roof) = gpu.memory_roof_mut(Level::ScaleUpLink) {
            let links = "How many links the scale-up bandwidth is the sum of";
            optional::<Count>(ui, "Scale-up links", links, &mut roof.links);
            let peer = "How many of them lead to one peer: what one pair of devices can use";
            optional::<Count>(ui, "Links per peer", peer, &mut roof.links_per_peer);
        }
    });
}

/// `Parts: 132 units · 1.98 GHz`.
fn heading(parts: &Parts) -> String {
    let units = parts.units.as_ref().map(|n| format!("{} units", n.value));
    let clock = parts.clock.as_ref().map(|n| n.value.to_string());
    let known: Vec<_> = units.into_iter().chain(clock).collect();
    match known.as_slice() {
        [] => "Parts: units, clocks, caches".to_owned(),
        known => format!("Parts: {}", known.join(" · ")),
    }
}

pub(super) fn sources(ui: &mut Ui, gpu: &mut Gpu) {
    ui.add_space(6.0);
    let header = egui::CollapsingHeader::new("Sources").id_salt("sources");
    fold(ui, header, |ui| {
        for roof in &mut gpu.compute {
            source(ui, &roof.path.to_string(), &mut roof.peak);
            if let Some(achievable) = &mut roof.achievable {
                source(ui, &format!("{} achievable", roof.path), achievable);
            }
        }
        for roof in &mut gpu.memory {
            source(ui, roof.level.name(), &mut roof.bandwidth);
            if let Some(achievable) = &mut roof.achievable {
                source(ui, &format!("{} achievable", roof.level.name()), achievable);
            }
        }
        sources_of_parts(ui, &mut gpu.parts);
    });
}

pub(super) fn source<Q: Quantity>(ui: &mut Ui, name: &str, number: &mut Sourced<Q>) {
    let mut told = format!("{name} · {}", number.basis.name());
    if let Some(confidence) = number.confidence {
        told += &format!(" · {} confidence", confidence.name());
    }
    hint(ui, &told);
    let source = &mut number.source;
    let label = format!("Source of {name}");
    let field = Field {
        label: &label,
        hint: "Where this number comes from",
        shown: source.clone(),
        exact: source.clone(),
        placeholder: "where this number comes from",
    };
    text_field(ui, &field, |text| {
        text.trim().clone_into(source);
        Ok(())
    });
}

fn sources_of_parts(ui: &mut Ui, parts: &mut Parts) {
    fn each<Q: Quantity>(ui: &mut Ui, name: &str, number: &mut Option<Sourced<Q>>) {
        if let Some(number) = number {
            source(ui, name, number);
        }
    }
    each(ui, "compute units", &mut parts.units);
    each(ui, "clock", &mut parts.clock);
    each(ui, "matrix clock", &mut parts.matrix_clock);
    each(ui, "memory bus", &mut parts.memory_bus);
    each(ui, "L1 size", &mut parts.l1);
    each(ui, "L2 size", &mut parts.l2);
    each(ui, "LLC size", &mut parts.llc);
}
