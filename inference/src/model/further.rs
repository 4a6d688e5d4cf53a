//! Regions that go on with what another one began.

use super::{LogicalLock, RegionReport};
use crate::types::Role;
use std::collections::BTreeSet;

impl RegionReport {
    /// Whether it does nothing by any type of its lock.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.roles.iter().all(|role| *role == Role::Enter)
    }

    fn is_of_method_of(&self, other: &Self) -> bool {
        let of = |region: &Self| (region.class.clone(), region.method.clone());
        of(self) == of(other) && self.descriptor == other.descriptor
    }
}

impl LogicalLock {
    /// The roles of the operation in which threads wait in a region: its own, or those of [the one that began it](Self::begun_in).
    #[must_use]
    pub fn roles_of_waits<'a>(&'a self, region: &'a RegionReport) -> &'a BTreeSet<Role> {
        &self.begun_in(region).unwrap_or(region).roles
    }

    /// The region in which the operation began that waits in this one. A role is that of the region in which its operation begins: where
    /// threads wait in another one of the same method that has none (it looks whether there is something for it, lets go, and waits in
    /// a second block), they wait in that operation, too. None if the method has several that could be it.
    #[must_use]
    pub fn begun_in(&self, region: &RegionReport) -> Option<&RegionReport> {
        if region.waits.count == 0 || !region.is_idle() {
            return None;
        }
        let regions = self.regions.iter();
        let mut begun = regions.filter(|begun| !begun.is_idle() && begun.is_of_method_of(region));
        begun.next().filter(|_| begun.next().is_none())
    }
}
