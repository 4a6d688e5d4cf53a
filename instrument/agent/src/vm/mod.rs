//! The JVM as the rest of the agent sees it: a thin layer over JVMTI and JNI.
//!
//! Holding a [`Vm`] entitles to call the JVM from this thread, in this native frame. Holding a
//! [`Ref`] entitles to use that object. Nothing here keeps state or knows what is recorded.
//!
//! No call made here takes a Java monitor of the application or runs the application's code.
//! Calls may stop at a safepoint, as any thread of the JVM may.

mod classes;
mod jni;
mod jvmti;
#[cfg(test)]
mod layout_tests;
mod replace;
pub(crate) mod sys;
mod threads;

pub(crate) use jni::{Field, FieldKind, ReadableField};
pub(crate) use jvmti::{Chain, Error, Handle};
pub(crate) use threads::{Doing, ThreadStatus};

use jni_sys::{JNIEnv, jobject};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use sys::RawEnv;

/// A JVMTI environment together with the JNI environment of the current thread.
#[derive(Clone, Copy)]
pub(crate) struct Vm<'frame> {
    env: *mut RawEnv,
    jni: *mut JNIEnv,
    frame: PhantomData<&'frame mut ()>,
}

impl<'frame> Vm<'frame> {
    /// # Safety
    /// `env` is live as long as the value is used; `jni` belongs to the current thread, which is
    /// attached and stays in this native frame for `'frame`.
    pub(crate) unsafe fn new(env: *mut RawEnv, jni: *mut JNIEnv) -> Self {
        Self {
            env,
            jni,
            frame: PhantomData,
        }
    }

    /// The JVMTI environment.
    pub(crate) fn env(self) -> *mut RawEnv {
        self.env
    }

    /// Address of this thread's JNI environment: one for each thread of the operating system.
    pub(crate) fn jni_address(self) -> usize {
        self.jni as usize
    }

    /// A reference the JVM lent to this frame (a callback's argument).
    ///
    /// # Safety
    /// `object` is a valid local reference of this thread, or null.
    pub(crate) unsafe fn borrow(self, object: jobject) -> ManuallyDrop<Ref<'frame>> {
        ManuallyDrop::new(Ref { vm: self, object })
    }

    /// A reference this frame owns; none if null.
    fn own(self, object: jobject) -> Option<Ref<'frame>> {
        (!object.is_null()).then_some(Ref { vm: self, object })
    }
}

/// A local reference, deleted when dropped, so that no loop can fill the JVM's table of them.
pub(crate) struct Ref<'frame> {
    vm: Vm<'frame>,
    object: jobject,
}

impl Ref<'_> {
    /// The reference as the JVM takes it.
    fn raw(&self) -> jobject {
        self.object
    }

    /// Whether it is null, which only a borrowed reference can be.
    pub(crate) fn is_null(&self) -> bool {
        self.object.is_null()
    }
}

impl Drop for Ref<'_> {
    fn drop(&mut self) {
        self.vm.delete_local(self.object);
    }
}

/// A global reference to a class of the boot loader; see [`Vm::delete_global`].
pub(crate) struct Global(jobject);

// SAFETY: a global reference is valid in every thread.
unsafe impl Send for Global {}
// SAFETY: as above; the JVM synchronises its use.
unsafe impl Sync for Global {}

/// A weak global reference; see [`Vm::delete_weak`].
pub(crate) struct Weak(jobject);

// SAFETY: a weak global reference is valid in every thread.
unsafe impl Send for Weak {}
// SAFETY: as above.
unsafe impl Sync for Weak {}

/// Anything that names an object: local or global.
pub(crate) trait Object {
    /// The reference as the JVM takes it.
    fn object(&self) -> jobject;
}

impl Object for Ref<'_> {
    fn object(&self) -> jobject {
        self.raw()
    }
}

impl<'frame> Object for ManuallyDrop<Ref<'frame>> {
    fn object(&self) -> jobject {
        self.deref().raw()
    }
}

impl Object for Global {
    fn object(&self) -> jobject {
        self.0
    }
}
