//! Memory that probes write to and the writer reads: rings of records, what has been seen, counters.
//!
//! The probes are Java code with the addresses below written into them, and a class of the boot
//! loader is never unloaded. So this memory is mapped once and stays for the life of the process; a
//! thread that comes back from a long sleep in the middle of a probe writes into memory that is there.
//! Between recordings it is given back to the kernel.
//!
//! ```text
//! switch   limit, what tells the order, of which sites call chains are wanted: a bit for the low bits of a site
//! fresh    tail, head of the queue of objects met for the first time; their hashes
//! owners   of each group of four rings: the tids of the threads that have the first three to themselves
//! heads    of each ring: tail, head, dropped
//! rings    slots of 32 bytes: at (8) hash (4) site (4) tid and kind (8) argument (4) stamp (4)
//! seen     identity hashes met, open addressing; the sign bit says "of no interest"
//! callers  by the low bits of a tid: these and the site from which that thread is about to call an operation
//! blocking for the low bits of a hash: threads that are blocked on such a lock, as far as the JVM has told
//! enters   for the low bits of a site: of how many enters there the call chain is still to be taken
//! counters of events where no clock is read: hash (8) count (8), by the low bits of the hash
//! counts   the same for the locks whose place there another one has
//! ```
//!
//! A thread belongs to a group of rings by its tid. The first three rings of the group go to the first three threads that
//! write, each of which has one to itself until it ends ([`Arena::release`]): it fills the slot and then moves the tail,
//! with plain stores. The others share the fourth, which is larger: they reserve a
//! position by compare-and-swap on the tail, fill the slot, and last of all write the stamp: the
//! position plus one. The consumer takes a slot for filled when the stamp is that of its position, so
//! it need not clear anything, and a stamp that comes too late is of another position. A position
//! reserved and never filled (an error of the JVM thrown inside a probe, a thread that is suspended
//! there) holds its ring up; the consumer passes it by after [`PATIENCE`] and counts it.
//!
//! A counter belongs to one hash for the length of a recording, and is raised by plain stores: by who holds the lock.

mod consumer;
mod lane;
mod vigil;

use crate::memory::{Slab, Zeroable};
pub(crate) use consumer::{Consumer, Due};
pub(crate) use lane::{Lane, LaneAddresses};
use std::collections::HashSet;
use std::io;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::time::Duration;
pub(crate) use vigil::Vigil;

/// How long a reserved slot may stay empty: its thread may have lost the processor.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);
/// Rings there may be.
const MOST_RINGS: u64 = 256;
/// Records a ring with an owner may hold.
const MOST_PER_RING: u64 = 1 << 20;
const FEWEST_RINGS: u64 = 16;
/// Words from one ring's head to the next one's.
const HEAD_WORDS: usize = 32;
/// Words from a ring's tail to its other counters: lines of their own.
const HEAD: usize = 8;
const DROPPED: usize = 16;
/// Words of the switch and of the queues of fresh objects (see [`lane`]).
const LIMIT: usize = 0;
const ORDER: usize = 1;
const CHAINS: usize = 2;
const SWITCH_WORDS: usize = 64;
/// Entries looked at for one hash.
pub(crate) const SEEN_REACH: i32 = 8;
/// Rings in a group: all but the last may have owners.
pub(crate) const GROUP: usize = 4;
/// How much larger the last one is.
pub(crate) const WIDER: u64 = 4;
/// The tid of the owner of a ring that has none. A thread that is being attached has 0.
pub(crate) const NOBODY: i64 = -1;
/// Rings that a group takes the memory of.
const UNITS: u64 = GROUP as u64 - 1 + WIDER;
/// Counters: a power of two.
pub(crate) const COUNTS: usize = 1 << 16;
/// Threads whose calls are remembered at a time: a power of two. Of two that share a place the later one is.
pub(crate) const CALLERS: usize = 1 << 16;
/// Places for what somebody blocks on: a power of two. Of two locks that share one both are taken to be.
pub(crate) const BLOCKING: usize = 1 << 12;
/// Places for sites where monitors are entered: a power of two. Sites that share one share its chains.
pub(crate) const ENTERS: usize = 1 << 12;
/// Chains of the first enters at a site.
const FIRST_CHAINS: u32 = 4;
/// Places that get another chain at a time.
const MORE_CHAINS: usize = 128;
/// Records that go by while an object is made, used for the first time and put into a queue.
const NEW: u64 = 4;
/// Bytes of the counters that a lock has to itself, and of what threads are about to call.
const BESIDE: usize = COUNTS * 16 + CALLERS * 8;
/// The bits of a hash.
pub(crate) const HASH_BITS: u32 = 0x7fff_ffff;

