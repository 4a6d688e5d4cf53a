//! The raw events kept of one lock: its beginning and its end.
//!
//! Type inference wants unbroken sequences, so each lock keeps a prefix (a *head*) as long as
//! the shares below allow, and the last few events (a *tail*). The same total is shared by all
//! locks: every lock gets a small share whatever happens, a fair one while three quarters of
//! the budget last, and a long one from the first half.

use super::order;
use locklens_trace::record::Owner;
use locklens_trace::{Event, EventKind, LockId, Nanos, StackId, ThreadId};
use std::collections::VecDeque;

/// Events every lock may keep.
const SMALL: usize = 32;
/// Events there is room for at first.
const FIRST: usize = 4;
/// Events a lock may keep while three quarters of the budget last.
const FAIR: usize = 256;
/// Events a lock may keep while half of the budget lasts.
const LONG: usize = 20_000;
/// Events kept of the end.
const TAIL: usize = 16;

/// The events that all locks together may still keep.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    total: usize,
    used: usize,
}

impl Budget {
    /// A budget of this many events.
    #[must_use]
    pub fn new(total: usize) -> Self {
        Self { total, used: 0 }
    }

    fn grant(&mut self, kept: usize) -> bool {
        let granted = match kept {
            0..SMALL => true,
            SMALL..FAIR => self.used < self.total / 4 * 3,
            FAIR..LONG => self.used < self.total / 2,
            _ => false,
        };
        self.used += usize::from(granted);
        granted
    }
}

/// What is kept of a lock's events.
#[derive(Debug, Default)]
pub struct Windows {
    head: Vec<Raw>,
    closed: bool,
    tail: VecDeque<Raw>,
    /// Time of the latest event dropped between head and tail.
    dropped_to: Option<u64>,
    /// Time of the earliest event that came after the head was closed.
    head_to: Option<u64>,
}

impl Windows {
    pub(super) fn push(&mut self, event: &Event, budget: &mut Budget) {
        if !self.closed && budget.grant(self.head.len()) {
            self.push_always(event);
        } else {
            self.push_tail(event);
        }
    }

    pub(super) fn push_always(&mut self, event: &Event) {
        if self.head.len() == self.head.capacity() {
            self.head.reserve_exact(growth(self.head.len()));
        }
        self.head.push(Raw::from(event));
    }

    fn push_tail(&mut self, event: &Event) {
        self.closed = true;
        self.head_to = Some(self.head_to.map_or(event.at.0, |at| at.min(event.at.0)));
        if self.tail.len() == TAIL {
            let dropped = self.tail.pop_front().map(|raw| raw.at);
            self.dropped_to = self.dropped_to.max(dropped);
        }
        self.tail.push_back(Raw::from(event));
    }

    /// Reads where the next event will be kept.
    pub(super) fn next_place(&self) -> u64 {
        self.tail
            .front()
            .or(self.head.last())
            .map_or(0, |raw| raw.at)
    }

    /// Events kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.head.len() + self.tail.len()
    }

    /// Whether no event is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Call chains of the events kept.
    pub fn stacks(&self) -> impl Iterator<Item = StackId> {
        let kept = self.head.iter().chain(&self.tail);
        kept.filter(|raw| raw.stack != 0)
            .map(|raw| StackId(raw.stack))
    }

    /// The unbroken sequences of events kept, each in the order of the monitor. Events from the
    /// ragged edges, where threads' buffers overlapped in the file, are left out.
    #[must_use]
    pub fn sequences(&self, lock: LockId) -> Vec<Vec<Event>> {
        let event = |raw: &Raw| raw.event(lock);
        let Some(dropped_to) = self.dropped_to else {
            let all = self.head.iter().chain(&self.tail).map(event);
            return vec![order::restore(all.collect())];
        };
        let head_to = self.head_to.unwrap_or(u64::MAX);
        let head = self.head.iter().filter(|raw| raw.at < head_to);
        let tail = self.tail.iter().filter(|raw| raw.at > dropped_to);
        vec![
            order::restore(head.map(event).collect()),
            order::restore(tail.map(event).collect()),
        ]
    }
}

/// Room to add. Many locks have few events; where there are many, doubling would waste up to half of
/// the memory ceiling.
fn growth(len: usize) -> usize {
    match len {
        0..SMALL => len.max(FIRST),
        _ => (len / 4).max(SMALL),
    }
}

const NO_SEQ: u32 = u32::MAX;

/// An [`Event`] of a known lock, packed so that it never lies across two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Raw {
    at: u64,
    /// Of a wait its time-out, of any other event the owner.
    more: u64,
    thread: u32,
    stack: u32,
    seq: u32,
    kind: Kind,
}

/// A number that says more of an event; 0 is nothing known.
mod more {
    use locklens_trace::record::Owner;
    use locklens_trace::{Nanos, ThreadId};

    const NOBODY: u64 = u64::MAX;

    pub(super) fn of_timeout(timeout: Option<Nanos>) -> u64 {
        timeout.map_or(0, |t| t.0.saturating_add(1))
    }

    pub(super) fn timeout(more: u64) -> Option<Nanos> {
        more.checked_sub(1).map(Nanos)
    }

