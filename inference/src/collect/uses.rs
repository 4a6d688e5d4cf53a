//! Operations on the locks of `java.util.concurrent`, where each one was recorded: counts and lengths by lock object.

use super::Collected;
use crate::grip::{Change, Grip, Mode};
use crate::times::Lengths;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::record::target_key;
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// The operations on one lock object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UseLog {
    /// How many, by what was done and how it went.
    pub acts: BTreeMap<(Act, Outcome), u64>,
    /// Permits, elements or parties that those were about that were done.
    pub counts: BTreeMap<Act, u64>,
    /// From where, as far as that is known.
    pub places: BTreeMap<StackId, u64>,
    /// Who used it.
    pub threads: BTreeSet<ThreadId>,
    /// Times a thread took it alone, nested ones left out.
    pub taken_alone: u64,
    /// The same together with others.
    pub taken_shared: u64,
    /// How long it was held alone, and with others.
    pub held_alone: Lengths,
    /// See there.
    pub held_shared: Lengths,
    /// The most permits or reading holds out at once.
    pub most: u64,
    /// Times that was given back which nobody was seen to take.
    pub strays: u64,
    /// When that was last.
    pub last_stray: Nanos,
    /// Such times of threads that had been seen to take something before: what they gave back may be what others took.
    pub handed_over: u64,
}

impl Collected {
    /// Recorded from the start of the program: nothing was done before.
    pub(crate) fn was_launched(&self) -> bool {
        let mode = self.target.get(target_key::MODE);
        mode.is_some_and(|mode| mode == "launch")
    }
}

impl UseLog {
    /// Operations of that kind that went so.
    #[must_use]
    pub fn count(&self, act: Act, outcome: Outcome) -> u64 {
        self.acts.get(&(act, outcome)).copied().unwrap_or(0)
    }

    /// Adds what was done to another object.
    pub(crate) fn join(&mut self, other: &Self) {
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        for (&key, &n) in &other.acts {
            add(self.acts.entry(key).or_default(), n);
        }
        for (&key, &n) in &other.counts {
            add(self.counts.entry(key).or_default(), n);
        }
        for (&key, &n) in &other.places {
            add(self.places.entry(key).or_default(), n);
        }
        self.threads.extend(&other.threads);
        self.held_alone.merge(&other.held_alone);
        self.held_shared.merge(&other.held_shared);
        add(&mut self.taken_alone, other.taken_alone);
        add(&mut self.taken_shared, other.taken_shared);
        add(&mut self.strays, other.strays);
        add(&mut self.handed_over, other.handed_over);
        self.most = self.most.max(other.most);
        self.last_stray = self.last_stray.max(other.last_stray);
    }

    /// Times say in which order things were done, and not how long they took.
    pub(super) fn forget_times(&mut self) {
        (self.held_alone, self.held_shared) = Default::default();
    }

    fn note(&mut self, operation: &Operation) {
        let key = (operation.act, operation.outcome);
        let times = self.acts.entry(key).or_default();
        *times = times.saturating_add(1);
        if operation.outcome == Outcome::Done {
            let sum = self.counts.entry(operation.act).or_default();
            *sum = sum.saturating_add(operation.count.into());
        }
        if let Some(stack) = operation.stack {
            let times = self.places.entry(stack).or_default();
            *times = times.saturating_add(1);
        }
        self.threads.insert(operation.thread);
    }
}

/// By lock object.
pub type UseLogs = BTreeMap<LockId, UseLog>;

/// What one thread holds, and since when.
#[derive(Clone, Copy, Debug, Default)]
struct Hold {
    grip: Grip,
    alone: Nanos,
    shared: Nanos,
}

/// Who holds what, while operations come in.
#[derive(Clone, Debug, Default)]
pub(super) struct Holders {
    holds: BTreeMap<(LockId, ThreadId), Hold>,
    /// Who has been seen to take anything.
    takers: BTreeSet<(LockId, ThreadId)>,
    /// Reading holds or permits that are out.
    out: BTreeMap<LockId, u64>,
}

impl Holders {
    /// Takes in an operation on a lock; of a condition, its synchronizer is the lock.
    pub(super) fn take_in(&mut self, logs: &mut UseLogs, operation: &Operation, lock: LockId) {
        let key = (lock, operation.thread);
        let hold = self.holds.entry(key).or_default();
        let before = hold.grip;
        // Part of waiting, not done by the program.
        if operation.act == Act::Unlock && before.has_given_up() {
            return;
        }
        logs.entry(operation.lock).or_default().note(operation);
        let change = hold.grip.apply(operation);
        let (alone, shared) = (hold.alone, hold.shared);
        if before.alone == 0 && hold.grip.alone > 0 {
            hold.alone = operation.at;
        }
        if before.shared == 0 && hold.grip.shared > 0 {
            hold.shared = operation.at;
        }
        let after = hold.grip;
        if after.is_free() {
            self.holds.remove(&key);
        }
        if after.holds() {
            self.takers.insert(key);
        }
        let log = logs.entry(lock).or_default();
        let returns = operation.act == Act::Awaited || operation.outcome == Outcome::Threw;
        match change {
            Change::Took(_) | Change::Turned(_) if returns => {}
            Change::Took(Mode::Alone) | Change::Turned(Mode::Alone) => log.taken_alone += 1,
            Change::Took(Mode::Shared) | Change::Turned(Mode::Shared) => log.taken_shared += 1,
            Change::Stray => {
                log.strays += 1;
                log.last_stray = log.last_stray.max(operation.at);
                log.handed_over += u64::from(self.takers.contains(&key));
            }
            Change::NoStray => log.strays = log.strays.saturating_sub(1),
            _ => {}
        }
        if before.alone > 0 && after.alone == 0 {
            log.held_alone.add(operation.at.since(alone));
        }
        if before.shared > 0 && after.shared == 0 {
            log.held_shared.add(operation.at.since(shared));
        }
        self.count(log, lock, (before.shared, after.shared));
    }

    fn count(&mut self, log: &mut UseLog, lock: LockId, (before, after): (u32, u32)) {
        if before == after {
            return;
        }
        let out = self.out.entry(lock).or_default();
        *out = out
            .saturating_sub(before.into())
            .saturating_add(after.into());
        log.most = log.most.max(*out);
    }

    /// Events are missing: nobody knows who holds what.
    pub(super) fn forget(&mut self) {
        self.holds.clear();
        self.out.clear();
    }
}
