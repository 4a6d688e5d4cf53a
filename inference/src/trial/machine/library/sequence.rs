//! Lists, queues and sets.

use super::super::Machine;
use super::super::halt::{Do, Halt, stuck, throw};
use super::super::heap::{MOST, Native, Order, Sequence};
use super::super::link::CallLink;
use super::super::value::{Kind, ObjectId, Value};
use super::super::world::World;

/// What a method of a sequence comes to.
enum Act {
    /// Adds at an index.
    Add(usize, Value),
    /// Removes at an index and returns the element.
    Remove(usize),
    /// Returns the element at an index.
    Get(usize),
    /// Returns this.
    Answer(Option<Value>),
    /// There is no element: an exception.
    Missing,
}

impl<'a> Machine<'a> {
    /// A method of a list, queue or set.
    pub(super) fn sequence(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        self.refresh(id)?;
        let result = self.of_sequence(world, thread, call, id, args);
        self.write_back(id);
        result
    }

    fn of_sequence(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let Some(act) = self.plain_act(call, id, args)? else {
            return self.searching(world, thread, call, id, args);
        };
        match act {
            Act::Add(at, item) => self.add_item(world, thread, call, id, at, item),
            Act::Remove(at) => Ok(Some(
                self.items_mut(id, |items| items.remove(at))
                    .unwrap_or(Value::Null),
            )),
            Act::Get(at) => Ok(self.items(id).get(at).copied()),
            Act::Answer(value) => Ok(value),
            Act::Missing => throw(match call.name() {
                "get" | "elementAt" | "remove" | "set" | "removeElementAt" => {
                    "IndexOutOfBoundsException"
                }
                "pop" | "peek" if call.method.class == "java.util.Stack" => {
                    "java.util.EmptyStackException"
                }
                _ => "java.util.NoSuchElementException",
            }),
        }
    }

    pub(super) fn items(&self, id: ObjectId) -> &[Value] {
        match &self.heap.get(id).native {
            Native::Sequence(s) => &s.items,
            _ => &[],
        }
    }

    fn items_mut<T>(
        &mut self,
        id: ObjectId,
        change: impl FnOnce(&mut Vec<Value>) -> T,
    ) -> Option<T> {
        self.changes += 1;
        match &mut self.heap.change(id).native {
            Native::Sequence(s) => Some(change(&mut s.items)),
            _ => None,
        }
    }

    fn shape(&self, id: ObjectId) -> Sequence {
        match &self.heap.get(id).native {
            &Native::Sequence(Sequence {
                items: _,
                order,
                limit,
                comparator,
                part,
            }) => Sequence {
                items: Vec::new(),
                order,
                limit,
                comparator,
                part,
            },
            _ => Sequence::default(),
        }
    }

    /// Methods that compare no elements. None: it is none of them.
    fn plain_act(&mut self, call: &CallLink, id: ObjectId, args: &[Value]) -> Do<Option<Act>> {
        let length = self.items(id).len();
        let order = match &self.heap.get(id).native {
            Native::Sequence(s) => s.order,
            _ => Order::List,
        };
        let by_index =
            call.params.first() == Some(&Kind::Int) && matches!(order, Order::List | Order::Deque);
        Ok(Some(match (call.name(), args) {
            ("size", []) => Act::Answer(Some(Value::Number(length as i64))),
            ("isEmpty" | "empty", []) => Act::Answer(Some(Value::flag(length == 0))),
            (
                "add" | "addLast" | "offer" | "offerLast" | "addElement" | "put" | "offerFirst"
                | "addFirst" | "push",
                [item, ..],
            ) if !(call.name() == "add" && by_index) => {
                let front = matches!(call.name(), "offerFirst" | "addFirst")
                    || call.name() == "push" && order == Order::Deque;
                Act::Add(if front { 0 } else { length }, *item)
            }
            ("add", &[at, item]) => Act::Add(index(at, length + 1)?, item),
            ("insertElementAt", &[item, at]) => Act::Add(index(at, length + 1)?, item),
            ("get" | "elementAt", &[at]) => element(at, length, Act::Get)?,
            ("remove" | "removeElementAt", &[at]) if by_index => element(at, length, Act::Remove)?,
            ("set", &[at, item]) => self.replace(id, at, item)?,
            ("setElementAt", &[item, at]) => self.replace(id, at, item)?,
            ("take", []) if length == 0 => return stuck("a queue of the library that blocks"),
            ("poll" | "pollFirst" | "pollLast" | "peek" | "peekFirst" | "peekLast", _)
                if length == 0 && order != Order::List =>
            {
                Act::Answer(Some(Value::Null))
            }
            ("remove", []) if length > 0 => Act::Remove(0),
            ("remove", []) => Act::Missing,
            (name, _) if length == 0 && is_end(name) => Act::Missing,
            (name, _) => match end(name, order, length) {
                Some(act) => act,
                None => return self.whole(call, id, args),
            },
        }))
    }

