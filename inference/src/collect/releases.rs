//! What a thread was doing when it unparked another: the operation that the unpark is a part of.
//!
//! The record of an unpark says who and when. Where every operation on locks of `java.util.concurrent` is told, too, so is the one
//! around it: to give back, to signal, to count down are told when they begin, all others when they are over. So of the
//! operations of who unparked, the last one before the unpark is it if it is told before, else the next one if it is told after;
//! and only if it is on the lock that the other was parked on. Who has been parked since then has gone on to acquire, and who acquires a
//! shared lock may unpark the next one. Otherwise it is not known: a program may unpark whom it likes.
//!
//! Parks and operations come in two streams. Those of a time are laid side by side once the agent has said that it has told
//! everything up to then.

use super::FastHash;
use super::parked::{ParkedLog, ParkedLogs};
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use std::collections::HashMap;

/// Operations and parks that wait for each other, at most, and at least before it is worth while.
const MOST: usize = 1 << 20;
const FEW: usize = 1 << 10;
/// How long after what was told an operation may still be asked for: who is unparked may go on late.
const KEPT: Nanos = Nanos(1_000_000_000);
/// An unpark is not further behind the beginning of its operation: else it is not known.
const LONGEST: Nanos = Nanos(100_000_000);

/// Who unparked, doing what, from where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release {
    /// Who.
    pub by: ThreadId,
    /// The operation, if it is known.
    pub act: Option<Act>,
    /// From where that was called, if it is known: the chain of the unpark, or the place of the operation.
    pub stack: Option<StackId>,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Releases {
    operations: HashMap<ThreadId, Vec<Operation>, FastHash>,
    /// All of them.
    kept: usize,
    parks: Vec<Park>,
    /// When threads went on after parks.
    went_on: HashMap<ThreadId, Vec<Nanos>, FastHash>,
    /// Up to here everything was told, for sure and presumably.
    told: (Nanos, Nanos),
    /// What has come since they were laid side by side last.
    fresh: usize,
}

impl Releases {
    pub(super) fn operation(&mut self, operation: &Operation) {
        let of = self.operations.entry(operation.thread).or_default();
        of.push(*operation);
        self.kept += 1;
        self.fresh += 1;
    }

    pub(super) fn park(&mut self, park: &Park) {
        let counts = park.end == ParkEnd::Unparked && park.lock.is_some();
        self.parks.extend(counts.then_some(*park));
        self.fresh += usize::from(counts);
        self.went_on.entry(park.thread).or_default().push(park.to);
        self.kept += 1;
    }

    /// Too much waits by now.
    pub(super) fn is_full(&self) -> bool {
        self.kept >= MOST || self.parks.len() >= MOST
    }

    /// Records are missing: what lies around an unpark may be among them.
    pub(super) fn forget(&mut self) {
        self.operations.clear();
        self.went_on.clear();
        self.kept = 0;
    }

    /// Everything up to that time was told.
    pub(super) fn passed(&mut self, at: Nanos, logs: &mut ParkedLogs) {
        let (_, last) = self.told;
        self.told = (last, last.max(at));
        // As often as as much again has come: all that waits is gone through.
        if self.fresh >= FEW.max((self.kept + self.parks.len()) / 2) {
            self.settle(last, logs);
        }
    }

    /// There is no room for more: of what is left over nothing is known.
    pub(super) fn make_room(&mut self, logs: &mut ParkedLogs) {
        self.settle(self.told.0, logs);
        if self.kept >= MOST / 2 {
            self.forget();
        }
        if self.parks.len() >= MOST / 2 {
            self.settle(Nanos(u64::MAX), logs);
        }
    }

    /// Lays side by side what is over by then; what came later waits on.
    pub(super) fn settle(&mut self, until: Nanos, logs: &mut ParkedLogs) {
        self.fresh = 0;
        if self.parks.is_empty() {
            return self.leave_behind(until);
        }
        for operations in self.operations.values_mut() {
            operations.sort_by_key(|operation| operation.at);
        }
        self.went_on.values_mut().for_each(|ends| ends.sort());
        let (due, rest) = self.parks.drain(..).partition(|park| park.to <= until);
        self.parks = rest;
        let due: Vec<Park> = due;
        for park in due {
            let release = self.of(&park, logs);
            let log = park.lock.and_then(|lock| logs.get_mut(&lock));
            let parks = log.and_then(|log| log.parks.as_mut());
            if let (Some(parks), Some(release)) = (parks, release) {
                parks.ended_by(release);
            }
        }
        self.leave_behind(until);
    }

