//! Waits inside locks that the program has built of a monitor: nobody is in the way there, and the thread is held up all the same.
//!
//! `crate::contention` counts them stay by stay, with who had the lock. What counts blocking on monitors alone says with this how
//! much there is beside it.

use super::{LogicalLock, Model, RegionReport};
use crate::types::Role;
use locklens_trace::Nanos;
use std::cmp::Reverse;

/// Time that threads waited to get a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inside {
    /// So much, …
    pub time: Nanos,
    /// … and more: of some waits it is not known how long they were, or what for.
    pub is_least: bool,
}

impl Model {
    /// The locks that the program has built, with the time that threads waited inside the operations by which they get them; most
    /// first.
    #[must_use]
    pub fn waited_inside(&self) -> Vec<(&LogicalLock, Inside)> {
        let locks = self.locks.iter();
        let mut all: Vec<_> = locks
            .filter_map(|lock| Some((lock, lock.waited_inside()?)))
            .collect();
        all.sort_by_key(|(lock, inside)| (Reverse(inside.time), lock.id));
        all
    }
}

/// A type that is not more likely than all others together does not make blocked time of waits.
const LIKELY: f64 = 0.5;

impl LogicalLock {
    /// The roles of its regions are more likely than others.
    pub(crate) fn is_likely(&self) -> bool {
        let best = self.types.first();
        best.is_none_or(|best| best.confidence > LIKELY)
    }

    /// A lock that the program has built of a monitor, as far as that is likely.
    fn is_built(&self) -> bool {
        self.sampled.is_none() && self.parks.is_none() && self.is_likely()
    }

    /// Threads waited inside operations in which they wait for something to be done, which counts as blocked time of a lock that
    /// the program has built.
    #[must_use]
    pub fn awaits_inside(&self) -> bool {
        let awaits = |role: &Role| matches!(role, Role::Put | Role::Take | Role::Await);
        let mut waits = self.regions.iter().filter(|region| region.waits.count > 0);
        self.is_built() && waits.any(|region| self.roles_of_waits(region).iter().any(awaits))
    }

    /// How long threads waited inside operations by which they get it; none if they did not.
    fn waited_inside(&self) -> Option<Inside> {
        if !self.is_built() {
            return None;
        }
        let gets = |region: &&RegionReport| {
            let roles = self.roles_of_waits(region);
            roles.iter().any(|role| role.gets())
        };
        let waits = self.regions.iter().filter(|region| region.waits.count > 0);
        let (gets, others): (Vec<_>, Vec<_>) = waits.partition(gets);
        let sums = gets.iter().map(|region| region.waits.total.0);
        let unknown = gets.iter().any(|region| region.waits.unknown > 0);
        // Where nobody was seen to wait for anything else, a wait without a place was no other.
        let unplaced = self.unplaced.waits;
        let (more, is_least) = match others.is_empty() {
            true => (unplaced.total.0, unplaced.unknown > 0),
            false => (0, unplaced.count > 0),
        };
        (!gets.is_empty()).then(|| Inside {
            time: Nanos(sums.fold(more, u64::saturating_add)),
            is_least: is_least || unknown,
        })
    }
}
