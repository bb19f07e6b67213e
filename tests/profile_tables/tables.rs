//! Tables people keep themselves, read by their headers or through a mapping.
use crate::{GENZ, INFERSIM, TIMING, bytes, flops, mapped, near, read, refused, says, time};
use ridgepoint::files::import::profile::mapping::{self, Mapping};
use ridgepoint::files::import::profile::number::Decimal;
use ridgepoint::model::cost::Level;
use ridgepoint::model::profile::ByteSource;

fn ron(text: &str) -> Mapping {
    Mapping::from_ron(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_timing_table_is_read_with_the_mean_its_rates_are_of() {
    let profile = read(TIMING);
    assert_eq!(profile.source.format, mapping::TABLE);
    let shape = "variant base, problem_size 4194304, m 0, n 0, k 0, block_size 256, tile_dim 0";
    let saxpy = profile
        .kernels
        .lines
        .iter()
        .position(|line| &*line.name == "saxpy" && &*line.launch == shape)
        .unwrap();
    assert_eq!(flops(&profile, saxpy), Some(8_388_608.0));
    assert_eq!(bytes(&profile, saxpy, Level::Dram), Some(50_331_648.0));
    near(
        flops(&profile, saxpy).unwrap() / time(&profile, saxpy),
        260.3e9,
        2e-4,
    );
    near(50_331_648.0 / time(&profile, saxpy), 1561.9e9, 2e-4);
    assert_eq!(profile.byte_source, ByteSource::Algorithmic);
    says(&profile.notes, "\"mean_ms\" in ms");
    // A transpose does nothing but move.
    let transpose = profile
        .kernels
        .lines
        .iter()
        .position(|line| line.name.contains("transpose"))
        .unwrap();
    assert_eq!(flops(&profile, transpose), Some(0.0));
}

/// GenZ's MB are MiB.
#[test]
fn megabytes_of_genz_are_mebibytes() {
    let profile = read(GENZ);
    near(
        flops(&profile, 0).unwrap() / bytes(&profile, 0, Level::Dram).unwrap(),
        0.9996,
        1e-4,
    );
    says(&profile.notes, "MiB");
}

/// Work from a utilisation of 989 TFLOP/s, traffic from the intensity of MLA, 2·128·(576 + 512) ÷ (576·2).
#[test]
fn constants_and_shares_of_a_peak_can_be_mapped() {
    let map = ron(r#"(
        name: ["dtype"], launch: ["batch_size", "kv_len"],
        time: (column: "latency_us", unit: "us"),
        work: [(column: "mfu", unit: "989 TFLOP/s", path: "BF16 matrix")],
        traffic: [(unit: "241.78 FLOP/B", level: DRAM)],
    )"#);
    let profile = mapped(INFERSIM, &map);
    let line = profile
        .kernels
        .lines
        .iter()
        .position(|line| &*line.launch == "batch_size 16, kv_len 16384")
        .unwrap();
    near(
        flops(&profile, line).unwrap() / time(&profile, line),
        499.7e12,
        1e-3,
    );
    near(
        bytes(&profile, line, Level::Dram).unwrap() / time(&profile, line),
        2067e9,
        1e-3,
    );
    // By its headers alone there is a time and no more.
    let alone = read(INFERSIM);
    assert_eq!((flops(&alone, 0), time(&alone, 0)), (None, 20.91 / 1e6));
    says(&alone.warnings, "no column gives work or memory traffic");
}

/// Of the shape of a hand-kept summary: remarks, blanks, and rows that are too short. Synthetic.
#[test]
fn remarks_blanks_and_short_rows_are_borne() {
    let text = "# 1024x1024x1024\n# averaged\nkernel,gpu_time_ms,sm_pct,fma_pct,stall\nnaive,4.63,97.90,,\n\n\
        shared,3.15,98.89,98.70\nno time,,1,1,1\n";
    let profile = read(text.as_bytes());
    assert_eq!((profile.rows, profile.skipped_in_all), (3, 0));
    near(2.0 * 1024_f64.powi(3) / time(&profile, 0), 463.8e9, 1e-4);
    assert!(profile.kernels.lines[2].timing.is_none());
    says(&profile.warnings, "1 rows have fewer fields");
    says(&profile.warnings, "give it by hand");
}

/// Percentages of an integer workload: kept, and nothing can be placed. Synthetic.
#[test]
fn percentages_alone_are_listed_with_what_is_missing() {
    let text = "dataset,implementation,k,Memory Throughput (%),Occupancy (%),IPC\necoli,gpu_naive,4,8.44,87.36,0.38\n";
    let profile = read(text.as_bytes());
    assert_eq!(&*profile.kernels.lines[0].name, "gpu_naive");
    says(
        &profile.warnings,
        "no column gives work or memory traffic or time",
    );
}

/// Sectors are counted, and one is 32 B. Synthetic, with the figures of a published FlashAttention run.
#[test]
fn transactions_are_sectors() {
    let text = "Test Name,Kernel ID,GMEM total transactions,L2 read transactions,L2 total transactions,DRAM total transactions,\
        Kernel execution time (ns)\nconfig-20,0,612368384.0,545262776.0,821595768.0,17071356.0,43079776.0\n";
    let profile = read(text.as_bytes());
    let dram = bytes(&profile, 0, Level::Dram).unwrap();
    near(dram, 546.28e6, 1e-4);
    near(dram / time(&profile, 0), 12.68e9, 1e-3);
    near(
        bytes(&profile, 0, Level::L2).unwrap() / time(&profile, 0),
        610.3e9,
        1e-3,
    );
    assert_eq!(profile.byte_source, ByteSource::Counter);
    says(&profile.notes, "DRAM bytes = 32·");
    assert_eq!(flops(&profile, 0), None);
}

/// Points someone keeps with an intensity instead of bytes. Synthetic, with the figures of an A64FX.
#[test]
fn an_intensity_gives_the_traffic() {
    let text = "Arithmetic Intensity,Total Flops,Time (s),Cycles,Label\n0.125602645,1.10E+12,6.434275,9996263559,MM transpose\n\
        0.217367205,2.12E+12,10.715023,19775002533,MM unrolljam\n4.556222278,1.00E+13,35.797504,64369893023,NBody SIMD\n";
    let profile = read(text.as_bytes());
    let rates = [
        ("MM transpose", 170.96, 0.1256),
        ("MM unrolljam", 197.85, 0.2174),
        ("NBody SIMD", 279.35, 4.556),
    ];
    for (line, (name, rate, intensity)) in rates.into_iter().enumerate() {
        assert_eq!(&*profile.kernels.lines[line].name, name);
        near(
            flops(&profile, line).unwrap() / time(&profile, line),
            rate * 1e9,
            1e-4,
        );
        near(
            flops(&profile, line).unwrap() / bytes(&profile, line, Level::Dram).unwrap(),
            intensity,
            3e-4,
        );
    }
}

/// Intel Advisor's survey, whose times carry their unit. Synthetic.
#[test]
fn advisors_survey_is_read_below_its_preamble() {
    let text = "Intel Advisor, synthetic\nA report\n\nID,Function Call Sites and Loops,Self Elapsed Time,Self GFLOPS,Self AI,Self GFLOP,Self Memory GB\n\
        1,[loop in multiply at mm.c:12],0.500s,4,0.25,2,8\n";
    let profile = read(text.as_bytes());
    assert_eq!(
        &*profile.kernels.lines[0].name,
        "[loop in multiply at mm.c:12]"
    );
    assert_eq!((time(&profile, 0), flops(&profile, 0)), (0.5, Some(2e9)));
    assert_eq!(bytes(&profile, 0, Level::L1), Some(8e9));
}

#[test]
fn decimal_commas_go_with_semicolons() {
    let text = "kernel;time_ms;GB\nscale;1,5;0,25\ncopy;1.234,5;3\n";
    let profile = read(text.as_bytes());
    assert_eq!((time(&profile, 0), time(&profile, 1)), (1.5e-3, 1.2345));
    assert_eq!(bytes(&profile, 0, Level::Dram), Some(0.25e9));
}

#[test]
fn a_preview_shows_the_points_or_what_is_wrong() {
    let mut map = ron(
        r#"(name: ["kernel"], time: (column: "ms", unit: "ms"), work: [(column: "w", unit: "GFLOP", path: "FP32 vector")],
        traffic: [(column: "b", unit: "MiB", level: DRAM)])"#,
    );
    let mut text = "kernel,ms,w,b\nfirst,2,3,1\nsecond,,3,1\nthird,x,3,1\n".to_owned();
    text += &"more,1,1,1\n".repeat(20);
    let preview = mapping::preview(text.as_bytes(), &map);
    assert_eq!((preview.rows.len(), &preview.problem), (10, &None));
    let first = preview.rows[0].as_ref().unwrap();
    assert_eq!(
        (first.work_rate(), first.intensity()),
        (Some(1.5e12), Some(3e9 / 1_048_576.0))
    );
    assert_eq!(preview.rows[1].as_ref().unwrap().work_rate(), None);
    assert_eq!(preview.rows[2], Err("\"x\" is no number".to_owned()));
    map.work[0].unit = "GB".to_owned();
    let problem = mapping::preview(text.as_bytes(), &map).problem.unwrap();
    assert!(problem.contains("\"GB\" is no unit of work"), "{problem}");
    map.work[0].column = "v".to_owned();
    assert!(
        mapping::preview(text.as_bytes(), &map)
            .problem
            .unwrap()
            .contains("no column \"v\"")
    );
}

#[test]
fn a_mapping_is_kept_as_text_and_found_again_by_headers() {
    let map = ron(
        r#"(name: ["kernel"], time: (column: "ms", unit: "ms"), count: "n",
        traffic: [(column: "b", unit: "transactions", level: L2)], decimal: comma, byte_source: "counter")"#,
    );
    let text = map.to_ron().unwrap();
    assert_eq!(Mapping::from_ron(&text).unwrap(), map);
    let columns = |names: [&str; 2]| names.map(str::to_owned);
    assert_eq!(
        mapping::key(&columns(["a", "b"])),
        mapping::key(&columns(["b", "a"]))
    );
    assert_ne!(
        mapping::key(&columns(["a", "b"])),
        mapping::key(&columns(["a", "c"]))
    );
    let error = Mapping::from_ron("(name: [\"a\"], tiem: 3)")
        .unwrap_err()
        .to_string();
    assert!(error.contains("tiem"), "{error}");
}

