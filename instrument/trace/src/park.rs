//! Parks, every one of them: what an exact recording of `java.util.concurrent` is made of.
//!
//! Rewritten, `LockSupport` tells when a thread parks, when it goes on, and who unparks whom. The agent lays the
//! three side by side: a [`Park`] is told when it is over. What it is on is a lock object like any other
//! ([`crate::record::LockDef`]), with a [`SyncDef`](crate::parked::SyncDef). Needs
//! [`feature::PARKS`](crate::chunk::feature::PARKS).

use crate::ids::{LockId, Nanos, StackId, ThreadId};
use crate::wire::{Input, WireError, put_i64, put_u32, put_u64};

type Result<T> = std::result::Result<T, WireError>;

/// A thread parked, and went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Park {
    /// The thread.
    pub thread: ThreadId,
    /// Its blocker, if it named one.
    pub lock: Option<LockId>,
    /// When it was about to park.
    pub from: Nanos,
    /// When it went on; of one whose end was not seen, the same as `from`.
    pub to: Nanos,
    /// For how long it meant to park at most, rounded up to microseconds; those of 35 minutes and more say so much,
    /// and where it was given as a point in time it is up to a millisecond short: 0 if that had come already.
    pub limit: Option<Nanos>,
    /// How it ended.
    pub end: ParkEnd,
    /// The first unpark since it had gone on from its park before: it may have come before this park began,
    /// which then ended at once.
    pub unpark: Option<Unpark>,
    /// The call chain by which it parked, if one was taken: from the method that parks on. Needs
    /// [`feature::CHAINS`](crate::chunk::feature::CHAINS).
    pub stack: Option<StackId>,
}

/// Somebody unparked a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unpark {
    /// Who.
    pub by: ThreadId,
    /// When he was about to.
    pub at: Nanos,
    /// The call chain by which he did, like that of the park.
    pub stack: Option<StackId>,
}

/// How a park ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ParkEnd {
    /// It was unparked.
    Unparked,
    /// Nobody unparked it, and its time was over.
    TimedOut,
    /// Nobody unparked it, and it is interrupted.
    Interrupted,
    /// Nothing is known that ended it: it went on by itself, or what did was not seen.
    Unknown,
    /// The end was not seen.
    Unseen,
    /// It was parked still when the recording ended.
    Open,
}

const ENDS: [ParkEnd; 6] = [
    ParkEnd::Unparked,
    ParkEnd::TimedOut,
    ParkEnd::Interrupted,
    ParkEnd::Unknown,
    ParkEnd::Unseen,
    ParkEnd::Open,
];
const END: u8 = 7;
const HAS_LOCK: u8 = 8;
const HAS_LIMIT: u8 = 16;
const HAS_UNPARK: u8 = 32;
const HAS_STACK: u8 = 64;
const HAS_UNPARK_STACK: u8 = 128;

pub(crate) fn encode(out: &mut Vec<u8>, park: &Park) {
    let flag = |on: bool, bit: u8| if on { bit } else { 0 };
    let unparked_by = park.unpark.and_then(|unpark| unpark.stack);
    out.push(
        park.end as u8
            | flag(park.lock.is_some(), HAS_LOCK)
            | flag(park.limit.is_some(), HAS_LIMIT)
            | flag(park.unpark.is_some(), HAS_UNPARK)
            | flag(park.stack.is_some(), HAS_STACK)
            | flag(unparked_by.is_some(), HAS_UNPARK_STACK),
    );
    let delta = |from: Nanos, to: Nanos| to.0.wrapping_sub(from.0) as i64;
    put_u32(out, park.thread.0);
    put_u64(out, park.from.0);
    put_i64(out, delta(park.from, park.to));
    if let Some(lock) = park.lock {
        put_u32(out, lock.0);
    }
    if let Some(limit) = park.limit {
        put_u64(out, limit.0);
    }
    if let Some(unpark) = park.unpark {
        put_u32(out, unpark.by.0);
        put_i64(out, delta(unpark.at, park.to));
    }
    for stack in park.stack.into_iter().chain(unparked_by) {
        put_u32(out, stack.0);
    }
}

pub(crate) fn decode(input: &mut Input<'_>) -> Result<Park> {
    let flags = input.u8()?;
    let end = ENDS.get(usize::from(flags & END)).copied();
    let end = end.ok_or(WireError::Range)?;
    let has = |bit: u8| flags & bit != 0;
    if has(HAS_UNPARK_STACK) && !has(HAS_UNPARK) {
        return Err(WireError::Range);
    }
    let thread = ThreadId(input.u32()?);
    let from = input.u64()?;
    let to = from.wrapping_add(input.i64()? as u64);
    let mut park = Park {
        thread,
        lock: None,
        from: Nanos(from),
        to: Nanos(to),
        limit: None,
        end,
        unpark: None,
        stack: None,
    };
    if has(HAS_LOCK) {
        park.lock = Some(LockId(input.u32()?));
    }
    if has(HAS_LIMIT) {
        park.limit = Some(Nanos(input.u64()?));
    }
    if has(HAS_UNPARK) {
        let by = ThreadId(input.u32()?);
        let at = Nanos(to.wrapping_sub(input.i64()? as u64));
        let stack = None;
        park.unpark = Some(Unpark { by, at, stack });
    }
    if has(HAS_STACK) {
        park.stack = Some(StackId(input.u32()?));
    }
    if let Some(unpark) = park.unpark.as_mut().filter(|_| has(HAS_UNPARK_STACK)) {
        unpark.stack = Some(StackId(input.u32()?));
    }
    Ok(park)
}
