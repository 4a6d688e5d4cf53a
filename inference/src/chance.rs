//! How far off a share may be that was found by looking now and then.

/// Standard deviations on either side that hold 95 times of 100.
const CONFIDENCE: f64 = 1.96;

/// What the true share is in 95 times of 100, if so many looks were independent: Wilson's interval, which also holds for
/// few looks and for shares near 0 and 1. Never seen otherwise is no proof there.
#[must_use]
pub(crate) fn interval(share: f64, looks: f64) -> (f64, f64) {
    let square = CONFIDENCE * CONFIDENCE;
    let middle = share * looks + square / 2.0;
    let half = CONFIDENCE * (share * (1.0 - share) * looks + square / 4.0).sqrt();
    let part = |bound: f64| (bound / (looks + square)).clamp(0.0, 1.0);
    (part(middle - half), part(middle + half))
}
