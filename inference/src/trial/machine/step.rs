//! One instruction.

use super::Machine;
use super::guess::Place;
use super::halt::{Do, Halt, stuck, throw};
use super::heap::{Native, Object};
use super::link::{FieldLink, Link};
use super::real::Real;
use super::thread::{Frame, Gives};
use super::value::{Kind, ObjectId, Value, arithmetic, converted, holds, ordered, wrapped};
use super::world::World;
use crate::statics::program::FieldId;
use locklens_trace::code::{ArithOp, Insn, Op, Text};
use std::rc::Rc;
use std::sync::Arc;

/// What an instruction leads to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flow {
    /// The next one.
    On,
    /// The bottom frame has returned, with this.
    Left(Option<Value>),
    /// The thread waits.
    Suspended,
}

impl<'a> Machine<'a> {
    /// Executes the next instruction of a thread, and those after it that touch nothing but its frame.
    pub(super) fn step(&mut self, world: &World<'a>, thread: usize) -> Do<Flow> {
        let Some(frame) = self.threads[thread].frames.last_mut() else {
            return stuck("nothing to run");
        };
        if frame.entering {
            return Ok(self.enter_method(thread));
        }
        let (method, at) = (frame.method, frame.at);
        let code = &world.program.methods[method].code;
        let Some(insn) = code.get(at) else {
            return stuck("code that ends without return");
        };
        frame.at += 1;
        if plain(frame, insn) {
            // Those that follow need nothing else either.
            while self.fuel > 0 && code.get(frame.at).is_some_and(|next| plain(frame, next)) {
                frame.at += 1;
                self.fuel -= 1;
                self.cost += 1;
            }
            return Ok(Flow::On);
        }
        let link = &world.links(method)[at];
        match &insn.op {
            Op::CheckCast(_) => self.refine(world, thread, link),
            Op::Arith { op, wide } => binary(frame, *op, *wide),
            Op::If { .. }
            | Op::IfCmp { .. }
            | Op::IfRef { .. }
            | Op::IfNull { .. }
            | Op::Goto(_)
            | Op::Switch { .. } => self.branch(thread, &insn.op, link),
            Op::Jsr(_) => match link {
                Link::To(Some(target)) => {
                    // The address that it returns to is the index of an instruction.
                    frame.push(Value::Number(at as i64 + 1), false);
                    frame.at = *target;
                    Ok(Flow::On)
                }
                _ => stuck("a branch to nowhere"),
            },
            Op::Ret(slot) => match frame.load(*slot).number().map(usize::try_from) {
                Some(Ok(to)) => {
                    frame.at = to;
                    Ok(Flow::On)
                }
                _ => stuck("a branch to nowhere"),
            },
            Op::MonitorEnter | Op::MonitorExit => self.monitor(thread, at, &insn.op),
            Op::Return { value } => self.give_back(world, thread, *value),
            Op::Throw => self.raise(world, thread),
            Op::Invoke { .. } => match link {
                Link::Call(call) => self.invoke(world, thread, call),
                _ => stuck("a call of nothing"),
            },
            Op::GetField(_) | Op::PutField(_) | Op::GetStatic(_) | Op::PutStatic(_) => {
                self.access(world, thread, &insn.op, link)
            }
            _ => self.object(world, thread, at, &insn.op, link),
        }
    }

    fn enter_method(&mut self, thread: usize) -> Flow {
        let frame = self.threads[thread].frames.last();
        let Some((on, method)) = frame.and_then(|f| Some((f.own?, f.method))) else {
            return Flow::On;
        };
        if !self.enter(thread, on) {
            return Flow::Suspended;
        }
        self.note_entry(method, None, on);
        if let Some(frame) = self.threads[thread].frames.last_mut() {
            frame.entering = false;
        }
        Flow::On
    }

    fn note_entry(&mut self, method: usize, at: Option<usize>, on: ObjectId) {
        if let Some(trail) = &mut self.trail {
            Rc::make_mut(trail).push((method, at, on));
        }
    }

    pub(super) fn top(&mut self, thread: usize) -> Do<&mut Frame> {
        match self.threads[thread].frames.last_mut() {
            Some(frame) => Ok(frame),
            None => stuck("nothing to run"),
        }
    }

