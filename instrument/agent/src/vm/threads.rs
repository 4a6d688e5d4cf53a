//! What other threads are doing, without stopping the JVM.

use super::jvmti::{Chain, Result, check};
use super::sys::{RawEnv, state};
use super::{Field, FieldKind, Object, ReadableField, Ref, Vm};
use jni_sys::{jint, jobject};
use locklens_trace::looks::ThreadState;
use locklens_trace::record::Reading;

/// What a thread is doing, as far as locks are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// Blocked on a monitor.
    Blocked,
    /// In `Object.wait`.
    Waiting {
        /// With a time-out.
        timed: bool,
    },
    /// Parked, as locks of `java.util.concurrent` do.
    Parked,
    /// Anything else.
    Other,
}

impl Doing {
    /// What these bits of `GetThreadState` say.
    pub(crate) fn of(bits: jint) -> Self {
        match bits {
            bits if bits & state::BLOCKED != 0 => Self::Blocked,
            bits if bits & state::IN_OBJECT_WAIT != 0 => Self::Waiting {
                timed: bits & state::WITH_TIMEOUT != 0,
            },
            bits if bits & state::PARKED != 0 => Self::Parked,
            _ => Self::Other,
        }
    }
}

/// What these bits say of a thread that lives.
fn state_of(bits: jint) -> ThreadState {
    let timed = bits & state::WITH_TIMEOUT != 0;
    match Doing::of(bits) {
        Doing::Blocked => ThreadState::Blocked,
        Doing::Waiting { timed: true } => ThreadState::WaitingTimed,
        Doing::Waiting { timed: false } => ThreadState::Waiting,
        Doing::Parked if timed => ThreadState::ParkedTimed,
        Doing::Parked => ThreadState::Parked,
        Doing::Other if bits & state::SLEEPING != 0 => ThreadState::Sleeping,
        Doing::Other if bits & state::RUNNABLE != 0 => ThreadState::Runnable,
        Doing::Other => ThreadState::Unknown,
    }
}

/// Where the state of a thread is: in the thread, or (JDK 19 and later) in an object of its own.
#[derive(Clone, Copy)]
pub(crate) struct ThreadStatus {
    holder: Option<Field>,
    status: ReadableField,
}

impl<'frame> Vm<'frame> {
    /// What a thread is doing. It is not stopped for that.
    pub(crate) fn doing(self, thread: &impl Object) -> Result<Doing> {
        self.state_of(thread).map(Doing::of)
    }

    /// Whether a thread has ended, which it does once.
    pub(crate) fn has_ended(self, thread: &impl Object) -> bool {
        let bits = self.state_of(thread);
        bits.is_ok_and(|bits| bits & state::TERMINATED != 0)
    }

    fn state_of(self, thread: &impl Object) -> Result<jint> {
        let mut bits = 0;
        // SAFETY: a live reference to a thread object, alive or not, and room for the result.
        check(unsafe { RawEnv::get_thread_state(self.env, thread.object(), &raw mut bits) })?;
        Ok(bits)
    }

    /// Where the JVM keeps the state of its threads, given the class of threads.
    pub(crate) fn thread_status(self, class: &impl Object) -> Option<ThreadStatus> {
        let int = |field: Field| field.reading(FieldKind::Int);
        if let Some(status) = self.field(class, c"threadStatus", c"I") {
            return Some(ThreadStatus {
                holder: None,
                status: int(status),
            });
        }
        let holder = self.field(class, c"holder", c"Ljava/lang/Thread$FieldHolder;")?;
        let fields = self.find_class(c"java/lang/Thread$FieldHolder")?;
        Some(ThreadStatus {
            holder: Some(holder),
            status: int(self.field(&fields, c"threadStatus", c"I")?),
        })
    }

