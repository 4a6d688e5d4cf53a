//! What the looks at parked threads found, by lock object and call chain.

use super::parks::ParkLog;
use super::uses::{UseLog, UseLogs};
use crate::catalog::Catalog;
use crate::model::CallChain;
use locklens_trace::park::Park;
use locklens_trace::parked::{Parked, SyncDef, SyncKind};
use locklens_trace::record::{Owner, target_key};
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// By lock object.
pub type ParkedLogs = BTreeMap<LockId, ParkedLog>;

/// What was found of one blocker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParkedLog {
    /// What it is.
    pub def: Option<SyncDef>,
    /// Threads parked on it, by call chain.
    pub sites: BTreeMap<Option<StackId>, ParkedSums>,
    /// Looks that found it owned, by owner and what that was doing.
    pub owners: BTreeMap<(ThreadId, Option<StackId>), u64>,
    /// Threads parked on it.
    pub threads: BTreeSet<ThreadId>,
    /// Threads that were parked on it when the recording ended.
    pub open: Vec<OpenPark>,
    /// Every park on it, where that was recorded and there was one.
    pub parks: Option<Box<ParkLog>>,
    /// What it is a part of: a condition of its lock, that of a queue.
    pub whole: Option<LockId>,
    /// Every operation on it, likewise.
    pub uses: Option<Box<UseLog>>,
}

impl ParkedLog {
    /// Of a condition its synchronizer.
    #[must_use]
    pub fn synchronizer(&self) -> Option<LockId> {
        let def = self.def.filter(|def| def.kind == SyncKind::Condition)?;
        def.of
    }
}

/// Sums over stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParkedSums {
    /// Stays that were told apart.
    pub stays: u64,
    /// Findings: one for each thread and look.
    pub samples: u64,
    /// The time they stand for.
    pub time: Nanos,
    /// Sum of the squares of what each finding stands for, in square microseconds.
    pub squares: u64,
    /// Of the findings those of threads parked with a time-out.
    pub timed: u64,
}

impl ParkedSums {
    /// Adds what others found.
    pub fn join(&mut self, other: &Self) {
        self.stays = self.stays.saturating_add(other.stays);
        self.samples = self.samples.saturating_add(other.samples);
        self.time = Nanos(self.time.0.saturating_add(other.time.0));
        self.squares = self.squares.saturating_add(other.squares);
        self.timed = self.timed.saturating_add(other.timed);
    }

    fn of(parked: &Parked) -> Self {
        let samples = u64::from(parked.samples);
        let micros = u128::from(parked.time.0 / 1000);
        let squares = micros * micros / u128::from(samples.max(1));
        Self {
            stays: u64::from(!parked.continues),
            samples,
            time: parked.time,
            squares: u64::try_from(squares).unwrap_or(u64::MAX),
            timed: if parked.timed { samples } else { 0 },
        }
    }
}

/// A thread that was parked when the recording ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenPark {
    /// The thread.
    pub thread: ThreadId,
    /// The look that found it there first; zero if that was the first of all.
    pub since: Nanos,
    /// The last look, which found it there too.
    pub last: Nanos,
    /// Who owned the lock, if the last looks agree.
    pub owner: Owner,
    /// Since when each look found that same owner; zero if the first of all did.
    pub owner_since: Nanos,
    /// As long as it was there no look found an owner.
    pub unowned: bool,
    /// Its call chain, where one was taken.
    pub stack: Option<StackId>,
    /// It goes on by itself after a time.
    pub timed: bool,
}

/// What the looks say of themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// How many there were.
    pub samples: u64,
    /// The time they stand for.
    pub span: Nanos,
    /// The time between two that was meant.
    pub wish: Nanos,
    /// Processor time they took.
    pub cpu: Nanos,
    /// What they were to take of one processor at most, parts in 10,000.
    pub share: u64,
    /// Platform threads in the last one.
    pub threads: u64,
    /// Findings that are missing, for want of memory.
    pub untold: u64,
    /// There are virtual threads, which are not looked at.
    pub has_virtual: bool,
}

