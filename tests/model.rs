//! The model from outside: golden values of the published example, and laws that hold for any numbers.
use proptest::prelude::*;
use ridgepoint::model::cost::{ComputeUnit, Cost, Level, Path};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::gpu::{ComputeRoof, Gpu, MemoryRoof, Sourced};
use ridgepoint::model::placement::{Assumptions, Launches, Overlap, Placement, Regime, place};
use ridgepoint::model::published::Published;
use ridgepoint::model::quantity::{
    ByteRate, Bytes, Count, FlopRate, Flops, Intensity, ItemRate, Quantity, Seconds,
};
use ridgepoint::model::session::Workload;
use ridgepoint::model::sweep::{self, Sweep, SweepResult};
use ridgepoint::model::units::{self, Unit};
use ridgepoint::model::workload::{Decode, Gemm, Kind, Raw, Vector};

const FP16: Path = Path::matrix(NumberFormat::FP16);

/// What is odd about the numbers themselves.
fn doubts_of(gpu: &Gpu) -> Vec<String> {
    let doubts = gpu.doubts(&Published::default());
    doubts.iter().map(ToString::to_string).collect()
}

fn gpu_with(peak: f64, bandwidth: f64) -> Gpu {
    let mut gpu = Gpu::empty("GPU");
    gpu.compute.push(ComputeRoof::new(
        FP16,
        Sourced::theoretical(FlopRate::try_from(peak).unwrap(), ""),
    ));
    gpu.memory.push(MemoryRoof::new(
        Level::Dram,
        Sourced::theoretical(ByteRate::try_from(bandwidth).unwrap(), ""),
    ));
    gpu
}

fn h100() -> Gpu {
    gpu_with(990e12, 3.35e12)
}

fn decode(batch: f64, bytes_per_parameter: f64) -> Decode {
    Decode {
        parameters: Count::try_from(8e9).unwrap(),
        bytes_per_parameter: Bytes::try_from(bytes_per_parameter).unwrap(),
        batch: Count::try_from(batch).unwrap(),
        format: NumberFormat::FP16,
        kv_bytes_per_token: None,
        context: None,
        parameters_read: None,
        ..Decode::default()
    }
}

fn on(gpu: &Gpu, kind: Kind) -> Placement {
    Workload::new("w", kind)
        .place_on(gpu, Assumptions::default())
        .unwrap()
}

fn sweep_batch(bytes_per_parameter: f64) -> SweepResult {
    let workload = Workload::new("w", Kind::Decode(decode(1.0, bytes_per_parameter)));
    let sweep = Sweep::default_for(&workload.kind);
    assert_eq!(sweep.values, [1.0, 4.0, 16.0, 64.0, 256.0, 1024.0]);
    sweep::run(&sweep, &workload, &h100(), Assumptions::default()).unwrap()
}

/// Whether a value, rounded to as many digits as the example gives, is the example's.
#[track_caller]
fn agrees(value: f64, published: f64, digits: i32) {
    let step = 10f64.powi(published.abs().log10().floor() as i32 + 1 - digits);
    assert!(
        (value - published).abs() <= step * 0.500001,
        "{value} is not {published} to {digits} digits"
    );
}

#[test]
fn one_decode_step_on_an_h100() {
    let placed = on(&h100(), Kind::Decode(decode(1.0, 2.0)));
    agrees(placed.ridge().unwrap().get(), 295.5, 4);
    assert_eq!(placed.intensity().unwrap().get(), 1.0);
    assert_eq!(placed.regime(), Regime::MemoryBound);
    agrees(placed.time().get(), 4.776e-3, 4);
    agrees(placed.time().get().recip(), 209.4, 4);
    let used = placed.arithmetic_utilisation().unwrap();
    agrees(used, 0.00338, 3);
    agrees(1.0 - used, 0.997, 3);
    assert_eq!(
        placed.formula(),
        "min(990 TFLOP/s, 3.35 TB/s × 1 FLOP/B) = 3.35 TFLOP/s"
    );
}

