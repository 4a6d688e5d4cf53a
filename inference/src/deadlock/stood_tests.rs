//! Recordings written by hand in which threads stand somewhere when they begin.

use super::before_tests::scene;
use super::finding::{Kind, Tier};
use super::recording_tests::{REENTRANT, Scene};
use super::tasks_tests::{T3, does, ends, ties};
use crate::fixtures::event;
use locklens_trace::juc::Act;
use locklens_trace::kin::Tie;
use locklens_trace::parked::Parked;
use locklens_trace::record::{LockObject, Owner, target_key};
use locklens_trace::{EventKind, LockId, Nanos, Record, ThreadId};

const LATCH: &str = "java.util.concurrent.CountDownLatch$Sync";
const T5: (Tier, Kind) = (Tier::T5, Kind::Order);
const ENDED: EventKind = EventKind::Waited { timed_out: false };

/// A look finds a thread parked, without a limit.
fn is_found(scene: &mut Scene, thread: ThreadId, lock: LockId) {
    is_found_so(scene, thread, lock, false);
}

fn is_found_so(scene: &mut Scene, thread: ThreadId, lock: LockId, timed: bool) {
    let at = scene.now();
    scene.push(Record::Parked(Parked {
        thread,
        lock,
        stack: None,
        owner: Owner::Unknown,
        owner_stack: None,
        from: at,
        to: at,
        samples: 1,
        time: Nanos(1),
        continues: false,
        open: true,
        timed,
    }));
}

fn happens(scene: &mut Scene, thread: ThreadId, kind: EventKind, lock: LockId) {
    let at = scene.now().0 / 1000;
    scene.push(Record::Event(event(at, thread, kind, lock)));
}

/// Threads that are there when it begins, one of which takes two locks before the other one takes them the other way round.
struct Both {
    scene: Scene,
    one: ThreadId,
    two: ThreadId,
    third: ThreadId,
    locks: [LockId; 2],
}

fn both(mode: &str) -> Both {
    let mut scene = scene(mode);
    let exact = (target_key::EXACT.to_owned(), "true".to_owned());
    scene.push(Record::Target(vec![exact]));
    let locks = [(); 2].map(|()| scene.lock(REENTRANT));
    let [one, two, third] = ["one", "two", "three"].map(|name| scene.build.thread(name));
    Both {
        scene,
        one,
        two,
        third,
        locks,
    }
}

impl Both {
    /// A monitor; that of a thread if there is one.
    fn monitor(&mut self, of: Option<ThreadId>) -> LockId {
        let class = self.scene.build.class("app.Door", "java.lang.Object");
        let object = of.map_or(LockObject::Plain, LockObject::Thread);
        self.scene.build.lock_as(class, object)
    }

    fn nests(&mut self, thread: ThreadId) {
        let [a, b] = self.locks;
        match thread == self.one {
            true => self.scene.nests(thread, a, b),
            false => self.scene.nests(thread, b, a),
        }
    }

    fn found(mut self) -> Vec<(Tier, Kind)> {
        self.nests(self.two);
        self.scene.found()
    }
}

#[test]
fn what_a_parked_thread_waited_for_may_be_all_that_came_before() {
    let found = |mode: &str, class: &str, between: &dyn Fn(&mut Both, LockId)| {
        let mut both = both(mode);
        let place = both.scene.lock(class);
        is_found(&mut both.scene, both.two, place);
        both.nests(both.one);
        between(&mut both, place);
        both.found()
    };
    assert_eq!(found("live", LATCH, &|_, _| {}), [T5]);
    assert_eq!(found("launch", LATCH, &|_, _| {}), [T3]);
    assert_eq!(
        found("live", REENTRANT, &|_, _| {}),
        [T3],
        "it wanted a lock"
    );
    let opened = |by: fn(&Both) -> ThreadId| {
        found("live", LATCH, &move |both, place| {
            let by = by(both);
            does(&mut both.scene, by, place, Act::CountDown, false);
        })
    };
    assert_eq!(opened(|both| both.one), [T5]);
    assert_eq!(
        opened(|both| both.third),
        [T3],
        "who let it go on had not waited for the other one"
    );
}

