//! Any bytes are a trace to somebody: `cargo +nightly fuzz run trace_decoder -- -max_total_time=60`.
//!
//! Three ways in, since a checksum stops most mutations at the door: the bytes as a whole file, as
//! what follows a good header, and as the records of one well-framed chunk.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locklens_trace::chunk;
use locklens_trace::read::Reader;

fuzz_target!(|bytes: &[u8]| {
    let header = &chunk::file_header()[..];
    let framed = chunk::frame_for_tests(bytes);
    for file in [bytes, &[header, bytes].concat(), &[header, &framed].concat()] {
        if let Ok(reader) = Reader::new(file) {
            // Every item uses up bytes, so reading must end.
            assert!(reader.take(file.len() + 1).count() <= file.len());
        }
    }
});
