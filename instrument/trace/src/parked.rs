//! What was seen of parked threads: the locks of `java.util.concurrent`, which make no event.
//!
//! The agent looks at all platform threads now and then. A thread that is parked with a blocker is told
//! as a [`Parked`]: from the first look that found it there to the last, and the time these looks stand for.
//! What it is parked on is a lock object like any other ([`crate::record::LockDef`]), about which a
//! [`SyncDef`] says more. Both need [`feature::SAMPLED`](crate::chunk::feature::SAMPLED).

use crate::ids::{LockId, Nanos, StackId, ThreadId};
use crate::record::Owner;
use crate::wire::{Input, WireError, put_i64, put_u32, put_u64};

type Result<T> = std::result::Result<T, WireError>;

/// What kind of blocker an object is, by the class it extends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SyncKind {
    /// An `AbstractQueuedSynchronizer` or `AbstractQueuedLongSynchronizer`.
    Synchronizer,
    /// A `ConditionObject` of one.
    Condition,
    /// Any other object.
    Other,
}

/// A blocker. Told again when more of it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncDef {
    /// The object.
    pub lock: LockId,
    /// Its kind.
    pub kind: SyncKind,
    /// Of a condition: the synchronizer it belongs to. Of a synchronizer: the queue or barrier whose own lock it is.
    pub of: Option<LockId>,
    /// It stands for all objects of its class that have no id of their own: one is made for each wait, or
    /// there are too many.
    pub shared: bool,
    /// The most threads that were found parked on it by one look.
    pub most: u32,
    /// What its state was found to be, if it has one: permits free, counts left, holds of a lock, reading holds,
    /// parties of a phaser.
    pub state: Option<StateSeen>,
}

/// The least and the most that a state was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateSeen {
    /// The least.
    pub low: i64,
    /// The most.
    pub high: i64,
}

/// A thread that was found parked, by one look or several in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parked {
    /// The thread.
    pub thread: ThreadId,
    /// Its blocker.
    pub lock: LockId,
    /// Its call chain, where one was taken.
    pub stack: Option<StackId>,
    /// Who owned the synchronizer.
    pub owner: Owner,
    /// What the owner was doing, where that was looked at.
    pub owner_stack: Option<StackId>,
    /// The first look.
    pub from: Nanos,
    /// The last one.
    pub to: Nanos,
    /// How many looks.
    pub samples: u32,
    /// The time these looks stand for: of each the distance from the look before.
    pub time: Nanos,
    /// It was parked there already in the record before about this thread: the same stay.
    pub continues: bool,
    /// It was parked there still when this was told: when the recording ended, or in the middle of a stay that goes on. A
    /// recording that is cut off has no more of it.
    pub open: bool,
    /// It parks with a time-out.
    pub timed: bool,
}

const CONTINUES: u8 = 1;
const OPEN: u8 = 2;
const TIMED: u8 = 4;
const HAS_STACK: u8 = 8;
const HAS_OWNER_STACK: u8 = 16;
const ALL: u8 = 31;

pub(crate) fn encode(out: &mut Vec<u8>, parked: &Parked) {
    let flag = |on: bool, bit: u8| if on { bit } else { 0 };
    out.push(
        flag(parked.continues, CONTINUES)
            | flag(parked.open, OPEN)
            | flag(parked.timed, TIMED)
            | flag(parked.stack.is_some(), HAS_STACK)
            | flag(parked.owner_stack.is_some(), HAS_OWNER_STACK),
    );
    put_u32(out, parked.thread.0);
    put_u32(out, parked.lock.0);
    for stack in [parked.stack, parked.owner_stack].into_iter().flatten() {
        put_u32(out, stack.0);
    }
    put_u64(out, crate::encode::owner_code(parked.owner));
    put_u64(out, parked.from.0);
    put_i64(out, parked.to.0.wrapping_sub(parked.from.0) as i64);
    put_u32(out, parked.samples);
    put_u64(out, parked.time.0);
}

pub(crate) fn decode(input: &mut Input<'_>) -> Result<Parked> {
    let flags = input.u8()?;
    if flags & !ALL != 0 {
        return Err(WireError::Range);
    }
    let has = |bit: u8| flags & bit != 0;
    let thread = ThreadId(input.u32()?);
    let lock = LockId(input.u32()?);
    let stack = if has(HAS_STACK) {
        Some(StackId(input.u32()?))
    } else {
        None
    };
    let owner_stack = if has(HAS_OWNER_STACK) {
        Some(StackId(input.u32()?))
    } else {
        None
    };
    let owner = crate::decode::owner_of(input.u64()?)?;
    let from = input.u64()?;
    let length = input.i64()?;
    Ok(Parked {
        thread,
        lock,
        stack,
        owner,
        owner_stack,
        from: Nanos(from),
        to: Nanos(from.wrapping_add(length as u64)),
        samples: input.u32()?,
        time: Nanos(input.u64()?),
        continues: has(CONTINUES),
        open: has(OPEN),
        timed: has(TIMED),
    })
}

const HAS_OF: u8 = 4;
const SHARED: u8 = 8;
const HAS_STATE: u8 = 16;

pub(crate) fn encode_sync(out: &mut Vec<u8>, sync: &SyncDef) {
    let kind = match sync.kind {
        SyncKind::Synchronizer => 0,
        SyncKind::Condition => 1,
        SyncKind::Other => 2,
    };
    let flag = |on: bool, bit: u8| if on { bit } else { 0 };
    out.push(
        kind | flag(sync.of.is_some(), HAS_OF)
            | flag(sync.shared, SHARED)
            | flag(sync.state.is_some(), HAS_STATE),
    );
    put_u32(out, sync.lock.0);
    put_u32(out, sync.most);
    if let Some(of) = sync.of {
        put_u32(out, of.0);
    }
    if let Some(state) = sync.state {
        put_i64(out, state.low);
        put_i64(out, state.high);
    }
}

pub(crate) fn decode_sync(input: &mut Input<'_>) -> Result<SyncDef> {
    let flags = input.u8()?;
    if flags & !ALL != 0 {
        return Err(WireError::Range);
    }
    let kind = match flags & 3 {
        0 => SyncKind::Synchronizer,
        1 => SyncKind::Condition,
        2 => SyncKind::Other,
        _ => return Err(WireError::Range),
    };
    let lock = LockId(input.u32()?);
    let most = input.u32()?;
    let of = if flags & HAS_OF != 0 {
        Some(LockId(input.u32()?))
    } else {
        None
    };
    let state = if flags & HAS_STATE != 0 {
        Some(StateSeen {
            low: input.i64()?,
            high: input.i64()?,
        })
    } else {
        None
    };
    Ok(SyncDef {
        lock,
        kind,
        of,
        shared: flags & SHARED != 0,
        most,
        state,
    })
}
