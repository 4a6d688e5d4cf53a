//! What the type of a lock calls for: how many read and write, which permits are left, how long a queue is.
//!
//! Counted from what is known to have been done and from nothing else: of locks of `java.util.concurrent` from their
//! operations, of locks that the program has built from the roles of the regions that threads pass through, where
//! probes tell of each (as [`crate::contention`] does it). How many there were before anything was
//! recorded nobody knows; but there are never less than none. So what is told is the least that there can have been.
//! Who was about to take one when the probes came takes it unseen, whenever that comes about: from then on there is one less than
//! what was counted. So in a program that ran before there are at least as many as go before the least that is to come,
//! and what was the least before says nothing.
//! Who goes through a lock that the program has built may have tried in vain, or was inside before anything was recorded:
//! of those a number is about right, unless the recording has all from the start of the program on, the operations tell their
//! callers nothing, and what is counted always agrees with who waits. It begins anew from none whenever somebody has to wait for more.

use super::early::Early;
use super::model::{Change, Step, StockKind, StockRow, Sure};
use super::roles::{RoleBook, Roles};
use super::stock::Stock;
use super::strips::{MOST, width_of};
use crate::analysis::Analysis;
use crate::collect::{Collected, FastHash};
use crate::grip::Grip;
use crate::model::{LogicalLock, Verdict};
use crate::pressure::series::LATEST;
use crate::types::{Detail, LockType, Role};
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::{Event, EventKind, LockId, Nanos, StackId, ThreadId};
use std::collections::{BTreeMap, HashMap};

/// Locks that are followed: those that hurt most.
const FOLLOWED: usize = 4096;
/// Buckets kept of all of them together.
const BUDGET: usize = 1 << 18;
/// Changes kept of each one by one, and of all together.
const OF_ONE: usize = 20_000;
const OF_ALL: usize = 100_000;

/// How long it takes at most from putting something into a queue to telling so, ns. In between a thread may lose its
/// processor. Of a program that ran before less is told the longer that is.
const TO_TELL: u64 = 1_000_000_000;
const TO_TELL_LATE: u64 = 10_000_000;

/// What is counted of one lock.
#[derive(Debug)]
struct Counted {
    kind: StockKind,
    parts: [Stock; 2],
    /// Of a queue of `java.util.concurrent` what may have been in it.
    early: Option<Early>,
    /// Something that matters was not seen, or does not agree with the rest.
    unclear: bool,
    /// It was there from the start of the program, and what is counted must agree: if it does not, somebody who did not come
    /// through was counted.
    checked: bool,
    /// What was counted when somebody had to wait for more for the first time: there were none.
    none: Option<i64>,
    /// Some may be taken unseen: by who was about to when the probes came.
    late: bool,
    /// It has one object.
    single: bool,
    /// There are never more.
    most: i64,
}

/// A thread inside a monitor.
#[derive(Clone, Copy, Debug)]
struct Visit {
    depth: u32,
    /// What it changes when it has come through.
    by: [i64; 2],
    takes: bool,
    timed_out: bool,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Stocks<'a> {
    book: RoleBook<'a>,
    rows: BTreeMap<u32, Counted>,
    monitors: HashMap<LockId, u32, FastHash>,
    used: HashMap<LockId, u32, FastHash>,
    visits: HashMap<(ThreadId, LockId), Visit, FastHash>,
    /// Where threads are blocked.
    stacks: HashMap<ThreadId, (LockId, Option<StackId>), FastHash>,
    grips: HashMap<(ThreadId, LockId), Grip, FastHash>,
    /// When each thread told an operation last.
    told: HashMap<ThreadId, u64, FastHash>,
    width: u64,
    kept: usize,
    changes: usize,
    last: u64,
}

impl<'a> Stocks<'a> {
    pub(super) fn new(collected: &'a Collected, analysis: &'a Analysis) -> Self {
        let mut stocks = Self {
            book: RoleBook::new(collected),
            rows: BTreeMap::new(),
            monitors: HashMap::default(),
            used: HashMap::default(),
            visits: HashMap::default(),
            stacks: HashMap::default(),
            grips: HashMap::default(),
            told: HashMap::default(),
            width: width_of(collected.recording.duration.0),
            kept: 0,
            changes: 0,
            last: 0,
        };
        for row in 0..analysis.model.locks.len().min(FOLLOWED) {
            stocks.add(row as u32, collected, analysis);
        }
        stocks
    }

