//! Measured figures of one device put beside the peaks of another description of it.
use super::gpu::{Basis, Confidence, Gpu, Sourced};
use super::quantity::Quantity;
use super::units;

/// What was taken over, and what had no roof to stand beside.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Merged {
    /// Paths and levels that have an achievable figure now, by name.
    pub taken: Vec<String>,
    /// Measured figures of paths and levels that the device has no roof of, by name.
    pub unmatched: Vec<String>,
    /// Figures the device has already and that are better known, by name and value.
    pub kept: Vec<String>,
    /// Figures that nobody measured, by name: they would be peaks beside peaks.
    pub not_measured: Vec<String>,
}

impl Merged {
    /// What happened to `gpu` by the figures of `device`, one of `of` in its file, in one sentence.
    pub fn told(&self, gpu: &Gpu, device: &Gpu, of: usize) -> String {
        let list = |names: &[String]| names.join(", ");
        let name = &gpu.name;
        let mut text = match self.taken.as_slice() {
            [] => format!("{name} is unchanged"),
            taken => format!("{name} has achievable figures now: {}", list(taken)),
        };
        if of > 1 {
            text += &format!(" (the file's {}, one of {of} devices)", device.name);
        }
        if !self.unmatched.is_empty() {
            text += &format!("; it has no roof of {}", list(&self.unmatched));
        }
        if !self.kept.is_empty() {
            text += &format!(
                "; kept, being better known: {} (remove a figure first to take the file's)",
                list(&self.kept)
            );
        }
        if !self.not_measured.is_empty() {
            text += &format!("; not measured, so not used: {}", list(&self.not_measured));
        }
        text + "."
    }
}

/// The device among those of a file that describes `gpu`: of the same name, else of a name within the other's, else
/// the first.
pub fn described<'a>(gpu: &Gpu, devices: &'a [Gpu]) -> Option<&'a Gpu> {
    let name = gpu.name.to_lowercase();
    let same = devices
        .iter()
        .find(|device| device.name.to_lowercase() == name);
    let within = devices.iter().find(|device| {
        let other = device.name.to_lowercase();
        name.contains(&other) || other.contains(&name)
    });
    same.or(within).or(devices.first())
}

impl Gpu {
    /// Whether any of its figures was measured.
    pub fn has_measured_figures(&self) -> bool {
        let compute = self.compute.iter();
        let memory = self.memory.iter();
        compute
            .map(|roof| measured(&roof.peak, &roof.achievable).is_some())
            .chain(memory.map(|roof| measured(&roof.bandwidth, &roof.achievable).is_some()))
            .any(|is| is)
    }

    /// Takes the measured figures of `other` as achievable ones of the same paths and levels.
    pub fn take_achievable(&mut self, other: &Gpu) -> Merged {
        let mut merged = Merged::default();
        for roof in &other.compute {
            let own = self.compute_roof_mut(roof.path);
            let place = own.map(|roof| &mut roof.achievable);
            let figure = measured(&roof.peak, &roof.achievable);
            merged.put(roof.path.to_string(), figure, place);
        }
        for roof in &other.memory {
            let own = self.memory_roof_mut(roof.level);
            let place = own.map(|roof| &mut roof.achievable);
            let figure = measured(&roof.bandwidth, &roof.achievable);
            merged.put(roof.level.name().to_owned(), figure, place);
        }
        merged
    }
}

impl Merged {
    fn put<Q: Quantity>(
        &mut self,
        name: String,
        figure: Option<&Sourced<Q>>,
        place: Option<&mut Option<Sourced<Q>>>,
    ) {
        let list = match (figure, place) {
            (None, _) => &mut self.not_measured,
            (Some(_), None) => &mut self.unmatched,
            (Some(figure), Some(Some(known))) if known.value == figure.value => return,
            (Some(figure), Some(Some(known))) if trust(known) > trust(figure) => {
                let value = units::short(known.value.get(), Q::UNIT);
                let why = known.confidence.map_or("typed here", Confidence::name);
                self.kept.push(format!("{name} {value} ({why})"));
                return;
            }
            (Some(figure), Some(place)) => {
                *place = Some(figure.clone());
                &mut self.taken
            }
        };
        list.push(name);
    }
}

/// How far a measured figure can be trusted; of a file that does not say, as one decent source.
fn trust<Q>(number: &Sourced<Q>) -> Confidence {
    match number.basis {
        Basis::Own => Confidence::High,
        _ => number.confidence.unwrap_or(Confidence::Medium),
    }
}

/// The measured one of a roof's two figures.
fn measured<'a, Q>(
    published: &'a Sourced<Q>,
    achievable: &'a Option<Sourced<Q>>,
) -> Option<&'a Sourced<Q>> {
    let only = Some(published).filter(|number| number.basis == Basis::Achievable);
    achievable.as_ref().or(only)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::cost::{Level, Path};
    use crate::model::format::NumberFormat;
    use crate::model::gpu::{ComputeRoof, MemoryRoof};
    use crate::model::quantity::{ByteRate, FlopRate};

    #[test]
    fn measured_figures_go_beside_peaks_and_the_rest_is_told() {
        let flops = |value: f64| FlopRate::try_from(value).unwrap();
        let (bf16, fp8) = (
            Path::matrix(NumberFormat::BF16),
            Path::matrix(NumberFormat::FP8),
        );
        let mut gpu = Gpu::empty("A");
        let peak = Sourced::theoretical(flops(1307e12), "sheet");
        gpu.compute.push(ComputeRoof::new(bf16, peak));
        let bandwidth = Sourced::theoretical(ByteRate::constant(5.3e12), "sheet");
        gpu.memory
            .push(MemoryRoof::new(Level::Dram, bandwidth.clone()));

        let mut file = Gpu::empty("B");
        let reached = Sourced::achievable(flops(708e12), "file");
        file.compute.push(ComputeRoof::new(bf16, reached.clone()));
        file.compute.push(ComputeRoof::new(fp8, reached.clone()));
        file.memory.push(MemoryRoof::new(Level::Dram, bandwidth));
        assert!(file.has_measured_figures() && !gpu.has_measured_figures());

        let merged = gpu.take_achievable(&file);
        assert_eq!(gpu.compute[0].peak.value, flops(1307e12));
        assert_eq!(gpu.compute[0].achievable, Some(reached));
        assert_eq!(gpu.memory[0].achievable, None);
        assert_eq!(
            merged.told(&gpu, &file, 1),
            "A has achievable figures now: BF16 matrix; it has no roof of FP8 matrix; \
             not measured, so not used: DRAM."
        );
    }
}
