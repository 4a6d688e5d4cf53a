//! Time by interval: how much of each interval a number of spans cover, together.
//!
//! A span that covers many intervals costs no more than a short one: the intervals it covers whole are told by where
//! that begins and ends. So memory grows with the intervals in which something begins or ends.

use std::collections::{BTreeMap, VecDeque};
use std::iter::from_fn;

/// So near to an end of what is in order a cell may be put between others.
const NEAR: usize = 64;

/// The latest time that is followed, more than a year: what a damaged trace says beyond that is that time.
pub(crate) const LATEST: u64 = 1 << 55;

/// What one interval has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cell {
    /// From here on so many more spans cover intervals whole.
    whole: i64,
    /// What is covered in part, ns.
    part: i64,
}

impl Cell {
    fn add(&mut self, whole: i64, part: i64) {
        self.whole = self.whole.saturating_add(whole);
        self.part = self.part.saturating_add(part);
    }
}

/// See the module. Which interval a time is in, its owner says: all series of one gauge have intervals of one length.
#[derive(Clone, Debug, Default)]
pub(crate) struct Series {
    /// The latest interval that was added to, and what it has: most spans come in order.
    hot: u32,
    cell: Cell,
    /// Those before it, in order, …
    rest: VecDeque<(u32, Cell)>,
    /// … and those that came too late to be put there.
    late: BTreeMap<u32, Cell>,
    /// Spans that cover every interval from the first that is left on.
    base: i64,
    total: u64,
    spans: u64,
}

impl Series {
    /// Adds a span, of intervals of that length.
    pub(crate) fn add(&mut self, from: u64, to: u64, length: u64) {
        if to <= from {
            return;
        }
        self.total = self.total.saturating_add(to - from);
        self.spans = self.spans.saturating_add(1);
        let (first, last) = ((from / length) as u32, (to / length) as u32);
        if first == last {
            self.at(first).add(0, (to - from).cast_signed());
            return;
        }
        let head = (u64::from(first) + 1) * length - from;
        self.at(first).add(0, head.cast_signed());
        if last > first + 1 {
            self.at(first + 1).add(1, 0);
            self.at(last).add(-1, 0);
        }
        let tail = to - u64::from(last) * length;
        if tail > 0 {
            self.at(last).add(0, tail.cast_signed());
        }
    }

    /// All time that was ever added.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// How many spans were ever added.
    pub(crate) fn spans(&self) -> u64 {
        self.spans
    }

    #[inline]
    fn at(&mut self, interval: u32) -> &mut Cell {
        if interval < self.hot {
            return self.before(interval);
        }
        if interval > self.hot {
            let before = std::mem::take(&mut self.cell);
            if before != Cell::default() {
                self.rest.push_back((self.hot, before));
            }
            self.hot = interval;
        }
        &mut self.cell
    }

    fn before(&mut self, interval: u32) -> &mut Cell {
        let place = self.rest.binary_search_by_key(&interval, |&(at, _)| at);
        let index = match place {
            Ok(index) => index,
            Err(index) => {
                let far = index.min(self.rest.len() - index) > NEAR;
                if far || self.late.contains_key(&interval) {
                    return self.late.entry(interval).or_default();
                }
                self.rest.insert(index, (interval, Cell::default()));
                index
            }
        };
        &mut self.rest[index].1
    }

    /// How many intervals it keeps something of, at most.
    pub(crate) fn kept(&self) -> usize {
        self.rest.len() + self.late.len() + 1
    }

    fn cells(&self) -> impl Iterator<Item = (u32, Cell)> {
        let hot = Some((self.hot, self.cell));
        let late = self.late.iter().map(|(&at, &cell)| (at, cell));
        merged(self.rest.iter().copied().chain(hot), late)
    }

