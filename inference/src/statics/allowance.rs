//! How often locks are run in the sandbox: of a program with thousands of locks that wait, all of
//! them would take minutes.

use super::Key;
use crate::types::{Evidence, Hypothesis};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// Most runs for one report, each of the operations of a lock, or of several monitors that may be one (a lock may
/// need more than one): some ten seconds of trials at 20 to 40 ms each. Of further locks only what is read off their
/// code is told. Locks are asked about in the order of the time they cost.
pub const MOST_RUN: u32 = 400;

/// How many runs there were, and which locks came too late for one.
#[derive(Clone, Debug, Default)]
pub(super) struct Allowance {
    taken: Cell<u32>,
    late: RefCell<BTreeSet<Key>>,
}

impl Allowance {
    /// One more run may be.
    pub(super) fn take(&self) -> bool {
        let taken = self.taken.get();
        let may = taken < MOST_RUN;
        self.taken.set(taken + u32::from(may));
        may
    }

    /// The same for the judgement of a lock; if not, it is remembered.
    pub(super) fn take_for(&self, key: &Key) -> bool {
        let may = self.take();
        if !may {
            self.late.borrow_mut().insert(key.clone());
        }
        may
    }

    /// It came too late.
    pub(super) fn refused(&self, key: &Key) -> bool {
        self.late.borrow().contains(key)
    }
}

/// That a lock was not run, and why not.
pub(crate) fn not_run() -> String {
    format!(
        "not run in the sandbox: the {MOST_RUN} runs of a report went to locks that cost more time"
    )
}

/// That running a lock came upon a fault of ours.
pub(super) fn failed() -> String {
    "not run in the sandbox to the end: a fault of locklens itself came up (please report it)"
        .to_owned()
}

/// Readings that nothing was tried for say so.
pub(super) fn untried(
    mut readings: Vec<(Hypothesis, Evidence)>,
    why: &str,
) -> Vec<(Hypothesis, Evidence)> {
    for (_, evidence) in &mut readings {
        evidence.contra.push(why.to_owned());
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
        let given = (0..2 * MOST_RUN).filter(|_| allowance.take()).count();
        assert_eq!(given, MOST_RUN as usize);
        let late = Key::default();
        assert!(!allowance.refused(&late), "nobody asked for it");
        assert!(!allowance.take_for(&late));
        assert!(allowance.refused(&late));
        let latch = Hypothesis {
            lock_type: LockType::Latch,
            roles: BTreeMap::new(),
            details: Details::new(),
        };
        let told = untried(vec![(latch.clone(), Evidence::default())], &not_run());
        assert_eq!(told[0].0, latch);
        assert_eq!(told[0].1.contra, [not_run()]);
    }
}
