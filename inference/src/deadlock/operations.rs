//! Locks of `java.util.concurrent` whose operations were recorded, as steps beside those of monitors.
//!
//! Operations and events are put into the order of time first: what was taken is told afterwards, what is given back
//! before, so times order the holders of a lock. Of each lock a thread has a grip (`grip`), and what changes of it are steps:
//! taken, left, held in another way. A wait at a condition gives up its lock; a latch is opened by those that count it
//! down. Barriers, phasers and exchangers are no locks here: who comes past them comes after all others
//! that use them, which is presumed; of a queue what is taken first is what was put first.
//!
//! What is not followed: who holds a semaphore whose permits were given back by who was not seen to take them (nobody knows
//! who has which; they are handed on like elements of a queue), or another lock that anybody may give back; and objects that are not told apart. `counted` learns of semaphores and latches what no class tells.

use super::built::monitor_of;
use super::counted::{Latch, Semaphore};
use super::encounters::{Encounters, Meetings, Place};
use super::handed::{Course, Handed};
use super::jvm::Jvm;
use super::members::Members;
use super::step::{Lock, Mode, Nature, Needs, Op, Step};
use super::tasks::{Hands, Stage, Whole, is_of_tasks, is_pool};
use crate::collect::Collected;
use crate::collect::parked::ParkedLog;
use crate::grip::Grip;
use crate::in_time::{Queue, Timed};
use crate::parked::{Owned, owned};
use locklens_trace::access::Access;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::kin::Kin;
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::record::Owner;
use locklens_trace::record::target_key;
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// Elements that one operation takes from a queue, and permits that it hands on.
const ELEMENTS: u32 = 64;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// Operations, or starts and ends of threads, were recorded: they and the events are put in the order of time.
    are_there: bool,
    queue: Queue<Deed>,
    pub(super) grips: BTreeMap<(ThreadId, LockId), Grip>,
    /// Times that each thread has met others, by barrier, and the most.
    pub(super) meets: BTreeMap<LockId, (BTreeMap<ThreadId, u64>, u64)>,
    /// Parks that were not over at the end, by thread.
    open: BTreeMap<ThreadId, Park>,
    pub(super) hands: Hands,
    pub(super) course: Course,
    pub(super) encounters: Encounters,
    pub(super) members: Members,
    pub(super) known: Known,
}

/// What both passes go by.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Locks that can be held.
    pub(super) owned: BTreeMap<LockId, Owned>,
    /// Semaphores whose permits come from who was not seen to take them.
    signals: BTreeSet<LockId>,
    /// By condition its lock.
    pub(super) outer: BTreeMap<LockId, LockId>,
    pub(super) latches: BTreeMap<LockId, Latch>,
    /// Futures of which something is to be run once they are complete.
    pub(super) stages: BTreeMap<LockId, Stage>,
    /// What is complete only once these are.
    pub(super) wholes: BTreeMap<LockId, Whole>,
    semaphores: BTreeMap<LockId, Semaphore>,
    /// Whether threads parked on it with a limit, and without.
    limits: BTreeMap<LockId, (bool, bool)>,
    /// Something was taken out of a queue.
    pub(super) queues: bool,
    /// Puts that are told with the take of what was put.
    pub(super) handed: Handed,
    /// Where who comes first waits for others, and who met whom there.
    pub(super) places: BTreeMap<LockId, Place>,
    pub(super) meetings: Meetings,
    /// What threads are parked on there.
    pub(super) inside: BTreeSet<LockId>,
    /// Places to which all come equally often.
    pub(super) even: BTreeSet<LockId>,
    /// There are tasks that are not told apart, and what happens to them is not told.
    pub(super) untold: bool,
    /// The first pass is over.
    pub(super) complete: bool,
}

/// What a thread did.
#[derive(Clone, Copy, Debug)]
pub(super) enum Deed {
    Event(Event),
    Access(Access),
    Operation(Operation),
    Park(Park),
    /// The unpark that ended a park, at its own time.
    Unpark(Park, Unpark),
    Kin(Kin),
}

impl Timed for Deed {
    fn series(&self) -> (ThreadId, u8) {
        match self {
            // The accesses of a thread come among its events in the order of the file.
            Self::Event(Event { thread, .. }) | Self::Access(Access { thread, .. }) => (*thread, 0),
            Self::Operation(operation) => (operation.thread, 1),
            Self::Park(park) => (park.thread, 2),
            Self::Unpark(park, _) => (park.thread, 3),
            // Told as soon as it is known, while events of the same thread may wait for what a probe says.
            Self::Kin(kin) => (kin.thread, 4),
        }
    }

