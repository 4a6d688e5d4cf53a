//! Condition waits: who ended them, as `crate::wake` has it. Of what only watches, no notify is known.

use super::follow::Waiting;
use super::stay::{Chain, Group, Holder, Measure, Part, Piece, Stay, Why};
use crate::wake::Wakes;
use locklens_trace::{Event, LockId, Nanos, ThreadId};

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

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Waiters {
    wakes: Wakes,
    /// Waits of which it is inferred who ended them.
    pub(super) inferred: u64,
}

impl Waiters {
    pub(super) fn wait(&mut self, event: &Event, lock: LockId) {
        self.wakes.wait(event, lock);
    }

    pub(super) fn notify(&mut self, event: &Event, lock: LockId) {
        self.inferred += u64::from(self.wakes.notify(event, lock));
    }

    /// The wait is given up, nobody knows how.
    pub(super) fn forget(&mut self, thread: ThreadId, waiting: &Waiting) {
        self.wakes.take(thread, waiting.lock);
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
        let waiter = self.wakes.take(thread, waiting.lock);
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
            part: Part::First,
        }
    }
}
