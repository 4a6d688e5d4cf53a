//! Several quantities about which one operation asks at once: it takes of each, or awaits each of them. How many get in,
//! or how many steps it takes, is then no matter of one of them.

use super::super::change::Change;
use super::super::expr::{Expr, Node};
use super::super::initial::Initial;
use super::super::profile::{Test, Var};
use super::super::step::{From, Step};
use super::case::Case;
use super::family::Family;
use super::latch::{count, gate, sets};
use super::semaphore::permits;
use crate::region::RegionId;
use std::collections::BTreeSet;

/// What those who take of a quantity take of besides or instead, where those who give it back give that back as well. Of what is
/// kept under any key there is no end, and a difference from the quantity is no other one.
pub(super) fn taken_with(
    case: &Case<'_>,
    var: &Var,
    takes: &BTreeSet<RegionId>,
    gives: &BTreeSet<RegionId>,
) -> BTreeSet<Var> {
    let mine = case.places(var);
    let no_bound = |e: Expr| mine.contains(&e) || matches!(case.see.x.node(e), Node::Keyed(..));
    let limited =
        |other: &Var| !case.is_element(other) && !case.places(other).into_iter().any(no_bound);
    let alike = |other: &Var| {
        let family = Family::new(case, other);
        let mut changes = gives
            .iter()
            .map(|r| family.up.contains(r) || family.down.contains(r));
        let all = family.takes.union(&family.adds).copied().collect();
        takes.is_subset(&all) && changes.all(|c| c)
    };
    // Who takes of it only when he must wait takes of something that is passed on; what is made where nothing is left of
    // what there is comes to the same.
    let low = |var: &Var| !Family::new(case, var).takes.is_empty();
    let evenly = |other: &Var| match (
        takes_alone(case, takes, (var, other)),
        takes_alone(case, takes, (other, var)),
    ) {
        (false, false) => true,
        (either, or) => either && or && low(var) == low(other),
    };
    let others = case.vars().into_iter().filter(|other| other != var);
    let others = others.filter(|_| !gives.is_empty());
    others
        .filter(|other| limited(other) && alike(other) && evenly(other))
        .collect()
}

/// Who comes takes of the one and not of the other, on some way on which he does not wait.
fn takes_alone(case: &Case<'_>, takes: &BTreeSet<RegionId>, (one, other): (&Var, &Var)) -> bool {
    let passes = takes.iter().flat_map(|&r| &case.profile(r).passes);
    let mut at_once = passes.filter(|step| step.from == From::Entry);
    let moves = |step: &Step, var: &Var| case.see.change(step, var).is_some();
    at_once.any(|step| moves(step, one) && !moves(step, other))
}

/// How many operations can have taken of all of these at once; none if that is not known, or where they take of the one or the other.
pub(super) fn holders(
    case: &Case<'_>,
    vars: &BTreeSet<Var>,
    takes: &BTreeSet<RegionId>,
) -> Option<i64> {
    let passes = || takes.iter().flat_map(|&r| &case.profile(r).passes);
    let together = passes().all(|step| [0, vars.len()].contains(&moved_by(case, step, vars)));
    let each: BTreeSet<i64> = match together {
        true => {
            let changes = |var| passes().filter_map(move |s| case.change(s, var));
            let each = vars.iter().map(|var| holders_of(case, var, changes(var)));
            each.collect::<Option<_>>()?
        }
        false if is_in_all(case, vars, takes) => {
            let wanted = || passes().filter(|step| !takes_the_rest(case, step, vars));
            let changes = |var| wanted().filter_map(move |s| Some(one(case, case.change(s, var)?)));
            let each = vars.iter().map(|var| holders_of(case, var, changes(var)));
            each.collect::<Option<_>>()?
        }
        false => return None,
    };
    match each.len() {
        1 => each.first().copied(),
        _ => each.first().copied().filter(|_| together),
    }
}

/// What somebody asks for counts as one.
fn one(case: &Case<'_>, change: Change) -> Change {
    let Change::By(amount, up) = &change else {
        return change;
    };
    let is_asked = |t: &(Expr, i64)| case.is_callers(t.0) && t.1.abs() == 1;
    match amount.terms.as_slice() {
        [only] if is_asked(only) && amount.constant == 0 => Change::Add(if *up { 1 } else { -1 }),
        _ => change,
    }
}

/// Whoever takes takes of one of these, whatever else: of the others he takes only where he is not handed what somebody gives back.
fn is_in_all(case: &Case<'_>, vars: &BTreeSet<Var>, takes: &BTreeSet<RegionId>) -> bool {
    let mut in_all = vars.clone();
    for step in takes.iter().flat_map(|&r| &case.profile(r).passes) {
        if moved_by(case, step, vars) > 0 {
            in_all.retain(|var| case.see.change(step, var).is_some());
        }
    }
    !in_all.is_empty()
}

