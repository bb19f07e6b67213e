//! A row of the reference values, and the model it names.
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::llm::{
    Architecture, Attention, Formats, Latent, Layers, Mixer, Mixture, Mlp, Serving,
};
use ridgepoint::model::quantity::Count;
use serde_json::Value;

pub struct Row {
    pub id: String,
    pub kind: String,
    pub inputs: Value,
    pub expected: Value,
    pub tolerance: f64,
}

pub fn rows() -> Vec<Row> {
    let text = include_str!("../../data/reference_values.json");
    let rows: Vec<Value> = serde_json::from_str(text).unwrap();
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    let rows = rows.into_iter().map(|row| Row {
        id: text(&row, "id"),
        kind: text(&row, "kind"),
        inputs: row["inputs"].clone(),
        expected: row["expected"].clone(),
        tolerance: row["tolerance"].as_f64().unwrap_or(0.0),
    });
    rows.collect()
}

impl Row {
    /// An input that must be there.
    pub fn input(&self, name: &str) -> f64 {
        let value = self.inputs[name].as_f64();
        value.unwrap_or_else(|| panic!("{}: no input {name}", self.id))
    }

    /// An input, or what it is where the row does not say.
    pub fn or(&self, name: &str, otherwise: f64) -> f64 {
        self.inputs[name].as_f64().unwrap_or(otherwise)
    }

    pub fn is(&self, name: &str) -> bool {
        self.inputs[name].as_bool().unwrap_or(false)
    }

    /// Compares with an expected value, within the row's tolerance.
    pub fn expect(&self, name: &str, found: f64) {
        let expected = self.expected[name].as_f64();
        let expected = expected.unwrap_or_else(|| panic!("{}: no {name}", self.id));
        let off = (found - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
        assert!(
            off <= self.tolerance.max(1e-15),
            "{} {name}: {found} instead of {expected}, {off:e} off",
            self.id
        );
    }

    fn count(&self, name: &str) -> Count {
        count(self.input(name))
    }

    fn optional(&self, name: &str) -> Option<Count> {
        Some(count(self.inputs[name].as_f64()?))
    }

    pub fn architecture(&self) -> Architecture {
        let mixer = match self.optional("kv_lora_rank") {
            Some(kv_rank) => Mixer::Latent(Latent {
                heads: self.count("heads"),
                q_rank: self.optional("q_lora_rank"),
                kv_rank,
                nope_dim: self.count("qk_nope_head_dim"),
                rope_dim: self.count("qk_rope_head_dim"),
                value_dim: self.count("v_head_dim"),
                indexer: None,
            }),
            None => Mixer::Attention(Attention {
                heads: self.count("heads"),
                kv_heads: self.count("kv_heads"),
                head_dim: self.count("head_dim"),
                window: None,
                qkv_bias: self.is("qkv_bias"),
                output_bias: false,
                qk_norm: self.is("qk_norm"),
                output_gate: false,
                sinks: false,
            }),
        };
        Architecture {
            name: self.inputs["model"].as_str().unwrap_or("model").to_owned(),
            hidden: self.count("hidden"),
            vocab: self.count("vocab"),
            tied: self.is("tied_embeddings"),
            positions: None,
            max_context: None,
            norm_bias: false,
            norms_per_layer: None,
            layers: self.layers(&mixer),
        }
    }

    fn layers(&self, mixer: &Mixer) -> Vec<Layers> {
        let dense = Mlp::Gated(self.count("ffn"));
        let group = |count: f64, mlp: Mlp| Layers {
            count: self::count(count),
            mixer: mixer.clone(),
            mlp,
        };
        let all = self.input("layers");
        let Some(experts) = self.optional("experts") else {
            return vec![group(all, dense)];
        };
        let width = self.count("expert_ffn");
        let shared = self.optional("n_shared_experts");
        let mixture = Mlp::Mixture(Mixture {
            experts,
            top_k: self.count("top_k"),
            width,
            shared_width: shared.map(|shared| count(shared.get() * width.get())),
            shared_gate: false,
            gated: true,
            biased: false,
        });
        match self.or("first_k_dense_replace", 0.0) {
            0.0 => vec![group(all, mixture)],
            first => vec![group(first, dense), group(all - first, mixture)],
        }
    }

    /// The model of this row, served at 16 bits with the batch and context it names.
    pub fn serving(&self) -> Serving {
        let mut formats = Formats::all(NumberFormat::BF16);
        if self.or("kv_bytes", 2.0) == 1.0 {
            formats.kv = NumberFormat::FP8;
        }
        if self.or("weight_bytes", 2.0) == 0.5 {
            formats.weights = NumberFormat::INT4;
        }
        Serving {
            batch: count(self.or("batch", 1.0)),
            context: count(self.or("context", 1024.0)),
            tensor_parallel: count(self.or("tp", 1.0)),
            ..Serving::new(self.architecture(), formats)
        }
    }
}

pub fn count(value: f64) -> Count {
    Count::try_from(value).unwrap()
}
