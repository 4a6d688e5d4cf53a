//! Roles in which those were never seen who should have been there, if the type were right.

use super::case::{Candidate, Case, is_event};
use super::watched::{contra, stays, threads, turns};
use super::{Detail, Evidence, Role};
use std::collections::BTreeSet;

/// Waits in one role that somebody in the other must have ended, and stays of others who can end them, from which on it is no chance
/// that nobody was ever seen in the other …
const WAITED: u32 = 50;
const SEEN: u32 = 10;
/// … what that costs, …
const NOBODY: f64 = -6.0;
/// … and as how many fewer of them count: those who hardly ever block are hardly ever seen.
const FEW: u32 = 3;

/// Those who wait in one role would be waiting for somebody whom nobody ever saw, while others come and can end their waits. Who may wait
/// himself may do in another way what nobody was seen to do.
pub(super) fn nobody_there(case: &Case, candidate: &Candidate, out: &mut Evidence) {
    let Some([one, other]) = turns(candidate.lock_type) else {
        return;
    };
    let of = |role: Role| candidate.cast.get(&role).into_iter().flatten().copied();
    let waits = |role| of(role).map(|r| case.usage(r).waits).sum::<u32>() >= WAITED;
    let nobody = |role| of(role).count() > 0 && of(role).all(|r| !case.seen(r));
    let missing = waits(one) && nobody(other) || waits(other) && nobody(one);
    let own = candidate.regions();
    let ends =
        |r: &usize| !own.contains(r) && !case.can_wait(*r) && case.free_to_notify(*r) == Some(true);
    let others = (0..case.regions.len()).filter(ends);
    let others: u32 = others.map(|r| case.usage(r).stays).sum();
    if missing && others > 0 {
        let text = "nobody was ever seen in one of its roles, but others who can end its waits";
        let sure = f64::from(others.clamp(FEW, SEEN)) / f64::from(SEEN);
        contra(out, NOBODY * sure, text.to_owned());
    }
}

/// Acquisitions, all of them known, after which it is no chance that nobody who made them ever gave anything back …
const TAKEN: u32 = 100;
/// … and what that costs a pool, from which one takes to bring it back.
const NEVER_BACK: f64 = -3.0;

/// Things of a pool are taken and brought back: where those who take and those who bring are others, all that is brought is new.
pub(super) fn never_back(case: &Case, candidate: &Candidate, out: &mut Evidence) {
    let pool = Detail::Word("object pool".to_owned());
    let is_pool = candidate.details.get("form") == Some(&pool);
    let [takers, givers] =
        [Role::Acquire, Role::Release].map(|role| threads(&case.exact, &candidate.cast, role));
    let taken = stays(&case.exact, &candidate.cast, Role::Acquire);
    if is_pool && taken >= TAKEN && !givers.is_empty() && takers.is_disjoint(&givers) {
        let text = "nobody who takes of it was ever seen to bring anything back".to_owned();
        contra(out, NEVER_BACK, text);
    }
}

/// Many waited for an event that nobody was ever seen to set, and others were there who never waited and can end these waits: they may
/// be waiting for something else besides.
pub(super) fn is_ended_by_others(case: &Case, event: &Candidate) -> bool {
    let of = |role: Role| event.cast.get(&role).into_iter().flatten().copied();
    let waits = of(Role::Wait).map(|r| case.usage(r).waits).sum::<u32>() >= WAITED;
    let nobody = of(Role::Notify).count() > 0 && of(Role::Notify).all(|r| !case.seen(r));
    let sets: BTreeSet<usize> = of(Role::Notify).collect();
    let ends = |&r: &usize| {
        !sets.contains(&r)
            && case.seen(r)
            && !case.waited(r)
            && case.free_to_notify(r) == Some(true)
    };
    is_event(event.lock_type, &event.details)
        && waits
        && nobody
        && (0..case.regions.len()).any(|r| ends(&r))
}
