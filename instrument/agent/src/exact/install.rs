//! Rewriting classes of the live JVM, and putting the original bytes back.
//!
//! `RetransformClasses` installs and restores, in as few batches as the JVM can take without standing still for long. The class file load hook, which is on while a recording is exact,
//! is given the bytes that a class was defined with, as other agents have changed them; of classes there are already it only changes
//! those that the writer's thread has just asked for (those that are being loaded are the business of [`arrivals`](super::arrivals),
//! those that others replace that of [`replaced`](super::replaced)).
//! To restore, the JVM is asked for new bytes while the hook changes nothing: those are the original ones.
//!
//! A batch is all or nothing. If the JVM refuses one, halves of it are tried, until what it does not
//! take stands alone; refusing costs nothing, since it happens before any class is changed.

use super::arrivals::Sites;
use super::candidates::Candidate;
use super::refusal::{NO_ROOM, Refusal};
use super::select::Selection;
use crate::callbacks;
use crate::vm::sys::{RawEnv, event};
use crate::vm::{Error, Handle, Object, Ref, Vm};
use jni_sys::{JNIEnv, jclass, jint, jobject};
use locklens_classfile::edit::BciMap;
use locklens_classfile::mutf8;
use locklens_rewrite::plan::{Events, HUGE_METHOD_LIMIT, Operation, Probe, Probes, Targets};
use locklens_rewrite::{Plan, Rewritten, SiteId};
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_uchar};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicU32, AtomicUsize};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a batch may take.
const PAUSE: Duration = Duration::from_millis(100);
/// Classes in the first batch, before it is known what one costs here.
const FIRST_BATCH: usize = 32;
const SMALLEST_BATCH: usize = 8;
const LARGEST_BATCH: usize = 5_000;

/// What the hook is to do, while a batch is installed.
static WORK: Mutex<Option<Work>> = Mutex::new(None);
/// The JNI environment of the thread that installs: what other threads load or replace meanwhile is not
/// ours, and must not wait for us. 0 if nobody does.
static INSTALLER: AtomicUsize = AtomicUsize::new(0);
/// Sites are never numbered twice in one process: a record that comes late means what it meant.
static NEXT_SITE: AtomicU32 = AtomicU32::new(1);

struct Work {
    rewriter: Rewriter,
    /// By the tag of the class; with whether accesses are meant, too.
    wanted: HashMap<u32, (Targets, bool)>,
    done: HashMap<u32, Done>,
    /// Bytes that may still be needed to remember what was rewritten.
    room: usize,
}

/// What is remembered of a class, a method and a site for as long as they are rewritten, bytes with their share of
/// the tables and names; on the high side (600 classes of 7 methods and 32 sites took some 9 KB each).
const CLASS: usize = 1024;
const METHOD: usize = 768;
const SITE: usize = 128;

enum Done {
    Rewritten(Box<Rewritten>),
    Refused(String),
}

/// A class as it was rewritten.
pub(crate) struct Installed {
    /// Position among the candidates.
    pub(crate) candidate: usize,
    /// Its sites, with the methods changed.
    pub(super) sites: Sites,
    pub(crate) maps: Vec<(Handle, BciMap)>,
    /// Methods left alone, and why.
    pub(crate) refused: Vec<Refusal>,
}

/// What came of a batch.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) installed: Vec<Installed>,
    pub(crate) refused: Vec<Refusal>,
}

fn work() -> MutexGuard<'static, Option<Work>> {
    WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sites numbered from now on have this number or a higher one.
pub(crate) fn next_site() -> u32 {
    NEXT_SITE.load(Relaxed)
}

