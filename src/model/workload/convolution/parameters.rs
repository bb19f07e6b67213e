//! The parameters of a convolution, as the panel shows them.
use super::Convolution;
use crate::model::workload::Parameter;

/// All of them.
pub(super) fn all(layer: &mut Convolution) -> Vec<Parameter<'_>> {
    let Convolution {
        n, ci, h, w, co, ..
    } = layer;
    let mut parameters = vec![
        Parameter::number("n", "Images", "Images of the batch", n),
        Parameter::number("ci", "Channels in", "Channels of an image", ci),
        Parameter::number("h", "Height", "Height of an image", h),
        Parameter::number("w", "Width", "Width of an image", w),
        Parameter::number("co", "Channels out", "Filters", co),
    ];
    let Convolution {
        kh,
        kw,
        stride,
        padding,
        dilation,
        groups,
        ..
    } = layer;
    let zeros = "Zeros around the image on every side; none where left empty";
    let depthwise = "As many as channels for a depthwise convolution";
    parameters.extend([
        Parameter::number("kh", "Filter height", "Taps of a filter downwards", kh)
            .within(1.0, 11.0),
        Parameter::number("kw", "Filter width", "Taps of a filter across", kw).within(1.0, 11.0),
        Parameter::number("stride", "Stride", "Step of the filter, both ways", stride)
            .within(1.0, 4.0),
        Parameter::number("padding", "Padding", zeros, padding).within(1.0, 5.0),
        Parameter::number("dilation", "Dilation", "Distance of the taps", dilation)
            .within(1.0, 8.0),
        Parameter::number("groups", "Groups", depthwise, groups),
    ]);
    let Convolution {
        algorithm,
        image,
        filter,
        unit,
        ..
    } = layer;
    let matrix = "Whether the patches of the image become a matrix in memory";
    let images = "Of the images read and written; the wider of both picks the path";
    let units = "What multiplies; depthwise ones rarely use the matrix unit";
    parameters.extend([
        Parameter::choice("algorithm", "Patches", matrix, algorithm),
        Parameter::format("image", "Format of images", images, image),
        Parameter::format(
            "filter",
            "Format of filters",
            "The wider of both picks the path",
            filter,
        ),
        Parameter::unit("unit", "Unit", units, unit),
    ]);
    parameters
}
