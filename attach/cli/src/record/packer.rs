//! Chunks from the agent to chunks for the file: fewer, larger, packed close.
//!
//! The agent sends what it has ten times a second, whatever that is, in a form that costs it little. Small
//! chunks pack badly, so their records wait here for company: not for long, as they are lost should this
//! command be killed meanwhile.

use locklens_trace::Record;
use locklens_trace::chunk::{self, CHUNK_HEADER_LEN};
use locklens_trace::read::{Item, Reader};
use std::io::Read;
use std::time::{Duration, Instant};

/// Longest time a record waits.
const LONGEST: Duration = Duration::from_millis(500);
/// Bytes, as they come from the agent, that wait at most: more company makes hardly any difference.
const MOST: usize = 64 << 10;

/// Records that wait.
#[derive(Debug, Default)]
pub(super) struct Packer {
    records: Vec<Record>,
    bytes: usize,
    since: Option<Instant>,
}

/// A chunk for the file, and what is in it.
#[derive(Debug)]
pub(super) struct Packed {
    pub(super) chunk: Vec<u8>,
    pub(super) records: Vec<Record>,
}

impl Packer {
    /// Takes in a chunk as it came from the agent; false, and nothing of it is taken in, if it can't be read to
    /// its end.
    pub(super) fn take_in(&mut self, chunk: &[u8]) -> bool {
        let header = chunk::file_header();
        let Ok(reader) = Reader::new(header.as_slice().chain(chunk)) else {
            return false;
        };
        let before = self.records.len();
        for item in reader {
            let Item::Record(record) = item else {
                self.records.truncate(before);
                return false;
            };
            self.records.push(record);
        }
        self.bytes += chunk.len().saturating_sub(CHUNK_HEADER_LEN);
        self.since.get_or_insert_with(Instant::now);
        true
    }

    /// What waits has waited long enough, or is enough.
    pub(super) fn is_due(&self) -> bool {
        let is_old = |since: Instant| since.elapsed() >= LONGEST;
        self.bytes >= MOST || self.since.is_some_and(is_old)
    }

    /// All that waits; none if nothing does.
    pub(super) fn take(&mut self) -> Option<Packed> {
        let Self { records, .. } = std::mem::take(self);
        (!records.is_empty()).then(|| Packed {
            chunk: chunk::pack(records.iter()),
            records,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::chunk::Encoder;
    use locklens_trace::record::Hidden;

    fn hidden(events: u64) -> Record {
        Record::Hidden(Hidden {
            name: "x".into(),
            events,
        })
    }

    fn chunk(records: &[Record]) -> Vec<u8> {
        let mut encoder = Encoder::new();
        records.iter().for_each(|record| encoder.push(record));
        encoder.take_chunk()
    }

    #[test]
    fn several_chunks_become_one() {
        let mut packer = Packer::default();
        assert!(packer.take().is_none());
        assert!(packer.take_in(&chunk(&[hidden(1), hidden(2)])));
        assert!(packer.take_in(&chunk(&[hidden(3)])));
        let packed = packer.take().unwrap();
        assert_eq!(packed.records, [hidden(1), hidden(2), hidden(3)]);
        assert!(packer.take().is_none());
        let mut after = Packer::default();
        assert!(after.take_in(&packed.chunk));
        assert_eq!(after.records, packed.records);
    }

    #[test]
    fn of_a_chunk_that_is_damaged_nothing_is_taken() {
        let mut packer = Packer::default();
        let mut damaged = chunk(&[hidden(1), hidden(2)]);
        damaged[CHUNK_HEADER_LEN] ^= 1;
        assert!(!packer.take_in(&damaged));
        assert!(!packer.take_in(b"no chunk"));
        assert!(packer.take().is_none());
    }

    #[test]
    fn enough_does_not_wait() {
        let mut packer = Packer::default();
        assert!(!packer.is_due());
        while packer.bytes < MOST {
            assert!(packer.take_in(&chunk(&vec![hidden(u64::MAX); 1000])));
        }
        assert!(packer.is_due());
        packer.take();
        assert!(!packer.is_due());
    }
}
