//! Instructions of a method that the same object cannot come to.
//!
//! `l = new Lock(); if (writes) writer = l; else reader = l;` fills both fields from one place, and each with an
//! object of its own.

use super::super::program::Method;
use crate::region::flow::successors;
use std::collections::BTreeSet;

/// Whether one of `others` comes neither before `at` nor after it until another object is made.
pub(super) fn is_any_apart(method: &Method, made: usize, at: usize, others: &[usize]) -> bool {
    let (mut after, mut before) = (vec![Vec::new(); method.code.len()], Vec::new());
    before.clone_from(&after);
    for (from, insn) in method.code.iter().enumerate() {
        let (targets, falls) = successors(&insn.op);
        let next = (falls && from + 1 < method.code.len()).then_some(from + 1);
        let targets = targets.iter().filter_map(|&target| method.at(target));
        for to in targets.chain(next) {
            after[from].push(to);
            before[to].push(from);
        }
    }
    let (after, before) = (reached(&after, at, made), reached(&before, at, made));
    let together = |other: &usize| after.contains(other) || before.contains(other);
    !others.iter().all(together)
}

/// Everything that the steps lead to without the place where it is made.
fn reached(steps: &[Vec<usize>], from: usize, made: usize) -> BTreeSet<usize> {
    let (mut seen, mut work) = (BTreeSet::from([from]), vec![from]);
    while let Some(at) = work.pop() {
        for &next in steps.get(at).into_iter().flatten() {
            if next != made && seen.insert(next) {
                work.push(next);
            }
        }
    }
    seen
}
