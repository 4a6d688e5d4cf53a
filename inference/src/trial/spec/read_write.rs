//! READ-WRITE: readers share, writers exclude everybody.

use super::super::bench::Returned;
use super::{Call, Extent, Guard, Impossible, Spec};
use crate::types::Role;
use std::collections::BTreeSet;

/// The machine of a read-write lock of any preference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct ReadWrite {
    /// Most readers inside at once, if there is a bound.
    pub(in super::super) most: Option<usize>,
    readers: BTreeSet<usize>,
    writer: Option<usize>,
}

impl ReadWrite {
    /// A lock that lets in so many readers at once.
    pub(in super::super) fn bounded(most: Option<usize>) -> Self {
        Self {
            most,
            ..Self::default()
        }
    }

    fn is_full(&self) -> bool {
        self.most.is_some_and(|most| self.readers.len() >= most)
    }

    fn is_free(&self) -> bool {
        self.writer.is_none() && self.readers.is_empty()
    }

    fn holds(&self, thread: usize) -> bool {
        self.writer == Some(thread) || self.readers.contains(&thread)
    }
}

impl Spec for ReadWrite {
    fn allows(&self, call: &Call) -> bool {
        match call.role {
            Role::ReadLock | Role::WriteLock => !self.holds(call.thread),
            Role::ReadUnlock => self.readers.contains(&call.thread),
            Role::WriteUnlock => self.writer == Some(call.thread),
            _ => false,
        }
    }

    /// Who is preferred, readers, writers or the first, is for each lock to decide.
    fn guard(&self, call: &Call, waiting: &[Call]) -> Guard {
        let writers = waiting.iter().any(|w| w.role == Role::WriteLock);
        match call.role {
            Role::ReadLock if self.writer.is_some() || self.is_full() => Guard::Shut,
            Role::ReadLock if writers => Guard::Either,
            Role::WriteLock if !self.is_free() => Guard::Shut,
            Role::WriteLock if !waiting.is_empty() => Guard::Either,
            _ => Guard::Open,
        }
    }

    fn complete(&mut self, call: &Call, _returned: Returned) -> Result<bool, Impossible> {
        match call.role {
            Role::ReadLock => _ = self.readers.insert(call.thread),
            Role::ReadUnlock => _ = self.readers.remove(&call.thread),
            Role::WriteLock => self.writer = Some(call.thread),
            _ => self.writer = None,
        }
        Ok(false)
    }

    fn is_stalled(&self, waiting: &[Call]) -> bool {
        self.is_free() && !waiting.is_empty()
    }

    fn blocks(&self, role: Role) -> bool {
        matches!(role, Role::ReadLock | Role::WriteLock)
    }

    fn extent(&self) -> Extent {
        Extent {
            threads: 6.max(self.most.unwrap_or(0) + 2),
            steps: 20,
        }
    }
}
