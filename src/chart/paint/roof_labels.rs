//! What is written along the roofs: names, peaks, bandwidths, ridge points.
use super::halo::{halo, rotated_halo};
use super::lines::outline;
use super::projection::Projection;
use crate::chart::labels::{Candidate, Placer, between, shortened};
use crate::chart::scene::{Roof, Scene};
use crate::chart::style::size;
use crate::chart::style::{self, Style};
use crate::model::derive::Target;
use crate::model::ids::GpuId;
use egui::{Align2, Color32, FontId, Painter, Rect, epaint::TextShape, pos2, vec2};

/// A label of a roof: where it was written, and of which number.
#[derive(Debug, Clone, PartialEq)]
pub struct LandedLabel {
    pub gpu: GpuId,
    pub target: Target,
    /// Upright boxes that together cover it.
    pub areas: Vec<Rect>,
}

/// What labels are written with, and those that have been.
struct Writer<'a> {
    painter: &'a Painter,
    style: &'a Style,
    p: &'a Projection,
    placer: &'a mut Placer,
    /// How strong names beside the flats are: less than 1 where all but the cast is dimmed.
    strength: f32,
    landed: Vec<LandedLabel>,
}

/// Where the name of a roof may stand: at its flat, at the height of its flat beyond the ridge, at its flat in small
/// print between flats that lie close, or even over lines.
#[derive(Clone, Copy, PartialEq)]
enum Room {
    Flat,
    Beyond,
    Between,
    OverLines,
}

/// Writes them all; returns where they are.
pub(super) fn labels(
    painter: &Painter,
    style: &Style,
    p: &Projection,
    scene: &Scene,
    placer: &mut Placer,
) -> Vec<LandedLabel> {
    let mut writer = Writer {
        painter,
        style,
        p,
        placer,
        strength: 1.0,
        landed: Vec::new(),
    };
    let (active, others): (Vec<&Roof>, Vec<&Roof>) =
        scene.roofs.iter().partition(|roof| roof.active);
    for roof in &active {
        writer.of_active(scene, roof);
    }
    let path = active.first().map(|roof| roof.path);
    // Words are dimmed less than lines: they are still to be read.
    writer.strength = scene.strength(false).sqrt();
    let dimmed = writer.strength < 1.0;
    for roof in others {
        let name = shortened(&roof.name, 28);
        // A GPU that is judged by another format says so.
        let of = match path == Some(roof.path) {
            true => String::new(),
            false => format!("{} ", roof.path),
        };
        let long = format!("{name} · {of}{} · {}", roof.peak_text, roof.bandwidth_text);
        let shorter = format!("{name} · {of}{}", roof.peak_text);
        if dimmed {
            writer.flat(roof, &[name]);
        } else {
            writer.flat(roof, &[long, shorter, name]);
            writer.ridge(roof, true);
        }
    }
    writer.strength = 1.0;
    for roof in scene.other_paths.iter().filter(|_| !scene.presenting) {
        writer.flat(roof, &[format!("{} {}", roof.path, roof.peak_text)]);
    }
    writer.landed
}

