//! Variables that functions and local classes capture, as fields.
//!
//! A lock that is a variable of a method, and with it the state that it guards, is handed to each lambda as an argument and to
//! each anonymous class as a field: the same object under another name in each of them. Here it gets one name. What a method
//! makes at one place and what is only ever captured from there becomes a static field of a class that stands for the
//! method's variables, and the code that makes it becomes that class's initialiser. All else reads the code as it
//! is then.

mod places;

use super::descriptor::{Signature, Type};
use super::expr::{Expr, Exprs, Node};
use super::flow::{Flow, Point, flow};
use super::frame::argument_words;
use super::program::{Method, MethodIx, Program, branch_targets};
use super::survey::signal;
use locklens_trace::code::{Insn, InvokeKind, MemberRef, Op, StackOp};
use places::{Capture, Place, Places};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What of a program is read otherwise than it was written.
#[derive(Clone, Debug, Default)]
pub(super) struct Captured {
    /// Instructions and what stands in their places.
    pub(super) replaced: Vec<(MethodIx, usize, Op)>,
    /// Classes that stand for a method's variables: that method, their name, and how they are made.
    pub(super) holders: Vec<(MethodIx, String, Vec<Insn>)>,
}

/// Variables of one method that are looked at.
const MAX_VARIABLES: usize = 32;
/// Finds the variables of all methods.
pub(super) fn find(program: &Program) -> Captured {
    let mut finder = Finder {
        program,
        x: Exprs::default(),
        flows: BTreeMap::new(),
        places: Places::of(program),
        names: BTreeSet::new(),
        found: Captured::default(),
    };
    for ix in 0..program.methods.len() {
        finder.method(ix);
    }
    finder.found
}

struct Finder<'a> {
    program: &'a Program,
    x: Exprs,
    flows: BTreeMap<MethodIx, Rc<Flow>>,
    places: Places<'a>,
    /// What classes that stand for variables are called so far.
    names: BTreeSet<String>,
    found: Captured,
}

/// One variable of the method that is looked at.
struct Variable {
    /// Where it is made, and where that is put into a local.
    made: usize,
    stored: usize,
    descriptor: String,
    places: BTreeSet<Place>,
    /// Loads of it in the method.
    loads: Vec<usize>,
}

impl<'a> Finder<'a> {
    fn flow(&mut self, ix: MethodIx) -> Rc<Flow> {
        let (program, x) = (self.program, &mut self.x);
        let known = self.flows.entry(ix);
        Rc::clone(known.or_insert_with(|| Rc::new(flow(program, x, ix))))
    }

    /// The variables of one method.
    fn method(&mut self, ix: MethodIx) {
        let captures = self.places.captures(ix);
        if !captures
            .iter()
            .any(|(_, places)| places.iter().any(|p| self.places.may_lock(&p.place)))
        {
            return;
        }
        let flow = self.flow(ix);
        let mut places: BTreeMap<Expr, BTreeSet<Place>> = BTreeMap::new();
        let mut descriptors: BTreeMap<Expr, String> = BTreeMap::new();
        for (at, found) in &captures {
            let Some(Some(point)) = flow.points.get(*at) else {
                continue;
            };
            for Capture {
                below,
                descriptor,
                place,
            } in found
            {
                let stack = &point.frame.stack;
                let value = stack.len().checked_sub(1 + below).map(|i| stack[i]);
                let Some(value) = value.filter(|v| self.is_made_in(ix, *v)) else {
                    continue;
                };
                places.entry(value).or_default().insert(place.clone());
                descriptors.insert(value, descriptor.clone());
            }
        }
        let mut variables = BTreeMap::new();
        for (value, mut of) in places.into_iter().take(MAX_VARIABLES) {
            self.hand_on(&mut of);
            let descriptor = descriptors.remove(&value).unwrap_or_default();
            if let Some(variable) = self.variable((ix, &flow), value, descriptor, of) {
                variables.insert(variable.made, variable);
            }
        }
        if variables.values().any(|variable| self.is_locked(variable)) {
            self.adopt(ix, variables);
        }
    }

    /// An object of the library or an array, made in the method.
    fn is_made_in(&self, ix: MethodIx, value: Expr) -> bool {
        match self.x.node(value) {
            Node::New(site, class) => {
                site.method == ix && (class.starts_with('[') || class.starts_with("java."))
            }
            _ => false,
        }
    }

    /// Adds where bodies of functions hand on what they were given.
    fn hand_on(&mut self, places: &mut BTreeSet<Place>) {
        let mut open: Vec<Place> = places.iter().cloned().collect();
        while let Some(place) = open.pop() {
            let Place::Argument(body, slot) = place else {
                continue;
            };
            let captures = self.places.captures(body);
            if captures.is_empty() {
                continue;
            }
            let flow = self.flow(body);
            for (at, found) in captures {
                let Some(Some(point)) = flow.points.get(at) else {
                    continue;
                };
                let stack = &point.frame.stack;
                for Capture { below, place, .. } in found {
                    let value = stack.len().checked_sub(1 + below).map(|i| stack[i]);
                    let same = value.is_some_and(|v| *self.x.node(v) == Node::Entry(slot));
                    if same && places.insert(place.clone()) {
                        open.push(place);
                    }
                }
            }
        }
    }

