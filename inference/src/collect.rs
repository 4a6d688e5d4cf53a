//! One pass over the records of a trace: definitions, statistics, and windows of raw events.
//!
//! Memory grows with locks, call chains and threads, never with events: lengths go into
//! histograms, and of the events themselves each lock keeps a bounded [`window`].
//! Events of one thread come in order; those of different threads may not, so nothing here
//! compares threads: that waits until a window is read (`order`).
//!
//! What is counted ([`stays`]): a stay blocked or waiting that reaches over the beginning or the end of
//! the recording counts with the part that lies inside; one between whose ends events may be missing
//! counts as one of unknown length.

pub mod parked;
pub mod parks;
pub mod releases;
pub mod uses;
pub mod vm_probes;
pub mod window;

mod backlog;
mod entries;
mod exactness;
mod held;
pub(crate) mod idtable;
mod loss;
mod order;
mod settled;
mod slots;
mod state;
mod stays;
mod words;

use crate::catalog::Catalog;
use crate::model::{Options, Recording};
use crate::parked::checks_owner;
use crate::times::Lengths;
use backlog::Backlog;
pub(crate) use idtable::{FastHash, FastMap, IdTable};
use locklens_trace::juc::{Operation, Outcome};
use locklens_trace::record::{
    EndReason, Hidden, LockObject, LossCause, Lost, Owner, StandingStill, ThreadDef, target_key,
};
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, StackId, ThreadId};
pub use loss::Losses;
use parked::ParkedLogs;
use releases::Releases;
use settled::Settled;
pub(crate) use slots::Slots;
use state::{LockState, ThreadState, logs};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uses::{Holders, UseLog};
pub use window::Windows;
use window::{Kept, Marks, Place};
use words::{end_chain, end_owner, stall, stop};

/// Everything one pass has kept.
#[derive(Debug)]
pub struct Collected {
    /// Definitions.
    pub catalog: Catalog,
    /// What was recorded, as the trace says.
    pub target: BTreeMap<String, String>,
    /// The recording as a whole. What only an analysis can know is left empty.
    pub recording: Recording,
    /// The lock objects seen in events, by id.
    pub locks: Vec<LockLog>,
    /// When threads ended, by id.
    pub ends: BTreeMap<ThreadId, Nanos>,
    /// When events are known to be missing.
    pub losses: Losses,
    /// Who owned what threads were blocked on when the recording ended.
    pub end_owners: EndOwners,
    /// Who held what alone when the probes were switched off, by its own steps: where none of an exact recording are missing.
    pub held: BTreeMap<LockId, ThreadId>,
    /// What these owners were doing then, and owners of what threads were parked on.
    pub end_chains: BTreeMap<ThreadId, StackId>,
    /// Owners of what threads were parked on that had ended.
    pub end_ended: BTreeSet<ThreadId>,
    /// The JVM exited while it was recorded.
    pub exited: bool,
    /// Parked threads that had not run since they were found; none where that is not known of any.
    pub end_still: Option<BTreeSet<ThreadId>>,
    /// What looks at parked threads found.
    pub parked: ParkedLogs,
    /// Thread dumps that the JVM was asked for when the recording was over, the oldest first.
    pub dumps: Vec<String>,
}

/// Thread dumps that are kept of a trace; no recording has more.
const DUMPS: usize = 4;

/// By blocked thread the lock it wants, and its owner.
pub type EndOwners = BTreeMap<ThreadId, (LockId, Owner)>;

/// What was seen on one lock object.
#[derive(Debug)]
pub struct LockLog {
    /// The lock.
    pub lock: LockId,
    /// Threads seen on it.
    pub threads: BTreeSet<ThreadId>,
    /// Statistics by call chain.
    pub sites: Vec<Site>,
    /// Raw events, as far as kept.
    pub windows: Windows,
    /// Threads blocked or waiting when the recording ended.
    pub open: Vec<Open>,
    /// Acquisitions reported: those that had to block, or in an exact recording all but the nested ones.
    pub entered: u64,
    /// Events of any kind.
    pub events: u64,
    /// Probes reported some of them. Of an exact recording's other locks only that is known what the
    /// JVM tells of any.
    pub probed: bool,
}

impl LockLog {
    /// Call chains seen on it.
    #[must_use]
    pub fn stacks(&self) -> BTreeSet<StackId> {
        let sites = self.sites.iter().filter_map(|site| site.stack);
        sites.chain(self.windows.stacks()).collect()
    }
}

