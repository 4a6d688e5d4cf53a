//! Varints, strings and options on the wire, both ways. Knows nothing of records.

/// Why bytes could not be read as what they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WireError {
    /// The bytes end inside a value.
    Short,
    /// A value is outside its range.
    Range,
    /// A tag that this version does not know.
    Tag(u8),
}

/// A few numbers that are appended at once: to ask for room for each byte costs more than to write it.
pub(crate) struct Short {
    bytes: [u8; Self::MOST],
    len: usize,
}

impl Default for Short {
    fn default() -> Self {
        Self {
            bytes: [0; Self::MOST],
            len: 0,
        }
    }
}

impl Short {
    /// A byte and six numbers at their longest.
    const MOST: usize = 64;

    /// Adds a byte.
    #[inline]
    pub(crate) fn byte(&mut self, byte: u8) {
        self.bytes[self.len % Self::MOST] = byte;
        self.len += 1;
    }

    /// Adds a number as [`put_u64`] does.
    #[inline]
    pub(crate) fn u64(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.byte(value as u8 | 0x80);
            value >>= 7;
        }
        self.byte(value as u8);
    }

    /// The same as [`put_i64`].
    #[inline]
    pub(crate) fn i64(&mut self, value: i64) {
        self.u64(zigzag(value));
    }

    /// What was added.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len.min(Self::MOST)]
    }
}

/// Appends an unsigned number, 7 bits a byte, low bits first.
pub(crate) fn put_u64(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(crate) fn put_u32(out: &mut Vec<u8>, value: u32) {
    put_u64(out, u64::from(value));
}

/// Appends a signed number, small magnitudes short.
pub(crate) fn put_i64(out: &mut Vec<u8>, value: i64) {
    put_u64(out, zigzag(value));
}

/// Small magnitudes as small numbers.
fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

pub(crate) fn put_str(out: &mut Vec<u8>, text: &str) {
    put_u64(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

pub(crate) fn put_opt_str(out: &mut Vec<u8>, text: Option<&str>) {
    out.push(u8::from(text.is_some()));
    if let Some(text) = text {
        put_str(out, text);
    }
}

/// A cursor over bytes of unknown quality: every read may fail, none panics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    #[inline]
    pub(crate) fn u8(&mut self) -> Result<u8, WireError> {
        let byte = *self.bytes.get(self.at).ok_or(WireError::Short)?;
        self.at += 1;
        Ok(byte)
    }

    pub(crate) fn bool(&mut self) -> Result<bool, WireError> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(WireError::Range),
        }
    }

    #[inline]
    pub(crate) fn u64(&mut self) -> Result<u64, WireError> {
        let first = self.u8()?;
        if first < 0x80 {
            return Ok(u64::from(first));
        }
        let ahead = self.bytes.get(self.at..self.at + 8);
        match ahead.and_then(|ahead| <[u8; 8]>::try_from(ahead).ok()) {
            Some(ahead) => self.u64_of(first, u64::from_le_bytes(ahead)),
            None => self.u64_rest(u64::from(first & 0x7f)),
        }
    }

    /// One whose first byte has been read, of the eight behind it: times take five or six, and a step for each would be
    /// guessed wrong as often as not.
    #[inline]
    fn u64_of(&mut self, first: u8, ahead: u64) -> Result<u64, WireError> {
        let last = !ahead & 0x8080_8080_8080_8080;
        if last == 0 {
            return self.u64_rest(u64::from(first & 0x7f));
        }
        // Ones up to the highest bit of the last byte.
        let own = last ^ (last - 1);
        let sevens = ahead & own & 0x7f7f_7f7f_7f7f_7f7f;
        let pairs = sevens & 0x007f_007f_007f_007f | (sevens & 0x7f00_7f00_7f00_7f00) >> 1;
        let fours = pairs & 0x0000_3fff_0000_3fff | (pairs & 0x3fff_0000_3fff_0000) >> 2;
        let rest = fours & 0x0fff_ffff | (fours & 0x0fff_ffff_0000_0000) >> 4;
        self.at += (own.count_ones() / 8) as usize;
        Ok(rest << 7 | u64::from(first & 0x7f))
    }

    #[cold]
    fn u64_rest(&mut self, mut value: u64) -> Result<u64, WireError> {
        for shift in (7..64).step_by(7) {
            let byte = self.u8()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return Err(WireError::Range);
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(WireError::Range)
    }

    #[inline]
    pub(crate) fn u32(&mut self) -> Result<u32, WireError> {
        u32::try_from(self.u64()?).map_err(|_| WireError::Range)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, WireError> {
        u16::try_from(self.u64()?).map_err(|_| WireError::Range)
    }

    #[inline]
    pub(crate) fn i64(&mut self) -> Result<i64, WireError> {
        let raw = self.u64()?;
        Ok((raw >> 1) as i64 ^ -((raw & 1) as i64))
    }

    pub(crate) fn i16(&mut self) -> Result<i16, WireError> {
        i16::try_from(self.i64()?).map_err(|_| WireError::Range)
    }

    pub(crate) fn i32(&mut self) -> Result<i32, WireError> {
        i32::try_from(self.i64()?).map_err(|_| WireError::Range)
    }

    pub(crate) fn str(&mut self) -> Result<String, WireError> {
        let len = usize::try_from(self.u64()?).map_err(|_| WireError::Range)?;
        let end = self.at.checked_add(len).ok_or(WireError::Range)?;
        let bytes = self.bytes.get(self.at..end).ok_or(WireError::Short)?;
        self.at = end;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    pub(crate) fn opt_str(&mut self) -> Result<Option<String>, WireError> {
        Ok(if self.bool()? {
            Some(self.str()?)
        } else {
            None
        })
    }

    /// A list; its length is checked against what the bytes could hold, so that a hostile length
    /// allocates nothing.
    pub(crate) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, WireError>,
    ) -> Result<Vec<T>, WireError> {
        let len = usize::try_from(self.u64()?).map_err(|_| WireError::Range)?;
        if len > self.bytes.len() - self.at {
            return Err(WireError::Short);
        }
        let mut items = Vec::with_capacity(len.min(1024));
        for _ in 0..len {
            items.push(item(self)?);
        }
        Ok(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// With eight bytes ahead or less: a number is what it is byte by byte.
        #[test]
        fn a_number_is_read_in_one_step_as_in_many(
            bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(0xff), Just(0x80)], 0..24)
        ) {
            for at in 0..bytes.len() {
                let (mut input, mut slow) = (Input::new(&bytes, at), Input::new(&bytes, at));
                let first = slow.u8().unwrap();
                let expected = match first {
                    0..0x80 => Ok(u64::from(first)),
                    _ => slow.u64_rest(u64::from(first & 0x7f)),
                };
                let got = input.u64();
                prop_assert_eq!(got, expected);
                if got.is_ok() {
                    prop_assert_eq!(input.position(), slow.position());
                }
            }
        }
    }
}
