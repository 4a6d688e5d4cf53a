//! `locklens trace`: exact recordings of chosen locks, and what is said where there is none.

use crate::rig::{
    Jdk, Ran, Running, Subject, classes, eventually, jdk, jdks, run, scratch, signal,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

fn trace(target: &Subject, more: &[&str]) -> Ran {
    let (word, file) = (target.word(), target.trace().to_string_lossy().into_owned());
    let words = ["trace", &word, "-o", &file, "-d", "2s", "--yes"];
    run(&[&words, more].concat())
}

fn report(trace: &Path) -> Value {
    let ran = run(&["report", "--json", &trace.to_string_lossy()]).ended_with(0);
    serde_json::from_str(&ran.stdout).expect("report prints JSON")
}

fn locks(report: &Value) -> &[Value] {
    report["locks"].as_array().map_or(&[], Vec::as_slice)
}

fn lock<'r>(report: &'r Value, name: &str) -> &'r Value {
    let named = |lock: &&Value| lock["name"].as_str().is_some_and(|n| n.contains(name));
    let found = locks(report).iter().find(named);
    found.unwrap_or_else(|| panic!("no lock {name} in {report:#}"))
}

/// The oldest JDK, where rewriting discards all compiled code.
fn old_jdk() -> Option<&'static Jdk> {
    jdks().first().filter(|jdk| jdk.major < 23)
}

/// Left dormant, probes are silent and the program runs on; detached, nothing is left; a new trace begins with the classes' own code.
#[test]
fn probes_may_stay_and_are_taken_out_when_asked() {
    for jdk in jdks() {
        let mut target = Subject::start(jdk, &["Turns"]);
        let dormant = ["--class", "Turns*", "--dormant"];
        trace(&target, &dormant)
            .ended_with(0)
            .printed("stay, switched off");
        // A recording that only watches is not disturbed by them.
        let (word, file) = (target.word(), target.trace().to_string_lossy().into_owned());
        run(&["record", &word, "-o", &file, "-d", "1s"]).ended_with(0);
        lock(&report(target.trace()), "Turns.Baton");
        trace(&target, &dormant)
            .ended_with(0)
            .printed("stay, switched off");
        let again = report(target.trace());
        assert_eq!(again["recording"]["exact"], true, "{again:#}");
        assert!(lock(&again, "Turns.Baton")["locked_at_least"].as_u64() > Some(10));
        let detach = ["detach", &word];
        run(&detach).ended_with(0).printed("original bytes of ");
        run(&detach).ended_with(0).printed("nothing to take out");
        assert!(target.alive(), "{}", jdk.major);
    }
}

/// Without a clock the numbers of events tell their order, however little room there is for those that are held back: nobody comes in
/// before the last one has left, the gate is seen, and nestings are as many as there were.
#[test]
fn without_a_clock_the_order_of_events_is_that_of_their_locks() {
    for jdk in jdks() {
        for buffer in ["64M", "32M"] {
            let context = format!("JDK {}, {buffer}", jdk.major);
            let file = gated(jdk, buffer);
            let graph = json(&["graph", &file, "--json"]);
            let edges = graph["edges"].as_array().unwrap().iter();
            let counts: Vec<u64> = edges.map(|e| e["count"].as_u64().unwrap()).collect();
            // From the gate to either, from left to right and from right to left.
            let nestings = counts.iter().sum::<u64>();
            let lost = graph["recording"]["lost"].as_u64();
            assert!(nestings <= 16_000 * 3, "{context}: {graph:#}");
            if lost != Some(0) {
                assert_eq!(buffer, "32M", "{context}: {lost:?} lost");
                continue;
            }
            let events = json(&["events", &file, "--raw", "--json"]);
            assert!(excludes(&events), "{context}: two in one monitor");
            // A JVM that ends does not wait for an agent that gets no processor: the trace says that it is cut off.
            if graph["recording"]["ended"] == true {
                assert_eq!(nestings, 16_000 * 3, "{context}: {graph:#}");
                run(&["deadlocks", &file])
                    .ended_with(0)
                    .printed("held around all of it: GatedOrders.GATE");
            }
        }
    }
}

