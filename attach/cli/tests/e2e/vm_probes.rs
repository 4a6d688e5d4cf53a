//! `--vm-probes`: what the VM's own probes tell is what happened, and nothing of it stays behind.

use crate::rig::{Jdk, Ran, Running, Subject, classes, eventually, info, jdks, run, signal};
use locklens_libjvm::{Points, find};
use serde_json::Value;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// Rounds of notifies.
const ROUNDS: u64 = 600;

/// The JVM's library: where it is mapped, and its file.
fn library(subject: &Subject) -> (u64, PathBuf) {
    let maps = fs::read_to_string(format!("/proc/{}/maps", subject.pid())).unwrap();
    let line = maps.lines().find(|line| line.ends_with("/libjvm.so"));
    let line = line.expect("a JVM has one");
    let base = u64::from_str_radix(line.split('-').next().unwrap(), 16).unwrap();
    (base, PathBuf::from(&line[line.find('/').unwrap()..]))
}

/// What the library's file says.
fn points(subject: &Subject) -> Result<Points, String> {
    let (_, path) = library(subject);
    find(&File::open(path).unwrap()).map_err(|refusal| refusal.to_string())
}

/// Whether the JVM's code is as its file has it, and the flag cleared.
fn is_untouched(subject: &Subject) -> bool {
    let (base, _) = library(subject);
    let memory = File::open(format!("/proc/{}/mem", subject.pid())).unwrap();
    let holds = |at: u64, expected: &[u8]| {
        let mut bytes = vec![0; expected.len()];
        memory.read_exact_at(&mut bytes, base + at).unwrap();
        bytes == expected
    };
    let points = points(subject).expect("asked for such JVMs only");
    holds(points.flag, &[0]) && points.sites.iter().all(|s| holds(s.text_start, &s.text))
}

fn of_target(subject: &Subject, key: &str) -> Option<String> {
    let doc = info(subject.trace());
    doc["target"][key].as_str().map(str::to_owned)
}

/// Events of a kind in its trace.
fn events(subject: &Subject, kind: &str) -> u64 {
    info(subject.trace())["event_kinds"][kind]["records"]
        .as_u64()
        .unwrap_or(0)
}

/// Whether the probes were declined, as they may be on a machine so busy that the trial does not come out in time.
fn declined(subject: &Subject) -> bool {
    of_target(subject, "vmprobes").is_some_and(|said| said != "on")
}

fn recording(subject: &Subject, words: &[&str]) -> Running {
    let file = subject.trace().to_string_lossy().into_owned();
    let fixed = ["record", &subject.word(), "-o", &file, "-d", "0"];
    let running = Running::start(&[&fixed[..], words].concat());
    eventually("it records", || {
        fs::metadata(subject.trace()).is_ok_and(|file| file.len() > 200)
    });
    running
}

fn ended(running: Running) -> Ran {
    signal(running.pid(), "INT");
    running.wait().ended_with(0)
}

/// JVMs whose library's file allows it, and how they are started.
fn able() -> Vec<(&'static Jdk, Vec<&'static str>)> {
    let mut able = Vec::new();
    for jdk in jdks() {
        let subject = Subject::start(jdk, &["Idle"]);
        if points(&subject).is_err() {
            continue;
        }
        let ways: &[&[&str]] = match jdk.major {
            25 => &[
                &["-XX:+UseZGC"],
                &["-XX:+UseCompactObjectHeaders"],
                &[
                    "-XX:+UnlockDiagnosticVMOptions",
                    "-XX:+UseObjectMonitorTable",
                ],
                &["-Xcheck:jni"],
            ],
            21 => &[&["-XX:+UseZGC", "-XX:+ZGenerational"], &["-Xint"]],
            _ => &[&["-XX:+UseParallelGC"], &["-Xcheck:jni"], &["-Xint"]],
        };
        able.extend(ways.iter().map(|way| (jdk, way.to_vec())));
    }
    able
}

#[test]
fn notifies_that_find_somebody_are_told_all_and_no_others() {
    // With -Xcheck:jni the lock of who waits already is not known (no handle of our own making is tried there), so that its
    // first notify is left out and counted.
    let all = able().into_iter();
    for (jdk, options) in all.filter(|(_, options)| !options.contains(&"-Xcheck:jni")) {
        let rounds = ROUNDS.to_string();
        let words = [&options[..], &["NotifyCounts", &rounds]].concat();
        let (mut subject, mut lines) = Subject::start_heard(jdk, classes(), &words);
        let running = recording(&subject, &["--vm-probes"]);
        eventually("it listens", || of_target(&subject, "vmprobes").is_some());
        let state = of_target(&subject, "vmprobes");
        assert_eq!(state.as_deref(), Some("on"), "{} {options:?}", jdk.major);
        // Who waits already is told as waiting from the start; from then on its lock is known.
        eventually("the waiters are told", || events(&subject, "WAIT") > 0);
        subject.say("go");
        let books = lines.find_map(|line| Some(line.ok()?.strip_prefix("BOOKS ")?.to_owned()));
        let books: Vec<u64> = books
            .unwrap()
            .split(' ')
            .map(|n| n.parse().unwrap())
            .collect();
        ended(running);
        let told = ["NOTIFY", "NOTIFY-ALL"].map(|kind| events(&subject, kind));
        assert_eq!(told, books[..], "{} {options:?}", jdk.major);
        // Each notify leaves somebody to be woken when the notifier leaves, unless another one spins for the lock just then.
        let exits = events(&subject, "EXIT");
        assert!(
            exits > ROUNDS / 2,
            "{} {options:?}: {exits} exits",
            jdk.major
        );
        assert_eq!(of_target(&subject, "vmprobes.wrong"), None);
        let file = subject.trace().to_string_lossy().into_owned();
        run(&["report", &file])
            .ended_with(0)
            .printed("notifies observed");
        assert!(is_untouched(&subject), "{} {options:?}", jdk.major);
        assert!(subject.alive());
    }
}

