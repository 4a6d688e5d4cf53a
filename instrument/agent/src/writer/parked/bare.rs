//! Threads that are parked without saying on what (`LockSupport.park()` and its kin without an argument).
//!
//! There is no object to count them by, so they are in no lock's figures: how much time that is, and where most of it
//! is spent, is told all the same.

use locklens_trace::record::target_key;
use std::collections::HashMap;

/// Time between two call chains, ns: one in a look, of another thread each time.
const PAUSE: u64 = 100_000_000;
/// Chains that are told apart.
const MOST: usize = 64;

/// See the module.
#[derive(Default)]
pub(super) struct Bare {
    /// Those that this look has found, and the look before.
    now: usize,
    before: usize,
    /// The most in one look.
    most: usize,
    /// The time they stand for, ns.
    time: u64,
    /// The time that is not given to a chain yet.
    owed: u64,
    /// When there may be another one, ns of the trace.
    due: u64,
    /// Time by the number of the call chain.
    chains: HashMap<u32, u64>,
}

impl Bare {
    /// A look begins.
    pub(super) fn begin_look(&mut self) {
        self.before = std::mem::take(&mut self.now);
    }

    /// It found one more, for which the look stands so long. Whether that one's chain is wanted.
    pub(super) fn count(&mut self, (at, weight): (u64, u64), pass: u64) -> bool {
        let number = self.now as u64;
        self.now += 1;
        self.most = self.most.max(self.now);
        self.time = self.time.saturating_add(weight);
        self.owed = self.owed.saturating_add(weight);
        at >= self.due && number == pass % (self.before.max(1) as u64)
    }

    /// Its chain: that is where the time since the last one was spent.
    pub(super) fn add(&mut self, at: u64, stack: u32) {
        self.due = at + PAUSE;
        if stack != 0 && (self.chains.len() < MOST || self.chains.contains_key(&stack)) {
            let sum = self.chains.entry(stack).or_default();
            *sum = sum.saturating_add(std::mem::take(&mut self.owed));
        }
    }

    /// What is said of them: nothing if there were none.
    pub(super) fn facts(&self) -> Vec<(&'static str, u64)> {
        if self.time == 0 {
            return Vec::new();
        }
        let most = self
            .chains
            .iter()
            .max_by_key(|&(&stack, &time)| (time, stack));
        let where_most = most.map(|(&stack, _)| (target_key::PARKED_BARE_STACK, u64::from(stack)));
        let told = [
            (target_key::PARKED_BARE, self.time),
            (target_key::PARKED_BARE_THREADS, self.most as u64),
        ];
        told.into_iter().chain(where_most).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_with_most_time_is_told() {
        let mut bare = Bare::default();
        assert!(bare.facts().is_empty());
        // Two of three threads stand at one place.
        for pass in 0..30 {
            let at = pass * PAUSE;
            bare.begin_look();
            for thread in 0..3 {
                if bare.count((at, 10), pass) {
                    bare.add(at, if thread == 1 { 8 } else { 7 });
                }
            }
        }
        let told = [
            (target_key::PARKED_BARE, 900),
            (target_key::PARKED_BARE_THREADS, 3),
            (target_key::PARKED_BARE_STACK, 7),
        ];
        assert_eq!(bare.facts(), told);
        assert_eq!(bare.chains[&7] + bare.chains[&8] + bare.owed, 900);
        assert!(bare.chains[&7] > bare.chains[&8]);
    }

    #[test]
    fn chains_are_far_apart() {
        let mut bare = Bare::default();
        bare.begin_look();
        assert!(bare.count((0, 10), 0));
        bare.add(0, 1);
        bare.begin_look();
        assert!(!bare.count((PAUSE - 1, 10), 1));
        bare.begin_look();
        assert!(bare.count((PAUSE, 10), 2));
    }
}
