//! Candidates for an event that can be reset: one waits, another lets all go and leaves it open, a third shuts it again.

use super::super::bench::{Bench, Outcome};
use super::super::lab::Session;
use super::super::probe::{Allowed, Probes};
use super::super::spec::{Event, Machine, SETS};
use super::Candidate;
use crate::types::Role;

/// Candidates that are looked at.
const MOST: usize = 4;

/// An operation that waits on a lock that is shut now, two threads in it.
struct Shut<'l, 'b, B> {
    waits: usize,
    /// What shut it, if it began open.
    by: Option<usize>,
    session: Session<'l, 'b, B>,
}

/// CONDITION of the form resettable event.
pub(in super::super) fn events<B: Bench>(
    probes: &Probes<'_, B>,
    allowed: &Allowed,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for shut in (0..probes.levels.len())
        .filter(|&w| allowed.allows(Role::Wait, w))
        .filter_map(|w| shut(probes, w))
    {
        for opens in probes.others(shut.waits) {
            let Some(open) = opened(&shut, opens) else {
                continue;
            };
            let shutting = |&by: &usize| by != opens && shuts(&open, shut.waits, by);
            let Some(by) = probes.others(shut.waits).find(shutting) else {
                continue;
            };
            let machine = Machine::Event(Event::new(shut.by.is_some()));
            let cast = [(Role::Wait, shut.waits), (Role::Notify, opens), (SETS, by)];
            found.push(Candidate::new(vec![machine], cast));
            if found.len() == MOST {
                return found;
            }
        }
    }
    found
}

fn shut<'l, 'b, B: Bench>(probes: &'l Probes<'b, B>, waits: usize) -> Option<Shut<'l, 'b, B>> {
    let both_wait = |mut session: Session<'l, 'b, B>| {
        (session.waits(0, waits) && session.waits(1, waits)).then_some(session)
    };
    let shut = |by, session| Shut { waits, by, session };
    if let Some(session) = both_wait(probes.lab.session()) {
        return Some(shut(None, session));
    }
    probes.others(waits).find_map(|by| {
        let mut session = probes.lab.session();
        let passed = session.passes(2, by);
        let session = passed.then(|| both_wait(session)).flatten()?;
        Some(shut(Some(by), session))
    })
}

/// The lock, if the call lets both go and whoever comes then.
fn opened<'l, 'b, B: Bench>(shut: &Shut<'l, 'b, B>, opens: usize) -> Option<Session<'l, 'b, B>> {
    let mut session = shut.session.clone();
    let reaction = session.call(3, opens);
    let passed = matches!(reaction.own, Outcome::Passed(_));
    let go = passed && reaction.let_go(0) && reaction.let_go(1);
    (go && session.passes(0, shut.waits) && session.passes(1, shut.waits)).then_some(session)
}

fn shuts<B: Bench>(open: &Session<'_, '_, B>, waits: usize, by: usize) -> bool {
    let mut session = open.clone();
    session.passes(3, by) && session.waits(4, waits)
}
