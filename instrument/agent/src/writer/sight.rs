//! What other threads stand at: the monitor, its object, its owner, the call chain.
//!
//! `GetThreadState` reads a word; what a thread is blocked on, and who owns that, is read from memory as
//! `owner` describes; only a thread that is blocked or waits is asked for its call chain, once, under a
//! limit of time. A JVM that stops as a whole for each chain (to JDK 15) is asked for [`CHAINS`] of them at
//! most; further threads are told without, and counted like other chains left out. Where the owner's word tells
//! nothing (JDK 25, as long as an owner of a light lock has not left it) the JVM is asked, which stops it for a moment: for [`ASKED`] monitors at most,
//! and from JDK 21 on only where threads hardly come: [`ASKING_HARMS`].
//!
//! **The object of a monitor.** Nothing that can be had in a running JVM tells it, so a reference is
//! made from the place where the monitor itself keeps one ([`Naming`]), which its collector knows. As
//! long as a thread is blocked on a monitor or waits on it, the monitor is not taken down: it is looked
//! at only when the thread has not moved for [`STILL`](super::look::STILL), and was the same immediately before and after. (Samples also ask,
//! rarely, a thread that has just come to a monitor at which others were found: `super::census`.)
//!
//! To JDK 14 that is all there is to it: monitors are never freed, and an idle one names no object. Later
//! JVMs free idle monitors now and then, and with them the places of their weak handles. Between the last check here and the JVM's own reading of the
//! place lie microseconds, unless the system takes the processor away just there. Should the thread go on meanwhile,
//! its monitor be found idle and be freed, then the place is empty, or another object's (the check afterwards drops
//! both), or, if all the places around it were freed and given back to the system as well, no longer there.

use crate::owner::{LAST_MARK, Meaning, Naming, Peek, UNREAD};
use crate::recording::Recording;
use crate::structures::Memory;
use crate::vm::{Doing, Ref, Vm};
use locklens_trace::record::Owner;
use locklens_trace::{Event, EventKind, Nanos, StackId, ThreadId};
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// From this JDK on the JVM is asked who owns a monitor only where threads hardly come; see [`Vm::monitor_owner`].
const ASKING_HARMS: u32 = 21;
/// Hardly: one in so long.
const SELDOM: Duration = Duration::from_secs(10);
/// Monitors whose owner the JVM is asked for in one look,
const ASKED: usize = 16;
/// Call chains asked for in one look, where the JVM stops for each,
const CHAINS: usize = 64;
/// unless an answer took as long as this.
const SLOW: Duration = Duration::from_millis(20);

/// A thread that seems to stand still.
pub(super) struct Candidate<'vm> {
    reference: Ref<'vm>,
    pub(super) thread: ThreadId,
    doing: Doing,
    /// Of its `JavaThread`.
    address: u64,
    /// Of the monitor it is blocked on or waits on.
    pub(super) monitor: u64,
}

impl<'vm> Candidate<'vm> {
    pub(super) fn reference(&self) -> &Ref<'vm> {
        &self.reference
    }
}

/// What other threads are doing, read without their help.
pub(super) struct Sight<'vm, 'r> {
    vm: Vm<'vm>,
    recording: &'r Recording,
    memory: Memory,
    peek: Peek,
    /// By monitor: the word of the owner the JVM named.
    asked: HashMap<u64, u64>,
    chains: Chains<'r>,
}

/// Call chains that the JVM may still be asked for in one look.
pub(super) struct Chains<'r> {
    recording: &'r Recording,
    left: usize,
}

impl<'r> Chains<'r> {
    pub(super) fn new(vm: Vm<'_>, recording: &'r Recording) -> Self {
        Self {
            recording,
            left: match vm.stops_for_chains() {
                true => CHAINS,
                false => usize::MAX,
            },
        }
    }

    /// The next one; 0 for none.
    pub(super) fn take(&mut self, chain: impl FnOnce(&Recording) -> u32) -> u32 {
        let stops = self.left <= CHAINS;
        if self.left == 0 || stops && self.recording.answers_slowly.load(Relaxed) {
            return 0;
        }
        self.left -= 1;
        let began = Instant::now();
        let chain = chain(self.recording);
        if stops {
            note_stop(self.recording, began);
        }
        chain
    }
}

