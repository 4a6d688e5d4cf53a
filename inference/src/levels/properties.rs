//! What a bucket says is what the events under it say, however many there are and however they are cut.

mod detail;

use super::Surveyor;
use super::model::{Deed, Levels, Stretch};
use crate::analysis::Analysis;
use crate::collect::{Collected, Collector};
use crate::model::Options;
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::parked::{SyncDef, SyncKind};
use locklens_trace::record::{LossCause, Lost, Owner, ThreadDef, target_key};
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, StackId, ThreadId};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// By thread, lock object and deed, the spans that records tell of: found by a reading of its own.
type Spans = BTreeMap<(u64, Deed), Vec<(u64, u64)>>;

/// What threads do in turn on few locks: a stay of some length, then nothing for a while.
#[derive(Clone, Debug)]
struct Turn {
    thread: u32,
    lock: u32,
    act: u8,
    pause: u64,
    length: u64,
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let length = prop_oneof![5 => 0u64..5_000, 2 => 0u64..1_000_000, 1 => 0u64..100_000_000];
    let turn = (1u32..5, 1u32..4, 0u8..4, 0u64..20_000, length);
    let turn = turn.prop_map(|(thread, lock, act, pause, length)| Turn {
        thread,
        lock,
        act,
        pause,
        length,
    });
    prop::collection::vec(turn, 0..60)
}

fn event(at: u64, turn: &Turn, kind: EventKind) -> Record {
    Record::Event(Event {
        at: Nanos(at),
        thread: ThreadId(turn.thread),
        kind,
        lock: Some(LockId(turn.lock)),
        stack: Some(StackId(turn.lock)),
        owner: Owner::Thread(ThreadId(turn.thread % 4 + 1)),
        seq: None,
    })
}

/// A thread that never takes a turn.
const NOTIFIER: u32 = 5;
/// A parked turn uses lock objects of its own.
const PARKED: u32 = 10;

/// The records of these turns, and the spans they are to be counted as.
fn told(turns: &[Turn]) -> (Vec<Record>, Spans) {
    let (mut records, mut spans) = (definitions(), Spans::new());
    let mut clocks: BTreeMap<u32, u64> = BTreeMap::new();
    for turn in turns {
        let clock = clocks.entry(turn.thread).or_insert(1);
        let from = *clock + turn.pause;
        let to = from + turn.length;
        *clock = to + 1;
        let deed = match turn.act {
            0 => {
                records.push(event(from, turn, EventKind::Enter));
                records.push(event(to, turn, EventKind::Entered));
                records.push(event(to, turn, EventKind::Exit));
                Deed::Blocked
            }
            1 => {
                records.push(event(from, turn, EventKind::Wait { timeout: None }));
                records.push(event(to, turn, EventKind::Waited { timed_out: false }));
                Deed::Waiting
            }
            2 => {
                records.push(event(from, turn, EventKind::Entered));
                records.push(event(from, turn, EventKind::Entered));
                records.push(event(to, turn, EventKind::Exit));
                records.push(event(to, turn, EventKind::Exit));
                Deed::Holding
            }
            // What is not known to be owned is waited for.
            _ => {
                records.push(park(turn, from, to));
                Deed::Waiting
            }
        };
        let of = (u64::from(turn.thread), deed);
        spans.entry(of).or_default().push((from, to));
    }
    (records, spans)
}

fn park(turn: &Turn, from: u64, to: u64) -> Record {
    Record::Park(Park {
        stack: None,
        thread: ThreadId(turn.thread),
        lock: Some(LockId(turn.lock + PARKED)),
        from: Nanos(from),
        to: Nanos(to),
        limit: None,
        end: ParkEnd::Unparked,
        unpark: None,
    })
}

fn definitions() -> Vec<Record> {
    let exact = (target_key::EXACT.to_owned(), "true".to_owned());
    let mut records = vec![Record::Target(vec![exact])];
    records.extend((1..=NOTIFIER).map(|id| {
        Record::Thread(ThreadDef {
            id: ThreadId(id),
            tid: u64::from(id),
            name: format!("t{id}"),
            group: Some("main".to_owned()),
            daemon: false,
            is_virtual: false,
            at_start: true,
        })
    }));
    records.extend((1..4).map(|lock| {
        Record::Sync(SyncDef {
            lock: LockId(lock + PARKED),
            kind: SyncKind::Synchronizer,
            of: None,
            shared: false,
            most: 1,
            state: None,
        })
    }));
    records
}

fn collected(records: &[Record]) -> (Collected, Analysis) {
    let mut collector = Collector::new(Options::default());
    records
        .iter()
        .for_each(|record| collector.push(record.clone()));
    let collected = collector.finish();
    let analysis = Analysis::of(&collected, &Options::default());
    (collected, analysis)
}