/// Rewrites the candidates in the JVM. Called in the writer's thread.
/// What would need more than `room` bytes to be remembered stays as it is.
pub(crate) fn install(
    vm: Vm<'_>,
    candidates: &[Candidate<'_>],
    rewriter: &Rewriter,
    room: usize,
) -> Batch {
    let wanted = candidates
        .iter()
        .map(|c| (c.id.0, (c.targets.clone(), c.accesses)));
    *work() = Some(Work {
        rewriter: rewriter.clone(),
        wanted: wanted.collect(),
        done: HashMap::new(),
        room,
    });
    let classes: Vec<&Ref<'_>> = candidates.iter().map(|c| &c.class).collect();
    INSTALLER.store(vm.jni_address(), SeqCst);
    let failed = retransform(vm, &classes);
    INSTALLER.store(0, SeqCst);
    let work = work().take();
    let done = work.map(|work| work.done).unwrap_or_default();
    sum_up(candidates, done, &failed)
}

/// Has classes linked that nobody has used yet: replacing a class by itself does that, and does not initialise it.
/// At the start of a JVM such classes of the JDK's come from its archive, and nothing tells when they are used first.
pub(super) fn link<'a, 'vm: 'a>(vm: Vm<'vm>, classes: impl Iterator<Item = &'a Ref<'vm>>) {
    let classes: Vec<&Ref<'_>> = classes.collect();
    // What the JVM does not take stays as it is, and is told to be left out.
    drop(retransform(vm, &classes));
}

/// Whether the hook is called, and the JVM tells when a class is prepared.
pub(crate) fn watch_classes(vm: Vm<'_>, on: bool) -> Result<(), String> {
    for event in [event::CLASS_PREPARE, event::CLASS_FILE_LOAD_HOOK] {
        vm.enable(event, on)
            .map_err(|error| format!("event {event}: JVM TI error {}", error.0))?;
    }
    Ok(())
}

/// Retransforms classes in batches that should not stop the JVM for long; those it does not take, by position.
///
/// Up to JDK 14 or so each class of a batch costs a walk over all classes of the JVM while everything stands
/// still: 3 ms in a program of some thousand classes, tens on a busy machine. Newer ones walk once for a batch.
/// The time that the last batch took tells which it is.
pub(crate) fn retransform(vm: Vm<'_>, classes: &[&Ref<'_>]) -> HashMap<usize, Error> {
    let mut failed = HashMap::new();
    let (mut from, mut size) = (0, FIRST_BATCH);
    while from < classes.len() {
        let to = classes.len().min(from + size);
        let began = Instant::now();
        retransform_range(vm, classes, (from, to), &mut failed);
        size = batch_after(to - from, began.elapsed());
        from = to;
    }
    failed
}

/// Classes in the next batch, after one of so many that took so long.
fn batch_after(classes: usize, took: Duration) -> usize {
    let fitting = PAUSE.as_nanos() * classes as u128 / took.as_nanos().max(1);
    usize::try_from(fitting)
        .unwrap_or(LARGEST_BATCH)
        .clamp(SMALLEST_BATCH, LARGEST_BATCH)
}