/// A JVM that answers too slowly is not asked again for what it stops for.
fn note_stop(recording: &Recording, began: Instant) {
    if began.elapsed() > SLOW {
        recording.answers_slowly.store(true, Relaxed);
    }
}

impl<'vm, 'r> Sight<'vm, 'r> {
    pub(super) fn new(vm: Vm<'vm>, recording: &'r Recording) -> Option<Self> {
        Some(Self {
            vm,
            recording,
            memory: Memory::open()?,
            peek: *recording.peek.get()?,
            asked: HashMap::new(),
            chains: Chains::new(vm, recording),
        })
    }

    /// The monitor a thread at that address is blocked on or waits on. One that comes back from `wait`
    /// is blocked on the monitor it waits on.
    pub(super) fn monitor(&self, address: u64, doing: Doing) -> Option<u64> {
        let word = |offset: usize| self.memory.word(address.wrapping_add(offset as u64));
        let known = |word: &u64| *word != 0;
        let layout = &self.peek.layout;
        let waits = || word(layout.waiting?).filter(known);
        match doing {
            Doing::Blocked => word(layout.pending).filter(known).or_else(waits),
            Doing::Waiting { .. } => waits(),
            Doing::Parked | Doing::Other => None,
        }
    }

    /// A thread that is blocked on entering a monitor, of which it has told; not one that comes back from `wait`.
    pub(super) fn entering(
        &self,
        reference: Ref<'vm>,
        address: u64,
        thread: ThreadId,
    ) -> Option<Candidate<'vm>> {
        let place = address.wrapping_add(self.peek.layout.pending as u64);
        let monitor = self.memory.word(place).filter(|&word| word != 0)?;
        Some(Candidate {
            reference,
            thread,
            doing: Doing::Blocked,
            address,
            monitor,
        })
    }

    /// It is blocked on entering the same monitor.
    pub(super) fn is_still_entering(&self, seen: &Candidate<'_>) -> bool {
        let place = seen.address.wrapping_add(self.peek.layout.pending as u64);
        self.memory.word(place) == Some(seen.monitor)
            && self.recording.address_of(self.vm, &seen.reference) == seen.address
    }

    /// The word of the owner of what a candidate is blocked on, if its memory says so.
    pub(super) fn owner_in_memory(&self, seen: &Candidate<'_>) -> u64 {
        let place = seen.monitor.wrapping_add(self.peek.layout.owner as u64);
        self.memory.word(place).unwrap_or(UNREAD)
    }

    /// Its memory says that a candidate's monitor is owned, and not by whom.
    pub(super) fn is_unnamed(&self, seen: &Candidate<'_>) -> bool {
        let place = seen.monitor.wrapping_add(self.peek.layout.owner as u64);
        matches!(self.memory.word(place), Some(1..=LAST_MARK))
    }

    pub(super) fn candidate(
        &self,
        reference: Ref<'vm>,
        thread: ThreadId,
        doing: Doing,
    ) -> Option<Candidate<'vm>> {
        let address = self.recording.address_of(self.vm, &reference);
        let monitor = self.monitor(address, doing).filter(|_| address != 0)?;
        Some(Candidate {
            reference,
            thread,
            doing,
            address,
            monitor,
        })
    }

    /// Virtual threads that are blocked or wait while they keep their carrier. What they stand at is not
    /// looked for: the JVM says of a carrier only what it does for itself.
    pub(super) fn pinned(&self) -> u64 {
        let stands = |carrier: &Ref<'_>| {
            let address = self.recording.address_of(self.vm, carrier);
            address != 0 && self.monitor(address, Doing::Blocked).is_some()
        };
        let threads = self.vm.all_threads().unwrap_or_default().into_iter();
        let carriers = threads.filter(|t| self.recording.roots.is_carrier(self.vm, t));
        carriers.filter(stands).count() as u64
    }

    /// It does what it did, at the same monitor.
    pub(super) fn is_still_there(&self, seen: &Candidate<'_>) -> bool {
        self.vm.doing(&seen.reference) == Ok(seen.doing)
            && self.monitor(seen.address, seen.doing) == Some(seen.monitor)
            && self.recording.address_of(self.vm, &seen.reference) == seen.address
    }

    /// The word of the owner of what a candidate is blocked on.
    pub(super) fn owner_word(&mut self, seen: &Candidate<'_>) -> u64 {
        match self.owner_in_memory(seen) {
            UNREAD..=LAST_MARK => self.ask_owner(seen),
            word => word,
        }
    }

    /// The same from the JVM, which stops for it.
    fn ask_owner(&mut self, seen: &Candidate<'_>) -> u64 {
        if let Some(&word) = self.asked.get(&seen.monitor) {
            return word;
        }
        let harms = self.vm.jdk() >= ASKING_HARMS && self.recording.threads_come(SELDOM);
        if harms || self.recording.answers_slowly.load(Relaxed) || self.asked.len() >= ASKED {
            return UNREAD;
        }
        let began = Instant::now();
        let owner = self
            .object(seen)
            .and_then(|object| self.vm.monitor_owner(&object).ok()?);
        note_stop(self.recording, began);
        let word = owner.map_or(UNREAD, |owner| match self.peek.meaning {
            Meaning::Tid => self.recording.tid_of(self.vm, &owner),
            Meaning::Address => self.recording.address_of(self.vm, &owner),
        });
        self.asked.insert(seen.monitor, word);
        word
    }

    /// What the JVM has said of owners so far, by monitor.
    pub(super) fn asked(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let known = self.asked.iter().filter(|(_, word)| **word > LAST_MARK);
        known.map(|(&monitor, &word)| (monitor, word))
    }

    /// The word by which a monitor refers to its object; none where that is not known.
    pub(super) fn object_word(&self, monitor: u64) -> Option<u64> {
        let place = monitor.wrapping_add(self.peek.layout.object? as u64);
        self.memory.word(place).filter(|&word| word != 0)
    }

    /// The object of the monitor a candidate stands at.
    pub(super) fn object(&self, seen: &Candidate<'_>) -> Option<Ref<'vm>> {
        let field = seen.monitor.wrapping_add(self.peek.layout.object? as u64);
        let word = self.memory.word(field).filter(|&word| word != 0)?;
        let handle = match self.peek.naming? {
            Naming::Address => field,
            // The mark of a weak handle.
            Naming::Handle => word | 1,
        };
        if !self.is_still_there(seen) {
            return None;
        }
        // SAFETY: where a monitor keeps its reference was verified on one of ours, in which form too, and
        // `naming` is there only if handles are not checked. The place is the collector's as long as the
        // monitor is; the module says how far that is certain.
        let object = unsafe { self.vm.behind(handle as usize) }?;
        self.is_still_there(seen).then_some(object)
    }

    /// The call chain of a thread that stands still; 0 for none.
    fn chain(&mut self, seen: &Candidate<'_>) -> u32 {
        let vm = self.vm;
        let take = |recording: &Recording| recording.stack_of(vm, &seen.reference);
        self.chains.take(take)
    }

    /// The call chain of a thread that may be running; 0 for none.
    pub(super) fn owner_chain(&mut self, owner: &Ref<'_>) -> u32 {
        let vm = self.vm;
        let take = |recording: &Recording| recording.owner_stack_of(vm, owner);
        self.chains.take(take)
    }

    /// The event that such a thread has not had; with the owner's word. An error if it cannot be told.
    pub(super) fn event(&mut self, seen: &Candidate<'_>) -> Result<Option<(Event, u64)>, ()> {
        if !self.is_still_there(seen) {
            return Ok(None);
        }
        let object = self.object(seen).ok_or(())?;
        let lock = self.recording.lock(self.vm, &object).map_err(drop)?;
        if self.recording.hides(lock) {
            return Ok(None);
        }
        let stack = self.chain(seen);
        let (kind, word) = match seen.doing {
            // How long it may wait is not known.
            Doing::Waiting { timed } => {
                let timeout = timed.then_some(Nanos(0));
                (EventKind::Wait { timeout }, UNREAD)
            }
            _ => (EventKind::Enter, self.owner_word(seen)),
        };
        let event = Event {
            at: Nanos(0),
            thread: seen.thread,
            kind,
            lock: Some(lock),
            stack: (stack != 0).then_some(StackId(stack)),
            owner: Owner::Unknown,
            seq: None,
        };
        Ok(self.is_still_there(seen).then_some((event, word)))
    }
}
