//! How the arguments of an operation are chosen, by the type of the parameter and its use.

use super::super::Machine;
use super::given;
use super::limit;
use super::uses::{is_compared, is_used};
use super::{Argument, MethodIx, ObjectId, Op, Program, Target, Type, Value, World, is_library};
use crate::statics::expr::{Exprs, Node};
use crate::statics::flow::flow;
use crate::statics::survey::{Signal, signal};
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

/// A time limit that is passed where one is asked for, in whatever unit.
const LIMIT: i64 = 1_000_000;
/// Where numbers begin by which calls are recognised.
pub(in super::super) const FIRST_NUMBER: i64 = 1 << 20;
/// The same for types of few bits.
const FIRST_BYTE: i64 = 20;
/// Levels of calls through which a parameter is followed.
pub(super) const MAX_CALLS: u32 = 3;
/// Existing objects tried for a parameter.
const MAX_OBJECTS: usize = 3;
/// Objects handed in one after the other.
const MAX_KNOWN: usize = 24;

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(Value::Number(n) | Value::Loose(n)) | Self::Supposed(n) => {
                write!(f, "{n}")
            }
            Self::Fixed(Value::Object(id)) => write!(f, "object {}", id.0),
            Self::Fixed(_) => write!(f, "?"),
            Self::GotObject(_) => write!(f, "object it got"),
            Self::Got => write!(f, "number it got"),
            Self::ThreadIndex => write!(f, "thread's number"),
            Self::CallIndex => write!(f, "number of the call"),
            Self::Round => write!(f, "thread's round"),
            Self::Each(_) => write!(f, "one after the other"),
            Self::Current => write!(f, "thread"),
            Self::Numbered(_) => write!(f, "new number"),
            Self::Handle(_) => write!(f, "what it got"),
            Self::Own(_) | Self::OwnKey(_) => write!(f, "thread's object"),
            Self::Unlike(..) => write!(f, "new object with a new name"),
            Self::Token(_) | Self::Of(_) => write!(f, "new object"),
            Self::Tokens(_) => write!(f, "new array"),
            Self::GotArray(_) => write!(f, "array it got"),
            Self::List => write!(f, "new list"),
        }
    }
}

