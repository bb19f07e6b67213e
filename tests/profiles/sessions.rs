//! Profiles in session files: everything comes back, the same bytes are saved again, and nothing else gets in.
use crate::world::{profile, simple};
use proptest::prelude::*;
use ridgepoint::files::session_file::{MOST_KERNELS, read, write};
use ridgepoint::model::cost::{Level, Path};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::gpu::Gpu;
use ridgepoint::model::join::{Mapping, Match};
use ridgepoint::model::placement::Regime;
use ridgepoint::model::profile::{
    ByteSource, Clocks, Fill, Filter, Gives, KernelId, KernelKey, Profile, Selector,
};
use ridgepoint::model::session::{Session, Workload};
use ridgepoint::model::view::View;
use ridgepoint::model::workload::Kind;

const FP32: Path = Path::vector(NumberFormat::FP32);

/// A session whose profile has everything a profile can have.
fn full() -> Session {
    let mut session = Session::empty("profiles");
    let gpu = session.add_gpu(Gpu::empty("device"), None);
    let kind = Kind::examples().swap_remove(0);
    let workload = session.add_workload(Workload::new("work", kind.clone()), None);
    let after = session.add_profile(profile(
        &simple(FP32),
        &[("k", "", Some(1e-3), vec![None, None])],
    ));
    let rows = [
        (
            "void k<float, (int)4>(float*)",
            "grid 1×1×1",
            Some(1e-3),
            vec![Some(3.0), Some(1e6)],
        ),
        (
            "void k<float, (int)4>(float*)",
            "grid 1×1×1",
            Some(3.1e-6),
            vec![Some(4.0), Some(1e6)],
        ),
        ("copy \"quoted\"\\", "", Some(2e-3), vec![Some(0.0), None]),
    ];
    let mut profile = Profile {
        gpu: Some(gpu),
        clocks: Clocks {
            compute: Some(1.755e9),
            memory: Some(2.6e9),
        },
        byte_source: ByteSource::Algorithmic,
        notes: vec!["a sector is 32 B".to_owned()],
        ..profile(&simple(FP32), &rows)
    };
    let key = |name: &str| KernelKey {
        name: name.to_owned(),
        launch: "grid 1".to_owned(),
    };
    let choices = &mut profile.choices;
    choices.filter = Filter {
        name: "k".to_owned(),
        level: Some(Level::L2),
        path: Some(FP32),
        regime: Some(Regime::MemoryBound),
        heaviest: Some(0.9),
    };
    choices.hidden.insert(key("h"));
    choices.isolated.insert(key("i"));
    choices.set_alias("copy", "the copy");
    choices.grouped = true;
    let all = [
        Gives::Work(FP32, "2 * threads".to_owned()),
        Gives::Traffic(Level::Dram, "3 MB".to_owned()),
        Gives::Time("3 us".to_owned()),
        Gives::Kind(Box::new(kind)),
    ];
    let of = [
        Selector::Line(key("k")),
        Selector::Name("k".to_owned()),
        Selector::Pattern("^k".to_owned()),
        Selector::Name("copy".to_owned()),
    ];
    choices.fills = all
        .into_iter()
        .zip(of.clone())
        .map(|(gives, of)| Fill {
            of,
            gives,
            replaces: true,
        })
        .collect();
    choices.against = Some(after);
    choices.pairs = vec![(key("k"), key("l"))];
    choices.set_mapping(
        workload,
        Mapping {
            groups: vec![Match {
                kernels: of.to_vec(),
                operators: vec!["up".to_owned()],
            }],
            executions: 3.0,
        },
    );
    session.add_profile(profile);
    session
}

/// Profiles compare their kernels by identity, which no file keeps.
fn assert_same(one: &Session, other: &Session) {
    assert_eq!(one.profiles.len(), other.profiles.len());
    for (a, b) in one.profiles.iter().zip(&other.profiles) {
        assert_eq!(*a.kernels, *b.kernels);
        assert_eq!(a.choices.fills, b.choices.fills);
        let b = Profile {
            kernels: a.kernels.clone(),
            ..b.clone()
        };
        assert_eq!(a.name, b.name);
        assert_eq!(
            (&a.source, a.clocks, a.byte_source, &a.notes),
            (&b.source, b.clocks, b.byte_source, &b.notes)
        );
    }
}

