//! Instructions: the bytes of a method's code, one instruction at a time.
//!
//! Operands are decoded by their form; `wide` is folded into the instruction it widens; branch
//! targets are absolute. What an instruction means is the reader's business.

use crate::bytes::Bytes;
use crate::{Cause, Error};

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insn {
    /// Bytecode index.
    pub bci: u16,
    /// The opcode; never `wide` itself.
    pub opcode: u8,
    /// What follows it.
    pub operand: Operand,
}

/// Operand of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// None.
    None,
    /// A number (`bipush`, `sipush`) or an element type (`newarray`).
    Value(i16),
    /// A local variable.
    Local(u16),
    /// A local variable and what is added to it.
    Increment(u16, i16),
    /// An index into the constant pool.
    Pool(u16),
    /// A class by its index and a number of dimensions.
    Array(u16, u8),
    /// A branch target.
    Branch(u16),
    /// A switch.
    Switch {
        /// (key, target) pairs.
        cases: Vec<(i32, u16)>,
        /// Target when no key matches.
        default: u16,
    },
}

const WIDE: u8 = 0xc4;
const IINC: u8 = 0x84;

/// The instructions of a method, in order. After an error there is nothing more.
#[must_use]
pub fn instructions(code: &[u8]) -> Instructions<'_> {
    Instructions {
        code,
        at: 0,
        failed: false,
    }
}

/// See [`instructions`].
#[derive(Clone, Debug)]
pub struct Instructions<'a> {
    code: &'a [u8],
    at: usize,
    failed: bool,
}

impl Iterator for Instructions<'_> {
    type Item = Result<Insn, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.at >= self.code.len() {
            return None;
        }
        let insn = self.read();
        self.failed = insn.is_err();
        Some(insn)
    }
}