    fn at(&mut self) -> &mut Nanos {
        match self {
            Self::Event(event) => &mut event.at,
            Self::Access(access) => &mut access.at,
            Self::Operation(operation) => &mut operation.at,
            Self::Park(park) => &mut park.to,
            Self::Unpark(_, unpark) => &mut unpark.at,
            Self::Kin(kin) => &mut kin.at,
        }
    }
}

impl Uses {
    pub(super) fn of(collected: &Collected, has_kin: bool) -> Self {
        let logs = || collected.parked.iter();
        let is_one = |lock: &LockId| {
            let def = collected.parked.get(lock).and_then(|log| log.def);
            def.is_none_or(|def| !def.shared)
        };
        let strays = |lock: &LockId| {
            let uses = collected
                .parked
                .get(lock)
                .and_then(|log| log.uses.as_deref());
            uses.is_some_and(|uses| uses.strays > 0)
        };
        let mut owned = owned(collected, collected.recording.options.hide_safe);
        owned.retain(|lock, _| is_one(lock));
        let signals = owned
            .iter()
            .filter(|&(lock, how)| *how == Owned::Permit && strays(lock));
        let signals: BTreeSet<LockId> = signals.map(|(&lock, _)| lock).collect();
        // Where anybody may give back, nobody knows whose it is.
        owned.retain(|lock, _| !strays(lock) || checks_owner(collected, *lock));
        let conditions = logs().filter_map(|(&lock, log)| Some((lock, log.synchronizer()?)));
        let latches = logs().filter(|(lock, _)| is_one(lock) && is_latch(collected, **lock));
        let has_tasks = |log: &ParkedLog| {
            let uses = log.uses.as_deref();
            // What several tasks are handed over in is none itself.
            let is_group = |act: Act| matches!(act, Act::Spread | Act::Gathered);
            let is_task = |act: Act| act.is_of_tasks() && !is_group(act);
            uses.is_some_and(|uses| uses.acts.keys().any(|&(act, _)| is_task(act)))
        };
        let untold = logs().any(|(lock, log)| !is_one(lock) && has_tasks(log));
        let used = logs().filter(|(lock, log)| is_one(lock) && log.uses.is_some());
        let places = used.filter_map(|(&lock, _)| Some((lock, Place::of(collected, lock)?)));
        let places: BTreeMap<LockId, Place> = places.collect();
        let inside =
            logs().filter(|(lock, _)| !places.is_empty() && Place::has_inside(collected, **lock));
        let inside = inside.map(|(&lock, _)| lock);
        let has_queues = logs()
            .filter_map(|(_, log)| log.uses.as_deref())
            .any(|uses| uses.count(Act::Take, Outcome::Done) > 0);
        Self {
            are_there: has_kin
                || logs().any(|(_, log)| log.uses.is_some())
                // Parks have to come between the accesses, too.
                || collected.target.contains_key(target_key::ACCESSES_OF),
            known: Known {
                owned,
                signals,
                outer: conditions.collect(),
                latches: latches.map(|(&lock, _)| (lock, Latch::default())).collect(),
                untold,
                queues: has_queues,
                inside: inside.collect(),
                places,
                ..Known::default()
            },
            members: Members::of(collected),
            ..Self::default()
        }
    }

    /// From the beginning, with what the first pass has shown.
    pub(super) fn rewind(&mut self) {
        let mut known = std::mem::take(&mut self.known);
        known.complete = true;
        known.even = self
            .meets
            .keys()
            .filter(|&&lock| self.is_even(lock))
            .copied()
            .collect();
        let mut members = std::mem::take(&mut self.members);
        members.rewind();
        *self = Self {
            are_there: self.are_there,
            members,
            known,
            ..Self::default()
        };
    }

    /// Whether all who meet there do it equally often, but perhaps for the last time: each of them is needed.
    pub(super) fn is_even(&self, lock: LockId) -> bool {
        if self.known.complete {
            return self.known.even.contains(&lock);
        }
        let meets = self.meets.get(&lock);
        meets.is_some_and(|(times, most)| times.values().all(|own| own + 1 >= *most))
    }

    pub(super) fn is_latch(&self, lock: LockId) -> bool {
        self.known.latches.contains_key(&lock)
    }

    /// Whether threads are parked on it to meet others, which is told.
    pub(super) fn is_inside(&self, lock: LockId) -> bool {
        self.known.inside.contains(&lock)
    }

