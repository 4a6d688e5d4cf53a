//! Nesting of locks of `java.util.concurrent` by their operations.

use super::graph::{Fate, Known, Reason};
use super::tests::graph_of;
use super::{Graph, LockId, Nanos, ThreadId};
use crate::fixtures::{Build, event};
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::{EventKind, Record};

const LOCK: &str = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
const READ_WRITE: &str = "java.util.concurrent.locks.ReentrantReadWriteLock$FairSync";

/// Two locks of that class and two threads.
struct Scene {
    build: Build,
    locks: [LockId; 2],
    threads: [ThreadId; 2],
    records: Vec<Record>,
    us: u64,
}

impl Scene {
    fn new(one: &str, other: &str) -> Self {
        let mut build = Build::default();
        let classes = [one, other].map(|name| build.class(name, "java.lang.Object"));
        let locks = classes.map(|class| build.lock(class));
        let threads = ["one", "two"].map(|name| build.thread(name));
        Self {
            build,
            locks,
            threads,
            records: Vec::new(),
            us: 0,
        }
    }

    fn tell(&mut self, thread: usize, lock: usize, act: Act, tries: bool) {
        self.us += 1;
        self.records.push(Record::Operation(Operation {
            at: Nanos(self.us * 1000),
            thread: self.threads[thread],
            lock: self.locks[lock],
            act,
            outcome: Outcome::Done,
            count: 1,
            tries,
            stack: None,
        }));
    }

    /// A thread takes one lock and then, within it, another.
    fn nest(&mut self, thread: usize, outer: usize, (act, tries): (Act, bool)) {
        let give = match act {
            Act::Share => Act::Unshare,
            _ => Act::Unlock,
        };
        let inner = 1 - outer;
        self.tell(thread, outer, act, tries);
        self.tell(thread, inner, act, tries);
        self.tell(thread, inner, give, false);
        self.tell(thread, outer, give, false);
    }

    fn graph(&self) -> Graph {
        graph_of(&self.build.catalog, true, &self.records)
    }
}

#[test]
fn both_orders_are_a_cycle_and_every_edge_is_exact() {
    let mut scene = Scene::new(LOCK, READ_WRITE);
    scene.nest(0, 0, (Act::Lock, false));
    scene.nest(1, 1, (Act::Lock, false));
    let graph = scene.graph();
    assert_eq!((graph.cycles.len(), graph.edges.len()), (1, 2));
    assert!(graph.edges.iter().all(|edge| edge.known == Known::Exact));
}

#[test]
fn who_only_tries_wants_nothing_but_holds_what_it_took() {
    let mut scene = Scene::new(LOCK, READ_WRITE);
    scene.nest(0, 0, (Act::Lock, true));
    scene.nest(1, 1, (Act::Lock, false));
    let graph = scene.graph();
    assert_eq!((graph.cycles.len(), graph.edges.len()), (0, 1));
}

#[test]
fn readers_do_not_keep_each_other_out() {
    let mut scene = Scene::new(READ_WRITE, READ_WRITE);
    // Two logical locks, not two objects of one.
    let other = "java.util.concurrent.locks.StampedLock";
    let class = scene.build.class(other, "java.lang.Object");
    scene.locks[1] = scene.build.lock(class);
    scene.nest(0, 0, (Act::Share, false));
    scene.nest(1, 1, (Act::Share, false));
    let graph = scene.graph();
    assert_eq!(graph.cycles.len(), 0);
    let fates: Vec<&Fate> = graph.excluded.iter().map(|cycle| &cycle.fate).collect();
    assert_eq!(fates, [&Fate::Excluded(vec![Reason::Shared])]);
    scene.nest(0, 0, (Act::Lock, false));
    assert_eq!(scene.graph().cycles.len(), 1, "one of them writes");
}

#[test]
fn monitors_and_locks_are_in_one_order_of_time() {
    let mut scene = Scene::new(LOCK, LOCK);
    let class = scene.build.class("app.Shop", "java.lang.Object");
    let monitor = scene.build.lock(class);
    let [one, two] = scene.threads;
    let site = {
        let method = scene.build.method(class, "run", "()V", 0);
        scene.build.stack(&[(method, 3)])
    };
    let monitor_event = |us: u64, thread, kind| {
        let mut told = event(us, thread, kind, monitor);
        told.stack = Some(site);
        Record::Event(told)
    };
    scene.tell(0, 0, Act::Lock, false);
    scene.tell(0, 0, Act::Unlock, false);
    scene.us = 10;
    scene.tell(1, 0, Act::Lock, false);
    scene.us = 19;
    scene.tell(1, 0, Act::Unlock, false);
    // Told after what came later: the order of time counts.
    scene.records.extend([
        monitor_event(0, one, EventKind::Entered),
        monitor_event(5, one, EventKind::Exit),
        monitor_event(14, two, EventKind::Entered),
        monitor_event(15, two, EventKind::Exit),
    ]);
    let graph = scene.graph();
    assert_eq!((graph.cycles.len(), graph.edges.len()), (1, 2));
}

#[test]
fn who_is_parked_at_the_end_wants_the_lock_still() {
    let mut scene = Scene::new(LOCK, READ_WRITE);
    let (one, two) = (0, 1);
    scene.tell(one, 0, Act::Lock, false);
    scene.tell(two, 1, Act::Lock, false);
    for (thread, lock) in [(one, 1), (two, 0)] {
        scene.records.push(Record::Park(Park {
            stack: None,
            thread: scene.threads[thread],
            lock: Some(scene.locks[lock]),
            from: Nanos(10_000),
            to: Nanos(20_000),
            limit: None,
            end: ParkEnd::Open,
            unpark: None,
        }));
    }
    let graph = scene.graph();
    assert_eq!(graph.cycles.len(), 1);
    assert_eq!(graph.cycles[0].fate, Fate::Happened);
}
