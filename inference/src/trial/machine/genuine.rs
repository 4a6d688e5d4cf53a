//! The lock as the program itself makes it: the code that constructs it is run, with what it hands
//! in, and on up to where the program starts its first thread. What cannot be reached that way is
//! made otherwise (`build`).

use super::build::handed_in;
use super::halt::{Do, stuck};
use super::kin::MAX_KIN;
use super::step::Flow;
use super::thread::State;
use super::value::{ObjectId, Value};
use super::world::World;
use super::{MAKER, Machine};
use crate::statics::descriptor::Signature;
use crate::statics::program::{MethodIx, Program};
use locklens_trace::ClassId;
use locklens_trace::code::Op;
use std::cell::RefCell;
use std::rc::Rc;

/// Objects that are made so as to run the code that makes another.
const MAX_DEPTH: u32 = 3;
/// Places that construct a class which are tried.
const MAX_SITES: usize = 4;
/// Instructions given to all places.
const MAX_COST: u64 = 300_000;
const SYNTHETIC: u32 = 0x1000;

impl<'a> Machine<'a> {
    /// An object of exactly this class, made by the program's own code.
    pub(super) fn grow(&mut self, class: ClassId) -> Do<ObjectId> {
        self.thread(MAKER)?;
        let world = Rc::clone(&self.world);
        self.lenient = true;
        let made = self.grown(&world, class, 0);
        self.lenient = false;
        // Nor is what could not be constructed there.
        self.hopeless = Rc::default();
        // What the rest of the program does with functions is another matter.
        let own = world.program.classes.chain(class);
        self.assumed.borrow_mut().retain(|(_, by)| own.contains(by));
        made
    }

    fn grown(&mut self, world: &World<'a>, class: ClassId, depth: u32) -> Do<ObjectId> {
        if depth > MAX_DEPTH {
            return stuck("objects that need each other");
        }
        let program = world.program;
        let name = program.classes.name(class);
        let sites = program.constructions(name).iter().copied();
        // A constructor that calls another one of the same object makes nothing new.
        let makes = |&(caller, _): &(MethodIx, usize)| {
            let def = &program.methods[caller].def;
            def.name != "<init>" || !program.classes.chain(def.class).contains(&class)
        };
        let sites: Vec<_> = sites.filter(makes).take(MAX_SITES).collect();
        for (at, &site) in sites.iter().enumerate() {
            if self.cost > MAX_COST {
                break;
            }
            let before = self.clone();
            match self.grown_at(world, class, site, depth) {
                Ok(id) => {
                    if depth == 0 {
                        self.compare_kin(&self.static_objects(), (class, id));
                        let mut unseen = sites[..at].to_vec();
                        let later = &sites[at + 1..];
                        unseen.extend(self.compare_elsewhere(before, (class, id), later));
                        self.compare_arguments((site, id), &unseen);
                    }
                    let name = format!("L{};", name.replace('.', "/"));
                    let shared = &mut Rc::make_mut(&mut self.recipe).shared;
                    shared.insert(name, Value::Object(id));
                    return Ok(id);
                }
                Err(_) => {
                    let cost = self.cost;
                    *self = before;
                    self.cost = cost;
                }
            }
        }
        stuck("nothing that makes it can be run")
    }

    /// What other places make of the same class, as far as they can be run. Gives those that cannot.
    fn compare_elsewhere(
        &mut self,
        before: Self,
        (class, made): (ClassId, ObjectId),
        sites: &[(MethodIx, usize)],
    ) -> Vec<(MethodIx, usize)> {
        let world = Rc::clone(&self.world);
        let mine = self.numbers_of(made);
        let mut unseen = Vec::new();
        for &site in sites {
            if self.cost > MAX_COST {
                unseen.push(site);
                continue;
            }
            let mut other = before.clone();
            other.assumed = Rc::new(RefCell::new(before.assumed.borrow().clone()));
            let from = other.cost;
            match other.grown_at(&world, class, site, 0) {
                Ok(id) => self.differ(&mine, &other.numbers_of(id)),
                Err(_) => unseen.push(site),
            }
            self.cost += other.cost - from;
        }
        unseen
    }

    /// Places that cannot be run and hand in something else make others: then no number that this one was given, or begins
    /// with if it was given none, is that of the lock.
    fn compare_arguments(
        &mut self,
        (site, made): ((MethodIx, usize), ObjectId),
        unseen: &[(MethodIx, usize)],
    ) {
        let world = Rc::clone(&self.world);
        let given = numbers_handed_in(world.program, site);
        let same = |other: &(MethodIx, usize)| {
            let other = numbers_handed_in(world.program, *other);
            other == given && other.is_some_and(|(_, numbers)| !numbers.contains(&None))
        };
        if unseen.iter().all(same) {
            return;
        }
        let mine = self.numbers_of(made).into_iter();
        let own = mine.filter(|&(field, number)| {
            world.reads(field) && number > 1 && world.program.observed(field) != Some(number)
        });
        let own: Vec<_> = own.map(|(_, number)| number).collect();
        let given: Vec<_> = given.into_iter().flat_map(|(_, numbers)| numbers).collect();
        let is_given = |number: &i64| given.is_empty() || given.contains(&Some(*number));
        let unsure: Vec<_> = own.into_iter().filter(is_given).collect();
        Rc::make_mut(&mut self.varied).extend(unsure);
    }

