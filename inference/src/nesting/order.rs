//! What starts and joins of threads say of the order of two moments.
//!
//! A join shows as a wait on the thread's object that ends after the thread did. Who *started* a
//! thread no JVM reports; where a probe told it, and who came back from a `join`, it is known. Else it is inferred to be the only thread that waited for its end; and since a
//! new thread is seen only when it runs, what its starter did shortly before that may have come after
//! the start. Both are said where an order is used.

use locklens_trace::kin::{Kin, Tie};
use locklens_trace::{Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// A started thread is taken to run within this time.
pub(crate) const UNDER_WAY: Nanos = Nanos(50_000_000);

/// Of a thread that began within this time before the recording ended, nobody may have come yet to wait for its end.
const JUST_BEGUN: Nanos = Nanos(250_000_000);

/// A wait for the end of a thread.
#[derive(Clone, Copy, Debug)]
struct Join {
    joined: ThreadId,
    began: Nanos,
    ended: Nanos,
}

/// Collects the lives of threads.
#[derive(Debug, Default)]
pub(crate) struct Lives {
    started: BTreeMap<ThreadId, Nanos>,
    waiting: BTreeMap<ThreadId, (ThreadId, Nanos)>,
    joins: BTreeMap<ThreadId, Vec<Join>>,
    waiters: BTreeMap<ThreadId, BTreeSet<ThreadId>>,
    /// Who started it, and when, as a probe told.
    told: BTreeMap<ThreadId, (ThreadId, Nanos)>,
}

impl Lives {
    /// A probe told that a thread started another one, or came back from waiting for its end.
    pub(crate) fn told(&mut self, kin: &Kin) {
        match kin.tie {
            // Who asks for the start of one that runs already is told so by an exception.
            Tie::Starts if !self.started.contains_key(&kin.other) => {
                self.told.entry(kin.other).or_insert((kin.thread, kin.at));
            }
            Tie::Joined | Tie::JoinedInTime if kin.other != kin.thread => {
                self.joins.entry(kin.thread).or_default().push(Join {
                    joined: kin.other,
                    began: kin.at,
                    ended: kin.at,
                });
            }
            Tie::Starts | Tie::Joined | Tie::JoinedInTime => {}
        }
    }

    pub(crate) fn started(&mut self, thread: ThreadId, at: Nanos) {
        self.started.insert(thread, at);
    }

    /// A thread begins to wait on the object of another.
    pub(crate) fn waits_for(&mut self, waiter: ThreadId, joined: ThreadId, at: Nanos) {
        if waiter != joined {
            self.waiting.insert(waiter, (joined, at));
            self.waiters.entry(joined).or_default().insert(waiter);
        }
    }

    pub(crate) fn wait_ended(&mut self, waiter: ThreadId, joined: ThreadId, at: Nanos) {
        if let Some((thread, began)) = self.waiting.remove(&waiter)
            && thread == joined
        {
            self.joins.entry(waiter).or_default().push(Join {
                joined,
                began,
                ended: at,
            });
        }
    }

    /// The order that these lives give, of a recording that ended at some time. If one thread waited for all others that began to
    /// end, it presumably started, too, what had just begun then and nobody has waited for yet.
    pub(crate) fn into_order_until(
        mut self,
        ends: &BTreeMap<ThreadId, Nanos>,
        end: Nanos,
    ) -> Order {
        let mut starters = self.waiters.values().flatten().copied();
        let Some(starter) = starters.next() else {
            return self.into_order(ends);
        };
        let others = self.started.iter();
        let left =
            others.filter(|(thread, _)| **thread != starter && !self.waiters.contains_key(*thread));
        let left: Vec<(ThreadId, Nanos)> = left.map(|(&thread, &at)| (thread, at)).collect();
        let young = |&(thread, at): &(ThreadId, Nanos)| {
            at.0 >= end.0.saturating_sub(JUST_BEGUN.0) && !ends.contains_key(&thread)
        };
        if starters.all(|other| other == starter) && left.iter().all(young) {
            for (thread, _) in left {
                self.waiters.entry(thread).or_default().insert(starter);
            }
        }
        self.into_order(ends)
    }

    /// The order that these lives give.
    pub(crate) fn into_order(mut self, ends: &BTreeMap<ThreadId, Nanos>) -> Order {
        for joins in self.joins.values_mut() {
            joins.retain(|join| ends.get(&join.joined).is_some_and(|&end| end <= join.ended));
            joins.sort_by_key(|join| join.ended);
        }
        let mut forks = BTreeMap::new();
        let unknown = |(thread, _): &(&ThreadId, _)| !self.told.contains_key(*thread);
        for (&thread, &at) in self.started.iter().filter(unknown) {
            let waiters = self.waiters.get(&thread).into_iter().flatten();
            if let [starter] = waiters.copied().collect::<Vec<_>>()[..] {
                let known = Nanos(at.0.saturating_sub(UNDER_WAY.0));
                let until = still_known(self.joins.get(&starter), known, at);
                forks.insert(thread, (starter, until));
            }
        }
        Order {
            forks,
            told: self.told,
            joins: self.joins,
        }
    }
}

/// The latest moment of a starter that surely came before the start: a thread that waits starts
/// nobody, so a wait under way at `known` reaches to its end.
fn still_known(joins: Option<&Vec<Join>>, known: Nanos, at: Nanos) -> Nanos {
    let joins = joins.into_iter().flatten();
    let under_way = joins.filter(|j| j.began <= known && known < j.ended && j.ended <= at);
    under_way.map(|j| j.ended).max().unwrap_or(known)
}

/// A vector clock: of each thread, up to when its doings came before a moment.
pub(super) type Clock = BTreeMap<ThreadId, Nanos>;

/// What is taken to put moments into an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum By {
    Nothing,
    /// Who waited for the end of a thread came after it, and who began after its starter, if a probe told who that is.
    Joins,
    /// And if that is inferred.
    Starts,
}

