//! How records become bytes that survive truncation and damage.
//!
//! A trace is a header and a sequence of chunks. A chunk carries its length and a checksum and
//! can be read without its neighbours, so whatever is whole can be used. The stream from the agent
//! and the file on disk have the same form; only the compression of the chunks differs.
//!
//! ```text
//! header  "LLTRACE" version:u8  required features:u32  reserved:u32
//! chunk   sync[4]  codec:u8 0 0 0  events:u32  raw_len:u32  stored_len:u32  crc32:u32  payload
//! ```
//! The payload is records one after another (codec 0), the same compressed (1), or records packed close (2; see
//! `packed`). An agent sends the first; files have the third, older ones the second.
//!
//! **When the format grows.** What every reader must understand to make sense of a trace changes the
//! version. A new kind of record or event that only some traces hold gets a bit among the required
//! features ([`feature`]), set in the header of a trace that may hold it: an older reader then says
//! that it does not know it, and all other traces stay readable. A new key of `Target` needs neither.
//!
//! All numbers are little-endian; the checksum covers the four fields before it and the payload.

use crate::batch::Batch;
use crate::encode::{self, Predictor};
use crate::packed::{self, Unpacker};
use crate::record::{Event, Record};

/// Version of the format this crate writes, and the only one it reads.
pub const VERSION: u8 = 1;
/// Length of the file header.
pub const FILE_HEADER_LEN: usize = 16;
/// Length of a chunk's header.
pub const CHUNK_HEADER_LEN: usize = 24;
/// Largest payload, unpacked, that a reader accepts.
pub const MAX_RAW: usize = 16 << 20;

pub(crate) const MAGIC: &[u8; 7] = b"LLTRACE";
pub(crate) const SYNC: [u8; 4] = [0xf1, b'l', b'l', 0x1c];
const PLAIN: u8 = 0;
const LZ4: u8 = 1;
const PACKED: u8 = 2;

/// Bits of the required features.
pub mod feature {
    /// The trace may hold `Interrupted` events: one that was recorded exactly.
    pub const EXACT: u32 = 1;
    /// The trace may hold code with its constants: texts, numbers of floating point, kinds of
    /// conversions, and what call sites are linked by.
    pub const CONSTANTS: u32 = 2;
    /// The trace may hold what was seen of parked threads.
    pub const SAMPLED: u32 = 4;
    /// The trace may hold parks, every one of them.
    pub const PARKS: u32 = 8;
    /// The trace may hold packed chunks, see [`super::pack`].
    pub const PACKED: u32 = 16;
    /// The trace may hold what looks at all threads found. Only streams from the agent do so far.
    pub const LOOKS: u32 = 32;
    /// The trace may hold operations of the locks of `java.util.concurrent`.
    pub const OPERATIONS: u32 = 64;
    /// The trace may lack events on purpose, between slices of time: the cause [`Paused`](crate::record::LossCause::Paused).
    pub const PAUSED: u32 = 1 << 8;
    /// The trace may hold accesses to fields.
    pub const ACCESSES: u32 = 1 << 9;
    /// The trace may hold looks at the owners of monitors.
    pub const HELD: u32 = 1 << 10;
    /// The trace may hold who started a thread, and who waited for its end.
    pub const KIN: u32 = 1 << 11;
    /// The operations may be those of tasks, and of futures that are made of others.
    pub const TASKS: u32 = 1 << 12;
    /// The operations may be those of executors that have a thread for each task, and waits for the end of one that begin.
    pub const THREADS: u32 = 1 << 13;
    /// Of who has waited for the end of a thread it may be told that the wait had a limit.
    pub const LIMITS: u32 = 1 << 14;
    /// Parks, and who ended them, may have call chains.
    pub const CHAINS: u32 = 1 << 15;
    /// All that this crate reads.
    pub const KNOWN: u32 = EXACT
        | CONSTANTS
        | SAMPLED
        | PARKS
        | PACKED
        | LOOKS
        | OPERATIONS
        | PAUSED
        | ACCESSES
        | HELD
        | KIN
        | TASKS
        | THREADS
        | LIMITS
        | CHAINS;
}

/// The first bytes of every trace that needs no features.
#[must_use]
pub fn file_header() -> [u8; FILE_HEADER_LEN] {
    file_header_with(0)
}

