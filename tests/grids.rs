//! Grids of two parameters: each row is the one-parameter sweep at its second value; and where operators turn.
use proptest::prelude::*;
use ridgepoint::files::presets;
use ridgepoint::model::gpu::Gpu;
use ridgepoint::model::llm::{self, Serving};
use ridgepoint::model::placement::{Assumptions, Regime};
use ridgepoint::model::session::Workload;
use ridgepoint::model::sweep::grid::{Cell, Grid, GridError, Task, run};
use ridgepoint::model::sweep::{self, Sweep};
use ridgepoint::model::workload::Kind;

fn gpu(id: &str) -> Gpu {
    presets::gpu(id).unwrap().unwrap().gpu
}

fn sweep(parameter: &str, values: &[f64]) -> Sweep {
    Sweep {
        parameter: parameter.to_owned(),
        values: values.to_vec(),
    }
}

fn grid(first: Sweep, second: Sweep, kind: &Kind) -> Result<Task, GridError> {
    let workload = Workload::new("it", kind.clone());
    let assumptions = Assumptions::default();
    let (here, there) = (gpu("nvidia-h100-sxm"), gpu("amd-mi300x"));
    Task::new(
        Grid { first, second },
        &workload,
        &here,
        Some(&there),
        assumptions,
    )
}

fn model() -> Kind {
    Kind::LanguageModel(Serving::default())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_row_is_the_sweep_at_its_second_value(
        kind in 0usize..100,
        pair in (0usize..100, 0usize..100),
        factors in prop::collection::vec(0.0..4.0f64, 1..6),
        others in prop::collection::vec(0.0..4.0f64, 1..4),
    ) {
        let examples = Kind::examples();
        let kind = &examples[kind % examples.len()];
        let names = kind.numeric_parameters();
        let (a, b) = (&names[pair.0 % names.len()], &names[pair.1 % names.len()]);
        prop_assume!(a != b);
        let values = |name: &str, exponents: &[f64]| -> Vec<f64> {
            let now = kind.number(name).unwrap_or(1.0).max(1.0);
            exponents.iter().map(|e| (now * 4f64.powf(*e)).round()).collect()
        };
        let first = sweep(a, &values(a, &factors));
        let second = sweep(b, &values(b, &others));
        let here = gpu("nvidia-h100-sxm");
        let result = run(grid(first.clone(), second.clone(), kind).unwrap());
        for (j, value) in second.values.iter().enumerate() {
            let Ok(kind) = kind.with(b, *value) else { continue };
            let workload = Workload::new("it", kind);
            let rows = sweep::rows(&first, &workload, &here, Assumptions::default());
            for (i, row) in rows.iter().enumerate() {
                let cell = result.cell(i, j).unwrap();
                let alone = |cell: &Cell| Cell { ratio: None, ..*cell };
                let alike = cell.as_ref().map(alone).map_err(String::as_str);
                prop_assert_eq!(alike, row.outcome.as_ref().map(Cell::of_row).map_err(String::as_str));
            }
        }
    }
}

#[test]
fn a_cell_says_whether_the_memory_holds_it_and_how_it_compares() {
    let task = grid(
        sweep("batch", &[1.0, 64.0, 1024.0]),
        sweep("context", &[1024.0, 32_768.0]),
        &model(),
    );
    let result = run(task.unwrap());
    let memory = gpu("nvidia-h100-sxm").capacity.unwrap();
    let mut answers = Vec::new();
    for (j, context) in [1024.0, 32_768.0].into_iter().enumerate() {
        for (i, batch) in [1.0, 64.0, 1024.0].into_iter().enumerate() {
            let cell = result.cell(i, j).unwrap().as_ref().unwrap();
            let kind = model().with_each(&[("batch", batch), ("context", context)]);
            let Ok(Kind::LanguageModel(serving)) = kind else {
                panic!("no model at {batch}, {context}");
            };
            let known = llm::capacity(&serving, memory).fits();
            assert_eq!(cell.fits, Some(known), "{batch}, {context}");
            answers.push(known);
            assert!(cell.ratio.unwrap() > 0.1 && cell.ratio.unwrap() < 10.0);
        }
    }
    assert!(answers.contains(&true) && answers.contains(&false));
}

#[test]
fn a_grid_is_refused_with_the_reason() {
    let many: Vec<f64> = (1..=1000).map(f64::from).collect();
    let error = grid(sweep("batch", &many), sweep("context", &many), &model());
    assert_eq!(
        error.unwrap_err().to_string(),
        "1000 × 1000 values are too many: a grid has at most 100,000 cells"
    );
    let error = grid(sweep("batch", &[1.0]), sweep("batch", &[1.0]), &model());
    assert!(error.unwrap_err().to_string().starts_with("batch is both"));
    let error = grid(sweep("batch", &[1.0]), sweep("breadth", &[1.0]), &model());
    assert!(error.unwrap_err().to_string().contains("breadth"));
}

#[test]
fn what_the_other_values_replace_makes_no_other_task() {
    let axes = || (sweep("batch", &[1.0, 8.0]), sweep("context", &[1024.0]));
    let task = |kind: &Kind| grid(axes().0, axes().1, kind).unwrap();
    let moved = model().with("batch", 77.0).unwrap();
    assert_eq!(task(&model()), task(&moved));
    let other = model().with("tensor_parallel", 2.0).unwrap();
    assert_ne!(task(&model()), task(&other));
}

#[test]
fn operators_turn_where_each_alone_would() {
    let workload = Workload::new("it", model());
    let here = gpu("nvidia-h100-sxm");
    let values = sweep("batch", &[1.0, 16.0, 256.0]);
    let assumptions = Assumptions::default();
    let result = sweep::run(&values, &workload, &here, assumptions).unwrap();
    assert!(!result.turns.is_empty(), "no operator turns");
    let sorted = result.turns.is_sorted_by(|a, b| a.value <= b.value);
    assert!(sorted, "{:?}", result.turns);
    for turn in &result.turns {
        let regime = |batch: f64| {
            let kind = workload.kind.with("batch", batch).unwrap();
            let placed = Workload::new("it", kind)
                .place_on(&here, assumptions)
                .unwrap();
            let mut operators = placed.operators.into_iter();
            let operator = operators.find(|o| o.name == turn.operator).unwrap();
            operator.placement.regime()
        };
        assert_eq!(regime(turn.value.ceil() + 1.0), turn.regime, "{turn:?}");
        assert_ne!(regime((turn.value - 1.0).floor()), turn.regime, "{turn:?}");
        assert_eq!(turn.regime, Regime::ComputeBound);
    }
    // A single kernel is a whole and nothing more.
    let gemm = Workload::new(
        "it",
        Kind::examples()
            .into_iter()
            .find(|k| k.title() == "GEMM")
            .unwrap(),
    );
    let result = sweep::run(&sweep("m", &[1.0, 4096.0]), &gemm, &here, assumptions).unwrap();
    assert!(result.turns.is_empty() && result.crossover.is_some());
}
