//! LOCK: one holder at a time, who gives it back himself.

use super::super::bench::Returned;
use super::{ALL, Call, Extent, Guard, Impossible, Spec};
use crate::types::Role;

/// How deep walks nest.
const DEEPEST: u32 = 3;

/// The machine of a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Lock {
    /// Its holder may take it again, and gives it back as often.
    pub(in super::super) reentrant: bool,
    holder: Option<usize>,
    depth: u32,
}

impl Lock {
    /// A lock that is free.
    pub(in super::super) fn new(reentrant: bool) -> Self {
        Self {
            reentrant,
            holder: None,
            depth: 0,
        }
    }

    fn is_mine(&self, call: &Call) -> bool {
        self.holder == Some(call.thread)
    }
}

impl Spec for Lock {
    fn allows(&self, call: &Call) -> bool {
        match call.role {
            Role::Lock => !self.is_mine(call) || self.reentrant && self.depth < DEEPEST,
            Role::Unlock => self.is_mine(call),
            _ => false,
        }
    }

    fn guard(&self, call: &Call, _waiting: &[Call]) -> Guard {
        let mine = self.reentrant && self.is_mine(call);
        Guard::open_if(call.role == Role::Unlock || self.holder.is_none() || mine)
    }

    fn complete(&mut self, call: &Call, _returned: Returned) -> Result<bool, Impossible> {
        if call.role == Role::Lock {
            self.holder = Some(call.thread);
            self.depth += 1;
        } else {
            self.depth = match call.member.weight {
                ALL => 0,
                _ => self.depth - 1,
            };
            self.holder = self.holder.filter(|_| self.depth > 0);
        }
        Ok(false)
    }

    fn blocks(&self, role: Role) -> bool {
        role == Role::Lock
    }

    fn extent(&self) -> Extent {
        Extent {
            threads: 4,
            steps: 18,
        }
    }
}
