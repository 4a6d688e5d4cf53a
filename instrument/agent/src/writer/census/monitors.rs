//! Monitors that looks have found somebody at, and what their objects are.

use locklens_trace::LockId;
use std::collections::HashMap;

/// A monitor at which so many looks in a row have found nobody is forgotten.
const KEPT: u64 = 50;
/// Looks between two at which it is asked what a monitor's object is, of a thread that has only just come: it may be gone as
/// quickly.
const RARELY: u64 = 16;

/// One that somebody was found at not long ago.
struct Monitor {
    /// The first and the last look that found somebody there.
    since: u64,
    pass: u64,
    /// The word by which it refers to its object: another one is another object's.
    word: u64,
    /// The last look that asked.
    asked: u64,
    lock: Option<LockId>,
}

/// What is known of a monitor at which a look has found somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Met {
    /// Its lock.
    Named(LockId),
    /// An earlier look found somebody there, too: it is in use, and may be asked for its object by the thread that stands there.
    InUse,
    /// Nothing.
    New,
}

/// See the module. By address.
#[derive(Default)]
pub(super) struct Monitors(HashMap<u64, Monitor>);

impl Monitors {
    /// Its lock, if this look has found that out already.
    pub(super) fn named(&self, address: u64, pass: u64) -> Option<LockId> {
        let seen = self.0.get(&address).filter(|seen| seen.pass == pass)?;
        seen.lock
    }

    /// A look has found somebody there. Where the one before found nobody it may have been taken down, and be another object's
    /// by now, with the same word: then it has to be asked again.
    pub(super) fn meet(&mut self, address: u64, word: u64, (pass, stood): (u64, bool)) -> Met {
        let monitor = self.0.entry(address).or_insert(Monitor {
            since: pass,
            pass,
            word,
            asked: pass,
            lock: None,
        });
        if monitor.word != word {
            (monitor.since, monitor.word, monitor.lock) = (pass, word, None);
        }
        if monitor.pass + 1 < pass {
            monitor.lock = None;
        }
        monitor.pass = pass;
        match monitor.lock {
            Some(lock) => Met::Named(lock),
            None if monitor.since < pass && (stood || monitor.asked + RARELY <= pass) => {
                monitor.asked = pass;
                Met::InUse
            }
            None => Met::New,
        }
    }

    /// It has been asked.
    pub(super) fn name(&mut self, address: u64, lock: LockId) {
        if let Some(monitor) = self.0.get_mut(&address) {
            monitor.lock = Some(lock);
        }
    }

    /// A look is over.
    pub(super) fn forget(&mut self, pass: u64) {
        self.0
            .retain(|_, monitor| pass.saturating_sub(monitor.pass) < KEPT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_is_met_again_is_in_use_though_looks_between_found_nobody_there() {
        let mut monitors = Monitors::default();
        assert_eq!(monitors.meet(8, 1, (10, true)), Met::New);
        assert_eq!(monitors.meet(8, 1, (10, true)), Met::New, "the same look");
        (10..15).for_each(|pass| monitors.forget(pass));
        assert_eq!(monitors.meet(8, 1, (15, true)), Met::InUse);
        monitors.name(8, LockId(3));
        assert_eq!(monitors.named(8, 15), Some(LockId(3)));
        assert_eq!(monitors.meet(8, 1, (16, false)), Met::Named(LockId(3)));
    }

    #[test]
    fn who_has_just_come_is_asked_rarely() {
        let mut monitors = Monitors::default();
        let met = |monitors: &mut Monitors, pass| monitors.meet(8, 1, (pass, false));
        let asked = (10..10 + 2 * RARELY).map(|pass| met(&mut monitors, pass));
        let asked: Vec<_> = asked.collect();
        assert_eq!(asked.iter().filter(|met| **met == Met::InUse).count(), 1);
        assert_eq!(asked[RARELY as usize], Met::InUse);
    }

    #[test]
    fn a_name_holds_as_long_as_looks_in_a_row_meet_it() {
        let mut monitors = Monitors::default();
        monitors.meet(8, 1, (10, true));
        monitors.name(8, LockId(3));
        assert_eq!(monitors.named(8, 11), None, "not met yet by this look");
        assert_eq!(monitors.meet(8, 1, (12, true)), Met::InUse, "asked anew");
        monitors.name(8, LockId(3));
        assert_eq!(
            monitors.meet(8, 2, (13, true)),
            Met::New,
            "of another object"
        );
    }

    #[test]
    fn one_that_nobody_is_at_any_more_is_forgotten() {
        let mut monitors = Monitors::default();
        monitors.meet(8, 1, (10, true));
        monitors.forget(10 + KEPT);
        assert_eq!(monitors.meet(8, 1, (11 + KEPT, true)), Met::New);
        assert_eq!(monitors.0.len(), 1);
    }
}