    fn monitor(&mut self, thread: usize, at: usize, op: &Op) -> Do<Flow> {
        let frame = self.top(thread)?;
        let on = match frame.stack.last() {
            Some(Value::Object(id)) => *id,
            Some(Value::Null | Value::Blank) => return throw("NullPointerException"),
            _ => return stuck("locks what is not known"),
        };
        if *op == Op::MonitorExit {
            return self.exit(thread, on);
        }
        if !self.enter(thread, on) {
            self.top(thread)?.at = at;
            return Ok(Flow::Suspended);
        }
        let frame = self.top(thread)?;
        frame.stack.pop();
        frame.held.push((at, on));
        let method = frame.method;
        self.note_entry(method, Some(at), on);
        Ok(Flow::On)
    }

    fn exit(&mut self, thread: usize, on: ObjectId) -> Do<Flow> {
        let frame = self.top(thread)?;
        frame.stack.pop();
        let found = frame.held.iter().rposition(|h| h.1 == on);
        let entered = found.map(|at| frame.held.remove(at).0);
        let (bottom, method) = (frame.bottom && frame.held.is_empty(), frame.method);
        let at = frame.at.saturating_sub(1);
        self.leave(thread, on)?;
        let key = (method, entered);
        let cut = bottom && self.is_cut(thread, at) && self.world.regions.contains_key(&key);
        Ok(match cut {
            true => Flow::Left(self.fetched(thread)),
            false => Flow::On,
        })
    }

    /// What an operation that is cut off has got hold of: something that another call handed in.
    fn fetched(&self, thread: usize) -> Option<Value> {
        let of = &self.threads[thread];
        let others = |v: &Value| match v {
            Value::Object(id) => {
                let token = self.heap.get(*id).token;
                token.is_some() && token != of.token
            }
            _ => false,
        };
        let locals = of.frames.last().map_or(&[][..], |f| f.locals.as_slice());
        locals.iter().copied().rfind(others)
    }

    /// The thread's operation is cut off where it leaves a region here.
    fn is_cut(&self, thread: usize, at: usize) -> bool {
        let plan = self.menu.plans.get(self.threads[thread].operation);
        let cut = plan.and_then(|p| p.cut.as_ref());
        cut.is_some_and(|goes_on| !goes_on.contains(&at)) && self.nested == 0
    }

    fn give_back(&mut self, world: &World<'a>, thread: usize, value: bool) -> Do<Flow> {
        let Some(mut frame) = self.threads[thread].frames.pop() else {
            return stuck("nothing to run");
        };
        let signature = &world.program.methods[frame.method].signature;
        let kind = signature.result().map_or(Kind::Int, |t| Kind::of(t.0));
        let result = value.then(|| {
            let result = frame.pop(kind.is_wide());
            kind.take(result)
        });
        self.release(thread, &frame);
        if let Some(caller) = self.threads[thread].frames.last_mut() {
            for &(id, field, old) in &frame.written {
                caller.note_written(id, field, old);
            }
        }
        if frame.bottom {
            return Ok(Flow::Left(result));
        }
        let (result, kind) = match frame.gives {
            Gives::Own => (result, kind),
            Gives::As(None) => (None, kind),
            Gives::As(Some(kind)) => (result.map(|r| kind.take(r)), kind),
            Gives::Object(made) => (Some(Value::Object(made)), Kind::Reference),
        };
        if let (Some(result), Ok(caller)) = (result, self.top(thread)) {
            caller.push(result, kind.is_wide());
        }
        Ok(Flow::On)
    }

    fn raise(&mut self, world: &World<'a>, thread: usize) -> Do<Flow> {
        match self.top(thread)?.pop(false) {
            Value::Object(id) => {
                let object = self.heap.get(id);
                let name = match object.class {
                    Some(class) => world.program.classes.name(class),
                    None => &object.name,
                };
                Err(Halt::Throw(Arc::from(name)))
            }
            Value::Null | Value::Blank => throw("NullPointerException"),
            _ => stuck("throws what is not known"),
        }
    }

