//! Which groups may be alike at all: an index that spares comparing each with each.
//!
//! By the tiers of likeness: groups with a class *and* a region in common; groups of different
//! classes that share three quarters of their regions; groups all of whose regions are inherited from
//! another's class. What is found here may still turn out to be unlike; what is not found is.
//!
//! Of regions that many groups share, such as those of a base class with many subclasses that lock in
//! methods of their own too, most pairs have too little in common. Two sets that share three quarters of
//! the larger one share one of the first `n - ⌈¾n⌉ + 1` of each one's elements, whatever the
//! order (prefix filtering: Chaudhuri, Ganti, Kaushik, "A primitive operator for similarity joins in data
//! cleaning", ICDE 2006): with the rarest first, that is hardly ever one that many have.

use super::{ClassKey, Group, instance_classes};
use crate::program::Program;
use crate::region::subject::Subject;
use crate::region::{RegionId, RegionTable};
use locklens_trace::ClassId;
use std::collections::{BTreeMap, BTreeSet};

/// Indices of groups.
type Places = BTreeSet<usize>;

pub(super) struct Neighbours<'p, 'c> {
    program: &'p Program<'c>,
    table: &'p RegionTable,
    /// How many groups were seen in each region, at first.
    common: BTreeMap<RegionId, usize>,
    of_both: BTreeMap<(ClassKey, RegionId), Places>,
    /// By the rarest of their regions.
    by_region: BTreeMap<RegionId, Places>,
    by_class: BTreeMap<ClassId, Places>,
    /// Groups whose regions may all be inherited from another's class, by the lowest class that
    /// declares one of them.
    heirs: BTreeMap<ClassId, Places>,
}

/// Puts a group into the index, or takes it out.
#[derive(Clone, Copy)]
enum Change {
    In,
    Out,
}

impl Change {
    fn make<K: Ord>(self, index: &mut BTreeMap<K, Places>, key: K, at: usize) {
        match self {
            Self::In => {
                index.entry(key).or_default().insert(at);
            }
            Self::Out => {
                index.get_mut(&key).map(|all| all.remove(&at));
            }
        }
    }
}

impl<'p, 'c> Neighbours<'p, 'c> {
    /// An empty index for these groups and what becomes of them.
    pub(super) fn new(program: &'p Program<'c>, table: &'p RegionTable, groups: &[Group]) -> Self {
        let mut common = BTreeMap::new();
        for &region in groups.iter().flat_map(|group| &group.regions) {
            *common.entry(region).or_default() += 1;
        }
        Self {
            program,
            table,
            common,
            of_both: BTreeMap::new(),
            by_region: BTreeMap::new(),
            by_class: BTreeMap::new(),
            heirs: BTreeMap::new(),
        }
    }

    /// Takes a group in.
    pub(super) fn list(&mut self, at: usize, group: &Group) {
        self.change(Change::In, at, group);
    }

    /// Forgets a group, which must be as it was when it was taken in.
    pub(super) fn unlist(&mut self, at: usize, group: &Group) {
        self.change(Change::Out, at, group);
    }

    fn change(&mut self, change: Change, at: usize, group: &Group) {
        for &class in &group.classes {
            for &region in &group.regions {
                change.make(&mut self.of_both, (class, region), at);
            }
        }
        for region in self.rarest(group) {
            change.make(&mut self.by_region, region, at);
        }
        for class in instance_classes(group) {
            change.make(&mut self.by_class, class, at);
        }
        let heir = self
            .lowest(group)
            .filter(|_| !self.bequeathers(group).is_empty());
        if let Some(lowest) = heir {
            change.make(&mut self.heirs, lowest, at);
        }
    }

    /// Groups that may be like this one; it may be one of them.
    pub(super) fn of(&self, group: &Group) -> Places {
        let mut near = Places::new();
        for &class in &group.classes {
            for &region in &group.regions {
                near.extend(self.of_both.get(&(class, region)).into_iter().flatten());
            }
        }
        for region in self.rarest(group) {
            near.extend(self.by_region.get(&region).into_iter().flatten());
        }
        for class in self.bequeathers(group) {
            near.extend(self.by_class.get(&class).into_iter().flatten());
        }
        for class in instance_classes(group) {
            for above in self.program.hierarchy.ancestry(class).iter() {
                near.extend(self.heirs.get(above).into_iter().flatten());
            }
        }
        near
    }

    /// So many of its rarest regions that who shares three quarters of them shares one of these.
    fn rarest(&self, group: &Group) -> Vec<RegionId> {
        let rarity = |region: &RegionId| (self.common.get(region).copied(), *region);
        let mut regions: Vec<RegionId> = group.regions.iter().copied().collect();
        regions.sort_by_key(rarity);
        let shared = (3 * regions.len()).div_ceil(4);
        regions.truncate((regions.len() + 1).saturating_sub(shared));
        regions
    }

    /// Classes above all of a group's from which all its regions may be inherited.
    fn bequeathers(&self, group: &Group) -> BTreeSet<ClassId> {
        let hierarchy = &self.program.hierarchy;
        let Some(declaring) = self.declaring(group).filter(|all| !all.is_empty()) else {
            return BTreeSet::new();
        };
        let mut classes = instance_classes(group);
        let first = classes.next().map(|class| hierarchy.ancestry(class));
        let mut above: BTreeSet<ClassId> = first
            .iter()
            .flat_map(|all| all.iter().skip(1))
            .copied()
            .collect();
        for class in classes {
            let others = hierarchy.ancestry(class);
            above.retain(|&parent| parent != class && others.contains(&parent));
        }
        above.retain(|&parent| {
            let ancestry = hierarchy.ancestry(parent);
            declaring.iter().all(|class| ancestry.contains(class))
        });
        above
    }

    /// Classes that declare a group's regions, if all lock the object they are called on and all its
    /// objects are instances of a class.
    fn declaring(&self, group: &Group) -> Option<BTreeSet<ClassId>> {
        let of_instances = instance_classes(group).count() == group.classes.len();
        let declaring = |&id: &RegionId| {
            let region = self.table.get(id)?;
            let on_this = self.program.subject(region) == Subject::This;
            on_this.then_some(region.class)
        };
        let all = group.regions.iter().map(declaring).collect();
        Option::filter(all, |_| of_instances)
    }

    /// Of the classes that declare its regions the one with most above it.
    fn lowest(&self, group: &Group) -> Option<ClassId> {
        let hierarchy = &self.program.hierarchy;
        let declaring = self.declaring(group)?.into_iter();
        declaring.max_by_key(|&class| (hierarchy.ancestry(class).len(), class))
    }
}
