//! What a thread had to do with the life of another: it started it, or has waited for its end.
//!
//! No JVM reports who starts a thread, nor that somebody asked for the end of one that had ended already. Rewritten, `Thread.start`
//! and `Thread.join` tell, and the constructor of virtual threads, whose start cannot: who makes one is told to start it. That somebody
//! is about to start a thread is told before that one's own start, or, where it would come too late for that, not at all; that he has
//! come back from a `join` says that the thread has ended if its end is told to be of before. Needs
//! [`feature::KIN`](crate::chunk::feature::KIN).

use crate::ids::{Nanos, ThreadId};
use crate::wire::{Input, WireError, put_u32, put_u64};

type Result<T> = std::result::Result<T, WireError>;

/// A thread did something to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kin {
    /// When.
    pub at: Nanos,
    /// Who.
    pub thread: ThreadId,
    /// To whom.
    pub other: ThreadId,
    /// What.
    pub tie: Tie,
}

/// What a thread did to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tie {
    /// Is about to start it, or has just made it, a virtual one.
    Starts,
    /// Has come back from `join`. Older agents tell those with a limit so, too.
    Joined,
    /// Has come back from one that had a limit. Needs [`feature::LIMITS`](crate::chunk::feature::LIMITS).
    JoinedInTime,
}

impl Tie {
    /// A word for people and programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Starts => "starts",
            Self::Joined => "joined",
            Self::JoinedInTime => "joined-in-time",
        }
    }
}

pub(crate) fn encode(out: &mut Vec<u8>, kin: &Kin) {
    out.push(kin.tie as u8);
    put_u64(out, kin.at.0);
    put_u32(out, kin.thread.0);
    put_u32(out, kin.other.0);
}

pub(crate) fn decode(input: &mut Input<'_>) -> Result<Kin> {
    let tie = match input.u8()? {
        0 => Tie::Starts,
        1 => Tie::Joined,
        2 => Tie::JoinedInTime,
        _ => return Err(WireError::Range),
    };
    Ok(Kin {
        tie,
        at: Nanos(input.u64()?),
        thread: ThreadId(input.u32()?),
        other: ThreadId(input.u32()?),
    })
}
