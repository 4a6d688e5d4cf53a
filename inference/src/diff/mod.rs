//! Two recordings held against each other: which locks are new, gone, of another type, and which hurt more or less.
//!
//! Two recordings of one program never agree to the nanosecond, so a difference is only called one when chance does not
//! explain it. Blocked time is bursty: a stay is followed by others, and their lengths are far from a normal
//! distribution. What is nearly normal, and nearly independent, is the sum over a part of the recording that is long beside
//! the bursts. So the recording is cut into such parts, *batches*, and their spread says how far off the whole may be
//! (the method of batch means; Conway 1963, Schmeiser 1982, who found that between 10 and 30 batches serve best, and that
//! more give away little). How long bursts are nobody knows beforehand, so it is done with 10, 20 and 40 batches, and what
//! is least sure of the three counts.
//!
//! `pairs` finds the locks of one that are locks of the other, `batch` is the spread of a rate, `student` what
//! that is worth, `verdict` corrects it for how many locks were looked at; [`model`] is the result.

mod batch;
pub mod model;
mod pairs;
mod student;
mod verdict;

use crate::model::Model;
use crate::pressure::course::Courses;
use batch::Rates;
use model::{Diff, LockDiff, OfLock};
use pairs::{pairs, unclear};

/// Intervals that a recording is cut into to be compared: batches are made of whole ones.
pub const PARTS: u32 = 640;

/// A recording as it is compared.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// What it says of its locks.
    pub model: &'a Model,
    /// When they held threads up, in about [`PARTS`] intervals.
    pub courses: &'a Courses,
}

/// Holds B against A.
#[must_use]
pub fn diff(a: Side<'_>, b: Side<'_>) -> Diff {
    let pairs = pairs(&a.model.locks, &b.model.locks);
    let unclear = unclear(&a.model.locks, &b.model.locks, &pairs);
    let locks = pairs.into_iter().map(|pair| {
        let (in_a, in_b) = (OfLock::of(a, pair.a), OfLock::of(b, pair.b));
        let [of_a, of_b] = [(a, &in_a), (b, &in_b)]
            .map(|(side, lock)| Rates::of(side.courses, lock.as_ref().map(|lock| lock.id)));
        LockDiff {
            blocked: of_a.blocked.against(&of_b.blocked),
            pressure: of_a.pressure.against(&of_b.pressure),
            same_by: pair.same_by,
            a: in_a,
            b: in_b,
        }
    });
    let mut locks: Vec<LockDiff> = locks.collect();
    verdict::correct(&mut locks);
    locks.sort_by(LockDiff::by_weight);
    Diff { locks, unclear }
}

#[cfg(test)]
mod tests;
