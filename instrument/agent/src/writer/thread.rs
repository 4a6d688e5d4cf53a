//! Threads of ours in somebody else's process: the JVM knows them while they use it, and no signal reaches them but those that it
//! wants its own threads to take.

use crate::entry::Jvm;
use jni_sys::{JNIEnv, JavaVMAttachArgs, jobject};
use std::ffi::{CStr, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::thread;

/// Starts a thread that belongs to nobody: no signal reaches it before the JVM knows it, and a panic ends it alone.
pub(crate) fn spawn_quietly(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<()> {
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
pub(crate) fn attach(jvm: Jvm, name: &CStr, group: jobject) -> Option<*mut JNIEnv> {
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
pub(crate) fn detach(jvm: Jvm) {
    // SAFETY: the JVM's own pointer; the thread is attached and runs no Java code.
    unsafe { ((**jvm.0).v1_2.DetachCurrentThread)(jvm.0) };
}
