//! Who lets others go on for whom. What is waited on once and then thrown away (a promise, a request) says nothing of who else could have
//! come: that is known by the other objects of the same logical lock, of who waits at the same place and is let go on from the same place.

use super::candidates::Node;
use super::finding::Names;
use super::follow::Wanted;
use super::scan::Scan;
use super::served::Teller;
use super::step::{Lock, Site, Thread};
use std::collections::{BTreeMap, BTreeSet};

/// Whom each was seen to let go on, so that he did not wait again.
#[derive(Debug, Default)]
pub(super) struct Tellers {
    /// Who it was, by what was waited on and where.
    own: BTreeMap<(Lock, Option<Site>), BTreeSet<Teller>>,
    /// From where, by the logical lock.
    alike: BTreeMap<(usize, Site), BTreeSet<Site>>,
    /// Which logical lock it is of where others are let go on.
    logical: BTreeMap<Lock, usize>,
}

impl Tellers {
    pub(super) fn of(scan: &Scan, names: &dyn Names) -> Self {
        let served = &scan.served;
        let mut tellers = Self::default();
        let mut known = BTreeMap::new();
        for &(lock, _) in served.places.keys() {
            tellers.logical.entry(lock).or_insert_with(|| {
                let called = names.lock(lock);
                // What is in no row is known by itself alone.
                let own = called.id.is_empty().then_some(lock);
                let next = known.len();
                *known.entry((called.name, called.id, own)).or_insert(next)
            });
        }
        for (&index, freers) in &served.freers {
            let waiter = &scan.table.all[index as usize];
            let Wanted::Notice(lock) = waiter.wanted else {
                continue;
            };
            let own = tellers.own.entry((lock, waiter.site)).or_default();
            own.extend(freers);
            if let (Some(&logical), Some(site)) = (tellers.logical.get(&lock), waiter.site) {
                let alike = tellers.alike.entry((logical, site)).or_default();
                alike.extend(freers.iter().filter_map(|by| by.1));
            }
        }
        tellers
    }

    /// Whether it may be for those of a choice who wait there that this thread lets others go on: it, or another one from the same
    /// place, did so where they wait, and who was let go on so did not wait again.
    pub(super) fn may_serve(
        &self,
        scan: &Scan,
        nodes: &[Node],
        choice: &[u32],
        (lock, thread): (Lock, Thread),
    ) -> bool {
        let count = nodes.len();
        let there = nodes.iter().enumerate();
        let mut there = there.filter(|(_, node)| **node == Node::Notice(lock));
        there.any(|(at, _)| match choice.get((at + count - 1) % count) {
            Some(&waiter) => self.serves(scan, scan.table.all[waiter as usize].site, lock, thread),
            None => true,
        })
    }

    /// The same of who waits there, at this place.
    fn serves(&self, scan: &Scan, site: Option<Site>, lock: Lock, thread: Thread) -> bool {
        let places = scan.served.places.get(&(lock, thread));
        let places = || places.into_iter().flatten().flatten();
        let own = self.own.get(&(lock, site));
        let mut own = own.into_iter().flatten();
        let alike = || {
            let key = (*self.logical.get(&lock)?, site?);
            self.alike.get(&key)
        };
        own.any(|&(by, from)| by == thread || places().any(|&place| from == Some(place)))
            || alike().is_some_and(|alike| places().any(|place| alike.contains(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::{LockName, Names, Report, Tier};
    use super::super::std_format::Lines;
    use super::super::step::{Lock, Site, Thread};
    use super::super::tests::{analysed, std_trace};
    use crate::nesting::graph::ThreadName;

    /// Locks that differ in their numbers alone are one logical lock.
    struct Rows(Lines);

    impl Names for Rows {
        fn thread(&self, thread: Thread) -> ThreadName {
            self.0.thread(thread)
        }

        fn lock(&self, lock: Lock) -> LockName {
            let own = self.0.lock(lock);
            let name = own.name.trim_end_matches(|c: char| c.is_ascii_digit());
            LockName {
                name: name.to_owned(),
                id: name.to_owned(),
                alone: false,
                ..own
            }
        }

        fn chain(&self, site: Site) -> Vec<String> {
            self.0.chain(site)
        }
    }

    fn judged(parts: &[&str]) -> Report {
        let (steps, lines) = std_trace(&parts.join("\n")).unwrap();
        analysed(&steps, &Rows(lines))
    }

    const THROUGH: &str = "T1|acq(outer)|1\nT1|rel(outer)|2";
    const WAITS: &str = "T0|acq(outer)|3\nT0|acq(promise1)|4\nT0|wait(promise1)|5";
    const WAKES: &str = "T1|acq(promise1)|6\nT1|notifyAll(promise1)|7\nT1|rel(promise1)|8";
    const BACK: &str = "T0|rel(promise1)|9\nT0|rel(outer)|10";
    /// Nobody waits for it when he comes.
    const ALSO: &str = "T2|acq(promise1)|11\nT2|notifyAll(promise1)|12\nT2|rel(promise1)|13";

    /// Somebody waits at `waits` for another one, and is let go on at `tells`.
    fn another(lock: &str, [waits, tells]: [u32; 2]) -> String {
        format!(
            "T3|acq(own)|20
T3|acq({lock})|21
T3|wait({lock})|{waits}
T2|acq({lock})|22
T2|notifyAll({lock})|{tells}
T2|rel({lock})|23
T3|rel({lock})|24
T3|rel(own)|25"
        )
    }

    #[test]
    fn who_completes_other_promises_may_complete_this_one() {
        let with = |more: &str| {
            let report = judged(&[THROUGH, WAITS, WAKES, BACK, ALSO, more]);
            let tiers = report.findings.iter().map(|finding| finding.tier);
            (tiers.collect::<Vec<_>>(), report.excluded.len())
        };
        assert_eq!(with(&another("promise2", [5, 12])), (vec![], 1));
        let open = (vec![Tier::T5], 0);
        // For what waits elsewhere, from elsewhere, at something else.
        assert_eq!(with(&another("promise2", [6, 12])), open);
        assert_eq!(with(&another("promise2", [5, 14])), open);
        assert_eq!(with(&another("request2", [5, 12])), open);
    }
}
