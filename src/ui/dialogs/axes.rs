//! The dialog in which axis limits are typed.
use super::{modal, title};
use crate::chart::framing;
use crate::document::Document;
use crate::model::quantity::{FlopRate, Intensity, Quantity};
use crate::ui::chart_view;
use crate::ui::state::UiState;
use crate::ui::widgets::{Field, value_field};
use egui::{Align, Layout, Ui};

pub(super) fn axis_limits(ui: &mut Ui, document: &mut Document, state: &mut UiState) {
    let limits = chart_view::shown_limits(state);
    let mut wanted = limits;
    let modal = modal(ui, "axis limits").show(ui.ctx(), |ui| {
        ui.set_width(300.0);
        title(ui, "Axis limits");
        limit::<Intensity>(ui, "Intensity from", &mut wanted.x, 0);
        limit::<Intensity>(ui, "Intensity to", &mut wanted.x, 1);
        limit::<FlopRate>(ui, "Performance from", &mut wanted.y, 0);
        limit::<FlopRate>(ui, "Performance to", &mut wanted.y, 1);
        ui.add_space(6.0);
        ui.checkbox(&mut document.view.locked, "Lock the axes as they are");
        ui.add_space(10.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let close = ui.button("Close").clicked();
            if ui.button("Fit").clicked() {
                document.view.limits = None;
                return true;
            }
            close
        })
        .inner
    });
    if wanted != limits {
        let clamped = framing::clamp(wanted);
        document.view.limits = Some(clamped);
        state.chart.shown = Some(clamped);
    } else if document.view.locked && document.view.limits.is_none() {
        document.view.limits = Some(limits);
    }
    if modal.inner || modal.should_close() {
        state.dialog = None;
    }
}

pub(super) fn limit<Q: Quantity + std::fmt::Display>(
    ui: &mut Ui,
    label: &str,
    range: &mut [f64; 2],
    end: usize,
) {
    let shown = Q::try_from(10f64.powf(range[end]));
    let field = Field {
        label,
        hint: "",
        shown: shown.as_ref().map(ToString::to_string).unwrap_or_default(),
        exact: shown.map(Quantity::exact).unwrap_or_default(),
        placeholder: "",
    };
    value_field(ui, &field, |text| {
        let value = Q::parse(text).map_err(|error| error.to_string())?;
        if value.get() <= 0.0 {
            return Err("a log axis has no zero: write a positive number".to_owned());
        }
        let mut new = *range;
        new[end] = value.get().log10();
        if new[0] >= new[1] {
            return Err("the lower end must be below the upper one".to_owned());
        }
        *range = new;
        Ok(())
    });
}
