//! A profile for the Firefox Profiler: its processed format, as JSON.
//!
//! Each thread has markers for what held it up, for the locks that it held and the operations it made on them; and samples
//! of the call chains of what held it up, each with its length as weight. Version 60 of the format (the viewer
//! takes older ones): tables of strings, frames and stacks stand once for all threads (`tables`).
//!
//! The viewer holds all of it at once, so there is a most for markers: beyond it the longest are kept, and it is said how many are
//! left out.

mod marks;
mod schema;
mod tables;
#[cfg(test)]
mod tests;

use super::names::Names;
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::Collected;
use locklens_inference::contention::Happening;
use locklens_trace::record::target_key;
use locklens_trace::{Nanos, ThreadId};
use marks::{Mark, Marks};
use serde_json::{Value, json};
use std::io::{self, Write};
use tables::{Tables, list};

/// Of the processed format.
const VERSION: u32 = 60;
/// Of the format that a browser would have recorded.
const RECORDED_VERSION: u32 = 31;

/// See the module.
#[derive(Debug)]
pub struct Firefox<'a> {
    names: Names<'a>,
    marks: Marks,
}

impl<'a> Firefox<'a> {
    /// One for that recording.
    #[must_use]
    pub fn new(collected: &'a Collected, analysis: &'a Analysis) -> Self {
        Self {
            names: Names::of(collected, analysis),
            marks: Marks::default(),
        }
    }

    /// Takes in what is told next.
    pub fn tell(&mut self, happening: &Happening) {
        if let Some(mark) = Mark::of(happening, &self.names) {
            self.marks.add(mark);
        }
    }

    /// Markers that found no room, the shortest ones.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.marks.left_out
    }

    /// Writes the profile.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write(self, out: &mut dyn Write) -> io::Result<()> {
        let left_out = self.marks.left_out;
        let mut tables = Tables::new(&self.names);
        writeln!(out, "{{\"meta\":{},", meta(&self.names, left_out))?;
        writeln!(out, "\"libs\":[],\n\"threads\":[")?;
        let threads = self.marks.by_thread();
        for (nth, marks) in threads.iter().enumerate() {
            if nth > 0 {
                writeln!(out, ",")?;
            }
            thread(marks, &self.names, &mut tables, out)?;
        }
        if threads.is_empty() {
            // Without any thread the viewer shows an error instead of an empty profile.
            nobody(&self.names, out)?;
        }
        writeln!(out, "],\n\"shared\":")?;
        tables.write(out)?;
        writeln!(out, "}}")
    }
}

/// A time as the format has it: milliseconds, with all that is known of it.
fn ms(at: Nanos) -> String {
    format!("{}.{:06}", at.0 / 1_000_000, at.0 % 1_000_000)
}

fn meta(names: &Names<'_>, left_out: u64) -> Value {
    let started = names.fact(target_key::STARTED_UNIX_NS);
    let started: f64 = started.and_then(|ns| ns.parse().ok()).unwrap_or(0.0);
    let mut remarks = names.warnings();
    if left_out > 0 {
        remarks.push(format!("markers left out, the shortest: {left_out}"));
    }
    let remarks = remarks
        .iter()
        .map(|remark| json!({"label": "missing", "format": "string", "value": remark}));
    json!({
        "interval": 1,
        "startTime": started / 1e6,
        "processType": 0,
        "product": names.program(),
        "importedFrom": "locklens",
        "stackwalk": 1,
        "version": RECORDED_VERSION,
        "preprocessedProfileVersion": VERSION,
        "symbolicated": true,
        "usesOnlyOneStackType": true,
        "sourceCodeIsNotOnSearchfox": true,
        "keepProfileThreadOrder": true,
        "categories": schema::categories(),
        "markerSchema": schema::markers(),
        "extra": [{"label": "Recording", "entries": remarks.collect::<Vec<_>>()}],
    })
}

