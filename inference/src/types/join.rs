//! JOIN: waiting for the end of the thread (or task) that the lock object stands for.

use super::case::{Case, Checker, Explanation};
use super::log::{Entry, Instance, Log, Stay};
use super::score::{Score, Stakes};
use super::search::{NONE, Roles};
use super::{LockType, Role};
use std::collections::BTreeSet;

/// The checker.
pub(super) struct Join;

const JOIN: u8 = 1;

/// A wait that ends right after the subject did.
const ENDS_WITH_IT: f64 = 2.0;
/// A wait on an object of which no end is known.
const NO_SUBJECT: f64 = -8.0;

impl Checker for Join {
    fn lock_type(&self) -> LockType {
        LockType::Join
    }

    fn roles_of(&self, code: u8) -> &'static [Role] {
        if code == JOIN { &[Role::Join] } else { &[] }
    }

    fn code_of(&self, roles: &BTreeSet<Role>) -> u8 {
        if roles.contains(&Role::Join) {
            JOIN
        } else {
            NONE
        }
    }

    fn starts(&self, case: &Case) -> Vec<Roles> {
        let mut all = case.nobody();
        case.waiting(8).into_iter().for_each(|r| all[r] = JOIN);
        if all.contains(&JOIN) {
            vec![all]
        } else {
            Vec::new()
        }
    }

    fn options(&self, case: &Case, region: usize) -> Vec<u8> {
        if case.waited(region) {
            vec![JOIN]
        } else {
            Vec::new()
        }
    }

    fn fit(&self, log: &Log, roles: &[u8]) -> Score {
        if !roles.contains(&JOIN) {
            return Score::IMPOSSIBLE;
        }
        run(log, roles).score
    }

    fn explain(&self, log: &Log, roles: &[u8]) -> Explanation {
        let run = run(log, roles);
        let mut out = Explanation::default();
        if run.ended_with > 0 {
            out.pro.push(format!(
                "{} times waits ended with the subject",
                run.ended_with
            ));
        }
        out
    }
}

/// What a run found.
pub(super) struct Run {
    pub(super) score: Score,
    /// Objects whose waiters were woken right after the end of the subject.
    pub(super) ended_with: u32,
}

/// The end of some subject is known.
pub(super) fn ends_known(log: &Log) -> bool {
    let ends = |e: &Entry| matches!(e, Entry::SubjectEnded);
    log.instances.iter().any(|i| i.entries.iter().any(ends))
}

/// Runs the machine. The end of a thread is always known, so missing stays do no harm.
pub(super) fn run(log: &Log, roles: &[u8]) -> Run {
    let stakes = Stakes::new(log);
    let mut run = Run {
        score: Score::default(),
        ended_with: 0,
    };
    for instance in &log.instances {
        one(instance, roles, &stakes, &mut run);
    }
    run.score.llr += ENDS_WITH_IT * f64::from(run.ended_with.min(6));
    run
}

fn one(instance: &Instance, roles: &[u8], stakes: &Stakes, run: &mut Run) {
    let (mut ended, mut just_ended) = (false, false);
    let has_end = instance
        .entries
        .iter()
        .any(|e| matches!(e, Entry::SubjectEnded));
    for entry in &instance.entries {
        match entry {
            Entry::SubjectEnded => (ended, just_ended) = (true, true),
            // The JVM tells that a thread ends before it lets go those who wait for it: who comes in between waits.
            Entry::Stay(s) if roles[usize::from(s.region)] == JOIN && just_ended && s.waits() => {}
            Entry::Stay(s) if roles[usize::from(s.region)] == JOIN => {
                run.ended_with += u32::from(just_ended && !s.fresh && !s.timed_out);
                just_ended = false;
                predict(s, ended, has_end, stakes, &mut run.score);
            }
            Entry::Stay(_) | Entry::Reset => {}
        }
    }
}

fn predict(stay: &Stay, ended: bool, has_end: bool, stakes: &Stakes, score: &mut Score) {
    if stay.ran_out() {
        return;
    }
    if has_end {
        stakes.settle(score, stay, !ended);
    } else if !stay.waits() {
        score.llr += NO_SUBJECT;
        score.contradicted += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::log::{End, Usage};
    use super::*;

    fn stay(fresh: bool, end: End) -> Entry {
        Entry::Stay(Stay {
            at: 0,
            thread: 0,
            region: 0,
            fresh,
            timed_out: false,
            interrupted: false,
            timed: false,
            end,
            notified: false,
            notified_all: false,
        })
    }

    fn ran(entries: Vec<Entry>) -> (u32, u32, u32) {
        let log = Log {
            instances: vec![Instance {
                entries,
                complete: false,
            }],
            usage: vec![Usage::default()],
            threads: 1,
            slip: 0.01,
        };
        let run = run(&log, &[JOIN]);
        (run.ended_with, run.score.confirmed, run.score.contradicted)
    }

    #[test]
    fn who_comes_while_a_thread_ends_may_wait_a_moment() {
        let (waits, resumed) = (stay(true, End::Waits), stay(false, End::Left));
        let late = stay(true, End::Left);
        assert_eq!(ran(vec![waits, Entry::SubjectEnded, resumed]), (1, 2, 0));
        assert_eq!(ran(vec![Entry::SubjectEnded, waits, resumed]), (1, 1, 0));
        assert_eq!(ran(vec![Entry::SubjectEnded, late, waits]), (0, 1, 1));
    }
}
