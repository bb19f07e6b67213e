//! Convolution 2-D: images by filters, directly or by a matrix of patches in memory.
mod parameters;

use super::common::{bytes, ensure, flops, fp16, is_default, is_one, one, or_zero, wider};
use super::{Alternative, CostError, Family, Items, Kind, Parameter, choices};
use crate::model::cost::{ComputeUnit, Cost, Level, Operator, Path};
use crate::model::format::NumberFormat;
use crate::model::placement::Regime;
use crate::model::quantity::Count;
use crate::model::units;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A layer of filters over a batch of images.
///
/// Work 2·n·Co·Ho·Wo·(Ci/g)·kh·kw, taps in the padding counted (as torch's FlopCounter); traffic: image, filters and
/// result once (as XLA). A matrix of patches in memory is written and read besides: 2·n·Ho·Wo·Ci·kh·kw elements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Convolution {
    pub n: Count,
    pub ci: Count,
    pub h: Count,
    pub w: Count,
    pub co: Count,
    pub kh: Count,
    pub kw: Count,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub stride: Count,
    /// On every side; none where not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub padding: Option<Count>,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub dilation: Count,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub groups: Count,
    #[serde(default, skip_serializing_if = "is_default")]
    pub algorithm: Algorithm,
    #[serde(default = "fp16")]
    pub image: NumberFormat,
    #[serde(default = "fp16")]
    pub filter: NumberFormat,
    #[serde(default = "matrix_unit", skip_serializing_if = "is_matrix")]
    pub unit: ComputeUnit,
}

fn matrix_unit() -> ComputeUnit {
    ComputeUnit::Matrix
}

fn is_matrix(unit: &ComputeUnit) -> bool {
    *unit == ComputeUnit::Matrix
}

/// Whether patches of the image become a matrix in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Algorithm {
    /// Patches are made on chip.
    #[default]
    Implicit,
    /// One kernel writes the patches, a GEMM reads them (im2col).
    Patches,
}

choices! { Algorithm { Implicit => "direct, patches on chip", Patches => "im2col in memory" } }

impl Default for Convolution {
    fn default() -> Self {
        let [image, three] = [56.0, 3.0].map(Count::constant);
        Self {
            n: Count::constant(32.0),
            ci: Count::constant(64.0),
            h: image,
            w: image,
            co: Count::constant(64.0),
            kh: three,
            kw: three,
            stride: Count::ONE,
            padding: Some(Count::ONE),
            dilation: Count::ONE,
            groups: Count::ONE,
            algorithm: Algorithm::Implicit,
            image: fp16(),
            filter: fp16(),
            unit: matrix_unit(),
        }
    }
}

/// Elements of the parts.
struct Sizes {
    image: f64,
    filters: f64,
    result: f64,
    patches: f64,
    work: f64,
}

impl Convolution {
    /// Height and width of the result; less than one where the filter does not fit.
    fn result(&self) -> (f64, f64) {
        let along = |image: Count, filter: Count| {
            let reach = self.dilation.get() * (filter.get() - 1.0) + 1.0;
            let room = image.get() + 2.0 * or_zero(self.padding) - reach;
            (room / self.stride.get()).floor() + 1.0
        };
        (along(self.h, self.kh), along(self.w, self.kw))
    }

    fn sizes(&self) -> Result<Sizes, CostError> {
        let (ho, wo) = self.result();
        ensure(ho >= 1.0 && wo >= 1.0, || {
            let (kh, kw, h, w) = (self.kh, self.kw, self.h, self.w);
            format!(
                "a filter of {kh} × {kw} does not fit an image of {h} × {w}: pad it or make one of them fit"
            )
        })?;
        let g = self.groups.get();
        ensure(self.ci.get() % g == 0.0 && self.co.get() % g == 0.0, || {
            let (ci, co) = (self.ci, self.co);
            format!("{g} groups do not divide {ci} and {co} channels: take a divisor of both")
        })?;
        let [n, ci, h, w, co] = [self.n, self.ci, self.h, self.w, self.co].map(Count::get);
        let taps = self.kh.get() * self.kw.get();
        Ok(Sizes {
            image: n * ci * h * w,
            filters: co * (ci / g) * taps,
            result: n * co * ho * wo,
            patches: n * ho * wo * ci * taps,
            work: 2.0 * n * co * ho * wo * (ci / g) * taps,
        })
    }

    fn path(&self) -> Path {
        Path {
            unit: self.unit,
            ..Path::vector(wider(self.image, self.filter))
        }
    }
}

