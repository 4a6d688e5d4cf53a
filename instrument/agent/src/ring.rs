//! The way of an event from an application's thread to the writer: a bounded ring, many producers,
//! one consumer, no lock and no allocation.
//!
//! An empty slot is all zero, which is also what freshly mapped memory is: unless events come very
//! fast the consumer gives the memory it is done with back to the kernel, so that a long quiet recording stays small although
//! its ring is not. Order in the ring is nearly that of time; the writer sorts what it takes out.

use crate::memory::{Slab, Zeroable};
use crate::sync::AtomicU64;
use std::io;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// Slots given back to the kernel at a time (1 MiB).
const BLOCK: u64 = 1 << 15;
/// The low bits of a slot's first word, which say what happened; the time is above them.
const KIND_BITS: u32 = 4;

/// What happened, in the callback's words; the writer turns it into a trace event.
///
/// As wide as the numbers beside it in a [`RawEvent`]: the bytes behind a narrow one are copied in pieces that overlap, and whoever
/// reads the copy waits for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum What {
    /// `MonitorContendedEnter`; `arg` is the owner's word, see `owner`.
    Enter,
    /// `MonitorContendedEntered`.
    Entered,
    /// `MonitorWait`; `arg` is the time-out in milliseconds, 0 for none.
    Wait,
    /// `MonitorWaited`; `arg` is 1 after a time-out.
    Waited,
    /// `ThreadStart`.
    ThreadStart,
    /// `ThreadEnd`.
    ThreadEnd,
    /// A probe of the VM's own: about to notify; `lock` is the object's hash, `arg` what the writer finds the thread by.
    VmNotify,
    /// The same: about to notify all.
    VmNotifyAll,
    /// The same: the monitor was left, a successor is being woken.
    VmExit,
    /// A probe: the monitor has been entered.
    ProbeEntered,
    /// A probe: about to leave the monitor.
    Exit,
    /// A probe: about to wait; `arg` as for [`What::Wait`].
    ProbeWait,
    /// A probe: `wait` returned.
    Resumed,
    /// A probe: `wait` threw.
    ResumeThrew,
    /// A probe: about to notify.
    Notify,
    /// A probe: about to notify all.
    NotifyAll,
    /// A probe: an operation of a lock of `java.util.concurrent`; `arg` says which, see `exact::operations`.
    Operation,
    /// A probe: an access to a field or an atomic; `arg` says which, see `exact::accesses`.
    Access,
    /// A probe: a thread is started, or the wait for its end is over; `arg` has its id in the low half, above it 1 for the latter.
    Kin,
}

impl What {
    /// Whether a probe of ours says so, not the JVM.
    pub(crate) fn is_of_probe(self) -> bool {
        self as u64 > Self::VmExit as u64
    }

    /// Whether a probe of the VM's own says so.
    pub(crate) fn is_of_vm_probe(self) -> bool {
        matches!(self, Self::VmNotify | Self::VmNotifyAll | Self::VmExit)
    }
}

/// Those that come through the ring: the JVM's own.
const WHATS: [What; 9] = [
    What::Enter,
    What::Entered,
    What::Wait,
    What::Waited,
    What::ThreadStart,
    What::ThreadEnd,
    What::VmNotify,
    What::VmNotifyAll,
    What::VmExit,
];

/// In the argument of an event with a number: nothing but events of its lock raises the counter that it is of.
pub(crate) const COUNTED: u64 = 1 << 63;

/// One event as a callback leaves it. Ids of 0 mean none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawEvent {
    /// Absolute `CLOCK_MONOTONIC` time.
    pub(crate) at: u64,
    /// Kind.
    pub(crate) what: What,
    /// Thread id.
    pub(crate) thread: u32,
    /// Lock id.
    pub(crate) lock: u32,
    /// Stack id.
    pub(crate) stack: u32,
    /// Number on its lock.
    pub(crate) seq: u32,
    /// See [`What`].
    pub(crate) arg: u64,
}

#[derive(Default)]
#[repr(align(32))]
struct Slot {
    /// Time and kind; 0 while the slot is empty.
    first: AtomicU64,
    rest: [AtomicU64; 3],
}

// SAFETY: atomics only; all zero is an empty slot.
unsafe impl Zeroable for Slot {}

impl Slot {
    fn write(&self, event: &RawEvent) {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        self.rest[0].store(pair(event.thread, event.lock), Relaxed);
        self.rest[1].store(pair(event.stack, event.seq), Relaxed);
        self.rest[2].store(event.arg, Relaxed);
        // 60 bits of nanoseconds are 36 years of a machine's being up.
        let first = event.at << KIND_BITS | (event.what as u64 + 1);
        self.first.store(first, Release);
    }

