//! Whether some method does both of two things, itself or in what it calls.

use super::descriptor::Signature;
use super::expr::{Expr, Exprs, Node};
use super::flow::{Flow, flow};
use super::program::{Method, MethodIx, Program, branch_targets};
use super::setup::receiver;
use locklens_trace::code::{InvokeKind, Op};
use std::collections::{BTreeMap, BTreeSet};

/// How many calls above a method its callers are looked for.
const LEVELS: usize = 5;
/// Callers looked for in all.
const MOST: usize = 400;
/// Calls of one operation at most that are held against each other: each is a way through its method.
const MOST_CALLS: usize = 16;
const SYNTHETIC: u32 = 0x1000;
/// Sums of sums that are followed in an index.
const STEPS: u32 = 3;

/// Some method calls methods of both sets, itself or through others: the same thread does both. None if one of them
/// is called nowhere, or by who knows whom. Callers that are `inside` do not count.
pub(crate) fn called_together(
    program: &Program,
    one: &BTreeSet<MethodIx>,
    other: &BTreeSet<MethodIx>,
    inside: &BTreeSet<MethodIx>,
) -> Option<bool> {
    let (a, b) = (
        Callers::of(program, one, inside),
        Callers::of(program, other, inside),
    );
    if a.found.is_empty() || b.found.is_empty() {
        return None;
    }
    // One call that leads to both may lead to this one today and to the other tomorrow.
    let both = |(method, sites): (&MethodIx, &BTreeSet<usize>)| {
        let others = b.found.get(method);
        others.is_some_and(|others| {
            let apart = others.iter().any(|at| sites.iter().any(|s| s != at));
            apart
                && !(a.is_direct(*method)
                    && b.is_direct(*method)
                    && are_of_two(program, *method, sites, others))
        })
    };
    match a.found.iter().any(both) {
        true => Some(true),
        // Of two functions handed on nobody knows whether one caller gets both.
        false => (a.are_all || b.are_all).then_some(false),
    }
}

/// Some method calls one of the first and goes on to one of the second, on the same object.
pub(crate) fn called_in_turn(
    program: &Program,
    first: &BTreeSet<MethodIx>,
    second: &BTreeSet<MethodIx>,
) -> bool {
    let inside = first.union(second).copied().collect();
    let (a, b) = (
        Callers::of(program, first, &inside),
        Callers::of(program, second, &inside),
    );
    a.found.iter().any(|(&method, sites)| {
        let others = b.found.get(&method);
        others.is_some_and(|others| {
            let mut x = Exprs::default();
            let flow = flow(program, &mut x, method);
            let mut on = |at: usize| {
                let on = receiver(program, &mut x, &flow, (method, at));
                on.filter(|on| !matches!(on, Node::Opaque(..)))
            };
            let mut leads = |&from: &usize| {
                let after = ahead(&program.methods[method], from);
                let one = on(from);
                let mut then = others.iter().filter(|at| after.contains(at));
                one.is_some() && then.any(|&at| on(at) == one)
            };
            sites.iter().any(&mut leads)
        })
    })
}

/// Some method hands what it got from one of the first to one of the second, on the same object, whichever way it goes on: it comes to
/// no end and to no further such thing without that.
pub(crate) fn handed_back(
    program: &Program,
    first: &BTreeSet<MethodIx>,
    second: &BTreeSet<MethodIx>,
) -> bool {
    let nobody = BTreeSet::new();
    let (a, b) = (
        Callers::of(program, first, &nobody),
        Callers::of(program, second, &nobody),
    );
    a.found.iter().any(|(&method, sites)| {
        let Some(gives) = b.found.get(&method) else {
            return false;
        };
        let mut x = Exprs::default();
        let flow = flow(program, &mut x, method);
        let code = &program.methods[method];
        sites.iter().any(|&from| {
            let on = receiver(program, &mut x, &flow, (method, from));
            let on = on.filter(|on| !matches!(on, Node::Opaque(..)));
            let gives = gives.iter().copied().filter(|&at| {
                on.is_some()
                    && receiver(program, &mut x, &flow, (method, at)) == on
                    && receives(program, &mut x, &flow, (method, at), from)
            });
            let gives: BTreeSet<usize> = gives.collect();
            let returns = |at: usize| {
                let insn = code.code.get(at);
                insn.is_some_and(|insn| matches!(insn.op, Op::Return { .. }))
            };
            let ends = |&at: &usize| at == from || returns(at);
            !gives.is_empty() && !reached(code, from + 1, &gives).iter().any(ends)
        })
    })
}

