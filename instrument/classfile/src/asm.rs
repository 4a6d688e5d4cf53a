//! Writing instructions: just those that inserted code is made of. None of them branches, so a
//! fragment means the same wherever it is put.

use crate::append::{Append, Full};

/// Instructions written one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fragment {
    bytes: Vec<u8>,
}

impl Fragment {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What was written.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its length in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Appends another fragment.
    pub fn extend(&mut self, other: &Fragment) {
        self.bytes.extend_from_slice(&other.bytes);
    }

    /// An instruction without operands.
    #[must_use]
    pub fn op(mut self, opcode: u8) -> Self {
        self.bytes.push(opcode);
        self
    }

    /// An instruction with an index into the constant pool.
    #[must_use]
    pub fn pooled(self, opcode: u8, index: u16) -> Self {
        let [high, low] = index.to_be_bytes();
        self.op(opcode).op(high).op(low)
    }

    /// Pushes a long.
    ///
    /// # Errors
    /// When it needs a constant and the pool is full.
    pub fn long(self, value: i64, pool: &mut Append<'_>) -> Result<Self, Full> {
        match value {
            0 | 1 => Ok(self.op(0x09 + value as u8)),
            _ => Ok(self.pooled(0x14, pool.long(value)?)),
        }
    }

    /// Loads or stores a local variable: `long` is the opcode with an operand, `short` the first of
    /// the four opcodes for the first four variables.
    fn local(self, long: u8, short: u8, slot: u16) -> Self {
        match u8::try_from(slot) {
            Ok(slot @ 0..=3) => self.op(short + slot),
            Ok(slot) => self.op(long).op(slot),
            Err(_) => self.op(0xc4).pooled(long, slot),
        }
    }

    /// Loads an int.
    #[must_use]
    pub fn iload(self, slot: u16) -> Self {
        self.local(0x15, 0x1a, slot)
    }

    /// Loads a long.
    #[must_use]
    pub fn lload(self, slot: u16) -> Self {
        self.local(0x16, 0x1e, slot)
    }

    /// Loads a float.
    #[must_use]
    pub fn fload(self, slot: u16) -> Self {
        self.local(0x17, 0x22, slot)
    }

    /// Loads a double.
    #[must_use]
    pub fn dload(self, slot: u16) -> Self {
        self.local(0x18, 0x26, slot)
    }

    /// Loads a reference.
    #[must_use]
    pub fn aload(self, slot: u16) -> Self {
        self.local(0x19, 0x2a, slot)
    }

    /// Stores an int.
    #[must_use]
    pub fn istore(self, slot: u16) -> Self {
        self.local(0x36, 0x3b, slot)
    }

    /// Stores a long.
    #[must_use]
    pub fn lstore(self, slot: u16) -> Self {
        self.local(0x37, 0x3f, slot)
    }

    /// Stores a float.
    #[must_use]
    pub fn fstore(self, slot: u16) -> Self {
        self.local(0x38, 0x43, slot)
    }

    /// Stores a double.
    #[must_use]
    pub fn dstore(self, slot: u16) -> Self {
        self.local(0x39, 0x47, slot)
    }

    /// Stores a reference.
    #[must_use]
    pub fn astore(self, slot: u16) -> Self {
        self.local(0x3a, 0x4b, slot)
    }

    /// Pushes an int.
    ///
    /// # Errors
    /// When it needs a constant and the pool is full.
    pub fn int(self, value: i32, pool: &mut Append<'_>) -> Result<Self, Full> {
        let [_, _, high, low] = value.to_be_bytes();
        Ok(match value {
            -1..=5 => self.op((0x03 + value) as u8),
            -128..=127 => self.op(0x10).op(low),
            -32_768..=32_767 => self.op(0x11).op(high).op(low),
            _ => {
                let index = pool.integer(value)?;
                self.constant(index)
            }
        })
    }

    /// Pushes a constant of one slot.
    #[must_use]
    pub fn constant(self, index: u16) -> Self {
        match u8::try_from(index) {
            Ok(index) => self.op(0x12).op(index),
            Err(_) => self.pooled(0x13, index),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Operand, instructions};
    use crate::pool::Pool;

    #[test]
    fn the_shortest_form_is_written() {
        let pool = Pool::parse(1, &[]).expect("empty");
        let mut append = Append::new(&pool);
        let mut code = Fragment::new();
        for value in [-1, 5, 6, -128, 128, -32_768, 32_768] {
            code = code.int(value, &mut append).expect("room");
        }
        code = code.aload(3).astore(4).lload(255).istore(256).constant(256);
        let read: Vec<_> = instructions(code.bytes()).flatten().collect();
        let ops: Vec<u8> = read.iter().map(|insn| insn.opcode).collect();
        let ints = [0x02, 0x08, 0x10, 0x10, 0x11, 0x11, 0x12];
        assert_eq!(ops, [&ints[..], &[0x2d, 0x3a, 0x16, 0x36, 0x13]].concat());
        assert_eq!(read[5].operand, Operand::Value(-32_768));
        assert_eq!(read[10].operand, Operand::Local(256));
        assert_eq!(append.count(), 2);
    }
}
