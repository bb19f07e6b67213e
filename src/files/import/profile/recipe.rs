//! What to collect: the exact command and metrics of a profiler, for the GPU at hand.
use super::ncu::metrics::{DRAM, OPERATIONS, TIME, counter_of};
use crate::files::presets::GpuPreset;
use crate::model::cost::ComputeUnit;
use crate::model::format::NumberFormat;

/// A profiler with a recipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profiler {
    Ncu,
    Rocprof,
    Torch,
}

impl Profiler {
    /// Every profiler.
    pub const ALL: [Self; 3] = [Self::Ncu, Self::Rocprof, Self::Torch];

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ncu => "ncu",
            Self::Rocprof => "rocprof",
            Self::Torch => "torch",
        }
    }

    /// How people call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Ncu => "Nsight Compute",
            Self::Rocprof => "rocprof-compute and rocprofv3",
            Self::Torch => "PyTorch profiler",
        }
    }

    /// The profiler of a vendor's GPUs.
    pub fn of_vendor(vendor: &str) -> Self {
        match vendor {
            "AMD" => Self::Rocprof,
            "NVIDIA" => Self::Ncu,
            _ => Self::Torch,
        }
    }

    /// The commands, and what they bring; without a GPU, for the newest generation.
    pub fn recipe(self, gpu: Option<&GpuPreset>) -> Result<String, String> {
        let wrong = |vendor: &str| match gpu {
            Some(gpu) if gpu.vendor != vendor => Err(format!(
                "{} is for {vendor} GPUs, and {} is none: see `ridgepoint recipe {}`",
                self.name(),
                gpu.gpu.name,
                Self::of_vendor(&gpu.vendor).name()
            )),
            _ => Ok(()),
        };
        match self {
            Self::Ncu => wrong("NVIDIA").map(|()| ncu(gpu)),
            Self::Rocprof => wrong("AMD").map(|()| rocprof(gpu)),
            Self::Torch => Ok(TORCH.to_owned()),
        }
    }
}

fn named(gpu: Option<&GpuPreset>) -> String {
    gpu.map_or("any GPU of the newest generation".to_owned(), |gpu| {
        gpu.gpu.name.clone()
    })
}

fn is(gpu: Option<&GpuPreset>, generation: &str) -> bool {
    gpu.is_some_and(|gpu| gpu.keywords.contains(generation))
}

/// Every metric Nsight Compute is asked for.
pub fn ncu_metrics(gpu: Option<&GpuPreset>) -> Vec<String> {
    let blackwell = gpu.is_none() || is(gpu, "Blackwell");
    let mut metrics = vec![TIME.to_owned()];
    metrics.extend(match blackwell {
        true => DRAM.map(|name| name.replace("bytes_", "bytes_op_")),
        false => DRAM.map(str::to_owned),
    });
    let clocks = [
        "lts__t_bytes.sum",
        "l1tex__t_bytes.sum",
        "smsp__cycles_elapsed.avg.per_second",
    ];
    metrics.extend(clocks.map(str::to_owned));
    let counted = |(name, ..): &&(&str, NumberFormat, f64)| blackwell || !name.ends_with('2');
    let operations = OPERATIONS.iter().filter(counted);
    metrics.extend(operations.map(|(name, ..)| counter_of(name)));
    metrics.extend(matrix(gpu));
    metrics
}

