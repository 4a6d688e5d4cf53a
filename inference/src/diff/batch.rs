//! A rate over a recording, and how far off it may be: by the spread of batches.

use super::model::{Estimate, Figure, Verdict};
use super::student::{both_tails, limit};
use crate::pressure::course::Courses;

/// So many batches a recording is cut into, one after the other.
const BATCHES: [usize; 3] = [10, 20, 40];
/// How often the true value may be outside an interval.
const OUTSIDE: f64 = 0.05;
/// Nanoseconds of a second.
const SECOND: f64 = 1e9;

/// The rates of one lock.
pub(super) struct Rates {
    /// Time blocked by time elapsed.
    pub(super) blocked: Rate,
    /// Time blocked by time running.
    pub(super) pressure: Rate,
}

/// A sum of one thing by the sum of another, with the error of that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    value: f64,
    /// The standard error, with so many batches; none: there are not as many intervals.
    errors: [Option<f64>; BATCHES.len()],
    /// No value is above.
    most: f64,
    /// What it is made of.
    of: Parts,
}

/// A sum of stays, and by what it was divided.
#[derive(Clone, Copy, Debug)]
struct Parts {
    sum: f64,
    whole: f64,
    stays: f64,
    /// The unit of the rate.
    unit: f64,
}

impl Parts {
    /// The standard error that each of two rates has if they are the same rate, and its stays come by chance: of both together so many
    /// in so long, of lengths that are as different as those of an exponential distribution. A short recording without any is not
    /// known to have none.
    fn by_chance(&self, other: &Self) -> (f64, f64) {
        let stays = self.stays + other.stays;
        let (sum, whole) = (self.sum + other.sum, self.whole + other.whole);
        let error = |of: &Self| match stays > 0.0 && of.whole > 0.0 {
            true => (2.0 * (sum / whole) * (sum / stays) / of.whole).sqrt() * of.unit,
            false => 0.0,
        };
        (error(self), error(other))
    }
}

impl Rates {
    /// Those of a lock; where nobody was held up by it, of nothing.
    pub(super) fn of(courses: &Courses, lock: Option<u32>) -> Self {
        let course = lock.and_then(|id| courses.locks.get(&id));
        let nothing = vec![0; courses.elapsed.len()];
        let (times, stays) = course.map_or((&nothing, 0), |course| (&course.times, course.stays));
        Self {
            blocked: Rate::of(times, &courses.elapsed, stays, f64::INFINITY).times(SECOND),
            pressure: Rate::of(times, &courses.running, stays, 1.0),
        }
    }
}

impl Rate {
    /// `times` by `of`, interval by interval, made of so many stays.
    fn of(times: &[u64], of: &[u64], stays: u64, most: f64) -> Self {
        let total = |all: &[u64]| all.iter().map(|&ns| ns as f64).sum::<f64>();
        let whole = total(of);
        let value = match whole > 0.0 {
            true => total(times) / whole,
            false => 0.0,
        };
        let error = |batches: usize| {
            let spread = spread(times, of, value, batches)?;
            Some((spread / whole).max(least(value, stays)))
        };
        Self {
            value,
            errors: BATCHES.map(|batches| error(batches).filter(|_| whole > 0.0)),
            most,
            of: Parts {
                sum: total(times),
                whole,
                stays: stays as f64,
                unit: 1.0,
            },
        }
    }

    fn times(self, factor: f64) -> Self {
        Self {
            value: self.value * factor,
            errors: self.errors.map(|error| error.map(|error| error * factor)),
            most: self.most * factor,
            of: Parts {
                unit: self.of.unit * factor,
                ..self.of
            },
        }
    }

    /// The error of each number of batches that there is, with its degrees of freedom.
    fn known(&self) -> impl Iterator<Item = (f64, f64)> {
        let all = self.errors.iter().zip(BATCHES);
        all.filter_map(|(error, batches)| error.map(|error| (error, batches as f64 - 1.0)))
    }

    /// With the widest interval of any number of batches. Of what never was, nobody knows how seldom it is.
    fn estimate(&self) -> Estimate {
        let reach = widest(self.known()).filter(|_| self.value > 0.0);
        Estimate {
            value: self.value,
            low: reach.map(|reach| (self.value - reach).max(0.0)),
            high: reach.map(|reach| (self.value + reach).min(self.most)),
        }
    }

    /// Another one beside this one.
    pub(super) fn against(&self, other: &Self) -> Figure {
        let value = other.value - self.value;
        let (mine, its) = self.of.by_chance(&other.of);
        let at_least = |(error, freedom): (f64, f64), least: f64| (error.max(least), freedom);
        let errors = self.known().zip(other.known());
        let errors = errors.map(|(a, b)| joined(at_least(a, mine), at_least(b, its)));
        let errors: Vec<(f64, f64)> = errors.collect();
        let reach = widest(errors.iter().copied());
        let chances = errors.iter().map(|&(error, freedom)| match value == 0.0 {
            true => 1.0,
            false => both_tails(value / error, freedom),
        });
        let p = chances.reduce(f64::max).unwrap_or(1.0);
        Figure {
            a: self.estimate(),
            b: other.estimate(),
            difference: Estimate {
                value,
                low: reach.map(|reach| value - reach),
                high: reach.map(|reach| value + reach),
            },
            p,
            adjusted: p,
            verdict: Verdict::NotShown,
        }
    }
}

fn widest(errors: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let reach = errors.map(|(error, freedom)| error * limit(OUTSIDE, freedom));
    reach.reduce(f64::max)
}

/// The error of a difference, with its degrees of freedom after Welch and Satterthwaite.
fn joined((a, of_a): (f64, f64), (b, of_b): (f64, f64)) -> (f64, f64) {
    let (a, b) = (a * a, b * b);
    let both = a + b;
    let freedom = match both > 0.0 {
        true => (both * both / (a * a / of_a + b * b / of_b)).max(of_a.min(of_b)),
        false => of_a + of_b,
    };
    (both.sqrt(), freedom)
}

/// However alike batches are: stays that come by chance are never counted better than that.
fn least(value: f64, stays: u64) -> f64 {
    value / (stays.max(1) as f64).sqrt()
}

/// The standard error of the sum of `times`, where `of` had any part in it, by the spread of so many batches; none where
/// there are fewer intervals.
fn spread(times: &[u64], of: &[u64], value: f64, batches: usize) -> Option<f64> {
    if times.len() < batches {
        return None;
    }
    let mut rest = vec![0.0; batches];
    for (at, (&time, &of)) in times.iter().zip(of).enumerate() {
        rest[at * batches / times.len()] += time as f64 - value * of as f64;
    }
    let squares: f64 = rest.iter().map(|rest| rest * rest).sum();
    let n = batches as f64;
    Some((squares * n / (n - 1.0)).sqrt())
}
