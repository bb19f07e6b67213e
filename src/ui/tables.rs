//! The tables below the chart: the sweep, every workload on every GPU, and the notes.
use super::derived::{Derived, Pair};
use super::request::{Request, Requests};
use super::state::{Tab, UiState};
use super::widgets::{Field, roles, text_field};
use crate::chart::fonts;
use crate::chart::style::{self, Style};
use crate::model::compare;
use crate::model::session::{Session, Workload};
use crate::model::sweep::{self, Row, Sweep, SweepResult};
use crate::model::units::{self, Unit};
use crate::model::view::View;
use egui::{Align, Color32, Label, Layout, RichText, Sense, Ui, vec2};
use egui_extras::{Column, TableBuilder, TableRow};

/// Shows the tabs and the table chosen.
pub fn tables(
    ui: &mut Ui,
    session: &mut Session,
    view: &mut View,
    derived: &Derived,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let parameter = derived
        .selected
        .as_ref()
        .and_then(|s| s.sweep.as_ref().ok());
    let sweep_name = match parameter {
        Some(result) => format!("Sweep: {}", result.parameter.replace('_', " ")),
        None => "Sweep".to_owned(),
    };
    ui.horizontal(|ui| {
        for (tab, name) in [
            (Tab::Sweep, sweep_name.as_str()),
            (Tab::Workloads, "Workloads on GPUs"),
            (Tab::Compare, "Compare GPUs"),
            (Tab::Notes, "Title and notes"),
        ] {
            if tab_button(ui, name, state.tab == tab) {
                state.tab = tab;
            }
        }
    });
    ui.add_space(6.0);
    match state.tab {
        Tab::Sweep => sweep_tab(ui, session, view, derived),
        Tab::Workloads => workloads_tab(ui, session, derived, requests),
        Tab::Compare => compare_tab(ui, session, derived, state, requests),
        Tab::Notes => notes_tab(ui, session),
    }
}

fn tab_button(ui: &mut Ui, name: &str, on: bool) -> bool {
    let roles = roles(ui);
    let text = RichText::new(name).color(if on { roles.ink } else { roles.muted });
    let text = if on { text.family(fonts::bold()) } else { text };
    let response = ui.add(Label::new(text).sense(Sense::click()));
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Tab, true, on, name));
    if on || response.has_focus() {
        let y = response.rect.bottom() + 4.0;
        let stroke = egui::Stroke::new(2.0, roles.accent);
        ui.painter().hline(response.rect.x_range(), y, stroke);
    }
    ui.add_space(10.0);
    response.clicked()
}

fn sweep_tab(ui: &mut Ui, session: &Session, view: &mut View, derived: &Derived) {
    let roles = roles(ui);
    let selected = derived.selected.as_ref();
    let Some((selected, workload)) =
        selected.and_then(|s| Some((s, session.workload(s.workload)?)))
    else {
        ui.label(
            RichText::new("Select a workload and a GPU to sweep a parameter.").color(roles.muted),
        );
        return;
    };
    ui.horizontal(|ui| {
        sweep_controls(ui, workload, view);
        ui.add_space(6.0);
        match &selected.sweep {
            Ok(result) => crossover(ui, result, roles),
            Err(error) => {
                ui.label(
                    RichText::new(error.to_string())
                        .small()
                        .color(roles.warning),
                );
            }
        }
    });
    ui.add_space(4.0);
    if let Ok(result) = &selected.sweep {
        sweep_table(ui, result, roles);
    }
}

