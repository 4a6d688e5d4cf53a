//! An event that can be reset: whoever waits passes while it is open; it is opened and shut again by others. CONDITION.

use super::super::bench::Returned;
use super::{Call, Extent, Guard, Impossible, SETS, Spec};
use crate::types::Role;

/// The machine of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Event {
    open: bool,
}

impl Event {
    /// An event that begins open or shut.
    pub(in super::super) fn new(open: bool) -> Self {
        Self { open }
    }
}

impl Spec for Event {
    fn allows(&self, _call: &Call) -> bool {
        true
    }

    fn guard(&self, call: &Call, _waiting: &[Call]) -> Guard {
        Guard::open_if(self.open || call.role != Role::Wait)
    }

    fn complete(&mut self, call: &Call, _returned: Returned) -> Result<bool, Impossible> {
        match call.role {
            Role::Notify => self.open = true,
            SETS => self.open = false,
            _ => {}
        }
        Ok(false)
    }

    fn blocks(&self, role: Role) -> bool {
        role == Role::Wait
    }

    fn extent(&self) -> Extent {
        Extent {
            threads: 5,
            steps: 24,
        }
    }
}
