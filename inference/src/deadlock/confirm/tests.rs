//! What a second recording makes of a finding.

use super::*;
use crate::deadlock::finding::{Kind, Part};
use crate::nesting::graph::ThreadName;

fn finding(id: &str, tier: Tier, places: [(&str, &str); 2]) -> Finding {
    let part = |(holds, wants): (&str, &str)| Part {
        thread: ThreadName {
            name: "t".to_owned(),
            tid: None,
        },
        holds_at: vec![holds.to_owned(), "caller".to_owned()],
        wants_at: vec![wants.to_owned()],
        wants_object: None,
        mode: "exclusive",
        count: 1,
        timed: false,
        also_at: Vec::new(),
        also_holds: Vec::new(),
    };
    Finding {
        id: id.to_owned(),
        tier,
        kind: Kind::Order,
        stall: false,
        locks: Vec::new(),
        edges: places.map(part).into(),
        patterns: 1,
        others: Vec::new(),
        alike: 1,
        numbered: 0,
        unserved: None,
        memory: Memory::Unjudged,
        remarks: Vec::new(),
    }
}

const PLACES: [(&str, &str); 2] = [("a", "b"), ("c", "d")];

fn gone(reason: &str) -> Report {
    Report {
        excluded: vec![Excluded {
            id: "D1".to_owned(),
            locks: Vec::new(),
            reasons: vec![reason.to_owned()],
        }],
        ..Report::default()
    }
}

fn only(finding: Finding) -> Report {
    Report {
        findings: vec![finding],
        ..Report::default()
    }
}

#[test]
fn what_happened_once_stays_so_whatever_another_run_shows() {
    let ordered = Finding {
        memory: Memory::Orders,
        ..finding("D1", Tier::T3, PLACES)
    };
    let runs = [
        (only(ordered), Verdict::OrderedInThisRun),
        (gone("held around all of it: L"), Verdict::ExcludedInThisRun),
        (gone(ONE_THREAD), Verdict::NotSeen),
        (Report::default(), Verdict::NotSeen),
    ];
    for (second, verdict) in runs {
        for tier in [Tier::T0, Tier::T1] {
            let judged = confirm(&finding("D1", tier, PLACES), &second);
            assert_eq!((judged.verdict, judged.finding.tier), (verdict, tier));
        }
    }
}

#[test]
fn what_a_run_shows_better_counts() {
    let stuck = confirm(
        &finding("D1", Tier::T3, PLACES),
        &only(finding("D1", Tier::T0, PLACES)),
    );
    assert_eq!(
        (stuck.verdict, stuck.finding.tier, stuck.before),
        (Verdict::Happened, Tier::T0, Tier::T3)
    );
}

#[test]
fn what_kept_one_run_apart_is_said_of_that_run() {
    let gate = "held around all of it: L";
    for tier in [Tier::T3, Tier::T5] {
        let judged = confirm(&finding("D1", tier, PLACES), &gone(gate));
        assert_eq!(judged.verdict, Verdict::ExcludedInThisRun);
        assert_eq!(judged.finding.tier, tier);
        assert!(
            judged.why[0].contains("in this run: held around"),
            "{judged:?}"
        );
    }
}

#[test]
fn what_was_not_seen_says_what_the_recording_lacks() {
    let second = Report {
        doubt: Some("records of this recording are lost".to_owned()),
        ..Report::default()
    };
    let judged = confirm(&finding("D1", Tier::T3, PLACES), &second);
    assert_eq!(judged.verdict, Verdict::NotSeen);
    assert!(judged.why[1].contains("are lost"), "{judged:?}");
}

#[test]
fn a_finding_whose_locks_are_called_otherwise_is_known_by_its_places() {
    let turned = [PLACES[1], PLACES[0]];
    let ordered = Finding {
        memory: Memory::Orders,
        ..finding("D2", Tier::T3, turned)
    };
    let mut second = only(ordered.clone());
    second
        .findings
        .push(finding("D3", Tier::T3, [("a", "b"), ("c", "x")]));
    let first = finding("D1", Tier::T3, PLACES);
    let judged = confirm(&first, &second);
    assert_eq!(judged.verdict, Verdict::OrderedInThisRun);
    let mut unplaced = first.clone();
    unplaced.edges[0].holds_at.clear();
    assert_eq!(confirm(&unplaced, &second).verdict, Verdict::NotSeen);
    let other = Finding {
        kind: Kind::Permit,
        ..ordered.clone()
    };
    let judged = confirm(&first, &only(other));
    assert_eq!(judged.verdict, Verdict::NotSeen);
    assert!(judged.why[0].contains("another kind"), "{judged:?}");
    second.findings[1] = Finding {
        id: "D4".to_owned(),
        ..ordered
    };
    assert_eq!(confirm(&first, &second).verdict, Verdict::NotSeen, "which?");
}

#[test]
fn what_the_second_recording_shows_worse_is_as_the_first_one_had_it() {
    let second = only(finding("D1", Tier::T4, PLACES));
    let judged = confirm(&finding("D1", Tier::T3, PLACES), &second);
    assert_eq!(
        (judged.verdict, judged.finding.tier),
        (Verdict::Stands, Tier::T3)
    );
    assert!(judged.why[0].contains("first recording"), "{judged:?}");
}

/// A park that returns at once is seen by no probe: what was presumed of the first run is not seen in the second.
#[test]
fn that_threads_were_ordered_in_both_runs_makes_nothing_better() {
    let first = finding("D1", Tier::T5, PLACES);
    let again = |memory, remark: &str| Finding {
        memory,
        remarks: vec![remark.to_owned()],
        ..finding("D1", Tier::T3, PLACES)
    };
    let doubted =
        format!("no proof by what was read: parks (as far as it is known, A.go {MAY_HAVE_KEPT})");
    let tier = |second: Finding| confirm(&first, &only(second)).finding.tier;
    assert_eq!(tier(again(Memory::Unjudged, &doubted)), Tier::T5);
    assert_eq!(tier(again(Memory::Orders, "ordered")), Tier::T5);
    assert_eq!(
        tier(again(Memory::Unjudged, "no proof by what was read: parks")),
        Tier::T3
    );
    assert_eq!(tier(again(Memory::Permits, "")), Tier::T3);
}