fn surveyed(records: &[Record], budget: usize, stays: usize) -> Levels {
    let (collected, analysis) = collected(records);
    let mut surveyor = Surveyor::within(&collected, &analysis, budget, stays);
    records.iter().for_each(|record| surveyor.push(record));
    surveyor.finish()
}

/// What each bucket has.
fn each(stretches: &[Stretch], buckets: u32) -> Vec<u64> {
    let mut all = vec![0; buckets as usize];
    for &(from, to, ns) in stretches {
        for bucket in from..to {
            all[bucket as usize] += ns;
        }
    }
    all
}

/// By thread and deed what each bucket has, over all locks.
fn by_thread(levels: &Levels) -> BTreeMap<(u64, Deed), Vec<u64>> {
    let mut sums: BTreeMap<(u64, Deed), Vec<u64>> = BTreeMap::new();
    for strip in &levels.strips {
        let of = (levels.threads[strip.thread as usize].tid, strip.deed);
        let sum = sums
            .entry(of)
            .or_insert_with(|| vec![0; levels.buckets as usize]);
        let told = each(&strip.stretches, levels.buckets);
        sum.iter_mut().zip(told).for_each(|(sum, ns)| *sum += ns);
    }
    sums
}

/// By hand: a span and a bucket have so much in common.
fn counted(spans: &[(u64, u64)], levels: &Levels) -> Vec<u64> {
    let width = levels.bucket.0;
    let common = |bucket: u64| {
        let in_bucket = |&(from, to): &(u64, u64)| {
            let end = to.min((bucket + 1) * width);
            end.saturating_sub(from.max(bucket * width))
        };
        spans.iter().map(in_bucket).sum()
    };
    (0..u64::from(levels.buckets)).map(common).collect()
}

proptest! {
    #[test]
    fn a_bucket_has_what_the_events_under_it_have(turns in turns(), budget in 1usize..400) {
        let (records, spans) = told(&turns);
        let levels = surveyed(&records, budget, 1_000);
        let sums = by_thread(&levels);
        for (of, spans) in &spans {
            let nothing = vec![0; levels.buckets as usize];
            let sum = sums.get(of).unwrap_or(&nothing);
            prop_assert_eq!(sum, &counted(spans, &levels), "{:?}", of);
        }
        prop_assert!(sums.keys().all(|of| spans.contains_key(of)));
    }

    #[test]
    fn stays_that_are_kept_are_the_longest(turns in turns(), most in 0usize..12) {
        let (records, spans) = told(&turns);
        let levels = surveyed(&records, 1_000, most);
        for (deed, longest) in Deed::ALL.iter().zip(&levels.longest) {
            let of_deed = spans.iter().filter(|((_, of), _)| of == deed);
            let all = of_deed.flat_map(|(_, spans)| spans).map(|(from, to)| to - from);
            let mut lengths: Vec<u64> = all.filter(|&length| length > 0).collect();
            lengths.sort_unstable_by(|a, b| b.cmp(a));
            let (kept, left_out) = lengths.split_at(most.min(lengths.len()));
            let mut told: Vec<u64> = longest.kept.iter().map(|stay| stay.to.0 - stay.from.0).collect();
            told.sort_unstable_by(|a, b| b.cmp(a));
            prop_assert_eq!(&told, kept);
            prop_assert_eq!(longest.left_out, left_out.len() as u64);
            prop_assert_eq!(longest.cut.0, left_out.first().copied().unwrap_or(0));
            prop_assert!(longest.kept.is_sorted_by_key(|stay| stay.from));
        }
    }

    #[test]
    fn nothing_breaks_it(
        turns in turns(),
        swaps in prop::collection::vec((0usize..300, 0usize..300), 0..20),
        lost in prop::option::of((0u64..1_000_000, any::<u64>())),
        late in prop::option::of(any::<u64>()),
    ) {
        let (mut records, _) = told(&turns);
        let count = records.len();
        swaps.iter().for_each(|&(a, b)| records.swap(a % count, b % count));
        if let Some(at) = late {
            let turn = Turn { thread: 1, lock: u32::MAX, act: 0, pause: 0, length: 0 };
            records.push(event(at, &turn, EventKind::Enter));
        }
        records.extend(lost.map(|(from, to)| {
            let (from, to, cause) = (Nanos(from), Nanos(to), LossCause::BufferFull);
            Record::Lost(Lost { from, to, count: 1, cause })
        }));
        let levels = surveyed(&records, 100, 10);
        prop_assert!(levels.buckets <= super::strips::MOST);
        for strip in &levels.strips {
            let ends: Vec<u32> = strip.stretches.iter().flat_map(|&(from, to, _)| [from, to]).collect();
            prop_assert!(ends.is_sorted() && ends.iter().all(|&end| end <= levels.buckets));
        }
        prop_assert_eq!(levels, surveyed(&records, 100, 10), "the same again");
    }
}
