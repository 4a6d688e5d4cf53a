//! What an agent sends is taken in chunk by chunk, all of a chunk or nothing: `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none batch_intake --
//! -max_total_time=60`. A reader of the same bytes must say the same. Inputs are those of `trace_decoder`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locklens_fuzz::trace::file;
use locklens_trace::Record;
use locklens_trace::batch::Batch;
use locklens_trace::chunk::{self, CHUNK_HEADER_LEN, ChunkHeader, FILE_HEADER_LEN};
use locklens_trace::read::{Item, Reader};
use locklens_trace::record::Hidden;

/// Bytes that a chunk comes to, unpacked; the command takes in no larger ones.
const LARGEST: usize = 1 << 20;

fuzz_target!(|input: &[u8]| {
    let Some((_, file)) = file(input) else {
        return;
    };
    let Some(chunk) = file.get(FILE_HEADER_LEN..) else {
        return;
    };
    if ChunkHeader::parse(chunk).is_some_and(|header| header.raw_len > LARGEST) {
        return;
    }
    let first = Record::Hidden(Hidden {
        name: "first".into(),
        events: 1,
    });
    let mut batch: Batch = [first.clone()].into_iter().collect();
    let expected = read_whole(chunk);
    assert_eq!(batch.take_in(chunk), expected.is_some());
    let all: Vec<Record> = [first]
        .into_iter()
        .chain(expected.into_iter().flatten())
        .collect();
    assert_eq!(batch.to_records(), all);
    let packed = chunk::pack_apart(batch.events(), batch.others());
    assert_eq!(read_whole(&packed), Some(all));
});

/// The records of exactly one chunk, if nothing of it is missing.
fn read_whole(chunk: &[u8]) -> Option<Vec<Record>> {
    let header = ChunkHeader::parse(chunk)?;
    let is_one = chunk.len() == CHUNK_HEADER_LEN + header.stored_len;
    let file = [&chunk::file_header()[..], chunk].concat();
    let records = Reader::new(&file[..]).ok()?.map(|item| match item {
        Item::Record(record) => Some(record),
        Item::Gap(_) => None,
    });
    records.collect::<Option<Vec<_>>>().filter(|_| is_one)
}
