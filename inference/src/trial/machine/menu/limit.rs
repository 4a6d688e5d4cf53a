//! Which parameter of an operation is the time limit of its wait.

use super::uses::handed;
use super::{MethodIx, Op, Program, Target};
use crate::statics::expr::{Expr, Exprs, Node};
use crate::statics::flow::flow;
use crate::statics::survey::{Signal, signal};

const TIME_UNIT: &str = "java.util.concurrent.TimeUnit";

/// The parameter is handed to `wait` or a unit of time, or reckoned up with a clock.
pub(super) fn is_limit(program: &Program, method: MethodIx, slot: u16, calls: u32) -> bool {
    let find = || find_limit(program, method, slot, calls);
    program.asked.limit((method, slot, calls), find)
}

fn find_limit(program: &Program, method: MethodIx, slot: u16, calls: u32) -> bool {
    let mut x = Exprs::default();
    let parameter = x.make(Node::Entry(slot));
    let points = flow(program, &mut x, method).points;
    let of = &program.methods[method];
    let mut code = of
        .code
        .iter()
        .zip(&points)
        .filter_map(|(i, p)| Some((&i.op, p.as_ref()?)));
    code.any(|(op, point)| {
        let stack = &point.frame.stack;
        if stack.iter().any(|&e| is_due(&x, e, slot)) {
            return true;
        }
        let Op::Invoke {
            kind,
            method: callee,
        } = op
        else {
            return false;
        };
        let waits = matches!(signal(*kind, callee), Some((Signal::Wait, _)));
        if waits && callee.descriptor != "()V" || callee.class == TIME_UNIT {
            return top(stack).any(|e| x.any(e, &|n| *n == Node::Entry(slot)));
        }
        let Target::Code(ix) = program.resolve(*kind, callee, of.def.class, None) else {
            return false;
        };
        let handed = handed(&mut x, program, ix, point, parameter);
        calls > 0
            && ix != method
            && handed
                .into_iter()
                .any(|s| is_limit(program, ix, s, calls - 1))
    })
}

/// The few words on top, where arguments are.
fn top(stack: &[Expr]) -> impl Iterator<Item = Expr> + '_ {
    stack.iter().rev().take(4).copied()
}

/// A moment: a reading of a clock and the parameter, put together.
fn is_due(x: &Exprs, e: Expr, slot: u16) -> bool {
    x.any(e, &|n| matches!(n, Node::Clock(_))) && x.any(e, &|n| *n == Node::Entry(slot))
}
