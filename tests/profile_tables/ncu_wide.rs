//! Nsight Compute's wide table, `--page raw`: units in the second row, device attributes among the metrics.
use crate::{bytes, flops, near, read, says, time};
use ridgepoint::model::cost::Level;

/// Synthetic, with the device attributes a B200 reports.
fn wide(columns: &[(&str, &str)], rows: &[&[&str]]) -> String {
    let keys = "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\"";
    let quoted = |cells: Vec<&str>| {
        cells
            .iter()
            .map(|cell| format!(",\"{cell}\""))
            .collect::<String>()
    };
    let mut text = format!(
        "==PROF== Connected to process 1\n{keys}{}\n",
        quoted(columns.iter().map(|c| c.0).collect())
    );
    let blanks = [""; 11].map(|_| "\"\"").join(",");
    text += &format!(
        "{blanks}{}\n",
        quoted(columns.iter().map(|c| c.1).collect())
    );
    for (id, row) in rows.iter().enumerate() {
        text += &format!(
            "\"{id}\",\"1\",\"python3\",\"host.example\",\"{}\",\"1\",\"7\",\"(16, 8, 1)\",\"(1776, 1, 1)\",\"0\",\"10.0\"{}\n",
            row[0],
            quoted(row[1..].to_vec())
        );
    }
    text
}

const B200: [(&str, &str); 7] = [
    ("device__attribute_display_name", "NVIDIA B200"),
    ("device__attribute_global_memory_bus_width", "7680"),
    ("device__attribute_memory_clock_rate", "3996000"),
    ("device__attribute_multiprocessor_count", "148"),
    ("device__attribute_clock_rate", "1965000"),
    ("device__attribute_l2_cache_size", "132644864"),
    ("device__attribute_total_memory", "191503138816"),
];

#[test]
fn attributes_become_a_device() {
    let mut columns: Vec<_> = B200.iter().map(|(name, _)| (*name, "")).collect();
    columns.push(("gpu__time_duration.sum", "ns"));
    let row = |name, ns| {
        let mut row = vec![name];
        row.extend(B200.iter().map(|(_, value)| *value));
        row.push(ns);
        row
    };
    let rows = [
        row("merge", "14976"),
        row("decode", "629088"),
        row("merge", "15726"),
        row("decode", "629998"),
    ];
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    let profile = read(wide(&columns, &rows).as_bytes());
    assert_eq!(profile.rows, 4);
    let gpu = profile.device.as_ref().unwrap();
    assert_eq!(gpu.name, "NVIDIA B200");
    let dram = gpu.memory_roof(Level::Dram).unwrap().bandwidth.value.get();
    assert_eq!(dram, 2.0 * 3.996e9 * 7680.0 / 8.0);
    near(dram, 7672e9, 1e-4);
    assert_eq!(gpu.parts.units.as_ref().unwrap().value.get(), 148.0);
    assert_eq!(gpu.parts.clock.as_ref().unwrap().value.get(), 1.965e9);
    assert_eq!(gpu.parts.l2.as_ref().unwrap().value.get(), 132_644_864.0);
    let decode = profile
        .kernels
        .lines
        .iter()
        .position(|line| &*line.name == "decode")
        .unwrap();
    near(time(&profile, decode) / 2.0, 629_543e-9, 1e-12);
    near(time(&profile, 1 - decode) / 2.0, 15_351e-9, 1e-12);
    says(&profile.warnings, "no memory traffic");
    says(&profile.warnings, "no FLOP counters");
    says(&profile.warnings, "replace them by unprofiled ones");
}

#[test]
fn work_and_traffic_are_read_in_the_units_of_the_second_row() {
    let columns = [
        ("gpu__time_duration.sum", "msecond"),
        ("dram__bytes_read.sum", "Mbyte"),
        ("dram__bytes_write.sum", "Kbyte"),
        ("lts__t_bytes.sum", "Gbyte"),
        ("l1tex__t_sectors.sum", "sector"),
        (
            "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum",
            "inst",
        ),
        (
            "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
            "inst",
        ),
        (
            "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
            "inst",
        ),
        ("lts__t_bytes.avg.pct_of_peak_sustained_elapsed", "%"),
    ];
    let rows: [&[&str]; 1] = [&[
        "stencil",
        "1.5",
        "2.5",
        "500",
        "0.01",
        "1,000,000",
        "10",
        "20",
        "30",
        "n/a",
    ]];
    let profile = read(wide(&columns, &rows).as_bytes());
    assert_eq!(time(&profile, 0), 1.5e-3);
    assert_eq!(bytes(&profile, 0, Level::Dram), Some(3e6));
    assert_eq!(bytes(&profile, 0, Level::L2), Some(1e7));
    assert_eq!(bytes(&profile, 0, Level::L1), Some(32e6));
    assert_eq!(flops(&profile, 0), Some(90.0));
    assert_eq!(
        &*profile.kernels.lines[0].launch,
        "grid 1776×1×1, block 16×8×1"
    );
}

#[test]
fn a_row_that_is_cut_is_skipped_and_the_others_stay() {
    let columns = [("gpu__time_duration.sum", "ns")];
    let mut text = wide(&columns, &[&["a", "10"], &["b", "20"]]);
    text += "\"2\",\"1\",\"python3\"\n";
    let profile = read(text.as_bytes());
    assert_eq!(
        (profile.kernels.lines.len(), profile.skipped_in_all),
        (2, 1)
    );
    assert_eq!(profile.skipped[0].line, 6);
}
