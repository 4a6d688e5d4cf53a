//! What is called possible is possible, and what is possible is found: against brute force and by example.

use super::apart::{self, Apart};
use super::finding::{Finding, Kind, Report, Tier, Unserved};
use super::schedule::{Dice, Kit, Ring, random, reachable, step, turned};
use super::std_format::{Lines, Malformed, Wrong};
use super::step::{Lock, Mode, Nature, Op, Permits, Step, Thread};
use super::{Scan, Suspects, report};
use crate::deadlock::finding::{LockName, Names};
use crate::nesting::graph::ThreadName;
use locklens_trace::{EventKind, Nanos, ThreadId};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Names that are numbers.
pub(super) struct Numbers;

impl Names for Numbers {
    fn thread(&self, thread: super::step::Thread) -> ThreadName {
        ThreadName {
            name: thread.0.to_string(),
            tid: None,
        }
    }

    fn lock(&self, lock: Lock) -> LockName {
        LockName {
            name: lock.0.to_string(),
            id: lock.0.to_string(),
            ..LockName::default()
        }
    }

    fn chain(&self, _: super::step::Site) -> Vec<String> {
        Vec::new()
    }
}

pub(super) fn analysed(trace: &[Step], names: &dyn Names) -> Report {
    let mut scan = Scan::default();
    trace.iter().for_each(|step| scan.push(step));
    let suspects = Suspects::of(&scan);
    let mut history = suspects.history();
    trace.iter().for_each(|step| history.push(step));
    report(&suspects, &history, names)
}

/// The text of a trace, one line after the other.
pub(super) fn std_trace(text: &str) -> Result<(Vec<Step>, Lines), Malformed> {
    let mut lines = Lines::default();
    let mut steps = Vec::new();
    for line in text.lines() {
        lines.push(line.as_bytes(), &mut |step| steps.push(*step))?;
    }
    Ok((steps, lines))
}

pub(super) fn of_text(text: &str) -> Report {
    let (steps, lines) = std_trace(text).unwrap();
    analysed(&steps, &lines)
}

