//! The times from which events are missing.

use locklens_trace::Nanos;

/// Intervals kept at most; nearest ones are joined beyond that.
const LIMIT: usize = 4096;

/// A set of intervals in which events were lost. Joining two near ones makes it claim more
/// loss than there was, never less.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Ascending and disjoint.
    intervals: Vec<(Nanos, Nanos)>,
}

impl Losses {
    /// Events are missing from `from` to `to`.
    pub fn add(&mut self, from: Nanos, to: Nanos) {
        let to = to.max(from);
        let first = self.intervals.partition_point(|&(_, end)| end < from);
        let behind = self.intervals.partition_point(|&(start, _)| start <= to);
        let mut joined = (from, to);
        for &(start, end) in &self.intervals[first..behind.max(first)] {
            joined = (joined.0.min(start), joined.1.max(end));
        }
        self.intervals.splice(first..behind.max(first), [joined]);
        if self.intervals.len() > LIMIT {
            self.join_nearest();
        }
    }

    fn join_nearest(&mut self) {
        let gaps = self.intervals.windows(2).map(|w| w[1].0.since(w[0].1));
        let nearest = gaps.enumerate().min_by_key(|&(_, gap)| gap);
        if let Some((at, _)) = nearest {
            self.intervals[at].1 = self.intervals[at + 1].1;
            self.intervals.remove(at + 1);
        }
    }

    /// Whether events may be missing after one at `earlier` and before one at `later`.
    #[must_use]
    pub fn between(&self, earlier: Nanos, later: Nanos) -> bool {
        let first = self.intervals.partition_point(|&(_, end)| end < earlier);
        self.intervals
            .get(first)
            .is_some_and(|&(start, _)| start <= later)
    }

    /// The intervals in which events may be missing, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Nanos, Nanos)> {
        self.intervals.iter().copied()
    }

    /// Whether nothing is known to be missing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn covers_what_was_added(added in prop::collection::vec((0u64..500, 0u64..20), 0..40), at in 0u64..520) {
            let mut losses = Losses::default();
            for &(from, length) in &added {
                losses.add(Nanos(from), Nanos(from + length));
            }
            let expected = added.iter().any(|&(from, length)| from <= at && at <= from + length);
            prop_assert_eq!(losses.between(Nanos(at), Nanos(at)), expected);
            prop_assert!(losses.intervals.windows(2).all(|w| w[0].1 < w[1].0));
        }
    }

    #[test]
    fn many_losses_stay_few_intervals() {
        let mut losses = Losses::default();
        for i in 0..2 * LIMIT as u64 {
            losses.add(Nanos(i * 10), Nanos(i * 10 + 1));
        }
        assert!(losses.intervals.len() <= LIMIT);
        assert!(losses.between(Nanos(0), Nanos(0)));
    }
}
