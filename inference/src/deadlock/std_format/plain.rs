//! Lines that are read where they are, byte by byte and each byte once: those of every tool, `T0|acq(L1)|12`.
//!
//! Whatever has a space, a letter beyond ASCII or anything else out of the way is no such line, be it right or wrong:
//! it is left to those who look closer.

use super::word::Word;

/// A name, and the number that it ends with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'t> {
    pub(super) text: &'t [u8],
    digits: usize,
    /// None where it ends with none, or the same number can be written in other ways.
    pub(super) count: Option<u32>,
}

impl<'t> Name<'t> {
    /// What stands before the number.
    pub(super) fn word(&self) -> &'t [u8] {
        &self.text[..self.text.len() - self.digits]
    }
}

/// A line in its parts.
#[derive(Debug)]
pub(super) struct Plain<'t> {
    pub(super) thread: Name<'t>,
    pub(super) word: Word,
    pub(super) operand: Name<'t>,
    pub(super) place: Option<Name<'t>>,
    /// Bytes of the line, its end included.
    pub(super) length: usize,
}

impl<'t> Plain<'t> {
    /// The line that begins there, if all of it is there and it is plain.
    pub(super) fn of(bytes: &'t [u8]) -> Option<Self> {
        if bytes.first() == Some(&b'#') {
            return None;
        }
        let (thread, rest) = name(bytes, b'|')?;
        let (word, rest) = Word::before_operand(rest)?;
        let (operand, rest) = name(rest, b')')?;
        let (place, rest) = match rest {
            [b'\n', rest @ ..] => (None, rest),
            [b'|', rest @ ..] => {
                let (place, rest) = name(rest, b'\n')?;
                (Some(place), rest)
            }
            _ => return None,
        };
        Some(Self {
            thread,
            word,
            operand,
            place,
            length: bytes.len() - rest.len(),
        })
    }
}

/// What stands before the first such byte, if it is a plain name, and behind it.
fn name(bytes: &[u8], end: u8) -> Option<(Name<'_>, &[u8])> {
    let (mut digits, mut number) = (0, 0u32);
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            _ if byte == end => {
                let (text, rest) = (&bytes[..at], &bytes[at + 1..]);
                // Neither `007` nor more than an `u32` holds.
                let one_way = digits == 1 || bytes.get(at - digits) != Some(&b'0');
                let count = (one_way && (1..10).contains(&digits)).then_some(number);
                let name = Name {
                    text,
                    digits,
                    count,
                };
                return (at > 0).then_some((name, rest));
            }
            b'0'..=b'9' => {
                digits += 1;
                number = number.wrapping_mul(10).wrapping_add(u32::from(byte - b'0'));
            }
            b'|' => return None,
            b'!'..=b'~' => (digits, number) = (0, 0),
            _ => return None,
        }
    }
    None
}
