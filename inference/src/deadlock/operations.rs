//! Locks of `java.util.concurrent` whose operations were recorded, as steps beside those of monitors.
//!
//! Operations and events are put into the order of time first: what was taken is told afterwards, what is given back
//! before, so times order the holders of a lock. Of each lock a thread has a grip (`grip`), and what changes of it are steps:
//! taken, left, held in another way. A wait at a condition gives up its lock; a latch is opened by those that count it
//! down. Where threads meet nobody has anything (`meetings`, `encounters`, `rounds`); of a queue what is taken first is what was
//! put first, if it does not give any.
//!
//! What is not followed: who holds a semaphore whose permits were given back by who was not seen to take them (nobody knows
//! who has which; they are handed on like elements of a queue), or another lock that anybody may give back; and objects that are not told apart. `counted` learns of semaphores and latches what no class tells.

use super::built::monitor_of;
use super::encounters::Place;
use super::finding::Names;
use super::jvm::Jvm;
use super::step::{Lock, Mode, Nature, Needs, Op, Patience, Permits, Step, Thread};
use super::tasks::is_pool;
use super::uses::{Deed, is_fair, is_of_readers, is_stamped};
use crate::parked::Owned;
use crate::types::Detail;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::record::Owner;
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, ThreadId};
use std::collections::BTreeMap;

/// Elements that one operation takes from a queue, and permits that it hands on.
const ELEMENTS: u32 = 64;

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

