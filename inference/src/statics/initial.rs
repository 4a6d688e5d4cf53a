//! What fields hold when an object has been constructed: permits, capacities, parties.
//!
//! Constructors are executed with the arguments of every construction site known. A value counts
//! only if all of them agree; what an instance really holds is otherwise unknown.

mod makings;

use super::descriptor::Type;
use super::expr::{Expr, Exprs, Node};
use super::flow::{Flow, flow};
use super::paths::{Explorer, Start};
use super::program::{FieldId, MethodIx, Program, is_main};
use super::resettled;
use super::setup;
use super::step::End;
use locklens_trace::ClassId;
use locklens_trace::code::Op;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) use makings::{Made, Makings};

/// A value known before the first visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Initial {
    Int(i64),
    Null,
    Object,
}

/// What one construction left behind, by place.
type Final = BTreeMap<Expr, Expr>;

/// Levels of factory methods looked through for constant arguments.
const MAX_FACTORIES: u32 = 2;
/// Calls on a fresh object that are followed.
const MAX_SETUP: usize = 4;
/// Constructions of one class, or calls of a factory, that are looked at; with more of them
/// nothing is known.
const MAX_SITES: usize = 24;

/// A method and its constant arguments by slot.
type Call = (MethodIx, Vec<(u16, i64)>);
/// A call of a constructor, and those that set the fresh object up.
type Making = (Call, Vec<Call>);

pub(super) struct Initials<'a> {
    program: &'a Program,
    x: &'a mut Exprs,
    classes: &'a [ClassId],
    depth: u32,
    /// The field that holds the lock.
    holder: Option<Expr>,
    flows: BTreeMap<MethodIx, Flow>,
    finals: BTreeMap<String, Vec<Vec<Final>>>,
    statics: BTreeMap<String, Vec<Final>>,
}

impl<'a> Initials<'a> {
    pub(super) fn new(
        program: &'a Program,
        x: &'a mut Exprs,
        classes: &'a [ClassId],
        depth: u32,
        holder: Option<Expr>,
    ) -> Self {
        Self {
            program,
            x,
            classes,
            depth,
            holder,
            flows: BTreeMap::new(),
            finals: BTreeMap::new(),
            statics: BTreeMap::new(),
        }
    }

    /// The initial content of a place in common terms: what the objects themselves held, where
    /// they were looked at and it cannot have changed; else what constructors leave behind.
    pub(super) fn of(&mut self, place: Expr) -> Option<Initial> {
        self.observed(place)
            .or_else(|| self.left_by_constructors(place))
    }

    fn observed(&self, place: Expr) -> Option<Initial> {
        let field = match *self.x.node(place) {
            Node::Slot(id) if !self.is_array(id) => id,
            Node::Length(base) => match *self.x.node(base) {
                Node::Slot(id) if self.is_array(id) => id,
                _ => return None,
            },
            _ => return None,
        };
        self.program.observed(field).map(Initial::Int)
    }

    fn is_array(&self, id: FieldId) -> bool {
        self.program.field(id).descriptor.starts_with('[')
    }

    fn left_by_constructors(&mut self, place: Expr) -> Option<Initial> {
        let place = self.held(place);
        if let Node::Slot(id) = *self.x.node(place)
            && let Some(told) = self.told_by_makers(id)
        {
            return told;
        }
        let mut values: BTreeSet<_> = self.left(place).into_iter().flatten().collect();
        match values.len() {
            1 => values.pop_first().flatten(),
            _ => None,
        }
    }

    /// The place with the field that holds the lock in the lock's stead.
    fn held(&mut self, place: Expr) -> Expr {
        let holder = self.holder;
        self.x.rewrite(place, &mut |x, part| match x.node(part) {
            Node::Lock => holder,
            _ => None,
        })
    }