#[test]
fn a_row_may_stand_for_many_launches() {
    let map = ron(
        r#"(name: ["kernel"], time: (column: "ms", unit: "ms"), count: "n", work: [(column: "w", unit: "FLOP", path: "FP32 vector")])"#,
    );
    let profile = mapped(b"kernel,ms,n,w\na,10,5,100\nb,1,1,1\n", &map);
    let line = &profile.kernels.lines[0];
    let timing = line.timing.unwrap();
    assert_eq!((line.count, timing.sum, timing.median), (5, 0.01, 0.002));
    assert_eq!(flops(&profile, 0), Some(100.0));
}

#[test]
fn tables_that_cannot_be_read_say_where_and_why() {
    assert!(
        refused(b"kernel,time_ms,time_ms\na,1,2\n")
            .contains("line 1: two columns are called \"time_ms\"")
    );
    assert!(refused(b"kernel,time_ms\n").contains("no rows"));
    let error = refused(b"kernel,time_ms\na,fast\n");
    assert!(
        error.contains("line 2") && error.contains("\"fast\""),
        "{error}"
    );
}

/// Wrong by a thousand is the worst a reader can be: where nothing tells what a comma is, it is asked.
#[test]
fn a_number_of_two_readings_is_asked_about() {
    let table = "name,time (ms),dram (MB)\nsaxpy,\"1,234\",\"5,678\"\n";
    let error = refused(table.as_bytes());
    for part in [
        "\"time (ms)\"",
        "\"1,234\" may be 1234 or 1.234",
        "--decimal",
    ] {
        assert!(error.contains(part), "{error}");
    }
    let mut mapping = mapping::Table::of(table.as_bytes(), "a.csv")
        .unwrap()
        .guessed
        .unwrap();
    for (mark, expected) in [(Decimal::Point, 1.234), (Decimal::Comma, 1.234e-3)] {
        mapping.decimal = Some(mark);
        near(
            time(&mapped(table.as_bytes(), &mapping), 0),
            expected,
            1e-12,
        );
    }
    // One number that is clear settles all; so does a comma between cells for a point.
    let settled = "name,time (ms),dram (MB)\nsaxpy,\"1,234\",5.5\n";
    near(time(&read(settled.as_bytes()), 0), 1.234, 1e-12);
    let points = "name,time (ms),dram (MB)\nsaxpy,1.234,5.678\n";
    near(time(&read(points.as_bytes()), 0), 1.234e-3, 1e-12);
    // A sign, an exponent or a unit settles nothing; tables pasted from spreadsheets have tabs.
    for number in ["+1,234", "1,234e3", "1,234 ms"] {
        let table = format!("name,time (ms),dram (MB)\nsaxpy,\"{number}\",500\n");
        assert!(refused(table.as_bytes()).contains("line 2"), "{number}");
    }
    let tabs = "name\ttime (ms)\tdram (MB)\nsaxpy\t1.234\t5.678\n";
    assert!(refused(tabs.as_bytes()).contains("may be 1234 or 1.234"));
    // Names are no numbers.
    let name = "name,time (ms),dram (MB)\n\"1,234\",12,500\n";
    near(time(&read(name.as_bytes()), 0), 12e-3, 1e-12);
    let semicolons = "name;time (ms);dram (MB)\nsaxpy;1.234;5.678\n";
    assert!(refused(semicolons.as_bytes()).contains("may be 1234 or 1.234"));
    // What comes late is not guessed either.
    let mut late = "name,time (ms),dram (MB)\n".to_owned();
    late += &"a,1,2\n".repeat(2000);
    late += "b,\"1,234\",3\n";
    let late = read(late.as_bytes());
    assert_eq!(late.kernels.lines.len(), 1);
    assert!(late.skipped[0].line == 2002 && late.skipped[0].reason.contains("may be"));
    // Nor does a cell beyond the header, which spoils its row.
    let longer = "name,time (ms)\nsaxpy,5,\"1,234\"\ntriad,6\n";
    assert_eq!(read(longer.as_bytes()).kernels.lines.len(), 1);
    // A column that is not used asks nothing.
    let unused = "name,time (ms),remark\nsaxpy,12,\"1,234\"\n";
    near(time(&read(unused.as_bytes()), 0), 12e-3, 1e-12);
}

#[test]
fn a_unit_nobody_knows_is_told_as_one() {
    let table = "name,time (ticks),bytes\nsaxpy,12,34\n";
    let error = refused(table.as_bytes());
    assert!(
        error.contains("\"ticks\", of \"time (ticks)\", is no unit known here, which are s, ms"),
        "{error}"
    );
    let partly = "name,time (ms),DRAM traffic (pages)\nsaxpy,12,34\n";
    let profile = read(partly.as_bytes());
    says(&profile.warnings, "\"pages\", of \"DRAM traffic (pages)\"");
    // Chosen in the window, it is not silently the usual one.
    let table = mapping::Table::of(table.as_bytes(), "a.csv").unwrap();
    let mut draft = mapping::Draft::of(&table, &table.suggested());
    let at = draft
        .columns
        .iter()
        .position(|column| column.name == "time (ticks)");
    draft.set(at.unwrap(), mapping::Part::Time);
    let problems = draft.mapping().problems(&table.columns);
    assert!(problems[0].contains("\"ticks\""), "{problems:?}");
}
