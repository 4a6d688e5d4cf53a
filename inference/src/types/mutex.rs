//! MUTEX and NOT-SHARED: regions where nobody waits and nobody notifies.

use super::case::{Candidate, Case, Cast};
use super::log::Log;
use super::{LockType, Role};
use std::collections::BTreeSet;

/// What certainty about waits and notifies is worth.
const TOLD: f64 = 3.0;

/// Proposes what is left when nobody waits in it.
pub(super) fn propose(case: &Case) -> Option<Candidate> {
    let seen: BTreeSet<usize> = (0..case.regions.len()).filter(|&r| case.seen(r)).collect();
    if seen.is_empty() || case.log.waits() > 0 || case.unseen.waits {
        return None;
    }
    let shared = case.may_be_shared || shared(&case.log);
    let lock_type = if shared {
        LockType::Mutex
    } else {
        LockType::NotShared
    };
    let mut candidate = Candidate::new(lock_type, Cast::from([(Role::Enter, seen)]));
    let odds = match shared {
        true => plausibility(case),
        // One thread alone can neither be kept out nor be woken, whatever the code may do.
        false => long(case) + TOLD,
    };
    if case.exact.stays() > 0 {
        candidate.exact.llr = odds;
    } else {
        candidate.watched.log_odds = odds;
    }
    let threads = case
        .log
        .usage
        .iter()
        .flat_map(|u| u.threads.keys())
        .collect::<BTreeSet<_>>();
    candidate.pro.push(format!(
        "{} stays by {} threads without a wait",
        case.log.stays(),
        threads.len()
    ));
    Some(candidate)
}

/// Some object was used by two threads. Of an object that is only watched, contention is all
/// that is seen, and it takes two.
fn shared(log: &Log) -> bool {
    log.instances.iter().any(|i| {
        let mut threads = i.stays().map(|s| s.thread);
        let first = threads.next();
        !i.complete && first.is_some() || threads.any(|t| Some(t) != first)
    })
}

/// The more stays, the better.
fn long(case: &Case) -> f64 {
    (1.0 + f64::from(case.log.stays())).ln().min(5.0) * 0.8
}

/// The more stays without a wait or a notify, the better; certain only if the code says so.
fn plausibility(case: &Case) -> f64 {
    let stays = f64::from(case.log.stays());
    let notifies: u32 = case.log.usage.iter().map(|u| u.notifies).sum();
    let seen = (0..case.regions.len()).filter(|&r| case.seen(r));
    let innocent =
        |r: usize| case.facts[r].may_wait == Some(false) && case.can_notify(r) == Some(false);
    let told = if seen.clone().all(innocent) {
        TOLD
    } else if seen
        .clone()
        .any(|r| case.can_wait(r) || case.can_notify(r) == Some(true))
    {
        -TOLD
    } else {
        0.0
    };
    let notified = if f64::from(notifies) > 0.02 * stays {
        -4.0
    } else {
        0.0
    };
    long(case) + told + notified
}
