//! How long to watch before choosing what to rewrite: until no class of locks that matters is new.

use crate::record::tally::Tally;
use locklens_trace::ClassId;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// A class matters from this share of the events on, percent.
const SHARE: u64 = 1;
/// For so long no such class may be new; a shorter watch is none.
const QUIET: Duration = Duration::from_secs(2);
/// Time between two looks.
const LOOK: Duration = Duration::from_millis(200);

/// The classes that mattered so far.
#[derive(Debug)]
pub(super) struct Novelty {
    classes: BTreeSet<ClassId>,
    newest: Instant,
    looked: Instant,
}

impl Novelty {
    /// None yet.
    pub(super) fn new(now: Instant) -> Self {
        Self {
            classes: BTreeSet::new(),
            newest: now,
            looked: now,
        }
    }

    /// Whether there are such classes, and none has been new for long enough.
    pub(super) fn is_over(&mut self, tally: &Tally, now: Instant) -> bool {
        let due = now.saturating_duration_since(self.looked) >= LOOK;
        if !due {
            return false;
        }
        self.looked = now;
        let least = (tally.events * SHARE).div_ceil(100).max(1);
        for (class, events) in tally.by_class() {
            if events >= least && self.classes.insert(class) {
                self.newest = now;
            }
        }
        !self.classes.is_empty() && now.saturating_duration_since(self.newest) >= QUIET
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tally::tests::{event, lock};
    use locklens_trace::EventKind;

    fn enters(lock: u32, times: u64) -> impl Iterator<Item = locklens_trace::Record> {
        (0..times).map(move |at| event(at, 1, lock, EventKind::Enter))
    }

    #[test]
    fn a_new_class_that_matters_prolongs_and_one_that_does_not_does_not() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let (mut novelty, mut tally) = (Novelty::new(start), Tally::default());
        assert!(!novelty.is_over(&tally, at(9000)), "nothing was seen");
        tally.add(
            &enters(1, 150)
                .chain([lock(1, 1), lock(2, 2), lock(3, 3)])
                .collect(),
        );
        assert!(!novelty.is_over(&tally, at(9300)));
        tally.add(&enters(2, 50).collect());
        assert!(!novelty.is_over(&tally, at(11_200)), "the second is new");
        tally.add(&enters(3, 1).collect());
        assert!(!novelty.is_over(&tally, at(13_100)));
        assert!(novelty.is_over(&tally, at(13_300)));
    }
}
