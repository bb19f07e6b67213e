//! Parameters, cache and state of published configs.
use super::*;
use ridgepoint::model::llm::expected_distinct;
use ridgepoint::model::quantity::Count;

#[test]
fn every_config_is_read_right() {
    // Parameters in all and per token, KV bytes per token; 0 where no independent number to the digit is known.
    let rows = [
        (GPT2, 124_439_808.0, 124_439_808.0, 36_864.0),
        (QWEN3_8B, 8_190_735_360.0, 8_190_735_360.0, 147_456.0),
        (QWEN3_32B_FP8, 32_762_123_264.0, 32_762_123_264.0, 262_144.0),
        (QWEN3_VL, 32_762_123_264.0, 32_762_123_264.0, 262_144.0),
        (LLAMA_70B, 70_553_706_496.0, 70_553_706_496.0, 327_680.0),
        (MIXTRAL, 46_702_792_704.0, 12_879_925_248.0, 131_072.0),
        (QWEN3_MOE, 30_532_122_624.0, 0.0, 98_304.0),
        (DEEPSEEK_V3, 671_026_404_352.0, 0.0, 70_272.0),
        (NEMOTRON, 31_577_937_344.0, 0.0, 6_144.0),
        (SCOUT, 0.0, 0.0, 196_608.0),
        (QWEN3_NEXT, 0.0, 0.0, 24_576.0),
        (QWEN35, 0.0, 0.0, 20_480.0),
        (DEEPSEEK_V32, 0.0, 0.0, 70_272.0),
    ];
    for (config, total, active, kv) in rows {
        let model = imported(config);
        let parameters = model.architecture.parameters();
        let words = &model.read;
        if total > 0.0 {
            assert_eq!(parameters.total, total, "{words:#?}");
        }
        if active > 0.0 {
            assert_eq!(parameters.active, active, "{words:#?}");
        }
        let found = model.architecture.kv_bytes_per_token(&model.formats);
        assert_eq!(found, kv, "{words:#?}");
        assert_eq!(model.warnings, Vec::<String>::new());
    }
}

#[test]
fn mixtures_have_the_sizes_they_are_named_by() {
    // In units of 1e9, as rounded in names and model cards.
    let rows = [
        (QWEN3_MOE, 30.53, 3.35),
        (SCOUT, 107.8, 17.2),
        (DEEPSEEK_V3, 671.0, 37.55),
        (QWEN3_NEXT, 79.7, 3.9),
        (QWEN35, 34.7, 3.5),
        (NEMOTRON, 31.6, 3.6),
    ];
    for (config, total, active) in rows {
        let model = imported(config);
        let found = model.architecture.parameters();
        for (found, expected) in [(found.total, total), (found.active, active)] {
            let billions = found / 1e9;
            assert!(
                (billions / expected - 1.0).abs() < 0.015,
                "{billions} {expected}"
            );
        }
    }
}

#[test]
fn a_step_of_a_dense_model_reads_weights_and_cache() {
    let ImportedModel {
        architecture,
        formats,
        ..
    } = imported(QWEN3_8B);
    let weights = architecture.weight_read_bytes(1.0, 0.0, &formats);
    let cache = architecture.kv_read_bytes(4096.0, &formats);
    assert!(((weights + cache) / 15.74e9 - 1.0).abs() < 1e-3);
    assert_eq!(
        architecture.weight_bytes(&formats),
        2.0 * architecture.parameters().total
    );
}

#[test]
fn windows_and_states_are_apart() {
    let scout = imported(SCOUT);
    let at = |context| scout.architecture.kv_read_bytes(context, &scout.formats);
    assert_eq!(at(8192.0), 8192.0 * 196_608.0);
    assert_eq!(at(16384.0) - at(8192.0), 8192.0 * 196_608.0 / 4.0);
    says(&scout.assumed, "shared expert");
    says(&scout.assumed, "chunk");
    // 36 and 30 gated delta nets of 32 heads of 128 × 128 and a convolution over 4 tokens of 8192 channels.
    let state = 4.0 * (32.0 * 128.0 * 128.0 + 3.0 * 8192.0);
    let of_next = imported(QWEN3_NEXT).architecture;
    assert_eq!(of_next.state_bytes(), 36.0 * state);
    assert_eq!(imported(QWEN35).architecture.state_bytes(), 30.0 * state);
    let nemotron = imported(NEMOTRON).architecture;
    let counts: Vec<_> = nemotron.layers.iter().map(|l| l.count.get()).collect();
    assert_eq!(counts, [23.0, 23.0, 6.0]);
    assert_eq!(nemotron.norms_per_layer, Some(Count::ONE));
}

#[test]
fn an_indexer_caps_what_attention_reads_and_keeps_its_keys() {
    let ImportedModel {
        architecture,
        formats,
        ..
    } = imported(DEEPSEEK_V32);
    assert_eq!(architecture.index_elements_per_token(), 61.0 * 128.0);
    let read = architecture.kv_read_bytes(100_000.0, &formats);
    assert_eq!(read, 61.0 * 2.0 * (2048.0 * 576.0 + 100_000.0 * 128.0));
    let kept = architecture.kv_allocated_bytes(100_000.0, Count::ONE, &formats);
    assert_eq!(kept, 61.0 * 2.0 * 100_000.0 * (576.0 + 128.0));
}

#[test]
fn experts_touched_grow_with_the_batch() {
    let model = imported(MIXTRAL).architecture;
    let expert = 3.0 * 4096.0 * 14336.0;
    let idle = model.parameters().total - model.parameters().input_embedding;
    for (batch, distinct) in [(1.0, 2.0), (2.0, 3.5), (3.0, 4.625), (4.0, 5.46875)] {
        let read = model.read_per_step(batch, 0.0);
        let expected = idle - 32.0 * expert * (8.0 - distinct);
        assert!((read / expected - 1.0).abs() < 1e-12, "{batch}");
    }
    let [experts, top_k] = [8.0, 2.0].map(|n| Count::try_from(n).unwrap());
    assert!((expected_distinct(experts, top_k, 8.0, 0.0) - 7.2).abs() < 0.01);
}
