//! Which two of a method's numbers say what part of an array it is to work at.

use crate::statics::program::Method;
use locklens_trace::code::{ArithOp, Op};

/// The number that a parameter is given which says where a part of the array before it begins, or how long that is: the code goes by it.
/// One thing, the first of an array that is told with it.
pub(super) fn of_array(method: &Method, at: usize) -> Option<i64> {
    let slots = method.signature.slots(u16::from(!method.def.is_static()));
    let params: Vec<_> = slots.collect();
    let is_it = |first: usize| match params.get(first..first + 3) {
        Some(&[(slot, array), (_, from), (_, count)]) => {
            array.0.starts_with('[') && from.0 == "I" && count.0 == "I" && is_part(method, slot)
        }
        _ => false,
    };
    match () {
        () if at.checked_sub(1).is_some_and(is_it) => Some(0),
        () if at.checked_sub(2).is_some_and(is_it) => Some(1),
        () => None,
    }
}

/// The array in this slot is looked up or handed on from the number behind it, or both numbers make the end of a part.
fn is_part(method: &Method, array: u16) -> bool {
    let loads = |at: usize, of: u16| {
        let op = method.code.get(at).map(|insn| &insn.op);
        matches!(op, Some(Op::Load { slot, .. }) if *slot == of)
    };
    let adds = |at: usize| {
        let op = method.code.get(at).map(|insn| &insn.op);
        matches!(
            op,
            Some(Op::Arith {
                op: ArithOp::Add,
                ..
            })
        )
    };
    let (from, count) = (array + 1, array + 2);
    (0..method.code.len()).any(|at| {
        let begins = loads(at, array) && loads(at + 1, from);
        let both =
            loads(at, from) && loads(at + 1, count) || loads(at, count) && loads(at + 1, from);
        begins || both && adds(at + 2)
    })
}
