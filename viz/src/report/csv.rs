//! The report for spreadsheets: one row a lock, RFC 4180.

use super::{Known, SortKey, sorted};
use crate::text::{clean, details, types};
use locklens_inference::model::{LogicalLock, Model, Recording};
use std::io::{self, Write};

const HEADER: &str = "id,types,confidence,details,name,classes,regions,instances,threads,locked,\
blocked,blocked_ns,waits,wait_ns,timed_out,still_waiting,still_blocked,locked_at_least,sampled,sampled_error_ns";

/// Writes one row a lock under a header.
///
/// # Errors
/// When `out` fails.
pub fn csv(model: &Model, sort: SortKey, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    for lock in sorted(model, sort) {
        let cells: Vec<_> = row(lock, &model.recording)
            .iter()
            .map(|c| quoted(c))
            .collect();
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(())
}

fn row(lock: &LogicalLock, recording: &Recording) -> Vec<String> {
    let known = Known::of(lock, recording);
    let if_known = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
    let best = lock.types.first();
    let regions: Vec<_> = lock
        .regions
        .iter()
        .map(|r| format!("{}.{}{}", r.class, r.method, r.descriptor))
        .collect();
    let mut cells = vec![
        lock.id.to_string(),
        types(&lock.types),
        best.map_or(String::new(), |v| format!("{:.4}", v.confidence)),
        best.map_or(String::new(), details),
        lock.name.clone(),
        lock.classes.join(" "),
        regions.join(" "),
    ];
    let numbers = [
        Some(lock.instances),
        Some(lock.threads),
        known.locked,
        known.blocked,
        known.blocked_ns,
        Some(lock.waits.count),
        known.wait_ns,
        Some(lock.timed_out),
        Some(lock.still_waiting),
        Some(lock.still_blocked),
        lock.locked,
    ];
    cells.extend(numbers.map(if_known));
    let sampled = lock.sampled.as_ref().filter(|_| lock.is_estimated());
    cells.push(sampled.is_some().to_string());
    cells.push(if_known(sampled.map(|sampled| sampled.error.0)));
    cells
}

/// Quoted where needed. Names come from the target: a leading formula sign is defused, and what would
/// work on a terminal replaced.
pub(crate) fn quoted(cell: &str) -> String {
    let cell = &clean(cell);
    let formula = cell.starts_with(['=', '+', '-', '@']);
    if !formula && !cell.contains(['"', ',']) {
        return cell.to_owned();
    }
    let guard = if formula { "'" } else { "" };
    format!("\"{guard}{}\"", cell.replace('"', "\"\""))
}
