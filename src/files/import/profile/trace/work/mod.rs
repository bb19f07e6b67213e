//! Work and traffic of a PyTorch operator, from the shapes and types of its inputs.
mod attention;
mod convolution;
mod matrix;
mod memory;

use super::event::{Args, Node};
use crate::model::cost::Path;
use crate::model::format::NumberFormat;

/// What an operator asks for, all its kernels together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Work {
    /// In FLOP; zero for a copy, `None` where no formula is known.
    pub flop: Option<f64>,
    /// In B: each operand and the result once.
    pub bytes: Option<f64>,
    pub unit: Unit,
    /// Where the numbers come from: `2·141·512·512 of aten::addmm`.
    pub derivation: String,
}

/// The unit that does the work; which path that is depends on the kernel and the device, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Matrix(NumberFormat),
    Vector(NumberFormat),
}

impl Unit {
    /// The path of the work in a kernel of this name, on a device that is AMD's or not.
    pub fn path(self, kernel: &str, amd: bool) -> Path {
        let has = |parts: &[&str]| parts.iter().any(|part| kernel.contains(part));
        match self {
            // Products with a vector run without matrix units, in FP32 unless wider.
            Self::Matrix(format) if has(&["gemv", "Gemv", "dot_kernel"]) => vector(format),
            Self::Matrix(NumberFormat::FP32) if has(&["tf32", "xf32", "s1688", "TF32"]) => {
                Path::matrix(NumberFormat::TF32)
            }
            Self::Matrix(NumberFormat::FP32) if !amd => Path::vector(NumberFormat::FP32),
            Self::Matrix(NumberFormat::FP64)
                if !amd && !has(&["d884", "dmma", "tensorop_d", "_d16"]) =>
            {
                Path::vector(NumberFormat::FP64)
            }
            Self::Matrix(format) => Path::matrix(format),
            Self::Vector(format) => vector(format),
        }
    }
}

/// PyTorch computes element by element in FP32, whatever narrower format is stored.
fn vector(format: NumberFormat) -> Path {
    match format {
        NumberFormat::FP64 => Path::vector(NumberFormat::FP64),
        _ => Path::vector(NumberFormat::FP32),
    }
}

/// The type of a tensor's elements.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Element {
    /// In B.
    size: f64,
    /// `None` for whole and complex numbers, whose operations are not counted.
    format: Option<NumberFormat>,
}

impl Element {
    /// What `Input type` says; `None` for what is no tensor.
    fn of(text: &str) -> Option<Self> {
        let text = text.trim_start_matches("c10::");
        let (size, format) = match text {
            "BFloat16" => (2.0, Some(NumberFormat::BF16)),
            "Half" => (2.0, Some(NumberFormat::FP16)),
            "float" => (4.0, Some(NumberFormat::FP32)),
            "double" => (8.0, Some(NumberFormat::FP64)),
            "signed char" | "unsigned char" | "bool" => (1.0, None),
            "short int" | "short" => (2.0, None),
            "int" => (4.0, None),
            "long int" | "long" => (8.0, None),
            "complex<float>" => (8.0, None),
            "complex<double>" => (16.0, None),
            _ if text.starts_with("Float8_") => (1.0, Some(NumberFormat::FP8)),
            _ if text.starts_with("Float4_") => (0.5, Some(NumberFormat::FP4)),
            _ => return None,
        };
        Some(Self { size, format })
    }
}

/// An input that is a tensor.
#[derive(Debug, Clone, PartialEq)]
struct Tensor {
    dims: Vec<f64>,
    element: Element,
}

impl Tensor {
    fn elements(&self) -> f64 {
        self.dims.iter().product()
    }

    fn bytes(&self) -> f64 {
        self.elements() * self.element.size
    }
}

/// A call of an operator as the profiler recorded it.
pub(super) struct Call<'a> {
    pub name: &'a str,
    pub args: &'a Args<'a>,
}

impl Call<'_> {
    /// An input, if it is a tensor.
    fn tensor(&self, index: usize) -> Option<Tensor> {
        let element = Element::of(self.args.types.0.get(index)?)?;
        let dims = self.args.dims.list().get(index)?.numbers()?;
        let sensible = |dim: &f64| dim.is_finite() && *dim >= 0.0 && *dim <= 1e15;
        let tensor = Tensor { dims, element };
        let known = tensor.dims.iter().all(sensible) && tensor.elements() <= 1e18;
        known.then_some(tensor)
    }

    /// Every input that is a tensor.
    fn tensors(&self) -> Vec<Tensor> {
        let count = self.args.types.0.len();
        (0..count).filter_map(|index| self.tensor(index)).collect()
    }

    /// An input that is no tensor, as text; empty where the file does not hold it.
    fn concrete(&self, index: usize) -> &str {
        self.args.concrete.0.get(index).map_or("", |text| text)
    }

    /// The shapes of its tensors: `aten::addmm 512, 141×512, 512×512`.
    pub fn shape(&self) -> String {
        let shapes = self.args.dims.list().iter();
        let shapes = shapes.filter(|node| !node.list().is_empty()).map(written);
        let shapes: Vec<_> = shapes.take(8).collect();
        format!("{} {}", self.name, shapes.join(", "))
    }

    /// What tells the call from others of other work.
    pub fn signature(&self) -> String {
        let dims: Vec<_> = self.args.dims.list().iter().map(written).collect();
        let types = self.args.types.0.join(",");
        let concrete = self.args.concrete.0.join(",");
        let flops = self.args.flops.0.unwrap_or_default();
        let name = self.name;
        format!("{name} {}; {types}; {concrete}; {flops}", dims.join(","))
    }

    /// What it asks for; `None` where no formula is known.
    pub fn work(&self) -> Option<Work> {
        let derived = matrix::work(self)
            .or_else(|| convolution::work(self))
            .or_else(|| attention::work(self))
            .or_else(|| memory::work(self));
        let finite = |value: Option<f64>| value.is_none_or(|value| value.is_finite());
        let derived = derived.filter(|work| finite(work.flop) && finite(work.bytes));
        derived.or_else(|| self.given())
    }

    /// The profiler's own count.
    fn given(&self) -> Option<Work> {
        let flop = self
            .args
            .flops
            .0
            .filter(|flop| flop.is_finite() && *flop > 0.0)?;
        let format = self
            .tensors()
            .iter()
            .find_map(|tensor| tensor.element.format);
        Some(Work {
            flop: Some(flop),
            bytes: None,
            unit: Unit::Matrix(format.unwrap_or(NumberFormat::FP32)),
            derivation: format!("the profiler's count for {}", self.name),
        })
    }
}

/// `141×512`; lists of shapes are joined by commas.
fn written(node: &Node) -> String {
    let parts: Vec<_> = match node {
        Node::Number(number) => return number.to_string(),
        Node::Other => return String::new(),
        Node::List(list) => list.iter().map(written).collect(),
    };
    let flat = node.numbers().is_some();
    parts.join(if flat { "×" } else { "," })
}

/// `[1, 2]`, `2` or `[]` as numbers.
fn numbers(text: &str) -> Option<Vec<f64>> {
    let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
    if inner.trim().is_empty() {
        return Some(Vec::new());
    }
    inner
        .split(',')
        .map(|part| part.trim().parse().ok())
        .collect()
}

/// `2·141·512·512`.
fn product(factors: &[f64]) -> String {
    let factors: Vec<_> = factors.iter().map(f64::to_string).collect();
    factors.join("·")
}
