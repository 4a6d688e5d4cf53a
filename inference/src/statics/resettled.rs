//! Numbers that somebody says while the lock is in use: what it began with is then no number of the lock.

use super::expr::{Expr, Exprs, Node};
use super::flow::{Point, flow};
use super::program::{FieldId, Method, MethodIx, Program, is_main};
use super::setup;
use locklens_trace::code::{MemberRef, Op};

/// What the compiler writes so that a class gets at the fields of another.
const SYNTHETIC: u32 = 0x1000;

/// A method that is no part of a making is told what it writes to a number's field: how much there may be from then on. Who waits
/// there hands something over; and what is added to what was there is a step of the lock.
pub(super) fn is_told(program: &Program, x: &mut Exprs, id: FieldId) -> bool {
    let field = program.field(id);
    let is_number = matches!(field.descriptor.as_str(), "I" | "J" | "S");
    is_number
        && field
            .writers
            .iter()
            .any(|&writer| is_setter(program, x, (writer, id)))
}

fn is_setter(program: &Program, x: &mut Exprs, (writer, id): (MethodIx, FieldId)) -> bool {
    let of = &program.methods[writer];
    let is_accessor = of.def.flags & SYNTHETIC != 0;
    if of.is_initialiser() || is_accessor || is_main(&of.def) || setup::waits(program, writer) {
        return false;
    }
    let is_it = |f: &MemberRef| program.field_id(f) == Some(id);
    let reads = |op: &Op| matches!(op, Op::GetField(f) | Op::GetStatic(f) if is_it(f));
    let looks = of.code.iter().any(|insn| reads(&insn.op));
    let points = flow(program, x, writer).points;
    let sets = of.code.iter().zip(&points).any(|(insn, point)| {
        let (Op::PutField(f) | Op::PutStatic(f), Some(point)) = (&insn.op, point) else {
            return false;
        };
        is_it(f)
            && !is_of_new(x, f, point)
            && written(f, point).is_some_and(|value| match x.node(value) {
                // One of several values, of which the caller's is one.
                Node::Opaque(..) => !looks && is_told_numbers(of),
                _ => is_callers(x, of, value) && !x.any(value, &|n| holds(n, id)),
            })
    });
    // Some languages write each field by a method of its own: its class makes its steps by that.
    let mut callers = program.callers(&of.def);
    let mut is_called =
        || callers.any(|(caller, _)| program.methods[caller].def.class != of.def.class);
    sets && is_called() && !setup::only_sets_up(program, writer)
}

/// Nobody who writes a number's field makes what he writes of what it was, and somebody does so after the making.
pub(super) fn is_only_set(program: &Program, id: FieldId) -> bool {
    let field = program.field(id);
    let is_number = matches!(field.descriptor.as_str(), "I" | "J" | "S");
    let mut x = Exprs::default();
    let mut writers = field.writers.iter();
    is_number
        && writers
            .clone()
            .all(|&writer| only_sets(program, &mut x, (writer, id)))
        && writers.any(|&writer| sets_later(program, &mut x, (writer, id)))
}

/// A method writes it that is no part of the making of its object.
fn sets_later(program: &Program, x: &mut Exprs, (writer, id): (MethodIx, FieldId)) -> bool {
    let of = &program.methods[writer];
    if of.is_initialiser() || setup::only_sets_up(program, writer) {
        return false;
    }
    let points = flow(program, x, writer).points;
    let mut all = of.code.iter().zip(&points);
    all.any(|(insn, point)| {
        let (Op::PutField(f) | Op::PutStatic(f), Some(point)) = (&insn.op, point) else {
            return false;
        };
        program.field_id(f) == Some(id) && !is_of_new(x, f, point)
    })
}

fn only_sets(program: &Program, x: &mut Exprs, (writer, id): (MethodIx, FieldId)) -> bool {
    let of = &program.methods[writer];
    let is_it = |f: &MemberRef| program.field_id(f) == Some(id);
    let reads = |op: &Op| matches!(op, Op::GetField(f) | Op::GetStatic(f) if is_it(f));
    let looks = of.code.iter().any(|insn| reads(&insn.op));
    let points = flow(program, x, writer).points;
    let mut all = of.code.iter().zip(&points);
    all.all(|(insn, point)| {
        let (Op::PutField(f) | Op::PutStatic(f), Some(point)) = (&insn.op, point) else {
            return true;
        };
        let value = written(f, point).filter(|_| is_it(f));
        value.is_none_or(|value| {
            let is_vague = |n: &Node| matches!(n, Node::Opaque(..) | Node::Looped(..));
            // What such a method is given may be made of what it was.
            let is_passed_on = of.def.flags & SYNTHETIC != 0 && is_callers(x, of, value);
            let is_made_of_it = x.any(value, &|n| holds(n, id));
            !(is_passed_on || is_made_of_it || looks && x.any(value, &is_vague))
        })
    })
}

/// The numbers to which a method sets a field of what it did not make itself.
pub(super) fn numbers(program: &Program, (writer, id): (MethodIx, FieldId)) -> Vec<i64> {
    let mut x = Exprs::default();
    let points = flow(program, &mut x, writer).points;
    let all = program.methods[writer].code.iter().zip(&points);
    let set = all.filter_map(|(insn, point)| {
        let (Op::PutField(f) | Op::PutStatic(f), Some(point)) = (&insn.op, point) else {
            return None;
        };
        let value = written(f, point).filter(|_| program.field_id(f) == Some(id))?;
        match x.node(value) {
            Node::Int(number) => Some(*number),
            _ => None,
        }
    });
    set.collect()
}

/// What an instruction writes.
fn written(field: &MemberRef, point: &Point) -> Option<Expr> {
    let words = 1 + usize::from(field.descriptor == "J");
    let stack = &point.frame.stack;
    stack.len().checked_sub(words).map(|at| stack[at])
}

/// It is a field of an object that has just been made.
fn is_of_new(x: &Exprs, field: &MemberRef, point: &Point) -> bool {
    let words = 2 + usize::from(field.descriptor == "J");
    let stack = &point.frame.stack;
    let base = stack.len().checked_sub(words).map(|at| stack[at]);
    base.is_some_and(|base| matches!(x.node(base), Node::New(..)))
}

/// Made of what the method's caller gives besides the object.
fn is_callers(x: &Exprs, of: &Method, value: Expr) -> bool {
    let first = u16::from(!of.def.is_static());
    x.any(value, &|n| matches!(n, Node::Entry(slot) if *slot >= first))
}

fn is_told_numbers(of: &Method) -> bool {
    of.signature
        .params()
        .any(|ty| matches!(ty.0, "I" | "J" | "S"))
}

fn holds(node: &Node, id: FieldId) -> bool {
    matches!(node, Node::Field(_, of) | Node::Static(of) | Node::Slot(of) if *of == id)
}
