//! How many threads were parked for a lock, on average over an interval: of a park is known only when it is over, when
//! the count at its beginning has been written.

use locklens_trace::Nanos;
use std::collections::BTreeMap;

/// Intervals of a recording at most.
const MOST: u64 = 1000;
/// The shortest: 10 ms.
const SHORTEST: u64 = 10_000_000;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Averages {
    interval: u64,
    end: u64,
    /// Time parked, by lock and interval.
    parked: BTreeMap<(usize, u64), u64>,
}

impl Averages {
    /// Of a recording so long.
    pub(super) fn over(duration: Nanos) -> Self {
        Self {
            interval: (duration.0 / MOST + 1).max(SHORTEST),
            end: duration.0,
            parked: BTreeMap::new(),
        }
    }

    /// A thread was parked for that lock.
    pub(super) fn add(&mut self, index: usize, from: Nanos, to: Nanos) {
        let (mut from, to) = (from.0.min(self.end), to.0.min(self.end));
        while from < to {
            let nth = from / self.interval;
            let end = ((nth + 1) * self.interval).min(to);
            let time = self.parked.entry((index, nth)).or_default();
            *time = time.saturating_add(end - from);
            from = end;
        }
    }

    /// By lock, begin and average; where it falls back to nothing that is told, too.
    pub(super) fn all(self) -> impl Iterator<Item = (usize, Nanos, f64)> {
        let interval = self.interval;
        let at = move |nth: u64| Nanos(nth.saturating_mul(interval));
        let idle: Vec<_> = {
            let next = self.parked.keys().map(|&(index, nth)| (index, nth + 1));
            next.filter(|key| !self.parked.contains_key(key)).collect()
        };
        let mut all = self.parked;
        all.extend(idle.into_iter().map(|key| (key, 0)));
        all.into_iter()
            .map(move |((index, nth), time)| (index, at(nth), time as f64 / interval as f64))
    }
}
