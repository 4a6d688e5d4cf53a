//! The nesting graph of programs that say themselves what it must be (`testapps/nesting`).

use crate::rig::{Jdk, Running, Subject, compile, eventually, jdk, jdks, run, scratch};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// One line `// @what words…` of a program.
struct Expectation {
    what: String,
    words: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testapps/nesting")
}

fn expectations(app: &str) -> Vec<Expectation> {
    let source = fs::read_to_string(folder().join(format!("{app}.java"))).unwrap();
    let tags = source.lines().filter_map(|line| line.strip_prefix("// @"));
    let all: Vec<_> = tags
        .map(|tag| {
            let mut words = tag.split_whitespace().map(str::to_owned);
            Expectation {
                what: words.next().unwrap_or_default(),
                words: words.collect(),
            }
        })
        .collect();
    assert!(!all.is_empty(), "{app} says nothing of itself");
    all
}

/// Folder with the compiled programs.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let out = scratch("nesting");
        fs::create_dir_all(&out).unwrap();
        let files = fs::read_dir(folder())
            .unwrap()
            .map(|file| file.unwrap().path());
        compile(&files.collect::<Vec<_>>(), &out);
        out
    })
}

/// Records a program for a while, attached to it live.
fn recorded(jdk: &Jdk, app: &str) -> Subject {
    let subject = Subject::start_in(jdk, classes(), &[app]);
    let trace = subject.trace().to_string_lossy().into_owned();
    run(&["record", &subject.word(), "-d", "3s", "-o", &trace]).ended_with(0);
    subject
}

/// The graph of a recording.
struct Graph {
    json: Value,
    status: Option<i32>,
}

impl Graph {
    fn of(trace: &Path) -> Self {
        let ran = run(&["graph", &trace.to_string_lossy(), "--cycles", "--json"]);
        Self {
            json: serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:#?}")),
            status: ran.status,
        }
    }

    fn list(&self, key: &str) -> &[Value] {
        self.json[key].as_array().unwrap()
    }

    fn name(&self, id: &Value) -> &str {
        let node = self.list("nodes").iter().find(|node| node["id"] == *id);
        node.unwrap()["name"].as_str().unwrap()
    }

    fn edge(&self, from: &str, to: &str) -> Option<&Value> {
        let mut edges = self.list("edges").iter();
        edges.find(|e| self.name(&e["from"]) == from && self.name(&e["to"]) == to)
    }

    /// The cycle over these nodes among those of a list.
    fn cycle(&self, list: &str, names: &[String]) -> Option<&Value> {
        self.list(list).iter().find(|cycle| {
            let nodes = cycle["nodes"].as_array().unwrap();
            nodes.iter().map(|id| self.name(id)).eq(names)
        })
    }

    /// What speaks against an expectation.
    fn contradicts(&self, expected: &Expectation) -> Option<String> {
        let words = &expected.words;
        let holds = match expected.what.as_str() {
            "edge" => self.edge(&words[0], &words[2]).is_some_and(is_complete),
            "no-edges" => self.list("edges").is_empty(),
            "cycle" => self.cycle("cycles", words).is_some() && self.status == Some(1),
            "deadlock" => {
                let cycle = self.cycle("cycles", words);
                cycle.is_some_and(|c| c["happened"] == true) && self.status == Some(1)
            }
            "no-cycle" => self.list("cycles").is_empty() && self.status == Some(0),
            "excluded" => {
                let reason = |c: &Value| c["reasons"][0]["kind"] == words[0];
                self.cycle("excluded", &words[1..]).is_some_and(reason)
            }
            "same" => self.same(&words[0]) == Some(&words[1]),
            "threads" => words.iter().all(|name| self.on_cycle(name)),
            other => panic!("unknown tag @{other}"),
        };
        (!holds).then(|| format!("@{} {}", expected.what, words.join(" ")))
    }

    fn same(&self, name: &str) -> Option<&str> {
        let mut all = self.list("same_lock").iter();
        all.find(|same| self.name(&same["node"]) == name)?["order"].as_str()
    }

    fn on_cycle(&self, thread: &str) -> bool {
        let mut edges = self
            .list("cycles")
            .iter()
            .flat_map(|cycle| cycle["edges"].as_array().unwrap());
        edges.any(|edge| edge["thread"] == thread)
    }
}

/// An edge has all that is promised of one.
fn is_complete(edge: &Value) -> bool {
    let site = &edge["sites"][0];
    let frames = |chain: &Value| !chain.as_array().unwrap().is_empty();
    edge["known"] == "stack"
        && edge["count"].as_u64() > Some(0)
        && !edge["threads"].as_array().unwrap().is_empty()
        && frames(&site["outer"])
        && frames(&site["inner"])
}

