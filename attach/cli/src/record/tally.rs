//! What went by so far: the figures of the progress line and of the closing summary.
//!
//! Not an analysis: one lock *object* at a time, nothing inferred.

use super::stuck::Stuck;
use locklens_trace::batch::Batch;
use locklens_trace::record::{EndReason, LossCause, StandingStill, target_key};
use locklens_trace::{ClassId, Event, EventKind, LockId, Nanos, Record, ThreadId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// Lock objects and threads followed for the "hottest" figure. The agent numbers both from 1 up, so
/// that these are the first ones it met.
const FOLLOWED: usize = 100_000;

/// Figures of a recording.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Events received.
    pub(crate) events: u64,
    /// Operations on locks of `java.util.concurrent`, …
    pub(crate) operations: u64,
    /// … and parks.
    pub(crate) parks: u64,
    /// Events the agent dropped.
    pub(crate) lost: u64,
    /// … of these, those of objects and threads that could not be identified.
    pub(crate) unidentified: u64,
    /// Call chains it left out under their budget.
    pub(crate) stacks_lost: u64,
    /// Events of known-safe locks that were only counted, by name of the lock.
    hidden: HashMap<String, u64>,
    /// What the agent says of what it cost.
    pub(crate) cost: BTreeMap<String, String>,
    /// What the agent says of exact recording.
    pub(crate) exact: BTreeMap<String, String>,
    /// Threads found blocked or waiting, on what could not be told.
    pub(crate) unread: u64,
    /// The target did next to nothing of late when it ended.
    pub(crate) quiet: bool,
    /// Dumps are in the recording that tell of threads that hang, or that none goes on.
    pub(crate) stands: bool,
    /// How the recording ended, if the agent said so.
    pub(crate) end: Option<EndReason>,
    classes: HashMap<ClassId, String>,
    /// Who is stuck when it ends.
    stuck: Stuck,
    /// By id.
    locks: Vec<Lock>,
    /// Since when a thread blocks, by id.
    entering: Vec<Option<Nanos>>,
}

#[derive(Debug, Default)]
struct Lock {
    seen: bool,
    class: Option<ClassId>,
    events: u64,
    blocked: u64,
    waits: u64,
}

impl Tally {
    /// Takes records into account.
    pub(crate) fn add(&mut self, batch: &Batch) {
        let mut from = 0;
        for (before, other) in batch.others() {
            self.events(&batch.events()[from..*before]);
            self.other(other);
            from = *before;
        }
        self.events(&batch.events()[from..]);
    }

    fn events(&mut self, events: &[Event]) {
        for event in events {
            self.stuck.went_on(event.thread);
            self.event(event);
        }
    }

    fn other(&mut self, record: &Record) {
        self.stuck.note(record);
        match record {
            Record::Lock(lock) => {
                if let Some(known) = self.lock(lock.id) {
                    known.class = Some(lock.class);
                }
            }
            Record::Class(class) => {
                self.classes.insert(class.id, class.name.clone());
            }
            Record::Operation(_) => self.operations += 1,
            Record::Park(_) => self.parks += 1,
            Record::Lost(lost) if lost.cause == LossCause::StackBudget => {
                self.stacks_lost = self.stacks_lost.saturating_add(lost.count);
            }
            Record::Lost(lost) => {
                self.lost = self.lost.saturating_add(lost.count);
                if lost.cause == LossCause::Unidentified {
                    self.unidentified = self.unidentified.saturating_add(lost.count);
                }
            }
            Record::Hidden(hidden) => {
                self.hidden.insert(hidden.name.clone(), hidden.events);
            }
            Record::End(end) => self.end = Some(end.reason),
            Record::Target(pairs) => {
                for (key, text) in pairs {
                    if [target_key::THREADS_START, target_key::THREADS_END].contains(&key.as_str())
                    {
                        self.unread = self.unread.max(StandingStill::parse(text).unread);
                    }
                }
                let of_cost = pairs.iter().filter(|(key, _)| key.starts_with("overhead."));
                self.cost.extend(of_cost.cloned());
                let of_exact = |(key, _): &&(String, String)| {
                    let of = ["exact.", "guard.", "toll.", "parks", "operations"];
                    of.iter().any(|of| key.starts_with(of))
                };
                self.exact.extend(pairs.iter().filter(of_exact).cloned());
            }
            _ => {}
        }
    }

    fn event(&mut self, event: &Event) {
        self.events += 1;
        let Some(lock) = event.lock else { return };
        if let Some(lock) = self.lock(lock) {
            lock.events += 1;
        }
        match event.kind {
            EventKind::Enter => {
                if let Some(entering) = self.entering(event.thread) {
                    *entering = Some(event.at);
                }
            }
            EventKind::Entered => {
                let began = self.entering(event.thread).and_then(Option::take);
                if let (Some(began), Some(lock)) = (began, self.lock(lock)) {
                    lock.blocked = lock.blocked.saturating_add(event.at.since(began).0);
                }
            }
            EventKind::Wait { .. } => {
                if let Some(entering) = self.entering(event.thread) {
                    *entering = None;
                }
                if let Some(lock) = self.lock(lock) {
                    lock.waits += 1;
                }
            }
            _ => {}
        }
    }

    fn lock(&mut self, id: LockId) -> Option<&mut Lock> {
        let lock = place(&mut self.locks, id.index())?;
        lock.seen = true;
        Some(lock)
    }

    fn entering(&mut self, id: ThreadId) -> Option<&mut Option<Nanos>> {
        place(&mut self.entering, id.index())
    }

    /// Lock objects seen.
    pub(crate) fn locks(&self) -> usize {
        self.seen().count()
    }

