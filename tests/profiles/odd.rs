//! Odd files on the command line: what cannot be is said, what is told apart stays apart, and what is saved opens again.
use crate::command_line::*;

const HEAD: &str = "name,time_us,gflop,mb\n";

#[test]
fn what_cannot_be_is_missing_and_said() {
    let folder = Folder::new();
    let table = folder.file("odd.csv", &format!("{HEAD}a,-5,1,1\nb,5,1,-3\nc,5,1,1\n"));
    let read = json(&["import", &table, "--format", "json"]);
    let warnings = read["warnings"].to_string();
    assert!(warnings.contains("2 values are negative"), "{warnings}");
    assert_eq!(read["kernels"][0]["time_s"], serde_json::Value::Null);
    assert_eq!(read["kernels"][2]["placed"], true);
}

#[test]
fn headers_in_the_middle_are_no_kernels() {
    let folder = Folder::new();
    let table = folder.file("two.csv", &format!("{HEAD}a,5,1,1\n{HEAD}b,5,1,1\n"));
    let read = json(&["import", &table, "--format", "json"]);
    assert_eq!(read["kernels"].as_array().unwrap().len(), 2);
    let ncu = folder.file("ncu.csv", &format!("{}{}", ncu("x", 1e5), ncu("x", 1e5)));
    let read = json(&["import", &ncu, "--format", "json"]);
    assert_eq!(read["kernels"].as_array().unwrap().len(), 2);
}

#[test]
fn a_rate_in_words_is_no_time() {
    let folder = Folder::new();
    let text = "kernel,gflops_per_second,intensity\na,20,2\n";
    let read = json(&["import", &folder.file("rate.csv", text), "--format", "json"]);
    assert_eq!(read["kernels"][0]["flop_per_s"], 20e9);
    assert_eq!(read["kernels"][0]["intensity_flop_per_byte"], 2.0);
}

#[test]
fn peoples_own_names_are_not_cut() {
    let folder = Folder::new();
    let table = folder.file(
        "own.csv",
        &format!("{HEAD}MM unrolljam Fujitsu,5,1,1\nMM scalar Fujitsu,6,1,1\n"),
    );
    let read = json(&["import", &table, "--format", "json"]);
    assert_eq!(read["kernels"][0]["short_name"], "MM unrolljam Fujitsu");
}

/// The vector unit's zero is no zero of a kernel that is named after the matrix unit.
#[test]
fn unknown_work_of_the_matrix_unit_is_not_zero() {
    let folder = Folder::new();
    let text = ncu("NVIDIA H100 80GB HBM3", 1e5).replace("copy(float*)", "sm90_xmma_gemm_bf16");
    let read = json(&[
        "import",
        &folder.file("matrix.csv", &text),
        "--format",
        "json",
    ]);
    let kernel = &read["kernels"][1];
    assert_eq!(kernel["name"], "sm90_xmma_gemm_bf16");
    assert_eq!(kernel["work_flop"], serde_json::Value::Null);
    assert_eq!(kernel["missing"], serde_json::json!(["work"]));
    assert!(read["warnings"].to_string().contains("named after it"));
    // The one that is named after nothing of the kind copies.
    let plain = json(&[
        "import",
        &folder.file("plain.csv", &ncu("x", 1e5)),
        "--format",
        "json",
    ]);
    assert_eq!(plain["kernels"][1]["work_flop"], 0.0);
}

#[test]
fn a_precision_without_a_roof_is_judged_by_no_other() {
    let folder = Folder::new();
    let map = folder.file(
        "map.ron",
        r#"(name: ["name"], time: (column: "time_us", unit: "us"),
            work: [(column: "gflop", unit: "GFLOP", path: "FP4 matrix")], traffic: [(column: "mb", unit: "MB", level: DRAM)])"#,
    );
    let table = folder.file("fp4.csv", &format!("{HEAD}a,500,1,1\n"));
    let arguments = [
        "import",
        &table,
        "--map",
        &map,
        "--gpu",
        "A100 SXM 80GB",
        "--format",
        "json",
    ];
    let read = json(&arguments);
    let warnings = read["kernels"][0]["warnings"].to_string();
    assert!(
        warnings.contains("has no FP4 matrix roof, so nothing judges this kernel"),
        "{warnings}"
    );
    // Where the memory decides it does so all the same, of a format no wider than the roof there is.
    let table = folder.file("fp4.csv", &format!("{HEAD}a,500,1,100\n"));
    let read = json(&[
        "import",
        &table,
        "--map",
        &map,
        "--gpu",
        "A100 SXM 80GB",
        "--format",
        "json",
    ]);
    let warnings = read["kernels"][0]["warnings"].to_string();
    assert!(
        warnings.contains("has no FP4 matrix roof: the memory judges this work"),
        "{warnings}"
    );
}

/// Fewer launches are no faster kernel.
#[test]
fn launches_that_differ_are_told_apart_from_speed() {
    let folder = Folder::new();
    let rows = |count: usize| HEAD.to_owned() + &"a,100,1,1\n".repeat(count);
    let (before, after) = (
        folder.file("before.csv", &rows(20)),
        folder.file("after.csv", &rows(10)),
    );
    let session = folder.path("both.ron");
    printed(&[
        "import", &before, &after, "--gpu", "H100 SXM", "-o", &session,
    ]);
    let text = printed(&[
        "kernels",
        &session,
        "--profile",
        "before",
        "--against",
        "after",
    ]);
    assert!(
        text.contains("20 launches before and 10 after: per launch ×1.00"),
        "{text}"
    );
}

