//! Recordings written by hand of what waits for the ends of all threads that run tasks.

use crate::deadlock::finding::{Kind, Tier};
use crate::deadlock::recording_tests::{REENTRANT, Scene};
use crate::deadlock::tasks_tests::{FUTURE, POOL, T3, counts, does, ends, found};
use locklens_trace::juc::Act;
use locklens_trace::{LockId, ThreadId};

const THREADS: &str = "java.util.concurrent.ThreadPerTaskExecutor";

/// Starts a thread for a task; here ids are tids.
fn starts_member(scene: &mut Scene, by: ThreadId, executor: LockId, member: ThreadId) {
    counts(scene, by, (executor, Act::Start, member.0), false);
}

#[test]
fn who_sees_an_executor_end_comes_after_the_threads_that_it_started() {
    let ended = |whose: usize, over: bool, tries: bool| {
        found(|scene, [one, two]| {
            let executors = [scene.lock(THREADS), scene.lock(THREADS)];
            let third = scene.build.thread("third");
            scene.begins(two);
            starts_member(scene, two, executors[0], one);
            starts_member(scene, two, executors[1], third);
            if over {
                ends(scene, one);
            }
            ends(scene, third);
            does(scene, two, executors[whose], Act::Pass, tries);
        })
    };
    for tries in [false, true] {
        assert_eq!(ended(0, true, tries), []);
        assert_eq!(ended(1, true, tries), [T3], "it ran for another one");
        assert_eq!(ended(0, false, tries), [], "its end is told later");
    }
}

/// What is found where a thread runs a task that takes a lock, and another one waits for the end of its executor, with that lock
/// (`inside`) or without, and with or without the task's result (`over`).
fn waited(class: &str, inside: bool, over: bool) -> Vec<(Tier, Kind)> {
    let findings = waited_for(class, (inside, over), 1).report().findings;
    findings.iter().map(|f| (f.tier, f.kind)).collect()
}

/// The same as it is recorded; it waits for so many days, but not for more than one.
fn waited_for(class: &str, (inside, over): (bool, bool), days: u32) -> Scene {
    let mut scene = Scene::default();
    let (shop, executor) = (scene.lock(REENTRANT), scene.lock(class));
    let future = scene.lock(FUTURE);
    let [one, two] = ["one", "two"].map(|name| scene.build.thread(name));
    scene.begins(two);
    if class == THREADS {
        starts_member(&mut scene, two, executor, one);
    }
    scene.begins(one);
    does(&mut scene, one, shop, Act::Lock, false);
    does(&mut scene, one, shop, Act::Unlock, false);
    does(&mut scene, one, future, Act::CountDown, false);
    if over {
        does(&mut scene, two, future, Act::Pass, false);
    }
    does(&mut scene, two, shop, Act::Lock, false);
    if !inside {
        does(&mut scene, two, shop, Act::Unlock, false);
    }
    counts(&mut scene, two, (executor, Act::Join, days), false);
    // Who waits does so by a latch or a condition inside.
    let latch = scene.lock("java.util.concurrent.CountDownLatch$Sync");
    does(&mut scene, one, latch, Act::CountDown, false);
    if class == POOL {
        does(&mut scene, one, executor, Act::CountDown, false);
    }
    ends(&mut scene, one);
    does(&mut scene, two, latch, Act::Pass, false);
    does(&mut scene, two, executor, Act::Pass, false);
    if inside {
        does(&mut scene, two, shop, Act::Unlock, false);
    }
    scene
}

#[test]
fn who_waits_for_an_executor_with_a_lock_that_its_tasks_take_may_wait_for_ever() {
    for class in [POOL, THREADS] {
        let found = waited(class, true, false);
        assert_eq!(found, [(Tier::T3, Kind::Latch)], "{class}");
        assert_eq!(waited(class, false, false), [], "{class}: without it");
        assert_eq!(waited(class, true, true), [], "{class}: it is over");
    }
}

#[test]
fn who_waits_for_it_only_so_long_gives_up() {
    for class in [POOL, THREADS] {
        let stalls = |days: u32| -> Vec<bool> {
            let findings = waited_for(class, (true, false), days).report().findings;
            findings.iter().map(|finding| finding.stall).collect()
        };
        assert_eq!(stalls(1), [false], "{class}");
        assert_eq!(stalls(0), [true], "{class}");
    }
}

#[test]
fn what_a_thread_does_after_it_has_left_its_pool_nobody_waits_for() {
    let left = |first: bool| {
        let mut scene = Scene::default();
        let (shop, pool) = (scene.lock(REENTRANT), scene.lock(POOL));
        let [one, two] = ["one", "two"].map(|name| scene.build.thread(name));
        let sells = |scene: &mut Scene| {
            does(scene, one, shop, Act::Lock, false);
            does(scene, one, shop, Act::Unlock, false);
        };
        scene.begins(one);
        scene.begins(two);
        if first {
            sells(&mut scene);
        }
        does(&mut scene, two, shop, Act::Lock, false);
        does(&mut scene, two, pool, Act::Join, false);
        does(&mut scene, one, pool, Act::CountDown, false);
        does(&mut scene, two, pool, Act::Pass, false);
        does(&mut scene, two, shop, Act::Unlock, false);
        // Its factory had more to do there.
        sells(&mut scene);
        let findings = scene.report().findings;
        findings
            .iter()
            .map(|f| (f.tier, f.kind))
            .collect::<Vec<_>>()
    };
    assert_eq!(left(true), [(Tier::T3, Kind::Latch)]);
    assert_eq!(left(false), []);
}
