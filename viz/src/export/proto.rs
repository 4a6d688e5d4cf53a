//! Protocol buffers as they are written: fields one after the other, into a buffer that is used again.
//!
//! Only what the formats here need of the encoding. Which number a field has is said where it is written.

/// A message under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Message {
    bytes: Vec<u8>,
}

/// Where a message within another has its first byte.
#[derive(Debug)]
#[must_use]
pub(super) struct Begun(usize);

const VARINT: u32 = 0;
const FIXED64: u32 = 1;
const LENGTH: u32 = 2;

impl Message {
    /// What has been written.
    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Begins again.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    #[inline]
    pub(super) fn uint(&mut self, field: u32, value: u64) {
        self.key(field, VARINT);
        self.varint(value);
    }

    /// A signed number, not zigzag: of `int32` and `int64`.
    #[inline]
    pub(super) fn int(&mut self, field: u32, value: i64) {
        self.uint(field, value.cast_unsigned());
    }

    #[inline]
    pub(super) fn fixed64(&mut self, field: u32, value: u64) {
        self.key(field, FIXED64);
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    #[inline]
    pub(super) fn double(&mut self, field: u32, value: f64) {
        self.fixed64(field, value.to_bits());
    }

    #[inline]
    pub(super) fn string(&mut self, field: u32, value: &str) {
        self.raw(field, value.as_bytes());
    }

    /// Bytes, or a message that has been written already.
    #[inline]
    pub(super) fn raw(&mut self, field: u32, value: &[u8]) {
        self.key(field, LENGTH);
        self.varint(value.len() as u64);
        self.bytes.extend_from_slice(value);
    }

    /// Fields that have been encoded already.
    #[inline]
    pub(super) fn fields(&mut self, encoded: &[u8]) {
        self.bytes.extend_from_slice(encoded);
    }

    /// Several numbers in one field.
    pub(super) fn packed(&mut self, field: u32, values: &[u64]) {
        self.nested(field, |inner| {
            values.iter().for_each(|&value| inner.varint(value));
        });
    }

    /// A message within this one.
    #[inline]
    pub(super) fn nested(&mut self, field: u32, write: impl FnOnce(&mut Self)) {
        let begun = self.begin(field);
        write(self);
        self.end(begun);
    }

    /// Begins a message within this one.
    #[inline]
    pub(super) fn begin(&mut self, field: u32) -> Begun {
        self.key(field, LENGTH);
        self.bytes.push(0);
        Begun(self.bytes.len())
    }

    /// Ends it: those that begin later end earlier.
    #[inline]
    pub(super) fn end(&mut self, Begun(start): Begun) {
        let length = self.bytes.len() - start;
        match u8::try_from(length) {
            Ok(short) if short < 0x80 => self.bytes[start - 1] = short,
            _ => self.lengthen(start, length as u64),
        }
    }

    /// The length of what begins at `start` takes more than the one byte kept for it.
    fn lengthen(&mut self, start: usize, length: u64) {
        let (buffer, used) = varint(length);
        let end = self.bytes.len();
        self.bytes.resize(end + used - 1, 0);
        self.bytes.copy_within(start..end, start + used - 1);
        self.bytes[start - 1..start - 1 + used].copy_from_slice(&buffer[..used]);
    }

    #[inline]
    fn key(&mut self, field: u32, kind: u32) {
        self.varint(u64::from(field << 3 | kind));
    }

    #[inline]
    fn varint(&mut self, value: u64) {
        if value < 0x80 {
            return self.bytes.push(value as u8);
        }
        if value >> SEVENS != 0 {
            return self.long(value);
        }
        let used = (u64::BITS - value.leading_zeros()).div_ceil(7) as usize;
        let more = 0x8080_8080_8080_8080 & ((1 << (8 * (used - 1))) - 1);
        // As many bytes as there are at most, which is one move of a known size.
        let end = self.bytes.len() + used;
        let bytes = (apart(value) | more).to_le_bytes();
        self.bytes.extend_from_slice(&bytes);
        self.bytes.truncate(end);
    }

    #[cold]
    fn long(&mut self, value: u64) {
        let (buffer, used) = varint(value);
        self.bytes.extend_from_slice(&buffer[..used]);
    }
}

/// Bits of a number that eight bytes hold.
const SEVENS: u32 = 56;

/// Seven bits in each byte, of a number of as many as these hold: times and numbers of tracks take five to seven, and a step for
/// each would cost more.
#[inline]
fn apart(value: u64) -> u64 {
    let fours = value & 0x0fff_ffff | (value & 0x00ff_ffff_f000_0000) << 4;
    let twos = fours & 0x0000_3fff_0000_3fff | (fours & 0x0fff_c000_0fff_c000) << 2;
    twos & 0x007f_007f_007f_007f | (twos & 0x3f80_3f80_3f80_3f80) << 1
}

/// Seven bits a byte, the lowest first, and how many bytes they are.
#[inline]
fn varint(mut value: u64) -> ([u8; 10], usize) {
    let (mut buffer, mut used) = ([0; 10], 0);
    while value >= 0x80 {
        buffer[used] = value as u8 | 0x80;
        value >>= 7;
        used += 1;
    }
    buffer[used] = value as u8;
    (buffer, used + 1)
}

#[cfg(test)]
mod tests {
    use super::super::reader::{Field, fields};
    use super::*;
    use proptest::prelude::*;

