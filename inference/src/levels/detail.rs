//! Of a part of a recording every stay, one by one: what the longest of the whole leave out.
//!
//! A [`Surveyor`] that was told where chunks begin ([`Surveyor::mark`]) can be sent back to any of its blocks. What it is
//! then shown again it takes for stays as before. No stay that was left out is longer than the longest of them, so all that
//! touch a span begin and end not farther from it than that: nothing else is read.

use super::Surveyor;
use super::draft::{Draft, Order};
use super::index::State;
use super::longest::{Longest, Stay};
use super::model::Span;
use super::owned::Owned;
use super::strips::Strips;
use super::survey::STAYS;
use locklens_trace::{Nanos, Record, ThreadId};
use std::ops::Range;

/// A surveyor that can be sent back.
#[derive(Debug)]
pub struct Detail<'a> {
    surveyor: Surveyor<'a>,
    order: Order,
    left_out: [LeftOut; 3],
}

/// Which stays of one kind were left out of the longest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LeftOut {
    any: bool,
    /// The longest of them.
    cut: u64,
    /// The shortest that was kept: all that are left out come before it in their order.
    least: Option<Stay>,
}

impl LeftOut {
    pub(super) fn of(longest: &Longest) -> Self {
        Self {
            any: longest.left_out > 0,
            cut: longest.cut,
            least: longest.shortest().copied(),
        }
    }

    fn has(&self, stay: &Stay) -> bool {
        self.any && self.least.is_none_or(|least| *stay < least)
    }
}

/// A part of a recording that is read again.
#[derive(Debug)]
pub struct Reading<'d, 'a> {
    detail: &'d mut Detail<'a>,
    from: Nanos,
    to: Nanos,
    to_end: bool,
    part: Range<u64>,
}

/// What is looked for in a part that is read again.
#[derive(Debug)]
pub(super) struct Wanted {
    from: u64,
    to: u64,
    left_out: [LeftOut; 3],
}

impl Wanted {
    /// A stay of that kind was left out, and touches the span.
    pub(super) fn is(&self, deed: usize, stay: &Stay) -> bool {
        let end = stay.from.0.saturating_add(stay.length);
        self.left_out[deed].has(stay) && stay.from.0 <= self.to && end >= self.from
    }
}

impl<'a> Detail<'a> {
    pub(super) fn of(mut surveyor: Surveyor<'a>, order: Order, left_out: [LeftOut; 3]) -> Self {
        surveyor.strips = Strips::new(0, surveyor.last);
        surveyor.course.stocks.follow_nothing();
        Self {
            surveyor,
            order,
            left_out,
        }
    }

    /// Begins to read what there is between two times; none if no stay was left out, or nothing happened there.
    pub fn read(&mut self, from: Nanos, to: Nanos) -> Option<Reading<'_, 'a>> {
        let left_out = self.left_out.iter().filter(|of| of.any);
        let cut = left_out.map(|of| of.cut).max()?;
        let end = to.0.saturating_add(cut);
        let to_end = end >= self.surveyor.last;
        let wanted = Wanted {
            from: from.0,
            to: to.0,
            left_out: self.left_out,
        };
        let index = self.surveyor.index.take()?;
        let found = index.part(from.0.saturating_sub(cut), (!to_end).then_some(end));
        let part = found.map(|(state, part)| {
            self.surveyor.rewind(state, part.start, wanted);
            part
        });
        self.surveyor.index = Some(index);
        Some(Reading {
            part: part?,
            detail: self,
            from,
            to,
            to_end,
        })
    }
}

impl Reading<'_, '_> {
    /// The part of the file that is to be read: from the chunk at its start up to the one at its end.
    #[must_use]
    pub fn part(&self) -> Range<u64> {
        self.part.clone()
    }

    /// Takes in the next record of that part.
    #[inline]
    pub fn push(&mut self, record: &Record) {
        self.detail.surveyor.push(record);
    }

    /// Something of that part could not be read.
    pub fn gap(&mut self) {
        self.detail.surveyor.gap();
    }

    /// Ends it.
    #[must_use]
    pub fn finish(self) -> Span {
        let surveyor = &mut self.detail.surveyor;
        if self.to_end {
            surveyor.settle();
        }
        let (woke, held) = (surveyor.course.finish(), surveyor.owned.finish());
        let longest = surveyor.take_longest();
        let told = Draft::of(surveyor, &self.detail.order, (&woke, &held)).stays(longest);
        Span {
            from: self.from,
            to: self.to,
            stays: told,
        }
    }
}

impl Surveyor<'_> {
    /// A chunk of the file begins here. Without a word of that nothing can be read again.
    pub fn mark(&mut self, offset: u64) {
        self.here = offset;
        let index = self.index.get_or_insert_default();
        if !index.wants(offset, self.course.waiting()) {
            return;
        }
        let state = self.state();
        self.index.get_or_insert_default().begin(offset, state);
    }

    fn state(&self) -> State {
        let slots = 0..self.threads.len() as u32;
        let busy = slots.filter_map(|slot| {
            let thread = self.threads.peek(slot);
            let busy = thread.pending.is_some() || thread.holds.len() > 0;
            busy.then(|| (slot, thread.pending, thread.holds.clone()))
        });
        State {
            gaps: self.gaps,
            losses: self.losses,
            threads: busy.collect(),
            course: self.course.state(),
        }
    }

    /// Knows what it knew where that block began, and has kept nothing.
    fn rewind(&mut self, state: &State, offset: u64, wanted: Wanted) {
        (self.gaps, self.losses) = (state.gaps, state.losses);
        self.here = offset;
        for thread in self.threads.values_mut() {
            (thread.pending, thread.holds) = (None, Default::default());
            thread.seen = thread.first.is_some_and(|first| first < offset);
        }
        // Beside those that are wanted there are those that were kept.
        self.owned = Owned::new(self.collected, 2 * STAYS);
        for (slot, pending, holds) in &state.threads {
            self.owned.hold(ThreadId(self.threads.id(*slot)), holds);
            let thread = self.threads.at(*slot);
            (thread.pending, thread.holds) = (*pending, holds.clone());
        }
        self.longest = [(); 3].map(|()| Longest::new(STAYS));
        let span = (wanted.from, wanted.to);
        self.course.rewind(&state.course, span, STAYS);
        self.wanted = Some(wanted);
    }
}
