//! The threads of a chunk: which there are, and their numbers in it.

use crate::record::Event;

/// Threads remembered by the low bits of their ids, a power of two: most chunks have no two of the same.
const NEAR: usize = 256;

/// The ids of the threads, ascending.
pub(super) struct Threads {
    pub(super) ids: Vec<u32>,
}

impl Threads {
    /// Those of these events.
    pub(super) fn of(events: &[Event]) -> Self {
        let mut near = [None; NEAR];
        let mut ids = Vec::new();
        for event in events {
            let id = event.thread.0;
            let seen = &mut near[id as usize % NEAR];
            if *seen != Some(id) {
                *seen = Some(id);
                ids.push(id);
            }
        }
        ids.sort_unstable();
        ids.dedup();
        Self { ids }
    }
}

/// The same, by id.
pub(super) struct Numbers<'t> {
    threads: &'t Threads,
    near: [(u32, u32); NEAR],
}

impl<'t> Numbers<'t> {
    pub(super) fn of(threads: &'t Threads) -> Self {
        let first = threads.ids.first().copied().unwrap_or(0);
        Self {
            threads,
            near: [(first, 0); NEAR],
        }
    }

    /// The number of a thread, which is one of them.
    #[inline]
    pub(super) fn number(&mut self, id: u32) -> usize {
        let near = &mut self.near[id as usize % NEAR];
        if near.0 != id {
            let number = self.threads.ids.binary_search(&id).unwrap_or(0);
            *near = (id, number as u32);
        }
        near.1 as usize
    }
}
