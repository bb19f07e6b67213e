//! Convolutional networks as torchvision builds them: the convolutions and linear layers of one image.
use crate::world::count;
use ridgepoint::model::cost::Level;
use ridgepoint::model::format::NumberFormat;
use ridgepoint::model::workload::{Convolution, Family, Gemm};

/// A network being built, with the image that the next layer sees.
pub struct Network {
    pub work: f64,
    pub parameters: f64,
    channels: f64,
    side: f64,
}

/// Whether a layer has biases or is followed by a batch normalisation with two parameters a channel.
#[derive(Clone, Copy)]
enum Behind {
    Bias,
    Norm,
}

impl Network {
    /// The network with this name.
    pub fn named(name: &str) -> Self {
        match name {
            "resnet18" => Self::resnet([2, 2, 2, 2], false),
            "resnet50" => Self::resnet([3, 4, 6, 3], true),
            "vgg16" => Self::vgg16(),
            other => panic!("{other} is not known"),
        }
    }

    fn of_image() -> Self {
        Self {
            work: 0.0,
            parameters: 0.0,
            channels: 3.0,
            side: 224.0,
        }
    }

    /// A square filter over the image, which it replaces.
    fn convolve(&mut self, filters: f64, side: f64, stride: f64, behind: Behind) {
        let padding = (side - 1.0) / 2.0;
        let mut layer = Convolution {
            n: count(1.0),
            ci: count(self.channels),
            h: count(self.side),
            w: count(self.side),
            co: count(filters),
            kh: count(side),
            kw: count(side),
            stride: count(stride),
            padding: (padding > 0.0).then(|| count(padding)),
            ..Convolution::default()
        };
        let narrow = layer.cost().unwrap();
        layer.filter = NumberFormat::FP32;
        let wide = layer.cost().unwrap();
        self.work += narrow.total_work().get();
        // Filters in twice the bytes move as much more as they have elements times two.
        let [wide, narrow] = [wide, narrow].map(|cost| cost.traffic_at(Level::Dram).get());
        let behind = match behind {
            Behind::Bias => 1.0,
            Behind::Norm => 2.0,
        };
        self.parameters += (wide - narrow) / 2.0 + behind * filters;
        self.channels = filters;
        self.side = (self.side / stride).ceil();
    }

    fn halve(&mut self) {
        self.side /= 2.0;
    }

    fn linear(&mut self, from: f64, to: f64) {
        let gemm = Gemm {
            m: count(1.0),
            n: count(to),
            k: count(from),
            ..Gemm::default()
        };
        self.work += gemm.cost().unwrap().total_work().get();
        self.parameters += from * to + to;
    }

    fn resnet(blocks: [usize; 4], bottleneck: bool) -> Self {
        let mut network = Self::of_image();
        network.convolve(64.0, 7.0, 2.0, Behind::Norm);
        network.halve();
        for (stage, count) in blocks.into_iter().enumerate() {
            let planes = 64.0 * 2f64.powi(stage as i32);
            for block in 0..count {
                let stride = if block == 0 && stage > 0 { 2.0 } else { 1.0 };
                network.block(planes, stride, bottleneck);
            }
        }
        network.linear(network.channels, 1000.0);
        network
    }

    fn block(&mut self, planes: f64, stride: f64, bottleneck: bool) {
        let (channels, side) = (self.channels, self.side);
        let out = if bottleneck { 4.0 * planes } else { planes };
        if bottleneck {
            self.convolve(planes, 1.0, 1.0, Behind::Norm);
            self.convolve(planes, 3.0, stride, Behind::Norm);
            self.convolve(out, 1.0, 1.0, Behind::Norm);
        } else {
            self.convolve(planes, 3.0, stride, Behind::Norm);
            self.convolve(out, 3.0, 1.0, Behind::Norm);
        }
        if channels != out || stride != 1.0 {
            // The way around, from what the block began with.
            (self.channels, self.side) = (channels, side);
            self.convolve(out, 1.0, stride, Behind::Norm);
        }
    }

    fn vgg16() -> Self {
        let mut network = Self::of_image();
        for (filters, layers) in [(64.0, 2), (128.0, 2), (256.0, 3), (512.0, 3), (512.0, 3)] {
            for _ in 0..layers {
                network.convolve(filters, 3.0, 1.0, Behind::Bias);
            }
            network.halve();
        }
        for (from, to) in [(25088.0, 4096.0), (4096.0, 4096.0), (4096.0, 1000.0)] {
            network.linear(from, to);
        }
        network
    }
}
