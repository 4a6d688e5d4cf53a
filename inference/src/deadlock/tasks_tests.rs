//! Recordings written by hand in which threads are ordered by starts, ends, futures, pools and unparks.

use super::finding::{Kind, Tier};
use super::recording_tests::{REENTRANT, Scene};
use crate::fixtures::{SYNCHRONIZED, leave};
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::kin::{Kin, Tie};
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::record::{LockObject, Owner, target_key};
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, ThreadId};

pub(super) const FUTURE: &str = "java.util.concurrent.FutureTask";
const COMPLETABLE: &str = "java.util.concurrent.CompletableFuture";
pub(super) const TASK: &str = "app.Sort";
pub(super) const POOL: &str = "java.util.concurrent.ThreadPoolExecutor";
pub(super) const T3: (Tier, Kind) = (Tier::T3, Kind::Order);
const T4: (Tier, Kind) = (Tier::T4, Kind::Order);
const T5: (Tier, Kind) = (Tier::T5, Kind::Order);

pub(super) fn ties(scene: &mut Scene, thread: ThreadId, tie: Tie, other: ThreadId) {
    let at = scene.now();
    scene.push(Record::Kin(Kin {
        at,
        thread,
        other,
        tie,
    }));
}

pub(super) fn ends(scene: &mut Scene, thread: ThreadId) {
    let at = scene.now();
    scene.push(Record::Event(Event {
        at,
        thread,
        kind: EventKind::ThreadEnd,
        lock: None,
        stack: None,
        owner: Owner::Unknown,
        seq: None,
    }));
}

pub(super) fn does(scene: &mut Scene, thread: ThreadId, lock: LockId, act: Act, tries: bool) {
    counts(scene, thread, (lock, act, 1), tries);
}

pub(super) fn counts(
    scene: &mut Scene,
    thread: ThreadId,
    (lock, act, count): (LockId, Act, u32),
    tries: bool,
) {
    let at = scene.now();
    scene.push(Record::Operation(Operation {
        at,
        thread,
        lock,
        act,
        outcome: Outcome::Done,
        count,
        tries,
        stack: None,
    }));
}

/// What is found where two threads take two locks in both orders, with something between them.
pub(super) fn found(between: impl FnOnce(&mut Scene, [ThreadId; 2])) -> Vec<(Tier, Kind)> {
    let mut scene = Scene::default();
    let (a, b) = (scene.lock(REENTRANT), scene.lock(REENTRANT));
    let [one, two] = ["one", "two"].map(|name| scene.build.thread(name));
    scene.begins(one);
    scene.nests(one, a, b);
    between(&mut scene, [one, two]);
    scene.nests(two, b, a);
    let findings = scene.report().findings;
    findings.iter().map(|f| (f.tier, f.kind)).collect()
}

#[test]
fn who_is_started_comes_after_what_its_starter_did_before() {
    let started = |told: bool| {
        found(|scene, [one, two]| {
            if told {
                ties(scene, one, Tie::Starts, two);
            }
            scene.begins(two);
        })
    };
    assert_eq!(started(true), []);
    assert_eq!(started(false), [T3]);
    let again = found(|scene, [one, two]| {
        scene.begins(two);
        ties(scene, one, Tie::Starts, two);
    });
    assert_eq!(again, [T3], "it ran already, and the call threw");
}

