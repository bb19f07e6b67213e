//! Traces and counter tables that are cut, mutated or made to harm: one sentence, or what was good.
use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use std::io::Write as _;
use std::time::{Duration, Instant};

const TRACE: &[u8] = include_bytes!("../data/profiles/kineto_h100_trimmed.json");
const COUNTERS: &[u8] = include_bytes!("../data/profiles/rocprof_mi200/pmc_perf.csv");
const SYSTEM: &[u8] = include_bytes!("../data/profiles/rocprof_mi200/sysinfo.csv");

/// Small files, one of each format, to be mutated.
const SEEDS: [&str; 4] = [
    r#"{"deviceProperties":[{"id":0,"name":"G","numSms":1}],"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::mm","args":{"External id":5,"Input Dims":[[4,8],[8,2]],"Input type":["float","float"],"Concrete Inputs":["",""]}},{"ph":"X","cat":"kernel","name":"void k<1>(int)","ts":1,"dur":2.5,"args":{"External id":5,"grid":[1,2,3],"block":[4,5,6]}}]}"#,
    "Kernel_Name,GPU_ID,Grid_Size,Workgroup_Size,TCC_EA_RDREQ_sum,SQ_INSTS_VALU_MFMA_MOPS_F16,Start_Timestamp,End_Timestamp\n\"a(int, int)\",0,64,64,3,4,1000,2000\nb,1,64,64,3,4,1000,2000\n",
    "\"Dispatch_Id\",\"Agent_Id\",\"Kernel_Name\",\"Grid_Size\",\"Workgroup_Size\",\"Counter_Name\",\"Counter_Value\",\"Start_Timestamp\",\"End_Timestamp\"\n1,\"Agent 1\",\"k\",64,64,\"TCP_TOTAL_CACHE_ACCESSES_sum\",16,1,2\n",
    "name,operation_count,Kernel Time (µs)_sum,GFLOPS,Data Moved (MB),Compute Spec\naten::mm,2,168.9,51.58,71.0,matrix_bf16\naten::add,1,np.float64(3.0),,,\n",
];

fn beside() -> Files {
    let agents = b"Node_Id,Agent_Type,Name,Product_Name\n1,GPU,gfx90a,X\n".to_vec();
    Files(vec![
        ("sysinfo.csv", SYSTEM.to_vec()),
        ("agent_info.csv", agents),
    ])
}

/// Reads whatever it is: an error of one line, or lines of sound numbers.
#[track_caller]
fn survives(bytes: &[u8]) {
    match try_read(bytes, "a_counter_collection.csv", &beside()) {
        Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
        Ok(profile) => {
            let kernels = &profile.kernels;
            for line in 0..kernels.lines.len() {
                let cost = kernels.cost(line);
                assert!(cost.launches >= 1.0);
                assert!(
                    kernels.lines[line]
                        .timing
                        .is_none_or(|t| t.sum > 0.0 && t.sum.is_finite())
                );
                for formula in &kernels.formulas {
                    formula.with_numbers(&kernels.counters, line);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn arbitrary_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..2000), seed in 0..SEEDS.len()) {
        survives(&bytes);
        // Behind a header, or an opening bracket, that is recognised.
        let head = SEEDS[seed].split_inclusive(['\n', '[']).next().unwrap();
        survives(&[head.as_bytes(), &bytes[..]].concat());
    }

    #[test]
    fn mutated_files_do_no_harm(
        seed in 0..SEEDS.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..12),
    ) {
        let mut bytes = SEEDS[seed].as_bytes().to_vec();
        for (at, byte, how) in changes {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 => bytes.truncate(at),
                _ => {
                    let copy = bytes[at..].to_vec();
                    bytes.extend(copy);
                }
            }
        }
        survives(&bytes);
    }

    #[test]
    fn numbers_of_any_kind_do_no_harm(number in "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,6})?([eE][+-]?[0-9]{1,4})?|NaN|-?Infinity|null|\"x\"|\\[\\]|\\{\\}") {
        survives(SEEDS[0].replace("2.5", &number).as_bytes());
        survives(SEEDS[0].replace("[4,8]", &format!("[4,{number}]")).as_bytes());
        survives(SEEDS[0].replace(":5,", &format!(":{number},")).as_bytes());
        survives(SEEDS[1].replace("2000", &number).as_bytes());
        survives(SEEDS[2].replace(",16,", &format!(",{number},")).as_bytes());
        survives(SEEDS[3].replace("168.9", &number).as_bytes());
    }
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
        let text = SEEDS[0].replace("2.5", bad);
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
    let said = refused(SEEDS[0].replace("2.5", "1e999").as_bytes(), "a.json");
    assert!(
        said.contains("it holds no kernels (left out: 1 event"),
        "{said}"
    );
    let text = SEEDS[0].replace(
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

/// Neither deep brackets, nor endless strings, nor bombs take long or much.
#[test]
fn hostile_files_are_over_within_a_moment() {
    let deep = "[".repeat(3 << 20);
    let event = |args: &str| {
        format!(
            r#"{{"traceEvents":[{{"ph":"X","cat":"kernel","name":"k","dur":1,"args":{args}}},{{"ph":"X","cat":"kernel","name":"l","dur":1}}]}}"#
        )
    };
    let bomb = packed(&[&b"{\"traceEvents\": [\""[..], &vec![b'a'; 1 << 28]].concat());
    let columns = "TCC_EA_RDREQ_sum,".repeat(1 << 19);
    let files = [
        format!("{{\"traceEvents\": {deep}").into_bytes(),
        event(&format!("{{\"grid\": {deep}{}}}", "]".repeat(3 << 20))).into_bytes(),
        event(&format!("{{\"grid\": [{}1]}}", "1,".repeat(1 << 20))).into_bytes(),
        format!("{{\"traceEvents\": [{}", "{\"a\":".repeat(1 << 20)).into_bytes(),
        format!("{{\"traceEvents\": [\"{}", "\\".repeat(8 << 20)).into_bytes(),
        bomb,
        format!("Kernel_Name,Start_Timestamp,End_Timestamp,{columns}\nk,1,2\n").into_bytes(),
        format!(
            "Kernel_Name,Start_Timestamp,End_Timestamp,SQ_WAVES\n\"{}",
            "k\n".repeat(4 << 20)
        )
        .into_bytes(),
        format!(
            "Kernel_Name,Counter_Name,Counter_Value\nk,\"{}",
            "x".repeat(8 << 20)
        )
        .into_bytes(),
    ];
    for (number, file) in files.iter().enumerate() {
        let start = Instant::now();
        survives(file);
        let taken = start.elapsed();
        assert!(
            taken < Duration::from_secs(20),
            "file {number} took {taken:?}"
        );
    }
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
