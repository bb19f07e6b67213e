//! Playing a sweep: the selected workload moves along it, which is looked at and changes nothing.
use super::state::UiState;
use super::widgets::{self, roles};
use crate::chart::style;
use crate::chart::style::size;
use crate::document::Document;
use crate::model::ids::WorkloadId;
use crate::model::session::Session;
use crate::model::sweep::{self, RowOutcome, Sweep};
use crate::model::units;
use egui::{RichText, Slider, Ui};
use std::time::Duration;

/// How long a sweep takes from its first value to its last, in seconds.
const LENGTH: f64 = 6.0;
/// Between two pictures of it.
const STEP: Duration = Duration::from_millis(33);

/// A sweep being played.
#[derive(Debug, Clone, PartialEq)]
pub struct Playing {
    pub workload: WorkloadId,
    pub sweep: Sweep,
    /// How much of it has passed, 0–1.
    pub part: f64,
    pub running: bool,
    /// The time of the frame before, in seconds.
    last: Option<f64>,
}

impl Playing {
    /// The sweep of the selected workload from its beginning.
    pub fn start(document: &Document) -> Option<Self> {
        let workload = document.session.workload(document.view.selected?)?;
        Some(Self {
            workload: workload.id,
            sweep: document.view.sweep_for(workload),
            part: 0.0,
            running: true,
            last: None,
        })
    }

    /// Goes on, or begins again where it has come to its end.
    pub fn toggle(&mut self) {
        self.running = !self.running;
        self.last = None;
        if self.running && self.part >= 1.0 {
            self.part = 0.0;
        }
    }

    /// The session as it is at this moment of the sweep.
    pub fn session(&self, session: &Session) -> Session {
        let mut moved = session.clone();
        if let Some(workload) = moved.workload_mut(self.workload)
            && let Ok(unit) = sweep::parameter_unit(&workload.kind, &self.sweep.parameter)
            && let Some(value) = self.sweep.value_at(self.part, unit)
            && let Ok(kind) = workload.kind.with(&self.sweep.parameter, value)
        {
            workload.kind = kind;
        }
        moved
    }

    /// `batch 64 · 4.776 ms · 13,400 tokens/s`.
    fn words(&self, document: &Document) -> String {
        let moved = self.session(&document.session);
        let parts = || {
            let workload = moved.workload(self.workload)?;
            let gpu = moved.gpu(document.view.active?)?;
            let unit = sweep::parameter_unit(&workload.kind, &self.sweep.parameter).ok()?;
            let value = workload.kind.number(&self.sweep.parameter)?;
            let outcome = RowOutcome::of(workload, gpu, moved.assumptions).ok()?;
            let name = outcome.items.name;
            let rate = units::number(outcome.items_per_second()?);
            Some(format!(
                "{} {} · {} · {rate} {name}s/s",
                self.sweep.parameter.replace('_', " "),
                sweep::value_text(value, unit),
                outcome.placement.time(),
            ))
        };
        parts().unwrap_or_else(|| "not placed at this value".to_owned())
    }
}

/// Moves on by the time that has passed; asks for the next frame while it runs, and for none at its end.
pub fn advance(ctx: &egui::Context, document: &Document, state: &mut UiState) {
    let holds = state.chart.drag.is_some();
    let gone = |playing: &Playing| document.view.selected != Some(playing.workload);
    if state.playing.as_ref().is_some_and(gone) || holds {
        // The hand goes before the film.
        state.playing = None;
    }
    let Some(playing) = &mut state.playing else {
        return;
    };
    if !playing.running {
        return;
    }
    let now = ctx.input(|input| input.time);
    // A frame that came late after a rest must not jump.
    let passed = playing
        .last
        .map_or(0.0, |last| (now - last).clamp(0.0, 0.2));
    playing.last = Some(now);
    playing.part = (playing.part + passed / LENGTH).min(1.0);
    if playing.part >= 1.0 {
        playing.running = false;
    } else {
        ctx.request_repaint_after(STEP);
    }
}

/// Shows pause, the slider, the value now, and how to end it.
pub fn player(ui: &mut Ui, document: &Document, state: &mut UiState) {
    let Some(playing) = &mut state.playing else {
        return;
    };
    let muted = roles(ui).muted;
    let mut ends = false;
    ui.horizontal(|ui| {
        let (sign, name) = match playing.running {
            true => ("||", "Pause the sweep"),
            false => ("▶", "Go on with the sweep"),
        };
        let button = ui.add(
            egui::Button::new(RichText::new(sign).font(style::strong(size::SMALL)))
                .min_size(egui::vec2(28.0, 0.0)),
        );
        button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
        if button
            .on_hover_text(format!("{name} (Space when presenting)"))
            .clicked()
        {
            playing.toggle();
        }
        ui.spacing_mut().slider_width = (ui.available_width() * 0.22).clamp(70.0, 260.0);
        let place = Slider::new(&mut playing.part, 0.0..=1.0).show_value(false);
        let slider = widgets::slider(ui, place);
        slider.widget_info(|| egui::WidgetInfo::slider(true, playing.part, "Place in the sweep"));
        if slider.changed() {
            playing.running = false;
        }
        let close = ui.button("×");
        close.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "End the sweep"));
        ends = close
            .on_hover_text("Go back to the workload as it is")
            .clicked();
        ui.add(egui::Label::new(RichText::new(playing.words(document)).color(muted)).truncate());
    });
    if ends {
        state.playing = None;
    }
}