impl Writer<'_> {
    fn of_active(&mut self, scene: &Scene, roof: &Roof) {
        let name = shortened(&roof.name, 28);
        let (flat, short) = match scene.normalised {
            true => (format!("{name} {}", roof.peak_text), name),
            false => (
                format!("{name} · {} {}", roof.path, roof.peak_text),
                format!("{} {}", roof.path, roof.peak_text),
            ),
        };
        let slope = match scene.normalised {
            true => roof.bandwidth_text.clone(),
            false => format!("{} {}", roof.level.name(), roof.bandwidth_text),
        };
        // Between slopes that lie close there is no room for letters: then the flat tells the bandwidth too.
        let one = scene.roofs.len() == 1 || scene.normalised;
        let alone = one && scene.arrow.is_none();
        if self.slope(roof, &slope, alone) {
            self.flat(roof, &[flat, short]);
        } else {
            let both = format!("{flat} · {}", roof.bandwidth_text);
            let shorter = format!("{short} · {}", roof.bandwidth_text);
            match self.flat_clear(roof, &[both, shorter]) {
                true => {}
                false => {
                    self.flat(roof, &[flat, short]);
                    // Nothing lies over what a view argues.
                    self.slope(roof, &slope, scene.arrow.is_none());
                }
            }
        }
        for slope in &scene.slopes {
            let at = Roof {
                bandwidth: slope.bandwidth,
                level: slope.level,
                ..roof.clone()
            };
            self.slope(&at, &slope.text, true);
        }
        self.ridge(roof, scene.arrow.is_none());
        // In a room that is small print.
        let run = roof.at_run.as_ref().filter(|_| !scene.presenting);
        if let Some(run) = run {
            let at = Roof {
                peak: run.peak,
                bandwidth: run.bandwidth,
                ..roof.clone()
            };
            self.flat(&at, &[run.name.clone(), "as run".to_owned()]);
        }
        if let Some(other) = roof.other_basis.as_ref().filter(|_| !scene.presenting) {
            let at = Roof {
                peak: other.peak,
                bandwidth: other.bandwidth,
                ..roof.clone()
            };
            let (short, _) = other.name.split_once(' ').unwrap_or((&other.name, ""));
            let texts = [other.name.clone(), short.to_owned()];
            match other.peak == roof.peak {
                // Only the memory is known in both ways: what is said of it stands at the slope.
                true => {
                    self.slope(&at, &other.name, true);
                }
                false => self.flat(&at, &texts),
            }
        }
    }

    fn land(&mut self, roof: &Roof, target: Target, place: &Candidate) {
        self.landed.push(LandedLabel {
            gpu: roof.gpu,
            target,
            areas: place.footprint(),
        });
    }

    /// Beside the flat, from its right end leftwards, above the line and then below; shorter texts if need be, and
    /// over other lines and beyond the ridge before a roof stays without its name.
    fn flat(&mut self, roof: &Roof, texts: &[String]) {
        let rooms = [Room::Flat, Room::Beyond, Room::Between, Room::OverLines];
        for (text, room) in rooms.into_iter().flat_map(|room| {
            // Over lines the least is written.
            let first = match room {
                Room::OverLines => texts.len().saturating_sub(1),
                _ => 0,
            };
            texts[first..].iter().map(move |text| (text, room))
        }) {
            if let Some(found) = self.flat_text(roof, text, room) {
                self.land(roof, Target::Compute(roof.path), &found);
                return;
            }
        }
    }

    /// The same where no line is crossed; says whether there was room.
    fn flat_clear(&mut self, roof: &Roof, texts: &[String]) -> bool {
        let found = texts
            .iter()
            .find_map(|text| self.flat_text(roof, text, Room::Flat));
        if let Some(found) = &found {
            self.land(roof, Target::Compute(roof.path), found);
        }
        found.is_some()
    }

    fn flat_text(&mut self, roof: &Roof, text: &str, room: Room) -> Option<Candidate> {
        let (p, style) = (self.p, self.style);
        let colour = style.gpu_text(roof.index).gamma_multiply(self.strength);
        let (from, to) = (
            p.to_screen([roof.ridge(), roof.peak]),
            p.to_screen([p.limits.x[1], roof.peak]),
        );
        let (font, gaps) = match room {
            Room::Between => (FontId::proportional(size::TINY), [1.0, 1.0]),
            _ => (style::small(), [3.0, 4.0]),
        };
        let galley = self.painter.layout_no_wrap(text.to_owned(), font, colour);
        let size = galley.size();
        let start = match room {
            Room::Flat | Room::Between => from.x.max(p.frame.left()),
            Room::Beyond | Room::OverLines => p.frame.left(),
        } + 6.0;
        let end = to.x - size.x - 6.0;
        let offsets = [-size.y - gaps[0], gaps[1]];
        let candidates = (0..24).flat_map(|step| {
            let x = end - step as f32 * 24.0;
            offsets.map(move |y| pos2(x, from.y + y))
        });
        let candidates = candidates
            .filter(|at| at.x >= start - 4.0)
            .map(|at| Candidate::upright(Rect::from_min_size(at, size)));
        let candidates: Vec<_> = candidates.collect();
        let found = match room {
            Room::Flat | Room::Beyond | Room::Between => self.placer.place(candidates),
            Room::OverLines => self.placer.place_even_over_lines(candidates),
        }?;
        halo(self.painter, style, &found);
        let place = Rect::from_center_size(found.center, size);
        // Left of its flat, a thin line leads to it, as to a measure in a drawing.
        let ahead = place.right() < from.x;
        if ahead {
            let stroke = egui::Stroke::new(1.0, colour.gamma_multiply(0.6));
            self.painter.hline(place.left()..=from.x, from.y, stroke);
        }
        self.painter.galley(place.min, galley, colour);
        Some(found)
    }

    /// Along the slope, above it, at the first free place from its lower third up, if need be over lines; says whether
    /// there was one.
    fn slope(&mut self, roof: &Roof, text: &str, over_lines: bool) -> bool {
        let (p, style) = (self.p, self.style);
        let colour = style.gpu_text(roof.index);
        let points = outline(roof, p);
        let [start, end] = [points[0], points[1]];
        let angle = p.slope_angle();
        let normal = vec2(angle.sin(), -angle.cos());
        let places = [0.35, 0.45, 0.25, 0.55, 0.65, 0.15, 0.75, 0.85];
        let candidates = |size: egui::Vec2, gap: f32| {
            let at = |part: f32, side: f32| Candidate {
                center: between(start, end, part) + normal * side * (size.y * 0.5 + gap),
                size,
                angle,
            };
            let both = places
                .iter()
                .flat_map(|part| [at(*part, 1.0), at(*part, -1.0)]);
            both.collect::<Vec<_>>()
        };
        // Between slopes that lie close, smaller and nearer to its own.
        let fonts = [
            (style::small(), 5.0),
            (FontId::proportional(size::TINY), 1.0),
        ];
        let layouts = fonts.map(|(font, gap)| {
            let galley = self.painter.layout_no_wrap(text.to_owned(), font, colour);
            (galley, gap)
        });
        let mut found = layouts.iter().find_map(|(galley, gap)| {
            let place = self.placer.place(candidates(galley.size(), *gap))?;
            Some((galley.clone(), place))
        });
        if found.is_none() && over_lines {
            let (galley, gap) = &layouts[0];
            let candidates = candidates(galley.size(), *gap);
            let place = self.placer.place_even_over_lines(candidates);
            found = place.map(|place| (galley.clone(), place));
        }
        if let Some((galley, found)) = &found {
            rotated_halo(self.painter, style, found);
            rotated(self.painter, galley.clone(), found, colour);
            self.land(roof, Target::Memory(roof.level), found);
        }
        found.is_some()
    }

    /// Beside the corner; over lines if need be, but not over those of an argument.
    fn ridge(&mut self, roof: &Roof, over_lines: bool) {
        let (p, style) = (self.p, self.style);
        let text = format!("ridge {}", roof.ridge_text);
        let font = FontId::proportional(size::LABEL);
        let colour = style.gpu_text(roof.index);
        let galley = self.painter.layout_no_wrap(text, font, colour);
        let (at, size) = (p.to_screen([roof.ridge(), roof.peak]), galley.size());
        if !p.frame.contains(at) {
            return;
        }
        let places = [
            vec2(-size.x - 9.0, -size.y - 2.0),
            vec2(-size.x * 0.5, -size.y - 9.0),
            vec2(9.0, 5.0),
            vec2(9.0, -size.y - 4.0),
            vec2(-size.x - 12.0, -size.y * 0.5),
            vec2(12.0, 18.0),
            vec2(-size.x - 22.0, -size.y - 14.0),
            vec2(-size.x * 0.5, 9.0),
            vec2(16.0, -size.y - 16.0),
        ];
        let candidates =
            places.map(|offset| Candidate::upright(Rect::from_min_size(at + offset, size)));
        let found = match over_lines {
            true => self.placer.place_even_over_lines(candidates),
            false => self.placer.place(candidates),
        };
        if let Some(found) = found {
            halo(self.painter, style, &found);
            let corner = Rect::from_center_size(found.center, size).min;
            self.painter.galley(corner, galley, style.ink);
            self.land(roof, Target::Compute(roof.path), &found);
        }
    }
}

fn rotated(
    painter: &Painter,
    galley: std::sync::Arc<egui::Galley>,
    place: &Candidate,
    colour: Color32,
) {
    let corner = Rect::from_center_size(place.center, galley.size()).min;
    let text = TextShape::new(corner, galley, colour);
    painter.add(text.with_angle_and_anchor(place.angle, Align2::CENTER_CENTER));
}
