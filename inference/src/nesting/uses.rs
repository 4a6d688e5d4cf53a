//! Locks of `java.util.concurrent` whose operations were recorded, beside monitors.
//!
//! Every operation says what its thread holds from then on, so their nesting is exact. Who only *tries*, at once
//! or for a time, does not wait for ever: what it takes is held, but it is no edge. Two who hold a lock together
//! do not keep each other out. A thread that is parked on such a lock when the recording ends wants it still.

use super::held::Attempt;
use super::{Nester, Thread};
use crate::collect::Collected;
use crate::grip::{Change, Grip, Mode};
use crate::in_time::{Queue, Timed};
use crate::parked::{Owned, owned};
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::record::Owner;
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, ThreadId};
use std::collections::BTreeMap;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// Operations were recorded: they and the events come in the order of time.
    are_there: bool,
    queue: Queue<Deed>,
    /// Locks that can be held.
    owned: BTreeMap<LockId, Owned>,
    /// By condition its lock.
    outer: BTreeMap<LockId, LockId>,
    grips: BTreeMap<(ThreadId, LockId), Grip>,
    /// Parks that were not over at the end.
    parked: BTreeMap<ThreadId, (LockId, Nanos)>,
}

/// What a thread did.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Event(Event),
    Operation(Operation),
}

impl Timed for Deed {
    fn series(&self) -> (ThreadId, u8) {
        match self {
            Self::Event(event) => (event.thread, 0),
            Self::Operation(operation) => (operation.thread, 1),
        }
    }

    fn at(&self) -> Nanos {
        match self {
            Self::Event(event) => event.at,
            Self::Operation(operation) => operation.at,
        }
    }

    fn at_mut(&mut self) -> &mut Nanos {
        match self {
            Self::Event(event) => &mut event.at,
            Self::Operation(operation) => &mut operation.at,
        }
    }
}

impl Uses {
    pub(super) fn of(collected: &Collected) -> Self {
        let logs = || collected.parked.iter();
        let conditions = logs().filter_map(|(&lock, log)| Some((lock, log.synchronizer()?)));
        // Of many objects under one id nobody knows which is held.
        let is_one = |lock: &LockId| {
            let def = collected.parked.get(lock).and_then(|log| log.def);
            def.is_none_or(|def| !def.shared)
        };
        let mut owned = owned(collected, collected.recording.options.hide_safe);
        owned.retain(|lock, how| *how != Owned::Permit && is_one(lock));
        Self {
            are_there: logs().any(|(_, log)| log.uses.is_some()),
            owned,
            outer: conditions.collect(),
            ..Self::default()
        }
    }
}

impl Nester<'_> {
    /// Takes in the next record of the file.
    pub fn see(&mut self, record: &Record) {
        let due = match record {
            Record::Event(event) if !self.uses.are_there => return self.push(event),
            Record::Event(event) => self.uses.queue.push(Deed::Event(*event)),
            Record::Operation(operation) => self.uses.queue.push(Deed::Operation(*operation)),
            Record::Tick(tick) => self.uses.queue.until(tick.at),
            Record::Park(park) => return self.note_park(park),
            Record::Kin(kin) => return self.lives.told(kin),
            _ => return,
        };
        self.follow(due);
    }

    fn follow(&mut self, due: Vec<Deed>) {
        for deed in due {
            match deed {
                Deed::Event(event) => self.push(&event),
                Deed::Operation(operation) => self.operation(&operation),
            }
        }
    }

    fn note_park(&mut self, park: &Park) {
        if let (ParkEnd::Open, None, Some(lock)) = (park.end, park.limit, park.lock) {
            self.uses.parked.insert(park.thread, (lock, park.from));
        }
    }

    /// What is left over when the recording has ended.
    pub(super) fn end_uses(&mut self) {
        let rest = self.uses.queue.rest();
        self.follow(rest);
        let owners = self.owners();
        for (thread, (lock, at)) in std::mem::take(&mut self.uses.parked) {
            if !self.uses.owned.contains_key(&lock) {
                continue;
            }
            let event = event(EventKind::Enter, (at, thread, lock));
            let mut attempt = self.attempt(&event, lock);
            attempt.open = true;
            attempt.owner = owners.get(&lock).copied().unwrap_or(Owner::Unknown);
            self.record(thread, &attempt);
        }
    }

    /// Who holds each lock alone.
    fn owners(&self) -> BTreeMap<LockId, Owner> {
        let alone = self.uses.grips.iter().filter(|(_, grip)| grip.alone > 0);
        let mut owners = BTreeMap::new();
        for (&(thread, lock), _) in alone {
            owners.entry(lock).or_insert(Owner::Thread(thread));
        }
        owners
    }

    fn operation(&mut self, operation: &Operation) {
        let outer = self.uses.outer.get(&operation.lock);
        let lock = outer.copied().unwrap_or(operation.lock);
        if !self.uses.owned.contains_key(&lock) {
            return;
        }
        let Operation { at, thread, .. } = *operation;
        let mut event = event(EventKind::Entered, (at, thread, lock));
        event.stack = operation.stack;
        self.forget_if_operations_lost(&event);
        self.thread(thread).resume_if_elsewhere(lock, &event);
        self.settle(&event);
        let key = (thread, lock);
        let before = self.uses.grips.get(&key).copied().unwrap_or_default();
        let mut grip = before;
        let change = grip.apply(operation);
        if operation.act == Act::Await && change == Change::Gave(Mode::Alone) {
            let waits = Event {
                kind: EventKind::Wait { timeout: None },
                ..event
            };
            self.want(&waits, lock, Mode::Alone);
        }
        if let Change::Took(mode) | Change::Turned(mode) = change
            && waits_for_it(operation)
        {
            self.want(&event, lock, mode);
        }
        self.uses.grips.insert(key, grip);
        if grip.is_free() {
            self.uses.grips.remove(&key);
        }
        hold(self.thread(thread), (before, grip), &event, lock);
    }

    fn want(&mut self, event: &Event, lock: LockId, mode: Mode) {
        let attempt = Attempt {
            shared: mode == Mode::Shared,
            ..self.attempt(event, lock)
        };
        self.record(event.thread, &attempt);
    }

    /// As [`Nester::forget_if_lost`]; with what it held its levels are forgotten.
    fn forget_if_operations_lost(&mut self, event: &Event) {
        let losses = &self.collected.losses;
        let last = self.thread(event.thread).last;
        if !losses.is_empty() && losses.between(last, event.at) {
            let own = (event.thread, LockId(0))..=(event.thread, LockId(u32::MAX));
            let own = self.uses.grips.range(own).map(|(&key, _)| key);
            for key in own.collect::<Vec<_>>() {
                self.uses.grips.remove(&key);
            }
        }
        self.forget_if_lost(event);
    }
}

/// Whether the lock was taken by who would have waited for it as long as it takes.
fn waits_for_it(operation: &Operation) -> bool {
    let returns = operation.act == Act::Awaited || operation.outcome != Outcome::Done;
    !operation.tries && !returns
}

/// Has a thread hold what its operation left it.
fn hold(thread: &mut Thread, (before, after): (Grip, Grip), event: &Event, lock: LockId) {
    match (before.holds(), after.holds()) {
        (false, true) => thread.hold(lock, event),
        (true, false) => thread.drop_all(lock),
        _ => {}
    }
    thread.share(lock, after.alone == 0);
}

fn event(kind: EventKind, (at, thread, lock): (Nanos, ThreadId, LockId)) -> Event {
    Event {
        at,
        thread,
        kind,
        lock: Some(lock),
        stack: None,
        owner: Owner::Unknown,
        seq: None,
    }
}
