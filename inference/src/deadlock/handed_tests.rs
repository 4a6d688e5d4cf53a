//! Recordings written by hand in which one thread hands something over to another, who is told first to have taken it.

use super::finding::{Kind, Tier};
use super::recording_tests::{REENTRANT, Scene};
use locklens_trace::juc::Act;
use locklens_trace::record::target_key;
use locklens_trace::{LockId, Record, ThreadId};

const SYNCHRONOUS: &str = "java.util.concurrent.SynchronousQueue";
const LINKED: &str = "java.util.concurrent.LinkedBlockingQueue";
const CONDITION: &str = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
/// The order that a queue gives is presumed.
const ORDERED: [(Tier, Kind); 1] = [(Tier::T5, Kind::Order)];
const UNORDERED: [(Tier, Kind); 1] = [(Tier::T3, Kind::Order)];

/// What there is besides the two locks that are taken in both orders.
struct Desk {
    putter: ThreadId,
    taker: ThreadId,
    queue: LockId,
    /// Those of both ends, with their conditions.
    ends: [(LockId, LockId); 2],
}

/// What is found where one thread takes two locks, puts, and another takes what was put, and then both locks the other
/// way round; `handed` says what is told of the queue.
fn found(class: &str, handed: impl FnOnce(&mut Scene, &Desk)) -> Vec<(Tier, Kind)> {
    let mut scene = Scene::default();
    let (a, b) = (scene.lock(REENTRANT), scene.lock(REENTRANT));
    let [putter, taker] = ["putter", "taker"].map(|name| scene.build.thread(name));
    let desk = Desk {
        putter,
        taker,
        queue: scene.lock(class),
        ends: [(); 2].map(|()| (scene.lock(REENTRANT), scene.lock(CONDITION))),
    };
    scene.nests(putter, a, b);
    handed(&mut scene, &desk);
    scene.nests(taker, b, a);
    scene.found()
}

impl Desk {
    fn puts(&self, scene: &mut Scene) {
        scene.did(self.putter, self.queue, &[(Act::Put, 1)]);
    }

    fn takes(&self, scene: &mut Scene) {
        scene.did(self.taker, self.queue, &[(Act::Take, 1)]);
    }

    /// The putter gives back one end.
    fn gives_back(&self, scene: &mut Scene, end: usize) {
        scene.did(self.putter, self.ends[end].0, &[(Act::Unlock, 1)]);
    }

    /// It signals at one end, which it takes for that.
    fn signals(&self, scene: &mut Scene, end: usize) {
        let (lock, condition) = self.ends[end];
        scene.did(self.putter, lock, &[(Act::Lock, 1)]);
        scene.did(self.putter, condition, &[(Act::Signal, 1)]);
        self.gives_back(scene, end);
    }
}

#[test]
fn a_put_that_is_told_after_its_take_was_before_it() {
    let handed = found(SYNCHRONOUS, |scene, desk| {
        desk.takes(scene);
        desk.puts(scene);
    });
    assert_eq!(handed, ORDERED);
    let in_order = found(SYNCHRONOUS, |scene, desk| {
        desk.puts(scene);
        desk.takes(scene);
    });
    assert_eq!(in_order, ORDERED);
}

#[test]
fn each_put_is_told_once() {
    let twice = found(SYNCHRONOUS, |scene, desk| {
        desk.takes(scene);
        desk.puts(scene);
        // The second one is still there: who takes it comes after that, too.
        desk.puts(scene);
        desk.takes(scene);
    });
    assert_eq!(twice, ORDERED);
    let mut scene = Scene::default();
    let (a, b) = (scene.lock(REENTRANT), scene.lock(REENTRANT));
    let queue = scene.lock(SYNCHRONOUS);
    let [putter, taker, other] = ["putter", "taker", "other"].map(|name| scene.build.thread(name));
    scene.did(taker, queue, &[(Act::Take, 1)]);
    scene.nests(putter, a, b);
    scene.did(putter, queue, &[(Act::Put, 1)]);
    // Of nothing that was told: it was put before the recording.
    scene.did(other, queue, &[(Act::Take, 1)]);
    scene.nests(other, b, a);
    assert_eq!(scene.found(), ORDERED, "it takes the only one that is told");
}

#[test]
fn who_did_something_else_since_then_was_not_putting() {
    let later = found(SYNCHRONOUS, |scene, desk| {
        desk.takes(scene);
        let (lock, _) = desk.ends[0];
        scene.did(desk.putter, lock, &[(Act::Lock, 1), (Act::Unlock, 1)]);
        desk.puts(scene);
    });
    assert_eq!(later, UNORDERED);
    let begins = found(SYNCHRONOUS, |scene, desk| {
        desk.takes(scene);
        scene.begins(desk.putter);
        desk.puts(scene);
    });
    assert_eq!(begins, UNORDERED);
}