#[test]
fn batching_up_to_the_ridge_and_beyond() {
    // Tokens/s of all users: 13,400 and 53,600 are whole numbers of the published example.
    let published = [209.4, 837.5, 3350.0, 13_400.0, 53_600.0, 61_875.0];
    let swept = sweep_batch(2.0);
    for (row, published) in swept.rows.iter().zip(published) {
        let total = row.outcome.as_ref().unwrap().items_per_second().unwrap();
        let digits = if published < 1000.0 { 4 } else { 6 };
        agrees(total, published, digits);
    }
    let outcome = |index: usize| swept.rows[index].outcome.as_ref().unwrap();
    agrees(outcome(4).placement.time().get(), 4.776e-3, 4);
    agrees(outcome(4).items_per_second_per_user().unwrap(), 209.4, 4);
    assert_eq!(outcome(4).placement.regime(), Regime::MemoryBound);
    agrees(outcome(5).placement.time().get(), 16.55e-3, 4);
    agrees(outcome(5).items_per_second_per_user().unwrap(), 60.42, 4);
    assert_eq!(outcome(5).placement.regime(), Regime::ComputeBound);
    agrees(swept.crossover.unwrap(), 295.5, 4);
    assert_eq!(swept.first_whole, Some(296.0));
}

#[test]
fn half_the_bytes_is_half_the_time_and_half_the_crossover() {
    let placed = on(&h100(), Kind::Decode(decode(1.0, 1.0)));
    agrees(placed.time().get(), 2.388e-3, 4);
    agrees(sweep_batch(1.0).crossover.unwrap(), 147.8, 4);
}

#[test]
fn a_kv_cache_takes_most_of_the_step() {
    let mut kind = decode(256.0, 2.0);
    kind.kv_bytes_per_token = Some(Bytes::try_from(131_072.0).unwrap());
    kind.context = Some(Count::try_from(1024.0).unwrap());
    let time = on(&h100(), Kind::Decode(kind)).time().get();
    // (16e9 + 256 · 1024 · 131072) B ÷ 3.35e12 B/s
    agrees(time, 15e-3, 2);
    agrees(time, (16e9 + 34_359_738_368.0) / 3.35e12, 12);
}

#[test]
fn the_h100_has_the_highest_ridge_of_the_three() {
    let ridge = |peak, bandwidth| {
        let gpu = gpu_with(peak, bandwidth);
        gpu.ridge(FP16, Level::Dram).unwrap().get()
    };
    let h100 = ridge(990e12, 3.35e12);
    let (a100, b200) = (ridge(312e12, 2.0e12), ridge(2250e12, 8e12));
    assert_eq!((a100, b200), (156.0, 281.25));
    assert!(h100 > a100 && h100 > b200);
}

#[test]
fn kernels_of_known_cost() {
    let cost = |kind: Kind| kind.family().cost().unwrap();
    let add = cost(Kind::Vector(Vector::default()));
    assert_eq!(add.work[0].0, Path::vector(NumberFormat::FP32));
    assert_eq!(add.intensity_at(Level::Dram).unwrap().get(), 1.0 / 12.0);
    let gemm = cost(Kind::Gemm(Gemm::default()));
    assert_eq!(gemm.total_work().get(), 2.0 * 4096f64.powi(3));
    let traffic = gemm.traffic_at(Level::Dram).get();
    assert_eq!(traffic, 3.0 * 4096f64.powi(2) * 2.0);
    agrees(gemm.intensity_at(Level::Dram).unwrap().get(), 1365.3, 5);
}

#[test]
fn units_people_mix_up() {
    // 2,000 GiB/s are 2,147.5 GB/s, and 71.0078 MiB are 74,457,088 B to the digits given.
    let rate = ByteRate::parse("2,000.0 GiB/s").unwrap();
    agrees(rate.get(), 2147.5e9, 5);
    agrees(Bytes::parse("71.0078 MiB").unwrap().get(), 74_457_088.0, 6);
    assert_eq!(ByteRate::parse("3,35 TB/s").unwrap().get(), 3.35e12);
    assert_eq!(ByteRate::parse("0,5 GB/s").unwrap().get(), 5e8);
    assert_eq!(ByteRate::parse("1.234,5 GB/s").unwrap().get(), 1.2345e12);
    assert!(ByteRate::parse("1,234 GB/s").is_err());
    assert_eq!(ByteRate::parse("3,35 TB/s").unwrap().exact(), "3.35 TB/s");
    // A bandwidth typed without its unit is refused by no one, but doubted.
    let doubts = doubts_of(&gpu_with(312e12, 2039.0));
    assert!(doubts[0].contains("2.039 kB/s is outside"), "{doubts:?}");
    let doubts = doubts_of(&gpu_with(200e15, 2e12));
    assert!(doubts[0].contains("200 PFLOP/s is outside"), "{doubts:?}");
    assert!(doubts_of(&h100()).is_empty());
    for (capacity, odd) in [(80e9, false), (80.0, true), (80e18, true)] {
        let gpu = Gpu {
            capacity: Some(Bytes::try_from(capacity).unwrap()),
            ..h100()
        };
        let doubts = doubts_of(&gpu);
        let told = doubts
            .iter()
            .any(|doubt| doubt.contains("is outside 100 MB to 100 TB"));
        assert_eq!(told, odd, "{doubts:?}");
    }
}

