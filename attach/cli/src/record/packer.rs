//! Chunks from the agent, some at a time, as records.
//!
//! The agent sends what it has ten times a second, whatever that is, in a form that costs it little. Small
//! chunks pack badly, so their records wait here for company: not for long, as they are lost should this
//! command be killed meanwhile.

use locklens_trace::Record;
use locklens_trace::batch::Batch;
use locklens_trace::chunk::{self, ChunkHeader};
use locklens_trace::read::{Item, Reader};
use std::io::{self, Read};
use std::time::{Duration, Instant};

/// Longest time a record waits.
const LONGEST: Duration = Duration::from_millis(500);
/// Bytes of records, as they come from the agent, that wait at most: more company makes hardly any difference.
const MOST: usize = 64 << 10;

/// Bytes of records in the largest chunk that waits. An agent's are some 48 KiB; a larger one is kept as it is,
/// as what takes little room in it may take much in memory.
const LARGEST: usize = 1 << 20;

/// Records that wait.
#[derive(Debug, Default)]
pub(super) struct Packer {
    batch: Batch,
    bytes: usize,
    since: Option<Instant>,
}

impl Packer {
    /// Takes in a chunk as it came from the agent; false, and nothing of it is taken in, if it can't be read to
    /// its end or is too large to wait.
    pub(super) fn take_in(&mut self, chunk: &[u8]) -> bool {
        let header = ChunkHeader::parse(chunk).filter(|header| header.raw_len <= LARGEST);
        let Some(header) = header else {
            return false;
        };
        if !self.batch.take_in(chunk) {
            return false;
        }
        self.bytes += header.raw_len;
        self.since.get_or_insert_with(Instant::now);
        true
    }

    /// What waits has waited long enough, or is enough.
    pub(super) fn is_due(&self) -> bool {
        let is_old = |since: Instant| since.elapsed() >= LONGEST;
        self.bytes >= MOST || self.since.is_some_and(is_old)
    }

    /// All that waits.
    pub(super) fn waiting(&self) -> &Batch {
        &self.batch
    }

    /// Nothing waits any more.
    pub(super) fn clear(&mut self) {
        self.batch.clear();
        self.bytes = 0;
        self.since = None;
    }
}

/// What can be read of a chunk as it came from the agent.
pub(crate) fn readable(chunk: &[u8]) -> impl Iterator<Item = Record> {
    let header = io::Cursor::new(chunk::file_header());
    let items = Reader::new(header.chain(chunk)).into_iter().flatten();
    items.filter_map(|item| match item {
        Item::Record(record) => Some(record),
        Item::Gap(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::chunk::{CHUNK_HEADER_LEN, Encoder};
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
        assert!(packer.waiting().is_empty());
        assert!(packer.take_in(&chunk(&[hidden(1), hidden(2)])));
        assert!(packer.take_in(&chunk(&[hidden(3)])));
        let records = packer.waiting().to_records();
        assert_eq!(records, [hidden(1), hidden(2), hidden(3)]);
        packer.clear();
        assert!(packer.waiting().is_empty());
        assert!(packer.take_in(&chunk::pack(records.iter())));
        assert_eq!(packer.waiting().to_records(), records);
    }

    #[test]
    fn of_a_chunk_that_is_damaged_nothing_is_taken() {
        let mut packer = Packer::default();
        let mut damaged = chunk(&[hidden(1), hidden(2)]);
        damaged[CHUNK_HEADER_LEN] ^= 1;
        assert!(!packer.take_in(&damaged));
        assert!(!packer.take_in(b"no chunk"));
        assert!(packer.waiting().is_empty());
    }

    /// Compressed, they would be next to nothing.
    #[test]
    fn a_chunk_of_more_than_an_agent_sends_does_not_wait() {
        let mut packer = Packer::default();
        let large = chunk(&vec![hidden(1); LARGEST / 4 + 1]);
        for large in [chunk::compress(&large).unwrap(), large] {
            assert!(!packer.take_in(&large));
            assert!(packer.waiting().is_empty());
            assert_eq!(readable(&large).count(), LARGEST / 4 + 1);
        }
    }

    #[test]
    fn what_is_enough_is_told_by_what_it_is_unpacked() {
        let mut packer = Packer::default();
        let small = chunk::compress(&chunk(&vec![hidden(1); MOST / 2])).unwrap();
        assert!(small.len() < MOST && packer.take_in(&small));
        assert!(packer.is_due());
    }

    #[test]
    fn enough_does_not_wait() {
        let mut packer = Packer::default();
        assert!(!packer.is_due());
        while packer.bytes < MOST {
            assert!(packer.take_in(&chunk(&vec![hidden(u64::MAX); 1000])));
        }
        assert!(packer.is_due());
        packer.clear();
        assert!(!packer.is_due());
    }
}