    fn replace(&mut self, id: ObjectId, at: Value, item: Value) -> Do<Act> {
        let at = match element(at, self.items(id).len(), Act::Get)? {
            Act::Get(at) => at,
            other => return Ok(other),
        };
        let old = self.items_mut(id, |items| std::mem::replace(&mut items[at], item));
        Ok(Act::Answer(old))
    }

    /// Methods that concern all elements. None: it is none of them.
    fn whole(&mut self, call: &CallLink, id: ObjectId, args: &[Value]) -> Do<Option<Act>> {
        let result = match (call.name(), args) {
            ("clear" | "removeAllElements", []) => {
                self.items_mut(id, Vec::clear);
                None
            }
            ("iterator" | "elements" | "listIterator", []) => {
                Some(Value::Object(self.iterate(id)?))
            }
            ("listIterator", &[from]) => {
                let from = index(from, self.items(id).len() + 1)?;
                let iterator = self.iterate(id)?;
                if let Native::Iterator(iterator) = &mut self.heap.change(iterator).native {
                    iterator.next = from;
                }
                Some(Value::Object(iterator))
            }
            ("descendingIterator", []) => Some(Value::Object(self.iterate_backward(id)?)),
            ("toArray", _) => {
                let items = self.items(id).to_vec();
                self.new_array(items)?
            }
            ("remainingCapacity", []) => {
                let left = self
                    .shape(id)
                    .limit
                    .map(|l| l.saturating_sub(self.items(id).len()));
                Some(Value::Number(
                    left.map_or(i64::from(i32::MAX), |l| l as i64),
                ))
            }
            ("trimToSize" | "ensureCapacity" | "toString" | "hashCode", _) => None,
            _ => return Ok(None),
        };
        Ok(Some(Act::Answer(result)))
    }