/// What two threads do to monitors, in both orders, the one after the other; and what is told before all that.
fn of_monitors(tie: Option<Tie>) -> Vec<(Tier, Kind)> {
    let mut scene = Scene::default();
    let exact = (target_key::EXACT.to_owned(), "true".to_owned());
    scene.push(Record::Target(vec![exact]));
    let shop = scene.build.class("app.Shop", "java.lang.Object");
    let method = scene.build.coded(shop, "sell", SYNCHRONIZED, vec![leave()]);
    let stack = scene.build.stack(&[(method, 0)]);
    let [a, b] = ["app.Left", "app.Right"].map(|name| {
        let class = scene.build.class(name, "java.lang.Object");
        scene.build.lock(class)
    });
    let [one, two] = ["one", "two"].map(|name| scene.build.thread(name));
    let of = |scene: &mut Scene, thread, kind, lock: Option<LockId>| {
        let (at, owner) = (scene.now(), Owner::Unknown);
        Record::Event(Event {
            at,
            thread,
            kind,
            lock,
            stack: lock.map(|_| stack),
            owner,
            seq: None,
        })
    };
    let nests = |scene: &mut Scene, thread, [outer, inner]: [LockId; 2]| {
        let (taken, left) = (EventKind::Entered, EventKind::Exit);
        let all = [(taken, outer), (taken, inner), (left, inner), (left, outer)];
        all.map(|(kind, lock)| of(scene, thread, kind, Some(lock)))
    };
    scene.begins(one);
    if tie != Some(Tie::Starts) {
        scene.begins(two);
    }
    let mut all: Vec<Record> = nests(&mut scene, one, [a, b]).into();
    let at = scene.now();
    match tie {
        Some(Tie::Starts) => {
            all.push(of(&mut scene, two, EventKind::ThreadStart, None));
            let (thread, other) = (one, two);
            scene.push(Record::Kin(Kin {
                at,
                thread,
                other,
                tie: Tie::Starts,
            }));
        }
        Some(tie) => {
            all.push(of(&mut scene, one, EventKind::ThreadEnd, None));
            let (at, thread, other) = (scene.now(), two, one);
            scene.push(Record::Kin(Kin {
                at,
                thread,
                other,
                tie,
            }));
        }
        None => {}
    }
    all.extend(nests(&mut scene, two, [b, a]));
    all.into_iter().for_each(|record| scene.push(record));
    let findings = scene.report().findings;
    findings.iter().map(|f| (f.tier, f.kind)).collect()
}

/// What is told of starts and ends goes by its time, not by its place in the file.
#[test]
fn a_start_or_a_join_that_is_told_early_comes_when_it_was() {
    assert_eq!(of_monitors(None), [T3]);
    assert_eq!(of_monitors(Some(Tie::Joined)), []);
    assert_eq!(of_monitors(Some(Tie::Starts)), []);
}

#[test]
fn who_joins_comes_after_a_thread_that_has_ended() {
    let joined = |ended: bool| {
        found(|scene, [one, two]| {
            scene.begins(two);
            if ended {
                ends(scene, one);
            }
            ties(scene, two, Tie::Joined, one);
        })
    };
    assert_eq!(joined(true), []);
    assert_eq!(joined(false), [T3], "the time was over");
}

#[test]
fn who_joins_for_a_time_only_stalls_and_would_have_gone_on_a_little_later() {
    let joined = |tie: Tie| {
        let mut scene = Scene::default();
        let lock = scene.lock(REENTRANT);
        let [worker, boss] = ["worker", "boss"].map(|name| scene.build.thread(name));
        scene.begins(worker);
        scene.begins(boss);
        scene.did(worker, lock, &[(Act::Lock, 1), (Act::Unlock, 1)]);
        ends(&mut scene, worker);
        scene.did(boss, lock, &[(Act::Lock, 1)]);
        // A join that goes through another one is told by both.
        ties(&mut scene, boss, tie, worker);
        ties(&mut scene, boss, tie, worker);
        scene.did(boss, lock, &[(Act::Unlock, 1)]);
        let findings = scene.report().findings;
        let told = findings.iter().map(|f| {
            let counts = f.edges.iter().map(|edge| edge.count).max();
            (f.kind, f.tier, f.stall, counts)
        });
        told.collect::<Vec<_>>()
    };
    let once = Some(1);
    assert_eq!(joined(Tie::Joined), [(Kind::Join, Tier::T3, false, once)]);
    assert_eq!(
        joined(Tie::JoinedInTime),
        [(Kind::Join, Tier::T3, true, once)]
    );
    let ordered = found(|scene, [one, two]| {
        scene.begins(two);
        ends(scene, one);
        ties(scene, two, Tie::JoinedInTime, one);
    });
    assert_eq!(ordered, [T5]);
}

