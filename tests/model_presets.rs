//! Built-in language models have the sizes that are published, and say where their numbers are from.
use ridgepoint::files::presets::{self, ModelPreset};
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::llm::Mixer;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

const REFERENCE: &str = include_str!("data/models/reference.json");

fn preset(id: &str) -> ModelPreset {
    let found = presets::model(id).unwrap_or_else(|| panic!("there is no {id}"));
    found.unwrap_or_else(|error| panic!("{id}: {error}"))
}

/// Parameters as counted in the published weights, without buffers such as the bias of a router, and bytes of cache per
/// token in the published format. Of DeepSeek V3.2 and Qwen3.5 only rounded figures are published: theirs are sums by hand.
const PUBLISHED: [(&str, f64, f64); 43] = [
    ("deepseek-v2", 235_741_434_880.0, 69_120.0),
    ("deepseek-v2-lite", 15_706_484_224.0, 31_104.0),
    ("deepseek-v3", 671_026_404_352.0, 70_272.0),
    ("deepseek-v3.2", 671_877_929_216.0, 70_272.0),
    ("gemma-2-27b", 27_227_128_320.0, 376_832.0),
    ("gemma-2-9b", 9_241_705_984.0, 344_064.0),
    ("gemma-3-12b", 11_766_034_176.0, 393_216.0),
    ("gemma-3-1b", 999_885_952.0, 26_624.0),
    ("gemma-3-27b", 27_009_346_304.0, 507_904.0),
    ("gemma-7b", 8_537_680_896.0, 458_752.0),
    ("gpt-oss-120b", 116_829_156_672.0, 73_728.0),
    ("gpt-oss-20b", 20_914_757_184.0, 49_152.0),
    ("gpt2", 124_439_808.0, 36_864.0),
    ("llama-2-13b", 13_015_864_320.0, 819_200.0),
    ("llama-2-70b", 68_976_648_192.0, 327_680.0),
    ("llama-2-7b", 6_738_415_616.0, 524_288.0),
    ("llama-3-70b", 70_553_706_496.0, 327_680.0),
    ("llama-3-8b", 8_030_261_248.0, 131_072.0),
    ("llama-3.1-405b", 405_853_388_800.0, 516_096.0),
    ("llama-3.1-70b", 70_553_706_496.0, 327_680.0),
    ("llama-3.1-8b", 8_030_261_248.0, 131_072.0),
    ("llama-3.2-1b", 1_235_814_400.0, 32_768.0),
    ("llama-3.2-3b", 3_212_749_824.0, 114_688.0),
    ("llama-4-scout", 107_769_861_120.0, 196_608.0),
    ("mistral-7b-v0.1", 7_241_732_096.0, 131_072.0),
    ("mistral-7b-v0.3", 7_248_023_552.0, 131_072.0),
    ("mixtral-8x22b", 140_620_634_112.0, 229_376.0),
    ("mixtral-8x7b", 46_702_792_704.0, 131_072.0),
    ("nemotron-3-nano-30b-a3b", 31_577_937_344.0, 6_144.0),
    ("qwen2-7b", 7_615_616_512.0, 57_344.0),
    ("qwen2.5-0.5b", 494_032_768.0, 12_288.0),
    ("qwen2.5-32b", 32_763_876_352.0, 262_144.0),
    ("qwen2.5-72b", 72_706_203_648.0, 327_680.0),
    ("qwen2.5-7b", 7_615_616_512.0, 57_344.0),
    ("qwen3-0.6b", 596_049_920.0, 114_688.0),
    ("qwen3-14b", 14_768_307_200.0, 163_840.0),
    ("qwen3-235b-a22b", 235_093_634_560.0, 192_512.0),
    ("qwen3-30b-a3b", 30_532_122_624.0, 98_304.0),
    ("qwen3-32b", 32_762_123_264.0, 262_144.0),
    ("qwen3-4b", 4_022_468_096.0, 147_456.0),
    ("qwen3-8b", 8_190_735_360.0, 147_456.0),
    ("qwen3-next-80b-a3b", 79_674_391_296.0, 24_576.0),
    ("qwen3.5-35b-a3b", 34_660_610_688.0, 20_480.0),
];