impl Looks {
    /// What the trace says; none if there were none.
    pub(super) fn of(target: &BTreeMap<String, String>) -> Option<Self> {
        let number = |key: &str| target.get(key)?.parse::<u64>().ok();
        Some(Self {
            samples: number(target_key::PARKED_SAMPLES).filter(|n| *n > 0)?,
            span: Nanos(number(target_key::PARKED_SPAN)?),
            wish: Nanos(number(target_key::PARKED_WISH).unwrap_or(0)),
            cpu: Nanos(number(target_key::PARKED_CPU).unwrap_or(0)),
            share: number(target_key::PARKED_SHARE).unwrap_or(0),
            threads: number(target_key::PARKED_THREADS).unwrap_or(0),
            untold: number(target_key::PARKED_UNTOLD).unwrap_or(0),
            has_virtual: target.contains_key(target_key::PARKED_VIRTUAL),
        })
    }

    /// The mean time between two.
    #[must_use]
    pub fn interval(&self) -> Nanos {
        Nanos(self.span.0 / self.samples.max(1))
    }

    /// They had to be further apart than was meant.
    #[must_use]
    pub fn is_widened(&self) -> bool {
        self.interval().0 / 4 > self.wish.0 / 3
    }

    /// What they may take is what kept them apart: they took at least a third of it.
    #[must_use]
    pub fn is_dear(&self) -> bool {
        let taken = u128::from(self.cpu.0) * 10_000;
        taken * 3 >= u128::from(self.span.0) * u128::from(self.share)
    }
}

/// Threads that looks found parked without a blocker: they are in no lock's figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bare {
    /// The time the looks stand for.
    pub time: Nanos,
    /// How many there were at most at once.
    pub threads: u64,
    /// Where most of that time was spent, if that is known: the innermost frame that does not only park,
    pub place: Option<String>,
    /// and the whole chain.
    pub chain: Option<CallChain>,
}

impl Bare {
    /// What the trace says; none if there were none.
    pub(super) fn of(target: &BTreeMap<String, String>, catalog: &Catalog) -> Option<Self> {
        let number = |key: &str| target.get(key)?.parse::<u64>().ok();
        let time = Nanos(number(target_key::PARKED_BARE)?);
        let stack = number(target_key::PARKED_BARE_STACK).and_then(|id| u32::try_from(id).ok());
        let stack = stack.map(StackId);
        let frames = stack.and_then(|id| Some(&catalog.stacks.get(&id)?.frames));
        let mut frames = frames.into_iter().flatten();
        let place = frames.find(|frame| !catalog.is_concurrent(frame));
        Some(Self {
            time,
            threads: number(target_key::PARKED_BARE_THREADS).unwrap_or(0),
            place: place.map(|frame| catalog.frame(frame)),
            chain: stack.and_then(|id| catalog.call_chain(id)),
        })
    }
}

/// Takes in what is known of a blocker.
pub(super) fn learn(logs: &mut ParkedLogs, def: SyncDef) -> &ParkedLog {
    let log = logs.entry(def.lock).or_default();
    log.def = Some(def);
    log
}

/// Of a stay that goes on something is told every five seconds at least.
const FRESH: Nanos = Nanos(7_000_000_000);

/// Stays that may go on, by thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Stays {
    begun: BTreeMap<ThreadId, Begun>,
    /// When a look found somebody first.
    first: Option<Nanos>,
}

/// A stay that may go on.
#[derive(Clone, Copy, Debug)]
struct Begun {
    lock: LockId,
    since: Nanos,
    owner: Owner,
    owner_since: Nanos,
    /// How many looks in a row agree on the owner, over all that was told.
    agree: u32,
    /// What was told of it last.
    last: Parked,
}

impl Begun {
    /// The same as a stay that goes on.
    fn open(&self) -> OpenPark {
        let Parked {
            owner,
            thread,
            to,
            stack,
            timed,
            ..
        } = self.last;
        // One look may have read an owner that was just going.
        let agreed = self.agree >= 2;
        OpenPark {
            thread,
            since: self.since,
            last: to,
            owner: if agreed { owner } else { Owner::Unknown },
            owner_since: self.owner_since,
            unowned: agreed && owner == Owner::Unknown && self.owner_since == self.since,
            stack,
            timed,
        }
    }
}

