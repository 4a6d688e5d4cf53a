//! The writer: the agent's one thread. It takes events out of the ring, brings them into order of
//! time, turns definitions into records, and sends chunks to the command.
//!
//! It also ends the recording, whatever the reason: the command asks for it, the command is gone,
//! or the JVM dies. [`finish`](self) is the one way out, and leaves nothing behind.
//!
//! Start with `Writer::run`; `exactly` is what rewriting classes adds to it, `describe` names things, `order` sorts, `roster` follows threads,
//! `pulse` tells whether anybody listens.

mod describe;
mod exactly;
mod gather;
mod look;
mod order;
mod output;
mod owners;
mod pulse;
mod roster;
mod verify;

use crate::callbacks;
use crate::channel::Command;
use crate::clock;
use crate::entry::{Jvm, Ready};
use crate::exact::{self, Exact};
use crate::gate::Left;
use crate::owner::{Memory, Peek};
use crate::recording::{GATE, Mode, Recording};
use crate::ring::Blocks;
use crate::safe;
use crate::vm::sys::RawEnv;
use crate::vm::{Global, Object, Vm};
use describe::Describer;
use gather::Gatherer;
use jni_sys::{JNIEnv, JavaVMAttachArgs, jobject};
use locklens_trace::record::{End, EndReason, Hidden, LossCause, Lost, Tick, target_key};
use locklens_trace::{EventKind, Nanos, Record};
use look::{Ending, Look};
use order::Order;
use output::Output;
use pulse::Pulse;
use std::ffi::{CStr, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::{Duration, Instant};
use verify::verify;

/// Name of the thread, in Java and in the system.
const NAME: &CStr = c"locklens";
/// Pause between two looks at the ring.
const PERIOD: Duration = Duration::from_millis(20);
/// The same while probes write, which leave thousands of records in a moment.
const EXACT_PERIOD: Duration = Duration::from_millis(2);
/// Longest time between two ticks.
const TICK: Duration = Duration::from_millis(200);
/// Time between two looks at the threads' names.
const ROSTER: Duration = Duration::from_secs(2);
/// Most events taken from the ring at a time, so that the command is heard in between.
const BATCH: usize = 1 << 17;
/// Events in one look at the ring (50,000 a second) above which its memory is kept.
const BUSY: usize = 1000;
/// Bytes queued for the command above which events stay in the ring.
const BACKLOG: usize = 4 << 20;
/// How long the command may fetch nothing before the classes being read are let go of.
const STALL: Duration = Duration::from_secs(1);
/// How long callbacks may take to leave the gate at the end.
const QUIET: Duration = Duration::from_millis(1500);
/// How long reading code may go on at the end.
const LAST_CODE: Duration = Duration::from_millis(400);
/// How long the command may fetch nothing of the end of the trace.
const LAST_BYTES: Duration = Duration::from_millis(1300);

/// What the writer is given to do.
pub(crate) struct Job {
    pub(crate) ready: Ready,
    /// Address of the recording behind the gate.
    pub(crate) recording: usize,
    /// The thread group to be in.
    pub(crate) group: Option<Global>,
}

/// Starts the thread, which waits for its job; without one it ends.
pub(crate) fn spawn(job: Receiver<Job>) -> io::Result<()> {
    spawn_quietly("locklens", move || {
        if let Ok(job) = job.recv() {
            work(job);
        }
    })
}

/// Starts a thread that belongs to nobody: no signal reaches it, and a panic ends it alone.
fn spawn_quietly(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let before = block_signals();
    let spawned = thread::Builder::new().name(name.to_owned()).spawn(move || {
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
    });
    restore_signals(&before);
    spawned.map(drop)
}

/// The target's signals are for its own threads. Not the ones a fault of this very thread raises:
/// the JVM handles those, and blocked they would kill it.
fn block_signals() -> libc::sigset_t {
    let faults = [
        libc::SIGSEGV,
        libc::SIGBUS,
        libc::SIGFPE,
        libc::SIGILL,
        libc::SIGTRAP,
    ];
    let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: both sets are written before they are read.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        for fault in faults {
            libc::sigdelset(all.as_mut_ptr(), fault);
        }
        libc::pthread_sigmask(libc::SIG_BLOCK, all.as_ptr(), before.as_mut_ptr());
        before.assume_init()
    }
}

fn restore_signals(before: &libc::sigset_t) {
    // SAFETY: a mask obtained from the system.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, ptr::null_mut()) };
}