impl Family for Convolution {
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        parameters::all(self)
    }

    fn cost(&self) -> Result<Cost, CostError> {
        Ok(Cost::sum(&self.operators()?)?)
    }

    fn operators(&self) -> Result<Vec<Operator>, CostError> {
        let sizes = self.sizes()?;
        let (image, filter) = (self.image.bytes(), self.filter.bytes());
        let multiply = |read: f64| -> Result<Cost, CostError> {
            let traffic = image * (read + sizes.result) + filter * sizes.filters;
            Ok(Cost::kernel(
                self.path(),
                flops(sizes.work)?,
                bytes(traffic)?,
            ))
        };
        Ok(match self.algorithm {
            Algorithm::Implicit => vec![Operator::once("", multiply(sizes.image)?)],
            Algorithm::Patches => {
                let traffic = bytes(image * (sizes.image + sizes.patches))?;
                let copy = Cost::kernel(Path::vector(self.image), flops(0.0)?, traffic);
                vec![
                    Operator::once("im2col", copy),
                    Operator::once("GEMM", multiply(sizes.patches)?),
                ]
            }
        })
    }

    fn formula(&self) -> Vec<String> {
        let (Ok(cost), Ok(sizes)) = (self.cost(), self.sizes()) else {
            return vec![];
        };
        let Self {
            n,
            ci,
            co,
            kh,
            kw,
            groups,
            ..
        } = self;
        let (ho, wo) = self.result();
        let group = match *groups {
            Count::ONE => String::new(),
            groups => format!(" ÷ {groups}"),
        };
        let [image, filter] = [self.image, self.filter].map(|format| units::number(format.bytes()));
        let [read, filters, result, patches] =
            [sizes.image, sizes.filters, sizes.result, sizes.patches].map(units::count);
        let patches = match self.algorithm {
            Algorithm::Implicit => String::new(),
            Algorithm::Patches => format!(" + 2·{patches}"),
        };
        vec![
            format!(
                "work = 2 × {n} × {co} × {ho}·{wo} × {ci}{group} × {kh}·{kw} = {}",
                cost.total_work()
            ),
            format!(
                "traffic = (({read} + {result}{patches})·{image} + {filters}·{filter}) B = {}",
                cost.traffic_at(Level::Dram)
            ),
        ]
    }

    fn leaves_out(&self) -> Vec<Cow<'static, str>> {
        vec![
            "images, filters and result move once".into(),
            "taps in the padding count as work; no Winograd or FFT, which need less".into(),
        ]
    }

    fn items(&self) -> Items {
        Items {
            name: "image",
            per_execution: self.n.get(),
            users: 1.0,
        }
    }

    fn drag_parameter(&self) -> Option<&str> {
        Some("n")
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let mut alternatives = Vec::new();
        if self.algorithm == Algorithm::Patches {
            let implicit = Self {
                algorithm: Algorithm::Implicit,
                ..self.clone()
            };
            let name = "Patches on chip instead of in memory".to_owned();
            alternatives.push((name, Regime::MemoryBound, Kind::Convolution(implicit)));
        }
        if self.image.bits() > 8 {
            let narrow = Self {
                image: NumberFormat::FP8,
                filter: NumberFormat::FP8,
                ..self.clone()
            };
            let name = "Images and filters in FP8".to_owned();
            alternatives.push((name, Regime::ComputeBound, Kind::Convolution(narrow)));
        }
        alternatives
    }

    fn default_sweep(&self) -> (&str, Vec<f64>) {
        ("n", [1.0, 4.0, 16.0, 64.0, 256.0].to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_with_the_remedy() {
        let large = Convolution {
            kh: Count::constant(99.0),
            ..Convolution::default()
        };
        let error = large.cost().unwrap_err().to_string();
        assert!(
            error.contains("99 × 3 does not fit an image of 56 × 56"),
            "{error}"
        );
        let groups = Convolution {
            groups: Count::constant(3.0),
            ..Convolution::default()
        };
        assert!(groups.cost().is_err());
    }

    #[test]
    fn patches_in_memory_are_written_and_read() {
        let implicit = Convolution::default();
        let patches = Convolution {
            algorithm: Algorithm::Patches,
            ..implicit.clone()
        };
        let [less, more] =
            [&implicit, &patches].map(|c| c.cost().unwrap().traffic_at(Level::Dram).get());
        assert_eq!(more - less, 2.0 * 2.0 * 32.0 * 56.0 * 56.0 * 64.0 * 9.0);
        assert_eq!(patches.operators().unwrap().len(), 2);
    }
}