    fn take(&self) -> Option<RawEvent> {
        let first = self.first.load(Acquire);
        let kind = first as usize & ((1 << KIND_BITS) - 1);
        let what = *WHATS.get(kind.checked_sub(1)?)?;
        let [who, which, arg] = [0, 1, 2].map(|i| self.rest[i].load(Relaxed));
        self.first.store(0, Relaxed);
        Some(RawEvent {
            at: first >> KIND_BITS,
            what,
            thread: who as u32,
            lock: (who >> 32) as u32,
            stack: which as u32,
            seq: (which >> 32) as u32,
            arg,
        })
    }
}

/// Whether an event found room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pushed {
    /// Yes.
    Stored,
    /// Yes, and the writer should be woken: another eighth of the ring has been used.
    WakeWriter,
    /// No.
    Full,
}

/// What was taken out by [`Ring::drain_to`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Drained {
    /// How many events.
    pub(crate) taken: usize,
    /// What was asked for: no event that is older can come any more, wherever it is.
    pub(crate) mark: u64,
    /// Nor is one that is older in the ring still.
    pub(crate) whole: bool,
}

/// What becomes of the memory the consumer is done with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocks {
    /// It goes back to the kernel.
    GiveBack,
    /// It stays: a page taken from the kernel anew for every 64 events costs more than an event.
    Keep,
}

#[repr(align(128))]
struct Lonely(AtomicU64);

/// See the module.
pub(crate) struct Ring {
    slots: Slab<Slot>,
    /// Next position to write.
    tail: Lonely,
    /// First position not yet given back.
    head: Lonely,
    block: u64,
}

impl Ring {
    /// A ring within `bytes`.
    pub(crate) fn within(bytes: usize) -> io::Result<Self> {
        Self::of((bytes / size_of::<Slot>()).max(64))
    }

    /// A ring of so many slots, at least eight.
    pub(crate) fn of(slots: usize) -> io::Result<Self> {
        let slots = 1_usize << slots.ilog2();
        Ok(Self {
            slots: Slab::new(slots)?,
            tail: Lonely(AtomicU64::new(0)),
            head: Lonely(AtomicU64::new(0)),
            block: BLOCK.min(slots as u64 / 8),
        })
    }

    /// Events it has room for. One block less than its slots: the block the consumer stands in is
    /// not reused before it has been given back.
    pub(crate) fn capacity(&self) -> u64 {
        self.slots.len() as u64 - self.block
    }

    fn slot(&self, position: u64) -> &Slot {
        &self.slots[position as usize & (self.slots.len() - 1)]
    }

    /// Adds an event, from any thread.
    pub(crate) fn push(&self, event: &RawEvent) -> Pushed {
        let mut tail = self.tail.0.load(Relaxed);
        loop {
            // The consumer may have passed a stale `tail`: then the exchange fails and tells.
            let used = tail.saturating_sub(self.head.0.load(Acquire));
            if used >= self.capacity() {
                return Pushed::Full;
            }
            match self
                .tail
                .0
                .compare_exchange_weak(tail, tail + 1, Relaxed, Relaxed)
            {
                Ok(_) => break,
                Err(seen) => tail = seen,
            }
        }
        self.slot(tail).write(event);
        let eighth = self.slots.len() as u64 / 8;
        if tail % eighth == eighth - 1 {
            Pushed::WakeWriter
        } else {
            Pushed::Stored
        }
    }

    /// Takes up to `max` events out, and says whether these are all of those before a time `mark` gives, before which nobody
    /// will push one any more. They need not be: who has reserved a place and not filled it yet keeps everything behind it in
    /// the ring, also what is older and was pushed later. Only the writer calls this.
    pub(crate) fn drain_to(
        &self,
        mark: impl FnOnce() -> u64,
        max: usize,
        blocks: Blocks,
        each: impl FnMut(RawEvent),
    ) -> Drained {
        let mark = mark();
        // Whoever was not waited for by then had its place before this.
        let end = self.tail.0.load(Relaxed);
        let taken = self.drain(max, blocks, each);
        let whole = self.head.0.load(Relaxed) >= end;
        Drained { taken, mark, whole }
    }

