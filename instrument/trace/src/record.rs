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

/// Keys of [`Record::Target`] that every recording carries when they can be known.
pub mod target_key {
    /// Process id as the command sees it.
    pub const PID: &str = "pid";
    /// `java.vm.name`.
    pub const VM_NAME: &str = "vm.name";
    /// `java.vm.version` or the full version string.
    pub const VM_VERSION: &str = "vm.version";
    /// `java.version`.
    pub const JAVA_VERSION: &str = "java.version";
    /// Main class or jar.
    pub const MAIN: &str = "main";
    /// Processors available to the JVM.
    pub const CPUS: &str = "cpus";
    /// Wall clock at time zero of the trace, nanoseconds since 1970.
    pub const STARTED_UNIX_NS: &str = "started.unix_ns";
    /// `live` or `launch`.
    pub const MODE: &str = "mode";
    /// `true` when every acquisition and release of the recorded locks was observed.
    pub const EXACT: &str = "exact";
    /// Frames kept of a call chain.
    pub const STACK_DEPTH: &str = "stack.depth";
    /// Ceiling of the agent's buffers, bytes.
    pub const BUFFER_BYTES: &str = "buffer.bytes";
    /// `peek` or why the owner could not be read.
    pub const OWNER: &str = "owner";
    /// Version of the agent.
    pub const AGENT: &str = "agent";
    /// When the whole process stood still, stopped or frozen from outside: a line for each time with its beginning and its end,
    /// nanoseconds of the trace. Absent without any.
    pub const STOPS: &str = "process.stops";
    /// When nothing was recorded though that was to be expected, and the agent's own thread did not get on either: likewise, with
    /// a third number, for how many nanoseconds that thread waited for a processor. Absent without any.
    pub const STALLS: &str = "process.stalls";
    /// What threads were doing when the recording began, see [`super::StandingStill`].
    pub const THREADS_START: &str = "threads.start";
    /// The same when it ended.
    pub const THREADS_END: &str = "threads.end";
    /// What the program's threads did at the last look, told to who watches, see [`crate::crowd::Crowd`].
    pub const THREADS_NOW: &str = "threads.now";
    /// Who owned what threads were blocked on when the recording ended: a line for each such thread
    /// with the numbers of thread, lock and owner, 0 for nobody. One that is not listed is not known. A virtual thread, at
    /// which nobody can look, is listed with the owner that was read at others blocked on the same lock.
    pub const END_OWNERS: &str = "end.owners";
    /// What those owners were doing then: a line for each with the numbers of thread and call chain.
    pub const END_CHAINS: &str = "end.chains";
    /// Threads that owned what others were parked on although they had ended: a line for each with its number.
    pub const END_ENDED: &str = "end.ended";
    /// Parked threads that took no processor time from soon after the look that found them first until the last one: a
    /// line for each with its number. One that is not listed may have run, or was not asked; without the key none was.
    pub const END_STILL: &str = "end.still";

    // What the looks at parked threads say of themselves; absent when there were none.

    /// How many looks there were.
    pub const PARKED_SAMPLES: &str = "parked.samples";
    /// When the first of them was, nanoseconds of the trace.
    pub const PARKED_FIRST: &str = "parked.first";
    /// The time they stand for, nanoseconds.
    pub const PARKED_SPAN: &str = "parked.span";
    /// Nanoseconds between two of them that were meant at first.
    pub const PARKED_WISH: &str = "parked.wish";
    /// Processor time they took, nanoseconds.
    pub const PARKED_CPU: &str = "parked.cpu";
    /// The share of one processor that they were to take at most, parts in 10,000.
    pub const PARKED_SHARE: &str = "parked.share";
    /// Platform threads in the last one.
    pub const PARKED_THREADS: &str = "parked.threads";
    /// Findings that are missing, as thread or lock got no id for want of memory; absent without any.
    pub const PARKED_UNTOLD: &str = "parked.untold";
    /// Time in which threads were parked without saying on what, nanoseconds; absent without any,
    pub const PARKED_BARE: &str = "parked.bare";
    /// how many there were at most at once,
    pub const PARKED_BARE_THREADS: &str = "parked.bare.threads";
    /// and the number of the call chain with most of that time; absent where none was taken.
    pub const PARKED_BARE_STACK: &str = "parked.bare.stack";
    /// `true` when the JVM carries virtual threads, which are not looked at.
    pub const PARKED_VIRTUAL: &str = "parked.virtual";

    // What the probes of `LockSupport` say of themselves; absent where it was not rewritten.

