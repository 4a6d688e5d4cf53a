//! What may be called a difference where many locks are looked at: of a hundred that are alike, chance makes five look
//! otherwise.
//!
//! Corrected after Holm (1979): that any lock at all is called different which is not has a chance of 5 %, however
//! many there are and whatever they have to do with each other.

use super::model::{Figure, LockDiff, OfLock, Verdict};
use crate::pressure::model::Known;

/// How often any of all verdicts may be wrong by chance.
const WRONG: f64 = 0.05;

/// Corrects the chances of all locks together, and judges by them.
pub(super) fn correct(locks: &mut [LockDiff]) {
    let figures = locks
        .iter_mut()
        .flat_map(|lock| [&mut lock.blocked, &mut lock.pressure]);
    // Where nobody was held up in either, there is nothing to be wrong about.
    let mut tried: Vec<&mut Figure> = figures
        .filter(|figure| figure.a.value > 0.0 || figure.b.value > 0.0)
        .collect();
    tried.sort_by(|one, other| one.p.total_cmp(&other.p));
    let (mut left, mut highest) = (tried.len(), 0.0f64);
    for figure in tried {
        highest = highest.max(figure.p * left as f64).min(1.0);
        left -= 1;
        figure.adjusted = highest;
        figure.verdict = judged(figure);
    }
    locks.iter_mut().for_each(keep_to_bounds);
}

/// Where one recording has lower bounds and the other has not, that may be all there is to a difference: the one may have more
/// than it tells. Two lower bounds were measured alike.
fn keep_to_bounds(lock: &mut LockDiff) {
    let is_bound = |of: &Option<OfLock>| {
        of.as_ref()
            .is_some_and(|of| of.known == Some(Known::AtLeast))
    };
    let unshown = match (is_bound(&lock.a), is_bound(&lock.b)) {
        (true, false) => Verdict::More,
        (false, true) => Verdict::Less,
        _ => return,
    };
    for figure in [&mut lock.blocked, &mut lock.pressure] {
        if figure.verdict == unshown {
            figure.verdict = Verdict::NotShown;
        }
    }
}

fn judged(figure: &Figure) -> Verdict {
    match figure.adjusted <= WRONG {
        false => Verdict::NotShown,
        true if figure.difference.value > 0.0 => Verdict::More,
        true => Verdict::Less,
    }
}
