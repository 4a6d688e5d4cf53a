//! The records of a recording, one after the other: lives, parks, and what goes on when it ends.

use super::course::Course;
use super::detail::Wanted;
use super::hold::{Held, Holds};
use super::index::Index;
use super::longest::{Longest, Stay, Woken};
use super::model::Deed;
use super::owned::Owned;
use super::rows::Rows;
use super::stocks::Stocks;
use super::strips::{ROWS, Strips};
use crate::analysis::Analysis;
use crate::collect::idtable::IdTable;
use crate::collect::{Collected, parked::ParkedLog};
use crate::pressure::series::LATEST;
use locklens_trace::juc::Operation;
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::parked::Parked;
use locklens_trace::record::{Owner, target_key};
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, StackId};

/// What strips keep together.
const BUDGET: usize = 1 << 20;
/// Stays of each kind that are kept one by one.
pub(super) const STAYS: usize = 20_000;

/// A stay that goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub(super) lock: LockId,
    pub(super) waits: bool,
    pub(super) since: u64,
    pub(super) stack: Option<StackId>,
    pub(super) owner: Owner,
    /// How long it is to last at most.
    pub(super) limit: Option<u64>,
    /// Gaps in the trace before it.
    pub(super) gaps: u64,
}

/// What is known of a thread.
#[derive(Debug, Default)]
pub(super) struct Thread {
    /// Since when it lives.
    pub(super) alive: Option<u64>,
    pub(super) ended: bool,
    /// An event of it has come.
    pub(super) seen: bool,
    /// In which chunk the first came.
    pub(super) first: Option<u64>,
    pub(super) pending: Option<Pending>,
    pub(super) holds: Holds,
}

/// See the module above.
#[derive(Debug)]
pub struct Surveyor<'a> {
    pub(super) collected: &'a Collected,
    pub(super) analysis: &'a Analysis,
    pub(super) rows: Rows,
    pub(super) threads: IdTable<Thread>,
    pub(super) strips: Strips,
    pub(super) longest: [Longest; 3],
    pub(super) course: Course<'a>,
    pub(super) owned: Owned,
    pub(super) gaps: u64,
    /// Losses and gaps so far.
    pub(super) losses: u64,
    /// Stays left out, as events between their ends may be missing.
    pub(super) unmeasured: u64,
    /// What was held before is not known.
    pub(super) begin: u64,
    pub(super) last: u64,
    pub(super) exact: bool,
    /// Where chunks are, if that is told; and the one that is read.
    pub(super) index: Option<Index>,
    pub(super) here: u64,
    /// A part is read again, for this.
    pub(super) wanted: Option<Wanted>,
}

impl<'a> Surveyor<'a> {
    /// One for a recording that has been read and analysed.
    #[must_use]
    pub fn new(collected: &'a Collected, analysis: &'a Analysis) -> Self {
        Self::within(collected, analysis, BUDGET, STAYS)
    }

    /// One whose strips and stays keep so much.
    pub(super) fn within(
        collected: &'a Collected,
        analysis: &'a Analysis,
        budget: usize,
        stays: usize,
    ) -> Self {
        let mut surveyor = Self {
            collected,
            analysis,
            rows: Rows::new(collected, analysis),
            threads: IdTable::default(),
            strips: Strips::new(budget, collected.recording.duration.0),
            longest: [(); 3].map(|()| Longest::new(stays)),
            course: Course::new(Stocks::new(collected, analysis), stays, collected),
            owned: Owned::new(collected, stays),
            gaps: 0,
            losses: 0,
            unmeasured: 0,
            begin: 0,
            last: 0,
            exact: collected.recording.exact,
            index: None,
            here: 0,
            wanted: None,
        };
        surveyor.begin = surveyor.since();
        for def in collected.catalog.threads.values() {
            let thread = surveyor.threads.get(def.id.0);
            thread.alive = def.at_start.then_some(0);
        }
        surveyor
    }

    /// Since when probes tell what is taken and given back.
    fn since(&self) -> u64 {
        let time = |key: &str| self.collected.target.get(key)?.parse().ok();
        let since = time(target_key::EXACT_SINCE).filter(|_| self.exact);
        let since = since.or_else(|| time(target_key::PARKS_SINCE));
        since.unwrap_or(0).min(LATEST)
    }

