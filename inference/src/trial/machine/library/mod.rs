//! What the Java library's classes do, as far as locks are built on them.
//!
//! Names here are those of published interfaces. `lang`: `java.lang`; `text`: texts;
//! `statics`, `number`: static methods;
//! `sequence`: lists, queues and sets; `map`: maps and their views; `part`: what shows a part of
//! one of them; `iterator`; `stream`: streams, optional values and comparators; `joined`: functions
//! made of functions; `cell`: atomics, thread-locals and bit sets; `letters`: what is calculated
//! with texts; `time`: units, durations and instants. What is not modelled of a modelled class stops execution; any
//! other class is opaque: its methods do nothing, and what they return is not known.

mod cell;
mod iterator;
mod joined;
mod lang;
mod letters;
mod map;
mod number;
mod part;
mod sequence;
mod statics;
mod stream;
mod text;
mod time;

pub(super) use time::unit;

use super::Machine;
use super::function::{self, Shape};
use super::halt::{Do, Halt, stuck, throw};
use super::heap::{Function, Map, Native, Order, Sequence};
use super::link::CallLink;
use super::site::{Body, Label, Site};
use super::value::{Kind, ObjectId, Value};
use super::world::World;
use joined::rest_of_function;
use locklens_trace::code::InvokeKind;

/// What the library keeps in a new object of one of its classes, or of a subclass of it.
pub(super) fn native(class: &str, subclass: bool) -> Native {
    let name = class.rsplit('.').next().unwrap_or(class);
    if class.starts_with("java.util.") {
        if let Some(order) = order(name) {
            return Native::Sequence(Sequence {
                order,
                ..Sequence::default()
            });
        }
        if name.ends_with("Map") || name == "Hashtable" || name == "Properties" {
            let sorted = ["Tree", "SkipList", "Sorted", "Navigable", "Enum"];
            let sorted = sorted.iter().any(|word| name.contains(word));
            return Native::Map(Map {
                sorted,
                ..Map::default()
            });
        }
    }
    match name {
        "BitSet" => Native::Bits(Vec::new()),
        "ThreadLocal" | "InheritableThreadLocal" => Native::Local(Vec::new(), None),
        "Enum" => Native::Constant(0),
        "Object" => Native::None,
        "StringBuilder" | "StringBuffer" => Native::Buffer(Vec::new()),
        "AtomicInteger" | "AtomicLong" | "AtomicBoolean" | "LongAdder" => {
            Native::Cell(Value::Number(0))
        }
        "AtomicReference" | "WeakReference" | "SoftReference" => Native::Cell(Value::Null),
        "AtomicIntegerArray" | "AtomicLongArray" | "AtomicReferenceArray" => {
            Native::Array(Vec::new())
        }
        _ if subclass => Native::None,
        _ => Native::Opaque,
    }
}

/// Whether what the library made is of a class or interface, as far as that is known.
pub(super) fn is_instance(native: &Native, class: &str) -> Option<bool> {
    let kinds: &[&str] = match native {
        Native::Sequence(s) => match s.order {
            Order::List => &["Collection", "Iterable", "List"],
            Order::Set | Order::SortedSet => &["Collection", "Iterable", "Set"],
            Order::Deque | Order::Priority => &["Collection", "Iterable", "Queue"],
        },
        Native::Map(_) => &["Map"],
        Native::Text(_) => &["String", "CharSequence", "Comparable"],
        _ => return None,
    };
    let (package, name) = class.rsplit_once('.').unwrap_or(("", class));
    if matches!(package, "java.util" | "java.lang") && kinds.contains(&name) {
        return Some(true);
    }
    // It is of one of a few kinds, and of no other.
    let others = ["Collection", "List", "Set", "Map", "String", "CharSequence"];
    let other = package.starts_with("java.") && others.contains(&name);
    let both = kinds.contains(&"Queue") && name == "List";
    (other && !both).then_some(false)
}

fn order(name: &str) -> Option<Order> {
    Some(match name {
        "ArrayList" | "Vector" | "Stack" | "CopyOnWriteArrayList" => Order::List,
        "LinkedList"
        | "ArrayDeque"
        | "ConcurrentLinkedQueue"
        | "ConcurrentLinkedDeque"
        | "LinkedBlockingQueue"
        | "LinkedBlockingDeque"
        | "ArrayBlockingQueue" => Order::Deque,
        "HashSet" | "LinkedHashSet" | "CopyOnWriteArraySet" => Order::Set,
        "TreeSet" | "ConcurrentSkipListSet" => Order::SortedSet,
        "PriorityQueue" | "PriorityBlockingQueue" => Order::Priority,
        _ => return None,
    })
}

