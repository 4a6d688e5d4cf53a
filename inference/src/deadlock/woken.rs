//! Monitors on which a thread has notified since it took them, and which it still has: nobody waits there to be notified as long as it
//! stays. Who waited then wants the monitor back, and nobody can begin to wait without having it.

use super::step::{Lock, Thread};
use super::table::Dependency;
use std::collections::BTreeMap;

/// Threads followed, and dependencies remembered.
const MOST: usize = 65_536;

/// On these, and whether each time all who waited were notified.
type Locks = BTreeMap<Lock, bool>;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Woken {
    now: BTreeMap<Thread, Locks>,
    /// By dependency: those on which its thread had notified by then, each time.
    always: BTreeMap<u32, Locks>,
    /// Who waits on a lock; none: several do.
    waiters: BTreeMap<Lock, Option<Thread>>,
}

impl Woken {
    /// A thread notifies on a lock that it has.
    pub(super) fn notified(&mut self, thread: Thread, lock: Lock, all: bool) {
        if self.now.len() < MOST || self.now.contains_key(&thread) {
            *self.now.entry(thread).or_default().entry(lock).or_default() |= all;
        }
    }

    /// It has left it, or nobody knows.
    pub(super) fn left(&mut self, thread: Thread, lock: Lock) {
        let of_thread = self.now.get_mut(&thread);
        let none = of_thread.is_some_and(|locks| locks.remove(&lock).is_some() && locks.is_empty());
        if none {
            self.now.remove(&thread);
        }
    }

    /// A thread waits on a lock.
    pub(super) fn waits(&mut self, thread: Thread, lock: Lock) {
        let known = self.waiters.entry(lock).or_insert(Some(thread));
        *known = known.filter(|&known| known == thread);
    }

    /// A thread comes to a dependency, for the first time or once more.
    pub(super) fn wants(&mut self, thread: Thread, index: u32, first: bool) {
        let now = self.now.get(&thread);
        match (now, first) {
            (Some(now), true) if self.always.len() < MOST => {
                drop(self.always.insert(index, now.clone()))
            }
            (_, true) => {}
            (None, false) if self.always.is_empty() => {}
            (now, false) => {
                let Some(always) = self.always.get_mut(&index) else {
                    return;
                };
                always.retain(|lock, all| {
                    let again = now.and_then(|now| now.get(lock));
                    *all &= again.copied().unwrap_or_default();
                    again.is_some()
                });
            }
        }
    }

    /// Whether whoever waits to be notified on that lock has been, where the holder of it is.
    pub(super) fn is_woken(
        &self,
        waiter: Thread,
        lock: Lock,
        (index, holder): (u32, &Dependency),
    ) -> bool {
        let always = self.always.get(&index);
        let alone = self.waiters.get(&lock) == Some(&Some(waiter));
        let notified = always.and_then(|always| always.get(&lock));
        notified.is_some_and(|all| *all || alone) && holder.hold(lock).is_some()
    }
}
