//! Regions for events recorded without a call chain.
//!
//! On a hot lock the agent's budget leaves chains out. Threads are creatures of habit: where all
//! of a thread's events of one kind that do have a chain lie in one place, or all of the lock's,
//! the others of that kind are taken to lie there too, and marked as inferred. Where they lie in
//! several places, nothing is said.

use crate::region::RegionId;
use crate::region::place::Place;
use locklens_trace::{Event, EventKind, Nanos, StackId, ThreadId};
use std::collections::BTreeMap;

/// Events with a chain that a thread's habit rests on.
const BY_THREAD: u32 = 3;
/// Events with a chain that a lock's habit rests on.
const BY_LOCK: u32 = 8;

/// Kinds of events that happen in one place: waits by their time-out, entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Enter,
    Wait(Option<Nanos>),
}

impl Kind {
    fn of(event: &Event) -> Option<Self> {
        match event.kind {
            EventKind::Enter => Some(Self::Enter),
            EventKind::Wait { timeout } => Some(Self::Wait(timeout)),
            _ => None,
        }
    }
}

/// The place all events of one kind had so far; none once they had two.
#[derive(Clone, Copy, Debug)]
struct Habit<'a> {
    place: Option<&'a Place>,
    count: u32,
}

impl<'a> Habit<'a> {
    fn see(&mut self, place: &'a Place) {
        self.count += 1;
        self.place = self.place.filter(|known| known.levels == place.levels);
    }

    fn after(self, count: u32) -> Option<&'a Place> {
        self.place.filter(|_| self.count >= count)
    }
}

/// What the events with a chain teach of those without.
#[derive(Debug, Default)]
pub(super) struct Habits<'a> {
    of_thread: BTreeMap<(ThreadId, Kind), Habit<'a>>,
    of_lock: BTreeMap<Kind, Habit<'a>>,
    /// Of all kinds together.
    of_thread_at_all: BTreeMap<ThreadId, Habit<'a>>,
}

impl<'a> Habits<'a> {
    /// Learns from a sequence.
    pub(super) fn of(events: &[Event], places: &'a BTreeMap<StackId, Place>) -> Self {
        let mut habits = Self::default();
        for event in events {
            let place = event.stack.and_then(|stack| places.get(&stack));
            // A blocked return from a wait says nothing of where threads enter.
            let place = place.filter(|p| event.kind != EventKind::Enter || !p.in_wait);
            if let (Some(kind), Some(place)) = (Kind::of(event), place) {
                let new = Habit {
                    place: Some(place),
                    count: 0,
                };
                habits
                    .of_thread
                    .entry((event.thread, kind))
                    .or_insert(new)
                    .see(place);
                habits.of_lock.entry(kind).or_insert(new).see(place);
                let at_all = habits.of_thread_at_all.entry(event.thread);
                at_all.or_insert(new).see(place);
            }
        }
        habits
    }

    /// Where a notify probably was, of which nobody takes a chain: in the one place where its thread was ever seen,
    /// if one notifies there.
    pub(super) fn notifier(
        &self,
        event: &Event,
        notifies: impl Fn(RegionId) -> bool,
    ) -> Option<&'a Place> {
        let place = self.of_thread_at_all.get(&event.thread)?.after(BY_THREAD)?;
        notifies(place.outermost()).then_some(place)
    }

    /// Where an event without a chain probably was.
    pub(super) fn place(&self, event: &Event) -> Option<&'a Place> {
        let kind = Kind::of(event)?;
        let own = self.of_thread.get(&(event.thread, kind));
        own.and_then(|habit| habit.after(BY_THREAD))
            .or_else(|| self.of_lock.get(&kind)?.after(BY_LOCK))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::event;
    use crate::region::RegionId;
    use locklens_trace::LockId;

    fn places() -> BTreeMap<StackId, Place> {
        let place = |region| Place {
            levels: vec![RegionId(region)],
            in_wait: true,
            callers: 0,
        };
        (1..4).map(|id| (StackId(id), place(id))).collect()
    }

    fn wait(thread: u32, stack: u32) -> Event {
        let kind = EventKind::Wait { timeout: None };
        let stack = (stack > 0).then_some(StackId(stack));
        Event {
            stack,
            ..event(1, ThreadId(thread), kind, LockId(1))
        }
    }

    fn region(events: &[Event], asked: &Event) -> Option<u32> {
        let places = places();
        let place = Habits::of(events, &places).place(asked)?;
        Some(place.outermost().0)
    }

    #[test]
    fn a_threads_one_place_is_its_habit() {
        let events = [wait(1, 1), wait(2, 2), wait(1, 1), wait(2, 2), wait(1, 1)];
        assert_eq!(region(&events, &wait(1, 0)), Some(1));
        assert_eq!(region(&events, &wait(2, 0)), None, "twice is no habit");
        assert_eq!(
            region(&events, &wait(3, 0)),
            None,
            "the lock has two places"
        );
    }

    #[test]
    fn two_places_are_no_habit() {
        let events = [wait(1, 1), wait(1, 1), wait(1, 1), wait(1, 2), wait(1, 1)];
        assert_eq!(region(&events, &wait(1, 0)), None);
    }

    #[test]
    fn the_locks_one_place_serves_threads_without_any() {
        let events = vec![wait(1, 3); 8];
        assert_eq!(region(&events, &wait(2, 0)), Some(3));
        let mut timed = wait(2, 0);
        timed.kind = EventKind::Wait {
            timeout: Some(Nanos(5)),
        };
        assert_eq!(region(&events, &timed), None, "another kind of wait");
    }
}
