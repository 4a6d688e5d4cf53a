//! What trials do to the readings of the static model: they bear them out, refute them, fill in
//! what could not be read, and add what nobody had read.

use super::bench::Bench;
use super::conclude::BY_ONE;
use super::verdict::{Opinion, Trials};
use crate::region::RegionId;
use crate::statics::UNEXPLAINED;
use crate::types::{Detail, Details, Evidence, Hypothesis, LockType, Role};
use std::collections::BTreeSet;

/// The readings, best first, with the evidence of the trials.
pub(crate) fn weigh<B: Bench>(
    readings: Vec<(Hypothesis, Evidence)>,
    trials: &Trials<'_, B>,
) -> Vec<(Hypothesis, Evidence)> {
    let ends: Vec<_> = readings.iter().filter_map(end).collect();
    let narrowed: Vec<_> = readings
        .iter()
        .filter_map(|reading| narrowed(reading, trials))
        .collect();
    let weighed = readings.into_iter().map(|(hypothesis, evidence)| {
        let more = ends.iter().find(|e| is_end(e, &hypothesis, &evidence));
        let before = evidence.log_odds;
        let (hypothesis, mut evidence) = reading((hypothesis, evidence), trials);
        if more.is_some() {
            evidence.log_odds = evidence.log_odds.min(before);
        }
        let gained = (evidence.log_odds - before).max(0.0);
        (hypothesis, evidence, gained)
    });
    let mut all: Vec<_> = weighed.collect();
    for found in trials.confirmed() {
        let known = all.iter().any(|(h, ..)| is_same(h, &found.0));
        if !known {
            let (mut whole, mut evidence) = (trials.completed(&found.0), found.1.clone());
            let read = || narrowed.iter().filter(|n| is_same(n.part, &found.0));
            evidence.log_odds += read().map(|n| n.odds).fold(0.0, f64::max);
            read().for_each(|n| take_in_other_limit(&mut whole, &n.wide, trials));
            if evidence.pro.iter().any(|text| text == BY_ONE.1) {
                evidence.log_odds += BY_ONE.0;
            }
            let gained = evidence.log_odds.max(0.0);
            all.push((whole, evidence, gained));
        }
    }
    // Who counts himself in one region of a barrier waits in another.
    let whole = |(found, evidence): &(Hypothesis, Evidence)| {
        let found = match found.lock_type {
            LockType::Barrier => trials.completed(found),
            _ => found.clone(),
        };
        (found, evidence.clone())
    };
    let whole: Vec<_> = trials.confirmed().iter().map(whole).collect();
    let belittled = all.into_iter().map(|(hypothesis, mut evidence, gained)| {
        belittle(&hypothesis, (&mut evidence, gained), &whole);
        (hypothesis, evidence)
    });
    let mut all: Vec<_> = belittled.collect();
    all.sort_by(|a, b| b.1.log_odds.total_cmp(&a.1.log_odds));
    all
}

/// What is left of the odds of a reading that gave some roles to too many regions.
const NARROWED: f64 = 0.5;

/// A reading that does not go as its type where a part of it does.
struct Narrowed<'r> {
    part: &'r Hypothesis,
    wide: Hypothesis,
    /// What the part has of the reading's odds.
    odds: f64,
}

fn narrowed<'t, B: Bench>(
    (hypothesis, evidence): &(Hypothesis, Evidence),
    trials: &'t Trials<'_, B>,
) -> Option<Narrowed<'t>> {
    let is_part = |h: &Hypothesis| {
        h.lock_type == hypothesis.lock_type
            && h.roles.len() == hypothesis.roles.len()
            && h.roles != hypothesis.roles
            && h.roles.iter().all(|(role, regions)| {
                let read = hypothesis.roles.get(role);
                read.is_some_and(|read| regions.is_subset(read))
            })
    };
    let (part, _) = trials.confirmed().iter().find(|(h, _)| is_part(h))?;
    let refuted = matches!(trials.examine(hypothesis), Opinion::Refuted(_));
    refuted.then(|| Narrowed {
        part,
        wide: hypothesis.clone(),
        odds: NARROWED * evidence.log_odds.max(0.0),
    })
}

