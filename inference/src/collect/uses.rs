//! Operations on the locks of `java.util.concurrent`, where each one was recorded: counts and lengths by lock object.

use super::{Collected, FastHash, IdTable};
use crate::grip::{Change, Grip, Mode};
use crate::times::Lengths;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::record::target_key;
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

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
    /// Such times that were the first that their thread was seen to use it: it may have been taken before the recording.
    pub brought: u64,
    /// Operations that were told when they began, and threw: none of them came about. Their times, and those at which they threw.
    pub(crate) refused: BTreeSet<(ThreadId, Nanos)>,
}

/// Times of operations that threw that are remembered of one lock object.
const REFUSED: usize = 1 << 16;

impl Collected {
    /// Recorded from the start of the program: nothing was done before.
    pub(crate) fn was_launched(&self) -> bool {
        let mode = self.target.get(target_key::MODE);
        mode.is_some_and(|mode| mode == "launch")
    }

    /// When there were probes in a JVM that had been running; of others, and of who only watched, from the beginning.
    pub(crate) fn probed_since(&self) -> Nanos {
        let since = self.target.get(target_key::EXACT_SINCE);
        let since = since.filter(|_| self.was_under_way());
        Nanos(since.and_then(|since| since.parse().ok()).unwrap_or(0))
    }

    /// Recorded of a JVM that had been running: what threads held when that began is not in it.
    pub(crate) fn was_under_way(&self) -> bool {
        let mode = self.target.get(target_key::MODE);
        mode.is_some_and(|mode| mode == "live")
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
        add(&mut self.brought, other.brought);
        self.most = self.most.max(other.most);
        self.last_stray = self.last_stray.max(other.last_stray);
    }

    /// Times say in which order things were done, and not how long they took.
    pub(super) fn forget_times(&mut self) {
        (self.held_alone, self.held_shared) = Default::default();
    }

    /// Somebody gave back what he cannot have had, before a recording of what had been running (`under_way`) either.
    pub(crate) fn is_given_by_others(&self, under_way: bool) -> bool {
        match under_way {
            true => self.strays > self.brought,
            false => self.strays > 0,
        }
    }
}

/// By lock object.
pub type UseLogs = BTreeMap<LockId, UseLog>;

/// The operations on one lock object while they come in: each touches a few words of it, and searches nothing that grows.
#[derive(Clone, Debug, Default)]
struct Uses {
    /// All but what stands below.
    log: UseLog,
    /// As in the log. Of a lock there are few kinds.
    acts: Vec<((Act, Outcome), u64)>,
    counts: Vec<(Act, u64)>,
    places: HashMap<StackId, u64, FastHash>,
    threads: HashMap<ThreadId, User, FastHash>,
}

/// What a thread was seen to do to a lock object.
#[derive(Clone, Copy, Debug, Default)]
struct User {
    /// Something that the log tells.
    used: bool,
    /// It took something.
    took: bool,
    /// It gave back what it had not been seen to take.
    gave: bool,
}

/// Adds to the number that belongs to a key, of a few.
fn add<K: Copy + PartialEq>(numbers: &mut Vec<(K, u64)>, key: K, more: u64) {
    match numbers.iter_mut().find(|(of, _)| *of == key) {
        Some((_, sum)) => *sum = sum.saturating_add(more),
        None => numbers.push((key, more)),
    }
}

/// Takes from it.
fn take<K: PartialEq>(numbers: &mut [(K, u64)], key: &K, less: u64) {
    if let Some((_, sum)) = numbers.iter_mut().find(|(of, _)| of == key) {
        *sum = sum.saturating_sub(less);
    }
}

impl Uses {
    fn note(&mut self, operation: &Operation) {
        add(&mut self.acts, (operation.act, operation.outcome), 1);
        if operation.outcome == Outcome::Done {
            add(&mut self.counts, operation.act, operation.amount().into());
        }
        if let Some(stack) = operation.stack {
            let times = self.places.entry(stack).or_default();
            *times = times.saturating_add(1);
        }
        self.threads.entry(operation.thread).or_default().used = true;
    }

    /// What was told when it began has thrown now.
    fn undo(&mut self, told: &Operation, threw: &Operation) {
        let key = (told.act, told.outcome);
        take(&mut self.acts, &key, 1);
        self.acts.retain(|(of, times)| *of != key || *times > 0);
        take(&mut self.counts, &told.act, told.amount().into());
        let refused = &mut self.log.refused;
        if refused.len() < REFUSED {
            let times = [told.at, threw.at];
            refused.extend(times.map(|at| (told.thread, at)));
        }
    }

    fn into_log(self) -> UseLog {
        let used = self.threads.into_iter().filter(|(_, user)| user.used);
        UseLog {
            acts: self.acts.into_iter().collect(),
            counts: self.counts.into_iter().collect(),
            places: self.places.into_iter().collect(),
            threads: used.map(|(thread, _)| thread).collect(),
            ..self.log
        }
    }
}

/// What one thread holds, and since when.
#[derive(Clone, Copy, Debug, Default)]
struct Hold {
    grip: Grip,
    alone: Nanos,
    shared: Nanos,
}

/// What is done to locks, and who holds what meanwhile.
#[derive(Clone, Debug, Default)]
pub(super) struct Holders {
    uses: IdTable<Uses>,
    holds: HashMap<(LockId, ThreadId), Hold, FastHash>,
    /// Reading holds or permits that are out.
    out: HashMap<LockId, u64, FastHash>,
    /// What threads told last, if it was told when it began.
    told: IdTable<Option<Operation>>,
}

