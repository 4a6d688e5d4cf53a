//! JVMTI as the JVM lays it out in memory: function numbers, structures, capability bits, event
//! numbers. Written from the JVM TI specification; `layout_tests` holds it against the `jvmti.h`
//! of every JDK found.
//!
//! Function and event numbers never change between versions; new ones are appended. So one table
//! serves JDK 8 to 25, as long as nothing is called that the running JVM does not have.

use jni_sys::{JNIEnv, jclass, jfieldID, jint, jlong, jmethodID, jobject};
use std::ffi::{c_char, c_uchar, c_void};

/// `jthread`, an object.
#[expect(non_camel_case_types, reason = "the name in the specification")]
pub(crate) type jthread = jobject;

/// `jboolean` as received: any byte, where the Rust `bool` of jni-sys may only be 0 or 1.
pub(crate) type Flag = u8;

/// `jvmtiError`; 0 is success.
pub(crate) type Code = i32;

/// Version asked for: 1.2, which every JVM from 8 on gives.
pub(crate) const VERSION_1_2: jint = 0x3001_0200;

/// A JVMTI environment as the JVM hands it out: a pointer to a pointer to the function table.
#[repr(C)]
pub(crate) struct RawEnv {
    table: *const *const c_void,
}

/// One frame of `GetStackTrace`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct FrameInfo {
    pub(crate) method: jmethodID,
    pub(crate) location: jlong,
}

/// `jvmtiLineNumberEntry`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct LineEntry {
    pub(crate) start: jlong,
    pub(crate) line: jint,
}

/// `jvmtiThreadInfo`.
#[repr(C)]
pub(crate) struct ThreadInfo {
    pub(crate) name: *mut c_char,
    pub(crate) priority: jint,
    pub(crate) is_daemon: Flag,
    pub(crate) group: jobject,
    pub(crate) context_loader: jobject,
}

/// `jvmtiThreadGroupInfo`.
#[repr(C)]
pub(crate) struct GroupInfo {
    pub(crate) parent: jobject,
    pub(crate) name: *mut c_char,
    pub(crate) max_priority: jint,
    pub(crate) is_daemon: Flag,
}

/// `jvmtiMonitorUsage`.
#[repr(C)]
pub(crate) struct MonitorUsage {
    pub(crate) owner: jthread,
    pub(crate) entry_count: jint,
    pub(crate) waiter_count: jint,
    pub(crate) waiters: *mut jthread,
    pub(crate) notify_waiter_count: jint,
    pub(crate) notify_waiters: *mut jthread,
}

/// `jvmtiStackInfo`: a thread and its frames.
#[repr(C)]
pub(crate) struct StackInfo {
    pub(crate) thread: jthread,
    pub(crate) state: jint,
    pub(crate) frames: *mut FrameInfo,
    pub(crate) frame_count: jint,
}

/// `jvmtiCapabilities`: a bit set.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Capabilities(pub(crate) [u32; 4]);

/// Bit numbers in [`Capabilities`], with their names in C.
pub(crate) mod capability {
    pub(crate) const TAG_OBJECTS: usize = 0;
    pub(crate) const GET_BYTECODES: usize = 3;
    pub(crate) const MONITOR_INFO: usize = 7;
    pub(crate) const SOURCE_FILE_NAME: usize = 11;
    pub(crate) const LINE_NUMBERS: usize = 12;
    pub(crate) const THREAD_CPU_TIME: usize = 23;
    pub(crate) const MONITOR_EVENTS: usize = 28;
    pub(crate) const CONSTANT_POOL: usize = 35;
    pub(crate) const RETRANSFORM_CLASSES: usize = 37;
    pub(crate) const RETRANSFORM_ANY_CLASS: usize = 38;
    pub(crate) const VIRTUAL_THREADS: usize = 44;

    #[cfg(test)]
    pub(crate) const ALL: &[(&str, usize)] = &[
        ("can_tag_objects", TAG_OBJECTS),
        ("can_get_bytecodes", GET_BYTECODES),
        ("can_get_monitor_info", MONITOR_INFO),
        ("can_get_source_file_name", SOURCE_FILE_NAME),
        ("can_get_line_numbers", LINE_NUMBERS),
        ("can_get_thread_cpu_time", THREAD_CPU_TIME),
        ("can_generate_monitor_events", MONITOR_EVENTS),
        ("can_get_constant_pool", CONSTANT_POOL),
        ("can_retransform_classes", RETRANSFORM_CLASSES),
        ("can_retransform_any_class", RETRANSFORM_ANY_CLASS),
        ("can_support_virtual_threads", VIRTUAL_THREADS),
    ];
}

