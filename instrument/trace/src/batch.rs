//! Records of several chunks on their way into one.
//!
//! Nearly all are events, which take a fraction of the room that any record may take. So the two are kept apart, and every pass over
//! events reads nothing but events.

use crate::chunk::{self, CHUNK_HEADER_LEN, ChunkHeader};
use crate::decode;
use crate::encode::Predictor;
use crate::read::{Item, Reader};
use crate::record::{Event, Record};
use crate::wire::Input;
use std::io::Read;

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    events: Vec<Event>,
    /// Each with the number of events before it.
    others: Vec<(usize, Record)>,
}

impl Batch {
    /// Appends a record.
    pub fn push(&mut self, record: Record) {
        match record {
            Record::Event(event) => self.events.push(event),
            other => self.others.push((self.events.len(), other)),
        }
    }

    /// Appends what is in a chunk; false, and nothing is appended, if it can't be read to its end.
    pub fn take_in(&mut self, chunk: &[u8]) -> bool {
        let before = (self.events.len(), self.others.len());
        let is_whole = self.read(chunk).is_some();
        if !is_whole {
            self.events.truncate(before.0);
            self.others.truncate(before.1);
        }
        is_whole
    }

    fn read(&mut self, chunk: &[u8]) -> Option<()> {
        let header = ChunkHeader::parse(chunk)?;
        let (head, payload) = chunk.split_at(CHUNK_HEADER_LEN);
        match header.plain(head, payload) {
            Some(raw) => self.read_plain(raw, header.events as usize),
            None => self.read_any(chunk),
        }
    }

    /// What an agent sends.
    fn read_plain(&mut self, raw: &[u8], events: usize) -> Option<()> {
        let mut predictor = Predictor::default();
        // An event takes three bytes at least: no more room is made than these can fill.
        self.events.reserve(events.min(raw.len() / 3));
        let mut input = Input::new(raw, 0);
        while input.position() < raw.len() {
            let head = input.u8().ok()?;
            match decode::is_event(head) {
                true => {
                    let event = decode::event(&mut input, &mut predictor, head);
                    self.events.push(event.ok()?);
                }
                false => self.push(decode::other(&mut input, head).ok()?),
            }
        }
        Some(())
    }

    fn read_any(&mut self, chunk: &[u8]) -> Option<()> {
        let header = chunk::file_header();
        for item in Reader::new(header.chain(chunk)).ok()? {
            match item {
                Item::Record(record) => self.push(record),
                Item::Gap(_) => return None,
            }
        }
        Some(())
    }

    /// Records in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.events.len() + self.others.len()
    }

    /// Nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets all of it, but keeps the room.
    pub fn clear(&mut self) {
        self.events.clear();
        self.others.clear();
    }

    /// The events, in order.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The other records, in order, each with the number of events before it.
    #[must_use]
    pub fn others(&self) -> &[(usize, Record)] {
        &self.others
    }

    /// All records, in order.
    #[must_use]
    pub fn to_records(&self) -> Vec<Record> {
        let mut records = Vec::with_capacity(self.len());
        let mut from = 0;
        let events =
            |from: usize, to: usize| self.events[from..to].iter().map(|&e| Record::Event(e));
        for (before, record) in &self.others {
            records.extend(events(from, *before));
            records.push(record.clone());
            from = *before;
        }
        records.extend(events(from, self.events.len()));
        records
    }
}

impl Extend<Record> for Batch {
    fn extend<T: IntoIterator<Item = Record>>(&mut self, records: T) {
        records.into_iter().for_each(|record| self.push(record));
    }
}

impl FromIterator<Record> for Batch {
    fn from_iter<T: IntoIterator<Item = Record>>(records: T) -> Self {
        let mut batch = Self::default();
        batch.extend(records);
        batch
    }
}
