//! Who takes what the agent sends: a trace file, or somebody who only looks at it.

use super::output::TraceFile;
use super::packer;
use locklens_trace::batch::Batch;
use locklens_trace::{Record, chunk};
use std::io;

/// Takes a recording, some records at a time and in order. An error ends the recording.
pub(crate) trait Sink {
    /// It begins: the agent is there.
    fn begin(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// The next records.
    fn take(&mut self, batch: &Batch) -> io::Result<()>;

    /// The next chunk, which cannot be read to its end or is very large: as it came.
    fn take_odd(&mut self, chunk: &[u8]) -> io::Result<()> {
        self.take(&packer::readable(chunk).collect())
    }

    /// Bytes written so far.
    fn written(&self) -> u64 {
        0
    }

    /// It has what it wants: the recording may end.
    fn is_done(&self) -> bool {
        false
    }

    /// It says itself how things go: no line beside it.
    fn talks(&self) -> bool {
        false
    }
}

impl Sink for TraceFile {
    fn begin(&mut self) -> io::Result<()> {
        Self::begin(self)
    }

    fn take(&mut self, batch: &Batch) -> io::Result<()> {
        let (events, others) = (batch.events(), self.kept(batch.others()));
        if events.is_empty() && others.is_empty() {
            return Ok(());
        }
        let is_tick = |(_, other): &(usize, Record)| matches!(other, Record::Tick(_));
        let packed = chunk::pack_apart(events, &others);
        let events = !events.is_empty() || !others.iter().all(is_tick);
        self.append(&packed)?;
        self.tell_reader(events);
        Ok(())
    }

    fn take_odd(&mut self, chunk: &[u8]) -> io::Result<()> {
        match self.is_discreet() {
            false => self.append(chunk),
            true => self.take(&packer::readable(chunk).collect()),
        }
    }

    fn written(&self) -> u64 {
        self.len()
    }
}
