//! One pass over the records of a trace: definitions, statistics, and windows of raw events.
//!
//! Memory grows with locks, call chains and threads, never with events: lengths go into
//! histograms, and of the events themselves each lock keeps a bounded [`window`].
//! Events of one thread come in order; those of different threads may not, so nothing here
//! compares threads: that waits until a window is read (`order`).
//!
//! What is counted: a stay blocked or waiting that reaches over the beginning or the end of the
//! recording counts with the part that lies inside.

pub mod window;

mod ahead;
mod idtable;
mod loss;
mod order;
mod state;

use crate::catalog::Catalog;
use crate::model::{Options, Recording};
use crate::times::Lengths;
use ahead::Ahead;
use idtable::{FastHash, IdTable};
use locklens_trace::record::{Hidden, LossCause, Lost, Owner, StandingStill, target_key};
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, StackId, ThreadId};
pub use loss::Losses;
use state::{LockState, Pending, ThreadState, logs};
use std::collections::{BTreeMap, BTreeSet, HashMap};
pub use window::Windows;

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
}

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
    /// Acquisitions reported, contended or not.
    pub entered: u64,
    /// Events of any kind.
    pub events: u64,
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

/// Sites of a lock that are looked through; further ones stand in a table.
const NEAR_SITES: usize = 4;

/// Reads a trace once, record by record in file order.
#[derive(Debug)]
pub struct Collector {
    catalog: Catalog,
    target: BTreeMap<String, String>,
    recording: Recording,
    locks: IdTable<LockState>,
    threads: IdTable<ThreadState>,
    /// Sites beyond the near ones, by lock slot and call chain.
    sites: HashMap<u64, u32, FastHash>,
    losses: Losses,
    budget: window::Budget,
    keep: Keep,
    last: Nanos,
    after_gap: bool,
    ahead: Ahead,
}

