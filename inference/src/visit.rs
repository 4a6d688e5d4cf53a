//! Visits: the atomic stays in a monitor that checkers reason about.
//!
//! Between acquisition and release a monitor is exclusive, so a visit is one step of an abstract
//! machine. A `wait` splits a stay in two: the first visit ends waiting, the next one begins
//! resumed, in the same region.
//!
//! [`fold`] makes them of completed sequences.

pub mod fold;

use crate::region::RegionId;
use locklens_trace::{LockId, Nanos, ThreadId};

/// Whether something was seen or deduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// The JVM or a probe reported it.
    Observed,
    /// Inference inserted it.
    Inferred,
}

/// How a visit began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Begin {
    /// By acquiring the monitor from outside the region.
    Fresh {
        /// The thread blocked first.
        blocked: bool,
    },
    /// By returning from `wait`, which the JVM says was ended by time-out or not.
    Resumed {
        /// Ended by time-out.
        timed_out: bool,
    },
    /// By returning from `wait` because somebody interrupted the thread: nobody needs to have notified it, and its time was
    /// not up.
    Interrupted,
}

impl Begin {
    /// By returning from `wait`.
    pub(crate) fn is_resumed(self) -> bool {
        !matches!(self, Self::Fresh { .. })
    }

    /// By returning from `wait`, where nobody needs to have notified it.
    pub(crate) fn is_unnotified(self) -> bool {
        matches!(self, Self::Resumed { timed_out: true } | Self::Interrupted)
    }
}

/// How a visit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finish {
    /// The region was left.
    Left,
    /// The thread called `wait`.
    Waits {
        /// With this time-out.
        timeout: Option<Nanos>,
    },
    /// Not known (end of the trace, or a reset).
    Unknown,
}

/// What a visit notified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notified {
    /// Nobody, as far as is known: in an incomplete sequence this means "not seen".
    No,
    /// One waiter.
    One(Mark),
    /// All waiters.
    All(Mark),
}

/// One atomic stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Who.
    pub thread: ThreadId,
    /// Where (the outermost region on this lock).
    pub region: RegionId,
    /// When the monitor was acquired (upper bound if inferred).
    pub at: Nanos,
    /// When it ended (lower bound if inferred or not known).
    pub until: Nanos,
    /// How it began.
    pub begin: Begin,
    /// Whether the beginning was observed.
    pub begin_mark: Mark,
    /// How it ended.
    pub finish: Finish,
    /// Whether the end was observed.
    pub finish_mark: Mark,
    /// What it notified.
    pub notified: Notified,
}

/// One element of the history of a lock object, in the order of the monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A stay in the monitor.
    Visit(Visit),
    /// From here on the state of the lock is unknown again.
    Reset(Nanos),
    /// The lock object is a thread (or stands for one) and that thread ended.
    SubjectEnded(Nanos),
}

/// The history of one lock object, or of one window of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The lock object; none in synthetic data.
    pub lock: Option<LockId>,
    /// Its steps in order. Several windows of one object are separated by a [`Step::Reset`].
    pub steps: Vec<Step>,
    /// Every stay between first and last step is there, releases and notifies included. When
    /// false, any region may have run unseen between two steps.
    pub complete: bool,
    /// Threads still waiting when the recording ended, and in which region.
    pub still_waiting: Vec<(ThreadId, RegionId)>,
}

impl History {
    /// Puts the end of the thread that the lock object is where that thread told of it. As its last act it took its own
    /// monitor and notified, and then it took a moment to end, in which those it woke went on. If anybody began to
    /// wait after that, it told of something else.
    pub fn end_as_told(&mut self, subject: ThreadId) {
        let ended = |step: &Step| matches!(step, Step::SubjectEnded(_));
        let Some(end) = self.steps.iter().position(ended).filter(|_| self.complete) else {
            return;
        };
        let own = |step: &Step| matches!(step, Step::Visit(visit) if visit.thread == subject);
        let Some(last) = self.steps[..end].iter().rposition(own) else {
            return;
        };
        let tells = |step: &Step| matches!(step, Step::Visit(visit) if visit.notified != Notified::No && visit.finish == Finish::Left);
        let goes_on =
            |step: &Step| matches!(step, Step::Visit(visit) if visit.finish == Finish::Left);
        if tells(&self.steps[last]) && self.steps[last + 1..end].iter().all(goes_on) {
            self.steps[last + 1..=end].rotate_right(1);
        }
    }
}
