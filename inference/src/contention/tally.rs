//! Stays, counted by the keys that were asked for. Memory grows with distinct rows, never with stays.
//!
//! A tally may be of one lock object alone, where nobody knows yet which objects are one lock: what the object itself
//! is called is then left open (see `books`).

use super::atlas::{Atlas, needed};
use super::key::Key;
use super::stay::{Chain, Group, Holder, Measure, Piece, Stay, Sure, Why};
use crate::collect::FastHash;
use crate::times::Lengths;
use locklens_trace::{Nanos, ThreadId};
use std::collections::{BTreeMap, HashMap};

/// The part of a recording that is one value of [`Key::Time`], at first.
pub(super) const INTERVAL: Nanos = Nanos(1_000_000_000);

/// Index of a row.
pub(super) type RowIx = usize;
/// The row of everything.
pub(super) const ALL: RowIx = 0;

/// What is counted in a row. Each piece touches one cache line of it, each stay one more: in this order.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub(super) struct Row {
    /// What stays lost to it, one by one.
    pub(super) lengths: Lengths,
    parent: RowIx,
    pub(super) code: u64,
    /// The stay that is being counted, and what it has lost to this row so far.
    stay: u64,
    lost: u64,
    /// Time charged to threads by what too few looks have tested.
    pub(super) untested: u64,
    /// Time in which there was nothing to take.
    pub(super) idle: u64,
    /// Stays that were estimated, and the time they come to.
    pub(super) estimates: u64,
    pub(super) estimated: u64,
    pub(super) children: Vec<RowIx>,
    /// Of a row of what is not known where: which threads that were, as many as there is room for.
    nowhere: BTreeMap<ThreadId, u64>,
}

/// What a piece has in common with all others of its row: the same codes in all keys. What no key asks for is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Atom {
    group: u8,
    object: u32,
    waiter: u32,
    waiter_stack: u32,
    holder: u64,
    holder_stack: u64,
    time: u64,
}

/// What the keys ask for.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    group: bool,
    object: bool,
    waiter: bool,
    waiter_stack: bool,
    holder: bool,
    /// Which thread it was, and not only that it was one.
    owner: bool,
    holder_stack: bool,
    time: bool,
}

impl Asked {
    fn by(keys: &[Key]) -> Self {
        let any = |wanted: &[Key]| keys.iter().any(|key| wanted.contains(key));
        Self {
            group: any(&[Key::Group]),
            object: any(&[Key::Lock, Key::LockClass, Key::Type]),
            waiter: any(&[Key::WaiterThread, Key::WaiterGroup]),
            waiter_stack: keys.iter().any(|key| key.is_of_waiter_chain()),
            holder: keys.iter().any(|key| key.is_of_owner()),
            owner: any(&[Key::OwnerThread, Key::OwnerGroup]),
            holder_stack: keys.iter().any(|key| key.is_of_owner_chain()),
            time: any(&[Key::Time]),
        }
    }
}

/// See the module.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) keys: Vec<Key>,
    asked: Asked,
    /// So much of the chain of who held it must be known to tell it by the keys.
    enough: Sure,
    pub(super) rows: Vec<Row>,
    /// Length of the parts of a recording that are values of [`Key::Time`].
    pub(super) interval: Nanos,
    known: HashMap<(RowIx, u64), RowIx, FastHash>,
    leaves: HashMap<Atom, RowIx, FastHash>,
    stays: u64,
    touched: Vec<RowIx>,
    /// It is of one lock object.
    is_of_object: bool,
    /// So many rows there is room for.
    pub(super) most: usize,
    /// Time charged to nobody known, by reason.
    pub(super) unknown: BTreeMap<Why, u64>,
    /// Time in which the lock was free.
    pub(super) free: u64,
    /// Time in which those who were to blame held each other up.
    pub(super) cycles: u64,
    /// Time charged to a thread, of which the chain is not known.
    pub(super) without_chain: u64,
    /// Time of stays without a call chain of who was blocked: of those that were parked, …
    pub(super) parked_without_chain: u64,
    /// … and of the others.
    pub(super) waiter_without_chain: u64,
}

