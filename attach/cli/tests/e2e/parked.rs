//! Locks of `java.util.concurrent` in the usual recording, on every JDK.

use crate::rig::{Subject, compile, eventually, jdk, jdks, run, scratch};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Folder with the compiled program.
pub(crate) fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let out = scratch("zoo");
        fs::create_dir_all(&out).unwrap();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testapps/drivers");
        compile(&[folder.join("ConcurrentZoo.java")], &out);
        out
    })
}

pub(crate) fn report(trace: &str) -> Value {
    let ran = run(&["report", "--json", trace]).ended_with(0);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:#?}"))
}

/// The locks of a report that are known by that class.
pub(crate) fn locks<'r>(report: &'r Value, class: &str) -> Vec<&'r Value> {
    let locks = report["locks"].as_array().unwrap();
    let of_class = |lock: &&Value| {
        let name = lock["classes"][0].as_str().unwrap();
        name.rsplit('.').next() == Some(class)
    };
    locks.iter().filter(of_class).collect()
}

type Expected = (&'static str, &'static str, Option<(&'static str, Value)>);

/// The class, the type that all locks of it must have, and a detail that one of them must have.
fn expected() -> [Expected; 16] {
    let with = |key, value: Value| Some((key, value));
    [
        ("ReentrantLock", "LOCK", with("fair", json!(true))),
        ("ReentrantLock", "LOCK", with("fair", json!(false))),
        ("Condition", "CONDITION", None),
        (
            "ReentrantReadWriteLock",
            "READ-WRITE",
            with("fair", json!(false)),
        ),
        ("StampedLock", "READ-WRITE", None),
        ("Semaphore", "SEMAPHORE", with("permits", json!(3))),
        ("CountDownLatch", "LATCH", with("count", json!(2))),
        ("CyclicBarrier", "BARRIER", with("parties", json!(3))),
        ("Phaser", "BARRIER", with("parties", json!(2))),
        ("Exchanger", "BARRIER", with("parties", json!(2))),
        (
            "ArrayBlockingQueue",
            "PRODUCER-CONSUMER",
            with("capacity", json!(4)),
        ),
        (
            "LinkedBlockingQueue",
            "PRODUCER-CONSUMER",
            with("capacity", json!("unbounded")),
        ),
        (
            "SynchronousQueue",
            "PRODUCER-CONSUMER",
            with("capacity", json!(0)),
        ),
        ("FutureTask", "JOIN", None),
        ("ConcurrentZoo$OwnMutex", "LOCK", None),
        ("ConcurrentZoo$OwnGate", "UNKNOWN", None),
    ]
}

fn check(report: &Value, context: &str) {
    for (class, lock_type, detail) in expected() {
        let found = locks(report, class);
        assert!(!found.is_empty(), "{context}: {class} is missing");
        for lock in &found {
            assert_eq!(lock["types"][0]["type"], lock_type, "{context}: {lock:#}");
            assert!(lock["sampled"]["samples"].as_u64() > Some(0), "{context}");
            assert_eq!(lock["blocked_times"]["p99_ns"], Value::Null);
        }
        if let Some((key, value)) = detail {
            let has = |lock: &&Value| lock["types"][0]["detail"][key] == value;
            assert!(
                found.iter().any(has),
                "{context}: {class} {key}: {found:#?}"
            );
        }
    }
    let plain = locks(report, "ReentrantLock");
    let used = plain
        .iter()
        .find(|lock| lock["regions"][0]["method"] == "usePlain");
    let used = used.unwrap_or_else(|| panic!("{context}: no lock used by usePlain"));
    let owner = used["sampled"]["owner_threads"][0]["thread"].as_str();
    assert!(
        owner.is_some_and(|name| name.starts_with("plain-")),
        "{context}: {used:#}"
    );
}

fn check_deadlock(report: &Value, context: &str) {
    let deadlocks = report["deadlocks"].as_array().unwrap();
    let [deadlock] = &deadlocks[..] else {
        panic!("{context}: {deadlocks:#?}");
    };
    let threads = deadlock["threads"].as_array().unwrap();
    let mut names: Vec<_> = threads
        .iter()
        .map(|t| t["thread"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["stuck-left", "stuck-right"], "{context}");
}

/// A report in which each kind is, idle threads of a pool among them, and that says where each plain lock and some lock of each kind
/// with a detail is used: by the place the code is known that has the number. Looks may miss what is short, and to JDK 15 a call
/// chain stops the JVM, so a starved one gives few.
fn placed(subject: &Subject) -> Value {
    let trace = subject.trace().to_string_lossy().into_owned();
    let mut last = Value::Null;
    eventually(
        "each kind is seen, idle threads too, and each lock has a place",
        || {
            let record = ["record", &subject.word(), "-d", "5s", "-o", &trace];
            run(&[&record[..], &["--force"]].concat()).ended_with(0);
            last = report(&trace);
            let has_place = |lock: &&Value| !lock["regions"].as_array().unwrap().is_empty();
            let mut kinds = expected().into_iter();
            let all = kinds.all(|(class, _, detail)| {
                let of_class = locks(&last, class);
                !of_class.is_empty() && (detail.is_none() || of_class.iter().any(has_place))
            });
            let idle = &last["recording"]["hidden"]["idle pool threads"];
            all && idle.as_u64() > Some(0) && locks(&last, "ReentrantLock").iter().all(has_place)
        },
    );
    last
}

#[test]
fn every_kind_of_them_is_in_the_report_of_every_jdk() {
    for jdk in jdks() {
        let context = format!("JDK {}", jdk.major);
        let subject = Subject::start_in(jdk, classes(), &["ConcurrentZoo", "stuck"]);
        let report = placed(&subject);
        check(&report, &context);
        check_deadlock(&report, &context);
        let trace = subject.trace().to_string_lossy().into_owned();
        let graph = run(&["graph", &trace, "--cycles"]).ended_with(1).stdout;
        let graph = graph.split_whitespace().collect::<Vec<_>>().join(" ");
        for said in [
            "DEADLOCK of 2 threads",
            "edges and cycles are of monitors only",
        ] {
            assert!(graph.contains(said), "{context}: {graph}");
        }
        assert!(report["recording"]["sampling"]["samples"].as_u64() > Some(1));
    }
}

#[test]
fn they_can_be_left_out_and_are_no_monitors() {
    let subject = Subject::start_in(jdk(), classes(), &["ConcurrentZoo"]);
    let trace = subject.trace().to_string_lossy().into_owned();
    let record = ["record", &subject.word(), "-d", "2s", "-o", &trace];
    run(&record).ended_with(0);
    let id = report(&trace)["locks"][0]["id"].to_string();
    run(&["show", &trace, &id])
        .ended_with(0)
        .printed("Threads parked on it");
    run(&["events", &trace, &id])
        .ended_with(2)
        .said("no monitor");
    let exact = ["trace", &subject.word(), "--locks", &id, "--from", &trace];
    run(&exact).ended_with(2).said("no monitor");
    run(&["report", "--csv", &trace])
        .ended_with(0)
        .printed(",true,");
    run(&[&record[..], &["--no-juc", "--force"]].concat()).ended_with(0);
    let without = report(&trace);
    assert_eq!(without["recording"]["sampling"], Value::Null);
    let locks = without["locks"].as_array().unwrap();
    assert!(
        locks.iter().all(|lock| lock["sampled"].is_null()),
        "{without:#}"
    );
}

/// Whole seconds of threads that are parked on nothing are told, and where, though they are in no lock's figures.
#[test]
fn threads_parked_without_a_blocker_are_told() {
    for jdk in jdks() {
        let context = format!("JDK {}", jdk.major);
        let subject = Subject::start(jdk, &["Blockerless"]);
        let trace = subject.trace().to_string_lossy().into_owned();
        let mut told = Value::Null;
        eventually("looks find three", || {
            let record = ["record", &subject.word(), "-d", "2s", "-o", &trace];
            run(&[&record[..], &["--force"]].concat()).ended_with(0);
            told = report(&trace)["recording"]["no_blocker"].clone();
            // To JDK 15 the JVM would stop for a call chain: none is taken.
            let placed = jdk.major <= 15 || told["place"].is_string();
            told["threads"] == 3 && told["ns"].as_u64() > Some(1_000_000_000) && placed
        });
        let place = told["place"].as_str().unwrap_or_default();
        if jdk.major > 15 {
            assert!(
                place.starts_with("Blockerless.await("),
                "{context}: {told:#}"
            );
        }
        let text = run(&["report", &trace]).ended_with(0).stdout;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let said = "Up to 3 threads parked without saying on what (no blocker)";
        assert!(text.contains(said), "{context}: {text}");
        let blame = run(&["contention", &trace]).ended_with(0).stdout;
        let blame = blame.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(blame.contains(said), "{context}: {blame}");
    }
}

/// Where the JVM would stop for each call chain it stops once, at the end, for those that are missing.
#[test]
fn a_hundred_threads_that_stand_to_the_end_have_their_place_on_every_jdk() {
    for jdk in jdks() {
        let subject = Subject::start(jdk, &["Strewn"]);
        let trace = subject.trace().to_string_lossy().into_owned();
        let mut told = Value::Null;
        eventually("all are in one row", || {
            let record = ["record", &subject.word(), "-d", "1s", "-o", &trace];
            run(&[&record[..], &["--force"]].concat()).ended_with(0);
            told = report(&trace);
            locks(&told, "Condition").len() == 1
        });
        let conditions = locks(&told, "Condition");
        let context = format!("JDK {}: {conditions:#?}", jdk.major);
        let [one] = &conditions[..] else {
            panic!("{context}")
        };
        assert_eq!(one["instances"], 100, "{context}");
        let regions = one["regions"].as_array().unwrap();
        let names: Vec<_> = regions.iter().map(|region| &region["method"]).collect();
        assert_eq!(names, ["await"], "{context}");
    }
}

/// What a program has built of the JDK's queue of threads is told by its code, whatever it is called.
#[test]
fn synchronizers_of_the_program_are_told_by_their_code() {
    for jdk in jdks() {
        let context = format!("JDK {}", jdk.major);
        let subject = Subject::start(jdk, &["OwnSynchronizers"]);
        let trace = subject.trace().to_string_lossy().into_owned();
        let expected = [
            ("OwnSynchronizers$A", "LATCH", "await"),
            ("OwnSynchronizers$B$Queue", "SEMAPHORE", "acquire"),
            ("OwnSynchronizers$E", "LOCK", "lock"),
        ];
        let mut last = Value::Null;
        eventually("each is seen, from somewhere", || {
            let record = ["record", &subject.word(), "-d", "3s", "-o", &trace];
            run(&[&record[..], &["--force"]].concat()).ended_with(0);
            last = report(&trace);
            expected.iter().all(|(class, ..)| {
                let found = locks(&last, class);
                let placed = |lock: &&Value| !lock["regions"].as_array().unwrap().is_empty();
                found.iter().any(placed)
            })
        });
        for (class, lock_type, role) in expected {
            for lock in locks(&last, class) {
                assert_eq!(lock["types"][0]["type"], lock_type, "{context}: {lock:#}");
                let regions = lock["regions"].as_array().unwrap();
                let is_role = |region: &Value| region["roles"][0] == role;
                assert!(regions.iter().all(is_role), "{context}: {lock:#}");
            }
        }
    }
}
