//! Reads ahead: a few events are held back, and what they will need of memory is asked for at once.
//!
//! With many locks every event goes to another corner of memory, and doing one after the other
//! means waiting for each corner in turn. Loads that do not depend on each other overlap, so the state of
//! all events held back is touched first, level by level, and worked on after. Nothing is changed by that.

use super::idtable::IdTable;
use super::state::LockState;
use locklens_trace::Event;
use std::hint::black_box;

/// Events held back: few enough for what they touch to stay in the nearest cache.
const HELD: usize = 32;

/// The events held back.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    events: Vec<Event>,
}

impl Ahead {
    /// Holds one more back; true when it is time to work on them.
    pub(super) fn hold(&mut self, event: Event) -> bool {
        self.events.push(event);
        self.events.len() >= HELD
    }

    /// The events held back, for the time being.
    pub(super) fn take(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Gives back the space of events worked on.
    pub(super) fn reuse(&mut self, mut events: Vec<Event>) {
        events.clear();
        self.events = events;
    }
}

/// Touches the state that these events will need.
pub(super) fn touch(events: &[Event], locks: &IdTable<LockState>) {
    let slots: Vec<u32> = events
        .iter()
        .filter_map(|event| locks.known(event.lock?.0))
        .collect();
    let each = |read: fn(&LockState) -> u64| {
        let sum = slots
            .iter()
            .fold(0u64, |sum, &slot| sum.wrapping_add(read(locks.peek(slot))));
        black_box(sum);
    };
    each(|lock| lock.events);
    each(|lock| lock.windows.next_place() ^ lock.sites.first().map_or(0, |s| s.blocked.count()));
    each(|lock| {
        lock.sites
            .first()
            .map_or(0, |s| s.blocked.touch() ^ s.waits.touch())
    });
}
