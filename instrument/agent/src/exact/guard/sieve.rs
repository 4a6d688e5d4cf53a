//! What threads hold, and which of their dependencies are new: records of the probes in, chains of locks out.
//!
//! Nothing here knows the JVM. A lock is its identity hash; a record that is missing must be known to be
//! ([`Sieve::lose`]): what the threads of that ring hold is forgotten then, and for a while afterwards it is not taken for
//! granted that what is seen is all. So a lock that was left unseen is never held on, and one that was taken unseen is told to be possible.

use super::super::arena::{GROUP, Note};
use super::super::probe::kind;
use super::combos::{Combos, Mark, News};
use std::collections::{HashMap, HashSet, VecDeque};

/// Locks followed inside one another.
const DEPTH: usize = 64;
/// Chains that wait to be told.
const QUEUE: usize = 1 << 10;
/// Threads that hold nothing are forgotten where there are more.
const IDLE: usize = 1 << 12;
/// What was taken in a stretch that is lost, and is kept for longer than this, is not known of (nanoseconds).
const SETTLED: u64 = 1_000_000_000;

/// In the number of a site: the rest is that of a call chain.
pub(super) const CHAIN: u32 = 1 << 31;

/// A lock, by its hash, and where it was taken or wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Link {
    pub(super) lock: u32,
    pub(super) site: u32,
}

/// A dependency to be told: the locks a thread holds, from the outermost in, and last the one it wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chain {
    pub(super) tid: u64,
    pub(super) links: Vec<Link>,
    /// It holds nothing else.
    pub(super) sure: bool,
    /// See [`Sieve::forget`].
    pub(super) key: u64,
}

/// A lock that is held.
#[derive(Clone, Copy, Debug)]
struct Level {
    link: Link,
    depth: u32,
    /// Not while its thread waits on it.
    waits: bool,
    /// Of all up to here.
    mark: Mark,
}

#[derive(Debug, Default)]
struct Holder {
    tid: u64,
    ring: usize,
    epoch: u64,
    levels: Vec<Level>,
    /// Something may have been missed until then.
    unsure: u64,
}

/// What is known of the records of one ring.
#[derive(Clone, Copy, Debug, Default)]
struct Ring {
    /// Times something was lost.
    epoch: u64,
    unsure: u64,
}

/// See the module.
pub(super) struct Sieve {
    places: HashMap<u64, usize>,
    holders: Vec<Holder>,
    /// Where the last record's thread is.
    last: usize,
    rings: Vec<Ring>,
    pub(super) combos: Combos,
    told: VecDeque<Chain>,
    /// Threads that were there before the probes, and until when they may hold what they took before.
    old: HashMap<u64, u64>,
    now: u64,
}

impl Sieve {
    /// Nobody holds anything; so many rings, tables within so many bytes.
    pub(super) fn new(rings: usize, bytes: usize) -> Self {
        Self {
            places: HashMap::new(),
            holders: vec![Holder::default()],
            last: 0,
            rings: vec![Ring::default(); rings],
            combos: Combos::within(bytes),
            told: VecDeque::new(),
            old: HashMap::new(),
            now: 0,
        }
    }

    /// Time goes on.
    pub(super) fn turn(&mut self, now: u64) {
        self.now = now;
        self.combos.turn(now);
        if self.holders.len() > IDLE {
            self.forget_idle();
        }
    }

    fn forget_idle(&mut self) {
        let now = self.now;
        self.holders
            .retain(|holder| !holder.levels.is_empty() || holder.unsure > now);
        self.holders.insert(0, Holder::default());
        self.last = 0;
        let holders = self.holders.iter().enumerate().skip(1);
        self.places = holders.map(|(at, holder)| (holder.tid, at)).collect();
    }

    /// The next dependency to be told.
    pub(super) fn next(&mut self) -> Option<Chain> {
        self.told.pop_front()
    }

    /// One that could not be told is news the next time.
    pub(super) fn forget(&mut self, key: u64) {
        self.combos.forget(key);
    }

    /// Records of this ring are missing.
    pub(super) fn lose(&mut self, ring: usize) {
        let ring = &mut self.rings[ring];
        ring.epoch += 1;
        ring.unsure = self.now.saturating_add(SETTLED);
    }

    /// These threads may hold what they took before there were probes, until they are seen outside of old code.
    pub(super) fn doubt(&mut self, threads: impl Iterator<Item = u64>) {
        self.old.extend(threads.map(|tid| (tid, u64::MAX)));
    }

    /// Whether any thread may still be inside old code.
    pub(super) fn has_doubts(&self) -> bool {
        self.old.values().any(|until| *until == u64::MAX)
    }

    /// Those who are inside old code now: the others hold nothing that they took there.
    pub(super) fn see_inside(&mut self, inside: &HashSet<u64>) {
        let now = self.now;
        self.old.retain(|_, until| *until > now);
        for (tid, until) in &mut self.old {
            if *until == u64::MAX && !inside.contains(tid) {
                *until = now.saturating_add(SETTLED);
            }
        }
    }

    /// Whether a thread is known to hold anything, and not that lock.
    pub(super) fn holds_without(&self, tid: u64, lock: u32) -> bool {
        let Some(&at) = self.places.get(&tid) else {
            return false;
        };
        let (holder, levels) = (&self.holders[at], &self.holders[at].levels);
        let known = holder.epoch == self.rings[holder.ring].epoch;
        let holds = levels.last().is_some_and(|level| level.mark != Mark::NONE);
        known && holds && levels.iter().all(|level| level.link.lock != lock)
    }

