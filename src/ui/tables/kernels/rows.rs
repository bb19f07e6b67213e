//! The rows of the kernel table; only those in sight are made, however many there are.
use crate::chart::labels::shortened;
use crate::chart::style::Style;
use crate::chart::style::size;
use crate::model::profile::{Analysed, Judged, KernelId, KernelKey};
use crate::model::session::Session;
use crate::model::units::{self, Unit};
use crate::model::view::View;
use crate::ui::command::Command;
use crate::ui::kernels::card;
use crate::ui::kernels::rows::{Column, Order, Row};
use crate::ui::request::{Request, Requests};
use crate::ui::state::UiState;
use crate::ui::widgets::roles;
use egui::{
    Align, Button, Color32, Label, Layout, Response, RichText, Role, Sense, Ui, WidgetInfo,
};
use egui_extras::{TableBuilder, TableRow};

const HEIGHT: f32 = 24.0;

/// How wide a character of a name is, on average, in points.
const CHARACTER: f32 = 7.2;

/// The least width of a kernel's name, in points.
const NARROWEST: f32 = 190.0;

/// Shows the rows; a click selects, a double click isolates.
pub(super) fn rows(
    ui: &mut Ui,
    session: &mut Session,
    view: &View,
    analysed: &Analysed,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let roles = roles(ui);
    let profile = analysed.profile.id;
    let selected = view.kernel.filter(|kernel| kernel.profile == profile);
    let scroll = std::mem::take(&mut state.kernels.scroll_to_selected);
    let target = selected
        .filter(|_| scroll)
        .and_then(|k| state.kernels.rows.position(k.line));
    let mut isolated = None;
    egui::ScrollArea::horizontal()
        .id_salt("kernels across")
        .show(ui, |ui| {
            let spacing = ui.spacing().item_spacing.x;
            let others = Column::ALL.iter().map(|(_, _, width)| width + spacing);
            // Where not all fit, those that say what is worth the time are in sight, and the others scroll.
            let first = (ui.available_width() - others.sum::<f32>()).clamp(NARROWEST, 420.0);
            let mut builder = TableBuilder::new(ui)
                .id_salt("kernels")
                // Tab goes to the first cell of a row only.
                .sense(Sense::CLICK)
                .striped(false)
                .min_scrolled_height(0.0)
                .auto_shrink(false);
            for (column, _, width) in Column::ALL {
                let width = match column {
                    Column::Kernel => egui_extras::Column::initial(first)
                        .resizable(true)
                        .clip(true),
                    _ => egui_extras::Column::exact(width),
                };
                builder = builder.column(width);
            }
            if let Some(row) = target {
                builder = builder.scroll_to_row(row, Some(Align::Center));
            }
            let order = &mut state.kernels.order;
            let table = builder.header(22.0, |mut row| heads(&mut row, order));
            let count = state.kernels.rows.rows.len();
            table.body(|body| {
                body.rows(HEIGHT, count, |mut row| {
                    let of = state.kernels.rows.rows[row.index()];
                    let line = of.judged.line;
                    let name = state.kernels.rows.name(analysed, line).to_owned();
                    let kernel = KernelId { profile, line };
                    let is_selected = selected == Some(kernel);
                    row.set_selected(is_selected);
                    let named = cells(&mut row, &of, &name, analysed, roles);
                    named.widget_info(|| WidgetInfo::selected(Role::Row, true, is_selected, &name));
                    let response = row.response().union(named);
                    if response.double_clicked() {
                        isolated = Some(line);
                    } else if response.clicked() || response.secondary_clicked() {
                        requests.push(Request::SelectKernel(kernel));
                    }
                    row_menu(&response, requests);
                });
            });
        });
    if let (Some(line), Some(profile)) = (isolated, session.profile_mut(profile)) {
        let key = KernelKey::of(analysed.kernel(line));
        profile.choices.isolated = [key].into();
    }
}

fn heads(row: &mut TableRow<'_, '_>, order: &mut Option<Order>) {
    for (column, name, _) in Column::ALL {
        row.col(|ui| {
            ui.with_layout(layout(column), |ui| {
                let sorted = order
                    .filter(|(by, _)| *by == column)
                    .map(|(_, largest)| largest);
                // Unsorted, the one with most time to recover comes first.
                let sorted =
                    sorted.or((order.is_none() && column == Column::Recoverable).then_some(true));
                let arrow = match sorted {
                    Some(true) => " ↓",
                    Some(false) => " ↑",
                    None => "",
                };
                let text = RichText::new(format!("{name}{arrow}"))
                    .size(size::SMALL)
                    .color(roles(ui).muted);
                let response = ui
                    .add(Button::new(text).frame(false))
                    .on_hover_text("Sort by this column");
                response.widget_info(|| {
                    WidgetInfo::labeled(Role::ColumnHeader, true, format!("Sort by {name}"))
                });
                if response.clicked() {
                    let numbers = column != Column::Kernel;
                    *order = Some((column, sorted.map_or(numbers, |largest| !largest)));
                }
            });
        });
    }
}

fn layout(column: Column) -> Layout {
    match column.is_words() {
        true => Layout::left_to_right(Align::Center),
        false => Layout::right_to_left(Align::Center),
    }
}

