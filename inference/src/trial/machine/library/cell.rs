//! Atomics, thread-locals and bit sets.

use super::super::Machine;
use super::super::halt::{Do, stuck, throw};
use super::super::heap::Native;
use super::super::link::CallLink;
use super::super::value::{ObjectId, Value, wrapped};
use super::super::world::World;

impl<'a> Machine<'a> {
    /// A method of an atomic variable.
    pub(super) fn cell(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        id: ObjectId,
        old: Value,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let Some((new, result)) = self.cell_change(world, thread, call, old, args)? else {
            return Ok(None);
        };
        self.changes += 1;
        self.heap.change(id).native = Native::Cell(new);
        Ok(Some(result))
    }

    /// A method of an array, or of an atomic one: `clone`, or what an element does.
    pub(super) fn array_method(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let Native::Array(items) = &self.heap.get(id).native else {
            return Ok(None);
        };
        let length = items.len();
        match (call.name(), args) {
            ("length", []) => return Ok(Some(Value::Number(length as i64))),
            ("<init>", [size]) => return self.sized(id, *size),
            ("toString", _) => return Ok(None),
            _ => {}
        }
        let Some(index) = args.first().and_then(|a| a.number()) else {
            return stuck("an array index that is not known");
        };
        let Some(&old) = usize::try_from(index).ok().and_then(|i| items.get(i)) else {
            return throw("IndexOutOfBoundsException");
        };
        let Some((new, result)) = self.cell_change(world, thread, call, old, &args[1..])? else {
            return Ok(None);
        };
        self.changes += 1;
        if let Native::Array(items) = &mut self.heap.change(id).native {
            items[index as usize] = new;
        }
        Ok(Some(result))
    }

    fn sized(&mut self, id: ObjectId, size: Value) -> Do<Option<Value>> {
        let items = match (size.number(), size) {
            (Some(n @ 0..=65_536), _) => vec![Value::Blank; n as usize],
            (None, Value::Object(from)) => match &self.heap.get(from).native {
                Native::Array(items) => items.clone(),
                _ => return stuck("an array of what is not known"),
            },
            _ => return stuck("an array of a length that is not known"),
        };
        self.heap.change(id).native = Native::Array(items);
        Ok(None)
    }

    /// What a method of an atomic variable makes of its content, and what it returns.
    fn cell_change(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        old: Value,
        args: &[Value],
    ) -> Do<Option<(Value, Value)>> {
        let long = call.method.class.contains("Long");
        let plus = |by: Option<i64>| match (old.number(), by) {
            (Some(n), Some(by)) => Value::Number(wrapped(n.wrapping_add(by), long)),
            _ => Value::Unknown,
        };
        let by = args.first().and_then(|a| a.number());
        Ok(Some(match (call.name(), args) {
            (
                "get" | "getPlain" | "getAcquire" | "getOpaque" | "intValue" | "longValue" | "sum",
                _,
            ) => (old, old),
            (
                "set" | "lazySet" | "setRelease" | "setPlain" | "setOpaque" | "<init>",
                [value, ..],
            ) => (*value, Value::Null),
            ("clear", []) => (Value::Null, Value::Null),
            ("getAndSet", [value]) => (*value, old),
            ("incrementAndGet", _) => (plus(Some(1)), plus(Some(1))),
            ("decrementAndGet", _) => (plus(Some(-1)), plus(Some(-1))),
            ("getAndIncrement" | "increment", _) => (plus(Some(1)), old),
            ("getAndDecrement" | "decrement", _) => (plus(Some(-1)), old),
            ("addAndGet" | "add", [_]) => (plus(by), plus(by)),
            ("getAndAdd", [_]) => (plus(by), old),
            (
                "compareAndSet" | "weakCompareAndSet" | "weakCompareAndSetPlain",
                &[expected, new],
            ) => match old.is_same(expected) {
                Some(true) => (new, Value::Number(1)),
                Some(false) => (old, Value::Number(0)),
                None => return stuck("compares what is not known"),
            },
            ("compareAndExchange", &[expected, new]) => match old.is_same(expected) {
                Some(true) => (new, old),
                Some(false) => (old, old),
                None => return stuck("compares what is not known"),
            },
            ("accumulateAndGet" | "getAndAccumulate", &[value, function]) => {
                let signature = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
                let signature = ("", "apply", signature);
                let new = self.apply(world, thread, function, signature, &[old, value])?;
                let after = call.name() == "accumulateAndGet";
                (new, if after { new } else { old })
            }
            ("sumThenReset", []) => (Value::Number(0), old),
            ("reset", []) => (Value::Number(0), Value::Null),
            ("updateAndGet" | "getAndUpdate", &[function]) => {
                let kind = if long { "J" } else { "I" };
                let signature = match old {
                    Value::Blank | Value::Number(_) | Value::Loose(_) => format!("({kind}){kind}"),
                    _ => "(Ljava/lang/Object;)Ljava/lang/Object;".to_owned(),
                };
                let new = self.apply(world, thread, function, ("", "apply", &signature), &[old])?;
                (
                    new,
                    if call.name() == "getAndUpdate" {
                        old
                    } else {
                        new
                    },
                )
            }
            ("toString" | "<init>", _) => return Ok(None),
            _ => return Self::not_modelled(call),
        }))
    }

