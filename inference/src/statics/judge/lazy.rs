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
    let vars = case.vars();
    let by_stages = vars.iter().filter_map(|var| of(case, var));
    let by_flags = vars.iter().filter_map(|var| {
        let claim = Claim::of(case, var)?;
        let made = made(case, var)?;
        Some(flagged(case, var, &claim, &made))
    });
    by_stages.chain(by_flags).collect()
}

/// Somebody says in one place that he makes it, and whoever is done says in another that he makes it no more; all wait meanwhile.
struct Claim {
    waits: BTreeSet<RegionId>,
    makers: BTreeSet<RegionId>,
}

impl Claim {
    fn of(case: &Case<'_>, var: &Var) -> Option<Self> {
        let about = |s: &&Step| is_about(case, s, var);
        let profiles = case.profiles.iter();
        let waits = profiles.filter(|(_, p)| p.waits.iter().any(about));
        let waits: BTreeSet<RegionId> = waits.map(|(&id, _)| id).collect();
        let movers = case.movers(var);
        let (claimers, makers): (BTreeSet<_>, BTreeSet<_>) =
            movers.into_iter().partition(|r| waits.contains(r));
        let all = |regions: &BTreeSet<RegionId>, shut: bool| {
            let set = values(case, var, regions, false)?;
            let mut found = set.iter().map(|&v| waits_at(case, var, &waits, v));
            (!set.is_empty()).then(|| found.all(|waits| waits == Some(shut)))
        };
        let both = all(&claimers, true)? && all(&makers, false)?;
        both.then_some(Self { waits, makers })
    }
}

/// What only those set who make it, once and for all as they stop, and what whoever claims it has found as it begins: who finds it set
/// goes on without a claim.
pub(super) fn made(case: &Case<'_>, claim: &Var) -> Option<Var> {
    let Claim { waits, makers } = Claim::of(case, claim)?;
    let steps = waits.iter().flat_map(|&r| case.profile(r).steps());
    let claiming: Vec<_> = steps
        .filter(|s| case.change(s, claim).is_some())
        .map(|s| case.see.conditions(s))
        .collect();
    let others = claiming.first()?.iter().map(|c| &c.var);
    let mut others = others.filter(|&other| other != claim);
    let is_made = |done: &&Var| {
        let (Some(begins), Some(set)) = (case.begins(done), values(case, done, &makers, false))
        else {
            return false;
        };
        let (Some(&set), 1) = (set.first(), set.len()) else {
            return false;
        };
        let unmade =
            |test: &Test| holds(test, begins) == Some(true) && holds(test, set) == Some(false);
        let mut stops = makers.iter().flat_map(|&r| case.profile(r).steps());
        case.movers(done).is_subset(&makers)
            && claiming
                .iter()
                .all(|found| found.iter().any(|c| c.var == **done && unmade(&c.test)))
            && stops.all(|s| case.change(s, done).is_none() || case.change(s, claim).is_some())
    };
    others.find(is_made).cloned()
}

fn flagged(case: &Case<'_>, var: &Var, claim: &Claim, done: &Var) -> Finding {
    let mut finding = latch(case, var, &claim.waits, &claim.makers);
    finding.vars.insert(done.clone());
    finding
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
pub(super) fn waits_at(
    case: &Case<'_>,
    var: &Var,
    waits: &BTreeSet<RegionId>,
    value: i64,
) -> Option<bool> {
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