/// A trace, for a message.
pub(super) fn told(trace: &[Step]) -> String {
    let one = |step: &Step| format!("T{} {:?}", step.thread.0, step.op);
    trace.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// Rings of locks of at least this tier.
fn found(trace: &[Step], tier: Tier) -> BTreeSet<Ring> {
    let report = analysed(trace, &Numbers);
    assert_eq!(report.stopped_after, Vec::<String>::new());
    let orders = report
        .findings
        .iter()
        .filter(|f| f.tier <= tier && f.kind == Kind::Order);
    orders.map(ring).collect()
}

fn ring(finding: &Finding) -> Ring {
    let locks: Vec<u32> = finding
        .locks
        .iter()
        .map(|l| l.name.parse().unwrap())
        .collect();
    turned(&locks)
}

pub(super) fn summary(report: &Report) -> Vec<(Tier, Kind, Vec<&str>)> {
    let one = |f| {
        let Finding {
            tier, kind, locks, ..
        }: &Finding = f;
        (
            *tier,
            *kind,
            locks.iter().map(|l| l.name.as_str()).collect(),
        )
    };
    report.findings.iter().map(one).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn what_locks_and_reads_permit_is_exactly_what_a_run_in_the_same_order_can_reach(
        seed in any::<u64>(), steps in 8usize..20, memory in any::<bool>(),
    ) {
        let trace = random(seed, steps, Kit::small(memory));
        let permitted = found(&trace, Tier::T3);
        prop_assert_eq!(&permitted, &reachable(&trace, true), "{}", told(&trace));
    }

    #[test]
    fn what_is_proved_can_be_reached(seed in any::<u64>(), steps in 8usize..18) {
        let trace = random(seed, steps, Kit::small(true));
        let real = reachable(&trace, false);
        for ring in found(&trace, Tier::T1) {
            prop_assert!(real.contains(&ring), "{:?} {}", ring, told(&trace));
        }
    }

    #[test]
    fn what_can_be_reached_is_not_excluded(seed in any::<u64>(), steps in 8usize..18) {
        let trace = random(seed, steps, Kit::small(false));
        let all = found(&trace, Tier::T4);
        for ring in reachable(&trace, false) {
            prop_assert!(all.contains(&ring), "{:?} {}", ring, told(&trace));
        }
    }

    #[test]
    fn a_trace_cut_short_or_with_gaps_shows_nothing_new(
        seed in any::<u64>(), steps in 8usize..24, cut in 0usize..24, gaps in 0u32..3,
    ) {
        let trace = random(seed, steps, Kit::small(true));
        let whole = found(&trace, Tier::T4);
        let short = &trace[..cut.min(trace.len())];
        prop_assert!(found(short, Tier::T4).is_subset(&whole));
        let mut dice = Dice(seed);
        let mut torn = trace.clone();
        for _ in 0..gaps {
            let at = dice.roll(torn.len() as u32) as usize;
            torn.insert(at, step(dice.roll(3), Op::Forget));
        }
        prop_assert!(found(&torn, Tier::T4).is_subset(&whole), "{}", told(&torn));
    }
}

/// More threads and locks than the others have, waits, and locks that are taken again.
fn wide() -> impl Strategy<Value = Kit> {
    (3u32..5, 3u32..5, any::<bool>()).prop_map(|(threads, locks, memory)| Kit {
        threads,
        locks,
        memory,
        waits: true,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn with_waits_and_more_threads_what_is_permitted_is_what_a_run_in_the_same_order_reaches(
        seed in any::<u64>(), steps in 10usize..24, kit in wide(),
    ) {
        let trace = random(seed, steps, kit);
        let permitted = found(&trace, Tier::T3);
        prop_assert_eq!(&permitted, &reachable(&trace, true), "{}", told(&trace));
    }

    #[test]
    fn with_waits_and_more_threads_what_is_proved_can_be_reached(
        seed in any::<u64>(), steps in 10usize..20, kit in wide(),
    ) {
        let trace = random(seed, steps, Kit { memory: true, ..kit });
        let real = reachable(&trace, false);
        for ring in found(&trace, Tier::T1) {
            prop_assert!(real.contains(&ring), "{:?} {}", ring, told(&trace));
        }
    }
}

const CROSSED: &str = "\
T1|acq(a)|1\nT1|acq(b)|2\nT1|rel(b)|3\nT1|rel(a)|4
T2|acq(b)|5\nT2|acq(a)|6\nT2|rel(a)|7\nT2|rel(b)|8";

#[test]
fn two_locks_in_two_orders() {
    let report = of_text(CROSSED);
    assert_eq!(summary(&report), [(Tier::T3, Kind::Order, vec!["a", "b"])]);
    let edges = &report.findings[0].edges;
    assert_eq!(
        (
            edges[0].thread.name.as_str(),
            &edges[0].holds_at,
            &edges[0].wants_at
        ),
        ("T1", &vec!["1".to_owned()], &vec!["2".to_owned()])
    );
    assert_eq!(edges[1].thread.name, "T2");
    let read = format!("{CROSSED}\nT1|w(x)|9\nT2|r(x)|9");
    assert_eq!(summary(&of_text(&read))[0].0, Tier::T1);
}

#[test]
fn what_cannot_be_is_excluded_with_the_reason() {
    let gate = "T1|acq(g)|1\nT1|acq(a)|1\nT1|acq(b)|2\nT1|rel(b)|3\nT1|rel(a)|4\nT1|rel(g)|4
T2|acq(g)|1\nT2|acq(b)|5\nT2|acq(a)|6\nT2|rel(a)|7\nT2|rel(b)|8\nT2|rel(g)|8";
    let one = CROSSED.replace("T2", "T1");
    let joined = format!(
        "{}\nT1|end()|1\nT0|join(T1)|1\nT0|fork(T2)|1\n{}",
        &CROSSED[..47],
        &CROSSED[48..]
    );
    for (trace, why) in [
        (gate, "held around"),
        (&one, "no two threads"),
        (&joined, "start, join"),
    ] {
        let report = of_text(trace);
        assert_eq!(summary(&report), [], "{trace}");
        assert!(
            report.excluded[0]
                .reasons
                .iter()
                .any(|r| r.starts_with(why)),
            "{:?}",
            report.excluded
        );
    }
}

#[test]
fn a_notify_orders_who_waited_for_it() {
    let trace = "T1|acq(a)|1\nT1|acq(b)|2\nT1|rel(b)|3\nT1|rel(a)|4
T2|acq(m)|5\nT2|wait(m)|6
T1|acq(m)|7\nT1|notify(m)|8\nT1|rel(m)|9
T2|rel(m)|10\nT2|acq(b)|11\nT2|acq(a)|12\nT2|rel(a)|13\nT2|rel(b)|14";
    assert_eq!(summary(&of_text(trace)), []);
}

#[test]
fn a_flag_that_was_read_orders_who_read_it() {
    let first = "T1|acq(a)|1\nT1|acq(b)|2\nT1|rel(b)|3\nT1|rel(a)|4\nT1|w(done)|5\nT2|r(done)|6\n";
    let trace = first.to_owned() + &CROSSED[48..];
    let report = of_text(&trace);
    assert_eq!(summary(&report)[0].0, Tier::T5);
    assert!(!report.findings[0].remarks.is_empty());
}

#[test]
fn starts_and_ends_that_cannot_be_are_told_and_prove_nothing() {
    let read = format!("T0|fork(T1)|1\nT0|fork(T2)|1\n{CROSSED}\nT1|w(x)|9\nT2|r(x)|9");
    let judged = |trace: &str| {
        let (steps, lines) = std_trace(trace).unwrap();
        (
            analysed(&steps, &lines).findings[0].tier,
            lines.contradictions(),
        )
    };
    assert_eq!(judged(&read), (Tier::T1, 0));
    for wrong in [
        format!("{read}\nT0|fork(T1)|10"),
        format!("T3|fork(T1)|0\n{read}"),
        format!("T0|join(T2)|0\n{read}"),
    ] {
        assert_eq!(judged(&wrong), (Tier::T3, 1), "{wrong}");
    }
}

#[test]
fn a_lock_taken_again_is_no_nesting() {
    let trace = "T1|acq(a)|1\nT1|acq(b)|2\nT1|acq(a)|3\nT1|rel(a)|3\nT1|rel(b)|3\nT1|rel(a)|4
T2|acq(a)|1\nT2|acq(b)|2\nT2|acq(a)|3\nT2|rel(a)|3\nT2|rel(b)|3\nT2|rel(a)|4";
    let report = of_text(trace);
    assert_eq!((summary(&report), report.excluded.len()), (vec![], 0));
}

#[test]
fn threads_stuck_at_the_end_are_told_as_such() {
    let trace = "T1|acq(a)|1\nT2|acq(b)|5\nT1|req(b)|2\nT2|req(a)|6";
    let report = of_text(trace);
    assert_eq!(summary(&report), [(Tier::T0, Kind::Order, vec!["a", "b"])]);
    assert_eq!(report.findings[0].id, of_text(CROSSED).findings[0].id);
    assert_eq!(report.findings[0].edges[0].wants_at, ["2"]);
}

#[test]
fn a_wait_that_keeps_what_the_notifier_needs() {
    let waits = "T1|acq(outer)|1\nT1|acq(m)|2\nT1|wait(m)|3\n";
    let after = "T2|acq(m)|6\nT2|notify(m)|7\nT2|rel(m)|8\nT1|rel(m)|9\nT1|rel(outer)|10";
    let needs = format!("T2|acq(outer)|4\nT2|rel(outer)|5\n{waits}{after}");
    assert_eq!(
        summary(&of_text(&needs)),
        [(Tier::T3, Kind::NestedWait, vec!["notify of m", "outer"])]
    );
    let free = format!("{waits}{after}");
    assert_eq!(summary(&of_text(&free)), []);
    let other = format!("{needs}\nT3|acq(m)|1\nT3|notifyAll(m)|1\nT3|rel(m)|1");
    let nested = vec!["notify of m", "outer"];
    let perhaps = [(Tier::T5, Kind::NestedWait, nested)];
    assert_eq!(
        summary(&of_text(&other)),
        perhaps,
        "it may be for something else"
    );
    let serves = "T3|acq(m)|6\nT3|notify(m)|7\nT3|rel(m)|8\nT1|rel(m)|9\nT1|rel(outer)|10";
    let other = of_text(&format!("{needs}\n{waits}{serves}"));
    assert_eq!(summary(&other), []);
    assert!(
        other.excluded[0].reasons[0].contains("T3"),
        "{:?}",
        other.excluded
    );
}

#[test]
fn a_join_that_keeps_what_the_other_needs() {
    let trace = "T0|fork(T1)|1\nT1|acq(a)|2\nT1|rel(a)|3\nT1|end()|4\nT0|acq(a)|5\nT0|join(T1)|6\nT0|rel(a)|7";
    assert_eq!(
        summary(&of_text(trace)),
        [(Tier::T3, Kind::Join, vec!["a", "end of T1"])]
    );
    let outside = "T0|fork(T1)|1\nT1|acq(a)|2\nT1|rel(a)|3\nT1|end()|4\nT0|acq(a)|5\nT0|rel(a)|7\nT0|join(T1)|6";
    assert_eq!(summary(&of_text(outside)), []);
}

#[test]
fn a_waiter_that_nobody_is_left_to_notify() {
    let lost = "T1|fork(T2)|0\nT1|acq(m)|1\nT1|notify(m)|2\nT1|rel(m)|3\nT1|end()|3\nT2|acq(m)|4\nT2|wait(m)|5";
    let report = of_text(lost);
    assert_eq!(
        summary(&report),
        [(Tier::T0, Kind::UnservedWaiter, vec!["notify of m"])]
    );
    assert_eq!(report.findings[0].unserved, Some(Unserved::Lost));
    let joined = "T0|fork(T1)|0\nT1|acq(m)|1\nT1|notify(m)|2\nT1|rel(m)|3\nT0|join(T1)|3\nT0|acq(m)|4\nT0|wait(m)|5";
    assert_eq!(summary(&of_text(joined)), summary(&report), "joined");
    let unknown = lost.replace("T1|fork(T2)|0\n", "");
    let unknown = of_text(&unknown).findings[0].tier;
    assert_eq!(unknown, Tier::T5, "another thread may turn up");
    let alive = lost.replace("T1|end()|3\n", "");
    assert_eq!(summary(&of_text(&alive)), [], "it may notify later");
    let roles = "T1|acq(m)|1\nT1|wait(m)|10\nT2|acq(m)|2\nT2|wait(m)|20\nT3|acq(m)|3\nT3|notify(m)|4\nT3|rel(m)|5
T3|end()|1\nT1|rel(m)|6\nT1|end()|1";
    assert_eq!(
        of_text(roles).findings[0].unserved,
        Some(Unserved::OtherRole)
    );
}

/// Excerpts, one step at a moment each: `lives` says when threads (by their number) began and ended.
fn tiers_of_excerpts(text: &str, lives: &[(u64, u32, EventKind)]) -> Vec<Tier> {
    let (steps, lines) = std_trace(text).unwrap();
    let mut lives: Vec<_> = lives
        .iter()
        .map(|&(at, thread, kind)| (Nanos(at), ThreadId(thread), kind))
        .collect();
    lives.reverse();
    let mut apart = Apart::new(lives);
    let number = |id: ThreadId| Thread(if id.0 < 100 { id.0 } else { 200 - (id.0 & 1) });
    let mut all = Vec::new();
    for (at, &step) in (0..).zip(&steps) {
        let after = apart.note(ThreadId(step.thread.0), Nanos(at));
        let after = after.into_iter().map(|(a, b)| (number(a), number(b)));
        all.extend(after.map(apart::step));
        all.push(step);
    }
    let mut scan = Scan::of(true);
    all.iter().for_each(|step| scan.push(step));
    let suspects = Suspects::of(&scan);
    let mut history = suspects.history();
    all.iter().for_each(|step| history.push(step));
    let report = report(&suspects, &history, &lines);
    report.findings.iter().map(|finding| finding.tier).collect()
}

#[test]
fn excerpts_of_threads_that_were_not_seen_to_live_together_prove_less() {
    let one = "T1|acq(a)|1\nT1|acq(b)|2\nT1|rel(b)\nT1|rel(a)\n";
    let other = "T2|acq(b)|3\nT2|acq(a)|4\nT2|rel(a)\nT2|rel(b)\n";
    let once = [one, other].concat();
    let again = [one, other, one].concat();
    let (start, end) = (EventKind::ThreadStart, EventKind::ThreadEnd);
    assert_eq!(tiers_of_excerpts(&once, &[]), [Tier::T4]);
    // The second began after the first had done it, …
    assert_eq!(tiers_of_excerpts(&once, &[(4, 1, start)]), [Tier::T5]);
    // … or did it after the first had ended.
    assert_eq!(tiers_of_excerpts(&once, &[(3, 0, end)]), [Tier::T5]);
    assert_eq!(tiers_of_excerpts(&again, &[(4, 1, start)]), [Tier::T4]);
    assert_eq!(tiers_of_excerpts(&again, &[(7, 1, end)]), [Tier::T4]);
}

#[test]
fn lines_of_the_std_format() {
    let wrong = |line: &str| {
        std_trace(&format!("T1|acq(a)|1\n{line}"))
            .map(|_| ())
            .unwrap_err()
    };
    assert_eq!(wrong("T1|acq()|1").why, Wrong::NoOperand("acq".into()));
    assert_eq!(wrong("T1|grab(a)|1").why, Wrong::Unknown("grab".into()));
    assert_eq!(wrong("acq(a)").why, Wrong::NoThread);
    assert_eq!(wrong("|acq(a)|1").why, Wrong::NoThread);
    assert_eq!(wrong("T1|acq(a|1").why, Wrong::NoOperation);
    assert_eq!(wrong("T1|acq(a)|1|2").why, Wrong::Fields);
    assert_eq!(wrong("x").line, 2);
    let (steps, _) = std_trace("# said\n\n T1 | acq( a ) | 1 \r\nT1|rel(a)\nT1|branch|1\nT1|enter(m)|1\nT1|exit(m)|1\nT1|dummy|1").unwrap();
    assert_eq!(steps.len(), 6);
}

#[test]
fn what_somebody_else_takes_without_a_release_may_have_been_over_before() {
    let nested = "T1|acq(a)|1\nT1|acq(m)|2\nT1|rel(m)|3\n";
    let other = "T2|acq(m)|4\nT2|acq(a)|5\nT2|rel(a)|6\nT2|rel(m)|7\n";
    let around = |tier| [(tier, Kind::Order, vec!["a", "m"])];
    let missing = of_text(&format!("{nested}{other}"));
    assert_eq!(summary(&missing), around(Tier::T5));
    let whole = format!("{nested}T1|rel(a)|8\n{other}");
    assert_eq!(summary(&of_text(&whole)), around(Tier::T3));
    // One time at which it was seen is enough.
    let again = of_text(&format!("{whole}{nested}{other}"));
    assert_eq!(summary(&again), around(Tier::T3));
}

#[test]
fn a_wait_that_the_trace_has_between_release_and_acquisition_keeps_the_hold() {
    let trace = "T1|acq(m)|1\nT1|rel(m)|2\nT1|wait(m)|3\nT2|acq(m)|4\nT2|notify(m)|5\nT2|rel(m)|6
T1|acq(m)|7\nT1|acq(a)|8\nT1|rel(a)|9\nT1|rel(m)|10\nT2|acq(a)|11\nT2|acq(m)|12\nT2|rel(m)|13\nT2|rel(a)|14";
    let report = of_text(trace);
    assert_eq!(summary(&report), [(Tier::T3, Kind::Order, vec!["a", "m"])]);
    assert_eq!(report.notes, Vec::<String>::new());
}

#[test]
fn who_is_blocked_on_the_way_back_from_a_wait_is_stuck() {
    let trace = "T1|acq(a)|1\nT1|acq(m)|2\nT1|wait(m)|3\nT2|acq(m)|4\nT2|notify(m)|5\nT1|req(m)|3\nT2|req(a)|6";
    let report = of_text(trace);
    assert_eq!(summary(&report)[0], (Tier::T0, Kind::Order, vec!["a", "m"]));
}

#[test]
fn who_waits_needs_the_lock_back_whatever_ends_the_wait() {
    let waits = "T1|acq(a)|1\nT1|acq(m)|2\nT1|wait(m)|3\nT2|acq(m)|4\n";
    let stuck = of_text(&format!("{waits}T2|req(a)|5"));
    assert_eq!(summary(&stuck)[0], (Tier::T0, Kind::Order, vec!["a", "m"]));
    let before = "T2|acq(m)|4\nT2|acq(a)|5\nT2|rel(a)|6\nT2|rel(m)|7\nT1|acq(a)|1\nT1|acq(m)|2\nT1|wait(m)|3";
    assert_eq!(
        summary(&of_text(before))[0],
        (Tier::T3, Kind::Order, vec!["a", "m"])
    );
}

#[test]
fn who_goes_on_without_what_he_asked_for_is_not_stuck() {
    let trace = "T1|w(x)|0\nT1|acq(a)|1\nT1|req(b)|2\nT1|w(x)|3\nT2|acq(b)|5\nT2|req(a)|6";
    let (steps, lines) = std_trace(trace).unwrap();
    let report = analysed(&steps, &lines);
    assert_eq!(summary(&report), [(Tier::T3, Kind::Order, vec!["a", "b"])]);
    assert_eq!(
        report.doubt.as_deref(),
        Some("a thread that asked for a lock went on without it")
    );
    let ended = of_text("T1|acq(a)|1\nT1|req(b)|2\nT2|acq(b)|5\nT2|req(a)|6\nT1|end()|7");
    assert_eq!(ended.doubt, None);
}

#[test]
fn who_joins_a_thread_that_did_nothing_comes_after_its_start() {
    let starts = "T0|acq(c)|1\nT0|acq(a)|2\nT0|fork(T1)|3\nT0|rel(a)|4\nT0|rel(c)|5\n";
    let joins = "T2|acq(a)|6\nT2|join(T1)|7\nT2|acq(c)|8\nT2|rel(c)|9\nT2|rel(a)|10";
    let report = of_text(&format!("{starts}{joins}"));
    assert!(
        report.findings.iter().all(|f| f.tier > Tier::T3),
        "{:?}",
        summary(&report)
    );
}

#[test]
fn who_was_notified_is_no_waiter_any_more() {
    let begun =
        "T1|fork(T2)|0\nT2|acq(a)|1\nT2|acq(m)|2\nT2|wait(m)|3\nT1|acq(m)|4\nT1|notify(m)|5\n";
    let stuck = of_text(&format!("{begun}T1|req(a)|6"));
    assert_eq!(summary(&stuck)[0], (Tier::T0, Kind::Order, vec!["a", "m"]));
    let gone = of_text(&format!("{begun}T1|rel(m)|6\nT1|end()|7"));
    assert_eq!(summary(&gone), []);
}

#[test]
fn the_mark_at_the_beginning_of_a_text_is_no_part_of_a_name() {
    let report = of_text(&format!("\u{feff}{CROSSED}"));
    assert_eq!(report.findings[0].edges[0].thread.name, "T1");
    assert_eq!(report.facts.threads, 2);
}

/// A trace that ends with these steps, and what is known of its locks.
fn ended(steps: &[Step], natures: &[(Lock, Nature)]) -> Report {
    let mut scan = Scan::default();
    scan.know(natures.iter().copied().collect());
    steps.iter().for_each(|step| scan.push(step));
    scan.know(natures.iter().copied().collect());
    let suspects = Suspects::of(&scan);
    let mut history = suspects.history();
    steps.iter().for_each(|step| history.push(step));
    report(&suspects, &history, &Numbers)
}

fn took(thread: u32, lock: u32, mode: Mode) -> Step {
    let lock = Lock(lock);
    step(thread, Op::Acquire { lock, mode })
}

fn asks(thread: u32, lock: u32, mode: Mode) -> Step {
    let (lock, timed) = (Lock(lock), false);
    step(thread, Op::Request { lock, mode, timed })
}

#[test]
fn a_reader_that_waits_to_write_is_stuck_by_itself() {
    let trace = [took(0, 1, Mode::Shared), asks(0, 1, Mode::Exclusive)];
    let never_turns = Nature {
        never_turns: true,
        ..Nature::default()
    };
    let stuck = ended(&trace, &[(Lock(1), never_turns)]);
    assert_eq!(summary(&stuck), [(Tier::T0, Kind::Upgrade, vec!["1"])]);
    let alone = ended(&trace, &[]);
    assert_eq!(summary(&alone), [], "it gets it where nobody else reads");
    let both = [
        took(0, 1, Mode::Shared),
        took(1, 1, Mode::Shared),
        asks(0, 1, Mode::Exclusive),
        asks(1, 1, Mode::Exclusive),
    ];
    assert_eq!(
        summary(&ended(&both, &[])),
        [(Tier::T0, Kind::Upgrade, vec!["1", "1"])]
    );
}

#[test]
fn who_has_a_lock_that_is_not_reentrant_waits_for_himself() {
    let trace = [took(0, 1, Mode::Exclusive), asks(0, 1, Mode::Exclusive)];
    let once = Nature {
        reentrant: false,
        ..Nature::default()
    };
    let stuck = ended(&trace, &[(Lock(1), once)]);
    assert_eq!(summary(&stuck), [(Tier::T0, Kind::Upgrade, vec!["1"])]);
    assert_eq!(summary(&ended(&trace, &[])), []);
}

#[test]
fn a_reader_is_stuck_behind_a_writer_that_is_stuck() {
    let trace = [
        took(0, 1, Mode::Shared),
        took(1, 2, Mode::Exclusive),
        asks(2, 1, Mode::Exclusive),
        asks(1, 1, Mode::Shared),
        asks(0, 2, Mode::Exclusive),
    ];
    let queues = Nature {
        queues: true,
        ..Nature::default()
    };
    let report = ended(&trace, &[(Lock(1), queues)]);
    assert_eq!(
        summary(&report)[0],
        (Tier::T0, Kind::ReadWrite, vec!["1", "2", "turn at 1"])
    );
    let barging = ended(&trace, &[]);
    assert!(
        barging
            .findings
            .iter()
            .all(|finding| finding.tier > Tier::T0)
    );
}

#[test]
fn permits_are_stuck_when_all_are_and_it_is_known_how_many_there_are() {
    let one = Mode::Permit(1);
    let trace = [
        took(0, 1, one),
        took(1, 2, Mode::Exclusive),
        asks(0, 2, Mode::Exclusive),
        asks(1, 1, one),
    ];
    let permits = |all| Nature {
        permits: Some(Permits { least: 1, all }),
        ..Nature::default()
    };
    let tier = |all| {
        ended(&trace, &[(Lock(1), permits(all))])
            .findings
            .first()
            .map(|f| f.tier)
    };
    assert_eq!(tier(Some(1)), Some(Tier::T0));
    assert_eq!(tier(Some(2)), None, "one is left");
    assert_eq!(
        tier(None),
        Some(Tier::T5),
        "it is not known whether one is left"
    );
}
