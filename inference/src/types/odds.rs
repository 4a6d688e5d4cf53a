//! From evidence to confidence.
//!
//! Log-odds of bytecode and events add up; a softmax over the types that compete for the same
//! regions, UNKNOWN among them, gives the posterior. It is tempered, because steps of one history
//! are not independent, and capped where the evidence is thin or the sources disagree.

use super::case::{Candidate, Case, Seed};
use super::{Detail, Evidence, LockType, Role, absent, best, delay, order, watched};
use std::collections::BTreeSet;

/// What UNKNOWN starts with: less evidence than this is no verdict.
pub(super) const UNKNOWN: f64 = 1.0;
/// Steps of one history are dependent: their odds are divided by this before they count.
pub(super) const TEMPERATURE: f64 = 1.5;
/// The bytecode may be misread: it never counts for more than this.
const STATIC_MOST: f64 = 8.0;

/// Where the code speaks, the steps of histories say no more than this for a type …
const STEPS_MOST: f64 = 4.0;
/// … and against one whose predictions came true all the same no more than this.
pub(super) const STEPS_LEAST: f64 = -2.0;

/// A barrier that lets go who is not complete is none, whatever its code did with the parties it was run with, and neither is a latch
/// that shuts again and again: there is nothing else to them that the machine could be too simple for.
const BROKEN: f64 = -6.5;
/// Times that a latch was shut again from which on it is no chance, and share of all that it predicts.
const SHUT: u32 = 20;
const SHUT_PART: f64 = 0.01;

/// Predictions after which a machine that never failed is believed where the code says little.
pub(super) const PERFECT: u32 = 100;

/// Bytecode says what it says with conviction …
const SAID: f64 = 2.0;
/// … and leaves hardly a doubt. (Watching alone can rarely refute it.)
pub(super) const CONVINCING: f64 = 3.0;

/// Share of failed predictions from which on no amount of right ones convinces.
pub(super) const DOUBTFUL: f64 = 0.05;

/// The most confidence in a machine of which the code says nothing: what differs in nothing but what it is for (a turn
/// and a lock, a queue of one and a permit) makes the same events. Measured on programs: docs/accuracy.md.
const EVENTS_ALONE: f64 = 0.88;

/// The most confidence in a mutex that the code speaks against, and in an event that nobody was seen to set.
const DISPUTED: f64 = 0.6;

/// The most confidence in what the code did not go as when it was run. It may have been run as nobody runs it: with two who
/// wait where one is notified.
const REFUTED: f64 = 0.75;

/// The most confidence in a small part of the code in which nobody was seen.
const HEARSAY: f64 = 0.5;

/// The most confidence in a delay at which something is looked for, and in a latch at which all waits run out.
const POLLED: f64 = 0.85;

/// A machine that predicts less than this share of what it is about may be anything.
const COVERED: f64 = 0.4;

/// How sure of a type before any evidence, in log-odds.
fn prior(case: &Case, candidate: &Candidate) -> f64 {
    match candidate.lock_type {
        LockType::ProducerConsumer => 0.5,
        LockType::Latch => 0.3,
        LockType::Join if case.is_thread => 1.5,
        LockType::Join if candidate.statics.is_none() => -1.0,
        _ => 0.0,
    }
}

/// All evidence for a candidate, in log-odds.
pub(super) fn total(case: &Case, candidate: &Candidate) -> f64 {
    let statics = candidate.static_odds().clamp(-STATIC_MOST, STATIC_MOST);
    prior(case, candidate) + statics + candidate.watched.log_odds + steps(case, candidate)
}

