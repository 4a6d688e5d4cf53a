//! Objects of several runs.

use super::*;
use crate::nesting::graph::ThreadName;

/// One object that a name stands for.
fn known(name: &str, object: &str) -> Known {
    Known {
        lock: Resource {
            name: name.to_owned(),
            id: String::new(),
            types: String::new(),
            mode: Mode::Exclusive.name(),
            what: What::Lock,
            object: Some(object.to_owned()),
        },
        alone: true,
        at: Vec::new(),
        taken: Taken::new(),
    }
}

fn nesting(thread: &str, holds: Known, wants: Known) -> Nesting {
    Nesting {
        elsewhere: false,
        stable: thread.to_owned(),
        holds: vec![holds],
        wants,
        span: None,
        part: Part::wanting(
            ThreadName {
                name: thread.to_owned(),
                tid: None,
            },
            Vec::new(),
        ),
    }
}

/// The same, with where it was.
fn at(place: &str, thread: &str, (holds, wants): (&str, &str)) -> Nesting {
    let mut nesting = nesting(thread, known(holds, "1"), known(wants, "2"));
    nesting.part.wants_at = vec![place.to_owned()];
    nesting
}

/// The same, with a gate around it.
fn within(gate: &str, mut nesting: Nesting) -> Nesting {
    nesting.holds.insert(0, known(gate, "3"));
    nesting
}

fn run(nestings: &[Nesting]) -> Run {
    Run {
        nestings: nestings.to_vec(),
        ..Run::default()
    }
}

/// The same where the cycle of both has shown to be none, or is doubted.
fn run_with(nestings: &[Nesting], told: impl FnOnce(&mut Report, Finding)) -> Run {
    let mut run = run(nestings);
    let cycle = found_in(&[
        &nesting("one", known("A", "1"), known("B", "2")),
        &nesting("two", known("B", "2"), known("A", "1")),
    ]);
    told(&mut run.report, cycle);
    run
}

fn excludes(report: &mut Report, cycle: Finding) {
    report.excluded.push(Excluded {
        id: cycle.named(),
        locks: vec!["A".to_owned(), "B".to_owned()],
        reasons: vec!["held around all of it: G".to_owned()],
    });
}

fn doubts(report: &mut Report, cycle: Finding) {
    report.findings.push(Finding {
        tier: Tier::T5,
        ..cycle
    });
}

fn found_in(nestings: &[&Nesting]) -> Finding {
    let chosen: Vec<_> = (0..)
        .zip(nestings)
        .map(|(run, nesting)| FromRun {
            run,
            nesting,
            place: run as u32,
        })
        .collect();
    let apart = Apart::of(&[]);
    finding(&apart, &chosen, false).unwrap()
}

fn tiers(runs: &[Run]) -> Vec<Tier> {
    merged(runs.to_vec())
        .findings
        .iter()
        .map(|found| found.tier)
        .collect()
}

#[test]
fn the_gate_of_one_run_is_none_of_another() {
    let one = within("G", at("App.one:1", "T1", ("A", "B")));
    let two = within("G", at("App.two:2", "T2", ("B", "A")));
    let three = at("App.three:3", "T3", ("A", "B"));
    let gated = run_with(&[one.clone(), two.clone()], excludes);
    assert_eq!(tiers(std::slice::from_ref(&gated)), []);
    assert_eq!(tiers(&[gated.clone(), gated.clone()]), []);
    assert_eq!(
        tiers(&[gated.clone(), run(std::slice::from_ref(&three))]),
        [Tier::T4]
    );
    assert_eq!(tiers(&[run(&[three]), gated]), [Tier::T4]);
}

#[test]
fn what_one_run_doubts_the_same_parts_of_another_do_not_prove() {
    let one = at("App.one:1", "T1", ("A", "B"));
    let two = at("App.two:2", "T2", ("B", "A"));
    let doubted = run_with(&[one, two], doubts);
    assert_eq!(tiers(&[doubted.clone(), doubted.clone()]), [Tier::T5]);
    let three = run(&[at("App.three:3", "T3", ("B", "A"))]);
    assert_eq!(tiers(&[doubted, three]), [Tier::T4]);
}

#[test]
fn the_best_proof_is_told_whatever_the_order_of_files() {
    let one = run(&[at("App.one:1", "w1", ("A", "B"))]);
    let same = run(&[at("App.two:2", "w1", ("B", "A"))]);
    let other = run(&[at("App.two:2", "w2", ("B", "A"))]);
    assert_eq!(tiers(&[one.clone(), same.clone()]), [Tier::T5]);
    assert_eq!(
        tiers(&[one.clone(), same.clone(), other.clone()]),
        [Tier::T4]
    );
    assert_eq!(tiers(&[one, other, same]), [Tier::T4]);
}

