//! Deadlocks: threads that were blocked on each other when the recording ended.
//!
//! Only what is *known* counts: the owner that the agent read at the end, or the one that a thread
//! blocked on when its owner was blocked already and so could not let go any more. What call chains
//! tell besides is for [`nesting`](crate::nesting).

use crate::collect::Collected;
use crate::model::{Deadlock, Stuck};
use locklens_trace::record::Owner;
use locklens_trace::{LockId, Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// The deadlocks of a recording, given the objects of each logical lock in the order of their ids.
#[must_use]
pub fn deadlocks(collected: &Collected, objects: &[BTreeSet<LockId>]) -> Vec<Deadlock> {
    let blocked = blocked(collected);
    let next: BTreeMap<ThreadId, ThreadId> = blocked
        .keys()
        .filter_map(|&thread| Some((thread, blocker(collected, &blocked, thread)?)))
        .collect();
    let stuck = |id: &ThreadId| self::stuck(collected, objects, blocked[id]);
    let deadlock = |ring: Vec<ThreadId>| Deadlock {
        threads: ring.iter().map(stuck).collect(),
    };
    rings(&next).into_iter().map(deadlock).collect()
}

/// A thread that was blocked at the end.
#[derive(Clone, Copy)]
struct Block {
    thread: ThreadId,
    /// On which lock.
    lock: LockId,
    since: Nanos,
    /// Who held that lock when it began to block; of a lock that was looked at, who held it at the end.
    owner: Owner,
    /// It was found parked by the last looks.
    parked: bool,
}

type Blocked = BTreeMap<ThreadId, Block>;

fn blocked(collected: &Collected) -> Blocked {
    let on_monitors = collected.locks.iter().flat_map(|log| {
        let open = log.open.iter().filter(|at| !at.waits);
        open.map(|at| Block {
            thread: at.thread,
            lock: log.lock,
            since: at.since,
            owner: at.owner,
            parked: false,
        })
    });
    // A thread parked with a time-out goes on by itself.
    let parked = collected.parked.iter().flat_map(|(&lock, log)| {
        let open = log.open.iter().filter(|at| !at.timed);
        open.map(move |at| Block {
            thread: at.thread,
            lock,
            since: at.since,
            owner: at.owner,
            parked: true,
        })
    });
    on_monitors
        .chain(parked.filter(|block| matches!(block.owner, Owner::Thread(_))))
        .map(|block| (block.thread, block))
        .collect()
}

/// The blocked thread that certainly holds what another one wants.
fn blocker(collected: &Collected, blocked: &Blocked, thread: ThreadId) -> Option<ThreadId> {
    let block = blocked[&thread];
    if let (true, Owner::Thread(owner)) = (block.parked, block.owner) {
        return blocked.contains_key(&owner).then_some(owner);
    }
    let last = collected.end_owners.get(&thread);
    if let Some((_, owner)) = last.filter(|(wanted, _)| *wanted == block.lock) {
        return match owner {
            Owner::Thread(owner) => blocked.contains_key(owner).then_some(*owner),
            Owner::Nobody | Owner::Unknown => None,
        };
    }
    let Owner::Thread(owner) = block.owner else {
        return None;
    };
    let holds = blocked.get(&owner)?;
    (holds.since <= block.since).then_some(owner)
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

fn stuck(collected: &Collected, objects: &[BTreeSet<LockId>], block: Block) -> Stuck {
    let lock = block.lock;
    let catalog = &collected.catalog;
    let thread = catalog.threads.get(&block.thread);
    let class = catalog.locks.get(&lock).map(|def| def.class);
    let logical = objects.iter().position(|all| all.contains(&lock));
    Stuck {
        thread: thread.map_or_else(
            || format!("<thread {}>", block.thread.0),
            |thread| thread.name.clone(),
        ),
        tid: thread.map(|thread| thread.tid),
        since: block.since,
        object: lock.0,
        class: class.map_or_else(|| "<unknown>".to_owned(), |id| catalog.class_name(id)),
        lock: logical.and_then(|index| u32::try_from(index + 1).ok()),
    }
}

#[cfg(test)]
mod tests;
