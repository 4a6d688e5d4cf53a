//! Maps, their views and entries.

use super::super::Machine;
use super::super::halt::{Do, stuck, throw};
use super::super::heap::{Map, Native, Part};
use super::super::link::CallLink;
use super::super::value::{ObjectId, Value};
use super::super::world::World;

const UNARY: &str = "(Ljava/lang/Object;)Ljava/lang/Object;";
const BINARY: &str = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";

impl<'a> Machine<'a> {
    /// A method of a map.
    pub(super) fn map(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        if let Some(done) = self.whole_map(call, id, args)? {
            return Ok(done);
        }
        let Some((&key, rest)) = args.split_first() else {
            return self.end_of_map(call, id);
        };
        if call.name() == "containsValue" {
            let values = self.part(id, Part::Values)?;
            return Ok(Some(Value::flag(
                self.find(world, thread, &values, key)?.is_some(),
            )));
        }
        if matches!(call.name(), "forEach" | "replaceAll") {
            return self.each_entry((world, thread), call, id, key);
        }
        let at = self.find_key(world, thread, id, key)?;
        let old = at.map_or(Value::Null, |at| self.entries(id)[at].1);
        let absent = old.is_null() == Some(true);
        let (new, result) = match (call.name(), rest) {
            ("get", []) => return Ok(Some(old)),
            ("getOrDefault", [default]) => {
                return Ok(Some(if at.is_some() { old } else { *default }));
            }
            ("containsKey" | "contains", []) => return Ok(Some(Value::flag(at.is_some()))),
            ("put" | "replace", [value]) if call.name() == "put" || at.is_some() => (*value, old),
            ("replace", [_]) => return Ok(Some(Value::Null)),
            ("putIfAbsent", [value]) if absent => (*value, old),
            ("putIfAbsent", [_]) => return Ok(Some(old)),
            ("remove", []) => (Value::Null, old),
            ("remove", &[value]) => {
                let same = at.is_some() && self.equal(world, thread, old, value)?;
                if !same {
                    return Ok(Some(Value::Number(0)));
                }
                (Value::Null, Value::Number(1))
            }
            ("computeIfAbsent", _) if !absent => return Ok(Some(old)),
            ("computeIfPresent", _) if absent => return Ok(Some(Value::Null)),
            ("merge", [value, _]) if absent => (*value, *value),
            ("computeIfAbsent" | "computeIfPresent" | "compute" | "merge", rest) => {
                let new = self.computed(world, thread, call, (key, old), rest)?;
                (new, new)
            }
            _ => return Self::not_modelled(call),
        };
        self.set_entry(world, thread, id, at, (key, new))?;
        Ok(Some(result))
    }

    fn computed(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        (key, old): (Value, Value),
        rest: &[Value],
    ) -> Do<Value> {
        let function = rest.last().copied().unwrap_or(Value::Unknown);
        let (descriptor, args) = match (call.name(), rest) {
            ("computeIfAbsent", _) => (UNARY, vec![key]),
            ("merge", [value, _]) => (BINARY, vec![old, *value]),
            _ => (BINARY, vec![key, old]),
        };
        self.apply(
            world,
            thread,
            function,
            ("java.util.function.Function", "apply", descriptor),
            &args,
        )
    }

