//! Which column of a table is what, in which unit, and what its first rows come to.
use super::{modal, title, width};
use crate::chart::style;
use crate::chart::style::size;
use crate::files::import::profile::mapping::{Draft, Part, PreviewPoint, Unit};
use crate::files::import::profile::number::{self, Decimal};
use crate::model::cost::{Level, Path};
use crate::model::format::NumberFormat;
use crate::model::profile::ByteSource;
use crate::model::units::{self, Unit as Shown};
use crate::ui::kernels::state::Columns;
use crate::ui::request::{Request, Requests};
use crate::ui::state::{Dialog, UiState};
use crate::ui::widgets::{combo, roles};
use egui::{Align, Button, Key, Label, Layout, RichText, TextEdit, Ui};
use egui_extras::{Column, TableBuilder};

/// Width of the dialog, in points.
const WIDTH: f32 = 900.0;

/// Heights of a row of columns, of a row of the preview, and of the most columns in sight, in points.
const ROW: f32 = 27.0;
const PREVIEW_ROW: f32 = 21.0;
const MOST_COLUMNS: f32 = 14.0;

/// How many rows are previewed.
const PREVIEWED: f32 = 10.0;

/// Shows the columns and the preview; Enter reads the table so.
pub(super) fn columns(
    ui: &mut Ui,
    mut asked: Columns,
    state: &mut UiState,
    requests: &mut Requests,
) {
    let mut reads = false;
    let modal = modal(ui, "columns").show(ui.ctx(), |ui| {
        ui.set_width(width(ui, WIDTH));
        title(ui, &format!("Which column of {} is what?", asked.table.name));
        let text = "No profiler writes tables like this one, so say it once: a table with these headers is then read without asking.";
        ui.label(RichText::new(text).color(roles(ui).muted));
        ui.add_space(8.0);
        choices(ui, &mut asked.draft);
        ui.add_space(6.0);
        let undecided = asked.preview.1.undecided.as_deref();
        ui.horizontal(|ui| rest(ui, &mut asked.draft, undecided));
        asked.refresh();
        ui.add_space(10.0);
        preview(ui, &asked);
        ui.add_space(10.0);
        let (mapping, preview) = &asked.preview;
        let can = preview.problem.is_none() && preview.rows.iter().any(Result::is_ok);
        let mut cancelled = false;
        ui.horizontal(|ui| {
            let copy = ui.button("Copy the mapping").on_hover_text(
                "As a file for the command line: ridgepoint import FILE --map map.ron",
            );
            if copy.clicked()
                && let Ok(text) = mapping.to_ron()
            {
                ui.ctx().copy_text(text);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let import = Button::new("Import").fill(roles(ui).selection);
                reads = ui.add_enabled(can, import).clicked();
                cancelled = ui.button("Cancel").clicked();
            });
        });
        // A list that is open, or a button that has the keyboard, takes Enter itself.
        let free = ui.memory(|memory| memory.focused().is_none());
        reads |= can && free && ui.input(|input| input.key_pressed(Key::Enter));
        cancelled
    });
    let done = modal.inner || modal.should_close() || reads;
    if reads {
        let mapping = Box::new(asked.preview.0.clone());
        let columns = asked.table.columns.clone();
        requests.push(Request::ImportTable(asked.origin.clone(), columns, mapping));
    }
    state.dialog = (!done).then(|| Dialog::Columns(Box::new(asked)));
}