/// What tells the order of records in different rings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Their times.
    Clock = 0,
    /// Their numbers, one after the other for each lock.
    Numbers = 1,
    /// Nothing. Each thread's records are in order.
    Nothing = 2,
}

/// One record in a ring.
#[repr(C, align(32))]
struct Slot {
    at: AtomicU64,
    hash: AtomicU32,
    site: AtomicU32,
    who: AtomicU64,
    argument: AtomicU32,
    stamp: AtomicU32,
}

// SAFETY: atomics only; all zero is an empty slot.
unsafe impl Zeroable for Slot {}

/// A record as a probe left it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Note {
    /// Time, or the number of the event among those that share its counter; 0 where nothing tells the order.
    pub(crate) at: u64,
    /// Identity hash of the object; 0 for the class of the site.
    pub(crate) hash: u32,
    /// Where.
    pub(crate) site: u32,
    /// Java tid.
    pub(crate) tid: u64,
    /// What, see [`probe`](super::probe). As wide as what is beside it: see [`What`](crate::ring::What).
    pub(crate) kind: u32,
    /// Time-out of a wait, milliseconds.
    pub(crate) argument: u32,
    /// The call chain that was taken for it, or 0: told by a record of its own in front of it.
    pub(crate) chain: u32,
}

/// Where things are, for code to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Addresses {
    pub(crate) limit: i64,
    pub(crate) order: i64,
    pub(crate) chains: i64,
    pub(crate) locks: LaneAddresses,
    pub(crate) blockers: LaneAddresses,
    pub(crate) heads: i64,
    /// From a ring's tail.
    pub(crate) head_offset: i64,
    pub(crate) dropped_offset: i64,
    /// Left shift that makes a ring's number the distance of its head.
    pub(crate) head_shift: i32,
    pub(crate) groups: i64,
    pub(crate) owners: i64,
    /// Slots of the rings that have owners: where they begin, the shift that makes a ring's number the distance of its
    /// own, and the bits of a position within it.
    pub(crate) own_slots: (i64, i32, i64),
    /// The same for those that are shared, by the number of the group.
    pub(crate) shared_slots: (i64, i32, i64),
    pub(crate) counters: i64,
    pub(crate) counts: i64,
    pub(crate) callers: i64,
    pub(crate) blocking: i64,
    pub(crate) enters: i64,
}

/// See the module.
pub(crate) struct Arena {
    switch: Slab<AtomicU64>,
    owners: Slab<AtomicU64>,
    heads: Slab<AtomicU64>,
    own: Slab<Slot>,
    shared: Slab<Slot>,
    seen_locks: Slab<AtomicU32>,
    seen_blockers: Slab<AtomicU32>,
    fresh_locks: Slab<AtomicU32>,
    fresh_blockers: Slab<AtomicU32>,
    counters: Slab<AtomicU64>,
    counts: Slab<AtomicU64>,
    callers: Slab<AtomicU64>,
    blocking: Slab<AtomicU32>,
    enters: Slab<AtomicU32>,
    rings: u64,
    /// Records in a ring that has an owner.
    per_ring: u64,
}

