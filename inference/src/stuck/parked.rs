//! Those that the looks found parked when the recording ended: who wants to own something, and who was parked on
//! something else all along.

use super::Ending;
use crate::analysis::Analysis;
use crate::collect::parked::{OpenPark, ParkedLog};
use crate::collect::{Collected, Open};
use crate::model::{Standstill, Wants};
use crate::parked::{Aim, aim};
use locklens_trace::record::Owner;
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// A recording under this says nothing of who stands still.
const LEAST: Nanos = Nanos(1_000_000_000);

/// Threads parked to own a lock.
pub(super) struct Parked {
    pub(super) open: Vec<(LockId, Open)>,
    /// Locks that readers held meanwhile.
    pub(super) read: BTreeSet<LockId>,
}

/// Threads that the last looks found parked on a lock that they agree has an owner; or, as long as they were there, none,
/// and all they want is to own it. One that is parked with a time-out goes on by itself. One that has run meanwhile may have
/// owned it, and come back between two looks: of that it is only known where the last ones found it.
pub(super) fn blocked(collected: &Collected) -> Parked {
    let mut found = Parked {
        open: Vec::new(),
        read: BTreeSet::new(),
    };
    for (lock, log, at) in all(collected).filter(|(.., at)| !at.timed) {
        match (at.owner, aim(collected, lock, log, at)) {
            (Owner::Thread(_), _) => {}
            (_, Aim::Own { read }) if at.unowned => {
                found.read.extend(read.then_some(lock));
            }
            _ => continue,
        }
        let since = match at.owner {
            _ if may_have_run(collected, at.thread) => at.last,
            // Where it is not known, another owner says that the lock was free meanwhile.
            Owner::Thread(_) if collected.end_still.is_none() => at.owner_since,
            _ => at.since,
        };
        let open = open(at, false);
        found.open.push((lock, Open { since, ..open }));
    }
    found
}

/// Whether a parked thread is not known to have stayed there; where that is known of none, the looks are believed.
fn may_have_run(collected: &Collected, thread: ThreadId) -> bool {
    let still = collected.end_still.as_ref();
    still.is_some_and(|still| !still.contains(&thread))
}

fn all(collected: &Collected) -> impl Iterator<Item = (LockId, &ParkedLog, &OpenPark)> {
    let logs = collected.parked.iter();
    logs.flat_map(|(&lock, log)| log.open.iter().map(move |at| (lock, log, at)))
}

/// The stay as that of a thread at a monitor.
pub(super) fn open(at: &OpenPark, waits: bool) -> Open {
    Open {
        thread: at.thread,
        waits,
        timed: at.timed,
        since: at.since,
        // Its chain begins in the JDK, in no region of the lock.
        stack: None,
        owner: at.owner,
    }
}

impl Ending<'_> {
    /// Where a thread was still parked, if nobody is known to own that: it waits.
    pub(super) fn parks(&self, thread: ThreadId) -> Option<(LockId, Open)> {
        let (lock, at) = self.parked_at(thread)?;
        Some((lock, open(at, true)))
    }

    fn parked_at(&self, thread: ThreadId) -> Option<(LockId, &OpenPark)> {
        let mut all = all(self.collected);
        let (lock, _, at) = all.find(|(.., at)| at.thread == thread)?;
        Some((lock, at))
    }

    /// Where it was parked.
    pub(super) fn parked_stack(&self, thread: ThreadId) -> Option<StackId> {
        self.parked_at(thread)?.1.stack
    }

    /// Since when the looks found a lock owned by this thread: as long as any that is parked on it was there.
    pub(super) fn owned_since(&self, lock: LockId, owner: ThreadId) -> Option<Nanos> {
        let open = &self.collected.parked.get(&lock)?.open;
        let of_owner = open.iter().filter(|at| at.owner == Owner::Thread(owner));
        of_owner.map(|at| at.owner_since).min()
    }

    /// What threads were parked on from the first look to the last, other than to own it, or waited on, the most threads first.
    pub(crate) fn standstills(&self, analysis: &Analysis) -> Vec<Standstill> {
        let mut found: BTreeMap<(LockId, Wants), Vec<&OpenPark>> = BTreeMap::new();
        if self.collected.recording.duration < LEAST {
            return Vec::new();
        }
        for (lock, log, at) in all(self.collected) {
            let stands = at.since == Nanos(0) && !at.timed && !self.open.contains_key(&at.thread);
            if !stands || may_have_run(self.collected, at.thread) {
                continue;
            }
            if let Aim::Event(wants) = aim(self.collected, lock, log, at) {
                found.entry((lock, wants)).or_default().push(at);
            }
        }
        let mut found: Vec<_> = found
            .into_iter()
            .map(|((lock, wants), parked)| self.standstill(lock, wants, &parked))
            .collect();
        found.extend(self.waits(analysis));
        found.sort_by_key(|at| std::cmp::Reverse(at.threads.len()));
        found
    }

    fn standstill(&self, lock: LockId, wants: Wants, parked: &[&OpenPark]) -> Standstill {
        let def = self.collected.parked.get(&lock).and_then(|log| log.def);
        let chain = parked.iter().find_map(|at| at.stack);
        let stuck = |at: &&OpenPark| self.stuck(lock, open(at, true));
        Standstill {
            threads: parked.iter().map(stuck).collect(),
            wants,
            proven: self.collected.end_still.is_some(),
            state: def.and_then(|def| Some((def.state?.low, def.state?.high))),
            shared: def.is_some_and(|def| def.shared),
            chain: chain.and_then(|id| self.collected.catalog.call_chain(id)),
        }
    }
}
