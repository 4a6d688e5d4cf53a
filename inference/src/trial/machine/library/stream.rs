//! Streams, optional values and comparators. A stream here is its elements, and each step is taken
//! at once: nothing that a lock does with one can tell.

use super::super::Machine;
use super::super::halt::{Do, stuck, throw};
use super::super::heap::{Comparison, MOST, Map, Native, Order, Part};
use super::super::link::CallLink;
use super::super::value::{Kind, ObjectId, Value};
use super::super::world::World;

const TEST: (&str, &str, &str) = (
    "java.util.function.Predicate",
    "test",
    "(Ljava/lang/Object;)Z",
);
const APPLY: (&str, &str, &str) = (
    "java.util.function.Function",
    "apply",
    "(Ljava/lang/Object;)Ljava/lang/Object;",
);
const JOIN: (&str, &str, &str) = (
    "java.util.function.BinaryOperator",
    "apply",
    "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
);
pub(super) const ACCEPT: (&str, &str, &str) = (
    "java.util.function.Consumer",
    "accept",
    "(Ljava/lang/Object;)V",
);

/// Where a call comes from.
type At<'w, 'a> = (&'w World<'a>, usize);

impl<'a> Machine<'a> {
    pub(super) fn new_stream(&mut self, items: Vec<Value>) -> Do<Option<Value>> {
        let id = self.allocate("java.util.stream.Stream".into(), Native::Stream(items))?;
        Ok(Some(Value::Object(id)))
    }

    fn new_optional(&mut self, item: Option<Value>) -> Do<Option<Value>> {
        let id = self.allocate("java.util.Optional".into(), Native::Optional(item))?;
        Ok(Some(Value::Object(id)))
    }

    /// A static method of a stream's class.
    pub(super) fn stream_static(&mut self, call: &CallLink, args: &[Value]) -> Do<Option<Value>> {
        match (call.name(), args) {
            ("range" | "rangeClosed", [from, to]) => {
                let (Some(from), Some(to)) = (from.number(), to.number()) else {
                    return stuck("a range that is not known");
                };
                let to = to.saturating_add(i64::from(call.name() == "rangeClosed"));
                if to.saturating_sub(from) > 4_096 {
                    return stuck("a very long range");
                }
                self.new_stream((from..to).map(Value::Number).collect())
            }
            ("empty", []) => self.new_stream(Vec::new()),
            ("of", _) => {
                let items = self.varargs(call, args)?;
                self.new_stream(items)
            }
            _ => Self::not_modelled(call),
        }
    }

    /// A method of a stream.
    pub(super) fn stream(
        &mut self,
        at: At<'_, 'a>,
        call: &CallLink,
        items: Vec<Value>,
        args: &[Value],
    ) -> Do<Option<Value>> {
        match (call.name(), args) {
            ("filter", &[test]) => {
                let kept = self.tested(at, test, &items)?;
                let kept = items.into_iter().zip(kept).filter(|k| k.1).map(|k| k.0);
                self.new_stream(kept.collect())
            }
            ("map" | "mapToInt" | "mapToLong" | "mapToObj", &[function]) => {
                let mut mapped = Vec::with_capacity(items.len());
                for item in items {
                    mapped.push(self.apply(at.0, at.1, function, APPLY, &[item])?);
                }
                self.new_stream(mapped)
            }
            ("flatMap", &[function]) => {
                let mut all = Vec::new();
                for item in items {
                    match self.apply(at.0, at.1, function, APPLY, &[item])? {
                        Value::Object(id) => match &self.heap.get(id).native {
                            Native::Stream(more) if all.len() + more.len() <= MOST => {
                                all.extend(more);
                            }
                            Native::Stream(_) => return stuck("a very long stream"),
                            _ => return stuck("a stream that is not known"),
                        },
                        Value::Null => {}
                        _ => return stuck("a stream that is not known"),
                    }
                }
                self.new_stream(all)
            }
            ("takeWhile" | "dropWhile", &[test]) => {
                let tests = self.tested(at, test, &items)?;
                let end = tests.iter().position(|t| !t).unwrap_or(items.len());
                let part = match call.name() {
                    "takeWhile" => &items[..end],
                    _ => &items[end..],
                };
                self.new_stream(part.to_vec())
            }
            ("peek", &[function]) => {
                self.each(at, function, &items)?;
                self.new_stream(items)
            }
            ("boxed" | "asLongStream" | "parallel" | "sequential" | "unordered" | "stream", []) => {
                self.new_stream(items)
            }
            ("distinct", []) => {
                let mut once = Vec::new();
                for item in items {
                    if self.find(at.0, at.1, &once, item)?.is_none() {
                        once.push(item);
                    }
                }
                self.new_stream(once)
            }
            ("sorted", comparator) => {
                let sorted = self.sorted(at, items, comparator.first().copied())?;
                self.new_stream(sorted)
            }
            ("limit" | "skip", [count]) => {
                let Some(count) = count.number().and_then(|n| usize::try_from(n).ok()) else {
                    return stuck("a part that is not known");
                };
                let count = count.min(items.len());
                let part = match call.name() {
                    "limit" => &items[..count],
                    _ => &items[count..],
                };
                self.new_stream(part.to_vec())
            }
            _ => self.stream_end(at, call, items, args),
        }
    }

