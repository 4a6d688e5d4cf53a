//! BARRIER: a number of parties meet, again and again.

use super::super::bench::Returned;
use super::{Call, Extent, Guard, Impossible, SETS, Spec};
use crate::types::Role;
use std::collections::{BTreeMap, BTreeSet};

/// Rounds a walk can see.
const ROUNDS: usize = 4;
/// How many come later where they meet but once.
const LATER: usize = 3;
/// Most parties that register on a walk, with those that it has from the beginning.
const MOST: u32 = 5;

/// The machine of a barrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Barrier {
    /// How many meet.
    pub(in super::super) parties: u32,
    /// Only so many threads exist, or only those come that have registered: each has a place of its own.
    pub(in super::super) places: bool,
    /// Parties register, some perhaps after it was made.
    pub(in super::super) registers: bool,
    /// They meet but once: whoever comes later goes on.
    pub(in super::super) once: bool,
    arrived: u32,
    round: u32,
    /// The round in which a thread came.
    came: BTreeMap<usize, u32>,
    registered: BTreeSet<usize>,
}

impl Barrier {
    /// A barrier at which nobody is.
    pub(in super::super) fn new(parties: u32, places: bool) -> Self {
        Self {
            parties,
            places,
            registers: false,
            once: false,
            arrived: 0,
            round: 0,
            came: BTreeMap::new(),
            registered: BTreeSet::new(),
        }
    }

    /// One that serves for one meeting.
    pub(in super::super) fn for_once(parties: u32) -> Self {
        Self {
            once: true,
            ..Self::new(parties, false)
        }
    }

    /// One at which parties register; those that it has from the beginning need not.
    pub(in super::super) fn of_registered(parties: u32, places: bool) -> Self {
        Self {
            registers: true,
            ..Self::new(parties, places)
        }
    }

    fn is_over(&self) -> bool {
        self.once && self.round > 0
    }

    fn may_register(&self, thread: usize) -> bool {
        self.parties < MOST && !(self.places && self.registered.contains(&thread))
    }

    fn may_arrive(&self, thread: usize) -> bool {
        let expected = !self.places || self.registered.contains(&thread);
        !self.registers || self.parties > 0 && expected
    }
}

impl Spec for Barrier {
    fn allows(&self, call: &Call) -> bool {
        match call.role {
            Role::Arrive => self.may_arrive(call.thread),
            SETS => self.may_register(call.thread),
            _ => false,
        }
    }

    fn arrive(&mut self, call: &Call) {
        if call.role == SETS || self.is_over() {
            return;
        }
        self.came.insert(call.thread, self.round);
        self.arrived += 1;
        if self.arrived == self.parties {
            self.arrived = 0;
            self.round += 1;
        }
    }

    fn guard(&self, call: &Call, _waiting: &[Call]) -> Guard {
        let came = self.came.get(&call.thread);
        let met = came.is_some_and(|&round| round < self.round);
        Guard::open_if(call.role == SETS || met || self.is_over())
    }

    fn complete(&mut self, call: &Call, returned: Returned) -> Result<bool, Impossible> {
        if call.role == SETS {
            self.parties += 1;
            self.registered.insert(call.thread);
            return Ok(false);
        }
        Ok(matches!(returned, Returned::Token(_)))
    }

    fn blocks(&self, role: Role) -> bool {
        role == Role::Arrive
    }

    fn keeps(&self) -> bool {
        self.parties > 2 || self.registers
    }

    /// Who gives up breaks the barrier, or does not.
    fn may_leave(&self) -> bool {
        false
    }

    fn extent(&self) -> Extent {
        let parties = match self.registers {
            true => self.parties.max(MOST),
            false => self.parties,
        };
        let parties = parties as usize;
        Extent {
            threads: parties + if self.places { 0 } else { 2 },
            steps: if self.once {
                LATER + parties
            } else {
                ROUNDS * parties
            },
        }
    }
}