    /// Takes up to `max` events out, in ring order. Only the writer calls this.
    pub(crate) fn drain(
        &self,
        max: usize,
        blocks: Blocks,
        mut each: impl FnMut(RawEvent),
    ) -> usize {
        let start = self.head.0.load(Relaxed);
        let mut at = start;
        while at - start < max as u64 {
            let Some(event) = self.slot(at).take() else {
                break;
            };
            each(event);
            at += 1;
            if at.is_multiple_of(self.block) {
                if blocks == Blocks::GiveBack {
                    self.give_back(at);
                }
                self.head.0.store(at, Release);
            }
        }
        self.head.0.store(at, Release);
        (at - start) as usize
    }

    /// Gives the block that ends at `end` back to the kernel.
    fn give_back(&self, end: u64) {
        let last = (end - 1) as usize & (self.slots.len() - 1);
        let first = last + 1 - self.block as usize;
        // SAFETY: every slot of the block has been read, and a producer may write one of them
        // again only after `head` has passed the block's end, which it has not (see `capacity`).
        unsafe { self.slots.discard(first..last + 1) };
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn event(at: u64) -> RawEvent {
        RawEvent {
            at,
            what: What::Wait,
            thread: 1,
            lock: 2,
            stack: 3,
            seq: 4,
            arg: at * 3,
        }
    }

    #[test]
    fn what_goes_in_comes_out_in_order_over_many_laps() {
        let ring = Ring::within(1 << 12).expect("memory");
        let mut next = 0;
        const LAPS: u64 = if cfg!(miri) { 50 } else { 1000 };
        for lap in 0..LAPS {
            for i in 0..7 {
                assert_ne!(ring.push(&event(lap * 7 + i)), Pushed::Full);
            }
            let blocks = [Blocks::Keep, Blocks::GiveBack][lap as usize % 2];
            ring.drain(usize::MAX, blocks, |seen| {
                assert_eq!(seen, event(next));
                next += 1;
            });
        }
        assert_eq!(next, 7 * LAPS);
    }

    #[test]
    fn a_full_ring_refuses_and_recovers() {
        let ring = Ring::within(1 << 12).expect("memory");
        let room = ring.capacity();
        for at in 0..room {
            assert_ne!(ring.push(&event(at)), Pushed::Full);
        }
        assert_eq!(ring.push(&event(0)), Pushed::Full);
        assert_eq!(
            ring.drain(usize::MAX, Blocks::GiveBack, |_| {}),
            room as usize
        );
        assert_ne!(ring.push(&event(0)), Pushed::Full);
    }

    #[test]
    fn what_lies_behind_a_place_that_is_not_filled_yet_is_not_said_to_be_taken() {
        let ring = Ring::within(1 << 12).expect("memory");
        let drain = || ring.drain_to(|| 20, usize::MAX, Blocks::GiveBack, |_| {});
        let drained = |taken, whole| Drained {
            taken,
            mark: 20,
            whole,
        };
        ring.push(&event(9));
        let slow = ring.tail.0.fetch_add(1, Relaxed);
        ring.push(&event(10));
        assert_eq!([drain(), drain()], [drained(1, false), drained(0, false)]);
        ring.slot(slow).write(&event(20));
        assert_eq!([drain(), drain()], [drained(2, true), drained(0, true)]);
        ring.push(&event(21));
        let some = ring.drain_to(|| 20, 0, Blocks::Keep, |_| {});
        assert_eq!(some, drained(0, false));
    }

    #[test]
    fn racing_producers_lose_nothing() {
        // Miri looks at a whole table whenever it is lent.
        const EACH: u64 = if cfg!(miri) { 100 } else { 100_000 };
        const BYTES: usize = if cfg!(miri) { 1 << 12 } else { 1 << 21 };
        let ring = Ring::within(BYTES).expect("memory");
        let mut seen = vec![0_u64; 3];
        std::thread::scope(|scope| {
            for producer in 0..3_u32 {
                let ring = &ring;
                scope.spawn(move || {
                    for at in 1..=EACH {
                        let event = RawEvent {
                            thread: producer,
                            ..event(at)
                        };
                        while ring.push(&event) == Pushed::Full {
                            std::thread::yield_now();
                        }
                    }
                });
            }
            while seen.iter().sum::<u64>() < 3 * EACH {
                ring.drain(1000, Blocks::GiveBack, |event| {
                    let last = &mut seen[event.thread as usize];
                    assert_eq!((event.at, event.arg), (*last + 1, 3 * event.at));
                    *last += 1;
                });
            }
        });
        assert_eq!(seen, [EACH; 3]);
    }
}
