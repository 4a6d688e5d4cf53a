//! From a recording to its report, in every form.

use crate::rig::{Running, Subject, jdk, jdks, locklens, run};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::OnceLock;

/// One recording for all tests here.
fn trace() -> &'static str {
    static TRACE: OnceLock<String> = OnceLock::new();
    TRACE.get_or_init(|| {
        let target = Subject::start(jdk(), &["Quarrel"]);
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join("analysis.llt")
            .to_string_lossy()
            .into_owned();
        run(&["record", &target.word(), "-d", "1s", "-o", &path]).ended_with(0);
        path
    })
}

fn json(words: &[&str]) -> Value {
    let ran = run(words).ended_with(0);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:#?}"))
}

#[test]
fn the_report_names_the_lock_in_80_columns() {
    let ran = run(&["report", trace()]).ended_with(0).printed("Quarrel");
    assert!(
        ran.stdout.lines().all(|line| line.chars().count() <= 80),
        "{ran:#?}"
    );
}

#[test]
fn the_report_as_json_has_the_documented_shape() {
    let report = json(&["report", "--json", trace()]);
    assert_eq!(report["schema"], 1);
    assert!(report["recording"]["duration_ns"].as_u64() >= Some(500_000_000));
    assert_eq!(report["recording"]["exact"], false);
    let lock = &report["locks"][0];
    assert_eq!(lock["classes"][0], "java.lang.Object");
    assert_eq!(lock["threads"], 4);
    assert_eq!(lock["locked"], Value::Null);
    assert!(lock["blocked"].as_u64() > Some(10));
    assert_eq!(lock["regions"][0]["method"], "quarrel");
    assert!(lock["types"][0]["confidence"].is_number());
}

#[test]
fn threads_that_waited_before_the_recording_are_told() {
    for jdk in jdks() {
        let target = Subject::start(jdk, &["Sleepers"]);
        let trace = target.trace().to_string_lossy().into_owned();
        run(&["record", &target.word(), "-d", "2s", "-o", &trace]).ended_with(0);
        let report = json(&["report", "--json", &trace]);
        let lock = &report["locks"][0];
        assert_eq!(lock["still_waiting"], 3, "JDK {}: {report:#}", jdk.major);
        assert_eq!(lock["regions"][0]["method"], "sleep", "{report:#}");
        assert!(lock["wait_ns"].as_u64() > Some(3_000_000_000), "{report:#}");
        assert_eq!(report["deadlocks"], Value::Array(Vec::new()));
        run(&["events", &trace, "1"])
            .ended_with(0)
            .printed("since before the recording, with a time-out");
    }
}

#[test]
fn the_same_trace_gives_the_same_bytes() {
    for words in [
        &["report", trace()][..],
        &["report", "--json", trace()],
        &["events", trace()],
        &["show", trace(), "1"],
    ] {
        assert_eq!(
            run(words).ended_with(0).stdout,
            run(words).ended_with(0).stdout,
            "{words:?}"
        );
    }
}

#[test]
fn chosen_names_are_written_as_trace_reads_them() {
    let report = json(&["report", "--json", "--all", trace()]);
    let lock = &report["locks"][0];
    let name = lock["name"].as_str().unwrap();
    let lock_type = lock["types"][0]["type"].as_str().unwrap();
    let chosen = |wishes: &str| run(&["report", trace(), "--select", wishes]).ended_with(0);
    for wishes in ["*Quarrel*", "*", &lock_type.to_lowercase(), name] {
        let names = chosen(wishes).stdout;
        assert!(names.lines().any(|line| line == name), "{wishes}: {names}");
    }
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("chosen.txt");
    let file = file.to_str().unwrap();
    let ran = run(&["report", trace(), "--select", name, "-o", file]).ended_with(0);
    assert_eq!(ran.stdout, "");
    assert_eq!(fs::read_to_string(file).unwrap(), chosen(name).stdout);
    let ran = run(&["report", trace(), "--select", "*Quarrel*|nothing"])
        .ended_with(0)
        .said("no lock is a \"nothing\" or called so: the others are chosen");
    assert_eq!(ran.stdout, chosen("*Quarrel*").stdout);
    run(&["report", trace(), "--select", "nothing"])
        .ended_with(2)
        .said("nothing");
}

#[test]
fn csv_has_a_row_for_every_lock() {
    let rows = run(&["report", "--csv", trace()])
        .ended_with(0)
        .stdout
        .lines()
        .count();
    let locks = json(&["report", "--json", trace()])["locks"]
        .as_array()
        .unwrap()
        .len();
    assert_eq!(rows, locks + 1);
}

#[test]
fn one_lock_in_full_by_number_and_by_name() {
    let by_number = run(&["show", trace(), "1"])
        .ended_with(0)
        .printed("Quarrel.quarrel");
    assert_eq!(
        run(&["show", trace(), "Quarrel"]).ended_with(0).stdout,
        by_number.stdout
    );
    assert_eq!(json(&["show", "--json", trace(), "1"])["locks"][0]["id"], 1);
    let place = run(&["show", trace(), "Quarrel.quarrel"]).ended_with(0);
    assert_eq!(place.stdout, by_number.stdout, "as the table prints it");
    run(&["show", trace(), ""]).ended_with(2);
    run(&["show", trace(), "no such lock"])
        .ended_with(2)
        .said("locklens report");
}

#[test]
fn a_history_has_what_was_reported_and_marks_what_was_not() {
    let events = json(&["events", "--json", trace(), "1"]);
    let events = events["events"].as_array().unwrap();
    let inferred = events
        .iter()
        .filter(|event| event["inferred"] == true)
        .count();
    let raw = json(&["events", "--json", "--raw", trace(), "1"]);
    let raw = raw["events"].as_array().unwrap();
    assert!(inferred > 0, "no EXIT was inferred");
    assert!(raw.iter().all(|event| event["inferred"] == false));
    assert_eq!(events.len() - inferred, raw.len());
    let of_lock = |event: &Value| event["lock"] == 1 && event["object"].as_u64() > Some(0);
    assert!(
        events.iter().chain(raw).all(of_lock),
        "object, and lock of the report"
    );
    assert!(raw.iter().any(|event| event["thread"] == "dog-0"));
}

#[test]
fn a_reader_that_has_seen_enough_ends_it_quietly() {
    let mut command = locklens();
    command
        .args(["events", "--raw", trace()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn an_output_that_is_full_is_said() {
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = locklens()
        .args(["report", trace()])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn a_bare_target_is_recorded_and_reported_on() {
    for jdk in jdks() {
        let target = Subject::start(jdk, &["Quarrel"]);
        let folder = crate::rig::scratch("watched");
        fs::create_dir_all(&folder).unwrap();
        let mut command = locklens();
        command
            .args([&target.word(), "-d", "1s"])
            .current_dir(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Running(command.spawn().unwrap())
            .wait()
            .ended_with(0)
            .printed("Quarrel")
            .said(".llt");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "the trace stays");
        fs::remove_dir_all(folder).unwrap();
    }
}