#[test]
fn every_model_has_the_parameters_and_the_cache_that_are_published() {
    let ids = presets::models().iter().map(|preset| preset.id);
    let listed = PUBLISHED.iter().map(|(id, ..)| *id);
    let (ids, listed): (BTreeSet<_>, BTreeSet<_>) = (ids.collect(), listed.collect());
    assert_eq!(ids, listed);
    for (id, total, cache) in PUBLISHED {
        let ModelPreset {
            architecture,
            formats,
            ..
        } = preset(id);
        assert_eq!(architecture.parameters().total, total, "{id}");
        assert_eq!(architecture.kv_bytes_per_token(&formats), cache, "{id}");
    }
}

#[test]
fn models_equal_the_rows_of_the_model_classes() {
    let rows: Vec<Value> = serde_json::from_str(REFERENCE).unwrap();
    let mut compared = 0;
    for row in &rows {
        let Some(id) = row["id"].as_str().unwrap().strip_prefix("hf-params-") else {
            continue;
        };
        let found = preset(id).architecture.parameters();
        for (found, key) in [
            (found.total, "params_total"),
            (found.input_embedding, "params_input_embedding"),
            (found.output_head, "params_lm_head"),
            (found.norms, "params_norms"),
        ] {
            assert_eq!(Some(found), row["expected"][key].as_f64(), "{id}: {key}");
        }
        compared += 1;
    }
    assert_eq!(compared, 12);
}

#[test]
fn every_model_says_where_it_is_from_and_is_there_once() {
    let all = presets::all_models();
    assert_eq!(all.len(), presets::models().len());
    let names: BTreeSet<_> = all.iter().map(|preset| &preset.architecture.name).collect();
    assert_eq!(names.len(), all.len());
    for preset in &all {
        let id = preset.id;
        assert!(preset.source.starts_with("config.json of "), "{id}");
        assert!((2019..=2026).contains(&preset.year), "{id}");
        assert!(!preset.vendor.is_empty(), "{id}");
        assert!(preset.architecture.max_context.is_some(), "{id}");
        let formats = &preset.formats;
        assert!(
            formats.weight_bytes() <= 2.0 && formats.kv.bytes() <= 2.0,
            "{id}"
        );
    }
}

#[test]
fn windows_and_left_out_formats_are_those_of_the_model() {
    let windowed = |id: &str| -> f64 {
        let layers = preset(id).architecture.layers;
        let has = |mixer: &Mixer| matches!(mixer, Mixer::Attention(a) if a.window.is_some());
        let windowed = layers.iter().filter(|layers| has(&layers.mixer));
        windowed.map(|layers| layers.count.get()).sum()
    };
    let rows = [
        ("gemma-2-9b", 21.0),
        ("gemma-3-27b", 52.0),
        ("gpt-oss-20b", 12.0),
        ("mistral-7b-v0.1", 32.0),
        ("mistral-7b-v0.3", 0.0),
        ("llama-4-scout", 36.0),
        ("qwen2.5-7b", 0.0),
    ];
    for (id, expected) in rows {
        assert_eq!(windowed(id), expected, "{id}");
    }
    let oss = preset("gpt-oss-120b");
    assert_eq!(oss.formats.mixer, Some(NumberFormat::BF16));
    // Experts in 4.25 bits, all else in 16: what the published files take.
    let gigabytes = oss.architecture.weight_bytes(&oss.formats) / 1e9;
    assert!((gigabytes / 65.2 - 1.0).abs() < 0.01, "{gigabytes}");
    assert!(
        presets::all_models()
            .iter()
            .any(|p| p.matches("deepseek r1"))
    );
}

#[test]
fn models_are_listed_for_people_and_programs() {
    let run = |arguments: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_ridgepoint"));
        let output = program.args(["presets", "models"]).args(arguments).output();
        let output = output.unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let list: Vec<Value> = serde_json::from_str(&run(&["--format", "json"])).unwrap();
    assert_eq!(list.len(), PUBLISHED.len());
    let model = list.iter().find(|m| m["id"] == "llama-3.1-8b").unwrap();
    assert_eq!(model["name"], "Llama 3.1 8B");
    assert_eq!(model["parameters_total"], 8_030_261_248.0);
    assert_eq!(model["parameters_active"], 8_030_261_248.0);
    assert_eq!(model["kv_bytes_per_token"], 131_072.0);
    assert_eq!(
        (&model["layers"], &model["context"]),
        (&32.into(), &131_072.into())
    );
    assert_eq!(model["source"], "config.json of meta-llama/Llama-3.1-8B");
    let text = run(&[]);
    let line = text
        .lines()
        .find(|line| line.contains("Llama 3.1 8B"))
        .unwrap();
    assert!(line.contains("8.03 G"), "{line}");
}