    pub(super) fn of_owner(owner: Owner) -> u64 {
        match owner {
            Owner::Unknown => 0,
            Owner::Nobody => NOBODY,
            Owner::Thread(thread) => u64::from(thread.0) + 1,
        }
    }

    pub(super) fn owner(more: u64) -> Owner {
        match more {
            0 => Owner::Unknown,
            NOBODY => Owner::Nobody,
            // It was made of such an id.
            thread => Owner::Thread(ThreadId((thread - 1) as u32)),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Enter,
    Entered,
    Wait,
    Waited,
    TimedOut,
    ThreadStart,
    ThreadEnd,
    Resumed,
    Interrupted,
    Exit,
    Notify,
    NotifyAll,
}

impl From<&Event> for Raw {
    fn from(event: &Event) -> Self {
        Self {
            at: event.at.0,
            more: match event.kind {
                EventKind::Wait { timeout } => more::of_timeout(timeout),
                _ => more::of_owner(event.owner),
            },
            thread: event.thread.0,
            stack: event.stack.map_or(0, |s| s.0),
            seq: event.seq.unwrap_or(NO_SEQ),
            kind: Kind::from(event.kind),
        }
    }
}

impl From<EventKind> for Kind {
    fn from(kind: EventKind) -> Self {
        match kind {
            EventKind::Enter => Self::Enter,
            EventKind::Entered => Self::Entered,
            EventKind::Wait { .. } => Self::Wait,
            EventKind::Waited { timed_out: false } => Self::Waited,
            EventKind::Waited { timed_out: true } => Self::TimedOut,
            EventKind::ThreadStart => Self::ThreadStart,
            EventKind::ThreadEnd => Self::ThreadEnd,
            EventKind::Resumed => Self::Resumed,
            EventKind::Interrupted => Self::Interrupted,
            EventKind::Exit => Self::Exit,
            EventKind::Notify => Self::Notify,
            EventKind::NotifyAll => Self::NotifyAll,
        }
    }
}

impl Raw {
    fn event(&self, lock: LockId) -> Event {
        Event {
            at: Nanos(self.at),
            thread: ThreadId(self.thread),
            kind: self.kind(),
            lock: Some(lock),
            stack: (self.stack != 0).then_some(StackId(self.stack)),
            owner: match self.kind {
                Kind::Wait => Owner::Unknown,
                _ => more::owner(self.more),
            },
            seq: (self.seq != NO_SEQ).then_some(self.seq),
        }
    }

    fn kind(&self) -> EventKind {
        match self.kind {
            Kind::Enter => EventKind::Enter,
            Kind::Entered => EventKind::Entered,
            Kind::Wait => EventKind::Wait {
                timeout: more::timeout(self.more),
            },
            Kind::Waited => EventKind::Waited { timed_out: false },
            Kind::TimedOut => EventKind::Waited { timed_out: true },
            Kind::ThreadStart => EventKind::ThreadStart,
            Kind::ThreadEnd => EventKind::ThreadEnd,
            Kind::Resumed => EventKind::Resumed,
            Kind::Interrupted => EventKind::Interrupted,
            Kind::Exit => EventKind::Exit,
            Kind::Notify => EventKind::Notify,
            Kind::NotifyAll => EventKind::NotifyAll,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kind() -> impl Strategy<Value = EventKind> {
        let timeout = prop::option::of((0..u64::MAX).prop_map(Nanos));
        prop_oneof![
            Just(EventKind::Enter),
            Just(EventKind::Entered),
            timeout.prop_map(|timeout| EventKind::Wait { timeout }),
            any::<bool>().prop_map(|timed_out| EventKind::Waited { timed_out }),
            Just(EventKind::Resumed),
            Just(EventKind::Exit),
            Just(EventKind::Notify),
            Just(EventKind::NotifyAll),
        ]
    }

    fn owner() -> impl Strategy<Value = Owner> {
        prop_oneof![
            Just(Owner::Unknown),
            Just(Owner::Nobody),
            any::<u32>().prop_map(|id| Owner::Thread(ThreadId(id))),
        ]
    }

    #[test]
    fn a_lock_with_few_events_takes_little() {
        let mut windows = Windows::default();
        let mut budget = Budget::new(1_000_000);
        let event = crate::fixtures::event(1, ThreadId(1), EventKind::Enter, LockId(1));
        for (events, room) in [(1, 4), (5, 8), (9, 16), (17, 32), (33, 64), (65, 96)] {
            while windows.len() < events {
                windows.push(&event, &mut budget);
            }
            assert_eq!(windows.head.capacity(), room, "of {events}");
        }
    }

    proptest! {
        #[test]
        fn what_is_kept_is_what_was_there(
            at: u64,
            thread: u32,
            kind in kind(),
            owner in owner(),
            stack in prop::option::of(1u32..),
            seq in prop::option::of(0..u32::MAX),
        ) {
            // The trace tells an owner with a blocking alone.
            let owner = if kind == EventKind::Enter { owner } else { Owner::Unknown };
            let lock = LockId(3);
            let event = Event {
                at: Nanos(at),
                thread: ThreadId(thread),
                kind,
                lock: Some(lock),
                stack: stack.map(StackId),
                owner,
                seq,
            };
            prop_assert_eq!(Raw::from(&event).event(lock), event);
        }
    }
}
