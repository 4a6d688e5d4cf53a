//! The history of a lock with what the JVM does not report: the analyser's completed sequences as rows.

use crate::raw;
use locklens_inference::analysis::sequences;
use locklens_inference::catalog::Catalog;
use locklens_inference::collect::Collected;
use locklens_inference::facsimile::{Completed, What};
use locklens_inference::model::{HistoryRow, Options};
use locklens_inference::region::{Region, RegionId, RegionPlace, RegionTable};
use locklens_inference::visit::Mark;
use locklens_inference::volume::event_name;
use locklens_trace::{Event, LockId, Nanos};
use std::collections::BTreeSet;

/// The rows of these lock objects, by time; those of one object in the order in which they happened,
/// which times alone do not tell.
pub(crate) fn rows(
    collected: &Collected,
    locks: &BTreeSet<LockId>,
    options: &Options,
) -> Vec<HistoryRow> {
    let mut timed: Vec<(Nanos, HistoryRow)> = locks
        .iter()
        .flat_map(|&lock| of_object(collected, lock, options))
        .collect();
    timed.sort_by_key(|&(at, _)| at);
    timed.into_iter().map(|(_, row)| row).collect()
}

/// Each row with the time it sorts under: never before the row it follows.
fn of_object(collected: &Collected, lock: LockId, options: &Options) -> Vec<(Nanos, HistoryRow)> {
    let (sequences, table) = sequences(collected, lock, options);
    let names = Names {
        catalog: &collected.catalog,
        table: &table,
    };
    let mut latest = Nanos(0);
    let mut rows = Vec::new();
    for (events, completed) in &sequences {
        let mut events = events.iter().peekable();
        for step in completed {
            let event = events.next_if(|event| is(event, step));
            latest = latest.max(step.not_after);
            rows.push((latest, names.row(lock, step, event)));
        }
    }
    rows
}

/// Whether this event is what the step reports.
fn is(event: &Event, step: &Completed) -> bool {
    step.mark == Mark::Observed
        && step.thread == Some(event.thread)
        && step.what == What::Event(event.kind)
}

struct Names<'a> {
    catalog: &'a Catalog,
    table: &'a RegionTable,
}

impl Names<'_> {
    fn row(&self, lock: LockId, step: &Completed, event: Option<&Event>) -> HistoryRow {
        let thread = step.thread.and_then(|id| self.catalog.threads.get(&id));
        HistoryRow {
            not_before: step.not_before,
            not_after: step.not_after,
            event: what(step.what),
            note: event.map_or_else(String::new, |event| raw::note(event, self.catalog)),
            tid: thread.map(|thread| thread.tid),
            thread: step
                .thread
                .map_or_else(String::new, |id| raw::thread_name(id, self.catalog)),
            lock: lock.0,
            region: step
                .region
                .and_then(|id| self.region(id))
                .unwrap_or_default(),
            inferred: step.mark == Mark::Inferred,
        }
    }

    fn region(&self, id: RegionId) -> Option<String> {
        let Region { method, place, .. } = self.table.get(id)?;
        let method = self.catalog.methods.get(method)?;
        let bci = match place {
            RegionPlace::Method => None,
            RegionPlace::Block { bci, .. } => Some(*bci),
            RegionPlace::Unknown { bci } => *bci,
        };
        Some(raw::place_in(method, bci, self.catalog))
    }
}

fn what(what: What) -> &'static str {
    match what {
        What::Event(kind) => event_name(kind),
        What::Reset => "RESET",
    }
}
