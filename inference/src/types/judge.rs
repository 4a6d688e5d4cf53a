//! The judgement of one logical lock: types are accepted one after the other, each takes its
//! regions, and the rest goes on.

use super::case::{Candidate, Case, Cast, Seed};
use super::odds::{self, Ranking};
use super::{Detail, Details, LockType, Role, TypeInput, Typing, propose};
use crate::model::{EvidenceReport, Verdict};
use crate::region::RegionId;
use std::collections::{BTreeMap, BTreeSet};

/// Types one lock may have.
const ROUNDS: usize = 4;
/// Evidence that the first type needs.
const FIRST: f64 = 1.0;
/// Evidence that a second type needs.
const SECOND: f64 = 4.0;
/// The same where the code was run and went as that type.
const SECOND_RUN: f64 = 2.0;
/// So many waits that no other type accounts for are a use of the lock.
const SECOND_WAITS: u32 = 20;
/// Share of all waits that may be left over …
const UNEXPLAINED: f64 = 0.25;
/// … or else there is no more confidence than this in a type that lets in one, or so many.
const PARTIAL: f64 = 0.85;
/// Share of all stays that makes plain regions beside another type a second use of the lock. Less
/// is an observer: `size()`, `toString()`.
const MUTEX_SHARE: f64 = 0.1;

/// Judges one logical lock.
#[must_use]
pub fn judge(input: &TypeInput) -> Typing {
    let input = TypeInput {
        histories: if input.options.dynamic_model {
            input.histories
        } else {
            &[]
        },
        seeds: if input.options.static_model {
            input.seeds
        } else {
            &[]
        },
        ..*input
    };
    let mut case = Case::new(&input);
    let (all_stays, all_waits) = (case.log.stays(), case.log.waits());
    let waited_in: BTreeSet<RegionId> = (0..case.regions.len())
        .filter(|&r| case.usage(r).waits > 0)
        .map(|r| case.regions[r])
        .collect();
    let mut typing = Typing::default();
    for _ in 0..ROUNDS {
        let ranking = odds::rank(&case, propose::candidates(&case));
        let Some(next) = accept(&case, ranking, all_stays, &mut typing) else {
            break;
        };
        case = next;
        if input.is_composite {
            break;
        }
        if case.log.stays() == 0 && !odds::says_more(&case) {
            break;
        }
    }
    if !input.is_composite {
        hedge(&mut typing, (case.log.waits(), all_waits));
    }
    complete(&input, &mut typing);
    used_first(&mut typing, &waited_in);
    typing
}

/// A use that was only read off the code comes after one that threads waited in.
fn used_first(typing: &mut Typing, waited_in: &BTreeSet<RegionId>) {
    let waits = |v: &Verdict| {
        v.roles
            .values()
            .any(|regions| !regions.is_disjoint(waited_in))
    };
    if typing.types.iter().any(waits) {
        let only_read = |v: &Verdict| v.lock_type != LockType::Mutex && !waits(v);
        typing.types.sort_by_key(only_read);
    }
}

/// What lets one in, or so many, is often a part of something larger (the one who may upgrade among readers): who is
/// sure of it must say what everybody waits for.
fn hedge(typing: &mut Typing, (unexplained, all): (u32, u32)) {
    let partial = f64::from(unexplained) > UNEXPLAINED * f64::from(all);
    let excludes = |verdict: &&mut Verdict| {
        matches!(verdict.lock_type, LockType::Lock | LockType::Semaphore)
            && verdict.confidence > PARTIAL
    };
    for verdict in typing.types.iter_mut().filter(excludes).filter(|_| partial) {
        verdict.confidence = PARTIAL;
        let text = "others wait there for what no type tells".to_owned();
        verdict.evidence.contra.push(text);
    }
}

/// A lock that is a condition without a form and nothing else: whoever can wait there waits for it, and whoever can
/// notify tells of it.
fn complete(input: &TypeInput, typing: &mut Typing) {
    let [only] = typing.types.as_mut_slice() else {
        return;
    };
    let is_plain = only.lock_type == LockType::Condition && !only.details.contains_key("form");
    if !is_plain || input.is_composite {
        return;
    }
    for (&id, facts) in input.regions {
        if facts.may_wait == Some(true) {
            only.roles.entry(Role::Wait).or_default().insert(id);
        }
        if facts.may_notify == Some(true) || facts.may_notify_all == Some(true) {
            only.roles.entry(Role::Notify).or_default().insert(id);
        }
    }
}

