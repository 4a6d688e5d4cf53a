//! Blame of events written by hand, one rule each, and of any events at all.

use super::*;
use crate::collect::Collector;
use crate::fixtures::{Build, call, event, leave};
use crate::model::Options;
use locklens_trace::record::{End, EndReason, Owner, Tick, target_key};
use locklens_trace::{Event, EventKind, MethodId, StackId, ThreadId};
use proptest::prelude::*;

pub(super) const A: ThreadId = ThreadId(1);
pub(super) const B: ThreadId = ThreadId(2);
pub(super) const C: ThreadId = ThreadId(3);
const LOCK: LockId = LockId(1);
const OTHER: LockId = LockId(2);

/// A recording under construction: threads "a", "b", "c", and two locks of `app.Store`, whose methods are `put`, `get` and `run`.
pub(super) struct Scene {
    pub(super) build: Build,
    methods: Vec<MethodId>,
    pub(super) records: Vec<Record>,
}

impl Scene {
    pub(super) fn new() -> Self {
        let mut build = Build::default();
        let class = build.class("app.Store", "java.lang.Object");
        let names = ["put", "get", "run"];
        let methods = names
            .map(|name| build.coded(class, name, 0, vec![leave()]))
            .to_vec();
        build.lock(class);
        build.lock(class);
        for name in ["a", "b", "c"] {
            build.thread(name);
        }
        Self {
            build,
            methods,
            records: Vec::new(),
        }
    }

    /// An exact one.
    pub(super) fn exact() -> Self {
        let mut scene = Self::new();
        let facts = [
            (target_key::EXACT, "true"),
            (target_key::EXACT_SINCE, "0"),
            (target_key::MODE, "launch"),
        ];
        let facts = facts.map(|(key, value)| (key.to_owned(), value.to_owned()));
        scene.records.push(Record::Target(facts.to_vec()));
        scene
    }

    /// The chain of one of the methods.
    pub(super) fn at(&mut self, method: usize) -> StackId {
        self.build.stack(&[(self.methods[method], 0)])
    }

    /// That of a method that locks its object.
    pub(super) fn inside(&mut self) -> StackId {
        self.inside_of("lock")
    }

    /// That of a method of this name that locks its object.
    pub(super) fn inside_of(&mut self, name: &str) -> StackId {
        const SYNCHRONIZED: u32 = 0x20;
        let class = self.build.catalog.methods[&self.methods[0]].class;
        let method = self.build.coded(class, name, SYNCHRONIZED, vec![leave()]);
        self.build.stack(&[(method, 0)])
    }

    pub(super) fn push(
        &mut self,
        us: u64,
        thread: ThreadId,
        kind: EventKind,
        lock: LockId,
    ) -> &mut Event {
        self.records
            .push(Record::Event(event(us, thread, kind, lock)));
        match self.records.last_mut() {
            Some(Record::Event(event)) => event,
            _ => unreachable!("it was pushed"),
        }
    }

    pub(super) fn enter(&mut self, us: u64, thread: ThreadId, owner: Owner) {
        self.push(us, thread, EventKind::Enter, LOCK).owner = owner;
    }

    pub(super) fn blame(&self, keys: &[Key], wish: Wish) -> Blame {
        blame(&self.all(), keys, wish)
    }

    /// All records, definitions first.
    pub(super) fn all(&self) -> Vec<Record> {
        let catalog = &self.build.catalog;
        let mut definitions: Vec<Record> = Vec::new();
        definitions.extend(catalog.classes.values().cloned().map(Record::Class));
        definitions.extend(catalog.methods.values().cloned().map(Record::Method));
        definitions.extend(catalog.code.values().cloned().map(Record::Code));
        definitions.extend(catalog.stacks.values().cloned().map(Record::Stack));
        definitions.extend(catalog.locks.values().cloned().map(Record::Lock));
        definitions.extend(catalog.threads.values().cloned().map(Record::Thread));
        definitions.extend(self.records.clone());
        definitions
    }

    fn by(&self, keys: &[Key]) -> Vec<(String, u64, u64)> {
        told(&self.blame(keys, Wish::default()).total)
    }
}

