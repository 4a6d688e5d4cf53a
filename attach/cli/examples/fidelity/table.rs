//! The tables.

use locklens_inference::fidelity::{Fidelity, Kind};
use locklens_inference::model::Times;
use locklens_trace::Nanos;
use std::fmt::Write;

const KINDS: [(Kind, &str); 4] = [
    (Kind::Exit, "EXIT"),
    (Kind::Notify, "NOTIFY"),
    (Kind::Entered, "ENTERED"),
    (Kind::Resumed, "RESUMED"),
];

/// All of it.
pub(crate) fn table(all: &Fidelity) -> String {
    let mut text = format!(
        "\n{} traces, {} lock objects, {} events the JVM reports; {} inserted\n\n\
         {:<8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8} {:>9} {:>9} {:>9} {:>9}\n",
        all.traces,
        all.objects,
        all.reported,
        all.inserted,
        "",
        "happened",
        "knowable",
        "inferred",
        "right",
        "precision",
        "recall",
        "of kn'ble",
        "within",
        "error p50",
        "error p99",
        "bounds p50",
        "bounds p99"
    );
    for (kind, name) in KINDS {
        let Some(tally) = all.kinds.get(&kind) else {
            continue;
        };
        let (error, width) = (tally.error(), tally.width());
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{name:<8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8} {:>9} {:>9} {:>10} {:>10}",
            tally.observed,
            tally.knowable,
            tally.inferred,
            tally.right,
            percent(tally.precision()),
            percent(tally.recall()),
            percent(tally.recall_of_knowable()),
            percent(tally.share_within()),
            time(&error, error.p50),
            time(&error, error.p99),
            time(&width, width.p50),
            time(&width, width.p99),
        );
    }
    if let Some(notify) = all.kinds.get(&Kind::Notify) {
        let _ = writeln!(
            text,
            "\nnotify or notifyAll: {} of {} right ones",
            notify.right_call, notify.right
        );
    }
    let unjudged: u64 = all.kinds.values().map(|tally| tally.unjudged).sum();
    let chains = &all.chains;
    let _ = writeln!(
        text,
        "not judged: {unjudged}\ncall chains of waits: {}, of these {} chosen among several, {} without",
        chains.waits, chains.several, chains.none
    );
    let locks = &all.agreement;
    let seen = locks.locks - locks.unseen;
    let _ = writeln!(
        text,
        "\nlocks: {}, watching shows {seen}; same first type {} ({}), with all its parameters {} ({})",
        locks.locks,
        locks.same_type,
        percent(share(locks.same_type, seen)),
        locks.same_details,
        percent(share(locks.same_details, seen)),
    );
    text
}

/// One trace.
pub(crate) fn line(name: &str, one: &Fidelity) -> String {
    let mut text = format!("{name}:");
    for (kind, kind_name) in KINDS {
        if let Some(tally) = one.kinds.get(&kind) {
            let _ = write!(
                text,
                "  {kind_name} {}/{} right, {}/{} known",
                tally.right, tally.inferred, tally.right_knowable, tally.knowable
            );
        }
    }
    text.push('\n');
    for lock in &one.agreement.differing {
        let _ = writeln!(
            text,
            "    {}: {}, watched {}",
            lock.lock, lock.exact, lock.watched
        );
    }
    text
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

fn time(of: &Times, nanos: Nanos) -> String {
    match (of.count, nanos.0) {
        (0, _) => "-".to_owned(),
        (_, ns @ 0..1_000) => format!("{ns} ns"),
        (_, ns @ 1_000..1_000_000) => format!("{:.0} µs", ns as f64 / 1e3),
        (_, ns @ 1_000_000..1_000_000_000) => format!("{:.1} ms", ns as f64 / 1e6),
        (_, ns) => format!("{:.1} s", ns as f64 / 1e9),
    }
}
