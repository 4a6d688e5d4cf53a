//! Keys of [`Record::Target`](super::Record::Target) that every recording carries when they can be known.

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
