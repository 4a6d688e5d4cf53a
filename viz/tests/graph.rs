//! The nesting graph in its three forms, as goldens.

use locklens_inference::model::{Deadlock, LogicalLock, Model, Sampled, Stays, Stuck, Times};
use locklens_inference::nesting::graph::{
    Cycle, CycleEdge, Edge, Fate, Graph, Judged, Known, Limits, Node, NodeKind, ObjectOrder,
    Objects, Reason, SameLock, Site, ThreadName,
};
use locklens_inference::types::LockType;
use locklens_trace::Nanos;
use locklens_viz::{Look, graph};

fn node(id: u32, name: &str, types: &[LockType], kind: NodeKind) -> Node {
    let blocked = Times {
        count: u64::from(id) * 100,
        total: Nanos(u64::from(id) * 50_000_000),
        ..Times::default()
    };
    Node {
        id,
        name: name.to_owned(),
        called: name.to_owned(),
        types: types.to_vec(),
        kind,
        instances: 2,
        blocked,
        waits: Times::default(),
    }
}

fn thread(name: &str, tid: u64) -> ThreadName {
    ThreadName {
        name: name.to_owned(),
        tid: Some(tid),
    }
}

fn chain(frames: &[&str]) -> Vec<String> {
    frames.iter().map(|&f| f.to_owned()).collect()
}

fn edge(from: usize, to: usize, known: Known, in_cycle: bool) -> Edge {
    Edge {
        from,
        to,
        count: 12_345,
        threads: vec![thread("one", 12), thread("two \u{1b}[31m", 13)],
        known,
        sites: vec![Site {
            outer: chain(&["shop.Pool.borrow:12", "shop.Main.run:3"]),
            inner: chain(&["shop.Log.add:7", "shop.Pool.borrow:13", "shop.Main.run:3"]),
            known,
            count: 12_000,
            first: Nanos(1_500_000),
            thread: thread("one", 12),
        }],
        more_sites: 1,
        first: Nanos(1_500_000),
        in_cycle,
    }
}

fn cycle_edge(from: usize, to: usize, by: ThreadName) -> CycleEdge {
    CycleEdge {
        from,
        to,
        thread: by,
        known: Known::Exact,
        outer: chain(&["shop.Pool.borrow:12"]),
        inner: chain(&[
            "a.A.f:1", "a.A.g:2", "a.A.h:3", "a.A.i:4", "a.A.j:5", "a.A.k:6", "a.A.l:7",
        ]),
        first: Nanos(2_000_000),
        count: 3,
        holds: Some(4),
        wants: None,
        after_wait: from == 1,
        blocked_at_end: false,
    }
}

fn cycle(id: &str, fate: Fate) -> Cycle {
    Cycle {
        judged: Vec::new(),
        id: id.to_owned(),
        nodes: vec![0, 1],
        edges: vec![
            cycle_edge(0, 1, thread("one", 12)),
            cycle_edge(1, 0, thread("two", 13)),
        ],
        fate,
        objects: Objects::Unknown,
    }
}

fn graph() -> Graph {
    let gate = Reason::Gate {
        nodes: vec![2],
        inferred: true,
    };
    let region = NodeKind::Region {
        candidates: vec![1, 2],
    };
    Graph {
        nodes: vec![
            node(
                1,
                "Pool<A & \"B\">",
                &[LockType::Semaphore, LockType::Mutex],
                NodeKind::Lock,
            ),
            node(2, "Log.lock", &[LockType::Mutex], NodeKind::Lock),
            node(3, "Main.start", &[], region),
            node(4, "Alone", &[LockType::Unknown], NodeKind::Lock),
        ],
        edges: vec![
            edge(0, 1, Known::Exact, true),
            edge(1, 0, Known::Stack, true),
            edge(2, 0, Known::Stack, false),
        ],
        cycles: vec![cycle("C00000001", Fate::Stands)],
        excluded: vec![cycle(
            "C00000002",
            Fate::Excluded(vec![gate, Reason::Order { inferred: true }]),
        )],
        same: vec![SameLock {
            node: 1,
            order: ObjectOrder::Ordered,
            known: 4,
            unknown: 1,
        }],
        limits: Limits {
            cut_chains: 2,
            bounded: true,
            ..Limits::default()
        },
        ..Graph::default()
    }
}

/// The model of a recording that ended, without anything else.
fn whole() -> Model {
    let mut model = Model::default();
    model.recording.ended = true;
    model
}

fn rendered(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("memory");
    String::from_utf8(bytes).expect("renderers write UTF-8")
}

#[test]
fn the_graph_is_drawn() {
    let dot = rendered(|out| graph::dot(&graph(), &whole(), out));
    insta::assert_snapshot!(dot);
    assert!(
        !dot.contains('\u{1b}'),
        "nothing of the target's reaches a terminal as it is"
    );
    assert!(!dot.contains("n4"), "what is in no nesting is left out");
}

#[test]
fn a_graph_without_edges_shows_its_locks() {
    let bare = Graph {
        nodes: graph().nodes,
        ..Graph::default()
    };
    let dot = rendered(|out| graph::dot(&bare, &whole(), out));
    assert!(dot.contains("n4") && !dot.contains("->"), "{dot}");
}

#[test]
fn programs_get_the_documented_shape() {
    let text = rendered(|out| graph::json(&graph(), &whole(), out));
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["schema"], 1);
    assert_eq!(document["nodes"][0]["type"], "SEMAPHORE+MUTEX");
    assert_eq!(document["nodes"][2]["candidates"][1], 2);
    assert_eq!(document["edges"][0]["known"], "exact");
    assert_eq!(
        (&document["edges"][0]["from"], &document["edges"][0]["to"]),
        (&1.into(), &2.into())
    );
    assert_eq!(document["cycles"][0]["id"], "C00000001");
    assert_eq!(document["cycles"][0]["nodes"], serde_json::json!([1, 2]));
    assert_eq!(document["excluded"][0]["reasons"][0]["kind"], "gate");
    insta::assert_snapshot!(text);
}

