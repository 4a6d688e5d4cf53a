//! DELAY: a timed wait that nobody is meant to end.

use super::case::{Candidate, Case, Cast, Seed};
use super::log::{Log, Stay, Usage};
use super::score::Score;
use super::{Evidence, LockType, Role, groups, odds};
use std::collections::BTreeSet;

/// A wait that ran out, and one that did not: against one in two.
const RAN_OUT: f64 = 0.66;
const ENDED: f64 = -2.8;
/// Somebody notifies on this lock, or could.
const NOTIFIES: f64 = -5.0;
const COULD_NOTIFY: f64 = -3.0;
/// Whoever comes waits: what a pulse (see `condition`) would gain too.
const ALWAYS: f64 = 0.7;

/// Watching shows the waits that ran out, and hardly ever who would have ended them.
const MOST_WATCHED: f64 = 6.0;

/// Proposes the region with the most timed waits.
pub(super) fn propose(case: &Case) -> Option<Candidate> {
    if case.unseen.notifies {
        return None;
    }
    let delays = |r: &usize| case.usage(*r).timed_waits > 0;
    let region = (0..case.regions.len())
        .filter(delays)
        .max_by_key(|&r| (case.usage(r).timed_waits, std::cmp::Reverse(r)))?;
    let cast = Cast::from([(Role::Delay, BTreeSet::from([region]))]);
    let mut candidate = Candidate::new(LockType::Delay, cast);
    let (llr, confirmed) = odds(case, &case.exact, region);
    candidate.exact = Score {
        llr,
        confirmed,
        contradicted: cut_short(&case.exact, region),
    };
    candidate.watched = watched(case, region);
    let usage = case.usage(region);
    candidate.pro.push(format!(
        "{} of {} waits ran out",
        usage.timed_out,
        usage.waits.max(usage.timed_out)
    ));
    Some(candidate)
}

/// Waits on one object that ran out before it counts that none ever ended otherwise.
const NAPS: u32 = 10;

/// How many waits in these regions ran out, if there are many to an object and none was ever ended by anybody: whoever could
/// notify only stops the naps for good.
pub(super) fn naps(log: &Log, regions: impl IntoIterator<Item = usize>) -> Option<u32> {
    let regions: BTreeSet<usize> = regions.into_iter().collect();
    let usage = regions.iter().map(|&r| &log.usage[r]);
    let (waits, timed_out) = usage.fold((0, 0), |(w, t), u| (w + u.waits, t + u.timed_out));
    let untimed = regions
        .iter()
        .any(|&r| log.usage[r].timed_waits < log.usage[r].waits);
    let ended = regions.iter().any(|&r| resumed_otherwise(log, r) > 0);
    let objects = log.instances.iter().filter(|i| {
        let mut stays = i.stays();
        stays.any(|s| s.waits() && regions.contains(&usize::from(s.region)))
    });
    let objects = objects.count() as u32;
    let many = waits > 0 && timed_out >= NAPS * objects.max(1);
    (many && !untimed && !ended).then_some(timed_out)
}

/// Waits that ran out to one that was ended, from which on it is not known whether the end is waited for at all.
const TO_ONE_ENDED: u32 = 50;

/// Hardly a wait in these regions was ever ended: what they wait for may be there to stop a pause.
pub(super) fn mostly_runs_out(log: &Log, regions: impl IntoIterator<Item = usize>) -> bool {
    let regions: BTreeSet<usize> = regions.into_iter().collect();
    let timed_out: u32 = regions.iter().map(|&r| log.usage[r].timed_out).sum();
    let ended: u32 = regions.iter().map(|&r| cut_short(log, r)).sum();
    timed_out >= TO_ONE_ENDED.max(TO_ONE_ENDED * ended)
}

/// All waits in these regions have a limit, which ends most of them.
pub(super) fn rather_runs_out(log: &Log, regions: impl IntoIterator<Item = usize>) -> bool {
    let regions: BTreeSet<usize> = regions.into_iter().collect();
    let usage = || regions.iter().map(|&r| &log.usage[r]);
    let timed_out: u32 = usage().map(|u| u.timed_out).sum();
    let ended: u32 = regions.iter().map(|&r| cut_short(log, r)).sum();
    usage().all(|u| u.timed_waits == u.waits) && timed_out >= NAPS && timed_out > ended
}

/// Odds from which on the code says that whoever waits goes on after one wait, and that somebody notifies.
const SAID: f64 = 5.75;
/// What it costs who says that something is waited for that they do, and that it is the limit that mostly ends the wait.
const NAPS_INSTEAD: f64 = -14.0;
/// Odds up to which the code says nothing of a type that asks for more than that.
const UNSAID: f64 = 1.0;

/// The code says so of all these regions: who notifies only cuts a pause short.
fn is_said(case: &Case, regions: &BTreeSet<usize>) -> bool {
    let convinced = |e: &Evidence| e.contradicted == 0 && e.log_odds >= SAID;
    let mut seeds = case.seeds.iter();
    !regions.is_empty()
        && seeds.any(|seed| {
            seed.lock_type == LockType::Delay
                && convinced(&seed.evidence)
                && regions.is_subset(&seed.regions())
        })
}

