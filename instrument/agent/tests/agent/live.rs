//! What the agent says of a live JVM, seen from the command's end of the channel, on every JDK.

use crate::harness::jdk::Jdk;
use crate::harness::trace::Trace;
use crate::harness::{Scratch, Station, Target, compile, count, record};
use locklens_trace::code::{InvokeKind, Op};
use locklens_trace::record::{EndReason, LockObject, LossCause, Owner};
use locklens_trace::{Event, EventKind, Record};
use std::collections::{HashMap, HashSet};

const OPTIONS: &str = ",depth=16,buffer=16777216,safe=1";
const WAIT: EventKind = EventKind::Wait { timeout: None };
const WAITED: EventKind = EventKind::Waited { timed_out: false };

/// Records a program until it has shown enough.
fn watch(jdk: &Jdk, program: &str, options: &str, enough: impl FnMut(&[Record]) -> bool) -> Trace {
    let scratch = Scratch::new();
    compile(jdk, program, scratch.path());
    // In JDK 21 a virtual thread that waits or blocks keeps its carrier.
    let carriers = "-Djdk.virtualThreadScheduler.parallelism=6";
    let target = Target::start(jdk, scratch.path(), program, &[carriers]);
    let station = Station::new(scratch.path());
    let reply = target.load(&station.options(options));
    let (hello, stream) = station.accept();
    assert_eq!((hello.status, hello.pid), (0, target.pid()), "{reply}");
    Trace::of(&record(stream, enough))
}

fn zoo(jdk: &Jdk) -> Trace {
    watch(jdk, "Zoo", OPTIONS, |records| {
        count(records, EventKind::Entered) > 60
            && records.iter().any(|r| matches!(r, Record::Code(_)))
            && records.len() > 600
    })
}

#[test]
fn a_live_recording_tells_locks_threads_chains_and_code() {
    for jdk in Jdk::all() {
        let trace = zoo(&jdk);
        let context = format!("JDK {}", jdk.major);
        check_target(&trace, &jdk);
        check_waits(&trace, &context);
        check_contention(&trace, &context);
        check_threads(&trace, &context);
        check_code(&trace, &context);
        assert_eq!(trace.end, Some(EndReason::Stopped), "{context}");
        assert_eq!(trace.lost(LossCause::BufferFull), 0, "{context}");
        assert_eq!(trace.lost(LossCause::Unidentified), 0, "{context}");
    }
}

/// As where another thread is about to give a lock its id, and has lost its processor.
#[test]
#[cfg_attr(not(debug_assertions), ignore = "a release has no such option")]
fn a_lock_that_is_identified_later_is_the_same_lock() {
    for jdk in Jdk::all() {
        let scratch = Scratch::new();
        compile(&jdk, "Newcomers", scratch.path());
        let mut target = Target::start(&jdk, scratch.path(), "Newcomers", &[]);
        let station = Station::new(scratch.path());
        target.load(&station.options(&format!("{OPTIONS},putoff=1")));
        let (hello, stream) = station.accept();
        assert_eq!(hello.status, 0);
        target.tell("on");
        assert_eq!(target.line(), "passed");
        let trace = Trace::of(&record(stream, |_| true));
        let context = format!("JDK {}", jdk.major);
        for kind in [WAIT, WAITED] {
            let mut times: HashMap<_, usize> = HashMap::new();
            for event in trace.on("Newcomers$Lock", kind) {
                *times.entry(event.lock).or_default() += 1;
            }
            assert_eq!(times.len(), 100, "{context}: {kind:?}");
            assert!(
                times.values().all(|times| *times == 2),
                "{context}: {kind:?}"
            );
        }
        assert_eq!(trace.lost(LossCause::Unidentified), 0, "{context}");
    }
}

fn check_target(trace: &Trace, jdk: &Jdk) {
    let get = |key: &str| trace.target.get(key).map_or("", String::as_str);
    assert!(get("java.version").contains(&jdk.major.to_string()));
    assert_eq!(get("mode"), "live");
    assert_eq!(get("exact"), "false");
    assert_eq!(get("stack.depth"), "16");
    assert_eq!(get("main"), "Zoo");
    assert_eq!(get("owner"), "peek", "JDK {}", jdk.major);
}

