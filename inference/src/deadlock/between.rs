//! What code does between two acquisitions, and whether anything there could keep its thread from the second.
//!
//! Only code that goes straight on is read: from one `monitorenter`, or the beginning of a synchronized method, to another one
//! of the same method, with no branch and no call on the way. What such code reads decides nothing.

use crate::catalog::Catalog;
use locklens_trace::StackId;
use locklens_trace::code::{Insn, Op};
use locklens_trace::record::Frame;

/// Instructions looked at.
const LENGTH: usize = 64;

/// Whether who has taken a lock at the one place goes on to the other whatever he reads.
pub(super) fn goes_straight(catalog: &Catalog, from: StackId, to: StackId) -> bool {
    let frame = |stack| catalog.stacks.get(&stack)?.frames.first();
    let (Some(from), Some(to)) = (frame(from), frame(to)) else {
        return false;
    };
    from.method == to.method && insns(catalog, from, to).is_some_and(are_straight)
}

/// From the first instruction in the lock to the one that takes the other.
fn insns<'c>(catalog: &'c Catalog, from: &Frame, to: &Frame) -> Option<&'c [Insn]> {
    let all = catalog.code.get(&from.method)?.insns.as_slice();
    let at = |bci: u16| all.binary_search_by_key(&bci, |insn| insn.bci).ok();
    let enters = |at: &usize| matches!(all[*at].op, Op::MonitorEnter);
    let first = match from.bci {
        Some(bci) => at(bci).filter(enters)? + 1,
        None => 0,
    };
    all.get(first..at(to.bci?).filter(enters)?)
}

fn are_straight(insns: &[Insn]) -> bool {
    insns.len() <= LENGTH && insns.iter().all(|insn| goes_on(&insn.op))
}

/// Whether the next instruction comes next, and nothing else before it.
fn goes_on(op: &Op) -> bool {
    matches!(
        op,
        Op::Nop
            | Op::Const { .. }
            | Op::Null
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Iinc { .. }
            | Op::Stack(_)
            | Op::GetField(_)
            | Op::PutField(_)
            | Op::GetStatic(_)
            | Op::PutStatic(_)
            | Op::ArrayLoad { .. }
            | Op::ArrayStore { .. }
            | Op::Arith { .. }
            | Op::Convert { .. }
            | Op::Compare { .. }
            | Op::ClassLiteral(_)
            | Op::CheckCast(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Build, call, dup, field, load, store};

    /// Whether code goes straight from the lock it takes first to the one it takes last.
    fn straight(between: Vec<Op>) -> bool {
        let mut build = Build::default();
        let class = build.class("a.B", "java.lang.Object");
        let mut ops = vec![Op::MonitorEnter];
        ops.extend(between);
        ops.push(Op::MonitorEnter);
        let last = ops.len() as u16 - 1;
        let method = build.coded(class, "m", 0, ops);
        let [from, to] = [0, last].map(|bci| build.stack(&[(method, bci)]));
        let other = build.coded(class, "n", 0, vec![Op::MonitorEnter]);
        let elsewhere = build.stack(&[(other, 0)]);
        assert!(!goes_straight(&build.catalog, elsewhere, to));
        assert!(!goes_straight(&build.catalog, to, from));
        goes_straight(&build.catalog, from, to)
    }

    #[test]
    fn what_is_read_decides_nothing_without_a_branch_or_a_call() {
        let reads = vec![load(0), field("a.B", "other"), dup(), store(1)];
        assert!(straight(reads.clone()));
        let branch = Op::IfNull {
            null: true,
            target: 0,
        };
        for decides in [branch, call("a.B", "isOpen")] {
            let mut ops = reads.clone();
            ops.insert(2, decides);
            assert!(!straight(ops));
        }
    }
}
