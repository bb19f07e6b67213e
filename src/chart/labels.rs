//! Placing labels so that none covers another, a mark or a line. Positions are in points.
use egui::{Pos2, Rect, Vec2, pos2, vec2};

/// What has been placed so far, and what labels must keep clear of.
pub struct Placer {
    bounds: Rect,
    taken: Vec<Rect>,
    lines: Vec<[Pos2; 2]>,
}

/// A place tried for a label: its centre, size and rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    pub center: Pos2,
    pub size: Vec2,
    /// Clockwise, in radians.
    pub angle: f32,
}

impl Candidate {
    /// An upright label.
    pub fn upright(rect: Rect) -> Self {
        Self {
            center: rect.center(),
            size: rect.size(),
            angle: 0.0,
        }
    }

    /// Whether a line enters the label, seen from the label's own rotation.
    fn is_crossed_by(&self, line: [Pos2; 2]) -> bool {
        let turned_back = line.map(|at| {
            let from_center = at - self.center;
            self.center + egui::emath::Rot2::from_angle(-self.angle) * from_center
        });
        crosses(turned_back, Rect::from_center_size(self.center, self.size))
    }

    /// Upright boxes that together cover the label.
    pub fn footprint(&self) -> Vec<Rect> {
        if self.angle == 0.0 {
            return vec![Rect::from_center_size(self.center, self.size)];
        }
        let along = vec2(self.angle.cos(), self.angle.sin());
        let pieces = (self.size.x / self.size.y.max(1.0)).ceil().max(1.0);
        let piece = self.size.x / pieces;
        // A square turned by any angle fits in one √2 as large; a little less is enough at 45° in a row.
        let side = piece.max(self.size.y) * 1.15;
        (0..pieces as usize)
            .map(|i| {
                let offset = (i as f32 + 0.5) * piece - self.size.x / 2.0;
                Rect::from_center_size(self.center + along * offset, Vec2::splat(side))
            })
            .collect()
    }
}

impl Placer {
    /// Labels must stay within `bounds`.
    pub fn new(bounds: Rect) -> Self {
        Self {
            bounds,
            taken: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// Keeps labels off an area.
    pub fn block(&mut self, area: Rect) {
        self.taken.push(area);
    }

    /// Keeps labels off a line.
    pub fn block_line(&mut self, line: [Pos2; 2]) {
        self.lines.push(line);
    }

    /// Takes the first candidate that is free, and returns which.
    pub fn place(&mut self, candidates: impl IntoIterator<Item = Candidate>) -> Option<Candidate> {
        let found = candidates
            .into_iter()
            .find(|candidate| self.is_free(candidate))?;
        self.taken.extend(found.footprint());
        Some(found)
    }

    /// As [`Placer::place`], but over lines where no place is clear of them: a roof without its value is worse.
    pub fn place_even_over_lines(
        &mut self,
        candidates: impl IntoIterator<Item = Candidate> + Clone,
    ) -> Option<Candidate> {
        if let Some(found) = self.place(candidates.clone()) {
            return Some(found);
        }
        let lines = std::mem::take(&mut self.lines);
        let found = self.place(candidates);
        self.lines = lines;
        found
    }

    fn is_free(&self, candidate: &Candidate) -> bool {
        let footprint = candidate.footprint();
        footprint
            .iter()
            .all(|area| self.bounds.contains_rect(*area))
            && !footprint
                .iter()
                .any(|area| self.taken.iter().any(|t| t.intersects(*area)))
            && !self.lines.iter().any(|line| candidate.is_crossed_by(*line))
    }
}

/// Whether a line segment enters a rectangle (Liang–Barsky clipping).
fn crosses([a, b]: [Pos2; 2], area: Rect) -> bool {
    let d = b - a;
    let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
    let sides = [
        (-d.x, a.x - area.min.x),
        (d.x, area.max.x - a.x),
        (-d.y, a.y - area.min.y),
        (d.y, area.max.y - a.y),
    ];
    for (direction, distance) in sides {
        if direction == 0.0 {
            if distance < 0.0 {
                return false;
            }
        } else if direction < 0.0 {
            enter = enter.max(distance / direction);
        } else {
            leave = leave.min(distance / direction);
        }
    }
    enter <= leave
}

/// Places around a mark for a label of `size`, the nearest and most usual first.
pub fn around(mark: Pos2, radius: f32, size: Vec2) -> Vec<Candidate> {
    let gap = radius + 5.0;
    let at = |x: f32, y: f32| Candidate::upright(Rect::from_min_size(mark + vec2(x, y), size));
    let (right, left) = (gap, -gap - size.x);
    let middle = -size.x / 2.0;
    let mut places = vec![
        at(right, -size.y / 2.0),
        at(right, 3.0),
        at(right, -size.y - 3.0),
        at(left, -size.y / 2.0),
        at(left, -size.y - 3.0),
        at(left, 3.0),
        at(middle, gap),
        at(middle, -gap - size.y),
    ];
    for ring in 1..4 {
        let away = ring as f32 * 18.0;
        places.extend([
            at(right + away * 0.4, away),
            at(left - away * 0.4, -size.y - away),
            at(right, -size.y - away),
            at(left, away),
            at(middle, gap + away),
        ]);
    }
    places
}

/// `text` cut in its middle to at most `most` characters, with … where it was cut; what tells it from others of its
/// name, behind a ` · `, stays.
pub fn shortened(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    if let Some((name, apart)) = text.rsplit_once(" · ") {
        let room = most.saturating_sub(apart.chars().count() + 3);
        if room >= most / 3 {
            return format!("{} · {apart}", shortened(name, room));
        }
    }
    let head: String = text.chars().take(most * 2 / 3).collect();
    let tail_length = most - most * 2 / 3 - 1;
    let tail: String = text.chars().skip(count - tail_length).collect();
    format!("{}…{}", head.trim_end(), tail.trim_start())
}

/// The point between two others at `part` of the way.
pub fn between(a: Pos2, b: Pos2, part: f32) -> Pos2 {
    pos2(a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_labels_overlap_and_none_leaves_the_bounds() {
        let bounds = Rect::from_min_size(Pos2::ZERO, vec2(400.0, 300.0));
        let mut placer = Placer::new(bounds);
        let mut placed: Vec<Rect> = Vec::new();
        for i in 0..40 {
            let mark = pos2(150.0 + i as f32 * 2.0, 150.0);
            if let Some(found) = placer.place(around(mark, 6.0, vec2(80.0, 16.0))) {
                let rect = Rect::from_center_size(found.center, found.size);
                assert!(bounds.contains_rect(rect));
                assert!(!placed.iter().any(|other| other.intersects(rect)));
                placed.push(rect);
            }
        }
        assert!(placed.len() > 5);
    }

    #[test]
    fn lines_are_kept_clear() {
        let area = Rect::from_min_max(pos2(10.0, 10.0), pos2(20.0, 20.0));
        assert!(crosses([pos2(0.0, 0.0), pos2(30.0, 30.0)], area));
        assert!(!crosses([pos2(0.0, 30.0), pos2(9.0, 0.0)], area));
        assert!(crosses([pos2(15.0, 12.0), pos2(16.0, 12.0)], area));
    }

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(shortened("abc", 5), "abc");
        assert_eq!(shortened("abcdefghijkl", 7), "abcd…kl");
        assert_eq!(shortened("abcdefghijkl · 8", 11), "abcd…kl · 8");
    }
}
