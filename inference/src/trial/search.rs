//! The search for what the operations of a lock are to each other.

use super::bench::Bench;
use super::conform::{Finding, Judged, judge};
use super::extend::extend;
use super::measure::{Candidate, barrier, event, exclusion, handing, kinds, passing, read_write};
use super::probe::{Allowed, Probes};
use crate::types::LockType;

/// The types that have a specification, the more specific first.
pub(super) const TYPES: [LockType; 7] = [
    LockType::ReadWrite,
    LockType::Barrier,
    LockType::Latch,
    LockType::ProducerConsumer,
    LockType::Lock,
    LockType::Semaphore,
    LockType::Condition,
];

/// What came of the search for one type.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    pub(super) found: Vec<Finding>,
    /// Where the first candidate failed that did not conform.
    pub(super) refuted: Option<String>,
    /// Candidates of which nothing can be said.
    pub(super) inconclusive: u32,
}

/// All assignments of allowed operations to the roles of a type that conform.
pub(super) fn search<B: Bench>(
    probes: &Probes<'_, B>,
    lock_type: LockType,
    allowed: &Allowed,
) -> Search {
    let mut search = Search::default();
    for candidate in candidates(probes, lock_type, allowed) {
        let known = search.found.iter().position(|f| contains(f, &candidate));
        if let Some(at) = known {
            // Called otherwise, the same may show that what is put in comes out.
            let shows_less =
                lock_type == LockType::ProducerConsumer && search.found[at].tally.carried == 0;
            if shows_less
                && let Judged::Conforms(found) = judge(&probes.lab, &candidate)
                && found.tally.carried > 0
            {
                search.found[at] = extend(&probes.lab, found, allowed);
            }
            continue;
        }
        match judge(&probes.lab, &candidate) {
            Judged::Conforms(found) => search.found.push(extend(&probes.lab, found, allowed)),
            Judged::Refuted(at) => _ = search.refuted.get_or_insert(at),
            Judged::Inconclusive => search.inconclusive += 1,
        }
    }
    search
}

fn candidates<B: Bench>(
    probes: &Probes<'_, B>,
    lock_type: LockType,
    allowed: &Allowed,
) -> Vec<Candidate> {
    match lock_type {
        LockType::ReadWrite => read_write::find(probes, allowed),
        LockType::Barrier => {
            let mut all = barrier::phasers(probes, allowed);
            all.extend(barrier::barriers(probes, allowed));
            all
        }
        LockType::Latch => passing::latches(probes, allowed),
        LockType::ProducerConsumer => {
            let mut all = passing::queues(probes, allowed);
            all.extend(handing::handoffs(probes, allowed));
            all
        }
        LockType::Lock => exclusion::locks(probes, allowed),
        LockType::Condition => {
            let mut all = event::events(probes, allowed);
            all.extend(kinds::rooms(probes, allowed));
            all
        }
        LockType::Semaphore => {
            let mut all = exclusion::semaphores(probes, allowed);
            all.extend(passing::semaphores(probes, allowed));
            all
        }
        _ => Vec::new(),
    }
}

/// Each operation of the candidate already has its role in the finding.
fn contains(found: &Finding, candidate: &Candidate) -> bool {
    candidate.cast.iter().all(|(role, members)| {
        let there = |op: usize| {
            let mut same = found.cast.get(role).into_iter().flatten();
            same.any(|m| m.operation == op)
        };
        members.iter().all(|m| there(m.operation))
    })
}
