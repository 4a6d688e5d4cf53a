//! Events a second through the surveyor of levels, on one core: threads that block on few locks or many, watched or exactly.
//!
//! ```text
//! cargo bench -p locklens-inference --bench levels
//! ```

use divan::counter::ItemsCount;
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::{Collected, Collector};
use locklens_inference::levels::Surveyor;
use locklens_inference::model::Options;
use locklens_trace::record::{Owner, target_key};
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, StackId, ThreadId};

const EVENTS: u64 = 1_000_000;

fn main() {
    divan::main();
}

/// Events of so many threads, half a microsecond apart; `locks` is a power of two.
fn stream(threads: u32, locks: u32, kinds: [EventKind; 2]) -> Vec<Record> {
    let mut state = 1u64;
    let pair = (0..EVENTS / 2).flat_map(move |i| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let lock = (state >> 40) as u32 & (locks - 1);
        let stack = lock * 4 + (state >> 33) as u32 % 4 + 1;
        let thread = ThreadId((state >> 50) as u32 % threads + 1);
        let make = |at, kind, stack| {
            Record::Event(Event {
                at: Nanos(at),
                thread,
                kind,
                lock: Some(LockId(lock + 1)),
                stack,
                owner: Owner::Unknown,
                seq: None,
            })
        };
        [
            make(i * 1000, kinds[0], Some(StackId(stack))),
            make(i * 1000 + 700, kinds[1], None),
        ]
    });
    pair.collect()
}

fn collected(records: &[Record]) -> Collected {
    let mut collector = Collector::new(Options::default());
    records
        .iter()
        .for_each(|record| collector.push(record.clone()));
    collector.finish()
}

fn survey(bencher: divan::Bencher<'_, '_>, records: &[Record]) {
    let collected = collected(records);
    let analysis = Analysis::of(&collected, &Options::default());
    bencher.counter(ItemsCount::new(EVENTS)).bench(|| {
        let mut surveyor = Surveyor::new(&collected, &analysis);
        records.iter().for_each(|record| surveyor.push(record));
        surveyor.finish()
    });
}

#[divan::bench(args = [8, 64, 1024], consts = [16, 1000], sample_count = 5)]
fn watched<const THREADS: u32>(bencher: divan::Bencher<'_, '_>, locks: u32) {
    let kinds = [EventKind::Enter, EventKind::Entered];
    survey(bencher, &stream(THREADS, locks, kinds));
}

#[divan::bench(args = [8, 64, 1024], consts = [16, 1000], sample_count = 5)]
fn exact<const THREADS: u32>(bencher: divan::Bencher<'_, '_>, locks: u32) {
    let kinds = [EventKind::Entered, EventKind::Exit];
    let mut records = stream(THREADS, locks, kinds);
    let exact = (target_key::EXACT.to_owned(), "true".to_owned());
    records.insert(0, Record::Target(vec![exact]));
    survey(bencher, &records);
}
