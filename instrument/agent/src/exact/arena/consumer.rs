//! The reading end of the rings. There is one.

use super::{Arena, HEAD, HEAD_WORDS, Note, Vigil};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::time::Duration;

/// The reading end. There is one.
pub(crate) struct Consumer {
    arena: &'static Arena,
    patience: Duration,
    /// By ring: where it cannot get on.
    vigils: Vec<Vigil>,
    /// When each ring was last seen empty; what is in it has been reserved since.
    pub(super) clear: Vec<u64>,
    /// Positions passed by.
    skipped: u64,
}

impl Consumer {
    /// The reading end of an arena, with this patience for reserved slots; see [`PATIENCE`].
    pub(crate) fn new(arena: &'static Arena, patience: Duration) -> Self {
        Self {
            arena,
            patience,
            vigils: vec![Vigil::default(); arena.rings as usize],
            clear: vec![0; arena.rings as usize],
            skipped: 0,
        }
    }

    /// Takes out what there is now, at most `max` of each ring; a time since which every record not
    /// taken was reserved.
    pub(crate) fn drain(&mut self, now: u64, max: u64, mut each: impl FnMut(Note)) -> u64 {
        for (ring, end) in self.ends().into_iter().enumerate() {
            self.drain_ring(now, (ring, end), max, &mut each);
        }
        self.note_empty(now);
        self.clear().unwrap_or(now)
    }

    /// Up to where each ring has been reserved.
    pub(crate) fn ends(&self) -> Vec<u64> {
        let heads = (0..self.vigils.len()).map(|ring| &self.arena.heads[ring * HEAD_WORDS]);
        heads.map(|tail| tail.load(Acquire)).collect()
    }

    /// Notes which rings have nothing to take, not before `now`.
    pub(crate) fn note_empty(&mut self, now: u64) {
        for (ring, end) in self.ends().into_iter().enumerate() {
            if self.arena.heads[ring * HEAD_WORDS + HEAD].load(Relaxed) == end {
                self.clear[ring] = now;
            }
        }
    }

    /// A time since which every record not taken was reserved, if there are rings.
    pub(crate) fn clear(&self) -> Option<u64> {
        self.clear.iter().copied().min()
    }

    /// A time since which every record in a ring was reserved.
    pub(crate) fn since(&self, ring: usize) -> u64 {
        self.clear[ring]
    }

    /// The ring to go on with, of those not taken up to these ends: the one that is furthest behind.
    pub(crate) fn behind(&self, ends: &[u64]) -> Option<usize> {
        let head = |ring: usize| self.arena.heads[ring * HEAD_WORDS + HEAD].load(Relaxed);
        let rings = (0..ends.len()).filter(|&ring| head(ring) < ends[ring]);
        rings.min_by_key(|&ring| self.clear[ring])
    }

    /// Records not taken yet.
    pub(crate) fn left(&self) -> u64 {
        let heads = (0..self.vigils.len()).map(|ring| &self.arena.heads[ring * HEAD_WORDS..]);
        heads
            .map(|head| head[0].load(Relaxed) - head[HEAD].load(Relaxed))
            .sum()
    }

    /// Up to where one ring has been reserved by now.
    pub(crate) fn end(&self, ring: usize) -> u64 {
        self.arena.heads[ring * HEAD_WORDS].load(Acquire)
    }

    /// Positions passed by so far.
    pub(crate) fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Positions passed by since the last call.
    pub(crate) fn take_skipped(&mut self) -> u64 {
        std::mem::take(&mut self.skipped)
    }

    /// Takes out at most `max` of what had been reserved up to `all`, not before `now`; how many there were.
    pub(crate) fn drain_ring(
        &mut self,
        now: u64,
        (ring, all): (usize, u64),
        max: u64,
        mut each: impl FnMut(Note),
    ) -> u64 {
        let first = self.arena.heads[ring * HEAD_WORDS + HEAD].load(Relaxed);
        let end = all.min(first.saturating_add(max));
        let mut at = first;
        let clockless = self.arena.is_clockless();
        while at < end {
            match self.arena.note(ring, at) {
                Some(note) => {
                    // Without a clock nothing is known of a ring until all of it has been taken.
                    if !clockless {
                        self.clear[ring] = self.clear[ring].max(note.at.min(now));
                    }
                    each(note);
                }
                None if self.vigils[ring].is_in_vain(at, self.patience) => self.skipped += 1,
                None => break,
            }
            at += 1;
        }
        self.arena.heads[ring * HEAD_WORDS + HEAD].store(at, Release);
        if at == all {
            self.clear[ring] = now;
        }
        at - first
    }
}
