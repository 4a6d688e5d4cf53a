//! Who holds a lock of readers and writers, and who waits for it.

use super::super::interval::Interval;

/// Who holds what.
pub(super) struct State {
    pub(super) reads: Vec<i64>,
    pub(super) writes: Vec<i64>,
    /// Writers that wait; none: did so before the state was lost.
    pub(super) pending: Vec<Option<bool>>,
    pub(super) all_reads: i64,
    pub(super) all_writes: i64,
    pub(super) all_pending: i64,
    pub(super) maybe_pending: i64,
    /// Everybody who waits, in order of arrival, and whether to write.
    pub(super) line: Vec<(usize, bool)>,
    /// Held since before the history began.
    pub(super) old_reads: Interval,
    pub(super) old_writes: Interval,
}

impl State {
    pub(super) fn unknown(threads: usize) -> Self {
        Self {
            reads: vec![0; threads],
            writes: vec![0; threads],
            pending: vec![Some(false); threads],
            all_reads: 0,
            all_writes: 0,
            all_pending: 0,
            maybe_pending: 0,
            line: Vec::new(),
            old_reads: Interval::UNKNOWN,
            old_writes: Interval { lo: 0, hi: 1 },
        }
    }

    pub(super) fn other_reads(&self, t: usize) -> i64 {
        self.all_reads - self.reads[t]
    }

    pub(super) fn other_writes(&self, t: usize) -> i64 {
        self.all_writes - self.writes[t]
    }

    /// Whether another thread is reading; none: not known.
    pub(super) fn read_by_other(&self, t: usize) -> Option<bool> {
        if self.other_reads(t) > 0 {
            Some(true)
        } else {
            self.old_reads.at_least(1)
        }
    }

    pub(super) fn written_by_other(&self, t: usize) -> Option<bool> {
        if self.other_writes(t) > 0 {
            Some(true)
        } else {
            self.old_writes.at_least(1)
        }
    }

    pub(super) fn set_pending(&mut self, t: usize, pending: bool) {
        let old = self.pending[t].replace(pending);
        self.all_pending += i64::from(pending) - i64::from(old == Some(true));
        self.maybe_pending -= i64::from(old.is_none());
    }

    /// A thread waits, or has gone on.
    pub(super) fn stand(&mut self, t: usize, writing: bool, waits: bool) {
        let stands = self.line.iter().position(|w| w.0 == t);
        match (stands, waits) {
            (None, true) => self.line.push((t, writing)),
            (Some(at), false) => drop(self.line.remove(at)),
            _ => {}
        }
    }

    /// Whether somebody came before who still waits: to write, if only that is in the way.
    pub(super) fn comes_after(&self, t: usize, writers: bool) -> bool {
        let before = self.line.iter().take_while(|w| w.0 != t);
        before.into_iter().any(|w| w.1 || !writers)
    }

    /// Whether another thread waits to write; none: not known.
    pub(super) fn queued(&self, t: usize) -> Option<bool> {
        let others = self.all_pending - i64::from(self.pending[t] == Some(true));
        let perhaps = self.maybe_pending - i64::from(self.pending[t].is_none());
        if others > 0 {
            Some(true)
        } else {
            (perhaps == 0).then_some(false)
        }
    }

    /// Everything is unknown again, but who waited may still wait.
    pub(super) fn forget(&mut self, threads: usize) {
        let pending = self
            .pending
            .iter()
            .map(|&p| if p == Some(false) { p } else { None });
        let pending: Vec<_> = pending.collect();
        let maybe_pending = pending.iter().filter(|p| p.is_none()).count() as i64;
        *self = Self {
            pending,
            maybe_pending,
            ..Self::unknown(threads)
        };
    }

    /// Nobody but this thread is writing.
    pub(super) fn no_other_writer(&mut self, t: usize) {
        if self.other_writes(t) > 0 {
            let own = self.writes[t];
            self.writes.fill(0);
            (self.writes[t], self.all_writes) = (own, own);
        }
        self.old_writes = Interval::exactly(0);
    }

    pub(super) fn no_other_reader(&mut self, t: usize) {
        if self.other_reads(t) > 0 {
            let own = self.reads[t];
            self.reads.fill(0);
            (self.reads[t], self.all_reads) = (own, own);
        }
        self.old_reads = Interval::exactly(0);
    }

    /// What is held by threads nobody saw taking it may be anything.
    pub(super) fn doubt(&mut self) {
        self.old_reads = Interval::UNKNOWN;
        self.old_writes = Interval { lo: 0, hi: 1 };
    }
}
