//! What benchmarks print: mixbench, gpu-benches, LIKWID, NERSC's data files. Synthetic, with figures of published runs.
use crate::{bytes, flops, near, read, refused, says, time};
use ridgepoint::model::cost::{Level, Path};
use ridgepoint::model::format::NumberFormat;

const MIXBENCH: &str = "mixbench/read-only (synthetic)
------------------------ Device specifications ------------------------
Device:              GeForce RTX 2070
Compute throughput:  7464.96 GFlops (theoretical single precision FMAs)
Memory bandwidth:    448.06 GB/sec
------------- CSV data -------------
Experiment ID, Single Precision ops,,,,              Double precision ops,,,,              Half precision ops,,,,                Integer operations,,,
Compute iters, Flops/byte, ex.time,  GFLOPS, GB/sec, Flops/byte, ex.time,  GFLOPS, GB/sec, Flops/byte, ex.time,  GFLOPS, GB/sec, Iops/byte, ex.time,   GIOPS, GB/sec
            0,      0.250,    0.32,  104.42, 417.68,      0.125,    0.63,   53.04, 424.35,        nan,     inf,     nan,    nan,     0.250,    0.32,  105.58, 422.30
            7,      3.750,    0.32, 1592.45, 424.65,      1.875,    2.27,  221.38, 118.07,        nan,     inf,     nan,    nan,     3.750,    0.32, 1585.55, 422.81
          192,     96.250,    1.54, 8414.49,  87.42,     48.125,   57.42,  224.97,   4.67,        nan,     inf,     nan,    nan,    96.250,    1.74, 7431.64,  77.21
--------------------------------------------------------------------
";

#[test]
fn mixbench_has_a_block_per_format() {
    let profile = read(MIXBENCH.as_bytes());
    assert_eq!(profile.source.format, "mixbench");
    assert_eq!((profile.rows, profile.skipped_in_all), (12, 3));
    assert!(
        profile.skipped[0]
            .reason
            .contains("half precision is not supported")
    );
    let line = |name: &str, shape: &str| {
        let mut lines = profile.kernels.lines.iter();
        lines
            .position(|line| line.name.ends_with(name) && &*line.launch == shape)
            .unwrap()
    };
    let single = line("single precision", "192 iterations");
    near(
        flops(&profile, single).unwrap() / time(&profile, single),
        8414.49e9,
        1e-12,
    );
    near(
        bytes(&profile, single, Level::Dram).unwrap() / time(&profile, single),
        87.42e9,
        1e-12,
    );
    let best = line("single precision", "7 iterations");
    let rate = bytes(&profile, best, Level::Dram).unwrap() / time(&profile, best);
    near(rate, 424.65e9, 1e-12);
    let double = line("double precision", "0 iterations");
    let (path, _) = profile.kernels.work(double).next().unwrap();
    assert_eq!(path, Path::vector(NumberFormat::FP64));
    let integers = line("integer operations", "0 iterations");
    assert_eq!(flops(&profile, integers), None);
    let gpu = profile.device.as_ref().unwrap();
    let peak = gpu
        .compute_roof(Path::vector(NumberFormat::FP32))
        .unwrap()
        .peak
        .value
        .get();
    near(8414.49e9 / peak, 1.127, 5e-4);
    near(
        gpu.memory_roof(Level::Dram).unwrap().bandwidth.value.get(),
        448.06e9,
        1e-12,
    );
}

#[test]
fn gpu_benches_has_rates_and_a_clock() {
    let text = "8\n16\n-- Finished Building --\n\
        0 2432 blocks     0 its      0.250 Fl/B       3759 GB/s       940 GF/s   1255 Mhz   572 W   57°C\n\n\
        0 2432 blocks   400 its    100.250 Fl/B        425 GB/s     42558 GF/s   1144 Mhz   398 W   63°C\n";
    let profile = read(text.as_bytes());
    assert_eq!(profile.source.format, "gpu-benches roofline");
    assert_eq!(profile.kernels.lines.len(), 2);
    // Rates: nobody measured a time.
    assert!(profile.kernels.per_second && profile.kernels.lines[0].timing.is_none());
    near(bytes(&profile, 0, Level::Dram).unwrap(), 3759e9, 1e-12);
    near(flops(&profile, 1).unwrap(), 42_558e9, 1e-12);
    assert_eq!(
        [0, 1].map(|line| profile.kernels.clock(line)),
        [Some(1.255e9), Some(1.144e9)]
    );
    says(&profile.warnings, "rates and no times");
    says(&profile.warnings, "between 1.144 GHz and 1.255 GHz");
    assert_eq!(profile.clocks.compute, Some(1.1995e9));
}

