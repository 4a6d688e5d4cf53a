//! Traces written by hand in which several threads can end a wait, and the one that did in this run puts two others in order.

use super::finding::{Kind, Report, Tier};
use super::recording_tests::{REENTRANT, Scene};
use super::tasks_tests::{counts, does};
use super::tests::of_text;
use locklens_trace::juc::Act;

const COMPLETABLE: &str = "java.util.concurrent.CompletableFuture";
const LINKED: &str = "java.util.concurrent.LinkedBlockingQueue";
const CONDITION: &str = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
const WAITS: &str = "T2|acq(m)|1\nT2|wait(m)|2";
const TELLS: &str = "T1|acq(a)|3\nT1|acq(b)|4\nT1|rel(b)|5\nT1|rel(a)|6\nT1|acq(m)|7\nT1|notifyAll(m)|8\nT1|rel(m)|9";
const GOES_ON: &str = "T2|rel(m)|10\nT2|acq(b)|11\nT2|acq(a)|12\nT2|rel(a)|13\nT2|rel(b)|14";
const TELLS_TOO: &str = "T3|acq(m)|15\nT3|notifyAll(m)|16\nT3|rel(m)|17";

fn tiers(report: &Report) -> Vec<(Tier, Kind)> {
    let findings = report.findings.iter();
    findings.map(|found| (found.tier, found.kind)).collect()
}

fn of_lines(lines: &[&str]) -> Report {
    of_text(&lines.join("\n"))
}

#[test]
fn who_waits_may_be_let_go_on_by_whoever_notifies_there() {
    let alone = of_lines(&[WAITS, TELLS, GOES_ON]);
    assert_eq!(tiers(&alone), []);
    assert_eq!(alone.excluded.len(), 1);
    let both = of_lines(&[WAITS, TELLS, GOES_ON, TELLS_TOO]);
    assert_eq!(tiers(&both), [(Tier::T5, Kind::Order)]);
    let words = both.findings[0].remarks.join("\n");
    assert!(
        words.contains("\"T1\" ended a wait at m; \"T3\" ends waits there, too"),
        "{words}"
    );
}

#[test]
fn whoever_it_is_what_all_of_them_come_after_comes_before() {
    let started = of_lines(&[WAITS, TELLS, "T1|fork(T3)|9", GOES_ON, TELLS_TOO]);
    assert_eq!(tiers(&started), []);
    // He who did it ends no wait, but starts those who do.
    let tells = "T1|acq(m)|7\nT1|notifyAll(m)|8\nT1|rel(m)|9";
    let done = TELLS.replace(tells, "T1|fork(T3)|7\nT1|fork(T4)|7");
    let fourth = TELLS_TOO.replace("T3", "T4");
    let behind = of_lines(&[WAITS, &done, TELLS_TOO, GOES_ON, &fourth]);
    assert_eq!(tiers(&behind), []);
}

#[test]
fn who_comes_only_behind_the_one_who_waited_did_not_let_him_go_on() {
    let later = of_lines(&[WAITS, TELLS, "T2|fork(T3)|10", GOES_ON, TELLS_TOO]);
    assert_eq!(tiers(&later), []);
}

#[test]
fn what_a_queue_gives_may_be_from_another_who_puts() {
    let taken = |others: bool| {
        let mut scene = Scene::default();
        let (a, b) = (scene.lock(REENTRANT), scene.lock(REENTRANT));
        let [one, two, other] = ["one", "two", "other"].map(|name| scene.build.thread(name));
        let queue = scene.lock(LINKED);
        let [back, end] = [(); 2].map(|()| scene.lock(REENTRANT));
        let free = scene.condition(CONDITION, back);
        let filled = scene.condition(CONDITION, end);
        scene.did(two, end, &[(Act::Lock, 1)]);
        scene.did(two, filled, &[(Act::Await, 1)]);
        scene.nests(one, a, b);
        for (lock, condition) in [(back, free), (end, filled)] {
            scene.did(one, lock, &[(Act::Lock, 1)]);
            scene.did(one, condition, &[(Act::Signal, 1)]);
            scene.did(one, lock, &[(Act::Unlock, 1)]);
        }
        scene.did(one, queue, &[(Act::Put, 1)]);
        if others {
            // It was not empty: there is nobody to tell.
            scene.did(other, queue, &[(Act::Put, 1)]);
        }
        scene.did(two, filled, &[(Act::Awaited, 1)]);
        scene.did(two, end, &[(Act::Unlock, 1)]);
        scene.did(two, queue, &[(Act::Take, 1)]);
        scene.nests(two, b, a);
        tiers(&scene.report())
    };
    assert_eq!(taken(false), []);
    assert_eq!(taken(true), [(Tier::T5, Kind::Order)]);
}

/// What is found where two takes both locks once a future is complete that is made of others, of which one completes the first; `needs`
/// if it is told what it needs.
fn passed(needs: bool, further: bool) -> Report {
    let mut scene = Scene::default();
    let (a, b) = (scene.lock(REENTRANT), scene.lock(REENTRANT));
    let [one, two] = ["one", "two"].map(|name| scene.build.thread(name));
    let futures = [(); 2].map(|()| scene.lock(COMPLETABLE));
    let [whole, last] = [(); 2].map(|()| scene.lock(COMPLETABLE));
    scene.begins(one);
    scene.begins(two);
    if needs {
        counts(&mut scene, two, (futures[0], Act::Part, 1), false);
    }
    does(&mut scene, two, futures[0], Act::Register, false);
    match needs {
        true => does(&mut scene, two, whole, Act::Whole, false),
        false => does(&mut scene, two, futures[1], Act::Register, false),
    }
    counts(&mut scene, two, (whole, Act::Part, 1), false);
    does(&mut scene, two, whole, Act::Register, false);
    does(&mut scene, two, last, Act::Whole, false);
    scene.nests(one, a, b);
    for future in [futures[0], whole, last] {
        does(&mut scene, one, future, Act::CountDown, false);
    }
    let passed = if further { last } else { whole };
    does(&mut scene, two, passed, Act::Pass, false);
    scene.nests(two, b, a);
    scene.report()
}

#[test]
fn a_future_that_any_of_several_completes_orders_nothing_for_sure() {
    for further in [false, true] {
        assert_eq!(tiers(&passed(true, further)), [], "{further}");
        let any = passed(false, further);
        assert_eq!(tiers(&any), [(Tier::T5, Kind::Order)], "{further}");
        let words = any.findings[0].remarks.join("\n");
        assert!(
            words.contains("which of several, threads or futures,"),
            "{words}"
        );
    }
}
