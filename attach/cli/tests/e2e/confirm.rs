//! A potential deadlock judged again by what threads read and wrote: programs that say themselves what comes of it
//! (`// @confirms …` in `testapps/deadlock`).

use crate::deadlocks::{classes, parsed, recorded, sources, tagged};
use crate::rig::{Jdk, Ran, jdks, run, scratch};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The id of the one finding of a recording.
fn id(trace: &Path) -> String {
    let report = parsed(&run(&["deadlocks", &trace.to_string_lossy(), "--json"]));
    report["deadlocks"][0]["id"].as_str().unwrap().to_owned()
}

/// Judges that finding again; the second recording is kept.
fn confirmed(jdk: &Jdk, words: &[&str], first: &Path, second: &Path) -> Ran {
    let (java, classes) = (jdk.java(), classes().to_string_lossy());
    let (first, second, id) = (first.to_string_lossy(), second.to_string_lossy(), id(first));
    let java = java.to_string_lossy();
    let mut command = vec![
        "confirm",
        &first,
        &id,
        "--json",
        "-o",
        &second,
        "--",
        &java,
        "-Xmx64m",
        "-Xverify:all",
        "-cp",
        &classes,
    ];
    command.extend(words);
    run(&command)
}

/// The same, again where accesses came too late to be judged: a crowded machine keeps threads from telling in time, and the
/// verdict says so.
fn confirmed_in_time(jdk: &Jdk, app: &str, first: &Path, second: &Path) -> Ran {
    const TRIES: usize = 5;
    for _ in 1..TRIES {
        let ran = confirmed(jdk, &[app], first, second);
        let why = parsed(&ran)["why"][0].clone();
        if !why
            .as_str()
            .is_some_and(|why| why.contains("came too late"))
        {
            return ran;
        }
        fs::remove_file(second).unwrap();
    }
    confirmed(jdk, &[app], first, second)
}

/// What the second recording says by itself: the tier, and what memory says of it.
fn by_itself(trace: &Path) -> [Value; 2] {
    let report = parsed(&run(&["deadlocks", &trace.to_string_lossy(), "--json"]));
    ["tier", "memory"].map(|key| report["deadlocks"][0][key].clone())
}

#[test]
fn what_a_program_says_of_its_deadlock_comes_out_when_it_is_judged_again() {
    let mut judged = 0;
    for jdk in jdks() {
        for source in sources() {
            let Some(expected) = tagged(&source, "confirms") else {
                continue;
            };
            let app = source.file_stem().unwrap().to_string_lossy().into_owned();
            let first = recorded(jdk, &app);
            let second = scratch(&format!("confirm-{}-{app}.llt", jdk.major));
            let ran = confirmed_in_time(jdk, &app, &first, &second);
            let context = format!("{app} on JDK {}: {ran:#?}", jdk.major);
            let report = parsed(&ran);
            assert_eq!(report["verdict"], expected[0], "{context}");
            assert_eq!(report["before"], "T3", "{context}");
            assert_eq!(report["after"], "T3", "{context}");
            assert_eq!(ran.status, Some(1), "{context}");
            let known = match expected[0].as_str() {
                "ordered-in-this-run" => Value::from("orders"),
                "stands" => Value::Null,
                _ => Value::from("permits"),
            };
            assert_eq!(by_itself(&second), [Value::from("T3"), known], "{context}");
            let why = report["why"][0].as_str().unwrap();
            assert!(
                expected.iter().skip(1).all(|word| why.contains(word)),
                "{context}"
            );
            judged += 1;
            let _ = (fs::remove_file(first), fs::remove_file(second));
        }
    }
    assert!(judged >= 5 * jdks().len());
}

#[test]
fn where_one_thread_does_it_all_the_deadlock_was_not_seen_again() {
    let jdk = &jdks()[0];
    let first = recorded(jdk, "LonelyLedgers");
    let second = scratch("confirm-alone.llt");
    let ran = confirmed(jdk, &["-Dalone=true", "LonelyLedgers"], &first, &second).ended_with(1);
    let report = parsed(&ran);
    assert_eq!(report["verdict"], "not-seen", "{ran:#?}");
    assert_eq!(report["after"], "T3", "{ran:#?}");
    let _ = (fs::remove_file(first), fs::remove_file(second));
}

#[test]
fn what_cannot_be_judged_again_is_refused() {
    let jdk = &jdks()[0];
    let trace = recorded(jdk, "GatedLedgers");
    let file = trace.to_string_lossy();
    let report = parsed(&run(&["deadlocks", &file, "--json"]));
    let gone = report["excluded"][0]["id"].as_str().unwrap();
    run(&["confirm", &file, gone, "--", "java"])
        .ended_with(2)
        .said("excluded already");
    run(&["confirm", &file, "D0", "--", "java"])
        .ended_with(2)
        .said("no potential deadlock has the id");
    run(&["confirm", &file, gone]).ended_with(2);
    run(&["confirm", &file, gone, "--force", "-o", &file, "--", "java"])
        .ended_with(2)
        .said("is the first recording");
    run(&["confirm", &file, gone, "--redact", "--", "java"])
        .ended_with(2)
        .said("redacted");
    let _ = fs::remove_file(trace);
}

#[test]
fn where_threads_read_nothing_between_their_locks_the_finding_says_what_memory_can_still_decide() {
    let jdk = &jdks()[0];
    for (app, says) in [("UnseenLedgers", true), ("FlaggedLedgers", false)] {
        let trace = recorded(jdk, app);
        let report = parsed(&run(&["deadlocks", &trace.to_string_lossy(), "--json"]));
        let remarks = report["deadlocks"][0]["remarks"].as_array().unwrap();
        let said = remarks.iter().any(|remark| {
            let remark = remark.as_str().unwrap();
            remark.contains("only before they take the first")
        });
        assert_eq!(said, says, "{app}: {remarks:#?}");
        assert_eq!(report["deadlocks"][0]["tier"], "T3", "{app}");
        let _ = fs::remove_file(trace);
    }
}
