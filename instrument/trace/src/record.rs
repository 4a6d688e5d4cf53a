//! What can be said in a trace: definitions, events, and what was lost or left out.
//!
//! Definitions may come after the events that mention them (the agent resolves names on its own
//! thread), so a reader must not need them before the end. A later definition of the same id
//! replaces the earlier one.

use crate::access::Access;
use crate::code::Code;
use crate::held::Held;
use crate::ids::{ClassId, LoaderId, LockId, MethodId, Nanos, StackId, ThreadId};
use crate::juc::Operation;
use crate::kin::Kin;
use crate::looks::{Look, Sighting};
use crate::park::Park;
use crate::parked::{Parked, SyncDef};
use std::fmt;

/// One statement of a trace.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// What is recorded, where and how: `key = value` pairs, see [`target_key`].
    Target(Vec<(String, String)>),
    /// A class loader.
    Loader(LoaderDef),
    /// A class.
    Class(ClassDef),
    /// A method.
    Method(MethodDef),
    /// The bytecode of a method, lowered to what the analyser needs.
    Code(Code),
    /// A call chain.
    Stack(StackDef),
    /// A lock object.
    Lock(LockDef),
    /// What number fields of a lock object held.
    Fields(FieldsDef),
    /// A thread.
    Thread(ThreadDef),
    /// Something that happened.
    Event(Event),
    /// What a thread was found parked on.
    Sync(SyncDef),
    /// A thread that was found parked.
    Parked(Parked),
    /// A thread parked and went on.
    Park(Park),
    /// A lock of `java.util.concurrent` was used.
    Operation(Operation),
    /// A field or an atomic is about to be accessed, or has been.
    Access(Access),
    /// What a thread was found doing.
    Sighting(Sighting),
    /// A look at all threads.
    Look(Look),
    /// Who was found to hold a monitor that threads are blocked on.
    Held(Held),
    /// A thread was started, or its end waited for.
    Kin(Kin),
    /// Events that were dropped because a buffer was full or a budget used up.
    Lost(Lost),
    /// Events of a known-safe lock that were counted and not recorded.
    Hidden(Hidden),
    /// The agent was alive and had sent everything up to this time.
    Tick(Tick),
    /// The recording ended, and how. Absent when the trace was cut off.
    End(End),
}

pub mod target_key;

/// A class loader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoaderDef {
    /// Its id.
    pub id: LoaderId,
    /// Binary name of the loader's class.
    pub class_name: String,
}

/// A class. Two classes of one name from two loaders have two ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassDef {
    /// Its id.
    pub id: ClassId,
    /// Defining loader; none for the boot loader.
    pub loader: Option<LoaderId>,
    /// Binary name with dots (`java.util.Map$Entry`, `int[]` as `[I`).
    pub name: String,
    /// Binary name of the superclass, if any.
    pub super_name: Option<String>,
    /// Binary names of the direct interfaces.
    pub interfaces: Vec<String>,
    /// Access flags of the class file.
    pub flags: u32,
    /// Source file attribute, if present.
    pub source_file: Option<String>,
}

/// A method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodDef {
    /// Its id.
    pub id: MethodId,
    /// Declaring class.
    pub class: ClassId,
    /// Simple name.
    pub name: String,
    /// Descriptor, as in the class file.
    pub descriptor: String,
    /// Access flags.
    pub flags: u32,
    /// (first bci, line) pairs, ascending by bci; empty if unknown.
    pub lines: Vec<(u16, u16)>,
}

impl MethodDef {
    /// `ACC_ABSTRACT`.
    #[must_use]
    pub const fn is_abstract(&self) -> bool {
        self.flags & 0x0400 != 0
    }

    /// `ACC_STATIC`.
    #[must_use]
    pub fn is_static(&self) -> bool {
        self.flags & 0x0008 != 0
    }

    /// `ACC_SYNCHRONIZED`.
    #[must_use]
    pub fn is_synchronized(&self) -> bool {
        self.flags & 0x0020 != 0
    }

    /// Source line of a bci.
    #[must_use]
    pub fn line_at(&self, bci: u16) -> Option<u16> {
        let after = self.lines.partition_point(|&(start, _)| start <= bci);
        self.lines[..after].last().map(|&(_, line)| line)
    }
}

/// One frame of a call chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// Method running.
    pub method: MethodId,
    /// Bytecode index; none in a native method.
    pub bci: Option<u16>,
}

/// A call chain, innermost frame first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackDef {
    /// Its id.
    pub id: StackId,
    /// Innermost frame first.
    pub frames: Vec<Frame>,
    /// There were more frames than were kept.
    pub cut: bool,
}

/// What a lock object is besides an instance of its class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockObject {
    /// An ordinary object.
    Plain,
    /// A `java.lang.Thread` (joins wait on it).
    Thread(ThreadId),
    /// The mirror of a class (static synchronized methods lock it).
    ClassMirror(ClassId),
}

/// A lock object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockDef {
    /// Its id: unique for the object's life, where the hash is not.
    pub id: LockId,
    /// Class of the object.
    pub class: ClassId,
    /// Identity hash code.
    pub hash: i32,
    /// What else is known of the object.
    pub object: LockObject,
}

/// What number fields of a lock object held when it was first seen: one look, without any lock. It
/// tells the parameters of a lock where they never change (permits, capacity, parties).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldsDef {
    /// The lock object.
    pub lock: LockId,
    /// Its instance fields, inherited ones included.
    pub values: Vec<FieldValue>,
}

/// One field of a lock object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldValue {
    /// Binary name of the class that declares the field.
    pub class: String,
    /// Name of the field.
    pub name: String,
    /// What was read.
    pub reading: Reading,
}

/// What was read of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The value of a boolean, byte, char, short, int or long.
    Number(i64),
    /// The length of the array it refers to.
    ArrayLength(u32),
}