/// What speaks against a type where all who wait only make a pause: a latch or a condition, or one that steps alone suggest.
pub(super) fn instead(case: &Case, candidate: &Candidate) -> Option<Evidence> {
    let waits = |r: &usize| case.log.usage[*r].waits > 0;
    let waiting: BTreeSet<usize> = candidate.regions().into_iter().filter(waits).collect();
    let rivals = match candidate.lock_type {
        LockType::Latch | LockType::Condition => true,
        LockType::Delay | LockType::Join | LockType::Mutex | LockType::NotShared => false,
        _ => candidate.static_odds() <= UNSAID,
    };
    if !rivals || !is_said(case, &waiting) {
        return None;
    }
    let timed_out: u32 = waiting.iter().map(|&r| case.log.usage[r].timed_out).sum();
    let ended: u32 = waiting.iter().map(|&r| cut_short(&case.log, r)).sum();
    (timed_out >= NAPS && timed_out > ended).then(|| Evidence {
        log_odds: NAPS_INSTEAD,
        contradicted: 1,
        contra: vec![format!(
            "who waits goes on after one wait, whatever is so, and {timed_out} of {} ran out",
            timed_out + ended
        )],
        ..Evidence::default()
    })
}

/// Evidence from incomplete instances that a region delays.
pub(super) fn watched(case: &Case, region: usize) -> Evidence {
    let (mut log_odds, confirmed) = odds(case, &case.partial, region);
    let said = is_said(case, &BTreeSet::from([region]));
    let could = !said && (0..case.regions.len()).any(|r| case.can_notify(r) == Some(true));
    if could && naps(&case.log, [region]).is_some() && !is_kept_out(case, region) {
        log_odds = MOST_WATCHED;
    } else if could {
        log_odds = log_odds.min(COULD_NOTIFY);
    }
    log_odds = log_odds.min(MOST_WATCHED);
    Evidence {
        log_odds,
        confirmed: u64::from(confirmed),
        ..Evidence::default()
    }
}

/// The code was run and went as an event that others set and reset, and here several wait for that at once: the limit ends their
/// waits since nobody has set it in time, and what it is for is not the pause of one of them.
fn is_kept_out(case: &Case, region: usize) -> bool {
    let waits = |s: &&Seed| s.cast.get(&Role::Wait).is_some_and(|w| w.contains(&region));
    let mut seeds = case.seeds.iter();
    seeds.any(|s| s.is_event() && odds::is_run(&s.evidence) && waits(&s))
        && groups::crowd(&case.log, &BTreeSet::from([region])) > 1
}

/// What complete instances say against a region that the code says only naps: waits that others ended, in log-odds.
pub(super) fn ended(case: &Case, region: usize) -> f64 {
    let usage = &case.exact.usage[region];
    let other = f64::from(cut_short(&case.exact, region));
    ((RAN_OUT + ALWAYS) * f64::from(usage.timed_out) + ENDED * other).min(0.0)
}

fn odds(case: &Case, log: &Log, region: usize) -> (f64, u32) {
    let usage = &log.usage[region];
    if usage.waits == 0 {
        return (0.0, 0);
    }
    let other = cut_short(log, region);
    let sum = (RAN_OUT + ALWAYS) * f64::from(usage.timed_out) + ENDED * f64::from(other);
    let told = match is_said(case, &BTreeSet::from([region])) {
        true => 0.0,
        false => others(case, log, usage),
    };
    (sum + told, usage.timed_out)
}

/// Waits that did not run out: somebody notified the thread, or interrupted it.
fn cut_short(log: &Log, region: usize) -> u32 {
    resumed(log, region, |s| !s.timed_out || s.interrupted)
}

/// Waits that somebody notified. That a thread is interrupted is the end of many that only pause.
fn resumed_otherwise(log: &Log, region: usize) -> u32 {
    resumed(log, region, |s| !s.timed_out)
}

fn resumed(log: &Log, region: usize, how: impl Fn(&Stay) -> bool) -> u32 {
    let stays = log.instances.iter().flat_map(|i| i.stays());
    let other = |s: &&Stay| usize::from(s.region) == region && !s.fresh && how(s);
    stays.filter(other).count() as u32
}

/// What anybody else on this lock says against it.
fn others(case: &Case, log: &Log, usage: &Usage) -> f64 {
    let notifies: u32 = log.usage.iter().map(|u| u.notifies).sum();
    let could = (0..case.regions.len()).any(|r| case.can_notify(r) == Some(true));
    let waits_for_ever = if usage.timed_waits < usage.waits {
        NOTIFIES
    } else {
        0.0
    };
    let told = match (notifies > 0, could) {
        (true, _) => NOTIFIES,
        (false, true) => COULD_NOTIFY,
        (false, false) => 0.0,
    };
    told + waits_for_ever
}
