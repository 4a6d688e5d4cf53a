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
        mode: "exclusive",
        count: 1,
        timed: false,
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
        unserved: None,
        memory: Memory::Unjudged,
        remarks: Vec::new(),
    }
}

const PLACES: [(&str, &str); 2] = [("a", "b"), ("c", "d")];

fn gone(reason: &str, of_this_run: bool) -> Report {
    Report {
        excluded: vec![Excluded {
            id: "D1".to_owned(),
            locks: Vec::new(),
            reasons: vec![reason.to_owned()],
            of_this_run,
        }],
        ..Report::default()
    }
}

#[test]
fn where_one_thread_did_it_all_it_was_not_seen() {
    for tier in [Tier::T3, Tier::T5] {
        let judged = confirm(&finding("D1", tier, PLACES), &gone(ONE_THREAD, true));
        assert_eq!(judged.verdict, Verdict::NotSeen);
        assert_eq!(judged.finding.tier, tier);
        assert!(judged.why[0].contains(ONE_THREAD), "{:?}", judged.why);
    }
}

#[test]
fn an_order_or_a_gate_of_one_run_takes_nothing_from_another_that_had_none() {
    let gate = "held around all of it: L";
    let of = |tier, report: &Report| confirm(&finding("D1", tier, PLACES), report).verdict;
    assert_eq!(of(Tier::T3, &gone(gate, true)), Verdict::NotSeen);
    assert_eq!(of(Tier::T5, &gone(gate, true)), Verdict::Excluded);
    let permits = "there are permits enough of S";
    assert_eq!(of(Tier::T3, &gone(permits, false)), Verdict::Excluded);
    let doubtful = Report {
        doubt: Some("records are lost".to_owned()),
        ..gone(permits, false)
    };
    assert_eq!(of(Tier::T3, &doubtful), Verdict::NotSeen);
}

#[test]
fn a_finding_whose_locks_are_called_otherwise_is_known_by_its_places() {
    let turned = [PLACES[1], PLACES[0]];
    let second = Report {
        findings: vec![
            finding("D3", Tier::T1, [("a", "b"), ("c", "x")]),
            Finding {
                memory: Memory::Orders,
                ..finding("D2", Tier::T5, turned)
            },
        ],
        ..Report::default()
    };
    let judged = confirm(&finding("D1", Tier::T3, PLACES), &second);
    assert_eq!(judged.verdict, Verdict::Ordered);
    let mut unplaced = finding("D1", Tier::T3, PLACES);
    unplaced.edges[0].holds_at.clear();
    assert_eq!(confirm(&unplaced, &second).verdict, Verdict::NotSeen);
}

#[test]
fn what_the_second_recording_shows_worse_is_as_the_first_one_had_it() {
    let second = Report {
        findings: vec![finding("D1", Tier::T4, PLACES)],
        doubt: Some("records are lost".to_owned()),
        ..Report::default()
    };
    let judged = confirm(&finding("D1", Tier::T3, PLACES), &second);
    assert_eq!(
        (judged.verdict, judged.finding.tier),
        (Verdict::Stands, Tier::T3)
    );
    assert!(
        judged.notes[0].contains("first recording"),
        "{:?}",
        judged.notes
    );
}
