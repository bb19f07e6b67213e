//! Beside a heat map: what its colours, lines and hatching mean, and one cell in words.
use super::cells::{Range, letter, written};
use crate::chart::labels::shortened;
use crate::chart::scale;
use crate::chart::style::size;
use crate::chart::style::{self, Style};
use crate::model::placement::Regime;
use crate::model::sweep::grid::{Cell, GridResult, Shown};
use crate::model::sweep::value_text;
use crate::model::units;
use egui::{Align2, Color32, Mesh, Rect, Stroke, Ui, pos2, vec2};

const LINE: f32 = 16.0;
const SWATCH: f32 = 14.0;

/// The scale with its numbers, or the regimes; and what else is drawn on this map.
pub(super) fn legend(ui: &Ui, area: Rect, result: &GridResult, shown: Shown, roles: &Style) {
    let cells = || result.cells.iter().filter_map(|cell| cell.as_ref().ok());
    let mut regimes: Vec<Regime> = cells().map(|cell| cell.regime).collect();
    regimes.sort();
    regimes.dedup();
    let mut signs: Vec<(Sign, String)> = Vec::new();
    if shown == Shown::Regime {
        let named = |regime: &Regime| (Sign::Regime(*regime), regime.name().to_owned());
        signs.extend(regimes.iter().map(named));
    } else if regimes.len() > 1 {
        signs.push((Sign::Line, "regime flips".to_owned()));
    }
    let faster = |cell: &Cell| cell.ratio.is_some_and(|ratio| ratio >= 1.0);
    if shown == Shown::Ratio && cells().any(faster) && !cells().all(faster) {
        signs.push((Sign::Dashes, "equally fast".to_owned()));
    }
    if cells().any(|cell| cell.fits == Some(false)) {
        signs.push((Sign::Hatch, "does not fit".to_owned()));
    }
    // Not lower than the map, nor its labels.
    let bottom = area.bottom() - LINE - 2.0;
    let mut top = area.top() + LINE;
    if shown != Shown::Regime
        && let Some(range) = Range::of(result, shown)
    {
        let bar_bottom = bottom - signs.len() as f32 * LINE - 8.0;
        bar(
            ui,
            Rect::from_min_max(pos2(area.left(), top), pos2(area.right(), bar_bottom)),
            range,
            shown,
            roles,
        );
        top = bar_bottom + 8.0;
    }
    for (index, (sign, text)) in signs.iter().enumerate() {
        let left = pos2(area.left(), top + LINE * index as f32);
        let swatch = Rect::from_min_size(left + vec2(0.0, 1.0), vec2(SWATCH, SWATCH - 1.0));
        sign.paint(ui, swatch, roles);
        let at = left + vec2(SWATCH + 7.0, LINE / 2.0);
        ui.painter()
            .text(at, Align2::LEFT_CENTER, text, style::small(), roles.ink);
    }
}

fn bar(ui: &Ui, area: Rect, range: Range, shown: Shown, roles: &Style) {
    let painter = ui.painter();
    let bar = Rect::from_min_size(area.min, vec2(SWATCH, area.height().max(24.0)));
    let mut mesh = Mesh::default();
    let steps = bar.height().round() as usize;
    for step in 0..steps {
        let part = 1.0 - (step as f64 + 0.5) / steps as f64;
        let line = Rect::from_min_size(bar.min + vec2(0.0, step as f32), vec2(SWATCH, 1.0));
        mesh.add_colored_rect(line, scale::colour(scale::shade(part)));
    }
    painter.add(mesh);
    painter.rect_stroke(
        bar,
        0.0,
        Stroke::new(1.0, roles.line),
        egui::StrokeKind::Outside,
    );
    let flat = range.high <= range.low * (1.0 + 1e-9);
    let parts: &[f64] = match (flat, bar.height()) {
        (true, _) => &[0.5],
        (_, height) if height >= 96.0 => &[0.0, 0.25, 0.5, 0.75, 1.0],
        (_, height) if height >= 44.0 => &[0.0, 0.5, 1.0],
        _ => &[0.0, 1.0],
    };
    for part in parts {
        let y = bar.bottom() - bar.height() * *part as f32;
        painter.hline(
            bar.right()..=bar.right() + 4.0,
            y,
            Stroke::new(1.0, roles.muted),
        );
        // Half a line inside at both ends, so that labels end with the bar.
        let y = y.clamp(bar.top() + 6.0, bar.bottom() - 6.0);
        let text = written(range.at(*part), shown);
        painter.text(
            pos2(bar.right() + 7.0, y),
            Align2::LEFT_CENTER,
            text,
            style::small(),
            roles.ink,
        );
    }
}

enum Sign {
    Regime(Regime),
    Line,
    Dashes,
    Hatch,
}

