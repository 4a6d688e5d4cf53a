//! With nothing but waits and a few contended entries known, the bytecode decides, and the
//! events raise or lower it; without the bytecode nothing is claimed with confidence.

mod types_sim;

use locklens_inference::model::Options;
use locklens_inference::region::RegionId;
use locklens_inference::types::{
    Detail, Evidence, Hypothesis, LockType, RegionFacts, Role, TypeInput, Typing, Unseen, judge,
};
use locklens_inference::visit::{Begin, Finish, History, Mark, Notified, Step, Visit};
use locklens_trace::{Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet};
use types_sim::measure::{Statics, Trial, View, attempt};
use types_sim::subjects;

const SEEDS: u64 = 3;

fn trials(statics: Statics) -> Vec<(String, Trial)> {
    let mut all = Vec::new();
    for subject in subjects() {
        for visits in [10, 100, 1000] {
            for seed in 0..SEEDS {
                let trial = attempt(&subject, View::Watched, statics, visits, seed);
                let what = format!("{}, {visits} (seed {seed}): {}", subject.name, trial.line());
                all.push((what, trial));
            }
        }
    }
    all
}

fn wrong(trials: &[(String, Trial)], right: impl Fn(&Trial) -> bool) -> Vec<&str> {
    trials
        .iter()
        .filter(|t| !right(&t.1))
        .map(|t| t.0.as_str())
        .collect()
}

#[test]
fn without_the_bytecode_nothing_wrong_is_said_with_confidence() {
    let trials = trials(Statics::None);
    let falsely = wrong(&trials, |t| !t.falsely_sure());
    assert!(falsely.is_empty(), "{}", falsely.join("\n"));
    let modest =
        |t: &Trial| t.first_right || t.said() == LockType::Unknown || t.confidence() < 0.75;
    let claimed = wrong(&trials, modest);
    assert!(
        claimed.is_empty(),
        "claims too much:\n{}",
        claimed.join("\n")
    );
}

#[test]
fn with_the_bytecode_the_type_is_right() {
    let trials = trials(Statics::True);
    let missed = wrong(&trials, |t| t.first_right);
    assert!(missed.len() * 50 <= trials.len(), "{}", missed.join("\n"));
    let sure = trials.iter().filter(|t| t.1.confidence() >= 0.9).count();
    assert!(
        sure * 5 >= trials.len(),
        "only {sure} of {} are sure",
        trials.len()
    );
}

// With more conviction it would be: watching sees who waits, and a reading of the code that puts
// the waits in the right places is then all there is. Only complete histories refute it
// (types_complete.rs); the static model must earn its odds.
#[test]
fn bytecode_that_lies_with_moderate_conviction_is_not_believed_with_confidence() {
    let trials = trials(Statics::False);
    let falsely = wrong(&trials, |t| !t.falsely_sure());
    assert!(falsely.is_empty(), "{}", falsely.join("\n"));
}

/// A thread that wakes whoever waits for it and only then ends: they may have gone on before.
#[test]
fn a_thread_that_says_itself_that_it_ends_is_joined() {
    let histories: Vec<History> = (0..40).map(waited_for).collect();
    let typing = judge(&TypeInput {
        histories: &histories,
        regions: &BTreeMap::new(),
        seeds: &[
            said(LockType::Join, &[(Role::Join, 0)], 8.0),
            said(
                LockType::Latch,
                &[(Role::Await, 0), (Role::CountDown, 1)],
                4.5,
            ),
        ],
        is_composite: false,
        may_be_shared: false,
        unseen: Unseen::default(),
        is_thread: true,
        options: &Options::default(),
    });
    let best = &typing.types[0];
    assert_eq!(best.lock_type, LockType::Join, "{typing:?}");
    assert!(best.confidence > 0.9, "{typing:?}");
}

