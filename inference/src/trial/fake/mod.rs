//! Locks of every type, and broken ones, written as guarded state: benches for tests.

mod counting;
mod meeting;
mod rooms;
mod sharing;
mod work;

pub(super) use counting::{
    Counter, CounterFault, Fifo, FifoFault, Mutual, MutualFault, Order, Turns, Window,
};
pub(super) use meeting::{
    Handover, HandoverFault, Meeting, MeetingFault, Molecule, Opening, OpeningKind, Registering,
    Stages,
};
pub(super) use rooms::{Ample, Bounded, Forks, Keyed, Sitting, Washroom};
pub(super) use sharing::{Preference, Sharing, SharingFault, Upgrading};
pub(super) use work::{Over, Worklist};

use super::bench::{Bench, Operation, Outcome, Reaction, Returned};
use crate::region::RegionId;

/// What a call attempts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    pub(super) thread: usize,
    pub(super) name: &'static str,
    pub(super) token: u32,
}

/// What comes of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Did {
    Pass(Returned),
    /// Waits until somebody notifies.
    Wait,
    /// Waits for a time.
    WaitTimed,
    Throw,
    Stuck,
}

/// Passes without a result.
pub(super) const DONE: Did = Did::Pass(Returned::Nothing);

/// A truth value.
pub(super) fn truth(so: bool) -> Did {
    Did::Pass(Returned::Number(i64::from(so)))
}

/// State under one monitor. Whoever changes it notifies everybody.
pub(super) trait Subject: Clone {
    /// Names of its operations.
    fn names(&self) -> Vec<&'static str>;
    /// The region of an operation: several may be ways of calling one method.
    fn region(&self, operation: u32) -> u32 {
        operation
    }
    /// An operation hands in one thing after the other, each of which another one of its region hands in for good.
    fn alternates(&self, _name: &str) -> bool {
        false
    }
    /// It is made as the program makes it.
    fn is_genuine(&self) -> bool {
        false
    }
    /// What a call does once, before its first attempt.
    fn arrive(&mut self, _call: &Attempt) {}
    /// Looks whether it can pass, and does.
    fn attempt(&mut self, call: &Attempt) -> Did;
    /// A timed waiter gives up.
    fn leave(&mut self, _call: &Attempt) -> Did {
        truth(false)
    }
}

/// A subject with its threads.
#[derive(Clone)]
pub(super) struct Fake<S> {
    subject: S,
    names: Vec<&'static str>,
    operations: Vec<Operation>,
    waiting: Vec<(Attempt, bool)>,
    cost: u64,
}

impl<S: Subject> Fake<S> {
    /// Region `n` is that of the subject's `n`th operation, in whatever order they are listed.
    pub(super) fn new(subject: S, rotate: usize) -> Self {
        let mut numbered: Vec<_> = subject.names().into_iter().zip(0..).collect();
        let by = rotate % numbered.len();
        numbered.rotate_left(by);
        let operation = |&(name, n): &(&'static str, u32)| Operation {
            regions: vec![RegionId(subject.region(n))],
            name: format!("Fake.{name}()"),
            once: false,
            alternates: subject.alternates(name),
        };
        Self {
            operations: numbered.iter().map(operation).collect(),
            names: numbered.iter().map(|n| n.0).collect(),
            subject,
            waiting: Vec::new(),
            cost: 0,
        }
    }

    /// Everybody looks again until nobody passes any more.
    fn settle(&mut self) -> Vec<(usize, Outcome)> {
        let mut done = Vec::new();
        let mut at = 0;
        while at < self.waiting.len() {
            let call = self.waiting[at].0;
            match self.subject.attempt(&call) {
                Did::Wait | Did::WaitTimed => at += 1,
                did => {
                    self.waiting.remove(at);
                    done.push((call.thread, outcome(did)));
                    at = 0;
                }
            }
        }
        done
    }
}

fn outcome(did: Did) -> Outcome {
    match did {
        Did::Pass(value) => Outcome::Passed(value),
        Did::Wait => Outcome::Waits { timed: false },
        Did::WaitTimed => Outcome::Waits { timed: true },
        Did::Throw => Outcome::Threw,
        Did::Stuck => Outcome::Stuck,
    }
}

impl<S: Subject> Bench for Fake<S> {
    fn operations(&self) -> &[Operation] {
        &self.operations
    }

    fn call(&mut self, thread: usize, operation: usize, token: u32) -> Reaction {
        assert!(
            self.waiting.iter().all(|w| w.0.thread != thread),
            "a thread that waits cannot call"
        );
        self.cost += 20;
        let call = Attempt {
            thread,
            name: self.names[operation],
            token,
        };
        self.subject.arrive(&call);
        let did = self.subject.attempt(&call);
        let others = self.settle();
        match did {
            Did::Wait => self.waiting.push((call, false)),
            Did::WaitTimed => self.waiting.push((call, true)),
            _ => {}
        }
        let own = outcome(did);
        Reaction { own, others }
    }

    fn expire(&mut self, thread: usize) -> Reaction {
        self.cost += 20;
        let at = self
            .waiting
            .iter()
            .position(|w| w.0.thread == thread && w.1);
        let (call, _) = self.waiting.remove(at.expect("only timed waits expire"));
        let own = outcome(self.subject.leave(&call));
        let others = self.settle();
        Reaction { own, others }
    }

    fn can_expire(&self, thread: usize) -> bool {
        self.waiting.iter().any(|w| w.0.thread == thread && w.1)
    }

    fn cost(&self) -> u64 {
        self.cost
    }

    fn is_genuine(&self) -> bool {
        self.subject.is_genuine()
    }
}
