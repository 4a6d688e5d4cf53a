//! The sandbox: a concrete interpreter of recorded bytecode with simulated threads and monitors.
//!
//! Start reading at [`benches`] (the fresh lock: `fresh`, `menu`, `plan`) and at [`Machine`]'s
//! `call` (execution). In the order of the data:
//! - `genuine`, `build`: the objects a lock is made of, as the program makes them or otherwise (`hopeless`: those that cannot be made); `kin`: what others of them have otherwise;
//! - `value`, `real`, `text`, `heap`, `thread`: what there is; `link`, `world`: the code, looked up once;
//! - `handle`: what operations returned and others are called on or with;
//! - `step`: one instruction, `array`: those of arrays; `invoke`: calls, `site`, `function`: what a function runs; `statics`: classes coming to life; `unwind`: exceptions;
//! - `guess`: what is supposed of values that are not known, where that is allowed;
//! - `schedule`: monitors, waits, and who runs next;
//! - `library`: what the Java library's classes do, as far as locks are built on them.
//!
//! Deterministic and total. What is not known stays [`value::Value::Unknown`]; when it matters,
//! execution stops with a reason ([`halt::Halt::Stuck`]), or goes on with a guess.

mod amounts;
mod array;
mod build;
mod fresh;
mod function;
mod genuine;
mod guess;
mod halt;
mod handle;
mod heap;
mod hopeless;
mod invoke;
mod kin;
mod library;
mod link;
mod menu;
mod plan;
mod real;
mod schedule;
mod settings;
mod site;
mod statics;
mod step;
mod text;
mod thread;
mod throwables;
mod unwind;
mod value;
mod world;

pub use fresh::{
    Manner, benches, benches_in, benches_of_makers, benches_of_whole, waits_with_limit,
};
pub(super) use function::{APART, PATIENT};
pub use guess::Bias;

use super::bench::{Bench, Operation, Outcome, Reaction, Returned};
use crate::region::RegionId;
use crate::statics::clock;
use crate::statics::program::MethodIx;
use crate::statics::together::{self, called_together};
use guess::Guesses;
use halt::{Do, Halt, stuck};
use heap::{Heap, Native, Object};
use locklens_trace::ClassId;
use locklens_trace::code::Op;
use plan::Argument;
use statics::Statics;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use thread::{Frame, State, Thread};
use value::{ObjectId, Value};
use world::{Menu, World};

/// The thread that runs what makes a lock.
const MAKER: usize = 0;

/// A fresh lock in a sandbox, with threads to call its operations.
#[derive(Clone, Debug)]
pub struct Machine<'a> {
    world: Rc<World<'a>>,
    menu: Rc<Menu>,
    heap: Heap,
    statics: Statics,
    threads: Vec<Thread>,
    /// Numbers in order what threads came to wait for.
    events: u64,
    /// The latest any thread's clock has been.
    latest: i64,
    cost: u64,
    /// Instructions left before what runs now is given up.
    fuel: u64,
    /// Instructions given to a call.
    patience: u64,
    /// Changes of library objects so far.
    changes: u64,
    /// Calls of initialisers and functions under way within one instruction.
    nested: u32,
    /// How deep it is in what the library does with what the library has made.
    levels: u32,
    /// Operations that were left out, and why.
    left_out: Rc<Vec<(String, String)>>,
    /// Why it got stuck, if it did.
    why: Option<String>,
    /// Regions of the lock entered, with their objects, where that is to be learnt.
    trail: Option<Rc<Trail>>,
    /// How arguments of constructors are chosen.
    recipe: Rc<build::Recipe>,
    /// Tokens that were handed in as numbers: (number, token).
    numbers: Rc<BTreeSet<(i64, u32)>>,
    /// What was assumed of code that is not recorded, by this and all copies, and in which class.
    assumed: Rc<RefCell<BTreeSet<(function::Assumed, ClassId)>>>,
    /// What could not be constructed, by this and all copies.
    hopeless: hopeless::Hopeless,
    /// The lock was made by the program's own code.
    genuine: bool,
    /// Numbers of it that other objects of the lock have otherwise.
    varied: Rc<BTreeSet<i64>>,
    /// What the library does with objects in a way that is not modelled makes them unknown, instead
    /// of ending the run.
    lenient: bool,
    /// Calls made of each operation.
    calls: Vec<u32>,
    /// What was returned by an operation and handed to another one: (that one, object).
    handled: Rc<BTreeSet<(usize, ObjectId)>>,
    /// What is supposed of values that are not known; none: nothing.
    guesses: Option<Guesses>,
    /// Waits with a time limit end by themselves now and then.
    polls: bool,
    /// What is called is what holds the regions, not what is around it.
    inner: bool,
    /// No time limit of a wait passes.
    patient: bool,
    /// Of those that can go on, who came last does so first.
    last_first: bool,
    /// Objects that are handed in have this number wherever they are made with one.
    handed_number: Option<i64>,
}

