//! What must hold for any input: no panic, the same answer again, and an answer that depends
//! neither on the order of the histories nor on the numbers of regions.

mod types_sim;

use locklens_inference::model::Options;
use locklens_inference::region::RegionId;
use locklens_inference::types::{
    Detail, Evidence, Hypothesis, LockType, RegionFacts, Role, TypeInput, Typing, Unseen, judge,
};
use locklens_inference::visit::{Begin, Finish, History, Mark, Notified, Step, Visit};
use locklens_trace::{Nanos, ThreadId};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use types_sim::noise::{damaged, exact, watched};
use types_sim::subjects;

type Facts = BTreeMap<RegionId, RegionFacts>;

fn judged(histories: &[History], regions: &Facts) -> Typing {
    judged_as_read(histories, regions, &[])
}

fn judged_as_read(
    histories: &[History],
    regions: &Facts,
    seeds: &[(Hypothesis, Evidence)],
) -> Typing {
    let options = Options::default();
    judge(&TypeInput {
        histories,
        regions,
        seeds,
        is_composite: false,
        may_be_shared: false,
        unseen: Unseen::default(),
        is_thread: false,
        options: &options,
    })
}

/// What matters of a verdict, region ids mapped.
type Said = (
    LockType,
    i64,
    Vec<(Role, BTreeSet<RegionId>)>,
    Vec<(&'static str, Detail)>,
);

fn said(typing: &Typing, map: impl Fn(RegionId) -> RegionId + Copy) -> Vec<Said> {
    let all = typing.types.iter().chain(&typing.runners_up);
    let brief = |v: &locklens_inference::model::Verdict| {
        let roles = v
            .roles
            .iter()
            .map(|(&role, set)| (role, set.iter().map(|&r| map(r)).collect()));
        let details = v
            .details
            .iter()
            .map(|(name, value)| (*name, value.clone()))
            .collect();
        (
            v.lock_type,
            (v.confidence * 1e6).round() as i64,
            roles.collect(),
            details,
        )
    };
    all.map(brief).collect()
}

fn any_step() -> impl Strategy<Value = Step> {
    let visit = (1u32..5, 0u32..4, 0u8..4, 0u8..4, 0u8..5, any::<bool>()).prop_map(visit);
    prop_oneof![
        40 => visit.prop_map(Step::Visit),
        1 => Just(Step::Reset(Nanos(5))),
        1 => Just(Step::SubjectEnded(Nanos(5))),
    ]
}

fn visit(
    (thread, region, begin, finish, notified, inferred): (u32, u32, u8, u8, u8, bool),
) -> Visit {
    let mark = if inferred {
        Mark::Inferred
    } else {
        Mark::Observed
    };
    Visit {
        thread: ThreadId(thread),
        region: RegionId(region),
        at: Nanos(u64::from(thread) * 1000),
        until: Nanos(u64::from(thread) * 1000),
        begin: match begin {
            0 | 1 => Begin::Fresh {
                blocked: begin == 1,
            },
            _ => Begin::Resumed {
                timed_out: begin == 3,
            },
        },
        begin_mark: mark,
        finish: match finish {
            0 => Finish::Left,
            1 => Finish::Waits { timeout: None },
            2 => Finish::Waits {
                timeout: Some(Nanos(7)),
            },
            _ => Finish::Unknown,
        },
        finish_mark: mark,
        notified: match notified {
            0 => Notified::One(mark),
            1 => Notified::All(mark),
            _ => Notified::No,
        },
    }
}

fn any_histories() -> impl Strategy<Value = Vec<History>> {
    let history = (prop::collection::vec(any_step(), 0..80), any::<bool>());
    let history = history.prop_map(|(steps, complete)| History {
        lock: None,
        steps,
        complete,
        still_waiting: Vec::new(),
    });
    prop::collection::vec(history, 0..5)
}

/// What the code of a lock may be read as, rightly or wrongly, with any numbers.
fn any_reading() -> impl Strategy<Value = (Hypothesis, Evidence)> {
    let kinds: Vec<(LockType, &'static [Role], &'static str)> = vec![
        (LockType::Delay, &[Role::Delay], "form"),
        (LockType::Join, &[Role::Join], "form"),
        (LockType::Latch, &[Role::CountDown, Role::Await], "count"),
        (LockType::Barrier, &[Role::Arrive], "parties"),
        (
            LockType::Semaphore,
            &[Role::Acquire, Role::Release],
            "permits",
        ),
        (LockType::Lock, &[Role::Lock, Role::Unlock], "reentrant"),
        (
            LockType::ProducerConsumer,
            &[Role::Put, Role::Take],
            "capacity",
        ),
        (
            LockType::ReadWrite,
            &[
                Role::ReadLock,
                Role::ReadUnlock,
                Role::WriteLock,
                Role::WriteUnlock,
            ],
            "preference",
        ),
        (LockType::Condition, &[Role::Wait, Role::Notify], "form"),
    ];
    let numbers = prop_oneof![0u64..5, Just(u64::from(u32::MAX)), Just(u64::MAX)];
    let regions = prop::collection::vec(prop::collection::btree_set(0u32..5, 0..3), 4);
    let read = prop::sample::select(kinds);
    (read, numbers, regions, -9.0..9.0f64).prop_map(|((lock_type, roles, key), n, sets, odds)| {
        let sets = sets
            .into_iter()
            .map(|set| set.into_iter().map(RegionId).collect());
        let hypothesis = Hypothesis {
            lock_type,
            roles: roles.iter().copied().zip(sets).collect(),
            details: BTreeMap::from([(key, Detail::Count(n))]),
        };
        let evidence = Evidence {
            log_odds: odds,
            borne_out: odds > 4.0,
            ..Evidence::default()
        };
        (hypothesis, evidence)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_reading_of_the_code_gives_an_answer(
        histories in any_histories(),
        readings in prop::collection::vec(any_reading(), 1..5),
    ) {
        let typing = judged_as_read(&histories, &Facts::new(), &readings);
        prop_assert!(!typing.types.is_empty());
        prop_assert_eq!(judged_as_read(&histories, &Facts::new(), &readings), typing);
    }

    #[test]
    fn any_steps_give_an_answer_and_the_same_one_again(histories in any_histories()) {
        let typing = judged(&histories, &Facts::new());
        prop_assert!(!typing.types.is_empty());
        for verdict in typing.types.iter().chain(&typing.runners_up) {
            prop_assert!((0.0..=1.0).contains(&verdict.confidence), "{}", verdict.confidence);
        }
        prop_assert_eq!(judged(&histories, &Facts::new()), typing);
    }

    #[test]
    fn the_order_of_histories_does_not_matter(histories in any_histories()) {
        let mut turned = histories.clone();
        turned.reverse();
        prop_assert_eq!(
            said(&judged(&turned, &Facts::new()), |r| r),
            said(&judged(&histories, &Facts::new()), |r| r)
        );
    }

    #[test]
    fn region_numbers_tell_nothing(histories in any_histories(), by in 1u32..40) {
        // 37 * n + by, modulo a prime: injective on the few ids in use, and unordered.
        let map = |r: RegionId| RegionId((r.0 * 37 + by) % 101);
        let renamed = renumbered(&histories, map);
        prop_assert_eq!(
            said(&judged(&renamed, &Facts::new()), |r| r),
            said(&judged(&histories, &Facts::new()), map)
        );
    }

    #[test]
    fn damaged_subjects_give_an_answer(which in 0usize..40, seed in 0u64..1000, length in 1usize..300) {
        let all = subjects();
        let subject = &all[which % all.len()];
        let recordings = subject.record(length, seed);
        let seen = watched(&recordings, &subject.effects(true));
        for histories in [seen, damaged(&exact(&recordings), 20, seed)] {
            prop_assert!(!judged(&histories, &subject.facts(&histories, true)).types.is_empty());
        }
    }
}

fn renumbered(histories: &[History], map: impl Fn(RegionId) -> RegionId) -> Vec<History> {
    let mut all = histories.to_vec();
    for step in all.iter_mut().flat_map(|h| &mut h.steps) {
        if let Step::Visit(visit) = step {
            visit.region = map(visit.region);
        }
    }
    all
}

#[test]
fn region_numbers_tell_nothing_of_real_locks() {
    for subject in subjects() {
        let histories = exact(&subject.record(300, 7));
        let last = subject.program.regions.len() as u32;
        let map = |r: RegionId| RegionId(last - r.0);
        let facts = subject.facts(&histories, true);
        let turned: Facts = facts.iter().map(|(&r, f)| (map(r), f.clone())).collect();
        let renamed = renumbered(&histories, map);
        assert_eq!(
            said(&judged(&renamed, &turned), |r| r),
            said(&judged(&histories, &facts), map),
            "{}",
            subject.name
        );
    }
}
