//! Waits in operations of locks that the program has built, of which no call chain was taken.

use super::tests::{A, B, C, Scene, told};
use super::*;
use crate::collect::Collector;
use crate::model::{Model, Options, RegionReport, Times};
use crate::region::{Region, RegionPlace};
use crate::types::Role;
use locklens_trace::{EventKind, ThreadId};
use std::collections::BTreeSet;

const LOCK: LockId = LockId(1);
const WAIT: EventKind = EventKind::Wait { timeout: None };
const WAITED: EventKind = EventKind::Waited { timed_out: false };

/// A waits in one region of the lock for 10 µs, and that has the role; B nobody knows where for 30. Another region locks.
fn blamed(role: Role, confidence: f64) -> (Blame, Model) {
    blamed_of([role].into(), Role::Lock, confidence)
}

/// The same with these roles of the region where A waits, and of the other one, of the same method.
fn blamed_of(roles: BTreeSet<Role>, others: Role, confidence: f64) -> (Blame, Model) {
    let mut scene = Scene::new();
    let inside = scene.inside();
    scene.push(10, A, WAIT, LOCK).stack = Some(inside);
    scene.push(20, A, WAITED, LOCK);
    scene.push(30, B, WAIT, LOCK);
    scene.push(60, B, WAITED, LOCK);
    let (mut collector, mut census) = (Collector::new(Options::default()), Census::default());
    let records = scene.all();
    for record in &records {
        census.see(record);
        collector.push(record.clone());
    }
    let collected = collector.finish();
    let mut analysis = Analysis::of(&collected, &Options::default());
    let lock = &mut analysis.model.locks[0];
    lock.regions[0].roles = roles;
    let types = lock.types.iter_mut();
    types.for_each(|best| best.confidence = confidence);
    let (&method, def) = collected.catalog.methods.iter().next().unwrap();
    let other = Region {
        method,
        class: def.class,
        place: RegionPlace::Method,
    };
    lock.regions.push(RegionReport {
        id: analysis.regions.intern(other),
        roles: [others].into(),
        waits: Times::default(),
        ..lock.regions[0].clone()
    });
    let findings = census.finish();
    let keys = [Key::WaiterThread];
    let mut blamer = Blamer::new(&collected, &analysis, &findings, &keys, Wish::default());
    records.iter().for_each(|record| blamer.push(record));
    (blamer.finish(), analysis.model)
}

#[test]
fn where_all_waits_acquire_one_without_a_chain_does_too() {
    let (blame, model) = blamed(Role::Acquire, 0.9);
    let rows = [("b", 30, 1), ("a", 10, 1)];
    let rows = rows.map(|(name, us, count)| (name.to_owned(), us, count));
    assert_eq!(told(&blame.total), rows);
    assert_eq!(blame.unplaced, (0, Nanos(0)));
    // Who counts blocking alone is told of the same time.
    let inside = model.waited_inside();
    let [(lock, inside)] = inside[..] else {
        panic!("{inside:?}")
    };
    assert_eq!((lock.id, inside.time), (1, Nanos(40_000)));
    assert!(!inside.is_least);
}

/// A pool looks for something in one block, and waits in a second one, which begins no operation.
#[test]
fn who_waits_in_a_second_block_waits_in_the_operation_that_began_in_the_first() {
    for (other, us) in [(Role::Acquire, 40), (Role::Notify, 0), (Role::Enter, 0)] {
        let (blame, model) = blamed_of(BTreeSet::new(), other, 0.9);
        assert_eq!(blame.total.ns, Nanos(us * 1000), "{other:?}");
        let inside = model.waited_inside();
        let inside = inside.first().map_or(0, |(_, inside)| inside.time.0);
        assert_eq!(inside, us * 1000, "{other:?}");
    }
}

#[test]
fn who_waits_for_something_to_take_is_idle() {
    for (role, idle) in [(Role::Take, 40_000), (Role::Put, 0), (Role::Await, 0)] {
        let (blame, _) = blamed(role, 0.9);
        assert_eq!(blame.total.ns, Nanos(40_000), "{role:?}");
        assert_eq!(blame.total.idle, Nanos(idle), "{role:?}");
        assert_eq!(blame.total.rows[0].idle.0, idle / 4 * 3, "{role:?}");
        assert_eq!(blame.nobody, Nanos(40_000), "{role:?}");
    }
}

#[test]
fn where_other_waits_are_seen_its_time_is_told_apart() {
    let (blame, model) = blamed(Role::Notify, 0.9);
    assert_eq!(told(&blame.total), []);
    assert_eq!(blame.unplaced, (1, Nanos(30_000)));
    assert_eq!(model.waited_inside(), []);
}

/// What is called a semaphore for want of anything better makes no blocked time of waits.
#[test]
fn a_type_that_is_hardly_likely_makes_no_blocked_time() {
    for (confidence, us) in [(0.6, 40), (0.48, 0)] {
        let (blame, model) = blamed(Role::Acquire, confidence);
        assert_eq!(blame.total.ns, Nanos(us * 1000), "{confidence}");
        let inside: u64 = model
            .waited_inside()
            .iter()
            .map(|(_, inside)| inside.time.0)
            .sum();
        assert_eq!(inside, us * 1000, "{confidence}");
    }
}