#[test]
fn people_get_the_cycles_and_what_they_rest_on() {
    let text = rendered(|out| graph::text(&graph(), &whole(), Look::default(), out));
    insta::assert_snapshot!(text);
    assert!(text.starts_with("CYCLE C00000001  Pool"));
    let narrow = Look {
        width: 60,
        colour: false,
    };
    let text = rendered(|out| graph::text(&graph(), &whole(), narrow, out));
    let wide: Vec<_> = text
        .lines()
        .filter(|line| line.chars().count() > 60)
        .collect();
    assert_eq!(wide, Vec::<&str>::new());
}

#[test]
fn what_the_search_for_deadlocks_says_stands_beside_a_cycle() {
    let mut graph = graph();
    graph.cycles[0].judged = vec![Judged {
        id: "D00000001".to_owned(),
        tier: "T5",
        stall: false,
        remarks: vec!["presumed only".to_owned()],
    }];
    let why = "a latch puts one thread before the other";
    graph.excluded[0].fate = Fate::Excluded(vec![Reason::Searched(vec![why.to_owned()])]);
    let text = rendered(|out| graph::text(&graph, &whole(), Look::default(), out));
    let told = "\n  'locklens deadlocks' tells of a deadlock D00000001, T5: presumed only\n";
    assert!(text.contains(told), "{text}");
    assert!(text.contains(&format!("\n    {why}\n")), "{text}");
    let json = rendered(|out| graph::json(&graph, &whole(), out));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["cycles"][0]["judged"][0]["tier"], "T5");
    assert_eq!(json["excluded"][0]["reasons"][0]["why"][0], why);
}

/// A lock of `java.util.concurrent`, number 5 of the report, and a deadlock of it and Log.lock.
fn with_deadlock() -> Model {
    let stuck = |thread: &str, tid, lock| Stuck {
        thread: thread.to_owned(),
        tid: Some(tid),
        since: Nanos(0),
        object: lock + 40,
        class: "a.Lock".to_owned(),
        lock: Some(lock),
        known: None,
        chain: None,
    };
    let lock = LogicalLock {
        id: 5,
        name: "ReentrantLock in Shop.sell".to_owned(),
        classes: Vec::new(),
        concrete: Vec::new(),
        types: Vec::new(),
        runners_up: Vec::new(),
        contradictions: Vec::new(),
        regions: Vec::new(),
        unplaced: Stays::default(),
        instances: 1,
        threads: 2,
        locked: None,
        blocked: Times::default(),
        waits: Times::default(),
        timed_out: 0,
        still_waiting: 0,
        still_blocked: 2,
        sampled: Some(Sampled::default()),
        parks: None,
        uses: None,
    };
    Model {
        locks: vec![lock],
        deadlocks: vec![Deadlock {
            threads: vec![stuck("one", 12, 5), stuck("two", 13, 2)],
        }],
        ..whole()
    }
}

#[test]
fn a_deadlock_that_is_no_cycle_of_monitors_is_told_all_the_same() {
    let (model, bare) = (with_deadlock(), Graph::default());
    let text = rendered(|out| graph::text(&bare, &model, Look::default(), out));
    for words in [
        "DEADLOCK of 2 threads, each blocked on",
        "\"one\" #12 wants ReentrantLock in Shop.sell (lock 5, object 45)",
        "`locklens show FILE LOCK`",
        "0 cycles not excluded, 1 deadlock besides",
        "1 lock of java.util.concurrent is not in it",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let dot = rendered(|out| graph::dot(&bare, &model, out));
    assert!(
        dot.contains("DEADLOCK of 2 threads that is not drawn"),
        "{dot}"
    );
    assert!(dot.contains("1 lock of java.util.concurrent is not in it"));
    assert!(!dot.contains("No cycle that could be a deadlock"), "{dot}");
    let json = rendered(|out| graph::json(&bare, &model, out));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["deadlocks"][0]["threads"][1]["thread"], "two");
    assert_eq!(json["limits"]["sampled_locks"], 1);
}

#[test]
fn a_deadlock_that_is_a_cycle_is_told_once() {
    let mut shown = graph();
    let text =
        |graph: &Graph| rendered(|out| graph::text(graph, &with_deadlock(), Look::default(), out));
    shown.cycles[0].fate = Fate::Happened;
    assert_eq!(text(&shown).matches("DEADLOCK").count(), 1);
    // The same locks, but other threads.
    shown.cycles[0].edges[0].thread = thread("three", 14);
    assert_eq!(text(&shown).matches("DEADLOCK").count(), 2);
    // The same threads, which went on.
    assert_eq!(text(&graph()).matches("DEADLOCK").count(), 1);
}

#[test]
fn what_is_missing_of_a_trace_is_said() {
    let mut model = whole();
    let missing = |model: &Model| {
        let text = rendered(|out| graph::text(&graph(), model, Look::default(), out));
        let dot = rendered(|out| graph::dot(&graph(), model, out));
        [text, dot].map(|form| {
            (
                form.contains("PARTIAL:"),
                form.contains("3 parts of the trace"),
            )
        })
    };
    assert_eq!(missing(&model), [(false, false); 2]);
    (model.recording.ended, model.recording.gaps) = (false, 3);
    assert_eq!(missing(&model), [(true, true); 2]);
    let json = rendered(|out| graph::json(&graph(), &model, out));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["recording"]["ended"], false);
    assert_eq!(json["recording"]["gaps"], 3);
}
