//! Graphs of simulated programs, and of small ones made by hand.

use super::graph::{Fate, Known, NodeKind, ObjectOrder, Objects, Reason};
use super::sim::{CLASSES, Edges, LOCKS, SITE, THREADS, Truth, class_of, simulate};
use super::{Graph, Nester, Scout};
use crate::analysis::Analysis;
use crate::catalog::Catalog;
use crate::collect::Collector;
use crate::deadlock::finding::{Excluded, Report, Tier};
use crate::fixtures::{Build, STATIC, SYNCHRONIZED, call, event, leave, load};
use crate::model::{Model, Options};
use locklens_trace::record::{LockObject, LossCause, Lost, Owner, target_key};
use locklens_trace::{Event, EventKind, LockId, MethodId, Nanos, Record, StackId, ThreadId};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// The graph of a recording: definitions, whether it is exact, and its records in file order.
pub(super) fn graph_of(catalog: &Catalog, exact: bool, records: &[Record]) -> Graph {
    let options = Options::default();
    let mut collector = Collector::new(options);
    let mut scout = Scout::default();
    let exact = (target_key::EXACT.to_owned(), exact.to_string());
    collector.push(Record::Target(vec![exact]));
    for record in records {
        scout.see(record);
        collector.push(record.clone());
    }
    for record in definitions(catalog) {
        collector.push(record);
    }
    let collected = collector.finish();
    let analysis = Analysis::of(&collected, &options);
    let mut nester = Nester::new(&collected, &analysis, &scout);
    for record in records {
        nester.see(record);
    }
    nester.finish()
}

fn definitions(catalog: &Catalog) -> impl Iterator<Item = Record> + '_ {
    let classes = catalog.classes.values().cloned().map(Record::Class);
    let methods = catalog.methods.values().cloned().map(Record::Method);
    let code = catalog.code.values().cloned().map(Record::Code);
    let stacks = catalog.stacks.values().cloned().map(Record::Stack);
    let locks = catalog.locks.values().cloned().map(Record::Lock);
    let threads = catalog.threads.values().cloned().map(Record::Thread);
    classes
        .chain(methods)
        .chain(code)
        .chain(stacks)
        .chain(locks)
        .chain(threads)
}

pub(super) fn events(events: &[Event]) -> Vec<Record> {
    events.iter().copied().map(Record::Event).collect()
}

/// The lock objects and threads of the simulated program.
fn simulated_catalog() -> Catalog {
    let mut b = Build::default();
    let classes: Vec<_> = (0..CLASSES)
        .map(|n| b.class(&format!("app.C{n}"), "app.Base"))
        .collect();
    for lock in 1..=LOCKS {
        b.lock(classes[class_of(LockId(lock)) as usize]);
    }
    for n in 1..=THREADS {
        b.thread(&format!("t{n}"));
    }
    b.catalog
}

fn simulated_edges(graph: &Graph) -> Edges {
    let class = |ix: usize| {
        graph.nodes[ix]
            .name
            .trim_start_matches('C')
            .parse()
            .expect("C0 to C3")
    };
    let thread = |name: &str| ThreadId(name.trim_start_matches('t').parse().expect("t1 to t4"));
    let edges = graph.edges.iter().map(|e| {
        let threads = e.threads.iter().map(|t| thread(&t.name)).collect();
        ((class(e.from), class(e.to)), (e.count, threads))
    });
    edges.collect()
}

/// The same events, each thread's in one piece: the worst order that a file may have.
fn by_thread(truth: &Truth) -> Vec<Event> {
    let mut events = truth.events.clone();
    events.sort_by_key(|e| e.thread);
    events
}