    /// The variable that holds what is made there, if it is put into a local once and nobody changes it before it is shared.
    fn variable(
        &mut self,
        (ix, flow): (MethodIx, &Flow),
        value: Expr,
        descriptor: String,
        places: BTreeSet<Place>,
    ) -> Option<Variable> {
        let method = &self.program.methods[ix];
        let Node::New(site, class) = self.x.node(value).clone() else {
            return None;
        };
        let made = method.at(site.bci)?;
        let (mut stores, mut loads) = (Vec::new(), Vec::new());
        for (at, insn) in method.code.iter().enumerate() {
            let Some(Some(point)) = flow.points.get(at) else {
                continue;
            };
            match insn.op {
                Op::Store { .. } if point.frame.stack.last() == Some(&value) => stores.push(at),
                Op::Load { slot, .. }
                    if point.frame.locals.get(usize::from(slot)) == Some(&value) =>
                {
                    loads.push(at);
                }
                _ => {}
            }
        }
        // A local is copied for the monitor's exit, behind `dup`.
        stores.retain(|&at| !is_copy(method, at));
        let &[stored] = stores.as_slice() else {
            return None;
        };
        let plain = &*class == "java.lang.Object";
        let made = match method.code[made].op {
            // Its lengths are pushed before.
            Op::NewArray { dims } => made.checked_sub(usize::from(dims))?,
            _ => made,
        };
        let begins = made < stored && is_straight(method, (made, stored));
        let kept = plain || !self.is_changed((ix, flow), value, stored);
        let fits = begins && kept && places.iter().all(|place| self.is_replaceable(place));
        fits.then_some(Variable {
            made,
            stored,
            descriptor,
            places,
            loads,
        })
    }

    /// The method itself does something to it outside of monitors, after it was put into its local, or hands it to others.
    fn is_changed(&self, (ix, flow): (MethodIx, &Flow), value: Expr, stored: usize) -> bool {
        let method = &self.program.methods[ix];
        let changes = |(at, insn): (usize, &Insn)| {
            let Some(Some(point)) = flow.points.get(at) else {
                return false;
            };
            at > stored && self.may_change(point, &insn.op, value)
        };
        method.code.iter().enumerate().any(changes)
    }

    fn may_change(&self, point: &Point, op: &Op, value: Expr) -> bool {
        let stack = &point.frame.stack;
        let among = |words: usize| stack.iter().rev().take(words).any(|&word| word == value);
        let first = |words: usize| stack.iter().rev().nth(words - 1) == Some(&value);
        match op {
            Op::ArrayStore { wide } => point.held.is_empty() && among(3 + usize::from(*wide)),
            Op::PutField(_) | Op::PutStatic(_) | Op::Return { .. } => among(1),
            Op::Invoke {
                kind: InvokeKind::Dynamic,
                ..
            } => false,
            Op::Invoke { kind, method } => {
                let receiver = usize::from(*kind != InvokeKind::Static);
                let signature = Signature::parse(&method.descriptor);
                let words = usize::from(argument_words(&signature, receiver == 0));
                let on = receiver == 1 && words > 0 && first(words);
                let looks = LOOKS.contains(&method.name.as_str()) || !point.held.is_empty();
                let kept = match method.name.as_str() {
                    "<init>" => self.places.by_constructor(method),
                    _ => Vec::new(),
                };
                let is_kept = |below: usize| kept.iter().any(|of| of.below == below);
                let mut handed = stack.iter().rev().take(words).enumerate();
                match on {
                    true => !looks && signal(*kind, method).is_none(),
                    false => handed.any(|(below, &word)| word == value && !is_kept(below)),
                }
            }
            _ => false,
        }
    }

    /// All code that reads the place can read a static field instead.
    fn is_replaceable(&self, place: &Place) -> bool {
        match place {
            Place::Argument(body, slot) => !self.program.methods[*body].stored.contains(slot),
            Place::Field(field) => self.places.read(field).is_some(),
        }
    }

    /// Some region locks it.
    fn is_locked(&mut self, variable: &Variable) -> bool {
        variable.places.iter().any(|place| match place {
            Place::Argument(body, slot) => {
                let flow = self.flow(*body);
                let code = self.program.methods[*body].code.iter().enumerate();
                let mut enters = code.filter(|(_, insn)| insn.op == Op::MonitorEnter);
                enters.any(|(at, _)| {
                    let point = flow.points.get(at).and_then(Option::as_ref);
                    let top = point.and_then(|point| point.frame.stack.last());
                    top.is_some_and(|&top| *self.x.node(top) == Node::Entry(*slot))
                })
            }
            Place::Field(field) => {
                let reads = self.places.read(field).unwrap_or_default();
                reads.iter().any(|&(ix, at)| {
                    let code = &self.program.methods[ix].code[at + 1..];
                    let mut next = code.iter().map(|insn| &insn.op);
                    next.find(|op| !matches!(op, Op::Stack(_) | Op::Store { .. }))
                        == Some(&Op::MonitorEnter)
                })
            }
        })
    }

