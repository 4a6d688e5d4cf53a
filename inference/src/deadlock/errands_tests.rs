//! Recordings written by hand in which threads run tasks that lie in a queue, and others wait for these.

use super::finding::{Kind, Tier};
use super::recording_tests::{REENTRANT, Scene};
use super::tasks_tests::FUTURE;
use locklens_trace::juc::Act;
use locklens_trace::{LockId, ThreadId};

const BLOCKING: &str = "java.util.concurrent.LinkedBlockingQueue";
const SYNCHRONOUS: &str = "java.util.concurrent.SynchronousQueue";
const LATCH: &str = "java.util.concurrent.CountDownLatch$Sync";
const INSIDE: [(Tier, Kind); 1] = [(Tier::T3, Kind::Latch)];

struct Office {
    scene: Scene,
    state: LockId,
    tasks: LockId,
    workers: [ThreadId; 2],
}

impl Office {
    fn with(queue: &str) -> Self {
        let mut scene = Scene::default();
        Self {
            state: scene.lock(REENTRANT),
            tasks: scene.lock(queue),
            workers: ["worker-1", "worker-2"].map(|name| scene.build.thread(name)),
            scene,
        }
    }

    fn fetches(&mut self, worker: usize) {
        let tasks = self.tasks;
        self.scene
            .did(self.workers[worker], tasks, &[(Act::Take, 1)]);
    }

    /// A task that takes the lock.
    fn updates(&mut self, worker: usize) {
        let acts = [(Act::Lock, 1), (Act::Unlock, 1)];
        self.scene.did(self.workers[worker], self.state, &acts);
    }

    /// A task that somebody waits for, fetched by the first worker, while he has the lock.
    fn found(mut self, class: &str) -> Vec<(Tier, Kind)> {
        let result = self.scene.lock(class);
        let caller = self.scene.build.thread("caller");
        self.fetches(0);
        let done = [(Act::CountDown, 1)];
        self.scene.did(self.workers[0], result, &done);
        self.scene.did(caller, self.state, &[(Act::Lock, 1)]);
        self.scene.did(caller, result, &[(Act::Pass, 1)]);
        self.scene.did(caller, self.state, &[(Act::Unlock, 1)]);
        self.scene.found()
    }
}

#[test]
fn what_the_only_one_who_runs_tasks_took_for_an_earlier_one_is_needed() {
    for class in [FUTURE, LATCH] {
        let mut office = Office::with(BLOCKING);
        office.fetches(0);
        office.updates(0);
        assert_eq!(office.found(class), INSIDE, "{class}");
    }
}

#[test]
fn an_earlier_task_may_be_one_that_somebody_waits_for_too() {
    // The first one a thread of a pool is given when it is made: it lies in no queue.
    for fetched in [true, false] {
        let mut office = Office::with(BLOCKING);
        let earlier = office.scene.lock(FUTURE);
        if fetched {
            office.fetches(0);
        }
        office.updates(0);
        let done = [(Act::CountDown, 1)];
        office.scene.did(office.workers[0], earlier, &done);
        assert_eq!(office.found(FUTURE), INSIDE, "{fetched}");
    }
}

#[test]
fn somebody_else_comes_to_the_next_task_unless_he_needed_the_same() {
    let found = |class: &str, both: bool| {
        let mut office = Office::with(BLOCKING);
        office.fetches(0);
        office.updates(0);
        office.fetches(1);
        if both {
            office.updates(1);
        }
        office.found(class)
    };
    for class in [FUTURE, LATCH] {
        assert_eq!(found(class, false), [], "{class}");
        assert_eq!(found(class, true), INSIDE, "{class}");
    }
}

#[test]
fn who_has_got_no_task_yet_would_come_to_the_next_as_well() {
    let found = |idle: &str| {
        let mut office = Office::with(BLOCKING);
        office.workers[1] = office.scene.build.thread(idle);
        let other = office.scene.lock(REENTRANT);
        let acts = [(Act::Lock, 1), (Act::Unlock, 1)];
        office.scene.did(office.workers[1], other, &acts);
        office.fetches(0);
        office.updates(0);
        office.found(FUTURE)
    };
    assert_eq!(found("worker-3"), []);
    assert_eq!(found("keeper-3"), INSIDE);
}

#[test]
fn what_is_handed_from_one_to_the_other_waits_for_no_earlier_task() {
    let mut office = Office::with(SYNCHRONOUS);
    let clerk = office.scene.build.thread("clerk");
    office.fetches(0);
    office.updates(0);
    // Whoever hands over finds him waiting.
    let tasks = office.tasks;
    office.scene.did(clerk, tasks, &[(Act::Put, 1)]);
    assert_eq!(office.found(FUTURE), []);
}
