//! TraceLens tables: a count that is called GFLOPS, a MiB that is called MB. The tables are synthetic, in its shape.
use super::*;

const TABLE: &str = "name,op category,operation_count,Kernel Time (µs)_sum,Kernel Time (µs)_mean,GFLOPS,Data Moved (MB),FLOPS/Byte,TFLOPS/s_mean,Compute Spec,has_perf_model,Input Dims,Input type
aten::mm,GEMM,2,168.92,84.46,51.58,71.0078,692.8,610.7,matrix_bf16,True,\"((4096, 1024), (1024, 6144))\",\"('c10::BFloat16', 'c10::BFloat16')\"
aten::add,elementwise,1,np.float64(10.0),np.float64(10.0),np.float64(0.001),12,0.08,0.1,,True,\"((1000, 1000),)\",\"('float',)\"
aten::sort,other,3,30,10,,,,,,False,\"((64,),)\",\"('float',)\"
,other,3,30,10,,,,,,False,,
";

#[test]
fn gflops_are_a_count_and_mb_are_mib() {
    let profile = read(TABLE.as_bytes(), "unified_perf_summary.csv");
    assert_eq!(profile.source.format, "TraceLens (CSV)");
    let mm = line(&profile, "aten::mm");
    assert_eq!(profile.kernels.lines[mm].count, 2);
    near(
        work(&profile, mm, "BF16 matrix").unwrap(),
        2.0 * 51.58e9,
        1e-12,
    );
    near(
        traffic(&profile, mm, Level::Dram).unwrap(),
        2.0 * 74_457_088.0,
        1e-6,
    );
    let time = profile.kernels.lines[mm].timing.unwrap();
    near(
        work(&profile, mm, "BF16 matrix").unwrap() / time.sum,
        610.7e12,
        1e-4,
    );
    let notes = profile.notes.join("\n");
    assert!(
        notes.contains("51.58 GFLOP / 84.46 µs = 610.7 TFLOP/s"),
        "{notes}"
    );
    assert!(notes.contains("1,048,576"), "{notes}");
}

#[test]
fn numpy_text_is_a_number_and_rows_without_a_model_keep_their_time() {
    let profile = read(TABLE.as_bytes(), "a.csv");
    let add = line(&profile, "aten::add");
    near(work(&profile, add, "FP32 vector").unwrap(), 1e6, 1e-12);
    let sort = line(&profile, "aten::sort");
    assert_eq!(
        profile.kernels.work(sort).count() + profile.kernels.traffic(sort).count(),
        0
    );
    near(
        profile.kernels.lines[sort].timing.unwrap().sum,
        30e-6,
        1e-12,
    );
    assert!(
        profile.warnings[0].starts_with("1 of 3 rows"),
        "{:?}",
        profile.warnings
    );
    assert_eq!((profile.rows, profile.skipped[0].line), (4, 5));
}

#[test]
fn micro_is_read_however_it_is_written() {
    for micro in ["μ", "Âµ", "u"] {
        let profile = read(TABLE.replace('µ', micro).as_bytes(), "a.csv");
        near(
            profile.kernels.lines[0].timing.unwrap().sum,
            168.92e-6,
            1e-12,
        );
    }
}

#[test]
fn a_rate_that_does_not_fit_is_told() {
    let profile = read(TABLE.replace("610.7", "61.07").as_bytes(), "a.csv");
    let said = profile.warnings.join("\n");
    assert!(
        said.contains("the file itself says 61.07 TFLOP/s"),
        "{said}"
    );
}