    /// Whether a lock, or a condition of it, has an owner or permits.
    pub(super) fn is_owned(&self, lock: LockId) -> bool {
        let of = self.known.outer.get(&lock).copied().unwrap_or(lock);
        self.known.owned.contains_key(&of)
    }

    fn learn_park(&mut self, park: &Park) {
        let Some(lock) = park.lock else {
            return;
        };
        if park.end == ParkEnd::Open {
            self.open.insert(park.thread, *park);
        }
        if self.known.complete {
            return;
        }
        let limits = self.known.limits.entry(lock).or_default();
        match park.limit {
            Some(_) => limits.0 = true,
            None => limits.1 = true,
        }
        if let Some(latch) = self.known.latches.get_mut(&lock) {
            latch.park(park);
        }
        if let Some(semaphore) = self.known.semaphores.get_mut(&lock) {
            semaphore.park(park);
        }
    }

    /// What a thread holds, and what it is in the middle of, is not known any more.
    pub(super) fn forget(&mut self, thread: ThreadId) {
        self.grips.retain(|(of, _), _| *of != thread);
        self.hands.forget(thread);
    }

    /// What an operation leaves its thread with: how it held the lock before, and how it does now.
    fn turned(&mut self, operation: &Operation, lock: LockId) -> (Option<Mode>, Option<Mode>) {
        let Some(&how) = self.known.owned.get(&lock) else {
            return (None, None);
        };
        let key = (operation.thread, lock);
        let before = self.grips.get(&key).copied().unwrap_or_default();
        let mut after = before;
        after.apply(operation);
        match after.is_free() {
            true => drop(self.grips.remove(&key)),
            false => drop(self.grips.insert(key, after)),
        }
        if how == Owned::Permit && !self.known.complete {
            let semaphore = self.known.semaphores.entry(lock).or_default();
            semaphore.turned(operation.at, before.shared, after.shared);
            if operation.act == Act::Share {
                semaphore.asked(operation);
            }
        }
        (mode(how, before), mode(how, after))
    }
}

/// How a lock is held.
fn mode(how: Owned, grip: Grip) -> Option<Mode> {
    match (grip.alone, grip.shared, how) {
        (0, 0, _) => None,
        (0, count, Owned::Permit) => Some(Mode::Permit(count)),
        (0, _, _) => Some(Mode::Shared),
        _ => Some(Mode::Exclusive),
    }
}

/// How an operation wants the lock, if it takes it and may have to wait for that.
fn wanted(how: Owned, operation: &Operation) -> Option<Mode> {
    match (operation.act, how) {
        (Act::Lock, _) => Some(Mode::Exclusive),
        (Act::Share, Owned::Permit) => Some(Mode::Permit(operation.count)),
        (Act::Share, _) => Some(Mode::Shared),
        // To convert a stamp takes no waiting.
        _ => None,
    }
}

pub(super) fn class(collected: &Collected, lock: LockId) -> Option<String> {
    let def = collected.catalog.locks.get(&lock)?;
    Some(collected.catalog.class_name(def.class))
}

fn is_latch(collected: &Collected, lock: LockId) -> bool {
    is_counted(collected, lock) || is_of_tasks(collected, lock)
}

/// A latch that the program counts down itself.
pub(super) fn is_counted(collected: &Collected, lock: LockId) -> bool {
    let class = class(collected, lock);
    class.is_some_and(|class| class.starts_with("java.util.concurrent.CountDownLatch"))
}

/// Only who took it can give it back: what was not seen to be taken was from before.
fn checks_owner(collected: &Collected, lock: LockId) -> bool {
    let class = class(collected, lock);
    class.is_some_and(|class| class.starts_with("java.util.concurrent.locks.Reentrant"))
}

/// A lock of the JDK's that lets nobody in who has it already.
pub(super) fn is_stamped(collected: &Collected, lock: LockId) -> bool {
    let class = class(collected, lock);
    class.is_some_and(|class| class.starts_with("java.util.concurrent.locks.StampedLock"))
}

/// A lock of the JDK's that readers share.
fn is_of_readers(collected: &Collected, lock: LockId) -> bool {
    let known = ["ReentrantReadWriteLock", "StampedLock"];
    let class = class(collected, lock);
    let inner = class
        .as_deref()
        .and_then(|class| class.strip_prefix("java.util.concurrent.locks."));
    inner.is_some_and(|inner| known.iter().any(|name| inner.starts_with(name)))
}