    /// Events by class of the lock object, of the classes that are known.
    pub(crate) fn by_class(&self) -> BTreeMap<ClassId, u64> {
        let mut classes = BTreeMap::new();
        for lock in &self.locks {
            if let Some(class) = lock.class {
                *classes.entry(class).or_default() += lock.events;
            }
        }
        classes
    }

    /// Deadlocks, as it seems, in a sentence each.
    pub(crate) fn deadlocks(&self) -> Vec<String> {
        let class = |lock: LockId| {
            let class = self.locks.get(lock.index()).and_then(|lock| lock.class);
            let name = class.and_then(|class| self.classes.get(&class));
            name.cloned().unwrap_or_else(|| "?".to_owned())
        };
        let rings = self.stuck.rings();
        rings.iter().map(|ring| ring.told(class)).collect()
    }

    /// Threads have stood for a while, when it ended, at what others keep from them or are to bring about: more is to be said of
    /// them than events tell.
    pub(crate) fn is_held_up(&self) -> bool {
        let class = |lock: LockId| {
            let class = self.locks.get(lock.index()).and_then(|lock| lock.class);
            class.and_then(|class| self.classes.get(&class))
        };
        self.stuck
            .is_held_up(self.entering.iter().flatten().copied(), class)
    }

    fn seen(&self) -> impl Iterator<Item = (usize, &Lock)> {
        self.locks.iter().enumerate().filter(|(_, lock)| lock.seen)
    }

    /// Events of known-safe locks that were only counted.
    pub(crate) fn hidden(&self) -> u64 {
        let hidden = self.hidden.values();
        hidden.fold(0, |sum, &events| sum.saturating_add(events))
    }

    /// The lock object threads were blocked on longest; without any, the one waited on most.
    pub(crate) fn hottest(&self) -> Option<Hottest<'_>> {
        let rank = |(id, lock): &(usize, &Lock)| (lock.blocked, lock.waits, Reverse(*id));
        let (_, lock) = self.seen().max_by_key(rank)?;
        let class = lock.class.and_then(|class| self.classes.get(&class));
        Some(Hottest {
            class: class.map_or("?", String::as_str),
            blocked: Duration::from_nanos(lock.blocked),
            waits: lock.waits,
        })
    }
}

/// A lock object.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Hottest<'a> {
    /// Binary name of its class; `?` as long as the agent has not told it.
    pub(crate) class: &'a str,
    /// How long threads were blocked on it.
    pub(crate) blocked: Duration,
    /// How often threads waited on it.
    pub(crate) waits: u64,
}

/// The element of an id, if it is one of those followed.
pub(crate) fn place<T: Default>(all: &mut Vec<T>, index: usize) -> Option<&mut T> {
    if index >= FOLLOWED {
        return None;
    }
    if index >= all.len() {
        all.resize_with(index + 1, T::default);
    }
    all.get_mut(index)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use locklens_trace::Owner;
    use locklens_trace::record::{ClassDef, LockDef, LockObject, Lost};

    pub(crate) fn event(at: u64, thread: u32, lock: u32, kind: EventKind) -> Record {
        Record::Event(Event {
            at: Nanos(at),
            thread: ThreadId(thread),
            kind,
            lock: Some(LockId(lock)),
            stack: None,
            owner: Owner::Unknown,
            seq: None,
        })
    }

    fn class(id: u32, name: &str) -> Record {
        Record::Class(ClassDef {
            id: ClassId(id),
            loader: None,
            name: name.into(),
            super_name: None,
            interfaces: Vec::new(),
            flags: 0,
            source_file: None,
        })
    }

    pub(crate) fn lock(id: u32, class: u32) -> Record {
        Record::Lock(LockDef {
            id: LockId(id),
            class: ClassId(class),
            hash: 0,
            object: LockObject::Plain,
        })
    }

    fn tally(records: &[Record]) -> Tally {
        let mut tally = Tally::default();
        tally.add(&records.iter().cloned().collect());
        tally
    }

    #[test]
    fn the_hottest_is_the_one_blocked_on_longest() {
        let tally = tally(&[
            event(0, 1, 1, EventKind::Enter),
            event(5, 2, 2, EventKind::Enter),
            event(10, 1, 1, EventKind::Entered),
            event(105, 2, 2, EventKind::Entered),
            lock(1, 1),
            lock(2, 2),
            class(1, "a.Cold"),
            class(2, "a.Hot"),
        ]);
        let hottest = tally.hottest().unwrap();
        assert_eq!((hottest.class, hottest.blocked.as_nanos()), ("a.Hot", 100));
        assert_eq!((tally.events, tally.locks()), (4, 2));
    }

    #[test]
    fn without_blocking_the_one_waited_on_most() {
        let wait = EventKind::Wait { timeout: None };
        let tally = tally(&[
            event(0, 1, 1, wait),
            event(1, 1, 2, wait),
            event(2, 2, 2, wait),
        ]);
        let hottest = tally.hottest().unwrap();
        assert_eq!((hottest.class, hottest.waits), ("?", 2));
    }

    #[test]
    fn losses_are_added_up_by_cause() {
        let lost = |count, cause| {
            Record::Lost(Lost {
                from: Nanos(0),
                to: Nanos(9),
                count,
                cause,
            })
        };
        let tally = tally(&[
            lost(3, LossCause::BufferFull),
            lost(4, LossCause::TableFull),
            lost(9, LossCause::StackBudget),
            lost(2, LossCause::Unidentified),
        ]);
        let each = (tally.lost, tally.unidentified, tally.stacks_lost);
        assert_eq!(each, (9, 2, 9));
        let most = lost(u64::MAX, LossCause::BufferFull);
        assert_eq!(super::tests::tally(&[most.clone(), most]).lost, u64::MAX);
    }
}
