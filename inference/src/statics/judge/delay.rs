//! DELAY: waits that only end by time-out.

use super::super::expr::{Expr, Node};
use super::super::profile::Profile;
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
    let naps = |p: &Profile<'_>| p.only_naps(|place| is_own(case, p, place));
    if case.anybody_notifies() && waiting.iter().all(|(_, p)| naps(p)) {
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

/// A field that only the method writes which makes the pause.
fn is_own(case: &Case<'_>, profile: &Profile<'_>, place: Expr) -> bool {
    let program = case.see.program;
    let id = match *case.see.x.node(place) {
        Node::Slot(id) | Node::Static(id) | Node::Field(_, id) => id,
        _ => return false,
    };
    let mut writers = program.field(id).writers.iter();
    // Another thread may run the same method, and end the pause of this one.
    let mut ended = profile.steps().filter(|s| !s.notes.is_empty());
    !ended.any(|s| s.updates.contains_key(&place))
        && writers.all(|&w| w == profile.behaviour.method || program.methods[w].is_initialiser())
}
