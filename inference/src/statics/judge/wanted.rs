//! CONDITION: who waits says what for. What a set, predicate or state that the caller hands in
//! answers, or is compared with, decides in the loop around the wait, or what is there under the key that he hands in.

use super::super::descriptor::{Signature, Type};
use super::super::expr::{Expr, Exprs, Node};
use super::super::flow::flow;
use super::super::frame::locals_of;
use super::super::program::{Method, MethodIx, Program, Target, branch_targets};
use super::super::survey::{Signal, signal};
use super::case::Case;
use super::finding::Finding;
use crate::region::RegionId;
use crate::types::{LockType, Role};
use locklens_trace::code::{InvokeKind, MemberRef, Op};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// Levels of calls through which a parameter is followed.
const MAX_CALLS: u32 = 2;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let waiting = case.profiles.iter().filter(|(_, p)| !p.waits.is_empty());
    let asked = waiting.filter_map(|(&id, profile)| {
        let how = asked_in_loop(case.see.program, profile.behaviour.method)?;
        Some((id, how))
    });
    let mut asked: BTreeMap<RegionId, Asked> = asked.collect();
    let vars = case.vars();
    let named = vars.iter().flat_map(|var| case.awaits_named(var));
    asked.extend(named.map(|id| (id, Asked::Named)));
    let waits: BTreeSet<_> = asked.keys().copied().collect();
    if waits.is_empty() {
        return Vec::new();
    }
    let notifies = |id: &RegionId| case.notifies(case.profile(*id));
    let notify: BTreeSet<_> = case.profiles.keys().copied().filter(notifies).collect();
    let others: BTreeSet<_> = notify.difference(&waits).copied().collect();
    let opens = match others.is_empty() {
        true => notify,
        false => others,
    };
    let mut condition = Finding::new(LockType::Condition, case.vars());
    condition.role(Role::Wait, &waits);
    condition.role(Role::Notify, &opens);
    // An owner is compared with, too.
    let odds = match asked.values().any(|&how| how == Asked::Compared) {
        true => 1.5,
        false => 3.0,
    };
    condition.pro(odds, "who waits says what for");
    condition.weigh(!opens.is_empty(), (1.0, "it is notified"), (0.0, ""));
    let mut latch = Finding::new(LockType::Latch, case.vars());
    latch.role(Role::Await, &waits);
    latch.role(Role::CountDown, &opens);
    latch.contra(6.0, "who waits says what for");
    vec![condition, latch]
}

/// What is done with a parameter in a loop around a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// It is asked something.
    Questioned,
    /// It is compared with something, by identity.
    Compared,
    /// It is the key under which something is to be there.
    Named,
}

/// What a method does with a parameter, a reference, in a loop around a wait.
fn asked_in_loop(program: &Program, method: MethodIx) -> Option<Asked> {
    let of = &program.methods[method];
    let spans = loops_around_waits(of);
    let first = u16::from(!of.def.is_static());
    let slots = first..first + of.signature.params().map(words).sum::<u16>();
    let inside = |at: usize| spans.iter().any(|span| span.contains(&at));
    if spans.is_empty() {
        return None;
    }
    // The lock itself is nothing that one waits for.
    let own = waited_on(program, method);
    let slots = slots.filter(|slot| !own.contains(slot));
    let asks = |slot| asks(program, method, slot, MAX_CALLS, &inside);
    let compares = |slot| is_compared(program, method, slot, &inside);
    if slots.clone().any(asks) {
        return Some(Asked::Questioned);
    }
    slots.clone().any(compares).then_some(Asked::Compared)
}

/// The parameters that the method waits on.
fn waited_on(program: &Program, method: MethodIx) -> BTreeSet<u16> {
    let mut x = Exprs::default();
    let points = flow(program, &mut x, method).points;
    let code = program.methods[method].code.iter().zip(&points);
    let waits = code.filter_map(|(insn, point)| match &insn.op {
        Op::Invoke { kind, method } => {
            let waits = matches!(signal(*kind, method), Some((Signal::Wait, _)));
            Some((method, point.as_ref()?)).filter(|_| waits)
        }
        _ => None,
    });
    let on = waits.filter_map(|(wait, point)| {
        let signature = Signature::parse(&wait.descriptor);
        let args = point.frame.clone().pop_call(&mut x, &signature, true);
        match x.node(*args.first()?) {
            Node::Entry(slot) => Some(*slot),
            _ => None,
        }
    });
    on.collect()
}

