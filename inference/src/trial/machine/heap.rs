//! Objects of the sandbox. Copies of a heap share what neither has changed.

use super::function::Shape;
use super::hopeless::Watch;
use super::site::Body;
use super::text::Text;
use super::value::{ObjectId, Value};
use crate::statics::program::FieldId;
use locklens_trace::ClassId;
use std::rc::Rc;
use std::sync::Arc;

/// An object or array.
#[derive(Clone, Debug)]
pub(super) struct Object {
    /// Its class, where it is one of the program's.
    pub(super) class: Option<ClassId>,
    /// Name of its class.
    pub(super) name: Arc<str>,
    /// Instance fields that were written.
    pub(super) fields: Vec<(FieldId, Value)>,
    /// What the library part of it holds.
    pub(super) native: Native,
    /// What was handed to a library constructor of it.
    pub(super) holds: Vec<ObjectId>,
    /// Thread that owns its monitor, and how many times.
    pub(super) monitor: Option<(usize, u32)>,
    /// It was handed in by the call with this token.
    pub(super) token: Option<u32>,
}

/// What the library keeps in an object.
#[derive(Clone, Debug)]
pub(super) enum Native {
    /// Nothing.
    None,
    /// Made by code that did not run here: what it holds is not known.
    Opaque,
    /// New, of a class that is not known before somebody casts it.
    Unmade,
    Array(Vec<Value>),
    Sequence(Sequence),
    Map(Map),
    /// The keys, values or entries of a map.
    View(ObjectId, Part),
    /// An entry of a map: map, key, and the value when it was looked at.
    Entry(ObjectId, Value, Value),
    Iterator(Iterator),
    /// An atomic variable or reference.
    Cell(Value),
    /// A variable a thread; what supplies its first value.
    Local(Vec<(usize, Value)>, Option<Value>),
    /// Bits that are set, ascending.
    Bits(Vec<i64>),
    /// A simulated thread.
    Thread(usize),
    /// The mirror of a class.
    Mirror,
    /// A unit of time, in nanoseconds.
    Unit(i64),
    /// A text.
    Text(Text),
    /// The characters of a text that is put together.
    Buffer(Vec<Value>),
    /// Something handed in that only answers calls: with zero, or with a new object.
    Stub,
    /// A constant of an enum: its ordinal.
    Constant(i64),
    /// A function made by `invokedynamic`.
    Function(Function),
    /// The elements of a stream.
    Stream(Vec<Value>),
    /// A value that may be absent.
    Optional(Option<Value>),
    /// A comparator that the library made.
    Comparison(Comparison),
    /// A function that the library made of others.
    Joined(Joined),
    /// A length of time, or a point in it, in nanoseconds.
    Span(i64),
}

/// How a comparator that the library made orders.
#[derive(Clone, Copy, Debug)]
pub(super) enum Comparison {
    Natural,
    /// The other way round than this one, or than natural.
    Reversed(Option<Value>),
    /// By what a function gives of each, compared by this or naturally.
    By(Value, Option<Value>),
    /// Entries of maps by their keys or values, compared by this or naturally.
    Entry(Part, Option<Value>),
    /// By the first, and what is equal by the second.
    Then(Value, Value),
}

/// A function that the library made of others.
#[derive(Clone, Copy, Debug)]
pub(super) enum Joined {
    /// It gives what it is given.
    Same,
    /// A test that is true where this one is false.
    Not(Value),
    /// A test: both, or either.
    Both(Value, Value),
    Either(Value, Value),
    /// The second with what the first gives.
    Then(Value, Value),
    /// One after the other with the same.
    Each(Value, Value),
    /// The one of two that comes first in an order, or last.
    Least(Value),
    Most(Value),
}

/// A function made by `invokedynamic`.
#[derive(Clone, Debug)]
pub(super) struct Function {
    /// What it has captured.
    pub(super) captured: Vec<Value>,
    /// Its code; none where it is not known, or several could be it.
    pub(super) body: Option<Body>,
    /// What it takes and gives, where its interface is known.
    pub(super) shape: Option<Shape>,
    /// The method of the interface that it implements.
    pub(super) name: Arc<str>,
}

/// A list, queue or set.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    pub(super) items: Vec<Value>,
    pub(super) order: Order,
    /// Most elements, of a bounded queue.
    pub(super) limit: Option<usize>,
    pub(super) comparator: Option<Value>,
    /// It shows a part of another one.
    pub(super) part: Option<Slice>,
}

/// A part of a sequence or map as another object shows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    pub(super) of: ObjectId,
    pub(super) from: usize,
    pub(super) length: usize,
    /// Elements of the whole, as far as is known here.
    pub(super) whole: usize,
}

/// How a sequence keeps its elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    /// By index; `push` adds at the end.
    #[default]
    List,
    /// `push` adds at the front.
    Deque,
    /// Each element once.
    Set,
    /// Each element once, sorted.
    SortedSet,
    /// Sorted.
    Priority,
}

/// A map.
#[derive(Clone, Debug, Default)]
pub(super) struct Map {
    pub(super) entries: Vec<(Value, Value)>,
    pub(super) sorted: bool,
    pub(super) comparator: Option<Value>,
    /// What was used last comes last.
    pub(super) by_use: bool,
    /// It shows a part of another one.
    pub(super) part: Option<Slice>,
}

/// What a view of a map shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Keys,
    Values,
    Entries,
}

