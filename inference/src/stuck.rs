//! Who is stuck when the recording ends: rings of threads that are blocked on each other (deadlocks), and
//! who holds what others are blocked on.
//!
//! Who holds a lock object is known in several ways, see [`KnownBy`]. A ring counts only if each of its
//! holders is known for certain, or by a call chain that can mean no other object. What call chains tell
//! besides is for [`nesting`](crate::nesting).

mod parked;
mod waits;

use crate::analysis::Analysis;
use crate::collect::{Collected, Open};
use crate::effects::is_platform_name;
use crate::hang::asks_for_task;
use crate::model::{Blockage, CallChain, Deadlock, Holder, KnownBy, Stand, Stuck};
use crate::nesting::standing;
use crate::parked::awaits_peers;
use locklens_trace::record::Owner;
use locklens_trace::{LockId, Nanos, ThreadId};
use parked::Parked;
use std::collections::{BTreeMap, BTreeSet};

/// What the end of a recording looked like.
pub(crate) struct Ending<'a> {
    collected: &'a Collected,
    /// The objects of each logical lock in the order of their ids.
    objects: &'a [BTreeSet<LockId>],
    /// Threads that have not come back.
    open: BTreeMap<ThreadId, (LockId, Open)>,
    /// Those of them that the last looks found parked, and in agreement on who owned the lock or that nobody did.
    parked: BTreeSet<ThreadId>,
    /// Locks that readers held while these were parked.
    read: BTreeSet<LockId>,
    /// Who of them stands in a region that locks the object.
    inside: BTreeMap<LockId, Vec<ThreadId>>,
}

/// Who is known to hold a lock object.
#[derive(Clone, Copy)]
enum Known {
    Nobody,
    Thread(ThreadId, KnownBy),
}

impl<'a> Ending<'a> {
    /// The end of what was collected.
    pub(crate) fn of(collected: &'a Collected, analysis: &'a Analysis) -> Self {
        let logs = collected.locks.iter();
        let all = logs.flat_map(|log| log.open.iter().map(move |open| (log.lock, *open)));
        let at_monitors: BTreeMap<_, _> = all
            .map(|(lock, open)| (open.thread, (lock, open)))
            .collect();
        let Parked { mut open, read } = parked::blocked(collected);
        // Who came to a monitor did so after the last look.
        open.retain(|(_, open)| !at_monitors.contains_key(&open.thread));
        let parked = open.iter().map(|(_, open)| open.thread).collect();
        let mut all = at_monitors;
        all.extend(
            open.into_iter()
                .map(|(lock, open)| (open.thread, (lock, open))),
        );
        all.retain(|&thread, (lock, open)| {
            open.waits || !came_through(collected, thread, *lock, open)
        });
        let mut ending = Self {
            collected,
            objects: &analysis.objects,
            parked,
            read,
            open: all,
            inside: BTreeMap::new(),
        };
        let unclear = |(thread, _): (&ThreadId, &(LockId, Open))| ending.named(*thread).is_none();
        if ending.blocked().any(unclear) {
            let stays = ending.open.values().map(|(lock, open)| (*lock, open));
            let held = standing(collected, analysis, stays);
            for (&thread, held) in ending.open.keys().zip(held) {
                for lock in held {
                    ending.inside.entry(lock).or_default().push(thread);
                }
            }
        }
        ending
    }

    fn blocked(&self) -> impl Iterator<Item = (&ThreadId, &(LockId, Open))> {
        self.open.iter().filter(|(_, (_, open))| !open.waits)
    }

    /// Who holds what a blocked thread wants, named by the JVM at a time from which on it was certainly so.
    fn named(&self, thread: ThreadId) -> Option<Known> {
        let (lock, open) = self.open[&thread];
        if let (true, Owner::Thread(owner)) = (self.parked.contains(&thread), open.owner) {
            return Some(Known::Thread(owner, KnownBy::End));
        }
        let last = self.collected.end_owners.get(&thread);
        if let Some((_, owner)) = last.filter(|(wanted, _)| *wanted == lock) {
            return match owner {
                Owner::Thread(owner) => Some(Known::Thread(*owner, KnownBy::End)),
                Owner::Nobody => Some(Known::Nobody),
                Owner::Unknown => None,
            };
        }
        let Owner::Thread(owner) = open.owner else {
            return None;
        };
        // Who waits on the lock itself has let go of it.
        let (elsewhere, stays) = self.open.get(&owner)?;
        let stayed = stays.since <= open.since && *elsewhere != lock;
        stayed.then_some(Known::Thread(owner, KnownBy::StillThere))
    }

