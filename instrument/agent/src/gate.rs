//! Who is inside a callback, and since when.
//!
//! Every callback passes a gate before it touches the recording and leaves it afterwards. That
//! answers two questions the writer has: may the recording be freed (nobody is inside any more),
//! and up to which time have all events reached the ring (the earliest time anybody inside began).
//!
//! The gate itself is static: a callback that the JVM had decided to make before the recording
//! ended may arrive at any later time, and finds the gate closed.

use crate::clock;
use crate::idmap::scatter;
use crate::loss::Tally;
use crate::sync::{AtomicPtr, AtomicU64, nap};
use locklens_trace::record::{LossCause, Lost};
use std::ops::Deref;
use std::ptr::{self, NonNull};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::time::{Duration, Instant};

/// Threads that can be inside at once, however many end at the same moment; more are turned away and counted.
const SLOTS: usize = if cfg!(loom) {
    2
} else if cfg!(miri) {
    32
} else {
    8192
};
/// Those of the slots that are taken first, each thread beginning at another; the others, one after the other, only in a crowd.
const NEAR: usize = if cfg!(loom) {
    1
} else if cfg!(miri) {
    8
} else {
    512
};
const FREE: u64 = 0;
/// Inside, clock not yet read.
const ENTERING: u64 = 1;

#[repr(align(64))]
struct Slot(AtomicU64);

/// See the module.
pub(crate) struct Gate<T> {
    current: AtomicPtr<T>,
    turned_away: Tally,
    /// Slots before this one have been taken in this recording: there was never a larger crowd in it.
    reach: AtomicU64,
    slots: [Slot; SLOTS],
}

/// The right to use the recording, for as long as it is held.
pub(crate) struct Pass<'gate, T> {
    slot: &'gate AtomicU64,
    recording: *const T,
    /// When the holder came in: the time of its event.
    pub(crate) at: u64,
}

/// A recording nobody can reach through the gate any more.
pub(crate) struct Left<T>(NonNull<T>);

impl<T> Left<T> {
    /// Takes it over.
    ///
    /// # Safety
    /// No reference to it is used from now on, the caller's own included.
    pub(crate) unsafe fn take(self) -> Box<T> {
        // SAFETY: from `Box::into_raw` in `open`, given out once by `close`; the caller's promise.
        unsafe { Box::from_raw(self.0.as_ptr()) }
    }
}

impl<T> Deref for Pass<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: `close` gives the recording up only when every slot taken before was left, and
        // this one is taken until `drop`.
        unsafe { &*self.recording }
    }
}

impl<T> Drop for Pass<'_, T> {
    fn drop(&mut self) {
        self.slot.store(FREE, Release);
    }
}

impl<T> Gate<T> {
    /// A closed gate.
    #[cfg(not(loom))]
    pub(crate) const fn new() -> Self {
        Self {
            current: AtomicPtr::new(ptr::null_mut()),
            turned_away: Tally::new(),
            reach: AtomicU64::new(NEAR as u64),
            slots: [const { Slot(AtomicU64::new(FREE)) }; SLOTS],
        }
    }

    /// The same with atomics that no constant can have.
    #[cfg(loom)]
    pub(crate) fn new() -> Self {
        Self {
            current: AtomicPtr::new(ptr::null_mut()),
            turned_away: Tally::new(),
            reach: AtomicU64::new(NEAR as u64),
            slots: std::array::from_fn(|_| Slot(AtomicU64::new(FREE))),
        }
    }

    /// Lets callbacks in. The recording stays where it is until [`Gate::close`] gives it back.
    pub(crate) fn open(&self, recording: Box<T>) -> *const T {
        let recording = Box::into_raw(recording);
        // Before anybody can be let in: who is, says again how far off it stands.
        self.reach.store(NEAR as u64, SeqCst);
        self.current.store(recording, SeqCst);
        recording
    }

    /// Enters; `hint` should differ between threads. None if the gate is closed or crowded.
    pub(crate) fn enter(&self, hint: usize) -> Option<Pass<'_, T>> {
        if self.current.load(Relaxed).is_null() {
            return None;
        }
        let place = self.take_slot(hint)?;
        let slot = &self.slots[place].0;
        // The order is the point: the slot first, visibly, then the question whether the gate is
        // open. `close` does the reverse, so one of the two sees the other.
        let recording = self.current.load(SeqCst);
        if recording.is_null() {
            slot.store(FREE, Release);
            return None;
        }
        if place >= NEAR {
            // Before the clock is read: who has not heard of it has read a clock that the event is not behind.
            self.reach.fetch_max(place as u64 + 1, SeqCst);
        }
        let at = clock::monotonic();
        slot.store(at.max(ENTERING + 1), Release);
        Some(Pass {
            slot,
            recording,
            at,
        })
    }

    fn take_slot(&self, hint: usize) -> Option<usize> {
        let start = scatter(hint as u64) as usize;
        let near = (0..NEAR).map(|i| (start + i) % NEAR);
        let mut all = near.chain(NEAR..SLOTS);
        let taken = all.find(|&place| take(&self.slots[place].0));
        if taken.is_none() {
            self.turned_away.count(clock::monotonic());
        }
        taken
    }

    /// Events of threads for which there was no slot, since the last call; see [`Tally::take`].
    pub(crate) fn take_turned_away(&self, times: (u64, u64)) -> Option<Lost> {
        self.turned_away.take(LossCause::BufferFull, times)
    }

    /// A time before which no event can any more come into the ring. `last` is the previous
    /// answer: a thread that is just entering keeps it. Who came in before `since` is not waited
    /// for: a thread suspended inside may never come out.
    pub(crate) fn watermark(&self, last: u64, since: u64) -> u64 {
        let mut mark = clock::monotonic();
        let reach = self.reach.load(SeqCst) as usize;
        for slot in &self.slots[..reach] {
            match slot.0.load(SeqCst) {
                FREE => {}
                ENTERING => return last,
                at if at < since => {}
                at => mark = mark.min(at),
            }
        }
        mark.max(last)
    }

    /// Lets nobody in any more and waits until all are out. The recording comes back, unless
    /// somebody is still inside after `patience`: then it stays for ever, and so stays valid.
    /// `since` is a time before this recording was let in: whoever was inside earlier is in
    /// another one, which has been left to it.
    pub(crate) fn close(&self, patience: Duration, since: u64) -> Option<Left<T>> {
        let recording = self.current.swap(ptr::null_mut(), SeqCst);
        let deadline = Instant::now() + patience;
        let is_inside = |state: u64| state == ENTERING || state >= since.max(ENTERING);
        for slot in &self.slots {
            // Whoever takes the slot after it was seen free finds the gate closed.
            while is_inside(slot.0.load(SeqCst)) {
                if Instant::now() > deadline {
                    return None;
                }
                nap();
            }
        }
        let _: u64 = self.slots.iter().map(|slot| slot.0.load(Acquire)).sum();
        NonNull::new(recording).map(Left)
    }
}

