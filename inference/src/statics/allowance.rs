//! What locks may cost that are run in the sandbox: of a program with many locks that wait, or with much code behind them, all of
//! it would take minutes.

use super::Key;
use crate::types::{Evidence, Hypothesis};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// Most runs for one report, each of the operations of a lock, or of several monitors that may be one (a lock may
/// need more than one). Of further locks only what is read off their code is told. Locks are asked about in the order of the time
/// they cost.
pub const MOST_RUN: u32 = 400;
/// Most instructions that all of these may execute, each call of an operation as [`CALL`] more: less than a second of a processor.
pub const MOST_WORK: u64 = 16_000_000;
/// Most of that for one run: one lock must not use up what the others need.
const MOST_OF_ONE: u64 = 12_000_000;
/// What it takes to set out for a call besides its instructions.
pub(crate) const CALL: u64 = 40;

/// What was executed in the sandbox, by all runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter {
    all: Cell<u64>,
    /// By those before the one under way.
    before: Cell<u64>,
}

impl Meter {
    /// So much was.
    pub(crate) fn add(&self, work: u64) {
        self.all.set(self.all.get().saturating_add(work));
    }

    /// The next run begins.
    fn begin(&self) {
        self.before.set(self.all.get());
    }

    /// Nothing more may be, in this run or at all.
    pub(crate) fn is_spent(&self) -> bool {
        let all = self.all.get();
        all >= MOST_WORK || all - self.before.get() >= MOST_OF_ONE
    }
}

/// How many runs there were and what they took, and which locks came too late for one.
#[derive(Clone, Debug, Default)]
pub(super) struct Allowance {
    taken: Cell<u32>,
    late: RefCell<BTreeSet<Key>>,
    pub(super) meter: Meter,
}

impl Allowance {
    /// One more run may be.
    fn take(&self) -> bool {
        self.meter.begin();
        let taken = self.taken.get();
        let may = taken < MOST_RUN && !self.meter.is_spent();
        self.taken.set(taken + u32::from(may));
        may
    }

    /// What a run comes to, if it may be and comes to its end.
    pub(super) fn run<T>(&self, run: impl FnOnce() -> T) -> Option<T> {
        let done = self.take().then(run);
        done.filter(|_| !self.meter.is_spent())
    }

    /// The same for the judgement of a lock; if there is none, it is remembered.
    pub(super) fn run_for<T>(&self, key: &Key, run: impl FnOnce() -> T) -> Option<T> {
        let done = self.run(run);
        if done.is_none() {
            self.late.borrow_mut().insert(key.clone());
        }
        done
    }

    /// It came too late.
    pub(super) fn refused(&self, key: &Key) -> bool {
        self.late.borrow().contains(key)
    }
}

/// That a lock was not run, and why not.
pub(crate) fn not_run() -> String {
    format!(
        "not run in the sandbox, or not to the end: a report has {MOST_RUN} runs and {} million instructions there, {} of them for one lock, and those that cost more time come first",
        MOST_WORK / 1_000_000,
        MOST_OF_ONE / 1_000_000
    )
}

/// Readings that nothing was tried for say so.
pub(super) fn untried(mut readings: Vec<(Hypothesis, Evidence)>) -> Vec<(Hypothesis, Evidence)> {
    for (_, evidence) in &mut readings {
        evidence.contra.push(not_run());
    }
    readings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Details, LockType};
    use std::collections::BTreeMap;

    #[test]
    fn the_allowance_ends_and_is_said() {
        let allowance = Allowance::default();
        let given = (0..2 * MOST_RUN).filter_map(|_| allowance.run(|| ()));
        assert_eq!(given.count(), MOST_RUN as usize);
        let late = Key::default();
        assert!(!allowance.refused(&late), "nobody asked for it");
        assert_eq!(allowance.run_for(&late, || ()), None);
        assert!(allowance.refused(&late));
        let latch = Hypothesis {
            lock_type: LockType::Latch,
            roles: BTreeMap::new(),
            details: Details::new(),
        };
        let told = untried(vec![(latch.clone(), Evidence::default())]);
        assert_eq!(told[0].0, latch);
        assert_eq!(told[0].1.contra, [not_run()]);
    }

    #[test]
    fn what_does_not_come_to_its_end_is_not_told() {
        let allowance = Allowance::default();
        let run = |work| allowance.run(|| allowance.meter.add(work));
        assert_eq!(run(MOST_OF_ONE), None, "it was cut off");
        let left = MOST_WORK - MOST_OF_ONE;
        assert_eq!(run(left / 2), Some(()));
        assert_eq!(run(left - left / 2 - 1), Some(()));
        assert_eq!(run(1), None, "it was cut off");
        assert_eq!(run(0), None, "nothing is left");
        assert_eq!(allowance.taken.get(), 4);
    }
}
