//! What the JVM calls. Each callback passes the gate, identifies thread and lock, and pushes one
//! fixed-size event; no panic leaves it, nothing blocks, nothing is allocated once the thread, the
//! lock and the call chain are known.
//!
//! None of them touches the application's monitors: `MonitorWait` and `MonitorContendedEntered`
//! arrive while the monitor is held, so what is done there lengthens the hold; the call chain of a
//! contender is therefore taken before it blocks, in `MonitorContendedEnter`.

use crate::budget::Occasion;
use crate::definition::Definition;
use crate::exact::{self, install::class_file_load_hook};
use crate::gate::Pass;
use crate::identity::Unknown;
use crate::owner::UNREAD;
use crate::recording::{GATE, Recording};
use crate::ring::{RawEvent, What};
use crate::seat::Seat;
use crate::vm::sys::{CALLBACK_SLOTS, Callbacks, Flag, RawEnv, callback, event, jthread};
use crate::vm::{Object, Vm};
use jni_sys::{JNIEnv, jclass, jlong, jobject};
use locklens_trace::LockId;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// How long the JVM's end waits for the writer to get on.
const LAST_WORDS: Duration = Duration::from_millis(1000);
/// And altogether, for a command that fetches the end of the trace slowly.
const LONGEST_END: Duration = Duration::from_secs(5);

/// Events switched on while recording, besides those of monitors.
pub(crate) const EVENTS: &[i32] = &[event::VM_DEATH, event::THREAD_START, event::THREAD_END];

/// What happens on monitors: off now and then, if the recording may not cost more.
pub(crate) const MONITOR_EVENTS: &[i32] = &[
    event::MONITOR_WAIT,
    event::MONITOR_WAITED,
    event::MONITOR_CONTENDED_ENTER,
    event::MONITOR_CONTENDED_ENTERED,
];

/// The same where there are virtual threads.
pub(crate) const VIRTUAL_EVENTS: &[i32] = &[event::VIRTUAL_THREAD_START, event::VIRTUAL_THREAD_END];

/// Switches all of them off.
pub(crate) fn switch_off(vm: Vm<'_>) {
    switch_off_but_death(vm);
    // It could be switched on.
    let _ = vm.enable(event::VM_DEATH, false);
}

/// The same, but for the end of the JVM, which waits for the trace's.
pub(crate) fn switch_off_but_death(vm: Vm<'_>) {
    let events = [EVENTS, MONITOR_EVENTS, VIRTUAL_EVENTS];
    let events = events.into_iter().flatten();
    for &event in events.filter(|&&event| event != event::VM_DEATH) {
        // Fails for events this JVM does not have.
        let _ = vm.enable(event, false);
    }
}

/// The callback table; `vm_init` is what begins a recording in launch mode.
pub(crate) fn table(vm_init: callback::Thread) -> Callbacks {
    let mut table = Callbacks([std::ptr::null(); CALLBACK_SLOTS]);
    let mut set = |event: i32, function: *const ()| {
        table.0[(event - event::FIRST) as usize] = function.cast();
    };
    set(event::VM_INIT, vm_init as *const ());
    let hook = class_file_load_hook as callback::ClassFileLoadHook as *const ();
    set(event::CLASS_FILE_LOAD_HOOK, hook);
    let prepared = class_prepare as callback::ClassPrepare as *const ();
    set(event::CLASS_PREPARE, prepared);
    set(event::VM_DEATH, vm_death as callback::VmDeath as *const ());
    let start = thread_start as callback::Thread as *const ();
    set(event::THREAD_START, start);
    let start = virtual_thread_start as callback::Thread as *const ();
    set(event::VIRTUAL_THREAD_START, start);
    let end = thread_end as callback::Thread as *const ();
    set(event::THREAD_END, end);
    set(event::VIRTUAL_THREAD_END, end);
    set(
        event::MONITOR_CONTENDED_ENTER,
        contended_enter as callback::Contended as *const (),
    );
    set(
        event::MONITOR_CONTENDED_ENTERED,
        contended_entered as callback::Contended as *const (),
    );
    set(event::MONITOR_WAIT, wait as callback::Wait as *const ());
    set(
        event::MONITOR_WAITED,
        waited as callback::Waited as *const (),
    );
    table
}

