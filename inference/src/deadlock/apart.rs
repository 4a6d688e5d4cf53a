//! Of a recording that tells only what is new: which threads were not there at the same time.
//!
//! Such a recording has neither joins nor notifies, and nothing of what came between two excerpts. What it has is when threads began and
//! ended. What one did before another began, or after another had ended, came before or after all that the other did; in this
//! run, and perhaps in each. So it is presumed, and told at a lower tier, until they are seen at it together: what is still done is
//! told again from time to time.
//!
//! A mark for each pair of threads would grow with their square. Two *ledgers*, which look like threads that hold nothing,
//! stand between them: whoever begins comes after all that the one has noted (everything so far), whoever does something comes after all that
//! the other has (threads that have ended).

use super::step::{Op, Step, Thread};
use locklens_trace::{EventKind, Nanos, ThreadId};
use std::collections::{BTreeSet, HashMap};

/// Ids that no thread of a trace has: they count from 1 and are dense.
pub(super) const EVERYTHING: ThreadId = ThreadId(u32::MAX);
pub(super) const ENDED: ThreadId = ThreadId(u32::MAX - 1);

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Apart {
    all: Vec<(Nanos, ThreadId, EventKind)>,
    /// Those still to come, the next one last.
    lives: Vec<(Nanos, ThreadId, EventKind)>,
    /// Threads that have done something since everything was noted.
    busy: BTreeSet<ThreadId>,
    /// How many had ended when a thread did something last.
    ended: u64,
    seen: HashMap<ThreadId, u64>,
}

/// Who comes after whom.
pub(super) type After = (ThreadId, ThreadId);

impl Apart {
    /// With the starts and ends of threads, the latest first.
    pub(super) fn new(lives: Vec<(Nanos, ThreadId, EventKind)>) -> Self {
        Self {
            all: lives.clone(),
            lives,
            ..Self::default()
        }
    }

    /// From the beginning.
    pub(super) fn rewind(&mut self) {
        *self = Self::new(std::mem::take(&mut self.all));
    }

    /// A thread does something: what is known to come before what by now.
    pub(super) fn note(&mut self, thread: ThreadId, at: Nanos) -> Vec<After> {
        let mut after = Vec::new();
        while let Some((_, of, kind)) = self.lives.pop_if(|(begun, ..)| *begun <= at) {
            match kind {
                EventKind::ThreadStart => {
                    let busy = std::mem::take(&mut self.busy);
                    after.extend(busy.into_iter().map(|busy| (EVERYTHING, busy)));
                    after.push((of, EVERYTHING));
                }
                _ => {
                    after.push((ENDED, of));
                    self.ended += 1;
                }
            }
        }
        let seen = self.seen.insert(thread, self.ended).unwrap_or(0);
        if seen < self.ended {
            after.push((thread, ENDED));
        }
        self.busy.insert(thread);
        after
    }
}

/// A step that says so.
pub(super) fn step((later, before): (Thread, Thread)) -> Step {
    Step {
        thread: later,
        op: Op::Follows(before),
        site: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_begins_comes_after_everything_and_whoever_does_something_after_those_that_ended() {
        let [one, two, three] = [1, 2, 3].map(ThreadId);
        let lives = vec![
            (Nanos(30), one, EventKind::ThreadEnd),
            (Nanos(20), two, EventKind::ThreadStart),
        ];
        let mut apart = Apart::new(lives);
        for _ in 0..2 {
            assert_eq!(apart.note(one, Nanos(10)), []);
            assert_eq!(
                apart.note(two, Nanos(21)),
                [(EVERYTHING, one), (two, EVERYTHING)]
            );
            assert_eq!(apart.note(three, Nanos(31)), [(ENDED, one), (three, ENDED)]);
            assert_eq!(apart.note(three, Nanos(32)), []);
            assert_eq!(apart.note(two, Nanos(33)), [(two, ENDED)]);
            apart.rewind();
        }
    }
}
