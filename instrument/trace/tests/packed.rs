//! Records packed close come back as they were, whatever bytes claim to be some. That any record does and
//! what damage costs is in `trace.rs`.

use locklens_trace::chunk;
use locklens_trace::ids::{LockId, Nanos, StackId, ThreadId};
use locklens_trace::read::{GapCause, Item, Reader};
use locklens_trace::record::{Event, EventKind, Hidden, Owner, Record};
use proptest::prelude::*;

/// Events as they follow each other in a program: of few threads on few locks, in order of time.
fn likely() -> impl Strategy<Value = Record> {
    let kind = prop_oneof![
        Just(EventKind::Enter),
        Just(EventKind::Entered),
        Just(EventKind::Wait { timeout: None }),
        Just(EventKind::Waited { timed_out: false }),
    ];
    let flags = any::<[bool; 2]>();
    (kind, 1..5u32, 1..4u32, 0..9u64, flags).prop_map(|(kind, thread, lock, at, flags)| {
        let [stack, seq] = flags;
        Record::Event(Event {
            at: Nanos(1_000_000 + at),
            thread: ThreadId(thread),
            kind,
            lock: Some(LockId(lock)),
            stack: stack.then_some(StackId(lock)),
            owner: match kind {
                EventKind::Enter => Owner::Thread(ThreadId(lock)),
                _ => Owner::Unknown,
            },
            seq: seq.then_some(lock + at as u32),
        })
    })
}

fn hidden() -> impl Strategy<Value = Record> {
    ("[a-c]{0,5}", any::<u64>()).prop_map(|(name, events)| Record::Hidden(Hidden { name, events }))
}

fn read(bytes: &[u8]) -> (Vec<Record>, Vec<GapCause>) {
    let (mut records, mut gaps) = (Vec::new(), Vec::new());
    for item in Reader::new(bytes).expect("the header is whole") {
        match item {
            Item::Record(record) => records.push(record),
            Item::Gap(gap) => gaps.push(gap.cause),
        }
    }
    (records, gaps)
}

/// A trace of one packed chunk.
fn trace(records: &[Record]) -> Vec<u8> {
    let header = chunk::file_header_with(chunk::feature::PACKED);
    [&header[..], &chunk::pack(records.iter())].concat()
}

proptest! {
    #[test]
    fn what_goes_as_usual_comes_back(
        records in proptest::collection::vec(prop_oneof![9 => likely(), 1 => hidden()], 0..200)
    ) {
        prop_assert_eq!(read(&trace(&records)), (records, vec![]));
    }

    #[test]
    fn what_was_read_adds_up(
        records in proptest::collection::vec(prop_oneof![9 => likely(), 1 => hidden()], 1..200)
    ) {
        let bytes = trace(&records);
        let mut reader = Reader::new(&bytes[..]).expect("the header is whole");
        let mut sum = 0;
        while reader.next_item().is_some() {
            sum += reader.last_len() as u64;
        }
        // Where the chunk says what it is about belongs to no record.
        let raw = reader.volume().raw;
        prop_assert!(sum <= raw && raw - sum < 64, "{sum} of {raw}");
    }

    #[test]
    fn takes_any_bytes_as_packed(raw in proptest::collection::vec(any::<u8>(), 1..400)) {
        let header = chunk::file_header_with(chunk::feature::PACKED);
        let framed = |payload: &[u8]| [&header[..], &chunk::frame_packed_for_tests(payload)].concat();
        prop_assert_eq!(read(&framed(&raw)).1.len(), 1);
        // No other records; one thread, four widths of seven bits, time zero. More events are promised than come.
        let events = [&[0, 1, 0, 1, 1, 7, 7, 7, 7, 0, 0], &raw[..]].concat();
        let (records, gaps) = read(&framed(&events));
        prop_assert!(records.len() * 10 <= events.len() * 8);
        prop_assert_eq!(gaps, [GapCause::Unreadable]);
    }
}

/// Threads that block and wait in turn, some hundred events a second: the load this form is for.
#[test]
fn an_event_of_a_regular_program_takes_less_than_four_bytes() {
    let (mut at, mut seq, mut random) = (0, 0, 1u64);
    let records: Vec<Record> = (0..2_000u32)
        .map(|n| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            at += random >> 44;
            let (kind, held) = match n / 8 % 4 {
                0 => (EventKind::Enter, false),
                1 => (EventKind::Entered, true),
                2 => (EventKind::Wait { timeout: None }, true),
                _ => (EventKind::Waited { timed_out: false }, false),
            };
            seq += u32::from(held);
            Record::Event(Event {
                at: Nanos(at),
                thread: ThreadId(n % 8 + 11),
                kind,
                lock: Some(LockId(5)),
                stack: matches!(kind, EventKind::Enter | EventKind::Wait { .. })
                    .then_some(StackId(3)),
                owner: Owner::Unknown,
                seq: held.then_some(seq),
            })
        })
        .collect();
    let bytes = trace(&records);
    assert!(bytes.len() < 4 * records.len(), "{} bytes", bytes.len());
}