/// Takes the best candidate in; what is left, if it was accepted.
fn accept(case: &Case, ranking: Ranking, all_stays: u32, typing: &mut Typing) -> Option<Case> {
    let first = typing.types.is_empty();
    let known = ranking.top > FIRST && !ranking.ranked.is_empty();
    if first && !known {
        typing.types.push(unknown());
        typing.runners_up = verdicts(case, &ranking.ranked);
        return None;
    }
    let best = &ranking.ranked.first()?.0;
    let chosen = match first || second_use(case, best, ranking.top, all_stays, typing) {
        true => 0,
        false => left_over(case, &ranking)?,
    };
    contradictions(case, &ranking, chosen, typing);
    let mut verdicts = verdicts(case, &ranking.ranked);
    let taken = case.taken_by(&ranking.ranked[chosen].0);
    typing.types.push(verdicts.remove(chosen));
    if first {
        typing.runners_up = verdicts;
    }
    Some(case.without(&taken))
}

/// Whether what is left is a use of its own, and not only bystanders of the first.
fn second_use(case: &Case, best: &Candidate, top: f64, all_stays: u32, typing: &Typing) -> bool {
    match best.lock_type {
        LockType::Mutex => second_mutex(case, best, all_stays, typing),
        LockType::NotShared | LockType::Unknown => false,
        _ if best.statics.as_ref().is_some_and(odds::is_run) => {
            top > SECOND_RUN && case.log.waits() > 0
        }
        _ => top > SECOND && case.log.waits() > 0,
    }
}

/// Where every stay is known, who still waits does so for something that the first type is not about. If no type is
/// believed to say for what, it is a condition: that is any wait which is left over.
fn left_over(case: &Case, ranking: &Ranking) -> Option<usize> {
    let mut ranked = ranking.ranked.iter();
    let at = ranked.position(|(c, _)| c.lock_type == LockType::Condition)?;
    let condition = &ranking.ranked[at].0;
    let notified = condition.cast.contains_key(&Role::Notify);
    let known = case.exact.waits() >= SECOND_WAITS && notified;
    (known && odds::total(case, condition) > FIRST).then_some(at)
}

/// Plain regions are a second use if the bytecode says so; without it, if they are busy.
fn second_mutex(case: &Case, best: &Candidate, all_stays: u32, typing: &Typing) -> bool {
    // Beside a nap, others may be seen than those of which the code says so: who only looks.
    let regions = best.regions();
    let said =
        |seed: &Seed| seed.lock_type == LockType::Mutex && seed.regions().is_subset(&regions);
    let naps = typing.types.iter().all(|v| v.lock_type == LockType::Delay);
    if best.statics.is_some() || naps && case.seeds.iter().any(said) {
        return true;
    }
    // Whose code is known and was not found to be about something else looks at what the other type is about.
    let known = |&r: &usize| case.facts[r].may_wait.is_some();
    let read = typing
        .types
        .iter()
        .any(|v| v.evidence.static_log_odds > 0.0);
    if read && best.regions().iter().all(known) {
        return false;
    }
    // What changes the state that a condition is about can't be told from something unrelated.
    if typing
        .types
        .iter()
        .any(|v| v.lock_type == LockType::Condition)
    {
        return false;
    }
    let quiet = |r: &usize| case.usage(*r).notifies * 20 <= case.usage(*r).stays;
    let stays: u32 = best
        .regions()
        .iter()
        .filter(|r| quiet(r))
        .map(|&r| case.usage(r).stays)
        .sum();
    case.exact.stays() > 0 && f64::from(stays) >= MUTEX_SHARE * f64::from(all_stays)
}

/// Nothing is said, and so nobody is sure of it.
fn unknown() -> Verdict {
    Verdict {
        lock_type: LockType::Unknown,
        confidence: 0.0,
        details: Details::new(),
        roles: BTreeMap::new(),
        evidence: EvidenceReport::default(),
    }
}

fn verdicts(case: &Case, ranked: &[(Candidate, f64)]) -> Vec<Verdict> {
    ranked
        .iter()
        .map(|(candidate, p)| verdict(case, candidate, *p))
        .collect()
}

fn verdict(case: &Case, candidate: &Candidate, confidence: f64) -> Verdict {
    let region = |&r: &usize| -> RegionId { case.regions[r] };
    let turned = puts_what_it_takes(case, candidate);
    let side = |role| match role {
        Role::Put if turned => Role::Take,
        Role::Take if turned => Role::Put,
        other => other,
    };
    let roles = candidate.cast.iter().filter(|(_, set)| !set.is_empty());
    let roles = roles.map(|(&role, set)| (side(role), set.iter().map(region).collect()));
    let verdict = Verdict {
        lock_type: candidate.lock_type,
        confidence,
        details: named(candidate),
        roles: roles.collect(),
        evidence: report(candidate),
    };
    // Of several locks in one monitor each is given back by its own holder.
    let is_one = !verdict.details.contains_key("form");
    match candidate.given_back_by_others && is_one {
        true => as_permit(verdict),
        false => verdict,
    }
}

