//! Lengths of time, counted in bounded space.
//!
//! A log-linear histogram: sixteen buckets an octave. A percentile is the middle of its bucket, hence off
//! by a thirtieth of itself at most, either way, and never outside what was seen. Only the span of
//! octaves in use is kept. Count, total, shortest and longest are exact.

use crate::model::Times;
use locklens_trace::Nanos;
use std::collections::BTreeMap;

/// Buckets an octave is divided into, as a power of two.
const SUB_BITS: u32 = 4;

/// A distribution of lengths. Where there are many, each one counted costs what comes from memory for
/// it: one cache line of this, and one of its buckets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Lengths {
    /// How many are not known. Those that are stand in the buckets.
    unknown: u64,
    total: u64,
    /// Of none: the largest number.
    min: u64,
    max: u64,
    /// Bucket number of `buckets[0]`, the first of its octave.
    first: u16,
    /// Counts modulo 65536, of whole octaves: there are as many of these as pairs of lock and call chain.
    buckets: Box<[u16]>,
    /// How often each bucket has wrapped; hardly any ever does.
    #[expect(
        clippy::box_collection,
        reason = "one word in every histogram, and few have any"
    )]
    wraps: Option<Box<BTreeMap<u16, u32>>>,
}

const _: () = assert!(size_of::<Lengths>() == 64, "one cache line");

impl Default for Lengths {
    fn default() -> Self {
        Self {
            unknown: 0,
            total: 0,
            min: u64::MAX,
            max: 0,
            first: 0,
            buckets: Box::default(),
            wraps: None,
        }
    }
}

impl Lengths {
    /// Counts one length.
    pub fn add(&mut self, length: Nanos) {
        self.stretch(length.0, length.0);
        self.total = self.total.saturating_add(length.0);
        self.bump(bucket_of(length.0), 1);
    }

    /// Counts one of unknown length.
    pub fn add_unknown(&mut self) {
        self.unknown += 1;
    }

    /// A length counted before turns out not to be known. Should it have been the shortest or the
    /// longest, that is only known to a bucket afterwards.
    pub fn doubt(&mut self, length: Nanos) {
        if !self.lower(bucket_of(length.0)) {
            return;
        }
        self.unknown += 1;
        self.total = self.total.saturating_sub(length.0);
        let used = |&(_, count): &(u16, u64)| count > 0;
        let (first, last) = (self.counts().find(used), self.counts().filter(used).last());
        self.min = first.map_or(u64::MAX, |(bucket, _)| self.min.max(lower_bound(bucket)));
        self.max = last.map_or(0, |(bucket, _)| self.max.min(upper_bound(bucket)));
    }

    /// Lengths from `min` to `max` are to be counted.
    fn stretch(&mut self, min: u64, max: u64) {
        self.min = self.min.min(min);
        self.max = self.max.max(max);
    }

    /// Adds another distribution.
    pub fn merge(&mut self, other: &Self) {
        self.stretch(other.min, other.max);
        self.unknown += other.unknown;
        self.total = self.total.saturating_add(other.total);
        for (bucket, count) in other.counts().filter(|&(_, count)| count > 0) {
            self.bump(bucket, count);
        }
    }

