use super::model::{Diff, SameBy, Status, Verdict};
use super::{Side, diff};
use crate::model::{LogicalLock, Model, RegionReport, Sampled, Stays, Times};
use crate::pressure::course::{Course, Courses};
use crate::pressure::model::Known;
use crate::region::RegionId;
use crate::types::LockType;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Length of an interval of these recordings, ns.
const INTERVAL: u64 = 15_625_000;
/// Threads that run all the time.
const RUNNING: u64 = 4;

fn lock(id: u32, name: &str, regions: &[&str], kind: LockType) -> LogicalLock {
    let region = |(at, method): (u32, &&str)| RegionReport {
        id: RegionId(at),
        class: "app.Store".to_owned(),
        method: (*method).to_owned(),
        descriptor: "()V".to_owned(),
        ordinal: None,
        synchronized: true,
        source: None,
        line: None,
        roles: BTreeSet::new(),
        seen: true,
        blocked: Times::default(),
        waits: Times::default(),
        timed_out: 0,
        supposed: 0,
    };
    LogicalLock {
        id,
        name: name.to_owned(),
        classes: vec!["app.Store".to_owned()],
        concrete: Vec::new(),
        types: vec![crate::model::Verdict {
            lock_type: kind,
            confidence: 0.9,
            details: BTreeMap::new().into_iter().collect(),
            roles: BTreeMap::new(),
            evidence: crate::model::EvidenceReport::default(),
        }],
        runners_up: Vec::new(),
        contradictions: Vec::new(),
        regions: (0..).zip(regions).map(region).collect(),
        unplaced: Stays::default(),
        instances: 1,
        threads: 2,
        locked: None,
        blocked: Times::default(),
        waits: Times::default(),
        timed_out: 0,
        still_waiting: 0,
        still_blocked: 0,
        sampled: None,
        parks: None,
        uses: None,
    }
}

/// A recording: its locks, and of each the time in every interval and how many stays that was.
struct Recorded {
    model: Model,
    courses: Courses,
}

impl Recorded {
    fn of(locks: Vec<(LogicalLock, Vec<u64>, u64)>) -> Self {
        let intervals = locks.first().map_or(0, |(_, times, _)| times.len());
        let courses = locks.iter().map(|(lock, times, stays)| {
            let course = Course {
                known: Known::AtLeast,
                times: times.clone(),
                stays: *stays,
            };
            (lock.id, course)
        });
        Self {
            courses: Courses {
                elapsed: vec![INTERVAL; intervals],
                running: vec![RUNNING * INTERVAL; intervals],
                locks: courses.collect(),
            },
            model: Model {
                locks: locks.into_iter().map(|(lock, ..)| lock).collect(),
                ..Model::default()
            },
        }
    }

    fn side(&self) -> Side<'_> {
        Side {
            model: &self.model,
            courses: &self.courses,
        }
    }

    fn against(&self, other: &Self) -> Diff {
        diff(self.side(), other.side())
    }
}

/// Unrelated numbers below 1,000.
fn noise(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % 1_000
    })
}

/// A lock on which threads are blocked about so long in every interval.
fn busy(id: u32, name: &str, about: u64, seed: u64) -> (LogicalLock, Vec<u64>, u64) {
    let times = noise(seed).take(640).map(|n| about * (500 + n) / 1_000);
    (
        lock(id, name, &[name], LockType::Mutex),
        times.collect(),
        6_400,
    )
}

#[test]
fn what_is_more_than_a_lower_bound_may_be_no_more_than_the_truth() {
    let watched = |about| Recorded::of(vec![busy(1, "Pool", about, 1)]);
    let exact = |about| {
        let mut recorded = watched(about);
        let courses = recorded.courses.locks.values_mut();
        courses.for_each(|course| course.known = Known::Exact);
        recorded
    };
    let verdict = |a: &Recorded, b: &Recorded| a.against(b).locks[0].verdict();
    let (little, much) = (500_000, 1_000_000);
    assert_eq!(
        verdict(&watched(little), &exact(much)),
        Verdict::NotShown,
        "all of it may have been there before"
    );
    assert_eq!(verdict(&exact(much), &watched(little)), Verdict::NotShown);
    assert_eq!(verdict(&watched(much), &exact(little)), Verdict::Less);
    assert_eq!(verdict(&exact(little), &watched(much)), Verdict::More);
    assert_eq!(verdict(&exact(little), &exact(much)), Verdict::More);
}

