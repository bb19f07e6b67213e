//! The rows of the kernel table: made again only when kernels, filters or the order change, since they may be a million.
use crate::model::profile::{Analysed, Judged, Summary, groups};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

/// A row: a line, or all lines of one name.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    pub judged: Judged,
    pub launches: u64,
    /// How many lines it stands for.
    pub lines: u32,
}

/// What can be sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    Kernel,
    Launches,
    Time,
    Part,
    Work,
    Traffic,
    Intensity,
    Rate,
    Share,
    Limiter,
    Recoverable,
    Bytes,
}

impl Column {
    /// From left to right, with their widths in points; the first takes what is left.
    pub const ALL: [(Self, &'static str, f32); 12] = [
        (Self::Kernel, "Kernel", 0.0),
        (Self::Recoverable, "Recoverable", 82.0),
        (Self::Time, "Time", 68.0),
        (Self::Part, "of time", 56.0),
        (Self::Share, "of roof", 58.0),
        (Self::Limiter, "Limiter", 108.0),
        (Self::Launches, "Launches", 62.0),
        (Self::Work, "Work", 88.0),
        (Self::Traffic, "Traffic", 76.0),
        (Self::Intensity, "Intensity", 92.0),
        (Self::Rate, "Rate", 100.0),
        (Self::Bytes, "Bytes by", 76.0),
    ];

    /// Whether it holds words, which are aligned left.
    pub fn is_words(self) -> bool {
        matches!(self, Self::Kernel | Self::Limiter | Self::Bytes)
    }
}

/// A column and whether the largest comes first.
pub type Order = (Column, bool);

/// The rows of one profile.
#[derive(Default)]
pub struct Rows {
    of: Option<Arc<Analysed>>,
    order: Option<Order>,
    pub rows: Vec<Row>,
    pub summary: Summary,
    /// Short names made so far, by line: making one takes as long as drawing a row.
    names: HashMap<u32, String>,
}

impl Rows {
    /// Makes the rows of a profile, unless they are there.
    pub fn refresh(&mut self, analysed: &Arc<Analysed>, order: Option<Order>) {
        let same = self.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, analysed));
        if same && self.order == order {
            return;
        }
        if !same {
            self.collect(analysed);
        }
        self.order = order;
        match order {
            Some(order) => sort(&mut self.rows, analysed, order),
            None if same => self.collect(analysed),
            None => {}
        }
        self.of = Some(Arc::clone(analysed));
    }

    fn collect(&mut self, analysed: &Arc<Analysed>) {
        let (profile, analysis) = (&analysed.profile, &analysed.analysis);
        let shown = profile.choices.shown(profile, analysis);
        self.summary = analysis.summary_of(profile, &shown);
        self.names.clear();
        self.rows.clear();
        if profile.choices.grouped {
            let groups = groups::by_name(profile, analysis, &shown);
            self.rows.extend(groups.iter().map(|group| Row {
                judged: group.sum,
                launches: group.launches,
                lines: group.lines.len() as u32,
            }));
        } else {
            self.rows.extend(shown.iter().map(|line| Row {
                judged: analysis.lines[*line as usize],
                launches: analysed.kernel(*line).count,
                lines: 1,
            }));
        }
    }

    /// The short name of a line.
    pub fn name(&mut self, analysed: &Analysed, line: u32) -> &str {
        self.names
            .entry(line)
            .or_insert_with(|| analysed.name(line))
    }

    /// The place of a line among the rows.
    pub fn position(&self, line: u32) -> Option<usize> {
        self.rows.iter().position(|row| row.judged.line == line)
    }
}

/// Stable, so that of equal ones the one with more to recover comes first; what is not known comes last.
fn sort(rows: &mut [Row], analysed: &Analysed, (column, largest_first): Order) {
    if column == Column::Kernel {
        let name = |row: &Row| analysed.kernel(row.judged.line).name.as_ref();
        rows.sort_by(|a, b| name(a).cmp(name(b)));
        if largest_first {
            rows.reverse();
        }
        return;
    }
    let key = |row: &Row| number(row, column);
    rows.sort_by(|a, b| match (key(a), key(b)) {
        (Some(a), Some(b)) if largest_first => b.total_cmp(&a),
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    });
}

fn number(row: &Row, column: Column) -> Option<f64> {
    let judged = &row.judged;
    match column {
        Column::Kernel | Column::Bytes => None,
        Column::Launches => Some(row.launches as f64),
        Column::Time | Column::Part => judged.time(),
        Column::Work => judged.work(),
        Column::Traffic => judged.traffic(),
        Column::Intensity => judged.intensity(),
        Column::Rate => judged.flop_rate(),
        Column::Share => judged.share(),
        Column::Recoverable => judged.recoverable(),
        Column::Limiter => judged.limiter.map(|limiter| limiter.regime() as u8 as f64),
    }
}