/// Two threads wait for each other's end, and the one that began them has ended, or lives.
fn crossed_joins(ended: bool, limit: Option<Nanos>) -> Vec<(Tier, Kind, usize)> {
    let mut scene = Scene::default();
    let exact = (target_key::EXACT.to_owned(), "true".to_owned());
    scene.push(Record::Target(vec![exact]));
    let class = scene.build.class("java.lang.Thread", "java.lang.Object");
    let [main, one, two] = ["main", "one", "two"].map(|name| scene.build.thread(name));
    for thread in [main, one, two] {
        scene.begins(thread);
    }
    if ended {
        ends(&mut scene, main);
    }
    for (thread, other, limit) in [(one, two, None), (two, one, limit)] {
        let object = LockObject::Thread(other);
        let lock = Some(scene.build.lock_as(class, object));
        let at = scene.now();
        scene.push(Record::Event(Event {
            at,
            thread,
            kind: EventKind::Wait { timeout: limit },
            lock,
            stack: None,
            owner: Owner::Unknown,
            seq: None,
        }));
    }
    let findings = scene.report().findings;
    let told = findings.iter().map(|f| (f.tier, f.kind, f.edges.len()));
    told.collect()
}

#[test]
fn who_wait_for_the_end_of_each_other_are_stuck_if_nobody_is_left_to_interrupt_them() {
    assert_eq!(crossed_joins(true, None), [(Tier::T0, Kind::Join, 2)]);
    assert_eq!(crossed_joins(false, None), [(Tier::T4, Kind::Join, 2)]);
    let limited = crossed_joins(true, Some(Nanos(1_000_000)));
    assert_eq!(limited, [], "one of them goes on in a while");
}

#[test]
fn who_has_a_result_comes_after_who_completed_it() {
    for (class, tries) in [
        (FUTURE, false),
        (FUTURE, true),
        (COMPLETABLE, false),
        (POOL, true),
    ] {
        let got = found(|scene, [one, two]| {
            let future = scene.lock(class);
            scene.begins(two);
            does(scene, one, future, Act::CountDown, false);
            does(scene, two, future, Act::Pass, tries);
        });
        assert_eq!(got, [], "{class}");
        let other = found(|scene, [one, two]| {
            let futures = [scene.lock(class), scene.lock(class)];
            scene.begins(two);
            does(scene, one, futures[0], Act::CountDown, false);
            does(scene, two, futures[1], Act::Pass, tries);
        });
        assert_eq!(other, [T3], "{class}: of another one");
    }
}

#[test]
fn a_future_that_several_tried_to_complete_orders_by_presumption() {
    let got = found(|scene, [one, two]| {
        let future = scene.lock(FUTURE);
        let third = scene.build.thread("third");
        scene.begins(two);
        does(scene, one, future, Act::CountDown, false);
        does(scene, third, future, Act::CountDown, false);
        does(scene, two, future, Act::Pass, false);
    });
    assert_eq!(got, [T5]);
}

#[test]
fn what_a_thread_was_unparked_for_is_presumed_to_come_before() {
    let unparked = |before: bool| {
        found(|scene, [one, two]| {
            scene.begins(two);
            let from = scene.now();
            let [by, at] = match before {
                true => [one, two],
                false => [two, one],
            };
            let when = scene.now();
            let to = scene.now();
            scene.push(Record::Park(Park {
                stack: None,
                thread: at,
                lock: None,
                from,
                to,
                limit: None,
                end: ParkEnd::Unparked,
                unpark: Some(Unpark {
                    stack: None,
                    by,
                    at: when,
                }),
            }));
        })
    };
    assert_eq!(unparked(true), [T5]);
    assert_eq!(unparked(false), [T3], "the other way round");
}

#[test]
fn what_is_run_once_a_future_is_complete_comes_after_who_left_it_to_be_run() {
    let ran = |by_two: bool, over: bool| {
        found(|scene, [one, two]| {
            let future = scene.lock(COMPLETABLE);
            let third = scene.build.thread("third");
            scene.begins(two);
            does(scene, one, future, Act::Register, false);
            if by_two {
                does(scene, third, future, Act::Register, false);
            }
            does(scene, two, future, Act::CountDown, false);
            if over {
                does(scene, two, future, Act::Arrive, false);
            }
        })
    };
    assert_eq!(ran(false, false), []);
    assert_eq!(ran(true, false), [T3], "which of them it ran is not known");
    assert_eq!(ran(false, true), [T4], "it may do without having run that");
}