impl Capabilities {
    /// The set of these bits.
    pub(crate) fn of(bits: &[usize]) -> Self {
        let mut set = Self::default();
        for bit in bits {
            set.0[bit / 32] |= 1 << (bit % 32);
        }
        set
    }

    /// Whether a bit is set.
    pub(crate) fn has(&self, bit: usize) -> bool {
        self.0[bit / 32] & 1 << (bit % 32) != 0
    }

    /// What both sets have.
    pub(crate) fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

/// Bits of `GetThreadState`, with their names in C.
pub(crate) mod state {
    use jni_sys::jint;

    pub(crate) const TERMINATED: jint = 0x0002;
    pub(crate) const RUNNABLE: jint = 0x0004;
    pub(crate) const WITH_TIMEOUT: jint = 0x0020;
    pub(crate) const SLEEPING: jint = 0x0040;
    pub(crate) const IN_OBJECT_WAIT: jint = 0x0100;
    pub(crate) const PARKED: jint = 0x0200;
    pub(crate) const BLOCKED: jint = 0x0400;

    #[cfg(test)]
    pub(crate) const ALL: &[(&str, jint)] = &[
        ("JVMTI_THREAD_STATE_TERMINATED", TERMINATED),
        ("JVMTI_THREAD_STATE_RUNNABLE", RUNNABLE),
        ("JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT", WITH_TIMEOUT),
        ("JVMTI_THREAD_STATE_SLEEPING", SLEEPING),
        ("JVMTI_THREAD_STATE_IN_OBJECT_WAIT", IN_OBJECT_WAIT),
        ("JVMTI_THREAD_STATE_PARKED", PARKED),
        ("JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER", BLOCKED),
    ];
}

/// Event numbers; a callback's place in [`Callbacks`] is its event's number less 50.
pub(crate) mod event {
    pub(crate) const VM_INIT: i32 = 50;
    pub(crate) const VM_DEATH: i32 = 51;
    pub(crate) const THREAD_START: i32 = 52;
    pub(crate) const THREAD_END: i32 = 53;
    pub(crate) const CLASS_FILE_LOAD_HOOK: i32 = 54;
    pub(crate) const CLASS_PREPARE: i32 = 56;
    pub(crate) const MONITOR_WAIT: i32 = 73;
    pub(crate) const MONITOR_WAITED: i32 = 74;
    pub(crate) const MONITOR_CONTENDED_ENTER: i32 = 75;
    pub(crate) const MONITOR_CONTENDED_ENTERED: i32 = 76;
    pub(crate) const VIRTUAL_THREAD_START: i32 = 87;
    pub(crate) const VIRTUAL_THREAD_END: i32 = 88;

    /// Number of the first slot in the callback table.
    pub(crate) const FIRST: i32 = 50;

