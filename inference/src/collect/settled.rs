//! Stays that have been measured and may still turn out to be of unknown length.
//!
//! Events that were lost are told of after the events around them, at the agent's next heartbeat. A
//! stay whose two ends were reported may then prove to be two stays with a loss between them. Until
//! two heartbeats have gone by, the longest stays are remembered, and the short ones as far as there
//! is room: a short stay that reaches over a loss claims little.

use locklens_trace::{Nanos, StackId};

/// Stays remembered at most.
const LIMIT: usize = 8192;

/// A stay that has been counted, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stay {
    pub(super) lock: u32,
    pub(super) stack: Option<StackId>,
    pub(super) waits: bool,
    pub(super) since: Nanos,
    pub(super) until: Nanos,
}

impl Stay {
    fn length(&self) -> u64 {
        self.until.since(self.since).0
    }
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Settled {
    stays: Vec<Stay>,
    /// Shorter ones are not remembered for the time being.
    floor: u64,
    /// Time of the heartbeat before the next.
    told: Nanos,
}

impl Settled {
    pub(super) fn push(&mut self, stay: Stay) {
        if stay.length() < self.floor {
            return;
        }
        self.stays.push(stay);
        if self.stays.len() >= LIMIT {
            self.forget_short();
        }
    }

    /// Keeps the longer half.
    fn forget_short(&mut self) {
        let half = self.stays.len() / 2;
        let (_, middle, _) = self.stays.select_nth_unstable_by_key(half, Stay::length);
        // More of the same length are let go, or equal ones would stay for ever.
        self.floor = middle.length().saturating_add(1);
        self.stays.drain(..=half);
    }

    /// A heartbeat: whatever was lost before the one before has been told.
    pub(super) fn passed(&mut self, at: Nanos) {
        let told = std::mem::replace(&mut self.told, at);
        self.stays.retain(|stay| stay.until >= told);
        self.floor = 0;
    }

    /// The stays that a loss from `from` to `to` lies in. They are forgotten.
    pub(super) fn reached(&mut self, from: Nanos, to: Nanos) -> Vec<Stay> {
        let reached = self
            .stays
            .extract_if(.., |stay| stay.since <= to && from <= stay.until);
        reached.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stay(since: u64, until: u64) -> Stay {
        Stay {
            lock: 0,
            stack: None,
            waits: false,
            since: Nanos(since),
            until: Nanos(until),
        }
    }

    #[test]
    fn a_loss_reaches_the_stays_it_lies_in_once() {
        let mut settled = Settled::default();
        for (since, until) in [(0, 4), (3, 9), (8, 20)] {
            settled.push(stay(since, until));
        }
        assert_eq!(settled.reached(Nanos(5), Nanos(6)), [stay(3, 9)]);
        assert_eq!(settled.reached(Nanos(5), Nanos(6)), []);
        assert_eq!(
            settled.reached(Nanos(0), Nanos(50)),
            [stay(0, 4), stay(8, 20)]
        );
    }

    #[test]
    fn long_stays_are_remembered_among_any_number_of_short_ones() {
        let mut settled = Settled::default();
        settled.push(stay(0, 1_000_000));
        for at in 0..10 * LIMIT as u64 {
            settled.push(stay(at, at + 5));
        }
        assert!(settled.stays.len() < LIMIT);
        let reached = settled.reached(Nanos(900_000), Nanos(900_000));
        assert_eq!(reached, [stay(0, 1_000_000)]);
    }

    #[test]
    fn two_heartbeats_later_a_stay_is_certain() {
        let mut settled = Settled::default();
        settled.push(stay(0, 10));
        settled.passed(Nanos(100));
        assert_eq!(settled.stays.len(), 1);
        settled.passed(Nanos(200));
        assert!(settled.stays.is_empty());
    }
}
