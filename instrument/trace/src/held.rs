//! Who held a monitor while threads were blocked on it: looks at owners, now and then.
//!
//! Contended events say who blocks, and on what; where the owner is meanwhile they do not. So the agent looks at the owners of
//! monitors that threads are blocked on, at times that the program does not choose. A [`Held`] is told after the events up
//! to its time, which say that its waiter was blocked there then. Needs [`feature::HELD`](crate::chunk::feature::HELD).

use crate::ids::{LockId, Nanos, StackId, ThreadId};
use crate::record::Owner;
use crate::wire::{Input, WireError, put_u32, put_u64};

type Result<T> = std::result::Result<T, WireError>;

/// A look at the owner of one monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// When.
    pub at: Nanos,
    /// The monitor.
    pub lock: LockId,
    /// One of the threads that were blocked on it.
    pub waiter: ThreadId,
    /// How many there were.
    pub blocked: u32,
    /// The time this look stands for: the distance from the look before.
    pub time: Nanos,
    /// Who held it.
    pub owner: Owner,
    /// The owner's call chain, where it held the monitor before and after that was taken.
    pub stack: Option<StackId>,
}

impl Held {
    /// The blocked time that it stands for.
    #[must_use]
    pub fn weight(&self) -> u64 {
        self.time.0.saturating_mul(u64::from(self.blocked))
    }
}

pub(crate) fn encode(out: &mut Vec<u8>, held: &Held) {
    put_u64(out, held.at.0);
    put_u32(out, held.lock.0);
    put_u32(out, held.waiter.0);
    put_u32(out, held.blocked);
    put_u64(out, held.time.0);
    put_u64(out, crate::encode::owner_code(held.owner));
    put_u64(out, held.stack.map_or(0, |stack| u64::from(stack.0) + 1));
}

pub(crate) fn decode(input: &mut Input<'_>) -> Result<Held> {
    Ok(Held {
        at: Nanos(input.u64()?),
        lock: LockId(input.u32()?),
        waiter: ThreadId(input.u32()?),
        blocked: input.u32()?,
        time: Nanos(input.u64()?),
        owner: crate::decode::owner_of(input.u64()?)?,
        stack: match input.u64()? {
            0 => None,
            code => {
                let id = u32::try_from(code - 1).map_err(|_| WireError::Range)?;
                Some(StackId(id))
            }
        },
    })
}
