//! How compilers lay out a method's code: where blocks begin, where the object of a `synchronized`
//! block is kept, what its cleanup handler looks like.

use super::flow::successors;
use super::subject::{split_descriptor, words};
use locklens_trace::code::{Code, Op, StackOp};
use locklens_trace::record::MethodDef;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn index_of(code: &Code, bci: u16) -> Option<usize> {
    code.insns.binary_search_by_key(&bci, |i| i.bci).ok()
}

pub(super) fn ordinals(code: &Code) -> BTreeMap<usize, u16> {
    let enters = code.insns.iter().enumerate();
    let enters = enters.filter(|(_, insn)| insn.op == Op::MonitorEnter);
    enters.map(|(index, _)| index).zip(0..).collect()
}

/// Instructions where control can arrive from elsewhere, or not at all from the one before.
pub(super) fn leaders(code: &Code) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([0]);
    for (index, insn) in code.insns.iter().enumerate() {
        let (targets, falls) = successors(&insn.op);
        if !targets.is_empty() || !falls {
            found.insert(index + 1);
        }
        found.extend(targets.into_iter().filter_map(|t| index_of(code, t)));
    }
    let handlers = code.handlers.iter().flatten();
    found.extend(handlers.filter_map(|h| index_of(code, h.target)));
    found.remove(&code.insns.len());
    found
}

pub(super) fn parameter_slots(method: &MethodDef) -> Vec<u16> {
    let mut slot = 0usize;
    let mut found = Vec::new();
    let receiver = (!method.is_static()).then_some(1);
    let (params, _) = split_descriptor(&method.descriptor);
    for width in receiver.into_iter().chain(params.iter().map(|p| words(p))) {
        found.extend(u16::try_from(slot));
        slot += width;
    }
    found
}

/// The slot in which the object of a `monitorenter` is kept: `dup, astore, monitorenter`.
pub(super) fn home_slot(code: &Code, enter: usize) -> Option<u16> {
    let before = &code.insns[enter.checked_sub(2)?..enter];
    match (&before[0].op, &before[1].op) {
        (Op::Stack(StackOp::Dup), Op::Store { slot, .. }) => Some(*slot),
        _ => None,
    }
}

/// The slot a `monitorexit` takes its object from.
pub(super) fn loaded_slot(code: &Code, exit: usize) -> Option<u16> {
    match code.insns[exit.checked_sub(1)?].op {
        Op::Load { slot, .. } => Some(slot),
        _ => None,
    }
}

/// The slot that the cleanup handler beginning here unlocks: javac stores and reloads the
/// exception around it, ecj leaves it on the stack.
pub(super) fn cleanup_slot(code: &Code, at: usize) -> Option<u16> {
    let op = |i: usize| code.insns.get(at + i).map(|insn| &insn.op);
    match (op(0)?, op(1)?, op(2)?) {
        (Op::Load { slot, .. }, Op::MonitorExit, Op::Throw) => Some(*slot),
        (Op::Store { slot: kept, .. }, Op::Load { slot, .. }, Op::MonitorExit) => {
            let rethrows =
                matches!((op(3)?, op(4)?), (Op::Load { slot, .. }, Op::Throw) if slot == kept);
            rethrows.then_some(*slot)
        }
        _ => None,
    }
}
