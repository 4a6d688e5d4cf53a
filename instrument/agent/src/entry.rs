//! From being loaded to recording: what the JVM calls first, and what must hold before events flow.
//!
//! Live: `Agent_OnAttach` does all of it at once and returns; it is called again, on the same mapped
//! library, for every further recording. Launch: `Agent_OnLoad` connects and asks for capabilities,
//! `VMInit` does the rest, because there is no JNI before it.
//!
//! Standby: `Agent_OnLoad` with that option takes the capabilities to replace classes and does nothing else, ever.
//!
//! The answer to the JVM is always success: an error from `Agent_OnLoad` would end the target, and
//! one from `Agent_OnAttach` would unmap the library while a late callback may still be on its way
//! into it. What went wrong is said over the channel, or, without one, by silence.

use crate::callbacks;
use crate::channel::{Channel, Status};
use crate::definition::Definition;
use crate::exact;
use crate::exclusive::Exclusive;
use crate::options::Options;
use crate::recording::{Finished, GATE, Mode, Recording};
use crate::vm::sys::{Callbacks, Capabilities, RawEnv, VERSION_1_2, capability, event, jthread};
use crate::vm::{Global, Object, Vm};
use crate::writer;
use jni_sys::{JNIEnv, JavaVM, jint};
use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Must be had, or there is nothing to record.
const REQUIRED: &[usize] = &[capability::TAG_OBJECTS, capability::MONITOR_EVENTS];
/// Taken where they can be had.
const WELCOME: &[usize] = &[
    capability::GET_BYTECODES,
    capability::MONITOR_INFO,
    capability::SOURCE_FILE_NAME,
    capability::LINE_NUMBERS,
    capability::THREAD_CPU_TIME,
    capability::CONSTANT_POOL,
    capability::VIRTUAL_THREADS,
];

/// A pointer to the one JVM of the process, valid as long as the process.
#[derive(Clone, Copy)]
pub(crate) struct Jvm(pub(crate) *mut JavaVM);

// SAFETY: the invocation interface may be called from any thread.
unsafe impl Send for Jvm {}

/// Everything a recording needs before there are events.
pub(crate) struct Ready {
    pub(crate) jvm: Jvm,
    pub(crate) env: usize,
    pub(crate) options: Options,
    pub(crate) mode: Mode,
    pub(crate) channel: Channel,
    pub(crate) exclusive: Exclusive,
    pub(crate) virtual_threads: bool,
}

/// How long the start of a JVM waits for the command to say what it wants.
const LONGEST_START: Duration = Duration::from_secs(10);

/// What waits for `VMInit` in launch mode.
static PENDING: Mutex<Option<Ready>> = Mutex::new(None);

// SAFETY: the channel, the exclusive right and the options are plain owned values, the JVM's
// pointers may be used from any attached thread.
unsafe impl Send for Ready {}

/// Begins a recording in a running JVM.
///
/// # Safety
/// The arguments of `Agent_OnAttach`.
pub(crate) unsafe fn attach(jvm: *mut JavaVM, text: *const c_char) {
    // SAFETY: the caller's promise.
    let text = unsafe { options_text(text) };
    let _ = catch_unwind(AssertUnwindSafe(|| {
        if let Some(ready) = prepare(Jvm(jvm), &text, Mode::Live) {
            let mut jni = ptr::null_mut::<c_void>();
            // SAFETY: the JVM's own pointer; this thread is attached, the JVM called us on it.
            unsafe { ((**jvm).v1_2.GetEnv)(jvm, &raw mut jni, jni_sys::JNI_VERSION_1_6) };
            if jni.is_null() {
                return;
            }
            // SAFETY: the environment just made and this thread's JNI environment.
            let vm = unsafe { Vm::new(ready.env as *mut RawEnv, jni.cast()) };
            begin(vm, ready);
        }
    }));
}

