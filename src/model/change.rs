//! The difference of two sessions in a few words, for the undo menu: "edit H100", "add GEMM".
use super::annotation::Annotation;
use super::gpu::Gpu;
use super::profile::{Choices, Profile};
use super::saved_view::SavedView;
use super::session::{Session, Workload};
use super::workload::{Formula, Kind, Slot};

/// Names what turned `before` into `after`.
pub fn describe(before: &Session, after: &Session) -> String {
    // The GPU that judges a profile may come with it.
    profiles(before, after)
        .or_else(|| gpus(before, after))
        .or_else(|| workloads(before, after))
        .or_else(|| views(before, after))
        .or_else(|| annotations(before, after))
        .or_else(|| {
            (before.assumptions != after.assumptions).then(|| "change assumptions".to_owned())
        })
        .or_else(|| (before.title != after.title).then(|| "edit title".to_owned()))
        .or_else(|| (before.notes != after.notes).then(|| "edit notes".to_owned()))
        .unwrap_or_else(|| "edit".to_owned())
}

fn gpus(before: &Session, after: &Session) -> Option<String> {
    if let Some(new) = after.gpus.iter().find(|gpu| before.gpu(gpu.id).is_none()) {
        return Some(format!("add {}", new.name));
    }
    if let Some(gone) = before.gpus.iter().find(|gpu| after.gpu(gpu.id).is_none()) {
        return Some(format!("remove {}", gone.name));
    }
    let pairs = after
        .gpus
        .iter()
        .filter_map(|new| Some((before.gpu(new.id)?, new)));
    if let Some((old, new)) = pairs.into_iter().find(|(old, new)| old != new) {
        return Some(gpu(old, new));
    }
    let order = |session: &Session| session.gpus.iter().map(|g| g.id).collect::<Vec<_>>();
    (order(before) != order(after)).then(|| "reorder GPUs".to_owned())
}

fn gpu(old: &Gpu, new: &Gpu) -> String {
    if old.name != new.name {
        return format!("rename {}", old.name);
    }
    let what = match (old.compute != new.compute, old.memory != new.memory) {
        (true, false) => "peak of ",
        (false, true) => "bandwidth of ",
        (true, true) => "roofs of ",
        (false, false) if old.parts != new.parts => "parts of ",
        (false, false) => "",
    };
    format!("edit {what}{}", new.name)
}

fn workloads(before: &Session, after: &Session) -> Option<String> {
    if let Some(new) = after
        .workloads
        .iter()
        .find(|w| before.workload(w.id).is_none())
    {
        return Some(format!("add {}", new.name));
    }
    if let Some(gone) = before
        .workloads
        .iter()
        .find(|w| after.workload(w.id).is_none())
    {
        return Some(format!("remove {}", gone.name));
    }
    let pairs = after
        .workloads
        .iter()
        .filter_map(|new| Some((before.workload(new.id)?, new)));
    if let Some((old, new)) = pairs.into_iter().find(|(old, new)| old != new) {
        return Some(workload(old, new));
    }
    let order = |session: &Session| session.workloads.iter().map(|w| w.id).collect::<Vec<_>>();
    (order(before) != order(after)).then(|| "reorder workloads".to_owned())
}

fn views(before: &Session, after: &Session) -> Option<String> {
    let title = |view: &SavedView| format!("view {:?}", view.title);
    if let Some(new) = after
        .views
        .iter()
        .find(|v| before.saved_view(v.id).is_none())
    {
        return Some(format!("add {}", title(new)));
    }
    if let Some(gone) = before
        .views
        .iter()
        .find(|v| after.saved_view(v.id).is_none())
    {
        return Some(format!("remove {}", title(gone)));
    }
    let mut pairs = after
        .views
        .iter()
        .filter_map(|new| Some((before.saved_view(new.id)?, new)));
    if let Some((old, new)) = pairs.find(|(old, new)| old != new) {
        let verb = if old.title == new.title {
            "edit"
        } else {
            "rename"
        };
        return Some(format!("{verb} {}", title(old)));
    }
    let order = |session: &Session| session.views.iter().map(|v| v.id).collect::<Vec<_>>();
    (order(before) != order(after)).then(|| "reorder views".to_owned())
}

fn annotations(before: &Session, after: &Session) -> Option<String> {
    let of = |session: &Session, id| session.annotation(id).cloned();
    let name = |one: &Annotation| one.shape.name();
    if let Some(new) = after
        .annotations
        .iter()
        .find(|a| of(before, a.id).is_none())
    {
        return Some(format!("add {}", name(new)));
    }
    if let Some(gone) = before
        .annotations
        .iter()
        .find(|a| of(after, a.id).is_none())
    {
        return Some(format!("remove {}", name(gone)));
    }
    let mut pairs = after
        .annotations
        .iter()
        .filter_map(|new| Some((of(before, new.id)?, new)));
    let (old, new) = pairs.find(|(old, new)| old != *new)?;
    let moved = old.shape != new.shape && old.text == new.text;
    Some(format!(
        "{} {}",
        if moved { "move" } else { "edit" },
        name(new)
    ))
}

