//! How the writer becomes a thread of the JVM, and gets its job.

use super::thread::{attach, detach, spawn_quietly};
use super::{NAME, work};
use crate::callbacks;
use crate::entry::{Jvm, Ready};
use crate::vm::sys::RawEnv;
use crate::vm::{Global, Object, Vm};
use jni_sys::JNIEnv;
use std::io;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::AcqRel;
use std::sync::mpsc::{Receiver, SyncSender};

/// What the writer is given to do.
pub(crate) struct Job {
    pub(crate) ready: Ready,
    /// Address of the recording behind the gate.
    pub(crate) recording: usize,
}

/// What the writer needs to become a thread of the JVM.
pub(crate) struct Start {
    pub(crate) jvm: Jvm,
    pub(crate) env: usize,
    /// The thread group to be in.
    pub(crate) group: Option<Global>,
    /// Set by whoever is first: the writer that is there, or who has waited for it long enough and waits no more.
    pub(crate) decided: Arc<AtomicBool>,
    pub(crate) answer: SyncSender<Attached>,
}

/// What came of that.
pub(crate) struct Attached {
    /// Its thread object, or no room for a reference to it; none at all if the JVM did not take the thread.
    pub(crate) thread: Option<Option<Global>>,
    /// Given back: who is no thread of the JVM cannot let go of it.
    pub(crate) group: Option<Global>,
}

/// Starts the thread, which attaches to the JVM, says so, and waits for its job; without one it ends.
pub(crate) fn spawn(start: Start, job: Receiver<Job>) -> io::Result<()> {
    /// The system's names of the thread, until it has a recording to write and from then on.
    const STARTING: &str = "locklens-start";
    const WORKING: &str = "locklens";
    spawn_quietly(STARTING, move || {
        callbacks::ignore_this_thread();
        let jvm = start.jvm;
        if let Some(jni) = meet(start) {
            match job.recv() {
                Ok(job) => {
                    // Whoever sees the name knows that it records. Without /proc it keeps the other one.
                    let _ = std::fs::write("/proc/thread-self/comm", WORKING);
                    work(job, jni);
                }
                Err(_) => detach(jvm),
            }
        }
    })
}

/// Makes this thread one of the JVM's, and says what came of it. None if it is not, or if nobody waits for it any more.
fn meet(start: Start) -> Option<*mut JNIEnv> {
    // Not the application's group, which it may count or interrupt.
    let group = start.group.as_ref();
    let group = group.map_or(ptr::null_mut(), Object::object);
    let attached = attach(start.jvm, NAME, group);
    let late = start.decided.swap(true, AcqRel);
    // SAFETY: this thread's environments. The first is live: who made it waits for the answer, or else it is not used.
    let vm = attached.map(|jni| unsafe { Vm::new(start.env as *mut RawEnv, jni) });
    if late {
        // Who has waited in vain may have disposed of the environment.
        let vm = vm?;
        start
            .group
            .into_iter()
            .for_each(|group| vm.delete_global(group));
        detach(start.jvm);
        return None;
    }
    let thread = vm.map(|vm| vm.current_thread().and_then(|own| vm.global(&own)));
    // Somebody waits for it.
    let _ = start.answer.send(Attached {
        thread,
        group: start.group,
    });
    attached
}
