//! Every park: `--juc`.

use crate::parked::{classes as zoo, locks, report};
use crate::rig::{Jdk, Running, Subject, classes, eventually, info, jdk, jdks, run, scratch};
use serde_json::Value;

/// Records a program that keeps books, from its start; what the report says.
fn books(jdk: &Jdk, how: &str) -> Value {
    let trace = scratch("books.llt");
    let file = trace.to_string_lossy().into_owned();
    let (java, classes) = (jdk.java(), classes().to_string_lossy().into_owned());
    let words = ["-Xmx64m", "-Xverify:all", "-Xcheck:jni", "-cp", &classes];
    let command = ["trace", "--juc", "-o", &file, "--"];
    let program = ["ParkBooks", how];
    let java = java.to_string_lossy().into_owned();
    let words = [&command[..], &[&java], &words, &program].concat();
    run(&words).ended_with(0).printed("DONE");
    let report = report(&file);
    std::fs::remove_file(&trace).unwrap();
    report
}

fn number(lock: &Value, key: &str) -> u64 {
    let number = lock["parks"][key].as_u64();
    number.unwrap_or_else(|| panic!("{key}: {lock:#}"))
}

fn check_books(report: &Value, context: &str) {
    let of = |class: &str| {
        let found = locks(report, class);
        assert_eq!(found.len(), 1, "{context}: {class}: {report:#}");
        found[0]
    };
    let door = of("ParkBooks$Door");
    assert_eq!(number(door, "count"), 2000, "{context}: {door:#}");
    assert!(number(door, "unparked") > 1900, "{context}: {door:#}");
    let main = &door["parks"]["unparkers"][0]["thread"];
    assert_eq!(main, "main", "{context}: {door:#}");
    assert!(door["wait_times"]["p99_ns"].as_u64() > Some(0), "{context}");
    for class in ["ParkBooks$Clock", "ParkBooks$Date"] {
        let clock = of(class);
        assert_eq!(number(clock, "count"), 60, "{context}: {clock:#}");
        assert!(number(clock, "timed_out") > 50, "{context}: {clock:#}");
    }
    let past = of("ParkBooks$Past");
    let ends = (number(past, "count"), number(past, "timed_out"));
    assert_eq!(ends, (180, 180), "{context}: {past:#}");
    let mirrors = locks(report, "Class").into_iter();
    let mirrors: u64 = mirrors.map(|lock| number(lock, "count")).sum();
    assert_eq!(mirrors, 120, "{context}: {report:#}");
    let bell = of("ParkBooks$Bell");
    let ends = (number(bell, "count"), number(bell, "interrupted"));
    assert_eq!(ends, (60, 60), "{context}: {bell:#}");
    let all = &report["recording"]["parks"];
    assert!(
        all["without_blocker"].as_u64() >= Some(60),
        "{context}: {all}"
    );
    assert_eq!(report["recording"]["lost"], 0, "{context}: {report:#}");
}

#[test]
fn the_parks_of_a_program_are_as_many_as_in_its_books_on_every_jdk() {
    for jdk in jdks() {
        check_books(&books(jdk, "platform"), &format!("JDK {}", jdk.major));
    }
}

#[test]
fn those_of_virtual_threads_are_too() {
    for jdk in jdks().iter().filter(|jdk| jdk.major >= 21) {
        let context = format!("virtual, JDK {}", jdk.major);
        check_books(&books(jdk, "virtual"), &context);
    }
}

/// From this JDK on a call chain does not stop the JVM: before there are few, and what only they tell may be missing.
const CHAINS: u32 = 16;
/// Up to this one these park past `LockSupport`.
const PAST: u32 = 8;

/// Classes of locks that threads of the zoo park on all the time, for what, and from which JDK on that is sure to
/// be told.
const BUSY: [(&str, &str, u32); 12] = [
    ("ReentrantLock", "blocked_times", 8),
    ("ReentrantReadWriteLock", "blocked_times", 8),
    ("StampedLock", "blocked_times", PAST + 1),
    ("ConcurrentZoo$OwnMutex", "blocked_times", 8),
    ("Condition", "wait_times", 8),
    ("CyclicBarrier", "wait_times", CHAINS),
    ("Phaser", "wait_times", 8),
    ("Exchanger", "wait_times", PAST + 1),
    ("ArrayBlockingQueue", "wait_times", CHAINS),
    ("LinkedBlockingQueue", "wait_times", CHAINS),
    ("SynchronousQueue", "wait_times", 8),
    ("FutureTask", "wait_times", 8),
];