/// The first bytes of a trace that needs these features.
#[must_use]
pub fn file_header_with(features: u32) -> [u8; FILE_HEADER_LEN] {
    let mut header = [0; FILE_HEADER_LEN];
    header[..7].copy_from_slice(MAGIC);
    header[7] = VERSION;
    header[8..12].copy_from_slice(&features.to_le_bytes());
    header
}

/// Collects records into a chunk.
#[derive(Debug, Default)]
pub struct Encoder {
    raw: Vec<u8>,
    events: u32,
    predictor: Predictor,
}

impl Encoder {
    /// An encoder without records.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a record.
    pub fn push(&mut self, record: &Record) {
        self.events += u32::from(matches!(record, Record::Event(_)));
        encode::record(&mut self.raw, &mut self.predictor, record);
    }

    /// Appends an event: the same as its record, without one being made of it.
    pub fn push_event(&mut self, event: &Event) {
        self.events += 1;
        encode::event(&mut self.raw, &mut self.predictor, event);
    }

    /// Bytes collected so far. Take the chunk well before [`MAX_RAW`]; 64 KiB is a good size.
    #[must_use]
    pub fn raw_len(&self) -> usize {
        self.raw.len()
    }

    /// No record since the last chunk.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }

    /// What was collected as one uncompressed chunk; the encoder starts afresh.
    pub fn take_chunk(&mut self) -> Vec<u8> {
        let chunk = frame(PLAIN, self.events, self.raw.len(), &self.raw);
        self.raw.clear();
        self.events = 0;
        self.predictor = Predictor::default();
        chunk
    }
}

/// The header of a chunk, checked for plausibility but not against its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkHeader {
    codec: u8,
    /// Events in the chunk.
    pub events: u32,
    /// Length of its records.
    pub raw_len: usize,
    /// Length of its payload as stored, which follows the header.
    pub stored_len: usize,
    crc: u32,
}

impl ChunkHeader {
    /// Reads a header; none if these bytes are not one.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let head = bytes.get(..CHUNK_HEADER_LEN)?;
        let field =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let header = Self {
            codec: head[4],
            events: field(8),
            raw_len: field(12) as usize,
            stored_len: field(16) as usize,
            crc: field(20),
        };
        let plausible = head[..4] == SYNC
            && head[5..8] == [0; 3]
            && header.codec <= PACKED
            && header.raw_len <= MAX_RAW
            && header.stored_len <= MAX_RAW + (MAX_RAW >> 4);
        plausible.then_some(header)
    }

    /// The records of a chunk of an [`Encoder`], if header and payload belong together.
    pub(crate) fn plain<'p>(&self, header: &[u8], payload: &'p [u8]) -> Option<&'p [u8]> {
        let is_plain = self.codec == PLAIN && payload.len() == self.raw_len;
        let is_whole = is_plain && checksum(header.get(4..20)?, payload) == self.crc;
        is_whole.then_some(payload)
    }

    /// What is in the chunk, if header and payload belong together.
    pub(crate) fn unpack(&self, header: &[u8], payload: &[u8]) -> Option<Content> {
        if checksum(header.get(4..20)?, payload) != self.crc {
            return None;
        }
        let raw = match self.codec {
            PLAIN => payload.to_vec(),
            LZ4 => lz4_flex::block::decompress(payload, self.raw_len).ok()?,
            _ => {
                let records = Unpacker::new(payload, self.events, self.raw_len).ok()?;
                return Some(Content::Packed(Box::new(records)));
            }
        };
        (raw.len() == self.raw_len).then_some(Content::Plain(raw))
    }
}

/// The records of a chunk.
#[derive(Debug)]
pub(crate) enum Content {
    /// As the encoder wrote them.
    Plain(Vec<u8>),
    /// Packed close.
    Packed(Box<Unpacker>),
}

/// A whole chunk of these records, packed close: for files, as it takes more time to make than the chunks of
/// an [`Encoder`], which an agent sends. A trace with such chunks needs [`feature::PACKED`].
#[must_use]
pub fn pack<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<u8> {
    let batch: Batch = records.cloned().collect();
    pack_apart(batch.events(), batch.others())
}

/// The same of events, and of records that are none, each with the number of events before it: as a batch has them.
#[must_use]
pub fn pack_apart(events: &[Event], others: &[(usize, Record)]) -> Vec<u8> {
    let packed = packed::pack(events, others);
    frame(PACKED, packed.events, packed.raw_len, &packed.payload)
}

