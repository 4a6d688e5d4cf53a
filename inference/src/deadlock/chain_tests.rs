//! Threads that wait, with a lock, for somebody who waits himself for one who takes it; and waits that come too early, or would have
//! gone on.

use super::finding::{Kind, Tier};
use super::recording_tests::{REENTRANT, Scene};
use super::tasks_tests::does;
use super::tests::of_text;
use locklens_trace::juc::Act;

const LATCH: &str = "java.util.concurrent.CountDownLatch$Sync";

fn found(trace: &str) -> Vec<(Tier, Kind)> {
    let report = of_text(trace);
    let found = report.findings.iter().map(|f| (f.tier, f.kind));
    found.collect()
}

#[test]
fn who_waits_for_an_end_waits_for_those_whom_that_one_waits_for() {
    let of = |second: &str| {
        format!(
            "T1|acq(shop)|1\nT1|rel(shop)|2\nT1|end()|3\nT2|{second}|4\nT2|end()|5\nT0|acq(shop)|6\nT0|join(T2)|7\nT0|rel(shop)|8"
        )
    };
    assert_eq!(found(&of("join(T1)")), [(Tier::T3, Kind::Join)]);
    assert_eq!(found(&of("acq(other)")), []);
}

#[test]
fn who_waits_at_a_latch_waits_for_those_whom_its_openers_wait_for() {
    let found = |waits: bool| {
        let mut scene = Scene::default();
        let shop = scene.lock(REENTRANT);
        let [first, second] = [(); 2].map(|()| scene.lock(LATCH));
        let [one, two, three] = ["one", "two", "three"].map(|name| scene.build.thread(name));
        scene.did(one, shop, &[(Act::Lock, 1), (Act::Unlock, 1)]);
        does(&mut scene, one, first, Act::CountDown, false);
        if waits {
            does(&mut scene, two, first, Act::Pass, false);
        }
        does(&mut scene, two, second, Act::CountDown, false);
        scene.did(three, shop, &[(Act::Lock, 1)]);
        does(&mut scene, three, second, Act::Pass, false);
        scene.did(three, shop, &[(Act::Unlock, 1)]);
        scene.found()
    };
    assert_eq!(found(true), [(Tier::T3, Kind::Latch)]);
    assert_eq!(found(false), []);
}

/// Two take two locks in both orders; the second waits for the first at a latch, for a time or as long as it takes.
#[test]
fn a_wait_that_would_have_gone_on_orders_by_presumption() {
    let found = |days: u32| {
        let mut scene = Scene::default();
        let (a, b) = (scene.lock(REENTRANT), scene.lock(REENTRANT));
        let latch = scene.lock(LATCH);
        let [one, two] = ["one", "two"].map(|name| scene.build.thread(name));
        scene.nests(one, a, b);
        does(&mut scene, one, latch, Act::CountDown, false);
        scene.did(two, latch, &[(Act::Pass, days)]);
        scene.nests(two, b, a);
        scene.found()
    };
    assert_eq!(found(1), []);
    assert_eq!(found(0), [(Tier::T5, Kind::Order)]);
}
