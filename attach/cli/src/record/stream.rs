//! The stream from the agent: whole chunks, as they come.

use locklens_trace::chunk::{self, CHUNK_HEADER_LEN, ChunkHeader, FILE_HEADER_LEN};
use std::fmt;
use std::io::{self, ErrorKind, Read};

/// How much is asked of the socket at once.
const STEP: usize = 256 << 10;

/// Cuts a stream of bytes into chunks.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    /// What was read lies in `used..filled`. The rest is room, which is not cleared for every read.
    buffer: Vec<u8>,
    used: usize,
    filled: usize,
    begun: bool,
}

/// What one read brought.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// Bytes; ask for chunks.
    Some,
    /// Nothing within the socket's time-out.
    Nothing,
    /// The other end is closed.
    Closed,
}

/// The agent does not speak the language of this command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Nonsense;

impl fmt::Display for Nonsense {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the agent sent something that is not a trace")
    }
}

impl Stream {
    /// Reads once. A connection that breaks is closed: the agent's end says why in its last chunk
    /// or not at all.
    pub(crate) fn read(&mut self, source: &mut impl Read) -> Arrival {
        self.buffer.copy_within(self.used..self.filled, 0);
        self.filled -= self.used;
        self.used = 0;
        let end = self.filled + STEP;
        if self.buffer.len() < end {
            self.buffer.resize(end, 0);
        }
        match source.read(&mut self.buffer[self.filled..end]) {
            Ok(0) => Arrival::Closed,
            Ok(read) => {
                self.filled += read;
                Arrival::Some
            }
            Err(error) => nothing_or_closed(&error),
        }
    }

    /// The next whole chunk, header included.
    pub(crate) fn chunk(&mut self) -> Result<Option<&[u8]>, Nonsense> {
        if !self.begun && !self.begin()? {
            return Ok(None);
        }
        let rest = &self.buffer[self.used..self.filled];
        if rest.len() < CHUNK_HEADER_LEN {
            return Ok(None);
        }
        let header = ChunkHeader::parse(rest).ok_or(Nonsense)?;
        let len = CHUNK_HEADER_LEN + header.stored_len;
        if rest.len() < len {
            return Ok(None);
        }
        self.used += len;
        Ok(Some(&self.buffer[self.used - len..self.used]))
    }

    fn begin(&mut self) -> Result<bool, Nonsense> {
        let rest = &self.buffer[self.used..self.filled];
        let Some(header) = rest.get(..FILE_HEADER_LEN) else {
            return Ok(false);
        };
        if header != chunk::file_header() {
            return Err(Nonsense);
        }
        self.used += FILE_HEADER_LEN;
        self.begun = true;
        Ok(true)
    }
}

fn nothing_or_closed(error: &io::Error) -> Arrival {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Arrival::Nothing,
        _ => Arrival::Closed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::chunk::Encoder;
    use locklens_trace::record::{Hidden, Record};

    /// Gives its bytes one at a time.
    struct Trickle<'a>(&'a [u8]);

    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let step = self.0.len().min(1);
            buffer[..step].copy_from_slice(&self.0[..step]);
            self.0 = &self.0[step..];
            Ok(step)
        }
    }

    fn chunk_of(name: &str) -> Vec<u8> {
        let mut encoder = Encoder::new();
        encoder.push(&Record::Hidden(Hidden {
            name: name.into(),
            events: 1,
        }));
        encoder.take_chunk()
    }

    fn chunks(mut source: impl Read) -> Result<Vec<Vec<u8>>, Nonsense> {
        let (mut stream, mut chunks) = (Stream::default(), Vec::new());
        while stream.read(&mut source) != Arrival::Closed {
            while let Some(chunk) = stream.chunk()? {
                chunks.push(chunk.to_vec());
            }
        }
        Ok(chunks)
    }

    fn trace() -> (Vec<u8>, Vec<Vec<u8>>) {
        let chunks = vec![chunk_of("a"), chunk_of("bb")];
        let bytes = [chunk::file_header().to_vec(), chunks.concat()].concat();
        (bytes, chunks)
    }

    #[test]
    fn chunks_come_out_whole_however_they_arrive() {
        let (bytes, expected) = trace();
        assert_eq!(chunks(bytes.as_slice()).unwrap(), expected);
        assert_eq!(chunks(Trickle(&bytes)).unwrap(), expected);
    }

    #[test]
    fn half_a_chunk_at_the_end_is_left_out() {
        let (bytes, expected) = trace();
        assert_eq!(chunks(&bytes[..bytes.len() - 1]).unwrap(), expected[..1]);
    }

    #[test]
    fn what_is_no_trace_is_refused() {
        let (mut bytes, _) = trace();
        bytes[FILE_HEADER_LEN] ^= 1;
        assert_eq!(chunks(bytes.as_slice()), Err(Nonsense));
        assert_eq!(
            chunks(b"sixteen bytes of something else".as_slice()),
            Err(Nonsense)
        );
    }
}
