//! From the ring's order, which is nearly that of time, to the order of time.
//!
//! Events are held back until no older one can come any more. Holding back is bounded by what a
//! drain takes out, because the watermark follows the clock.

use crate::ring::{RawEvent, What};
use locklens_trace::{Event, EventKind, LockId, Nanos, Owner, StackId, ThreadId};

/// See the module.
pub(super) struct Order {
    start: u64,
    mark: u64,
    held: Vec<RawEvent>,
}

impl Order {
    /// Nothing held yet.
    pub(super) fn new(start: u64) -> Self {
        Self {
            start,
            mark: start,
            held: Vec::new(),
        }
    }

    /// Time up to which everything has been released.
    pub(super) fn mark(&self) -> u64 {
        self.mark
    }

    /// Takes an event in.
    pub(super) fn hold(&mut self, event: RawEvent) {
        self.held.push(event);
    }

    /// Gives out everything before `mark`, in order of time, each with its raw argument.
    pub(super) fn release(&mut self, mark: u64, mut each: impl FnMut(Event, u64)) {
        self.mark = self.mark.max(mark);
        // Stable: events of one time keep the ring's order. Nearly sorted, so nearly linear.
        self.held.sort_by_key(|event| event.at);
        let ripe = self.held.partition_point(|event| event.at < mark);
        for event in self.held.drain(..ripe) {
            each(trace_event(&event, self.start), event.arg);
        }
    }
}

fn trace_event(raw: &RawEvent, start: u64) -> Event {
    Event {
        at: Nanos(raw.at.saturating_sub(start)),
        thread: ThreadId(raw.thread),
        kind: kind(raw),
        lock: (raw.lock != 0).then_some(LockId(raw.lock)),
        stack: (raw.stack != 0).then_some(StackId(raw.stack)),
        owner: Owner::Unknown,
        seq: (raw.seq != 0).then_some(raw.seq),
    }
}

fn kind(raw: &RawEvent) -> EventKind {
    match raw.what {
        What::Enter => EventKind::Enter,
        What::Entered => EventKind::Entered,
        What::Wait => EventKind::Wait {
            timeout: (raw.arg != 0).then(|| Nanos::from_millis(raw.arg)),
        },
        What::Waited => EventKind::Waited {
            timed_out: raw.arg != 0,
        },
        What::ThreadStart => EventKind::ThreadStart,
        What::ThreadEnd => EventKind::ThreadEnd,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(at: u64) -> RawEvent {
        RawEvent {
            at,
            what: What::Waited,
            thread: 1,
            lock: 0,
            stack: 0,
            seq: 0,
            arg: 1,
        }
    }

    #[test]
    fn only_ripe_events_come_out_and_in_order() {
        let mut order = Order::new(100);
        for at in [130, 110, 120, 150] {
            order.hold(event(at));
        }
        let mut times = Vec::new();
        order.release(130, |event, _| times.push(event.at.0));
        assert_eq!(times, [10, 20]);
        order.release(200, |event, _| times.push(event.at.0));
        assert_eq!((times, order.mark()), (vec![10, 20, 30, 50], 200));
    }
}
