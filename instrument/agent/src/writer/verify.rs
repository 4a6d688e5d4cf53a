//! Proof that the owner peek tells the truth in this JVM, before anybody relies on it.
//!
//! This thread locks an object of its own, a second thread of ours blocks on it, and what the peek
//! finds there is compared with what this thread knows: that the lock is its own. The JVM is not asked:
//! see [`Vm::monitor_owner`]. Every read goes through the kernel, so a wrong offset gives a wrong value and not a
//! crash. Anything unexpected means that owners stay unknown, and the trace says why.

use super::thread::{attach, detach, spawn_quietly};
use crate::callbacks;
use crate::clock;
use crate::entry::Jvm;
use crate::owner::{Layout, Meaning, Naming, Peek, claimed_layout};
use crate::recording::Recording;
use crate::structures::{Claims, Memory};
use crate::vm::sys::RawEnv;
use crate::vm::{Global, Object, Ref, Vm};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::thread;
use std::time::Duration;

/// Longest wait for the second thread to block, and to end.
const PATIENCE: Duration = Duration::from_millis(400);
const PAUSE: Duration = Duration::from_micros(200);

/// Verifies the peek; the error says why owners stay unknown.
pub(super) fn verify(
    vm: Vm<'_>,
    recording: &Recording,
    jvm: Jvm,
    memory: Option<&Memory>,
    claims: Option<&Claims>,
) -> Result<Peek, String> {
    let memory = memory.ok_or("the target may not read its own memory safely")?;
    let claims = claims.ok_or("this JVM exports no table of its structures")?;
    let own = vm
        .current_thread()
        .ok_or("the JVM does not name its threads")?;
    let address = recording.address_of(vm, &own);
    let to_jni = (vm.jni_address() as u64).checked_sub(address);
    let to_jni = to_jni.filter(|&d| address != 0 && d < 1 << 16);
    let to_jni =
        to_jni.ok_or("a thread's address and its JNI environment do not belong together")?;
    let layout = claimed_layout(claims, to_jni as usize)?;
    check_stack(memory, &layout, address)?;
    let (meaning, naming) = blocked_on_us(vm, recording, jvm, memory, &layout, &own)?;
    // Only a JVM that surely does not mind is given a handle of our own making.
    let naming = naming.filter(|_| claims.checks_handles(memory) == Some(false));
    Ok(Peek {
        layout,
        meaning,
        naming,
    })
}

/// The stack the JVM claims for this thread is the one we are standing on.
fn check_stack(memory: &Memory, layout: &Layout, address: u64) -> Result<(), String> {
    let peek = Peek {
        layout: *layout,
        meaning: Meaning::Address,
        naming: None,
    };
    let place = peek.place_of(memory, address);
    let here = &raw const place as u64;
    if (place.stack_low..place.stack_high).contains(&here) {
        Ok(())
    } else {
        Err("a thread's stack is not where this JVM says".into())
    }
}

/// Lets a second thread block on a lock of ours and looks at it.
fn blocked_on_us(
    vm: Vm<'_>,
    recording: &Recording,
    jvm: Jvm,
    memory: &Memory,
    layout: &Layout,
    own: &Ref<'_>,
) -> Result<(Meaning, Option<Naming>), String> {
    let failed = "no lock of our own could be made";
    let object = vm.new_object().ok_or(failed)?;
    let shared = vm.global(&object).ok_or(failed)?;
    if !vm.monitor_enter(&object) {
        vm.delete_global(shared);
        return Err(failed.into());
    }
    let seen = contend(vm, jvm, shared, memory, layout);
    let naming = seen.as_ref().ok().and_then(|seen| {
        naming(
            memory,
            seen.monitor.wrapping_add(layout.object? as u64),
            &object,
        )
    });
    vm.monitor_exit(&object);
    let Seen {
        contender, word, ..
    } = seen?;
    if !contender.wait_for_end() {
        return Err("a second thread of ours does not end".into());
    }
    // Nobody has to be asked who holds it: this thread has just taken it.
    match word {
        word if word == recording.address_of(vm, own) => Ok((Meaning::Address, naming)),
        word if word == recording.tid_of(vm, own) => Ok((Meaning::Tid, naming)),
        _ => Err("the owner read is not the thread that holds our lock".into()),
    }
}

