//! How many locks are run in the sandbox: of a program with thousands of locks that wait, all of
//! them would take minutes.

use crate::types::{Evidence, Hypothesis};
use std::cell::Cell;

/// Most locks whose operations are run for one report: some ten seconds of trials at 20 to 40 ms each. Of further
/// ones only what is read off their code is told. Locks are asked about in the order of the time they cost.
pub const MOST_RUN: u32 = 400;

/// How many were run.
#[derive(Clone, Debug, Default)]
pub(super) struct Allowance {
    taken: Cell<u32>,
}

impl Allowance {
    /// One more may be run.
    pub(super) fn take(&self) -> bool {
        let taken = self.taken.get();
        let may = taken < MOST_RUN;
        self.taken.set(taken + u32::from(may));
        may
    }
}

/// Readings that nothing was tried for say so.
pub(super) fn untried(mut readings: Vec<(Hypothesis, Evidence)>) -> Vec<(Hypothesis, Evidence)> {
    let text = format!("not run in the sandbox: {MOST_RUN} locks that cost more time were");
    for (_, evidence) in &mut readings {
        evidence.contra.push(text.clone());
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
        let latch = Hypothesis {
            lock_type: LockType::Latch,
            roles: BTreeMap::new(),
            details: Details::new(),
        };
        let told = untried(vec![(latch.clone(), Evidence::default())]);
        assert_eq!(told[0].0, latch);
        assert_eq!(told[0].1.contra.len(), 1);
    }
}
