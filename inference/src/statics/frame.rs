//! One activation's locals and operand stack, and the instructions that touch nothing else.
//!
//! Slots are stack words: a long or double is its value and a [`Node::Second`]. Total: reading
//! what is not there gives an unknown value.

use super::descriptor::Signature;
use super::expr::{Expr, Exprs, Node, Site};
use super::program::Program;
use locklens_trace::code::{Insn, MemberRef, Op, StackOp};
use std::sync::Arc;

/// Locals and operand stack.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Frame {
    pub(crate) locals: Vec<Expr>,
    pub(crate) stack: Vec<Expr>,
}

const MAX_LOCALS: usize = 512;
const MAX_STACK: usize = 512;

impl Frame {
    /// The frame at the entry of a method: every slot holds what it held then.
    pub(crate) fn entry(x: &mut Exprs, words: u16) -> Self {
        let words = words.min(MAX_LOCALS as u16);
        Self {
            locals: (0..words).map(|slot| x.make(Node::Entry(slot))).collect(),
            stack: Vec::new(),
        }
    }

    /// Pushes a value.
    pub(crate) fn push(&mut self, x: &mut Exprs, value: Expr, wide: bool) {
        if self.stack.len() + 2 > MAX_STACK {
            return;
        }
        self.stack.push(value);
        if wide {
            self.stack.push(x.make(Node::Second));
        }
    }

    /// Pops a value.
    pub(crate) fn pop(&mut self, x: &mut Exprs, wide: bool) -> Expr {
        if wide {
            self.stack.pop();
        }
        self.stack.pop().unwrap_or_else(|| x.unknown())
    }

    /// Pops the arguments of a call, the receiver first if there is one; one entry per value.
    pub(crate) fn pop_call(
        &mut self,
        x: &mut Exprs,
        signature: &Signature,
        receiver: bool,
    ) -> Vec<Expr> {
        let params: Vec<_> = signature.params().map(|t| t.is_wide()).collect();
        let mut args: Vec<_> = params.iter().rev().map(|&w| self.pop(x, w)).collect();
        if receiver {
            args.push(self.pop(x, false));
        }
        args.reverse();
        args
    }

    fn load(&self, x: &mut Exprs, slot: u16) -> Expr {
        let found = self.locals.get(slot as usize).copied();
        found.unwrap_or_else(|| x.unknown())
    }

    fn store(&mut self, x: &mut Exprs, slot: u16, value: Expr) {
        let slot = slot as usize;
        if slot >= MAX_LOCALS {
            return;
        }
        while self.locals.len() <= slot {
            let unknown = x.unknown();
            self.locals.push(unknown);
        }
        self.locals[slot] = value;
    }

    fn shuffle(&mut self, op: StackOp) {
        let (taken, order): (usize, &[usize]) = match op {
            StackOp::Pop => (1, &[]),
            StackOp::Pop2 => (2, &[]),
            StackOp::Dup => (1, &[0, 0]),
            StackOp::DupX1 => (2, &[1, 0, 1]),
            StackOp::DupX2 => (3, &[2, 0, 1, 2]),
            StackOp::Dup2 => (2, &[0, 1, 0, 1]),
            StackOp::Dup2X1 => (3, &[1, 2, 0, 1, 2]),
            StackOp::Dup2X2 => (4, &[2, 3, 0, 1, 2, 3]),
            StackOp::Swap => (2, &[1, 0]),
        };
        if self.stack.len() < taken || self.stack.len() + 2 > MAX_STACK {
            return;
        }
        let words = self.stack.split_off(self.stack.len() - taken);
        self.stack.extend(order.iter().map(|&i| words[i]));
    }
}

/// The arguments of a call laid out as the callee's locals.
pub(crate) fn locals_of(x: &mut Exprs, signature: &Signature, args: &[Expr]) -> Vec<Expr> {
    let receiver = args.len() - signature.params().count().min(args.len());
    let mut locals: Vec<Expr> = args[..receiver].to_vec();
    for (ty, &arg) in signature.params().zip(&args[receiver..]) {
        locals.push(arg);
        if ty.is_wide() {
            locals.push(x.make(Node::Second));
        }
    }
    locals
}

/// Words of a method's arguments, `this` included.
pub(crate) fn argument_words(signature: &Signature, is_static: bool) -> u16 {
    let words: usize = signature
        .params()
        .map(|t| 1 + usize::from(t.is_wide()))
        .sum();
    (words + usize::from(!is_static)).min(256) as u16
}

/// What fields hold: the interpreter's heap, or nothing at all for the flow analysis.
pub(crate) trait Memory {
    /// The value of a place.
    fn read(&mut self, x: &mut Exprs, program: &Program, place: Expr) -> Expr;
    /// A new value for a place.
    fn write(&mut self, place: Expr, value: Expr);
}

/// The place a field instruction names.
fn field_place(
    x: &mut Exprs,
    program: &Program,
    field: &MemberRef,
    base: Option<Expr>,
) -> Option<Expr> {
    let id = program.field_id(field)?;
    Some(match base {
        Some(base) => x.make(Node::Field(base, id)),
        None => x.make(Node::Static(id)),
    })
}

/// Executes an instruction without control flow, calls or monitors. False: it is none of those.
pub(crate) fn execute(
    insn: &Insn,
    site: Site,
    frame: &mut Frame,
    x: &mut Exprs,
    program: &Program,
    memory: &mut dyn Memory,
) -> bool {
    pushes(&insn.op, site, frame, x)
        || computes(&insn.op, frame, x)
        || moves(&insn.op, frame, x)
        || accesses(&insn.op, site, frame, x, program, memory)
}