/// Numbers of any size, evenly over the decades.
fn sized(low: i32, high: i32) -> impl Strategy<Value = f64> {
    (low..high, 1.0..10.0f64).prop_map(|(decade, digits)| digits * 10f64.powi(decade))
}

fn raw(work: f64, traffic: f64) -> Cost {
    Cost::kernel(FP16, work.try_into().unwrap(), traffic.try_into().unwrap())
}

fn time_of(cost: &Cost, gpu: &Gpu, overlap: Overlap) -> f64 {
    let assumptions = Assumptions {
        overlap,
        launches: Launches::Hidden,
        ..Assumptions::default()
    };
    place(cost, gpu, assumptions, 1.0).unwrap().time().get()
}

/// Printing and reading a value changes not a bit of it.
fn survives<Q: Quantity + std::fmt::Debug>(value: f64) -> Result<(), TestCaseError> {
    if let Ok(quantity) = Q::try_from(value) {
        let text = quantity.exact();
        let back = Q::parse(&text);
        prop_assert_eq!(
            back.map(|q| q.get().to_bits()),
            Ok(value.to_bits()),
            "{}",
            text
        );
    }
    Ok(())
}

proptest! {
    #[test]
    fn no_roof_is_exceeded(
        peak in sized(9, 18), bandwidth in sized(8, 15), work in sized(0, 20), traffic in sized(0, 15),
    ) {
        let placed = place(&raw(work, traffic), &gpu_with(peak, bandwidth), Assumptions::default(), 1.0).unwrap();
        let attainable = placed.attainable().unwrap().get();
        let intensity = placed.intensity().unwrap().get();
        prop_assert!(attainable <= peak * (1.0 + 1e-12));
        prop_assert!(attainable <= bandwidth * intensity * (1.0 + 1e-12));
        // Law 1: one of the two is reached, and which one says the regime.
        let least = peak.min(bandwidth * intensity);
        prop_assert!((attainable / least - 1.0).abs() < 1e-12);
        let ridge = peak / bandwidth;
        if (intensity / ridge - 1.0).abs() > 1e-12 {
            prop_assert_eq!(placed.regime() == Regime::ComputeBound, intensity > ridge);
        }
    }

    #[test]
    fn the_roof_is_continuous_at_the_ridge(peak in sized(9, 18), bandwidth in sized(8, 15), step in 1e-9..1e-6f64) {
        let gpu = gpu_with(peak, bandwidth);
        let at = |intensity: f64| {
            let placed = place(&raw(1e15 * intensity, 1e15), &gpu, Assumptions::default(), 1.0);
            placed.unwrap().attainable().unwrap().get()
        };
        let ridge = peak / bandwidth;
        let (below, above) = (at(ridge * (1.0 - step)), at(ridge * (1.0 + step)));
        prop_assert!(below <= above && (above / below - 1.0) <= step * 1.01 + 1e-12);
    }

    #[test]
    fn twice_the_roofs_is_half_the_time(
        peak in sized(9, 18), bandwidth in sized(8, 15), work in sized(0, 20), traffic in sized(0, 15),
    ) {
        let cost = raw(work, traffic);
        for overlap in [Overlap::Full, Overlap::None] {
            let one = time_of(&cost, &gpu_with(peak, bandwidth), overlap);
            let two = time_of(&cost, &gpu_with(2.0 * peak, 2.0 * bandwidth), overlap);
            prop_assert_eq!(one, 2.0 * two);
        }
    }

    #[test]
    fn without_overlap_a_kernel_takes_up_to_twice_as_long(
        peak in sized(9, 18), bandwidth in sized(8, 15), work in sized(0, 20), traffic in sized(0, 15),
    ) {
        let (gpu, cost) = (gpu_with(peak, bandwidth), raw(work, traffic));
        let full = time_of(&cost, &gpu, Overlap::Full);
        let none = time_of(&cost, &gpu, Overlap::None);
        prop_assert!(full <= none && none <= 2.0 * full);
    }

    #[test]
    fn no_rate_that_grows_costs_time(
        peak in sized(9, 18), bandwidth in sized(8, 15), work in sized(0, 20), traffic in sized(0, 15),
        faster in 1.0..100.0f64,
    ) {
        let cost = raw(work, traffic);
        for overlap in [Overlap::Full, Overlap::None] {
            let before = time_of(&cost, &gpu_with(peak, bandwidth), overlap);
            prop_assert!(time_of(&cost, &gpu_with(peak * faster, bandwidth), overlap) <= before);
            prop_assert!(time_of(&cost, &gpu_with(peak, bandwidth * faster), overlap) <= before);
        }
    }

    #[test]
    fn printed_quantities_read_back_bit_for_bit(value in sized(-60, 60)) {
        survives::<Flops>(value)?;
        survives::<Bytes>(value)?;
        survives::<FlopRate>(value)?;
        survives::<ByteRate>(value)?;
        survives::<Intensity>(value)?;
        survives::<Seconds>(value)?;
        survives::<ItemRate>(value)?;
        survives::<Count>(value.round())?;
    }

    #[test]
    fn any_number_prints_and_reads_back_in_any_unit(bits in any::<u64>()) {
        use Unit::{Byte, BytePerSecond, Flop, FlopPerByte, FlopPerSecond, One, PerSecond, Second};
        let value = f64::from_bits(bits);
        prop_assume!(value.is_finite());
        for unit in [Flop, Byte, FlopPerSecond, BytePerSecond, FlopPerByte, Second, PerSecond, One] {
            let text = units::exact(value, unit);
            let back = units::parse(&text, unit);
            prop_assert_eq!(back.map(f64::to_bits), Ok(value.to_bits()), "{}", text);
        }
    }

    #[test]
    fn text_for_reading_is_near_the_value(value in sized(-12, 20)) {
        let text = units::short(value, Unit::FlopPerSecond);
        if let Ok(back) = units::parse(&text.replace(',', ""), Unit::FlopPerSecond) {
            prop_assert!((back / value - 1.0).abs() < 1e-3 || value < 1e-3, "{} {}", value, text);
        }
    }

    #[test]
    fn any_text_is_read_or_refused_without_a_panic(text in "\\PC{0,12}|[0-9.,eE+\\-^ kMGTiB/sx]{0,12}") {
        for unit in [Unit::FlopPerSecond, Unit::Byte, Unit::Second, Unit::One] {
            if let Ok(value) = units::parse(&text, unit) {
                prop_assert!(value.is_finite());
            }
            let _ = Sweep::parse_values(&text, unit);
        }
        let _ = text.parse::<Path>();
    }

    #[test]
    fn a_path_reads_back(format in 0..10usize, unit in 0..3usize, accumulator in proptest::option::of(0..10usize)) {
        let path = Path {
            format: NumberFormat::ALL[format],
            unit: ComputeUnit::ALL[unit],
            accumulator: accumulator.map(|index| NumberFormat::ALL[index]),
            sparse: false,
        };
        prop_assert_eq!(path.to_string().parse(), Ok(path));
    }

    #[test]
    fn raw_workloads_with_nothing_to_do_say_so(work in sized(0, 15)) {
        let nothing = Raw {
            work: Flops::ZERO,
            traffic: Bytes::ZERO,
            ..Raw::default()
        };
        let workload = Workload::new("w", Kind::Raw(nothing.clone()));
        prop_assert!(workload.place_on(&h100(), Assumptions::default()).is_err());
        let copy = Raw { traffic: Bytes::try_from(work).unwrap(), ..nothing };
        let placed = on(&h100(), Kind::Raw(copy));
        prop_assert_eq!(placed.attainable(), None);
        prop_assert_eq!(placed.regime(), Regime::MemoryBound);
    }
}

