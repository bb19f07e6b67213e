//! A placement in words: the formula with its numbers put in, and the sentence that explains it.
use super::place::is_compute;
use super::{Launches, Overlap, Placement, Regime, Resource, Term};
use crate::model::cost::ComputeUnit;
use crate::model::units::{self, Unit};

impl Placement {
    /// The law with its numbers put in: `min(990 TFLOP/s, 3.35 TB/s × 1 FLOP/B) = 3.35 TFLOP/s`.
    pub fn formula(&self) -> String {
        if !self.operators.is_empty() {
            return self.sum_formula();
        }
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

    /// The longest operators and the sum: `gate_up 2.24 ms + down 1.12 ms + 8 others 1.2 ms = 4.5 ms`.
    fn sum_formula(&self) -> String {
        const NAMED: usize = 3;
        let mut longest: Vec<_> = self.operators.iter().collect();
        longest.sort_by(|a, b| b.roof_time().total_cmp(&a.roof_time()));
        let time = |seconds: f64| units::short(seconds, Unit::Second);
        let (named, others) = longest.split_at(NAMED.min(longest.len()));
        let mut parts: Vec<_> = named
            .iter()
            .map(|operator| format!("{} {}", operator.name, time(operator.roof_time())))
            .collect();
        if !others.is_empty() {
            let rest = others.iter().map(|operator| operator.roof_time()).sum();
            parts.push(format!("{} others {}", others.len(), time(rest)));
        }
        format!("{} = {}", parts.join(" + "), self.roof_time)
    }

    /// How the one-number model differs from the sum of the operators, and why; `None` for a single kernel.
    pub fn one_number_explanation(&self) -> Option<String> {
        let one = self.one_number_time?;
        let sum = self.roof_time;
        let less = 1.0 - one.get() / sum.get();
        let count = self.operators.len();
        if less < 5e-4 {
            let resource = self.limiter().resource.name();
            let sum = self.in_words(sum);
            return Some(format!(
                "{count} operators, one after the other: {sum}. All work and all traffic at once take as long, since \
                 {resource} limits nearly all of them."
            ));
        }
        let hidden = self.hidden_behind_the_longest();
        let sum = self.in_words(sum);
        Some(format!(
            "{count} operators, one after the other: {sum}. All work and all traffic at once would take {one}, {} less: \
             the one-number model lets {hidden} hide behind the rest, which a stream of kernels does not.",
            units::percent(less)
        ))
    }

    /// The sum of the operators: by the roofs, and what is predicted of it where that is another time.
    fn in_words(&self, sum: crate::model::quantity::Seconds) -> String {
        match self.efficiency < 1.0 {
            true => format!("{sum} by the roofs, {} predicted", self.time()),
            false => sum.to_string(),
        }
    }

    /// The operators that another resource limits than the one that decides most of the time, the longest two by name.
    fn hidden_behind_the_longest(&self) -> String {
        let decides = self.one_number_limiter();
        let mut others: Vec<_> = self
            .operators
            .iter()
            .filter(|operator| Some(operator.placement.limiter().resource) != decides)
            .collect();
        others.sort_by(|a, b| b.roof_time().total_cmp(&a.roof_time()));
        let names: Vec<_> = others
            .iter()
            .take(2)
            .map(|operator| operator.name.as_ref())
            .collect();
        match names.as_slice() {
            [] => "latencies".to_owned(),
            names => names.join(" and "),
        }
    }

    /// The resource that would set the time if everything were asked at once.
    fn one_number_limiter(&self) -> Option<Resource> {
        let longest = self
            .terms
            .iter()
            .max_by(|a, b| a.time.get().total_cmp(&b.time.get()));
        longest.map(|term| term.resource)
    }

    fn sum_explanation(&self) -> String {
        let limiter = self.limiter().resource;
        let part = self.time_decided_by(limiter) / self.roof_time.get();
        let longest = self
            .operators
            .iter()
            .max_by(|a, b| a.roof_time().total_cmp(&b.roof_time()));
        let longest = longest.map_or_else(String::new, |operator| {
            let share = units::percent(operator.roof_time() / self.roof_time.get());
            format!("; {} alone takes {share}", operator.name)
        });
        format!(
            "{} operators follow one another: {} limits {} of the time{longest}.",
            self.operators.len(),
            limiter.name(),
            units::percent(part)
        )
    }

    fn time_formula(&self) -> String {
        let asked = self.terms.iter().filter(|term| term.demand > 0.0);
        let (launches, kernel): (Vec<&Term>, Vec<&Term>) =
            asked.partition(|term| term.resource == Resource::Launch);
        let quotients = self.quotients(&kernel);
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

    /// The quotient of each pipe, level and link; formats that share a pipe stand in one sum where all overlap.
    fn quotients(&self, kernel: &[&Term]) -> Vec<String> {
        let mut pipes: Vec<(Resource, Vec<String>)> = Vec::new();
        for term in kernel {
            let same = pipes
                .iter_mut()
                .find(|(resource, _)| match (resource, term.resource) {
                    (Resource::Compute(a), Resource::Compute(b)) => a.unit == b.unit,
                    _ => false,
                });
            match same {
                Some((_, quotients)) => quotients.push(term.quotient()),
                None => pipes.push((term.resource, vec![term.quotient()])),
            }
        }
        let written = pipes
            .into_iter()
            .map(|(_, quotients)| quotients.join(" + "));
        written.collect()
    }

    /// One sentence that says why the time is what it is.
    pub fn explanation(&self) -> String {
        if !self.operators.is_empty() {
            return self.sum_explanation();
        }
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
                    Resource::Compute(path) if path.unit == ComputeUnit::SpecialFunction => {
                        "the special functions".to_owned()
                    }
                    Resource::Compute(path) if is_compute(limiter) => format!("the work on {path}"),
                    Resource::Compute(_) => "the arithmetic".to_owned(),
                    Resource::Memory(level) if level.is_link() => "the transfer".to_owned(),
                    Resource::Memory(_) => "moving the bytes".to_owned(),
                    Resource::Launch => "the launches".to_owned(),
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