/// Roles that are kept out at a limit, and what that is called.
const LIMITS: [(LockType, Role, &str); 2] = [
    (LockType::ProducerConsumer, Role::Put, "capacity"),
    (LockType::Semaphore, Role::Acquire, "permits"),
];

/// Some may go on where others wait already: the regions of a reading that each by themselves go as its type, with another limit, are
/// all of it, and the highest limit is the lock's.
fn take_in_other_limit<B: Bench>(part: &mut Hypothesis, wide: &Hypothesis, trials: &Trials<'_, B>) {
    for (lock_type, role, limit) in LIMITS {
        let (Some(own), Some(all)) = (part.roles.get(&role), wide.roles.get(&role)) else {
            continue;
        };
        let rest: BTreeSet<RegionId> = all.difference(own).copied().collect();
        let Some(Detail::Count(lower)) = part.details.get(limit).cloned() else {
            continue;
        };
        if part.lock_type != lock_type || rest.is_empty() {
            continue;
        }
        let mut other = part.clone();
        other.details.remove(limit);
        other.roles.insert(role, rest.clone());
        let Opinion::Confirmed(measured, ..) = trials.examine(&other) else {
            continue;
        };
        if let Some(Detail::Count(higher)) = measured.get(limit) {
            let most = Detail::Count(lower.max(*higher));
            part.details.insert(limit, most);
            part.roles.entry(role).or_default().extend(rest);
        }
    }
}

/// The regions that wait for an end, and the odds of it.
type End = (BTreeSet<RegionId>, f64);

fn end((hypothesis, evidence): &(Hypothesis, Evidence)) -> Option<End> {
    let join = hypothesis.roles.get(&Role::Join)?;
    Some((join.clone(), evidence.log_odds))
}

/// The latch is more likely the end of a thread, which goes alike: that it does speaks for the end.
fn is_end((join, odds): &End, latch: &Hypothesis, evidence: &Evidence) -> bool {
    latch.roles.get(&Role::Await) == Some(join) && *odds > evidence.log_odds
}

/// A reading with less than this is one that the code speaks against, in ways that its operations,
/// called by themselves, need not show: what they have to do with others.
const DOUBTED: f64 = 1.0;

/// What a reading loses that is only a part of what the lock was seen to be: a writer's side alone
/// goes as a lock. That it did when it was run speaks for the whole as well.
const PART: f64 = 5.0;

/// Odds from which what went well in the sandbox explains the regions that wait in it.
const EXPLAINED: f64 = 3.0;
/// The same of a queue of which some things fit in and no more: so many that either side kept to.
const BOUNDED: f64 = 2.0;

fn belittle(
    hypothesis: &Hypothesis,
    (evidence, gained): (&mut Evidence, f64),
    confirmed: &[(Hypothesis, Evidence)],
) {
    let waiting = hypothesis.waiting();
    let is_part = |whole: &Hypothesis| {
        let more = whole.waiting();
        // A writer who takes every permit is more than a semaphore tells, and so is who is kept out though permits are left.
        let room = whole.lock_type == LockType::Condition && !whole.details.contains_key("form");
        let tells_more = (whole.lock_type == LockType::ReadWrite || room) && more == waiting;
        whole.lock_type != hypothesis.lock_type
            && (more.len() > waiting.len() || tells_more)
            && !waiting.is_empty()
            && waiting.is_subset(&more)
    };
    // A semaphore keeps out who has its permit already: one that lets him in knows its holder.
    let is_held = |whole: &Hypothesis| {
        whole.details.get("reentrant") == Some(&Detail::Flag(true))
            && hypothesis.lock_type == LockType::Semaphore
            && whole.lock_type == LockType::Lock
            && whole.waiting() == waiting
    };
    let told = |whole: &Hypothesis| match () {
        () if is_part(whole) => {
            let kind = whole.lock_type.name();
            Some(format!(
                "it is a part of what went as a {kind} in the sandbox"
            ))
        }
        () if is_held(whole) => Some("in the sandbox its holder takes it again".to_owned()),
        () => None,
    };
    let enough = |whole: &Hypothesis| {
        let bound = matches!(whole.details.get("capacity"), Some(Detail::Count(2..)));
        match bound && whole.lock_type == LockType::ProducerConsumer {
            true => BOUNDED,
            false => EXPLAINED,
        }
    };
    let explains = |(whole, of_whole): &(Hypothesis, Evidence)| {
        whole.lock_type != LockType::Condition
            && of_whole.log_odds >= enough(whole)
            && !waiting.is_disjoint(&whole.waiting())
            // Who waits in one of its roles that never wait does so for something else.
            && waiting.intersection(&whole.regions()).all(|r| whole.waiting().contains(r))
    };
    if hypothesis.lock_type == LockType::Condition && confirmed.iter().any(explains) {
        let before = evidence.pro.len();
        evidence.pro.retain(|text| text != UNEXPLAINED.1);
        if evidence.pro.len() < before {
            evidence.log_odds -= UNEXPLAINED.0;
        }
    }
    let mut told = confirmed
        .iter()
        .filter_map(|of| Some((told(&of.0)?, &of.1)));
    if let Some((text, of_whole)) = told.next() {
        evidence.log_odds -= PART + gained.min(of_whole.log_odds.max(0.0));
        evidence.contradicted += 1;
        evidence.contra.push(text);
    }
}

