//! Lock types: their vocabulary and the hypotheses checkers make.
//!
//! A [`Hypothesis`] says "these regions are a lock of this type, with these roles and
//! parameters"; [`Evidence`] says how well it fits. The static model and the dynamic checkers
//! speak the same language, so their evidence can be added up as odds.
//!
//! Start reading at `judge`; `log` is what checkers read, `case` what a checker is, `tokens` the
//! simplest machine.

mod absent;
mod barrier;
mod best;
mod case;
mod condition;
mod delay;
mod groups;
mod interval;
mod join;
mod judge;
mod latch;
mod lock;
mod log;
mod missing;
mod mutex;
mod naming;
mod odds;
mod once;
mod order;
mod pairing;
mod producer_consumer;
mod propose;
mod read_write;
mod score;
mod search;
mod semaphore;
mod tokens;
mod turn;
mod waiters;
mod wakers;
mod watched;

pub use judge::judge;

use crate::model::{Options, Verdict};
use crate::region::RegionId;
use crate::visit::History;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Form of a condition that is waited for until others set it, and that they reset.
pub(crate) const EVENT: &str = "resettable event";
/// Form of a condition that is waited for until all who have come are gone.
pub(crate) const WAIT_GROUP: &str = "wait group";

/// What a lock is (inference.md §3, the table).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LockType {
    /// Mutual exclusion, nothing else.
    Mutex,
    /// Timed waits that nobody ends.
    Delay,
    /// Waiting for the end of a thread or task.
    Join,
    /// Opens once.
    Latch,
    /// A number of parties meet.
    Barrier,
    /// Permits.
    Semaphore,
    /// User-written mutual exclusion, released by its holder.
    Lock,
    /// A queue.
    ProducerConsumer,
    /// Shared readers, exclusive writers.
    ReadWrite,
    /// Waits and notifies of another kind.
    Condition,
    /// Only one thread ever used it.
    NotShared,
    /// Too little evidence to say.
    Unknown,
}

impl LockType {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Mutex,
        Self::Delay,
        Self::Join,
        Self::Latch,
        Self::Barrier,
        Self::Semaphore,
        Self::Lock,
        Self::ProducerConsumer,
        Self::ReadWrite,
        Self::Condition,
        Self::NotShared,
        Self::Unknown,
    ];

    /// Name as printed and as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Mutex => "MUTEX",
            Self::Delay => "DELAY",
            Self::Join => "JOIN",
            Self::Latch => "LATCH",
            Self::Barrier => "BARRIER",
            Self::Semaphore => "SEMAPHORE",
            Self::Lock => "LOCK",
            Self::ProducerConsumer => "PRODUCER-CONSUMER",
            Self::ReadWrite => "READ-WRITE",
            Self::Condition => "CONDITION",
            Self::NotShared => "NOT-SHARED",
            Self::Unknown => "UNKNOWN",
        }
    }
}

impl fmt::Display for LockType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What code that nobody saw may do with a lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unseen {
    /// It waits there: whatever the code that is known says, it is no plain lock.
    pub waits: bool,
    /// It may be notified there: that nobody does is not known.
    pub notifies: bool,
}

/// What a region does for its lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are those of the table in `name`")]
pub enum Role {
    Enter,
    Delay,
    Join,
    CountDown,
    Await,
    Arrive,
    Acquire,
    Release,
    Lock,
    Unlock,
    Put,
    Take,
    ReadLock,
    ReadUnlock,
    WriteLock,
    WriteUnlock,
    Wait,
    Notify,
}

impl Role {
    /// Nobody waits in this role: it only lets others go, or enters.
    pub(crate) fn never_waits(self) -> bool {
        matches!(
            self,
            Self::Release
                | Self::Unlock
                | Self::ReadUnlock
                | Self::WriteUnlock
                | Self::CountDown
                | Self::Notify
                | Self::Enter
        )
    }

    /// Name as printed and as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Enter => "enter",
            Self::Delay => "delay",
            Self::Join => "join",
            Self::CountDown => "count-down",
            Self::Await => "await",
            Self::Arrive => "arrive",
            Self::Acquire => "acquire",
            Self::Release => "release",
            Self::Lock => "lock",
            Self::Unlock => "unlock",
            Self::Put => "put",
            Self::Take => "take",
            Self::ReadLock => "read-lock",
            Self::ReadUnlock => "read-unlock",
            Self::WriteLock => "write-lock",
            Self::WriteUnlock => "write-unlock",
            Self::Wait => "wait",
            Self::Notify => "notify",
        }
    }

    /// Whoever comes through has the lock, alone or with others.
    #[must_use]
    pub fn gets(self) -> bool {
        matches!(
            self,
            Self::Acquire | Self::Lock | Self::ReadLock | Self::WriteLock
        )
    }
}

