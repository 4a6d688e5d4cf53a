//! `locklens trace` of programs that use locks in code which is not rewritten.

use crate::rig::{Jdk, Ran, classes, info, jdks, run, scratch};
use serde_json::Value;
use std::fs;

/// What a subject of ours did, traced from its start.
struct Traced {
    books: String,
    report: Value,
    text: Ran,
    graph: Ran,
    info: Value,
    context: String,
}

impl Traced {
    fn of(jdk: &Jdk, how: &str) -> Self {
        let file = scratch("left.llt");
        let trace = file.to_string_lossy();
        let (java, folder) = (jdk.java(), classes());
        let (java, folder) = (java.to_string_lossy(), folder.to_string_lossy());
        let words = ["trace", "--all-app", "-o", &trace, "--", &java];
        let words = [&words[..], &["-cp", &folder, "LeftOut", how]].concat();
        let books = run(&words).ended_with(0).stdout;
        let report = run(&["report", &trace, "--json", "--all"]).ended_with(0);
        let traced = Self {
            books,
            report: serde_json::from_str(&report.stdout).unwrap(),
            text: run(&["report", &trace, "--all"]).ended_with(0),
            info: info(&file),
            graph: run(&["graph", &trace]).ended_with(0),
            context: format!("JDK {}, {how}: {:#}", jdk.major, report.stdout),
        };
        fs::remove_file(file).unwrap();
        traced
    }

    fn lock(&self) -> &Value {
        self.lock_of("LeftOut$Lock")
    }

    fn lock_of(&self, class: &str) -> &Value {
        let mut locks = self.report["locks"].as_array().unwrap().iter();
        let is_one = |lock: &&Value| lock["classes"][0] == class;
        locks.find(is_one).expect("it was used")
    }

    fn why_incomplete(&self) -> String {
        self.report["recording"]["incomplete"].to_string()
    }
}

#[test]
fn code_that_uses_locks_and_was_left_out_is_told_where_the_figures_are() {
    for jdk in jdks() {
        for (how, code) in [
            ("native", "LeftOut$Native.lock()V: it is native"),
            ("reference", "LeftOut$$Lambda"),
            ("nameless", "LeftOut$Nameless: it is defined without a name"),
        ] {
            let traced = Traced::of(jdk, how);
            let (lock, context) = (traced.lock(), &traced.context);
            assert!(traced.why_incomplete().contains(code), "{context}");
            assert_eq!(lock["locked"], Value::Null, "{context}");
            assert!(lock["locked_at_least"].as_u64() > Some(0), "{context}");
            assert_ne!(lock["types"][0]["type"], "NOT-SHARED", "{context}");
            assert!(
                traced.text.stdout.contains("exact, incomplete"),
                "{context}"
            );
            let said = "Not every acquisition is in this recording";
            assert!(traced.graph.stdout.contains(said), "{context}");
        }
    }
}

/// What neither locks nor waits nor notifies may be left out: nothing is missing for it.
#[test]
fn code_without_locks_that_was_left_out_makes_no_recording_incomplete() {
    for jdk in jdks() {
        for how in ["nothing", "shallow"] {
            let traced = Traced::of(jdk, how);
            let (lock, context) = (traced.lock(), &traced.context);
            assert_eq!(traced.why_incomplete(), "[]", "{context}");
            assert_eq!(lock["locked"], 1, "{context}");
            assert_eq!(lock["types"][0]["type"], "NOT-SHARED", "{context}");
            assert_eq!(traced.books, "entered 1 waits 0 notifies 0\n");
        }
    }
}

/// By a method reference or by reflection: the JVM tells of the waits, and of the notifies nobody does.
#[test]
fn waits_that_no_probe_sees_count_and_say_that_notifies_are_missing() {
    for jdk in jdks() {
        for how in ["reference", "reflection"] {
            let traced = Traced::of(jdk, how);
            let (lock, context) = (traced.lock(), &traced.context);
            let books = traced.books.split_whitespace();
            let mut books = books.filter_map(|word| word.parse::<u64>().ok());
            let [entered, waits] = [(); 2].map(|()| books.next().expect("books"));
            assert_eq!(lock["waits"], waits, "{context}");
            assert!(
                lock["locked_at_least"].as_u64() <= Some(entered),
                "{context}"
            );
            let why = traced.why_incomplete();
            assert!(
                why.contains("waited on in ways that no probe sees"),
                "{context}"
            );
            let types = lock["types"].as_array().unwrap().iter();
            let runners_up = lock["runners_up"].as_array().into_iter().flatten();
            for verdict in types.chain(runners_up) {
                let plain = ["MUTEX", "NOT-SHARED"].map(Value::from);
                assert!(!plain.contains(&verdict["type"]), "{context}");
                let text = verdict.to_string();
                assert!(!text.contains("no region of it waits"), "{context}");
                assert!(!text.contains("nobody notifies it"), "{context}");
            }
        }
    }
}

#[test]
fn waits_and_notifies_by_who_does_not_hold_the_lock_are_none() {
    for jdk in jdks() {
        let traced = Traced::of(jdk, "thrown");
        let (lock, context) = (traced.lock_of("LeftOut$Vain"), &traced.context);
        assert_eq!(traced.why_incomplete(), "[]", "{context}");
        let figures = [&lock["locked"], &lock["waits"]].map(Value::as_u64);
        assert_eq!(figures, [Some(11), Some(1)], "{context}");
        let kinds = &traced.info["event_kinds"];
        let count = |kind: &str| kinds[kind]["records"].as_u64().unwrap_or(0);
        let counts = ["WAIT", "INTERRUPTED", "NOTIFY-ALL"].map(count);
        assert_eq!(counts, [1, 0, 1], "{context}: {kinds}");
    }
}
