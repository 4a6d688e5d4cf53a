//! Types of locals and stack before each instruction, carried from frame to frame of a stack map.
//!
//! A method with a stack map says the types wherever control flow meets; between two frames code is
//! straight, so one pass in order of bci knows them everywhere. Nothing is verified here: what does
//! not add up gives no answer, and the caller leaves the method alone.

use crate::class::Code;
use crate::code::{Insn, Operand, instructions};
use crate::frames::Frame;
use crate::pool::{Constant, Pool};
use crate::types::{self, State, Type};
use std::collections::{BTreeMap, BTreeSet};

/// What must be known of a method to follow it.
#[derive(Clone, Copy, Debug)]
pub struct Method<'a> {
    /// Constant pool of its class.
    pub pool: &'a Pool,
    /// Internal name of its class.
    pub class: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its descriptor.
    pub descriptor: &'a str,
    /// Whether it is static.
    pub is_static: bool,
}

impl Method<'_> {
    /// The state in which it starts; none if its descriptor is malformed.
    #[must_use]
    pub fn start(&self) -> Option<State> {
        let this = match (self.is_static, self.name) {
            (true, _) => None,
            (false, "<init>") if self.class != "java/lang/Object" => Some(Type::Unborn),
            _ => Some(Type::object(self.class)),
        };
        types::entry_state(this, self.descriptor)
    }

    /// The state before the instructions at some bcis, which must be in order.
    ///
    /// None for an instruction that the frames do not lead to; none at all if they contradict the
    /// code.
    #[must_use]
    pub fn states(
        &self,
        code: &Code<'_>,
        frames: &[Frame],
        at: &[u16],
    ) -> Option<Vec<Option<State>>> {
        let start = self.start()?;
        let expanded = types::expand(&start, frames, self.pool)?;
        let mut known = frames.iter().map(|f| f.bci).zip(expanded).peekable();
        let mut wanted = at.iter().copied().peekable();
        let mut found = Vec::with_capacity(at.len());
        let mut now = Some(start);
        for insn in instructions(code.bytes) {
            let insn = insn.ok()?;
            if let Some((_, state)) = known.next_if(|(bci, _)| *bci == insn.bci) {
                now = Some(state);
            }
            while wanted.next_if_eq(&insn.bci).is_some() {
                found.push(now.clone());
            }
            if wanted.peek().is_none() {
                break;
            }
            now = match now {
                Some(state) => self.after(state, &insn)?,
                None => None,
            };
        }
        (found.len() == at.len()).then_some(found)
    }

    /// The same without frames: as the first path that leads to an instruction leaves it. Where paths meet they agree on the
    /// kinds of what is on the stack, not on the classes of objects.
    #[must_use]
    pub fn states_by_paths(&self, code: &Code<'_>, at: &[u16]) -> Option<Vec<Option<State>>> {
        let insns: Option<Vec<Insn>> = instructions(code.bytes).map(Result::ok).collect();
        let insns = insns?;
        let mut handlers: BTreeMap<u16, Vec<u16>> = BTreeMap::new();
        for handler in &code.handlers {
            handlers
                .entry(handler.start)
                .or_default()
                .push(handler.target);
        }
        // Only where paths meet a state is kept; between these code is straight.
        let jumps = insns.iter().flat_map(targets);
        let meets: BTreeSet<u16> = jumps
            .chain(code.handlers.iter().map(|h| h.target))
            .collect();
        let mut met = BTreeMap::from([(0, self.start()?)]);
        let mut found: BTreeMap<u16, State> = BTreeMap::new();
        let mut ahead = vec![0];
        while let Some(bci) = ahead.pop() {
            let mut position = insns.binary_search_by_key(&bci, |insn| insn.bci).ok()?;
            let mut state = met.get(&bci)?.clone();
            while let Some(insn) = insns.get(position) {
                if at.binary_search(&insn.bci).is_ok() {
                    found.insert(insn.bci, state.clone());
                }
                let mut lead_to = |target: u16, state: &dyn Fn() -> State| {
                    met.entry(target).or_insert_with(|| {
                        ahead.push(target);
                        state()
                    });
                };
                for target in handlers.get(&insn.bci).into_iter().flatten() {
                    lead_to(*target, &|| caught(&state));
                }
                state = self.step(state, insn)?;
                for target in targets(insn) {
                    lead_to(target, &|| state.clone());
                }
                position += 1;
                let next = insns.get(position).filter(|_| !ends(insn));
                let Some(next) = next else { break };
                if meets.contains(&next.bci) {
                    lead_to(next.bci, &|| state.clone());
                    break;
                }
            }
        }
        Some(at.iter().map(|bci| found.get(bci).cloned()).collect())
    }

    /// The state in which the next instruction starts; the inner none if this one never gets there.
    fn after(&self, state: State, insn: &Insn) -> Option<Option<State>> {
        let state = self.step(state, insn)?;
        Some((!ends(insn)).then_some(state))
    }

    /// The state that an instruction leaves.
    fn step(&self, state: State, insn: &Insn) -> Option<State> {
        let mut step = Step {
            method: self,
            state,
        };
        step.take(insn)?;
        Some(step.state)
    }
}

