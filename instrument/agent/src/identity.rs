//! Which lock, which class, which loader: identity by JVMTI tag.
//!
//! The identity hash collides and a class name says nothing about its loader, so every lock object,
//! class mirror and class loader seen is tagged once, in our own environment. A tag lasts as long
//! as its object; ids are never used again. One object can be two things at once (a class mirror
//! is locked by static synchronized methods), hence two fields in the 64 bits:
//!
//! ```text
//! bits 0..32   lock id, 0 if never seen as a lock
//! bits 32..64  class id of a class mirror, or loader id of a class loader; an object is never both
//! ```
//!
//! Reading and writing a tag are two calls, so two threads could give one object two ids. First
//! sights are therefore serialised by spin locks of ours, one of [`TURNS`] by the object's identity
//! hash, held across `SetTag` only; what defines the id is left for the writer before `SetTag` shows it
//! to other threads. A lock's holder may be stopped there (at a safepoint, by a debugger, or merely off
//! its processor). A thread of the program's does not wait for it: its event gets an id of its own, which
//! the writer finds the lock for afterwards ([`Definition::PutOff`]). The writer waits for a while.

use crate::callbacks::is_ours;
use crate::ceiling::TAG;
use crate::definition::{Definition, NewClass};
use crate::memory::{Slab, Zeroable};
use crate::recording::Recording;
use crate::safe;
use crate::vm::{Object, Ref, Vm};
use locklens_trace::record::{LoaderDef, LockDef, LockObject};
use locklens_trace::{ClassId, LoaderId, LockId, ThreadId};
use std::io;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::time::{Duration, Instant};

/// Longest wait of the writer for another thread's first sight: some turns of a crowded processor.
const PATIENCE: Duration = Duration::from_millis(50);
/// Tries of who does not wait.
const TRIES: u32 = 100;
/// First sights at once.
const TURNS: usize = 64;
/// Ids of a recording that stand for another one at most: each is an event, and none is given again.
const PUT_OFF: u32 = 4_096;

/// What is kept of a lock while events come.
#[derive(Default)]
pub(crate) struct LockSlot {
    /// Events numbered so far.
    pub(crate) seq: AtomicU32,
    /// Index in the safe-lock table plus one; 0 for a lock that is recorded.
    pub(crate) safe: AtomicU32,
    /// Call chains taken.
    chains: AtomicU32,
    /// When the last one was, in units of 65,536 ns since the start, modulo 78 hours.
    last: AtomicU32,
}

impl LockSlot {
    /// How long ago a chain was taken, ns; for ever, if none was. `now` is in units of 1,024 ns.
    pub(crate) fn last_chain(&self, now: u64) -> u64 {
        match self.chains.load(Relaxed) {
            0 => u64::MAX,
            _ => u64::from(((now >> 6) as u32).wrapping_sub(self.last.load(Relaxed))) << 16,
        }
    }

    /// A chain was taken. Of two at the same time one may go uncounted.
    pub(crate) fn note_chain(&self, now: u64) {
        self.last.store((now >> 6) as u32, Relaxed);
        let chains = self.chains.load(Relaxed);
        self.chains.store(chains.saturating_add(1), Relaxed);
    }

    /// Whether fewer than `few` chains were taken.
    pub(crate) fn is_fresh(&self, few: u32) -> bool {
        self.chains.load(Relaxed) < few
    }
}

// SAFETY: atomics only; all zero is a lock without events.
unsafe impl Zeroable for LockSlot {}

/// Why something has no id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// Its table is full.
    TableFull,
    /// The JVM would not say, or another thread's first sight took too long.
    Unidentified,
    /// Another thread's first sight is under way.
    Busy,
}

impl From<crate::vm::Error> for Unknown {
    fn from(_: crate::vm::Error) -> Self {
        Self::Unidentified
    }
}

/// The ids given so far.
pub(crate) struct Identity {
    turns: [AtomicBool; TURNS],
    /// The writer still waits for a turn.
    patient: AtomicBool,
    /// Ids that stand for another one.
    put_off: AtomicU32,
    locks: Slab<LockSlot>,
    last_lock: AtomicU32,
    /// By class id: index in the safe-lock table plus one.
    safe_classes: Slab<AtomicU32>,
    last_class: AtomicU32,
    last_loader: AtomicU32,
    most_loaders: u32,
}