fn reading<B: Bench>(
    (mut hypothesis, mut evidence): (Hypothesis, Evidence),
    trials: &Trials<'_, B>,
) -> (Hypothesis, Evidence) {
    let opinion = match hypothesis.lock_type {
        LockType::Join => end_as_latch(&hypothesis, trials),
        _ => trials.examine(&hypothesis),
    };
    match opinion {
        Opinion::Confirmed(mut details, mut more, genuine) => {
            let misread = doubt(&hypothesis, &details, &mut evidence, trials);
            let found = || {
                let mut all = trials.confirmed().iter();
                all.any(|c| is_same(&c.0, &hypothesis))
            };
            let whole = (misread || evidence.tangled) && found();
            if evidence.tangled && whole {
                evidence.log_odds = evidence.log_odds.max(0.0);
            }
            leave_open(&hypothesis, &mut details);
            settle(&mut hypothesis.details, details, genuine);
            // What went so as a whole does not rest on what was read of it.
            if evidence.log_odds < DOUBTED && !whole {
                more.log_odds *= 0.5;
                more.borne_out = false;
            }
            add(&mut evidence, more);
            widen(&mut hypothesis, trials.confirmed());
        }
        Opinion::Refuted(less) => add(&mut evidence, less),
        Opinion::Inconclusive => {}
    }
    (hypothesis, evidence)
}

/// Where the code lets in who names the owner, it is not known whether that is the owner: a sandbox in which everybody names
/// himself anew does not show it.
fn leave_open(lock: &Hypothesis, measured: &mut Details) {
    let is_open = lock.lock_type == LockType::Lock && !lock.details.contains_key("reentrant");
    if is_open && measured.get("reentrant") == Some(&Detail::Flag(false)) {
        measured.remove("reentrant");
    }
}

/// A reading may be about a step of the lock only, where the lock as a whole goes as the same type: it counts none of
/// the permits that the lock has, or gives one operation both roles. True: only how many permits there are was misread.
fn doubt<B: Bench>(
    hypothesis: &Hypothesis,
    measured: &Details,
    evidence: &mut Evidence,
    trials: &Trials<'_, B>,
) -> bool {
    let permits = |details: &Details| match details.get("permits") {
        Some(Detail::Count(permits)) => Some(*permits),
        _ => None,
    };
    let counts_other =
        permits(&hypothesis.details) == Some(0) && permits(measured).is_some_and(|n| n > 0);
    let is_clear = |h: &Hypothesis| h.lock_type == hypothesis.lock_type && !trials.is_mixed(h);
    let mixed =
        trials.is_mixed(hypothesis) && trials.confirmed().iter().any(|(found, _)| is_clear(found));
    if counts_other || mixed {
        evidence.log_odds = evidence.log_odds.min(0.0);
        evidence.contradicted += 1;
        let text = "what was read is a step of what the whole does in the sandbox";
        evidence.contra.push(text.to_owned());
    }
    if mixed {
        evidence.log_odds -= PART;
    }
    counts_other && !mixed
}

