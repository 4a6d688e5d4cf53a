//! Objects that probes meet: a table of hashes seen, and a queue for those met for the first time.
//!
//! There are two: lock objects, which a recording may want or not, and what threads park on, which it wants
//! whatever the locks are that were chosen.

use super::{Arena, HASH_BITS, SEEN_REACH};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// Words of the queues' ends, in the arena's switch.
const LOCK_ENDS: (usize, usize) = (16, 32);
const BLOCKER_ENDS: (usize, usize) = (40, 48);

/// Which objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Those whose monitors are used.
    Locks,
    /// Those that threads park on, and their classes.
    Blockers,
}

/// Where things of a lane are, for code to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneAddresses {
    pub(crate) fresh_tail: i64,
    pub(crate) fresh_head: i64,
    /// The hashes of the objects in the queue.
    pub(crate) fresh_hashes: i64,
    pub(crate) seen: i64,
}

impl Lane {
    /// Entries of the table of hashes seen: a power of two.
    pub(crate) const fn seen(self) -> usize {
        match self {
            Self::Locks => 1 << 20,
            Self::Blockers => 1 << 16,
        }
    }

    /// Objects the queue of fresh ones holds: a power of two.
    pub(crate) const fn fresh(self) -> u64 {
        match self {
            Self::Locks => 1 << 13,
            Self::Blockers => 1 << 13,
        }
    }

    const fn ends(self) -> (usize, usize) {
        match self {
            Self::Locks => LOCK_ENDS,
            Self::Blockers => BLOCKER_ENDS,
        }
    }
}

impl Arena {
    pub(super) fn lane(&self, lane: Lane) -> LaneAddresses {
        let (tail, head) = lane.ends();
        let word = |at: usize| (&raw const self.switch[at]).addr() as i64;
        LaneAddresses {
            fresh_tail: word(tail),
            fresh_head: word(head),
            fresh_hashes: (&raw const self.fresh_hashes(lane)[0]).addr() as i64,
            seen: (&raw const self.seen(lane)[0]).addr() as i64,
        }
    }

    /// Positions of the queue of fresh objects that were reserved and not taken: first and end.
    pub(crate) fn fresh(&self, lane: Lane) -> (u64, u64) {
        let (tail, head) = lane.ends();
        let head = self.switch[head].load(Relaxed);
        (head, self.switch[tail].load(Acquire))
    }

    /// The hash of the object at a place in the queue, if it is there yet.
    pub(crate) fn fresh_hash(&self, lane: Lane, place: usize) -> Option<u32> {
        let hash = self.fresh_hashes(lane)[place].load(Acquire);
        (hash != 0).then_some(hash)
    }

    /// Empties a place in the queue.
    pub(crate) fn forget_fresh(&self, lane: Lane, place: usize) {
        self.fresh_hashes(lane)[place].store(0, Relaxed);
    }

    /// The queue is read up to here.
    pub(crate) fn took_fresh(&self, lane: Lane, head: u64) {
        self.switch[lane.ends().1].store(head, Release);
    }

    /// Objects of this hash are of no interest from now on.
    pub(crate) fn ignore(&self, lane: Lane, hash: u32) {
        self.set_seen(lane, hash, hash | !HASH_BITS);
    }

    /// All objects are to be offered again.
    pub(crate) fn forget_all(&self, lane: Lane) {
        let seen = self.seen(lane).iter();
        for entry in seen.filter(|entry| entry.load(Relaxed) != 0) {
            entry.store(0, Relaxed);
        }
    }

    /// An object of this hash is to be offered again.
    pub(crate) fn forget(&self, lane: Lane, hash: u32) {
        self.set_seen(lane, hash, 0);
    }

    /// Whether an object of this hash has been met and was offered, or is about to be. A probe marks it before it offers the
    /// object, and takes the mark back if there is no room in the queue; only then does it put its record.
    pub(crate) fn is_met(&self, lane: Lane, hash: u32) -> bool {
        let seen = self.seen(lane);
        let mut entries = (0..SEEN_REACH as usize).map(|step| (hash as usize + step) % lane.seen());
        entries.any(|at| seen[at].load(Relaxed) & HASH_BITS == hash)
    }

    fn set_seen(&self, lane: Lane, hash: u32, value: u32) {
        let seen = self.seen(lane);
        for step in 0..SEEN_REACH as usize {
            let entry = &seen[(hash as usize + step) % lane.seen()];
            if entry.load(Relaxed) == hash {
                entry.store(value, Relaxed);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Arena {
        /// A probe meets an object of this hash.
        pub(crate) fn meet(&self, lane: Lane, hash: u32) {
            self.seen(lane)[hash as usize % lane.seen()].store(hash, Relaxed);
        }
    }

    #[test]
    fn what_is_of_no_interest_keeps_its_hash_and_what_is_forgotten_does_not() {
        let arena = Arena::within(1 << 16, 1).expect("memory");
        for lane in [Lane::Locks, Lane::Blockers] {
            let (hash, entry) = (lane.seen() as u32 + 8, &arena.seen(lane)[9]);
            assert!(!arena.is_met(lane, hash));
            entry.store(hash, Relaxed);
            assert!(arena.is_met(lane, hash));
            arena.ignore(lane, hash);
            assert!(arena.is_met(lane, hash));
            assert_eq!(entry.load(Relaxed), hash | (1 << 31));
            entry.store(hash, Relaxed);
            arena.forget(lane, hash);
            assert_eq!(entry.load(Relaxed), 0);
            entry.store(hash, Relaxed);
            arena.clear();
            assert_eq!(entry.load(Relaxed), 0);
        }
    }
}
