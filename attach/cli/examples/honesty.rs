//! What blame from contention alone is worth: exact traces are reduced to what watching would have recorded of the same
//! run, and what is said then of who held each lock is held against what the probes saw.
//!
//! ```text
//! locklens trace --all-app -o exact.llt -- java …
//! cargo run --release -p locklens --example honesty -- exact.llt…
//! ```
//!
//! A line for each lock and key: its blocked time, how much of it is unknown from contention alone, and the largest share of any owner
//! that is said to be more than it was.
#![expect(clippy::print_stdout, reason = "a measurement reports on stdout")]

use locklens_inference::analysis::Analysis;
use locklens_inference::collect::{Collected, Collector};
use locklens_inference::contention::{Blame, Blamer, Census, Key, Row, Value, Wish};
use locklens_inference::fidelity::watched;
use locklens_inference::model::Options;
use locklens_trace::Record;
use locklens_trace::read::{Item, Reader};
use std::collections::BTreeMap;
use std::fs::File;
use std::process::ExitCode;

/// Locks that blocked for less than this are left out.
const LEAST_NS: u64 = 1_000_000;

fn main() -> ExitCode {
    for path in std::env::args().skip(1) {
        let Some(records) = records(&path) else {
            println!("{path}: can't be read");
            return ExitCode::FAILURE;
        };
        println!("{path}");
        compare(&records);
    }
    ExitCode::SUCCESS
}

fn records(path: &str) -> Option<Vec<Record>> {
    let reader = Reader::new(File::open(path).ok()?).ok()?;
    let records = reader.filter_map(|item| match item {
        Item::Record(record) => Some(record),
        Item::Gap(_) => None,
    });
    Some(records.collect())
}

fn compare(records: &[Record]) {
    let reduced = watched(records, &collected(records).0.catalog).records;
    for key in [Key::OwnerThread, Key::OwnerMethod] {
        let (truth, said) = (shares(records, key), shares(&reduced, key));
        for (lock, owners) in &truth {
            let of = said.get(lock).cloned().unwrap_or_default();
            line(lock, key, owners, &of);
        }
    }
}

/// Nanoseconds by owner; what is no name under what it is.
type Owners = BTreeMap<String, u64>;

fn line(lock: &str, key: Key, truth: &Owners, said: &Owners) {
    let (all, told): (u64, u64) = (truth.values().sum(), said.values().sum());
    if all < LEAST_NS || told == 0 {
        return;
    }
    let part = |owners: &Owners, name: &str, all: u64| {
        100.0 * owners.get(name).copied().unwrap_or(0) as f64 / all as f64
    };
    let named = said.keys().filter(|name| *name != "(unknown)");
    let excess = named.map(|name| (part(said, name, told) - part(truth, name, all), name));
    let worst = excess.max_by(|a, b| a.0.total_cmp(&b.0));
    let (points, name) = worst.map_or((0.0, ""), |(points, name)| (points, name));
    println!(
        "  {lock}, {}: {:.1} ms, unknown {:.1} %, most too much {points:.1} points ({name})",
        key.name(),
        all as f64 / 1e6,
        part(said, "(unknown)", told),
    );
}

/// Time blocked entering each lock, by owner.
fn shares(records: &[Record], key: Key) -> BTreeMap<String, Owners> {
    let blame = blame(records, &[Key::Group, Key::Lock, key]);
    let is_monitor = |row: &&Row| row.value == Some(Value::Named("monitor".to_owned()));
    let monitors = blame.total.rows.iter().find(is_monitor);
    let locks = monitors.map_or(&[][..], |row| &row.rows);
    let owners = |row: &Row| row.rows.iter().map(|row| (name(row), row.ns.0)).collect();
    locks.iter().map(|row| (name(row), owners(row))).collect()
}

fn name(row: &Row) -> String {
    match &row.value {
        Some(Value::Named(name) | Value::Lock(_, name)) => name.clone(),
        Some(Value::Unknown) | None => "(unknown)".to_owned(),
        Some(_) => "(nobody)".to_owned(),
    }
}

fn collected(records: &[Record]) -> (Collected, Census) {
    let (mut collector, mut census) = (Collector::new(Options::default()), Census::default());
    for record in records {
        census.see(record);
        collector.push(record.clone());
    }
    (collector.finish(), census)
}

fn blame(records: &[Record], keys: &[Key]) -> Blame {
    let (collected, census) = collected(records);
    let analysis = Analysis::of(&collected, &Options::default());
    let findings = census.finish();
    let mut blamer = Blamer::new(&collected, &analysis, &findings, keys, Wish::default());
    records.iter().for_each(|record| blamer.push(record));
    blamer.finish()
}
