//! Groups released together, as far as waits alone show them.
//!
//! Whoever opens a barrier of k parties does not wait, so watching shows k - 1 waits and k - 1 ends
//! of waits for each meeting. In the order in which they began to wait, waiters fall into groups of
//! k - 1; when the first of a group goes on, his whole group must be there. Who comes late from an
//! earlier group, or early to the next, does no harm.

use super::case::{Candidate, Case};
use super::log::{Entry, Instance, Log, Stay};
use std::collections::BTreeSet;

/// Group sizes tried.
const SIZES: std::ops::RangeInclusive<u64> = 1..=12;

/// Waits of another kind in the same region (for the last group to leave, for a place) break up
/// groups without disproving anything.
const LEAST: f64 = -2.0;
const LOSS: f64 = 1.5;
/// Where of so many ends of waits not even every fourth is a whole group, they are no groups.
const MANY: u32 = 50;
const REFUTED: f64 = -6.0;
/// A whole group going on together, and all of them at most.
const GAIN: f64 = 0.5;
const MOST: f64 = 4.0;

/// How well one group size explains who goes on.
pub(super) struct Groups {
    /// Waiters released together.
    pub(super) size: u64,
    /// Releases of a whole group.
    pub(super) whole: u32,
    /// Ends of waits that no group explains.
    pub(super) broken: u32,
}

impl Groups {
    /// Groups of one are what every lock shows.
    pub(super) fn log_odds(&self) -> f64 {
        let all = self.whole + self.broken;
        if all >= MANY && self.whole < all / 4 {
            return REFUTED;
        }
        let gain = if self.size > 1 {
            GAIN * f64::from(self.whole)
        } else {
            0.0
        };
        (gain.min(3.0 * MOST) - LOSS * f64::from(self.broken)).clamp(LEAST, MOST)
    }
}

/// The size that explains most, if any explains nearly everything.
pub(super) fn best(case: &Case, candidate: &Candidate) -> Option<Groups> {
    // A group larger than all who ever waited is never whole.
    let crowd = crowd(&case.partial, &candidate.regions());
    let tried = SIZES
        .take_while(|&size| size <= crowd)
        .filter_map(|size| of_size(case, candidate, size));
    let good = tried.filter(|g| g.whole > g.broken * 10);
    good.max_by(|a, b| {
        a.log_odds()
            .total_cmp(&b.log_odds())
            .then(a.size.cmp(&b.size))
    })
}

/// How well groups of that size explain the incomplete instances.
pub(super) fn of_size(case: &Case, candidate: &Candidate, size: u64) -> Option<Groups> {
    if size == 0 {
        // Whoever comes opens it: nobody waits, and nothing is seen.
        return None;
    }
    let regions = candidate.regions();
    let mut groups = Groups {
        size,
        whole: 0,
        broken: 0,
    };
    for instance in &case.partial.instances {
        One {
            regions: &regions,
            waiting: Vec::new(),
            groups: &mut groups,
        }
        .run(instance);
    }
    (groups.whole > 0).then_some(groups)
}

/// The most that ever waited at once on one object.
pub(super) fn crowd(log: &Log, regions: &BTreeSet<usize>) -> u64 {
    let mut most = 0;
    let mut waiting: Vec<u32> = Vec::new();
    for instance in &log.instances {
        waiting.clear();
        for entry in &instance.entries {
            match entry {
                Entry::Stay(s) if regions.contains(&usize::from(s.region)) => {
                    waiting.retain(|&w| w != s.thread);
                    if s.waits() {
                        waiting.push(s.thread);
                        most = most.max(waiting.len());
                    }
                }
                Entry::Reset => waiting.clear(),
                _ => {}
            }
        }
    }
    most as u64
}

/// One lock object.
struct One<'a> {
    regions: &'a BTreeSet<usize>,
    /// Who waits, longest first, and whether he has been released.
    waiting: Vec<(u32, bool)>,
    groups: &'a mut Groups,
}

impl One<'_> {
    fn run(&mut self, instance: &Instance) {
        for entry in &instance.entries {
            match entry {
                Entry::Stay(s) if self.regions.contains(&usize::from(s.region)) => self.step(s),
                Entry::Reset => self.waiting.clear(),
                _ => {}
            }
        }
    }

    fn step(&mut self, stay: &Stay) {
        let place = self.waiting.iter().position(|w| w.0 == stay.thread);
        if let Some(place) = place {
            if !stay.fresh && !stay.timed_out && !self.waiting[place].1 {
                self.release(stay.thread);
            }
            self.waiting.retain(|w| w.0 != stay.thread);
        }
        if stay.waits() {
            self.waiting.push((stay.thread, false));
        }
    }

    /// Those who have waited longest form the oldest group, and so on; an older one may have been
    /// released too and be late.
    fn release(&mut self, first: u32) {
        let size = self.groups.size as usize;
        let held = || self.waiting.iter().filter(|w| !w.1);
        let place = held().position(|w| w.0 == first).unwrap_or(0);
        let begin = place / size * size;
        if held().count() < begin + size {
            self.groups.broken += 1;
            return;
        }
        self.groups.whole += 1;
        let held = self.waiting.iter_mut().filter(|w| !w.1);
        held.skip(begin).take(size).for_each(|w| w.1 = true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_hardly_ever_goes_in_groups_meets_nobody() {
        let groups = |whole, broken| Groups {
            size: 4,
            whole,
            broken,
        };
        assert!(groups(930, 5_965).log_odds() <= REFUTED);
        assert!(groups(2_272, 909).log_odds() >= LEAST);
        assert!(groups(3, 20).log_odds() >= LEAST, "too few to tell");
    }
}