/// An argument of this call is what an earlier one has returned.
fn receives(
    program: &Program,
    x: &mut Exprs,
    flow: &Flow,
    (method, at): (MethodIx, usize),
    from: usize,
) -> bool {
    let code = &program.methods[method].code;
    let (Op::Invoke { kind, method: to }, Some(Some(point))) = (&code[at].op, flow.points.get(at))
    else {
        return false;
    };
    let virtually = !matches!(kind, InvokeKind::Static | InvokeKind::Dynamic);
    let signature = Signature::parse(&to.descriptor);
    let args = point.frame.clone().pop_call(x, &signature, virtually);
    let bci = code[from].bci;
    let is_it = |node: &Node| matches!(node, Node::Opaque(site, ..) if (site.method, site.bci) == (method, bci));
    args.iter()
        .skip(usize::from(virtually))
        .any(|&e| is_it(x.node(e)))
}

/// Wherever one of the second is called, the same method has called one of the first before, whichever way it came there, and none
/// of the third since; on no other object of their class.
pub(crate) fn comes_after(
    program: &Program,
    then: &BTreeSet<MethodIx>,
    first: &BTreeSet<MethodIx>,
    since: &BTreeSet<MethodIx>,
) -> bool {
    let (firsts, ends) = (calls(program, first), calls(program, since));
    let mut thens = calls(program, then).into_iter().peekable();
    let of = |calls: &BTreeSet<(MethodIx, usize)>, method: MethodIx| -> BTreeSet<usize> {
        let own = calls.iter().filter(|call| call.0 == method);
        own.map(|call| call.1).collect()
    };
    let most = |calls: &BTreeSet<(MethodIx, usize)>| calls.len() <= MOST_CALLS;
    let few = most(&firsts) && most(&ends) && thens.len() <= MOST_CALLS;
    few && thens.peek().is_some()
        && thens.all(|(method, at)| {
            let code = &program.methods[method];
            let firsts = on_one_object(program, method, of(&firsts, method), at);
            let ends = of(&ends, method);
            let leads = |&from: &usize| ahead_of(code, from, &ends).contains(&at);
            let begins = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
            let mut without = begins.map(|from| reached(code, from, &firsts));
            firsts.iter().any(leads) && !without.any(|ways| ways.contains(&at))
        })
}

/// Those of these calls that are not of the same class on another object than the call `at`.
fn on_one_object(
    program: &Program,
    method: MethodIx,
    these: BTreeSet<usize>,
    at: usize,
) -> BTreeSet<usize> {
    let class = |at: usize| match &program.methods[method].code[at].op {
        Op::Invoke { method, .. } => Some(method.class.as_str()),
        _ => None,
    };
    let single = |at: usize| BTreeSet::from([at]);
    let apart = |this: usize| are_of_two(program, method, &single(this), &single(at));
    let these = these.into_iter();
    let kept = these.filter(|&this| class(this) != class(at) || !apart(this));
    kept.collect()
}

/// Wherever one of the first is called, the same method can go on to one of the second.
pub(crate) fn goes_on(
    program: &Program,
    first: &BTreeSet<MethodIx>,
    then: &BTreeSet<MethodIx>,
) -> bool {
    let thens = calls(program, then);
    let mut firsts = calls(program, first).into_iter().peekable();
    firsts.peek().is_some()
        && firsts.all(|(method, at)| {
            let after = ahead(&program.methods[method], at);
            after
                .into_iter()
                .any(|later| thens.contains(&(method, later)))
        })
}

/// Where these methods are called.
fn calls(program: &Program, methods: &BTreeSet<MethodIx>) -> BTreeSet<(MethodIx, usize)> {
    let callers = methods
        .iter()
        .flat_map(|&method| program.callers(&program.methods[method].def));
    callers.collect()
}

/// Instructions that are reached from one without going back.
pub(super) fn ahead(method: &Method, from: usize) -> BTreeSet<usize> {
    ahead_of(method, from, &BTreeSet::new())
}

/// Instructions that are reached from one, whichever way, without going through these.
fn reached(method: &Method, from: usize, ends: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if !ends.contains(&at) {
            open.extend(next(method, at).filter(|&next| found.insert(next)));
        }
    }
    found
}

/// The same, without going through these.
pub(crate) fn ahead_of(method: &Method, from: usize, ends: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if ends.contains(&at) {
            continue;
        }
        let forward = next(method, at).filter(|&next| next > at);
        open.extend(forward.filter(|&next| found.insert(next)));
    }
    found
}

