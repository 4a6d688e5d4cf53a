//! The score of a machine: a log-likelihood ratio against "plain mutex with unrelated waits".
//!
//! Under the null hypothesis a stay in a region waits with that region's own frequency, whatever
//! the state. A machine that knows its state predicts; a prediction that comes true gains what
//! the null had to guess, one that fails costs a slip. Where the state is unknown, nothing counts.

use super::log::{Log, Stay, Usage};

/// The sum of what predictions gained and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Score {
    /// Log-likelihood ratio, natural.
    pub(super) llr: f64,
    /// Predictions that came true.
    pub(super) confirmed: u32,
    /// Predictions that failed.
    pub(super) contradicted: u32,
}

/// Share of failed predictions that costs no credit, and share that costs all of it.
const TOLERATED: f64 = 0.03;
const INCREDIBLE: f64 = 0.2;

impl Score {
    /// The score of an assignment in which a necessary role is nobody's.
    pub(super) const IMPOSSIBLE: Self = Self {
        llr: -1e6,
        confirmed: 0,
        contradicted: 0,
    };

    /// Share of predictions that failed.
    pub(super) fn failed(&self) -> f64 {
        let all = self.confirmed + self.contradicted;
        if all == 0 {
            0.0
        } else {
            f64::from(self.contradicted) / f64::from(all)
        }
    }

    /// The ratio, as far as it may be believed: better than unrelated waits is not good enough.
    /// A machine that is right hardly ever fails, so the credit is gone with one failure in five.
    pub(super) fn credible(&self) -> f64 {
        let credit = 1.0 - (self.failed() - TOLERATED).max(0.0) / (INCREDIBLE - TOLERATED);
        if self.llr > 0.0 {
            self.llr * credit.max(0.0)
        } else {
            self.llr
        }
    }

    /// Adds evidence that is no prediction of a single step.
    pub(super) fn plus(mut self, llr: f64) -> Self {
        self.llr += llr;
        self
    }
}

/// What one prediction is worth, by region.
pub(super) struct Stakes {
    /// [right pass, right wait, wrong pass, wrong wait].
    by_region: Vec<[f64; 4]>,
}

impl Stakes {
    /// From the frequencies of a log.
    pub(super) fn new(log: &Log) -> Self {
        Self {
            by_region: log.usage.iter().map(|u| stakes(u, log.slip)).collect(),
        }
    }

    /// Counts a prediction about how a stay ends.
    pub(super) fn settle(&self, score: &mut Score, stay: &Stay, predicted_wait: bool) {
        let waits = stay.waits();
        let right = waits == predicted_wait;
        let index = usize::from(waits) + 2 * usize::from(!right);
        score.llr += self.by_region[usize::from(stay.region)][index];
        score.confirmed += u32::from(right);
        score.contradicted += u32::from(!right);
    }
}

/// With the probability of a slip a step is what the null would draw, else what was predicted.
fn stakes(usage: &Usage, slip: f64) -> [f64; 4] {
    let wait = usage.wait_share();
    let gain = |p: f64| ((1.0 - slip + slip * p) / p).ln();
    [gain(1.0 - wait), gain(wait), slip.ln(), slip.ln()]
}

/// Log-odds of a yes-no observation that a type predicts with near certainty and that would come
/// by chance with probability `chance`.
pub(super) fn odds_of(observed: bool, chance: f64) -> f64 {
    let chance = chance.clamp(0.02, 0.98);
    if observed {
        (0.97 / chance).ln()
    } else {
        (0.03 / (1.0 - chance)).ln()
    }
}