#[test]
fn every_kind_of_lock_has_its_parks_and_their_lengths_on_every_jdk() {
    for jdk in jdks() {
        let context = format!("JDK {}", jdk.major);
        let subject = Subject::start_in(jdk, zoo(), &["ConcurrentZoo"]);
        let trace = subject.trace().to_string_lossy().into_owned();
        let word = subject.word();
        let words = ["trace", &word, "--juc", "--yes", "-d", "5s", "-o", &trace];
        run(&words).ended_with(0).printed("original bytes of");
        let report = report(&trace);
        let busy = BUSY.iter().filter(|(_, _, from)| jdk.major >= *from);
        for &(class, times, _) in busy {
            let found = locks(&report, class);
            let busiest = found
                .iter()
                .max_by_key(|lock| lock["parks"]["count"].as_u64());
            let lock = busiest.unwrap_or_else(|| panic!("{context}: {class} is missing"));
            assert!(number(lock, "unparked") > 5, "{context}: {lock:#}");
            assert!(
                lock[times]["max_ns"].as_u64() > Some(0),
                "{context}: {lock:#}"
            );
        }
        if jdk.major < CHAINS {
            continue;
        }
        let plain = locks(&report, "ReentrantLock");
        let used = |lock: &&&Value| lock["regions"][0]["method"] == "usePlain";
        let used = plain.iter().find(used).expect("a lock of usePlain");
        let unparkers = used["parks"]["unparkers"].as_array().unwrap();
        let names = unparkers.iter().map(|by| by["thread"].as_str().unwrap());
        for name in names {
            assert!(name.starts_with("plain-"), "{context}: {used:#}");
        }
        run(&["report", &trace])
            .ended_with(0)
            .printed("parks exact");
        let id = used["id"].to_string();
        run(&["show", &trace, &id])
            .ended_with(0)
            .printed("Unparked by");
    }
}

/// A program that runs already, the recording of every park in it, whose probes are on, and its file.
fn parking(jdk: &Jdk, program: &str) -> (Subject, Running, String) {
    let subject = Subject::start(jdk, &[program]);
    let file = subject.trace().to_string_lossy().into_owned();
    let word = subject.word();
    let running = Running::start(&["trace", &word, "--juc", "--yes", "-d", "0", "-o", &file]);
    let begun = || {
        let ran = run(&["info", "--json", &file]);
        ran.stdout.contains("parks.since")
    };
    eventually("the probes are on", begun);
    (subject, running, file)
}

#[test]
fn who_ended_a_park_from_before_the_recording_is_not_said_to_have_ended_the_next_one() {
    for jdk in jdks() {
        let context = format!("JDK {}", jdk.major);
        let (mut subject, running, file) = parking(jdk, "Doorman");
        for name in ["first", "second", "third"] {
            subject.say(name);
        }
        subject.close();
        let ran = running.wait().ended_with(0);
        // What the JVM tells of the thread that was joined is of no lock that was asked for.
        assert!(!ran.stderr.contains("no probe"), "{context}: {ran:#?}");
        let report = report(&file);
        let doors = locks(&report, "Doorman$Door");
        let [door] = doors[..] else {
            panic!("{context}: {report:#}");
        };
        let by = door["parks"]["unparkers"].as_array().unwrap().iter();
        let by: Vec<_> = by.map(|by| by["thread"].as_str().unwrap()).collect();
        assert_eq!(by, ["first", "second", "third"], "{context}: {door:#}");
        assert_eq!(number(door, "unparked"), 3, "{context}: {door:#}");
        assert_eq!(number(door, "unparked_before"), 0, "{context}: {door:#}");
        assert_eq!(number(door, "open"), 1, "{context}: {door:#}");
    }
}