    fn branch(&mut self, thread: usize, op: &Op, link: &Link) -> Do<Flow> {
        let operands = operands(self.top(thread)?, op);
        let target = match link {
            Link::Switch(cases, default) => {
                let Some(key) = self.resolved(operands[0]) else {
                    return stuck("a switch on what is not known");
                };
                let case = cases.iter().find(|c| i64::from(c.0) == key);
                Some(case.map_or(*default, |c| c.1))
            }
            Link::To(target) => self.is_taken(thread, op, operands)?.then_some(*target),
            _ => return stuck("a branch to nowhere"),
        };
        match target {
            None => {}
            Some(Some(at)) => self.top(thread)?.at = at,
            Some(None) => return stuck("a branch to nowhere"),
        }
        Ok(Flow::On)
    }

    fn is_taken(&mut self, thread: usize, op: &Op, operands: [Value; 2]) -> Do<bool> {
        if let Some(known) = decided(op, operands, Value::number) {
            return Ok(known);
        }
        if let Some(guessed) = decided(op, operands, Value::likely) {
            self.note_decided();
            return Ok(guessed);
        }
        match self.decide(thread) {
            Some(guessed) => Ok(guessed),
            None => stuck("a branch on what is not known"),
        }
    }

    fn access(&mut self, world: &World<'a>, thread: usize, op: &Op, link: &Link) -> Do<Flow> {
        let Link::Field(field) = link else {
            return stuck("a field that is not known");
        };
        let wide = field.kind.is_wide();
        match op {
            Op::GetField(_) => {
                let base = self.top(thread)?.pop(false);
                let value = self.read(world, base, field)?;
                self.top(thread)?.push(value, wide);
            }
            Op::PutField(_) => {
                let frame = self.top(thread)?;
                let value = field.kind.take(frame.pop(wide));
                match frame.pop(false) {
                    Value::Object(id) => self.write(thread, id, field.id, value),
                    Value::Null | Value::Blank => return throw("NullPointerException"),
                    _ => return stuck("writes a field of what is not known"),
                }
            }
            Op::GetStatic(_) => {
                self.come_alive(world, thread, field.class)?;
                let value = self.static_value(world, field)?;
                self.top(thread)?.push(value, wide);
            }
            _ => {
                self.come_alive(world, thread, field.class)?;
                let value = field.kind.take(self.top(thread)?.pop(wide));
                self.set_static(field.id, value);
            }
        }
        Ok(Flow::On)
    }

    fn write(&mut self, thread: usize, id: ObjectId, field: FieldId, value: Value) {
        let old = self.heap.get(id).field(field);
        self.heap.change(id).set_field(field, value);
        if let Some(frame) = self.threads[thread].frames.last_mut() {
            frame.note_written(id, field, old);
        }
    }

    fn read(&mut self, world: &World<'a>, base: Value, field: &FieldLink) -> Do<Value> {
        let id = match base {
            Value::Object(id) => id,
            Value::Null | Value::Blank => return throw("NullPointerException"),
            _ => return Ok(Value::Unknown),
        };
        let object = self.heap.get(id);
        if let Some(value) = object.field(field.id) {
            return Ok(value);
        }
        if object.class.is_some() {
            return Ok(field.kind.initial());
        }
        let descriptor = world.program.field(field.id).descriptor.as_str();
        let value = match field.kind {
            Kind::Reference => self.unknown(descriptor)?,
            _ => self.guess_at(Place::Field(field.id), descriptor),
        };
        self.heap.change(id).set_field(field.id, value);
        Ok(value)
    }

    /// A value of a type about which nothing is known: an object has at least an identity.
    pub(super) fn unknown(&mut self, descriptor: &str) -> Do<Value> {
        if Kind::of(descriptor) != Kind::Reference {
            return Ok(Value::Unknown);
        }
        let name = self.world.class_name(descriptor);
        let id = self.allocate(name, Native::Opaque)?;
        Ok(Value::Object(id))
    }

