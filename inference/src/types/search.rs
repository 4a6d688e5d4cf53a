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

/// Evaluations of one search over the larger window.
const BUDGET: usize = 160;

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
            small: log.window(500),
            large: log.window(1500),
        }
    }
}

/// A score minus the price of the regions it uses.
pub(super) fn value(score: &Score, roles: &[u8]) -> f64 {
    let used = roles.iter().filter(|&&r| r != NONE).count();
    score.llr - REGION_COST * used as f64
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
    let mut budget = BUDGET;
    let climb = |(roles, _)| {
        ascend(rated(&windows.large, roles), options, &mut budget, &|r| {
            value(&fit(&windows.large, r), r)
        })
    };
    let mut found: Vec<(Roles, f64)> = first.into_iter().map(climb).collect();
    sort(&mut found);
    found
}

fn sort(found: &mut Vec<(Roles, f64)>) {
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found.dedup_by(|a, b| a.0 == b.0);
}

fn ascend(
    (mut best, mut top): (Roles, f64),
    options: &[Vec<u8>],
    budget: &mut usize,
    value: &dyn Fn(&[u8]) -> f64,
) -> (Roles, f64) {
    loop {
        let before = top;
        for region in 0..options.len() {
            for &role in &options[region] {
                if *budget == 0 {
                    return (best, top);
                }
                let old = std::mem::replace(&mut best[region], role);
                if old == role {
                    continue;
                }
                *budget -= 1;
                let v = value(&best);
                if v > top + 1e-9 {
                    top = v
                } else {
                    best[region] = old
                }
            }
        }
        if top <= before {
            return (best, top);
        }
    }
}
