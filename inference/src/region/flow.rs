//! One instruction's effect on an abstract frame: which value is where, which monitors are held.
//!
//! A value is known only by where it came from: enough to tell that `monitorexit` undoes a
//! certain `monitorenter`, that `wait` is called on the locked object, and what a call passes.
//! Long and double take two words, as in the JVM specification.

use super::subject::{split_descriptor, words};
use locklens_trace::code::{Code, InvokeKind, MemberRef, Op, StackOp};

/// More operand words than any compiler emits; a hostile method cannot make us keep more.
const STACK_LIMIT: usize = 1024;

/// Where a value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// From different places, or nobody knows.
    Unknown,
    /// It was in this local slot when the method began.
    Initial(u16),
    /// The instruction of this index made it.
    Made(usize),
}

impl Value {
    pub(super) fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Unknown }
    }
}

/// A monitor that is held: which `monitorenter`, and on which value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) ordinal: u16,
    pub(super) value: Value,
}

/// Abstract operand stack, locals and held monitors before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) stack: Vec<Value>,
    pub(super) locals: Vec<Value>,
    pub(super) held: Vec<Held>,
}

impl State {
    /// Joins another way to the same instruction; true if that changed anything. Monitors that
    /// are held on one way only are not held: their common beginning stays.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        self.stack.truncate(other.stack.len());
        join_all(&mut self.stack, &other.stack);
        join_all(&mut self.locals, &other.locals);
        let common = self.held.iter().zip(&other.held);
        let common = common.take_while(|(a, b)| a.ordinal == b.ordinal).count();
        self.held.truncate(common);
        for (mine, theirs) in self.held.iter_mut().zip(&other.held) {
            mine.value = mine.value.join(theirs.value);
        }
        *self != before
    }

    fn pop(&mut self) -> Value {
        self.stack.pop().unwrap_or(Value::Unknown)
    }

    fn push(&mut self, value: Value) {
        if self.stack.len() < STACK_LIMIT {
            self.stack.push(value);
        }
    }

    fn pop_words(&mut self, count: usize) {
        let left = self.stack.len().saturating_sub(count);
        self.stack.truncate(left);
    }

    fn push_words(&mut self, value: Value, count: usize) {
        for _ in 0..count {
            self.push(value);
        }
    }

    fn local(&self, slot: u16) -> Value {
        self.locals
            .get(usize::from(slot))
            .copied()
            .unwrap_or(Value::Unknown)
    }

    fn set_local(&mut self, slot: u16, value: Value) {
        if let Some(local) = self.locals.get_mut(usize::from(slot)) {
            *local = value;
        }
    }

    /// Releases the innermost monitor held on this value, or the innermost of all: compilers
    /// emit structured locking, so a value lost in a join still names the innermost one.
    fn release(&mut self, value: Value) {
        if let Some(at) = self.released(value) {
            self.held.remove(at);
        }
    }

    fn released(&self, value: Value) -> Option<usize> {
        let known = (value != Value::Unknown)
            .then(|| self.held.iter().rposition(|h| h.value == value))
            .flatten();
        known.or(self.held.len().checked_sub(1))
    }

    /// Ordinal of the monitor that a `monitorexit` would release here.
    pub(super) fn next_released(&self) -> Option<u16> {
        let value = self.stack.last().copied().unwrap_or(Value::Unknown);
        self.released(value).map(|at| self.held[at].ordinal)
    }

    /// Duplicates the top `count` words below the `under` words beneath them.
    fn duplicate(&mut self, count: usize, under: usize) {
        while self.stack.len() < count + under {
            self.stack.insert(0, Value::Unknown);
        }
        let top = self.stack[self.stack.len() - count..].to_vec();
        let at = self.stack.len() - count - under;
        self.stack.splice(at..at, top);
    }

    fn shuffle(&mut self, op: StackOp) {
        match op {
            StackOp::Pop => self.pop_words(1),
            StackOp::Pop2 => self.pop_words(2),
            StackOp::Dup => self.duplicate(1, 0),
            StackOp::DupX1 => self.duplicate(1, 1),
            StackOp::DupX2 => self.duplicate(1, 2),
            StackOp::Dup2 => self.duplicate(2, 0),
            StackOp::Dup2X1 => self.duplicate(2, 1),
            StackOp::Dup2X2 => self.duplicate(2, 2),
            StackOp::Swap => {
                let (upper, lower) = (self.pop(), self.pop());
                self.push(upper);
                self.push(lower);
            }
        }
    }
}

fn join_all(mine: &mut [Value], theirs: &[Value]) {
    for (i, value) in mine.iter_mut().enumerate() {
        *value = theirs
            .get(i)
            .map_or(Value::Unknown, |&other| value.join(other));
    }
}

/// What an instruction used, where a reader of the flow may care.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// Operand of a monitor instruction or of a field read; arguments of a call, receiver first,
    /// one entry a value, each with its slot in the callee.
    pub(super) values: Vec<(u16, Value)>,
}

