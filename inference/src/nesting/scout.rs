//! What the second pass must know beforehand: which locks report their releases.
//!
//! A recording may be watched first and exact later, or exact for some locks only. An
//! acquisition reported of a lock whose releases are not would be held for ever.

use crate::collect::FastHash;
use locklens_trace::record::target_key;
use locklens_trace::{EventKind, LockId, Nanos, Record, ThreadId};
use std::collections::HashSet;

/// Looks at every record of the first pass.
#[derive(Clone, Debug, Default)]
pub struct Scout {
    released: HashSet<LockId, FastHash>,
    first: Option<Nanos>,
    /// Of releases only those are told that wake somebody.
    some: bool,
    /// Only what is new is told.
    guarded: bool,
    /// If so, starts and ends of threads.
    lives: Vec<(Nanos, ThreadId, EventKind)>,
    /// Starts and joins are told.
    kin: bool,
}

impl Scout {
    /// Takes in the next record.
    pub fn see(&mut self, record: &Record) {
        self.kin |= matches!(record, Record::Kin(_));
        if let Record::Target(facts) = record {
            self.some |= facts
                .iter()
                .any(|(key, _)| key == target_key::VM_PROBES_SINCE);
            self.guarded |= facts.iter().any(|(key, _)| key == target_key::GUARD);
        }
        if let Record::Event(event) = record
            && self.guarded
            && matches!(event.kind, EventKind::ThreadStart | EventKind::ThreadEnd)
        {
            self.lives.push((event.at, event.thread, event.kind));
        }
        if let Record::Event(event) = record
            && let (EventKind::Exit, Some(lock)) = (event.kind, event.lock)
        {
            self.released.insert(lock);
            self.first = Some(self.first.map_or(event.at, |first| first.min(event.at)));
        }
    }

    /// Whether it is told who starts threads, and who sees their ends.
    #[must_use]
    pub fn has_kin(&self) -> bool {
        self.kin
    }

    /// When threads started and ended, the latest first.
    pub(crate) fn lives(&self) -> Vec<(Nanos, ThreadId, EventKind)> {
        let mut lives = self.lives.clone();
        lives.sort_by_key(|&(at, thread, _)| std::cmp::Reverse((at, thread)));
        lives
    }

    /// Whether any release of a lock was reported.
    pub(crate) fn is_released(&self, lock: LockId) -> bool {
        self.released.contains(&lock)
    }

    /// Whether the releases of a lock were reported at that time.
    pub(crate) fn is_exact(&self, lock: LockId, at: Nanos) -> bool {
        !self.some && self.first.is_some_and(|first| at >= first) && self.released.contains(&lock)
    }
}