    /// Intervals become twice as long.
    pub(crate) fn widen(&mut self, length: u64) {
        if !self.late.is_empty() {
            let late = std::mem::take(&mut self.late).into_iter();
            self.rest = merged(std::mem::take(&mut self.rest).into_iter(), late).collect();
        }
        let hot = (
            std::mem::take(&mut self.hot),
            std::mem::take(&mut self.cell),
        );
        // What comes out goes in again behind what is left, in the same room.
        for _ in 0..self.rest.len() {
            let first = self.rest.pop_front();
            first
                .into_iter()
                .for_each(|cell| self.widen_one(cell, length));
        }
        self.widen_one(hot, length);
    }

    /// Adds what an interval of half the length has, in order.
    fn widen_one(&mut self, (at, cell): (u32, Cell), length: u64) {
        let part = match at % 2 {
            0 => cell.part,
            // It changes in the middle: what follows in this one is a part of it.
            _ => {
                let rest = cell.whole.saturating_mul(length.cast_signed());
                cell.part.saturating_add(rest)
            }
        };
        self.at(at / 2).add(0, part);
        if cell.whole != 0 {
            self.at(at.div_ceil(2)).add(cell.whole, 0);
        }
    }

    /// What an interval has; it and those before it are forgotten.
    pub(crate) fn take(&mut self, interval: u32, length: u64) -> u64 {
        let mut part = 0;
        while let Some((at, cell)) = self.pop_until(interval) {
            self.base = self.base.saturating_add(cell.whole);
            part += if at == interval { cell.part } else { 0 };
        }
        let whole = self.base.saturating_mul(length.cast_signed());
        part.saturating_add(whole).max(0).cast_unsigned()
    }

    fn pop_until(&mut self, interval: u32) -> Option<(u32, Cell)> {
        if self.hot <= interval && self.cell != Cell::default() {
            return Some((self.hot, std::mem::take(&mut self.cell)));
        }
        if self.rest.front().is_some_and(|&(at, _)| at <= interval) {
            return self.rest.pop_front();
        }
        let first = self.late.first_entry()?;
        (*first.key() <= interval).then(|| first.remove_entry())
    }

    /// Stretches of intervals that have the same: first, first behind, and how much each has.
    pub(crate) fn stretches(&self, end: u32, length: u64) -> Vec<(u32, u32, u64)> {
        stretches(self.cells(), self.base, end, length)
    }
}

/// Two in order as one in order.
fn merged(
    one: impl Iterator<Item = (u32, Cell)>,
    other: impl Iterator<Item = (u32, Cell)>,
) -> impl Iterator<Item = (u32, Cell)> {
    let (mut one, mut other) = (one.peekable(), other.peekable());
    let at = |next: Option<&(u32, Cell)>| next.map(|&(at, _)| at);
    from_fn(move || match (at(one.peek()), at(other.peek())) {
        (Some(a), Some(b)) if b < a => other.next(),
        (None, _) => other.next(),
        _ => one.next(),
    })
}

/// What cells in order of their intervals come to.
fn stretches(
    cells: impl Iterator<Item = (u32, Cell)>,
    base: i64,
    end: u32,
    length: u64,
) -> Vec<(u32, u32, u64)> {
    let (mut stretches, mut whole) = (Vec::new(), base);
    let length = length.cast_signed();
    let each = |whole: i64, part: i64| {
        let ns = whole.saturating_mul(length).saturating_add(part);
        ns.max(0).cast_unsigned()
    };
    let mut next = 0;
    for (at, cell) in cells.take_while(|&(at, _)| at < end) {
        if at > next && whole > 0 {
            stretches.push((next, at, each(whole, 0)));
        }
        whole = whole.saturating_add(cell.whole);
        stretches.push((at, at + 1, each(whole, cell.part)));
        next = at + 1;
    }
    if end > next && whole > 0 {
        stretches.push((next, end, each(whole, 0)));
    }
    stretches
}

/// Several series as one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    cells: BTreeMap<u32, Cell>,
    base: i64,
}

impl Sum {
    pub(crate) fn add(&mut self, series: &Series) {
        self.base = self.base.saturating_add(series.base);
        for (at, cell) in series.cells() {
            self.cells.entry(at).or_default().add(cell.whole, cell.part);
        }
    }

