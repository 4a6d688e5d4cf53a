//! Which threads of a run had ended before, or began after, what another thread did: by starts and joins, under the names that
//! threads have. What such an order keeps apart in one run it may well keep apart in the next.

use super::finding::Names;
use super::step::{Op, Step, Thread};
use std::collections::{BTreeMap, BTreeSet};

/// Starts and joins kept of one run.
const KEPT: usize = 10_000;

/// Starts and joins of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lineage {
    /// Who was started, by whom, at which of his steps.
    forks: Vec<(Thread, Thread, u32)>,
    /// Who had waited for whose end, at which of his steps.
    joins: Vec<(Thread, Thread, u32)>,
    /// Names that one thread alone has.
    names: BTreeMap<Thread, String>,
}

/// From the first to the last of some steps of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Span {
    pub(super) thread: Thread,
    pub(super) first: u32,
    pub(super) last: u32,
}

impl Span {
    /// All from here to there; none if it is not one thread's.
    pub(super) fn and(self, other: Self) -> Option<Self> {
        (self.thread == other.thread).then(|| Self {
            thread: self.thread,
            first: self.first.min(other.first),
            last: self.last.max(other.last),
        })
    }
}

impl Lineage {
    /// Takes in a step that was the so many-th of its thread.
    pub(super) fn saw(&mut self, step: &Step, at: u32) {
        let (kept, other) = match step.op {
            Op::Fork {
                child,
                presumed: false,
            } => (&mut self.forks, child),
            Op::Join {
                child,
                timed: false,
            } => (&mut self.joins, child),
            _ => return,
        };
        if kept.len() < KEPT {
            kept.push((other, step.thread, at));
        }
    }

    /// The same with names.
    pub(super) fn named(&self, names: &dyn Names) -> Self {
        let kin = self.forks.iter().chain(&self.joins);
        let threads: BTreeSet<Thread> = kin.flat_map(|&(a, b, _)| [a, b]).collect();
        let named = threads.iter().map(|&one| (one, names.thread(one).name));
        let named: BTreeMap<Thread, String> = named.collect();
        let mut times: BTreeMap<&str, u32> = BTreeMap::new();
        for name in named.values() {
            *times.entry(name).or_default() += 1;
        }
        let alone = named.iter().filter(|(_, name)| times[name.as_str()] == 1);
        Self {
            forks: self.forks.clone(),
            joins: self.joins.clone(),
            names: alone
                .map(|(&thread, name)| (thread, name.clone()))
                .collect(),
        }
    }

    /// Names of the threads that were not there meanwhile: they began after it, or had ended before.
    pub(super) fn away(&self, span: Span) -> BTreeSet<&str> {
        let mut away = self.began_after(span);
        away.extend(self.over_before(span));
        let names = away.iter().filter_map(|thread| self.names.get(thread));
        names.map(String::as_str).collect()
    }

    /// Threads that began after it.
    fn began_after(&self, span: Span) -> BTreeSet<Thread> {
        let mut since = BTreeMap::from([(span.thread, span.last)]);
        let mut began = BTreeSet::new();
        loop {
            let known = since.clone();
            for &(child, parent, at) in &self.forks {
                if since.get(&parent).is_some_and(|&from| from <= at) {
                    since.insert(child, 0);
                    began.insert(child);
                }
            }
            for &(child, joiner, at) in &self.joins {
                if since.contains_key(&child) {
                    let from = since.entry(joiner).or_insert(at);
                    *from = at.min(*from);
                }
            }
            if since == known {
                return began;
            }
        }
    }

    /// Threads that had ended before it.
    fn over_before(&self, span: Span) -> BTreeSet<Thread> {
        let mut until = BTreeMap::from([(span.thread, span.first)]);
        let mut over = BTreeSet::new();
        loop {
            let known = until.clone();
            for &(child, joiner, at) in &self.joins {
                if until.get(&joiner).is_some_and(|&to| at <= to) {
                    until.insert(child, u32::MAX);
                    over.insert(child);
                }
            }
            for &(child, parent, at) in &self.forks {
                if until.contains_key(&child) {
                    let to = until.entry(parent).or_insert(at);
                    *to = at.max(*to);
                }
            }
            if until == known {
                return over;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREADS: [Thread; 3] = [Thread(0), Thread(1), Thread(2)];

    /// Whether "2" is away from what "0" did at this step, who starts "1" at step 3 and waits for its end at step 6; "1" starts "2" at
    /// its step 2, and waits for its end at its step 5.
    fn is_away(at: u32) -> bool {
        let [zero, one, two] = THREADS;
        let lineage = Lineage {
            forks: vec![(two, one, 2), (one, zero, 3)],
            joins: vec![(two, one, 5), (one, zero, 6)],
            names: THREADS.map(|thread| (thread, thread.0.to_string())).into(),
        };
        let span = Span {
            thread: zero,
            first: at,
            last: at,
        };
        lineage.away(span).contains("2")
    }

    #[test]
    fn who_began_after_or_had_ended_before_is_known_through_others() {
        assert_eq!([2, 4, 7].map(is_away), [true, false, true]);
    }
}