    fn grown_at(
        &mut self,
        world: &World<'a>,
        class: ClassId,
        (caller, at): (MethodIx, usize),
        depth: u32,
    ) -> Do<ObjectId> {
        let of = &world.program.methods[caller];
        match of.def.name.as_str() {
            "<clinit>" => {
                self.fuel = super::MAKING;
                self.come_alive(world, MAKER, Some(of.def.class))?;
                self.nearest(class, self.static_objects())
            }
            "<init>" => {
                let owner = self.grown(world, of.def.class, depth + 1)?;
                let made = self.nearest(class, vec![owner])?;
                if depth == 0 {
                    self.compare_kin(&[owner], (class, made));
                }
                Ok(made)
            }
            _ => {
                let mut args = Vec::new();
                if !of.def.is_static() {
                    args.push(Value::Object(self.grown(world, of.def.class, depth + 1)?));
                }
                for ty in of.signature.params() {
                    args.push(match ty.0 {
                        "[Ljava/lang/String;" => self.new_array(Vec::new())?.unwrap_or(Value::Null),
                        _ => return stuck("made with what somebody hands in"),
                    });
                }
                if of.def.flags & SYNTHETIC != 0 {
                    return stuck("made within a function");
                }
                self.run_until_made(world, (caller, at), &args)
            }
        }
    }

    /// The nearest object of exactly this class.
    fn nearest(&self, class: ClassId, from: Vec<ObjectId>) -> Do<ObjectId> {
        let mut all = self.reachable(&from).into_iter();
        let found = all.find(|&id| self.heap.get(id).class == Some(class));
        found.map_or_else(|| stuck("it is made and not kept"), Ok)
    }

    /// Runs a method until an instruction of it has constructed its object, and on as far as its
    /// thread is alone.
    fn run_until_made(
        &mut self,
        world: &World<'a>,
        (method, at): (MethodIx, usize),
        args: &[Value],
    ) -> Do<ObjectId> {
        self.fuel = super::MAKING;
        let mut frame = self.frame(world, method, args)?;
        frame.bottom = true;
        self.threads[MAKER].frames.push(frame);
        self.threads[MAKER].state = State::Runs;
        self.nested += 1;
        let mut made: Option<(ObjectId, Self)> = None;
        // What the same place makes before the first thread is started.
        let mut kin = Vec::new();
        loop {
            if self.is_just_made(method, at) {
                let id = match self.top(MAKER)?.stack.last() {
                    Some(Value::Object(id)) => *id,
                    _ => return stuck("it is made and not kept"),
                };
                match &made {
                    None => made = Some((id, self.clone())),
                    Some(_) if kin.len() < MAX_KIN => kin.push(self.numbers_of(id)),
                    Some(_) => {}
                }
            }
            if made.is_some() && self.starts_another(world) {
                break;
            }
            match self.go(world, MAKER) {
                Ok(Flow::On) => {}
                Ok(Flow::Left(_)) => break,
                // It was made, and how it goes on from there is another matter.
                Ok(Flow::Suspended) | Err(_) => match &made {
                    Some((_, then)) => {
                        let cost = self.cost;
                        *self = then.clone();
                        self.cost = cost;
                        break;
                    }
                    None => return stuck("what makes it cannot be run"),
                },
            }
        }
        if let Some((id, then)) = &made {
            let mine = then.numbers_of(*id);
            kin.iter().for_each(|other| self.differ(&mine, other));
            self.compare_made_again(world, (method, at), (*id, then));
        }
        self.nested -= 1;
        self.drop_frames(MAKER, 0);
        self.threads[MAKER].state = State::Idle;
        made.map_or_else(|| stuck("it is not made"), |(id, _)| Ok(id))
    }

    /// The constructor that an instruction called has returned.
    pub(super) fn is_just_made(&self, method: MethodIx, at: usize) -> bool {
        match self.threads[MAKER].frames.as_slice() {
            [only] => only.method == method && only.at == at + 1,
            _ => false,
        }
    }

    /// The next instruction starts another thread or hands a task to one.
    pub(super) fn starts_another(&self, world: &World<'a>) -> bool {
        let Some(frame) = self.threads[MAKER].frames.last() else {
            return false;
        };
        let code = &world.program.methods[frame.method].code;
        let Some(Op::Invoke { method, .. }) = code.get(frame.at).map(|i| &i.op) else {
            return false;
        };
        let program = world.program;
        let class = program.classes.named(&method.class, None);
        let is_thread = method.class == "java.lang.Thread"
            || class.is_some_and(|c| program.classes.is_a(c, "java.lang.Thread"));
        let starts = matches!(
            method.name.as_str(),
            "start" | "startVirtualThread" | "sleep"
        );
        let hands = method.class.starts_with("java.util.concurrent.")
            && (method.name.starts_with("submit")
                || method.name.starts_with("execute")
                || method.name.starts_with("invoke")
                || method.name.starts_with("schedule"));
        is_thread && starts || hands
    }
}

/// The constructor that an instruction calls, and the numbers that it hands in, as far as they are constants.
fn numbers_handed_in(
    program: &Program,
    (caller, at): (MethodIx, usize),
) -> Option<(&str, Vec<Option<i64>>)> {
    let Op::Invoke { method, .. } = &program.methods[caller].code.get(at)?.op else {
        return None;
    };
    let signature = Signature::parse(&method.descriptor);
    let all = handed_in(program, (caller, at), &signature);
    let numbers = signature.params().zip(all);
    let numbers = numbers.filter(|(ty, _)| !ty.is_reference());
    Some((
        &method.descriptor,
        numbers.map(|(_, number)| number).collect(),
    ))
}