/// A recording without a clock. One of 32M leaves the probes little room: on a machine that others keep busy
/// some is lost.
fn gated(jdk: &Jdk, buffer: &str) -> String {
    let trace = scratch("clockless.llt");
    let file = trace.to_string_lossy().into_owned();
    let (java, classes) = (jdk.java(), classes().to_string_lossy().into_owned());
    let java = java.to_string_lossy().into_owned();
    let options = ["trace", "--all-app", "--no-clock", "--buffer", buffer];
    let program = ["--", &java, "-Xmx64m", "-cp", &classes, "GatedOrders"];
    run(&[&options[..], &["-o", &file], &program].concat())
        .ended_with(0)
        .printed("DONE 16000");
    file
}

fn json(words: &[&str]) -> Value {
    let ran = run(words).ended_with(0);
    serde_json::from_str(&ran.stdout).expect("it prints JSON")
}

/// Whether one thread at a time is in each monitor.
fn excludes(events: &Value) -> bool {
    let mut holders: BTreeMap<u64, u64> = BTreeMap::new();
    let events = events["events"].as_array().unwrap();
    events.iter().all(|event| {
        let (Some(object), Some(tid)) = (event["object"].as_u64(), event["tid"].as_u64()) else {
            return true;
        };
        match event["event"].as_str() {
            Some("ENTERED") => holders.insert(object, tid).is_none(),
            Some("EXIT") => holders.remove(&object) == Some(tid),
            _ => true,
        }
    })
}

#[test]
fn quiet_locks_are_counted_on_every_jdk() {
    for jdk in jdks() {
        let mut target = Subject::start(jdk, &["Turns"]);
        let ran = trace(&target, &["--class", "Turns*"]).ended_with(0);
        ran.printed("2 classes")
            .printed("original bytes of 2 classes back");
        let report = report(target.trace());
        let context = format!("JDK {}: {report:#}", jdk.major);
        assert_eq!(report["recording"]["exact"], true, "{context}");
        let quiet = lock(&report, "Turns.Quiet");
        assert!(quiet["locked_at_least"].as_u64() > Some(10), "{context}");
        assert_eq!(quiet["blocked"], 0, "{context}");
        let doubts = report["recording"]["incomplete"].as_array();
        let is_whole = doubts.is_some_and(Vec::is_empty);
        assert_eq!(quiet["locked"].is_u64(), is_whole, "{context}");
        let baton = lock(&report, "Turns.Baton");
        assert!(baton["locked_at_least"].as_u64() >= Some(10), "{context}");
        assert!(baton["waits"].as_u64() > Some(0), "{context}");
        assert!(target.alive());
    }
}

#[test]
fn locks_of_an_earlier_recording_are_found_again() {
    let target = Subject::start(jdk(), &["Turns"]);
    let first = scratch("first.llt").to_string_lossy().into_owned();
    run(&["record", &target.word(), "-d", "2s", "-o", &first]).ended_with(0);
    trace(&target, &["--locks", "Turns.Baton", "--from", &first]).ended_with(0);
    let seen = report(target.trace());
    assert_eq!(locks(&seen).len(), 1, "{seen:#}");
    assert!(lock(&seen, "Turns.Baton")["locked_at_least"].as_u64() > Some(10));
    let names = scratch("names");
    std::fs::write(&names, "# the first one\n1\n").unwrap();
    let names = names.to_string_lossy().into_owned();
    trace(
        &target,
        &["--select", &names, "--from", &first, "--dry-run"],
    )
    .ended_with(0)
    .printed("Turns$Baton")
    .printed("Nothing was changed");
    trace(&target, &["--locks", "99", "--from", &first])
        .ended_with(2)
        .said("no lock is called");
}

#[test]
fn nothing_is_rewritten_that_was_not_asked_for_or_agreed_to() {
    let target = Subject::start(jdk(), &["Turns"]);
    for (more, words) in [
        (&[][..], "which locks?"),
        (&["--locks", "1"][..], "need a recording"),
        (
            &["--class", "Nobody"][..],
            "no class of that name is loaded",
        ),
        (
            &["--class", "java.lang.Math"][..],
            "the class of that name locks, waits for and notifies nothing",
        ),
        (
            &["--method", "Turns.nope"][..],
            "there is no method of that name that locks, waits or notifies",
        ),
    ] {
        let real = trace(&target, more).ended_with(2).said(words);
        assert!(
            !real.stderr.contains("locklens: recording"),
            "{}",
            real.stderr
        );
        let dry = trace(&target, &[more, &["--dry-run"]].concat()).ended_with(2);
        assert_eq!(dry.stderr, real.stderr);
    }
    if let Some(jdk) = old_jdk() {
        let mut target = Subject::start(jdk, &["Turns"]);
        let ran = run(&["trace", &target.word(), "--class", "Turns*"]).ended_with(2);
        ran.said("discards ALL code").said("--yes");
        assert!(target.alive() && !target.has_our_thread());
    }
}

