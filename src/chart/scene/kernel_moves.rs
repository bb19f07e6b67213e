//! Arrows from where kernels were to where they are, for the pairs that changed most.
use super::kernels::{Move, places};
use crate::model::gpu::JudgedBy;
use crate::model::pairing::Pair;
use crate::model::profile::Analysed;
use crate::model::units;
use crate::model::view::View;

/// More arrows than this hide what they show.
const MOST: usize = 40;
/// How many of them say their factor.
const MOST_NAMED: usize = 12;

/// The arrows of pairs, which come with the largest change first; those within the noise have none.
pub fn moves(
    before: &Analysed,
    after: &Analysed,
    pairs: &[Pair],
    view: &View,
    by: JudgedBy,
) -> Vec<Move> {
    let place = |analysed: &Analysed, line: u32| {
        let judged = &analysed.analysis.lines[line as usize];
        let placed = judged.placed().then(|| places(analysed, judged, view, by));
        placed?.first().map(|(at, _)| *at)
    };
    let pairs = pairs.iter().filter(|pair| pair.within_noise != Some(true));
    let ends = pairs.filter_map(|pair| {
        let from = place(before, pair.before)?;
        Some((from, place(after, pair.after)?, pair))
    });
    let moved = ends
        .take(MOST)
        .enumerate()
        .map(|(index, (from, to, pair))| Move {
            from,
            to,
            gained: pair.gained.is_none_or(|gained| gained >= 0.0),
            text: match pair.ratio {
                Some(ratio) if index < MOST_NAMED => {
                    format!("{} {}", units::factor(ratio), before.name(pair.before))
                }
                _ => String::new(),
            },
        });
    moved.collect()
}