thread_local! {
    /// Set in the writer, whose own events are nobody's business.
    static IGNORED: Cell<bool> = const { Cell::new(false) };
}

/// Keeps the current thread out of the recording.
pub(crate) fn ignore_this_thread() {
    IGNORED.set(true);
}

/// Whether the current thread is ours: nobody waits for what it does.
pub(crate) fn is_ours() -> bool {
    IGNORED.get()
}

/// Runs a callback inside the gate. What it cannot identify is counted as lost. Whether the thread is to be
/// ignored is for the body to ask, which may know better than to look it up.
pub(crate) fn guarded(
    env: *mut RawEnv,
    jni: *mut JNIEnv,
    body: impl FnOnce(&Pass<'_, Recording>, Vm<'_>) -> Result<(), Unknown>,
) {
    let run = || {
        let Some(pass) = GATE.enter(jni as usize) else {
            return;
        };
        if !pass.owns(env) {
            return;
        }
        // SAFETY: the JVM passes this thread's environments; the writer disposes of ours only
        // after everybody has left the gate.
        let vm = unsafe { Vm::new(env, jni) };
        if let Err(why) = body(&pass, vm) {
            pass.losses.count(why.cause(), pass.at);
        }
    };
    // A panic here is a defect of ours; it must cost an event, not the target.
    let _ = catch_unwind(AssertUnwindSafe(run));
}

/// A thread at a lock that is recorded.
struct Scene {
    seat: Seat,
    lock: LockId,
    /// The event ends what this thread was seen to begin.
    is_end: bool,
}

/// Identifies both; none if the lock is hidden.
fn scene(
    recording: &Recording,
    vm: Vm<'_>,
    thread: &impl Object,
    object: &impl Object,
    plan: &Plan,
) -> Result<Option<Scene>, Unknown> {
    if thread.object().is_null() || object.object().is_null() {
        return Err(Unknown::Unidentified);
    }
    let tid = recording.tid_of(vm, thread);
    let known = Seat::of(recording.era.load(Relaxed), tid);
    if known.is_none() && IGNORED.get() {
        return Ok(None);
    }
    let begun = known.and_then(|seat| seat.lock_ended_by(plan.what));
    // Whatever becomes of this event, what began before it is over.
    if let Some(seat) = known.filter(|seat| seat.has_begun()) {
        seat.keep(None);
    }
    let lock = match begun {
        Some(lock) => lock,
        None => recording.lock_at_once(vm, object)?,
    };
    if recording.hides_from(vm, (object, lock), || vm.is_asked_for_by_code()) {
        return Ok(None);
    }
    let seat = match known {
        Some(seat) => seat,
        None => recording.seat(vm, tid, thread)?,
    };
    if plan.begins || known.is_none() {
        seat.keep(plan.begins.then_some((plan.what, lock)));
    }
    let is_end = begun.is_some() || recording.ends(&seat, lock, plan);
    Ok(Some(Scene { seat, lock, is_end }))
}

impl Recording {
    /// The same question for a virtual thread, of which its seat remembers nothing.
    fn ends(&self, seat: &Seat, lock: LockId, plan: &Plan) -> bool {
        match (seat.is_platform(), plan.begins) {
            (true, _) => false,
            (false, true) => {
                self.begin(seat.thread(), lock);
                false
            }
            (false, false) => self.has_begun(seat.thread(), lock),
        }
    }

    /// The call chain of an event that may have one; 0 for none.
    fn chain(&self, vm: Vm<'_>, scene: &Scene, plan: &Plan, at: u64) -> u32 {
        if scene.is_end {
            return 0;
        }
        let occasion = Occasion {
            at,
            slot: self.identity.slot(scene.lock),
            lock: scene.lock,
            thread: scene.seat.thread(),
            what: plan.what,
            // It lies in the frame of the callback, which follows the thread's last Java frame.
            depth: ptr::from_ref(plan).addr(),
        };
        self.stack(vm, &occasion)
    }
}

