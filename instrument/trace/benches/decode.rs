//! Decoding speed and size on disk of an ordinary stream: `cargo bench -p locklens-trace`.
#![expect(clippy::print_stdout, reason = "a benchmark reports on stdout")]

use locklens_trace::chunk::{self, Encoder};
use locklens_trace::ids::{LockId, Nanos, StackId, ThreadId};
use locklens_trace::read::Reader;
use locklens_trace::record::{Event, EventKind, Owner, Record};

const EVENTS: usize = 1_000_000;

/// Sixteen threads blocking and waiting on forty locks, with irregular gaps between the events.
fn stream() -> Vec<u8> {
    let mut bytes = chunk::file_header().to_vec();
    let mut encoder = Encoder::new();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut seq = [0; 41];
    let mut at = 0;
    for n in 0..EVENTS {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        at += random >> 44;
        let thread = ((random >> 20) % 16) as u32 + 1;
        let lock = ((random >> 30) % 40) as u32 + 1;
        let (kind, held) = match n % 4 {
            0 => (EventKind::Enter, false),
            1 => (EventKind::Entered, true),
            2 => (
                EventKind::Wait {
                    timeout: Some(Nanos::from_millis(100)),
                },
                true,
            ),
            _ => (EventKind::Waited { timed_out: false }, false),
        };
        seq[lock as usize] += u32::from(held);
        encoder.push(&Record::Event(Event {
            at: Nanos(at),
            thread: ThreadId(thread),
            kind,
            lock: Some(LockId(lock)),
            stack: (n % 2 == 0).then_some(StackId(lock * 3 + thread % 3)),
            owner: Owner::Thread(ThreadId(thread / 2 + 1)),
            seq: held.then_some(seq[lock as usize]),
        }));
        if encoder.raw_len() > 64 << 10 {
            bytes.extend(chunk::compress(&encoder.take_chunk()).expect("a whole chunk"));
        }
    }
    bytes.extend(chunk::compress(&encoder.take_chunk()).expect("a whole chunk"));
    bytes
}

fn main() {
    let bytes = stream();
    println!(
        "{:.2} bytes per event on disk",
        bytes.len() as f64 / EVENTS as f64
    );
    divan::main();
}

#[divan::bench(sample_count = 10)]
fn decode_one_million_events(bencher: divan::Bencher<'_, '_>) {
    let bytes = stream();
    bencher
        .counter(divan::counter::ItemsCount::new(EVENTS))
        .bench(|| Reader::new(&bytes[..]).expect("a trace").count());
}