    /// Who and what ended it.
    fn of(&self, park: &Park, logs: &ParkedLogs) -> Option<Release> {
        let (lock, unpark) = (park.lock?, park.unpark?);
        let operations = self.operations.get(&unpark.by);
        let operations = operations.map_or(&[][..], Vec::as_slice);
        let next = operations.partition_point(|operation| operation.at <= unpark.at);
        let before = next.checked_sub(1).map(|last| &operations[last]);
        let before = before.filter(|last| {
            is_begun(last, unpark.at) && !self.was_parked(unpark.by, last.at, unpark.at)
        });
        let after = || {
            let next = operations.get(next);
            next.filter(|next| is_over(next, unpark.at))
        };
        let is_it = |operation: &&Operation| {
            operation.outcome == Outcome::Done && whole(operation.lock, logs) == whole(lock, logs)
        };
        let found = before.filter(is_it).or_else(|| after().filter(is_it));
        Some(Release {
            by: unpark.by,
            act: found.map(|operation| operation.act),
            stack: unpark
                .stack
                .or_else(|| found.and_then(|operation| operation.stack)),
        })
    }

    /// Whether a thread went on after a park between these times.
    fn was_parked(&self, thread: ThreadId, from: Nanos, to: Nanos) -> bool {
        let ends = self.went_on.get(&thread).map_or(&[][..], Vec::as_slice);
        let first = ends.partition_point(|&end| end < from);
        ends.get(first).is_some_and(|&end| end <= to)
    }

    /// Forgets operations that nothing can be a part of any more.
    fn leave_behind(&mut self, until: Nanos) {
        let due = until.0.saturating_sub(KEPT.0);
        for operations in self.operations.values_mut() {
            operations.retain(|operation| operation.at.0 >= due);
        }
        for ends in self.went_on.values_mut() {
            ends.retain(|end| end.0 >= due);
        }
        self.operations
            .retain(|_, operations| !operations.is_empty());
        self.went_on.retain(|_, ends| !ends.is_empty());
        let operations = self.operations.values().map(Vec::len).sum::<usize>();
        self.kept = operations + self.went_on.values().map(Vec::len).sum::<usize>();
    }
}

/// It was told when it began, and may go on at that time.
fn is_begun(operation: &Operation, at: Nanos) -> bool {
    operation.act.is_told_before() && at.since(operation.at) <= LONGEST
}

/// It was told when it was over, lets others go on, and may have begun by that time.
fn is_over(operation: &Operation, at: Nanos) -> bool {
    use Act::{Arrive, ConvertToNothing, ConvertToShare, Meet, Put, Take, Unlocked, Unshared};
    let lets_go = matches!(
        operation.act,
        Arrive | ConvertToNothing | ConvertToShare | Meet | Put | Take | Unlocked | Unshared
    );
    lets_go && operation.at.since(at) <= LONGEST
}

/// What an object is a part of: a condition of its lock, a lock of its queue.
fn whole(lock: LockId, logs: &ParkedLogs) -> LockId {
    let of = |lock: LockId| logs.get(&lock).and_then(|log: &ParkedLog| log.def?.of);
    let outer = of(lock).unwrap_or(lock);
    of(outer).unwrap_or(outer)
}

#[cfg(test)]
mod tests {
    use super::super::parked::add_park;
    use super::*;
    use locklens_trace::park::Unpark;
    use locklens_trace::parked::{SyncDef, SyncKind};

    const LOCK: LockId = LockId(1);
    const BY: ThreadId = ThreadId(2);

    fn operation(at: u64, act: Act, lock: LockId) -> Operation {
        Operation {
            at: Nanos(at),
            thread: BY,
            lock,
            act,
            outcome: Outcome::Done,
            count: 1,
            tries: false,
            stack: Some(StackId(at as u32)),
        }
    }

    fn park(lock: LockId, at: u64) -> Park {
        Park {
            stack: None,
            thread: ThreadId(1),
            lock: Some(lock),
            from: Nanos(0),
            to: Nanos(at + 1),
            limit: None,
            end: ParkEnd::Unparked,
            unpark: Some(Unpark {
                stack: None,
                by: BY,
                at: Nanos(at),
            }),
        }
    }