    fn object(
        &mut self,
        world: &World<'a>,
        thread: usize,
        at: usize,
        op: &Op,
        link: &Link,
    ) -> Do<Flow> {
        match (op, link) {
            (Op::Literal { wide }, _) => {
                let value = if *wide {
                    self.guess(thread, "D")
                } else {
                    self.literal(thread, at, None)?
                };
                self.top(thread)?.push(value, *wide);
            }
            (Op::Text(text), _) => {
                let value = self.literal(thread, at, Some(text))?;
                self.top(thread)?.push(value, false);
            }
            (Op::ClassLiteral(name), _) => {
                let mirror = self.mirror(name)?;
                self.top(thread)?.push(Value::Object(mirror), false);
            }
            (Op::New(_), Link::Class(class, name)) => {
                let made = self.instance(world, thread, *class, name)?;
                self.top(thread)?.push(Value::Object(made), false);
            }
            (Op::InstanceOf(_), Link::Class(_, name)) => {
                let object = self.top(thread)?.pop(false);
                let is = self.is_instance(world, object, name);
                self.top(thread)?.push(is, false);
            }
            (Op::NewArray { dims }, _) => {
                let frame = self.top(thread)?;
                let mut sizes: Vec<_> = (0..*dims).map(|_| frame.pop(false)).collect();
                sizes.reverse();
                let array = self.array(&sizes)?;
                self.top(thread)?.push(array, false);
            }
            (Op::ArrayLoad { .. } | Op::ArrayStore { .. } | Op::ArrayLength, _) => {
                return self.element(thread, op);
            }
            _ => return stuck("an instruction that is not executed"),
        }
        Ok(Flow::On)
    }

    /// A cast to a class of the program shows what something handed in is meant to be: it is ours,
    /// so it becomes that. So does something new of a class that was not known.
    fn refine(&mut self, world: &World<'a>, thread: usize, link: &Link) -> Do<Flow> {
        let (Some(&Value::Object(id)), Link::Class(class, name)) =
            (self.top(thread)?.stack.last(), link)
        else {
            return Ok(Flow::On);
        };
        let object = self.heap.get(id);
        let unmade = matches!(object.native, Native::Unmade);
        let vague = object.class.is_none() && &*object.name == "java.lang.Object";
        if !vague || object.token.is_none() && !unmade || &**name == "java.lang.Object" {
            return Ok(Flow::On);
        }
        match class.filter(|&c| !world.is_modelled(c)) {
            Some(class) => self.become_program(thread, id, class, name),
            None if unmade && name.starts_with("java.util.") => {
                let native = super::build::argument(name);
                let object = self.heap.change(id);
                object.name = Arc::clone(name);
                object.native = native;
            }
            None => {}
        }
        Ok(Flow::On)
    }

    fn become_program(
        &mut self,
        thread: usize,
        id: ObjectId,
        class: locklens_trace::ClassId,
        name: &Arc<str>,
    ) {
        self.heap.change(id).name = Arc::clone(name);
        if let Ok(Value::Object(made)) = self.make(thread, class, 0) {
            let made = self.heap.get(made).clone();
            let object = self.heap.change(id);
            let (token, monitor) = (object.token, object.monitor);
            *object = Object {
                token,
                monitor,
                ..made
            };
        }
    }

    /// A constant that is an object; the text, where that was recorded.
    fn literal(&mut self, thread: usize, at: usize, text: Option<&Text>) -> Do<Value> {
        let method = self.top(thread)?.method;
        let key = (method, at);
        if let Some(&known) = self.statics.literals.get(&key) {
            return Ok(Value::Object(known));
        }
        let made = match text {
            Some(text) => self.intern(text)?,
            None => self.allocate("java.lang.String".into(), Native::Opaque)?,
        };
        Rc::make_mut(&mut self.statics.literals).insert(key, made);
        Ok(Value::Object(made))
    }

    /// A new object of a class, its constructor not yet run.
    pub(super) fn instance(
        &mut self,
        world: &World<'a>,
        thread: usize,
        class: Option<locklens_trace::ClassId>,
        name: &Arc<str>,
    ) -> Do<ObjectId> {
        self.come_alive(world, thread, class)?;
        let own = class.filter(|&c| !world.is_modelled(c));
        let library = own.map_or(&**name, |c| world.library_part(c));
        let native = super::library::native(library, own.is_some());
        self.add(Object {
            class: own,
            name: Arc::clone(name),
            fields: Vec::new(),
            native,
            holds: Vec::new(),
            monitor: None,
            token: None,
        })
    }

