//! Every operation of the locks of java.util.concurrent: `--juc`, held against a program that keeps books of what it does.

use crate::parked::report;
use crate::rig::{Jdk, Ran, Running, Subject, classes, eventually, jdk, jdks, run, scratch};
use serde_json::Value;
use std::path::PathBuf;

/// Records a program from its start to its end, with every call of its own.
fn recorded(jdk: &Jdk, program: &[&str]) -> (PathBuf, Ran) {
    let trace = scratch("operations.llt");
    let file = trace.to_string_lossy().into_owned();
    let (java, classes) = (jdk.java(), classes().to_string_lossy().into_owned());
    let java = java.to_string_lossy().into_owned();
    let command = ["trace", "--juc", "--all-app", "-o", &file, "--", &java];
    let words = ["-Xmx64m", "-Xverify:all", "-Xcheck:jni", "-cp", &classes];
    let ran = run(&[&command[..], &words, program].concat());
    (trace, ran.ended_with(0).printed("DONE"))
}

/// Times that a program did something, summed over its locks of that class: those of the JDK itself are used from no place of
/// the program.
fn times(report: &Value, (class, fair): (&str, Option<bool>), act: &str, outcome: &str) -> u64 {
    let locks = report["locks"].as_array().unwrap().iter();
    let of_class = locks.filter(|lock| {
        let name = lock["classes"][0].as_str().unwrap();
        let details = &lock["types"][0]["detail"];
        let place = lock["name"].as_str().unwrap();
        name.rsplit('.').next() == Some(class)
            && place.contains("LockBooks")
            // A barrier's own, where no look found out whose it is, has the name of the place where the barrier is used.
            && !(class == "Condition" && place.contains("meetings"))
            && fair.is_none_or(|fair| details["fair"] == fair)
    });
    let acts = of_class.flat_map(|lock| lock["operations"]["acts"].as_array().unwrap());
    let wanted = acts.filter(|one| one["act"] == act && one["outcome"] == outcome);
    wanted.map(|one| one["times"].as_u64().unwrap()).sum()
}

/// What a line of the books calls a class.
fn class_of(name: &str) -> (&str, Option<bool>) {
    match name {
        "Fair" => ("ReentrantLock", Some(true)),
        "ReentrantLock" => ("ReentrantLock", Some(false)),
        other => (other, None),
    }
}

fn check_books(jdk: &Jdk, how: &str) {
    let context = format!("JDK {}, {how}", jdk.major);
    let (trace, ran) = recorded(jdk, &["LockBooks", how]);
    let report = report(&trace.to_string_lossy());
    assert_eq!(report["recording"]["lost"], 0, "{context}: {ran:#?}");
    let mut lines = 0;
    for line in ran
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("BOOK "))
    {
        let words: Vec<&str> = line.split(' ').collect();
        let [class, act, outcome, n] = words[..] else {
            panic!("{context}: {line}");
        };
        if act == "permits" {
            continue;
        }
        lines += 1;
        let told = times(&report, class_of(class), act, outcome);
        assert_eq!(told.to_string(), n, "{context}: {line}: {report:#}");
    }
    assert!(lines > 25, "{context}: {ran:#?}");
    std::fs::remove_file(&trace).unwrap();
}

#[test]
fn the_operations_of_a_program_are_as_many_as_in_its_books_on_every_jdk() {
    for jdk in jdks() {
        check_books(jdk, "platform");
    }
}

#[test]
fn those_of_virtual_threads_are_too() {
    for jdk in jdks().iter().filter(|jdk| jdk.major >= 21) {
        check_books(jdk, "virtual");
    }
}

#[test]
fn locks_of_classes_that_extend_those_of_the_jdk_have_their_type_and_their_place() {
    for jdk in jdks() {
        let context = format!("JDK {}", jdk.major);
        let (trace, _) = recorded(jdk, &["Heirs"]);
        let report = report(&trace.to_string_lossy());
        let locks = report["locks"].as_array().unwrap();
        let at = |place: &str| {
            let named = |lock: &&Value| lock["name"].as_str().unwrap().contains(place);
            let mut found = locks.iter().filter(named);
            let one = found.next();
            assert!(
                one.is_some() && found.next().is_none(),
                "{context}: {place}: {report:#}"
            );
            one.unwrap()
        };
        for (place, lock_type, acts) in [
            ("Heirs.alone", "LOCK", [("lock", 20), ("unlock", 20)]),
            (
                "Heirs.line",
                "PRODUCER-CONSUMER",
                [("put", 20), ("take", 20)],
            ),
            ("Heirs.GATE", "LOCK", [("lock", 20), ("unlock", 20)]),
            ("Heirs.late", "LOCK", [("lock", 20), ("unlock", 20)]),
        ] {
            let lock = at(place);
            assert_eq!(lock["types"][0]["type"], lock_type, "{context}: {lock:#}");
            let of = lock["operations"]["acts"].as_array().unwrap();
            for (act, times) in acts {
                let told = of.iter().find(|one| one["act"] == act);
                assert_eq!(told.expect(act)["times"], times, "{context}: {lock:#}");
            }
        }
        // What is no lock lends its place to none of the JDK's own.
        let stray = locks
            .iter()
            .find(|lock| lock["name"].as_str().unwrap().contains("stray"));
        assert!(stray.is_none(), "{context}: {stray:#?}");
        std::fs::remove_file(&trace).unwrap();
    }
}

