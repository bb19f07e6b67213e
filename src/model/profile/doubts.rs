//! What is odd about a measured kernel, a sentence each, the likeliest cause first.
use super::{Analysis, Judged, Profile, Unjudged};
use crate::model::cost::Level;
use crate::model::gpu::Gpu;
use crate::model::placement::Resource;
use crate::model::units::{self, Unit};

/// From this multiple of a roof on, a unit or a byte formula is wrong rather than a cache at work.
const WRONG_UNITS: f64 = 10.0;

/// Up to this part two counts of bytes are the same.
const SAME_TRAFFIC: f64 = 0.02;

impl Analysis {
    /// What is odd about a line: above its roof and why, caches that move less than the memory, times that differ.
    pub fn doubts(&self, profile: &Profile, line: usize, gpu: Option<&Gpu>) -> Vec<String> {
        let mut doubts = Vec::new();
        doubts.extend(gpu.and_then(|gpu| self.no_roof(line, gpu)));
        doubts.extend(gpu.and_then(|gpu| self.other_path(line, gpu)));
        doubts.extend(gpu.and_then(|gpu| self.above(profile, line, gpu)));
        doubts.extend(self.cache_below_memory(profile, line));
        doubts.extend(self.slowed(profile, line));
        doubts
    }

    /// `MI355X has no L2 bandwidth, so nothing is judged: add it to the GPU`.
    fn no_roof(&self, line: usize, gpu: &Gpu) -> Option<String> {
        let name = &gpu.name;
        let lacks = match self.lines.get(line)?.unjudged? {
            Unjudged::NoComputeRoof(path) => format!("{name} has no {path} roof"),
            Unjudged::NoMemoryRoof(level) => format!("{name} has no {} bandwidth", level.name()),
            Unjudged::NothingAsked => return None,
        };
        Some(format!(
            "{lacks}, so nothing judges this kernel: add it to the GPU"
        ))
    }

    /// `RTX 2070 has no FP16 vector roof: the memory judges this work`.
    fn other_path(&self, line: usize, gpu: &Gpu) -> Option<String> {
        let judged = self.lines.get(line)?;
        let (wanted, path) = (judged.wanted?, judged.path?);
        Some(format!(
            "{} has no {wanted} roof: the memory judges this work, which by the one of {path} would take less time; give the GPU its own to be sure",
            gpu.name
        ))
    }

    /// `114.4 % of the DRAM roof: the working set of 16.78 MB fits in L2 (96 MB)`.
    fn above(&self, profile: &Profile, line: usize, gpu: &Gpu) -> Option<String> {
        let judged = self.lines.get(line)?;
        if !judged.is_above() {
            return None;
        }
        let share = judged.share()?;
        let limiter = judged.limiter?;
        let causes = match limiter {
            _ if share >= WRONG_UNITS => vec![
                "probably wrong units or bytes".to_owned(),
                "another device".to_owned(),
            ],
            Resource::Memory(level) => self.memory_causes(profile, line, gpu, level),
            _ => compute_causes(judged),
        };
        Some(format!(
            "{} of the {} roof: {}",
            units::percent(share),
            limiter.name(),
            causes.join(", or ")
        ))
    }

    fn memory_causes(
        &self,
        profile: &Profile,
        line: usize,
        gpu: &Gpu,
        level: Level,
    ) -> Vec<String> {
        let launches = profile.kernels.lines[line].count as f64;
        let moved = self.traffic_at(profile, line, level).unwrap_or(0.0) / launches;
        let nearer = [Level::Llc, Level::L2, Level::L1];
        let mut caches = nearer.into_iter().filter(|cache| *cache > level);
        let fits = caches.find(|cache| {
            let size = gpu.parts.cache_of_all(*cache);
            size.is_some_and(|size| moved <= size)
        });
        let mut causes = Vec::new();
        if let Some(cache) = fits {
            let size = gpu.parts.cache_text(cache).unwrap_or_default();
            let roof = gpu.memory_roof(cache);
            let roof = roof.map(|roof| {
                let rate = roof.bandwidth.value;
                format!("; hold it against the {} roof of {rate}", cache.name())
            });
            causes.push(format!(
                "the working set of {} fits in {} ({size}){}",
                units::short(moved, Unit::Byte),
                cache.name(),
                roof.unwrap_or_default()
            ));
        } else {
            causes.push("a cache holds part of it".to_owned());
        }
        causes.push("the byte formula counts too much".to_owned());
        causes
    }

    fn cache_below_memory(&self, profile: &Profile, line: usize) -> Option<String> {
        let traffic = self.traffic_of(profile, line);
        let at = |level| {
            let found = traffic.iter().find(|(l, _)| *l == level);
            found.map(|(_, traffic)| *traffic)
        };
        let (memory, l2) = (at(Level::Dram)?, at(Level::L2)?);
        // Counters of different passes never agree to the last byte.
        (l2 < memory * (1.0 - SAME_TRAFFIC)).then(|| {
            let [memory, l2] = [memory, l2].map(|bytes| units::short(bytes, Unit::Byte));
            format!("L2 moved {l2}, less than DRAM's {memory}: they were counted in different passes, or other traffic is in them")
        })
    }

    fn slowed(&self, profile: &Profile, line: usize) -> Option<String> {
        let judged = self.lines.get(line)?;
        let kernel = profile.kernels.lines.get(line)?;
        let (profiled, given) = (kernel.timing?.sum, judged.time()?);
        if !judged.given.time {
            return None;
        }
        let each = |time: f64| units::short(time / kernel.count as f64, Unit::Second);
        let (before, now) = (each(profiled), each(given));
        Some(if profiled > given {
            let factor = units::factor(profiled / given);
            format!("{before} profiled, {now} given: profiling slowed the kernel {factor}")
        } else {
            format!("{before} profiled, {now} given: slower than under the profiler")
        })
    }
}

/// Why a kernel may lie above a compute roof, the likeliest first.
fn compute_causes(judged: &Judged) -> Vec<String> {
    let clock = match judged.clock_ratio() {
        Some(ratio) if ratio > 1.0 => {
            return vec![
                format!(
                    "the clock was {} of the nominal one, and rose further",
                    units::percent(ratio)
                ),
                "work is counted too high".to_owned(),
            ];
        }
        // The clock of the run is known, and is in the roof already.
        Some(_) => None,
        None => Some("the clock was above nominal"),
    };
    let causes = [
        "wrong device or precision (or a peak with structured sparsity)",
        "work is counted too high",
    ];
    clock.into_iter().chain(causes).map(str::to_owned).collect()
}
