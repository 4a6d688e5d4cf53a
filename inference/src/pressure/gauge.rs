//! The events of a recording, one after the other, as time by lock and interval.
//!
//! Threads of one recording are followed each by itself; only a notify speaks of another thread. A stay between whose
//! ends events may be missing counts for nothing: its thread counts as running, so that what is told is a lower bound.

use super::crowd::{Crowd, is_service};
use super::hold::Uses;
use super::series::{LATEST, Series};
use super::stay::{Doing, Stay, Thread, bounded};
use crate::collect::idtable::{FastHash, IdTable};
use crate::collect::{Collected, Losses};
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::parked::Parked;
use locklens_trace::record::{LossCause, Lost, ThreadDef, target_key};
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, StackId};
use std::collections::{HashMap, VecDeque};

/// Intervals of a recording that are kept: in one that is longer, intervals get twice as long as often as it takes.
const MOST: u32 = 1 << 16;

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Length of an interval.
    pub interval: Nanos,
    /// Most intervals that are kept; none: as many as a file may have.
    pub most: Option<u32>,
    /// Only threads of such a name, or in a group of such a name.
    pub threads: Option<String>,
}

/// A place where threads acquire one lock object.
#[derive(Debug)]
pub(super) struct Site {
    /// Slot of the lock.
    pub(super) lock: u32,
    pub(super) stack: Option<StackId>,
    pub(super) time: Series,
}

/// What is known of one lock object.
#[derive(Debug, Default)]
pub(super) struct Lock {
    /// Sites at which threads were blocked.
    pub(super) sites: Vec<u32>,
    /// The one used last, by its call chain.
    last: Option<(Option<StackId>, u32)>,
    /// Sites at which looks found threads parked.
    pub(super) looks: Vec<u32>,
    /// Every park on it, where these were recorded.
    pub(super) parks: Option<Box<Series>>,
    pub(super) uses: Uses,
    /// Threads that wait on it, in the order in which they began: only where notifies are told.
    waiters: VecDeque<u32>,
}

/// See the module.
#[derive(Debug)]
pub struct Gauge {
    pub(super) asked: Nanos,
    pub(super) length: u64,
    /// The first time that is in no interval.
    reach: u64,
    pub(super) crowd: Crowd,
    /// Who the threads are is known from a pass before.
    informed: bool,
    pub(super) threads: IdTable<Thread>,
    pub(super) locks: IdTable<Lock>,
    pub(super) sites: Vec<Site>,
    blocked_at: HashMap<(u32, u32), u32, FastHash>,
    parked_at: HashMap<(u32, u32), u32, FastHash>,
    /// Time threads lived, and time of it in which they waited or were parked on nothing that is known.
    pub(super) alive: Series,
    pub(super) idle: Series,
    losses: Losses,
    gaps: u64,
    /// Nothing is known of the time before.
    pub(super) begin: u64,
    pub(super) last: u64,
    exact: bool,
    /// Threads that count, and service threads.
    pub(super) counted: u64,
    pub(super) service: u64,
}

impl Gauge {
    /// One that learns who the threads are as they come: for a recording under way.
    #[must_use]
    pub fn new(wanted: &Wanted) -> Self {
        let length = wanted.interval.0.clamp(1, LATEST);
        let most = wanted.most.unwrap_or(MOST).max(2);
        Self {
            asked: wanted.interval,
            length,
            reach: length.saturating_mul(u64::from(most)),
            crowd: Crowd {
                only: wanted.threads.clone(),
            },
            informed: false,
            threads: IdTable::default(),
            locks: IdTable::default(),
            sites: Vec::new(),
            blocked_at: HashMap::default(),
            parked_at: HashMap::default(),
            alive: Series::default(),
            idle: Series::default(),
            losses: Losses::default(),
            gaps: 0,
            begin: 0,
            last: 0,
            exact: false,
            counted: 0,
            service: 0,
        }
    }

    /// One for a recording that has been read once: threads go by their last names, and what is missing is known.
    #[must_use]
    pub fn informed(wanted: &Wanted, collected: &Collected) -> Self {
        let mut gauge = Self::new(wanted);
        let time = |key: &str| collected.target.get(key)?.parse().ok();
        let since = time(target_key::EXACT_SINCE).or_else(|| time(target_key::PARKS_SINCE));
        gauge.exact = collected.recording.exact;
        gauge.begin = bounded(Nanos(since.filter(|_| gauge.exact).unwrap_or(0)));
        gauge.losses = collected.losses.clone();
        for def in collected.catalog.threads.values() {
            gauge.learn(def);
        }
        gauge.informed = true;
        gauge
    }

