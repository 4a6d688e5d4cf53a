//! Synchronized regions: the places of the program where a lock object is locked.
//!
//! [`nesting`] reads off one method's code which monitors are held where; [`place`] maps a call
//! chain to the regions of a lock it stands in. Both rest on [`subject`], the object an
//! instruction works on in terms of its method.

pub mod nesting;
pub mod place;
pub mod subject;

pub(crate) mod flow;
mod layout;

use locklens_trace::{ClassId, MethodId};
use std::collections::BTreeMap;

/// Index of a region in the region table of one analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(pub u32);

impl RegionId {
    /// The id as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which region of its method it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RegionPlace {
    /// The method is `synchronized`; the region is its whole body.
    Method,
    /// A `monitorenter`.
    Block {
        /// bci of the `monitorenter`.
        bci: u16,
        /// Counts the `monitorenter`s of the method in bci order, from 0.
        ordinal: u16,
    },
    /// The bytecode is not known: the method is all that can be said of the place.
    Unknown {
        /// bci at which the lock was seen being entered or waited on, none in a native method.
        bci: Option<u16>,
    },
}

/// A region: a synchronized method or one `monitorenter` with its exits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Region {
    /// The method.
    pub method: MethodId,
    /// Its declaring class.
    pub class: ClassId,
    /// Which of the method's regions.
    pub place: RegionPlace,
}

impl Region {
    /// Stands for a place nobody recorded. Ids of a trace start at 1, so it equals no other.
    pub const UNPLACED: Self = Self {
        method: MethodId(0),
        class: ClassId(0),
        place: RegionPlace::Unknown { bci: None },
    };

    /// Whether this is a place at all.
    #[must_use]
    pub fn is_placed(&self) -> bool {
        self.method.0 != 0
    }
}

/// All regions of one analysis, interned: the same place has the same id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegionTable {
    regions: Vec<Region>,
    ids: BTreeMap<Region, RegionId>,
}

impl RegionTable {
    /// The id of a region, new or known.
    pub fn intern(&mut self, region: Region) -> RegionId {
        if let Some(&id) = self.ids.get(&region) {
            return id;
        }
        let id = RegionId(self.regions.len() as u32);
        self.regions.push(region.clone());
        self.ids.insert(region, id);
        id
    }

    /// The region of everything that was seen without a call chain: it belongs to no method.
    pub fn unplaced(&mut self) -> RegionId {
        self.intern(Region::UNPLACED)
    }

    /// The id of a region, if it is known.
    #[must_use]
    pub fn find(&self, region: &Region) -> Option<RegionId> {
        self.ids.get(region).copied()
    }

    /// The region of an id, if it is one of this table's.
    #[must_use]
    pub fn get(&self, id: RegionId) -> Option<&Region> {
        self.regions.get(id.index())
    }

    /// All regions with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (RegionId, &Region)> {
        (0..).map(RegionId).zip(&self.regions)
    }
}

#[cfg(test)]
mod exits_tests;
#[cfg(test)]
mod tests;
