//! Events a second through the collector and through the whole analysis, on one core, for
//! streams like those of a real recording: many locks, few hot ones, pairs of events.

use divan::counter::ItemsCount;
use locklens_inference::collect::Collector;
use locklens_inference::model::Options;
use locklens_trace::record::Owner;
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, StackId, ThreadId};

const EVENTS: u64 = 1_000_000;

fn main() {
    divan::main();
}

/// Pairs of events of 16 threads; `locks` is a power of two.
fn stream(locks: u32) -> impl Iterator<Item = Event> {
    let mut state = 1u64;
    (0..EVENTS / 2).flat_map(move |i| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let lock = (state >> 40) as u32 & (locks - 1);
        let stack = lock * 4 + (state >> 33) as u32 % 4 + 1;
        let thread = ThreadId((state >> 50) as u32 % 16 + 1);
        let make = |at, kind, stack| Event {
            at: Nanos(at),
            thread,
            kind,
            lock: Some(LockId(lock + 1)),
            stack,
            owner: Owner::Unknown,
            seq: None,
        };
        let at = i * 2000;
        [
            make(at, EventKind::Enter, Some(StackId(stack))),
            make(at + 1500, EventKind::Entered, None),
        ]
    })
}

#[divan::bench(args = [8, 1024, 65_536], sample_count = 5)]
fn collect(bencher: divan::Bencher<'_, '_>, locks: u32) {
    let events: Vec<Event> = stream(locks).collect();
    bencher.counter(ItemsCount::new(EVENTS)).bench(|| {
        let mut collector = Collector::new(Options::default());
        for &event in &events {
            collector.push(Record::Event(event));
        }
        collector.finish()
    });
}