/// What complete histories say. Machines that all explain a history differ in how tightly they predict it,
/// step for step, so the more steps the more one of them seems to win. Where the code has been understood,
/// that is no reason to doubt it: only steps that went otherwise are. What the code did when it was run, it does; if
/// a machine then fails, it is too simple.
pub(super) fn steps(case: &Case, candidate: &Candidate) -> f64 {
    let steps = candidate.exact.llr / TEMPERATURE;
    if candidate.lock_type == LockType::Delay && never_slept(case, candidate) {
        return steps;
    }
    if is_a_lock(case, candidate) {
        return steps.min(STEPS_LEAST);
    }
    if shuts_again(candidate) {
        return steps.min(BROKEN);
    }
    let code = candidate.statics.as_ref();
    if code.is_some_and(|code| code.by_amount && code.log_odds >= CONVINCING) {
        return steps.clamp(0.0, STEPS_MOST);
    }
    // With nothing in the code for it either, steps are no proof.
    if is_refuted(candidate) && candidate.static_odds() < SAID {
        return steps.min(STEPS_MOST / 2.0);
    }
    if !is_told(case, candidate) {
        return steps;
    }
    let doubtful = candidate.exact.failed() > DOUBTFUL;
    let sure = candidate.static_odds() >= CONVINCING && borne_out(candidate);
    // That something is awaited predicts little. Where the code says so with conviction, it need not.
    let said = candidate.lock_type == LockType::Condition && candidate.static_odds() >= CONVINCING;
    let covered = || coverage(case, candidate) >= COVERED && !is_other(case, candidate);
    let thin = doubtful || !said && !covered();
    let broken = doubtful && candidate.lock_type == LockType::Barrier;
    match (sure, thin, doubtful) {
        (true, _, _) if broken => steps.clamp(BROKEN, STEPS_MOST),
        (true, _, _) | (_, false, _) => steps.clamp(STEPS_LEAST, STEPS_MOST),
        (_, _, false) => steps.clamp(STEPS_LEAST, STEPS_MOST / 2.0),
        (_, _, true) => steps.min(STEPS_MOST / 2.0),
    }
}

/// One permit goes as a lock does, or a part of it, step for step, but asks less: not who gives it back, nor who goes first. Where the
/// code says rather that it is a lock, and goes as one, that steps are as they should be for a permit is no reason to doubt it.
fn is_a_lock(case: &Case, candidate: &Candidate) -> bool {
    let one = candidate.details.get("permits") == Some(&Detail::Count(1));
    let regions = candidate.regions();
    let said = |seed: &&Seed| {
        seed.lock_type == LockType::Lock
            && is_run(&seed.evidence)
            && seed.evidence.log_odds > candidate.static_odds()
            && regions.is_subset(&seed.regions())
    };
    let is_permit = one && candidate.lock_type == LockType::Semaphore;
    is_permit && case.exact.stays() > 0 && case.seeds.iter().any(|s| said(&s))
}

/// Who waits for it has waited again after its opening, more often than a chance explains: that whoever comes passes most of the time
/// is no sign of a latch then.
fn shuts_again(candidate: &Candidate) -> bool {
    let exact = &candidate.exact;
    candidate.lock_type == LockType::Latch
        && exact.contradicted >= SHUT
        && exact.failed() > SHUT_PART
}

/// The code of some of these regions was run and is something else.
fn is_other(case: &Case, candidate: &Candidate) -> bool {
    !borne_out(candidate) && runs_as_other(case, candidate)
}

/// The code of some of these regions was run and went as another type.
fn runs_as_other(case: &Case, candidate: &Candidate) -> bool {
    let regions = candidate.regions();
    let shares = |set: &BTreeSet<usize>| !set.is_disjoint(&regions);
    let mut run = case.seeds.iter().filter(|s| is_run(&s.evidence));
    run.any(|s| s.lock_type != candidate.lock_type && s.cast.values().any(shares))
}

