//! Reads ahead: a few events are held back, and what they will need of memory is asked for at once.
//!
//! With many locks every event goes to another corner of memory, and doing one after the other
//! means waiting for each corner in turn. Loads that do not depend on each other overlap, so the state of
//! all events held back is touched first, level by level, and worked on after. Nothing is changed by that.

use super::idtable::IdTable;
use super::state::LockState;
use crate::times::Lengths;
use locklens_trace::{Event, EventKind};
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
    let known = |event: &Event| Some((event.kind, locks.known(event.lock?.0)?));
    let needed: Vec<(EventKind, u32)> = events.iter().filter_map(known).collect();
    let each = |read: fn(EventKind, &LockState) -> u64| {
        let read = |&(kind, slot): &(EventKind, u32)| read(kind, locks.peek(slot));
        black_box(needed.iter().map(read).fold(0, |sum: u64, n| sum ^ n));
    };
    each(|_, lock| lock.touch());
    each(|kind, lock| lock.windows.next_place() ^ counted(kind, lock).map_or(0, Lengths::count));
    each(|kind, lock| counted(kind, lock).map_or(0, Lengths::touch));
}

/// Where the length of a stay that ends is most likely counted.
fn counted(kind: EventKind, lock: &LockState) -> Option<&Lengths> {
    match kind {
        EventKind::Entered => Some(&lock.sites.first()?.blocked),
        EventKind::Waited { .. } => Some(&lock.sites.first()?.waits),
        _ => None,
    }
}
