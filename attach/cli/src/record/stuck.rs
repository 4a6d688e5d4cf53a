//! Threads that seem to be deadlocked when a recording ends: rings of those that are blocked, each on what the next one owns.
//!
//! Owners are those that the agent's last look at blocked threads named, and, of locks of `java.util.concurrent`, the last
//! one told of a thread that is parked still, if two looks in a row found the same: who is parked and who owns that are two questions,
//! and a thread may go on between them. No analysis: the report knows more, and `locklens deadlocks PID` asks the JVM.

use super::tally::place;
use locklens_inference::stuck::rings;
use locklens_trace::parked::Parked;
use locklens_trace::record::target_key;
use locklens_trace::{LockId, Nanos, Owner, Record, ThreadId};
use std::collections::BTreeMap;

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Stuck {
    /// On what a thread is parked, and who owns that; and whether more than one look found it so.
    parked: BTreeMap<ThreadId, ((LockId, ThreadId), bool)>,
    /// The same of those that are blocked on monitors at the end.
    blocked: BTreeMap<ThreadId, (LockId, ThreadId)>,
    /// By id.
    names: Vec<String>,
    /// Since when a thread is parked, for as long as it takes, on what, up to the last look.
    stays: BTreeMap<ThreadId, (LockId, Nanos, Nanos)>,
    /// When the agent was heard of last.
    heard: Nanos,
}

/// Who has stood there so long does not only pass.
const LONG: Nanos = Nanos(1_000_000_000);

/// Classes at which threads are parked that have nothing to do, or are waited for by nobody: conditions, hand-overs, pools.
const IDLE: [&str; 4] = [
    "ConditionObject",
    "java.util.concurrent.SynchronousQueue",
    "java.util.concurrent.LinkedTransferQueue",
    "java.util.concurrent.ForkJoinPool",
];

/// Classes that somebody owns of whom one is to give it back.
const OWNED: [&str; 2] = ["ReentrantLock", "ReentrantReadWriteLock"];

/// Threads that are blocked on each other, and on what.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ring {
    pub(crate) threads: Vec<String>,
    pub(crate) locks: Vec<LockId>,
}

impl Stuck {
    pub(crate) fn note(&mut self, record: &Record) {
        match record {
            Record::Thread(def) => {
                if let Some(name) = place(&mut self.names, def.id.index()) {
                    def.name.clone_into(name);
                }
            }
            Record::Event(event) => self.went_on(event.thread),
            Record::Tick(tick) => self.heard = self.heard.max(tick.at),
            Record::Parked(parked) => {
                self.stays(parked);
                let before = self.parked.remove(&parked.thread);
                if let (Owner::Thread(owner), true, false) =
                    (parked.owner, parked.open, parked.timed)
                {
                    let found = (parked.lock, owner);
                    let before = before.filter(|_| parked.continues);
                    let again = before.is_some_and(|(before, _)| before == found);
                    self.parked
                        .insert(parked.thread, (found, again || parked.samples > 1));
                }
            }
            Record::Target(facts) => {
                let owners = facts.iter().find(|(key, _)| key == target_key::END_OWNERS);
                let lines = owners.iter().flat_map(|(_, text)| text.lines());
                self.blocked.extend(lines.filter_map(blocked));
            }
            _ => {}
        }
    }

    /// Who does anything is parked no more.
    pub(super) fn went_on(&mut self, thread: ThreadId) {
        if !self.parked.is_empty() {
            self.parked.remove(&thread);
        }
    }

    /// Follows how long a thread has been parked where it still is.
    fn stays(&mut self, parked: &Parked) {
        let before = self.stays.remove(&parked.thread);
        if parked.open && !parked.timed {
            let before = before.filter(|(lock, ..)| parked.continues && *lock == parked.lock);
            let since = before.map_or(parked.from, |(_, since, _)| since);
            self.stays
                .insert(parked.thread, (parked.lock, since, parked.to));
        }
    }

    /// Whether somebody has been blocked for long, or parked for what somebody else owns, or several where they are not idle: one alone,
    /// at a latch, say, may be the main thread of a server. `entering`: since when threads are blocked on monitors. What a lock is,
    /// others know.
    pub(super) fn is_held_up<'c>(
        &self,
        mut entering: impl Iterator<Item = Nanos>,
        class: impl Fn(LockId) -> Option<&'c String>,
    ) -> bool {
        let parked = self.stays.values();
        let parked = parked.filter(|(_, since, to)| to.since(*since) >= LONG);
        let classes: Vec<_> = parked.filter_map(|&(lock, ..)| class(lock)).collect();
        let is_idle = |class: &&&String| IDLE.iter().any(|idle| class.contains(idle));
        let waiting = classes.len() - classes.iter().filter(is_idle).count();
        entering.any(|from| self.heard.since(from) >= LONG)
            || waiting > 1
            || classes
                .iter()
                .any(|class| OWNED.iter().any(|owned| class.contains(owned)))
    }

    /// All of them, each once.
    pub(crate) fn rings(&self) -> Vec<Ring> {
        let parked = self.parked.iter().filter(|(_, (_, again))| *again);
        let mut next: BTreeMap<_, _> = parked
            .map(|(&thread, &(found, _))| (thread, found))
            .collect();
        next.extend(&self.blocked);
        let owners = next.iter().map(|(&thread, &(_, owner))| (thread, owner));
        let found = rings(&owners.collect());
        found.iter().map(|ring| self.ring(ring, &next)).collect()
    }

    fn ring(&self, threads: &[ThreadId], next: &BTreeMap<ThreadId, (LockId, ThreadId)>) -> Ring {
        let name = |thread: &ThreadId| {
            let name = self
                .names
                .get(thread.index())
                .filter(|name| !name.is_empty());
            name.map_or_else(
                || format!("<thread {}>", thread.0),
                |name| format!("\"{name}\""),
            )
        };
        Ring {
            threads: threads.iter().map(name).collect(),
            locks: threads
                .iter()
                .filter_map(|thread| Some(next.get(thread)?.0))
                .collect(),
        }
    }
}

