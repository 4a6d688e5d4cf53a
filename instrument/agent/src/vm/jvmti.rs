//! JVMTI, as far as it is needed, with results as values and the JVM's memory given back: the environment,
//! threads, objects and call chains. `classes` has what is told of classes, `replace` what replaces them.

use super::jni::cut_name;
use super::sys::{
    self, Callbacks, Capabilities, FrameInfo, GroupInfo, MonitorUsage, RawEnv, StackInfo,
    ThreadInfo, jthread,
};
use super::{Object, Ref, Vm};
use jni_sys::{jint, jmethodID, jobject};
use locklens_classfile::mutf8;
use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::ptr;

/// An error number of JVMTI, not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Error(pub(crate) sys::Code);

/// `JVMTI_ERROR_THREAD_NOT_ALIVE`.
const NOT_ALIVE: sys::Code = 15;

impl Error {
    /// The thread that was asked about has ended.
    pub(crate) fn is_of_ended_thread(self) -> bool {
        self.0 == NOT_ALIVE
    }
}

/// Result of a call.
pub(crate) type Result<T> = std::result::Result<T, Error>;

pub(super) fn check(code: sys::Code) -> Result<()> {
    if code == 0 { Ok(()) } else { Err(Error(code)) }
}

/// A method as the JVM names it. See `stacks` for how long one may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Handle(pub(crate) usize);

impl Handle {
    pub(super) fn raw(self) -> jmethodID {
        self.0 as jmethodID
    }
}

const MONITORENTER: u8 = 0xc2;

/// The call chain of the current thread, innermost first, in the callback's own stack memory.
pub(crate) struct Chain<const N: usize> {
    frames: [MaybeUninit<FrameInfo>; N],
    len: usize,
}

impl<const N: usize> Chain<N> {
    /// (method, bci or −1) pairs.
    pub(crate) fn frames(&self) -> impl Iterator<Item = (Handle, i64)> + '_ {
        self.frames[..self.len].iter().map(|frame| {
            // SAFETY: the JVM filled the first `len` entries.
            let frame = unsafe { frame.assume_init_ref() };
            (Handle(frame.method as usize), frame.location)
        })
    }

    /// Frames there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

/// Memory the JVM allocated for a result.
pub(super) struct Allocated<T> {
    env: *mut RawEnv,
    start: *mut T,
    len: usize,
}

