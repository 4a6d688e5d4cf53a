//! One step of a program, as every source of traces can tell it.
//!
//! Ids are dense: a source numbers threads, locks, variables and places from 0 in the order in which it meets
//! them, so that tables are as long as what was seen, whatever names a trace has.

use std::collections::BTreeSet;

/// A thread of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thread(pub u32);

/// A lock object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lock(pub u32);

/// A variable that threads share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

/// What was read where, and where it had been written; a source numbers them, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reading(pub u32);

impl Reading {
    /// That a thread began after what others had done: perhaps because of that.
    pub(super) const START: Self = Self(u32::MAX);
    /// That a thread was unparked by another one.
    pub(super) const UNPARK: Self = Self(u32::MAX - 1);
}

/// Why a step comes after one of another thread, the strongest reason first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bond {
    /// In every run: a start, a join.
    Must,
    /// The other let it go on at this lock: in every run if nobody else can do that there.
    Opened(Lock),
    /// It is presumed to.
    Presumed,
    /// It stood there when the trace began: what it waited for is not known, and may have been this.
    Stood,
    /// It read what the other wrote, in a trace that has every read.
    Read,
    /// It read, or may have read, what the other wrote: whether that matters to it is not known.
    Data(Reading),
}

/// A place in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(pub u32);

/// In which way a lock is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// By one thread alone: a monitor, a write lock.
    #[default]
    Exclusive,
    /// Together with others: a read lock.
    Shared,
    /// So many of several permits.
    Permit(u32),
}

impl Mode {
    /// As printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exclusive => "exclusive",
            Self::Shared => "shared",
            Self::Permit(_) => "permit",
        }
    }

    /// A number of its own.
    pub(super) fn code(self) -> u64 {
        match self {
            Self::Exclusive => 0,
            Self::Shared => 1,
            Self::Permit(count) => u64::from(count) << 8 | 2,
        }
    }

    /// How many permits that are.
    pub(super) fn permits(self) -> u32 {
        match self {
            Self::Permit(count) => count,
            Self::Exclusive | Self::Shared => 0,
        }
    }

    /// Whether one that is held so can keep out who wants it in the other way.
    #[must_use]
    pub fn keeps_out(self, wanted: Self) -> bool {
        !matches!((self, wanted), (Self::Shared, Self::Shared))
    }

    /// Whether two threads can never hold it so at the same time. Of permits there may be enough.
    #[must_use]
    pub fn excludes(self, other: Self) -> bool {
        use Mode::{Permit, Shared};
        !matches!((self, other), (Shared, Shared) | (Permit(_), Permit(_)))
    }
}

/// What a thread did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// It began.
    Begin,
    /// It ended.
    End,
    /// It is about to take a lock, which it may not get.
    Request {
        /// Which.
        lock: Lock,
        /// How.
        mode: Mode,
        /// It gives up after a while.
        timed: bool,
    },
    /// It has the lock, one level more.
    Acquire {
        /// Which.
        lock: Lock,
        /// How.
        mode: Mode,
    },
    /// One level less.
    Release(Lock),
    /// It holds the lock in this way from now on, without having had to wait for that.
    Turn {
        /// Which.
        lock: Lock,
        /// How.
        mode: Mode,
    },
    /// It takes the lock, unless it has got it back with the end of a wait.
    Retake(Lock),
    /// It waits to be notified, and gives up all levels of a lock meanwhile.
    Wait {
        /// What is notified: a monitor, or a condition of the lock.
        lock: Lock,
        /// The lock that it gives up.
        gives: Option<Lock>,
        /// It gives up after a while.
        timed: bool,
        /// The lock is this thread, which notifies when it ends.
        joins: Option<Thread>,
    },
    /// The wait that it is in has a limit.
    Limited,
    /// Its wait is over, and it has the lock again.
    Returned {
        /// What it waited to be notified of.
        lock: Lock,
        /// Nobody notified it.
        timed_out: bool,
    },
    /// It notifies who waits on a lock.
    Notify {
        /// Which.
        lock: Lock,
        /// All of them.
        all: bool,
    },
    /// It counts a latch down, or comes to where others wait for it.
    Opens {
        /// Which.
        lock: Lock,
        /// What is over for it with that.
        over: Over,
    },
    /// It comes to where others meet it.
    Arrives(Lock),
    /// It does what may let others go on there, whether it did this time or not.
    MayOpen(Lock),
    /// It comes to a latch, and may have to wait there.
    Awaits {
        /// Which.
        lock: Lock,
        /// It gives up after a while.
        timed: bool,
        /// Who lets it go on.
        by: By,
    },
    /// It comes past a latch or a barrier: what others did for that came before.
    Passes {
        /// Which.
        lock: Lock,
        /// Whose part was needed.
        needs: Needs,
    },
    /// It begins to run what was left for it there by those who arrived.
    Enters {
        /// Where.
        lock: Lock,
        /// The first to arrive did so before any run of that.
        needed: bool,
    },
    /// It begins to run the task that was handed over there: that came before, the last time that it was.
    Runs(Lock),
    /// It has run that, and all it has begun to run within it.
    Leaves(Lock),
    /// It puts an element into a queue.
    Puts(Lock),
    /// It has got an element out of a queue for which it would have waited.
    Had(Lock),
    /// It has put an element into a queue.
    Gave(Lock),
    /// It has got an element out of a queue, however it did.
    Fetched {
        /// Which.
        queue: Lock,
        /// It may have lain there, and nobody have been waiting for it.
        lay: bool,
        /// Where those wait who take, if that is known: who takes tells the next of them that there is more.
        filled: Option<Lock>,
    },
    /// It takes the element that has been in it longest, or any of them.
    Takes {
        /// Which.
        lock: Lock,
        /// Which one it is nobody knows.
        any: bool,
    },
    /// It reads what others may have written.
    Read(Var),
    /// It writes what others may read.
    Write(Var),
    /// It reads what was, or may have been, written last to one of the variables that stand for what is read.
    Saw {
        /// Which.
        wrote: Var,
        /// What was read where.
        reading: Reading,
    },
    /// It starts a thread.
    Fork {
        /// Which.
        child: Thread,
        /// That it was this one is inferred.
        presumed: bool,
    },
    /// It has seen a thread end; it was at this step that it had to wait for that.
    Join {
        /// Which.
        child: Thread,
        /// It would have gone on after a while.
        timed: bool,
    },
    /// All that another thread did until now is presumed to come before this.
    Follows(Thread),
    /// It stood there when the trace began, and all that another thread did until now may be what it waited for.
    StoodFor(Thread),
    /// All that another thread did until now may come before this in every run, for this reason.
    MayFollow(Thread, Reading),
    /// Steps are missing here: what it holds is not known any more.
    Forget,
    /// Anything else.
    Other,
}

