//! Bytes back to records, and a list of what could not be read.
//!
//! The reader takes any bytes. After the file header it never fails: damage, truncation and
//! unreadable records become [`Gap`]s, and reading goes on at the next whole chunk.

use crate::chunk::{
    CHUNK_HEADER_LEN, ChunkHeader, Content, FILE_HEADER_LEN, MAGIC, SYNC, VERSION, feature,
};
use crate::decode;
use crate::encode::Predictor;
use crate::packed::{Next, Unpacker};
use crate::record::Record;
use crate::wire::Input;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};

/// Why these bytes are not a trace that can be read at all.
#[derive(Debug)]
pub enum OpenError {
    /// Reading failed.
    Io(io::Error),
    /// Nothing in it.
    Empty,
    /// Not a locklens trace.
    NotATrace,
    /// Of another version.
    Version(u8),
    /// Needs features this version does not know.
    Features(u32),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot be read: {error}"),
            Self::Empty => f.write_str("is empty: the recording wrote nothing"),
            Self::NotATrace => f.write_str("is not a locklens trace"),
            Self::Version(v) => write!(
                f,
                "has trace format {v}, this locklens reads format {VERSION}: use the version that recorded it"
            ),
            Self::Features(bits) => write!(
                f,
                "needs trace features {bits:#x} that this locklens does not know: use the version that recorded it"
            ),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

/// Bytes of a trace that gave no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Offset in the file.
    pub offset: u64,
    /// Length.
    pub len: u64,
    /// Why.
    pub cause: GapCause,
}

/// Why bytes gave no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapCause {
    /// The trace ends inside a chunk: cut off, or still being written.
    Truncated,
    /// Bytes that are not a whole chunk.
    Damaged,
    /// A chunk whose records this version cannot read to the end.
    Unreadable,
    /// Another trace begins, and whatever follows is not of this one: files that were put one behind the other.
    AnotherTrace,
    /// The source failed.
    Io,
}

/// What a trace yields.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A record.
    Record(Record),
    /// Something missing.
    Gap(Gap),
}

/// A trace being read.
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    /// Bytes read and not yet used; `buffer[used..]` is the rest.
    buffer: Vec<u8>,
    used: usize,
    /// File offset of `buffer[used]`.
    offset: u64,
    payload: Vec<u8>,
    at: usize,
    last: usize,
    predictor: Predictor,
    /// What is left of a packed chunk.
    packed: Option<Box<Unpacker>>,
    chunk_offset: u64,
    stored: u64,
    raw: u64,
    source_failed: bool,
    features: u32,
}

impl<R: Read> Reader<R> {
    /// Reads the file header.
    ///
    /// # Errors
    /// When the bytes are not a trace of this version.
    pub fn new(source: R) -> Result<Self, OpenError> {
        let mut reader = Self {
            source,
            buffer: Vec::new(),
            used: 0,
            offset: 0,
            payload: Vec::new(),
            at: 0,
            last: 0,
            predictor: Predictor::default(),
            packed: None,
            chunk_offset: 0,
            stored: 0,
            raw: 0,
            source_failed: false,
            features: 0,
        };
        reader.open()?;
        Ok(reader)
    }

    fn open(&mut self) -> Result<(), OpenError> {
        let have = self.fill(FILE_HEADER_LEN).map_err(OpenError::Io)?;
        let head = &self.buffer[..have.min(FILE_HEADER_LEN)];
        if head.is_empty() {
            return Err(OpenError::Empty);
        }
        let magic = &head[..head.len().min(MAGIC.len())];
        if head.len() <= MAGIC.len() || magic != MAGIC {
            return Err(OpenError::NotATrace);
        }
        if head[7] != VERSION {
            return Err(OpenError::Version(head[7]));
        }
        if let Some(bits) = head.get(8..12) {
            let bits = u32::from_le_bytes([bits[0], bits[1], bits[2], bits[3]]);
            let unknown = bits & !feature::KNOWN;
            if unknown != 0 {
                return Err(OpenError::Features(unknown));
            }
            self.features = bits;
        }
        self.skip(have.min(FILE_HEADER_LEN));
        Ok(())
    }

