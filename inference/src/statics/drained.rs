//! Two collections that change places: who takes a full one leaves the other one, which is empty if whoever took it the time before has
//! gone through it since, where nobody else had the lock, and left nothing in it.

use super::descriptor::Signature;
use super::expr::{Expr, Exprs, Node};
use super::flow::{Point, flow};
use super::jdk::{Effect, effect};
use super::program::{FieldId, MethodIx, Program, Target};
use locklens_trace::ClassId;
use locklens_trace::code::{InvokeKind, MemberRef, Op};
use std::collections::BTreeSet;

/// Methods that are looked at.
const MOST: usize = 64;
/// What takes no argument and leaves nothing, by whatever class: a buffer of the program's own.
const CLEARS: [&str; 2] = ["clear", "reset"];

/// The fields that change places, and the methods in which they do.
struct Pair {
    fields: [FieldId; 2],
    exchange: BTreeSet<MethodIx>,
}

/// Somewhere without the lock what one of these fields holds, or what the methods return that exchange them, is emptied.
pub(super) fn is_drained(program: &Program, fields: [FieldId; 2]) -> bool {
    let writers = |id: FieldId| program.field(id).writers.iter().copied();
    let others: BTreeSet<MethodIx> = writers(fields[1]).collect();
    let both = writers(fields[0]).filter(|m| others.contains(m));
    let exchange: BTreeSet<MethodIx> = both
        .filter(|&m| !program.methods[m].is_initialiser())
        .collect();
    let classes: BTreeSet<ClassId> = exchange
        .iter()
        .map(|&m| program.methods[m].def.class)
        .collect();
    let own = classes.iter().flat_map(|&class| program.methods_of(class));
    let callers = exchange.iter().flat_map(|&m| {
        let callers = program.callers(&program.methods[m].def);
        callers.map(|(caller, _)| caller).collect::<Vec<_>>()
    });
    let all: BTreeSet<MethodIx> = own.copied().chain(callers).collect();
    let pair = Pair { fields, exchange };
    all.into_iter()
        .take(MOST)
        .any(|m| drains(program, m, &pair))
}

/// A method empties it, or hands it to one that does.
fn drains(program: &Program, ix: MethodIx, pair: &Pair) -> bool {
    let method = &program.methods[ix];
    let is_own = |op: &Op| match op {
        Op::GetField(field) | Op::GetStatic(field) | Op::PutField(field) | Op::PutStatic(field) => {
            let id = program.field_id(field);
            id.is_some_and(|id| pair.fields.contains(&id))
        }
        _ => false,
    };
    let tells = |callee: MethodIx| {
        let mut code = program.methods[callee].code.iter();
        pair.exchange.contains(&callee) || code.any(|insn| is_own(&insn.op))
    };
    let touches = |op: &Op| match op {
        Op::Invoke {
            kind,
            method: called,
        } => {
            let target = program.resolve(*kind, called, method.def.class, None);
            matches!(target, Target::Code(callee) if tells(callee))
        }
        op => is_own(op),
    };
    let concerned = method.code.iter().any(|insn| touches(&insn.op));
    if !concerned || method.def.is_synchronized() || method.is_initialiser() {
        return false;
    }
    let mut x = Exprs::default();
    let flow = flow(program, &mut x, ix);
    let mut points = flow.points.iter().enumerate();
    points.any(|(at, point)| {
        let Some(point) = point.as_ref().filter(|point| point.held.is_empty()) else {
            return false;
        };
        let (
            Op::Invoke {
                kind,
                method: called,
            },
            own,
        ) = (&method.code[at].op, &method.def)
        else {
            return is_replaced(&x, &method.code[at].op, point, (program, pair));
        };
        let args = arguments(&mut x, point, *kind, called);
        let is_it = |x: &Exprs, e: Expr| is_taken(x, e, (program, pair));
        let receives = !matches!(kind, InvokeKind::Static | InvokeKind::Dynamic);
        let empties = receives && leaves_nothing(&x, method.is_in_loop(at), (*kind, called), &args);
        if empties && args.first().is_some_and(|&e| is_it(&x, e)) {
            return true;
        }
        let mut handed = (0..).zip(&args).filter(|(_, e)| is_it(&x, **e));
        handed.any(|(nth, _)| {
            let target = program.resolve(*kind, called, own.class, None);
            matches!(target, Target::Code(callee) if empties_argument(program, callee, nth))
        })
    })
}

