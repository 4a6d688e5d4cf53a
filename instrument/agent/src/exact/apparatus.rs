//! The probe class and what it writes to: made for the first exact recording, and kept.

use super::arena::{Arena, Consumer, Note, Order};
use super::chains;
use super::probe::{self, Jvm, kind};
use crate::clock;
use crate::recording::Recording;
use crate::vm::{Global, Vm};
use std::ffi::CString;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The probe class and what it writes to: made once in the life of the JVM.
pub(super) struct Apparatus {
    pub(super) arena: Arena,
    pub(super) class_name: String,
    pub(super) class: Global,
    pub(super) fresh: Global,
    /// The same for what threads park on.
    pub(super) blockers: Global,
    /// The class whose method takes call chains.
    chains: Option<Global>,
}

/// The one of this process.
static APPARATUS: Mutex<Option<&'static Apparatus>> = Mutex::new(None);

/// How often it has been made in vain (the heap was full, and the class could not be initialised): each time leaves a class and addresses.
static FAILED: AtomicU32 = AtomicU32::new(0);
const TRIES: u32 = 3;

/// The apparatus, made if this is the first time.
pub(super) fn apparatus(vm: Vm<'_>, recording: &Recording) -> Result<&'static Apparatus, String> {
    let mut known = APPARATUS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(apparatus) = *known {
        return Ok(apparatus);
    }
    if FAILED.load(Relaxed) >= TRIES {
        return Err("this JVM did not take the probe class, several times".to_owned());
    }
    let made: &'static Apparatus = Box::leak(Box::new(make(vm, recording)?));
    *known = Some(made);
    // The one there is.
    let _ = ARENA.set(&made.arena);
    Ok(made)
}

/// The arena of this process, for threads that end.
static ARENA: OnceLock<&'static Arena> = OnceLock::new();

/// This thread ends: the ring that its probes had to itself is anybody's.
pub(crate) fn release_ring(tid: u64) {
    if let Some(arena) = ARENA.get() {
        arena.release(tid);
    }
}

/// Somebody is about to block on the object of this hash, or does so no more.
pub(crate) fn note_blocking(hash: u32, begins: bool) {
    if let Some(arena) = ARENA.get() {
        arena.note_blocking(hash, begins);
    }
}

/// The probes of a site do not ask for call chains until the writer allows it again.
pub(super) fn hold_chains(site: u32) {
    if let Some(arena) = ARENA.get() {
        arena.hold_chains(site);
    }
}

/// A call chain was taken at a site.
pub(super) fn note_chain(site: u32) {
    if let Some(arena) = ARENA.get() {
        arena.note_chain(site);
    }
}

/// There has been an exact recording in this process before.
pub(super) fn is_made() -> bool {
    let known = APPARATUS.lock().unwrap_or_else(PoisonError::into_inner);
    known.is_some()
}

/// Whether the recording's ceiling leaves room for probes.
pub(crate) fn check_ceiling(recording: &Recording) -> Result<(), String> {
    match recording.ceiling.shares.allows_probes() {
        true => Ok(()),
        false => Err("exact recording needs a --buffer of 32M or more: the tables of its probes alone take 5M".to_owned()),
    }
}

/// The first JDK that may have virtual threads.
const FIRST_VIRTUAL: u32 = 19;

fn make(vm: Vm<'_>, recording: &Recording) -> Result<Apparatus, String> {
    let processors = vm.processors().unwrap_or(1);
    let arena = Arena::within(recording.ceiling.shares.probes, processors)
        .map_err(|error| format!("no memory for the probes' buffers: {error}"))?;
    let addresses = arena.addresses();
    let thread = &recording.roots.thread;
    let jvm = Jvm {
        modular: vm.is_modular(),
        recent: vm.field(thread, c"interrupted", c"Z").is_some(),
        // Asking an older JVM would ask the application's class loader.
        has_virtual: vm.jdk() >= FIRST_VIRTUAL
            && vm.find_class(c"java/lang/BaseVirtualThread").is_some(),
    };
    let bytes = probe::class_file(&addresses, jvm)
        .map_err(|_| "the probe class cannot be written".to_owned())?;
    let class_name = probe::class_name(&addresses);
    let refused = || "this JVM does not take the probe class".to_owned();
    let name = CString::new(class_name.clone()).map_err(|_| refused())?;
    let class = vm.define_boot_class(&name, &bytes).ok_or_else(refused)?;
    let made = (|| {
        let fresh = vm.static_object(&class, c"fresh", c"[Ljava/lang/Object;")?;
        let blockers = vm.static_object(&class, c"blockers", c"[Ljava/lang/Object;")?;
        Some((
            vm.global(&class)?,
            vm.global(&fresh)?,
            vm.global(&blockers)?,
        ))
    })();
    match made {
        Some((class, fresh, blockers)) => Ok(Apparatus {
            arena,
            class_name,
            class,
            fresh,
            blockers,
            chains: define_chains(vm),
        }),
        None => {
            // The class is there for ever, with the arena's addresses in it.
            std::mem::forget(arena);
            FAILED.fetch_add(1, Relaxed);
            Err(refused())
        }
    }
}

/// The class whose method takes call chains: defined, unless another library of ours has done so.
fn define_chains(vm: Vm<'_>) -> Option<Global> {
    let bytes = chains::class_file().ok()?;
    let defined = vm.define_boot_class(chains::CLASS_NAME, &bytes);
    let there = || {
        let mut loaded = vm.loaded_classes().ok()?.into_iter();
        loaded.find(|class| {
            let signature = vm.class_signature(class);
            signature.is_ok_and(|signature| signature == chains::SIGNATURE)
        })
    };
    vm.global(&defined.or_else(there)?)
}

impl Apparatus {
    /// Whether the method that takes call chains can be called, and comes here. Called as a probe does, before any class relies on it;
    /// what it gives this thread, which no program has called, is none.
    pub(super) fn takes_chains(&self, vm: Vm<'_>) -> bool {
        let Some(class) = &self.chains else {
            return false;
        };
        chains::is_heard();
        let arguments = (0, chains::address());
        vm.call_static_with_int_and_long(class, chains::TAKE, arguments) && chains::is_heard()
    }

    /// Calls a probe and looks whether its record arrives, before any class relies on it.
    pub(super) fn test(
        &self,
        vm: Vm<'_>,
        recording: &Recording,
        consumer: &mut Consumer,
    ) -> Result<(), String> {
        let own = vm
            .current_thread()
            .ok_or("the JVM does not name its threads")?;
        let before = clock::monotonic();
        self.arena.switch_on(usize::MAX, Order::Clock);
        let called = vm.call_static_with_int(&self.class, c"entered", 0);
        self.arena.switch_off();
        let after = clock::monotonic();
        let mut seen = Vec::new();
        consumer.drain(after, u64::MAX, |note| seen.push(note));
        let tid = recording.tid_of(vm, &own);
        // The ring is for threads of the program.
        self.arena.release(tid);
        let ours = |n: &Note| n.tid == tid && n.kind == kind::ENTERED && n.site == 0;
        match seen.iter().find(|note| ours(note)) {
            Some(note) if (before..=after).contains(&note.at) => Ok(()),
            Some(_) => Err("System.nanoTime is not the clock of this system".to_owned()),
            None if !called => Err("a probe threw".to_owned()),
            None => Err("a probe's record did not arrive".to_owned()),
        }
    }
}
