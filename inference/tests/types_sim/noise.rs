//! What recording does to histories: a watcher sees only part of them, and inference puts
//! notifies in the wrong place.

use super::monitor::Recording;
use super::rng::Rng;
use locklens_inference::collect::Losses;
use locklens_inference::effects::Effects;
use locklens_inference::facsimile::{Context, complete};
use locklens_inference::region::RegionId;
use locklens_inference::region::place::Place;
use locklens_inference::visit::fold::history;
use locklens_inference::visit::{History, Mark, Notified, Step};
use locklens_trace::{LockId, Nanos, StackId};
use std::collections::BTreeMap;

/// Every visit.
pub fn exact(recordings: &[Recording]) -> Vec<History> {
    recordings.iter().map(|r| r.history.clone()).collect()
}

/// What the facsimile makes of the events a JVM reports.
pub fn watched(recordings: &[Recording], effects: &BTreeMap<RegionId, Effects>) -> Vec<History> {
    let place = |&id: &RegionId| Place {
        levels: vec![id],
        in_wait: false,
        callers: 0,
    };
    let places = effects
        .keys()
        .map(|id| (StackId(id.0 + 1), place(id)))
        .collect();
    let context = Context {
        exact: false,
        vm_probes: None,
        reset_after: Nanos::from_millis(250),
        losses: &Losses::default(),
        places: &places,
        effects,
    };
    recordings.iter().map(|r| watch(r, &context)).collect()
}

fn watch(recording: &Recording, context: &Context<'_>) -> History {
    let sequence = complete(&recording.events, context);
    let seen = history(LockId(1), &[sequence], false, recording.subject_ended);
    History {
        still_waiting: recording.history.still_waiting.clone(),
        ..seen
    }
}

/// Loses or misplaces that many per cent of the notifies, and forgets the state at random.
pub fn damaged(histories: &[History], percent: u64, seed: u64) -> Vec<History> {
    let mut rng = Rng::new(seed);
    let mut all = histories.to_vec();
    for history in &mut all {
        displace(&mut history.steps, percent, &mut rng);
        history.steps = with_resets(&history.steps, &mut rng);
    }
    all
}

fn displace(steps: &mut [Step], percent: u64, rng: &mut Rng) {
    for i in 0..steps.len() {
        let Step::Visit(v) = &mut steps[i] else {
            continue;
        };
        v.notified = match v.notified {
            Notified::No => continue,
            Notified::One(_) => Notified::One(Mark::Inferred),
            Notified::All(_) => Notified::All(Mark::Inferred),
        };
        if rng.below(100) < percent {
            let what = std::mem::replace(&mut v.notified, Notified::No);
            let to = (i as i64 + rng.below(9) as i64 - 4).clamp(0, steps.len() as i64 - 1) as usize;
            if let (0, Step::Visit(v)) = (rng.below(2), &mut steps[to]) {
                v.notified = what;
            }
        }
    }
}

fn with_resets(steps: &[Step], rng: &mut Rng) -> Vec<Step> {
    let mut out = Vec::new();
    for step in steps {
        out.push(*step);
        if rng.below(150) == 0 {
            let at = match step {
                Step::Visit(v) => v.at,
                Step::Reset(at) | Step::SubjectEnded(at) => *at,
            };
            out.push(Step::Reset(Nanos(at.0 + 1)));
        }
    }
    out
}