impl Tally {
    pub(super) fn by(keys: &[Key]) -> Self {
        Self {
            keys: keys.to_vec(),
            asked: Asked::by(keys),
            enough: enough(keys),
            rows: vec![Row::default()],
            interval: INTERVAL,
            known: HashMap::default(),
            leaves: HashMap::default(),
            stays: 0,
            touched: Vec::new(),
            is_of_object: false,
            most: usize::MAX,
            unknown: BTreeMap::new(),
            free: 0,
            cycles: 0,
            without_chain: 0,
            parked_without_chain: 0,
            waiter_without_chain: 0,
        }
    }

    /// One for a single lock object.
    pub(super) fn of_object(keys: &[Key], interval: Nanos) -> Self {
        Self {
            interval,
            is_of_object: true,
            ..Self::by(keys)
        }
    }

    /// Two parts of the recording become one. A stay that both of them had counts twice there, once for each.
    pub(super) fn widen(&mut self) {
        let old = std::mem::take(&mut self.rows);
        self.interval = doubled(self.interval);
        self.rows.push(Row::default());
        self.known.clear();
        self.leaves.clear();
        self.copy(&old, &[ALL], ALL, 0);
    }

    /// Adds rows as they were, which are one now, and those below them.
    fn copy(&mut self, old: &[Row], from: &[RowIx], to: RowIx, depth: usize) {
        let by_time = self.keys.get(depth) == Some(&Key::Time);
        let mut below: BTreeMap<RowIx, Vec<RowIx>> = BTreeMap::new();
        for row in from.iter().map(|&ix| &old[ix]) {
            self.rows[to].join(row);
            for &child in &row.children {
                let code = match old[child].code {
                    code if by_time && code != REST => code / 2,
                    code => code,
                };
                let row = self.child(to, code);
                below.entry(row).or_default().push(child);
            }
        }
        for (row, from) in below {
            self.copy(old, &from, row, depth + 1);
        }
    }

    /// Counts a stay in every row that one of its pieces belongs to, once.
    pub(super) fn add(&mut self, stay: &Stay, atlas: &mut Atlas<'_>) {
        self.stays += 1;
        for piece in &stay.pieces {
            self.note(stay, piece);
            match self.asked.time {
                true => self.add_by_interval(stay, piece, atlas),
                false => self.add_piece(stay, piece, atlas),
            }
        }
        for row in std::mem::take(&mut self.touched) {
            self.rows[row].close(stay.measure);
        }
    }

    fn note(&mut self, stay: &Stay, piece: &Piece) {
        if stay.measure == Measure::Unknown {
            return;
        }
        if stay.stack.is_none() {
            let sum = match stay.group {
                Group::Parked => &mut self.parked_without_chain,
                _ => &mut self.waiter_without_chain,
            };
            *sum = sum.saturating_add(piece.ns());
        }
        let sum = match piece.holder {
            Holder::Unknown(why) => self.unknown.entry(why).or_default(),
            Holder::Nobody | Holder::Empty => &mut self.free,
            Holder::Cycle => &mut self.cycles,
            Holder::Thread(_) if piece.chain.is_some_and(|chain| chain.sure >= self.enough) => {
                return;
            }
            Holder::Thread(_) => &mut self.without_chain,
        };
        *sum = sum.saturating_add(piece.ns());
    }

    fn add_by_interval(&mut self, stay: &Stay, piece: &Piece, atlas: &mut Atlas<'_>) {
        let mut rest = Some(*piece);
        // A piece that claims to be of thousands of intervals is told as one of the first.
        for _ in 0..MOST_INTERVALS {
            let Some(piece) = rest else { return };
            let end = Nanos((piece.from.0 / self.interval.0 + 1).saturating_mul(self.interval.0));
            let first = piece.clipped(piece.from, end).unwrap_or(piece);
            self.add_piece(stay, &first, atlas);
            rest = piece.clipped(end, piece.to);
        }
        if let Some(piece) = rest {
            self.add_piece(stay, &piece, atlas);
        }
    }

