//! CONDITION: waits and notifies that no other type explains.

use super::case::Case;
use super::finding::Finding;
use crate::types::{LockType, Role};

pub(super) fn find(case: &Case<'_>, found: &[Finding]) -> Option<Finding> {
    let mut finding = Finding::new(LockType::Condition, case.vars());
    let waits = case.profiles.iter().filter(|(_, p)| !p.waits.is_empty());
    finding.role(Role::Wait, waits.map(|(id, _)| id));
    let signals = case
        .profiles
        .iter()
        .filter(|(_, p)| p.behaviour.steps.iter().any(|s| !s.notes.is_empty()));
    finding.role(Role::Notify, signals.map(|(id, _)| id));
    if !finding.roles.contains_key(&Role::Wait) {
        return None;
    }
    finding.pro(0.5, "it is waited on");
    if finding.roles.contains_key(&Role::Notify) {
        finding.pro(0.5, "it is notified");
    }
    if found.iter().all(|f| f.odds() < 2.0) {
        finding.pro(1.5, "no other type explains its waits");
    }
    Some(finding)
}