#[test]
fn sparsity_is_asked_for_by_name_and_shrinks_the_weights() {
    let mut gpu = h100();
    let mut sparse = decode(1.0, 2.0);
    sparse.weights = ridgepoint::model::workload::Weights::Sparse;
    // Without it the device says so and judges by the dense peak; the bytes shrink to 9/16 all the same.
    let placement = on(&gpu, Kind::Decode(sparse.clone()));
    assert_eq!(placement.traffic.get(), 16e9 * 9.0 / 16.0);
    assert_eq!(placement.compute_roof.unwrap().get(), 990e12);
    assert!(
        placement.warnings[0].contains("no structured sparsity"),
        "{:?}",
        placement.warnings
    );
    let dense = gpu.compute[0].path;
    let peak = Sourced::theoretical(FlopRate::try_from(1980e12).unwrap(), "data sheet");
    gpu.compute
        .push(ComputeRoof::new(dense.with_sparsity(), peak));
    assert_eq!(
        on(&gpu, Kind::Decode(sparse)).compute_roof.unwrap().get(),
        1980e12
    );
    // Dense work is never judged by it.
    let dense = on(&gpu, Kind::Decode(decode(1.0, 2.0)));
    assert_eq!(dense.compute_roof.unwrap().get(), 990e12);
}

