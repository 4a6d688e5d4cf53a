//! Candidates for BARRIER: all wait until one comes who does not, and lets all go.

use super::super::bench::{Bench, Outcome};
use super::super::lab::Session;
use super::super::probe::{Allowed, Level, Probes, Waiting};
use super::super::spec::{Barrier, Machine, SETS};
use super::Candidate;
use crate::types::Role;

/// Most parties that are looked for.
const PARTIES: usize = 16;
/// Parties that have registered when they are counted.
const REGISTERED: [usize; 2] = [2, 3];

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
        if passes > 0 || !allowed.allows(Role::Arrive, arrive) || goes_in_turn(probes, arrive) {
            continue;
        }
        let rest = parties_from(1, blocked, arrive);
        found.extend(rest.map(|n| candidate(probes, arrive, n)));
    }
    found
}

/// Called with one thing after the other all wait for the last of them, who calls it with what goes first by itself: it is
/// somebody's turn.
fn goes_in_turn<B: Bench>(probes: &Probes<'_, B>, arrive: usize) -> bool {
    let operations = probes.lab.operations();
    let alike = |&op: &usize| {
        operations[op].regions == operations[arrive].regions && !operations[op].alternates
    };
    let goes = |op: usize| {
        matches!(
            probes.levels[op],
            Level::Waits { passes: 1.., .. } | Level::Never
        )
    };
    operations[arrive].alternates && probes.others(arrive).filter(alike).any(goes)
}

/// BARRIER at which parties register, by what they register.
pub(in super::super) fn phasers<B: Bench>(
    probes: &Probes<'_, B>,
    allowed: &Allowed,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    let arriving = (0..probes.levels.len()).filter(|&op| allowed.allows(Role::Arrive, op));
    for arrive in arriving {
        if !matches!(probes.levels[arrive], Level::Waits { .. } | Level::Never) {
            continue;
        }
        // Who comes to no party at all may pass as well as who comes to himself.
        let measured = parties(probes.lab.session(), arrive);
        let firsts = [measured, Some(0)].into_iter().flatten();
        let pairs = firsts.flat_map(|first| probes.others(arrive).map(move |op| (first, op)));
        let registered = pairs.filter(|&(first, op)| {
            matches!(probes.levels[op], Level::Never) && registers(probes, (arrive, first), op)
        });
        found.extend(registered.map(|(first, register)| {
            let machines = [false, true].map(|places| Barrier::of_registered(first, places));
            let cast = [(Role::Arrive, arrive), (SETS, register)];
            Candidate::new(machines.map(Machine::Barrier).to_vec(), cast)
        }));
    }
    found
}

/// So many more meet as threads have called this.
fn registers<B: Bench>(
    probes: &Probes<'_, B>,
    (arrive, first): (usize, u32),
    register: usize,
) -> bool {
    REGISTERED.iter().all(|&registered| {
        let mut session = probes.lab.session();
        let all = (0..registered).all(|thread| session.passes(thread, register));
        all && parties(session, arrive) == Some(first + registered as u32)
    })
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

fn candidate<B: Bench>(probes: &Probes<'_, B>, arrive: usize, parties: u32) -> Candidate {
    let again = [false, true].map(|places| Barrier::new(parties, places));
    let once = stays_open(probes, arrive, parties).then(|| Barrier::for_once(parties));
    let machines = again.into_iter().chain(once).map(Machine::Barrier);
    Candidate::new(machines.collect(), [(Role::Arrive, arrive)])
}

/// Who comes says nothing of himself, and nothing that those who have met may do next closes it, or is waited for.
fn stays_open<B: Bench>(probes: &Probes<'_, B>, arrive: usize, parties: u32) -> bool {
    let parties = parties as usize;
    let open_after = |op: usize| {
        let mut session = probes.lab.session();
        for thread in 0..parties {
            session.call(thread, arrive);
        }
        let go_on = (0..parties).all(|thread| session.passes(thread, op));
        go_on && session.passes(parties, arrive)
    };
    probes.lab.bench().is_bare(arrive) && probes.others(arrive).all(open_after)
}

/// How many meet, if the last lets all others go.
fn parties<B: Bench>(session: Session<'_, '_, B>, arrive: usize) -> Option<u32> {
    parties_from(0, session, arrive)
}

/// The same, where so many have come already.
fn parties_from<B: Bench>(
    came: usize,
    mut session: Session<'_, '_, B>,
    arrive: usize,
) -> Option<u32> {
    for thread in came..PARTIES {
        let reaction = session.call(thread, arrive);
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
