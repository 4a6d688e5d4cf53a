//! What was kept and what is read again are together every stay, each once.

use super::{NOTIFIER, Turn, collected, event, told, turns};
use crate::levels::Surveyor;
use crate::levels::index::Index;
use crate::levels::model::{Interval, Levels, Span};
use locklens_trace::record::{LossCause, Lost, Tick};
use locklens_trace::{EventKind, LockId, Nanos, Record};
use proptest::prelude::*;

/// More than there are stays.
const ALL: usize = 1_000;

/// The records of these turns in the order of time; each wait is notified, and a heartbeat follows each
/// so manieth record.
fn in_order(turns: &[Turn], beat: usize) -> Vec<Record> {
    let (records, _) = told(turns);
    let (mut events, mut definitions): (Vec<_>, Vec<_>) = records
        .into_iter()
        .partition(|record| matches!(record, Record::Event(_) | Record::Park(_)));
    let notifies: Vec<Record> = events.iter().filter_map(notify).collect();
    events.extend(notifies);
    events.sort_by_key(at);
    for (number, record) in events.into_iter().enumerate() {
        let at = Nanos(at(&record));
        definitions.push(record);
        if number % beat == 0 {
            let agent_cpu = Nanos(0);
            definitions.push(Record::Tick(Tick { at, agent_cpu }));
        }
    }
    definitions
}

fn at(record: &Record) -> u64 {
    match record {
        Record::Event(event) => event.at.0,
        Record::Park(park) => park.to.0,
        _ => 0,
    }
}

fn notify(record: &Record) -> Option<Record> {
    let Record::Event(wait) = record else {
        return None;
    };
    let LockId(lock) = wait.lock?;
    let notifier = Turn {
        thread: NOTIFIER,
        lock,
        act: 1,
        pause: 0,
        length: 0,
    };
    let is_wait = matches!(wait.kind, EventKind::Wait { .. });
    is_wait.then(|| event(wait.at.0, &notifier, EventKind::Notify))
}

/// What is surveyed of these records when so many stays are kept, and of a span what was not, read again from blocks of so
/// many records.
fn read_again(
    records: &[Record],
    (stays, block, budget): (usize, u64, usize),
    (from, to): (u64, u64),
) -> (Levels, Option<Span>) {
    let (collected, analysis) = collected(records);
    let mut surveyor = Surveyor::within(&collected, &analysis, ALL, stays);
    surveyor.index = Some(Index::within(block, budget));
    for (offset, record) in (0..).zip(records) {
        surveyor.mark(offset);
        surveyor.push(record);
    }
    let (levels, mut detail) = surveyor.finish_with_detail();
    // Elsewhere first: nothing of it is left.
    for span in [(0, u64::MAX), (from, to)] {
        let reading = detail.read(Nanos(span.0), Nanos(span.1));
        let span = reading.map(|mut reading| {
            for (offset, record) in (0..).zip(records) {
                if reading.part().contains(&offset) {
                    reading.push(record);
                }
            }
            reading.finish()
        });
        if let Some(span) = span.filter(|span| span.from == Nanos(from)) {
            return (levels, Some(span));
        }
    }
    (levels, None)
}

/// Stays that touch a span, in an order of their own.
fn touching(stays: impl Iterator<Item = Interval>, (from, to): (u64, u64)) -> Vec<Interval> {
    let mut all: Vec<Interval> = stays
        .filter(|stay| stay.from.0 <= to && stay.to.0 >= from)
        .collect();
    all.sort_by_key(|stay| (stay.from, stay.to, stay.thread, stay.object));
    all
}

proptest! {
    #[test]
    fn kept_and_read_again_are_all_stays(
        turns in turns(),
        beat in 1usize..20,
        shape in (0usize..12, 1u64..40, prop_oneof![Just(usize::MAX), 0usize..4_000]),
        span in (0u64..30_000_000, 0u64..10_000_000),
    ) {
        let records = in_order(&turns, beat);
        let span = (span.0 + 1, span.0 + 1 + span.1);
        let (all, _) = read_again(&records, (ALL, 1, usize::MAX), span);
        let (levels, again) = read_again(&records, shape, span);
        for deed in 0..3 {
            let kept = levels.longest[deed].kept.iter();
            let read = again.iter().flat_map(|span| &span.stays.longest[deed].kept);
            let told = touching(kept.chain(read).cloned(), span);
            let wanted = touching(all.longest[deed].kept.iter().cloned(), span);
            prop_assert_eq!(told, wanted, "{}", deed);
        }
        if let Some(span) = &again {
            prop_assert!(span.stays.longest.iter().all(|longest| longest.left_out == 0));
        }
    }

    #[test]
    fn a_loss_leaves_out_the_same_stays_again(
        turns in turns(),
        most in 0usize..6,
        lost in (0usize..200, 0u64..5_000),
        span in (0u64..30_000_000, 0u64..10_000_000),
    ) {
        let mut records = in_order(&turns, 3);
        let place = lost.0.min(records.len());
        let from = records[..place].iter().map(at).max().unwrap_or(0);
        let (from, to, cause) = (Nanos(from), Nanos(from + lost.1), LossCause::BufferFull);
        records.insert(place, Record::Lost(Lost { from, to, count: 1, cause }));
        let span = (span.0 + 1, span.0 + 1 + span.1);
        let (all, _) = read_again(&records, (ALL, 1, usize::MAX), span);
        let (levels, again) = read_again(&records, (most, 1, usize::MAX), span);
        for deed in 0..3 {
            let kept = levels.longest[deed].kept.iter();
            let read = again.iter().flat_map(|span| &span.stays.longest[deed].kept);
            let told = touching(kept.chain(read).cloned(), span);
            prop_assert_eq!(told, touching(all.longest[deed].kept.iter().cloned(), span));
        }
    }
}
