//! One list of columns, written as text, Markdown, CSV or JSON: the four cannot tell different numbers.
use super::format::Format;
use crate::model::units::{self, Unit};
use serde_json::{Map, Value};

/// One value of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Unknown,
    Number(f64),
    Text(String),
    List(Vec<String>),
    /// A value that people read otherwise than programs do.
    Both {
        data: Value,
        text: String,
    },
}

impl Cell {
    /// A number where there is one.
    pub fn number(value: Option<f64>) -> Self {
        value.map_or(Self::Unknown, Self::Number)
    }

    /// Whether something is so, where that is known.
    pub fn yes_or_no(answer: Option<bool>) -> Self {
        answer.map_or(Self::Unknown, |answer| Self::Both {
            data: answer.into(),
            text: answer.to_string(),
        })
    }

    /// Text where there is some.
    pub fn text(text: Option<impl Into<String>>) -> Self {
        text.map_or(Self::Unknown, |text| Self::Text(text.into()))
    }
}

/// How people read the numbers of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    In(Unit),
    Percent,
}

/// A column: how programs and people call it, and its value in a row.
pub struct Column<'a, R> {
    /// The key in JSON.
    pub key: &'static str,
    /// The heading in CSV, with its unit: the key, where that names it.
    pub csv: String,
    /// The heading for people; `None` leaves it to programs.
    pub title: Option<String>,
    pub shown: Shown,
    pub cell: Box<dyn Fn(&R) -> Cell + 'a>,
}

impl<'a, R> Column<'a, R> {
    /// A column of numbers.
    pub fn numbers(
        key: &'static str,
        title: Option<&'static str>,
        shown: Shown,
        value: impl Fn(&R) -> Option<f64> + 'a,
    ) -> Self {
        Self {
            key,
            csv: key.to_owned(),
            title: title.map(str::to_owned),
            shown,
            cell: Box::new(move |row| Cell::number(value(row))),
        }
    }

    /// A column of anything else.
    pub fn words(
        key: &'static str,
        title: Option<&'static str>,
        cell: impl Fn(&R) -> Cell + 'a,
    ) -> Self {
        Self {
            key,
            csv: key.to_owned(),
            title: title.map(str::to_owned),
            shown: Shown::In(Unit::One),
            cell: Box::new(cell),
        }
    }
}

