//! How much an operation takes or gives, where what it is handed says so.

use crate::statics::program::Method;
use locklens_trace::code::{ArithOp, InvokeKind, Op};

/// A number of the object that a method is handed is added to a field, or taken from it: how many such calls go through says nothing of
/// how much there is.
pub(super) fn is_handed(method: &Method) -> bool {
    let first = u16::from(!method.def.is_static());
    let handed = method.signature.slots(first);
    let slots: Vec<u16> = handed
        .filter(|(_, ty)| ty.0.starts_with('L'))
        .map(|(slot, _)| slot)
        .collect();
    let ops: Vec<&Op> = method.code.iter().map(|insn| &insn.op).collect();
    let converts = |op: &&&Op| matches!(op, Op::Convert { .. });
    (1..ops.len()).any(|at| {
        let loads = matches!(ops[at - 1], Op::Load { slot, wide: false } if slots.contains(slot));
        let mut rest = ops[at + 1..].iter().skip_while(converts);
        let sum = |op: &&Op| {
            let op = match op {
                Op::Arith { op, .. } => op,
                _ => return false,
            };
            matches!(op, ArithOp::Add | ArithOp::Sub)
        };
        loads
            && is_number(ops[at])
            && rest.next().is_some_and(sum)
            && matches!(rest.next(), Some(Op::PutField(_)))
    })
}

/// It asks an object for a whole number.
fn is_number(op: &Op) -> bool {
    match op {
        Op::GetField(field) => matches!(field.descriptor.as_str(), "I" | "J" | "S" | "B"),
        Op::Invoke { kind, method } => {
            matches!(kind, InvokeKind::Virtual | InvokeKind::Interface)
                && matches!(method.descriptor.as_str(), "()I" | "()J")
        }
        _ => false,
    }
}
