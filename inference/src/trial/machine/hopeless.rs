//! What cannot be constructed. An attempt leaves nothing behind and is made again wherever such an object is called for, in each of
//! thousands of calls. So it is remembered how it ended, with everything it looked at that had been there before: as long as all of that
//! is as it was, the next one ends in the same way.

use super::Machine;
use super::build::NAMES;
use super::halt::Halt;
use super::heap::{MAX_OBJECTS, Object};
use super::value::{ObjectId, Value};
use super::world::World;
use crate::statics::descriptor::Type;
use crate::statics::program::{FieldId, MethodIx};
use locklens_trace::ClassId;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Ends that are remembered of one kind of attempt, each with another past.
const MOST: usize = 4;
/// Things looked at beyond which nothing is remembered.
const MOST_SEEN: usize = 1_000;
/// What is left for other things, of the objects that there is room for.
const ROOM: usize = MAX_OBJECTS / 4;

/// Which constructor of which class, how deep and in which thread, and the recipe's number, constants and place.
type Attempt = (ClassId, MethodIx, u32, usize, (i64, bool, usize), bool);

/// The attempts that failed, of all copies of a machine.
pub(super) type Hopeless = Rc<RefCell<BTreeMap<Attempt, Vec<End>>>>;

/// Where what an attempt looks at is written down.
pub(super) type Watch = Rc<RefCell<Seen>>;

/// What an attempt found, as it was before.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Objects from this one on are its own.
    base: usize,
    /// What calls are recognised by is another one each time.
    names: Vec<ObjectId>,
    objects: BTreeMap<ObjectId, Rc<Object>>,
    /// None: it has set that itself before.
    statics: BTreeMap<FieldId, Option<Option<Value>>>,
    alive: BTreeMap<ClassId, bool>,
    /// What is given for each type, where something is.
    shared: BTreeMap<String, Option<Value>>,
    /// What fits a class, or is kept in a field of a type.
    fitting: BTreeMap<ClassId, Option<Value>>,
    kept: BTreeMap<String, Option<Value>>,
}

/// How an attempt ended.
#[derive(Debug)]
pub(super) struct End {
    seen: Seen,
    why: Halt,
    /// Instructions there were, and those that it left.
    fuel: (u64, u64),
}

/// An attempt under way.
#[derive(Debug)]
pub(super) struct Begun {
    attempt: Attempt,
    fuel: u64,
    outer: Option<Watch>,
}

impl Seen {
    /// An object is looked at.
    pub(super) fn object(&mut self, id: ObjectId, object: &Rc<Object>) {
        if (id.0 as usize) < self.base && !self.names.contains(&id) {
            let known = self.objects.entry(id);
            known.or_insert_with(|| Rc::clone(object));
        }
    }

    fn len(&self) -> usize {
        self.objects.len() + self.statics.len() + self.alive.len()
    }

    /// What an attempt within this one found. What it has set is as it was if it failed.
    fn add(&mut self, inner: &Self, failed: bool) {
        for (id, object) in &inner.objects {
            self.object(*id, object);
        }
        let statics = inner.statics.iter();
        for (id, value) in statics.filter(|(_, value)| !failed || value.is_some()) {
            self.statics.entry(*id).or_insert(*value);
        }
        for (class, alive) in &inner.alive {
            self.alive.entry(*class).or_insert(*alive);
        }
        for (ty, value) in &inner.shared {
            self.shared.entry(ty.clone()).or_insert(*value);
        }
        for (class, value) in &inner.fitting {
            self.fitting.entry(*class).or_insert(*value);
        }
        for (ty, value) in &inner.kept {
            self.kept.entry(ty.clone()).or_insert(*value);
        }
    }
}