impl<'a> Machine<'a> {
    /// What is tried for a parameter: its slot and type. `timed`: the method can wait with a time
    /// limit; `got`: another operation returns such a number.
    pub(super) fn choices(
        &mut self,
        world: &World<'a>,
        root: Option<ObjectId>,
        method: MethodIx,
        (slot, ty): (u16, Type<'_>),
        (timed, got): (bool, bool),
    ) -> Vec<Argument> {
        let limits = timed && matches!(ty.0, "I" | "J") && self.has_limit(world, method);
        if limits && limit::is_limit(world.program, method, slot, MAX_CALLS) {
            return numbers(&[LIMIT]).collect();
        }
        let timed = timed && !limits;
        match ty.0 {
            "Z" => {
                let given = given(world.program, (method, slot), fixed);
                let mut all: Vec<_> = given.unwrap_or_else(|| numbers(&[0, 1]).collect());
                all.extend(got.then_some(Argument::Got));
                all
            }
            "I" | "J" | "S" | "B" | "C" if is_used(world.program, method, slot, MAX_CALLS) => {
                let given = given(world.program, (method, slot), Argument::Supposed);
                if let Some(all) = given.filter(|_| !timed && !got) {
                    return all;
                }
                let mut all: Vec<Argument> = match (ty.0, timed) {
                    ("J", true) => numbers(&[LIMIT, 1]).collect(),
                    (_, true) => [1, LIMIT, 0, 2].map(Argument::Supposed).into(),
                    (_, false) => [1, 0, 2].map(Argument::Supposed).into(),
                };
                let is_size = || is_compared(world.program, method, slot, MAX_CALLS);
                let only = only(world.program, method, slot).filter(|_| !timed && !got);
                if let Some(only) = only.filter(|_| is_size()) {
                    all.retain(|one| *one != Argument::Supposed(only));
                    all.insert(0, fixed(only));
                }
                // An int may be a time limit or say who comes; a long among waits is a limit.
                if (ty.0, timed) != ("J", true) {
                    all.insert(1, Argument::ThreadIndex);
                    all.insert(2, Argument::CallIndex);
                    all.insert(3, Argument::Round);
                }
                if got {
                    all.insert(0, Argument::Got);
                }
                // What is calculated with may come out as well.
                if matches!(ty.0, "I" | "J") && !timed {
                    all.push(Argument::Numbered(FIRST_NUMBER));
                }
                all
            }
            "I" | "J" if got => vec![Argument::Got, Argument::Numbered(FIRST_NUMBER)],
            "I" | "J" => vec![Argument::Numbered(FIRST_NUMBER)],
            "S" | "B" | "C" => vec![Argument::Numbered(FIRST_BYTE)],
            "F" | "D" => vec![
                Argument::Fixed(Value::Loose(1)),
                Argument::Fixed(Value::Loose(0)),
            ],
            _ => {
                let mut all = self.object_choices(world, root, ty);
                let received = match (got, all.as_slice()) {
                    (true, [Argument::Token(name)]) => Some(Argument::GotObject(Arc::clone(name))),
                    (true, &[Argument::Tokens(base)]) => Some(Argument::GotArray(base)),
                    _ => None,
                };
                if is_used(world.program, method, slot, MAX_CALLS) {
                    all = self.keys(world, ty, all);
                    all.extend(self.known(root, ty));
                } else if let ([Argument::Token(_)], true) = (all.as_slice(), is_key(world, ty)) {
                    // What is only kept here may be looked for there.
                    all.extend((0..2).filter_map(|at| self.key(ty, at).map(Argument::Fixed)));
                }
                all.extend(received);
                if may_be_null(world.program, method, slot) {
                    // Nothing is wrong, most of the time.
                    let at = usize::from(!is_failure(world, ty)).min(all.len());
                    all.insert(at, Argument::Fixed(Value::Null));
                }
                all
            }
        }
    }

    /// It is known which parameter of the method is the time limit.
    fn has_limit(&self, world: &World<'a>, method: MethodIx) -> bool {
        let of = &world.program.methods[method];
        let mut slot = u16::from(!of.def.is_static());
        of.signature.params().any(|ty| {
            let at = slot;
            slot += 1 + u16::from(ty.is_wide());
            matches!(ty.0, "I" | "J") && limit::is_limit(world.program, method, at, MAX_CALLS)
        })
    }

    /// Objects of this class that the lock was made with: one after the other from call to call, or always one of several.
    fn known(&self, root: Option<ObjectId>, ty: Type<'_>) -> Vec<Argument> {
        let Some(name) = ty.class_name() else {
            return Vec::new();
        };
        let mut from: Vec<ObjectId> = root.into_iter().collect();
        if from.is_empty() {
            from = self.static_objects();
        }
        let all = self.reachable(&from).into_iter();
        let known = all.filter(|&id| *self.heap.get(id).name == *name);
        let known: Vec<_> = known.take(MAX_KNOWN).map(Value::Object).collect();
        match known.as_slice() {
            [] => Vec::new(),
            [_] => vec![Argument::Each(known)],
            &[first, ..] => vec![Argument::Each(known), Argument::Fixed(first)],
        }
    }

    /// Where objects are told apart, two that are the same in all calls come first.
    /// What several operations take may also be the thread's own.
    fn keys(&mut self, world: &World<'a>, ty: Type<'_>, mut all: Vec<Argument>) -> Vec<Argument> {
        if let [Argument::Token(name)] = all.as_slice() {
            if takers(world, name) > 1 {
                let own = Argument::OwnKey(Arc::clone(name));
                all.insert(0, own);
            }
            for at in 0..2 {
                if let Some(key) = self.key(ty, at) {
                    all.insert(at as usize, Argument::Fixed(key));
                }
            }
        }
        all
    }

    /// A key of this type: what one operation is called with, the others are, too.
    fn key(&mut self, ty: Type<'_>, at: u32) -> Option<Value> {
        if let Some(&known) = self.recipe.keys.get(&(ty.0.to_owned(), at)) {
            return Some(known);
        }
        let Ok(key @ Value::Object(id)) = self.unknown(ty.0) else {
            return None;
        };
        // It is equal to no other.
        self.tell_apart(id, u32::MAX - at);
        let keys = &mut Rc::make_mut(&mut self.recipe).keys;
        keys.insert((ty.0.to_owned(), at), key);
        Some(key)
    }

    fn object_choices(
        &mut self,
        world: &World<'a>,
        root: Option<ObjectId>,
        ty: Type<'_>,
    ) -> Vec<Argument> {
        if let Some(item) = ty.0.strip_prefix('[') {
            return vec![Argument::Tokens(match item {
                "B" | "S" | "C" | "Z" => Some(FIRST_BYTE),
                "I" | "J" | "F" | "D" => Some(FIRST_NUMBER),
                _ => None,
            })];
        }
        let name = ty.class_name().unwrap_or_default();
        let class = world.program.classes.named(&name, None);
        match class.filter(|&c| !world.is_modelled(c) && !is_library(&name)) {
            Some(class) => self.program_choices(world, root, class, &name),
            None => vec![match name.as_str() {
                "java.lang.Thread" => Argument::Current,
                "java.lang.Integer" | "java.lang.Long" => Argument::Numbered(FIRST_NUMBER),
                "java.util.Collection"
                | "java.util.List"
                | "java.lang.Iterable"
                | "java.util.Set" => Argument::List,
                _ => Argument::Token(name.as_str().into()),
            }],
        }
    }

    /// Of three states and more, the one in which the lock begins is what nobody comes for.
    fn idle_last(&self, root: Option<ObjectId>, constants: &mut [Value]) {
        let Some(root) = root.filter(|_| constants.len() > 2) else {
            return;
        };
        let fields = &self.heap.get(root).fields;
        constants.sort_by_key(|constant| fields.iter().any(|(_, value)| value == constant));
    }

    /// The lock begins with what a static field holds: that stands for nobody and nothing, and is what nobody hands in.
    fn is_idle(&self, root: Option<ObjectId>, id: ObjectId) -> bool {
        let is_it = |value: &Value| *value == Value::Object(id);
        let begins = |root: ObjectId| self.heap.get(root).fields.iter().any(|f| is_it(&f.1));
        root.is_some_and(begins) && self.static_objects().contains(&id)
    }

    fn program_choices(
        &mut self,
        world: &World<'a>,
        root: Option<ObjectId>,
        class: locklens_trace::ClassId,
        name: &str,
    ) -> Vec<Argument> {
        let fixed = |values: Vec<Value>| values.into_iter().map(Argument::Fixed).collect();
        if world.library_part(class) == "java.lang.Enum" {
            return match self.constants(world, 0, class) {
                Ok(mut constants) if !constants.is_empty() => {
                    self.idle_last(root, &mut constants);
                    let each = Argument::Each(constants.clone());
                    let mut all: Vec<_> = fixed(constants);
                    all.insert(all.len().min(2), each);
                    all
                }
                _ => vec![Argument::Token(name.into())],
            };
        }
        let methods = world.regions.keys().map(|k| &world.program.methods[k.0]);
        let mut results = methods.filter_map(|m| m.signature.result()?.class_name());
        let returned = results.any(|r| r == name);
        let mut there = self.hanging_on(world, root, class);
        there.retain(|&id| !self.is_idle(root, id));
        if !there.is_empty() && !returned {
            return fixed(
                there
                    .into_iter()
                    .take(MAX_OBJECTS)
                    .map(Value::Object)
                    .collect(),
            );
        }
        match self.clone().make(0, class, 0) {
            Ok(Value::Object(_)) if takers(world, name) > 1 => {
                vec![Argument::Of(class), Argument::Own(class)]
            }
            Ok(Value::Object(_)) => {
                let numbered = is_numbered(world, class);
                let unlike = numbered || is_named(world, class);
                let unlike = unlike.then_some(Argument::Unlike(class, numbered));
                [Argument::Of(class)].into_iter().chain(unlike).collect()
            }
            _ => vec![Argument::Token(name.into())],
        }
    }
}

/// Some method with regions of the lock tells objects of this type apart that it is given.
fn is_key(world: &World<'_>, ty: Type<'_>) -> bool {
    let methods = world.regions.keys().map(|k| k.0).collect::<BTreeSet<_>>();
    methods.into_iter().any(|method| {
        let of = &world.program.methods[method];
        let mut slot = u16::from(!of.def.is_static());
        of.signature.params().any(|param| {
            let at = slot;
            slot += 1 + u16::from(param.is_wide());
            param.0 == ty.0 && is_used(world.program, method, at, MAX_CALLS)
        })
    })
}

/// Objects of this class are made with a text or the like by which they may be told apart.
fn is_named(world: &World<'_>, class: locklens_trace::ClassId) -> bool {
    let named = |ty: Type<'_>| super::super::build::NAMES.contains(&ty.0);
    let methods = world.methods_of(class).iter();
    let mut made = methods.map(|&m| &world.program.methods[m]);
    made.any(|m| m.def.name == "<init>" && m.signature.params().any(named))
}

/// Some method with regions of the lock makes a key of a number of such an object.
fn is_numbered(world: &World<'_>, class: locklens_trace::ClassId) -> bool {
    let name = world.program.classes.name(class);
    let is_number = |d: &str| d == "I" || d == "J";
    let gives = |op: &Op| match op {
        Op::GetField(field) => field.class == name && is_number(&field.descriptor),
        Op::Invoke { method, .. } => {
            let number = method.descriptor.strip_prefix("()").is_some_and(is_number);
            method.class == name && number
        }
        _ => false,
    };
    let is_boxed = |op: &Op| match op {
        Op::Invoke { method, .. } => {
            let boxes = ["java.lang.Integer", "java.lang.Long"];
            method.name == "valueOf" && boxes.contains(&method.class.as_str())
        }
        _ => false,
    };
    let methods = world.regions.keys().map(|k| k.0).collect::<BTreeSet<_>>();
    methods.iter().any(|&m| {
        let code = &world.program.methods[m].code;
        let mut pairs = code.iter().zip(code.iter().skip(1));
        pairs.any(|(a, b)| gives(&a.op) && is_boxed(&b.op))
    })
}

/// Methods with regions of the lock that take an object of this class.
fn takers(world: &World<'_>, name: &str) -> usize {
    let methods = world.regions.keys().map(|k| k.0).collect::<BTreeSet<_>>();
    let takes = |&&m: &&MethodIx| {
        let mut params = world.program.methods[m].signature.params();
        params.any(|ty| ty.class_name().as_deref() == Some(name))
    };
    methods.iter().filter(takes).count()
}

/// Several numbers are all that the program ever hands in there.
fn given(
    program: &Program,
    (method, slot): (MethodIx, u16),
    made: impl Fn(i64) -> Argument,
) -> Option<Vec<Argument>> {
    let given = given::constants(program, method, slot, MAX_CALLS)?;
    let given: Vec<_> = given.into_iter().collect();
    let each = given.iter().map(|&n| Value::Number(n)).collect();
    let mut all: Vec<_> = given.iter().map(|&n| made(n)).collect();
    all.insert(1, Argument::Each(each));
    (given.len() > 1).then_some(all)
}

/// The one number that the program ever hands in there.
fn only(program: &Program, method: MethodIx, slot: u16) -> Option<i64> {
    let given = given::constants(program, method, slot, MAX_CALLS)?;
    given.first().copied().filter(|_| given.len() == 1)
}

/// Numbers as arguments.
fn numbers(all: &[i64]) -> impl Iterator<Item = Argument> {
    all.iter().copied().map(fixed)
}

fn fixed(number: i64) -> Argument {
    Argument::Fixed(Value::Number(number))
}

/// The method, or one that it calls, can wait with a time limit.
pub(in super::super) fn waits_with_limit(program: &Program, method: MethodIx) -> bool {
    let mut seen = BTreeSet::new();
    let mut work = vec![(method, MAX_CALLS)];
    while let Some((ix, calls)) = work.pop() {
        if !seen.insert(ix) {
            continue;
        }
        let of = &program.methods[ix];
        for insn in &of.code {
            let Op::Invoke { kind, method } = &insn.op else {
                continue;
            };
            match signal(*kind, method) {
                Some((Signal::Wait, _)) if method.descriptor != "()V" => return true,
                // The JDK's own `wait()` calls the one with a limit, for none.
                Some(_) => continue,
                None => {}
            }
            if let (true, Target::Code(callee)) = (
                calls > 0,
                program.resolve(*kind, method, of.def.class, None),
            ) {
                work.push((callee, calls - 1));
            }
        }
    }
    false
}

/// The method asks whether the parameter is `null`.
fn may_be_null(program: &Program, method: MethodIx, slot: u16) -> bool {
    let mut x = Exprs::default();
    let parameter = x.make(Node::Entry(slot));
    let points = flow(program, &mut x, method).points;
    let code = program.methods[method].code.iter().zip(&points);
    let mut asked = code.filter(|(insn, _)| matches!(insn.op, Op::IfNull { .. }));
    asked.any(|(_, point)| {
        let point = point.as_ref();
        point.is_some_and(|point| point.frame.stack.last() == Some(&parameter))
    })
}

/// A parameter of this type says what went wrong.
fn is_failure(world: &World<'_>, ty: Type<'_>) -> bool {
    let name = ty.class_name().unwrap_or_default();
    let class = world.program.classes.named(&name, None);
    let is_thrown = class.is_some_and(|c| world.program.classes.is_a(c, "java.lang.Throwable"));
    is_thrown || is_library(&name) && (name.ends_with("Exception") || name.ends_with("Throwable"))
}
