//! Measured kernels as marks: where they lie, how much they weigh, and the names of the heaviest.
use crate::chart::density::Points;
use crate::model::cost::{Level, Path};
use crate::model::gpu::{Gpu, JudgedBy};
use crate::model::placement::Regime;
use crate::model::profile::{Analysed, Analyses, Judged, KernelId, Standing};
use crate::model::view::{Levels, View};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How many of the heaviest get their names, where there is room.
const MOST_NAMED: usize = 40;

/// The most launch shapes of one name that are named.
const MOST_OF_NAME: usize = 4;
/// How many heights of the gutter are told apart: more than a screen has points.
const HEIGHTS: usize = 4096;
/// Kernels that together take less than this part of the time need not be in the picture, where there are many.
const OUTLIERS: f64 = 0.001;
const MANY: usize = 500;

/// The kernels of visible profiles.
#[derive(Debug, Clone, Default)]
pub struct KernelLayer {
    pub points: Arc<Points>,
    /// What each point is.
    pub marks: Arc<[KernelMark]>,
    /// Kernels without work, the heaviest first.
    pub gutter: Arc<[KernelGutter]>,
    /// The same by height, the heaviest first: what is drawn does not take longer for more of them.
    pub gutter_heights: Arc<[GutterHeight]>,
    /// The heaviest points, with their names.
    pub named: Vec<(u32, String)>,
    pub selected: Option<SelectedKernel>,
    /// Its place in the gutter, where it is there.
    pub selected_in_gutter: Option<usize>,
    /// What moved from before to after.
    pub moves: Vec<Move>,
    /// The path of the selected kernel.
    pub path: Option<Path>,
    /// The paths kernels are judged by, the one with most to win first.
    pub paths: Vec<Path>,
    /// What a fit must hold: two corners, in powers of ten.
    pub extent: Option<[[f64; 2]; 2]>,
}

/// A kernel's point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KernelMark {
    /// The profile's place in the session, which decides the marker's shape.
    pub profile: u32,
    pub line: u32,
    /// Its part of the recoverable time of all that is drawn, 0–1: the area.
    pub part: f32,
    /// Its part of the time, 0–1: how strong its colour is.
    pub time_part: f32,
    pub regime: Option<Regime>,
    /// Whether it is the same kernel at a level that points do not lie at by themselves.
    pub secondary: bool,
}

/// A kernel without work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KernelGutter {
    pub profile: u32,
    pub line: u32,
    /// Of the bandwidth; above 1 it is above the roof.
    pub share: f64,
    pub part: f32,
}

/// Kernels without work whose shares no screen tells apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GutterHeight {
    /// Its place in the layer's gutter.
    pub heaviest: u32,
    pub share: f64,
    pub count: usize,
    pub part: f32,
}

/// The kernel that panels tell of.
#[derive(Debug, Clone, PartialEq)]
pub struct SelectedKernel {
    pub at: [f64; 2],
    /// The roof above it, in powers of ten.
    pub limit: Option<f64>,
    pub regime: Option<Regime>,
    pub name: String,
    pub detail: String,
}

/// From where a kernel was to where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    pub from: [f64; 2],
    pub to: [f64; 2],
    /// Whether it takes less time than before.
    pub gained: bool,
    pub text: String,
}

/// Layers are compared by what they were built from.
impl PartialEq for KernelLayer {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.points, &other.points)
            && Arc::ptr_eq(&self.gutter, &other.gutter)
            && self.selected == other.selected
            && self.selected_in_gutter == other.selected_in_gutter
            && self.moves == other.moves
    }
}

impl KernelLayer {
    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty() && self.gutter.is_empty()
    }

    /// The kernels that a view shows.
    pub fn of(analyses: &Analyses, view: &View, by: JudgedBy) -> Self {
        let mut found = Found::default();
        let shown: Vec<(u32, &Arc<Analysed>, Vec<u32>)> = (0..)
            .zip(analyses.iter())
            .filter(|(_, analysed)| view.shows_profile(analysed.profile.id))
            .map(|(index, analysed)| (index, analysed, analysed.drawn()))
            .collect();
        let judged = shown.iter().flat_map(|(_, analysed, lines)| {
            lines
                .iter()
                .map(|line| &analysed.analysis.lines[*line as usize])
        });
        let totals = judged.fold([0.0; 2], |[recoverable, time], judged| {
            [
                recoverable + weight(judged),
                time + judged.time().unwrap_or(0.0),
            ]
        });
        for (index, analysed, lines) in &shown {
            for line in lines {
                found.take(*index, analysed, *line, view, by, totals);
            }
        }
        let mut layer = found.layer(analyses);
        layer.select(analyses, view, by);
        layer
    }

    /// Shows another kernel as the selected one; everything else stays.
    pub fn select(&mut self, analyses: &Analyses, view: &View, by: JudgedBy) {
        (self.selected, self.selected_in_gutter, self.path) = (None, None, None);
        let Some(kernel) = view
            .kernel
            .filter(|kernel| view.shows_profile(kernel.profile))
        else {
            return;
        };
        let Some(analysed) = analyses.of_kernel(kernel) else {
            return;
        };
        let judged = &analysed.analysis.lines[kernel.line as usize];
        self.path = judged.path;
        if judged.standing() == Standing::ZeroWork {
            let is = |mark: &KernelGutter| id(analyses, mark.profile, mark.line) == Some(kernel);
            self.selected_in_gutter = self.gutter.iter().position(is);
        } else if let Some((at, _)) = places(analysed, judged, view, by).first() {
            self.selected = Some(select(analysed, judged, *at));
        }
    }

    /// The kernel of a point.
    pub fn kernel(&self, point: u32, analyses: &Analyses) -> Option<KernelId> {
        let mark = self.marks.get(point as usize)?;
        id(analyses, mark.profile, mark.line)
    }
}

