//! LATCH: opens once, after a number of count-downs, for good.

use super::super::bench::Returned;
use super::{Call, Extent, Guard, Impossible, Spec};
use crate::types::Role;
use std::collections::BTreeSet;

/// Who may count down in a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Counting {
    /// Anybody, also when it is open.
    Anybody,
    /// Anybody while it is shut.
    Shut,
    /// Each thread once, while it is shut.
    OnceEach,
}

/// The machine of a latch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Latch {
    /// Count-downs that open it.
    pub(in super::super) count: u32,
    /// Who counts down.
    pub(in super::super) counting: Counting,
    left: u32,
    counted: BTreeSet<usize>,
    given: BTreeSet<u32>,
}

impl Latch {
    /// A latch that is shut.
    pub(in super::super) fn new(count: u32, counting: Counting) -> Self {
        Self {
            count,
            counting,
            left: count,
            counted: BTreeSet::new(),
            given: BTreeSet::new(),
        }
    }

    fn may_count(&self, thread: usize) -> bool {
        match self.counting {
            Counting::Anybody => true,
            Counting::Shut => self.left > 0,
            Counting::OnceEach => self.left > 0 && !self.counted.contains(&thread),
        }
    }
}

impl Spec for Latch {
    fn allows(&self, call: &Call) -> bool {
        match call.role {
            Role::CountDown => self.may_count(call.thread),
            role => role == Role::Await,
        }
    }

    fn guard(&self, call: &Call, _waiting: &[Call]) -> Guard {
        Guard::open_if(call.role == Role::CountDown || self.left == 0)
    }

    fn complete(&mut self, call: &Call, returned: Returned) -> Result<bool, Impossible> {
        if call.role == Role::CountDown {
            self.left = self.left.saturating_sub(1);
            self.counted.insert(call.thread);
            self.given.insert(call.token);
            return Ok(false);
        }
        Ok(matches!(returned, Returned::Token(t) if self.given.contains(&t)))
    }

    fn blocks(&self, role: Role) -> bool {
        role == Role::Await
    }

    fn may_fail(&self, role: Role) -> bool {
        role == Role::Await
    }

    fn extent(&self) -> Extent {
        let count = self.count as usize;
        Extent {
            threads: count + 4,
            steps: 14 + 2 * count,
        }
    }
}