#[test]
fn who_was_parked_for_a_time_waited_for_nobody_unless_somebody_came() {
    let found = |opens: bool| {
        let mut both = both("live");
        let place = both.scene.lock(LATCH);
        is_found_so(&mut both.scene, both.two, place, true);
        both.nests(both.one);
        if opens {
            does(&mut both.scene, both.one, place, Act::CountDown, false);
        }
        both.found()
    };
    assert_eq!(found(false), [T3]);
    assert_eq!(found(true), [T5]);
}

#[test]
fn what_was_done_again_later_keeps_a_thread_in_its_way() {
    let mut both = both("live");
    let place = both.scene.lock(LATCH);
    is_found(&mut both.scene, both.two, place);
    both.nests(both.one);
    both.nests(both.two);
    both.nests(both.one);
    assert_eq!(both.found(), [T3]);
}

#[test]
fn a_wait_of_which_the_beginning_was_not_seen_may_have_been_for_all_that_came_before() {
    let found = |timed_out: bool, notifies: bool| {
        let mut both = both("live");
        let monitor = both.monitor(None);
        both.nests(both.one);
        if notifies {
            happens(&mut both.scene, both.third, EventKind::NotifyAll, monitor);
        }
        let ends = EventKind::Waited { timed_out };
        happens(&mut both.scene, both.two, ends, monitor);
        both.found()
    };
    assert_eq!(found(false, false), [T5]);
    assert_eq!(found(true, false), [T3], "nobody ended it");
    assert_eq!(found(false, true), [T3]);
}

#[test]
fn the_end_of_a_join_is_known_also_where_its_beginning_is_not() {
    let found = |joins: bool| {
        let mut both = both("live");
        let monitor = both.monitor(Some(both.one));
        both.nests(both.one);
        ends(&mut both.scene, both.one);
        let main = both.third;
        if joins {
            happens(&mut both.scene, main, ENDED, monitor);
        }
        ties(&mut both.scene, main, Tie::Starts, both.two);
        both.scene.begins(both.two);
        both.found()
    };
    // It may have had a limit.
    assert_eq!(found(true), [T5]);
    assert_eq!(found(false), [T3]);
}

#[test]
fn who_is_started_by_one_that_stood_comes_after_what_that_may_have_waited_for() {
    let mut both = both("live");
    let place = both.scene.lock(LATCH);
    is_found(&mut both.scene, both.third, place);
    both.nests(both.one);
    ties(&mut both.scene, both.third, Tie::Starts, both.two);
    both.scene.begins(both.two);
    assert_eq!(both.found(), [T5]);
}

/// It came to a wait in code from before, of which the JVM tells, and one that notifies there in such code no probe sees.
#[test]
fn who_is_notified_by_nobody_that_was_seen_may_have_been_by_whom_is_in_code_from_before() {
    let found = |mode: &str, notifies: bool, begun: bool| {
        let mut both = both(mode);
        let monitor = both.monitor(None);
        if begun {
            both.scene.begins(both.one);
        }
        let waits = EventKind::Wait { timeout: None };
        happens(&mut both.scene, both.two, waits, monitor);
        both.nests(both.one);
        if notifies {
            happens(&mut both.scene, both.third, EventKind::NotifyAll, monitor);
        }
        happens(&mut both.scene, both.two, ENDED, monitor);
        both.found()
    };
    assert_eq!(found("live", false, false), [T5]);
    assert_eq!(found("live", true, false), [T3]);
    assert_eq!(found("launch", false, false), [T3]);
    assert_eq!(
        found("live", false, true),
        [T3],
        "all that it does has probes"
    );
}

#[test]
fn virtual_threads_from_before_may_have_stood() {
    let found = |at_start: bool| {
        let mut both = both("live");
        let mut def = both.scene.build.catalog.threads[&both.two].clone();
        (def.is_virtual, def.at_start) = (true, at_start);
        both.scene.build.catalog.threads.insert(def.id, def);
        both.nests(both.one);
        both.found()
    };
    assert_eq!(found(true), [T5]);
    assert_eq!(found(false), [T3]);
}
