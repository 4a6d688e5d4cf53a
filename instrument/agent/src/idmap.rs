//! A bounded concurrent map from 64-bit keys to dense ids.
//!
//! Threads by Java tid, methods by `jmethodID`, call chains by hash: many lookups, few insertions,
//! no deletion during a recording, no lock. Open addressing over two parallel arrays; whoever
//! claims a key by compare-and-swap gives it the next id.

use crate::memory::Slab;
use crate::sync::{AtomicU32, AtomicU64, spin_loop, yield_now};
use std::io;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// Ids there are at least.
const FEWEST: usize = if cfg!(loom) { 2 } else { 64 };
/// Longest probe; with at most half of the slots used a longer one is as good as full.
const MAX_PROBE: usize = 128;
/// Turns a reader waits for the claimer's two instructions; it may have been preempted there.
const MAX_TURNS: u32 = 20_000;

/// Answer to [`IdMap::claim`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Seen before.
    Known(u32),
    /// Seen for the first time, by this caller alone: it owes the definition.
    New(u32),
    /// No room.
    Full,
}

/// See the module.
pub(crate) struct IdMap {
    keys: Slab<AtomicU64>,
    ids: Slab<AtomicU32>,
    last: AtomicU32,
    max: u32,
}

impl IdMap {
    /// Bytes one entry may come to, empty slots included.
    pub(crate) const ENTRY_BYTES: usize = 2 * (size_of::<u64>() + size_of::<u32>());

    /// A map within `bytes`.
    pub(crate) fn within(bytes: usize) -> io::Result<Self> {
        let max = (bytes / Self::ENTRY_BYTES).max(FEWEST);
        // The largest power of two whose half is no more than `max`.
        let slots = 1_usize << (2 * max).ilog2();
        Ok(Self {
            keys: Slab::new(slots)?,
            ids: Slab::new(slots)?,
            last: AtomicU32::new(0),
            max: u32::try_from(slots / 2).unwrap_or(u32::MAX),
        })
    }

    /// The id of `key`, if it has one, or [`Claim::Full`] if it could not get one any more. Asked
    /// before what a new id needs is made ready, so that nothing can fail between the claim and
    /// its definition.
    pub(crate) fn find(&self, key: u64) -> Option<Claim> {
        let mask = self.keys.len() - 1;
        let mut at = scatter(key) as usize & mask;
        for _ in 0..MAX_PROBE.min(self.keys.len()) {
            match self.keys[at].load(Acquire) {
                found if found == key => return Some(self.settled(at)),
                0 => return (self.last.load(Relaxed) >= self.max).then_some(Claim::Full),
                _ => at = (at + 1) & mask,
            }
        }
        Some(Claim::Full)
    }

    /// How many ids are given.
    pub(crate) fn given(&self) -> u32 {
        self.last.load(Relaxed)
    }

    /// Whether half of the ids are given.
    pub(crate) fn is_half_full(&self) -> bool {
        self.last.load(Relaxed) >= self.max / 2
    }

    /// The id of `key`, which is not 0; a new one if it has none yet.
    pub(crate) fn claim(&self, key: u64) -> Claim {
        let mask = self.keys.len() - 1;
        let mut at = scatter(key) as usize & mask;
        for _ in 0..MAX_PROBE.min(self.keys.len()) {
            match self.keys[at].load(Acquire) {
                found if found == key => return self.settled(at),
                0 => match self.insert(at, key) {
                    Some(claim) => return claim,
                    None if self.keys[at].load(Acquire) == key => return self.settled(at),
                    None => {}
                },
                _ => {}
            }
            at = (at + 1) & mask;
        }
        Claim::Full
    }

    /// Claims the empty slot; none if somebody else was faster.
    fn insert(&self, at: usize, key: u64) -> Option<Claim> {
        if self.last.load(Relaxed) >= self.max {
            return Some(Claim::Full);
        }
        self.keys[at]
            .compare_exchange(0, key, Release, Relaxed)
            .ok()?;
        let id = self.last.fetch_add(1, Relaxed) + 1;
        self.ids[at].store(id, Release);
        Some(Claim::New(id))
    }

    fn settled(&self, at: usize) -> Claim {
        for turn in 0..MAX_TURNS {
            match self.ids[at].load(Acquire) {
                0 if turn % 64 == 63 => yield_now(),
                0 => spin_loop(),
                id => return Claim::Known(id),
            }
        }
        Claim::Full
    }
}

/// Spreads keys that differ little (addresses, small numbers) over the table: the finaliser of
/// splitmix64.
pub(crate) fn scatter(key: u64) -> u64 {
    let key = (key ^ (key >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let key = (key ^ (key >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ (key >> 31)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn ids_are_dense_and_stay() {
        let map = IdMap::within(1 << 16).expect("memory");
        for key in 1..=1000 {
            assert_eq!(map.claim(key * 64), Claim::New(key as u32));
        }
        for key in 1..=1000 {
            assert_eq!(map.claim(key * 64), Claim::Known(key as u32));
        }
    }

    #[test]
    fn a_full_map_says_so_and_still_finds() {
        let map = IdMap::within(64 * IdMap::ENTRY_BYTES).expect("memory");
        let half = (1..=64).find(|&key| map.claim(key) == Claim::New(32) && map.is_half_full());
        assert_eq!(half, Some(32));
        let map = IdMap::within(64 * IdMap::ENTRY_BYTES).expect("memory");
        assert!(!map.is_half_full());
        let new = (1..1000).filter(|&key| matches!(map.claim(key), Claim::New(_)));
        assert_eq!(new.count(), 64);
        assert_eq!(map.claim(1), Claim::Known(1));
        assert_eq!(map.find(1), Some(Claim::Known(1)));
        assert_eq!(map.claim(5000), Claim::Full);
        assert_eq!(map.find(5000), Some(Claim::Full));
    }

    #[test]
    fn finding_claims_nothing() {
        let map = IdMap::within(1 << 12).expect("memory");
        assert_eq!((map.find(9), map.claim(7)), (None, Claim::New(1)));
        assert_eq!(map.claim(9), Claim::New(2));
    }

    #[test]
    fn racing_claims_agree() {
        const KEYS: u64 = if cfg!(miri) { 60 } else { 4000 };
        let map = IdMap::within(1 << 18).expect("memory");
        let views: Vec<HashMap<u64, u32>> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        (1..KEYS)
                            .map(|key| {
                                loop {
                                    match map.claim(key) {
                                        Claim::Known(id) | Claim::New(id) => break (key, id),
                                        // There is room for all: who claims it was preempted in between.
                                        Claim::Full => std::thread::yield_now(),
                                    }
                                }
                            })
                            .collect()
                    })
                })
                .collect();
            workers
                .into_iter()
                .map(|worker| worker.join().expect("no panic"))
                .collect()
        });
        assert!(views.iter().all(|view| *view == views[0]));
        let mut ids: Vec<u32> = views[0].values().copied().collect();
        ids.sort_unstable();
        assert_eq!(ids, (1..KEYS as u32).collect::<Vec<u32>>());
    }
}
