//! Rounds of loops: what changes from round to round is no longer followed exactly.
//!
//! A loop whose tests are all decided by constants is followed to its end.

use super::expr::{Expr, Exprs, Node, Site};
use super::paths::{Explorer, State};
use std::collections::BTreeMap;

/// Returns from one wait that keep their locals apart.
const MAX_RETURNS: u32 = 3;
/// Rounds of a loop whose tests are all decided by constants.
const MAX_ROUNDS: u32 = 200;

/// The state in which a loop header was last met.
#[derive(Clone, Debug)]
pub(super) struct Met {
    times: u32,
    forks: u32,
    locals: Vec<Expr>,
    heap: BTreeMap<Expr, Expr>,
}

impl Explorer<'_> {
    /// A loop header: true if the path goes on. Met again after branches that could have gone
    /// both ways, what changed in between becomes the result of some rounds. Who leaves the loop then, without another round and
    /// without a wait, has made the changes of one.
    pub(super) fn meet(&mut self, state: &mut State) -> bool {
        let forks = state.forks;
        if self.is_after_one_round(state) {
            let mut once = state.clone();
            once.after_one_round = true;
            if let Some(call) = once.calls.last_mut()
                && let Some(met) = call.headers.get_mut(&call.pc)
            {
                (met.times, met.forks) = (met.times + 1, forks);
            }
            self.later(once);
        }
        let Some(call) = state.calls.last_mut() else {
            return false;
        };
        let site = Site {
            method: call.method,
            bci: self.program.methods[call.method].code[call.pc].bci,
        };
        if let Some(met) = call.headers.get(&call.pc) {
            let decided = met.forks == forks;
            if met.times > MAX_ROUNDS || !decided && met.times > 1 {
                self.out.cut |= decided;
                return false;
            }
            if !decided {
                let (locals, heap) = (met.locals.clone(), met.heap.clone());
                widen(self.x, site, &mut call.frame.locals, &locals);
                widen_heap(self.x, site, &mut state.heap.written, &heap);
            }
        }
        let met = Met {
            times: call.headers.get(&call.pc).map_or(0, |m| m.times) + 1,
            forks,
            locals: call.frame.locals.clone(),
            heap: state.heap.written.clone(),
        };
        call.headers.insert(call.pc, met);
        true
    }

    /// A loop header is met for the second time on a way on which nothing else was left after one round yet.
    fn is_after_one_round(&self, state: &State) -> bool {
        let met = state
            .calls
            .last()
            .and_then(|call| call.headers.get(&call.pc));
        let again = met.is_some_and(|met| met.times == 1 && met.forks != state.forks);
        again && !state.after_one_round && state.left.is_none()
    }

    /// Locals that are different at every return from a wait, such as a count of the rounds,
    /// become the result of some rounds.
    pub(super) fn settle(&mut self, next: &mut State, site: Site) {
        let frames = || next.calls.iter().map(|c| c.frame.clone()).collect();
        let (times, first) = self.returns.entry(site).or_insert_with(|| (0, frames()));
        *times += 1;
        if *times <= MAX_RETURNS || first.len() != next.calls.len() {
            return;
        }
        for (call, first) in next.calls.iter_mut().zip(first.iter()) {
            widen(self.x, site, &mut call.frame.locals, &first.locals);
            widen(self.x, site, &mut call.frame.stack, &first.stack);
        }
    }
}

fn widen(x: &mut Exprs, site: Site, now: &mut [Expr], before: &[Expr]) {
    for (value, &old) in now.iter_mut().zip(before) {
        if *value != old {
            *value = looped(x, old, site);
        }
    }
}

fn widen_heap(
    x: &mut Exprs,
    site: Site,
    now: &mut BTreeMap<Expr, Expr>,
    before: &BTreeMap<Expr, Expr>,
) {
    for (&place, value) in now.iter_mut() {
        let old = before.get(&place).copied().unwrap_or(place);
        if *value != old {
            *value = looped(x, old, site);
        }
    }
}

fn looped(x: &mut Exprs, old: Expr, site: Site) -> Expr {
    match x.node(old) {
        Node::Looped(_, same) if *same == site => old,
        _ => x.make(Node::Looped(old, site)),
    }
}