    /// Takes in the next record.
    #[inline]
    pub fn push(&mut self, record: &Record) {
        match record {
            Record::Event(event) => self.event(event),
            _ => self.other(record),
        }
    }

    fn other(&mut self, record: &Record) {
        match record {
            Record::Thread(def) if !self.informed => self.learn(def),
            Record::Parked(parked) => self.parked(parked),
            Record::Park(park) => self.park(park),
            Record::Lost(lost) if !self.informed => self.lost(lost),
            Record::Tick(tick) => drop(self.passed(tick.at)),
            Record::End(end) => drop(self.passed(end.at)),
            _ => {}
        }
    }

    /// A part of the file could not be read: any event may be missing here.
    pub fn gap(&mut self) {
        self.gaps += 1;
    }

    /// Up to when anything is known.
    #[must_use]
    pub fn last(&self) -> Nanos {
        Nanos(self.last)
    }

    /// The recording went on at this time; the time as it is followed.
    fn passed(&mut self, at: Nanos) -> u64 {
        let at = bounded(at);
        if at >= self.reach {
            self.stretch(at);
        }
        self.last = self.last.max(at);
        at
    }

    #[cold]
    fn stretch(&mut self, at: u64) {
        while at >= self.reach {
            self.widen();
        }
    }

    /// Intervals become twice as long.
    pub(super) fn widen(&mut self) {
        let length = self.length;
        let of_sites = self.sites.iter_mut().map(|site| &mut site.time);
        let of_locks = self
            .locks
            .values_mut()
            .filter_map(|l| l.parks.as_deref_mut());
        let all = of_sites
            .chain(of_locks)
            .chain([&mut self.alive, &mut self.idle]);
        all.for_each(|series| series.widen(length));
        self.length = length.saturating_mul(2);
        self.reach = self.reach.saturating_mul(2);
    }

    fn learn(&mut self, def: &ThreadDef) {
        let slot = self.threads.slot(def.id.0);
        let counts = self.crowd.counts(def);
        let begin = self.begin;
        let thread = self.threads.at(slot);
        if !thread.decided {
            self.counted += u64::from(counts);
            self.service += u64::from(is_service(def));
        }
        match (def.at_start, thread.heard) {
            (true, _) if !thread.ended => drop(thread.alive.get_or_insert(begin)),
            // It was met before its start was told.
            (false, false) => thread.alive = None,
            _ => {}
        }
        thread.was_there = def.at_start && !def.is_virtual;
        (thread.counts, thread.decided) = (counts, true);
    }

    fn event(&mut self, event: &Event) {
        let at = self.passed(event.at);
        let slot = self.threads.slot(event.thread.0);
        let unknown = self.crowd.counts_unknown();
        let thread = self.threads.at(slot);
        if !thread.decided {
            (thread.counts, thread.decided) = (unknown, true);
            self.counted += u64::from(unknown);
        }
        if !thread.ended {
            thread.alive.get_or_insert(at);
        }
        match (event.kind, event.lock) {
            (EventKind::ThreadStart, _) if thread.ended => {
                (thread.alive, thread.ended) = (Some(at), false);
            }
            (EventKind::ThreadStart, _) => {}
            (EventKind::ThreadEnd, _) => self.thread_end(slot, at),
            (_, Some(lock)) => self.lock_event(event, (slot, lock), at),
            (_, None) => {}
        }
        self.threads.at(slot).heard = true;
    }

    fn thread_end(&mut self, slot: u32, at: u64) {
        self.abandon(slot);
        let locks = &mut self.locks;
        let thread = self.threads.at(slot);
        thread.ended = true;
        let counts = thread.counts;
        thread.holds.end(at, |lock, held| {
            let uses = &mut locks.at(lock).uses;
            uses.held = uses.held.saturating_add(if counts { held } else { 0 });
        });
        if let Some(since) = thread.alive.take().filter(|_| counts) {
            self.alive.add(since.max(self.begin), at, self.length);
        }
    }

