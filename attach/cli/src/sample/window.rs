//! What is kept of samples: everything of a sampling that ends, the last minutes of one that does not.

use locklens_inference::sample::{Fold, Profile};
use locklens_trace::Nanos;
use std::collections::VecDeque;
use std::time::Duration;

/// What is kept of a sampling without an end, at least,
const KEPT: Duration = Duration::from_secs(600);
/// in pieces of this length.
const SLICE: Duration = Duration::from_secs(10);

/// Samples of some time.
struct Slice {
    fold: Fold,
    /// When the first and the last of them were.
    first: Duration,
    last: Duration,
}

/// See the module.
pub(crate) struct Window {
    endless: bool,
    slices: VecDeque<Slice>,
}

impl Window {
    /// One without samples.
    pub(crate) fn new(endless: bool) -> Self {
        Self {
            endless,
            slices: VecDeque::new(),
        }
    }

    /// Where a sample made at this time is to be added.
    pub(crate) fn at(&mut self, now: Duration) -> &mut Fold {
        let full = |slice: &Slice| self.endless && now.saturating_sub(slice.first) >= SLICE;
        if self.slices.back().is_none_or(full) {
            self.slices.push_back(Slice {
                fold: Fold::default(),
                first: now,
                last: now,
            });
        }
        let old = |slice: &Slice| self.endless && now.saturating_sub(slice.last) > KEPT;
        while self.slices.front().is_some_and(old) {
            self.slices.pop_front();
        }
        let last = self.slices.len() - 1;
        let slice = &mut self.slices[last];
        slice.last = now;
        &mut slice.fold
    }

    /// Samples kept.
    pub(crate) fn samples(&self) -> u64 {
        self.slices.iter().map(|slice| slice.fold.looks()).sum()
    }

    /// What they come to.
    pub(crate) fn profile(&self) -> Profile {
        let mut sum = Fold::default();
        self.slices.iter().for_each(|slice| sum.merge(&slice.fold));
        Profile::of(&sum, self.period())
    }

    /// Time between two samples, on average.
    fn period(&self) -> Option<Nanos> {
        let (first, last) = (self.slices.front()?, self.slices.back()?);
        let span = last.last.saturating_sub(first.first).as_nanos();
        let gaps = u128::from(self.samples()).checked_sub(1)?;
        let period = span.checked_div(gaps).filter(|&period| period > 0)?;
        Some(Nanos(u64::try_from(period).unwrap_or(u64::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(endless: bool, seconds: u64) -> Window {
        let mut window = Window::new(endless);
        for second in 0..seconds {
            window.at(Duration::from_secs(second)).begin_look(0);
        }
        window
    }

    #[test]
    fn all_is_kept_of_what_ends_and_ten_minutes_of_what_does_not() {
        let whole = sampled(false, 3_600).profile();
        assert_eq!(
            (whole.samples, whole.period),
            (3_600, Some(Nanos(1_000_000_000)))
        );
        let last = sampled(true, 3_600).profile();
        assert!((600..=620).contains(&last.samples), "{}", last.samples);
        assert_eq!(last.period, Some(Nanos(1_000_000_000)));
    }

    #[test]
    fn one_sample_has_no_period() {
        assert_eq!(sampled(true, 1).profile().period, None);
        assert_eq!(sampled(false, 0).profile().samples, 0);
    }
}
