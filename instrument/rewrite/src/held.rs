//! Which exits belong to a hash that was taken at an enter.
//!
//! Compilers keep the object of a region in a local variable: `monitorenter` follows a store into or
//! a load from it, `monitorexit` a load. If no path from an enter to an exit stores into the
//! variable, and every path to the exit comes through an enter with that variable, then the hash
//! taken at the enter is that of the object at the exit. That is a forward *must* analysis over one
//! fact for each such variable: "its hash has been taken, and it has not been stored into since".

use crate::sites::{Act, Deed};
use locklens_classfile::class::Handler;
use locklens_classfile::code::{Insn, Operand};
use std::collections::{BTreeMap, BTreeSet};

/// Variables that hold the objects of regions.
#[derive(Debug, Default)]
pub(crate) struct Held {
    entered: BTreeMap<u16, u16>,
    left: BTreeMap<u16, u16>,
}

impl Held {
    /// Finds them. Methods with subroutines (`jsr`) have none.
    pub(crate) fn of(insns: &[Insn], handlers: &[Handler], acts: &[Act]) -> Self {
        let by_deed = |deed: Deed| acts.iter().filter(move |act| act.deed == deed);
        let joins = joins(insns, handlers);
        let local = |act: &Act| Some((act.bci, local_of(insns, &joins, act)?));
        let entered: BTreeMap<u16, u16> = by_deed(Deed::Enter).filter_map(local).collect();
        let left: BTreeMap<u16, u16> = by_deed(Deed::Exit).filter_map(local).collect();
        let has_subroutines = insns.iter().any(|i| matches!(i.opcode, 0xa8 | 0xa9 | 0xc9));
        if has_subroutines || entered.is_empty() || left.is_empty() {
            return Self::default();
        }
        let facts = Facts::new(insns, handlers, &entered).solve();
        let proven = |(bci, local): &(u16, u16)| facts.hold(*bci, *local);
        let left = left.into_iter().filter(proven).collect();
        Self { entered, left }
    }

    /// Variables whose hash some exit relies on.
    pub(crate) fn locals(&self) -> BTreeSet<u16> {
        self.left.values().copied().collect()
    }

    /// The variable of the object that the `monitorenter` at a bci enters.
    pub(crate) fn entered(&self, bci: u16) -> Option<u16> {
        self.entered.get(&bci).copied()
    }

    /// The variable of the object that the `monitorexit` at a bci leaves, if its hash is known there.
    pub(crate) fn left(&self, bci: u16) -> Option<u16> {
        self.left.get(&bci).copied()
    }
}

/// Bcis that are reached other than from the instruction in front of them.
fn joins(insns: &[Insn], handlers: &[Handler]) -> BTreeSet<u16> {
    let mut joins: BTreeSet<u16> = handlers.iter().map(|h| h.target).collect();
    insns.iter().for_each(|insn| joins.extend(targets(insn)));
    joins
}

fn targets(insn: &Insn) -> Vec<u16> {
    match &insn.operand {
        Operand::Branch(target) => vec![*target],
        Operand::Switch { cases, default } => {
            cases.iter().map(|(_, t)| *t).chain([*default]).collect()
        }
        _ => Vec::new(),
    }
}

/// The variable whose value is on the stack for an enter or exit.
fn local_of(insns: &[Insn], joins: &BTreeSet<u16>, act: &Act) -> Option<u16> {
    let at = insns.binary_search_by_key(&act.bci, |i| i.bci).ok()?;
    let (last, this) = (&insns[at.checked_sub(1)?], &insns[at]);
    if joins.contains(&this.bci) {
        return None;
    }
    if let Some(local) = reference(last, 0x19, 0x2a) {
        return Some(local);
    }
    let stored = reference(last, 0x3a, 0x4b)?;
    let is_copy = insns[at.checked_sub(2)?].opcode == DUP && !joins.contains(&last.bci);
    is_copy.then_some(stored)
}

const DUP: u8 = 0x59;

/// The variable of an `aload` or `astore`, by its opcodes with and without an operand.
fn reference(insn: &Insn, long: u8, short: u8) -> Option<u16> {
    match insn.operand {
        Operand::Local(slot) if insn.opcode == long => Some(slot),
        Operand::None if (short..short + 4).contains(&insn.opcode) => {
            Some(u16::from(insn.opcode - short))
        }
        _ => None,
    }
}

/// One bit for each variable.
type Bits = u64;

struct Facts<'i> {
    insns: &'i [Insn],
    handlers: &'i [Handler],
    /// Variables with a bit, in order. Those beyond the 64th have none and count as not known.
    locals: Vec<u16>,
    /// What an instruction makes true and what it leaves of what was.
    effects: Vec<(Bits, Bits)>,
    /// What holds before each instruction; none if it was not reached yet.
    before: Vec<Option<Bits>>,
}

impl<'i> Facts<'i> {
    fn new(insns: &'i [Insn], handlers: &'i [Handler], entered: &BTreeMap<u16, u16>) -> Self {
        let locals: BTreeSet<u16> = entered.values().copied().collect();
        let locals: Vec<u16> = locals.into_iter().take(64).collect();
        let bit = |local: u16| locals.binary_search(&local).map_or(0, |i| 1 << i);
        let effect = |insn: &Insn| {
            let made = entered.get(&insn.bci).map_or(0, |local| bit(*local));
            let stored = stored_slots(insn).into_iter().flatten().map(bit);
            (made, !stored.fold(0, |all, one| all | one))
        };
        Self {
            effects: insns.iter().map(effect).collect(),
            before: vec![None; insns.len()],
            insns,
            handlers,
            locals,
        }
    }

