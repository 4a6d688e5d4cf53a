//! Who tries again after a wait outside the region, in a loop around it, has made one visit all the same.

use crate::region::RegionId;
use crate::visit::{Begin, Finish, History, Step, Visit};
use locklens_trace::ThreadId;
use std::collections::{BTreeMap, BTreeSet};

/// Of a visit that leaves a region after its wait only to enter it again (`again`: regions of which the code says so),
/// and the next one in the region makes one that is resumed when the next one begins.
pub(super) fn ask_once(history: &mut History, again: &BTreeSet<RegionId>) {
    if again.is_empty() {
        return;
    }
    let mut asking: BTreeMap<ThreadId, (usize, Visit)> = BTreeMap::new();
    let mut left_out = BTreeSet::new();
    for (at, step) in history.steps.iter_mut().enumerate() {
        let Step::Visit(visit) = step else {
            continue;
        };
        if let Some((asked, before)) = asking.remove(&visit.thread)
            && before.region == visit.region
            && matches!(visit.begin, Begin::Fresh { .. })
        {
            left_out.insert(asked);
            visit.begin = before.begin;
            visit.begin_mark = before.begin_mark;
        }
        let resumed = matches!(visit.begin, Begin::Resumed { .. });
        if resumed && visit.finish == Finish::Left && again.contains(&visit.region) {
            asking.insert(visit.thread, (at, *visit));
        }
    }
    let mut at = 0..;
    history
        .steps
        .retain(|_| at.next().is_none_or(|at| !left_out.contains(&at)));
}
