//! What threads hold, and which of their dependencies are new: records of the probes in, chains of locks out.
//!
//! Nothing here knows the JVM. A lock is its identity hash; a record that is missing must be known to be
//! ([`Sieve::lose`]): what the threads of that ring hold is forgotten then, and for a while afterwards it is not taken for
//! granted that what is seen is all. So a lock that was left unseen is never held on, and one that was taken unseen is told to be possible.

use super::super::arena::GROUP;
use super::combos::{Combos, Mark, News};
use super::deeds::{Deed, Gift, Link};
use crate::scattered::Map;
use std::collections::{HashMap, HashSet, VecDeque};

/// Locks followed inside one another.
const DEPTH: usize = 64;
/// Chains that wait to be told.
const QUEUE: usize = 1 << 10;
/// Threads that hold nothing are forgotten where there are more.
const IDLE: usize = 1 << 12;
/// Locks remembered that some give back who have not taken them.
const STRAYS: usize = 1 << 12;
/// What was taken in a stretch that is lost, and is kept for longer than this, is not known of (nanoseconds).
const SETTLED: u64 = 1_000_000_000;

/// In the number of a site: the rest is that of a call chain.
pub(super) const CHAIN: u32 = 1 << 31;

/// A dependency to be told: the locks a thread holds, from the outermost in, and last the one it wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chain {
    pub(super) tid: u64,
    pub(super) links: Vec<Link>,
    /// It holds nothing else.
    pub(super) sure: bool,
    /// None: the thread gives back the one lock there is, which it has not taken.
    pub(super) stray: bool,
    /// See [`Sieve::forget`].
    pub(super) key: u64,
}

/// A lock that is held.
#[derive(Clone, Copy, Debug)]
struct Level {
    link: Link,
    depth: u32,
    /// Where its thread waits, and does not hold it meanwhile.
    waits: Option<u32>,
    /// Of all up to here.
    mark: Mark,
}

impl Level {
    fn is(&self, lock: u32, shared: bool) -> bool {
        self.link.lock == lock && self.link.how.shared == shared
    }

    /// Who holds this has that, too.
    fn covers(&self, link: &Link) -> bool {
        self.waits.is_none() && self.is(link.lock, false)
    }
}

/// What a thread gave back last: it may throw, and not have done it.
#[derive(Clone, Copy, Debug, Default)]
enum Given {
    #[default]
    Nothing,
    /// What stood there, as it was before.
    Level(usize, Level),
    /// A lock that it has not taken.
    Stray(u32),
}

#[derive(Debug, Default)]
struct Holder {
    tid: u64,
    ring: usize,
    epoch: u64,
    levels: Vec<Level>,
    given: Given,
    /// When something was heard of it last.
    heard: u64,
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
    places: Map<u64, usize>,
    holders: Vec<Holder>,
    /// Where the last record's thread is.
    last: usize,
    rings: Vec<Ring>,
    pub(super) combos: Combos,
    told: VecDeque<Chain>,
    /// Threads that were there before the probes, and until when they may hold what they took before.
    old: HashMap<u64, u64>,
    /// Locks of which nobody knows who has them.
    strays: HashSet<u32>,
    now: u64,
}