    fn add_piece(&mut self, stay: &Stay, piece: &Piece, atlas: &mut Atlas<'_>) {
        let atom = self.atom(stay, piece);
        let leaf = match self.leaves.get(&atom) {
            Some(&leaf) => leaf,
            None => self.leaf(atom, stay, piece, atlas),
        };
        let whose = match piece.holder {
            Holder::Thread(thread) if stay.measure != Measure::Unknown => Some(thread),
            _ => None,
        };
        let (mut row, mut keys) = (leaf, self.keys.iter().rev());
        loop {
            if self.rows[row].lose(piece.ns(), self.stays) {
                self.touched.push(row);
            }
            if stay.measure != Measure::Unknown {
                self.rows[row].weigh(piece);
            }
            let Some(key) = keys.next() else {
                return;
            };
            let is_nowhere = key.is_of_owner_chain() && self.rows[row].code == NONE;
            if let Some(thread) = whose.filter(|_| is_nowhere) {
                self.rows[row].note(thread, piece.ns());
            }
            row = self.rows[row].parent;
        }
    }

    fn atom(&self, stay: &Stay, piece: &Piece) -> Atom {
        let asked = &self.asked;
        let when = |asked: bool, code: u64| if asked { code } else { 0 };
        let small = |asked: bool, code: u32| if asked { code } else { 0 };
        Atom {
            group: if asked.group { stay.group as u8 } else { 0 },
            object: small(asked.object, stay.lock.0),
            waiter: small(asked.waiter, stay.waiter.0),
            waiter_stack: small(asked.waiter_stack, stay.stack.map_or(0, |stack| stack.0)),
            holder: match piece.holder {
                Holder::Thread(_) if !asked.owner => when(asked.holder, NAMED),
                holder => when(asked.holder, holder_code(holder)),
            },
            holder_stack: when(asked.holder_stack, chain_code(piece.chain)),
            time: when(asked.time, piece.from.0 / self.interval.0),
        }
    }

    #[cold]
    fn leaf(&mut self, atom: Atom, stay: &Stay, piece: &Piece, atlas: &mut Atlas<'_>) -> RowIx {
        let mut row = ALL;
        for at in 0..self.keys.len() {
            let code = self.code(self.keys[at], stay, piece, atlas);
            row = self.child(row, code);
        }
        let most = match self.is_of_object {
            true => LEAVES,
            false => ALL_LEAVES,
        };
        if self.leaves.len() >= most {
            self.leaves.clear();
        }
        self.leaves.insert(atom, row);
        row
    }

    fn child(&mut self, parent: RowIx, code: u64) -> RowIx {
        if let Some(&row) = self.known.get(&(parent, code)) {
            return row;
        }
        let is_first = parent == ALL && !self.is_of_object;
        if self.rows.len() >= self.most && code != REST && !is_first {
            return self.child(parent, REST);
        }
        let row = self.rows.len();
        self.rows.push(Row {
            parent,
            code,
            ..Row::default()
        });
        self.rows[parent].children.push(row);
        self.known.insert((parent, code), row);
        row
    }

    /// What a piece is by a key.
    pub(super) fn code(&self, key: Key, stay: &Stay, piece: &Piece, atlas: &mut Atlas<'_>) -> u64 {
        let thread = match piece.holder {
            Holder::Thread(thread) => Some(thread),
            Holder::Nobody | Holder::Empty | Holder::Cycle | Holder::Unknown(_) => None,
        };
        let of_owner = |code: Option<u64>| {
            let code = thread.map(|_| code.map_or(NONE, |code| code + NAMED));
            code.unwrap_or(holder_code(piece.holder))
        };
        match key {
            Key::LockClass | Key::Lock | Key::Type if self.is_of_object => OWN,
            Key::Group => stay.group as u64,
            Key::LockClass => atlas.class_of(stay.lock),
            Key::Lock => atlas.lock_of(stay.lock),
            Key::Type => atlas.type_of(stay.lock),
            Key::WaiterThread => u64::from(stay.waiter.0) + NAMED,
            Key::WaiterGroup => atlas.thread_group(stay.waiter) + NAMED,
            Key::WaiterMethod | Key::WaiterSite | Key::WaiterStack => {
                let chain = stay.stack.map(Chain::at_end);
                let code = atlas.place(key, chain, stay.lock);
                code.map_or(NONE, |code| code + NAMED)
            }
            Key::OwnerThread => of_owner(thread.map(|t| u64::from(t.0))),
            Key::OwnerGroup => of_owner(thread.map(|t| atlas.thread_group(t))),
            Key::OwnerMethod | Key::OwnerSite | Key::OwnerStack => {
                of_owner(atlas.place(key, piece.chain, stay.lock))
            }
            Key::Time => piece.from.0 / self.interval.0,
        }
    }
}

