//! The events of a trace as the JVM reported them, nothing added.
//!
//! Two passes over the file: definitions may come behind the events that mention them, and a long
//! recording's events do not fit into memory.

use crate::exit::Failure;
use crate::trace_file;
use locklens_inference::catalog::Catalog;
use locklens_inference::model::HistoryRow;
use locklens_inference::volume::event_name;
use locklens_trace::read::Item;
use locklens_trace::record::MethodDef;
use locklens_trace::{Event, EventKind, LockId, Nanos, Owner, Record};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// Names for what the events mention.
pub(crate) fn definitions(file: &Path) -> Result<Catalog, Failure> {
    let mut catalog = Catalog::default();
    for item in trace_file::open(file)? {
        if let Item::Record(record) = item {
            catalog.define(record);
        }
    }
    Ok(catalog)
}

/// Gives every event, or those on `locks`, to `row`, in the order of the file.
pub(crate) fn rows(
    file: &Path,
    catalog: &Catalog,
    locks: Option<&BTreeSet<LockId>>,
    mut row: impl FnMut(&HistoryRow) -> io::Result<()>,
) -> Result<io::Result<()>, Failure> {
    let wanted = |event: &Event| {
        locks.is_none_or(|locks| event.lock.is_some_and(|lock| locks.contains(&lock)))
    };
    for item in trace_file::open(file)? {
        if let Item::Record(Record::Event(event)) = item
            && wanted(&event)
            && let Err(error) = row(&as_row(&event, catalog))
        {
            return Ok(Err(error));
        }
    }
    Ok(Ok(()))
}

fn as_row(event: &Event, catalog: &Catalog) -> HistoryRow {
    let thread = catalog.threads.get(&event.thread);
    HistoryRow {
        not_before: event.at,
        not_after: event.at,
        event: event_name(event.kind),
        note: note(event, catalog),
        tid: thread.map(|thread| thread.tid),
        thread: catalog.thread_name(event.thread),
        object: event.lock.map_or(0, |lock| lock.0),
        lock: None,
        region: place(event, catalog).unwrap_or_default(),
        inferred: false,
    }
}

/// What belongs to an event besides its kind.
pub(crate) fn note(event: &Event, catalog: &Catalog) -> String {
    let note = note_of_kind(event, catalog);
    match (event.is_from_before(), note.is_empty()) {
        (false, _) => note,
        (true, true) => "since before the recording".to_string(),
        (true, false) => format!("since before the recording, {note}"),
    }
}

fn note_of_kind(event: &Event, catalog: &Catalog) -> String {
    match (event.kind, event.owner) {
        // Of one that began before, no more is known of it.
        (EventKind::Wait { timeout: Some(_) }, _) if event.is_from_before() => {
            "with a time-out".to_string()
        }
        (
            EventKind::Wait {
                timeout: Some(length),
            },
            _,
        ) => timeout(length),
        (EventKind::Waited { timed_out: true }, _) => "timed out".to_string(),
        (EventKind::Enter, Owner::Thread(owner)) => {
            format!("held by {}", catalog.thread_name(owner))
        }
        (EventKind::Enter, Owner::Nobody) => "just released".to_string(),
        _ => String::new(),
    }
}

/// How long a wait may last at most. What is longer than the clock counts is recorded as its longest.
fn timeout(Nanos(length): Nanos) -> String {
    match length / 1_000_000 {
        _ if i64::try_from(length).is_err() => "at most 292 years or more".to_owned(),
        0 => format!("at most {length} ns"),
        ms => format!("at most {ms} ms"),
    }
}

/// The innermost frame of the program: the one that locks or waits.
fn place(event: &Event, catalog: &Catalog) -> Option<String> {
    let frames = &catalog.stacks.get(&event.stack?)?.frames;
    let frame = frames.iter().find(|frame| {
        let method = catalog.methods.get(&frame.method);
        method.is_none_or(|method| !is_wait(method, catalog))
    })?;
    let Some(method) = catalog.methods.get(&frame.method) else {
        return Some(format!("<method {}>", frame.method.0));
    };
    Some(place_in(method, frame.bci, catalog))
}

/// `Class.method:line`, as far as known.
pub(crate) fn place_in(method: &MethodDef, bci: Option<u16>, catalog: &Catalog) -> String {
    let class = catalog.class_name(method.class);
    let line = bci.and_then(|bci| method.line_at(bci));
    format!(
        "{class}.{}{}",
        method.name,
        line.map_or(String::new(), |line| format!(":{line}"))
    )
}

fn is_wait(method: &MethodDef, catalog: &Catalog) -> bool {
    method.name.starts_with("wait") && catalog.class_name(method.class) == "java.lang.Object"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_says_how_long_at_most() {
        let said = [u64::MAX, 1 << 63, 1_500_000_000, 3].map(|ns| timeout(Nanos(ns)));
        assert_eq!(
            said[..2],
            ["at most 292 years or more"; 2].map(str::to_owned)
        );
        assert_eq!(
            said[2..],
            ["at most 1500 ms", "at most 3 ns"].map(str::to_owned)
        );
    }
}