/// What stands before and behind the last number of a name; none of one that the JVM gave.
fn without_number(name: &str) -> Option<(String, String)> {
    let before = name.trim_end_matches(|c: char| !c.is_ascii_digit());
    let behind = name.get(before.len()..)?;
    let before = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let numbered = before.len() + behind.len() < name.len();
    (numbered && before != "Thread-").then(|| (before.to_owned(), behind.to_owned()))
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
            // What its thread held by then, and what it waits for is to be done by then, is not in it.
            Record::Park(park) if self.began_before(park) => return,
            Record::Park(park) => {
                let wake = self.wake(park).map(|unpark| Deed::Unpark(*park, unpark));
                let deeds = wake.into_iter().chain([Deed::Park(*park)]);
                deeds.flat_map(|deed| self.uses.queue.push(deed)).collect()
            }
            Record::Kin(kin) => self.uses.queue.push(Deed::Kin(*kin)),
            Record::Parked(found) => return self.found_parked(found),
            Record::Tick(tick) => {
                self.ticked = tick.at;
                self.uses.queue.until(tick.at)
            }
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

    /// Threads of which the names differ in the last number alone, by a number of their own.
    #[must_use]
    pub fn crews(&self) -> BTreeMap<Thread, u32> {
        let mut kinds: BTreeMap<(String, String), u32> = BTreeMap::new();
        let mut crews = BTreeMap::new();
        for number in (0..self.threads.ids.len() as u32).map(Thread) {
            let name = Names::thread(self, number).name;
            if let Some(kind) = without_number(&name) {
                let next = kinds.len() as u32;
                crews.insert(number, *kinds.entry(kind).or_insert(next));
            }
        }
        crews
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

    /// How long threads wait, where their steps do not say it.
    #[must_use]
    pub fn patience(&self) -> Patience {
        let numbered = |(lock, thread): &(LockId, ThreadId)| {
            let thread = self.threads.known.get(thread)?;
            Some((Thread(*thread), Lock(*self.locks.known.get(lock)?)))
        };
        let known = &self.uses.known;
        let limits = known.own_limits.iter();
        let limited = limits.filter(|(_, limits)| **limits == (true, false));
        let tries = known.own_tries.iter();
        let at_once = tries.filter(|(_, lines_up)| !**lines_up);
        Patience {
            limited: limited.filter_map(|(who, _)| numbered(who)).collect(),
            at_once: at_once.filter_map(|(who, _)| numbered(who)).collect(),
        }
    }

    fn nature(&self, lock: LockId) -> Nature {
        if let (monitor, true) = monitor_of(lock) {
            return self.built.nature(monitor);
        }
        let known = &self.uses.known;
        // Those that come first to a barrier wait on the condition inside.
        let inner = known.outer.get(&lock);
        let place = inner.and_then(|inner| known.rounds.place_of(*inner));
        let lock = place.unwrap_or(lock);
        if let Some(Place::Phases | Place::Barrier) = known.places.get(&lock) {
            let uses = self.collected.parked.get(&lock);
            let uses = uses.and_then(|log| log.uses.as_deref());
            // Who registers was not needed before.
            let joins = uses.is_some_and(|uses| uses.count(Act::Register, Outcome::Done) > 0);
            let needs = match self.uses.is_even(lock) && !joins {
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
        let signals = known.signals.contains(&lock);
        let limited = known.limits.get(&lock) == Some(&(true, false)) && !signals;
        let semaphore = known.semaphores.get(&lock);
        let seen = semaphore.map(|semaphore| semaphore.permits(self.most_seen(lock)));
        let made = seen.and_then(|seen| self.made_with(lock, seen));
        Nature {
            queues: readers,
            fair: is_fair(self.collected, lock),
            never_turns: readers,
            reentrant: !is_stamped(self.collected, lock),
            permits: made.or(seen),
            counted_by_code: made.is_some(),
            latch: known.latches.contains_key(&lock).then(|| self.needs(lock)),
            meets: false,
            ends: known.latches.contains_key(&lock) && is_pool(self.collected, lock),
            limited,
            spare: self.has_spare_permits(lock),
            built: false,
        }
    }

    /// The permits that the code makes a semaphore with, if there never were more and nobody gives what he has not taken; none
    /// where watching has shown how many there are.
    fn made_with(&self, lock: LockId, seen: Permits) -> Option<Permits> {
        let uses = self.collected.parked.get(&lock)?.uses.as_deref()?;
        if seen.all.is_some() || uses.is_given_by_others(self.collected.was_under_way()) {
            return None;
        }
        let permits = u32::try_from(self.number_of(lock, "permits")?).ok()?;
        (seen.least <= permits).then_some(Permits {
            all: Some(permits),
            ..seen
        })
    }

    /// A number that the verdict on a lock has by this name.
    fn number_of(&self, lock: LockId, name: &str) -> Option<u64> {
        let ix = *self.of_object.get(&lock)?;
        let verdict = self.analysis.model.locks.get(ix)?.types.first()?;
        match verdict.details.get(name) {
            Some(&Detail::Count(number)) => Some(number),
            _ => None,
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
        if self.uses.known.is_of_any(lock) {
            return Needs::Any;
        }
        let latch = self.uses.known.latches.get(&lock);
        // As many as it was seen to need, or the code makes it with: of those some may have been counted before the recording.
        let left = || {
            let made = self.number_of(lock, "count");
            let made = made.filter(|_| !self.collected.was_under_way());
            made.unwrap_or(0).max(self.most_seen(lock))
        };
        latch.map_or(Needs::Unknown, |latch| latch.needs(left()))
    }

    fn follow(&mut self, due: Vec<Deed>, each: &mut dyn FnMut(&Step)) {
        for deed in due {
            self.learn_course(&deed);
            self.learn_otherwise(&deed, each);
            match deed {
                Deed::Event(event) => {
                    self.went_on(event.thread, each);
                    self.push(&event, each);
                }
                Deed::Access(access) => self.push_access(&access, each),
                Deed::Kin(kin) => self.kin(&kin, each),
                Deed::Operation(operation) => self.operation(&operation, each),
                Deed::Unpark(park, unpark) => self.wakes(&park, unpark, each),
                Deed::Park(park) => {
                    self.hears(&at(park.from, park.thread, LockId(0)));
                    self.uses.learn_park(&park);
                    self.awaits_signal(&park, each);
                    self.goes_on(&park, each);
                }
            }
            self.learn_latest(&deed);
        }
    }

    fn operation(&mut self, operation: &Operation, each: &mut dyn FnMut(&Step)) {
        let outer = self.uses.known.outer.get(&operation.lock);
        let lock = outer.copied().unwrap_or(operation.lock);
        let event = event(operation);
        self.keep_apart(&event, each);
        self.fork_before(&event, each);
        self.missing(&event, each);
        self.goes_on_from_join(operation.thread);
        if self.is_refused(operation) {
            return self.went_on(operation.thread, each);
        }
        match operation.act {
            Act::Lock | Act::Share => self.goes(operation.thread, true),
            Act::Unlock | Act::Unshare => self.goes(operation.thread, false),
            _ => {}
        }
        self.last = event.at;
        self.acts(operation.thread, false);
        self.back_from_elsewhere(&event, each);
        // Who let it go comes before what it does next, and not before it came to wait for that.
        let is_place = self.is_place(operation.lock);
        // It may run what was left with a future before it tells that it has come past that.
        let is_stage = operation.act == Act::Arrive && !is_place;
        let waited = operation.act == Act::Pass || is_place || is_stage;
        if !waited {
            self.went_on(operation.thread, each);
        }
        self.operation_may_let_go(operation, &event, each);
        self.would_wait(operation, &event, each);
        if !self.stage(operation, &event, each) && !self.task(operation, &event, each) {
            self.may_come_last(operation, &event, each);
            self.acts_on(operation, lock, &event, each);
        }
        if !is_stage {
            self.went_on(operation.thread, each);
        }
    }

    /// It threw in the end, and nothing came of it.
    fn is_refused(&self, operation: &Operation) -> bool {
        let log = self.collected.parked.get(&operation.lock);
        let uses = log.and_then(|log| log.uses.as_deref());
        uses.is_some_and(|uses| {
            let at = (operation.thread, operation.at);
            !uses.refused.is_empty() && uses.refused.contains(&at)
        })
    }

    fn acts_on(
        &mut self,
        operation: &Operation,
        lock: LockId,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        if self.meets_at(operation, event, each) || self.signal(operation, event, each) {
            return;
        }
        let done = operation.outcome == Outcome::Done;
        let number = Lock(self.locks.number(operation.lock));
        match operation.act {
            Act::Await | Act::Awaited => self.condition(operation, lock, event, each),
            Act::Signal | Act::SignalAll => {
                let all = operation.act == Act::SignalAll;
                self.tell(event, Op::Notify { lock: number, all }, each);
            }
            Act::CountDown | Act::Pass => self.gate(operation, event, each),
            Act::Start if done => self.uses.members.started(operation),
            Act::Join if done => self.joins_all(operation, event, each),
            Act::Meet if done => self.meet(operation, event, each),
            Act::Put if done && self.is_told_here(operation) => {
                self.puts(operation.lock, event, each);
            }
            Act::Put if done => {}
            Act::Take if done => self.takes(operation, event, each),
            _ => self.hold(operation, lock, event, each),
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
        let asks = wanted(how, operation);
        if asks == Some(Mode::Exclusive) && operation.tries {
            let tries = &mut self.uses.known.own_tries;
            let lines_up = tries.entry((lock, operation.thread)).or_default();
            *lines_up |= operation.count != 0;
        }
        let lock = Lock(self.locks.number(lock));
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
                joins: None,
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