/// The same of one quantity; of the elements of an array, if that is what it is.
fn holders_of(case: &Case<'_>, var: &Var, changes: impl Iterator<Item = Change>) -> Option<i64> {
    let changes: BTreeSet<Change> = changes.collect();
    let unit = match changes.iter().collect::<Vec<_>>().as_slice() {
        _ if case.is_binary(var) => 1,
        [Change::Add(several)] => several.checked_abs().filter(|unit| *unit > 0)?,
        _ => return None,
    };
    let permits = permits(case, var, &Family::new(case, var))?;
    let one = permits.saturating_add(unit - 1) / unit;
    match case.is_named(var) {
        true => one.checked_mul(length(case, var)?),
        false => Some(one),
    }
}

/// A step leaves nothing of one of these, and that is what it takes of the others.
fn takes_the_rest(case: &Case<'_>, step: &Step, vars: &BTreeSet<Var>) -> bool {
    let rest = |var: &Var| match var {
        Var::Count(terms) if terms.len() == 1 => Some(terms.clone()),
        _ => None,
    };
    let emptied = vars
        .iter()
        .filter(|var| case.change(step, var) == Some(Change::Set(0)));
    emptied.filter_map(rest).any(|rest| {
        let mut others = vars
            .iter()
            .filter(|v| !matches!(v, Var::Count(t) if *t == rest));
        others.all(|other| {
            let shift = case.see.shift(step, other);
            shift.is_some_and(|s| {
                s.constant == 0 && [1, -1].iter().any(|k| s.times(*k).terms == rest)
            })
        })
    })
}

/// How long the array is an element of which the quantity is.
fn length(case: &Case<'_>, var: &Var) -> Option<i64> {
    let array = case
        .places(var)
        .into_iter()
        .find_map(|e| match *case.see.x.node(e) {
            Node::Elem(array) => Some(array),
            _ => None,
        })?;
    let is_length = |e: &Expr| matches!(case.see.x.node(*e), Node::Length(of) if *of == array);
    let found = case.initials.iter().find(|(place, _)| is_length(place));
    match found {
        Some((_, &Initial::Int(length))) => Some(length),
        _ => None,
    }
}

/// What those who await a quantity await besides, where they go on only with all of it, and it only ever moves towards that.
pub(super) fn awaited_with(
    case: &Case<'_>,
    var: &Var,
    waits: &BTreeSet<RegionId>,
) -> BTreeSet<Var> {
    let alike = |other: &Var| {
        let family = Family::new(case, other);
        let same = gate(&family).is_some_and(|gate| {
            gate.waits == waits && !gate.opens.is_empty() && gate.closes.is_empty()
        });
        same && family.unclear.is_empty() && needs(case, other, waits)
    };
    let others = case.vars().into_iter().filter(|other| other != var);
    let others: BTreeSet<Var> = others.filter(alike).collect();
    match needs(case, var, waits) {
        true => others,
        false => BTreeSet::new(),
    }
}

/// Whoever passes has found that the quantity is no longer what he waits for.
fn needs(case: &Case<'_>, var: &Var, waits: &BTreeSet<RegionId>) -> bool {
    let passes = waits.iter().flat_map(|&r| {
        let profile = case.profile(r);
        profile.passes.iter().map(move |step| (profile, step))
    });
    let mut passes = passes.peekable();
    passes.peek().is_some()
        && passes.all(|(profile, step)| {
            let blocks: BTreeSet<&Test> = profile.blocks_on(var).collect();
            let found = case.see.conditions(step);
            found
                .iter()
                .any(|c| c.var == *var && !blocks.contains(&c.test))
        })
}

/// How many steps it takes until all of these are as awaited; none if that is not known, or where one step does for several
/// that others do one by one.
pub(super) fn steps(
    case: &Case<'_>,
    vars: &BTreeSet<Var>,
    waits: &BTreeSet<RegionId>,
) -> Option<i64> {
    let one = |var: &Var| {
        let family = Family::new(case, var);
        let opens = gate(&family)?.opens.clone();
        match sets(case, var, &opens) {
            true if case.is_one_of_many(var) => None,
            true => Some(1),
            false => count(case, var, waits),
        }
    };
    let each: Option<Vec<i64>> = vars.iter().map(one).collect();
    let moved = case.profiles.values().flat_map(|p| p.steps());
    let moved = moved.map(|step| moved_by(case, step, vars));
    let at_once: BTreeSet<usize> = moved.filter(|&n| n > 0).collect();
    match at_once.iter().collect::<Vec<_>>().as_slice() {
        [1] => each?.into_iter().try_fold(0i64, i64::checked_add),
        [all] if **all == vars.len() => each?.into_iter().max(),
        _ => None,
    }
}

/// How many of these a step changes.
fn moved_by(case: &Case<'_>, step: &Step, vars: &BTreeSet<Var>) -> usize {
    let moved = vars.iter().filter(|v| case.see.change(step, v).is_some());
    moved.count()
}