pub(super) fn blame(records: &[Record], keys: &[Key], wish: Wish) -> Blame {
    let options = Options::default();
    let (mut collector, mut census) = (Collector::new(options), Census::default());
    for record in records {
        census.see(record);
        collector.push(record.clone());
    }
    let collected = collector.finish();
    let analysis = Analysis::of(&collected, &options);
    let findings = census.finish();
    let new = || Blamer::new(&collected, &analysis, &findings, keys, wish);
    let mut blamer = new();
    records.iter().for_each(|record| blamer.push(record));
    let blame = blamer.finish();
    let beside = new().beside(|tell| records.iter().for_each(tell));
    assert_eq!(beside.finish(), blame);
    blame
}

/// Rows of the first key: what they are called, microseconds, and stays.
pub(super) fn told(total: &Row) -> Vec<(String, u64, u64)> {
    let row = |row: &Row| {
        let name = match row.value.as_ref() {
            Some(Value::Named(name)) => name.clone(),
            Some(Value::Lock(_, name)) => name.clone(),
            Some(Value::Chain(chain)) => chain.frames.join(" < "),
            Some(Value::Time(from, _)) => from.0.to_string(),
            other => format!("{other:?}").replace("Some(", "(").to_lowercase(),
        };
        (name, row.ns.0 / 1000, row.count)
    };
    total.rows.iter().map(row).collect()
}

pub(super) fn rows<const N: usize>(rows: [(&str, u64, u64); N]) -> Vec<(String, u64, u64)> {
    rows.map(|(name, us, count)| (name.to_owned(), us, count))
        .into()
}

/// A and B hold the lock one after the other while C is blocked.
fn two_holders() -> Scene {
    let mut scene = Scene::exact();
    let (put, get) = (scene.at(0), scene.at(1));
    scene.push(10, A, EventKind::Entered, LOCK).stack = Some(put);
    scene.enter(20, C, Owner::Thread(A));
    scene.push(50, A, EventKind::Exit, LOCK).stack = Some(put);
    scene.push(52, B, EventKind::Entered, LOCK).stack = Some(get);
    scene.push(60, B, EventKind::Exit, LOCK).stack = Some(get);
    scene.push(65, C, EventKind::Entered, LOCK).stack = Some(get);
    scene.push(70, C, EventKind::Exit, LOCK).stack = Some(get);
    scene
}

#[test]
fn a_stay_is_divided_among_those_who_held_the_lock() {
    let scene = two_holders();
    assert_eq!(
        scene.by(&[Key::OwnerThread]),
        rows([("a", 30, 1), ("b", 8, 1), ("(nobody)", 7, 1)])
    );
    assert_eq!(
        scene.by(&[Key::OwnerMethod]),
        rows([
            ("app.Store.put", 30, 1),
            ("app.Store.get", 8, 1),
            ("(nobody)", 7, 1)
        ])
    );
}

#[test]
fn a_stay_counts_once_in_every_row() {
    let blame = two_holders().blame(&[Key::WaiterThread, Key::OwnerThread], Wish::default());
    assert_eq!((blame.total.ns, blame.total.count), (Nanos(45_000), 1));
    assert_eq!(told(&blame.total), rows([("c", 45, 1)]));
    assert_eq!(blame.total.max, Some(Nanos(45_000)));
    assert_eq!(blame.total.rows[0].rows[0].max, Some(Nanos(30_000)));
    assert_eq!(blame.nobody, Nanos(7_000));
}

#[test]
fn who_gives_it_up_to_wait_is_charged_with_where_it_acquired() {
    let mut scene = Scene::exact();
    let (put, run) = (scene.at(0), scene.at(2));
    scene.push(10, A, EventKind::Entered, LOCK).stack = Some(put);
    scene.enter(20, C, Owner::Thread(A));
    scene
        .push(40, A, EventKind::Wait { timeout: None }, LOCK)
        .stack = Some(run);
    scene.push(45, C, EventKind::Entered, LOCK).stack = Some(run);
    scene.push(60, C, EventKind::Exit, LOCK).stack = Some(run);
    assert_eq!(
        scene.by(&[Key::OwnerMethod]),
        rows([("app.Store.put", 20, 1), ("(nobody)", 5, 1)])
    );
}

/// Chains of those who block are under a budget; a probe tells of where they come in all the same.
#[test]
fn who_was_blocked_without_a_chain_was_where_he_came_in() {
    let mut scene = Scene::exact();
    let (put, get) = (scene.at(0), scene.at(1));
    scene.push(10, A, EventKind::Entered, LOCK).stack = Some(put);
    scene.enter(20, C, Owner::Thread(A));
    scene.push(40, A, EventKind::Exit, LOCK).stack = Some(put);
    scene.push(41, C, EventKind::Entered, LOCK).stack = Some(get);
    assert_eq!(
        scene.by(&[Key::WaiterMethod]),
        rows([("app.Store.get", 21, 1)])
    );
}

