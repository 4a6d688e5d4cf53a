//! Predictions that came true, by kind.

use crate::types::Role;
use std::collections::BTreeMap;

/// How the calls of one operation went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Use {
    /// Passed as it had to.
    pub(super) passed: u32,
    /// Waited or was refused as it had to.
    pub(super) waited: u32,
}

/// What came true in walks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Walks taken, and those that rest on guesses.
    pub(super) walks: u32,
    pub(super) guessed: u32,
    /// Steps taken.
    pub(super) steps: u32,
    /// Calls that passed where they could have waited.
    pub(super) passed: u32,
    /// Calls that waited, or were refused, when they had to.
    pub(super) waited: u32,
    /// Waiters that a step of another let go, as it had to.
    pub(super) released: u32,
    /// Waiters that a step of another left waiting, as it had to.
    pub(super) kept: u32,
    /// Things handed in by one call that came out of another.
    pub(super) carried: u32,
    /// By role and operation.
    pub(super) uses: BTreeMap<(Role, usize), Use>,
}

impl Tally {
    /// Adds another walk's.
    pub(super) fn add(&mut self, other: &Self) {
        self.walks += other.walks;
        self.guessed += other.guessed;
        self.steps += other.steps;
        self.passed += other.passed;
        self.waited += other.waited;
        self.released += other.released;
        self.kept += other.kept;
        self.carried += other.carried;
        for (&key, more) in &other.uses {
            let mine = self.uses.entry(key).or_default();
            mine.passed += more.passed;
            mine.waited += more.waited;
        }
    }

    /// All predictions that came true.
    pub(super) fn predictions(&self) -> u32 {
        self.passed + self.waited + self.released + self.kept
    }

    /// Every kind came true at least so often; that waiters are left waiting only if it can.
    pub(super) fn at_least(&self, times: u32, keeps: bool) -> bool {
        let kept = if keeps { self.kept } else { times };
        let kinds = [self.passed, self.waited, self.released, kept];
        kinds.iter().all(|&k| k >= times)
    }

    /// How an operation's calls went in a role.
    pub(super) fn of(&self, role: Role, operation: usize) -> Use {
        self.uses
            .get(&(role, operation))
            .copied()
            .unwrap_or_default()
    }
}
