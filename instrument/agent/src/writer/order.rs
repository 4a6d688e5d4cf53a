//! From the ring's order, which is nearly that of time, to the order of time.
//!
//! Events are held back until no older one can come any more. Usually that is a moment, because the
//! watermark follows the clock. A thread suspended in its callback would hold it up for ever: when
//! too much is held back, or much is, there is no room for more and no time goes by, such a thread is no longer waited for, and its event,
//! should it come, counts from when it came.
//!
//! Where no clock is read all events of a look have its time, and a ring is looked at a moment before another. Then an
//! event is told when all rings have been looked at once more, behind those that its thread told before and those
//! whose numbers are lower among those of its lock, though they were found in a later look. When too much is held back what goes is that
//! before which nothing is missing ([`Numbers`]), and only if there is no such event what has waited longest.

use super::numbers::Numbers;
use crate::exact::{LATE, is_start};
use crate::ring::{COUNTED, RawEvent, What};
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
    /// Where times are only those of looks.
    numbers: Option<Numbers>,
    /// Nothing of what is held back goes by its number.
    stuck: bool,
    /// The latest time that was told.
    latest: u64,
}

impl Order {
    /// Nothing held yet; `most` events may be held back before patience ends.
    pub(super) fn new(start: u64, most: usize) -> Self {
        Self {
            start,
            mark: start,
            held: Vec::new(),
            most,
            numbers: None,
            stuck: false,
            latest: start,
        }
    }

    /// From now on times are only those of looks, and numbers tell the order.
    pub(super) fn go_by_numbers(&mut self) {
        self.numbers = Some(Numbers::default());
    }

    /// Who came before this time is not waited for; `pressed` if there is no room for more events and waiting
    /// makes none.
    pub(super) fn patience_from(&self, pressed: bool) -> u64 {
        self.impatient_from(pressed).unwrap_or(self.start)
    }

    /// The same, if anybody is not waited for.
    pub(super) fn impatient_from(&self, pressed: bool) -> Option<u64> {
        let by_number = self.numbers.is_some() && !self.stuck;
        let middle = self.held.get(self.held.len() / 2);
        let middle = middle.filter(|_| self.holds_too_many(pressed) && !by_number);
        // What came late counts from the mark on: past that, or nothing would ever go.
        middle.map(|event| event.at.max(self.mark + 1))
    }

    fn holds_too_many(&self, pressed: bool) -> bool {
        pressed || self.held.len() > self.most
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

    /// Events held back.
    pub(super) fn len(&self) -> usize {
        self.held.len()
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

    /// Gives out everything before `mark`, in order of time, each with what it was made from; more, where numbers tell the order and
    /// too many are held back.
    pub(super) fn release(
        &mut self,
        mark: u64,
        pressed: bool,
        mut each: impl FnMut(Event, &RawEvent),
    ) {
        self.mark = self.mark.max(mark);
        // Stable: events of one time keep the ring's order. Nearly sorted, so nearly linear.
        self.held.sort_by_key(|event| event.at);
        let ripe = self.held.partition_point(|event| event.at < mark);
        let Some(numbers) = &self.numbers else {
            for event in self.held.drain(..ripe) {
                each(trace_event(&event, self.start), &event);
            }
            return;
        };
        let order = numbers.ripe(&self.held, ripe);
        self.tell(&order, &mut each);
        self.stuck = false;
        if self.holds_too_many(pressed) {
            let order = self.numbers.as_ref().map(|n| n.connected(&self.held));
            let order: Vec<(u32, u64)> = order
                .into_iter()
                .flatten()
                .map(|place| (place, u64::MAX))
                .collect();
            self.stuck = order.is_empty();
            self.tell(&order, &mut each);
        }
    }

    /// Gives out what is held at these places, each by a time.
    fn tell(&mut self, order: &[(u32, u64)], each: &mut impl FnMut(Event, &RawEvent)) {
        let mut told = vec![false; self.held.len()];
        for &(place, until) in order {
            told[place as usize] = true;
            let mut event = self.held[place as usize];
            event.at = event.at.min(until).max(self.latest);
            self.latest = event.at;
            if let Some(numbers) = &mut self.numbers {
                numbers.note(&event);
            }
            event.arg &= !COUNTED;
            each(trace_event(&event, self.start), &event);
        }
        let mut told = told.into_iter();
        self.held.retain(|_| !told.next().unwrap_or_default());
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
mod tests;
