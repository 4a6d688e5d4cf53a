//! What two threads do to each other, in the order of time: who ends whose wait, and how many hold or are in a lock.
//!
//! What one thread does has its order in the file, and buckets need no other. Here it matters what comes first, so it
//! waits until everything before it has come (`in_time`). Waits and notifies go to `crate::wake`, the rest to `stocks`.

use super::longest::{Lasting, Longest, Woken};
use super::stocks::Stocks;
use crate::collect::vm_probes::VmProbesSeen;
use crate::collect::{Collected, FastHash, Losses};
use crate::in_time::{Queue, Timed};
use crate::wake::Wakes;
use locklens_trace::juc::Operation;
use locklens_trace::{Event, EventKind, LockId, Nanos, ThreadId};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Something of which the order matters.
#[derive(Clone, Copy, Debug)]
pub(super) enum Deed {
    Event(Event),
    Operation(Operation),
}

impl Timed for Deed {
    fn series(&self) -> (ThreadId, u8) {
        match self {
            Self::Event(event) => (event.thread, 0),
            Self::Operation(operation) => (operation.thread, 1),
        }
    }

    fn at(&self) -> Nanos {
        match self {
            Self::Event(event) => event.at,
            Self::Operation(operation) => operation.at,
        }
    }

    fn at_mut(&mut self) -> &mut Nanos {
        match self {
            Self::Event(event) => &mut event.at,
            Self::Operation(operation) => &mut operation.at,
        }
    }
}

/// A wait that somebody ended. In the order of stays, so that the longest stays have theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Wake {
    length: u64,
    from: Reverse<u64>,
    thread: Reverse<ThreadId>,
    by: ThreadId,
    at: Nanos,
    inferred: bool,
}

impl Lasting for Wake {
    fn length(&self) -> u64 {
        self.length
    }
}

/// By thread and beginning of a wait who ended it: thread, time, and whether that is inferred.
pub(super) type Woke = HashMap<(ThreadId, u64), (ThreadId, Nanos, bool), FastHash>;

/// Who waits, and what waits for its turn: what is known of waits.
#[derive(Debug, Default)]
pub(super) struct State {
    wakes: Wakes,
    waiting: Vec<Event>,
}

impl State {
    /// Bytes, about.
    pub(super) fn size(&self) -> usize {
        self.wakes.len() * 192 + self.waiting.len() * size_of::<Event>()
    }
}

/// See the module.
#[derive(Debug)]
pub(super) struct Course<'a> {
    queue: Queue<Deed>,
    wakes: Wakes,
    longest: Longest<Wake>,
    /// Where events are missing, no wait is a stay, and who ended it is not kept in the place of others.
    losses: &'a Losses,
    pub(super) stocks: Stocks<'a>,
    /// Notifies are told of.
    told: bool,
    /// Some may be missing: whose wait one ended is inferred, always.
    some: bool,
    /// Waits are told of that touch this span, if it is not all of them.
    span: Option<(u64, u64)>,
}

impl<'a> Course<'a> {
    /// One that keeps who ended so many waits.
    pub(super) fn new(stocks: Stocks<'a>, stays: usize, collected: &'a Collected) -> Self {
        let recording = &collected.recording;
        let vm_probes = recording.vm_probes.as_ref();
        Self {
            queue: Queue::default(),
            wakes: Wakes::default(),
            longest: Longest::new(stays),
            losses: &collected.losses,
            stocks,
            told: recording.exact || vm_probes.is_some(),
            some: !recording.exact && !vm_probes.is_some_and(VmProbesSeen::has_every_notify),
            span: None,
        }
    }

    /// An event at a lock.
    #[inline]
    pub(super) fn event(&mut self, event: &Event, lock: LockId) {
        let matters = match event.kind {
            EventKind::Enter | EventKind::Entered | EventKind::Exit => self.stocks.follows(lock),
            _ => is_of_wait(event),
        };
        if self.told && matters {
            let due = self.queue.push(Deed::Event(*event));
            self.follow(&due);
        }
    }

    pub(super) fn operation(&mut self, operation: &Operation) {
        if self.stocks.counts(operation.lock) {
            let due = self.queue.push(Deed::Operation(*operation));
            self.follow(&due);
        }
    }

