//! Call chains of what probes tell: by which way a thread came there.
//!
//! A site is a place in the code. Who waits, notifies, parks or unparks does what is dear by itself, so there is time to look who called:
//! the probe calls a native method of this library, as often as the budget allows, which takes the chain from
//! the probe's caller on, and puts a record with it in front of its own. The reader of the rings lays the two together
//! ([`Pending`]). So does the code that enters a monitor in a method that waits: there something is got that others will wait for. What
//! else is cheap (an enter, an exit, an operation) has no chain but its site.
//!
//! To register a native method prints on the target's stdout, from JDK 16 on. So the JVM finds this one itself:
//! what neither it nor its class loader has it looks for in the libraries of its agents. The class has one name for all libraries
//! of ours in a JVM, and the first one loaded answers: that it is this one a trial shows, and otherwise there are no chains.

use super::apparatus;
use super::arena::Note;
use super::probe::{Unwritable, kind};
use crate::budget::Occasion;
use crate::recording::{GATE, Recording};
use crate::ring::What;
use crate::vm::Vm;
use jni_sys::{JNIEnv, jint, jlong};
use locklens_classfile::append::Append;
use locklens_classfile::build::Class;
use locklens_classfile::pool::Pool;
use locklens_trace::{LockId, ThreadId};
use std::collections::HashMap;
use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// The class, and its one method.
pub(super) const CLASS: &str = "java/lang/LocklensChains";
pub(super) const CLASS_NAME: &CStr = c"java/lang/LocklensChains";
pub(super) const TAKE: (&str, &str) = ("take", "(I)J");

/// Frames in front of the probe's caller: the native method, the method that calls it, the probe.
const OURS: usize = 3;
/// Calls in vain after which the probes do not ask until the writer has come by again.
const PATIENCE: u32 = 64;
/// Marks a site where the budget goes by locks.
const SITE: u32 = 1 << 31;
const SYNTHETIC_FINAL_CLASS: u16 = 0x1031;
const STATIC: u16 = 0x0008;

/// The method has been called here.
static HEARD: AtomicBool = AtomicBool::new(false);
/// Calls that the budget has refused since a chain was taken last.
static REFUSED: AtomicU32 = AtomicU32::new(0);

/// The class file.
pub(super) fn class_file() -> Result<Vec<u8>, Unwritable> {
    let empty = Pool::empty();
    let mut pool = Append::new(&empty);
    let mut class = Class::new(&mut pool, SYNTHETIC_FINAL_CLASS, CLASS)?;
    class.native(&mut pool, STATIC, TAKE.0, TAKE.1)?;
    Ok(class.finish(&pool))
}

/// Whether the method has been called here since this was asked last.
pub(super) fn is_heard() -> bool {
    HEARD.swap(false, Relaxed)
}

/// What the native method gives: the id of the chain, and above it a mark of this recording; 0 for none.
pub(crate) fn take(jni: *mut JNIEnv, site: jint) -> jlong {
    HEARD.store(true, Relaxed);
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
            if REFUSED.fetch_add(1, Relaxed) >= PATIENCE {
                apparatus::hold_chains();
            }
            return None;
        }
        REFUSED.store(0, Relaxed);
        // SAFETY: the environment of this recording, which nobody disposes of before this thread has left the gate, and this thread's own.
        let vm = unsafe { Vm::new(pass.env(), jni) };
        let chain = pass.stack_above(vm, OURS, &occasion);
        (chain != 0).then(|| i64::from(mark(&pass)) << 32 | i64::from(chain))
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

/// Chains whose records have come, and what they belong to has not. Records of a thread come in order.
#[derive(Default)]
pub(super) struct Pending {
    by_tid: HashMap<u64, Chain>,
}

struct Chain {
    site: u32,
    id: u32,
}

impl Pending {
    /// A record with its chain; none if it is a chain.
    pub(super) fn join(&mut self, recording: &Recording, note: Note) -> Option<Note> {
        self.join_marked(mark(recording), note)
    }

    fn join_marked(&mut self, mark: u32, note: Note) -> Option<Note> {
        if note.kind == kind::CHAIN {
            let Note { site, hash: id, .. } = note;
            if note.argument == mark {
                self.by_tid.insert(note.tid, Chain { site, id });
            }
            return None;
        }
        if self.by_tid.is_empty() {
            return Some(note);
        }
        let chain = self.by_tid.remove(&note.tid);
        let chain = chain.filter(|chain| chain.is_of(&note));
        let chain = chain.map_or(0, |chain| chain.id);
        Some(Note { chain, ..note })
    }

    /// Records were dropped: what comes next of a thread need not be what its chain was taken for.
    pub(super) fn forget(&mut self) {
        self.by_tid.clear();
    }
}

impl Chain {
    fn is_of(&self, note: &Note) -> bool {
        match note.kind {
            kind::ENTERED | kind::WAITING | kind::NOTIFIED | kind::NOTIFIED_ALL => {
                note.site == self.site
            }
            kind::PARK | kind::UNPARK => self.site == 0,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_classfile::class::ClassFile;

    fn note(tid: u64, kind: u8, (site, hash): (u32, u32)) -> Note {
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
        assert_eq!(join(1, kind::CHAIN, (0, 43)), None);
        assert_eq!(join(1, kind::PARK, (99, 1)), Some(43));
        assert_eq!(join(1, kind::CHAIN, (0, 44)), None);
        assert_eq!(join(1, kind::EXIT, (0, 1)), Some(0));
    }

    #[test]
    fn one_of_another_recording_or_from_before_a_loss_is_none() {
        let mut pending = Pending::default();
        let mut old = note(1, kind::CHAIN, (7, 40));
        old.argument = 4;
        assert_eq!(pending.join_marked(5, old), None);
        let waits = note(1, kind::WAITING, (7, 1));
        assert_eq!(pending.join_marked(5, waits), Some(waits));
        assert_eq!(pending.join_marked(5, note(1, kind::CHAIN, (7, 40))), None);
        pending.forget();
        assert_eq!(pending.join_marked(5, waits), Some(waits));
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
