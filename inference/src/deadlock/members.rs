//! Executors that have a thread for each task: which threads are whose. Such an executor is past its end when all of them have
//! ended. A virtual one tells nobody of that but the JVM, so here it counts with its end.
//!
//! Who is started is named by the low bits of its tid. Where several threads have the same, nobody knows which of them it is.

use super::jvm::Jvm;
use super::step::{By, Lock, Op, Over, Step};
use crate::collect::Collected;
use locklens_trace::juc::{Act, Operation, Outcome, TID_MASK};
use locklens_trace::{Event, LockId, ThreadId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[cfg(test)]
mod tests;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Members {
    /// By the low bits of its tid; none if there are several.
    by_tid: HashMap<u64, Option<ThreadId>>,
    /// The executor of each that has been started, and has not ended.
    of: BTreeMap<ThreadId, LockId>,
    /// The same by executor.
    all: BTreeMap<LockId, BTreeSet<ThreadId>>,
    /// Threads that wait for the end of an executor: within that for what it has inside.
    joining: BTreeMap<ThreadId, LockId>,
}

impl Members {
    pub(super) fn of(collected: &Collected) -> Self {
        let mut uses = collected
            .parked
            .values()
            .filter_map(|log| log.uses.as_deref());
        let mut by_tid = HashMap::new();
        if uses.any(|uses| uses.acts.keys().any(|&(act, _)| act == Act::Start)) {
            for (&id, def) in &collected.catalog.threads {
                let known = by_tid.entry(def.tid & TID_MASK).or_insert(Some(id));
                *known = known.filter(|&known| known == id);
            }
        }
        Self {
            by_tid,
            ..Self::default()
        }
    }

    /// From the beginning.
    pub(super) fn rewind(&mut self) {
        self.of.clear();
        self.all.clear();
        self.joining.clear();
    }

    /// Whether a thread waits for the end of an executor.
    pub(super) fn is_joining(&self, thread: ThreadId) -> bool {
        self.joining.contains_key(&thread)
    }

    /// It has come past something: if that is the executor, it waits no longer.
    pub(super) fn joined(&mut self, operation: &Operation) {
        if self.joining.get(&operation.thread) == Some(&operation.lock) {
            self.joining.remove(&operation.thread);
        }
    }

    /// What a thread is in the middle of is not known any more.
    pub(super) fn forget(&mut self, thread: ThreadId) {
        self.joining.remove(&thread);
    }

    /// Those that an executor has started and that have not ended; they are no more.
    fn take(&mut self, executor: LockId) -> BTreeSet<ThreadId> {
        let all = self.all.remove(&executor).unwrap_or_default();
        for thread in &all {
            self.of.remove(thread);
        }
        all
    }

    /// A thread has ended: the executor that had started it.
    fn ended(&mut self, thread: ThreadId) -> Option<LockId> {
        let executor = self.of.remove(&thread)?;
        if let Some(all) = self.all.get_mut(&executor) {
            all.remove(&thread);
        }
        Some(executor)
    }

    /// An executor is about to start a thread.
    pub(super) fn started(&mut self, operation: &Operation) {
        let tid = u64::from(operation.count);
        if let Some(&Some(thread)) = self.by_tid.get(&tid) {
            self.of.insert(thread, operation.lock);
            self.all.entry(operation.lock).or_default().insert(thread);
        }
    }
}

impl Jvm<'_> {
    /// Somebody is about to wait for the end of an executor: within that he waits for what its threads do, too.
    pub(super) fn joins_all(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let one = operation.lock;
        // For less than a day.
        let timed = operation.count == 0;
        if self.uses.is_latch(one) && !self.is_many(one) {
            let lock = Lock(self.locks.number(one));
            let by = By::Any;
            self.tell(event, Op::Awaits { lock, timed, by }, each);
            self.uses.members.joining.insert(operation.thread, one);
        }
    }

    /// Whether it is told of this pool when somebody begins to wait for its end.
    pub(super) fn has_joins(&self, pool: LockId) -> bool {
        let log = self.collected.parked.get(&pool);
        let uses = log.and_then(|log| log.uses.as_deref());
        uses.is_some_and(|uses| uses.count(Act::Join, Outcome::Done) > 0)
    }

    /// An executor is past its end: so are all that it has started, whether the JVM has told of their ends yet or not.
    pub(super) fn members_are_over(
        &mut self,
        executor: LockId,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let over = self.uses.members.take(executor);
        let lock = Lock(self.locks.number(executor));
        for thread in over {
            if self.threads.known.contains_key(&thread) {
                let by = Event {
                    thread,
                    stack: None,
                    ..*event
                };
                self.tell(
                    &by,
                    Op::Opens {
                        lock,
                        over: Over::All,
                    },
                    each,
                );
            }
        }
    }

    /// A thread ends: if it ran a task of an executor, that has one task less to wait for.
    pub(super) fn member_ends(&mut self, event: &Event, each: &mut dyn FnMut(&Step)) {
        let executor = self.uses.members.ended(event.thread);
        let awaited = executor.filter(|&one| self.uses.is_latch(one) && !self.is_many(one));
        if let Some(executor) = awaited {
            let lock = Lock(self.locks.number(executor));
            self.tell(
                event,
                Op::Opens {
                    lock,
                    over: Over::All,
                },
                each,
            );
        }
    }
}
