//! What recording does to histories: a watcher sees only part of them, and inference puts
//! notifies in the wrong place.

use super::rng::Rng;
use locklens_inference::visit::{Begin, Finish, History, Mark, Notified, Step, Visit};
use locklens_trace::Nanos;

/// What contended monitor events show: every wait and its end, and few of the blocked entries.
pub fn watched(histories: &[History], seed: u64) -> Vec<History> {
    let mut rng = Rng::new(seed);
    histories.iter().map(|h| watch(h, &mut rng)).collect()
}

fn watch(history: &History, rng: &mut Rng) -> History {
    let steps = history
        .steps
        .iter()
        .filter_map(|s| glimpse(s, rng))
        .collect();
    History {
        steps,
        complete: false,
        ..history.clone()
    }
}

fn glimpse(step: &Step, rng: &mut Rng) -> Option<Step> {
    let Step::Visit(v) = step else {
        return Some(*step);
    };
    let waits = matches!(v.finish, Finish::Waits { .. });
    let contended = matches!(v.begin, Begin::Fresh { blocked: true }) && rng.below(12) == 0;
    let resumed = matches!(v.begin, Begin::Resumed { .. });
    (waits || resumed || contended).then(|| Step::Visit(dim(v, waits, contended || resumed, rng)))
}

fn dim(v: &Visit, waits: bool, began: bool, rng: &mut Rng) -> Visit {
    let mark = |seen| if seen { Mark::Observed } else { Mark::Inferred };
    let begin = match v.begin {
        Begin::Fresh { .. } => Begin::Fresh { blocked: began },
        resumed => resumed,
    };
    let notified = match v.notified {
        Notified::One(_) if rng.below(5) > 0 => Notified::One(Mark::Inferred),
        Notified::All(_) if rng.below(5) > 0 => Notified::All(Mark::Inferred),
        _ => Notified::No,
    };
    Visit {
        begin,
        begin_mark: mark(began),
        finish_mark: mark(waits),
        notified,
        ..*v
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
