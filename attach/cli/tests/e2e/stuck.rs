//! Programs that get stuck, before a recording or in it: who holds what, and how to get out.

use crate::rig::{Jdk, Running, Subject, eventually, jdks, run, signal};
use serde_json::Value;

/// The first JDK that does not stop for a call chain: an older one that took long for the first is not asked for more.
const GOES_ON: u32 = 17;

/// The first JDK with virtual threads.
const VIRTUAL: u32 = 21;

/// Two carriers at least: on some JDKs a virtual thread that holds a monitor keeps its own.
fn jam(jdk: &Jdk, way: &str) -> Subject {
    let carriers = "-Djdk.virtualThreadScheduler.parallelism=2";
    Subject::start(jdk, &[carriers, "Jam", way])
}

fn is_stuck(subject: &Subject) -> bool {
    subject.threads().iter().any(|name| name.trim() == "stuck")
}

/// The program with the trace of a recording that began when it was stuck already.
fn recorded_when_stuck(jdk: &Jdk, way: &str) -> (Subject, String) {
    let mut subject = jam(jdk, way);
    subject.say("");
    eventually("it is stuck", || is_stuck(&subject));
    let trace = subject.trace().to_string_lossy().into_owned();
    run(&["record", &subject.word(), "-d", "2s", "-o", &trace]).ended_with(0);
    (subject, trace)
}

fn report(trace: &str) -> Value {
    let ran = run(&["report", "--json", trace]).ended_with(0);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:#?}"))
}

#[test]
fn who_holds_a_stuck_lock_is_told_and_that_it_waits_for_those_it_keeps_out() {
    for jdk in jdks() {
        let (_subject, trace) = recorded_when_stuck(jdk, "lockout");
        let document = report(&trace);
        let all = document["blockages"].as_array().unwrap();
        assert_eq!(all.len(), 1, "JDK {}: {document:#}", jdk.major);
        let holder = &all[0]["holder"];
        assert_eq!(holder["thread"], "taker", "JDK {}: {all:#?}", jdk.major);
        assert_eq!(holder["known_by"], "end");
        assert_eq!(holder["waits_on"]["timed"], false);
        assert_eq!(all[0]["blocked"].as_array().unwrap().len(), 2);
        assert_eq!(all[0]["may_be_lockout"], true);
        run(&["report", &trace])
            .ended_with(0)
            .printed("STUCK: 2 threads are blocked on Jam.Box")
            .printed("held by \"taker\"")
            .printed("lockout");
        let told = run(&["deadlocks", "--json", &trace]).ended_with(0);
        let told: Value = serde_json::from_str(&told.stdout).unwrap();
        let all_told = told["deadlocks"].as_array().unwrap();
        let suspected = all_told.iter().find(|one| one["unserved"] == "kept-out");
        let suspected = suspected.unwrap_or_else(|| panic!("JDK {}: {told:#}", jdk.major));
        assert_eq!(suspected["tier"], "T5");
        assert_eq!(suspected["kind"], "nested-wait");
        assert_eq!(suspected["edges"][0]["thread"], "taker", "{suspected:#}");
        let lock = all[0]["lock"].as_u64().unwrap().to_string();
        run(&["show", &trace, &lock])
            .ended_with(0)
            .printed("held by \"taker\"");
    }
}

#[test]
fn what_the_holder_of_a_stuck_lock_is_doing_is_told() {
    for jdk in jdks() {
        let (_subject, trace) = recorded_when_stuck(jdk, "busy");
        let document = report(&trace);
        let holder = &document["blockages"][0]["holder"];
        assert_eq!(holder["thread"], "grinder", "JDK {}", jdk.major);
        if jdk.major < GOES_ON && holder["chain"].is_null() {
            continue;
        }
        let frames = holder["chain"]["frames"].as_array();
        let frames = frames.unwrap_or_else(|| panic!("JDK {}: {document:#}", jdk.major));
        let at = |frame: &Value| {
            frame
                .as_str()
                .is_some_and(|at| at.starts_with("Jam.turn(Jam.java:"))
        };
        assert!(frames.iter().any(at), "JDK {}: {frames:#?}", jdk.major);
        run(&["report", &trace])
            .ended_with(0)
            .printed("held by \"grinder\"")
            .printed("      Jam.grind(Jam.java:");
    }
}

