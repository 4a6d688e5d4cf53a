//! Exact recording: what rewritten classes tell is what the program did, and afterwards they are as
//! they were.

use crate::harness::jdk::Jdk;
use crate::harness::trace::Trace;
use crate::harness::{Scratch, Station, Target, agent, compile, read, until};
use locklens_trace::record::{LossCause, target_key};
use locklens_trace::{Event, EventKind, LockId, Record, ThreadId};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::io::Write;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// Room for everything a round can leave, in a library that is not optimised.
const OPTIONS: &str = ",depth=8,buffer=1073741824";

/// An exact recording under way.
struct Session {
    control: UnixStream,
    records: JoinHandle<Vec<Record>>,
    facts: Receiver<HashMap<String, String>>,
    /// Whoever holds it keeps the records from being read.
    reading: Arc<Mutex<()>>,
}

impl Session {
    /// Sends the agent in and says what is wanted; the rewriting may still be under way.
    fn ask(target: &Target, scratch: &Scratch, options: &str, wishes: &str) -> Self {
        let station = Station::new(scratch.path());
        let reply = target.load(&station.options(&format!("{options},exact=1")));
        Self::meet(&station, wishes, &reply)
    }

    /// Meets an agent that is on its way, and says what is wanted.
    fn meet(station: &Station, wishes: &str, context: &str) -> Self {
        let (hello, mut control) = station.accept();
        assert_eq!(hello.status, 0, "{hello:?} {context}");
        control.write_all(b"X").expect("sent");
        let len = u32::try_from(wishes.len()).expect("short");
        control.write_all(&len.to_le_bytes()).expect("sent");
        control.write_all(wishes.as_bytes()).expect("sent");
        let stream = control.try_clone().expect("second handle");
        let (send, facts) = channel();
        let reading = Arc::new(Mutex::new(()));
        let may_read = Arc::clone(&reading);
        let records = std::thread::spawn(move || {
            read(stream, |records, _| {
                drop(may_read.lock().expect("no panic"));
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
            reading,
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
        Self::begin_with(target, scratch, OPTIONS, wishes)
    }

    fn begin_with(target: &Target, scratch: &Scratch, options: &str, wishes: &str) -> Self {
        let session = Self::ask(target, scratch, options, wishes);
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
    let doubled = || waits_without_end(trace);
    assert_eq!(seen(WAIT), books["wait"], "{context}: {}", doubled());
    let resumed = books["wait"] - books["threw"];
    assert_eq!(seen(EventKind::Resumed), resumed, "{context}");
    assert_eq!(seen(EventKind::Interrupted), books["threw"], "{context}");
    assert_eq!(seen(EventKind::Notify), books["notify"], "{context}");
    assert_eq!(seen(EventKind::NotifyAll), books["all"], "{context}");
}

/// What threads did that were told to wait while they waited, to find out why.
fn waits_without_end(trace: &Trace) -> String {
    let mut threads: BTreeMap<ThreadId, Vec<&Event>> = BTreeMap::new();
    for event in &trace.events {
        threads.entry(event.thread).or_default().push(event);
    }
    let mut told = String::new();
    for events in threads.values() {
        let mut waits = false;
        for (at, event) in events.iter().enumerate() {
            match event.kind {
                EventKind::Wait { .. } if waits => {
                    let around = &events[at.saturating_sub(8)..events.len().min(at + 8)];
                    let _ = writeln!(told, "{around:#?}");
                }
                EventKind::Wait { .. } => waits = true,
                EventKind::Resumed | EventKind::Interrupted => waits = false,
                _ => {}
            }
        }
    }
    told
}

fn by_lock(trace: &Trace) -> HashMap<LockId, Vec<&Event>> {
    let mut locks: HashMap<LockId, Vec<&Event>> = HashMap::new();
    for event in &trace.events {
        if let Some(lock) = event.lock {
            locks.entry(lock).or_default().push(event);
        }
    }
    locks
}

/// In this order no two threads hold the lock, and each leaves what it entered.
fn assert_held_by_one(events: &[&Event], context: &str) {
    let (mut holder, mut depth) = (None, 0);
    for event in events {
        match event.kind {
            EventKind::Entered | EventKind::Resumed | EventKind::Interrupted if depth == 0 => {
                holder = Some(event.thread);
            }
            EventKind::Entered | EventKind::Exit | EventKind::Notify | EventKind::NotifyAll => {}
            // Nothing waits while it holds a lock twice here.
            EventKind::Wait { .. } => {}
            _ => continue,
        }
        assert_eq!(holder, Some(event.thread), "{context}: {event:?}");
        depth += match event.kind {
            EventKind::Entered | EventKind::Resumed | EventKind::Interrupted => 1,
            EventKind::Exit | EventKind::Wait { .. } => -1,
            _ => 0,
        };
    }
    assert_eq!(depth, 0, "{context}");
}

struct Stage {
    target: Target,
    scratch: Scratch,
}

fn stage(jdk: &Jdk, flags: &[&str]) -> Stage {
    stage_of("Counted", jdk, flags)
}

fn stage_of(program: &str, jdk: &Jdk, flags: &[&str]) -> Stage {
    let scratch = Scratch::new();
    compile(jdk, program, scratch.path());
    let mut flags = flags.to_vec();
    flags.push("-Xmx128m");
    let mut target = Target::launch(jdk, scratch.path(), program, &flags);
    while target.line() != "ready" {}
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
        for (lock, events) in by_lock(&trace) {
            assert_held_by_one(&events, &format!("{context} {lock:?}"));
        }
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

fn add<'a>(sums: &mut HashMap<&'a str, u64>, line: &'a str) {
    for (word, count) in books(line) {
        *sums.entry(word).or_default() += count;
    }
}

/// Books of several rounds, as one line.
fn together(lines: &[String]) -> String {
    let mut sums = HashMap::new();
    lines.iter().for_each(|line| add(&mut sums, line));
    let words: Vec<String> = sums.iter().map(|(word, n)| format!("{word} {n}")).collect();
    words.join(" ")
}

#[test]
fn classes_that_are_loaded_during_a_recording_are_seen_from_their_first_step() {
    for jdk in Jdk::all() {
        let context = format!("JDK {}", jdk.major);
        let mut stage = stage_of("Late", &jdk, &["-Xverify:all"]);
        compile(&jdk, "Counted", stage.scratch.path());
        // Something must be there that can be rewritten.
        stage.round("1 10");
        let session = Session::begin(&stage.target, &stage.scratch, "class Counted*\n");
        let said: Vec<String> = (0..5).map(|_| stage.round("2 1000")).collect();
        let trace = session.end();
        assert_books(&trace, &together(&said), &context);
        for (lock, events) in by_lock(&trace) {
            assert_held_by_one(&events, &format!("{context} {lock:?}"));
        }
        let names = &trace.target[target_key::EXACT_NAMES];
        assert_eq!(
            names.matches("Counted$Pair").count(),
            6,
            "{context}: {names}"
        );
        let rewritten = &trace.target[target_key::EXACT_CLASSES];
        assert_eq!(
            &trace.target[target_key::EXACT_RESTORED],
            rewritten,
            "{context}"
        );
        // Those that came are as they were, and so are those that come now.
        let again = stage.round("2 500");
        assert!(again.starts_with("entered "), "{context}: {again}");
    }
}

#[test]
fn from_the_start_of_a_program_nothing_is_missing() {
    for jdk in Jdk::all() {
        let context = format!("JDK {}", jdk.major);
        let scratch = Scratch::new();
        compile(&jdk, "Counted", scratch.path());
        let station = Station::new(scratch.path());
        let options = station.options(&format!("{OPTIONS},exact=1"));
        let library = format!("-agentpath:{}={options}", agent().display());
        let flags = [library.as_str(), "-Xverify:all", "-Xmx128m"];
        let mut target = Target::launch(&jdk, scratch.path(), "Counted", &flags);
        let session = Session::meet(&station, "class Counted*\n", &context);
        let warm = target.line();
        assert_eq!(target.line(), "ready", "{context}: {warm}");
        target.tell("2 1000");
        let said = [warm, target.line()];
        let trace = session.end();
        assert_books(&trace, &together(&said), &context);
        let sites = of_kind(&trace, EventKind::Exit).map(|event| trace.chain(event)[0].clone());
        let sites: std::collections::BTreeSet<String> = sites.collect();
        assert!(sites.contains("Counted.mirror") && sites.contains("Counted$Box.throwsOut"));
        assert!(target.is_alive(), "{context}");
    }
}

#[test]
fn without_a_clock_the_order_is_kept_and_nothing_is_lost() {
    for jdk in Jdk::all() {
        let context = format!("JDK {}", jdk.major);
        let mut stage = stage(&jdk, &[]);
        let wishes = "class Counted*\nclock 0\n";
        let session = Session::begin(&stage.target, &stage.scratch, wishes);
        let said = stage.round("3 2000");
        let trace = session.end();
        assert_books(&trace, &said, &context);
        for (lock, mut events) in by_lock(&trace) {
            events.sort_by_key(|event| event.seq);
            assert_held_by_one(&events, &format!("{context} {lock:?}"));
        }
    }
}

#[test]
fn what_is_chosen_by_object_is_recorded_and_the_rest_is_not() {
    let jdk = Jdk::newest();
    let mut stage = stage(&jdk, &[]);
    let wishes = "class Counted*\nlock Counted$Pair\n";
    let session = Session::begin(&stage.target, &stage.scratch, wishes);
    stage.round("2 1000");
    let trace = session.end();
    assert!(!trace.events.is_empty());
    for event in trace.events.iter().filter(|event| event.lock.is_some()) {
        assert_eq!(trace.lock_class(event), "Counted$Pair");
    }
    let pair = trace.on("Counted$Pair", EventKind::Entered).len();
    assert!(pair >= 200, "{pair}");
    let session = Session::begin(&stage.target, &stage.scratch, "method Counted.mirror\n");
    stage.round("2 1000");
    let trace = session.end();
    assert_eq!(count(&trace, EventKind::Entered), 2000);
    assert_eq!(trace.on("java.lang.Class", EventKind::Exit).len(), 2000);
}

#[test]
fn full_rings_drop_and_count() {
    let jdk = Jdk::newest();
    let mut stage = stage(&jdk, &[]);
    let options = ",depth=8,buffer=33554432";
    let session = Session::begin_with(&stage.target, &stage.scratch, options, "class Counted*\n");
    let reading = Arc::clone(&session.reading);
    let unread = reading.lock().expect("no panic");
    let said = stage.round("3 60000");
    drop(unread);
    let trace = session.end();
    let books = books(&said);
    let seen = trace.events.iter().filter(|e| e.lock.is_some()).count() as u64;
    let lost = trace.lost(LossCause::BufferFull);
    let told = [EventKind::Enter, EventKind::Waited { timed_out: false }];
    let of_jvm: u64 = told.into_iter().map(|kind| count(&trace, kind)).sum();
    let all = 2 * books["entered"] + 2 * books["wait"] + books["notify"] + books["all"];
    assert!(lost > 0, "everything found room: {seen}");
    // The JVM's word of an enter or a wait stands where the probe's was dropped.
    assert!(seen - of_jvm + lost >= all, "{seen} {of_jvm} {lost} {all}");
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_is_touched() {
    let jdk = Jdk::newest();
    let mut stage = stage(&jdk, &[]);
    for (wishes, word) in [
        ("class Nobody\n", "no class of that name"),
        (
            "class java.lang.Math\n",
            "the class of that name locks, waits for and notifies nothing",
        ),
        ("colour red\n", "colour"),
        ("class Counted*\n", "--buffer of 32M"),
    ] {
        let small = word.starts_with("--buffer");
        let options = if small {
            ",depth=8,buffer=16777216"
        } else {
            OPTIONS
        };
        let session = Session::ask(&stage.target, &stage.scratch, options, wishes);
        let facts = session.until(target_key::EXACT_SINCE);
        let error = facts.get(target_key::EXACT_ERROR);
        let fits = error.is_some_and(|error| error.contains(word));
        assert!(fits, "{wishes}: {facts:?}");
        let trace = session.end();
        assert_eq!(trace.target[target_key::EXACT], "false");
    }
    let session = Session::ask(
        &stage.target,
        &stage.scratch,
        OPTIONS,
        "class Counted*\ndry 1\n",
    );
    session.until(target_key::EXACT_NAMES);
    let trace = session.end();
    assert!(trace.target[target_key::EXACT_NAMES].contains("Counted$Pair"));
    assert!(!trace.target.contains_key(target_key::EXACT_SINCE));
    assert!(stage.round("1 10").starts_with("entered "));
}

#[test]
fn fifty_recordings_leave_nothing_and_change_nothing() {
    for jdk in Jdk::all() {
        let context = format!("JDK {}", jdk.major);
        let mut stage = stage(&jdk, &[]);
        let mut maps = 0;
        for turn in 0..50 {
            let session = Session::begin_with(
                &stage.target,
                &stage.scratch,
                ",depth=8,buffer=33554432",
                "class Counted*\n",
            );
            let said = stage.round("2 200");
            let trace = session.end();
            assert_books(&trace, &said, &format!("{context}, {turn}"));
            if turn == 9 {
                maps = stage.target.maps();
            }
        }
        // Threads of the JVM's own come and go; fifty recordings would leave fifty.
        assert!(stage.target.maps() < maps + 30, "{context}: mappings stay");
        assert!(stage.round("2 200").starts_with("entered "), "{context}");
    }
}

#[test]
fn when_the_command_dies_the_classes_are_put_back() {
    for jdk in Jdk::all() {
        let mut stage = stage(&jdk, &[]);
        let session = Session::begin(&stage.target, &stage.scratch, "class Counted*\n");
        // Both ends: the command's descriptors close when it dies.
        session.control.shutdown(Shutdown::Both).expect("open");
        drop(session.control);
        until("our thread's end", || {
            let threads = stage.target.threads();
            !threads.iter().any(|name| name.starts_with("locklens"))
        });
        // A rewritten method would be rewritten twice: its sites would be counted twice.
        let session = Session::begin(&stage.target, &stage.scratch, "class Counted*\n");
        let said = stage.round("2 500");
        let trace = session.end();
        assert_books(&trace, &said, &format!("JDK {}", jdk.major));
    }
}

/// A class loader of the program's would run its code in our thread.
#[test]
fn the_programs_class_loader_is_asked_for_nothing_that_this_jvm_does_not_have() {
    for jdk in Jdk::all() {
        let own = "-Djava.system.class.loader=Asked$Loader";
        let mut stage = stage_of("Asked", &jdk, &[own]);
        let session = Session::begin(&stage.target, &stage.scratch, "class Asked\n");
        let said = stage.round("");
        assert_eq!(said, "in vain:", "JDK {}", jdk.major);
        session.end();
    }
}

/// A defect of ours, as builds for tests can be asked for: what it has rewritten is silent, and can be put back.
#[test]
fn classes_that_a_writer_which_fails_leaves_rewritten_are_found_and_put_back() {
    for jdk in Jdk::all() {
        let context = format!("JDK {}", jdk.major);
        let mut stage = stage_of("Late", &jdk, &[]);
        compile(&jdk, "Counted", stage.scratch.path());
        stage.round("1 10");
        let mut session = Session::begin(&stage.target, &stage.scratch, "class Counted*\n");
        let came = stage.round("2 100");
        session.control.write_all(b"!").expect("a fault asked for");
        // The stream breaks off.
        let _ = session.records.join();
        until("our thread's end", || {
            let threads = stage.target.threads();
            !threads.iter().any(|name| name.starts_with("locklens"))
        });
        assert!(stage.round("1 100").starts_with("entered "), "{context}");
        let session = Session::ask(&stage.target, &stage.scratch, OPTIONS, "detach 1\n");
        let facts = session.until(target_key::EXACT_RESTORED);
        let (there, back) = (
            &facts[target_key::EXACT_DORMANT],
            &facts[target_key::EXACT_RESTORED],
        );
        let many: u32 = there.parse().expect("a number");
        // Those that had come among them.
        assert!(many > 3 && there == back, "{context}: {came}: {facts:?}");
        session.end();
        let session = Session::begin(&stage.target, &stage.scratch, "class Counted*\n");
        let said = stage.round("2 500");
        assert_books(&session.end(), &said, &context);
    }
}

#[test]
fn rewritten_methods_are_compiled() {
    for jdk in Jdk::all() {
        let mut stage = stage(&jdk, &["-XX:+PrintCompilation", "-Xbatch"]);
        let session = Session::begin(&stage.target, &stage.scratch, "class Counted*\n");
        stage.target.tell("2 20000");
        let mut seen = false;
        let said = loop {
            let line = stage.target.line();
            if line.starts_with("entered ") {
                break line;
            }
            assert!(
                !line.contains("COMPILE SKIPPED"),
                "JDK {}: {line}",
                jdk.major
            );
            seen |= line.contains(" 4 ") && line.contains("Counted$Box::");
        };
        assert!(seen, "JDK {}: nothing was compiled: {said}", jdk.major);
        session.end();
    }
}

#[test]
fn virtual_threads_are_told_apart_whatever_carries_them() {
    for jdk in Jdk::all().into_iter().filter(|jdk| jdk.major >= 21) {
        let context = format!("JDK {}", jdk.major);
        let mut stage = stage(&jdk, &["-Dvirtual=true"]);
        let session = Session::begin(&stage.target, &stage.scratch, "class Counted*\n");
        let said = stage.round("400 60");
        let trace = session.end();
        assert_books(&trace, &said, &context);
        let threads: HashSet<_> = of_kind(&trace, EventKind::Entered)
            .map(|e| e.thread)
            .collect();
        assert!(threads.len() >= 400, "{context}: {} threads", threads.len());
        for (lock, events) in by_lock(&trace) {
            assert_held_by_one(&events, &format!("{context} {lock:?}"));
        }
    }
}

/// The JVM's word for an acquisition that no probe confirmed has no site.
fn unconfirmed(trace: &Trace) -> usize {
    let entered = of_kind(trace, EventKind::Entered);
    entered.filter(|event| event.stack.is_none()).count()
}

#[test]
fn who_blocked_before_there_were_probes_is_told_in_time_and_nothing_after_they_fell_silent() {
    for jdk in Jdk::all() {
        let mut stage = stage_of("Loops", &jdk, &[]);
        for _ in 0..5 {
            let session = Session::begin(&stage.target, &stage.scratch, "class Loops\n");
            stage.round("100");
            let trace = session.end();
            let context = format!("JDK {}: {:?}", jdk.major, trace.target);
            assert!(trace.events.is_sorted_by_key(|event| event.at), "{context}");
            assert_eq!(trace.target[target_key::EXACT_ELSEWHERE], "0", "{context}");
            assert_eq!(trace.target[target_key::EXACT_UNMET], "0", "{context}");
            assert!(count(&trace, EventKind::Exit) >= 90, "{context}");
            // At the beginning each of three threads may have been on its way in, at the end one.
            assert!(unconfirmed(&trace) <= 4, "{context}");
        }
    }
}

#[test]
fn locks_of_a_loop_that_keeps_its_old_code_are_told_by_the_jvm_alone() {
    for jdk in Jdk::all() {
        let mut stage = stage_of("Loops", &jdk, &["-Dstay=true"]);
        for (wishes, recorded) in [
            ("class Loops\n", true),
            ("class Loops\nlock java.lang.Object\n", true),
            ("class Loops\nlock Loops\n", false),
        ] {
            let session = Session::begin(&stage.target, &stage.scratch, wishes);
            stage.round("100");
            let trace = session.end();
            let context = format!("JDK {}, {wishes}: {:?}", jdk.major, trace.target);
            assert_eq!(count(&trace, EventKind::Exit), 0, "{context}");
            let unmet = &trace.target[target_key::EXACT_UNMET];
            assert_eq!(unmet, if recorded { "1" } else { "0" }, "{context}");
            assert_eq!(unconfirmed(&trace) > 0, recorded, "{context}");
            // Who had blocked before has no call chain that tells where.
            let others: u64 = trace.target[target_key::EXACT_OTHERS]
                .parse()
                .expect("a number");
            assert_eq!(others <= 3, recorded, "{context}");
        }
    }
}

/// Who calls a lock that is none of the JDK's, or null, by the interface of all locks lends its place to nobody.
#[test]
fn what_is_no_lock_of_the_jdk_lends_its_place_to_none_of_them() {
    for jdk in Jdk::all() {
        let context = format!("JDK {}", jdk.major);
        let mut stage = stage_of("Foreign", &jdk, &["-Xverify:all"]);
        let wishes = "class Foreign$Calls\njuc 1\n";
        let session = Session::begin(&stage.target, &stage.scratch, wishes);
        stage.round("50");
        let trace = session.end();
        let mut told: BTreeMap<String, u32> = BTreeMap::new();
        for operation in &trace.operations {
            let place = trace.place(operation);
            if trace.thread(operation.thread) == "main" {
                let place = place.first().map_or("", String::as_str);
                let told = told.entry(format!("{:?} {place}", operation.act));
                *told.or_default() += 1;
            }
        }
        let expected = [
            ("Lock Foreign$Calls.lock", 50),
            ("Lock Foreign$Calls.tryFor", 50),
            ("Unlock Foreign$Calls.unlock", 100),
            ("Put Foreign$Calls.put", 50),
        ];
        for (what, times) in expected {
            assert_eq!(told.get(what), Some(&times), "{context}: {what}: {told:?}");
        }
        // Besides these the JDK has locks of its own, in queues and streams.
        for what in ["Lock ", "Unlock "] {
            let times = told.get(what).copied();
            assert!(times >= Some(150), "{context}: {what}: {told:?}");
        }
    }
}
