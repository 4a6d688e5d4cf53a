//! Lengths of time, counted in bounded space.
//!
//! A log-linear histogram: eight buckets an octave, so a percentile is off by at most an eighth
//! of itself, and only the span of buckets in use is kept. Count, total and maximum are exact.

use crate::model::Times;
use locklens_trace::Nanos;
use std::collections::BTreeMap;

/// Buckets an octave is divided into, as a power of two.
const SUB_BITS: u32 = 3;

/// Bytes that come from memory together.
const CACHE_LINE: usize = 64;

/// A distribution of lengths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    count: u64,
    total: u64,
    max: u64,
    /// Bucket number of `buckets[0]`.
    first: u16,
    /// Counts modulo 65536: there are as many of these as pairs of lock and call chain.
    buckets: Vec<u16>,
    /// How often each bucket has wrapped; hardly any ever does.
    wraps: BTreeMap<u16, u32>,
}

impl Lengths {
    /// Counts one length.
    pub fn add(&mut self, length: Nanos) {
        self.count += 1;
        self.total = self.total.saturating_add(length.0);
        self.max = self.max.max(length.0);
        self.bump(bucket_of(length.0), 1);
    }

    /// Adds another distribution.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.total = self.total.saturating_add(other.total);
        self.max = self.max.max(other.max);
        for (bucket, count) in other.counts() {
            self.bump(bucket, count);
        }
    }

    /// How many lengths were counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum of all lengths.
    #[must_use]
    pub fn total(&self) -> Nanos {
        Nanos(self.total)
    }

    /// Count, total and percentiles.
    #[must_use]
    pub fn times(&self) -> Times {
        Times {
            count: self.count,
            total: Nanos(self.total),
            p50: self.percentile(50),
            p99: self.percentile(99),
            max: Nanos(self.max),
        }
    }

    /// Reads a little of every place where the next length may be counted.
    pub(crate) fn touch(&self) -> u64 {
        let a_line_each = self.buckets.iter().step_by(CACHE_LINE / size_of::<u16>());
        a_line_each.fold(0, |sum, &count| sum ^ u64::from(count))
    }

    fn bump(&mut self, bucket: u16, by: u64) {
        if self.buckets.is_empty() {
            self.first = bucket;
        }
        if bucket < self.first {
            let missing = usize::from(self.first - bucket);
            self.buckets.splice(0..0, std::iter::repeat_n(0, missing));
            self.first = bucket;
        }
        let at = usize::from(bucket - self.first);
        if at >= self.buckets.len() {
            self.buckets.resize(at + 1, 0);
        }
        let sum = u64::from(self.buckets[at]) + by;
        self.buckets[at] = sum as u16;
        if sum >> 16 > 0 {
            let wraps = self.wraps.entry(bucket).or_default();
            *wraps = wraps.saturating_add(u32::try_from(sum >> 16).unwrap_or(u32::MAX));
        }
    }

    /// Buckets in use with their counts.
    fn counts(&self) -> impl Iterator<Item = (u16, u64)> {
        (self.first..).zip(&self.buckets).map(|(bucket, &low)| {
            let wraps = self.wraps.get(&bucket).copied().unwrap_or(0);
            (bucket, u64::from(wraps) << 16 | u64::from(low))
        })
    }

    /// The upper bound of the bucket that holds the length of this rank, at most the maximum.
    fn percentile(&self, percent: u64) -> Nanos {
        let rank = (u128::from(self.count) * u128::from(percent)).div_ceil(100) as u64;
        let mut below = 0;
        for (bucket, count) in self.counts() {
            below += count;
            if below >= rank && count > 0 {
                return Nanos(upper_bound(bucket).min(self.max));
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

/// Largest value of a bucket.
fn upper_bound(bucket: u16) -> u64 {
    let octave = u32::from(bucket >> SUB_BITS);
    if octave == 0 {
        return u64::from(bucket);
    }
    let lower = u64::from((1 << SUB_BITS) + (bucket & ((1 << SUB_BITS) - 1)));
    let width = 1u64 << (octave - 1);
    (lower << (octave - 1)).saturating_add(width - 1)
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

    proptest! {
        #[test]
        fn equals_brute_force_within_an_eighth(mut values in prop::collection::vec(any::<u64>().prop_map(|v| v >> (v % 60)), 1..200)) {
            let times = of(&values).times();
            values.sort_unstable();
            prop_assert_eq!(times.count, values.len() as u64);
            prop_assert_eq!(times.max.0, *values.last().unwrap());
            for (percent, got) in [(50, times.p50.0), (99, times.p99.0)] {
                let rank = (values.len() * percent).div_ceil(100);
                let exact = values[rank - 1];
                prop_assert!(got >= exact && got - exact <= exact / 8, "{got} for {exact}");
            }
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
