//! Those that wait on monitors when the recording ends, and have done so nearly all along: several in one operation of one
//! lock. One alone is a timer or the like.

use super::Ending;
use crate::analysis::Analysis;
use crate::collect::Open;
use crate::model::{LogicalLock, Standstill, Wants};
use crate::types::Role;
use locklens_trace::{LockId, Nanos, ThreadId};
use std::collections::BTreeMap;

/// Who came during the recording has waited for so long at least, and for half of it.
const LEAST: Nanos = Nanos(5_000_000_000);
/// Threads of a group.
const FEWEST: usize = 2;

impl Ending<'_> {
    /// What threads wait on that nobody has notified, by logical lock.
    pub(super) fn waits(&self, analysis: &Analysis) -> Vec<Standstill> {
        let mut groups: BTreeMap<u32, Vec<(LockId, Open)>> = BTreeMap::new();
        for (&thread, &(lock, open)) in &self.open {
            let stuck = (self.is_at_monitor(thread) && open.waits && self.is_long(open.since))
                .then(|| self.stuck(lock, open));
            if let Some(number) = stuck.and_then(|stuck| stuck.lock) {
                groups.entry(number).or_default().push((lock, open));
            }
        }
        let groups = groups.into_iter();
        let groups = groups.filter(|(_, waiting)| waiting.len() >= FEWEST);
        groups
            .filter_map(|(number, waiting)| {
                let lock = analysis.model.locks.iter().find(|lock| lock.id == number)?;
                Some(self.group(lock, waiting))
            })
            .collect()
    }

    fn is_at_monitor(&self, thread: ThreadId) -> bool {
        !self.parked.contains(&thread)
    }

    fn is_long(&self, since: Nanos) -> bool {
        let end = self.collected.recording.until();
        let waited = end.since(since);
        since == Nanos(0) || waited >= LEAST && waited.0 >= end.0 / 2
    }

    fn group(&self, lock: &LogicalLock, mut waiting: Vec<(LockId, Open)>) -> Standstill {
        waiting.sort_by_key(|(id, open)| (open.since, *id));
        let stack = waiting.iter().find_map(|(_, open)| open.stack);
        Standstill {
            threads: { waiting.iter() }
                .map(|&(id, open)| self.stuck(id, open))
                .collect(),
            wants: if takes(lock) {
                Wants::Elements
            } else {
                Wants::Notify
            },
            proven: true,
            state: None,
            shared: true,
            chain: stack.and_then(|id| self.collected.catalog.call_chain(id)),
        }
    }
}

/// Whoever waits there wants something to take.
fn takes(lock: &LogicalLock) -> bool {
    let mut waits = lock
        .regions
        .iter()
        .filter(|at| at.waits.count > 0)
        .peekable();
    waits.peek().is_some() && waits.all(|at| at.roles.contains(&Role::Take))
}
