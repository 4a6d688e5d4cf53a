//! Names of locks that fields hold.

use super::tests::Scene;
use crate::fixtures::{call, field, leave, load, virtual_ref};
use locklens_trace::LockId;
use locklens_trace::code::Op;
use locklens_trace::parked::SyncKind;

const LOCK: &str = "java.util.concurrent.locks.ReentrantLock";
const READ_WRITE: &str = "java.util.concurrent.locks.ReentrantReadWriteLock";

/// A method that calls one of the lock in a field, and is found parked there.
fn used(scene: &mut Scene, lock: LockId, method: &str, kept: &str, called: (&str, &str)) {
    let ops = vec![load(0), field("app.Shop", kept), call(called.0, called.1)];
    let chain = scene.coded(method, ops);
    scene.park(method, lock, Some(chain), 1);
}

fn names(scene: &Scene) -> Vec<String> {
    let mut names: Vec<_> = scene.locks().into_iter().map(|lock| lock.name).collect();
    names.sort();
    names
}

#[test]
fn a_lock_is_called_by_its_field_whatever_else_used_it() {
    for methods in [&["move"][..], &["move", "check"], &["zip", "check"]] {
        let mut scene = Scene::new();
        let (first, second) = (scene.lock(), scene.lock());
        for method in methods {
            used(&mut scene, first, method, "a", (LOCK, "lock"));
        }
        let called = ("java.util.concurrent.locks.Lock", "lock");
        used(&mut scene, second, "move", "b", called);
        assert_eq!(names(&scene), ["Shop.a", "Shop.b"], "{methods:?}");
    }
}

#[test]
fn locks_in_one_field_of_several_objects_are_one_wherever_they_are_used() {
    let mut scene = Scene::new();
    let (first, second) = (scene.lock(), scene.lock());
    used(&mut scene, first, "move", "a", (LOCK, "lock"));
    used(&mut scene, second, "check", "a", (LOCK, "lock"));
    let locks = scene.locks();
    assert_eq!(locks.len(), 1);
    assert_eq!((locks[0].name.as_str(), locks[0].instances), ("Shop.a", 2));
}

#[test]
fn a_field_that_some_of_the_locks_are_in_names_none() {
    let mut scene = Scene::new();
    let (first, second) = (scene.lock(), scene.lock());
    let with = scene.coded("with", vec![load(1), call(LOCK, "lock")]);
    scene.park("a", first, Some(with), 1);
    scene.park("b", second, Some(with), 1);
    used(&mut scene, first, "move", "a", (LOCK, "lock"));
    assert_eq!(names(&scene), ["ReentrantLock in Shop.move"]);
}

#[test]
fn a_field_may_hold_what_extends_the_lock() {
    for (method, name) in [("lock", "Shop.a"), ("take", "ReentrantLock in Shop.move")] {
        let mut scene = Scene::new();
        let lock = scene.lock();
        let ops = vec![load(0), field("app.Shop", "a"), call("app.OwnLock", "lock")];
        let caller = scene.build.coded(scene.app, "move", 0, ops);
        let class = scene.build.class(LOCK, "java.lang.Object");
        let inherited = scene.build.method(class, method, "()V", 0);
        let frames = [(scene.park, 3), (inherited, 1), (caller, 2)];
        let chain = scene.build.stack(&frames);
        scene.park("a", lock, Some(chain), 1);
        assert_eq!(names(&scene), [name]);
    }
}

#[test]
fn what_uses_a_lock_inside_is_not_that_lock() {
    let mut scene = Scene::new();
    let lock = scene.lock();
    let called = ("java.util.concurrent.ThreadPoolExecutor", "execute");
    used(&mut scene, lock, "run", "pool", called);
    assert_eq!(names(&scene), ["ReentrantLock in Shop.run"]);
}

#[test]
fn the_sides_of_a_read_write_lock_go_by_its_own_field() {
    for side in ["r", "w"] {
        let mut scene = Scene::new();
        let class = scene.build.class(
            &format!("{READ_WRITE}$NonfairSync"),
            "java.util.concurrent.locks.AbstractQueuedSynchronizer",
        );
        let lock = scene.blocker(class, SyncKind::Synchronizer, None);
        let locks = "Ljava/util/concurrent/locks/Lock;";
        let kept = |name: &str| virtual_ref("app.Shop", name, locks);
        let asked = |name: &str| Op::Invoke {
            kind: locklens_trace::code::InvokeKind::Virtual,
            method: virtual_ref(READ_WRITE, name, &format!("(){locks}")),
        };
        let own = || [load(0), load(0), field("app.Shop", "rw")];
        let [a, b, c] = own();
        let [d, e, f] = own();
        let (read, write) = (asked("readLock"), asked("writeLock"));
        let put = |name| Op::PutField(kept(name));
        let ops = vec![a, b, c, read, put("r"), d, e, f, write, put("w"), leave()];
        scene.build.coded(scene.app, "<init>", 0, ops);
        let called = call("java.util.concurrent.locks.Lock", "lock");
        let ops = vec![load(0), Op::GetField(kept(side)), called.clone()];
        let chain = scene.coded("use", ops);
        scene.park("a", lock, Some(chain), 1);
        let ops = vec![load(0), field("app.Shop", "rw"), asked("readLock"), called];
        let chain = scene.coded("look", ops);
        scene.park("b", lock, Some(chain), 1);
        assert_eq!(names(&scene), ["Shop.rw"], "{side}");
    }
}

#[test]
fn a_field_that_is_a_monitor_as_well_does_not_make_one_name_of_two_locks() {
    let mut scene = Scene::new();
    let lock = scene.lock();
    used(&mut scene, lock, "move", "a", (LOCK, "lock"));
    let ops = vec![
        load(0),
        field("app.Shop", "a"),
        Op::MonitorEnter,
        load(0),
        field("app.Shop", "a"),
        Op::MonitorExit,
        leave(),
    ];
    scene.build.coded(scene.app, "keep", 0, ops);
    assert_eq!(names(&scene), ["ReentrantLock Shop.a"]);
}
