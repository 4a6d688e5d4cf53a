//! Branches on a path: which way it can go, and what is known when it has gone there.

use super::expr::{Expr, Exprs, Linear, Node, OpKey};
use super::facts::negated;
use super::heap::domain;
use super::paths::{Explorer, State};
use locklens_trace::code::{Cond, Op};

impl Explorer<'_> {
    pub(super) fn branch(&mut self, op: &Op, mut state: State) -> Option<State> {
        let frame = &mut state.calls.last_mut()?.frame;
        match *op {
            Op::If { cond, target } => {
                let value = frame.pop(self.x, false);
                self.test(state, value, cond, target)
            }
            Op::IfCmp { cond, target } => {
                let (b, a) = (frame.pop(self.x, false), frame.pop(self.x, false));
                let value = self.x.plus(a, b, -1);
                self.test(state, value, cond, target)
            }
            Op::IfRef { equal, target } => {
                let (b, a) = (frame.pop(self.x, false), frame.pop(self.x, false));
                self.test_same(state, a, b, equal, target)
            }
            Op::IfNull { null, target } => {
                let a = frame.pop(self.x, false);
                let b = self.x.make(Node::Null);
                self.test_same(state, a, b, null, target)
            }
            _ => None,
        }
    }

    fn test(&mut self, state: State, value: Expr, cond: Cond, target: u16) -> Option<State> {
        let (yes, no) = self.split(state, value, cond);
        self.both(yes, no, target)
    }

    /// The state where `value cond 0` and the one where not; both if it is not decided.
    pub(super) fn split(
        &mut self,
        state: State,
        value: Expr,
        cond: Cond,
    ) -> (Option<State>, Option<State>) {
        let mut no = state.clone();
        let mut yes = state;
        let can = self.assume(&mut yes, value, cond);
        let cannot = self.assume(&mut no, value, negated(cond));
        if can && cannot {
            yes.forks += 1;
            no.forks += 1;
        }
        (can.then_some(yes), cannot.then_some(no))
    }

    fn assume(&mut self, state: &mut State, value: Expr, cond: Cond) -> bool {
        let program = self.program;
        let domain = |x: &Exprs, e: Expr| domain(program, x, e);
        match (self.x.node(value).clone(), cond) {
            (Node::Compare(a, b), _) => {
                let sum = self.x.linear(a).plus(&self.x.linear(b), -1);
                state.facts.assume(self.x, &sum, cond, &domain)
            }
            (Node::Op(OpKey::And, a, b), Cond::Ne) | (Node::Op(OpKey::Or, a, b), Cond::Eq)
                if self.is_truth(a) && self.is_truth(b) =>
            {
                self.assume(state, a, cond) && self.assume(state, b, cond)
            }
            (Node::Op(OpKey::Xor, a, b), Cond::Eq | Cond::Ne)
                if self.x.constant(b) == Some(1) && self.is_truth(a) =>
            {
                self.assume(state, a, negated(cond))
            }
            _ => {
                let sum: Linear = self.x.linear(value);
                state.facts.assume(self.x, &sum, cond, &domain)
            }
        }
    }

    /// The value is 0 or 1.
    fn is_truth(&self, e: Expr) -> bool {
        match self.x.node(e) {
            Node::Int(value) => matches!(value, 0 | 1),
            Node::Op(OpKey::And | OpKey::Or | OpKey::Xor, a, b) => {
                self.is_truth(*a) && self.is_truth(*b)
            }
            _ => {
                let range = domain(self.program, self.x, e);
                range.low == 0 && range.high == 1
            }
        }
    }

    fn test_same(
        &mut self,
        state: State,
        a: Expr,
        b: Expr,
        equal: bool,
        target: u16,
    ) -> Option<State> {
        let (yes, no) = self.split_same(state, a, b);
        match equal {
            true => self.both(yes, no, target),
            false => self.both(no, yes, target),
        }
    }

    /// The state where two references are equal and the one where they differ.
    pub(super) fn split_same(
        &mut self,
        state: State,
        a: Expr,
        b: Expr,
    ) -> (Option<State>, Option<State>) {
        let mut no = state.clone();
        let mut yes = state;
        let can = yes.facts.assume_same(self.x, a, b, true);
        let cannot = no.facts.assume_same(self.x, a, b, false);
        if can && cannot {
            yes.forks += 1;
            no.forks += 1;
        }
        (can.then_some(yes), cannot.then_some(no))
    }

    /// Goes on with the one that falls through, leaves the one that jumps for later.
    fn both(&mut self, jumps: Option<State>, falls: Option<State>, target: u16) -> Option<State> {
        let jumps = jumps.and_then(|state| self.jump(state, target));
        let falls = falls.and_then(|mut state| {
            state.calls.last_mut()?.pc += 1;
            Some(state)
        });
        match (jumps, falls) {
            (Some(jumps), Some(falls)) => {
                self.later(jumps);
                Some(falls)
            }
            (one, other) => one.or(other),
        }
    }

    pub(super) fn jump(&self, mut state: State, target: u16) -> Option<State> {
        let call = state.calls.last_mut()?;
        call.pc = self.program.methods[call.method].at(target)?;
        Some(state)
    }

    /// Calls a subroutine of the method: `finally` blocks of compilers before Java 6.
    pub(super) fn subroutine(&mut self, mut state: State, target: u16) -> Option<State> {
        let call = state.calls.last_mut()?;
        let behind = self.program.methods[call.method].code.get(call.pc + 1)?.bci;
        let address = self.x.make(Node::Address(behind));
        call.frame.push(self.x, address, false);
        self.jump(state, target)
    }

    /// Returns from a subroutine.
    pub(super) fn end_subroutine(&mut self, state: State, slot: u16) -> Option<State> {
        let frame = &state.calls.last()?.frame;
        let address = frame.locals.get(usize::from(slot)).copied();
        match address.map(|a| self.x.node(a).clone()) {
            Some(Node::Address(behind)) => self.jump(state, behind),
            _ => {
                self.out.cut = true;
                None
            }
        }
    }

    pub(super) fn switch(
        &mut self,
        mut state: State,
        cases: &[(i32, u16)],
        default: u16,
    ) -> Option<State> {
        let value = state.calls.last_mut()?.frame.pop(self.x, false);
        let mut rest = Some(state);
        for &(key, target) in cases {
            let Some(state) = rest.take() else { break };
            let difference = self.x.shift(value, -i64::from(key));
            let (yes, no) = self.split(state, difference, Cond::Eq);
            if let Some(yes) = yes.and_then(|s| self.jump(s, target)) {
                self.later(yes);
            }
            rest = no;
        }
        rest.and_then(|s| self.jump(s, default))
    }
}