    fn new_sequence_from(
        &mut self,
        (world, thread): (&World<'a>, usize),
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<()> {
        let bounded = call.method.class.contains("Blocking");
        let mut items = None;
        let mut sequence = self.shape(id);
        for (kind, &arg) in call.params.iter().zip(args) {
            match (kind, arg) {
                (Kind::Int, _) if bounded && sequence.limit.is_none() => {
                    sequence.limit = arg.number().and_then(|n| usize::try_from(n).ok());
                }
                (Kind::Reference, Value::Object(from))
                    if call.method.descriptor.contains("Comparator") =>
                {
                    sequence.comparator = Some(Value::Object(from));
                }
                (Kind::Reference, _) if !call.method.descriptor.contains("Comparator") => {
                    items = Some(self.elements(arg)?);
                }
                _ => {}
            }
        }
        self.heap.change(id).native = Native::Sequence(sequence);
        for item in items.unwrap_or_default() {
            let end = self.items(id).len();
            match self.add_item(world, thread, call, id, end, item) {
                // What the order of unknown texts is hardly matters to a lock.
                Err(Halt::Stuck(_)) => _ = self.items_mut(id, |items| items.push(item)),
                added => _ = added?,
            }
        }
        Ok(())
    }

    /// The elements of a collection.
    pub(super) fn elements(&mut self, of: Value) -> Do<Vec<Value>> {
        let Value::Object(id) = of else {
            return stuck("the elements of what is not known");
        };
        self.refresh(id)?;
        self.spend(self.heap.glance(id).native.elements());
        match &self.heap.get(id).native {
            Native::Sequence(s) => Ok(s.items.clone()),
            Native::View(map, part) => {
                let (map, part) = (*map, *part);
                self.part(map, part)
            }
            _ => stuck("the elements of what is not known"),
        }
    }

    /// Replaces the elements of a collection.
    pub(super) fn set_elements(&mut self, of: Value, items: Vec<Value>) -> Do<()> {
        match of {
            Value::Object(id) if matches!(self.heap.get(id).native, Native::Sequence(_)) => {
                self.change_items(id, |old| *old = items);
                Ok(())
            }
            _ => stuck("the elements of what is not known"),
        }
    }

    /// Each is equal to the other at its place.
    pub(super) fn all_equal(
        &mut self,
        (world, thread): (&World<'a>, usize),
        items: &[Value],
        others: &[Value],
    ) -> Do<bool> {
        for (&a, &b) in items.iter().zip(others) {
            if !self.equal(world, thread, a, b)? {
                return Ok(false);
            }
        }
        Ok(items.len() == others.len())
    }

    fn add_item(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        id: ObjectId,
        at: usize,
        item: Value,
    ) -> Do<Option<Value>> {
        let shape = self.shape(id);
        let length = self.items(id).len();
        if length >= MOST {
            return stuck("a very large collection");
        }
        if shape.limit.is_some_and(|l| length >= l) {
            return match call.name() {
                "<init>" => throw("IllegalArgumentException"),
                "offer" | "offerFirst" | "offerLast" if call.params.len() == 1 => {
                    Ok(Some(Value::Number(0)))
                }
                "add" | "addFirst" | "addLast" => throw("IllegalStateException"),
                _ => stuck("a queue of the library that blocks"),
            };
        }
        let at = match shape.order {
            Order::List | Order::Deque => at,
            Order::Set | Order::SortedSet | Order::Priority => {
                self.spend(length);
                let items = self.items(id).to_vec();
                let once = shape.order != Order::Priority;
                if once && self.find(world, thread, &items, item)?.is_some() {
                    return Ok(Some(Value::Number(0)));
                }
                match shape.order {
                    Order::Set => at,
                    _ => self.place(world, thread, &items, item, shape.comparator)?,
                }
            }
        };
        // The program's own comparing may have changed it.
        self.items_mut(id, |items| items.insert(at.min(items.len()), item));
        // `push` of a stack returns its argument; all others say that they have added.
        let stack = call.name() == "push" && shape.order == Order::List;
        Ok(Some(if stack { item } else { Value::Number(1) }))
    }

    /// Methods that look for elements, or work on many.
    fn searching(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let items = self.items(id).to_vec();
        self.spend(items.len());
        match (call.name(), args) {
            ("contains", &[item]) => Ok(Some(Value::flag(
                self.find(world, thread, &items, item)?.is_some(),
            ))),
            ("indexOf", &[item]) => {
                let at = self.find(world, thread, &items, item)?;
                Ok(Some(Value::Number(at.map_or(-1, |at| at as i64))))
            }
            (
                "remove" | "removeElement" | "removeFirstOccurrence" | "removeLastOccurrence",
                &[item],
            ) => {
                let last = call.name() == "removeLastOccurrence";
                let at = match last {
                    true => self.find_last(world, thread, &items, item)?,
                    false => self.find(world, thread, &items, item)?,
                };
                if let Some(at) = at.filter(|at| *at < self.items(id).len()) {
                    self.items_mut(id, |items| items.remove(at));
                }
                Ok(Some(Value::flag(at.is_some())))
            }
            ("<init>", _) => {
                self.new_sequence_from((world, thread), call, id, args)?;
                Ok(None)
            }
            ("addAll", &[from]) => {
                for item in self.elements(from)? {
                    let end = self.items(id).len();
                    self.add_item(world, thread, call, id, end, item)?;
                }
                Ok(Some(Value::flag(self.items(id).len() > items.len())))
            }
            ("addAll", &[at, from]) => {
                let at = index(at, items.len() + 1)?;
                let more = self.elements(from)?;
                if items.len() + more.len() > MOST {
                    return stuck("a very large collection");
                }
                let any = !more.is_empty();
                self.items_mut(id, |items| items.splice(at..at, more).for_each(drop));
                Ok(Some(Value::flag(any)))
            }
            ("drainTo", [to, most @ ..]) => {
                let most = match most {
                    [most] => match most.number() {
                        Some(most) => usize::try_from(most).unwrap_or(0),
                        None => return stuck("a part that is not known"),
                    },
                    _ => items.len(),
                };
                let most = most.min(items.len());
                for &item in &items[..most] {
                    self.add_to(world, thread, call, *to, item)?;
                }
                self.items_mut(id, |items| {
                    items.drain(..most.min(items.len())).for_each(drop)
                });
                Ok(Some(Value::Number(most as i64)))
            }
            ("replaceAll", &[function]) => {
                let signature = (
                    "java.util.function.UnaryOperator",
                    "apply",
                    "(Ljava/lang/Object;)Ljava/lang/Object;",
                );
                let mut new = Vec::with_capacity(items.len());
                for item in items {
                    new.push(self.apply(world, thread, function, signature, &[item])?);
                }
                self.items_mut(id, |items| *items = new);
                Ok(None)
            }
            ("removeIf", &[test]) => self.remove_if(world, thread, id, test),
            ("forEach", &[function]) => self.each((world, thread), function, &items).map(|()| None),
            ("stream" | "parallelStream", []) => self.new_stream(items),
            ("sort", &[comparator]) => {
                let sorted = self.sorted((world, thread), items, Some(comparator))?;
                self.set_elements(Value::Object(id), sorted).map(|()| None)
            }
            ("lastIndexOf", &[item]) => {
                let at = self.find_last(world, thread, &items, item)?;
                Ok(Some(Value::Number(at.map_or(-1, |at| at as i64))))
            }
            ("descendingSet" | "reversed", []) => {
                let mut items = items;
                items.reverse();
                // A copy: who changes one of the two does not look at the other.
                self.new_sequence(Order::List, items)
            }
            ("headSet" | "tailSet" | "subSet", _) => {
                let comparator = self.shape(id).comparator;
                let what = (call.name(), items.as_slice());
                match self.range((world, thread), what, comparator, args)? {
                    Some(range) => self.new_part(id, range),
                    None => Self::not_modelled(call),
                }
            }
            ("subList", [from, to]) => match (from.number(), to.number()) {
                (Some(from), Some(to)) if 0 <= from && from <= to && to <= items.len() as i64 => {
                    self.new_part(id, from as usize..to as usize)
                }
                (Some(_), Some(_)) => throw("IndexOutOfBoundsException"),
                _ => stuck("a part that is not known"),
            },
            ("floor" | "lower" | "ceiling" | "higher", &[item]) => {
                let comparator = self.shape(id).comparator;
                let sorted = (items.as_slice(), comparator);
                let at = self.neighbour((world, thread), call.name(), sorted, item)?;
                Ok(Some(at.map_or(Value::Null, |at| items[at])))
            }
            ("containsAll" | "removeAll" | "retainAll", &[other]) => {
                self.with_all((world, thread), call, id, other)
            }
            ("equals", &[other]) => {
                let same = self.equal(world, thread, Value::Object(id), other)?;
                Ok(Some(Value::flag(same)))
            }
            _ => Self::not_modelled(call),
        }
    }

    /// Where among sorted ones the one next to a value is.
    pub(super) fn neighbour(
        &mut self,
        (world, thread): (&World<'a>, usize),
        which: &str,
        (sorted, comparator): (&[Value], Option<Value>),
        item: Value,
    ) -> Do<Option<usize>> {
        let mut orders = Vec::new();
        for (at, &other) in sorted.iter().enumerate() {
            orders.push((at, self.compare(world, thread, other, item, comparator)?));
        }
        let mut orders = orders.into_iter();
        let found = match which {
            "floor" => orders.rfind(|o| o.1 <= 0),
            "lower" => orders.rfind(|o| o.1 < 0),
            "ceiling" => orders.find(|o| o.1 >= 0),
            _ => orders.find(|o| o.1 > 0),
        };
        Ok(found.map(|f| f.0))
    }

    /// Looks for, removes or keeps all elements of another collection.
    fn with_all(
        &mut self,
        (world, thread): (&World<'a>, usize),
        call: &CallLink,
        id: ObjectId,
        other: Value,
    ) -> Do<Option<Value>> {
        let (items, others) = (self.items(id).to_vec(), self.elements(other)?);
        if call.name() == "containsAll" {
            for item in others {
                if self.find(world, thread, &items, item)?.is_none() {
                    return Ok(Some(Value::Number(0)));
                }
            }
            return Ok(Some(Value::Number(1)));
        }
        let mut kept = Vec::new();
        for &item in &items {
            let there = self.find(world, thread, &others, item)?.is_some();
            if there == (call.name() == "retainAll") {
                kept.push(item);
            }
        }
        let changed = kept.len() < items.len();
        self.items_mut(id, |items| *items = kept);
        Ok(Some(Value::flag(changed)))
    }

    pub(super) fn add_to(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        to: Value,
        item: Value,
    ) -> Do<()> {
        let Value::Object(to) = to else {
            return stuck("adds to what is not known");
        };
        if !matches!(self.heap.get(to).native, Native::Sequence(_)) {
            return stuck("adds to what is not known");
        }
        let end = self.items(to).len();
        self.add_item(world, thread, call, to, end, item).map(drop)
    }

    fn remove_if(
        &mut self,
        world: &World<'a>,
        thread: usize,
        id: ObjectId,
        test: Value,
    ) -> Do<Option<Value>> {
        let items = self.items(id).to_vec();
        let gone = self.tested((world, thread), test, &items)?;
        let kept = items.iter().zip(gone).filter(|g| !g.1);
        let kept: Vec<_> = kept.map(|g| *g.0).collect();
        let removed = kept.len() < items.len();
        self.items_mut(id, |items| *items = kept);
        Ok(Some(Value::flag(removed)))
    }

    /// Index of an element.
    pub(super) fn find(
        &mut self,
        world: &World<'a>,
        thread: usize,
        items: &[Value],
        item: Value,
    ) -> Do<Option<usize>> {
        for (at, &other) in items.iter().enumerate() {
            if self.equal(world, thread, item, other)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Index of the last such element.
    fn find_last(
        &mut self,
        world: &World<'a>,
        thread: usize,
        items: &[Value],
        item: Value,
    ) -> Do<Option<usize>> {
        let mut backward = items.to_vec();
        backward.reverse();
        let found = self.find(world, thread, &backward, item)?;
        Ok(found.map(|at| items.len() - 1 - at))
    }

    /// Where an element belongs among sorted ones: behind those it does not precede.
    pub(super) fn place(
        &mut self,
        world: &World<'a>,
        thread: usize,
        items: &[Value],
        item: Value,
        comparator: Option<Value>,
    ) -> Do<usize> {
        for (at, &other) in items.iter().enumerate() {
            if self.compare(world, thread, item, other, comparator)? < 0 {
                return Ok(at);
            }
        }
        Ok(items.len())
    }
}

fn index(at: Value, length: usize) -> Do<usize> {
    let Some(at) = at.number() else {
        return stuck("an index that is not known");
    };
    match usize::try_from(at) {
        Ok(at) if at < length => Ok(at),
        _ => throw("IndexOutOfBoundsException"),
    }
}

fn element(at: Value, length: usize, act: fn(usize) -> Act) -> Do<Act> {
    match at.number() {
        None => stuck("an index that is not known"),
        Some(at) => Ok(match usize::try_from(at) {
            Ok(at) if at < length => act(at),
            _ => Act::Missing,
        }),
    }
}

/// Methods that take or show the first or last element.
fn is_end(name: &str) -> bool {
    end(name, Order::List, 1).is_some()
}

fn end(name: &str, order: Order, length: usize) -> Option<Act> {
    let last = length.saturating_sub(1);
    let top = if order == Order::List { last } else { 0 };
    Some(match name {
        "poll" | "pollFirst" | "removeFirst" | "take" => Act::Remove(0),
        "pollLast" | "removeLast" => Act::Remove(last),
        "pop" => Act::Remove(top),
        "peek" => Act::Get(top),
        "peekFirst" | "element" | "getFirst" | "first" | "firstElement" => Act::Get(0),
        "peekLast" | "getLast" | "last" | "lastElement" => Act::Get(last),
        _ => return None,
    })
}
