//! Where a thread was when it held a monitor that only contention tells of.
//!
//! Nothing tells from where a monitor was taken in passing; even who had to block for it may have left and come back
//! by another way, before the next in the queue was awake. But whoever uses a lock in two methods with a pause between
//! them has to block in either of them sooner or later, and where there is none the code shows it (`adjacent`). So a thread
//! that was seen at a logical lock often, always in one method, with no way to another one beside its calls, is taken
//! to hold it in that one. That is an inference, and the only one made of call chains.

use super::atlas::Atlas;
use super::census::Findings;
use super::stay::Chain;
use crate::collect::FastMap;
use locklens_trace::{LockId, ThreadId};
use std::collections::BTreeSet;

/// So often a thread must have been seen at a lock: of so many times, one more elsewhere would be three in a hundred.
const OFTEN: u64 = 32;

/// By index of the logical lock and thread.
pub(super) type Places = FastMap<(usize, ThreadId), Chain>;

/// All there are.
pub(super) fn places(findings: &Findings, atlas: &mut Atlas<'_>) -> Places {
    let mut all: FastMap<(usize, ThreadId), Seen> = FastMap::default();
    for (&lock, stands) in &findings.stands {
        let Some(index) = atlas.index_of(lock) else {
            continue;
        };
        for (&(thread, chain), &times) in stands {
            let seen = all.entry((index, thread)).or_insert_with(|| Seen::at(lock));
            seen.times = seen.times.saturating_add(times.into());
            seen.chains.insert(chain);
        }
    }
    let often = all.into_iter().filter(|(_, seen)| seen.times >= OFTEN);
    let mut often: Vec<_> = often.collect();
    often.sort_unstable_by_key(|(key, _)| *key);
    // What is known of a lock and chains is so of all threads that were seen there.
    let mut known: FastMap<(usize, BTreeSet<Chain>), Option<Chain>> = FastMap::default();
    let only = often.into_iter().filter_map(|(key, seen)| {
        let only = known.entry((key.0, seen.chains));
        let only = *only.or_insert_with_key(|(_, chains)| atlas.only(seen.lock, chains));
        Some((key, only?))
    });
    only.collect()
}

/// Where a thread was seen at a logical lock.
struct Seen {
    /// One of its objects.
    lock: LockId,
    times: u64,
    chains: BTreeSet<Chain>,
}

impl Seen {
    fn at(lock: LockId) -> Self {
        Self {
            lock,
            times: 0,
            chains: BTreeSet::new(),
        }
    }
}