/// The instructions to which the code goes on from one.
fn next(method: &Method, at: usize) -> impl Iterator<Item = usize> + '_ {
    let op = method.code.get(at).map(|insn| &insn.op);
    let ends = |op: &Op| {
        matches!(
            op,
            Op::Goto(_) | Op::Switch { .. } | Op::Return { .. } | Op::Throw
        )
    };
    let behind = op.filter(|op| !ends(op)).map(|_| at + 1);
    let targets = op.map(branch_targets).into_iter().flatten();
    let targets = targets.filter_map(|bci| method.at(bci));
    targets.chain(behind)
}

/// These calls of a method are on other objects than those, as plainly as parameters and fields tell.
fn are_of_two(
    program: &Program,
    method: MethodIx,
    these: &BTreeSet<usize>,
    those: &BTreeSet<usize>,
) -> bool {
    let mut x = Exprs::default();
    let flow = flow(program, &mut x, method);
    let mut objects = |calls: &BTreeSet<usize>| -> Option<BTreeSet<Node>> {
        let nodes = calls.iter().map(|&at| {
            let on = receiver(program, &mut x, &flow, (method, at))?;
            is_plain(&x, &on).then_some(on)
        });
        nodes.collect()
    };
    match (objects(these), objects(those)) {
        (Some(these), Some(those)) => these.is_disjoint(&those),
        _ => false,
    }
}

/// What is found there is the same whenever it is looked for in one go through the method.
fn is_plain(x: &Exprs, object: &Node) -> bool {
    match object {
        Node::Index(array, index) => is_root(x, x.node(*array)) && is_reckoned(x, *index, STEPS),
        _ => is_root(x, object),
    }
}

fn is_root(x: &Exprs, object: &Node) -> bool {
    match object {
        Node::Entry(_) | Node::Static(_) => true,
        Node::Field(of, _) => matches!(x.node(*of), Node::Entry(0)),
        _ => false,
    }
}

/// A number made of what is handed in and of constants, in a few steps.
fn is_reckoned(x: &Exprs, number: Expr, steps: u32) -> bool {
    let is_part = |part: Expr| steps > 0 && is_reckoned(x, part, steps - 1);
    match x.node(number) {
        Node::Int(_) | Node::Entry(_) => true,
        Node::Sum(terms, _) => terms.iter().all(|term| is_part(term.0)),
        Node::Op(_, a, b) => is_part(*a) && is_part(*b),
        _ => false,
    }
}

/// Who calls some methods, itself or through others.
#[derive(Default)]
pub(super) struct Callers {
    /// Methods from which they are reached within a few calls, with the calls that lead there.
    found: BTreeMap<MethodIx, BTreeSet<usize>>,
    /// How many of these calls are of the methods themselves.
    direct: BTreeMap<MethodIx, usize>,
    /// There are no others. (What a lambda does is done by itself: nothing but its body calls it.)
    are_all: bool,
}

impl Callers {
    pub(super) fn of(
        program: &Program,
        methods: &BTreeSet<MethodIx>,
        inside: &BTreeSet<MethodIx>,
    ) -> Self {
        let mut callers = Self {
            are_all: true,
            ..Self::default()
        };
        let mut known = methods.clone();
        let mut next = methods.clone();
        for level in 0..LEVELS {
            let mut above = BTreeSet::new();
            for method in next {
                let def = &program.methods[method].def;
                callers.are_all &= def.flags & SYNTHETIC != 0 || !program.is_handed_on(def);
                for (caller, at) in program.callers(def) {
                    if !inside.contains(&caller) {
                        let new = callers.found.entry(caller).or_default().insert(at);
                        if new && level == 0 {
                            *callers.direct.entry(caller).or_default() += 1;
                        }
                        above.insert(caller);
                    }
                }
            }
            next = above.into_iter().filter(|m| known.insert(*m)).collect();
            if known.len() > MOST {
                callers.are_all = false;
                break;
            }
        }
        callers
    }

    /// All of them.
    pub(super) fn methods(&self) -> impl Iterator<Item = MethodIx> + '_ {
        self.found.keys().copied()
    }

    /// Those of them that call the methods themselves.
    pub(super) fn nearest(&self) -> impl Iterator<Item = MethodIx> + '_ {
        self.direct.keys().copied()
    }

    /// This one is among them.
    pub(super) fn has(&self, method: MethodIx) -> bool {
        self.found.contains_key(&method)
    }

    /// All calls of a caller that lead there are of the methods themselves.
    fn is_direct(&self, caller: MethodIx) -> bool {
        self.found.get(&caller).map(BTreeSet::len) == self.direct.get(&caller).copied()
    }
}