fn workload(old: &Workload, new: &Workload) -> String {
    if old.name != new.name {
        format!("rename {}", old.name)
    } else if let Some(text) = own_parameters(old, new) {
        text
    } else if old.kind != new.kind {
        let changed = old.kind.numeric_parameters().into_iter().find(|name| {
            old.kind.title() == new.kind.title() && old.kind.number(name) != new.kind.number(name)
        });
        match changed {
            Some(name) => format!("change {} of {}", name.replace('_', " "), new.name),
            None => match changed_text(old, new) {
                Some(name) => format!("change {} of {}", name.replace('_', " "), new.name),
                None => format!("edit {}", new.name),
            },
        }
    } else if old.measurements != new.measurements {
        format!("measurement of {}", new.name)
    } else {
        format!("efficiency of {}", new.name)
    }
}

fn profiles(before: &Session, after: &Session) -> Option<String> {
    let new = after.profiles.iter();
    let mut new = new.filter(|p| before.profile(p.id).is_none());
    if let Some(new) = new.next() {
        return Some(format!("import {}", new.name));
    }
    let gone = before.profiles.iter();
    let mut gone = gone.filter(|p| after.profile(p.id).is_none());
    if let Some(gone) = gone.next() {
        return Some(format!("remove {}", gone.name));
    }
    let pairs = after.profiles.iter();
    let mut pairs = pairs.filter_map(|new| Some((before.profile(new.id)?, new)));
    if let Some((old, new)) = pairs.find(|(old, new)| old != new) {
        return Some(profile(old, new));
    }
    let order = |session: &Session| session.profiles.iter().map(|p| p.id).collect::<Vec<_>>();
    (order(before) != order(after)).then(|| "reorder profiles".to_owned())
}

fn profile(old: &Profile, new: &Profile) -> String {
    if old.name != new.name {
        format!("rename {}", old.name)
    } else if old.kernels != new.kernels {
        format!("import {} again", new.name)
    } else if old.gpu != new.gpu {
        format!("GPU of {}", new.name)
    } else {
        format!("{} of {}", choice(&old.choices, &new.choices), new.name)
    }
}

fn choice(old: &Choices, new: &Choices) -> &'static str {
    let changed = [
        (old.fills != new.fills, "fill kernels"),
        (old.aliases != new.aliases, "name kernels"),
        (old.hidden != new.hidden, "hide kernels"),
        (old.isolated != new.isolated, "isolate kernels"),
        (old.filter != new.filter, "filter kernels"),
        (old.grouped != new.grouped, "group kernels"),
        (old.mappings != new.mappings, "match kernels"),
        (
            old.against != new.against || old.pairs != new.pairs,
            "pair kernels",
        ),
    ];
    let changed = changed.into_iter().find(|(changed, _)| *changed);
    changed.map_or("edit", |(_, what)| what)
}

/// What happened to the parameters that a user has named.
fn own_parameters(old: &Workload, new: &Workload) -> Option<String> {
    let (Kind::Formula(before), Kind::Formula(after)) = (&old.kind, &new.kind) else {
        return None;
    };
    let names = |formula: &Formula| {
        let names = formula
            .own_parameters()
            .iter()
            .map(|own| own.name().to_owned());
        names.collect::<Vec<_>>()
    };
    let (before, after) = (names(before), names(after));
    let gone = before.iter().find(|name| !after.contains(name));
    let come = after.iter().find(|name| !before.contains(name));
    match (gone, come) {
        (Some(old), Some(_)) => Some(format!("rename {old} of {}", new.name)),
        (Some(gone), None) => Some(format!("remove {gone} of {}", new.name)),
        (None, Some(come)) => Some(format!("add {come} to {}", new.name)),
        (None, None) => None,
    }
}

/// The first text parameter that differs.
fn changed_text(old: &Workload, new: &Workload) -> Option<String> {
    let mut copy = old.kind.clone();
    let texts = copy.family_mut().parameters().into_iter();
    let mut texts = texts.filter_map(|parameter| match parameter.slot {
        Slot::Text(slot) => Some((parameter.name.to_owned(), slot.text())),
        _ => None,
    });
    let changed = texts.find(|(name, text)| new.kind.text(name).as_ref() != Some(text));
    changed.map(|(name, _)| name)
}
