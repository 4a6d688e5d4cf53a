//! Who may come too late for the only notify there is.

use super::finding::{Kind, Report, Tier, Unserved};
use super::tests::of_text;

/// A waiter and a notifier, started one after the other; what each does besides.
fn between(looks: &str, starts: &str, later: &str) -> Report {
    of_text(&format!(
        "T0|fork(T1)|1\n{starts}T1|acq(m)|2\n{looks}T1|wait(m)|3\nT2|w(x)|4\nT2|acq(m)|5\nT2|notify(m)|6\nT2|rel(m)|7\nT1|rel(m)|8\n{later}T1|end()|9\nT2|end()|9"
    ))
}

const STARTED: &str = "T0|fork(T2)|1\n";

fn told(report: &Report) -> Vec<(Tier, Kind, Option<Unserved>)> {
    let all = report.findings.iter();
    all.map(|one| (one.tier, one.kind, one.unserved)).collect()
}

const LATE: (Tier, Kind, Option<Unserved>) = (Tier::T4, Kind::UnservedWaiter, Some(Unserved::Late));

#[test]
fn who_asks_nothing_before_he_waits_may_come_too_late() {
    let report = between("", STARTED, "");
    assert_eq!(told(&report), [LATE]);
    let finding = &report.findings[0];
    assert_eq!(finding.edges[0].thread.name, "T1");
    assert_eq!(finding.edges[0].holds_at, ["2"]);
    assert_eq!(finding.edges[0].wants_at, ["3"]);
    assert_eq!(finding.remarks, ["notified by \"T2\" at 6"]);
}

#[test]
fn who_looks_first_does_not() {
    assert_eq!(told(&between("T1|r(x)|2\n", STARTED, "")), []);
}

#[test]
fn who_looks_before_he_takes_the_monitor_may() {
    let looks = between("", &format!("T1|r(x)|1\n{STARTED}"), "");
    assert_eq!(told(&looks), [LATE]);
}

#[test]
fn who_is_started_under_the_monitor_does_not_notify_before_the_wait() {
    let started = of_text(
        "T1|acq(m)|2\nT1|fork(T2)|2\nT1|wait(m)|3\nT2|w(x)|4\nT2|acq(m)|5\nT2|notify(m)|6\nT2|rel(m)|7\nT1|rel(m)|8",
    );
    assert_eq!(told(&started), []);
}

#[test]
fn a_later_notify_will_do() {
    let later = "T2|acq(m)|8\nT2|notify(m)|8\nT2|rel(m)|8\n";
    assert_eq!(told(&between("", STARTED, later)), []);
}

#[test]
fn what_the_notifier_read_of_the_waiter_puts_them_in_order_in_this_run() {
    let seen = between("T1|w(y)|2\n", &format!("{STARTED}T2|r(y)|1\n"), "");
    assert_eq!(told(&seen), [LATE]);
    let read = of_text(
        "T0|fork(T1)|1\nT0|fork(T2)|1\nT1|acq(m)|2\nT1|w(y)|2\nT1|wait(m)|3\nT2|r(y)|4\nT2|acq(m)|5\nT2|notify(m)|6\nT2|rel(m)|7\nT1|rel(m)|8",
    );
    assert_eq!(
        told(&read),
        [(Tier::T5, Kind::UnservedWaiter, Some(Unserved::Late))]
    );
}

#[test]
fn without_reads_nobody_knows_who_looks() {
    let blind = of_text(
        "T0|fork(T1)|1\nT0|fork(T2)|1\nT1|acq(m)|2\nT1|wait(m)|3\nT2|acq(m)|5\nT2|notify(m)|6\nT2|rel(m)|7\nT1|rel(m)|8",
    );
    assert_eq!(told(&blind), []);
}

#[test]
fn of_several_waiters_one_notify_may_end_any() {
    let several = |notify: &str| {
        of_text(&format!(
            "T0|fork(T1)|1\nT0|fork(T2)|1\nT0|fork(T3)|1\nT3|w(x)|1\nT1|acq(m)|2\nT1|wait(m)|3\nT2|acq(m)|2\nT2|wait(m)|3\nT3|acq(m)|5\nT3|{notify}(m)|6\nT3|rel(m)|7\nT1|acq(m)|3\nT1|rel(m)|8\nT2|acq(m)|3\nT2|rel(m)|8"
        ))
    };
    assert_eq!(told(&several("notifyAll")), [LATE]);
    assert!(!told(&several("notify")).contains(&LATE));
}
