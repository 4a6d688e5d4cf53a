//! Graphs of recordings that have locks of `java.util.concurrent` besides.

use super::graph::{Fate, Graph};
use super::tests::{Crossed, crossed, events, graph_of, met};
use locklens_trace::parked::{Parked, SyncDef, SyncKind};
use locklens_trace::{LockId, Nanos, Owner, Record};

const SYNC: &str = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
const AQS: &str = "java.util.concurrent.locks.AbstractQueuedSynchronizer";

/// A lock on which a thread was parked for seconds, in a method of that name.
fn parked(c: &mut Crossed, place: &str) -> [Record; 2] {
    let class = c.b.class(SYNC, AQS);
    let support =
        c.b.class("java.util.concurrent.locks.LockSupport", "java.lang.Object");
    let park = c.b.method(support, "park", "(Ljava/lang/Object;)V", 0);
    let app = c.b.class("app.Shop", "java.lang.Object");
    let caller = c.b.method(app, place, "()V", 0);
    let stack = c.b.stack(&[(park, 3), (caller, 4)]);
    let lock: LockId = c.b.lock(class);
    let def = SyncDef {
        lock,
        kind: SyncKind::Synchronizer,
        of: None,
        shared: false,
        most: 1,
        state: None,
    };
    let seen = Parked {
        thread: c.b.thread(place),
        lock,
        stack: Some(stack),
        owner: Owner::Unknown,
        owner_stack: None,
        from: Nanos(0),
        to: Nanos::from_millis(5000),
        samples: 250,
        time: Nanos::from_millis(5000),
        continues: false,
        open: false,
        timed: false,
    };
    [Record::Sync(def), Record::Parked(seen)]
}

fn named(graph: &Graph, ix: usize) -> &str {
    graph.nodes.get(ix).map_or("none", |node| &node.name)
}

#[test]
fn locks_that_are_sampled_move_no_index() {
    for sampled in 0..3 {
        let mut c = crossed();
        let mut records: Vec<Record> = Vec::new();
        for n in 0..sampled {
            records.extend(parked(&mut c, &format!("sell{n}")));
        }
        let alone = graph_of(&c.b.catalog, false, &events(&met(&c)));
        records.extend(events(&met(&c)));
        let graph = graph_of(&c.b.catalog, false, &records);
        let nodes: Vec<_> = graph.nodes.iter().map(|n| (n.id, &*n.name)).collect();
        assert_eq!(nodes, [(sampled + 1, "A"), (sampled + 2, "B")]);
        let edges = graph.edges.iter();
        let edges: Vec<_> = edges
            .map(|e| (named(&graph, e.from), named(&graph, e.to)))
            .collect();
        assert_eq!(edges, [("A", "B"), ("B", "A")]);
        let cycle = &graph.cycles[0];
        assert_eq!(
            (cycle.nodes.as_slice(), &cycle.fate),
            (&[0, 1][..], &Fate::Stands)
        );
        assert_eq!(cycle.id, alone.cycles[0].id, "the id is made from names");
    }
}