impl Sieve {
    /// Nobody holds anything; so many rings, tables within so many bytes.
    pub(super) fn new(rings: usize, bytes: usize) -> Self {
        Self {
            places: Map::default(),
            holders: vec![Holder::default()],
            last: 0,
            rings: vec![Ring::default(); rings],
            combos: Combos::within(bytes),
            told: VecDeque::new(),
            old: HashMap::new(),
            strays: HashSet::new(),
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

    /// Whether a thread is known to hold anything, and that lock not in a way that it would be let in again.
    pub(super) fn holds_without(&self, tid: u64, wanted: &Link) -> bool {
        let Some(&at) = self.places.get(&tid) else {
            return false;
        };
        let (holder, levels) = (&self.holders[at], &self.holders[at].levels);
        let known = holder.epoch == self.rings[holder.ring].epoch;
        let holds = levels.last().is_some_and(|level| level.mark != Mark::NONE);
        let has = |level: &Level| level.covers(wanted) || level.is(wanted.lock, wanted.how.shared);
        known && holds && !levels.iter().any(has)
    }

    /// Threads that are known to hold something and of which nothing was heard since a time, with when that was.
    pub(super) fn quiet(&self, since: u64) -> impl Iterator<Item = (u64, u64)> {
        let holders = self.holders.iter();
        let quiet = holders.filter(move |holder| {
            let known = || holder.epoch == self.rings[holder.ring].epoch;
            holder.heard <= since && !holder.levels.is_empty() && known()
        });
        quiet.map(|holder| (holder.tid, holder.heard))
    }

    /// A thread is blocked on a lock, and all that it did before has been taken.
    pub(super) fn want(&mut self, tid: u64, wanted: Link) {
        if !self.holds_without(tid, &wanted) {
            return;
        }
        self.last = self.places[&tid];
        let levels = &self.holders[self.last].levels;
        let outer = levels.last().map_or(Mark::NONE, |level| level.mark);
        self.wants(outer.with(wanted.lock, wanted.way()), wanted);
    }

    /// Takes in what the next record of a ring says.
    pub(super) fn take(&mut self, ring: usize, tid: u64, deed: &Deed) {
        if !self.find(ring, tid) {
            return;
        }
        let holder = &mut self.holders[self.last];
        holder.heard = self.now;
        let given = std::mem::take(&mut holder.given);
        match (given, deed) {
            (Given::Level(at, level), Deed::Kept) => self.keep(at, level),
            (_, Deed::Kept) | (Given::Nothing | Given::Level(..), _) => {}
            (Given::Stray(lock), _) => self.stray(lock),
        }
        match *deed {
            Deed::Took(link) => self.took(link),
            Deed::Gives(gift) => self.gives(gift),
            Deed::Kept => {}
            Deed::Turned(gift, link) => {
                self.gives(gift);
                self.took(link);
            }
            Deed::Waits { lock, site } => self.waits(lock, site),
            Deed::Returned { lock, site } => self.returned(lock, site),
        }
    }

    /// By the next record of a ring a thread gives up one of the locks that it holds, and nobody knows which.
    pub(super) fn take_unknown(&mut self, ring: usize, tid: u64) {
        self.doubt_for_a_while(ring, tid);
        let holder = &mut self.holders[self.last];
        holder.levels.clear();
        holder.given = Given::Nothing;
    }

    /// By the next record of a ring a thread takes or gives back what may be a lock, or not.
    pub(super) fn doubt_for_a_while(&mut self, ring: usize, tid: u64) {
        if self.find(ring, tid) {
            self.holders[self.last].unsure = self.now.saturating_add(SETTLED);
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
        holder.given = Given::Nothing;
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

    fn took(&mut self, link: Link) {
        if self.strays.contains(&link.lock) {
            return;
        }
        let levels = &mut self.holders[self.last].levels;
        let mut same = levels.iter_mut();
        if let Some(level) = same.rfind(|level| level.is(link.lock, link.how.shared)) {
            level.depth = level.depth.saturating_add(1);
            return;
        }
        let outer = levels.last().map_or(Mark::NONE, |level| level.mark);
        let covered = levels.iter().any(|level| level.covers(&link));
        let mark = match covered {
            true => outer,
            false => outer.with(link.lock, link.way()),
        };
        if outer != Mark::NONE && !covered && !link.how.tried {
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
            waits: None,
            mark,
        });
    }

    fn gives(&mut self, gift: Gift) {
        let sure = self.is_sure();
        let holder = &mut self.holders[self.last];
        let levels = &mut holder.levels;
        let is_it = |level: &Level| level.is(gift.lock, gift.shared);
        let Some(at) = levels.iter().rposition(is_it) else {
            // Of what was taken before there were probes nothing is known.
            if gift.free && sure && !self.strays.contains(&gift.lock) {
                holder.given = Given::Stray(gift.lock);
            }
            return;
        };
        if levels[at].waits.is_some() {
            // That is how the wait gives it up.
            return;
        }
        holder.given = Given::Level(at, levels[at]);
        levels[at].depth -= 1;
        if levels[at].depth == 0 {
            levels.remove(at);
            mark_from(levels, at);
        }
    }

    /// What it was about to give back it has still.
    fn keep(&mut self, at: usize, level: Level) {
        let levels = &mut self.holders[self.last].levels;
        match levels.get_mut(at) {
            Some(same) if same.is(level.link.lock, level.link.how.shared) => *same = level,
            _ => levels.insert(at.min(levels.len()), level),
        }
        mark_from(levels, 0);
    }

    /// A lock that was taken by one thread has been given back by another: nobody knows who has it, now or later.
    fn stray(&mut self, lock: u32) {
        if self.strays.len() >= STRAYS || !self.strays.insert(lock) {
            return;
        }
        for holder in &mut self.holders {
            if holder.levels.iter().any(|level| level.link.lock == lock) {
                holder.levels.retain(|level| level.link.lock != lock);
                holder.given = Given::Nothing;
                mark_from(&mut holder.levels, 0);
            }
        }
        self.told.push_back(Chain {
            tid: self.holders[self.last].tid,
            links: vec![Link::alone(lock, 0)],
            sure: true,
            stray: true,
            key: 0,
        });
    }

    fn waits(&mut self, lock: u32, site: u32) {
        let levels = &mut self.holders[self.last].levels;
        if let Some(at) = levels.iter().rposition(|level| level.is(lock, false)) {
            levels[at].waits = Some(site);
            mark_from(levels, at);
        }
    }

    /// Its wait is over, and it has taken the lock again: while it held all the others.
    fn returned(&mut self, lock: u32, site: u32) {
        let levels = &self.holders[self.last].levels;
        let Some(at) = levels.iter().rposition(|level| level.is(lock, false)) else {
            return;
        };
        let others = levels.last().map_or(Mark::NONE, |level| level.mark);
        if let Some(began) = levels[at].waits.filter(|_| others != Mark::NONE) {
            // An operation is told from where it is when it begins.
            let site = if site == 0 { began } else { site };
            let wanted = Link::alone(lock, site);
            self.wants(others.with(lock, wanted.way()), wanted);
        }
        let levels = &mut self.holders[self.last].levels;
        levels[at].waits = None;
        mark_from(levels, at);
    }

    /// Whether the thread of the last record holds nothing that was not seen.
    fn is_sure(&self) -> bool {
        let holder = &self.holders[self.last];
        let old = self.old.get(&holder.tid).copied().unwrap_or(0);
        self.now >= holder.unsure.max(self.rings[holder.ring].unsure).max(old)
    }

    fn wants(&mut self, mark: Mark, wanted: Link) {
        if self.told.len() >= QUEUE {
            // It comes again.
            return;
        }
        let (sure, holder) = (self.is_sure(), &self.holders[self.last]);
        if let News::Tell(key) = self.combos.note(mark, sure, holder.tid, self.now) {
            let mut links = held(&holder.levels);
            links.push(wanted);
            self.told.push_back(Chain {
                tid: holder.tid,
                links,
                sure,
                stray: false,
                key,
            });
        }
    }
}

/// What a thread holds with these levels, from the outermost in.
fn held(levels: &[Level]) -> Vec<Link> {
    let held = levels.iter().enumerate();
    let held = held.filter(|(at, level)| counts(levels, *at, level));
    held.map(|(_, level)| level.link).collect()
}

/// Whether the level there keeps anybody out whom those below it do not.
fn counts(levels: &[Level], at: usize, level: &Level) -> bool {
    let below = &levels[..at];
    level.waits.is_none() && !below.iter().any(|below| below.covers(&level.link))
}

/// The last ring of each group belongs to those who found none for themselves.
pub(super) fn is_shared(ring: usize) -> bool {
    ring % GROUP == GROUP - 1
}

/// Marks the levels from one on anew.
fn mark_from(levels: &mut [Level], from: usize) {
    let before = from.checked_sub(1).map(|at| levels[at].mark);
    let mut mark = before.unwrap_or(Mark::NONE);
    for at in from..levels.len() {
        let level = &levels[at];
        if counts(levels, at, level) {
            mark = mark.with(level.link.lock, level.link.way());
        }
        levels[at].mark = mark;
    }
}