/// The kernel on a line of the n-th profile.
pub fn id(analyses: &Analyses, profile: u32, line: u32) -> Option<KernelId> {
    let analysed = analyses.nth(profile as usize)?;
    Some(KernelId {
        profile: analysed.profile.id,
        line,
    })
}

/// What a kernel's area stands for: its recoverable time, in s, and none above the roof.
fn weight(judged: &Judged) -> f64 {
    judged.recoverable().map_or(0.0, |time| time.max(0.0))
}

/// Points under collection.
#[derive(Default)]
struct Found {
    at: Vec<[f32; 2]>,
    weights: Vec<f32>,
    marks: Vec<KernelMark>,
    gutter: Vec<KernelGutter>,
    /// With the time they have to win.
    paths: Vec<(Path, f64)>,
}

impl Found {
    fn take(
        &mut self,
        profile: u32,
        analysed: &Analysed,
        line: u32,
        view: &View,
        by: JudgedBy,
        [recoverable, time]: [f64; 2],
    ) {
        let judged = &analysed.analysis.lines[line as usize];
        let of = |part: f64, whole: f64| {
            if whole > 0.0 {
                (part / whole) as f32
            } else {
                0.0
            }
        };
        let time_part = of(judged.time().unwrap_or(0.0), time);
        // Where no roof judges, only the time says what matters.
        let part = if recoverable > 0.0 {
            of(weight(judged), recoverable)
        } else {
            time_part
        };
        if let Some(path) = judged
            .path
            .filter(|_| judged.standing() == Standing::Placed)
        {
            let time = f64::from(part + time_part);
            match self.paths.iter_mut().find(|(known, _)| *known == path) {
                Some((_, sum)) => *sum += time,
                None => self.paths.push((path, time)),
            }
        }
        if judged.standing() == Standing::ZeroWork {
            self.gutter.push(KernelGutter {
                profile,
                line,
                share: judged.share().unwrap_or(0.0),
                part,
            });
            return;
        }
        for (at, secondary) in places(analysed, judged, view, by) {
            self.at.push(at.map(|at| at as f32));
            self.weights.push(if secondary { 0.0 } else { part });
            self.marks.push(KernelMark {
                profile,
                line,
                part,
                time_part,
                regime: judged.regime(),
                secondary,
            });
        }
    }

    fn layer(mut self, analyses: &Analyses) -> KernelLayer {
        self.paths.sort_by(|a, b| b.1.total_cmp(&a.1));
        self.gutter.sort_by(|a, b| b.part.total_cmp(&a.part));
        let points = Points::new(self.at, &self.weights);
        // Of each name, the heaviest launch shapes.
        let mut shapes: HashMap<(u32, Arc<str>), usize> = HashMap::new();
        let mut name = |point: u32| {
            let mark = &self.marks[point as usize];
            let analysed = analyses.nth(mark.profile as usize)?;
            let name = Arc::clone(&analysed.kernel(mark.line).name);
            let count = shapes.entry((mark.profile, name)).or_default();
            *count += 1;
            (*count <= MOST_OF_NAME).then(|| analysed.label(mark.line))
        };
        let heaviest = points.heaviest_first().iter().copied();
        let heaviest = heaviest.filter(|point| !self.marks[*point as usize].secondary);
        let named = heaviest
            .take(MOST_NAMED)
            .filter_map(|p| Some((p, name(p)?)));
        // Of kernels that a person named alike, the heaviest has the name.
        let mut seen = HashSet::new();
        let named = named
            .filter(|(point, name)| {
                seen.insert((self.marks[*point as usize].profile, name.clone()))
            })
            .collect();
        KernelLayer {
            gutter_heights: heights(&self.gutter).into(),
            extent: extent(&points, &self.marks),
            named,
            points: Arc::new(points),
            marks: self.marks.into(),
            gutter: self.gutter.into(),
            paths: self.paths.into_iter().map(|(path, _)| path).collect(),
            ..KernelLayer::default()
        }
    }
}

