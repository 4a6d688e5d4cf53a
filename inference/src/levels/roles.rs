//! What a region does for its lock, as the analysis has it: which roles a call chain stands in.

use crate::analysis::Analysis;
use crate::collect::{Collected, FastHash};
use crate::model::LogicalLock;
use crate::program::Program;
use crate::region::Region;
use crate::region::place::standing;
use crate::types::Role;
use locklens_trace::StackId;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Roles of one region.
pub(super) type Roles = BTreeSet<Role>;

/// See the module.
#[derive(Debug)]
pub(super) struct RoleBook<'a> {
    collected: &'a Collected,
    program: Program<'a>,
    /// Of each row that is followed its regions, by what its most probable type makes of them.
    regions: BTreeMap<u32, BTreeMap<Region, Roles>>,
    known: HashMap<(u32, StackId), Roles, FastHash>,
}

impl<'a> RoleBook<'a> {
    pub(super) fn new(collected: &'a Collected) -> Self {
        Self {
            collected,
            program: Program::of(&collected.catalog),
            regions: BTreeMap::new(),
            known: HashMap::default(),
        }
    }

    /// Follows the lock of a row.
    pub(super) fn add(&mut self, row: u32, lock: &LogicalLock, analysis: &Analysis) {
        let Some(verdict) = lock.types.first() else {
            return;
        };
        let regions = self.regions.entry(row).or_default();
        for (&role, ids) in &verdict.roles {
            for region in ids.iter().filter_map(|&id| analysis.regions.get(id)) {
                regions.entry(region.clone()).or_default().insert(role);
            }
        }
    }

    /// What is done in the region that a chain stands in: the innermost that has a role.
    pub(super) fn of(&mut self, row: u32, stack: Option<StackId>) -> &Roles {
        const NONE: &Roles = &Roles::new();
        let Some(stack) = stack else { return NONE };
        if !self.known.contains_key(&(row, stack)) {
            let roles = self.read(row, stack).cloned().unwrap_or_default();
            self.known.insert((row, stack), roles);
        }
        self.known.get(&(row, stack)).unwrap_or(NONE)
    }

    fn read(&self, row: u32, stack: StackId) -> Option<&Roles> {
        let regions = self.regions.get(&row)?;
        let frames = &self.collected.catalog.stacks.get(&stack)?.frames;
        let regions_there = frames
            .iter()
            .rev()
            .flat_map(|&frame| standing(&self.program, frame).into_iter().rev());
        regions_there
            .filter_map(|region| regions.get(&region))
            .next()
    }
}
