//! Damaged and hostile tables: what is wrong is said where it is; `tests/hostile` holds every format against anything.
use crate::{long, refused};
use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;
use ridgepoint::files::import::profile::mapping::{self, Mapping};
use ridgepoint::files::import::profile::{Nothing, number};
use std::io::{Read, Write};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

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
fn a_header_without_blocks_is_refused() {
    assert!(refused(b"ops/byte,ex.time\n0,1\n").contains("no row of results"));
}

#[test]
fn a_million_columns_are_refused() {
    let header = format!("kernel,time_ms{}\n1\n", ",a".repeat(1_000_000));
    assert!(refused(header.as_bytes()).contains("no profile"));
    let wide = long(&[]).replace("\"Section Name\"", &"\"x\",".repeat(1_000_000));
    refused(wide.as_bytes());
}

#[test]
fn a_giant_cell_and_an_open_quotation_are_refused_where_they_are() {
    let giant = format!("kernel,time_ms\n{},1\n", "x".repeat(8 << 20));
    let error = refused(giant.as_bytes());
    assert!(error.contains("line 2") && error.contains("MiB"), "{error}");
    let open = format!("kernel,time_ms\n\"a,1\n{}", "b,1\n".repeat(2_000_000));
    let error = refused(open.as_bytes());
    assert!(
        error.contains("line 2") && error.contains("quotation mark"),
        "{error}"
    );
}

/// Endless zeros, of which a thousandth is read.
#[test]
fn a_packed_bomb_is_refused_before_it_unfolds() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let header = b"kernel,time_ms\n";
    encoder.write_all(header).unwrap();
    std::io::copy(&mut std::io::repeat(b'\n').take(1 << 26), &mut encoder).unwrap();
    let bomb = encoder.finish().unwrap();
    let error = refused(&bomb);
    assert!(error.contains("times its size"), "{error}");
}

#[test]
fn as_many_metrics_as_rows_are_refused() {
    let mut text = long(&[("k", 1, "gpu__time_duration.sum", "ns", "1")]);
    let row = text.lines().nth(1).unwrap().to_owned();
    for index in 0..70_000 {
        text += &row.replace("gpu__time_duration.sum", &format!("m{index}"));
        text.push('\n');
    }
    assert!(refused(text.as_bytes()).contains("metrics, as no profile has"));
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
