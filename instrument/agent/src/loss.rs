//! What was dropped, counted where it happened and reported by the writer.

use locklens_trace::Nanos;
use locklens_trace::record::{LossCause, Lost};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Counters of one cause.
#[derive(Default)]
pub(crate) struct Tally {
    count: AtomicU64,
    /// Earliest time plus one; 0 while nothing is lost.
    from: AtomicU64,
    to: AtomicU64,
}

impl Tally {
    /// Nothing is lost.
    pub(crate) const fn new() -> Self {
        Self {
            count: AtomicU64::new(0),
            from: AtomicU64::new(0),
            to: AtomicU64::new(0),
        }
    }

    /// Counts one event of absolute time `at`.
    pub(crate) fn count(&self, at: u64) {
        // Racing with `take` may stretch the reported span by one report, never shrink it.
        let _ = self.from.fetch_update(Relaxed, Relaxed, |from| {
            (from == 0 || at + 1 < from).then_some(at + 1)
        });
        self.to.fetch_max(at, Relaxed);
        self.count.fetch_add(1, Relaxed);
    }

    /// What was counted since the last call, times relative to `start`.
    pub(crate) fn take(&self, cause: LossCause, (start, now): (u64, u64)) -> Option<Lost> {
        let count = self.count.swap(0, Relaxed);
        if count == 0 {
            return None;
        }
        let from = self.from.swap(0, Relaxed).saturating_sub(1);
        let to = self.to.swap(0, Relaxed);
        // A counter read between its parts has no span yet: then "until now" is true.
        let to = if to == 0 { now } else { to };
        Some(Lost {
            from: Nanos(from.saturating_sub(start)),
            to: Nanos(to.saturating_sub(start)),
            count,
            cause,
        })
    }
}

/// Everything lost since the writer last asked.
#[derive(Default)]
pub(crate) struct Losses([Tally; 4]);

const CAUSES: [LossCause; 4] = [
    LossCause::BufferFull,
    LossCause::TableFull,
    LossCause::StackBudget,
    LossCause::Unidentified,
];

impl Losses {
    /// Counts one event of absolute time `at`.
    pub(crate) fn count(&self, cause: LossCause, at: u64) {
        self.0[cause as usize].count(at);
    }

    /// What was lost since the last report, times relative to `start`.
    pub(crate) fn report(&self, start: u64, now: u64, emit: impl FnMut(Lost)) {
        let tallies = self.0.iter().zip(CAUSES);
        tallies
            .filter_map(|(tally, cause)| tally.take(cause, (start, now)))
            .for_each(emit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_spans_its_losses_and_starts_afresh() {
        let losses = Losses::default();
        for at in [150, 120, 180] {
            losses.count(LossCause::BufferFull, at);
        }
        losses.count(LossCause::StackBudget, 130);
        let mut seen = Vec::new();
        losses.report(100, 200, |record| seen.push(record));
        let lost = |from, to, count, cause| Lost {
            from: Nanos(from),
            to: Nanos(to),
            count,
            cause,
        };
        assert_eq!(
            seen,
            [
                lost(20, 80, 3, LossCause::BufferFull),
                lost(30, 30, 1, LossCause::StackBudget)
            ]
        );
        losses.report(100, 300, |record| panic!("nothing new, but {record:?}"));
    }
}
