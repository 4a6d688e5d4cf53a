//! What shows a part of a list, sorted set or map: `subList`, `headMap` and the like. It holds a copy,
//! which is brought up to date before it is used, and brings what changed to the whole after.

use super::super::Machine;
use super::super::halt::{Do, stuck};
use super::super::heap::{Map, Native, Order, Sequence, Slice};
use super::super::value::{ObjectId, Value};
use super::super::world::World;
use std::ops::Range;

type Entries = Vec<(Value, Value)>;

/// Parts of parts that are followed.
const MAX_PARTS: usize = 16;

impl<'a> Machine<'a> {
    /// The part of a sequence that is shown, if one is.
    fn slice_of(&self, id: ObjectId) -> Option<Slice> {
        match &self.heap.get(id).native {
            Native::Sequence(s) => s.part,
            Native::Map(m) => m.part,
            _ => None,
        }
    }

    /// It is a part of a part, and so on many times.
    fn is_deep_part(&self, id: ObjectId) -> bool {
        let above = |id: &ObjectId| self.slice_of(*id).map(|slice| slice.of);
        std::iter::successors(Some(id), above)
            .nth(MAX_PARTS)
            .is_some()
    }

    /// Brings what shows a part of something up to date.
    pub(super) fn refresh(&mut self, id: ObjectId) -> Do<()> {
        let Some(slice) = self.slice_of(id) else {
            return Ok(());
        };
        self.refresh(slice.of)?;
        let range = slice.from..slice.from + slice.length;
        match self.heap.get(slice.of).native.clone() {
            Native::Sequence(whole) if whole.items.len() == slice.whole => {
                let items = whole.items.get(range).unwrap_or_default().to_vec();
                if let Native::Sequence(own) = &mut self.heap.change(id).native {
                    own.items = items;
                }
            }
            Native::Map(whole) if whole.entries.len() == slice.whole => {
                let entries = whole.entries.get(range).unwrap_or_default().to_vec();
                if let Native::Map(own) = &mut self.heap.change(id).native {
                    own.entries = entries;
                }
            }
            _ => return stuck("a part of what has changed since"),
        }
        Ok(())
    }

    /// Brings what has changed in a part of something to the whole.
    pub(super) fn write_back(&mut self, id: ObjectId) {
        let Some(slice) = self.slice_of(id) else {
            return;
        };
        let range = slice.from..slice.from + slice.length;
        match self.heap.get(id).native.clone() {
            Native::Sequence(own) => {
                if let Native::Sequence(whole) = &mut self.heap.change(slice.of).native {
                    replace(&mut whole.items, range, own.items);
                }
            }
            Native::Map(own) => {
                if let Native::Map(whole) = &mut self.heap.change(slice.of).native {
                    replace(&mut whole.entries, range, own.entries);
                }
            }
            _ => return,
        }
        self.note_lengths(id, slice);
        self.write_back(slice.of);
    }

    fn note_lengths(&mut self, id: ObjectId, slice: Slice) {
        let whole = self.length_of(slice.of);
        let length = self.length_of(id);
        let now = Some(Slice {
            length,
            whole,
            ..slice
        });
        match &mut self.heap.change(id).native {
            Native::Sequence(own) => own.part = now,
            Native::Map(own) => own.part = now,
            _ => {}
        }
    }

    fn length_of(&self, id: ObjectId) -> usize {
        match &self.heap.get(id).native {
            Native::Sequence(s) => s.items.len(),
            Native::Map(m) => m.entries.len(),
            _ => 0,
        }
    }