    /// What ended a park on that lock by an unpark at 50.
    fn ended(lock: LockId, operations: &[Operation]) -> (Option<Act>, Option<u32>) {
        let mut logs = ParkedLogs::default();
        let condition = SyncDef {
            lock: LockId(3),
            kind: SyncKind::Condition,
            of: Some(LOCK),
            shared: false,
            most: 1,
            state: None,
        };
        super::super::parked::learn(&mut logs, condition);
        let mut releases = Releases::default();
        let park = park(lock, 50);
        add_park(&mut logs, &park);
        releases.park(&park);
        operations
            .iter()
            .for_each(|operation| releases.operation(operation));
        releases.settle(Nanos(40), &mut logs);
        assert_eq!(releases.parks.len(), 1, "more may come of that time");
        releases.settle(Nanos(100), &mut logs);
        let by = &logs[&lock].parks.as_ref().unwrap().releases;
        let (release, times) = by.iter().next().unwrap();
        assert_eq!((release.by, *times, by.len()), (BY, 1, 1));
        (release.act, release.stack.map(|stack| stack.0))
    }

    #[test]
    fn it_is_the_operation_around_the_unpark() {
        let lock = operation(10, Act::Lock, LOCK);
        let unlock = operation(40, Act::Unlock, LOCK);
        let later = operation(60, Act::Lock, LOCK);
        let told = ended(LOCK, &[lock, unlock, later]);
        assert_eq!(told, (Some(Act::Unlock), Some(40)));
        let unlocked = operation(60, Act::Unlocked, LOCK);
        assert_eq!(
            ended(LOCK, &[lock, unlocked]),
            (Some(Act::Unlocked), Some(60))
        );
    }

    #[test]
    fn who_waits_at_a_condition_goes_on_when_its_lock_is_given_back() {
        let signal = operation(30, Act::Signal, LockId(3));
        let unlock = operation(40, Act::Unlock, LOCK);
        let told = ended(LockId(3), &[signal, unlock]);
        assert_eq!(told, (Some(Act::Unlock), Some(40)));
    }

    #[test]
    fn what_is_of_another_lock_or_over_is_not_it() {
        let none = (None, None);
        assert_eq!(ended(LOCK, &[]), none);
        assert_eq!(ended(LOCK, &[operation(40, Act::Unlock, LockId(7))]), none);
        let locked = operation(45, Act::Lock, LOCK);
        let unlock = operation(40, Act::Unlock, LOCK);
        assert_eq!(ended(LOCK, &[unlock, locked]), none);
        let threw = Operation {
            outcome: Outcome::Threw,
            ..operation(41, Act::Unlock, LOCK)
        };
        assert_eq!(ended(LOCK, &[unlock, threw]), none);
    }

    #[test]
    fn who_was_parked_since_is_about_to_acquire() {
        let (mut releases, mut logs) = (Releases::default(), ParkedLogs::default());
        releases.operation(&operation(10, Act::Unshare, LOCK));
        let own = Park {
            stack: None,
            thread: BY,
            unpark: None,
            ..park(LOCK, 29)
        };
        let other = park(LOCK, 50);
        add_park(&mut logs, &other);
        releases.park(&own);
        releases.park(&other);
        releases.settle(Nanos(100), &mut logs);
        let by = &logs[&LOCK].parks.as_ref().unwrap().releases;
        assert!(by.keys().all(|release| release.act.is_none()), "{by:?}");
    }

    #[test]
    fn much_is_gone_through_while_it_comes() {
        let (mut releases, mut logs) = (Releases::default(), ParkedLogs::default());
        for at in 0..100 * FEW as u64 {
            let at = at * 1_000_000;
            releases.operation(&operation(at, Act::Unlock, LOCK));
            let park = park(LOCK, at + 1);
            add_park(&mut logs, &park);
            releases.park(&park);
            releases.passed(Nanos(at + 2), &mut logs);
            assert!(releases.kept + releases.parks.len() < 8 * FEW);
        }
        releases.settle(Nanos(u64::MAX), &mut logs);
        let told = &logs[&LOCK].parks.as_ref().unwrap().releases;
        assert!(told.keys().all(|release| release.by == BY));
        assert_eq!(told.values().sum::<u64>(), 100 * FEW as u64);
    }

    #[test]
    fn what_waits_is_bounded() {
        let (mut releases, mut logs) = (Releases::default(), ParkedLogs::default());
        for at in 0..MOST as u64 + 10 {
            releases.operation(&operation(at, Act::Lock, LOCK));
            if releases.is_full() {
                releases.make_room(&mut logs);
            }
        }
        assert_eq!(releases.kept, 10);
        let park = park(LOCK, 50);
        add_park(&mut logs, &park);
        for _ in 0..MOST {
            releases.park(&park);
        }
        releases.make_room(&mut logs);
        let told = &logs[&LOCK].parks.as_ref().unwrap().releases;
        let unknown = Release {
            by: BY,
            act: None,
            stack: None,
        };
        assert_eq!((releases.parks.len(), told[&unknown]), (0, MOST as u64));
    }
}