    /// How many were counted, of known length or not.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.known() + self.unknown
    }

    /// How many are of known length.
    fn known(&self) -> u64 {
        self.counts().map(|(_, count)| count).sum()
    }

    /// The sum of all lengths known.
    #[must_use]
    pub fn total(&self) -> Nanos {
        Nanos(self.total)
    }

    /// Count, total and percentiles.
    #[must_use]
    pub fn times(&self) -> Times {
        Times {
            count: self.count(),
            unknown: self.unknown,
            total: Nanos(self.total),
            p50: self.percentile(50),
            p99: self.percentile(99),
            max: Nanos(self.max),
        }
    }

    /// Reads where such a length is counted.
    pub(crate) fn touch(&self, length: Nanos) -> u64 {
        let at = usize::from(bucket_of(length.0).wrapping_sub(self.first));
        self.buckets.get(at).copied().unwrap_or(0).into()
    }

    fn bump(&mut self, bucket: u16, by: u64) {
        let mut at = usize::from(bucket.wrapping_sub(self.first));
        if at >= self.buckets.len() {
            self.make_room(bucket);
            at = usize::from(bucket - self.first);
        }
        let sum = u64::from(self.buckets[at]) + by;
        self.buckets[at] = sum as u16;
        if sum >> 16 > 0 {
            let wraps = self.wraps.get_or_insert_default();
            let wraps = wraps.entry(bucket).or_default();
            *wraps = wraps.saturating_add(u32::try_from(sum >> 16).unwrap_or(u32::MAX));
        }
    }

    /// Buckets from the octave of this one to those there are.
    #[cold]
    fn make_room(&mut self, bucket: u16) {
        let octave = bucket >> SUB_BITS << SUB_BITS;
        let (first, end) = match self.buckets.len() as u16 {
            0 => (octave, octave),
            len => (self.first.min(octave), self.first + len),
        };
        let end = end.max(octave + (1 << SUB_BITS));
        let mut buckets = vec![0; usize::from(end - first)];
        let before = usize::from(self.first.saturating_sub(first));
        buckets[before..before + self.buckets.len()].copy_from_slice(&self.buckets);
        self.first = first;
        self.buckets = buckets.into_boxed_slice();
    }

    /// Takes one out of a bucket, if there is one.
    fn lower(&mut self, bucket: u16) -> bool {
        let at = bucket.checked_sub(self.first).map(usize::from);
        let Some(low) = at.and_then(|at| self.buckets.get_mut(at)) else {
            return false;
        };
        if let Some(less) = low.checked_sub(1) {
            *low = less;
            return true;
        }
        let wraps = self.wraps.as_mut().and_then(|all| all.get_mut(&bucket));
        let wraps = wraps.filter(|wraps| **wraps > 0);
        wraps.is_some_and(|wraps| {
            *wraps -= 1;
            *low = u16::MAX;
            true
        })
    }

    /// Buckets in use with their counts.
    fn counts(&self) -> impl Iterator<Item = (u16, u64)> {
        (self.first..).zip(&self.buckets).map(|(bucket, &low)| {
            let wraps = self.wraps.as_ref().and_then(|all| all.get(&bucket));
            let wraps = wraps.copied().unwrap_or(0);
            (bucket, u64::from(wraps) << 16 | u64::from(low))
        })
    }

    /// The middle of the bucket that holds the length of this rank, or what is nearest to it of what was
    /// seen.
    fn percentile(&self, percent: u64) -> Nanos {
        let rank = (u128::from(self.known()) * u128::from(percent)).div_ceil(100) as u64;
        let mut below = 0;
        for (bucket, count) in self.counts() {
            below += count;
            if below >= rank && count > 0 {
                let (low, high) = (lower_bound(bucket), upper_bound(bucket));
                let middle = low + (high - low) / 2;
                return Nanos(middle.max(self.min).min(self.max));
            }
        }
        Nanos(self.max)
    }
}

fn bucket_of(value: u64) -> u16 {
    let exponent = value.checked_ilog2().unwrap_or(0);
    if exponent < SUB_BITS {
        return value as u16;
    }
    let octave = exponent - SUB_BITS;
    let sub = (value >> octave) as u16 & ((1 << SUB_BITS) - 1);
    ((octave as u16 + 1) << SUB_BITS) + sub
}

/// Smallest value of a bucket.
fn lower_bound(bucket: u16) -> u64 {
    match bucket >> SUB_BITS {
        0 => u64::from(bucket),
        octave => {
            let lead = u64::from((1 << SUB_BITS) + (bucket & ((1 << SUB_BITS) - 1)));
            lead << (octave - 1)
        }
    }
}

