//! Rows of single kernels, collectives and one-kernel rooflines.
use crate::networks::Network;
use crate::world::*;
use crate::{Found, Row};
use ridgepoint::model::cost::{ComputeUnit, Cost, Level, Path};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::measurement::{Measurement, Observation};
use ridgepoint::model::placement::{Assumptions, Resource};
use ridgepoint::model::quantity::{Flops, Seconds};
use ridgepoint::model::workload::*;

type Values = Vec<(&'static str, Found)>;

/// What our kinds say of a row; `None` where it is of none of them.
pub fn run(row: &Row) -> Option<Values> {
    let family = row.id.split(['-', '_']).next()?;
    match family {
        "xla" => xla(row),
        "torch" => torch(row),
        "torchvision" => Some(torchvision(row)),
        "llmviewer" => llm_viewer(row),
        "sb" => scaling_book(row),
        "kipply" | "baseten" | "databricks" => published(row),
        "nvidia" => nvidia(row),
        "babelstream" => babel_stream(row),
        "williams" => williams(row),
        "ert" => Some(ert(row)),
        "nccl" => Some(nccl(row)),
        "flash" => Some(flash_attention(row)),
        "moe" => Some(distinct_experts(row)),
        _ => None,
    }
}

fn number(name: &'static str, value: f64) -> (&'static str, Found) {
    (name, Found::Number(value))
}

fn work_and_traffic(cost: &Cost) -> Values {
    vec![
        number("flops", cost.total_work().get()),
        number("bytes", cost.traffic_at(Level::Dram).get()),
    ]
}

fn of(family: &impl Family) -> Option<Values> {
    Some(work_and_traffic(&family.cost().unwrap()))
}

fn intensity(family: &impl Family) -> Option<Values> {
    let cost = family.cost().unwrap();
    let intensity = cost.intensity_at(Level::Dram).unwrap().get();
    Some(vec![number("intensity", intensity)])
}

fn vector(operation: Operation, elements: f64, format: NumberFormat) -> Vector {
    Vector {
        operation,
        elements: count(elements),
        format,
        ..Vector::default()
    }
}

fn gemm(shape: [f64; 3], format: NumberFormat) -> Gemm {
    let [m, n, k] = shape.map(count);
    Gemm {
        m,
        n,
        k,
        a: format,
        b: format,
        c: format,
        ..Gemm::default()
    }
}

fn shape(row: &Row) -> [f64; 3] {
    ["m", "n", "k"].map(|name| row.number(name))
}

fn xla(row: &Row) -> Option<Values> {
    let format = format(row.text("dtype"));
    let kernel = row.id.trim_start_matches("xla-");
    let kernel = kernel.split(['-', '_']).next()?;
    let operation = |operation| of(&vector(operation, row.number("elements"), format));
    match kernel {
        "copy" => operation(Operation::Copy),
        "add" => operation(Operation::Add),
        "triad" => operation(Operation::Triad),
        "axpy" => operation(Operation::Axpy),
        "dot" => operation(Operation::Dot),
        "sum" => of(&Reduction {
            elements: count(row.number("elements")),
            format,
            ..Reduction::default()
        }),
        "gemm" => of(&gemm(shape(row), format)),
        "bmm" => of(&Gemm {
            batch: count(row.number("batch")),
            ..gemm(shape(row), format)
        }),
        "gemv" => of(&Gemv {
            m: count(row.number("rows")),
            n: count(row.number("cols")),
            matrix: format,
            vector: format,
            ..Gemv::default()
        }),
        "nbody" => Some(n_body(row)),
        _ => xla_of_rows(row, kernel, format),
    }
}

fn xla_of_rows(row: &Row, kernel: &str, format: NumberFormat) -> Option<Values> {
    let sides = || ["rows", "cols"].map(|name| count(row.number(name)));
    match kernel {
        "transpose" => {
            let [rows, columns] = sides();
            of(&Transpose {
                rows,
                columns,
                format,
                ..Transpose::default()
            })
        }
        "softmax" => {
            let [rows, columns] = sides();
            let softmax = Softmax {
                rows,
                columns,
                format,
                ..Softmax::default()
            };
            let cost = softmax.cost().unwrap();
            let mut values = work_and_traffic(&cost);
            values.push(number("transcendentals", cost.special_work().get()));
            Some(values)
        }
        "rmsnorm" => {
            let [rows, columns] = sides();
            of(&Norm {
                rows,
                columns,
                format,
                ..Norm::default()
            })
        }
        "fft" => {
            let fft = Fft {
                n: count(row.number("n")),
                passes: count(1.0),
                format,
                ..Fft::default()
            };
            // Our choice where conventions differ.
            assert_eq!(fft.cost().unwrap().total_work().get(), 104_857_600.0);
            of(&fft)
        }
        _ => None,
    }
}

fn n_body(row: &Row) -> Values {
    let mut bodies = NBody {
        bodies: count(row.number("n")),
        ..NBody::default()
    };
    let pairs = row.number("n").powi(2);
    // Our choice where conventions differ; the other is one of ours too.
    assert_eq!(bodies.cost().unwrap().total_work().get(), 20.0 * pairs);
    bodies.roots = Roots::Apart;
    let cost = bodies.cost().unwrap();
    vec![
        number("flops_per_pair_xla", cost.total_work().get() / pairs),
        number(
            "transcendentals_per_pair",
            cost.special_work().get() / pairs,
        ),
    ]
}

fn torch(row: &Row) -> Option<Values> {
    let size = |name| count(row.number(name));
    match row.id.as_str() {
        "torch-conv2d-depthwise" => of(&Convolution {
            n: size("n"),
            ci: size("c_in"),
            h: size("h"),
            w: size("w"),
            co: size("c_out"),
            kh: size("kh"),
            kw: size("kw"),
            stride: size("stride"),
            padding: Some(size("pad")),
            groups: size("groups"),
            ..Convolution::default()
        }),
        "torch-sdpa-full" => of(&AttentionPrefill {
            batch: size("batch"),
            heads: size("heads"),
            kv_heads: size("heads"),
            head_dim: size("head_dim"),
            queries: size("q_len"),
            keys: Some(size("kv_len")),
            mask: Mask::Full,
            ..AttentionPrefill::default()
        }),
        _ => None,
    }
}

fn torchvision(row: &Row) -> Values {
    let network = Network::named(row.text("network").unwrap());
    // Published to three decimals, in multiply-adds.
    let published = (network.work / 2.0 / 1e6).round() / 1e3;
    vec![
        number("flops", network.work),
        number("params", network.parameters),
        number("published_gmacs", published),
    ]
}

/// Attention of Llama-2-7B by three kernels, as LLM-Viewer counts it.
fn llama_2_7b(queries: f64, keys: f64) -> AttentionPrefill {
    AttentionPrefill {
        heads: count(32.0),
        kv_heads: count(32.0),
        queries: count(queries),
        keys: Some(count(keys)),
        algorithm: Attending::Naive,
        ..AttentionPrefill::default()
    }
}

fn operator(family: &impl Family, name: &str) -> Cost {
    let operators = family.operators().unwrap();
    let named = operators.into_iter().find(|operator| operator.name == name);
    named.unwrap().cost
}

fn llm_viewer(row: &Row) -> Option<Values> {
    let context = 2048.0;
    let cost = match row.id.trim_start_matches("llmviewer-a6000-llama2-7b-") {
        "prefill-qk_matmul" => operator(&llama_2_7b(context, context), "scores"),
        "decode-sv_matmul" => operator(&llama_2_7b(1.0, context), "values"),
        "decode-q_proj" => gemm([1.0, 4096.0, 4096.0], NumberFormat::FP16)
            .cost()
            .unwrap(),
        "prefill-softmax" => {
            let softmax = Softmax {
                rows: count(32.0 * context),
                columns: count(context),
                exponentials: Exponentials::AsFlop,
                ..Softmax::default()
            };
            softmax.cost().unwrap()
        }
        _ => return None,
    };
    let bandwidth = [(Level::Dram, row.number("mem_bw"))];
    let placed = placed(&cost, &gpu(FP16, row.number("peak_flops"), &bandwidth));
    let bound = placed.regime().name().trim_end_matches("-bound").to_owned();
    let mut values = work_and_traffic(&cost);
    values.push(number("intensity", placed.intensity().unwrap().get()));
    values.push(number(
        "attainable_flops",
        placed.attainable().unwrap().get(),
    ));
    values.push(("bound", Found::Text(bound)));
    Some(values)
}

/// The batch at which a decode step with weights of so many bytes turns compute-bound.
fn critical_batch(format: NumberFormat, peak: f64, bandwidth: f64, weight_bytes: f64) -> f64 {
    let decode = Decode {
        bytes_per_parameter: quantity(weight_bytes),
        format,
        ..Decode::default()
    };
    let gpu = gpu(Path::matrix(format), peak, &[(Level::Dram, bandwidth)]);
    crossover(&gpu, Kind::Decode(decode), "batch")
}

fn scaling_book(row: &Row) -> Option<Values> {
    let bf16 = NumberFormat::BF16;
    let roofs = || (row.number("peak_flops"), row.number("mem_bw"));
    match row.id.as_str() {
        "sb-dot-bf16" => {
            let dot = vector(Operation::Dot, row.number("n"), bf16);
            Some(
                [of(&dot)?, intensity(&dot)?]
                    .into_iter()
                    .flatten()
                    .collect(),
            )
        }
        "sb-bcrit-v5e" => {
            let (peak, bandwidth) = roofs();
            let gpu = gpu(Path::matrix(bf16), peak, &[(Level::Dram, bandwidth)]);
            let ridge = gpu.ridge(Path::matrix(bf16), Level::Dram).unwrap().get();
            let batch = critical_batch(bf16, peak, bandwidth, 2.0);
            Some(vec![
                number("ridge", ridge),
                number("critical_batch_bf16", batch),
            ])
        }
        "sb-bcrit-int8-int8" => {
            let (peak, bandwidth) = (row.number("peak_ops"), row.number("mem_bw"));
            let batch = critical_batch(NumberFormat::INT8, peak, bandwidth, 1.0);
            Some(vec![number("critical_batch", batch)])
        }
        "sb-bcrit-w8-bf16" | "sb-bcrit-h100" => {
            let (peak, bandwidth) = roofs();
            let bytes = row.inputs["weight_bytes"].as_f64().unwrap_or(2.0);
            let batch = critical_batch(bf16, peak, bandwidth, bytes);
            Some(vec![number("critical_batch", batch)])
        }
        "sb-pcie-bcrit" => {
            // Weights that come over the host link are read at its bandwidth.
            let (peak, bandwidth) = (row.number("peak_flops"), row.number("link_bw"));
            let batch = critical_batch(bf16, peak, bandwidth, row.number("weight_bytes"));
            Some(vec![number("critical_batch", batch)])
        }
        "sb-batched-matvec-int8" => intensity(&Gemv {
            m: count(row.number("f")),
            n: count(row.number("d")),
            batch: count(row.number("b")),
            matrix: NumberFormat::INT8,
            vector: NumberFormat::INT8,
            ..Gemv::default()
        }),
        "sb-matmul-crossover" => {
            let int8 = NumberFormat::INT8;
            let product = gemm([1.0, row.number("f"), row.number("d")], int8);
            let bandwidth = [(Level::Dram, row.number("mem_bw"))];
            let gpu = gpu(Path::matrix(int8), row.number("peak_ops"), &bandwidth);
            let batch = crossover(&gpu, Kind::Gemm(product), "m");
            Some(vec![number("crossover_batch", batch)])
        }
        "sb-kv-8k" => Some(vec![number("kv_bytes", cache_bytes(row))]),
        "sb-allgather" => Some(vec![number(
            "allgather_s",
            ring(row, Collecting::AllGather),
        )]),
        "sb-allreduce" => Some(vec![number(
            "allreduce_s",
            ring(row, Collecting::AllReduceRing),
        )]),
        _ => None,
    }
}

/// Bytes of the cache of all layers: what its elements take more in a format of one byte more.
fn cache_bytes(row: &Row) -> f64 {
    let traffic = |kv| {
        let attention = AttentionDecode {
            batch: count(row.number("layers")),
            context: count(row.number("seq")),
            heads: count(row.number("kv_heads_x_dim") / 128.0),
            kv_heads: count(row.number("kv_heads_x_dim") / 128.0),
            append: Append::Elsewhere,
            kv,
            ..AttentionDecode::default()
        };
        attention.cost().unwrap().traffic_at(Level::Dram).get()
    };
    (traffic(NumberFormat::BF16) - traffic(NumberFormat::FP8)) * row.number("kv_bytes")
}

/// A ring so long that it has no ends to speak of, over links used both ways, as the book takes it.
fn ring(row: &Row, operation: Collecting) -> f64 {
    collective(
        operation,
        1024.0,
        row.number("bytes"),
        row.number("link_bw_bidirectional"),
    )
}

fn collective(operation: Collecting, ranks: f64, size: f64, bandwidth: f64) -> f64 {
    let collective = Collective {
        operation,
        ranks: count(ranks),
        size: quantity(size),
        ..Collective::default()
    };
    let gpu = gpu(FP16, 1e12, &[(Level::ScaleUpLink, bandwidth)]);
    on(&gpu, Kind::Collective(collective)).time().get()
}

fn nccl(row: &Row) -> Values {
    let time = |operation| {
        collective(
            operation,
            row.number("n"),
            row.number("size"),
            row.number("bw"),
        )
    };
    vec![
        number("allreduce_t", time(Collecting::AllReduceRing)),
        number("allgather_t", time(Collecting::AllGather)),
        number("reducescatter_t", time(Collecting::ReduceScatter)),
        number("alltoall_t", time(Collecting::AllToAll)),
        number("broadcast_t", time(Collecting::Broadcast)),
    ]
}

fn published(row: &Row) -> Option<Values> {
    match row.id.as_str() {
        "kipply-gemm-eff" => {
            let gpu = gpu(FP16, row.number("peak_flops"), &[(Level::Dram, 1e15)]);
            let time = |n: f64| {
                let [m, _, k] = shape(row);
                on(&gpu, Kind::Gemm(gemm([m, n, k], NumberFormat::FP16)))
                    .time()
                    .get()
            };
            let (ideal, small) = (time(row.number("n")), time(5120.0));
            Some(vec![
                number("ideal_s", ideal),
                ("measured_s", Found::AtLeast(ideal)),
                number("small_ideal_s", small),
                ("small_measured_s", Found::AtLeast(small)),
            ])
        }
        "kipply-kv" => {
            // Two projections of a token in every layer, whose results are what is cached.
            let hidden = row.number("hidden");
            let projections = Gemm {
                batch: count(2.0 * row.number("layers")),
                ..gemm([1.0, hidden, hidden], of_bytes(row.number("kv_bytes")))
            };
            let cost = projections.cost().unwrap();
            let weights = 2.0 * row.number("layers") * (hidden + 1.0) * hidden * 2.0;
            let written = cost.traffic_at(Level::Dram).get() - weights;
            Some(vec![
                number("kv_bytes_per_token", written),
                number("kv_proj_flops_per_token", cost.total_work().get()),
            ])
        }
        "baseten-a10g" => {
            let bandwidth = [(Level::Dram, row.number("mem_bw"))];
            let gpu = gpu(FP16, row.number("peak_flops"), &bandwidth);
            let ridge = gpu.ridge(FP16, Level::Dram).unwrap().get();
            Some(vec![number("ridge", ridge)])
        }
        "databricks-mbu" => {
            let decode = Decode {
                parameters: count(row.number("params")),
                bytes_per_parameter: quantity(row.number("bytes_per_param")),
                ..Decode::default()
            };
            let traffic = decode.cost().unwrap().traffic_at(Level::Dram);
            let measured: Seconds = quantity(row.number("tpot_s"));
            let gpu = gpu(FP16, 1e15, &[(Level::Dram, row.number("mem_bw"))]);
            let measurement = Measurement {
                observed: Observation::Time(measured),
                of: Kind::Decode(decode),
            };
            let assessed = measurement.assess(&gpu, Assumptions::default()).unwrap();
            Some(vec![
                number("achieved_bw", traffic.over(measured).unwrap().get()),
                number("mbu", assessed.share),
            ])
        }
        _ => None,
    }
}

fn nvidia(row: &Row) -> Option<Values> {
    let elementwise = |flop: f64| Elementwise {
        inputs: count(1.0),
        flop_per_element: quantity(flop),
        format: of_bytes(row.number("bytes")),
        ..Elementwise::default()
    };
    match row.id.as_str() {
        "nvidia-linear-1" | "nvidia-gemm-8192" => {
            intensity(&gemm(shape(row), of_bytes(row.number("bytes"))))
        }
        "nvidia-relu" => intensity(&elementwise(row.number("flops_per_element"))),
        "nvidia-maxpool3" => intensity(&elementwise(row.number("window"))),
        "nvidia-wave-quant" => {
            let tiled = |n: f64| Gemm {
                tile_m: Some(count(row.number("tile_m"))),
                tile_n: Some(count(row.number("tile_n"))),
                multiprocessors: Some(count(row.number("sms"))),
                ..gemm([row.number("m"), n, 4096.0], NumberFormat::FP16)
            };
            let next = row.number("n") + row.number("tile_n");
            let (now, then) = (tiled(row.number("n")), tiled(next));
            Some(vec![
                number("tiles", now.tiles()?),
                number("waves", now.waves()?),
                number("next_n", next),
                number("next_tiles", then.tiles()?),
                number("next_waves", then.waves()?),
            ])
        }
        _ => None,
    }
}

fn babel_stream(row: &Row) -> Option<Values> {
    let elements = row.number("elements");
    let format = of_bytes(row.number("bytes_per_element"));
    match row.id.as_str() {
        "babelstream-copy" => of(&vector(Operation::Copy, elements, format)),
        "babelstream-triad" => of(&vector(Operation::Triad, elements, format)),
        "babelstream-nstream" => of(&Elementwise {
            elements: count(elements),
            inputs: count(3.0),
            flop_per_element: quantity(3.0),
            format,
            ..Elementwise::default()
        }),
        _ => None,
    }
}

fn williams(row: &Row) -> Option<Values> {
    let fp64 = NumberFormat::FP64;
    let at = |name, cost: Cost| number(name, cost.intensity_at(Level::Dram).unwrap().get());
    let both = |cost: &dyn Fn(Writes) -> Cost| {
        let allocate = at("intensity_write_allocate", cost(Writes::Allocate));
        Some(vec![
            allocate,
            at("intensity_no_allocate", cost(Writes::Plain)),
        ])
    };
    match row.id.as_str() {
        // A lattice-Boltzmann point reads 73 doubles, writes 79 and takes 1300 FLOP.
        "williams-lbmhd" => both(&|writes| {
            let point = Elementwise {
                inputs: count(73.0),
                outputs: count(79.0),
                flop_per_element: Flops::constant(1300.0),
                format: fp64,
                writes,
                ..Elementwise::default()
            };
            point.cost().unwrap()
        }),
        "williams-fft3d" => both(&|writes| {
            let fft = Fft {
                n: count(128f64.powi(3)),
                passes: count(2.0),
                format: fp64,
                writes,
                ..Fft::default()
            };
            fft.cost().unwrap()
        }),
        _ => None,
    }
}

fn ert(row: &Row) -> Values {
    let fp64 = Path::vector(NumberFormat::FP64);
    let levels = [
        (Level::Dram, row.number("bw_hbm")),
        (Level::L2, row.number("bw_l2")),
        (Level::L1, row.number("bw_l1")),
    ];
    let gpu = gpu(fp64, row.number("peak_fma"), &levels);
    let work = 1e12;
    let traffic = |name| quantity(work / row.number(name));
    let kernel = Raw {
        work: quantity(work),
        traffic: traffic("ai_hbm"),
        traffic_l2: Some(traffic("ai_l2")),
        traffic_l1: Some(traffic("ai_l1")),
        format: NumberFormat::FP64,
        unit: ComputeUnit::Vector,
        ..Raw::default()
    };
    let placed = on(&gpu, Kind::Raw(kernel));
    let attainable = placed.attainable().unwrap().get();
    let binding = match placed.limiter().resource {
        Resource::Memory(Level::Dram) => "hbm",
        Resource::Memory(Level::L2) => "l2",
        Resource::Memory(Level::L1) => "l1",
        _ => "fma",
    };
    vec![
        number("attainable_flops", attainable),
        ("binding_level", Found::Text(binding.to_owned())),
        ("measured_flops", Found::AtMost(attainable)),
    ]
}

fn flash_attention(row: &Row) -> Values {
    let work = |mask, pass| {
        let size = |name| count(row.number(name));
        let attention = AttentionPrefill {
            batch: size("batch"),
            heads: size("heads"),
            kv_heads: size("heads"),
            head_dim: size("head_dim"),
            queries: size("seqlen"),
            mask,
            pass,
            ..AttentionPrefill::default()
        };
        attention.cost().unwrap().total_work().get()
    };
    vec![
        number("fwd", work(Mask::Full, Pass::Forward)),
        number("fwd_causal", work(Mask::CausalHalved, Pass::Forward)),
        number("bwd", work(Mask::Full, Pass::Backward)),
        number("fwd_bwd", work(Mask::Full, Pass::Both)),
    ]
}

fn distinct_experts(row: &Row) -> Values {
    let layer = Moe {
        experts: count(row.number("experts")),
        top_k: count(row.number("top_k")),
        tokens: count(row.number("tokens")),
        ..Moe::default()
    };
    vec![number("expected_distinct", layer.distinct())]
}
