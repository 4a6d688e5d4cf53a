//! Functions: which code an `invokedynamic` makes callable.
//!
//! Most recordings say that (`site`). Where one does not, it says of such an instruction only which
//! interface method it implements and what it captures. The body of a lambda is then a synthetic
//! method of the same class: it is found by what it takes and gives, by the method around it (which
//! compilers write into its name) and by order. A method reference has no body of its own; where
//! nothing but the common one makes sense, that is assumed, and said ([`Assumed`]).

use super::world::World;
use crate::statics::descriptor::{Signature, Type};
use crate::statics::program::{MethodIx, Program};
use locklens_trace::ClassId;
use locklens_trace::code::{InvokeKind, MemberRef, Op};
use std::collections::{BTreeMap, BTreeSet};

const SYNTHETIC: u32 = 0x1000;

/// What was assumed of code that is not recorded.
pub(super) type Assumed = &'static str;

/// Two numbers are put together by adding them.
pub(super) const SUMS: Assumed =
    "that a function of two numbers whose code is not recorded adds them";
/// What supplies objects supplies new ones.
pub(super) const MAKES: Assumed = "that a function whose code is not recorded makes a new object";
/// What supplies numbers from a counter counts it up.
pub(super) const COUNTS: Assumed =
    "that a function of a counter whose code is not recorded counts it up";

/// A wait with a time limit ends in time.
pub(super) const POLLS: Assumed = "that waits with a time limit end before anybody minds";
/// Methods may be called on their own that the program calls within others.
pub(super) const INNER: Assumed = "that methods are called by themselves that are parts of others";

/// Whoever gives up may leave the lock in a state that nobody gets out of.
pub(in super::super) const PATIENT: Assumed = "that no time limit of a wait passes";

/// What waits and cannot be run is left out of account.
pub(in super::super) const APART: Assumed =
    "that methods that wait and cannot be run are another matter";

/// The handlers of a method are not told by a JVM that is only watched.
pub(super) const CATCHES: Assumed = "that what is thrown is caught by the handler that follows";

/// Of an abstract class, objects of one that extends it are made.
pub(super) const HEIR: Assumed = "that the lock is of a class that extends the one that is seen";

/// … and there are several.
pub(super) const ONLY: Assumed =
    "that of several such classes it is the one that the program was seen to make";

/// Of several classes that go about it each in its own way, the objects hold the lock.
pub(super) const ALIKE: Assumed =
    "that classes which extend each other, and of which the program makes several, go alike";

/// A list of texts is a list of different ones.
pub(super) const DIFFER: Assumed = "that the texts that the program begins with differ";

/// Two whose letters nobody knows could be one when they are made unique.
pub(super) const UNLIKE: Assumed = "that texts whose letters are not known differ";

/// An instruction that makes a function.
type Site = (MethodIx, usize);

/// The code that each such instruction leads to.
pub(super) type Bodies = BTreeMap<Site, MethodIx>;

/// The bodies of the functions that a class makes, by instruction, as far as they can be told.
pub(super) fn bodies(world: &World<'_>, class: ClassId) -> Bodies {
    let program = world.program;
    let synthetic = world.methods_of(class).iter().copied();
    let synthetic: Vec<_> = synthetic.filter(|&ix| is_body(program, ix)).collect();
    let names: Vec<_> = synthetic.iter().map(|&ix| Named::of(program, ix)).collect();
    let all_named = names.iter().all(Option::is_some);
    let mut open: Vec<(Site, BTreeSet<MethodIx>)> = Vec::new();
    for &caller in world.methods_of(class) {
        for (at, made) in makers(program, caller) {
            let fits = |ix: &MethodIx| *ix != caller && fits(program, *ix, made);
            let fitting = synthetic.iter().copied().filter(fits);
            let around = |ix: &MethodIx| !all_named || is_around(program, caller, *ix);
            open.push(((caller, at), fitting.filter(around).collect()));
        }
    }
    assign(program, open)
}

/// Bodies go to the instructions that nothing else fits, and then by order.
fn assign(program: &Program, mut open: Vec<(Site, BTreeSet<MethodIx>)>) -> Bodies {
    let mut found = BTreeMap::new();
    loop {
        let mut groups: BTreeMap<BTreeSet<MethodIx>, Vec<Site>> = BTreeMap::new();
        for (site, candidates) in &open {
            groups.entry(candidates.clone()).or_default().push(*site);
        }
        // Without numbers in their names, order says nothing.
        let told = |bodies: &BTreeSet<MethodIx>| {
            bodies.len() == 1 || bodies.iter().all(|&b| Named::of(program, b).is_some())
        };
        let whole = |g: &(&BTreeSet<MethodIx>, &Vec<Site>)| {
            !g.0.is_empty() && g.0.len() == g.1.len() && told(g.0)
        };
        let Some((bodies, sites)) = groups.iter().find(whole) else {
            return found;
        };
        let mut ordered: Vec<_> = bodies.iter().copied().collect();
        ordered.sort_by_key(|&ix| Named::of(program, ix).map(|n| n.number));
        found.extend(sites.iter().copied().zip(ordered));
        open.retain(|(site, _)| !found.contains_key(site));
        for (_, candidates) in &mut open {
            candidates.retain(|body| !bodies.contains(body));
        }
    }
}

