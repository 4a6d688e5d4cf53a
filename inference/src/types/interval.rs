//! Counters known only up to an interval: no initial count is ever guessed.

/// Values from `lo` to `hi`, both included; `MANY` means no upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) lo: i64,
    pub(super) hi: i64,
}

/// No upper bound. Far from the ends of i64, so that sums cannot overflow.
pub(super) const MANY: i64 = i64::MAX / 4;

impl Interval {
    /// Nothing is known.
    pub(super) const UNKNOWN: Self = Self { lo: 0, hi: MANY };

    /// Exactly this.
    pub(super) fn exactly(n: i64) -> Self {
        Self { lo: n, hi: n }
    }

    /// The value, if there is only one.
    pub(super) fn known(self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Whether it is at least `n`; none if that is not known.
    pub(super) fn at_least(self, n: i64) -> Option<bool> {
        if self.lo >= n {
            Some(true)
        } else if self.hi < n {
            Some(false)
        } else {
            None
        }
    }

    /// It turned out to be less than `n`, whatever was believed. False: that was impossible.
    pub(super) fn learn_below(&mut self, n: i64) -> bool {
        let possible = self.lo < n;
        let lo = if possible { self.lo } else { 0 };
        *self = Self {
            lo,
            hi: self.hi.min(n - 1),
        };
        possible
    }

    /// It turned out to be at least `n`, whatever was believed. False: that was impossible.
    pub(super) fn learn_at_least(&mut self, n: i64) -> bool {
        let possible = self.hi >= n;
        let hi = if possible { self.hi } else { MANY };
        *self = Self {
            lo: self.lo.max(n),
            hi,
        };
        possible
    }

    /// Adds, never below zero.
    pub(super) fn add(&mut self, n: i64) {
        self.lo = (self.lo + n).clamp(0, MANY);
        self.hi = if self.hi == MANY {
            MANY
        } else {
            (self.hi + n).clamp(0, MANY)
        };
    }

    /// May have been lowered by `n`, or not.
    pub(super) fn maybe_sub(&mut self, n: i64) {
        self.lo = (self.lo - n).max(0);
    }
}