/// Another one is put into a field, new.
fn is_replaced(x: &Exprs, op: &Op, point: &Point, (program, pair): (&Program, &Pair)) -> bool {
    let (Op::PutField(field) | Op::PutStatic(field)) = op else {
        return false;
    };
    let is_new = |e: &Expr| matches!(x.node(*e), Node::New(..));
    let id = program.field_id(field);
    id.is_some_and(|id| pair.fields.contains(&id)) && point.frame.stack.last().is_some_and(is_new)
}

/// It is what one of the fields holds, or what was taken in exchange.
fn is_taken(x: &Exprs, e: Expr, (program, pair): (&Program, &Pair)) -> bool {
    match *x.node(e) {
        Node::Slot(id) | Node::Static(id) | Node::Field(_, id) => pair.fields.contains(&id),
        Node::Opaque(site, ..) => {
            let from = &program.methods[site.method];
            let at = from.at(site.bci).map(|at| &from.code[at].op);
            let Some(Op::Invoke { kind, method }) = at else {
                return false;
            };
            let target = program.resolve(*kind, method, from.def.class, None);
            matches!(target, Target::Code(callee) if pair.exchange.contains(&callee))
        }
        _ => false,
    }
}

/// A method empties what it is handed as this argument, the receiver counted.
fn empties_argument(program: &Program, ix: MethodIx, nth: usize) -> bool {
    let method = &program.methods[ix];
    let mut x = Exprs::default();
    let flow = flow(program, &mut x, ix);
    let receiver = usize::from(!method.def.is_static());
    let params = method.signature.params();
    let words = params.take(nth.saturating_sub(receiver));
    let words: usize = words.map(|ty| 1 + usize::from(ty.is_wide())).sum();
    let slot = if nth < receiver { 0 } else { receiver + words };
    let mut points = flow.points.iter().enumerate();
    points.any(|(at, point)| {
        let (
            Some(point),
            Op::Invoke {
                kind,
                method: called,
            },
        ) = (point, &method.code[at].op)
        else {
            return false;
        };
        let args = arguments(&mut x, point, *kind, called);
        let is_it = |e: &Expr| matches!(*x.node(*e), Node::Entry(of) if usize::from(of) == slot);
        let receives = !matches!(kind, InvokeKind::Static | InvokeKind::Dynamic);
        receives
            && leaves_nothing(&x, method.is_in_loop(at), (*kind, called), &args)
            && args.first().is_some_and(is_it)
    })
}

fn arguments(x: &mut Exprs, point: &Point, kind: InvokeKind, called: &MemberRef) -> Vec<Expr> {
    let signature = Signature::parse(&called.descriptor);
    let receiver = !matches!(kind, InvokeKind::Static | InvokeKind::Dynamic);
    point.frame.clone().pop_call(x, &signature, receiver)
}

/// A call after which there is nothing more in its receiver: at once, or when it has been called often enough.
fn leaves_nothing(
    x: &Exprs,
    in_loop: bool,
    (kind, called): (InvokeKind, &MemberRef),
    args: &[Expr],
) -> bool {
    let is_none = |e: &Expr| *x.node(*e) == Node::Int(0);
    match effect(kind, &called.class, called) {
        Some(Effect::Clear) => true,
        Some(Effect::Shorten) => args.get(1).is_some_and(is_none),
        Some(Effect::Remove | Effect::Poll) => in_loop,
        Some(_) => false,
        None => CLEARS.contains(&called.name.as_str()) && called.descriptor == "()V",
    }
}
