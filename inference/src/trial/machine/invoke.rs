//! Calls: to code of the program, to the library, to functions, and to what is not known.

use super::Machine;
use super::function;
use super::halt::{Do, stuck, throw};
use super::heap::Native;
use super::link::CallLink;
use super::site::Body;
use super::step::Flow;
use super::thread::Gives;
use super::value::{Kind, ObjectId, Value};
use super::world::{World, is_library};
use crate::statics::program::{MethodIx, Target};
use crate::statics::survey::Signal;
use locklens_trace::code::InvokeKind;

const MAX_FRAMES: usize = 128;

impl<'a> Machine<'a> {
    /// Executes a call instruction.
    pub(super) fn invoke(&mut self, world: &World<'a>, thread: usize, call: &CallLink) -> Do<Flow> {
        if self.threads[thread].frames.len() > MAX_FRAMES {
            return stuck("calls too deep");
        }
        let Some(frame) = self.threads[thread].frames.last_mut() else {
            return stuck("nothing to run");
        };
        let args = frame.pop_call(&call.params, call.receiver);
        if let Some((signal, operand)) = call.signal {
            return self.signal(thread, signal, operand, &args);
        }
        match self.target(world, thread, call, &args)? {
            Callee::Code(method) => self.call(world, thread, (method, &args), Gives::Own),
            Callee::Function(method, args) => {
                self.call(world, thread, (method, &args), Gives::As(call.result))
            }
            Callee::Constructor(method, args, made) => {
                self.call(world, thread, (method, &args), Gives::Object(made))
            }
            Callee::Signal(signal, operand, args) => self.signal(thread, signal, operand, &args),
            Callee::Given(result) => self.give(thread, call, Some(result)),
            Callee::Library => {
                let result = self.library(world, thread, call, &args)?;
                self.give(thread, call, result)
            }
            Callee::Unknown => {
                let result = self.unknown_result(thread, call)?;
                self.give(thread, call, result)
            }
        }
    }

    fn call(
        &mut self,
        world: &World<'a>,
        thread: usize,
        (method, args): (MethodIx, &[Value]),
        gives: Gives,
    ) -> Do<Flow> {
        let mut frame = self.frame(world, method, args)?;
        frame.gives = gives;
        self.threads[thread].frames.push(frame);
        Ok(Flow::On)
    }

    pub(super) fn give(
        &mut self,
        thread: usize,
        call: &CallLink,
        result: Option<Value>,
    ) -> Do<Flow> {
        let Some(kind) = call.result else {
            return Ok(Flow::On);
        };
        let result = match result {
            Some(result) => result,
            None => self.unknown_result(thread, call)?.unwrap_or(Value::Unknown),
        };
        if let Some(frame) = self.threads[thread].frames.last_mut() {
            frame.push(result, kind.is_wide());
        }
        Ok(Flow::On)
    }

    /// What a call of code that is not known returns: an object with an identity, or a number
    /// that is not known.
    fn unknown_result(&mut self, thread: usize, call: &CallLink) -> Do<Option<Value>> {
        let Some(kind) = call.result else {
            return Ok(None);
        };
        let descriptor = call.method.descriptor.rsplit(')').next().unwrap_or("I");
        if kind != Kind::Reference {
            return Ok(Some(self.guess(thread, descriptor)));
        }
        if self.is_last_object(thread) {
            return Ok(Some(Value::Null));
        }
        self.unknown(descriptor).map(Some)
    }

