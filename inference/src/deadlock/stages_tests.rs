//! Recordings written by hand in which something is to be run once futures are complete.

use super::finding::{Kind, Tier};
use super::recording_tests::{REENTRANT, Scene};
use super::tasks_tests::{T3, counts, does, found};
use locklens_trace::juc::Act;
use locklens_trace::{LockId, ThreadId};

const COMPLETABLE: &str = "java.util.concurrent.CompletableFuture";
const AFTERWARDS: (Tier, Kind) = (Tier::T4, Kind::Order);

/// A thread makes a future of others, and leaves with some what is to be run.
fn makes(scene: &mut Scene, by: ThreadId, of: &[LockId], left: &[LockId]) -> LockId {
    for &part in of {
        counts(scene, by, (part, Act::Part, of.len() as u32), false);
    }
    for &part in left {
        does(scene, by, part, Act::Register, false);
    }
    let whole = scene.lock(COMPLETABLE);
    does(scene, by, whole, Act::Whole, false);
    whole
}

#[test]
fn what_needs_two_futures_is_run_after_both_are_complete() {
    // Newer JDKs tell of both with which it is left, JDK 8 of the first.
    for told in [2, 1] {
        let ran = |last: usize, over: bool| {
            found(|scene, [one, two]| {
                let futures = [(); 2].map(|()| scene.lock(COMPLETABLE));
                scene.begins(two);
                let maker = scene.build.thread("maker");
                makes(scene, maker, &futures, &futures[..told]);
                does(scene, one, futures[1 - last], Act::CountDown, false);
                does(scene, two, futures[last], Act::CountDown, false);
                if over {
                    does(scene, two, futures[last], Act::Arrive, false);
                }
            })
        };
        for last in [0, 1] {
            assert_eq!(ran(last, false), [], "{told}, {last}");
            assert_eq!(ran(last, true), [AFTERWARDS], "{told}, {last}");
        }
    }
}

#[test]
fn what_else_is_left_there_may_be_what_is_run() {
    let ran = |of_both: bool, by_hand: bool| {
        found(|scene, [one, two]| {
            let futures = [(); 2].map(|()| scene.lock(COMPLETABLE));
            scene.begins(two);
            let maker = scene.build.thread("maker");
            let whole = makes(scene, maker, &futures, &futures);
            match of_both {
                true => drop(makes(scene, maker, &futures, &futures)),
                false => drop(makes(scene, maker, &futures[1..], &futures[1..])),
            }
            does(scene, one, futures[0], Act::CountDown, false);
            does(scene, two, futures[1], Act::CountDown, false);
            if by_hand {
                let hand = scene.build.thread("hand");
                does(scene, two, whole, Act::CountDown, false);
                does(scene, hand, whole, Act::CountDown, false);
            }
        })
    };
    assert_eq!(ran(true, false), []);
    assert_eq!(ran(false, false), [T3], "it needs the one alone");
    assert_eq!(ran(true, true), [T3], "somebody might have been quicker");
}

#[test]
fn what_is_run_when_all_are_complete_comes_after_each_of_them() {
    let ran = |also: bool| {
        found(|scene, [one, two]| {
            let futures = [(); 3].map(|()| scene.lock(COMPLETABLE));
            scene.begins(two);
            let maker = scene.build.thread("maker");
            let all = makes(scene, maker, &futures, &futures);
            makes(scene, maker, &[all], &[all]);
            if also {
                does(scene, maker, futures[2], Act::Register, false);
            }
            does(scene, one, futures[0], Act::CountDown, false);
            let third = scene.build.thread("third");
            does(scene, third, futures[1], Act::CountDown, false);
            does(scene, two, futures[2], Act::CountDown, false);
            does(scene, two, all, Act::CountDown, false);
        })
    };
    assert_eq!(ran(false), []);
    assert_eq!(ran(true), [T3], "it may be that which needs only the last");
}

/// One takes two locks and completes a future; two makes another one of it, and takes the same inside that call, or behind it.
fn made_late(left: bool, inside: bool) -> Vec<(Tier, Kind)> {
    let mut scene = Scene::default();
    let (a, b) = (scene.lock(REENTRANT), scene.lock(REENTRANT));
    let [one, two] = ["one", "two"].map(|name| scene.build.thread(name));
    let [future, whole] = [(); 2].map(|()| scene.lock(COMPLETABLE));
    scene.begins(one);
    scene.begins(two);
    scene.nests(one, a, b);
    does(&mut scene, one, future, Act::CountDown, false);
    counts(&mut scene, two, (future, Act::Part, 1), false);
    if left {
        does(&mut scene, two, future, Act::Register, false);
    }
    if inside {
        scene.nests(two, b, a);
    }
    does(&mut scene, two, whole, Act::Whole, false);
    if !inside {
        scene.nests(two, b, a);
    }
    scene.found()
}

#[test]
fn who_finds_a_future_complete_runs_at_once_what_is_to_be_run_then() {
    for left in [false, true] {
        assert_eq!(made_late(left, true), [], "{left}");
    }
    assert_eq!(made_late(false, false), [AFTERWARDS], "it need not be");
    assert_eq!(made_late(true, false), [T3]);
}

/// Left with a future that is not complete yet, and complete before whoever left it looks again: he runs it himself.
#[test]
fn who_finds_complete_what_he_has_left_something_with_comes_after_the_completion() {
    let found = |looks_again: bool| {
        let mut scene = Scene::default();
        let (a, b) = (scene.lock(REENTRANT), scene.lock(REENTRANT));
        let [one, two] = ["one", "two"].map(|name| scene.build.thread(name));
        let [future, whole] = [(); 2].map(|()| scene.lock(COMPLETABLE));
        scene.begins(one);
        scene.begins(two);
        counts(&mut scene, two, (future, Act::Part, 1), false);
        does(&mut scene, two, future, Act::Register, false);
        if !looks_again {
            does(&mut scene, two, whole, Act::Whole, false);
        }
        scene.nests(one, a, b);
        does(&mut scene, one, future, Act::CountDown, false);
        does(&mut scene, one, future, Act::Arrive, false);
        scene.nests(two, b, a);
        if looks_again {
            does(&mut scene, two, whole, Act::Whole, false);
        }
        scene.found()
    };
    assert_eq!(found(true), []);
    assert_eq!(
        found(false),
        [T3],
        "what he does afterwards is something else"
    );
}

#[test]
fn what_is_run_by_a_task_of_its_own_comes_after_the_futures_it_needs() {
    let ran = |class: &str, ran: bool| {
        found(|scene, [one, two]| {
            let future = scene.lock(COMPLETABLE);
            let task = scene.lock(class);
            scene.begins(two);
            let maker = scene.build.thread("maker");
            counts(scene, maker, (future, Act::Part, 1), false);
            does(scene, maker, task, Act::Made, false);
            does(scene, maker, future, Act::Register, false);
            let whole = scene.lock(COMPLETABLE);
            does(scene, maker, whole, Act::Whole, false);
            does(scene, one, future, Act::CountDown, false);
            if ran {
                does(scene, two, task, Act::Run, false);
            }
        })
    };
    let stage = "java.util.concurrent.CompletableFuture$UniRun";
    assert_eq!(ran(stage, true), []);
    assert_eq!(ran(stage, false), [T3]);
    assert_eq!(ran("app.Sort", true), [T3]);
}
