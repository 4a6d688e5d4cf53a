//! How many there are of something over time: readers, permits, elements. By bucket the least, the most and the mean;
//! where there are few changes, each of them.
//!
//! A bucket in which nothing changes is not kept: it has what the one before it ended with. So memory grows with
//! buckets in which something happens.

use super::model::Step;
use std::collections::{BTreeMap, BTreeSet};

/// What a bucket has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    least: i64,
    most: i64,
    /// The value over time, added up, from the beginning of the bucket to its end or the last change so far.
    area: i128,
    /// What it ended with.
    last: i64,
}

impl Cell {
    /// A stretch in which the value is the same.
    fn even(value: i64, length: u64) -> Self {
        Self {
            least: value,
            most: value,
            area: i128::from(value) * i128::from(length),
            last: value,
        }
    }

    /// This one, and then the other.
    fn then(self, next: Self) -> Self {
        Self {
            least: self.least.min(next.least),
            most: self.most.max(next.most),
            area: self.area.saturating_add(next.area),
            last: next.last,
        }
    }
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Stock {
    value: i64,
    /// When it changed last.
    since: u64,
    /// Complete up to `since`.
    cells: BTreeMap<u32, Cell>,
    /// Every change, unless there were too many.
    changes: Vec<(u64, i64)>,
    pub(super) too_many: bool,
}

impl Stock {
    pub(super) fn value(&self) -> i64 {
        self.value
    }

    /// The least it ever was.
    pub(super) fn least(&self) -> i64 {
        let least = self.cells.values().map(|cell| cell.least).min();
        least.unwrap_or(self.value)
    }

    /// The most.
    pub(super) fn most(&self) -> i64 {
        let most = self.cells.values().map(|cell| cell.most).max();
        most.unwrap_or(self.value)
    }

    /// How many buckets it keeps something of.
    pub(super) fn kept(&self) -> usize {
        self.cells.len()
    }

    /// It has that value from then on. Of each change no more than so many are kept.
    pub(super) fn set(&mut self, at: u64, value: i64, width: u64, most: usize) {
        if value == self.value {
            return;
        }
        let at = at.max(self.since);
        self.come_to(at, width);
        let bucket = (at / width) as u32;
        let before = Cell::even(self.value, at - u64::from(bucket) * width);
        let cell = self.cells.entry(bucket).or_insert(before);
        *cell = cell.then(Cell::even(value, 0));
        self.value = value;
        self.keep(at, value, most);
    }

    fn keep(&mut self, at: u64, value: i64, most: usize) {
        let again = self.changes.last_mut().filter(|last| last.0 == at);
        if let Some(last) = again {
            last.1 = value;
        } else if self.changes.len() >= most {
            self.too_many = true;
            self.changes = Vec::new();
        } else if !self.too_many {
            self.changes.push((at, value));
        }
    }

    /// Each change that was kept: when, and to what.
    pub(super) fn changes(&self) -> &[(u64, i64)] {
        &self.changes
    }

    /// Nothing changes until then.
    pub(super) fn come_to(&mut self, at: u64, width: u64) {
        let bucket = (self.since / width) as u32;
        if let Some(cell) = self.cells.get_mut(&bucket) {
            let end = (u64::from(bucket) + 1).saturating_mul(width).min(at);
            let rest = Cell::even(self.value, end.saturating_sub(self.since));
            *cell = cell.then(rest);
        }
        self.since = self.since.max(at);
    }

    /// Buckets become twice as wide.
    pub(super) fn widen(&mut self, width: u64) {
        let since = self.since;
        let passed = |bucket: u32| {
            let begin = u64::from(bucket).saturating_mul(width);
            since.saturating_sub(begin).min(width)
        };
        let cells = std::mem::take(&mut self.cells);
        let halves: BTreeSet<u32> = cells.keys().map(|at| at / 2).collect();
        let mut before = 0;
        for half in halves {
            let of = |bucket: u32, before: i64| {
                let cell = cells.get(&bucket).copied();
                cell.unwrap_or_else(|| Cell::even(before, passed(bucket)))
            };
            let even = of(half * 2, before);
            let odd = of(half * 2 + 1, even.last);
            before = odd.last;
            self.cells.insert(half, even.then(odd));
        }
    }

