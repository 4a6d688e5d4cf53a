//! The records of a recording, one after the other, as time by lock and interval.
//!
//! What an event of a lock means for its thread is in `events`; here are the threads' lives, parks, and what goes on when
//! an interval or the recording ends.

use super::crowd::{Crowd, is_service};
use super::hold::Uses;
use super::series::{LATEST, Series};
use super::stay::{Doing, Thread, bounded};
use crate::collect::idtable::{FastHash, IdTable};
use crate::collect::{Collected, Losses};
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::parked::Parked;
use locklens_trace::record::{Lost, ThreadDef, target_key};
use locklens_trace::{Event, EventKind, Nanos, Record, StackId};
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
    pub(super) last: Option<(Option<StackId>, u32)>,
    /// Sites at which looks found threads parked.
    pub(super) looks: Vec<u32>,
    /// Every park on it, where these were recorded.
    pub(super) parks: Option<Box<Series>>,
    pub(super) uses: Uses,
    /// Threads that wait on it, in the order in which they began: only where notifies are told.
    pub(super) waiters: VecDeque<u32>,
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
    /// Threads that may have been doing something else than run since the last loss.
    pub(super) busy: Vec<u32>,
    pub(super) locks: IdTable<Lock>,
    pub(super) sites: Vec<Site>,
    pub(super) blocked_at: HashMap<(u32, u32), u32, FastHash>,
    parked_at: HashMap<(u32, u32), u32, FastHash>,
    /// Time threads lived, and time of it in which they waited or were parked on nothing that is known.
    pub(super) alive: Series,
    pub(super) idle: Series,
    pub(super) losses: Losses,
    pub(super) gaps: u64,
    /// Stays of threads that count, between whose ends events may be missing.
    pub(super) unmeasured: u64,
    /// Nothing is known of the time before.
    pub(super) begin: u64,
    /// Nor of the time after.
    until: Option<Nanos>,
    pub(super) last: u64,
    pub(super) exact: bool,
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
            busy: Vec::new(),
            locks: IdTable::default(),
            sites: Vec::new(),
            blocked_at: HashMap::default(),
            parked_at: HashMap::default(),
            alive: Series::default(),
            idle: Series::default(),
            losses: Losses::default(),
            gaps: 0,
            unmeasured: 0,
            begin: 0,
            until: None,
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
        gauge.exact = collected.recording.exact;
        let since = time(target_key::EXACT_SINCE).filter(|_| gauge.exact);
        let since = since.or_else(|| time(target_key::PARKS_SINCE));
        gauge.begin = bounded(Nanos(since.unwrap_or(0)));
        gauge.until = collected.recording.probes_off;
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
            Record::Tick(tick) => self.went_on(tick.at),
            Record::End(end) => self.went_on(end.at),
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

    /// The recording went on at this time. Without probes nothing is known of it.
    fn went_on(&mut self, at: Nanos) {
        self.passed(self.until.map_or(at, |until| until.min(at)));
    }

    /// Up to when is counted what goes on at the end.
    pub(super) fn known_to(&self) -> u64 {
        self.until.map_or(self.last, |until| until.0.min(self.last))
    }

    /// Something happened at this time; the time as it is followed.
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
        let thread = self.threads.at(slot);
        let seen = thread.counts && park.end != ParkEnd::Unseen;
        // Who is never blocked on a monitor is met here.
        if thread.counts && !thread.ended {
            thread.alive.get_or_insert(from.max(self.begin));
        }
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
        if !lost.cause.breaks_histories() {
            return;
        }
        self.losses.add(lost.from, lost.to);
        for slot in std::mem::take(&mut self.busy) {
            let thread = self.threads.at(slot);
            (thread.doing, thread.is_busy) = (Doing::Running, false);
        }
    }

    /// A thread does something else than run. That is noted, so that a loss is not the matter of all threads there are.
    pub(super) fn begins(&mut self, slot: u32, doing: Doing) {
        let thread = self.threads.at(slot);
        thread.doing = doing;
        if !std::mem::replace(&mut thread.is_busy, true) {
            self.busy.push(slot);
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
        let (last, locks) = (self.known_to(), &mut self.locks);
        for thread in self.threads.values_mut() {
            let counts = thread.counts;
            thread.holds.end(last, |lock, held| {
                let uses = &mut locks.at(lock).uses;
                uses.held = uses.held.saturating_add(if counts { held } else { 0 });
            });
        }
    }
}