#[test]
fn what_holders_do_is_told_of_each_however_many_want_what_one_of_them_has() {
    for jdk in jdks().iter().filter(|jdk| jdk.major >= GOES_ON) {
        let (_subject, trace) = recorded_when_stuck(jdk, "crowd");
        let document = report(&trace);
        let all = document["blockages"].as_array().unwrap();
        let holders = all.iter().map(|blockage| &blockage["holder"]);
        let told = holders.filter(|holder| holder["chain"].is_object());
        let mut names: Vec<_> = told
            .filter_map(|holder| holder["thread"].as_str())
            .collect();
        names.sort_unstable();
        let each = ["sleeper-0", "sleeper-1", "sleeper-2"];
        assert_eq!(names, each, "JDK {}: {document:#}", jdk.major);
    }
}

/// The first JDK that keeps a thread while it is asked for its processor time.
const PROVES: u32 = 11;

/// The blockage of a thread of that name.
fn blockage<'r>(document: &'r Value, thread: &str) -> &'r Value {
    let all = document["blockages"].as_array().unwrap();
    let of_it = |blockage: &&Value| blockage["blocked"][0]["thread"] == thread;
    let found = all.iter().find(of_it);
    found.unwrap_or_else(|| panic!("{thread}: {document:#}"))
}

fn has_frame(chain: &Value, method: &str) -> bool {
    let frames = chain["frames"].as_array().into_iter().flatten();
    let mut frames = frames.filter_map(Value::as_str);
    frames.any(|frame| frame.starts_with(method))
}

#[test]
fn who_holds_a_lock_of_java_util_concurrent_is_told_and_what_he_does() {
    for jdk in jdks() {
        let (_subject, trace) = recorded_when_stuck(jdk, "owners");
        let document = report(&trace);
        let context = format!("JDK {}: {document:#}", jdk.major);
        for (guest, owner) in [("miner-guest", "miner"), ("writer-guest", "writer")] {
            let holder = &blockage(&document, guest)["holder"];
            assert_eq!(holder["thread"], owner, "{context}");
            assert_eq!(holder["held_since_ns"], 0, "{context}");
            assert_eq!(holder["ended"], false, "{context}");
            if jdk.major >= GOES_ON {
                assert!(has_frame(&holder["chain"], "Jam.takeAndSleep"), "{context}");
            }
        }
        let holder = &blockage(&document, "gone-guest")["holder"];
        assert_eq!(holder["thread"], "gone", "{context}");
        assert_eq!(holder["ended"], true, "{context}");
        let read = blockage(&document, "reader-guest");
        assert_eq!(read["holder"], Value::Null, "{context}");
        assert_eq!(read["held_by_readers"], true, "{context}");
        let ran = run(&["report", &trace])
            .ended_with(0)
            .printed("STUCK: 1 thread is blocked on ReentrantLock")
            .printed("which has ended without releasing it")
            .printed("held by readers (who is not known by watching)");
        let lines = ran.stdout.lines();
        let long: Vec<_> = lines.filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "JDK {}: {long:#?}", jdk.major);
    }
}

/// A stuck program is often killed before its recording ends.
#[test]
fn who_holds_a_lock_of_java_util_concurrent_is_told_of_a_program_that_went_away_too() {
    for (jdk, last) in jdks().iter().flat_map(|jdk| [(jdk, "KILL"), (jdk, "TERM")]) {
        let mut subject = jam(jdk, "owners");
        subject.say("");
        eventually("it is stuck", || is_stuck(&subject));
        let trace = subject.trace().to_string_lossy().into_owned();
        let record = Running::start(&["record", &subject.word(), "-d", "0", "-o", &trace]);
        let told = || {
            let ran = run(&["report", "--json", &trace]);
            let document: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
            let all = document["blockages"].as_array().cloned();
            let holder = |at: &Value| at["holder"]["thread"] == "miner";
            all.is_some_and(|all| all.iter().any(holder))
        };
        eventually("a trace that grows says who is stuck", told);
        subject.signal(last);
        record.wait();
        assert!(told(), "JDK {}, SIG{last}", jdk.major);
        run(&["report", &trace])
            .ended_with(0)
            .printed("STUCK: 1 thread is blocked on ReentrantLock");
    }
}

