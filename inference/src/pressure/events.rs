//! What the events of locks mean for the threads they happen to.
//!
//! Threads are followed each by itself; only a notify speaks of another one. A stay between whose ends events may be
//! missing counts for nothing: its thread counts as running, so that what is told is a lower bound.

use super::Gauge;
use super::gauge::Site;
use super::hold::Uses;
use super::series::Series;
use super::stay::{Doing, Stay, Thread};
use locklens_trace::{Event, EventKind, LockId, Nanos, StackId};

impl Gauge {
    pub(super) fn lock_event(&mut self, event: &Event, (slot, lock): (u32, LockId), at: u64) {
        let lock = self.locks.slot(lock.0);
        match event.kind {
            EventKind::Enter => self.enter(event, (slot, lock), at),
            EventKind::Entered => self.entered(event, (slot, lock), at),
            EventKind::Wait { .. } => self.wait(event, (slot, lock), at),
            EventKind::Waited { timed_out } => self.waited(event, (slot, lock), at, timed_out),
            EventKind::Resumed | EventKind::Interrupted => self.resumed((slot, lock), at),
            EventKind::Exit => {
                self.abandon(slot);
                self.uses(slot, lock, |thread, uses| thread.holds.exit(lock, at, uses));
            }
            EventKind::Notify => self.notify((slot, lock), at, false),
            EventKind::NotifyAll => self.notify((slot, lock), at, true),
            EventKind::ThreadStart | EventKind::ThreadEnd => {}
        }
    }

    /// Counts acquisitions and holds, of an exact recording and of threads that count.
    fn uses(&mut self, slot: u32, lock: u32, count: impl FnOnce(&mut Thread, &mut Uses)) {
        let thread = self.threads.at(slot);
        if self.exact && thread.counts {
            let uses = &mut self.locks.at(lock).uses;
            uses.probed = true;
            count(thread, uses);
        }
    }

    /// The thread does something else: what it did has ended, nobody knows when.
    pub(super) fn abandon(&mut self, slot: u32) {
        if let Doing::Waiting(stay) = self.threads.at(slot).leave() {
            self.forget_waiter(slot, stay.lock);
        }
    }

    fn forget_waiter(&mut self, slot: u32, lock: u32) {
        let waiters = &mut self.locks.at(lock).waiters;
        if let Some(at) = waiters.iter().position(|&waiter| waiter == slot) {
            waiters.remove(at);
        }
    }

    fn stay(&mut self, event: &Event, lock: u32, at: u64) -> Stay {
        Stay {
            lock,
            site: self.site(lock, event.stack),
            began: at,
            since: at,
            notified: None,
            gaps: self.gaps,
        }
    }

    fn site(&mut self, lock: u32, stack: Option<StackId>) -> u32 {
        let known = self.locks.at(lock);
        if let Some((_, site)) = known.last.filter(|(last, _)| *last == stack) {
            return site;
        }
        let new = self.sites.len() as u32;
        let key = (lock, stack.map_or(0, |stack| stack.0));
        let site = *self.blocked_at.entry(key).or_insert(new);
        known.last = Some((stack, site));
        if site == new {
            known.sites.push(new);
            self.sites.push(Site {
                lock,
                stack,
                time: Series::default(),
            });
        }
        site
    }

    fn enter(&mut self, event: &Event, (slot, lock): (u32, u32), at: u64) {
        // On its way back from a wait it is acquiring already.
        if let Doing::Returning(stay) = self.threads.at(slot).doing
            && stay.lock == lock
        {
            return;
        }
        self.abandon(slot);
        let stay = self.stay(event, lock, at);
        self.begins(slot, Doing::Blocked(stay));
        if self.threads.at(slot).counts {
            let uses = &mut self.locks.at(lock).uses;
            uses.slow = uses.slow.saturating_add(1);
        }
    }