    /// Follows the lock of a row, if its type calls for something that can be counted.
    fn add(&mut self, row: u32, collected: &Collected, analysis: &Analysis) {
        let lock = &analysis.model.locks[row as usize];
        let objects = &analysis.objects[row as usize];
        let Some(verdict) = lock.types.first() else {
            return;
        };
        let concurrent = lock.sampled.is_some() || lock.parks.is_some();
        let Some(kind) = kind_of(verdict.lock_type, concurrent) else {
            return;
        };
        let single = objects.len() == 1;
        // Each latch counts down by itself: what is left of all together says nothing.
        if kind == StockKind::CountLeft && !single {
            return;
        }
        match concurrent {
            true if lock.uses.is_some() => {
                self.used.extend(objects.iter().map(|&id| (id, row)));
            }
            false if collected.recording.exact => {
                self.book.add(row, lock, analysis);
                self.monitors.extend(objects.iter().map(|&id| (id, row)));
            }
            _ => return,
        }
        let is_taken = matches!(kind, StockKind::PermitsLeft | StockKind::QueueLength);
        let late = concurrent && !collected.was_launched() && is_taken;
        let counted = Counted {
            kind,
            parts: [Stock::default(), Stock::default()],
            early: (concurrent && kind == StockKind::QueueLength)
                .then(|| Early::new(if late { TO_TELL_LATE } else { TO_TELL })),
            // Who was about to put something in when the probes came did so unseen.
            unclear: match concurrent {
                true => late && kind == StockKind::QueueLength,
                false => !single || !is_told(kind, collected) || may_try(lock, verdict),
            },
            checked: !concurrent,
            none: None,
            late,
            single,
            most: most_of(kind, verdict, concurrent, objects.len()),
        };
        self.rows.insert(row, counted);
    }

    /// Nothing is counted any more.
    pub(super) fn follow_nothing(&mut self) {
        (self.monitors, self.used) = Default::default();
        (self.visits, self.stacks) = Default::default();
        self.rows.clear();
    }

    /// What happens inside this monitor matters.
    pub(super) fn follows(&self, lock: LockId) -> bool {
        self.monitors.contains_key(&lock)
    }

    /// What is done to this lock matters.
    pub(super) fn counts(&self, lock: LockId) -> bool {
        self.used.contains_key(&lock)
    }

    /// Events are missing.
    pub(super) fn forget(&mut self) {
        self.visits.clear();
        self.grips.clear();
        self.stacks.clear();
        for counted in self.rows.values_mut() {
            counted.unclear = true;
        }
    }

    /// The next event, in the order of time.
    pub(super) fn event(&mut self, event: &Event, lock: LockId) {
        let Some(&row) = self.monitors.get(&lock) else {
            return;
        };
        let key = (event.thread, lock);
        match event.kind {
            EventKind::Enter => drop(self.stacks.insert(event.thread, (lock, event.stack))),
            EventKind::Entered => self.entered(event, lock, row),
            EventKind::Exit => self.exit(event, lock, row),
            EventKind::Wait { .. } => self.wait(event.at, key, row),
            EventKind::Waited { timed_out: true } | EventKind::Interrupted => {
                let visit = self.visits.get_mut(&key);
                visit.into_iter().for_each(|visit| visit.timed_out = true);
            }
            EventKind::NotifyAll => self.notify_all(event, row),
            _ => {}
        }
    }

    fn entered(&mut self, event: &Event, lock: LockId, row: u32) {
        let key = (event.thread, lock);
        let blocked = self.stacks.remove(&event.thread);
        if let Some(visit) = self.visits.get_mut(&key) {
            visit.depth = visit.depth.saturating_add(1);
            return;
        }
        let blocked = blocked.filter(|(at, _)| *at == lock);
        let stack = event.stack.or(blocked.and_then(|(_, stack)| stack));
        let Some(counted) = self.rows.get_mut(&row) else {
            return;
        };
        counted.unclear |= stack.is_none();
        let roles = self.book.of(row, stack);
        let (kind, by) = (counted.kind, effect(counted.kind, roles));
        let visit = Visit {
            depth: 1,
            by,
            takes: roles.contains(&Role::Take) || roles.contains(&Role::Acquire),
            timed_out: false,
        };
        self.visits.insert(key, visit);
        // Who arrives has done so when it is in.
        if kind == StockKind::Arrivals {
            self.change(row, event.at, by);
        }
    }

