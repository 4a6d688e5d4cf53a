//! Which type is taken in first, where it is not the one with the most evidence: what is taken in takes its regions.

use super::LockType;
use super::case::{Candidate, Case, is_event};
use super::odds::{CONVINCING, UNKNOWN, borne_out};
use super::watched::may_wait;
use std::collections::BTreeSet;

/// Candidates, each with all evidence for it.
type Ranked = [(Candidate, f64)];

/// Brings to the front what is to be taken in first. The regions that it competes for.
pub(super) fn first(case: &Case, ranked: &mut Ranked) -> BTreeSet<usize> {
    let plain = seen(case, ranked);
    let waited = most_waited(case, ranked).filter(|_| plain.is_none());
    if let Some(at) = plain.or(waited) {
        ranked[..=at].rotate_right(1);
    }
    let first = ranked.first().map(|r| &r.0);
    // Who waits elsewhere may well be another use of the same lock.
    let wanted = first.map(|first| match waited {
        Some(_) => waiting(first),
        None => first.regions(),
    });
    wanted.unwrap_or_default()
}

/// Where nobody waits, what all were seen in who came is what the lock is for, and not what nobody did.
fn seen(case: &Case, ranked: &Ranked) -> Option<usize> {
    let (first, _) = ranked.first()?;
    if case.log.waits() > 0 || !is_hearsay(case, first) {
        return None;
    }
    let quiet = |&r: &usize| case.facts[r].may_wait == Some(false);
    ranked.iter().position(|(c, odds)| {
        let regions = c.regions();
        c.lock_type == LockType::Mutex
            && *odds > UNKNOWN
            && regions.iter().all(quiet)
            && regions.iter().any(|&r| came(case, r))
    })
}

/// Somebody was seen in a region, or blocked before it.
fn came(case: &Case, region: usize) -> bool {
    case.seen(region) || case.facts[region].seen
}

/// Share of the regions that can wait of which a type must tell.
const TOLD: f64 = 0.5;

/// Nobody was ever seen in any of its regions, but in others, and it was not run, or tells of the fewest of those who can wait.
pub(super) fn is_hearsay(case: &Case, candidate: &Candidate) -> bool {
    let own = candidate.regions();
    let all = || 0..case.regions.len();
    let waiting: BTreeSet<usize> = all().filter(|&r| case.can_wait(r)).collect();
    let told = waiting.intersection(&own).count() as f64;
    let few = told < TOLD * waiting.len() as f64;
    let unseen = all().any(|r| came(case, r)) && !own.iter().any(|&r| came(case, r));
    unseen && (few || !borne_out(candidate))
}

/// So many times the waits of the likeliest type are what the lock is for, …
const FAR_MORE: u32 = 5;
/// … where that is hardly less likely.
const HARDLY_LESS: f64 = 2.5;

/// Of two that wait in different regions and claim the same one to end their waits, the one in which far more was waited. Whoever ends
/// them may wait himself, for something that is seldom so: an event.
fn most_waited(case: &Case, ranked: &Ranked) -> Option<usize> {
    let (first, most) = ranked.first()?;
    let own = waiting(first);
    let waits = |regions: &BTreeSet<usize>| regions.iter().map(|&r| case.usage(r).waits).sum();
    let few: u32 = waits(&own);
    let is_use =
        |c: &Candidate| c.lock_type != LockType::Condition && c.static_odds() >= CONVINCING;
    let event = is_event(first.lock_type, &first.details) && first.static_odds() >= CONVINCING;
    if few == 0 || !is_use(first) && !event {
        return None;
    }
    ranked.iter().position(|(c, odds)| {
        let others = waiting(c);
        let shares = !c.regions().is_disjoint(&first.regions());
        let far_more = waits(&others) >= few.saturating_mul(FAR_MORE);
        *odds >= most - HARDLY_LESS && is_use(c) && shares && far_more && others.is_disjoint(&own)
    })
}

/// The regions that wait in its roles.
fn waiting(candidate: &Candidate) -> BTreeSet<usize> {
    let roles = candidate.cast.iter().filter(|(role, _)| may_wait(**role));
    roles
        .flat_map(|(_, regions)| regions.iter().copied())
        .collect()
}
