//! A small file of every format that is read, from which mutants are made: public ones of `tests/data`, else synthetic.

/// A file and what it is read as.
pub struct Seed {
    pub format: &'static str,
    pub name: &'static str,
    pub bytes: Vec<u8>,
    /// Whether it is a table whose first line that has this in it is the header.
    pub header: Option<&'static str>,
}

pub const ROOFLINE: &[u8] = include_bytes!("../data/import/roofline_mi200.csv");

const NCU_WIDE: &str = "==PROF== Connected to process 1
\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"device__attribute_display_name\",\"device__attribute_global_memory_bus_width\",\"device__attribute_memory_clock_rate\",\"dram__bytes_read.sum\",\"gpu__time_duration.sum\",\"sm__cycles_elapsed.avg.per_second\"
\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"Mbyte\",\"us\",\"Ghz\"
\"0\",\"1\",\"app\",\"host.example\",\"void k<int>(int)\",\"1\",\"7\",\"(128, 1, 1)\",\"(64, 1, 1)\",\"0\",\"9.0\",\"NVIDIA H100\",\"5120\",\"2619000\",\"12.5\",\"7.25\",\"1.41\"
\"1\",\"1\",\"app\",\"host.example\",\"copy\",\"1\",\"7\",\"(128, 1, 1)\",\"(64, 1, 1)\",\"0\",\"9.0\",\"NVIDIA H100\",\"5120\",\"2619000\",\"n/a\",\"3.5\",\"1.40\"
";

const NCU_DETAILS: &str = "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Kernel Time\",\"Context\",\"Stream\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"
\"0\",\"1\",\"app\",\"host.example\",\"k\",\"2020-Feb-19 10:00:00\",\"1\",\"7\",\"GPU Speed Of Light\",\"SOL FB\",\"%\",\"61.8\"
\"0\",\"1\",\"app\",\"host.example\",\"k\",\"2020-Feb-19 10:00:00\",\"1\",\"7\",\"GPU Speed Of Light\",\"Duration\",\"msecond\",\"2.54\"
\"0\",\"1\",\"app\",\"host.example\",\"k\",\"2020-Feb-19 10:00:00\",\"1\",\"7\",\"GPU Speed Of Light\",\"SM Frequency\",\"cycle/nsecond\",\"1.25\"
\"0\",\"1\",\"app\",\"host.example\",\"k\",\"2020-Feb-19 10:00:00\",\"1\",\"7\",\"Memory Workload Analysis\",\"Memory Throughput\",\"Gbyte/second\",\"543.21\"
\"0\",\"1\",\"app\",\"host.example\",\"k\",\"2020-Feb-19 10:00:00\",\"1\",\"7\",\"Launch Statistics\",\"Block Size\",\"\",\"256\"
";

const ROCPROF_COMPUTE: &str = "Dispatch_ID,Kernel_Name,GPU_ID,Grid_Size,Workgroup_Size,TCC_EA_RDREQ_32B_sum,TCC_EA_RDREQ_sum,SQ_INSTS_VALU_MFMA_MOPS_F16,Start_Timestamp,End_Timestamp
0,\"a(int, int)\",0,64,64,1,3,4,1000,2000
1,b,1,64,64,1,3,4,1000,2000
";

const ROCPROF_V3: &str = "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Process_Id\",\"Kernel_Name\",\"Grid_Size\",\"Workgroup_Size\",\"Counter_Name\",\"Counter_Value\",\"Start_Timestamp\",\"End_Timestamp\"
1,1,\"Agent 1\",17,\"k\",64,64,\"TCP_TOTAL_CACHE_ACCESSES_sum\",16,1000,2000
1,1,\"Agent 1\",17,\"k\",64,64,\"TCC_EA_RDREQ_sum\",12,1000,2000
";

const TRACE: &str = r#"{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"G","numSms":132,"totalGlobalMem":1000}],"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"aten::mm","ts":0,"dur":9,"pid":1,"tid":2,"args":{"External id":5,"Input Dims":[[4,8],[8,2]],"Input type":["float","float"],"Concrete Inputs":["",""]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","ts":1,"dur":2,"pid":1,"tid":2,"args":{"External id":5,"correlation":8}},
{"ph":"X","cat":"kernel","name":"void k<1>(int)","ts":1,"dur":2.5,"args":{"External id":5,"correlation":8,"device":0,"grid":[1,2,3],"block":[4,5,6]}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoD (Device -> Device)","ts":4,"dur":1.5,"args":{"External id":6,"bytes":4096,"memory bandwidth (GB/s)":2.7}}
]}"#;

const TRACELENS: &str = "name,operation_count,Kernel Time (µs)_sum,GFLOPS,Data Moved (MB),TFLOPS/s_mean,Compute Spec,Input Dims
aten::mm,2,168.9,51.58,71.0,610.7,matrix_bf16,\"((16, 32), (32, 8))\"
aten::add,1,np.float64(3.0),,,,,
";

const OWN: &str = "kernel,launch,launches,time_s,median_s,shortest_s,longest_s,path,work_flop,dram_bytes,l2_bytes,byte_source
saxpy,grid 8,2,0.0002,0.0001,0.0001,0.0001,FP32 vector,2e6,12e6,13e6,counter
copy,,1,0.0001,0.0001,0.0001,0.0001,,0,8e6,,counter
";