impl Instructions<'_> {
    fn read(&mut self) -> Result<Insn, Error> {
        let mut bytes = Bytes::at(self.code, self.at);
        let bci = u16::try_from(self.at).map_err(|_| bytes.error(Cause::Target))?;
        let first = bytes.u1()?;
        let (opcode, operand) = if first == WIDE {
            let opcode = bytes.u1()?;
            (opcode, self.wide(opcode, &mut bytes)?)
        } else {
            (first, self.operand(first, bci, &mut bytes)?)
        };
        self.at = bytes.offset();
        Ok(Insn {
            bci,
            opcode,
            operand,
        })
    }

    fn wide(&self, opcode: u8, bytes: &mut Bytes<'_>) -> Result<Operand, Error> {
        match opcode {
            0x15..=0x19 | 0x36..=0x3a | 0xa9 => Ok(Operand::Local(bytes.u2()?)),
            IINC => Ok(Operand::Increment(bytes.u2()?, bytes.i2()?)),
            _ => Err(self.error(Cause::Opcode(opcode))),
        }
    }

    fn operand(&self, opcode: u8, bci: u16, bytes: &mut Bytes<'_>) -> Result<Operand, Error> {
        Ok(match opcode {
            0x10 => Operand::Value(i16::from(bytes.u1()? as i8)),
            0x11 => Operand::Value(bytes.i2()?),
            0x12 => Operand::Pool(u16::from(bytes.u1()?)),
            0x13 | 0x14 | 0xb2..=0xb8 | 0xbb | 0xbd | 0xc0 | 0xc1 => Operand::Pool(bytes.u2()?),
            0x15..=0x19 | 0x36..=0x3a | 0xa9 => Operand::Local(u16::from(bytes.u1()?)),
            IINC => Operand::Increment(u16::from(bytes.u1()?), i16::from(bytes.u1()? as i8)),
            0x99..=0xa8 | 0xc6 | 0xc7 => {
                let offset = i32::from(bytes.i2()?);
                Operand::Branch(self.target(bci, offset)?)
            }
            0xc8 | 0xc9 => {
                let offset = bytes.i4()?;
                Operand::Branch(self.target(bci, offset)?)
            }
            0xaa => self.table_switch(bci, bytes)?,
            0xab => self.lookup_switch(bci, bytes)?,
            0xb9 | 0xba => {
                let index = bytes.u2()?;
                bytes.take(2)?;
                Operand::Pool(index)
            }
            0xbc => Operand::Value(i16::from(bytes.u1()?)),
            0xc5 => Operand::Array(bytes.u2()?, bytes.u1()?),
            0x00..=0x0f | 0x1a..=0x35 | 0x3b..=0x83 | 0x85..=0x98 => Operand::None,
            0xac..=0xb1 | 0xbe | 0xbf | 0xc2 | 0xc3 => Operand::None,
            _ => return Err(self.error(Cause::Opcode(opcode))),
        })
    }

    fn table_switch(&self, bci: u16, bytes: &mut Bytes<'_>) -> Result<Operand, Error> {
        self.skip_padding(bytes)?;
        let default = self.read_target(bci, bytes)?;
        let (low, high) = (bytes.i4()?, bytes.i4()?);
        let last = i64::from(high) - i64::from(low);
        // Every case takes four bytes: more than fit cannot be there.
        if last < -1 || last >= self.code.len() as i64 / 4 {
            return Err(self.error(Cause::Switch));
        }
        let cases = (0..=last)
            .map(|i| Ok(((i64::from(low) + i) as i32, self.read_target(bci, bytes)?)))
            .collect::<Result<_, Error>>()?;
        Ok(Operand::Switch { cases, default })
    }

    fn lookup_switch(&self, bci: u16, bytes: &mut Bytes<'_>) -> Result<Operand, Error> {
        self.skip_padding(bytes)?;
        let default = self.read_target(bci, bytes)?;
        let pairs = bytes.i4()?;
        if pairs < 0 || pairs as usize > self.code.len() / 8 {
            return Err(self.error(Cause::Switch));
        }
        let cases = (0..pairs)
            .map(|_| Ok((bytes.i4()?, self.read_target(bci, bytes)?)))
            .collect::<Result<_, Error>>()?;
        Ok(Operand::Switch { cases, default })
    }

    fn skip_padding(&self, bytes: &mut Bytes<'_>) -> Result<(), Error> {
        let aligned = bytes.offset().next_multiple_of(4);
        bytes.take(aligned - bytes.offset()).map(drop)
    }

    fn read_target(&self, bci: u16, bytes: &mut Bytes<'_>) -> Result<u16, Error> {
        let offset = bytes.i4()?;
        self.target(bci, offset)
    }

    fn target(&self, bci: u16, offset: i32) -> Result<u16, Error> {
        let target = i64::from(bci) + i64::from(offset);
        let inside = usize::try_from(target).is_ok_and(|t| t < self.code.len());
        let target = u16::try_from(target).ok().filter(|_| inside);
        target.ok_or(self.error(Cause::Target))
    }

    fn error(&self, cause: Cause) -> Error {
        Error {
            offset: self.at,
            cause,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(code: &[u8]) -> Vec<Insn> {
        instructions(code)
            .map(|i| i.expect("well-formed"))
            .collect()
    }

    fn insn(bci: u16, opcode: u8, operand: Operand) -> Insn {
        Insn {
            bci,
            opcode,
            operand,
        }
    }

    #[test]
    fn operands_take_their_bytes() {
        let code = [
            0x10, 0xff, // bipush -1
            0x84, 2, 0xfe, // iinc 2, -2
            0xc4, 0x84, 1, 0, 0xff, 0, // wide iinc 256, -256
            0xc4, 0x15, 1, 1, // wide iload 257
            0xb9, 0, 7, 1, 0, // invokeinterface 7
            0xa7, 0xff, 0xec, // goto 0
            0xc5, 0, 9, 2,    // multianewarray 9, 2
            0xb1, // return
        ];
        assert_eq!(
            all(&code),
            [
                insn(0, 0x10, Operand::Value(-1)),
                insn(2, 0x84, Operand::Increment(2, -2)),
                insn(5, 0x84, Operand::Increment(256, -256)),
                insn(11, 0x15, Operand::Local(257)),
                insn(15, 0xb9, Operand::Pool(7)),
                insn(20, 0xa7, Operand::Branch(0)),
                insn(23, 0xc5, Operand::Array(9, 2)),
                insn(27, 0xb1, Operand::None),
            ]
        );
    }

    #[test]
    fn switches_are_aligned_to_the_method() {
        let mut table = vec![0x00, 0xaa, 0, 0];
        for word in [-1_i32, 5, 6, -1, 3] {
            table.extend(word.to_be_bytes());
        }
        let switch = Operand::Switch {
            cases: vec![(5, 0), (6, 4)],
            default: 0,
        };
        assert_eq!(all(&table)[1], insn(1, 0xaa, switch));
        let mut lookup = vec![0xab, 0, 0, 0];
        for word in [0_i32, 1, -9, 0] {
            lookup.extend(word.to_be_bytes());
        }
        let switch = Operand::Switch {
            cases: vec![(-9, 0)],
            default: 0,
        };
        assert_eq!(all(&lookup), [insn(0, 0xab, switch)]);
    }

    #[test]
    fn nonsense_ends_with_one_error() {
        for code in [
            &[0xff][..],
            &[0xc4, 0x00],
            &[0xa7, 0x7f, 0xff],
            &[
                0xaa, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff,
            ],
            &[0xab, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff],
            &[0x12],
        ] {
            let read: Vec<_> = instructions(code).collect();
            assert_eq!(read.len(), 1, "{code:?}");
            assert!(read[0].is_err(), "{code:?}");
        }
    }
}
