//! Which lock objects a thread that has not come back holds, as far as its call chain tells.

use super::chart::{Chart, Operation};
use crate::analysis::Analysis;
use crate::collect::{Collected, Open};
use locklens_trace::LockId;
use std::collections::BTreeSet;

/// For each stay: the objects of the regions that its call chain stands in, other than its own. Only regions
/// count that can lock no other object: class mirrors, and static fields in which one object was seen.
pub(crate) fn standing<'o>(
    collected: &Collected,
    analysis: &Analysis,
    stays: impl IntoIterator<Item = (LockId, &'o Open)>,
) -> Vec<BTreeSet<LockId>> {
    let mut chart = Chart::new(collected, analysis);
    let mut held = |(lock, open): (LockId, &Open)| {
        let operation = match open.waits {
            true => Operation::Wait,
            false => Operation::Acquire,
        };
        let chain = chart.chain(open.stack, operation, lock);
        let objects = chain.standing.iter().filter_map(|region| region.object);
        objects.filter(|&object| object != lock).collect()
    };
    stays.into_iter().map(&mut held).collect()
}
