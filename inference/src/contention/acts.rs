//! What the regions of a lock that the program has built of a monitor do to it.

use crate::analysis::Analysis;
use crate::model::{LogicalLock, RegionReport};
use crate::region::Region;
use crate::types::Role;
use std::collections::{BTreeMap, BTreeSet};

/// What an operation does to its lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Act {
    /// It acquires.
    pub(super) gets: bool,
    /// Whoever has got through is alone in it.
    pub(super) alone: bool,
    /// What it acquires is one of several permits.
    pub(super) permit: bool,
    /// It releases.
    pub(super) gives: bool,
    /// It waits for something to be done.
    pub(super) awaits: bool,
    /// That is: for something to be put in.
    pub(super) takes: bool,
    /// The operation goes on in further regions of its method, where it waits: who leaves this one has not got through yet.
    pub(super) goes_on: bool,
    /// It is such a further region.
    is_further: bool,
}

impl Act {
    fn of(roles: &BTreeSet<Role>) -> Self {
        let any = |wanted: &[Role]| wanted.iter().any(|role| roles.contains(role));
        Self {
            gets: roles.iter().any(|role| role.gets()),
            // Where readers come by the same way it is not known which of them one is.
            alone: any(&[Role::Lock, Role::WriteLock]) && !any(&[Role::ReadLock]),
            permit: any(&[Role::Acquire]),
            gives: any(&[
                Role::Release,
                Role::Unlock,
                Role::ReadUnlock,
                Role::WriteUnlock,
            ]),
            awaits: any(&[Role::Put, Role::Take, Role::Await]),
            takes: any(&[Role::Take]) && !any(&[Role::Put, Role::Await]),
            ..Self::default()
        }
    }

    /// Who leaves it has got through, or given back.
    pub(super) fn changes(self) -> bool {
        (self.gets || self.gives) && !self.is_further
    }

    /// A wait in it is time blocked.
    pub(super) fn blocks(self) -> bool {
        self.gets || self.awaits
    }
}

/// What is done in each region of a lock, also where an operation [goes on](LogicalLock::begun_in) that began in another one.
pub(super) fn acts(lock: &LogicalLock, analysis: &Analysis) -> BTreeMap<Region, Act> {
    let placed = |report: &RegionReport| analysis.regions.get(report.id).cloned();
    let regions = lock.regions.iter();
    let acts = regions.filter_map(|report| Some((placed(report)?, Act::of(&report.roles))));
    let mut acts: BTreeMap<_, _> = acts.collect();
    for further in &lock.regions {
        let begun = lock.begun_in(further).and_then(placed);
        let begun = begun.and_then(|begun| acts.get_mut(&begun));
        if let Some(act) = begun.filter(|act| act.blocks()) {
            act.goes_on = true;
            let act = Act {
                is_further: true,
                ..*act
            };
            acts.extend(placed(further).map(|region| (region, act)));
        }
    }
    acts
}

/// What is done in each region in which threads were seen to wait, if that is the same and acquires.
pub(super) fn act_of_waits(
    lock: &LogicalLock,
    acts: &BTreeMap<Region, Act>,
    analysis: &Analysis,
) -> Option<Act> {
    let waits = lock.regions.iter().filter(|region| region.waits.count > 0);
    let mut acts = waits.map(|report| {
        let region = analysis.regions.get(report.id)?;
        acts.get(region).copied()
    });
    let first = acts.next()?.filter(|act| act.blocks())?;
    acts.all(|act| act == Some(first)).then_some(first)
}