    /// What each known construction leaves behind in a place: one thing, if that is known.
    fn left(&mut self, place: Expr) -> Vec<BTreeSet<Option<Initial>>> {
        let program = self.program;
        let finals = match self.root(place) {
            Some((id, false)) => self.constructed(&program.field(id).class),
            Some((id, true)) => vec![self.initialised(&program.field(id).class)],
            None => Vec::new(),
        };
        let left = |ways: &Vec<Final>| ways.iter().map(|way| self.evaluate(place, way)).collect();
        finals.iter().map(left).collect()
    }

    /// No number of a place is the lock's: objects begin with different ones, or somebody says another while they are in use.
    pub(super) fn is_unsettled(&mut self, place: Expr) -> bool {
        if self.observed(place).is_some() {
            return false;
        }
        let place = self.held(place);
        let Some((id, _)) = self.root(place) else {
            return false;
        };
        resettled::is_told(self.program, self.x, id) || self.differs(place)
    }

    /// Some known construction leaves another number behind than another one.
    fn differs(&mut self, place: Expr) -> bool {
        let known = self.left(place).into_iter().filter(|left| left.len() == 1);
        let numbers = known
            .flatten()
            .filter(|value| matches!(value, Some(Initial::Int(_))));
        numbers.collect::<BTreeSet<_>>().len() > 1
    }

    /// What a function writes to a field of an object that it has just made, as C does to a `struct`, and `main` to what static fields
    /// hold: the number, if there is but one. None if nobody writes anything there, or not all do who make such objects.
    fn told_by_makers(&mut self, id: FieldId) -> Option<Option<Initial>> {
        let program = self.program;
        let mut told = BTreeSet::new();
        let field = program.field(id);
        let makers = program.constructions(&field.class).iter();
        let all_set_it = makers
            .filter(|maker| !program.methods[maker.0].is_initialiser())
            .all(|maker| field.writers.contains(&maker.0));
        for &writer in &field.writers {
            let of = &program.methods[writer];
            let locks = |op: &Op| matches!(op, Op::MonitorEnter);
            let begins = is_main(&of.def) && !of.code.iter().any(|insn| locks(&insn.op));
            if of.is_initialiser() {
                continue;
            }
            let points = flow(program, self.x, writer).points;
            for (insn, point) in of.code.iter().zip(&points) {
                let (Op::PutField(written), Some(point)) = (&insn.op, point) else {
                    continue;
                };
                if program.field_id(written) != Some(id) {
                    continue;
                }
                let words = 1 + usize::from(Type(&written.descriptor).is_wide());
                let stack = &point.frame.stack;
                let base = stack.len().checked_sub(words + 1).map(|at| stack[at]);
                match base.map(|base| self.x.node(base)) {
                    Some(Node::New(..)) if begins || all_set_it => {}
                    Some(Node::Static(_)) if begins => {}
                    _ => continue,
                }
                let value = stack.len().checked_sub(words).map(|at| stack[at]);
                let value = value.and_then(|value| self.constant(writer, value, 0));
                told.insert(value.map(Initial::Int));
            }
        }
        match told.len() {
            0 => None,
            1 => told.pop_first(),
            _ => Some(None),
        }
    }

    /// The field at the root of a place, and whether it is static.
    fn root(&self, place: Expr) -> Option<(FieldId, bool)> {
        match *self.x.node(place) {
            Node::Slot(id) => Some((id, false)),
            Node::Static(id) => Some((id, true)),
            Node::Size(base) | Node::Length(base) | Node::Cell(base) | Node::Index(base, _) => {
                self.root(base)
            }
            _ => None,
        }
    }

    fn evaluate(&mut self, place: Expr, state: &Final) -> Option<Initial> {
        let value = self.value(place, state)?;
        match self.x.node(value) {
            Node::Int(value) => Some(Initial::Int(*value)),
            Node::Null => Some(Initial::Null),
            Node::New(..) | Node::Current => Some(Initial::Object),
            _ => None,
        }
    }