/// One of the two fields of a tag.
#[derive(Clone, Copy, PartialEq)]
enum Half {
    Lock,
    Mirror,
}

impl Half {
    fn of(self, tag: u64) -> u32 {
        match self {
            Self::Lock => tag as u32,
            Self::Mirror => (tag >> 32) as u32,
        }
    }

    fn put(self, tag: u64, id: u32) -> u64 {
        match self {
            Self::Lock => tag | u64::from(id),
            Self::Mirror => tag | u64::from(id) << 32,
        }
    }
}

/// The ids of one kind.
#[derive(Clone, Copy)]
struct Ids<'a> {
    last: &'a AtomicU32,
    end: usize,
}

impl Ids<'_> {
    /// Saves describing what would get no id.
    fn check_room(self) -> Result<(), Unknown> {
        match self.last.load(Relaxed) as usize + 1 < self.end {
            true => Ok(()),
            false => Err(Unknown::TableFull),
        }
    }

    /// The next one, which is never given again.
    fn next(self) -> Option<u32> {
        let next = |last: u32| Some(last.checked_add(1)?).filter(|&id| (id as usize) < self.end);
        let last = self.last.fetch_update(Relaxed, Relaxed, next).ok()?;
        Some(last + 1)
    }
}

/// The turn to tag an object for the first time.
struct Turn<'a>(&'a AtomicBool);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.store(false, Release);
    }
}

impl Identity {
    /// Tables for what may be tagged within `tags` bytes, those of the JVM's included: an eighth is
    /// classes and loaders, whose number is also limited by `classes` bytes.
    pub(crate) fn within(tags: usize, classes: usize) -> io::Result<Self> {
        let of_classes = (tags / 16 / TAG).min(classes / size_of::<AtomicU32>());
        let of_locks = tags / 8 * 7 / (TAG + size_of::<LockSlot>());
        Ok(Self {
            turns: [const { AtomicBool::new(false) }; TURNS],
            patient: AtomicBool::new(true),
            put_off: AtomicU32::new(0),
            locks: Slab::new(of_locks.max(64) + 1)?,
            last_lock: AtomicU32::new(0),
            safe_classes: Slab::new(of_classes.max(64) + 1)?,
            last_class: AtomicU32::new(0),
            last_loader: AtomicU32::new(0),
            most_loaders: u32::try_from(tags / 16 / TAG).unwrap_or(u32::MAX),
        })
    }

    /// Lock objects there may be.
    pub(crate) fn most_locks(&self) -> u32 {
        u32::try_from(self.locks.len()).unwrap_or(u32::MAX)
    }

    /// Objects tagged so far, with those that have died since.
    pub(crate) fn tagged(&self) -> u64 {
        let last = [&self.last_lock, &self.last_class, &self.last_loader];
        last.iter().map(|last| u64::from(last.load(Relaxed))).sum()
    }

