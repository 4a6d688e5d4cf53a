//! Simulated threads: their frames and what they wait for.

use super::value::{Kind, ObjectId, Value};
use crate::statics::program::{FieldId, MethodIx, Program};
use locklens_trace::ClassId;
use locklens_trace::code::StackOp;
use std::sync::Arc;

/// A simulated thread.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    pub(super) frames: Vec<Frame>,
    pub(super) state: State,
    /// Its `Thread` object.
    pub(super) object: ObjectId,
    /// Somebody has interrupted it.
    pub(super) interrupted: bool,
    /// That has ended its wait, and is yet to be thrown where it waited.
    pub(super) roused: bool,
    /// Its clock, in nanoseconds.
    pub(super) now: i64,
    /// The operation it is in.
    pub(super) operation: usize,
    /// Times it waited again since the last call, without having got on.
    pub(super) rewaits: u32,
    /// The number that an operation returned to it last.
    pub(super) got: Option<i64>,
    /// Objects that operations returned to it, latest last.
    pub(super) received: Vec<ObjectId>,
    /// By which the call it is in is recognised.
    pub(super) token: Option<u32>,
    /// Changes of library objects there had been when it last stopped running.
    pub(super) left_at: u64,
    /// Calls it has made of each operation.
    pub(super) calls: Vec<u32>,
    /// What it hands in again and again, by class.
    pub(super) own: Vec<(ClassId, Value)>,
    /// The keys of its own, by type.
    pub(super) keys: Vec<(Arc<str>, Value)>,
}

/// What a thread does. `since` numbers the order in which threads came to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Idle,
    Runs,
    /// Wants a monitor; after a wait it gets it back `depth` times, and `timed`
    /// says whether that wait had a limit.
    Blocked {
        on: ObjectId,
        depth: u32,
        since: u64,
        timed: bool,
    },
    Waits {
        on: ObjectId,
        depth: u32,
        since: u64,
        timed: bool,
    },
}

/// One activation.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) method: MethodIx,
    /// Index of the next instruction.
    pub(super) at: usize,
    pub(super) locals: Vec<Value>,
    pub(super) stack: Vec<Value>,
    /// Monitors entered by blocks, with the instruction that did.
    pub(super) held: Vec<(usize, ObjectId)>,
    /// Monitor of a synchronized method.
    pub(super) own: Option<ObjectId>,
    /// `own` has yet to be entered.
    pub(super) entering: bool,
    /// Nobody is there to return to.
    pub(super) bottom: bool,
    /// What it returns to whoever is.
    pub(super) gives: Gives,
    /// Fields it has written, with what they held before.
    pub(super) written: Vec<(ObjectId, FieldId, Option<Value>)>,
    /// Changes of library objects there had been when it began.
    pub(super) changes: u64,
}

/// What the caller of an activation gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    /// What the method returns.
    Own,
    /// The same as this kind, or nothing: the caller called the method of an interface.
    As(Option<Kind>),
    /// This object: the method is its constructor.
    Object(ObjectId),
}

const MAX_WORDS: usize = 1_024;
/// Words on the stack of an activation for which there is room at once.
const STACK: usize = 8;

impl Frame {
    /// A frame about to run a method with these arguments, the receiver first.
    pub(super) fn new(program: &Program, method: MethodIx, args: &[Value]) -> Self {
        let of = &program.methods[method];
        let receiver = usize::from(!of.def.is_static());
        let mut locals: Vec<Value> = args.iter().take(receiver).copied().collect();
        for (ty, &arg) in of.signature.params().zip(args.iter().skip(receiver)) {
            let kind = Kind::of(ty.0);
            locals.push(kind.take(arg));
            if kind.is_wide() {
                locals.push(Value::Second);
            }
        }
        Self {
            method,
            at: 0,
            locals,
            stack: Vec::with_capacity(STACK),
            held: Vec::new(),
            own: None,
            entering: false,
            bottom: false,
            gives: Gives::Own,
            written: Vec::new(),
            changes: 0,
        }
    }

    pub(super) fn push(&mut self, value: Value, wide: bool) {
        if self.stack.len() + 2 > MAX_WORDS {
            return;
        }
        self.stack.push(value);
        if wide {
            self.stack.push(Value::Second);
        }
    }

    pub(super) fn pop(&mut self, wide: bool) -> Value {
        if wide {
            self.stack.pop();
        }
        self.stack.pop().unwrap_or(Value::Unknown)
    }

    /// Pops the arguments of a call, the receiver first if there is one.
    pub(super) fn pop_call(&mut self, params: &[Kind], receiver: bool) -> Vec<Value> {
        let mut args = Vec::with_capacity(params.len() + 1);
        for kind in params.iter().rev() {
            let value = self.pop(kind.is_wide());
            args.push(kind.take(value));
        }
        if receiver {
            args.push(self.pop(false));
        }
        args.reverse();
        args
    }

    /// Notes what a field held before this activation wrote it.
    pub(super) fn note_written(&mut self, id: ObjectId, field: FieldId, old: Option<Value>) {
        let known = |w: &(ObjectId, FieldId, Option<Value>)| (w.0, w.1) == (id, field);
        if !self.written.iter().any(known) {
            self.written.push((id, field, old));
        }
    }

    pub(super) fn load(&self, slot: u16) -> Value {
        let found = self.locals.get(usize::from(slot)).copied();
        found.unwrap_or(Value::Unknown)
    }

    pub(super) fn store(&mut self, slot: u16, value: Value) {
        let slot = usize::from(slot);
        if slot >= MAX_WORDS {
            return;
        }
        if self.locals.len() <= slot {
            self.locals.resize(slot + 1, Value::Unknown);
        }
        self.locals[slot] = value;
    }

    pub(super) fn shuffle(&mut self, op: StackOp) {
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
        if self.stack.len() < taken || self.stack.len() + 2 > MAX_WORDS {
            return;
        }
        let rest = self.stack.len() - taken;
        let mut words = [Value::Unknown; 4];
        words[..taken].copy_from_slice(&self.stack[rest..]);
        self.stack.truncate(rest);
        self.stack.extend(order.iter().map(|&i| words[i]));
    }
}