/// The instructions of a method that make functions.
fn makers(program: &Program, caller: MethodIx) -> impl Iterator<Item = (usize, &MemberRef)> {
    let code = program.methods[caller].code.iter().enumerate();
    code.filter_map(|(at, insn)| match &insn.op {
        Op::Invoke {
            kind: InvokeKind::Dynamic,
            method,
        } if interface(method).is_some() => Some((at, method)),
        _ => None,
    })
}

/// The interface of the function made; none if it is something else that is made.
pub(super) fn interface(made: &MemberRef) -> Option<String> {
    let signature = Signature::parse(&made.descriptor);
    let class = signature.result()?.class_name()?;
    let other = class == "java.lang.String" || class.starts_with('[');
    (!other).then_some(class)
}

fn is_body(program: &Program, ix: MethodIx) -> bool {
    let method = &program.methods[ix];
    method.def.flags & SYNTHETIC != 0 && !method.is_initialiser()
}

/// The method takes what was captured and what the interface's method takes, and gives what that
/// gives.
fn fits(program: &Program, body: MethodIx, made: &MemberRef) -> bool {
    let method = &program.methods[body];
    let captures = Signature::parse(&made.descriptor);
    let own = usize::from(!method.def.is_static());
    if captures.params().count() < own {
        return false;
    }
    let captured: Vec<_> = captures.params().skip(own).map(|t| t.0).collect();
    let params: Vec<_> = method.signature.params().map(|t| t.0).collect();
    let Some(shape) = shape(program, made) else {
        return params.starts_with(&captured);
    };
    params.starts_with(&captured)
        && params.len() == captured.len() + shape.arity
        && result(&method.signature) == shape.result
}

fn result(signature: &Signature) -> char {
    signature.result().map_or('V', kind)
}

fn kind(ty: Type<'_>) -> char {
    if ty.is_reference() {
        'L'
    } else {
        ty.0.chars().next().unwrap_or('I')
    }
}

/// What a function takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) arity: usize,
    /// The first letter of the result's descriptor; `V` for none.
    pub(super) result: char,
}

impl Shape {
    /// Of a method that takes and gives this.
    pub(super) fn of(signature: &Signature) -> Self {
        Self {
            arity: signature.params().count(),
            result: result(signature),
        }
    }
}

/// The shape of the interface method that a function implements, where the interface is known.
pub(super) fn shape(program: &Program, made: &MemberRef) -> Option<Shape> {
    let class = interface(made)?;
    if let Some(known) = of_library(&class, &made.name) {
        return Some(known);
    }
    let id = program.classes.named(&class, None)?;
    program.abstract_method(id, &made.name).map(Shape::of)
}

fn of_library(class: &str, name: &str) -> Option<Shape> {
    let arity = |arity, result| Some(Shape { arity, result });
    match class {
        "java.lang.Runnable" => arity(0, 'V'),
        "java.util.concurrent.Callable" => arity(0, 'L'),
        "java.util.Comparator" => arity(2, 'I'),
        "java.util.concurrent.ThreadFactory" => arity(1, 'L'),
        "java.lang.Thread$UncaughtExceptionHandler" => arity(2, 'V'),
        _ => {
            let simple = class.strip_prefix("java.util.function.")?;
            let result = match name {
                "accept" => 'V',
                "test" | "getAsBoolean" => 'Z',
                _ if name.ends_with("AsInt") => 'I',
                _ if name.ends_with("AsLong") => 'J',
                _ if name.ends_with("AsDouble") => 'D',
                _ => 'L',
            };
            let two = simple.starts_with("Bi") && !simple.starts_with("BinaryOp")
                || simple.ends_with("BinaryOperator")
                || simple.ends_with("BiFunction")
                || simple.starts_with("Obj");
            let none = simple.ends_with("Supplier");
            arity(if none { 0 } else { 1 + usize::from(two) }, result)
        }
    }
}

/// What a compiler wrote into the name of a lambda's body: `lambda$around$number`.
struct Named<'p> {
    around: &'p str,
    number: u32,
}

impl<'p> Named<'p> {
    fn of(program: &'p Program, ix: MethodIx) -> Option<Self> {
        let name = program.methods[ix].def.name.strip_prefix("lambda$")?;
        let (around, number) = name.rsplit_once('$')?;
        Some(Self {
            around,
            number: number.parse().ok()?,
        })
    }
}

/// The method is the one around the body, as the body's name has it.
fn is_around(program: &Program, caller: MethodIx, body: MethodIx) -> bool {
    let Some(named) = Named::of(program, body) else {
        return false;
    };
    let name = match program.methods[caller].def.name.as_str() {
        "<init>" => "new",
        "<clinit>" => "static",
        name => name,
    };
    match Named::of(program, caller) {
        // Old compilers do not say which body another one lies in.
        Some(outer) => named.around == outer.around || named.around == "null",
        None => named.around == name,
    }
}
