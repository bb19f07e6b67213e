//! Nsight Compute's output when something is odd or wrong: locales, failed profiles, percentages, broken rows.
use crate::{SAXPY, bytes, flops, long, read, refused, says, time};
use ridgepoint::model::cost::Level;

/// The same numbers as a German locale prints them.
#[test]
fn decimal_commas_are_found_out_and_never_misread() {
    let rows = |read: &'static str, time: &'static str, share: &'static str| {
        long(&[
            ("k", 1, "dram__bytes_read.sum", "byte", read),
            ("k", 1, "dram__bytes_write.sum", "byte", "1.024"),
            ("k", 1, "gpu__time_duration.sum", "usecond", time),
            ("k", 1, "lts__t_sector_hit_rate.pct", "%", share),
        ])
    };
    let profile = read(rows("134.221.568", "292,93", "33,26").as_bytes());
    assert_eq!(bytes(&profile, 0, Level::Dram), Some(134_222_592.0));
    assert_eq!(time(&profile, 0), 292.93e-6);
    says(&profile.notes, "1.234,5");
    // Nothing but 1.024 bytes speaks here: there are no fractions of a byte.
    let profile = read(
        rows("n/a", "n/a", "n/a")
            .replace("\"n/a\"", "\"2.048\"")
            .as_bytes(),
    );
    assert_eq!(bytes(&profile, 0, Level::Dram), Some(3072.0));
    // What contradicts itself is refused with the line, not guessed.
    let error = refused(
        rows("134.221.568", "292,93", "33.26")
            .replace("33.26", "1,5,5")
            .as_bytes(),
    );
    assert!(
        error.contains("line 5") || error.contains("contradicts"),
        "{error}"
    );
}

#[test]
fn utf_16_as_power_shell_writes_it_is_read() {
    let text = String::from_utf8(SAXPY.to_vec()).unwrap();
    let text = text.trim_start_matches('\u{feff}').replace('\n', "\r\n");
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    let utf16: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    let profile = read(&utf16);
    assert_eq!(bytes(&profile, 0, Level::Dram), Some(177_852_672.0));
}

#[test]
fn a_failed_profile_says_what_the_profiler_says() {
    let text = "==PROF== Connected to process 12 (/opt/app)\nhello\n\
        ==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters.\n\
        ==PROF== Disconnected from process 12\n";
    let error = refused(text.as_bytes());
    assert!(error.contains("line 3"), "{error}");
    assert!(
        error.contains("\"==ERROR== ERR_NVGPUCTRPERM - The user does not have permission"),
        "{error}"
    );
    let none = "==PROF== Connected to process 12\n==WARNING== No kernels were profiled.\n";
    assert!(refused(none.as_bytes()).contains("No kernels were profiled"));
    let nothing = refused(b"==PROF== Connected to process 12\n==PROF== Disconnected\n");
    assert!(nothing.contains("--csv"), "{nothing}");
    let header = long(&[]);
    assert!(refused(header.as_bytes()).contains("no kernels"));
}

/// As on a Turing card profiled for percentages alone.
#[test]
fn percentages_and_blanks_place_nothing_and_name_what_does() {
    let profile = read(
        long(&[
            (
                "sgemm",
                98,
                "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
                "%",
                "15.56",
            ),
            (
                "sgemm",
                98,
                "lts__t_bytes.avg.pct_of_peak_sustained_elapsed",
                "%",
                "22.16",
            ),
            (
                "sgemm",
                98,
                "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.avg",
                "",
                "n/a",
            ),
            (
                "relu",
                25,
                "sm__throughput.avg.pct_of_peak_sustained_elapsed",
                "%",
                "80.66",
            ),
        ])
        .as_bytes(),
    );
    assert_eq!(profile.kernels.lines.len(), 2);
    assert!(
        profile
            .kernels
            .lines
            .iter()
            .all(|line| line.timing.is_none())
    );
    assert_eq!(
        (flops(&profile, 0), bytes(&profile, 0, Level::Dram)),
        (None, None)
    );
    for metric in [
        "gpu__time_duration.sum",
        "dram__bytes_read.sum",
        "dram__bytes_op_read.sum",
        "op_dfma_pred_on.sum",
    ] {
        says(&profile.warnings, metric);
    }
}

#[test]
fn a_hit_rate_above_all_is_told_and_not_failed() {
    let profile = read(long(&[("k", 1, "lts__t_sector_hit_rate.pct", "%", "100.39")]).as_bytes());
    says(&profile.warnings, "100.39 %");
}

