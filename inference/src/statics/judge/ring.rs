//! A queue in a ring of two indices.

use super::super::expr::{Expr, Linear, Node, OpKey};
use super::super::profile::Var;
use super::case::Case;
use super::finding::Finding;
use super::queue::Sides;
use crate::region::RegionId;
use crate::types::LockType;

/// A ring of two indices: empty when they are equal, full when the next one would be.
pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for &put in case.profiles.keys() {
        for &take in case.profiles.keys() {
            found.extend(ring_of(case, put, take));
        }
    }
    found
}

fn ring_of(case: &Case<'_>, put: RegionId, take: RegionId) -> Option<Finding> {
    let (full, length) = case
        .blocks(put)
        .iter()
        .find_map(|c| ring_full(case, &c.var))?;
    let empty = case
        .blocks(take)
        .iter()
        .find_map(|c| ring_empty(case, &c.var, &full))?;
    if put == take {
        return None;
    }
    let mut finding = Finding::new(LockType::ProducerConsumer, [full, empty]);
    let sides = Sides {
        puts: [put].into(),
        takes: [take].into(),
    };
    finding.pro(
        3.0,
        "two indices of a ring: one side waits while it is full",
    );
    finding.pro(1.5, "the other waits while they are equal");
    sides.weigh(case, &mut finding);
    let capacity = case.initially(&length).map(|n| n - 1);
    finding.count("capacity", capacity);
    sides.roles(&mut finding);
    case.charge(&mut finding);
    Some(finding)
}

/// `(tail + 1) % n - head`, with `n`.
fn ring_full(case: &Case<'_>, var: &Var) -> Option<(Var, Linear)> {
    let Var::Count(terms) = var else { return None };
    let length = terms.iter().find_map(|&(e, _)| match *case.see.x.node(e) {
        Node::Op(OpKey::Rem, _, n) => Some(case.see.x.linear(n)),
        _ => None,
    })?;
    (terms.len() == 2).then(|| (var.clone(), length))
}

/// A difference of two plain places, both of which occur in the test for full.
fn ring_empty(case: &Case<'_>, var: &Var, full: &Var) -> Option<Var> {
    let (Var::Count(terms), Var::Count(all)) = (var, full) else {
        return None;
    };
    let plain = |e: &(Expr, i64)| !matches!(case.see.x.node(e.0), Node::Op(..));
    let there = |e| all.iter().any(|t| case.see.x.mentions(t.0, e));
    let fits = terms.len() == 2 && terms.iter().all(|t| plain(t) && there(t.0));
    fits.then(|| var.clone())
}