/// The instructions to which some path may lead, whatever is on it; none if the code is malformed. What handles exceptions counts, of
/// whatever code.
#[must_use]
pub fn reachable(code: &Code<'_>) -> Option<BTreeSet<u16>> {
    let insns: Option<Vec<Insn>> = instructions(code.bytes).map(Result::ok).collect();
    let insns = insns?;
    let mut found = BTreeSet::new();
    let mut ahead: Vec<u16> = code.handlers.iter().map(|handler| handler.target).collect();
    ahead.push(0);
    while let Some(bci) = ahead.pop() {
        let from = insns.binary_search_by_key(&bci, |insn| insn.bci).ok()?;
        for insn in insns.iter().skip(from) {
            if !found.insert(insn.bci) {
                break;
            }
            ahead.extend(targets(insn));
            if ends(insn) {
                break;
            }
        }
    }
    Some(found)
}

/// Whether an instruction never goes on to the next one.
fn ends(insn: &Insn) -> bool {
    matches!(insn.opcode, 0xa7 | 0xaa..=0xb1 | 0xbf | 0xc8)
}

/// Where else an instruction may go on.
fn targets(insn: &Insn) -> Vec<u16> {
    match &insn.operand {
        Operand::Branch(target) => vec![*target],
        Operand::Switch { cases, default } => {
            let cases = cases.iter().map(|(_, target)| *target);
            cases.chain([*default]).collect()
        }
        _ => Vec::new(),
    }
}

fn caught(state: &State) -> State {
    State {
        locals: state.locals.clone(),
        stack: vec![Type::object("java/lang/Throwable")],
    }
}

struct Step<'m, 'a> {
    method: &'m Method<'a>,
    state: State,
}

const INT: &[Type] = &[Type::Int];
const LONG: &[Type] = &[Type::Long, Type::Rest];
const FLOAT: &[Type] = &[Type::Float];
const DOUBLE: &[Type] = &[Type::Double, Type::Rest];
const NOTHING: &[Type] = &[];

/// The four kinds of number, in the order in which opcodes go through them.
const NUMBERS: [&[Type]; 4] = [INT, LONG, FLOAT, DOUBLE];

impl Step<'_, '_> {
    fn take(&mut self, insn: &Insn) -> Option<()> {
        if let Some((pops, pushes)) = plain(insn.opcode) {
            self.pop(pops)?;
            self.state.stack.extend_from_slice(pushes);
            return Some(());
        }
        match insn.opcode {
            0x12..=0x14 => self.constant(insn),
            0x15..=0x2d => self.load(insn),
            0x36..=0x4e => self.store(insn),
            0x59..=0x5f => self.shuffle(insn.opcode),
            0xb2..=0xb5 => self.field(insn),
            0xb6..=0xba => self.call(insn),
            _ => self.reference(insn),
        }
    }

    fn pop(&mut self, slots: usize) -> Option<()> {
        let left = self.state.stack.len().checked_sub(slots)?;
        self.state.stack.truncate(left);
        Some(())
    }

    fn push(&mut self, pushed: Type) -> Option<()> {
        pushed.push_to(&mut self.state.stack);
        Some(())
    }

