//! What a timeline tells: stays, holds and queues, one by one.

use super::stay::Why;
use locklens_trace::juc::Operation;
use locklens_trace::park::Park;
use locklens_trace::record::{Frame, Lost};
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use smallvec::SmallVec;

/// Something that a recording knows of a time.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// A thread was held up.
    Stay(Span),
    /// A thread held a lock.
    Hold(Hold),
    /// More or fewer threads are held up at a lock than before.
    Queue(Queued),
    /// A lock of `java.util.concurrent` was used.
    Used(Operation),
    /// Events are missing.
    Lost(Lost),
}

impl Happening {
    /// When it was over.
    #[must_use]
    pub fn at(&self) -> Nanos {
        match self {
            Self::Stay(span) => span.to,
            Self::Hold(hold) => hold.to,
            Self::Queue(queued) => queued.at,
            Self::Used(operation) => operation.at,
            Self::Lost(lost) => lost.to,
        }
    }
}

/// Why a thread did not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// It wanted a monitor.
    Monitor,
    /// It wanted it back after a wait.
    AfterWait,
    /// In `Object.wait`.
    Wait,
    /// Parked for a lock of `java.util.concurrent` that somebody holds.
    Acquire,
    /// Parked for anything else.
    Parked,
}

/// What is known of how long something was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// It was as long as it is told.
    Exact,
    /// Looks at parked threads tell it.
    Estimate,
    /// Nobody knows: it is told with no length.
    Unknown,
}

/// A thread held up, from beginning to end.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Why.
    pub kind: Kind,
    /// By which lock object, if that is known.
    pub lock: Option<LockId>,
    /// Who.
    pub thread: ThreadId,
    /// Since when.
    pub from: Nanos,
    /// Until when; never before `from`.
    pub to: Nanos,
    /// How long it was.
    pub length: Length,
    /// Its call chain, …
    pub stack: Option<StackId>,
    /// … and the frame of it that says most.
    pub site: Option<Frame>,
    /// Others who were blocked at the same object when it came.
    pub others: u32,
    /// Who held the lock meanwhile, or of a wait who ended it; in the order in which they did.
    pub shares: Shares,
    /// Who let it go on.
    pub waker: Option<Waker>,
}

/// Parts of a stay. Most have one or two, and of each million stays of a second that are told one by one no memory is fetched.
pub type Shares = SmallVec<[Share; 2]>;

/// A part of a stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Whose.
    pub by: By,
    /// Where that thread held the lock.
    pub site: Option<Frame>,
    /// How much in all.
    pub time: Nanos,
}

/// Whom a part of a stay is charged to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    /// This thread.
    Thread(ThreadId),
    /// The lock was free.
    Nobody,
    /// It is not known.
    Unknown(Why),
    /// Those for whom there was no room.
    Others,
}

/// Who released the lock, notified or unparked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waker {
    /// Who.
    pub thread: ThreadId,
    /// When.
    pub at: Nanos,
}

/// A thread held a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// Which object.
    pub lock: LockId,
    /// Who.
    pub thread: ThreadId,
    /// Since when.
    pub from: Nanos,
    /// Until when.
    pub to: Nanos,
    /// Where it was taken.
    pub stack: Option<StackId>,
}

/// How many are held up at a logical lock from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queued {
    /// Since when.
    pub at: Nanos,
    /// Index of the lock in the model.
    pub index: usize,
    /// Threads that are blocked.
    pub blocked: u32,
    /// Threads in `Object.wait`.
    pub waiting: u32,
}

impl Span {
    /// A park that nobody is to blame for.
    pub(super) fn parked(park: &Park) -> Self {
        Self {
            kind: Kind::Parked,
            lock: park.lock,
            thread: park.thread,
            from: park.from,
            to: park.to.max(park.from),
            length: Length::Exact,
            stack: park.stack,
            site: None,
            others: 0,
            shares: Shares::new(),
            waker: park.unpark.map(|unpark| Waker {
                thread: unpark.by,
                at: unpark.at,
            }),
        }
    }
}
