//! The result: blocked time, divided.

use super::atlas::{Atlas, Value};
use super::books::{Book, Books};
use super::holders::Looks;
use super::key::Key;
use super::stay::Why;
use super::tally::{ALL, RowIx};
use crate::times::Lengths;
use locklens_trace::Nanos;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

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
    /// Time of stays of which it is not known where the thread was that was parked, …
    pub parked_without_chain: Nanos,
    /// … blocked on a monitor, or waiting.
    pub waiter_without_chain: Nanos,
    /// Waits that are in no time above and may belong there: how many, and how long. It is not known in which operation of a lock
    /// that the program has built they were.
    pub unplaced: (u64, Nanos),
    /// Parks and waits that are counted as stays of their own, and may be parts of the one before.
    pub unjoined: u64,
    /// Waits were asked for: their time is no blocked time, and their owners are those who notified.
    pub waits: bool,
    /// Of waits: those of which it is inferred who ended them.
    pub inferred: u64,
    /// Owners that were blocked themselves were followed.
    pub root: bool,
    /// What looks at owners of monitors came to, in a recording that only watched.
    pub looks: Looks,
    /// The same of owners of what threads are parked on. Only looks that took an owner's call chain, which is one in ten or so, are in it: shares
    /// are right, and times are not those of the lock.
    pub parked_looks: Looks,
    /// Length of the parts of the recording that are values of [`Key::Time`].
    pub interval: Nanos,
    /// Threads that had another name before the one that all of their time stands under.
    pub renamed: usize,
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
    /// Of the time: what is charged to threads by contention alone, where too few looks have tested that.
    pub untested: Nanos,
    /// Of the time: what threads waited for something to take from a queue of the program's own.
    pub idle: Nanos,
    /// What one stay lost to it: median, off by a thirtieth at most. Of those measured; none if none was.
    pub p50: Option<Nanos>,
    /// 99th percentile.
    pub p99: Option<Nanos>,
    /// Most.
    pub max: Option<Nanos>,
    /// Of time that is charged to threads of which it is not known where they were: to which, most first, as far as there was room
    /// to tell them apart.
    pub nowhere: Vec<(String, Nanos)>,
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

    /// The part of one lock, by the keys below; none if the first key is another one, or nobody was blocked on it. What is
    /// unknown of it, and why, only its rows say.
    #[must_use]
    pub fn of_lock(mut self, id: u32) -> Option<Self> {
        let is_it =
            |value: Option<&Value>| matches!(value, Some(Value::Lock(its, _)) if *its == id);
        let first = self.keys.first() == Some(&Key::Lock);
        let mut rows = self.total.rows.into_iter();
        let total = rows.find(|row| first && is_it(row.value.as_ref()))?;
        self.keys.remove(0);
        for looks in [&mut self.looks, &mut self.parked_looks] {
            looks.locks.retain(|lock| is_it(Some(&lock.lock)));
            looks.total = looks.locks.iter().map(|lock| lock.looks).sum();
        }
        Some(Self {
            keys: self.keys,
            total,
            waits: self.waits,
            root: self.root,
            looks: self.looks,
            parked_looks: self.parked_looks,
            interval: self.interval,
            renamed: self.renamed,
            ..Self::default()
        })
    }

    pub(super) fn of(books: &Books, atlas: &mut Atlas<'_>) -> Self {
        atlas.interval = books.interval();
        let shown = books.shown(atlas);
        let sum =
            |of: fn(&Book<'_>) -> u64| Nanos(shown.iter().map(of).fold(0, u64::saturating_add));
        let mut unknown: BTreeMap<Why, Nanos> = BTreeMap::new();
        for (&why, &ns) in shown.iter().flat_map(|book| &book.tally.unknown) {
            let all = unknown.entry(why).or_default();
            all.0 = all.0.saturating_add(ns);
        }
        unknown.retain(|_, time| time.0 > 0);
        let all: Vec<_> = shown.iter().map(|book| (book, ALL)).collect();
        Self {
            keys: books.keys().to_vec(),
            total: row(&all, books.keys(), atlas),
            unknown,
            nobody: sum(|book| book.tally.free),
            cycle: sum(|book| book.tally.cycles),
            without_chain: sum(|book| book.tally.without_chain),
            parked_without_chain: sum(|book| book.tally.parked_without_chain),
            waiter_without_chain: sum(|book| book.tally.waiter_without_chain),
            interval: books.interval(),
            renamed: atlas.collected().catalog.renamed.len(),
            ..Self::default()
        }
    }
}

