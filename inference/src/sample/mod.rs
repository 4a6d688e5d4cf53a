//! Thread states, looked at now and then: what share of its time each thread, or group of threads, spends how, and where.
//!
//! A *sample* is one look at all threads of a JVM, wherever it comes from: a thread dump ([`dump`] reads its text), or the
//! agent's looks at its threads. [`Fold`] adds samples up as they come and keeps rows, never samples; [`Profile`] is what it
//! comes to. [`filter`] says which frame of a call chain counts as its place, [`group`] which threads are one group.
//!
//! Not here: events. Nothing of this knows how long anything took; it knows how often it was found.

pub mod dump;
pub mod filter;
mod fold;
pub mod group;
mod looks;
mod profile;

use filter::{Filter, Frame};
use std::fmt;

pub use fold::Fold;
pub use looks::Looks;
pub use profile::{By, Keys, Profile, Row};

/// What a thread was doing, as the JVM calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Blocked on a monitor.
    Blocked,
    /// Parked, as locks of `java.util.concurrent` do.
    Parked,
    /// The same with a time-out.
    ParkedTimed,
    /// In `Object.wait`.
    Waiting,
    /// The same with a time-out.
    WaitingTimed,
    /// In `Thread.sleep`.
    Sleeping,
    /// Running, ready to run, or in a call of the system: the JVM does not tell these apart.
    Runnable,
    /// The source does not say.
    Unknown,
}

impl State {
    /// All of them, the painful first.
    pub const ALL: [Self; 8] = [
        Self::Blocked,
        Self::Parked,
        Self::ParkedTimed,
        Self::Waiting,
        Self::WaitingTimed,
        Self::Sleeping,
        Self::Runnable,
        Self::Unknown,
    ];

    /// Its name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::Parked => "parked",
            Self::ParkedTimed => "parked-timed",
            Self::Waiting => "waiting",
            Self::WaitingTimed => "waiting-timed",
            Self::Sleeping => "sleeping",
            Self::Runnable => "runnable",
            Self::Unknown => "unknown",
        }
    }

    /// Whether a thread in it stands still, and so has a place.
    #[must_use]
    pub fn stands(self) -> bool {
        !matches!(self, Self::Runnable | Self::Unknown)
    }
}

/// Where a thread stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// At this frame, the innermost that is not filtered out.
    At(String),
    /// All frames of its call chain are filtered out.
    Filtered,
    /// Its call chain is not known.
    #[default]
    Unknown,
}

/// What a thread stands at, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// Class of the lock, condition or monitor; none where it is not known, or where there is none.
    pub lock: Option<String>,
    /// Where.
    pub location: Location,
}

/// A thread as a sample names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Who {
    /// Its number in the JVM, if known.
    pub tid: Option<u64>,
    /// Its name.
    pub name: String,
    /// The group it is counted in.
    pub group: String,
    /// Its `ThreadGroup`, if known.
    pub thread_group: Option<String>,
}

/// What one look found of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Which thread.
    pub who: Who,
    /// What it was doing.
    pub state: State,
    /// Where, if it [`State::stands`].
    pub spot: Option<Spot>,
    /// Frames of its call chain that are filtered out.
    pub filtered: u64,
}

/// How to look at what a source says of a thread: which frames count, and which threads are one group.
pub struct Lens {
    /// Which frames count.
    pub filter: Filter,
    /// The group of a thread of this name.
    pub group: Box<dyn Fn(&str) -> String>,
}

impl Default for Lens {
    fn default() -> Self {
        Self {
            filter: Filter::default(),
            group: Box::new(group::folded),
        }
    }
}

impl fmt::Debug for Lens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.filter.fmt(f)
    }
}

impl Lens {
    /// A finding: number, name and `ThreadGroup` of a thread, its state, its call chain and what it stands at.
    #[must_use]
    pub fn seen(
        &self,
        (tid, name, thread_group): (Option<u64>, &str, Option<&str>),
        state: State,
        frames: &[Frame],
        lock: Option<String>,
    ) -> Seen {
        let (location, filtered) = self.filter.locate(frames);
        let stands = state.stands();
        Seen {
            who: Who {
                tid,
                name: name.to_owned(),
                group: (self.group)(name),
                thread_group: thread_group.map(str::to_owned),
            },
            state,
            spot: stands.then_some(Spot { lock, location }),
            filtered: if stands { filtered } else { 0 },
        }
    }
}