#[test]
fn the_slowest_level_limits_a_hierarchy() {
    let mut gpu = h100();
    let l2 = Sourced::theoretical(ByteRate::try_from(5.5e12).unwrap(), "");
    gpu.memory.push(MemoryRoof::new(Level::L2, l2));
    let raw = ridgepoint::model::workload::Raw {
        work: 1e12.try_into().unwrap(),
        traffic: 10e9.try_into().unwrap(),
        traffic_l2: Some(55e9.try_into().unwrap()),
        ..Default::default()
    };
    let placement = on(&gpu, Kind::Raw(raw));
    agrees(placement.time().get(), 10e-3, 6);
    assert_eq!(placement.level, Level::L2);
    agrees(placement.intensity().unwrap().get(), 1e12 / 55e9, 6);
    agrees(placement.ridge_at(Level::Dram).unwrap().get(), 295.5, 4);
}

#[test]
fn formats_of_one_unit_share_its_pipe_and_other_units_overlap() {
    let mut gpu = gpu_with(1e14, 1e12);
    let peak = |path, rate: f64| {
        let peak = FlopRate::try_from(rate).unwrap();
        ComputeRoof::new(path, Sourced::theoretical(peak, "test"))
    };
    let (wide, narrow) = (
        Path::matrix(NumberFormat::BF16),
        Path::matrix(NumberFormat::FP8),
    );
    let vector = Path::vector(NumberFormat::FP32);
    gpu.compute = vec![peak(wide, 1e14), peak(narrow, 2e14), peak(vector, 1e13)];
    let work = |flop: f64| Flops::try_from(flop).unwrap();
    let cost = Cost::kernel(wide, work(1e14), Bytes::try_from(1e9).unwrap())
        .with_work(narrow, work(2e14))
        .with_work(vector, work(1e13));
    // A second of each matrix format, one after the other, while the vector unit takes its second beside them.
    assert_eq!(time_of(&cost, &gpu, Overlap::Full), 2.0);
}

#[test]
fn a_sparse_figure_typed_over_the_dense_one_is_doubted() {
    let mut gpu = gpu_with(1e14, 1e12);
    assert_eq!(doubts_of(&gpu), Vec::<String>::new());
    gpu.compute[0]
        .peak
        .set_own(FlopRate::try_from(2e14).unwrap());
    let doubts = doubts_of(&gpu).join("\n");
    assert!(
        doubts.contains("twice the published 100 TFLOP/s"),
        "{doubts}"
    );
    gpu.compute[0]
        .peak
        .set_own(FlopRate::try_from(1.5e14).unwrap());
    assert_eq!(doubts_of(&gpu), Vec::<String>::new());
    let bf16 = FlopRate::try_from(3e14).unwrap();
    let bf16 = ComputeRoof::new(
        Path::matrix(NumberFormat::BF16),
        Sourced::theoretical(bf16, ""),
    );
    gpu.compute.push(bf16);
    assert!(doubts_of(&gpu).join("\n").contains("a factor of two apart"));
}
