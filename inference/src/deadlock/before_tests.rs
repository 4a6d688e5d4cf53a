//! Recordings written by hand that begin when their threads are under way.

use super::finding::{Kind, Tier};
use super::recording_tests::{REENTRANT, Scene};
use super::tasks_tests::{FUTURE, T3, does};
use locklens_trace::juc::Act;
use locklens_trace::record::target_key;
use locklens_trace::{LockId, Record, ThreadId};

const T5: (Tier, Kind) = (Tier::T5, Kind::Order);

/// A recording of a JVM that has run for a while, or from its start.
pub(super) fn scene(mode: &str) -> Scene {
    let mut scene = Scene::default();
    let (mode, since) = match mode.strip_suffix(", probes later") {
        Some(mode) => (mode, "1000000"),
        None => (mode, "0"),
    };
    let facts = [(target_key::MODE, mode), (target_key::EXACT_SINCE, since)];
    let facts = facts.map(|(key, value)| (key.to_owned(), value.to_owned()));
    scene.push(Record::Target(facts.to_vec()));
    scene
}

#[test]
fn what_is_held_later_each_time_may_have_been_held_before_the_recording() {
    let found = |mode: &str, later: bool, new: bool| {
        let mut scene = scene(mode);
        let [gate, a, b] = [(); 3].map(|()| scene.lock(REENTRANT));
        let [one, two] = ["one", "two"].map(|name| scene.build.thread(name));
        if new {
            scene.begins(one);
            scene.begins(two);
        }
        scene.nests(one, a, b);
        let gated = |scene: &mut Scene, by: ThreadId, outer: LockId, inner: LockId| {
            scene.did(by, gate, &[(Act::Lock, 1)]);
            scene.nests(by, outer, inner);
            scene.did(by, gate, &[(Act::Unlock, 1)]);
        };
        gated(&mut scene, two, b, a);
        if later {
            gated(&mut scene, one, a, b);
        }
        gated(&mut scene, two, b, a);
        scene.found()
    };
    assert_eq!(found("live", true, false), [T5]);
    assert_eq!(
        found("live", true, true),
        [T3],
        "it held nothing when it began"
    );
    assert_eq!(found("launch", true, false), [T3]);
    // Its beginning was seen, and what it took then was not: there were no probes yet.
    assert_eq!(found("live, probes later", true, true), [T5]);
    let shown = [(Tier::T4, Kind::Order)];
    assert_eq!(found("live", false, false), shown, "nothing shows that");
}

/// What is done in methods that were running when they were rewritten has no place, and what monitors they hold is not told.
#[test]
fn what_is_done_in_code_from_before_may_be_done_with_more_held() {
    let found = |mode: &str, told: bool| {
        let mut scene = scene(mode);
        let [a, b] = [(); 2].map(|()| scene.lock(REENTRANT));
        let [one, two] = ["one", "two"].map(|name| scene.build.thread(name));
        let app = scene.build.class("app.Shop", "java.lang.Object");
        let sell = scene.build.method(app, "sell", "()V", 0);
        let at = scene.build.stack(&[(sell, 1)]);
        scene.nests(one, a, b);
        match told {
            true => scene.nests_at(two, [b, a], [at; 2]),
            false => scene.nests(two, b, a),
        }
        if told {
            let third = scene.build.thread("three");
            scene.nests_at(third, [a, b], [at; 2]);
        }
        scene.found()
    };
    // The third one is seen to do it with a place.
    assert_eq!(found("live", true), [T3]);
    assert_eq!(found("live", false), [T3], "no place of any is told");
    let alone = |mode: &str| {
        let mut scene = scene(mode);
        let [a, b, c] = [(); 3].map(|()| scene.lock(REENTRANT));
        let [one, two] = ["one", "two"].map(|name| scene.build.thread(name));
        let app = scene.build.class("app.Shop", "java.lang.Object");
        let sell = scene.build.method(app, "sell", "()V", 0);
        let at = scene.build.stack(&[(sell, 1)]);
        scene.nests(one, a, b);
        scene.nests_at(two, [b, a], [at; 2]);
        scene.nests_at(two, [c, b], [at; 2]);
        scene.found()
    };
    assert_eq!(alone("live"), [T5]);
    assert_eq!(alone("launch"), [T3]);
}

