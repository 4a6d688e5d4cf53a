//! Who holds a monitor that somebody is about to block on, read from the JVM's own structures.
//!
//! JVMTI has no cheap answer (`GetObjectMonitorUsage` stops the whole VM), so in
//! `MonitorContendedEnter` two words are read: the monitor this thread is pending on, from its
//! `JavaThread`, and that monitor's owner. Where they lie the JVM says itself, in the table
//! `gHotSpotVMStructs` that it exports for its debugging agent.
//!
//! Nothing is read this way before `writer::verify` has seen it name the thread that holds
//! a monitor of our own, with every read guarded. Object headers are never decoded.
//!
//! What the owner's word means differs: its `JavaThread`, or an address in its stack while the lock
//! is still a record there (to 23); its Java tid (from 24). 0 is nobody; 1 and 2 are the JVM's marks.

use crate::structures::{Claims, Memory};
use jni_sys::JNIEnv;

/// An owner's word that tells nothing: not read, or a mark of the JVM's.
pub(crate) const UNREAD: u64 = 1;
/// The largest mark.
pub(crate) const LAST_MARK: u64 = 2;

/// What an owner's word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Address of the owner's `JavaThread`, or one in its stack.
    Address,
    /// The owner's Java tid.
    Tid,
}

/// Where the words lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// From a thread's `JavaThread` to its JNI environment.
    pub(crate) to_jni: usize,
    /// In `JavaThread`.
    pub(crate) pending: usize,
    /// In `ObjectMonitor`.
    pub(crate) owner: usize,
    /// In `JavaThread`.
    pub(crate) stack_base: usize,
    /// In `JavaThread`.
    pub(crate) stack_size: usize,
    /// In `JavaThread`: the monitor whose `wait` it is in.
    pub(crate) waiting: Option<usize>,
    /// In `ObjectMonitor`: its object.
    pub(crate) object: Option<usize>,
}

/// How a monitor refers to its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// By the object's address (to 14).
    Address,
    /// By a weak handle, a place that holds the object's address (from 15).
    Handle,
}

/// A layout that has been verified, and what the words mean. Holding it entitles to read them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peek {
    pub(crate) layout: Layout,
    pub(crate) meaning: Meaning,
    /// None where it could not be verified, or must not be used.
    pub(crate) naming: Option<Naming>,
}

/// Where a thread is in memory; all 0 if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// Of its `JavaThread`.
    pub(crate) address: u64,
    /// Its stack, from here
    pub(crate) stack_low: u64,
    /// up to here.
    pub(crate) stack_high: u64,
}

impl Peek {
    /// The owner of the monitor the current thread is about to block on.
    ///
    /// # Safety
    /// Called in the thread's own `MonitorContendedEnter`, with its JNI environment.
    pub(crate) unsafe fn owner_word(&self, jni: *mut JNIEnv) -> u64 {
        let thread = jni as usize - self.layout.to_jni;
        // SAFETY: the `JavaThread` of the running thread; the field's place was verified.
        let monitor = unsafe { *((thread + self.layout.pending) as *const usize) };
        if monitor == 0 {
            return UNREAD;
        }
        // SAFETY: a monitor somebody is contending for is not taken down; its field's place was
        // verified. The word changes under us: volatile, and any value is an answer.
        unsafe { std::ptr::read_volatile((monitor + self.layout.owner) as *const u64) }
    }

    /// Where the current platform thread is.
    ///
    /// # Safety
    /// `jni` is its JNI environment.
    pub(crate) unsafe fn own_place(&self, jni: *mut JNIEnv) -> Place {
        let address = jni as usize - self.layout.to_jni;
        // SAFETY: the `JavaThread` of the running thread; the fields' places were verified.
        let (base, size) = unsafe {
            (
                *((address + self.layout.stack_base) as *const u64),
                *((address + self.layout.stack_size) as *const u64),
            )
        };
        place(address as u64, base, size)
    }

    /// Where another platform thread is; its stack is unknown if it has ended meanwhile.
    pub(crate) fn place_of(&self, memory: &Memory, address: u64) -> Place {
        let word = |offset: usize| memory.word(address.wrapping_add(offset as u64));
        let base = word(self.layout.stack_base);
        let size = word(self.layout.stack_size);
        place(address, base.unwrap_or(0), size.unwrap_or(0))
    }
}

fn place(address: u64, base: u64, size: u64) -> Place {
    Place {
        address,
        stack_low: base.saturating_sub(size),
        stack_high: base,
    }
}

/// The layout this JVM claims, given how far a JNI environment lies from its thread.
pub(crate) fn claimed_layout(claims: &Claims, to_jni: usize) -> Result<Layout, String> {
    let of = |kind: &str, name: &str| {
        let found = claims.offset(kind, name);
        found.ok_or_else(|| format!("this JVM does not say where {name} is"))
    };
    // To JDK 9 or so the fields of a thread were those of its base class, at the same offset.
    let of_thread = |name| of("JavaThread", name).or_else(|_| of("Thread", name));
    Ok(Layout {
        to_jni,
        pending: of_thread("_current_pending_monitor")?,
        owner: of("ObjectMonitor", "_owner")?,
        stack_base: of_thread("_stack_base")?,
        stack_size: of_thread("_stack_size")?,
        waiting: of_thread("_current_waiting_monitor").ok(),
        object: of("ObjectMonitor", "_object").ok(),
    })
}