    fn entered(&mut self, event: &Event, (slot, lock): (u32, u32), at: u64) {
        let thread = self.threads.at(slot);
        let (fresh, was_there) = (!thread.heard, thread.was_there);
        let blocked = match thread.doing {
            Doing::Blocked(stay) if stay.lock == lock => {
                thread.doing = Doing::Running;
                self.acquired(slot, stay, at);
                true
            }
            // The wait itself has not returned.
            Doing::Returning(stay) if stay.lock == lock => return,
            _ => {
                self.abandon(slot);
                // It was blocked when the recording began, and was let in before anybody looked.
                if fresh && was_there && !self.exact {
                    let stay = self.stay(event, lock, self.begin);
                    self.acquired(slot, stay, at);
                }
                false
            }
        };
        let probed = event.stack.is_some();
        self.uses(slot, lock, |thread, uses| {
            thread.holds.enter(lock, (blocked, probed), at, uses);
        });
    }

    fn wait(&mut self, event: &Event, (slot, lock): (u32, u32), at: u64) {
        self.abandon(slot);
        let stay = self.stay(event, lock, at);
        self.begins(slot, Doing::Waiting(stay));
        if self.exact {
            self.locks.at(lock).waiters.push_back(slot);
        }
        self.uses(slot, lock, |thread, uses| {
            thread.holds.suspend(lock, at, uses);
        });
    }

    /// The wait is over; nobody says when the monitor is held again, but in an exact recording.
    fn waited(&mut self, event: &Event, (slot, lock): (u32, u32), at: u64, timed_out: bool) {
        let thread = self.threads.at(slot);
        let fresh = !thread.heard && thread.was_there;
        match thread.doing {
            Doing::Waiting(mut stay) if stay.lock == lock => {
                self.abandon(slot);
                if timed_out && let Some(unused) = stay.notified.take() {
                    self.pass_on(lock, unused, false);
                }
                let over = stay.notified.unwrap_or(at).min(at);
                self.waits(slot, stay, over);
                if self.exact {
                    self.begins(slot, Doing::Returning(stay.from(over)));
                }
            }
            _ => {
                self.abandon(slot);
                if fresh {
                    let stay = self.stay(event, lock, self.begin);
                    self.waits(slot, stay, at);
                }
            }
        }
    }

    /// The monitor is held again.
    fn resumed(&mut self, (slot, lock): (u32, u32), at: u64) {
        match self.threads.at(slot).doing {
            Doing::Returning(stay) if stay.lock == lock => {
                self.acquired(slot, stay, at);
            }
            Doing::Waiting(stay) if stay.lock == lock => {
                let over = stay.notified.unwrap_or(at).min(at);
                self.waits(slot, stay, over);
                self.acquired(slot, stay.from(over), at);
            }
            _ => {}
        }
        self.abandon(slot);
        self.uses(slot, lock, |thread, _| thread.holds.resume(lock, at));
    }

    fn notify(&mut self, (slot, lock): (u32, u32), at: u64, all: bool) {
        self.abandon(slot);
        self.pass_on(lock, at, all);
    }

    /// Who has waited longest is notified, as HotSpot does it; or all are.
    fn pass_on(&mut self, lock: u32, at: u64, all: bool) {
        for &waiter in &self.locks.at(lock).waiters {
            let Doing::Waiting(stay) = &mut self.threads.at(waiter).doing else {
                continue;
            };
            if stay.notified.is_none() && stay.began <= at {
                stay.notified = Some(at);
                if !all {
                    return;
                }
            }
        }
    }

    /// Nothing is known to be missing since it began.
    fn is_measured(&mut self, stay: &Stay, until: u64) -> bool {
        let measured =
            stay.gaps == self.gaps && !self.losses.between(Nanos(stay.began), Nanos(until));
        self.unmeasured += u64::from(!measured);
        measured
    }

    pub(super) fn acquired(&mut self, slot: u32, stay: Stay, until: u64) {
        if self.threads.at(slot).counts && self.is_measured(&stay, until) {
            let time = &mut self.sites[stay.site as usize].time;
            time.add(stay.since.max(self.begin), until, self.length);
        }
    }

    pub(super) fn waits(&mut self, slot: u32, stay: Stay, until: u64) {
        if self.threads.at(slot).counts && self.is_measured(&stay, until) {
            self.idle
                .add(stay.since.max(self.begin), until, self.length);
        }
    }
}
