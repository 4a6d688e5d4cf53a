//! A room, or several things, that calls of some kinds cannot have at the same time as calls of others. CONDITION: no type
//! of the table excludes but by number, or everybody.

use super::super::bench::Returned;
use super::{Call, Extent, Guard, Impossible, Spec};
use crate::types::Role;
use std::collections::{BTreeMap, BTreeSet};

/// The machine of a room. The weight of an operation is its kind, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Room {
    /// Most of each kind inside at once, if there is a bound.
    most: Vec<Option<u32>>,
    /// Kinds that are not inside together, the lesser first; a kind may be apart from itself.
    apart: BTreeSet<(u32, u32)>,
    /// Who is inside, and of which kind.
    inside: BTreeMap<usize, u32>,
}

impl Room {
    /// Two groups that share it each by itself, so many of each at most.
    pub(in super::super) fn of_groups(most: [Option<u32>; 2]) -> Self {
        Self {
            most: most.into(),
            apart: BTreeSet::from([(1, 2)]),
            inside: BTreeMap::new(),
        }
    }

    /// Three who each take some of several things: the second needs something of the first's and of the third's.
    pub(in super::super) fn of_things() -> Self {
        Self {
            most: vec![None; 3],
            apart: BTreeSet::from([(1, 1), (2, 2), (3, 3), (1, 2), (2, 3)]),
            inside: BTreeMap::new(),
        }
    }

    /// Groups share it.
    pub(in super::super) fn is_of_groups(&self) -> bool {
        self.most.len() == 2
    }

    /// All kinds.
    pub(in super::super) fn kinds(&self) -> std::ops::RangeInclusive<u32> {
        1..=self.most.len() as u32
    }

    fn is_closed(&self, kind: u32) -> bool {
        let alike = self.inside.values().filter(|&&k| k == kind).count();
        let most = self.most[kind as usize - 1];
        let apart = |&other: &u32| self.apart.contains(&(kind.min(other), kind.max(other)));
        most.is_some_and(|most| alike >= most as usize) || self.inside.values().any(apart)
    }
}

impl Spec for Room {
    fn allows(&self, call: &Call) -> bool {
        let inside = self.inside.get(&call.thread);
        match call.role {
            Role::Wait => inside.is_none(),
            _ => inside == Some(&call.member.weight),
        }
    }

    /// Whether those go on coming in to whom it is open while others wait is for each to decide.
    fn guard(&self, call: &Call, waiting: &[Call]) -> Guard {
        match call.role {
            Role::Wait if self.is_closed(call.member.weight) => Guard::Shut,
            Role::Wait if !waiting.is_empty() => Guard::Either,
            _ => Guard::Open,
        }
    }

    fn complete(&mut self, call: &Call, _returned: Returned) -> Result<bool, Impossible> {
        match call.role {
            Role::Wait => _ = self.inside.insert(call.thread, call.member.weight),
            _ => _ = self.inside.remove(&call.thread),
        }
        Ok(false)
    }

    fn is_stalled(&self, waiting: &[Call]) -> bool {
        self.inside.is_empty() && !waiting.is_empty()
    }

    fn blocks(&self, role: Role) -> bool {
        role == Role::Wait
    }

    fn extent(&self) -> Extent {
        let most = self.most.iter().flatten().max().copied().unwrap_or(0);
        Extent {
            threads: 6.max(most as usize + 2),
            steps: 24,
        }
    }
}
