//! What is done to a fresh object before anybody else can have it: it belongs to its making.
//!
//! Some locks are told their number by a call of their own, right behind the constructor (a wait
//! group is told how many it waits for). Such a call is part of what the lock begins with, and a
//! region that is called in no other way is no operation of the lock that threads share.

use super::descriptor::Signature;
use super::expr::{Exprs, Node};
use super::flow::{Flow, Point, flow};
use super::overriding::PRIVATE;
use super::program::{Method, MethodIx, Program, Target, branch_targets};
use super::survey::{Signal, signal};
use locklens_trace::code::{InvokeKind, Op};
use std::collections::BTreeMap;

/// Calls of one method that are looked at; with more of them it is an operation.
const MAX_CALLS: usize = 24;

/// The calls of its own methods on the object that the constructor called at `at` has made, in
/// order, up to where the code branches or the object goes elsewhere: (method, instruction index). A call that returns the object it is
/// made on goes on with it.
/// None if it never goes elsewhere: then nobody else has it, and all there is to it is what is done here.
pub(crate) fn calls(
    program: &Program,
    x: &mut Exprs,
    flow: &Flow,
    (maker, at): (MethodIx, usize),
) -> Vec<(MethodIx, usize)> {
    let Some(fresh @ Node::New(..)) = receiver(program, x, flow, (maker, at)) else {
        return Vec::new();
    };
    let mut own = vec![fresh];
    let mut found = Vec::new();
    let mut alone = true;
    for (at, insn) in program.methods[maker].code.iter().enumerate().skip(at + 1) {
        let Some(Some(point)) = flow.points.get(at) else {
            continue;
        };
        if goes_elsewhere(x, point, &insn.op, &own) {
            return found;
        }
        alone &= !is_bend(&program.methods[maker], at);
        let on = receiver(program, x, flow, (maker, at));
        if alone && on.is_some_and(|on| own.contains(&on)) {
            match callee(program, maker, &insn.op).filter(|&c| !waits(program, c)) {
                Some(callee) => {
                    found.push((callee, at));
                    let result = flow.points.get(at + 1).and_then(Option::as_ref);
                    let result = result.filter(|_| returns_itself(program, callee));
                    own.extend(
                        result
                            .map(|then| then.frame.clone().pop(x, false))
                            .map(|e| x.node(e).clone()),
                    );
                }
                None => alone = false,
            }
        }
    }
    Vec::new()
}

/// A method returns the object it is called on.
fn returns_itself(program: &Program, method: MethodIx) -> bool {
    let mut x = Exprs::default();
    let flow = flow(program, &mut x, method);
    let code = &program.methods[method].code;
    let mut returns = (0..code.len())
        .filter(|&at| matches!(code[at].op, Op::Return { .. }))
        .peekable();
    let mut is_own = |at: usize| {
        let Some(Some(point)) = flow.points.get(at) else {
            return true;
        };
        let value = matches!(code[at].op, Op::Return { value: true });
        let result = point.frame.clone().pop(&mut x, false);
        value && *x.node(result) == Node::Entry(0)
    };
    returns.peek().is_some() && returns.all(&mut is_own)
}

/// The code does not simply go on here.
fn is_bend(method: &Method, at: usize) -> bool {
    let op = &method.code[at].op;
    method.headers.contains(&at)
        || !branch_targets(op).is_empty()
        || matches!(op, Op::Return { .. } | Op::Throw | Op::MonitorEnter)
}

/// A method waits: what is set up does not.
pub(super) fn waits(program: &Program, method: MethodIx) -> bool {
    let mut ops = program.methods[method].code.iter().map(|i| &i.op);
    ops.any(|op| match op {
        Op::Invoke { kind, method } => {
            signal(*kind, method).is_some_and(|(signal, _)| signal == Signal::Wait)
        }
        _ => false,
    })
}