#[test]
fn rows_that_are_none_are_skipped_with_their_line() {
    let mut text = long(&[
        ("k", 1, "gpu__time_duration.sum", "ns", "1000"),
        ("k", 1, "dram__bytes_read.sum", "byte", "many"),
        ("k", 1, "dram__bytes_write.sum", "byte", "64"),
    ]);
    text += "the program says goodbye\n\"7\",\"1\",\"cut";
    let profile = crate::try_read(text.as_bytes());
    let error = profile.unwrap_err().to_string();
    assert!(
        error.contains("line 6") && error.contains("quotation mark"),
        "{error}"
    );
    let text = text.replace("\"7\",\"1\",\"cut", "\"7\",\"1\",\"cut\"\n");
    let profile = read(text.as_bytes());
    let lines: Vec<_> = profile.skipped.iter().map(|skipped| skipped.line).collect();
    assert_eq!(lines, [3, 5, 6]);
    assert!(profile.skipped[0].reason.contains("\"many\" is no number"));
    assert_eq!(time(&profile, 0), 1e-6);
    assert_eq!(bytes(&profile, 0, Level::Dram), None);
}

#[test]
fn outputs_one_behind_the_other_are_all_read() {
    let one = long(&[("k", 1, "gpu__time_duration.sum", "ns", "1000")]);
    let profile = read(format!("{one}==PROF== Connected to process 3\n{one}").as_bytes());
    assert_eq!((profile.kernels.lines[0].count, profile.rows), (2, 2));
    assert_eq!(time(&profile, 0), 2e-6);
}

#[test]
fn a_launch_that_comes_back_later_is_not_counted_twice() {
    let one = |id: u32, metric: &str, value: &str| {
        let text = long(&[("k", 1, metric, "ns", value)]);
        text.lines()
            .nth(1)
            .unwrap()
            .replacen("\"0\"", &format!("\"{id}\""), 1)
    };
    let header = long(&[]);
    let rows = [
        one(0, "gpu__time_duration.sum", "1000"),
        one(1, "gpu__time_duration.sum", "1000"),
        one(0, "gpu__time_duration.avg", "1000"),
    ];
    let profile = read(format!("{header}{}\n", rows.join("\n")).as_bytes());
    assert_eq!(profile.kernels.lines[0].count, 2);
    assert!(profile.skipped[0].reason.contains("sort the rows by ID"));
}

#[test]
fn two_columns_of_one_name_are_refused() {
    let text = long(&[]).replace("\"Stream\"", "\"Context\"");
    let error = refused(text.as_bytes());
    assert!(
        error.contains("line 1") && error.contains("\"Context\""),
        "{error}"
    );
}

/// A metric whose unit nobody knows is there, and not missing.
#[test]
fn an_unknown_unit_is_told_as_one() {
    let rows = [
        ("k", 1, "gpu__time_duration.sum", "parsec", "12.5"),
        ("k", 1, "dram__bytes_read.sum", "Xbyte", "100"),
        ("k", 1, "dram__bytes_write.sum", "byte", "100"),
        (
            "k",
            1,
            "launch__registers_per_thread",
            "register/thread",
            "32",
        ),
    ];
    let profile = read(long(&rows).as_bytes());
    says(
        &profile.warnings,
        "\"parsec\", the unit of gpu__time_duration.sum, is no unit known here, which are ns, us, ms, s",
    );
    says(
        &profile.warnings,
        "\"Xbyte\", the unit of dram__bytes_read.sum",
    );
    for wrong in ["no time (", "no memory traffic (", "register"] {
        assert!(
            !profile.warnings.iter().any(|w| w.contains(wrong)),
            "{:?}",
            profile.warnings
        );
    }
    says(&profile.warnings, "no FLOP counters");
}

/// Marks of which nothing tells what they separate are read as points are, and that is said.
#[test]
fn an_undecided_decimal_mark_is_told() {
    let rows = [("k", 1, "gpu__time_duration.sum", "us", "1,234")];
    let profile = read(long(&rows).as_bytes());
    says(&profile.warnings, "which mark is the decimal one");
    let rows = [
        ("k", 1, "gpu__time_duration.sum", "us", "1,234"),
        ("k", 1, "lts__t_sector_hit_rate.pct", "%", "33.25"),
    ];
    let profile = read(long(&rows).as_bytes());
    assert!(!profile.warnings.iter().any(|w| w.contains("decimal one")));
}

/// A name may go over two lines, and what is told of it stands on one.
#[test]
fn a_name_of_two_lines_is_told_on_one() {
    let rows = [
        ("two\nlines", 1, "gpu__time_duration.sum", "us", "10"),
        ("two\nlines", 1, "dram__bytes_read.sum", "byte", "10"),
        ("two\nlines", 1, "dram__bytes_write.sum", "byte", "10"),
    ];
    let profile = read(long(&rows).as_bytes());
    assert_eq!(&*profile.kernels.lines[0].name, "two\nlines");
    says(&profile.notes, "check: two lines: ");
    let all = profile.notes.iter().chain(&profile.warnings);
    assert!(all.into_iter().all(|sentence| !sentence.contains('\n')));
}
