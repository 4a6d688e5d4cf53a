//! Static fields, class mirrors, and classes coming to life.

use super::Machine;
use super::guess::Place;
use super::halt::{Do, stuck};
use super::heap::Native;
use super::link::FieldLink;
use super::step::Flow;
use super::thread::State;
use super::value::{Kind, ObjectId, Value};
use super::world::World;
use crate::statics::program::{FieldId, MethodIx, library_constant};
use locklens_trace::ClassId;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// What belongs to classes rather than objects. Copies share what neither has changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Statics {
    fields: Rc<BTreeMap<FieldId, Value>>,
    /// Classes whose initialiser was begun.
    alive: Rc<BTreeSet<ClassId>>,
    /// Classes whose initialiser could not be followed to its end.
    doubtful: Rc<BTreeSet<ClassId>>,
    mirrors: Rc<BTreeMap<Arc<str>, ObjectId>>,
    /// Texts of which there is one object.
    pub(super) texts: Rc<BTreeMap<Rc<[u16]>, ObjectId>>,
    /// Constants that are objects, by instruction.
    pub(super) literals: Rc<BTreeMap<(MethodIx, usize), ObjectId>>,
}

/// Calls within one instruction that may be nested.
const MAX_NESTED: u32 = 12;

impl<'a> Machine<'a> {
    /// The mirror of a class.
    pub(super) fn mirror(&mut self, name: &str) -> Do<ObjectId> {
        if let Some(&known) = self.statics.mirrors.get(name) {
            return Ok(known);
        }
        let made = self.allocate("java.lang.Class".into(), Native::Mirror)?;
        Rc::make_mut(&mut self.statics.mirrors).insert(name.into(), made);
        Ok(made)
    }

    /// The instruction whose constant this is.
    pub(super) fn place_of_literal(&self, id: ObjectId) -> Option<(MethodIx, usize)> {
        let mut all = self.statics.literals.iter();
        all.find(|l| *l.1 == id).map(|l| *l.0)
    }

    /// The class whose mirror this is.
    pub(super) fn mirrored(&self, mirror: ObjectId) -> Option<Arc<str>> {
        let mut mirrors = self.statics.mirrors.iter();
        mirrors.find(|m| *m.1 == mirror).map(|m| Arc::clone(m.0))
    }

    /// Runs the static initialiser of a class, and of its superclasses, on first use.
    pub(super) fn come_alive(
        &mut self,
        world: &World<'a>,
        thread: usize,
        class: Option<ClassId>,
    ) -> Do<()> {
        class.into_iter().for_each(|class| self.note_alive(class));
        let Some(class) = class.filter(|c| !self.statics.alive.contains(c)) else {
            return Ok(());
        };
        let chain = world.program.classes.chain(class).to_vec();
        for &class in chain.iter().rev() {
            self.note_alive(class);
            if world.is_modelled(class) || self.statics.alive.contains(&class) {
                continue;
            }
            Rc::make_mut(&mut self.statics.alive).insert(class);
            let Some(initialiser) = world.initialiser(class) else {
                continue;
            };
            let fuel = std::mem::replace(&mut self.fuel, super::FUEL);
            if self.nested_call(world, thread, initialiser, &[]).is_err() {
                Rc::make_mut(&mut self.statics.doubtful).insert(class);
            }
            self.fuel = fuel;
        }
        Ok(())
    }

    /// What a static field holds. If nothing the sandbox saw has written it, it is its initial
    /// value only where all code that writes it is known.
    pub(super) fn static_value(&mut self, world: &World<'a>, field: &FieldLink) -> Do<Value> {
        self.note_static(field.id, false);
        if let Some(&value) = self.statics.fields.get(&field.id) {
            return Ok(value);
        }
        let known = world.program.field(field.id);
        if let Some(constant) = library_constant(&known.class, &known.name) {
            return Ok(Value::Number(constant));
        }
        if known_unit(world, field.id).is_some() {
            return self.unit(world, field.id);
        }
        if (known.class.as_str(), known.name.as_str()) == ("java.time.Duration", "ZERO") {
            let made = self.allocate("java.time.Duration".into(), Native::Span(0))?;
            self.set_static(field.id, Value::Object(made));
            return Ok(Value::Object(made));
        }
        let doubtful = field
            .class
            .is_some_and(|c| self.statics.doubtful.contains(&c));
        let known = world.program.field(field.id);
        let value = if doubtful || known.writers.is_empty() {
            match field.kind {
                Kind::Reference => self.unknown(&known.descriptor)?,
                _ => self.guess_at(Place::Field(field.id), &known.descriptor),
            }
        } else {
            field.kind.initial()
        };
        self.set_static(field.id, value);
        Ok(value)
    }

