//! Deadlocks: threads that were blocked on each other when the recording ended.
//!
//! Only what is *known* counts: the owner that the agent read at the end, or the one that a thread
//! blocked on when its owner was blocked already and so could not let go any more. What call chains
//! tell besides is for [`nesting`](crate::nesting).

use crate::collect::{Collected, Open};
use crate::model::{Deadlock, Stuck};
use locklens_trace::record::Owner;
use locklens_trace::{LockId, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// The deadlocks of a recording, given the objects of each logical lock in the order of their ids.
#[must_use]
pub fn deadlocks(collected: &Collected, objects: &[BTreeSet<LockId>]) -> Vec<Deadlock> {
    let blocked = blocked(collected);
    let next: BTreeMap<ThreadId, ThreadId> = blocked
        .keys()
        .filter_map(|&thread| Some((thread, blocker(collected, &blocked, thread)?)))
        .collect();
    let stuck = |id: &ThreadId| {
        let (lock, open) = blocked[id];
        self::stuck(collected, objects, lock, open)
    };
    let deadlock = |ring: Vec<ThreadId>| Deadlock {
        threads: ring.iter().map(stuck).collect(),
    };
    rings(&next).into_iter().map(deadlock).collect()
}

type Blocked<'a> = BTreeMap<ThreadId, (LockId, &'a Open)>;

fn blocked(collected: &Collected) -> Blocked<'_> {
    let open = |log: &crate::collect::LockLog| log.lock;
    let all = collected
        .locks
        .iter()
        .flat_map(|log| log.open.iter().map(move |at| (open(log), at)));
    all.filter(|(_, at)| !at.waits)
        .map(|(lock, at)| (at.thread, (lock, at)))
        .collect()
}

/// The blocked thread that certainly holds what another one wants.
fn blocker(collected: &Collected, blocked: &Blocked<'_>, thread: ThreadId) -> Option<ThreadId> {
    let (lock, open) = blocked[&thread];
    let last = collected.end_owners.get(&thread);
    if let Some((_, owner)) = last.filter(|(wanted, _)| *wanted == lock) {
        return match owner {
            Owner::Thread(owner) => blocked.contains_key(owner).then_some(*owner),
            Owner::Nobody | Owner::Unknown => None,
        };
    }
    let Owner::Thread(owner) = open.owner else {
        return None;
    };
    let (_, holds) = blocked.get(&owner)?;
    (holds.since <= open.since).then_some(owner)
}

/// The rings of a graph in which each node has one successor at most, each from its lowest on.
fn rings(next: &BTreeMap<ThreadId, ThreadId>) -> Vec<Vec<ThreadId>> {
    let mut done: BTreeSet<ThreadId> = BTreeSet::new();
    let mut rings = Vec::new();
    for &start in next.keys() {
        let mut walk = Vec::new();
        let mut thread = start;
        while done.insert(thread) {
            walk.push(thread);
            match next.get(&thread) {
                Some(&blocker) => thread = blocker,
                None => break,
            }
        }
        if let Some(at) = walk.iter().position(|&t| t == thread)
            && next.get(&walk[walk.len() - 1]) == Some(&thread)
        {
            let mut ring = walk.split_off(at);
            let lowest = (0..ring.len()).min_by_key(|&i| ring[i]).unwrap_or(0);
            ring.rotate_left(lowest);
            rings.push(ring);
        }
    }
    rings.sort();
    rings
}

fn stuck(collected: &Collected, objects: &[BTreeSet<LockId>], lock: LockId, open: &Open) -> Stuck {
    let catalog = &collected.catalog;
    let thread = catalog.threads.get(&open.thread);
    let class = catalog.locks.get(&lock).map(|def| def.class);
    let logical = objects.iter().position(|all| all.contains(&lock));
    Stuck {
        thread: thread.map_or_else(
            || format!("<thread {}>", open.thread.0),
            |thread| thread.name.clone(),
        ),
        tid: thread.map(|thread| thread.tid),
        since: open.since,
        object: lock.0,
        class: class.map_or_else(|| "<unknown>".to_owned(), |id| catalog.class_name(id)),
        lock: logical.and_then(|index| u32::try_from(index + 1).ok()),
    }
}

#[cfg(test)]
mod tests;