impl Arena {
    /// Bytes of all that is not records, the numbers that its reader remembers with it.
    pub(crate) const FIXED: usize = (Lane::Locks.seen() + Lane::Blockers.seen()) * 4
        + (Lane::Locks.fresh() + Lane::Blockers.fresh()) as usize * 4
        + (BLOCKING + ENTERS) * 4
        + (2 * COUNTS + MOST_RINGS as usize * (HEAD_WORDS + 1) + SWITCH_WORDS) * 8;

    /// Maps it: rings within `bytes`, for so many processors.
    pub(crate) fn within(bytes: usize, processors: u32) -> io::Result<Self> {
        let rings = (u64::from(processors) * 2).next_power_of_two();
        let rings = rings.clamp(FEWEST_RINGS, MOST_RINGS);
        let per_ring = 1 << unit(bytes, rings).clamp(64, MOST_PER_RING).ilog2();
        let made = Self {
            switch: Slab::new(SWITCH_WORDS)?,
            owners: Slab::new(rings as usize)?,
            heads: Slab::new(rings as usize * HEAD_WORDS)?,
            own: Slab::new((rings * per_ring) as usize)?,
            shared: Slab::new((rings / GROUP as u64 * per_ring * WIDER) as usize)?,
            seen_locks: Slab::new(Lane::Locks.seen())?,
            seen_blockers: Slab::new(Lane::Blockers.seen())?,
            fresh_locks: Slab::new(Lane::Locks.fresh() as usize)?,
            fresh_blockers: Slab::new(Lane::Blockers.fresh() as usize)?,
            counters: Slab::new(2 * COUNTS)?,
            counts: Slab::new(COUNTS)?,
            callers: Slab::new(CALLERS)?,
            blocking: Slab::new(BLOCKING)?,
            enters: Slab::new(ENTERS)?,
            rings,
            per_ring,
        };
        made.release_dead(&HashSet::new());
        Ok(made)
    }

    /// Where things are.
    pub(crate) fn addresses(&self) -> Addresses {
        let word = |slab: &Slab<AtomicU64>, at: usize| (&raw const slab[at]).addr() as i64;
        let slots = |slab: &Slab<Slot>, per_ring: u64| {
            let shift = (per_ring * size_of::<Slot>() as u64).ilog2() as i32;
            (
                (&raw const slab[0]).addr() as i64,
                shift,
                per_ring as i64 - 1,
            )
        };
        Addresses {
            limit: word(&self.switch, LIMIT),
            order: word(&self.switch, ORDER),
            chains: word(&self.switch, CHAINS),
            locks: self.lane(Lane::Locks),
            blockers: self.lane(Lane::Blockers),
            heads: word(&self.heads, 0),
            head_offset: (HEAD * 8) as i64,
            dropped_offset: (DROPPED * 8) as i64,
            head_shift: (HEAD_WORDS * 8).ilog2() as i32,
            groups: (self.rings / GROUP as u64) as i64,
            owners: word(&self.owners, 0),
            own_slots: slots(&self.own, self.per_ring),
            shared_slots: slots(&self.shared, self.per_ring * WIDER),
            counters: word(&self.counters, 0),
            counts: word(&self.counts, 0),
            callers: word(&self.callers, 0),
            blocking: (&raw const self.blocking[0]).addr() as i64,
            enters: (&raw const self.enters[0]).addr() as i64,
        }
    }

    /// Lets the probes write, with at most `bytes` of records waiting.
    pub(crate) fn switch_on(&self, bytes: usize, order: Order) {
        let most = unit(bytes, self.rings);
        self.switch[ORDER].store(order as u64, Relaxed);
        let limit = most.clamp(16, self.per_ring - 1);
        self.switch[LIMIT].store(limit, Release);
    }

