//! Damaged and hostile files: a sentence or a profile, never a panic, within a second and in bounded memory.
use crate::{GENZ, SAXPY, TIMING, long, refused, try_read};
use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;
use ridgepoint::files::import::profile::mapping::{self, Mapping};
use ridgepoint::files::import::profile::{Nothing, number};
use std::io::{Read, Write};
use std::time::Instant;

const SEEDS: [&[u8]; 7] = [
    SAXPY,
    TIMING,
    GENZ,
    b"Experiment ID, Single Precision ops,,,\nCompute iters, Flops/byte, ex.time,  GFLOPS, GB/sec\n0, 0.250, 0.32, 104.42, 417.68\n",
    b"0 1056 blocks     0 its      0.250 Fl/B       3759 GB/s       940 GF/s   1980 Mhz\n",
    b"Region triad, Group 1: MEM_DP\n| Runtime (RDTSC) [s] | 2.0 |\n| DP [MFLOP/s] | 5 |\nN  Memory bandwidth [MBytes/s]\n64  1\n",
    b"memroofs 1 2\nmem_roof_names 'L1''HBM'\ncomproofs 3\nAI 1 2\nFLOPS 3\nlabels 'a''b'\n",
];

/// Reads, and looks at everything that is told.
fn exercise(bytes: &[u8]) {
    match try_read(bytes) {
        Ok(profile) => {
            for line in 0..profile.kernels.lines.len() {
                let cost = profile.kernels.cost(line);
                assert!(cost.total_work().get().is_finite());
            }
            assert!(profile.skipped.len() <= 100);
            assert!(!profile.kernels.lines.is_empty());
        }
        Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn arbitrary_bytes_are_borne(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        exercise(&bytes);
    }

    #[test]
    fn files_with_bytes_changed_are_borne(
        seed in 0..SEEDS.len(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        end in any::<prop::sample::Index>(),
    ) {
        let mut bytes = SEEDS[seed].to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let whole = bytes.len();
        exercise(&bytes);
        exercise(&bytes[..end.index(whole)]);
    }

    #[test]
    fn files_with_pieces_doubled_are_borne(
        seed in 0..SEEDS.len(),
        from in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
    ) {
        let text = SEEDS[seed];
        let (from, to, at) = (from.index(text.len()), to.index(text.len()), at.index(text.len()));
        let piece = &text[from.min(to)..from.max(to)];
        exercise(&[&text[..at], piece, &text[at..]].concat());
    }

    #[test]
    fn any_mapping_of_any_table_is_borne(
        text in "[a-c,;\n\"0-9.# ]{0,200}",
        name in "[a-c]{0,2}", unit in "[0-9]{0,3} ?(ms|MB|GB/s|FLOP/B|x|)",
    ) {
        let ron = format!("(name: [{name:?}], time: (column: {name:?}, unit: {unit:?}), traffic: [(unit: {unit:?}, level: DRAM)])");
        let map = Mapping::from_ron(&ron).unwrap();
        mapping::preview(text.as_bytes(), &map);
        let _ = mapping::read_mapped(&mut text.as_bytes(), "a", &Nothing, &|_| true, &map);
    }

    #[test]
    fn numbers_are_read_as_rust_reads_them(value in prop_oneof![any::<f64>(), -1e6..1e6]) {
        prop_assume!(value.is_finite());
        let read = number::parse(format!("{value}").as_bytes(), number::Decimal::Point);
        if format!("{value}").len() < 300 {
            prop_assert_eq!(read, Ok(Some(value)));
        }
    }

    #[test]
    fn thousands_are_read_in_both_locales(value in 0_u64..1_000_000_000_000_000) {
        let mut grouped = value.to_string();
        let mut at = grouped.len();
        while at > 3 {
            at -= 3;
            grouped.insert(at, ',');
        }
        let point = number::parse(grouped.as_bytes(), number::Decimal::Point);
        let comma = number::parse(grouped.replace(',', ".").as_bytes(), number::Decimal::Comma);
        prop_assert_eq!((point, comma), (Ok(Some(value as f64)), Ok(Some(value as f64))));
    }
}

/// A header of mixbench that is too short for one block.
#[test]
fn a_header_without_blocks_is_borne() {
    exercise(b"ops/byte,ex.time\n0,1\n");
}

/// Within a second in a release build; a debug build is given more.
#[track_caller]
fn soon(run: impl FnOnce()) {
    let start = Instant::now();
    run();
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds < 10.0, "it took {seconds} s");
}

#[test]
fn a_million_columns_are_refused() {
    let header = format!("kernel,time_ms{}\n1\n", ",a".repeat(1_000_000));
    soon(|| assert!(refused(header.as_bytes()).contains("no profile")));
    let wide = long(&[]).replace("\"Section Name\"", &"\"x\",".repeat(1_000_000));
    soon(|| {
        refused(wide.as_bytes());
    });
}

#[test]
fn a_giant_cell_and_an_open_quotation_are_refused_where_they_are() {
    let giant = format!("kernel,time_ms\n{},1\n", "x".repeat(8 << 20));
    soon(|| {
        let error = refused(giant.as_bytes());
        assert!(error.contains("line 2") && error.contains("MiB"), "{error}");
    });
    let open = format!("kernel,time_ms\n\"a,1\n{}", "b,1\n".repeat(2_000_000));
    soon(|| {
        let error = refused(open.as_bytes());
        assert!(
            error.contains("line 2") && error.contains("quotation mark"),
            "{error}"
        );
    });
}

/// Endless zeros, of which a thousandth is read.
#[test]
fn a_packed_bomb_is_refused_before_it_unfolds() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let header = b"kernel,time_ms\n";
    encoder.write_all(header).unwrap();
    std::io::copy(&mut std::io::repeat(b'\n').take(1 << 26), &mut encoder).unwrap();
    let bomb = encoder.finish().unwrap();
    soon(|| {
        let error = refused(&bomb);
        assert!(error.contains("times its size"), "{error}");
    });
}

#[test]
fn as_many_metrics_as_rows_are_refused() {
    let mut text = long(&[("k", 1, "gpu__time_duration.sum", "ns", "1")]);
    let row = text.lines().nth(1).unwrap().to_owned();
    for index in 0..70_000 {
        text += &row.replace("gpu__time_duration.sum", &format!("m{index}"));
        text.push('\n');
    }
    soon(|| assert!(refused(text.as_bytes()).contains("metrics, as no profile has")));
}

#[test]
fn negative_and_endless_values_are_missing() {
    let metric = "dram__bytes.sum";
    for value in ["-5", "1e999", "inf", "nan"] {
        let text = long(&[
            ("k", 1, metric, "byte", value),
            ("k", 1, "gpu__time_duration.sum", "ns", value),
        ]);
        let profile = crate::read(text.as_bytes());
        assert_eq!(
            crate::bytes(&profile, 0, ridgepoint::model::cost::Level::Dram),
            None,
            "{value}"
        );
        assert!(profile.kernels.lines[0].timing.is_none(), "{value}");
    }
}
