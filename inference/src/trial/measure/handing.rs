//! Candidates for PRODUCER-CONSUMER without room: either waits at once, and lets the other go.

use super::super::bench::{Bench, Outcome, Returned};
use super::super::lab::Session;
use super::super::probe::{Allowed, Probes, Waiting};
use super::super::spec::{Handoff, Machine};
use super::Candidate;
use crate::types::Role;

/// PRODUCER-CONSUMER without room.
pub(in super::super) fn handoffs<B: Bench>(
    probes: &Probes<'_, B>,
    allowed: &Allowed,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for Waiting {
        operation: put,
        passes,
        blocked,
        ..
    } in probes.waiting()
    {
        if passes > 0 || !allowed.allows(Role::Put, put) {
            continue;
        }
        let takes = probes.others(put).filter(|&t| probes.waits_at_once(t));
        let takes = takes.filter(|&t| allowed.allows(Role::Take, t) && hands(&blocked, t));
        found.extend(takes.map(|take| {
            let cast = [(Role::Put, put), (Role::Take, take)];
            Candidate::new(vec![Machine::Handoff(Handoff::default())], cast)
        }));
    }
    found
}

/// The first thing that was put goes to who takes.
fn hands<B: Bench>(blocked: &Session<'_, '_, B>, take: usize) -> bool {
    let mut session = blocked.clone();
    let first = session.next_token() - 1;
    let reaction = session.call(1, take);
    reaction.let_go(0) && reaction.own == Outcome::Passed(Returned::Token(first))
}