/// The same: who is blocked, on what, and who owns that; none if nobody does.
fn blocked(line: &str) -> Option<(ThreadId, (LockId, ThreadId))> {
    let mut numbers = line.split(' ').map_while(|word| word.parse::<u32>().ok());
    let (thread, lock) = (numbers.next()?, numbers.next()?);
    let owner = numbers.next().filter(|owner| *owner != 0)?;
    Some((ThreadId(thread), (LockId(lock), ThreadId(owner))))
}

impl Ring {
    /// In a sentence, with what the locks are called.
    pub(crate) fn told(&self, class: impl Fn(LockId) -> String) -> String {
        let mut classes: Vec<String> = self.locks.iter().map(|&lock| class(lock)).collect();
        classes.dedup();
        let threads = &self.threads;
        let shown = threads.iter().take(SHOWN).cloned().collect::<Vec<_>>();
        let more = match threads.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        classes.truncate(SHOWN);
        format!(
            "DEADLOCK, as it seems: {} threads are blocked on each other's locks ({}): {}{more}",
            threads.len(),
            classes.join(", "),
            shown.join(", ")
        )
    }
}

/// Threads and classes of a ring that are named.
const SHOWN: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tally::tests::event;
    use locklens_trace::EventKind;

    fn end(lines: &str) -> Record {
        Record::Target(vec![(target_key::END_OWNERS.to_owned(), lines.to_owned())])
    }

    fn parked(thread: u32, lock: u32, owner: u32) -> Record {
        Record::Parked(Parked {
            thread: ThreadId(thread),
            lock: LockId(lock),
            stack: None,
            owner: Owner::Thread(ThreadId(owner)),
            owner_stack: None,
            from: Nanos(0),
            to: Nanos(9),
            samples: 2,
            time: Nanos(9),
            continues: false,
            open: true,
            timed: false,
        })
    }

    fn rings(records: &[Record]) -> Vec<Vec<String>> {
        let mut stuck = Stuck::default();
        records.iter().for_each(|record| stuck.note(record));
        stuck.rings().into_iter().map(|ring| ring.threads).collect()
    }

    #[test]
    fn a_ring_is_told_once_without_those_that_only_lead_to_it() {
        let found = rings(&[end("1 7 2\n2 8 3\n3 9 2\n4 9 3\n5 6 0")]);
        assert_eq!(found, [["<thread 2>", "<thread 3>"]]);
        assert!(rings(&[end("1 7 2\n2 8 3")]).is_empty());
    }

    #[test]
    fn monitors_and_locks_of_java_util_concurrent_make_rings_together() {
        assert_eq!(rings(&[parked(1, 7, 2), end("2 8 1")]).len(), 1);
        let went_on = event(10, 1, 8, EventKind::Enter);
        assert!(rings(&[parked(1, 7, 2), went_on, end("2 8 1")]).is_empty());
    }

    /// As of locks that many want, where the looks come late.
    #[test]
    fn what_one_look_found_is_no_ring() {
        let once = |thread, owner, continues| {
            let Record::Parked(parked) = parked(thread, 7, owner) else {
                unreachable!("it is one")
            };
            Record::Parked(Parked {
                samples: 1,
                continues,
                ..parked
            })
        };
        assert!(rings(&[once(1, 2, false), end("2 8 1")]).is_empty());
        assert!(rings(&[once(1, 3, false), once(1, 2, true), end("2 8 1")]).is_empty());
        let again = [once(1, 2, false), once(1, 2, true), end("2 8 1")];
        assert_eq!(rings(&again).len(), 1);
    }

    #[test]
    fn it_is_told_in_a_line() {
        let mut stuck = Stuck::default();
        stuck.note(&end("1 7 2\n2 8 1"));
        let said = stuck.rings()[0].told(|lock| format!("a.L{}", lock.0));
        let expected = "DEADLOCK, as it seems: 2 threads are blocked on each other's locks (a.L7, a.L8): <thread 1>, <thread 2>";
        assert_eq!(said, expected);
    }
}