impl<T> Allocated<T> {
    pub(super) fn slice(&self) -> &[T] {
        if self.start.is_null() {
            return &[];
        }
        // SAFETY: the JVM says that `len` elements are there.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

impl<T> Drop for Allocated<T> {
    fn drop(&mut self) {
        // SAFETY: allocated by this environment and dropped once; null is allowed.
        unsafe { RawEnv::deallocate(self.env, self.start.cast()) };
    }
}

/// The methods of a thread's frames; none for a thread without any.
fn handles(stack: &StackInfo) -> Vec<Handle> {
    let len = usize::try_from(stack.frame_count).unwrap_or(0);
    if stack.frames.is_null() {
        return Vec::new();
    }
    // SAFETY: the JVM put so many frames there, in the memory of the whole answer.
    let frames = unsafe { std::slice::from_raw_parts(stack.frames, len) };
    let handle = |frame: &FrameInfo| Handle(frame.method as usize);
    frames.iter().map(handle).collect()
}

/// A thread's frames, as many as there is room for.
fn chain<const N: usize>(stack: &StackInfo) -> Chain<N> {
    let mut chain = Chain {
        frames: [const { MaybeUninit::uninit() }; N],
        len: 0,
    };
    if !stack.frames.is_null() {
        chain.len = usize::try_from(stack.frame_count).unwrap_or(0).min(N);
        // SAFETY: the JVM put so many frames there; there is room for them, elsewhere.
        unsafe {
            let to = chain.frames.as_mut_ptr().cast::<FrameInfo>();
            ptr::copy_nonoverlapping(stack.frames, to, chain.len);
        }
    }
    chain
}

impl<'frame> Vm<'frame> {
    pub(super) fn array<T>(
        self,
        call: impl FnOnce(*mut RawEnv, *mut jint, *mut *mut T) -> sys::Code,
    ) -> Result<Allocated<T>> {
        let (mut len, mut start) = (0, ptr::null_mut());
        check(call(self.env, &raw mut len, &raw mut start))?;
        Ok(Allocated {
            env: self.env,
            start,
            len: usize::try_from(len).unwrap_or(0),
        })
    }

    /// Takes over a string of the JVM: modified UTF-8, terminated.
    pub(super) fn take_text(self, text: *mut c_char) -> String {
        let text = Allocated {
            env: self.env,
            start: text,
            len: 0,
        };
        if text.start.is_null() {
            return String::new();
        }
        // SAFETY: a terminated string of the JVM's, alive until `text` is dropped.
        mutf8::decode(unsafe { CStr::from_ptr(text.start) }.to_bytes())
    }

    pub(super) fn take_refs(self, refs: &Allocated<jobject>) -> Vec<Ref<'frame>> {
        self.expect_locals(refs.len);
        refs.slice().iter().filter_map(|&r| self.own(r)).collect()
    }

    /// Capabilities this environment could have now.
    pub(crate) fn potential_capabilities(self) -> Result<Capabilities> {
        let mut set = Capabilities::default();
        // SAFETY: a live environment and room for the result.
        check(unsafe { RawEnv::get_potential_capabilities(self.env, &raw mut set) })?;
        Ok(set)
    }

    /// Asks for capabilities; one that cannot be had fails them all.
    pub(crate) fn add_capabilities(self, set: &Capabilities) -> Result<()> {
        // SAFETY: a live environment.
        check(unsafe { RawEnv::add_capabilities(self.env, set) })
    }

    /// Sets the functions called on events.
    pub(crate) fn set_callbacks(self, callbacks: &Callbacks) -> Result<()> {
        // SAFETY: a live environment; the functions have the types of their events.
        check(unsafe {
            RawEnv::set_event_callbacks(self.env, callbacks, size_of::<Callbacks>() as jint)
        })
    }

    /// Switches an event on or off for all threads.
    pub(crate) fn enable(self, event: i32, on: bool) -> Result<()> {
        // SAFETY: a live environment.
        check(unsafe { RawEnv::set_event_notification_mode(self.env, jint::from(on), event) })
    }

    /// The methods of the innermost `depth` frames of each of these threads, in their order, at one moment: a safepoint, or for one thread
    /// alone, from JDK 16 on, a stop of that one.
    pub(crate) fn methods_of(self, threads: &[Ref<'_>], depth: usize) -> Result<Vec<Vec<Handle>>> {
        let list: Vec<jthread> = threads.iter().map(Object::object).collect();
        let mut start = ptr::null_mut::<StackInfo>();
        // SAFETY: so many live references to threads, and room for the result.
        check(unsafe {
            let (count, threads) = (list.len() as jint, list.as_ptr());
            let depth = depth as jint;
            RawEnv::get_thread_list_stack_traces(self.env, count, threads, depth, &raw mut start)
        })?;
        let stacks = Allocated {
            env: self.env,
            start,
            len: list.len(),
        };
        // The references in the answer are those that were given: nothing of it is to be deleted.
        Ok(stacks.slice().iter().map(handles).collect())
    }

    /// The innermost frames, at most `max`, of each of these threads, at one moment: a safepoint. Shows each with its place
    /// among the threads.
    pub(crate) fn stacks_of<const N: usize>(
        self,
        threads: &[Ref<'_>],
        max: usize,
        mut show: impl FnMut(usize, &Chain<N>),
    ) -> Result<()> {
        let list: Vec<jthread> = threads.iter().map(Object::object).collect();
        let (count, mut start) = (list.len(), ptr::null_mut::<StackInfo>());
        // SAFETY: so many live references to threads, and room for the result.
        check(unsafe {
            let (threads, max) = (list.as_ptr(), max.min(N) as jint);
            RawEnv::get_thread_list_stack_traces(
                self.env,
                count as jint,
                threads,
                max,
                &raw mut start,
            )
        })?;
        let stacks = Allocated {
            env: self.env,
            start,
            len: count,
        };
        // The references in the answer are those that were given: nothing of it is to be deleted.
        for (nth, stack) in stacks.slice().iter().enumerate() {
            show(nth, &chain(stack));
        }
        Ok(())
    }

    /// Ends the environment: no event is posted to it afterwards, its tags are gone.
    ///
    /// # Safety
    /// Nothing uses the environment afterwards.
    pub(crate) unsafe fn dispose(self) {
        // SAFETY: the caller's promise. It can only fail if the environment is not valid.
        let _ = unsafe { RawEnv::dispose_environment(self.env) };
    }

    /// A system property.
    pub(crate) fn property(self, name: &CStr) -> Option<String> {
        let mut value = ptr::null_mut();
        // SAFETY: a live environment, a terminated name, room for the result.
        check(unsafe { RawEnv::get_system_property(self.env, name.as_ptr(), &raw mut value) })
            .ok()?;
        Some(self.take_text(value))
    }

    /// Processors available to the JVM.
    pub(crate) fn processors(self) -> Option<u32> {
        let mut count = 0;
        // SAFETY: a live environment and room for the result.
        check(unsafe { RawEnv::get_available_processors(self.env, &raw mut count) }).ok()?;
        u32::try_from(count).ok()
    }

    /// All live platform threads.
    pub(crate) fn all_threads(self) -> Result<Vec<Ref<'frame>>> {
        // SAFETY: a live environment and room for the results.
        let threads =
            self.array(|env, n, list| unsafe { RawEnv::get_all_threads(env, n, list) })?;
        Ok(self.take_refs(&threads))
    }

    /// The current thread.
    pub(crate) fn current_thread(self) -> Option<Ref<'frame>> {
        let mut thread = ptr::null_mut();
        // SAFETY: a live environment and room for the result.
        check(unsafe { RawEnv::get_current_thread(self.env, &raw mut thread) }).ok()?;
        self.own(thread)
    }

    /// Major version of the JDK; 0 before 9.
    pub(crate) fn jdk(self) -> u32 {
        const OF_THE_INTERFACE: u32 = 1;
        let mut version: jint = 0;
        // SAFETY: a live environment and room for the result.
        let asked = check(unsafe { RawEnv::get_version_number(self.env, &raw mut version) });
        // JVMTI_VERSION_MASK_MAJOR: that of the JDK, in older ones that of the interface.
        match (asked, version as u32 >> 16 & 0xfff) {
            (Ok(()), major) if major > OF_THE_INTERFACE => major,
            _ => 0,
        }
    }

    /// The thread that holds an object's monitor. Stops the whole VM for a moment.
    ///
    /// Newer JVMs (seen on 25) read the class of each thread's object, and a native thread that is just attaching has none
    /// yet: the JVM dies of it. So from JDK 21 on it is not asked while a thread of our own attaches, nor where others come.
    pub(crate) fn monitor_owner(self, object: &impl Object) -> Result<Option<Ref<'frame>>> {
        let mut usage = MaybeUninit::<MonitorUsage>::zeroed();
        // SAFETY: a live reference and room for the result; zero is valid for all fields.
        let usage = unsafe {
            check(RawEnv::get_object_monitor_usage(
                self.env,
                object.object(),
                usage.as_mut_ptr(),
            ))?;
            usage.assume_init()
        };
        for (start, len) in [
            (usage.waiters, usage.waiter_count),
            (usage.notify_waiters, usage.notify_waiter_count),
        ] {
            let list = Allocated {
                env: self.env,
                start,
                len: usize::try_from(len).unwrap_or(0),
            };
            drop(self.take_refs(&list));
        }
        Ok(self.own(usage.owner))
    }

