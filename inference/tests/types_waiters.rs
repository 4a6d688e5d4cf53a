//! What the code could be, and what those who are seen waiting show of it.

use locklens_inference::model::Options;
use locklens_inference::region::RegionId;
use locklens_inference::types::{
    Detail, Evidence, Hypothesis, LockType, RegionFacts, Role, TypeInput, Typing, Unseen, judge,
};
use locklens_inference::visit::{Begin, Finish, History, Mark, Notified, Step, Visit};
use locklens_trace::{Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// Nothing is said of it: nobody is sure of anything.
#[test]
fn nobody_is_sure_of_what_is_unknown() {
    let typing = judged(vec![Vec::new()], &[]);
    assert_eq!(typing.types[0].lock_type, LockType::Unknown, "{typing:?}");
    assert_eq!(typing.types[0].confidence, 0.0, "{typing:?}");
}

/// Eight would meet, says the sandbox; here one thread waits, others end its waits, and no two ever wait at once.
#[test]
fn who_always_waits_alone_meets_nobody() {
    let barrier = |parties| {
        let mut barrier = said(LockType::Barrier, &[(Role::Arrive, 0)], 3.5);
        let parties = Detail::Count(parties);
        barrier.0.details.insert("parties", parties);
        barrier
    };
    let typing = |threads: u32, parties| {
        let round = |n: u64| {
            let all = move || (1..=threads).map(move |t| (t, n * 100 + u64::from(t)));
            let come = all().map(|(t, at)| waits(t, at, None));
            come.chain(all().map(|(t, at)| goes(t, at + 50, false)))
        };
        let seeds = [barrier(parties), condition(1.0)];
        judged(vec![(0..60).flat_map(round).collect()], &seeds)
    };
    let alone = typing(1, 8);
    assert_eq!(alone.types[0].lock_type, LockType::Condition, "{alone:?}");
    assert!(alone.types[0].confidence < 0.9, "{alone:?}");
    for met in [typing(7, 8), typing(1, 2)] {
        assert_eq!(met.types[0].lock_type, LockType::Barrier, "{met:?}");
    }
}

/// All who wait go on together, let go by somebody who never waits there: those who wait tell nobody.
#[test]
fn who_ends_nobody_s_wait_is_no_last_one_of_a_meeting() {
    let typing = |tells: bool| {
        let round = |n: u64| {
            let all = move || (1..=4).map(move |t| (t, n * 100 + u64::from(t)));
            let come = all().map(|(t, at)| waits(t, at, None));
            come.chain(all().map(|(t, at)| goes(t, at + 50, false)))
        };
        let steps: Vec<Step> = (0..60).flat_map(round).collect();
        told(vec![steps], &[condition(1.0)], Some(tells))
    };
    let others = typing(false);
    assert_eq!(others.types[0].lock_type, LockType::Condition, "{others:?}");
    let own = typing(true);
    assert_eq!(own.types[0].lock_type, LockType::Barrier, "{own:?}");
}

/// An event that others set and reset, as which its code was run: that nobody has set it while several waited is no pause that each
/// of them makes.
#[test]
fn several_kept_out_until_their_limit_make_no_pause() {
    let typing = |threads: u32, run: bool| {
        let mut event = condition(4.5);
        let form = Detail::Word("resettable event".to_owned());
        event.0.details.insert("form", form);
        event.1.borne_out = run;
        let delay = said(LockType::Delay, &[(Role::Delay, 0)], 0.5);
        let round = |n: u64| {
            let all = move || (1..=threads).map(move |t| (t, n * 100 + u64::from(t)));
            let come = all().map(|(t, at)| waits(t, at, Some(50)));
            come.chain(all().map(|(t, at)| goes(t, at + 50, true)))
        };
        judged(vec![(0..20).flat_map(round).collect()], &[event, delay])
    };
    let several = typing(4, true);
    let best = &several.types[0];
    assert_eq!(best.lock_type, LockType::Condition, "{several:?}");
    assert!(best.confidence < 0.9, "{several:?}");
    for pause in [typing(1, true), typing(4, false)] {
        assert_eq!(pause.types[0].lock_type, LockType::Delay, "{pause:?}");
    }
}

fn condition(log_odds: f64) -> (Hypothesis, Evidence) {
    let roles = [(Role::Wait, 0), (Role::Notify, 1)];
    said(LockType::Condition, &roles, log_odds)
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

fn judged(objects: Vec<Vec<Step>>, seeds: &[(Hypothesis, Evidence)]) -> Typing {
    told(objects, seeds, None)
}

/// In region 0 threads wait, in region 1 they are told of it; perhaps who waits can tell of it as well, or cannot.
fn told(objects: Vec<Vec<Step>>, seeds: &[(Hypothesis, Evidence)], by_own: Option<bool>) -> Typing {
    let history = |steps| History {
        steps,
        ..History::default()
    };
    let histories: Vec<History> = objects.into_iter().map(history).collect();
    let tells = RegionFacts {
        may_wait: Some(false),
        may_notify: Some(false),
        may_notify_all: Some(true),
        ..RegionFacts::default()
    };
    let waits = by_own.map(|tells| RegionFacts {
        may_wait: Some(true),
        may_notify: Some(false),
        may_notify_all: Some(tells),
        ..RegionFacts::default()
    });
    let mut regions = BTreeMap::new();
    if !seeds.is_empty() {
        regions.insert(RegionId(1), tells);
    }
    regions.extend(waits.map(|facts| (RegionId(0), facts)));
    judge(&TypeInput {
        histories: &histories,
        regions: &regions,
        seeds,
        is_composite: false,
        may_be_shared: false,
        unseen: Unseen::default(),
        is_thread: false,
        options: &Options::default(),
    })
}

/// A thread comes and waits.
fn waits(thread: u32, at: u64, timeout: Option<u64>) -> Step {
    let timeout = timeout.map(Nanos);
    let begin = Begin::Fresh { blocked: false };
    visit(thread, at, begin, Finish::Waits { timeout })
}

/// Its wait is over, and it leaves.
fn goes(thread: u32, at: u64, timed_out: bool) -> Step {
    visit(thread, at, Begin::Resumed { timed_out }, Finish::Left)
}

fn visit(thread: u32, at: u64, begin: Begin, finish: Finish) -> Step {
    Step::Visit(Visit {
        thread: ThreadId(thread),
        region: RegionId(0),
        at: Nanos(at),
        until: Nanos(at),
        begin,
        begin_mark: Mark::Observed,
        finish,
        finish_mark: Mark::Inferred,
        notified: Notified::No,
    })
}