    /// A thread is blocked on a lock, and all that it did before has been taken.
    pub(super) fn want(&mut self, tid: u64, lock: u32, site: u32) {
        if !self.holds_without(tid, lock) {
            return;
        }
        self.last = self.places[&tid];
        let levels = &self.holders[self.last].levels;
        let outer = levels.last().map_or(Mark::NONE, |level| level.mark);
        self.wants(outer.with(lock, site), Link { lock, site });
    }

    /// Takes the next record out of a ring.
    pub(super) fn take(&mut self, ring: usize, note: &Note) {
        if !self.find(ring, note.tid) {
            return;
        }
        match note.kind {
            kind::ENTERED => self.entered(note.hash, note.site),
            kind::EXIT => self.left(note.hash),
            kind::WAITING => self.waits(note.hash),
            kind::WAITED | kind::WAIT_THREW => self.waited(note.hash, note.site),
            _ => {}
        }
    }

    /// Finds the thread of a record; whether the record is to be heeded.
    fn find(&mut self, ring: usize, tid: u64) -> bool {
        if self.holders[self.last].tid != tid || self.last == 0 {
            self.last = self.place(ring, tid);
        }
        let (holder, known) = (&mut self.holders[self.last], self.rings[ring]);
        if holder.ring == ring && holder.epoch == known.epoch {
            return true;
        }
        holder.levels.clear();
        if holder.ring == ring {
            holder.epoch = known.epoch;
            return true;
        }
        // It has got a ring to itself. What it left in the other one before may still come, and is too late.
        holder.unsure = self.now.saturating_add(SETTLED);
        if is_shared(ring) {
            return false;
        }
        (holder.ring, holder.epoch) = (ring, known.epoch);
        true
    }

    fn place(&mut self, ring: usize, tid: u64) -> usize {
        let (holders, epoch) = (&mut self.holders, self.rings[ring].epoch);
        *self.places.entry(tid).or_insert_with(|| {
            holders.push(Holder {
                tid,
                ring,
                epoch,
                ..Holder::default()
            });
            holders.len() - 1
        })
    }

    fn entered(&mut self, lock: u32, site: u32) {
        let link = Link { lock, site };
        let levels = &mut self.holders[self.last].levels;
        if let Some(level) = levels.iter_mut().rfind(|level| level.link.lock == lock) {
            level.depth = level.depth.saturating_add(1);
            return;
        }
        let outer = levels.last().map_or(Mark::NONE, |level| level.mark);
        let mark = outer.with(lock, site);
        if outer != Mark::NONE {
            self.wants(mark, link);
        }
        let (holder, now) = (&mut self.holders[self.last], self.now);
        if holder.levels.len() >= DEPTH {
            holder.unsure = now.saturating_add(SETTLED);
            return;
        }
        holder.levels.push(Level {
            link,
            depth: 1,
            waits: false,
            mark,
        });
    }

    fn left(&mut self, lock: u32) {
        let levels = &mut self.holders[self.last].levels;
        // Of what was taken before there were probes nothing is known.
        let Some(at) = levels.iter().rposition(|level| level.link.lock == lock) else {
            return;
        };
        levels[at].depth -= 1;
        if levels[at].depth == 0 {
            levels.remove(at);
            mark_from(levels, at);
        }
    }

    fn waits(&mut self, lock: u32) {
        let levels = &mut self.holders[self.last].levels;
        if let Some(at) = levels.iter().rposition(|level| level.link.lock == lock) {
            levels[at].waits = true;
            mark_from(levels, at);
        }
    }

    /// Its wait is over, and it has taken the lock again: while it held all the others.
    fn waited(&mut self, lock: u32, site: u32) {
        let levels = &self.holders[self.last].levels;
        let Some(at) = levels.iter().rposition(|level| level.link.lock == lock) else {
            return;
        };
        let others = levels.last().map_or(Mark::NONE, |level| level.mark);
        if levels[at].waits && others != Mark::NONE {
            self.wants(others.with(lock, site), Link { lock, site });
        }
        let levels = &mut self.holders[self.last].levels;
        levels[at].waits = false;
        mark_from(levels, at);
    }

    fn wants(&mut self, mark: Mark, wanted: Link) {
        let holder = &self.holders[self.last];
        let old = self.old.get(&holder.tid).copied().unwrap_or(0);
        let unsure = holder.unsure.max(self.rings[holder.ring].unsure).max(old);
        let sure = self.now >= unsure;
        if self.told.len() >= QUEUE {
            // It comes again.
            return;
        }
        if let News::Tell(key) = self.combos.note(mark, sure, holder.tid, self.now) {
            let held = holder.levels.iter().filter(|level| !level.waits);
            let mut links: Vec<Link> = held.map(|level| level.link).collect();
            links.push(wanted);
            self.told.push_back(Chain {
                tid: holder.tid,
                links,
                sure,
                key,
            });
        }
    }
}

/// The last ring of each group belongs to those who found none for themselves.
pub(super) fn is_shared(ring: usize) -> bool {
    ring % GROUP == GROUP - 1
}

/// Marks the levels from one on anew.
fn mark_from(levels: &mut [Level], from: usize) {
    let before = from.checked_sub(1).map(|at| levels[at].mark);
    let mut mark = before.unwrap_or(Mark::NONE);
    for level in &mut levels[from..] {
        if !level.waits {
            mark = mark.with(level.link.lock, level.link.site);
        }
        level.mark = mark;
    }
}
