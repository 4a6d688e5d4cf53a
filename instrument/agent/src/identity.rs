//! Which lock, which class, which loader: identity by JVMTI tag.
//!
//! The identity hash collides and a class name says nothing about its loader, so every lock object,
//! class mirror and class loader seen is tagged once, in our own environment. A tag lasts as long
//! as its object; ids are never used again. One object can be two things at once (a class mirror
//! is locked by static synchronized methods), hence two fields in the 64 bits:
//!
//! ```text
//! bits 0..36   number as a lock, 0 if never seen as one
//! bits 36..64  number as a class mirror or as a class loader; an object is never both
//! ```
//!
//! The environment outlives a recording (see `entry`) and with it the tags. So numbers go on from
//! recording to recording: one that is not above those given out before this recording began is a
//! leftover and means nothing. An id in the trace is the number less that base.
//!
//! Reading and writing a tag are two calls, so two threads could give one object two ids. First
//! sights are therefore serialised by a spin lock of ours, held across `SetTag` only. Its holder
//! may be stopped there (at a safepoint, by a debugger); whoever waits gives up after a moment and
//! its event is counted as lost, rather than hold the application up.

use crate::definition::{Definition, NewClass};
use crate::memory::{Slab, Zeroable};
use crate::recording::Recording;
use crate::safe;
use crate::vm::{Object, Ref, Vm};
use locklens_trace::record::{LoaderDef, LockDef, LockObject};
use locklens_trace::{ClassId, LoaderId, LockId, ThreadId};
use std::io;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::time::{Duration, Instant};

/// Longest wait for another thread's first sight.
const PATIENCE: Duration = Duration::from_millis(10);

/// What is kept of a lock while events come.
pub(crate) struct LockSlot {
    /// Events numbered so far.
    pub(crate) seq: AtomicU32,
    /// Index in the safe-lock table plus one; 0 for a lock that is recorded.
    pub(crate) safe: AtomicU32,
    /// Call chains taken, up to the number that is free.
    pub(crate) chains: AtomicU32,
    /// The second the next counter is for.
    pub(crate) second: AtomicU32,
    /// Call chains taken in that second.
    pub(crate) in_second: AtomicU32,
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
}

impl From<crate::vm::Error> for Unknown {
    fn from(_: crate::vm::Error) -> Self {
        Self::Unidentified
    }
}

/// The ids given so far.
pub(crate) struct Identity {
    turn: AtomicBool,
    slots: Slab<LockSlot>,
    /// By class id: index in the safe-lock table plus one.
    safe_classes: Slab<AtomicU32>,
    locks: Numbers,
    classes: Numbers,
    loaders: Numbers,
}

/// One of the two fields of a tag.
#[derive(Clone, Copy)]
enum Field {
    Lock,
    Mirror,
}

const LOCK_BITS: u32 = 36;
const MAX_LOCK: u64 = (1 << LOCK_BITS) - 1;
const MAX_MIRROR: u64 = (1 << (u64::BITS - LOCK_BITS)) - 1;

impl Field {
    fn of(self, tag: u64) -> u64 {
        match self {
            Self::Lock => tag & MAX_LOCK,
            Self::Mirror => tag >> LOCK_BITS,
        }
    }

    fn put(self, tag: u64, number: u64) -> u64 {
        match self {
            Self::Lock => tag & !MAX_LOCK | number,
            Self::Mirror => tag & MAX_LOCK | number << LOCK_BITS,
        }
    }

    fn max(self) -> u64 {
        match self {
            Self::Lock => MAX_LOCK,
            Self::Mirror => MAX_MIRROR,
        }
    }
}

/// Numbers of one kind: those of all recordings, and where this one's begin.
struct Numbers {
    field: Field,
    issued: &'static AtomicU64,
    base: u64,
    /// Ids this recording has room for.
    room: u64,
}

static LOCKS: AtomicU64 = AtomicU64::new(0);
static CLASSES: AtomicU64 = AtomicU64::new(0);
static LOADERS: AtomicU64 = AtomicU64::new(0);

