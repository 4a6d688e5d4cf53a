//! By which call chains a lock is reached: their shares, in phases and all in all.

use super::phases::Span;
use locklens_trace::StackId;
use std::collections::BTreeMap;

/// Chains that are told.
const TOLD: usize = 8;

/// A chain; none for what has none.
type Key = Option<StackId>;

/// Intervals from the first to one behind the last, and the time each has.
type Stretch = (u32, u32, u64);

/// The chains of one lock, with their time by interval.
#[derive(Debug, Default)]
pub(super) struct Chains(Vec<(Key, Vec<Stretch>)>);

impl Chains {
    pub(super) fn add(&mut self, key: Key, stretches: Vec<Stretch>) {
        self.0.push((key, stretches));
    }

    /// The most frequent ones with their shares.
    pub(super) fn all(&self) -> Vec<(Key, f64)> {
        let mut sums: BTreeMap<Key, u64> = BTreeMap::new();
        for (key, stretches) in &self.0 {
            let sum = sums.entry(*key).or_default();
            let times = stretches.iter().map(|stretch| time(stretch, (0, u32::MAX)));
            *sum = times.fold(*sum, u64::saturating_add);
        }
        most(sums)
    }

    /// The same within each of these spans, which are in order.
    pub(super) fn within(&self, spans: &[Span]) -> Vec<Vec<(Key, f64)>> {
        let mut sums: Vec<BTreeMap<Key, u64>> = vec![BTreeMap::new(); spans.len()];
        for (key, stretches) in &self.0 {
            for stretch in stretches {
                let first = spans.partition_point(|span| span.end <= stretch.0);
                let touched = spans[first..].iter().zip(&mut sums[first..]);
                for (span, sums) in touched.take_while(|(span, _)| span.first < stretch.1) {
                    let sum = sums.entry(*key).or_default();
                    *sum = sum.saturating_add(time(stretch, (span.first, span.end)));
                }
            }
        }
        sums.into_iter().map(most).collect()
    }
}

/// The time that a stretch has between two intervals.
fn time(&(from, to, each): &Stretch, (first, end): (u32, u32)) -> u64 {
    let common = to.min(end).saturating_sub(from.max(first));
    each.saturating_mul(u64::from(common))
}

fn most(sums: BTreeMap<Key, u64>) -> Vec<(Key, f64)> {
    let total = sums
        .values()
        .fold(0, |sum: u64, &ns| sum.saturating_add(ns));
    let mut all: Vec<(Key, u64)> = sums.into_iter().filter(|&(_, ns)| ns > 0).collect();
    all.sort_by_key(|&(key, ns)| (std::cmp::Reverse(ns), key));
    all.truncate(TOLD);
    let share = |(key, ns): (Key, u64)| (key, ns as f64 / total as f64);
    all.into_iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_has_the_chains_of_its_own_intervals() {
        let mut chains = Chains::default();
        chains.add(Some(StackId(1)), vec![(0, 4, 10)]);
        chains.add(Some(StackId(2)), vec![(3, 4, 30)]);
        chains.add(None, vec![(8, 9, 5)]);
        chains.add(Some(StackId(1)), vec![(9, 10, 15)]);
        let span = |first, end| Span { first, end };
        let within = chains.within(&[span(2, 4), span(6, 7), span(8, 12)]);
        assert_eq!(
            within[0],
            [(Some(StackId(2)), 0.6), (Some(StackId(1)), 0.4)]
        );
        assert_eq!(within[1], []);
        assert_eq!(within[2], [(Some(StackId(1)), 0.75), (None, 0.25)]);
        assert_eq!(chains.all()[0], (Some(StackId(1)), 55.0 / 90.0));
    }
}