    /// What a stream comes to.
    fn stream_end(
        &mut self,
        at: At<'_, 'a>,
        call: &CallLink,
        items: Vec<Value>,
        args: &[Value],
    ) -> Do<Option<Value>> {
        match (call.name(), args) {
            ("anyMatch" | "allMatch" | "noneMatch", &[test]) => {
                let tests = self.tested(at, test, &items)?;
                let flag = match call.name() {
                    "anyMatch" => tests.contains(&true),
                    "allMatch" => !tests.contains(&false),
                    _ => !tests.contains(&true),
                };
                Ok(Some(Value::flag(flag)))
            }
            ("count", []) => Ok(Some(Value::Number(items.len() as i64))),
            ("findFirst" | "findAny", []) => self.new_optional(items.first().copied()),
            ("sum", []) => {
                let numbers: Option<Vec<i64>> = items.iter().map(|i| i.number()).collect();
                let sum = numbers.map(|n| n.into_iter().fold(0, i64::wrapping_add));
                Ok(Some(sum.map_or(Value::Unknown, Value::Number)))
            }
            ("min" | "max", comparator) => {
                let sorted = self.sorted(at, items, comparator.first().copied())?;
                let end = match call.name() {
                    "min" => sorted.first(),
                    _ => sorted.last(),
                };
                self.new_optional(end.copied())
            }
            ("reduce", &[first, function]) => {
                let mut all = first;
                for item in items {
                    all = self.apply(at.0, at.1, function, JOIN, &[all, item])?;
                }
                Ok(Some(all))
            }
            ("forEach" | "forEachOrdered", &[function]) => {
                self.each(at, function, &items).map(|()| None)
            }
            ("toList", []) => self.new_sequence(Order::List, items),
            ("toArray", _) => self.new_array(items),
            ("collect", &[Value::Object(collector)]) => self.collected(at, call, collector, items),
            ("iterator", []) => {
                let list = self.new_sequence(Order::List, items)?;
                match list {
                    Some(Value::Object(id)) => Ok(Some(Value::Object(self.iterate(id)?))),
                    _ => Ok(None),
                }
            }
            ("close" | "onClose", _) => Ok(None),
            _ => Self::not_modelled(call),
        }
    }