/// Rings of threads each of which is blocked on what the next one holds.
fn rings(truth: &Truth) -> usize {
    let next = |t: &ThreadId| truth.held.get(truth.blocked.get(t)?).copied();
    let on_ring = |start: &ThreadId| {
        let mut thread = next(start);
        for _ in 0..THREADS {
            match thread {
                Some(t) if t == *start => return true,
                Some(t) => thread = next(&t),
                None => return false,
            }
        }
        false
    };
    let mut threads: Vec<ThreadId> = truth.blocked.keys().copied().filter(on_ring).collect();
    let mut rings = 0;
    while let Some(first) = threads.first().copied() {
        let mut thread = first;
        loop {
            threads.retain(|t| *t != thread);
            thread = next(&thread).expect("on a ring");
            if thread == first {
                break;
            }
        }
        rings += 1;
    }
    rings
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn edges_from_exact_events_are_those_that_were(seed: u64, steps in 0u32..600) {
        let truth = simulate(seed, steps);
        let catalog = simulated_catalog();
        for order in [truth.events.clone(), by_thread(&truth)] {
            let graph = graph_of(&catalog, true, &events(&order));
            prop_assert!(graph.edges.iter().all(|e| e.known == Known::Exact));
            prop_assert_eq!(simulated_edges(&graph), truth.edges.clone());
        }
    }

    #[test]
    fn a_deadlock_is_told_exactly_if_there_is_one(seed: u64, steps in 0u32..3_000) {
        let truth = simulate(seed, steps);
        let graph = graph_of(&simulated_catalog(), true, &events(&truth.events));
        let happened = graph.cycles.iter().filter(|c| c.fate == Fate::Happened);
        prop_assert_eq!(happened.count(), rings(&truth));
    }

    #[test]
    fn nothing_panics_on_events_that_make_no_sense(
        shuffled in Just(simulate(7, 400).events).prop_shuffle(), kept in 0usize..400, exact: bool
    ) {
        let kept = &shuffled[..kept.min(shuffled.len())];
        let graph = graph_of(&simulated_catalog(), exact, &events(kept));
        prop_assert!(graph.edges.iter().all(|e| e.from < graph.nodes.len() && e.to < graph.nodes.len()));
    }
}

/// A program of two classes whose synchronized methods call each other: `A.outer` calls
/// `B.inner`, `B.outer` calls `A.inner`.
pub(super) struct Crossed {
    pub(super) b: Build,
    /// `inner` of each class about to be entered, below `outer` of the other.
    pub(super) nested: [StackId; 2],
    pub(super) locks: [LockId; 2],
    pub(super) threads: [ThreadId; 2],
}

pub(super) fn crossed() -> Crossed {
    let mut b = Build::default();
    let classes = ["app.A", "app.B"].map(|name| b.class(name, "java.lang.Object"));
    let inner = classes.map(|class| b.coded(class, "inner", SYNCHRONIZED, vec![leave()]));
    let calls = ["app.B", "app.A"].map(|name| vec![load(1), call(name, "inner"), leave()]);
    let [first, second] = calls;
    let outer = [
        b.coded(classes[0], "outer", SYNCHRONIZED, first),
        b.coded(classes[1], "outer", SYNCHRONIZED, second),
    ];
    let nested = [
        b.stack(&[(inner[1], 0), (outer[0], 1)]),
        b.stack(&[(inner[0], 0), (outer[1], 1)]),
    ];
    let locks = classes.map(|class| b.lock(class));
    let threads = ["one", "two"].map(|name| b.thread(name));
    Crossed {
        b,
        nested,
        locks,
        threads,
    }
}

fn at(us: u64, thread: ThreadId, kind: EventKind, lock: LockId, stack: StackId) -> Event {
    Event {
        stack: Some(stack),
        ..event(us, thread, kind, lock)
    }
}

/// Each thread blocks on the other's lock and gets it.
pub(super) fn met(c: &Crossed) -> Vec<Event> {
    let [one, two] = c.threads;
    let [a, b] = c.locks;
    vec![
        at(10, one, EventKind::Enter, b, c.nested[0]),
        event(20, one, EventKind::Entered, b),
        at(30, two, EventKind::Enter, a, c.nested[1]),
        event(40, two, EventKind::Entered, a),
    ]
}

#[test]
fn call_chains_of_blocked_threads_show_edges_and_their_cycle() {
    let c = crossed();
    let graph = graph_of(&c.b.catalog, false, &events(&met(&c)));
    let names: Vec<_> = graph.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["A", "B"]);
    let edges: Vec<_> = graph
        .edges
        .iter()
        .map(|e| (e.from, e.to, e.count, e.known))
        .collect();
    assert_eq!(edges, [(0, 1, 1, Known::Stack), (1, 0, 1, Known::Stack)]);
    assert_eq!(graph.edges[0].sites[0].outer, ["app.A.outer"]);
    assert_eq!(
        graph.edges[0].sites[0].inner,
        ["app.B.inner", "app.A.outer"]
    );
    assert_eq!(graph.cycles.len(), 1);
    assert_eq!(graph.cycles[0].fate, Fate::Stands);
    assert_eq!(
        graph.cycles[0].objects,
        Objects::Unknown,
        "who says that it was this A?"
    );
}

