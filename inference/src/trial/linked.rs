//! Operations that one thread calls one after the other, taken as one: the way to a lock that is taken in two steps.
//!
//! A read-write lock of which one reader may become the writer has a lock within it: whoever means to write takes that
//! first, beside the readers, and waits for them to leave in a second step. By itself the first step goes as a LOCK.
//! A barrier may be left in a second step, in which all wait until all have come there: by itself the first one lets in
//! whoever comes before that. And who takes from a queue may wait in one step until something is there, and take it in
//! another, which never waits.

use super::bench::{Bench, Operation, Outcome, Reaction, Returned};
use super::conclude::Conclusion;
use super::conform::{Judged, judge};
use super::lab::{Budget, Lab};
use super::measure::barrier::barriers;
use super::probe::{Allowed, Probes};
use super::search::search;
use super::supposed::conclude;
use crate::region::RegionId;
use crate::types::{LockType, Role};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// What may be spent on one lock of which all this might be true.
const LINKED: Budget = Budget {
    calls: 12_000,
    cost: 1_500_000,
};
/// Operations of a lock up to which they are tried in pairs.
const MOST: usize = 16;

/// Pairs that are tried as arrivals.
const MOST_ROUNDS: usize = 6;

/// What an operation of a linked lock does: one of the lock's own, and perhaps another after it.
#[derive(Clone, Copy, Debug)]
struct Steps {
    first: usize,
    then: Option<usize>,
}

/// A lock with further operations, each of them two of its own.
#[derive(Clone)]
pub(super) struct Linked<B> {
    lock: B,
    operations: Rc<[Operation]>,
    steps: Rc<[Steps]>,
    /// The second step of threads that wait in the first, with the token of the call.
    next: BTreeMap<usize, (usize, u32)>,
}

impl<B: Bench> Linked<B> {
    fn new(lock: &B, pairs: &[(usize, usize)]) -> Self {
        let own = lock.operations();
        let single = (0..own.len()).map(|first| Steps { first, then: None });
        let double = pairs.iter().map(|&(first, then)| Steps {
            first,
            then: Some(then),
        });
        let linked = pairs.iter().map(|&(first, then)| Operation {
            regions: [&own[then], &own[first]]
                .iter()
                .flat_map(|o| o.regions.iter().copied())
                .collect(),
            name: format!("{} and {}", own[first].name, own[then].name),
            once: own[first].once || own[then].once,
            alternates: own[first].alternates || own[then].alternates,
        });
        Self {
            operations: own.iter().cloned().chain(linked).collect(),
            steps: single.chain(double).collect(),
            lock: lock.clone(),
            next: BTreeMap::new(),
        }
    }

    /// What a thread did in its first step; if that is over, it goes on with the second.
    fn go_on(&mut self, thread: usize, reaction: Reaction) -> Reaction {
        let mut own = reaction.own;
        let mut open: VecDeque<_> = reaction.others.into();
        own = self.second(thread, own, &mut open);
        let mut others = Vec::new();
        while let Some((other, outcome)) = open.pop_front() {
            match self.second(other, outcome, &mut open) {
                Outcome::Waits { .. } => {}
                // Those let go may let go him, when they come to their second step.
                outcome if other == thread => own = outcome,
                outcome => others.push((other, outcome)),
            }
        }
        Reaction { own, others }
    }

    fn second(
        &mut self,
        thread: usize,
        outcome: Outcome,
        open: &mut VecDeque<(usize, Outcome)>,
    ) -> Outcome {
        let over = !matches!(outcome, Outcome::Waits { .. });
        let Some((then, token)) = over.then(|| self.next.remove(&thread)).flatten() else {
            return outcome;
        };
        if !matches!(outcome, Outcome::Passed(_)) {
            return outcome;
        }
        let reaction = self.lock.call(thread, then, token);
        open.extend(reaction.others);
        match (outcome, reaction.own) {
            // What was looked at in the first step goes away in the second.
            (looked @ Outcome::Passed(Returned::Token(_)), Outcome::Passed(Returned::Nothing)) => {
                looked
            }
            (_, own) => own,
        }
    }
}

impl<B: Bench> Bench for Linked<B> {
    fn operations(&self) -> &[Operation] {
        &self.operations
    }

    fn call(&mut self, thread: usize, operation: usize, token: u32) -> Reaction {
        let steps = self.steps[operation];
        if let Some(then) = steps.then {
            self.next.insert(thread, (then, token));
        }
        let reaction = self.lock.call(thread, steps.first, token);
        self.go_on(thread, reaction)
    }