    fn target(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Callee> {
        match call.kind {
            InvokeKind::Dynamic => Ok(Callee::Library),
            InvokeKind::Static => self.static_target(world, thread, call),
            InvokeKind::Special => Ok(match (call.target, args.first()) {
                (_, Some(Value::Null | Value::Blank)) => return throw("NullPointerException"),
                (Target::Code(ix), _) if !call.class.is_some_and(|c| world.is_modelled(c)) => {
                    Callee::Code(ix)
                }
                _ => self.special(world, call),
            }),
            InvokeKind::Virtual | InvokeKind::Interface => {
                self.virtual_target(world, thread, call, args)
            }
        }
    }

    fn static_target(&mut self, world: &World<'a>, thread: usize, call: &CallLink) -> Do<Callee> {
        if call.class.is_some_and(|c| world.is_modelled(c)) {
            return Ok(Callee::Library);
        }
        self.come_alive(world, thread, call.class)?;
        Ok(match call.target {
            Target::Code(ix) => Callee::Code(ix),
            Target::Opaque if is_library(&call.method.class) => Callee::Library,
            Target::Opaque => Callee::Unknown,
        })
    }

    /// A constructor or superclass method without code: the library's, or one that is not known.
    fn special(&self, world: &World<'a>, call: &CallLink) -> Callee {
        let library = match call.class {
            Some(class) => is_library(world.library_part(class)),
            None => is_library(&call.method.class),
        };
        if library {
            Callee::Library
        } else {
            Callee::Unknown
        }
    }

    fn virtual_target(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Callee> {
        let id = match args.first() {
            Some(Value::Object(id)) => *id,
            Some(Value::Null | Value::Blank) => return throw("NullPointerException"),
            Some(value) if value.is_number() => return Ok(Callee::Library),
            _ => return Ok(Callee::Unknown),
        };
        let object = self.heap.get(id);
        if let Native::Function(function) = &object.native {
            if *function.name == *call.name() {
                return self.function_target(world, thread, id, &args[1..]);
            }
            return Ok(default_method(world, call));
        }
        let Some(class) = object.class else {
            return Ok(Callee::Library);
        };
        let declaring = call.selector.and_then(|s| world.program.declares(class, s));
        match (declaring, call.selector) {
            (Some(declaring), Some(selector)) if !world.is_modelled(declaring) => {
                match world.program.method_of(class, selector) {
                    Target::Code(ix) => Ok(Callee::Code(ix)),
                    Target::Opaque if self.is_guessing() => {
                        self.note_decided();
                        Ok(Callee::Unknown)
                    }
                    Target::Opaque => stuck(format!("code of {} is not known", call.full_name())),
                }
            }
            _ => Ok(Callee::Library),
        }
    }

    /// What the call of a function leads to. Its captures come before the arguments.
    fn function_target(
        &mut self,
        world: &World<'a>,
        thread: usize,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Callee> {
        let Native::Function(function) = &self.heap.get(id).native else {
            return Ok(Callee::Unknown);
        };
        let all = [function.captured.as_slice(), args].concat();
        let known = match function.body.clone() {
            Some(Body::Code(body)) => return Ok(Callee::Function(body, all)),
            Some(Body::Call(call)) => self.referred(world, thread, &call, all)?,
            Some(Body::New(call)) => self.constructed(world, thread, &call, all)?,
            None => Callee::Unknown,
        };
        if !matches!(known, Callee::Unknown) {
            return Ok(known);
        }
        let assumed = self.assume(world, thread, id, args)?;
        Ok(assumed.map_or(Callee::Unknown, Callee::Given))
    }

    /// A method reference.
    fn referred(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        args: Vec<Value>,
    ) -> Do<Callee> {
        if let Some((signal, operand)) = call.signal {
            return Ok(Callee::Signal(signal, operand, args));
        }
        Ok(match self.target(world, thread, call, &args)? {
            Callee::Code(method) => Callee::Function(method, args),
            Callee::Library => match self.library(world, thread, call, &args)? {
                Some(result) => Callee::Given(result),
                None => match self.unknown_result(thread, call)? {
                    Some(result) => Callee::Given(result),
                    None => Callee::Given(Value::Null),
                },
            },
            other => other,
        })
    }

    /// A reference to a constructor.
    fn constructed(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        args: Vec<Value>,
    ) -> Do<Callee> {
        let name = call.method.class.as_str().into();
        let made = self.instance(world, thread, call.class, &name)?;
        let args = [&[Value::Object(made)], args.as_slice()].concat();
        Ok(match self.target(world, thread, call, &args)? {
            Callee::Code(method) => Callee::Constructor(method, args, made),
            Callee::Library => {
                self.library(world, thread, call, &args)?;
                Callee::Given(Value::Object(made))
            }
            other => other,
        })
    }

    /// What something handed in answers: a number of no weight, or an object by which the call is
    /// recognised that asked for it.
    pub(super) fn answer(&mut self, thread: usize, descriptor: &str) -> Do<Value> {
        let kind = Kind::of(descriptor);
        if kind != Kind::Reference {
            return Ok(kind.initial());
        }
        let answer = self.unknown(descriptor)?;
        if let (Value::Object(id), Some(token)) = (answer, self.threads[thread].token) {
            self.heap.change(id).token = Some(token);
        }
        Ok(answer)
    }

    /// What a function without recorded code returns, where only one thing makes sense.
    fn assume(
        &mut self,
        world: &World<'a>,
        thread: usize,
        id: ObjectId,
        arguments: &[Value],
    ) -> Do<Option<Value>> {
        let Native::Function(function) = &self.heap.get(id).native else {
            return Ok(None);
        };
        let result = function.shape.map(|s| s.result);
        let number = matches!(result, Some('I' | 'J' | 'L'));
        let captured = function.captured.clone();
        match (captured.as_slice(), arguments) {
            ([], &[a, b]) if number => {
                let (Some(a), Some(b)) = (a.number(), b.number()) else {
                    return Ok(None);
                };
                self.note_assumed(world, thread, function::SUMS);
                Ok(Some(Value::Number(a.wrapping_add(b))))
            }
            (&[Value::Object(counter)], []) if number => {
                self.note_assumed(world, thread, function::COUNTS);
                self.count_up(counter)
            }
            ([], [] | [_]) if result == Some('L') => {
                self.note_assumed(world, thread, function::MAKES);
                let made = self.allocate("java.lang.Object".into(), Native::Unmade)?;
                Ok(Some(Value::Object(made)))
            }
            _ => Ok(None),
        }
    }

    /// Notes what is assumed of code or texts that are not recorded.
    pub(super) fn note_assumed(
        &mut self,
        world: &World<'a>,
        thread: usize,
        what: function::Assumed,
    ) {
        if let Some(frame) = self.threads[thread].frames.last() {
            let class = world.program.methods[frame.method].def.class;
            self.assumed.borrow_mut().insert((what, class));
        }
    }

    fn count_up(&mut self, counter: ObjectId) -> Do<Option<Value>> {
        let Native::Cell(Value::Number(n)) = self.heap.get(counter).native else {
            return Ok(None);
        };
        self.changes += 1;
        let next = Value::Number(n.wrapping_add(1));
        self.heap.change(counter).native = Native::Cell(next);
        Ok(Some(next))
    }

    /// Calls a function or an object that implements a published interface.
    pub(super) fn apply(
        &mut self,
        world: &World<'a>,
        thread: usize,
        callee: Value,
        (class, name, descriptor): (&str, &str, &str),
        arguments: &[Value],
    ) -> Do<Value> {
        let Value::Object(id) = callee else {
            return stuck("calls a function that is not known");
        };
        if let Native::Joined(joined) = self.heap.get(id).native {
            return self.apply_joined((world, thread), joined, arguments);
        }
        if matches!(self.heap.get(id).native, Native::Stub) {
            let kind = descriptor.rsplit(')').next().unwrap_or("I");
            return self.answer(thread, kind);
        }
        let (method, args) = match self.heap.get(id).class {
            Some(own) => {
                let call = CallLink::of_interface(world.program, own, class, name, descriptor);
                let selector = call.selector.map(|s| world.program.method_of(own, s));
                let Some(Target::Code(ix)) = selector else {
                    return stuck(format!("code of {name} is not known"));
                };
                (ix, [&[callee], arguments].concat())
            }
            None => match self.function_target(world, thread, id, arguments)? {
                Callee::Function(method, args) => (method, args),
                Callee::Constructor(method, args, made) => {
                    self.nested_call(world, thread, method, &args)?;
                    return Ok(Value::Object(made));
                }
                Callee::Given(result) => return Ok(result),
                _ => return stuck("calls a function whose code is not known"),
            },
        };
        let returned = self.nested_call(world, thread, method, &args)?;
        Ok(returned.unwrap_or(Value::Unknown))
    }
}

/// What a call leads to.
enum Callee {
    Code(MethodIx),
    /// The body of a function, with what it captured before the arguments.
    Function(MethodIx, Vec<Value>),
    /// The constructor of this object.
    Constructor(MethodIx, Vec<Value>, ObjectId),
    /// A method of a monitor, which is this argument.
    Signal(Signal, usize, Vec<Value>),
    /// Nothing runs; this is returned.
    Given(Value),
    Library,
    Unknown,
}

/// A method that a function has besides the one it implements.
fn default_method(world: &World<'_>, call: &CallLink) -> Callee {
    let own = call.class.filter(|&c| !world.is_modelled(c));
    let target = own.zip(call.selector);
    match target.map(|(class, selector)| world.program.method_of(class, selector)) {
        Some(Target::Code(ix)) => Callee::Code(ix),
        _ => Callee::Library,
    }
}