impl<'a> Machine<'a> {
    /// How an attempt to construct an object ends, if it is known to fail; else it begins, and is watched if it can be remembered.
    pub(super) fn begin_attempt(
        &mut self,
        world: &World<'a>,
        (class, constructor): (ClassId, MethodIx),
        (thread, depth): (usize, u32),
    ) -> Result<Option<Begun>, Halt> {
        let idle = self.nested == 0 && self.threads[thread].frames.is_empty();
        if !idle || self.is_guessing() || self.heap.len() + ROOM > MAX_OBJECTS {
            return Ok(None);
        }
        let recipe = &self.recipe;
        let number = (recipe.number, recipe.constants, recipe.place);
        let attempt = (class, constructor, depth, thread, number, self.lenient);
        let hopeless = Rc::clone(&self.hopeless);
        let hopeless = hopeless.borrow();
        let mut known = hopeless.get(&attempt).into_iter().flatten();
        if let Some(end) = known.find(|end| self.is_as_it_was(world, end)) {
            if let Some(outer) = &self.heap.watch {
                outer.borrow_mut().add(&end.seen, true);
            }
            return Err(end.why.clone());
        }
        let names = NAMES.iter().filter_map(|ty| match recipe.shared.get(*ty) {
            Some(Value::Object(id)) => Some(*id),
            _ => None,
        });
        let seen = Seen {
            base: self.heap.len(),
            names: names.collect(),
            ..Seen::default()
        };
        let outer = self.heap.watch.replace(Rc::new(RefCell::new(seen)));
        Ok(Some(Begun {
            attempt,
            fuel: self.fuel,
            outer,
        }))
    }

    /// It is over; if it failed, that is remembered.
    pub(super) fn end_attempt(&mut self, begun: Option<Begun>, why: Option<&Halt>) {
        let Some(begun) = begun else { return };
        let watch = std::mem::replace(&mut self.heap.watch, begun.outer);
        let seen = watch.map(|watch| watch.take()).unwrap_or_default();
        if let Some(outer) = &self.heap.watch {
            outer.borrow_mut().add(&seen, why.is_some());
        }
        let Some(why) = why.filter(|_| seen.len() <= MOST_SEEN) else {
            return;
        };
        let mut hopeless = self.hopeless.borrow_mut();
        let ends = hopeless.entry(begun.attempt).or_default();
        if ends.len() < MOST && self.heap.len() + 1 < MAX_OBJECTS {
            ends.push(End {
                seen,
                why: why.clone(),
                fuel: (begun.fuel, self.fuel),
            });
        }
    }

    fn is_as_it_was(&self, world: &World<'a>, end: &End) -> bool {
        let seen = &end.seen;
        let enough = match end.fuel {
            // It would have gone on.
            (before, 0) => self.fuel <= before,
            (before, left) => self.fuel > before - left,
        };
        let same_object = |(id, object): (&ObjectId, &Rc<Object>)| {
            let now = self.heap.shared(*id);
            now.is_some_and(|now| Rc::ptr_eq(now, object))
        };
        let same_static = |(id, value): (&FieldId, &Option<Option<Value>>)| {
            value.is_none_or(|value| self.static_now(*id) == value)
        };
        let shared = &self.recipe.shared;
        enough
            && (seen.shared.iter()).all(|(ty, value)| shared.get(ty) == value.as_ref())
            && (seen.alive.iter()).all(|(class, alive)| self.is_alive(*class) == *alive)
            && seen.statics.iter().all(same_static)
            && seen.objects.iter().all(same_object)
            && (seen.fitting.iter()).all(|(class, v)| self.fitting(world, *class) == *v)
            && (seen.kept.iter()).all(|(ty, v)| self.found_in_shared(world, Type(ty)) == *v)
    }

    /// What is given for a type is looked up.
    pub(super) fn note_shared(&self, ty: &str) {
        if let Some(watch) = self.heap.watch.as_ref().filter(|_| !NAMES.contains(&ty)) {
            let now = self.recipe.shared.get(ty).copied();
            let shared = &mut watch.borrow_mut().shared;
            shared.entry(ty.to_owned()).or_insert(now);
        }
    }

    pub(super) fn note_fitting(&self, class: ClassId, found: Option<Value>) {
        if let Some(watch) = &self.heap.watch {
            watch.borrow_mut().fitting.entry(class).or_insert(found);
        }
    }

    pub(super) fn note_kept(&self, ty: &str, found: Option<Value>) {
        if let Some(watch) = &self.heap.watch {
            let kept = &mut watch.borrow_mut().kept;
            kept.entry(ty.to_owned()).or_insert(found);
        }
    }

    /// A static field is looked at, or set.
    pub(super) fn note_static(&self, id: FieldId, set: bool) {
        if let Some(watch) = &self.heap.watch {
            let now = (!set).then(|| self.static_now(id));
            watch.borrow_mut().statics.entry(id).or_insert(now);
        }
    }

    pub(super) fn note_alive(&self, class: ClassId) {
        if let Some(watch) = &self.heap.watch {
            let alive = &mut watch.borrow_mut().alive;
            alive.entry(class).or_insert(self.is_alive(class));
        }
    }
}