    fn lock_event(&mut self, event: &Event, (slot, lock): (u32, LockId), at: u64) {
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
    fn abandon(&mut self, slot: u32) {
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
        let thread = self.threads.at(slot);
        thread.doing = Doing::Blocked(stay);
        if thread.counts {
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
        self.uses(slot, lock, |thread, uses| {
            thread.holds.enter(lock, blocked, at, uses);
        });
    }

    fn wait(&mut self, event: &Event, (slot, lock): (u32, u32), at: u64) {
        self.abandon(slot);
        let stay = self.stay(event, lock, at);
        self.threads.at(slot).doing = Doing::Waiting(stay);
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
                    self.threads.at(slot).doing = Doing::Returning(stay.from(over));
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
    fn is_measured(&self, stay: &Stay, until: u64) -> bool {
        stay.gaps == self.gaps && !self.losses.between(Nanos(stay.began), Nanos(until))
    }

    fn acquired(&mut self, slot: u32, stay: Stay, until: u64) {
        if self.threads.at(slot).counts && self.is_measured(&stay, until) {
            let time = &mut self.sites[stay.site as usize].time;
            time.add(stay.since.max(self.begin), until, self.length);
        }
    }

    fn waits(&mut self, slot: u32, stay: Stay, until: u64) {
        if self.threads.at(slot).counts && self.is_measured(&stay, until) {
            self.idle
                .add(stay.since.max(self.begin), until, self.length);
        }
    }

    /// What looks found: of each the time since the look before.
    fn parked(&mut self, parked: &Parked) {
        let to = self.passed(parked.to);
        let from = to.saturating_sub(parked.time.0).max(self.begin);
        let slot = self.threads.slot(parked.thread.0);
        if !self.threads.at(slot).counts {
            return;
        }
        let lock = self.locks.slot(parked.lock.0);
        let new = self.sites.len() as u32;
        let key = (lock, parked.stack.map_or(0, |stack| stack.0));
        let site = *self.parked_at.entry(key).or_insert(new);
        if site == new {
            self.locks.at(lock).looks.push(new);
            self.sites.push(Site {
                lock,
                stack: parked.stack,
                time: Series::default(),
            });
        }
        self.sites[site as usize].time.add(from, to, self.length);
    }

    fn park(&mut self, park: &Park) {
        let (from, to) = (self.passed(park.from), self.passed(park.to));
        let slot = self.threads.slot(park.thread.0);
        let lock = park.lock.map(|lock| self.locks.slot(lock.0));
        let seen = self.threads.at(slot).counts && park.end != ParkEnd::Unseen;
        let series = match lock {
            Some(lock) => self.locks.at(lock).parks.get_or_insert_default(),
            None => &mut self.idle,
        };
        if seen {
            series.add(from.max(self.begin), to, self.length);
        }
    }

    /// Events were lost: what threads have been doing since before is not known.
    fn lost(&mut self, lost: &Lost) {
        if lost.cause != LossCause::BufferFull {
            return;
        }
        self.losses.add(lost.from, lost.to);
        for thread in self.threads.values_mut() {
            thread.doing = Doing::Running;
        }
    }

    /// Counts what goes on up to that time.
    pub(super) fn settle(&mut self, until: u64) {
        for slot in 0..self.threads.len() as u32 {
            self.settle_one(slot, until);
        }
    }

    fn settle_one(&mut self, slot: u32, until: u64) {
        let thread = self.threads.at(slot);
        if let Some(alive) = thread.alive.filter(|&alive| alive < until) {
            thread.alive = Some(until);
            if thread.counts {
                self.alive.add(alive.max(self.begin), until, self.length);
            }
        }
        match self.threads.at(slot).doing {
            Doing::Running => {}
            Doing::Blocked(stay) => {
                self.acquired(slot, stay, until);
                self.threads.at(slot).doing = Doing::Blocked(stay.from(until));
            }
            Doing::Returning(stay) => {
                self.acquired(slot, stay, until);
                self.threads.at(slot).doing = Doing::Returning(stay.from(until));
            }
            Doing::Waiting(stay) => {
                let over = stay.notified.unwrap_or(until).min(until);
                self.waits(slot, stay, over);
                self.acquired(slot, stay.from(over), until);
                self.threads.at(slot).doing = Doing::Waiting(stay.from(until));
            }
        }
    }

    /// Counts holds that go on at the end.
    pub(super) fn settle_holds(&mut self) {
        let (last, locks) = (self.last, &mut self.locks);
        for thread in self.threads.values_mut() {
            let counts = thread.counts;
            thread.holds.end(last, |lock, held| {
                let uses = &mut locks.at(lock).uses;
                uses.held = uses.held.saturating_add(if counts { held } else { 0 });
            });
        }
    }
}