#[test]
fn what_a_view_shows_of_profiles_comes_back() {
    let session = full();
    let mut view = View::of(&session);
    let ids: Vec<_> = session.profiles.iter().map(|profile| profile.id).collect();
    let listed = ids[ids.len() - 1];
    view.hidden_profiles = vec![ids[0]];
    view.select_kernel(KernelId {
        profile: listed,
        line: 0,
    });
    let text = write(&session, &view);
    let loaded = read(&text).unwrap();
    assert_eq!(loaded.view.hidden_profiles, [loaded.session.profiles[0].id]);
    let kernel = loaded.view.kernel.unwrap();
    let last = loaded.session.profiles.last().unwrap().id;
    assert_eq!((kernel.profile, kernel.line), (last, 0));
    assert_eq!(loaded.view.profile, Some(last));
    assert_eq!(write(&loaded.session, &loaded.view), text);
    for (right, wrong, said) in [
        ("kernel: 1", "kernel: 99", "the profile has no kernel 99"),
        (
            "hidden_profiles: [",
            "hidden_profiles: [\"nobody\", ",
            "there is no profile",
        ),
    ] {
        assert!(text.contains(right), "{text}");
        let error = read(&text.replace(right, wrong)).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_profile_comes_back_with_every_choice() {
    let session = full();
    let text = write(&session, &View::of(&session));
    let loaded = read(&text).unwrap();
    assert_eq!(loaded.warnings, Vec::<String>::new());
    assert_same(&session, &loaded.session);
    // In one session file ids are given in one order, so that those of the choices are the same too.
    assert_eq!(
        loaded.session.profiles[1].choices.filter,
        session.profiles[1].choices.filter
    );
    let named = |session: &Session| {
        let choices = session.profiles[1].choices.clone();
        let against = choices
            .against
            .and_then(|id| session.profile(id))
            .map(|p| p.name.clone());
        let workload = session
            .workload(choices.mappings[0].0)
            .map(|w| w.name.clone());
        (
            against,
            workload,
            choices.mappings[0].1.clone(),
            choices.pairs,
            choices.hidden,
            choices.isolated,
            choices.aliases,
        )
    };
    assert_eq!(named(&session), named(&loaded.session));
    assert_eq!(write(&loaded.session, &loaded.view), text);
    // A line per kernel.
    let line = text
        .lines()
        .find(|line| line.contains("void k<float"))
        .unwrap();
    assert!(
        line.contains("count: 2") && line.trim_end().ends_with("),"),
        "{line}"
    );
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let session = full();
    let text = write(&session, &View::of(&session));
    let told = |from: &str, to: &str| {
        let broken = text.replacen(from, to, 1);
        assert_ne!(broken, text, "{from}");
        let error = read(&broken).unwrap_err();
        let place = broken.lines().nth(error.line - 1).unwrap();
        assert!(
            place.contains(to.split(':').next_back().unwrap().trim()),
            "{error}: {place}"
        );
        error.to_string()
    };
    assert!(told("gpu: \"device\"", "gpu: \"devise\"").contains("no GPU named"));
    assert!(told("workload: \"work\"", "workload: \"wok\"").contains("no workload named"));
    assert!(told("regime: \"memory-bound\"", "regime: \"bound\"").contains("is no regime"));
    assert!(told("heaviest: 0.9", "heaviest: 1.9").contains("from 0 to 1"));
    assert!(told("count: 2", "count: 0").contains("launched once at least"));
    assert!(told("Pattern(\"^k\")", "Pattern(\"^k(\")").contains("regular expression"));
    assert!(told("executions: 3.0", "executions: 0.0").contains("above zero"));
}

/// Of the file and what the importer said, only kernels, its own name and its hash get in.
#[test]
fn no_folder_enters_a_session() {
    let mut session = full();
    session.profiles[0].source.file = "/home/secret-user/work/run.csv".to_owned();
    session.profiles[1].source.file = r"C:\Users\secret-user\run.csv".to_owned();
    let text = write(&session, &View::of(&session));
    assert!(!text.contains("secret-user"), "{text}");
    assert!(text.contains("file: \"run.csv\""));
}

#[test]
fn of_too_many_kernels_the_heaviest_are_kept() {
    let names: Vec<_> = (0..MOST_KERNELS + 10).map(|i| format!("k{i}")).collect();
    let rows: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(i, name)| (name.as_str(), "", Some(1e-6 * (1.0 + i as f64)), vec![]))
        .collect();
    let mut session = Session::empty("");
    session.add_profile(profile(&[], &rows));
    let text = write(&session, &View::of(&session));
    let loaded = read(&text).unwrap();
    let kept = &loaded.session.profiles[0];
    assert_eq!(kept.kernels.lines.len(), MOST_KERNELS);
    assert_eq!(&*kept.kernels.lines[0].name, "k10");
    assert!(
        kept.notes[0].contains("100,000 heaviest of 100,010 kernels"),
        "{:?}",
        kept.notes
    );
    assert_eq!(write(&loaded.session, &loaded.view), text);
}

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z<>:, ]{1,12}",
        "\\PC{1,8}",
        Just("\"#\\\n\t//(".to_owned())
    ]
}

proptest! {
    #[test]
    fn whatever_was_measured_comes_back(
        rows in prop::collection::vec(
            (any_name(), any_name(), prop::option::of(1e-9..1e3f64), prop::collection::vec(prop::option::of(0.0..1e15f64), 2)),
            0..8,
        ),
    ) {
        let rows: Vec<_> = rows.iter()
            .map(|(name, shape, time, values)| (name.as_str(), shape.as_str(), *time, values.clone())).collect();
        let mut session = Session::empty("");
        session.add_profile(profile(&simple(FP32), &rows));
        let text = write(&session, &View::of(&session));
        let loaded = read(&text).unwrap();
        assert_same(&session, &loaded.session);
        prop_assert_eq!(write(&loaded.session, &loaded.view), text);
    }
}