/// The code says with conviction what some of these regions do. That they wait until something changes
/// is all it says where it is not followed: a machine that never fails says more.
fn is_told(case: &Case, candidate: &Candidate) -> bool {
    let regions = candidate.regions();
    let shares = |set: &BTreeSet<usize>| !set.is_disjoint(&regions);
    let exact = &candidate.exact;
    let perfect = exact.confirmed >= PERFECT
        && exact.contradicted == 0
        && candidate.lock_type != LockType::Condition
        && coverage(case, candidate) >= COVERED;
    let said = |s: &Seed| match s.lock_type {
        LockType::Condition if s.evidence.log_odds < CONVINCING => {
            is_said(s) && (!perfect || s.evidence.understood)
        }
        _ => s.evidence.log_odds >= CONVINCING,
    };
    let mut seeds = case.seeds.iter();
    seeds.any(|s| said(s) && s.cast.values().any(shares))
}

/// The most confidence in what the steps alone would not say.
const OUTVOTED: f64 = 0.85;

/// The type that the steps say, whatever the code does.
fn loudest<'r>(rivals: impl Iterator<Item = &'r (Candidate, f64)>) -> Option<LockType> {
    let loud = rivals.filter(|(c, _)| c.exact.llr > 0.0 && c.exact.failed() <= DOUBTFUL);
    let loud = loud.max_by(|a, b| a.0.exact.llr.total_cmp(&b.0.exact.llr));
    loud.map(|(candidate, _)| candidate.lock_type)
}

/// A round's result.
pub(super) struct Ranking {
    /// The best candidate of every type, best first, with its posterior.
    pub(super) ranked: Vec<(Candidate, f64)>,
    /// All evidence for the best.
    pub(super) top: f64,
}

/// Ranks the candidates; only those that want regions of the best compete with it.
pub(super) fn rank(case: &Case, candidates: Vec<Candidate>) -> Ranking {
    let mut ranked = best::of_each_type(case, candidates);
    let wanted = order::first(case, &mut ranked);
    let top = ranked.first().map_or(f64::NEG_INFINITY, |r| r.1);
    let competes = |c: &Candidate| !c.regions().is_disjoint(&wanted);
    let weight = |odds: f64| (odds - top.max(UNKNOWN)).exp();
    let rivals = ranked.iter().filter(|r| competes(&r.0));
    let sum = rivals.map(|r| weight(r.1)).sum::<f64>() + weight(UNKNOWN);
    let loudest = loudest(ranked.iter().filter(|r| competes(&r.0)));
    let posterior = |(candidate, odds): (Candidate, f64)| {
        let outvoted = loudest.is_some_and(|loudest| loudest != candidate.lock_type);
        let most = cap(case, &candidate).min(if outvoted { OUTVOTED } else { 1.0 });
        let p = (weight(odds) / sum).min(most);
        (candidate, p)
    };
    let ranked = ranked.into_iter().map(posterior).collect();
    Ranking { ranked, top }
}

/// The most confidence the kind and amount of evidence allow.
fn cap(case: &Case, candidate: &Candidate) -> f64 {
    let by_events = by_events(case, candidate);
    let by_code = by_code(case, candidate);
    let most = by_events.max(by_code);
    if is_disputed(case, candidate) {
        return most.min(DISPUTED);
    }
    if absent::is_ended_by_others(case, candidate) {
        return most.min(DISPUTED);
    }
    if is_refuted(candidate) || is_part(candidate) {
        return most.min(REFUTED);
    }
    if polls(case, candidate) || pauses(case, candidate) {
        return most.min(POLLED);
    }
    if contradicts(case, candidate).is_some() {
        most.min(0.75)
    } else {
        most
    }
}

/// The code says that nobody waits there, and why that need not be all; or what it is a step of was run, and goes as a
/// lock of several monitors.
fn is_disputed(case: &Case, candidate: &Candidate) -> bool {
    let against = |e: &Evidence| e.contradicted > 0;
    candidate.lock_type == LockType::Mutex
        && (candidate.statics.as_ref().is_some_and(against) || runs_as_other(case, candidate))
}

