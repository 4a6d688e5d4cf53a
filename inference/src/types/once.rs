//! What it says that many objects were each of use once: somebody waited, somebody told him, and that was all.
//!
//! What is used by turns (a queue, permits, a lock, a condition) explains this as well as a latch does, only that it would have
//! been used again now and then. So said of objects of which every stay is known; of others: `watched`.

use super::case::{Candidate, Case, Cast, encode};
use super::latch::{self, objects};
use super::odds::is_run;
use super::watched::turns;
use super::{Evidence, LockType, Role};

/// Objects from which on it is no chance that nobody came back to one …
const MANY: u32 = 50;
/// … what that costs, …
const ONCE: f64 = 3.0;
/// … and how much more where the code was not run, or did not go so.
const READ: f64 = 1.5;

/// What speaks against a candidate that would be used again.
pub(super) fn weigh(case: &Case, candidate: &Candidate) -> Option<Evidence> {
    let cast = as_latch(case, candidate)?;
    let roles = encode(&latch::Latch, &cast, case.regions.len());
    let run = latch::run(&case.exact, &roles);
    let never = run.closed_again == 0 && run.score.contradicted == 0;
    if case.is_composite || case.partial.stays() > 0 || run.opened < MANY || !never {
        return None;
    }
    let more = (f64::from(run.opened) / f64::from(MANY)).log10();
    let run_so = candidate.statics.as_ref().is_some_and(is_run);
    let factor = if run_so { 1.0 } else { READ };
    let all = objects(run.opened);
    Some(Evidence {
        log_odds: -(ONCE + more) * factor,
        contradicted: 1,
        contra: vec![format!(
            "{all}, and nobody came back to one after what he waited for"
        )],
        ..Evidence::default()
    })
}

/// Who waits in its roles, and who then ends that.
fn as_latch(case: &Case, candidate: &Candidate) -> Option<Cast> {
    let [one, other] = match candidate.lock_type {
        LockType::Condition => [Role::Wait, Role::Notify],
        by_turns => turns(by_turns)?,
    };
    let of = |role| candidate.cast.get(&role).cloned().unwrap_or_default();
    let waits = |role| of(role).iter().any(|&r| case.exact.usage[r].waits > 0);
    let (waiting, telling) = match (waits(one), waits(other)) {
        (true, false) => (one, other),
        (false, true) => (other, one),
        _ => return None,
    };
    Some(Cast::from([
        (Role::Await, of(waiting)),
        (Role::CountDown, of(telling)),
    ]))
}
