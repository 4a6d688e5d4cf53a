//! What JVMTI tells of classes: names, kin, fields, methods and their code. Nothing here changes a class.

use super::jvmti::{Error, Handle, Result, check};
use super::sys::{LineEntry, RawEnv};
use super::{Field, Object, Ref, Vm};
use jni_sys::{jclass, jfieldID, jint};
use std::ptr;

/// Name, descriptor and access flags of a method.
pub(crate) struct Method {
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) flags: u32,
}

/// A field as its class declares it.
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) field: Field,
}

impl<'frame> Vm<'frame> {
    /// The class's signature (`Ljava/lang/Object;`).
    pub(crate) fn class_signature(self, class: &impl Object) -> Result<String> {
        let mut signature = ptr::null_mut();
        // SAFETY: a live class reference; the generic signature is not asked for.
        check(unsafe {
            RawEnv::get_class_signature(
                self.env,
                class.object(),
                &raw mut signature,
                ptr::null_mut(),
            )
        })?;
        Ok(self.take_text(signature))
    }

    /// Access flags of a class.
    pub(crate) fn class_flags(self, class: &impl Object) -> Result<u32> {
        let mut flags = 0;
        // SAFETY: as above.
        check(unsafe { RawEnv::get_class_modifiers(self.env, class.object(), &raw mut flags) })?;
        Ok(flags as u32)
    }

    /// Source file of a class, if it says.
    pub(crate) fn source_file(self, class: &impl Object) -> Option<String> {
        let mut name = ptr::null_mut();
        // SAFETY: as above.
        check(unsafe { RawEnv::get_source_file_name(self.env, class.object(), &raw mut name) })
            .ok()?;
        Some(self.take_text(name))
    }

    /// Direct interfaces of a class.
    pub(crate) fn interfaces(self, class: &impl Object) -> Result<Vec<Ref<'frame>>> {
        let class = class.object();
        // SAFETY: as above.
        let list = self.array(|env, n, list| unsafe {
            RawEnv::get_implemented_interfaces(env, class, n, list)
        })?;
        Ok(self.take_refs(&list))
    }

    /// Defining loader of a class; none for the boot loader.
    pub(crate) fn class_loader(self, class: &impl Object) -> Result<Option<Ref<'frame>>> {
        let mut loader = ptr::null_mut();
        // SAFETY: as above.
        check(unsafe { RawEnv::get_class_loader(self.env, class.object(), &raw mut loader) })?;
        Ok(self.own(loader))
    }

    /// Instance fields a class declares.
    pub(crate) fn instance_fields(self, class: &impl Object) -> Result<Vec<Declared>> {
        let class = class.object();
        // SAFETY: as above.
        let list =
            self.array(|env, n, list| unsafe { RawEnv::get_class_fields(env, class, n, list) })?;
        list.slice()
            .iter()
            .filter_map(|&field| self.instance_field(class, field).transpose())
            .collect()
    }

    /// A field of a class; none if it is static.
    fn instance_field(self, class: jclass, field: jfieldID) -> Result<Option<Declared>> {
        const ACC_STATIC: jint = 0x0008;
        let (mut name, mut descriptor, mut flags) = (ptr::null_mut(), ptr::null_mut(), 0);
        // SAFETY: a live class, a field of it, and room for the result.
        check(unsafe { RawEnv::get_field_modifiers(self.env, class, field, &raw mut flags) })?;
        if flags & ACC_STATIC != 0 {
            return Ok(None);
        }
        // SAFETY: as above; the generic signature is not asked for.
        check(unsafe {
            RawEnv::get_field_name(
                self.env,
                class,
                field,
                &raw mut name,
                &raw mut descriptor,
                ptr::null_mut(),
            )
        })?;
        Ok(Some(Declared {
            name: self.take_text(name),
            descriptor: self.take_text(descriptor),
            field: Field::new(field),
        }))
    }

    /// Methods a class declares. Usable as long as `class` is held.
    pub(crate) fn class_methods(self, class: &impl Object) -> Result<Vec<Handle>> {
        let class = class.object();
        // SAFETY: as above.
        let list =
            self.array(|env, n, list| unsafe { RawEnv::get_class_methods(env, class, n, list) })?;
        Ok(list.slice().iter().map(|&m| Handle(m as usize)).collect())
    }

    /// Constant pool of a class: number of entries plus one, and its bytes.
    pub(crate) fn constant_pool(self, class: &impl Object) -> Result<(u16, Vec<u8>)> {
        let mut entries = 0;
        let class = class.object();
        // SAFETY: as above.
        let bytes = self.array(|env, n, bytes| unsafe {
            RawEnv::get_constant_pool(env, class, &raw mut entries, n, bytes)
        })?;
        Ok((u16::try_from(entries).unwrap_or(0), bytes.slice().to_vec()))
    }

    /// All loaded classes, arrays and primitives included.
    pub(crate) fn loaded_classes(self) -> Result<Vec<Ref<'frame>>> {
        // SAFETY: a live environment and room for the results.
        let list =
            self.array(|env, n, list| unsafe { RawEnv::get_loaded_classes(env, n, list) })?;
        Ok(self.take_refs(&list))
    }

    /// Name, descriptor and flags of a method.
    ///
    /// # Safety
    /// Its class is alive.
    pub(crate) unsafe fn method(self, method: Handle) -> Result<Method> {
        let (mut name, mut descriptor, mut flags) = (ptr::null_mut(), ptr::null_mut(), 0);
        // SAFETY: a live method and room for the results; the generic signature is not asked for.
        check(unsafe {
            RawEnv::get_method_name(
                self.env,
                method.raw(),
                &raw mut name,
                &raw mut descriptor,
                ptr::null_mut(),
            )
        })?;
        let (name, descriptor) = (self.take_text(name), self.take_text(descriptor));
        // SAFETY: as above.
        check(unsafe { RawEnv::get_method_modifiers(self.env, method.raw(), &raw mut flags) })?;
        Ok(Method {
            name,
            descriptor,
            flags: flags as u32,
        })
    }

    /// Declaring class of a method.
    ///
    /// # Safety
    /// That class is alive.
    pub(crate) unsafe fn declaring_class(self, method: Handle) -> Result<Ref<'frame>> {
        let mut class = ptr::null_mut();
        // SAFETY: a live method and room for the result.
        check(unsafe {
            RawEnv::get_method_declaring_class(self.env, method.raw(), &raw mut class)
        })?;
        self.own(class).ok_or(Error(0))
    }

    /// (first bci, line) pairs of a method, ascending by bci.
    ///
    /// # Safety
    /// Its class is alive.
    pub(crate) unsafe fn lines(self, method: Handle) -> Result<Vec<(u16, u16)>> {
        // SAFETY: a live method and room for the results.
        let table = self.array::<LineEntry>(|env, n, table| unsafe {
            RawEnv::get_line_number_table(env, method.raw(), n, table)
        })?;
        let mut lines: Vec<(u16, u16)> = table
            .slice()
            .iter()
            .filter_map(|e| Some((u16::try_from(e.start).ok()?, u16::try_from(e.line).ok()?)))
            .collect();
        lines.sort_unstable();
        Ok(lines)
    }

    /// Bytecode of a method.
    ///
    /// # Safety
    /// Its class is alive.
    pub(crate) unsafe fn bytecode(self, method: Handle) -> Result<Vec<u8>> {
        // SAFETY: a live method and room for the results.
        let code = self
            .array(|env, n, code| unsafe { RawEnv::get_bytecodes(env, method.raw(), n, code) })?;
        Ok(code.slice().to_vec())
    }
}
