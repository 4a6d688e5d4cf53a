//! By whose notify each wait was ended, where that is known. A thread that waits with a lock which another takes only on his way
//! to a later notify than the one that it waited for has not been seen to wait for him.

use super::candidates::Node;
use super::errands::Way;
use super::scan::Scan;
use super::step::{By, Lock, Site, Thread};
use super::weakness::Weakness;
use std::collections::{BTreeMap, BTreeSet};

/// Ends remembered of waits at one place.
const ENDS: usize = 256;
/// Threads that wait on one lock.
const STANDING: usize = 1024;
/// Places from which one thread lets others go on at one lock.
const PLACES: usize = 64;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Served {
    /// By lock, threads that wait, and the dependency that each is.
    standing: BTreeMap<Lock, BTreeMap<Thread, u32>>,
    /// The how manieth time it was that each thread let others go last at each lock.
    latest: BTreeMap<(Lock, Thread), u32>,
    /// Whom each thread let go with that, and where.
    just: BTreeMap<Thread, (Lock, Vec<u32>)>,
    /// By dependency.
    ends: BTreeMap<u32, Ends>,
    /// What was wanted last.
    wanted: Option<u32>,
    /// By dependency, the lock that is given up.
    gives: BTreeMap<u32, Lock>,
    /// By the lock that is given up, where threads wait.
    inside: BTreeMap<Lock, BTreeSet<Lock>>,
    /// Threads that have come to a lock and might wait there, until they do or leave it.
    came: BTreeMap<Thread, (Lock, Vec<u32>)>,
    /// Threads that come back from a wait.
    back: BTreeSet<Thread>,
    /// Threads that wait and are not back yet.
    away: BTreeSet<Thread>,
    /// Threads that were let go on, and have neither gone on nor waited again: their dependency, and by whom.
    freed: BTreeMap<Thread, (u32, Teller)>,
    /// One of them that has just given up the lock: it has gone on, unless that was to wait again.
    going: Option<(Thread, (u32, Teller))>,
    /// By dependency, who let it go on so that it did not wait again.
    pub(super) freers: BTreeMap<u32, BTreeSet<Teller>>,
    /// From where each thread lets others go on at each lock.
    pub(super) places: BTreeMap<(Lock, Thread), BTreeSet<Option<Site>>>,
}

/// Who lets others go on, and from where.
pub(super) type Teller = (Thread, Option<Site>);

/// What ended the waits that are one dependency.
#[derive(Debug, Default)]
struct Ends {
    by: BTreeSet<(Thread, u32)>,
    /// Some ended otherwise, or by nobody knows whom; or it came again, and did not wait.
    others: bool,
    /// It did wait once.
    waited: bool,
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