fn retransform_range(
    vm: Vm<'_>,
    classes: &[&Ref<'_>],
    range: (usize, usize),
    failed: &mut HashMap<usize, Error>,
) {
    let mut open = vec![range];
    while let Some((from, to)) = open.pop() {
        match vm.retransform(&classes[from..to]) {
            Ok(()) => {}
            Err(error) if to - from <= 1 => drop(failed.insert(from, error)),
            Err(_) => {
                let middle = (from + to) / 2;
                open.extend([(middle, to), (from, middle)]);
            }
        }
    }
}

fn sum_up(
    candidates: &[Candidate<'_>],
    mut done: HashMap<u32, Done>,
    failed: &HashMap<usize, Error>,
) -> Batch {
    let mut batch = Batch::default();
    for (at, candidate) in candidates.iter().enumerate() {
        let why = match (failed.get(&at), done.remove(&candidate.id.0)) {
            (Some(error), _) => refusal(*error),
            (None, Some(Done::Refused(why))) => why,
            (None, Some(Done::Rewritten(rewritten))) => {
                batch.installed.push(installed(at, candidate, *rewritten));
                continue;
            }
            (None, None) => "the JVM did not show its bytes".to_owned(),
        };
        let refusal = Refusal::of(&candidate.name, why);
        batch
            .refused
            .push(refusal.using_monitors(candidate.uses_monitors(None)));
    }
    batch
}

fn installed(at: usize, candidate: &Candidate<'_>, rewritten: Rewritten) -> Installed {
    let handle = |name: &str, descriptor: &str| {
        let methods = &candidate.methods;
        let same = methods
            .iter()
            .find(|m| m.name == name && m.descriptor == descriptor);
        same.map(|m| m.handle)
    };
    let (mut methods, mut maps) = (HashMap::new(), Vec::new());
    for changed in rewritten.methods {
        if let Some(handle) = handle(&changed.name, &changed.descriptor) {
            methods.insert(changed.method, handle);
            maps.push((handle, changed.map));
        }
    }
    let refused = rewritten.refused.iter();
    let refused = refused.map(|refused| {
        let method = (refused.name.as_str(), refused.descriptor.as_str());
        let uses = candidate.uses_monitors(Some(method));
        Refusal::of_method(&candidate.name, refused).using_monitors(uses)
    });
    Installed {
        candidate: at,
        refused: refused.collect(),
        sites: Sites {
            sites: rewritten.sites,
            heirs: rewritten.heirs,
            methods,
        },
        maps,
    }
}

/// What an error of `RetransformClasses` means for a class.
fn refusal(error: Error) -> String {
    let words = match error.0 {
        60 => "the JVM finds its new bytes malformed",
        62 => "its new bytes fail verification",
        64 => "another agent changes its fields or methods",
        68 => "its class-file version is not supported",
        79 => "the JVM calls it unmodifiable",
        99 => "this agent may not retransform classes",
        110 => "the JVM has no memory for it",
        other => return format!("the JVM refuses to replace it (JVM TI error {other})"),
    };
    words.to_owned()
}

/// Called by the JVM for every class file while a recording is exact.
pub(crate) unsafe extern "system" fn class_file_load_hook(
    env: *mut RawEnv,
    jni: *mut JNIEnv,
    class: jclass,
    loader: jobject,
    name: *const c_char,
    _domain: jobject,
    len: jint,
    data: *const c_uchar,
    new_len: *mut jint,
    new_data: *mut *mut c_uchar,
) {
    let comes = class.is_null();
    let installs = !class.is_null() && INSTALLER.load(SeqCst) == jni as usize;
    if !class.is_null() && !installs {
        return callbacks::guarded(env, jni, |recording, vm| {
            // SAFETY: the callback's argument, valid until the callback returns.
            let class = unsafe { vm.borrow(class) };
            recording.replaced.note(vm, recording, &class)
        });
    }
    if data.is_null() || !comes && !installs {
        return;
    }
    // SAFETY: the callback's argument, valid until the callback returns.
    let bytes = unsafe { std::slice::from_raw_parts(data, usize::try_from(len).unwrap_or(0)) };
    // SAFETY: the callback's places for its result; the JVM frees what it is given.
    let hand_over = |vm: Vm<'_>, new: &[u8]| unsafe {
        let (Ok(copy), Ok(len)) = (vm.allocate_copy(new), jint::try_from(new.len())) else {
            return false;
        };
        *new_len = len;
        *new_data = copy;
        true
    };
    if comes {
        return callbacks::guarded(env, jni, |recording, vm| {
            // SAFETY: the callback's argument, as above.
            let loader = unsafe { vm.borrow(loader) };
            let loader = (!loader.object().is_null()).then_some(&*loader);
            let arrivals = &recording.arrivals;
            if name.is_null() {
                arrivals.come_nameless(vm, loader, bytes);
                return Ok(());
            }
            // SAFETY: as above.
            let name = unsafe { CStr::from_ptr(name) };
            // As the JVM is going to tell the name of the class.
            let name = mutf8::decode(name.to_bytes()).replace('/', ".");
            if let Some(new) = arrivals.come(vm, recording, loader, (&name, bytes)) {
                hand_over(vm, &new);
            }
            Ok(())
        });
    }
    // A panic is a defect of ours; the class then stays as it was.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the callback's arguments.
        let vm = unsafe { Vm::new(env, jni) };
        // SAFETY: as above, valid until the callback returns.
        let class = unsafe { vm.borrow(class) };
        let mut work = work();
        let Some(work) = work.as_mut() else {
            return;
        };
        let Some(tag) = vm.tag(&*class).ok().filter(|tag| *tag != 0) else {
            return;
        };
        let id = (tag >> 32) as u32;
        if let Some(new) = work.rewrite(id, bytes)
            && !hand_over(vm, &new)
        {
            work.take_back(id);
        }
    }));
}

