//! Where in a file it stands what happened when, so that a part of a recording can be read again without all that was
//! before it.
//!
//! A *block* is a run of whole chunks: where it begins, the times of the records in it, and what was known of threads at
//! its beginning. Blocks get longer the longer the file is, so that there are never more than so many, and what they keep
//! together is bounded.

use super::course;
use super::hold::Holds;
use super::survey::Pending;
use std::ops::Range;

/// Bytes of a file that a block has at least, as long as there are few.
const SHORTEST: u64 = 64 << 10;
/// Blocks there are at most.
const MOST: usize = 1 << 11;
/// Bytes that all of them keep, about.
const BUDGET: usize = 64 << 20;
/// A block begins where not more than so many events wait for their turn, unless that takes too long.
const FEW: usize = 1 << 10;
/// So many times as long a block may get until few wait.
const PATIENCE: u64 = 4;

/// What was known when a block began.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) gaps: u64,
    pub(super) losses: u64,
    /// Slots of threads that were in a stay or held something.
    pub(super) threads: Vec<(u32, Option<Pending>, Holds)>,
    pub(super) course: course::State,
}

impl State {
    /// Bytes, about.
    fn size(&self) -> usize {
        let threads = self.threads.iter();
        let threads: usize = threads.map(|(_, _, holds)| 128 + holds.len() * 48).sum();
        size_of::<Block>() + threads + self.course.size()
    }
}

#[derive(Debug)]
struct Block {
    offset: u64,
    earliest: u64,
    latest: u64,
    state: State,
    size: usize,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Index {
    blocks: Vec<Block>,
    shortest: u64,
    kept: usize,
    budget: usize,
}

impl Default for Index {
    fn default() -> Self {
        Self::within(SHORTEST, BUDGET)
    }
}

impl Index {
    /// One whose blocks have so many bytes of the file at first, and keep so much together.
    pub(super) fn within(shortest: u64, budget: usize) -> Self {
        Self {
            blocks: Vec::new(),
            shortest,
            kept: 0,
            budget,
        }
    }

    /// Whether a block should begin here, where so many events wait for their turn.
    pub(super) fn wants(&self, offset: u64, waiting: usize) -> bool {
        let Some(last) = self.blocks.last() else {
            return true;
        };
        let length = offset.saturating_sub(last.offset);
        let enough = length >= self.shortest && waiting <= FEW;
        enough || length >= self.shortest.saturating_mul(PATIENCE)
    }

    /// A block begins.
    pub(super) fn begin(&mut self, offset: u64, state: State) {
        let size = state.size();
        self.kept += size;
        self.blocks.push(Block {
            offset,
            earliest: u64::MAX,
            latest: 0,
            state,
            size,
        });
        while self.blocks.len() > MOST || self.kept > self.budget && self.blocks.len() > 2 {
            self.thin();
        }
    }

    /// A record of that time is in the last block.
    #[inline]
    pub(super) fn passed(&mut self, at: u64) {
        if let Some(block) = self.blocks.last_mut() {
            block.earliest = block.earliest.min(at);
            block.latest = block.latest.max(at);
        }
    }

    /// Two blocks become one.
    #[cold]
    fn thin(&mut self) {
        let mut all = std::mem::take(&mut self.blocks).into_iter();
        while let Some(mut block) = all.next() {
            if let Some(next) = all.next() {
                block.earliest = block.earliest.min(next.earliest);
                block.latest = block.latest.max(next.latest);
            }
            self.blocks.push(block);
        }
        self.shortest = self.shortest.saturating_mul(2);
        self.kept = self.blocks.iter().map(|block| block.size).sum();
    }

    /// What to read for all records between two times: the state to begin with, and the part of the file. That goes on to
    /// its end if all that is behind the first time is wanted. None if there is nothing to read.
    pub(super) fn part(&self, from: u64, to: Option<u64>) -> Option<(&State, Range<u64>)> {
        let first = self.blocks.iter().position(|block| block.latest >= from)?;
        let is_wanted = |block: &Block| to.is_none_or(|to| block.earliest <= to);
        let last = self.blocks.iter().rposition(is_wanted)?;
        let begin = self.blocks.get(first..=last)?.first()?;
        let end = self.blocks.get(last + 1).map_or(u64::MAX, |b| b.offset);
        Some((&begin.state, begin.offset..end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of 10 bytes, each with the times of its offset and 5 more.
    fn index(blocks: u64) -> Index {
        let mut index = Index::within(10, usize::MAX);
        for offset in (0..blocks).map(|n| n * 10) {
            assert!(index.wants(offset, 0));
            index.begin(offset, State::default());
            index.passed(offset);
            index.passed(offset + 5);
        }
        index
    }

    fn part(index: &Index, from: u64, to: Option<u64>) -> Option<Range<u64>> {
        index.part(from, to).map(|(_, part)| part)
    }

    #[test]
    fn a_span_reads_the_blocks_that_have_its_times() {
        let index = index(4);
        assert_eq!(part(&index, 12, Some(14)), Some(10..20));
        assert_eq!(part(&index, 5, Some(20)), Some(0..30));
        assert_eq!(part(&index, 26, None), Some(30..u64::MAX));
        assert_eq!(part(&index, 36, None), None);
        assert_eq!(part(&index, 16, Some(18)), None);
    }

    #[test]
    fn a_block_that_comes_late_is_read_too() {
        let mut index = index(3);
        index.passed(2);
        assert_eq!(part(&index, 0, Some(4)), Some(0..u64::MAX));
    }

    #[test]
    fn a_block_begins_where_few_events_wait_or_when_that_takes_too_long() {
        let index = index(1);
        assert!(!index.wants(9, 0) && index.wants(10, FEW));
        assert!(!index.wants(10, FEW + 1) && index.wants(40, FEW + 1));
    }

    #[test]
    fn there_are_never_more_than_so_many() {
        let index = index(MOST as u64 + 1);
        assert_eq!(index.blocks.len(), MOST / 2 + 1);
        assert!(!index.wants((MOST as u64 + 1) * 10, 0));
        assert_eq!(part(&index, 26, Some(28)), Some(20..40));
    }

    #[test]
    fn what_they_keep_is_bounded() {
        let mut index = Index::within(1, 40 * size_of::<Block>());
        for offset in 0..1_000 {
            if index.wants(offset, 0) {
                index.begin(offset, State::default());
            }
        }
        assert!(index.blocks.len() <= 40 && index.blocks.len() > 10);
    }
}
