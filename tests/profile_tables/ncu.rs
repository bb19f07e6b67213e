//! Nsight Compute's long table, as versions of 2020 to 2026 write it.
use crate::{SAXPY, TRANSPOSE, bytes, flops, long, near, read, says, time};
use ridgepoint::model::cost::Level;
use ridgepoint::model::profile::ByteSource;

#[test]
fn saxpy_moves_what_the_counters_say() {
    let profile = read(SAXPY);
    assert_eq!(profile.source.format, "Nsight Compute CSV");
    assert_eq!(profile.source.file, "a.csv");
    assert_eq!((profile.rows, profile.skipped_in_all), (12, 0));
    assert_eq!(profile.byte_source, ByteSource::Counter);
    let kernel = &profile.kernels.lines[0];
    assert!(
        kernel.name.starts_with("unnamed>::saxpy_kernel("),
        "{}",
        kernel.name
    );
    assert_eq!(&*kernel.launch, "grid 65536×1×1, block 256×1×1");
    assert_eq!(
        bytes(&profile, 0, Level::Dram),
        Some(134_221_568.0 + 43_631_104.0)
    );
    assert_eq!(bytes(&profile, 0, Level::Dram), Some(177_852_672.0));
    assert_eq!(time(&profile, 0), 292_928e-9);
    near(177_852_672.0 / time(&profile, 0), 607.2e9, 2e-4);
    // There are no FLOP counters: the work is not known, which is not the same as none.
    assert_eq!(flops(&profile, 0), None);
    says(
        &profile.warnings,
        "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    );
    says(
        &profile.warnings,
        "`ncu --csv --page raw --print-units base --clock-control none --metrics",
    );
    says(
        &profile.notes,
        "DRAM bytes = dram__bytes_op_read.sum + dram__bytes_op_write.sum",
    );
    says(&profile.notes, "in 292.9 µs that is 607.2 GB/s");
}

#[test]
fn a_transpose_is_kept_with_its_traffic() {
    let profile = read(TRANSPOSE);
    assert_eq!(bytes(&profile, 0, Level::Dram), Some(23_401_216.0));
    assert_eq!(bytes(&profile, 0, Level::L1), Some(150_994_944.0));
    near(23_401_216.0 / time(&profile, 0), 143.5e9, 2e-4);
    says(&profile.notes, "a sector is 32 B");
}

#[test]
fn work_is_counted_per_format_an_fma_being_two() {
    let op = |name: &str| format!("smsp__sass_thread_inst_executed_op_{name}_pred_on.sum");
    let (fadd, fmul, ffma) = (op("fadd"), op("fmul"), op("ffma"));
    let (ffma2, dfma, hfma) = (op("ffma2"), op("dfma"), op("hfma"));
    let profile = read(
        long(&[
            ("k", 1, &fadd, "inst", "1,000"),
            ("k", 1, &fmul, "inst", "200"),
            ("k", 1, &ffma, "inst", "3"),
            ("k", 1, &ffma2, "inst", "5"),
            ("k", 1, &dfma, "inst", "7"),
            ("k", 1, &hfma, "inst", "11"),
            ("k", 1, "gpu__time_duration.sum", "usecond", "2.5"),
        ])
        .as_bytes(),
    );
    let work: Vec<_> = profile
        .kernels
        .work(0)
        .map(|(path, work)| (path.to_string(), work.get()))
        .collect();
    // A packed instruction does two operations at once, and an FMA is two.
    let expected = [
        ("FP64 vector", 14.0),
        ("FP32 vector", 1000.0 + 200.0 + 6.0 + 20.0),
        ("FP16 vector", 44.0),
    ];
    assert_eq!(work, expected.map(|(path, work)| (path.to_owned(), work)));
    assert_eq!(time(&profile, 0), 2.5e-6);
}

#[test]
fn rates_per_cycle_and_derived_names_give_the_same_work() {
    let rate = "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed";
    let derived = "derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2";
    let profile = read(
        long(&[
            ("k", 1, rate, "inst/cycle", "10"),
            (
                "k",
                1,
                "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed",
                "inst/cycle",
                "0",
            ),
            // Twice the instructions per cycle.
            ("k", 1, derived, "", "8"),
            (
                "k",
                1,
                "derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2",
                "",
                "33,792",
            ),
            ("k", 1, "smsp__cycles_elapsed.avg", "cycle", "1,000,000"),
            (
                "k",
                1,
                "smsp__cycles_elapsed.avg.per_second",
                "cycle/nsecond",
                "1.25",
            ),
        ])
        .as_bytes(),
    );
    assert_eq!(flops(&profile, 0), Some(10e6 + 8e6));
    assert_eq!(profile.clocks.compute, Some(1.25e9));
    // Cycles over the clock, where no time was asked for.
    assert_eq!(time(&profile, 0), 1e6 / 1.25e9);
    says(&profile.notes, "derived: a rate per cycle times the cycles");
}

#[test]
fn matrix_operations_are_counted_once_and_instructions_are_never_guessed() {
    let time = ("gemm", 1, "gpu__time_duration.sum", "ns", "1000");
    let vector = (
        "gemm",
        1,
        "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
        "inst",
        "50",
    );
    let used = (
        "gemm",
        1,
        "sm__inst_executed_pipe_tensor_op_hmma.sum",
        "inst",
        "4096",
    );
    let profile = read(long(&[time, vector, used]).as_bytes());
    assert_eq!(flops(&profile, 0), None);
    assert!(profile.kernels.lines[0].derivation.is_some());
    says(
        &profile.warnings,
        "and the work of its instructions is not told",
    );

    let all = (
        "gemm",
        1,
        "sm__ops_path_tensor_src_bf16_dst_fp32.sum",
        "",
        "1,000,000",
    );
    let on = (
        "gemm",
        1,
        "sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_on.sum",
        "",
        "0",
    );
    let off = (
        "gemm",
        1,
        "sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_off.sum",
        "",
        "1,000,000",
    );
    let profile = read(long(&[time, vector, used, all, on, off]).as_bytes());
    let work: Vec<_> = profile
        .kernels
        .work(0)
        .map(|(path, work)| (path.to_string(), work.get()))
        .collect();
    assert_eq!(
        work,
        [
            ("FP32 vector".to_owned(), 100.0),
            ("BF16 matrix".to_owned(), 1e6)
        ]
    );
    // A kernel that does not use the unit keeps its work.
    let idle = (
        "gemm",
        1,
        "sm__inst_executed_pipe_tensor_op_hmma.sum",
        "inst",
        "0",
    );
    assert_eq!(
        flops(&read(long(&[time, vector, idle]).as_bytes()), 0),
        Some(100.0)
    );
}

#[test]
fn launches_of_a_name_and_shape_add_up() {
    let rows: Vec<_> = [(1, "1000"), (2, "500"), (1, "3000"), (1, "2000")]
        .into_iter()
        .enumerate()
        .flat_map(|(index, (grid, ns))| {
            let write = if index == 2 { "n/a" } else { "64" };
            [
                ("copy", grid, "dram__bytes_read.sum", "Kbyte", "1.5"),
                ("copy", grid, "dram__bytes_write.sum", "byte", write),
                ("copy", grid, "gpu__time_duration.sum", "ns", ns),
            ]
        })
        .collect();
    let profile = read(long(&rows).as_bytes());
    // The third and fourth launch follow each other with the same grid, and so share their ID here.
    assert_eq!(profile.kernels.lines.len(), 2);
    assert_eq!(bytes(&profile, 1, Level::Dram), Some(1564.0));
    assert_eq!(profile.kernels.lines[0].count, 2);
    let timing = profile.kernels.lines[0].timing.unwrap();
    assert_eq!(
        (timing.sum, timing.median, timing.shortest),
        (3e-6, 1.5e-6, 1e-6)
    );
}

/// A share of the peak gives bytes where the bus is known: the figures of a V100, whose memory moves data twice a cycle.
#[test]
fn a_share_of_the_peak_is_derived_only_with_a_bus() {
    let rows = [
        (
            "step",
            506,
            "Memory Frequency",
            "cycle/second",
            "768683274.02",
        ),
        ("step", 506, "SOL FB", "%", "46.47"),
        ("step", 506, "Duration", "nsecond", "8992"),
    ];
    let profile = read(long(&rows).as_bytes());
    assert_eq!(profile.clocks.memory, Some(768_683_274.02));
    assert_eq!(bytes(&profile, 0, Level::Dram), None);
    says(&profile.warnings, "how wide the bus is");
    let mut rows = rows.to_vec();
    rows.insert(
        0,
        (
            "step",
            506,
            "device__attribute_global_memory_bus_width",
            "",
            "4096",
        ),
    );
    let profile = read(long(&rows).as_bytes());
    let derived = bytes(&profile, 0, Level::Dram).unwrap();
    near(derived, 3.29e6, 1e-3);
    near(derived / time(&profile, 0), 365.8e9, 1e-3);
    says(&profile.notes, "derived: share of the peak");
}

#[test]
fn a_rate_becomes_bytes_by_the_time() {
    let profile = read(
        long(&[
            ("k", 1, "Duration", "msecond", "2"),
            ("k", 1, "Memory Throughput", "%", "80"),
            ("k", 1, "Memory Throughput", "Gbyte/second", "500"),
        ])
        .as_bytes(),
    );
    assert_eq!(bytes(&profile, 0, Level::Dram), Some(1e9));
    says(&profile.notes, "derived: a rate times the time");
}
