//! The places told are those at which a finding holds.

use super::finding::{Kind, LockName, Names, Part, Report, Tier};
use super::schedule::{Kit, random, stand, step};
use super::step::{Lock, Mode, Op, Site, Step, Thread};
use super::tests::{Numbers, analysed, of_text, told};
use crate::nesting::graph::ThreadName;
use proptest::prelude::*;

/// Names that are numbers, places, too; of those from here on it is known who called.
struct Places;

const CALLED: u32 = 1_000;

impl Names for Places {
    fn thread(&self, thread: Thread) -> ThreadName {
        Numbers.thread(thread)
    }

    fn lock(&self, lock: Lock) -> LockName {
        Numbers.lock(lock)
    }

    fn chain(&self, site: Site) -> Vec<String> {
        let caller = (site.0 >= CALLED).then(|| format!("from {}", site.0 / CALLED));
        [(site.0 % CALLED).to_string()]
            .into_iter()
            .chain(caller)
            .collect()
    }
}

/// Each step at a place of its own.
fn placed(trace: Vec<Step>) -> Vec<Step> {
    let sites = (0..).map(Site);
    let steps = trace.into_iter().zip(sites);
    steps
        .map(|(step, site)| Step {
            site: Some(site),
            ..step
        })
        .collect()
}

/// Each way in which its threads can stand, as it is told.
fn ways(edges: &[Part]) -> Vec<Vec<(usize, usize)>> {
    let of = |part: &Part, at: &[String]| {
        let thread = part.thread.name.parse().unwrap();
        (thread, at[0].parse().unwrap())
    };
    let told: Vec<(usize, usize)> = edges.iter().map(|e| of(e, &e.wants_at)).collect();
    let mut all = vec![told.clone()];
    for (at, edge) in edges.iter().enumerate() {
        for also in &edge.also_at {
            let mut way = told.clone();
            way[at] = of(edge, &also.wants_at);
            all.push(way);
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn threads_can_stand_where_they_are_told_to(
        seed in any::<u64>(), steps in 8usize..24, memory in any::<bool>(),
    ) {
        let trace = placed(random(seed, steps, Kit::small(memory)));
        let report = analysed(&trace, &Places);
        let orders = report.findings.iter().filter(|f| f.kind == Kind::Order);
        for finding in orders.filter(|f| matches!(f.tier, Tier::T1 | Tier::T3)) {
            let told_at = &ways(&finding.edges)[0];
            let keep = stand(&trace, true, told_at);
            prop_assert!(keep, "{:?} {}", told_at, told(&trace));
        }
    }
}

fn edge<'r>(report: &'r Report, thread: &str) -> &'r Part {
    let mut edges = report.findings[0].edges.iter();
    edges.find(|edge| edge.thread.name == thread).unwrap()
}

/// What T0 does before it starts T1, which takes the same locks the other way round, beside it, and when it has ended.
const SEVERAL: &str = "\
T0|acq(a)|1\nT0|acq(b)|2\nT0|rel(b)|3\nT0|rel(a)|4\nT0|fork(T1)|5
T0|acq(a)|6\nT0|acq(b)|7\nT0|rel(b)|8\nT0|rel(a)|9
T1|acq(b)|10\nT1|acq(a)|11\nT1|rel(a)|12\nT1|rel(b)|13
T0|join(T1)|14
T0|acq(a)|15\nT0|acq(b)|16\nT0|rel(b)|17\nT0|rel(a)|18";

#[test]
fn what_start_and_join_keep_apart_is_not_told() {
    for (trace, tier) in [
        (SEVERAL.to_owned(), Tier::T3),
        (format!("{SEVERAL}\nT0|w(x)|19"), Tier::T1),
    ] {
        let report = of_text(&trace);
        let main = edge(&report, "T0");
        assert_eq!(report.findings[0].tier, tier);
        assert_eq!(
            (&main.holds_at[0], &main.wants_at[0]),
            (&"6".into(), &"7".into())
        );
        assert_eq!((main.count, main.also_at.len()), (1, 0));
    }
}

#[test]
fn other_places_at_which_it_can_be_are_told_as_such() {
    let beside = "T0|rel(a)|9\nT0|acq(a)|26\nT0|acq(b)|27\nT0|rel(b)|28\nT0|rel(a)|29\n";
    let report = of_text(&SEVERAL.replace("T0|rel(a)|9\n", beside));
    let main = edge(&report, "T0");
    assert_eq!(
        (&main.holds_at[0], &main.wants_at[0]),
        (&"6".into(), &"7".into())
    );
    let also: Vec<_> = main
        .also_at
        .iter()
        .map(|a| (&*a.holds_at[0], &*a.wants_at[0]))
        .collect();
    assert_eq!(also, [("26", "27")]);
}