#[test]
fn names_and_numbers_given_go_on_to_a_newer_run() {
    let folder = Folder::new();
    let old = folder.file("old.csv", &format!("{HEAD}a,5,,1\nb,6,1,1\n"));
    let new = folder.file("new.csv", &format!("{HEAD}a,4,,1\nb,6,1,1\n"));
    let (first, both) = (folder.path("first.ron"), folder.path("both.ron"));
    printed(&["import", &old, "--gpu", "H100 SXM", "-o", &first]);
    let text = std::fs::read_to_string(&first).unwrap();
    let mut loaded = ridgepoint::files::session_file::read(&text).unwrap();
    loaded.session.profiles[0].choices.set_alias("a", "mine");
    std::fs::write(
        &first,
        ridgepoint::files::session_file::write(&loaded.session, &loaded.view),
    )
    .unwrap();
    let output = run(&["import", &new, "--onto", &first, "-o", &both]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("are taken from old, which has the same kernels"),
        "{said}"
    );
    let listed = printed(&["kernels", &both, "--profile", "new"]);
    assert!(listed.contains("mine"), "{listed}");
}

#[test]
fn what_is_no_profile_beside_one_is_passed_over() {
    let folder = Folder::new();
    let table = folder.file("own.csv", &format!("{HEAD}a,5,1,1\n"));
    let log = folder.file("log.txt", "nothing to see here\n");
    let output = run(&["import", &table, &log, "--format", "json"]);
    assert!(output.status.success());
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("passed over: ")
    );
    assert!(
        !run(&["import", &log, &log, "--format", "json"])
            .status
            .success()
    );
}

/// What importing writes can be read again, whatever columns a table has twice.
#[test]
fn what_was_imported_opens_again() {
    let folder = Folder::new();
    let nersc = "memroofs 1500 3000 9000\nmem_roof_names \"HBM\" \"L2\" \"L1\"\ncomproofs 7000\ncomp_roof_names \"DFMA\"\n\
                 AI 0.5 0.2 0.1\nFLOPS 300\nlabels \"k\"\n";
    let tracelens = "name,count,GFLOPS,Data Moved (MB),Kernel Time (µs)_mean,TFLOPS/s_mean\naten::mm,1,2,3,1000,2\naten::mm,1,4,6,2000,2\n";
    let cases = [
        ("nersc.txt", nersc, "without times"),
        ("tracelens.csv", tracelens, "recoverable"),
    ];
    for (name, text, said) in cases {
        let file = folder.file(name, text);
        let session = folder.path("again.ron");
        printed(&["import", &file, "--gpu", "H100 SXM", "-o", &session]);
        printed(&["check", &session]);
        assert!(printed(&["kernels", &session]).contains(said), "{name}");
    }
}

#[test]
fn measured_kernels_are_described_in_words() {
    let folder = Folder::new();
    let table = folder.file("run.csv", &format!("{HEAD}slow one,500,1,1\n"));
    let session = folder.path("run.ron");
    printed(&["import", &table, "--gpu", "H100 SXM", "-o", &session]);
    let words = printed(&["describe", &session]);
    assert!(
        words.contains("Measured kernels of run on H100 SXM: 1 kernel"),
        "{words}"
    );
    assert!(words.contains("slow one"), "{words}");
}

/// People give files names of their own.
#[test]
fn what_lies_beside_a_renamed_file_is_found() {
    let folder = Folder::new();
    let data =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/profiles/rocprof_mi200");
    for name in ["pmc_perf", "sysinfo"] {
        let text = std::fs::read_to_string(data.join(format!("{name}.csv"))).unwrap();
        folder.file(&format!("R01_{name}_MI200.csv"), &text);
    }
    let read = json(&[
        "import",
        &folder.path("R01_pmc_perf_MI200.csv"),
        "--format",
        "json",
    ]);
    // 16,777,728 B in 20 µs, 14,205,632 B and 14,225,216 B in the other dispatches.
    assert_eq!(read["kernels"][0]["traffic_bytes"]["DRAM"], 45_208_576.0);
}

/// Counters of rocprofv3 without its agent_info.csv, as through a pipe: the device named judges which formulas hold.
#[test]
fn a_device_that_is_named_decides_the_formulas() {
    let folder = Folder::new();
    let header = "\"Dispatch_Id\",\"Agent_Id\",\"Grid_Size\",\"Kernel_Name\",\"Workgroup_Size\",\"Counter_Name\",\"Counter_Value\",\"Start_Timestamp\",\"End_Timestamp\"\n";
    let row = |counter: &str, value: u32| {
        format!("1,\"Agent 2\",65536,\"axpy(float*)\",256,\"{counter}\",{value},1000,5000\n")
    };
    let text = [header.to_owned(), row("TCC_EA0_RDREQ_sum", 4096)].concat();
    let file = folder.file("counters.csv", &text);
    let said = |gpu: &str| {
        let output = run(&["import", &file, "--gpu", gpu, "--format", "json"]);
        [output.stdout, output.stderr]
            .map(|text| String::from_utf8(text).unwrap())
            .concat()
    };
    let known = said("MI300X");
    assert!(known.contains("on MI300 they need"), "{known}");
    assert!(!known.contains("architecture is not known"), "{known}");
    let unknown = said("H100 SXM");
    assert!(unknown.contains("name the device with --gpu"), "{unknown}");
}
