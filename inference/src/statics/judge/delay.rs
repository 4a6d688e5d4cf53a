//! DELAY: waits that only end by time-out.

use super::super::step::From;
use super::case::Case;
use super::finding::Finding;
use crate::types::{LockType, Role};

/// A wait that nothing is waited for in: who notifies cuts it short.
const NAPS: f64 = 3.5;

pub(super) fn find(case: &Case<'_>) -> Option<Finding> {
    let waiting = case.profiles.iter().filter(|(_, p)| !p.waits.is_empty());
    let waiting: Vec<_> = waiting.collect();
    if waiting.is_empty() || !waiting.iter().all(|(_, p)| p.only_timed_waits()) {
        return None;
    }
    let mut finding = Finding::new(LockType::Delay, case.vars());
    finding.role(Role::Delay, waiting.iter().map(|(id, _)| *id));
    finding.pro(2.5, "every wait has a time-out");
    if waiting.iter().all(|(_, p)| p.only_naps()) {
        finding.pro(
            NAPS,
            "whoever waits goes on after one wait, whatever has become of anything",
        );
        return Some(finding);
    }
    if case.anybody_notifies() {
        finding.contra(1.5, "it is notified, which can end a wait early");
    } else {
        finding.pro(3.0, "nobody notifies it");
    }
    let moved = case.vars().iter().any(|v| case.is_moved(v));
    let skipped = waiting
        .iter()
        .any(|(_, p)| p.passes.iter().any(|s| s.from == From::Entry));
    if moved || skipped {
        finding.contra(0.5, "the waits are for a condition: not everybody waits");
    }
    Some(finding)
}