    fn value(&mut self, place: Expr, state: &Final) -> Option<Expr> {
        let node = self.x.node(place).clone();
        let place = match node {
            Node::Slot(id) => {
                let this = self.x.make(Node::Entry(0));
                self.x.make(Node::Field(this, id))
            }
            Node::Size(base) => {
                let base = self.value(base, state)?;
                self.x.make(Node::Size(base))
            }
            Node::Length(base) => {
                let base = self.value(base, state)?;
                self.x.make(Node::Length(base))
            }
            Node::Cell(base) => {
                let base = self.value(base, state)?;
                self.x.make(Node::Cell(base))
            }
            Node::Index(base, at) => return self.element(base, at, state),
            _ => place,
        };
        if let Some(&value) = state.get(&place) {
            return Some(value);
        }
        let default = match node {
            Node::Slot(id) | Node::Static(id) => default(self.program, id),
            _ => return None,
        };
        Some(self.x.make(default))
    }

    /// The element of an array at a fixed index.
    fn element(&mut self, array: Expr, at: Expr, state: &Final) -> Option<Expr> {
        let numbers = match *self.x.node(array) {
            Node::Slot(id) | Node::Static(id) => {
                NUMBERS.contains(&&*self.program.field(id).descriptor)
            }
            _ => false,
        };
        let made = self.value(array, state)?;
        let Node::New(..) = self.x.node(made) else {
            return None;
        };
        let element = self.x.make(Node::Index(made, at));
        match state.get(&element) {
            Some(&value) => Some(value),
            // What was stored nobody knows where may be there.
            None if state.keys().any(|&place| self.is_somewhere_in(made, place)) => None,
            None => numbers.then(|| self.x.int(0)),
        }
    }

    /// An element of an array at an index that is not known.
    fn is_somewhere_in(&self, array: Expr, place: Expr) -> bool {
        match *self.x.node(place) {
            Node::Index(of, at) => of == array && self.x.constant(at).is_none(),
            Node::Elem(of) => of == array,
            _ => false,
        }
    }

    /// What constructions of a class or of its subclasses leave behind, each on whichever way.
    fn constructed(&mut self, class: &str) -> Vec<Vec<Final>> {
        if let Some(known) = self.finals.get(class) {
            return known.clone();
        }
        let mut finals = Vec::new();
        for made in self.instantiated(class) {
            if self.program.constructions(&made).len() > MAX_SITES {
                return Vec::new();
            }
            let sites = self.sites(&made);
            if sites.is_empty() {
                for constructor in self.constructors(&made) {
                    finals.push(self.execute(constructor, &[]));
                }
            }
            for making in sites {
                finals.push(self.made(&making));
            }
        }
        self.finals.insert(class.to_owned(), finals.clone());
        finals
    }

    /// The classes whose construction counts: those of the lock objects if they inherit from
    /// `class`, else all that do and are constructed somewhere, else `class` itself.
    fn instantiated(&self, class: &str) -> Vec<String> {
        let program = self.program;
        let Some(id) = program.classes.named(class, None) else {
            return Vec::new();
        };
        let name = |c: ClassId| program.classes.name(c).to_owned();
        let seen = self.classes.iter().copied();
        let seen: Vec<_> = seen
            .filter(|&c| program.classes.above(c).contains(&id))
            .map(name)
            .collect();
        if !seen.is_empty() {
            return seen;
        }
        let all = std::iter::once(id)
            .chain(program.classes.below(id))
            .map(name);
        let (made, not): (Vec<_>, Vec<_>) = all.partition(|n| self.is_made(n));
        if made.is_empty() {
            not.into_iter().take(1).collect()
        } else {
            made
        }
    }

    fn is_made(&self, class: &str) -> bool {
        self.program
            .constructions(class)
            .iter()
            .any(|&(caller, _)| {
                let code = &self.program.methods[caller].code;
                code.iter()
                    .any(|i| matches!(&i.op, Op::New(c) if c == class))
            })
    }

