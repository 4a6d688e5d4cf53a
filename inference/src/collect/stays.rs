//! The lengths of stays: how long threads were blocked, and how long they waited.
//!
//! A thread is blocked or waiting in one place at a time, so one pending stay a thread is all that
//! is needed. A stay of which one end is missing, or between whose ends events may be missing, did
//! happen: it counts, as one of unknown length.

use super::entries::{Entry, What};
use super::settled::Stay;
use super::state::Pending;
use super::{Collector, Open};
use locklens_trace::{Event, EventKind, Nanos, StackId, ThreadId};
use std::collections::BTreeMap;

impl Collector {
    /// Whether the event acquires the lock, and what it says of stays.
    pub(super) fn measure(&mut self, event: &Event, lock: u32) -> bool {
        match event.kind {
            EventKind::Entered => return self.entered(event, lock),
            EventKind::Enter => self.begin(event, lock, false),
            EventKind::Wait { .. } => {
                self.begin(event, lock, true);
                self.threads.get(event.thread.0).held.waits(lock, true);
            }
            EventKind::Waited { timed_out } => self.waited(event, lock, timed_out),
            EventKind::Resumed | EventKind::Interrupted => self.resumed(event, lock),
            EventKind::Exit => {
                self.abandon(event.thread);
                self.threads.get(event.thread.0).held.exit(lock);
            }
            EventKind::Notify | EventKind::NotifyAll => self.abandon(event.thread),
            EventKind::ThreadStart | EventKind::ThreadEnd => {}
        }
        false
    }

    fn begin(&mut self, event: &Event, lock: u32, waits: bool) {
        let stay = self.stay(event, lock, waits);
        let before = self.threads.get(event.thread.0).pending.replace(stay);
        if let Some(before) = before {
            self.conclude(before, None);
        }
    }

    /// A stay that begins with this event.
    fn stay(&self, event: &Event, lock: u32, waits: bool) -> Pending {
        Pending {
            lock,
            waits,
            timed: matches!(event.kind, EventKind::Wait { timeout: Some(_) }),
            since: event.at,
            stack: event.stack,
            owner: event.owner,
            gaps: self.recording.gaps,
        }
    }

    /// The thread does something else: its stay has ended, nobody knows when.
    pub(super) fn abandon(&mut self, thread: ThreadId) {
        if let Some(pending) = self.threads.get(thread.0).pending.take() {
            self.conclude(pending, None);
        }
    }

    fn entered(&mut self, event: &Event, lock: u32) -> bool {
        let exact = self.exact;
        let thread = self.threads.get(event.thread.0);
        let blocked = thread.pending.is_some_and(|p| p.is(lock, false));
        let first = !thread.seen;
        let acquires = !exact || thread.held.enter(lock, blocked, event.stack.is_some());
        if blocked || !exact && (first || self.is_missing_some()) {
            self.end(event, lock, false);
        } else {
            self.abandon(event.thread);
            if event.stack.is_some() {
                self.put_down(lock, event.stack, What::Seen, None);
            }
        }
        acquires
    }

    /// An ENTERED without its ENTER ends a blocking that began before the recording, or one whose
    /// beginning was lost. Else nobody blocked: an exact recording has such events of all kinds, and the
    /// JVM reports so a virtual thread on its way back from a wait.
    pub(super) fn is_missing_some(&self) -> bool {
        self.recording.gaps > 0 || !self.dropped.is_empty()
    }

    fn waited(&mut self, event: &Event, lock: u32, timed_out: bool) {
        let stack = self.end(event, lock, true);
        if timed_out {
            self.put_down(lock, stack, What::TimedOut, None);
        }
    }

    /// `wait` is over and the monitor held again: so is the blocking on the way back, or, where the
    /// end of the wait itself was not reported, the wait.
    fn resumed(&mut self, event: &Event, lock: u32) {
        let thread = self.threads.get(event.thread.0);
        thread.held.waits(lock, false);
        let pending = thread.pending;
        match pending.filter(|pending| pending.lock == lock) {
            Some(pending) => {
                self.end(event, lock, pending.waits);
            }
            None => self.abandon(event.thread),
        }
    }

