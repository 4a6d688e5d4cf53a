//! Dependencies, each once.
//!
//! A *dependency* is a thread that wants something while it holds a set of locks, however often it did. Their number
//! grows with threads, locks and the ways in which they are nested, never with the length of the trace. Each acquisition
//! of a trace is looked up here, at random places of a table that fits no cache: so what is looked at for that is short
//! and at one place.

use super::follow::{Held, Moment, Wanted};
use super::step::{Lock, Mode, Site, Thread};
use std::ops::Deref;

/// Dependencies kept.
const DEPENDENCIES: usize = 2_000_000;
/// Locks held at all of them together.
const HOLDS: usize = 16_000_000;

/// A thread that wants something while it holds locks.
#[derive(Clone, Debug)]
pub(super) struct Dependency {
    pub(super) thread: Thread,
    pub(super) wanted: Wanted,
    /// What it holds, in order of the locks.
    pub(super) held: Holds,
    /// Where it wants it, the first time that this is known.
    pub(super) site: Option<Site>,
    /// It wants it at other places, too.
    pub(super) elsewhere: bool,
    pub(super) count: u64,
    /// At which steps of the thread, the first and the last.
    pub(super) first: u32,
    pub(super) last: u32,
    /// The same among the steps of all.
    pub(super) since: u64,
    pub(super) until: u64,
    /// It would have given up: who does is told apart from who waits for ever.
    timed: bool,
    /// What it waits with has a limit, which its step does not tell.
    pub(super) limited: bool,
    /// It never stands in line for what it wants.
    pub(super) at_once: bool,
    /// It holds nothing else, as far as the trace goes.
    pub(super) sure: bool,
}

impl Dependency {
    /// The lock that it wants, if it is one.
    pub(super) fn wants_lock(&self) -> Option<Lock> {
        match self.wanted {
            Wanted::Lock(lock, _) => Some(lock),
            Wanted::Notice(_) | Wanted::End(_) => None,
        }
    }
}

/// What a thread wants, and whether it would give up.
type Wants = (Wanted, bool);

/// A lock held at a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Hold {
    pub(super) lock: Lock,
    pub(super) mode: Mode,
    /// Where it was taken; not part of what makes a dependency.
    pub(super) site: Option<Site>,
}

/// Locks held at a dependency, in order. Most have one at most, which is kept where it is.
#[derive(Clone, Debug)]
pub(super) enum Holds {
    One([Hold; 1]),
    Other(Box<[Hold]>),
}

impl Holds {
    fn of(held: &[Held]) -> Self {
        let hold = |h: &Held| Hold {
            lock: h.lock,
            mode: h.mode,
            site: h.site,
        };
        if let [one] = held {
            return Self::One([hold(one)]);
        }
        let mut holds: Vec<Hold> = held.iter().map(hold).collect();
        holds.sort_unstable();
        Self::Other(holds.into())
    }
}

impl Deref for Holds {
    type Target = [Hold];

    fn deref(&self) -> &[Hold] {
        match self {
            Self::One(one) => one,
            Self::Other(holds) => holds,
        }
    }
}

/// Dependencies by what makes them.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) all: Vec<Dependency>,
    known: Index,
    holds: usize,
    /// Steps of the whole trace so far.
    pub(super) now: u64,
    /// Those that found no room.
    pub(super) left_out: u64,
}

impl Table {
    /// Counts a dependency; its index, if there was room.
    pub(super) fn add(&mut self, m: Moment, wants: Wants, held: &[Held]) -> Option<u32> {
        let hash = hash(m, wants, held);
        if let Some(index) = self
            .known
            .find(hash, |index| self.is(index, m, wants, held))
        {
            let known = &mut self.all[index as usize];
            known.count += 1;
            known.last = m.at;
            known.until = self.now;
            known.elsewhere |= known.site.is_some() && m.site.is_some() && known.site != m.site;
            known.site = known.site.or(m.site);
            return Some(index);
        }
        if self.all.len() >= DEPENDENCIES || self.holds + held.len() > HOLDS {
            self.left_out += 1;
            return None;
        }
        let index = self.all.len() as u32;
        self.known.insert(hash, index);
        self.holds += held.len();
        let (wanted, timed) = wants;
        self.all.push(Dependency {
            thread: m.thread,
            wanted,
            held: Holds::of(held),
            site: m.site,
            elsewhere: false,
            count: 1,
            first: m.at,
            last: m.at,
            since: self.now,
            until: self.now,
            timed,
            limited: false,
            at_once: false,
            sure: m.sure,
        });
        Some(index)
    }