fn check_waits(trace: &Trace, context: &str) {
    let waits = trace.on("Zoo$Box", WAIT);
    assert!(!waits.is_empty(), "{context}");
    for wait in &waits {
        assert!(wait.seq.is_some() && wait.kind == WAIT, "{context}");
        if wait.stack.is_some() {
            let chain = trace.chain(wait);
            let region = ["Zoo$Box.put", "Zoo$Box.take"];
            let inside = chain.iter().any(|m| region.contains(&m.as_str()));
            assert!(inside, "{context}: {chain:?}");
            assert_eq!(chain[0].rsplit('.').next().map(|m| &m[..4]), Some("wait"));
        }
    }
    let idle = trace.events.iter().find(|event| {
        event.kind
            == EventKind::Wait {
                timeout: Some(locklens_trace::Nanos::from_millis(30)),
            }
    });
    let idle = idle.unwrap_or_else(|| panic!("{context}: no timed wait"));
    assert_eq!(trace.thread(idle.thread), "idler", "{context}");
    let timed_out = EventKind::Waited { timed_out: true };
    assert!(
        trace.events.iter().any(|e| e.kind == timed_out),
        "{context}"
    );
}

fn check_contention(trace: &Trace, context: &str) {
    let enters = trace.on("java.lang.Object", EventKind::Enter);
    let guards = ["guard-0", "guard-1", "guard-2", "renamed"];
    let mut owned = 0;
    for enter in enters
        .iter()
        .filter(|e| guards.contains(&trace.thread(e.thread)))
    {
        let chain = trace.chain(enter);
        assert_eq!(
            chain.first().map(String::as_str),
            Some("Zoo.guarded"),
            "{context}"
        );
        if let Owner::Thread(owner) = enter.owner {
            assert!(guards.contains(&trace.thread(owner)), "{context}");
            assert_ne!(owner, enter.thread, "{context}");
            owned += 1;
        }
    }
    assert!(owned * 10 >= enters.len() * 6, "{context}: {owned} owners");
    for enter in trace.on("java.lang.Class", EventKind::Enter) {
        assert_eq!(
            trace.chain(enter).first().map(String::as_str),
            Some("Zoo.slow")
        );
        let lock = &trace.locks[&enter.lock.expect("a monitor event")];
        let LockObject::ClassMirror(class) = lock.object else {
            panic!("{context}: {lock:?} is a class mirror");
        };
        assert_eq!(trace.classes[&class].name, "Zoo");
    }
    check_numbers(&trace.events, context);
}

/// Numbers on a lock ascend by one, in order of time.
fn check_numbers(events: &[Event], context: &str) {
    let mut last = HashMap::new();
    let mut numbered: Vec<_> = events
        .iter()
        .filter_map(|event| Some((event.lock?, event.seq?)))
        .collect();
    numbered.sort();
    for (lock, seq) in numbered {
        let previous = last.insert(lock, seq).unwrap_or(0);
        assert_eq!(seq, previous + 1, "{context}: {lock}");
    }
}

fn check_threads(trace: &Trace, context: &str) {
    let by_name = |name: &str| trace.threads.values().find(|def| def.name == name);
    let putter = by_name("putter").unwrap_or_else(|| panic!("{context}: no putter"));
    assert!(putter.at_start && !putter.daemon && !putter.is_virtual);
    assert_eq!(putter.group.as_deref(), Some("main"));
    assert!(by_name("renamed").is_some(), "{context}");
    assert!(by_name("locklens").is_none(), "{context}");
    let started: HashSet<_> = trace
        .events
        .iter()
        .filter(|event| event.kind == EventKind::ThreadStart)
        .map(|event| event.thread)
        .collect();
    assert!(!started.is_empty(), "{context}");
    for thread in started {
        let def = &trace.threads[&thread];
        assert_eq!(
            (def.name.as_str(), def.at_start),
            ("child", false),
            "{context}"
        );
    }
    let joined = trace.locks.values().any(|lock| match lock.object {
        LockObject::Thread(thread) => trace.thread(thread) == "child",
        _ => false,
    });
    assert!(joined, "{context}: a join waits on its thread");
}

