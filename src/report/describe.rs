//! The chart in words: what a person who cannot see it is told, and what `ridgepoint describe` prints.
use super::kernels::{self, Told};
use super::table::assumed;
use crate::chart::scene::kernel_detail;
use crate::model::annotation::{Anchor, Role, Shape};
use crate::model::cost::Level;
use crate::model::gpu::Gpu;
use crate::model::llm;
use crate::model::measurement::Assessment;
use crate::model::placement::{Assumptions, Placement};
use crate::model::profile::{Analysed, Analyses};
use crate::model::session::{Session, Workload};
use crate::model::sweep::RowOutcome;
use crate::model::units;
use crate::model::view::View;
use crate::model::what_if::{self, Fix};
use crate::model::workload::Kind;

/// How many fixes are named of those that help, and how many kernels of those with most to win.
const MOST_FIXES: usize = 3;
const MOST_KERNELS: usize = 5;

/// The chart of a view in words, a paragraph for each GPU and each workload; workloads beyond the first `most` are
/// counted only.
pub fn write(session: &Session, view: &View, most: usize) -> String {
    let gpus: Vec<&Gpu> = {
        let shown = session.gpus.iter().filter(|gpu| view.shows_gpu(gpu.id));
        let (active, others): (Vec<_>, Vec<_>) = shown.partition(|gpu| view.active == Some(gpu.id));
        active.into_iter().chain(others).collect()
    };
    let workloads: Vec<&Workload> = session
        .workloads
        .iter()
        .filter(|workload| view.shows_workload(workload.id))
        .collect();
    let mut paragraphs = vec![opening(session, &gpus, &workloads)];
    paragraphs.extend(gpus.iter().map(|gpu| {
        let active = view.active == Some(gpu.id);
        of_gpu(gpu, active, session.assumptions)
    }));
    for workload in workloads.iter().take(most) {
        paragraphs.push(of_workload(workload, &gpus, view, session.assumptions));
    }
    if let Some(left) = workloads.len().checked_sub(most).filter(|left| *left > 0) {
        paragraphs.push(format!("And {}.", counted(left, "more workload")));
    }
    paragraphs.extend(of_profiles(session, view));
    paragraphs.extend(of_annotations(session));
    paragraphs.extend(of_views(session));
    let hidden_gpus = session.gpus.iter().filter(|gpu| !view.shows_gpu(gpu.id));
    let hidden_workloads = session.workloads.iter();
    let hidden_workloads = hidden_workloads.filter(|w| !view.shows_workload(w.id));
    let hidden_profiles = session.profiles.iter();
    let hidden_profiles = hidden_profiles.filter(|p| !view.shows_profile(p.id));
    let hidden: Vec<&str> = hidden_gpus
        .map(|gpu| gpu.name.as_str())
        .chain(hidden_workloads.map(|workload| workload.name.as_str()))
        .chain(hidden_profiles.map(|profile| profile.name.as_str()))
        .collect();
    if !hidden.is_empty() {
        paragraphs.push(format!("Hidden: {}.", hidden.join(", ")));
    }
    paragraphs.push(format!(
        "{}. Judged by {} roofs; peaks are dense.",
        assumed(session.assumptions),
        session.assumptions.judged_by.name()
    ));
    paragraphs.join("\n\n") + "\n"
}

