//! The history of a lock, event by event: time or its bounds, event, thread, region, and whether
//! it was observed or inferred (the paper's Figure 1).
//!
//! Rows are written one at a time, so that a long history needs no memory.

use crate::Look;
use crate::report::csv::quoted;
use crate::text::{Paint, clean, left, right, short_place};
use locklens_inference::model::HistoryRow;
use locklens_trace::Nanos;
use serde_json::{Value, json as value};
use std::io::{self, Write};

/// Form of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For people.
    Text(Look),
    /// One JSON document, schema 2.
    Json,
    /// RFC 4180.
    Csv,
}

/// Writes a history, row by row, between [`Writer::begin`] and [`Writer::end`].
pub struct Writer<'a> {
    form: Form,
    out: &'a mut dyn Write,
    rows: u64,
}

impl<'a> Writer<'a> {
    /// Writes what stands above the rows.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn begin(form: Form, out: &'a mut dyn Write) -> io::Result<Self> {
        match form {
            Form::Text(look) => writeln!(out, "{}", Paint::Bold.on(&head(), look))?,
            Form::Json => write!(out, "{{\"schema\":2,\"events\":[")?,
            Form::Csv => writeln!(out, "{CSV_HEAD}")?,
        }
        Ok(Self { form, out, rows: 0 })
    }

    /// Writes one row.
    ///
    /// # Errors
    /// When the output fails.
    pub fn row(&mut self, row: &HistoryRow) -> io::Result<()> {
        self.rows += 1;
        match self.form {
            Form::Text(look) => text(row, look, self.out),
            Form::Csv => csv(row, self.out),
            Form::Json => {
                self.out
                    .write_all(if self.rows == 1 { b"\n" } else { b",\n" })?;
                crate::json::compact(&json(row), self.out)
            }
        }
    }

    /// Writes what stands below the rows.
    ///
    /// # Errors
    /// When the output fails.
    pub fn end(self) -> io::Result<()> {
        match self.form {
            Form::Text(_) if self.rows == 0 => writeln!(self.out, "no events"),
            Form::Text(_) | Form::Csv => Ok(()),
            Form::Json => writeln!(self.out, "\n]}}"),
        }
    }
}

const CSV_HEAD: &str =
    "not_before_ns,not_after_ns,event,note,tid,thread,object,region,inferred,lock";

fn head() -> String {
    format!(
        "{} {} {} {} REGION",
        right("TIME (s)", TIME),
        left("EVENT", EVENT),
        left("THREAD", THREAD),
        right("OBJECT", OBJECT)
    )
}

const TIME: usize = 21;
const EVENT: usize = 13;
const THREAD: usize = 18;
const OBJECT: usize = 6;

fn text(row: &HistoryRow, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let note = if row.note.is_empty() {
        String::new()
    } else {
        format!(" ({})", clean(&row.note))
    };
    let line = format!(
        "{} {} {} {} {}{note}",
        right(&bounds(row), TIME),
        left(row.event, EVENT),
        left(&thread(row), THREAD),
        right(&row.object.to_string(), OBJECT),
        clean(&short_place(&row.region)),
    );
    let line = line.trim_end();
    match row.inferred {
        true => writeln!(out, "{} ~", Paint::Dim.on(line, look)),
        false => writeln!(out, "{line}"),
    }
}

fn thread(row: &HistoryRow) -> String {
    row.tid.map_or(String::new(), |tid| {
        format!("#{tid} {}", clean(&row.thread))
    })
}

/// One time, or the two bounds of an inferred event.
fn bounds(row: &HistoryRow) -> String {
    if row.not_before == row.not_after {
        return seconds(row.not_after);
    }
    format!("{}..{}", seconds(row.not_before), seconds(row.not_after))
}

fn seconds(at: Nanos) -> String {
    format!("{}.{:06}", at.0 / 1_000_000_000, at.0 / 1_000 % 1_000_000)
}

fn json(row: &HistoryRow) -> Value {
    value!({
        "not_before_ns": row.not_before.0,
        "not_after_ns": row.not_after.0,
        "event": row.event,
        "note": row.note,
        "tid": row.tid,
        "thread": row.thread,
        "object": row.object,
        "lock": row.lock,
        "region": row.region,
        "inferred": row.inferred,
    })
}

fn csv(row: &HistoryRow, out: &mut dyn Write) -> io::Result<()> {
    let cells = [
        row.not_before.0.to_string(),
        row.not_after.0.to_string(),
        row.event.to_owned(),
        row.note.clone(),
        row.tid.map_or(String::new(), |t| t.to_string()),
        row.thread.clone(),
        row.object.to_string(),
        row.region.clone(),
        row.inferred.to_string(),
        row.lock.map_or(String::new(), |lock| lock.to_string()),
    ];
    let cells: Vec<_> = cells.iter().map(|c| quoted(c)).collect();
    writeln!(out, "{}", cells.join(","))
}
