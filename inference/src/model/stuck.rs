//! Threads that had not come back when the recording ended, and whom they were waiting for.

use crate::model::CallChain;
use locklens_trace::Nanos;

/// Threads each of which is blocked on what the next one holds, the last on what the first holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// The ring, from its lowest thread id on.
    pub threads: Vec<Stuck>,
}

/// A thread that has not come back: what it stands at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// Name.
    pub thread: String,
    /// Java thread id.
    pub tid: Option<u64>,
    /// Since when; zero: since before the recording.
    pub since: Nanos,
    /// The lock object it wants or waits on.
    pub object: u32,
    /// Class of that object.
    pub class: String,
    /// The logical lock it belongs to, if that is shown.
    pub lock: Option<u32>,
    /// How the holder of that object is known; none: it is not, or nobody was looked for.
    pub known: Option<KnownBy>,
}

/// A lock object that threads were still blocked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blockage {
    /// The threads, the longest blocked first; never empty. They all name the same object.
    pub threads: Vec<Stuck>,
    /// Who held it.
    pub holder: Holder,
    /// The holder waits without a time-out on something else, holding this: whoever is to notify it must
    /// not need this first (a *nested monitor lockout*, if that is who the blocked threads are).
    pub may_be_lockout: bool,
}

impl Blockage {
    /// The thread that was blocked for the longest time.
    #[must_use]
    pub fn first(&self) -> &Stuck {
        &self.threads[0]
    }
}

/// Who held what others were blocked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// That is not known.
    Unknown,
    /// Nobody at that moment: one of the blocked threads was about to have it.
    Nobody,
    /// A thread.
    Thread {
        /// Name.
        thread: String,
        /// Java thread id.
        tid: Option<u64>,
        /// What says so.
        known: KnownBy,
        /// What it stood at itself; none: it was seen neither blocked nor waiting.
        stand: Option<Stand>,
        /// What it was doing when the recording ended; none: that is not known.
        chain: Option<CallChain>,
    },
}

/// How a holder is known, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KnownBy {
    /// The JVM named it when the recording ended.
    End,
    /// The JVM named it when the other began to block, and it was blocked or waiting elsewhere already: it
    /// cannot have let go since.
    StillThere,
    /// Its call chain stands in a region that locks this very object.
    CallChain,
    /// The JVM named it when the other began to block. It may have let go since.
    Beginning,
}

/// What a holder stood at itself: a monitor, or a lock of `java.util.concurrent` that it was parked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stand {
    /// It waited there; else it was blocked.
    pub waits: bool,
    /// Such a wait has a time-out.
    pub timed: bool,
    /// Where and since when.
    pub at: Stuck,
}
