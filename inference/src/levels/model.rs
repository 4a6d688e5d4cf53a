//! The result: buckets by thread and lock, and the longest stays.

use crate::model::CallChain;
use locklens_trace::{LockId, Nanos, StackId};
use std::collections::BTreeMap;

/// See the module above.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Levels {
    /// From when on it is known who holds what, if it is.
    pub begin: Nanos,
    /// The end of the recording.
    pub end: Nanos,
    /// Width of a bucket; the first begins at zero.
    pub bucket: Nanos,
    /// How many there are.
    pub buckets: u32,
    /// The threads of the program, and service threads of which something is told; in the order of their numbers.
    pub threads: Vec<ThreadRow>,
    /// Threads that share the last row.
    pub further: u64,
    /// What threads did, in order of thread, lock and deed. Without what nobody did.
    pub strips: Vec<Strip>,
    /// The longest stays of each kind: blocked, waiting, holding.
    pub longest: [Longest; 3],
    /// The call chains that these mention.
    pub chains: BTreeMap<StackId, CallChain>,
    /// What the types of locks call for, in order of locks.
    pub stocks: Vec<StockRow>,
    /// Width of the buckets of these.
    pub stock_bucket: Nanos,
    /// Lock objects of the stays that are threads: the rows of those.
    pub targets: BTreeMap<LockId, u32>,
    /// When events are missing.
    pub losses: Vec<(Nanos, Nanos)>,
    /// Times that threads were blocked or waited between whose ends events may be missing: they are nowhere above.
    pub unmeasured: u64,
}

/// A thread, or those for which there was no row any more.
#[derive(Clone, Debug, PartialEq)]
pub struct ThreadRow {
    /// Its name; none of the row that several share.
    pub name: Option<String>,
    /// Its number in the JVM.
    pub tid: u64,
    /// The name of its group, if known.
    pub group: Option<String>,
    /// It is a virtual thread.
    pub is_virtual: bool,
    /// It is of the JVM's own, or carries virtual threads.
    pub service: bool,
    /// How long it lived in each bucket.
    pub alive: Vec<Stretch>,
}

/// Buckets in a row that have the same: the first, the first behind, and how much each has, ns.
pub type Stretch = (u32, u32, u64);

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Deed {
    /// Blocked on a monitor, or parked to own a lock.
    Blocked,
    /// In `Object.wait`, or parked for something to come about.
    Waiting,
    /// Holding it, alone or with others.
    Holding,
}

impl Deed {
    /// All of them, in order.
    pub const ALL: [Self; 3] = [Self::Blocked, Self::Waiting, Self::Holding];

    /// A word for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::Waiting => "waiting",
            Self::Holding => "holding",
        }
    }
}

/// What one thread did with one logical lock.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// Index of the thread's row.
    pub thread: u32,
    /// Index of the lock in the report's model; none for locks that it leaves out.
    pub lock: Option<u32>,
    /// What.
    pub deed: Deed,
    /// How long in each bucket; what has none is left out.
    pub stretches: Vec<Stretch>,
}

/// The longest stays of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Longest {
    /// In order of their beginning.
    pub kept: Vec<Interval>,
    /// How many more there were.
    pub left_out: u64,
    /// The longest of those.
    pub cut: Nanos,
}

/// Stays one by one, and what is told with them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Singles {
    /// The longest of each kind: blocked, waiting, holding.
    pub longest: [Longest; 3],
    /// The call chains that they mention.
    pub chains: BTreeMap<StackId, CallChain>,
    /// Lock objects of them that are threads: the rows of those.
    pub targets: BTreeMap<LockId, u32>,
}

/// All that the longest stays of a recording leave out in a part of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Span {
    /// From when on.
    pub from: Nanos,
    /// Until when.
    pub to: Nanos,
    /// Stays that touch that time; where there are too many, the longest of them.
    pub stays: Singles,
}

/// One stay.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// Index of the thread's row.
    pub thread: u32,
    /// See [`Strip::lock`].
    pub lock: Option<u32>,
    /// Number of the lock object.
    pub object: LockId,
    /// When it began, and when it ended.
    pub from: Nanos,
    /// See there.
    pub to: Nanos,
    /// From where.
    pub stack: Option<StackId>,
    /// The region, as `Class.method`, if it is known.
    pub region: Option<String>,
    /// Who held the lock when it began.
    pub owner: Holder,
    /// Who ended it, if that is known.
    pub woken: Option<Woken>,
    /// For how long it was meant to last at most.
    pub limit: Option<Nanos>,
    /// It is shared with others: reading, or permits.
    pub shared: bool,
    /// It goes on when the recording ends.
    pub open: bool,
    /// Looks at parked threads found it: its length is an estimate.
    pub estimate: bool,
}

/// Who held a lock when somebody began to be blocked on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// It is not known.
    Unknown,
    /// It had just been released.
    Nobody,
    /// The thread of that row.
    Row(u32),
}

/// Somebody ended a stay: notified, or unparked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Woken {
    /// Index of his row.
    pub by: u32,
    /// When he did.
    pub at: Nanos,
    /// Others waited there as well: that it was meant for this one is inferred.
    pub inferred: bool,
}

/// How many there are of what the type of a lock calls for.
#[derive(Clone, Debug, PartialEq)]
pub struct StockRow {
    /// Index of the lock in the report's model.
    pub lock: u32,
    /// Of what.
    pub kind: StockKind,
    /// How well it is known.
    pub sure: Sure,
    /// How many, by bucket; and each change, if there were not too many. Of readers and writer both, in this order.
    pub parts: Vec<(Vec<Step>, Option<Vec<Change>>)>,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StockKind {
    /// Threads that read, and that write.
    ReadersWriter,
    /// Permits that are left.
    PermitsLeft,
    /// Elements in the queue.
    QueueLength,
    /// Threads that have arrived since all were let go on.
    Arrivals,
    /// How often it has to be counted down still.
    CountLeft,
    /// The lock that the program has built is held.
    Held,
}

impl StockKind {
    /// A word for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ReadersWriter => "readers-writer",
            Self::PermitsLeft => "permits-left",
            Self::QueueLength => "queue-length",
            Self::Arrivals => "arrivals",
            Self::CountLeft => "count-left",
            Self::Held => "held",
        }
    }
}

/// How well a number is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sure {
    /// It is so many or more: how many there were at first is not known.
    AtLeast,
    /// Something is missing, or does not agree.
    About,
}

impl Sure {
    /// A word for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AtLeast => "at-least",
            Self::About => "about",
        }
    }
}

/// Buckets in a row that have the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The first bucket, and the first behind.
    pub first: u32,
    /// See there.
    pub end: u32,
    /// The least in each.
    pub least: i64,
    /// The most in each.
    pub most: i64,
    /// The mean of each, in thousandths.
    pub mean: i64,
}

impl Step {
    /// No less than none and no more than that is told.
    pub(super) fn keep_within(&mut self, most: i64) {
        self.least = self.least.clamp(0, most);
        self.most = self.most.clamp(0, most);
        self.mean = self.mean.clamp(0, most.saturating_mul(1000));
    }
}

/// A change of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// When.
    pub at: Nanos,
    /// What it is from then on.
    pub value: i64,
}