/// A row for each column of the table.
fn choices(ui: &mut Ui, draft: &mut Draft) {
    let (muted, ink) = (roles(ui).muted, roles(ui).ink);
    let rows = draft.columns.len();
    let height = MOST_COLUMNS.min(rows as f32) * (ROW + ui.spacing().item_spacing.y);
    // Something has to give where the window is low.
    let room = ui.ctx().content_rect().height() - 490.0;
    let all = ui.available_width();
    let mut asked = None;
    TableBuilder::new(ui)
        .id_salt("columns of a table")
        .max_scroll_height(height.min(room.max(90.0)))
        .min_scrolled_height(0.0)
        .cell_layout(Layout::left_to_right(Align::Center))
        .column(Column::exact((all - 580.0).max(140.0)).clip(true))
        .column(Column::exact(130.0).clip(true))
        .column(Column::exact(120.0))
        .column(Column::exact(100.0))
        .column(Column::exact(180.0))
        .header(20.0, |mut row| {
            for head in ["Column", "First row", "Is", "in", "of"] {
                row.col(|ui| {
                    ui.label(RichText::new(head).size(size::SMALL).color(muted));
                });
            }
        })
        .body(|body| {
            body.rows(ROW, rows, |mut row| {
                let at = row.index();
                let column = &mut draft.columns[at];
                let used = column.part != Part::Nothing;
                let text = RichText::new(&column.name).color(if used { ink } else { muted });
                row.col(|ui| {
                    ui.add(Label::new(text).truncate().selectable(false));
                });
                row.col(|ui| {
                    let text = RichText::new(&column.first).color(muted);
                    ui.add(Label::new(text).truncate().selectable(false));
                });
                row.col(|ui| {
                    let parts = Part::ALL.map(|part| (part, part.name().to_owned()));
                    let label = format!("What {} is", column.name);
                    if let Some(Some(part)) =
                        combo(ui, &label, Some(column.part), &parts, None, 100.0)
                    {
                        asked = Some((at, Asked::Part(part)));
                    }
                });
                row.col(|ui| {
                    if column.part.dimension().is_some()
                        && let Some(unit) = unit(ui, &column.name, &column.unit, column.part)
                    {
                        asked = Some((at, Asked::Unit(unit)));
                    }
                });
                row.col(|ui| match column.part {
                    Part::Work | Part::WorkRate => {
                        let label = format!("Path of {}", column.name);
                        let paths = paths().map(|path| (path, path.to_string()));
                        let paths: Vec<_> = paths.collect();
                        if let Some(Some(path)) =
                            combo(ui, &label, Some(column.path), &paths, None, 150.0)
                        {
                            column.path = path;
                        }
                    }
                    Part::Traffic | Part::TrafficRate | Part::Intensity => {
                        let label = format!("Level of {}", column.name);
                        let levels = Level::ALL.map(|level| (level, level.name().to_owned()));
                        if let Some(Some(level)) =
                            combo(ui, &label, Some(column.level), &levels, None, 150.0)
                        {
                            column.level = level;
                        }
                    }
                    _ => {}
                });
            });
        });
    match asked {
        Some((column, Asked::Part(part))) => draft.set(column, part),
        Some((column, Asked::Unit(unit))) => draft.set_unit(column, &unit),
        None => {}
    }
}

/// What was changed of a column.
enum Asked {
    Part(Part),
    Unit(String),
}

/// The unit of a column's numbers, free to be typed.
fn unit(ui: &mut Ui, column: &str, unit: &str, part: Part) -> Option<String> {
    let mut text = unit.to_owned();
    let is_one = Unit::read(unit).is_some();
    let warning = roles(ui).warning;
    let changed = ui
        .scope(|ui| {
            if !is_one {
                ui.visuals_mut().widgets.inactive.bg_stroke.color = warning;
            }
            let edit = TextEdit::singleline(&mut text)
                .id_salt(("unit", column))
                .desired_width(84.0);
            let hint = format!("Such as {}", part.units().join(", "));
            let response = ui.add(edit).on_hover_text(hint);
            response.widget_info(|| {
                let label = format!("Unit of {column}");
                let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, label);
                info.current_text_value = Some(unit.to_owned());
                info
            });
            response.changed()
        })
        .inner;
    changed.then_some(text)
}

/// The paths work is usually of.
fn paths() -> impl Iterator<Item = Path> {
    let vector = [NumberFormat::FP64, NumberFormat::FP32, NumberFormat::FP16];
    let vector = vector.into_iter().map(Path::vector);
    vector.chain(NumberFormat::ALL.into_iter().map(Path::matrix))
}

/// Where bytes come from, and how numbers are written; `undecided` is one that may be read in two ways.
fn rest(ui: &mut Ui, draft: &mut Draft, undecided: Option<&str>) {
    let sources = ByteSource::ALL.map(|source| (source, source.name().to_owned()));
    let now = sources
        .iter()
        .find(|(_, name)| Some(name) == draft.rest.byte_source.as_ref());
    let now = now.map_or(ByteSource::User, |(source, _)| *source);
    ui.label("Bytes by");
    if let Some(Some(source)) = combo(
        ui,
        "Where bytes come from",
        Some(now),
        &sources,
        None,
        110.0,
    ) {
        draft.rest.byte_source = Some(source.name().to_owned());
    }
    ui.add_space(18.0);
    let unanswered = undecided.is_some() && draft.rest.decimal.is_none();
    let colour = if unanswered {
        roles(ui).warning
    } else {
        roles(ui).ink
    };
    ui.label(RichText::new("Numbers are written like").color(colour));
    let marks = [Decimal::Point, Decimal::Comma].map(|mark| {
        let becomes = undecided.and_then(|number| Some((number, number::reading(number, mark)?)));
        let text = match becomes {
            Some((number, reading)) => format!("{}: {number} is {reading}", mark.example()),
            None => mark.example().to_owned(),
        };
        (mark, text)
    });
    let found = match undecided {
        Some(_) => "choose: not told by the file",
        None => "as found in the file",
    };
    let now = draft.rest.decimal;
    if let Some(mark) = combo(ui, "Decimal mark", now, &marks, Some(found), 200.0) {
        draft.rest.decimal = mark;
    }
}