/// What a thread is, before its samples and markers.
fn head(name: &str, is_main: bool, tid: u64, names: &Names<'_>) -> String {
    let about = json!({
        "processType": "default",
        "processName": names.program(),
        "processStartupTime": 0,
        "processShutdownTime": null,
        "registerTime": 0,
        "unregisterTime": null,
        "pausedRanges": [],
        "showMarkersInTimeline": true,
        "name": name,
        "isMainThread": is_main,
        "pid": names.pid().to_string(),
        "tid": tid,
    });
    let mut about = about.to_string();
    about.pop();
    about
}

fn thread(
    marks: &[Mark],
    names: &Names<'_>,
    tables: &mut Tables<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let id = marks.first().map_or(ThreadId(0), |mark| mark.thread);
    let def = names.thread(id);
    let tid = def.map_or(u64::from(id.0), |def| def.tid);
    let name = names.thread_name(id);
    let is_main = def.is_some_and(|def| def.tid == 1);
    write!(out, "{},\n\"samples\":", head(&name, is_main, tid, names))?;
    samples(marks, tables, out)?;
    write!(out, ",\n\"markers\":")?;
    markers(marks, names, tables, out)?;
    write!(out, "}}")
}

fn nobody(names: &Names<'_>, out: &mut dyn Write) -> io::Result<()> {
    let head = head("nothing was recorded", true, 1, names);
    let samples =
        json!({"stack": [], "time": [], "weight": [], "weightType": "tracing-ms", "length": 0});
    let markers = json!({"data": [], "name": [], "startTime": [], "endTime": [], "phase": [], "category": [], "length": 0});
    write!(out, "{head},\"samples\":{samples},\"markers\":{markers}}}")
}

/// The call chains of what held the thread up, in the order of their begins; that of which none is known stands in the tree as well.
fn samples(marks: &[Mark], tables: &mut Tables<'_>, out: &mut dyn Write) -> io::Result<()> {
    let holds_up = marks.iter().filter(|mark| mark.holds_up());
    let all = holds_up.map(|mark| {
        let stack = mark.stack.and_then(|stack| tables.stack(stack));
        (mark, stack.unwrap_or_else(|| tables.unknown_stack()))
    });
    let all: Vec<(&Mark, usize)> = all.collect();
    write!(out, "{{\"stack\":")?;
    list(out, all.iter().map(|(_, stack)| stack.to_string()))?;
    write!(out, ",\"time\":")?;
    list(out, all.iter().map(|(mark, _)| ms(mark.from)))?;
    write!(out, ",\"weight\":")?;
    list(
        out,
        all.iter().map(|(mark, _)| ms(mark.to.since(mark.from))),
    )?;
    write!(
        out,
        ",\"weightType\":\"tracing-ms\",\"length\":{}}}",
        all.len()
    )
}

fn markers(
    marks: &[Mark],
    names: &Names<'_>,
    tables: &mut Tables<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "{{\"data\":")?;
    list(out, marks.iter().map(|mark| mark.data(names, tables)))?;
    write!(out, ",\"name\":")?;
    let mut name = |mark: &Mark| tables.string(mark.kind.title()).to_string();
    list(out, marks.iter().map(&mut name))?;
    write!(out, ",\"startTime\":")?;
    list(out, marks.iter().map(|mark| ms(mark.from)))?;
    write!(out, ",\"endTime\":")?;
    let end = |mark: &Mark| match mark.is_instant() {
        true => "null".to_owned(),
        false => ms(mark.to),
    };
    list(out, marks.iter().map(end))?;
    write!(out, ",\"phase\":")?;
    list(
        out,
        marks
            .iter()
            .map(|mark| u8::from(!mark.is_instant()).to_string()),
    )?;
    write!(out, ",\"category\":")?;
    list(
        out,
        marks.iter().map(|mark| mark.kind.category().to_string()),
    )?;
    write!(out, ",\"length\":{}}}", marks.len())
}
