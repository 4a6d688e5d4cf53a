//! The best candidate of every type.

use super::case::{Candidate, Case};
use super::odds::{CONVINCING, DOUBTFUL, PERFECT, STEPS_LEAST, TEMPERATURE, is_run, steps, total};
use super::{Detail, LockType};
use std::collections::{BTreeMap, BTreeSet};

/// Share of failed predictions up to which the code is right and the machine too simple for it: a queue that hands over
/// several at once is one.
const TOO_SIMPLE: f64 = 0.3;

/// The same of a hand-over: who puts waits twice, and the machine knows of one wait.
const TOO_SIMPLE_BY_FAR: f64 = 0.5;

/// The code says with conviction that this is a queue, and most of what that predicts came true; or it says so of a lock for
/// each name, of which the machine knows no names.
fn is_borne_out_mostly(candidate: &Candidate) -> bool {
    let exact = &candidate.exact;
    let most = match candidate.details.get("capacity") {
        Some(Detail::Count(0)) => TOO_SIMPLE_BY_FAR,
        _ => TOO_SIMPLE,
    };
    let by_name = Detail::Word("striped lock".to_owned());
    let mostly = match candidate.lock_type {
        LockType::ProducerConsumer => exact.confirmed >= PERFECT && exact.failed() <= most,
        LockType::Lock => candidate.details.get("form") == Some(&by_name),
        _ => false,
    };
    mostly && candidate.static_odds() >= CONVINCING
}

/// A condition predicts what any type predicts, only less: where the code says what it is a condition for, its steps are
/// no rival of that. Nor are those of permits of which nobody knows how many there are: what is handed over, or held under many
/// names, goes so to whoever only counts.
fn yields(candidate: &Candidate, to: &BTreeSet<usize>) -> bool {
    let is_less = match candidate.lock_type {
        LockType::Condition => true,
        LockType::Semaphore => !candidate.details.contains_key("permits"),
        _ => false,
    };
    is_less && candidate.static_odds() < CONVINCING && candidate.regions().is_subset(to)
}

/// The code was run and went as the one, and the other is what steps suggest that often went otherwise: of the same type, it has
/// the roles wrong.
fn goes_otherwise(run: &Candidate, other: &Candidate) -> bool {
    run.statics.as_ref().is_some_and(is_run)
        && other.statics.is_none()
        && other.exact.failed() > DOUBTFUL
}

/// A machine that explains the history, for which steps count for less than they say, because its code says what it is.
struct Held {
    regions: BTreeSet<usize>,
    llr: f64,
    steps: f64,
}

fn held(case: &Case, candidate: &Candidate) -> Option<Held> {
    let steps = steps(case, candidate);
    let llr = candidate.exact.llr;
    // A condition predicts what any type predicts.
    let run = candidate.statics.as_ref().is_some_and(is_run);
    let right =
        run && candidate.lock_type != LockType::Condition && candidate.exact.failed() <= DOUBTFUL;
    (right && steps < llr / TEMPERATURE).then(|| Held {
        regions: candidate.regions(),
        llr,
        steps,
    })
}

/// By how much steps count for more here than where the code is known too, of a machine that explains the same history better.
fn outdone(case: &Case, candidate: &Candidate, held: &[Held]) -> f64 {
    let own = candidate.regions();
    let better = |h: &&Held| h.llr >= candidate.exact.llr && !h.regions.is_disjoint(&own);
    let steps = steps(case, candidate);
    let most = held
        .iter()
        .filter(better)
        .map(|h| h.steps)
        .fold(steps, f64::min);
    steps - most
}

pub(super) fn of_each_type(case: &Case, candidates: Vec<Candidate>) -> Vec<(Candidate, f64)> {
    let mut best: BTreeMap<LockType, (Candidate, f64)> = BTreeMap::new();
    let held: Vec<_> = candidates.iter().filter_map(|c| held(case, c)).collect();
    let told = candidates.iter().filter(|c| is_borne_out_mostly(c));
    let told: Vec<_> = told.map(Candidate::regions).collect();
    for candidate in candidates {
        let known = is_borne_out_mostly(&candidate);
        let lost = (STEPS_LEAST - steps(case, &candidate)).max(0.0);
        let gained = steps(case, &candidate).max(0.0);
        let odds = match told.iter().any(|regions| yields(&candidate, regions)) {
            true => total(case, &candidate) - gained,
            false if known => total(case, &candidate) + lost,
            false => total(case, &candidate) - outdone(case, &candidate, &held),
        };
        let better = best.get(&candidate.lock_type).is_none_or(|(known, most)| {
            // The catch-all is the better, the more it catches.
            let catches = candidate.lock_type == LockType::Condition;
            let more_said = candidate.said && !known.said && !catches;
            let more = odds > *most || odds == *most && more_said;
            more && !goes_otherwise(known, &candidate) || goes_otherwise(&candidate, known)
        });
        if better {
            best.insert(candidate.lock_type, (candidate, odds));
        }
    }
    let mut ranked: Vec<(Candidate, f64)> = best.into_values().collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked
}
