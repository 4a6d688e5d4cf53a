//! The result: blocked time, divided.

use super::atlas::{Atlas, Value};
use super::key::Key;
use super::stay::Why;
use super::tally::{ALL, RowIx, Tally};
use locklens_trace::Nanos;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Blocked time, by the keys that were asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blame {
    /// The keys, the outermost first.
    pub keys: Vec<Key>,
    /// Everything; its rows are those of the first key.
    pub total: Row,
    /// Time of which it is not known who is to blame, by the reason.
    pub unknown: BTreeMap<Why, Nanos>,
    /// Time in which the lock was free. Of waits: they ended by time-out or interrupt, or had not ended.
    pub nobody: Nanos,
    /// Time of threads that hold each other up for ever, where owners were followed.
    pub cycle: Nanos,
    /// Time of which it is known who is to blame, and not where that thread was.
    pub without_chain: Nanos,
    /// Waits were asked for: their time is no blocked time, and their owners are those who notified.
    pub waits: bool,
    /// Of waits: those of which it is inferred who ended them.
    pub inferred: u64,
    /// Owners that were blocked themselves were followed.
    pub root: bool,
}

/// One value of a key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// What it is called; of the whole, nothing.
    pub value: Option<Value>,
    /// All blocked time in it.
    pub ns: Nanos,
    /// Stays that lost time to it.
    pub count: u64,
    /// Those of them of unknown length. They are in no time.
    pub unmeasured: u64,
    /// Of the time: what is an estimate, from looks at parked threads.
    pub estimated: Nanos,
    /// What one stay lost to it: median, off by a thirtieth at most. Of those measured; none if none was.
    pub p50: Option<Nanos>,
    /// 99th percentile.
    pub p99: Option<Nanos>,
    /// Most.
    pub max: Option<Nanos>,
    /// By the next key, most time first.
    pub rows: Vec<Row>,
}

impl Blame {
    /// All of the time of which it is not known who is to blame.
    #[must_use]
    pub fn unknown_total(&self) -> Nanos {
        let all = self.unknown.values().map(|time| time.0);
        Nanos(all.fold(0, u64::saturating_add))
    }

    pub(super) fn of(tally: &Tally, atlas: &Atlas<'_>) -> Self {
        let unknown = tally.unknown.iter().filter(|(_, ns)| **ns > 0);
        Self {
            keys: tally.keys.clone(),
            total: row(tally, atlas, ALL, 0),
            unknown: unknown.map(|(&why, &ns)| (why, Nanos(ns))).collect(),
            nobody: Nanos(tally.free),
            cycle: Nanos(tally.cycles),
            without_chain: Nanos(tally.without_chain),
            ..Self::default()
        }
    }
}

/// A row with those below it; `depth` is the number of keys above.
fn row(tally: &Tally, atlas: &Atlas<'_>, ix: RowIx, depth: usize) -> Row {
    let counted = &tally.rows[ix];
    let key = depth.checked_sub(1).and_then(|at| tally.keys.get(at));
    let children = counted.children.iter();
    let mut rows: Vec<Row> = children
        .map(|&child| row(tally, atlas, child, depth + 1))
        .collect();
    rows.sort_by(|a, b| order(a).cmp(&order(b)));
    let times = counted.lengths.times();
    let measured = times.count > times.unknown;
    let known = |time: Nanos| measured.then_some(time);
    Row {
        value: key.map(|&key| atlas.value(key, counted.code)),
        ns: Nanos(counted.ns()),
        count: times.count.saturating_add(counted.estimates),
        unmeasured: times.unknown,
        estimated: Nanos(counted.estimated),
        p50: known(times.p50),
        p99: known(times.p99),
        max: known(times.max),
        rows,
    }
}

/// Parts of the recording in their order; else most time first.
fn order(row: &Row) -> (Option<Nanos>, Reverse<Nanos>, Reverse<u64>, &Option<Value>) {
    let when = match row.value {
        Some(Value::Time(from, _)) => Some(from),
        _ => None,
    };
    (when, Reverse(row.ns), Reverse(row.count), &row.value)
}
