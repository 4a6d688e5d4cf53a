//! Which threads of a run had ended before, or began after, what another thread did: by starts and joins, under the names that
//! threads have. What such an order keeps apart in one run it may well keep apart in the next.

use super::finding::Names;
use super::scan::Scan;
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
    /// Names that one thread alone has, as other runs give them, too.
    names: BTreeMap<Thread, String>,
    /// Names that two threads had at one time.
    together: BTreeSet<String>,
}

/// Threads that were not there, and what they are called where that is one's alone.
pub(super) struct Away<'l> {
    pub(super) threads: BTreeSet<Thread>,
    pub(super) names: BTreeSet<&'l str>,
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
    pub(super) fn named(&self, scan: &Scan, names: &dyn Names) -> Self {
        let lives = scan.lives();
        let mut named: BTreeMap<String, Vec<(Thread, [u64; 2])>> = BTreeMap::new();
        for (thread, life) in lives {
            let name = names.stable_thread(thread);
            named.entry(name).or_default().push((thread, life));
        }
        let alone = named.iter().filter(|(_, threads)| threads.len() == 1);
        let together = named.iter().filter(|(_, threads)| overlap(threads));
        Self {
            forks: self.forks.clone(),
            joins: self.joins.clone(),
            names: alone
                .map(|(name, threads)| (threads[0].0, name.clone()))
                .collect(),
            together: together.map(|(name, _)| name.clone()).collect(),
        }
    }

    /// One that has shown two threads of a name at one time.
    #[cfg(test)]
    pub(super) fn of_crowd(name: &str) -> Self {
        Self {
            together: BTreeSet::from([name.to_owned()]),
            ..Self::default()
        }
    }

    /// Whether two threads that are called so in every run were there at one time.
    pub(super) fn are_together(&self, name: &str) -> bool {
        self.together.contains(name)
    }

    /// The threads that were not there meanwhile: they began after it, or had ended before.
    pub(super) fn away(&self, span: Span) -> Away<'_> {
        let mut threads = self.began_after(span);
        threads.extend(self.over_before(span));
        let names = threads.iter().filter_map(|thread| self.names.get(thread));
        let names = names.map(String::as_str).collect();
        Away { threads, names }
    }

    /// Threads that began after it: who was started from there on, and by whoever has waited for the end of one of these.
    fn began_after(&self, span: Span) -> BTreeSet<Thread> {
        let started = by(&self.forks, |&(child, parent, at)| (parent, (child, at)));
        let joined = by(&self.joins, |&(child, joiner, at)| (child, (joiner, at)));
        spread(
            (span.thread, span.last),
            [&started, &joined],
            0,
            |at, from| at >= from,
        )
    }

    /// Threads that had ended before it: whose end was waited for up to there, and by whoever has started one of these.
    fn over_before(&self, span: Span) -> BTreeSet<Thread> {
        let joined = by(&self.joins, |&(child, joiner, at)| (joiner, (child, at)));
        let started = by(&self.forks, |&(child, parent, at)| (child, (parent, at)));
        let all = u32::MAX;
        spread(
            (span.thread, span.first),
            [&joined, &started],
            all,
            |at, to| at <= to,
        )
    }
}

/// The threads that are reached as a whole, all of their steps from `whole` on: from a step of one, over what of the first lies on its
/// side of that (`beyond`), and from each over all of the second, which leads to a step of another.
fn spread(
    (thread, step): (Thread, u32),
    [first, second]: [&Ways; 2],
    whole: u32,
    beyond: impl Fn(u32, u32) -> bool,
) -> BTreeSet<Thread> {
    let mut reached = BTreeMap::from([(thread, step)]);
    let (mut wholly, mut open) = (BTreeSet::new(), vec![thread]);
    while let Some(thread) = open.pop() {
        let from = reached[&thread];
        let ways = all(first, thread).iter();
        let over = ways.filter(|(_, at)| beyond(*at, from));
        let over = over.map(|&(next, _)| (next, whole));
        wholly.extend(over.clone().map(|(next, _)| next));
        for (next, at) in over.chain(all(second, thread).iter().copied()) {
            // What is known of it already reaches as far.
            let is_known = |&known: &u32| beyond(at, known);
            if !reached.get(&next).is_some_and(is_known) {
                reached.insert(next, at);
                open.push(next);
            }
        }
    }
    wholly
}

/// Whether two of these lives have a moment in common.
fn overlap(lives: &[(Thread, [u64; 2])]) -> bool {
    let mut lives: Vec<[u64; 2]> = lives.iter().map(|life| life.1).collect();
    lives.sort_unstable();
    lives.windows(2).any(|two| two[1][0] < two[0][1])
}

/// What leads from a thread to others, at which step.
type Ways = BTreeMap<Thread, Vec<(Thread, u32)>>;

fn by(
    all: &[(Thread, Thread, u32)],
    way: impl Fn(&(Thread, Thread, u32)) -> (Thread, (Thread, u32)),
) -> Ways {
    let mut ways = Ways::new();
    for (from, to) in all.iter().map(way) {
        ways.entry(from).or_default().push(to);
    }
    ways
}

fn all(ways: &Ways, from: Thread) -> &[(Thread, u32)] {
    ways.get(&from).map_or(&[], Vec::as_slice)
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
            together: BTreeSet::new(),
        };
        let span = Span {
            thread: zero,
            first: at,
            last: at,
        };
        lineage.away(span).names.contains("2")
    }

    #[test]
    fn who_began_after_or_had_ended_before_is_known_through_others() {
        assert_eq!([2, 4, 7].map(is_away), [true, false, true]);
    }
}
