//! What the JVM's threads do at a probe: they read which lock it is, and leave an event.
//!
//! They come from anywhere in the VM, some of them straight from compiled code: nothing here calls the JVM, allocates,
//! locks or waits. What is read of a monitor lies where the JVM said and a trial confirmed, and is read through the
//! kernel and checked until each site has been right often enough: a site that is wrong once is not listened to again.

use crate::owner::{Layout, Meaning};
use crate::recording::{GATE, Recording};
use crate::ring::{RawEvent, What};
use crate::structures::Memory;
use locklens_libjvm::Kind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize};

/// Reads of a site that are checked.
const CHECKED: u32 = 200;

/// How the hash lies in the word of a monitor that a trial has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// In `ObjectMonitor`.
    pub(super) at: usize,
    pub(super) shift: u32,
    /// Its lowest bits are those of an object's header.
    pub(super) marked: bool,
}

impl Header {
    /// The identity hash; 0 if it has none.
    pub(super) fn hash(self, word: u64) -> u32 {
        (word >> self.shift) as u32 & 0x7fff_ffff
    }

    /// Whether a word looks like one.
    pub(super) fn fits(self, word: u64) -> bool {
        const UNLOCKED: u64 = 1;
        !self.marked || word & 3 == UNLOCKED
    }
}

/// Listens while it is in the recording.
pub(crate) struct Listener {
    pub(super) layout: Layout,
    pub(super) meaning: Meaning,
    pub(super) header: Header,
    /// In `JavaThread`: the tid monitors know it by, where they do.
    pub(super) own_tid: Option<usize>,
    pub(super) memory: Memory,
    /// Of the writer, who is nobody's business.
    pub(super) writer: u64,
    pub(super) sites: Vec<Site>,
    /// Events of locks that have no hash, which nobody was seen to wait for.
    pub(super) unhashed: AtomicU64,
}

/// One place in the JVM's code.
pub(super) struct Site {
    pub(super) kind: Kind,
    checked: AtomicU32,
    pub(super) wrong: AtomicBool,
}

impl Site {
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            kind,
            checked: AtomicU32::new(0),
            wrong: AtomicBool::new(false),
        }
    }
}

fn what(kind: Kind) -> What {
    match kind {
        Kind::Notify => What::VmNotify,
        Kind::NotifyAll => What::VmNotifyAll,
        Kind::Exit => What::VmExit,
    }
}

/// What a thread at a probe reads.
struct Reading {
    header: u64,
    /// By which the writer finds the thread.
    who: u64,
}

/// Called by the thunks.
pub(super) extern "C" fn listen(thread: usize, monitor: usize, site: u32) {
    // SAFETY: the place of this thread's error number.
    let error = unsafe { libc::__errno_location() };
    // SAFETY: as above; nobody else reads or writes it.
    let before = unsafe { *error };
    // A panic here is a defect of ours; it must cost an event, not the target.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        if TRIAL.notes(thread, monitor, site) {
            return;
        }
        if let Some(pass) = GATE.enter(thread)
            && let Some(listener) = pass.listener.get()
            && !pass.off.load(Relaxed)
        {
            listener.hear(&pass, pass.at, (thread, monitor, site));
        }
    }));
    // SAFETY: as above.
    unsafe { *error = before };
}

impl Listener {
    fn hear(&self, recording: &Recording, at: u64, (thread, monitor, site): (usize, usize, u32)) {
        let site = self.sites.get(site as usize);
        let Some(site) = site.filter(|site| !site.wrong.load(Relaxed)) else {
            return;
        };
        if thread as u64 == self.writer {
            return;
        }
        let reading = if site.checked.load(Relaxed) < CHECKED {
            let reading = self.read_checked(site.kind, thread as u64, monitor as u64);
            match reading {
                Some(_) => site.checked.fetch_add(1, Relaxed),
                None => return site.wrong.store(true, Relaxed),
            };
            reading
        } else {
            // SAFETY: at this site they have been what they are taken for, again and again.
            unsafe { self.read(thread, monitor) }
        };
        let Some(reading) = reading else { return };
        let hash = self.header.hash(reading.header);
        if hash == 0 || !self.header.fits(reading.header) {
            self.unhashed.fetch_add(1, Relaxed);
            return;
        }
        recording.push(&RawEvent {
            at,
            what: what(site.kind),
            thread: 0,
            lock: hash,
            stack: 0,
            seq: 0,
            arg: reading.who,
        });
    }