impl Sign {
    fn paint(&self, ui: &Ui, rect: Rect, roles: &Style) {
        let painter = ui.painter().with_clip_rect(rect);
        let (dark, light) = (Color32::from_gray(16), Color32::from_gray(250));
        match self {
            Self::Regime(regime) => {
                let ground = roles.regime(*regime);
                painter.rect_filled(rect, 2.0, ground);
                let ink = scale::ink_on(ground);
                painter.text(
                    rect.center(),
                    Align2::CENTER_CENTER,
                    letter(*regime),
                    style::small(),
                    ink,
                );
            }
            Self::Line | Self::Dashes => {
                painter.rect_filled(rect, 2.0, scale::colour(scale::SHADES / 2));
                let ends = [rect.left_center(), rect.right_center()];
                painter.line_segment(ends, Stroke::new(4.0, dark));
                let stroke = Stroke::new(2.0, light);
                match self {
                    Self::Dashes => drop(painter.add(egui::Shape::Vec(egui::Shape::dashed_line(
                        &ends, stroke, 5.0, 4.0,
                    )))),
                    _ => drop(painter.line_segment(ends, stroke)),
                }
            }
            Self::Hatch => {
                painter.rect_filled(rect, 2.0, scale::colour(scale::SHADES / 2));
                for shift in [0.0, 7.0, 14.0] {
                    for (by, colour) in [(0.0, light), (1.2, dark)] {
                        let from = rect.left_top() + vec2(0.0, shift + 3.0 + by);
                        painter.line_segment(
                            [from, from + vec2(20.0, -20.0)],
                            Stroke::new(1.0, colour),
                        );
                    }
                }
            }
        }
    }
}

/// A line of the readout: what, its value, and the colour of that.
type Line = (String, String, Color32);

fn lines(result: &GridResult, cell: &Cell, roles: &Style) -> Vec<Line> {
    let tokens = cell.items.name == "token";
    let number = |shown: Shown| {
        cell.number(shown)
            .map_or("–".to_owned(), |n| written(n, shown))
    };
    let line = |what: &str, value: String| (what.to_owned(), value, roles.ink);
    let mut lines = vec![
        line("Time", number(Shown::Time)),
        line(
            if tokens { "Tokens/s" } else { "Items/s" },
            number(Shown::ItemsPerSecond),
        ),
    ];
    if tokens || cell.items.users > 1.0 {
        lines.push(line("Per user", number(Shown::PerUser)));
    }
    let regime = cell.regime;
    lines.push((
        "Regime".to_owned(),
        regime.name().to_owned(),
        roles.regime(regime),
    ));
    if let (Some(ratio), Some(other)) = (cell.ratio, result.task.against()) {
        let what = format!("vs {}", shortened(other, 18));
        lines.push(line(&what, units::factor(ratio)));
    }
    match cell.fits {
        Some(true) => lines.push(line("Memory", "fits".to_owned())),
        Some(false) => {
            lines.push((
                "Memory".to_owned(),
                "does not fit".to_owned(),
                roles.warning,
            ));
        }
        None => {}
    }
    lines
}

/// The values of a cell as `batch 64 · context 2,048`.
fn values(result: &GridResult, [first, second]: [usize; 2]) -> [String; 2] {
    let axes = result.task.grid();
    let text = |sweep: &crate::model::sweep::Sweep, index: usize, axis: usize| {
        let value = value_text(sweep.values[index], result.units[axis]);
        format!("{} {value}", sweep.parameter.replace('_', " "))
    };
    [text(&axes.first, first, 0), text(&axes.second, second, 1)]
}

/// A cell in one sentence, for who hears it.
pub(super) fn spoken(result: &GridResult, cell: [usize; 2]) -> String {
    let values = values(result, cell).join(", ");
    match result.cell(cell[0], cell[1]) {
        Some(Ok(found)) => {
            let lines = lines(result, found, &style::LIGHT).into_iter();
            let told: Vec<_> = lines
                .map(|(what, value, _)| format!("{what} {value}"))
                .collect();
            format!("{values}: {}", told.join(", "))
        }
        Some(Err(reason)) => format!("{values}: {reason}"),
        None => values,
    }
}

/// One cell in words: its values, and what they lead to.
pub(super) fn readout(
    ui: &Ui,
    area: Rect,
    result: &GridResult,
    caption: &str,
    cell: Result<[usize; 2], &str>,
    roles: &Style,
) {
    let painter = ui.painter().with_clip_rect(area.expand(2.0));
    painter.text(
        area.left_top(),
        Align2::LEFT_TOP,
        caption,
        style::small(),
        roles.muted,
    );
    let mut at = area.left_top() + vec2(0.0, LINE + 1.0);
    let cell = match cell {
        Ok(cell) => cell,
        Err(nowhere) => {
            painter.text(at, Align2::LEFT_TOP, nowhere, style::small(), roles.muted);
            return;
        }
    };
    let room = area.width();
    let cut = |text: String, font, ink| {
        let mut job = egui::text::LayoutJob::simple_singleline(text, font, ink);
        job.wrap = egui::text::TextWrapping::truncate_at_width(room);
        painter.layout_job(job)
    };
    let heading = values(result, cell).join(" · ");
    painter.galley(
        at,
        cut(heading, style::strong(size::CONTROL), roles.ink),
        roles.ink,
    );
    at.y += LINE + 3.0;
    match result.cell(cell[0], cell[1]) {
        Some(Ok(found)) => {
            for (what, value, ink) in lines(result, found, roles) {
                painter.text(at, Align2::LEFT_TOP, what, style::small(), roles.muted);
                let right = pos2(area.right(), at.y);
                painter.text(right, Align2::RIGHT_TOP, value, style::small(), ink);
                at.y += LINE;
            }
        }
        Some(Err(reason)) => {
            let galley = painter.layout(reason.clone(), style::small(), roles.warning, room);
            painter.galley(at, galley, roles.warning);
        }
        None => {}
    }
}
