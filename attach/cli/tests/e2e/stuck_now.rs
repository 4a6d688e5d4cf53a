//! Why a JVM hangs now, of programs that get stuck (`testapps/hang`), and of dumps of their threads.

use crate::rig::{Jdk, Ran, Running, Subject, compile, eventually, jdks, locklens, run, scratch};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;

fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testapps/hang");
        let files = fs::read_dir(folder).unwrap();
        let sources: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
        let out = scratch("hang");
        fs::create_dir_all(&out).unwrap();
        compile(&sources, &out);
        out
    })
}

fn parsed(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:#?}"))
}

fn start(jdk: &Jdk, words: &[&str]) -> Subject {
    Subject::start_in(jdk, classes(), words)
}

/// What is said of a JVM when it has come to this kind of finding: its threads are where they are to be a moment after it says so.
fn found(subject: &Subject, kind: &str, tier: &str) -> Value {
    found_with(subject, &["--json"], (kind, tier))
}

fn found_with(subject: &Subject, flags: &[&str], (kind, tier): (&str, &str)) -> Value {
    let mut report = Value::Null;
    let context = format!("{kind} {tier}");
    eventually(&context, || {
        let word = subject.word();
        let ran = run(&[&["deadlocks", &word][..], flags].concat());
        report = parsed(&ran);
        let first = &report["deadlocks"][0];
        let status = if tier == "T5" { 0 } else { 1 };
        first["kind"] == kind && first["tier"] == tier && ran.status == Some(status)
    });
    assert_eq!(
        report["deadlocks"].as_array().unwrap().len(),
        1,
        "{report:#}"
    );
    report
}

const ASK: &str = "--virtual-threads";

fn threads(finding: &Value) -> Vec<&str> {
    let threads = finding["threads"].as_array().unwrap().iter();
    threads
        .map(|thread| thread["name"].as_str().unwrap())
        .collect()
}

/// The program, what is found, how sure, around which threads.
const STUCK: [(&[&str], &str, &str, &[&str]); 8] = [
    (
        &["MonitorRing", "2"],
        "order",
        "T0",
        &["clerk-0", "clerk-1"],
    ),
    (
        &["MonitorRing", "3"],
        "order",
        "T0",
        &["clerk-0", "clerk-1", "clerk-2"],
    ),
    (&["LockRing"], "order", "T0", &["payer", "payee"]),
    (&["LockRing", "write"], "order", "T0", &["payer", "payee"]),
    (&["MixedRing"], "order", "T0", &["inward", "outward"]),
    (&["JoinRing"], "join", "T0", &["main", "painter"]),
    (&["InitRing"], "class-init", "T0", &["cook", "waiter"]),
    (&["Lockout"], "nested-wait", "T5", &["sitter", "ringer"]),
];

#[test]
fn a_jvm_that_hangs_says_why() {
    for jdk in jdks() {
        for (words, kind, tier, expected) in STUCK {
            let subject = start(jdk, words);
            let report = found(&subject, kind, tier);
            let context = format!("{words:?} on JDK {}: {report:#}", jdk.major);
            assert_eq!(threads(&report["deadlocks"][0]), expected, "{context}");
            assert_eq!(report["schema"], 1, "{context}");
        }
    }
}

#[test]
fn who_hangs_behind_a_ring_is_told_with_it() {
    for jdk in jdks() {
        let subject = start(jdk, &["MonitorRing"]);
        let ran = run(&["deadlocks", &subject.word()]).ended_with(1);
        let ran = ran
            .printed("T0 order: MonitorRing.Ledger")
            .printed("behind it 1 thread hangs");
        ran.printed("\"auditor\"").printed("which \"clerk-0\"");
        let sarif = parsed(&run(&["deadlocks", &subject.word(), "--sarif"]).ended_with(1));
        assert_eq!(sarif["runs"][0]["results"][0]["level"], "error");
        run(&["deadlocks", &subject.word(), "--dot"])
            .ended_with(1)
            .printed("digraph locks {");
    }
}

#[test]
fn a_join_that_may_be_of_another_thread_is_only_suspected() {
    for jdk in jdks() {
        let subject = start(jdk, &["JoinRing", "beside"]);
        found(&subject, "join", "T5");
    }
}

