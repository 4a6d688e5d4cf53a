//! Writing the new `Code` attribute.

use super::layout::{Layout, Spot, has_long_form, padding};
use super::tables::Tables;
use super::{Catch, Class, CodeEdit, Gap, Refusal, Target};
use crate::append::Append;
use crate::class::{Attribute, Handler};
use crate::code::{Insn, Operand};

pub(super) struct Emit<'e, 'a> {
    pub(super) edit: &'e CodeEdit<'a>,
    pub(super) layout: &'e Layout,
    pub(super) class: &'e Class<'e>,
}

const BROKEN: Refusal = Refusal::Table("exception table");

impl Emit<'_, '_> {
    /// The contents of the attribute.
    pub(super) fn attribute(&self, pool: &mut Append<'_>) -> Result<Vec<u8>, Refusal> {
        let mut out = Vec::with_capacity(self.layout.len() + 256);
        let old = self.edit.code;
        let max_stack = old.max_stack.checked_add(self.edit.more_stack);
        let max_stack = max_stack.ok_or(Refusal::TooMany("stack slots"))?;
        let max_stack = max_stack.max(self.edit.least_stack);
        out.extend(max_stack.to_be_bytes());
        out.extend(self.edit.max_locals.to_be_bytes());
        out.extend((self.layout.len() as u32).to_be_bytes());
        self.code(&mut out)?;
        self.handlers(&mut out)?;
        self.attributes(&mut out, pool)?;
        Ok(out)
    }

    fn code(&self, out: &mut Vec<u8>) -> Result<(), Refusal> {
        let start = out.len();
        let insns = &self.edit.insns;
        let ends = insns.iter().skip(1).map(|next| usize::from(next.bci));
        let ends = ends.chain([self.edit.code.bytes.len()]);
        for ((insn, spot), end) in insns.iter().zip(self.layout.spots()).zip(ends) {
            if let Some(Gap { after, before, .. }) = self.edit.gaps.get(&insn.bci) {
                out.extend_from_slice(after.bytes());
                out.extend_from_slice(before.bytes());
            }
            debug_assert_eq!(out.len() - start, spot.at as usize);
            let raw = &self.edit.code.bytes[usize::from(insn.bci)..end];
            self.insn(out, insn, spot, raw)?;
        }
        for block in &self.edit.blocks {
            out.extend_from_slice(block.code.bytes());
        }
        Ok(())
    }

    fn insn(&self, out: &mut Vec<u8>, insn: &Insn, spot: &Spot, raw: &[u8]) -> Result<(), Refusal> {
        match &insn.operand {
            Operand::Branch(target) => {
                let offset = self.offset(spot, *target)?;
                branch(out, insn.opcode, spot.long, offset);
            }
            Operand::Switch { cases, default } => {
                let old = padding(insn.bci.into());
                match padding(spot.at as usize) {
                    new if new == old => out.extend_from_slice(&raw[..1 + old]),
                    new => out.extend_from_slice(&[insn.opcode, 0, 0, 0][..1 + new]),
                }
                let default = self.offset(spot, *default)?;
                out.extend(default.to_be_bytes());
                let bounds = 1 + old + 4;
                self.cases(out, insn.opcode, spot, &raw[bounds..], cases)?;
            }
            _ => out.extend_from_slice(raw),
        }
        Ok(())
    }

    /// What follows the default of a switch: `raw` is what followed it before.
    fn cases(
        &self,
        out: &mut Vec<u8>,
        opcode: u8,
        spot: &Spot,
        raw: &[u8],
        cases: &[(i32, u16)],
    ) -> Result<(), Refusal> {
        let is_table = opcode == 0xaa;
        out.extend_from_slice(&raw[..if is_table { 8 } else { 4 }]);
        for (key, target) in cases {
            if !is_table {
                out.extend(key.to_be_bytes());
            }
            out.extend(self.offset(spot, *target)?.to_be_bytes());
        }
        Ok(())
    }

    fn offset(&self, from: &Spot, target: u16) -> Result<i32, Refusal> {
        let target = self.layout.spot(target).ok_or(Refusal::Code)?;
        Ok(target.before as i32 - from.at as i32)
    }

