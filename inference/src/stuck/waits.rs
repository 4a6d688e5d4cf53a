//! Those that wait on monitors when the recording ends, and have done so since before it: several in one operation of one
//! lock. One alone is a timer or the like. Not those whom the JVM wakes, nor those in code of the JDK's.

use super::{Ending, is_woken_by_jvm};
use crate::analysis::Analysis;
use crate::collect::Open;
use crate::effects::is_platform_name;
use crate::model::{LogicalLock, Standstill, Wants};
use crate::types::{LockType, Role};
use locklens_trace::{LockId, Nanos, ThreadId};
use std::collections::BTreeMap;

/// Threads of a group.
const FEWEST: usize = 2;

impl Ending<'_> {
    /// What threads wait on that nobody has notified, by logical lock.
    pub(super) fn waits(&self, analysis: &Analysis) -> Vec<Standstill> {
        let mut groups: BTreeMap<u32, Vec<(LockId, Open)>> = BTreeMap::new();
        for (&thread, &(lock, open)) in &self.open {
            let stays = self.is_at_monitor(thread) && open.waits && open.since == Nanos(0);
            let stuck = stays.then(|| self.stuck(lock, open));
            let stuck = stuck.filter(|stuck| !is_woken_by_jvm(&stuck.class));
            if let Some(number) = stuck.and_then(|stuck| stuck.lock) {
                groups.entry(number).or_default().push((lock, open));
            }
        }
        let groups = groups.into_iter();
        let groups = groups.filter(|(_, waiting)| waiting.len() >= FEWEST);
        groups
            .filter_map(|(number, waiting)| {
                let mut locks = analysis.model.locks.iter();
                let lock = locks.find(|lock| lock.id == number && !is_idle(lock))?;
                Some(self.group(lock, waiting))
            })
            .collect()
    }

    fn is_at_monitor(&self, thread: ThreadId) -> bool {
        !self.parked.contains(&thread)
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

/// Nobody notifies who joins, nor need anybody see to what the JDK's own code waits for.
fn is_idle(lock: &LogicalLock) -> bool {
    let joins = { lock.types.first() }.is_some_and(|best| best.lock_type == LockType::Join);
    let mut waits = { lock.regions.iter() }
        .filter(|at| at.waits.count > 0)
        .peekable();
    joins || waits.peek().is_some() && waits.all(|at| is_platform_name(&at.class))
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
