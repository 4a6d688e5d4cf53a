//! Rewritten programs run as they did, and their probes see every event: on each JDK, for each
//! level of class file its compiler can write.

mod jvm;

use jvm::{Jdk, Scratch, compile, jdks, rewrite_all, succeed};
use locklens_rewrite::Plan;
use locklens_rewrite::plan::Probes;

const PROBE: &str = "probe/Probe";

/// Options for every class-file version that a JDK's compiler can write and its JVM still treats
/// apart. A limit of 0 makes an old compiler write `finally` as subroutines (`jsr`).
fn levels(jdk: &Jdk) -> Vec<Vec<&'static str>> {
    let mut levels = vec![vec![]];
    if jdk.major == 8 {
        levels.push(vec!["-source", "1.3", "-target", "1.1", "-XDjsrlimit=0"]);
        levels.push(vec!["-source", "1.3", "-target", "1.3"]);
        levels.push(vec!["-source", "1.4", "-target", "1.4", "-XDjsrlimit=0"]);
        levels.push(vec!["-source", "5", "-target", "5"]);
        levels.push(vec!["-source", "6", "-target", "6"]);
        levels.push(vec!["-source", "7", "-target", "7", "-g"]);
    }
    levels
}

fn behaves(jdk: &Jdk, options: &[&str], plan: &Plan) {
    let scratch = Scratch::new();
    let sources = ["probe/Probe.java", "Behaviour.java"];
    compile(jdk, options, &sources, scratch.dir());
    assert!(rewrite_all(scratch.dir(), plan) > 80);
    for mode in [
        "-Xint",
        "-XX:TieredStopAtLevel=1",
        "-Xcomp",
        "-XX:+TieredCompilation",
    ] {
        let mut java = jdk.java();
        java.arg(mode)
            .arg("-cp")
            .arg(scratch.dir())
            .arg("Behaviour");
        let said = succeed(&mut java);
        assert_eq!(said, "all as expected\n", "{jdk:?} {options:?} {mode}");
    }
}

#[test]
fn every_event_is_seen_and_nothing_else_changes() {
    let plan = Plan::everything(PROBE);
    for jdk in jdks() {
        for options in levels(&jdk) {
            behaves(&jdk, &options, &plan);
        }
    }
}

#[test]
fn the_hash_taken_before_the_lock_is_the_object_s() {
    let mut plan = Plan::everything(PROBE);
    plan.probes = Probes::of_class(PROBE).with_identity_hash();
    for jdk in jdks() {
        for options in levels(&jdk) {
            behaves(&jdk, &options, &plan);
        }
    }
}

#[test]
fn with_probes_around_every_access_the_events_are_the_same() {
    let mut plan = Plan::everything(PROBE);
    plan.events.accesses = true;
    for jdk in jdks() {
        for options in levels(&jdk) {
            behaves(&jdk, &options, &plan);
        }
    }
}

#[test]
fn sites_with_large_numbers_are_named_by_constants() {
    let mut plan = Plan::everything(PROBE);
    plan.first_site.0 = 40_000;
    let jdk = jdks().remove(0);
    behaves(&jdk, &[], &plan);
}
