//! Which methods are rewritten just now, for readers of call chains: their bcis are mapped back.
//!
//! A callback takes its thread's chain, and the classes may change before it has looked the bcis up.
//! So every change goes through an *epoch* of its own: an odd one while classes are being replaced,
//! when no chain is to be trusted, an even one otherwise. Who takes a chain notes the epoch first and
//! asks at the end whether it still is.

use crate::vm::Handle;
use locklens_classfile::edit::BciMap;
use std::collections::HashMap;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{PoisonError, RwLock, RwLockWriteGuard};

/// See the module.
#[derive(Default)]
pub(crate) struct Rewritten {
    epoch: AtomicU32,
    /// None for a method that somebody else has replaced since: what its bcis mean is not known.
    maps: RwLock<HashMap<Handle, Option<BciMap>>>,
}

/// A time in which no class changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Epoch(u32);

impl Epoch {
    /// What tells chains of one epoch from those of another, 0 as long as nothing was ever rewritten.
    pub(crate) fn number(self) -> u64 {
        u64::from(self.0)
    }
}

impl Rewritten {
    /// The epoch; none while classes are being replaced.
    pub(crate) fn epoch(&self) -> Option<Epoch> {
        let epoch = self.epoch.load(SeqCst);
        epoch.is_multiple_of(2).then_some(Epoch(epoch))
    }

    /// Whether it still is this epoch.
    pub(crate) fn is_still(&self, epoch: Epoch) -> bool {
        self.epoch.load(SeqCst) == epoch.0
    }

    /// Classes are about to be replaced.
    pub(crate) fn begin_change(&self) {
        self.epoch.fetch_add(1, SeqCst);
    }

    /// They have been.
    pub(crate) fn end_change(&self) {
        self.epoch.fetch_add(1, SeqCst);
    }

    /// These methods are rewritten ones. Those of a class that no code has used yet are in no chain, so
    /// that is no change.
    pub(crate) fn add(&self, maps: HashMap<Handle, BciMap>) {
        let mut known = self.write();
        for (method, map) in maps {
            // One that was lost just before this stays so.
            known.entry(method).or_insert(Some(map));
        }
    }

    /// Somebody else is about to replace these methods. Until he has, some of their bcis are those of the rewritten
    /// code, and afterwards of code that nobody here has read.
    pub(crate) fn lose(&self, methods: &[Handle]) {
        self.write()
            .extend(methods.iter().map(|&method| (method, None)));
        // Both steps of a change in one: others may be changing classes at the same time.
        self.epoch.fetch_add(2, SeqCst);
    }

    /// No method is a rewritten one any more.
    pub(crate) fn clear(&self) {
        self.write().clear();
    }

    fn write(&self) -> RwLockWriteGuard<'_, HashMap<Handle, Option<BciMap>>> {
        self.maps.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The line table of a method as it is now, in the bcis of the original method.
    pub(crate) fn original_lines(&self, method: Handle, lines: Vec<(u16, u16)>) -> Vec<(u16, u16)> {
        let original = |(bci, line)| Some((self.original(method, bci)?, line));
        let mut lines: Vec<(u16, u16)> = lines.into_iter().filter_map(original).collect();
        lines.sort_unstable();
        lines.dedup_by_key(|(bci, _)| *bci);
        lines
    }

    /// Whether a method is a rewritten one just now.
    pub(crate) fn has(&self, method: Handle) -> bool {
        let maps = self.maps.read().unwrap_or_else(PoisonError::into_inner);
        maps.contains_key(&method)
    }

    /// The bci that the original method has for one of the method as it is now; none if that is not known.
    pub(crate) fn original(&self, method: Handle, bci: u16) -> Option<u16> {
        let maps = self.maps.read().unwrap_or_else(PoisonError::into_inner);
        match maps.get(&method) {
            None => Some(bci),
            Some(map) => Some(map.as_ref()?.to_old(bci).unwrap_or(bci)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_ends_an_epoch() {
        let rewritten = Rewritten::default();
        let before = rewritten.epoch().expect("nothing is changing");
        rewritten.begin_change();
        assert!(rewritten.epoch().is_none() && !rewritten.is_still(before));
        rewritten.end_change();
        let after = rewritten.epoch().expect("nothing is changing");
        assert_ne!(before, after);
        rewritten.lose(&[Handle(8)]);
        assert!(rewritten.epoch().is_some() && !rewritten.is_still(after));
        assert_eq!(rewritten.original(Handle(8), 9), None);
        assert_eq!(rewritten.original_lines(Handle(8), vec![(0, 1)]), []);
        rewritten.add(HashMap::from([(Handle(8), BciMap::default())]));
        assert_eq!(rewritten.original(Handle(8), 9), None, "replaced already");
        rewritten.clear();
        assert_eq!(rewritten.original(Handle(8), 9), Some(9));
        assert_eq!(rewritten.original(Handle(7), 9), Some(9));
    }
}