    fn expire(&mut self, thread: usize) -> Reaction {
        let reaction = self.lock.expire(thread);
        self.go_on(thread, reaction)
    }

    fn can_expire(&self, thread: usize) -> bool {
        self.lock.can_expire(thread)
    }

    fn turn_round(&mut self) {
        self.lock.turn_round();
    }

    fn idle(&mut self) {
        self.lock.idle();
    }

    fn cost(&self) -> u64 {
        self.lock.cost()
    }

    fn together(&self, one: usize, other: usize) -> Option<bool> {
        self.lock
            .together(self.steps[one].first, self.steps[other].first)
    }

    fn are_told_apart(&self, one: usize, other: usize) -> bool {
        self.lock
            .are_told_apart(self.steps[one].first, self.steps[other].first)
    }

    fn is_genuine(&self) -> bool {
        self.lock.is_genuine()
    }

    fn guessed(&self) -> u32 {
        self.lock.guessed()
    }

    fn assumed(&self) -> Vec<&'static str> {
        self.lock.assumed()
    }

    fn outermost(&self, operation: usize) -> Vec<RegionId> {
        let steps = self.steps[operation];
        let mut regions = self.lock.outermost(steps.first);
        regions.extend(
            steps
                .then
                .into_iter()
                .flat_map(|then| self.lock.outermost(then)),
        );
        regions
    }
}

/// What goes as a lock only if two operations are one.
pub(super) fn linked<B: Bench>(
    probes: &Probes<'_, B>,
    found: &[Conclusion],
) -> Vec<(Linked<B>, Conclusion)> {
    let mut all = upgraded(probes, found);
    all.extend(left_together(probes, found));
    all.extend(taken_later(probes, found));
    all
}

/// Steps the second of which the program takes after the first one, and never without it.
fn in_turn<B: Bench>(
    probes: &Probes<'_, B>,
    firsts: impl Iterator<Item = usize>,
    second: impl Fn(usize) -> bool,
) -> Vec<(usize, usize)> {
    let bench = probes.lab.bench();
    let pairs = firsts.flat_map(|first| probes.others(first).map(move |then| (first, then)));
    let pairs = pairs.filter(|&(first, then)| {
        second(then)
            && bench.outermost(first) != bench.outermost(then)
            && bench.comes_after(then, first, None)
            && bench.goes_on(first, then)
    });
    pairs.take(MOST_ROUNDS).collect()
}

/// Queues of which one step waits until something is there, and leaves it, where the program never takes it without having waited
/// so before.
fn taken_later<B: Bench>(
    probes: &Probes<'_, B>,
    found: &[Conclusion],
) -> Vec<(Linked<B>, Conclusion)> {
    let bench = probes.lab.bench();
    if probes.levels.len() > MOST || found.iter().any(|c| c.is_of(LockType::ProducerConsumer)) {
        return Vec::new();
    }
    let waits = (0..probes.levels.len()).filter(|&op| probes.waits_at_once(op));
    let pairs = in_turn(probes, waits, |then| !probes.waits_at_once(then));
    if pairs.is_empty() {
        return Vec::new();
    }
    let linked = Linked::new(bench, &pairs);
    let own = bench.operations().len();
    let tried = Probes::new(Lab::new(&linked, LINKED));
    let steps: BTreeSet<usize> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    let allowed = Allowed::Only(BTreeMap::from([
        (Role::Take, (own..own + pairs.len()).collect()),
        (
            Role::Put,
            (0..own).filter(|op| !steps.contains(op)).collect(),
        ),
    ]));
    let found = search(&tried, LockType::ProducerConsumer, &allowed).found;
    let found = found.into_iter().filter(|found| found.tally.carried > 0);
    let found = found.filter_map(|found| conclude(&tried.lab, found));
    let noted = |c: Conclusion| c.note("who takes has waited in a step of its own");
    let whole = found.map(|c| (linked.clone(), noted(c).taken_in_steps()));
    whole.collect()
}