    /// Name, daemon flag and group name of a live thread.
    pub(crate) fn thread_info(
        self,
        thread: &impl Object,
    ) -> Result<(String, bool, Option<String>)> {
        let mut info = MaybeUninit::<ThreadInfo>::zeroed();
        // SAFETY: a live thread reference and room for the result; zero is valid for all fields.
        let info = unsafe {
            check(RawEnv::get_thread_info(
                self.env,
                thread.object(),
                info.as_mut_ptr(),
            ))?;
            info.assume_init()
        };
        let name = cut_name(self.take_text(info.name));
        drop(self.own(info.context_loader));
        let group = self
            .own(info.group)
            .and_then(|group| self.group_name(&group));
        Ok((name, info.is_daemon != 0, group))
    }

    fn group_name(self, group: &Ref<'_>) -> Option<String> {
        let mut info = MaybeUninit::<GroupInfo>::zeroed();
        // SAFETY: a live group reference and room for the result; zero is valid for all fields.
        let info = unsafe {
            check(RawEnv::get_thread_group_info(
                self.env,
                group.object(),
                info.as_mut_ptr(),
            ))
            .ok()?;
            info.assume_init()
        };
        drop(self.own(info.parent));
        Some(self.take_text(info.name))
    }

    /// Identity hash code.
    pub(crate) fn identity_hash(self, object: &impl Object) -> Result<i32> {
        let mut hash = 0;
        // SAFETY: a live reference and room for the result.
        check(unsafe { RawEnv::get_object_hash_code(self.env, object.object(), &raw mut hash) })?;
        Ok(hash)
    }