#[test]
fn who_is_busy_or_idle_is_not_stuck() {
    for jdk in jdks() {
        for words in [&["Busy"], &["IdlePool"]] {
            let subject = start(jdk, words);
            let ran = run(&["deadlocks", &subject.word()]).ended_with(0);
            // Of virtual threads nobody asked.
            let among = match jdk.major {
                ..19 | 24.. => "",
                _ => " of platform threads",
            };
            ran.printed(&format!("no deadlock{among}; 2 dumps of JVM"));
        }
    }
}

#[test]
fn virtual_threads_are_told_where_the_jvm_tells_and_else_unknown() {
    for jdk in jdks().iter().filter(|jdk| jdk.major >= 21) {
        let locks = start(jdk, &["VirtualRing", "lock"]);
        let ran = run(&["deadlocks", &locks.word()]).ended_with(0);
        ran.printed("virtual threads: unknown (--virtual-threads asks");
        let ran = run(&["deadlocks", &locks.word(), ASK]).ended_with(0);
        ran.printed("of 2 virtual threads");
        let monitors = start(jdk, &["VirtualRing"]);
        if jdk.major >= 25 {
            let report = found_with(&monitors, &["--json", ASK], ("order", "T0"));
            assert_eq!(threads(&report["deadlocks"][0]), ["borrower", "lender"]);
        } else {
            let ran = run(&["deadlocks", &monitors.word(), ASK]).ended_with(0);
            ran.printed("of 2 virtual threads")
                .printed("2 virtual threads stand on their carriers")
                .printed("\"borrower\"");
        }
    }
}

#[test]
fn saved_dumps_say_the_same() {
    for jdk in jdks() {
        let subject = start(jdk, &["MixedRing"]);
        let live = found(&subject, "order", "T0");
        let dump = run(&["attach", &subject.word(), "threaddump", "-l"]).ended_with(0);
        let file = scratch("mixed.txt");
        fs::write(
            &file,
            format!("INFO | main | up (1)\n{}INFO on\n", dump.stdout),
        )
        .unwrap();
        let name = file.to_string_lossy();
        let saved = parsed(&run(&["deadlocks", &name, &name, "--json"]).ended_with(1));
        assert_eq!(saved["deadlocks"][0]["id"], live["deadlocks"][0]["id"]);
        assert_eq!(
            saved["deadlocks"][0]["edges"],
            live["deadlocks"][0]["edges"]
        );
        let _ = fs::remove_file(file);
    }
}

#[test]
fn what_is_neither_a_jvm_nor_a_dump_is_refused() {
    run(&["deadlocks", "4194304"]).ended_with(3);
    run(&["deadlocks", "missing.txt"]).ended_with(2);
    let file = scratch("letter.txt");
    fs::write(&file, "Dear all,\n").unwrap();
    let name = file.to_string_lossy();
    run(&["deadlocks", &name]).ended_with(2);
    run(&["deadlocks", &name, &name])
        .ended_with(2)
        .said("holds no thread dump");
    let trace = scratch("two.std");
    fs::write(&trace, "T1|acq(a)|1\n").unwrap();
    let two = trace.to_string_lossy();
    run(&["deadlocks", &two, &two])
        .ended_with(2)
        .said("'locklens check' takes several");
    fs::write(&trace, "").unwrap();
    for command in ["deadlocks", "check"] {
        run(&[command, &two]).ended_with(2).said("holds no step");
    }
    let _ = fs::remove_file(trace);
    let _ = fs::remove_file(file);
}