    /// The same by call chains, if that is one thread.
    fn seen_inside(&self, lock: LockId) -> Option<Known> {
        match self.inside.get(&lock).map_or(&[][..], Vec::as_slice) {
            &[only] => Some(Known::Thread(only, KnownBy::CallChain)),
            _ => None,
        }
    }

    fn holder(&self, thread: ThreadId) -> Option<Known> {
        let (lock, _) = self.open[&thread];
        let seen = self.seen_inside(lock).filter(|known| match known {
            Known::Thread(owner, _) => !self.is_blocked_on(*owner, lock),
            Known::Nobody => true,
        });
        let named = self.named(thread);
        named.or_else(|| self.by_steps(thread)).or(seen)
    }

    /// The same by its own steps. Who came when these were told no more found nobody knows whom; and an owner that did not stand
    /// elsewhere by then may have let go since.
    fn by_steps(&self, thread: ThreadId) -> Option<Known> {
        let (lock, open) = self.open[&thread];
        let told = self.collected.recording.probes_off;
        let &owner = self.collected.held.get(&lock)?;
        let comes_late = told.is_some_and(|told| open.since > told);
        let stays = |told| {
            let at = self.open.get(&owner);
            at.is_some_and(|(at, open)| *at != lock && open.since <= told)
        };
        let by = match told.is_none_or(stays) {
            true => KnownBy::Steps,
            false => KnownBy::Beginning,
        };
        (owner != thread && !comes_late).then_some(Known::Thread(owner, by))
    }

    fn is_blocked_on(&self, thread: ThreadId, lock: LockId) -> bool {
        let open = self.open.get(&thread);
        open.is_some_and(|(at, open)| *at == lock && !open.waits)
    }

    /// Rings of threads that are blocked on each other.
    pub(crate) fn deadlocks(&self) -> Vec<Deadlock> {
        let next: BTreeMap<ThreadId, (ThreadId, KnownBy)> = self
            .blocked()
            .filter_map(|(&thread, _)| match self.holder(thread)? {
                Known::Thread(_, KnownBy::End) if !self.stood_at_the_end(thread) => None,
                Known::Thread(_, KnownBy::Beginning) => None,
                Known::Thread(owner, by) if self.is_blocked(owner) => Some((thread, (owner, by))),
                _ => None,
            })
            .collect();
        let stuck = |id: &ThreadId| {
            let (lock, open) = self.open[id];
            Stuck {
                known: next.get(id).map(|&(_, by)| by),
                chain: self.chain_at(*id, open),
                ..self.stuck(lock, open)
            }
        };
        let deadlock = |ring: Vec<ThreadId>| Deadlock {
            threads: ring.iter().map(stuck).collect(),
        };
        let next = next.iter().map(|(&thread, &(owner, _))| (thread, owner));
        rings(&next.collect()).into_iter().map(deadlock).collect()
    }

    /// Whether the owner that the last look named stood already where it stands. Who was blocked only after that may have let
    /// go of all that it owned then.
    fn stood_at_the_end(&self, thread: ThreadId) -> bool {
        let Some(Known::Thread(owner, _)) = self.named(thread) else {
            return false;
        };
        let listed = self.collected.end_owners.get(&owner);
        let at = self.open.get(&owner).map(|(lock, _)| *lock);
        let looked = !self.collected.end_owners.is_empty();
        !looked || self.parked.contains(&owner) || listed.is_some_and(|(lock, _)| Some(*lock) == at)
    }

    fn is_blocked(&self, thread: ThreadId) -> bool {
        self.open.get(&thread).is_some_and(|(_, open)| !open.waits)
    }

