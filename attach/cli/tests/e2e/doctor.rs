//! `locklens doctor`: what is said beforehand is what then happens.

use crate::rig::{Running, Subject, eventually, executable, jdk, jdks, run, signal};
use serde_json::Value;

/// What is said of a JVM, as JSON, and the status.
fn examined(subject: &Subject, status: i32) -> Value {
    let ran = run(&["doctor", &subject.word(), "--json"]).ended_with(status);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// How a check came out.
fn state<'a>(doc: &'a Value, name: &str) -> &'a str {
    let checks = doc["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["name"] == name);
    check.unwrap_or_else(|| panic!("{name}: {doc:#}"))["state"]
        .as_str()
        .unwrap()
}

#[test]
fn a_usual_jvm_can_be_watched_and_nothing_is_loaded() {
    for jdk in jdks() {
        let subject = Subject::start(jdk, &["Idle"]);
        let doc = examined(&subject, 0);
        assert_eq!(doc["schema"], 1);
        assert_eq!(doc["watch"], true, "{doc:#}");
        let kind = if jdk.major < 23 { "flush" } else { "cheap" };
        assert_eq!(doc["exact"]["kind"], kind, "{doc:#}");
        assert_eq!(state(&doc, "attach"), "ok");
        assert_eq!(state(&doc, "files"), "ok");
        assert_eq!(state(&doc, "recorder"), "ok");
        let warns = if jdk.major < 21 { "ok" } else { "note" };
        assert_eq!(state(&doc, "agents"), warns, "{doc:#}");
        run(&["doctor", &subject.word()])
            .ended_with(0)
            .printed("It can be watched")
            .printed(kind);
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", subject.pid())).unwrap();
        assert!(!maps.contains("liblocklens"), "something was loaded");
    }
}

#[test]
fn without_a_jvm_it_tells_of_the_machine() {
    let _subject = Subject::start(jdk(), &["Idle"]);
    let ran = run(&["doctor", "--json"]).ended_with(0);
    let doc: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (&doc["watch"], &doc["target"]),
        (&true.into(), &Value::Null)
    );
    assert_eq!(state(&doc, "jvms"), "ok", "{doc:#}");
    run(&["doctor"])
        .ended_with(0)
        .printed("Nothing here is in the way");
}

/// A pid namespace of its own without its own /proc: what is there is of other processes.
#[test]
fn what_keeps_every_jvm_from_being_watched_is_said_with_status_3() {
    let mut command = std::process::Command::new("unshare");
    command
        .args(["--pid", "--fork", "--kill-child"])
        .arg(executable())
        .arg("doctor");
    let ran = command.output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    if said.contains("unshare:") {
        eprintln!("skipped: {said}");
        return;
    }
    let printed = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(ran.status.code(), Some(3), "{printed}{said}");
    assert!(printed.contains("another pid namespace"), "{printed}");
    assert!(
        printed.contains("no JVM can be watched from here"),
        "{printed}"
    );
}

#[test]
fn what_would_fail_is_said_with_status_3() {
    for (option, check) in [
        ("-XX:+DisableAttachMechanism", "attach"),
        ("-XX:-EnableDynamicAgentLoading", "agents"),
    ] {
        let jdk = jdks().iter().max_by_key(|jdk| jdk.major).unwrap();
        let subject = Subject::start(jdk, &[option, "Idle"]);
        let doc = examined(&subject, 3);
        assert_eq!(doc["watch"], false, "{doc:#}");
        assert_eq!(state(&doc, check), "no", "{doc:#}");
        run(&["doctor", &subject.word()]).ended_with(3).printed(
            option
                .trim_start_matches("-XX:")
                .trim_start_matches(['+', '-']),
        );
    }
}

#[test]
fn a_stopped_jvm_does_not_answer() {
    let subject = Subject::start(jdk(), &["Idle"]);
    // Its socket is there: it listens, and will not answer.
    examined(&subject, 0);
    signal(subject.pid(), "STOP");
    let doc = examined(&subject, 3);
    signal(subject.pid(), "CONT");
    assert_eq!(state(&doc, "attach"), "no", "{doc:#}");
    assert_eq!(doc["watch"], false);
    eventually("it answers again", || {
        run(&["doctor", &subject.word()])
            .stdout
            .contains("It can be watched")
    });
}

#[test]
fn a_recording_that_goes_on_is_seen() {
    let subject = Subject::start(jdk(), &["Idle"]);
    let file = subject.trace().to_string_lossy().into_owned();
    let recording = Running::start(&["record", &subject.word(), "-d", "0", "-o", &file]);
    eventually("the recording is seen", || {
        state(&examined(&subject, 0), "recorder") == "note"
    });
    signal(recording.pid(), "INT");
    recording.wait().ended_with(0);
    eventually("the agent has gone", || {
        state(&examined(&subject, 0), "recorder") == "ok"
    });
    let _ = std::fs::remove_file(file);
}
