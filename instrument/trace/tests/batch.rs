//! What goes into a batch comes out of it, whichever way it came.

use locklens_trace::batch::Batch;
use locklens_trace::chunk::{self, CHUNK_HEADER_LEN, ChunkHeader, Encoder};
use locklens_trace::read::{Item, Reader};
use locklens_trace::record::{Event, EventKind, Hidden, Owner, Record};
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use proptest::prelude::*;

fn event() -> impl Strategy<Value = Record> {
    let kinds = prop_oneof![
        Just(EventKind::Entered),
        Just(EventKind::Exit),
        Just(EventKind::Enter),
        any::<Option<u32>>().prop_map(|ms| EventKind::Wait {
            timeout: ms.map(|ms| Nanos::from_millis(ms.into())),
        }),
    ];
    // Threads that share their low bits, too.
    let threads = prop_oneof![1..4_u32, (1..4_u32).prop_map(|n| n << 8), any::<u32>()];
    let ids = (threads, 1..40_u32, any::<Option<u32>>());
    (0..1_u64 << 40, kinds, ids).prop_map(|(at, kind, (thread, lock, stack))| {
        Record::Event(Event {
            at: Nanos(at),
            thread: ThreadId(thread),
            kind,
            lock: Some(LockId(lock)),
            stack: stack.map(StackId),
            owner: Owner::Unknown,
            seq: None,
        })
    })
}

fn hidden(events: u64) -> Record {
    Record::Hidden(Hidden {
        name: "x".into(),
        events,
    })
}

fn records() -> impl Strategy<Value = Vec<Record>> {
    let other = any::<u64>().prop_map(hidden);
    prop::collection::vec(prop_oneof![9 => event(), 1 => other], 0..200)
}

fn chunk(records: &[Record]) -> Vec<u8> {
    let mut encoder = Encoder::new();
    for record in records {
        match record {
            Record::Event(event) => encoder.push_event(event),
            other => encoder.push(other),
        }
    }
    encoder.take_chunk()
}

fn read(chunk: &[u8]) -> Vec<Record> {
    let header = chunk::file_header_with(chunk::feature::PACKED);
    let bytes = [&header[..], chunk].concat();
    let items = Reader::new(&bytes[..]).expect("the header is whole");
    let records = items.map(|item| match item {
        Item::Record(record) => record,
        Item::Gap(gap) => panic!("{gap:?}"),
    });
    records.collect()
}

/// What a reader makes of the same bytes, if nothing of them is missing.
fn read_whole(chunk: &[u8]) -> Option<Vec<Record>> {
    let header = ChunkHeader::parse(chunk)?;
    let is_one = chunk.len() == CHUNK_HEADER_LEN + header.stored_len;
    let bytes = [&chunk::file_header()[..], chunk].concat();
    let items = Reader::new(&bytes[..]).expect("the header is whole");
    let records = items.map(|item| match item {
        Item::Record(record) => Some(record),
        Item::Gap(_) => None,
    });
    records.collect::<Option<Vec<_>>>().filter(|_| is_one)
}

proptest! {
    #[test]
    fn what_is_taken_in_is_what_a_reader_reads(
        before in records(),
        mut raw in prop::collection::vec(any::<u8>(), 0..300),
        records in records(),
        cut in any::<prop::sample::Index>(),
        form in 0..3,
    ) {
        // The beginning of what an agent sends, and then anything.
        let sent = &chunk(&records)[CHUNK_HEADER_LEN..];
        raw.splice(..0, sent[..cut.index(sent.len() + 1)].iter().copied());
        let plain = chunk::frame_for_tests(&raw);
        let bytes = match form {
            0 => plain,
            1 => chunk::compress(&plain).expect("a whole chunk"),
            _ => raw,
        };
        let mut batch: Batch = before.iter().cloned().collect();
        let expected = read_whole(&bytes);
        prop_assert_eq!(batch.take_in(&bytes), expected.is_some());
        let all = [before, expected.unwrap_or_default()].concat();
        prop_assert_eq!(batch.to_records(), all);
    }

    #[test]
    fn chunks_become_one_in_order(first in records(), second in records()) {
        let mut batch = Batch::default();
        prop_assert!(batch.take_in(&chunk(&first)));
        prop_assert!(batch.take_in(&chunk::compress(&chunk(&second)).expect("a whole chunk")));
        let all = [first, second].concat();
        prop_assert_eq!(batch.len(), all.len());
        prop_assert_eq!(&batch.to_records(), &all);
        prop_assert_eq!(read(&chunk::pack_apart(batch.events(), batch.others())), all);
    }

    #[test]
    fn an_event_is_encoded_as_its_record_is(records in records()) {
        let mut encoder = Encoder::new();
        records.iter().for_each(|record| encoder.push(record));
        prop_assert_eq!(encoder.take_chunk(), chunk(&records));
    }

    #[test]
    fn of_what_cannot_be_read_to_its_end_nothing_is_taken(
        before in records(), records in records(), place: prop::sample::Index, bit in 0..8_u32
    ) {
        let mut batch: Batch = before.iter().cloned().collect();
        let mut damaged = chunk(&records);
        let place = place.index(damaged.len());
        damaged[place] ^= 1 << bit;
        prop_assert!(!batch.take_in(&damaged));
        prop_assert_eq!(&batch.to_records(), &before);
        // The checksum is right here, and the last record is not whole.
        let raw = &chunk(&records)[CHUNK_HEADER_LEN..];
        if let [rest @ .., _] = raw {
            let cut = chunk::frame_for_tests(rest);
            prop_assert_eq!(batch.take_in(&cut), rest.is_empty());
            prop_assert_eq!(batch.to_records(), before);
        }
    }
}

#[test]
fn a_batch_that_is_cleared_is_empty() {
    let mut batch: Batch = [hidden(1), hidden(2)].into_iter().collect();
    batch.clear();
    assert!(batch.is_empty());
}
