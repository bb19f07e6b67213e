//! Session files from outside: whatever is written comes back, and an unchanged save changes no byte.
use proptest::prelude::*;
use ridgepoint::files::session_file::{gpu_from_text, gpu_text, read, write};
use ridgepoint::model::cost::{ComputeUnit, Level, Path};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::gpu::{ComputeRoof, Gpu, MemoryRoof, Sourced};
use ridgepoint::model::measurement::{Measurement, Observation};
use ridgepoint::model::placement::{Launches, Overlap};
use ridgepoint::model::quantity::{ByteRate, Bytes, FlopRate, Quantity, Seconds};
use ridgepoint::model::session::{Session, Workload};
use ridgepoint::model::sweep::Sweep;
use ridgepoint::model::sweep::grid::Shown;
use ridgepoint::model::view::{Limits, View};
use ridgepoint::model::workload::Kind;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z0-9 ]{0,8}",
        "\\PC{0,8}",
        // What text formats trip over.
        proptest::collection::vec(
            proptest::sample::select(vec![
                "\"", "\"#", "\\", "\n", "\t", "//", "/*", "é", "(", "]", "r#\"", "'", "\u{0}"
            ]),
            0..6
        )
        .prop_map(|parts| parts.concat()),
    ]
}

fn rate<Q: Quantity + std::fmt::Debug>() -> impl Strategy<Value = Q> {
    (1.0..10.0f64, 6..18i32)
        .prop_map(|(digits, decade)| (digits * 10f64.powi(decade)).try_into().unwrap())
}

fn sourced<Q: Quantity + std::fmt::Debug + 'static>() -> impl Strategy<Value = Sourced<Q>> {
    (rate::<Q>(), text(), proptest::option::of(rate::<Q>())).prop_map(|(value, source, own)| {
        let mut number = Sourced::theoretical(value, source);
        if let Some(own) = own {
            number.set_own(own);
        }
        number
    })
}

fn gpu() -> impl Strategy<Value = Gpu> {
    let compute = proptest::collection::vec(sourced::<FlopRate>(), 0..4);
    let memory = proptest::collection::vec(sourced::<ByteRate>(), 0..4);
    let capacity = proptest::option::of(rate::<Bytes>());
    (text(), text(), compute, memory, capacity, any::<bool>()).prop_map(
        |(name, notes, compute, memory, capacity, launches)| {
            let mut gpu = Gpu::empty(name);
            gpu.notes = notes;
            gpu.capacity = capacity;
            gpu.launch_overhead = launches.then(|| Seconds::try_from(4.1e-6).unwrap());
            for (index, peak) in compute.into_iter().enumerate() {
                let path = Path {
                    format: NumberFormat::ALL[index * 2],
                    unit: ComputeUnit::ALL[index % 3],
                    accumulator: (index == 2).then_some(NumberFormat::FP32),
                    sparse: false,
                };
                gpu.compute.push(ComputeRoof::new(path, peak));
            }
            for (index, bandwidth) in memory.into_iter().enumerate() {
                let level = Level::ALL[index * 2];
                gpu.memory.push(MemoryRoof::new(level, bandwidth));
            }
            gpu
        },
    )
}

prop_compose! {
    fn session()(
        title in text(),
        notes in text(),
        gpus in proptest::collection::vec(gpu(), 0..4),
        workloads in proptest::collection::vec((text(), 0..Kind::examples().len(), 0..1000u32, 0.01..1.5f64, 0..5usize), 0..6),
        overlap in any::<bool>(),
        hidden in any::<u8>(),
        limits in proptest::option::of((-20.0..20.0f64, 0.1..20.0f64)),
    ) -> (Session, View) {
        let mut session = Session::empty(title);
        session.notes = notes;
        if overlap {
            session.assumptions.overlap = Overlap::None;
            session.assumptions.launches = Launches::Added;
        }
        let gpus: Vec<_> = gpus.into_iter().map(|gpu| session.add_gpu(gpu, None)).collect();
        for (name, kind, batch, share, observed) in workloads {
            let kinds = Kind::examples();
            let mut kind = kinds[kind].clone();
            if kind.number("batch").is_some() {
                kind = kind.with("batch", f64::from(batch + 1)).unwrap();
            }
            let mut workload = Workload::new(name, kind);
            for (index, gpu) in gpus.iter().enumerate() {
                workload.set_efficiency(*gpu, share);
                let texts = ["6.4 ms", "2.5 TFLOP/s", "1.234567890123 TB/s", "156 /s"];
                if let Some(text) = texts.get(observed) {
                    let observed = Observation::parse(text).unwrap();
                    let of = kinds[index].clone();
                    workload.set_measurement(*gpu, Some(Measurement { observed, of }));
                }
            }
            session.add_workload(workload, None);
        }
        let mut view = View::of(&session);
        view.hidden_gpus = gpus.iter().copied().filter(|_| hidden & 1 == 1).collect();
        view.locked = hidden & 2 == 2;
        view.show_trail = hidden & 4 == 4;
        view.selected = session.workloads.last().map(|workload| workload.id);
        if let (Some(workload), true) = (session.workloads.last(), hidden & 8 == 8) {
            view.sweep = Some(Sweep::default_for(&workload.kind));
            view.second_sweep = workload.kind.numeric_parameters().last().map(|name| Sweep {
                parameter: name.clone(),
                values: vec![1.0, 4.0, 12.5],
            });
            view.heat_map = Shown::ALL[usize::from(hidden) % Shown::ALL.len()];
            view.against = session.gpus.first().map(|gpu| gpu.id);
            view.show_curve = hidden & 2 == 2;
        }
        view.limits = limits.map(|(low, width)| Limits { x: [low, low + width], y: [low, low + width] });
        (session, view)
    }
}

proptest! {
    #[test]
    fn any_session_comes_back((session, view) in session()) {
        let text = write(&session, &view);
        let loaded = read(&text);
        prop_assert!(loaded.is_ok(), "{:?}\n{}", loaded, text);
        let loaded = loaded.unwrap();
        prop_assert_eq!(&loaded.session, &session);
        prop_assert_eq!(&loaded.view, &view);
        prop_assert_eq!(loaded.warnings.len(), 0);
        prop_assert!(!loaded.has_comments, "{}", text);
        // Saving what was not changed changes no byte.
        prop_assert_eq!(write(&loaded.session, &loaded.view), text);
    }

    #[test]
    fn any_gpu_can_be_copied(gpu in gpu()) {
        let mut expected = gpu.clone();
        expected.name = gpu.name.trim().to_owned();
        match gpu_from_text(&gpu_text(&gpu)) {
            Ok(copy) => prop_assert_eq!(copy, expected),
            Err(error) => prop_assert!(expected.name.is_empty(), "{}", error),
        }
    }
}
