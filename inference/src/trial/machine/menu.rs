//! The operations of a fresh lock: which methods, on which receivers, with which arguments.

use super::Machine;
use super::halt::Do;
use super::plan::{Argument, Plan};
use super::thread::State;
use super::unwind::MAY_BE_CAUGHT;
use super::value::{Kind, ObjectId, Value};
use super::world::{Menu, World, is_library};
use crate::region::RegionId;
use crate::statics::descriptor::Type;
use crate::statics::program::{MethodIx, Program, Target};
use crate::trial::bench::{Bench, Operation, Outcome};
use locklens_trace::ClassId;
use locklens_trace::code::Op;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

mod choice;
mod given;
mod limit;
mod outer;
mod part;
mod uses;

pub(super) use choice::{FIRST_NUMBER, waits_with_limit};
pub(super) use outer::waits;

/// Ways of choosing the arguments of one method.
const MAX_VARIANTS: usize = 6;
/// Methods that no source names: bodies of functions, accessors.
const SYNTHETIC: u32 = 0x1000;
/// Instructions given to an operation when it is tried on the fresh lock.
const PATIENCE: u64 = 5_000;
/// Instructions spent on finding the operations of one fresh lock.
const MAX_COST: u64 = 150_000;
/// Operations in all.
const MAX_OPERATIONS: usize = 24;

impl<'a> Machine<'a> {
    /// Finds the operations, and leaves out those that cannot be executed or lock another object.
    pub(super) fn write_menu(&mut self, root: Option<ObjectId>) {
        let world = Rc::clone(&self.world);
        let holders: BTreeSet<MethodIx> = world.regions.keys().map(|k| k.0).collect();
        let class = root.and_then(|id| self.heap.get(id).class);
        let mut outer = match self.inner {
            true => holders.clone(),
            false => outer::outermost(&world, &holders, class),
        };
        outer.extend(self.givers(&world, &outer, class));
        let mut menu = Vec::new();
        for &method in &outer {
            menu.extend(self.variants(&world, (root, &outer), method));
        }
        let mut tried = self.executable(menu);
        let missing = self.missing(&tried, &holders);
        let all = &outer | &missing;
        let mut direct = Vec::new();
        for method in missing.difference(&outer) {
            direct.extend(self.variants(&world, (root, &all), *method));
        }
        tried.extend(self.executable(direct));
        let kept = same_lock(surest(tried), self.heap.len(), root);
        self.menu = Rc::new(limited(kept, |m| outer::signals(world.program, m)));
    }

    /// Methods that make the objects on which some of these are called, and lock on their way.
    fn givers(
        &self,
        world: &World<'a>,
        called: &BTreeSet<MethodIx>,
        root: Option<ClassId>,
    ) -> BTreeSet<MethodIx> {
        let program = world.program;
        let mut found = BTreeSet::new();
        for &method in called {
            let class = program.methods[method].def.class;
            if called.iter().any(|&m| self.gives_handles(m, class)) {
                continue;
            }
            let sites = program.constructions(program.classes.name(class)).iter();
            let makers = sites.map(|site| site.0);
            let gives = |m: &MethodIx| self.gives_handles(*m, class);
            let locks = |m: &MethodIx| !outer::regions_of(world, root, *m).is_empty();
            found.extend(makers.filter(gives).filter(locks));
        }
        found
    }

    /// Methods with regions that no operation contains.
    fn missing(&self, tried: &[Tried], holders: &BTreeSet<MethodIx>) -> BTreeSet<MethodIx> {
        let sure = tried.iter().filter(|t| t.sure);
        let covered: BTreeSet<_> = sure.flat_map(|t| &t.operation.regions).collect();
        let regions = self.world.regions.iter();
        let missing = regions
            .filter(|(_, id)| !covered.contains(id))
            .map(|(site, _)| site.0);
        missing.filter(|m| holders.contains(m)).collect()
    }