#[test]
fn the_way_back_from_a_wait_is_told_apart() {
    let mut scene = Scene::exact();
    let put = scene.at(0);
    scene.push(10, A, EventKind::Entered, LOCK).stack = Some(put);
    scene
        .push(20, A, EventKind::Wait { timeout: None }, LOCK)
        .stack = Some(put);
    scene.push(30, B, EventKind::Entered, LOCK).stack = Some(put);
    scene.push(35, B, EventKind::NotifyAll, LOCK).stack = Some(put);
    scene.push(36, A, EventKind::Waited { timed_out: false }, LOCK);
    scene.push(50, B, EventKind::Exit, LOCK).stack = Some(put);
    scene.push(51, A, EventKind::Resumed, LOCK).stack = Some(put);
    scene.push(60, A, EventKind::Exit, LOCK).stack = Some(put);
    let blame = scene.blame(&[Key::Group, Key::OwnerThread], Wish::default());
    assert_eq!(told(&blame.total), rows([("monitor after wait", 15, 1)]));
    assert_eq!(
        told(&blame.total.rows[0]),
        rows([("b", 14, 1), ("(nobody)", 1, 1)])
    );
    let waits = Wish {
        waits: true,
        ..Wish::default()
    };
    let blame = scene.blame(&[Key::OwnerThread], waits);
    assert_eq!(told(&blame.total), rows([("b", 16, 1)]));
    assert_eq!(blame.inferred, 0);
}

#[test]
fn a_wait_that_was_interrupted_is_nobodys() {
    let ended_by = |kind| {
        let mut scene = Scene::exact();
        let put = scene.at(0);
        scene.push(10, A, EventKind::Entered, LOCK).stack = Some(put);
        scene.push(20, A, EventKind::Wait { timeout: None }, LOCK);
        scene.push(50, A, EventKind::Waited { timed_out: false }, LOCK);
        scene.push(51, A, kind, LOCK).stack = Some(put);
        scene.push(60, A, EventKind::Exit, LOCK).stack = Some(put);
        let waits = Wish {
            waits: true,
            ..Wish::default()
        };
        told(&scene.blame(&[Key::OwnerThread], waits).total)
    };
    assert_eq!(
        ended_by(EventKind::Interrupted),
        rows([("(nobody)", 30, 1)])
    );
    assert_eq!(ended_by(EventKind::Resumed), rows([("(unknown)", 30, 1)]));
}

#[test]
fn a_wait_of_which_only_the_end_is_told_counts() {
    let mut scene = Scene::new();
    scene.push(40, A, EventKind::Waited { timed_out: false }, LOCK);
    let waits = Wish {
        waits: true,
        ..Wish::default()
    };
    let total = scene.blame(&[Key::WaiterThread], waits).total;
    assert_eq!((total.count, total.unmeasured, total.ns), (1, 1, Nanos(0)));
}

#[test]
fn whose_wait_a_notify_ends_is_inferred_where_several_wait() {
    let mut scene = Scene::exact();
    let put = scene.at(0);
    for (us, thread) in [(10, A), (20, B)] {
        scene.push(us, thread, EventKind::Entered, LOCK).stack = Some(put);
        scene.push(us + 5, thread, EventKind::Wait { timeout: None }, LOCK);
    }
    scene.push(30, C, EventKind::Entered, LOCK).stack = Some(put);
    scene.push(35, C, EventKind::Notify, LOCK).stack = Some(put);
    scene.push(40, C, EventKind::Exit, LOCK).stack = Some(put);
    scene.push(41, A, EventKind::Waited { timed_out: false }, LOCK);
    scene.push(42, A, EventKind::Resumed, LOCK);
    scene.push(43, B, EventKind::Waited { timed_out: true }, LOCK);
    let waits = Wish {
        waits: true,
        ..Wish::default()
    };
    let blame = scene.blame(&[Key::WaiterThread, Key::OwnerThread], waits);
    assert_eq!(told(&blame.total), rows([("a", 26, 1), ("b", 18, 1)]));
    assert_eq!(told(&blame.total.rows[0]), rows([("c", 26, 1)]));
    assert_eq!(told(&blame.total.rows[1]), rows([("(nobody)", 18, 1)]));
    assert_eq!(blame.inferred, 1);
}

