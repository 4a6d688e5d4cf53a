//! Who can let a thread go on that waits to be notified: whoever does that there in the trace.
//!
//! What a thread did before it notified comes before what the one does that it woke: in this run. In another run somebody else
//! may have come first who notifies there, too, and then nothing of that need have been done. For sure came before only what
//! comes before the first notify of each of them. Who can do so only behind what the waiter does next is none of them.

use super::closure::{Force, Least, all_before};
use super::follow::Moment;
use super::history::{Edge, History};
use super::step::{Lock, Thread};
use crate::collect::FastMap;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Threads that notify at one lock: of more it is not known who they are.
const OPENERS: usize = 64;
/// Sections and edges drawn in to find what comes before their notifies, of all locks. Of what is not found nothing came before.
const WORK: usize = 50_000_000;

/// Up to where each thread must have come, in the order of threads.
type Clock = Rc<[(Thread, u32)]>;

/// What came before a step at which a thread was let go on.
#[derive(Debug)]
pub(super) enum Before {
    /// What the one did who let it go on: nobody else can have done it.
    Sole,
    /// What comes before all who can.
    Common(Clock),
}

impl Default for Before {
    fn default() -> Self {
        Self::Common(Rc::default())
    }
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Openers {
    /// By lock, who notifies there, and at which of his steps first.
    first: FastMap<Lock, BTreeMap<Thread, u32>>,
    known: RefCell<Known>,
}

/// What was asked.
#[derive(Debug, Default)]
struct Known {
    spent: usize,
    /// What came before who notifies there first, and before all of those who could be it.
    before: FastMap<(Lock, Thread), Clock>,
    common: FastMap<(Lock, Vec<Thread>), Clock>,
}

impl Openers {
    pub(super) fn saw(&mut self, lock: Lock, moment: Moment) {
        let first = self.first.entry(lock).or_default();
        // One more says that there are too many.
        if first.len() <= OPENERS {
            first.entry(moment.thread).or_insert(moment.at);
        }
    }

    /// Who can let others go on at a lock.
    pub(super) fn threads(&self, lock: Lock) -> impl Iterator<Item = Thread> {
        let first = self.first.get(&lock).into_iter().flatten();
        first.map(|(&thread, _)| thread)
    }

    /// What came before a step for sure at which a thread was let go on by another one, whoever it may be in other runs. None if the
    /// work allowed is used up.
    pub(super) fn before(
        &self,
        history: &History<'_>,
        (lock, waiter): (Lock, Thread),
        (edge, least): (&Edge, Least),
        work: &mut usize,
    ) -> Option<Before> {
        // Who makes a future complete that several can is told nowhere.
        let Some(first) = self.first.get(&lock).filter(|all| all.len() <= OPENERS) else {
            return Some(Before::default());
        };
        let is_other = |thread: Thread| thread != waiter && thread != edge.thread;
        if !first.keys().any(|&thread| is_other(thread)) {
            return Some(Before::Sole);
        }
        if least != Least::Must {
            return Some(Before::default());
        }
        *work = work.checked_sub(first.len())?;
        let mut before = Vec::new();
        for (&thread, &at) in first.iter().filter(|(thread, _)| **thread != waiter) {
            let clock = self.known(history, (lock, thread), at);
            let waited = clock.binary_search_by_key(&waiter, |&(of, _)| of);
            let is_behind = waited.is_ok_and(|found| clock[found].1 >= edge.at);
            if !is_behind {
                before.push((thread, clock));
            }
        }
        let any = before.iter().any(|(thread, _)| is_other(*thread));
        Some(match any {
            true => Before::Common(self.common(lock, &before)),
            false => Before::Sole,
        })
    }

    fn known(&self, history: &History<'_>, who: (Lock, Thread), at: u32) -> Clock {
        let mut known = self.known.borrow_mut();
        if let Some(clock) = known.before.get(&who) {
            return clock.clone();
        }
        let force = Force {
            locks: false,
            least: Least::Sole,
        };
        let mut left = WORK.saturating_sub(known.spent);
        let clock = all_before(history, (who.1, at), force, &mut left);
        let clock: Clock = clock.unwrap_or_default().into();
        known.spent = WORK - left;
        known.before.insert(who, clock.clone());
        clock
    }

    fn common(&self, lock: Lock, all: &[(Thread, Clock)]) -> Clock {
        let mut known = self.known.borrow_mut();
        let key = (lock, all.iter().map(|(thread, _)| *thread).collect());
        let common = known.common.entry(key).or_insert_with(|| {
            let mut least: BTreeMap<Thread, (usize, u32)> = BTreeMap::new();
            for &(thread, at) in all.iter().flat_map(|(_, clock)| clock.iter()) {
                let (by, known) = least.entry(thread).or_insert((0, at));
                (*by, *known) = (*by + 1, at.min(*known));
            }
            let of_each = least.into_iter().filter(|(_, (by, _))| *by == all.len());
            of_each.map(|(thread, (_, at))| (thread, at)).collect()
        });
        common.clone()
    }
}
