//! Candidates for BARRIER: all wait until one comes who does not, and lets all go.

use super::super::bench::{Bench, Outcome};
use super::super::lab::Session;
use super::super::probe::{Allowed, Level, Probes, Waiting};
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

/// On a fresh lock nobody who arrives so waits, or all do, however many come: he meets nobody of his own kind.
pub(in super::super) fn meets_nobody<B: Bench>(probes: &Probes<'_, B>, arrive: usize) -> bool {
    let mut session = probes.lab.session();
    match probes.levels[arrive] {
        Level::Waits { passes: 0, .. } => {
            let mut all = 0..PARTIES;
            all.all(|thread| {
                let reaction = session.call(thread, arrive);
                let waits = matches!(reaction.own, Outcome::Waits { .. });
                waits && reaction.others.is_empty()
            })
        }
        Level::Waits { .. } | Level::Refuses { .. } | Level::Never => true,
        Level::Throws | Level::Unclear => false,
    }
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
