//! Modified UTF-8, in which class files and JVMTI write names: NUL as two bytes, characters
//! beyond the basic plane as two surrogates of three bytes each.

/// Decodes as much as is well-formed; every byte that is not becomes U+FFFD. Never fails.
#[must_use]
pub fn decode(bytes: &[u8]) -> String {
    if bytes.is_ascii() {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((unit, len)) = first(rest) {
        units.push(unit);
        rest = &rest[len..];
    }
    String::from_utf16_lossy(&units)
}

/// Encodes; what [`decode`] gave for a well-formed name becomes the same bytes again.
#[must_use]
pub fn encode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for unit in text.encode_utf16() {
        let low = |shift: u16| 0x80 | (unit >> shift & 0x3f) as u8;
        match unit {
            1..=0x7f => bytes.push(unit as u8),
            0 | 0x80..=0x7ff => bytes.extend([0xc0 | (unit >> 6) as u8, low(0)]),
            _ => bytes.extend([0xe0 | (unit >> 12) as u8, low(6), low(0)]),
        }
    }
    bytes
}

/// The first UTF-16 unit and the bytes it takes; none at the end.
fn first(bytes: &[u8]) -> Option<(u16, usize)> {
    let continuation = |at: usize| {
        let byte = *bytes.get(at)?;
        (byte & 0xc0 == 0x80).then_some(u16::from(byte & 0x3f))
    };
    let lead = *bytes.first()?;
    let long = match lead {
        0..=0x7f => return Some((u16::from(lead), 1)),
        0xc0..=0xdf => continuation(1).map(|low| (u16::from(lead & 0x1f) << 6 | low, 2)),
        0xe0..=0xef => continuation(1)
            .zip(continuation(2))
            .map(|(mid, low)| (u16::from(lead & 0x0f) << 12 | mid << 6 | low, 3)),
        _ => None,
    };
    Some(long.unwrap_or((0xfffd, 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_plane_are_read() {
        assert_eq!(decode(b"java/lang/Object"), "java/lang/Object");
        assert_eq!(decode("Zähler→日".as_bytes()), "Zähler→日");
        assert_eq!(decode(b"a\xc0\x80b"), "a\0b");
        assert_eq!(decode(b"\xed\xa0\xbd\xed\xb8\x80"), "\u{1f600}");
    }

    #[test]
    fn what_was_decoded_is_encoded_as_it_was() {
        for bytes in [
            &b"a\xc0\x80b"[..],
            b"\xed\xa0\xbd\xed\xb8\x80",
            "Zähler→日".as_bytes(),
        ] {
            assert_eq!(encode(&decode(bytes)), bytes);
        }
    }

    #[test]
    fn damage_costs_only_what_it_hits() {
        assert_eq!(decode(b"a\xffb"), "a\u{fffd}b");
        assert_eq!(decode(b"a\xe3\x81"), "a\u{fffd}\u{fffd}");
        assert_eq!(decode(b"\xed\xa0\xbd!"), "\u{fffd}!");
    }
}
