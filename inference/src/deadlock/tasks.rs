//! What orders the threads that run tasks: futures and pools, which are like latches; and unparks, by which everything else
//! that waits is let go.

use super::counted::Latch;
use super::jvm::Jvm;
use super::operations::at;
use super::stages::Stages;
use super::step::{By, Lock, Needs, Op, Over, Step};
use super::uses::{Known, class, is_counted};
use crate::collect::Collected;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::{Event, LockId, Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// The ids of a recording are counted from 1 on: those with this bit stand for the unparks of a thread.
const WAKES: u32 = 1 << 30;

/// Those with this bit stand for the hand-over of a task.
const HANDS: u32 = 1 << 28;

/// Those with this bit stand for all that was put into a queue.
const ALL_PUT: u32 = 1 << 26;

/// Futures remembered that one is made of, and parts of others that a thread has told of.
pub(super) const PARTS: usize = 1024;
/// Tasks remembered that a thread has handed over and waits for.
const SPREAD: usize = 4096;

/// Times remembered that a thread came past what is made of others.
const PASSED: usize = 1 << 20;

fn hands_of(task: LockId) -> LockId {
    LockId(task.0 | HANDS)
}

/// All that was put into a queue so far.
pub(super) fn all_put_of(queue: LockId) -> LockId {
    LockId(queue.0 | ALL_PUT)
}

/// What threads are in the middle of that hand over tasks, run them, or make futures of others.
#[derive(Debug, Default)]
pub(super) struct Hands {
    pub(super) stages: Stages,
    ways: BTreeMap<ThreadId, Ways>,
    /// The task that a thread of a timer has found to be the next, and that which it runs.
    picked: BTreeMap<ThreadId, LockId>,
    running: BTreeMap<ThreadId, LockId>,
    /// Who has come past what is made of others: the order that gives is told once.
    past: BTreeSet<(ThreadId, LockId)>,
}

/// What a future is made of.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) parts: Vec<LockId>,
    /// These are all: none was told before a loss, and there were not too many.
    pub(super) is_known: bool,
}

/// What a thread is in the middle of.
#[derive(Debug, Default)]
struct Ways {
    /// The innermost last: the tasks that it has handed over and waits for; none for one that it runs.
    open: Vec<Option<Vec<LockId>>>,
    /// How many more are open within these: nothing is known of what they hand over.
    beyond: u64,
}

impl Hands {
    fn handed(&mut self, by: ThreadId, task: LockId) {
        let ways = self.ways.get_mut(&by).filter(|ways| ways.beyond == 0);
        if let Some(Some(tasks)) = ways.and_then(|ways| ways.open.last_mut())
            && tasks.len() < SPREAD
        {
            tasks.push(task);
        }
    }

    /// Begins to run one, or to hand over several.
    fn into(&mut self, by: ThreadId, way: Option<Vec<LockId>>) {
        let ways = self.ways.entry(by).or_default();
        match ways.open.len() < PARTS {
            true => ways.open.push(way),
            false => ways.beyond += 1,
        }
    }

    /// That is over, with all that has begun since: what was handed over meanwhile, if it is that.
    fn out(&mut self, by: ThreadId, of_several: bool) -> Vec<LockId> {
        let Some(ways) = self.ways.get_mut(&by) else {
            return Vec::new();
        };
        if ways.beyond > 0 {
            ways.beyond -= 1;
            return Vec::new();
        }
        let from = ways
            .open
            .iter()
            .rposition(|way| way.is_some() == of_several);
        let way = from.and_then(|from| ways.open.drain(from..).next());
        way.flatten().unwrap_or_default()
    }

    /// Operations of a thread are missing: what it is in the middle of is not known.
    pub(super) fn forget(&mut self, thread: ThreadId) {
        self.stages.forget(thread);
        self.ways.remove(&thread);
        self.picked.remove(&thread);
        self.running.remove(&thread);
    }
}

/// What stands for the unparks of a thread: an id that no lock has.
fn wakes_of(thread: ThreadId) -> LockId {
    LockId(thread.0 | WAKES)
}

/// A future, or what runs tasks. It is like a latch: who comes past it comes after those who completed it.
pub(super) fn is_of_tasks(collected: &Collected, lock: LockId) -> bool {
    let log = collected.parked.get(&lock);
    let uses = log.and_then(|log| log.uses.as_deref());
    let class = class(collected, lock);
    let counted = class.is_some_and(|class| !class.starts_with("java.util.concurrent.Phaser"));
    let is_gate = |act: &Act| matches!(act, Act::CountDown | Act::Pass | Act::Join);
    counted && uses.is_some_and(|uses| uses.acts.keys().any(|(act, _)| is_gate(act)))
}

/// A task of which nobody was parked to wait for the end: it is in no report, but not safe for that.
pub(super) fn is_task(collected: &Collected, lock: LockId) -> bool {
    let log = collected.parked.get(&lock);
    let uses = log.and_then(|log| log.uses.as_deref());
    uses.is_some_and(|uses| uses.acts.keys().any(|(act, _)| act.is_of_tasks()))
}