/// A thread that was blocked or waiting when the recording ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// The thread.
    pub thread: ThreadId,
    /// It waits; else it is blocked.
    pub waits: bool,
    /// Such a wait has a time-out.
    pub timed: bool,
    /// Since when.
    pub since: Nanos,
    /// Where.
    pub stack: Option<StackId>,
    /// Who held the lock when it began to block.
    pub owner: Owner,
}

/// Statistics of one call chain on one lock object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// The call chain; none for events recorded without.
    pub stack: Option<StackId>,
    /// Stays blocked.
    pub blocked: Lengths,
    /// Waits.
    pub waits: Lengths,
    /// Waits that ended by time-out.
    pub timed_out: u64,
    /// Threads still blocked at the end.
    pub still_blocked: u64,
    /// Threads still waiting at the end.
    pub still_waiting: u64,
}

impl Site {
    /// Its waits, or its stays blocked.
    fn lengths(&self, waits: bool) -> &Lengths {
        match waits {
            true => &self.waits,
            false => &self.blocked,
        }
    }

    fn lengths_mut(&mut self, waits: bool) -> &mut Lengths {
        match waits {
            true => &mut self.waits,
            false => &mut self.blocked,
        }
    }
}

/// Sites of a lock that are looked through; further ones stand in a table.
const NEAR_SITES: usize = 4;

/// Reads a trace once, record by record in file order.
#[derive(Clone, Debug)]
pub struct Collector {
    catalog: Catalog,
    target: BTreeMap<String, String>,
    recording: Recording,
    locks: IdTable<LockState>,
    threads: IdTable<ThreadState>,
    /// Sites beyond the near ones, by lock slot and call chain.
    sites: HashMap<u64, u32, FastHash>,
    losses: Losses,
    /// Those of them that the trace tells of, and not gaps in it.
    dropped: Losses,
    settled: Settled,
    budget: window::Budget,
    keep: Keep,
    last: Nanos,
    /// See [`Recording::probes_off`].
    probes_off: Option<Nanos>,
    after_gap: bool,
    /// Every acquisition is reported, not only those that had to block.
    exact: bool,
    backlog: Backlog,
    /// Where entries stand, while they are counted.
    placed: Vec<u32>,
    parked: ParkedLogs,
    parked_stays: parked::Stays,
    parks: parks::ParkCounts,
    releases: Releases,
    holders: Holders,
    /// By condition its synchronizer.
    synchronizers: FastMap<LockId, LockId>,
    exited: bool,
    dumps: Vec<String>,
}

/// Which events are kept one by one.
#[derive(Clone, Debug)]
enum Keep {
    /// Of each lock a beginning and an end, under a budget.
    Windows,
    /// All of these locks, none of others.
    Locks(BTreeSet<LockId>),
    /// All.
    All,
}

