//! What the benches share: criterion takes the times, and each is told as a multiple of another of the same run.
//!
//! Absolute times depend on the machine and on what else it does; the ratios do so far less.
#![allow(dead_code, reason = "each bench uses a part of it")]
use criterion::Criterion;
use std::time::{Duration, Instant};

/// Criterion for runs that take long: few samples, no more of them than needed.
pub fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args()
}

/// Has criterion time `run`, which does something so many times and says how long that took; the median of once, in s,
/// or `None` where the name is filtered out.
pub fn timed(
    criterion: &mut Criterion,
    name: &str,
    mut run: impl FnMut(u64) -> Duration,
) -> Option<f64> {
    let mut times = Vec::new();
    criterion.bench_function(name, |bencher| {
        bencher.iter_custom(|count| {
            let time = run(count);
            times.push(time.as_secs_f64() / count as f64);
            time
        });
    });
    median(times)
}

/// The same by the clock on the wall.
pub fn by_the_clock(criterion: &mut Criterion, name: &str, mut run: impl FnMut()) -> Option<f64> {
    timed(criterion, name, |count| {
        let start = Instant::now();
        (0..count).for_each(|_| run());
        start.elapsed()
    })
}

/// The middle of some times.
pub fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}

/// Says what a time is as a multiple of another of the same run, where both were taken.
pub fn ratio(name: &str, time: Option<f64>, other: &str, yardstick: Option<f64>) {
    if let (Some(time), Some(yardstick)) = (time, yardstick) {
        let ratio = time / yardstick;
        println!("{name:<46} {:>9.3} ms = {ratio:.3} × {other}", time * 1e3);
    }
}

/// Time of this thread on a processor, where Linux tells it, which does not depend on what else the machine does; else
/// the time on the wall.
pub struct Stopwatch {
    wall: Instant,
    processor: Option<Duration>,
}

impl Stopwatch {
    pub fn start() -> Self {
        Self {
            wall: Instant::now(),
            processor: on_processor(),
        }
    }

    pub fn elapsed(&self) -> Duration {
        match (self.processor, on_processor()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.wall.elapsed(),
        }
    }
}

fn on_processor() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = told.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