/// A plain condition is waited for by all who can wait, and told of by all who can notify, seen or not.
#[test]
fn all_who_can_wait_wait_for_a_plain_condition() {
    let facts = |waits, notifies| RegionFacts {
        may_wait: Some(waits),
        may_notify: Some(false),
        may_notify_all: Some(notifies),
        ..RegionFacts::default()
    };
    let regions = [facts(true, true), facts(false, true), facts(true, false)];
    let regions: BTreeMap<_, _> = (0..).map(RegionId).zip(regions).collect();
    let seed = said(
        LockType::Condition,
        &[(Role::Wait, 0), (Role::Notify, 1)],
        3.0,
    );
    let histories: Vec<History> = (0..3).map(|object| opened(object, 5)).collect();
    let typing = judge(&TypeInput {
        histories: &histories,
        regions: &regions,
        seeds: &[seed],
        is_composite: false,
        may_be_shared: false,
        unseen: Unseen::default(),
        is_thread: false,
        options: &Options::default(),
    });
    let [only] = typing.types.as_slice() else {
        panic!("one type: {typing:?}");
    };
    assert_eq!(only.lock_type, LockType::Condition);
    let of = |role| only.roles[&role].iter().map(|r| r.0).collect::<Vec<_>>();
    assert_eq!(of(Role::Wait), [0, 2]);
    assert_eq!(of(Role::Notify), [0, 1]);
}

/// A future that could be cleared, each of many used once and left alone: what opens it opens a latch.
#[test]
fn what_could_be_closed_again_and_never_is_is_a_latch() {
    let typing = |objects: u64, uses: u64| {
        let histories: Vec<History> = (0..objects).map(|o| opened(o, uses)).collect();
        let mut event = said(
            LockType::Condition,
            &[(Role::Wait, 0), (Role::Notify, 1)],
            4.5,
        );
        let form = Detail::Word("resettable event".to_owned());
        event.0.details.insert("form", form);
        let latch = said(
            LockType::Latch,
            &[(Role::Await, 0), (Role::CountDown, 1)],
            -6.5,
        );
        judge(&TypeInput {
            histories: &histories,
            regions: &BTreeMap::new(),
            seeds: &[event, latch],
            is_composite: false,
            may_be_shared: false,
            unseen: Unseen::default(),
            is_thread: false,
            options: &Options::default(),
        })
    };
    let once = typing(60, 1);
    assert_eq!(once.types[0].lock_type, LockType::Latch, "{once:?}");
    assert!(once.types[0].confidence < 0.9, "{once:?}");
    for other in [typing(5, 1), typing(60, 2)] {
        assert_eq!(other.types[0].lock_type, LockType::Condition, "{other:?}");
    }
}

/// Run with one who takes it goes as a mailbox, with several it does not: who waits there then is no taker.
#[test]
fn what_goes_so_for_one_thread_alone_is_not_believed_where_several_do_it() {
    let typing = |threads: u32| {
        let mut queue = said(
            LockType::ProducerConsumer,
            &[(Role::Take, 0), (Role::Put, 1)],
            6.0,
        );
        queue.1.borne_out = true;
        queue.1.alone = BTreeSet::from([Role::Take]);
        let condition = said(
            LockType::Condition,
            &[(Role::Wait, 0), (Role::Notify, 1)],
            1.0,
        );
        judge(&TypeInput {
            histories: &[in_turn(threads)],
            regions: &BTreeMap::new(),
            seeds: &[queue, condition],
            is_composite: false,
            may_be_shared: false,
            unseen: Unseen::default(),
            is_thread: false,
            options: &Options::default(),
        })
    };
    let (one, several) = (typing(1), typing(4));
    assert_eq!(
        one.types[0].lock_type,
        LockType::ProducerConsumer,
        "{one:?}"
    );
    assert_eq!(
        several.types[0].lock_type,
        LockType::Condition,
        "{several:?}"
    );
}

/// Two threads that wait where each would put something that nobody ever takes, and come where they give back what they took: what
/// the code could do by itself is not what is done with it.
#[test]
fn what_nobody_does_is_not_what_ends_the_waits_of_those_who_are_seen() {
    let typing = |others: u64, may_wait: bool| {
        let queue = said(
            LockType::ProducerConsumer,
            &[(Role::Put, 0), (Role::Take, 1)],
            5.0,
        );
        let lock = said(LockType::Lock, &[(Role::Lock, 0), (Role::Unlock, 2)], 2.1);
        let notifies = RegionFacts {
            may_wait: Some(may_wait),
            may_notify_all: Some(true),
            ..RegionFacts::default()
        };
        let waits = (0..60).flat_map(|n| waits_and_leaves(1 + n as u32 % 2, n * 100));
        let ends = (0..others).map(|n| stays(1 + n as u32 % 2, 2, n * 100 + 50));
        judge_watched(
            vec![waits.chain(ends).collect()],
            &BTreeMap::from([(RegionId(2), notifies)]),
            &[queue, lock],
        )
    };
    let seen = typing(30, false);
    assert_eq!(seen.types[0].lock_type, LockType::Lock, "{seen:?}");
    // Hardly anybody else was seen, or he may wait there himself: another way to take, perhaps.
    for other in [typing(2, false), typing(30, true)] {
        assert_eq!(other.types[0].lock_type, LockType::ProducerConsumer);
    }
}