/// Makes the current thread one of the JVM's; none if it would not.
fn attach(jvm: Jvm, name: &CStr, group: jobject) -> Option<*mut JNIEnv> {
    let mut jni = ptr::null_mut::<c_void>();
    let mut args = JavaVMAttachArgs {
        version: jni_sys::JNI_VERSION_1_6,
        name: name.as_ptr().cast_mut(),
        group,
    };
    // SAFETY: the JVM's own pointer, room for the result, arguments of this version.
    let code = unsafe {
        ((**jvm.0).v1_4.AttachCurrentThreadAsDaemon)(jvm.0, &raw mut jni, (&raw mut args).cast())
    };
    (code == 0 && !jni.is_null()).then(|| jni.cast())
}

/// Undoes [`attach`]. No reference of this thread is used afterwards.
fn detach(jvm: Jvm) {
    // SAFETY: the JVM's own pointer; the thread is attached and runs no Java code.
    unsafe { ((**jvm.0).v1_2.DetachCurrentThread)(jvm.0) };
}

/// Attaches to the JVM, writes, lets go of the JVM.
fn work(job: Job) {
    callbacks::ignore_this_thread();
    let env = job.ready.env as *mut RawEnv;
    // SAFETY: `open` returned it, and only this thread closes the gate.
    let recording = unsafe { &*(job.recording as *const Recording) };
    let jvm = job.ready.jvm;
    // Not the application's group, which it may count or interrupt.
    let group = job.group.as_ref().map_or(ptr::null_mut(), Object::object);
    let Some(jni) = attach(jvm, NAME, group) else {
        // The JVM is going down or out of memory. Without it nothing can be ended, only shut; what
        // the gate gives back holds references of the JVM's and stays.
        GATE.close(QUIET, recording.start);
        return;
    };
    // SAFETY: this thread's environments, until it detaches below.
    let vm = unsafe { Vm::new(env, jni) };
    if let Some(group) = job.group {
        vm.delete_global(group);
    }
    let Ready {
        channel, exclusive, ..
    } = job.ready;
    let finished = recording.finished.clone();
    let mut writer = Writer::new(vm, recording, Output::new(channel));
    let reason = writer.run(jvm);
    let (output, left) = writer.finish(reason);
    // Else somebody is stuck inside (suspended, or the JVM has stopped for good). What it uses stays;
    // no event follows, so nothing grows.
    if let Some(left) = left {
        // SAFETY: the writer has gone, and with it the last reference.
        unsafe { left.take() }.release(vm);
        // SAFETY: events are off, the gate is closed and empty: nobody uses it.
        unsafe { vm.dispose() };
    }
    detach(jvm);
    drop(exclusive);
    output.close(LAST_BYTES, || finished.note_progress());
    finished.set();
}

/// See the module.
struct Writer<'vm> {
    vm: Vm<'vm>,
    recording: &'vm Recording,
    output: Output,
    order: Order,
    describer: Describer,
    gatherer: Gatherer<'vm>,
    target: Vec<(String, String)>,
    next_tick: Instant,
    next_roster: Instant,
    /// Events come so fast that giving their memory back would cost more than it is worth.
    busy: bool,
    pulse: Pulse,
    /// Threads that stood still when the recording began, as long as they are not told.
    look: Option<Look<'vm, 'vm>>,
    exact: Option<Exact>,
    /// What was asked for has been done, or cannot be.
    done: bool,
}

impl<'vm> Writer<'vm> {
    fn new(vm: Vm<'vm>, recording: &'vm Recording, output: Output) -> Self {
        let now = Instant::now();
        Self {
            vm,
            recording,
            output,
            order: Order::new(recording.start, recording.ring.capacity() as usize),
            describer: Describer::default(),
            gatherer: Gatherer::new(),
            target: Vec::new(),
            next_tick: now,
            next_roster: now + ROSTER,
            busy: false,
            pulse: Pulse::new(recording.options.silence, now),
            look: None,
            exact: None,
            done: false,
        }
    }

    /// Writes until there is a reason to end; none if nobody listens any more.
    fn run(&mut self, jvm: Jvm) -> Option<EndReason> {
        self.output.begin();
        let peek = verify(self.vm, self.recording, jvm);
        self.target = target(self.vm, self.recording, peek.as_ref().err());
        self.output.push(&Record::Target(self.target.clone()));
        if let Ok(peek) = peek {
            self.peek(peek);
        }
        self.define();
        self.look = Look::begin(self.vm, self.recording, &mut self.describer);
        loop {
            let hurry = self.turn();
            let period = if hurry { Duration::ZERO } else { self.period() };
            self.output.wait(self.recording.wake.fd(), period);
            self.recording.wake.clear();
            match self.output.command() {
                Command::Gone => return None,
                Command::Stop => return Some(EndReason::Stopped),
                Command::Message => self.exactly(),
                _ if self.done => return Some(EndReason::Stopped),
                _ if self.recording.is_dying() => return Some(EndReason::VmDeath),
                heard if !self.pulse.is_felt(heard, Instant::now()) => {
                    return Some(EndReason::CommandSilent);
                }
                Command::Alive | Command::Continue => {}
            }
        }
    }

