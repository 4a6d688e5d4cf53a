//! Threads that do not hold a monitor, as they are blocked there or wait: most often a few, now and then thousands.

use crate::collect::FastMap;
use locklens_trace::ThreadId;

/// Of so many threads each is looked at.
const NEAR: usize = 32;

/// Threads that do not hold a monitor, and whether each waits.
#[derive(Debug, Default)]
pub(super) struct Out {
    near: Vec<(ThreadId, bool)>,
    /// All of them, where they are many.
    many: FastMap<ThreadId, bool>,
    /// Those who do not wait.
    pub(super) blocked: usize,
    /// All their ids, one upon the other.
    pub(super) folded: u32,
}

impl Out {
    pub(super) fn len(&self) -> usize {
        self.near.len() + self.many.len()
    }

    pub(super) fn contains(&self, thread: ThreadId) -> bool {
        let mut near = self.near.iter();
        near.any(|(other, _)| *other == thread) || self.many.contains_key(&thread)
    }

    /// It waits, or is blocked.
    pub(super) fn put(&mut self, thread: ThreadId, waits: bool) {
        self.take(thread);
        self.blocked += usize::from(!waits);
        self.folded ^= thread.0;
        if self.many.is_empty() && self.near.len() < NEAR {
            self.near.push((thread, waits));
        } else {
            self.many.extend(self.near.drain(..));
            self.many.insert(thread, waits);
        }
    }

    /// It does no more, if it did.
    pub(super) fn take(&mut self, thread: ThreadId) {
        let place = self.near.iter().position(|(other, _)| *other == thread);
        let waits = match place {
            Some(place) => Some(self.near.swap_remove(place).1),
            None if self.many.is_empty() => None,
            None => self.many.remove(&thread),
        };
        if let Some(waits) = waits {
            self.blocked -= usize::from(!waits);
            self.folded ^= thread.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn few_and_many_are_kept_alike(
            steps in prop::collection::vec((0u32..100, 0u8..3), 0..600),
        ) {
            let (mut out, mut known) = (Out::default(), BTreeMap::new());
            for (thread, step) in steps {
                match step {
                    0 => {
                        out.take(ThreadId(thread));
                        known.remove(&thread);
                    }
                    step => {
                        out.put(ThreadId(thread), step == 2);
                        known.insert(thread, step == 2);
                    }
                }
                prop_assert_eq!(out.len(), known.len());
                prop_assert_eq!(out.blocked, known.values().filter(|waits| !**waits).count());
                prop_assert_eq!(out.folded, known.keys().fold(0, |all, thread| all ^ thread));
                prop_assert_eq!(out.contains(ThreadId(thread)), known.contains_key(&thread));
            }
        }
    }
}