#[test]
fn one_thread_in_both_orders_is_no_deadlock() {
    let c = crossed();
    let mut alone = met(&c);
    alone.iter_mut().for_each(|e| e.thread = c.threads[0]);
    let graph = graph_of(&c.b.catalog, false, &events(&alone));
    assert_eq!(graph.edges.len(), 2);
    assert!(graph.cycles.is_empty(), "{graph:#?}");
    assert_eq!(graph.excluded.len(), 1);
}

#[test]
fn threads_that_name_each_other_as_owners_at_the_end_are_deadlocked() {
    let c = crossed();
    let [one, two] = c.threads;
    let stuck = [
        Event {
            owner: Owner::Thread(two),
            ..met(&c)[0]
        },
        Event {
            owner: Owner::Thread(one),
            ..met(&c)[2]
        },
    ];
    let graph = graph_of(&c.b.catalog, false, &events(&stuck));
    assert_eq!(graph.cycles.len(), 1);
    assert_eq!(graph.cycles[0].fate, Fate::Happened);
    assert!(graph.cycles[0].edges.iter().all(|e| e.blocked_at_end));
    assert_eq!(
        graph.edges.iter().map(|e| e.count).sum::<u64>(),
        2,
        "an attempt counts"
    );
}

#[test]
fn the_id_of_a_cycle_does_not_depend_on_the_order_of_locks() {
    let c = crossed();
    let id = |records: &[Event]| {
        graph_of(&c.b.catalog, false, &events(records)).cycles[0]
            .id
            .clone()
    };
    let mut later = met(&c);
    later[0].at = Nanos(1);
    let longer = Event {
        at: Nanos(900_000_000),
        ..later[3]
    };
    later[3] = longer;
    assert_eq!(id(&met(&c)), id(&later));
}

/// Below a region that no event was on, or that two locks have, nobody's lock is held for certain.
#[test]
fn a_region_without_a_lock_of_its_own_is_a_node_of_its_own() {
    let mut b = Build::default();
    let [base, quiet] = ["app.Base", "app.Quiet"].map(|n| b.class(n, "java.lang.Object"));
    let inner = b.coded(base, "inner", SYNCHRONIZED, vec![leave()]);
    let outer = b.coded(
        quiet,
        "outer",
        SYNCHRONIZED,
        vec![load(1), call("app.Base", "inner"), leave()],
    );
    let nested = b.stack(&[(inner, 0), (outer, 1)]);
    let lock = b.lock(base);
    let thread = b.thread("one");
    let records = events(&[at(10, thread, EventKind::Enter, lock, nested)]);
    let graph = graph_of(&b.catalog, false, &records);
    let outer = &graph.nodes[graph.edges[0].from];
    assert_eq!(outer.kind, NodeKind::Unseen);
    assert_eq!((outer.name.as_str(), outer.id), ("Quiet", 2));
}

/// Static synchronized methods of a class all lock one object, wherever they are met.
#[test]
fn the_monitor_of_a_class_is_one_node_and_a_gate() {
    let mut c = crossed();
    let gate = c.b.class("app.Gate", "java.lang.Object");
    let ways: Vec<MethodId> = ["left", "right"]
        .map(|name| {
            c.b.coded(
                gate,
                name,
                SYNCHRONIZED | STATIC,
                vec![call("app.X", "go"), leave()],
            )
        })
        .into();
    let mut records = met(&c);
    for (index, way) in [0, 2].into_iter().zip(ways) {
        let frames = &c.b.catalog.stacks[&c.nested[index / 2]].frames;
        let within = frames.iter().map(|f| (f.method, f.bci.unwrap_or(0)));
        let chain: Vec<_> = within.chain([(way, 0)]).collect();
        records[index].stack = Some(c.b.stack(&chain));
    }
    let graph = graph_of(&c.b.catalog, false, &events(&records));
    let gates = graph.nodes.iter().filter(|n| n.kind == NodeKind::Unseen);
    assert_eq!(
        gates.map(|n| n.name.as_str()).collect::<Vec<_>>(),
        ["Gate.class"]
    );
    assert!(graph.cycles.is_empty(), "{graph:#?}");
    assert_eq!(graph.excluded.len(), 1);
}

