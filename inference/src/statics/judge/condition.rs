//! CONDITION: waits and notifies that no other type explains.

use super::super::change::Move;
use super::super::profile::{Condition, Test};
use super::super::step::Step;
use super::case::Case;
use super::finding::Finding;
use crate::region::RegionId;
use crate::types::{LockType, Role};
use std::collections::BTreeSet;

/// Odds from which a reading explains the regions it uses.
const EXPLAINED: f64 = 2.0;

/// What is said for a condition that is all that is left.
pub(crate) const UNEXPLAINED: (f64, &str) = (1.5, "no other type explains its waits");

pub(super) fn find(case: &Case<'_>, found: &[Finding]) -> Vec<Finding> {
    let waits = |id: &RegionId| !case.profile(*id).waits.is_empty();
    let waiting: BTreeSet<_> = case.profiles.keys().copied().filter(waits).collect();
    let explained: BTreeSet<_> = found
        .iter()
        .filter(|f| f.odds() >= EXPLAINED)
        .flat_map(Finding::regions)
        .collect();
    let left: BTreeSet<_> = waiting.difference(&explained).copied().collect();
    let mut all = Vec::new();
    all.extend(reading(case, &waiting, &BTreeSet::new(), left == waiting));
    if left != waiting {
        all.extend(reading(case, &left, &explained, true));
    }
    all
}

fn reading(
    case: &Case<'_>,
    waits: &BTreeSet<RegionId>,
    taken: &BTreeSet<RegionId>,
    unexplained: bool,
) -> Option<Finding> {
    let mut finding = Finding::new(LockType::Condition, case.vars());
    finding.role(Role::Wait, waits);
    let signals = case.profiles.iter().filter(|(_, p)| case.notifies(p));
    let signals: BTreeSet<_> = signals.map(|(id, _)| *id).collect();
    let own: BTreeSet<_> = signals.difference(taken).copied().collect();
    match own.is_empty() {
        false => finding.role(Role::Notify, &own),
        // Those of the other type signal these waits as well.
        true => finding.role(
            Role::Notify,
            signals.iter().filter(|id| ends(case, waits, **id)),
        ),
    }
    if !finding.roles.contains_key(&Role::Wait) {
        return None;
    }
    finding.pro(0.5, "it is waited on");
    if finding.roles.contains_key(&Role::Notify) {
        finding.pro(0.5, "it is notified");
    }
    let mut values = case.vars().into_iter().map(|var| case.awaits_values(&var));
    if values.any(|of| !of.is_empty() && of.is_superset(waits)) {
        finding.pro(2.0, "each waits for a value of its own");
    }
    if unexplained {
        finding.pro(UNEXPLAINED.0, UNEXPLAINED.1);
        if case.is_followed(waits) {
            finding.understood();
        }
    }
    Some(finding)
}

/// A region changes what the others wait for in the direction that ends their waits.
fn ends(case: &Case<'_>, waits: &BTreeSet<RegionId>, region: RegionId) -> bool {
    let blocks = waits.iter().flat_map(|id| &case.profile(*id).blocks);
    let mut steps = case.profile(region).steps();
    steps.any(|step| blocks.clone().any(|condition| opens(case, step, condition)))
}

fn opens(case: &Case<'_>, step: &Step, blocks: &Condition) -> bool {
    let Some(change) = case.see.change(step, &blocks.var) else {
        return false;
    };
    match (&blocks.test, case.see.direction(step, &blocks.var, &change)) {
        (Test::AtMost(_), direction) => direction == Move::Up,
        (Test::AtLeast(_), direction) => direction == Move::Down,
        _ => true,
    }
}
