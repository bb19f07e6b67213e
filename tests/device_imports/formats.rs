//! Every format: right figures in right units.
use crate::*;

#[test]
fn tracelens_rates_are_achievable() {
    let import = imported(ARCH, "/home/somebody/arch_mi300x.json");
    let [gpu] = &import.gpus[..] else {
        panic!("{import:?}")
    };
    assert_eq!(gpu.name, "MI300X");
    assert_eq!(gpu.capacity.unwrap().get(), 192e9);
    assert_eq!(bandwidth(gpu, Level::Dram), Some(5.3e12));
    let paths = ["BF16 matrix", "FP8 matrix", "INT8 matrix", "FP64 vector"];
    let peaks = paths.map(|path| peak(gpu, path).unwrap());
    assert_eq!(peaks, [708e12, 1273e12, 2600e12, 40e12]);
    assert_eq!((gpu.compute.len(), gpu.memory.len()), (10, 1));
    known(
        gpu,
        Basis::Achievable,
        "TraceLens architecture (JSON), arch_mi300x.json",
    );
    says(&import.read, "GB/s (1e9 B/s)");
    assert_eq!(import.ignored, Vec::<String>::new());
}

#[test]
fn blis_peaks_are_declared() {
    let import = imported(BLIS, "hardware_config.json");
    let names: Vec<_> = import.gpus.iter().map(|gpu| gpu.name.as_str()).collect();
    assert_eq!(names, ["H100", "A100-SXM"]);
    for (gpu, peak_of, bytes) in [
        (&import.gpus[0], 989.5e12, 3.35e12),
        (&import.gpus[1], 312e12, 2.039e12),
    ] {
        assert_eq!(peak(gpu, "BF16 matrix"), Some(peak_of));
        assert_eq!(peak(gpu, "FP16 matrix"), Some(peak_of));
        assert_eq!(bandwidth(gpu, Level::Dram), Some(bytes));
        assert_eq!(gpu.capacity, None);
        known(
            gpu,
            Basis::Theoretical,
            "BLIS hardware config (JSON), hardware_config.json",
        );
    }
    says(&import.read, "dense peak of BF16 and FP16 matrix");
    let [ignored] = &import.ignored[..] else {
        panic!("{:?}", import.ignored)
    };
    assert!(ignored.starts_with("not used: BwEffConstant, TOverheadMicros, "));
    // Later versions say more.
    let later = r#"{"A": {"TFlopsPeak": 312, "TFlopsFP8": 0, "BwPeakTBs": 2, "MemoryGiB": 80},
        "B": {"TFlopsPeak": 989.5, "TFlopsFP8": 1979, "MemoryGiB": 80}}"#;
    let import = imported(later, "a.json");
    assert_eq!(peak(&import.gpus[0], "FP8 matrix"), None);
    assert_eq!(peak(&import.gpus[1], "FP8 matrix"), Some(1979e12));
    assert_eq!(import.gpus[0].capacity.unwrap().get(), 85_899_345_920.0);
    assert_eq!(
        import.ignored,
        ["B has no BwPeakTBs, so there is no DRAM roof"]
    );
}

#[test]
fn ert_levels_come_in_any_order() {
    let import = imported(SKYLAKE, "ert_skylake.json");
    let gpu = &import.gpus[0];
    assert_eq!(gpu.name, "ert_skylake");
    assert_eq!(peak(gpu, "FP64 vector"), Some(2772.78e9));
    let levels = [Level::L1, Level::L2, Level::Dram];
    let rates = levels.map(|level| bandwidth(gpu, level).unwrap());
    assert_eq!(rates, [8259.44e9, 3120.85e9, 200.3e9]);
    ridge(gpu, "FP64 vector", 13.84);
    known(
        gpu,
        Basis::Achievable,
        "ERT roofline (JSON), ert_skylake.json",
    );

    let import = imported(A64FX, "ert_a64fx.json");
    let gpu = &import.gpus[0];
    assert_eq!(peak(gpu, "FP64 vector"), Some(2761.3e9));
    let rates = levels.map(|level| bandwidth(gpu, level).unwrap());
    assert_eq!(rates, [5802.6e9, 2597.6e9, 840.6e9]);
    ridge(gpu, "FP64 vector", 3.285);
    says(&import.read, "\"STREAM HBM\" is read as DRAM");
    says(&import.ignored, "metadata");
}

