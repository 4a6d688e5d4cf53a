//! What every local and stack word of one method is at each instruction, over all paths at
//! once: enough to say which object a `monitorenter`, a `wait` or a call is about.
//!
//! Values that differ between paths become unknown. Heap contents are not followed: a field is
//! named by its path. Code that only an exception handler can reach (handlers are not known on
//! a live attach) is entered with the slots that nothing ever stores into.

use super::expr::{Expr, Exprs, Node, Site};
use super::frame::{Frame, Memory, argument_words, execute, locals_of};
use super::jdk::{Effect, effect};
use super::program::{Method, MethodIx, Program, Target, branch_targets};
use locklens_trace::code::{InvokeKind, MemberRef, Op};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The state before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) frame: Frame,
    /// Monitors entered by blocks of this method: their instruction indices and objects.
    pub(crate) held: Vec<(usize, Expr)>,
    /// Reached from an exception handler only: where the handler begins is known, with what is not.
    /// Where it comes back to code that is reached without it, it says nothing.
    supposed: bool,
}

/// The states of one method by instruction index; none where no path was found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flow {
    pub(crate) points: Vec<Option<Point>>,
    /// The only value it returns, if there is one and it writes nothing.
    returns: Option<Expr>,
}

/// Depth of accessors seen through (`getLock()`, `access$000`).
const MAX_GETTERS: u8 = 3;
/// Instructions of a method that may still be an accessor.
const MAX_GETTER_LENGTH: usize = 12;

/// Analyses one method.
pub(crate) fn flow(program: &Program, x: &mut Exprs, method: MethodIx) -> Flow {
    Analysis::new(program, x, method, 0).run()
}

struct Analysis<'a> {
    program: &'a Program,
    x: &'a mut Exprs,
    ix: MethodIx,
    method: &'a Method,
    depth: u8,
    flow: Flow,
    work: Vec<usize>,
    returned: Vec<Expr>,
    writes: bool,
}

struct Nothing<'a>(&'a mut bool);

impl Memory for Nothing<'_> {
    fn read(&mut self, _: &mut Exprs, _: &Program, place: Expr) -> Expr {
        place
    }

    fn write(&mut self, _: Expr, _: Expr) {
        *self.0 = true;
    }
}

impl<'a> Analysis<'a> {
    fn new(program: &'a Program, x: &'a mut Exprs, ix: MethodIx, depth: u8) -> Self {
        let method = &program.methods[ix];
        Self {
            program,
            x,
            ix,
            method,
            depth,
            flow: Flow {
                points: vec![None; method.code.len()],
                returns: None,
            },
            work: Vec::new(),
            returned: Vec::new(),
            writes: false,
        }
    }

    fn run(mut self) -> Flow {
        let words = argument_words(&self.method.signature, self.method.def.is_static());
        let frame = Frame::entry(self.x, words);
        self.reach(
            0,
            Point {
                frame: frame.clone(),
                held: Vec::new(),
                supposed: false,
            },
        );
        self.drain();
        self.note_result();
        for at in 0..self.flow.points.len() {
            if self.flow.points[at].is_none() {
                let point = self.handler_point(&frame);
                self.reach(at, point);
                self.drain();
            }
        }
        self.flow
    }

    fn note_result(&mut self) {
        self.returned.dedup();
        if let (&[value], false) = (self.returned.as_slice(), self.writes) {
            self.flow.returns = Some(value);
        }
    }

    /// The state in which unreachable code is entered: the exception on the stack, and every
    /// slot unknown that some instruction stores into.
    fn handler_point(&mut self, entry: &Frame) -> Point {
        let mut frame = entry.clone();
        for slot in &self.method.stored {
            if let Some(local) = frame.locals.get_mut(*slot as usize) {
                *local = self.x.unknown();
            }
        }
        let exception = self.x.unknown();
        frame.stack = vec![exception];
        Point {
            frame,
            held: Vec::new(),
            supposed: true,
        }
    }