#[test]
fn twice_as_much_is_more_and_the_same_is_not() {
    let a = Recorded::of(vec![
        busy(1, "Pool", 1_000_000, 1),
        busy(2, "Log", 500_000, 2),
    ]);
    let b = Recorded::of(vec![
        busy(1, "Log", 500_000, 3),
        busy(2, "Pool", 2_000_000, 4),
    ]);
    let diff = a.against(&b);
    let told: Vec<_> = diff.locks.iter().map(|l| (l.name(), l.verdict())).collect();
    assert_eq!(told, [("Pool", Verdict::More), ("Log", Verdict::NotShown)]);
    let pool = &diff.locks[0].blocked;
    assert!((pool.a.value / 64e6 - 1.0).abs() < 0.05, "{pool:?}");
    assert!(pool.a.low.unwrap() < pool.a.value && pool.a.value < pool.a.high.unwrap());
    assert!(pool.a.high.unwrap() < pool.b.low.unwrap());
    let share = diff.locks[0].pressure.b.value;
    assert!((share - 2_000_000.0 / (4.0 * 15_625_000.0)).abs() < 0.002);
}

#[test]
fn one_long_stay_is_no_difference_however_long() {
    let still = (lock(1, "Pool", &["put"], LockType::Mutex), vec![0; 640], 0);
    let stuck = (
        lock(1, "Pool", &["put"], LockType::Mutex),
        vec![INTERVAL; 640],
        1,
    );
    let diff = Recorded::of(vec![still]).against(&Recorded::of(vec![stuck]));
    assert_eq!(diff.locks[0].verdict(), Verdict::NotShown);
    assert!((diff.locks[0].blocked.b.value - 1e9).abs() < 1.0);
}

/// Stays of 20 ms, one in six seconds: of a recording of six seconds nobody knows that there would be none.
#[test]
fn what_is_seldom_is_not_gone_from_a_recording_that_is_too_short_for_it() {
    let seldom = |seconds: u64, each: Option<u64>| {
        let intervals = seconds * 1_000_000_000 / INTERVAL;
        let is_stay =
            |at: u64| each.is_some_and(|each| noise(at + 1).next().unwrap().is_multiple_of(each));
        let times: Vec<u64> = (0..intervals)
            .map(|at| u64::from(is_stay(at)) * 20_000_000)
            .collect();
        let stays = times.iter().filter(|&&time| time > 0).count() as u64;
        Recorded::of(vec![(
            lock(1, "Rare.lock", &["take"], LockType::Mutex),
            times,
            stays,
        )])
    };
    let often = seldom(120, Some(384));
    let verdict = |diff: Diff| diff.locks[0].blocked.verdict;
    assert_eq!(verdict(often.against(&seldom(6, None))), Verdict::NotShown);
    assert_eq!(verdict(often.against(&seldom(120, None))), Verdict::Less);
    assert_eq!(verdict(seldom(120, None).against(&often)), Verdict::More);
}

#[test]
fn a_single_burst_is_no_difference() {
    let mut times = vec![0; 640];
    times[100..130].fill(INTERVAL);
    let burst = (lock(1, "Pool", &["put"], LockType::Mutex), times, 900);
    let still = (lock(1, "Pool", &["put"], LockType::Mutex), vec![0; 640], 0);
    let diff = Recorded::of(vec![burst]).against(&Recorded::of(vec![still]));
    assert_eq!(diff.locks[0].verdict(), Verdict::NotShown);
}