/// Prepares a recording in a JVM that is just starting.
///
/// # Safety
/// The arguments of `Agent_OnLoad`.
pub(crate) unsafe fn load(jvm: *mut JavaVM, text: *const c_char) {
    // SAFETY: the caller's promise.
    let text = unsafe { options_text(text) };
    let _ = catch_unwind(AssertUnwindSafe(|| {
        if text == STANDBY {
            return stand_by(Jvm(jvm));
        }
        let Some(ready) = prepare(Jvm(jvm), &text, Mode::Launch) else {
            return;
        };
        // SAFETY: the environment just made; JNI is not used before `VMInit`.
        let vm = unsafe { Vm::new(ready.env as *mut RawEnv, ptr::null_mut()) };
        if ready.options.exact {
            // From the start it is cheap; what it comes to is found out when it is needed.
            let _ = exact::capable(vm);
        }
        if vm.enable(event::VM_INIT, true).is_ok() {
            *PENDING.lock().unwrap_or_else(PoisonError::into_inner) = Some(ready);
        }
    }));
}

/// Option of an agent that is there from the start and does nothing.
const STANDBY: &str = "standby";

/// Takes the capability to retransform classes, and no more: from then on the JVM keeps record of what
/// its compiled code depends on, so that a later exact recording discards only what it must. JVMs that
/// do so anyway lose nothing.
fn stand_by(jvm: Jvm) {
    if let Ok(env) = new_environment(jvm) {
        // SAFETY: the environment just made; only functions without JNI are called. It stays as long
        // as the JVM, as the one of `keep_an_environment` does.
        let vm = unsafe { Vm::new(env, ptr::null_mut()) };
        let wanted = [
            capability::RETRANSFORM_CLASSES,
            capability::RETRANSFORM_ANY_CLASS,
        ];
        let potential = vm.potential_capabilities().unwrap_or_default();
        // Without it, it is as if this agent were not there.
        let _ = vm.add_capabilities(&Capabilities::of(&wanted).and(&potential));
    }
}

unsafe extern "system" fn vm_init(env: *mut RawEnv, jni: *mut JNIEnv, _thread: jthread) {
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let ready = PENDING
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(ready) = ready {
            // SAFETY: the callback's arguments.
            let vm = unsafe { Vm::new(env, jni) };
            let _ = vm.enable(event::VM_INIT, false);
            let exact = ready.options.exact;
            let settled = begin(vm, ready);
            if let Some(settled) = settled.filter(|_| exact) {
                // The program begins when its classes can be rewritten as they come.
                settled.wait(LONGEST_START, LONGEST_START);
            }
        }
    }));
}

/// # Safety
/// Null or a terminated string.
unsafe fn options_text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

/// Connects, claims the JVM, makes an environment. What cannot be done is told to the command.
fn prepare(jvm: Jvm, text: &str, mode: Mode) -> Option<Ready> {
    // The message of a panic would go to the target's stderr.
    std::panic::set_hook(Box::new(|_| {}));
    let options = match Options::parse(text) {
        Ok(options) => options,
        Err(error) => return refuse_unread(text, &error),
    };
    let mut channel = Channel::connect(&options).ok()?;
    let refuse = |channel: &mut Channel, status: &Status<'_>| {
        channel.hello(&options, status);
        channel.finish(Duration::from_millis(500));
    };
    let exclusive = match Exclusive::take() {
        Ok(Some(exclusive)) => exclusive,
        Ok(None) => {
            let why = "another recorder is active in this JVM";
            refuse(&mut channel, &Status::Busy(why));
            return None;
        }
        Err(error) => {
            let why = format!("the target cannot make a socket: {error}");
            refuse(&mut channel, &Status::Refused(&why));
            return None;
        }
    };
    match environment(jvm) {
        Ok((env, virtual_threads)) => Some(Ready {
            jvm,
            env: env as usize,
            options,
            mode,
            channel,
            exclusive,
            virtual_threads,
        }),
        Err(why) => {
            refuse(&mut channel, &Status::Refused(&why));
            None
        }
    }
}

/// Tells a command whose options cannot be read so, if at least its socket can.
fn refuse_unread(text: &str, error: &str) -> Option<Ready> {
    let known = |pair: &&str| ["sock=", "secret="].iter().any(|key| pair.starts_with(key));
    let pairs: Vec<&str> = text.split(',').filter(known).collect();
    let options = Options::parse(&pairs.join(",")).ok()?;
    let mut channel = Channel::connect(&options).ok()?;
    channel.hello(&options, &Status::Refused(error));
    channel.finish(Duration::from_millis(500));
    None
}

