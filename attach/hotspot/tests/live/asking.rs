//! Every command of the protocol, on every JDK.

use locklens_hotspot::{AttachError, Door, LoadOutcome, RequestError, load_outcome, open};

use crate::jdk::{self, programs};
use crate::subject::{LIMIT, Scratch, Subject};

fn asked(door: &Door, command: &str, args: &[&str]) -> (i32, String) {
    let reply = door
        .execute(command, args)
        .unwrap_or_else(|e| panic!("{command} {args:?}: {e}"));
    (
        reply.status,
        String::from_utf8_lossy(&reply.text).into_owned(),
    )
}

#[test]
fn every_command_is_answered() {
    let scratch = Scratch::new("dump");
    for jdk in jdk::all() {
        let mut subject = Subject::start(jdk, &["-Dthe.key=the value"]);
        let door =
            open(&subject.jvm(), LIMIT).unwrap_or_else(|e| panic!("{}: {e}", jdk.home.display()));
        let dump = scratch.file(&format!("{}.hprof", jdk.feature()));
        let questions: &[(&str, &[&str], i32, &str)] = &[
            ("threaddump", &[], 0, "Full thread dump"),
            ("properties", &[], 0, "the.key=the value"),
            (
                "agentProperties",
                &[],
                0,
                "sun.java.command=acme.Subject a b c",
            ),
            ("inspectheap", &[], 0, "java.lang.String"),
            ("printflag", &["MaxHeapSize"], 0, "67108864"),
            ("setflag", &["HeapDumpOnOutOfMemoryError", "1"], 0, ""),
            (
                "printflag",
                &["HeapDumpOnOutOfMemoryError"],
                0,
                "+HeapDumpOnOutOfMemoryError",
            ),
            ("jcmd", &["VM.version"], 0, "JDK"),
            ("jcmd", &["help", "Thread.print"], 0, "Thread.print"),
            ("dumpheap", &[&dump, "-live"], 0, ""),
        ];
        for (command, args, status, text) in questions {
            let answer = asked(&door, command, args);
            let fits = answer.0 == *status && answer.1.contains(text);
            assert!(
                fits,
                "{}: {command} {args:?} gave {answer:?}",
                jdk.home.display()
            );
        }
        assert!(std::fs::metadata(&dump).expect("a heap dump").len() > 1000);
        assert_ne!(asked(&door, "nonsense", &[]).0, 0);
        assert_ne!(asked(&door, "setflag", &["MaxHeapSize", "1"]).0, 0);
        subject.assert_well();
    }
}

#[test]
fn datadump_goes_to_the_targets_own_output() {
    let subject = Subject::start(jdk::any(), &[]);
    let door = open(&subject.jvm(), LIMIT).expect("open");
    assert_eq!(asked(&door, "datadump", &[]).0, 0);
    subject.wait_for("Full thread dump");
}

#[test]
fn what_became_of_a_load_is_told() {
    for jdk in jdk::all() {
        let mut subject = Subject::start(jdk, &[]);
        let door = open(&subject.jvm(), LIMIT).expect("open");
        let load = |args: &[&str]| load_outcome(&door.execute("load", args).expect("an answer"));
        let jar = programs().jar.to_str().expect("printable");
        assert_eq!(
            load(&["instrument", "false", &format!("{jar}=one")]),
            LoadOutcome::Loaded
        );
        subject.wait_for("agent one");
        let refused = load(&["instrument", "false", "/nonexistent.jar"]);
        assert!(
            matches!(refused, LoadOutcome::AgentRefused { .. }),
            "{refused:?}"
        );
        let missing = load(&["/nonexistent.so", "true", ""]);
        assert!(
            matches!(missing, LoadOutcome::NotLoaded { .. }),
            "{missing:?}"
        );
        subject.assert_well();
    }
}

#[test]
fn dynamic_loading_switched_off_is_told() {
    for jdk in jdk::all().iter().filter(|jdk| jdk.feature() >= 9) {
        let subject = Subject::start(jdk, &["-XX:-EnableDynamicAgentLoading"]);
        let door = open(&subject.jvm(), LIMIT).expect("open");
        let reply = door
            .execute("load", &["/nonexistent.so", "true", ""])
            .expect("an answer");
        assert_eq!(
            load_outcome(&reply),
            LoadOutcome::DynamicLoadingDisabled,
            "{}",
            jdk.home.display()
        );
    }
}

#[test]
fn a_long_answer_is_passed_on_and_a_failing_sink_is_our_own_fault() {
    let subject = Subject::start(jdk::any(), &[]);
    let door = open(&subject.jvm(), LIMIT).expect("open");
    let mut text = Vec::new();
    assert_eq!(
        door.execute_streaming("inspectheap", &["-all"], &mut text)
            .expect("an answer"),
        0
    );
    assert!(text.len() > 10_000, "{} bytes", text.len());
    let mut full = &mut [0u8; 3][..];
    let error = door
        .execute_streaming("properties", &[], &mut full)
        .expect_err("no room");
    assert!(matches!(error, AttachError::Io { .. }), "{error}");
    assert_eq!(
        asked(&door, "properties", &[]).0,
        0,
        "the next question is answered"
    );
}

#[test]
fn what_the_jvm_would_cut_or_complain_about_is_not_sent() {
    let subject = Subject::start(jdk::any(), &[]);
    let door = open(&subject.jvm(), LIMIT).expect("open");
    let error = door
        .execute("load", &[&"x".repeat(1025)])
        .expect_err("too long");
    assert!(
        matches!(error, AttachError::BadRequest(RequestError::TooLong { .. })),
        "{error}"
    );
    assert_eq!(
        asked(&door, "load", &[&"x".repeat(1024), "true"])
            .1
            .matches("not loaded")
            .count(),
        1
    );
}

#[test]
fn many_doors_at_once() {
    let mut subject = Subject::start(jdk::any(), &[]);
    let jvm = subject.jvm();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let door = open(&jvm, LIMIT).expect("open");
                assert_eq!(asked(&door, "jcmd", &["VM.version"]).0, 0);
            });
        }
    });
    assert_eq!(subject.count("Full thread dump"), 0);
    subject.assert_well();
}