#[test]
fn who_was_parked_when_the_probes_came_counts_from_then_on_with_who_held_the_lock() {
    for jdk in jdks() {
        let context = format!("JDK {}", jdk.major);
        let (mut subject, running, file) = parking(jdk, "ParkedBefore");
        subject.say("go");
        subject.close();
        running.wait().ended_with(0);
        let all = report(&file);
        let parks = &all["recording"]["parks"];
        // Threads of the JDK's own may be parked, too.
        assert!(
            parks["under_way"].as_u64() >= Some(3),
            "{context}: {parks:#}"
        );
        let mut found = locks(&all, "ReentrantLock").into_iter();
        let lock = found.find(|lock| number(lock, "unparked") >= 2);
        let lock = lock.unwrap_or_else(|| panic!("{context}: {all:#}"));
        let by = lock["parks"]["unparkers"].as_array().unwrap().iter();
        let mut by = by.map(|by| by["thread"].as_str().unwrap());
        assert!(by.any(|name| name == "main"), "{context}: {lock:#}");
        let since = parks["since_ns"].as_u64().unwrap();
        let told = info(subject.trace());
        let until = told["target"]["exact.until"].as_str().unwrap();
        let until: u64 = until.parse().unwrap();
        let mut conditions = locks(&all, "Condition").into_iter();
        let is_open = |condition: &Value| {
            let waited = condition["wait_times"]["max_ns"].as_u64();
            number(condition, "open") == 1 && waited == Some(until - since)
        };
        assert!(conditions.any(is_open), "{context}: {all:#}");
        let ran = run(&["contention", "--json", &file, "--by", "owner-thread"]).ended_with(0);
        let rows: Value = serde_json::from_str(&ran.stdout).unwrap();
        let first = &rows["rows"][0];
        assert_eq!(first["keys"]["owner-thread"], "main", "{context}: {rows:#}");
        run(&["report", &file])
            .ended_with(0)
            .printed("threads parked since before the probes came: counted from then on.");
    }
}

/// From this JDK on no thread can be stopped.
const NO_STOP: u32 = 20;

#[test]
fn a_thread_that_is_stopped_while_it_parks_stops() {
    for jdk in jdks().iter().filter(|jdk| jdk.major < NO_STOP) {
        let trace = scratch("stopped.llt");
        let file = trace.to_string_lossy().into_owned();
        let (java, classes) = (jdk.java(), classes().to_string_lossy().into_owned());
        let command = ["trace", "--juc", "-o", &file, "--"];
        let java = java.to_string_lossy().into_owned();
        // Interpreted, a thread is stopped in the middle of a probe often enough.
        let program = ["-Xint", "-Xmx64m", "-cp", &classes, "StoppedParks"];
        let words = [&command[..], &[&java], &program].concat();
        run(&words).ended_with(0).printed("UNHEARD 0\n");
        std::fs::remove_file(&trace).unwrap();
    }
}

#[test]
fn a_killed_command_leaves_the_parks_as_they_were() {
    let mut subject = Subject::start_in(jdk(), zoo(), &["ConcurrentZoo"]);
    let (file, word) = (
        subject.trace().to_string_lossy().into_owned(),
        subject.word(),
    );
    let words = ["trace", &word, "--juc", "--yes", "-d", "0", "-o", &file];
    for _ in 0..3 {
        let mut running = Running::start(&words);
        let begun = || std::fs::metadata(&file).is_ok_and(|meta| meta.len() > 30_000);
        eventually("parks are recorded", begun);
        running.0.kill().unwrap();
        eventually("our thread is gone", || !subject.has_our_thread());
        std::fs::remove_file(&file).unwrap();
    }
    let last = ["trace", &word, "--juc", "--yes", "-d", "1s", "-o", &file];
    run(&last).ended_with(0).printed("original bytes of");
    let recorded = report(&file);
    assert!(recorded["recording"]["parks"]["parks"].as_u64() > Some(50));
    assert!(subject.alive());
}

#[test]
fn it_is_rewriting_and_needs_a_clock() {
    run(&["record", "1", "--no-rewrite", "--juc"]).ended_with(2);
    run(&["record", "1", "--juc"]).ended_with(2).said("--exact");
    run(&["trace", "1", "--juc", "--no-clock"]).ended_with(2);
    run(&["trace", "1", "--juc", "--no-juc"]).ended_with(2);
    let subject = Subject::start_in(jdk(), zoo(), &["ConcurrentZoo"]);
    run(&["trace", &subject.word(), "--juc", "--dry-run"])
        .ended_with(0)
        .printed("java.util.concurrent.locks.LockSupport")
        .printed("Nothing was changed");
}