    /// When they began, nanoseconds of the trace: from then on every park is in it.
    pub const PARKS_SINCE: &str = "parks.since";
    /// Parks they told of.
    pub const PARKS: &str = "parks";
    /// Unparks.
    pub const PARKS_UNPARKS: &str = "parks.unparks";
    /// When another agent had `LockSupport` replaced, nanoseconds of the trace: the probes were gone from then on.
    /// Absent if none did.
    pub const PARKS_REPLACED: &str = "parks.replaced";

    /// Operations that the probes of `java.util.concurrent` told; absent where its methods were not rewritten.
    pub const OPERATIONS: &str = "operations";
    /// Classes of `java.util.concurrent` whose operations are missing, a line for each, and why. Absent without any.
    pub const OPERATIONS_REFUSED: &str = "operations.refused";

    /// Classes of which every access to a field was asked for, a line for each; absent where none were.
    pub const ACCESSES_OF: &str = "accesses.of";

    // What listening to the VM's own probes says of itself; absent where it was not asked for.

    /// `on`, or why there was no listening to the VM's own probes.
    pub const VM_PROBES: &str = "vmprobes";
    /// Since when, nanoseconds of the trace.
    pub const VM_PROBES_SINCE: &str = "vmprobes.since";
    /// How many times they were switched on, if that was asked for to see that it does no harm.
    pub const VM_PROBES_SWITCHED: &str = "vmprobes.switched";
    /// How many places in the JVM's code are listened to, by kind.
    pub const VM_PROBES_SITES: &str = "vmprobes.sites";
    /// Notifies that were told: all that found somebody waiting.
    pub const VM_PROBES_NOTIFIES: &str = "vmprobes.notifies";
    /// The same of notify-alls.
    pub const VM_PROBES_NOTIFY_ALLS: &str = "vmprobes.notify_alls";
    /// Exits that were told: those that woke a successor.
    pub const VM_PROBES_EXITS: &str = "vmprobes.exits";
    /// Places that were not what they were taken for, and were listened to no more; absent without any.
    pub const VM_PROBES_WRONG: &str = "vmprobes.wrong";
    /// Events that are missing, as their lock is in no other event, or not alone with its identity hash.
    pub const VM_PROBES_OTHER_LOCKS: &str = "vmprobes.other_locks";
    /// Events that are missing, as their thread is not known: a virtual one, as a rule.
    pub const VM_PROBES_OTHER_THREADS: &str = "vmprobes.other_threads";
    /// Exits that are not told, as they belong to a wait that is.
    pub const VM_PROBES_BY_WAITING: &str = "vmprobes.by_waiting";

    // What an exact recording says of itself. Lists have a line for each entry.

    /// Why there is no exact recording although it was asked for.
    pub const EXACT_ERROR: &str = "exact.error";
    /// When it began, nanoseconds of the trace.
    pub const EXACT_SINCE: &str = "exact.since";
    /// When its probes were switched off, nanoseconds of the trace: what goes on then ends sometime. Older recordings do not say.
    pub const EXACT_UNTIL: &str = "exact.until";
    /// What a retransformation does to this JVM: `cheap`, `flush` or `maybe`, and why.
    pub const EXACT_JVM: &str = "exact.jvm";
    /// Classes rewritten.
    pub const EXACT_CLASSES: &str = "exact.classes";
    /// Their names.
    pub const EXACT_NAMES: &str = "exact.names";
    /// Methods rewritten.
    pub const EXACT_METHODS: &str = "exact.methods";
    /// Sites reported.
    pub const EXACT_SITES: &str = "exact.sites";
    /// Classes asked for in which there is nothing to report.
    pub const EXACT_IDLE: &str = "exact.idle";
    /// Classes and methods asked for that were not rewritten, and why.
    pub const EXACT_REFUSED: &str = "exact.refused";
    /// Those among them whose code locks, waits or notifies: what it does with the locks chosen is missing. 0 if there is none.
    pub const EXACT_UNPROBED: &str = "exact.unprobed";
    /// What was chosen, and with it what of the same locks is missing: `methods`, `classes`, `locks`, `app`,
    /// or `parks`: no monitors at all.
    pub const EXACT_CHOSEN: &str = "exact.chosen";
    /// `true` if probes were made ready in this JVM before, so that its compiled code has been discarded already.
    pub const EXACT_BEFORE: &str = "exact.before";
    /// `nanoTime` or `none`.
    pub const EXACT_CLOCK: &str = "exact.clock";
    /// `none` if probes cannot have call chains taken: what they tell has its place alone. Absent where they can, or none are wanted.
    pub const EXACT_CHAINS: &str = "exact.chains";
    /// Milliseconds the installing call took.
    pub const EXACT_INSTALL_MS: &str = "exact.install.ms";
    /// Milliseconds the restoring call took.
    pub const EXACT_RESTORE_MS: &str = "exact.restore.ms";
    /// Classes whose original bytes were put back.
    pub const EXACT_RESTORED: &str = "exact.restored";
    /// Classes that kept their probes, switched off, as was asked for: how many. After `locklens detach`, how many did.
    pub const EXACT_DORMANT: &str = "exact.dormant";
    /// Lock objects the probes met.
    pub const EXACT_LOCKS: &str = "exact.locks";
    /// Contended enters of those locks in code that was not rewritten.
    pub const EXACT_ELSEWHERE: &str = "exact.elsewhere";
    /// Lock objects of the chosen code that no probe met, because it was running when it was rewritten: of
    /// them only that is recorded which the JVM tells.
    pub const EXACT_UNMET: &str = "exact.unmet";
    /// Ids of the lock objects that were waited on where no probe can have told of it: by a method reference, reflection, a
    /// method handle, or code that was not chosen. Who notifies them so is not known.
    pub const EXACT_BARE: &str = "exact.bare";
    /// Events of other locks that were left out.
    pub const EXACT_OTHERS: &str = "exact.others";
    /// Rewritten classes that another agent had replaced meanwhile: what runs in them is not recorded from then on.
    /// Absent without any.
    pub const EXACT_REPLACED: &str = "exact.replaced";
    /// When the first of them was, nanoseconds of the trace.
    pub const EXACT_REPLACED_SINCE: &str = "exact.replaced.since";