    /// Our tag on an object, 0 if it has none.
    pub(crate) fn tag(self, object: &impl Object) -> Result<u64> {
        let mut tag = 0;
        // SAFETY: as above.
        check(unsafe { RawEnv::get_tag(self.env, object.object(), &raw mut tag) })?;
        Ok(tag as u64)
    }

    /// Tags an object in this environment.
    pub(crate) fn set_tag(self, object: &impl Object, tag: u64) -> Result<()> {
        // SAFETY: a live reference.
        check(unsafe { RawEnv::set_tag(self.env, object.object(), tag as i64) })
    }

    /// Call chain of the current thread, at most `max` frames.
    pub(crate) fn own_stack<const N: usize>(self, max: usize) -> Result<Chain<N>> {
        self.own_stack_above(0, max)
    }

    /// The same without so many of the innermost frames.
    pub(crate) fn own_stack_above<const N: usize>(
        self,
        skipped: usize,
        max: usize,
    ) -> Result<Chain<N>> {
        // A null thread is the current one.
        self.stack(ptr::null_mut(), skipped, max)
    }

    /// Whether the current thread's code asks for a monitor itself: it stands in `Object.wait` or at a `monitorenter`.
    /// The JVM takes locks of its own elsewhere, between instructions or at others.
    pub(crate) fn is_asked_for_by_code(self) -> bool {
        let Ok(chain) = self.own_stack::<1>(1) else {
            return false;
        };
        let Some((method, bci)) = chain.frames().next() else {
            return false;
        };
        // SAFETY: the method is on the current thread's stack, which keeps its class alive.
        let (code, class) = unsafe { (self.bytecode(method), self.declaring_class(method)) };
        let signature = class.and_then(|class| self.class_signature(&class));
        // The methods of `java.lang.Object` that ask for a monitor are those that wait and notify.
        let at = usize::try_from(bci).ok();
        let enters = |code: Vec<u8>| at.and_then(|at| code.get(at).copied()) == Some(MONITORENTER);
        signature.is_ok_and(|s| s == "Ljava/lang/Object;") || code.is_ok_and(enters)
    }

    /// Call chain of a thread, from the frame behind so many on.
    pub(super) fn stack<const N: usize>(
        self,
        thread: jthread,
        skipped: usize,
        max: usize,
    ) -> Result<Chain<N>> {
        let mut chain = Chain {
            frames: [const { MaybeUninit::uninit() }; N],
            len: 0,
        };
        let mut count = 0;
        // SAFETY: room for `N` frames, of which at most `max` are asked for; a live thread or null.
        check(unsafe {
            RawEnv::get_stack_trace(
                self.env,
                thread,
                skipped as jint,
                max.min(N) as jint,
                chain.frames.as_mut_ptr().cast(),
                &raw mut count,
            )
        })?;
        chain.len = usize::try_from(count).unwrap_or(0).min(N);
        Ok(chain)
    }

    /// The top-level thread group.
    pub(crate) fn system_group(self) -> Option<Ref<'frame>> {
        // SAFETY: a live environment and room for the results.
        let groups = self
            .array(|env, n, list| unsafe { RawEnv::get_top_thread_groups(env, n, list) })
            .ok()?;
        self.take_refs(&groups).into_iter().next()
    }
}