fn counted(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

fn opening(session: &Session, gpus: &[&Gpu], workloads: &[&Workload]) -> String {
    let title = match session.title.trim() {
        "" => "Untitled session",
        title => title,
    };
    let measured = match session.profiles.len() {
        0 => String::new(),
        1 => ", with a profile of measured kernels".to_owned(),
        n => format!(", with {n} profiles of measured kernels"),
    };
    let what = format!(
        "{title}: a roofline chart of {} and {}{measured}.",
        counted(gpus.len(), "GPU"),
        counted(workloads.len(), "workload")
    );
    match (gpus, workloads) {
        ([], _) => format!("{what} Add a GPU to see its roofs."),
        (_, []) if session.profiles.is_empty() => {
            format!("{what} Add a workload to see where it lies.")
        }
        _ => format!(
            "{what} Along: arithmetic intensity in FLOP/B; upwards: performance in FLOP/s; both logarithmic."
        ),
    }
}

fn of_gpu(gpu: &Gpu, active: bool, assumptions: Assumptions) -> String {
    let by = assumptions.judged_by;
    // What the other basis says, where it says something else.
    let other = |told: &str, other: &str| match told == other {
        true => String::new(),
        false => format!(", {} {other}", by.other().name()),
    };
    let name = match active {
        true => format!("{} (active)", gpu.name),
        false => gpu.name.clone(),
    };
    let dense = gpu.compute.iter().filter(|roof| !roof.path.sparse);
    let peaks = dense.map(|roof| {
        let ridge = gpu.memory_roof(Level::Dram).and_then(|memory| {
            let ridge = roof.judged(by).value.get() / memory.judged(by).value.get();
            ridge
                .is_finite()
                .then(|| format!(" (ridge at {} FLOP/B)", units::number(ridge)))
        });
        let [told, else_] = [by, by.other()].map(|by| roof.judged(by).value.to_string());
        format!(
            "{} {told}{}{}",
            roof.path,
            ridge.unwrap_or_default(),
            other(&told, &else_)
        )
    });
    let memory = gpu.memory.iter().map(|roof| {
        let per = if roof.level.is_link() {
            " per direction"
        } else {
            ""
        };
        let [told, else_] = [by, by.other()].map(|by| roof.judged(by).value.to_string());
        format!("{} {told}{per}{}", roof.level.name(), other(&told, &else_))
    });
    let list = |items: Vec<String>, none: &str| match items.is_empty() {
        true => none.to_owned(),
        false => items.join(", "),
    };
    format!(
        "{name}. Compute roofs: {}. Memory roofs: {}.",
        list(peaks.collect(), "none dense known"),
        list(memory.collect(), "none known")
    )
}

fn of_workload(
    workload: &Workload,
    gpus: &[&Gpu],
    view: &View,
    assumptions: Assumptions,
) -> String {
    let mut told = Vec::new();
    let selected = if view.selected == Some(workload.id) {
        " (selected)"
    } else {
        ""
    };
    told.push(format!(
        "{}{selected}, {}.",
        workload.name,
        workload.kind.title()
    ));
    let mut times: Vec<(&str, f64)> = Vec::new();
    for (index, gpu) in gpus.iter().enumerate() {
        match workload.place_on(gpu, assumptions) {
            Ok(placement) => {
                times.push((&gpu.name, placement.time().get()));
                told.push(placed(&placement, gpu, index == 0));
                told.extend(served(workload, gpu, assumptions));
                if index == 0 {
                    told.push(helps(workload, gpu, assumptions));
                }
            }
            Err(reason) => told.push(format!("On {}: not placed, {reason}.", gpu.name)),
        }
        match workload.assess_on(gpu, assumptions) {
            Some(Ok(assessment)) => told.push(measured(&assessment, gpu)),
            Some(Err(reason)) => told.push(format!("The measurement cannot be judged: {reason}.")),
            None => {}
        }
    }
    told.extend(comparison(times));
    let left_out = workload.kind.family().leaves_out();
    if !left_out.is_empty() {
        told.push(format!("Left out: {}.", left_out.join("; ")));
    }
    told.join("\n  ")
}

/// What a language model's step gives who waits for it, and whether it fits.
fn served(workload: &Workload, gpu: &Gpu, assumptions: Assumptions) -> Option<String> {
    let Kind::LanguageModel(serving) = &workload.kind else {
        return None;
    };
    let outcome = RowOutcome::of(workload, gpu, assumptions).ok()?;
    let rate = units::number(outcome.items_per_second()?);
    let name = format!("{}s", outcome.items.name);
    let mut text = format!("That is {rate} {name} per second");
    if outcome.items.users != 1.0
        && let Some(each) = outcome.items_per_second_per_user()
    {
        text += &format!(
            ", {} for each of {} users",
            units::number(each),
            units::count(outcome.items.users)
        );
    }
    if let Some(memory) = gpu.capacity {
        let capacity = llm::capacity(serving, memory);
        text += &match llm::shortfall(serving, memory) {
            Some(why) => format!("; it {why}"),
            None => format!(
                "; it fits: {} of {} that may be used",
                units::short(capacity.needed(), units::Unit::Byte),
                units::short(capacity.usable, units::Unit::Byte)
            ),
        };
    }
    Some(text + ".")
}

/// Where a workload lies; `whole` also says why.
fn placed(placement: &Placement, gpu: &Gpu, whole: bool) -> String {
    let intensity = match placement.intensity() {
        Some(intensity) => format!("{intensity} at {}", placement.level.name()),
        None => "no traffic".to_owned(),
    };
    let side = match placement.ridge() {
        _ if placement.at_the_ridge() => ", at the ridge",
        Some(ridge) if placement.intensity().is_some_and(|i| i.get() < ridge.get()) => {
            ", left of the ridge"
        }
        Some(_) => ", right of the ridge",
        None => "",
    };
    let attainable = placement
        .attainable()
        .map(|rate| format!("; {rate} attainable"));
    let share = match placement.efficiency < 1.0 {
        true => format!(
            ", assuming {} of the roof",
            units::percent(placement.efficiency)
        ),
        false => String::new(),
    };
    let mut text = format!(
        "On {}: {intensity}{side}; {}, limited by {}{}; {}{share}.",
        gpu.name,
        placement.regime().name(),
        placement.limiter().resource.name(),
        attainable.unwrap_or_default(),
        placement.time(),
    );
    if whole {
        text += &format!(" {}", placement.explanation());
        text.extend(
            placement
                .warnings
                .iter()
                .map(|warning| format!(" Note: {warning}.")),
        );
    }
    text
}

fn helps(workload: &Workload, gpu: &Gpu, assumptions: Assumptions) -> String {
    let fixes = what_if::fixes(workload, gpu, assumptions);
    let (mut good, idle): (Vec<&Fix>, Vec<&Fix>) = fixes.iter().partition(|fix| fix.helps());
    good.sort_by(|a, b| b.throughput_factor.total_cmp(&a.throughput_factor));
    let named = |fix: &&Fix| format!("{} ({})", fix.name, units::factor(fix.throughput_factor));
    let best: Vec<_> = good.iter().take(MOST_FIXES).map(named).collect();
    let mut text = match best.is_empty() {
        true => "Nothing known here would help.".to_owned(),
        false => format!("What would help, by throughput: {}.", best.join(", ")),
    };
    if let Some(fix) = idle.first() {
        text += &format!(" Would not: {}.", fix.name);
    }
    text
}

fn measured(assessment: &Assessment, gpu: &Gpu) -> String {
    let mut text = format!(
        "Measured on {}: {}, {} of the {} roof: {} ({})",
        gpu.name,
        assessment.measured,
        units::percent(assessment.share),
        assessment.basis.name(),
        assessment.verdict.name(),
        assessment.verdict.limits(assessment.basis)
    );
    if assessment.recoverable > 0.0 {
        let to_win = units::short(assessment.recoverable, units::Unit::Second);
        text += &format!("; {to_win} to win");
    }
    if let Some(cause) = assessment.verdict.causes().first() {
        text += &format!("; likely because {cause}");
    }
    text + "."
}

/// The measured kernels of each profile shown: how many, how long, and which hold what could be won.
fn of_profiles(session: &Session, view: &View) -> Vec<String> {
    let analyses = Analyses::of(session);
    let shown = analyses
        .iter()
        .filter(|of| view.shows_profile(of.profile.id));
    shown.map(|of| of_profile(of)).collect()
}

fn of_profile(of: &Analysed) -> String {
    let lines = of.profile.choices.shown(&of.profile, &of.analysis);
    let summary = of.analysis.summary_of(&of.profile, &lines);
    let totals = &summary.totals;
    let on = of.gpu.as_ref().map(|gpu| format!(" on {}", gpu.name));
    let mut told = vec![format!(
        "Measured kernels of {}{}: {}.",
        of.profile.name,
        on.unwrap_or_default(),
        summary.sentence
    )];
    told.push(format!(
        "{}, together {}; {} on the chart, {} beside it without work, {} not placed.",
        counted(totals.kernels, "kernel"),
        units::short(totals.time, units::Unit::Second),
        totals.placed,
        totals.zero_work,
        totals.not_placed(),
    ));
    let told_of = Told {
        profile: &of.profile,
        analysis: &of.analysis,
        gpu: of.gpu.as_ref(),
    };
    told.extend(
        kernels::whereabouts(told_of, &summary)
            .into_iter()
            .map(|sentence| format!("{sentence}.")),
    );
    let kernels = &of.analysis.lines;
    let recoverable = |line: &u32| kernels[*line as usize].recoverable().unwrap_or(0.0);
    let mut heaviest: Vec<u32> = lines
        .iter()
        .copied()
        .filter(|line| recoverable(line) > 0.0)
        .collect();
    heaviest.sort_by(|a, b| recoverable(b).total_cmp(&recoverable(a)));
    let most = ["Most to win: ", ""];
    for (index, line) in heaviest.into_iter().take(MOST_KERNELS).enumerate() {
        let judged = &kernels[line as usize];
        let regime = judged.regime().zip(judged.limiter);
        let regime = regime
            .map(|(regime, limiter)| format!("; {}, limited by {}", regime.name(), limiter.name()));
        let place = judged.intensity().zip(judged.flop_rate());
        let place = place.filter(|(intensity, _)| *intensity > 0.0);
        let place = place.map(|(intensity, rate)| {
            format!(
                "; {} at {}",
                units::short(rate, units::Unit::FlopPerSecond),
                units::short(intensity, units::Unit::FlopPerByte)
            )
        });
        told.push(format!(
            "{}{}: {}{}{}.",
            most[index.min(1)],
            of.label(line),
            kernel_detail(judged),
            regime.unwrap_or_default(),
            place.unwrap_or_default()
        ));
    }
    told.join("\n  ")
}

/// What is written and drawn over the chart.
fn of_annotations(session: &Session) -> Option<String> {
    let told = session.annotations.iter().map(|annotation| {
        let text = match annotation.text.trim() {
            "" => "without words",
            text => text,
        };
        let place = match &annotation.shape {
            Shape::Line(reference) => format!(" at {}", reference.exact()),
            Shape::Note(anchor) | Shape::Arrow { to: anchor, .. } => at_anchor(session, *anchor),
            Shape::Region { .. } => String::new(),
        };
        let role = match annotation.role {
            Role::Plain => String::new(),
            role => format!(", {}", role.name()),
        };
        format!("{} “{text}”{place}{role}", annotation.shape.name())
    });
    let told: Vec<_> = told.collect();
    (!told.is_empty()).then(|| format!("Written over the chart: {}.", told.join("; ")))
}

fn at_anchor(session: &Session, anchor: Anchor) -> String {
    match anchor {
        Anchor::Mark(id, _) => session
            .workload(id)
            .map(|workload| format!(" at {}", workload.name))
            .unwrap_or_default(),
        Anchor::At([x, y]) => format!(
            " at {} and {}",
            units::short(10f64.powf(x), units::Unit::FlopPerByte),
            units::short(10f64.powf(y), units::Unit::FlopPerSecond)
        ),
    }
}

/// The saved views in their order, which is that of a talk.
fn of_views(session: &Session) -> Option<String> {
    let told = session.views.iter().enumerate().map(|(index, view)| {
        let caption = match view.caption.trim() {
            "" => String::new(),
            caption => format!(": {caption}"),
        };
        format!("{}. {}{caption}", index + 1, view.title)
    });
    let told: Vec<_> = told.collect();
    let count = counted(told.len(), "saved view");
    (!told.is_empty()).then(|| format!("{count}:\n  {}", told.join("\n  ")))
}

/// Which GPU is fastest, and by how much; `None` for fewer than two.
fn comparison(mut times: Vec<(&str, f64)>) -> Option<String> {
    times.sort_by(|a, b| a.1.total_cmp(&b.1));
    let ((fastest, least), rest) = times.split_first()?;
    let rest: Vec<_> = rest
        .iter()
        .map(|(name, time)| format!("{} as long on {name}", units::factor(time / least)))
        .collect();
    (!rest.is_empty()).then(|| format!("Fastest on {fastest}; {}.", rest.join(", ")))
}