fn pushes(op: &Op, site: Site, frame: &mut Frame, x: &mut Exprs) -> bool {
    let (node, wide) = match op {
        Op::Const { value, wide } => (Node::Int(*value), *wide),
        Op::Null => (Node::Null, false),
        Op::Literal { wide } | Op::Real { wide, .. } => (Node::Opaque(site, 0, None), *wide),
        Op::Text(_) => (Node::Opaque(site, 0, None), false),
        Op::ClassLiteral(name) => (Node::Mirror(Arc::from(name.as_str())), false),
        Op::New(class) => (Node::New(site, Arc::from(class.as_str())), false),
        _ => return false,
    };
    let value = x.make(node);
    frame.push(x, value, wide);
    true
}

fn computes(op: &Op, frame: &mut Frame, x: &mut Exprs) -> bool {
    match op {
        Op::Arith { op, wide } => arithmetic(*op, *wide, frame, x),
        Op::Convert {
            from_wide, to_wide, ..
        } => {
            let value = frame.pop(x, *from_wide);
            frame.push(x, value, *to_wide);
        }
        Op::Compare { wide, .. } => {
            let (b, a) = (frame.pop(x, *wide), frame.pop(x, *wide));
            let value = x.make(Node::Compare(a, b));
            frame.push(x, value, false);
        }
        Op::InstanceOf(class) => {
            let object = frame.pop(x, false);
            let value = x.make(Node::Is(object, Arc::from(class.as_str())));
            frame.push(x, value, false);
        }
        _ => return false,
    }
    true
}

fn arithmetic(op: locklens_trace::code::ArithOp, wide: bool, frame: &mut Frame, x: &mut Exprs) {
    use locklens_trace::code::ArithOp as A;
    let right_wide = wide && !matches!(op, A::Shl | A::Shr | A::Ushr);
    let right = frame.pop(x, right_wide);
    let left = match op {
        A::Neg => right,
        _ => frame.pop(x, wide),
    };
    let value = x.arith(op, left, right);
    frame.push(x, value, wide);
}

fn moves(op: &Op, frame: &mut Frame, x: &mut Exprs) -> bool {
    match op {
        Op::Nop | Op::CheckCast(_) => {}
        Op::Load { slot, wide } => {
            let value = frame.load(x, *slot);
            frame.push(x, value, *wide);
        }
        Op::Store { slot, wide } => {
            let value = frame.pop(x, *wide);
            frame.store(x, *slot, value);
        }
        Op::Iinc { slot, delta } => {
            let value = frame.load(x, *slot);
            let value = x.shift(value, i64::from(*delta));
            frame.store(x, *slot, value);
        }
        Op::Stack(op) => frame.shuffle(*op),
        _ => return false,
    }
    true
}

fn accesses(
    op: &Op,
    site: Site,
    frame: &mut Frame,
    x: &mut Exprs,
    program: &Program,
    memory: &mut dyn Memory,
) -> bool {
    match op {
        Op::GetField(f) | Op::GetStatic(f) => {
            let base = matches!(op, Op::GetField(_)).then(|| frame.pop(x, false));
            let wide = matches!(f.descriptor.as_str(), "J" | "D");
            let constant = super::program::library_constant(&f.class, &f.name);
            let place = field_place(x, program, f, base);
            let value = match place {
                _ if constant.is_some() => x.int(constant.unwrap_or(0)),
                Some(place) => memory.read(x, program, place),
                None => x.unknown(),
            };
            frame.push(x, value, wide);
        }
        Op::PutField(f) | Op::PutStatic(f) => {
            let value = frame.pop(x, matches!(f.descriptor.as_str(), "J" | "D"));
            let base = matches!(op, Op::PutField(_)).then(|| frame.pop(x, false));
            if let Some(place) = field_place(x, program, f, base) {
                memory.write(place, value);
            }
        }
        _ => return arrays(op, site, frame, x, program, memory),
    }
    true
}

fn arrays(
    op: &Op,
    site: Site,
    frame: &mut Frame,
    x: &mut Exprs,
    program: &Program,
    memory: &mut dyn Memory,
) -> bool {
    match op {
        Op::ArrayLoad { wide } => {
            let (index, array) = (frame.pop(x, false), frame.pop(x, false));
            let place = x.make(Node::Index(array, index));
            let value = memory.read(x, program, place);
            frame.push(x, value, *wide);
        }
        Op::ArrayStore { wide } => {
            let value = frame.pop(x, *wide);
            let (index, array) = (frame.pop(x, false), frame.pop(x, false));
            let place = x.make(Node::Index(array, index));
            memory.write(place, value);
        }
        Op::ArrayLength => {
            let array = frame.pop(x, false);
            let place = x.make(Node::Length(array));
            let value = memory.read(x, program, place);
            frame.push(x, value, false);
        }
        Op::NewArray { dims } => {
            let sizes: Vec<_> = (0..*dims).map(|_| frame.pop(x, false)).collect();
            let array = x.make(Node::New(site, Arc::from("[")));
            if let Some(&length) = sizes.last() {
                let place = x.make(Node::Length(array));
                memory.write(place, length);
            }
            frame.push(x, array, false);
        }
        _ => return false,
    }
    true
}