    fn take_turn(&self, hash: i32, waits: bool) -> Result<Turn<'_>, Unknown> {
        let turn = &self.turns[hash as usize % TURNS];
        let mut since = None;
        for attempt in 0_u32.. {
            if !turn.swap(true, Acquire) {
                break;
            }
            if attempt > TRIES {
                if !waits {
                    return Err(Unknown::Busy);
                }
                let since = *since.get_or_insert_with(Instant::now);
                if since.elapsed() > PATIENCE {
                    return Err(Unknown::Unidentified);
                }
                std::thread::sleep(Duration::from_micros(20));
            }
            std::hint::spin_loop();
        }
        Ok(Turn(turn))
    }

    /// Gives an object an id in one field of its tag, unless another thread just has. `define` leaves
    /// the definition, before anybody can see the id; it must not call the JVM.
    fn first_sight(
        &self,
        vm: Vm<'_>,
        object: &impl Object,
        half: Half,
        ids: Ids<'_>,
        define: impl FnOnce(u32),
    ) -> Result<u32, Unknown> {
        self.first_sight_with_hash(vm, (object, vm.identity_hash(object)?), half, ids, define)
    }

    fn first_sight_with_hash(
        &self,
        vm: Vm<'_>,
        (object, hash): (&impl Object, i32),
        half: Half,
        ids: Ids<'_>,
        define: impl FnOnce(u32),
    ) -> Result<u32, Unknown> {
        // Only of locks somebody else can tell later what they are.
        let waits = half == Half::Mirror || self.is_patient();
        let _turn = self.take_turn(hash, waits)?;
        let tag = vm.tag(object)?;
        let known = half.of(tag);
        if known != 0 {
            return Ok(known);
        }
        let id = ids.next().ok_or(Unknown::TableFull)?;
        define(id);
        vm.set_tag(object, half.put(tag, id))?;
        Ok(id)
    }

    /// Whether the current thread may wait for another one's first sight of a lock: only the writer, and not once that was in vain.
    fn is_patient(&self) -> bool {
        is_ours() && self.patient.load(Relaxed)
    }

    /// From now on the writer waits no more, or does again.
    pub(crate) fn set_patient(&self, patient: bool) {
        self.patient.store(patient, Relaxed);
    }

    fn lock_ids(&self) -> Ids<'_> {
        Ids {
            last: &self.last_lock,
            end: self.locks.len(),
        }
    }

    fn class_ids(&self) -> Ids<'_> {
        Ids {
            last: &self.last_class,
            end: self.safe_classes.len(),
        }
    }

    fn loader_ids(&self) -> Ids<'_> {
        Ids {
            last: &self.last_loader,
            end: self.most_loaders as usize + 1,
        }
    }

    /// What is kept of a lock.
    pub(crate) fn slot(&self, lock: LockId) -> &LockSlot {
        &self.locks[lock.index()]
    }
}

impl Recording {
    /// The id of a lock object.
    pub(crate) fn lock(&self, vm: Vm<'_>, object: &impl Object) -> Result<LockId, Unknown> {
        match Half::Lock.of(vm.tag(object)?) {
            0 => self.new_lock(vm, (object, vm.identity_hash(object)?), Definition::Lock),
            id => Ok(LockId(id)),
        }
    }

    /// The same in a callback, where somebody waits for its end: an id that stands for the lock, if another thread sees that for the
    /// first time just now.
    pub(crate) fn lock_at_once(&self, vm: Vm<'_>, object: &impl Object) -> Result<LockId, Unknown> {
        #[cfg(debug_assertions)]
        if self.options.puts_off && self.known_lock(vm, object).is_none() {
            return self.put_off(vm, object);
        }
        match self.lock(vm, object) {
            Err(Unknown::Busy) => self.put_off(vm, object),
            told => told,
        }
    }

    /// An id for an object that the writer is to identify.
    fn put_off(&self, vm: Vm<'_>, object: &impl Object) -> Result<LockId, Unknown> {
        self.check_room()?;
        if self.identity.put_off.fetch_add(1, Relaxed) >= PUT_OFF {
            return Err(Unknown::Unidentified);
        }
        let weak = vm.weak(object).ok_or(Unknown::Unidentified)?;
        let Some(id) = self.identity.lock_ids().next().map(LockId) else {
            vm.delete_weak(weak);
            return Err(Unknown::TableFull);
        };
        self.definitions.push(Definition::PutOff(id, weak));
        Ok(id)
    }

    /// The same of one whose identity hash is known.
    pub(crate) fn lock_with_hash(
        &self,
        vm: Vm<'_>,
        object: &impl Object,
        hash: i32,
    ) -> Result<LockId, Unknown> {
        match Half::Lock.of(vm.tag(object)?) {
            0 => self.new_lock(vm, (object, hash), Definition::Lock),
            id => Ok(LockId(id)),
        }
    }

    /// The id of a lock object that is not locked as a monitor.
    pub(crate) fn synchronizer(&self, vm: Vm<'_>, object: &impl Object) -> Result<LockId, Unknown> {
        let known = self.known_lock(vm, object);
        match known {
            Some(id) => Ok(id),
            None => {
                let hash = vm.identity_hash(object)?;
                self.new_lock(vm, (object, hash), Definition::Synchronizer)
            }
        }
    }

    /// The id of a lock object, if it has one.
    pub(crate) fn known_lock(&self, vm: Vm<'_>, object: &impl Object) -> Option<LockId> {
        let id = Half::Lock.of(vm.tag(object).ok()?);
        (id != 0).then_some(LockId(id))
    }