    fn exit(&mut self, event: &Event, lock: LockId, row: u32) {
        let key = (event.thread, lock);
        let Some(visit) = self.visits.get_mut(&key) else {
            return;
        };
        visit.depth -= 1;
        if visit.depth > 0 {
            return;
        }
        let visit = *visit;
        self.visits.remove(&key);
        let Some(counted) = self.rows.get_mut(&row) else {
            return;
        };
        // Nobody knows whether it got what it waited for.
        counted.unclear |= visit.timed_out && visit.by != [0, 0];
        if counted.kind != StockKind::Arrivals && !visit.timed_out {
            self.change(row, event.at, visit.by);
        }
    }

    /// Who waits to take something has found nothing.
    fn wait(&mut self, at: Nanos, key: (ThreadId, LockId), row: u32) {
        let takes = self.visits.get(&key).is_some_and(|visit| visit.takes);
        let counted = self.rows.get_mut(&row);
        if let Some(counted) = counted.filter(|counted| takes && counted.single) {
            let now = counted.parts[0].value();
            let none = *counted.none.get_or_insert(now);
            counted.unclear |= counted.checked && none != now;
            self.change(row, at, [none.saturating_sub(now), 0]);
        }
    }

    /// The last one lets all go on.
    fn notify_all(&mut self, event: &Event, row: u32) {
        let counted = self.rows.get(&row);
        let arrived = counted.filter(|counted| counted.kind == StockKind::Arrivals);
        if let Some(arrived) = arrived.map(|counted| counted.parts[0].value()) {
            self.change(row, event.at, [arrived.saturating_neg(), 0]);
        }
    }

    /// The next operation, in the order of time.
    pub(super) fn operation(&mut self, operation: &Operation) {
        let Some(&row) = self.used.get(&operation.lock) else {
            return;
        };
        let kind = self.rows.get(&row).map(|counted| counted.kind);
        let before = self.told.insert(operation.thread, operation.at.0);
        let by = match kind {
            Some(StockKind::ReadersWriter) => self.grip(operation),
            Some(kind) => [done(kind, operation), 0],
            None => return,
        };
        self.change(row, operation.at, by);
        self.change_early(row, operation.at, before, by[0]);
    }

    /// The same for what may have been in a queue.
    fn change_early(&mut self, row: u32, at: Nanos, before: Option<u64>, by: i64) {
        let Some(counted) = self.rows.get_mut(&row).filter(|_| by != 0) else {
            return;
        };
        let Some(early) = &mut counted.early else {
            return;
        };
        let at = at.0.min(LATEST);
        early.told(at, before, by);
        let kept = (early.stock.kept(), early.stock.changes().len());
        // Of a program that did not run before the least of all is enough.
        let room = match counted.late {
            true => OF_ONE.min(OF_ALL - self.changes + kept.1),
            false => 0,
        };
        early.come_to(at, self.width, room);
        self.kept = self.kept + early.stock.kept() - kept.0;
        self.changes = self.changes + early.stock.changes().len() - kept.1;
    }

    /// Whether one more reads or writes, or one less.
    fn grip(&mut self, operation: &Operation) -> [i64; 2] {
        let key = (operation.thread, operation.lock);
        let grip = self.grips.entry(key).or_default();
        let holds = |grip: &Grip| [i64::from(grip.shared > 0), i64::from(grip.alone > 0)];
        let before = holds(grip);
        grip.apply(operation);
        let after = holds(grip);
        if grip.is_free() {
            self.grips.remove(&key);
        }
        [after[0] - before[0], after[1] - before[1]]
    }

    fn change(&mut self, row: u32, at: Nanos, by: [i64; 2]) {
        let at = at.0.min(LATEST);
        self.last = self.last.max(at);
        while at / self.width >= u64::from(MOST) {
            self.widen();
        }
        let Some(counted) = self.rows.get_mut(&row) else {
            return;
        };
        let none = counted.none.unwrap_or(i64::MIN);
        let before = counted.parts[0].value();
        counted.unclear |= counted.checked && before.saturating_add(by[0]) < none;
        for (part, by) in counted.parts.iter_mut().zip(by) {
            let before = (part.kept(), part.changes().len());
            let room = OF_ALL - self.changes + before.1;
            let value = part.value().saturating_add(by).max(none);
            part.set(at, value, self.width, OF_ONE.min(room));
            self.kept = self.kept + part.kept() - before.0;
            self.changes = self.changes + part.changes().len() - before.1;
        }
        let [readers, writers] = counted.parts.each_ref().map(Stock::value);
        let is_odd = readers > 0 && writers > 0 || readers < 0 || !(0..=1).contains(&writers);
        let reads = counted.kind == StockKind::ReadersWriter;
        counted.unclear |= counted.checked && reads && is_odd;
        while self.kept > BUDGET && self.last / self.width > 1 {
            self.widen();
        }
    }

