//! Counters of AMD's profilers: the formulas of each generation, and none where the generation is not known.
//!
//! `rocprof_mi200` is a test workload of rocprofiler-compute (MIT), its host names replaced; the other tables here are
//! synthetic, with counts whose sums can be done in the head.
use super::*;
use ridgepoint::model::gpu::Basis;

const COUNTERS: &str = include_str!("../data/profiles/rocprof_mi200/pmc_perf.csv");
const SYSTEM: &str = include_str!("../data/profiles/rocprof_mi200/sysinfo.csv");
const ROOFS: &str = include_str!("../data/import/roofline_mi200.csv");

fn files(files: &[(&'static str, &str)]) -> Files {
    let owned = files
        .iter()
        .map(|(name, text)| (*name, text.as_bytes().to_vec()));
    Files(owned.collect())
}

/// The header and one dispatch.
fn dispatch(number: usize) -> String {
    let mut lines = COUNTERS.lines();
    let header = lines.next().unwrap();
    format!("{header}\n{}\n", lines.nth(number).unwrap())
}

#[test]
fn each_dispatch_of_the_copy_has_its_bytes() {
    let beside = files(&[("sysinfo.csv", SYSTEM)]);
    let expected = [
        (16_777_728.0, 20_000e-9, 838.9e9),
        (14_205_632.0, 15_520e-9, 915.3e9),
        (14_225_216.0, 16_320e-9, 871.6e9),
    ];
    for (number, (bytes, time, rate)) in expected.into_iter().enumerate() {
        let profile = read_beside(dispatch(number).as_bytes(), "pmc_perf.csv", &beside);
        assert_eq!(traffic(&profile, 0, Level::Dram), Some(bytes));
        assert_eq!(traffic(&profile, 0, Level::L2), Some(16_777_216.0));
        assert_eq!(traffic(&profile, 0, Level::L1), Some(33_554_432.0));
        let timing = profile.kernels.lines[0].timing.unwrap();
        near(timing.sum, time, 1e-12);
        near(bytes / timing.sum, rate, 1e-3);
        // Whole numbers only: nothing to place on the chart but the bandwidth.
        let work: f64 = profile.kernels.work(0).map(|(_, work)| work.get()).sum();
        assert_eq!(work, 0.0);
        assert!(profile.kernels.work(0).count() >= 8);
    }
}

#[test]
fn dispatches_of_one_shape_add_up_and_say_how() {
    let beside = files(&[("sysinfo.csv", SYSTEM), ("roofline.csv", ROOFS)]);
    let profile = read_beside(COUNTERS.as_bytes(), "/home/someone/pmc_perf.csv", &beside);
    assert_eq!(profile.source.format, "rocprofiler-compute (CSV)");
    assert_eq!((profile.rows, profile.kernels.lines.len()), (3, 1));
    let kernel = &profile.kernels.lines[0];
    assert_eq!(kernel.count, 3);
    assert_eq!(&*kernel.launch, "1048576 work-items, workgroup 256");
    let timing = kernel.timing.unwrap();
    near(timing.median, 16_320e-9, 1e-12);
    near(timing.shortest, 15_520e-9, 1e-12);
    let all = 16_777_728.0 + 14_205_632.0 + 14_225_216.0;
    assert_eq!(traffic(&profile, 0, Level::Dram), Some(all));
    let text = profile
        .kernels
        .formulas
        .iter()
        .map(|f| f.text(&profile.kernels.counters));
    let dram = text
        .into_iter()
        .find(|text| text.starts_with("DRAM"))
        .unwrap();
    assert_eq!(
        dram,
        "DRAM bytes = 32·TCC_EA_RDREQ_32B_sum + 64·(TCC_EA_RDREQ_sum − TCC_EA_RDREQ_32B_sum) + \
         64·TCC_EA_WRREQ_64B_sum + 32·(TCC_EA_WRREQ_sum − TCC_EA_WRREQ_64B_sum)"
    );
    assert!(profile.warnings.is_empty(), "{:?}", profile.warnings);
    // Of a host, a user or a command, nothing is kept.
    let said = everything(&profile);
    for secret in ["EPYC", "Rocky", "vcopy", "someone", "American", "0x7f45"] {
        assert!(!said.contains(secret), "{secret} in {said}");
    }
}

#[test]
fn the_roofs_are_those_of_the_device_that_ran() {
    let beside = files(&[("sysinfo.csv", SYSTEM), ("roofline.csv", ROOFS)]);
    let profile = read_beside(COUNTERS.as_bytes(), "pmc_perf.csv", &beside);
    let gpu = profile.device.unwrap();
    assert_eq!(gpu.name, "AMD Instinct MI200");
    assert_eq!(gpu.parts.units.as_ref().unwrap().value.get(), 104.0);
    let dram = gpu.memory_roof(Level::Dram).unwrap();
    assert_eq!(dram.bandwidth.value.get(), 1638.4e9);
    let measured = dram.achievable.as_ref().unwrap();
    // GPU_ID 2, not the first row: 1,388.6648, not 1,389.1462.
    assert_eq!(
        (measured.value.get(), measured.basis),
        (1_388.664_8e9, Basis::Achievable)
    );
    let fp64 = gpu.compute_roof("FP64 vector".parse().unwrap()).unwrap();
    assert_eq!(fp64.peak.value.get(), 20_357.533e9);
}

#[test]
fn a_folder_opens_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("pmc_perf.csv", COUNTERS),
        ("sysinfo.csv", SYSTEM),
        ("roofline.csv", ROOFS),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let opened = profile::open(folder.path(), &on).unwrap();
    let file = profile::open(&folder.path().join("pmc_perf.csv"), &on).unwrap();
    assert_eq!(opened, file);
    assert_eq!(opened.source.file, "pmc_perf.csv");
    assert!(opened.device.unwrap().compute.len() > 3);
}

#[test]
fn an_unknown_architecture_gets_no_formula() {
    let unknown = SYSTEM.replace("MI200,gfx90a", "RX 9070,gfx1201");
    for (beside, word) in [
        (files(&[("sysinfo.csv", &unknown)]), "gfx1201"),
        (files(&[]), "sysinfo.csv"),
    ] {
        let profile = read_beside(COUNTERS.as_bytes(), "pmc_perf.csv", &beside);
        assert_eq!(
            profile.kernels.work(0).count() + profile.kernels.traffic(0).count(),
            0
        );
        assert!(profile.kernels.lines[0].timing.is_some());
        let said = profile.warnings.join("\n");
        assert!(
            said.contains(word) && said.contains("neither work nor traffic"),
            "{said}"
        );
    }
}

/// A dispatch of 1,000 ns that counted these.
fn table(counters: &[(&str, u32)]) -> String {
    let names: Vec<_> = counters.iter().map(|(name, _)| *name).collect();
    let values: Vec<_> = counters
        .iter()
        .map(|(_, value)| value.to_string())
        .collect();
    format!(
        "Dispatch_ID,Kernel_Name,GPU_ID,Grid_Size,Workgroup_Size,{},Start_Timestamp,End_Timestamp\n\
         0,\"k(float*, int) [clone .kd]\",0,64,64,{},5000,6000\n",
        names.join(","),
        values.join(",")
    )
}

fn of(target: &str, counters: &[(&str, u32)]) -> ReadProfile {
    let system = format!("gpu_model,gpu_arch\nX,{target}\n");
    read_beside(
        table(counters).as_bytes(),
        "pmc_perf.csv",
        &files(&[("sysinfo.csv", &system)]),
    )
}

const WRITES: [(&str, u32); 2] = [("TCC_EA0_WRREQ_sum", 10), ("TCC_EA0_WRREQ_64B_sum", 4)];

#[test]
fn mi300_counts_reads_of_128_bytes_as_bubbles() {
    let reads = [
        ("TCC_BUBBLE_sum", 100),
        ("TCC_EA0_RDREQ_sum", 160),
        ("TCC_EA0_RDREQ_32B_sum", 20),
    ];
    let profile = of("gfx942", &[&reads[..], &WRITES].concat());
    // 128·100 + 32·20 + 64·40 reads, 64·4 + 32·6 writes.
    assert_eq!(traffic(&profile, 0, Level::Dram), Some(16_000.0 + 448.0));
}

#[test]
fn mi350_counts_reads_by_size_and_never_by_bubbles() {
    let bubbles = [
        ("TCC_BUBBLE_sum", 100),
        ("TCC_EA0_RDREQ_sum", 160),
        ("TCC_EA0_RDREQ_32B_sum", 20),
    ];
    let profile = of("gfx950:sramecc+:xnack-", &[&bubbles[..], &WRITES].concat());
    assert_eq!(traffic(&profile, 0, Level::Dram), None);
    let said = profile.warnings.join("\n");
    assert!(
        said.contains("_128B_sum") && said.contains("MI350"),
        "{said}"
    );
    let sizes = [
        ("TCC_EA0_RDREQ_128B_sum", 100),
        ("TCC_EA0_RDREQ_64B_sum", 40),
        ("TCC_EA0_RDREQ_32B_sum", 20),
    ];
    let profile = of("gfx950", &[&sizes[..], &WRITES].concat());
    assert_eq!(traffic(&profile, 0, Level::Dram), Some(16_000.0 + 448.0));
}

#[test]
fn l2_lines_are_of_128_bytes_from_mi300_on() {
    let requests = [
        ("TCP_TCC_READ_REQ_sum", 10),
        ("TCP_TCC_WRITE_REQ_sum", 3),
        ("TCP_TCC_ATOMIC_WITH_RET_REQ_sum", 2),
        ("TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum", 1),
    ];
    let l2 = |target| traffic(&of(target, &requests), 0, Level::L2);
    assert_eq!(l2("gfx908"), Some(64.0 * 16.0));
    assert_eq!(l2("gfx90a"), Some(64.0 * 16.0));
    assert_eq!(l2("gfx942"), Some(128.0 * 10.0 + 64.0 * 6.0));
    let sectors = [("TCC_READ_SECTORS_sum", 40), ("TCC_WRITE_SECTORS_sum", 8)];
    let profile = of("gfx950", &[&requests[..], &sectors].concat());
    assert_eq!(traffic(&profile, 0, Level::L2), Some(32.0 * 48.0));
}

#[test]
fn work_is_counted_by_format_and_unit() {
    let profile = of(
        "gfx942",
        &[
            ("SQ_INSTS_VALU_ADD_F32", 1),
            ("SQ_INSTS_VALU_MUL_F32", 2),
            ("SQ_INSTS_VALU_FMA_F32", 10),
            ("SQ_INSTS_VALU_TRANS_F32", 3),
            ("SQ_INSTS_VALU_MFMA_MOPS_BF16", 7),
            ("SQ_INSTS_VALU_MFMA_MOPS_F8", 5),
            // Without its companions FP64 is not known.
            ("SQ_INSTS_VALU_FMA_F64", 9),
        ],
    );
    assert_eq!(work(&profile, 0, "FP32 vector"), Some(64.0 * 26.0));
    assert_eq!(work(&profile, 0, "BF16 matrix"), Some(512.0 * 7.0));
    assert_eq!(work(&profile, 0, "FP8 matrix"), Some(512.0 * 5.0));
    assert_eq!(work(&profile, 0, "FP64 vector"), None);
}

/// A synthetic counter collection: two dispatches of a kernel, three counters each.
const COLLECTION: &str = r#""Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"
1,1,"Agent 4",1,77,77,4096,9,"scale(float*, float, int) [clone .kd]",256,0,0,8,0,16,"TCP_TOTAL_CACHE_ACCESSES_sum",16.000000,1000,3000
1,1,"Agent 4",1,77,77,4096,9,"scale(float*, float, int) [clone .kd]",256,0,0,8,0,16,"SQ_INSTS_VALU_MFMA_MOPS_F16",2,1000,3000
1,1,"Agent 4",1,77,77,4096,9,"scale(float*, float, int) [clone .kd]",256,0,0,8,0,16,"VALUBusy",24.6,1000,3000
2,2,"Agent 4",1,77,77,4096,9,"scale(float*, float, int) [clone .kd]",256,0,0,8,0,16,"TCP_TOTAL_CACHE_ACCESSES_sum",1.6e1,5000,6000
2,2,"Agent 4",1,77,77,4096,9,"scale(float*, float, int) [clone .kd]",256,0,0,8,0,16,"SQ_INSTS_VALU_MFMA_MOPS_F16",2,5000,6000
2,2,"Agent 4",1,77,77,4096,9,"scale(float*, float, int) [clone .kd]",256,0,0,8,0,16,"FETCH_SIZE",nan,5000,6000
"#;

const AGENTS: &str = r#""Node_Id","Logical_Node_Id","Agent_Type","Cu_Count","Name","Vendor_Name","Product_Name","Max_Engine_Clk_Fcompute"
0,0,"CPU",96,"AMD EPYC 9654","CPU","AMD EPYC 9654",3700
4,4,"GPU",304,"gfx942","AMD","AMD Instinct MI300X",2100
"#;

#[test]
fn rows_of_a_collection_become_dispatches() {
    let beside = files(&[("12_agent_info.csv", AGENTS)]);
    let profile = read_beside(COLLECTION.as_bytes(), "12_counter_collection.csv", &beside);
    assert_eq!(profile.source.format, "rocprofv3 counters (CSV)");
    assert_eq!((profile.rows, profile.kernels.lines.len()), (6, 1));
    assert_eq!(profile.kernels.lines[0].count, 2);
    near(profile.kernels.lines[0].timing.unwrap().sum, 3e-6, 1e-12);
    assert_eq!(traffic(&profile, 0, Level::L1), Some(64.0 * 32.0));
    assert_eq!(work(&profile, 0, "FP16 matrix"), Some(512.0 * 4.0));
    let gpu = profile.device.as_ref().unwrap();
    assert_eq!(gpu.name, "AMD Instinct MI300X");
    assert_eq!(gpu.parts.clock.as_ref().unwrap().value.get(), 2.1e9);
    assert_eq!((profile.skipped_in_all, profile.skipped[0].line), (1, 7));
    assert!(!everything(&profile).contains("EPYC"));
}

/// rocprofv3 runs a program once for each group of counters, as another process each time.
#[test]
fn passes_of_a_folder_join_by_dispatch() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |counter: &str| -> String {
        let mut lines = COLLECTION.lines();
        let header = lines.next().unwrap();
        let rows: Vec<_> = lines.filter(|line| line.contains(counter)).collect();
        format!("{header}\n{}", rows.join("\n"))
    };
    let write = |pass: &str, name: &str, text: &str| {
        let pass = folder.path().join(pass);
        std::fs::create_dir_all(&pass).unwrap();
        std::fs::write(pass.join(name), text).unwrap();
    };
    let (caches, matrix) = (rows("TCP_TOTAL"), rows("MFMA_MOPS_F16"));
    write("pass_1", "77_counter_collection.csv", &caches);
    write("pass_1", "77_agent_info.csv", AGENTS);
    write(
        "pass_2",
        "78_counter_collection.csv",
        &matrix.replace(",77,", ",78,"),
    );
    let profile = profile::open(folder.path(), &on).unwrap();
    assert_eq!((profile.rows, profile.kernels.lines[0].count), (4, 2));
    assert_eq!(traffic(&profile, 0, Level::L1), Some(64.0 * 32.0));
    assert_eq!(work(&profile, 0, "FP16 matrix"), Some(512.0 * 4.0));
    // Two processes that counted the same ran at the same time: their dispatches are four.
    write(
        "pass_2",
        "78_counter_collection.csv",
        &caches.replace(",77,", ",78,"),
    );
    let profile = profile::open(folder.path(), &on).unwrap();
    assert_eq!(profile.kernels.lines[0].count, 4);
    assert_eq!(traffic(&profile, 0, Level::L1), Some(64.0 * 64.0));
    let empty = tempfile::tempdir().unwrap();
    let said = profile::open(empty.path(), &on).unwrap_err().to_string();
    assert!(
        said.contains("neither pmc_perf.csv nor *_counter_collection.csv"),
        "{said}"
    );
}

#[test]
fn a_collection_without_agents_has_times_only() {
    let profile = read(COLLECTION.as_bytes(), "12_counter_collection.csv");
    assert_eq!(
        profile.kernels.traffic(0).count() + profile.kernels.work(0).count(),
        0
    );
    assert!(
        profile.warnings[0].contains("agent_info.csv"),
        "{:?}",
        profile.warnings
    );
}

#[test]
fn a_table_without_dispatches_says_what_to_do() {
    let header = COUNTERS.lines().next().unwrap();
    let said = refused(header.as_bytes(), "pmc_perf.csv");
    assert!(said.contains("rocprof-compute profile"), "{said}");
    let header = COLLECTION.lines().next().unwrap();
    let said = refused(header.as_bytes(), "counter_collection.csv");
    assert!(said.contains("rocprofv3 --pmc"), "{said}");
}