#[test]
fn what_a_stage_within_another_one_runs_is_over_with_that() {
    let ran = |over: bool| {
        found(|scene, [one, two]| {
            let futures = [scene.lock(COMPLETABLE), scene.lock(COMPLETABLE)];
            scene.begins(two);
            does(scene, two, futures[0], Act::Register, false);
            does(scene, one, futures[1], Act::Register, false);
            does(scene, two, futures[0], Act::CountDown, false);
            does(scene, two, futures[1], Act::CountDown, false);
            if over {
                does(scene, two, futures[0], Act::Arrive, false);
            }
        })
    };
    assert_eq!(ran(false), []);
    assert_eq!(ran(true), [(Tier::T4, Kind::Order)]);
}

#[test]
fn who_runs_a_task_comes_after_who_handed_it_over() {
    let ran = |handed: Act, same: bool, over: bool| {
        found(|scene, [one, two]| {
            let tasks = [scene.lock(TASK), scene.lock(TASK)];
            scene.begins(two);
            does(scene, one, tasks[0], handed, false);
            does(scene, one, tasks[1], Act::Made, false);
            let task = tasks[usize::from(!same)];
            does(scene, two, task, Act::Run, false);
            if over {
                does(scene, two, task, Act::Ran, false);
            }
        })
    };
    for handed in [Act::Hand, Act::Made] {
        assert_eq!(ran(handed, true, false), []);
        assert_eq!(ran(handed, true, true), [T4], "it may do without that");
    }
    let before = found(|scene, [one, two]| {
        let task = scene.lock(TASK);
        scene.begins(two);
        does(scene, two, task, Act::Run, false);
        does(scene, one, task, Act::Hand, false);
    });
    assert_eq!(
        before,
        [T3],
        "another run than that which it was handed over for"
    );
}

#[test]
fn the_thread_of_a_timer_runs_the_task_that_it_has_found_and_taken() {
    let ran = |taken: bool, next: bool| {
        found(|scene, [one, two]| {
            let (queue, task) = (scene.lock("java.util.TaskQueue"), scene.lock(TASK));
            let other = scene.lock(TASK);
            scene.begins(two);
            does(scene, two, other, Act::Hand, false);
            does(scene, one, task, Act::Hand, false);
            does(scene, two, task, Act::Pick, false);
            if taken {
                does(scene, two, queue, Act::Begin, false);
            }
            if next {
                does(scene, two, other, Act::Pick, false);
                does(scene, two, queue, Act::Begin, false);
            }
        })
    };
    assert_eq!(ran(true, false), []);
    assert_eq!(ran(false, false), [T3], "it was not time yet");
    assert_eq!(ran(true, true), [T4], "it runs another one by now");
    let unknown = found(|scene, [one, two]| {
        let (queue, task) = (scene.lock("java.util.TaskQueue"), scene.lock(TASK));
        scene.begins(two);
        does(scene, one, task, Act::Hand, false);
        does(scene, two, task, Act::Pick, false);
        does(scene, two, queue, Act::Begin, false);
        does(scene, two, queue, Act::Begin, false);
    });
    assert_eq!(unknown, [T4], "it runs one by now that is not told");
}

#[test]
fn who_waits_for_several_tasks_comes_after_those_that_it_handed_over_for_that() {
    let gathered = |inside: bool| {
        found(|scene, [one, two]| {
            let (task, own, all) = (scene.lock(TASK), scene.lock(TASK), scene.lock(TASK));
            scene.begins(two);
            does(scene, two, all, Act::Spread, false);
            if !inside {
                does(scene, two, own, Act::Run, false);
            }
            does(scene, two, task, Act::Hand, false);
            if !inside {
                does(scene, two, own, Act::Ran, false);
            }
            does(scene, one, task, Act::CountDown, false);
            does(scene, two, all, Act::Gathered, false);
        })
    };
    assert_eq!(gathered(true), []);
    assert_eq!(
        gathered(false),
        [T3],
        "one of these handed it over, and may not wait"
    );
}

