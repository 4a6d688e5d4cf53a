//! What the agent sends, handed on to those who make something of it.

use crate::record::sink::Sink;
use locklens_trace::{Record, batch};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;

/// Some records; none when it begins.
pub(super) type Batch = Arc<[Record]>;

/// Hands everything on to everybody. Who is slow holds it up: what finds no room in the JVM then is dropped and counted.
pub(super) struct Feed<'a> {
    to: [SyncSender<Batch>; 2],
    is_over: &'a AtomicBool,
}

impl<'a> Feed<'a> {
    /// Until somebody says that it `is_over`.
    pub(super) fn new(to: [SyncSender<Batch>; 2], is_over: &'a AtomicBool) -> Self {
        Self { to, is_over }
    }

    fn hand_on(&self, records: Vec<Record>) {
        let batch: Batch = records.into();
        for to in &self.to {
            // Who has gone wants nothing any more.
            let _ = to.send(Arc::clone(&batch));
        }
    }
}

impl Sink for Feed<'_> {
    fn begin(&mut self) -> io::Result<()> {
        self.hand_on(Vec::new());
        Ok(())
    }

    fn take(&mut self, batch: &batch::Batch) -> io::Result<()> {
        self.hand_on(batch.to_records());
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    fn talks(&self) -> bool {
        true
    }
}
