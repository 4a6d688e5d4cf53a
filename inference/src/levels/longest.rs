//! The longest stays, one by one.

use locklens_trace::record::Owner;
use locklens_trace::{LockId, StackId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A stay as it is met. In order of length, and among those of one length the earlier before the later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stay {
    pub(super) length: u64,
    pub(super) from: Reverse<u64>,
    /// Slot of the thread.
    pub(super) thread: Reverse<u32>,
    /// Row of the lock.
    pub(super) lock: u32,
    pub(super) object: LockId,
    pub(super) stack: Option<StackId>,
    pub(super) owner: OwnerKey,
    /// How long it was meant to last at most.
    pub(super) limit: Option<u64>,
    pub(super) shared: bool,
    pub(super) open: bool,
    pub(super) estimate: bool,
    pub(super) woken: Option<Woken>,
}

impl Stay {
    /// One of which no more is known than where and when it begins.
    pub(super) fn begun(from: u64, slot: u32, (lock, object): (u32, LockId)) -> Self {
        Self {
            length: 0,
            from: Reverse(from),
            thread: Reverse(slot),
            lock,
            object,
            stack: None,
            owner: OwnerKey::Unknown,
            limit: None,
            shared: false,
            open: false,
            estimate: false,
            woken: None,
        }
    }
}

/// Who ended a stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Woken {
    /// Slot of the thread.
    pub(super) by: u32,
    pub(super) at: u64,
    pub(super) inferred: bool,
}

/// Something that takes a while, in order of its length.
pub(super) trait Lasting: Ord {
    fn length(&self) -> u64;
}

impl Lasting for Stay {
    fn length(&self) -> u64 {
        self.length
    }
}

/// An owner that has an order: not known, nobody, or a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OwnerKey {
    Unknown,
    Nobody,
    Thread(u32),
}

impl From<Owner> for OwnerKey {
    fn from(owner: Owner) -> Self {
        match owner {
            Owner::Unknown => Self::Unknown,
            Owner::Nobody => Self::Nobody,
            Owner::Thread(thread) => Self::Thread(thread.0),
        }
    }
}

/// Keeps the longest of all it is shown.
#[derive(Debug)]
pub(super) struct Longest<T = Stay> {
    most: usize,
    /// The shortest kept is at its top.
    kept: BinaryHeap<Reverse<T>>,
    pub(super) left_out: u64,
    /// Length of the longest left out.
    pub(super) cut: u64,
}

impl<T: Lasting> Longest<T> {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            kept: BinaryHeap::new(),
            left_out: 0,
            cut: 0,
        }
    }

    pub(super) fn push(&mut self, stay: T) {
        if self.kept.len() < self.most {
            return self.kept.push(Reverse(stay));
        }
        // Nearly all are shorter, which their lengths tell already.
        let stands_behind = |shortest: &T| shortest.length() <= stay.length() && *shortest < stay;
        let left = match self.shortest().is_some_and(stands_behind) {
            false => stay.length(),
            true => self.exchange(stay),
        };
        self.left_out += 1;
        self.cut = self.cut.max(left);
    }

    /// Puts it in the place of the shortest, whose length it gives.
    fn exchange(&mut self, stay: T) -> u64 {
        let shortest = self.kept.peek_mut();
        shortest.map_or(0, |mut shortest| {
            std::mem::replace(&mut *shortest, Reverse(stay)).0.length()
        })
    }

    /// The shortest kept.
    pub(super) fn shortest(&self) -> Option<&T> {
        self.kept.peek().map(|Reverse(stay)| stay)
    }

    /// Those kept, in no order.
    pub(super) fn all(self) -> impl Iterator<Item = T> {
        self.kept.into_iter().map(|Reverse(stay)| stay)
    }
}

impl Longest {
    /// Those kept, in order of their beginning.
    pub(super) fn in_order(self) -> Vec<Stay> {
        let mut kept: Vec<Stay> = self.all().collect();
        kept.sort_by_key(|stay| {
            (
                stay.from.0,
                stay.thread.0,
                Reverse(stay.length),
                stay.object,
            )
        });
        kept
    }
}
