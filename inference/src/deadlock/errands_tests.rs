//! Recordings written by hand in which threads run tasks that lie in a queue, and others wait for these.

use super::finding::{Kind, Tier};
use super::recording_tests::{REENTRANT, Scene};
use super::tasks_tests::{FUTURE, TASK};
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

    /// A task that somebody may wait for is over.
    fn completes(&mut self, worker: usize) {
        let earlier = self.scene.lock(FUTURE);
        let done = [(Act::CountDown, 1)];
        self.scene.did(self.workers[worker], earlier, &done);
    }

    /// A task of a pool that forks them.
    fn runs(&mut self, task: LockId, acts: &[Act]) {
        let acts: Vec<_> = acts.iter().map(|&act| (act, 1)).collect();
        self.scene.did(self.workers[0], task, &acts);
    }

    /// A task that somebody waits for, fetched by the first worker, while he has the lock.
    fn found(mut self, class: &str) -> Vec<(Tier, Kind)> {
        self.fetches(0);
        let result = self.scene.lock(class);
        self.awaited(result)
    }

    /// Somebody has the lock and waits for what the first worker does now.
    fn awaited(mut self, result: LockId) -> Vec<(Tier, Kind)> {
        let caller = self.scene.build.thread("caller");
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
        if fetched {
            office.fetches(0);
        }
        office.updates(0);
        office.completes(0);
        assert_eq!(office.found(FUTURE), INSIDE, "{fetched}");
    }
}

/// An earlier task takes the lock; `others` do what they do, and it is known where tasks lie.
fn beside(others: impl Fn(&mut Office)) -> Vec<(Tier, Kind)> {
    let mut office = Office::with(BLOCKING);
    office.completes(0);
    office.fetches(0);
    office.updates(0);
    others(&mut office);
    office.found(FUTURE)
}

#[test]
fn somebody_else_comes_to_the_next_task_unless_he_needed_the_same() {
    assert_eq!(beside(|_| {}), INSIDE);
    assert_eq!(beside(|office| office.fetches(1)), []);
    let both = |office: &mut Office| {
        office.fetches(1);
        office.updates(1);
    };
    assert_eq!(beside(both), INSIDE);
}

#[test]
fn who_has_got_no_task_yet_would_come_to_the_next_as_well() {
    let idle = |name: &'static str| {
        move |office: &mut Office| {
            let idle = office.scene.build.thread(name);
            let other = office.scene.lock(REENTRANT);
            let acts = [(Act::Lock, 1), (Act::Unlock, 1)];
            office.scene.did(idle, other, &acts);
        }
    };
    assert_eq!(beside(idle("worker-3")), []);
    assert_eq!(beside(idle("keeper-3")), INSIDE);
}

/// A task gets elements out of a queue that others use, too, more often than there are tasks.
#[test]
fn a_queue_that_a_task_uses_is_not_that_of_the_tasks() {
    let things = |office: &mut Office| {
        let things = office.scene.lock(BLOCKING);
        for worker in [0, 1, 0, 1, 0] {
            let worker = office.workers[worker];
            office.scene.did(worker, things, &[(Act::Take, 1)]);
        }
    };
    assert_eq!(beside(things), INSIDE);
    let both_run_tasks = |office: &mut Office| {
        office.completes(0);
        office.fetches(1);
        things(office);
    };
    assert_eq!(beside(both_run_tasks), []);
}

/// It goes to the queue by itself, and not for what somebody waits for.
#[test]
fn who_counts_a_latch_down_needs_all_that_he_takes_before() {
    for queue in [BLOCKING, SYNCHRONOUS] {
        let mut office = Office::with(queue);
        office.updates(0);
        office.fetches(1);
        assert_eq!(office.found(LATCH), INSIDE, "{queue}");
    }
}

#[test]
fn of_too_many_who_run_tasks_it_is_not_known_what_they_took() {
    let crowd = |office: &mut Office| {
        for number in 0..300 {
            let name = format!("clerk {number}");
            let clerk = office.scene.build.thread(&name);
            let acts = [(Act::Lock, 1), (Act::Unlock, 1)];
            office.scene.did(clerk, office.state, &acts);
            let tasks = office.tasks;
            office.scene.did(clerk, tasks, &[(Act::Take, 1)]);
        }
    };
    assert_eq!(beside(crowd), []);
}

#[test]
fn what_is_handed_from_one_to_the_other_waits_for_no_earlier_task() {
    let mut office = Office::with(SYNCHRONOUS);
    office.completes(0);
    office.fetches(0);
    office.updates(0);
    assert_eq!(office.found(FUTURE), []);
}

#[test]
fn what_follows_a_task_waits_for_what_that_took_until_the_next_begins() {
    let follows = |class: &str, next: bool| {
        let mut office = Office::with(BLOCKING);
        office.fetches(0);
        office.updates(0);
        office.completes(0);
        if next {
            office.fetches(0);
        }
        let result = office.scene.lock(class);
        office.awaited(result)
    };
    assert_eq!(follows(LATCH, false), INSIDE);
    assert_eq!(follows(LATCH, true), []);
    assert_eq!(
        follows(FUTURE, false),
        [],
        "of a future that is another one"
    );
}

#[test]
fn where_the_next_task_begins_is_not_told_of_a_timed_pool() {
    let mut office = Office::with(BLOCKING);
    office.updates(0);
    let timed = "java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask";
    let timed = office.scene.lock(timed);
    office.runs(timed, &[Act::CountDown]);
    let result = office.scene.lock(LATCH);
    assert_eq!(office.awaited(result), []);
}

#[test]
fn a_task_within_another_one_is_not_the_next() {
    let ran = |within: bool| {
        let mut office = Office::with(BLOCKING);
        let tasks = [TASK, TASK, TASK].map(|class| office.scene.lock(class));
        office.runs(tasks[0], &[Act::Run]);
        office.updates(0);
        if !within {
            office.runs(tasks[0], &[Act::CountDown, Act::Ran]);
        }
        for task in &tasks[1..] {
            office.runs(*task, &[Act::Run, Act::CountDown, Act::Ran]);
        }
        let result = office.scene.lock(LATCH);
        office.awaited(result)
    };
    assert_eq!(ran(true), INSIDE);
    assert_eq!(ran(false), []);
}

#[test]
fn a_task_needs_what_it_took_before_another_one_within_it() {
    let ran = |within: bool| {
        let mut office = Office::with(BLOCKING);
        let [outer, inner] = [TASK, TASK].map(|class| office.scene.lock(class));
        if within {
            office.runs(outer, &[Act::Run]);
        }
        office.updates(0);
        office.runs(inner, &[Act::Run, Act::CountDown, Act::Ran]);
        if !within {
            office.runs(outer, &[Act::Run]);
        }
        office.awaited(outer)
    };
    assert_eq!(ran(true), INSIDE);
    assert_eq!(ran(false), []);
}

#[test]
fn a_task_for_which_nobody_was_parked_is_awaited_all_the_same() {
    let mut office = Office::with(BLOCKING);
    let task = office.scene.lock(TASK);
    office.runs(task, &[Act::Run]);
    office.updates(0);
    assert_eq!(office.awaited(task), INSIDE);
}
