//! Static methods of the library.

use super::super::Machine;
use super::super::halt::{Do, stuck, throw};
use super::super::heap::{Map, Native, Order, Sequence};
use super::super::link::CallLink;
use super::super::value::{Kind, ObjectId, Value};
use super::super::world::World;
use locklens_trace::ClassId;

impl<'a> Machine<'a> {
    /// A static method of the library.
    pub(super) fn library_static(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Option<Value>> {
        match call.method.class.as_str() {
            "java.lang.Thread" => self.thread_static(thread, call, args),
            "java.lang.System" => self.system(thread, call, args),
            "java.lang.Math"
            | "java.lang.Integer"
            | "java.lang.Long"
            | "java.lang.Boolean"
            | "java.lang.Short"
            | "java.lang.Byte"
            | "java.lang.Float"
            | "java.lang.Double"
            | "java.lang.Character" => self.numeric(world, call, args),
            "java.lang.String" => self.text_static(world, call, args),
            "java.lang.Enum" if call.name() == "valueOf" => {
                self.constant_named(world, thread, args)
            }
            "java.util.Objects" => self.objects(world, thread, call, args),
            "java.util.Collections" => self.collections(world, thread, call, args),
            "java.util.Arrays" => self.arrays(world, thread, call, args),
            "java.util.List" | "java.util.Set" if call.name() == "of" => self.of_items(call, args),
            "java.util.List" | "java.util.Set" if call.name() == "copyOf" => {
                let items = self.elements(args.first().copied().unwrap_or(Value::Unknown))?;
                self.new_sequence(Order::List, items)
            }
            "java.util.Map" if matches!(call.name(), "of" | "copyOf") => self.map_of(call, args),
            "java.util.EnumSet" => self.enum_set(world, thread, call, args),
            "java.util.stream.IntStream"
            | "java.util.stream.LongStream"
            | "java.util.stream.Stream" => self.stream_static(call, args),
            "java.util.stream.Collectors" => {
                let made = self.allocate(call.name().into(), Native::Array(args.to_vec()))?;
                Ok(Some(Value::Object(made)))
            }
            "java.util.Optional" | "java.util.OptionalInt" | "java.util.OptionalLong" => {
                self.optional_static(call, args)
            }
            "java.util.Comparator" => self.comparator_static(call, args),
            "java.util.Map$Entry" if call.name().starts_with("comparing") => {
                self.comparator_static(call, args)
            }
            "java.util.Map" if call.name() == "entry" => match *args {
                [key, value] => self.lone_entry(key, value).map(Some),
                _ => Self::not_modelled(call),
            },
            "java.time.Duration" | "java.time.Instant" => self.span_static(thread, call, args),
            class if class.starts_with("java.util.function.") => self.function_static(call, args),
            "java.lang.ThreadLocal" => self.with_initial(args),
            "java.util.concurrent.locks.LockSupport" => stuck("parks"),
            "java.util.concurrent.ConcurrentHashMap" => self.new_sequence(Order::Set, Vec::new()),
            _ => Ok(None),
        }
    }

    fn thread_static(
        &mut self,
        thread: usize,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Option<Value>> {
        Ok(match (call.name(), args) {
            ("currentThread", _) => Some(Value::Object(self.threads[thread].object)),
            ("interrupted", _) => {
                let was = std::mem::take(&mut self.threads[thread].interrupted);
                Some(Value::flag(was))
            }
            ("holdsLock", [Value::Object(id)]) => {
                let monitor = self.heap.get(*id).monitor;
                Some(Value::flag(monitor.is_some_and(|m| m.0 == thread)))
            }
            ("sleep", [time, ..]) => {
                let nanos = time.number().unwrap_or(1).clamp(0, 1 << 20) * 1_000_000;
                let of = &mut self.threads[thread];
                of.now = of.now.saturating_add(nanos);
                self.latest = self.latest.max(of.now);
                None
            }
            _ => None,
        })
    }

    fn system(&mut self, thread: usize, call: &CallLink, args: &[Value]) -> Do<Option<Value>> {
        let now = self.threads[thread].now;
        Ok(match (call.name(), args) {
            ("nanoTime", _) => Some(Value::Number(now)),
            ("currentTimeMillis", _) => Some(Value::Number(now / 1_000_000)),
            ("identityHashCode", [Value::Object(id)]) => Some(Value::Number(i64::from(id.0))),
            ("arraycopy", &[from, at, to, start, count]) => {
                self.copy_array((from, at), (to, start), count)?;
                None
            }
            _ => None,
        })
    }

    fn copy_array(
        &mut self,
        (from, at): (Value, Value),
        (to, start): (Value, Value),
        count: Value,
    ) -> Do<()> {
        let (Value::Object(from), Value::Object(to)) = (from, to) else {
            return stuck("copies an array that is not known");
        };
        let numbers = (at.number(), start.number(), count.number());
        let (Some(at), Some(start), Some(count)) = numbers else {
            return stuck("copies a part that is not known");
        };
        let items = self.part_of(from, at, count)?;
        let Native::Array(target) = &mut self.heap.change(to).native else {
            return stuck("copies an array that is not known");
        };
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let end = start.saturating_add(items.len());
        match target.get_mut(start..end) {
            Some(slots) => slots.copy_from_slice(&items),
            None => return throw("ArrayIndexOutOfBoundsException"),
        }
        Ok(())
    }

    fn part_of(&self, array: ObjectId, at: i64, count: i64) -> Do<Vec<Value>> {
        let Native::Array(items) = &self.heap.get(array).native else {
            return stuck("copies an array that is not known");
        };
        let start = usize::try_from(at).unwrap_or(usize::MAX);
        let end = start.saturating_add(usize::try_from(count).unwrap_or(usize::MAX));
        match items.get(start..end) {
            Some(part) => Ok(part.to_vec()),
            None => throw("ArrayIndexOutOfBoundsException"),
        }
    }

    fn objects(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Option<Value>> {
        Ok(match (call.name(), args) {
            ("requireNonNull", [Value::Null | Value::Blank, ..]) => {
                return throw("NullPointerException");
            }
            ("requireNonNull", [value, ..]) => Some(*value),
            ("equals", &[a, b]) => Some(Value::flag(self.equal(world, thread, a, b)?)),
            ("isNull", [value]) => value.is_null().map(Value::flag),
            ("nonNull", [value]) => value.is_null().map(|n| Value::flag(!n)),
            ("requireNonNullElse", [value, other]) => {
                value.is_null().map(|n| if n { *other } else { *value })
            }
            ("hashCode", [Value::Null | Value::Blank]) => Some(Value::Number(0)),
            ("hashCode", [value]) => value.number().map(Value::Number),
            // Equal ones have equal hashes, whichever.
            ("hash", _) => Some(Value::Number(1)),
            ("toString", [Value::Null | Value::Blank]) => {
                Some(self.new_text(&super::super::text::units("null"))?)
            }
            ("requireNonNullElseGet", &[value, supplier]) => match value.is_null() {
                Some(true) => Some(self.supplied(world, thread, supplier)?),
                Some(false) => Some(value),
                None => None,
            },
            ("compare", &[a, b, order]) => {
                let order = self.compare(world, thread, a, b, Some(order))?;
                Some(Value::Number(order))
            }
            ("checkIndex", [index, length]) => match (index.number(), length.number()) {
                (Some(i), Some(n)) if (0..n).contains(&i) => Some(*index),
                (Some(_), Some(_)) => return throw("IndexOutOfBoundsException"),
                _ => return stuck("an index that is not known"),
            },
            _ => None,
        })
    }

    fn collections(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let name = call.name();
        if name.starts_with("synchronized") || name.starts_with("unmodifiable") {
            return Ok(args.first().copied());
        }
        match name {
            "emptyList" => self.new_sequence(Order::List, Vec::new()),
            "emptySet" | "newSetFromMap" => self.new_sequence(Order::Set, Vec::new()),
            "emptyMap" => self.new_map(),
            "singletonMap" => self.map_of(call, args),
            "singleton" => self.new_sequence(Order::Set, args.to_vec()),
            "singletonList" => self.new_sequence(Order::List, args.to_vec()),
            "reverseOrder" => self.comparator_static(call, args),
            "nCopies" => match args {
                [count, item] => match count.number() {
                    Some(n @ 0..=4_096) => self.new_sequence(Order::List, vec![*item; n as usize]),
                    _ => stuck("copies without number"),
                },
                _ => Self::not_modelled(call),
            },
            "addAll" => {
                let items = self.varargs(call, args)?;
                let Some((&to, items)) = items.split_first() else {
                    return Self::not_modelled(call);
                };
                for &item in items {
                    self.add_to(world, thread, call, to, item)?;
                }
                Ok(Some(Value::flag(!items.is_empty())))
            }
            "sort" | "max" | "min" => {
                let list = args.first().copied().unwrap_or(Value::Unknown);
                let items = self.elements(list)?;
                let sorted = self.sorted((world, thread), items, args.get(1).copied())?;
                match name {
                    "max" => Ok(sorted.last().copied()),
                    "min" => Ok(sorted.first().copied()),
                    _ => self.set_elements(list, sorted).map(|()| None),
                }
            }
            "swap" | "reverse" | "rotate" => {
                let list = args.first().copied().unwrap_or(Value::Unknown);
                let mut items = self.elements(list)?;
                let length = items.len() as i64;
                let number = |at: usize| args.get(at).and_then(|a| a.number());
                match (name, number(1), number(2)) {
                    ("reverse", ..) => items.reverse(),
                    ("rotate", Some(by), _) if length > 0 => {
                        items.rotate_right(by.rem_euclid(length) as usize);
                    }
                    ("rotate", Some(_), _) => {}
                    ("swap", Some(a), Some(b)) => {
                        let inside = |n: &i64| (0..length).contains(n);
                        if !inside(&a) || !inside(&b) {
                            return throw("IndexOutOfBoundsException");
                        }
                        items.swap(a as usize, b as usize);
                    }
                    _ => return stuck("an index that is not known"),
                }
                self.set_elements(list, items).map(|()| None)
            }
            "frequency" => match *args {
                [list, item] => {
                    let mut times = 0;
                    for other in self.elements(list)? {
                        times += i64::from(self.equal(world, thread, item, other)?);
                    }
                    Ok(Some(Value::Number(times)))
                }
                _ => Self::not_modelled(call),
            },
            _ => Self::not_modelled(call),
        }
    }

    fn of_items(&mut self, call: &CallLink, args: &[Value]) -> Do<Option<Value>> {
        let items = match (call.method.descriptor.starts_with("(["), args) {
            (true, [Value::Object(id)]) => match &self.heap.get(*id).native {
                Native::Array(items) => items.clone(),
                _ => return stuck("a list of what is not known"),
            },
            _ => args.to_vec(),
        };
        let set = call.method.class == "java.util.Set";
        self.new_sequence(if set { Order::Set } else { Order::List }, items)
    }

    pub(super) fn new_sequence(&mut self, order: Order, items: Vec<Value>) -> Do<Option<Value>> {
        let native = Native::Sequence(Sequence {
            items,
            order,
            ..Sequence::default()
        });
        let id = self.allocate("java.util.Collection".into(), native)?;
        Ok(Some(Value::Object(id)))
    }

    fn new_map(&mut self) -> Do<Option<Value>> {
        let id = self.allocate("java.util.Map".into(), Native::Map(Map::default()))?;
        Ok(Some(Value::Object(id)))
    }

    fn arrays(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let items = match args.first() {
            Some(Value::Object(id)) => match &self.heap.get(*id).native {
                Native::Array(items) => Some((*id, items.clone())),
                _ => None,
            },
            _ => None,
        };
        let Some((id, mut items)) = items else {
            return Ok(None);
        };
        match (call.name(), args) {
            ("asList", _) => return self.new_sequence(Order::List, items),
            ("stream", [_]) => return self.new_stream(items),
            ("sort", &[_]) => items = self.sorted((world, thread), items, None)?,
            ("sort", &[_, comparator]) if call.params.get(1) == Some(&Kind::Reference) => {
                items = self.sorted((world, thread), items, Some(comparator))?;
            }
            ("equals", &[_, Value::Object(other)]) => {
                let others = match &self.heap.get(other).native {
                    Native::Array(others) => others.clone(),
                    _ => return stuck("an array that is not known"),
                };
                let same = self.all_equal((world, thread), &items, &others)?;
                return Ok(Some(Value::flag(same)));
            }
            ("setAll", &[_, function]) => {
                let signature = (
                    "java.util.function.IntFunction",
                    "apply",
                    "(I)Ljava/lang/Object;",
                );
                for (at, item) in (0..).zip(&mut items) {
                    *item = self.apply(world, thread, function, signature, &[Value::Number(at)])?;
                }
            }
            ("binarySearch", &[_, value]) => {
                return self.searched((world, thread), &items, value).map(Some);
            }
            ("stream", [_, from, to]) => {
                let (Some(from), Some(to)) = (from.number(), to.number()) else {
                    return stuck("a part that is not known");
                };
                let part = self.part_of(id, from, to.saturating_sub(from))?;
                return self.new_stream(part);
            }
            ("fill", &[_, value]) => items.fill(value),
            ("fill", &[_, from, to, value]) => match (from.number(), to.number()) {
                (Some(from), Some(to)) if 0 <= from && from <= to && to <= items.len() as i64 => {
                    items[from as usize..to as usize].fill(value);
                }
                _ => return stuck("fills a part that is not known"),
            },
            ("copyOf", [_, length]) => match length.number() {
                Some(length @ 0..=65_536) => {
                    items.resize(length as usize, Value::Blank);
                    return self.new_array(items);
                }
                _ => return stuck("copies a part that is not known"),
            },
            ("copyOfRange", [_, from, to]) => match (from.number(), to.number()) {
                (Some(from), Some(to)) => {
                    let part = self.part_of(id, from, to.saturating_sub(from))?;
                    return self.new_array(part);
                }
                _ => return stuck("copies a part that is not known"),
            },
            ("toString" | "hashCode", _) => return Ok(None),
            _ => return Self::not_modelled(call),
        }
        self.changes += 1;
        self.heap.change(id).native = Native::Array(items);
        Ok(None)
    }

    /// Where something is in a sorted array, or where it belonged.
    fn searched(
        &mut self,
        (world, thread): (&World<'a>, usize),
        items: &[Value],
        value: Value,
    ) -> Do<Value> {
        let (mut low, mut high) = (0, items.len());
        while low < high {
            let middle = (low + high - 1) / 2;
            match self.compare(world, thread, items[middle], value, None)? {
                0 => return Ok(Value::Number(middle as i64)),
                order if order < 0 => low = middle + 1,
                _ => high = middle,
            }
        }
        Ok(Value::Number(-(low as i64) - 1))
    }

    fn map_of(&mut self, call: &CallLink, args: &[Value]) -> Do<Option<Value>> {
        let entries = match (call.name(), args) {
            ("of" | "singletonMap", _) => args
                .chunks_exact(2)
                .map(|pair| (pair[0], pair[1]))
                .collect(),
            (_, [Value::Object(id)]) => match &self.heap.get(*id).native {
                Native::Map(map) => map.entries.clone(),
                _ => return stuck("a copy of what is not known"),
            },
            _ => return stuck("a copy of what is not known"),
        };
        let map = Native::Map(Map {
            entries,
            ..Map::default()
        });
        let id = self.allocate("java.util.Map".into(), map)?;
        Ok(Some(Value::Object(id)))
    }

    fn enum_set(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let items = match (call.name(), args) {
            ("noneOf", _) => Vec::new(),
            ("allOf", &[Value::Object(mirror)]) => {
                let name = self.mirrored(mirror);
                let class = name.and_then(|n| world.program.classes.named(&n, None));
                match class {
                    Some(class) => self.constants(world, thread, class)?,
                    None => return stuck("an enum that is not known"),
                }
            }
            ("range", &[from, to]) => {
                let all = self.constants_like(world, thread, from)?;
                let at = |v: Value| all.iter().position(|&c| c == v);
                match (at(from), at(to)) {
                    (Some(from), Some(to)) if from <= to => all[from..=to].to_vec(),
                    _ => return throw("IllegalArgumentException"),
                }
            }
            ("complementOf", &[set]) => {
                let without = self.elements(set)?;
                let Some(&first) = without.first() else {
                    return stuck("an enum that is not known");
                };
                let all = self.constants_like(world, thread, first)?;
                all.into_iter().filter(|c| !without.contains(c)).collect()
            }
            ("copyOf", &[set]) => self.elements(set)?,
            ("of", _) => self.varargs(call, args)?,
            _ => return Self::not_modelled(call),
        };
        let items = self.sorted((world, thread), items, None)?;
        self.new_sequence(Order::SortedSet, items)
    }

    /// `Enum.valueOf`.
    fn constant_named(
        &mut self,
        world: &World<'a>,
        thread: usize,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let &[Value::Object(mirror), name] = args else {
            return Ok(None);
        };
        let class = self.mirrored(mirror);
        let class = class.and_then(|n| world.program.classes.named(&n, None));
        let name = self
            .text(name)
            .and_then(|t| String::from_utf16(t.whole()?).ok());
        let (Some(class), Some(name)) = (class, name) else {
            return Ok(None);
        };
        let all = self.constants(world, thread, class)?;
        let names: Option<Vec<_>> = all.iter().map(|&c| self.constant_name(c)).collect();
        match names.map(|names| names.iter().position(|n| *n == name)) {
            Some(Some(at)) => Ok(Some(all[at])),
            Some(None) => throw("IllegalArgumentException"),
            None => Ok(None),
        }
    }

    /// The constants of the enum of which this is one.
    fn constants_like(
        &mut self,
        world: &World<'a>,
        thread: usize,
        constant: Value,
    ) -> Do<Vec<Value>> {
        let class = match constant {
            Value::Object(id) => self.heap.get(id).class,
            _ => None,
        };
        let chain = class.map_or(&[][..], |c| world.program.classes.chain(c));
        // A constant with a body of its own has a class of its own, below that of the enum.
        let direct = |c: &&ClassId| {
            let above = world
                .program
                .classes
                .get(**c)
                .and_then(|d| d.super_name.as_deref());
            above == Some("java.lang.Enum")
        };
        match chain.iter().find(direct) {
            Some(&class) => self.constants(world, thread, class),
            None => stuck("an enum that is not known"),
        }
    }

    pub(in super::super) fn new_array(&mut self, items: Vec<Value>) -> Do<Option<Value>> {
        let id = self.allocate("[".into(), Native::Array(items))?;
        Ok(Some(Value::Object(id)))
    }

    fn with_initial(&mut self, args: &[Value]) -> Do<Option<Value>> {
        let local = Native::Local(Vec::new(), args.first().copied());
        let id = self.allocate("java.lang.ThreadLocal".into(), local)?;
        Ok(Some(Value::Object(id)))
    }

    /// What a supplier gives.
    pub(super) fn supplied(
        &mut self,
        world: &World<'a>,
        thread: usize,
        supplier: Value,
    ) -> Do<Value> {
        let signature = ("java.util.function.Supplier", "get", "()Ljava/lang/Object;");
        self.apply(world, thread, supplier, signature, &[])
    }
}
