//! What one operation returned and another one is called on or with: leases, tickets, connections.

use super::Machine;
use super::build::NAMES;
use super::halt::{Do, throw};
use super::heap::Native;
use super::menu::FIRST_NUMBER;
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
            .find_map(|&t| self.unused(t, operation, |m, id| m.is_of(id, class)));
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
        let received = self.unused(thread, operation, |m, id| m.is_of(id, class));
        if let Some(id) = received {
            return Ok(self.handed_on(operation, id, token));
        }
        let made = self.make_handed(thread, class)?;
        if let Value::Object(id) = made {
            self.heap.change(id).token = Some(token);
        }
        Ok(made)
    }

    /// A new object to be handed in, with the number that such have, if they are to have one.
    fn make_handed(&mut self, thread: usize, class: ClassId) -> Do<Value> {
        let Some(number) = self.handed_number else {
            return self.make(thread, class, 0);
        };
        let recipe = Rc::clone(&self.recipe);
        let own = Rc::make_mut(&mut self.recipe);
        (own.number, own.constants) = (number, false);
        let made = self.make(thread, class, 0);
        self.recipe = recipe;
        made
    }

    /// A new object whose names (and numbers, if so) no other one has, by which the call is
    /// recognised.
    pub(super) fn unlike(
        &mut self,
        thread: usize,
        (class, numbered): (ClassId, bool),
        token: u32,
    ) -> Do<Value> {
        let recipe = Rc::clone(&self.recipe);
        for ty in NAMES {
            let name = Type(ty).class_name().unwrap_or_default();
            let own = self.token(&name.into(), token)?;
            let shared = &mut Rc::make_mut(&mut self.recipe).shared;
            shared.insert(ty.to_owned(), own);
        }
        if numbered {
            let own = Rc::make_mut(&mut self.recipe);
            (own.number, own.constants) = (FIRST_NUMBER + i64::from(token), false);
        }
        let made = self.make_handed(thread, class);
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
        let made = self.make_handed(thread, class)?;
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

    /// What the thread got from an operation and has not handed to this one yet, if it is an array;
    /// else a new one.
    pub(super) fn array_or_new(
        &mut self,
        thread: usize,
        base: Option<i64>,
        token: u32,
    ) -> Do<Value> {
        let operation = self.threads[thread].operation;
        let is_array = |m: &Self, id| matches!(m.heap.get(id).native, Native::Array(_));
        match self.unused(thread, operation, is_array) {
            Some(id) => Ok(self.handed_on(operation, id, token)),
            None => self.tokens(base, token),
        }
    }

    /// A new array of tokens, or of numbers above this one.
    pub(super) fn tokens(&mut self, base: Option<i64>, token: u32) -> Do<Value> {
        let item = match base {
            Some(base) => self.numbered(base, token),
            None => self.token(&"java.lang.Object".into(), token)?,
        };
        let array = Native::Array(vec![item]);
        Ok(Value::Object(self.allocate("[".into(), array)?))
    }

    /// What was received is handed to an operation: if it comes out again, it is what this call
    /// handed in.
    fn handed_on(&mut self, operation: usize, id: ObjectId, token: u32) -> Value {
        self.note_handled(operation, id);
        self.heap.change(id).token = Some(token);
        Value::Object(id)
    }

    /// The latest such object that a thread received and this operation has not had since.
    fn unused(
        &self,
        thread: usize,
        operation: usize,
        fits: impl Fn(&Self, ObjectId) -> bool,
    ) -> Option<ObjectId> {
        let mut received = self.threads[thread].received.iter().rev().copied();
        received.find(|&id| fits(self, id) && !self.handled.contains(&(operation, id)))
    }

    /// What a thread received last of a class.
    fn latest_of(&self, thread: usize, class: ClassId) -> Option<ObjectId> {
        let mut received = self.threads[thread].received.iter().rev().copied();
        received.find(|&id| self.is_of(id, class))
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
            // Whoever had it before has handed it on.
            for other in &mut self.threads {
                other.received.retain(|&known| known != id);
            }
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