#[test]
fn likwid_is_in_mega_not_giga() {
    let text = "multMatPtrVet\nN                 Memory bandwidth [MBytes/s]\n2000              6297.0407\n----------------\n\
        N                 Time elapsed [s]\n2000              0.010354\n----------------\n\
        N                 DP MFLOP/s                   AVX DP MFLOP/s\n2000              771.6967                     0\n";
    let profile = read(text.as_bytes());
    assert_eq!(profile.source.format, "LIKWID");
    let (work, moved) = (
        flops(&profile, 0).unwrap(),
        bytes(&profile, 0, Level::Dram).unwrap(),
    );
    near(work / time(&profile, 0), 0.772e9, 5e-4);
    near(moved / time(&profile, 0), 6.297e9, 1e-4);
    near(work / moved, 0.1226, 5e-4);
    assert_eq!(&*profile.kernels.lines[0].launch, "N 2000");
}

#[test]
fn likwids_own_output_is_read_boxed_and_as_csv() {
    let boxed = "--------------------------------------------------------------------------------\n\
        Region triad, Group 1: MEM_DP\n\
        +-----------------------------+------------+------------+\n\
        |            Metric           | HWThread 0 | HWThread 1 |\n\
        +-----------------------------+------------+------------+\n\
        |     Runtime (RDTSC) [s]     |     2.0    |     1.9    |\n\
        |         DP [MFLOP/s]        |    500.0   |    300.0   |\n\
        | Memory bandwidth [MBytes/s] |   9600.0   |      0     |\n\
        +-----------------------------+------------+------------+\n";
    let csv = "TABLE,Region triad,Group 1 Metric,MEM_DP,3,\nMetric,HWThread 0,HWThread 1,\nRuntime (RDTSC) [s],2.0,1.9,\n\
        DP [MFLOP/s],500.0,300.0,\nMemory bandwidth [MBytes/s],9600.0,0,\n\
        TABLE,Region triad,Group 1 Metric STAT,MEM_DP,3,\nMetric,Sum,Min,Max,Avg,\nRuntime (RDTSC) [s] STAT,3.9,1.9,2.0,1.95,\n\
        DP [MFLOP/s] STAT,800.0,300.0,500.0,400.0,\nMemory bandwidth [MBytes/s] STAT,9600.0,0,9600.0,4800.0,\n";
    for text in [boxed, csv] {
        let profile = read(text.as_bytes());
        assert_eq!(profile.source.format, "LIKWID");
        assert_eq!(&*profile.kernels.lines[0].name, "triad");
        assert_eq!(time(&profile, 0), 2.0);
        assert_eq!(flops(&profile, 0), Some(1.6e9));
        assert_eq!(bytes(&profile, 0, Level::Dram), Some(19.2e9));
    }
}

#[test]
fn nersc_labels_may_touch() {
    let text = "# synthetic\nmemroofs 14336.0 2996.8 828.758\nmem_roof_names 'L1' 'L2' 'HBM'\ncomproofs 7068.86 3535.79\n\
        comp_roof_names 'FMA' 'No-FMA'\nAI 0.5 2 8 1 4 10\nFLOPS 2000 1000\nlabels 'GPP''dgdxy fused'\n";
    let profile = read(text.as_bytes());
    assert_eq!(profile.source.format, "NERSC roofline data");
    let names: Vec<_> = profile
        .kernels
        .lines
        .iter()
        .map(|line| &*line.name)
        .collect();
    assert_eq!(names, ["GPP", "dgdxy fused"]);
    assert_eq!(flops(&profile, 1), Some(1e12));
    let levels = [(Level::L1, 1.0), (Level::L2, 4.0), (Level::Dram, 10.0)];
    for (level, intensity) in levels {
        assert_eq!(bytes(&profile, 1, level), Some(1e12 / intensity));
    }
    let gpu = profile.device.as_ref().unwrap();
    near(
        gpu.memory_roof(Level::L2).unwrap().bandwidth.value.get(),
        2996.8e9,
        1e-12,
    );
    near(gpu.compute[0].peak.value.get(), 7068.86e9, 1e-12);
    let error = refused(text.replace("2996.8", "fast").as_bytes());
    assert!(
        error.contains("line 2") && error.contains("\"fast\""),
        "{error}"
    );
}
