//! When the threads that there are began: what they do cannot have come before.

use std::collections::{HashMap, HashSet};

/// Threads remembered.
const MOST: usize = 1 << 16;
const NAMES: usize = 1 << 13;

/// See the module.
#[derive(Default)]
pub(super) struct Lives {
    /// By tid; 0 for those that were there before.
    births: HashMap<u64, u64>,
    names: HashMap<u64, String>,
    /// Those that have ended since the last look, and when.
    ended: Vec<(u64, u64)>,
    /// Those whose birth was told.
    told: HashSet<u64>,
}

impl Lives {
    /// With those that are there already.
    pub(super) fn of(there: impl Iterator<Item = u64>) -> Self {
        Self {
            births: there.map(|tid| (tid, 0)).collect(),
            ..Self::default()
        }
    }

    /// A thread has begun.
    pub(super) fn begin(&mut self, tid: u64, at: u64) {
        if self.births.len() < MOST {
            self.births.insert(tid, at);
        }
    }

    /// What a thread is called when it begins.
    pub(super) fn call(&mut self, tid: u64, name: &str) {
        if self.names.len() < NAMES {
            self.names.insert(tid, name.to_owned());
        }
    }

    /// What a thread was called.
    pub(super) fn name(&self, tid: u64) -> String {
        self.names.get(&tid).cloned().unwrap_or_default()
    }

    /// A thread has ended. What it has left in its ring may still come.
    pub(super) fn end(&mut self, tid: u64, at: u64) {
        self.ended.push((tid, at));
    }

    /// When a thread began. Nobody has said so of one that has done so just now, after this `moment`.
    pub(super) fn birth(&self, tid: u64, moment: u64) -> u64 {
        self.births.get(&tid).copied().unwrap_or(moment)
    }

    /// Whether its birth is to be told now.
    pub(super) fn tells(&mut self, tid: u64) -> bool {
        self.told.len() < MOST && self.told.insert(tid)
    }

    /// Forgets those that have ended, and gives those of them that were told, with when they ended.
    pub(super) fn bury(&mut self) -> Vec<(u64, u64)> {
        let mut ended = std::mem::take(&mut self.ended);
        for (tid, _) in &ended {
            self.births.remove(tid);
            self.names.remove(tid);
        }
        ended.retain(|(tid, _)| self.told.remove(tid));
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_ends_is_remembered_until_what_it_did_has_been_told() {
        let mut lives = Lives::of([1, 2].into_iter());
        lives.begin(3, 50);
        assert_eq!([1, 3, 4].map(|tid| lives.birth(tid, 70)), [0, 50, 70]);
        lives.end(3, 60);
        lives.end(2, 65);
        assert_eq!(lives.birth(3, 70), 50);
        assert!(lives.tells(3) && !lives.tells(3));
        assert_eq!(lives.bury(), [(3, 60)]);
        assert_eq!((lives.birth(3, 70), lives.bury().len()), (70, 0));
        assert_eq!(lives.births.len(), 1);
    }
}