/// Of two objects each thread takes of one and gives to the other: nobody gives back what he has taken.
#[test]
fn who_gives_back_gives_to_the_object_of_which_he_took() {
    let semaphore = said(
        LockType::Semaphore,
        &[(Role::Acquire, 0), (Role::Release, 1)],
        5.0,
    );
    let odds = |crossed: u32| {
        let object = |object: u32| {
            let waits = (0..20).flat_map(|n| waits_and_leaves(1 + object, n * 100));
            let gives = (0..20).map(|n| stays(1 + object.abs_diff(crossed), 1, n * 100 + 50));
            waits.chain(gives).collect()
        };
        let typing = judge_watched(
            vec![object(0), object(1)],
            &BTreeMap::new(),
            std::slice::from_ref(&semaphore),
        );
        typing.types[0].evidence.dynamic_log_odds
    };
    assert!(odds(1) < odds(0));
}

/// That nobody has put one in at the beginning says nothing of how many permits there are.
#[test]
fn no_permits_are_no_number() {
    let permits = |number: u64| {
        let mut semaphore = said(
            LockType::Semaphore,
            &[(Role::Acquire, 0), (Role::Release, 1)],
            6.0,
        );
        semaphore.0.details.insert("permits", Detail::Count(number));
        let waits = (0..20).flat_map(|n| waits_and_leaves(1, n * 100));
        let typing = judge_watched(vec![waits.collect()], &BTreeMap::new(), &[semaphore]);
        assert_eq!(typing.types[0].lock_type, LockType::Semaphore, "{typing:?}");
        typing.types[0].details.get("permits").cloned()
    };
    assert_eq!(permits(0), None);
    assert_eq!(permits(2), Some(Detail::Count(2)));
}

/// Waits with a limit that others always end long before it: nobody who waits there only waits for time to pass.
#[test]
fn who_is_always_woken_makes_no_pause() {
    let seeds = [
        said(LockType::Delay, &[(Role::Delay, 0)], 6.0),
        said(
            LockType::Condition,
            &[(Role::Wait, 0), (Role::Notify, 1)],
            3.0,
        ),
    ];
    let limited = |step| match step {
        Step::Visit(
            visit @ Visit {
                finish: Finish::Waits { .. },
                ..
            },
        ) => Step::Visit(Visit {
            finish: Finish::Waits {
                timeout: Some(Nanos(10_000_000_000)),
            },
            ..visit
        }),
        other => other,
    };
    let woken = |n: u64| {
        let [waits, goes] = <[Step; 2]>::try_from(waits_and_leaves(1, n * 100)).expect("two steps");
        [limited(waits), tells(2, n * 100), goes]
    };
    let history = History {
        steps: (0..150).flat_map(woken).collect(),
        complete: true,
        ..History::default()
    };
    let typing = judge(&TypeInput {
        histories: &[history],
        regions: &BTreeMap::new(),
        seeds: &seeds,
        is_composite: false,
        may_be_shared: false,
        unseen: Unseen::default(),
        is_thread: false,
        options: &Options::default(),
    });
    assert_eq!(typing.types[0].lock_type, LockType::Condition, "{typing:?}");
}

/// A thread comes and notifies whoever waits.
fn tells(thread: u32, at: u64) -> Step {
    match stays(thread, 1, at) {
        Step::Visit(visit) => Step::Visit(Visit {
            notified: Notified::All(Mark::Observed),
            ..visit
        }),
        other => other,
    }
}