#[test]
fn who_sees_a_future_complete_has_seen_all_that_it_is_made_of() {
    let seen = |all: bool, early: bool| {
        found(|scene, [one, two]| {
            let futures = [(); 3].map(|()| scene.lock(COMPLETABLE));
            let third = scene.build.thread("third");
            scene.begins(two);
            for part in &futures[..if all { 2 } else { 1 }] {
                counts(
                    scene,
                    two,
                    (*part, Act::Part, if all { 2 } else { 1 }),
                    false,
                );
            }
            does(scene, two, futures[2], Act::Whole, false);
            if early {
                does(scene, third, futures[2], Act::CountDown, false);
            }
            does(scene, third, futures[0], Act::CountDown, false);
            does(scene, one, futures[1], Act::CountDown, false);
            if !early {
                does(scene, third, futures[2], Act::CountDown, false);
            }
            does(scene, two, futures[2], Act::Pass, false);
        })
    };
    assert_eq!(seen(true, false), []);
    assert_eq!(seen(false, false), [T3], "it is made of the other one");
    assert_eq!(seen(true, true), [T3], "somebody completed it before");
}

#[test]
fn who_waits_for_what_is_made_of_others_waits_for_these() {
    let found = |asks: bool| {
        let mut scene = Scene::default();
        let shop = scene.lock(REENTRANT);
        let futures = [(); 3].map(|()| scene.lock(COMPLETABLE));
        let [one, two] = ["one", "two"].map(|name| scene.build.thread(name));
        for part in &futures[..2] {
            counts(&mut scene, one, (*part, Act::Part, 2), false);
        }
        does(&mut scene, one, futures[2], Act::Whole, false);
        scene.did(two, shop, &[(Act::Lock, 1), (Act::Unlock, 1)]);
        does(&mut scene, two, futures[0], Act::CountDown, false);
        let third = scene.build.thread("third");
        does(&mut scene, third, futures[1], Act::CountDown, false);
        does(&mut scene, third, futures[2], Act::CountDown, false);
        scene.did(one, shop, &[(Act::Lock, 1)]);
        does(&mut scene, one, futures[2], Act::Pass, asks);
        scene.found()
    };
    assert_eq!(found(false), [(Tier::T3, Kind::Latch)]);
    assert_eq!(found(true), [], "who only asks does not wait");
}

/// The other one was complete from the beginning, or somebody completed by hand what is made of it.
#[test]
fn what_is_made_of_one_that_was_never_seen_complete_orders_by_presumption() {
    let seen = |parts: &[usize], other: bool| {
        found(|scene, [one, two]| {
            let futures = [(); 4].map(|()| scene.lock(COMPLETABLE));
            let third = scene.build.thread("third");
            scene.begins(two);
            for (whole, parts) in [(2, &[0, 1][..]), (3, parts)] {
                for &part in parts {
                    let of = (futures[part], Act::Part, parts.len() as u32);
                    counts(scene, two, of, false);
                }
                does(scene, two, futures[whole], Act::Whole, false);
            }
            if other {
                does(scene, third, futures[0], Act::CountDown, false);
            }
            does(scene, one, futures[1], Act::CountDown, false);
            does(scene, third, futures[2], Act::CountDown, false);
            does(scene, third, futures[3], Act::CountDown, false);
            does(scene, two, futures[3], Act::Pass, false);
        })
    };
    for parts in [&[2][..], &[1, 2], &[2, 1]] {
        assert_eq!(seen(parts, true), [], "{parts:?}");
    }
    assert_eq!(seen(&[2], false), [T5]);
    assert_eq!(seen(&[0, 1], false), [T5]);
    assert_eq!(seen(&[1, 2], false), [], "it is a part itself");
    assert_eq!(seen(&[2, 1], false), [], "it is a part itself");
}

#[test]
fn what_is_nested_too_deep_to_be_followed_ends_nothing_outside() {
    let gathered = |deep: usize| {
        found(|scene, [one, two]| {
            let (task, all) = (scene.lock(TASK), scene.lock(TASK));
            scene.begins(two);
            does(scene, two, all, Act::Spread, false);
            does(scene, two, task, Act::Hand, false);
            for act in [Act::Spread, Act::Gathered] {
                for _ in 0..deep {
                    does(scene, two, all, act, false);
                }
            }
            does(scene, one, task, Act::CountDown, false);
            does(scene, two, all, Act::Gathered, false);
        })
    };
    for deep in [1, 1023, 1024, 1500] {
        assert_eq!(
            gathered(deep),
            [],
            "{deep}: it was seen complete at the end"
        );
    }
}