/// It had come through by another method before, and took it again without being blocked.
#[test]
fn who_owns_it_at_the_end_held_it_where_it_is_then() {
    let held_by_slow = |others: &dyn Fn(&mut Scene), owner: u32| {
        let mut scene = Scene::new();
        let (put, slow) = (scene.inside_of("put"), scene.inside_of("slow"));
        scene.enter(1, A, Owner::Thread(C));
        scene.push(5, A, EventKind::Entered, LOCK).stack = Some(put);
        scene.enter(20, B, Owner::Thread(A));
        others(&mut scene);
        let facts = [
            (target_key::END_OWNERS, format!("2 1 {owner}")),
            (target_key::END_CHAINS, format!("1 {}", slow.0)),
        ];
        let facts = facts.map(|(key, value)| (key.to_owned(), value));
        scene.records.push(Record::Target(facts.to_vec()));
        scene.records.push(Record::End(End {
            at: Nanos(100_000),
            reason: EndReason::Stopped,
        }));
        let all = scene.by(&[Key::OwnerMethod]).into_iter();
        let slow = all.filter(|(name, ..)| name == "app.Store.slow");
        slow.map(|(_, us, _)| us).sum::<u64>()
    };
    assert_eq!(held_by_slow(&|_| {}, 1), 80);
    let again = |scene: &mut Scene| {
        scene.enter(40, C, Owner::Thread(A));
    };
    assert_eq!(held_by_slow(&again, 1), 140);
    // Somebody else was seen to have it meanwhile, or at the end.
    let other = |scene: &mut Scene| {
        scene.enter(60, C, Owner::Thread(ThreadId(9)));
        scene.enter(70, ThreadId(8), Owner::Thread(A));
    };
    assert_eq!(held_by_slow(&other, 1), 90);
    assert_eq!(held_by_slow(&|_| {}, 3), 0);
}

/// Nothing is told after the probes: neither who has the lock, nor whether anybody is blocked.
#[test]
fn who_is_blocked_when_the_probes_go_was_so_up_to_then() {
    let mut scene = Scene::exact();
    let put = scene.at(0);
    scene.push(1, A, EventKind::Entered, LOCK).stack = Some(put);
    scene.enter(20, C, Owner::Thread(A));
    scene.push(30, A, EventKind::Exit, LOCK).stack = Some(put);
    let facts = [
        (target_key::EXACT_UNTIL, "35000"),
        (target_key::END_OWNERS, "3 1 3"),
    ];
    let facts = facts.map(|(key, value)| (key.to_owned(), value.to_owned()));
    scene.records.push(Record::Target(facts.to_vec()));
    scene.records.push(Record::End(End {
        at: Nanos(600_000),
        reason: EndReason::Stopped,
    }));
    assert_eq!(
        scene.by(&[Key::OwnerThread]),
        rows([("a", 10, 1), ("(nobody)", 5, 1)])
    );
}

#[test]
fn an_acquisition_that_no_probe_saw_leave_is_unknown() {
    let mut scene = Scene::exact();
    let put = scene.at(0);
    scene.push(1, A, EventKind::Entered, LOCK).stack = Some(put);
    scene.push(2, A, EventKind::Exit, LOCK).stack = Some(put);
    scene.push(10, A, EventKind::Entered, LOCK).stack = Some(put);
    scene.enter(20, C, Owner::Thread(A));
    scene.push(50, B, EventKind::Entered, LOCK).stack = Some(put);
    scene.push(60, B, EventKind::Exit, LOCK).stack = Some(put);
    scene.push(60, C, EventKind::Entered, LOCK).stack = Some(put);
    let blame = scene.blame(&[Key::OwnerThread], Wish::default());
    assert_eq!(
        told(&blame.total),
        rows([("(unknown)", 30, 1), ("b", 10, 1)])
    );
    assert_eq!(blame.unknown.get(&Why::Elsewhere), Some(&Nanos(30_000)));
}

