//! Call chains of what probes tell: by which way a thread came there.
//!
//! A site is a place in the code. Who waits, notifies, parks or unparks does what is dear by itself, so there is time to look who called:
//! the probe calls a native method of this library, as often as the budget allows, which takes the chain from
//! the probe's caller on, and puts a record with it in front of its own. The reader of the rings lays the two together
//! ([`Pending`]). So does who leaves a monitor on which somebody is blocked, and the code that enters one in a method that waits: there
//! something is got that others will wait for. Of the other enters, and of operations of `java.util.concurrent`, the
//! first ones at each site have one, and later on one now and then: what is nested in what is often seen once. What else is cheap (an
//! exit) has no chain but its site.
//!
//! To register a native method prints on the target's stdout, from JDK 16 on. So the JVM finds this one itself:
//! what neither it nor its class loader has it looks for in the libraries of its agents. Of several of ours (one that stands by, another version)
//! the one loaded first answers, and goes on at the address that the probe class hands in: into the library of that class. A trial
//! shows whether it does, before any class relies on it.

use super::apparatus;
use super::arena::Note;
use super::operations::is_of_operation;
use super::parks::is_of_park;
use super::probe::{Unwritable, kind};
use crate::budget::Occasion;
use crate::recording::{GATE, Recording};
use crate::ring::What;
use crate::scattered::Map;
use crate::stacks::BETWEEN;
use crate::vm::Vm;
use jni_sys::{JNIEnv, jint, jlong};
use locklens_classfile::append::Append;
use locklens_classfile::build::Class;
use locklens_classfile::pool::Pool;
use locklens_trace::record::LossCause;
use locklens_trace::{LockId, ThreadId};
use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// The class, and its one method.
pub(super) const CLASS: &str = "java/lang/LocklensChains";
pub(super) const CLASS_NAME: &CStr = c"java/lang/LocklensChains";
pub(super) const SIGNATURE: &str = "Ljava/lang/LocklensChains;";
pub(super) const TAKE: (&CStr, &CStr) = (c"take", c"(IJ)J");
pub(super) const NAMES: (&str, &str) = ("take", "(IJ)J");
/// In place of a site: of what is about to park, and to unpark.
pub(super) const PARKS: u32 = 0;
pub(super) const UNPARKS: u32 = u32::MAX;

/// Frames in front of the probe's caller: the native method, the method that calls it, the probe.
const OURS: usize = 3;
/// What a call in vain is charged with, ns.
const REFUSAL: u64 = 150;
/// A chain is of what its thread tells within so long, ns.
const JOINED: u64 = 1_000_000;
/// Chains that may wait for what they are of.
const MOST: usize = 1 << 12;
/// Marks a site where the budget goes by locks.
const SITE: u32 = 1 << 31;
const SYNTHETIC_FINAL_CLASS: u16 = 0x1031;
const STATIC: u16 = 0x0008;

/// The method has been called here.
static HEARD: AtomicBool = AtomicBool::new(false);

/// The class file.
pub(super) fn class_file() -> Result<Vec<u8>, Unwritable> {
    let empty = Pool::empty();
    let mut pool = Append::new(&empty);
    let mut class = Class::new(&mut pool, SYNTHETIC_FINAL_CLASS, CLASS)?;
    class.native(&mut pool, STATIC, NAMES.0, NAMES.1)?;
    Ok(class.finish(&pool))
}

/// Whether the method has been called here since this was asked last.
pub(super) fn is_heard() -> bool {
    HEARD.swap(false, Relaxed)
}

/// Where the native method goes on.
type Taker = unsafe extern "system" fn(*mut JNIEnv, jint) -> jlong;

/// The address that probes of this library hand in.
pub(super) fn address() -> i64 {
    (take as Taker as *const ()).addr() as i64
}

