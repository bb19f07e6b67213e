//! Peaks of several formats in ratios that no device has, as they come of taking a sparse figure for a dense one.
use super::{Doubt, near};
use crate::model::cost::Path;
use crate::model::format::NumberFormat;
use crate::model::gpu::{Basis, Gpu, Sourced};
use crate::model::published::Published;
use crate::model::quantity::{FlopRate, Quantity};
use crate::model::units;

impl Gpu {
    /// Peaks of two formats in a ratio that no device has.
    pub(super) fn sparse_for_dense(&self, published: &Published) -> Vec<Doubt> {
        let doubts = [
            self.fp8_to_bf16(published),
            self.sixteen_bits_differ(published),
            self.tf32_above_sixteen_bits(published),
        ];
        doubts.into_iter().flatten().collect()
    }

    /// The peak of a format's matrix unit, unless it was measured.
    ///
    /// The ratios are laws of peaks: measured rates have any, and none of them says that a figure is sparse.
    fn unmeasured(&self, format: NumberFormat) -> Option<&Sourced<FlopRate>> {
        let peak = &self.compute_roof(Path::matrix(format))?.peak;
        (peak.basis != Basis::Achievable).then_some(peak)
    }

    /// Whether both are what is published of the device, so that their ratio is as it is.
    fn are_published(&self, published: &Published, formats: [NumberFormat; 2]) -> bool {
        let is = |format| {
            let path = Path::matrix(format);
            let Some(own) = self.compute_roof(path) else {
                return false;
            };
            let value = own.peak.value.get();
            let known = published.peaks(self, path);
            known
                .iter()
                .any(|(_, roof)| near(value, roof.peak.value.get(), 0.03))
        };
        formats.into_iter().all(is)
    }

    fn fp8_to_bf16(&self, published: &Published) -> Option<Doubt> {
        let formats = [NumberFormat::FP8, NumberFormat::BF16];
        let [fp8, bf16] = formats.map(|format| self.unmeasured(format));
        let (fp8, bf16) = (fp8?.value, bf16?.value);
        let ratio = fp8.get() / bf16.get();
        let usual = [1.0, 2.0].iter().any(|usual| near(ratio, *usual, 0.03));
        if usual || self.are_published(published, formats) {
            return None;
        }
        let text = format!(
            "FP8 is {ratio:.2} times BF16, usually 1 or 2: is one of them the figure with structured sparsity? \
             Dense, FP8 would be {} from BF16",
            units::short(bf16.get() * 2.0, FlopRate::UNIT)
        );
        Some(Doubt::peak(Path::matrix(NumberFormat::FP8), text))
    }

    /// FP16 and BF16 of one matrix unit a factor of two apart.
    ///
    /// Published ones may be: the MI100 has half the rate in BF16.
    fn sixteen_bits_differ(&self, published: &Published) -> Option<Doubt> {
        let formats = [NumberFormat::FP16, NumberFormat::BF16];
        let [fp16, bf16] = formats.map(|format| self.unmeasured(format));
        let (fp16, bf16) = (fp16?.value, bf16?.value);
        let ratio = fp16.get() / bf16.get();
        let doubled = [0.5, 2.0].iter().any(|double| near(ratio, *double, 0.03));
        if !doubled || self.are_published(published, formats) {
            return None;
        }
        let text = format!(
            "FP16 at {fp16} and BF16 at {bf16} are a factor of two apart: is the larger one the figure with structured sparsity?"
        );
        let larger = formats[usize::from(bf16 > fp16)];
        Some(Doubt::peak(Path::matrix(larger), text))
    }

    /// TF32 above both 16-bit formats, which have no fewer multipliers on any device.
    fn tf32_above_sixteen_bits(&self, published: &Published) -> Option<Doubt> {
        let tf32 = self.unmeasured(NumberFormat::TF32)?.value;
        let sixteen = [NumberFormat::BF16, NumberFormat::FP16];
        let known = sixteen
            .into_iter()
            .filter_map(|f| Some((f, self.unmeasured(f)?.value)));
        let (format, most) = known.max_by(|a, b| a.1.get().total_cmp(&b.1.get()))?;
        let above = tf32.get() > most.get() * 1.03;
        if !above || self.are_published(published, [NumberFormat::TF32, format]) {
            return None;
        }
        let text = format!(
            "TF32 at {tf32} is above {format} at {most}, as on no device: is it the figure with structured sparsity, or of another format?"
        );
        Some(Doubt::peak(Path::matrix(NumberFormat::TF32), text))
    }
}