/// The counters of the matrix unit, one for each format the GPU has it for; those before Ampere have none.
fn matrix(gpu: Option<&GpuPreset>) -> Vec<String> {
    if ["Pascal", "Volta", "Turing"].iter().any(|old| is(gpu, old)) {
        return Vec::new();
    }
    let blackwell = gpu.is_none() || is(gpu, "Blackwell");
    let of_fp8 = match blackwell {
        true => "fp4_fp6_fp8_dst_fp32",
        false if is(gpu, "Ada") => "fp8",
        false => "fp8_dst_fp32",
    };
    let all = [
        (NumberFormat::FP64, "fp64"),
        (NumberFormat::TF32, "tf32_dst_fp32"),
        (NumberFormat::BF16, "bf16_dst_fp32"),
        (NumberFormat::FP16, "fp16_dst_fp32"),
        (NumberFormat::FP16, "fp16_dst_fp16"),
        (NumberFormat::FP8, of_fp8),
        (NumberFormat::FP4, "fp4_dst_fp32"),
        (NumberFormat::INT8, "int8"),
    ];
    let has = |format: NumberFormat| match gpu {
        None => true,
        Some(gpu) => gpu
            .gpu
            .compute
            .iter()
            .any(|roof| roof.path.format == format && roof.path.unit == ComputeUnit::Matrix),
    };
    let there = all.into_iter().filter(|(format, _)| has(*format));
    there
        .map(|(_, name)| format!("sm__ops_path_tensor_src_{name}.sum"))
        .collect()
}

fn ncu(gpu: Option<&GpuPreset>) -> String {
    let metrics = ncu_metrics(gpu).join(",");
    let old = match matrix(gpu).is_empty() {
        true => {
            "\nThis generation has no counter of what the matrix unit does: give the work of such kernels as a workload.\n"
        }
        false => "",
    };
    let other = match gpu.is_none() || is(gpu, "Blackwell") {
        true => "dram__bytes_read.sum and dram__bytes_write.sum",
        false => "dram__bytes_op_read.sum and dram__bytes_op_write.sum",
    };
    format!(
        "Nsight Compute for {}: time, traffic at DRAM, L2 and L1, work per format, and the clock of the run.

ncu --csv --page raw --print-units base --clock-control none --cache-control none \\
    --metrics {metrics} \\
    --log-file profile.csv ./PROGRAM
ridgepoint import profile.csv -o profile.ron

Where ncu does not know the DRAM metrics, take {other} instead.
It replays each kernel in several passes: limit the launches with --launch-count 100 or --kernel-name regex:NAME.
Under it a kernel can be slower than in a real run, even with --clock-control none: where you have an unprofiled time,
give it after importing. ncu refuses a metric it does not know: ncu --query-metrics lists those of the GPU, and the
others can be left out.
{old}Over ssh: ssh HOST 'ncu --csv --page raw --metrics … ./PROGRAM' | ridgepoint import - -o profile.ron
",
        named(gpu)
    )
}

fn rocprof(gpu: Option<&GpuPreset>) -> String {
    let generation = match gpu.map(|gpu| gpu.id) {
        Some("amd-mi100") => "MI100",
        Some(id) if id.starts_with("amd-mi2") => "MI200",
        Some(id) if id.starts_with("amd-mi35") => "MI350",
        Some(id) if id.starts_with("amd-rx") => {
            return format!(
                "{} is read through the PyTorch profiler only: rocprof-compute has no counters of memory traffic for it.\n\n{TORCH}",
                named(gpu)
            );
        }
        _ => "MI300",
    };
    let memory = match generation {
        "MI100" | "MI200" => {
            "TCC_EA_RDREQ_sum TCC_EA_RDREQ_32B_sum TCC_EA_WRREQ_sum TCC_EA_WRREQ_64B_sum"
        }
        "MI350" => {
            "TCC_EA0_RDREQ_32B_sum TCC_EA0_RDREQ_64B_sum TCC_EA0_RDREQ_128B_sum TCC_EA0_WRREQ_sum TCC_EA0_WRREQ_64B_sum"
        }
        _ => {
            "TCC_BUBBLE_sum TCC_EA0_RDREQ_sum TCC_EA0_RDREQ_32B_sum TCC_EA0_WRREQ_sum TCC_EA0_WRREQ_64B_sum"
        }
    };
    let work = match generation {
        "MI100" => String::new(),
        _ => work_of_amd(),
    };
    let no_work = match generation {
        "MI100" => {
            "\nMI100 has no counters of floating-point operations: give the work of kernels as a workload.\n"
        }
        _ => "",
    };
    format!(
        "rocprof-compute for {}: it collects everything, and its workload folder is read as it is.

rocprof-compute profile --name run -- ./PROGRAM
ridgepoint import workloads/run/*/ -o profile.ron

With rocprofv3 alone it takes a run for each line of counters, and each table becomes a profile of its own:

rocprofv3 --output-format csv --kernel-trace --pmc {memory} -- ./PROGRAM
rocprofv3 --output-format csv --kernel-trace --pmc TCP_TCC_READ_REQ_sum TCP_TCC_WRITE_REQ_sum TCP_TOTAL_CACHE_ACCESSES_sum -- ./PROGRAM
{work}ridgepoint import */*counter_collection.csv -o profile.ron
{no_work}",
        named(gpu)
    )
}