    /// A field of any kind.
    #[derive(Clone, Debug, PartialEq)]
    enum Any {
        Uint(u64),
        Int(i64),
        Fixed(u64),
        Text(String),
        Packed(Vec<u64>),
        Nested(Vec<(u32, Any)>),
    }

    fn value() -> impl Strategy<Value = Any> {
        let leaf = prop_oneof![
            any::<u64>().prop_map(Any::Uint),
            any::<i64>().prop_map(Any::Int),
            any::<u64>().prop_map(Any::Fixed),
            ".{0,300}".prop_map(Any::Text),
            prop::collection::vec(any::<u64>(), 0..40).prop_map(Any::Packed),
        ];
        leaf.prop_recursive(4, 64, 8, |inner| {
            prop::collection::vec((1u32..1 << 20, inner), 0..8).prop_map(Any::Nested)
        })
    }

    fn write(message: &mut Message, field: u32, value: &Any) {
        match value {
            Any::Uint(value) => message.uint(field, *value),
            Any::Int(value) => message.int(field, *value),
            Any::Fixed(value) => message.fixed64(field, *value),
            Any::Text(text) => message.string(field, text),
            Any::Packed(values) => message.packed(field, values),
            Any::Nested(fields) => message.nested(field, |inner| {
                fields
                    .iter()
                    .for_each(|(field, value)| write(inner, *field, value));
            }),
        }
    }

    /// What was read is what was written, looked at as such.
    fn same(read: &Field<'_>, written: &Any) -> bool {
        match (read, written) {
            (Field::Varint(a), Any::Uint(b)) | (Field::Fixed(a), Any::Fixed(b)) => a == b,
            (Field::Varint(a), Any::Int(b)) => a.cast_signed() == *b,
            (Field::Bytes(a), Any::Text(b)) => *a == b.as_bytes(),
            (Field::Bytes(a), Any::Packed(b)) => super::super::reader::varints(a) == *b,
            (Field::Bytes(a), Any::Nested(b)) => {
                let read = fields(a);
                read.len() == b.len()
                    && read
                        .iter()
                        .zip(b)
                        .all(|((f, r), (field, w))| f == field && same(r, w))
            }
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn a_number_is_written_in_one_step_as_in_many(value in any::<u64>(), bits in 0u32..64) {
            let value = value >> bits;
            let mut message = Message::default();
            message.varint(value);
            let (buffer, used) = varint(value);
            prop_assert_eq!(message.bytes(), &buffer[..used]);
        }

        #[test]
        fn what_is_written_is_read_again(written in prop::collection::vec((1u32..1 << 20, value()), 0..12)) {
            let mut message = Message::default();
            written.iter().for_each(|(field, value)| write(&mut message, *field, value));
            let read = fields(message.bytes());
            prop_assert_eq!(read.len(), written.len());
            for ((field, read), (wanted, written)) in read.iter().zip(&written) {
                prop_assert_eq!(field, wanted);
                prop_assert!(same(read, written), "{:?} is not {:?}", read, written);
            }
        }
    }
}