/// A lock that the program has built, of which every step is known: each method locks or unlocks it, as its name says.
struct Built {
    scene: Scene,
    locks: StackId,
    unlocks: StackId,
}

impl Built {
    fn new() -> Self {
        let mut scene = Scene::exact();
        Self {
            locks: scene.inside_of("lock"),
            unlocks: scene.inside_of("unlock"),
            scene,
        }
    }

    fn at(&mut self, us: u64, thread: ThreadId, kind: EventKind, stack: StackId) {
        self.scene.push(us, thread, kind, LOCK).stack = Some(stack);
    }

    /// The thread goes through a method that locks, at once.
    fn lock(&mut self, us: u64, thread: ThreadId) {
        self.lock_at(us, thread, self.locks);
    }

    fn lock_at(&mut self, us: u64, thread: ThreadId, stack: StackId) {
        self.at(us, thread, EventKind::Entered, stack);
        self.at(us, thread, EventKind::Exit, stack);
    }

    fn unlock(&mut self, us: u64, thread: ThreadId) {
        self.lock_at(us, thread, self.unlocks);
    }

    /// It waits there from one time to the other, and has it then.
    fn waits(&mut self, (from, to): (u64, u64), thread: ThreadId) {
        self.at(from, thread, EventKind::Entered, self.locks);
        self.at(from, thread, WAIT, self.locks);
        self.at(to, thread, WAITED, self.locks);
        self.at(to, thread, EventKind::Resumed, self.locks);
        self.at(to, thread, EventKind::Exit, self.locks);
    }

    fn blame(&self, keys: &[Key]) -> Blame {
        let (mut collector, mut census) = (Collector::new(Options::default()), Census::default());
        let records = self.scene.all();
        for record in &records {
            census.see(record);
            collector.push(record.clone());
        }
        let collected = collector.finish();
        let mut analysis = Analysis::of(&collected, &Options::default());
        let lock = &mut analysis.model.locks[0];
        lock.types.iter_mut().for_each(|best| best.confidence = 0.9);
        for region in &mut lock.regions {
            let method = analysis.regions.get(region.id).unwrap().method;
            let name = &collected.catalog.methods[&method].name;
            let role = match name.starts_with("unlock") {
                true => Role::Unlock,
                false => Role::Lock,
            };
            region.roles = [role].into();
        }
        let findings = census.finish();
        let mut blamer = Blamer::new(&collected, &analysis, &findings, keys, Wish::default());
        records.iter().for_each(|record| blamer.push(record));
        blamer.finish()
    }
}

/// What takes any time: the way back from a wait takes none here.
fn measured(total: &Row) -> Vec<(String, u64, u64)> {
    let rows = told(total).into_iter();
    rows.filter(|row| row.1 > 0).collect()
}

#[test]
fn who_takes_a_lock_again_holds_it_where_it_was_taken_first() {
    let mut built = Built::new();
    let again = built.scene.inside_of("lockAgain");
    built.lock(10, A);
    built.at(20, B, EventKind::Entered, built.locks);
    built.at(20, B, WAIT, built.locks);
    built.lock_at(30, A, again);
    built.unlock(50, A);
    built.unlock(60, A);
    built.at(60, B, WAITED, built.locks);
    built.at(60, B, EventKind::Resumed, built.locks);
    built.at(60, B, EventKind::Exit, built.locks);
    let blame = built.blame(&[Key::OwnerMethod]);
    let first = ("app.Store.lock".to_owned(), 40, 1);
    assert_eq!(measured(&blame.total), [first]);
}

/// A was in a method from before the rewriting when the recording began: a probe saw it come in, and none saw it leave.
#[test]
fn who_left_unseen_is_seen_to_hold_it_the_next_time() {
    let mut built = Built::new();
    built.at(10, A, EventKind::Entered, built.locks);
    built.at(11, A, WAIT, built.locks);
    built.at(20, A, WAITED, built.locks);
    built.unlock(30, A);
    built.lock(40, A);
    built.waits((50, 90), B);
    built.unlock(89, A);
    let blame = built.blame(&[Key::WaiterThread, Key::OwnerThread]);
    let waiters: Vec<_> = measured(&blame.total);
    assert_eq!((waiters[0].0.as_str(), waiters[0].1), ("b", 40));
    let owners = [("a".to_owned(), 39, 1), ("(nobody)".to_owned(), 1, 1)];
    assert_eq!(measured(&blame.total.rows[0]), owners);
}

#[test]
fn who_was_in_a_monitor_that_another_comes_into_has_left_it() {
    let mut built = Built::new();
    built.at(10, A, EventKind::Entered, built.locks);
    built.lock(20, C);
    built.waits((30, 60), B);
    let blame = built.blame(&[Key::OwnerThread]);
    assert_eq!(measured(&blame.total), [("c".to_owned(), 30, 1)]);
}
