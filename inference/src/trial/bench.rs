//! What a trial needs of a fresh lock: operations that simulated threads call, and what becomes
//! of the calls.

use crate::region::RegionId;
use std::collections::BTreeSet;

/// What can be called on the lock, and how (one method with one way of choosing its arguments).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The regions of the lock under study that its method contains, outermost first (never empty).
    pub regions: Vec<RegionId>,
    /// For evidence text: `Gate.enter(1)`.
    pub name: String,
    /// It is what a task does: no program calls it twice.
    pub once: bool,
    /// An argument is another one from call to call, each of which another operation has for good.
    pub alternates: bool,
}

/// How a call ended or where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Returned, with what it returned.
    Passed(Returned),
    /// Waits in `Object.wait`, or for a monitor whose owner waits elsewhere.
    Waits {
        /// With a time limit.
        timed: bool,
    },
    /// Ended by an exception.
    Threw,
    /// Cannot be followed: the trial is inconclusive from here on.
    Stuck,
}

/// What a call returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Returned {
    /// Nothing: the method is `void`.
    Nothing,
    /// A number, or a box of one.
    Number(i64),
    /// The object (or number) that was handed in by the call with this token.
    Token(u32),
    /// `null`.
    Null,
    /// Something else, or a number that is not known.
    Other,
}

/// What a step did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// The outcome of the calling thread.
    pub own: Outcome,
    /// Every other thread that finished, threw or got stuck because of it, in order. Threads
    /// that woke and wait again are not listed.
    pub others: Vec<(usize, Outcome)>,
}

/// A fresh lock with threads 0.. that are idle; cloned to start again.
pub trait Bench: Clone {
    /// What can be called.
    fn operations(&self) -> &[Operation];
    /// An idle thread calls an operation; everything then runs until it is quiet. `token`
    /// identifies this call's object arguments.
    fn call(&mut self, thread: usize, operation: usize, token: u32) -> Reaction;
    /// The time limit of a thread's timed wait passes (its clock, too); runs until quiet.
    /// `own` is the waiting thread's outcome.
    fn expire(&mut self, thread: usize) -> Reaction;
    /// The thread waits with a time limit.
    fn can_expire(&self, thread: usize) -> bool;
    /// Work done so far, in instructions (for budgets).
    fn cost(&self) -> u64;
    /// The same, but that every number which these operations are only supposed to be called with is one higher; none if
    /// there are no such numbers.
    fn otherwise(&self, _operations: &BTreeSet<usize>) -> Option<Self> {
        None
    }
    /// From now on those that can go on do so in the order opposite to that of their coming: a JVM promises none.
    fn turn_round(&mut self) {}
    /// Much time passes in which nobody does anything, and no time limit ends a wait.
    fn idle(&mut self) {}
    /// The same, but that the objects which this operation is handed have this number wherever they are made with one; none if it is
    /// handed none.
    fn with_numbers(&self, _operation: usize, _number: i64) -> Option<Self> {
        None
    }
    /// Whether some method of the program calls both operations; none if one of them is called nowhere.
    fn together(&self, _one: usize, _other: usize) -> Option<bool> {
        None
    }
    /// The second operation is called as time passes, and not in return for the first.
    fn is_by_clock(&self, _take: usize, _give: usize) -> bool {
        false
    }
    /// Wherever an operation is called, the same method has called the first one before, and not the last one since.
    fn comes_after(&self, _operation: usize, _first: usize, _last: Option<usize>) -> bool {
        false
    }
    /// Wherever the first operation is called, the same method can go on to the second.
    fn goes_on(&self, _first: usize, _then: usize) -> bool {
        false
    }
    /// Two ways of calling one method differ in what they hand in for good, not only in whether all calls hand in the same.
    fn are_told_apart(&self, _one: usize, _other: usize) -> bool {
        true
    }
    /// The regions that an operation begins with: one, or one for each of its steps.
    fn outermost(&self, operation: usize) -> Vec<RegionId> {
        self.operations()[operation]
            .regions
            .first()
            .copied()
            .into_iter()
            .collect()
    }
    /// It was made as the program makes it, so its numbers are the program's.
    fn is_genuine(&self) -> bool {
        false
    }
    /// No argument of the operation is a number that differs from call to call.
    fn is_alike(&self, _operation: usize) -> bool {
        true
    }
    /// The operation is told nothing.
    fn is_bare(&self, _operation: usize) -> bool {
        true
    }
    /// How much it takes or gives is a number of the object that it is handed.
    fn is_by_what_is_handed(&self, _operation: usize) -> bool {
        false
    }
    /// A fresh lock has this number somewhere, or its code.
    fn is_written(&self, _number: u32) -> bool {
        true
    }
    /// Other objects of the same lock have another number where this one has it.
    fn varies(&self, _number: u64) -> bool {
        false
    }
    /// Decisions so far of this lock that rest on a guess at what is not known.
    fn guessed(&self) -> u32 {
        0
    }
    /// Other objects of the program hold such a lock as well, and go about it in their own way.
    fn is_of_several_kinds(&self) -> bool {
        false
    }

    /// What was assumed so far of code that is not known.
    fn assumed(&self) -> Vec<&'static str> {
        Vec::new()
    }
}