/// The rows in one of the forms, with a line end after the last.
pub fn write<R>(columns: &[Column<'_, R>], rows: &[R], format: Format) -> String {
    match format {
        Format::Text => text(columns, rows),
        Format::Markdown => markdown(columns, rows),
        Format::Csv => csv(columns, rows),
        Format::Json => json_text(&json(columns, rows)),
    }
}

/// The rows as a list of JSON objects.
pub fn json<R>(columns: &[Column<'_, R>], rows: &[R]) -> Value {
    let object = |row: &R| {
        let fields = columns.iter().map(|column| {
            let value = match (column.cell)(row) {
                Cell::Unknown => Value::Null,
                Cell::Number(number) => number_value(number, column.shown),
                Cell::Text(text) => text.into(),
                Cell::List(list) => list.into(),
                Cell::Both { data, .. } => data,
            };
            (column.key.to_owned(), value)
        });
        Value::Object(fields.collect::<Map<_, _>>())
    };
    rows.iter().map(object).collect()
}

/// A number in JSON: of what is counted as an integer where it is whole.
fn number_value(number: f64, shown: Shown) -> Value {
    match shown {
        Shown::In(Unit::One | Unit::Flop | Unit::Byte) => count_value(number),
        _ => number.into(),
    }
}

/// A count in JSON: an integer where it is whole.
pub fn count_value(number: f64) -> Value {
    // Every whole number up to here is exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match number.fract() == 0.0 && (0.0..=EXACT).contains(&number) {
        true => (number as u64).into(),
        false => number.into(),
    }
}

/// JSON laid out in lines.
pub fn json_text(value: &Value) -> String {
    format!("{value:#}\n")
}

fn csv<R>(columns: &[Column<'_, R>], rows: &[R]) -> String {
    let heads = columns.iter().map(|column| column.csv.clone());
    let mut out = csv_line(heads);
    for row in rows {
        let fields = columns.iter().map(|column| match (column.cell)(row) {
            Cell::Unknown => String::new(),
            Cell::Number(number) => number.to_string(),
            Cell::Text(text) => text,
            Cell::List(list) => list.join("; "),
            Cell::Both { data, text } => data.as_str().map_or(text, str::to_owned),
        });
        out += &csv_line(fields);
    }
    out
}

fn csv_line(fields: impl Iterator<Item = String>) -> String {
    let quoted: Vec<_> = fields
        .map(|field| {
            if field.contains(['"', ',', '\n', '\r']) {
                format!("\"{}\"", field.replace('"', "\"\""))
            } else {
                field
            }
        })
        .collect();
    quoted.join(",") + "\r\n"
}

/// The columns people read, as headings and texts; those that say nothing in any row are left out.
fn readable<R>(columns: &[Column<'_, R>], rows: &[R]) -> Vec<Readable> {
    let columns = columns.iter().filter_map(|column| {
        let title = column.title.clone()?;
        let cells: Vec<_> = rows.iter().map(|row| (column.cell)(row)).collect();
        let says = cells.iter().any(|cell| *cell != Cell::Unknown);
        says.then(|| Readable {
            title,
            right: cells.iter().any(|cell| matches!(cell, Cell::Number(_))),
            cells: cells
                .into_iter()
                .map(|cell| human(cell, column.shown))
                .collect(),
        })
    });
    columns.collect()
}

struct Readable {
    title: String,
    /// Numbers stand at the right.
    right: bool,
    cells: Vec<String>,
}

fn human(cell: Cell, shown: Shown) -> String {
    let text = match cell {
        Cell::Unknown => "–".to_owned(),
        Cell::Number(number) => match shown {
            Shown::Percent => units::percent(number),
            Shown::In(Unit::One) => units::count(number),
            Shown::In(unit) => units::short(number, unit),
        },
        Cell::Text(text) | Cell::Both { text, .. } => text,
        Cell::List(list) => list.join("; "),
    };
    text.replace(['\n', '\r', '\t'], " ")
}

fn text<R>(columns: &[Column<'_, R>], rows: &[R]) -> String {
    let columns = readable(columns, rows);
    let width = |text: &str| text.chars().count();
    let widths: Vec<usize> = columns
        .iter()
        .map(|column| {
            let cells = column.cells.iter().map(|cell| width(cell));
            cells.chain([width(&column.title)]).max().unwrap_or(0)
        })
        .collect();
    let line = |texts: Vec<&str>| {
        let mut line = String::new();
        for ((text, column), widest) in texts.into_iter().zip(&columns).zip(&widths) {
            let gap = " ".repeat(widest - width(text));
            line += &if column.right {
                format!("{gap}{text}  ")
            } else {
                format!("{text}{gap}  ")
            };
        }
        line.trim_end().to_owned() + "\n"
    };
    let mut out = line(columns.iter().map(|c| c.title.as_str()).collect());
    for row in 0..rows.len() {
        out += &line(columns.iter().map(|c| c.cells[row].as_str()).collect());
    }
    out
}

fn markdown<R>(columns: &[Column<'_, R>], rows: &[R]) -> String {
    let columns = readable(columns, rows);
    let line = |texts: Vec<String>| format!("| {} |\n", texts.join(" | "));
    let mut out = line(columns.iter().map(|c| c.title.clone()).collect());
    let rules = columns.iter().map(|c| if c.right { "--:" } else { "---" });
    out += &line(rules.map(str::to_owned).collect());
    for row in 0..rows.len() {
        let cells = columns.iter().map(|c| c.cells[row].replace('|', "\\|"));
        out += &line(cells.collect());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column<'static, (&'static str, Option<f64>)>> {
        vec![
            Column::words("name", Some("Name"), |row: &(&str, _)| {
                Cell::Text(row.0.to_owned())
            }),
            Column::numbers(
                "time_s",
                Some("Time"),
                Shown::In(Unit::Second),
                |row: &(_, Option<f64>)| row.1,
            ),
            Column::numbers("none", Some("None"), Shown::Percent, |_| None),
        ]
    }

    const ROWS: [(&str, Option<f64>); 3] = [
        ("a, \"b\"", Some(0.0047)),
        ("é|x", None),
        ("c", Some(-0.002)),
    ];

    #[test]
    fn text_is_aligned() {
        let expected = "Name      Time\na, \"b\"  4.7 ms\né|x          –\nc        -2 ms\n";
        assert_eq!(write(&columns(), &ROWS, Format::Text), expected);
    }

    #[test]
    fn markdown_escapes_bars() {
        let expected =
            "| Name | Time |\n| --- | --: |\n| a, \"b\" | 4.7 ms |\n| é\\|x | – |\n| c | -2 ms |\n";
        assert_eq!(write(&columns(), &ROWS, Format::Markdown), expected);
    }

    #[test]
    fn csv_quotes_what_it_must() {
        let expected = "name,time_s,none\r\n\"a, \"\"b\"\"\",0.0047,\r\né|x,,\r\nc,-0.002,\r\n";
        assert_eq!(write(&columns(), &ROWS, Format::Csv), expected);
    }

    #[test]
    fn json_keeps_order_and_precision() {
        let value = json(&columns(), &ROWS[..1]);
        let expected = r#"[{"name":"a, \"b\"","time_s":0.0047,"none":null}]"#;
        assert_eq!(value.to_string(), expected);
    }
}
