//! From a call to its probe point: proof that whoever returns from the call comes to the point, whichever way it
//! takes, and that a register keeps what it holds.
//!
//! The instructions are decoded one by one, both ways at each branch. Only what a compiler puts there is known: plain
//! moves, arithmetic, comparisons, jumps within reach, and the call of a barrier through a table. Anything else is no
//! proof.

/// Code and where it lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code<'a> {
    pub(crate) start: u64,
    pub(crate) bytes: &'a [u8],
}

/// Most instructions between a call and its point.
const MOST: usize = 96;
/// Registers a called function may change: all but rbx, rsp, rbp, r12 to r15.
const CALLER_SAVED: u16 = 0b0000_1111_1100_0111;

/// What an instruction does, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    length: u64,
    flow: Flow,
    /// A bit for each register it may change.
    changes: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    On,
    /// To there.
    Jump(u64),
    /// On, or to there.
    Branch(u64),
}

/// Whether every way from `from` leads to `to`, with `register` unchanged.
pub(crate) fn leads_to(code: Code<'_>, from: u64, to: u64, register: u8) -> bool {
    let mut open = vec![from];
    let mut seen = Vec::new();
    while let Some(at) = open.pop() {
        if at == to || seen.contains(&at) {
            continue;
        }
        seen.push(at);
        let Some(step) = code.step(at).filter(|_| seen.len() <= MOST) else {
            return false;
        };
        if step.changes & 1 << register != 0 {
            return false;
        }
        let next = at.wrapping_add(step.length);
        match step.flow {
            Flow::On => open.push(next),
            Flow::Jump(there) => open.push(there),
            Flow::Branch(there) => open.extend([next, there]),
        }
    }
    // A circle would be a way that never arrives; there is none if every step goes on to a later one.
    seen.iter().all(|&at| code.goes_on(at, &seen, to))
}

impl Code<'_> {
    fn at(&self, address: u64) -> Option<&[u8]> {
        let at = usize::try_from(address.checked_sub(self.start)?).ok()?;
        self.bytes.get(at..).filter(|rest| !rest.is_empty())
    }

    fn step(&self, at: u64) -> Option<Step> {
        decode(self.at(at)?, at)
    }

    /// Whether `to` is reached from here within the number of steps there are: no circle is on the way.
    fn goes_on(&self, at: u64, seen: &[u64], to: u64) -> bool {
        let mut front = vec![at];
        for _ in 0..=seen.len() {
            let mut next: Vec<u64> = Vec::new();
            for at in front {
                let Some(step) = self.step(at).filter(|_| at != to) else {
                    continue;
                };
                let on = at.wrapping_add(step.length);
                let ways = match step.flow {
                    Flow::On => [on, on],
                    Flow::Jump(there) => [there, there],
                    Flow::Branch(there) => [on, there],
                };
                for way in ways {
                    if way != to && !next.contains(&way) {
                        next.push(way);
                    }
                }
            }
            if next.is_empty() {
                return true;
            }
            front = next;
        }
        false
    }
}

/// The bytes of an instruction after its prefixes.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    rex: u8,
    narrow: bool,
}

/// An operand byte, decoded.
struct Operands {
    reg: u8,
    /// The register that is the other operand, if it is no memory.
    rm: Option<u8>,
    /// The bits of `reg` as part of the operation.
    digit: u8,
}

fn bit(register: u8) -> u16 {
    1 << (register & 15)
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied()?;
        self.at += 1;
        Some(byte)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.at = self.at.checked_add(count)?;
        (self.at <= self.bytes.len()).then_some(())
    }

    fn immediate(&mut self) -> Option<()> {
        self.skip(if self.narrow { 2 } else { 4 })
    }

    fn displacement(&mut self, length: usize) -> Option<i64> {
        let from = self.at;
        self.skip(length)?;
        let bytes = &self.bytes[from..self.at];
        match *bytes {
            [byte] => Some(i64::from(byte as i8)),
            [a, b, c, d] => Some(i64::from(i32::from_le_bytes([a, b, c, d]))),
            _ => None,
        }
    }

    fn operands(&mut self) -> Option<Operands> {
        let byte = self.byte()?;
        let (form, digit, low) = (byte >> 6, byte >> 3 & 7, byte & 7);
        let reg = digit | (self.rex & 4) << 1;
        let memory = form != 3;
        let mut base = low;
        if memory && low == 4 {
            base = self.byte()? & 7;
        }
        match form {
            0 if base == 5 => self.skip(4)?,
            1 => self.skip(1)?,
            2 => self.skip(4)?,
            _ => {}
        }
        let rm = (!memory).then_some(low | (self.rex & 1) << 3);
        Some(Operands { reg, rm, digit })
    }
}

fn decode(bytes: &[u8], address: u64) -> Option<Step> {
    // No instruction is longer.
    let bytes = &bytes[..bytes.len().min(15)];
    let mut reader = Reader {
        bytes,
        at: 0,
        rex: 0,
        narrow: false,
    };
    let mut op = reader.byte()?;
    while matches!(op, 0x2e | 0x66) {
        reader.narrow |= op == 0x66;
        op = reader.byte()?;
    }
    if op & 0xf0 == 0x40 {
        reader.rex = op;
        op = reader.byte()?;
    }
    let (target, changes) = match op {
        0x0f => two_bytes(&mut reader)?,
        _ => one_byte(op, &mut reader)?,
    };
    let length = reader.at as u64;
    let there = |by: i64| address.wrapping_add(length).wrapping_add_signed(by);
    let flow = match target {
        Target::None => Flow::On,
        Target::Always(by) => Flow::Jump(there(by)),
        Target::Perhaps(by) => Flow::Branch(there(by)),
    };
    Some(Step {
        length,
        flow,
        changes,
    })
}

