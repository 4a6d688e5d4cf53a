//! The JVMTI functions that replace classes, and tell what has been replaced.

use super::jvmti::{Error, Handle, Result, check};
use super::sys::RawEnv;
use super::{Object, Ref, Vm};
use jni_sys::{jclass, jint};
use std::ptr;

impl Vm<'_> {
    /// Whether a class may be replaced at all.
    pub(crate) fn is_modifiable(self, class: &impl Object) -> bool {
        let mut modifiable = 0;
        // SAFETY: a live class reference and room for the result.
        let code =
            unsafe { RawEnv::is_modifiable_class(self.env, class.object(), &raw mut modifiable) };
        code == 0 && modifiable != 0
    }

    /// Has the JVM ask the class file load hooks for new bytes of these classes, and replaces them:
    /// all or none.
    pub(crate) fn retransform(self, classes: &[&Ref<'_>]) -> Result<()> {
        let raw: Vec<jclass> = classes.iter().map(|class| class.object()).collect();
        let count = jint::try_from(raw.len()).unwrap_or(jint::MAX);
        // SAFETY: a live environment that has the capability or is told so; live class references.
        check(unsafe { RawEnv::retransform_classes(self.env, count, raw.as_ptr()) })
    }

    /// Memory of the JVM's with these contents, for a hook to hand over.
    pub(crate) fn allocate_copy(self, bytes: &[u8]) -> Result<*mut u8> {
        let mut start = ptr::null_mut();
        // SAFETY: a live environment and room for the result.
        check(unsafe { RawEnv::allocate(self.env, bytes.len() as i64, &raw mut start) })?;
        if start.is_null() {
            return Err(Error(0));
        }
        // SAFETY: so many bytes were just allocated, for us alone.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), start, bytes.len()) };
        Ok(start)
    }

    /// Whether a method is an old version of a replaced one. The JVM checks the handle.
    pub(crate) fn is_obsolete(self, method: Handle) -> bool {
        let mut obsolete = 0;
        // SAFETY: a handle the JVM gave, and room for the result; of one whose class is gone it says
        // that it is invalid.
        let code = unsafe { RawEnv::is_method_obsolete(self.env, method.raw(), &raw mut obsolete) };
        code == 0 && obsolete != 0
    }
}
