//! A recording as tables for other programs: Parquet files, one of each table, with the same first columns in all.
//!
//! Written while the recording is read for the second time: events as they come, stays and holds as a
//! [`Timeline`](locklens_inference::contention::timeline::Timeline) tells them, the rest at the end. What is kept is one row group of each table.
//! `schema` has the columns, `sheet` writes one file, `rows` says what stands in a row.

mod rows;
mod schema;
mod sheet;
#[cfg(test)]
mod tests;

use crate::export::Names;
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::Collected;
use locklens_inference::contention::Happening;
use locklens_inference::nesting::graph::Graph;
use locklens_trace::record::{Record, target_key};
use sha2::{Digest, Sha256};
use sheet::{Cell, Sheet, maybe, text};
use std::fmt::Write as _;
use std::io::{self, Write};

/// The names of all tables.
pub fn names() -> impl Iterator<Item = &'static str> {
    schema::TABLES.iter().map(|table| table.name)
}

/// What a recording is called in tables that have many: 16 digits that its facts give, the same each time.
#[must_use]
pub fn recording_id(collected: &Collected) -> String {
    let mut hash = Sha256::new();
    for part in collected
        .target
        .iter()
        .flat_map(|(key, value)| [key, value])
    {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let recording = &collected.recording;
    for number in [recording.duration.0, recording.events, recording.lost] {
        hash.update(number.to_le_bytes());
    }
    let mut id = String::new();
    for byte in hash.finalize().iter().take(8) {
        // Writing to a text can't fail.
        let _ = write!(id, "{byte:02x}");
    }
    id
}

/// When a recording began, nanoseconds since 1970, if that is known.
#[must_use]
pub fn started(collected: &Collected) -> Option<u64> {
    let started = collected.target.get(target_key::STARTED_UNIX_NS)?;
    started.parse().ok().filter(|&ns| ns > 0)
}

/// See the module.
pub struct Tables<'a, W: Write + Send> {
    names: Names<'a>,
    recordings: Sheet<W>,
    threads: Sheet<W>,
    stacks: Sheet<W>,
    objects: Sheet<W>,
    locks: Sheet<W>,
    events: Events<'a, W>,
    stays: Stays<'a, W>,
    edges: Sheet<W>,
}

/// The table of events.
pub struct Events<'a, W: Write + Send> {
    names: Names<'a>,
    events: Sheet<W>,
}

/// The tables of what a timeline tells.
pub struct Stays<'a, W: Write + Send> {
    names: Names<'a>,
    contentions: Sheet<W>,
    shares: Sheet<W>,
    holds: Sheet<W>,
    sites: rows::Sites,
    /// Contentions told.
    told: i64,
}

impl<'a, W: Write + Send> Tables<'a, W> {
    /// Tables of that recording, each written to what `open` gives for its name.
    ///
    /// # Errors
    /// When `open` fails or what it gave.
    pub fn begin(
        collected: &'a Collected,
        analysis: &'a Analysis,
        open: &mut dyn FnMut(&'static str) -> io::Result<W>,
    ) -> io::Result<Self> {
        let pid = collected.target.get(target_key::PID);
        let pid = pid.and_then(|pid| pid.parse().ok());
        let started = started(collected).map(|ns| ns / 1000);
        let common = [
            text(&recording_id(collected)),
            maybe(pid, Cell::Number),
            maybe(started, sheet::number),
        ];
        let mut sheet = |table: schema::Table| Sheet::begin(&table, &common, open(table.name)?);
        Ok(Self {
            names: Names::of(collected, analysis),
            recordings: sheet(schema::RECORDINGS)?,
            threads: sheet(schema::THREADS)?,
            stacks: sheet(schema::STACKS)?,
            objects: sheet(schema::OBJECTS)?,
            locks: sheet(schema::LOCKS)?,
            events: Events {
                names: Names::of(collected, analysis),
                events: sheet(schema::EVENTS)?,
            },
            stays: Stays {
                names: Names::of(collected, analysis),
                contentions: sheet(schema::CONTENTIONS)?,
                shares: sheet(schema::SHARES)?,
                holds: sheet(schema::HOLDS)?,
                sites: rows::Sites::default(),
                told: 0,
            },
            edges: sheet(schema::EDGES)?,
        })
    }

    /// What is written while the recording is read: each can be done by a thread of its own.
    pub fn parts(&mut self) -> (&mut Events<'a, W>, &mut Stays<'a, W>) {
        (&mut self.events, &mut self.stays)
    }
}

impl<W: Write + Send> Events<'_, W> {
    /// Takes in the next record of the file.
    ///
    /// # Errors
    /// When a table can't be written.
    pub fn see(&mut self, record: &Record) -> io::Result<()> {
        match rows::event(record, &self.names) {
            Some(row) => self.events.row(row),
            None => Ok(()),
        }
    }
}

impl<W: Write + Send> Stays<'_, W> {
    /// Takes in what a timeline tells.
    ///
    /// # Errors
    /// When a table can't be written.
    pub fn tell(&mut self, happening: &Happening) -> io::Result<()> {
        match happening {
            Happening::Stay(span) => {
                self.told += 1;
                let row = rows::contention(self.told, span, &self.names, &mut self.sites);
                self.contentions.row(row)?;
                let shares = span.shares.iter().zip(1..);
                for (share, nth) in shares {
                    let row =
                        rows::share((self.told, nth), share, span, &self.names, &mut self.sites);
                    self.shares.row(row)?;
                }
                Ok(())
            }
            Happening::Hold(hold) => self.holds.row(rows::hold(hold, &self.names)),
            // The first can be counted from the contentions, the others are events.
            Happening::Queue(_) | Happening::Used(_) | Happening::Lost(_) => Ok(()),
        }
    }
}

impl<W: Write + Send> Tables<'_, W> {
    /// Writes what is known at the end only, and the ends of all files: what they were written to, in the order of [`names`].
    ///
    /// # Errors
    /// When a table can't be written.
    pub fn end(mut self, graph: &Graph) -> io::Result<Vec<W>> {
        self.recordings.row(rows::recording(&self.names))?;
        for thread in self.names.catalog().threads.values() {
            self.threads.row(rows::thread(thread))?;
        }
        for stack in self.names.catalog().stacks.values() {
            for (frame, depth) in stack.frames.iter().zip(0..) {
                let row = rows::frame(stack, depth, frame, &self.names);
                self.stacks.row(row)?;
            }
        }
        for object in self.names.catalog().locks.values() {
            self.objects.row(rows::object(object, &self.names))?;
        }
        let model = &self.names.analysis.model;
        for lock in &model.locks {
            self.locks.row(rows::lock(lock, &model.recording))?;
        }
        for edge in &graph.edges {
            self.edges.row(rows::edge(edge, graph))?;
        }
        let all = [
            self.recordings,
            self.threads,
            self.stacks,
            self.objects,
            self.locks,
            self.events.events,
            self.stays.contentions,
            self.stays.shares,
            self.stays.holds,
            self.edges,
        ];
        all.into_iter().map(Sheet::end).collect()
    }
}
