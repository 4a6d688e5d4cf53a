//! Threads that had not come back when the recording ended, and whom they were waiting for.

use crate::effects::is_platform_name;
use crate::model::CallChain;
use crate::stuck::is_awaiting_peers;
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
    /// Of a thread in a deadlock: where it stands, as far as known.
    pub chain: Option<CallChain>,
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
    /// When somebody who was blocked on it got it last; zero: nobody was seen to. Whoever holds it has not held it for longer.
    pub handed_on: Nanos,
}

impl Blockage {
    /// Since when it has been as it was at the end: the longest blocked thread at this holder. Zero: since before the recording.
    #[must_use]
    pub fn since(&self) -> Nanos {
        self.first().since.max(self.handed_on)
    }

    /// The thread that was blocked for the longest time.
    #[must_use]
    pub fn first(&self) -> &Stuck {
        &self.threads[0]
    }

    /// The holder waits for somebody to connect, as one of several acceptors does that take turns: nothing is to be done.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let Holder::Thread {
            chain: Some(chain), ..
        } = &self.holder
        else {
            return false;
        };
        let mut above = chain.frames.iter().take_while(|at| is_platform_name(at));
        above.any(|frame| is_awaiting_peers(frame))
    }
}

/// Who held what others were blocked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// That is not known.
    Unknown,
    /// Nobody at that moment: one of the blocked threads was about to have it.
    Nobody,
    /// Readers. No field names them.
    Readers,
    /// A thread.
    Thread {
        /// Name.
        thread: String,
        /// Java thread id.
        tid: Option<u64>,
        /// What says so.
        known: KnownBy,
        /// Since when every look at parked threads found it so; zero: since the first. None of monitors.
        since: Option<Nanos>,
        /// It has ended, and will not let go of it.
        ended: bool,
        /// What it stood at itself; none: it was seen neither blocked nor waiting.
        stand: Option<Box<Stand>>,
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
    /// It was recorded that it took the object, and not that it let go of it, where all of its steps are recorded.
    Steps,
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

/// Threads parked on one object from the first look to the last, without a time-out, or waiting in one logical lock,
/// for something that nobody is known to owe them: whether they are stuck or idle depends on the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standstill {
    /// The threads; never empty. Those that are parked all name the same object.
    pub threads: Vec<Stuck>,
    /// What they want.
    pub wants: Wants,
    /// They took no processor time meanwhile; else it is only known that each look found them there.
    pub proven: bool,
    /// The least and the most that the object's state was seen to be: permits free, counts left.
    pub state: Option<(i64, i64)>,
    /// The object stands for all of its class, or of the logical lock.
    pub shared: bool,
    /// Where the first of them stands.
    pub chain: Option<CallChain>,
}

impl Standstill {
    /// The first of the threads.
    #[must_use]
    pub fn first(&self) -> &Stuck {
        &self.threads[0]
    }

    /// Nobody made room all the time: who should is stuck or gone, or wants nothing more for now.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.proven && self.wants == Wants::Room
    }
}

/// What a parked thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wants {
    /// Room in a queue, or somebody to hand something over to.
    Room,
    /// Something to take from a queue: idle, as a rule.
    Elements,
    /// A permit.
    Permit,
    /// That a latch opens.
    Count,
    /// The result of a task.
    Result,
    /// The others at a barrier.
    Parties,
    /// A notify, of whatever it tells.
    Notify,
}
