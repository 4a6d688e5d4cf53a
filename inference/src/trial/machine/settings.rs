//! What an object is told about itself behind its constructor: right away, where it still belongs to its making, or later
//! by whoever has it.

use super::build::sites;
use super::value::{ObjectId, Value};
use super::world::World;
use super::{MAKER, Machine};
use crate::statics::expr::{Exprs, Node};
use crate::statics::flow::flow;
use crate::statics::program::{FieldId, MethodIx, Program};
use crate::statics::setup;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A method that is called on a fresh object, and for each parameter the constant that it is given, if it is one.
pub(super) type Setting = (MethodIx, Vec<Option<i64>>);

/// Calls right behind a constructor that are made.
const MAX_SETTINGS: usize = 8;
/// Instructions given to finding out whether a method only sets numbers.
const TRYING: u64 = 4_000;
/// Numbers that a setter is tried with.
const TOLD: [i64; 2] = [11, 13];

impl<'a> Machine<'a> {
    /// Makes the calls on a fresh object that follow the only place that constructs it, as far as they can be made.
    pub(super) fn set_up(
        &mut self,
        world: &World<'a>,
        (thread, object): (usize, ObjectId),
        constructor: MethodIx,
    ) {
        for (method, known) in world.settings(constructor).iter() {
            let before = self.clone();
            let params = world.program.methods[*method].signature.params();
            let mut args = vec![Value::Object(object)];
            for (ty, known) in params.zip(known) {
                match (ty.0, known) {
                    ("Z", Some(known)) => args.push(Value::Number(*known)),
                    ("I" | "J" | "S" | "B" | "C", Some(_)) => {
                        args.push(Value::Number(self.number(*known)));
                    }
                    _ => return,
                }
            }
            if self.nested_call(world, thread, *method, &args).is_err() {
                let cost = self.cost;
                *self = before;
                self.cost = cost;
                return;
            }
        }
    }

    /// Numbers that only constructors and setters write, and that a setter which the program calls may have changed
    /// behind the sandbox's back, are none of the lock's.
    pub(super) fn mind_setters(&mut self, root: ObjectId) {
        let world = Rc::clone(&self.world);
        let program = world.program;
        let Some(class) = self.heap.get(root).class else {
            return;
        };
        let chain = program.classes.chain(class).iter();
        let methods = chain.flat_map(|&c| world.methods_of(c)).copied();
        let mut setters = BTreeSet::new();
        let mut set: BTreeSet<FieldId> = BTreeSet::new();
        for method in methods.filter(|&m| is_told_numbers(program, m)) {
            let fields = self.set_by(&world, root, method);
            if !fields.is_empty() {
                setters.insert(method);
                set.extend(fields);
            }
        }
        let called = |m: &MethodIx| {
            let callers = program.callers(&program.methods[*m].def);
            callers.count() > 0 && !setup::only_sets_up(program, *m)
        };
        let only_set = |field: &FieldId| {
            let writers = &program.field(*field).writers;
            let told = |w: &MethodIx| setters.contains(w);
            let initial = |w: &MethodIx| program.methods[*w].is_initialiser();
            writers.iter().all(|w| told(w) || initial(w))
                && writers.iter().any(|w| told(w) && called(w))
        };
        let numbers = self.numbers_of(root).into_iter();
        let unsure = numbers.filter(|(field, _)| set.contains(field) && only_set(field));
        let unsure: Vec<_> = unsure.map(|(_, number)| number).collect();
        Rc::make_mut(&mut self.varied).extend(unsure);
    }

    /// The fields that hold what a method was told last, whatever they held before.
    fn set_by(&mut self, world: &World<'a>, root: ObjectId, method: MethodIx) -> Vec<FieldId> {
        let mut trial = self.clone();
        trial.fuel = TRYING;
        let [one, other] = TOLD;
        let held = [one, other, one].map(|told| {
            let params = world.program.methods[method].signature.params();
            let mut args = vec![Value::Object(root)];
            args.extend(params.map(|_| Value::Number(told)));
            let called = trial.nested_call(world, MAKER, method, &args);
            called.ok().map(|_| trial.numbers_of(root))
        });
        self.cost = trial.cost;
        let [Some(first), Some(then), Some(last)] = held else {
            return Vec::new();
        };
        let all = first.iter();
        let set = all.filter(|&(f, n)| last.get(f) == Some(n) && then.get(f) != Some(n));
        set.map(|(&f, _)| f).collect()
    }
}

/// A method of an object that is told nothing but numbers.
fn is_told_numbers(program: &Program, method: MethodIx) -> bool {
    let of = &program.methods[method];
    let mut params = of.signature.params().peekable();
    let is_called = !of.def.is_static() && !of.is_initialiser();
    is_called && params.peek().is_some() && params.all(|ty| matches!(ty.0, "I" | "J" | "S"))
}

/// The calls behind the only place where a constructor is called; none where there are several.
pub(super) fn settings(program: &Program, constructor: MethodIx) -> Vec<Setting> {
    let mut all = sites(program, constructor);
    let (Some((caller, at)), None) = (all.next(), all.next()) else {
        return Vec::new();
    };
    let mut x = Exprs::default();
    let flow = flow(program, &mut x, caller);
    let calls = setup::calls(program, &mut x, &flow, (caller, at));
    let mut settings = Vec::new();
    for (method, at) in calls.into_iter().take(MAX_SETTINGS) {
        let signature = &program.methods[method].signature;
        let Some(Some(point)) = flow.points.get(at) else {
            break;
        };
        let mut frame = point.frame.clone();
        let words = frame.pop_call(&mut x, signature, true);
        let given = words.iter().skip(1).map(|&word| match x.node(word) {
            Node::Int(value) => Some(*value),
            _ => None,
        });
        settings.push((method, given.collect()));
    }
    settings
}