    /// What its readers must know of, see [`feature`].
    #[must_use]
    pub fn features(&self) -> u32 {
        self.features
    }

    /// The next record or gap; none at the end.
    pub fn next_item(&mut self) -> Option<Item> {
        loop {
            if self.at < self.payload.len() {
                return Some(self.next_record());
            }
            if self.packed.is_some() {
                if let Some(item) = self.next_packed() {
                    return Some(item);
                }
                self.packed = None;
            }
            match self.next_chunk() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(gap) => return Some(Item::Gap(gap)),
            }
        }
    }

    /// Events go their own way, to be put together where they are wanted: moving one from place to place
    /// costs more than reading it.
    #[inline]
    fn next_record(&mut self) -> Item {
        let mut input = Input::new(&self.payload, self.at);
        let Ok(head) = input.u8() else {
            return self.unreadable();
        };
        if decode::is_event(head) {
            let Ok(event) = decode::event(&mut input, &mut self.predictor, head) else {
                return self.unreadable();
            };
            let end = input.position();
            self.advance(end);
            return Item::Record(Record::Event(event));
        }
        let Ok(record) = decode::other(&mut input, head) else {
            return self.unreadable();
        };
        let end = input.position();
        self.advance(end);
        Item::Record(record)
    }

    /// The next of a packed chunk. Events go their own way here, too, and so do operations.
    #[inline]
    fn next_packed(&mut self) -> Option<Item> {
        let packed = self.packed.as_mut()?;
        let before = packed.position();
        match packed.next() {
            Next::Event => {
                let Ok(event) = packed.event() else {
                    return Some(self.unreadable());
                };
                self.last = packed.position() - before;
                Some(Item::Record(Record::Event(event)))
            }
            Next::Operation => {
                let Ok(operation) = packed.operation() else {
                    return Some(self.unreadable());
                };
                self.last = packed.position() - before;
                Some(Item::Record(Record::Operation(operation)))
            }
            Next::Other => {
                let Ok(record) = packed.other() else {
                    return Some(self.unreadable());
                };
                self.last = packed.position() - before;
                Some(Item::Record(record))
            }
            Next::End => None,
        }
    }

    fn advance(&mut self, to: usize) {
        self.last = to - self.at;
        self.at = to;
    }

    /// The rest of the chunk gives no record.
    #[cold]
    fn unreadable(&mut self) -> Item {
        let packed = self.packed.take().map_or(0, |packed| packed.rest());
        let len = (self.payload.len() - self.at + packed) as u64;
        self.at = self.payload.len();
        Item::Gap(Gap {
            offset: self.chunk_offset,
            len,
            cause: GapCause::Unreadable,
        })
    }

    /// Loads the next whole chunk; false at the end of the trace.
    fn next_chunk(&mut self) -> Result<bool, Gap> {
        let start = self.offset;
        if self.fill_or_gap(CHUNK_HEADER_LEN)? == 0 {
            return Ok(false);
        }
        if let Some(len) = self.load_chunk_here()? {
            self.chunk_offset = start;
            self.skip(len);
            return Ok(true);
        }
        match self.buffer[self.used..].starts_with(MAGIC) {
            true => Err(self.pass_over(start)),
            false => Err(self.resync(start)),
        }
    }

    /// Nothing of the rest is of this trace.
    fn pass_over(&mut self, start: u64) -> Gap {
        loop {
            match self.fill(1).unwrap_or_else(|_| self.failed()) {
                0 => return self.gap(start, GapCause::AnotherTrace),
                have => self.skip(have),
            }
        }
    }

    /// Unpacks the chunk at the current offset; its length, or none if there is no whole chunk here.
    fn load_chunk_here(&mut self) -> Result<Option<usize>, Gap> {
        let Some(header) = ChunkHeader::parse(&self.buffer[self.used..]) else {
            return Ok(None);
        };
        let len = CHUNK_HEADER_LEN + header.stored_len;
        if self.fill_or_gap(len)? < len {
            return Ok(None);
        }
        let bytes = &self.buffer[self.used..self.used + len];
        let (head, payload) = bytes.split_at(CHUNK_HEADER_LEN);
        let Some(content) = header.unpack(head, payload) else {
            return Ok(None);
        };
        self.stored += len as u64;
        self.raw += header.raw_len as u64;
        match content {
            Content::Plain(raw) => {
                self.payload = raw;
                self.at = 0;
                self.predictor = Predictor::default();
            }
            Content::Packed(packed) => self.packed = Some(packed),
        }
        Ok(Some(len))
    }

    /// Skips to the next place that looks like a chunk and reports what was skipped.
    fn resync(&mut self, start: u64) -> Gap {
        self.skip(1);
        loop {
            let have = self.fill(SYNC.len()).unwrap_or_else(|_| self.failed());
            if have < SYNC.len() {
                self.skip(have);
                return self.gap(start, GapCause::Truncated);
            }
            let rest = &self.buffer[self.used..];
            match rest.windows(SYNC.len()).position(|w| w == SYNC) {
                Some(0) => return self.gap(start, GapCause::Damaged),
                Some(n) => self.skip(n),
                None => self.skip(have - (SYNC.len() - 1)),
            }
        }
    }

    fn gap(&self, start: u64, cause: GapCause) -> Gap {
        let cause = if self.source_failed {
            GapCause::Io
        } else {
            cause
        };
        Gap {
            offset: start,
            len: self.offset - start,
            cause,
        }
    }

    fn failed(&mut self) -> usize {
        self.source_failed = true;
        self.buffer.len() - self.used
    }

    fn fill_or_gap(&mut self, want: usize) -> Result<usize, Gap> {
        if self.source_failed {
            return Ok(self.buffer.len() - self.used);
        }
        self.fill(want).map_err(|_| {
            self.source_failed = true;
            self.gap(self.offset, GapCause::Io)
        })
    }

    /// Makes `want` bytes available if the source has them; returns how many there are.
    fn fill(&mut self, want: usize) -> io::Result<usize> {
        const STEP: usize = 256 << 10;
        if self.used > STEP {
            self.buffer.drain(..self.used);
            self.used = 0;
        }
        while self.buffer.len() - self.used < want && !self.source_failed {
            let have = self.buffer.len();
            self.buffer.resize(have + STEP, 0);
            let read = self.source.read(&mut self.buffer[have..]);
            self.buffer.truncate(have + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.buffer.len() - self.used)
    }

    fn skip(&mut self, n: usize) {
        self.used += n;
        self.offset += n as u64;
    }

    /// Where in the file the chunk begins that the last record came from.
    #[must_use]
    pub fn chunk_offset(&self) -> u64 {
        self.chunk_offset
    }

    /// How far the file has been read.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.offset
    }

    /// Length of the last record before compression, bytes.
    #[must_use]
    pub fn last_len(&self) -> usize {
        self.last
    }

    /// Bytes of the whole chunks read so far, as stored and as records.
    #[must_use]
    pub fn volume(&self) -> Volume {
        Volume {
            stored: self.stored,
            raw: self.raw,
        }
    }
}

/// How much was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    /// Bytes in the file.
    pub stored: u64,
    /// Bytes of records before compression.
    pub raw: u64,
}

impl<R: Read + Seek> Reader<R> {
    /// Goes on at this offset in the file, where a chunk begins.
    ///
    /// # Errors
    /// When the source cannot go there.
    pub fn go_to(&mut self, offset: u64) -> io::Result<()> {
        self.source.seek(SeekFrom::Start(offset))?;
        self.buffer.clear();
        self.payload.clear();
        (self.used, self.at) = (0, 0);
        self.packed = None;
        (self.offset, self.chunk_offset) = (offset, offset);
        self.source_failed = false;
        Ok(())
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Item;

    #[inline]
    fn next(&mut self) -> Option<Item> {
        self.next_item()
    }
}