    /// A part of a list or sorted set.
    pub(super) fn new_part(&mut self, of: ObjectId, range: Range<usize>) -> Do<Option<Value>> {
        let Native::Sequence(whole) = &self.heap.get(of).native else {
            return Ok(None);
        };
        if self.is_deep_part(of) {
            return stuck("parts of parts of parts");
        }
        let part = Sequence {
            items: whole.items.get(range.clone()).unwrap_or_default().to_vec(),
            order: whole.order,
            limit: None,
            comparator: whole.comparator,
            part: Some(Slice {
                of,
                from: range.start,
                length: range.len(),
                whole: whole.items.len(),
            }),
        };
        let name = match part.order {
            Order::SortedSet => "java.util.SortedSet",
            _ => "java.util.List",
        };
        let made = self.allocate(name.into(), Native::Sequence(part))?;
        Ok(Some(Value::Object(made)))
    }

    /// A part of a sorted map.
    pub(super) fn new_map_part(&mut self, of: ObjectId, range: Range<usize>) -> Do<Option<Value>> {
        let Native::Map(whole) = &self.heap.get(of).native else {
            return Ok(None);
        };
        if self.is_deep_part(of) {
            return stuck("parts of parts of parts");
        }
        let part = Map {
            entries: whole
                .entries
                .get(range.clone())
                .unwrap_or_default()
                .to_vec(),
            part: Some(Slice {
                of,
                from: range.start,
                length: range.len(),
                whole: whole.entries.len(),
            }),
            ..whole.clone()
        };
        let made = self.allocate("java.util.NavigableMap".into(), Native::Map(part))?;
        Ok(Some(Value::Object(made)))
    }

    /// Changes the elements of a sequence, and what it is a part of.
    pub(super) fn change_items(&mut self, id: ObjectId, change: impl FnOnce(&mut Vec<Value>)) {
        self.changes += 1;
        if let Native::Sequence(s) = &mut self.heap.change(id).native {
            change(&mut s.items);
        }
        self.write_back(id);
    }

    /// Changes the entries of a map, and what it is a part of.
    pub(super) fn change_map(&mut self, id: ObjectId, change: impl FnOnce(&mut Entries)) {
        self.change_entries(id, change);
        self.write_back(id);
    }

    /// Which of sorted things `headSet`, `subMap` and the like show.
    pub(super) fn range(
        &mut self,
        at: (&World<'a>, usize),
        (name, sorted): (&str, &[Value]),
        comparator: Option<Value>,
        args: &[Value],
    ) -> Do<Option<Range<usize>>> {
        let flag = |value: &Value| value.number().map(|n| n != 0);
        let (from, to) = match (name.get(..3).unwrap_or_default(), args) {
            ("hea", [to]) => (None, Some((*to, false))),
            ("hea", [to, with]) => (None, flag(with).map(|with| (*to, with))),
            ("tai", [from]) => (Some((*from, true)), None),
            ("tai", [from, with]) => (flag(with).map(|with| (*from, with)), None),
            ("sub", [from, to]) => (Some((*from, true)), Some((*to, false))),
            ("sub", [from, with, to, and]) => (
                flag(with).map(|with| (*from, with)),
                flag(and).map(|with| (*to, with)),
            ),
            _ => return Ok(None),
        };
        let start = match from {
            Some((value, with)) => self.before(at, sorted, (value, !with), comparator)?,
            None => 0,
        };
        let end = match to {
            Some((value, with)) => self.before(at, sorted, (value, with), comparator)?,
            None => sorted.len(),
        };
        Ok(Some(start..end.max(start)))
    }

    /// How many of sorted ones come before a value, or with it.
    fn before(
        &mut self,
        (world, thread): (&World<'a>, usize),
        sorted: &[Value],
        (value, with): (Value, bool),
        comparator: Option<Value>,
    ) -> Do<usize> {
        let mut count = 0;
        for &item in sorted {
            let order = self.compare(world, thread, item, value, comparator)?;
            count += usize::from(order < 0 || order == 0 && with);
        }
        Ok(count)
    }
}

fn replace<T>(whole: &mut Vec<T>, range: Range<usize>, part: Vec<T>) {
    if range.end <= whole.len() {
        whole.splice(range, part);
    }
}