#[test]
fn where_it_cannot_be_it_is_declined_in_words_and_recorded_without() {
    for jdk in jdks() {
        let subject = Subject::start(jdk, &["Turns"]);
        let Err(why) = points(&subject) else { continue };
        let file = subject.trace().to_string_lossy().into_owned();
        run(&[
            "record",
            &subject.word(),
            "--vm-probes",
            "-d",
            "1s",
            "-o",
            &file,
        ])
        .ended_with(0);
        assert_eq!(of_target(&subject, "vmprobes"), Some(why.clone()));
        assert!(events(&subject, "WAIT") > 0);
        run(&["report", &file])
            .ended_with(0)
            .printed("were not listened to");
        let doc: Value =
            serde_json::from_str(&run(&["doctor", &subject.word(), "--json"]).stdout).unwrap();
        let checks = doc["checks"].as_array().unwrap();
        let check = checks
            .iter()
            .find(|check| check["name"] == "vm-probes")
            .unwrap();
        assert_eq!(check["state"], "note", "{doc:#}");
        assert!(check["text"].as_str().unwrap().contains(&why), "{doc:#}");
    }
}

#[test]
fn somebody_elses_probes_are_left_alone() {
    for (jdk, _) in able() {
        let subject = Subject::start(jdk, &["-XX:+DTraceMonitorProbes", "Turns"]);
        let file = subject.trace().to_string_lossy().into_owned();
        run(&[
            "record",
            &subject.word(),
            "--vm-probes",
            "-d",
            "1s",
            "-o",
            &file,
        ])
        .ended_with(0);
        let said = of_target(&subject, "vmprobes").unwrap();
        assert!(said.contains("DTraceMonitorProbes"), "{said}");
        assert_eq!(events(&subject, "NOTIFY-ALL"), 0);
        run(&["doctor", &subject.word()]).printed("would decline");
    }
}

#[test]
fn switched_on_and_off_under_load_nothing_breaks() {
    let (mut all, mut heard) = (0, 0);
    for (jdk, options) in able() {
        all += 1;
        let words = [&options[..], &["NotifyLoad", "paced"]].concat();
        let (mut subject, mut lines) = Subject::start_heard(jdk, classes(), &words);
        let running = recording(&subject, &["--vm-probes=20"]);
        let mut on = || {
            lines
                .next()
                .is_some_and(|line| line.unwrap().starts_with("DONE"))
        };
        assert!((0..3).all(|_| on()), "{} {options:?}", jdk.major);
        eventually("they were switched so often", || {
            let switched = of_target(&subject, "vmprobes.switched");
            switched.as_deref() == Some("20") || declined(&subject)
        });
        ended(running);
        if !declined(&subject) {
            heard += 1;
            assert!(events(&subject, "NOTIFY") > 0 && events(&subject, "EXIT") > 0);
        }
        assert!(is_untouched(&subject), "{} {options:?}", jdk.major);
        assert!(on() && subject.alive(), "{} {options:?}", jdk.major);
    }
    assert!(all == 0 || heard > 0, "declined everywhere");
}

#[test]
fn a_command_that_is_killed_leaves_the_jvm_as_it_was() {
    let (mut all, mut heard) = (0, 0);
    for (jdk, options) in able() {
        all += 1;
        let words = [&options[..], &["NotifyLoad", "paced"]].concat();
        let (mut subject, mut lines) = Subject::start_heard(jdk, classes(), &words);
        for times in ["--vm-probes", "--vm-probes=100000"] {
            let running = recording(&subject, &[times]);
            eventually("it listens, or says why not", || {
                events(&subject, "NOTIFY") > 0 || declined(&subject)
            });
            if !declined(&subject) {
                heard += 1;
                assert!(times != "--vm-probes" || !is_untouched(&subject));
            }
            signal(running.pid(), "KILL");
            drop(running);
            eventually("the agent has gone", || !subject.has_our_thread());
            assert!(is_untouched(&subject), "{} {options:?}", jdk.major);
            let done = lines.find(|line| line.as_ref().is_ok_and(|line| line.starts_with("DONE")));
            assert!(
                done.is_some() && subject.alive(),
                "{} {options:?}",
                jdk.major
            );
            fs::remove_file(subject.trace()).unwrap();
        }
    }
    assert!(all == 0 || heard > 0, "declined everywhere");
}