    /// What each bucket up to the end of the recording has, `shift` more than was counted.
    pub(super) fn steps(&self, buckets: u32, end: u64, width: u64, shift: i64) -> Vec<Step> {
        let (mut steps, mut next, mut value) = (Vec::new(), 0, 0);
        let mut tell = |first: u32, end_bucket: u32, cell: Cell| {
            let begin = u64::from(first) * width;
            let length = width.min(end.saturating_sub(begin)).max(1);
            let mean = match cell.least == cell.most {
                true => i128::from(cell.least) * 1000,
                false => cell.area.saturating_mul(1000) / i128::from(length),
            };
            if first < end_bucket {
                steps.push(Step {
                    first,
                    end: end_bucket,
                    least: cell.least.saturating_add(shift),
                    most: cell.most.saturating_add(shift),
                    mean: (mean as i64).saturating_add(shift.saturating_mul(1000)),
                });
            }
        };
        for (&at, &cell) in self.cells.range(..buckets) {
            tell(next, at, Cell::even(value, 0));
            tell(at, at + 1, cell);
            (next, value) = (at + 1, cell.last);
        }
        tell(next, buckets, Cell::even(value, 0));
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Values moment by moment.
    fn moments(changes: &[(u64, i64)], end: u64) -> Vec<i64> {
        let at = |t: u64| {
            let before = changes.iter().rev().find(|change| change.0 <= t);
            before.map_or(0, |change| change.1)
        };
        (0..end).map(at).collect()
    }

    /// The values of a bucket: what it began with, and everything it changed to, however short.
    fn expected(changes: &[(u64, i64)], end: u64, width: u64) -> Vec<(i64, i64, i64)> {
        let moments = moments(changes, end);
        let buckets = end.div_ceil(width);
        let of = |bucket: u64| {
            let (from, to) = (bucket * width, ((bucket + 1) * width).min(end));
            let before = changes.iter().rev().find(|change| change.0 < from);
            let begin = before.map_or(0, |change| change.1);
            let inside = changes.iter().filter(|c| c.0 >= from && c.0 < to);
            let values: Vec<i64> = inside.map(|c| c.1).chain([begin]).collect();
            let sum: i64 = moments[from as usize..to as usize].iter().sum();
            let (least, most) = (values.iter().min(), values.iter().max());
            (
                *least.unwrap(),
                *most.unwrap(),
                sum * 1000 / (to - from) as i64,
            )
        };
        (0..buckets).map(of).collect()
    }

    fn told(stock: &Stock, end: u64, width: u64) -> Vec<(i64, i64, i64)> {
        let steps = stock.steps(end.div_ceil(width) as u32, end, width, 0);
        let each = |step: &Step| {
            let of_one = (step.least, step.most, step.mean);
            vec![of_one; (step.end - step.first) as usize]
        };
        steps.iter().flat_map(each).collect()
    }

    #[test]
    fn what_changes_in_a_bucket_has_a_least_a_most_and_a_mean() {
        let mut stock = Stock::default();
        for (at, value) in [(5, 2), (15, 0), (31, 4), (33, 1)] {
            stock.set(at, value, 10, 100);
        }
        stock.come_to(50, 10);
        let all = [
            (0, 2, 1000),
            (0, 2, 1000),
            (0, 0, 0),
            (0, 4, 1500),
            (1, 1, 1000),
        ];
        assert_eq!(told(&stock, 50, 10), all);
        assert_eq!(stock.changes(), [(5, 2), (15, 0), (31, 4), (33, 1)]);
    }

    #[test]
    fn of_too_many_changes_none_is_kept() {
        let mut stock = Stock::default();
        (1..5).for_each(|at| stock.set(at, at.cast_signed(), 10, 3));
        assert!(stock.too_many && stock.changes().is_empty());
    }

    proptest! {
        #[test]
        fn buckets_have_what_each_moment_has(
            pauses in prop::collection::vec((0u64..40, -3i64..9), 0..40),
            width in 1u64..20,
            widened in 0usize..41,
            rest in 1u64..60,
        ) {
            let mut stock = Stock::default();
            let (mut now, mut width, mut changes) = (0, width, Vec::new());
            for (nth, (pause, value)) in pauses.into_iter().enumerate() {
                if nth == widened {
                    stock.widen(width);
                    width *= 2;
                }
                now += pause;
                stock.set(now, value, width, 1000);
                changes.push((now, value));
            }
            let end = now + rest;
            stock.come_to(end, width);
            let mut seen = expected(&changes, end, width);
            prop_assert_eq!(told(&stock, end, width), seen);
            stock.widen(width);
            width *= 2;
            seen = expected(&changes, end, width);
            prop_assert_eq!(told(&stock, end, width), seen);
        }
    }
}
