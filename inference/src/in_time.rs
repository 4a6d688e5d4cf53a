//! What all threads did in the order of time.
//!
//! In a file the events of one thread come in their order; those of different threads do so only roughly. A
//! heartbeat says that everything before it has been sent: until then events wait here. Times of events
//! recorded while a lock is held were read while it was held, so they order its owners.

use crate::collect::{FastHash, IdTable};
use locklens_trace::{Event, Nanos, ThreadId};
use std::collections::HashMap;

/// Events that wait at most, should no heartbeat come.
const MOST: usize = 1 << 19;

/// Something that a thread did at a time.
pub(crate) trait Timed {
    /// Whose, and of which kind: of each the file has what it did in order.
    fn series(&self) -> (ThreadId, u8);
    /// When.
    fn at(&self) -> Nanos;
    fn at_mut(&mut self) -> &mut Nanos;
}

impl Timed for Event {
    fn series(&self) -> (ThreadId, u8) {
        (self.thread, 0)
    }

    fn at(&self) -> Nanos {
        self.at
    }

    fn at_mut(&mut self) -> &mut Nanos {
        &mut self.at
    }
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Queue<T = Event> {
    waiting: Vec<T>,
    /// Time of each thread's latest event: it never runs backwards.
    last: Latest,
}

/// The latest time of each series: of what threads do themselves, which is most, in a table.
#[derive(Debug, Default)]
struct Latest {
    threads: IdTable<Nanos>,
    others: HashMap<(ThreadId, u8), Nanos, FastHash>,
}

impl Latest {
    fn of(&mut self, series: (ThreadId, u8)) -> &mut Nanos {
        match series {
            (ThreadId(thread), 0) => self.threads.get(thread),
            _ => self.others.entry(series).or_default(),
        }
    }
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self {
            waiting: Vec::new(),
            last: Latest::default(),
        }
    }
}

impl<T: Timed> Queue<T> {
    /// Takes in the next event of the file. Gives those that have waited too long.
    pub(crate) fn push(&mut self, mut event: T) -> Vec<T> {
        let last = self.last.of(event.series());
        let at = event.at_mut();
        *at = (*at).max(*last);
        *last = *at;
        self.waiting.push(event);
        match self.waiting.len() >= MOST {
            true => self.take(MOST / 2),
            false => Vec::new(),
        }
    }

    /// What waits for its turn, in the order in which it came or later ones.
    pub(crate) fn waiting(&self) -> impl ExactSizeIterator<Item = &T> {
        self.waiting.iter()
    }

    /// Everything before this time is here: what there is of it, in order.
    pub(crate) fn until(&mut self, at: Nanos) -> Vec<T> {
        self.sort();
        let end = self.waiting.partition_point(|event| event.at() < at);
        self.let_go(end)
    }

    /// What is left, in order.
    pub(crate) fn rest(&mut self) -> Vec<T> {
        self.take(usize::MAX)
    }

    fn take(&mut self, most: usize) -> Vec<T> {
        self.sort();
        self.let_go(most.min(self.waiting.len()))
    }

    /// The first ones go. That is all or nearly all most often, and then those that stay are moved.
    fn let_go(&mut self, many: usize) -> Vec<T> {
        if many <= self.waiting.len() / 2 {
            return self.waiting.drain(..many).collect();
        }
        let mut rest = Vec::with_capacity(self.waiting.len());
        rest.extend(self.waiting.drain(many..));
        std::mem::replace(&mut self.waiting, rest)
    }

    fn sort(&mut self) {
        self.waiting.sort_by_key(T::at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::event;
    use locklens_trace::{EventKind, LockId};

    fn at(us: u64, thread: u32) -> Event {
        event(us, ThreadId(thread), EventKind::Exit, LockId(1))
    }

    fn times(events: &[Event]) -> Vec<(u64, u32)> {
        let time = |e: &Event| (e.at.0 / 1000, e.thread.0);
        events.iter().map(time).collect()
    }

    #[test]
    fn a_heartbeat_lets_go_of_what_was_before_it_in_order() {
        let mut queue = Queue::default();
        for (us, thread) in [(5, 1), (9, 1), (2, 2), (7, 2)] {
            assert!(queue.push(at(us, thread)).is_empty());
        }
        assert_eq!(times(&queue.until(Nanos(7_000))), [(2, 2), (5, 1)]);
        assert_eq!(times(&queue.rest()), [(7, 2), (9, 1)]);
    }

    #[test]
    fn a_thread_never_goes_back_in_time() {
        let mut queue = Queue::default();
        queue.push(at(5, 1));
        queue.push(at(3, 1));
        assert_eq!(times(&queue.rest()), [(5, 1), (5, 1)]);
    }

    #[test]
    fn without_a_heartbeat_no_more_than_so_many_wait() {
        let mut queue = Queue::default();
        let mut through = 0;
        for us in 0..3 * MOST as u64 {
            through += queue.push(at(us, 1)).len();
            assert!(queue.waiting.len() < MOST);
        }
        assert_eq!(through + queue.rest().len(), 3 * MOST);
    }
}