    /// Takes in the next record of the file.
    #[inline]
    pub fn push(&mut self, record: &Record) {
        if !matches!(record, Record::Event(_)) {
            self.owned.see(record);
        }
        match record {
            Record::Event(event) => self.event(event),
            Record::Parked(parked) => self.parked(parked),
            Record::Park(park) => self.park(park),
            Record::Operation(operation) => self.operation(operation),
            Record::Tick(tick) => {
                self.went_on(tick.at);
                self.course.come_to(tick.at);
            }
            Record::End(end) => self.went_on(end.at),
            Record::Lost(lost) if lost.cause.breaks_histories() => self.forget(),
            _ => {}
        }
    }

    /// A part of the file could not be read: any event may be missing here.
    pub fn gap(&mut self) {
        self.gaps += 1;
        self.forget();
    }

    /// Who holds what is not known any more. Each thread learns that when it is asked, since there may be very many.
    fn forget(&mut self) {
        self.losses += 1;
        self.course.forget();
        self.owned.forget();
    }

    /// What a thread is known to hold.
    pub(super) fn holds(&mut self, slot: u32) -> &mut Holds {
        let losses = self.losses;
        let holds = &mut self.threads.at(slot).holds;
        holds.known_since(losses);
        holds
    }

    /// The recording went on at this time. Without probes nothing is known of it.
    fn went_on(&mut self, at: Nanos) {
        self.passed(self.until().map_or(at, |until| at.min(Nanos(until))));
    }

    /// Up to when the probes told.
    fn until(&self) -> Option<u64> {
        self.collected
            .recording
            .probes_off
            .map(|off| off.0.min(LATEST))
    }

    /// Something happened at this time; the time as it is followed.
    fn passed(&mut self, at: Nanos) -> u64 {
        let at = at.0.min(LATEST);
        if let Some(index) = &mut self.index
            && self.wanted.is_none()
        {
            index.passed(at);
        }
        self.strips.passed(at);
        self.last = self.last.max(at);
        at
    }

    fn event(&mut self, event: &Event) {
        let at = self.passed(event.at);
        let slot = self.threads.slot(event.thread.0);
        let thread = self.threads.at(slot);
        if !thread.ended {
            thread.alive.get_or_insert(at);
        }
        match (event.kind, event.lock) {
            (EventKind::ThreadEnd, _) => self.thread_end(slot, at),
            (EventKind::ThreadStart, _) => {
                if std::mem::take(&mut thread.ended) {
                    thread.alive = Some(at);
                }
            }
            (_, Some(lock)) => self.lock_event(event, (slot, lock), at),
            (_, None) => {}
        }
        let here = self.here;
        let thread = self.threads.at(slot);
        thread.seen = true;
        thread.first.get_or_insert(here);
    }

    fn thread_end(&mut self, slot: u32, at: u64) {
        let thread = self.threads.at(slot);
        (thread.pending, thread.ended) = (None, true);
        if let Some(since) = thread.alive.take() {
            self.lived(slot, since, at);
        }
        for held in self.holds(slot).end() {
            self.held(slot, held, at, false);
        }
    }

    fn lived(&mut self, slot: u32, from: u64, to: u64) {
        if self.wanted.is_none() {
            self.strips.lived(row(slot), from, to);
        }
    }

    /// Who took it need not have it still: others give back what they have not taken. In a program that ran before they may have
    /// taken that before, as long as none who was seen to take something does so; then it is known of what is taken later.
    fn is_given_back_by_others(&self, held: Held) -> bool {
        let log = self.collected.parked.get(&held.lock);
        let uses = log.and_then(|log| log.uses.as_ref());
        let strayed = uses.filter(|uses| uses.strays > 0);
        strayed.is_some_and(|uses| {
            let goes_on = uses.last_stray.0 >= held.since;
            goes_on || uses.handed_over > 0 || self.collected.was_launched()
        })
    }

    /// A thread has held a lock up to then, if nothing is known to be missing since it took it.
    pub(super) fn held(&mut self, slot: u32, held: Held, at: u64, open: bool) {
        let lost = self.collected.losses.between(Nanos(held.since), Nanos(at));
        if lost || held.concurrent && self.is_given_back_by_others(held) {
            return;
        }
        let row = match held.concurrent {
            true => self.rows.of_parked(held.lock),
            false => self.rows.of_monitor(held.lock),
        };
        let stay = Stay {
            stack: held.stack,
            shared: held.shared,
            open,
            ..Stay::begun(held.since, slot, (row, held.lock))
        };
        self.did(Deed::Holding, stay, at);
    }