fn work_of_amd() -> String {
    let of = |format: &str| {
        let counters = ["ADD", "MUL", "FMA", "TRANS"]
            .map(|operation| format!("SQ_INSTS_VALU_{operation}_{format}"));
        format!(
            "rocprofv3 --output-format csv --kernel-trace --pmc {} SQ_INSTS_VALU_MFMA_MOPS_{format} -- ./PROGRAM\n",
            counters.join(" ")
        )
    };
    let bf16 = "rocprofv3 --output-format csv --kernel-trace --pmc SQ_INSTS_VALU_MFMA_MOPS_BF16 -- ./PROGRAM\n";
    ["F16", "F32", "F64"].map(of).concat() + bf16
}

const TORCH: &str = "PyTorch's profiler: kernel times of any vendor, and work and traffic from the shapes of operators.

import torch
from torch.profiler import ProfilerActivity, profile
step()  # once before: compilation and caches
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
             record_shapes=True, with_flops=True) as prof:
    step()
    torch.cuda.synchronize()
prof.export_chrome_trace(\"trace.json.gz\")

ridgepoint import trace.json.gz --gpu NAME -o profile.ron

record_shapes=True is what work and traffic follow from; without the CPU activity there are no shapes.
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::presets::find_gpu;

    #[test]
    fn metrics_are_those_of_the_generation() {
        let metrics = |name: &str| ncu_metrics(Some(&find_gpu(name).unwrap()));
        let has = |list: &[String], name: &str| list.iter().any(|metric| metric == name);
        let hopper = metrics("H100 SXM");
        assert!(has(&hopper, "dram__bytes_read.sum"));
        assert!(has(&hopper, "sm__ops_path_tensor_src_fp8_dst_fp32.sum"));
        assert!(!has(&hopper, &counter_of("ffma2")));
        let blackwell = metrics("RTX 5090");
        assert!(has(&blackwell, "dram__bytes_op_read.sum"));
        assert!(has(&blackwell, &counter_of("ffma2")));
        assert!(!metrics("T4").iter().any(|metric| metric.contains("tensor")));
        assert!(!has(
            &metrics("A100 SXM 80GB"),
            "sm__ops_path_tensor_src_fp8_dst_fp32.sum"
        ));
    }

    #[test]
    fn a_recipe_is_for_its_own_vendor() {
        let mi300 = find_gpu("MI300X").unwrap();
        assert!(
            Profiler::Ncu
                .recipe(Some(&mi300))
                .unwrap_err()
                .contains("recipe rocprof")
        );
        assert!(
            Profiler::Rocprof
                .recipe(Some(&mi300))
                .unwrap()
                .contains("TCC_BUBBLE_sum")
        );
        let mi350 = find_gpu("MI355X").unwrap();
        assert!(
            Profiler::Rocprof
                .recipe(Some(&mi350))
                .unwrap()
                .contains("TCC_EA0_RDREQ_128B_sum")
        );
        assert!(
            Profiler::Torch
                .recipe(None)
                .unwrap()
                .contains("record_shapes=True")
        );
    }
}