#[test]
fn who_has_a_permit_a_recording_knows() {
    for jdk in jdks() {
        let trace = scratch("permit-ring.llt").to_string_lossy().into_owned();
        let (java, classes) = (jdk.java(), classes().to_string_lossy().into_owned());
        let java = java.to_string_lossy().into_owned();
        let words = ["trace", "--all-app", "--juc", "-o", &trace, "--", &java];
        let program = ["-cp", &classes, "PermitRing"];
        let mut command = Running::start(&[&words[..], &program].concat());
        let mut told = BufReader::new(command.0.stdout.take().unwrap()).lines();
        let pid = told.find_map(|line| Some(line.ok()?.strip_prefix("PID ")?.to_owned()));
        let pid = pid.unwrap_or_else(|| panic!("JDK {}", jdk.major));
        let said = "who holds it the recording says";
        let alone = run(&["deadlocks", &pid]);
        assert!(!alone.stdout.contains(said), "{alone:#?}");
        let mut report = Value::Null;
        eventually("the recording has it", || {
            let ran = run(&["deadlocks", &pid, "--recording", &trace, "--json"]);
            report = serde_json::from_str(&ran.stdout).unwrap_or(Value::Null);
            report.to_string().contains(said)
        });
        let context = format!("JDK {}: {report:#}", jdk.major);
        let first = &report["deadlocks"][0];
        assert_eq!(first["tier"], "T4", "{context}");
        assert_eq!(first["kind"], "permit", "{context}");
        let headline = first["headline"].as_str().unwrap();
        assert!(
            headline.contains("Slots") && headline.contains("Catalogue"),
            "{context}"
        );
        let names = threads(first);
        assert!(names.contains(&"keeper"), "{context}");
        assert!(
            names.iter().any(|name| name.starts_with("loader-")),
            "{context}"
        );
        run(&[
            "deadlocks",
            &std::process::id().to_string(),
            "--recording",
            &trace,
        ])
        .ended_with(3);
        crate::rig::signal(pid.parse().unwrap(), "KILL");
        eventually("the command ends", || command.ended());
        fs::remove_file(&trace).unwrap();
    }
}

/// A recording has dumps of a JVM whose threads stand still when it ends.
#[test]
fn a_recording_of_a_jvm_that_hangs_says_what_asking_it_says() {
    const LEFT: (&[&str], &str) = (&["LeftLock"], "unserved-waiter");
    const IDLE: (&[&str], &str) = (&["LeftLock", "idle"], "unserved-waiter");
    for jdk in jdks() {
        let cases = [(&["JoinRing"][..], "join"), IDLE, LEFT];
        for (words, kind) in cases {
            let subject = start(jdk, words);
            let trace = subject.trace().to_string_lossy().into_owned();
            run(&["record", &subject.word(), "-d", "3s", "-o", &trace]).ended_with(0);
            let told = parsed(&run(&["deadlocks", "--json", &trace]).ended_with(1));
            let context = format!("{words:?} on JDK {}: {told:#}", jdk.major);
            let first = &told["deadlocks"][0];
            assert_eq!(first["kind"], kind, "{context}");
            assert!(told["hang"]["dumps"].as_u64() >= Some(2), "{context}");
            // Virtual threads may own a lock whose owner no dump tells: that it has ended a recording knows.
            if words != LEFT.0 || !(21..24).contains(&jdk.major) {
                let live = parsed(&run(&["deadlocks", "--json", &subject.word()]).ended_with(1));
                assert_eq!(threads(first), threads(&live["deadlocks"][0]), "{context}");
            }
            run(&["deadlocks", &trace])
                .ended_with(1)
                .printed("dumps of the JVM when the recording was over");
            let redacted = format!("{trace}.redacted");
            run(&["redact", &trace, "-o", &redacted]).ended_with(0);
            let told = parsed(&run(&["deadlocks", "--json", &redacted]));
            assert!(told["hang"].is_null(), "{told:#}");
            fs::remove_file(redacted).unwrap();
        }
    }
}

/// A class whose initialisation never ends makes no event.
#[test]
fn where_nothing_runs_a_recording_says_what_asking_the_jvm_says() {
    for jdk in jdks() {
        for (words, kind) in [(["InitRing"], "class-init"), (["JoinRing"], "join")] {
            let subject = start(jdk, &words);
            let trace = subject.trace().to_string_lossy().into_owned();
            let live = found(&subject, kind, "T0");
            run(&["record", &subject.word(), "-d", "3s", "-o", &trace]).ended_with(0);
            let told = parsed(&run(&["deadlocks", "--json", &trace]).ended_with(1));
            let context = format!("{words:?} on JDK {}: {told:#}", jdk.major);
            let (first, expected) = (&told["deadlocks"][0], &live["deadlocks"][0]);
            for key in ["kind", "tier", "id", "threads"] {
                assert_eq!(first[key], expected[key], "{context}");
            }
            let id = first["id"].as_str().unwrap();
            let report = run(&["report", &trace]).ended_with(0);
            report.printed(&format!("DEADLOCK {id} T0 {kind}"));
            let report = parsed(&run(&["report", "--json", &trace]).ended_with(0));
            assert_eq!(report["stood"]["deadlocks"][0]["id"], id, "{context}");
            fs::remove_file(&trace).unwrap();
        }
    }
}