/// What ends once and for all is awaited like a latch: a sandbox sees no difference, so what it
/// says for the latch it says for the end of a thread as well.
fn end_as_latch<B: Bench>(join: &Hypothesis, trials: &Trials<'_, B>) -> Opinion {
    let joins = join.roles.get(&Role::Join);
    let is_it =
        |h: &Hypothesis| h.lock_type == LockType::Latch && h.roles.get(&Role::Await) == joins;
    let latch = trials.confirmed().iter().find(|(h, _)| is_it(h));
    latch.map_or(Opinion::Inconclusive, |(latch, evidence)| {
        if latch.details.contains_key("form") {
            // Who waits for a value does not wait for an end.
            return Opinion::Inconclusive;
        }
        Opinion::Confirmed(Details::new(), evidence.clone(), false)
    })
}

/// More regions than were read may play the same roles: those that went well in them do.
fn widen(hypothesis: &mut Hypothesis, confirmed: &[(Hypothesis, Evidence)]) {
    let roles = &hypothesis.roles;
    let same = |h: &&Hypothesis| {
        let more = |(role, regions): (&Role, &BTreeSet<RegionId>)| {
            h.roles.get(role).is_some_and(|m| m.is_superset(regions))
        };
        h.lock_type == hypothesis.lock_type
            && h.roles.len() == roles.len()
            && roles.iter().all(more)
    };
    let found = confirmed.iter().map(|(h, _)| h).find(same);
    if let Some(wider) = found {
        let mut details = wider.details.clone();
        leave_open(hypothesis, &mut details);
        hypothesis.roles = wider.roles.clone();
        settle(&mut hypothesis.details, details, false);
    }
}

fn is_same(a: &Hypothesis, b: &Hypothesis) -> bool {
    a.lock_type == b.lock_type && a.roles == b.roles
}

/// How a lock behaves is what was measured; numbers are what the code says where it says them:
/// those measured may come from how the sandbox made the lock, unless it is made as the program
/// makes it, and more came true than was read.
fn settle(read: &mut Details, mut measured: Details, genuine: bool) {
    let has_permits = matches!(read.get("permits"), Some(Detail::Count(1..)));
    if has_permits && measured.get("permits") == Some(&Detail::Count(0)) {
        // Called so that nobody gets in at first: what it then does with what is given is no form of it.
        measured.remove("form");
    }
    if measured.get("form") == Some(&Detail::Word("phaser".to_owned())) {
        read.remove("parties");
    }
    // Who puts was seen to wait for who takes: what lies in a slot or list meanwhile has been taken over already.
    let hands_over = [
        ("capacity", Detail::Count(0)),
        ("form", Detail::Word("rendezvous".to_owned())),
    ];
    if hands_over
        .iter()
        .all(|(key, value)| measured.get(key) == Some(value))
    {
        read.extend(hands_over);
    }
    for (key, value) in measured {
        // Nothing at all is what a number is that the sandbox could not make.
        if value == Detail::Count(0) {
            continue;
        }
        let behaviour = matches!(value, Detail::Flag(_)) || key == "preference";
        let misread = read.get(key).is_some_and(|n| is_misread(key, n));
        // Units of the sandbox are whole calls, so there are never fewer than it counted.
        let more = |n: u64| matches!(read.get(key), Some(Detail::Count(few)) if *few < n);
        let counted = genuine && matches!(value, Detail::Count(n) if more(n));
        // A bound that it kept to is there, whatever the reading of one of its steps has not found.
        let bounded = genuine
            && matches!(value, Detail::Count(_))
            && matches!(read.get(key), Some(Detail::Word(_)));
        if behaviour || misread || counted || bounded {
            read.insert(key, value);
        } else {
            read.entry(key).or_insert(value);
        }
    }
}

/// No lock has such a number: nobody meets alone.
fn is_misread(key: &str, value: &Detail) -> bool {
    let least = if key == "parties" { 2 } else { 1 };
    matches!(value, Detail::Count(n) if *n < least)
}

fn add(evidence: &mut Evidence, more: Evidence) {
    evidence.log_odds += more.log_odds;
    evidence.borne_out |= more.borne_out;
    evidence.refuted |= more.refuted;
    evidence.alone.extend(more.alone);
    evidence.confirmed += more.confirmed;
    evidence.contradicted += more.contradicted;
    // The code may have said so already.
    let new = more
        .pro
        .into_iter()
        .filter(|text| !evidence.pro.contains(text));
    let new: Vec<_> = new.collect();
    evidence.pro.extend(new);
    evidence.contra.extend(more.contra);
}