/// What a monitor callback does besides identifying.
struct Plan {
    what: What,
    arg: u64,
    /// The beginning or the end of blocking or waiting.
    begins: bool,
    /// The monitor is held, so that the event gets the lock's next number.
    held: bool,
}

fn monitor_event(
    env: *mut RawEnv,
    jni: *mut JNIEnv,
    thread: jthread,
    object: jobject,
    plan: &Plan,
) {
    guarded(env, jni, |pass, vm| {
        // SAFETY: the callback's arguments, valid until it returns.
        let (thread, object) = unsafe { (vm.borrow(thread), vm.borrow(object)) };
        if pass.guarding.load(Relaxed) {
            return blocking(pass, vm, (&*thread, &*object), plan.what);
        }
        // First of all, because the owner may leave any moment.
        let arg = match (plan.what, pass.peek.get()) {
            // SAFETY: the thread's own callback, with its own environment.
            (What::Enter, Some(peek)) => unsafe { peek.owner_word(jni) },
            (What::Enter, None) => UNREAD,
            _ => plan.arg,
        };
        let Some(scene) = scene(pass, vm, &*thread, &*object, plan)? else {
            return Ok(());
        };
        let is_told = pass.options.exact && pass.options.depth > 0;
        if matches!(plan.what, What::Enter | What::Entered) && is_told {
            // What is blocked on has a monitor of its own, in which its hash is kept.
            let hash = vm.identity_hash(&*object);
            hash.into_iter()
                .for_each(|hash| exact::note_blocking(hash as u32, plan.begins));
        }
        let stack = pass.chain(vm, &scene, plan, pass.at);
        let slot = pass.identity.slot(scene.lock);
        let seq = if plan.held {
            slot.seq.fetch_add(1, Relaxed) + 1
        } else {
            0
        };
        pass.push(&RawEvent {
            at: pass.at,
            what: plan.what,
            thread: scene.seat.thread().0,
            lock: scene.lock.0,
            stack,
            seq,
            arg,
        });
        if stack == 0 {
            pass.meter.note(pass.at);
        }
        Ok(())
    });
}

/// Where only what is new is told: the thread is about to block, or does so no more. Neither gets an id.
fn blocking(
    pass: &Pass<'_, Recording>,
    vm: Vm<'_>,
    (thread, object): (&impl Object, &impl Object),
    what: What,
) -> Result<(), Unknown> {
    if !matches!(what, What::Enter | What::Entered) || IGNORED.get() {
        return Ok(());
    }
    if thread.object().is_null() || object.object().is_null() {
        return Err(Unknown::Unidentified);
    }
    let hash = vm.identity_hash(object).map_err(Unknown::from)?;
    pass.push(&RawEvent {
        at: pass.at,
        what,
        thread: 0,
        lock: hash as u32,
        stack: 0,
        seq: 0,
        arg: pass.tid_of(vm, thread),
    });
    Ok(())
}

unsafe extern "system" fn contended_enter(
    env: *mut RawEnv,
    jni: *mut JNIEnv,
    thread: jthread,
    object: jobject,
) {
    let plan = Plan {
        what: What::Enter,
        arg: 0,
        begins: true,
        held: false,
    };
    monitor_event(env, jni, thread, object, &plan);
}

unsafe extern "system" fn contended_entered(
    env: *mut RawEnv,
    jni: *mut JNIEnv,
    thread: jthread,
    object: jobject,
) {
    let plan = Plan {
        what: What::Entered,
        arg: 0,
        begins: false,
        held: true,
    };
    monitor_event(env, jni, thread, object, &plan);
}

unsafe extern "system" fn wait(
    env: *mut RawEnv,
    jni: *mut JNIEnv,
    thread: jthread,
    object: jobject,
    timeout: jlong,
) {
    let plan = Plan {
        what: What::Wait,
        arg: u64::try_from(timeout).unwrap_or(0),
        begins: true,
        held: true,
    };
    monitor_event(env, jni, thread, object, &plan);
}