/// A partial order of moments.
#[derive(Debug, Default)]
pub(crate) struct Order {
    /// Starter of each thread of which none was told, and up to when its doings came before the start.
    pub(crate) forks: BTreeMap<ThreadId, (ThreadId, Nanos)>,
    /// The same of those of which one was.
    told: BTreeMap<ThreadId, (ThreadId, Nanos)>,
    joins: BTreeMap<ThreadId, Vec<Join>>,
}

impl Order {
    /// Whether there is anything to be ordered by.
    pub(super) fn is_empty(&self) -> bool {
        self.forks.is_empty() && self.told.is_empty() && self.joins.is_empty()
    }

    /// Whether anything is ordered by starts that are inferred.
    pub(super) fn has_starts(&self) -> bool {
        !self.forks.is_empty()
    }

    /// The clock of a moment.
    pub(super) fn clock(&self, thread: ThreadId, at: Nanos, by: By) -> Clock {
        let mut clock = Clock::new();
        if by == By::Nothing {
            return clock;
        }
        let mut work = vec![(thread, at)];
        while let Some((thread, at)) = work.pop() {
            if clock.get(&thread).is_some_and(|&reached| at <= reached) {
                continue;
            }
            clock.insert(thread, at);
            if by == By::Starts {
                work.extend(self.forks.get(&thread));
            }
            work.extend(self.told.get(&thread));
            let joins = self.joins.get(&thread).into_iter().flatten();
            let over = joins.filter(|join| join.ended <= at);
            work.extend(over.map(|join| (join.joined, Nanos(u64::MAX))));
        }
        clock
    }

