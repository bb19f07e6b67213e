//! A table of text cells: as wide as its words, sortable where asked.
use crate::chart::style::size;
use crate::chart::style::{self};
use crate::ui::widgets::roles;
use crate::ui::words::Explained as _;
use egui::{Align, Color32, Label, Layout, RichText, Role, Sense, Ui, WidgetInfo};
use egui_extras::{Column, TableBuilder, TableRow};

/// The regime's name as an owned pair of text and colour.
pub(super) type Cell = (String, Color32);

/// What a table is made of.
pub(super) struct Table<'a> {
    pub name: &'a str,
    pub headers: &'a [String],
    pub rows: usize,
    /// How many columns, from the first, hold words and are aligned left.
    pub words: usize,
    /// Whether a row is there to be chosen.
    pub chooses: bool,
}

/// The most rows measured for the widths of columns.
pub(super) const MEASURED: usize = 60;

/// A table of text cells, numbers to the right; only rows in sight are made. Returns the row clicked.
pub(super) fn table(
    ui: &mut Ui,
    table: &Table<'_>,
    cells: impl Fn(usize) -> Vec<Cell>,
) -> Option<usize> {
    sortable(ui, table, None, cells)
}

/// As [`table`], with headers that choose what to sort by; a second click turns the order round.
pub(super) fn sortable(
    ui: &mut Ui,
    table: &Table<'_>,
    mut sort: Option<&mut Option<(usize, bool)>>,
    cells: impl Fn(usize) -> Vec<Cell>,
) -> Option<usize> {
    let widths = widths(ui, table, sort.is_some(), &cells);
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
                // Tab goes to the first cell of a row only.
                .sense(match table.chooses {
                    true => Sense::CLICK,
                    false => Sense::hover(),
                })
                // The table fits its pane; the pane must not grow with the table.
                .min_scrolled_height(0.0)
                .auto_shrink(false);
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
                        let mut chosen = false;
                        for (column, (text, colour)) in cells(index).into_iter().enumerate() {
                            let told = text.clone();
                            let first = column == 0 && table.chooses;
                            let label = Label::new(RichText::new(text).color(colour)).truncate();
                            let (_, cell) = row.col(|ui| {
                                ui.with_layout(layout(column), |ui| match first {
                                    true => chosen = chooser(ui, label, &told),
                                    false => drop(ui.add(label)),
                                });
                            });
                            cell.widget_info(|| WidgetInfo::labeled(Role::Cell, true, &told));
                        }
                        if chosen || row.response().clicked() {
                            clicked = Some(index);
                        }
                    });
                });
        });
    clicked
}

/// The cell that stands for its row where the keyboard chooses one.
fn chooser(ui: &mut Ui, label: Label, name: &str) -> bool {
    let response = ui.add(label.sense(Sense::click()));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Choose {name}")));
    response.clicked()
}

/// A column's name; where columns sort, a click sorts by it and a second one turns the order round.
pub(super) fn head(
    ui: &mut Ui,
    name: &str,
    column: usize,
    sort: Option<&mut Option<(usize, bool)>>,
) {
    let muted = roles(ui).muted;
    let text = |name: String| RichText::new(name).size(size::SMALL).color(muted);
    let Some(sort) = sort else {
        ui.label(text(name.to_owned())).explained(name);
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
    let response = ui
        .add(button)
        .on_hover_text("Sort by this column")
        .explained(name);
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::ColumnHeader, true, format!("Sort by {name}"))
    });
    if response.clicked() {
        *sort = Some((column, !sorted.unwrap_or(false)));
    }
}

/// As wide as the widest of the first rows, so that nothing is cut.
pub(super) fn widths(
    ui: &Ui,
    table: &Table<'_>,
    sorts: bool,
    cells: &impl Fn(usize) -> Vec<Cell>,
) -> Vec<f32> {
    const LARGEST: f32 = 230.0;
    let measure = |text: &str| {
        let galley = ui
            .painter()
            .layout_no_wrap(text.to_owned(), style::body(), Color32::WHITE);
        galley.size().x.min(LARGEST) + 14.0
    };
    // Room for the arrow of a sorted column.
    let arrow = if sorts { 10.0 } else { 0.0 };
    let headers = table.headers.iter();
    let mut widths: Vec<f32> = headers.map(|header| measure(header) + arrow).collect();
    for row in 0..table.rows.min(MEASURED) {
        for (width, (text, _)) in widths.iter_mut().zip(cells(row)) {
            *width = width.max(measure(&text));
        }
    }
    widths
}
