//! What becomes of a parameter: whether its value matters, whether it is compared, where it is handed on.

use super::{Kind, MethodIx, Op, Program, Target, is_library};
use crate::statics::expr::{Expr, Exprs, Node};
use crate::statics::flow::{Point, flow};
use locklens_trace::code::MemberRef;

/// Whether the value of a parameter matters: it is compared, calculated with, an index, looked
/// for, or (a number or text) kept in a field.
pub(super) fn is_used(program: &Program, method: MethodIx, slot: u16, calls: u32) -> bool {
    let find = || find_use(program, method, slot, calls);
    program.asked.used((method, slot, calls), find)
}

fn find_use(program: &Program, method: MethodIx, slot: u16, calls: u32) -> bool {
    let mut x = Exprs::default();
    let parameter = x.make(Node::Entry(slot));
    let points = flow(program, &mut x, method).points;
    let of = &program.methods[method];
    let mut uses = of
        .code
        .iter()
        .zip(&points)
        .filter_map(|(i, p)| Some((&i.op, p.as_ref()?)));
    uses.any(|(op, point)| match op {
        Op::Invoke {
            kind,
            method: callee,
        } => {
            let Target::Code(ix) = program.resolve(*kind, callee, of.def.class, None) else {
                return looks_up(callee) && point.frame.stack.contains(&parameter);
            };
            let handed = handed(&mut x, program, ix, point, parameter);
            calls > 0
                && ix != method
                && handed
                    .into_iter()
                    .any(|s| is_used(program, ix, s, calls - 1))
        }
        _ => is_operand(op, &point.frame.stack, parameter),
    })
}

/// Whether the value of a parameter is compared with something, by itself or with others: what says how much there may be is, what says
/// who comes or where he goes seldom.
pub(super) fn is_compared(program: &Program, method: MethodIx, slot: u16, calls: u32) -> bool {
    let find = || find_comparison(program, method, slot, calls);
    program.asked.compared((method, slot, calls), find)
}

fn find_comparison(program: &Program, method: MethodIx, slot: u16, calls: u32) -> bool {
    let mut x = Exprs::default();
    let parameter = x.make(Node::Entry(slot));
    let points = flow(program, &mut x, method).points;
    let of = &program.methods[method];
    let code = of.code.iter().zip(&points);
    let mut code = code.filter_map(|(i, p)| Some((&i.op, p.as_ref()?)));
    code.any(|(op, point)| match op {
        Op::IfCmp { .. } | Op::Compare { .. } => {
            let mut compared = point.frame.stack.iter().rev().take(4);
            compared.any(|&e| x.any(e, &|n| *n == Node::Entry(slot)))
        }
        Op::Invoke {
            kind,
            method: callee,
        } if calls > 0 => match program.resolve(*kind, callee, of.def.class, None) {
            Target::Code(ix) if ix != method => {
                let handed = handed(&mut x, program, ix, point, parameter);
                let mut slots = handed.into_iter();
                slots.any(|slot| is_compared(program, ix, slot, calls - 1))
            }
            _ => false,
        },
        _ => false,
    })
}

/// A method of the library that looks for what it is given.
fn looks_up(callee: &MemberRef) -> bool {
    let names = [
        "get",
        "contains",
        "containsKey",
        "remove",
        "indexOf",
        "merge",
        "getOrDefault",
        "computeIfAbsent",
        "computeIfPresent",
        "compute",
        "putIfAbsent",
        "equals",
        "compareTo",
    ];
    let keyed = callee.name == "put" && callee.class.contains("Map")
        || callee.name == "add" && callee.class.contains("Set")
        || callee.class == "java.util.BitSet";
    is_library(&callee.class) && (keyed || names.contains(&callee.name.as_str()))
}

/// The slots of a callee into which a value is handed.
pub(super) fn handed(
    x: &mut Exprs,
    program: &Program,
    callee: MethodIx,
    point: &Point,
    value: Expr,
) -> Vec<u16> {
    let of = &program.methods[callee];
    let receiver = !of.def.is_static();
    let args = point.frame.clone().pop_call(x, &of.signature, receiver);
    let locals = crate::statics::frame::locals_of(x, &of.signature, &args);
    let slots = (0u16..).zip(locals);
    slots.filter(|s| s.1 == value).map(|s| s.0).collect()
}

fn is_operand(op: &Op, stack: &[Expr], value: Expr) -> bool {
    let top = |below: usize| stack.len().checked_sub(below + 1).map(|at| stack[at]);
    let any = |depth: usize| (0..depth).any(|d| top(d) == Some(value));
    match op {
        Op::If { .. } | Op::Switch { .. } | Op::ArrayLoad { .. } => any(1),
        Op::IfCmp { .. } | Op::IfRef { .. } => any(2),
        Op::Arith { .. } | Op::Compare { .. } => any(4),
        Op::PutField(f) | Op::PutStatic(f) => {
            let kind = Kind::of(&f.descriptor);
            let is_value = kind != Kind::Reference || f.descriptor == "Ljava/lang/String;";
            is_value && top(usize::from(kind.is_wide())) == Some(value)
        }
        Op::ArrayStore { wide } => top(1 + usize::from(*wide)) == Some(value),
        _ => false,
    }
}
