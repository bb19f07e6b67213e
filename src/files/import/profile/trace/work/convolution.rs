//! Convolutions: 2·N·Cout·output·(Cin/groups)·kernel FLOP, whatever algorithm runs; input, weight and result moved once.
use super::{Call, Tensor, Unit, Work, numbers, product};

/// Where an operator takes its parameters: stride, padding, dilation, and whether it is transposed.
struct Places {
    stride: usize,
    padding: usize,
    dilation: usize,
    transposed: Option<usize>,
}

fn places(name: &str) -> Option<Places> {
    let of = |stride, padding, dilation, transposed| {
        Some(Places {
            stride,
            padding,
            dilation,
            transposed,
        })
    };
    match name {
        "convolution" | "_convolution" | "convolution_overrideable" => of(3, 4, 5, Some(6)),
        "cudnn_convolution" => of(3, 2, 4, None),
        "miopen_convolution" | "miopen_depthwise_convolution" => of(4, 3, 5, None),
        "conv1d" | "conv2d" | "conv3d" | "cudnn_convolution_relu" | "miopen_convolution_relu" => {
            of(3, 4, 5, None)
        }
        "_conv_depthwise2d" | "conv_depthwise3d" => of(4, 5, 6, None),
        _ => None,
    }
}

/// What a forward convolution asks for; `None` if it is none.
pub(super) fn work(call: &Call<'_>) -> Option<Work> {
    let places = places(call.name.strip_prefix("aten::")?)?;
    if places
        .transposed
        .is_some_and(|at| call.concrete(at) == "True")
    {
        return None;
    }
    let (input, weight) = (call.tensor(0)?, call.tensor(1)?);
    let output = output(call, &places, &input, &weight)?;
    let outputs: f64 = output.iter().product();
    let per_output: f64 = weight.dims[1..].iter().product();
    let format = input.element.format?;
    let bias = [2, 3].into_iter().find_map(|at| call.tensor(at));
    let bias = bias.map_or(0.0, |bias| bias.bytes());
    let mut factors = vec![2.0];
    factors.extend_from_slice(&output);
    factors.extend_from_slice(&weight.dims[1..]);
    Some(Work {
        flop: Some(2.0 * outputs * per_output),
        bytes: Some(input.bytes() + weight.bytes() + bias + outputs * input.element.size),
        unit: Unit::Matrix(format),
        derivation: format!("{} of {}", product(&factors), call.name),
    })
}

/// The result's dimensions: batch, channels, then space.
fn output(call: &Call<'_>, places: &Places, input: &Tensor, weight: &Tensor) -> Option<Vec<f64>> {
    let space = weight.dims.len().checked_sub(2)?;
    if input.dims.len() != space + 2 || space == 0 {
        return None;
    }
    let of = |at: usize, space_index: usize| {
        let values = numbers(call.concrete(at))?;
        // One value stands for every dimension.
        values.get(space_index).or(values.first()).copied()
    };
    let mut output = vec![input.dims[0], weight.dims[0]];
    for index in 0..space {
        let (size, kernel) = (input.dims[index + 2], weight.dims[index + 2]);
        let stride = of(places.stride, index)?;
        let padding = of(places.padding, index)?;
        let dilation = of(places.dilation, index)?;
        let reach = size + 2.0 * padding - dilation * (kernel - 1.0) - 1.0;
        if stride < 1.0 || reach < 0.0 {
            return None;
        }
        output.push((reach / stride).floor() + 1.0);
    }
    Some(output)
}