/// It is past its end when all of its threads have ended: each of them counts.
pub(super) fn is_pool(collected: &Collected, lock: LockId) -> bool {
    let class = class(collected, lock);
    class.is_some_and(|class| {
        class.ends_with("ThreadPoolExecutor") || class.ends_with(".ThreadPerTaskExecutor")
    })
}

impl Known {
    /// What a future is made of, if nobody has completed it before that was complete.
    fn whole(&self, whole: LockId, by: Nanos) -> Option<&Whole> {
        let whole = self.wholes.get(&whole);
        whole.filter(|whole| self.are_complete(&whole.parts, by))
    }

    /// Those of which it is known when they were completed.
    fn are_complete(&self, parts: &[LockId], by: Nanos) -> bool {
        let opened = |part| self.latches.get(part).and_then(Latch::opened);
        parts.iter().filter_map(opened).all(|at| at <= by)
    }

    /// Whether it was never seen that one of them is complete: it was from the beginning, or what is made of them was completed by
    /// somebody who did not wait for it.
    fn are_unseen(&self, parts: &[LockId]) -> bool {
        let opened = |part| self.latches.get(part).and_then(Latch::opened);
        parts.iter().any(|part| opened(part).is_none())
    }

    /// Somebody else would complete it by hand: he tried, and came too late.
    pub(super) fn is_completed_by_others(&self, whole: LockId) -> bool {
        let by = |future| self.latches.get(future).map(Latch::by);
        let parts = self
            .wholes
            .get(&whole)
            .map_or(&[][..], |whole| &whole.parts);
        // Several who complete what it is made of may be about to complete it at the same time.
        let is_of_parts = |thread| parts.iter().filter_map(by).any(|by| by.contains(thread));
        by(&whole).is_some_and(|by| by.len() > 1 && !by.iter().all(is_of_parts))
    }

    /// A future is completed: by somebody's hand, if one that it is made of is not complete yet.
    pub(super) fn completes(&mut self, future: LockId, at: Nanos) {
        let whole = self.wholes.get(&future).filter(|_| self.complete);
        if whole.is_some_and(|whole| !self.are_complete(&whole.parts, at)) {
            self.wholes.remove(&future);
        }
    }

    /// All that a future is made of, if it is complete by then, and what those are made of; with true what is only presumed to
    /// be complete.
    pub(super) fn all_parts_of(&self, whole: LockId, by: Nanos) -> BTreeMap<LockId, bool> {
        let mut all = BTreeMap::new();
        let (mut sure, mut unsure) = (vec![whole], Vec::new());
        loop {
            // What is sure in one way is presumed in no other: that comes first.
            let (one, presumed) = match (sure.pop(), unsure.pop()) {
                (Some(one), rest) => {
                    unsure.extend(rest);
                    (one, false)
                }
                (None, Some(one)) => (one, true),
                (None, None) => return all,
            };
            let Some(whole) = self.whole(one, by) else {
                continue;
            };
            let presumed = presumed || !whole.is_known || self.are_unseen(&whole.parts);
            for &part in &whole.parts {
                let known =
                    all.len() >= PARTS || all.get(&part).is_some_and(|&known| !known || presumed);
                if !known {
                    all.insert(part, presumed);
                    match presumed {
                        true => unsure.push(part),
                        false => sure.push(part),
                    }
                }
            }
        }
    }
}