/// One row of several books.
type Parts<'b, 't> = Vec<(&'b Book<'t>, RowIx)>;

/// What parts of a row come to together, with the rows below by these keys.
fn row(parts: &Parts<'_, '_>, keys: &[Key], atlas: &mut Atlas<'_>) -> Row {
    let mut rows: Vec<Row> = Vec::new();
    if let Some((&key, below)) = keys.split_first() {
        for (code, parts) in children(parts, key, atlas) {
            let value = Some(atlas.value(key, code));
            rows.push(Row {
                value,
                ..row(&parts, below, atlas)
            });
        }
    }
    rows.sort_by(|a, b| order(a).cmp(&order(b)));
    Row {
        rows,
        nowhere: nowhere(parts, atlas),
        ..counted(parts)
    }
}

/// Threads that are to blame, of which it is not known where they were.
fn nowhere(parts: &Parts<'_, '_>, atlas: &Atlas<'_>) -> Vec<(String, Nanos)> {
    let mut all: BTreeMap<String, Nanos> = BTreeMap::new();
    for (thread, ns) in parts
        .iter()
        .flat_map(|&(book, ix)| book.tally.rows[ix].nowhere())
    {
        let sum = all.entry(atlas.told_apart(thread)).or_default();
        sum.0 = sum.0.saturating_add(ns);
    }
    let mut all: Vec<(String, Nanos)> = all.into_iter().collect();
    all.sort_by_key(|&(_, ns)| Reverse(ns));
    all
}

/// The rows below, by what they are called in the end, in the order in which they were met.
fn children<'b, 't>(
    parts: &Parts<'b, 't>,
    key: Key,
    atlas: &mut Atlas<'_>,
) -> Vec<(u64, Parts<'b, 't>)> {
    let mut met: HashMap<u64, usize> = HashMap::new();
    let mut all: Vec<(u64, Parts<'b, 't>)> = Vec::new();
    for &(book, ix) in parts {
        for &child in &book.tally.rows[ix].children {
            let code = book.settled(key, book.tally.rows[child].code, atlas);
            let at = *met.entry(code).or_insert(all.len());
            if at == all.len() {
                all.push((code, Vec::new()));
            }
            all[at].1.push((book, child));
        }
    }
    all
}

fn counted(parts: &Parts<'_, '_>) -> Row {
    let rows = || parts.iter().map(|&(book, ix)| &book.tally.rows[ix]);
    let sum = |all: &mut dyn Iterator<Item = u64>| all.fold(0, u64::saturating_add);
    let mut lengths = Lengths::default();
    rows().for_each(|row| lengths.merge(&row.lengths));
    let times = lengths.times();
    let measured = times.count > times.unknown;
    let known = |time: Nanos| measured.then_some(time);
    let estimates = sum(&mut rows().map(|row| row.estimates));
    Row {
        ns: Nanos(sum(&mut rows().map(super::tally::Row::ns))),
        count: times.count.saturating_add(estimates),
        unmeasured: times.unknown,
        estimated: Nanos(sum(&mut rows().map(|row| row.estimated))),
        untested: Nanos(sum(&mut rows().map(|row| row.untested))),
        idle: Nanos(sum(&mut rows().map(|row| row.idle))),
        p50: known(times.p50),
        p99: known(times.p99),
        max: known(times.max),
        ..Row::default()
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