/// What the first rows come to, or what keeps them from it.
fn preview(ui: &mut Ui, asked: &Columns) {
    let roles = roles(ui);
    let preview = &asked.preview.1;
    ui.label(RichText::new("The first rows, read so").font(style::strong(size::CONTROL)));
    // The room is taken whatever is in it, so that nothing jumps while columns are chosen.
    let low = ui.ctx().content_rect().height() < 820.0;
    let rows = if low { PREVIEWED / 2.0 } else { PREVIEWED };
    let height = 24.0 + rows * (PREVIEW_ROW + ui.spacing().item_spacing.y);
    let room = egui::vec2(ui.available_width(), height);
    ui.allocate_ui(room, |ui| {
        ui.set_min_size(room);
        if let Some(problem) = &preview.problem {
            let text = format!("Not yet: {problem}.");
            ui.label(RichText::new(text).color(roles.warning));
            for strange in asked.table.strange_units() {
                ui.label(RichText::new(strange).small().color(roles.muted));
            }
            return;
        }
        let all = ui.available_width();
        let mut builder = TableBuilder::new(ui)
            .id_salt("preview of a table")
            .min_scrolled_height(0.0)
            .max_scroll_height(height - 24.0)
            .column(Column::exact((all - 6.0 * 108.0).max(120.0)).clip(true));
        for _ in 0..6 {
            builder = builder.column(Column::exact(100.0).clip(true));
        }
        let heads = [
            "Kernel",
            "Time",
            "Work",
            "Traffic",
            "Intensity",
            "Rate",
            "Bandwidth",
        ];
        let layout = |column: usize| match column {
            0 => Layout::left_to_right(Align::Center),
            _ => Layout::right_to_left(Align::Center),
        };
        builder
            .header(20.0, |mut row| {
                for (at, head) in heads.iter().enumerate() {
                    row.col(|ui| {
                        let text = RichText::new(*head).size(size::SMALL).color(roles.muted);
                        ui.with_layout(layout(at), |ui| ui.label(text));
                    });
                }
            })
            .body(|mut body| {
                for point in &preview.rows {
                    body.row(PREVIEW_ROW, |mut row| {
                        let cells = match point {
                            Ok(point) => cells(point),
                            Err(reason) => vec![format!("Not used: {reason}")],
                        };
                        for (at, text) in cells.into_iter().enumerate() {
                            let colour = match (point.is_ok(), text.as_str()) {
                                (false, _) => roles.warning,
                                (_, MISSING) => roles.faint,
                                _ => roles.ink,
                            };
                            row.col(|ui| {
                                ui.with_layout(layout(at), |ui| {
                                    let text = RichText::new(text).color(colour);
                                    ui.add(Label::new(text).truncate().selectable(false));
                                });
                            });
                        }
                    });
                }
            });
    });
}

/// What stands where a row has no such number.
const MISSING: &str = "–";

fn cells(point: &PreviewPoint) -> Vec<String> {
    let short = |value: Option<f64>, unit: Shown| {
        value.map_or_else(|| MISSING.to_owned(), |value| units::short(value, unit))
    };
    let name = match point.launch.as_str() {
        "" => point.name.clone(),
        launch => format!("{} · {launch}", point.name),
    };
    let amount = |value: Option<f64>| value.filter(|_| !point.per_second);
    vec![
        name,
        short(amount(point.time), Shown::Second),
        short(amount(point.total_work()), Shown::Flop),
        short(
            amount(point.traffic.first().map(|(_, bytes)| *bytes)),
            Shown::Byte,
        ),
        short(point.intensity(), Shown::FlopPerByte),
        short(point.work_rate(), Shown::FlopPerSecond),
        short(point.traffic_rate(), Shown::BytePerSecond),
    ]
}