#[test]
fn who_has_come_in_and_never_leaves_holds_it_to_the_end() {
    let mut scene = Scene::exact();
    let put = scene.at(0);
    scene.push(10, A, EventKind::Entered, LOCK).stack = Some(put);
    scene.enter(20, C, Owner::Thread(A));
    scene.enter(30, B, Owner::Thread(A));
    scene.records.push(Record::End(End {
        at: Nanos(100_000),
        reason: EndReason::Stopped,
    }));
    assert_eq!(scene.by(&[Key::OwnerThread]), rows([("a", 150, 2)]));
    assert_eq!(
        scene.by(&[Key::OwnerMethod]),
        rows([("app.Store.put", 150, 2)])
    );
    // Where only what is new is told, it may have left.
    let guard = vec![(target_key::GUARD.to_owned(), "true".to_owned())];
    scene.records.insert(0, Record::Target(guard));
    assert_eq!(scene.by(&[Key::OwnerThread]), rows([("(unknown)", 150, 2)]));
}

#[test]
fn a_deadlock_of_locks_that_nobody_ever_gave_back_is_one() {
    let mut scene = Scene::exact();
    let put = scene.at(0);
    scene.push(10, A, EventKind::Entered, LOCK).stack = Some(put);
    scene.push(11, B, EventKind::Entered, OTHER).stack = Some(put);
    scene.push(20, A, EventKind::Enter, OTHER).owner = Owner::Thread(B);
    scene.enter(30, B, Owner::Thread(A));
    scene.enter(40, C, Owner::Thread(A));
    scene.records.push(Record::End(End {
        at: Nanos(100_000),
        reason: EndReason::Stopped,
    }));
    let root = Wish {
        root: true,
        ..Wish::default()
    };
    let blame = scene.blame(&[Key::OwnerThread], root);
    // All that A and B lost to each other when both were held up, and what C loses to them.
    assert_eq!(
        told(&blame.total),
        rows([("(cycle)", 200, 3), ("b", 10, 1)])
    );
    assert_eq!(blame.cycle, Nanos(200_000));
}

/// A and B take turns; each blocks until the other leaves, which makes no event.
pub(super) fn turns(times: u64, owner: impl Fn(u64) -> Owner) -> Scene {
    let mut scene = Scene::new();
    for turn in 0..times {
        let (this, other) = if turn % 2 == 0 { (A, B) } else { (B, A) };
        scene.enter(100 * turn + 10, this, owner(turn).or(other));
        scene.push(100 * turn + 40, this, EventKind::Entered, LOCK);
    }
    scene
}

trait Or {
    fn or(self, other: ThreadId) -> Owner;
}

impl Or for Owner {
    fn or(self, other: ThreadId) -> Owner {
        match self {
            Owner::Unknown => Owner::Thread(other),
            known => known,
        }
    }
}

#[test]
fn of_two_threads_the_one_that_is_not_blocked_holds_the_lock() {
    let scene = turns(100, |_| Owner::Unknown);
    assert_eq!(
        scene.by(&[Key::OwnerThread]),
        rows([("a", 1500, 50), ("b", 1500, 50)])
    );
}

#[test]
fn a_few_looks_say_nothing() {
    let scene = turns(8, |_| Owner::Unknown);
    let blame = scene.blame(&[Key::OwnerThread], Wish::default());
    assert_eq!(told(&blame.total), rows([("(unknown)", 240, 8)]));
    assert_eq!(blame.unknown.get(&Why::Unseen), Some(&Nanos(240_000)));
}

#[test]
fn an_exit_that_the_vm_tells_ends_what_is_known_of_its_thread() {
    let mut scene = Scene::new();
    let facts = [
        (target_key::EXACT, "false"),
        (target_key::VM_PROBES_SINCE, "0"),
    ];
    let facts = facts.map(|(key, said)| (key.to_owned(), said.to_owned()));
    scene.records.push(Record::Target(facts.to_vec()));
    // A holds it again and again when B comes; it lets go, and somebody else may have it until B wakes up.
    for turn in 0..200 {
        let at = turn * 1_000;
        scene.enter(at, B, Owner::Thread(A));
        scene.enter(at + 10, C, Owner::Thread(A));
        scene.push(at + 400, A, EventKind::Exit, LOCK);
        scene.push(at + 450, B, EventKind::Entered, LOCK);
        scene.push(at + 460, B, EventKind::Exit, LOCK);
        scene.push(at + 470, C, EventKind::Entered, LOCK);
    }
    let blame = scene.blame(&[Key::OwnerThread], Wish::default());
    let told = told(&blame.total);
    let of = |name: &str| told.iter().find(|row| row.0 == name).map(|row| row.1);
    // 400 µs of B's stay and 390 of C's, all but what comes before the second look of each turn.
    assert!(
        of("a").is_some_and(|us| us >= 200 * (390 + 390)),
        "{told:?}"
    );
    assert!(
        of("(unknown)").is_some_and(|us| us >= 200 * (50 + 50)),
        "{told:?}"
    );
}