/// Among these instructions the method tests whether a parameter is some other object.
fn is_compared(
    program: &Program,
    method: MethodIx,
    slot: u16,
    among: &dyn Fn(usize) -> bool,
) -> bool {
    let mut x = Exprs::default();
    let parameter = x.make(Node::Entry(slot));
    let points = flow(program, &mut x, method).points;
    let code = program.methods[method].code.iter().zip(&points).enumerate();
    let mut tests =
        code.filter(|(at, (insn, _))| among(*at) && matches!(insn.op, Op::IfRef { .. }));
    tests.any(|(_, (_, point))| {
        let stack = point
            .iter()
            .flat_map(|p| p.frame.stack.iter().rev().take(2));
        stack.copied().any(|e| e == parameter)
    })
}

fn words(ty: Type<'_>) -> u16 {
    1 + u16::from(ty.is_wide())
}

/// The instructions of the loops that contain a wait.
fn loops_around_waits(of: &Method) -> Vec<RangeInclusive<usize>> {
    let is_wait = |op: &Op| match op {
        Op::Invoke { kind, method } => matches!(signal(*kind, method), Some((Signal::Wait, _))),
        _ => false,
    };
    let code = of.code.iter().enumerate();
    let waits: Vec<usize> = code
        .clone()
        .filter(|(_, i)| is_wait(&i.op))
        .map(|(at, _)| at)
        .collect();
    let mut spans = Vec::new();
    for (end, insn) in code {
        for target in branch_targets(&insn.op) {
            let begin = of.code.partition_point(|i| i.bci < target);
            if begin <= end && waits.iter().any(|w| (begin..=end).contains(w)) {
                spans.push(begin..=end);
            }
        }
    }
    spans
}

/// Among these instructions the method calls something on a parameter, a reference, that gives a
/// flag or a number; or hands it to code that does.
fn asks(
    program: &Program,
    method: MethodIx,
    slot: u16,
    calls: u32,
    among: &dyn Fn(usize) -> bool,
) -> bool {
    let of = &program.methods[method];
    let mut x = Exprs::default();
    let parameter = x.make(Node::Entry(slot));
    let points = flow(program, &mut x, method).points;
    let code = of.code.iter().zip(&points).enumerate();
    let mut asked = code.filter(|(at, _)| among(*at));
    asked.any(|(_, (insn, point))| {
        let (Op::Invoke { kind, method: to }, Some(point)) = (&insn.op, point) else {
            return false;
        };
        if *kind == InvokeKind::Dynamic || !gives_number(to) {
            return false;
        }
        let target = program.resolve(*kind, to, of.def.class, None);
        let virtually = *kind != InvokeKind::Static;
        let signature = Signature::parse(&to.descriptor);
        let args = point.frame.clone().pop_call(&mut x, &signature, virtually);
        let receives = virtually && args.first() == Some(&parameter) && !is_time(to);
        if receives || compares(to) && args.contains(&parameter) {
            return true;
        }
        let Target::Code(callee) = target else {
            return false;
        };
        let handed = handed(&mut x, program, callee, &args, parameter);
        calls > 0
            && callee != method
            && handed
                .into_iter()
                .any(|s| asks(program, callee, s, calls - 1, &|_| true))
    })
}

fn gives_number(callee: &MemberRef) -> bool {
    callee.descriptor.ends_with(")Z") || callee.descriptor.ends_with(")I")
}

fn compares(callee: &MemberRef) -> bool {
    matches!(callee.name.as_str(), "compareTo" | "compare" | "equals")
}

/// A unit or a moment of time answers how long, not what for.
fn is_time(callee: &MemberRef) -> bool {
    callee.class.starts_with("java.time.")
        || callee.class == "java.util.concurrent.TimeUnit"
        || callee.class == "java.lang.Thread"
}

/// The slots of a callee that hold a value.
fn handed(
    x: &mut Exprs,
    program: &Program,
    callee: MethodIx,
    args: &[Expr],
    value: Expr,
) -> Vec<u16> {
    let locals = locals_of(x, &program.methods[callee].signature, args);
    let slots = (0u16..).zip(locals);
    slots.filter(|s| s.1 == value).map(|s| s.0).collect()
}
