//! Files made to harm, of every format: wide, deep, endless, full of one thing, and packed. `benches/hostile.rs` times them.
use crate::seeds::Seed;
use flate2::{Compression, write::GzEncoder};
use std::fmt::Write as _;
use std::io::{self, Read, Write as _};

/// A hostile file.
pub struct Bomb {
    pub what: String,
    pub bytes: Vec<u8>,
}

/// How often what a file is full of stands in it.
const MANY: usize = 50_000;
const MILLION: usize = 1_000_000;

/// All of them.
pub fn all(seeds: &[Seed]) -> Vec<Bomb> {
    let mut bombs = Vec::new();
    for seed in seeds {
        of_any(seed, &mut bombs);
        if let Some(header) = seed.header {
            of_table(seed, header, &mut bombs);
        }
    }
    packed(&seeds[0], &mut bombs);
    texts(&mut bombs);
    devices(&mut bombs);
    json(&mut bombs);
    bombs
}

fn add(bombs: &mut Vec<Bomb>, what: impl Into<String>, bytes: impl Into<Vec<u8>>) {
    bombs.push(Bomb {
        what: what.into(),
        bytes: bytes.into(),
    });
}

/// Blanks and line ends without end in few bytes.
fn packed(seed: &Seed, bombs: &mut Vec<Bomb>) {
    for (byte, count) in [(b' ', 1 << 26), (b'\n', 1 << 24)] {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&seed.bytes).expect("memory");
        io::copy(&mut io::repeat(byte).take(count), &mut packed).expect("memory");
        let what = format!("a packed table that ends in {count} of {byte:?}");
        add(bombs, what, packed.finish().expect("memory"));
    }
}

/// Behind a good beginning: a line without end, line ends without end.
fn of_any(seed: &Seed, bombs: &mut Vec<Bomb>) {
    let name = format!("{} {}", seed.format, seed.name);
    let behind = |byte: u8, count: usize| [&seed.bytes[..], &vec![byte; count]].concat();
    add(
        bombs,
        format!("{name}, a line without end"),
        behind(b'1', 5 << 20),
    );
    add(bombs, format!("{name}, zero bytes"), behind(0, 1 << 18));
    add(
        bombs,
        format!("{name}, blank lines"),
        behind(b'\n', 1 << 18),
    );
}

fn of_table(seed: &Seed, header: &str, bombs: &mut Vec<Bomb>) {
    let name = format!("{} {}", seed.format, seed.name);
    let text = String::from_utf8_lossy(&seed.bytes);
    let lines: Vec<&str> = text.lines().collect();
    let at = lines
        .iter()
        .position(|line| line.contains(header))
        .unwrap_or(0);
    let (heading, row) = (lines[..=at].join("\n"), lines[at + 1]);
    add(
        bombs,
        format!("{name}, a million columns"),
        format!("{heading}{}\n{row}\n", ",a".repeat(MILLION)),
    );
    add(
        bombs,
        format!("{name}, a million cells"),
        format!("{heading}\n{row}{}\n{row}\n", ",1".repeat(MILLION)),
    );
    add(
        bombs,
        format!("{name}, an open quotation"),
        format!("{heading}\n\"{}", format!("{row}\n").repeat(MANY / 10)),
    );
    add(
        bombs,
        format!("{name}, a giant cell"),
        format!("{heading}\n{}{row}\n", "x".repeat(8 << 20)),
    );
    add(
        bombs,
        format!("{name}, rows of nothing"),
        format!("{heading}\n{}", ",,,,,,,,,,\n".repeat(MANY)),
    );
    // Each row is a kernel, or a device, of its own.
    let mut many = format!("{heading}\n");
    for index in 0..MANY / 10 {
        let row = row.replace("kernel", &format!("kernel{index}"));
        let _ = writeln!(many, "{}", row.replacen(['0', '1'], &index.to_string(), 1));
    }
    add(bombs, format!("{name}, all rows different"), many);
}

/// What benchmarks print, full of one thing.
fn texts(bombs: &mut Vec<Bomb>) {
    let numbered = |head: &str, line: &dyn Fn(usize) -> String| {
        let lines: String = (0..MANY).map(line).collect();
        format!("{head}{lines}")
    };
    let likwid = "Region a, Group 1: MEM_DP\n| Runtime (RDTSC) [s] | 2.0 |\n| DP [MFLOP/s] | 5 |\n";
    add(
        bombs,
        "LIKWID, regions",
        numbered(likwid, &|i| format!("Region {i}, Group 1: MEM_DP\n")),
    );
    add(
        bombs,
        "LIKWID, threads",
        format!("{likwid}| DP [MFLOP/s] {}\n", "| 1 ".repeat(4 * MILLION)),
    );
    let sizes = "a\nN  DP MFLOP/s  Time elapsed [s]\n";
    add(
        bombs,
        "LIKWID, sizes",
        numbered(sizes, &|i| format!("{i}  1  1\n")),
    );
    add(
        bombs,
        "LIKWID, columns",
        format!("{sizes}1{}\n", "  1".repeat(4 * MILLION)),
    );
    let mixbench = "Experiment ID, Single Precision ops,,,\nCompute iters, Flops/byte, ex.time,  GFLOPS, GB/sec\n";
    add(
        bombs,
        "mixbench, commas",
        format!(
            "{}\n{mixbench}0, 0.25, 1, 1, 1{}\n",
            ",".repeat(900_000),
            ",".repeat(16 << 20)
        ),
    );
    add(
        bombs,
        "mixbench, rows",
        numbered(mixbench, &|i| format!("{i}, 0.25, nan, 1, 1\n")),
    );
    let benches = "0 1 blocks 0 its 0.25 Fl/B 3 GB/s 9 GF/s 1 Mhz\n";
    add(
        bombs,
        "gpu-benches, words",
        format!("{benches}{}\n", "1 Fl/B ".repeat(2 * MILLION)),
    );
    add(
        bombs,
        "gpu-benches, rows",
        numbered(benches, &|i| format!("{i} its 1 Fl/B\n")),
    );
    let nersc = "memroofs 1 2\nmem_roof_names 'L1' 'HBM'\ncomproofs 3\n";
    let (ones, labels) = ("1 ".repeat(MILLION / 2), "'a'".repeat(MILLION / 2));
    add(
        bombs,
        "NERSC, numbers",
        format!("{nersc}AI {ones}\nFLOPS {ones}\nlabels {labels}\n"),
    );
    add(
        bombs,
        "a table, comments",
        format!("kernel,time_ms\n{}a,1\n", "# \n".repeat(MILLION)),
    );
    add(bombs, "a table, separators", ",;|\t".repeat(MILLION));
}

