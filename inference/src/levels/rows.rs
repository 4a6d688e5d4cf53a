//! Which row of the report a lock object belongs to.
//!
//! An object is a monitor and, of another logical lock perhaps, what threads are parked on.

use crate::analysis::Analysis;
use crate::collect::Collected;
use crate::collect::idtable::IdTable;
use crate::parked;
use locklens_trace::LockId;
use std::collections::BTreeSet;

/// See the module. Locks that the report leaves out have a row behind all others.
#[derive(Debug)]
pub(super) struct Rows {
    monitors: IdTable<u32>,
    parked: IdTable<u32>,
    /// Blockers on which threads are parked to own something.
    owning: BTreeSet<LockId>,
    /// Rows whose parks were all recorded: looks add nothing to them.
    has_parks: Vec<bool>,
    /// The row of what is left out.
    pub(super) others: u32,
}

impl Rows {
    pub(super) fn new(collected: &Collected, analysis: &Analysis) -> Self {
        let mut rows = Self {
            monitors: IdTable::default(),
            parked: IdTable::default(),
            owning: parked::owning(collected),
            has_parks: Vec::new(),
            others: analysis.model.locks.len() as u32,
        };
        let locks = analysis.objects.iter().zip(&analysis.model.locks);
        for (row, (objects, lock)) in (0..).zip(locks) {
            let known = match lock.sampled.is_some() || lock.parks.is_some() {
                true => &mut rows.parked,
                false => &mut rows.monitors,
            };
            for object in objects {
                *known.get(object.0) = row;
            }
            rows.has_parks.push(lock.parks.is_some());
        }
        rows
    }

    pub(super) fn of_monitor(&self, lock: LockId) -> u32 {
        self.row(&self.monitors, lock)
    }

    pub(super) fn of_parked(&self, lock: LockId) -> u32 {
        self.row(&self.parked, lock)
    }

    #[inline]
    fn row(&self, of: &IdTable<u32>, lock: LockId) -> u32 {
        of.find(lock.0).map_or(self.others, |slot| *of.peek(slot))
    }

    /// Whether looks at parked threads are all there is of this row.
    pub(super) fn is_looked_at(&self, row: u32) -> bool {
        !self.has_parks.get(row as usize).copied().unwrap_or(false)
    }

    /// Threads are parked on it to own something.
    pub(super) fn owns(&self, lock: LockId) -> bool {
        self.owning.contains(&lock)
    }
}
