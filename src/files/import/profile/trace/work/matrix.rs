//! Matrix products: 2·M·N·K FLOP, and each operand and the result moved once.
use super::{Call, Element, Tensor, Unit, Work, product};
use crate::model::format::NumberFormat;

/// What a matrix product asks for; `None` if it is none.
pub(super) fn work(call: &Call<'_>) -> Option<Work> {
    let name = call.name.strip_prefix("aten::")?;
    match name {
        "mm" | "_int_mm" | "_scaled_mm" => plain(call, None, call.tensor(0)?, call.tensor(1)?),
        "addmm" | "addmm_" | "_addmm_activation" => {
            plain(call, call.tensor(0), call.tensor(1)?, call.tensor(2)?)
        }
        "bmm" => batched(call, None, call.tensor(0)?, call.tensor(1)?),
        "baddbmm" | "baddbmm_" => batched(call, call.tensor(0), call.tensor(1)?, call.tensor(2)?),
        "linear" => linear(call),
        "mv" => vector(call, call.tensor(0)?, call.tensor(1)?),
        "addmv" | "addmv_" => vector(call, call.tensor(1)?, call.tensor(2)?),
        "dot" | "vdot" => dot(call),
        _ => None,
    }
}

/// The path's format: of a product of bytes it is INT8.
fn format(element: Element) -> Option<NumberFormat> {
    let whole = (element.size == 1.0).then_some(NumberFormat::INT8);
    element.format.or(whole)
}

/// The size of a result's elements: 8-bit products are accumulated and stored wider.
fn stored(call: &Call<'_>, element: Element) -> f64 {
    match call.name {
        "aten::_int_mm" => 4.0,
        "aten::_scaled_mm" => 2.0,
        _ => element.size,
    }
}

/// M×K times K×N, `count` times.
fn multiply(
    call: &Call<'_>,
    [count, m, n, k]: [f64; 4],
    operands: &[&Tensor],
    added: Option<&Tensor>,
) -> Option<Work> {
    let element = operands.first()?.element;
    let moved: f64 = operands.iter().map(|tensor| tensor.bytes()).sum();
    let added = added.map_or(0.0, Tensor::bytes);
    let result = count * m * n * stored(call, element);
    let factors = match count == 1.0 {
        true => product(&[2.0, m, n, k]),
        false => product(&[2.0, count, m, n, k]),
    };
    Some(Work {
        flop: Some(2.0 * count * m * n * k),
        bytes: Some(moved + added + result),
        unit: Unit::Matrix(format(element)?),
        derivation: format!("{factors} of {}", call.name),
    })
}

fn plain(call: &Call<'_>, added: Option<Tensor>, a: Tensor, b: Tensor) -> Option<Work> {
    let (&[m, k], &[rows, n]) = (&a.dims[..], &b.dims[..]) else {
        return None;
    };
    if k != rows {
        return None;
    }
    multiply(call, [1.0, m, n, k], &[&a, &b], added.as_ref())
}

fn batched(call: &Call<'_>, added: Option<Tensor>, a: Tensor, b: Tensor) -> Option<Work> {
    let (&[count, m, k], &[same, rows, n]) = (&a.dims[..], &b.dims[..]) else {
        return None;
    };
    if k != rows || count != same {
        return None;
    }
    multiply(call, [count, m, n, k], &[&a, &b], added.as_ref())
}

/// Rows of whatever leading dimensions times a transposed weight, N×K.
fn linear(call: &Call<'_>) -> Option<Work> {
    let (input, weight) = (call.tensor(0)?, call.tensor(1)?);
    let (k, leading) = input.dims.split_last()?;
    let &[n, columns] = &weight.dims[..] else {
        return None;
    };
    if *k != columns {
        return None;
    }
    let m = leading.iter().product();
    let bias = call.tensor(2);
    multiply(call, [1.0, m, n, *k], &[&input, &weight], bias.as_ref())
}

/// A matrix times a vector.
fn vector(call: &Call<'_>, a: Tensor, x: Tensor) -> Option<Work> {
    let (&[m, k], &[length]) = (&a.dims[..], &x.dims[..]) else {
        return None;
    };
    if k != length {
        return None;
    }
    let work = multiply(call, [1.0, m, 1.0, k], &[&a, &x], None)?;
    Some(on_vector_units(work))
}

fn dot(call: &Call<'_>) -> Option<Work> {
    let (x, y) = (call.tensor(0)?, call.tensor(1)?);
    if x.dims != y.dims || x.dims.len() != 1 {
        return None;
    }
    let work = multiply(call, [1.0, 1.0, 1.0, x.elements()], &[&x, &y], None)?;
    Some(on_vector_units(work))
}

fn on_vector_units(work: Work) -> Work {
    let unit = match work.unit {
        Unit::Matrix(format) | Unit::Vector(format) => Unit::Vector(format),
    };
    Work { unit, ..work }
}
