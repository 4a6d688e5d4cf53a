//! What orders the threads that run tasks: futures and pools, which are like latches; and unparks, by which everything else
//! that waits is let go.

use super::jvm::Jvm;
use super::operations::{at, class};
use super::step::{Lock, Needs, Op, Step};
use crate::collect::Collected;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::{Event, LockId, ThreadId};
use std::collections::BTreeSet;

/// The ids of a recording are counted from 1 on: those with this bit stand for the unparks of a thread.
const WAKES: u32 = 1 << 30;

/// Those with this bit stand for what is to be run once a future is complete.
const STAGES: u32 = 1 << 29;

/// The class of such futures.
const STAGE: &str = "java.util.concurrent.CompletableFuture";

fn stage_of(future: LockId) -> LockId {
    LockId(future.0 | STAGES)
}

/// What was left to be run when a future is complete: by whom (two at most).
#[derive(Debug, Default)]
pub(super) struct Stage {
    by: BTreeSet<ThreadId>,
}

impl Stage {
    fn left(&mut self, by: ThreadId) {
        if self.by.len() < 2 {
            self.by.insert(by);
        }
    }

    /// Whatever is run of it, the first that was left had been left by then.
    fn needs_first(&self) -> bool {
        self.by.len() == 1
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
    let is_gate = |act: &Act| matches!(act, Act::CountDown | Act::Pass);
    counted && uses.is_some_and(|uses| uses.acts.keys().any(|(act, _)| is_gate(act)))
}

/// It is past its end when all of its threads have ended: each of them counts.
pub(super) fn is_pool(collected: &Collected, lock: LockId) -> bool {
    let class = class(collected, lock);
    class.is_some_and(|class| class.ends_with("ThreadPoolExecutor"))
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
        let told = |lock| self.uses.is_owned(lock) || self.uses.is_latch(lock);
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

    /// Something is to be run when a future is complete, or what was to be has been run. False if it is neither.
    pub(super) fn stage(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) -> bool {
        let acts = matches!(operation.act, Act::Register | Act::Arrive);
        let is_stage = || class(self.collected, operation.lock).as_deref() == Some(STAGE);
        if !(acts && is_stage()) {
            return false;
        }
        if operation.outcome != Outcome::Done || self.is_many(operation.lock) {
            return true;
        }
        let known = &mut self.uses.known;
        let op: fn(Lock) -> Op = match operation.act {
            Act::Register if known.complete => Op::Arrives,
            Act::Register => {
                let stage = known.stages.entry(operation.lock).or_default();
                stage.left(operation.thread);
                Op::Arrives
            }
            _ => Op::Leaves,
        };
        let lock = Lock(self.locks.number(stage_of(operation.lock)));
        self.tell(event, op(lock), each);
        true
    }

    /// A future is about to be complete: what is to be run then is run by the same thread, or handed on by it.
    pub(super) fn completes(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let stage = self.uses.known.stages.get(&operation.lock);
        if let (Some(stage), Outcome::Done) = (stage, operation.outcome) {
            let needed = stage.needs_first();
            let lock = Lock(self.locks.number(stage_of(operation.lock)));
            self.tell(event, Op::Enters { lock, needed }, each);
        }
    }

    /// Whether it stands for objects that are not told apart.
    pub(super) fn is_many(&self, lock: LockId) -> bool {
        let log = self.collected.parked.get(&lock);
        log.and_then(|log| log.def).is_some_and(|def| def.shared)
    }
}
