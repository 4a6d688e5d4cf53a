//! What must have come before a thread came to its places, by the starts and joins that the first pass has seen: whether one
//! dependency was over, each time, before another one could begin.
//!
//! Of many threads that do the same, phase by phase, most choices are kept apart by that alone. Those are told from the others
//! before any is counted, so that they use up no bound.

use super::scan::Scan;
use super::step::Thread;
use super::table::Dependency;
use crate::collect::FastMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Edges kept. What finds no room orders nothing.
const EDGES: usize = 4_000_000;
/// Edges followed for all that is asked.
const WORK: usize = 10_000_000;

/// Everything of a thread from one of its steps on came after a step of another.
#[derive(Clone, Copy, Debug)]
struct Edge {
    at: u32,
    thread: Thread,
    after: u32,
}

/// What came before what for sure, thread by thread.
#[derive(Debug, Default)]
pub(super) struct Past {
    edges: Vec<Vec<Edge>>,
    /// Up to where each other thread is known to have come before.
    known: FastMap<(Thread, Thread), u32>,
    kept: usize,
}

impl Past {
    /// Takes in that a thread was started by another one at that step of his, before its own next step; or that it had ended
    /// after so many steps, before that step of another. Other orders the second pass may know better.
    pub(super) fn saw(&mut self, (thread, at): (Thread, u32), (other, after): (Thread, u32)) {
        if self.kept >= EDGES {
            return;
        }
        let known = self.known.entry((thread, other)).or_insert(0);
        if *known >= after {
            return;
        }
        *known = after;
        self.kept += 1;
        let index = thread.0 as usize;
        if index >= self.edges.len() {
            self.edges.resize_with(index + 1, Vec::new);
        }
        self.edges[index].push(Edge {
            at,
            thread: other,
            after,
        });
    }

    /// Those of a thread that lead to what came before its steps up to this one.
    fn until(&self, thread: Thread, at: u32) -> &[Edge] {
        let all = self
            .edges
            .get(thread.0 as usize)
            .map_or(&[][..], Vec::as_slice);
        &all[..all.partition_point(|edge| edge.at <= at)]
    }

    /// How far each other thread must have come; none if that is too much work.
    fn of(&self, thread: Thread, at: u32, work: &mut usize) -> Option<FastMap<Thread, u32>> {
        let mut reached = FastMap::default();
        let mut followed: FastMap<Thread, usize> = FastMap::default();
        let mut queue = vec![(thread, at)];
        while let Some((thread, at)) = queue.pop() {
            let edges = self.until(thread, at);
            let from = followed.insert(thread, edges.len()).unwrap_or(0);
            let new = edges.get(from..).unwrap_or_default();
            *work = work.checked_sub(new.len())?;
            for edge in new {
                let known = reached.entry(edge.thread).or_insert(0);
                if *known < edge.after {
                    *known = edge.after;
                    queue.push((edge.thread, edge.after));
                }
            }
        }
        Some(reached)
    }
}

impl Past {
    /// Whether that thread must have come so far, before another one's step up to this one; none if that is too much work. What came
    /// shortly before is found at once.
    fn has_come(
        &self,
        (thread, at): (Thread, u32),
        wanted: (Thread, u32),
        work: &mut usize,
    ) -> Option<bool> {
        let mut followed: FastMap<Thread, usize> = FastMap::default();
        let mut queue = vec![(thread, at)];
        while let Some((thread, at)) = queue.pop() {
            let edges = self.until(thread, at);
            let from = followed.insert(thread, edges.len()).unwrap_or(0);
            for edge in edges.get(from..).unwrap_or_default().iter().rev() {
                *work = work.checked_sub(1)?;
                if edge.thread == wanted.0 && edge.after >= wanted.1 {
                    return Some(true);
                }
                queue.push((edge.thread, edge.after));
            }
        }
        Some(false)
    }
}

/// Most dependencies of a group that is told from others.
const TOGETHER: usize = 64;
/// Entries of clocks that are kept.
const KEPT: usize = 2_000_000;

/// How far each thread must have come, by thread.
type Clock = Rc<FastMap<Thread, u32>>;

/// Asks for the order of dependencies.
pub(super) struct Orders<'s> {
    scan: &'s Scan,
    /// Before the first step of a dependency, by its thread and how many edges lead away from there.
    clocks: BTreeMap<(Thread, usize), Option<Clock>>,
    kept: usize,
    work: usize,
}

impl<'s> Orders<'s> {
    pub(super) fn of(scan: &'s Scan) -> Self {
        Self {
            scan,
            clocks: BTreeMap::new(),
            kept: 0,
            work: WORK,
        }
    }

    /// Whether one of two was over, each time, before the other one.
    pub(super) fn are_apart(&mut self, a: &Dependency, b: &Dependency) -> bool {
        let in_time = |a: &Dependency, b: &Dependency| a.until < b.since;
        in_time(a, b) && self.precedes(a, b) || in_time(b, a) && self.precedes(b, a)
    }

    /// Dependencies in groups, all of each of which must have been over before any of the next one: only those of one group can be at
    /// the same time. None if a group has more than a few.
    pub(super) fn groups<'d>(
        &mut self,
        mut all: Vec<(u32, &'d Dependency)>,
    ) -> Option<Vec<Vec<(u32, &'d Dependency)>>> {
        all.sort_unstable_by_key(|(index, one)| (one.since, one.thread, one.first, *index));
        let mut groups: Vec<Vec<(u32, &Dependency)>> = Vec::new();
        for (index, one) in all {
            let mut group = vec![(index, one)];
            while let Some(before) = groups.pop() {
                if before.iter().all(|(_, other)| self.is_over(other, one)) {
                    groups.push(before);
                    break;
                }
                group = [before, group].concat();
                if group.len() > TOGETHER {
                    return None;
                }
            }
            groups.push(group);
        }
        Some(groups)
    }

