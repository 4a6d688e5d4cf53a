//! What goes into a batch comes out of it, whichever way it came.

use locklens_trace::batch::Batch;
use locklens_trace::chunk::{self, CHUNK_HEADER_LEN, Encoder};
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

fn records() -> impl Strategy<Value = Vec<Record>> {
    let hidden = |events| {
        Record::Hidden(Hidden {
            name: "x".into(),
            events,
        })
    };
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

proptest! {
    #[test]
    fn chunks_become_one_in_order(first in records(), second in records()) {
        let mut batch = Batch::default();
        prop_assert!(batch.take_in(&chunk(&first)));
        prop_assert!(batch.take_in(&chunk::compress(&chunk(&second)).expect("a whole chunk")));
        let all = [first, second].concat();
        prop_assert_eq!(batch.len(), all.len());
        prop_assert_eq!(&batch.to_records(), &all);
        prop_assert_eq!(read(&chunk::pack_batch(&batch)), all);
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
fn others_are_changed_and_left_out_where_they_stand() {
    let hidden = |events| {
        Record::Hidden(Hidden {
            name: "x".into(),
            events,
        })
    };
    let event = Record::Event(Event {
        at: Nanos(1),
        thread: ThreadId(1),
        kind: EventKind::Exit,
        lock: Some(LockId(1)),
        stack: None,
        owner: Owner::Unknown,
        seq: None,
    });
    let mut batch = Batch::from_iter([
        hidden(1),
        event.clone(),
        hidden(2),
        hidden(3),
        event.clone(),
    ]);
    batch.change_others(|record| match record {
        Record::Hidden(Hidden { events, .. }) => hidden(events * 10),
        other => other,
    });
    batch.retain_others(|record, next| *record != hidden(20) || next.is_none());
    let left = [hidden(10), event.clone(), hidden(30), event];
    assert_eq!(batch.to_records(), left);
    batch.clear();
    assert!(batch.is_empty());
}