    /// Lets the callbacks read owners, and finds out where the existing threads are.
    fn peek(&mut self, peek: Peek) {
        self.describer.owners.mean(peek.meaning);
        self.define();
        if let Some(memory) = Memory::open() {
            let (vm, recording) = (self.vm, self.recording);
            self.describer.place_threads(vm, recording, &peek, &memory);
        }
        // Nobody else sets it.
        let _ = self.recording.peek.set(peek);
    }

    /// Pause until the next look.
    fn period(&self) -> Duration {
        match self.exact {
            Some(_) => EXACT_PERIOD,
            None => PERIOD,
        }
    }

    /// One look at everything; whether there is more at once.
    fn turn(&mut self) -> bool {
        if self.output.backlog() > BACKLOG {
            self.output.flush();
            self.meet_objects();
            if self.next_tick.elapsed() > STALL {
                self.gatherer.let_go();
            }
            return false;
        }
        let (mark, more) = self.take_events();
        self.look_on();
        self.recording.budget.forfeit(clock::monotonic());
        self.gatherer
            .step(self.vm, self.recording, &mut self.output);
        let now = Instant::now();
        if now >= self.next_roster {
            self.next_roster = now + ROSTER;
            self.describer
                .read_names(self.vm, self.recording, &mut self.output);
        }
        if now >= self.next_tick {
            self.next_tick = now + TICK;
            self.tick(mark);
        }
        more
    }

    /// Moves events from the rings to the output; the time up to which that is complete, and whether
    /// there is more.
    fn take_events(&mut self) -> (u64, bool) {
        let mark = GATE.watermark(self.order.mark(), self.order.patience_from());
        let order = &mut self.order;
        let keep = if self.busy {
            Blocks::Keep
        } else {
            Blocks::GiveBack
        };
        let ring = &self.recording.ring;
        let taken = ring.drain(BATCH, keep, |event| order.hold(event));
        self.busy = taken > BUSY;
        let (mark, more) = self.take_notes(mark);
        // A full batch leaves older events behind in the ring: nothing is known to be complete.
        let mark = if taken == BATCH {
            self.order.mark()
        } else {
            mark
        };
        // What defines the ids in an event was pushed before the event.
        self.define();
        self.release(mark);
        (mark, more)
    }

    fn release(&mut self, mark: u64) {
        let (output, describer) = (&mut self.output, &mut self.describer);
        let (recording, exact) = (self.recording, &mut self.exact);
        let waits = recording.options.exact;
        self.order.release(mark, |event, raw| match exact {
            None if waits && event.lock.is_some() => {}
            None => tell(recording, describer, output, (event, raw.arg)),
            Some(exact) => exact.admit(raw, event, &mut |told| {
                tell(recording, describer, output, told);
            }),
        });
    }

    fn define(&mut self) {
        for definition in self.recording.definitions.take() {
            self.gatherer.learn(&definition);
            self.describer.define(self.vm, definition, &mut self.output);
        }
    }

    fn tick(&mut self, mark: u64) {
        self.look_for_old_code();
        self.report_losses();
        self.output.push(&Record::Tick(Tick {
            at: Nanos(mark.saturating_sub(self.recording.start)),
            agent_cpu: Nanos(clock::thread_cpu()),
        }));
        self.output.cut();
    }

    fn report_losses(&mut self) {
        let now = clock::monotonic();
        let start = self.recording.start;
        let output = &mut self.output;
        self.recording
            .losses
            .report(start, now, |record| output.push(&record));
        if let Some(exact) = &mut self.exact {
            exact.report_dropped(start, &mut |record| output.push(&record));
        }
        let turned_away = GATE.take_turned_away();
        if turned_away > 0 {
            self.output.push(&Record::Lost(Lost {
                from: Nanos(0),
                to: Nanos(now.saturating_sub(start)),
                count: turned_away,
                cause: LossCause::BufferFull,
            }));
        }
    }