    fn constructors(&self, class: &str) -> Vec<MethodIx> {
        self.named(class, "<init>")
    }

    /// Initialisers of a class; where several loaders have one of that name, those of the lock objects' loader,
    /// else of any: copies of a class do not construct each other's objects.
    fn named(&self, class: &str, name: &str) -> Vec<MethodIx> {
        let program = self.program;
        let loader = |class: ClassId| program.classes.get(class).map(|def| def.loader);
        let of = |ix: MethodIx| loader(program.methods[ix].def.class);
        let own: BTreeSet<_> = self.classes.iter().map(|&class| loader(class)).collect();
        let all = program.initialisers(class).iter().copied();
        let all = all.filter(|&ix| program.methods[ix].def.name == name);
        let preferred = all.clone().find(|&ix| own.contains(&of(ix)));
        let Some(chosen) = preferred.or(all.clone().next()).map(of) else {
            return Vec::new();
        };
        all.filter(|&ix| of(ix) == chosen).collect()
    }

    /// What a construction and the calls that belong to it leave behind.
    fn made(&mut self, making: &Making) -> Vec<Final> {
        let ((constructor, arguments), setup) = making;
        let mut finals = self.execute(*constructor, arguments);
        for (method, arguments) in setup {
            let steps = self.execute(*method, arguments);
            let mut then = BTreeSet::new();
            for before in &finals {
                then.extend(steps.iter().map(|step| self.after(before, step)));
            }
            finals = then.into_iter().take(MAX_SITES).collect();
        }
        finals
    }

    /// What is left after a step that begins with what was left before it.
    fn after(&mut self, before: &Final, step: &Final) -> Final {
        let program = self.program;
        let mut left = before.clone();
        for (&place, &value) in step {
            let value = self.x.rewrite(value, &mut |x, part| match *x.node(part) {
                Node::Field(base, id) if *x.node(base) == Node::Entry(0) => {
                    let known = before.get(&part).copied();
                    Some(known.unwrap_or_else(|| x.make(default(program, id))))
                }
                _ => None,
            });
            left.insert(place, value);
        }
        left
    }

    /// Constructions of a class, with the calls on the fresh object that belong to them.
    fn sites(&mut self, class: &str) -> BTreeSet<Making> {
        let program = self.program;
        let mut out = BTreeSet::new();
        for &(caller, at) in program.constructions(class) {
            let Op::Invoke { method, .. } = &program.methods[caller].code[at].op else {
                continue;
            };
            let constructor = self.constructors(class).into_iter();
            let mut constructor =
                constructor.filter(|&c| program.methods[c].def.descriptor == method.descriptor);
            let Some(constructor) = constructor.next() else {
                continue;
            };
            let Some(words) = self.words(caller, at, constructor) else {
                continue;
            };
            if !matches!(self.x.node(words[0]), Node::New(..)) {
                continue;
            }
            let arguments = self.constants(caller, words);
            let setup = self.setup(caller, at);
            out.insert(((constructor, arguments), setup));
        }
        out
    }

    /// The calls that set a fresh object up.
    fn setup(&mut self, caller: MethodIx, at: usize) -> Vec<Call> {
        let Some(flow) = self.flows.get(&caller) else {
            return Vec::new();
        };
        let calls = setup::calls(self.program, self.x, flow, (caller, at));
        let mut all = Vec::new();
        for (method, at) in calls.into_iter().take(MAX_SETUP) {
            let words = self.words(caller, at, method).unwrap_or_default();
            all.push((method, self.constants(caller, words)));
        }
        all
    }

    fn constants(&mut self, caller: MethodIx, words: Vec<Expr>) -> Vec<(u16, i64)> {
        let slots = (0u16..).zip(words);
        let known = slots.filter_map(|(s, e)| Some((s, self.constant(caller, e, 0)?)));
        known.collect()
    }