impl Collector {
    /// A collector that keeps windows of every lock under the options' budget.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            catalog: Catalog::default(),
            target: BTreeMap::new(),
            recording: Recording {
                options,
                ..Recording::default()
            },
            locks: IdTable::default(),
            threads: IdTable::default(),
            sites: HashMap::default(),
            losses: Losses::default(),
            dropped: Losses::default(),
            settled: Settled::default(),
            budget: window::Budget::new(options.window_events),
            keep: Keep::Windows,
            last: Nanos(0),
            probes_off: None,
            after_gap: false,
            exact: false,
            backlog: Backlog::default(),
            placed: Vec::new(),
            parked: ParkedLogs::new(),
            parked_stays: parked::Stays::default(),
            parks: parks::ParkCounts::default(),
            releases: Releases::default(),
            holders: Holders::default(),
            synchronizers: FastMap::default(),
            exited: false,
            dumps: Vec::new(),
        }
    }

    /// A collector that keeps *every* event of these locks and no event of any other: for one
    /// lock in full. Its memory grows with their events.
    #[must_use]
    pub fn focused(options: Options, locks: BTreeSet<LockId>) -> Self {
        Self {
            keep: Keep::Locks(locks),
            ..Self::new(options)
        }
    }

    /// A collector that keeps every event of every lock: for a recording piece by piece, whose
    /// definitions are known.
    #[must_use]
    pub fn of_piece(options: Options, catalog: Catalog) -> Self {
        Self {
            catalog,
            keep: Keep::All,
            ..Self::new(options)
        }
    }

    /// One for the next piece: what the piece before told of the recording as a whole still holds.
    #[must_use]
    pub fn of_next_piece(options: Options, before: Collected) -> Self {
        let mut collector = Self {
            losses: before.losses,
            ..Self::of_piece(options, before.catalog)
        };
        collector.learn(before.target);
        for (thread, at) in before.ends {
            collector.threads.get(thread.0).ended = Some(at);
        }
        collector
    }

    /// Takes in the next record of the file.
    #[inline]
    pub fn push(&mut self, record: Record) {
        match &record {
            Record::Event(event) => self.event(event),
            Record::Operation(operation) => self.operation(operation),
            _ => self.other(record),
        }
    }

    /// The same of one that others need as well.
    #[inline]
    pub fn see(&mut self, record: &Record) {
        match record {
            Record::Event(event) => self.event(event),
            Record::Operation(operation) => self.operation(operation),
            _ => self.other(record.clone()),
        }
    }

    /// Everything it would have kept if the recording had ended here, while the pass goes on.
    #[must_use]
    pub fn as_of_now(&mut self) -> Collected {
        self.catch_up();
        self.clone().finish()
    }

    /// What is known so far, while the pass goes on.
    pub(crate) fn so_far(&self) -> (&Catalog, &ParkedLogs) {
        (&self.catalog, &self.parked)
    }

    /// Takes in what is neither an event nor an operation.
    fn other(&mut self, record: Record) {
        match record {
            Record::Target(pairs) => self.learn(pairs),
            Record::Lost(lost) => self.lost(lost),
            Record::Hidden(hidden) => self.hidden(hidden),
            Record::Tick(tick) => {
                self.passed(tick.at);
                self.settled.passed(tick.at);
                self.releases.passed(tick.at, &mut self.parked);
            }
            Record::Sync(def) => {
                let of = parked::learn(&mut self.parked, def).synchronizer();
                match of {
                    Some(of) => self.synchronizers.insert(def.lock, of),
                    None => self.synchronizers.remove(&def.lock),
                };
            }
            Record::Parked(found) => {
                parked::add(&mut self.parked, &mut self.parked_stays, &found);
            }
            Record::Park(park) => {
                let named = parked::add_park(&mut self.parked, &park);
                self.releases.park(&park);
                self.make_room();
                self.parks.add(&park, named);
            }
            Record::End(end) => {
                self.passed(end.at);
                self.recording.ended = true;
                self.exited = end.reason == EndReason::VmDeath;
            }
            definition => self.catalog.define(definition),
        }
    }

    /// Takes in an operation. The synchronizer of a condition is told before, or is not known.
    fn operation(&mut self, operation: &Operation) {
        if self.after_gap {
            self.holders.forget();
            self.releases.forget();
        }
        self.passed(operation.at);
        let of = self.synchronizers.get(&operation.lock);
        let lock = of.copied().unwrap_or(operation.lock);
        let checks = operation.outcome == Outcome::Threw && self.checks_owner(lock);
        let of = (lock, checks);
        self.holders.take_in(operation, of);
        self.releases.operation(operation);
        self.make_room();
    }

    fn checks_owner(&self, lock: LockId) -> bool {
        let class = self.catalog.locks.get(&lock);
        let class = class.map(|def| self.catalog.class_name(def.class));
        class.is_some_and(|class| checks_owner(&class))
    }

    fn make_room(&mut self) {
        if self.releases.is_full() {
            self.releases.make_room(&mut self.parked);
        }
    }

    /// What the trace says of itself.
    fn learn(&mut self, facts: impl IntoIterator<Item = (String, String)>) {
        for (key, text) in facts {
            // They are no facts about the target, and long.
            match key.starts_with(target_key::DUMP) {
                true if self.dumps.len() < DUMPS => self.dumps.push(text),
                true => {}
                false => {
                    self.target.insert(key, text);
                }
            }
        }
        self.parks.learn(&self.target);
        let says = |key, value| self.target.get(key).is_some_and(|said| said == value);
        self.exact = says(target_key::EXACT, "true");
        self.recording.clockless = self.exact && says(target_key::EXACT_CLOCK, "none");
        if self.exact && self.probes_off.is_none() {
            self.probes_off = exactness::probes_off(&self.target, self.last);
        }
    }

    /// Works on what was put off.
    fn catch_up(&mut self) {
        let mut backlog = std::mem::take(&mut self.backlog);
        backlog.events.work(|events| {
            backlog::touch(events, &self.locks);
            for event in events {
                self.locks.at(event.lock).take_in(event);
            }
        });
        backlog.entries.work(|entries| self.count_all(entries));
        self.backlog = backlog;
    }

    /// Up to when it is known what threads do with locks.
    fn until(&self) -> Nanos {
        self.probes_off.map_or(self.last, |off| off.min(self.last))
    }

    /// The recording went on at this time.
    fn passed(&mut self, at: Nanos) {
        self.end_gap(at);
        self.last = self.last.max(at);
    }

    /// A part of the file could not be read: any event may be missing here.
    pub fn gap(&mut self) {
        self.recording.gaps += 1;
        self.after_gap = true;
    }

    fn lost(&mut self, lost: Lost) {
        let total = match lost.cause {
            LossCause::StackBudget => &mut self.recording.stacks_lost,
            _ => &mut self.recording.lost,
        };
        *total = total.saturating_add(lost.count);
        if lost.cause == LossCause::TableFull {
            self.recording.no_room = self.recording.no_room.saturating_add(lost.count);
        }
        // Objects that got no id break no sequence of a lock that has one.
        if lost.cause == LossCause::Paused {
            let off = lost.to.since(lost.from).0;
            self.recording.paused = Nanos(self.recording.paused.0.saturating_add(off));
            if self.recording.pauses.len() < PAUSES {
                self.recording.pauses.push((lost.from, lost.to));
            }
        }
        if lost.cause.breaks_histories() {
            self.holders.forget();
            self.releases.forget();
            self.catch_up();
            self.losses.add(lost.from, lost.to);
            self.doubt(lost.from, lost.to);
        }
    }

    /// What could not be read lay before this.
    fn end_gap(&mut self, at: Nanos) {
        if std::mem::take(&mut self.after_gap) {
            self.losses.add(self.last, at);
        }
    }

    fn hidden(&mut self, hidden: Hidden) {
        let events = self.recording.hidden.entry(hidden.name).or_default();
        *events = hidden.events.max(*events);
    }

    fn event(&mut self, event: &Event) {
        self.recording.events += 1;
        self.recording.from_before += u64::from(event.is_from_before());
        self.end_gap(event.at);
        self.last = self.last.max(event.at);
        match (event.kind, event.lock) {
            (EventKind::ThreadEnd, _) => self.thread_end(event),
            (EventKind::ThreadStart, _) | (_, None) => self.threads.get(event.thread.0).seen = true,
            (_, Some(lock)) => self.lock_event(event, lock),
        }
    }

    fn thread_end(&mut self, event: &Event) {
        self.threads.get(event.thread.0).ended = Some(event.at);
        self.abandon(event.thread);
    }

    fn lock_event(&mut self, event: &Event, lock: LockId) {
        let slot = self.locks.slot(lock.0);
        let thread = self.threads.slot(event.thread.0);
        let place = match &self.keep {
            Keep::Windows => self.budget.place(slot),
            Keep::Locks(locks) if !locks.contains(&lock) => Place::Nowhere,
            Keep::Locks(_) | Keep::All => Place::Head,
        };
        let marks = Marks {
            place,
            acquires: self.measure(event, slot),
            probed: is_of_probe(event),
        };
        let kept = Kept::new(event, slot, thread, marks);
        self.backlog.events.push(kept);
        self.threads.at(thread).seen = true;
        if self.backlog.is_full(self.locks.len()) {
            self.catch_up();
        }
    }

    /// Ends the pass.
    #[must_use]
    pub fn finish(mut self) -> Collected {
        if self.after_gap {
            self.losses.add(self.last, self.last);
        }
        let held = self.held();
        let open = self.open();
        // Nothing waits any more, and what follows needs room.
        self.backlog = Backlog::default();
        self.recording.duration = self.last;
        self.recording.probes_off = self.probes_off.map(|_| self.until());
        let stops = self.target.get(target_key::STOPS);
        self.recording.stops =
            stops.map_or_else(Vec::new, |text| text.lines().filter_map(stop).collect());
        let stalls = self.target.get(target_key::STALLS);
        self.recording.stalls =
            stalls.map_or_else(Vec::new, |text| text.lines().filter_map(stall).collect());
        // Where events were dropped the program may have gone on.
        let losses = &self.losses;
        let stalls = &mut self.recording.stalls;
        stalls.retain(|stall| !losses.between(stall.from, stall.to));
        self.recording.exact = self.exact;
        self.recording.headless =
            self.recording.gaps > 0 && !self.target.contains_key(target_key::EXACT);
        let whole = self.recording.ended && self.recording.gaps == 0;
        self.parked_stays.open(&mut self.parked, whole, self.last);
        self.parked_stays.settle(&mut self.parked, &self.target);
        self.releases.settle(Nanos(u64::MAX), &mut self.parked);
        parked::find_wholes(&mut self.parked);
        let mut uses = std::mem::take(&mut self.holders).finish();
        if self.recording.clockless {
            uses.values_mut().for_each(UseLog::forget_times);
        }
        parked::add_uses(&mut self.parked, uses);
        self.recording.looks = parked::Looks::of(&self.target);
        self.recording.bare = parked::Bare::of(&self.target, &self.catalog);
        self.recording.vm_probes = vm_probes::VmProbesSeen::of(&self.target, self.recording.ended);
        self.recording.vm_probes_declined = vm_probes::declined(&self.target);
        self.recording.parks = parks::ParksSeen::of(&self.target, &self.parks);
        let end_owners = self.end_owners();
        let chains = self.target.remove(target_key::END_CHAINS);
        let lines = chains.iter().flat_map(|text| text.lines());
        let end_chains: BTreeMap<_, _> = lines.filter_map(end_chain).collect();
        let end_ended = self.threads_of(target_key::END_ENDED).unwrap_or_default();
        let end_still = self.threads_of(target_key::END_STILL);
        let ids: Vec<ThreadId> = self.threads.iter().map(|(id, _)| ThreadId(id)).collect();
        let ends = self
            .threads
            .iter()
            .filter_map(|(id, t)| Some((ThreadId(id), t.ended?)));
        let ends = ends.collect();
        let locks = logs(self.locks, &ids, open);
        if self.recording.exact {
            // Who joins a thread waits in the JDK's own code, which is never rewritten.
            let is_thread = |lock| {
                let def = self.catalog.locks.get(&lock);
                def.is_some_and(|d| matches!(d.object, LockObject::Thread(_)))
            };
            let unmet = locks.iter().filter(|log| !log.probed);
            let unmet = unmet.filter(|log| !is_thread(log.lock));
            self.recording.unmet = unmet.count() as u64;
        }
        self.recording.virtual_threads = self.catalog.threads.values().any(is_of_virtual);
        self.recording.incomplete = exactness::doubts(&self.target, &self.recording);
        Collected {
            ends,
            catalog: self.catalog,
            target: self.target,
            recording: self.recording,
            locks,
            losses: self.losses,
            end_owners,
            held,
            end_chains,
            end_ended,
            exited: self.exited,
            end_still,
            parked: self.parked,
            dumps: self.dumps,
        }
    }

    /// See [`Collected::held`].
    fn held(&self) -> BTreeMap<LockId, ThreadId> {
        if !self.exact || self.is_missing_some() {
            return BTreeMap::new();
        }
        let alive = self.threads.iter().filter(|(_, of)| of.ended.is_none());
        let each = alive.map(|(id, of)| {
            let blocked = of.pending.filter(|pending| !pending.waits);
            (id, &of.held, blocked.map(|pending| pending.lock))
        });
        let all = held::holders(each).into_iter();
        all.map(|(lock, thread)| (LockId(self.locks.id(lock)), ThreadId(thread)))
            .collect()
    }

    /// The threads that the trace lists under that key.
    fn threads_of(&mut self, key: &str) -> Option<BTreeSet<ThreadId>> {
        let text = self.target.remove(key)?;
        let ids = text.lines().filter_map(|line| line.parse().ok());
        Some(ids.map(ThreadId).collect())
    }

    /// What the looks at the beginning and the end of the recording say of it as a whole.
    fn end_owners(&mut self) -> EndOwners {
        let counts = |key| self.target.get(key).map(|text| StandingStill::parse(text));
        self.recording.at_start = counts(target_key::THREADS_START);
        self.recording.at_end = counts(target_key::THREADS_END);
        let owners = self.target.remove(target_key::END_OWNERS);
        owners.map_or_else(EndOwners::new, |text| {
            text.lines().filter_map(end_owner).collect()
        })
    }
}

/// Times without events that are remembered: of some five in a second those of hours.
const PAUSES: usize = 1 << 16;

/// An event the JVM never tells: of acquisitions it does not say where.
fn is_of_probe(event: &Event) -> bool {
    match event.kind {
        EventKind::Entered => event.stack.is_some(),
        EventKind::Exit
        | EventKind::Resumed
        | EventKind::Interrupted
        | EventKind::Notify
        | EventKind::NotifyAll => true,
        _ => false,
    }
}

/// A virtual thread, or one that carries them.
fn is_of_virtual(thread: &ThreadDef) -> bool {
    thread.is_virtual || thread.group.as_deref() == Some("CarrierThreads")
}

#[cfg(test)]
mod stays_tests;
#[cfg(test)]
mod tests;