/// Which events are kept one by one.
#[derive(Debug)]
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
            budget: window::Budget::new(options.window_events),
            keep: Keep::Windows,
            last: Nanos(0),
            after_gap: false,
            ahead: Ahead::default(),
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
            target: before.target,
            losses: before.losses,
            ..Self::of_piece(options, before.catalog)
        };
        for (thread, at) in before.ends {
            collector.threads.get(thread.0).ended = Some(at);
        }
        collector
    }

    /// Takes in the next record of the file.
    pub fn push(&mut self, record: Record) {
        match record {
            Record::Event(event) => {
                if self.ahead.hold(event) {
                    self.catch_up();
                }
            }
            Record::Target(pairs) => self.target.extend(pairs),
            Record::Lost(lost) => self.lost(lost),
            Record::Hidden(hidden) => self.hidden(hidden),
            Record::Tick(tick) => self.passed(tick.at),
            Record::End(end) => {
                self.passed(end.at);
                self.recording.ended = true;
            }
            definition => self.catalog.define(definition),
        }
    }

    /// Works on the events held back.
    fn catch_up(&mut self) {
        let events = self.ahead.take();
        ahead::touch(&events, &self.locks);
        events.iter().for_each(|event| self.event(event));
        self.ahead.reuse(events);
    }

    /// The recording went on at this time.
    fn passed(&mut self, at: Nanos) {
        self.catch_up();
        self.last = self.last.max(at);
    }

    /// A part of the file could not be read: any event may be missing here.
    pub fn gap(&mut self) {
        self.catch_up();
        self.recording.gaps += 1;
        self.after_gap = true;
    }

    fn lost(&mut self, lost: Lost) {
        match lost.cause {
            LossCause::StackBudget => self.recording.stacks_lost += lost.count,
            LossCause::BufferFull => {
                self.recording.lost += lost.count;
                self.losses.add(lost.from, lost.to);
            }
            // Objects that got no id: no sequence of a lock that has one is broken by them.
            LossCause::TableFull | LossCause::Unidentified => self.recording.lost += lost.count,
        }
    }

    fn hidden(&mut self, hidden: Hidden) {
        let events = self.recording.hidden.entry(hidden.name).or_default();
        *events = hidden.events.max(*events);
    }

    fn event(&mut self, event: &Event) {
        self.recording.events += 1;
        self.recording.from_before += u64::from(event.is_from_before());
        if self.after_gap {
            self.losses.add(self.last, event.at);
            self.after_gap = false;
        }
        self.last = self.last.max(event.at);
        match (event.kind, event.lock) {
            (EventKind::ThreadEnd, _) => self.thread_end(event),
            (EventKind::ThreadStart, _) | (_, None) => self.threads.get(event.thread.0).seen = true,
            (_, Some(lock)) => self.lock_event(event, lock),
        }
    }

    fn thread_end(&mut self, event: &Event) {
        let thread = self.threads.get(event.thread.0);
        thread.ended = Some(event.at);
        thread.pending = None;
    }

    fn lock_event(&mut self, event: &Event, lock: LockId) {
        let slot = self.locks.slot(lock.0);
        let state = self.locks.at(slot);
        state.events += 1;
        state.threads.insert(self.threads.slot(event.thread.0));
        match &self.keep {
            Keep::Windows => state.windows.push(event, &mut self.budget),
            Keep::Locks(locks) if !locks.contains(&lock) => {}
            Keep::Locks(_) | Keep::All => state.windows.push_always(event),
        }
        self.measure(event, slot);
        self.threads.get(event.thread.0).seen = true;
    }

    /// A thread is blocked or waiting in one place at a time, so one pending stay a thread is
    /// all that lengths need.
    fn measure(&mut self, event: &Event, lock: u32) {
        let pending = |waits| Pending {
            lock,
            waits,
            since: event.at,
            stack: event.stack,
            owner: event.owner,
        };
        match event.kind {
            EventKind::Enter => self.threads.get(event.thread.0).pending = Some(pending(false)),
            EventKind::Wait { .. } => {
                self.threads.get(event.thread.0).pending = Some(pending(true));
            }
            EventKind::Entered => self.entered(event, lock),
            EventKind::Waited { timed_out } => self.waited(event, lock, timed_out),
            _ => {}
        }
    }

    fn entered(&mut self, event: &Event, lock: u32) {
        self.locks.at(lock).entered += 1;
        let all_along = self.was_there_all_along(event) && !self.exact();
        let stay = self.settle(event, lock, false);
        match stay {
            Some(pending) => {
                let length = event.at.since(pending.since);
                self.site(lock, pending.stack).blocked.add(length);
            }
            None if all_along => self.site(lock, event.stack).blocked.add(event.at),
            None if event.stack.is_some() => {
                self.site(lock, event.stack);
            }
            None => {}
        }
    }

    /// The first that is heard of a thread is the end of a stay: it was there all the time.
    fn was_there_all_along(&mut self, event: &Event) -> bool {
        !self.threads.get(event.thread.0).seen
    }

    /// Every acquisition is reported, not only those that had to block.
    fn exact(&self) -> bool {
        let exact = self.target.get(target_key::EXACT);
        exact.is_some_and(|value| value == "true")
    }

    fn waited(&mut self, event: &Event, lock: u32, timed_out: bool) {
        let all_along = self.was_there_all_along(event);
        let stay = self.settle(event, lock, true);
        let stack = stay.map_or(event.stack, |p| p.stack);
        let site = self.site(lock, stack);
        site.timed_out += u64::from(timed_out);
        match stay {
            Some(pending) => site.waits.add(event.at.since(pending.since)),
            None if all_along => site.waits.add(event.at),
            None => {}
        }
    }

    /// Ends the pending stay of the event's thread, if it is one of this kind on this lock.
    fn settle(&mut self, event: &Event, lock: u32, waits: bool) -> Option<Pending> {
        let pending = self.threads.get(event.thread.0).pending.take();
        pending.filter(|p| p.lock == lock && p.waits == waits)
    }

    fn site(&mut self, lock: u32, stack: Option<StackId>) -> &mut Site {
        let sites = &mut self.locks.at(lock).sites;
        // Most locks have few: looking at them is cheaper than a table of all.
        let mut near = sites.iter().take(NEAR_SITES);
        if let Some(index) = near.position(|site| site.stack == stack) {
            return &mut sites[index];
        }
        let next = sites.len() as u32;
        let index = if sites.len() < NEAR_SITES {
            next
        } else {
            let key = u64::from(lock) << 32 | u64::from(stack.map_or(0, |s| s.0));
            *self.sites.entry(key).or_insert(next)
        };
        if index == next {
            sites.push(Site {
                stack,
                ..Site::default()
            });
        }
        &mut sites[index as usize]
    }

    /// Ends the pass.
    #[must_use]
    pub fn finish(mut self) -> Collected {
        self.catch_up();
        if self.after_gap {
            self.losses.add(self.last, self.last);
        }
        let open = self.open();
        self.recording.duration = self.last;
        self.recording.exact = self.exact();
        let end_owners = self.end();
        let ids: Vec<ThreadId> = self.threads.iter().map(|(id, _)| ThreadId(id)).collect();
        let ends = self
            .threads
            .iter()
            .filter_map(|(id, t)| Some((ThreadId(id), t.ended?)));
        Collected {
            ends: ends.collect(),
            catalog: self.catalog,
            target: self.target,
            recording: self.recording,
            locks: logs(self.locks, &ids, open),
            losses: self.losses,
            end_owners,
        }
    }

    /// What the looks at the beginning and the end of the recording say of it as a whole.
    fn end(&mut self) -> EndOwners {
        let counts = |key| self.target.get(key).map(|text| StandingStill::parse(text));
        self.recording.at_start = counts(target_key::THREADS_START);
        self.recording.at_end = counts(target_key::THREADS_END);
        let owners = self.target.remove(target_key::END_OWNERS);
        owners.map_or_else(EndOwners::new, |text| {
            text.lines().filter_map(end_owner).collect()
        })
    }

    /// Counts the stays that are still going on, and lists them by lock slot.
    fn open(&mut self) -> BTreeMap<u32, Vec<Open>> {
        let pending = self
            .threads
            .iter()
            .filter_map(|(id, t)| Some((ThreadId(id), t.pending?)));
        let pending: Vec<(ThreadId, Pending)> = pending.collect();
        let mut open: BTreeMap<u32, Vec<Open>> = BTreeMap::new();
        for (
            thread,
            Pending {
                lock,
                waits,
                since,
                stack,
                owner,
            },
        ) in pending
        {
            let length = self.last.since(since);
            match waits {
                true => self.recording.still_waiting += 1,
                false => self.recording.still_blocked += 1,
            }
            let site = self.site(lock, stack);
            if waits {
                site.still_waiting += 1;
                site.waits.add(length);
            } else {
                site.still_blocked += 1;
                site.blocked.add(length);
            }
            let at_lock = open.entry(lock).or_default();
            at_lock.push(Open {
                thread,
                waits,
                since,
                stack,
                owner,
            });
        }
        open
    }
}

/// One line of `target_key::END_OWNERS`.
fn end_owner(line: &str) -> Option<(ThreadId, (LockId, Owner))> {
    let mut numbers = line.split(' ').map_while(|word| word.parse::<u32>().ok());
    let (thread, lock) = (ThreadId(numbers.next()?), LockId(numbers.next()?));
    let owner = match numbers.next()? {
        0 => Owner::Nobody,
        owner => Owner::Thread(ThreadId(owner)),
    };
    Some((thread, (lock, owner)))
}

#[cfg(test)]
mod tests;