#[test]
fn an_interrupted_trace_is_whole_and_a_killed_one_leaves_the_target_well() {
    let mut target = Subject::start(jdk(), &["Turns"]);
    let file = target.trace().to_string_lossy().into_owned();
    let word = target.word();
    let words = [
        "trace", &word, "-o", &file, "-d", "0", "--yes", "--class", "Turns*",
    ];
    let grown = |least| std::fs::metadata(&file).is_ok_and(|meta| meta.len() > least);
    let running = Running::start(&words);
    eventually("something is recorded", || grown(20_000));
    signal(running.pid(), "INT");
    running
        .wait()
        .ended_with(0)
        .printed("original bytes of 2 classes back");
    let mut running = Running::start(&words);
    eventually("the new trace has begun", || !grown(20_000));
    eventually("something is recorded", || grown(20_000));
    running.0.kill().unwrap();
    eventually("our thread is gone", || !target.has_our_thread());
    trace(&target, &["--class", "Turns*"])
        .ended_with(0)
        .printed("original bytes of 2 classes back");
    assert!(target.alive());
}

#[test]
fn in_two_phases_what_matters_is_chosen_by_itself() {
    let target = Subject::start(jdk(), &["Turns"]);
    let file = target.trace().to_string_lossy().into_owned();
    let word = target.word();
    let words = ["record", &word, "--exact=force", "-d", "2s", "-o", &file];
    run(&words).ended_with(0).said("watching");
    let report = report(target.trace());
    assert_eq!(report["recording"]["exact"], true, "{report:#}");
    let toll = &report["recording"]["toll"];
    for stretch in ["before", "settling", "recording", "after"] {
        assert!(toll[stretch]["span_ns"].as_u64() > Some(0), "{toll:#}");
    }
    assert!(toll["before"]["others_ns"].as_u64() > Some(0), "{toll:#}");
    assert!(toll["settled"].is_boolean(), "{toll:#}");
    assert!(lock(&report, "Turns.Baton")["locked_at_least"].as_u64() > Some(10));
    run(&["record", &word, "--exact", "--no-rewrite"]).ended_with(2);
}

#[test]
fn where_the_agent_stood_by_from_the_start_rewriting_is_cheap() {
    let Some(jdk) = old_jdk() else { return };
    let library = scratch("standby.so").to_string_lossy().into_owned();
    run(&["agent", "-o", &library])
        .ended_with(0)
        .said("=standby");
    let agent = format!("-agentpath:{library}=standby");
    let target = Subject::start(jdk, &[&agent, "Turns"]);
    let file = target.trace().to_string_lossy().into_owned();
    let word = target.word();
    let words = ["trace", &word, "--class", "Turns*", "-d", "1s", "-o", &file];
    run(&words).ended_with(0).said("two dips");
    assert_eq!(report(target.trace())["recording"]["exact"], true);
    // The library that stands by was there first; the chains are taken by the one that records.
    let words = [
        "contention",
        &file,
        "--waits",
        "--by",
        "waiter-stack",
        "--json",
    ];
    let waits: serde_json::Value = serde_json::from_str(&run(&words).ended_with(0).stdout).unwrap();
    // The waits that no probe tells of (a join) have the JVM's chain, which begins elsewhere.
    let is_whole = |row: &serde_json::Value| {
        let frames = row["keys"]["waiter-stack"].as_array();
        frames.is_some_and(|frames| {
            frames.len() > 1 && frames[0].as_str().is_some_and(|f| f.starts_with("Turns"))
        })
    };
    let rows = waits["rows"].as_array().unwrap();
    assert!(rows.iter().any(is_whole), "{waits:#}");
}