/// Makes sure that from now on the JVM always has an environment, an idle one of ours.
///
/// A thread that ends while there is none leaves its JVM TI state behind in HotSpot's list (its exit
/// asks `environments_might_exist`), pointing to the thread's freed memory; the next environment's
/// events are then switched on *in* that memory. With an allocator that checks freed memory the
/// write shows on 11, 17, 21 and 25 within some ten recordings of a program whose threads come and
/// go; without one JDK 11 died of it after 15 to 150.
fn keep_an_environment(jvm: Jvm) -> Result<(), String> {
    static KEPT: Mutex<bool> = Mutex::new(false);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if !*kept {
        // Without capabilities, callbacks or events; the JVM frees it when it ends.
        new_environment(jvm)?;
        *kept = true;
    }
    Ok(())
}

fn new_environment(jvm: Jvm) -> Result<*mut RawEnv, String> {
    let mut env = ptr::null_mut::<c_void>();
    // SAFETY: the JVM's own pointer and room for the result.
    let code = unsafe { ((**jvm.0).v1_2.GetEnv)(jvm.0, &raw mut env, VERSION_1_2) };
    match code {
        // That is what a JVM says before it is up.
        jni_sys::JNI_EDETACHED => return Err("this JVM is still starting: try again".to_owned()),
        0 if !env.is_null() => {}
        _ => return Err(format!("this JVM offers no JVM TI 1.2 (error {code})")),
    }
    Ok(env.cast())
}

/// A JVMTI environment with what can be had, and whether it covers virtual threads.
fn environment(jvm: Jvm) -> Result<(*mut RawEnv, bool), String> {
    keep_an_environment(jvm)?;
    let env = new_environment(jvm)?;
    // SAFETY: the environment just made; only functions without JNI are called.
    let vm = unsafe { Vm::new(env, ptr::null_mut()) };
    let table: Callbacks = callbacks::table(vm_init);
    let have = capabilities(vm).and_then(|have| {
        vm.set_callbacks(&table)
            .map_err(|error| format!("SetEventCallbacks: JVM TI error {}", error.0))?;
        Ok(have)
    });
    match have {
        Ok(have) => Ok((env, have.has(capability::VIRTUAL_THREADS))),
        Err(why) => {
            // SAFETY: made above, known to nobody else.
            unsafe { vm.dispose() };
            Err(why)
        }
    }
}

fn capabilities(vm: Vm<'_>) -> Result<Capabilities, String> {
    let error = |call: &str, error: crate::vm::Error| format!("{call}: JVM TI error {}", error.0);
    let potential = vm
        .potential_capabilities()
        .map_err(|e| error("GetPotentialCapabilities", e))?;
    if !REQUIRED.iter().all(|&bit| potential.has(bit)) {
        return Err("this JVM does not offer monitor events and object tags".into());
    }
    let wanted = Capabilities::of(&[REQUIRED, WELCOME].concat()).and(&potential);
    vm.add_capabilities(&wanted)
        .map_err(|e| error("AddCapabilities", e))?;
    Ok(wanted)
}

