//! Calls: to code of the program, to the library, to functions, and to what is not known.

use super::Machine;
use super::halt::{Do, stuck, throw};
use super::heap::Native;
use super::link::CallLink;
use super::step::Flow;
use super::value::{Kind, ObjectId, Value};
use super::world::{World, is_library};
use crate::statics::descriptor::Signature;
use crate::statics::program::{MethodIx, Target};
use locklens_trace::ClassId;
use locklens_trace::code::{InvokeKind, Op};

const MAX_FRAMES: usize = 128;
const SYNTHETIC: u32 = 0x1000;

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
            Callee::Code(method) => {
                let frame = self.frame(world, method, &args)?;
                self.threads[thread].frames.push(frame);
                Ok(Flow::On)
            }
            Callee::Library => {
                let result = self.library(world, thread, call, &args)?;
                self.give(thread, call, result)
            }
            Callee::Unknown => {
                let result = self.unknown_result(call)?;
                self.give(thread, call, result)
            }
        }
    }

    fn give(&mut self, thread: usize, call: &CallLink, result: Option<Value>) -> Do<Flow> {
        let Some(kind) = call.result else {
            return Ok(Flow::On);
        };
        let result = match result {
            Some(result) => result,
            None => self.unknown_result(call)?.unwrap_or(Value::Unknown),
        };
        if let Some(frame) = self.threads[thread].frames.last_mut() {
            frame.push(result, kind.is_wide());
        }
        Ok(Flow::On)
    }

    /// What a call of code that is not known returns: an object with an identity, or a number
    /// that is not known.
    pub(super) fn unknown_result(&mut self, call: &CallLink) -> Do<Option<Value>> {
        if call.result.is_none() {
            return Ok(None);
        }
        let descriptor = call.method.descriptor.rsplit(')').next().unwrap_or("I");
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
            InvokeKind::Virtual | InvokeKind::Interface => self.virtual_target(world, call, args),
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

    fn virtual_target(&self, world: &World<'a>, call: &CallLink, args: &[Value]) -> Do<Callee> {
        let id = match args.first() {
            Some(Value::Object(id)) => *id,
            Some(Value::Null | Value::Blank) => return throw("NullPointerException"),
            Some(Value::Number(_) | Value::Loose(_)) => return Ok(Callee::Library),
            _ => return Ok(Callee::Unknown),
        };
        let object = self.heap.get(id);
        if let (Native::Function(..), None) = (&object.native, object.class) {
            return Ok(self.function_target(world, call, id, args));
        }
        let Some(class) = object.class else {
            return Ok(Callee::Library);
        };
        let declaring = call.selector.and_then(|s| world.program.declares(class, s));
        match (declaring, call.selector) {
            (Some(declaring), Some(selector)) if !world.is_modelled(declaring) => {
                match world.program.method_of(class, selector) {
                    Target::Code(ix) => Ok(Callee::Code(ix)),
                    Target::Opaque => stuck(format!("code of {} is not known", call.full_name())),
                }
            }
            _ => Ok(Callee::Library),
        }
    }

    fn function_target(
        &self,
        world: &World<'a>,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Callee {
        // The receiver of the interface call is the function itself; its captures take its place.
        match self.body(world, id, args.len() - 1, call.result.is_some()) {
            Some(_) => Callee::Library,
            None => Callee::Unknown,
        }
    }

    /// The method a function made by `invokedynamic` runs: the one synthetic method of its class
    /// that takes what it captured and what it is called with. With several, it is not known.
    fn body(
        &self,
        world: &World<'a>,
        id: ObjectId,
        arguments: usize,
        result: bool,
    ) -> Option<MethodIx> {
        let Native::Function(class, captured, descriptor) = &self.heap.get(id).native else {
            return None;
        };
        let captures = Signature::parse(descriptor);
        let fits = |ix: &MethodIx| {
            let method = &world.program.methods[*ix];
            let own = usize::from(!method.def.is_static());
            let types: Vec<_> = captures.params().skip(own).map(|t| t.0).collect();
            let params: Vec<_> = method.signature.params().map(|t| t.0).collect();
            method.def.flags & SYNTHETIC != 0
                && !method.is_initialiser()
                && captured.len() >= own
                && params.len() == types.len() + arguments
                && params.starts_with(&types)
                && method.signature.result().is_some() == result
        };
        let mut found = world.methods_of(*class).iter().copied().filter(fits);
        let body = found.next()?;
        let others = found.next().is_some();
        let made = self.made_alike(world, *class, descriptor);
        (!others && made == 1).then_some(body)
    }

    /// How many instructions of a class make functions of this type from such captures.
    fn made_alike(&self, world: &World<'a>, class: ClassId, descriptor: &str) -> usize {
        let methods = world
            .program
            .methods
            .iter()
            .filter(|m| m.def.class == class);
        let alike = |op: &Op| matches!(op, Op::Invoke { kind: InvokeKind::Dynamic, method } if method.descriptor == *descriptor);
        methods
            .flat_map(|m| &m.code)
            .filter(|i| alike(&i.op))
            .count()
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
        let result = !descriptor.ends_with('V');
        if matches!(self.heap.get(id).native, Native::Stub) {
            let kind = descriptor.rsplit(')').next().unwrap_or("I");
            return match Kind::of(kind) {
                Kind::Reference => self.unknown(kind),
                number => Ok(number.initial()),
            };
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
            None => {
                let Some(ix) = self.body(world, id, arguments.len(), result) else {
                    return stuck("calls a function whose code is not known");
                };
                let captured = match &self.heap.get(id).native {
                    Native::Function(_, captured, _) => captured.clone(),
                    _ => Vec::new(),
                };
                (ix, [&captured, arguments].concat())
            }
        };
        let returned = self.nested_call(world, thread, method, &args)?;
        Ok(returned.unwrap_or(Value::Unknown))
    }
}

/// What a call leads to.
enum Callee {
    Code(MethodIx),
    Library,
    Unknown,
}
