//! Configs with fields taken away and changed: no panic, no number that is none.
use super::*;
use proptest::prelude::*;
use serde_json::Map;

/// Values that fields of a config are not expected to have.
fn odd() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(json!([])),
        Just(json!({})),
        Just(json!(["full_attention"])),
        Just(json!("MEM*")),
        Just(json!(true)),
        Just(json!({"quant_method": "gptq", "bits": 1e300, "group_size": -7})),
        Just(json!({"config_groups": {"a": {"weights": {"num_bits": 4, "type": "int"}}}})),
        (-2_i64..70).prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,9}".prop_map(Value::from),
    ]
}

/// A config with some fields taken away and some others changed, inside and outside.
fn mutated() -> impl Strategy<Value = Value> {
    let changes = proptest::collection::vec((any::<prop::sample::Index>(), odd()), 0..6);
    (prop::sample::select(&ALL[..]), changes).prop_map(|(config, changes)| {
        let mut config: Value = serde_json::from_str(config).unwrap();
        for (index, value) in changes {
            change(config.as_object_mut().unwrap(), index, value);
        }
        config
    })
}

fn change(config: &mut Map<String, Value>, index: prop::sample::Index, value: Value) {
    let nested = config.get("text_config").and_then(Value::as_object);
    let nested = nested.map_or(0, Map::len);
    let chosen = index.index(config.len() + nested);
    if chosen < config.len() {
        let key = config.keys().nth(chosen).unwrap().clone();
        config.insert(key, value);
    } else if let Some(Value::Object(text)) = config.get_mut("text_config") {
        let key = text.keys().nth(index.index(nested)).unwrap().clone();
        text.insert(key, value);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn no_config_makes_it_panic_or_gives_numbers_that_are_none(config in mutated(), quant in odd()) {
        let quant = json!({"quantization": quant}).to_string();
        for quant in [None, Some(quant.as_str())] {
            match hf_config::read(&config.to_string(), quant, "config.json") {
                Ok(model) => {
                    let parameters = model.architecture.parameters();
                    prop_assert!(parameters.total.is_finite() && parameters.active > 0.0);
                    prop_assert!(parameters.active <= parameters.total);
                    let cache = model.architecture.kv_bytes_per_token(&model.formats);
                    prop_assert!(cache.is_finite() && cache >= 0.0);
                    prop_assert!(model.architecture.weight_bytes(&model.formats) > 0.0);
                }
                Err(error) => prop_assert_eq!(error.to_string().lines().count(), 1),
            }
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in ".{0,200}") {
        prop_assert!(hf_config::read(&text, Some(&text), "config.json").is_err());
    }
}
