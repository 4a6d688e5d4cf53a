//! Any bytes are a trace to somebody: `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none trace_decoder -- -max_total_time=60`.
//!
//! A checksum stops most mutations at the door, and so does compression: see `src/trace.rs` for the ways round them. What
//! was read is written again, plain and packed, and must come back as it was: the command does that with all that an agent
//! sends.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locklens_fuzz::trace::{Way, file};
use locklens_trace::Record;
use locklens_trace::chunk::{self, Encoder};
use locklens_trace::read::{Item, Reader};

/// Records that are written again: enough for one to follow from the other.
const AGAIN: usize = 200;

fuzz_target!(|input: &[u8]| {
    let Some((way, file)) = file(input) else {
        return;
    };
    let Ok(reader) = Reader::new(&file[..]) else {
        return;
    };
    // Every item uses up bytes, so reading must end. Packed, an event takes three bits at least, and what is no event is
    // compressed: to a 255th at most.
    let most = match way {
        Way::Plain => file.len(),
        _ => 256 * file.len(),
    };
    let mut records = Vec::new();
    let mut items = 0;
    for item in reader.take(most + 1) {
        items += 1;
        match item {
            Item::Record(record) if records.len() < AGAIN => records.push(record),
            _ => {}
        }
    }
    assert!(items <= most);
    let mut encoder = Encoder::new();
    records.iter().for_each(|record| encoder.push(record));
    let plain = encoder.take_chunk();
    let close = chunk::compress(&plain).expect("a whole chunk");
    assert_eq!(read(&plain), records);
    assert_eq!(read(&close), records);
    assert_eq!(read(&chunk::pack(records.iter())), records);
});

fn read(chunk: &[u8]) -> Vec<Record> {
    let file = [&chunk::file_header()[..], chunk].concat();
    let records = Reader::new(&file[..])
        .expect("a header")
        .map(|item| match item {
            Item::Record(record) => record,
            Item::Gap(gap) => panic!("{gap:?} in what was just written"),
        });
    records.collect()
}
