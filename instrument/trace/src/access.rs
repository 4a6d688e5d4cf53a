//! Accesses to fields and to atomics, each with the time before it and the time after it.
//!
//! Only a recording that was asked for them has any. An access is told twice, when it is about to happen and when it is over;
//! what it is an access to is not said: the call chain has one frame, and the code there names the field. Which object it
//! is of its identity hash says, and hashes collide now and then. Needs [`feature::ACCESSES`](crate::chunk::feature::ACCESSES).

use crate::ids::{Nanos, StackId, ThreadId};
use crate::wire::{Input, WireError, put_u32, put_u64};

/// A thread is about to access something, or has done so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// When; of what is about to happen at the latest, of what is over at the earliest.
    pub at: Nanos,
    /// Who.
    pub thread: ThreadId,
    /// What of it.
    pub phase: Phase,
    /// The identity hash of the object; 0 for a static field, and where it is over.
    pub object: u32,
    /// Where: a call chain of one frame.
    pub stack: Option<StackId>,
    /// The low [`VALUE_BITS`] bits of what is about to be written, or was read, where that is an int or smaller.
    pub value: Option<u32>,
    /// It was told too late to be put in its place: the time is not that of the access.
    pub late: bool,
}

/// Bits that are told of a value: enough to tell states of a flag apart.
pub const VALUE_BITS: u32 = 24;

/// What of an access is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// It is about to read.
    Reading,
    /// It is about to write.
    Writing,
    /// It is about to read and to write, in one.
    Updating,
    /// It has read, and not written.
    Read,
    /// It has written.
    Wrote,
    /// It has read and written.
    Updated,
}

impl Phase {
    /// All of them, by number.
    pub const ALL: [Self; 6] = [
        Self::Reading,
        Self::Writing,
        Self::Updating,
        Self::Read,
        Self::Wrote,
        Self::Updated,
    ];

    /// As printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Reading => "READING",
            Self::Writing => "WRITING",
            Self::Updating => "UPDATING",
            Self::Read => "READ",
            Self::Wrote => "WROTE",
            Self::Updated => "UPDATED",
        }
    }

    /// It is about to happen.
    #[must_use]
    pub fn is_before(self) -> bool {
        matches!(self, Self::Reading | Self::Writing | Self::Updating)
    }
}

const PHASE: u8 = 7;
const LATE: u8 = 8;
const HAS_VALUE: u8 = 16;
const ALL: u8 = 31;

pub(crate) fn encode(out: &mut Vec<u8>, access: &Access) {
    let late = if access.late { LATE } else { 0 };
    let valued = if access.value.is_some() { HAS_VALUE } else { 0 };
    out.push(access.phase as u8 | late | valued);
    put_u64(out, access.at.0);
    put_u32(out, access.thread.0);
    put_u32(out, access.object);
    put_u64(out, access.stack.map_or(0, |stack| u64::from(stack.0) + 1));
    if let Some(value) = access.value {
        put_u32(out, value);
    }
}

pub(crate) fn decode(input: &mut Input<'_>) -> Result<Access, WireError> {
    let flags = input.u8()?;
    let phase = Phase::ALL.get(usize::from(flags & PHASE)).copied();
    let phase = phase
        .filter(|_| flags & !ALL == 0)
        .ok_or(WireError::Range)?;
    Ok(Access {
        phase,
        late: flags & LATE != 0,
        at: Nanos(input.u64()?),
        thread: ThreadId(input.u32()?),
        object: input.u32()?,
        stack: match input.u64()? {
            0 => None,
            n => Some(StackId(u32::try_from(n - 1).map_err(|_| WireError::Range)?)),
        },
        value: match flags & HAS_VALUE {
            0 => None,
            _ => Some(input.u32()?),
        },
    })
}