    pub(super) fn is_instance(&self, world: &World<'a>, object: Value, class: &str) -> Value {
        match object {
            Value::Null | Value::Blank => Value::Number(0),
            _ if class == "java.lang.Object" => Value::Number(1),
            Value::Object(id) => {
                let object = self.heap.get(id);
                match object.class {
                    Some(own) => Value::flag(world.program.classes.is_a(own, class)),
                    None if &*object.name == class => Value::Number(1),
                    None => super::library::is_instance(&object.native, class)
                        .map_or(Value::Unknown, Value::flag),
                }
            }
            _ => Value::Unknown,
        }
    }
}

/// Instructions that touch nothing but the frame and always go on. False: it is none of them.
fn plain(frame: &mut Frame, insn: &Insn) -> bool {
    match &insn.op {
        Op::Nop => {}
        Op::Const { value, wide } => frame.push(Value::Number(*value), *wide),
        Op::Null => frame.push(Value::Null, false),
        Op::Load { slot, wide } => {
            let value = frame.load(*slot);
            frame.push(value, *wide);
        }
        Op::Store { slot, wide } => {
            let value = frame.pop(*wide);
            frame.store(*slot, value);
        }
        Op::Iinc { slot, delta } => {
            let value = frame.load(*slot);
            let sum = value.likely().map(|n| {
                let sum = wrapped(n.wrapping_add(i64::from(*delta)), false);
                Value::derived(&[value], sum)
            });
            frame.store(*slot, sum.unwrap_or(Value::Unknown));
        }
        Op::Stack(op) => frame.shuffle(*op),
        Op::Real { bits, wide } => {
            frame.push(Value::Real(Real::constant(*bits, *wide)), *wide);
        }
        Op::Convert {
            from_wide,
            to_wide,
            how,
        } => {
            let value = frame.pop(*from_wide);
            frame.push(converted(value, *from_wide, *to_wide, *how), *to_wide);
        }
        Op::Compare { wide, unordered } => {
            let (b, a) = (frame.pop(*wide), frame.pop(*wide));
            frame.push(ordered(a, b, *unordered), false);
        }
        _ => return false,
    }
    true
}

fn binary(frame: &mut Frame, op: ArithOp, wide: bool) -> Do<Flow> {
    let shift = matches!(op, ArithOp::Shl | ArithOp::Shr | ArithOp::Ushr);
    let right = frame.pop(wide && !shift);
    let left = if op == ArithOp::Neg {
        right
    } else {
        frame.pop(wide)
    };
    match arithmetic(op, wide, left, right) {
        Some(value) => frame.push(value, wide),
        None => return throw("ArithmeticException"),
    }
    Ok(Flow::On)
}

/// Whether a branch with these operands is taken, as far as they can be read.
fn decided(op: &Op, operands: [Value; 2], read: fn(Value) -> Option<i64>) -> Option<bool> {
    match (op, operands) {
        (Op::If { cond, .. }, [a, _]) => Some(holds(*cond, read(a)?, 0)),
        (Op::IfCmp { cond, .. }, [a, b]) => Some(holds(*cond, read(a)?, read(b)?)),
        (Op::IfRef { equal, .. }, [a, b]) => {
            let same = match a.is_same(b) {
                Some(same) => same,
                None => read(a)? == read(b)?,
            };
            Some(same == *equal)
        }
        (Op::IfNull { null, .. }, [a, _]) => Some(a.is_null()? == *null),
        (Op::Goto(_), _) => Some(true),
        _ => None,
    }
}

/// The operands of a branch, left one first; what it does not have is not known.
fn operands(frame: &mut Frame, op: &Op) -> [Value; 2] {
    match op {
        Op::Goto(_) => [Value::Unknown; 2],
        Op::IfCmp { .. } | Op::IfRef { .. } => {
            let right = frame.pop(false);
            [frame.pop(false), right]
        }
        _ => [frame.pop(false), Value::Unknown],
    }
}