    /// `forEach` and `replaceAll`.
    fn each_entry(
        &mut self,
        (world, thread): (&World<'a>, usize),
        call: &CallLink,
        id: ObjectId,
        function: Value,
    ) -> Do<Option<Value>> {
        let replaces = call.name() == "replaceAll";
        let signature = match replaces {
            true => ("java.util.function.BiFunction", "apply", BINARY),
            false => (
                "java.util.function.BiConsumer",
                "accept",
                "(Ljava/lang/Object;Ljava/lang/Object;)V",
            ),
        };
        for (key, value) in self.entries(id).to_vec() {
            let new = self.apply(world, thread, function, signature, &[key, value])?;
            if replaces {
                let at = self.find_key(world, thread, id, key)?;
                self.set_entry(world, thread, id, at, (key, new))?;
            }
        }
        Ok(None)
    }

    /// Methods that concern all entries. None: it is none of them.
    fn whole_map(
        &mut self,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Option<Value>>> {
        let length = self.entries(id).len() as i64;
        let view = |part| Native::View(id, part);
        let made = match (call.name(), args.len()) {
            ("size", 0) => return Ok(Some(Some(Value::Number(length)))),
            ("isEmpty", 0) => return Ok(Some(Some(Value::flag(length == 0)))),
            ("clear", 0) => {
                self.change_entries(id, Vec::clear);
                return Ok(Some(None));
            }
            ("toString", 0) => return Ok(Some(None)),
            ("<init>", _) => {
                self.new_map_from(call, id, args)?;
                return Ok(Some(None));
            }
            ("putAll", 1) => {
                self.copy_entries(id, args[0])?;
                return Ok(Some(None));
            }
            ("keySet" | "navigableKeySet" | "keys", 0) => view(Part::Keys),
            ("values" | "elements", 0) => view(Part::Values),
            ("entrySet", 0) => view(Part::Entries),
            _ => return Ok(None),
        };
        let enumerated = matches!(call.name(), "keys" | "elements");
        let view = self.allocate("java.util.Collection".into(), made)?;
        let result = if enumerated {
            self.iterate(view)?
        } else {
            view
        };
        Ok(Some(Some(Value::Object(result))))
    }

    fn new_map_from(&mut self, call: &CallLink, id: ObjectId, args: &[Value]) -> Do<()> {
        match args {
            [value] if call.method.descriptor.contains("Comparator") => {
                if let Native::Map(map) = &mut self.heap.change(id).native {
                    map.comparator = (value.is_null() != Some(true)).then_some(*value);
                }
                Ok(())
            }
            [value] if call.method.descriptor.contains("Map;") => self.copy_entries(id, *value),
            _ => Ok(()),
        }
    }

    fn copy_entries(&mut self, id: ObjectId, from: Value) -> Do<()> {
        let Value::Object(from) = from else {
            return stuck("a copy of what is not known");
        };
        let Native::Map(Map { entries, .. }) = &self.heap.get(from).native else {
            return stuck("a copy of what is not known");
        };
        let copied = entries.clone();
        if !self.entries(id).is_empty() {
            return stuck("a map put into another");
        }
        self.change_entries(id, |entries| *entries = copied);
        Ok(())
    }

    /// `firstKey`, `pollFirstEntry` and the like.
    fn end_of_map(&mut self, call: &CallLink, id: ObjectId) -> Do<Option<Value>> {
        let name = call.name();
        let last = name.contains("ast");
        let sorted = matches!(&self.heap.get(id).native, Native::Map(m) if m.sorted);
        let known = matches!(
            name,
            "firstKey"
                | "lastKey"
                | "firstEntry"
                | "lastEntry"
                | "pollFirstEntry"
                | "pollLastEntry"
        );
        if !known || !sorted {
            return Self::not_modelled(call);
        }
        let entries = self.entries(id);
        let found = if last {
            entries.last()
        } else {
            entries.first()
        };
        let Some(&(key, value)) = found else {
            return if name.ends_with("Key") {
                throw("java.util.NoSuchElementException")
            } else {
                Ok(Some(Value::Null))
            };
        };
        if name.ends_with("Key") {
            return Ok(Some(key));
        }
        if !name.starts_with("poll") {
            return Ok(Some(self.entry_object(id, key)?));
        }
        self.change_entries(id, |entries| {
            entries.remove(if last { entries.len() - 1 } else { 0 });
        });
        let alone = Map {
            entries: vec![(key, value)],
            ..Map::default()
        };
        let alone = self.allocate("java.util.Map".into(), Native::Map(alone))?;
        Ok(Some(self.entry_object(alone, key)?))
    }

    fn entry_object(&mut self, map: ObjectId, key: Value) -> Do<Value> {
        let entry = self.allocate("java.util.Map$Entry".into(), Native::Entry(map, key))?;
        Ok(Value::Object(entry))
    }

    /// A method of an entry.
    pub(super) fn entry(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        map: ObjectId,
        key: Value,
        args: &[Value],
    ) -> Do<Option<Value>> {
        match (call.name(), args) {
            ("getKey", []) => Ok(Some(key)),
            ("getValue", []) => {
                let at = self.find_key(world, thread, map, key)?;
                Ok(at.map(|at| self.entries(map)[at].1))
            }
            ("setValue", [value]) => {
                let at = self.find_key(world, thread, map, key)?;
                let old = at.map(|at| self.entries(map)[at].1);
                self.set_entry(world, thread, map, at, (key, *value))?;
                Ok(old)
            }
            _ => Self::not_modelled(call),
        }
    }

    /// A method of a view of a map.
    pub(super) fn view(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        map: ObjectId,
        part: Part,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let items = self.part(map, part)?;
        match (call.name(), args) {
            ("size", []) => Ok(Some(Value::Number(items.len() as i64))),
            ("isEmpty", []) => Ok(Some(Value::flag(items.is_empty()))),
            ("contains", &[item]) => Ok(Some(Value::flag(
                self.find(world, thread, &items, item)?.is_some(),
            ))),
            ("remove", &[item]) => {
                let at = self.find(world, thread, &items, item)?;
                if let Some(at) = at {
                    self.change_entries(map, |entries| {
                        entries.remove(at);
                    });
                }
                Ok(Some(Value::flag(at.is_some())))
            }
            ("clear", []) => {
                self.change_entries(map, Vec::clear);
                Ok(None)
            }
            ("stream", []) => self.new_stream(items),
            ("forEach", &[function]) => self.each((world, thread), function, &items).map(|()| None),
            ("toArray", _) => self.new_array(items),
            ("containsAll", &[other]) => {
                for item in self.elements(other)? {
                    if self.find(world, thread, &items, item)?.is_none() {
                        return Ok(Some(Value::Number(0)));
                    }
                }
                Ok(Some(Value::Number(1)))
            }
            ("removeIf", &[test]) => {
                let gone = self.tested((world, thread), test, &items)?;
                let any = gone.contains(&true);
                let mut gone = gone.into_iter();
                self.change_entries(map, |entries| {
                    entries.retain(|_| !gone.next().unwrap_or(false));
                });
                Ok(Some(Value::flag(any)))
            }
            ("iterator", []) => {
                let iterator = super::super::heap::Iterator {
                    items,
                    next: 0,
                    source: map,
                };
                let id = self.allocate("java.util.Iterator".into(), Native::Iterator(iterator))?;
                Ok(Some(Value::Object(id)))
            }
            _ => Self::not_modelled(call),
        }
    }

    /// The elements a view of a map shows.
    pub(super) fn part(&mut self, map: ObjectId, part: Part) -> Do<Vec<Value>> {
        let entries = self.entries(map).to_vec();
        let mut out = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            out.push(match part {
                Part::Keys => key,
                Part::Values => value,
                Part::Entries => self.entry_object(map, key)?,
            });
        }
        Ok(out)
    }

    fn entries(&self, id: ObjectId) -> &[(Value, Value)] {
        match &self.heap.get(id).native {
            Native::Map(map) => &map.entries,
            _ => &[],
        }
    }

    pub(super) fn change_entries(
        &mut self,
        id: ObjectId,
        change: impl FnOnce(&mut Vec<(Value, Value)>),
    ) {
        self.changes += 1;
        if let Native::Map(map) = &mut self.heap.change(id).native {
            change(&mut map.entries);
        }
    }

    fn find_key(
        &mut self,
        world: &World<'a>,
        thread: usize,
        id: ObjectId,
        key: Value,
    ) -> Do<Option<usize>> {
        let keys: Vec<_> = self.entries(id).iter().map(|e| e.0).collect();
        self.find(world, thread, &keys, key)
    }

    /// Sets or (to `null`) removes the value at a key, which is at `at` if it is there.
    fn set_entry(
        &mut self,
        world: &World<'a>,
        thread: usize,
        id: ObjectId,
        at: Option<usize>,
        (key, value): (Value, Value),
    ) -> Do<()> {
        let removed = value.is_null() == Some(true);
        match (at, removed) {
            (Some(at), true) => self.change_entries(id, |e| {
                e.remove(at);
            }),
            (Some(at), false) => self.change_entries(id, |e| e[at].1 = value),
            (None, true) => {}
            (None, false) => {
                let at = self.place_of_key(world, thread, id, key)?;
                self.change_entries(id, |e| e.insert(at, (key, value)));
            }
        }
        Ok(())
    }

    fn place_of_key(
        &mut self,
        world: &World<'a>,
        thread: usize,
        id: ObjectId,
        key: Value,
    ) -> Do<usize> {
        let Native::Map(map) = &self.heap.get(id).native else {
            return Ok(0);
        };
        if !map.sorted {
            return Ok(map.entries.len());
        }
        let comparator = map.comparator;
        let keys: Vec<_> = map.entries.iter().map(|e| e.0).collect();
        self.place(world, thread, &keys, key, comparator)
    }
}