    /// The exception table. Added ranges that turn out empty are left out: the format bars them.
    fn handlers(&self, out: &mut Vec<u8>) -> Result<(), Refusal> {
        let mut all = Vec::new();
        for catch in &self.edit.first {
            all.extend(self.added(catch)?);
        }
        for old in &self.edit.code.handlers {
            all.push(self.moved(old).ok_or(BROKEN)?);
        }
        for catch in &self.edit.last {
            all.extend(self.added(catch)?);
        }
        let count = u16::try_from(all.len()).map_err(|_| Refusal::TooMany("handlers"))?;
        out.extend(count.to_be_bytes());
        for number in all.iter().flatten() {
            out.extend((*number as u16).to_be_bytes());
        }
        Ok(())
    }

    fn moved(&self, old: &Handler) -> Option<[u32; 4]> {
        let target = self.layout.spot(old.target)?.before;
        let (start, end) = (self.layout.border(old.start)?, self.layout.border(old.end)?);
        Some([start, end, target, old.catches.into()])
    }

    fn added(&self, catch: &Catch) -> Result<Option<[u32; 4]>, Refusal> {
        let target = match catch.target {
            Target::Block(id) => self.layout.block(id),
            Target::Old(bci) => self.layout.spot(bci).map(|spot| spot.before),
            Target::Within(place) => self.layout.find(place),
        };
        let target = target.ok_or(BROKEN)?;
        let start = self.layout.find(catch.start).ok_or(BROKEN)?;
        let end = self.layout.find(catch.end).ok_or(BROKEN)?;
        Ok((start < end).then_some([start, end, target, catch.catches.into()]))
    }

    fn attributes(&self, out: &mut Vec<u8>, pool: &mut Append<'_>) -> Result<(), Refusal> {
        let tables = Tables {
            edit: self.edit,
            layout: self.layout,
            class: self.class,
        };
        let mut all: Vec<(u16, Vec<u8>)> = Vec::new();
        for Attribute { name, bytes, .. } in &self.edit.code.attributes {
            let moved = tables.attribute(pool.pool().utf8(*name), bytes, pool)?;
            all.push((*name, moved));
        }
        if let Some(frames) = tables.frames_where_there_were_none(pool)? {
            all.push((pool.utf8("StackMapTable")?, frames));
        }
        out.extend((all.len() as u16).to_be_bytes());
        for (name, bytes) in all {
            out.extend(name.to_be_bytes());
            out.extend((bytes.len() as u32).to_be_bytes());
            out.extend(bytes);
        }
        Ok(())
    }
}

/// A branch; `long` where 16 bits no longer reach. A conditional one has no long form: the opposite
/// condition then skips a `goto_w`.
fn branch(out: &mut Vec<u8>, opcode: u8, long: bool, offset: i32) {
    let is_long_already = matches!(opcode, 0xc8 | 0xc9);
    if !long && !is_long_already {
        out.push(opcode);
        out.extend((offset as i16).to_be_bytes());
        return;
    }
    let (opcode, offset) = match opcode {
        0xc8 | 0xc9 => (opcode, offset),
        _ if has_long_form(opcode) => (opcode + 0x21, offset),
        _ => {
            out.extend([opposite(opcode), 0, 8]);
            (0xc8, offset - 3)
        }
    };
    out.push(opcode);
    out.extend(offset.to_be_bytes());
}

/// The conditional branch that is taken when the other is not: they come in pairs.
fn opposite(opcode: u8) -> u8 {
    match opcode {
        0xc6 | 0xc7 => opcode ^ 1,
        _ => ((opcode + 1) ^ 1) - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::opposite;

    #[test]
    fn conditions_are_turned_round() {
        let pairs = [(0x99, 0x9a), (0x9b, 0x9c), (0x9d, 0x9e), (0x9f, 0xa0)];
        let more = [(0xa1, 0xa2), (0xa3, 0xa4), (0xa5, 0xa6), (0xc6, 0xc7)];
        for (one, other) in pairs.into_iter().chain(more) {
            assert_eq!((opposite(one), opposite(other)), (other, one));
        }
    }
}