/// Goes on in the library that the address is in.
///
/// # Safety
/// The environment of the current thread, and an address that [`address`] gave in a library that is mapped still.
pub(crate) unsafe fn take_at(jni: *mut JNIEnv, site: jint, address: jlong) -> jlong {
    if address == 0 {
        return 0;
    }
    let taker = ptr::with_exposed_provenance::<()>(address as usize);
    // SAFETY: the caller's promise.
    unsafe { std::mem::transmute::<*const (), Taker>(taker)(jni, site) }
}

/// What the native method gives: the id of the chain, and above it a mark of this recording; 0 for none.
unsafe extern "system" fn take(jni: *mut JNIEnv, site: jint) -> jlong {
    if !HEARD.load(Relaxed) {
        HEARD.store(true, Relaxed);
    }
    let run = || {
        let pass = GATE.enter(jni as usize)?;
        let here = 0_u8;
        let site = site.cast_unsigned();
        let occasion = Occasion {
            at: pass.at,
            slot: pass.chain_slot(site),
            lock: LockId(site | SITE),
            // Threads are told apart by their environments, which costs nothing.
            thread: ThreadId((jni.addr() >> 4) as u32),
            what: What::ProbeWait,
            depth: ptr::from_ref(&here).addr(),
        };
        if pass.off.load(Relaxed) || !pass.budget.admits(&occasion) {
            // That of others is asked for all the same.
            apparatus::hold_chains(site);
            pass.budget.spend(REFUSAL);
            pass.meter.chain(REFUSAL);
            return None;
        }
        // SAFETY: the environment of this recording, which nobody disposes of before this thread has left the gate, and this thread's own.
        let vm = unsafe { Vm::new(pass.env(), jni) };
        let is_of_parks = matches!(site, PARKS | UNPARKS);
        // The frames of java.util.concurrent come first.
        let more = if is_of_parks { BETWEEN } else { 0 };
        let chain = pass.stack_above(vm, (OURS, more), &occasion);
        if chain == 0 {
            // There is no room, or classes are being replaced: that of others is not asked for either, until the next look.
            apparatus::hold_chains(site);
            return None;
        }
        if !is_of_parks {
            apparatus::note_chain(site);
        }
        Some(i64::from(mark(&pass)) << 32 | i64::from(chain))
    };
    // A panic is a defect of ours: the event has no chain then.
    catch_unwind(AssertUnwindSafe(run))
        .ok()
        .flatten()
        .unwrap_or(0)
}

/// Tells chains of this recording from those of another one, whose ids mean something else. Below the sign.
fn mark(recording: &Recording) -> u32 {
    (recording.start >> 10) as u32 >> 1
}

/// Chains whose records have come, and what they belong to has not. Records of a thread come in order, but where it has just got a ring
/// of its own.
#[derive(Default)]
pub(super) struct Pending {
    by_tid: Map<u64, Chain>,
    /// Chains of operations that are parked, with chains of their own.
    beneath: Map<u64, Chain>,
    /// Chains from before this time may belong to what was dropped.
    lost: u64,
    /// What was joined last has lost its chain, since its thread was kept from telling it for too long.
    late: bool,
}

struct Chain {
    at: u64,
    site: u32,
    id: u32,
}

impl Pending {
    /// A record with its chain; none if it is a chain.
    pub(super) fn join(&mut self, recording: &Recording, note: Note) -> Option<Note> {
        let at = note.at;
        let joined = self.join_marked(mark(recording), note);
        if std::mem::take(&mut self.late) {
            recording.losses.count(LossCause::StackBudget, at);
        }
        joined
    }

