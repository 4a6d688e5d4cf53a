//! `--max-overhead`: what is given up, that it is said, and that the trace is as good as can be.

use crate::rig::{Ran, Running, Subject, compile, eventually, jdk, jdks, run, scratch, signal};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A program that does nothing but wait, notify, and block on locks whose holders wait: 100,000 times a second and more.
fn storm() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let out = scratch("storm");
        std::fs::create_dir_all(&out).unwrap();
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testapps/bench/Contention.java");
        compile(&[source], &out);
        out
    })
}

const STORM: [&str; 7] = ["Contention", "600", "2", "0", "0", "0", "4"];

fn report(trace: &Path) -> Value {
    let ran = run(&["report", "--json", &trace.to_string_lossy()]).ended_with(0);
    serde_json::from_str(&ran.stdout).expect("JSON")
}

/// Records until events have been switched off and on again.
fn storm_recorded(target: &Subject) -> Ran {
    let trace = target.trace();
    let name = trace.to_string_lossy();
    let word = target.word();
    let running = Running::start(&[
        "record",
        &word,
        "--max-overhead",
        "1%",
        "-d",
        "0",
        "-o",
        &name,
    ]);
    eventually("events were off for a while", || {
        // At first there is nothing in the file.
        let ran = run(&["info", "--json", &name]);
        let info = serde_json::from_str::<Value>(&ran.stdout).unwrap_or_default();
        info["paused_ns"].as_u64() > Some(1_000_000_000)
    });
    signal(running.pid(), "INT");
    running.wait().ended_with(0)
}

#[test]
fn a_storm_is_recorded_in_slices_and_all_is_said() {
    for jdk in jdks() {
        let target = Subject::start_in(jdk, storm(), &STORM);
        let ran = storm_recorded(&target);
        ran.printed("Given up, to cost no more: ")
            .printed("time slices");
        let report = report(target.trace());
        let recording = &report["recording"];
        let about = format!("JDK {}: {recording}", jdk.major);
        assert_eq!(recording["ended"], true, "{about}");
        assert_eq!(recording["gaps"], 0, "{about}");
        assert!(
            recording["paused_ns"].as_u64() > Some(1_000_000_000),
            "{about}"
        );
        assert!(
            recording["cost"]["given_up"]
                .as_array()
                .is_some_and(|steps| !steps.is_empty()),
            "{about}"
        );
        // What there is of it still shows what its locks are.
        let types = report["locks"].as_array().expect("locks");
        let named = types.iter().filter(|lock| {
            lock["types"]
                .as_array()
                .is_some_and(|types| !types.is_empty())
        });
        assert!(named.count() >= 1, "{about}");
        let text = run(&["report", &target.trace().to_string_lossy()]).ended_with(0);
        text.printed("watched in slices")
            .printed("SAMPLED: ")
            .printed("Given up");
    }
}

#[test]
fn a_quiet_program_gives_nothing_up() {
    for jdk in jdks() {
        let target = Subject::start(jdk, &["Sleepers"]);
        let trace = target.trace().to_string_lossy().into_owned();
        let word = target.word();
        let ran = run(&[
            "record",
            &word,
            "--max-overhead",
            "1%",
            "-d",
            "3s",
            "-o",
            &trace,
        ])
        .ended_with(0);
        assert!(
            !ran.stdout.contains("Given up"),
            "JDK {}: {}",
            jdk.major,
            ran.stdout
        );
        let recording = &report(target.trace())["recording"];
        assert_eq!(
            recording["cost"]["given_up"],
            serde_json::json!([]),
            "JDK {}",
            jdk.major
        );
        assert_eq!(recording["paused_ns"], 0);
        assert_eq!(recording["cost"]["most"], 0.01);
    }
}

#[test]
fn what_it_cost_is_said_without_a_limit_too() {
    let target = Subject::start(jdk(), &["Quarrel"]);
    let trace = target.trace().to_string_lossy().into_owned();
    let ran = run(&["record", &target.word(), "-d", "1s", "-o", &trace]).ended_with(0);
    ran.printed("Cost: ");
    let recording = &report(target.trace())["recording"];
    assert!(
        recording["cost"]["events_ns"].as_u64() > Some(0),
        "{recording}"
    );
    assert_eq!(recording["cost"]["most"], Value::Null);
    let text = run(&["info", &trace]).ended_with(0);
    text.printed("agent thread");
}

#[test]
fn a_limit_that_cannot_be_kept_is_refused() {
    for limit in ["0.01%", "101%", "little"] {
        run(&["record", "1", "--max-overhead", limit])
            .ended_with(2)
            .said("--max-overhead");
    }
    run(&["record", "1", "--max-overhead", "1%", "--exact"])
        .ended_with(2)
        .said("--exact");
    run(&["trace", "1", "--all-app", "--max-overhead", "1%"])
        .ended_with(2)
        .said("an exact one has every event");
}
