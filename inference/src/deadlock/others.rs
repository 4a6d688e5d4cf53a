//! What of a kind of deadlock is told besides the best: the same by other threads at other objects.

use super::candidates::{Cycle, Node};
use super::finding::{Part, Resource, Tier};
use super::judge::Court;
use super::proof::Best;
use std::collections::BTreeSet;

/// Told of one kind, …
const TOLD: usize = 8;
/// … of so many that are judged, …
const TRIED: usize = 32;
/// … and sections and edges drawn in for that.
const TRYING: usize = 5_000_000;

/// Other threads that could come to wait for each other in the same way, at other objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Other {
    /// How well that is proved.
    pub tier: Tier,
    /// As those of a finding.
    pub locks: Vec<Resource>,
    /// As those of a finding.
    pub edges: Vec<Part>,
}

impl Court<'_, '_> {
    /// Those that have no object in common with the best, nor with each other.
    pub(super) fn others<'c>(&mut self, cycles: &[&'c Cycle], best: &Best<'c>) -> Vec<Best<'c>> {
        let mut found: Vec<Best<'_>> = Vec::new();
        // Of what is only a cycle of kinds the objects say nothing.
        if best.proof.tier == Tier::T5 {
            return found;
        }
        let (work, given_up) = (self.work, self.given_up);
        self.work = work.min(TRYING);
        let kept = work - self.work;
        let mut told: BTreeSet<Node> = best.cycle.nodes.iter().copied().collect();
        let choices = cycles
            .iter()
            .flat_map(|&cycle| (0..).zip(cycle.open()).map(move |choice| (cycle, choice)));
        let mut left = TRIED;
        for (cycle, (at, choice)) in choices {
            if found.len() >= TOLD || left == 0 {
                break;
            }
            let stall = cycle.is_stall(self.scan(), choice);
            if stall != best.stall || cycle.nodes.iter().any(|node| told.contains(node)) {
                continue;
            }
            left -= 1;
            let proof = self.proof(cycle, (at, choice));
            if let Some(proof) = proof.ok().filter(|proof| proof.tier != Tier::T5) {
                told.extend(&cycle.nodes);
                let mut other = Best::of(proof, cycle, choice, stall);
                other.stands = self.stands(&other);
                found.push(other);
            }
        }
        self.work += kept;
        self.given_up = given_up;
        found
    }
}