const MIXBENCH: &str = "Device:              GeForce RTX 2070
Compute throughput:  7464.96 GFlops (theoretical single precision FMAs)
Memory bandwidth:    448.06 GB/sec
Experiment ID, Single Precision ops,,,,              Double precision ops,,,
Compute iters, Flops/byte, ex.time,  GFLOPS, GB/sec, Flops/byte, ex.time,  GFLOPS, GB/sec
            0,      0.250,    0.32,  104.42, 417.68,      0.125,    0.63,   53.04, 424.35
          192,     96.250,    1.54, 8414.49,  87.42,        nan,     inf,     nan,    nan
";

const GPU_BENCHES: &str = "-- Finished Building --
0 2432 blocks     0 its      0.250 Fl/B       3759 GB/s       940 GF/s   1255 Mhz   572 W   57°C
0 2432 blocks   400 its    100.250 Fl/B        425 GB/s     42558 GF/s   1144 Mhz   398 W   63°C
";

const LIKWID: &str = "Region triad, Group 1: MEM_DP
|        Region Info       | HWThread 0 | HWThread 1 |
|    Runtime (RDTSC) [s]   |   2.0      |   1.9      |
|        DP [MFLOP/s]      |   5000     |   4000     |
| Memory bandwidth [MBytes/s] |  10000  |   0        |
|     DP [MFLOP/s] STAT    |   9000 | 4000 | 5000 | 4500 |
";

const LIKWID_SIZES: &str = "matvec
N  DP MFLOP/s  Memory bandwidth [MBytes/s]  Time elapsed [s]
64  1200.5  800.25  0.5
128  1400  900  1
";

const NERSC: &str = "memroofs 14336.0 2996.8 828.8
mem_roof_names 'L1' 'L2' 'HBM'
comproofs 7068.9 3535.8
comp_roof_names 'FMA' 'No-FMA'
AI 0.6 1.2 3.4 0.7 1.3 3.5
FLOPS 2085.7 1900
labels 'gpp' 'other'
";

const ERT: &[u8] = include_bytes!("../data/import/ert_skylake.json");

/// Every seed.
pub fn all() -> Vec<Seed> {
    let seed = |format, name, header, bytes: &[u8]| Seed {
        format,
        name,
        bytes: bytes.to_vec(),
        header,
    };
    const NCU: &str = "Nsight Compute CSV";
    const KERNEL: Option<&str> = Some("Kernel");
    let saxpy = include_bytes!("../data/profiles/ncu_long_saxpy.csv");
    let timing = include_bytes!("../data/profiles/user_timing.csv");
    let timing = timing
        .split_inclusive(|byte| *byte == b'\n')
        .take(5)
        .collect::<Vec<_>>()
        .concat();
    let genz = include_bytes!("../data/profiles/genz_mixtral.csv");
    let infersim = include_bytes!("../data/profiles/infersim_mla.csv");
    const TABLE: &str = "table through a mapping";
    vec![
        seed(NCU, "long.csv", Some("Kernel Name"), saxpy),
        seed(NCU, "wide.csv", Some("Kernel Name"), NCU_WIDE.as_bytes()),
        seed(
            NCU,
            "details.csv",
            Some("Kernel Name"),
            NCU_DETAILS.as_bytes(),
        ),
        seed(
            "rocprofiler-compute (CSV)",
            "pmc_perf.csv",
            KERNEL,
            ROCPROF_COMPUTE.as_bytes(),
        ),
        seed(
            "rocprofv3 counters (CSV)",
            "1_counter_collection.csv",
            KERNEL,
            ROCPROF_V3.as_bytes(),
        ),
        seed("PyTorch trace (JSON)", "trace.json", None, TRACE.as_bytes()),
        seed(
            "TraceLens (CSV)",
            "ops.csv",
            Some("GFLOPS"),
            TRACELENS.as_bytes(),
        ),
        seed(
            "Ridgepoint kernels (CSV)",
            "own.csv",
            Some("kernel"),
            OWN.as_bytes(),
        ),
        seed("mixbench", "mixbench.txt", None, MIXBENCH.as_bytes()),
        seed(
            "gpu-benches roofline",
            "benches.txt",
            None,
            GPU_BENCHES.as_bytes(),
        ),
        seed("LIKWID", "likwid.txt", None, LIKWID.as_bytes()),
        seed("LIKWID", "sizes.txt", None, LIKWID_SIZES.as_bytes()),
        seed("NERSC roofline data", "data.txt", None, NERSC.as_bytes()),
        seed(TABLE, "timing.csv", Some("kernel"), &timing),
        seed(TABLE, "genz.csv", None, genz),
        seed(TABLE, "infersim.csv", None, infersim),
        seed(
            "TraceLens architecture (JSON)",
            "arch.json",
            None,
            include_bytes!("../data/import/arch_mi300x.json"),
        ),
        seed(
            "BLIS hardware config (JSON)",
            "blis.json",
            None,
            include_bytes!("../data/import/hardware_config.json"),
        ),
        seed("ERT roofline (JSON)", "ert.json", None, ERT),
        seed(
            "rocprofiler-compute roofline (CSV)",
            "roofline.csv",
            Some("device"),
            ROOFLINE,
        ),
        seed(
            "table of peaks (CSV)",
            "peaks.csv",
            Some("label"),
            include_bytes!("../data/profiles/user_peaks.csv"),
        ),
    ]
}