/// The kernels of a gutter, which has the heaviest first, by height.
fn heights(gutter: &[KernelGutter]) -> Vec<GutterHeight> {
    let highest = gutter.iter().map(|kernel| kernel.share).fold(0.0, f64::max);
    let mut places = vec![None; HEIGHTS + 1];
    let mut heights: Vec<GutterHeight> = Vec::new();
    for (index, kernel) in (0_u32..).zip(gutter) {
        let height = (kernel.share / highest * HEIGHTS as f64) as usize;
        let at = *places[height.min(HEIGHTS)].get_or_insert(heights.len());
        if at == heights.len() {
            heights.push(GutterHeight {
                heaviest: index,
                share: kernel.share,
                count: 0,
                part: 0.0,
            });
        }
        heights[at].count += 1;
        heights[at].part += kernel.part;
    }
    heights
}

/// Where a kernel lies, in powers of ten; whether that is beside the level it lies at by itself.
pub(super) fn places(
    analysed: &Analysed,
    judged: &Judged,
    view: &View,
    by: JudgedBy,
) -> Vec<([f64; 2], bool)> {
    let Some(rate) = judged.flop_rate().filter(|rate| *rate > 0.0) else {
        return Vec::new();
    };
    let places = intensities(analysed, judged, view.levels).into_iter();
    let places = places.filter_map(|(level, intensity, secondary)| {
        let at = [intensity.log10(), rate.log10()];
        if !view.normalised {
            return Some((at, secondary));
        }
        let own = own(analysed.gpu.as_ref(), judged.path, level, by)?;
        Some(([at[0] - own[0], at[1] - own[1]], secondary))
    });
    places.collect()
}

/// The levels a kernel has a mark at, with the intensity there; whether that is beside the level it lies at by itself.
fn intensities(analysed: &Analysed, judged: &Judged, levels: Levels) -> Vec<(Level, f64, bool)> {
    let own = judged
        .intensity()
        .map(|intensity| (judged.level, intensity, false));
    let work = judged.work().unwrap_or(0.0);
    let at = |level: Level, secondary: bool| {
        let traffic =
            analysed
                .analysis
                .traffic_at(&analysed.profile, judged.line as usize, level)?;
        (traffic > 0.0).then(|| (level, work / traffic, secondary))
    };
    match levels {
        Levels::Only(level) if level == judged.level || level == Level::Dram => {
            own.into_iter().collect()
        }
        Levels::Only(level) => at(level, false).into_iter().collect(),
        Levels::All => {
            let line = judged.line as usize;
            let traffic = analysed
                .analysis
                .traffic_of(&analysed.profile, line)
                .into_iter();
            let others = traffic.filter(|(level, _)| *level != judged.level);
            let others = others.filter_map(|(level, _)| at(level, true));
            own.into_iter().chain(others).collect()
        }
    }
}

/// Ridge point and compute roof a kernel is judged by, in powers of ten.
fn own(gpu: Option<&Gpu>, path: Option<Path>, level: Level, by: JudgedBy) -> Option<[f64; 2]> {
    let gpu = gpu?;
    let peak = gpu.roof_for(path?)?.judged(by).value.get();
    let bandwidth = gpu.memory_roof(level)?.judged(by).value.get();
    Some([(peak / bandwidth).log10(), peak.log10()])
}

fn select(analysed: &Analysed, judged: &Judged, at: [f64; 2]) -> SelectedKernel {
    let share = judged.share();
    SelectedKernel {
        at,
        limit: share
            .filter(|share| *share > 0.0)
            .map(|share| at[1] + share.log10()),
        regime: judged.regime(),
        name: analysed.label(judged.line),
        detail: super::kernel_detail(judged),
    }
}

/// The corners of what holds all but a thousandth of the time.
fn extent(points: &Points, marks: &[KernelMark]) -> Option<[[f64; 2]; 2]> {
    let mut by_time: Vec<u32> = points.heaviest_first().to_vec();
    let time = |point: &u32| marks[*point as usize].time_part;
    by_time.sort_by(|a, b| time(b).total_cmp(&time(a)));
    let whole: f64 = by_time.iter().map(|point| f64::from(time(point))).sum();
    let enough = match by_time.len() > MANY {
        true => whole * (1.0 - OUTLIERS),
        false => f64::INFINITY,
    };
    let (mut held, mut corners) = (0.0, None::<[[f64; 2]; 2]>);
    for point in by_time {
        if held > enough && corners.is_some() {
            break;
        }
        held += f64::from(time(&point));
        let at = points.at(point);
        let [low, high] = corners.unwrap_or([at, at]);
        corners = Some([
            [low[0].min(at[0]), low[1].min(at[1])],
            [high[0].max(at[0]), high[1].max(at[1])],
        ]);
    }
    corners
}