/// The code was run and did not go as this type.
fn is_refuted(candidate: &Candidate) -> bool {
    let code = candidate.statics.as_ref();
    code.is_some_and(|code| code.refuted && !code.borne_out)
}

/// Who is let in alone also waits for what others do who have no part in that: writers for their turn and then
/// for those who read.
fn is_part(candidate: &Candidate) -> bool {
    let one = candidate.details.get("permits") == Some(&Detail::Count(1));
    let excludes = match candidate.lock_type {
        LockType::Lock => true,
        LockType::Semaphore => one,
        _ => false,
    };
    let code = candidate.statics.as_ref();
    excludes && code.is_some_and(|code| code.beside)
}

/// Each wait runs out, and then the code looks whether what others change has come: a delay to whoever watches, and
/// perhaps a queue, a lock or a latch to whoever wrote it. So may be a pause that somebody can cut short.
fn polls(case: &Case, candidate: &Candidate) -> bool {
    let against = |e: &Evidence| e.contradicted > 0;
    let notified = || (0..case.regions.len()).any(|r| case.can_notify(r) == Some(true));
    candidate.lock_type == LockType::Delay
        && candidate
            .statics
            .as_ref()
            .is_some_and(|e| against(e) || notified())
}

/// What is waited for hardly ever comes, or less often than the limit of the waits: a latch, an end or an event to whoever
/// reads the code, and perhaps a pause that can be called off.
fn pauses(case: &Case, candidate: &Candidate) -> bool {
    let role = match candidate.lock_type {
        LockType::Latch => Role::Await,
        LockType::Join => Role::Join,
        LockType::Condition if candidate.details.contains_key("form") => Role::Wait,
        _ => return false,
    };
    let waits = || candidate.cast.get(&role).into_iter().flatten().copied();
    delay::mostly_runs_out(&case.log, waits()) || delay::rather_runs_out(&case.log, waits())
}

/// Grows with the predictions that came true on complete histories.
fn by_events(case: &Case, candidate: &Candidate) -> f64 {
    let exclusive = matches!(candidate.lock_type, LockType::Mutex | LockType::NotShared);
    let steps = match exclusive {
        true if !innocent(case, candidate) => return 0.85,
        true if case.exact.stays() == 0 => case.partial.stays() * 2,
        true => case.exact.stays(),
        false if candidate.lock_type == LockType::Delay => slept(case, candidate),
        false if candidate.lock_type == LockType::Latch => candidate
            .exact
            .confirmed
            .max(watched::used_up(case, candidate)),
        false => candidate.exact.confirmed,
    };
    let grown = 1.0 - 1.0 / (2.0 + f64::from(steps) / 4.0);
    if candidate.exact.failed() > DOUBTFUL || !exclusive && coverage(case, candidate) < COVERED {
        return grown.min(0.8);
    }
    // A monitor by itself shows nothing of others that are one lock with it.
    let alone = candidate.lock_type == LockType::NotShared;
    let most = if alone || candidate.static_odds() > 0.0 {
        0.99
    } else {
        EVENTS_ALONE
    };
    if steps == 0 { 0.6 } else { grown.min(most) }
}

/// Naps are complete where only watching shows them: when each began and that it ran out.
fn slept(case: &Case, candidate: &Candidate) -> u32 {
    let naps = delay::naps(&case.log, candidate.regions()).unwrap_or(0);
    candidate.exact.confirmed.max(naps)
}

/// Not one of its waits lasted as long as it may, in complete histories of many.
fn never_slept(case: &Case, candidate: &Candidate) -> bool {
    let usage = |r: usize| &case.exact.usage[r];
    let all = || candidate.regions().into_iter();
    all().map(|r| usage(r).waits).sum::<u32>() >= PERFECT && all().all(|r| usage(r).timed_out == 0)
}