impl Holders {
    /// Takes in an operation on a lock; of a condition, its synchronizer is the lock. `checks`: it lets nobody wait or
    /// signal who does not hold it.
    pub(super) fn take_in(&mut self, operation: &Operation, (lock, checks): (LockId, bool)) {
        let key = (lock, operation.thread);
        let hold = self.holds.entry(key).or_default();
        let before = hold.grip;
        // Part of waiting, not done by the program.
        if operation.act == Act::Unlock && before.has_given_up() {
            return;
        }
        let uses = self.uses.get(operation.lock.0);
        uses.note(operation);
        let told = self.told.get(operation.thread.0);
        let told = match operation.act.is_told_before() && operation.outcome == Outcome::Done {
            true => told.replace(*operation),
            false => told.take(),
        };
        let waited = before.has_given_up() || !checks;
        if let Some(told) = told.filter(|told| did_not_come_about(told, operation, waited)) {
            uses.undo(&told, operation);
        }
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
        let uses = self.uses.get(lock.0);
        if !before.holds() && after.holds() {
            uses.threads.entry(operation.thread).or_default().took = true;
        }
        let log = &mut uses.log;
        let returns = operation.act == Act::Awaited || operation.outcome == Outcome::Threw;
        match change {
            Change::Took(_) | Change::Turned(_) if returns => {}
            Change::Took(Mode::Alone) | Change::Turned(Mode::Alone) => log.taken_alone += 1,
            Change::Took(Mode::Shared) | Change::Turned(Mode::Shared) => log.taken_shared += 1,
            Change::Stray => {
                log.strays += 1;
                log.last_stray = log.last_stray.max(operation.at);
                let user = uses.threads.entry(operation.thread).or_default();
                let is_first = !user.took && !std::mem::replace(&mut user.gave, true);
                log.handed_over += u64::from(user.took);
                log.brought += u64::from(is_first);
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
        if before.shared != after.shared {
            let out = self.out.entry(lock).or_default();
            *out = out
                .saturating_sub(before.shared.into())
                .saturating_add(after.shared.into());
            log.most = log.most.max(*out);
        }
    }

    /// Events are missing: nobody knows who holds what.
    pub(super) fn forget(&mut self) {
        self.holds.clear();
        self.out.clear();
        self.told = IdTable::default();
    }

    /// What was done to each lock.
    pub(super) fn finish(self) -> UseLogs {
        let uses = self.uses.into_entries();
        uses.map(|(lock, uses)| (LockId(lock), uses.into_log()))
            .collect()
    }
}

/// Whether what a thread told when it began has thrown now. A wait that was interrupted has been one, if the thread had its lock.
fn did_not_come_about(told: &Operation, threw: &Operation, waited: bool) -> bool {
    use Act::{Await, Awaited, Signal, SignalAll, Unlock, UnlockStamp, Unshare};
    let same = told.lock == threw.lock && threw.outcome == Outcome::Threw;
    same && match (told.act, threw.act) {
        (Await, Awaited) => !waited,
        (Unlock | Unshare | UnlockStamp | Signal | SignalAll, act) => act == told.act,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: LockId = LockId(1);
    const CONDITION: LockId = LockId(2);

    fn logs(steps: &[(LockId, Act, Outcome)], checks: bool) -> UseLogs {
        let mut holders = Holders::default();
        for (at, &(lock, act, outcome)) in (1..).zip(steps) {
            let operation = Operation {
                at: Nanos(at),
                thread: ThreadId(1),
                lock,
                act,
                outcome,
                count: 1,
                tries: false,
                stack: None,
            };
            holders.take_in(&operation, (LOCK, checks));
        }
        holders.finish()
    }

    #[test]
    fn what_threw_is_not_counted_as_done() {
        use Outcome::{Done, Threw};
        let steps = [
            (LOCK, Act::Lock, Done),
            (LOCK, Act::Unlock, Done),
            (LOCK, Act::Unlock, Done),
            (LOCK, Act::Unlock, Threw),
            (CONDITION, Act::Signal, Done),
            (CONDITION, Act::Signal, Threw),
        ];
        let logs = logs(&steps, true);
        let lock = &logs[&LOCK];
        assert_eq!(lock.count(Act::Unlock, Done), 1);
        assert_eq!(lock.count(Act::Unlock, Threw), 1);
        let times = [3, 4].map(|at| (ThreadId(1), Nanos(at)));
        assert_eq!(lock.refused, times.into());
        let condition = &logs[&CONDITION];
        assert_eq!(condition.acts, [((Act::Signal, Threw), 1)].into());
    }

    #[test]
    fn who_waits_without_the_lock_does_not_and_who_is_interrupted_did() {
        use Outcome::{Done, Threw};
        let waits = [
            (CONDITION, Act::Await, Done),
            (CONDITION, Act::Awaited, Threw),
        ];
        let waited = |steps: &[_], checks| logs(steps, checks)[&CONDITION].count(Act::Await, Done);
        assert_eq!(waited(&waits, true), 0);
        assert_eq!(waited(&waits, false), 1, "who has this lock is not known");
        let held = [&[(LOCK, Act::Lock, Done)], &waits[..]].concat();
        assert_eq!(waited(&held, true), 1);
    }
}
