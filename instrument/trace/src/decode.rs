//! Bytes to records. The mirror image of `encode`; total on any bytes.

use crate::encode::{Predictor, kind, tag};
use crate::ids::{ClassId, LoaderId, LockId, MethodId, Nanos, StackId, ThreadId};
use crate::record::{
    ClassDef, End, EndReason, Event, EventKind, FieldValue, FieldsDef, Frame, Hidden, LoaderDef,
    LockDef, LockObject, LossCause, Lost, MethodDef, Owner, Reading, Record, StackDef, ThreadDef,
    Tick,
};
use crate::wire::{Input, WireError};

type Result<T> = std::result::Result<T, WireError>;

/// What the first byte of a record says of the rest.
#[inline]
pub(crate) fn is_event(head: u8) -> bool {
    head & tag::EVENT != 0
}

/// A record that is no event, after its first byte.
pub(crate) fn other(input: &mut Input<'_>, head: u8) -> Result<Record> {
    Ok(match head {
        tag::TARGET => Record::Target(input.list(|i| Ok((i.str()?, i.str()?)))?),
        tag::LOADER => Record::Loader(LoaderDef {
            id: LoaderId(input.u32()?),
            class_name: input.str()?,
        }),
        tag::CLASS => Record::Class(class(input)?),
        tag::METHOD => Record::Method(method(input)?),
        tag::CODE => Record::Code(crate::code::decode(input)?),
        tag::LINKED_CODE => Record::Code(crate::code::decode_with_sites(input)?),
        tag::STACK => Record::Stack(stack(input)?),
        tag::LOCK => Record::Lock(lock(input)?),
        tag::FIELDS => Record::Fields(FieldsDef {
            lock: LockId(input.u32()?),
            values: input.list(field)?,
        }),
        tag::THREAD => Record::Thread(thread(input)?),
        tag::SYNC => Record::Sync(crate::parked::decode_sync(input)?),
        tag::PARK => Record::Park(crate::park::decode(input)?),
        tag::PARKED => Record::Parked(crate::parked::decode(input)?),
        tag::OPERATION => Record::Operation(crate::juc::decode(input)?),
        tag::ACCESS => Record::Access(crate::access::decode(input)?),
        tag::SIGHTING => Record::Sighting(crate::looks::decode_sighting(input)?),
        tag::LOOK => Record::Look(crate::looks::decode_look(input)?),
        tag::HELD => Record::Held(crate::held::decode(input)?),
        tag::KIN => Record::Kin(crate::kin::decode(input)?),
        tag::LOST => Record::Lost(lost(input)?),
        tag::HIDDEN => Record::Hidden(Hidden {
            name: input.str()?,
            events: input.u64()?,
        }),
        tag::TICK => Record::Tick(Tick {
            at: Nanos(input.u64()?),
            agent_cpu: Nanos(input.u64()?),
        }),
        tag::END => Record::End(end(input)?),
        unknown => return Err(WireError::Tag(unknown)),
    })
}

fn class(input: &mut Input<'_>) -> Result<ClassDef> {
    Ok(ClassDef {
        id: ClassId(input.u32()?),
        loader: match input.u64()? {
            0 => None,
            n => Some(LoaderId(
                u32::try_from(n - 1).map_err(|_| WireError::Range)?,
            )),
        },
        name: input.str()?,
        super_name: input.opt_str()?,
        interfaces: input.list(Input::str)?,
        flags: input.u32()?,
        source_file: input.opt_str()?,
    })
}

fn method(input: &mut Input<'_>) -> Result<MethodDef> {
    Ok(MethodDef {
        id: MethodId(input.u32()?),
        class: ClassId(input.u32()?),
        name: input.str()?,
        descriptor: input.str()?,
        flags: input.u32()?,
        lines: input.list(|i| Ok((i.u16()?, i.u16()?)))?,
    })
}

fn stack(input: &mut Input<'_>) -> Result<StackDef> {
    Ok(StackDef {
        id: StackId(input.u32()?),
        cut: input.bool()?,
        frames: input.list(|i| {
            Ok(Frame {
                method: MethodId(i.u32()?),
                bci: match i.u32()? {
                    0 => None,
                    n => Some(u16::try_from(n - 1).map_err(|_| WireError::Range)?),
                },
            })
        })?,
    })
}

fn lock(input: &mut Input<'_>) -> Result<LockDef> {
    let id = LockId(input.u32()?);
    let class = ClassId(input.u32()?);
    let hash = input.i32()?;
    let what = input.u8()?;
    let subject = input.u32()?;
    let object = match what {
        0 => LockObject::Plain,
        1 => LockObject::Thread(ThreadId(subject)),
        2 => LockObject::ClassMirror(ClassId(subject)),
        _ => return Err(WireError::Range),
    };
    Ok(LockDef {
        id,
        class,
        hash,
        object,
    })
}