impl Numbers {
    fn new(field: Field, issued: &'static AtomicU64, slots: usize) -> Self {
        let base = issued.load(Relaxed);
        Self {
            field,
            issued,
            base,
            // Id 0 is none, so slot 0 stays empty.
            room: (slots as u64 - 1).min(field.max() - base),
        }
    }

    /// The id a tag gives, if this recording gave it.
    fn id(&self, tag: u64) -> Option<u32> {
        let id = self.field.of(tag).checked_sub(self.base)?;
        u32::try_from(id).ok().filter(|&id| id != 0)
    }

    /// The next number, if there is room; the caller has the turn.
    fn next(&self) -> Option<u64> {
        let number = self.issued.load(Relaxed) + 1;
        (number - self.base <= self.room).then_some(number)
    }
}

/// An id and whether this caller was the first to see its object, and so owes the definition.
struct Sight {
    id: u32,
    first: bool,
}

/// The turn to tag an object for the first time.
struct Turn<'a>(&'a AtomicBool);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.store(false, Release);
    }
}

impl Identity {
    /// Tables within `bytes`.
    pub(crate) fn within(bytes: usize) -> io::Result<Self> {
        let classes = (bytes / 8 / size_of::<AtomicU32>()).max(1 << 14);
        let locks = (bytes / 8 * 7 / size_of::<LockSlot>()).max(64);
        Ok(Self {
            turn: AtomicBool::new(false),
            slots: Slab::new(locks)?,
            safe_classes: Slab::new(classes)?,
            locks: Numbers::new(Field::Lock, &LOCKS, locks),
            classes: Numbers::new(Field::Mirror, &CLASSES, classes),
            loaders: Numbers::new(Field::Mirror, &LOADERS, u32::MAX as usize),
        })
    }

    fn take_turn(&self) -> Result<Turn<'_>, Unknown> {
        let mut since = None;
        for attempt in 0_u32.. {
            if !self.turn.swap(true, Acquire) {
                break;
            }
            if attempt > 100 {
                let since = *since.get_or_insert_with(Instant::now);
                if since.elapsed() > PATIENCE {
                    return Err(Unknown::Unidentified);
                }
                std::thread::sleep(Duration::from_micros(20));
            }
            std::hint::spin_loop();
        }
        Ok(Turn(&self.turn))
    }

    fn sight(&self, vm: Vm<'_>, object: &impl Object, numbers: &Numbers) -> Result<Sight, Unknown> {
        if let Some(id) = numbers.id(vm.tag(object)?) {
            return Ok(Sight { id, first: false });
        }
        let _turn = self.take_turn()?;
        let tag = vm.tag(object)?;
        if let Some(id) = numbers.id(tag) {
            return Ok(Sight { id, first: false });
        }
        let number = numbers.next().ok_or(Unknown::TableFull)?;
        let tag = numbers.field.put(tag, number);
        vm.set_tag(object, tag)?;
        numbers.issued.store(number, Relaxed);
        let id = numbers.id(tag).ok_or(Unknown::TableFull)?;
        Ok(Sight { id, first: true })
    }

    /// What is kept of a lock.
    pub(crate) fn slot(&self, lock: LockId) -> &LockSlot {
        &self.slots[lock.index()]
    }
}

impl Recording {
    /// The id of a lock object.
    pub(crate) fn lock(&self, vm: Vm<'_>, object: &impl Object) -> Result<LockId, Unknown> {
        let known = &self.identity;
        let sight = known.sight(vm, object, &known.locks)?;
        let id = LockId(sight.id);
        if sight.first {
            self.describe_lock(vm, object, id)?;
        }
        Ok(id)
    }

    fn describe_lock(&self, vm: Vm<'_>, object: &impl Object, id: LockId) -> Result<(), Unknown> {
        let class = vm.class_of(object).ok_or(Unknown::Unidentified)?;
        let class_id = self.class(vm, &class)?;
        if let Some(entry) = self.safe_entry(vm, object, class_id) {
            let slot = self.identity.slot(id);
            slot.safe.store(entry as u32 + 1, Relaxed);
            return Ok(());
        }
        let hash = vm.identity_hash(object)?;
        self.definitions.push(Definition::Lock(LockDef {
            id,
            class: class_id,
            hash,
            object: self.lock_object(vm, object),
        }));
        Ok(())
    }