fn check_code(trace: &Trace, context: &str) {
    let ops = |name: &str| -> Vec<Op> {
        let id = trace.methods.keys().find(|&&id| trace.method(id) == name);
        let code = id.and_then(|id| trace.code.get(id));
        let code = code.unwrap_or_else(|| panic!("{context}: no code of {name}"));
        code.insns.iter().map(|insn| insn.op.clone()).collect()
    };
    let calls = |ops: &[Op], wanted: &str| {
        ops.iter().any(|op| {
            matches!(op, Op::Invoke { method, kind: InvokeKind::Virtual }
                if method.class == "java.lang.Object" && method.name == wanted)
        })
    };
    let put = ops("Zoo$Box.put");
    assert!(calls(&put, "wait") && calls(&put, "notifyAll"), "{context}");
    let guarded = ops("Zoo.guarded");
    assert!(guarded.contains(&Op::MonitorEnter), "{context}");
    let class = trace.classes.values().find(|class| class.name == "Zoo$Box");
    let class = class.unwrap_or_else(|| panic!("{context}: no class"));
    assert_eq!(class.source_file.as_deref(), Some("Zoo.java"));
    assert_eq!(class.super_name.as_deref(), Some("java.lang.Object"));
    let put = trace.methods.values().find(|method| method.name == "put");
    let put = put.unwrap_or_else(|| panic!("{context}: no put"));
    assert!(
        put.is_synchronized() && put.line_at(0) == Some(10),
        "{context}: {put:?}"
    );
}

#[test]
fn a_thread_that_waited_before_us_still_has_a_chain() {
    let jdk = Jdk::newest();
    let trace = watch(&jdk, "Zoo", OPTIONS, |records| count(records, WAITED) > 20);
    let mut waiting = HashSet::new();
    let mut orphans = 0;
    for event in &trace.events {
        match event.kind {
            EventKind::Wait { .. } => drop(waiting.insert((event.thread, event.lock))),
            EventKind::Waited { .. } if !waiting.remove(&(event.thread, event.lock)) => {
                assert!(event.stack.is_some(), "{event:?}");
                orphans += 1;
            }
            _ => {}
        }
    }
    assert!(orphans > 0, "somebody is always waiting in this program");
}

#[test]
fn a_storm_begins_with_chains_and_says_how_many_it_lacks() {
    for jdk in Jdk::all() {
        let trace = watch(&jdk, "Storm", OPTIONS, |records| {
            count(records, WAIT) > 20_000
        });
        let context = format!("JDK {}", jdk.major);
        let waits = trace.on("java.lang.Object", WAIT);
        for first in waits.iter().take(100) {
            let chain = trace.chain(first);
            assert!(
                chain.contains(&"Storm.play".to_owned()),
                "{context}: {chain:?}"
            );
        }
        let begins = |e: &&Event| matches!(e.kind, EventKind::Enter | EventKind::Wait { .. });
        let without = |e: &&Event| e.stack.is_none();
        let lacking = trace.events.iter().filter(begins).filter(without).count();
        assert_eq!(
            trace.lost(LossCause::StackBudget),
            lacking as u64,
            "{context}"
        );
    }
}

/// Half a million events on a quarter of a million locks, by 16,384 call chains, while the command does not
/// read: what there is no room for is lost and counted, and memory stays where it was told to.
#[test]
fn a_crowd_of_locks_stays_under_the_ceiling() {
    const CEILING: u64 = 8 << 20;
    const EVENTS: u64 = 500_000;
    for jdk in Jdk::all() {
        let scratch = Scratch::new();
        compile(&jdk, "Crowd", scratch.path());
        let flags = ["-Xms64m", "-XX:+AlwaysPreTouch"];
        let mut target = Target::start(&jdk, scratch.path(), "Crowd", &flags);
        let pass = |target: &mut Target| {
            target.tell("on");
            assert_eq!(target.line(), "passed");
        };
        // Until the JVM has its own monitors, and what else it needs.
        (0..2).for_each(|_| pass(&mut target));
        let before = target.resident();
        let station = Station::new(scratch.path());
        target.load(&station.options(&format!(",depth=32,buffer={CEILING}")));
        let (hello, stream) = station.accept();
        assert_eq!(hello.status, 0);
        pass(&mut target);
        let grown = target.resident().saturating_sub(before);
        let trace = Trace::of(&record(stream, |_| true));
        let context = format!("JDK {}", jdk.major);
        // The library, the writer's stack, and what the JVM and its allocator take for themselves, which
        // differs by ten megabytes from run to run; without a ceiling some 60M more.
        assert!(grown < CEILING + (28 << 20), "{context}: {grown}");
        let lost = |cause| trace.lost(cause);
        let full = lost(LossCause::TableFull) + lost(LossCause::BufferFull);
        assert!(full > EVENTS / 2, "{context}: {full}");
        let all = trace.events.len() as u64 + full + lost(LossCause::Unidentified);
        // Other threads of the JVM wait now and then.
        assert!((EVENTS..EVENTS + 1000).contains(&all), "{context}: {all}");
        let tagged: u64 = trace.target["memory.tagged"].parse().expect("a number");
        assert!(
            tagged >= trace.locks.len() as u64 && trace.locks.len() > 1000,
            "{context}"
        );
        assert!(tagged * 64 < CEILING / 4, "{context}: {tagged}");
        let heap: u64 = trace.target["memory.heap.peak"].parse().expect("a number");
        assert!(heap < CEILING / 2, "{context}: {heap}");
    }
}