/// Nor does who waits to be told something say that nobody is left to do it.
#[test]
fn a_recording_says_that_nobody_goes_on() {
    for jdk in jdks() {
        for words in [&["Untold"][..], &["Untold", "signal"]] {
            let subject = start(jdk, words);
            let trace = subject.trace().to_string_lossy().into_owned();
            run(&["record", &subject.word(), "-d", "3s", "-o", &trace]).ended_with(0);
            let report = run(&["report", &trace]).ended_with(0);
            let report = report.printed("of the program went on at the end");
            report.printed("2 threads (\"reader-0\"");
            let told = parsed(&run(&["deadlocks", "--json", &trace]).ended_with(0));
            assert_eq!(told["hang"]["still"], true, "JDK {}: {told:#}", jdk.major);
            fs::remove_file(&trace).unwrap();
        }
    }
}

/// A ring of a monitor and a lock of `java.util.concurrent` goes by one name, however it is known.
#[test]
fn a_ring_of_both_kinds_of_locks_is_called_the_same_by_a_recording() {
    for jdk in jdks() {
        let subject = start(jdk, &["MixedRing"]);
        let trace = subject.trace().to_string_lossy().into_owned();
        found(&subject, "order", "T0");
        run(&["record", &subject.word(), "-d", "2s", "-o", &trace]).ended_with(0);
        let told = parsed(&run(&["deadlocks", "--json", &trace]).ended_with(1));
        let first = &told["deadlocks"][0];
        let context = format!("JDK {}: {told:#}", jdk.major);
        assert_eq!(
            (&first["kind"], &first["tier"]),
            (&"order".into(), &"T0".into()),
            "{context}"
        );
        fs::remove_file(&trace).unwrap();
    }
}

/// Also of one that it has started, which goes on when the recording is over.
#[test]
fn a_recording_from_the_start_says_what_asking_the_jvm_says() {
    for jdk in jdks() {
        let trace = scratch("hangs-from-the-start.llt");
        let file = trace.to_string_lossy().into_owned();
        let (java, classes) = (jdk.java(), classes().to_string_lossy());
        let mut command = locklens();
        command.args(["record", "-d", "3s", "-o", &file, "--"]);
        command.arg(java).args(["-cp", &classes, "MonitorRing"]);
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut command = Running(pipes.stderr(Stdio::piped()).spawn().unwrap());
        let said = command.hear();
        eventually("the recording is over", || {
            said.lock().unwrap().contains("the recording is over")
        });
        drop(command.0.stdin.take());
        command.wait().ended_with(0);
        let told = parsed(&run(&["deadlocks", "--json", &file]).ended_with(1));
        let context = format!("JDK {}: {told:#}", jdk.major);
        let first = &told["deadlocks"][0];
        assert_eq!(
            (&first["kind"], &first["tier"]),
            (&"order".into(), &"T0".into()),
            "{context}"
        );
        assert!(told["hang"]["dumps"].as_u64() >= Some(2), "{context}");
        fs::remove_file(&trace).unwrap();
    }
}

#[test]
fn a_recording_of_a_jvm_that_goes_on_has_no_dumps() {
    for jdk in jdks() {
        let subject = start(jdk, &["Busy"]);
        let trace = subject.trace().to_string_lossy().into_owned();
        // Longer than a stay must be that looks like a hang.
        run(&["record", &subject.word(), "-d", "3s", "-o", &trace]).ended_with(0);
        let told = parsed(&run(&["deadlocks", "--json", &trace]));
        assert!(told["hang"].is_null(), "JDK {}: {told:#}", jdk.major);
    }
}

#[test]
fn a_pool_that_waits_for_itself_is_told_where_nobody_else_goes_on() {
    for jdk in jdks() {
        for words in [&["OwnPool"][..], &["OwnPool", "fork"]] {
            let subject = start(jdk, words);
            // Its threads are called as those that carry virtual ones, of which nobody asked.
            if words.len() > 1 && (21..24).contains(&jdk.major) {
                eventually("it stands still", || {
                    let ran = run(&["deadlocks", &subject.word()]);
                    ran.stdout.contains("starved: 2 threads")
                });
                continue;
            }
            let report = found(&subject, "unserved-waiter", "T4");
            assert_eq!(report["deadlocks"][0]["unserved"], "starved", "{report:#}");
            assert_eq!(report["hang"]["starved"][0]["awaits"], "deed");
        }
    }
}