    /// A method, called like these others, with each way of choosing its receiver and arguments.
    fn variants(
        &mut self,
        world: &World<'a>,
        (root, called): (Option<ObjectId>, &BTreeSet<MethodIx>),
        method: MethodIx,
    ) -> Vec<(Operation, Plan)> {
        let program = world.program;
        let class = root.and_then(|id| self.heap.get(id).class);
        if class.is_some_and(|class| program.is_overridden(class, method)) {
            return Vec::new();
        }
        let regions = outer::regions_of(world, class, method);
        let of = &program.methods[method];
        self.fuel = super::MAKING;
        let Ok(mut choices) = self.receivers(world, (root, called), method) else {
            return Vec::new();
        };
        let timed = choice::waits_with_limit(program, method);
        let results = world.regions.keys().map(|k| &program.methods[k.0]);
        let results = results.filter(|m| m.def.id != of.def.id);
        let results: Vec<_> = results.filter_map(|m| m.signature.result()).collect();
        let slots = of.signature.slots(u16::from(!of.def.is_static()));
        for (at, (slot, ty)) in slots.enumerate() {
            let got = results.contains(&ty);
            choices.push(match self.captured(world, method, ty) {
                Some(captured) => vec![Argument::Fixed(captured)],
                None => match part::of_array(of, at) {
                    Some(number) => vec![Argument::Fixed(Value::Number(number))],
                    None => self.choices(world, root, method, (slot, ty), (timed, got)),
                },
            });
        }
        combinations(&choices)
            .into_iter()
            .map(|arguments| {
                let operation = Operation {
                    regions: regions.clone(),
                    name: name(program, method, &arguments),
                    once: outer::is_task(program, method),
                    alternates: arguments.iter().any(|a| matches!(a, Argument::Each(_))),
                };
                let plan = Plan {
                    method,
                    arguments,
                    cut: None,
                };
                (operation, plan)
            })
            .collect()
    }

    /// What a parameter of a function's body has captured: all functions capture the same.
    fn captured(&mut self, world: &World<'a>, method: MethodIx, ty: Type<'_>) -> Option<Value> {
        let def = &world.program.methods[method].def;
        let body = def.flags & SYNTHETIC != 0 && ty.is_reference();
        if !body {
            return None;
        }
        self.constructor_argument(world, 0, ty, None, 0).ok()
    }

    /// What a method can be called on: nothing if it is static; the root, what one of those that are called returns,
    /// something that hangs on the root, or a new object.
    fn receivers(
        &mut self,
        world: &World<'a>,
        (root, called): (Option<ObjectId>, &BTreeSet<MethodIx>),
        method: MethodIx,
    ) -> Do<Vec<Vec<Argument>>> {
        let def = &world.program.methods[method].def;
        if def.is_static() {
            return Ok(Vec::new());
        }
        let own = root.is_some_and(|id| self.heap.get(id).class == Some(def.class));
        if !own && called.iter().any(|&m| self.gives_handles(m, def.class)) {
            return Ok(vec![vec![Argument::Handle(def.class)]]);
        }
        let found = self.hanging_on(world, root, def.class);
        if let Some(&id) = found.first() {
            return Ok(vec![vec![Argument::Fixed(Value::Object(id))]]);
        }
        let made = self.make(0, def.class, 0)?;
        let is_holder = !own && holds(world, def.class);
        Ok(vec![vec![match is_holder {
            true => Argument::Own(def.class),
            false => Argument::Fixed(made),
        }]])
    }

    /// Objects of a class that hang on the root or on static fields, nearest first.
    fn hanging_on(
        &self,
        world: &World<'a>,
        root: Option<ObjectId>,
        class: ClassId,
    ) -> Vec<ObjectId> {
        let mut from: Vec<ObjectId> = root.into_iter().collect();
        from.extend(self.static_objects());
        from.extend(self.recipe.shared.values().filter_map(|v| match v {
            Value::Object(id) => Some(*id),
            _ => None,
        }));
        let fits = |id: &ObjectId| {
            let of = self.heap.get(*id).class;
            of.is_some_and(|c| world.program.classes.above(c).contains(&class))
        };
        self.reachable(&from).into_iter().filter(fits).collect()
    }

    /// Operations that can be executed on the fresh lock, with what they lock. Of those that
    /// would go on for ever only the first region is executed, with what it comes straight to.
    fn executable(&mut self, mut menu: Vec<(Operation, Plan)>) -> Vec<Tried> {
        let mut out = Vec::new();
        // First those that return what others are called on.
        menu.sort_by_key(|(_, plan)| plan.handle().is_some());
        for (operation, plan) in menu {
            if self.cost > MAX_COST {
                let left_out = (operation.name, "no time left".to_owned());
                Rc::make_mut(&mut self.left_out).push(left_out);
                continue;
            }
            let loops = outer::loops_around(&self.world, plan.method);
            let before = match plan.handle() {
                Some(_) => out.as_slice(),
                None => &[],
            };
            let whole = match loops {
                true => None,
                false => self.tried(&operation, &plan, before),
            };
            let tried = match whole {
                Some(tried) => Some(tried),
                None => self.tried(
                    &operation,
                    &Plan {
                        cut: Some(outer::goes_on(&self.world, plan.method)),
                        ..plan.clone()
                    },
                    before,
                ),
            };
            out.extend(tried);
        }
        self.with_something_to_give_back(out)
    }