/// Whose part was needed to come past something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Needs {
    /// Everybody's.
    All,
    /// Only one thread ever did any: at least the first of it.
    First,
    /// That of any one of several, who need not be known.
    Any,
    /// As it went this time, at most what had been done.
    #[default]
    Unknown,
}

/// What is over for a thread that lets others go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Nothing: it may have more to do there.
    Nothing,
    /// A task, of which there is a result. Who is told of that by the thread itself, or of what follows the task, waits for what
    /// the task took, too, until the thread comes to the next one.
    Task,
    /// All that it had to do.
    All,
}

/// Who lets a thread go on that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Who lets others go on there next.
    Next,
    /// He did, before it came.
    Was(Thread),
    /// It is not known who, or several do.
    Any,
}

/// What more is known of a lock than its steps show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nature {
    /// Who wants to share it waits behind one who waits to have it alone.
    pub queues: bool,
    /// Who wants permits stands behind who came before, also if those want more than there are.
    pub fair: bool,
    /// Who shares it never gets it alone, not even if nobody else shares it.
    pub never_turns: bool,
    /// Who has it is let in again.
    pub reentrant: bool,
    /// How many permits there are.
    pub permits: Option<Permits>,
    /// How many, the code that makes it says.
    pub counted_by_code: bool,
    /// It is a latch.
    pub latch: Option<Needs>,
    /// It is where threads wait for each other to come.
    pub meets: bool,
    /// It is one that threads count down by their ends: whatever they do comes before.
    pub ends: bool,
    /// Who waits there gives up after a while, every time.
    pub limited: bool,
    /// It may have had permits that nobody gave.
    pub spare: bool,
    /// The program has built it of a monitor: what its operations do is inferred.
    pub built: bool,
}

impl Default for Nature {
    fn default() -> Self {
        Self {
            queues: false,
            fair: false,
            never_turns: false,
            reentrant: true,
            permits: None,
            counted_by_code: false,
            latch: None,
            meets: false,
            ends: false,
            limited: false,
            spare: false,
            built: false,
        }
    }
}

/// How long threads wait, where their steps do not say it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patience {
    /// Each wait of the thread at this condition had a limit. Others may wait there for ever.
    pub limited: BTreeSet<(Thread, Lock)>,
    /// Where the thread only tried to have this lock alone it did so at once: it never stood in line.
    pub at_once: BTreeSet<(Thread, Lock)>,
}

/// How many permits a semaphore has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permits {
    /// At least so many.
    pub least: u32,
    /// Exactly so many, if that is known.
    pub all: Option<u32>,
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Who.
    pub thread: Thread,
    /// What.
    pub op: Op,
    /// Where; none if that is not known.
    pub site: Option<Site>,
}