    /// See [`Series::stretches`].
    pub(crate) fn stretches(&self, end: u32, length: u64) -> Vec<(u32, u32, u64)> {
        let cells = self.cells.iter().map(|(&at, &cell)| (at, cell));
        stretches(cells, self.base, end, length)
    }

    /// What each interval has.
    pub(crate) fn each(&self, end: u32, length: u64) -> Vec<u64> {
        let mut all = vec![0; end as usize];
        for (from, to, ns) in self.stretches(end, length) {
            all[from as usize..to as usize].fill(ns);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn each(series: &Series, end: u32, length: u64) -> Vec<u64> {
        let mut sum = Sum::default();
        sum.add(series);
        sum.each(end, length)
    }

    /// By hand: a span and an interval have so much in common.
    fn expected(spans: &[(u64, u64)], end: u32, length: u64) -> Vec<u64> {
        let common = |k: u64| {
            let in_interval = |&(from, to): &(u64, u64)| {
                to.min((k + 1) * length)
                    .saturating_sub(from.max(k * length))
            };
            spans.iter().map(in_interval).sum()
        };
        (0..u64::from(end)).map(common).collect()
    }

    #[test]
    fn a_span_is_cut_at_the_borders() {
        let mut series = Series::default();
        series.add(5, 35, 10);
        series.add(12, 14, 10);
        series.add(20, 20, 10);
        assert_eq!(each(&series, 5, 10), [5, 12, 10, 5, 0]);
        assert_eq!(series.total(), 32);
    }

    #[test]
    fn intervals_are_taken_while_later_ones_are_added_to() {
        let mut series = Series::default();
        series.add(5, 58, 10);
        assert_eq!(series.take(0, 10), 5);
        series.add(51, 57, 10);
        assert_eq!(series.take(1, 10), 10);
        series.add(3, 4, 10);
        series.add(52, 53, 10);
        assert_eq!(
            [2, 3, 4, 5, 6].map(|k| series.take(k, 10)),
            [10, 10, 10, 15, 0]
        );
    }

    #[test]
    fn what_comes_late_is_in_its_place() {
        let mut series = Series::default();
        let spans: Vec<(u64, u64)> = (0..1000)
            .map(|n| n * 619 % 1000 * 10)
            .map(|at| (at, at + 13))
            .collect();
        for &(from, to) in &spans {
            series.add(from, to, 10);
        }
        assert!(!series.late.is_empty(), "they come in no order");
        assert_eq!(each(&series, 1_002, 10), expected(&spans, 1_002, 10));
        let mut wide = series.clone();
        wide.widen(10);
        assert_eq!(each(&wide, 501, 20), expected(&spans, 501, 20));
        let all = expected(&spans, 1_002, 10);
        let taken: Vec<u64> = (0..1_002).map(|k| series.take(k, 10)).collect();
        assert_eq!(taken, all);
    }

    proptest! {
        #[test]
        fn intervals_have_what_spans_cover(
            spans in prop::collection::vec((0u64..400, 0u64..200), 0..30),
            length in 1u64..40,
            taken in 0u32..12,
        ) {
            let spans: Vec<(u64, u64)> = spans.iter().map(|&(from, l)| (from, from + l)).collect();
            let mut series = Series::default();
            for &(from, to) in &spans {
                series.add(from, to, length);
            }
            let end = (600 / length) as u32 + 1;
            prop_assert_eq!(each(&series, end, length), expected(&spans, end, length));
            let mut wide = series.clone();
            wide.widen(length);
            let half = end.div_ceil(2);
            prop_assert_eq!(each(&wide, half, 2 * length), expected(&spans, half, 2 * length));
            let all = expected(&spans, end.max(taken + 1), length);
            prop_assert_eq!(series.take(taken, length), all[taken as usize]);
            if taken + 1 < end {
                prop_assert_eq!(series.take(taken + 1, length), all[taken as usize + 1]);
            }
        }
    }
}