/// Objects of one class taken exactly, in these orders, each by a thread of its own.
fn taken(orders: &[&[u32]]) -> Graph {
    let mut b = Build::default();
    let class = b.class("app.Node", "app.Base");
    for _ in 0..9 {
        b.lock(class);
    }
    let mut records = Vec::new();
    let mut us = 0;
    for (n, order) in orders.iter().enumerate() {
        let thread = b.thread(&format!("t{n}"));
        let mut post = |kind, lock: u32| {
            us += 1;
            records.push(at(us, thread, kind, LockId(lock), SITE));
        };
        for (nth, &lock) in order.iter().enumerate() {
            post(EventKind::Entered, lock);
            // Hand over hand: the one before is let go when the next is held.
            if nth > 0 {
                post(EventKind::Exit, order[nth - 1]);
            }
        }
        post(EventKind::Exit, order[order.len() - 1]);
    }
    graph_of(&b.catalog, true, &events(&records))
}

#[test]
fn hand_over_hand_is_told_from_a_ring_by_its_objects() {
    let list = taken(&[&[1, 2, 3, 4], &[2, 3, 5], &[1, 2, 3]]);
    assert_eq!(list.same[0].order, ObjectOrder::Ordered);
    assert!(list.cycles.is_empty() && list.edges.len() == 1);
    let ring = taken(&[&[1, 2], &[2, 3], &[3, 1]]);
    assert_eq!(ring.same[0].order, ObjectOrder::Cyclic);
    assert_eq!((ring.cycles.len(), ring.cycles[0].edges.len()), (1, 3));
    assert_eq!(ring.cycles[0].objects, Objects::Same);
    let alone = taken(&[&[1, 2, 1]]);
    assert_eq!(alone.same[0].order, ObjectOrder::Cyclic);
    assert!(alone.cycles.is_empty(), "one thread does not meet itself");
}

#[test]
fn where_events_are_missing_nothing_is_held_for_certain() {
    let catalog = simulated_catalog();
    let [one, two] = [LockId(1), LockId(2)];
    let thread = ThreadId(1);
    let mut records = events(&[
        at(10, thread, EventKind::Entered, one, SITE),
        at(50, thread, EventKind::Entered, two, SITE),
        event(60, thread, EventKind::Exit, two),
    ]);
    assert_eq!(graph_of(&catalog, true, &records).edges.len(), 1);
    records.push(Record::Lost(Lost {
        from: Nanos(20_000),
        to: Nanos(30_000),
        count: 1,
        cause: LossCause::BufferFull,
    }));
    let graph = graph_of(&catalog, true, &records);
    assert!(graph.edges.is_empty());
    assert_eq!(graph.limits.forgotten, 1);
}

#[test]
fn a_return_from_wait_that_nobody_reported_is_a_return_all_the_same() {
    let (thread, lock) = (ThreadId(1), LockId(1));
    let records = events(&[
        at(10, thread, EventKind::Entered, lock, SITE),
        event(20, thread, EventKind::Wait { timeout: None }, lock),
        event(30, thread, EventKind::Waited { timed_out: false }, lock),
        at(40, thread, EventKind::Entered, LockId(2), SITE),
    ]);
    assert_eq!(
        graph_of(&simulated_catalog(), true, &records).edges.len(),
        1
    );
}

