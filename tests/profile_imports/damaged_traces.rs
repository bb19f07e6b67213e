//! Traces and counter tables that are cut or odd: one sentence, or what was good.
use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;

const TRACE: &[u8] = include_bytes!("../data/profiles/kineto_h100_trimmed.json");
const COUNTERS: &[u8] = include_bytes!("../data/profiles/rocprof_mi200/pmc_perf.csv");
const SYSTEM: &[u8] = include_bytes!("../data/profiles/rocprof_mi200/sysinfo.csv");

/// A trace of one operator and its kernel.
const SMALL: &str = r#"{"deviceProperties":[{"id":0,"name":"G","numSms":1}],"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::mm","args":{"External id":5,"Input Dims":[[4,8],[8,2]],"Input type":["float","float"],"Concrete Inputs":["",""]}},{"ph":"X","cat":"kernel","name":"void k<1>(int)","ts":1,"dur":2.5,"args":{"External id":5,"grid":[1,2,3],"block":[4,5,6]}}]}"#;

fn beside() -> Files {
    let agents = b"Node_Id,Agent_Type,Name,Product_Name\n1,GPU,gfx90a,X\n".to_vec();
    Files(vec![
        ("sysinfo.csv", SYSTEM.to_vec()),
        ("agent_info.csv", agents),
    ])
}

#[test]
fn a_cut_trace_keeps_what_was_good() {
    let cut = TRACE.len() * 9 / 10;
    let profile = read(&TRACE[..cut], "trace.json");
    let said = profile.warnings.join("\n");
    assert!(said.contains(&format!("at byte {cut}")), "{said}");
    assert!(!profile.kernels.lines.is_empty());
    let said = refused(&TRACE[..2000], "trace.json");
    assert!(said.contains("at byte 2000, before any kernel"), "{said}");
}

#[test]
fn a_cut_archive_keeps_what_was_good() {
    // Larger than what is looked at to recognise a format, so that the cut comes later.
    let events = String::from_utf8(TRACE.to_vec()).unwrap();
    let from = events.find("\"traceEvents\": [").unwrap() + 16;
    let to = events
        .rfind("], \"schemaVersion\"")
        .or(events.rfind(']'))
        .unwrap();
    let many = [&events[from..to]; 12].join(", ");
    let packed = packed(format!("{{\"traceEvents\": [{many}]}}").as_bytes());
    let profile = read(&packed[..packed.len() * 9 / 10], "trace.json.gz");
    let said = profile.warnings.join("\n");
    assert!(
        said.contains("the compressed data is broken") && said.contains("what came before is read"),
        "{said}"
    );
    assert_eq!(said.matches("trace.json.gz").count(), 1, "{said}");
    assert!(profile.rows > 400);
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn times_that_are_none_are_told_and_their_kernels_kept() {
    for bad in ["-1", "0", "NaN", "-Infinity", "null", "\"long\""] {
        let text = SMALL.replace("2.5", bad);
        let profile = read(text.as_bytes(), "a.json");
        assert_eq!(profile.kernels.lines.len(), 1, "{bad}");
        assert_eq!(profile.kernels.lines[0].timing, None, "{bad}");
        assert_eq!(work(&profile, 0, "FP32 vector"), Some(128.0), "{bad}");
        let said = profile.warnings.join("\n");
        assert!(said.contains("without a time: 1 kernel"), "{bad}: {said}");
    }
}

#[test]
fn an_event_that_is_no_json_is_told_with_its_place() {
    // A number that no computer holds makes its event unreadable, which is not the same as an empty trace.
    let said = refused(SMALL.replace("2.5", "1e999").as_bytes(), "a.json");
    assert!(
        said.contains("it holds no kernels (left out: 1 event"),
        "{said}"
    );
    let text = SMALL.replace(
        r#""args":{"External id":5,"grid""#,
        r#""args":{"External id":5,:"grid""#,
    );
    let good = r#",{"ph":"X","cat":"kernel","name":"good","dur":1}]}"#;
    let text = text.strip_suffix("]}").unwrap().to_owned() + good;
    let profile = read(text.as_bytes(), "a.json");
    assert_eq!(&*profile.kernels.lines[0].name, "good");
    let byte = text.find(r#"{"ph":"X","cat":"kernel""#).unwrap();
    let said = profile.warnings.join("\n");
    assert!(
        said.contains(&format!("the first at byte {byte}")),
        "{said}"
    );
}

#[test]
fn reading_can_be_cancelled() {
    let many = vec![TRACE; 40].concat();
    let stop = |read: u64| read < 3 << 20;
    let error = profile::read(&mut &many[..], "a.json", &Nothing, &stop);
    // The first trace is whole, and the rest of the file is only hashed.
    assert!(matches!(error, Err(ProfileError::Cancelled { .. })));
    let text = String::from_utf8(TRACE.to_vec()).unwrap();
    let open =
        text.trim_end().trim_end_matches('}').to_owned() + ", \"x\": [" + &"[],".repeat(2 << 20);
    let error = profile::read(&mut open.as_bytes(), "a.json", &Nothing, &stop);
    assert!(matches!(error, Err(ProfileError::Cancelled { .. })));
    let rows = vec![COUNTERS; 200].concat();
    let error = profile::read(&mut &rows[..], "pmc_perf.csv", &beside(), &stop);
    assert!(matches!(error, Err(ProfileError::Cancelled { .. })));
}