impl Jvm<'_> {
    /// Who let a thread go on that was parked for something else than a lock: a future, an exchange, a task of others. What
    /// it waited for is presumed to have been what the other one did before.
    pub(super) fn wake(&self, park: &Park) -> Option<Unpark> {
        // Where accesses are recorded, it is told as one more of what may have been read.
        if self.has_accesses() {
            return None;
        }
        let unpark = park.unpark.filter(|unpark| unpark.by != park.thread)?;
        // Of whom a signal was for it is not known where others may have waited since before the recording.
        let signalled = |lock| self.uses.known.outer.contains_key(&lock) && self.is_under_way();
        let told =
            |lock| (self.uses.is_owned(lock) && !signalled(lock)) || self.uses.is_latch(lock);
        let other = park.end == ParkEnd::Unparked && !park.lock.is_some_and(told);
        other.then_some(unpark)
    }

    pub(super) fn woken(&mut self, park: &Park, each: &mut dyn FnMut(&Step)) {
        if self.wake(park).is_some() {
            let lock = Lock(self.locks.number(wakes_of(park.thread)));
            let needs = Needs::Unknown;
            let event = at(park.to, park.thread, LockId(0));
            self.tell(&event, Op::Passes { lock, needs }, each);
        }
    }

    /// At its own time, what the other one has done until then.
    pub(super) fn wakes(&mut self, park: &Park, unpark: Unpark, each: &mut dyn FnMut(&Step)) {
        let by = at(unpark.at, unpark.by, LockId(0));
        let lock = Lock(self.locks.number(wakes_of(park.thread)));
        self.tell(&by, Op::Arrives(lock), each);
    }

    /// A task is handed over, run, or waited for with others; a future is made of others. False if it is none of these.
    pub(super) fn task(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) -> bool {
        let (by, lock) = (operation.thread, operation.lock);
        let done = operation.outcome == Outcome::Done;
        let hands = &mut self.uses.hands;
        match operation.act {
            Act::Hand | Act::Made if done => {
                match operation.act {
                    Act::Hand => hands.handed(by, lock),
                    _ => self.made(operation),
                }
                self.task_step(lock, Op::Arrives, event, each);
            }
            Act::Run if done => {
                hands.into(by, None);
                self.task_step(lock, Op::Runs, event, each);
                self.runs_stage(lock, event, each);
            }
            Act::Ran | Act::Run => {
                hands.out(by, false);
                self.task_step(lock, Op::Leaves, event, each);
            }
            Act::Pick => drop(hands.picked.insert(by, lock)),
            Act::Begin if done => self.begins_picked(by, event, each),
            Act::Spread if done => hands.into(by, Some(Vec::new())),
            Act::Gathered | Act::Spread => {
                for task in hands.out(by, true) {
                    // What runs in there may not have been told, and have handed over some of them: nobody waited for these.
                    let needs = match self.uses.known.untold {
                        true => Needs::Unknown,
                        false => self.needs(task),
                    };
                    self.comes_past(task, (done, needs), event, each);
                }
            }
            Act::Part if done => self.part(operation, event, each),
            Act::Whole => self.whole(operation, event, each),
            Act::Hand | Act::Made | Act::Begin | Act::Part => {}
            _ => return false,
        }
        true
    }

    fn task_step(
        &mut self,
        task: LockId,
        op: fn(Lock) -> Op,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        if !self.is_many(task) {
            let lock = Lock(self.locks.number(hands_of(task)));
            self.tell(event, op(lock), each);
        }
    }

    /// The thread of a timer is about to run the task that it has found, and through with the one before.
    fn begins_picked(&mut self, by: ThreadId, event: &Event, each: &mut dyn FnMut(&Step)) {
        if let Some(before) = self.uses.hands.running.remove(&by) {
            self.task_step(before, Op::Leaves, event, each);
        }
        // It looks for the next each time: if it tells of none, that is one that is not told apart.
        if let Some(task) = self.uses.hands.picked.remove(&by) {
            self.uses.hands.running.insert(by, task);
            self.task_step(task, Op::Runs, event, each);
        }
    }

    /// Who has seen a future complete has seen all complete that it is made of; if he waited for it (`waited`: with a limit
    /// or without), then for these.
    pub(super) fn comes_past_parts(
        &mut self,
        whole: LockId,
        waited: Option<bool>,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        if self.uses.hands.past.contains(&(event.thread, whole)) {
            return;
        }
        let parts = self.uses.known.all_parts_of(whole, event.at);
        let past = &mut self.uses.hands.past;
        if !parts.is_empty() && past.len() < PASSED {
            past.insert((event.thread, whole));
        }
        let by_others = self.uses.known.is_completed_by_others(whole);
        if let Some(timed) = waited.filter(|_| !by_others) {
            for &part in parts.keys() {
                if self.is_told_apart(part) {
                    let lock = Lock(self.locks.number(part));
                    let by = By::Any;
                    self.tell(event, Op::Awaits { lock, timed, by }, each);
                }
            }
        }
        for (part, presumed) in parts {
            let needs = match presumed || waited == Some(true) {
                true => Needs::Unknown,
                false => self.needs(part),
            };
            self.comes_past(part, (true, needs), event, each);
        }
    }

    fn comes_past(
        &mut self,
        task: LockId,
        (done, needs): (bool, Needs),
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        if done && self.is_told_apart(task) {
            let lock = Lock(self.locks.number(task));
            self.tell(event, Op::Passes { lock, needs }, each);
        }
    }

    /// What is over for a thread when it counts there.
    pub(super) fn is_over_with(&self, lock: LockId) -> Over {
        let class = || class(self.collected, lock).unwrap_or_default();
        match () {
            () if is_counted(self.collected, lock) => Over::Nothing,
            // Where it comes to the next task nothing tells: at the end of this one.
            () if is_pool(self.collected, lock) || class().ends_with("$ScheduledFutureTask") => {
                Over::All
            }
            () => Over::Task,
        }
    }

    /// A future, or what runs tasks, of which it is known which object it is.
    fn is_told_apart(&self, task: LockId) -> bool {
        self.uses.is_latch(task) && !self.is_many(task)
    }

    /// Whether it stands for objects that are not told apart.
    pub(super) fn is_many(&self, lock: LockId) -> bool {
        let log = self.collected.parked.get(&lock);
        log.and_then(|log| log.def).is_some_and(|def| def.shared)
    }
}
