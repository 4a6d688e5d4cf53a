//! What is made once, on first demand: who comes first says so and makes it, everybody else waits until it is there.

use super::super::change::Change;
use super::super::profile::{Test, Var};
use super::super::step::{From, Step};
use super::case::Case;
use super::finding::Finding;
use crate::region::RegionId;
use crate::types::{LockType, Role};
use std::collections::BTreeSet;

/// A latch whose waiting region also claims the making of what is waited for.
pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    case.vars().iter().filter_map(|var| of(case, var)).collect()
}

fn of(case: &Case<'_>, var: &Var) -> Option<Finding> {
    let waits: BTreeSet<RegionId> = case
        .profiles
        .iter()
        .filter(|(_, p)| p.waits.iter().any(|s| is_about(case, s, var)))
        .map(|(&id, _)| id)
        .collect();
    let begins = case.begins(var)?;
    let movers = case.movers(var);
    let (claimers, makers): (BTreeSet<_>, BTreeSet<_>) =
        movers.into_iter().partition(|r| waits.contains(r));
    let claims = values(case, var, &claimers, true)?;
    let opens = values(case, var, &makers, false)?;
    if claims.is_empty() || opens.is_empty() {
        return None;
    }
    // Each state comes after the one before, and none comes back.
    let stages = [&BTreeSet::from([begins]), &claims, &opens];
    let apart = stages[0].is_disjoint(stages[1]) && stages[1].is_disjoint(stages[2]);
    let once = apart && stages[0].is_disjoint(stages[2]);
    let closed = claims
        .iter()
        .all(|&v| waits_at(case, var, &waits, v) == Some(true));
    let open = opens
        .iter()
        .all(|&v| waits_at(case, var, &waits, v) == Some(false));
    let first = claimers.iter().all(|&r| finds(case, var, r, begins));
    (once && closed && open && first).then(|| latch(case, var, &waits, &makers))
}

fn latch(
    case: &Case<'_>,
    var: &Var,
    waits: &BTreeSet<RegionId>,
    makers: &BTreeSet<RegionId>,
) -> Finding {
    let mut finding = Finding::new(LockType::Latch, [var.clone()]);
    let name = case.name(var);
    finding.role(Role::Await, waits);
    finding.role(Role::CountDown, makers);
    finding.pro(
        2.5,
        format!("who comes first claims {name}, the others wait until it is opened"),
    );
    finding.pro(2.0, format!("{name} only ever moves towards opening"));
    finding.weigh(
        case.signals(makers),
        (1.0, "opening it notifies"),
        (1.0, "opening it notifies nobody"),
    );
    finding.count("count", Some(1));
    case.charge(&mut finding);
    finding
}

fn is_about(case: &Case<'_>, step: &Step, var: &Var) -> bool {
    case.see.conditions(step).iter().any(|c| c.var == *var)
}

/// The numbers to which these regions set it; none if one does anything else to it. Who waits may do so only as he comes.
fn values(
    case: &Case<'_>,
    var: &Var,
    regions: &BTreeSet<RegionId>,
    as_one_comes: bool,
) -> Option<BTreeSet<i64>> {
    let steps = regions.iter().flat_map(|&r| case.profile(r).steps());
    let changes = steps.filter_map(|s| Some((s, case.change(s, var)?)));
    changes
        .map(|(step, change)| match change {
            Change::Set(value) if !as_one_comes || step.from == From::Entry => Some(value),
            _ => None,
        })
        .collect()
}

/// This region only ever sets it to numbers at which those who wait go on waiting.
pub(super) fn only_claims(
    case: &Case<'_>,
    var: &Var,
    waits: &BTreeSet<RegionId>,
    region: RegionId,
) -> bool {
    let set = values(case, var, &BTreeSet::from([region]), false);
    set.is_some_and(|set| {
        let closed = |&v: &i64| waits_at(case, var, waits, v) == Some(true);
        !set.is_empty() && set.iter().all(closed)
    })
}

/// Whoever sets it in this region has found it as it begins.
fn finds(case: &Case<'_>, var: &Var, region: RegionId, begins: i64) -> bool {
    let mut sets = case.profile(region).steps();
    sets.all(|step| {
        let found = case.see.conditions(step);
        let mut found = found.iter().filter(|c| c.var == *var);
        case.change(step, var).is_none()
            || found.any(|c| holds(&c.test, begins) == Some(true) && matches!(c.test, Test::Is(_)))
    })
}

/// Whether somebody who finds this number waits; none if the code compares it with something else than numbers.
fn waits_at(case: &Case<'_>, var: &Var, waits: &BTreeSet<RegionId>, value: i64) -> Option<bool> {
    let steps = waits.iter().flat_map(|&r| &case.profile(r).waits);
    let mut any = false;
    for step in steps {
        let found = case.see.conditions(step);
        let tests = found.iter().filter(|c| c.var == *var);
        let all: Option<Vec<bool>> = tests.map(|c| holds(&c.test, value)).collect();
        any |= all?.into_iter().all(|holds| holds);
    }
    Some(any)
}

fn holds(test: &Test, value: i64) -> Option<bool> {
    let number = match test {
        Test::AtMost(b) | Test::AtLeast(b) | Test::Is(b) | Test::IsNot(b) => {
            b.terms.is_empty().then_some(b.constant)?
        }
        _ => return None,
    };
    Some(match test {
        Test::AtMost(_) => value <= number,
        Test::AtLeast(_) => value >= number,
        Test::Is(_) => value == number,
        _ => value != number,
    })
}