    fn constant(&mut self, insn: &Insn) -> Option<()> {
        let Operand::Pool(index) = insn.operand else {
            return None;
        };
        let pool = self.method.pool;
        self.push(match pool.get(index) {
            Constant::Integer(_) => Type::Int,
            Constant::Float(_) => Type::Float,
            Constant::Long(_) => Type::Long,
            Constant::Double(_) => Type::Double,
            Constant::String(_) => Type::object("java/lang/String"),
            Constant::Class(_) => Type::object("java/lang/Class"),
            Constant::MethodType(_) => Type::object("java/lang/invoke/MethodType"),
            Constant::MethodHandle(..) => Type::object("java/lang/invoke/MethodHandle"),
            Constant::Dynamic(..) => Type::first_of(pool.member(index)?.descriptor)?.0,
            _ => return None,
        })
    }

    fn load(&mut self, insn: &Insn) -> Option<()> {
        let (kind, slot) = variable(insn, 0x15, 0x1a)?;
        let loaded = match NUMBERS.get(kind) {
            Some(number) => number[0].clone(),
            None => self.state.locals.get(slot)?.clone(),
        };
        self.push(loaded)
    }

    fn store(&mut self, insn: &Insn) -> Option<()> {
        let (kind, slot) = variable(insn, 0x36, 0x3b)?;
        let stored = match NUMBERS.get(kind) {
            Some(number) => number[0].clone(),
            None => self.state.stack.last()?.clone(),
        };
        self.pop(stored.width())?;
        store(&mut self.state.locals, slot, stored);
        Some(())
    }

    fn shuffle(&mut self, opcode: u8) -> Option<()> {
        let stack = &mut self.state.stack;
        let (copied, below) = match opcode {
            0x59 => (1, 1),
            0x5a => (1, 2),
            0x5b => (1, 3),
            0x5c => (2, 2),
            0x5d => (2, 3),
            0x5e => (2, 4),
            _ => {
                let top = stack.len().checked_sub(1)?;
                stack.swap(top, top.checked_sub(1)?);
                return Some(());
            }
        };
        let copy = stack.get(stack.len().checked_sub(copied)?..)?.to_vec();
        let at = stack.len().checked_sub(below)?;
        stack.splice(at..at, copy);
        Some(())
    }

    fn field(&mut self, insn: &Insn) -> Option<()> {
        let Operand::Pool(index) = insn.operand else {
            return None;
        };
        let (held, _) = Type::first_of(self.method.pool.member(index)?.descriptor)?;
        match insn.opcode {
            0xb2 => self.push(held),
            0xb3 => self.pop(held.width()),
            0xb4 => {
                self.pop(1)?;
                self.push(held)
            }
            _ => self.pop(held.width() + 1),
        }
    }

    fn call(&mut self, insn: &Insn) -> Option<()> {
        let Operand::Pool(index) = insn.operand else {
            return None;
        };
        let called = self.method.pool.member(index)?;
        for parameter in types::parameters(called.descriptor)?.iter().rev() {
            self.pop(parameter.width())?;
        }
        if !matches!(insn.opcode, 0xb8 | 0xba) {
            let receiver = self.state.stack.pop()?;
            if insn.opcode == 0xb7 && called.name == "<init>" {
                self.initialise(&receiver, called.class);
            }
        }
        match types::returned(called.descriptor)? {
            Some(result) => self.push(result),
            None => Some(()),
        }
    }

    fn initialise(&mut self, what: &Type, class: &str) {
        let born = match what {
            Type::Unborn => Type::object(self.method.class),
            _ => Type::object(class),
        };
        let slots = self.state.locals.iter_mut().chain(&mut self.state.stack);
        for slot in slots.filter(|slot| *slot == what) {
            *slot = born.clone();
        }
    }