/// How much of the chain of who held a lock the keys tell; of none that does, anything.
fn enough(keys: &[Key]) -> Sure {
    let of_owner = keys.iter().filter(|key| key.is_of_owner_chain());
    of_owner
        .map(|&key| needed(key))
        .max()
        .unwrap_or(Sure::Method)
}

/// Intervals that one piece is divided among at most: a trace may claim any time.
const MOST_INTERVALS: usize = 100_000;

/// Atoms of one lock object whose rows are remembered: they are found again without that.
const LEAVES: usize = 1 << 14;
/// The same of all objects.
const ALL_LEAVES: usize = 1 << 20;

/// Code of what there was no room for any more, of any key.
pub(super) const REST: u64 = u64::MAX;
/// In a tally of one lock object: whatever that object is called.
pub(super) const OWN: u64 = 0;
/// Codes of holders and places: not known.
pub(super) const NONE: u64 = 0;
/// The lock was free.
pub(super) const FREE: u64 = 1;
/// In a ring of threads that hold each other up.
pub(super) const CYCLE: u64 = 2;
/// There was nothing to take.
pub(super) const EMPTY: u64 = 3;
/// Codes from here on stand for something with a name.
pub(super) const NAMED: u64 = 4;

fn holder_code(holder: Holder) -> u64 {
    match holder {
        Holder::Unknown(_) => NONE,
        Holder::Nobody => FREE,
        Holder::Empty => EMPTY,
        Holder::Cycle => CYCLE,
        Holder::Thread(ThreadId(id)) => u64::from(id) + NAMED,
    }
}

fn chain_code(chain: Option<Chain>) -> u64 {
    chain.map_or(0, |chain| {
        u64::from(chain.stack.0) << 5 | (chain.sure as u64) << 3 | (chain.end as u64) << 1 | 1
    })
}

/// Twice as long.
pub(super) fn doubled(interval: Nanos) -> Nanos {
    Nanos(interval.0.saturating_mul(2))
}

/// Threads of a row that are told apart.
const THREADS: usize = 64;

impl Row {
    /// A thread of which it is not known where it was has cost so much.
    fn note(&mut self, thread: ThreadId, ns: u64) {
        let all = &mut self.nowhere;
        if all.len() < THREADS || all.contains_key(&thread) {
            let sum = all.entry(thread).or_default();
            *sum = sum.saturating_add(ns);
        }
    }

    /// Threads of which it is not known where they were.
    pub(super) fn nowhere(&self) -> impl Iterator<Item = (ThreadId, u64)> {
        self.nowhere.iter().map(|(&thread, &ns)| (thread, ns))
    }

    /// Adds what another row has, but what is below it.
    fn join(&mut self, other: &Self) {
        self.lengths.merge(&other.lengths);
        self.untested = self.untested.saturating_add(other.untested);
        self.idle = self.idle.saturating_add(other.idle);
        self.estimates = self.estimates.saturating_add(other.estimates);
        self.estimated = self.estimated.saturating_add(other.estimated);
        for (thread, ns) in other.nowhere() {
            self.note(thread, ns);
        }
    }

    /// Adds what a piece is worth.
    fn weigh(&mut self, piece: &Piece) {
        let add = |sum: &mut u64| *sum = sum.saturating_add(piece.ns());
        if piece.untested {
            add(&mut self.untested);
        }
        if piece.holder == Holder::Empty {
            add(&mut self.idle);
        }
    }

    /// Counts a piece of this stay; true if it is the first of it here.
    fn lose(&mut self, ns: u64, stay: u64) -> bool {
        let is_first = self.stay != stay;
        self.lost = if is_first { 0 } else { self.lost };
        self.lost = self.lost.saturating_add(ns);
        self.stay = stay;
        is_first
    }

    /// All pieces of a stay have been counted.
    fn close(&mut self, measure: Measure) {
        match measure {
            Measure::Exact => self.lengths.add(Nanos(self.lost)),
            Measure::Unknown => self.lengths.add_unknown(),
            Measure::Estimate(is_new) => {
                self.estimates += u64::from(is_new);
                self.estimated = self.estimated.saturating_add(self.lost);
            }
        }
    }

    /// All time lost to it.
    pub(super) fn ns(&self) -> u64 {
        self.lengths.total().0.saturating_add(self.estimated)
    }
}