    fn join_marked(&mut self, mark: u32, note: Note) -> Option<Note> {
        if note.kind == kind::CHAIN {
            self.come(mark, &note);
            return None;
        }
        let Some(chain) = self.by_tid.remove(&note.tid) else {
            return Some(note);
        };
        if chain.is_for(&note) {
            // An operation that takes long is none that the budget left out.
            self.late = !chain.is_in_time(&note) && !is_of_operation(&note);
            self.go_on(&note);
            let id = if chain.is_in_time(&note) { chain.id } else { 0 };
            return Some(Note { chain: id, ..note });
        }
        if is_of_park(&note) {
            // Who calls an operation may park before that is done.
            match chain.is_of_park() {
                true => self.go_on(&note),
                false => drop(self.by_tid.insert(note.tid, chain.going_on(&note))),
            }
        } else {
            self.beneath.remove(&note.tid);
        }
        Some(note)
    }

    /// A chain has come. One that an operation has beneath a park waits for its end.
    fn come(&mut self, mark: u32, note: &Note) {
        if self.by_tid.len() + self.beneath.len() >= MOST {
            self.by_tid.clear();
            self.beneath.clear();
        }
        if note.argument != mark || note.at <= self.lost {
            return;
        }
        let chain = Chain {
            at: note.at,
            site: note.site,
            id: note.hash,
        };
        let is_of_park = chain.is_of_park();
        let before = self.by_tid.insert(note.tid, chain);
        if let Some(before) = before.filter(|before| is_of_park && !before.is_of_park()) {
            self.beneath.insert(note.tid, before);
        }
    }

    /// What was told is over or parks: the operation that it is beneath goes on.
    fn go_on(&mut self, note: &Note) {
        if let Some(beneath) = self.beneath.remove(&note.tid)
            && is_of_park(note)
        {
            self.by_tid.insert(note.tid, beneath.going_on(note));
        }
    }

    /// Records were dropped before this time: what comes next of a thread need not be what its chain was taken for.
    pub(super) fn forget(&mut self, at: u64) {
        self.by_tid.clear();
        self.beneath.clear();
        self.lost = at;
    }
}

impl Chain {
    fn is_for(&self, note: &Note) -> bool {
        let site = match note.kind {
            kind::ENTERED | kind::EXIT | kind::WAITING | kind::NOTIFIED | kind::NOTIFIED_ALL => {
                note.site
            }
            _ if is_of_operation(note) && note.site != 0 => note.site,
            kind::PARK => PARKS,
            kind::UNPARK => UNPARKS,
            _ => return false,
        };
        site == self.site
    }

    fn is_in_time(&self, note: &Note) -> bool {
        (self.at..=self.at.saturating_add(JOINED)).contains(&note.at)
    }

    fn is_of_park(&self) -> bool {
        matches!(self.site, PARKS | UNPARKS)
    }