/// Regions entered: method, instruction, object.
type Trail = Vec<(MethodIx, Option<usize>, ObjectId)>;

/// Simulated threads a machine can have.
const MAX_THREADS: usize = 64;
/// Instructions until everything must be quiet after a call.
const FUEL: u64 = 20_000;
/// Instructions for making an object: that happens once.
const MAKING: u64 = 200_000;
/// Levels of the library's own collections and functions that are followed.
const MAX_LEVELS: u32 = 32;
/// Elements gone over in the time of a step.
const ELEMENTS_A_STEP: usize = 64;
/// How far a passed time limit moves a clock, in nanoseconds: beyond any limit handed in.
const LONG: i64 = 10_000_000_000_000_000;
/// By how much each call is later than the one before: who came first is known by when he came, and no time limit has passed.
const TICK: i64 = 1;
/// What an object-less clock shows at first.
const START: i64 = 1_000_000_000_000;
/// Objects remembered as returned to a thread.
const MAX_RECEIVED: usize = 16;

impl<'a> Machine<'a> {
    fn new(world: Rc<World<'a>>) -> Self {
        Self {
            world,
            menu: Rc::default(),
            heap: Heap::default(),
            statics: Statics::default(),
            threads: Vec::new(),
            events: 0,
            latest: START,
            cost: 0,
            fuel: 0,
            patience: FUEL,
            nested: 0,
            levels: 0,
            changes: 0,
            why: None,
            left_out: Rc::default(),
            trail: None,
            recipe: Rc::default(),
            numbers: Rc::default(),
            assumed: Rc::default(),
            hopeless: Rc::default(),
            genuine: false,
            varied: Rc::default(),
            lenient: false,
            calls: Vec::new(),
            handled: Rc::default(),
            guesses: None,
            polls: false,
            inner: false,
            patient: false,
            last_first: false,
            handed_number: None,
        }
    }