#[test]
fn of_what_never_was_no_interval_is_known() {
    let a = Recorded::of(vec![busy(1, "Pool", 1_000_000, 1)]);
    let b = Recorded::of(vec![busy(1, "Log", 1_000_000, 1)]);
    let diff = a.against(&b);
    let pool = diff.locks.iter().find(|l| l.name() == "Pool").unwrap();
    assert_eq!(
        (pool.status(), pool.verdict()),
        (Status::Gone, Verdict::Less)
    );
    assert_eq!((pool.blocked.b.low, pool.blocked.b.high), (None, None));
    let log = diff.locks.iter().find(|l| l.name() == "Log").unwrap();
    assert_eq!((log.status(), log.verdict()), (Status::New, Verdict::More));
}

#[test]
fn a_lock_of_another_name_is_known_by_its_code() {
    let named = |name: &str, regions: &[&str], kind| {
        Recorded::of(vec![(lock(1, name, regions, kind), vec![1; 640], 9)])
    };
    let a = named("Store", &["put", "take", "size"], LockType::Mutex);
    let b = named(
        "Store in app.Store.put()V",
        &["put", "take"],
        LockType::Semaphore,
    );
    let diff = a.against(&b);
    assert_eq!(diff.locks.len(), 1);
    assert!(diff.locks[0].same_by == SameBy::Regions && diff.locks[0].is_of_other_type());
    let c = named("Store (2)", &["clear"], LockType::Mutex);
    assert_eq!(a.against(&c).locks.len(), 2, "they have no code in common");
    let numbered = named("Store (2)", &["put"], LockType::Mutex);
    assert_eq!(c.against(&numbered).locks.len(), 2, "a number is no name");
}

/// Looks took no call chain of it in B.
#[test]
fn a_lock_without_a_place_is_the_one_left_of_its_class() {
    let looked_at = |name: &str, regions: &[&str]| LogicalLock {
        sampled: Some(Sampled::default()),
        ..lock(1, name, regions, LockType::Lock)
    };
    let recorded = |locks: Vec<LogicalLock>| {
        let locks = locks.into_iter().map(|lock| (lock, vec![1; 640], 9));
        Recorded::of(locks.collect())
    };
    let nowhere = recorded(vec![looked_at("ReentrantLock", &[])]);
    let one = recorded(vec![looked_at("ReentrantLock in app.Store.put", &["put"])]);
    let diff = one.against(&nowhere);
    assert_eq!(
        (diff.locks.len(), diff.locks[0].same_by),
        (1, SameBy::Class)
    );
    assert_eq!(diff.unclear, [""; 0]);
    let two = recorded(vec![
        looked_at("ReentrantLock in app.Store.put", &["put"]),
        looked_at("ReentrantLock in app.Store.get", &["get"]),
    ]);
    let diff = two.against(&nowhere);
    assert_eq!((diff.locks.len(), diff.unclear.len()), (3, 1));
    let named = recorded(vec![looked_at("ReentrantLock in app.Store.all", &["all"])]);
    let diff = one.against(&named);
    assert_eq!(
        (diff.locks.len(), diff.unclear.len()),
        (2, 0),
        "their places differ"
    );
}

#[test]
fn a_recording_too_short_for_batches_shows_nothing() {
    let short = |ns| {
        Recorded::of(vec![(
            lock(1, "Pool", &["put"], LockType::Mutex),
            vec![ns; 5],
            500,
        )])
    };
    let diff = short(10).against(&short(1_000));
    assert_eq!(diff.locks[0].verdict(), Verdict::NotShown);
    assert_eq!(diff.locks[0].blocked.difference.low, None);
}