impl Stays {
    /// Takes in a part of a stay.
    fn follow(&mut self, parked: &Parked) {
        let first = *self.first.get_or_insert(parked.from);
        self.first = Some(first.min(parked.from));
        let before = self.begun.get(&parked.thread);
        let before = before.filter(|stay| parked.continues && stay.lock == parked.lock);
        let owned = before.filter(|stay| stay.owner == parked.owner);
        let begun = Begun {
            lock: parked.lock,
            since: before.map_or(parked.from, |stay| stay.since),
            owner: parked.owner,
            owner_since: owned.map_or(parked.from, |stay| stay.owner_since),
            agree: owned
                .map_or(0, |stay| stay.agree)
                .saturating_add(parked.samples),
            last: *parked,
        };
        self.begun.insert(parked.thread, begun);
    }

    /// Gives the stays that go on at the end: those of which the last word says so. Where words may be missing, it must not
    /// be an old one.
    pub(super) fn open(&self, logs: &mut ParkedLogs, whole: bool, end: Nanos) {
        let goes_on = |stay: &&Begun| {
            let fresh = end.since(stay.last.to) <= FRESH;
            stay.last.open && (whole || fresh)
        };
        for stay in self.begun.values().filter(goes_on) {
            logs.entry(stay.lock).or_default().open.push(stay.open());
        }
    }

    /// A stay that the first look found had begun before. Of older traces it is not known when that was, only when
    /// one found anybody.
    pub(super) fn settle(&self, logs: &mut ParkedLogs, target: &BTreeMap<String, String>) {
        let known = target.get(target_key::PARKED_FIRST);
        let known = known.and_then(|at| at.parse().ok()).map(Nanos);
        let first = known.or(self.first);
        let open = logs.values_mut().flat_map(|log| &mut log.open);
        let times = open.flat_map(|park| [&mut park.since, &mut park.owner_since]);
        for time in times.filter(|time| Some(**time) <= first) {
            *time = Nanos(0);
        }
    }
}

/// A condition is a part of a lock, which may be a part of a queue.
const LEVELS: usize = 2;

/// Finds out what each is a part of.
pub(super) fn find_wholes(logs: &mut ParkedLogs) {
    let of = |lock: LockId| logs.get(&lock)?.def?.of;
    let whole = |&lock: &LockId| {
        let mut whole = of(lock)?;
        for _ in 1..LEVELS {
            whole = of(whole).unwrap_or(whole);
        }
        Some((lock, whole))
    };
    let wholes: Vec<_> = logs.keys().filter_map(whole).collect();
    for (lock, whole) in wholes {
        if let Some(log) = logs.get_mut(&lock) {
            log.whole = Some(whole);
        }
    }
}

/// Gives each lock its operations.
pub(super) fn add_uses(logs: &mut ParkedLogs, uses: UseLogs) {
    for (lock, uses) in uses {
        let log = logs.entry(lock).or_default();
        log.threads.extend(&uses.threads);
        log.uses = Some(Box::new(uses));
    }
}

/// Takes in a park; whether it names its lock.
pub(super) fn add_park(logs: &mut ParkedLogs, park: &Park) -> bool {
    let log = park.lock.map(|lock| logs.entry(lock).or_default());
    let named = log.is_some();
    if let Some(log) = log {
        log.threads.insert(park.thread);
        log.parks.get_or_insert_default().add(park);
    }
    named
}

/// Takes in what looks found.
pub(super) fn add(logs: &mut ParkedLogs, stays: &mut Stays, parked: &Parked) {
    stays.follow(parked);
    let log = logs.entry(parked.lock).or_default();
    log.threads.insert(parked.thread);
    log.sites
        .entry(parked.stack)
        .or_default()
        .join(&ParkedSums::of(parked));
    if let Owner::Thread(owner) = parked.owner {
        let key = (owner, parked.owner_stack);
        let looks = log.owners.entry(key).or_default();
        *looks = looks.saturating_add(u64::from(parked.samples));
    }
}