    // What a recording says that tells only what is new.

    /// `true` if each dependency between locks is told when it is seen the first times, and nothing else: events are
    /// excerpts of what happened, and their times the earliest that may be right.
    pub const GUARD: &str = "guard";
    /// `true`: locks of `java.util.concurrent` are followed, too.
    pub const GUARD_JUC: &str = "guard.juc";
    /// Excerpts told.
    pub const GUARD_TOLD: &str = "guard.told";
    /// Distinct combinations of locks and places known at the end.
    pub const GUARD_COMBINATIONS: &str = "guard.combinations";
    /// Dependencies that found no room in its tables.
    pub const GUARD_LEFT_OUT: &str = "guard.left_out";
    /// Dependencies between objects that were looked past, since there are too many of their kind.
    pub const GUARD_PASSED: &str = "guard.passed";
    /// Records of probes that found no room, or were of no use beside such.
    pub const GUARD_LOST: &str = "guard.lost";
    /// Dependencies of which a lock or place got no name in time.
    pub const GUARD_UNNAMED: &str = "guard.unnamed";

    // What rewriting took of the JVM, as the command measured it: a [`Toll`](crate::toll::Toll) for each stretch.

    /// Before anything was rewritten.
    pub const TOLL_BEFORE: &str = "toll.before";
    /// From the order to rewrite until what had been discarded was compiled again.
    pub const TOLL_SETTLING: &str = "toll.settling";
    /// From then until the recording ended.
    pub const TOLL_RECORDING: &str = "toll.recording";
    /// Right after the original bytes were back.
    pub const TOLL_AFTER: &str = "toll.after";
    /// `false` where the compiler threads were still busier than before when they were waited for no longer.
    pub const TOLL_SETTLED: &str = "toll.settled";

    // What the recording took, and what was given up for that.

    /// What it took: a [`Cost`](crate::cost::Cost).
    pub const OVERHEAD_COST: &str = "overhead.cost";
    /// What it was to take at most, parts in a million of the program's processor time; absent where nothing was said.
    pub const OVERHEAD_MOST: &str = "overhead.most";
    /// What was given up for that: a line with a [`Concession`](crate::cost::Concession) for each step, the first ones;
    /// absent if nothing was.
    pub const OVERHEAD_STEPS: &str = "overhead.steps";
    /// How many steps there were that it has no line for; absent without any.
    pub const OVERHEAD_MORE_STEPS: &str = "overhead.steps.more";
    /// How long events were switched off: [`Slices`](crate::cost::Slices); absent if they never were.
    pub const OVERHEAD_SLICES: &str = "overhead.slices";

    /// Begins the keys of thread dumps that the command asked the JVM for when the recording was over, since threads stood
    /// still then: a number follows, the oldest has the first. The text is as the JVM gave it, if not cut off behind a line.
    pub const DUMP: &str = "dump.";

    /// `true` if names and texts of the target were made unreadable; absent otherwise.
    pub const REDACTED: &str = "redacted";

    /// Threads inside old versions of rewritten methods, after 0, 2 and 5 seconds and at the end.
    pub const EXACT_OLD_CODE: [&str; 4] = [
        "exact.old_code.0s",
        "exact.old_code.2s",
        "exact.old_code.5s",
        "exact.old_code.end",
    ];
}

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
}