    /// Everything that may fail comes before the id: an object with an id has its definition.
    fn new_lock(
        &self,
        vm: Vm<'_>,
        (object, hash): (&impl Object, i32),
        as_definition: impl Fn(LockDef) -> Definition,
    ) -> Result<LockId, Unknown> {
        let known = &self.identity;
        let ids = known.lock_ids();
        ids.check_room()?;
        self.check_room()?;
        let mirror = vm.class_of(object).ok_or(Unknown::Unidentified)?;
        let class = self.class(vm, &mirror)?;
        if let Some(entry) = self.safe_entry(vm, object, class) {
            let hide = |id| {
                let slot = known.slot(LockId(id));
                slot.safe.store(entry as u32 + 1, Relaxed);
            };
            let id = known.first_sight_with_hash(vm, (object, hash), Half::Lock, ids, hide)?;
            return Ok(LockId(id));
        }
        let what = self.lock_object(vm, object);
        let define = |id| {
            self.definitions.push(as_definition(LockDef {
                id: LockId(id),
                class,
                hash,
                object: what,
            }));
        };
        let id = known.first_sight_with_hash(vm, (object, hash), Half::Lock, ids, define)?;
        let id = LockId(id);
        self.describe_fields(vm, object, &mirror, (id, class));
        Ok(id)
    }

    fn safe_entry(&self, vm: Vm<'_>, object: &impl Object, class: ClassId) -> Option<usize> {
        if !self.options.hide_safe {
            return None;
        }
        let entry = self.identity.safe_classes[class.index()].load(Relaxed);
        let entry = entry.checked_sub(1)? as usize;
        let holds = !safe::is_the_jvms_alone(entry) || vm.array_len(object) == 0;
        holds.then_some(entry)
    }

    /// Whether an object of a class that probes have met is one of the safe locks that are left out.
    pub(crate) fn is_known_safe(&self, vm: Vm<'_>, object: &impl Object, class: ClassId) -> bool {
        let entry = self.safe_entry(vm, object, class);
        entry.is_some_and(|entry| !safe::is_the_jvms_alone(entry))
    }

    /// Whether an event of this lock is not told because the lock is a safe one. One that the JVM keeps to itself is
    /// never asked for by code: where `by_code` says that it was, it is a lock of the program's, and told from now on.
    pub(crate) fn hides_from(
        &self,
        vm: Vm<'_>,
        (object, lock): (&impl Object, LockId),
        by_code: impl FnOnce() -> bool,
    ) -> bool {
        // Who sees that a lock is told sees its definition.
        let entry = self.identity.slot(lock).safe.load(Acquire);
        let entry = entry.checked_sub(1).map(|entry| entry as usize);
        let doubtful = entry.is_some_and(safe::is_the_jvms_alone) && by_code();
        if doubtful && self.reveal(vm, object, lock).is_ok() {
            return false;
        }
        self.hides(lock)
    }

    /// Defines a lock that was taken for a safe one.
    fn reveal(&self, vm: Vm<'_>, object: &impl Object, lock: LockId) -> Result<(), Unknown> {
        let mirror = vm.class_of(object).ok_or(Unknown::Unidentified)?;
        let class = self.class(vm, &mirror)?;
        let hash = vm.identity_hash(object)?;
        self.check_room()?;
        let _turn = self.identity.take_turn(hash, true)?;
        let slot = self.identity.slot(lock);
        if slot.safe.load(Relaxed) != 0 {
            self.definitions.push(Definition::Lock(LockDef {
                id: lock,
                class,
                hash,
                object: LockObject::Plain,
            }));
            slot.safe.store(0, Release);
        }
        Ok(())
    }

    /// The next id, for a lock that is told and whose object is not tagged.
    pub(crate) fn define_lock(&self, define: impl FnOnce(LockId) -> LockDef) -> Option<LockId> {
        self.check_room().ok()?;
        let id = LockId(self.identity.lock_ids().next()?);
        self.definitions.push(Definition::Lock(define(id)));
        Some(id)
    }