/// Descriptions of devices, full of one thing.
fn devices(bombs: &mut Vec<Bomb>) {
    let list = |entry: &dyn Fn(usize) -> String| (0..MANY).map(entry).collect::<Vec<_>>().join(",");
    let arch = |rates: String, more: String| {
        format!(
            r#"{{"name":"G","mem_bw_gbps":1,"max_achievable_tflops":{{"matrix_fp16":1,{rates}}},{more}}}"#
        )
    };
    add(
        bombs,
        "arch, rates",
        arch(list(&|i| format!(r#""m{i}":1"#)), r#""a":1"#.to_owned()),
    );
    add(
        bombs,
        "arch, fields",
        arch(
            r#""vector_fp64":1"#.to_owned(),
            list(&|i| format!(r#""f{i}":1"#)),
        ),
    );
    add(
        bombs,
        "BLIS, devices",
        format!(
            "{{{}}}",
            list(&|i| format!(r#""d{i}":{{"TFlopsPeak":-1}}"#))
        ),
    );
    add(
        bombs,
        "BLIS, fields",
        format!(
            r#"{{"d":{{"TFlopsPeak":1,{}}}}}"#,
            list(&|i| format!(r#""f{i}":1"#))
        ),
    );
    let ert = |what: &str, entries: String| {
        format!(r#"{{"empirical":{{"{what}":{{"data":[{entries}]}}}}}}"#)
    };
    add(
        bombs,
        "ERT, labels",
        ert("gflops", list(&|i| format!(r#"["FP64 {i}",1]"#))),
    );
    add(
        bombs,
        "ERT, levels",
        ert("gbytes", list(&|i| format!(r#"["level {i}",1]"#))),
    );
    add(
        bombs,
        "ERT, a giant label",
        ert("gflops", format!(r#"["{}",1]"#, "x".repeat(3 << 20))),
    );
    let rows = |head: &str, row: &dyn Fn(usize) -> String| {
        format!("{head}\n{}", (0..MANY).map(row).collect::<String>())
    };
    add(
        bombs,
        "roofline.csv, rows",
        rows("device,HBMBw,L2Bw", &|i| format!("{i},x{i},-{i}\n")),
    );
    add(
        bombs,
        "peaks, rows",
        rows("label,peak_flops,peak_bandwidth", &|i| {
            format!("l{i},1,1\n")
        }),
    );
}

/// JSON without end, in every direction.
fn json(bombs: &mut Vec<Bomb>) {
    let deep = "[".repeat(3 << 20);
    let event = |args: &str| {
        let last = r#"{"ph":"X","cat":"kernel","name":"l","dur":1}"#;
        format!(
            r#"{{"traceEvents":[{{"ph":"X","cat":"kernel","name":"k","dur":1,"args":{args}}},{last}]}}"#
        )
    };
    add(bombs, "brackets", deep.clone());
    add(bombs, "objects", r#"{"a":"#.repeat(MILLION));
    add(bombs, "zeros", format!("[{}0]", "0,".repeat(8 << 20)));
    add(
        bombs,
        "one field again and again",
        format!("{{{}\"a\":1}}", r#""mem_bw_gbps":1,"#.repeat(MANY)),
    );
    add(
        bombs,
        "a device in brackets",
        format!(r#"{{"max_achievable_tflops":{deep}"#),
    );
    add(
        bombs,
        "a trace, brackets",
        format!(r#"{{"traceEvents": {deep}"#),
    );
    add(
        bombs,
        "a trace, events in one another",
        format!(r#"{{"traceEvents": [{}"#, r#"{"a":"#.repeat(MILLION)),
    );
    add(
        bombs,
        "a trace, a deep argument",
        event(&format!(r#"{{"grid": {deep}{}}}"#, "]".repeat(3 << 20))),
    );
    add(
        bombs,
        "a trace, a long argument",
        event(&format!(r#"{{"grid": [{}1]}}"#, "1,".repeat(MILLION))),
    );
    add(
        bombs,
        "a trace, escapes",
        format!(r#"{{"traceEvents": ["{}"#, "\\".repeat(8 << 20)),
    );
    add(
        bombs,
        "a trace, empty events",
        format!(r#"{{"traceEvents": [{}{{}}]}}"#, "{},".repeat(MILLION)),
    );
    let field = r#"{"ph":"X","cat":"cpu_op","name":"aten::mm","args":{"External id":"#;
    let operators: String = (0..MANY).map(|i| format!("{field}{i}}}}},")).collect();
    add(
        bombs,
        "a trace, operators",
        format!(r#"{{"traceEvents": [{operators}{{}}]}}"#),
    );
}
