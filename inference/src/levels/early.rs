//! What may have been in a queue: everything that was put in from as early on as it can have been.
//!
//! What is put in or taken out is told when it has been done. So somebody can take an element, and tell so, before he who
//! put it in tells that: then what was counted falls by one for a moment, to what nobody has ever seen. How many there
//! were before anything was told is known only from what was taken and cannot have been put in by then. A thread has put
//! nothing in before it did what it told last, and does not keep the news for long.

use super::stock::Stock;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// When, and by how much it changes.
type Due = Reverse<(u64, i64)>;

/// See the module.
#[derive(Debug)]
pub(super) struct Early {
    pub(super) stock: Stock,
    /// What is not counted yet: something else may have come before it.
    due: BinaryHeap<Due>,
    /// How long it takes at most from putting something in to telling so.
    delay: u64,
}

impl Early {
    pub(super) fn new(delay: u64) -> Self {
        Self {
            stock: Stock::default(),
            due: BinaryHeap::new(),
            delay,
        }
    }

    /// Something was told of a thread that told something else before, if it did.
    pub(super) fn told(&mut self, at: u64, before: Option<u64>, by: i64) {
        let before = before.map_or(0, |before| before.saturating_add(1));
        let since = at.saturating_sub(self.delay).max(before);
        let from = if by > 0 { since.min(at) } else { at };
        self.due.push(Reverse((from, by)));
    }

    /// Counts what came before that time by more than it takes to tell it.
    pub(super) fn come_to(&mut self, at: u64, width: u64, most: usize) {
        let settled = at.saturating_sub(self.delay);
        while let Some(&Reverse((from, by))) = self.due.peek()
            && from < settled
        {
            self.due.pop();
            let value = self.stock.value().saturating_add(by);
            self.stock.set(from, value, width, most);
        }
    }

    /// Counts the rest.
    pub(super) fn finish(&mut self, width: u64, most: usize) {
        self.come_to(u64::MAX, width, most);
    }
}
