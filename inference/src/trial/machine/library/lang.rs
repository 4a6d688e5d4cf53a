//! `java.lang`: what every object, box, thread and enum constant answers.

use super::super::Machine;
use super::super::function;
use super::super::halt::{Do, stuck, throw};
use super::super::heap::{Native, Object};
use super::super::link::CallLink;
use super::super::value::{ObjectId, Value};
use super::super::world::World;

impl<'a> Machine<'a> {
    /// Methods of every object. None: it is none of them.
    pub(super) fn of_object(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let found = match (call.name(), args.len()) {
            ("equals", 2) if !self.has_own_equality(id) => {
                Value::flag(self.equal(world, thread, args[0], args[1])?)
            }
            ("hashCode", 1) if !self.has_own_equality(id) => Value::Number(i64::from(id.0)),
            ("getClass", 1) => {
                let object = self.heap.get(id);
                let name = match object.class {
                    Some(class) => world.program.classes.name(class).to_owned(),
                    None => object.name.to_string(),
                };
                Value::Object(self.mirror(&name)?)
            }
            ("clone", 1) => Value::Object(self.copy(id)?),
            _ => return Ok(None),
        };
        Ok(Some(found))
    }

    /// Collections are compared by content, which is not modelled.
    fn has_own_equality(&self, id: ObjectId) -> bool {
        matches!(
            self.heap.get(id).native,
            Native::Sequence(_) | Native::Map(_) | Native::View(..) | Native::Bits(_)
        )
    }

    fn copy(&mut self, id: ObjectId) -> Do<ObjectId> {
        let original = self.heap.get(id);
        let copy = Object {
            monitor: None,
            token: None,
            ..original.clone()
        };
        self.add(copy)
    }

    /// Whether two values are equal.
    pub(in super::super) fn equal(
        &mut self,
        world: &World<'a>,
        thread: usize,
        a: Value,
        b: Value,
    ) -> Do<bool> {
        if a.is_same(b) == Some(true) {
            return Ok(true);
        }
        let (Value::Object(first), Value::Object(second)) = (a, b) else {
            return match (a.is_same(b), a, b) {
                (Some(same), ..) => Ok(same),
                // A number is never equal to an object that is known to be something else.
                (None, Value::Object(id), _) | (None, _, Value::Object(id))
                    if self.has_identity(id) =>
                {
                    Ok(false)
                }
                _ => stuck("compares what is not known"),
            };
        };
        if let Some(class) = self.heap.get(first).class
            && let Some(method) = self.redefined(world, class, "equals", "(Ljava/lang/Object;)Z")
        {
            let result = self.nested_call(world, thread, method, &[a, b])?;
            return match result.and_then(Value::number) {
                Some(n) => Ok(n != 0),
                None => stuck("compares what is not known"),
            };
        }
        if self.has_identity(first) || self.has_identity(second) {
            return Ok(false);
        }
        if self.are_listed(world, first, second) {
            self.note_assumed(world, thread, function::DIFFER);
            return Ok(false);
        }
        match self.guess_equal(first, second) {
            Some(equal) => Ok(equal),
            None => stuck("compares objects whose content is not known"),
        }
    }

    /// Two constant texts at different places of one initialiser, or of `main`.
    fn are_listed(&self, world: &World<'a>, first: ObjectId, second: ObjectId) -> bool {
        let (Some(a), Some(b)) = (self.place_of_literal(first), self.place_of_literal(second))
        else {
            return false;
        };
        let method = &world.program.methods[a.0];
        a != b
            && a.0 == b.0
            && (method.is_initialiser() || method.def.descriptor == "([Ljava/lang/String;)V")
    }

