//! Another agent that has classes replaced while they have probes.

use crate::parked::{locks, report};
use crate::rig::{Lines, Running, Subject, classes, eventually, jar, jdks, run, signal};
use serde_json::Value;

const LOCK_SUPPORT: &str = "java.util.concurrent.locks.LockSupport";

/// How it has them replaced; in the last round not at all.
const WAYS: [Option<&str>; 3] = [Some("retransform"), Some("redefine"), None];

/// The program with its agent, and what it prints.
struct Rival {
    subject: Subject,
    lines: Lines,
}

impl Rival {
    fn all() -> impl Iterator<Item = (u32, Self)> {
        let manifest =
            "Premain-Class: Rival\nCan-Retransform-Classes: true\nCan-Redefine-Classes: true\n";
        let agent = format!("-javaagent:{}", jar(manifest).display());
        jdks().iter().map(move |jdk| {
            let words = [agent.as_str(), "Rival"];
            let (subject, lines) = Subject::start_heard(jdk, classes(), &words);
            (jdk.major, Self { subject, lines })
        })
    }

    /// Has it do something; how often it has rung since it began to.
    fn tell(&mut self, what: &str) -> u64 {
        self.subject.say(what);
        self.lines.next().unwrap().unwrap().parse().unwrap()
    }

    /// A trace of its parks and monitors, and what it did meanwhile.
    fn traced<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> (Value, T) {
        let file = self.subject.trace().to_string_lossy().into_owned();
        let word = self.subject.word();
        let chosen = ["--juc", "--class", "Rival$*", "--yes"];
        let words = [&["trace", &word, "-d", "0", "-o", &file][..], &chosen].concat();
        let running = Running::start(&words);
        eventually("parks are recorded", || {
            let text = run(&["report", "--json", &file]).stdout;
            let report = serde_json::from_str::<Value>(&text);
            report.is_ok_and(|report| report["recording"]["parks"]["parks"].as_u64() > Some(0))
        });
        let done = act(self);
        signal(running.pid(), "INT");
        running.wait().ended_with(0);
        (report(&file), done)
    }

    /// The table for people; the trace is gone afterwards.
    fn table(&self) -> String {
        let file = self.subject.trace().to_string_lossy().into_owned();
        let table = run(&["report", &file]).ended_with(0).stdout;
        std::fs::remove_file(&file).unwrap();
        table
    }
}

#[test]
fn monitors_are_not_called_exact_where_another_agent_took_the_probes_away() {
    for (major, mut rival) in Rival::all() {
        // One that has come rewritten, and one that was there before.
        for (way, class) in WAYS.into_iter().zip(["Late", "Till", "none"]) {
            let context = format!("JDK {major}, {way:?} {class}");
            let (report, (before, all)) = rival.traced(|rival| {
                rival.tell("ring");
                let mut before = rival.tell("go-on");
                if let Some(way) = way {
                    before = rival.tell(&format!("{way} Rival${class}"));
                }
                rival.tell("go-on");
                (before, rival.tell("stop"))
            });
            let recording = &report["recording"];
            let doubts = recording["incomplete"].as_array().unwrap();
            let is_named = doubts.iter().any(|doubt| {
                let doubt = doubt.as_str().unwrap();
                doubt.contains(&format!("another agent had Rival${class} replaced"))
            });
            assert_eq!(is_named, way.is_some(), "{context}: {recording:#}");
            assert_eq!(doubts.is_empty(), way.is_none(), "{context}: {doubts:#?}");
            for of in ["Till", "Late"] {
                let found = locks(&report, &format!("Rival${of}"));
                let [lock] = found[..] else {
                    panic!("{context}: {of}: {report:#}");
                };
                let seen = lock["locked_at_least"].as_u64().unwrap();
                assert_eq!(
                    lock["locked"].is_null(),
                    way.is_some(),
                    "{context}: {lock:#}"
                );
                match class == of {
                    true => assert!(seen <= before + 1, "{context}: {seen} {before} {all}"),
                    false => assert_eq!(seen, all, "{context}: {of}"),
                }
            }
            assert!(recording["parks"]["replaced_ns"].is_null(), "{context}");
            let exact = !rival.table().contains("exact, incomplete");
            assert_eq!(exact, way.is_none(), "{context}");
        }
    }
}

#[test]
fn parks_are_not_called_exact_where_another_agent_took_the_probes_away() {
    for (major, mut rival) in Rival::all() {
        for way in WAYS {
            let context = format!("JDK {major}, {way:?}");
            let (report, ()) = rival.traced(|rival| {
                rival.tell("ring");
                if let Some(way) = way {
                    rival.tell(&format!("{way} {LOCK_SUPPORT}"));
                }
                rival.tell("stop");
            });
            let recording = &report["recording"];
            let parks = &recording["parks"];
            assert!(parks["parks"].as_u64() > Some(0), "{context}: {parks}");
            let is_told = !parks["replaced_ns"].is_null();
            assert_eq!(is_told, way.is_some(), "{context}: {parks}");
            // It parks, and has no monitors.
            assert_eq!(
                recording["incomplete"],
                Value::Array(Vec::new()),
                "{context}"
            );
            let incomplete = rival.table().contains("parks exact, incomplete");
            assert_eq!(incomplete, way.is_some(), "{context}");
        }
    }
}