    /// Where the word lies by which the writer finds the thread; none if that is its address.
    fn tid_at(&self) -> Option<usize> {
        self.own_tid.filter(|_| self.meaning == Meaning::Tid)
    }

    /// # Safety
    /// The current thread's `JavaThread`, and a monitor that is not taken down before that thread's next safepoint.
    unsafe fn read(&self, thread: usize, monitor: usize) -> Option<Reading> {
        // SAFETY: the caller's promise; the fields' places were verified. The words change under us: volatile.
        let word = |at: usize| unsafe { std::ptr::read_volatile(at as *const u64) };
        Some(Reading {
            header: word(monitor + self.header.at),
            who: self.tid_at().map_or(thread as u64, |at| word(thread + at)),
        })
    }

    /// The same through the kernel; none if it cannot be so.
    fn read_checked(&self, kind: Kind, thread: u64, monitor: u64) -> Option<Reading> {
        let word = |at: u64, offset: usize| self.memory.word(at.wrapping_add(offset as u64));
        let here = &raw const thread as u64;
        let base = word(thread, self.layout.stack_base)?;
        let size = word(thread, self.layout.stack_size)?;
        let header = word(monitor, self.header.at)?;
        let who = match self.tid_at() {
            Some(at) => word(thread, at)?,
            None => thread,
        };
        let owner = word(monitor, self.layout.owner)?;
        // An exit is told when the monitor has been let go of.
        let owns = kind == Kind::Exit || owner == who;
        let stands = (base.wrapping_sub(size)..base).contains(&here);
        (owns && stands && self.header.fits(header)).then_some(Reading { header, who })
    }
}

/// What is heard of the thread that makes a trial, which is nobody else's business.
pub(super) static TRIAL: Trial = Trial::new();

/// Most that a trial hears.
const HEARD: usize = 16;

/// See [`TRIAL`].
pub(super) struct Trial {
    /// The thread listened to.
    thread: AtomicUsize,
    next: AtomicUsize,
    /// Monitor and site.
    heard: [(AtomicUsize, AtomicU32); HEARD],
}

impl Trial {
    const fn new() -> Self {
        Self {
            thread: AtomicUsize::new(0),
            next: AtomicUsize::new(0),
            heard: [const { (AtomicUsize::new(0), AtomicU32::new(0)) }; HEARD],
        }
    }

    /// Listens to one thread, which is the caller; to nobody if it is 0.
    pub(super) fn of(&self, thread: u64) {
        self.thread.store(0, Release);
        self.next.store(0, Relaxed);
        self.thread.store(thread as usize, Release);
    }

    /// Whether it is the thread listened to; then what it does is noted.
    fn notes(&self, thread: usize, monitor: usize, site: u32) -> bool {
        if self.thread.load(Acquire) != thread {
            return false;
        }
        let at = self.next.fetch_add(1, Relaxed);
        if let Some((heard, of)) = self.heard.get(at) {
            heard.store(monitor, Relaxed);
            of.store(site, Release);
        }
        true
    }

    /// What the caller's own thread did, as monitor and site.
    pub(super) fn heard(&self) -> Vec<(u64, u32)> {
        let count = self.next.load(Acquire).min(HEARD);
        let of = |(monitor, site): &(AtomicUsize, AtomicU32)| {
            (monitor.load(Relaxed) as u64, site.load(Acquire))
        };
        self.heard[..count].iter().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_where_the_trial_found_it() {
        let header = Header {
            at: 0,
            shift: 8,
            marked: true,
        };
        assert_eq!(header.hash(0x12_3456_7801), 0x1234_5678);
        assert_eq!(header.hash(1), 0);
        assert!(header.fits(0x12_3456_7801) && !header.fits(0x12_3456_7802));
    }
}
