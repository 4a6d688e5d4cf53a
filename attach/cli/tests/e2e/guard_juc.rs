//! A JVM that is guarded with its locks of `java.util.concurrent`: what is told of them, and what is not.

use crate::rig::{Jdk, Running, Subject, classes, eventually, jdk, jdks, run, scratch, signal};
use serde_json::Value;
use std::fs;

fn guarded(target: &Subject, more: &[&str]) -> Running {
    let word = target.word();
    let words = ["guard", &word, "--all-app", "--juc", "--yes"];
    Running::start(&[&words, more].concat())
}

/// Guards a program that runs until its cycle is told as T4, and then to its end; what was kept of it, as `deadlocks` reads it.
fn told_live(jdk: &Jdk, what: &str) -> Value {
    let mut target = Subject::start(jdk, &["Guarded", what]);
    let file = target.trace().to_string_lossy().into_owned();
    let mut command = guarded(&target, &["--json", "--all", "-o", &file]);
    let told = command.read();
    let has = |word: &str| told.lock().unwrap().contains(word);
    eventually("locks are followed", || has("dependency"));
    target.say("go");
    let is_proved = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["event"] == "cycle" && line["tier"] == "T4"
    };
    let context = format!("JDK {}: the cycle of {what} is told", jdk.major);
    eventually(&context, || told.lock().unwrap().lines().any(is_proved));
    assert!(target.alive(), "{context}");
    signal(command.pid(), "INT");
    command.wait().ended_with(1);
    eventually("the agent leaves", || !target.has_our_thread());
    assert!(target.alive(), "{context}");
    for command in ["graph", "report", "info"] {
        assert_ne!(run(&[command, &file]).status, Some(2), "{context}");
    }
    let found = run(&["deadlocks", &file, "--json"]).ended_with(1).stdout;
    serde_json::from_str(&found).unwrap()
}

/// Guards a program from its start to its end, a few hundred turns later: its end, and what was said.
fn from_start(jdk: &Jdk, what: &str, status: i32) -> String {
    let file = scratch("guard.llt").to_string_lossy().into_owned();
    let (java, classes) = (jdk.java(), classes().to_string_lossy());
    let java = java.to_string_lossy();
    let guard = ["guard", "--juc", "--all", "--min-tier", "T5", "-o", &file];
    let program = ["--", &java, "-Xmx64m", "-cp", &classes, "Guarded"];
    let ran = run(&[&guard[..], &program, &[what, "400"]].concat());
    let context = format!("JDK {}, {what}: {ran:#?}", jdk.major);
    assert_eq!(ran.status, Some(status), "{context}");
    ran.printed("DONE");
    let all = ["check", &file, "--min-tier", "T5"];
    assert_eq!(run(&all).status, Some(status), "{context}");
    fs::remove_file(file).unwrap();
    context
}

fn modes(found: &Value) -> Vec<&str> {
    let edges = found["deadlocks"][0]["edges"].as_array().unwrap();
    let wants = edges.iter().map(|edge| edge["wants_mode"].as_str());
    wants.map(Option::unwrap).collect()
}

#[test]
fn cycles_of_locks_and_of_a_lock_and_a_monitor_are_told_while_a_program_runs() {
    for jdk in jdks() {
        for what in ["locks", "monitor"] {
            let found = told_live(jdk, what);
            assert_eq!(found["deadlocks"].as_array().unwrap().len(), 1, "{found:#}");
            let text = found.to_string();
            assert!(text.contains("Guarded."), "{found:#}");
        }
    }
}

#[test]
fn modes_of_readers_and_writers_are_told() {
    for jdk in jdks() {
        assert_eq!(modes(&told_live(jdk, "writers")), ["exclusive"; 2]);
        let mut of_stamps = told_live(jdk, "stamped");
        let found = &mut of_stamps;
        let mut modes = modes(found);
        modes.sort_unstable();
        assert_eq!(modes, ["exclusive", "shared"], "{found:#}");
    }
}

#[test]
fn a_wait_takes_its_lock_back_inside_others() {
    for jdk in jdks() {
        told_live(jdk, "waits");
    }
}

#[test]
fn locks_of_the_programs_own_are_followed() {
    for jdk in jdks() {
        let found = told_live(jdk, "own");
        assert!(found.to_string().contains("Guarded"), "{found:#}");
    }
}

#[test]
fn what_gets_stuck_at_the_first_meeting_is_told() {
    for jdk in jdks() {
        let found = told_live(jdk, "stuck");
        assert_eq!(found["deadlocks"].as_array().unwrap().len(), 1, "{found:#}");
        let found = told_live(jdk, "upgrade");
        assert!(found.to_string().contains("upgrade"), "{found:#}");
    }
}

#[test]
fn what_looks_like_a_cycle_of_locks_and_is_none_is_not_told() {
    for jdk in jdks() {
        for what in ["readers", "gate", "tried", "alone"] {
            let said = from_start(jdk, what, 0);
            assert!(!said.contains("new cycle"), "{said}");
            // Who only tries wants nothing.
            let tried = what == "tried";
            assert!(tried || said.contains("new dependency: "), "{said}");
        }
    }
}

#[test]
fn a_started_program_is_guarded_from_its_start_with_its_locks() {
    for jdk in jdks() {
        for what in ["locks", "monitor", "own", "stamped", "writers", "waits"] {
            let said = from_start(jdk, what, 1);
            assert!(said.contains("new cycle: POTENTIAL DEADLOCK D"), "{said}");
        }
    }
}

/// Who only wants to know is not asked, and nothing is changed.
#[test]
fn it_is_said_which_classes_would_be_rewritten() {
    let target = Subject::start(jdk(), &["Guarded", "locks"]);
    let word = target.word();
    let dry = run(&["guard", &word, "--all-app", "--juc", "--dry-run"]).ended_with(0);
    dry.printed("java.util.concurrent.locks.ReentrantLock\n")
        .printed("Guarded\n")
        .printed("Nothing was changed");
    run(&["guard", &word, "--juc", "--no-rewrite"])
        .ended_with(2)
        .said("--no-rewrite forbids");
    assert!(!target.has_our_thread());
}
