//! Where everything goes: positions of instructions and insertions, and which branches must be
//! written long because their target moved out of the reach of 16 bits.

use super::{Block, BlockId, CodeEdit, Cover, Gap, Place, Refusal};
use crate::code::{Insn, Operand};

/// New positions around one old instruction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spot {
    /// Where what is inserted after its predecessor starts.
    pub(super) after: u32,
    /// Where what is inserted before it starts: the target of branches to it.
    pub(super) before: u32,
    /// The instruction itself.
    pub(super) at: u32,
    /// The border between handler ranges at its old bci.
    pub(super) border: u32,
    /// Whether it is a branch that must be written long.
    pub(super) long: bool,
}

#[derive(Debug)]
pub(super) struct Layout {
    spots: Vec<Spot>,
    bcis: Vec<u16>,
    old_len: usize,
    /// End of the old code: where the blocks begin.
    end: u32,
    blocks: Vec<(u32, u32)>,
}

impl Layout {
    /// Lays a method out. Branches only ever become longer, so this ends.
    pub(super) fn of(edit: &CodeEdit<'_>) -> Result<Self, Refusal> {
        let mut layout = Self {
            spots: vec![Spot::default(); edit.insns.len()],
            bcis: edit.insns.iter().map(|insn| insn.bci).collect(),
            old_len: edit.code.bytes.len(),
            end: 0,
            blocks: Vec::new(),
        };
        loop {
            layout.place(edit);
            if !layout.lengthen(edit)? {
                break;
            }
        }
        match layout.len() {
            1..=65_535 => Ok(layout),
            len => Err(Refusal::TooLong(len)),
        }
    }

    fn place(&mut self, edit: &CodeEdit<'_>) {
        let mut at = 0_u32;
        let mut gaps = edit.gaps.iter().peekable();
        let nothing = Gap::default();
        for (i, insn) in edit.insns.iter().enumerate() {
            let gap = gaps.next_if(|(bci, _)| **bci == insn.bci);
            let gap = gap.map_or(&nothing, |(_, gap)| gap);
            let spot = &mut self.spots[i];
            spot.after = at;
            spot.before = at + gap.after.len() as u32;
            spot.border = match gap.cover {
                Cover::AsPrevious => spot.before,
                Cover::AsNext => spot.after,
            };
            spot.at = spot.before + gap.before.len() as u32;
            let old_end = edit.insns.get(i + 1).map_or(self.old_len, |n| n.bci.into());
            at = spot.at + new_len(insn, old_end, spot) as u32;
        }
        self.end = at;
        self.blocks = stack_up(at, &edit.blocks);
    }

    /// Marks the branches that no longer reach; whether there were any.
    fn lengthen(&mut self, edit: &CodeEdit<'_>) -> Result<bool, Refusal> {
        let mut changed = false;
        for (i, insn) in edit.insns.iter().enumerate() {
            let (true, Operand::Branch(target)) = (is_short(insn.opcode), &insn.operand) else {
                continue;
            };
            let target = self.spot(*target).ok_or(Refusal::Code)?.before;
            let spot = &mut self.spots[i];
            let reaches = i16::try_from(i64::from(target) - i64::from(spot.at)).is_ok();
            changed |= !reaches && !spot.long;
            spot.long |= !reaches;
        }
        Ok(changed)
    }

    /// Length of the new code.
    pub(super) fn len(&self) -> usize {
        self.blocks.last().map_or(self.end, |block| block.1) as usize
    }

    /// The spots in order of their instructions.
    pub(super) fn spots(&self) -> &[Spot] {
        &self.spots
    }

    /// The spot of the instruction that starts at an old bci.
    pub(super) fn spot(&self, bci: u16) -> Option<&Spot> {
        let i = self.bcis.binary_search(&bci).ok()?;
        self.spots.get(i)
    }

    /// The new place of a border between handler ranges, which may be the end of the code.
    pub(super) fn border(&self, bci: u16) -> Option<u32> {
        match usize::from(bci) == self.old_len {
            true => Some(self.end),
            false => self.spot(bci).map(|spot| spot.border),
        }
    }

