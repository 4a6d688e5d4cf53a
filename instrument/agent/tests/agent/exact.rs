//! Exact recording: what rewritten classes tell is what the program did, and afterwards they are as
//! they were.

use crate::harness::jdk::Jdk;
use crate::harness::trace::Trace;
use crate::harness::{Scratch, Station, Target, compile, read};
use locklens_trace::record::{LossCause, target_key};
use locklens_trace::{Event, EventKind, Record};
use std::collections::HashMap;
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;

/// An exact recording under way.
struct Session {
    control: UnixStream,
    records: JoinHandle<Vec<Record>>,
    facts: Receiver<HashMap<String, String>>,
}

impl Session {
    /// Sends the agent in and says what is wanted; the rewriting may still be under way.
    fn ask(target: &Target, scratch: &Scratch, wishes: &str) -> Self {
        let station = Station::new(scratch.path());
        let reply = target.load(&station.options(",depth=8,buffer=268435456"));
        let (hello, mut control) = station.accept();
        assert_eq!(hello.status, 0, "{hello:?} {reply}");
        control.write_all(b"X").expect("sent");
        let len = u32::try_from(wishes.len()).expect("short");
        control.write_all(&len.to_le_bytes()).expect("sent");
        control.write_all(wishes.as_bytes()).expect("sent");
        let stream = control.try_clone().expect("second handle");
        let (send, facts) = channel();
        let records = std::thread::spawn(move || {
            read(stream, |records, _| {
                if let Some(Record::Target(pairs)) = records.last() {
                    // Who asked may not be interested any more.
                    let _ = send.send(pairs.iter().cloned().collect());
                }
            })
        });
        Self {
            control,
            records,
            facts,
        }
    }

    /// The first facts that have this key.
    fn until(&self, key: &str) -> HashMap<String, String> {
        let mut facts = self.facts.iter();
        facts
            .find(|facts| facts.contains_key(key) || facts.contains_key(target_key::EXACT_ERROR))
            .expect("said before the end")
    }

    /// Begins, and is sure that it has.
    fn begin(target: &Target, scratch: &Scratch, wishes: &str) -> Self {
        let session = Self::ask(target, scratch, wishes);
        let facts = session.until(target_key::EXACT_SINCE);
        let error = facts.get(target_key::EXACT_ERROR);
        assert_eq!(error, None, "{facts:?}");
        session
    }

    fn end(mut self) -> Trace {
        // It may have ended by itself.
        let _ = self.control.write_all(b"S");
        Trace::of(&self.records.join().expect("readable"))
    }
}

/// What a program says it did: `entered 5 wait 2 …`.
fn books(line: &str) -> HashMap<&str, u64> {
    let words: Vec<&str> = line.split(' ').collect();
    let pairs = words.chunks_exact(2);
    pairs
        .map(|pair| {
            (
                pair[0],
                pair[1].parse().unwrap_or_else(|_| panic!("{line}")),
            )
        })
        .collect()
}

fn of_kind(trace: &Trace, kind: EventKind) -> impl Iterator<Item = &Event> {
    let same =
        move |event: &&Event| std::mem::discriminant(&event.kind) == std::mem::discriminant(&kind);
    trace.events.iter().filter(same)
}

fn count(trace: &Trace, kind: EventKind) -> u64 {
    of_kind(trace, kind).count() as u64
}

const WAIT: EventKind = EventKind::Wait { timeout: None };

fn assert_books(trace: &Trace, line: &str, context: &str) {
    let books = books(line);
    let seen = |kind| count(trace, kind);
    let lost: Vec<_> = trace
        .lost
        .iter()
        .filter(|(cause, _)| *cause != "StackBudget")
        .collect();
    assert!(lost.is_empty(), "{context}: {lost:?}");
    assert_eq!(seen(EventKind::Entered), books["entered"], "{context}");
    assert_eq!(seen(EventKind::Exit), books["entered"], "{context}");
    assert_eq!(seen(WAIT), books["wait"], "{context}");
    assert_eq!(seen(EventKind::Resumed), books["wait"], "{context}");
    assert_eq!(seen(EventKind::Notify), books["notify"], "{context}");
    assert_eq!(seen(EventKind::NotifyAll), books["all"], "{context}");
}

/// In the order of the trace no two threads hold a lock, and each leaves what it entered.
fn assert_exclusive(trace: &Trace, context: &str) {
    let mut holders = HashMap::new();
    for event in &trace.events {
        let (Some(lock), thread) = (event.lock, event.thread) else {
            continue;
        };
        let (holder, depth) = holders.entry(lock).or_insert((thread, 0_i32));
        match event.kind {
            EventKind::Entered | EventKind::Resumed if *depth == 0 => {
                (*holder, *depth) = (thread, 1)
            }
            EventKind::Entered => *depth += 1,
            EventKind::Exit => *depth -= 1,
            // Nothing waits while it holds a lock twice here.
            EventKind::Wait { .. } => *depth -= 1,
            EventKind::Notify | EventKind::NotifyAll => {}
            _ => continue,
        }
        assert!(
            *depth >= 0 && (*holder == thread || *depth == 0),
            "{context}: {event:?}"
        );
    }
}

struct Stage {
    target: Target,
    scratch: Scratch,
}

fn stage(jdk: &Jdk, flags: &[&str]) -> Stage {
    let scratch = Scratch::new();
    compile(jdk, "Counted", scratch.path());
    let mut flags = flags.to_vec();
    flags.push("-Xmx128m");
    let target = Target::start(jdk, scratch.path(), "Counted", &flags);
    Stage { target, scratch }
}

impl Stage {
    fn round(&mut self, words: &str) -> String {
        self.target.tell(words);
        self.target.line()
    }
}

#[test]
fn every_event_is_there_and_no_other() {
    for jdk in Jdk::all() {
        let context = format!("JDK {}", jdk.major);
        let mut stage = stage(&jdk, &["-Xverify:all"]);
        let session = Session::begin(&stage.target, &stage.scratch, "class Counted*\n");
        let said = stage.round("3 4000");
        let trace = session.end();
        assert_books(&trace, &said, &context);
        assert_exclusive(&trace, &context);
        assert_eq!(trace.target[target_key::EXACT], "true", "{context}");
        let rewritten = &trace.target[target_key::EXACT_CLASSES];
        assert_eq!(&trace.target[target_key::EXACT_RESTORED], rewritten);
        assert_eq!(trace.target[target_key::EXACT_ELSEWHERE], "0", "{context}");
        assert_eq!(trace.lost(LossCause::Unidentified), 0, "{context}");
        let sites = of_kind(&trace, EventKind::Exit).map(|event| trace.chain(event)[0].clone());
        let sites: std::collections::BTreeSet<String> = sites.collect();
        assert!(sites.contains("Counted.mirror") && sites.contains("Counted$Box.throwsOut"));
        // As before: nothing of it remains.
        let again = stage.round("2 1000");
        assert!(again.starts_with("entered "), "{context}: {again}");
    }
}
