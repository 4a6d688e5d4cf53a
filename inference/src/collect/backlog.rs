//! Events put off, and worked on lock by lock.
//!
//! With many locks every event goes to other corners of memory: the lock's state, where its next event
//! is kept, the histogram of the stay that ends and the bucket in it. In the order of the file none of
//! them is in a near cache when its turn comes. What an event means for its *thread* and for the
//! recording as a whole is worked out at once; what it means for its *lock* depends on no other lock, so
//! it waits here among that of its neighbours, and a neighbourhood of locks is small enough to stay near
//! while all that has waited for it is done, in its order. Before that, what it needs is touched, level by
//! level: loads that do not depend on each other overlap.

use super::entries::Entry;
use super::idtable::IdTable;
use super::state::LockState;
use super::window::Kept;
use std::hint::black_box;

/// Locks in a neighbourhood, as a power of two: of about a kilobyte each, half of a usual second-level
/// cache.
const NEIGHBOURS_BITS: u32 = 9;
/// Events put off, for each lock.
const EACH: usize = 16;
/// Events put off at most: some 15 MB with what they say of stays.
const MOST: usize = 1 << 18;
/// Events touched at once: what they touch stays in the nearest cache.
pub(super) const AT_ONCE: usize = 64;
/// So few are near in any order.
const FEW: usize = 8 * AT_ONCE;

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Backlog {
    pub(super) events: Pile<Kept>,
    pub(super) entries: Pile<Entry>,
}

impl Backlog {
    /// It is time to work on what has waited, with so many locks.
    pub(super) fn is_full(&self, locks: usize) -> bool {
        self.events.waiting.len() >= (EACH * locks).clamp(AT_ONCE, MOST)
    }
}

/// What concerns one lock.
pub(super) trait OfLock: Copy {
    /// Its slot.
    fn lock(&self) -> u32;
}

impl OfLock for Kept {
    fn lock(&self) -> u32 {
        self.lock
    }
}

impl OfLock for Entry {
    fn lock(&self) -> u32 {
        self.lock
    }
}

/// What waits, in the order in which it came.
#[derive(Clone, Debug)]
pub(super) struct Pile<T> {
    waiting: Vec<T>,
    /// Places in it, by neighbourhood.
    order: Vec<u32>,
    /// Where each neighbourhood begins in that.
    begins: Vec<u32>,
}

impl<T> Default for Pile<T> {
    fn default() -> Self {
        Self {
            waiting: Vec::new(),
            order: Vec::new(),
            begins: Vec::new(),
        }
    }
}

impl<T: OfLock> Pile<T> {
    pub(super) fn push(&mut self, item: T) {
        self.waiting.push(item);
    }

    /// Takes all, neighbourhood by neighbourhood, a few at once, those of one lock in their order.
    pub(super) fn work(&mut self, mut on: impl FnMut(&[T])) {
        if self.waiting.len() <= FEW {
            self.waiting.chunks(AT_ONCE).for_each(on);
        } else {
            self.sort();
            let mut near = Vec::with_capacity(AT_ONCE);
            for places in self.order.chunks(AT_ONCE) {
                near.extend(places.iter().map(|&place| self.waiting[place as usize]));
                on(&near);
                near.clear();
            }
        }
        self.waiting.clear();
    }

    fn sort(&mut self) {
        let part = |item: &T| (item.lock() >> NEIGHBOURS_BITS) as usize;
        self.begins.clear();
        for item in &self.waiting {
            let next = part(item) + 1;
            if next >= self.begins.len() {
                self.begins.resize(next + 1, 0);
            }
            self.begins[next] += 1;
        }
        let mut begin = 0;
        for count in &mut self.begins {
            begin += *count;
            *count = begin;
        }
        self.order.resize(self.waiting.len(), 0);
        for (place, item) in (0..).zip(&self.waiting) {
            let next = &mut self.begins[part(item)];
            self.order[*next as usize] = place;
            *next += 1;
        }
    }
}

/// Touches the state that these events will need.
pub(super) fn touch(events: &[Kept], locks: &IdTable<LockState>) {
    let each = |read: fn(&LockState) -> u64| {
        let read = |event: &Kept| read(locks.peek(event.lock));
        black_box(events.iter().map(read).fold(0, |sum, n| sum ^ n));
    };
    each(LockState::touch);
    each(|lock| lock.windows.next_place());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Item {
        lock: u32,
        number: usize,
    }

    impl OfLock for Item {
        fn lock(&self) -> u32 {
            self.lock
        }
    }

    /// What comes out of a pile, in its order.
    fn worked(items: &[Item]) -> Vec<Item> {
        let mut pile = Pile::default();
        // Of a pile that was worked on before nothing is left.
        items.iter().rev().for_each(|&item| pile.push(item));
        pile.work(|_| {});
        items.iter().for_each(|&item| pile.push(item));
        let mut out = Vec::new();
        pile.work(|some| out.extend_from_slice(some));
        out
    }

    proptest! {
        #[test]
        fn neighbours_come_together_each_lock_in_its_order(
            locks in prop::collection::vec(0u32..5 << NEIGHBOURS_BITS, 0..3 * FEW),
        ) {
            let items = locks.iter().zip(0..).map(|(&lock, number)| Item { lock, number });
            let items: Vec<Item> = items.collect();
            let mut expected = items.clone();
            if items.len() > FEW {
                expected.sort_by_key(|item| item.lock >> NEIGHBOURS_BITS);
            }
            prop_assert_eq!(worked(&items), expected);
        }
    }
}