impl Work {
    /// The new bytes of a class, if it is one of those wanted and there is anything to change.
    fn rewrite(&mut self, id: u32, bytes: &[u8]) -> Option<Vec<u8>> {
        let (targets, accesses) = self.wanted.get(&id)?.clone();
        let mut done = match self.rewriter.rewrite(bytes, targets, accesses) {
            Ok(rewritten) => rewritten,
            Err(why) => {
                self.done.insert(id, Done::Refused(why));
                return None;
            }
        };
        let needs = CLASS + METHOD * done.methods.len() + SITE * done.sites.len();
        match self.room.checked_sub(needs) {
            Some(left) => self.room = left,
            None => {
                self.done.insert(id, Done::Refused(NO_ROOM.to_owned()));
                return None;
            }
        }
        let new = std::mem::take(&mut done.bytes);
        let new = (!done.sites.is_empty()).then_some(new);
        self.done.insert(id, Done::Rewritten(Box::new(done)));
        new
    }

    /// The bytes could not be handed over.
    fn take_back(&mut self, id: u32) {
        let why = "the JVM has no memory for it".to_owned();
        self.done.insert(id, Done::Refused(why));
    }
}

/// Rewrites class files so that they call the probes.
#[derive(Clone)]
pub(crate) struct Rewriter {
    probe_class: String,
    chains: bool,
    parks: bool,
    kin: bool,
    operations: &'static [Operation],
    /// JDK 9 or later.
    modular: bool,
}

impl Rewriter {
    /// One that calls the probes of this class; those of parks and operations, and of the lives of threads, too, if
    /// they are wanted. With `chains` call chains are asked for where a method waits, too.
    pub(super) fn of(
        probe_class: String,
        selection: &Selection,
        (chains, modular): (bool, bool),
    ) -> Self {
        Self {
            probe_class,
            chains,
            parks: selection.has_parks(),
            kin: selection.has_lives(),
            operations: selection.operations(),
            modular,
        }
    }

    /// The class file with probes, its sites numbered as no others in this process.
    pub(crate) fn rewrite(
        &self,
        bytes: &[u8],
        targets: Targets,
        accesses: bool,
    ) -> Result<Rewritten, String> {
        // Room enough for what the class could need at most: an instruction has one site at most.
        let room = bytes.len() as u32 + 1;
        let first = NEXT_SITE.fetch_add(room, Relaxed);
        let plan = Plan {
            probes: probes(&self.probe_class, self.chains),
            events: Events {
                parks: self.parks,
                kin: self.kin,
                accesses,
                ..Events::of_monitors()
            },
            targets,
            first_site: SiteId(first),
            operations: self.operations,
            compiled_up_to: Some(HUGE_METHOD_LIMIT),
            inlined_by: Some(inlined_by(self.modular)),
        };
        let done = locklens_rewrite::rewrite(bytes, &plan);
        // What was not needed is given back, unless somebody else has numbered sites meanwhile.
        let sites = done.as_ref().map_or(0, |done| done.sites.len());
        let end = first + sites as u32;
        let _ = NEXT_SITE.compare_exchange(first + room, end, Relaxed, Relaxed);
        done.map_err(|why| why.to_string())
    }
}

/// What HotSpot's compilers inline of the boot loader's classes, whatever its size.
pub(super) fn inlined_by(modular: bool) -> &'static str {
    match modular {
        true => "Ljdk/internal/vm/annotation/ForceInline;",
        false => "Ljava/lang/invoke/ForceInline;",
    }
}

/// The object is hashed before it is locked, which is dear afterwards on some JVMs.
fn probes(class: &str, chains: bool) -> Probes {
    let probe = |name: &str| Probe {
        class: class.to_owned(),
        name: name.to_owned(),
    };
    let mut probes = Probes::of_class(class);
    probes.hash = Some(probe("hash"));
    probes.chained = chains.then(|| probe("chained"));
    probes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_follow_what_a_class_costs() {
        let ms = Duration::from_millis;
        assert_eq!(batch_after(32, ms(100)), 32);
        assert_eq!(batch_after(32, ms(1_000)), SMALLEST_BATCH);
        assert_eq!(batch_after(32, ms(4)), 800);
        assert_eq!(batch_after(32, Duration::ZERO), LARGEST_BATCH);
        assert_eq!(batch_after(8, ms(60_000)), SMALLEST_BATCH);
    }
}