    /// What threads are blocked on, and who holds it.
    pub(crate) fn blockages(&self) -> Vec<Blockage> {
        let mut wanted: BTreeMap<LockId, Vec<ThreadId>> = BTreeMap::new();
        for (&thread, &(lock, _)) in self.blocked() {
            wanted.entry(lock).or_default().push(thread);
        }
        let mut found: Vec<Blockage> = wanted
            .into_iter()
            .filter(|(lock, threads)| !self.await_peers(*lock, threads))
            .map(|(lock, threads)| self.blockage(lock, threads))
            .collect();
        found.sort_by_key(|blockage| (blockage.first().since, blockage.first().object));
        found
    }

    /// The holder and all whom it keeps waiting are there for whoever connects or sends: that is how servers idle.
    fn await_peers(&self, lock: LockId, threads: &[ThreadId]) -> bool {
        let Some(Known::Thread(holder, _)) = self.holder_for(lock, threads) else {
            return false;
        };
        let awaits = |chain: Option<CallChain>| {
            let frames = chain.map_or_else(Vec::new, |chain| chain.frames);
            let above = frames.iter().take_while(|frame| is_platform_name(frame));
            above.into_iter().any(|frame| is_awaiting_peers(frame))
        };
        let at = |thread: &ThreadId| self.chain_at(*thread, self.open[thread].1);
        awaits(self.chain(holder)) && threads.iter().all(|thread| awaits(at(thread)))
    }

    fn blockage(&self, lock: LockId, mut threads: Vec<ThreadId>) -> Blockage {
        threads.sort_by_key(|thread| self.open[thread].1.since);
        let holder = self.holder_for(lock, &threads);
        let stand = match holder {
            Some(Known::Thread(owner, _)) => self.stand(owner, lock),
            _ => None,
        };
        Blockage {
            threads: threads
                .iter()
                .map(|thread| self.stuck(lock, self.open[thread].1))
                .collect(),
            may_be_lockout: match holder {
                Some(Known::Thread(owner, _)) => self.may_be_lockout(owner, stand.as_ref()),
                _ => false,
            },
            handed_on: self.handed_on(lock),
            holder: match holder {
                Some(known) => self.described(lock, known, stand),
                None if self.read.contains(&lock) => Holder::Readers,
                None => Holder::Unknown,
            },
        }
    }

    fn handed_on(&self, lock: LockId) -> Nanos {
        let mut logs = self.collected.locks.iter();
        let log = logs.find(|log| log.lock == lock);
        let last = log.and_then(|log| log.windows.last_entered());
        last.unwrap_or_default()
    }

    /// Whether who is to wake the holder may be one of those it keeps out.
    fn may_be_lockout(&self, holder: ThreadId, stand: Option<&Stand>) -> bool {
        let Some(stand) = stand.filter(|stand| stand.waits && !stand.timed) else {
            return false;
        };
        let frames = self
            .chain(holder)
            .map_or_else(Vec::new, |chain| chain.frames);
        let above = frames.iter().take_while(|frame| is_platform_name(frame));
        // Who waits for a task waits for nobody in particular.
        let other = |frame: &String| is_woken_by_jvm(frame) || asks_for_task(frame);
        !is_woken_by_jvm(&stand.at.class) && !above.into_iter().any(other)
    }

    /// The best that is known for any of the threads that want an object; who waits on it does not hold it.
    fn holder_for(&self, lock: LockId, threads: &[ThreadId]) -> Option<Known> {
        let rank = |known: &Known| match known {
            Known::Nobody => KnownBy::End,
            Known::Thread(_, by) => *by,
        };
        let surest = threads.iter().filter_map(|&thread| self.holder(thread));
        let beginning = || {
            let Owner::Thread(owner) = self.open[threads.last()?].1.owner else {
                return None;
            };
            let waits_here = self.open.get(&owner).is_some_and(|(at, _)| *at == lock);
            (!waits_here).then_some(Known::Thread(owner, KnownBy::Beginning))
        };
        surest.min_by_key(rank).or_else(beginning)
    }