fn json(words: &[&str], status: i32) -> Value {
    let ran = run(words).ended_with(status);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:#?}"))
}

#[test]
fn a_ring_of_a_lock_and_a_monitor_is_found_and_one_of_readers_is_none() {
    for jdk in jdks() {
        let context = format!("JDK {}", jdk.major);
        let (trace, _) = recorded(jdk, &["LockRings"]);
        let file = trace.to_string_lossy().into_owned();
        let graph = json(&["graph", &file, "--cycles", "--json"], 1);
        let nodes = graph["nodes"].as_array().unwrap();
        let name = |id: &Value| {
            let node = nodes.iter().find(|node| node["id"] == *id);
            node.expect("a node")["name"].as_str().unwrap()
        };
        let cycles = graph["cycles"].as_array().unwrap();
        let [cycle] = &cycles[..] else {
            panic!("{context}: {graph:#}");
        };
        let names: Vec<&str> = cycle["nodes"]
            .as_array()
            .unwrap()
            .iter()
            .map(name)
            .collect();
        assert_eq!(names.len(), 2, "{context}: {graph:#}");
        let has_lock = names.contains(&"LockRings.LOCK");
        let has_monitor = names.contains(&"LockRings.MONITOR");
        assert!(has_lock && has_monitor, "{context}: {names:?} {graph:#}");
        std::fs::remove_file(&trace).unwrap();
    }
}

#[test]
fn readers_and_holders_of_permits_are_blamed_on_every_jdk() {
    for jdk in jdks() {
        let context = format!("JDK {}", jdk.major);
        let (trace, _) = recorded(jdk, &["LockRings"]);
        let file = trace.to_string_lossy().into_owned();
        let words = [
            "contention",
            &file,
            "--by",
            "waiter-thread,owner-thread",
            "--csv",
        ];
        let blame = run(&words).ended_with(0).stdout;
        for (waiter, holders) in [
            ("reader-waits", ["reader-1", "reader-2"]),
            ("permit-waits", ["permit-1", "permit-2"]),
        ] {
            for holder in holders {
                let both = |line: &&str| line.contains(waiter) && line.contains(holder);
                assert!(blame.lines().any(|line| both(&line)), "{context}: {blame}");
            }
        }
        std::fs::remove_file(&trace).unwrap();
    }
}

#[test]
fn one_trace_after_the_other_leaves_a_program_as_it_was() {
    let mut subject = Subject::start_in(jdk(), crate::parked::classes(), &["ConcurrentZoo"]);
    let (file, word) = (
        subject.trace().to_string_lossy().into_owned(),
        subject.word(),
    );
    let begun = ["trace", &word, "--juc", "--yes", "-d", "0", "-o", &file];
    for _ in 0..5 {
        let mut running = Running::start(&begun);
        let is_recorded = || std::fs::metadata(&file).is_ok_and(|meta| meta.len() > 30_000);
        eventually("operations are recorded", is_recorded);
        running.0.kill().unwrap();
        eventually("our thread is gone", || !subject.has_our_thread());
        std::fs::remove_file(&file).unwrap();
    }
    let last = ["trace", &word, "--juc", "--yes", "-d", "1s", "-o", &file];
    run(&last).ended_with(0).printed("original bytes of");
    let locks = report(&file);
    let held = |lock: &Value| lock["operations"]["taken_alone"].as_u64() > Some(0);
    assert!(locks["locks"].as_array().unwrap().iter().any(held));
    assert!(subject.alive());
}

#[test]
fn what_ended_a_park_is_told_with_its_place() {
    for jdk in jdks() {
        let (trace, _) = recorded(jdk, &["Handovers"]);
        let report = report(&trace.to_string_lossy());
        let releases = |class: &str| {
            let locks = report["locks"].as_array().unwrap().iter();
            let mut of_class = locks.filter(|lock| {
                let name = lock["name"].as_str().unwrap();
                let is_it = lock["classes"][0].as_str().unwrap().ends_with(class);
                is_it && name.contains("Handovers") && !lock["parks"].is_null()
            });
            of_class
                .next()
                .unwrap_or_else(|| panic!("{class}: {report:#}"))["parks"]
                .clone()
        };
        for (class, act, place) in [
            ("ReentrantLock", "unlock", "Handovers.leave"),
            ("CountDownLatch", "count-down", "Handovers.open"),
        ] {
            let parks = releases(class);
            let first = &parks["releases"][0];
            let context = format!("JDK {}: {parks:#}", jdk.major);
            assert_eq!(first["thread"], "main", "{context}");
            assert_eq!(first["act"], act, "{context}");
            assert!(first["unparks"].as_u64() >= Some(45), "{context}");
            let frame = first["frames"][0].as_str().unwrap();
            assert!(frame.starts_with(place), "{context}");
        }
        std::fs::remove_file(&trace).unwrap();
    }
}
