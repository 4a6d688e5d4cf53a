//! A cursor over big-endian bytes.

use crate::{Cause, Error};

/// Reads from the front; every read is checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    /// At the start.
    pub(crate) fn new(all: &'a [u8]) -> Self {
        Self { all, at: 0 }
    }

    /// At an offset.
    pub(crate) fn at(all: &'a [u8], at: usize) -> Self {
        Self { all, at }
    }

    /// Offset of the next byte.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// An error at the next byte.
    pub(crate) fn error(&self, cause: Cause) -> Error {
        Error {
            offset: self.at,
            cause,
        }
    }

    /// Nothing may be left.
    pub(crate) fn end(&self) -> Result<(), Error> {
        match self.at == self.all.len() {
            true => Ok(()),
            false => Err(self.error(Cause::LeftOver)),
        }
    }

    /// The next `len` bytes.
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], Error> {
        let end = self.at.checked_add(len);
        let taken = end.and_then(|end| self.all.get(self.at..end));
        let taken = taken.ok_or(self.error(Cause::Truncated))?;
        self.at += len;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    /// An unsigned byte.
    pub(crate) fn u1(&mut self) -> Result<u8, Error> {
        Ok(self.array::<1>()?[0])
    }

    /// An unsigned number of two bytes.
    pub(crate) fn u2(&mut self) -> Result<u16, Error> {
        self.array().map(u16::from_be_bytes)
    }

    /// An unsigned number of four bytes.
    pub(crate) fn u4(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_be_bytes)
    }

    /// A signed number of two bytes.
    pub(crate) fn i2(&mut self) -> Result<i16, Error> {
        self.array().map(i16::from_be_bytes)
    }

    /// A signed number of four bytes.
    pub(crate) fn i4(&mut self) -> Result<i32, Error> {
        self.array().map(i32::from_be_bytes)
    }

    /// A signed number of eight bytes.
    pub(crate) fn i8(&mut self) -> Result<i64, Error> {
        self.array().map(i64::from_be_bytes)
    }

    /// As many items as a count of two bytes says.
    pub(crate) fn counted<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let count = self.u2()?;
        (0..count).map(|_| item(self)).collect()
    }
}
