//! JNI, as far as it is needed: a field of a thread, an object's class, references.
//!
//! None of these run Java code in a callback: `FindClass` may initialise a class, but only classes
//! that every JVM has initialised long before are asked for. A pending exception of the application
//! cannot be there: events are posted from the middle of its own bytecodes with none pending, and
//! ours are cleared where they can arise.

use super::{Global, Object, Ref, Vm, Weak};
use jni_sys::{jfieldID, jint, jobject, jvalue};
use locklens_trace::record::Reading;
use std::ffi::CStr;
use std::ptr;

/// Longest name read of a Java string, UTF-16 units; longer ones are cut.
const MAX_NAME: usize = 256;

/// A name as long as [`Vm::text`] reads it: the same thread is read by either.
pub(super) fn cut_name(name: String) -> String {
    let mut units = 0;
    let longer = name.char_indices().find(|(_, c)| {
        units += c.len_utf16();
        units > MAX_NAME
    });
    match longer {
        Some((end, _)) => name[..end].to_owned(),
        None => name,
    }
}

/// Local references the JVM lends without being asked, with a reserve.
const LENT: usize = 16;
/// References asked for beyond a list, for those of other lists and single ones held beside it.
const RESERVE: usize = 4096;
/// HotSpot promises no more at a time; it gives more all the same.
const MOST_PROMISED: usize = 65_536;

/// A field of an instance.
#[derive(Clone, Copy)]
pub(crate) struct Field(jfieldID);

impl Field {
    pub(super) fn new(id: jfieldID) -> Self {
        Self(id)
    }

    /// The field, with how to read it.
    pub(crate) fn reading(self, kind: FieldKind) -> ReadableField {
        ReadableField { field: self, kind }
    }
}

/// A field together with its type, as far as it can be read as a number.
#[derive(Clone, Copy)]
pub(crate) struct ReadableField {
    field: Field,
    kind: FieldKind,
}

/// Types of fields that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Array,
}

impl FieldKind {
    /// The kind of a field of that descriptor; none if it is not read.
    pub(crate) fn of(descriptor: &str) -> Option<Self> {
        Some(match descriptor.as_bytes().first()? {
            b'Z' => Self::Boolean,
            b'B' => Self::Byte,
            b'C' => Self::Char,
            b'S' => Self::Short,
            b'I' => Self::Int,
            b'J' => Self::Long,
            b'[' => Self::Array,
            _ => return None,
        })
    }
}

// SAFETY: field ids are plain numbers to every thread; whoever reads one answers for its class
// being alive.
unsafe impl Send for Field {}
// SAFETY: as above.
unsafe impl Sync for Field {}

macro_rules! jni {
    ($vm:expr, $version:ident, $function:ident $(, $arg:expr)*) => {
        ((**$vm.jni).$version.$function)($vm.jni $(, $arg)*)
    };
}

impl<'frame> Vm<'frame> {
    /// Whether this JVM has virtual threads, which JNI 21 came with.
    pub(crate) fn has_virtual_threads(self) -> bool {
        const JNI_21: jint = 0x0015_0000;
        // SAFETY: a live environment of this thread.
        unsafe { jni!(self, v1_6, GetVersion) >= JNI_21 }
    }

    /// Whether this is JDK 9 or newer.
    pub(crate) fn is_modular(self) -> bool {
        const JNI_9: jint = 0x0009_0000;
        // SAFETY: a live environment of this thread.
        unsafe { jni!(self, v1_6, GetVersion) >= JNI_9 }
    }

