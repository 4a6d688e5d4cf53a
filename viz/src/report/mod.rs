//! The report: the logical locks of a recording, what hurts first (the paper's Figure 3).
//!
//! [`table`] for people, [`json`] for programs (schema 1), [`csv`] for spreadsheets.

mod around;
pub(crate) mod csv;
pub(crate) mod json;
mod notes;
mod placeless;
mod standstill;
mod stood;
mod stopped;
pub(crate) mod stuck;
mod table;

pub(crate) use around::Around;
pub use csv::csv;
pub use json::{SCHEMA, json};
pub(crate) use json::{
    blockage, deadlock, lock_json, recording_json, standstill as standstill_json,
};
pub(crate) use notes::missing;
pub use notes::{HEADLESS, damage, unseen};
pub(crate) use notes::{acquisitions, bare, kind, slices, still, unsampled};
pub(crate) use stopped::stopped;
pub use table::table;
pub(crate) use table::{location, name, title};

use locklens_inference::model::{LogicalLock, Model, Recording};
use std::cmp::Reverse;

/// What a report is sorted by; equal ones stay in order of what hurts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortKey {
    /// Time blocked, then time waited: the order of the ids.
    #[default]
    Hurt,
    /// The number in the report.
    Id,
    /// Acquisitions: of exact recordings; locks they are not known of come last.
    Locked,
    /// Times blocked.
    Blocked,
    /// Time blocked.
    BlockedTime,
    /// Waits.
    Waits,
    /// Time waited.
    WaitTime,
    /// Threads.
    Threads,
    /// Lock objects.
    Instances,
    /// Type.
    Type,
    /// Confidence, least sure first.
    Confidence,
    /// Name.
    Name,
}

impl SortKey {
    /// Every key with its name on the command line.
    pub const ALL: [(&'static str, Self); 12] = [
        ("hurt", Self::Hurt),
        ("id", Self::Id),
        ("locked", Self::Locked),
        ("blocked", Self::Blocked),
        ("blocked-time", Self::BlockedTime),
        ("waits", Self::Waits),
        ("wait-time", Self::WaitTime),
        ("threads", Self::Threads),
        ("instances", Self::Instances),
        ("type", Self::Type),
        ("confidence", Self::Confidence),
        ("name", Self::Name),
    ];

    /// The key of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(n, _)| *n == name)
            .map(|&(_, key)| key)
    }
}

/// The figures of a lock that a recording may not have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Acquisitions, where none can be missing.
    pub(crate) locked: Option<u64>,
    /// Times blocked.
    pub(crate) blocked: Option<u64>,
    /// Time blocked.
    pub(crate) blocked_ns: Option<u64>,
    /// Time waited.
    pub(crate) wait_ns: Option<u64>,
}

impl Known {
    /// What is known of this lock.
    pub(crate) fn of(lock: &LogicalLock, recording: &Recording) -> Self {
        let watched = !recording.clockless;
        let blocked_ns = lock.blocked.known_total().filter(|_| watched);
        Self {
            locked: lock.locked.filter(|_| recording.incomplete.is_empty()),
            blocked: watched.then_some(lock.blocked.count),
            blocked_ns: blocked_ns.map(|total| total.0),
            wait_ns: lock.waits.known_total().map(|total| total.0),
        }
    }
}

/// The locks of a model in the order asked for.
fn sorted(model: &Model, key: SortKey) -> Vec<&LogicalLock> {
    let mut locks: Vec<_> = model.locks.iter().collect();
    let confidence = |l: &LogicalLock| l.types.first().map_or(0, |v| (v.confidence * 1e6) as u64);
    match key {
        SortKey::Hurt | SortKey::Id => locks.sort_by_key(|l| l.id),
        SortKey::Locked => locks.sort_by_key(|l| Reverse(l.locked)),
        SortKey::Blocked => locks.sort_by_key(|l| Reverse(l.blocked.count)),
        SortKey::BlockedTime => locks.sort_by_key(|l| Reverse(l.blocked.total)),
        SortKey::Waits => locks.sort_by_key(|l| Reverse(l.waits.count)),
        SortKey::WaitTime => locks.sort_by_key(|l| Reverse(l.waits.total)),
        SortKey::Threads => locks.sort_by_key(|l| Reverse(l.threads)),
        SortKey::Instances => locks.sort_by_key(|l| Reverse(l.instances)),
        SortKey::Type => locks.sort_by_key(|l| crate::text::types(&l.types)),
        SortKey::Confidence => locks.sort_by_key(|l| confidence(l)),
        SortKey::Name => locks.sort_by(|a, b| a.name.cmp(&b.name)),
    }
    locks
}
