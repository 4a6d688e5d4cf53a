//! A reader of protocol buffers that knows no message, for the tests: written by their description, not by the writer.

/// A field as it is encoded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Field<'a> {
    Varint(u64),
    Fixed(u64),
    Bytes(&'a [u8]),
}

impl<'a> Field<'a> {
    pub(super) fn number(self) -> u64 {
        match self {
            Self::Varint(value) | Self::Fixed(value) => value,
            Self::Bytes(_) => panic!("a number, not {self:?}"),
        }
    }

    pub(super) fn bytes(self) -> &'a [u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            other => panic!("bytes, not {other:?}"),
        }
    }

    pub(super) fn text(self) -> &'a str {
        std::str::from_utf8(self.bytes()).expect("text is UTF-8")
    }
}

/// The fields of a message. Anything but whole fields is an error of the writer.
pub(super) fn fields(mut bytes: &[u8]) -> Vec<(u32, Field<'_>)> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let field = match key & 7 {
            0 => Field::Varint(varint(&mut bytes)),
            1 => {
                let (value, rest) = bytes.split_first_chunk().expect("eight bytes");
                bytes = rest;
                Field::Fixed(u64::from_le_bytes(*value))
            }
            2 => {
                let length = varint(&mut bytes) as usize;
                let (value, rest) = bytes.split_at(length);
                bytes = rest;
                Field::Bytes(value)
            }
            kind => panic!("no such wire type: {kind}"),
        };
        fields.push(((key >> 3) as u32, field));
    }
    fields
}

/// The only field of that number, if there is one.
pub(super) fn get<'a>(bytes: &'a [u8], number: u32) -> Option<Field<'a>> {
    let all = all(bytes, number);
    assert!(all.len() <= 1, "field {number} is there once: {all:?}");
    all.first().copied()
}

/// The fields of that number.
pub(super) fn all(bytes: &[u8], number: u32) -> Vec<Field<'_>> {
    let fields = fields(bytes).into_iter();
    let wanted = fields.filter(|(field, _)| *field == number);
    wanted.map(|(_, value)| value).collect()
}

/// The numbers of a packed field.
pub(super) fn varints(mut bytes: &[u8]) -> Vec<u64> {
    let mut values = Vec::new();
    while !bytes.is_empty() {
        values.push(varint(&mut bytes));
    }
    values
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0u64;
    for shift in (0..70).step_by(7) {
        let (&byte, rest) = bytes.split_first().expect("a varint ends");
        *bytes = rest;
        value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        if byte & 0x80 == 0 {
            return value;
        }
    }
    panic!("a varint has ten bytes at most")
}