#[test]
fn no_chains_are_taken_at_depth_0() {
    let jdk = Jdk::newest();
    let trace = watch(&jdk, "Zoo", ",depth=0", |records| {
        count(records, EventKind::Entered) > 5
    });
    assert!(trace.stacks.is_empty());
    assert!(trace.events.iter().all(|event| event.stack.is_none()));
    assert_eq!(trace.lost(LossCause::StackBudget), 0);
}

#[test]
fn a_short_chain_says_that_it_was_cut() {
    let jdk = Jdk::newest();
    let trace = watch(&jdk, "Zoo", ",depth=2", |records| {
        count(records, EventKind::Entered) > 5
    });
    assert!(!trace.stacks.is_empty());
    assert!(trace.stacks.values().all(|s| s.cut && s.frames.len() == 2));
}

#[test]
fn virtual_threads_are_threads_like_others() {
    for jdk in Jdk::all().into_iter().filter(|jdk| jdk.major >= 21) {
        let trace = watch(&jdk, "Virtual", OPTIONS, |records| {
            count(records, WAITED) > 20
                && count(records, EventKind::Entered) > 20
                && count(records, EventKind::ThreadEnd) > 5
        });
        let context = format!("JDK {}", jdk.major);
        let waiters: HashSet<_> = trace
            .on("java.lang.Object", WAIT)
            .into_iter()
            .filter(|event| trace.thread(event.thread) == "virtual-waiter")
            .map(|event| trace.chain(event).contains(&"Virtual.waiter".to_owned()))
            .collect();
        assert!(waiters.contains(&true), "{context}");
        let contenders: HashSet<&str> = trace
            .on("java.lang.Object", EventKind::Entered)
            .into_iter()
            .map(|event| trace.thread(event.thread))
            .collect();
        let both = HashSet::from(["virtual-contender", "platform-contender"]);
        assert!(contenders.is_superset(&both), "{context}: {contenders:?}");
        for def in trace.threads.values() {
            let expected = ["virtual-", "short-"]
                .iter()
                .any(|p| def.name.starts_with(p));
            assert_eq!(def.is_virtual, expected, "{context}: {def:?}");
        }
        for enter in trace.on("java.lang.Object", EventKind::Enter) {
            if let Owner::Thread(owner) = enter.owner {
                assert!(both.contains(trace.thread(owner)), "{context}: {enter:?}");
            }
        }
    }
}

#[test]
fn known_safe_locks_are_counted_or_shown() {
    for jdk in Jdk::all() {
        let waits_of_initialisers = |records: &[Record]| count(records, EventKind::ThreadEnd) > 12;
        let context = format!("JDK {}", jdk.major);
        let hidden = watch(&jdk, "Initialiser", ",safe=1", waits_of_initialisers);
        let shown = watch(&jdk, "Initialiser", ",safe=0", waits_of_initialisers);
        assert!(shown.hidden.is_empty(), "{context}");
        let shows = |trace: &Trace| {
            trace
                .locks
                .values()
                .any(|lock| trace.classes[&lock.class].name == "[I")
        };
        assert!(!shows(&hidden), "{context}");
        let initialisation = hidden.hidden.get("class initialisation");
        let waits = shown
            .events
            .iter()
            .filter(|e| shown.lock_class(e) == "[I")
            .count();
        assert!(initialisation.is_some() && waits > 0, "{context}");
    }
}
