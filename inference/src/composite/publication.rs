//! Fields written under one monitor and waited for on another.

use super::{Coupling, Kind, Touch, couple, pairs};
use crate::program::Program;
use crate::region::{RegionId, RegionPlace, RegionTable};
use locklens_trace::code::{MemberRef, Op};
use std::collections::BTreeSet;

/// Operations that write under a guard what the other monitor, which they notify next, waits for.
pub(super) fn publications(
    fields: &Fields<'_, '_>,
    monitors: &[BTreeSet<RegionId>],
    operations: &[Vec<Touch>],
    is_guard: &[bool],
    found: &mut BTreeSet<Coupling>,
) {
    for operation in operations {
        let follows = |guard: &Touch, room: &Touch| room.notifies && guard.bci < room.bci;
        for (guard, room) in pairs(operation, follows)
            .into_iter()
            .filter(|p| is_guard[p.0])
        {
            let guards = operation.iter().filter(|t| t.monitor == guard);
            let written = fields.all(guards.map(|t| t.region), Access::Write);
            let own = fields.all(monitors[room].iter().copied(), Access::Write);
            let read = fields.all(monitors[room].iter().copied(), Access::ReadToWait);
            if read.iter().any(|f| written.contains(f) && !own.contains(f)) {
                couple(found, guard, room, Kind::Publication);
            }
        }
    }
}

/// Instance fields that a region's own code uses.
pub(super) struct Fields<'a, 'p> {
    pub(super) program: &'a Program<'p>,
    pub(super) table: &'a RegionTable,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Write,
    /// Read, in a region that itself calls `wait`.
    ReadToWait,
}

impl<'p> Fields<'_, 'p> {
    fn all(
        &self,
        regions: impl Iterator<Item = RegionId>,
        access: Access,
    ) -> BTreeSet<&'p MemberRef> {
        regions.flat_map(|region| self.of(region, access)).collect()
    }

    fn of(&self, id: RegionId, access: Access) -> Vec<&'p MemberRef> {
        let Some(region) = self.table.get(id) else {
            return Vec::new();
        };
        let code = self.program.catalog.code.get(&region.method);
        let (Some(nesting), Some(code)) = (self.program.nesting(region.method), code) else {
            return Vec::new();
        };
        let inside = |bci: u16| match region.place {
            RegionPlace::Method => true,
            RegionPlace::Block { ordinal, .. } => nesting.held_at(bci).contains(&ordinal),
            RegionPlace::Unknown { .. } => false,
        };
        let waits = nesting
            .calls
            .iter()
            .any(|c| inside(c.bci) && c.callee.name == "wait");
        if access == Access::ReadToWait && !waits {
            return Vec::new();
        }
        let insns = code.insns.iter().filter(|insn| inside(insn.bci));
        let used = insns.filter_map(|insn| match (&insn.op, access) {
            (Op::PutField(field), Access::Write) | (Op::GetField(field), Access::ReadToWait) => {
                Some(field)
            }
            _ => None,
        });
        used.collect()
    }
}
