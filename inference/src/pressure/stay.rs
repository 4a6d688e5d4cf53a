//! What a thread is doing: running, acquiring a monitor, or waiting.

use super::hold::Holds;
use locklens_trace::Nanos;

/// See the module.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Doing {
    /// Anything that is not one of the others: scheduled out, asleep and in the system, too.
    #[default]
    Running,
    /// Blocked on a monitor.
    Blocked(Stay),
    /// In `Object.wait`.
    Waiting(Stay),
    /// Its wait is over, and the monitor is not held again: known of exact recordings only.
    Returning(Stay),
}

/// A stay in one of these.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stay {
    /// Slot of the lock.
    pub(super) lock: u32,
    /// Where it counts.
    pub(super) site: u32,
    /// Since when.
    pub(super) began: u64,
    /// What came before has been counted.
    pub(super) since: u64,
    /// When somebody notified it.
    pub(super) notified: Option<u64>,
    /// Gaps in the trace before it.
    pub(super) gaps: u64,
}

impl Stay {
    /// From this time on it acquires.
    pub(super) fn from(self, at: u64) -> Self {
        Self {
            since: at.max(self.since),
            ..self
        }
    }
}

/// What is known of a thread.
#[derive(Debug, Default)]
pub(super) struct Thread {
    /// Its time is counted.
    pub(super) counts: bool,
    /// A definition says so, or it was decided without one.
    pub(super) decided: bool,
    /// It was there when the recording began, and is a platform thread.
    pub(super) was_there: bool,
    /// Since when it lives; what came before has been counted.
    pub(super) alive: Option<u64>,
    /// It has ended.
    pub(super) ended: bool,
    /// An event of it has come.
    pub(super) heard: bool,
    pub(super) doing: Doing,
    /// It is among those of which that was noted.
    pub(super) is_busy: bool,
    pub(super) holds: Holds,
}

impl Thread {
    /// What it is blocked on or waits for; it is neither afterwards.
    pub(super) fn leave(&mut self) -> Doing {
        std::mem::take(&mut self.doing)
    }
}

/// The time, as far as it is followed.
pub(super) fn bounded(at: Nanos) -> u64 {
    at.0.min(super::series::LATEST)
}
