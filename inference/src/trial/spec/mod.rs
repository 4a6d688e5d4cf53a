//! Specifications: what a lock of a type lets pass and what it makes wait, whatever it is made of.
//!
//! Each is a reference machine. A [`Call`] may be made when the protocol [`Spec::allows`] it; it
//! passes when its [`Guard`] is open. Where correct locks differ (who goes first), the guard says
//! `Either`, and nothing is predicted.

mod barrier;
mod event;
mod handoff;
mod latch;
mod lock;
mod queue;
mod read_write;
mod room;
mod semaphore;

pub(super) use barrier::Barrier;
pub(super) use event::Event;
pub(super) use handoff::Handoff;
pub(super) use latch::{Counting, Latch};
pub(super) use lock::Lock;
pub(super) use queue::{Drain, Ends, Queue};
pub(super) use read_write::ReadWrite;
pub(super) use room::Room;
pub(super) use semaphore::{Giving, Semaphore};

use super::bench::Returned;
use crate::types::{LockType, Role};
use std::collections::BTreeMap;

/// An operation in a role.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Member {
    /// Which operation of the bench.
    pub(super) operation: usize,
    /// How many units it moves; [`ALL`]: whatever there is.
    pub(super) weight: u32,
    /// What it returns instead of waiting.
    pub(super) refusal: Option<Returned>,
}

/// The weight of an operation that takes all there is.
pub(super) const ALL: u32 = u32::MAX;

impl Member {
    /// One that moves one unit and waits if it must.
    pub(super) fn plain(operation: usize) -> Self {
        Self {
            operation,
            weight: 1,
            refusal: None,
        }
    }
}

/// Those who set how it goes, and are none of those whom it keeps waiting or lets go: who shuts an event, who registers
/// at a barrier. A role within trials only.
pub(super) const SETS: Role = Role::Enter;

/// Which operations play which role.
pub(super) type Cast = BTreeMap<Role, Vec<Member>>;

/// A call that is being made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) thread: usize,
    pub(super) role: Role,
    pub(super) member: Member,
    pub(super) token: u32,
}

/// Whether a call passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guard {
    /// It must.
    Open,
    /// It must not.
    Shut,
    /// Correct locks differ.
    Either,
}

impl Guard {
    /// Open if so, else shut.
    fn open_if(so: bool) -> Self {
        if so { Self::Open } else { Self::Shut }
    }
}

/// A call did something that no lock of the type does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Impossible;

/// How long and with how many threads a walk must be to meet every case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) threads: usize,
    pub(super) steps: usize,
}

/// A reference machine of a type.
pub(super) trait Spec {
    /// A correct program may make this call now.
    fn allows(&self, call: &Call) -> bool;
    /// What a call does before it can wait.
    fn arrive(&mut self, _call: &Call) {}
    /// Whether the call passes while these others wait.
    fn guard(&self, call: &Call, waiting: &[Call]) -> Guard;
    /// What is learnt from a call that has to wait, where that could not be said beforehand.
    fn waits(&mut self, _call: &Call) {}
    /// What is learnt of the time before from a call that passes, where that could not be said.
    fn passes(&mut self, _call: &Call) {}
    /// What a call does when it passes, and whether what it returned can be. True: something
    /// handed in by another call came out.
    fn complete(&mut self, call: &Call, returned: Returned) -> Result<bool, Impossible>;
    /// Somebody ought to have passed, though nobody in particular.
    fn is_stalled(&self, _waiting: &[Call]) -> bool {
        false
    }
    /// A wake-up may have gone to a waiter of the other kind.
    fn forgives(&self, _waiting: &[Call]) -> bool {
        false
    }
    /// Calls in this role wait at times.
    fn blocks(&self, role: Role) -> bool;
    /// A step can leave a waiter waiting.
    fn keeps(&self) -> bool {
        true
    }
    /// A waiter whose time is up leaves everything as if it had not come.
    fn may_leave(&self) -> bool {
        true
    }
    /// A long time passes. True: it lets those go who waited for that.
    fn outlast(&mut self) -> bool {
        false
    }
    /// A call in this role may end by an exception where it may pass: what it waited for failed.
    fn may_fail(&self, _role: Role) -> bool {
        false
    }
    /// Walks that meet every case.
    fn extent(&self) -> Extent;
}

/// The machine of one type with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Machine {
    Lock(Lock),
    Semaphore(Semaphore),
    Queue(Queue),
    Handoff(Handoff),
    ReadWrite(ReadWrite),
    Barrier(Barrier),
    Latch(Latch),
    Event(Event),
    Room(Room),
}

impl Machine {
    /// Its rules.
    pub(super) fn spec(&self) -> &dyn Spec {
        match self {
            Self::Lock(m) => m,
            Self::Semaphore(m) => m,
            Self::Queue(m) => m,
            Self::Handoff(m) => m,
            Self::ReadWrite(m) => m,
            Self::Barrier(m) => m,
            Self::Latch(m) => m,
            Self::Event(m) => m,
            Self::Room(m) => m,
        }
    }

    /// Its rules, to make steps.
    pub(super) fn spec_mut(&mut self) -> &mut dyn Spec {
        match self {
            Self::Lock(m) => m,
            Self::Semaphore(m) => m,
            Self::Queue(m) => m,
            Self::Handoff(m) => m,
            Self::ReadWrite(m) => m,
            Self::Barrier(m) => m,
            Self::Latch(m) => m,
            Self::Event(m) => m,
            Self::Room(m) => m,
        }
    }

    /// The type it specifies.
    pub(super) fn lock_type(&self) -> LockType {
        match self {
            Self::Lock(_) => LockType::Lock,
            Self::Semaphore(_) => LockType::Semaphore,
            Self::Queue(_) | Self::Handoff(_) => LockType::ProducerConsumer,
            Self::ReadWrite(_) => LockType::ReadWrite,
            Self::Barrier(_) => LockType::Barrier,
            Self::Latch(_) => LockType::Latch,
            Self::Event(_) | Self::Room(_) => LockType::Condition,
        }
    }
}
