//! Fresh locks to try things on, within a budget.

use super::bench::{Bench, Operation, Outcome, Reaction};
use std::cell::Cell;

/// Simulated threads that sessions use.
pub(super) const THREADS: usize = 48;

/// What a call costs besides its instructions.
const CALL: u64 = 100;

/// What may be spent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// Calls made.
    pub(super) calls: u64,
    /// Instructions run.
    pub(super) cost: u64,
}

impl Budget {
    /// One part of so many.
    pub(super) fn part(self, of: usize) -> Self {
        let of = of.max(1) as u64;
        Self {
            calls: self.calls / of,
            cost: self.cost / of,
        }
    }
}

/// A bench that is never used itself: every session starts from a copy.
pub(super) struct Lab<'b, B> {
    fresh: &'b B,
    left: Cell<Budget>,
    spent: Cell<u64>,
    stuck: Cell<u64>,
}

/// A lock put aside in some state.
#[derive(Clone)]
pub(super) struct Aside<B> {
    bench: B,
    tokens: u32,
}

impl<'b, B: Bench> Lab<'b, B> {
    /// A lab that may spend this.
    pub(super) fn new(fresh: &'b B, budget: Budget) -> Self {
        Self {
            fresh,
            left: Cell::new(budget),
            spent: Cell::new(0),
            stuck: Cell::new(0),
        }
    }

    /// The lock that is never used itself.
    pub(super) fn bench(&self) -> &'b B {
        self.fresh
    }

    /// Allows at least this much from now on.
    pub(super) fn allow(&self, more: Budget) {
        let left = self.left.get();
        self.left.set(Budget {
            calls: left.calls.max(more.calls),
            cost: left.cost.max(more.cost),
        });
    }

    /// Goes on with a lock that was put aside.
    pub(super) fn resume(&self, aside: &Aside<B>) -> Session<'_, 'b, B> {
        Session {
            lab: self,
            bench: aside.bench.clone(),
            tokens: aside.tokens,
        }
    }

    /// Decisions of a lock nobody has used that rest on a guess.
    pub(super) fn guessed(&self) -> u32 {
        self.fresh.guessed()
    }

    /// What can be called.
    pub(super) fn operations(&self) -> &'b [Operation] {
        self.fresh.operations()
    }

    /// The name of an operation.
    pub(super) fn name(&self, operation: usize) -> &'b str {
        &self.operations()[operation].name
    }

    /// A lock nobody has used.
    pub(super) fn session(&self) -> Session<'_, 'b, B> {
        Session {
            lab: self,
            bench: self.fresh.clone(),
            tokens: 0,
        }
    }

    /// Nothing more can be tried.
    pub(super) fn is_spent(&self) -> bool {
        self.left.get().calls == 0 || self.left.get().cost == 0
    }

    /// What was spent, in instructions.
    pub(super) fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Steps that could not be followed.
    pub(super) fn stuck(&self) -> u64 {
        self.stuck.get()
    }

    fn charge(&self, cost: u64) {
        self.spent.set(self.spent.get().saturating_add(CALL + cost));
        let left = self.left.get();
        self.left.set(Budget {
            calls: left.calls.saturating_sub(1),
            cost: left.cost.saturating_sub(cost),
        });
    }

    /// Counts what cannot be followed.
    fn note(&self, reaction: &Reaction) {
        let others = reaction.others.iter().map(|o| &o.1);
        let mut all = others.chain([&reaction.own]);
        if all.any(|o| *o == Outcome::Stuck) {
            self.stuck.set(self.stuck.get() + 1);
        }
    }
}

/// One lock in use.
pub(super) struct Session<'l, 'b, B> {
    lab: &'l Lab<'b, B>,
    bench: B,
    tokens: u32,
}

impl<B: Bench> Clone for Session<'_, '_, B> {
    fn clone(&self) -> Self {
        Self {
            lab: self.lab,
            bench: self.bench.clone(),
            tokens: self.tokens,
        }
    }
}

impl<B: Bench> Session<'_, '_, B> {
    /// Something was decided by a guess since the lock was fresh.
    pub(super) fn has_guessed(&self) -> bool {
        self.bench.guessed() > self.lab.guessed()
    }

    /// Puts the lock aside as it is.
    pub(super) fn aside(self) -> Aside<B> {
        Aside {
            bench: self.bench,
            tokens: self.tokens,
        }
    }

    /// The token the next call gets.
    pub(super) fn next_token(&self) -> u32 {
        self.tokens + 1
    }

    /// An idle thread calls an operation. Without budget, it cannot be followed.
    pub(super) fn call(&mut self, thread: usize, operation: usize) -> Reaction {
        self.tokens += 1;
        let token = self.tokens;
        self.step(|bench| bench.call(thread, operation, token))
    }

    /// The time limit of a waiting thread passes.
    pub(super) fn expire(&mut self, thread: usize) -> Reaction {
        self.step(|bench| bench.expire(thread))
    }

    /// Of those that can go on, who came last does so first from now on.
    pub(super) fn turn_round(&mut self) {
        self.bench.turn_round();
    }

    /// Much time passes.
    pub(super) fn idle(&mut self) {
        self.bench.idle();
    }

    /// The thread waits with a time limit.
    pub(super) fn can_expire(&self, thread: usize) -> bool {
        self.bench.can_expire(thread)
    }

    fn step(&mut self, act: impl FnOnce(&mut B) -> Reaction) -> Reaction {
        if self.lab.is_spent() {
            return Reaction {
                own: Outcome::Stuck,
                others: Vec::new(),
            };
        }
        let before = self.bench.cost();
        let reaction = act(&mut self.bench);
        self.lab.charge(self.bench.cost().saturating_sub(before));
        self.lab.note(&reaction);
        reaction
    }

    /// Calls; true if the call returned.
    pub(super) fn passes(&mut self, thread: usize, operation: usize) -> bool {
        matches!(self.call(thread, operation).own, Outcome::Passed(_))
    }

    /// Calls; true if the thread waits now.
    pub(super) fn waits(&mut self, thread: usize, operation: usize) -> bool {
        matches!(self.call(thread, operation).own, Outcome::Waits { .. })
    }

    /// Calls; true if the call returned and let the other thread go.
    pub(super) fn frees(&mut self, thread: usize, operation: usize, other: usize) -> bool {
        let reaction = self.call(thread, operation);
        matches!(reaction.own, Outcome::Passed(_)) && reaction.let_go(other)
    }
}

impl Reaction {
    /// It let this thread finish its call.
    pub(super) fn let_go(&self, thread: usize) -> bool {
        let mut others = self.others.iter();
        others.any(|(t, o)| *t == thread && matches!(o, Outcome::Passed(_)))
    }
}
