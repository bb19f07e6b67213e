//! A placement in words: the formula with its numbers put in, and the sentence that explains it.
use super::{Launches, Overlap, Placement, Regime, Resource, Term};
use crate::model::units::{self, Unit};

impl Placement {
    /// The law with its numbers put in: `min(990 TFLOP/s, 3.35 TB/s × 1 FLOP/B) = 3.35 TFLOP/s`.
    pub fn formula(&self) -> String {
        let simple = self.overlap == Overlap::Full
            && self.terms.len() == 2
            && !self
                .terms
                .iter()
                .any(|term| term.resource == Resource::Launch);
        match (
            self.compute_roof,
            self.memory_roof,
            self.intensity(),
            self.attainable(),
        ) {
            (Some(peak), Some(bandwidth), Some(intensity), Some(attainable)) if simple => {
                format!("min({peak}, {bandwidth} × {intensity}) = {attainable}")
            }
            _ => self.time_formula(),
        }
    }

    fn time_formula(&self) -> String {
        let asked = self.terms.iter().filter(|term| term.demand > 0.0);
        let (launches, kernel): (Vec<&Term>, Vec<&Term>) =
            asked.partition(|term| term.resource == Resource::Launch);
        let quotients: Vec<_> = kernel.into_iter().map(Term::quotient).collect();
        let running = match (self.overlap, quotients.as_slice()) {
            (_, [one]) => one.clone(),
            (Overlap::Full, many) => format!("max({})", many.join(", ")),
            (Overlap::None, many) => many.join(" + "),
        };
        let all = match (launches.first(), self.launches) {
            (None, _) => running,
            (Some(term), Launches::Added) => format!("{running} + {}", term.quotient()),
            (Some(term), Launches::Hidden) => format!("max({running}, {})", term.quotient()),
        };
        format!("{all} = {}", self.roof_time)
    }

    /// One sentence that says why the time is what it is.
    pub fn explanation(&self) -> String {
        let limiter = self.limiter();
        let doing = match limiter.resource {
            Resource::Compute(path) => {
                let work = units::short(limiter.demand, Unit::Flop);
                format!("Computing {work} on {path}")
            }
            Resource::Memory(level) if level.is_link() => {
                format!(
                    "Sending {} over the {}",
                    units::short(limiter.demand, Unit::Byte),
                    level.name()
                )
            }
            Resource::Memory(level) => {
                format!(
                    "Moving {} through {}",
                    units::short(limiter.demand, Unit::Byte),
                    level.name()
                )
            }
            Resource::Launch => format!("Launching {} kernels", units::count(limiter.demand)),
        };
        let other = match self.runner_up().filter(|term| term.time.get() > 0.0) {
            None => "nothing else takes time".to_owned(),
            Some(next) => {
                let times = limiter.time.get() / next.time.get();
                let what = match next.resource {
                    Resource::Compute(_) => "the arithmetic",
                    Resource::Memory(level) if level.is_link() => "the transfer",
                    Resource::Memory(_) => "moving the bytes",
                    Resource::Launch => "the launches",
                };
                if times < 1.05 {
                    format!("about as long as {what}")
                } else {
                    format!(
                        "{} as long as {what}",
                        units::factor(times).trim_start_matches('×').to_owned() + "×"
                    )
                }
            }
        };
        let used = match self.arithmetic_utilisation() {
            Some(part) if self.regime() != Regime::ComputeBound && self.work.get() > 0.0 => {
                format!(": at most {} of it can be used", units::percent(part))
            }
            _ => String::new(),
        };
        let verb = if self.runner_up().is_some_and(|term| term.time.get() > 0.0) {
            " takes "
        } else {
            "; "
        };
        format!("{doing}{verb}{other}{used}.")
    }
}
