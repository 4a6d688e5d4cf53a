//! What looks at all threads found: the states of threads, where no event is recorded.
//!
//! A [`Sighting`] is told when a thread is found doing something else than before, or elsewhere; a [`Look`] ends each look.
//! What is not told has not changed: a look found every thread that has a sighting and is not told to be gone. Both need
//! [`feature::LOOKS`](crate::chunk::feature::LOOKS).

use crate::ids::{LockId, Nanos, StackId, ThreadId};
use crate::wire::{Input, WireError, put_u32, put_u64};

type Result<T> = std::result::Result<T, WireError>;

/// What the JVM says a thread is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThreadState {
    /// Running, ready to run, or in a call of the system.
    Runnable,
    /// Blocked on a monitor.
    Blocked,
    /// In `Object.wait`.
    Waiting,
    /// The same with a time-out.
    WaitingTimed,
    /// Parked.
    Parked,
    /// The same with a time-out.
    ParkedTimed,
    /// In `Thread.sleep`.
    Sleeping,
    /// The JVM does not say, as of what carries a virtual thread.
    Unknown,
}

const STATES: [ThreadState; 8] = [
    ThreadState::Runnable,
    ThreadState::Blocked,
    ThreadState::Waiting,
    ThreadState::WaitingTimed,
    ThreadState::Parked,
    ThreadState::ParkedTimed,
    ThreadState::Sleeping,
    ThreadState::Unknown,
];
const STATE: u8 = 15;
const GONE: u8 = 15;
const HAS_LOCK: u8 = 16;
const HAS_STACK: u8 = 32;
const ALL: u8 = 63;

/// What a look found of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// The thread.
    pub thread: ThreadId,
    /// What it does; none: it is no longer there.
    pub state: Option<ThreadState>,
    /// What it blocks, waits or is parked on, where that is known.
    pub lock: Option<LockId>,
    /// Its call chain, where one was taken.
    pub stack: Option<StackId>,
}

/// A look at all platform threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// When it began.
    pub at: Nanos,
    /// Threads without an id, as a table was full: they have no sightings.
    pub untold: u32,
}

pub(crate) fn encode_sighting(out: &mut Vec<u8>, seen: &Sighting) {
    let code = |state| STATES.iter().position(|&s| s == state);
    let state = seen.state.and_then(code).map_or(GONE, |code| code as u8);
    let flag = |on: bool, bit: u8| if on { bit } else { 0 };
    out.push(state | flag(seen.lock.is_some(), HAS_LOCK) | flag(seen.stack.is_some(), HAS_STACK));
    put_u32(out, seen.thread.0);
    if let Some(lock) = seen.lock {
        put_u32(out, lock.0);
    }
    if let Some(stack) = seen.stack {
        put_u32(out, stack.0);
    }
}

pub(crate) fn decode_sighting(input: &mut Input<'_>) -> Result<Sighting> {
    let flags = input.u8()?;
    let state = match flags & STATE {
        GONE => None,
        code => Some(*STATES.get(usize::from(code)).ok_or(WireError::Range)?),
    };
    if flags & !ALL != 0 {
        return Err(WireError::Range);
    }
    let thread = ThreadId(input.u32()?);
    let mut number = |bit: u8| -> Result<Option<u32>> {
        match flags & bit != 0 {
            true => Ok(Some(input.u32()?)),
            false => Ok(None),
        }
    };
    Ok(Sighting {
        thread,
        state,
        lock: number(HAS_LOCK)?.map(LockId),
        stack: number(HAS_STACK)?.map(StackId),
    })
}

pub(crate) fn encode_look(out: &mut Vec<u8>, look: &Look) {
    put_u64(out, look.at.0);
    put_u32(out, look.untold);
}

pub(crate) fn decode_look(input: &mut Input<'_>) -> Result<Look> {
    Ok(Look {
        at: Nanos(input.u64()?),
        untold: input.u32()?,
    })
}