    fn safe_entry(&self, vm: Vm<'_>, object: &impl Object, class: ClassId) -> Option<usize> {
        if !self.options.hide_safe {
            return None;
        }
        let entry = self.identity.safe_classes[class.index()].load(Relaxed);
        let entry = entry.checked_sub(1)? as usize;
        let holds = !safe::needs_empty_array(entry) || vm.array_len(object) == 0;
        holds.then_some(entry)
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
        let known = &self.identity;
        let sight = known.sight(vm, mirror, &known.classes)?;
        let id = ClassId(sight.id);
        if sight.first {
            self.describe_class(vm, mirror, id)?;
        }
        Ok(id)
    }

    fn describe_class(&self, vm: Vm<'_>, mirror: &impl Object, id: ClassId) -> Result<(), Unknown> {
        let name = binary_name(&vm.class_signature(mirror)?);
        let entry = safe::entry_of(&name).map_or(0, |entry| entry as u32 + 1);
        self.identity.safe_classes[id.index()].store(entry, Relaxed);
        let loader = match vm.class_loader(mirror)? {
            Some(loader) => Some(self.loader(vm, &loader)?),
            None => None,
        };
        self.definitions.push(Definition::Class(NewClass {
            id,
            name,
            loader,
            mirror: vm.weak(mirror),
        }));
        Ok(())
    }

    /// The id of a class loader.
    pub(crate) fn loader(&self, vm: Vm<'_>, loader: &Ref<'_>) -> Result<LoaderId, Unknown> {
        let known = &self.identity;
        let sight = known.sight(vm, loader, &known.loaders)?;
        let id = LoaderId(sight.id);
        if sight.first {
            let class = vm.class_of(loader).ok_or(Unknown::Unidentified)?;
            let class_name = binary_name(&vm.class_signature(&class)?);
            self.definitions
                .push(Definition::Loader(LoaderDef { id, class_name }));
        }
        Ok(id)
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
mod tests {
    use super::*;

    #[test]
    fn signatures_become_binary_names() {
        for (signature, name) in [
            ("Ljava/lang/Object;", "java.lang.Object"),
            ("LMain$Lock;", "Main$Lock"),
            ("[I", "[I"),
            ("[Ljava/lang/String;", "[Ljava.lang.String;"),
            ("Lp/App$$Lambda.0x7f01;", "p.App$$Lambda/0x7f01"),
            ("Lp/App$$Lambda$3/914504136;", "p.App$$Lambda$3/914504136"),
            ("I", "I"),
        ] {
            assert_eq!(binary_name(signature), name);
        }
    }

    #[test]
    fn the_two_fields_of_a_tag_do_not_touch() {
        let tag = Field::Mirror.put(Field::Lock.put(0, MAX_LOCK), 7);
        assert_eq!((Field::Lock.of(tag), Field::Mirror.of(tag)), (MAX_LOCK, 7));
        let tag = Field::Lock.put(Field::Mirror.put(tag, MAX_MIRROR), 9);
        assert_eq!(
            (Field::Lock.of(tag), Field::Mirror.of(tag)),
            (9, MAX_MIRROR)
        );
    }

    #[test]
    fn what_an_earlier_recording_left_means_nothing() {
        static ISSUED: AtomicU64 = AtomicU64::new(0);
        let first = Numbers::new(Field::Lock, &ISSUED, 100);
        let tag = Field::Lock.put(0, first.next().expect("room"));
        assert_eq!(first.id(tag), Some(1));
        ISSUED.store(1, Relaxed);
        let second = Numbers::new(Field::Lock, &ISSUED, 3);
        assert_eq!((second.id(tag), second.id(0)), (None, None));
        let tag = Field::Lock.put(tag, second.next().expect("room"));
        assert_eq!(second.id(tag), Some(1));
        ISSUED.store(3, Relaxed);
        assert_eq!(second.next(), None);
    }
}