/// Largest value of a bucket.
fn upper_bound(bucket: u16) -> u64 {
    let octave = bucket >> SUB_BITS;
    let width = 1u64 << octave.saturating_sub(1);
    lower_bound(bucket).saturating_add(width - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(values: &[u64]) -> Lengths {
        let mut lengths = Lengths::default();
        values.iter().for_each(|&v| lengths.add(Nanos(v)));
        lengths
    }

    #[test]
    fn a_bucket_counts_beyond_its_width() {
        let mut lengths = Lengths::default();
        (0..200_000).for_each(|_| lengths.add(Nanos(7)));
        (0..2_001).for_each(|_| lengths.add(Nanos(9)));
        let mut twice = lengths.clone();
        twice.merge(&lengths);
        for lengths in [lengths, twice] {
            let times = lengths.times();
            assert_eq!(
                (times.p50, times.p99, times.max),
                (Nanos(7), Nanos(7), Nanos(9))
            );
        }
    }

    #[test]
    fn a_percentile_is_not_biased_upwards() {
        // Half a bucket off would be seen in the sum of many.
        let values: Vec<u64> = (0..1000).map(|i| 1_000_000 + i * 977).collect();
        let medians = values
            .windows(3)
            .map(|w| of(w).times().p50.0 as f64 / w[1] as f64);
        let bias = medians.sum::<f64>() / 998.0;
        assert!((0.99..1.01).contains(&bias), "{bias}");
        assert_eq!(of(&[92_300_000; 9]).times().p50, Nanos(92_300_000));
    }

    #[test]
    fn a_full_bucket_can_be_emptied() {
        let mut lengths = Lengths::default();
        (0..65_536).for_each(|_| lengths.add(Nanos(7)));
        (0..65_537).for_each(|_| lengths.doubt(Nanos(7)));
        let times = lengths.times();
        assert_eq!(
            (times.count, times.unknown, times.max),
            (65_536, 65_536, Nanos(0))
        );
    }

    proptest! {
        #[test]
        fn equals_brute_force_within_a_thirtieth(mut values in prop::collection::vec(any::<u64>().prop_map(|v| v >> (v % 60)), 1..200)) {
            let times = of(&values).times();
            values.sort_unstable();
            prop_assert_eq!(times.count, values.len() as u64);
            prop_assert_eq!(times.max.0, *values.last().unwrap());
            for (percent, got) in [(50, times.p50.0), (99, times.p99.0)] {
                let rank = (values.len() * percent).div_ceil(100);
                let exact = values[rank - 1];
                prop_assert!(got.abs_diff(exact) <= exact / 32 + 1, "{got} for {exact}");
            }
        }

        #[test]
        fn what_is_doubted_counts_without_length(kept in prop::collection::vec(1u64..1 << 40, 1..50), doubted in prop::collection::vec(1u64..1 << 40, 0..50)) {
            let mut lengths = of(&kept);
            doubted.iter().for_each(|&v| lengths.add(Nanos(v)));
            doubted.iter().for_each(|&v| lengths.doubt(Nanos(v)));
            let (got, expected) = (lengths.times(), of(&kept).times());
            prop_assert_eq!(got.count, (kept.len() + doubted.len()) as u64);
            prop_assert_eq!((got.unknown, got.total), (doubted.len() as u64, expected.total));
            prop_assert!(got.max >= expected.max && got.max.0 <= expected.max.0 + expected.max.0 / 16);
        }

        #[test]
        fn merging_equals_adding(a in prop::collection::vec(0u64..1 << 40, 0..50), b in prop::collection::vec(0u64..1 << 40, 0..50)) {
            let mut merged = of(&a);
            merged.merge(&of(&b));
            let both: Vec<u64> = a.iter().chain(&b).copied().collect();
            prop_assert_eq!(merged.times(), of(&both).times());
        }
    }
}