#[test]
fn who_only_reads_keeps_no_reader_waiting_but_a_writer() {
    let shared = |mut nesting: Nesting| {
        nesting.holds[0].lock.mode = Mode::Shared.name();
        nesting
    };
    let reader = shared(at("App.one:1", "T1", ("A", "B")));
    let writer = at("App.two:2", "T1", ("A", "B"));
    let mut other = at("App.three:3", "T2", ("B", "A"));
    other.wants.lock.mode = Mode::Shared.name();
    let other = run(&[other]);
    assert_eq!(
        tiers(&[run(std::slice::from_ref(&reader)), other.clone()]),
        []
    );
    assert_eq!(tiers(&[run(&[reader, writer]), other]), [Tier::T4]);
}

#[test]
fn objects_of_different_runs_have_no_numbers_in_common() {
    let first = nesting("one", known("a", "object 3"), known("b", "object 4"));
    let second = nesting("two", known("b", "object 3"), known("a", "object 4"));
    let found = found_in(&[&first, &second]);
    assert_eq!(found.tier, Tier::T4);
    assert!(found.locks.iter().all(|lock| lock.object.is_none()));
    assert_eq!(found.kind, Kind::Order);
    let mut besides = first.clone();
    let gate = Known {
        at: vec!["App.open:1".to_owned()],
        ..known("gate", "object 5")
    };
    besides.holds.insert(0, gate);
    besides.holds[1].at = vec!["App.go:2".to_owned()];
    let found = found_in(&[&besides, &second]);
    assert_eq!(found.edges[0].holds_at, ["App.go:2"]);
    assert_eq!(found.edges[0].also_holds, ["gate"]);
    let mut read = first.clone();
    read.holds[0].lock.mode = Mode::Shared.name();
    let read = found_in(&[&read, &second]);
    assert_eq!(read.kind, Kind::ReadWrite, "one run by itself calls it so");
}

#[test]
fn which_of_several_has_which_number_another_run_does_not_tell() {
    let one = run(&[at("App.one:1", "T1", ("A", "B"))]);
    let other = run(&[at("App.two:2", "T2", ("B", "A"))]);
    assert_eq!(tiers(&[one.clone(), other.clone()]), [Tier::T4]);
    let numbered = Run {
        numbered: of_several(["B".to_owned(), "B (2)".to_owned()].into_iter()),
        ..run(&[at("App.three:3", "T3", ("D", "C"))])
    };
    assert_eq!(tiers(&[one, other, numbered]), [Tier::T5]);
}

/// Both parts, each in a run of its own, by threads whose names another run numbers otherwise; besides those, what else the second run
/// has shown of such threads.
fn by_workers(together: bool, besides: &[Nesting]) -> Vec<Tier> {
    let of = |nestings: &[Nesting]| {
        let worker = |nesting: &Nesting| Nesting {
            stable: "worker-#".to_owned(),
            ..nesting.clone()
        };
        let nestings: Vec<_> = nestings.iter().map(worker).collect();
        run(&nestings)
    };
    let part = |thread: &str, locks| at("App.go:1", thread, locks);
    let mut other = vec![part("worker-2", ("B", "A"))];
    other.extend_from_slice(besides);
    let mut other = of(&other);
    if together {
        other.lineage = Lineage::of_crowd("worker-#");
    }
    tiers(&[of(&[part("worker-1", ("A", "B"))]), other])
}

#[test]
fn one_thread_that_has_another_number_in_the_next_run_is_not_two() {
    let besides = |thread: &str| [at("App.go:1", thread, ("A", "B"))];
    assert_eq!(by_workers(false, &[]), [Tier::T5]);
    assert_eq!(by_workers(true, &[]), [Tier::T4]);
    assert_eq!(by_workers(true, &besides("worker-2")), [Tier::T5]);
    assert_eq!(by_workers(true, &besides("worker-3")), [Tier::T4]);
}

#[test]
fn what_was_done_at_several_places_may_have_been_done_at_this_one() {
    let one = [
        nesting("T1", known("A", "1"), known("B", "2")),
        nesting("T2", known("B", "2"), known("A", "1")),
    ];
    let elsewhere = one.clone().map(|nesting| Nesting {
        elsewhere: true,
        ..nesting
    });
    let mut there = one;
    for nesting in &mut there {
        nesting.part.wants_at = vec!["App.there:7".to_owned()];
    }
    let known = |nestings: &[Nesting]| run_with(nestings, excludes);
    assert_eq!(tiers(&[known(&elsewhere), known(&there)]), []);
}