    /// Switches everything off, says the last words, gives everything back.
    fn finish(mut self, reason: Option<EndReason>) -> (Output, Option<Left<Recording>>) {
        self.restore();
        let ending = match reason {
            Some(EndReason::Stopped) if !self.recording.options.exact => Some(self.see_ending()),
            _ => None,
        };
        let events = callbacks::EVENTS.iter();
        for &event in events.chain(callbacks::VIRTUAL_EVENTS) {
            // Fails for events this JVM does not have.
            let _ = self.vm.enable(event, false);
        }
        let left = GATE.close(QUIET, self.recording.start);
        if let Some(reason) = reason {
            self.last_words(reason, ending);
        }
        self.recording.finished.note_progress();
        if let Some(mut exact) = self.exact.take() {
            exact.release(self.vm);
        }
        self.describer.release(self.vm);
        (self.output, left)
    }

    /// Looks at the threads a last time, while events still come.
    fn see_ending(&mut self) -> Ending {
        self.take_events();
        self.end_look();
        Ending::see(self.vm, self.recording, &self.describer)
    }

    fn last_words(&mut self, reason: EndReason, ending: Option<Ending>) {
        let order = &mut self.order;
        self.recording
            .ring
            .drain(usize::MAX, Blocks::Keep, |event| order.hold(event));
        self.define();
        self.release(u64::MAX);
        self.release_rest();
        self.gatherer
            .finish(self.vm, self.recording, &mut self.output, LAST_CODE);
        self.define();
        self.describer
            .read_names(self.vm, self.recording, &mut self.output);
        self.report_losses();
        if let Some(ending) = ending {
            ending.tell(&self.describer, &mut self.output);
        }
        self.report_shortfall();
        self.report_hidden();
        let at = Nanos(clock::monotonic().saturating_sub(self.recording.start));
        let agent_cpu = Nanos(clock::thread_cpu());
        self.output.push(&Record::Tick(Tick { at, agent_cpu }));
        self.output.push(&Record::End(End { at, reason }));
        self.output.cut();
    }

    /// Says the target again, now with what is missing of its code.
    fn report_shortfall(&mut self) {
        if let Some(why) = self.gatherer.shortfall() {
            let mut pairs = self.target.clone();
            pairs.push(("code".to_owned(), why));
            self.output.push(&Record::Target(pairs));
        }
    }

    fn report_hidden(&mut self) {
        for (entry, count) in safe::TABLE.iter().zip(&self.recording.hidden) {
            let events = count.load(Relaxed);
            if events > 0 {
                self.output.push(&Record::Hidden(Hidden {
                    name: entry.name.to_owned(),
                    events,
                }));
            }
        }
    }
}

/// Puts an event into the trace.
fn tell(
    recording: &Recording,
    describer: &mut Describer,
    output: &mut Output,
    (mut event, arg): exact::Told,
) {
    if recording.lacks_chain(&event) {
        let at = recording.start + event.at.0;
        recording.losses.count(LossCause::StackBudget, at);
    }
    match event.kind {
        EventKind::ThreadStart => describer.started(event.thread, output),
        EventKind::ThreadEnd => describer.ended(event.thread),
        EventKind::Enter => event.owner = describer.owners.owner(arg),
        _ => {}
    }
    describer.stays.note(&event);
    output.push(&Record::Event(event));
}

/// The first record.
fn target(vm: Vm<'_>, recording: &Recording, no_peek: Option<&String>) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut add = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            pairs.push((key.to_owned(), value));
        }
    };
    let elapsed = clock::monotonic().saturating_sub(recording.start);
    let mode = match recording.mode {
        Mode::Live => "live",
        Mode::Launch => "launch",
    };
    add(target_key::VM_NAME, vm.property(c"java.vm.name"));
    add(target_key::VM_VERSION, vm.property(c"java.vm.version"));
    add(target_key::JAVA_VERSION, vm.java_property(c"java.version"));
    add(target_key::MAIN, vm.property(c"sun.java.command"));
    add(target_key::CPUS, vm.processors().map(|n| n.to_string()));
    let started = clock::wall().saturating_sub(elapsed);
    add(target_key::STARTED_UNIX_NS, Some(started.to_string()));
    add(target_key::MODE, Some(mode.to_owned()));
    add(target_key::EXACT, Some("false".to_owned()));
    add(
        target_key::STACK_DEPTH,
        Some(recording.options.depth.to_string()),
    );
    add(
        target_key::BUFFER_BYTES,
        Some(recording.options.buffer.to_string()),
    );
    add(
        target_key::OWNER,
        Some(no_peek.map_or("peek".to_owned(), Clone::clone)),
    );
    add(
        target_key::AGENT,
        Some(env!("CARGO_PKG_VERSION").to_owned()),
    );
    pairs
}
