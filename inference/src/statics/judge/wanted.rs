//! CONDITION: who waits says what for. What a set, predicate or state that the caller hands in
//! answers decides in the loop around the wait.

use super::super::descriptor::Type;
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
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Levels of calls through which a parameter is followed.
const MAX_CALLS: u32 = 2;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let asks = |id: &RegionId| {
        let profile = case.profile(*id);
        !profile.waits.is_empty() && asks_in_loop(case.see.program, profile.behaviour.method)
    };
    let waits: BTreeSet<_> = case.profiles.keys().copied().filter(asks).collect();
    if waits.is_empty() {
        return Vec::new();
    }
    let moves = |id: &RegionId| !waits.contains(id) && case.notifies(case.profile(*id));
    let opens: BTreeSet<_> = case.profiles.keys().copied().filter(moves).collect();
    let mut condition = Finding::new(LockType::Condition, case.vars());
    condition.role(Role::Wait, &waits);
    condition.role(Role::Notify, &opens);
    condition.pro(3.0, "who waits says what for");
    condition.weigh(!opens.is_empty(), (1.0, "it is notified"), (0.0, ""));
    let mut latch = Finding::new(LockType::Latch, case.vars());
    latch.role(Role::Await, &waits);
    latch.role(Role::CountDown, &opens);
    latch.contra(4.0, "who waits says what for");
    vec![condition, latch]
}

/// In a loop around a wait the method asks something of a parameter.
fn asks_in_loop(program: &Program, method: MethodIx) -> bool {
    let of = &program.methods[method];
    let spans = loops_around_waits(of);
    let first = u16::from(!of.def.is_static());
    let mut slots = first..first + of.signature.params().map(words).sum::<u16>();
    let inside = |at: usize| spans.iter().any(|span| span.contains(&at));
    !spans.is_empty() && slots.any(|slot| asks(program, method, slot, MAX_CALLS, &inside))
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
        let signature = super::super::descriptor::Signature::parse(&to.descriptor);
        let args = point.frame.clone().pop_call(&mut x, &signature, virtually);
        if virtually && args.first() == Some(&parameter) && !is_time(to) {
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