    fn drain(&mut self) {
        let mut fuel = 64 * self.method.code.len() + 64;
        while let Some(at) = self.work.pop() {
            fuel -= 1;
            if fuel == 0 {
                self.work.clear();
                return;
            }
            self.step(at);
        }
    }

    fn reach(&mut self, at: usize, point: Point) {
        let Some(slot) = self.flow.points.get(at) else {
            return;
        };
        let site = self.site(at);
        let merged = match slot {
            None => point,
            Some(known) if point.supposed && !known.supposed => return,
            Some(known) => match merge(self.x, site, known, &point) {
                Some(merged) => merged,
                None => return,
            },
        };
        self.flow.points[at] = Some(merged);
        if !self.work.contains(&at) {
            self.work.push(at);
        }
    }

    fn site(&self, at: usize) -> Site {
        Site {
            method: self.ix,
            bci: self.method.code[at].bci,
        }
    }

    fn step(&mut self, at: usize) {
        let Some(mut point) = self.flow.points[at].clone() else {
            return;
        };
        let method = self.method;
        let insn = &method.code[at];
        let site = self.site(at);
        let mut memory = Nothing(&mut self.writes);
        let plain = execute(
            insn,
            site,
            &mut point.frame,
            self.x,
            self.program,
            &mut memory,
        );
        let falls = plain || self.control(&insn.op, at, &mut point);
        for target in branch_targets(&insn.op) {
            if let Some(index) = method.at(target) {
                self.reach(index, point.clone());
            }
        }
        if falls {
            self.reach(at + 1, point);
        }
    }

    /// Control flow, calls and monitors. True: the next instruction can follow.
    fn control(&mut self, op: &Op, at: usize, point: &mut Point) -> bool {
        let frame = &mut point.frame;
        match op {
            Op::If { .. } | Op::IfNull { .. } => drop(frame.stack.pop()),
            Op::IfCmp { .. } | Op::IfRef { .. } => {
                let rest = frame.stack.len().saturating_sub(2);
                frame.stack.truncate(rest);
            }
            Op::Invoke { kind, method } => self.call(*kind, method, at, frame),
            Op::MonitorEnter => {
                let object = frame.pop(self.x, false);
                point.held.push((at, object));
            }
            Op::MonitorExit => {
                let object = frame.pop(self.x, false);
                release(&mut point.held, object);
            }
            Op::Return { value } => {
                if *value {
                    let wide = self.method.signature.result().is_some_and(|t| t.is_wide());
                    let result = frame.pop(self.x, wide);
                    self.returned.push(result);
                }
                return false;
            }
            Op::Switch { .. } => {
                frame.stack.pop();
                return false;
            }
            Op::Jsr(_) => {
                // The subroutine returns behind it with the stack as it was; what it does to
                // locals is not followed here.
                let behind = point.clone();
                let address = self.x.unknown();
                point.frame.push(self.x, address, false);
                self.reach(at + 1, behind);
                return false;
            }
            _ => return false,
        }
        true
    }

    fn call(&mut self, kind: InvokeKind, method: &MemberRef, at: usize, frame: &mut Frame) {
        let signature = super::descriptor::Signature::parse(&method.descriptor);
        let receiver = !matches!(kind, InvokeKind::Static | InvokeKind::Dynamic);
        let args = frame.pop_call(self.x, &signature, receiver);
        let Some(ty) = signature.result() else {
            self.writes |= method.name != "<init>";
            return;
        };
        let wide = ty.is_wide();
        let class = ty.class_name().map(Arc::from);
        let known = match effect(kind, &method.class, method) {
            Some(Effect::Current) => Some(self.x.make(Node::Current)),
            Some(Effect::Clock) => Some(self.x.make(Node::Clock(self.site(at)))),
            Some(Effect::Same | Effect::Unbox) => args.first().copied(),
            _ => self.getter(kind, method, &args),
        };
        let value = match known {
            Some(value) => value,
            None => self.x.make(Node::Opaque(self.site(at), 0, class)),
        };
        frame.push(self.x, value, wide);
    }

