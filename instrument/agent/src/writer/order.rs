//! From the ring's order, which is nearly that of time, to the order of time.
//!
//! Events are held back until no older one can come any more. Usually that is a moment, because the
//! watermark follows the clock. A thread suspended in its callback would hold it up for ever: when
//! too much is held back, or much is, there is no room for more and no time goes by, such a thread is no longer waited for, and its event,
//! should it come, counts from when it came.

use crate::exact::{LATE, is_start};
use crate::ring::{RawEvent, What};
use locklens_trace::{Event, EventKind, LockId, Nanos, Owner, StackId, ThreadId};

/// Events held back that are not worth losing patience for: what they take is not what there is no room for.
const FEW: usize = 1 << 12;

/// Bytes an event held back may come to: itself, room to grow, room to sort.
pub(super) const EACH: usize = 3 * size_of::<RawEvent>();

/// See the module.
pub(super) struct Order {
    start: u64,
    mark: u64,
    held: Vec<RawEvent>,
    most: usize,
}

impl Order {
    /// Nothing held yet; `most` events may be held back before patience ends.
    pub(super) fn new(start: u64, most: usize) -> Self {
        Self {
            start,
            mark: start,
            held: Vec::new(),
            most,
        }
    }

    /// Who came before this time is not waited for; `pressed` if there is no room for more events and waiting
    /// makes none.
    pub(super) fn patience_from(&self, pressed: bool) -> u64 {
        self.impatient_from(pressed).unwrap_or(self.start)
    }

    /// The same, if anybody is not waited for.
    pub(super) fn impatient_from(&self, pressed: bool) -> Option<u64> {
        let middle = self.held.get(self.held.len() / 2);
        let middle = middle.filter(|_| pressed || self.held.len() > self.most);
        // What came late counts from the mark on: past that, or nothing would ever go.
        middle.map(|event| event.at.max(self.mark + 1))
    }

    /// Whether so many are held back that it helps to let them go.
    pub(super) fn holds_many(&self) -> bool {
        self.held.len() > FEW.min(self.most / 2)
    }

    /// Gives back the memory of events that are no longer held.
    pub(super) fn shrink(&mut self) {
        self.held.shrink_to_fit();
    }

    /// Time up to which everything has been released.
    pub(super) fn mark(&self) -> u64 {
        self.mark
    }

    /// Bytes of what is held back.
    pub(super) fn bytes(&self) -> usize {
        self.held.capacity() * size_of::<RawEvent>()
    }

    /// Whether an event of this thread is held back.
    pub(super) fn holds(&self, thread: ThreadId) -> bool {
        self.held.iter().any(|event| event.thread == thread.0)
    }

    /// Takes an event in. A start that comes too late for its place is not told: later on it would come after what its thread
    /// did since, and that would seem to be over before the other one began.
    pub(super) fn hold(&mut self, mut event: RawEvent) {
        let starts = event.what == What::Kin && is_start(event.arg);
        if starts && event.at < self.mark {
            return;
        }
        if event.what == What::Access && event.at < self.mark {
            event.arg |= LATE;
        }
        event.at = event.at.max(self.mark);
        self.held.push(event);
    }

    /// Gives out everything before `mark`, in order of time, each with what it was made from.
    pub(super) fn release(&mut self, mark: u64, mut each: impl FnMut(Event, &RawEvent)) {
        self.mark = self.mark.max(mark);
        // Stable: events of one time keep the ring's order. Nearly sorted, so nearly linear.
        self.held.sort_by_key(|event| event.at);
        let ripe = self.held.partition_point(|event| event.at < mark);
        for event in self.held.drain(..ripe) {
            each(trace_event(&event, self.start), &event);
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
        // Operations and accesses are told by what they were made from, and by no event.
        What::Entered | What::ProbeEntered | What::Operation | What::Access | What::Kin => {
            EventKind::Entered
        }
        What::Wait | What::ProbeWait => EventKind::Wait {
            timeout: (raw.arg != 0).then(|| Nanos::from_millis(raw.arg)),
        },
        What::Waited => EventKind::Waited {
            timed_out: raw.arg != 0,
        },
        What::ThreadStart => EventKind::ThreadStart,
        What::ThreadEnd => EventKind::ThreadEnd,
        What::Exit | What::VmExit => EventKind::Exit,
        What::Resumed => EventKind::Resumed,
        What::ResumeThrew => EventKind::Interrupted,
        What::Notify | What::VmNotify => EventKind::Notify,
        What::NotifyAll | What::VmNotifyAll => EventKind::NotifyAll,
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
        let mut order = Order::new(100, 10);
        for at in [130, 110, 120, 150] {
            order.hold(event(at));
        }
        let mut times = Vec::new();
        assert!(!order.holds_many());
        order.release(130, |event, _| times.push(event.at.0));
        assert_eq!(times, [10, 20]);
        order.release(200, |event, _| times.push(event.at.0));
        assert_eq!((times, order.mark()), (vec![10, 20, 30, 50], 200));
    }

    #[test]
    fn a_start_that_comes_too_late_is_not_told_and_the_wait_for_an_end_is() {
        let kin = |at, joined| RawEvent {
            what: What::Kin,
            arg: u64::from(joined) << 32 | 7,
            ..event(at)
        };
        let mut order = Order::new(100, 10);
        order.release(150, |_, _| {});
        for (at, joined) in [(140, false), (145, true), (150, false)] {
            order.hold(kin(at, joined));
        }
        let mut told = Vec::new();
        order.release(200, |event, raw| told.push((event.at.0, raw.arg >> 32)));
        assert_eq!(told, [(50, 1), (50, 0)]);
    }

    #[test]
    fn patience_ends_when_too_much_is_held_back() {
        let mut order = Order::new(100, 3);
        for at in [110, 120, 130] {
            order.hold(event(at));
        }
        assert_eq!(order.patience_from(false), 100);
        assert_eq!(
            order.patience_from(true),
            120,
            "there is no room for one more"
        );
        assert!(order.holds_many());
        order.hold(event(140));
        let from = order.patience_from(false);
        assert_eq!(from, 130);
        let mut times = Vec::new();
        order.release(from, |event, _| times.push(event.at.0));
        // Whoever was not waited for counts from now on.
        order.hold(event(105));
        order.release(200, |event, _| times.push(event.at.0));
        assert_eq!(times, [10, 20, 30, 30, 40]);
    }
}
