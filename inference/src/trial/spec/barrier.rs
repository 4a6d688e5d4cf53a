//! BARRIER: a number of parties meet, again and again.

use super::super::bench::Returned;
use super::{Call, Extent, Guard, Impossible, Spec};
use crate::types::Role;
use std::collections::BTreeMap;

/// Rounds a walk can see.
const ROUNDS: usize = 4;

/// The machine of a barrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Barrier {
    /// How many meet.
    pub(in super::super) parties: u32,
    /// Only so many threads exist: each has a place of its own.
    pub(in super::super) places: bool,
    arrived: u32,
    round: u32,
    /// The round in which a thread came.
    came: BTreeMap<usize, u32>,
}

impl Barrier {
    /// A barrier at which nobody is.
    pub(in super::super) fn new(parties: u32, places: bool) -> Self {
        Self {
            parties,
            places,
            arrived: 0,
            round: 0,
            came: BTreeMap::new(),
        }
    }
}

impl Spec for Barrier {
    fn allows(&self, call: &Call) -> bool {
        call.role == Role::Arrive
    }

    fn arrive(&mut self, call: &Call) {
        self.came.insert(call.thread, self.round);
        self.arrived += 1;
        if self.arrived == self.parties {
            self.arrived = 0;
            self.round += 1;
        }
    }

    fn guard(&self, call: &Call, _waiting: &[Call]) -> Guard {
        let came = self.came.get(&call.thread);
        Guard::open_if(came.is_some_and(|&round| round < self.round))
    }

    fn complete(&mut self, _call: &Call, returned: Returned) -> Result<bool, Impossible> {
        Ok(matches!(returned, Returned::Token(_)))
    }

    fn blocks(&self, _role: Role) -> bool {
        true
    }

    fn keeps(&self) -> bool {
        self.parties > 2
    }

    /// Who gives up breaks the barrier, or does not.
    fn may_leave(&self) -> bool {
        false
    }

    fn extent(&self) -> Extent {
        let parties = self.parties as usize;
        Extent {
            threads: parties + if self.places { 0 } else { 2 },
            steps: ROUNDS * parties,
        }
    }
}