/// The same chunk, compressed; none if `chunk` is not exactly one whole chunk.
#[must_use]
pub fn compress(chunk: &[u8]) -> Option<Vec<u8>> {
    let header = ChunkHeader::parse(chunk)?;
    let (head, payload) = chunk.split_at(CHUNK_HEADER_LEN);
    if payload.len() != header.stored_len {
        return None;
    }
    let Content::Plain(raw) = header.unpack(head, payload)? else {
        return None;
    };
    let packed = lz4_flex::block::compress(&raw);
    Some(frame(LZ4, header.events, raw.len(), &packed))
}

/// Frames bytes as a chunk whatever they are, so that tests and fuzzers get past the checksum.
#[doc(hidden)]
#[must_use]
pub fn frame_for_tests(raw: &[u8]) -> Vec<u8> {
    frame(PLAIN, 0, raw.len(), raw)
}

/// The same for bytes that are said to be packed records, with more events than there can be.
#[doc(hidden)]
#[must_use]
pub fn frame_packed_for_tests(payload: &[u8]) -> Vec<u8> {
    frame(PACKED, u32::MAX, packed::raw_len(payload), payload)
}

fn frame(codec: u8, events: u32, raw_len: usize, payload: &[u8]) -> Vec<u8> {
    let mut chunk = Vec::with_capacity(CHUNK_HEADER_LEN + payload.len());
    chunk.extend(SYNC);
    chunk.extend([codec, 0, 0, 0]);
    chunk.extend(events.to_le_bytes());
    chunk.extend((raw_len as u32).to_le_bytes());
    chunk.extend((payload.len() as u32).to_le_bytes());
    let crc = checksum(&chunk[4..], payload);
    chunk.extend(crc.to_le_bytes());
    chunk.extend_from_slice(payload);
    chunk
}

/// CRC-32 (IEEE 802.3, reflected) of the header's fields and the payload.
fn checksum(fields: &[u8], payload: &[u8]) -> u32 {
    !crc(crc(!0, fields), payload)
}

/// Continues a checksum, eight bytes at a step: each of them through the table of its distance from
/// the step's end.
fn crc(mut crc: u32, bytes: &[u8]) -> u32 {
    let table = |distance: usize, byte: u32| CRC_TABLES[distance][(byte & 0xff) as usize];
    let (steps, rest) = bytes.as_chunks::<8>();
    for step in steps {
        let low = u32::from_le_bytes([step[0], step[1], step[2], step[3]]) ^ crc;
        let high = u32::from_le_bytes([step[4], step[5], step[6], step[7]]);
        crc = table(7, low) ^ table(6, low >> 8) ^ table(5, low >> 16) ^ table(4, low >> 24);
        crc ^= table(3, high) ^ table(2, high >> 8) ^ table(1, high >> 16) ^ table(0, high >> 24);
    }
    let byte = |crc: u32, &byte: &u8| table(0, crc ^ u32::from(byte)) ^ (crc >> 8);
    rest.iter().fold(crc, byte)
}

/// What a byte becomes with so many bytes behind it.
const CRC_TABLES: [[u32; 256]; 8] = crc_tables();

const fn crc_tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 {
                0xedb8_8320 ^ (crc >> 1)
            } else {
                crc >> 1
            };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut distance = 1;
    while distance < 8 {
        let mut byte = 0;
        while byte < 256 {
            let nearer = tables[distance - 1][byte];
            tables[distance][byte] = tables[0][(nearer & 0xff) as usize] ^ (nearer >> 8);
            byte += 1;
        }
        distance += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_common_one_however_the_bytes_fall() {
        // The check value of CRC-32/ISO-HDLC.
        for cut in 0..=9 {
            let (head, tail) = b"123456789".split_at(cut);
            assert_eq!(checksum(head, tail), 0xcbf4_3926, "{cut}");
        }
        let long: Vec<u8> = (0..1000_u32).map(|i| (i * 7) as u8).collect();
        let whole = checksum(&[], &long);
        for cut in [1, 7, 8, 9, 500, 999] {
            assert_eq!(checksum(&long[..cut], &long[cut..]), whole, "{cut}");
        }
    }
}