    /// What was wanted last is that others let it go on at this lock; `gives` is what it gives up for that.
    pub(super) fn begins(&mut self, thread: Thread, lock: Lock, by: By, gives: Option<Lock>) {
        if self.going.take_if(|going| going.0 == thread).is_none() {
            self.went();
        }
        let Some(index) = self.wanted else { return };
        self.came.remove(&thread);
        if let Some(gives) = gives {
            self.inside.entry(gives).or_default().insert(lock);
            self.gives.insert(index, gives);
        }
        let ends = self.ends.entry(index).or_default();
        match by {
            By::Was(other) => match self.latest.get(&(lock, other)) {
                Some(&time) => ends.add((other, time)),
                None => ends.others = true,
            },
            By::Any => (ends.others, ends.waited) = (true, true),
            By::Next => {
                ends.waited = true;
                self.away.insert(thread);
                self.stands(thread, lock, index);
            }
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
    pub(super) fn notified(
        &mut self,
        lock: Lock,
        by: (Thread, u32),
        all: bool,
        site: Option<Site>,
    ) {
        self.tells(lock, (by.0, site), all);
        self.latest.insert((lock, by.0), by.1);
        let standing = self.standing.get_mut(&lock).map(std::mem::take);
        let standing = standing.unwrap_or_default();
        let known = all || standing.len() == 1;
        let mut just = Vec::new();
        for index in standing.into_values() {
            let ends = self.ends.entry(index).or_default();
            match known {
                true => {
                    ends.add(by);
                    just.push(index);
                }
                false => ends.others = true,
            }
        }
        self.just.insert(by.0, (lock, just));
    }

    fn tells(&mut self, lock: Lock, teller: Teller, all: bool) {
        let places = self.places.entry((lock, teller.0)).or_default();
        if places.len() < PLACES {
            places.insert(teller.1);
        }
        let standing = self.standing.get(&lock).into_iter().flatten();
        let away = standing.filter(|(thread, _)| self.away.contains(thread));
        let away: Vec<(Thread, u32)> = away.map(|(&thread, &index)| (thread, index)).collect();
        for &(thread, index) in &away {
            match all || away.len() == 1 {
                true => drop(self.freed.insert(thread, (index, teller))),
                // It may have been for any of them.
                false => self.frees(index, teller),
            }
        }
    }

    fn frees(&mut self, index: u32, by: Teller) {
        let freers = self.freers.entry(index).or_default();
        if freers.len() < ENDS {
            freers.insert(by);
        }
    }

    /// Who has given up the lock did not do so to wait again.
    fn went(&mut self) {
        if let Some((_, (index, by))) = self.going.take() {
            self.frees(index, by);
        }
    }

    /// It did so when it took something out of a queue in which there was more (`filled` is where those wait who take): that was put
    /// by others.
    pub(super) fn fetched(&mut self, thread: Thread, filled: Option<Lock>) {
        let just = self.just.remove(&thread);
        let just = just.filter(|(lock, _)| Some(*lock) == filled);
        for index in just.into_iter().flat_map(|(_, just)| just) {
            self.ends.entry(index).or_default().others = true;
        }
    }

    /// A thread is back from its wait, and takes what it had given up.
    pub(super) fn returns(&mut self, thread: Thread) {
        self.back.insert(thread);
        self.away.remove(&thread);
    }

    /// The locks that are given up, each with where threads wait then.
    pub(super) fn inside(&self) -> impl Iterator<Item = (Lock, Lock)> {
        let all = self.inside.iter();
        all.flat_map(|(&gives, places)| places.iter().map(move |&place| (gives, place)))
    }

    /// Where threads wait that have a lock, which this one takes now; none if it takes it again after a wait.
    pub(super) fn places(&mut self, thread: Thread, lock: Lock) -> Option<&BTreeSet<Lock>> {
        self.went();
        let again = self.back.remove(&thread);
        self.inside.get(&lock).filter(|_| !again)
    }

    /// It may wait there now.
    pub(super) fn comes(&mut self, thread: Thread, lock: Lock, indices: Vec<u32>) {
        if !indices.is_empty() {
            self.came.insert(thread, (lock, indices));
        }
    }

    /// It leaves a lock, and has not waited.
    pub(super) fn leaves(&mut self, thread: Thread, lock: Lock) {
        self.went();
        let gives = |index: &u32| self.gives.get(index) == Some(&lock);
        if self
            .freed
            .get(&thread)
            .is_some_and(|(index, _)| gives(index))
        {
            let freed = self.freed.remove(&thread);
            self.going = freed.map(|freed| (thread, freed));
        }
        if self.came.get(&thread).is_some_and(|(at, _)| *at == lock) {
            let (_, indices) = self.came.remove(&thread).unwrap_or((lock, Vec::new()));
            for index in indices {
                self.ends.entry(index).or_default().others = true;
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

    /// Whether it was never seen to wait, but found what it came for.
    pub(super) fn has_only_found(&self, index: u32) -> bool {
        self.ends.get(&index).is_some_and(|ends| !ends.waited)
    }
}

/// What speaks against that those of a choice who wait waited, or would have, for the one who is kept out.
pub(super) fn served_otherwise(scan: &Scan, nodes: &[Node], choice: &[u32]) -> Option<Weakness> {
    let count = nodes.len();
    let awaited = nodes
        .iter()
        .enumerate()
        .filter_map(|(at, node)| match node {
            Node::Notice(lock) => Some((at, *lock)),
            _ => None,
        });
    let mut weak = awaited.filter_map(|(at, lock)| {
        let (keeper, waiter) = (choice.get(at)?, choice.get((at + count - 1) % count)?);
        served(scan, lock, (*waiter, *keeper))
    });
    weak.next()
}

fn served(scan: &Scan, lock: Lock, (waiter, keeper): (u32, u32)) -> Option<Weakness> {
    let found = scan.served.has_only_found(waiter);
    if found && scan.nature(lock).spare {
        return Some(Weakness::Spare);
    }
    let ends = scan.served.ends_of(lock, waiter)?;
    let thread = scan.table.all[keeper as usize].thread;
    let ways = scan.errands.ways.get(&(lock, thread));
    let own = ends.iter().filter(|(by, _)| *by == thread);
    let own = own.map(|(_, time)| ways.and_then(|ways| ways.to(*time)));
    // A way that is not known may be any.
    let went = |way: &Option<&Way>| way.is_none_or(|way| way.taken.contains(&keeper));
    let mut went = own.filter(went).peekable();
    if went.peek().is_none() {
        return Some(Weakness::Served);
    }
    let waiter = &scan.table.all[waiter as usize];
    let has = |way: &Way| {
        let kept = |lock: Lock| waiter.keeps().any(|(kept, _)| kept == lock);
        way.held.iter().any(|(lock, _)| kept(*lock))
    };
    let under = went.all(|way| way.is_some_and(has));
    (found && under).then_some(Weakness::Looked)
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
    fn who_comes_there_again_and_does_not_wait_may_have_waited_for_the_later_one() {
        let of = |again: &str| {
            let report = of_text(&format!(
                "T0|acq(outer)|1
T0|acq(m)|2
T0|wait(m)|3
T1|acq(m)|4
T1|notify(m)|5
T1|rel(m)|6
T0|rel(m)|7
T0|rel(outer)|8
T1|acq(outer)|9
T1|rel(outer)|10
T1|acq(m)|11
T1|notify(m)|12
T1|rel(m)|13{again}"
            ));
            report.findings.first().map(|finding| finding.tier)
        };
        let again = "\nT0|acq(outer)|14\nT0|acq(m)|15\nT0|rel(m)|16\nT0|rel(outer)|17";
        assert_eq!(of(again), Some(Tier::T3));
        assert_eq!(of(""), Some(Tier::T5));
    }

    #[test]
    fn who_notifies_for_something_else_helps_nobody() {
        let through = "T1|acq(outer)|1\nT1|rel(outer)|2";
        let waits = "T0|acq(outer)|3\nT0|acq(m)|4\nT0|wait(m)|5";
        let wakes = "T1|acq(m)|6\nT1|notifyAll(m)|7\nT1|rel(m)|8";
        let also = "T2|acq(m)|9\nT2|notifyAll(m)|10\nT2|rel(m)|11";
        let back = "T0|rel(m)|12\nT0|rel(outer)|13";
        let again = "T0|wait(m)|5";
        let found = |lines: &[&str]| {
            let report = of_text(&lines.join("\n"));
            let tiers = report.findings.iter().map(|finding| finding.tier);
            (tiers.collect::<Vec<_>>(), report.excluded.len())
        };
        assert_eq!(found(&[through, waits, wakes, back]).0, [Tier::T3]);
        // Nobody waited when he came.
        let idle = [through, waits, wakes, back, also];
        assert_eq!(found(&idle), (vec![Tier::T5], 0));
        // Who waited looked, and waited again.
        let vain = [through, waits, also, again, wakes, back];
        assert_eq!(found(&vain), (vec![Tier::T5], 0));
        // Once he was let go on by it.
        let helps = [through, waits, wakes, back, waits, also, back];
        assert_eq!(found(&helps), (vec![], 1));
    }

    #[test]
    fn who_waited_for_an_earlier_notify_did_not_wait_for_what_came_on_the_way_to_the_next() {
        assert_eq!(found(0), [(Tier::T3, Kind::NestedWait)]);
        assert_eq!(found(1), [(Tier::T5, Kind::NestedWait)]);
        assert_eq!(found(2), []);
    }
}