    /// Until nothing changes. Facts are only ever taken away, so this ends.
    fn solve(mut self) -> Self {
        let mut open = vec![0];
        self.before[0] = Some(0);
        while let Some(at) = open.pop() {
            let Some(before) = self.before[at] else {
                continue;
            };
            let (made, kept) = self.effects[at];
            let after = before & kept | made;
            for next in self.successors(at) {
                self.meet(next, after, &mut open);
            }
            for target in self.catchers(at) {
                self.meet(target, before & kept, &mut open);
            }
        }
        self
    }

    fn meet(&mut self, at: usize, facts: Bits, open: &mut Vec<usize>) {
        let met = self.before[at].map_or(facts, |old| old & facts);
        if self.before[at] != Some(met) {
            self.before[at] = Some(met);
            open.push(at);
        }
    }

    fn successors(&self, at: usize) -> Vec<usize> {
        let insn = &self.insns[at];
        let ends = matches!(insn.opcode, 0xa7 | 0xaa..=0xb1 | 0xbf | 0xc8);
        let mut next: Vec<usize> = targets(insn)
            .into_iter()
            .filter_map(|b| self.at(b))
            .collect();
        if !ends && at + 1 < self.insns.len() {
            next.push(at + 1);
        }
        next
    }

    fn catchers(&self, at: usize) -> Vec<usize> {
        let bci = self.insns[at].bci;
        let covers = |h: &&Handler| h.start <= bci && bci < h.end;
        let targets = self.handlers.iter().filter(covers).map(|h| h.target);
        targets.filter_map(|bci| self.at(bci)).collect()
    }

    fn at(&self, bci: u16) -> Option<usize> {
        self.insns.binary_search_by_key(&bci, |insn| insn.bci).ok()
    }

    fn hold(&self, bci: u16, local: u16) -> bool {
        let before = self.at(bci).and_then(|at| self.before[at]);
        match (before, self.locals.binary_search(&local)) {
            (Some(before), Ok(bit)) => before >> bit & 1 == 1,
            _ => false,
        }
    }
}

/// The slots that an instruction stores into.
fn stored_slots(insn: &Insn) -> [Option<u16>; 2] {
    let (kind, slot) = match (insn.opcode, &insn.operand) {
        (0x36..=0x3a, Operand::Local(slot)) => (insn.opcode - 0x36, *slot),
        (0x3b..=0x4e, _) => (
            (insn.opcode - 0x3b) / 4,
            u16::from((insn.opcode - 0x3b) % 4),
        ),
        _ => return [None, None],
    };
    let is_wide = matches!(kind, 1 | 3);
    [Some(slot), slot.checked_add(1).filter(|_| is_wide)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_classfile::code::instructions;

    /// Variables known at the exits of some code.
    fn left(code: &[u8], handlers: &[Handler]) -> Vec<(u16, u16)> {
        let insns: Vec<Insn> = instructions(code)
            .map(|i| i.expect("well-formed"))
            .collect();
        let act = |insn: &Insn| {
            let deed = match insn.opcode {
                0xc2 => Deed::Enter,
                0xc3 => Deed::Exit,
                _ => return None,
            };
            Some(Act {
                bci: insn.bci,
                deed,
            })
        };
        let acts: Vec<Act> = insns.iter().filter_map(act).collect();
        Held::of(&insns, handlers, &acts).left.into_iter().collect()
    }

    /// `synchronized (x) { }` as javac writes it, with its handler.
    const REGION: [u8; 14] = [
        0x2a, 0x59, 0x4c, 0xc2, // aload_0 dup astore_1 monitorenter
        0x2b, 0xc3, 0xa7, 0, 7, // aload_1 monitorexit goto 13
        0x4d, 0x2b, 0xc3, 0x2c, // astore_2 aload_1 monitorexit aload_2
        0xb1, // where athrow would be, return
    ];
    const COVERED: [Handler; 2] = [
        Handler {
            start: 4,
            end: 6,
            target: 9,
            catches: 0,
        },
        Handler {
            start: 9,
            end: 12,
            target: 9,
            catches: 0,
        },
    ];

    #[test]
    fn both_exits_of_a_region_know_their_hash() {
        assert_eq!(left(&REGION, &COVERED), [(5, 1), (11, 1)]);
    }

    #[test]
    fn a_variable_stored_into_is_not_known_any_more() {
        let mut code = REGION;
        code[9] = 0x4c; // the handler stores the exception where the object was
        assert_eq!(left(&code, &COVERED), [(5, 1)]);
        code[9] = 0x3f; // a long, the second slot of which is the object's
        assert_eq!(left(&code, &COVERED), [(5, 1)]);
    }

    #[test]
    fn every_path_must_come_through_an_enter() {
        let covered_too_early = [Handler {
            start: 0,
            ..COVERED[0]
        }];
        assert_eq!(left(&REGION, &covered_too_early), [(5, 1)]);
        // aload_0 ifnull 8, a region that begins between, its exit behind the join
        let code = [0x2a, 0xc6, 0, 7, 0x2a, 0x59, 0x4c, 0xc2, 0x2b, 0xc3, 0xb1];
        assert_eq!(left(&code, &[]), []);
        // The same, with the branch to the enter itself: what it enters is not known.
        let code = [0x2a, 0xc6, 0, 6, 0x2a, 0x59, 0x4c, 0xc2, 0x2b, 0xc3, 0xb1];
        assert_eq!(left(&code, &[]), []);
    }

    #[test]
    fn subroutines_are_not_followed() {
        let code = [&REGION[..13], &[0xa8, 0, 3, 0xb1]].concat();
        assert_eq!(left(&code, &COVERED), []);
    }
}