fn take(slot: &AtomicU64) -> bool {
    let take = || slot.compare_exchange(FREE, ENTERING, SeqCst, Relaxed);
    slot.load(Relaxed) == FREE && take().is_ok()
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    /// Closes the gate; nobody here keeps a reference.
    fn closed<T>(gate: &Gate<T>, since: u64) -> Option<Box<T>> {
        let left = gate.close(Duration::from_secs(30), since)?;
        // SAFETY: see above.
        Some(unsafe { left.take() })
    }

    #[test]
    fn a_closed_gate_lets_nobody_in() {
        let gate = Gate::<u32>::new();
        assert!(gate.enter(1).is_none());
        gate.open(Box::new(7));
        assert_eq!(gate.enter(1).map(|pass| *pass), Some(7));
        assert_eq!(closed(&gate, 0).as_deref(), Some(&7));
        assert!(gate.enter(1).is_none());
    }

    #[test]
    fn whoever_is_inside_holds_the_watermark_and_the_recording() {
        let gate = Gate::<u32>::new();
        gate.open(Box::new(7));
        let pass = gate.enter(1).expect("open");
        assert_eq!(gate.watermark(0, 0), pass.at);
        assert!(gate.close(Duration::from_millis(1), 0).is_none());
        assert_eq!(*pass, 7);
        let recording = pass.recording.cast_mut();
        drop(pass);
        assert!(gate.watermark(0, 0) > 0);
        // SAFETY: `close` left it to us.
        drop(unsafe { Box::from_raw(recording) });
    }

    #[test]
    fn who_is_stuck_in_an_old_recording_does_not_hold_up_the_next() {
        let gate = Gate::<u32>::new();
        let old = gate.open(Box::new(7)).cast_mut();
        let stuck = gate.enter(1).expect("open");
        assert!(gate.close(Duration::from_millis(1), 0).is_none());
        let since = clock::monotonic().max(stuck.at + 1);
        gate.open(Box::new(8));
        assert!(gate.watermark(since, since) >= since);
        let closed = closed(&gate, since);
        assert_eq!((closed.as_deref(), *stuck), (Some(&8), 7));
        drop(stuck);
        // SAFETY: `close` left it to us.
        drop(unsafe { Box::from_raw(old) });
    }

    #[test]
    fn the_crowd_is_counted() {
        let gate = Gate::<u32>::new();
        gate.open(Box::new(7));
        let near: Vec<_> = (0..NEAR).map(|i| gate.enter(i).expect("room")).collect();
        let first = gate.enter(0).expect("room in a crowd");
        drop(near);
        assert_eq!(gate.watermark(0, 0), first.at, "who stands far off counts");
        let inside: Vec<_> = (1..SLOTS).map(|i| gate.enter(i).expect("room")).collect();
        let before = clock::monotonic();
        assert!(gate.enter(0).is_none());
        let taken = || gate.take_turned_away((0, u64::MAX));
        let lost = taken().expect("counted");
        let span = before..=clock::monotonic();
        assert!(lost.count == 1 && span.contains(&lost.from.0) && span.contains(&lost.to.0));
        assert_eq!(taken(), None);
        drop((first, inside));
        assert!(closed(&gate, 0).is_some());
        // The next recording has no crowd yet.
        gate.open(Box::new(8));
        assert_eq!(gate.reach.load(Relaxed), NEAR as u64);
        let near: Vec<_> = (0..NEAR).map(|i| gate.enter(i).expect("room")).collect();
        let far = gate.enter(0).expect("room in a crowd");
        drop(near);
        assert_eq!(gate.watermark(0, 0), far.at);
    }

    #[test]
    fn closing_under_traffic_never_frees_what_is_in_use() {
        let gate = Gate::<AtomicBool>::new();
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for hint in 0..3 {
                let (gate, stop) = (&gate, &stop);
                scope.spawn(move || {
                    while !stop.load(Relaxed) {
                        if let Some(pass) = gate.enter(hint) {
                            assert!(pass.load(Relaxed), "freed under a pass");
                        }
                    }
                });
            }
            for _ in 0..if cfg!(miri) { 10 } else { 500 } {
                gate.open(Box::new(AtomicBool::new(true)));
                let closed = closed(&gate, 0).expect("quiet");
                closed.store(false, Relaxed);
            }
            stop.store(true, Relaxed);
        });
    }
}
