//! Who is blocked at the moment, and who was named last as the one who holds the lock.
//!
//! That somebody was named is no proof that he holds it still; of a JVM that is only watched nothing more is known at the
//! moment.

use super::view::{Ring, Standing};
use crate::catalog::Catalog;
use crate::collect::FastHash;
use crate::collect::parked::ParkedLogs;
use crate::parked::owned_class;
use crate::stuck::rings;
use locklens_trace::parked::Parked;
use locklens_trace::record::Owner;
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, StackId, ThreadId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How long after a look somebody is taken to be still parked.
const LOOK: Nanos = Nanos(2_000_000_000);

/// Who has been blocked for so long may be stuck.
const LONG: Nanos = Nanos(2_000_000_000);

/// Those who have been blocked on each other for so long seem to be stuck, whatever the JVM says or does not.
const STILL: Nanos = Nanos(5_000_000_000);

/// Where a thread is blocked.
#[derive(Clone, Copy, Debug)]
struct Blocked {
    lock: LockId,
    since: Nanos,
    stack: Option<StackId>,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Now {
    blocked: BTreeMap<ThreadId, Blocked>,
    parked: BTreeMap<ThreadId, Parked>,
    /// By lock object, who was named last.
    named: HashMap<LockId, ThreadId, FastHash>,
    last: Nanos,
}

impl Now {
    pub(super) fn see(&mut self, record: &Record) {
        match record {
            Record::Event(event) => self.event(event),
            Record::Parked(parked) if parked.open => {
                let before = self.parked.get(&parked.thread);
                let same = before.filter(|at| parked.continues && at.lock == parked.lock);
                let from = same.map_or(parked.from, |at| at.from);
                let stay = Parked { from, ..*parked };
                self.parked.insert(parked.thread, stay);
            }
            Record::Parked(parked) => drop(self.parked.remove(&parked.thread)),
            Record::Tick(tick) => {
                self.last = self.last.max(tick.at);
                let last = self.last;
                let is_fresh = |parked: &Parked| last.since(parked.to) <= LOOK;
                self.parked.retain(|_, parked| is_fresh(parked));
            }
            _ => {}
        }
    }

    fn event(&mut self, event: &Event) {
        self.blocked.remove(&event.thread);
        self.parked.remove(&event.thread);
        self.last = self.last.max(event.at);
        let Some(lock) = event.lock else { return };
        match (event.kind, event.owner) {
            (EventKind::Enter, owner) => {
                let blocked = Blocked {
                    lock,
                    since: event.at,
                    stack: event.stack,
                };
                self.blocked.insert(event.thread, blocked);
                match owner {
                    Owner::Thread(owner) => drop(self.named.insert(lock, owner)),
                    Owner::Nobody => drop(self.named.remove(&lock)),
                    Owner::Unknown => {}
                }
            }
            (EventKind::Entered, _) => drop(self.named.insert(lock, event.thread)),
            (EventKind::Wait { .. } | EventKind::Exit, _)
                if self.named.get(&lock) == Some(&event.thread) =>
            {
                self.named.remove(&lock);
            }
            _ => {}
        }
    }

    /// Who has been blocked for long, and since when.
    pub(super) fn long(&self) -> BTreeSet<(ThreadId, Nanos)> {
        let blocked = self.blocked.iter();
        let blocked = blocked.map(|(&thread, at)| (thread, at.since));
        let owned = |parked: &&Parked| matches!(parked.owner, Owner::Thread(_));
        let parked = self.parked.iter().filter(|(_, parked)| owned(parked));
        let all = blocked.chain(parked.map(|(&thread, parked)| (thread, parked.from)));
        all.filter(|(_, since)| self.last.since(*since) >= LONG)
            .collect()
    }

    /// Threads that have long been blocked, each on what the next one was named last to own. Virtual threads may be among them, of
    /// which the JVM's own search knows nothing. Who was named may have let go since.
    pub(super) fn rings(&self, catalog: &Catalog) -> Vec<Ring> {
        let mut next: BTreeMap<ThreadId, (ThreadId, Nanos)> = BTreeMap::new();
        for (&thread, at) in &self.blocked {
            let owner = self.named.get(&at.lock);
            next.extend(owner.map(|&owner| (thread, (owner, at.since))));
        }
        for (&thread, parked) in &self.parked {
            if let (Owner::Thread(owner), false) = (parked.owner, parked.timed) {
                next.insert(thread, (owner, parked.from));
            }
        }
        next.retain(|_, (_, since)| self.last.since(*since) >= STILL);
        let owners = next.iter().map(|(&thread, &(owner, _))| (thread, owner));
        let ring = |ring: Vec<ThreadId>| {
            let since = ring.iter().map(|thread| next[thread].1).max();
            Ring {
                threads: ring
                    .iter()
                    .map(|&thread| catalog.thread_name(thread))
                    .collect(),
                time: since.map_or(Nanos(0), |since| self.last.since(since)),
            }
        };
        rings(&owners.collect()).into_iter().map(ring).collect()
    }

