//! What complete histories say besides the type: counts, who ends whose waits, and clocks.

use locklens_inference::model::Options;
use locklens_inference::region::RegionId;
use locklens_inference::types::{
    Detail, Evidence, Hypothesis, LockType, Role, TypeInput, Typing, Unseen, judge,
};
use locklens_inference::visit::{Begin, Finish, History, Mark, Notified, Step, Visit};
use locklens_trace::{Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

const TAKE: u32 = 0;
const GIVE: u32 = 1;
const WHOLE: u32 = 2;

/// A history in the making.
#[derive(Default)]
struct Run {
    steps: Vec<Step>,
    at: u64,
    waiting: BTreeSet<u32>,
}

impl Run {
    /// A thread comes to a region, or comes back, and waits or leaves.
    fn visit(&mut self, thread: u32, region: u32, waits: bool, notified: Notified) {
        self.at += 1_000;
        let again = self.waiting.remove(&thread);
        if waits {
            self.waiting.insert(thread);
        }
        self.steps.push(Step::Visit(Visit {
            thread: ThreadId(thread),
            region: RegionId(region),
            at: Nanos(self.at),
            until: Nanos(self.at),
            begin: match again {
                true => Begin::Resumed { timed_out: false },
                false => Begin::Fresh { blocked: false },
            },
            begin_mark: Mark::Observed,
            finish: match waits {
                true => Finish::Waits { timeout: None },
                false => Finish::Left,
            },
            finish_mark: Mark::Observed,
            notified,
        }));
    }

    fn history(self) -> History {
        History {
            steps: self.steps,
            complete: true,
            ..History::default()
        }
    }
}

fn typing(histories: &[History]) -> Typing {
    typing_told(histories, &[])
}

fn typing_told(histories: &[History], seeds: &[(Hypothesis, Evidence)]) -> Typing {
    judge(&TypeInput {
        histories,
        regions: &BTreeMap::new(),
        seeds,
        is_composite: false,
        may_be_shared: false,
        unseen: Unseen::default(),
        is_thread: false,
        options: &Options::default(),
    })
}

const ALL: Notified = Notified::All(Mark::Observed);

#[test]
fn waits_that_are_interrupted_long_before_their_time_are_no_delay() {
    let ended = |begin: Begin| {
        let mut run = Run::default();
        for thread in (0..4).cycle().take(80) {
            run.visit(thread, TAKE, true, Notified::No);
            run.visit(thread, TAKE, false, Notified::No);
        }
        let mut history = run.history();
        for step in &mut history.steps {
            let Step::Visit(visit) = step else { continue };
            if visit.finish == (Finish::Waits { timeout: None }) {
                let timeout = Some(Nanos(5_000_000));
                visit.finish = Finish::Waits { timeout };
            } else {
                visit.begin = begin;
            }
        }
        typing(&[history])
    };
    let is_delay = |typing: &Typing| {
        let mut types = typing.types.iter();
        types.any(|found| found.lock_type == LockType::Delay)
    };
    assert!(is_delay(&ended(Begin::Resumed { timed_out: true })));
    assert!(!is_delay(&ended(Begin::Interrupted)));
}

/// The code says that whoever polls there waits to be told to stop. As long as nobody stops them, they nap.
#[test]
fn a_latch_that_stays_shut_while_those_who_wait_sleep_on_is_a_delay() {
    let latch = Hypothesis {
        lock_type: LockType::Latch,
        roles: [(Role::Await, TAKE), (Role::CountDown, GIVE)]
            .map(|(role, region)| (role, BTreeSet::from([RegionId(region)])))
            .into(),
        details: BTreeMap::new(),
    };
    let evidence = Evidence {
        log_odds: 10.0,
        borne_out: true,
        ..Evidence::default()
    };
    let slept = |timed_out: bool| {
        let mut run = Run::default();
        for _ in 0..80 {
            run.visit(0, TAKE, true, Notified::No);
        }
        let mut history = run.history();
        for step in &mut history.steps {
            let Step::Visit(visit) = step else { continue };
            let timeout = Some(Nanos(5_000_000));
            visit.finish = Finish::Waits { timeout };
            if visit.begin != (Begin::Fresh { blocked: false }) {
                visit.begin = Begin::Resumed { timed_out };
            }
        }
        typing_told(&[history], &[(latch.clone(), evidence.clone())])
    };
    let napped = slept(true);
    assert_eq!(napped.types[0].lock_type, LockType::Delay, "{napped:?}");
    let woken = slept(false);
    assert_ne!(woken.types[0].lock_type, LockType::Delay, "{woken:?}");
}

#[test]
fn the_only_count_down_that_tells_is_the_last() {
    let object = |silent: u32| {
        let mut run = Run::default();
        run.visit(9, TAKE, true, Notified::No);
        run.visit(8, TAKE, true, Notified::No);
        for thread in 0..silent {
            run.visit(thread, GIVE, false, Notified::No);
        }
        run.visit(silent, GIVE, false, ALL);
        run.visit(8, TAKE, false, Notified::No);
        run.visit(9, TAKE, false, Notified::No);
        run.history()
    };
    for silent in [1, 3] {
        let histories: Vec<History> = (0..6).map(|_| object(silent)).collect();
        let typing = typing(&histories);
        let best = &typing.types[0];
        assert_eq!(best.lock_type, LockType::Latch, "{typing:?}");
        let count = Detail::Count(u64::from(silent) + 1);
        assert_eq!(best.details.get("count"), Some(&count), "{typing:?}");
    }
}

/// Takers that come one after the other, and a giver whose ticks are so far apart.
fn metered(tick: impl Fn(u64) -> u64) -> Typing {
    let mut run = Run::default();
    for round in 0..200u64 {
        let taker = 1 + (round % 3) as u32;
        run.visit(taker, TAKE, true, Notified::No);
        run.at += tick(round);
        run.visit(9, GIVE, false, Notified::One(Mark::Observed));
        run.visit(taker, TAKE, false, Notified::No);
        if round % 5 == 0 {
            run.visit(9, GIVE, false, Notified::One(Mark::Observed));
            run.visit(taker, TAKE, false, Notified::No);
        }
    }
    typing(&[run.history()])
}

#[test]
fn what_a_clock_pours_in_are_permits() {
    let clock = metered(|round| 10_000_000 + round % 7 * 100_000);
    assert_eq!(clock.types[0].lock_type, LockType::Semaphore, "{clock:?}");
    let form = Detail::Word("rate limiter".to_owned());
    assert_eq!(clock.types[0].details.get("form"), Some(&form), "{clock:?}");
    let work = metered(|round| 1_000_000 * (1 + round * 7 % 23));
    assert_eq!(
        work.types[0].lock_type,
        LockType::ProducerConsumer,
        "{work:?}"
    );
}

/// Some of those who have come are gone, and others not yet: what is waited for is counted.
#[test]
fn who_waits_until_all_are_gone_waits_for_a_group() {
    let mut run = Run::default();
    for round in 0..120u32 {
        let come = 1 + round % 3;
        run.visit(7, WHOLE, false, Notified::No);
        for guest in 1..=come {
            run.visit(guest, TAKE, false, Notified::No);
        }
        for guest in 2..=come {
            run.visit(guest, GIVE, false, Notified::No);
        }
        run.visit(7, WHOLE, true, Notified::No);
        run.visit(1, GIVE, false, ALL);
        run.visit(7, WHOLE, false, Notified::No);
    }
    let typing = typing(&[run.history()]);
    let best = &typing.types[0];
    assert_eq!(best.lock_type, LockType::Condition, "{typing:?}");
    let form = Detail::Word("wait group".to_owned());
    assert_eq!(best.details.get("form"), Some(&form), "{typing:?}");
}

#[test]
fn who_gives_back_ends_the_wait_for_the_whole_in_passing() {
    let mut run = Run::default();
    for round in 0..120u32 {
        // Two permits; somebody waits until both are there.
        run.visit(1, TAKE, false, Notified::No);
        run.visit(2, TAKE, false, Notified::No);
        run.visit(3, TAKE, true, Notified::No);
        run.visit(7, WHOLE, true, Notified::No);
        run.visit(1, GIVE, false, ALL);
        run.visit(3, TAKE, false, Notified::No);
        run.visit(7, WHOLE, true, Notified::No);
        run.visit(2, GIVE, false, ALL);
        run.visit(7, WHOLE, true, Notified::No);
        run.visit(3, GIVE, false, ALL);
        run.visit(7, WHOLE, false, Notified::No);
        if round % 3 == 0 {
            run.visit(7, WHOLE, false, Notified::No);
        }
    }
    let typing = typing(&[run.history()]);
    let types: BTreeSet<LockType> = typing.types.iter().map(|v| v.lock_type).collect();
    let both = BTreeSet::from([LockType::Semaphore, LockType::Condition]);
    assert_eq!(types, both, "{typing:?}");
    let condition = typing
        .types
        .iter()
        .find(|v| v.lock_type == LockType::Condition);
    let notify = condition.and_then(|v| v.roles.get(&Role::Notify));
    assert_eq!(
        notify,
        Some(&BTreeSet::from([RegionId(GIVE)])),
        "{typing:?}"
    );
}

/// One at a time, by code that was run and lets in one: the threads of `by` give back what 1 to 3 take in turn.
fn handed_on(by: impl Fn(u32) -> u32) -> Typing {
    let mut run = Run::default();
    for round in 0..200u32 {
        let (taker, next) = (1 + round % 3, 1 + (round + 1) % 3);
        if round == 0 {
            run.visit(taker, TAKE, false, Notified::No);
        }
        run.visit(next, TAKE, true, Notified::No);
        run.visit(by(taker), GIVE, false, Notified::One(Mark::Observed));
        run.visit(next, TAKE, false, Notified::No);
    }
    let region = |id| BTreeSet::from([RegionId(id)]);
    let lock = Hypothesis {
        lock_type: LockType::Lock,
        roles: BTreeMap::from([(Role::Lock, region(TAKE)), (Role::Unlock, region(GIVE))]),
        details: BTreeMap::new(),
    };
    let evidence = Evidence {
        log_odds: 7.0,
        borne_out: true,
        understood: true,
        ..Evidence::default()
    };
    typing_told(&[run.history()], &[(lock, evidence)])
}

#[test]
fn what_others_give_back_is_a_permit_whatever_its_code_looks_like() {
    let own = handed_on(|taker| taker);
    assert_eq!(own.types[0].lock_type, LockType::Lock, "{own:?}");
    for by in [|_| 9, |taker: u32| if taker == 2 { 9 } else { taker }] {
        let handed = handed_on(by);
        let first = &handed.types[0];
        assert_eq!(first.lock_type, LockType::Semaphore, "{handed:?}");
        let permits = first.details.get("permits");
        assert_eq!(permits, Some(&Detail::Count(1)), "{handed:?}");
        let roles: Vec<Role> = first.roles.keys().copied().collect();
        assert_eq!(roles, [Role::Acquire, Role::Release], "{handed:?}");
    }
}

/// A pipe of 50 bytes into which as much goes as there is room for, part by part. Steps take each part for one thing, and so may
/// find the two ends the wrong way round; the code was run, and says which is which.
#[test]
fn steps_that_often_go_otherwise_do_not_turn_a_queue_round() {
    let region = |id| BTreeSet::from([RegionId(id)]);
    let queue = Hypothesis {
        lock_type: LockType::ProducerConsumer,
        roles: BTreeMap::from([(Role::Put, region(GIVE)), (Role::Take, region(TAKE))]),
        details: BTreeMap::from([("capacity", Detail::Count(50))]),
    };
    let evidence = Evidence {
        log_odds: 3.5,
        borne_out: true,
        ..Evidence::default()
    };
    let typing = typing_told(&[piped(3_000)], &[(queue.clone(), evidence)]);
    let best = &typing.types[0];
    assert_eq!(best.lock_type, LockType::ProducerConsumer, "{typing:?}");
    assert_eq!(best.roles, queue.roles, "{typing:?}");
    assert_eq!(best.details, queue.details, "{typing:?}");
    assert!(best.confidence < 0.9, "{typing:?}");
}

/// One who writes up to 90 bytes at a time, and one who reads up to 40.
fn piped(steps: u32) -> History {
    let mut run = Run::default();
    let (mut there, mut left, mut seed) = (0u32, 0u32, 7u32);
    let mut waits = [false; 2];
    for _ in 0..steps {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (dice, size) = (seed >> 16, seed >> 20);
        let writes = waits[1] || !waits[0] && dice % 2 == 0;
        let was = [there == 50, there == 0];
        if writes {
            left = if left == 0 { 1 + size % 90 } else { left };
            let part = left.min(50 - there);
            (there, left) = (there + part, left - part);
        } else {
            there -= there.min(1 + size % 40);
        }
        let (me, region, shut) = if writes {
            (0, GIVE, was[0])
        } else {
            (1, TAKE, was[1])
        };
        waits[me] = shut;
        if !shut {
            waits[1 - me] = false;
        }
        let told = if shut { Notified::No } else { ALL };
        run.visit(me as u32, region, shut, told);
    }
    run.history()
}

/// Workers that somebody lets pause now and then: most who come pass, as with a latch that is open, but it shuts again.
#[test]
fn what_shuts_again_and_again_is_no_latch() {
    let mut run = Run::default();
    for _ in 0..60 {
        for thread in 1..=4 {
            run.visit(thread, TAKE, true, Notified::No);
        }
        run.visit(9, GIVE, false, ALL);
        for thread in 1..=4 {
            for _ in 0..12 {
                run.visit(thread, TAKE, false, Notified::No);
            }
        }
    }
    let region = |id| BTreeSet::from([RegionId(id)]);
    let latch = Hypothesis {
        lock_type: LockType::Latch,
        roles: BTreeMap::from([(Role::Await, region(TAKE)), (Role::CountDown, region(GIVE))]),
        details: BTreeMap::new(),
    };
    let evidence = Evidence {
        log_odds: 3.5,
        ..Evidence::default()
    };
    let typing = typing_told(&[run.history()], &[(latch, evidence)]);
    assert_ne!(typing.types[0].lock_type, LockType::Latch, "{typing:?}");
}
