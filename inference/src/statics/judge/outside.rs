//! What is done to a number where nobody has the lock: `volatile boolean paused`, set by one method and waited for in another.

use super::super::expr::Node;
use super::super::profile::Var;
use super::super::program::{MethodIx, Program};
use super::super::resettled;
use super::super::setup;
use super::case::Case;
use super::lazy::waits_at;
use crate::region::RegionId;
use locklens_trace::code::Op;
use std::collections::BTreeSet;

/// Calls that are followed back, and methods that are met.
const DEPTH: usize = 8;
const MOST: usize = 1_000;

/// A method sets it, where nobody has the lock, to a number at which those who wait go on waiting.
pub(super) fn closes(case: &Case<'_>, var: &Var, waits: &BTreeSet<RegionId>) -> bool {
    let places = case.places(var);
    let [place] = places.as_slice() else {
        return false;
    };
    let id = match *case.see.x.node(*place) {
        Node::Slot(id) | Node::Static(id) | Node::Field(_, id) => id,
        _ => return false,
    };
    let program = case.see.program;
    let profiles = case.profiles.values();
    let inside: BTreeSet<MethodIx> = profiles.map(|p| p.behaviour.method).collect();
    let shuts = |&value: &i64| waits_at(case, var, waits, value) == Some(true);
    let mut writers = program.field(id).writers.iter().copied();
    writers.any(|writer| {
        let numbers = resettled::numbers(program, (writer, id));
        numbers.iter().any(shuts) && is_outside(program, writer, &inside)
    })
}

/// It enters nothing by itself, is no part of a making, and is not called from where somebody has the lock.
fn is_outside(program: &Program, method: MethodIx, inside: &BTreeSet<MethodIx>) -> bool {
    let of = &program.methods[method];
    let enters = of.def.is_synchronized() || of.code.iter().any(|i| i.op == Op::MonitorEnter);
    !enters
        && !of.is_initialiser()
        && !setup::only_sets_up(program, method)
        && !may_be_inside(program, method, inside)
}

/// Somebody who has the lock may call it: as far as calls are followed, and of what is called by no name, as the body of a lambda is,
/// nobody knows who does.
fn may_be_inside(program: &Program, method: MethodIx, inside: &BTreeSet<MethodIx>) -> bool {
    let mut seen = BTreeSet::from([method]);
    let mut last = vec![method];
    for _ in 0..DEPTH {
        let unnamed = |&at: &MethodIx| program.methods[at].def.name.starts_with("lambda$");
        if last.iter().any(|at| inside.contains(at) || unnamed(at)) {
            return true;
        }
        let callers = last.iter().flat_map(|&at| {
            let callers = program.callers(&program.methods[at].def);
            callers.map(|(caller, _)| caller).collect::<Vec<_>>()
        });
        last = callers.filter(|&caller| seen.insert(caller)).collect();
        if last.is_empty() {
            return false;
        }
        if seen.len() > MOST {
            return true;
        }
    }
    true
}
