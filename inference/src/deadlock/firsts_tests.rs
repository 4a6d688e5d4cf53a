//! What a thread did for pieces of work before keeps nobody waiting at an object that was made for a later one.

use super::finding::{LockName, Names, Tier};
use super::schedule::step;
use super::step::{Lock, Mode, Op, Site, Step, Thread};
use super::tests::{Numbers, analysed};
use crate::nesting::graph::ThreadName;

/// What is leased for each piece of work, in turn.
const SESSIONS: [u32; 2] = [1, 2];
/// What somebody waits for.
const TRANSACTION: u32 = 3;
/// One of the same kind.
const EARLIER: u32 = 4;
const OFFICE: u32 = 5;
const WORKER: u32 = 0;
const WAITER: u32 = 1;

struct Office;

impl Names for Office {
    fn thread(&self, thread: Thread) -> ThreadName {
        Numbers.thread(thread)
    }

    fn lock(&self, lock: Lock) -> LockName {
        let name = match lock.0 {
            TRANSACTION => "Transaction".to_owned(),
            EARLIER => "Transaction (2)".to_owned(),
            OFFICE => "Office".to_owned(),
            session => format!("Session ({session})"),
        };
        LockName {
            name,
            ..Numbers.lock(lock)
        }
    }

    fn chain(&self, _: Site) -> Vec<String> {
        Vec::new()
    }
}

fn takes(thread: u32, lock: u32) -> Step {
    let (lock, mode) = (Lock(lock), Mode::Exclusive);
    step(thread, Op::Acquire { lock, mode })
}

fn leaves(thread: u32, lock: u32) -> Step {
    step(thread, Op::Release(Lock(lock)))
}

fn uses(thread: u32, lock: u32) -> [Step; 2] {
    [takes(thread, lock), leaves(thread, lock)]
}

/// It lets those go on who wait there, always at the same place.
fn ends(thread: u32, lock: u32) -> [Step; 3] {
    let (of, all) = (Lock(lock), true);
    let notify = Op::Notify { lock: of, all };
    let at_its_place = Step {
        site: Some(Site(7)),
        ..step(thread, notify)
    };
    [takes(thread, lock), at_its_place, leaves(thread, lock)]
}

/// Somebody waits for the end of the transaction with the first session, whatever the worker did before.
fn tiers(before: &[Step], names: &dyn Names) -> Vec<Tier> {
    let lock = Lock(TRANSACTION);
    let wait = Op::Wait {
        lock,
        gives: Some(lock),
        timed: false,
        joins: None,
    };
    let timed_out = false;
    let mut trace = before.to_vec();
    trace.extend([
        takes(WAITER, SESSIONS[0]),
        takes(WAITER, TRANSACTION),
        step(WAITER, wait),
    ]);
    trace.extend(ends(WORKER, TRANSACTION));
    trace.push(step(WAITER, Op::Returned { lock, timed_out }));
    trace.extend([leaves(WAITER, TRANSACTION), leaves(WAITER, SESSIONS[0])]);
    // The other one is used by others, too.
    trace.extend(uses(2, SESSIONS[1]));
    let report = analysed(&trace, names);
    report.findings.iter().map(|f| f.tier).collect()
}

#[test]
fn who_has_gone_on_to_another_of_the_kind_was_not_on_the_way_to_what_nobody_had_used() {
    let [one, other] = SESSIONS.map(|session| uses(WORKER, session));
    let first = one.as_slice();
    assert_eq!(tiers(first, &Office), [Tier::T3]);
    let both = [one, other].concat();
    assert_eq!(tiers(&both, &Office), [Tier::T5]);
    // No two of a kind.
    assert_eq!(tiers(&both, &Numbers), [Tier::T3]);
    // It has come back to the first one.
    assert_eq!(tiers(&[one, other, one].concat(), &Office), [Tier::T3]);
}

#[test]
fn what_had_been_used_may_have_been_waited_on() {
    let used = uses(2, TRANSACTION);
    let [one, other] = SESSIONS.map(|session| uses(WORKER, session));
    let before = [used.as_slice(), &one, &other].concat();
    assert_eq!(tiers(&before, &Office), [Tier::T3]);
}

#[test]
fn what_is_done_under_one_lock_is_one_piece_of_work() {
    let [one, other] = SESSIONS.map(|session| uses(WORKER, session));
    let (from, to) = ([takes(WORKER, OFFICE)], [leaves(WORKER, OFFICE)]);
    // Somebody else takes it, too, so that it is kept.
    let shared = uses(2, OFFICE);
    let before = [&shared[..], &from, &one, &other, &to].concat();
    assert_eq!(tiers(&before, &Office), [Tier::T3]);
}

#[test]
fn who_let_others_go_on_at_another_of_the_kind_has_gone_on() {
    let first = uses(WORKER, SESSIONS[0]);
    let served = |names: &dyn Names| {
        let before = [&first[..], &ends(WORKER, EARLIER)].concat();
        tiers(&before, names)
    };
    assert_eq!(served(&Office), [Tier::T5]);
    assert_eq!(served(&Numbers), [Tier::T3]);
    // What it takes for this one it takes after that.
    let again = [&first[..], &ends(WORKER, EARLIER), &first[..]].concat();
    assert_eq!(tiers(&again, &Office), [Tier::T3]);
}