/// The value of a detail.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// A count (permits, capacity, parties).
    Count(u64),
    /// Yes or no (reentrant).
    Flag(bool),
    /// A word (`capacity` = "unbounded", `preference` = "readers", `form` = "object pool").
    Word(String),
}

/// Parameters and properties: permits, capacity, parties, count, reentrant, preference, form.
/// A detail that is not known is absent.
pub type Details = BTreeMap<&'static str, Detail>;

/// These regions are a lock of this type.
#[derive(Clone, Debug, PartialEq)]
pub struct Hypothesis {
    /// The type.
    pub lock_type: LockType,
    /// Which region does what. A region may have several roles.
    pub roles: BTreeMap<Role, BTreeSet<RegionId>>,
    /// Parameters, as far as known.
    pub details: Details,
}

impl Hypothesis {
    /// All regions it uses.
    #[must_use]
    pub fn regions(&self) -> BTreeSet<RegionId> {
        self.roles.values().flatten().copied().collect()
    }

    /// The regions whose role can be to wait.
    #[must_use]
    pub fn waiting(&self) -> BTreeSet<RegionId> {
        let waits = |role: &Role| {
            let unbounded = Detail::Word("unbounded".to_owned());
            match role {
                Role::Put => self.details.get("capacity") != Some(&unbounded),
                role => !role.never_waits(),
            }
        };
        let roles = self.roles.iter().filter(|(role, _)| waits(role));
        roles
            .flat_map(|(_, regions)| regions.iter().copied())
            .collect()
    }
}

/// How well a hypothesis fits one source of evidence. Log-odds are natural logarithms of the
/// likelihood ratio against "plain mutex with unrelated waits".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Sum of the evidence.
    pub log_odds: f64,
    /// Predictions that came true.
    pub confirmed: u64,
    /// Observations the type forbids.
    pub contradicted: u64,
    /// Sentences for it.
    pub pro: Vec<String>,
    /// Sentences against it.
    pub contra: Vec<String>,
    /// The code was run, and went as the hypothesis says.
    pub borne_out: bool,
    /// The code was run, and did not go as the hypothesis says.
    pub refuted: bool,
    /// All of the code that bears on it could be followed: what it does not say is not there.
    pub understood: bool,
    /// The code was run without some of its methods that wait: what these wait for may be another matter.
    pub unrun: bool,
    /// Its regions also wait for what regions without a role change: there is more to the lock than it tells.
    pub beside: bool,
    /// A region waits for so much besides that what was read of it may be one thing by several names, or it does what was not read.
    pub tangled: bool,
    /// How much is taken or given differs from call to call: who counts calls does not know.
    pub by_amount: bool,
    /// Roles which only one thread of an object may play for it to go so when run: with several it does not.
    pub alone: BTreeSet<Role>,
}

/// What the bytecode says of a region as far as a checker may use it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegionFacts {
    /// Method name: may only break ties (prior odds at most 3:1).
    pub name: String,
    /// It can reach a `wait` on this lock; none: bytecode unknown.
    pub may_wait: Option<bool>,
    /// It can reach a `notify` on this lock; none: bytecode unknown.
    pub may_notify: Option<bool>,
    /// It can reach a `notifyAll` on this lock; none: bytecode unknown.
    pub may_notify_all: Option<bool>,
    /// Seen in events.
    pub seen: bool,
}

/// Everything the judgement of one logical lock rests on.
#[derive(Clone, Copy, Debug)]
pub struct TypeInput<'a> {
    /// The histories of its objects.
    pub histories: &'a [History],
    /// Its regions, seen or known from the bytecode only.
    pub regions: &'a BTreeMap<RegionId, RegionFacts>,
    /// What the static model proposes, with its evidence.
    pub seeds: &'a [(Hypothesis, Evidence)],
    /// Its objects are threads.
    pub is_thread: bool,
    /// Several monitors put together as one lock: it has one type, and its parts have none.
    pub is_composite: bool,
    /// More threads may use it than have been seen in it: somebody is blocked on it when the recording ends, or code was left out.
    pub may_be_shared: bool,
    /// What may be done with it where nobody sees it.
    pub unseen: Unseen,
    /// Options of the analysis.
    pub options: &'a Options,
}

/// The judgement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Typing {
    /// Accepted types, best first; UNKNOWN if none.
    pub types: Vec<Verdict>,
    /// Not accepted, best first.
    pub runners_up: Vec<Verdict>,
    /// Where sources contradict each other.
    pub contradictions: Vec<String>,
}