    /// A constant of `TimeUnit`.
    fn unit(&mut self, world: &World<'a>, id: FieldId) -> Do<Value> {
        let native = known_unit(world, id).map_or(Native::Opaque, Native::Unit);
        let made = self.allocate("java.util.concurrent.TimeUnit".into(), native)?;
        self.set_static(id, Value::Object(made));
        Ok(Value::Object(made))
    }

    /// What a static field holds, if it was set.
    pub(super) fn static_now(&self, id: FieldId) -> Option<Value> {
        self.statics.fields.get(&id).copied()
    }

    /// The initialiser of a class was begun.
    pub(super) fn is_alive(&self, class: ClassId) -> bool {
        self.statics.alive.contains(&class)
    }

    pub(super) fn set_static(&mut self, id: FieldId, value: Value) {
        self.note_static(id, true);
        self.changes += 1;
        Rc::make_mut(&mut self.statics.fields).insert(id, value);
    }

    /// The objects that static fields refer to.
    pub(super) fn static_objects(&self) -> Vec<ObjectId> {
        let object = |v: &Value| match v {
            Value::Object(id) => Some(*id),
            _ => None,
        };
        self.statics.fields.values().filter_map(object).collect()
    }

    /// The constants of an enum, in order.
    pub(super) fn constants(
        &mut self,
        world: &World<'a>,
        thread: usize,
        class: ClassId,
    ) -> Do<Vec<Value>> {
        self.come_alive(world, thread, Some(class))?;
        let ids = (0..self.heap.len() as u32).map(ObjectId);
        let ordinal = |id: ObjectId| {
            let object = self.heap.glance(id);
            let own = object
                .class
                .is_some_and(|c| world.program.classes.chain(c).contains(&class));
            match object.native {
                Native::Constant(ordinal) if own => Some((ordinal, id)),
                _ => None,
            }
        };
        let mut found: Vec<_> = ids.filter_map(ordinal).collect();
        found.sort_unstable();
        Ok(found.into_iter().map(|f| Value::Object(f.1)).collect())
    }

    /// Runs a method to its end within one instruction: it must not wait.
    pub(super) fn nested_call(
        &mut self,
        world: &World<'a>,
        thread: usize,
        method: MethodIx,
        args: &[Value],
    ) -> Do<Option<Value>> {
        if self.nested >= MAX_NESTED {
            return stuck("calls nested too deep");
        }
        let base = self.threads[thread].frames.len();
        let mut frame = self.frame(world, method, args)?;
        frame.bottom = true;
        let before = self.threads[thread].state;
        self.threads[thread].state = State::Runs;
        self.threads[thread].frames.push(frame);
        self.nested += 1;
        let ended = self.run_nested(world, thread);
        self.nested -= 1;
        self.drop_frames(thread, base);
        self.threads[thread].state = before;
        ended
    }

    fn run_nested(&mut self, world: &World<'a>, thread: usize) -> Do<Option<Value>> {
        loop {
            match self.go(world, thread) {
                Ok(Flow::On) => {}
                Ok(Flow::Left(value)) => return Ok(value),
                Ok(Flow::Suspended) => return stuck("waits in an initialiser or a function"),
                Err(halt) => return Err(halt),
            }
        }
    }
}

fn known_unit(world: &World<'_>, id: FieldId) -> Option<i64> {
    let field = world.program.field(id);
    let unit = field.class == "java.util.concurrent.TimeUnit";
    unit.then(|| super::library::unit(&field.name)).flatten()
}