fn field(input: &mut Input<'_>) -> Result<FieldValue> {
    Ok(FieldValue {
        class: input.str()?,
        name: input.str()?,
        reading: match input.u8()? {
            0 => Reading::Number(input.i64()?),
            1 => Reading::ArrayLength(input.u32()?),
            _ => return Err(WireError::Range),
        },
    })
}

fn thread(input: &mut Input<'_>) -> Result<ThreadDef> {
    let id = ThreadId(input.u32()?);
    let tid = input.u64()?;
    let name = input.str()?;
    let group = input.opt_str()?;
    let flags = input.u8()?;
    Ok(ThreadDef {
        id,
        tid,
        name,
        group,
        daemon: flags & 1 != 0,
        is_virtual: flags & 2 != 0,
        at_start: flags & 4 != 0,
    })
}

/// An event, after its first byte.
#[inline(always)]
pub(crate) fn event(input: &mut Input<'_>, predictor: &mut Predictor, head: u8) -> Result<Event> {
    let at = predictor.at_from(input.i64()?);
    let thread = input.u32()?;
    let lock = if head & tag::SAME_LOCK != 0 {
        *predictor.lock(thread)
    } else {
        input.u32()?
    };
    *predictor.lock(thread) = lock;
    let stack = if head & tag::HAS_STACK != 0 {
        Some(StackId(input.u32()?))
    } else {
        None
    };
    let seq = if head & tag::HAS_SEQ != 0 {
        Some(seq(input, predictor, lock)?)
    } else {
        None
    };
    let code = head & 0x0f;
    let more = match code {
        kind::ENTER | kind::WAIT => input.u64()?,
        _ => 0,
    };
    let (kind, owner) = kind_of(code, more)?;
    Ok(Event {
        at,
        thread: ThreadId(thread),
        kind,
        lock: (lock != 0).then_some(LockId(lock)),
        stack,
        owner,
        seq,
    })
}

/// What happened, and the owner of whom an ENTER tells.
#[inline(always)]
pub(crate) fn kind_of(code: u8, more: u64) -> Result<(EventKind, Owner)> {
    let kind = match code {
        kind::ENTER => return Ok((EventKind::Enter, owner_of(more)?)),
        kind::ENTERED => EventKind::Entered,
        kind::WAIT => EventKind::Wait {
            timeout: timeout_of(more),
        },
        kind::WAITED => EventKind::Waited { timed_out: false },
        kind::WAITED_TIMED_OUT => EventKind::Waited { timed_out: true },
        kind::THREAD_START => EventKind::ThreadStart,
        kind::THREAD_END => EventKind::ThreadEnd,
        kind::RESUMED => EventKind::Resumed,
        kind::INTERRUPTED => EventKind::Interrupted,
        kind::EXIT => EventKind::Exit,
        kind::NOTIFY => EventKind::Notify,
        kind::NOTIFY_ALL => EventKind::NotifyAll,
        unknown => return Err(WireError::Tag(unknown)),
    };
    Ok((kind, Owner::Unknown))
}

fn seq(input: &mut Input<'_>, predictor: &mut Predictor, lock: u32) -> Result<u32> {
    let last = predictor.seq(lock);
    let next = i64::from(*last)
        .checked_add(1)
        .and_then(|n| n.checked_add(input.i64().ok()?))
        .ok_or(WireError::Range)?;
    *last = u32::try_from(next).map_err(|_| WireError::Range)?;
    Ok(*last)
}

pub(crate) fn owner_of(code: u64) -> Result<Owner> {
    Ok(match code {
        0 => Owner::Unknown,
        1 => Owner::Nobody,
        n => Owner::Thread(ThreadId(
            u32::try_from(n - 2).map_err(|_| WireError::Range)?,
        )),
    })
}

fn timeout_of(code: u64) -> Option<Nanos> {
    match code {
        0 => None,
        odd if odd & 1 == 1 => Some(Nanos((odd / 2).saturating_mul(1_000_000))),
        even => Some(Nanos((even - 2) / 2)),
    }
}

fn lost(input: &mut Input<'_>) -> Result<Lost> {
    Ok(Lost {
        from: Nanos(input.u64()?),
        to: Nanos(input.u64()?),
        count: input.u64()?,
        cause: match input.u8()? {
            0 => LossCause::BufferFull,
            1 => LossCause::TableFull,
            2 => LossCause::StackBudget,
            3 => LossCause::Unidentified,
            4 => LossCause::Paused,
            _ => return Err(WireError::Range),
        },
    })
}

fn end(input: &mut Input<'_>) -> Result<End> {
    Ok(End {
        at: Nanos(input.u64()?),
        reason: match input.u8()? {
            0 => EndReason::Stopped,
            1 => EndReason::VmDeath,
            2 => EndReason::CommandSilent,
            3 => EndReason::OutOfMemory,
            _ => return Err(WireError::Range),
        },
    })
}