    /// What gives back all that its holder has locks nothing as long as he has nothing.
    fn with_something_to_give_back(&mut self, tried: Vec<Tried>) -> Vec<Tried> {
        let idle = |t: &Tried| t.sure && t.locks.is_empty() && t.plan.has_holder();
        let taking = tried.iter().filter(|t| !t.locks.is_empty());
        let taking: Vec<_> = taking.cloned().collect();
        let again = tried.iter().map(|one| match idle(one) {
            true => self.tried(&one.operation, &one.plan, &taking),
            false => None,
        });
        let again: Vec<_> = again.collect();
        let both = tried.into_iter().zip(again);
        both.map(|(one, again)| again.unwrap_or(one)).collect()
    }

    /// Calls those that return something, as far as they can be executed.
    fn obtain(&mut self, operations: &[Tried]) {
        for one in operations.iter().filter(|t| t.sure) {
            let mut after = self.clone();
            after.menu = Rc::new(Menu {
                operations: vec![one.operation.clone()],
                plans: vec![one.plan.clone()],
            });
            let outcome = after.call(0, 0, 0).own;
            if matches!(outcome, Outcome::Passed(_)) && after.why().is_none() {
                *self = after;
            }
        }
    }

    /// An operation on the fresh lock, after these others.
    fn tried(&mut self, operation: &Operation, plan: &Plan, before: &[Tried]) -> Option<Tried> {
        let mut machine = self.clone();
        machine.obtain(before);
        machine.menu = Rc::new(Menu {
            operations: vec![operation.clone()],
            plans: vec![plan.clone()],
        });
        machine.trail = Some(Rc::default());
        machine.patience = PATIENCE;
        let outcome = machine.call(0, 0, 0).own;
        self.cost = machine.cost;
        if let (Some(why), false) = (
            machine.why().filter(|w| *w != MAY_BE_CAUGHT),
            plan.cut.is_some(),
        ) {
            let left_out = (operation.name.clone(), why.to_owned());
            Rc::make_mut(&mut self.left_out).push(left_out);
        }
        let trail = machine.trail.take().unwrap_or_default();
        let entered = trail
            .iter()
            .filter(|t| self.world.regions.contains_key(&(t.0, t.1)));
        let locks: BTreeSet<_> = entered.map(|t| t.2).collect();
        // A method cut off before it came to the lock says nothing of it.
        let pointless = plan.cut.is_some() && locks.is_empty();
        // What waits for another lock is an operation of that one; it may contain one of this.
        let elsewhere = match machine.threads.first().map(|t| t.state) {
            Some(State::Waits { on, .. }) => !locks.contains(&on),
            _ => false,
        };
        // An exception depends on the state; another time there may be none.
        let later = machine.why() == Some(MAY_BE_CAUGHT) && plan.cut.is_none();
        (later || outcome != Outcome::Stuck && !pointless).then(|| Tried {
            operation: operation.clone(),
            plan: plan.clone(),
            sure: !later && !elsewhere,
            locks,
        })
    }
}

/// Some method with regions of the lock tells the objects of this class apart on which it is called: those are who holds the lock.
fn holds(world: &World<'_>, class: ClassId) -> bool {
    let methods = world.regions.keys().map(|k| k.0).collect::<BTreeSet<_>>();
    let of_class = |method: &MethodIx| world.program.methods[*method].def.class == class;
    let mut own = methods.into_iter().filter(of_class);
    own.any(|method| tells_its_callers_apart(world.program, method))
}

/// It matters to the method on which object it is called.
pub(super) fn tells_its_callers_apart(program: &Program, method: MethodIx) -> bool {
    !program.methods[method].def.is_static() && uses::is_used(program, method, 0, choice::MAX_CALLS)
}

/// An operation that could be executed on the fresh lock.
#[derive(Clone, Debug)]
struct Tried {
    operation: Operation,
    plan: Plan,
    /// It did not depend on the state, or on another lock, whether it can be executed.
    sure: bool,
    /// What it locked in regions of the lock.
    locks: BTreeSet<ObjectId>,
}

/// Leaves out what may not be executable where something else covers all its regions.
fn surest(tried: Vec<Tried>) -> Vec<Tried> {
    let sure = tried.iter().filter(|t| t.sure);
    let covered: BTreeSet<RegionId> = sure.flat_map(|t| t.operation.regions.clone()).collect();
    let needed = |t: &Tried| t.sure || t.operation.regions.iter().any(|r| !covered.contains(r));
    tried.into_iter().filter(needed).collect()
}