#[test]
fn a_queue_with_two_locks_gives_back_one_end_and_signals_at_the_other() {
    let ends = |how: fn(&mut Scene, &Desk)| {
        found(LINKED, |scene, desk| {
            desk.takes(scene);
            how(scene, desk);
            desk.puts(scene);
        })
    };
    assert_eq!(ends(|_, _| {}), ORDERED);
    assert_eq!(ends(|scene, desk| desk.gives_back(scene, 0)), ORDERED);
    assert_eq!(ends(|scene, desk| desk.signals(scene, 1)), ORDERED);
    let whole = ends(|scene, desk| {
        scene.did(desk.putter, desk.ends[0].1, &[(Act::Signal, 1)]);
        desk.gives_back(scene, 0);
        desk.signals(scene, 1);
    });
    assert_eq!(whole, ORDERED);
    let same = ends(|scene, desk| {
        desk.gives_back(scene, 0);
        desk.signals(scene, 0);
    });
    assert_eq!(same, UNORDERED, "that is the program");
    let both = ends(|scene, desk| {
        desk.signals(scene, 0);
        desk.signals(scene, 1);
    });
    assert_eq!(both, UNORDERED, "so is that");
    let of_another = found(SYNCHRONOUS, |scene, desk| {
        desk.takes(scene);
        desk.gives_back(scene, 0);
        desk.puts(scene);
    });
    assert_eq!(of_another, UNORDERED, "it has no locks");
}

#[test]
fn what_may_have_lain_in_the_queue_is_not_that_of_a_later_put() {
    let later = |class: &str, times: usize| {
        found(class, |scene, desk| {
            desk.takes(scene);
            // A scene's clock goes on by a microsecond each time it is read.
            for _ in 0..times {
                scene.now();
            }
            desk.puts(scene);
        })
    };
    const TRANSFER: &str = "java.util.concurrent.LinkedTransferQueue";
    assert_eq!(later(TRANSFER, 10), ORDERED);
    assert_eq!(later(TRANSFER, 20_000), UNORDERED);
    assert_eq!(later(SYNCHRONOUS, 20_000), ORDERED, "nothing lies in it");
}

/// The putter goes through a shop and puts, or puts in there; the taker keeps it locked when he takes. Their queue has one lock.
fn delivered(launched: bool, more: bool, (tries, inside_too): (bool, bool)) -> Vec<(Tier, Kind)> {
    const BLOCKING: &str = "java.util.concurrent.ArrayBlockingQueue";
    let mut scene = Scene::default();
    if launched {
        let mode = (target_key::MODE.to_owned(), "launch".to_owned());
        scene.push(Record::Target(vec![mode]));
    }
    let [putter, taker] = ["putter", "taker"].map(|name| scene.build.thread(name));
    let (shop, queue, inside) = (
        scene.lock(REENTRANT),
        scene.lock(BLOCKING),
        scene.lock(REENTRANT),
    );
    let filled = scene.condition(CONDITION, inside);
    let puts = |scene: &mut Scene| {
        scene.did(putter, inside, &[(Act::Lock, 1)]);
        scene.did(putter, filled, &[(Act::Signal, 1)]);
        scene.did(putter, inside, &[(Act::Unlock, 1)]);
        scene.did(putter, queue, &[(Act::Put, 1)]);
    };
    if more {
        puts(&mut scene);
    }
    scene.did(putter, shop, &[(Act::Lock, 1)]);
    if inside_too {
        puts(&mut scene);
    }
    scene.did(putter, shop, &[(Act::Unlock, 1)]);
    if !inside_too {
        puts(&mut scene);
    }
    scene.did(taker, shop, &[(Act::Lock, 1)]);
    scene.did(taker, inside, &[(Act::Lock, 1), (Act::Unlock, 1)]);
    match tries {
        true => scene.tries(taker, queue, Act::Take),
        false => scene.did(taker, queue, &[(Act::Take, 1)]),
    }
    scene.did(taker, shop, &[(Act::Unlock, 1)]);
    scene.found()
}

#[test]
fn who_took_the_only_element_would_have_waited_for_it() {
    let inside = [(Tier::T3, Kind::NestedWait)];
    let takes = (false, false);
    assert_eq!(delivered(true, false, takes), inside);
    assert_eq!(
        delivered(true, false, (false, true)),
        [(Tier::T5, Kind::NestedWait)],
        "he may look first"
    );
    assert_eq!(
        delivered(false, false, takes),
        [],
        "there may have been others"
    );
    assert_eq!(delivered(true, true, takes), [], "there was another");
    let tries = (true, false);
    assert_eq!(
        delivered(true, false, tries),
        [],
        "he would not have waited"
    );
}