    fn widen(&mut self) {
        let all = self.rows.values_mut().flat_map(|row| {
            let early = row.early.as_mut().map(|early| &mut early.stock);
            row.parts.iter_mut().chain(early)
        });
        self.kept = 0;
        for part in all {
            part.widen(self.width);
            self.kept += part.kept();
        }
        self.width = self.width.saturating_mul(2);
    }

    /// Ends it: of locks of which anything was counted what there was, and the width of its buckets.
    pub(super) fn finish(&mut self, end: u64) -> (Vec<StockRow>, Nanos) {
        let end = end.max(self.last).max(1);
        while end / self.width >= u64::from(MOST) {
            self.widen();
        }
        let width = self.width;
        let buckets = end.div_ceil(width) as u32;
        let rows = self.rows.iter_mut();
        let told = rows.filter_map(|(&lock, row)| row.told(lock, buckets, end, width));
        (told.collect(), Nanos(width))
    }
}

impl Counted {
    fn told(&mut self, lock: u32, buckets: u32, end: u64, width: u64) -> Option<StockRow> {
        let all = match self.kind {
            StockKind::ReadersWriter => 2,
            _ => 1,
        };
        let parts = &mut self.parts[..all];
        parts.iter_mut().for_each(|part| part.come_to(end, width));
        if let Some(early) = &mut self.early {
            early.finish(width, OF_ONE);
            early.stock.come_to(end, width);
        }
        let early = self.early.as_ref().map(|early| &early.stock);
        let is_idle = parts.iter().all(|part| part.kept() == 0);
        let (none, most, late) = (self.none, self.most, self.late);
        let range = |part: &Stock| {
            part.most()
                .saturating_sub(none.unwrap_or_else(|| part.least()))
        };
        self.unclear |= self.checked && parts.iter().any(|part| range(part) > most);
        let told = parts.iter().map(|part| {
            let shift = match late {
                true => 0,
                false => none
                    .unwrap_or_else(|| early.unwrap_or(part).least())
                    .saturating_neg(),
            };
            let mut steps = part.steps(buckets, end, width, shift);
            let change = |&(at, value): &(u64, i64)| Change {
                at: Nanos(at),
                value: value.saturating_add(shift),
            };
            let changes = std::iter::once(&(0, 0)).chain(part.changes());
            let mut changes: Vec<Change> = changes.map(change).collect();
            if late {
                let floor = early.unwrap_or(part);
                let floors = floor.steps(buckets, end, width, 0);
                go_before_the_least_to_come(&mut steps, &floors, floor.value());
                change_before_the_least_to_come(&mut changes, floor);
            }
            steps.iter_mut().for_each(|step| step.keep_within(most));
            let within = |change: &mut Change| change.value = change.value.clamp(0, most);
            changes.iter_mut().for_each(within);
            let too_many = part.too_many || late && early.is_some_and(|early| early.too_many);
            (steps, (!too_many).then_some(changes))
        });
        let parts = told.collect();
        (!is_idle).then_some(StockRow {
            lock,
            kind: self.kind,
            sure: match self.unclear {
                true => Sure::About,
                false => Sure::AtLeast,
            },
            parts,
        })
    }
}

/// Leaves of each number what it is more than the least that comes later, by these floors, of which the last one is `value`. Of a
/// step, in which it is not known what comes first, more is taken off: what comes after it.
fn go_before_the_least_to_come(steps: &mut [Step], floors: &[Step], value: i64) {
    let (mut coming, mut later) = (value, floors.iter().rev().peekable());
    for step in steps.iter_mut().rev() {
        while let Some(floor) = later.next_if(|floor| floor.first >= step.end) {
            coming = coming.min(floor.least);
        }
        let across = later.peek().filter(|floor| floor.end > step.end);
        coming = across.map_or(coming, |floor| coming.min(floor.least));
        step.least = step.least.saturating_sub(coming);
        step.most = step.most.saturating_sub(coming);
        step.mean = step.mean.saturating_sub(coming.saturating_mul(1000));
    }
}

/// The same of each change.
fn change_before_the_least_to_come(changes: &mut [Change], floor: &Stock) {
    let (mut coming, mut later) = (floor.value(), floor.changes().iter().rev().peekable());
    for change in changes.iter_mut().rev() {
        while let Some(&(_, least)) = later.next_if(|floor| floor.0 > change.at.0) {
            coming = coming.min(least);
        }
        let now = later.peek().map_or(0, |floor| floor.1);
        change.value = change.value.saturating_sub(coming.min(now));
    }
}

