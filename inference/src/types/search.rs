//! Role search: which region does what for a type.
//!
//! A checker proposes starting points from behaviour (who waits, who notifies, who follows whom
//! in one thread); a greedy ascent adds, drops and changes roles while the score improves. Every
//! region used costs, so the smallest set of regions that explains the history wins.

use super::log::Log;
use super::score::Score;

/// One role per dense region, as a code of the checker; 0 = not used.
pub(super) type Roles = Vec<u8>;

/// Not used.
pub(super) const NONE: u8 = 0;

/// What using one more region costs, in nats.
const REGION_COST: f64 = 1.0;

/// Evaluations of one ascent over the larger window.
const BUDGET: usize = 160;

/// Smaller gains are rounding.
const LEAST_GAIN: f64 = 1e-9;

/// Starting points that are followed up.
const FOLLOWED: usize = 3;

/// The windows a search runs on.
pub(super) struct Windows {
    /// For comparing many starting points.
    pub(super) small: Log,
    /// For the ascent.
    pub(super) large: Log,
}

impl Windows {
    /// Of a log.
    pub(super) fn of(log: &Log) -> Self {
        Self {
            small: log.window(400),
            large: log.window(1000),
        }
    }
}

/// A score minus the price of the regions it uses.
pub(super) fn value(score: &Score, roles: &[u8]) -> f64 {
    let used = roles.iter().filter(|&&r| r != NONE).count();
    score.credible() - REGION_COST * used as f64
}

/// The best assignments found, best first, each with its value on the larger window.
pub(super) fn search(
    windows: &Windows,
    starts: Vec<Roles>,
    options: &[Vec<u8>],
    fit: &dyn Fn(&Log, &[u8]) -> Score,
) -> Vec<(Roles, f64)> {
    let rated = |log: &Log, roles: Roles| {
        let v = value(&fit(log, &roles), &roles);
        (roles, v)
    };
    let mut first: Vec<(Roles, f64)> = starts
        .into_iter()
        .map(|roles| rated(&windows.small, roles))
        .collect();
    sort(&mut first);
    first.truncate(FOLLOWED);
    let fitness = |roles: &[u8]| value(&fit(&windows.large, roles), roles);
    let climb = |(roles, _)| {
        let mut budget = BUDGET;
        ascend(rated(&windows.large, roles), options, &mut budget, &fitness)
    };
    let mut found: Vec<(Roles, f64)> = first.into_iter().map(climb).collect();
    sort(&mut found);
    found
}

fn sort(found: &mut Vec<(Roles, f64)>) {
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found.dedup_by(|a, b| a.0 == b.0);
}

/// Steepest ascent: the best of all changes of one region, until none improves. (Taking the first
/// that does would settle for a wrong amount before the missing region is tried.)
fn ascend(
    (mut best, mut top): (Roles, f64),
    options: &[Vec<u8>],
    budget: &mut usize,
    value: &dyn Fn(&[u8]) -> f64,
) -> (Roles, f64) {
    while let Some((region, role, v)) = best_change(&best, options, budget, value) {
        if v <= top + LEAST_GAIN {
            break;
        }
        (best[region], top) = (role, v);
    }
    (best, top)
}

fn best_change(
    roles: &Roles,
    options: &[Vec<u8>],
    budget: &mut usize,
    value: &dyn Fn(&[u8]) -> f64,
) -> Option<(usize, u8, f64)> {
    let mut tried = roles.clone();
    let mut best: Option<(usize, u8, f64)> = None;
    for (region, codes) in options.iter().enumerate() {
        for &role in codes.iter().filter(|&&role| role != roles[region]) {
            *budget = budget.checked_sub(1)?;
            tried[region] = role;
            let v = value(&tried);
            if best.is_none_or(|b| v > b.2 + LEAST_GAIN) {
                best = Some((region, role, v));
            }
        }
        tried[region] = roles[region];
    }
    best
}