#[test]
fn where_looks_contradict_each_other_nothing_is_known() {
    // While A is blocked, B and C are seen to hold it in turn, unannounced.
    let mut scene = Scene::new();
    for turn in 0..100 {
        let at = turn * 1000;
        scene.enter(at, A, Owner::Thread(B));
        let fourth = ThreadId(4 + turn as u32 % 3);
        scene.enter(
            at + 100,
            fourth,
            Owner::Thread(if turn % 2 == 0 { B } else { C }),
        );
        scene.push(at + 200, A, EventKind::Entered, LOCK);
        scene.push(at + 300, fourth, EventKind::Entered, LOCK);
    }
    let blame = scene.blame(&[Key::OwnerThread], Wish::default());
    assert_eq!(blame.unknown_total(), blame.total.ns, "{blame:#?}");
}

#[test]
fn a_holder_that_is_blocked_elsewhere_can_not_have_left() {
    let mut scene = Scene::new();
    scene.push(5, B, EventKind::Enter, OTHER).owner = Owner::Thread(C);
    scene.enter(10, A, Owner::Thread(B));
    scene.push(50, B, EventKind::Entered, OTHER);
    scene.push(60, A, EventKind::Entered, LOCK);
    let blame = scene.blame(&[Key::WaiterThread, Key::OwnerThread], Wish::default());
    let a = &blame.total.rows[0];
    // When it comes through there it may go on and leave here.
    assert_eq!(told(a), rows([("(unknown)", 50, 1)]));
}

#[test]
fn a_holder_that_is_blocked_elsewhere_can_not_have_come_since() {
    let mut scene = Scene::new();
    scene.enter(10, A, Owner::Thread(B));
    scene.push(30, B, EventKind::Enter, OTHER).owner = Owner::Thread(A);
    scene.records.push(Record::Target(vec![(
        target_key::END_OWNERS.to_owned(),
        "1 1 2\n2 2 1".to_owned(),
    )]));
    scene.records.push(Record::End(End {
        at: Nanos(100_000),
        reason: EndReason::Stopped,
    }));
    let keys = [Key::WaiterThread, Key::OwnerThread];
    let blame = scene.blame(&keys, Wish::default());
    let (a, b) = (&blame.total.rows[0], &blame.total.rows[1]);
    assert_eq!(told(a), rows([("b", 70, 1), ("(unknown)", 20, 1)]));
    assert_eq!(told(b), rows([("a", 70, 1)]));
    let root = Wish {
        root: true,
        ..Wish::default()
    };
    assert_eq!(scene.blame(&keys, root).cycle, Nanos(140_000));
}

#[test]
fn a_new_attempt_after_a_wait_is_no_way_back() {
    let mut scene = Scene::new();
    let put = scene.at(0);
    scene.push(10, A, EventKind::Wait { timeout: None }, LOCK);
    scene.push(20, A, EventKind::Waited { timed_out: false }, LOCK);
    scene.push(30, A, EventKind::Enter, LOCK).stack = Some(put);
    scene.push(40, A, EventKind::Entered, LOCK);
    assert_eq!(scene.by(&[Key::Group]), rows([("monitor", 10, 1)]));
}

#[test]
fn a_thread_that_blocks_always_in_one_method_holds_it_in_that_one() {
    let mut scene = turns(100, |_| Owner::Unknown);
    let (put, get) = (scene.at(0), scene.at(1));
    let mut turn = 0;
    for record in &mut scene.records {
        if let Record::Event(event) = record
            && event.kind == EventKind::Enter
        {
            turn += 1;
            // B was in another method once.
            let other = event.thread == B && turn == 50;
            event.stack = Some(if other { get } else { put });
        }
    }
    assert_eq!(
        scene.by(&[Key::OwnerMethod]),
        rows([("app.Store.put", 1500, 50), ("(unknown)", 1500, 50)])
    );
}