enum Target {
    None,
    Always(i64),
    Perhaps(i64),
}

const NOTHING: u16 = 0;
const RAX: u16 = 1;
const RDX: u16 = 4;

fn written(register: Option<u8>) -> u16 {
    register.map_or(NOTHING, bit)
}

fn one_byte(op: u8, r: &mut Reader<'_>) -> Option<(Target, u16)> {
    let changes = match op {
        0x00..=0x3f => arithmetic(op, r)?,
        0x63 | 0x8a | 0x8b | 0x8d => bit(r.operands()?.reg),
        0x70..=0x7f => return Some((Target::Perhaps(r.displacement(1)?), NOTHING)),
        0xeb => return Some((Target::Always(r.displacement(1)?), NOTHING)),
        0xe9 if !r.narrow => return Some((Target::Always(r.displacement(4)?), NOTHING)),
        0x80 | 0x81 | 0x83 => with_immediate(op, r)?,
        0x84 | 0x85 => {
            r.operands()?;
            NOTHING
        }
        0x88 | 0x89 => written(r.operands()?.rm),
        0x90 => NOTHING,
        0xb8..=0xbf => {
            r.skip(if r.rex & 8 == 0 { 4 } else { 8 })?;
            bit(op & 7 | (r.rex & 1) << 3)
        }
        0xc0 | 0xc1 => {
            let operands = r.operands()?;
            r.skip(1)?;
            written(operands.rm)
        }
        0xc6 | 0xc7 => {
            let operands = r.operands()?;
            if op == 0xc6 {
                r.skip(1)?
            } else {
                r.immediate()?
            }
            written(operands.rm)
        }
        0xd0..=0xd3 => written(r.operands()?.rm),
        0xf6 | 0xf7 => unary(op, r)?,
        0xff => match r.operands()? {
            Operands {
                digit: 0 | 1, rm, ..
            } => written(rm),
            // A barrier, by a pointer in memory.
            Operands {
                digit: 2, rm: None, ..
            } => CALLER_SAVED,
            _ => return None,
        },
        _ => return None,
    };
    // xchg ax,ax is the padding of compilers; other narrow forms change no more than the wide ones.
    Some((Target::None, changes))
}

fn arithmetic(op: u8, r: &mut Reader<'_>) -> Option<u16> {
    let compares = op & 0x38 == 0x38;
    let changes = match op & 7 {
        0 | 1 => written(r.operands()?.rm),
        2 | 3 => bit(r.operands()?.reg),
        4 => {
            r.skip(1)?;
            RAX
        }
        5 => {
            r.immediate()?;
            RAX
        }
        _ => return None,
    };
    Some(if compares { NOTHING } else { changes })
}

fn with_immediate(op: u8, r: &mut Reader<'_>) -> Option<u16> {
    const COMPARE: u8 = 7;
    let operands = r.operands()?;
    if op == 0x81 {
        r.immediate()?
    } else {
        r.skip(1)?
    }
    Some(match operands.digit {
        COMPARE => NOTHING,
        _ => written(operands.rm),
    })
}

fn unary(op: u8, r: &mut Reader<'_>) -> Option<u16> {
    let operands = r.operands()?;
    match operands.digit {
        0 | 1 => {
            if op == 0xf6 {
                r.skip(1)?
            } else {
                r.immediate()?
            }
            Some(NOTHING)
        }
        2 | 3 => Some(written(operands.rm)),
        _ => Some(RAX | RDX),
    }
}

fn two_bytes(r: &mut Reader<'_>) -> Option<(Target, u16)> {
    let op = r.byte()?;
    let changes = match op {
        0x80..=0x8f if !r.narrow => return Some((Target::Perhaps(r.displacement(4)?), NOTHING)),
        0x1f => {
            r.operands()?;
            NOTHING
        }
        0x40..=0x4f | 0xaf | 0xb6 | 0xb7 | 0xbe | 0xbf => bit(r.operands()?.reg),
        0x90..=0x9f => written(r.operands()?.rm),
        _ => return None,
    };
    Some((Target::None, changes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: u64 = 0x1000;
    const RBX: u8 = 3;
    const R12: u8 = 12;

    fn leads(bytes: &[u8], to: u64, register: u8) -> bool {
        let code = Code {
            start: START,
            bytes,
        };
        leads_to(code, START, START + to, register)
    }

    /// A block as a compiler writes it: `mov 8(%rbx),%rdi; mov %rax,%r12; test; je +; call *…; nop`.
    const BLOCK: &[u8] = &[
        0x48, 0x8b, 0x7b, 0x08, 0x49, 0x89, 0xc4, 0x48, 0x85, 0xff, 0x74, 0x06, 0xff, 0x15, 1, 2,
        3, 4, 0x90,
    ];

    #[test]
    fn both_ways_arrive_and_the_register_keeps_its_value() {
        assert!(leads(BLOCK, 18, RBX));
        assert!(!leads(BLOCK, 18, R12), "it is written to");
        assert!(!leads(BLOCK, 17, RBX), "that is within an instruction");
    }

    #[test]
    fn a_return_an_unknown_instruction_or_a_circle_is_no_proof() {
        assert!(!leads(&[0xc3, 0x90], 1, RBX));
        assert!(!leads(&[0x5b, 0x90], 1, RBX));
        assert!(!leads(&[0xeb, 0xfe, 0x90], 2, RBX));
        assert!(!leads(&[0x74, 0xfe, 0x90], 2, RBX));
        assert!(!leads(&[0xe8, 0, 0, 0, 0, 0x90], 5, RBX));
        assert!(!leads(&[], 0x10, RBX));
    }
}