/// The operations that lock the same objects: of groups that share none, the one with the most
/// regions. Those that locked nothing yet stay if they are called on the root.
fn same_lock(tried: Vec<Tried>, fresh: usize, root: Option<ObjectId>) -> Vec<Tried> {
    let mut groups: Vec<(BTreeSet<ObjectId>, BTreeSet<RegionId>)> = Vec::new();
    for one in &tried {
        let old = one.locks.iter().filter(|l| (l.0 as usize) < fresh);
        let mut joined = (old.copied().collect::<BTreeSet<_>>(), BTreeSet::new());
        if joined.0.is_empty() {
            continue;
        }
        joined.1.extend(one.operation.regions.iter().copied());
        groups.retain(|group| {
            let apart = group.0.is_disjoint(&joined.0);
            if !apart {
                joined.0.extend(&group.0);
                joined.1.extend(&group.1);
            }
            apart
        });
        groups.push(joined);
    }
    let most = groups.iter().map(|g| g.1.len()).max().unwrap_or(0);
    let chosen = groups.into_iter().find(|g| g.1.len() == most);
    let chosen = chosen.map(|g| g.0).unwrap_or_default();
    let on_root = |plan: &Plan| {
        let receiver = root.map(|id| Argument::Fixed(Value::Object(id)));
        receiver.is_some() && plan.arguments.first() == receiver.as_ref()
    };
    let fits = |t: &Tried| {
        let old = t.locks.iter().any(|l| (l.0 as usize) < fresh);
        if old {
            !t.locks.is_disjoint(&chosen)
        } else {
            on_root(&t.plan) || chosen.is_empty()
        }
    };
    tried.into_iter().filter(fits).collect()
}

/// At most so many operations, the first variant of each method before the second of any; and of
/// those that wait or notify all before others.
fn limited(tried: Vec<Tried>, signals: impl Fn(MethodIx) -> bool) -> Menu {
    let tried_too_many = tried.len() > MAX_OPERATIONS;
    let mut seen: BTreeMap<MethodIx, usize> = BTreeMap::new();
    let mut ranked: Vec<(usize, Tried)> = Vec::new();
    for one in tried {
        let method = one.plan.method;
        let count = seen.entry(method).or_default();
        let quiet = tried_too_many && !signals(method);
        ranked.push((*count + if quiet { MAX_VARIANTS } else { 0 }, one));
        *count += 1;
    }
    ranked.sort_by_key(|r| r.0);
    ranked.truncate(MAX_OPERATIONS);
    ranked.sort_by_key(|r| r.1.plan.method);
    let (operations, plans) = ranked
        .into_iter()
        .map(|r| (r.1.operation, r.1.plan))
        .unzip();
    Menu { operations, plans }
}

/// Ways of taking one of each: the first choices first, at most so many, and then those where all
/// arguments are of one kind.
fn combinations(choices: &[Vec<Argument>]) -> Vec<Vec<Argument>> {
    let mut all = first_choices(choices);
    for kind in [is_new, is_call, is_thread] {
        let alike = alike(choices, kind);
        all.extend(alike.filter(|way| !all.contains(way)));
    }
    all
}

/// Every argument of this kind that can be; none if none can.
fn alike(choices: &[Vec<Argument>], kind: fn(&Argument) -> bool) -> Option<Vec<Argument>> {
    let fits = |options: &Vec<Argument>| options.iter().find(|a| kind(a)).cloned();
    choices.iter().find_map(fits)?;
    let one = |options: &Vec<Argument>| fits(options).or_else(|| options.first().cloned());
    choices.iter().map(one).collect()
}

/// The call is recognised by it.
fn is_new(argument: &Argument) -> bool {
    matches!(argument, Argument::Numbered(_) | Argument::Token(_))
}

fn is_call(argument: &Argument) -> bool {
    matches!(argument, Argument::CallIndex)
}

fn is_thread(argument: &Argument) -> bool {
    matches!(argument, Argument::ThreadIndex)
}

/// Every way of taking one of each, the first choices first, at most so many.
fn first_choices(choices: &[Vec<Argument>]) -> Vec<Vec<Argument>> {
    let mut all: Vec<(usize, Vec<Argument>)> = vec![(0, Vec::new())];
    for options in choices {
        let mut longer = Vec::new();
        for (rank, start) in &all {
            for (more, option) in options.iter().enumerate() {
                let next = [start.as_slice(), std::slice::from_ref(option)].concat();
                longer.push((rank + more, next));
            }
        }
        longer.sort_by_key(|l| l.0);
        longer.truncate(MAX_VARIANTS);
        all = longer;
    }
    all.into_iter().map(|a| a.1).collect()
}

/// `Gate.enter(1)`.
fn name(program: &Program, method: MethodIx, arguments: &[Argument]) -> String {
    let def = &program.methods[method].def;
    let class = program.classes.name(def.class);
    let class = class.rsplit(['.', '$']).next().unwrap_or(class);
    let skipped = usize::from(!def.is_static());
    let words: Vec<_> = arguments
        .iter()
        .skip(skipped)
        .map(Argument::to_string)
        .collect();
    format!("{class}.{}({})", def.name, words.join(", "))
}
