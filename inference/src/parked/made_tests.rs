//! Numbers that the code says which makes a lock.

use super::tests::Scene;
use crate::fixtures::{call, dup, field, leave, load, virtual_ref};
use crate::types::Detail;
use locklens_trace::LockId;
use locklens_trace::code::{InvokeKind, Op};
use locklens_trace::parked::{StateSeen, SyncDef, SyncKind};

const SEMAPHORE: &str = "java.util.concurrent.Semaphore";

/// A semaphore as the JVM shows it, of which so many permits were seen free.
fn semaphore(scene: &mut Scene, free: i64) -> LockId {
    let class = scene.build.class(
        &format!("{SEMAPHORE}$NonfairSync"),
        "java.util.concurrent.locks.AbstractQueuedSynchronizer",
    );
    let lock = scene.build.lock(class);
    scene.learn(SyncDef {
        lock,
        kind: SyncKind::Synchronizer,
        of: None,
        shared: true,
        most: 1,
        state: Some(StateSeen { low: 0, high: free }),
    });
    lock
}

/// Makes a semaphore with what that pushes.
fn made(number: Op) -> [Op; 4] {
    let constructor = Op::Invoke {
        kind: InvokeKind::Special,
        method: virtual_ref(SEMAPHORE, "<init>", "(I)V"),
    };
    [Op::New(SEMAPHORE.to_owned()), dup(), number, constructor]
}

fn number(value: i64) -> Op {
    Op::Const { value, wide: false }
}

/// A method that fills the field `a` of `app.Shop` with a semaphore.
fn filled(scene: &mut Scene, method: &str, with: Op) {
    let put = Op::PutField(match field("app.Shop", "a") {
        Op::GetField(member) => member,
        other => panic!("{other:?} reads no field"),
    });
    let ops = [load(0)]
        .into_iter()
        .chain(made(with))
        .chain([put, leave()]);
    scene.build.coded(scene.app, method, 0, ops.collect());
}

fn permits_of(scene: &mut Scene, lock: LockId) -> Option<Detail> {
    let ops = vec![load(0), field("app.Shop", "a"), call(SEMAPHORE, "acquire")];
    let chain = scene.coded("sell", ops);
    scene.park("a", lock, Some(chain), 1);
    let locks = scene.locks();
    locks[0].types[0].details.get("permits").cloned()
}

#[test]
fn a_semaphore_has_the_permits_that_the_code_makes_it_with() {
    let mut scene = Scene::new();
    let lock = semaphore(&mut scene, 1);
    filled(&mut scene, "<init>", number(3));
    assert_eq!(permits_of(&mut scene, lock), Some(Detail::Count(3)));
    let details = scene.locks().remove(0).types.remove(0).details;
    assert!(!details.contains_key("permits_at_least"), "{details:?}");
}

#[test]
fn where_more_were_free_than_it_was_made_with_the_code_does_not_count() {
    let mut scene = Scene::new();
    let lock = semaphore(&mut scene, 4);
    filled(&mut scene, "<init>", number(3));
    assert_eq!(permits_of(&mut scene, lock), None);
}

#[test]
fn what_is_made_with_different_numbers_has_none() {
    let mut scene = Scene::new();
    let lock = semaphore(&mut scene, 1);
    filled(&mut scene, "<init>", number(3));
    filled(&mut scene, "reset", number(5));
    assert_eq!(permits_of(&mut scene, lock), None);
}

#[test]
fn a_number_that_is_not_in_the_code_is_none() {
    let mut scene = Scene::new();
    let lock = semaphore(&mut scene, 1);
    filled(&mut scene, "<init>", load(1));
    assert_eq!(permits_of(&mut scene, lock), None);
}

/// A method that takes what it is handed.
fn helper(scene: &mut Scene, locks: &[LockId]) {
    let with = scene.coded("with", vec![load(1), call(SEMAPHORE, "acquire")]);
    for &lock in locks {
        scene.park("b", lock, Some(with), 1);
    }
}

#[test]
fn what_is_known_of_one_object_is_not_told_of_another_that_is_used_from_the_same_place() {
    let mut scene = Scene::new();
    let (known, other) = (semaphore(&mut scene, 1), semaphore(&mut scene, 1));
    filled(&mut scene, "<init>", number(3));
    helper(&mut scene, &[known, other]);
    assert_eq!(permits_of(&mut scene, known), None);
}

#[test]
fn one_known_place_is_enough_for_an_object() {
    let mut scene = Scene::new();
    let known = semaphore(&mut scene, 1);
    filled(&mut scene, "<init>", number(3));
    helper(&mut scene, &[known]);
    assert_eq!(permits_of(&mut scene, known), Some(Detail::Count(3)));
}
