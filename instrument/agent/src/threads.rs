//! Which thread: identity by Java tid, for platform and virtual threads alike.
//!
//! The tid is read from the thread object (a field access, some 20 ns); nothing is kept in native
//! thread-local storage, because a virtual thread may have changed its carrier since the last event.

use crate::definition::Definition;
use crate::identity::Unknown;
use crate::idmap::Claim;
use crate::recording::Recording;
use crate::seat::Seat;
use crate::vm::{Field, Global, Object, Vm};
use locklens_trace::ThreadId;
use locklens_trace::record::ThreadDef;
use std::sync::atomic::Ordering::Relaxed;

/// The thread group of all virtual threads.
pub(crate) const VIRTUAL_THREADS: &str = "VirtualThreads";

/// Classes and fields of the JVM that identification needs.
pub(crate) struct Roots {
    pub(crate) thread: Global,
    pub(crate) class: Global,
    /// `java.lang.BaseVirtualThread`, where there is one.
    virtual_thread: Option<Global>,
    /// The class of the platform threads that carry virtual ones, where it is known.
    carrier: Option<Global>,
    tid: Field,
    name: Field,
    /// Where the JVM keeps its address of a platform thread.
    eetop: Option<Field>,
}

impl Roots {
    /// Looks them up; the error says what is missing.
    pub(crate) fn find(vm: Vm<'_>) -> Result<Self, String> {
        let thread = vm.find_class(c"java/lang/Thread");
        let thread = thread.ok_or("java.lang.Thread cannot be found")?;
        let class = vm.find_class(c"java/lang/Class");
        let class = class.ok_or("java.lang.Class cannot be found")?;
        // Asking an older JVM would ask the application's class loader.
        let newer = vm.has_virtual_threads();
        let look = |name| newer.then(|| vm.find_class(name)).flatten();
        let carrier = look(c"jdk/internal/misc/CarrierThread");
        let virtual_thread = look(c"java/lang/BaseVirtualThread");
        Ok(Self {
            tid: vm
                .field(&thread, c"tid", c"J")
                .ok_or("java.lang.Thread has no field tid")?,
            name: vm
                .field(&thread, c"name", c"Ljava/lang/String;")
                .ok_or("java.lang.Thread has no field name")?,
            eetop: vm.field(&thread, c"eetop", c"J"),
            thread: vm.global(&thread).ok_or("no memory for references")?,
            class: vm.global(&class).ok_or("no memory for references")?,
            virtual_thread: virtual_thread.and_then(|class| vm.global(&class)),
            carrier: carrier.and_then(|class| vm.global(&class)),
        })
    }

    /// Gives the references back.
    pub(crate) fn release(self, vm: Vm<'_>) {
        vm.delete_global(self.thread);
        vm.delete_global(self.class);
        for class in [self.virtual_thread, self.carrier].into_iter().flatten() {
            vm.delete_global(class);
        }
    }

    /// Name of a thread as its object says it.
    pub(crate) fn name_of(&self, vm: Vm<'_>, thread: &impl Object) -> String {
        vm.object_field(thread, self.name)
            .map(|name| vm.text(&name))
            .unwrap_or_default()
    }

    /// Whether what the JVM says of this platform thread may be meant for a virtual one.
    pub(crate) fn is_carrier(&self, vm: Vm<'_>, thread: &impl Object) -> bool {
        self.carrier
            .as_ref()
            .is_some_and(|class| vm.is_instance(thread, class))
    }

    /// The JVM has virtual threads.
    pub(crate) fn has_virtual(&self) -> bool {
        self.virtual_thread.is_some()
    }

    fn is_virtual(&self, vm: Vm<'_>, thread: &impl Object) -> bool {
        self.virtual_thread
            .as_ref()
            .is_some_and(|class| vm.is_instance(thread, class))
    }
}

impl Recording {
    /// Java tid of a thread; 0 for one that is none yet.
    pub(crate) fn tid_of(&self, vm: Vm<'_>, thread: &impl Object) -> u64 {
        vm.long_field(thread, self.roots.tid) as u64
    }

    /// The id of a live thread. `starting` if this is its start, so that it did not exist before.
    pub(crate) fn thread(
        &self,
        vm: Vm<'_>,
        thread: &impl Object,
        starting: bool,
    ) -> Result<ThreadId, Unknown> {
        self.thread_of_tid(vm, self.tid_of(vm, thread), thread, starting)
    }

    /// The thread that runs here now, taking its seat.
    pub(crate) fn seat(&self, vm: Vm<'_>, tid: u64, thread: &impl Object) -> Result<Seat, Unknown> {
        let id = self.thread_of_tid(vm, tid, thread, false)?;
        let platform = !self.roots.is_virtual(vm, thread);
        Ok(Seat::new(self.era.load(Relaxed), tid, id, platform))
    }

    /// The id of a thread, if it has one.
    pub(crate) fn known_thread(&self, vm: Vm<'_>, thread: &impl Object) -> Option<ThreadId> {
        match self.threads.find(self.tid_of(vm, thread)) {
            Some(Claim::Known(id)) => Some(ThreadId(id)),
            _ => None,
        }
    }

    /// The same when its tid is known. Tids start at 1; a thread without one is not a thread yet.
    pub(crate) fn thread_of_tid(
        &self,
        vm: Vm<'_>,
        tid: u64,
        thread: &impl Object,
        starting: bool,
    ) -> Result<ThreadId, Unknown> {
        if tid == 0 {
            return Err(Unknown::Unidentified);
        }
        match self.threads.find(tid) {
            Some(Claim::Known(id) | Claim::New(id)) => {
                // Who has started it may have been told before it came to run: by its number alone.
                if starting {
                    let def = self.describe_thread(vm, tid, thread, starting);
                    let id = ThreadId(id);
                    self.offer(Definition::Thread(ThreadDef { id, ..def }));
                }
                return Ok(ThreadId(id));
            }
            Some(Claim::Full) => return Err(Unknown::TableFull),
            None => self.check_room()?,
        }
        // Made ready before the claim: who finds the id then finds its definition soon.
        let mut def = self.describe_thread(vm, tid, thread, starting);
        match self.threads.claim(tid) {
            Claim::Known(id) => Ok(ThreadId(id)),
            Claim::Full => Err(Unknown::TableFull),
            Claim::New(id) => {
                def.id = ThreadId(id);
                self.definitions.push(Definition::Thread(def));
                Ok(ThreadId(id))
            }
        }
    }

    /// Its definition, all but the id.
    fn describe_thread(
        &self,
        vm: Vm<'_>,
        tid: u64,
        thread: &impl Object,
        starting: bool,
    ) -> ThreadDef {
        let is_virtual = self.roots.is_virtual(vm, thread);
        let info = (!is_virtual).then(|| vm.thread_info(thread).ok()).flatten();
        let (name, daemon, group) = info.unwrap_or_else(|| {
            let group = is_virtual.then(|| VIRTUAL_THREADS.to_owned());
            (self.roots.name_of(vm, thread), is_virtual, group)
        });
        ThreadDef {
            id: ThreadId(0),
            tid,
            name,
            group,
            daemon,
            is_virtual,
            // An unknown virtual thread in a crowded table may have started unnoticed.
            at_start: !(starting || is_virtual && self.threads.is_half_full()),
        }
    }

    /// The JVM's address of a platform thread that runs; 0 for any other.
    pub(crate) fn address_of(&self, vm: Vm<'_>, thread: &impl Object) -> u64 {
        self.roots
            .eetop
            .map_or(0, |field| vm.long_field(thread, field) as u64)
    }
}
