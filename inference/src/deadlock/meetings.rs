//! Where threads wait for others to come: latches, phases that somebody awaits without coming to them himself, barriers.

use super::encounters::elsewhere;
use super::jvm::Jvm;
use super::step::{By, Lock, Needs, Op, Step};
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::{Event, ThreadId};
use std::collections::BTreeSet;

/// Threads that meet at one barrier.
const PARTIES: usize = 256;

impl Jvm<'_> {
    /// A latch that is counted down or awaited; a phase that is awaited.
    pub(super) fn gate(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let lock = Lock(self.locks.number(operation.lock));
        if self.is_many(operation.lock) {
            return;
        }
        let complete = self.uses.known.complete;
        let latch = self.uses.known.latches.get_mut(&operation.lock);
        let is_latch = latch.is_some();
        if let Some(latch) = latch.filter(|_| !complete) {
            latch.count(operation);
        }
        if operation.act == Act::CountDown {
            let over = self.is_over_with(operation.lock);
            self.tell(event, Op::Opens { lock, over }, each);
            return self.completes(operation, event, each);
        }
        // It had enough of it, or would have had in less than a day.
        let timed = operation.outcome == Outcome::Failed || operation.count == 0;
        // Who only asks does not wait. Where it is told when somebody begins to wait, it need not be told again.
        let is_told =
            self.has_joins(operation.lock) || self.uses.members.is_joining(operation.thread);
        let waits = is_latch && !operation.tries && !is_told;
        self.uses.members.joined(operation);
        if waits {
            let by = By::Any;
            self.tell(event, Op::Awaits { lock, timed, by }, each);
        }
        if operation.outcome == Outcome::Done {
            self.members_are_over(operation.lock, event, each);
            let waited = waits.then_some(timed);
            self.comes_past_parts(operation.lock, waited, event, each);
            // It would have gone on without that a little later.
            let needs = match timed {
                true => Needs::Unknown,
                false => self.needs(operation.lock),
            };
            self.tell(event, Op::Passes { lock, needs }, each);
        }
    }

    /// The first that comes out of a meeting shows that all others have come to it.
    pub(super) fn meet(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let lock = Lock(self.locks.number(operation.lock));
        if self.uses.known.places.contains_key(&operation.lock) {
            self.leaves_barrier(operation, event, each);
        }
        let (times, most) = self.uses.meets.entry(operation.lock).or_default();
        let mine = times.entry(operation.thread).or_default();
        *mine += 1;
        if *mine > *most {
            *most = *mine;
            self.tell(event, Op::Arrives(lock), each);
            for other in self.parties(operation) {
                let by = elsewhere(event, other);
                self.tell(&by, Op::Arrives(lock), each);
            }
        }
        let needs = Needs::Unknown;
        self.tell(event, Op::Passes { lock, needs }, each);
    }

    /// The others that use a barrier, and have been heard of.
    fn parties(&self, operation: &Operation) -> BTreeSet<ThreadId> {
        let uses = self.collected.parked.get(&operation.lock);
        let uses = uses.and_then(|log| log.uses.as_deref());
        let all = uses.into_iter().flat_map(|uses| &uses.threads);
        let known = all.filter(|other| self.threads.known.contains_key(other));
        let others = known.filter(|&&other| other != operation.thread);
        others.take(PARTIES).copied().collect()
    }
}
