//! Semaphores whose permits are given by others than those who take them: what one thread tells another by. They are like queues.
//!
//! Who had to wait for a permit waited for somebody who gives one. Who found a single one would have waited, had he come before it was
//! given: that is told of a program that was recorded from its start, as long as those who give are not those who take. How many
//! permits there were from the beginning nobody tells; there were none if somebody had to wait when all were taken that had been given.

use super::handed::is_whole;
use super::jvm::Jvm;
use super::operations::at;
use super::step::{By, Lock, Op, Step, Thread};
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::{Event, LockId, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// Threads of one semaphore that are told apart.
const THREADS: usize = 64;

/// What has been given so far.
#[derive(Debug, Default)]
pub(super) struct Signals(BTreeMap<LockId, Given>);

#[derive(Debug, Default)]
struct Given {
    /// Permits that were given and not taken.
    inside: u64,
    givers: BTreeSet<ThreadId>,
    /// Who gave last.
    giver: Option<ThreadId>,
    takers: BTreeSet<ThreadId>,
    /// Somebody had to wait when all that had been given was taken: there were none from the beginning.
    began_empty: bool,
    /// Some were there from the beginning, some give and take, or there are too many.
    unsure: bool,
}

impl Given {
    fn gives(&mut self, operation: &Operation) {
        self.inside = self.inside.saturating_add(operation.count.into());
        self.giver = Some(operation.thread);
        self.unsure |= self.givers.len() >= THREADS || self.takers.contains(&operation.thread);
        if !self.unsure {
            self.givers.insert(operation.thread);
        }
    }

    /// Whether he would have waited for one of these.
    fn takes(&mut self, operation: &Operation) -> bool {
        let count = u64::from(operation.count);
        let few = self.inside == count;
        self.unsure |= count > self.inside || self.givers.contains(&operation.thread);
        self.unsure |= self.takers.len() >= THREADS;
        self.inside = self.inside.saturating_sub(count);
        if !self.unsure {
            self.takers.insert(operation.thread);
        }
        few && !self.unsure
    }
}

impl Signals {
    fn began_empty(&self, lock: LockId) -> bool {
        self.0.get(&lock).is_some_and(|given| given.began_empty)
    }

    /// Somebody was parked for a permit, and let go by the one that was given last, or still is.
    fn parked(&mut self, lock: LockId, park: &Park) {
        let given = self.0.entry(lock).or_default();
        let by_last = park
            .unpark
            .is_some_and(|unpark| Some(unpark.by) == given.giver);
        given.began_empty |= match park.end {
            ParkEnd::Unparked => given.inside <= 1 && by_last,
            ParkEnd::Open => given.inside == 0,
            _ => false,
        };
    }
}

impl Jvm<'_> {
    /// A permit that others take is given, or one that others give is taken. False if it is neither.
    pub(super) fn signal(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) -> bool {
        let is_signal = self.uses.known.signals.contains(&operation.lock);
        let done = operation.outcome == Outcome::Done;
        let lock = Lock(self.locks.number(operation.lock));
        match operation.act {
            Act::Unshare if is_signal && done => {
                let given = self.uses.signals.0.entry(operation.lock).or_default();
                given.gives(operation);
                self.has_come(operation.lock, event, each);
                self.several(operation.count, Op::Puts(lock), event, each);
            }
            Act::Share if is_signal => {
                let giver = match done {
                    true => self.would_wait_for_signal(operation),
                    false => None,
                };
                if let Some(giver) = giver {
                    let giver = Thread(self.threads.number(giver));
                    let (timed, by) = (false, By::Was(giver));
                    self.tell(event, Op::Awaits { lock, timed, by }, each);
                }
                if done {
                    let any = false;
                    self.several(operation.count, Op::Takes { lock, any }, event, each);
                }
            }
            _ => return false,
        }
        true
    }

    /// Whom it would have waited for, had it come earlier.
    fn would_wait_for_signal(&mut self, operation: &Operation) -> Option<ThreadId> {
        let given = self.uses.signals.0.entry(operation.lock).or_default();
        let few = given.takes(operation) && !operation.tries;
        given.giver.filter(|_| few && is_whole(self.collected))
    }

    /// There may have been permits from the beginning: nobody was seen to wait for one while all were taken that had been given.
    pub(super) fn has_spare_permits(&self, lock: LockId) -> bool {
        let began_empty = self.uses.signals.began_empty(lock);
        self.uses.known.signals.contains(&lock) && !began_empty
    }

    /// Who is parked for a permit waits for it.
    pub(super) fn awaits_signal(&mut self, park: &Park, each: &mut dyn FnMut(&Step)) {
        let Some(lock) = park
            .lock
            .filter(|lock| self.uses.known.signals.contains(lock))
        else {
            return;
        };
        self.uses.signals.parked(lock, park);
        let event = Event {
            stack: self.stack_of(park.thread, lock),
            ..at(park.from, park.thread, lock)
        };
        let lock = Lock(self.locks.number(lock));
        let (timed, by) = (park.limit.is_some(), By::Any);
        self.tell(&event, Op::Awaits { lock, timed, by }, each);
    }
}
