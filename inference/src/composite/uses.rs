//! Which operations touch a monitor or a region.

use super::{MonitorIx, Touch};
use crate::region::RegionId;
use std::collections::{BTreeMap, BTreeSet};

/// Indices of operations by what they touch.
#[derive(Debug, Default)]
pub(super) struct Uses {
    monitors: BTreeMap<MonitorIx, Vec<usize>>,
    regions: BTreeMap<RegionId, Vec<usize>>,
}

impl Uses {
    pub(super) fn of(operations: &[Vec<Touch>]) -> Self {
        let mut uses = Self::default();
        for (at, operation) in operations.iter().enumerate() {
            for touch in operation {
                uses.monitors.entry(touch.monitor).or_default().push(at);
                uses.regions.entry(touch.region).or_default().push(at);
            }
        }
        uses
    }

    /// Operations that touch one of these monitors.
    pub(super) fn of_monitors(&self, monitors: &BTreeSet<MonitorIx>) -> BTreeSet<usize> {
        let found = monitors.iter().filter_map(|m| self.monitors.get(m));
        found.flatten().copied().collect()
    }

    /// Operations that touch one of these regions.
    pub(super) fn of_regions(&self, regions: &BTreeSet<RegionId>) -> BTreeSet<usize> {
        let found = regions.iter().filter_map(|r| self.regions.get(r));
        found.flatten().copied().collect()
    }
}