    /// The value of an accessor: a short method that only returns a path from its arguments.
    fn getter(&mut self, kind: InvokeKind, method: &MemberRef, args: &[Expr]) -> Option<Expr> {
        if self.depth >= MAX_GETTERS {
            return None;
        }
        let from = self.method.def.class;
        let Target::Code(ix) = self.program.resolve(kind, method, from, None) else {
            return None;
        };
        let callee = &self.program.methods[ix];
        if callee.code.len() > MAX_GETTER_LENGTH || ix == self.ix {
            return None;
        }
        let value = Analysis::new(self.program, self.x, ix, self.depth + 1)
            .run()
            .returns?;
        let locals = locals_of(self.x, &callee.signature, args);
        is_path(self.x, value).then(|| substitute(self.x, value, &locals))
    }
}

/// The object is reached from an argument or static field by fields alone.
fn is_path(x: &Exprs, e: Expr) -> bool {
    match x.node(e) {
        Node::Entry(_) | Node::Static(_) | Node::Mirror(_) | Node::Int(_) | Node::Null => true,
        Node::Field(base, _) => is_path(x, *base),
        _ => false,
    }
}

/// A value of a callee in terms of its caller's values.
pub(crate) fn substitute(x: &mut Exprs, e: Expr, locals: &[Expr]) -> Expr {
    x.rewrite(e, &mut |x, part| match *x.node(part) {
        Node::Entry(slot) => Some(
            locals
                .get(slot as usize)
                .copied()
                .unwrap_or_else(|| x.unknown()),
        ),
        _ => None,
    })
}

/// Removes the innermost entry of a monitor; the innermost at all if the object is not among them.
fn release(held: &mut Vec<(usize, Expr)>, object: Expr) {
    let found = held.iter().rposition(|h| h.1 == object);
    match found {
        Some(index) => drop(held.remove(index)),
        None => drop(held.pop()),
    }
}

/// Both states, or none if the known one says it all.
fn merge(x: &mut Exprs, site: Site, known: &Point, new: &Point) -> Option<Point> {
    let mut joined = known.clone();
    join(x, site, 0, &mut joined.frame.locals, &new.frame.locals);
    join(x, site, 1 << 16, &mut joined.frame.stack, &new.frame.stack);
    let common = known
        .held
        .iter()
        .zip(&new.held)
        .take_while(|(a, b)| a == b)
        .count();
    joined.held.truncate(common);
    (joined != *known).then_some(joined)
}

fn join(x: &mut Exprs, site: Site, base: u32, known: &mut Vec<Expr>, new: &[Expr]) {
    known.truncate(new.len());
    for (index, (a, &b)) in (base..).zip(known.iter_mut().zip(new)) {
        if *a != b {
            // Numbers far from those of results of calls at the same site.
            let other = x.make(Node::Opaque(site, (1 << 20) + index, None));
            *a = match array_of(x, *a).filter(|_| array_of(x, *a) == array_of(x, b)) {
                Some(array) => x.make(Node::Index(array, other)),
                None => other,
            };
        }
    }
}

/// The array of which a value is an element.
fn array_of(x: &Exprs, value: Expr) -> Option<Expr> {
    match *x.node(value) {
        Node::Index(array, _) => Some(array),
        _ => None,
    }
}

/// Instruction indices by the region they lie in: the innermost-first list of `monitorenter`s.
pub(crate) fn ordinals(method: &Method) -> BTreeMap<usize, u16> {
    let enters = method.code.iter().enumerate();
    let enters = enters.filter(|(_, i)| i.op == Op::MonitorEnter);
    (0..)
        .zip(enters)
        .map(|(ordinal, (at, _))| (at, ordinal))
        .collect()
}
