//! Recurrences in place of attention: what a gated delta net and a Mamba 2 layer hold, keep and compute.
use super::architecture::Recurrent;
use crate::model::format::NumberFormat;
use crate::model::quantity::{Count, OutOfRange};

/// A gated delta net, as of Qwen3-Next and Qwen3.5.
#[derive(Debug, Clone, PartialEq)]
pub struct DeltaNet {
    pub hidden: Count,
    pub key_heads: Count,
    pub key_dim: Count,
    pub value_heads: Count,
    pub value_dim: Count,
    /// Tokens the convolution before it reaches over.
    pub kernel: Count,
}

impl TryFrom<&DeltaNet> for Recurrent {
    type Error = OutOfRange;

    /// With K = key heads · dk, V = value heads · dv and C = 2K + V channels of convolution:
    ///
    /// - parameters h·(2K + 2V) (q, k, v, z) + 2·h·Hv (two gates) + V·h (output) + C·kernel + 2·Hv + dv (norm);
    /// - state Hv·dk·dv and C·(kernel − 1) of the convolution's past;
    /// - work per token 7·Hv·dk·dv (decay 1, recall 2, correction 2, query 2) and 2·C·kernel.
    fn try_from(net: &DeltaNet) -> Result<Self, OutOfRange> {
        let [hidden, heads, kernel] = [net.hidden, net.value_heads, net.kernel].map(Count::get);
        let [key_dim, value_dim] = [net.key_dim, net.value_dim].map(Count::get);
        let keys = net.key_heads.get() * key_dim;
        let values = heads * value_dim;
        let channels = 2.0 * keys + values;
        let projections = hidden * (2.0 * keys + 3.0 * values + 2.0 * heads);
        let memory = heads * key_dim * value_dim;
        Ok(Self {
            parameters: Count::try_from(projections + channels * kernel + 2.0 * heads + value_dim)?,
            state: Count::try_from(memory + channels * (kernel - 1.0))?,
            state_format: NumberFormat::FP32,
            flop_per_token: Count::try_from(7.0 * memory + 2.0 * channels * kernel)?,
        })
    }
}

/// A Mamba 2 layer, as of Nemotron-H.
#[derive(Debug, Clone, PartialEq)]
pub struct Mamba {
    pub hidden: Count,
    pub heads: Count,
    pub head_dim: Count,
    /// Groups of heads that share what writes to the state and reads from it.
    pub groups: Count,
    /// Elements of state per element of a head.
    pub state_size: Count,
    /// Tokens the convolution before it reaches over.
    pub kernel: Count,
    /// The convolution has a bias.
    pub conv_bias: bool,
    /// The projections have biases.
    pub projection_bias: bool,
}

impl TryFrom<&Mamba> for Recurrent {
    type Error = OutOfRange;

    /// With D = heads · head_dim, N the state size, G groups and C = D + 2·G·N channels of convolution:
    ///
    /// - parameters h·(D + C + heads) (gate, channels, step) + D·h (output) + C·kernel (+ C) + 3·heads + D (norm),
    ///   and D + C + heads + h biases where projections have them;
    /// - state D·N and C·(kernel − 1) of the convolution's past;
    /// - work per token 5·D·N (decay 1, write 2, read 2) and 2·C·kernel.
    fn try_from(mamba: &Mamba) -> Result<Self, OutOfRange> {
        let [hidden, heads, kernel] = [mamba.hidden, mamba.heads, mamba.kernel].map(Count::get);
        let inner = heads * mamba.head_dim.get();
        let channels = inner + 2.0 * mamba.groups.get() * mamba.state_size.get();
        let projected = inner + channels + heads;
        let taps = kernel + f64::from(u8::from(mamba.conv_bias));
        let biases = match mamba.projection_bias {
            true => projected + hidden,
            false => 0.0,
        };
        let memory = inner * mamba.state_size.get();
        Ok(Self {
            parameters: Count::try_from(
                hidden * (projected + inner) + channels * taps + 3.0 * heads + inner + biases,
            )?,
            state: Count::try_from(memory + channels * (kernel - 1.0))?,
            state_format: NumberFormat::FP32,
            flop_per_token: Count::try_from(5.0 * memory + 2.0 * channels * kernel)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(value: u32) -> Count {
        Count::try_from(f64::from(value)).unwrap()
    }

    /// One element of everything, counted by hand.
    #[test]
    fn the_smallest_layers_can_be_counted_by_hand() {
        let one = Count::ONE;
        let net = DeltaNet {
            hidden: one,
            key_heads: one,
            key_dim: one,
            value_heads: one,
            value_dim: one,
            kernel: count(2),
        };
        let net = Recurrent::try_from(&net).unwrap();
        // q k v z, two gates and the output; three channels of two taps; decay, step and norm.
        assert_eq!(net.parameters, count(4 + 2 + 1 + 6 + 2 + 1));
        assert_eq!(
            (net.state, net.flop_per_token),
            (count(1 + 3), count(7 + 12))
        );
        let mamba = Mamba {
            hidden: one,
            heads: one,
            head_dim: one,
            groups: one,
            state_size: one,
            kernel: count(2),
            conv_bias: true,
            projection_bias: true,
        };
        let mamba = Recurrent::try_from(&mamba).unwrap();
        // Gate, three channels, step and output; three channels of two taps and a bias; decay, skip, step, norm; biases.
        assert_eq!(mamba.parameters, count(5 + 1 + 9 + 3 + 1 + 6));
        assert_eq!(
            (mamba.state, mamba.flop_per_token),
            (count(1 + 3), count(5 + 12))
        );
    }

    #[test]
    fn the_state_of_published_models_is_that_of_their_engines() {
        let qwen3_next = DeltaNet {
            hidden: count(2048),
            key_heads: count(16),
            key_dim: count(128),
            value_heads: count(32),
            value_dim: count(128),
            kernel: count(4),
        };
        let net = Recurrent::try_from(&qwen3_next).unwrap();
        assert_eq!(net.state, count(32 * 128 * 128 + 8192 * 3));
        assert_eq!(
            net.parameters,
            count(2048 * (12288 + 64 + 4096) + 32768 + 64 + 128)
        );
        let nano = Mamba {
            hidden: count(2688),
            heads: count(64),
            head_dim: count(64),
            groups: count(8),
            state_size: count(128),
            kernel: count(4),
            conv_bias: true,
            projection_bias: false,
        };
        let mamba = Recurrent::try_from(&nano).unwrap();
        assert_eq!(mamba.state, count(64 * 64 * 128 + 6144 * 3));
        assert_eq!(mamba.parameters, count(38_742_208));
    }
}