    /// Somebody is about to block on the object of this hash, or does so no more: meanwhile it is of interest by which way
    /// its owner leaves. Whose end is not told keeps it of interest, which costs chains.
    pub(crate) fn note_blocking(&self, hash: u32, begins: bool) {
        let place = &self.blocking[hash as usize % BLOCKING];
        let change = |count: u32| match begins {
            true => count.checked_add(1),
            false => count.checked_sub(1),
        };
        // Of who was blocked before there were probes the end alone is told.
        let _ = place.fetch_update(Relaxed, Relaxed, change);
    }

    /// Of the next enters at each site the call chain is to be taken.
    pub(crate) fn want_first_chains(&self) {
        self.enters
            .iter()
            .for_each(|enters| enters.store(FIRST_CHAINS, Relaxed));
    }

    /// Sites that have had theirs get one more, some at a time, from this place on; where the next ones are.
    pub(crate) fn want_more_chains(&self, from: usize) -> usize {
        let places = (0..ENTERS).map(|at| (from + at) % ENTERS);
        let mut spent = places.filter(|&at| self.enters[at].load(Relaxed) == 0);
        for at in spent.by_ref().take(MORE_CHAINS) {
            self.enters[at].store(1, Relaxed);
        }
        spent.next().unwrap_or(from)
    }

    /// A chain was taken at a site.
    pub(crate) fn note_chain(&self, site: u32) {
        let left = &self.enters[site as usize % ENTERS];
        // Of two at once one may have none left, and nothing is to be done.
        let _ = left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
    }

    /// Records that may wait in a ring.
    fn limit_of(&self, ring: usize) -> u64 {
        let own = self.switch[LIMIT].load(Relaxed);
        match ring % GROUP == GROUP - 1 {
            true => own * WIDER,
            false => own,
        }
    }

    /// Records that go by until the smallest ring or queue is full. An object that is new takes some microseconds to be made and used,
    /// a few times as long as a record.
    pub(crate) fn fewest(&self) -> u64 {
        let ring = self.switch[LIMIT].load(Relaxed);
        let queue = Lane::Locks.fresh().min(Lane::Blockers.fresh());
        ring.min(NEW * queue)
    }

    fn is_clockless(&self) -> bool {
        self.switch[ORDER].load(Relaxed) != 0
    }

    /// From now on a probe returns at once.
    pub(crate) fn switch_off(&self) {
        self.want_chains(false);
        self.switch[LIMIT].store(0, Release);
    }

    /// Whether probes are to ask for call chains from now on.
    pub(crate) fn want_chains(&self, want: bool) {
        let sites = if want { u64::MAX } else { 0 };
        self.switch[CHAINS].store(sites, Relaxed);
    }

    /// The probes of a site are not to ask until the writer wants chains again.
    pub(crate) fn hold_chains(&self, site: u32) {
        self.switch[CHAINS].fetch_and(!(1 << (site % u64::BITS)), Relaxed);
    }

    /// Forgets what earlier recordings left, before the probes are switched on.
    pub(crate) fn clear(&self) {
        self.forget_all(Lane::Locks);
        self.forget_all(Lane::Blockers);
        for caller in self.callers.iter().filter(|c| c.load(Relaxed) != 0) {
            caller.store(0, Relaxed);
        }
        let numbers = self.blocking.iter().chain(&self.enters[..]);
        numbers.for_each(|number| number.store(0, Relaxed));
        for ring in 0..self.rings as usize {
            let head = &self.heads[ring * HEAD_WORDS..];
            head[HEAD].store(head[0].load(Acquire), Release);
            head[DROPPED].store(0, Relaxed);
        }
        // A probe that has slept since, between reading whose counter it is and raising it, may leave an old number there:
        // that of its lock, which it holds still.
        for counter in self.counters.chunks(2) {
            counter[0].store(0, Relaxed);
        }
    }

    /// A thread ends, this one: the ring it had to itself is anybody's. Should it write once more, it takes another.
    pub(crate) fn release(&self, tid: u64) {
        let group = tid as usize % (self.rings as usize / GROUP);
        let owners = self.owners[group * GROUP..][..GROUP].iter();
        for owner in owners.filter(|owner| owner.load(Relaxed) == tid) {
            owner.store(NOBODY as u64, Release);
        }
    }