    /// Whether one must have been over before another one, which is not long after it.
    fn is_over(&mut self, a: &Dependency, b: &Dependency) -> bool {
        let before = b.first.saturating_sub(1);
        let mut must = || match a.thread == b.thread {
            true => a.last < b.first,
            false => {
                let (b, a) = ((b.thread, before), (a.thread, a.last));
                self.scan.past.has_come(b, a, &mut self.work) == Some(true)
            }
        };
        a.until < b.since && must()
    }

    fn precedes(&mut self, a: &Dependency, b: &Dependency) -> bool {
        let past = &self.scan.past;
        let before = b.first.saturating_sub(1);
        let key = (b.thread, past.until(b.thread, before).len());
        if !self.clocks.contains_key(&key) {
            let clock = past.of(b.thread, before, &mut self.work).map(Rc::new);
            let entries = clock.as_ref().map_or(1, |clock| clock.len() + 1);
            self.kept += entries;
            if self.kept > KEPT {
                self.clocks.clear();
                self.kept = entries;
            }
            self.clocks.insert(key, clock);
        }
        let clock = self.clocks.get(&key).and_then(Option::as_ref);
        let reached = clock.and_then(|clock| clock.get(&a.thread));
        reached.is_some_and(|&reached| reached >= a.last)
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::{Report, Tier};
    use super::super::tests::of_text;

    fn pair(thread: &str, first: &str, second: &str) -> String {
        format!(
            "{thread}|acq({first})|1\n{thread}|acq({second})|2\n{thread}|rel({second})|3\n{thread}|rel({first})|4\n"
        )
    }

    fn each(threads: u32, name: &str, what: impl Fn(&str) -> String) -> String {
        (0..threads).map(|n| what(&format!("{name}{n}"))).collect()
    }

    fn tiers(report: &Report) -> Vec<Tier> {
        report.findings.iter().map(|finding| finding.tier).collect()
    }

    /// So many threads take A and B, and when all of them have ended so many take B and A; what the last one does besides.
    fn phases(threads: u32, besides: &str) -> Report {
        let phase = |name: &str, first: &str, second: &str| {
            let starts = each(threads, name, |one| format!("M|fork({one})|5\n"));
            let runs = each(threads, name, |one| pair(one, first, second));
            [starts, runs].concat()
        };
        let ends = each(threads, "load", |one| format!("M|join({one})|6\n"));
        of_text(
            &[
                &phase("load", "A", "B"),
                &ends,
                &phase("serve", "B", "A"),
                besides,
            ]
            .concat(),
        )
    }

    #[test]
    fn choices_that_the_past_keeps_apart_use_up_no_bound() {
        for threads in [2, 12, 40] {
            let all = phases(threads, &pair("serve0", "A", "B"));
            assert_eq!(tiers(&all), [Tier::T3], "{threads}");
            let none = phases(threads, "");
            assert_eq!((tiers(&none), none.excluded.len()), (vec![], 1));
            assert_eq!(none.stopped_after, Vec::<String>::new());
        }
    }

    /// So many threads take A and B before and after as many others take B and A: each is told to go on when these have ended.
    fn alternately(threads: u32) -> Report {
        let starts = each(threads, "a", |one| format!("M|fork({one})|5\n"));
        let first = each(threads, "a", |one| {
            let waits = format!("M|acq(V{one})|6\nM|wait(V{one})|6\n");
            let tells =
                format!("{one}|acq(V{one})|7\n{one}|notify(V{one})|7\n{one}|rel(V{one})|7\n");
            let sleeps = format!("{one}|acq(W{one})|8\n{one}|wait(W{one})|8\n");
            let goes_on = format!("M|rel(V{one})|6\n");
            [waits, pair(one, "A", "B"), tells, sleeps, goes_on].concat()
        });
        let others = each(threads, "b", |one| {
            [
                format!("M|fork({one})|9\n"),
                pair(one, "B", "A"),
                format!("M|join({one})|9\n"),
            ]
            .concat()
        });
        let second = each(threads, "a", |one| {
            let wakes = format!("M|acq(W{one})|8\nM|notify(W{one})|8\nM|rel(W{one})|8\n");
            let wakes_up = format!("{one}|rel(W{one})|8\n");
            [wakes, wakes_up, pair(one, "A", "B")].concat()
        });
        of_text(&[starts, first, others, second].concat())
    }

    #[test]
    fn what_is_not_looked_at_is_not_excluded() {
        let few = alternately(4);
        assert_eq!((tiers(&few), few.excluded.len()), (vec![], 1));
        let many = alternately(12);
        assert_eq!((tiers(&many), many.excluded.len()), (vec![Tier::T5], 0));
        assert_eq!(many.stopped_after.len(), 1);
    }

    /// One thread after the other, each joined before the next is started: in turn they take A and B, and B and A.
    #[test]
    fn of_very_many_threads_one_after_the_other_none_meets_another() {
        let one = |n: u32| {
            let name = format!("W{n}");
            let (first, second) = if n.is_multiple_of(2) {
                ("A", "B")
            } else {
                ("B", "A")
            };
            let work = pair(&name, first, second);
            format!("M|fork({name})|5\n{work}M|join({name})|6\n")
        };
        let text: String = (0..4_000).map(one).collect();
        let report = of_text(&text);
        assert!(report.findings.is_empty(), "{:?}", tiers(&report));
        assert!(
            report.stopped_after.is_empty(),
            "{:?}",
            report.stopped_after
        );
        // The last two meet.
        let met = text.replace("M|join(W3998)|6\n", "");
        assert_eq!(tiers(&of_text(&met)), [Tier::T3]);
    }
}