#[test]
fn who_may_come_back_by_another_method_is_nowhere_for_certain() {
    let mut scene = turns(100, |_| Owner::Unknown);
    let (put, get) = (scene.methods[0], scene.methods[1]);
    // Each puts and then gets, at once; B is seen to block in the second, too, once.
    scene.build.code(
        scene.methods[2],
        vec![call("app.Store", "put"), call("app.Store", "get"), leave()],
    );
    let run = scene.methods[2];
    let first = scene.build.stack(&[(put, 0), (run, 0)]);
    let second = scene.build.stack(&[(get, 0), (run, 1)]);
    let mut turn = 0;
    for record in &mut scene.records {
        if let Record::Event(event) = record
            && event.kind == EventKind::Enter
        {
            turn += 1;
            event.stack = Some(if turn == 50 { second } else { first });
        }
    }
    assert_eq!(
        scene.by(&[Key::OwnerMethod]),
        rows([("(unknown)", 3000, 100)])
    );
}

#[test]
fn who_is_still_blocked_is_so_up_to_the_end() {
    let mut scene = two_holders();
    let put = scene.at(0);
    scene.push(80, A, EventKind::Entered, LOCK).stack = Some(put);
    scene.enter(90, B, Owner::Thread(A));
    scene.records.push(Record::End(End {
        at: Nanos(100_000),
        reason: EndReason::Stopped,
    }));
    let rows_ = scene.by(&[Key::OwnerThread]);
    assert_eq!(rows_[0], ("a".to_owned(), 40, 2));
}

#[test]
fn time_is_cut_into_seconds() {
    let mut scene = Scene::exact();
    let put = scene.at(0);
    scene.push(10, A, EventKind::Entered, LOCK).stack = Some(put);
    scene.enter(900_000, C, Owner::Thread(A));
    scene.push(2_100_000, A, EventKind::Exit, LOCK).stack = Some(put);
    scene.push(2_100_000, C, EventKind::Entered, LOCK).stack = Some(put);
    assert_eq!(
        scene.by(&[Key::Time]),
        rows([
            ("0", 100_000, 1),
            ("1000000000", 1_000_000, 1),
            ("2000000000", 100_000, 1)
        ])
    );
}

#[test]
fn events_of_different_threads_may_come_in_any_order() {
    let mut scene = two_holders();
    let expected = scene.by(&[Key::OwnerThread]);
    let facts = scene.records.remove(0);
    scene.records.reverse();
    // Of each thread they come in order.
    scene.records.sort_by_key(|record| match record {
        Record::Event(event) => (event.thread, event.at),
        _ => (A, Nanos(0)),
    });
    scene.records.insert(0, facts);
    scene.records.push(Record::Tick(Tick {
        at: Nanos(1_000_000),
        agent_cpu: Nanos(0),
    }));
    assert_eq!(scene.by(&[Key::OwnerThread]), expected);
}

#[test]
fn an_owner_that_is_blocked_is_followed_to_the_root() {
    let mut scene = Scene::exact();
    let put = scene.at(0);
    scene.push(10, A, EventKind::Entered, LOCK).stack = Some(put);
    scene.push(11, B, EventKind::Entered, OTHER).stack = Some(put);
    scene.enter(20, C, Owner::Thread(A));
    scene.push(30, A, EventKind::Enter, OTHER).owner = Owner::Thread(B);
    scene.push(50, B, EventKind::Exit, OTHER).stack = Some(put);
    scene.push(50, A, EventKind::Entered, OTHER).stack = Some(put);
    scene.push(52, A, EventKind::Exit, OTHER).stack = Some(put);
    scene.push(60, A, EventKind::Exit, LOCK).stack = Some(put);
    scene.push(60, C, EventKind::Entered, LOCK).stack = Some(put);
    let keys = [Key::WaiterThread, Key::OwnerThread];
    let root = Wish {
        root: true,
        ..Wish::default()
    };
    let blame = scene.blame(&keys, root);
    assert_eq!(
        told(&blame.total.rows[0]),
        rows([("a", 20, 1), ("b", 20, 1)])
    );
}

#[test]
fn rows_are_called_by_what_they_stand_for() {
    let scene = two_holders();
    assert_eq!(scene.by(&[Key::LockClass]), rows([("app.Store", 45, 1)]));
    assert_eq!(scene.by(&[Key::Group]), rows([("monitor", 45, 1)]));
    assert_eq!(scene.by(&[Key::WaiterGroup]), rows([("c", 45, 1)]));
    let at = [("app.Store.get", 45, 1)];
    assert_eq!(scene.by(&[Key::WaiterStack]), rows(at));
}