    /// Gives the variables of a method one name each.
    fn adopt(&mut self, ix: MethodIx, variables: BTreeMap<usize, Variable>) {
        let method = &self.program.methods[ix];
        let class = self.program.classes.name(method.def.class);
        let name = format!("{class}.{}", method.def.name);
        let is_free = |name: &String| {
            !self.names.contains(name) && self.program.classes.named(name, None).is_none()
        };
        // Methods of one name, and classes of several loaders.
        let mut others = (2..).map(|number: u32| format!("{name}{number}"));
        let holder = match is_free(&name) {
            true => name,
            false => others.find(is_free).unwrap_or(name),
        };
        self.names.insert(holder.clone());
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        let mut initialiser = Vec::new();
        for variable in variables.into_values() {
            let name = simple_name(&method.code, &variable);
            let number = names.entry(name.clone()).or_default();
            *number += 1;
            let field = MemberRef {
                class: holder.clone(),
                name: match number {
                    1 => name,
                    _ => format!("{name}{number}"),
                },
                descriptor: variable.descriptor.clone(),
            };
            let made = &method.code[variable.made..variable.stored];
            initialiser.extend(made.iter().cloned());
            initialiser.push(Insn {
                bci: method.code[variable.stored].bci,
                op: Op::PutStatic(field.clone()),
            });
            self.replace((ix, &variable), &field);
        }
        if let Some(last) = initialiser.last().map(|insn| insn.bci) {
            initialiser.push(Insn {
                bci: last.saturating_add(1),
                op: Op::Return { value: false },
            });
        }
        self.found.holders.push((ix, holder, initialiser));
    }

    fn replace(&mut self, (ix, variable): (MethodIx, &Variable), field: &MemberRef) {
        let read = || Op::GetStatic(field.clone());
        // What is made there has its name already.
        let mut replaced = vec![(ix, variable.stored, Op::Stack(StackOp::Pop))];
        replaced.extend(variable.loads.iter().map(|&at| (ix, at, read())));
        for place in &variable.places {
            match place {
                Place::Argument(body, slot) => {
                    let code = self.program.methods[*body].code.iter().enumerate();
                    let loads = code.filter(
                        |(_, insn)| matches!(insn.op, Op::Load { slot: of, .. } if of == *slot),
                    );
                    replaced.extend(loads.map(|(at, _)| (*body, at, read())));
                }
                Place::Field(of) => {
                    for &(method, at) in self.places.read(of).unwrap_or_default() {
                        replaced.push((method, at - 1, Op::Nop));
                        replaced.push((method, at, read()));
                    }
                }
            }
        }
        self.found.replaced.extend(replaced);
    }
}

/// Nothing but the making lies between the two instructions, and constants are all that it needs.
fn is_straight(method: &Method, (made, stored): (usize, usize)) -> bool {
    let is_reached = |at: usize| {
        let bci = method.code[at].bci;
        let mut jumps = method.code.iter().flat_map(|insn| branch_targets(&insn.op));
        jumps.any(|target| target == bci)
    };
    let is_plain = |insn: &Insn| {
        let other = matches!(
            insn.op,
            Op::Load { .. }
                | Op::Store { .. }
                | Op::Iinc { .. }
                | Op::MonitorEnter
                | Op::MonitorExit
                | Op::Return { .. }
                | Op::Jsr(_)
                | Op::Switch { .. }
        );
        !other && branch_targets(&insn.op).is_empty()
    };
    let mut making = method.code[made..stored].iter();
    making.all(is_plain) && !(made + 1..=stored).any(is_reached)
}

/// Methods of the library that change nothing.
const LOOKS: [&str; 8] = [
    "size",
    "isEmpty",
    "get",
    "peek",
    "contains",
    "toString",
    "intValue",
    "longValue",
];

/// What a block keeps for its end: a copy of what it locks.
fn is_copy(method: &Method, at: usize) -> bool {
    let op = |at: usize| method.code.get(at).map(|insn| &insn.op);
    let before = at.checked_sub(1).and_then(op);
    matches!(before, Some(Op::Stack(_))) && op(at + 1) == Some(&Op::MonitorEnter)
}

/// What a variable is called: by its class, since its name is not recorded.
fn simple_name(code: &[Insn], variable: &Variable) -> String {
    if let Op::New(class) = &code[variable.made].op {
        return class.rsplit(['.', '$']).next().unwrap_or(class).to_owned();
    }
    let element = variable.descriptor.trim_start_matches('[');
    let name = Type(element).class_name();
    match name.as_deref().or_else(|| primitive(element)) {
        Some(name) => name.rsplit(['.', '$']).next().unwrap_or(name).to_owned(),
        None => "array".to_owned(),
    }
}

fn primitive(descriptor: &str) -> Option<&'static str> {
    let all = [
        ("I", "int"),
        ("J", "long"),
        ("Z", "boolean"),
        ("B", "byte"),
        ("S", "short"),
        ("C", "char"),
        ("D", "double"),
        ("F", "float"),
    ];
    all.iter()
        .find(|(letter, _)| *letter == descriptor)
        .map(|(_, name)| *name)
}
