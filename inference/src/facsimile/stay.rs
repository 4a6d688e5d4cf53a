//! Where a thread is while it is inside a monitor, and how surely that is known.

use crate::region::RegionId;
use crate::region::place::Place;
use crate::visit::Mark;

/// A region, and whether it is known or supposed.
pub(super) type Whereabouts = (Option<RegionId>, Mark);

/// Where a thread is inside: its regions, outermost first, and who called the outermost one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stay {
    pub(super) levels: Vec<Option<RegionId>>,
    callers: Option<u64>,
    pub(super) mark: Mark,
}

impl Stay {
    pub(super) fn at(place: Option<&Place>) -> Self {
        match place {
            None => Self {
                levels: vec![None],
                callers: None,
                mark: Mark::Inferred,
            },
            Some(place) => Self {
                levels: place.levels.iter().copied().map(Some).collect(),
                callers: Some(place.callers),
                mark: Mark::Observed,
            },
        }
    }

    /// By habit, which says nothing of the callers.
    pub(super) fn by_habit(place: &Place) -> Self {
        Self {
            callers: None,
            mark: Mark::Inferred,
            ..Self::at(Some(place))
        }
    }

    fn outermost(&self) -> Option<RegionId> {
        self.levels.first().copied().flatten()
    }

    /// The outermost region, and whether it is known or supposed.
    pub(super) fn whereabouts(&self) -> Whereabouts {
        (self.outermost(), self.mark)
    }

    /// Whether one stay in the monitor can have been in both places.
    pub(super) fn continues(&self, later: &Self) -> bool {
        let callers = self.callers.zip(later.callers);
        self.outermost() == later.outermost() && callers.is_none_or(|(a, b)| a == b)
    }
}