/// Any events at all.
pub(super) fn anything() -> impl Strategy<Value = Vec<Record>> {
    let kinds = prop::sample::select(vec![
        EventKind::Enter,
        EventKind::Enter,
        EventKind::Entered,
        EventKind::Entered,
        EventKind::Wait { timeout: None },
        EventKind::Waited { timed_out: false },
        EventKind::Waited { timed_out: true },
        EventKind::Resumed,
        EventKind::Exit,
        EventKind::Notify,
        EventKind::NotifyAll,
        EventKind::ThreadEnd,
    ]);
    let owner = prop_oneof![
        Just(Owner::Unknown),
        Just(Owner::Nobody),
        (1u32..5).prop_map(|id| Owner::Thread(ThreadId(id))),
    ];
    let one = (
        0u64..5_000_000,
        1u32..5,
        kinds,
        1u32..4,
        owner,
        prop::option::of(1u32..4),
    );
    let event = one.prop_map(|(us, thread, kind, lock, owner, stack)| {
        let is_of_lock = kind != EventKind::ThreadEnd;
        Record::Event(Event {
            lock: is_of_lock.then_some(LockId(lock)),
            stack: stack.map(StackId),
            owner,
            ..event(us, ThreadId(thread), kind, LockId(lock))
        })
    });
    prop::collection::vec(event, 0..120)
}

pub(super) fn sum(row: &Row, depth: usize) -> Result<(), TestCaseError> {
    if !row.rows.is_empty() {
        let below: u64 = row.rows.iter().map(|row| row.ns.0).sum();
        prop_assert_eq!(below, row.ns.0, "at depth {}", depth);
    }
    row.rows.iter().try_for_each(|row| sum(row, depth + 1))
}

proptest! {
    #[test]
    fn what_is_divided_adds_up(
        mut records in anything(),
        sorted in any::<bool>(),
        exact in any::<bool>(),
        wish in (any::<bool>(), any::<bool>()),
        by in 0usize..4,
    ) {
        if sorted {
            records.sort_by_key(|record| match record {
                Record::Event(event) => event.at,
                _ => Nanos(0),
            });
        }
        if exact {
            let scene = Scene::exact();
            records.insert(0, scene.records[0].clone());
        }
        let keys = [
            vec![Key::Lock, Key::OwnerMethod, Key::WaiterMethod],
            vec![Key::Time, Key::OwnerThread],
            vec![Key::Group, Key::WaiterStack, Key::OwnerStack],
            vec![Key::OwnerGroup, Key::Type, Key::LockClass, Key::WaiterSite],
        ];
        let wish = Wish { root: wish.0 && !wish.1, waits: wish.1 };
        let blame = blame(&records, &keys[by], wish);
        sum(&blame.total, 0)?;
        let threads = blame.total.ns.0 - blame.unknown_total().0 - blame.nobody.0 - blame.cycle.0;
        prop_assert!(blame.without_chain.0 <= threads);
    }

    #[test]
    fn blame_blocks_as_long_as_the_report_says(mut records in anything()) {
        // Of what only watches both count the same stays, if no thread goes back in time.
        records.sort_by_key(|record| match record {
            Record::Event(event) => event.at,
            _ => Nanos(0),
        });
        records.retain(|record| !matches!(record, Record::Event(event) if matches!(
            event.kind, EventKind::Exit | EventKind::Resumed | EventKind::Notify | EventKind::NotifyAll
        )));
        let options = Options::default();
        let mut collector = Collector::new(options);
        records.iter().for_each(|record| collector.push(record.clone()));
        let analysis = Analysis::of(&collector.finish(), &options);
        let expected: u64 = analysis.model.locks.iter().map(|lock| lock.blocked.total.0).sum();
        let counted: u64 = analysis.model.locks.iter().map(|lock| lock.blocked.count).sum();
        let blame = blame(&records, &[Key::Group], Wish::default());
        let monitors = blame.total.rows.iter().filter(|row| {
            matches!(&row.value, Some(Value::Named(name)) if name.starts_with("monitor"))
        });
        let (ns, count) = monitors.fold((0, 0), |(ns, count), row| (ns + row.ns.0, count + row.count));
        prop_assert_eq!((ns, count), (expected, counted));
    }
}
