//! Events a second through the gauge of pressure, on one core: threads that block on few locks or many, and intervals of a
//! second and of ten milliseconds.
//!
//! ```text
//! cargo bench -p locklens-inference --bench pressure
//! ```

use divan::counter::ItemsCount;
use locklens_inference::pressure::{Gauge, Wanted};
use locklens_trace::record::Owner;
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, StackId, ThreadId};

const EVENTS: u64 = 1_000_000;

fn main() {
    divan::main();
}

/// Pairs of events of 16 threads, a microsecond apart; `locks` is a power of two.
fn stream(locks: u32) -> impl Iterator<Item = Record> {
    let mut state = 1u64;
    (0..EVENTS / 2).flat_map(move |i| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let lock = (state >> 40) as u32 & (locks - 1);
        let stack = lock * 4 + (state >> 33) as u32 % 4 + 1;
        let thread = ThreadId((state >> 50) as u32 % 16 + 1);
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
            make(i * 2000, EventKind::Enter, Some(StackId(stack))),
            make(i * 2000 + 1500, EventKind::Entered, None),
        ]
    })
}

#[divan::bench(args = [8, 1024, 65_536], consts = [10, 1000], sample_count = 5)]
fn gauge<const MILLIS: u64>(bencher: divan::Bencher<'_, '_>, locks: u32) {
    let records: Vec<Record> = stream(locks).collect();
    let wanted = Wanted {
        interval: Nanos::from_millis(MILLIS),
        most: None,
        threads: None,
    };
    bencher.counter(ItemsCount::new(EVENTS)).bench(|| {
        let mut gauge = Gauge::new(&wanted);
        records.iter().for_each(|record| gauge.push(record));
        gauge.last()
    });
}
