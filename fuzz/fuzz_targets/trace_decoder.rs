//! Any bytes are a trace to somebody: `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none trace_decoder -- -max_total_time=60`.
//!
//! Four ways in, since a checksum stops most mutations at the door: the bytes as a whole file, as
//! what follows a good header, and as the records of one well-framed chunk, plain and packed.
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
    // Packed, an event takes three bits at least, and what is no event is compressed: to a 255th at most.
    let packed = [header, &chunk::frame_packed_for_tests(bytes)].concat();
    if let Ok(reader) = Reader::new(&packed[..]) {
        let most = 256 * packed.len();
        assert!(reader.take(most + 1).count() <= most);
    }
});