    /// A stay that has ended, or goes on up to then.
    pub(super) fn did(&mut self, deed: Deed, stay: Stay, until: u64) {
        let from = stay.from.0;
        if until <= from {
            return;
        }
        let stay = Stay {
            length: until - from,
            ..stay
        };
        match &self.wanted {
            None => self.keep(deed, stay, until),
            Some(wanted) if wanted.is(deed as usize, &stay) => {
                self.longest[deed as usize].push(stay);
            }
            Some(_) => {}
        }
    }

    fn keep(&mut self, deed: Deed, stay: Stay, until: u64) {
        let key = (row(stay.thread.0), stay.lock, deed);
        self.strips.put(key, stay.from.0, until);
        self.longest[deed as usize].push(stay);
    }

    /// The longest stays so far; none is kept any more.
    pub(super) fn take_longest(&mut self) -> [Longest; 3] {
        std::mem::replace(&mut self.longest, [(); 3].map(|()| Longest::new(0)))
    }

    fn deed_of_park(&self, lock: LockId) -> Deed {
        match self.rows.owns(lock) {
            true => Deed::Blocked,
            false => Deed::Waiting,
        }
    }

    /// What looks found: of each the time since the look before.
    fn parked(&mut self, parked: &Parked) {
        let to = self.passed(parked.to);
        let lock = self.rows.of_parked(parked.lock);
        if !self.rows.is_looked_at(lock) {
            return;
        }
        let slot = self.threads.slot(parked.thread.0);
        let stay = Stay {
            stack: parked.stack,
            owner: parked.owner.into(),
            open: parked.open,
            estimate: true,
            ..Stay::begun(to.saturating_sub(parked.time.0), slot, (lock, parked.lock))
        };
        self.did(self.deed_of_park(parked.lock), stay, to);
    }

    fn park(&mut self, park: &Park) {
        let (from, to) = (self.passed(park.from), self.passed(park.to));
        let (Some(object), false) = (park.lock, park.end == ParkEnd::Unseen) else {
            return;
        };
        let slot = self.threads.slot(park.thread.0);
        let unpark = park.unpark.filter(|_| park.end == ParkEnd::Unparked);
        let woken = unpark.map(|unpark| Woken {
            by: self.threads.slot(unpark.by.0),
            at: unpark.at.0.min(to),
            inferred: false,
        });
        let stay = Stay {
            stack: park.stack,
            limit: park.limit.map(|limit| limit.0),
            woken,
            open: park.end == ParkEnd::Open,
            ..Stay::begun(from, slot, (self.rows.of_parked(object), object))
        };
        self.did(self.deed_of_park(object), stay, to);
    }

    /// The synchronizer of a condition is what is held.
    fn operation(&mut self, operation: &Operation) {
        let at = self.passed(operation.at);
        let log = self.collected.parked.get(&operation.lock);
        let lock = log.and_then(ParkedLog::synchronizer);
        self.course.operation(operation);
        let slot = self.threads.slot(operation.thread.0);
        let held = self
            .holds(slot)
            .operate(operation, lock.unwrap_or(operation.lock), at);
        if let Some(held) = held {
            self.held(slot, held, at, false);
        }
    }

    /// Counts what goes on when the recording ends.
    pub(super) fn settle(&mut self) {
        let last = self.until().map_or(self.last, |until| until.min(self.last));
        for slot in 0..self.threads.len() as u32 {
            let thread = self.threads.at(slot);
            let (alive, pending) = (thread.alive.take(), thread.pending.take());
            if let Some(since) = alive {
                self.lived(slot, since, last);
            }
            if let Some(pending) = pending {
                self.conclude(slot, pending, last, true);
            }
            for held in self.holds(slot).end() {
                self.held(slot, held, last, true);
            }
        }
        self.strips.catch_up();
    }
}

/// The row of a thread's strips.
pub(super) fn row(slot: u32) -> u32 {
    slot.min(ROWS)
}