    /// Before the probes are switched on: rings of threads that are no more are anybody's.
    pub(crate) fn release_dead(&self, alive: &HashSet<u64>) {
        let dead = |owner: &&AtomicU64| !alive.contains(&owner.load(Relaxed));
        for owner in self.owners.iter().filter(dead) {
            owner.store(NOBODY as u64, Release);
        }
    }

    /// Gives the memory of the records back to the kernel.
    pub(crate) fn give_back(&self) {
        // SAFETY: the probes are switched off, what was left to read is not wanted, and zero is a value of each of
        // these atomics, which no Rust reference outside of this arena holds as anything else. A probe that is still
        // under way relies on none of it: it writes a record whose position has gone by, finds a hash not seen and offers its object
        // once more, or numbers an event that nobody reads.
        unsafe {
            self.own.discard(0..self.own.len());
            self.shared.discard(0..self.shared.len());
            self.seen_locks.discard(0..self.seen_locks.len());
            self.seen_blockers.discard(0..self.seen_blockers.len());
            self.counters.discard(0..self.counters.len());
            self.callers.discard(0..self.callers.len());
        }
    }

    /// Whose hash's the counter is that this one may have.
    fn counter_of(&self, hash: u32) -> u64 {
        self.counters[hash as usize % COUNTS * 2].load(Relaxed)
    }

    fn fresh_hashes(&self, lane: Lane) -> &Slab<AtomicU32> {
        match lane {
            Lane::Locks => &self.fresh_locks,
            Lane::Blockers => &self.fresh_blockers,
        }
    }

    fn seen(&self, lane: Lane) -> &Slab<AtomicU32> {
        match lane {
            Lane::Locks => &self.seen_locks,
            Lane::Blockers => &self.seen_blockers,
        }
    }

    /// Rings there are.
    pub(crate) fn rings(&self) -> usize {
        self.rings as usize
    }

    /// Records that one ring has dropped since the last call.
    pub(crate) fn take_dropped_of(&self, ring: usize) -> u64 {
        self.heads[ring * HEAD_WORDS + DROPPED].swap(0, Relaxed)
    }

    /// Records dropped since the last call, because a ring was full.
    pub(crate) fn take_dropped(&self) -> u64 {
        (0..self.rings())
            .map(|ring| self.take_dropped_of(ring))
            .sum()
    }
}

/// Records that a ring with an owner may hold, of so many rings in so many bytes, which share them with [`BESIDE`].
fn unit(bytes: usize, rings: u64) -> u64 {
    let slots = (bytes.saturating_sub(BESIDE) / size_of::<Slot>()) as u64;
    slots / (rings / GROUP as u64 * UNITS)
}

impl Arena {
    fn slot(&self, ring: usize, position: u64) -> &Slot {
        let (slots, ring, per_ring) = if ring % GROUP == GROUP - 1 {
            (&self.shared, ring / GROUP, self.per_ring * WIDER)
        } else {
            (&self.own, ring, self.per_ring)
        };
        &slots[ring * per_ring as usize + (position & (per_ring - 1)) as usize]
    }

    /// The record at a position; none if it is not there yet.
    fn note(&self, ring: usize, position: u64) -> Option<Note> {
        let slot = self.slot(ring, position);
        if slot.stamp.load(Acquire) != (position as u32).wrapping_add(1) {
            return None;
        }
        let who = slot.who.load(Relaxed);
        Some(Note {
            at: slot.at.load(Relaxed),
            hash: slot.hash.load(Relaxed),
            site: slot.site.load(Relaxed),
            tid: who >> 4,
            kind: (who & 15) as u32,
            argument: slot.argument.load(Relaxed),
            chain: 0,
        })
    }
}

#[cfg(test)]
mod tests;
