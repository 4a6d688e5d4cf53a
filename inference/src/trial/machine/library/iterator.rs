//! Iterators over collections.

use super::super::Machine;
use super::super::halt::{Do, throw};
use super::super::heap::{Iterator, Native, Part};
use super::super::link::CallLink;
use super::super::value::{ObjectId, Value};
use super::super::world::World;

impl<'a> Machine<'a> {
    /// An iterator over a collection.
    pub(super) fn iterate(&mut self, source: ObjectId) -> Do<ObjectId> {
        let items = self.elements(Value::Object(source))?;
        let keys = match self.heap.get(source).native {
            Native::View(map, _) => Some(self.part(map, Part::Keys)?),
            _ => None,
        };
        self.new_iterator(Iterator {
            items,
            next: 0,
            last: None,
            source,
            keys,
            backward: false,
        })
    }

    /// An iterator from the end of a collection to its beginning.
    pub(super) fn iterate_backward(&mut self, source: ObjectId) -> Do<ObjectId> {
        let mut items = self.elements(Value::Object(source))?;
        items.reverse();
        self.new_iterator(Iterator {
            items,
            next: 0,
            last: None,
            source,
            keys: None,
            backward: true,
        })
    }

    fn new_iterator(&mut self, iterator: Iterator) -> Do<ObjectId> {
        self.allocate("java.util.Iterator".into(), Native::Iterator(iterator))
    }

    /// A method of an iterator.
    pub(super) fn iterator(
        &mut self,
        (world, thread): (&World<'a>, usize),
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let Native::Iterator(iterator) = &mut self.heap.change(id).native else {
            return Ok(None);
        };
        let at = iterator.next;
        let number = |n: usize| Ok(Some(Value::Number(n as i64)));
        match (call.name(), args) {
            ("hasNext" | "hasMoreElements", []) => Ok(Some(Value::flag(at < iterator.items.len()))),
            ("hasPrevious", []) => Ok(Some(Value::flag(at > 0))),
            ("nextIndex", []) => number(at),
            ("previousIndex", []) => Ok(Some(Value::Number(at as i64 - 1))),
            ("next" | "nextElement" | "nextInt", []) => match iterator.items.get(at) {
                Some(&item) => {
                    iterator.last = Some(at);
                    iterator.next += 1;
                    Ok(Some(item))
                }
                None => throw("java.util.NoSuchElementException"),
            },
            ("previous", []) => match at.checked_sub(1) {
                Some(before) => {
                    iterator.last = Some(before);
                    iterator.next = before;
                    Ok(iterator.items.get(before).copied())
                }
                None => throw("java.util.NoSuchElementException"),
            },
            ("remove", []) => self.remove_last(id).map(|()| None),
            ("set", &[item]) => self.set_last(id, item).map(|()| None),
            ("add", &[item]) => {
                iterator.items.insert(at.min(iterator.items.len()), item);
                iterator.next += 1;
                iterator.last = None;
                let source = iterator.source;
                self.change_items(source, |items| items.insert(at.min(items.len()), item));
                Ok(None)
            }
            ("forEachRemaining", &[function]) => {
                let rest = iterator.items.get(at..).unwrap_or_default().to_vec();
                iterator.next = iterator.items.len();
                iterator.last = iterator.next.checked_sub(1);
                self.each((world, thread), function, &rest)?;
                Ok(None)
            }
            _ => Self::not_modelled(call),
        }
    }

    fn last_of(&self, id: ObjectId) -> Do<(usize, ObjectId, bool)> {
        match &self.heap.get(id).native {
            Native::Iterator(Iterator {
                last: Some(last),
                source,
                backward,
                ..
            }) => Ok((*last, *source, *backward)),
            _ => throw("IllegalStateException"),
        }
    }

    /// Replaces what an iterator gave last.
    fn set_last(&mut self, id: ObjectId, item: Value) -> Do<()> {
        let (last, source, _) = self.last_of(id)?;
        if let Native::Iterator(iterator) = &mut self.heap.change(id).native {
            iterator.items[last] = item;
        }
        self.change_items(source, |items| {
            if let Some(old) = items.get_mut(last) {
                *old = item;
            }
        });
        Ok(())
    }

    /// Removes what an iterator gave last from where it came.
    fn remove_last(&mut self, id: ObjectId) -> Do<()> {
        let (last, source, backward) = self.last_of(id)?;
        let Native::Iterator(iterator) = &mut self.heap.change(id).native else {
            return Ok(());
        };
        let item = iterator.items.remove(last);
        let key = iterator.keys.as_mut().map(|keys| keys.remove(last));
        let after = iterator.items.len() - last;
        iterator.last = None;
        iterator.next -= usize::from(iterator.next > last);
        match (key, &self.heap.get(source).native) {
            (Some(key), &Native::View(map, _)) => {
                self.change_map(map, |entries| remove_where(entries, |e| e.0 == key));
            }
            _ => self.change_items(source, |items| {
                let at = if backward { after } else { last };
                if items.get(at) == Some(&item) {
                    items.remove(at);
                } else {
                    // Others have changed it since, which some collections allow.
                    remove_where(items, |&i| i == item);
                }
            }),
        }
        Ok(())
    }
}

fn remove_where<T>(items: &mut Vec<T>, is: impl FnMut(&T) -> bool) {
    if let Some(at) = items.iter().position(is) {
        items.remove(at);
    }
}
