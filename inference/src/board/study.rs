//! What an analysis adds to what is counted: which objects are one lock, its name and types, and who is to blame.

use super::view::{Inside, Line};
use crate::analysis::Analysis;
use crate::collect::FastHash;
use crate::contention::{Blame, Key, Row, Value};
use crate::model::Model;
use locklens_trace::{LockId, Nanos};
use std::collections::HashMap;

/// The keys that blame for a board is divided by.
pub const KEYS: [Key; 4] = [
    Key::Lock,
    Key::WaiterStack,
    Key::OwnerThread,
    Key::OwnerStack,
];

/// A lock of a report.
#[derive(Clone, Debug)]
struct Known {
    id: u32,
    name: String,
    types: Vec<(String, f64)>,
    blame: Option<Row>,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Study {
    locks: Vec<Known>,
    objects: HashMap<LockId, usize, FastHash>,
    /// Objects up to this one were known when it was made.
    last: u32,
    pub(super) inside: Option<Inside>,
}

impl Study {
    /// What an analysis and blame by [`KEYS`] come to. Lock objects up to `last` were known to them.
    #[must_use]
    pub fn of(analysis: &Analysis, blame: Blame, last: LockId) -> Self {
        let mut rows: HashMap<u32, Row> = HashMap::new();
        for row in blame.total.rows {
            if let Some(Value::Lock(id, _)) = row.value {
                rows.insert(id, row);
            }
        }
        let known = analysis.model.locks.iter().map(|lock| Known {
            id: lock.id,
            name: lock.called(),
            types: lock
                .types
                .iter()
                .map(|verdict| (verdict.lock_type.name().to_owned(), verdict.confidence))
                .collect(),
            blame: rows.remove(&lock.id),
        });
        let locks = known.collect();
        let objects = analysis.objects.iter().enumerate();
        let objects = objects.flat_map(|(index, all)| all.iter().map(move |&lock| (lock, index)));
        Self {
            locks,
            objects: objects.collect(),
            last: last.0,
            inside: inside(&analysis.model),
        }
    }

    /// The lock that an object belongs to.
    pub(super) fn index_of(&self, lock: LockId) -> Option<usize> {
        self.objects.get(&lock).copied()
    }

    /// The object was there when the study was made: if it is of no lock, it is one that reports leave out.
    pub(super) fn has_seen(&self, lock: LockId) -> bool {
        lock.0 <= self.last
    }

    /// Tells what is known of that lock.
    pub(super) fn complete(&self, index: usize, line: &mut Line) {
        if let Some(known) = self.locks.get(index) {
            line.id = Some(known.id);
            line.name.clone_from(&known.name);
            line.types.clone_from(&known.types);
            line.blame.clone_from(&known.blame);
        }
    }
}

fn inside(model: &Model) -> Option<Inside> {
    let all = model.waited_inside();
    let (most, _) = all.first()?;
    let times = all.iter().map(|(_, inside)| inside.time.0);
    Some(Inside {
        time: Nanos(times.fold(0, u64::saturating_add)),
        locks: all.len(),
        most: most.name.clone(),
    })
}
