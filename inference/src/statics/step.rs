//! Atomic steps: what a region does between acquiring its monitor and giving it up.

use super::expr::{Expr, Site};
use super::facts::Facts;
use std::collections::{BTreeMap, BTreeSet};

/// Where a step begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum From {
    /// Entering the region.
    Entry,
    /// A wait returns.
    Wait(Site),
}

/// The time-out of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Timeout {
    /// None.
    Never,
    /// A constant number of milliseconds.
    Millis(i64),
    /// Some value.
    Some,
}

/// How a step ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    /// The region is left, from a method with this result if any.
    Leaves(Option<Expr>),
    /// A wait on the lock.
    Waits(Site, Timeout),
    /// An exception is thrown.
    Throws,
}

/// A notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Note {
    /// `notifyAll`.
    pub(super) all: bool,
    /// The object, if it is not the lock of the region.
    pub(super) other: Option<Expr>,
}

/// One atomic step along one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) from: From,
    pub(super) end: End,
    /// What was found true at its beginning.
    pub(super) facts: Facts,
    /// New contents of places.
    pub(super) updates: BTreeMap<Expr, Expr>,
    /// Places read.
    pub(super) reads: BTreeSet<Expr>,
    pub(super) notes: Vec<Note>,
    /// Values put into arrays, collections or linked objects.
    pub(super) stored: BTreeSet<Expr>,
    /// Calls that could not be followed.
    pub(super) opaque: u32,
    /// A wait on another monitor while this one is held.
    pub(super) foreign_wait: bool,
    /// What the method goes on to do with objects made or found in a block, once it has left it.
    pub(super) after: After,
}

impl Step {
    /// They differ at most in what follows.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.from == other.from
            && self.end == other.end
            && self.facts == other.facts
            && self.updates == other.updates
            && self.notes == other.notes
            && self.stored == other.stored
            && self.reads == other.reads
            && (self.opaque, self.foreign_wait) == (other.opaque, other.foreign_wait)
    }
}

/// What follows a block on the same path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct After {
    /// It waits on an object made on this path, which others may find in the lock's state.
    pub(super) waits: bool,
    /// It notifies some other object.
    pub(super) notifies: bool,
}

impl After {
    pub(super) fn join(&mut self, other: Self) {
        self.waits |= other.waits;
        self.notifies |= other.notifies;
    }
}

/// All steps found.
#[derive(Clone, Debug, Default)]
pub(super) struct Explored {
    pub(super) steps: Vec<Step>,
    /// Some paths were not followed to their end.
    pub(super) cut: bool,
}