#[test]
fn who_had_been_let_go_on_before_the_recording_is_looked_at_from_the_second_time_on() {
    let found = |mode: &str, ordered: bool| {
        let mut scene = scene(mode);
        let [a, b] = [(); 2].map(|()| scene.lock(REENTRANT));
        let [worker, boss] = ["worker", "boss"].map(|name| scene.build.thread(name));
        let mut asked: Option<LockId> = None;
        for time in 0..3 {
            if let Some(question) = asked {
                does(&mut scene, worker, question, Act::Pass, false);
            }
            scene.nests(worker, a, b);
            let answer = scene.lock(FUTURE);
            does(&mut scene, worker, answer, Act::CountDown, false);
            if ordered && time > 0 {
                does(&mut scene, boss, answer, Act::Pass, false);
            }
            scene.nests(boss, b, a);
            let question = scene.lock(FUTURE);
            does(&mut scene, boss, question, Act::CountDown, false);
            asked = Some(question);
        }
        scene.found()
    };
    assert_eq!(found("live", true), []);
    assert_eq!(
        found("launch", true),
        [T3],
        "that it was let go would have been told"
    );
    assert_eq!(found("live", false), [T3]);
}

/// The boss hands tasks to a worker, waits for each, and then takes the same locks the other way round. What the worker takes is told from
/// its third task on: before that it was inside a take from before the recording.
#[test]
fn takes_from_before_the_recording_do_not_shift_who_handed_what() {
    let found = |mode: &str| {
        let mut scene = scene(mode);
        let [a, b] = [(); 2].map(|()| scene.lock(REENTRANT));
        let queue = scene.lock("java.util.concurrent.LinkedBlockingQueue");
        let workers = ["one", "two", "three"].map(|name| scene.build.thread(name));
        let boss = scene.build.thread("boss");
        for time in 0..9 {
            let worker = workers[time % 3];
            does(&mut scene, boss, queue, Act::Put, false);
            if time > 2 {
                does(&mut scene, worker, queue, Act::Take, false);
            }
            scene.nests(worker, a, b);
            let answer = scene.lock(FUTURE);
            does(&mut scene, worker, answer, Act::CountDown, false);
            does(&mut scene, boss, answer, Act::Pass, false);
            scene.nests(boss, b, a);
        }
        scene.found()
    };
    assert_eq!(found("live"), [T5]);
    assert_eq!(
        found("launch"),
        [T3],
        "there the first task is not handed over"
    );
}

/// A permit that comes back first had been taken before the recording: who gives what he never took makes a semaphore a signal, this does not.
#[test]
fn permits_that_come_back_first_were_taken_before() {
    const SEMAPHORE: &str = "java.util.concurrent.Semaphore";
    let kinds = |mode: &str, again: bool| {
        let mut scene = scene(mode);
        let [s, t] = [(); 2].map(|()| scene.lock(SEMAPHORE));
        let [one, two] = ["one", "two"].map(|name| scene.build.thread(name));
        for _ in 0..1 + u32::from(again) {
            does(&mut scene, one, s, Act::Unshare, false);
        }
        for (by, outer, inner) in [(one, s, t), (two, t, s)] {
            scene.did(by, outer, &[(Act::Share, 1)]);
            scene.did(by, inner, &[(Act::Share, 1), (Act::Unshare, 1)]);
            scene.did(by, outer, &[(Act::Unshare, 1)]);
        }
        let found = scene.found();
        found.into_iter().map(|(_, kind)| kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds("live", false), [Kind::Permit]);
    assert_eq!(kinds("live", true), [], "it had only one");
    assert_eq!(kinds("launch", false), []);
}
