//! The raw events kept of one lock: its beginning and its end.
//!
//! Type inference wants unbroken sequences, so each lock keeps a prefix (a *head*) as long as
//! the shares below allow, and the last few events (a *tail*). The same total is shared by all
//! locks: every lock gets a tiny share whatever happens, a small one while the budget lasts, a fair one
//! from the first three quarters of it, and a long one from the first half.

use super::order;
use locklens_trace::record::Owner;
use locklens_trace::{Event, EventKind, LockId, Nanos, StackId, ThreadId};

/// Events every lock may keep.
const TINY: usize = 8;
/// Events a lock may keep while the budget lasts: with the default one, 32 each of 46,000 locks.
const SMALL: usize = 32;
/// Events there is room for at first.
const FIRST: usize = 4;
/// Events a lock may keep while three quarters of the budget last.
const FAIR: usize = 256;
/// Events a lock may keep while half of the budget lasts.
const LONG: usize = 20_000;
/// Events kept of the end.
const TAIL: usize = 16;

/// The events that all locks together may still keep, and how many each has kept.
#[derive(Clone, Debug)]
pub struct Budget {
    total: usize,
    used: usize,
    /// By lock slot: events in its head, or [`CLOSED`].
    heads: Vec<u16>,
}

/// A lock's head takes no more.
const CLOSED: u16 = u16::MAX;
const _: () = assert!(LONG < CLOSED as usize);

impl Budget {
    /// A budget of this many events.
    #[must_use]
    pub fn new(total: usize) -> Self {
        Self {
            total,
            used: 0,
            heads: Vec::new(),
        }
    }

    /// Where the next event of a lock is kept.
    pub(super) fn place(&mut self, slot: u32) -> Place {
        let slot = slot as usize;
        if slot >= self.heads.len() {
            self.heads.resize(slot + 1, 0);
        }
        let head = self.heads[slot];
        if head != CLOSED && self.grant(head.into()) {
            self.heads[slot] = head + 1;
            return Place::Head;
        }
        self.heads[slot] = CLOSED;
        Place::Tail
    }

    fn grant(&mut self, kept: usize) -> bool {
        let granted = match kept {
            0..TINY => true,
            TINY..SMALL => self.used < self.total,
            SMALL..FAIR => self.used < self.total / 4 * 3,
            FAIR..LONG => self.used < self.total / 2,
            _ => false,
        };
        self.used += usize::from(granted);
        granted
    }
}

/// Where an event is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Head,
    Tail,
    Nowhere,
}

/// An event to be taken in by its lock. Many of them wait: see [`super::backlog`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    raw: Raw,
    /// Slots of lock and thread.
    pub(super) lock: u32,
    pub(super) thread: u32,
}

const _: () = assert!(size_of::<Kept>() == 40);

impl Kept {
    /// An event of the lock and the thread with these slots.
    pub(super) fn new(event: &Event, lock: u32, thread: u32, marks: Marks) -> Self {
        let raw = Raw {
            marks,
            ..Raw::from(event)
        };
        Self { raw, lock, thread }
    }

    /// What its lock has to know.
    pub(super) fn marks(&self) -> Marks {
        self.raw.marks
    }
}

/// What a lock has to know of an event besides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    pub(super) place: Place,
    /// See [`super::LockLog::entered`] and [`super::LockLog::probed`].
    pub(super) acquires: bool,
    pub(super) probed: bool,
}

impl Marks {
    /// No more than its place.
    const fn at(place: Place) -> Self {
        Self {
            place,
            acquires: false,
            probed: false,
        }
    }
}

/// Two of the last events: none lies across two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Pair([Raw; 2]);

/// What is kept of a lock's events.
#[derive(Clone, Debug)]
pub struct Windows {
    head: Vec<Raw>,
    /// Once it has any, the head is closed. It grows up to [`TAIL`] events, and then is a ring.
    tail: Box<[Pair]>,
    /// Events put into the tail; beyond twice its length it goes on after once.
    behind: u8,
    /// Time of the latest event dropped between head and tail, if any was.
    dropped_to: u64,
    /// Time of the earliest event that came after the head was closed.
    head_to: u64,
}

impl Default for Windows {
    fn default() -> Self {
        Self {
            head: Vec::new(),
            tail: Box::default(),
            behind: 0,
            dropped_to: 0,
            head_to: u64::MAX,
        }
    }
}

