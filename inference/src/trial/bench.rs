//! What a lock under trial is, seen from outside: operations that threads call, and what comes of it.
//!
//! The machine that runs bytecode is one such bench; tests have others. Specifications and the
//! search for roles know nothing else of the lock.

use crate::region::RegionId;

/// What can be called on the lock, and how (one method with one way of choosing its arguments).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    /// The regions of the lock under study that its method contains, outermost first (never empty).
    pub regions: Vec<RegionId>,
    /// For the text of evidence: "Gate.enter(1)".
    pub name: String,
}

/// How a call ended or where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Returned.
    Passed(Returned),
    /// Waits in `Object.wait`; `timed`: with a time limit.
    Waits {
        /// The wait has a time limit, which `Bench::expire` lets pass.
        timed: bool,
    },
    /// Ended by an exception.
    Threw,
    /// Cannot be followed: the trial is inconclusive from here on.
    Stuck,
}

/// What a call returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Returned {
    /// It returns nothing.
    Nothing,
    /// A number, a truth value among them.
    Number(i64),
    /// The object (or number) that was handed in by the call with this token.
    Token(u32),
    /// No object.
    Null,
    /// Some other object.
    Other,
}

/// What a step did: the outcome of the calling thread, and every other thread that finished
/// (or is stuck, or threw) because of it, in order. Threads that woke and wait again are not
/// listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reaction {
    /// Where the calling thread stands.
    pub own: Outcome,
    /// What became of others.
    pub others: Vec<(usize, Outcome)>,
}

/// A fresh lock with threads 0.. that are idle; cloned to start again.
pub(crate) trait Bench: Clone {
    /// What can be called.
    fn operations(&self) -> &[Operation];
    /// An idle thread calls an operation; everything then runs until it is quiet. `token`
    /// identifies this call's object arguments.
    fn call(&mut self, thread: usize, operation: usize, token: u32) -> Reaction;
    /// The time limit of a thread's timed wait passes (its clock, too); runs until quiet. `own`:
    /// the waiting thread's outcome.
    fn expire(&mut self, thread: usize) -> Reaction;
    /// Work done so far, in instructions (for budgets).
    fn cost(&self) -> u64;
}