    fn reference(&mut self, insn: &Insn) -> Option<()> {
        let pool = self.method.pool;
        match (insn.opcode, &insn.operand) {
            (0x01, _) => self.push(Type::Null),
            (0x32, _) => {
                self.pop(1)?;
                let array = self.state.stack.pop()?;
                self.push(element(&array)?)
            }
            (0xbb, _) => self.push(Type::New(insn.bci)),
            (0xbc, Operand::Value(kind)) => {
                self.pop(1)?;
                let kind = usize::try_from(*kind).ok()?.checked_sub(4)?;
                let name = ["[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"].get(kind)?;
                self.push(Type::object(name))
            }
            (0xbd, Operand::Pool(index)) => {
                self.pop(1)?;
                self.push(array_of(pool.class(*index)?))
            }
            (0xc0, Operand::Pool(index)) => {
                self.pop(1)?;
                self.push(Type::object(pool.class(*index)?))
            }
            (0xc5, Operand::Array(index, dimensions)) => {
                self.pop(usize::from(*dimensions))?;
                self.push(Type::object(pool.class(*index)?))
            }
            _ => None,
        }
    }
}

/// Stores into a slot; a wide value that loses one of its slots is gone.
fn store(locals: &mut Vec<Type>, slot: usize, stored: Type) {
    let end = slot + stored.width();
    if locals.len() < end {
        locals.resize(end, Type::Top);
    }
    if locals[slot] == Type::Rest && slot > 0 {
        locals[slot - 1] = Type::Top;
    }
    if locals.get(end) == Some(&Type::Rest) {
        locals[end] = Type::Top;
    }
    if stored.width() == 2 {
        locals[slot + 1] = Type::Rest;
    }
    locals[slot] = stored;
}

/// Which of the five kinds of variable (int, long, float, double, reference) an instruction reads or
/// writes, and its slot.
fn variable(insn: &Insn, long: u8, short: u8) -> Option<(usize, usize)> {
    match insn.operand {
        Operand::Local(slot) => Some((usize::from(insn.opcode - long), usize::from(slot))),
        _ => {
            let at = usize::from(insn.opcode.checked_sub(short)?);
            Some((at / 4, at % 4))
        }
    }
}

fn element(array: &Type) -> Option<Type> {
    match array {
        Type::Null => Some(Type::Null),
        Type::Object(name) => Some(Type::first_of(name.strip_prefix('[')?)?.0),
        _ => None,
    }
}

fn array_of(class: &str) -> Type {
    match class.starts_with('[') {
        true => Type::object(&format!("[{class}")),
        false => Type::object(&format!("[L{class};")),
    }
}

/// Slots popped and types pushed by an instruction for which the opcode says it all.
fn plain(opcode: u8) -> Option<(usize, &'static [Type])> {
    let number = NUMBERS[usize::from(opcode % 4)];
    let width = number.len();
    Some(match opcode {
        0x00 | 0x84 | 0xa7 | 0xb1 | 0xc8 => (0, NOTHING),
        0x02..=0x08 | 0x10 | 0x11 => (0, INT),
        0x09 | 0x0a => (0, LONG),
        0x0b..=0x0d => (0, FLOAT),
        0x0e | 0x0f => (0, DOUBLE),
        0x2e | 0x33..=0x35 => (2, INT),
        0x2f..=0x31 => (2, NUMBERS[usize::from(opcode - 0x2e)]),
        0x4f | 0x51 | 0x53..=0x56 => (3, NOTHING),
        0x50 | 0x52 => (4, NOTHING),
        0x57 | 0x99..=0x9e | 0xaa..=0xac | 0xae | 0xb0 => (1, NOTHING),
        0xbf | 0xc2 | 0xc3 | 0xc6 | 0xc7 => (1, NOTHING),
        0x58 | 0x9f..=0xa6 | 0xad | 0xaf => (2, NOTHING),
        0x60..=0x73 => (2 * width, number),
        0x74..=0x77 => (width, number),
        0x78 | 0x7a | 0x7c => (2, INT),
        0x79 | 0x7b | 0x7d => (3, LONG),
        0x7e | 0x80 | 0x82 => (2, INT),
        0x7f | 0x81 | 0x83 => (4, LONG),
        0x85 | 0x8c => (1, LONG),
        0x86 => (1, FLOAT),
        0x87 | 0x8d => (1, DOUBLE),
        0x88 | 0x8e => (2, INT),
        0x89 | 0x90 => (2, FLOAT),
        0x8a => (2, DOUBLE),
        0x8f => (2, LONG),
        0x8b | 0x91..=0x93 | 0xbe | 0xc1 => (1, INT),
        0x94 | 0x97 | 0x98 => (4, INT),
        0x95 | 0x96 => (2, INT),
        _ => return None,
    })
}
