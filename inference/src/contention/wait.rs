//! Condition waits: who ended them.
//!
//! Of an exact recording every notify is known. `notifyAll` ends the waits of all who wait; `notify` that of one, and if
//! several wait nobody says whose: HotSpot takes the one that waits longest, which is what is told, marked as
//! inferred. Of what only watches, no notify is known.

use super::follow::Waiting;
use super::stay::{Chain, Group, Holder, Measure, Piece, Stay, Why};
use crate::collect::FastHash;
use locklens_trace::{Event, EventKind, LockId, Nanos, StackId, ThreadId};
use std::collections::{HashMap, VecDeque};

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// It ended, and not by its time-out as far as the JVM says.
    Known,
    TimedOut,
    Interrupted,
    /// It had not when the recording did.
    Not,
}

/// A thread that waits, and who has notified it.
#[derive(Clone, Copy, Debug)]
struct Waiter {
    thread: ThreadId,
    by: Option<Notify>,
}

/// Who notified, when and from where.
#[derive(Clone, Copy, Debug)]
struct Notify {
    by: ThreadId,
    at: Nanos,
    stack: Option<StackId>,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Waiters {
    /// In the order in which they came.
    locks: HashMap<LockId, VecDeque<Waiter>, FastHash>,
    /// Waits of which it is inferred who ended them.
    pub(super) inferred: u64,
}

impl Waiters {
    pub(super) fn wait(&mut self, event: &Event, lock: LockId) {
        let waiters = self.locks.entry(lock).or_default();
        waiters.retain(|waiter| waiter.thread != event.thread);
        waiters.push_back(Waiter {
            thread: event.thread,
            by: None,
        });
    }

    pub(super) fn notify(&mut self, event: &Event, lock: LockId) {
        let Some(waiters) = self.locks.get_mut(&lock) else {
            return;
        };
        let by = Some(Notify {
            by: event.thread,
            at: event.at,
            stack: event.stack,
        });
        let mut open = waiters.iter_mut().filter(|waiter| waiter.by.is_none());
        if event.kind == EventKind::NotifyAll {
            return open.for_each(|waiter| waiter.by = by);
        }
        let Some(first) = open.next() else { return };
        first.by = by;
        self.inferred += u64::from(open.next().is_some());
    }

    /// The wait is given up, nobody knows how.
    pub(super) fn forget(&mut self, thread: ThreadId, waiting: &Waiting) {
        self.take(thread, waiting.lock);
    }

    /// A wait is over: what it was, and who ended it.
    pub(super) fn over(
        &mut self,
        thread: ThreadId,
        waiting: &Waiting,
        at: Nanos,
        ended: Ended,
        known: bool,
    ) -> Stay {
        let waiter = self.take(thread, waiting.lock);
        let by = waiter.and_then(|waiter| waiter.by);
        let (holder, chain) = match (ended, by) {
            (Ended::TimedOut | Ended::Interrupted | Ended::Not, _) => (Holder::Nobody, None),
            (Ended::Known, Some(notify)) => {
                (Holder::Thread(notify.by), notify.stack.map(Chain::at_end))
            }
            (Ended::Known, None) => (Holder::Unknown(Why::NoNotify), None),
        };
        let (from, to) = (waiting.since, at.max(waiting.since));
        // Two pieces, where it is known when it was notified: up to that, and to come back.
        let notified = match holder {
            Holder::Thread(_) => by.map(|notify| notify.at.clamp(from, to)),
            _ => None,
        };
        let middle = notified.unwrap_or(to);
        let mut pieces = vec![Piece::new(from, middle, holder, chain)];
        if middle < to {
            pieces.push(Piece::new(middle, to, holder, chain));
        }
        Stay {
            group: Group::Wait,
            lock: waiting.lock,
            waiter: thread,
            stack: waiting.stack,
            pieces,
            measure: match known {
                true => Measure::Exact,
                false => Measure::Unknown,
            },
        }
    }

    fn take(&mut self, thread: ThreadId, lock: LockId) -> Option<Waiter> {
        let waiters = self.locks.get_mut(&lock)?;
        let index = waiters.iter().position(|waiter| waiter.thread == thread)?;
        waiters.remove(index)
    }
}
