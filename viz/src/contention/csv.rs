//! Blocked time for spreadsheets: one line for each innermost row, so that the times add up. RFC 4180.

use super::{fate, plain};
use crate::report::csv::quoted;
use locklens_inference::contention::{Blame, Row, Value};
use std::io::{self, Write};

const COUNTS: &str = "ns,count,unmeasured,estimated_ns,p50_ns,p99_ns,max_ns,untested_ns,idle_ns";
/// Words for what has no name. A thread that is called so is in quotes.
const WORDS: [&str; 5] = ["<nobody>", "<empty>", "<unknown>", "<deadlock>", "<other>"];

/// Writes a line for each innermost row under a header.
///
/// # Errors
/// When `out` fails.
pub fn csv(blame: &Blame, out: &mut dyn Write) -> io::Result<()> {
    let keys: Vec<_> = blame.keys.iter().map(|key| key.name()).collect();
    writeln!(out, "{},{COUNTS}", keys.join(","))?;
    lines(&blame.total, &mut Vec::new(), out)
}

fn lines(row: &Row, above: &mut Vec<String>, out: &mut dyn Write) -> io::Result<()> {
    if row.rows.is_empty() && !above.is_empty() {
        let cells: Vec<_> = above.iter().cloned().chain(counts(row)).collect();
        writeln!(out, "{}", cells.join(","))?;
    }
    for below in &row.rows {
        let value = below.value.as_ref().unwrap_or(&Value::Unknown);
        let told = match plain(value) {
            Some(name) if WORDS.contains(&name.as_str()) => format!("\"{name}\""),
            Some(name) => name,
            None => format!("<{}>", fate(value)),
        };
        above.push(quoted(&told));
        lines(below, above, out)?;
        above.pop();
    }
    Ok(())
}

fn counts(row: &Row) -> Vec<String> {
    let times = [row.p50, row.p99, row.max];
    let times = times.map(|time| time.map_or(String::new(), |time| time.0.to_string()));
    let counts = [row.ns.0, row.count, row.unmeasured, row.estimated.0];
    counts
        .map(|n| n.to_string())
        .into_iter()
        .chain(times)
        .chain([row.untested.0, row.idle.0].map(|ns| ns.to_string()))
        .collect()
}
