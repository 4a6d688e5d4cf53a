//! Maps, their views and entries.

use super::super::Machine;
use super::super::halt::{Do, stuck, throw};
use super::super::heap::{Comparison, Map, Native, Order, Part};
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
        self.refresh(id)?;
        let result = self.of_map(world, thread, call, id, args);
        self.write_back(id);
        result
    }

    fn of_map(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        if let Some(done) = self.whole_map(world, thread, call, id, args)? {
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
        if let Some(found) = self.navigated((world, thread), call, id, args)? {
            return Ok(Some(found));
        }
        let at = self.find_key(world, thread, id, key)?;
        let at = at.map(|at| self.use_entry(id, at));
        let old = at.and_then(|at| self.entries(id).get(at)).map(|e| e.1);
        let old = old.unwrap_or(Value::Null);
        let absent = old.is_null() == Some(true);
        let (new, result) = match (call.name(), rest) {
            ("get" | "getProperty", []) => return Ok(Some(old)),
            ("getOrDefault" | "getProperty", [default]) => {
                return Ok(Some(if at.is_some() { old } else { *default }));
            }
            ("containsKey" | "contains", []) => return Ok(Some(Value::flag(at.is_some()))),
            ("put" | "setProperty", [value]) => (Some(*value), old),
            ("replace", [value]) if at.is_some() => (Some(*value), old),
            ("replace", [_]) => return Ok(Some(Value::Null)),
            ("replace", &[expected, value]) => {
                let same = at.is_some() && self.equal(world, thread, old, expected)?;
                if !same {
                    return Ok(Some(Value::Number(0)));
                }
                (Some(value), Value::Number(1))
            }
            ("putIfAbsent", [value]) if absent => (Some(*value), old),
            ("putIfAbsent", [_]) => return Ok(Some(old)),
            ("remove", []) => (None, old),
            ("remove", &[value]) => {
                let same = at.is_some() && self.equal(world, thread, old, value)?;
                if !same {
                    return Ok(Some(Value::Number(0)));
                }
                (None, Value::Number(1))
            }
            ("computeIfAbsent", _) if !absent => return Ok(Some(old)),
            ("computeIfPresent", _) if absent => return Ok(Some(Value::Null)),
            ("merge", [value, _]) if absent => (Some(*value), *value),
            ("computeIfAbsent" | "computeIfPresent" | "compute" | "merge", rest) => {
                let keys = |machine: &Self| -> Vec<Value> {
                    machine.entries(id).iter().map(|entry| entry.0).collect()
                };
                let before = keys(self);
                let new = self.computed(world, thread, call, (key, old), rest)?;
                // A later JVM throws, an earlier one does whatever comes of it.
                if keys(self) != before {
                    return stuck("a map that its own function changes");
                }
                let kept = new.is_null() != Some(true);
                (kept.then_some(new), new)
            }
            _ => return Self::not_modelled(call),
        };
        self.set_entry(world, thread, id, at, (key, new))?;
        if at.is_none() && new.is_some() {
            self.evict(world, thread, id)?;
        }
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
                self.set_entry(world, thread, id, at, (key, Some(new)))?;
            }
        }
        Ok(None)
    }

    /// Methods that concern all entries. None: it is none of them.
    fn whole_map(
        &mut self,
        world: &World<'a>,
        thread: usize,
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
                self.new_map_from((world, thread), call, id, args)?;
                return Ok(Some(None));
            }
            ("putAll", 1) => {
                self.copy_entries((world, thread), id, args[0])?;
                return Ok(Some(None));
            }
            ("equals", 1) => {
                let same = self.equal(world, thread, Value::Object(id), args[0])?;
                return Ok(Some(Some(Value::flag(same))));
            }
            ("descendingMap", 0) => {
                // A copy: who changes one of the two does not look at the other.
                let Native::Map(map) = &self.heap.get(id).native else {
                    return Ok(None);
                };
                let mut map = Map {
                    part: None,
                    ..map.clone()
                };
                map.entries.reverse();
                let reversed = Native::Comparison(Comparison::Reversed(map.comparator));
                let reversed = self.allocate("java.util.Comparator".into(), reversed)?;
                map.comparator = Some(Value::Object(reversed));
                Native::Map(map)
            }
            ("descendingKeySet", 0) => {
                let mut keys = self.part(id, Part::Keys)?;
                keys.reverse();
                return self.new_sequence(Order::List, keys).map(Some);
            }
            (
                "keySet" | "navigableKeySet" | "keys" | "propertyNames" | "stringPropertyNames",
                0,
            ) => view(Part::Keys),
            ("values" | "elements", 0) => view(Part::Values),
            ("entrySet", 0) => view(Part::Entries),
            _ => return Ok(None),
        };
        let enumerated = matches!(call.name(), "keys" | "elements" | "propertyNames");
        let view = self.allocate("java.util.Collection".into(), made)?;
        let result = if enumerated {
            self.iterate(view)?
        } else {
            view
        };
        Ok(Some(Some(Value::Object(result))))
    }

    fn new_map_from(
        &mut self,
        at: (&World<'a>, usize),
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<()> {
        match args {
            [_, _, by_use] if call.method.class == "java.util.LinkedHashMap" => {
                let Some(by_use) = by_use.number() else {
                    return stuck("an order that is not known");
                };
                if let Native::Map(map) = &mut self.heap.change(id).native {
                    map.by_use = by_use != 0;
                }
                Ok(())
            }
            [value] if call.method.descriptor.contains("Comparator") => {
                if let Native::Map(map) = &mut self.heap.change(id).native {
                    map.comparator = (value.is_null() != Some(true)).then_some(*value);
                }
                Ok(())
            }
            [value] if call.method.descriptor.contains("Map;") => self.copy_entries(at, id, *value),
            _ => Ok(()),
        }
    }

    fn copy_entries(
        &mut self,
        (world, thread): (&World<'a>, usize),
        id: ObjectId,
        from: Value,
    ) -> Do<()> {
        let Value::Object(from) = from else {
            return stuck("a copy of what is not known");
        };
        self.refresh(from)?;
        let Native::Map(Map { entries, .. }) = &self.heap.get(from).native else {
            return stuck("a copy of what is not known");
        };
        for (key, value) in entries.clone() {
            let at = self.find_key(world, thread, id, key)?;
            self.set_entry(world, thread, id, at, (key, Some(value)))?;
        }
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
            return Ok(Some(self.entry_object(id, (key, value))?));
        }
        self.change_entries(id, |entries| {
            entries.remove(if last { entries.len() - 1 } else { 0 });
        });
        self.lone_entry(key, value).map(Some)
    }

    /// An entry that is in no map of the program.
    pub(super) fn lone_entry(&mut self, key: Value, value: Value) -> Do<Value> {
        let alone = Map {
            entries: vec![(key, value)],
            ..Map::default()
        };
        let alone = self.allocate("java.util.Map".into(), Native::Map(alone))?;
        self.entry_object(alone, (key, value))
    }

    fn entry_object(&mut self, map: ObjectId, (key, value): (Value, Value)) -> Do<Value> {
        let entry = Native::Entry(map, key, value);
        let entry = self.allocate("java.util.Map$Entry".into(), entry)?;
        Ok(Value::Object(entry))
    }

    /// A method of an entry.
    pub(super) fn entry(
        &mut self,
        (world, thread): (&World<'a>, usize),
        call: &CallLink,
        map: ObjectId,
        (key, seen): (Value, Value),
        args: &[Value],
    ) -> Do<Option<Value>> {
        match (call.name(), args) {
            ("getKey", []) => Ok(Some(key)),
            ("getValue", []) => {
                self.refresh(map)?;
                let at = self.find_key(world, thread, map, key)?;
                // One that was removed keeps what it had.
                let now = at.and_then(|at| self.entries(map).get(at));
                Ok(Some(now.map_or(seen, |entry| entry.1)))
            }
            ("setValue", [value]) => {
                let at = self.find_key(world, thread, map, key)?;
                let old = at.and_then(|at| self.entries(map).get(at)).map(|e| e.1);
                self.set_entry(world, thread, map, at, (key, Some(*value)))?;
                self.write_back(map);
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
        (view, map, part): (ObjectId, ObjectId, Part),
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
                    self.change_map(map, |entries| {
                        if at < entries.len() {
                            entries.remove(at);
                        }
                    });
                }
                Ok(Some(Value::flag(at.is_some())))
            }
            ("clear", []) => {
                self.change_map(map, Vec::clear);
                Ok(None)
            }
            ("stream" | "parallelStream", []) => self.new_stream(items),
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
                self.change_map(map, |entries| {
                    entries.retain(|_| !gone.next().unwrap_or(false));
                });
                Ok(Some(Value::flag(any)))
            }
            ("removeAll" | "retainAll", &[other]) => {
                let others = self.elements(other)?;
                let mut kept = Vec::with_capacity(items.len());
                for &item in &items {
                    let there = self.find(world, thread, &others, item)?.is_some();
                    kept.push(there == (call.name() == "retainAll"));
                }
                let any = kept.contains(&false);
                let mut kept = kept.into_iter();
                self.change_map(map, |entries| {
                    entries.retain(|_| kept.next().unwrap_or(true));
                });
                Ok(Some(Value::flag(any)))
            }
            ("iterator", []) => Ok(Some(Value::Object(self.iterate(view)?))),
            ("first", []) => match items.first() {
                Some(&first) => Ok(Some(first)),
                None => throw("java.util.NoSuchElementException"),
            },
            ("equals", &[other]) => {
                let same = self.equal(world, thread, Value::Object(view), other)?;
                Ok(Some(Value::flag(same)))
            }
            _ => Self::not_modelled(call),
        }
    }

    /// The elements a view of a map shows.
    pub(super) fn part(&mut self, map: ObjectId, part: Part) -> Do<Vec<Value>> {
        self.refresh(map)?;
        let entries = self.entries(map).to_vec();
        let mut out = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            out.push(match part {
                Part::Keys => key,
                Part::Values => value,
                Part::Entries => self.entry_object(map, (key, value))?,
            });
        }
        Ok(out)
    }

    pub(super) fn entries(&self, id: ObjectId) -> &[(Value, Value)] {
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
        self.spend(keys.len());
        self.find(world, thread, &keys, key)
    }

    /// Sets or removes the value at a key, which is at `at` if it is there.
    fn set_entry(
        &mut self,
        world: &World<'a>,
        thread: usize,
        id: ObjectId,
        at: Option<usize>,
        (key, value): (Value, Option<Value>),
    ) -> Do<()> {
        match (at, value) {
            // The program's own comparing, which found the place, may have changed the map.
            (Some(at), _) if at >= self.entries(id).len() => {
                return stuck("a map that its own keys change");
            }
            (Some(at), None) => self.change_entries(id, |e| {
                e.remove(at);
            }),
            (Some(at), Some(value)) => self.change_entries(id, |e| e[at].1 = value),
            (None, None) => {}
            (None, Some(value)) => {
                let at = self.place_of_key(world, thread, id, key)?;
                self.change_entries(id, |e| e.insert(at.min(e.len()), (key, value)));
            }
        }
        Ok(())
    }

    /// What is looked for by the order of keys: next ones, and parts. None: it is something else.
    fn navigated(
        &mut self,
        (world, thread): (&World<'a>, usize),
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let comparator = match &self.heap.get(id).native {
            Native::Map(map) if map.sorted => map.comparator,
            _ => return Ok(None),
        };
        let keys: Vec<_> = self.entries(id).iter().map(|e| e.0).collect();
        if call.name().ends_with("Map") {
            let what = (call.name(), keys.as_slice());
            return match self.range((world, thread), what, comparator, args)? {
                Some(range) => self.new_map_part(id, range),
                None => Ok(None),
            };
        }
        let found = call.name().strip_suffix("Key");
        let (which, whole) = match (found, call.name().strip_suffix("Entry"), args) {
            (Some(which), _, [_]) => (which, false),
            (_, Some(which), [_]) => (which, true),
            _ => return Ok(None),
        };
        if !matches!(which, "floor" | "lower" | "ceiling" | "higher") {
            return Ok(None);
        }
        let at = self.neighbour((world, thread), which, (&keys, comparator), args[0])?;
        Ok(Some(match at {
            None => Value::Null,
            Some(at) if whole => match self.entries(id).get(at) {
                Some(&entry) => self.entry_object(id, entry)?,
                None => return stuck("a map that its own keys change"),
            },
            Some(at) => keys[at],
        }))
    }

    /// An entry is used: where those used last come last, it moves there.
    fn use_entry(&mut self, id: ObjectId, at: usize) -> usize {
        match &mut self.heap.change(id).native {
            Native::Map(map) if map.by_use && at < map.entries.len() => {
                let entry = map.entries.remove(at);
                map.entries.push(entry);
                map.entries.len() - 1
            }
            _ => at,
        }
    }

    /// A map of the program may ask for its eldest entry to go when one was added.
    fn evict(&mut self, world: &World<'a>, thread: usize, id: ObjectId) -> Do<()> {
        let Some(class) = self.heap.get(id).class else {
            return Ok(());
        };
        let name = "removeEldestEntry";
        let asks = self.redefined(world, class, name, "(Ljava/util/Map$Entry;)Z");
        let (Some(asks), Some(&eldest)) = (asks, self.entries(id).first()) else {
            return Ok(());
        };
        let entry = self.entry_object(id, eldest)?;
        let goes = self.nested_call(world, thread, asks, &[Value::Object(id), entry])?;
        match goes.and_then(Value::number) {
            Some(0) => {}
            Some(_) => self.change_entries(id, |e| e.drain(..e.len().min(1)).for_each(drop)),
            None => return stuck("whether an entry stays is not known"),
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