#[test]
fn what_threads_are_parked_on_all_along_is_stuck_only_where_that_is_sure() {
    for jdk in jdks() {
        let (_subject, trace) = recorded_when_stuck(jdk, "parked");
        let document = report(&trace);
        let context = format!("JDK {}: {document:#}", jdk.major);
        let all = document["standstills"].as_array().unwrap();
        let wanted = |thread: &str| {
            let of_it = |at: &&Value| at["parked"][0]["thread"] == thread;
            all.iter().find(of_it)
        };
        let mut expected = vec![
            ("borrower", "permit"),
            ("awaiter", "count"),
            ("getter", "result"),
            ("joiner", "result"),
        ];
        // What a queue is wanted for only a call chain tells.
        if jdk.major >= GOES_ON {
            expected.extend([("feeder", "room"), ("eater", "elements")]);
        }
        for (thread, wants) in expected {
            let at = wanted(thread).unwrap_or_else(|| panic!("{thread}: {context}"));
            assert_eq!(at["wants"], wants, "{thread}: {context}");
            assert_eq!(at["proven"], jdk.major >= PROVES, "{thread}: {context}");
            let stuck = wants == "room" && jdk.major >= PROVES;
            assert_eq!(at["stuck"], stuck, "{thread}: {context}");
        }
        assert!(wanted("idle-worker").is_none(), "{context}");
        assert_eq!(document["blockages"], Value::Array(Vec::new()), "{context}");
        let text = run(&["report", &trace]).ended_with(0).stdout;
        // However the lines are folded.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let said = |words: &str| assert!(text.contains(words), "{words:?} in {text}");
        said("stuck or idle (which is not known by watching):");
        said("no permit was free at any look");
        said("2 left to count down");
        if jdk.major >= GOES_ON {
            said("BLOCKED: 1 thread waits for room in ArrayBlockingQueue in Jam.");
            said("1 thread parked or waiting all along on 1 empty queue");
        }
    }
}

#[test]
fn a_deadlock_says_of_each_thread_where_it_stands() {
    for jdk in jdks() {
        let (_subject, trace) = recorded_when_stuck(jdk, "ring");
        let document = report(&trace);
        let ring = document["deadlocks"][0]["threads"].as_array();
        let ring = ring.unwrap_or_else(|| panic!("JDK {}: {document:#}", jdk.major));
        assert_eq!(ring.len(), 2, "JDK {}: {document:#}", jdk.major);
        let printed = run(&["report", &trace])
            .ended_with(0)
            .printed("DEADLOCK of 2 threads");
        if jdk.major >= GOES_ON {
            let told = |thread: &Value| has_frame(&thread["chain"], "Jam.takeBoth(Jam.java:");
            assert!(ring.iter().all(told), "JDK {}: {ring:#?}", jdk.major);
            printed.printed("recording\n      Jam.takeBoth(Jam.java:");
        }
    }
}

#[test]
fn who_waits_for_a_process_with_a_lock_is_in_no_lockout() {
    for jdk in jdks() {
        let (_subject, trace) = recorded_when_stuck(jdk, "child");
        let document = report(&trace);
        let blocked = blockage(&document, "parent-guest");
        assert_eq!(blocked["holder"]["thread"], "parent", "{document:#}");
        let lockout = &blocked["may_be_lockout"];
        assert_eq!(lockout, false, "JDK {}: {document:#}", jdk.major);
    }
}

#[test]
fn a_deadlock_of_virtual_threads_stands_at_the_top() {
    for jdk in jdks().iter().filter(|jdk| jdk.major >= VIRTUAL) {
        let mut subject = jam(jdk, "virtual");
        let trace = subject.trace().to_string_lossy().into_owned();
        let record = Running::start(&["record", &subject.word(), "-d", "0", "-o", &trace]);
        eventually("the recording is under way", || subject.is_recorded());
        subject.say("");
        eventually("it is stuck", || is_stuck(&subject));
        signal(record.pid(), "INT");
        record.wait().ended_with(0);
        run(&["report", &trace])
            .ended_with(0)
            .printed("DEADLOCK of 2 threads");
        let document = report(&trace);
        let ring = &document["deadlocks"][0]["threads"];
        assert_eq!(
            ring.as_array().map(Vec::len),
            Some(2),
            "JDK {}: {document:#}",
            jdk.major
        );
        assert!(ring[0]["known_by"].is_string(), "{ring:#}");
    }
}

#[test]
fn virtual_threads_stuck_before_are_said_not_to_be_seen() {
    for jdk in jdks().iter().filter(|jdk| jdk.major >= VIRTUAL) {
        let (_subject, trace) = recorded_when_stuck(jdk, "virtual");
        run(&["report", &trace])
            .ended_with(0)
            .printed("that were blocked or waiting before");
    }
}