/// A thread, as last seen (a later definition carries a changed name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadDef {
    /// Its id.
    pub id: ThreadId,
    /// `Thread.getId()` / `threadId()`.
    pub tid: u64,
    /// Name.
    pub name: String,
    /// Name of its thread group, if known.
    pub group: Option<String>,
    /// Daemon flag.
    pub daemon: bool,
    /// A virtual thread.
    pub is_virtual: bool,
    /// Existed already when the recording began.
    pub at_start: bool,
}

/// Who held a monitor at the moment somebody was about to block on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// Not asked for or not knowable.
    Unknown,
    /// It had just been released.
    Nobody,
    /// Held by this thread.
    Thread(ThreadId),
}

/// What happened. The first six are what a JVM reports of itself; the others are observed
/// only by probes (exact recordings) or inserted by inference (which marks them so itself).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// About to block on a monitor (`MonitorContendedEnter`).
    Enter,
    /// Acquired a monitor; after an [`EventKind::Enter`] the blocking is over.
    Entered,
    /// About to wait; none: without time-out. The monitor is still held.
    Wait {
        /// Requested time-out.
        timeout: Option<Nanos>,
    },
    /// The wait is over but the monitor is *not yet held again* (`MonitorWaited`).
    Waited {
        /// Ended by time-out as far as the JVM says.
        timed_out: bool,
    },
    /// A thread began.
    ThreadStart,
    /// A thread ended.
    ThreadEnd,
    /// `wait()` returned: the monitor is held again.
    Resumed,
    /// `wait()` threw (interrupted, or it was never a valid call): the monitor is held again.
    Interrupted,
    /// Left a monitor (one level).
    Exit,
    /// `notify()`.
    Notify,
    /// `notifyAll()`.
    NotifyAll,
}

/// Platform threads that stand still, by what they do; threads of the JDK's own that idle count only
/// where they are blocked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StandingStill {
    /// Blocked on a monitor.
    pub blocked: u64,
    /// In `Object.wait`.
    pub waiting: u64,
    /// Parked, as the locks of `java.util.concurrent` do.
    pub parked: u64,
    /// Of those blocked or waiting: on which lock could not be found out.
    pub unread: u64,
}

impl fmt::Display for StandingStill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "blocked={} waiting={} parked={} unread={}",
            self.blocked, self.waiting, self.parked, self.unread
        )
    }
}

impl StandingStill {
    /// What was written by [`fmt::Display`]; words that are not known are left out.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut counts = Self::default();
        for (key, value) in text.split(' ').filter_map(|word| word.split_once('=')) {
            let value = value.parse().unwrap_or(0);
            match key {
                "blocked" => counts.blocked = value,
                "waiting" => counts.waiting = value,
                "parked" => counts.parked = value,
                "unread" => counts.unread = value,
                _ => {}
            }
        }
        counts
    }
}

/// One event.
///
/// An [`EventKind::Enter`] or [`EventKind::Wait`] at time zero had happened *before* the recording: the
/// thread was found blocked or waiting there when it began. Its owner is the one of that moment, its
/// place in the order of the lock's events is not known, and of a time-out only that there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub at: Nanos,
    /// In which thread.
    pub thread: ThreadId,
    /// What.
    pub kind: EventKind,
    /// On which lock object; none for thread start and end.
    pub lock: Option<LockId>,
    /// Call chain, where one was taken.
    pub stack: Option<StackId>,
    /// Owner, for [`EventKind::Enter`].
    pub owner: Owner,
    /// Number of this event on its lock, for events recorded while the lock is held: the
    /// authority on their order, which timestamps are not.
    pub seq: Option<u32>,
}

impl Event {
    /// It began before the recording did; see [`Event`].
    #[must_use]
    pub fn is_from_before(&self) -> bool {
        let begins = matches!(self.kind, EventKind::Enter | EventKind::Wait { .. });
        begins && self.at == Nanos(0)
    }
}

/// Why events are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LossCause {
    /// The event buffers were full.
    BufferFull,
    /// A table of ids (locks, threads, methods) had reached its ceiling.
    TableFull,
    /// Call chains left out under their budget; the events themselves are there.
    StackBudget,
    /// An object or thread could not be identified.
    Unidentified,
    /// Events were switched off for a while, to stay within what the recording may cost. How many there would have been
    /// nobody knows: the count is 0. Needs [`feature::PAUSED`](crate::chunk::feature::PAUSED).
    Paused,
}

impl LossCause {
    /// Whether events of any lock and thread may be missing, so that what was known of them is not known any more.
    #[must_use]
    pub fn breaks_histories(self) -> bool {
        matches!(self, Self::BufferFull | Self::Paused)
    }
}

/// Events missing between two times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// No event before this time is missing on this account.
    pub from: Nanos,
    /// Nor after this one.
    pub to: Nanos,
    /// How many.
    pub count: u64,
    /// Why.
    pub cause: LossCause,
}

/// Known-safe locks that were counted only. Counts are for the whole recording so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// Name of the entry of the safe-lock table.
    pub name: String,
    /// Events not recorded on its account.
    pub events: u64,
}

/// A heartbeat: the agent was alive and had sent all events up to `at`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tick {
    /// Everything observed before this time has been sent.
    pub at: Nanos,
    /// Processor time the agent's own thread has used.
    pub agent_cpu: Nanos,
}

/// How a recording ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// When events were switched off.
    pub at: Nanos,
    /// Why.
    pub reason: EndReason,
}

/// Why a recording ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// The command asked for it.
    Stopped,
    /// The target's JVM exits.
    VmDeath,
    /// The command showed no sign of life any more.
    CommandSilent,
    /// The target's process has no memory left.
    OutOfMemory,
}