/// Classes whose methods block in ways that are not modelled.
fn blocks(class: &str, name: &str) -> bool {
    class.starts_with("java.util.concurrent.locks.")
        || class == "java.lang.Thread" && name == "join"
        || matches!(
            class.strip_prefix("java.util.concurrent."),
            Some(
                "Semaphore"
                    | "CountDownLatch"
                    | "CyclicBarrier"
                    | "Phaser"
                    | "Exchanger"
                    | "Future"
                    | "BlockingQueue"
            )
        )
}

impl<'a> Machine<'a> {
    /// Calls a method of the library. None: what it returns is not known, or nothing.
    pub(super) fn library(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let result = match call.kind {
            InvokeKind::Dynamic => self.dynamic(world, thread, call, args),
            InvokeKind::Static => self.library_static(world, thread, call, args),
            _ => self.library_method(world, thread, call, args),
        };
        match result {
            Err(Halt::Stuck(_)) if self.lenient => {
                self.forget(args);
                Ok(None)
            }
            result => result,
        }
    }

    /// What library objects hold is not known any more.
    fn forget(&mut self, objects: &[Value]) {
        for value in objects {
            if let Value::Object(id) = *value
                && !matches!(self.heap.get(id).native, Native::None | Native::Thread(_))
            {
                self.heap.change(id).native = Native::Opaque;
            }
        }
    }