    /// Defines a class in the boot loader; none if the JVM does not take it.
    pub(crate) fn define_boot_class(self, name: &CStr, bytes: &[u8]) -> Option<Ref<'frame>> {
        let len = jint::try_from(bytes.len()).ok()?;
        // SAFETY: a live environment of this thread, a terminated name, readable bytes; a null loader
        // is the boot loader.
        let class = unsafe {
            let (name, bytes) = (name.as_ptr(), bytes.as_ptr().cast());
            jni!(self, v1_6, DefineClass, name, ptr::null_mut(), bytes, len)
        };
        self.clear_exception();
        self.own(class)
    }

    /// The value of a static reference field. Initialises the class.
    pub(crate) fn static_object(
        self,
        class: &impl Object,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<Ref<'frame>> {
        // SAFETY: a live class reference and terminated strings; a field that is not there is null,
        // and of one that is the class and the type are these.
        let value = unsafe {
            let (class, name) = (class.object(), name.as_ptr());
            let field = jni!(
                self,
                v1_6,
                GetStaticFieldID,
                class,
                name,
                descriptor.as_ptr()
            );
            match field.is_null() {
                true => ptr::null_mut(),
                false => jni!(self, v1_6, GetStaticObjectField, class, field),
            }
        };
        self.clear_exception();
        self.own(value)
    }

    /// Calls a static method that takes an int and gives nothing; whether that went without an
    /// exception. Runs Java code: for the writer only, on a class of ours.
    pub(crate) fn call_static_with_int(self, class: &impl Object, name: &CStr, int: jint) -> bool {
        let args = [jvalue { i: int }];
        // SAFETY: a live class reference, a terminated name, one argument of the method's type.
        let called = unsafe {
            let class = class.object();
            let method = jni!(
                self,
                v1_6,
                GetStaticMethodID,
                class,
                name.as_ptr(),
                c"(I)V".as_ptr()
            );
            if !method.is_null() {
                jni!(
                    self,
                    v1_6,
                    CallStaticVoidMethodA,
                    class,
                    method,
                    args.as_ptr()
                );
            }
            !method.is_null() && !jni!(self, v1_6, ExceptionCheck)
        };
        self.clear_exception();
        called
    }

    /// Calls a static method that takes an int and a long and gives a long; whether that went without an exception. Runs Java code, as
    /// above.
    pub(crate) fn call_static_with_int_and_long(
        self,
        class: &impl Object,
        (name, descriptor): (&CStr, &CStr),
        (int, long): (jint, i64),
    ) -> bool {
        let args = [jvalue { i: int }, jvalue { j: long }];
        // SAFETY: a live class reference, terminated strings, arguments of the method's types.
        let called = unsafe {
            let (class, name) = (class.object(), name.as_ptr());
            let descriptor = descriptor.as_ptr();
            let method = jni!(self, v1_6, GetStaticMethodID, class, name, descriptor);
            if !method.is_null() {
                let args = args.as_ptr();
                jni!(self, v1_6, CallStaticLongMethodA, class, method, args);
            }
            !method.is_null() && !jni!(self, v1_6, ExceptionCheck)
        };
        self.clear_exception();
        called
    }

    /// An element of an array of references; none if null.
    pub(crate) fn element(self, array: &impl Object, index: usize) -> Option<Ref<'frame>> {
        let index = jint::try_from(index).ok()?;
        // SAFETY: a live array of references; an index beyond its end is an exception.
        let value = unsafe { jni!(self, v1_6, GetObjectArrayElement, array.object(), index) };
        self.clear_exception();
        self.own(value)
    }

    /// Empties an element of an array of references.
    pub(crate) fn clear_element(self, array: &impl Object, index: usize) {
        let Ok(index) = jint::try_from(index) else {
            return;
        };
        let null = ptr::null_mut();
        // SAFETY: as above.
        unsafe {
            jni!(
                self,
                v1_6,
                SetObjectArrayElement,
                array.object(),
                index,
                null
            )
        };
        self.clear_exception();
    }

    /// A class of the boot loader.
    pub(crate) fn find_class(self, name: &CStr) -> Option<Ref<'frame>> {
        // SAFETY: a live environment of this thread and a terminated name.
        let class = unsafe { jni!(self, v1_6, FindClass, name.as_ptr()) };
        self.clear_exception();
        self.own(class)
    }

    /// `System.getProperty`, for what JVMTI does not know. Runs Java code: for the writer only.
    pub(crate) fn java_property(self, name: &CStr) -> Option<String> {
        let system = self.find_class(c"java/lang/System")?;
        // SAFETY: a live environment of this thread, with no exception pending, and a terminated name.
        let name = unsafe { jni!(self, v1_6, NewStringUTF, name.as_ptr()) };
        self.clear_exception();
        let name = self.own(name)?;
        let (method, descriptor) = (c"getProperty", c"(Ljava/lang/String;)Ljava/lang/String;");
        // SAFETY: a live class, terminated strings, and one argument of the method's type. An
        // exception (a security manager's) gives null and is cleared.
        let value = unsafe {
            let (class, method) = (system.object(), method.as_ptr());
            let descriptor = descriptor.as_ptr();
            let method = jni!(self, v1_6, GetStaticMethodID, class, method, descriptor);
            let args = [jvalue { l: name.object() }];
            let args = args.as_ptr();
            match method.is_null() {
                true => ptr::null_mut(),
                false => jni!(self, v1_6, CallStaticObjectMethodA, class, method, args),
            }
        };
        self.clear_exception();
        self.own(value).map(|value| self.text(&value))
    }

    /// Has the JVM link and initialise a class of its own: asking for one of its static methods does that.
    pub(crate) fn initialise(self, class: &impl Object, name: &CStr, descriptor: &CStr) {
        // SAFETY: a live class reference and terminated strings.
        unsafe {
            jni!(
                self,
                v1_6,
                GetStaticMethodID,
                class.object(),
                name.as_ptr(),
                descriptor.as_ptr()
            )
        };
        self.clear_exception();
    }

    /// An instance field of `class`.
    pub(crate) fn field(
        self,
        class: &impl Object,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<Field> {
        // SAFETY: a live class reference and terminated strings.
        let field = unsafe {
            jni!(
                self,
                v1_6,
                GetFieldID,
                class.object(),
                name.as_ptr(),
                descriptor.as_ptr()
            )
        };
        self.clear_exception();
        (!field.is_null()).then_some(Field(field))
    }

    fn clear_exception(self) {
        // SAFETY: allowed with or without a pending exception.
        unsafe { jni!(self, v1_6, ExceptionClear) };
    }

    /// The value of a `long` field; `object` is an instance of the field's class.
    pub(crate) fn long_field(self, object: &impl Object, field: Field) -> i64 {
        // SAFETY: callers pair fields of java.lang.Thread with threads.
        unsafe { jni!(self, v1_6, GetLongField, object.object(), field.0) }
    }

    /// The value of a reference field; `object` is an instance of the field's class.
    pub(crate) fn object_field(self, object: &impl Object, field: Field) -> Option<Ref<'frame>> {
        // SAFETY: as above.
        let value = unsafe { jni!(self, v1_6, GetObjectField, object.object(), field.0) };
        self.own(value)
    }

    /// The value of a number field or the length of an array; none for a null array.
    ///
    /// # Safety
    /// The field is an instance field of a class of `object`'s, of the kind it was found with.
    pub(crate) unsafe fn read_field(
        self,
        object: &impl Object,
        field: ReadableField,
    ) -> Option<Reading> {
        let (object, id) = (object.object(), field.field.0);
        // SAFETY: a live object and, by the caller's promise, a field of its with this type.
        let number = unsafe {
            match field.kind {
                FieldKind::Boolean => {
                    i64::from(u8::from(jni!(self, v1_6, GetBooleanField, object, id)))
                }
                FieldKind::Byte => i64::from(jni!(self, v1_6, GetByteField, object, id)),
                FieldKind::Char => i64::from(jni!(self, v1_6, GetCharField, object, id)),
                FieldKind::Short => i64::from(jni!(self, v1_6, GetShortField, object, id)),
                FieldKind::Int => i64::from(jni!(self, v1_6, GetIntField, object, id)),
                FieldKind::Long => jni!(self, v1_6, GetLongField, object, id),
                FieldKind::Array => {
                    let array = self.own(jni!(self, v1_6, GetObjectField, object, id))?;
                    return u32::try_from(self.array_len(&array))
                        .ok()
                        .map(Reading::ArrayLength);
                }
            }
        };
        Some(Reading::Number(number))
    }

    /// A `java.lang.String` as text, cut at [`MAX_NAME`] units.
    pub(crate) fn text(self, string: &impl Object) -> String {
        let mut units = [0_u16; MAX_NAME];
        // SAFETY: a live string reference.
        let len = unsafe { jni!(self, v1_6, GetStringLength, string.object()) };
        let len = len.clamp(0, MAX_NAME as i32);
        // SAFETY: the region lies within the string (strings never change) and within `units`.
        unsafe {
            jni!(
                self,
                v1_6,
                GetStringRegion,
                string.object(),
                0,
                len,
                units.as_mut_ptr()
            );
        }
        String::from_utf16_lossy(&units[..len as usize])
    }

    /// The class of an object.
    pub(crate) fn class_of(self, object: &impl Object) -> Option<Ref<'frame>> {
        // SAFETY: a live reference.
        let class = unsafe { jni!(self, v1_6, GetObjectClass, object.object()) };
        self.own(class)
    }

    /// The superclass of a class.
    pub(crate) fn superclass(self, class: &impl Object) -> Option<Ref<'frame>> {
        // SAFETY: a live class reference.
        let class = unsafe { jni!(self, v1_6, GetSuperclass, class.object()) };
        self.own(class)
    }

    /// Whether an object is an instance of a class.
    pub(crate) fn is_instance(self, object: &impl Object, class: &impl Object) -> bool {
        // SAFETY: live references.
        unsafe { jni!(self, v1_6, IsInstanceOf, object.object(), class.object()) }
    }

    /// Whether two references name one object.
    pub(crate) fn is_same(self, one: &impl Object, other: &impl Object) -> bool {
        // SAFETY: live references.
        unsafe { jni!(self, v1_6, IsSameObject, one.object(), other.object()) }
    }

    /// A new `java.lang.Object`.
    pub(crate) fn new_object(self) -> Option<Ref<'frame>> {
        let class = self.find_class(c"java/lang/Object")?;
        // SAFETY: a live class that can be instantiated.
        let object = unsafe { jni!(self, v1_6, AllocObject, class.object()) };
        self.clear_exception();
        self.own(object)
    }

    /// Locks an object, waiting for it if need be; whether that worked.
    pub(crate) fn monitor_enter(self, object: &impl Object) -> bool {
        // SAFETY: a live reference.
        unsafe { jni!(self, v1_6, MonitorEnter, object.object()) == 0 }
    }

    /// Unlocks an object this thread has locked.
    pub(crate) fn monitor_exit(self, object: &impl Object) {
        // SAFETY: a live reference; an exception would say that it is not locked.
        unsafe { jni!(self, v1_6, MonitorExit, object.object()) };
        self.clear_exception();
    }

    /// Wakes one or all who wait on an object this thread has locked; whether that went without an exception. Runs
    /// Java code of the JDK: for threads of ours only, on objects of ours.
    pub(crate) fn notify(self, object: &impl Object, all: bool) -> bool {
        let name = if all { c"notifyAll" } else { c"notify" };
        self.call_on_object(object, (name, c"()V"), &[])
    }

    /// Waits on an object this thread has locked until somebody notifies, or for some milliseconds; as [`Vm::notify`].
    pub(crate) fn wait(self, object: &impl Object, millis: i64) -> bool {
        let time = [jvalue { j: millis }];
        self.call_on_object(object, (c"wait", c"(J)V"), &time)
    }

    /// Calls a method of `java.lang.Object` that gives nothing.
    fn call_on_object(
        self,
        object: &impl Object,
        (name, descriptor): (&CStr, &CStr),
        args: &[jvalue],
    ) -> bool {
        let Some(class) = self.find_class(c"java/lang/Object") else {
            return false;
        };
        let (name, descriptor) = (name.as_ptr(), descriptor.as_ptr());
        // SAFETY: live references, terminated texts, arguments of the method's types.
        let called = unsafe {
            let method = jni!(self, v1_6, GetMethodID, class.object(), name, descriptor);
            if !method.is_null() {
                let args = args.as_ptr();
                jni!(self, v1_6, CallVoidMethodA, object.object(), method, args);
            }
            !method.is_null() && !jni!(self, v1_6, ExceptionCheck)
        };
        self.clear_exception();
        called
    }

    /// Length of an array; `array` is one.
    pub(crate) fn array_len(self, array: &impl Object) -> i32 {
        // SAFETY: the caller has seen that its class is an array class.
        unsafe { jni!(self, v1_6, GetArrayLength, array.object()) }
    }

    pub(super) fn delete_local(self, object: jobject) {
        // SAFETY: a local reference of this frame, or null, dropped once.
        unsafe { jni!(self, v1_6, DeleteLocalRef, object) };
    }

    /// Tells the JVM that this many more local references are meant: else `-Xcheck:jni` complains on
    /// the target's output. Nothing but that depends on it.
    pub(super) fn expect_locals(self, count: usize) {
        if count > LENT && !self.jni.is_null() {
            let count = (count + RESERVE).min(MOST_PROMISED) as jint;
            // SAFETY: a live environment of this thread.
            unsafe { jni!(self, v1_6, EnsureLocalCapacity, count) };
            self.clear_exception();
        }
    }

    /// A global reference.
    pub(crate) fn global(self, object: &impl Object) -> Option<Global> {
        // SAFETY: a live reference.
        let global = unsafe { jni!(self, v1_6, NewGlobalRef, object.object()) };
        (!global.is_null()).then_some(Global(global))
    }

    /// Gives a global reference back.
    pub(crate) fn delete_global(self, global: Global) {
        // SAFETY: made by `global`, consumed here.
        unsafe { jni!(self, v1_6, DeleteGlobalRef, global.0) };
    }

    /// A local reference to what a handle refers to.
    ///
    /// # Safety
    /// The handle is one the JVM can resolve.
    pub(super) unsafe fn local(self, handle: jobject) -> Option<Ref<'frame>> {
        // SAFETY: the caller's promise.
        let object = unsafe { jni!(self, v1_6, NewLocalRef, handle) };
        self.own(object)
    }

    /// Another local reference to the same object.
    pub(crate) fn again(self, object: &Ref<'frame>) -> Option<Ref<'frame>> {
        // SAFETY: a live reference.
        unsafe { self.local(object.object()) }
    }

    /// A weak reference: it does not keep the object alive.
    pub(crate) fn weak(self, object: &impl Object) -> Option<Weak> {
        // SAFETY: a live reference.
        let weak = unsafe { jni!(self, v1_6, NewWeakGlobalRef, object.object()) };
        self.clear_exception();
        (!weak.is_null()).then_some(Weak(weak))
    }

    /// The object of a weak reference, alive as long as the result; none if it is gone.
    pub(crate) fn upgrade(self, weak: &Weak) -> Option<Ref<'frame>> {
        // SAFETY: a weak reference not deleted yet: deleting consumes it.
        let object = unsafe { jni!(self, v1_6, NewLocalRef, weak.0) };
        self.own(object)
    }

    /// Gives a weak reference back.
    pub(crate) fn delete_weak(self, weak: Weak) {
        // SAFETY: made by `weak`, consumed here.
        unsafe { jni!(self, v1_6, DeleteWeakGlobalRef, weak.0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_alike_however_they_are_read() {
        for name in [
            "",
            "a",
            &"b".repeat(256),
            &"c".repeat(300),
            &"😀".repeat(200),
        ] {
            let units: Vec<u16> = name.encode_utf16().take(MAX_NAME).collect();
            assert_eq!(cut_name(name.to_owned()), String::from_utf16_lossy(&units));
        }
    }
}
