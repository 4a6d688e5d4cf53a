//! Who ended whose wait at a monitor: the one reading of notifies, for all who follow them.
//!
//! Of an exact recording every notify is known. `notifyAll` ends the waits of all who wait; `notify` that of one, and if
//! several wait nobody says whose: HotSpot takes the one that waits longest, which is what is told, marked as
//! inferred. Events come in the order of time ([`crate::in_time`]). Start with [`Wakes::take`].

use crate::collect::FastHash;
use locklens_trace::{Event, EventKind, LockId, Nanos, StackId, ThreadId};
use std::collections::{HashMap, VecDeque};

/// Who notified, when and from where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Notify {
    pub(crate) by: ThreadId,
    pub(crate) at: Nanos,
    pub(crate) stack: Option<StackId>,
    /// Others waited there as well, and it may have been meant for one of them.
    pub(crate) inferred: bool,
}

/// A thread that waits, and who has notified it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiter {
    lock: LockId,
    /// The how manieth wait of the recording.
    number: u64,
    pub(crate) since: Nanos,
    pub(crate) by: Option<Notify>,
}

/// Who waits where.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wakes {
    threads: HashMap<ThreadId, Waiter, FastHash>,
    /// Those that nobody has notified, in the order in which they came. A lock that was waited on is most often waited on again:
    /// its place is kept.
    open: HashMap<LockId, VecDeque<(u64, ThreadId)>, FastHash>,
    waits: u64,
}

impl Wakes {
    /// How many threads wait.
    pub(crate) fn len(&self) -> usize {
        self.threads.len()
    }

    /// A thread waits; where it waited before it does so no more.
    pub(crate) fn wait(&mut self, event: &Event, lock: LockId) {
        self.leave(event.thread);
        let number = self.waits;
        self.waits += 1;
        let waiter = Waiter {
            lock,
            number,
            since: event.at,
            by: None,
        };
        self.threads.insert(event.thread, waiter);
        let open = self.open.entry(lock).or_default();
        open.push_back((number, event.thread));
    }

    /// A thread notifies; whether it is inferred which one it notified.
    pub(crate) fn notify(&mut self, event: &Event, lock: LockId) -> bool {
        let Some(open) = self.open.get_mut(&lock) else {
            return false;
        };
        let all = event.kind == EventKind::NotifyAll;
        let inferred = !all && open.len() > 1;
        let by = Some(Notify {
            by: event.thread,
            at: event.at,
            stack: event.stack,
            inferred,
        });
        let most = if all { open.len() } else { 1 };
        for _ in 0..most {
            let woken = open.pop_front().map(|(_, thread)| thread);
            let waiter = woken.and_then(|thread| self.threads.get_mut(&thread));
            waiter.into_iter().for_each(|waiter| waiter.by = by);
        }
        inferred
    }

    /// A thread waits there no more; what its wait was.
    pub(crate) fn take(&mut self, thread: ThreadId, lock: LockId) -> Option<Waiter> {
        match self.threads.get(&thread) {
            Some(waiter) if waiter.lock == lock => self.leave(thread),
            _ => None,
        }
    }

    fn leave(&mut self, thread: ThreadId) -> Option<Waiter> {
        let waiter = self.threads.remove(&thread)?;
        if let Some(open) = self.open.get_mut(&waiter.lock) {
            let place = open.binary_search_by_key(&waiter.number, |(number, _)| *number);
            if let Ok(at) = place {
                open.remove(at);
            }
        }
        Some(waiter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::event;

    const LOCK: LockId = LockId(7);

    fn waiting(threads: &[u32]) -> Wakes {
        let mut wakes = Wakes::default();
        for &thread in threads {
            let wait = EventKind::Wait { timeout: None };
            let wait = event(u64::from(thread), ThreadId(thread), wait, LOCK);
            wakes.wait(&wait, LOCK);
        }
        wakes
    }

    fn notified(wakes: &mut Wakes, us: u64, kind: EventKind) -> bool {
        wakes.notify(&event(us, ThreadId(99), kind, LOCK), LOCK)
    }

    fn by(wakes: &mut Wakes, thread: u32) -> Option<(u64, bool)> {
        let waiter = wakes.take(ThreadId(thread), LOCK).expect("it waits");
        let by = waiter.by?;
        Some((by.at.0 / 1000, by.inferred))
    }

    #[test]
    fn notify_ends_the_longest_wait_and_the_last_one_surely() {
        let mut wakes = waiting(&[1, 2]);
        assert!(notified(&mut wakes, 10, EventKind::Notify));
        assert!(!notified(&mut wakes, 20, EventKind::Notify));
        assert!(!notified(&mut wakes, 30, EventKind::Notify), "nobody waits");
        assert_eq!(by(&mut wakes, 1), Some((10, true)));
        assert_eq!(by(&mut wakes, 2), Some((20, false)));
    }

    #[test]
    fn notify_all_ends_the_waits_of_those_who_wait() {
        let mut wakes = waiting(&[1, 2, 3]);
        assert!(wakes.take(ThreadId(2), LOCK).is_some());
        notified(&mut wakes, 10, EventKind::NotifyAll);
        assert_eq!(by(&mut wakes, 1), Some((10, false)));
        assert_eq!(by(&mut wakes, 3), Some((10, false)));
        assert!(wakes.take(ThreadId(2), LOCK).is_none());
        assert!(wakes.open.values().all(VecDeque::is_empty) && wakes.threads.is_empty());
    }

    #[test]
    fn a_thread_waits_in_one_place() {
        let mut wakes = waiting(&[1, 1]);
        notified(&mut wakes, 10, EventKind::NotifyAll);
        assert!(wakes.take(ThreadId(1), LockId(8)).is_none());
        assert_eq!(by(&mut wakes, 1), Some((10, false)));
    }
}