    /// Everything before this time is here.
    pub(super) fn come_to(&mut self, at: Nanos) {
        let due = self.queue.until(at);
        self.follow(&due);
    }

    /// How many wait for their turn.
    pub(super) fn waiting(&self) -> usize {
        self.queue.waiting().len()
    }

    /// What it knows of waits. Stocks are not in it.
    pub(super) fn state(&self) -> State {
        let waiting = self.queue.waiting().filter_map(|deed| match deed {
            Deed::Event(event) if is_of_wait(event) => Some(*event),
            _ => None,
        });
        State {
            wakes: self.wakes.clone(),
            waiting: waiting.collect(),
        }
    }

    /// Knows so much again, and is to tell of so many waits that touch a span.
    pub(super) fn rewind(&mut self, state: &State, (from, to): (u64, u64), stays: usize) {
        self.queue = Queue::default();
        for event in &state.waiting {
            drop(self.queue.push(Deed::Event(*event)));
        }
        self.wakes = state.wakes.clone();
        self.longest = Longest::new(stays);
        self.span = Some((from, to));
    }

    /// Events are missing: what goes on has no known end.
    pub(super) fn forget(&mut self) {
        let rest = self.queue.rest();
        self.follow(&rest);
        self.wakes = Wakes::default();
        self.stocks.forget();
    }

    /// Ends it: who ended the longest waits.
    pub(super) fn finish(&mut self) -> Woke {
        let rest = self.queue.rest();
        self.follow(&rest);
        let longest = std::mem::replace(&mut self.longest, Longest::new(0));
        let told = |wake: Wake| {
            let key = (wake.thread.0, wake.from.0);
            (key, (wake.by, wake.at, wake.inferred))
        };
        longest.all().map(told).collect()
    }

    fn follow(&mut self, due: &[Deed]) {
        for deed in due {
            match deed {
                Deed::Event(event) => self.happens(event),
                Deed::Operation(operation) => self.stocks.operation(operation),
            }
        }
    }

    fn happens(&mut self, event: &Event) {
        let Some(lock) = event.lock else { return };
        match event.kind {
            EventKind::Wait { .. } => self.wakes.wait(event, lock),
            EventKind::Notify | EventKind::NotifyAll => drop(self.wakes.notify(event, lock)),
            EventKind::Waited { timed_out } => self.over(event, lock, !timed_out),
            EventKind::Resumed => self.over(event, lock, true),
            EventKind::Interrupted => self.over(event, lock, false),
            _ => {}
        }
        self.stocks.event(event, lock);
    }

    /// A wait is over; whether a notify can have ended it.
    fn over(&mut self, event: &Event, lock: LockId, notified: bool) {
        let waiter = self.wakes.take(event.thread, lock);
        let Some((waiter, by)) = waiter.and_then(|w| Some((w, w.by?))) else {
            return;
        };
        let is_wanted = |(from, to): (u64, u64)| waiter.since.0 <= to && event.at.0 >= from;
        let lost = self.losses.between(waiter.since, event.at);
        if notified && !lost && self.span.is_none_or(is_wanted) {
            self.longest.push(Wake {
                length: event.at.since(waiter.since).0,
                from: Reverse(waiter.since.0),
                thread: Reverse(event.thread),
                by: by.by,
                at: by.at,
                inferred: by.inferred || self.some,
            });
        }
    }
}

/// It says that a wait begins or ends.
fn is_of_wait(event: &Event) -> bool {
    use EventKind::{Enter, Entered, Exit, ThreadEnd, ThreadStart};
    !matches!(event.kind, Enter | Entered | Exit | ThreadStart | ThreadEnd)
}

impl Woken {
    /// What is known of a wait that began then.
    pub(super) fn of(
        woke: &Woke,
        (thread, from): (ThreadId, u64),
        slot: impl FnOnce(ThreadId) -> Option<u32>,
    ) -> Option<Self> {
        let &(by, at, inferred) = woke.get(&(thread, from))?;
        let by = slot(by)?;
        Some(Self {
            by,
            at: at.0,
            inferred,
        })
    }
}
