//! Which lock objects a thread that has not come back holds, as far as its call chain tells.

use super::chart::{Chart, NodeKey, Operation};
use crate::analysis::Analysis;
use crate::collect::{Collected, Open};
use locklens_trace::LockId;
use std::collections::BTreeSet;

/// What a call chain tells of the lock objects that are held.
#[derive(Clone, Debug, Default)]
pub(crate) struct Within {
    /// Objects of regions that can lock no other object: class mirrors, and static fields in which one object was seen.
    pub(crate) sure: BTreeSet<LockId>,
    /// Objects of regions that were not seen to lock any other one.
    pub(crate) seen: BTreeSet<LockId>,
}

/// For each stay: the objects of the regions that its call chain stands in, other than its own.
pub(crate) fn standing<'o>(
    collected: &Collected,
    analysis: &Analysis,
    stays: impl IntoIterator<Item = (LockId, &'o Open)>,
) -> Vec<Within> {
    let mut chart = Chart::new(collected, analysis);
    let mut held = |(lock, open): (LockId, &Open)| {
        let operation = match open.waits {
            true => Operation::Wait,
            false => Operation::Acquire,
        };
        let chain = chart.chain(open.stack, operation, lock);
        let mut within = Within::default();
        for region in &chain.standing {
            let only = match chart.nodes()[region.node] {
                NodeKey::Lock(ix) => only(&analysis.objects[ix]),
                _ => None,
            };
            within.sure.extend(region.object);
            within.seen.extend(only);
        }
        within.sure.remove(&lock);
        within.seen.remove(&lock);
        within
    };
    stays.into_iter().map(&mut held).collect()
}

fn only(objects: &BTreeSet<LockId>) -> Option<LockId> {
    let mut all = objects.iter();
    all.next().copied().filter(|_| all.next().is_none())
}