    fn described(&self, lock: LockId, known: Known, stand: Option<Stand>) -> Holder {
        let Known::Thread(id, known) = known else {
            return Holder::Nobody;
        };
        let (thread, tid) = self.name(id);
        Holder::Thread {
            thread,
            tid,
            known,
            since: self.owned_since(lock, id),
            ended: self.collected.end_ended.contains(&id),
            stand: stand.map(Box::new),
            chain: self.chain(id),
        }
    }

    /// What a holder was doing at the end; where nobody looked, what it stood at since it blocked, waits or is parked.
    fn chain(&self, holder: ThreadId) -> Option<CallChain> {
        let at_end = self.collected.end_chains.get(&holder).copied();
        let stands = || self.open.get(&holder)?.1.stack;
        let stack = at_end.or_else(stands).or_else(|| self.parked_stack(holder));
        self.collected.catalog.call_chain(stack?)
    }

    /// Where a thread stands that has not come back.
    fn chain_at(&self, thread: ThreadId, open: Open) -> Option<CallChain> {
        let chain = |id| self.collected.catalog.call_chain(id);
        open.stack.and_then(chain).or_else(|| self.chain(thread))
    }

    /// What the holder of a lock object stands at, other than that.
    fn stand(&self, holder: ThreadId, held: LockId) -> Option<Stand> {
        let known = self.open.get(&holder).copied();
        let stands = known.or_else(|| self.parks(holder));
        let (lock, open) = stands.filter(|(at, _)| *at != held)?;
        Some(Stand {
            waits: open.waits,
            timed: open.timed,
            at: self.stuck(lock, open),
        })
    }

    fn name(&self, id: ThreadId) -> (String, Option<u64>) {
        let catalog = &self.collected.catalog;
        let tid = catalog.threads.get(&id).map(|thread| thread.tid);
        (catalog.thread_name(id), tid)
    }

    fn stuck(&self, lock: LockId, open: Open) -> Stuck {
        let catalog = &self.collected.catalog;
        let class = catalog.locks.get(&lock).map(|def| def.class);
        let logical = self.objects.iter().position(|all| all.contains(&lock));
        let (thread, tid) = self.name(open.thread);
        Stuck {
            thread,
            tid,
            since: open.since,
            object: lock.0,
            class: class.map_or_else(|| "<unknown>".to_owned(), |id| catalog.class_name(id)),
            lock: logical.and_then(|index| u32::try_from(index + 1).ok()),
            known: None,
            chain: None,
        }
    }
}

/// Who owns at the end what it was blocked on got it since: an exact recording stops telling before.
fn came_through(collected: &Collected, thread: ThreadId, lock: LockId, open: &Open) -> bool {
    let mut owned = collected.end_owners.values();
    let own = Owner::Thread(thread);
    open.owner == own || owned.any(|&(wanted, owner)| wanted == lock && owner == own)
}

/// A class, or a method of it, that waits for something which no lock of the program can hold up: the end of a process,
/// the collector, an operation of the system.
fn is_woken_by_jvm(name: &str) -> bool {
    let classes = [
        "java.lang.ProcessImpl",
        "java.lang.UNIXProcess",
        "java.lang.ref.",
        "sun.nio.ch.",
    ];
    classes.iter().any(|class| name.starts_with(class))
}

/// A frame, as `class.method(place)`, of the JDK's code that waits for somebody to connect or to send.
pub(crate) fn is_awaiting_peers(frame: &str) -> bool {
    let name = frame.split('(').next().unwrap_or(frame);
    let parts = name.rsplit_once('.');
    parts.is_some_and(|(class, method)| awaits_peers(class, method))
}

/// The rings of a graph in which each node has one successor at most, each from its lowest on. Nobody is blocked on what he owns
/// himself: who seems to be has gone on between two readings.
#[must_use]
pub fn rings(next: &BTreeMap<ThreadId, ThreadId>) -> Vec<Vec<ThreadId>> {
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
            rings.extend((ring.len() > 1).then_some(ring));
        }
    }
    rings.sort();
    rings
}

#[cfg(test)]
mod tests;
