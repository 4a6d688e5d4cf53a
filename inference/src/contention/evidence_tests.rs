//! Looks at owners as a test of what contention says of who holds a monitor.

use super::tests::{A, B, C, blame, rows, told, turns};
use super::*;
use locklens_trace::held::Held;
use locklens_trace::{Owner, StackId, ThreadId};

const LOCK: LockId = LockId(1);

/// Two threads take turns, each seen to hold the lock by the other that comes to block; a hundred times the agent looks,
/// and finds who is told: given the turn, the one that holds the lock then, and the one that is blocked.
fn looked_at(find: impl Fn(u64, ThreadId, ThreadId) -> Owner) -> Vec<(String, u64, u64)> {
    told(&seen(100, None, find).total)
}

/// The same with so many looks, and the owner's call chain at each if there is one.
fn seen(
    looks: u64,
    stack: Option<StackId>,
    find: impl Fn(u64, ThreadId, ThreadId) -> Owner,
) -> Blame {
    let scene = turns(100, |_| Owner::Unknown);
    let mut records = scene.all();
    for turn in 0..looks {
        let (waiter, owner) = if turn % 2 == 0 { (A, B) } else { (B, A) };
        records.push(Record::Held(Held {
            at: Nanos((100 * turn + 20) * 1000),
            lock: LOCK,
            waiter,
            blocked: 1,
            time: Nanos(10_000),
            owner: find(turn, owner, waiter),
            stack,
        }));
    }
    blame(&records, &[Key::OwnerThread], Wish::default())
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
fn of_few_looks_one_that_found_another_for_certain_makes_it_unknown() {
    let found = |looks| {
        let find = |turn, owner, _| Owner::Thread(if turn == 3 { C } else { owner });
        told(&seen(looks, Some(StackId(1)), find).total)
    };
    assert_eq!(found(7), rows([("(unknown)", 3000, 100)]));
    assert_eq!(found(100), known(), "chance would have three");
}

#[test]
fn what_few_looks_have_tested_is_inferred_and_not_known() {
    let untested = |looks| {
        seen(looks, None, |_, owner, _| Owner::Thread(owner))
            .total
            .untested
    };
    assert_eq!(untested(0), Nanos(3_000_000));
    assert_eq!(untested(31), Nanos(3_000_000));
    // Half of the looks are at what each of two threads is said to hold, and both are named for one reason.
    assert_eq!(untested(100), Nanos(0));
}

/// Somebody holds a lock from the beginning to the end: few come to block, and all looks find the same one.
#[test]
fn looks_alone_bear_out_who_holds_it_all_the_time() {
    let found = |looks: u64, other: Option<u64>| {
        let mut scene = super::tests::Scene::new();
        scene.enter(10, A, Owner::Thread(C));
        scene.enter(20, B, Owner::Thread(C));
        for look in 0..looks {
            scene.records.push(Record::Held(Held {
                at: Nanos((1_000 + 10 * look) * 1000),
                lock: LOCK,
                waiter: A,
                blocked: 2,
                time: Nanos(10_000),
                owner: Owner::Thread(if other == Some(look) { ThreadId(9) } else { C }),
                stack: None,
            }));
        }
        scene.records.push(Record::End(locklens_trace::record::End {
            at: Nanos(10_000_000),
            reason: locklens_trace::record::EndReason::Stopped,
        }));
        scene.blame(&[Key::OwnerThread], Wish::default()).total
    };
    let total = found(40, None);
    assert_eq!(told(&total), rows([("c", 19_970, 2)]));
    assert_eq!(total.untested, Nanos(0));
    let unknown = rows([("(unknown)", 19_970, 2)]);
    assert_eq!(told(&found(20, None)), unknown, "too few");
    assert_eq!(told(&found(40, Some(7))), unknown, "one found another");
}

/// Two threads hold each other up from soon after the first of them came, and nothing is told at the end.
#[test]
fn who_is_seen_to_own_it_while_held_up_elsewhere_has_not_come_since() {
    let mut scene = super::tests::Scene::new();
    scene.enter(10, A, Owner::Thread(B));
    let other = LockId(2);
    scene
        .push(30, B, locklens_trace::EventKind::Enter, other)
        .owner = Owner::Thread(A);
    let by_thread = |scene: &super::tests::Scene| {
        let keys = [Key::WaiterThread, Key::OwnerThread];
        let blame = scene.blame(&keys, Wish::default());
        blame.total.rows.iter().map(told).collect::<Vec<_>>()
    };
    let end = Record::End(locklens_trace::record::End {
        at: Nanos(100_000),
        reason: locklens_trace::record::EndReason::VmDeath,
    });
    scene.records.push(end);
    assert_eq!(by_thread(&scene)[0], rows([("(unknown)", 90, 1)]));
    let look = Record::Held(Held {
        at: Nanos(50_000),
        lock: LOCK,
        waiter: A,
        blocked: 1,
        time: Nanos(10_000),
        owner: Owner::Thread(B),
        stack: None,
    });
    scene.records.insert(2, look);
    assert_eq!(
        by_thread(&scene)[0],
        rows([("b", 70, 1), ("(unknown)", 20, 1)])
    );
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