    /// The index of a dependency, if it is known.
    pub(super) fn find(&self, m: Moment, wants: Wants, held: &[Held]) -> Option<u32> {
        self.find_in(&self.known, m, wants, held)
    }

    /// The same, if it is one of those that are asked for.
    pub(super) fn find_in(
        &self,
        index: &Index,
        m: Moment,
        wants: Wants,
        held: &[Held],
    ) -> Option<u32> {
        index.find(hash(m, wants, held), |index| self.is(index, m, wants, held))
    }

    /// Some of them, to be found among themselves: as there are few of them, that is quick.
    pub(super) fn some(&self, indices: impl Iterator<Item = u32>) -> Index {
        let mut some = Index::default();
        for index in indices {
            some.insert(self.all[index as usize].hash(), index);
        }
        some
    }

    fn is(&self, index: u32, m: Moment, wants: Wants, held: &[Held]) -> bool {
        let known = &self.all[index as usize];
        let same = (known.thread, known.sure) == (m.thread, m.sure);
        same && (known.wanted, known.timed) == wants && known.is_held(held)
    }
}

/// Where what has a hash is in a table.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Twice as many as are used at least, and a power of two.
    slots: Vec<Slot>,
    used: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    index: u32,
}

impl Slot {
    const FREE: Self = Self {
        hash: 0,
        index: u32::MAX,
    };

    fn is_free(self) -> bool {
        self.index == u32::MAX
    }
}

impl Index {
    /// What has this hash and is the one that is looked for.
    fn find(&self, hash: u32, is: impl Fn(u32) -> bool) -> Option<u32> {
        let last = self.slots.len().checked_sub(1)?;
        let mut at = hash as usize & last;
        loop {
            let slot = self.slots[at];
            if slot.is_free() {
                return None;
            }
            if slot.hash == hash && is(slot.index) {
                return Some(slot.index);
            }
            at = (at + 1) & last;
        }
    }

    fn insert(&mut self, hash: u32, index: u32) {
        self.used += 1;
        if self.used * 2 > self.slots.len() {
            let more = (self.slots.len() * 2).max(64);
            let before = std::mem::replace(&mut self.slots, vec![Slot::FREE; more]);
            let used = before.into_iter().filter(|slot| !slot.is_free());
            used.for_each(|slot| self.put(slot));
        }
        self.put(Slot { hash, index });
    }

    fn put(&mut self, slot: Slot) {
        let last = self.slots.len() - 1;
        let mut at = slot.hash as usize & last;
        while !self.slots[at].is_free() {
            at = (at + 1) & last;
        }
        self.slots[at] = slot;
    }
}

impl Dependency {
    /// It gives up, instead of waiting for ever.
    pub(super) fn gives_up(&self) -> bool {
        self.timed || self.limited
    }

    fn is_held(&self, held: &[Held]) -> bool {
        let has = |h: &Held| {
            self.held
                .iter()
                .any(|k| (k.lock, k.mode) == (h.lock, h.mode))
        };
        self.held.len() == held.len() && held.iter().all(has)
    }

    /// How it holds a lock.
    pub(super) fn hold(&self, lock: Lock) -> Option<&Hold> {
        self.held.iter().find(|hold| hold.lock == lock)
    }

    fn hash(&self) -> u32 {
        let held = self.held.iter().map(|hold| (hold.lock, hold.mode));
        hash_of((self.thread, self.sure), (self.wanted, self.timed), held)
    }
}

fn hash(m: Moment, wants: Wants, held: &[Held]) -> u32 {
    let held = held.iter().map(|held| (held.lock, held.mode));
    hash_of((m.thread, m.sure), wants, held)
}

/// The same for the same locks in any order.
fn hash_of(
    (thread, sure): (Thread, bool),
    (wanted, timed): Wants,
    held: impl Iterator<Item = (Lock, Mode)>,
) -> u32 {
    let (kind, id) = match wanted {
        Wanted::Lock(lock, mode) => (mode.code(), lock.0),
        Wanted::Notice(lock) => (8, lock.0),
        Wanted::End(thread) => (9, thread.0),
    };
    let how = u64::from(timed) << 1 | u64::from(sure);
    let what = mixed(u64::from(thread.0) << 32 | u64::from(id)) ^ mixed(kind << 2 | how);
    let held = held.map(|(lock, mode)| mixed(u64::from(lock.0) << 8 ^ mode.code() << 24 | 1 << 63));
    (held.fold(what, u64::wrapping_add) >> 32) as u32
}

/// Bits of a number, spread.
fn mixed(number: u64) -> u64 {
    let folded = (number ^ number >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (folded ^ folded >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
