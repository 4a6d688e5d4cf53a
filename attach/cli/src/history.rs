//! The history of a lock with what the JVM does not report: the analyser's completed sequences as rows.

use crate::raw;
use locklens_inference::analysis::{Sequences, sequences_of};
use locklens_inference::catalog::Catalog;
use locklens_inference::collect::Collected;
use locklens_inference::facsimile::{Completed, What};
use locklens_inference::model::{HistoryRow, Options};
use locklens_inference::region::{Region, RegionId, RegionPlace, RegionTable};
use locklens_inference::visit::Mark;
use locklens_inference::volume::event_name;
use locklens_trace::{Event, LockId, Nanos};
use std::collections::BTreeSet;
use std::io;

/// Gives the rows of these lock objects to `row`, by time; those of one object in the order in which
/// they happened, which times alone do not tell.
pub(crate) fn rows(
    collected: &Collected,
    locks: &BTreeSet<LockId>,
    options: &Options,
    mut row: impl FnMut(&HistoryRow) -> io::Result<()>,
) -> io::Result<()> {
    let (sequences, table) = sequences_of(collected, locks, options);
    let names = Names {
        catalog: &collected.catalog,
        table: &table,
    };
    let mut placed: Vec<Placed<'_>> = sequences
        .iter()
        .flat_map(|(&lock, sequences)| of_object(lock, sequences))
        .collect();
    placed.sort_by_key(|step| step.at);
    placed.iter().try_for_each(|step| row(&names.row(step)))
}

/// A step of a lock with the event that reported it, if one did.
struct Placed<'a> {
    /// The time it sorts under: never before that of the step it follows.
    at: Nanos,
    lock: LockId,
    step: &'a Completed,
    event: Option<&'a Event>,
}

fn of_object(lock: LockId, sequences: &Sequences) -> Vec<Placed<'_>> {
    let mut at = Nanos(0);
    let mut placed = Vec::new();
    for (events, completed) in sequences {
        let mut events = events.iter().peekable();
        for step in completed {
            at = at.max(step.not_after);
            placed.push(Placed {
                at,
                lock,
                step,
                event: events.next_if(|event| is(event, step)),
            });
        }
    }
    placed
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
    fn row(&self, placed: &Placed<'_>) -> HistoryRow {
        let step = placed.step;
        let thread = step.thread.and_then(|id| self.catalog.threads.get(&id));
        HistoryRow {
            not_before: step.not_before,
            not_after: step.not_after,
            event: what(step.what),
            note: placed
                .event
                .map_or_else(String::new, |event| raw::note(event, self.catalog)),
            tid: thread.map(|thread| thread.tid),
            thread: step
                .thread
                .map_or_else(String::new, |id| self.catalog.thread_name(id)),
            object: placed.lock.0,
            lock: None,
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
