//! Waits in operations of locks that the program has built, of which no call chain was taken.

use super::tests::{A, B, Scene, told};
use super::*;
use crate::collect::Collector;
use crate::model::{Model, Options, RegionReport, Times};
use crate::region::{Region, RegionPlace};
use crate::types::Role;
use locklens_trace::EventKind;

const LOCK: LockId = LockId(1);
const WAIT: EventKind = EventKind::Wait { timeout: None };
const WAITED: EventKind = EventKind::Waited { timed_out: false };

/// A waits in one region of the lock for 10 µs, and that has the role; B nobody knows where for 30. Another region locks.
fn blamed(role: Role, confidence: f64) -> (Blame, Model) {
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
    lock.regions[0].roles = [role].into();
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
        roles: [Role::Lock].into(),
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
