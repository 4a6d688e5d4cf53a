//! Bytes from the fuzzer as a trace. The first says what the others are.

use locklens_trace::Record;
use locklens_trace::chunk;

/// What the bytes behind the first one are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A whole file.
    File,
    /// Chunks behind a good header.
    Chunks,
    /// The records of one plain chunk.
    Plain,
    /// The payload of one packed chunk.
    Packed,
    /// The same, where what is no event is not compressed yet: its length in two bytes, itself, and the events. Few mutations of
    /// what is compressed can be unpacked, and none of them changes one record.
    Parts,
}

impl Way {
    /// Every way.
    pub const ALL: [Self; 5] = [
        Self::File,
        Self::Chunks,
        Self::Plain,
        Self::Packed,
        Self::Parts,
    ];

    /// An input of this kind.
    #[must_use]
    pub fn input(self, bytes: &[u8]) -> Vec<u8> {
        [&[self as u8], bytes].concat()
    }
}

/// The file that an input stands for, and which way it came.
#[must_use]
pub fn file(input: &[u8]) -> Option<(Way, Vec<u8>)> {
    let (&way, bytes) = input.split_first()?;
    let way = Way::ALL[way as usize % Way::ALL.len()];
    let chunk = match way {
        Way::File => return Some((way, bytes.to_vec())),
        Way::Chunks => bytes.to_vec(),
        Way::Plain => chunk::frame_for_tests(bytes),
        Way::Packed => chunk::frame_packed_for_tests(bytes),
        Way::Parts => chunk::frame_packed_for_tests(&compressed(bytes)?),
    };
    Some((way, [&chunk::file_header()[..], &chunk].concat()))
}

/// The payload of a packed chunk of these parts.
fn compressed(parts: &[u8]) -> Option<Vec<u8>> {
    let (length, rest) = parts.split_at_checked(2)?;
    let length = usize::from(u16::from_le_bytes([length[0], length[1]]));
    let (others, events) = rest.split_at(length.min(rest.len()));
    let stored = lz4_flex::block::compress(others);
    let mut payload = Vec::new();
    put(&mut payload, others.len());
    put(&mut payload, stored.len());
    Some([&payload[..], &stored, events].concat())
}

/// The reverse: the parts of a chunk of these records, if they are not too many.
#[must_use]
pub fn parts(records: &[Record]) -> Option<Vec<u8>> {
    let chunk = chunk::pack(records.iter());
    let mut payload = &chunk[chunk::CHUNK_HEADER_LEN..];
    let length = take(&mut payload)?;
    let stored = take(&mut payload)?;
    let (stored, events) = payload.split_at_checked(stored)?;
    let others = lz4_flex::block::decompress(stored, length).ok()?;
    let length = u16::try_from(others.len()).ok()?;
    Some([&length.to_le_bytes()[..], &others, events].concat())
}

fn put(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}