    /// The event ends a stay of this kind. If the beginning was not reported, and it is the first that
    /// is heard of the thread, it was there from the start of the recording. Gives where the stay was.
    fn end(&mut self, event: &Event, lock: u32, waits: bool) -> Option<StackId> {
        let thread = self.threads.get(event.thread.0);
        let all_along = !thread.seen;
        match thread.pending.take() {
            Some(stay) if stay.is(lock, waits) => {
                self.conclude(stay, Some(event.at));
                return stay.stack;
            }
            Some(other) => self.conclude(other, None),
            None => {}
        }
        let from_start = Pending {
            since: Nanos(0),
            gaps: 0,
            ..self.stay(event, lock, waits)
        };
        self.conclude(from_start, all_along.then_some(event.at));
        event.stack
    }

    /// A stay ended then, or sometime.
    fn conclude(&mut self, stay: Pending, until: Option<Nanos>) {
        let Pending {
            lock,
            stack,
            waits,
            since,
            ..
        } = stay;
        let until = until.filter(|&until| self.is_measured(&stay, until));
        let length = until.map(|until| until.since(since));
        self.put_down(lock, stack, What::stay(waits, length), length);
        if let Some(until) = until {
            self.settled.push(Stay {
                lock,
                stack,
                waits,
                since,
                until,
            });
        }
    }

    fn put_down(&mut self, lock: u32, stack: Option<StackId>, what: What, length: Option<Nanos>) {
        let entry = Entry::new(lock, stack, what, length);
        self.backlog.entries.push(entry);
    }

    /// Nothing is known to be missing in between, and there is a clock.
    fn is_measured(&self, stay: &Pending, until: Nanos) -> bool {
        !self.recording.clockless
            && stay.gaps == self.recording.gaps
            && !self.dropped.between(stay.since, until)
    }

    /// Events were lost: stays that were thought to reach over that time are of unknown length.
    pub(super) fn doubt(&mut self, from: Nanos, to: Nanos) {
        self.dropped.add(from, to);
        for stay in self.settled.reached(from, to) {
            let site = self.site_of(stay.lock, stay.stack);
            let lengths = site.lengths_mut(stay.waits);
            lengths.doubt(stay.until.since(stay.since));
        }
    }

    /// Counts the stays that are still going on, and lists them by lock slot. Where events are missing
    /// since, nobody knows whether they are.
    pub(super) fn open(&mut self) -> BTreeMap<u32, Vec<Open>> {
        let pending = self
            .threads
            .iter()
            .filter_map(|(id, t)| Some((ThreadId(id), t.pending?)));
        let pending: Vec<(ThreadId, Pending)> = pending.collect();
        let mut open: BTreeMap<u32, Vec<Open>> = BTreeMap::new();
        let until = self.until();
        for (_, stay) in &pending {
            self.conclude(*stay, Some(until));
        }
        self.catch_up();
        for (thread, stay) in pending {
            if self.is_cut_off(&stay) {
                continue;
            }
            self.recording.still_waiting += u64::from(stay.waits);
            self.recording.still_blocked += u64::from(!stay.waits);
            let site = self.site_of(stay.lock, stay.stack);
            site.still_waiting += u64::from(stay.waits);
            site.still_blocked += u64::from(!stay.waits);
            open.entry(stay.lock).or_default().push(Open {
                thread,
                waits: stay.waits,
                timed: stay.timed,
                since: stay.since,
                stack: stay.stack,
                owner: stay.owner,
            });
        }
        open
    }

    /// Events are missing since it began.
    fn is_cut_off(&self, stay: &Pending) -> bool {
        stay.gaps != self.recording.gaps || self.dropped.between(stay.since, self.until())
    }
}