#[test]
fn who_notifies_no_more_is_not_on_its_way_to_that() {
    let trace = "\
M|acq(C)|1\nM|acq(A)|2\nM|notify(A)|3\nM|rel(A)|4\nM|rel(C)|5\nM|fork(T1)|6
M|acq(C)|7\nM|rel(C)|8\nT1|acq(C)|9\nT1|acq(A)|10\nT1|wait(A)|11";
    let found = |trace: &str| {
        let report = of_text(trace);
        let nested = report
            .findings
            .iter()
            .filter(|f| f.kind == Kind::NestedWait);
        let at = nested.map(|f| {
            (
                f.tier,
                f.edges.iter().map(|e| e.wants_at[0].clone()).collect(),
            )
        });
        at.collect::<Vec<(Tier, Vec<String>)>>()
    };
    assert_eq!(found(trace), []);
    let again = "\nM|acq(A)|12\nM|notify(A)|13\nM|rel(A)|14";
    let told = vec!["11".to_owned(), "7".to_owned()];
    assert_eq!(found(&(trace.to_owned() + again)), [(Tier::T3, told)]);
}

#[test]
fn who_joins_is_kept_waiting_by_what_comes_after_the_notify_that_let_him_come() {
    let trace = "\
M|acq(A)|1\nM|fork(T1)|2\nM|wait(A)|3
T1|acq(B)|4\nT1|acq(A)|5\nT1|notify(A)|6\nT1|rel(A)|7\nT1|acq(A)|8\nT1|rel(A)|9\nT1|rel(B)|10
M|join(T1)|11\nM|rel(A)|12";
    let report = of_text(trace);
    assert_eq!(report.findings[0].kind, Kind::Join);
    assert_eq!(edge(&report, "T1").wants_at, ["8"]);
}

/// T0 takes the second lock inside the first, by waiting for it or by trying, at a place of its own.
fn inside(tries: bool, site: u32) -> Vec<Step> {
    let mode = Mode::Exclusive;
    let request = Op::Request {
        lock: Lock(1),
        mode,
        timed: tries,
    };
    let taken = [0, 1].map(|lock| Op::Acquire {
        lock: Lock(lock),
        mode,
    });
    let left = [1, 0].map(|lock| Op::Release(Lock(lock)));
    let ops = [taken[0], request, taken[1], left[0], left[1]];
    let at_its_place = |op| Step {
        site: Some(Site(site)),
        ..step(0, op)
    };
    ops.map(at_its_place).to_vec()
}

/// T1 takes them the other way round, between what T0 does first and what it does then; it comes to know of the second by the first.
fn tried(first: bool, then: &[bool]) -> Report {
    let mode = Mode::Exclusive;
    let other = [1, 0].map(|lock| Op::Acquire {
        lock: Lock(lock),
        mode,
    });
    let left = [0, 1].map(|lock| Op::Release(Lock(lock)));
    let mut trace = inside(first, 10);
    let told = [other[1], left[0]];
    let ops = told.into_iter().chain(other).chain(left);
    trace.extend(ops.map(|op| step(1, op)));
    for (site, &tries) in (11..).zip(then) {
        trace.extend(inside(tries, site));
    }
    analysed(&trace, &Places)
}

#[test]
fn what_has_no_call_chain_is_told_as_what_has_one_if_there_is_one() {
    let other = |trace: &mut Vec<Step>| {
        let mode = Mode::Exclusive;
        let taken = [1, 0].map(|lock| Op::Acquire {
            lock: Lock(lock),
            mode,
        });
        let ops = taken
            .into_iter()
            .chain([0, 1].map(|lock| Op::Release(Lock(lock))));
        trace.extend(ops.map(|op| step(1, op)));
    };
    let told = |sites: &[u32]| {
        let mut trace = Vec::new();
        sites
            .iter()
            .for_each(|&site| trace.extend(inside(false, site)));
        other(&mut trace);
        let report = analysed(&trace, &Places);
        let own = edge(&report, "0");
        (own.wants_at.len(), own.also_at.len(), own.count)
    };
    assert_eq!(told(&[10, 1_010, 10]), (2, 0, 3));
    assert_eq!(told(&[1_010, 10, 11]), (2, 1, 2), "elsewhere");
    // Who called the second time is not known.
    assert_eq!(told(&[1_010, 10, 2_010]), (2, 1, 1));
    assert_eq!(told(&[10, 10]), (1, 0, 2));
}

#[test]
fn who_tries_is_told_apart_from_who_waits_for_ever() {
    let told = |report: &Report| {
        let finding = &report.findings[0];
        let own = edge(report, "0");
        assert_eq!(report.findings.len(), 1);
        assert_eq!((finding.stall, own.timed), (own.timed, finding.stall));
        (finding.tier, own.timed, own.wants_at[0].clone(), own.count)
    };
    let at = |site: u32| site.to_string();
    // Nobody can have the lock yet when it waits for it: that it can try later proves nothing of this.
    let report = tried(false, &[true, true]);
    assert_eq!(told(&report), (Tier::T4, false, at(10), 1));
    let report = tried(true, &[false, true]);
    assert_eq!(told(&report), (Tier::T3, false, at(11), 1));
    let report = tried(true, &[true, true]);
    assert_eq!(told(&report), (Tier::T3, true, at(11), 1));
}