/// Share of the stays in regions that wait about which anything was predicted.
fn coverage(case: &Case, candidate: &Candidate) -> f64 {
    let usage = |r: usize| &case.exact.usage[r];
    let waiting = candidate
        .regions()
        .into_iter()
        .filter(|&r| usage(r).waits > 0);
    let stays: u32 = waiting.map(|r| usage(r).stays).sum();
    let predicted = candidate.exact.confirmed + candidate.exact.contradicted;
    f64::from(predicted) / f64::from(stays.max(1))
}

/// The code of all its regions is known, and none waits or notifies.
fn innocent(case: &Case, candidate: &Candidate) -> bool {
    candidate
        .regions()
        .iter()
        .all(|&r| case.facts[r].may_wait == Some(false) && case.can_notify(r) == Some(false))
}

/// The bytecode convinces only if the events agree.
fn by_code(case: &Case, candidate: &Candidate) -> f64 {
    if candidate.static_odds() < SAID {
        return 0.0;
    }
    let seen: u32 = candidate
        .regions()
        .iter()
        .map(|&r| case.log.usage[r].stays)
        .sum();
    let agree = candidate.watched.log_odds + candidate.exact.llr > 0.3;
    let refuted = candidate.watched.contradicted > candidate.watched.confirmed;
    // That it is a condition is all that is left when the code is not understood.
    let catch_all = candidate.lock_type == LockType::Condition;
    let exact = &candidate.exact;
    let thin = exact.confirmed < 10 || coverage(case, candidate) < COVERED;
    match (seen, agree, refuted) {
        (_, _, true) => 0.6,
        // Every visit is known: then they must bear it out, not merely not refute it.
        _ if case.exact.waits() > 0 && (thin || exact.failed() > DOUBTFUL) => 0.8,
        _ if catch_all && candidate.static_odds() < CONVINCING => 0.6,
        (0, _, _) if catch_all => 0.6,
        (0, _, _) if order::is_hearsay(case, candidate) => HEARSAY,
        (0, _, _) => 0.8,
        (_, false, _) => 0.75,
        (1..10, true, _) => 0.88,
        (_, true, _) if candidate.static_odds() < CONVINCING => 0.88,
        // What code looks like may deceive, what it does when it is run hardly.
        (_, true, _) if !borne_out(candidate) => 0.88,
        (_, true, _) => 0.95,
    }
}

/// The code was run and went as this type would, or the type is none that running could show.
pub(super) fn borne_out(candidate: &Candidate) -> bool {
    let shows = !matches!(
        candidate.lock_type,
        LockType::Mutex | LockType::NotShared | LockType::Delay | LockType::Join
    );
    !shows || candidate.statics.as_ref().is_some_and(|s| s.borne_out)
}

/// The code was run and leaves hardly a doubt.
pub(super) fn is_run(code: &Evidence) -> bool {
    code.borne_out && code.log_odds >= CONVINCING
}

/// The bytecode says this with conviction.
pub(super) fn is_said(seed: &Seed) -> bool {
    seed.evidence.log_odds >= SAID
}

/// The bytecode says, with conviction, what regions are that are left and never ran.
pub(super) fn says_more(case: &Case) -> bool {
    case.seeds.iter().any(is_said)
}

/// The type that the bytecode says with conviction and this candidate is not.
pub(super) fn contradicts(case: &Case, candidate: &Candidate) -> Option<LockType> {
    let regions = candidate.regions();
    let shares = |set: &BTreeSet<usize>| !set.is_disjoint(&regions);
    let strongest = case
        .seeds
        .iter()
        .filter(|s| s.cast.values().any(shares))
        .max_by(|a, b| a.evidence.log_odds.total_cmp(&b.evidence.log_odds))?;
    // Who uses a lock is no matter of the code.
    let alone =
        candidate.lock_type == LockType::NotShared && strongest.lock_type == LockType::Mutex;
    let differs = strongest.lock_type != candidate.lock_type && !alone;
    (differs && strongest.evidence.log_odds >= SAID).then_some(strongest.lock_type)
}