    /// Whether a thread is parked, and then whether with a time-out. It is not stopped for that.
    ///
    /// The field is what `GetThreadState` reads; that function looks through the list of all threads first
    /// (JDK 10 and later), which is too dear to be asked of thousands.
    pub(crate) fn parks(self, thread: &impl Object, at: ThreadStatus) -> Option<bool> {
        let bits = self.status_bits(thread, at)?;
        (Doing::of(bits) == Doing::Parked).then_some(bits & state::WITH_TIMEOUT != 0)
    }

    /// What a thread is doing, by the same field. None of one that has not begun, or has ended.
    pub(crate) fn status(self, thread: &impl Object, at: ThreadStatus) -> Option<ThreadState> {
        const ALIVE: jint = 1;
        let bits = self.status_bits(thread, at)?;
        (bits & ALIVE != 0).then(|| state_of(bits))
    }

    fn status_bits(self, thread: &impl Object, at: ThreadStatus) -> Option<jint> {
        let reading = match at.holder {
            // SAFETY: a field of the class of threads, read from a thread.
            None => unsafe { self.read_field(thread, at.status) },
            Some(holder) => {
                let holder = self.object_field(thread, holder)?;
                // SAFETY: a field of the class of what every thread's `holder` refers to.
                unsafe { self.read_field(&holder, at.status) }
            }
        };
        let Some(Reading::Number(bits)) = reading else {
            return None;
        };
        jint::try_from(bits).ok()
    }

    /// Whether the JVM stops as a whole to tell another thread's call chain, as it does to JDK 15.
    pub(crate) fn stops_for_chains(self) -> bool {
        const JVMTI_16: jint = 0x3010_0000;
        self.version() < JVMTI_16
    }

    /// Whether some of `java.util.concurrent` parks threads past `LockSupport`, as it did to JDK 8.
    pub(crate) fn parks_past_support(self) -> bool {
        const JVMTI_9: jint = 0x3009_0000;
        self.version() < JVMTI_9
    }

    /// Whether a thread that ends just then is safe from being asked for its processor time: from JDK 10 on the JVM
    /// keeps it for as long.
    fn keeps_who_is_asked(self) -> bool {
        const JVMTI_10: jint = 0x300a_0000;
        self.version() >= JVMTI_10
    }

    /// 0 if it does not say.
    fn version(self) -> jint {
        let mut version = 0;
        // SAFETY: a live environment and room for the result.
        let asked = check(unsafe { RawEnv::get_version_number(self.env, &raw mut version) });
        asked.map_or(0, |()| version)
    }

    /// The processor time that another platform thread has taken, ns. It is not stopped for that. None where not
    /// [`Self::keeps_who_is_asked`].
    pub(crate) fn cpu_time(self, thread: &impl Object) -> Option<i64> {
        if !self.keeps_who_is_asked() {
            return None;
        }
        let mut nanos = 0;
        // SAFETY: a live reference to a thread object and room for the result; the thread is kept though it may end just
        // now, and the JVM says if it has ended or if we lack the capability.
        check(unsafe { RawEnv::get_thread_cpu_time(self.env, thread.object(), &raw mut nanos) })
            .ok()?;
        (nanos >= 0).then_some(nanos)
    }

    /// Call chain of another thread, at most `max` frames. See [`Self::stops_for_chains`].
    pub(crate) fn stack_of<const N: usize>(
        self,
        thread: &impl Object,
        max: usize,
    ) -> Result<Chain<N>> {
        self.stack(thread.object(), 0, max)
    }

    /// A reference to the object behind a handle that the JVM made for itself.
    ///
    /// # Safety
    /// The handle lies in memory of the JVM that holds a reference (or null) and is known to its
    /// collector: a place for such a reference, or a place of a weak one with the lowest bit set. The
    /// JVM does not check handles.
    pub(crate) unsafe fn behind(self, handle: usize) -> Option<Ref<'frame>> {
        // SAFETY: the caller's promise; null gives null.
        unsafe { self.local(handle as jobject) }
    }
}
