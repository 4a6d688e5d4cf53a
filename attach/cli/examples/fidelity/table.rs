//! The tables.

use locklens_inference::fidelity::{Fidelity, Kind, Tally};
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
pub(crate) fn table(traces: &[Fidelity]) -> String {
    let mut all = Fidelity::default();
    traces.iter().for_each(|one| all.add(one));
    let mut text = format!(
        "{} traces, {} lock objects: {} events of the JVM, {} inferred\n\n",
        all.traces, all.objects, all.reported, all.inserted
    );
    text += "         happened  knowable  inferred     right  precision  recall  of knowable  in bounds  error p50      p99  bounds p50      p99\n";
    for (kind, name) in KINDS {
        if let Some(tally) = all.kinds.get(&kind) {
            text += &row(name, tally);
        }
    }
    text += "\nmedian of the traces\n";
    for (kind, name) in KINDS {
        let of = |share: fn(&Tally) -> Option<f64>| {
            let tallies = traces.iter().filter_map(|one| one.kinds.get(&kind));
            percent(median(tallies.filter_map(share).collect()))
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{name:<8} precision {:>7}, recall {:>7}, of what is knowable {:>7}, in bounds {:>7}",
            of(Tally::precision),
            of(Tally::recall),
            of(Tally::recall_of_knowable),
            of(Tally::share_within),
        );
    }
    text.push('\n');
    text + &rest(&all)
}

fn row(name: &str, tally: &Tally) -> String {
    let (error, width) = (tally.error(), tally.width());
    format!(
        "{name:<8} {:>8}  {:>8}  {:>8}  {:>8}  {:>9} {:>7}  {:>11}  {:>9}  {:>9}  {:>7}  {:>10}  {:>7}\n",
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
    )
}

fn rest(all: &Fidelity) -> String {
    let mut text = String::new();
    if let Some(notify) = all.kinds.get(&Kind::Notify) {
        let _ = writeln!(
            text,
            "notifies that are right: {}; that ended a wait: {}; notify or notifyAll, as inferred: {}",
            notify.right, notify.right_knowable, notify.right_call
        );
    }
    let unjudged: u64 = all.kinds.values().map(|tally| tally.unjudged).sum();
    let chains = &all.chains;
    let _ = writeln!(
        text,
        "inferred and not judged: {unjudged}\ncall chains of waits: {}, {} of them one of several, {} without",
        chains.waits, chains.several, chains.none
    );
    let locks = &all.agreement;
    let seen = locks.locks - locks.unseen;
    let _ = writeln!(
        text,
        "locks: {}, watching shows {seen}; the same first type: {} ({}), with its parameters: {} ({})",
        locks.locks,
        locks.same_type,
        percent(share(locks.same_type, seen)),
        locks.same_details,
        percent(share(locks.same_details, seen)),
    );
    text
}

fn median(mut shares: Vec<f64>) -> Option<f64> {
    shares.sort_by(f64::total_cmp);
    shares.get(shares.len() / 2).copied()
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