#[test]
fn what_describes_a_machine_stays_behind() {
    for text in [SKYLAKE, A64FX] {
        let import = imported(text, "/home/somebody/run/ert.json");
        let all = format!("{import:?}");
        for word in ["host", "192.0", "somebody", "Results"] {
            assert!(!all.contains(word), "{word}: {all}");
        }
    }
    let import = imported("device,HBMBw\nnode17.example,1000\n", "roofline.csv");
    assert_eq!(import.gpus[0].name, "roofline, device 0");
}

#[test]
fn every_row_of_a_roofline_csv_is_a_device() {
    let import = imported(ROOFLINE, "roofline.csv");
    let names: Vec<_> = import.gpus.iter().map(|gpu| gpu.name.as_str()).collect();
    let expected = [0, 1, 2, 3].map(|number| format!("roofline, device {number}"));
    assert_eq!(names, expected);
    let gpu = &import.gpus[0];
    let levels = [Level::Dram, Level::L2, Level::L1];
    let rates = levels.map(|level| bandwidth(gpu, level).unwrap());
    assert_eq!(rates, [1389.1462e9, 5017.5005e9, 9228.3779e9]);
    assert_eq!(peak(gpu, "FP32 vector"), Some(20946.693e9));
    assert_eq!(peak(gpu, "FP64 vector"), Some(20272.535e9));
    assert_eq!(peak(gpu, "FP16 matrix"), Some(164933.34e9));
    assert_eq!(peak(gpu, "INT8 matrix"), Some(166403.12e9));
    assert_eq!((gpu.compute.len(), gpu.memory.len()), (7, 3));
    ridge(gpu, "FP64 vector", 14.59);
    ridge(gpu, "FP16 matrix", 118.7);
    let two = &import.gpus[2];
    assert_eq!(bandwidth(two, Level::Dram), Some(1388.6648e9));
    known(
        two,
        Basis::Achievable,
        "rocprofiler-compute roofline (CSV), roofline.csv",
    );
    assert_eq!(
        import.ignored,
        [
            "not used: the Low and High columns, the spread of the runs",
            "not used: LDSBw"
        ]
    );
}

/// The roofline without some columns.
fn without(columns: &[&str]) -> String {
    let rows: Vec<Vec<&str>> = ROOFLINE.lines().map(|l| l.split(',').collect()).collect();
    let kept = |at: usize| !columns.contains(&rows[0][at]);
    let rows = rows.iter().map(|row| {
        let cells = row.iter().enumerate().filter(|(at, _)| kept(*at));
        cells.map(|(_, cell)| *cell).collect::<Vec<_>>().join(",")
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// B10: partly disabled dies have no L1 columns.
#[test]
fn a_missing_column_is_a_missing_roof_that_is_told() {
    let text = without(&["L1Bw", "L1BwLow", "L1BwHigh"]);
    let import = imported(&text, "roofline.csv");
    assert_eq!(import.gpus.len(), 4);
    for gpu in &import.gpus {
        assert_eq!(bandwidth(gpu, Level::L1), None);
        assert_eq!((gpu.compute.len(), gpu.memory.len()), (7, 2));
    }
    says(
        &import.ignored,
        "there is no column L1Bw, so there is no L1 roof",
    );
    let import = imported("device,L2Bw\r\n1,5000\r\n", "roofline.csv");
    assert_eq!(bandwidth(&import.gpus[0], Level::L2), Some(5e12));
    says(
        &import.ignored,
        "there is no column HBMBw, so there is no DRAM roof",
    );
    says(
        &import.ignored,
        "MFMAI8Ops, so there is no INT8 matrix roof",
    );
}

/// A table someone keeps by hand: in FLOP/s and B/s, without a prefix.
#[test]
fn a_table_of_peaks_is_a_device() {
    let text = include_str!("../data/profiles/user_peaks.csv");
    let imported = imported(text, "peaks.csv");
    let gpu = &imported.gpus[0];
    assert_eq!(peak(gpu, "FP32 vector"), Some(32.256e12));
    assert_eq!(bandwidth(gpu, Level::Dram), Some(672.048e9));
    let achieved = gpu.compute[0].achievable.as_ref().unwrap().value.get();
    // The clock was above the one the peak is of.
    assert!((achieved / 32.256e12 - 1.046).abs() < 1e-3);
}