    /// Records of one class with equal fields are equal.
    pub(super) fn same_record(
        &mut self,
        world: &World<'a>,
        thread: usize,
        a: Value,
        b: Value,
    ) -> Do<bool> {
        let (Value::Object(a), Value::Object(b)) = (a, b) else {
            return Ok(false);
        };
        let (first, second) = (self.heap.get(a), self.heap.get(b));
        if first.class != second.class {
            return Ok(false);
        }
        let other = |field| second.field(field).unwrap_or(Value::Blank);
        let pairs: Vec<_> = first.fields.iter().map(|f| (f.1, other(f.0))).collect();
        for (mine, theirs) in pairs {
            if !self.equal(world, thread, mine, theirs)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The object is equal to no other.
    fn has_identity(&self, id: ObjectId) -> bool {
        let object = self.heap.get(id);
        let kept = matches!(
            object.native,
            Native::Opaque | Native::Unmade | Native::Sequence(_) | Native::Map(_)
        );
        object.token.is_some()
            || object.class.is_some()
            || !kept
            || &*object.name == "java.lang.Object"
    }

    /// The code with which a class of the program redefines a method of the library.
    pub(super) fn redefined(
        &self,
        world: &World<'a>,
        class: locklens_trace::ClassId,
        name: &str,
        descriptor: &str,
    ) -> Option<usize> {
        let call =
            CallLink::of_interface(world.program, class, "java.lang.Object", name, descriptor);
        let selector = call.selector?;
        let declaring = world.program.declares(class, selector)?;
        if world.is_modelled(declaring) {
            return None;
        }
        match world.program.method_of(class, selector) {
            crate::statics::program::Target::Code(ix) => Some(ix),
            crate::statics::program::Target::Opaque => None,
        }
    }

    /// How two values are ordered.
    pub(super) fn compare(
        &mut self,
        world: &World<'a>,
        thread: usize,
        a: Value,
        b: Value,
        comparator: Option<Value>,
    ) -> Do<i64> {
        if comparator.is_none() && self.is_token(a) && self.is_token(b) {
            // What is handed in is ours, so it may have any order.
            return Ok(0);
        }
        if let Some(Value::Object(id)) = comparator
            && let Native::Comparison(by) = self.heap.get(id).native
        {
            return self.compared((world, thread), &by, a, b);
        }
        let order = match (comparator, a.number(), b.number(), a) {
            (Some(comparator), ..) => {
                let signature = (
                    "java.util.Comparator",
                    "compare",
                    "(Ljava/lang/Object;Ljava/lang/Object;)I",
                );
                self.apply(world, thread, comparator, signature, &[a, b])?
            }
            (None, Some(a), Some(b), _) => return Ok(a.cmp(&b) as i64),
            (None, _, _, Value::Object(id))
                if matches!(self.heap.get(id).native, Native::Constant(_)) =>
            {
                return self.compare_constants(id, b);
            }
            (None, ..) => {
                let signature = ("java.lang.Comparable", "compareTo", "(Ljava/lang/Object;)I");
                self.apply(world, thread, a, signature, &[b])?
            }
        };
        match order.number() {
            Some(n) => Ok(n),
            None => stuck("an order that is not known"),
        }
    }

    fn is_token(&self, value: Value) -> bool {
        match value {
            Value::Object(id) => {
                let object = self.heap.get(id);
                object.class.is_none() && object.token.is_some()
            }
            _ => false,
        }
    }

    fn compare_constants(&self, a: ObjectId, b: Value) -> Do<i64> {
        let ordinal = |id: ObjectId| match self.heap.get(id).native {
            Native::Constant(ordinal) => Some(ordinal),
            _ => None,
        };
        let second = match b {
            Value::Object(id) => ordinal(id),
            _ => None,
        };
        match (ordinal(a), second) {
            (Some(a), Some(b)) => Ok(a - b),
            _ => stuck("an order that is not known"),
        }
    }

    /// Methods of boxes and numbers.
    pub(super) fn of_box(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Option<Value>> {
        if let Value::Guess(_) = args[0] {
            return Ok(of_guess(call.name(), args));
        }
        let Some(n) = args[0].number() else {
            return Ok(None);
        };
        Ok(match (call.name(), args.get(1)) {
            (
                "intValue" | "longValue" | "booleanValue" | "shortValue" | "byteValue"
                | "charValue" | "hashCode",
                None,
            ) => Some(Value::Number(n)),
            ("equals", Some(&other)) => {
                Some(Value::flag(self.equal(world, thread, args[0], other)?))
            }
            ("compareTo", Some(other)) => other.number().map(|m| Value::Number(n.cmp(&m) as i64)),
            _ => None,
        })
    }

    /// A method of a text that is put together. What is added in a way that leaves its length
    /// open makes it unknown.
    pub(super) fn buffer(
        &mut self,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let own = Some(Value::Object(id));
        self.changes += 1;
        let added = args.last().map_or(Some(0), |&a| self.letters(call, a));
        let Native::Buffer(text) = &mut self.heap.change(id).native else {
            return Ok(None);
        };
        let at = |v: &Value, most: usize| {
            let at = v.number().and_then(|n| usize::try_from(n).ok());
            at.filter(|&at| at <= most)
        };
        match (call.name(), args) {
            ("length", []) => return Ok(Some(Value::Number(text.len() as i64))),
            ("isEmpty", []) => return Ok(Some(Value::flag(text.is_empty()))),
            ("charAt", [index]) => match at(index, text.len()) {
                Some(index) if index < text.len() => return Ok(Some(text[index])),
                _ => return throw("StringIndexOutOfBoundsException"),
            },
            ("deleteCharAt", [index]) => match at(index, text.len()) {
                Some(index) if index < text.len() => _ = text.remove(index),
                _ => return throw("StringIndexOutOfBoundsException"),
            },
            ("delete", [from, to]) => match (at(from, text.len()), to.number()) {
                (Some(from), Some(to)) => {
                    let to = usize::try_from(to).unwrap_or(0).clamp(from, text.len());
                    text.drain(from..to);
                }
                _ => return throw("StringIndexOutOfBoundsException"),
            },
            ("setLength", [length]) => match at(length, 65_536) {
                Some(length) => text.resize(length, Value::Number(0)),
                None => return stuck("a length that is not known"),
            },
            ("append", [letter]) if call.method.descriptor.starts_with("(C)") => {
                text.push(*letter);
            }
            ("insert", [index, letter]) if call.method.descriptor.starts_with("(IC)") => {
                match at(index, text.len()) {
                    Some(index) => text.insert(index, *letter),
                    None => return throw("StringIndexOutOfBoundsException"),
                }
            }
            ("append", [_]) => match added {
                Some(more) => text.extend(vec![Value::Unknown; more]),
                None => self.heap.change(id).native = Native::Opaque,
            },
            ("<init>", [] | [_]) if matches!(&*call.method.descriptor, "()V" | "(I)V") => {}
            ("toString", []) => {
                let length = text.len() as i64;
                let id = self.allocate("java.lang.String".into(), Native::Text(length))?;
                return Ok(Some(Value::Object(id)));
            }
            _ => self.heap.change(id).native = Native::Opaque,
        }
        Ok(own)
    }

    /// How many letters the text of a value has, if that is known.
    fn letters(&self, call: &CallLink, value: Value) -> Option<usize> {
        match value {
            Value::Object(id) => match self.heap.get(id).native {
                Native::Text(length) => usize::try_from(length).ok(),
                _ => None,
            },
            Value::Number(n) if call.method.descriptor.starts_with(['(']) => {
                Some(n.to_string().len())
            }
            _ => None,
        }
    }

    /// Methods of a simulated thread.
    pub(super) fn of_thread(&mut self, call: &CallLink, id: ObjectId) -> Do<Option<Value>> {
        Ok(match call.name() {
            "isAlive" => Some(Value::Number(1)),
            "isInterrupted" | "isVirtual" => Some(Value::Number(0)),
            "threadId" | "getId" => match self.heap.get(id).native {
                Native::Thread(index) => Some(Value::Number(index as i64 + 1)),
                _ => None,
            },
            "join" => return stuck("waits for a thread's end"),
            _ => None,
        })
    }

    /// Methods of an enum constant.
    pub(super) fn of_constant(
        &mut self,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let Native::Constant(ordinal) = self.heap.get(id).native else {
            return Ok(None);
        };
        Ok(match (call.name(), args) {
            ("ordinal", []) => Some(Value::Number(ordinal)),
            ("compareTo", [other]) => Some(Value::Number(self.compare_constants(id, *other)?)),
            ("<init>", [.., number]) => {
                let ordinal = number.number().unwrap_or(0);
                self.heap.change(id).native = Native::Constant(ordinal);
                None
            }
            _ => None,
        })
    }
}

/// Methods of the box of a number that is guessed.
fn of_guess(name: &str, args: &[Value]) -> Option<Value> {
    let n = args[0].likely()?;
    match (name, args.get(1)) {
        ("equals", Some(other)) => Some(Value::Guess(i64::from(n == other.likely()?))),
        ("compareTo", Some(other)) => Some(Value::Guess(n.cmp(&other.likely()?) as i64)),
        (_, None) if name == "hashCode" || name.ends_with("Value") => Some(args[0]),
        _ => None,
    }
}