fn sweep_controls(ui: &mut Ui, workload: &Workload, view: &mut View) {
    let current = view.sweep_for(workload);
    let mut parameter = current.parameter.clone();
    let label = ui.label("Parameter");
    let combo = egui::ComboBox::from_id_salt("sweep parameter").width(118.0);
    let shown = combo
        .selected_text(parameter.replace('_', " "))
        .show_ui(ui, |ui| {
            for name in workload.kind.numeric_parameters() {
                ui.selectable_value(&mut parameter, name.to_owned(), name.replace('_', " "));
            }
        });
    shown.response.labelled_by(label.id);
    if parameter != current.parameter {
        let now = workload.kind.number(&parameter).unwrap_or(1.0).max(1e-9);
        let default = Sweep::default_for(&workload.kind);
        let values = if default.parameter == parameter {
            default.values
        } else {
            // Around the present value; counts stay whole.
            (-2..=3)
                .map(|i| now * 4f64.powi(i))
                .map(|v| if now >= 16.0 { v.round() } else { v.max(now) })
                .collect()
        };
        view.sweep = Some(Sweep { parameter, values });
        return;
    }
    let unit = sweep::parameter_unit(&workload.kind, &current.parameter).unwrap_or(Unit::One);
    let text = current.values_text(unit);
    let field = Field {
        label: "Sweep values",
        hint: "A list such as 1, 4, 16 or a range: 1..1024 x4 multiplies, 0..100 +10 adds",
        shown: text.clone(),
        exact: text,
        placeholder: "1..1024 x4",
    };
    ui.label("Values");
    let vertical = Layout::top_down(Align::Min);
    ui.allocate_ui_with_layout(vec2(230.0, 26.0), vertical, |ui| {
        text_field(ui, &field, |text| {
            let values = Sweep::parse_values(text, unit).map_err(|error| error.to_string())?;
            let parameter = current.parameter.clone();
            view.sweep = Some(Sweep { parameter, values });
            Ok(())
        });
    });
}

fn crossover(ui: &mut Ui, result: &SweepResult, roles: &Style) {
    let text = match (result.crossover, result.first_whole) {
        (Some(at), Some(whole)) if result.unit == Unit::One => format!(
            "Flips at {}; first whole value {}",
            units::number(at),
            units::number(whole)
        ),
        (Some(at), _) => format!("Flips at {}", sweep::value_text(at, result.unit)),
        (None, _) => "The regime never flips".to_owned(),
    };
    ui.label(RichText::new(text).size(12.0).color(roles.muted));
}

/// The regime's name as an owned pair of text and colour.
type Cell = (String, Color32);

fn sweep_table(ui: &mut Ui, result: &SweepResult, roles: &Style) {
    let outcome = result.rows.iter().find_map(|row| row.outcome.as_ref().ok());
    let items = outcome.map_or("execution", |outcome| outcome.items.name);
    let per_user = items == "token";
    let mut headers = vec![
        result.parameter.replace('_', " "),
        "Intensity".to_owned(),
        "Regime".to_owned(),
        "Step time".to_owned(),
    ];
    if per_user {
        headers.push("Tokens/s, total".to_owned());
        headers.push("Tokens/s per user".to_owned());
    } else {
        headers.push(format!("{items}s/s"));
    }
    let rows = result.rows.len();
    let spec = Table {
        name: "sweep",
        headers: &headers,
        rows,
        words: 0,
    };
    table(ui, &spec, |index| {
        sweep_cells(&result.rows[index], result.unit, per_user, roles)
    });
}

fn sweep_cells(row: &Row, unit: Unit, per_user: bool, roles: &Style) -> Vec<Cell> {
    let value = (sweep::value_text(row.value, unit), roles.ink);
    let outcome = match &row.outcome {
        Ok(outcome) => outcome,
        Err(reason) => return vec![value, (reason.clone(), roles.warning)],
    };
    let placement = &outcome.placement;
    let intensity = placement
        .intensity()
        .map_or("none".to_owned(), |i| i.to_string());
    let rate = |rate: Option<f64>| (rate.map(units::number).unwrap_or_default(), roles.ink);
    let regime = placement.regime();
    let mut cells = vec![
        value,
        (intensity, roles.ink),
        (regime.name().to_owned(), roles.regime(regime)),
        (placement.time().to_string(), roles.ink),
        rate(outcome.items_per_second()),
    ];
    if per_user {
        cells.push(rate(outcome.items_per_second_per_user()));
    }
    cells
}

fn workloads_tab(ui: &mut Ui, session: &Session, derived: &Derived, requests: &mut Requests) {
    let roles = roles(ui);
    let headers = [
        "Workload",
        "GPU",
        "Intensity",
        "Ridge",
        "Regime",
        "Time",
        "Attainable",
        "Measured",
        "Share",
    ];
    let headers = headers.map(str::to_owned);
    let spec = Table {
        name: "workloads",
        headers: &headers,
        rows: derived.pairs.len(),
        words: 2,
    };
    let clicked = table(ui, &spec, |index| {
        pair_cells(session, &derived.pairs[index], roles)
    });
    if let Some(pair) = clicked.map(|index| &derived.pairs[index]) {
        requests.push(Request::Select(pair.workload));
        requests.push(Request::Activate(pair.gpu));
    }
}

