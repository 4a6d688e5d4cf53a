//! Two recordings held against each other: what the program changed is told, and what it did not is not.

use crate::rig::{Jdk, Subject, compile, jdk, jdks, run, scratch};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testapps/pressure");
        let classes = scratch("diff-classes");
        fs::create_dir_all(&classes).unwrap();
        compile(&[folder.join("PingPong.java")], &classes);
        classes
    })
}

/// Two threads that want one lock all the time, with so many others that don't.
fn recorded(jdk: &Jdk, others: &str, seconds: &str) -> String {
    let subject = Subject::start_in(jdk, classes(), &["PingPong", "600", others]);
    let trace = scratch("diff.llt");
    let path = trace.to_string_lossy().into_owned();
    run(&["record", &subject.word(), "-d", seconds, "-o", &path]).ended_with(0);
    path
}

fn compared(a: &str, b: &str) -> Value {
    let ran = run(&["diff", a, b, "--json"]).ended_with(0);
    serde_json::from_str(&ran.stdout).unwrap()
}

fn table(document: &Value) -> &Value {
    let locks = document["locks"].as_array().unwrap();
    let named = |lock: &&Value| lock["name"].as_str().unwrap().starts_with("PingPong");
    locks.iter().find(named).unwrap()
}

/// Pressure falls from a half to a tenth with eight more threads; time blocked a second stays what it was.
#[test]
fn pressure_is_less_where_more_threads_run_and_mirrored_the_other_way_round() {
    for jdk in jdks() {
        let (alone, crowded) = (recorded(jdk, "0", "3s"), recorded(jdk, "8", "3s"));
        let there = compared(&alone, &crowded);
        let lock = table(&there);
        assert_eq!(lock["status"], "both");
        let pressure = &lock["pressure_percent"];
        assert_eq!(pressure["verdict"], "less", "{}: {lock}", jdk.major);
        let value = |side: &str| pressure[side]["value"].as_f64().unwrap();
        assert!(
            (value("a") - 50.0).abs() < 5.0 && (value("b") - 10.0).abs() < 3.0,
            "{lock}"
        );
        let within = |side: &str| {
            let of = &pressure[side];
            of["low"].as_f64() <= of["value"].as_f64()
                && of["value"].as_f64() <= of["high"].as_f64()
        };
        assert!(within("a") && within("b"), "{lock}");
        let back = compared(&crowded, &alone);
        assert_eq!(table(&back)["pressure_percent"]["verdict"], "more");
        assert_eq!(table(&back)["pressure_percent"]["a"], pressure["b"]);
        let same = compared(&alone, &alone);
        for lock in same["locks"].as_array().unwrap() {
            assert_eq!(lock["verdict"], "no difference shown", "{lock}");
            assert_eq!(lock["types_changed"], false);
        }
    }
}

#[test]
fn it_is_told_in_every_form_and_bad_input_is_refused() {
    let (a, b) = (recorded(jdk(), "0", "2s"), recorded(jdk(), "8", "2s"));
    run(&["diff", &a, &b])
        .ended_with(0)
        .printed("LESS")
        .printed("PingPong")
        .printed("A has ");
    run(&["diff", &a, &a, "--all"])
        .ended_with(0)
        .printed("No difference shown")
        .printed("PingPong");
    let page = scratch("diff.html");
    let page = page.to_str().unwrap();
    run(&["diff", &a, &b, "--html", page]).ended_with(0);
    let text = fs::read_to_string(page).unwrap();
    assert!(text.contains("default-src 'none'") && text.contains("PingPong"));
    // An earlier page gives way to the next, a recording to nothing.
    run(&["diff", &a, &b, "--html", page]).ended_with(0);
    let input = run(&["diff", &a, &b, "--html", &b]);
    input.ended_with(2).said("is what is read");
    run(&["diff", &a, "/nowhere.llt"])
        .ended_with(2)
        .said("can't read");
    run(&["diff", &a, page])
        .ended_with(2)
        .said("is not a locklens trace");
    run(&["diff", &a]).ended_with(2).said("<B>");
    run(&["diff", "--help"])
        .ended_with(0)
        .printed("locklens diff before.llt after.llt");
}
