//! Programs that get stuck, before a recording or in it: who holds what, and how to get out.

use crate::rig::{Jdk, Running, Subject, eventually, jdks, run, signal};
use serde_json::Value;

/// The first JDK that does not stop for a call chain: an older one that took long for the first is not asked for more.
const GOES_ON: u32 = 17;

/// The first JDK with virtual threads.
const VIRTUAL: u32 = 21;

/// Two carriers at least: on some JDKs a virtual thread that holds a monitor keeps its own.
fn jam(jdk: &Jdk, way: &str) -> Subject {
    let carriers = "-Djdk.virtualThreadScheduler.parallelism=2";
    Subject::start(jdk, &[carriers, "Jam", way])
}

fn is_stuck(subject: &Subject) -> bool {
    subject.threads().iter().any(|name| name.trim() == "stuck")
}

/// The program with the trace of a recording that began when it was stuck already.
fn recorded_when_stuck(jdk: &Jdk, way: &str) -> (Subject, String) {
    let mut subject = jam(jdk, way);
    subject.say("");
    eventually("it is stuck", || is_stuck(&subject));
    let trace = subject.trace().to_string_lossy().into_owned();
    run(&["record", &subject.word(), "-d", "2s", "-o", &trace]).ended_with(0);
    (subject, trace)
}

fn report(trace: &str) -> Value {
    let ran = run(&["report", "--json", trace]).ended_with(0);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:#?}"))
}

#[test]
fn who_holds_a_stuck_lock_is_told_and_that_it_waits_for_those_it_keeps_out() {
    for jdk in jdks() {
        let (_subject, trace) = recorded_when_stuck(jdk, "lockout");
        let document = report(&trace);
        let all = document["blockages"].as_array().unwrap();
        assert_eq!(all.len(), 1, "JDK {}: {document:#}", jdk.major);
        let holder = &all[0]["holder"];
        assert_eq!(holder["thread"], "taker", "JDK {}: {all:#?}", jdk.major);
        assert_eq!(holder["known_by"], "end");
        assert_eq!(holder["waits_on"]["timed"], false);
        assert_eq!(all[0]["blocked"].as_array().unwrap().len(), 2);
        assert_eq!(all[0]["may_be_lockout"], true);
        run(&["report", &trace])
            .ended_with(0)
            .printed("STUCK: 2 threads are blocked on Jam.Box")
            .printed("held by \"taker\"")
            .printed("lockout");
        let lock = all[0]["lock"].as_u64().unwrap().to_string();
        run(&["show", &trace, &lock])
            .ended_with(0)
            .printed("held by \"taker\"");
    }
}

#[test]
fn what_the_holder_of_a_stuck_lock_is_doing_is_told() {
    for jdk in jdks() {
        let (_subject, trace) = recorded_when_stuck(jdk, "busy");
        let document = report(&trace);
        let holder = &document["blockages"][0]["holder"];
        assert_eq!(holder["thread"], "grinder", "JDK {}", jdk.major);
        let frames = holder["chain"]["frames"].as_array();
        let frames = frames.unwrap_or_else(|| panic!("JDK {}: {document:#}", jdk.major));
        let at = |frame: &Value| {
            frame
                .as_str()
                .is_some_and(|at| at.starts_with("Jam.turn(Jam.java:"))
        };
        assert!(frames.iter().any(at), "JDK {}: {frames:#?}", jdk.major);
        run(&["report", &trace])
            .ended_with(0)
            .printed("held by \"grinder\"")
            .printed("      Jam.grind(Jam.java:");
    }
}

#[test]
fn what_holders_do_is_told_of_each_however_many_want_what_one_of_them_has() {
    for jdk in jdks().iter().filter(|jdk| jdk.major >= GOES_ON) {
        let (_subject, trace) = recorded_when_stuck(jdk, "crowd");
        let document = report(&trace);
        let all = document["blockages"].as_array().unwrap();
        let holders = all.iter().map(|blockage| &blockage["holder"]);
        let told = holders.filter(|holder| holder["chain"].is_object());
        let mut names: Vec<_> = told
            .filter_map(|holder| holder["thread"].as_str())
            .collect();
        names.sort_unstable();
        let each = ["sleeper-0", "sleeper-1", "sleeper-2"];
        assert_eq!(names, each, "JDK {}: {document:#}", jdk.major);
    }
}

#[test]
fn a_deadlock_of_virtual_threads_stands_at_the_top() {
    for jdk in jdks().iter().filter(|jdk| jdk.major >= VIRTUAL) {
        let mut subject = jam(jdk, "virtual");
        let trace = subject.trace().to_string_lossy().into_owned();
        let record = Running::start(&["record", &subject.word(), "-d", "0", "-o", &trace]);
        eventually("the recording is under way", || subject.has_our_thread());
        subject.say("");
        eventually("it is stuck", || is_stuck(&subject));
        signal(record.pid(), "INT");
        record.wait().ended_with(0);
        run(&["report", &trace])
            .ended_with(0)
            .printed("DEADLOCK of 2 threads");
        let document = report(&trace);
        let ring = &document["deadlocks"][0]["threads"];
        assert_eq!(
            ring.as_array().map(Vec::len),
            Some(2),
            "JDK {}: {document:#}",
            jdk.major
        );
        assert!(ring[0]["known_by"].is_string(), "{ring:#}");
    }
}

#[test]
fn virtual_threads_stuck_before_are_said_not_to_be_seen() {
    for jdk in jdks().iter().filter(|jdk| jdk.major >= VIRTUAL) {
        let (_subject, trace) = recorded_when_stuck(jdk, "virtual");
        run(&["report", &trace])
            .ended_with(0)
            .printed("Virtual threads that were blocked or waiting before");
    }
}
