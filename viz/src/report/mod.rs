//! The report: the logical locks of a recording, what hurts first (the paper's Figure 3).
//!
//! [`table`] for people, [`json`] for programs (schema 1), [`csv`] for spreadsheets.

pub(crate) mod csv;
mod json;
mod table;

pub use csv::csv;
pub use json::{SCHEMA, json};
pub(crate) use json::{lock_json, recording_json};
pub use table::table;

use locklens_inference::model::{LogicalLock, Model};
use std::cmp::Reverse;

/// What a report is sorted by; equal ones stay in order of what hurts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortKey {
    /// Time blocked, then time waited: the order of the ids.
    #[default]
    Hurt,
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
    pub const ALL: [(&'static str, Self); 10] = [
        ("hurt", Self::Hurt),
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

/// The locks of a model in the order asked for.
fn sorted(model: &Model, key: SortKey) -> Vec<&LogicalLock> {
    let mut locks: Vec<_> = model.locks.iter().collect();
    let confidence = |l: &LogicalLock| l.types.first().map_or(0, |v| (v.confidence * 1e6) as u64);
    match key {
        SortKey::Hurt => locks.sort_by_key(|l| l.id),
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