/// Three threads take `outer` and within it `inner`, others `inner` alone. What the probes of a region did not
/// confirm was left in code without them.
#[test]
fn what_no_probe_confirmed_is_not_held() {
    let [outer, inner] = [LockId(1), LockId(2)];
    let [one, two] = [ThreadId(1), ThreadId(2)];
    let records = |first: Option<StackId>| {
        events(&[
            // It had blocked before the probes were there.
            Event {
                stack: first,
                ..event(10, one, EventKind::Entered, inner)
            },
            at(20, two, EventKind::Entered, outer, SITE),
            event(30, one, EventKind::Enter, outer),
            event(40, two, EventKind::Enter, inner),
        ])
    };
    let catalog = simulated_catalog();
    let graph = graph_of(&catalog, true, &records(None));
    let edges: Vec<_> = graph.edges.iter().map(|e| (e.from, e.to)).collect();
    assert_eq!((edges.len(), graph.cycles.len()), (1, 0), "{graph:#?}");
    let graph = graph_of(&catalog, true, &records(Some(SITE)));
    assert_eq!(graph.cycles[0].fate, Fate::Happened, "it was confirmed");
}

/// A thread blocks on a lock that it was seen entering: its exit was not seen.
#[test]
fn who_blocks_on_a_lock_does_not_hold_it() {
    let [one, two] = [LockId(1), LockId(2)];
    let thread = ThreadId(1);
    let records = events(&[
        at(10, thread, EventKind::Entered, one, SITE),
        event(20, thread, EventKind::Enter, one),
        event(30, thread, EventKind::Entered, one),
        at(40, thread, EventKind::Entered, two, SITE),
    ]);
    let graph = graph_of(&simulated_catalog(), true, &records);
    assert!(graph.edges.is_empty(), "{graph:#?}");
}

/// A lock watched by contended events only is never held by them alone.
#[test]
fn an_acquisition_whose_release_is_not_watched_is_no_hold() {
    let catalog = simulated_catalog();
    let records = events(&[
        event(10, ThreadId(1), EventKind::Enter, LockId(1)),
        event(20, ThreadId(1), EventKind::Entered, LockId(1)),
        event(30, ThreadId(1), EventKind::Enter, LockId(2)),
    ]);
    assert!(graph_of(&catalog, false, &records).edges.is_empty());
}

#[test]
fn a_lock_that_is_a_thread_orders_by_its_joins() {
    let mut c = crossed();
    let [one, two] = c.threads;
    let main = c.b.thread("main");
    let class = c.b.class("java.lang.Thread", "java.lang.Object");
    let objects: BTreeMap<ThreadId, LockId> = c
        .threads
        .map(|t| (t, c.b.lock_as(class, LockObject::Thread(t))))
        .into();
    let life = |us, thread, kind| Event {
        lock: None,
        ..event(us, thread, kind, LockId(1))
    };
    let forever = EventKind::Wait { timeout: None };
    let join = |from, to, thread| {
        let lock = objects[&thread];
        [
            event(from, main, forever, lock),
            event(to, main, EventKind::Waited { timed_out: false }, lock),
        ]
    };
    let mut met = met(&c);
    met[2].at = Nanos(300_000_000);
    met[3].at = Nanos(310_000_000);
    let mut all = vec![life(1, one, EventKind::ThreadStart)];
    all.extend(&met[..2]);
    all.extend(join(5, 200_000, one));
    all.push(life(199_000, one, EventKind::ThreadEnd));
    all.push(life(201_000, two, EventKind::ThreadStart));
    all.extend(&met[2..]);
    let graph = |all: &[Event]| graph_of(&c.b.catalog, false, &events(all));
    let cut = graph(&all);
    assert!(cut.cycles.is_empty(), "nobody has come yet to wait");
    let mut longer = all.clone();
    longer.push(life(500_000, main, EventKind::ThreadStart));
    assert_eq!(
        graph(&longer).cycles.len(),
        1,
        "nobody is known to have started the second"
    );
    all.extend(join(202_000, 400_000, two));
    assert!(graph(&all).cycles.is_empty());
    let excluded = |all: &[Event]| {
        let graph = graph(all);
        let mut report = Report::default();
        report.add_watched(&graph, &Model::default(), &BTreeMap::new());
        let tiers: Vec<Tier> = report.findings.iter().map(|f| f.tier).collect();
        let fates: Vec<Fate> = graph.excluded.into_iter().map(|c| c.fate).collect();
        (fates, tiers, report.excluded.len())
    };
    let order = |inferred| vec![Fate::Excluded(vec![Reason::Order { inferred }])];
    let presumed = "what is inferred does not rule a deadlock out";
    assert_eq!(
        excluded(&all),
        (order(true), vec![Tier::T5], 0),
        "{presumed}"
    );
    // The second waits for the end of the first itself.
    all.retain(|event| event.thread != main);
    let lock = objects[&one];
    let waits = [
        event(202_000, two, forever, lock),
        event(203_000, two, EventKind::Waited { timed_out: false }, lock),
    ];
    let at = all.iter().position(|event| event.at > Nanos(203_000_000));
    let at = at.expect("what the second does later");
    all.splice(at..at, waits);
    assert_eq!(excluded(&all), (order(false), vec![], 1));
}

