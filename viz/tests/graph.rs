//! The nesting graph in its three forms, as goldens.

use locklens_inference::model::Times;
use locklens_inference::nesting::graph::{
    Cycle, CycleEdge, Edge, Fate, Graph, Known, Limits, Node, NodeKind, ObjectOrder, Objects,
    Reason, SameLock, Site, ThreadName,
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
            Fate::Excluded(vec![gate, Reason::Order]),
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

fn rendered(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("memory");
    String::from_utf8(bytes).expect("renderers write UTF-8")
}

#[test]
fn the_graph_is_drawn() {
    let dot = rendered(|out| graph::dot(&graph(), out));
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
    let dot = rendered(|out| graph::dot(&bare, out));
    assert!(dot.contains("n4") && !dot.contains("->"), "{dot}");
}

#[test]
fn programs_get_the_documented_shape() {
    let text = rendered(|out| graph::json(&graph(), out));
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
    let text = rendered(|out| graph::text(&graph(), Look::default(), out));
    insta::assert_snapshot!(text);
    assert!(text.starts_with("CYCLE C00000001  Pool"));
}
