//! The guest: a JVMTI agent that watches the monitor events of the JVM it is loaded into and
//! streams them to the command that loaded it.
//!
//! It must not make the target behave differently in any way but time: no panic leaves it, it
//! takes no lock the JVM may hold, it never blocks the application (what does not fit is dropped
//! and counted), and when the command goes away it switches itself off. What remains afterwards is
//! the mapped library, nothing else. It knows nothing of lock types, files or the user.
//!
//! The way of an event: the JVM calls one of [`callbacks`]; the [`gate`] admits it; [`identity`],
//! [`threads`] and [`stacks`] turn references into ids ([`seat`] saves most of that), leaving a [`definition`] for everything
//! new; the [`ring`] carries it to the [`writer`], which encodes it and sends it down the
//! [`channel`]. Start with [`entry`], then [`recording`]. [`exact`] rewrites classes, where that is asked for.
#![cfg(not(loom))]
#![allow(
    unsafe_code,
    reason = "JVMTI and JNI are C interfaces; every block answers its callee's contract"
)]

mod bootstraps;
mod budget;
mod callbacks;
mod ceiling;
mod channel;
mod clock;
mod definition;
mod entry;
mod exact;
mod exclusive;
mod fields;
mod gate;
mod headroom;
mod identity;
mod idmap;
#[cfg(test)]
#[expect(dead_code, reason = "the integration tests use the rest")]
#[path = "../tests/agent/harness/jdk.rs"]
mod jdk;
mod loss;
mod lower;
mod memory;
mod meter;
#[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
mod old_glibc;
mod options;
mod owner;
mod recording;
mod reserve;
mod ring;
mod safe;
mod scattered;
mod seat;
mod stacks;
mod structures;
mod sync;
mod threads;
mod vm;
mod vmprobes;
mod wake;
mod writer;

use ceiling::Counting;
use jni_sys::{JNIEnv, JavaVM, jclass, jint, jlong};
use std::ffi::{c_char, c_void};

/// Of this library alone: the JVM and its other agents have their own.
#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Called by the JVM when the library is named on its command line.
///
/// # Safety
/// Called by the JVM only.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnLoad(
    jvm: *mut JavaVM,
    options: *const c_char,
    _reserved: *mut c_void,
) -> jint {
    // SAFETY: the JVM's arguments.
    unsafe { entry::load(jvm, options) };
    entry::JNI_OK
}

/// Called by the JVM when the library is loaded into it while it runs; once for every recording.
///
/// # Safety
/// Called by the JVM only.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnAttach(
    jvm: *mut JavaVM,
    options: *const c_char,
    _reserved: *mut c_void,
) -> jint {
    // SAFETY: the JVM's arguments.
    unsafe { entry::attach(jvm, options) };
    entry::JNI_OK
}

/// The native method of the class that [`exact`] defines: the JVM finds it by this name, in whichever library of ours was loaded first.
/// It goes on at the address that it is given, which may be in another one: name and types are the same in all versions.
///
/// # Safety
/// Called by the JVM only, with an address that a probe class holds.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_LocklensChains_take(
    jni: *mut JNIEnv,
    _class: jclass,
    site: jint,
    address: jlong,
) -> jlong {
    // SAFETY: the JVM's environment for this thread, and an address from `chains::address` of a library that stays mapped.
    unsafe { exact::take_chain_at(jni, site, address) }
}

/// Called by the JVM before it unmaps the library, at its exit. Everything ended with `VMDeath`.
///
/// # Safety
/// Called by the JVM only.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnUnload(_jvm: *mut JavaVM) {}