#[test]
fn what_is_made_of_more_than_was_told_orders_by_presumption() {
    let seen = |told: u32, lost: bool, more: u32| {
        found(|scene, [one, two]| {
            let futures = [(); 2].map(|()| scene.lock(COMPLETABLE));
            let third = scene.build.thread("third");
            scene.begins(two);
            let part = (futures[0], Act::Part, told + more);
            (0..told).for_each(|_| counts(scene, two, part, false));
            if lost {
                scene.loses();
            }
            (0..more).for_each(|_| counts(scene, two, part, false));
            does(scene, two, futures[1], Act::Whole, false);
            does(scene, one, futures[0], Act::CountDown, false);
            does(scene, third, futures[1], Act::CountDown, false);
            does(scene, two, futures[1], Act::Pass, false);
        })
    };
    assert_eq!(seen(1, false, 1), []);
    assert_eq!(seen(1, true, 1), [T5]);
    assert_eq!(seen(1024, false, 0), []);
    assert_eq!(seen(1025, false, 0), [T5], "more than are remembered");
}

#[test]
fn who_made_a_task_and_waits_for_others_has_not_waited_for_it() {
    let gathered = |act: Act| {
        found(|scene, [one, two]| {
            let (task, all) = (scene.lock(TASK), scene.lock(TASK));
            scene.begins(two);
            does(scene, two, all, Act::Spread, false);
            does(scene, two, task, act, false);
            does(scene, one, task, Act::CountDown, false);
            does(scene, two, all, Act::Gathered, false);
        })
    };
    assert_eq!(gathered(Act::Hand), []);
    assert_eq!(gathered(Act::Made), [T3]);
}

/// What is run in between may be one of those that are not told apart, and may have handed over what it does not wait for.
#[test]
fn who_waits_where_tasks_are_not_told_apart_is_presumed_to_wait_for_what_was_handed_over() {
    let gathered = |class: &str, act: Act| {
        found(|scene, [one, two]| {
            let (task, all) = (scene.lock(TASK), scene.lock(TASK));
            let third = scene.build.thread("third");
            let others = scene.locks(class, true);
            does(scene, third, others, act, false);
            scene.begins(two);
            does(scene, two, all, Act::Spread, false);
            does(scene, two, task, Act::Hand, false);
            does(scene, one, task, Act::CountDown, false);
            does(scene, two, all, Act::Gathered, false);
        })
    };
    assert_eq!(gathered(TASK, Act::Hand), [T5]);
    assert_eq!(gathered(REENTRANT, Act::Lock), [], "these are no tasks");
    let list = "java.util.ArrayList";
    assert_eq!(gathered(list, Act::Spread), [], "nor is what they are in");
}

#[test]
fn what_a_thread_is_in_the_middle_of_is_not_known_any_more_after_a_loss() {
    let runs = |lost: bool, act: Option<Act>| {
        found(|scene, [one, two]| {
            let (queue, task) = (scene.lock("java.util.TaskQueue"), scene.lock(TASK));
            let third = scene.build.thread("third");
            scene.begins(two);
            does(scene, one, task, Act::Hand, false);
            match act {
                Some(act) => does(scene, two, task, act, false),
                None => {
                    does(scene, two, task, Act::Pick, false);
                    does(scene, two, queue, Act::Begin, false);
                }
            }
            if lost {
                scene.loses();
            }
            ties(scene, two, Tie::Joined, third);
        })
    };
    for act in [Some(Act::Run), None] {
        assert_eq!(runs(false, act), []);
        assert_eq!(runs(true, act), [T5], "it may be over");
    }
    let gathered = |lost: bool| {
        found(|scene, [one, two]| {
            let (task, all) = (scene.lock(TASK), scene.lock(TASK));
            let third = scene.build.thread("third");
            scene.begins(two);
            does(scene, two, all, Act::Spread, false);
            does(scene, two, task, Act::Hand, false);
            if lost {
                scene.loses();
            }
            ties(scene, two, Tie::Joined, third);
            does(scene, one, task, Act::CountDown, false);
            does(scene, two, all, Act::Gathered, false);
        })
    };
    assert_eq!(gathered(false), []);
    assert_eq!(gathered(true), [T5], "it may wait for others by now");
}