    /// Why the machine got stuck, if it did: the first reason.
    #[must_use]
    pub fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }

    /// Operations that were left out because they cannot be executed, and why.
    #[must_use]
    pub fn left_out(&self) -> &[(String, String)] {
        &self.left_out
    }

    /// Some operation is a method around those with the regions of the lock.
    #[must_use]
    pub fn is_around(&self) -> bool {
        let holds = |plan: &plan::Plan| {
            let mut regions = self.world.regions.keys();
            regions.any(|site| site.0 == plan.method)
        };
        !self.menu.plans.iter().all(holds)
    }

    /// Regions of the lock that no operation contains, because none could be called.
    #[must_use]
    pub fn uncovered(&self) -> BTreeSet<RegionId> {
        let all: BTreeSet<_> = self.world.regions.values().copied().collect();
        let covered: BTreeSet<_> = self
            .menu
            .operations
            .iter()
            .flat_map(|o| o.regions.iter().copied())
            .collect();
        all.difference(&covered).copied().collect()
    }

    /// Some method that waits has a region of the lock that no operation contains.
    fn misses_waits(&self) -> bool {
        let missing = self.uncovered();
        let mut regions = self.world.regions.iter();
        regions.any(|(site, id)| missing.contains(id) && menu::waits(self.world.program, site.0))
    }

    /// Makes sure that a thread exists.
    fn thread(&mut self, thread: usize) -> Do<()> {
        if thread >= MAX_THREADS {
            return stuck("too many threads");
        }
        while self.threads.len() <= thread {
            let native = Native::Thread(self.threads.len());
            let object = self.allocate("java.lang.Thread".into(), native)?;
            self.threads.push(Thread {
                frames: Vec::new(),
                state: State::Idle,
                object,
                interrupted: false,
                roused: false,
                now: self.latest,
                operation: 0,
                rewaits: 0,
                got: None,
                received: Vec::new(),
                token: None,
                left_at: self.changes,
                calls: Vec::new(),
                own: Vec::new(),
                keys: Vec::new(),
            });
        }
        Ok(())
    }

    /// A new object of no class of the program.
    fn allocate(&mut self, name: Arc<str>, native: Native) -> Do<ObjectId> {
        self.add(Object {
            class: None,
            name,
            fields: Vec::new(),
            native,
            holds: Vec::new(),
            monitor: None,
            token: None,
        })
    }

    fn add(&mut self, object: Object) -> Do<ObjectId> {
        match self.heap.add(object) {
            Some(id) => Ok(id),
            None => stuck("too many objects, or too large ones"),
        }
    }

    /// Does something of the library's that may come back to itself: collections within collections, functions of functions.
    fn deeper<T>(&mut self, act: impl FnOnce(&mut Self) -> Do<T>) -> Do<T> {
        if self.levels >= MAX_LEVELS || self.levels > 0 && self.fuel == 0 {
            return stuck("what goes too deep into itself");
        }
        self.levels += 1;
        self.fuel = self.fuel.saturating_sub(1);
        let done = act(self);
        self.levels -= 1;
        done
    }

    /// What goes over many elements in one step takes as much time as many steps.
    fn spend(&mut self, elements: usize) {
        let steps = (elements / ELEMENTS_A_STEP) as u64;
        self.fuel = self.fuel.saturating_sub(steps);
    }

    fn begin(&mut self, thread: usize, operation: usize, token: u32) -> Do<()> {
        self.thread(thread)?;
        let menu = Rc::clone(&self.menu);
        let Some(plan) = menu.plans.get(operation) else {
            return stuck("no such operation");
        };
        if self.threads[thread].state != State::Idle {
            return stuck("the thread is in a call");
        }
        self.threads[thread].operation = operation;
        self.latest = self.latest.saturating_add(TICK);
        self.threads[thread].now = self.latest;
        self.fuel = self.patience;
        self.threads[thread].token = Some(token);
        let call = count(&mut self.calls, operation);
        let round = count(&mut self.threads[thread].calls, operation);
        let mut args = Vec::with_capacity(plan.arguments.len());
        for argument in &plan.arguments {
            args.push(match argument {
                Argument::Round => Value::Number(round as i64),
                _ => self.argument(thread, argument, (token, call))?,
            });
        }
        let world = Rc::clone(&self.world);
        let mut frame = self.frame(&world, plan.method, &args)?;
        frame.bottom = true;
        self.threads[thread].frames.push(frame);
        self.threads[thread].left_at = self.changes;
        self.threads[thread].state = State::Runs;
        Ok(())
    }

    /// What is handed in by a call with this token, the operation's so-manieth.
    fn argument(
        &mut self,
        thread: usize,
        argument: &Argument,
        (token, call): (u32, usize),
    ) -> Do<Value> {
        Ok(match argument {
            Argument::CallIndex => Value::Number(call as i64),
            Argument::Each(values) => values[call % values.len().max(1)],
            Argument::Fixed(value) => *value,
            Argument::Supposed(number) => Value::Number(*number),
            Argument::ThreadIndex | Argument::Round => Value::Number(thread as i64),
            Argument::Got => Value::Number(self.threads[thread].got.unwrap_or(1)),
            Argument::Current => Value::Object(self.threads[thread].object),
            Argument::Numbered(base) => self.numbered(*base, token),
            Argument::Token(name) => self.token(name, token)?,
            Argument::GotObject(name) => match self.threads[thread].received.last() {
                Some(&id) => Value::Object(id),
                None => self.token(name, token)?,
            },
            Argument::Tokens(base) => self.tokens(*base, token)?,
            Argument::GotArray(base) => self.array_or_new(thread, *base, token)?,
            Argument::List => self.list_of_token(token)?,
            Argument::Handle(class) => self.handed_back(thread, *class)?,
            Argument::Of(class) => self.received_or_new(thread, *class, token)?,
            Argument::Unlike(class, numbered) => self.unlike(thread, (*class, *numbered), token)?,
            Argument::Own(class) => self.own(thread, *class)?,
            Argument::OwnKey(name) => self.own_key(thread, name)?,
        })
    }

    fn numbered(&mut self, base: i64, token: u32) -> Value {
        let number = base.wrapping_add(i64::from(token));
        Rc::make_mut(&mut self.numbers).insert((number, token));
        Value::Number(number)
    }

    fn token(&mut self, name: &Arc<str>, token: u32) -> Do<Value> {
        let id = self.allocate(Arc::clone(name), build::argument(name))?;
        self.tell_apart(id, token);
        Ok(Value::Object(id))
    }

    /// Something handed in is recognised by a token, a text also by what it says.
    fn tell_apart(&mut self, id: ObjectId, token: u32) {
        let object = self.heap.change(id);
        object.token = Some(token);
        if &*object.name == "java.lang.String" {
            object.native = Native::Text(text::Text::unlike_others(id));
        }
    }

    fn list_of_token(&mut self, token: u32) -> Do<Value> {
        let item = self.token(&"java.lang.Object".into(), token)?;
        let list = heap::Sequence {
            items: vec![item],
            ..heap::Sequence::default()
        };
        let id = self.allocate("java.util.ArrayList".into(), Native::Sequence(list))?;
        // The list itself may be handed through.
        self.heap.change(id).token = Some(token);
        Ok(Value::Object(id))
    }

    /// What a call that ended returned, in the terms of the trial.
    fn returned(&mut self, thread: usize, value: Option<Value>) -> Returned {
        match value {
            None => Returned::Nothing,
            Some(Value::Null | Value::Blank) => Returned::Null,
            Some(value) if value.is_number() => {
                let Some(n) = value.number() else {
                    return Returned::Other;
                };
                self.threads[thread].got = Some(n);
                let known = self.numbers.range((n, 0)..).next();
                let token = known.filter(|k| k.0 == n).map(|k| k.1);
                token.map_or(Returned::Number(n), Returned::Token)
            }
            Some(Value::Object(id)) => {
                self.receive(thread, id);
                let token = self.heap.get(id).token;
                token.map_or(Returned::Other, Returned::Token)
            }
            Some(_) => Returned::Other,
        }
    }

    /// The monitor on which a thread waits with a time limit, and how deep it is to get it back.
    fn timed_wait(&self, thread: usize) -> Option<(ObjectId, u32)> {
        match self.threads.get(thread)?.state {
            State::Waits {
                on,
                depth,
                timed: true,
                ..
            }
            | State::Blocked {
                on,
                depth,
                timed: true,
                ..
            } => Some((on, depth)),
            _ => None,
        }
    }

    fn note_stuck(&mut self, halt: Halt) -> Outcome {
        match halt {
            Halt::Throw(_) => Outcome::Threw,
            Halt::Stuck(why) => {
                self.why.get_or_insert_with(|| why.into_owned());
                Outcome::Stuck
            }
        }
    }

    /// A frame to run a method in; a synchronized one has yet to enter its monitor.
    fn frame(&mut self, world: &World<'a>, method: MethodIx, args: &[Value]) -> Do<Frame> {
        let program = world.program;
        let mut frame = Frame::new(program, method, args);
        frame.changes = self.changes;
        let def = &program.methods[method].def;
        if def.is_synchronized() {
            let receiver = args.first().copied();
            frame.own = match (def.is_static(), receiver) {
                (true, _) => Some(self.mirror(program.classes.name(def.class))?),
                (false, Some(Value::Object(id))) => Some(id),
                (false, _) => return stuck("synchronized on what is not known"),
            };
            frame.entering = true;
        }
        Ok(frame)
    }
}

