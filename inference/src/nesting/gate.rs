//! Gates: locks that two threads both hold, so that they are never at their places together.

use super::chart::{NodeIx, NodeKey};
use super::held::Hold;
use super::ledger::Ledger;
use crate::analysis::Analysis;
use std::collections::BTreeSet;

/// A lock that keeps two dependencies apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Gate {
    pub(super) node: NodeIx,
    /// The objects are not both known, but no second one of this lock was ever seen.
    pub(super) inferred: bool,
}

/// Which nodes stand for one object.
#[derive(Debug, Default)]
pub(super) struct Gates {
    /// Surely.
    pub(super) mirrors: BTreeSet<NodeIx>,
    /// As far as was seen.
    pub(super) single: BTreeSet<NodeIx>,
}

impl Gates {
    pub(super) fn new(nodes: &[NodeKey], analysis: &Analysis, ledger: &Ledger) -> Self {
        let mut gates = Self::default();
        for (ix, key) in nodes.iter().enumerate() {
            match key {
                NodeKey::Mirror(_) => drop(gates.mirrors.insert(ix)),
                // Nesting within the lock takes two objects.
                NodeKey::Lock(lock)
                    if analysis.objects[*lock].len() == 1
                        && !ledger.edges.contains_key(&(ix, ix)) =>
                {
                    gates.single.insert(ix);
                }
                NodeKey::Static(_) => drop(gates.single.insert(ix)),
                NodeKey::Lock(_) | NodeKey::This(_) | NodeKey::Region(..) => {}
            }
        }
        gates
    }

    /// The locks that both hold; both sorted by node.
    pub(super) fn between(&self, a: &[Hold], b: &[Hold]) -> Option<Gate> {
        let pairs = a
            .iter()
            .flat_map(|a| b.iter().filter(|b| b.node == a.node).map(move |b| (a, b)));
        // A certain one before an inferred one.
        pairs
            .filter_map(|(a, b)| self.same(a, b))
            .min_by_key(|gate| (gate.inferred, gate.node))
    }

    fn same(&self, a: &Hold, b: &Hold) -> Option<Gate> {
        let gate = |inferred| Gate {
            node: a.node,
            inferred,
        };
        // Who holds it together with the other is not kept out.
        if a.shared && b.shared {
            return None;
        }
        match (a.object, b.object) {
            (Some(a), Some(b)) => (a == b).then(|| gate(false)),
            _ if self.mirrors.contains(&a.node) => Some(gate(false)),
            _ => self.single.contains(&a.node).then(|| gate(true)),
        }
    }
}