    fn collected(
        &mut self,
        at: At<'_, 'a>,
        call: &CallLink,
        collector: ObjectId,
        items: Vec<Value>,
    ) -> Do<Option<Value>> {
        let object = self.heap.get(collector);
        match (&*object.name, &object.native) {
            ("toList" | "toUnmodifiableList", _) => self.new_sequence(Order::List, items),
            ("toSet" | "toUnmodifiableSet", _) => {
                let mut once = Vec::new();
                for item in items {
                    if self.find(at.0, at.1, &once, item)?.is_none() {
                        once.push(item);
                    }
                }
                self.new_sequence(Order::Set, once)
            }
            ("toCollection", Native::Array(args)) => {
                let supplier = args.first().copied().unwrap_or(Value::Unknown);
                let into = self.supplied(at.0, at.1, supplier)?;
                if let Value::Object(id) = into
                    && matches!(self.heap.get(id).native, Native::Unmade)
                {
                    // Elements that differ are in any collection once.
                    return self.new_sequence(Order::List, items);
                }
                for item in items {
                    self.add_to(at.0, at.1, call, into, item)?;
                }
                Ok(Some(into))
            }
            ("counting", _) => Ok(Some(Value::Number(items.len() as i64))),
            ("joining", Native::Array(args)) => {
                let between = match args.as_slice() {
                    [] => Some(Vec::new()),
                    &[between] => self.text(between).and_then(|t| Some(t.whole()?.to_vec())),
                    _ => None,
                };
                between.map_or(Ok(None), |between| self.put_between(&between, &items))
            }
            (name, Native::Array(args)) => {
                let (name, args) = (name.to_owned(), args.clone());
                self.grouped(at, call, (&name, &args), items)
            }
            _ => Self::not_modelled(call),
        }
    }

    /// What collectors with functions of their own make of elements.
    fn grouped(
        &mut self,
        at: At<'_, 'a>,
        call: &CallLink,
        (name, args): (&str, &[Value]),
        items: Vec<Value>,
    ) -> Do<Option<Value>> {
        let keyed = |machine: &mut Self, function: Value, items: &[Value]| {
            let apply = |&item: &Value| machine.apply(at.0, at.1, function, APPLY, &[item]);
            items.iter().map(apply).collect::<Do<Vec<Value>>>()
        };
        match (name, args) {
            ("summingInt" | "summingLong", &[function]) => {
                let numbers = keyed(self, function, &items)?;
                let numbers: Option<Vec<i64>> = numbers.iter().map(|n| n.number()).collect();
                let sum = numbers.map(|n| n.into_iter().fold(0, i64::wrapping_add));
                Ok(sum.map(Value::Number))
            }
            ("mapping", &[function, Value::Object(next)]) => {
                let mapped = keyed(self, function, &items)?;
                self.collected(at, call, next, mapped)
            }
            ("toMap", &[key, value]) => {
                let (keys, values) = (keyed(self, key, &items)?, keyed(self, value, &items)?);
                self.map_with(at, keys.into_iter().zip(values).collect())
            }
            ("groupingBy" | "partitioningBy", [function, next @ ..]) if next.len() < 2 => {
                let keys = keyed(self, *function, &items)?;
                let mut groups: Vec<(Value, Vec<Value>)> = match name {
                    "partitioningBy" => [0, 1].map(|n| (Value::Number(n), Vec::new())).into(),
                    _ => Vec::new(),
                };
                for (key, item) in keys.into_iter().zip(items) {
                    let known: Vec<_> = groups.iter().map(|g| g.0).collect();
                    match self.find(at.0, at.1, &known, key)? {
                        Some(group) => groups[group].1.push(item),
                        None => groups.push((key, vec![item])),
                    }
                }
                let mut entries = Vec::with_capacity(groups.len());
                for (key, items) in groups {
                    let value = match next {
                        [Value::Object(next)] => self.collected(at, call, *next, items)?,
                        _ => self.new_sequence(Order::List, items)?,
                    };
                    entries.push((key, value.unwrap_or(Value::Unknown)));
                }
                self.map_with(at, entries)
            }
            _ => Self::not_modelled(call),
        }
    }

    fn map_with(&mut self, at: At<'_, 'a>, entries: Vec<(Value, Value)>) -> Do<Option<Value>> {
        let keys: Vec<_> = entries.iter().map(|e| e.0).collect();
        for (place, &key) in keys.iter().enumerate() {
            if self.find(at.0, at.1, &keys[..place], key)?.is_some() {
                return throw("IllegalStateException");
            }
        }
        let map = Native::Map(Map {
            entries,
            ..Map::default()
        });
        let made = self.allocate("java.util.HashMap".into(), map)?;
        Ok(Some(Value::Object(made)))
    }

    /// Calls a function on each of these.
    pub(super) fn each(
        &mut self,
        (world, thread): At<'_, 'a>,
        function: Value,
        items: &[Value],
    ) -> Do<()> {
        for &item in items {
            self.apply(world, thread, function, ACCEPT, &[item])?;
        }
        Ok(())
    }