/// An iterator over the elements there were when it was made.
#[derive(Clone, Debug)]
pub(super) struct Iterator {
    pub(super) items: Vec<Value>,
    pub(super) next: usize,
    /// The element it gave last, if that is still there.
    pub(super) last: Option<usize>,
    pub(super) source: ObjectId,
    /// The keys of the elements, if they are those of a map.
    pub(super) keys: Option<Vec<Value>>,
    /// It goes from the end to the beginning.
    pub(super) backward: bool,
}

/// All objects, in pieces of so many: a copy of a heap shares those with its original until one of them is changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Heap {
    pieces: Vec<Rc<Vec<Rc<Object>>>>,
    /// Elements that objects had when they were made.
    elements: usize,
    /// What is looked at is written down here.
    pub(super) watch: Option<Watch>,
}

/// Objects of a piece.
const PIECE: usize = 32;

/// Objects a heap can hold; with more, execution stops.
pub(super) const MAX_OBJECTS: usize = 4_000;
/// Elements of all arrays, collections and texts together when they are made: of 16 bytes mostly.
const MAX_ELEMENTS: usize = 4 << 20;
/// Elements that one collection can grow to, or units of a text.
pub(super) const MOST: usize = 1 << 16;

impl Heap {
    /// Puts an object in; none when there is no room.
    pub(super) fn add(&mut self, object: Object) -> Option<ObjectId> {
        let id = self.len();
        self.elements = self.elements.saturating_add(object.native.elements());
        if id >= MAX_OBJECTS || self.elements > MAX_ELEMENTS {
            return None;
        }
        match self.pieces.last_mut() {
            Some(last) if last.len() < PIECE => Rc::make_mut(last).push(Rc::new(object)),
            _ => self.pieces.push(Rc::new(vec![Rc::new(object)])),
        }
        Some(ObjectId(id as u32))
    }

    /// An object.
    pub(super) fn get(&self, id: ObjectId) -> &Object {
        let at = id.0 as usize;
        let object = &self.pieces[at / PIECE][at % PIECE];
        if let Some(watch) = &self.watch {
            watch.borrow_mut().object(id, object);
        }
        object
    }

    /// An object of which nothing is looked at but what never changes.
    pub(super) fn glance(&self, id: ObjectId) -> &Object {
        let at = id.0 as usize;
        &self.pieces[at / PIECE][at % PIECE]
    }

    /// An object as this heap shares it with others; none if there is none.
    pub(super) fn shared(&self, id: ObjectId) -> Option<&Rc<Object>> {
        let at = id.0 as usize;
        self.pieces.get(at / PIECE)?.get(at % PIECE)
    }

    /// An object, to be changed.
    pub(super) fn change(&mut self, id: ObjectId) -> &mut Object {
        let at = id.0 as usize;
        if let Some(watch) = &self.watch {
            watch
                .borrow_mut()
                .object(id, &self.pieces[at / PIECE][at % PIECE]);
        }
        let piece = Rc::make_mut(&mut self.pieces[at / PIECE]);
        Rc::make_mut(&mut piece[at % PIECE])
    }

    /// What the fields of all objects hold.
    pub(super) fn values(&self) -> impl std::iter::Iterator<Item = Value> + '_ {
        let objects = self.pieces.iter().flat_map(|piece| piece.iter());
        objects.flat_map(|object| object.fields.iter().map(|field| field.1))
    }

    /// How many objects there are.
    pub(super) fn len(&self) -> usize {
        let whole = self.pieces.len().saturating_sub(1) * PIECE;
        whole + self.pieces.last().map_or(0, |last| last.len())
    }
}

impl Native {
    /// How many elements it has, or units of a text.
    pub(super) fn elements(&self) -> usize {
        match self {
            Self::Array(items) | Self::Buffer(items) | Self::Stream(items) => items.len(),
            Self::Sequence(sequence) => sequence.items.len(),
            Self::Map(map) => map.entries.len(),
            Self::Text(text) => text.known(),
            _ => 0,
        }
    }
}

impl Object {
    /// The value of a field, if it was written.
    pub(super) fn field(&self, id: FieldId) -> Option<Value> {
        let found = self.fields.iter().find(|f| f.0 == id);
        found.map(|f| f.1)
    }

    /// Writes a field.
    pub(super) fn set_field(&mut self, id: FieldId, value: Value) {
        match self.fields.iter_mut().find(|f| f.0 == id) {
            Some(field) => field.1 = value,
            None => self.fields.push((id, value)),
        }
    }

    /// Everything it refers to.
    pub(super) fn references(&self) -> Vec<ObjectId> {
        let mut out = self.holds.clone();
        let fields = self.fields.iter().map(|f| f.1);
        collect(fields, &mut out);
        match &self.native {
            Native::Array(items) => collect(items.iter().copied(), &mut out),
            Native::Sequence(s) => collect(s.items.iter().copied(), &mut out),
            Native::Map(map) => collect(map.entries.iter().flat_map(|e| [e.0, e.1]), &mut out),
            Native::View(map, _) => out.push(*map),
            Native::Entry(map, key, value) => {
                out.push(*map);
                collect([*key, *value], &mut out);
            }
            Native::Cell(value) => collect([*value], &mut out),
            Native::Function(f) => collect(f.captured.iter().copied(), &mut out),
            Native::Stream(items) => collect(items.iter().copied(), &mut out),
            Native::Optional(item) => collect(*item, &mut out),
            Native::Local(values, _) => collect(values.iter().map(|v| v.1), &mut out),
            _ => {}
        }
        out
    }
}

fn collect(values: impl IntoIterator<Item = Value>, out: &mut Vec<ObjectId>) {
    for value in values {
        if let Value::Object(id) = value {
            out.push(id);
        }
    }
}
