//! Numbers of any number of bits, low bits first.

use crate::wire::WireError;

/// Bits that announce how many bits follow.
const LENGTH: u32 = 6;
/// So many bits are not counted but meant to be all 64.
const ALL: u32 = 63;

/// Number of bits up to the highest one set.
pub(super) fn bits_of(value: u64) -> u32 {
    u64::BITS - value.leading_zeros()
}

/// Collects numbers.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    out: Vec<u8>,
    pending: u64,
    len: u32,
}

impl BitWriter {
    /// Goes on behind these bytes.
    pub(super) fn after(out: Vec<u8>) -> Self {
        Self {
            out,
            pending: 0,
            len: 0,
        }
    }

    /// Appends a number below 2 to the power of `width`.
    #[inline]
    pub(super) fn put(&mut self, value: u64, width: u32) {
        self.pending |= value << self.len;
        self.len += width;
        if self.len >= u64::BITS {
            self.out.extend_from_slice(&self.pending.to_le_bytes());
            self.len -= u64::BITS;
            // What found no room.
            self.pending = value.checked_shr(width - self.len).unwrap_or(0);
        }
    }

    /// Appends a number of any size, small ones short.
    #[inline]
    pub(super) fn put_any(&mut self, value: u64) {
        let len = bits_of(value);
        if len >= ALL {
            self.put(ALL.into(), LENGTH);
            self.put(value, u64::BITS);
        } else {
            // The highest bit is known to be set.
            let rest = len.saturating_sub(1);
            let value = value & !(u64::MAX << rest);
            match rest <= u64::BITS - LENGTH {
                true => self.put(value << LENGTH | u64::from(len), LENGTH + rest),
                false => {
                    self.put(len.into(), LENGTH);
                    self.put(value, rest);
                }
            }
        }
    }

    /// The bytes; the last is filled up with zeros.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let rest = self.pending.to_le_bytes();
        let whole = self.len.div_ceil(8) as usize;
        self.out.extend(&rest[..whole]);
        self.out
    }
}

/// A cursor over bits of unknown quality. Behind the end there are zeros; who reads them is told later.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// Bits read so far.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Not more was read than there is.
    pub(super) fn check(&self) -> Result<(), WireError> {
        match self.at <= self.bytes.len() * 8 {
            true => Ok(()),
            false => Err(WireError::Short),
        }
    }

    /// At least 57 bits from here on.
    #[inline]
    fn ahead(&self) -> u64 {
        let byte = self.at / 8;
        let word = match self.bytes.get(byte..byte + 8) {
            Some(&[a, b, c, d, e, f, g, h]) => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => self.last(byte),
        };
        word >> (self.at % 8)
    }

    #[cold]
    fn last(&self, byte: usize) -> u64 {
        let rest = self.bytes.get(byte..).unwrap_or_default();
        let bytes = rest.iter().take(8).rev();
        bytes.fold(0, |word, &byte| word << 8 | u64::from(byte))
    }

    /// The next number of so many bits, 64 at most.
    #[inline(always)]
    pub(super) fn take(&mut self, width: u32) -> u64 {
        match width {
            0..=56 => self.take_narrow(width),
            _ => self.take_wide(width),
        }
    }

    #[cold]
    fn take_wide(&mut self, width: u32) -> u64 {
        let low = self.take_narrow(32);
        low | self.take_narrow(width - 32) << 32
    }

    #[inline(always)]
    fn take_narrow(&mut self, width: u32) -> u64 {
        let value = self.ahead() & !(u64::MAX << width);
        self.at += width as usize;
        value
    }

    #[inline]
    pub(super) fn flag(&mut self) -> bool {
        self.take(1) == 1
    }

    /// The next number of any size.
    pub(super) fn take_any(&mut self) -> u64 {
        match self.take(LENGTH) as u32 {
            ALL => self.take(u64::BITS),
            0 => 0,
            len => self.take(len - 1) | 1 << (len - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_was_put_is_taken(
            numbers in prop::collection::vec((any::<u64>(), 0u32..=64, any::<bool>()), 0..60)
        ) {
            let cut = |value: u64, width: u32| match width {
                0 => 0,
                width => value >> (64 - width),
            };
            let mut bits = BitWriter::default();
            for &(value, width, any) in &numbers {
                match any {
                    true => bits.put_any(cut(value, width)),
                    false => bits.put(cut(value, width), width),
                }
            }
            let bytes = bits.finish();
            let mut bits = BitReader::new(&bytes, 0);
            for (value, width, any) in numbers {
                let got = if any { bits.take_any() } else { bits.take(width) };
                prop_assert_eq!(got, cut(value, width));
                prop_assert!(bits.check().is_ok());
            }
            prop_assert!(bytes.len() * 8 - bits.position() < 8);
            bits.take(8);
            prop_assert!(bits.check().is_err());
        }
    }
}