impl Windows {
    /// Keeps the event at its place.
    pub(super) fn push(&mut self, event: &Kept) {
        match event.marks().place {
            Place::Head => self.push_head(event.raw),
            Place::Tail => self.push_tail(event.raw),
            Place::Nowhere => {}
        }
    }

    fn push_head(&mut self, raw: Raw) {
        if self.head.len() == self.head.capacity() {
            self.head.reserve_exact(growth(self.head.len()));
        }
        self.head.push(raw);
    }

    fn push_tail(&mut self, raw: Raw) {
        self.head_to = self.head_to.min(raw.at);
        let behind = usize::from(self.behind);
        let at = behind % TAIL;
        if at / 2 >= self.tail.len() {
            self.lengthen();
        }
        let place = &mut self.tail[at / 2].0[at % 2];
        if behind >= TAIL {
            self.dropped_to = self.dropped_to.max(place.at);
        }
        *place = raw;
        self.behind = if behind == 2 * TAIL {
            TAIL as u8
        } else {
            self.behind
        } + 1;
    }

    /// Room for more of the last events. Where there are many locks, most have few.
    #[cold]
    fn lengthen(&mut self) {
        self.head.shrink_to_fit();
        let len = (2 * self.tail.len()).clamp(FIRST / 2, TAIL / 2);
        let mut longer = vec![Pair([Raw::NONE; 2]); len];
        longer[..self.tail.len()].copy_from_slice(&self.tail);
        self.tail = longer.into();
    }

    /// The last events, in order.
    fn tail(&self) -> impl Iterator<Item = &Raw> + Clone {
        let behind = usize::from(self.behind);
        let ring = self.tail.iter().flat_map(|pair| &pair.0).cycle();
        ring.skip(behind.saturating_sub(TAIL))
            .take(behind.min(TAIL))
    }

    /// Events between head and tail were dropped.
    fn drops(&self) -> bool {
        usize::from(self.behind) > TAIL
    }

    /// Reads a little of itself.
    pub(super) fn touch(&self) -> u64 {
        self.head.len() as u64 ^ self.dropped_to ^ self.head_to ^ u64::from(self.behind)
    }

    /// Reads where the next event will be kept.
    pub(super) fn next_place(&self) -> u64 {
        let at = usize::from(self.behind) % TAIL;
        let next = match self.tail.get(at / 2) {
            Some(pair) => pair.0.get(at % 2),
            None => self.head.last(),
        };
        next.map_or(0, |raw| raw.at)
    }

    /// Events kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.head.len() + usize::from(self.behind).min(TAIL)
    }

    /// Whether no event is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Call chains of the events kept.
    pub fn stacks(&self) -> impl Iterator<Item = StackId> {
        let kept = self.head.iter().chain(self.tail());
        kept.filter(|raw| raw.stack != 0)
            .map(|raw| StackId(raw.stack))
    }

    /// When somebody who was blocked got the lock last, of the events kept: these have the end.
    pub(crate) fn last_entered(&self) -> Option<Nanos> {
        let all = self.head.iter().chain(self.tail());
        let entered = all.filter(|raw| matches!(raw.kind, Kind::Entered));
        entered.map(|raw| Nanos(raw.at)).max()
    }

    /// The unbroken sequences of events kept, each in the order of the monitor. Events from the
    /// ragged edges, where threads' buffers overlapped in the file, are left out.
    #[must_use]
    pub fn sequences(&self, lock: LockId) -> Vec<Vec<Event>> {
        let event = |raw: &Raw| raw.event(lock);
        if !self.drops() {
            let all = self.head.iter().chain(self.tail()).map(event);
            return vec![order::restore(all.collect())];
        }
        let head = self.head.iter().filter(|raw| raw.at < self.head_to);
        let tail = self.tail().filter(|raw| raw.at > self.dropped_to);
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

const _: () = assert!(size_of::<Raw>() == 32, "two a cache line");

/// An [`Event`] of a known lock, packed.
#[derive(Clone, Copy, Debug)]
struct Raw {
    at: u64,
    /// Of a wait its time-out, of any other event the owner.
    more: u64,
    thread: u32,
    stack: u32,
    seq: u32,
    kind: Kind,
    /// Of no use once it is kept; there is room.
    marks: Marks,
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
            marks: Marks::at(Place::Nowhere),
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
    /// No event.
    const NONE: Self = Self {
        at: 0,
        more: 0,
        thread: 0,
        stack: 0,
        seq: NO_SEQ,
        kind: Kind::ThreadEnd,
        marks: Marks::at(Place::Nowhere),
    };

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
mod tests;
