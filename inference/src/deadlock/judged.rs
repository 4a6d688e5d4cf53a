//! What the search for deadlocks says of the cycles of a nesting graph: it knows of more that puts threads in order.

use super::finding::{Finding, Report};
use super::watched::{around, is_recorded, names};
use crate::nesting::graph::{Cycle, Fate, Graph, Judged, Reason};
use std::collections::BTreeSet;

impl Report {
    /// Says of each cycle of a graph of the same recording what was found of its locks. What is excluded here is excluded there.
    pub fn judge(&self, graph: &mut Graph) {
        let mut standing = Vec::new();
        for mut cycle in std::mem::take(&mut graph.cycles) {
            cycle.judged = self.judged(graph, &cycle);
            match self.reasons(graph, &cycle) {
                Some(why) => {
                    cycle.fate = Fate::Excluded(vec![Reason::Searched(why)]);
                    graph.excluded.push(cycle);
                }
                None => standing.push(cycle),
            }
        }
        let on_cycle = standing.iter().flat_map(|cycle: &Cycle| &cycle.edges);
        let on_cycle: BTreeSet<_> = on_cycle.map(|edge| (edge.from, edge.to)).collect();
        for edge in &mut graph.edges {
            edge.in_cycle = on_cycle.contains(&(edge.from, edge.to));
        }
        graph.cycles = standing;
    }

    fn judged(&self, graph: &Graph, cycle: &Cycle) -> Vec<Judged> {
        let locks = names(graph, cycle);
        let same = self.findings.iter().filter(|one| around(one) == locks);
        let told = |one: &Finding| Judged {
            id: one.id.clone(),
            tier: one.tier.name(),
            stall: one.stall,
            remarks: one.remarks.clone(),
        };
        same.map(told).collect()
    }

    /// Why a cycle that stands is excluded, if it is.
    fn reasons(&self, graph: &Graph, cycle: &Cycle) -> Option<Vec<String>> {
        // Of others the search knows no more than the graph; and what it has not looked at may be possible in another way.
        let is_open = matches!(cycle.fate, Fate::Stands | Fate::Undecided);
        let is_known = is_recorded(graph, cycle) && self.stopped_after.is_empty();
        if !is_open || !cycle.judged.is_empty() || !is_known {
            return None;
        }
        let locks = names(graph, cycle);
        let mut excluded = self.excluded.iter();
        let found = excluded.find(|one| one.locks == locks)?;
        Some(found.reasons.clone())
    }
}
