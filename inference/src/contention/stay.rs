//! A blocked stay and the pieces it is divided into: what flows from those who follow locks to those who count.

use locklens_trace::{LockId, Nanos, StackId, ThreadId};

/// What kind of synchronisation somebody was held up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Entering a monitor.
    Monitor,
    /// Entering it again after a wait.
    AfterWait,
    /// Parked for a lock of `java.util.concurrent` or the like.
    Parked,
    /// In an operation of a lock that the program has built of a monitor, waiting until it may go on.
    Logical,
    /// In `Object.wait`, whatever for: not blocked, and listed only when asked for.
    Wait,
}

impl Group {
    /// Who is held up by it may go to sleep several times for one acquisition.
    pub(super) fn may_have_parts(self) -> bool {
        matches!(self, Self::Parked | Self::Logical)
    }

    /// As it is printed and as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Monitor => "monitor",
            Self::AfterWait => "monitor after wait",
            Self::Parked => "java.util.concurrent",
            Self::Logical => "lock of the program",
            Self::Wait => "wait",
        }
    }
}

/// Why it is not known who held a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// Between the observations that contention gives, others may have held it.
    Unseen,
    /// The recording of its enters and exits had only begun.
    Before,
    /// It was entered or left in code that reports nothing.
    Elsewhere,
    /// Events are missing.
    Lost,
    /// Several may have held it together, and who is not recorded.
    Shared,
    /// No look was taken at who held it, or that look found none.
    NotLooked,
    /// Nobody was seen to notify.
    NoNotify,
    /// Who has passed through a lock of the program's own could not be followed.
    Uncounted,
    /// It was known once: there was no room to remember it until the stay was over.
    Forgotten,
}

impl Why {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Unseen,
        Self::Before,
        Self::Elsewhere,
        Self::Lost,
        Self::Shared,
        Self::NotLooked,
        Self::NoNotify,
        Self::Uncounted,
        Self::Forgotten,
    ];

    /// A word for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unseen => "unseen",
            Self::Before => "before",
            Self::Elsewhere => "elsewhere",
            Self::Lost => "lost",
            Self::Shared => "shared",
            Self::NotLooked => "not-looked",
            Self::NoNotify => "no-notify",
            Self::Uncounted => "uncounted",
            Self::Forgotten => "forgotten",
        }
    }
}

/// Whom a piece of a stay is charged to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Holder {
    Thread(ThreadId),
    /// The lock was free: who was blocked was not awake yet.
    Nobody,
    /// Nobody: there was nothing to take.
    Empty,
    /// Those who hold each other up for ever.
    Cycle,
    Unknown(Why),
}

/// A call chain of a holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Chain {
    pub(super) stack: StackId,
    pub(super) end: Inner,
    /// How much of it is known.
    pub(super) sure: Sure,
}

/// What the inner end of a chain is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Inner {
    /// Where the lock is taken or given back.
    Edge,
    /// Somewhere inside the region that holds it, which lies further out.
    Region,
    /// Wherever a look at the thread found it.
    Look,
}

/// How much of a chain is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Sure {
    Method,
    Site,
    All,
}

impl Chain {
    /// One that begins where the lock is taken or given back.
    pub(super) fn at_end(stack: StackId) -> Self {
        Self {
            stack,
            end: Inner::Edge,
            sure: Sure::All,
        }
    }

    /// One that a look at the thread took.
    pub(super) fn looked_at(stack: StackId) -> Self {
        Self {
            end: Inner::Look,
            ..Self::at_end(stack)
        }
    }

    pub(super) fn inside(stack: StackId) -> Self {
        Self {
            stack,
            end: Inner::Region,
            sure: Sure::All,
        }
    }
}

/// A part of a stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) from: Nanos,
    pub(super) to: Nanos,
    pub(super) holder: Holder,
    pub(super) chain: Option<Chain>,
    /// Its holder is inferred from contention, and too few looks have tested that.
    pub(super) untested: bool,
}

impl Piece {
    pub(super) fn new(from: Nanos, to: Nanos, holder: Holder, chain: Option<Chain>) -> Self {
        Self {
            from,
            to,
            holder,
            chain,
            untested: false,
        }
    }

    /// Whom it is charged to, and on what grounds: what two that can be one have in common.
    pub(super) fn charge(&self) -> (Holder, Option<Chain>, bool) {
        (self.holder, self.chain, self.untested)
    }

    pub(super) fn unknown(from: Nanos, to: Nanos, why: Why) -> Self {
        Self::new(from, to, Holder::Unknown(why), None)
    }

    pub(super) fn ns(&self) -> u64 {
        self.to.since(self.from).0
    }

    /// What of it lies between these times, if anything does.
    pub(super) fn clipped(&self, from: Nanos, to: Nanos) -> Option<Self> {
        let (from, to) = (self.from.max(from), self.to.min(to));
        (from < to).then_some(Self { from, to, ..*self })
    }
}

/// A thread held up, from beginning to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stay {
    pub(super) group: Group,
    pub(super) lock: LockId,
    pub(super) waiter: ThreadId,
    pub(super) stack: Option<StackId>,
    /// Ascending; they fill the stay, but for the moments between the parts that it was put together from.
    pub(super) pieces: Vec<Piece>,
    pub(super) measure: Measure,
    pub(super) part: Part,
}

/// Who wants a lock may park or wait several times until it has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Part {
    /// The first time, or the only one.
    #[default]
    First,
    /// Once more, after the last stay of the same thread at the same lock.
    Later,
    /// Nobody can tell which.
    Unclear,
}

impl Stay {
    /// Of a wait: it ended by no time-out, and no notify was seen.
    pub(super) fn is_ended_by_nobody(&self) -> bool {
        let why = Holder::Unknown(Why::NoNotify);
        self.pieces.iter().all(|piece| piece.holder == why)
    }
}

/// How long a stay was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// As long as its pieces.
    Exact,
    /// As long as its pieces, by estimate; false: it is the same stay as one counted before.
    Estimate(bool),
    /// Nobody knows.
    Unknown,
}
