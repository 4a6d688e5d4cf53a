//! Looks at owners as a test of what contention says of who holds a monitor.

use super::tests::{A, B, C, blame, rows, told, turns};
use super::*;
use locklens_trace::held::Held;
use locklens_trace::{Owner, ThreadId};

const LOCK: LockId = LockId(1);

/// Two threads take turns, each seen to hold the lock by the other that comes to block; a hundred times the agent looks,
/// and finds who is told: given the turn, the one that holds the lock then, and the one that is blocked.
fn looked_at(find: impl Fn(u64, ThreadId, ThreadId) -> Owner) -> Vec<(String, u64, u64)> {
    let scene = turns(100, |_| Owner::Unknown);
    let mut records = scene.all();
    for turn in 0..100 {
        let (waiter, owner) = if turn % 2 == 0 { (A, B) } else { (B, A) };
        records.push(Record::Held(Held {
            at: Nanos((100 * turn + 20) * 1000),
            lock: LOCK,
            waiter,
            blocked: 1,
            time: Nanos(10_000),
            owner: find(turn, owner, waiter),
            stack: None,
        }));
    }
    let blame = blame(&records, &[Key::OwnerThread], Wish::default());
    told(&blame.total)
}

fn known() -> Vec<(String, u64, u64)> {
    rows([("a", 1500, 50), ("b", 1500, 50)])
}

#[test]
fn looks_that_find_the_same_leave_it_at_that() {
    assert_eq!(
        looked_at(|_, owner, _| Owner::Thread(owner)),
        known(),
        "what everybody says"
    );
}

#[test]
fn looks_that_find_another_time_and_again_make_it_unknown() {
    // Nobody who came to block has ever seen the third one: they keep time.
    let found = looked_at(|turn, owner, _| Owner::Thread(if turn % 10 == 0 { C } else { owner }));
    assert_eq!(found, rows([("(unknown)", 3000, 100)]));
}

#[test]
fn looks_that_find_another_no_more_often_than_chance_would_leave_it_known() {
    let found = looked_at(|turn, owner, _| Owner::Thread(if turn % 20 == 0 { C } else { owner }));
    assert_eq!(found, known());
}

#[test]
fn one_look_alone_may_have_come_a_little_late() {
    let found = looked_at(|turn, _, _| match turn {
        0 => Owner::Thread(C),
        _ => Owner::Unknown,
    });
    assert_eq!(found, known());
}

#[test]
fn a_look_that_finds_who_is_blocked_or_nobody_was_late() {
    let found = looked_at(|turn, _, waiter| match turn % 2 {
        0 => Owner::Thread(waiter),
        _ => Owner::Nobody,
    });
    assert_eq!(found, known());
}

#[test]
fn where_virtual_threads_are_blocked_nothing_counts_that_no_look_has_tested() {
    let told_of = |is_virtual: bool, looks: u64| {
        let mut records = turns(100, |_| Owner::Unknown).all();
        for record in &mut records {
            if let Record::Thread(thread) = record {
                thread.is_virtual = is_virtual;
            }
        }
        let look = |turn: u64| {
            let (waiter, owner) = if turn.is_multiple_of(2) {
                (A, B)
            } else {
                (B, A)
            };
            Record::Held(Held {
                at: Nanos((100 * turn + 20) * 1000),
                lock: LOCK,
                waiter,
                blocked: 1,
                time: Nanos(10_000),
                owner: Owner::Thread(owner),
                stack: None,
            })
        };
        records.extend((0..looks).map(look));
        told(&blame(&records, &[Key::OwnerThread], Wish::default()).total)
    };
    let unknown = rows([("(unknown)", 3000, 100)]);
    assert_eq!(told_of(false, 0), known());
    assert_eq!(told_of(true, 0), unknown);
    assert_eq!(told_of(true, 10), unknown, "too few");
    assert_eq!(told_of(true, 60), known());
}