    #[cfg(test)]
    pub(crate) const ALL: &[(&str, &str, i32)] = &[
        ("JVMTI_EVENT_VM_INIT", "VMInit", VM_INIT),
        ("JVMTI_EVENT_VM_DEATH", "VMDeath", VM_DEATH),
        ("JVMTI_EVENT_THREAD_START", "ThreadStart", THREAD_START),
        ("JVMTI_EVENT_THREAD_END", "ThreadEnd", THREAD_END),
        (
            "JVMTI_EVENT_CLASS_FILE_LOAD_HOOK",
            "ClassFileLoadHook",
            CLASS_FILE_LOAD_HOOK,
        ),
        ("JVMTI_EVENT_CLASS_PREPARE", "ClassPrepare", CLASS_PREPARE),
        ("JVMTI_EVENT_MONITOR_WAIT", "MonitorWait", MONITOR_WAIT),
        (
            "JVMTI_EVENT_MONITOR_WAITED",
            "MonitorWaited",
            MONITOR_WAITED,
        ),
        (
            "JVMTI_EVENT_MONITOR_CONTENDED_ENTER",
            "MonitorContendedEnter",
            MONITOR_CONTENDED_ENTER,
        ),
        (
            "JVMTI_EVENT_MONITOR_CONTENDED_ENTERED",
            "MonitorContendedEntered",
            MONITOR_CONTENDED_ENTERED,
        ),
        (
            "JVMTI_EVENT_VIRTUAL_THREAD_START",
            "VirtualThreadStart",
            VIRTUAL_THREAD_START,
        ),
        (
            "JVMTI_EVENT_VIRTUAL_THREAD_END",
            "VirtualThreadEnd",
            VIRTUAL_THREAD_END,
        ),
    ];
}

/// Slots of a callback table that covers every event used here.
pub(crate) const CALLBACK_SLOTS: usize = (event::VIRTUAL_THREAD_END - event::FIRST + 1) as usize;

/// `jvmtiEventCallbacks`. A JVM older than an event reads no further than it knows.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Callbacks(pub(crate) [*const c_void; CALLBACK_SLOTS]);

macro_rules! functions {
    ($($number:literal $c_name:ident as $name:ident($($arg:ident: $ty:ty),* $(,)?);)*) => {
        impl RawEnv {
            $(
                /// The function of the same name in the specification.
                ///
                /// # Safety
                /// That of the specification: a live environment, the right phase, references
                /// valid in this thread, pointers to room for the results.
                pub(crate) unsafe fn $name(this: *mut Self, $($arg: $ty),*) -> Code {
                    type Function = unsafe extern "system" fn(*mut RawEnv, $($ty),*) -> Code;
                    // SAFETY: the table's entry of this number has this type (see the module).
                    let function = unsafe {
                        let entry = *(*this).table.add($number - 1);
                        std::mem::transmute::<*const c_void, Function>(entry)
                    };
                    // SAFETY: the caller's promise.
                    unsafe { function(this, $($arg),*) }
                }
            )*
        }

        /// Number and C name of every function used.
        #[cfg(test)]
        pub(crate) const FUNCTIONS: &[(&str, usize)] = &[
            ("SetEventNotificationMode", SET_EVENT_NOTIFICATION_MODE),
            $((stringify!($c_name), $number)),*
        ];
    };
}

const SET_EVENT_NOTIFICATION_MODE: usize = 2;

functions! {
    4 GetAllThreads as get_all_threads(count: *mut jint, threads: *mut *mut jthread);
    9 GetThreadInfo as get_thread_info(thread: jthread, info: *mut ThreadInfo);
    18 GetCurrentThread as get_current_thread(thread: *mut jthread);
    13 GetTopThreadGroups as get_top_thread_groups(count: *mut jint, groups: *mut *mut jobject);
    14 GetThreadGroupInfo as get_thread_group_info(group: jobject, info: *mut GroupInfo);
    17 GetThreadState as get_thread_state(thread: jthread, state: *mut jint);
    45 IsModifiableClass as is_modifiable_class(class: jclass, modifiable: *mut Flag);
    46 Allocate as allocate(size: jlong, memory: *mut *mut c_uchar);
    47 Deallocate as deallocate(memory: *mut c_uchar);
    48 GetClassSignature as get_class_signature(class: jclass, signature: *mut *mut c_char, generic: *mut *mut c_char);
    50 GetSourceFileName as get_source_file_name(class: jclass, name: *mut *mut c_char);
    51 GetClassModifiers as get_class_modifiers(class: jclass, modifiers: *mut jint);
    52 GetClassMethods as get_class_methods(class: jclass, count: *mut jint, methods: *mut *mut jmethodID);
    53 GetClassFields as get_class_fields(class: jclass, count: *mut jint, fields: *mut *mut jfieldID);
    54 GetImplementedInterfaces as get_implemented_interfaces(class: jclass, count: *mut jint, interfaces: *mut *mut jclass);
    57 GetClassLoader as get_class_loader(class: jclass, loader: *mut jobject);
    58 GetObjectHashCode as get_object_hash_code(object: jobject, hash: *mut jint);
    59 GetObjectMonitorUsage as get_object_monitor_usage(object: jobject, usage: *mut MonitorUsage);
    60 GetFieldName as get_field_name(class: jclass, field: jfieldID, name: *mut *mut c_char, signature: *mut *mut c_char, generic: *mut *mut c_char);
    62 GetFieldModifiers as get_field_modifiers(class: jclass, field: jfieldID, modifiers: *mut jint);
    64 GetMethodName as get_method_name(method: jmethodID, name: *mut *mut c_char, signature: *mut *mut c_char, generic: *mut *mut c_char);
    65 GetMethodDeclaringClass as get_method_declaring_class(method: jmethodID, class: *mut jclass);
    66 GetMethodModifiers as get_method_modifiers(method: jmethodID, modifiers: *mut jint);
    70 GetLineNumberTable as get_line_number_table(method: jmethodID, count: *mut jint, table: *mut *mut LineEntry);
    75 GetBytecodes as get_bytecodes(method: jmethodID, count: *mut jint, code: *mut *mut c_uchar);
    78 GetLoadedClasses as get_loaded_classes(count: *mut jint, classes: *mut *mut jclass);
    88 GetVersionNumber as get_version_number(version: *mut jint);
    91 IsMethodObsolete as is_method_obsolete(method: jmethodID, obsolete: *mut Flag);
    101 GetThreadListStackTraces as get_thread_list_stack_traces(count: jint, threads: *const jthread, max_frames: jint, stacks: *mut *mut StackInfo);
    104 GetStackTrace as get_stack_trace(thread: jthread, start: jint, max: jint, frames: *mut FrameInfo, count: *mut jint);
    106 GetTag as get_tag(object: jobject, tag: *mut jlong);
    107 SetTag as set_tag(object: jobject, tag: jlong);
    122 SetEventCallbacks as set_event_callbacks(callbacks: *const Callbacks, size: jint);
    127 DisposeEnvironment as dispose_environment();
    131 GetSystemProperty as get_system_property(name: *const c_char, value: *mut *mut c_char);
    137 GetThreadCpuTime as get_thread_cpu_time(thread: jthread, nanos: *mut jlong);
    140 GetPotentialCapabilities as get_potential_capabilities(capabilities: *mut Capabilities);
    142 AddCapabilities as add_capabilities(capabilities: *const Capabilities);
    144 GetAvailableProcessors as get_available_processors(count: *mut jint);
    146 GetConstantPool as get_constant_pool(class: jclass, entries: *mut jint, bytes: *mut jint, pool: *mut *mut c_uchar);
    152 RetransformClasses as retransform_classes(count: jint, classes: *const jclass);
}

impl RawEnv {
    /// `SetEventNotificationMode`, the one function with variable arguments, for all threads.
    ///
    /// # Safety
    /// A live environment.
    pub(crate) unsafe fn set_event_notification_mode(
        this: *mut Self,
        mode: jint,
        event: i32,
    ) -> Code {
        type Function = unsafe extern "C" fn(*mut RawEnv, jint, i32, jthread, ...) -> Code;
        // SAFETY: the table's entry of this number has this type; a null thread means all.
        unsafe {
            let entry = *(*this).table.add(SET_EVENT_NOTIFICATION_MODE - 1);
            let function = std::mem::transmute::<*const c_void, Function>(entry);
            function(this, mode, event, std::ptr::null_mut())
        }
    }
}

/// Signatures of the callbacks, as the JVM calls them.
pub(crate) mod callback {
    use super::{Flag, JNIEnv, RawEnv, c_char, c_uchar, jclass, jint, jlong, jobject, jthread};

    pub(crate) type Thread = unsafe extern "system" fn(*mut RawEnv, *mut JNIEnv, jthread);
    pub(crate) type ClassPrepare =
        unsafe extern "system" fn(*mut RawEnv, *mut JNIEnv, jthread, jclass);
    pub(crate) type VmDeath = unsafe extern "system" fn(*mut RawEnv, *mut JNIEnv);
    pub(crate) type Contended =
        unsafe extern "system" fn(*mut RawEnv, *mut JNIEnv, jthread, jobject);
    pub(crate) type Wait =
        unsafe extern "system" fn(*mut RawEnv, *mut JNIEnv, jthread, jobject, jlong);
    pub(crate) type ClassFileLoadHook = unsafe extern "system" fn(
        *mut RawEnv,
        *mut JNIEnv,
        jclass,
        jobject,
        *const c_char,
        jobject,
        jint,
        *const c_uchar,
        *mut jint,
        *mut *mut c_uchar,
    );
    pub(crate) type Waited =
        unsafe extern "system" fn(*mut RawEnv, *mut JNIEnv, jthread, jobject, Flag);
}