fn pair_cells(session: &Session, pair: &Pair, roles: &Style) -> Vec<Cell> {
    let name = |name: Option<&str>| (name.unwrap_or_default().to_owned(), roles.ink);
    let workload = session
        .workload(pair.workload)
        .map(|workload| workload.name.as_str());
    let gpu = session.gpu(pair.gpu).map(|gpu| gpu.name.as_str());
    let mut cells = vec![name(workload), name(gpu)];
    match &pair.placement {
        Ok(p) => {
            let or_none = |text: Option<String>| (text.unwrap_or("none".to_owned()), roles.ink);
            cells.push(or_none(p.intensity().map(|i| i.to_string())));
            cells.push(or_none(p.ridge().map(|r| r.to_string())));
            cells.push((p.regime().name().to_owned(), roles.regime(p.regime())));
            cells.push((p.time().to_string(), roles.ink));
            cells.push(or_none(p.attainable().map(|a| a.to_string())));
        }
        Err(reason) => {
            cells.push((reason.to_string(), roles.warning));
            return cells;
        }
    }
    if let Some(Ok(a)) = &pair.assessment {
        cells.push((a.measured.to_string(), roles.ink));
        cells.push((units::percent(a.share), roles.ink));
    }
    cells
}

/// The selected workload on each visible GPU, sorted by the column clicked.
fn compare_tab(
    ui: &mut Ui,
    session: &Session,
    derived: &Derived,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let roles = roles(ui);
    let Some(selected) = &derived.selected else {
        ui.label(RichText::new("Select a workload to compare GPUs on it.").color(roles.muted));
        return;
    };
    let name = |row: &compare::Row| session.gpu(row.gpu).map_or("", |gpu| gpu.name.as_str());
    let mut rows: Vec<&compare::Row> = selected.compared.iter().collect();
    if let Some((column, largest_first)) = state.compare_sort {
        let number = |row: &compare::Row| match column {
            2 => row.peak.map(|peak| peak.get()),
            3 => row.bandwidth.map(|bandwidth| bandwidth.get()),
            4 => row.ridge.map(|ridge| ridge.get()),
            5 => row.time.map(|time| time.get()),
            _ => row.speed,
        };
        match column {
            0 => rows.sort_by(|a, b| name(a).cmp(name(b))),
            1 => rows.sort_by_key(|row| row.path),
            7 => rows.sort_by(|a, b| a.decides.cmp(&b.decides)),
            _ => rows.sort_by(|a, b| {
                f64::total_cmp(&number(a).unwrap_or(-1.0), &number(b).unwrap_or(-1.0))
            }),
        }
        if largest_first {
            rows.reverse();
        }
    }
    let headers = [
        "GPU",
        "Path",
        "Peak",
        "Bandwidth",
        "Ridge",
        "Time",
        "Speed",
        "Decides",
    ];
    let headers = headers.map(str::to_owned);
    let spec = Table {
        name: "compare",
        headers: &headers,
        rows: rows.len(),
        words: 2,
    };
    let clicked = sortable(ui, &spec, Some(&mut state.compare_sort), |index| {
        let row = rows[index];
        let text = |text: Option<String>| (text.unwrap_or("none".to_owned()), roles.ink);
        vec![
            (name(row).to_owned(), roles.ink),
            text(row.path.map(|path| path.to_string())),
            text(row.peak.map(|peak| peak.to_string())),
            text(row.bandwidth.map(|bandwidth| bandwidth.to_string())),
            text(row.ridge.map(|ridge| ridge.to_string())),
            text(row.time.map(|time| time.to_string())),
            text(row.speed.map(units::factor)),
            (row.decides.clone(), roles.muted),
        ]
    });
    if let Some(row) = clicked.map(|index| rows[index]) {
        requests.push(Request::Activate(row.gpu));
    }
}

/// What a table is made of.
struct Table<'a> {
    name: &'a str,
    headers: &'a [String],
    rows: usize,
    /// How many columns, from the first, hold words and are aligned left.
    words: usize,
}

/// The most rows measured for the widths of columns.
const MEASURED: usize = 60;

/// A table of text cells, numbers to the right; only rows in sight are made. Returns the row clicked.
fn table(ui: &mut Ui, table: &Table<'_>, cells: impl Fn(usize) -> Vec<Cell>) -> Option<usize> {
    sortable(ui, table, None, cells)
}