/// Steps alone do not tell a queue from the room in it. Where the code reads like a queue, if of other steps, it says who puts
/// something in.
fn puts_what_it_takes(case: &Case, candidate: &Candidate) -> bool {
    let none = BTreeSet::new();
    let sides =
        |cast: &Cast| [Role::Put, Role::Take].map(|r| cast.get(&r).unwrap_or(&none).clone());
    let queues = case.seeds.iter();
    let queues = queues.filter(|s| s.lock_type == LockType::ProducerConsumer);
    let by_odds = |a: &&Seed, b: &&Seed| a.evidence.log_odds.total_cmp(&b.evidence.log_odds);
    let Some(said) = queues.max_by(by_odds) else {
        return false;
    };
    let ([puts, takes], [said_puts, said_takes]) = (sides(&candidate.cast), sides(&said.cast));
    let is_queue = candidate.lock_type == LockType::ProducerConsumer;
    let crosses = !puts.is_disjoint(&said_takes) || !takes.is_disjoint(&said_puts);
    let agrees = !puts.is_disjoint(&said_puts) || !takes.is_disjoint(&said_takes);
    is_queue && candidate.statics.is_none() && crosses && !agrees
}

/// What one takes and another may give back is a permit, and no lock, whatever its code looks like.
fn as_permit(lock: Verdict) -> Verdict {
    let role = |role| match role {
        Role::Lock => Role::Acquire,
        Role::Unlock => Role::Release,
        other => other,
    };
    let roles = lock.roles.into_iter();
    Verdict {
        lock_type: LockType::Semaphore,
        details: Details::from([("permits", Detail::Count(1))]),
        roles: roles.map(|(old, regions)| (role(old), regions)).collect(),
        ..lock
    }
}

/// The details, with the name that a queue for one thing has. That nobody has put a permit in when it is made is no number of those
/// that there are.
fn named(candidate: &Candidate) -> Details {
    let mut details = candidate.details.clone();
    if details.get("permits") == Some(&Detail::Count(0)) {
        details.remove("permits");
    }
    let of_one = details.get("capacity") == Some(&Detail::Count(1));
    if candidate.lock_type == LockType::ProducerConsumer && of_one {
        details
            .entry("form")
            .or_insert_with(|| Detail::Word("mailbox".to_owned()));
    }
    details
}

fn report(candidate: &Candidate) -> EvidenceReport {
    let statics = candidate.statics.clone().unwrap_or_default();
    let exact = &candidate.exact;
    let mut pro = candidate.pro.clone();
    if exact.confirmed > 0 {
        let all = exact.confirmed + exact.contradicted;
        pro.push(format!(
            "{} of {all} predicted steps came true",
            exact.confirmed
        ));
    }
    pro.extend(candidate.watched.pro.iter().cloned());
    pro.extend(statics.pro);
    let mut contra = candidate.contra.clone();
    if exact.failed() > odds::DOUBTFUL {
        let all = exact.confirmed + exact.contradicted;
        let failed = exact.contradicted;
        contra.push(format!(
            "{failed} of {all} predicted steps did not come true"
        ));
    }
    contra.extend(candidate.watched.contra.iter().cloned());
    contra.extend(statics.contra);
    EvidenceReport {
        static_log_odds: statics.log_odds,
        dynamic_log_odds: candidate.dynamic(),
        confirmed: u64::from(exact.confirmed) + candidate.watched.confirmed + statics.confirmed,
        contradicted: u64::from(exact.contradicted)
            + candidate.watched.contradicted
            + statics.contradicted,
        pro,
        contra,
    }
}

fn contradictions(case: &Case, ranking: &Ranking, chosen: usize, typing: &mut Typing) {
    let best = &ranking.ranked[chosen].0;
    if let Some(other) = odds::contradicts(case, best) {
        typing.contradictions.push(format!(
            "the bytecode looks like {other}, the events like {}",
            best.lock_type
        ));
    }
    for (candidate, _) in ranking.ranked.iter().filter(|(c, _)| c.statics.is_some()) {
        let evidence = &candidate.watched;
        if candidate.static_odds() >= 2.0 && !evidence.contra.is_empty() {
            typing.contradictions.push(format!(
                "the bytecode looks like {}, but: {}",
                candidate.lock_type,
                evidence.contra.join("; ")
            ));
        }
    }
}
