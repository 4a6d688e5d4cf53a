//! PRODUCER-CONSUMER without room: who puts waits for one who takes, and the other way round.

use super::super::bench::Returned;
use super::{Call, Extent, Guard, Impossible, Spec};
use crate::types::Role;
use std::collections::BTreeSet;

/// How often a role was begun and ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Side {
    came: u32,
    went: u32,
}

/// The machine of a hand-over, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Handoff {
    puts: Side,
    takes: Side,
    /// Brought, and not yet taken.
    offered: BTreeSet<u32>,
    gone: BTreeSet<u32>,
}

impl Handoff {
    fn side(&mut self, role: Role) -> &mut Side {
        match role {
            Role::Put => &mut self.puts,
            _ => &mut self.takes,
        }
    }

    /// Hand-overs for which both have come.
    fn pairs(&self) -> u32 {
        self.puts.came.min(self.takes.came)
    }
}

impl Spec for Handoff {
    fn allows(&self, call: &Call) -> bool {
        matches!(call.role, Role::Put | Role::Take)
    }

    fn arrive(&mut self, call: &Call) {
        self.side(call.role).came += 1;
        if call.role == Role::Put {
            self.offered.insert(call.token);
        }
    }

    fn guard(&self, call: &Call, _waiting: &[Call]) -> Guard {
        let went = match call.role {
            Role::Put => self.puts.went,
            _ => self.takes.went,
        };
        Guard::open_if(went < self.pairs())
    }

    fn complete(&mut self, call: &Call, returned: Returned) -> Result<bool, Impossible> {
        self.side(call.role).went += 1;
        match (call.role, returned) {
            (Role::Take, Returned::Token(token)) if self.offered.remove(&token) => {
                self.gone.insert(token);
                Ok(true)
            }
            (Role::Take, Returned::Token(token)) if self.gone.contains(&token) => Err(Impossible),
            _ => Ok(false),
        }
    }

    fn blocks(&self, _role: Role) -> bool {
        true
    }

    /// Who has come is counted.
    fn may_leave(&self) -> bool {
        false
    }

    fn extent(&self) -> Extent {
        Extent {
            threads: 5,
            steps: 16,
        }
    }
}