    /// Its thread was in it still when it parked, or came back from that.
    fn going_on(self, note: &Note) -> Self {
        Self {
            at: note.at,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_classfile::class::ClassFile;

    fn note(tid: u64, kind: u32, (site, hash): (u32, u32)) -> Note {
        Note {
            at: 1,
            hash,
            site,
            tid,
            kind,
            argument: 5,
            chain: 0,
        }
    }

    #[test]
    fn a_chain_belongs_to_what_its_thread_does_next_at_that_site() {
        let mut pending = Pending::default();
        let mut join = |tid, kind, what| {
            let joined = pending.join_marked(5, note(tid, kind, what));
            joined.map(|note| note.chain)
        };
        assert_eq!(join(1, kind::CHAIN, (7, 40)), None);
        assert_eq!(join(2, kind::CHAIN, (7, 41)), None);
        assert_eq!(join(3, kind::WAITING, (7, 1)), Some(0), "another thread");
        assert_eq!(join(2, kind::WAITING, (7, 1)), Some(41));
        assert_eq!(join(1, kind::NOTIFIED, (7, 1)), Some(40));
        assert_eq!(join(1, kind::NOTIFIED, (7, 1)), Some(0), "once");
        assert_eq!(join(1, kind::CHAIN, (7, 42)), None);
        assert_eq!(join(1, kind::WAITING, (8, 1)), Some(0), "another site");
        assert_eq!(join(1, kind::WAITING, (7, 1)), Some(0), "too late");
        // Of parks the class of the blocker stands in place of the site.
        assert_eq!(join(1, kind::CHAIN, (PARKS, 43)), None);
        assert_eq!(join(1, kind::PARK, (99, 1)), Some(43));
        assert_eq!(join(1, kind::CHAIN, (PARKS, 44)), None);
        assert_eq!(join(1, kind::UNPARK, (0, 1)), Some(0), "of a park");
        assert_eq!(join(1, kind::CHAIN, (UNPARKS, 45)), None);
        assert_eq!(join(1, kind::UNPARK, (0, 1)), Some(45));
        // That of an operation is told when it is done.
        assert_eq!(join(1, kind::CHAIN, (7, 47)), None);
        assert_eq!(join(1, kind::PARK, (99, 1)), Some(0));
        assert_eq!(join(1, kind::PARKED, (0, 1)), Some(0));
        assert_eq!(join(1, kind::DONE, (7, 1)), Some(47));
        assert_eq!(join(1, kind::CHAIN, (7, 48)), None);
        assert_eq!(join(1, kind::CHAIN, (PARKS, 49)), None);
        assert_eq!(join(1, kind::PARK, (99, 1)), Some(49), "with its own");
        assert_eq!(join(1, kind::PARKED, (0, 1)), Some(0));
        assert_eq!(join(1, kind::DONE, (7, 1)), Some(48));
        assert_eq!(join(1, kind::DONE, (7, 1)), Some(0), "once");
        // It told nothing, as of an object of no interest.
        assert_eq!(join(1, kind::CHAIN, (7, 50)), None);
        assert_eq!(join(1, kind::ENTERED, (8, 1)), Some(0));
        assert_eq!(join(1, kind::DONE, (7, 1)), Some(0));
        assert_eq!(join(1, kind::CHAIN, (0, 46)), None);
        assert_eq!(join(1, kind::WAITED, (0, 1)), Some(0));
    }

    #[test]
    fn one_of_another_recording_or_from_before_a_loss_or_long_ago_is_none() {
        let mut pending = Pending::default();
        let chain = note(1, kind::CHAIN, (7, 40));
        let old = Note {
            argument: 4,
            ..chain
        };
        assert_eq!(pending.join_marked(5, old), None);
        let waits = note(1, kind::WAITING, (7, 1));
        assert_eq!(pending.join_marked(5, waits), Some(waits));
        assert_eq!(pending.join_marked(5, chain), None);
        pending.forget(1);
        assert_eq!(pending.join_marked(5, waits), Some(waits));
        // It comes later than the loss was counted.
        assert_eq!(pending.join_marked(5, chain), None);
        assert_eq!(pending.join_marked(5, waits), Some(waits));
        let mut pending = Pending::default();
        let late = Note {
            at: 2 + JOINED,
            ..waits
        };
        assert_eq!(pending.join_marked(5, chain), None);
        assert_eq!(pending.join_marked(5, late), Some(late));
        assert!(pending.late, "counted as one that was left out");
        assert_eq!(pending.join_marked(5, late), Some(late));
    }

    #[test]
    fn chains_of_threads_that_tell_nothing_more_are_let_go() {
        let mut pending = Pending::default();
        for tid in 0..3 * MOST as u64 {
            pending.join_marked(5, note(tid, kind::CHAIN, (7, 40)));
        }
        assert!(pending.by_tid.len() <= MOST);
    }

    #[test]
    fn the_class_has_the_method_that_the_library_exports() {
        let bytes = class_file().expect("written");
        let read = ClassFile::parse(&bytes).expect("a class file");
        let names = read.methods.iter().map(|m| read.pool.utf8(m.name));
        assert_eq!(names.collect::<Vec<_>>(), [Some("take")]);
        assert_eq!(CLASS_NAME.to_str(), Ok(CLASS));
    }
}