/// Starts the writer and opens the gate; what is set when it is clear what will be recorded.
fn begin(vm: Vm<'_>, mut ready: Ready) -> Option<Arc<Finished>> {
    // Made first, and known to the JVM first: where either has no room for it, nothing has to be undone that a thread which the
    // JVM does not know could not undo.
    let (hand_over, writer) = match start_writer(vm, &ready) {
        Ok(started) => started,
        Err(why) => {
            give_up(vm, ready, &why);
            return None;
        }
    };
    let mut recording = match Recording::new(vm, ready.options.clone(), ready.mode) {
        Ok(recording) => recording,
        Err(why) => {
            // Without a job the writer ends.
            writer.into_iter().for_each(|own| vm.delete_global(own));
            give_up(vm, ready, &why);
            return None;
        }
    };
    let settled = Arc::clone(&recording.settled);
    ready.channel.hello(&ready.options, &Status::Recording);
    recording.note_existing_threads(vm, writer.as_ref());
    writer.into_iter().for_each(|own| vm.delete_global(own));
    // What comes before would be time of which nothing is told.
    recording.starts_now();
    let virtual_threads = ready.virtual_threads;
    let recording = GATE.open(Box::new(recording));
    let samples = ready.options.sample.is_some();
    let mut events = match samples {
        true => vec![event::VM_DEATH],
        false => [callbacks::EVENTS, callbacks::MONITOR_EVENTS].concat(),
    };
    if virtual_threads && !samples {
        events.extend(callbacks::VIRTUAL_EVENTS);
    }
    for event in events {
        // An event that cannot be switched on is one the trace will not have; the monitor events
        // cannot fail, their capability has been granted.
        let _ = vm.enable(event, true);
    }
    // The writer is waiting for it: it cannot have gone.
    let _ = hand_over.send(writer::Job {
        ready,
        recording: recording as usize,
    });
    Some(settled)
}

/// How long the writer may take to become a thread of the JVM. Whoever asked for us to be loaded waits for that, and so does
/// every other request to attach.
const ATTACHING: Duration = Duration::from_secs(9);

/// Starts the writer; by which way it gets its job, and its thread object.
fn start_writer(
    vm: Vm<'_>,
    ready: &Ready,
) -> Result<(SyncSender<writer::Job>, Option<Global>), String> {
    let (hand_over, job) = sync_channel(1);
    let (answer, attached) = sync_channel(1);
    let group = vm.system_group().and_then(|group| vm.global(&group));
    let decided = Arc::new(AtomicBool::new(false));
    let start = writer::Start {
        jvm: ready.jvm,
        env: ready.env,
        group,
        decided: Arc::clone(&decided),
        answer,
    };
    writer::spawn(start, job).map_err(|error| format!("no thread for the writer: {error}"))?;
    let waited = attached.recv_timeout(ATTACHING);
    let late = waited.is_err() && !decided.swap(true, AcqRel);
    if late {
        return Err("this JVM takes too long to make a thread of ours its own".to_owned());
    }
    // It was there in time, if only just.
    let answer = waited.or_else(|_| attached.recv());
    let no = "this JVM takes no thread of ours: its Java heap may be full, or it is ending";
    let writer::Attached { thread, group } = answer.map_err(|_| no.to_owned())?;
    group.into_iter().for_each(|group| vm.delete_global(group));
    Ok((hand_over, thread.ok_or(no)?))
}

fn give_up(vm: Vm<'_>, mut ready: Ready, why: &str) {
    ready.channel.hello(&ready.options, &Status::Refused(why));
    ready.channel.finish(Duration::from_millis(500));
    // SAFETY: no event was switched on; nobody else knows the environment, but for a writer that does not use it without a job.
    unsafe { vm.dispose() };
}

impl Recording {
    /// Gives ids and names to the threads there are already, all but the writer.
    fn note_existing_threads(&self, vm: Vm<'_>, writer: Option<&Global>) {
        let ours = writer.map(|writer| self.tid_of(vm, writer));
        for thread in vm.all_threads().unwrap_or_default() {
            if !thread.object().is_null() && Some(self.tid_of(vm, &thread)) != ours {
                // A full table is reported when an event meets it.
                let _ = self.thread(vm, &thread, false);
            }
        }
        self.threads_at_start.store(self.threads.given(), Relaxed);
    }

    /// Gives back what the JVM holds for this recording, and its memory.
    pub(crate) fn release(self, vm: Vm<'_>) {
        for definition in self.definitions.take() {
            let weak = match definition {
                Definition::Class(class) => class.mirror,
                Definition::PutOff(_, object) => Some(object),
                _ => None,
            };
            weak.into_iter().for_each(|weak| vm.delete_weak(weak));
        }
        self.arrivals.release(vm);
        self.roots.release(vm);
    }
}

/// Result of the entry points; see the module.
pub(crate) const JNI_OK: jint = 0;