/// Counts one more; how many there were before.
fn count(calls: &mut Vec<u32>, operation: usize) -> usize {
    if calls.len() <= operation {
        calls.resize(operation + 1, 0);
    }
    let before = calls[operation];
    calls[operation] += 1;
    before as usize
}

impl Bench for Machine<'_> {
    fn operations(&self) -> &[Operation] {
        &self.menu.operations
    }

    fn otherwise(&self, operations: &BTreeSet<usize>) -> Option<Self> {
        let mut menu = (*self.menu).clone();
        let plans = menu.plans.iter_mut().enumerate();
        let plans = plans.filter(|(at, _)| operations.contains(at));
        let mut supposed = 0;
        for argument in plans.flat_map(|(_, plan)| &mut plan.arguments) {
            if let Argument::Supposed(number) = argument {
                *number += 1;
                supposed += 1;
            }
        }
        (supposed > 0).then(|| Self {
            menu: Rc::new(menu),
            ..self.clone()
        })
    }

    fn with_numbers(&self, operation: usize, number: i64) -> Option<Self> {
        let mut handed = self.menu.plans[operation].arguments.iter();
        handed.any(Argument::is_made_for_it).then(|| Self {
            handed_number: Some(number),
            ..self.clone()
        })
    }

    fn together(&self, one: usize, other: usize) -> Option<bool> {
        let program = self.world.program;
        let method = |operation: usize| BTreeSet::from([self.menu.plans[operation].method]);
        let inside = self.world.regions.keys().map(|site| site.0).collect();
        called_together(program, &method(one), &method(other), &inside)
    }

    fn is_by_clock(&self, take: usize, give: usize) -> bool {
        let program = self.world.program;
        let method = |operation: usize| BTreeSet::from([self.menu.plans[operation].method]);
        let inside = self.world.regions.keys().map(|site| site.0).collect();
        clock::gives(program, (&method(take), &method(give)), &inside)
    }

    fn comes_after(&self, operation: usize, first: usize, last: Option<usize>) -> bool {
        let methods = |operations: &[usize]| -> BTreeSet<_> {
            let all = operations.iter();
            all.map(|&one| self.menu.plans[one].method).collect()
        };
        together::comes_after(
            self.world.program,
            &methods(&[operation]),
            &methods(&[first]),
            &methods(last.as_slice()),
        )
    }

    fn goes_on(&self, first: usize, then: usize) -> bool {
        let method = |operation: usize| BTreeSet::from([self.menu.plans[operation].method]);
        together::goes_on(self.world.program, &method(first), &method(then))
    }

    /// What comes first may be the gate before it, on another object: where its method waits in a region of its own, that is what it is
    /// about.
    fn outermost(&self, operation: usize) -> Vec<RegionId> {
        let regions = &self.menu.operations[operation].regions;
        let method = self.menu.plans[operation].method;
        let waits = menu::waits(self.world.program, method);
        let own = self
            .world
            .regions
            .iter()
            .filter(|r| waits && r.0.0 == method);
        let own: BTreeSet<RegionId> = own.map(|r| *r.1).collect();
        let first = regions.iter().find(|id| own.contains(id));
        first.or(regions.first()).copied().into_iter().collect()
    }

    fn are_told_apart(&self, one: usize, other: usize) -> bool {
        self.menu.plans[one].is_told_apart(&self.menu.plans[other])
    }

    fn call(&mut self, thread: usize, operation: usize, token: u32) -> Reaction {
        let own = if self.why.is_some() {
            Err(Outcome::Stuck)
        } else {
            self.begin(thread, operation, token)
                .map_err(|halt| self.note_stuck(halt))
        };
        match own {
            Ok(()) => self.settle(thread),
            Err(own) => Reaction {
                own,
                others: Vec::new(),
            },
        }
    }

    fn expire(&mut self, thread: usize) -> Reaction {
        let Some((on, depth)) = self.timed_wait(thread).filter(|_| self.why.is_none()) else {
            self.why
                .get_or_insert_with(|| "no time limit to pass".to_owned());
            return Reaction {
                own: Outcome::Stuck,
                others: Vec::new(),
            };
        };
        let since = self.event();
        let of = &mut self.threads[thread];
        of.state = State::Blocked {
            on,
            depth,
            since,
            timed: true,
        };
        of.now = of.now.saturating_add(LONG);
        self.latest = self.latest.max(of.now);
        self.fuel = self.patience;
        self.settle(thread)
    }

    fn can_expire(&self, thread: usize) -> bool {
        self.timed_wait(thread).is_some()
    }

    fn turn_round(&mut self) {
        self.last_first = true;
    }

    fn idle(&mut self) {
        self.latest = self.latest.saturating_add(LONG);
    }

    fn cost(&self) -> u64 {
        self.cost
    }

    fn is_genuine(&self) -> bool {
        self.genuine
    }

    fn is_alike(&self, operation: usize) -> bool {
        let mut arguments = self.menu.plans[operation].arguments.iter();
        arguments.all(|argument| !argument.is_varying_number())
    }

    fn is_bare(&self, operation: usize) -> bool {
        let method = self.menu.plans[operation].method;
        let signature = &self.world.program.methods[method].signature;
        signature.params().next().is_none()
    }

    fn is_by_what_is_handed(&self, operation: usize) -> bool {
        let method = self.menu.plans[operation].method;
        amounts::is_handed(&self.world.program.methods[method])
    }

    fn is_written(&self, number: u32) -> bool {
        let number = i64::from(number);
        let methods: BTreeSet<_> = self.world.regions.keys().map(|site| site.0).collect();
        let mut code = methods
            .iter()
            .flat_map(|&method| &self.world.program.methods[method].code);
        let mut values = self.heap.values();
        values.any(|value| value.number() == Some(number))
            || code.any(|insn| matches!(insn.op, Op::Const { value, .. } if value == number))
    }

    fn varies(&self, number: u64) -> bool {
        i64::try_from(number).is_ok_and(|number| self.varied().contains(&number))
    }

    fn is_of_several_kinds(&self) -> bool {
        let assumed = self.assumed.borrow();
        assumed.iter().any(|a| a.0 == function::ALIKE)
    }

    fn assumed(&self) -> Vec<&'static str> {
        let assumed = self.assumed.borrow();
        let mut what: BTreeSet<_> = assumed.iter().map(|a| a.0).collect();
        what.extend(self.polls.then_some(function::POLLS));
        what.extend(self.inner.then_some(function::INNER));
        what.extend(self.patient.then_some(function::PATIENT));
        what.extend(self.misses_waits().then_some(function::APART));
        what.into_iter().collect()
    }

    fn guessed(&self) -> u32 {
        self.decided_by_guess()
    }
}