/// As [`table`], with headers that choose what to sort by; a second click turns the order round.
fn sortable(
    ui: &mut Ui,
    table: &Table<'_>,
    mut sort: Option<&mut Option<(usize, bool)>>,
    cells: impl Fn(usize) -> Vec<Cell>,
) -> Option<usize> {
    let widths = widths(ui, table, &cells);
    let mut clicked = None;
    let layout = |column: usize| {
        let left = column < table.words;
        if left {
            Layout::left_to_right(Align::Center)
        } else {
            Layout::right_to_left(Align::Center)
        }
    };
    egui::ScrollArea::horizontal()
        .id_salt(table.name)
        .show(ui, |ui| {
            let mut builder = TableBuilder::new(ui)
                .id_salt(table.name)
                .min_scrolled_height(0.0)
                .sense(Sense::click());
            for width in &widths {
                builder = builder.column(Column::exact(*width));
            }
            let mut header = |row: &mut TableRow<'_, '_>| {
                for (column, header) in table.headers.iter().enumerate() {
                    row.col(|ui| {
                        ui.with_layout(layout(column), |ui| {
                            head(ui, header, column, sort.as_deref_mut());
                        });
                    });
                }
            };
            builder
                .header(22.0, |mut row| header(&mut row))
                .body(|body| {
                    body.rows(24.0, table.rows, |mut row| {
                        let index = row.index();
                        for (column, (text, colour)) in cells(index).into_iter().enumerate() {
                            let label = Label::new(RichText::new(text).color(colour)).truncate();
                            row.col(|ui| drop(ui.with_layout(layout(column), |ui| ui.add(label))));
                        }
                        if row.response().clicked() {
                            clicked = Some(index);
                        }
                    });
                });
        });
    clicked
}

/// A column's name; where columns sort, a click sorts by it and a second one turns the order round.
fn head(ui: &mut Ui, name: &str, column: usize, sort: Option<&mut Option<(usize, bool)>>) {
    let muted = roles(ui).muted;
    let text = |name: String| RichText::new(name).size(12.0).color(muted);
    let Some(sort) = sort else {
        ui.label(text(name.to_owned()));
        return;
    };
    let sorted = sort
        .filter(|(by, _)| *by == column)
        .map(|(_, largest_first)| largest_first);
    let arrow = match sorted {
        Some(true) => " ↓",
        Some(false) => " ↑",
        None => "",
    };
    let button = egui::Button::new(text(format!("{name}{arrow}"))).frame(false);
    let response = ui.add(button).on_hover_text("Sort by this column");
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::ColumnHeader, true, format!("Sort by {name}"))
    });
    if response.clicked() {
        *sort = Some((column, !sorted.unwrap_or(false)));
    }
}

/// As wide as the widest of the first rows, so that nothing is cut.
fn widths(ui: &Ui, table: &Table<'_>, cells: &impl Fn(usize) -> Vec<Cell>) -> Vec<f32> {
    const LARGEST: f32 = 320.0;
    let measure = |text: &str| {
        let galley = ui
            .painter()
            .layout_no_wrap(text.to_owned(), style::body(), Color32::WHITE);
        galley.size().x.min(LARGEST) + 14.0
    };
    // Room for the arrow of a sorted column.
    let mut widths: Vec<f32> = table
        .headers
        .iter()
        .map(|header| measure(header) + 10.0)
        .collect();
    for row in 0..table.rows.min(MEASURED) {
        for (width, (text, _)) in widths.iter_mut().zip(cells(row)) {
            *width = width.max(measure(&text));
        }
    }
    widths
}

fn notes_tab(ui: &mut Ui, session: &mut Session) {
    ui.horizontal(|ui| {
        let label = ui.label("Title");
        let title = egui::TextEdit::singleline(&mut session.title)
            .desired_width(420.0)
            .hint_text("What this session shows");
        ui.add(title).labelled_by(label.id);
    });
    let label = ui.label("Notes");
    egui::ScrollArea::vertical().show(ui, |ui| {
        let notes = egui::TextEdit::multiline(&mut session.notes)
            .desired_width(ui.available_width() - 8.0)
            .desired_rows(4)
            .hint_text("Assumptions, sources, what to look at; saved with the session");
        ui.add(notes).labelled_by(label.id);
    });
    ui.allocate_space(vec2(0.0, 4.0));
}