    /// A method of a thread-local variable.
    pub(super) fn local(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        match (call.name(), args) {
            ("get", []) => self.local_get(world, thread, id).map(Some),
            ("set", [value]) => {
                self.local_set(thread, id, Some(*value));
                Ok(None)
            }
            ("remove", []) => {
                self.local_set(thread, id, None);
                Ok(None)
            }
            ("<init>", _) => Ok(None),
            ("initialValue", _) => Ok(Some(Value::Null)),
            _ => Self::not_modelled(call),
        }
    }

    fn local_get(&mut self, world: &World<'a>, thread: usize, id: ObjectId) -> Do<Value> {
        let object = self.heap.get(id);
        let Native::Local(values, supplier) = &object.native else {
            return Ok(Value::Unknown);
        };
        if let Some(found) = values.iter().find(|v| v.0 == thread) {
            return Ok(found.1);
        }
        let supplier = *supplier;
        let made = object
            .class
            .and_then(|c| self.redefined(world, c, "initialValue", "()Ljava/lang/Object;"));
        let value = match (made, supplier) {
            (Some(method), _) => {
                let made = self.nested_call(world, thread, method, &[Value::Object(id)])?;
                made.unwrap_or(Value::Null)
            }
            (None, Some(supplier)) => self.supplied(world, thread, supplier)?,
            (None, None) => Value::Null,
        };
        self.local_set(thread, id, Some(value));
        Ok(value)
    }

    fn local_set(&mut self, thread: usize, id: ObjectId, value: Option<Value>) {
        self.changes += 1;
        if let Native::Local(values, _) = &mut self.heap.change(id).native {
            values.retain(|v| v.0 != thread);
            values.extend(value.map(|v| (thread, v)));
        }
    }

    /// A method of a bit set.
    pub(super) fn bits(
        &mut self,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let numbers: Vec<_> = args.iter().map(|a| a.number()).collect();
        let other = match args {
            [Value::Object(other)] => match &self.heap.get(*other).native {
                Native::Bits(other) => Some(other.clone()),
                _ => None,
            },
            _ => None,
        };
        self.changes += 1;
        let Native::Bits(set) = &mut self.heap.change(id).native else {
            return Ok(None);
        };
        if let Some(other) = other {
            return Ok(with_other(set, &other, call.name()));
        }
        let value = match (call.name(), numbers.as_slice()) {
            ("<init>", _) => return Ok(None),
            ("set", &[Some(from), Some(to), Some(on)]) => return put_all(set, from, to, on != 0),
            ("previousSetBit", &[Some(n)]) => set.iter().copied().rfind(|&b| b <= n).unwrap_or(-1),
            ("previousClearBit", &[Some(n)]) => {
                let clear = |b: &i64| set.binary_search(b).is_err();
                (0..=n.min(MAX_BITS)).rev().find(clear).unwrap_or(-1)
            }
            ("get", &[Some(n)]) => i64::from(set.binary_search(&n).is_ok()),
            ("set", &[Some(n)]) => return Ok(put(set, n, true)),
            ("set", &[Some(n), Some(to)]) => {
                let flag = call.method.descriptor == "(IZ)V";
                return match flag {
                    true => Ok(put(set, n, to != 0)),
                    false => put_all(set, n, to, true),
                };
            }
            ("clear", []) => {
                set.clear();
                return Ok(None);
            }
            ("clear", &[Some(n)]) => return Ok(put(set, n, false)),
            ("clear", &[Some(n), Some(to)]) => return put_all(set, n, to, false),
            ("flip", &[Some(n)]) => {
                let now = set.binary_search(&n).is_ok();
                return Ok(put(set, n, !now));
            }
            ("cardinality", []) => set.len() as i64,
            ("isEmpty", []) => i64::from(set.is_empty()),
            ("length", []) => set.last().map_or(0, |n| n + 1),
            ("nextSetBit", &[Some(n)]) => set.iter().copied().find(|&b| b >= n).unwrap_or(-1),
            ("nextClearBit", &[Some(n)]) => {
                (n..).find(|b| set.binary_search(b).is_err()).unwrap_or(-1)
            }
            _ => return Self::not_modelled(call),
        };
        Ok(Some(Value::Number(value)))
    }
}

const MAX_BITS: i64 = 4_096;

/// What one set of bits does with another one.
fn with_other(set: &mut Vec<i64>, other: &[i64], name: &str) -> Option<Value> {
    let there = |bit: &i64| other.binary_search(bit).is_ok();
    match name {
        "intersects" => return Some(Value::flag(set.iter().any(there))),
        "equals" => return Some(Value::flag(set == other)),
        "and" => set.retain(there),
        "andNot" => set.retain(|bit| !there(bit)),
        "or" => other.iter().for_each(|&bit| _ = put(set, bit, true)),
        "xor" => other.iter().for_each(|&bit| {
            let on = set.binary_search(&bit).is_err();
            _ = put(set, bit, on);
        }),
        _ => {}
    }
    None
}

fn put_all(set: &mut Vec<i64>, from: i64, to: i64, on: bool) -> Do<Option<Value>> {
    if to.saturating_sub(from) > MAX_BITS {
        return stuck("very many bits");
    }
    for n in from..to {
        put(set, n, on);
    }
    Ok(None)
}

fn put(set: &mut Vec<i64>, n: i64, on: bool) -> Option<Value> {
    match (set.binary_search(&n), on) {
        (Err(at), true) => set.insert(at, n),
        (Ok(at), false) => drop(set.remove(at)),
        _ => {}
    }
    None
}