#[track_caller]
fn meets_expectations(jdk: &Jdk, app: &str, trace: &Path) {
    let graph = Graph::of(trace);
    let wrong: Vec<_> = expectations(app)
        .iter()
        .filter_map(|expected| graph.contradicts(expected))
        .collect();
    assert!(
        wrong.is_empty(),
        "{app} on {}: {wrong:#?} in {:#}",
        jdk.major,
        graph.json
    );
}

fn on_every_jdk(app: &str) {
    for jdk in jdks() {
        let subject = recorded(jdk, app);
        meets_expectations(jdk, app, subject.trace());
    }
}

#[test]
fn both_orders_are_a_cycle_even_if_nothing_happened() {
    on_every_jdk("CrossedTellers");
}

#[test]
fn a_gate_keeps_both_orders_apart() {
    on_every_jdk("VaultRoom");
}

#[test]
fn threads_one_after_the_other_are_no_cycle() {
    on_every_jdk("DayAndNight");
}

#[test]
fn a_cycle_goes_over_three_locks() {
    on_every_jdk("ThreeDesks");
}

#[test]
fn both_orders_of_two_objects_of_one_lock_are_a_cycle() {
    on_every_jdk("BothBoxes");
}

#[test]
fn hand_over_hand_is_an_order() {
    on_every_jdk("ChainWalk");
}

#[test]
fn pairs_in_order_are_no_cycle() {
    on_every_jdk("PairById");
}

#[test]
fn a_round_table_is_a_ring() {
    on_every_jdk("RoundTable");
}

#[test]
fn no_nesting_gives_no_edge() {
    on_every_jdk("FlatCounters");
}

#[test]
fn a_deadlock_shows_when_the_recording_ends_in_it() {
    for jdk in jdks() {
        let mut subject = Subject::start_in(jdk, classes(), &["StuckPair"]);
        let trace = subject.trace().to_string_lossy().into_owned();
        let record = Running::start(&["record", &subject.word(), "-d", "0", "-o", &trace]);
        eventually("the recording is under way", || subject.is_recorded());
        subject.say("eat");
        eventually("both are stuck", || {
            let dump = run(&["attach", &subject.word(), "threaddump"]).stdout;
            dump.contains("Found one Java-level deadlock")
        });
        crate::rig::signal(record.pid(), "INT");
        record.wait().ended_with(0);
        meets_expectations(jdk, "StuckPair", subject.trace());
    }
}

#[test]
fn a_deadlock_from_before_the_recording_is_told() {
    for jdk in jdks() {
        let mut subject = Subject::start_in(jdk, classes(), &["StuckPair"]);
        subject.say("eat");
        eventually("both are stuck", || {
            let dump = run(&["attach", &subject.word(), "threaddump"]).stdout;
            dump.contains("Found one Java-level deadlock")
        });
        let trace = subject.trace().to_string_lossy().into_owned();
        run(&["record", &subject.word(), "-d", "2s", "-o", &trace]).ended_with(0);
        assert!(subject.alive(), "JDK {}", jdk.major);
        meets_expectations(jdk, "StuckPair", subject.trace());
        run(&["report", &trace])
            .ended_with(0)
            .printed("DEADLOCK of 2 threads")
            .printed("\"anna\"")
            .printed("since before the recording")
            .printed("2 threads still blocked at the end");
        let report = run(&["report", "--json", &trace]).ended_with(0);
        let report: Value = serde_json::from_str(&report.stdout).unwrap();
        let names = |stuck: &Value| stuck["thread"].as_str().unwrap().to_owned();
        let ring = report["deadlocks"][0]["threads"].as_array().unwrap();
        let mut ring: Vec<String> = ring.iter().map(names).collect();
        ring.sort();
        assert_eq!(ring, ["anna", "bruno"], "JDK {}: {report:#}", jdk.major);
        assert_eq!(report["recording"]["from_before"], 2, "{report:#}");
        assert_eq!(report["recording"]["threads_at_start"]["unread"], 0);
    }
}

#[test]
fn graphviz_draws_it_and_programs_read_it() {
    let subject = recorded(jdk(), "CrossedTellers");
    let trace = subject.trace().to_string_lossy().into_owned();
    let picture = scratch("crossed.dot");
    let path = picture.to_string_lossy().into_owned();
    run(&["graph", &trace, "-o", &path])
        .ended_with(0)
        .printed("CYCLE");
    let dot = fs::read_to_string(&picture).unwrap();
    assert_eq!(
        run(&["graph", &trace]).ended_with(0).stdout,
        dot,
        "the same on standard output"
    );
    let ids = ["n1 -> n2", "n2 -> n1"];
    assert!(ids.iter().all(|edge| dot.contains(edge)), "{dot}");
    if let Ok(drawn) = Command::new("dot").arg("-Tsvg").arg(&picture).output() {
        assert!(drawn.status.success(), "{drawn:?}");
    }
    fs::remove_file(picture).unwrap();
    run(&["graph", &trace, "--cycles"])
        .ended_with(1)
        .printed("CYCLE C");
    run(&["graph", "no such file"]).ended_with(2);
}