/// Of many locks that are alike in either recording few may be called different: none in 19 of 20 comparisons.
#[test]
fn many_locks_that_are_alike_stay_alike() {
    let recorded = |seed: u64| {
        let locks = (1..=50).map(|id| {
            // Bursts of any length, as threads that queue up make them.
            let mut left = 0;
            let mut chance = noise(seed * 1_000 + u64::from(id));
            let times = (0..640).map(|_| {
                let n = chance.next().unwrap_or(0);
                left = if n < 30 { n * 2 } else { left };
                left -= u64::from(left > 0);
                if left > 0 { 10_000 * n } else { 0 }
            });
            let times: Vec<u64> = times.collect();
            (
                lock(id, &format!("Lock{id}"), &["put"], LockType::Mutex),
                times,
                5_000,
            )
        });
        Recorded::of(locks.collect())
    };
    let wrong = (0..40).filter(|pair| {
        let diff = recorded(2 * pair + 1).against(&recorded(2 * pair + 2));
        diff.locks
            .iter()
            .any(|lock| lock.verdict() != Verdict::NotShown)
    });
    let wrong = wrong.count();
    assert!(wrong <= 4, "{wrong} of 40");
}

fn recording() -> impl Strategy<Value = Vec<(u32, LockType, Vec<u64>, u64)>> {
    let kind = prop_oneof![
        Just(LockType::Mutex),
        Just(LockType::Semaphore),
        Just(LockType::Unknown)
    ];
    let times = prop::collection::vec(prop_oneof![Just(0), 0..INTERVAL], 64);
    prop::collection::vec((0u32..6, kind, times, 0u64..1_000), 0..5)
}

fn made(of: &[(u32, LockType, Vec<u64>, u64)]) -> Recorded {
    let mut names = BTreeSet::new();
    let new = of.iter().filter(|(name, ..)| names.insert(*name));
    let methods = ["put", "take", "size", "clear", "add", "drop"];
    let locks = (1..).zip(new).map(|(id, (name, kind, times, stays))| {
        let region = [methods[*name as usize], methods[(*name as usize + 1) % 6]];
        // Some names have a number, and so are known by their code only.
        let name = match name % 2 {
            0 => format!("Lock{name}"),
            _ => format!("Lock ({name})"),
        };
        (lock(id, &name, &region, *kind), times.clone(), *stays)
    });
    Recorded::of(locks.collect())
}

fn mirrored(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::More => Verdict::Less,
        Verdict::Less => Verdict::More,
        same => same,
    }
}

proptest! {
    #[test]
    fn what_is_the_same_never_differs(one in recording()) {
        let one = made(&one);
        for lock in one.against(&one).locks {
            prop_assert_eq!(lock.status(), Status::Both);
            prop_assert_eq!(lock.verdict(), Verdict::NotShown);
            prop_assert!(!lock.is_of_other_type());
            prop_assert_eq!(lock.blocked.difference.value, 0.0);
        }
    }

    #[test]
    fn the_other_way_round_it_is_mirrored(a in recording(), b in recording()) {
        let (a, b) = (made(&a), made(&b));
        let (there, back) = (a.against(&b), b.against(&a));
        prop_assert_eq!(there.locks.len(), back.locks.len());
        for (one, other) in there.locks.iter().zip(&back.locks) {
            prop_assert_eq!(&one.a, &other.b);
            prop_assert_eq!(&one.b, &other.a);
            prop_assert_eq!(one.verdict(), mirrored(other.verdict()));
            prop_assert_eq!(one.blocked.a, other.blocked.b);
            prop_assert!((one.blocked.adjusted - other.blocked.adjusted).abs() < 1e-9);
            prop_assert_eq!(one.is_of_other_type(), other.is_of_other_type());
        }
    }

    #[test]
    fn intervals_contain_what_was_measured(a in recording(), b in recording()) {
        let (a, b) = (made(&a), made(&b));
        for lock in a.against(&b).locks {
            for figure in [lock.blocked, lock.pressure] {
                for of in [figure.a, figure.b, figure.difference] {
                    prop_assert!(of.value.is_finite());
                    prop_assert!(of.low.is_none_or(|low| low <= of.value));
                    prop_assert!(of.high.is_none_or(|high| of.value <= high));
                }
                prop_assert!((0.0..=1.0).contains(&figure.adjusted));
            }
        }
    }
}
