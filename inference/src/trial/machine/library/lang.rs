//! `java.lang`: what every object, box, thread and enum constant answers.

use super::super::Machine;
use super::super::function;
use super::super::halt::{Do, stuck};
use super::super::heap::{Native, Object, Order, Part};
use super::super::link::CallLink;
use super::super::text::Text;
use super::super::thread::State;
use super::super::value::{ObjectId, Value};
use super::super::world::World;

/// What a thread's priority is if nobody sets it.
const NORM_PRIORITY: i64 = 5;

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
            ("hashCode", 1) if !self.has_own_equality(id) => match &self.heap.get(id).native {
                Native::Text(text) => text.hash().map_or(Value::Unknown, Value::Number),
                Native::Opaque if &*self.heap.get(id).name == "java.lang.String" => Value::Unknown,
                _ => Value::Number(i64::from(id.0)),
            },
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
        if let (Some(first), Some(second)) = (self.text(a), self.text(b))
            && let Some(same) = first.is_same(second)
        {
            return Ok(same);
        }
        if let Some(same) = self.same_content((world, thread), first, second)? {
            return Ok(same);
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

    /// Whether two objects of the library that are compared by content are equal; none: they are
    /// not.
    fn same_content(
        &mut self,
        at: (&World<'a>, usize),
        first: ObjectId,
        second: ObjectId,
    ) -> Do<Option<bool>> {
        self.refresh(first)?;
        self.refresh(second)?;
        let natives = (&self.heap.get(first).native, &self.heap.get(second).native);
        if let (&Native::Span(a), &Native::Span(b)) = natives {
            return Ok(Some(a == b));
        }
        if let (Native::Map(a), Native::Map(b)) = natives {
            let (a, b) = (a.entries.clone(), b.entries.clone());
            return self.same_entries(at, &a, &b).map(Some);
        }
        let (Some(one), Some(other)) = (self.compared_as(first), self.compared_as(second)) else {
            return Ok(None);
        };
        let items = self.elements(Value::Object(first))?;
        let others = self.elements(Value::Object(second))?;
        if one != other || items.len() != others.len() {
            return Ok(Some(false));
        }
        if one == Order::List {
            return self.all_equal(at, &items, &others).map(Some);
        }
        for item in items {
            if self.find(at.0, at.1, &others, item)?.is_none() {
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }

    fn same_entries(
        &mut self,
        (world, thread): (&World<'a>, usize),
        entries: &[(Value, Value)],
        others: &[(Value, Value)],
    ) -> Do<bool> {
        let keys: Vec<_> = others.iter().map(|e| e.0).collect();
        for &(key, value) in entries {
            let Some(at) = self.find(world, thread, &keys, key)? else {
                return Ok(false);
            };
            if !self.equal(world, thread, value, others[at].1)? {
                return Ok(false);
            }
        }
        Ok(entries.len() == others.len())
    }

    /// As what a collection is compared by content: as a list or a set, if as anything.
    fn compared_as(&self, id: ObjectId) -> Option<Order> {
        let object = self.heap.get(id);
        match &object.native {
            Native::Sequence(s) => match s.order {
                Order::List => Some(Order::List),
                Order::Set | Order::SortedSet => Some(Order::Set),
                Order::Deque if object.name.ends_with("LinkedList") => Some(Order::List),
                Order::Deque | Order::Priority => None,
            },
            Native::View(_, Part::Keys) => Some(Order::Set),
            _ => None,
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
        let kept = match &object.native {
            Native::Opaque | Native::Unmade | Native::Sequence(_) | Native::Map(_) => true,
            Native::Text(text) => !text.is_ours(),
            _ => false,
        };
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
            (None, ..) if a.is_number() && b.is_number() => {
                let order = super::number::compared(a, b).and_then(Value::number);
                return order.map_or_else(|| stuck("an order that is not known"), Ok);
            }
            (None, Some(a), Some(b), _) => return Ok(a.cmp(&b) as i64),
            (None, _, _, Value::Object(_)) if self.text(a).is_some() && self.text(b).is_some() => {
                let order = self.text(a).zip(self.text(b)).and_then(|(a, b)| a.order(b));
                return order.map_or_else(|| stuck("an order that is not known"), Ok);
            }
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

    /// Methods of a simulated thread.
    pub(super) fn of_thread(
        &mut self,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        Ok(match call.name() {
            "setName" => {
                let name = args.first().copied().unwrap_or(Value::Unknown);
                self.changes += 1;
                self.heap.change(id).holds = match name {
                    Value::Object(name) => vec![name],
                    _ => return stuck("a name that is not known"),
                };
                None
            }
            "getName" => Some(self.name_of_thread(id)?),
            "isAlive" => Some(Value::Number(1)),
            "isInterrupted" => Some(Value::flag(self.is_interrupted(id))),
            "interrupt" => {
                self.interrupt(id);
                None
            }
            "isVirtual" => Some(Value::Number(0)),
            "getPriority" if !self.world.program.sets_priorities => {
                Some(Value::Number(NORM_PRIORITY))
            }
            "threadId" | "getId" => match self.heap.get(id).native {
                Native::Thread(index) => Some(Value::Number(index as i64 + 1)),
                _ => None,
            },
            "join" => return stuck("waits for a thread's end"),
            _ => None,
        })
    }

    fn is_interrupted(&self, id: ObjectId) -> bool {
        match self.heap.get(id).native {
            Native::Thread(index) => self.threads.get(index).is_some_and(|t| t.interrupted),
            _ => false,
        }
    }

    fn interrupt(&mut self, id: ObjectId) {
        let Native::Thread(index) = self.heap.get(id).native else {
            return;
        };
        let Some(of) = self.threads.get_mut(index) else {
            return;
        };
        match of.state {
            State::Waits { .. } => self.rouse(index),
            _ => of.interrupted = true,
        }
    }

    /// The name of a simulated thread, unlike that of any other.
    fn name_of_thread(&mut self, id: ObjectId) -> Do<Value> {
        if let Some(&name) = self.heap.get(id).holds.first() {
            return Ok(Value::Object(name));
        }
        let name = Native::Text(Text::unlike_others(id));
        let name = self.allocate("java.lang.String".into(), name)?;
        self.heap.change(id).holds.push(name);
        Ok(Value::Object(name))
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
            ("name" | "toString", []) => {
                let name = self.heap.get(id).holds.first();
                name.map(|&name| Value::Object(name))
            }
            ("compareTo", [other]) => Some(Value::Number(self.compare_constants(id, *other)?)),
            ("<init>", [.., number]) => {
                let ordinal = number.number().unwrap_or(0);
                let name = match args {
                    [Value::Object(name), _] => Some(*name),
                    _ => None,
                };
                let constant = self.heap.change(id);
                constant.native = Native::Constant(ordinal);
                constant.holds = name.into_iter().collect();
                None
            }
            _ => None,
        })
    }
}
