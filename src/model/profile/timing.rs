//! What repeated launches took: their sum, median and spread.

/// Times of all launches of a line, in s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timing {
    /// All launches together.
    pub sum: f64,
    pub median: f64,
    pub shortest: f64,
    pub longest: f64,
}

impl Timing {
    /// Of single times in s, none of which need be sorted; `None` without a positive finite one.
    ///
    /// The median of an even number is the mean of the middle two.
    pub fn of(times: &mut [f64]) -> Option<Self> {
        let valid = |time: &f64| time.is_finite() && *time > 0.0;
        if times.is_empty() || !times.iter().all(valid) {
            return None;
        }
        times.sort_by(f64::total_cmp);
        let sum: f64 = times.iter().sum();
        let middle = times.len() / 2;
        let median = if times.len() % 2 == 1 {
            times[middle]
        } else {
            times[middle - 1] + (times[middle] - times[middle - 1]) / 2.0
        };
        sum.is_finite().then_some(Self {
            sum,
            median,
            shortest: times[0],
            longest: times[times.len() - 1],
        })
    }

    /// A single launch.
    pub fn once(time: f64) -> Option<Self> {
        Self::of(&mut [time])
    }

    /// How far launches differ: (longest − shortest) ÷ median.
    pub fn spread(&self) -> f64 {
        (self.longest - self.shortest) / self.median
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_not_the_mean() {
        let timing = Timing::of(&mut [3.0, 1.0, 10.0, 2.0]).unwrap();
        assert_eq!((timing.sum, timing.median), (16.0, 2.5));
        assert_eq!((timing.shortest, timing.longest), (1.0, 10.0));
        assert_eq!(timing.spread(), 3.6);
    }

    #[test]
    fn a_time_that_is_none_leaves_none() {
        assert_eq!(Timing::of(&mut []), None);
        assert_eq!(Timing::once(0.0), None);
        assert_eq!(Timing::once(f64::INFINITY), None);
    }
}