    /// For each of these, whether a test is true of it.
    pub(super) fn tested(
        &mut self,
        (world, thread): At<'_, 'a>,
        test: Value,
        items: &[Value],
    ) -> Do<Vec<bool>> {
        let mut found = Vec::with_capacity(items.len());
        for &item in items {
            match self.apply(world, thread, test, TEST, &[item])?.number() {
                Some(n) => found.push(n != 0),
                None => return stuck("a test whose result is not known"),
            }
        }
        Ok(found)
    }

    /// These in order; equal ones stay as they are.
    pub(super) fn sorted(
        &mut self,
        (world, thread): At<'_, 'a>,
        items: Vec<Value>,
        comparator: Option<Value>,
    ) -> Do<Vec<Value>> {
        let comparator = comparator.filter(|c| c.is_null() != Some(true));
        let mut sorted = Vec::with_capacity(items.len());
        for item in items {
            let place = self.place(world, thread, &sorted, item, comparator)?;
            sorted.insert(place, item);
        }
        Ok(sorted)
    }

    /// A static method of `Optional`.
    pub(super) fn optional_static(&mut self, call: &CallLink, args: &[Value]) -> Do<Option<Value>> {
        match (call.name(), args) {
            ("empty", []) => self.new_optional(None),
            ("of", [Value::Null | Value::Blank]) => throw("NullPointerException"),
            ("of" | "ofNullable", &[item]) => match item.is_null() {
                Some(null) => self.new_optional((!null).then_some(item)),
                None => stuck("an optional that is not known"),
            },
            _ => Self::not_modelled(call),
        }
    }

    /// A method of an optional value.
    pub(super) fn optional(
        &mut self,
        (world, thread): At<'_, 'a>,
        call: &CallLink,
        item: Option<Value>,
        args: &[Value],
    ) -> Do<Option<Value>> {
        match (call.name(), item, args) {
            ("isPresent", ..) => Ok(Some(Value::flag(item.is_some()))),
            ("isEmpty", ..) => Ok(Some(Value::flag(item.is_none()))),
            (name, Some(item), _) if name.starts_with("get") || name.starts_with("orElse") => {
                Ok(Some(item))
            }
            ("orElse", None, &[other]) => Ok(Some(other)),
            ("orElseGet", None, &[supplier]) => self.supplied(world, thread, supplier).map(Some),
            ("orElseThrow", None, [_]) => throw("RuntimeException"),
            (name, None, []) if name.starts_with("get") || name == "orElseThrow" => {
                throw("java.util.NoSuchElementException")
            }
            ("ifPresent", _, &[function]) => {
                let items: Vec<_> = item.into_iter().collect();
                self.each((world, thread), function, &items).map(|()| None)
            }
            ("map" | "filter" | "flatMap", None, _) => self.new_optional(None),
            ("or", Some(item), _) => self.new_optional(Some(item)),
            ("or", None, &[supplier]) => self.supplied(world, thread, supplier).map(Some),
            ("flatMap", Some(item), &[function]) => self
                .apply(world, thread, function, APPLY, &[item])
                .map(Some),
            ("stream", item, []) => self.new_stream(item.into_iter().collect()),
            ("ifPresentOrElse", Some(item), &[function, _]) => {
                self.each((world, thread), function, &[item]).map(|()| None)
            }
            ("ifPresentOrElse", None, &[_, function]) => {
                let run = ("java.lang.Runnable", "run", "()V");
                self.apply(world, thread, function, run, &[]).map(|_| None)
            }
            ("map", Some(item), &[function]) => {
                let mapped = self.apply(world, thread, function, APPLY, &[item])?;
                let null = mapped.is_null() == Some(true);
                self.new_optional((!null).then_some(mapped))
            }
            ("filter", Some(item), &[test]) => {
                let kept = self.tested((world, thread), test, &[item])?;
                self.new_optional(kept.contains(&true).then_some(item))
            }
            _ => Self::not_modelled(call),
        }
    }

