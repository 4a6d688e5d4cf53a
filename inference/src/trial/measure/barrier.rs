//! Candidates for BARRIER: all wait until one comes who does not, and lets all go.

use super::super::bench::{Bench, Outcome};
use super::super::lab::Session;
use super::super::probe::{Allowed, Probes, Waiting};
use super::super::spec::{Barrier, Machine};
use super::Candidate;
use crate::types::Role;

/// Most parties that are looked for.
const PARTIES: usize = 16;

/// BARRIER.
pub(in super::super) fn barriers<B: Bench>(
    probes: &Probes<'_, B>,
    allowed: &Allowed,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for Waiting {
        operation: arrive,
        passes,
        blocked,
        ..
    } in probes.waiting()
    {
        if passes > 0 || !allowed.allows(Role::Arrive, arrive) {
            continue;
        }
        let parties = parties(blocked, arrive);
        found.extend(parties.map(|n| candidate(arrive, n)));
    }
    found
}

fn candidate(arrive: usize, parties: u32) -> Candidate {
    let machines = [false, true].map(|places| Machine::Barrier(Barrier::new(parties, places)));
    Candidate::new(machines.to_vec(), [(Role::Arrive, arrive)])
}

/// How many meet, if the last lets all others go.
fn parties<B: Bench>(mut blocked: Session<'_, '_, B>, arrive: usize) -> Option<u32> {
    for thread in 1..PARTIES {
        let reaction = blocked.call(thread, arrive);
        match reaction.own {
            Outcome::Waits { .. } if reaction.others.is_empty() => {}
            Outcome::Passed(_) => {
                let all = (0..thread).all(|t| reaction.let_go(t));
                return all.then_some(thread as u32 + 1);
            }
            _ => return None,
        }
    }
    None
}