impl Jvm<'_> {
    /// Takes in the next record of the file, and gives the steps that are due.
    pub fn see(&mut self, record: &Record, each: &mut dyn FnMut(&Step)) {
        let due = match record {
            Record::Event(event) if !self.uses.are_there => return self.push(event, each),
            Record::Access(access) if !self.uses.are_there => {
                return self.push_access(access, each);
            }
            Record::Event(event) => self.uses.queue.push(Deed::Event(*event)),
            Record::Access(access) => self.uses.queue.push(Deed::Access(*access)),
            Record::Operation(operation) => self.uses.queue.push(Deed::Operation(*operation)),
            Record::Park(park) => {
                let wake = self.wake(park).map(|unpark| Deed::Unpark(*park, unpark));
                let deeds = wake.into_iter().chain([Deed::Park(*park)]);
                deeds.flat_map(|deed| self.uses.queue.push(deed)).collect()
            }
            Record::Kin(kin) => self.uses.queue.push(Deed::Kin(*kin)),
            Record::Tick(tick) => self.uses.queue.until(tick.at),
            _ => return,
        };
        self.follow(due, each);
    }

    /// The file is over: what is left, and what threads were in the middle of.
    pub fn end(&mut self, each: &mut dyn FnMut(&Step)) {
        self.flush(each);
        self.forget_behind(each);
        self.still_coming_back(each);
        for (thread, park) in std::mem::take(&mut self.uses.open) {
            self.still_parked(thread, &park, each);
        }
    }

    /// A part of the file could not be read.
    pub fn hole(&mut self, each: &mut dyn FnMut(&Step)) {
        // What waits here was before it.
        self.flush(each);
        self.holes += 1;
        self.accesses.forget();
    }

    fn flush(&mut self, each: &mut dyn FnMut(&Step)) {
        let rest = self.uses.queue.rest();
        self.follow(rest, each);
    }

    /// What threads did that were last heard of before a part that could not be read is not known.
    fn forget_behind(&mut self, each: &mut dyn FnMut(&Step)) {
        let holes = self.holes;
        let ends = &self.collected.ends;
        let behind = self.ways.iter();
        let behind = behind.filter(|(id, way)| way.holes < holes && !ends.contains_key(id));
        let mut behind: Vec<_> = behind.map(|(&thread, way)| (thread, way.last)).collect();
        behind.sort_unstable();
        for (thread, last) in behind {
            self.ways.entry(thread).and_modify(|way| way.waiting = None);
            self.tell(&at(last, thread, LockId(0)), Op::Forget, each);
        }
    }

    /// What is known of locks besides their steps.
    #[must_use]
    pub fn natures(&self) -> BTreeMap<Lock, Nature> {
        let locks = self.locks.ids.iter();
        let numbered = (0..).map(Lock).zip(locks.copied());
        numbered
            .map(|(number, lock)| (number, self.nature(lock)))
            .collect()
    }

    fn nature(&self, lock: LockId) -> Nature {
        if let (monitor, true) = monitor_of(lock) {
            return self.built.nature(monitor);
        }
        let known = &self.uses.known;
        if known.places.get(&lock) == Some(&Place::Barrier) {
            let needs = match self.uses.is_even(lock) {
                true => Needs::All,
                false => Needs::Unknown,
            };
            return Nature {
                latch: Some(needs),
                meets: true,
                ..Nature::default()
            };
        }
        let readers = is_of_readers(self.collected, lock);
        let limited = known.limits.get(&lock) == Some(&(true, false));
        let semaphore = known.semaphores.get(&lock);
        Nature {
            queues: readers,
            never_turns: readers,
            reentrant: !is_stamped(self.collected, lock),
            permits: semaphore.map(|semaphore| semaphore.permits(self.most_seen(lock))),
            latch: known.latches.contains_key(&lock).then(|| self.needs(lock)),
            meets: false,
            ends: known.latches.contains_key(&lock) && is_pool(self.collected, lock),
            limited,
            built: false,
        }
    }

    /// The most that the state of a synchronizer was found to be.
    fn most_seen(&self, lock: LockId) -> u64 {
        let def = self.collected.parked.get(&lock).and_then(|log| log.def);
        let seen = def.and_then(|def| def.state);
        seen.and_then(|seen| u64::try_from(seen.high).ok())
            .unwrap_or(0)
    }

    pub(super) fn needs(&self, lock: LockId) -> Needs {
        if is_pool(self.collected, lock) {
            return Needs::All;
        }
        let latch = self.uses.known.latches.get(&lock);
        latch.map_or(Needs::Unknown, |latch| latch.needs(self.most_seen(lock)))
    }

    fn follow(&mut self, due: Vec<Deed>, each: &mut dyn FnMut(&Step)) {
        for deed in due {
            self.learn_course(&deed);
            match deed {
                Deed::Event(event) => self.push(&event, each),
                Deed::Access(access) => self.push_access(&access, each),
                Deed::Kin(kin) => self.kin(&kin, each),
                Deed::Operation(operation) => self.operation(&operation, each),
                Deed::Unpark(park, unpark) => self.wakes(&park, unpark, each),
                Deed::Park(park) => {
                    self.uses.learn_park(&park);
                    self.woken(&park, each);
                    self.may_follow_unpark(&park, each);
                }
            }
            self.learn_latest(&deed);
        }
    }

    fn operation(&mut self, operation: &Operation, each: &mut dyn FnMut(&Step)) {
        let outer = self.uses.known.outer.get(&operation.lock);
        let lock = outer.copied().unwrap_or(operation.lock);
        let event = event(operation);
        self.fork_before(&event, each);
        self.missing(&event, each);
        self.acts(operation.thread, false);
        self.back_from_elsewhere(&event, each);
        let done = operation.outcome == Outcome::Done;
        if self.stage(operation, &event, each) || self.task(operation, &event, each) {
            return;
        }
        if self.meets_at(operation, &event, each) {
            return;
        }
        let number = Lock(self.locks.number(operation.lock));
        match operation.act {
            Act::Await | Act::Awaited => self.condition(operation, lock, &event, each),
            Act::Signal | Act::SignalAll => {
                let all = operation.act == Act::SignalAll;
                self.tell(&event, Op::Notify { lock: number, all }, each);
            }
            Act::CountDown | Act::Pass => self.gate(operation, &event, each),
            Act::Start if done => self.uses.members.started(operation),
            Act::Join if done => self.joins_all(operation, &event, each),
            Act::Meet if done => self.meet(operation, &event, each),
            Act::Put if done && self.is_told_here(operation) => {
                self.puts(operation.lock, &event, each);
            }
            Act::Put if done => {}
            Act::Take if done => self.takes(operation, &event, each),
            Act::Unshare if done && self.uses.known.signals.contains(&lock) => {
                self.several(operation.count, Op::Puts(number), &event, each);
            }
            Act::Share if done && self.uses.known.signals.contains(&lock) => {
                self.several(operation.count, Op::Takes(number), &event, each);
            }
            _ => self.hold(operation, lock, &event, each),
        }
    }

    pub(super) fn several(
        &mut self,
        count: u32,
        op: Op,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        for _ in 0..count.min(ELEMENTS) {
            self.tell(event, op, each);
        }
    }

    /// Taking, giving back, turning one into the other.
    fn hold(
        &mut self,
        operation: &Operation,
        lock: LockId,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let Some(&how) = self.uses.known.owned.get(&lock) else {
            return;
        };
        let (before, after) = self.uses.turned(operation, lock);
        let lock = Lock(self.locks.number(lock));
        let asks = wanted(how, operation);
        if let Some(mode) = asks {
            let timed = operation.tries;
            self.tell(event, Op::Request { lock, mode, timed }, each);
        }
        let op = match (before, after) {
            (None, Some(mode)) if asks.is_some() => Op::Acquire { lock, mode },
            (Some(_), None) => Op::Release(lock),
            (before, Some(mode)) if before != after => Op::Turn { lock, mode },
            // It did not get it, or had it already.
            _ if asks.is_some() => Op::Other,
            _ => return,
        };
        self.tell(event, op, each);
    }

    fn condition(
        &mut self,
        operation: &Operation,
        lock: LockId,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let (before, after) = self.uses.turned(operation, lock);
        let condition = Lock(self.locks.number(operation.lock));
        let lock = Lock(self.locks.number(lock));
        if operation.act == Act::Await {
            let wait = Op::Wait {
                lock: condition,
                gives: before.map(|_| lock),
                timed: false,
                joins: false,
            };
            return self.tell(event, wait, each);
        }
        let timed_out = operation.outcome != Outcome::Done;
        let back = Op::Returned {
            lock: condition,
            timed_out,
        };
        self.tell(event, back, each);
        if after == Some(Mode::Exclusive) {
            self.tell(event, Op::Retake(lock), each);
        }
    }
}

fn event(operation: &Operation) -> Event {
    Event {
        stack: operation.stack,
        ..at(operation.at, operation.thread, operation.lock)
    }
}

pub(super) fn at(at: Nanos, thread: ThreadId, lock: LockId) -> Event {
    Event {
        at,
        thread,
        kind: EventKind::Entered,
        lock: Some(lock),
        stack: None,
        owner: Owner::Unknown,
        seq: None,
    }
}
