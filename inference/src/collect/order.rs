//! The order of one lock's events.
//!
//! Each thread's own events are in order. Between threads the time decides, except that events
//! recorded while the lock was held carry a number, and that is the authority: clocks are read
//! a moment before or after the thing they time.

use locklens_trace::{Event, Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Puts the events of one lock, given in file order, into the order of the monitor.
pub(super) fn restore(mut events: Vec<Event>) -> Vec<Event> {
    make_threads_monotone(&mut events);
    events.sort_by_key(|event| event.at);
    let numbered = numbers(&events);
    if numbered.is_sorted() {
        return events;
    }
    Merge::new(numbered).run(events)
}

fn numbers(events: &[Event]) -> Vec<u32> {
    events.iter().filter_map(|event| event.seq).collect()
}

/// Within a thread neither time nor number may run backwards; a number that does is void.
fn make_threads_monotone(events: &mut [Event]) {
    let mut last: BTreeMap<ThreadId, (Nanos, Option<u32>)> = BTreeMap::new();
    for event in events {
        let (at, seq) = last.entry(event.thread).or_default();
        event.at = event.at.max(*at);
        *at = event.at;
        if event.seq.is_some() && event.seq <= *seq {
            event.seq = None;
        }
        *seq = event.seq.or(*seq);
    }
}

/// Holds back every event whose number is not the next one, and all later ones of its thread.
struct Merge {
    /// Numbers still to come, descending.
    numbers: Vec<u32>,
    held_back: BTreeMap<ThreadId, VecDeque<Event>>,
    /// Number of the first event held back of each such thread.
    heads: BTreeSet<(u32, ThreadId)>,
    done: Vec<Event>,
}

impl Merge {
    fn new(mut numbers: Vec<u32>) -> Self {
        numbers.sort_unstable_by(|a, b| b.cmp(a));
        Self {
            numbers,
            held_back: BTreeMap::new(),
            heads: BTreeSet::new(),
            done: Vec::new(),
        }
    }

    fn run(mut self, events: Vec<Event>) -> Vec<Event> {
        for event in events {
            let held_back = self.held_back.contains_key(&event.thread);
            if held_back || !self.is_due(&event) {
                self.hold_back(event);
            } else {
                self.pass(event);
            }
        }
        self.done
    }

    fn is_due(&self, event: &Event) -> bool {
        event
            .seq
            .is_none_or(|seq| self.numbers.last() == Some(&seq))
    }

    fn hold_back(&mut self, event: Event) {
        let queue = self.held_back.entry(event.thread).or_default();
        if let (true, Some(seq)) = (queue.is_empty(), event.seq) {
            self.heads.insert((seq, event.thread));
        }
        queue.push_back(event);
    }

    fn pass(&mut self, event: Event) {
        self.take(event);
        while let Some(thread) = self.next_due() {
            self.release(thread);
        }
    }

    fn take(&mut self, mut event: Event) {
        if event.seq.is_some() {
            self.numbers.pop();
        }
        // Times follow the order, as far as the order is known better than the time.
        if let Some(before) = self.done.last() {
            event.at = event.at.max(before.at);
        }
        self.done.push(event);
    }

    fn next_due(&self) -> Option<ThreadId> {
        let &(seq, thread) = self.heads.first()?;
        (self.numbers.last() == Some(&seq)).then_some(thread)
    }

    /// Lets go of a thread's events up to the next one that is not due.
    fn release(&mut self, thread: ThreadId) {
        self.heads.pop_first();
        let mut queue = self.held_back.remove(&thread).unwrap_or_default();
        while let Some(event) = queue.pop_front() {
            if let (false, Some(seq)) = (self.is_due(&event), event.seq) {
                self.heads.insert((seq, thread));
                queue.push_front(event);
                self.held_back.insert(thread, queue);
                return;
            }
            self.take(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::event;
    use locklens_trace::{EventKind, LockId};
    use proptest::prelude::*;

    fn at(us: u64, thread: u32, seq: Option<u32>) -> Event {
        Event {
            seq,
            ..event(us, ThreadId(thread), EventKind::Entered, LockId(1))
        }
    }

    #[test]
    fn numbers_win_over_times_and_threads_keep_their_order() {
        let file = vec![
            at(10, 1, Some(2)),
            at(11, 1, None),
            at(12, 2, Some(1)),
            at(13, 2, None),
        ];
        let order: Vec<_> = restore(file).iter().map(|e| (e.thread.0, e.seq)).collect();
        assert_eq!(order, [(2, Some(1)), (1, Some(2)), (1, None), (2, None)]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_every_promise_is_kept(
            file in prop::collection::vec((0u64..100, 1u32..4, prop::option::of(0u32..50)), 0..60)
        ) {
            let file: Vec<Event> = file.into_iter().map(|(us, t, seq)| at(us, t, seq)).collect();
            let done = restore(file.clone());
            prop_assert_eq!(done.len(), file.len());
            let seqs = numbers(&done);
            prop_assert!(seqs.is_sorted(), "numbers ascend: {seqs:?}");
            prop_assert!(done.is_sorted_by_key(|e| e.at));
            let mut monotone = file.clone();
            make_threads_monotone(&mut monotone);
            for thread in (1..4).map(ThreadId) {
                let of = |events: &[Event]| events.iter().filter(|e| e.thread == thread).map(|e| e.seq).collect::<Vec<_>>();
                prop_assert_eq!(of(&done), of(&monotone));
            }
        }
    }
}
