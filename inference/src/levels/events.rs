//! What the events of monitors mean for the threads they happen to: as in [`crate::collect`], a thread is blocked or
//! waiting in one place at a time, and a stay between whose ends events may be missing is of unknown length.

use super::Surveyor;
use super::longest::Stay;
use super::model::Deed;
use super::survey::Pending;
use locklens_trace::{Event, EventKind, LockId, Nanos};

impl Surveyor<'_> {
    pub(super) fn lock_event(&mut self, event: &Event, (slot, lock): (u32, LockId), at: u64) {
        self.course.event(event, lock);
        match event.kind {
            EventKind::Enter => self.begin_stay(event, (slot, lock), at, false),
            EventKind::Wait { .. } => self.wait(event, (slot, lock), at),
            EventKind::Entered => self.entered(event, (slot, lock), at),
            EventKind::Waited { .. } => self.end_stay(event, (slot, lock), at, true),
            EventKind::Resumed | EventKind::Interrupted => self.resumed(event, (slot, lock), at),
            EventKind::Exit => self.exit((slot, lock), at),
            EventKind::Notify | EventKind::NotifyAll => self.threads.at(slot).pending = None,
            EventKind::ThreadStart | EventKind::ThreadEnd => {}
        }
    }

    fn pending(&self, event: &Event, lock: LockId, since: u64, waits: bool) -> Pending {
        Pending {
            lock,
            waits,
            since,
            stack: event.stack,
            owner: event.owner,
            limit: match event.kind {
                EventKind::Wait { timeout } => timeout.map(|limit| limit.0),
                _ => None,
            },
            gaps: self.gaps,
        }
    }

    fn begin_stay(&mut self, event: &Event, (slot, lock): (u32, LockId), at: u64, waits: bool) {
        let stay = self.pending(event, lock, at, waits);
        self.threads.at(slot).pending = Some(stay);
    }

    fn wait(&mut self, event: &Event, (slot, lock): (u32, LockId), at: u64) {
        self.begin_stay(event, (slot, lock), at, true);
        if self.exact
            && let Some(held) = self.holds(slot).suspend(lock)
        {
            self.held(slot, held, at, false);
        }
    }

    fn entered(&mut self, event: &Event, (slot, lock): (u32, LockId), at: u64) {
        let thread = self.threads.at(slot);
        let blocked = thread.pending.is_some_and(|p| p.lock == lock && !p.waits);
        let stack = thread.pending.filter(|_| blocked).and_then(|p| p.stack);
        let (first, ended) = (!thread.seen, thread.ended);
        if blocked || !self.exact && first {
            self.end_stay(event, (slot, lock), at, false);
        } else {
            thread.pending = None;
        }
        // A thread that has ended takes its own monitor once more, to wake who joins it: in the JVM, where no probe is, so that
        // it is never seen to give it back.
        if self.exact && at >= self.begin && !ended {
            let told = (blocked, event.stack.is_some());
            let stack = event.stack.or(stack);
            self.holds(slot).enter(lock, told, at, stack);
        }
    }

    fn resumed(&mut self, event: &Event, (slot, lock): (u32, LockId), at: u64) {
        let pending = self.threads.at(slot).pending;
        match pending.filter(|pending| pending.lock == lock) {
            Some(pending) => self.end_stay(event, (slot, lock), at, pending.waits),
            None => self.threads.at(slot).pending = None,
        }
        if self.exact {
            self.holds(slot).resume(lock, at);
        }
    }

    fn exit(&mut self, (slot, lock): (u32, LockId), at: u64) {
        self.threads.at(slot).pending = None;
        if self.exact
            && let Some(held) = self.holds(slot).exit(lock)
        {
            self.held(slot, held, at, false);
        }
    }

    /// The event ends a stay of this kind. If it is the first that is heard of the thread, that was there from the start
    /// of the recording.
    fn end_stay(&mut self, event: &Event, (slot, lock): (u32, LockId), at: u64, waits: bool) {
        let thread = self.threads.at(slot);
        let first = !thread.seen;
        match thread.pending.take() {
            Some(stay) if stay.lock == lock && stay.waits == waits => {
                self.conclude(slot, stay, at, false);
            }
            _ if first => {
                let stay = Pending {
                    gaps: 0,
                    ..self.pending(event, lock, 0, waits)
                };
                self.conclude(slot, stay, at, false);
            }
            _ => {}
        }
    }

    /// Counts a stay up to then, if nothing is known to be missing since it began.
    pub(super) fn conclude(&mut self, slot: u32, stay: Pending, until: u64, open: bool) {
        let losses = &self.collected.losses;
        let measured = stay.gaps == self.gaps && !losses.between(Nanos(stay.since), Nanos(until));
        if self.collected.recording.clockless || !measured {
            self.unmeasured += u64::from(!measured);
            return;
        }
        let deed = match stay.waits {
            true => Deed::Waiting,
            false => Deed::Blocked,
        };
        let told = Stay {
            stack: stay.stack,
            owner: stay.owner.into(),
            limit: stay.limit,
            open,
            ..Stay::begun(
                stay.since,
                slot,
                (self.rows.of_monitor(stay.lock), stay.lock),
            )
        };
        self.did(deed, told, until);
    }
}