/// Shows the cells of a row; the first stands for it, by its name.
fn cells(
    row: &mut TableRow<'_, '_>,
    of: &Row,
    name: &str,
    analysed: &Analysed,
    roles: &Style,
) -> Response {
    let mut named = None;
    for (column, _, _) in Column::ALL {
        let (_, place) = row.col(|ui| {
            ui.with_layout(layout(column), |ui| {
                let (mut text, colour) = cell(column, of, name, analysed, roles);
                if column == Column::Kernel {
                    // Of names that begin alike, the end tells.
                    let most = (ui.available_width() / CHARACTER) as usize;
                    text = shortened(&text, most.max(8));
                }
                let text = RichText::new(text).color(colour);
                let label = |text| Label::new(text).truncate().selectable(false);
                match column {
                    Column::Kernel => {
                        let response = ui.add(label(text).sense(Sense::click()));
                        let card = |ui: &mut Ui| card(ui, analysed, of.judged.line);
                        named = Some(response.on_hover_ui(card));
                        launch(ui, of, analysed, roles);
                    }
                    Column::Work | Column::Traffic | Column::Time if is_given(column, of) => {
                        ui.add(label(text))
                            .on_hover_text("Given here, not counted or timed by the profiler");
                    }
                    Column::Limiter => {
                        let other = of.judged.wanted.zip(of.judged.path);
                        let response = ui.add(label(text));
                        if let Some((wanted, path)) = other {
                            response.on_hover_text(format!(
                                "The GPU has no {wanted} roof: the memory judges this work, which by the one of {path} would take less time"
                            ));
                        }
                    }
                    _ => drop(ui.add(label(text))),
                }
            });
        });
        named.get_or_insert(place);
    }
    named.expect("there is a first column")
}

/// The launch shape, where the name alone does not tell a kernel from others.
fn launch(ui: &mut Ui, of: &Row, analysed: &Analysed, roles: &Style) {
    let launch = &analysed.kernel(of.judged.line).launch;
    if of.lines == 1 && !launch.is_empty() && ui.available_width() > 30.0 {
        // The card tells the whole of it.
        let apart = analysed.profile.kernels.told_apart(of.judged.line as usize);
        let shown = apart.as_deref().unwrap_or(launch);
        let text = RichText::new(shown).small().color(roles.faint);
        ui.add(Label::new(text).truncate().selectable(false));
    }
}

fn is_given(column: Column, of: &Row) -> bool {
    let given = of.judged.given;
    match column {
        Column::Work => given.work,
        Column::Traffic => given.traffic,
        Column::Time => given.time,
        _ => false,
    }
}

fn cell(
    column: Column,
    of: &Row,
    name: &str,
    analysed: &Analysed,
    roles: &Style,
) -> (String, Color32) {
    let judged = &of.judged;
    let ink = |text: String| (text, roles.ink);
    let number = |value: Option<f64>, unit: Unit| match value {
        Some(value) => (units::short(value, unit), roles.ink),
        None => ("–".to_owned(), roles.faint),
    };
    match column {
        Column::Kernel if of.lines > 1 => ink(format!("{name}  ({} shapes)", of.lines)),
        Column::Kernel => ink(name.to_owned()),
        Column::Launches => ink(units::count(of.launches as f64)),
        Column::Time => given(number(judged.time(), Unit::Second), judged.given.time),
        Column::Part => {
            let all = analysed.analysis.summary.totals.time;
            match judged.time().filter(|_| all > 0.0) {
                Some(time) => ink(units::percent(time / all)),
                None => ("–".to_owned(), roles.faint),
            }
        }
        Column::Work => given(number(judged.work(), Unit::Flop), judged.given.work),
        Column::Traffic => given(number(judged.traffic(), Unit::Byte), judged.given.traffic),
        Column::Intensity => number(judged.intensity(), Unit::FlopPerByte),
        Column::Rate if judged.work() == Some(0.0) => {
            number(judged.byte_rate(), Unit::BytePerSecond)
        }
        Column::Rate => number(judged.flop_rate(), Unit::FlopPerSecond),
        Column::Share => match judged.share() {
            Some(share) if judged.is_above() => (units::percent(share), roles.warning),
            Some(share) => ink(units::percent(share)),
            None => ("–".to_owned(), roles.faint),
        },
        Column::Limiter => match (judged.limiter, judged.regime()) {
            (Some(limiter), Some(_)) if judged.wanted.is_some() => {
                (format!("{}!", limiter.name()), roles.warning)
            }
            (Some(limiter), Some(regime)) => (limiter.name(), roles.regime(regime)),
            // What keeps it from the chart.
            _ => (why_not(judged), roles.warning),
        },
        Column::Recoverable => match judged.recoverable() {
            Some(time) if time > 0.0 => ink(units::short(time, Unit::Second)),
            Some(_) => ("none".to_owned(), roles.muted),
            None => ("–".to_owned(), roles.faint),
        },
        Column::Bytes => ink(bytes_by(judged, analysed).to_owned()),
    }
}

/// `no work, traffic`, or what else keeps a kernel from the chart.
fn why_not(judged: &Judged) -> String {
    match judged.missing.names().as_slice() {
        [] => judged.reasons().join(", "),
        names => format!("no {}", names.join(", ")),
    }
}

/// Marks what was given by hand.
fn given((text, colour): (String, Color32), given: bool) -> (String, Color32) {
    match given {
        true => (format!("{text}*"), colour),
        false => (text, colour),
    }
}

fn bytes_by(judged: &Judged, analysed: &Analysed) -> &'static str {
    match judged.traffic() {
        None => "",
        Some(_) if judged.given.traffic => crate::model::profile::ByteSource::User.name(),
        Some(_) => analysed.profile.byte_source.name(),
    }
}

fn row_menu(response: &Response, requests: &mut Requests) {
    response.context_menu(|ui: &mut Ui| {
        for command in [
            Command::IsolateKernel,
            Command::HideKernel,
            Command::ShowKernels,
            Command::CopyKernel,
        ] {
            if ui.button(command.entry().name).clicked() {
                requests.command(command);
                ui.close();
            }
        }
    });
}