fn judge_watched(
    objects: Vec<Vec<Step>>,
    regions: &BTreeMap<RegionId, RegionFacts>,
    seeds: &[(Hypothesis, Evidence)],
) -> Typing {
    let history = |steps| History {
        steps,
        ..History::default()
    };
    let histories: Vec<History> = objects.into_iter().map(history).collect();
    judge(&TypeInput {
        histories: &histories,
        regions,
        seeds,
        is_composite: false,
        may_be_shared: false,
        unseen: Unseen::default(),
        is_thread: false,
        options: &Options::default(),
    })
}

/// A thread waits in region 0 and goes on.
fn waits_and_leaves(thread: u32, at: u64) -> Vec<Step> {
    let of_thread = |step| match step {
        Step::Visit(visit) => Step::Visit(Visit {
            thread: ThreadId(thread),
            at: Nanos(visit.at.0 + at),
            until: Nanos(visit.until.0 + at),
            ..visit
        }),
        other => other,
    };
    let steps = opened(0, 1).steps.into_iter().take(2);
    steps.map(of_thread).collect()
}

/// A thread comes into a region and leaves it.
fn stays(thread: u32, region: u32, at: u64) -> Step {
    Step::Visit(Visit {
        thread: ThreadId(thread),
        region: RegionId(region),
        at: Nanos(at),
        until: Nanos(at),
        begin: Begin::Fresh { blocked: true },
        begin_mark: Mark::Observed,
        finish: Finish::Left,
        finish_mark: Mark::Inferred,
        notified: Notified::No,
    })
}

/// Threads wait for an object in turn, and go on one after the other.
fn in_turn(threads: u32) -> History {
    let steps = (0..40).flat_map(|turn: u64| {
        opened(0, 1).steps.into_iter().map(move |step| match step {
            Step::Visit(visit) => Step::Visit(Visit {
                thread: ThreadId(1 + turn as u32 % threads),
                at: Nanos(visit.at.0 + turn * 10),
                until: Nanos(visit.until.0 + turn * 10),
                ..visit
            }),
            other => other,
        })
    });
    History {
        steps: steps.collect(),
        ..History::default()
    }
}

/// Somebody waits for this object, goes on, and comes back as often as told.
fn opened(object: u64, uses: u64) -> History {
    let visit = |at, begin, finish| {
        Step::Visit(Visit {
            thread: ThreadId(1),
            region: RegionId(0),
            at: Nanos(object * 1_000 + at),
            until: Nanos(object * 1_000 + at),
            begin,
            begin_mark: Mark::Observed,
            finish,
            finish_mark: Mark::Inferred,
            notified: Notified::No,
        })
    };
    let waits = Finish::Waits { timeout: None };
    let fresh = Begin::Fresh { blocked: false };
    let resumed = Begin::Resumed { timed_out: false };
    let once = |at| {
        [
            visit(at, fresh, waits),
            visit(at + 1, resumed, Finish::Left),
            visit(at + 2, fresh, Finish::Left),
        ]
    };
    History {
        steps: (0..uses).flat_map(|use_| once(use_ * 10)).collect(),
        ..History::default()
    }
}

fn said(lock_type: LockType, roles: &[(Role, u32)], log_odds: f64) -> (Hypothesis, Evidence) {
    let roles = roles
        .iter()
        .map(|&(role, region)| (role, BTreeSet::from([RegionId(region)])));
    let hypothesis = Hypothesis {
        lock_type,
        roles: roles.collect(),
        details: BTreeMap::new(),
    };
    let evidence = Evidence {
        log_odds,
        ..Evidence::default()
    };
    (hypothesis, evidence)
}

/// The waiter goes on, and only then the end of the thread is told.
fn waited_for(object: u64) -> History {
    let visit = |at, begin, finish| {
        Step::Visit(Visit {
            thread: ThreadId(1),
            region: RegionId(0),
            at: Nanos(object * 1_000 + at),
            until: Nanos(object * 1_000 + at),
            begin,
            begin_mark: Mark::Observed,
            finish,
            finish_mark: Mark::Inferred,
            notified: Notified::No,
        })
    };
    let waits = Finish::Waits { timeout: None };
    History {
        steps: vec![
            visit(1, Begin::Fresh { blocked: false }, waits),
            visit(2, Begin::Resumed { timed_out: false }, Finish::Left),
            Step::SubjectEnded(Nanos(object * 1_000 + 3)),
        ],
        ..History::default()
    }
}