/// Barriers of which all wait once more until all have left, where the program takes both steps wherever it takes one.
fn left_together<B: Bench>(
    probes: &Probes<'_, B>,
    found: &[Conclusion],
) -> Vec<(Linked<B>, Conclusion)> {
    let known: BTreeSet<usize> = found.iter().flat_map(|c| c.finding.operations()).collect();
    let open = |op: &usize| !known.contains(op);
    if probes.levels.len() > MOST {
        return Vec::new();
    }
    let bench = probes.lab.bench();
    let waits = |op: &usize| probes.waits_at_once(*op);
    let firsts = (0..probes.levels.len()).filter(open).filter(waits);
    let pairs = in_turn(probes, firsts, |then| open(&then));
    if pairs.is_empty() {
        return Vec::new();
    }
    let linked = Linked::new(bench, &pairs);
    let own = bench.operations().len();
    let tried = Probes::new(Lab::new(&linked, LINKED));
    let both = (own..own + pairs.len()).collect();
    let allowed = Allowed::Only(BTreeMap::from([(Role::Arrive, both)]));
    let found = barriers(&tried, &allowed).into_iter();
    let found = found.filter_map(|candidate| match judge(&tried.lab, &candidate) {
        Judged::Conforms(found) => conclude(&tried.lab, found),
        _ => None,
    });
    let noted = |c: Conclusion| c.note("all wait once more until all have left");
    found.map(|c| (linked.clone(), noted(c))).collect()
}

/// The read-write locks within which what was found to be a LOCK is the first step of the writers.
fn upgraded<B: Bench>(
    probes: &Probes<'_, B>,
    found: &[Conclusion],
) -> Vec<(Linked<B>, Conclusion)> {
    if found.iter().any(|c| c.is_of(LockType::ReadWrite)) {
        return Vec::new();
    }
    let locks = found.iter().filter(|c| c.is_of(LockType::Lock));
    locks.flat_map(|lock| around(probes, lock)).collect()
}

/// Called by itself, on a lock nobody has used, it does not go through.
fn fails<B: Bench>(probes: &Probes<'_, B>, operation: usize) -> bool {
    let reaction = probes.lab.session().call(0, operation);
    matches!(reaction.own, Outcome::Threw | Outcome::Waits { .. })
}

/// By itself it keeps out nobody of its own kind, and the program takes that step between the first and the last only: these see to
/// it that there is one writer.
fn is_within<B: Bench>(probes: &Probes<'_, B>, (first, last): (usize, usize), then: usize) -> bool {
    let bench = probes.lab.bench();
    let mut session = probes.lab.session();
    let together = session.passes(0, then) && session.passes(1, then);
    together && bench.comes_after(then, first, Some(last)) && bench.goes_on(then, last)
}

fn around<B: Bench>(probes: &Probes<'_, B>, lock: &Conclusion) -> Vec<(Linked<B>, Conclusion)> {
    let known = lock.finding.operations();
    let others: Vec<usize> = (0..probes.levels.len())
        .filter(|op| !known.contains(op))
        .collect();
    // Readers come and go, and the writer takes a second step.
    if others.len() < 3 || probes.levels.len() > MOST {
        return Vec::new();
    }
    let (first, last) = (
        lock.finding.first(Role::Lock),
        lock.finding.first(Role::Unlock),
    );
    let ways_in = others.iter().map(|&then| (first, then));
    let pairs: Vec<_> = ways_in.chain(others.iter().map(|&op| (op, last))).collect();
    let linked = Linked::new(probes.lab.bench(), &pairs);
    let own = linked.lock.operations().len();
    let (ways_in, ways_out) = (
        own..own + others.len(),
        own + others.len()..own + pairs.len(),
    );
    let plain: BTreeSet<usize> = others.into_iter().collect();
    let tried = Probes::new(Lab::new(&linked, LINKED));
    let leaving = |ways_out: BTreeSet<usize>| {
        let allowed = Allowed::Only(BTreeMap::from([
            (Role::ReadLock, plain.clone()),
            (Role::ReadUnlock, plain.clone()),
            (Role::WriteLock, ways_in.clone().collect()),
            (Role::WriteUnlock, ways_out),
        ]));
        let found = search(&tried, LockType::ReadWrite, &allowed).found;
        found.into_iter().filter_map(|f| conclude(&tried.lab, f))
    };
    let mut found: Vec<_> = leaving(BTreeSet::from([last])).collect();
    // What is given back in two steps as well may be two locks that have nothing to do with each other.
    if found.is_empty() {
        let needed = |c: &Conclusion| {
            let way_in = linked.steps[c.finding.first(Role::WriteLock)];
            let needs = |then| fails(probes, then) || is_within(probes, (first, last), then);
            way_in.then.is_some_and(needs)
        };
        found.extend(leaving(ways_out.collect()).filter(needed));
    }
    let noted = |c: Conclusion| c.note("who means to write takes his turn first");
    found
        .into_iter()
        .map(|c| (linked.clone(), noted(c)))
        .collect()
}