    fn lock_object(&self, vm: Vm<'_>, object: &impl Object) -> LockObject {
        if vm.is_instance(object, &self.roots.class) {
            if let Ok(class) = self.class_of_mirror(vm, object) {
                return LockObject::ClassMirror(class);
            }
        } else if vm.is_instance(object, &self.roots.thread)
            && let Some(thread) = self.thread_behind(vm, object)
        {
            return LockObject::Thread(thread);
        }
        LockObject::Plain
    }

    /// The id of a thread object somebody locks; none if it has not been started, or its table is
    /// full.
    fn thread_behind(&self, vm: Vm<'_>, object: &impl Object) -> Option<ThreadId> {
        self.thread(vm, object, false).ok()
    }

    /// The id of a class.
    pub(crate) fn class(&self, vm: Vm<'_>, class: &Ref<'_>) -> Result<ClassId, Unknown> {
        self.class_of_mirror(vm, class)
    }

    fn class_of_mirror(&self, vm: Vm<'_>, mirror: &impl Object) -> Result<ClassId, Unknown> {
        match Half::Mirror.of(vm.tag(mirror)?) {
            0 => self.new_class(vm, mirror),
            id => Ok(ClassId(id)),
        }
    }

    fn new_class(&self, vm: Vm<'_>, mirror: &impl Object) -> Result<ClassId, Unknown> {
        let known = &self.identity;
        let ids = known.class_ids();
        ids.check_room()?;
        self.check_room()?;
        let name = binary_name(&vm.class_signature(mirror)?);
        let entry = safe::entry_of(&name).map_or(0, |entry| entry as u32 + 1);
        let loader = match vm.class_loader(mirror)? {
            Some(loader) => Some(self.loader(vm, &loader)?),
            None => None,
        };
        let mut weak = vm.weak(mirror);
        let sight = known.first_sight(vm, mirror, Half::Mirror, ids, |id| {
            let id = ClassId(id);
            known.safe_classes[id.index()].store(entry, Relaxed);
            self.definitions.push(Definition::Class(NewClass {
                id,
                name,
                loader,
                mirror: weak.take(),
            }));
        });
        if let Some(unused) = weak {
            vm.delete_weak(unused);
        }
        Ok(ClassId(sight?))
    }

    /// The id of a class loader.
    pub(crate) fn loader(&self, vm: Vm<'_>, loader: &Ref<'_>) -> Result<LoaderId, Unknown> {
        match Half::Mirror.of(vm.tag(loader)?) {
            0 => self.new_loader(vm, loader),
            id => Ok(LoaderId(id)),
        }
    }

    fn new_loader(&self, vm: Vm<'_>, loader: &Ref<'_>) -> Result<LoaderId, Unknown> {
        let known = &self.identity;
        let ids = known.loader_ids();
        ids.check_room()?;
        self.check_room()?;
        let class = vm.class_of(loader).ok_or(Unknown::Unidentified)?;
        let class_name = binary_name(&vm.class_signature(&class)?);
        let define = |id| {
            let id = LoaderId(id);
            let loader = LoaderDef { id, class_name };
            self.definitions.push(Definition::Loader(loader));
        };
        let id = known.first_sight(vm, loader, Half::Mirror, ids, define)?;
        Ok(LoaderId(id))
    }
}

/// Whether a class loader of this class is the JDK's platform (once: extension) loader.
pub(crate) fn is_platform_loader(class_name: &str) -> bool {
    [
        "jdk.internal.loader.ClassLoaders$PlatformClassLoader",
        "sun.misc.Launcher$ExtClassLoader",
    ]
    .contains(&class_name)
}

/// `Ljava/lang/Object;` → `java.lang.Object`, as `Class.getName` writes it: arrays keep their
/// brackets, a hidden class its suffix behind a slash.
pub(crate) fn binary_name(signature: &str) -> String {
    match signature
        .strip_prefix('L')
        .and_then(|name| name.strip_suffix(';'))
    {
        None => signature.replace('/', "."),
        // The suffix of a hidden class stands behind a dot, before JDK 15 behind a slash; it begins
        // with a digit, as no name of a class or package does.
        Some(name) => match name.rsplit_once(['.', '/']) {
            Some((name, suffix)) if suffix.starts_with(|c: char| c.is_ascii_digit()) => {
                format!("{}/{suffix}", name.replace('/', "."))
            }
            _ => name.replace('/', "."),
        },
    }
}

#[cfg(test)]
mod tests;
