//! A recording piece by piece, with every event of every lock: what is done with it needs the space of a
//! piece, however long the recording is.
//!
//! What holds at the end of a piece is not carried over: to the next one the state of every lock is
//! unknown, as at the beginning of a recording.

use crate::exit::Failure;
use crate::{raw, trace_file};
use locklens_inference::collect::{Collected, Collector};
use locklens_inference::model::Options;
use locklens_trace::read::Item;
use locklens_trace::{Event, Nanos, Record};
use std::io;
use std::path::Path;

/// Events that a piece has at least: enough for borders to be rare, few enough to hold.
pub(crate) const PIECE: usize = 100_000;
/// Events at which a piece ends wherever it is, should the agent have said nothing for so long.
const TOO_LONG: usize = 4 * PIECE;

/// Gives the pieces of a trace to `each`, until it fails.
pub(crate) fn each(
    file: &Path,
    options: &Options,
    mut each: impl FnMut(&Collected) -> io::Result<()>,
) -> Result<io::Result<()>, Failure> {
    let first = Collector::of_piece(*options, raw::definitions(file)?);
    let mut piece = Piece::new(first);
    for item in trace_file::open(file)? {
        let Some(border) = piece.add(item) else {
            continue;
        };
        let later = piece.cut(border);
        let collected = piece.collector.finish();
        if let Err(error) = each(&collected) {
            return Ok(Err(error));
        }
        piece = Piece::new(Collector::of_next_piece(*options, collected));
        piece.held = later;
    }
    piece.settle();
    Ok(each(&piece.collector.finish()))
}

/// A piece that is being put together.
struct Piece {
    collector: Collector,
    /// Events that may yet turn out to belong to the next one.
    held: Vec<Event>,
    /// Events that certainly belong to this one.
    settled: usize,
}

impl Piece {
    fn new(collector: Collector) -> Self {
        Self {
            collector,
            held: Vec::new(),
            settled: 0,
        }
    }

    /// Takes in the next item; tells up to when the piece goes, if it ends here. It ends best where the
    /// agent says that all was sent up to a time: then no later event is older.
    fn add(&mut self, item: Item) -> Option<Nanos> {
        match item {
            Item::Gap(_) => {
                self.settle();
                self.collector.gap();
            }
            Item::Record(Record::Event(event)) => {
                self.held.push(event);
                return (self.len() >= TOO_LONG).then_some(Nanos(u64::MAX));
            }
            Item::Record(Record::Tick(tick)) => {
                return (self.len() >= PIECE).then_some(tick.at);
            }
            Item::Record(record @ (Record::Target(_) | Record::Lost(_) | Record::End(_))) => {
                self.collector.push(record);
            }
            // Definitions are known; of what was hidden there is nothing to show.
            Item::Record(_) => {}
        }
        None
    }

    fn len(&self) -> usize {
        self.settled + self.held.len()
    }

    /// All events held belong to this piece.
    fn settle(&mut self) {
        self.cut(Nanos(u64::MAX));
    }

    /// Events held belong to this piece if they are older than the border; the others are returned.
    fn cut(&mut self, border: Nanos) -> Vec<Event> {
        let held = std::mem::take(&mut self.held);
        let (piece, later): (Vec<_>, Vec<_>) = held.into_iter().partition(|e| e.at < border);
        self.settled += piece.len();
        for event in piece {
            self.collector.push(Record::Event(event));
        }
        later
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::chunk::{self, Encoder};
    use locklens_trace::record::{Owner, Tick};
    use locklens_trace::{EventKind, LockId, ThreadId};
    use std::fs;

    const EVENTS: u64 = 1_050_000;
    /// Events between two words of the agent.
    const ROUND: u64 = 1_000;

    /// Two threads that enter a lock in turn. The second thread's buffer is sent a round late.
    fn trace() -> Vec<u8> {
        let mut bytes = chunk::file_header().to_vec();
        for round in 0..=EVENTS / ROUND {
            let mut encoder = Encoder::new();
            let own = round * ROUND..(round + 1) * ROUND;
            let late = round.saturating_sub(1) * ROUND..round * ROUND;
            let first = own.filter(|n| *n < EVENTS).map(|n| (n, 1));
            let second = late.map(|n| (n, 2));
            first
                .chain(second)
                .filter(|(n, thread)| n % 2 + 1 == *thread)
                .for_each(|(n, thread)| encoder.push(&entered(n, thread)));
            encoder.push(&Record::Tick(Tick {
                at: Nanos(round * ROUND),
                agent_cpu: Nanos(0),
            }));
            bytes.extend(encoder.take_chunk());
        }
        bytes
    }

    fn entered(at: u64, thread: u64) -> Record {
        Record::Event(Event {
            at: Nanos(at),
            thread: ThreadId(thread as u32),
            kind: EventKind::Entered,
            lock: Some(LockId(1)),
            stack: None,
            owner: Owner::Unknown,
            seq: None,
        })
    }

    #[test]
    fn every_event_comes_once_and_in_order() {
        let file = std::env::temp_dir().join(format!("locklens-pieces-{}.llt", std::process::id()));
        fs::write(&file, trace()).unwrap();
        let mut times = Vec::new();
        let mut pieces = 0;
        let done = each(&file, &Options::default(), |piece| {
            pieces += 1;
            for log in &piece.locks {
                let events = log.windows.sequences(log.lock).concat();
                times.extend(events.iter().map(|event| event.at.0));
            }
            Ok(())
        });
        fs::remove_file(&file).unwrap();
        assert!(done.is_ok_and(|written| written.is_ok()));
        assert!(pieces >= EVENTS as usize / PIECE, "{pieces} pieces");
        assert!(times.into_iter().eq(0..EVENTS));
    }
}
