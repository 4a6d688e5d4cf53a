//! What one operation returned and another one is called on or with: leases, tickets, connections.

use super::Machine;
use super::build::NAMES;
use super::halt::{Do, throw};
use super::value::{ObjectId, Value};
use crate::statics::descriptor::Type;
use crate::statics::program::MethodIx;
use locklens_trace::ClassId;
use std::rc::Rc;
use std::sync::Arc;

impl Machine<'_> {
    /// What the operation that a thread is about to begin is called on: what an operation returned
    /// to this thread, or else to another one, preferably what it has not been called on before.
    /// While operations are looked for, it may be made up.
    pub(super) fn handed_back(&mut self, thread: usize, class: ClassId) -> Do<Value> {
        let operation = self.threads[thread].operation;
        let others = (0..self.threads.len()).filter(|&t| t != thread);
        let owners: Vec<usize> = std::iter::once(thread).chain(others).collect();
        let fresh = owners
            .iter()
            .find_map(|&t| self.unused(t, class, operation));
        let known = fresh.or_else(|| owners.iter().find_map(|&t| self.latest_of(t, class)));
        match known {
            Some(id) => {
                self.note_handled(operation, id);
                Ok(Value::Object(id))
            }
            None if self.trail.is_some() => self.make(thread, class, 0),
            None => throw("IllegalStateException"),
        }
    }

    /// What the thread got from an operation and has not handed to this one yet, if it is of this
    /// class; else a new object, by which the call is recognised.
    pub(super) fn received_or_new(
        &mut self,
        thread: usize,
        class: ClassId,
        token: u32,
    ) -> Do<Value> {
        let operation = self.threads[thread].operation;
        if let Some(id) = self.unused(thread, class, operation) {
            self.note_handled(operation, id);
            return Ok(Value::Object(id));
        }
        let made = self.make(thread, class, 0)?;
        if let Value::Object(id) = made {
            self.heap.change(id).token = Some(token);
        }
        Ok(made)
    }

    /// A new object whose names no other one has, by which the call is recognised.
    pub(super) fn unlike(&mut self, thread: usize, class: ClassId, token: u32) -> Do<Value> {
        let recipe = Rc::clone(&self.recipe);
        for ty in NAMES {
            let name = Type(ty).class_name().unwrap_or_default();
            let own = self.token(&name.into(), token)?;
            let shared = &mut Rc::make_mut(&mut self.recipe).shared;
            shared.insert(ty.to_owned(), own);
        }
        let made = self.make(thread, class, 0);
        self.recipe = recipe;
        let made = made?;
        if let Value::Object(id) = made {
            self.heap.change(id).token = Some(token);
        }
        Ok(made)
    }

    /// The thread's own object of a class.
    pub(super) fn own(&mut self, thread: usize, class: ClassId) -> Do<Value> {
        let mut known = self.threads[thread].own.iter();
        if let Some(&(_, own)) = known.find(|k| k.0 == class) {
            return Ok(own);
        }
        let made = self.make(thread, class, 0)?;
        self.threads[thread].own.push((class, made));
        Ok(made)
    }

    /// The thread's own key of a type, equal to no other.
    pub(super) fn own_key(&mut self, thread: usize, name: &Arc<str>) -> Do<Value> {
        let mut known = self.threads[thread].keys.iter();
        if let Some((_, own)) = known.find(|k| k.0 == *name) {
            return Ok(*own);
        }
        let key = self.token(name, u32::MAX / 2 - thread as u32)?;
        self.threads[thread].keys.push((Arc::clone(name), key));
        Ok(key)
    }

    fn note_handled(&mut self, operation: usize, id: ObjectId) {
        Rc::make_mut(&mut self.handled).insert((operation, id));
    }

    /// The latest object of a class that a thread received and this operation has not had since.
    fn unused(&self, thread: usize, class: ClassId, operation: usize) -> Option<ObjectId> {
        let mut received = self.received(thread, class);
        received.find(|&id| !self.handled.contains(&(operation, id)))
    }

    fn latest_of(&self, thread: usize, class: ClassId) -> Option<ObjectId> {
        self.received(thread, class).next()
    }

    /// What a thread received of a class, latest first.
    fn received(&self, thread: usize, class: ClassId) -> impl Iterator<Item = ObjectId> + '_ {
        let fits = move |id: &ObjectId| self.is_of(*id, class);
        let received = self.threads[thread].received.iter().rev();
        received.copied().filter(fits)
    }

    fn is_of(&self, id: ObjectId, class: ClassId) -> bool {
        let of = self.heap.get(id).class;
        of.is_some_and(|c| self.world.program.classes.above(c).contains(&class))
    }

    /// An operation has returned this to a thread: it is there to be handed on, once more.
    pub(super) fn receive(&mut self, thread: usize, id: ObjectId) {
        let again = |h: &(usize, ObjectId)| h.1 == id;
        if self.handled.iter().any(again) {
            Rc::make_mut(&mut self.handled).retain(|h| h.1 != id);
        }
        let received = &mut self.threads[thread].received;
        received.retain(|&known| known != id);
        if received.len() == super::MAX_RECEIVED {
            received.remove(0);
        }
        received.push(id);
    }

    /// The results of this method are what methods of a class are called on.
    pub(super) fn gives_handles(&self, method: MethodIx, class: ClassId) -> bool {
        let program = self.world.program;
        let of = &program.methods[method];
        let own = program.classes.above(class).contains(&of.def.class);
        let name = of.signature.result().and_then(|t| t.class_name());
        let Some(name) = name.filter(|n| !own && n != "java.lang.Object") else {
            return false;
        };
        program.classes.is_a(class, &name)
    }
}