/// All known calls of a method are part of the making of their object.
pub(crate) fn only_sets_up(program: &Program, method: MethodIx) -> bool {
    let def = &program.methods[method].def;
    let callers: Vec<_> = program.callers(def).take(MAX_CALLS + 1).collect();
    let makes = |caller: MethodIx| {
        let made = |op: &Op| match op {
            Op::New(class) => program.classes.named(class, None),
            _ => None,
        };
        let mut all = program.methods[caller]
            .code
            .iter()
            .filter_map(|i| made(&i.op));
        all.any(|class| program.classes.chain(class).contains(&def.class))
    };
    let few = !callers.is_empty() && callers.len() <= MAX_CALLS;
    // Who is handed it as a function calls it when he likes.
    let own = !def.is_static() && !def.name.starts_with('<') && !program.is_handed_on(def);
    if !own || !few || !callers.iter().all(|c| makes(c.0)) {
        return false;
    }
    let mut x = Exprs::default();
    let mut flows = BTreeMap::new();
    callers.into_iter().all(|(caller, at)| {
        let flow = flows
            .entry(caller)
            .or_insert_with(|| flow(program, &mut x, caller));
        makings(program, caller, at)
            .any(|made| calls(program, &mut x, flow, (caller, made)).contains(&(method, at)))
    })
}

/// All known calls of a private method are made by constructors, on the object that they make. Of others more may be called than is recorded.
pub(crate) fn is_part_of_making(program: &Program, method: MethodIx) -> bool {
    let def = &program.methods[method].def;
    let callers: Vec<_> = program.callers(def).take(MAX_CALLS + 1).collect();
    let few = !callers.is_empty() && callers.len() <= MAX_CALLS;
    let own = def.flags & PRIVATE != 0 && !def.is_static() && !def.name.starts_with('<');
    if !own || !few || program.is_handed_on(def) {
        return false;
    }
    let mut x = Exprs::default();
    callers.into_iter().all(|(caller, at)| {
        let constructs = program.methods[caller].def.name == "<init>";
        constructs && {
            let flow = flow(program, &mut x, caller);
            receiver(program, &mut x, &flow, (caller, at)) == Some(Node::Entry(0))
        }
    })
}

/// The calls of constructors in a method before an instruction.
fn makings(program: &Program, method: MethodIx, before: usize) -> impl Iterator<Item = usize> {
    let code = program.methods[method].code.iter().enumerate().take(before);
    let makes = |op: &Op| match op {
        Op::Invoke { kind, method } => *kind == InvokeKind::Special && method.name == "<init>",
        _ => false,
    };
    code.filter(move |(_, i)| makes(&i.op)).map(|(at, _)| at)
}

/// What a call is made on.
pub(super) fn receiver(
    program: &Program,
    x: &mut Exprs,
    flow: &Flow,
    (maker, at): (MethodIx, usize),
) -> Option<Node> {
    let Op::Invoke { kind, method } = &program.methods[maker].code[at].op else {
        return None;
    };
    if matches!(kind, InvokeKind::Static | InvokeKind::Dynamic) {
        return None;
    }
    let mut frame = flow.points.get(at)?.as_ref()?.frame.clone();
    let signature = Signature::parse(&method.descriptor);
    let on = frame.pop_call(x, &signature, true);
    on.first().map(|&e| x.node(e).clone())
}

fn callee(program: &Program, from: MethodIx, op: &Op) -> Option<MethodIx> {
    let Op::Invoke { kind, method } = op else {
        return None;
    };
    let from = program.methods[from].def.class;
    match program.resolve(*kind, method, from, None) {
        Target::Code(callee) => Some(callee),
        Target::Opaque => None,
    }
}

/// The instruction hands the object on or keeps it somewhere.
fn goes_elsewhere(x: &mut Exprs, point: &Point, op: &Op, own: &[Node]) -> bool {
    let mut frame = point.frame.clone();
    match op {
        Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore { .. } => {
            let kept = frame.pop(x, false);
            own.contains(x.node(kept))
        }
        Op::Return { value: true } => {
            let given = frame.pop(x, false);
            own.contains(x.node(given))
        }
        Op::Invoke { kind, method } => {
            let receiver = !matches!(kind, InvokeKind::Static | InvokeKind::Dynamic);
            let signature = Signature::parse(&method.descriptor);
            let args = frame.pop_call(x, &signature, receiver);
            let handed = args.get(usize::from(receiver)..).unwrap_or_default();
            handed.iter().any(|&e| own.contains(x.node(e)))
        }
        _ => false,
    }
}
