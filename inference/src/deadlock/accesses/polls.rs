//! Whether a thread waited for what it read.
//!
//! That something was read which another thread had written before says no more than that it came later. Who waits for it
//! asks again, at the same place, until he finds another value, and does nothing else meanwhile: he writes nothing, and takes no
//! lock but to look under it or to wait inside it. Then he goes on, and does not ask once more.
//!
//! Who tries to swap waits, too: he fails, and at the same place succeeds, with nothing read of it in between. Where he looks first what to
//! expect, as counters do, he only competes.

use super::{Var, Write};
use crate::deadlock::step::Reading;
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use std::collections::HashMap;

/// Places at which one thread asks again and again, and locks it takes meanwhile.
const PLACES: usize = 16;
const LOCKS: usize = 8;

/// A place where a thread asks for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) stack: Option<StackId>,
    pub(super) variable: usize,
    /// When it asked.
    pub(super) from: Nanos,
    pub(super) to: Nanos,
    /// What it found, or what it would have written.
    pub(super) value: Option<u32>,
    /// By trying to swap.
    pub(super) tries: bool,
}

impl Asked {
    fn is_again(&self, other: &Self) -> bool {
        let same = (self.stack, self.variable, self.tries);
        same == (other.stack, other.variable, other.tries)
    }
}

/// A thread that asks.
#[derive(Debug)]
struct Poll {
    /// The first time was over then.
    since: Nanos,
    latest: Asked,
    /// The write that it found, if that is certain.
    found: Option<(Var, Nanos)>,
    /// Locks taken since it asked, and not given back.
    inside: Vec<LockId>,
}

/// What a thread has waited for, unless it asks once more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Due {
    stack: Option<StackId>,
    variable: usize,
    pub(super) wrote: Var,
    pub(super) reading: Reading,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Polls {
    polls: HashMap<ThreadId, Vec<Poll>>,
    due: HashMap<ThreadId, Vec<Due>>,
}

impl Polls {
    /// A thread found a value, at best of a write that is certain; whether it had waited for that.
    pub(super) fn found(&mut self, thread: ThreadId, asked: Asked, write: Option<&Write>) -> bool {
        let polls = self.polls.entry(thread).or_default();
        if asked.tries {
            let again = polls.extract_if(.., |poll| poll.latest.is_again(&asked));
            let before = again.last();
            return before
                .zip(write)
                .is_some_and(|(poll, w)| poll.awaits(w, &asked));
        }
        // Who looks what to expect only competes.
        polls.retain(|poll| !poll.latest.tries || poll.latest.variable != asked.variable);
        let id = write.map(|write| (write.var, write.from));
        if let Some(poll) = polls.iter_mut().find(|poll| poll.latest.is_again(&asked)) {
            let waited = poll.found != id && write.is_some_and(|w| poll.awaits(w, &asked));
            if waited {
                poll.since = asked.to;
            }
            (poll.latest, poll.found) = (asked, id.or(poll.found));
            poll.inside.clear();
            return waited;
        }
        self.begin(thread, asked, id);
        false
    }

    /// A thread tried to swap, and failed.
    pub(super) fn failed(&mut self, thread: ThreadId, asked: Asked) {
        let polls = self.polls.entry(thread).or_default();
        polls.retain(|poll| poll.latest.tries || poll.latest.variable != asked.variable);
        if let Some(poll) = polls.iter_mut().find(|poll| poll.latest.is_again(&asked)) {
            if poll.latest.value != asked.value {
                poll.since = asked.to;
            }
            poll.latest = asked;
            poll.inside.clear();
            return;
        }
        self.begin(thread, asked, None);
    }

    fn begin(&mut self, thread: ThreadId, asked: Asked, found: Option<(Var, Nanos)>) {
        let polls = self.polls.entry(thread).or_default();
        if polls.len() >= PLACES {
            polls.remove(0);
        }
        polls.push(Poll {
            since: asked.to,
            latest: asked,
            found,
            inside: Vec::new(),
        });
    }

    /// What it has waited for is due when it goes on.
    pub(super) fn owe(&mut self, thread: ThreadId, asked: &Asked, wrote: Var, reading: Reading) {
        self.due.entry(thread).or_default().push(Due {
            stack: asked.stack,
            variable: asked.variable,
            wrote,
            reading,
        });
    }

    /// A thread asks for something, perhaps once more: then it had not waited for what it found there.
    pub(super) fn asks(
        &mut self,
        thread: ThreadId,
        (stack, variable): (Option<StackId>, usize),
    ) -> Vec<Due> {
        let Some(due) = self.due.get_mut(&thread) else {
            return Vec::new();
        };
        let again = |due: &mut Due| (due.stack, due.variable) == (stack, variable);
        due.extract_if(.., again).collect()
    }

    /// A thread goes on to something else: what it has waited for.
    pub(super) fn settled(&mut self, thread: ThreadId) -> Vec<Due> {
        self.due.remove(&thread).unwrap_or_default()
    }

    /// Whether somebody waited for a write.
    pub(super) fn owes(&self, wrote: Var) -> bool {
        self.due.values().flatten().any(|due| due.wrote == wrote)
    }

    /// It does something that nobody does who only waits.
    pub(super) fn works(&mut self, thread: ThreadId) {
        self.polls.remove(&thread);
    }

    /// It takes a lock: perhaps to look under it.
    pub(super) fn takes(&mut self, thread: ThreadId, lock: LockId) {
        if let Some(polls) = self.polls.get_mut(&thread) {
            polls.retain(|poll| poll.inside.len() < LOCKS);
            polls.iter_mut().for_each(|poll| poll.inside.push(lock));
        }
    }

    /// It gives a lock back: if it has not looked under it, it did something else there.
    pub(super) fn leaves(&mut self, thread: ThreadId, lock: LockId) {
        if let Some(polls) = self.polls.get_mut(&thread) {
            polls.retain(|poll| !poll.inside.contains(&lock));
        }
    }

    /// Nothing is known of what a thread does.
    pub(super) fn forget(&mut self, thread: ThreadId) -> Vec<Due> {
        self.works(thread);
        self.settled(thread)
    }
}

impl Poll {
    /// Whether a write came after it had asked in vain.
    fn awaits(&self, write: &Write, asked: &Asked) -> bool {
        let overlaps = write.to.is_none_or(|to| to >= self.latest.from);
        let differs = match asked.tries {
            // What is swapped in the end was not there before.
            true => self.latest.value == asked.value,
            false => matches!((self.latest.value, asked.value), (Some(a), Some(b)) if a != b),
        };
        match asked.tries {
            true => differs && overlaps,
            false => write.from >= self.since || differs && overlaps,
        }
    }
}