    /// Whether what a thread did up to one moment came before another thread's doings from a moment on. What came shortly before is
    /// found at once.
    pub(super) fn is_before(
        &self,
        (thread, last): (ThreadId, Nanos),
        (other, first): (ThreadId, Nanos),
        by: By,
    ) -> bool {
        if by == By::Nothing || last >= first {
            return false;
        }
        let mut reached: BTreeMap<ThreadId, Nanos> = BTreeMap::new();
        let mut work = vec![(other, first)];
        while let Some((at_thread, at)) = work.pop() {
            if at_thread == thread && last <= at {
                return true;
            }
            let before = reached.get(&at_thread).copied();
            if before.is_some_and(|before| at <= before) {
                continue;
            }
            reached.insert(at_thread, at);
            let joins = self.joins.get(&at_thread).map_or(&[][..], Vec::as_slice);
            let over = joins.partition_point(|join| join.ended <= at);
            let new = |join: &&Join| before.is_none_or(|before| before < join.ended);
            // The latest is looked at first.
            for join in joins[..over].iter().rev().take_while(new) {
                if join.joined == thread {
                    return true;
                }
                work.push((join.joined, Nanos(u64::MAX)));
            }
            work.extend(self.told.get(&at_thread));
            if by == By::Starts {
                work.extend(self.forks.get(&at_thread));
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: ThreadId = ThreadId(1);
    const ONE: ThreadId = ThreadId(2);
    const TWO: ThreadId = ThreadId(3);

    fn ms(ms: u64) -> Nanos {
        Nanos::from_millis(ms)
    }

    /// `main` starts and joins `ONE` (10..200 ms), then `TWO` (from 201 ms).
    fn in_turn() -> Order {
        let mut lives = Lives::default();
        lives.started(ONE, ms(10));
        lives.waits_for(MAIN, ONE, ms(11));
        lives.wait_ended(MAIN, ONE, ms(200));
        lives.started(TWO, ms(201));
        lives.waits_for(MAIN, TWO, ms(202));
        lives.into_order(&BTreeMap::from([(ONE, ms(199))]))
    }

    #[test]
    fn a_thread_joined_before_another_is_started_is_over() {
        let clock = in_turn().clock(TWO, ms(300), By::Starts);
        assert_eq!(clock.get(&ONE), Some(&Nanos(u64::MAX)));
        assert_eq!(clock.get(&MAIN), Some(&ms(200)), "main up to its join");
        assert_eq!(in_turn().clock(ONE, ms(100), By::Starts).get(&TWO), None);
        assert_eq!(in_turn().clock(TWO, ms(300), By::Joins).get(&ONE), None);
        let main = in_turn().clock(MAIN, ms(300), By::Joins);
        assert_eq!(main.get(&ONE), Some(&Nanos(u64::MAX)));
    }

    /// As `in_turn`, but nobody has come yet to wait for `TWO` (from 201 ms) when the recording ends.
    fn cut(end: u64, joiners: &[ThreadId], others: &[(ThreadId, u64)]) -> Clock {
        let mut lives = Lives::default();
        lives.started(ONE, ms(10));
        for &joiner in joiners {
            lives.waits_for(joiner, ONE, ms(11));
            lives.wait_ended(joiner, ONE, ms(200));
        }
        lives.started(TWO, ms(201));
        for &(thread, at) in others {
            lives.started(thread, ms(at));
        }
        let ends = BTreeMap::from([(ONE, ms(199))]);
        let order = lives.into_order_until(&ends, ms(end));
        order.clock(TWO, ms(300), By::Starts)
    }

    #[test]
    fn a_thread_that_had_just_begun_at_the_end_has_the_starter_of_the_others() {
        assert_eq!(cut(400, &[MAIN], &[]).get(&ONE), Some(&Nanos(u64::MAX)));
        let alone = "nobody waited for it, and there was time";
        assert_eq!(cut(900, &[MAIN], &[]).get(&ONE), None, "{alone}");
        let many = "either may have started it";
        assert_eq!(
            cut(400, &[MAIN, ThreadId(9)], &[]).get(&ONE),
            None,
            "{many}"
        );
        assert_eq!(cut(400, &[], &[]).get(&ONE), None, "nobody ever waited");
        let pool = [(ThreadId(8), 20)];
        let not_all = "nobody waits for others, and they may have started it";
        assert_eq!(cut(400, &[MAIN], &pool).get(&ONE), None, "{not_all}");
    }

    #[test]
    fn what_probes_told_of_starts_and_joins_is_not_inferred() {
        let mut lives = Lives::default();
        let mut kin = |at, other, tie| {
            lives.told(&Kin {
                at: ms(at),
                thread: MAIN,
                other,
                tie,
            });
            lives.started.entry(other).or_insert(ms(at + 1));
        };
        kin(10, ONE, Tie::Starts);
        // It had ended already, so that nobody had to wait.
        kin(20, ONE, Tie::Joined);
        kin(21, TWO, Tie::Starts);
        // In vain: it runs.
        kin(30, ONE, Tie::Starts);
        let order = lives.into_order(&BTreeMap::from([(ONE, ms(19))]));
        let clock = order.clock(TWO, ms(300), By::Joins);
        assert_eq!(clock.get(&ONE), Some(&Nanos(u64::MAX)));
        assert_eq!(clock.get(&MAIN), Some(&ms(21)));
        assert_eq!(
            order.clock(ONE, ms(300), By::Joins).get(&MAIN),
            Some(&ms(10))
        );
        assert!(!order.has_starts());
    }

    #[test]
    fn what_the_starter_did_just_before_may_have_come_after() {
        let mut lives = Lives::default();
        lives.started(ONE, ms(100));
        lives.waits_for(MAIN, ONE, ms(150));
        let order = lives.into_order(&BTreeMap::new());
        assert_eq!(
            order.clock(ONE, ms(120), By::Starts).get(&MAIN),
            Some(&ms(50))
        );
    }

    #[test]
    fn two_that_wait_for_a_thread_leave_its_starter_unknown() {
        let mut lives = Lives::default();
        lives.started(ONE, ms(100));
        lives.waits_for(MAIN, ONE, ms(150));
        lives.waits_for(TWO, ONE, ms(150));
        let order = lives.into_order(&BTreeMap::new());
        assert_eq!(order.clock(ONE, ms(120), By::Starts).len(), 1);
    }

    #[test]
    fn a_wait_that_the_thread_outlived_is_no_join() {
        let mut lives = Lives::default();
        lives.waits_for(MAIN, ONE, ms(10));
        lives.wait_ended(MAIN, ONE, ms(20));
        let order = lives.into_order(&BTreeMap::from([(ONE, ms(30))]));
        assert_eq!(order.clock(MAIN, ms(100), By::Starts).get(&ONE), None);
    }
}
