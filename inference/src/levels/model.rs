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
    /// When events are missing.
    pub losses: Vec<(Nanos, Nanos)>,
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
