//! MUTEX: nothing is waited for.

use super::super::expr::{Expr, Node};
use super::case::Case;
use super::finding::Finding;
use crate::region::RegionId;
use crate::types::{LockType, Role};
use std::collections::BTreeSet;

/// A lock none of whose regions waits.
pub(super) fn whole(case: &Case<'_>) -> Option<Finding> {
    let regions = case.profiles.keys().copied().collect();
    let mut finding = never_waits(&regions, case.anybody_notifies())?;
    if case.profiles.values().any(|p| p.behaviour.may_wait) {
        finding.contra(5.0, "a wait is there, on no path that could be followed");
    }
    Some(finding)
}

/// Regions that never wait, and whether some of them notify.
pub(super) fn never_waits(regions: &BTreeSet<RegionId>, notify: bool) -> Option<Finding> {
    let mut finding = Finding::new(LockType::Mutex, []);
    finding.role(Role::Enter, regions);
    if finding.roles.is_empty() {
        return None;
    }
    finding.pro(5.0, "no region of it waits");
    if notify {
        finding.contra(
            2.5,
            "it is notified, so somebody may wait where no code is known",
        );
    } else {
        finding.pro(1.0, "nobody notifies it");
    }
    Some(finding)
}

/// The regions of a lock with waits that have nothing to do with what is waited for; none if that is not known.
pub(super) fn rest(case: &Case<'_>, found: &[Finding]) -> Option<Finding> {
    let mut behaviours = case.profiles.values().map(|profile| &profile.behaviour);
    if behaviours.any(|of| of.may_wait && of.cut) {
        return None;
    }
    let sure: Vec<&Finding> = found.iter().filter(|f| f.odds() >= 1.0).collect();
    let taken: BTreeSet<RegionId> = sure.iter().flat_map(|f| f.regions()).collect();
    // Who sleeps waits for nothing: whatever the others do is another matter.
    let naps = sure.iter().all(|f| f.lock_type == LockType::Delay);
    let about = taken.iter().filter(|_| !naps);
    let data: BTreeSet<Expr> = about.flat_map(|&id| written(case, id)).collect();
    let others = case.profiles.keys().filter(|id| !taken.contains(id));
    let others: BTreeSet<Expr> = others.flat_map(|&id| written(case, id)).collect();
    let own: BTreeSet<Expr> = others.difference(&data).copied().collect();
    let apart = |id: &&RegionId| !taken.contains(id) && is_apart(case, **id, &data, &own);
    let regions: Vec<_> = case.profiles.keys().filter(apart).collect();
    if regions.is_empty() {
        return None;
    }
    let mut finding = Finding::new(LockType::Mutex, []);
    finding.role(Role::Enter, regions);
    finding.pro(
        1.5,
        "these regions neither wait nor notify nor touch what is waited for",
    );
    Some(finding)
}

/// The places that a region changes.
fn written(case: &Case<'_>, id: RegionId) -> BTreeSet<Expr> {
    let steps = case.profile(id).steps();
    steps.flat_map(|s| s.updates.keys()).copied().collect()
}

/// The collection or array that a place is a part of.
fn holder(case: &Case<'_>, place: Expr) -> Option<Expr> {
    match *case.see.x.node(place) {
        Node::Size(whole) | Node::Length(whole) | Node::Elem(whole) => Some(whole),
        Node::Index(whole, _) | Node::Keyed(whole, _) => Some(whole),
        _ => None,
    }
}

/// A place is among these, or a part of a collection or array of which these are or have some.
fn is_tended(case: &Case<'_>, place: Expr, data: &BTreeSet<Expr>) -> bool {
    let of_same = |of: Expr| data.iter().any(|&e| e == of || holder(case, e) == Some(of));
    data.contains(&place) || holder(case, place).is_some_and(of_same)
}

/// A region that neither waits nor notifies, and does something else than look at the state
/// that is waited for, or tend the data that those change who have a role.
/// `own`: what only such regions change.
fn is_apart(case: &Case<'_>, id: RegionId, data: &BTreeSet<Expr>, own: &BTreeSet<Expr>) -> bool {
    let profile = case.profile(id);
    let state: BTreeSet<_> = case.vars().iter().flat_map(|v| case.places(v)).collect();
    let written = written(case, id);
    let read = profile.steps().flat_map(|s| &s.reads);
    // Who changes something of its own may look at that state first.
    let touched: BTreeSet<_> = match written.iter().any(|&e| !is_tended(case, e, data)) {
        true => written,
        false if written.is_empty() => read.copied().collect(),
        false => read.copied().filter(|e| own.contains(e)).collect(),
    };
    let touched: BTreeSet<_> = touched
        .into_iter()
        .filter(|&e| case.see.changes(e))
        .collect();
    let quiet = profile.steps().all(|s| s.notes.is_empty());
    let tends = touched.iter().all(|&e| is_tended(case, e, data));
    profile.waits.is_empty()
        && quiet
        && !touched.is_empty()
        && !tends
        && touched.is_disjoint(&state)
}
