//! The reading end of the rings. There is one.

use super::{Arena, COUNTS, GROUP, HEAD, HEAD_WORDS, Note, Vigil};
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
    /// Where no clock is read: of each counter that one lock has to itself the number of the next record to be taken.
    numbers: Vec<u64>,
}

/// The ring to go on with where there is no room for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// Before its next record nothing is missing.
    Ring(usize),
    /// What came before the next records is in no ring: it was dropped. It is the first one of this ring that comes next.
    Gap(usize),
    /// The first record of this ring is still being written, and something before the others may come after it.
    HeldUp(usize),
    /// There is no more.
    Nothing,
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
            numbers: Vec::new(),
        }
    }

    /// Records have numbers: which ones have been taken is remembered.
    pub(crate) fn go_by_numbers(&mut self) {
        self.numbers = vec![0; COUNTS];
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
            if self.head(ring) == end {
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
        let rings = (0..ends.len()).filter(|&ring| self.has_some(ring, ends));
        rings.min_by_key(|&ring| self.clear[ring])
    }

    /// The same; without a clock first what threads left in the ring that they share, before they had one to themselves.
    pub(crate) fn next(&self, ends: &[u64]) -> Option<usize> {
        let ring = self.behind(ends)?;
        match self.arena.is_clockless() && self.has_some(shared(ring), ends) {
            true => Some(shared(ring)),
            false => Some(ring),
        }
    }

    /// A ring is held up, and not to be taken up to these ends; nor, without a clock, is what came after it.
    pub(crate) fn put_off(&self, ring: usize, ends: &mut [u64]) {
        ends[ring] = 0;
        if self.arena.is_clockless() && ring == shared(ring) {
            ends[ring + 1 - GROUP..ring].fill(0);
        }
    }

    fn has_some(&self, ring: usize, ends: &[u64]) -> bool {
        self.head(ring) < ends[ring]
    }

    /// The first record of a ring that has not been taken: which ring, and its position.
    pub(crate) fn first(&self, ring: usize) -> (usize, u64) {
        (ring, self.head(ring))
    }

    fn head(&self, ring: usize) -> u64 {
        self.arena.heads[ring * HEAD_WORDS + HEAD].load(Relaxed)
    }

    /// The ring to go on with by the numbers of the records, of those not taken up to these ends. Who holds a lock has left his record before
    /// the next one leaves one with a higher number; so the first record of all that are left is the first one of a ring, and its number
    /// is the next one of its counter.
    pub(crate) fn due(&self, ends: &[u64]) -> Due {
        let mut least: Option<(u64, usize)> = None;
        let mut held_up = None;
        for ring in 0..ends.len() {
            let waits = ring != shared(ring) && self.has_some(shared(ring), ends);
            if waits || !self.has_some(ring, ends) {
                continue;
            }
            let first = self.arena.note(ring, self.head(ring));
            match first.map(|note| self.ahead(&note)) {
                Some(0) => return Due::Ring(ring),
                Some(ahead) => least = least.into_iter().chain([(ahead, ring)]).min(),
                None => held_up = Some(ring),
            }
        }
        match (held_up, least) {
            (Some(ring), _) => Due::HeldUp(ring),
            (None, Some((_, ring))) => Due::Gap(ring),
            (None, None) => Due::Nothing,
        }
    }

    /// Whether the numbers of this hash are those of one counter that no other one has.
    pub(crate) fn is_counted(&self, hash: u32) -> bool {
        hash != 0 && self.arena.counter_of(hash) == u64::from(hash)
    }

    /// Records not taken yet.
    pub(crate) fn left(&self) -> u64 {
        let heads = (0..self.vigils.len()).map(|ring| &self.arena.heads[ring * HEAD_WORDS..]);
        heads
            .map(|head| head[0].load(Relaxed) - head[HEAD].load(Relaxed))
            .sum()
    }

    /// Of each ring how many records it has, and how many it may have.
    pub(crate) fn filled(&self) -> impl Iterator<Item = (u64, u64)> {
        (0..self.vigils.len()).map(|ring| {
            let left = self.end(ring).saturating_sub(self.head(ring));
            (left, self.arena.limit_of(ring))
        })
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
        ring: (usize, u64),
        max: u64,
        each: impl FnMut(Note),
    ) -> u64 {
        self.drain_while(now, ring, max, |_, _| true, each)
    }

    /// The same as long as by their numbers nothing is missing before them, or `any` for the first one.
    pub(crate) fn drain_due(
        &mut self,
        now: u64,
        ring: (usize, u64),
        (max, any): (u64, bool),
        each: impl FnMut(Note),
    ) -> u64 {
        let mut any = any;
        let is_due =
            |consumer: &Self, note: &Note| std::mem::take(&mut any) || consumer.ahead(note) == 0;
        self.drain_while(now, ring, max, is_due, each)
    }

    fn drain_while(
        &mut self,
        now: u64,
        (ring, all): (usize, u64),
        max: u64,
        mut may: impl FnMut(&Self, &Note) -> bool,
        mut each: impl FnMut(Note),
    ) -> u64 {
        let first = self.head(ring);
        let end = all.min(first.saturating_add(max));
        let mut at = first;
        let clockless = self.arena.is_clockless();
        while at < end {
            match self.arena.note(ring, at) {
                Some(note) if may(self, &note) => {
                    // Without a clock nothing is known of a ring until all of it has been taken.
                    match clockless {
                        true => self.pass(&note),
                        false => self.clear[ring] = self.clear[ring].max(note.at.min(now)),
                    }
                    each(note);
                }
                Some(_) => break,
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

    /// How many numbers of its counter there are before that of a record. None where many locks share it.
    fn ahead(&self, note: &Note) -> u64 {
        match self.is_counted(note.hash) {
            true => {
                let next = self.numbers.get(note.hash as usize % COUNTS);
                next.map_or(0, |&next| note.at.saturating_sub(next))
            }
            false => 0,
        }
    }

    /// A record is taken.
    fn pass(&mut self, note: &Note) {
        if !self.numbers.is_empty() && self.is_counted(note.hash) {
            let next = &mut self.numbers[note.hash as usize % COUNTS];
            *next = (*next).max(note.at.saturating_add(1));
        }
    }
}

/// The ring that the threads of a group share which have none to themselves.
fn shared(ring: usize) -> usize {
    ring / GROUP * GROUP + GROUP - 1
}