    /// A static method of `Comparator`, or of `Collections` that makes one.
    pub(super) fn comparator_static(
        &mut self,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let made = match (call.name(), args) {
            ("naturalOrder", []) => Comparison::Natural,
            ("reverseOrder", []) => Comparison::Reversed(None),
            ("reverseOrder", &[other]) => Comparison::Reversed(Some(other)),
            ("comparing" | "comparingInt" | "comparingLong" | "comparingDouble", &[key]) => {
                Comparison::By(key, None)
            }
            ("comparing", &[key, other]) => Comparison::By(key, Some(other)),
            ("comparingByKey", []) => Comparison::Entry(Part::Keys, None),
            ("comparingByValue", []) => Comparison::Entry(Part::Values, None),
            ("comparingByKey", &[other]) => Comparison::Entry(Part::Keys, Some(other)),
            ("comparingByValue", &[other]) => Comparison::Entry(Part::Values, Some(other)),
            _ => return Self::not_modelled(call),
        };
        self.new_comparator(made)
    }

    fn new_comparator(&mut self, made: Comparison) -> Do<Option<Value>> {
        let id = self.allocate("java.util.Comparator".into(), Native::Comparison(made))?;
        Ok(Some(Value::Object(id)))
    }

    /// A method that every comparator has.
    pub(super) fn comparator(
        &mut self,
        (world, thread): At<'_, 'a>,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let own = Value::Object(id);
        let made = match (call.name(), args) {
            ("compare", &[a, b]) => {
                let order = self.compare(world, thread, a, b, Some(own))?;
                return Ok(Some(Value::Number(order)));
            }
            ("reversed", []) => Comparison::Reversed(Some(own)),
            ("thenComparing", &[other]) if call.method.descriptor.contains("Comparator;)") => {
                Comparison::Then(own, other)
            }
            (name, &[key]) if name.starts_with("thenComparing") => {
                let next = self.new_comparator(Comparison::By(key, None))?;
                Comparison::Then(own, next.unwrap_or(Value::Unknown))
            }
            _ => return Self::not_modelled(call),
        };
        self.new_comparator(made)
    }

    /// How a comparator that the library made orders two values.
    pub(super) fn compared(
        &mut self,
        (world, thread): At<'_, 'a>,
        by: &Comparison,
        a: Value,
        b: Value,
    ) -> Do<i64> {
        match *by {
            Comparison::Natural => self.compare(world, thread, a, b, None),
            Comparison::Reversed(other) => self.compare(world, thread, b, a, other),
            Comparison::By(key, other) => {
                let a = self.apply(world, thread, key, APPLY, &[a])?;
                let b = self.apply(world, thread, key, APPLY, &[b])?;
                self.compare(world, thread, a, b, other)
            }
            Comparison::Entry(part, other) => {
                let (a, b) = (self.of_entry(a, part), self.of_entry(b, part));
                self.compare(world, thread, a, b, other)
            }
            Comparison::Then(first, second) => {
                match self.compare(world, thread, a, b, Some(first))? {
                    0 => self.compare(world, thread, a, b, Some(second)),
                    order => Ok(order),
                }
            }
        }
    }

    /// The key or value of an entry.
    fn of_entry(&self, entry: Value, part: Part) -> Value {
        let Value::Object(id) = entry else {
            return Value::Unknown;
        };
        match self.heap.get(id).native {
            Native::Entry(_, key, _) if part == Part::Keys => key,
            Native::Entry(map, key, seen) => {
                let now = self.entries(map).iter().find(|e| e.0 == key);
                now.map_or(seen, |e| e.1)
            }
            _ => Value::Unknown,
        }
    }

    /// The arguments of a method with a variable number of them.
    pub(super) fn varargs(&mut self, call: &CallLink, args: &[Value]) -> Do<Vec<Value>> {
        let array = call.params.last() == Some(&Kind::Reference)
            && call.method.descriptor.split(')').next().is_some_and(|p| {
                p.ends_with("[Ljava/lang/Object;")
                    || p.ends_with("[Ljava/lang/Enum;")
                    || p.ends_with("[I")
                    || p.ends_with("[J")
            });
        let mut items = args.to_vec();
        if !array {
            return Ok(items);
        }
        match items.pop() {
            Some(Value::Object(id)) => match &self.heap.get(id).native {
                Native::Array(more) => items.extend(more),
                _ => return stuck("items that are not known"),
            },
            _ => return stuck("items that are not known"),
        }
        Ok(items)
    }
}
