//! The report for spreadsheets: one row a lock, RFC 4180.

use super::{SortKey, sorted};
use crate::text::{details, types};
use locklens_inference::model::{LogicalLock, Model};
use std::io::{self, Write};

const HEADER: &str = "id,types,confidence,details,name,classes,regions,instances,threads,locked,\
blocked,blocked_ns,waits,wait_ns,timed_out,still_waiting,still_blocked";

/// Writes one row a lock under a header.
///
/// # Errors
/// When `out` fails.
pub fn csv(model: &Model, sort: SortKey, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    for lock in sorted(model, sort) {
        let cells: Vec<_> = row(lock).iter().map(|c| quoted(c)).collect();
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(())
}

fn row(lock: &LogicalLock) -> Vec<String> {
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
        lock.blocked.count,
        lock.blocked.total.0,
        lock.waits.count,
        lock.waits.total.0,
        lock.timed_out,
        lock.still_waiting,
        lock.still_blocked,
    ];
    cells.push(lock.instances.to_string());
    cells.push(lock.threads.to_string());
    cells.push(lock.locked.map_or(String::new(), |n| n.to_string()));
    cells.extend(numbers.iter().map(u64::to_string));
    cells
}

/// Quoted where needed; a leading formula sign is defused, since names come from the target.
pub(crate) fn quoted(cell: &str) -> String {
    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if !formula && !cell.contains(['"', ',', '\n', '\r']) {
        return cell.to_owned();
    }
    let guard = if formula { "'" } else { "" };
    format!("\"{guard}{}\"", cell.replace('"', "\"\""))
}