/// Executes instruction `index` on `state`. `ordinal` is that of a `monitorenter`.
pub(super) fn execute(code: &Code, index: usize, ordinal: u16, state: &mut State) -> Used {
    let made = Value::Made(index);
    let width = |wide: bool| 1 + usize::from(wide);
    let mut used = Used::default();
    match &code.insns[index].op {
        Op::Nop | Op::Iinc { .. } | Op::Goto(_) | Op::Ret(_) | Op::CheckCast(_) => {}
        Op::Const { wide, .. } | Op::Real { wide, .. } | Op::Literal { wide } => {
            state.push_words(made, width(*wide));
        }
        Op::Text(_) | Op::Null | Op::ClassLiteral(_) | Op::New(_) | Op::Jsr(_) => state.push(made),
        Op::Load { slot, wide } => state.push_words(state.local(*slot), width(*wide)),
        Op::Store { slot, wide } => {
            let value = state.pop();
            state.pop_words(usize::from(*wide));
            state.set_local(*slot, value);
        }
        Op::Stack(op) => state.shuffle(*op),
        Op::GetField(field) => {
            used.values.push((0, state.pop()));
            state.push_words(made, words(&field.descriptor));
        }
        Op::PutField(field) => state.pop_words(words(&field.descriptor) + 1),
        Op::GetStatic(field) => state.push_words(made, words(&field.descriptor)),
        Op::PutStatic(field) => state.pop_words(words(&field.descriptor)),
        Op::ArrayLoad { wide } => replace(state, 2, made, width(*wide)),
        Op::ArrayStore { wide } => state.pop_words(2 + width(*wide)),
        Op::ArrayLength | Op::InstanceOf(_) => replace(state, 1, made, 1),
        Op::Arith { op, wide } => arithmetic(state, *op, *wide, made),
        Op::Convert {
            from_wide, to_wide, ..
        } => {
            replace(state, width(*from_wide), made, width(*to_wide));
        }
        Op::Compare { wide, .. } => replace(state, 2 * width(*wide), made, 1),
        Op::If { .. } | Op::IfNull { .. } | Op::Switch { .. } | Op::Throw => state.pop_words(1),
        Op::IfCmp { .. } | Op::IfRef { .. } => state.pop_words(2),
        Op::Return { value } => state.pop_words(usize::from(*value)),
        Op::Invoke { kind, method } => used.values = call(state, *kind, method, made),
        Op::NewArray { dims } => replace(state, usize::from(*dims), made, 1),
        Op::MonitorEnter => {
            let value = state.pop();
            used.values.push((0, value));
            state.held.push(Held { ordinal, value });
        }
        Op::MonitorExit => {
            let value = state.pop();
            state.release(value);
        }
    }
    used
}

fn replace(state: &mut State, popped: usize, value: Value, pushed: usize) {
    state.pop_words(popped);
    state.push_words(value, pushed);
}

fn arithmetic(state: &mut State, op: locklens_trace::code::ArithOp, wide: bool, made: Value) {
    use locklens_trace::code::ArithOp::{Neg, Shl, Shr, Ushr};
    let width = 1 + usize::from(wide);
    let popped = match op {
        Neg => width,
        Shl | Shr | Ushr => width + 1,
        _ => 2 * width,
    };
    replace(state, popped, made, width);
}

fn call(state: &mut State, kind: InvokeKind, method: &MemberRef, made: Value) -> Vec<(u16, Value)> {
    let (params, result) = split_descriptor(&method.descriptor);
    let receiver = !matches!(kind, InvokeKind::Static | InvokeKind::Dynamic);
    let widths: Vec<usize> = receiver
        .then_some(1)
        .into_iter()
        .chain(params.iter().map(|p| words(p)))
        .collect();
    let total: usize = widths.iter().sum();
    let base = state.stack.len().saturating_sub(total);
    let missing = total.saturating_sub(state.stack.len());
    let mut slot = 0;
    let mut values = Vec::with_capacity(widths.len());
    for width in widths {
        let at = (base + slot).checked_sub(missing);
        let value = at
            .and_then(|i| state.stack.get(i))
            .copied()
            .unwrap_or(Value::Unknown);
        values.push((u16::try_from(slot).unwrap_or(u16::MAX), value));
        slot += width;
    }
    state.stack.truncate(base);
    state.push_words(made, words(result));
    values
}

/// Where an instruction may continue, by bci; and whether it may also fall through.
pub(crate) fn successors(op: &Op) -> (Vec<u16>, bool) {
    match op {
        Op::If { target, .. }
        | Op::IfCmp { target, .. }
        | Op::IfRef { target, .. }
        | Op::IfNull { target, .. } => (vec![*target], true),
        Op::Goto(target) => (vec![*target], false),
        // The subroutine returns behind the call; its own Ret then need not be followed.
        Op::Jsr(target) => (vec![*target], true),
        Op::Switch { cases, default } => {
            let mut targets: Vec<u16> = cases.iter().map(|&(_, target)| target).collect();
            targets.push(*default);
            targets.sort_unstable();
            targets.dedup();
            (targets, false)
        }
        Op::Ret(_) | Op::Return { .. } | Op::Throw => (Vec::new(), false),
        _ => (Vec::new(), true),
    }
}
