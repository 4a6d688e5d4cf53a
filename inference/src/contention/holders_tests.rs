//! Shares of blocked time from looks at owners.

use super::tests::{Scene, blame};
use super::*;
use locklens_trace::held::Held;
use locklens_trace::{EventKind, Owner, ThreadId};

const A: ThreadId = ThreadId(1);
const C: ThreadId = ThreadId(3);
const LOCK: LockId = LockId(1);

fn held(at: u64, owner: Owner, stack: Option<StackId>) -> Record {
    Record::Held(Held {
        at: Nanos(at),
        lock: LOCK,
        waiter: C,
        blocked: 2,
        time: Nanos(10),
        owner,
        stack,
    })
}

/// A recording in which the lock is blocked on, with these looks.
fn looks(looks: impl Fn(&mut Scene) -> Vec<Record>) -> Looks {
    let mut scene = Scene::new();
    scene.enter(1, C, Owner::Thread(A));
    scene.push(100, C, EventKind::Entered, LOCK);
    let looks = looks(&mut scene);
    let mut records = scene.all();
    records.extend(looks);
    blame(&records, &[Key::Lock], Wish::default()).looks
}

#[test]
fn shares_are_of_all_blocked_time_that_looks_stand_for() {
    let looks = looks(|scene| {
        let (put, get) = (scene.at(0), scene.at(1));
        let owner = Owner::Thread(A);
        // Not one after the other: each is worth a look.
        (0..40)
            .map(|at| match at % 4 {
                0 | 2 => held(at, owner, Some(put)),
                1 => held(at, owner, Some(get)),
                _ => held(at, Owner::Nobody, None),
            })
            .collect()
    });
    assert_eq!((looks.total, looks.locks.len()), (40, 1));
    let lock = &looks.locks[0];
    assert_eq!((lock.looks, lock.time), (40, Nanos(800)));
    assert!((lock.worth - 40.0).abs() < 1e-9, "{}", lock.worth);
    let told: Vec<_> = lock
        .places
        .iter()
        .map(|place| (place.method.clone(), place.looks, place.share))
        .collect();
    let named = |name: &str| Value::Named(name.to_owned());
    let expected = [
        (named("app.Store.put"), 20, 0.5),
        (named("app.Store.get"), 10, 0.25),
        (Value::Nobody, 10, 0.25),
    ];
    assert_eq!(told, expected);
    let (low, high) = lock.places[0].interval;
    assert!(
        low > 0.34 && low < 0.37 && high > 0.63 && high < 0.66,
        "{low} {high}"
    );
    assert_eq!(lock.places[0].threads, [(named("a"), 0.5)]);
    assert_eq!(lock.places[0].chains.len(), 1);
}

#[test]
fn looks_that_find_the_same_again_are_worth_one() {
    let looks = looks(|scene| {
        let (put, get) = (scene.at(0), scene.at(1));
        let owner = Owner::Thread(A);
        let stack = |at| if at < 50 { put } else { get };
        (0..100)
            .map(|at| held(at, owner, Some(stack(at))))
            .collect()
    });
    let lock = &looks.locks[0];
    assert!((lock.worth - 2.0).abs() < 1e-9, "{}", lock.worth);
    let (low, high) = lock.places[0].interval;
    assert!(
        high - low > 0.7,
        "two looks tell hardly anything: {low} {high}"
    );
}

/// A rare path that holds it long each time: nothing else is ever seen, and yet each time tells of itself.
#[test]
fn looks_at_one_holding_are_worth_one_and_those_at_the_next_another() {
    let mut scene = Scene::new();
    let put = scene.at(0);
    let mut looks = Vec::new();
    for round in 1..=6 {
        let at = round * 1000;
        scene.enter(at, C, Owner::Thread(A));
        scene.push(at + 100, C, EventKind::Entered, LOCK);
        let times = (at + 5..at + 90).step_by(10);
        // Scenes are told in microseconds.
        looks.extend(times.map(|at| held(at * 1000, Owner::Thread(A), Some(put))));
    }
    let mut records = scene.all();
    records.extend(looks);
    // As a file has them: each look after the events up to its time.
    records.sort_by_key(|record| match record {
        Record::Event(event) => event.at,
        Record::Held(held) => held.at,
        _ => Nanos(0),
    });
    let looks = blame(&records, &[Key::Lock], Wish::default()).looks;
    let lock = &looks.locks[0];
    assert_eq!((lock.looks, lock.places.len()), (54, 1));
    assert!((lock.worth - 6.0).abs() < 1e-9, "{}", lock.worth);
}

#[test]
fn an_owner_without_a_chain_is_known_and_its_place_is_not() {
    let looks = looks(|_| {
        vec![
            held(1, Owner::Thread(A), None),
            held(2, Owner::Unknown, None),
        ]
    });
    let places = &looks.locks[0].places;
    assert_eq!(places.len(), 1);
    assert_eq!(places[0].method, Value::Unknown);
    assert_eq!(places[0].threads, [(Value::Named("a".to_owned()), 0.5)]);
}

#[test]
fn locks_that_reports_leave_out_are_left_out() {
    let looks = looks(|_| {
        let Record::Held(mut look) = held(1, Owner::Nobody, None) else {
            unreachable!()
        };
        look.lock = LockId(9);
        vec![Record::Held(look)]
    });
    assert_eq!(looks, Looks::default());
}

#[test]
fn an_owner_that_is_seen_outside_of_all_regions_had_let_go_meanwhile() {
    let looks = looks(|scene| {
        let (inside, outside) = (scene.inside(), scene.at(2));
        let event = scene.push(200, C, EventKind::Enter, LOCK);
        event.stack = Some(inside);
        scene.push(300, C, EventKind::Entered, LOCK);
        let owner = Owner::Thread(A);
        let at = |at| if at % 2 == 0 { inside } else { outside };
        (0..40).map(|n| held(n, owner, Some(at(n)))).collect()
    });
    let places = &looks.locks[0].places;
    let told: Vec<_> = places.iter().map(|place| &place.method).collect();
    assert_eq!(told.len(), 2, "{places:?}");
    assert!(told.contains(&&Value::Unknown), "{places:?}");
    let unknown = places.iter().find(|place| place.method == Value::Unknown);
    assert!(unknown.is_some_and(|place| place.chains.is_empty() && !place.threads.is_empty()));
}
