//! Rounds of those that meet at phases and barriers.
//!
//! Of a phase each tells that it has come once all are over it. Those of one round are the first that tells of it and all who tell
//! of it later and have done nothing else since then: the first pass finds them, and in the second all come to wait at the moment
//! at which the first leaves. To a barrier each comes when it takes the lock inside; those that wait are told to do so on the condition
//! there, too. Which lock that is tells who signals last.

use super::encounters::elsewhere;
use super::jvm::Jvm;
use super::step::{Lock, Needs, Op, Step};
use super::uses::Deed;
use locklens_trace::juc::{Act, Operation};
use locklens_trace::{Event, LockId, Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// Members of all rounds that are remembered: beyond that each comes when it tells of it.
const MEMBERS: usize = 1 << 20;

/// A thread's n-th meeting there.
type Turn = (LockId, ThreadId, u64);

/// What the first pass has found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// By the first that leaves, the others, and whether they wait as long as it takes.
    rounds: BTreeMap<Turn, Vec<(ThreadId, bool)>>,
    others: BTreeSet<Turn>,
    /// Locks inside barriers.
    inside: BTreeMap<LockId, LockId>,
}

impl Found {
    /// The barrier that a lock is inside of.
    pub(super) fn place_of(&self, lock: LockId) -> Option<LockId> {
        self.inside.get(&lock).copied()
    }
}

/// What was told so far.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    numbers: BTreeMap<(LockId, ThreadId), u64>,
    /// The condition that a thread signalled last, and has taken nothing since.
    signalled: BTreeMap<ThreadId, LockId>,
    now: BTreeMap<LockId, Round>,
}

/// The latest round of a place.
#[derive(Debug)]
struct Round {
    first: Turn,
    at: Nanos,
    members: BTreeSet<ThreadId>,
    /// Who came to the one before, and whether others came to some.
    before: Option<BTreeSet<ThreadId>>,
    uneven: bool,
}

impl Rounds {
    /// Who signals inside a barrier does only give back its lock before that is over.
    pub(super) fn learn(&mut self, deed: &Deed) {
        match deed {
            Deed::Operation(Operation {
                act: Act::SignalAll,
                thread,
                lock,
                ..
            }) => drop(self.signalled.insert(*thread, *lock)),
            Deed::Operation(Operation {
                act: Act::Unlock, ..
            })
            | Deed::Park(_)
            | Deed::Unpark(..) => {}
            Deed::Operation(Operation { thread, .. }) => drop(self.signalled.remove(thread)),
            Deed::Event(event) => drop(self.signalled.remove(&event.thread)),
            Deed::Access(_) | Deed::Kin(_) => {}
        }
    }

    fn turn(&mut self, operation: &Operation) -> Turn {
        let (lock, thread) = (operation.lock, operation.thread);
        let number = self.numbers.entry((lock, thread)).or_default();
        *number += 1;
        (lock, thread, *number)
    }

    fn comes(&mut self, operation: &Operation, idle_since: Nanos, found: &mut Found) {
        let turn = self.turn(operation);
        let &Operation {
            at, thread, lock, ..
        } = operation;
        let waits = !operation.tries;
        if let Some(round) = self.now.get_mut(&lock)
            && idle_since <= round.at
            && round.members.insert(thread)
        {
            if let Some(others) = found.rounds.get_mut(&round.first) {
                others.push((thread, waits));
                found.others.insert(turn);
            }
            return;
        }
        if found.rounds.len() + found.others.len() < MEMBERS {
            found.rounds.insert(turn, Vec::new());
        }
        let over = self.now.remove(&lock);
        let uneven = over.as_ref().is_some_and(Round::is_uneven);
        self.now.insert(
            lock,
            Round {
                first: turn,
                at,
                members: BTreeSet::from([thread]),
                before: over.map(|over| over.members),
                uneven,
            },
        );
    }

    /// Whether all came each time, but perhaps for the last one: each of them is needed.
    pub(super) fn are_even(&self, lock: LockId) -> bool {
        self.now.get(&lock).is_some_and(|round| {
            let before = round.before.as_ref();
            !round.uneven && before.is_none_or(|before| round.members.is_subset(before))
        })
    }
}

impl Round {
    fn is_uneven(&self) -> bool {
        let before = self.before.as_ref();
        self.uneven || before.is_some_and(|before| *before != self.members)
    }
}

impl Jvm<'_> {
    /// Somebody leaves a phase.
    pub(super) fn round(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let place = operation.lock;
        let known = &mut self.uses.known;
        if !known.complete {
            let idle_since = self.uses.encounters.idle_since(operation.thread);
            let found = &mut known.rounds;
            self.uses.rounds.comes(operation, idle_since, found);
            if !operation.tries {
                self.comes_to(place, event, each);
            }
            return self.has_come(place, event, each);
        }
        let turn = self.uses.rounds.turn(operation);
        let others = known.rounds.rounds.get(&turn).cloned();
        if !known.rounds.others.contains(&turn) {
            let others = others.unwrap_or_default().into_iter();
            let others = others.filter(|(other, _)| self.threads.known.contains_key(other));
            let others = others.map(|(other, waits)| (elsewhere(event, other), waits));
            let all: Vec<(Event, bool)> = [(*event, !operation.tries)]
                .into_iter()
                .chain(others)
                .collect();
            for (event, _) in all.iter().filter(|(_, waits)| *waits) {
                self.comes_to(place, event, each);
            }
            for (event, _) in &all {
                self.has_come(place, event, each);
            }
        }
        let lock = Lock(self.locks.number(place));
        let needs = Needs::Unknown;
        self.tell(event, Op::Passes { lock, needs }, each);
    }

    /// Somebody leaves a barrier. Whether it came last or not, it would have waited had it come before the others.
    pub(super) fn leaves_barrier(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let known = &mut self.uses.known;
        if known.complete {
            return;
        }
        let signalled = self.uses.rounds.signalled.get(&event.thread);
        if let Some(&inside) = signalled.and_then(|condition| known.outer.get(condition)) {
            known.rounds.inside.insert(inside, operation.lock);
        }
        if !operation.tries {
            self.comes_to(operation.lock, event, each);
        }
        self.has_come(operation.lock, event, each);
    }

    /// Who takes the lock inside a barrier comes to it.
    pub(super) fn may_come_last(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        let known = &self.uses.known;
        if known.complete
            && operation.act == Act::Lock
            && let Some(place) = known.rounds.place_of(operation.lock)
        {
            self.comes_to(place, event, each);
        }
    }
}
