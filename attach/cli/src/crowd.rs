//! One who reads a trace on a thread of its own, and one or several who take all of it in.

use locklens_trace::Record;
use locklens_trace::read::{Item, Reader};
use std::io::Read;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, Scope, ScopedJoinHandle};

/// Parts of a trace that are handed on together: few enough to be in the cache of the processor still when they are taken in.
const BATCH: usize = 1024;
/// How many times that the slowest may be behind.
const AHEAD: usize = 16;

/// Some of a trace.
#[derive(Default)]
struct Batch {
    items: Vec<Item>,
    /// Before which of them a chunk begins, and where in the file that is.
    chunks: Vec<(usize, u64)>,
}

/// Those who want all of it.
#[derive(Default)]
pub(crate) struct Crowd {
    members: Vec<SyncSender<Arc<Batch>>>,
    stop: Stop,
}

/// Has somebody read no further, where what comes of it is of no use any more.
#[derive(Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn now(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Waits for what a thread gives; its panic goes on here.
pub(crate) fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// What one of them is given.
pub(crate) struct Share(Receiver<Arc<Batch>>);

/// Reads on a thread of its own, and takes everything in here.
pub(crate) fn each(reader: Reader<impl Read + Send>, see: impl FnMut(&Item)) {
    thread::scope(|scope| {
        let mut crowd = Crowd::default();
        let share = crowd.member();
        let reading = crowd.read(scope, reader);
        share.each(see);
        joined(reading);
    });
}

impl Crowd {
    /// One more, who gets everything.
    pub(crate) fn member(&mut self) -> Share {
        let (sender, receiver) = sync_channel(AHEAD);
        self.members.push(sender);
        Share(receiver)
    }

    /// By which it is stopped.
    pub(crate) fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Has a thread read, up to the end or until it is stopped; how far it came.
    pub(crate) fn read<'scope, R: Read + Send + 'scope>(
        self,
        scope: &'scope Scope<'scope, '_>,
        mut reader: Reader<R>,
    ) -> ScopedJoinHandle<'scope, u64> {
        scope.spawn(move || {
            let (mut batch, mut here) = (Batch::default(), 0);
            while let Some(item) = reader.next_item() {
                if reader.chunk_offset() != here {
                    here = reader.chunk_offset();
                    batch.chunks.push((batch.items.len(), here));
                }
                batch.items.push(item);
                if batch.items.len() >= BATCH {
                    self.hand_on(std::mem::take(&mut batch));
                    if self.stop.0.load(Ordering::Relaxed) {
                        break;
                    }
                    batch.items.reserve(BATCH);
                }
            }
            self.hand_on(batch);
            reader.position()
        })
    }

    fn hand_on(&self, batch: Batch) {
        let batch = Arc::new(batch);
        for member in &self.members {
            // One that is gone has panicked: whoever joins its thread learns of that.
            let _ = member.send(Arc::clone(&batch));
        }
    }
}

impl Share {
    /// Gives each part in turn, until that was all.
    pub(crate) fn each(self, mut see: impl FnMut(&Item)) {
        for batch in self.0 {
            batch.items.iter().for_each(&mut see);
        }
    }

    /// Tells where each chunk begins, too, and for whom: `to` is somebody who takes in both.
    pub(crate) fn each_of<T>(
        self,
        to: &mut T,
        mut begins: impl FnMut(&mut T, u64),
        mut see: impl FnMut(&mut T, &Item),
    ) {
        for batch in self.0 {
            let mut chunks = batch.chunks.iter().peekable();
            for (at, item) in batch.items.iter().enumerate() {
                while let Some((_, offset)) = chunks.next_if(|(before, _)| *before == at) {
                    begins(to, *offset);
                }
                see(to, item);
            }
        }
    }

    /// Gives each record, and passes over what is missing.
    pub(crate) fn each_record(self, mut see: impl FnMut(&Record)) {
        self.each(|item| match item {
            Item::Record(record) => see(record),
            Item::Gap(_) => {}
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::chunk::{self, Encoder};
    use locklens_trace::record::Tick;
    use locklens_trace::{Nanos, Record};

    fn tick(at: usize) -> Record {
        Record::Tick(Tick {
            at: Nanos(at as u64),
            agent_cpu: Nanos(0),
        })
    }

    /// A trace of so many heartbeats, in chunks of a hundred.
    fn trace(many: usize) -> Vec<u8> {
        let mut bytes = chunk::file_header().to_vec();
        for first in (0..many).step_by(100) {
            let mut encoder = Encoder::new();
            (first..many.min(first + 100)).for_each(|at| encoder.push(&tick(at)));
            bytes.extend(encoder.take_chunk());
        }
        bytes
    }

    #[test]
    fn everybody_gets_everything_in_order() {
        for many in [0, 1, BATCH, 3 * BATCH + 1] {
            let bytes = trace(many);
            let mut alone = Reader::new(&bytes[..]).unwrap();
            let (mut offsets, mut here) = (Vec::new(), 0);
            while let Some(item) = alone.next_item() {
                if alone.chunk_offset() != here {
                    here = alone.chunk_offset();
                    offsets.push((here, item));
                }
            }
            let got = thread::scope(|scope| {
                let mut crowd = Crowd::default();
                let (own, other) = (crowd.member(), crowd.member());
                let other = scope.spawn(|| {
                    let mut seen = Vec::new();
                    other.each_record(|record| seen.push(record.clone()));
                    seen
                });
                let reading = crowd.read(scope, Reader::new(&bytes[..]).unwrap());
                let mut seen = (Vec::new(), Vec::new());
                own.each_of(
                    &mut seen,
                    |(begun, items), offset| begun.push((items.len(), offset)),
                    |(_, items), item| items.push(item.clone()),
                );
                assert_eq!(joined(reading), bytes.len() as u64);
                (seen, joined(other))
            });
            let all: Vec<Record> = (0..many).map(tick).collect();
            let ((begun, items), other) = got;
            assert_eq!(other, all, "{many}");
            assert_eq!(items, Vec::from_iter(all.into_iter().map(Item::Record)));
            let begun = begun
                .iter()
                .map(|&(at, offset)| (offset, items[at].clone()));
            assert_eq!(Vec::from_iter(begun), offsets);
        }
    }

    #[test]
    fn who_is_stopped_reads_no_further() {
        let bytes = trace(100 * BATCH);
        let end = thread::scope(|scope| {
            let mut crowd = Crowd::default();
            let (share, stop) = (crowd.member(), crowd.stop());
            let reading = crowd.read(scope, Reader::new(&bytes[..]).unwrap());
            share.each(|_| stop.now());
            joined(reading)
        });
        assert!(end < bytes.len() as u64 / 2, "{end}");
    }
}