    /// The stack words that become the callee's locals.
    fn words(&mut self, caller: MethodIx, at: usize, callee: MethodIx) -> Option<Vec<Expr>> {
        let def = &self.program.methods[callee].def;
        let signature = &self.program.methods[callee].signature;
        let count = usize::from(super::frame::argument_words(signature, def.is_static()));
        let (program, x) = (self.program, &mut *self.x);
        let flow = self
            .flows
            .entry(caller)
            .or_insert_with(|| flow(program, x, caller));
        let stack = &flow.points.get(at)?.as_ref()?.frame.stack;
        let from = stack.len().checked_sub(count)?;
        (count > 0).then(|| stack[from..].to_vec())
    }

    /// The constant an argument is, looking through factory methods.
    fn constant(&mut self, caller: MethodIx, e: Expr, level: u32) -> Option<i64> {
        match *self.x.node(e) {
            Node::Int(value) => Some(value),
            Node::Static(id) if self.program.is_stable(id) => match self.of(e) {
                Some(Initial::Int(value)) => Some(value),
                _ => None,
            },
            Node::Entry(slot) if level < MAX_FACTORIES => self.passed(caller, slot, level + 1),
            _ => None,
        }
    }

    /// The constant all callers of a method pass for a slot.
    fn passed(&mut self, method: MethodIx, slot: u16, level: u32) -> Option<i64> {
        let program = self.program;
        let def = &program.methods[method].def;
        // Who calls it as a function is not known.
        if program.is_handed_on(def) {
            return None;
        }
        let mut values = BTreeSet::new();
        let callers: Vec<_> = program.callers(def).take(MAX_SITES + 1).collect();
        if callers.len() > MAX_SITES {
            return None;
        }
        for (caller, at) in callers {
            let Op::Invoke { method: called, .. } = &program.methods[caller].code[at].op else {
                continue;
            };
            let class = program.classes.name(def.class);
            if called.class != class && def.name == "<init>" {
                continue;
            }
            let words = self.words(caller, at, method)?;
            let value = *words.get(usize::from(slot))?;
            values.insert(self.constant(caller, value, level)?);
        }
        (values.len() == 1).then(|| values.pop_first()).flatten()
    }

    /// Runs a constructor with some arguments known.
    fn execute(&mut self, constructor: MethodIx, arguments: &[(u16, i64)]) -> Vec<Final> {
        let mut start = Start::method(self.program, self.x, constructor);
        for &(slot, value) in arguments {
            let value = self.x.int(value);
            if let Some(local) = start.frame.locals.get_mut(usize::from(slot)) {
                *local = value;
            }
        }
        self.leave(start)
    }

    fn initialised(&mut self, class: &str) -> Vec<Final> {
        if let Some(known) = self.statics.get(class) {
            return known.clone();
        }
        let finals = match self.named(class, "<clinit>").first() {
            Some(&ix) => {
                let start = Start::method(self.program, self.x, ix);
                self.leave(start)
            }
            None => vec![Final::new()],
        };
        self.statics.insert(class.to_owned(), finals.clone());
        finals
    }

    fn leave(&mut self, start: Start) -> Vec<Final> {
        let explored = Explorer::new(self.program, self.x, self.depth).run(start);
        if explored.cut {
            return Vec::new();
        }
        let steps = explored.steps.into_iter();
        let leaves = steps.filter(|s| matches!(s.end, End::Leaves(_)));
        leaves.map(|s| s.updates).collect()
    }
}

/// Arrays of which the elements are numbers.
const NUMBERS: [&str; 5] = ["[I", "[J", "[S", "[B", "[Z"];

/// What a field holds that nobody has written.
fn default(program: &Program, id: FieldId) -> Node {
    match Type(&program.field(id).descriptor).is_reference() {
        true => Node::Null,
        false => Node::Int(0),
    }
}