/// How the field of a monitor refers to the object that this local reference, too, refers to. The
/// collector may move the object between two reads, hence several tries.
fn naming(memory: &Memory, field: u64, object: &Ref<'_>) -> Option<Naming> {
    const TRIES: usize = 5;
    (0..TRIES).find_map(|_| {
        let own = memory
            .word(object.object() as u64)
            .filter(|&own| own != 0)?;
        let word = memory.word(field)?;
        if word == own {
            return Some(Naming::Address);
        }
        let behind = memory.word(word)?;
        // The generational ZGC keeps addresses shifted, with marks below.
        let shifted = (12..=16).any(|by| behind >> by == own);
        (behind == own || shifted).then_some(Naming::Handle)
    })
}

/// What was seen of the blocked thread.
struct Seen {
    contender: Contender,
    /// Address of the monitor.
    monitor: u64,
    /// Its owner's word.
    word: u64,
}

/// The second thread.
struct Contender {
    /// Its JNI environment: 0 not attached yet, 1 ended or failed.
    jni: Arc<AtomicU64>,
}

const ENDED: u64 = 1;

impl Contender {
    /// Starts it; it takes the global reference over.
    fn start(vm: Vm<'_>, jvm: Jvm, object: Global) -> Result<Self, String> {
        let jni = Arc::new(AtomicU64::new(0));
        let env = vm.env() as usize;
        let shared = Arc::clone(&jni);
        let group = vm.system_group().and_then(|group| vm.global(&group));
        let spawned = spawn_quietly("locklens-probe", move || {
            callbacks::ignore_this_thread();
            contend_once(jvm, env, (object, group), &shared);
            shared.store(ENDED, Release);
        });
        match spawned {
            Ok(()) => Ok(Self { jni }),
            Err(error) => Err(format!("no second thread: {error}")),
        }
    }

    /// Whether it has ended, in time.
    fn wait_for_end(&self) -> bool {
        let deadline = clock::monotonic() + PATIENCE.as_nanos() as u64;
        while self.jni.load(Acquire) != ENDED && clock::monotonic() < deadline {
            thread::sleep(PAUSE);
        }
        self.jni.load(Acquire) == ENDED
    }
}

/// What the second thread does: attach, block, leave. It is in the group of the JVM's own threads: the application may count or
/// interrupt those in its own.
fn contend_once(
    jvm: Jvm,
    env: usize,
    (object, group): (Global, Option<Global>),
    shared: &AtomicU64,
) {
    let own = group.as_ref().map_or(ptr::null_mut(), Object::object);
    let Some(jni) = attach(jvm, c"locklens-probe", own) else {
        return;
    };
    // SAFETY: this thread's environment until it detaches; JVMTI is not used through it.
    let vm = unsafe { Vm::new(env as *mut RawEnv, jni) };
    shared.store(jni as u64, Release);
    if vm.monitor_enter(&object) {
        vm.monitor_exit(&object);
    }
    vm.delete_global(object);
    group.into_iter().for_each(|group| vm.delete_global(group));
    detach(jvm);
}

/// Starts the second thread, waits until it is blocked, and reads the owner it sees.
fn contend(
    vm: Vm<'_>,
    jvm: Jvm,
    object: Global,
    memory: &Memory,
    layout: &Layout,
) -> Result<Seen, String> {
    let contender = Contender::start(vm, jvm, object)?;
    let deadline = clock::monotonic() + PATIENCE.as_nanos() as u64;
    while clock::monotonic() < deadline {
        let jni = contender.jni.load(Acquire);
        if jni > ENDED {
            let thread = jni - layout.to_jni as u64;
            let monitor = memory.word(thread + layout.pending as u64).unwrap_or(0);
            if monitor != 0 {
                let word = memory.word(monitor.wrapping_add(layout.owner as u64));
                let word = word.ok_or("a pending monitor is not where this JVM says")?;
                return Ok(Seen {
                    contender,
                    monitor,
                    word,
                });
            }
        }
        thread::sleep(PAUSE);
    }
    Err("a blocked thread's pending monitor is not where this JVM says".into())
}