/// How many there can be of so many locks of this type.
fn most_of(kind: StockKind, verdict: &Verdict, concurrent: bool, objects: usize) -> i64 {
    let of_one = match (kind, concurrent) {
        // Who has a lock may take it again; it is held once.
        (StockKind::Held, _) => Some(1),
        (StockKind::PermitsLeft, false) => count(verdict, "permits"),
        (StockKind::QueueLength, _) => count(verdict, "capacity"),
        _ => None,
    };
    let objects = i64::try_from(objects).unwrap_or(i64::MAX);
    of_one.map_or(i64::MAX, |of_one| of_one.saturating_mul(objects))
}

/// Nothing is missing of what is counted of a lock that the program has built: every acquisition of it is in the recording.
fn is_told(kind: StockKind, collected: &Collected) -> bool {
    use StockKind::{Held, PermitsLeft, QueueLength, ReadersWriter};
    let counted = matches!(kind, ReadersWriter | PermitsLeft | QueueLength | Held);
    counted && collected.was_launched() && collected.recording.incomplete.is_empty()
}

/// An operation that tells its caller something may tell it that it was in vain: it can't be told from one that came through.
/// What is taken is told as well, and there are never less than none.
fn may_try(lock: &LogicalLock, verdict: &Verdict) -> bool {
    let tries = [
        Role::Acquire,
        Role::Lock,
        Role::ReadLock,
        Role::WriteLock,
        Role::Put,
    ];
    let roles = tries.iter().filter_map(|role| verdict.roles.get(role));
    let mut ids = roles.flatten();
    ids.any(|&id| {
        let region = lock.regions.iter().find(|region| region.id == id);
        !region.is_some_and(|region| region.descriptor.ends_with(")V"))
    })
}

/// A number that belongs to a type.
fn count(verdict: &Verdict, detail: &str) -> Option<i64> {
    match verdict.details.get(detail) {
        Some(&Detail::Count(count)) => i64::try_from(count).ok(),
        _ => None,
    }
}

/// What is counted of a lock of this type; none if that says nothing, or who holds it says all.
fn kind_of(lock_type: LockType, concurrent: bool) -> Option<StockKind> {
    match lock_type {
        LockType::ReadWrite => Some(StockKind::ReadersWriter),
        LockType::Semaphore => Some(StockKind::PermitsLeft),
        LockType::ProducerConsumer => Some(StockKind::QueueLength),
        LockType::Latch => Some(StockKind::CountLeft),
        // Of those who meet at one of the JDK's, operations tell when they have met, not when they came.
        LockType::Barrier if !concurrent => Some(StockKind::Arrivals),
        // The monitor is held while somebody takes the lock, not while it is held.
        LockType::Lock if !concurrent => Some(StockKind::Held),
        _ => None,
    }
}

/// What a thread changes that comes through a region with these roles.
fn effect(kind: StockKind, roles: &Roles) -> [i64; 2] {
    let has = |role: Role| i64::from(roles.contains(&role));
    match kind {
        StockKind::ReadersWriter => [
            has(Role::ReadLock) - has(Role::ReadUnlock),
            has(Role::WriteLock) - has(Role::WriteUnlock),
        ],
        StockKind::PermitsLeft => [has(Role::Release) - has(Role::Acquire), 0],
        StockKind::QueueLength => [has(Role::Put) - has(Role::Take), 0],
        StockKind::CountLeft => [-has(Role::CountDown), 0],
        StockKind::Arrivals => [has(Role::Arrive), 0],
        StockKind::Held => [has(Role::Lock) - has(Role::Unlock), 0],
    }
}

/// What an operation changes. What was told before it was done, and then threw, is taken back.
fn done(kind: StockKind, operation: &Operation) -> i64 {
    let count = i64::from(operation.count);
    let sign = match (kind, operation.act) {
        (StockKind::PermitsLeft, Act::Share) => -1,
        (StockKind::PermitsLeft, Act::Unshare) => 1,
        (StockKind::QueueLength, Act::Put) => 1,
        (StockKind::QueueLength, Act::Take) | (StockKind::CountLeft, Act::CountDown) => -1,
        _ => 0,
    };
    match operation.outcome {
        Outcome::Done => sign * count,
        Outcome::Threw if operation.act.is_told_before() => -sign * count,
        Outcome::Failed | Outcome::Threw => 0,
    }
}