    /// Where an old bci of a debug table went; also one inside an instruction, or the end.
    pub(super) fn near(&self, bci: u16) -> u32 {
        if bci == 0 {
            return 0;
        }
        if usize::from(bci) >= self.old_len {
            return self.end;
        }
        let i = self.bcis.partition_point(|start| *start <= bci).max(1) - 1;
        match self.bcis[i] == bci {
            true => self.spots[i].before,
            false => self.spots[i].at + u32::from(bci - self.bcis[i]),
        }
    }

    /// Where a block begins.
    pub(super) fn block(&self, id: BlockId) -> Option<u32> {
        self.blocks.get(id.0).map(|block| block.0)
    }

    /// Where a place is.
    pub(super) fn find(&self, place: Place) -> Option<u32> {
        match place {
            Place::After(bci, add) => Some(self.spot(bci)?.after + u32::from(add)),
            Place::Before(bci, add) => Some(self.spot(bci)?.before + u32::from(add)),
            Place::Behind(bci) => {
                let i = self.bcis.binary_search(&bci).ok()?;
                Some(self.spots.get(i + 1).map_or(self.end, |spot| spot.after))
            }
            Place::Block(id) => self.block(id),
            Place::BlockEnd(id) => self.blocks.get(id.0).map(|block| block.1),
        }
    }

    /// What went where, for readers of stacks.
    pub(super) fn map(&self, edit: &CodeEdit<'_>) -> BciMap {
        let mut stretches = Vec::new();
        for (spot, bci) in self.spots.iter().zip(&self.bcis) {
            if spot.after != spot.before {
                let origin = edit.gaps.get(bci).map_or(*bci, |gap| gap.origin);
                stretches.push((spot.after as u16, origin));
            }
            stretches.push((spot.before as u16, *bci));
        }
        let blocks = self.blocks.iter().zip(&edit.blocks);
        stretches.extend(blocks.map(|(place, block)| (place.0 as u16, block.origin)));
        let moved = self.bcis.iter().zip(&self.spots);
        BciMap {
            stretches,
            moved: moved.map(|(bci, spot)| (*bci, spot.at as u16)).collect(),
        }
    }
}

fn stack_up(mut at: u32, blocks: &[Block]) -> Vec<(u32, u32)> {
    let place = |block: &Block| {
        let start = at;
        at += block.code.len() as u32;
        (start, at)
    };
    blocks.iter().map(place).collect()
}

/// A branch with an offset of two bytes.
pub(super) fn is_short(opcode: u8) -> bool {
    matches!(opcode, 0x99..=0xa8 | 0xc6 | 0xc7)
}

/// `goto` and `jsr`, which have a form with an offset of four bytes; the conditional ones have not.
pub(super) fn has_long_form(opcode: u8) -> bool {
    matches!(opcode, 0xa7 | 0xa8)
}

fn new_len(insn: &Insn, old_end: usize, spot: &Spot) -> usize {
    let old_len = old_end - usize::from(insn.bci);
    match insn.opcode {
        0xaa | 0xab => old_len - padding(insn.bci.into()) + padding(spot.at as usize),
        _ if !spot.long => old_len,
        opcode if has_long_form(opcode) => 5,
        _ => 8,
    }
}

/// Bytes between the opcode of a switch and its first operand.
pub(super) fn padding(at: usize) -> usize {
    3 - at % 4
}

/// From the bcis of an edited method to those it had before, and back.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BciMap {
    /// (new bci from which on, old bci it stands for), in order.
    stretches: Vec<(u16, u16)>,
    /// (old bci, new bci of that very instruction), in order.
    moved: Vec<(u16, u16)>,
}

impl BciMap {
    /// The old bci that a bci of the edited method stands for. Inserted code stands for the
    /// instruction it was inserted for.
    #[must_use]
    pub fn to_old(&self, new: u16) -> Option<u16> {
        let i = self.stretches.partition_point(|(start, _)| *start <= new);
        Some(self.stretches.get(i.checked_sub(1)?)?.1)
    }

    /// Where the instruction of an old bci went.
    #[must_use]
    pub fn to_new(&self, old: u16) -> Option<u16> {
        let i = self.moved.binary_search_by_key(&old, |(bci, _)| *bci);
        Some(self.moved[i.ok()?].1)
    }
}
