//! The order of events where no clock is read: a thread's come as they stand, those of a lock as they are numbered.
//!
//! Most locks have a counter to themselves ([`COUNTED`]). Of such a lock it is known whether something that came before an event has
//! not been found yet: its number is missing. Counters that locks share leave gaps that mean nothing.

use crate::ring::{COUNTED, RawEvent, What};
use crate::scattered::Map;

/// No place.
const NONE: u32 = u32::MAX;

/// What has been told, as far as it matters for what follows.
#[derive(Default)]
pub(super) struct Numbers {
    /// Of each lock the number that comes next.
    next: Map<u32, u32>,
}

/// Before each place the one that is told before it: in its thread, and under its lock.
struct Before {
    in_thread: Vec<u32>,
    in_lock: Vec<u32>,
}

impl Numbers {
    /// An event is told.
    pub(super) fn note(&mut self, event: &RawEvent) {
        if event.seq == 0 {
            return;
        }
        let next = self.next.entry(event.lock).or_insert(1);
        if event.seq.wrapping_sub(*next).cast_signed() >= 0 {
            *next = event.seq.wrapping_add(1);
        }
    }

    /// How far the number of an event is from the next one of its lock. Numbers go round.
    fn ahead(&self, event: &RawEvent) -> i32 {
        let next = self.next.get(&event.lock).copied().unwrap_or(1);
        event.seq.wrapping_sub(next).cast_signed()
    }

    fn before(&self, held: &[RawEvent]) -> Before {
        let mut in_thread = vec![NONE; held.len()];
        let mut last: Map<u32, u32> = Map::default();
        let mut ends = Vec::new();
        let mut numbered = Vec::new();
        for (place, event) in (0..).zip(held) {
            if event.what == What::ThreadEnd {
                ends.push(place);
                continue;
            }
            in_thread[place as usize] = last.insert(event.thread, place).unwrap_or(NONE);
            if event.seq != 0 {
                numbered.push((event.lock, self.ahead(event), place));
            }
        }
        // Its time is its own, while what the thread did has that of the look that found it.
        for end in ends {
            let last = last.get(&held[end as usize].thread);
            in_thread[end as usize] = last.copied().unwrap_or(NONE);
        }
        numbered.sort_unstable();
        let mut in_lock = vec![NONE; held.len()];
        for pair in numbered.windows(2) {
            if pair[0].0 == pair[1].0 {
                in_lock[pair[1].2 as usize] = pair[0].2;
            }
        }
        Before { in_thread, in_lock }
    }

    /// The places of the first `ripe` events in the order in which they are told, and of those among the others that come
    /// before one of them; each with the time by which it is told.
    pub(super) fn ripe(&self, held: &[RawEvent], ripe: usize) -> Vec<(u32, u64)> {
        let Before { in_thread, in_lock } = self.before(held);
        let mut met = vec![false; held.len()];
        let mut order = Vec::with_capacity(ripe);
        let mut open = Vec::new();
        for target in 0..ripe as u32 {
            if !std::mem::replace(&mut met[target as usize], true) {
                open.push(target);
            }
            while let Some(&place) = open.last() {
                let before = [in_thread[place as usize], in_lock[place as usize]];
                // What is open already comes before itself: numbers that contradict the threads are none.
                let first = before.into_iter().find(|&b| b != NONE && !met[b as usize]);
                if let Some(first) = first {
                    met[first as usize] = true;
                    open.push(first);
                } else {
                    open.pop();
                    order.push((place, held[target as usize].at));
                }
            }
        }
        order
    }

    /// The places of all events before which nothing can be missing, in the order in which they are told: whatever is still in a ring
    /// came after them. Not the ends of threads, of which more may be.
    pub(super) fn connected(&self, held: &[RawEvent]) -> Vec<u32> {
        let Before { in_thread, in_lock } = self.before(held);
        let after = |before: &[u32]| {
            let mut after = vec![NONE; held.len()];
            for (place, &first) in (0..).zip(before) {
                if first != NONE && held[place as usize].what != What::ThreadEnd {
                    after[first as usize] = place;
                }
            }
            after
        };
        let (then_thread, then_lock) = (after(&in_thread), after(&in_lock));
        let mut told = vec![false; held.len()];
        let is_told = |told: &[bool], place: u32| place == NONE || told[place as usize];
        let follows = |place: u32| {
            let (event, first) = (&held[place as usize], in_lock[place as usize]);
            match first {
                _ if event.seq == 0 || event.arg & COUNTED == 0 => true,
                NONE => self.ahead(event) == 0,
                first => event.seq == held[first as usize].seq.wrapping_add(1),
            }
        };
        let starts = (0..held.len() as u32).filter(|&place| {
            in_thread[place as usize] == NONE && held[place as usize].what != What::ThreadEnd
        });
        let mut open: Vec<u32> = starts.collect();
        open.reverse();
        let mut order = Vec::new();
        while let Some(place) = open.pop() {
            let before = [in_thread[place as usize], in_lock[place as usize]];
            let ready = before.into_iter().all(|b| is_told(&told, b)) && follows(place);
            if !ready || std::mem::replace(&mut told[place as usize], true) {
                continue;
            }
            order.push(place);
            let then = [then_lock[place as usize], then_thread[place as usize]];
            open.extend(then.into_iter().filter(|&then| then != NONE));
        }
        order
    }
}