unsafe extern "system" fn waited(
    env: *mut RawEnv,
    jni: *mut JNIEnv,
    thread: jthread,
    object: jobject,
    timed_out: Flag,
) {
    let plan = Plan {
        what: What::Waited,
        arg: u64::from(timed_out != 0),
        begins: false,
        held: false,
    };
    monitor_event(env, jni, thread, object, &plan);
}

unsafe extern "system" fn thread_start(env: *mut RawEnv, jni: *mut JNIEnv, thread: jthread) {
    guarded(env, jni, |pass, vm| {
        // SAFETY: the callback's argument, valid until it returns.
        let thread = unsafe { vm.borrow(thread) };
        if IGNORED.get() {
            return Ok(());
        }
        if thread.is_null() {
            return Err(Unknown::Unidentified);
        }
        let tid = pass.tid_of(vm, &*thread);
        if pass.push_life(pass.at, What::ThreadStart, tid) {
            pass.offer(Definition::Born(tid, pass.roots.name_of(vm, &*thread)));
            return Ok(());
        }
        let id = pass.thread(vm, &*thread, true)?;
        if let Some(peek) = pass.peek.get()
            && !pass.roots.is_carrier(vm, &*thread)
        {
            // SAFETY: a platform thread's own start, with its own environment.
            let place = unsafe { peek.own_place(jni) };
            pass.offer(Definition::Place(id, place));
        }
        pass.push_thread(pass.at, What::ThreadStart, id);
        Ok(())
    });
}

unsafe extern "system" fn virtual_thread_start(
    env: *mut RawEnv,
    jni: *mut JNIEnv,
    thread: jthread,
) {
    guarded(env, jni, |pass, vm| {
        // SAFETY: the callback's argument, valid until it returns.
        let thread = unsafe { vm.borrow(thread) };
        if IGNORED.get() {
            return Ok(());
        }
        if thread.is_null() {
            return Err(Unknown::Unidentified);
        }
        if pass.push_life(pass.at, What::ThreadStart, pass.tid_of(vm, &*thread)) {
            return Ok(());
        }
        // A program may start a million of these, few of which ever block: the second half of the
        // table is for those that do.
        if pass.threads.is_half_full() {
            return Ok(());
        }
        let id = pass.thread(vm, &*thread, true)?;
        pass.push_thread(pass.at, What::ThreadStart, id);
        Ok(())
    });
}

unsafe extern "system" fn thread_end(env: *mut RawEnv, jni: *mut JNIEnv, thread: jthread) {
    guarded(env, jni, |pass, vm| {
        // SAFETY: the callback's argument, valid until it returns.
        let thread = unsafe { vm.borrow(thread) };
        if IGNORED.get() {
            return Ok(());
        }
        if thread.is_null() {
            return Err(Unknown::Unidentified);
        }
        let tid = pass.tid_of(vm, &*thread);
        crate::exact::release_ring(tid);
        if pass.push_life(pass.at, What::ThreadEnd, tid) {
            return Ok(());
        }
        // Nothing was said of a thread without an id, so its end is no news.
        let Some(id) = pass.known_thread(vm, &*thread) else {
            return Ok(());
        };
        let name = pass.roots.name_of(vm, &*thread);
        pass.offer(Definition::LastName(id, name));
        pass.push_thread(pass.at, What::ThreadEnd, id);
        Ok(())
    });
}

unsafe extern "system" fn class_prepare(
    env: *mut RawEnv,
    jni: *mut JNIEnv,
    _thread: jthread,
    class: jclass,
) {
    guarded(env, jni, |recording, vm| {
        // SAFETY: the callback's argument.
        let class = unsafe { vm.borrow(class) };
        recording.arrivals.prepared(vm, recording, &class)
    });
}

unsafe extern "system" fn vm_death(env: *mut RawEnv, jni: *mut JNIEnv) {
    let mut finished = None;
    guarded(env, jni, |pass, _| {
        finished = Some(Arc::clone(&pass.finished));
        pass.die();
        Ok(())
    });
    // Outside the gate: the writer waits until everybody is out.
    if let Some(finished) = finished {
        finished.wait(LAST_WORDS, LONGEST_END);
    }
}
