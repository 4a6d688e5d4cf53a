//! By whose notify each wait was ended, where that is known. A thread that waits with a lock which another takes only on his way
//! to a later notify than the one that it waited for has not been seen to wait for him.

use super::step::{By, Lock, Thread};
use std::collections::{BTreeMap, BTreeSet};

/// Ends remembered of waits at one place.
const ENDS: usize = 256;
/// Threads that wait on one lock.
const STANDING: usize = 1024;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Served {
    /// By lock, threads that wait, and the dependency that each is.
    standing: BTreeMap<Lock, BTreeMap<Thread, u32>>,
    /// Who let others go last at each lock, and the how manieth time of his that was.
    latest: BTreeMap<Lock, (Thread, u32)>,
    /// By dependency.
    ends: BTreeMap<u32, Ends>,
    /// What was wanted last.
    wanted: Option<u32>,
}

/// What ended the waits that are one dependency.
#[derive(Debug, Default)]
struct Ends {
    by: BTreeSet<(Thread, u32)>,
    /// Some ended otherwise, or by nobody knows whom.
    others: bool,
}

impl Ends {
    fn add(&mut self, by: (Thread, u32)) {
        match self.by.len() < ENDS {
            true => drop(self.by.insert(by)),
            false => self.others |= !self.by.contains(&by),
        }
    }
}

impl Served {
    /// A thread wants something; none if there was no room for that.
    pub(super) fn waits(&mut self, index: Option<u32>) {
        self.wanted = index;
    }

    /// What was wanted last is that others let it go on at this lock.
    pub(super) fn begins(&mut self, thread: Thread, lock: Lock, by: By) {
        let Some(index) = self.wanted else { return };
        match by {
            By::Next => self.stands(thread, lock, index),
            By::Latest => {
                let ends = self.ends.entry(index).or_default();
                match self.latest.get(&lock) {
                    Some(&by) => ends.add(by),
                    None => ends.others = true,
                }
            }
            By::Any => self.ends.entry(index).or_default().others = true,
        }
    }

    fn stands(&mut self, thread: Thread, lock: Lock, index: u32) {
        let standing = self.standing.entry(lock).or_default();
        // Nobody has ended the one before.
        let before = standing.remove(&thread);
        let missed = match standing.len() < STANDING {
            true => {
                standing.insert(thread, index);
                None
            }
            false => Some(index),
        };
        for index in before.into_iter().chain(missed) {
            self.ends.entry(index).or_default().others = true;
        }
    }

    /// A thread lets go those that wait: all of them, or one.
    pub(super) fn notified(&mut self, lock: Lock, by: (Thread, u32), all: bool) {
        self.latest.insert(lock, by);
        let standing = self.standing.get_mut(&lock).map(std::mem::take);
        let standing = standing.unwrap_or_default();
        let known = all || standing.len() == 1;
        for index in standing.into_values() {
            let ends = self.ends.entry(index).or_default();
            match known {
                true => ends.add(by),
                false => ends.others = true,
            }
        }
    }

    /// Who ended the waits of a dependency, if that is known of all of them.
    pub(super) fn ends_of(&self, lock: Lock, index: u32) -> Option<&BTreeSet<(Thread, u32)>> {
        let standing = self.standing.get(&lock);
        let waits = standing.is_some_and(|threads| threads.values().any(|&one| one == index));
        let ends = self.ends.get(&index).filter(|ends| !ends.others && !waits);
        ends.map(|ends| &ends.by)
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::{Kind, Tier};
    use super::super::tests::of_text;

    /// What is found where the other one goes through `outer` before the first notify, before the second, or after both.
    fn found(goes: usize) -> Vec<(Tier, Kind)> {
        let through = "T1|acq(outer)|1\nT1|rel(outer)|2";
        let wakes = "T1|acq(m)|3\nT1|notify(m)|4\nT1|rel(m)|5";
        let waits = "T0|acq(outer)|6\nT0|acq(m)|7\nT0|wait(m)|8";
        let back = "T0|rel(m)|9\nT0|rel(outer)|10";
        let again = "T0|acq(m)|11\nT0|wait(m)|12";
        let at = |place: usize| if place == goes { through } else { "" };
        let all = [
            at(0),
            waits,
            wakes,
            back,
            at(1),
            again,
            wakes,
            "T0|rel(m)|13",
            at(2),
        ];
        let lines: Vec<&str> = all.into_iter().filter(|lines| !lines.is_empty()).collect();
        let report = of_text(&lines.join("\n"));
        let found = report.findings.iter().map(|f| (f.tier, f.kind));
        found.collect()
    }

    #[test]
    fn who_waited_for_an_earlier_notify_did_not_wait_for_what_came_on_the_way_to_the_next() {
        assert_eq!(found(0), [(Tier::T3, Kind::NestedWait)]);
        assert_eq!(found(1), [(Tier::T5, Kind::NestedWait)]);
        assert_eq!(found(2), []);
    }
}
