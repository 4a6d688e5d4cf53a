//! Numbers that differ from one lock object to another of the same class: no parameter of the logical lock.
//!
//! Sources: what the objects themselves held, where they were looked at and it cannot have changed; what the place that
//! made the lock makes when it is reached again; and what other places make. Only fields count that the code of the lock
//! reads: a name or number that tells objects apart is no matter of how many.

use super::halt::{Do, stuck};
use super::heap::Native;
use super::link::Link;
use super::step::Flow;
use super::value::{ObjectId, Value};
use super::world::World;
use super::{MAKER, Machine};
use crate::statics::program::{FieldId, MethodIx};
use locklens_trace::ClassId;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Instructions given to reaching the place again.
const AGAIN: u64 = 20_000;
/// Objects made there that are looked at.
pub(super) const MAX_KIN: usize = 8;

/// Numbers of an object by field; of an array its length.
pub(super) type Numbers = BTreeMap<FieldId, i64>;

impl<'a> Machine<'a> {
    /// What the objects held that were looked at, where the lock's own root has one of these numbers and others have another.
    pub(super) fn compare_observed(&mut self, root: ObjectId) {
        let world = Rc::clone(&self.world);
        let program = world.program;
        let read = self.numbers_of(root).into_iter();
        for (field, number) in read.filter(|(field, _)| world.reads(*field)) {
            let seen = program.observed_in(field);
            let sizes = seen.len() > 1 && seen.iter().all(|n| *n > 0) && seen.contains(&number);
            if sizes && program.is_stable(field) {
                Rc::make_mut(&mut self.varied).insert(number);
            }
        }
    }

    /// What others of exactly its class hold that these objects lead to: those of static fields, or the one that made it.
    pub(super) fn compare_kin(&mut self, from: &[ObjectId], (class, first): (ClassId, ObjectId)) {
        let mine = self.numbers_of(first);
        let kept = self.reachable(from).into_iter();
        // What leads from one to another is made of both (a tree of barriers).
        let leads = |from: ObjectId, to: ObjectId| self.reachable(&[from]).contains(&to);
        let is_linked = |id: ObjectId| leads(first, id) || leads(id, first);
        let is_kin = |&id: &ObjectId| {
            id != first && self.heap.get(id).class == Some(class) && !is_linked(id)
        };
        let kin: Vec<Numbers> = kept
            .filter(is_kin)
            .take(MAX_KIN)
            .map(|id| self.numbers_of(id))
            .collect();
        kin.iter().for_each(|other| self.differ(&mine, other));
    }

    /// What else the instruction makes that has just made this object, as far as the sandbox can run on.
    pub(super) fn compare_made_again(
        &mut self,
        world: &World<'a>,
        (method, at): (MethodIx, usize),
        (first, made): (ObjectId, &Self),
    ) {
        let mine = made.numbers_of(first);
        let mut other = self.clone();
        other.assumed = Rc::new(RefCell::new(self.assumed.borrow().clone()));
        other.fuel = AGAIN;
        let before = other.cost;
        let mut kin = 0;
        while kin < MAX_KIN {
            if other.is_just_made(method, at)
                && let Some(&Value::Object(id)) = other.top(MAKER).ok().and_then(|f| f.stack.last())
                && id != first
            {
                kin += 1;
                self.differ(&mine, &other.numbers_of(id));
            }
            let went_on = match other.starts_another(world) {
                true => other.pass_over(world),
                false => other.go(world, MAKER),
            };
            if !matches!(went_on, Ok(Flow::On)) {
                break;
            }
        }
        self.cost += other.cost - before;
    }

    /// Notes the numbers of an object that another one has otherwise.
    pub(super) fn differ(&mut self, mine: &Numbers, other: &Numbers) {
        let world = Rc::clone(&self.world);
        let program = world.program;
        let differing = mine.iter().filter(|&(f, n)| {
            let differs = other.get(f).is_some_and(|m| m != n) && world.reads(*f);
            // Where the objects were looked at, all had this one.
            differs && program.observed(*f) != Some(*n)
        });
        Rc::make_mut(&mut self.varied).extend(differing.map(|(_, &n)| n));
    }

    /// Goes on behind a call as if it had done nothing.
    fn pass_over(&mut self, world: &World<'a>) -> Do<Flow> {
        let frame = self.threads[MAKER].frames.last_mut();
        let Some(frame) = frame else {
            return stuck("nothing to run");
        };
        let Some(Link::Call(call)) = world.links(frame.method).get(frame.at) else {
            return stuck("a call of nothing");
        };
        frame.at += 1;
        frame.pop_call(&call.params, call.receiver);
        self.give(MAKER, call, None)
    }

    pub(super) fn numbers_of(&self, id: ObjectId) -> Numbers {
        let fields = self.heap.get(id).fields.iter();
        let number = |value: Value| match value {
            Value::Number(number) => Some(number),
            Value::Object(array) => match &self.heap.get(array).native {
                Native::Array(items) => i64::try_from(items.len()).ok(),
                _ => None,
            },
            _ => None,
        };
        fields
            .filter_map(|&(field, value)| Some((field, number(value)?)))
            .collect()
    }

    /// Numbers of the lock that other objects of it have otherwise.
    pub(super) fn varied(&self) -> &BTreeSet<i64> {
        &self.varied
    }
}
