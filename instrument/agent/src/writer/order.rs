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
mod tests {
    use super::*;
    use proptest::prelude::*;

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
        order.release(130, false, |event, _| times.push(event.at.0));
        assert_eq!(times, [10, 20]);
        order.release(200, false, |event, _| times.push(event.at.0));
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
        order.release(150, false, |_, _| {});
        for (at, joined) in [(140, false), (145, true), (150, false)] {
            order.hold(kin(at, joined));
        }
        let mut told = Vec::new();
        order.release(200, false, |event, raw| {
            told.push((event.at.0, raw.arg >> 32))
        });
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
        order.release(from, false, |event, _| times.push(event.at.0));
        // Whoever was not waited for counts from now on.
        order.hold(event(105));
        order.release(200, false, |event, _| times.push(event.at.0));
        assert_eq!(times, [10, 20, 30, 30, 40]);
    }

    fn numbered(at: u64, thread: u32, lock: u32, seq: u32) -> RawEvent {
        RawEvent {
            thread,
            lock,
            seq,
            what: What::ProbeEntered,
            ..event(at)
        }
    }

    #[test]
    fn without_a_clock_numbers_and_threads_tell_the_order_even_across_looks() {
        let mut order = Order::new(100, 100);
        order.go_by_numbers();
        // Thread 1's ring is looked at first and cut off within the lock; what thread 2 did after it stands in the same look.
        for raw in [
            numbered(110, 1, 7, 1),
            numbered(110, 2, 7, 4),
            numbered(110, 2, 8, 2),
            numbered(120, 1, 8, 1),
            numbered(120, 1, 7, 2),
            numbered(120, 1, 9, 1),
            numbered(120, 2, 7, 5),
        ] {
            order.hold(raw);
        }
        let told = |order: &mut Order, to| {
            let mut told = Vec::new();
            order.release(to, false, |event, raw| {
                told.push((event.at.0, raw.thread, raw.lock, raw.seq))
            });
            told
        };
        let first = [
            (10, 1, 7, 1),
            (10, 1, 8, 1),
            (10, 1, 7, 2),
            (10, 2, 7, 4),
            (10, 2, 8, 2),
        ];
        assert_eq!(told(&mut order, 115), first);
        assert_eq!(told(&mut order, 200), [(20, 1, 9, 1), (20, 2, 7, 5)]);
    }

    #[test]
    fn numbers_that_contradict_the_threads_lose_nothing() {
        let mut order = Order::new(100, 100);
        order.go_by_numbers();
        for raw in [
            numbered(110, 1, 7, 2),
            numbered(110, 1, 7, 1),
            numbered(110, 2, 7, 2),
        ] {
            order.hold(raw);
        }
        let mut told = 0;
        order.release(200, false, |_, _| told += 1);
        assert_eq!(told, 3);
    }

    fn counted(at: u64, thread: u32, lock: u32, seq: u32) -> RawEvent {
        RawEvent {
            arg: COUNTED,
            ..numbered(at, thread, lock, seq)
        }
    }

    #[test]
    fn what_a_ring_still_has_is_waited_for_however_much_is_held_back() {
        let mut order = Order::new(100, 2);
        order.go_by_numbers();
        // There was no room for the rest of thread 1's ring, which is inside the lock.
        for raw in [
            counted(110, 1, 7, 1),
            counted(110, 2, 7, 3),
            counted(110, 2, 7, 4),
            counted(110, 3, 8, 1),
        ] {
            order.hold(raw);
        }
        let mut told = Vec::new();
        let mut each = |event: Event, raw: &RawEvent| told.push((event.at.0, raw.thread, raw.arg));
        assert_eq!(order.impatient_from(true), None);
        order.release(100, true, &mut each);
        assert_eq!(order.impatient_from(true), None);
        // Nothing more goes by its number: then what has waited longest goes.
        order.release(100, true, &mut each);
        assert_eq!(order.impatient_from(true), Some(110));
        order.hold(counted(120, 1, 7, 2));
        order.release(105, true, &mut each);
        assert_eq!(
            told,
            [(10, 1, 0), (10, 3, 0), (20, 1, 0), (20, 2, 0), (20, 2, 0)]
        );
    }

    #[test]
    fn a_thread_ends_after_all_that_it_did() {
        let end = |at, thread| RawEvent {
            what: What::ThreadEnd,
            ..numbered(at, thread, 0, 0)
        };
        let mut order = Order::new(100, 100);
        order.go_by_numbers();
        for raw in [end(112, 1), counted(120, 1, 7, 1), counted(120, 2, 7, 2)] {
            order.hold(raw);
        }
        let mut told = Vec::new();
        order.release(115, false, |event, raw| told.push((event.at.0, raw.what)));
        assert_eq!(told, [(12, What::ProbeEntered), (12, What::ThreadEnd)]);
        // Where too much is held back, more of it may be in a ring.
        let mut order = Order::new(100, 1);
        order.go_by_numbers();
        order.hold(end(112, 1));
        order.hold(counted(120, 1, 7, 1));
        let mut told = Vec::new();
        order.release(100, true, |_, raw| told.push(raw.what));
        assert_eq!(told, [What::ProbeEntered]);
    }

    #[test]
    fn numbers_go_round() {
        let mut order = Order::new(100, 100);
        order.go_by_numbers();
        let mut told = Vec::new();
        for seq in [u32::MAX - 1, u32::MAX] {
            order.hold(numbered(110, 1, 7, seq));
        }
        order.release(115, false, |_, raw| told.push(raw.seq));
        for (thread, seq) in [(2, 3), (1, 1), (1, 2)] {
            order.hold(numbered(120, thread, 7, seq));
        }
        order.release(130, false, |_, raw| told.push(raw.seq));
        assert_eq!(told, [u32::MAX - 1, u32::MAX, 1, 2, 3]);
    }

    proptest! {
        /// Threads take locks in any order, their records lie in rings of their own, and looks find any prefix of each ring that is
        /// not behind the last look.
        #[test]
        fn what_was_found_in_any_looks_is_told_as_it_happened(
            doings in prop::collection::vec((1u32..4, 1u32..4), 1..60),
            cuts in prop::collection::vec((0usize..61, 0usize..61, 0usize..61), 0..6),
        ) {
            let mut numbers = [0; 4];
            let mut happened = Vec::new();
            for (thread, lock) in doings {
                numbers[lock as usize] += 1;
                happened.push((thread, lock, numbers[lock as usize]));
            }
            let mut cuts: Vec<[usize; 3]> = cuts.into_iter().map(|(a, b, c)| [a, b, c]).collect();
            cuts.sort();
            let (mut done, mut order) = ([0; 3], Order::new(100, 1000));
            order.go_by_numbers();
            let mut told = Vec::new();
            let mut at = 100;
            let all = [happened.len(); 3];
            for cut in cuts.into_iter().chain([all, all]) {
                at += 10;
                // All that had happened when the last ring of the former look was read is in the rings when the first of this one is.
                let least = done.into_iter().max().unwrap_or(0);
                for ring in 0..3 {
                    let end = cut[ring].max(least).min(happened.len());
                    for &(thread, lock, seq) in &happened[done[ring].min(end)..end] {
                        if thread as usize == ring + 1 {
                            order.hold(numbered(at, thread, lock, seq));
                        }
                    }
                    done[ring] = end.max(done[ring]);
                }
                order.release(at, false, |_, raw| told.push((raw.thread, raw.lock, raw.seq)));
            }
            order.release(u64::MAX, false, |_, raw| told.push((raw.thread, raw.lock, raw.seq)));
            prop_assert_eq!(told.len(), happened.len());
            let of = |all: &[(u32, u32, u32)], thread: u32| all.iter().copied().filter(|e| e.0 == thread).collect::<Vec<_>>();
            for thread in 1..4 {
                prop_assert_eq!(of(&told, thread), of(&happened, thread));
            }
            for lock in 1..4 {
                let numbers: Vec<u32> = told.iter().filter(|e| e.1 == lock).map(|e| e.2).collect();
                prop_assert!(numbers.is_sorted(), "{:?}", told);
            }
        }

        /// There is no room for whole looks: they find any piece of any ring.
        #[test]
        fn what_there_was_no_room_for_is_told_as_it_happened(
            doings in prop::collection::vec((1u32..4, 1u32..4), 1..60),
            pieces in prop::collection::vec((0usize..3, 1usize..6), 0..40),
        ) {
            let mut numbers = [0; 4];
            let mut rings = [const { Vec::new() }; 3];
            for &(thread, lock) in &doings {
                numbers[lock as usize] += 1;
                rings[thread as usize - 1].push((thread, lock, numbers[lock as usize]));
            }
            let (mut done, mut order) = ([0; 3], Order::new(100, 0));
            order.go_by_numbers();
            let mut told = Vec::new();
            let mut at = 100;
            for (ring, most) in pieces.into_iter().chain([(0, 60), (1, 60), (2, 60)]) {
                at += 10;
                let end = (done[ring] + most).min(rings[ring].len());
                for &(thread, lock, seq) in &rings[ring][done[ring]..end] {
                    order.hold(counted(at, thread, lock, seq));
                }
                done[ring] = end;
                order.release(100, true, |_, raw| told.push((raw.thread, raw.lock, raw.seq)));
            }
            prop_assert_eq!(told.len(), doings.len());
            for thread in 1..4 {
                let of: Vec<_> = told.iter().copied().filter(|e| e.0 == thread).collect();
                prop_assert_eq!(&of, &rings[thread as usize - 1]);
            }
            for lock in 1..4 {
                let numbers: Vec<u32> = told.iter().filter(|e| e.1 == lock).map(|e| e.2).collect();
                prop_assert!(numbers.is_sorted(), "{:?}", told);
            }
        }
    }
}