    /// `invokedynamic`: a function, a text put together, or a method of a record.
    fn dynamic(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Option<Value>> {
        match (call.name(), args, call.result) {
            ("equals", &[a, b], Some(Kind::Int)) => {
                let same = self.same_record(world, thread, a, b)?;
                return Ok(Some(Value::flag(same)));
            }
            // Equal records have equal hashes, whichever.
            ("hashCode", [_], Some(Kind::Int)) => return Ok(Some(Value::Number(1))),
            _ => {}
        }
        match call.site.as_deref() {
            Some(Site::Text(pieces)) => return self.put_together(world, call, pieces, args),
            Some(Site::Switch(labels)) => return self.switch(world, thread, labels, args),
            _ => {}
        }
        let Some(interface) = function::interface(&call.method) else {
            return Ok(None);
        };
        let (body, shape) = match call.site.as_deref() {
            Some(Site::Function(body, erased)) => (body.clone(), Some(Shape::of(erased))),
            Some(_) => (None, None),
            None => {
                let frame = self.threads[thread].frames.last();
                let found = frame.and_then(|f| world.body(f.method, f.at.checked_sub(1)?));
                (
                    found.map(Body::Code),
                    function::shape(world.program, &call.method),
                )
            }
        };
        let native = Native::Function(Function {
            captured: args.to_vec(),
            body,
            shape,
            name: call.name().into(),
        });
        let made = self.allocate(interface.into(), native)?;
        Ok(Some(Value::Object(made)))
    }

    /// The first case from a place on that an object falls under; after the last if under none.
    fn switch(
        &mut self,
        world: &World<'a>,
        thread: usize,
        labels: &[Label],
        args: &[Value],
    ) -> Do<Option<Value>> {
        let &[object, from] = args else {
            return Ok(None);
        };
        let Some(from) = from.number().and_then(|n| usize::try_from(n).ok()) else {
            return Ok(None);
        };
        if object.is_null() == Some(true) {
            return Ok(Some(Value::Number(-1)));
        }
        for (at, label) in labels.iter().enumerate().skip(from) {
            match self.falls_under(world, thread, object, label)? {
                Some(true) => return Ok(Some(Value::Number(at as i64))),
                Some(false) => {}
                None => return Ok(None),
            }
        }
        Ok(Some(Value::Number(labels.len() as i64)))
    }

    fn falls_under(
        &mut self,
        world: &World<'a>,
        thread: usize,
        object: Value,
        label: &Label,
    ) -> Do<Option<bool>> {
        Ok(match label {
            Label::Class(name) => self
                .is_instance(world, object, name)
                .number()
                .map(|n| n != 0),
            Label::Number(n) => object.number().map(|m| m == *n),
            Label::Text(text) => match self.constant_name(object) {
                Some(name) => Some(name == text.start && text.is_whole()),
                None => {
                    let text = self.intern(text)?;
                    Some(self.equal(world, thread, object, Value::Object(text))?)
                }
            },
        })
    }

    fn library_method(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let id = match args.first() {
            Some(Value::Object(id)) => *id,
            Some(value) if value.is_number() => {
                return self.of_box(world, thread, call, args);
            }
            Some(Value::Null | Value::Blank) => return throw("NullPointerException"),
            _ => return Ok(None),
        };
        if call.name() == "desiredAssertionStatus" {
            // Programs run without them, and are to do the same with them.
            return Ok(Some(Value::Number(0)));
        }
        if let Some(known) = self.of_object(world, thread, call, id, args)? {
            return Ok(Some(known));
        }
        let rest = &args[1..];
        match &self.heap.get(id).native {
            Native::Sequence(_) => self.sequence(world, thread, call, id, rest),
            Native::Map(_) => self.map(world, thread, call, id, rest),
            Native::View(map, part) => {
                let (map, part) = (*map, *part);
                self.view(world, thread, call, (id, map, part), rest)
            }
            Native::Entry(map, key, value) => {
                let (map, key, value) = (*map, *key, *value);
                self.entry((world, thread), call, map, (key, value), rest)
            }
            Native::Iterator(_) => self.iterator((world, thread), call, id, rest),
            Native::Cell(value) => {
                let value = *value;
                self.cell(world, thread, call, id, value, rest)
            }
            Native::Array(_) => self.array_method(world, thread, call, id, rest),
            Native::Local(..) => self.local(world, thread, call, id, rest),
            Native::Bits(_) => self.bits(call, id, rest),
            Native::Thread(_) => self.of_thread(call, id, rest),
            Native::Constant(_) => self.of_constant(call, id, rest),
            Native::Function(_) => self.of_function(world, thread, call, id, rest),
            Native::Stream(items) => {
                let items = items.clone();
                self.stream((world, thread), call, items, rest)
            }
            Native::Optional(item) => {
                let item = *item;
                self.optional((world, thread), call, item, rest)
            }
            Native::Comparison(_) => self.comparator((world, thread), call, id, rest),
            Native::Joined(joined) => {
                let joined = *joined;
                self.joined((world, thread), call, id, joined, rest)
            }
            Native::Span(nanos) => {
                let nanos = *nanos;
                self.span(call, id, nanos, rest)
            }
            Native::Unit(nanos) => {
                let nanos = *nanos;
                self.of_unit(thread, call, nanos, rest)
            }
            Native::Text(_) => self.of_text((world, thread), call, id, rest),
            Native::Buffer(_) => self.buffer(world, call, id, rest),
            Native::Stub => self.of_stub(thread, call),
            Native::None | Native::Opaque | Native::Unmade | Native::Mirror => {
                self.of_other(call, id, args)
            }
        }
    }

    /// A method of a function that is not the one it implements: those that interfaces have besides.
    fn of_function(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        match call.name() {
            "reversed" | "thenComparing" | "thenComparingInt" | "thenComparingLong" => {
                self.comparator((world, thread), call, id, args)
            }
            _ => match rest_of_function(id, call, args) {
                Some(joined) => self.new_joined(joined).map(Some),
                None => Self::not_modelled(call),
            },
        }
    }

    /// What something handed in answers. It is ours, so it may answer what we like.
    fn of_stub(&mut self, thread: usize, call: &CallLink) -> Do<Option<Value>> {
        if call.result.is_none() {
            return Ok(None);
        }
        let result = call.method.descriptor.rsplit(')').next().unwrap_or("I");
        self.answer(thread, result).map(Some)
    }

    /// A method of an object nothing is known of.
    fn of_other(&mut self, call: &CallLink, id: ObjectId, args: &[Value]) -> Do<Option<Value>> {
        if call.name() == "<init>" {
            let handed = args[1..].iter().filter_map(|a| match a {
                Value::Object(id) => Some(*id),
                _ => None,
            });
            self.heap.change(id).holds.extend(handed);
            return Ok(None);
        }
        if blocks(&call.method.class, call.name()) {
            return stuck(format!("{} may block", call.full_name()));
        }
        Ok(None)
    }

    /// A method that is not modelled of a class that is.
    fn not_modelled<T>(call: &CallLink) -> Do<T> {
        stuck(format!("{} is not modelled", call.full_name()))
    }
}
