//! What a collector knows of each lock and each thread while it reads.

use super::held::Held;
use super::idtable::IdTable;
use super::slots::Slots;
use super::window::Kept;
use super::{LockLog, Open, Site, Windows};
use locklens_trace::record::Owner;
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use std::collections::BTreeMap;

/// Slots of threads: the first 64 as bits.
#[derive(Clone, Debug, Default)]
pub(super) struct ThreadSlots {
    first: u64,
    /// One word in every lock, and few have any.
    others: Option<Box<Slots>>,
}

impl ThreadSlots {
    pub(super) fn insert(&mut self, slot: u32) {
        match 1u64.checked_shl(slot) {
            Some(bit) => self.first |= bit,
            None => drop(self.others.get_or_insert_default().insert(slot)),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        let first = (0..64).filter(|slot| self.first >> slot & 1 == 1);
        first.chain(self.others.iter().flat_map(|others| others.iter()))
    }
}

/// Every event of a lock changes it: with many locks, what it costs is the lines it lies in.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub(super) struct LockState {
    pub(super) threads: ThreadSlots,
    pub(super) sites: Vec<Site>,
    pub(super) windows: Windows,
    /// See [`LockLog::entered`].
    pub(super) entered: u64,
    pub(super) events: u64,
    pub(super) probed: bool,
}

const _: () = assert!(size_of::<LockState>() == 128, "two cache lines");

impl LockState {
    /// An event happened to it.
    pub(super) fn take_in(&mut self, event: &Kept) {
        self.events += 1;
        let marks = event.marks();
        self.entered += u64::from(marks.acquires);
        self.probed |= marks.probed;
        self.threads.insert(event.thread);
        self.windows.push(event);
    }

    /// Reads a little from its beginning to its end.
    pub(super) fn touch(&self) -> u64 {
        let counts = self.events ^ self.entered ^ u64::from(self.probed);
        self.threads.first ^ self.sites.len() as u64 ^ self.windows.touch() ^ counts
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct ThreadState {
    pub(super) pending: Option<Pending>,
    pub(super) seen: bool,
    pub(super) ended: Option<Nanos>,
    pub(super) held: Held,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub(super) lock: u32,
    pub(super) waits: bool,
    pub(super) timed: bool,
    pub(super) since: Nanos,
    pub(super) stack: Option<StackId>,
    pub(super) owner: Owner,
    /// Gaps in the trace before it.
    pub(super) gaps: u64,
}

impl Pending {
    /// Whether it is one of this kind on this lock.
    pub(super) fn is(&self, lock: u32, waits: bool) -> bool {
        self.lock == lock && self.waits == waits
    }
}

/// What was seen on each lock, by id.
pub(super) fn logs(
    locks: IdTable<LockState>,
    threads: &[ThreadId],
    mut open: BTreeMap<u32, Vec<Open>>,
) -> Vec<LockLog> {
    let log = |(slot, (id, state)): (u32, (u32, LockState))| LockLog {
        lock: LockId(id),
        threads: state
            .threads
            .iter()
            .map(|slot| threads[slot as usize])
            .collect(),
        sites: state.sites,
        windows: state.windows,
        open: open.remove(&slot).unwrap_or_default(),
        entered: state.entered,
        events: state.events,
        probed: state.probed,
    };
    let mut logs: Vec<LockLog> = (0..).zip(locks.into_entries()).map(log).collect();
    logs.sort_by_key(|log| log.lock);
    logs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn slots_are_those_that_were_put_in(
            near in prop::collection::vec(0u32..300, 0..100),
            far in prop::collection::vec(any::<u32>(), 0..100),
            many in 0u32..3_000,
        ) {
            let put: Vec<u32> = near.into_iter().chain(far).chain(0..many).collect();
            let mut slots = ThreadSlots::default();
            put.iter().for_each(|&slot| slots.insert(slot));
            let kept: Vec<u32> = slots.iter().collect();
            let each: std::collections::BTreeSet<u32> = put.into_iter().collect();
            prop_assert_eq!(kept.len(), each.len());
            prop_assert_eq!(kept.into_iter().collect::<std::collections::BTreeSet<u32>>(), each);
        }
    }
}
