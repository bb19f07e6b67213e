//! Operators that move memory: element by element, norms, softmax, sums, copies and look-ups.
use super::{Call, Element, Tensor, Unit, Work, numbers, product};
use crate::model::format::NumberFormat;

/// One operation per element of the result; exponentials, roots and the like count as one too, as TraceLens counts them.
const ARITHMETIC: [&str; 34] = [
    "add",
    "sub",
    "rsub",
    "mul",
    "div",
    "neg",
    "abs",
    "relu",
    "maximum",
    "minimum",
    "clamp",
    "clamp_min",
    "clamp_max",
    "exp",
    "log",
    "sqrt",
    "rsqrt",
    "sigmoid",
    "tanh",
    "gelu",
    "silu",
    "erf",
    "sin",
    "cos",
    "pow",
    "reciprocal",
    "square",
    "hardtanh",
    "leaky_relu",
    "elu",
    "mish",
    "softplus",
    "floor_divide",
    "remainder",
];

/// Results are truth values, of one byte.
const COMPARISONS: [&str; 10] = [
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "logical_and",
    "logical_or",
    "logical_not",
    "isnan",
];

/// What an operator of this kind asks for; `None` if it is none.
pub(super) fn work(call: &Call<'_>) -> Option<Work> {
    let name = call.name.strip_prefix("aten::")?;
    // In place: the same work and traffic.
    let name = match name.strip_suffix('_') {
        Some(plain) if !plain.is_empty() => plain,
        _ => name,
    };
    if ARITHMETIC.contains(&name) {
        return elementwise(call, false);
    }
    if COMPARISONS.contains(&name) {
        return elementwise(call, true);
    }
    match name {
        "copy" => copy(call),
        "fill" | "zero" => filled(call),
        "index_select" => rows(call, call.concrete(1), 2),
        "embedding" => rows(call, "0", 1),
        "native_layer_norm" => layer_norm(call),
        "_softmax" => softmax(call),
        "sum" | "mean" => reduced(call),
        _ => None,
    }
}

/// Broadcasts inputs against each other; each moves at its own size.
fn elementwise(call: &Call<'_>, compares: bool) -> Option<Work> {
    let inputs = call.tensors();
    let dims = broadcast(&inputs)?;
    let elements: f64 = dims.iter().product();
    let widest = widest(&inputs)?;
    let size = if compares { 1.0 } else { widest.size };
    let moved: f64 = inputs.iter().map(Tensor::bytes).sum();
    let counted = widest.format.filter(|_| !compares);
    let each = if counted.is_some() { 1.0 } else { 0.0 };
    Some(moving(
        call,
        each,
        elements,
        moved + elements * size,
        counted,
    ))
}

fn moving(
    call: &Call<'_>,
    each: f64,
    elements: f64,
    bytes: f64,
    format: Option<NumberFormat>,
) -> Work {
    let derivation = match each == 0.0 {
        true => format!("no FLOP in {}", call.name),
        false => format!("{} of {}", product(&[each, elements]), call.name),
    };
    Work {
        flop: Some(each * elements),
        bytes: Some(bytes),
        unit: Unit::Vector(format.unwrap_or(NumberFormat::FP32)),
        derivation,
    }
}

fn broadcast(tensors: &[Tensor]) -> Option<Vec<f64>> {
    let rank = tensors.iter().map(|tensor| tensor.dims.len()).max()?;
    let mut dims = vec![1.0; rank];
    for tensor in tensors {
        let offset = rank - tensor.dims.len();
        for (index, dim) in tensor.dims.iter().enumerate() {
            let known = &mut dims[offset + index];
            match (*known, *dim) {
                (1.0, dim) => *known = dim,
                (_, 1.0) => {}
                (known, dim) if known == dim => {}
                _ => return None,
            }
        }
    }
    Some(dims)
}

/// The type of a result: that of the widest floating-point input, which scalars do not widen.
fn widest(tensors: &[Tensor]) -> Option<Element> {
    let mut elements: Vec<_> = tensors.iter().collect();
    elements.sort_by(|a, b| {
        let rank = |tensor: &Tensor| {
            let scalar = tensor.dims.is_empty();
            (
                tensor.element.format.is_some(),
                !scalar,
                tensor.element.size,
            )
        };
        rank(a)
            .partial_cmp(&rank(b))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    elements.last().map(|tensor| tensor.element)
}

/// Into the first input from the second, converting on the way.
fn copy(call: &Call<'_>) -> Option<Work> {
    let (to, from) = (call.tensor(0)?, call.tensor(1)?);
    let bytes = to.bytes() + from.bytes();
    Some(moving(call, 0.0, to.elements(), bytes, None))
}

fn filled(call: &Call<'_>) -> Option<Work> {
    let tensor = call.tensor(0)?;
    Some(moving(call, 0.0, tensor.elements(), tensor.bytes(), None))
}

/// Rows looked up in a table by indices: read, and written elsewhere.
fn rows(call: &Call<'_>, dimension: &str, indices: usize) -> Option<Work> {
    let (table, indices) = (call.tensor(0)?, call.tensor(indices)?);
    let dimension = dimension.trim().parse::<usize>().ok()?;
    let looked_up = *table.dims.get(dimension)?;
    if looked_up == 0.0 {
        return None;
    }
    let row = table.elements() / looked_up;
    let moved = indices.elements() * row;
    let bytes = 2.0 * moved * table.element.size + indices.bytes();
    Some(moving(call, 0.0, moved, bytes, None))
}

/// Mean, its subtraction, squares, their sum, scaling and a shift.
fn layer_norm(call: &Call<'_>) -> Option<Work> {
    let input = call.tensor(0)?;
    let parameters = [call.tensor(2), call.tensor(3)].into_iter().flatten();
    let parameters: f64 = parameters.map(|tensor| tensor.bytes()).sum();
    let bytes = 2.0 * input.bytes() + parameters;
    Some(moving(
        call,
        7.0,
        input.elements(),
        bytes,
        Some(input.element.format?),
    ))
}

/// Maximum, subtraction, exponential, sum and division.
fn softmax(call: &Call<'_>) -> Option<Work> {
    let input = call.tensor(0)?;
    // Narrow numbers may be widened on the way.
    let out = match call.concrete(2) {
        "True" => input.elements() * 4.0,
        _ => input.bytes(),
    };
    let bytes = input.bytes() + out;
    Some(moving(
        call,
        5.0,
        input.elements(),
        bytes,
        Some(input.element.format?),
    ))
}

/// An addition for each element read.
fn reduced(call: &Call<'_>) -> Option<Work> {
    let input = call.tensor(0)?;
    let rank = input.dims.len() as f64;
    let over = numbers(call.concrete(1))?;
    let over: Vec<_> = over
        .iter()
        .map(|dim| if *dim < 0.0 { dim + rank } else { *dim })
        .collect();
    let kept = |index: &usize| !over.is_empty() && !over.contains(&(*index as f64));
    let out: f64 = (0..input.dims.len())
        .filter(kept)
        .map(|index| input.dims[index])
        .product();
    let bytes = input.bytes() + out * input.element.size;
    Some(moving(
        call,
        1.0,
        input.elements(),
        bytes,
        Some(input.element.format?),
    ))
}