#[test]
fn what_the_search_for_deadlocks_excludes_is_excluded_here_too() {
    let found = || {
        let graph = taken(&[&[1, 2, 1], &[2, 1, 2]]);
        let mut report = Report::default();
        report.add_watched(&graph, &Model::default(), &BTreeMap::new());
        (graph, report)
    };
    let (mut graph, mut report) = found();
    report.judge(&mut graph);
    let judged = &graph.cycles[0].judged;
    assert_eq!(judged[0].id, report.findings[0].id);
    assert!(graph.edges.iter().any(|edge| edge.in_cycle));
    let finding = report.findings.remove(0);
    report.excluded = vec![Excluded {
        id: finding.id,
        locks: vec![finding.locks[0].name.clone()],
        reasons: vec!["a latch".to_owned()],
    }];
    let (mut graph, _) = found();
    report.judge(&mut graph);
    assert!(graph.cycles.is_empty());
    let why = vec![Reason::Searched(vec!["a latch".to_owned()])];
    assert_eq!(graph.excluded[0].fate, Fate::Excluded(why));
    assert!(!graph.edges.iter().any(|edge| edge.in_cycle));
}

/// A method that calls another one of its own object enters the same monitor again.
#[test]
fn a_second_entry_is_no_nesting() {
    let mut b = Build::default();
    let [busy, quiet] = ["app.Busy", "app.Quiet"].map(|n| b.class(n, "java.lang.Object"));
    let inner = b.coded(busy, "inner", SYNCHRONIZED, vec![leave()]);
    let mut method = |name, calls: &str| {
        let body = vec![load(1), call(calls, "next"), leave()];
        b.coded(quiet, name, SYNCHRONIZED, body)
    };
    let (first, second) = (method("first", "app.Quiet"), method("second", "app.Busy"));
    let chains = [
        b.stack(&[(inner, 0), (second, 1), (first, 1)]),
        b.stack(&[(inner, 0), (first, 1), (second, 1)]),
    ];
    let lock = b.lock(busy);
    let threads = ["one", "two"].map(|name| b.thread(name));
    let records = [0, 1].map(|n| {
        at(
            n * 10 + 10,
            threads[n as usize],
            EventKind::Enter,
            lock,
            chains[n as usize],
        )
    });
    let graph = graph_of(&b.catalog, false, &events(&records));
    let names = |ix: usize| graph.nodes[ix].name.as_str();
    let edges: Vec<_> = graph
        .edges
        .iter()
        .map(|e| (names(e.from), names(e.to)))
        .collect();
    assert_eq!(edges, [("Quiet", "Busy")]);
    assert!(graph.cycles.is_empty() && graph.excluded.is_empty());
}

/// Probes that lost records have met one object only: whoever is in another region of it enters it again.
#[test]
fn a_second_entry_of_the_only_object_is_no_nesting_where_records_are_missing() {
    let mut b = Build::default();
    let busy = b.class("app.Busy", "java.lang.Object");
    let inner = b.coded(busy, "inner", SYNCHRONIZED, vec![leave()]);
    let body = vec![load(1), call("app.Busy", "inner"), leave()];
    let outer = b.coded(busy, "outer", SYNCHRONIZED, body);
    let chain = b.stack(&[(inner, 0), (outer, 1)]);
    let (lock, thread) = (b.lock(busy), b.thread("one"));
    let edges = |exact: bool, kind: EventKind| {
        let records = events(&[at(10, thread, kind, lock, chain)]);
        graph_of(&b.catalog, exact, &records).edges.len()
    };
    assert_eq!(edges(true, EventKind::Entered), 0);
    // Who blocks does not block on what he holds.
    assert_eq!(edges(false, EventKind::Enter), 1);
}