    /// How many virtual threads are blocked; none if none is known.
    pub(super) fn virtual_blocked(&self, catalog: &Catalog) -> Option<usize> {
        let is_virtual = |id: &&ThreadId| catalog.threads.get(id).is_some_and(|def| def.is_virtual);
        let any = catalog.threads.values().any(|def| def.is_virtual);
        any.then(|| self.blocked.keys().filter(is_virtual).count())
    }

    /// By lock object, those who are blocked on it, who came first at the front.
    pub(super) fn blocked(
        &self,
        catalog: &Catalog,
        logs: &ParkedLogs,
    ) -> BTreeMap<LockId, Vec<Standing>> {
        let mut all: BTreeMap<LockId, Vec<Standing>> = BTreeMap::new();
        for (&thread, at) in &self.blocked {
            let standing = self.on_monitor(thread, at, catalog);
            all.entry(at.lock).or_default().push(standing);
        }
        for parked in self.parked_to_own(catalog, logs) {
            let standing = self.on_parked(parked, catalog);
            all.entry(parked.lock).or_default().push(standing);
        }
        for standing in all.values_mut() {
            standing.sort_by(|a, b| (b.time, &a.thread).cmp(&(a.time, &b.thread)));
        }
        all
    }

    /// The objects that threads are blocked on, and where these are.
    pub(super) fn wanted(
        &self,
        catalog: &Catalog,
        logs: &ParkedLogs,
    ) -> impl Iterator<Item = (LockId, Option<StackId>)> {
        let blocked = self.blocked.values().map(|at| (at.lock, at.stack));
        let parked = self.parked_to_own(catalog, logs);
        blocked.chain(parked.map(|parked| (parked.lock, parked.stack)))
    }

    /// Those whom looks found parked to own a lock, and who are so still.
    pub(super) fn parked_to_own(
        &self,
        catalog: &Catalog,
        logs: &ParkedLogs,
    ) -> impl Iterator<Item = &Parked> {
        self.parked.values().filter(|parked| {
            let log = logs.get(&parked.lock);
            log.is_some_and(|log| owned_class(catalog, parked.lock, log).is_some())
        })
    }

    fn on_monitor(&self, thread: ThreadId, at: &Blocked, catalog: &Catalog) -> Standing {
        let by = self.named.get(&at.lock).filter(|by| **by != thread);
        let elsewhere = by.and_then(|by| self.blocked.get(by)?.stack);
        Standing {
            thread: catalog.thread_name(thread),
            time: self.last.since(at.since),
            chain: at.stack.and_then(|stack| catalog.call_chain(stack)),
            by: by.map(|&by| catalog.thread_name(by)),
            by_chain: elsewhere.and_then(|stack| catalog.call_chain(stack)),
        }
    }

    fn on_parked(&self, parked: &Parked, catalog: &Catalog) -> Standing {
        let by = match parked.owner {
            Owner::Thread(owner) => Some(catalog.thread_name(owner)),
            Owner::Nobody | Owner::Unknown => None,
        };
        let chain = |stack: Option<StackId>| stack.and_then(|stack| catalog.call_chain(stack));
        Standing {
            thread: catalog.thread_name(parked.thread),
            time: self.last.since(parked.from),
            chain: chain(parked.stack),
            by,
            by_chain: chain(parked.owner_stack),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::event;

    #[test]
    fn those_that_long_wait_for_each_other_are_a_ring_until_one_goes_on() {
        let mut now = Now::default();
        let catalog = Catalog::default();
        let enter = |at, thread, lock, owner| {
            let mut event = event(at, ThreadId(thread), EventKind::Enter, LockId(lock));
            event.owner = Owner::Thread(ThreadId(owner));
            event
        };
        now.event(&enter(1, 1, 7, 2));
        now.event(&enter(2, 2, 8, 1));
        now.event(&enter(3, 3, 8, 1));
        assert!(now.rings(&catalog).is_empty(), "not for long");
        now.last = Nanos(2_000 + STILL.0);
        let rings = now.rings(&catalog);
        let expected = Ring {
            threads: vec!["<thread 1>".to_owned(), "<thread 2>".to_owned()],
            time: STILL,
        };
        assert_eq!(rings, [expected]);
        now.event(&event(
            now.last.0,
            ThreadId(1),
            EventKind::Entered,
            LockId(7),
        ));
        assert!(now.rings(&catalog).is_empty());
    }

    #[test]
    fn a_stay_that_is_told_in_pieces_began_with_the_first() {
        let mut now = Now::default();
        let mut tell = |from: u64, continues: bool| {
            now.see(&Record::Parked(Parked {
                thread: ThreadId(1),
                lock: LockId(1),
                stack: None,
                owner: Owner::Unknown,
                owner_stack: None,
                from: Nanos(from),
                to: Nanos(from + 9),
                samples: 2,
                time: Nanos(9),
                continues,
                open: true,
                timed: false,
            }));
            now.parked[&ThreadId(1)].from
        };
        assert_eq!([tell(10, false), tell(20, true)], [Nanos(10), Nanos(10)]);
        assert_eq!(tell(30, false), Nanos(30), "another stay");
    }
}
