//! Blocked time on locks of `java.util.concurrent`.
//!
//! Two records speak of it. A look at parked threads ([`Parked`]) found a thread there, and perhaps the owner with its
//! call chain; the time it stands for is an estimate. Where every park is recorded ([`Park`]) the time is exact, and who
//! ended it by unparking had held the lock until then: all who were parked on it are charged to those who released it, one
//! after the other, and the time between an unpark and the end of that park is nobody's. On locks that threads park on past
//! `LockSupport` there is no such record: of them looks tell there, too, and operations who held them.

use super::holds::Holds;
use super::pieces::{Pieces, Wanted};
use super::stay::{Chain, Group, Holder, Measure, Part, Piece, Stay, Why};
use crate::collect::{Collected, FastHash, Losses};
use crate::parked::{Owned, owned};
use locklens_trace::juc::Operation;
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::parked::Parked;
use locklens_trace::record::Owner;
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// Releases of one lock that are remembered.
const RELEASES: usize = 4096;
/// Releases remembered in all.
const ALL_RELEASES: usize = 1 << 20;
/// How long the moment of a look is taken to be.
const INSTANT: u64 = 1000;
/// Parks that wait for their turn, should no heartbeat come.
const MOST: usize = 1 << 17;

/// A lock was released: whoever was unparked went on at `woke`.
#[derive(Clone, Copy, Debug)]
struct Release {
    by: ThreadId,
    at: Nanos,
    woke: Nanos,
    /// By which way.
    stack: Option<StackId>,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Parks {
    owned: BTreeMap<LockId, Owned>,
    /// Call chains that hold no frames but those of `java.util.concurrent`: they were cut before the program's own.
    inner: BTreeSet<StackId>,
    /// Every park is recorded.
    is_exact: bool,
    holds: Holds,
    /// Those of the stay that is put together.
    pieces: Pieces,
    waiting: Vec<Park>,
    /// Locks of which no park was recorded: threads park on them past `LockSupport` (`StampedLock` of JDK 8), or have been
    /// parked since before the recording. Of them looks tell.
    by_looks: BTreeSet<LockId>,
    /// What looks found there, until the operations of that time are here.
    looks: Vec<Parked>,
    releases: HashMap<LockId, VecDeque<Release>, FastHash>,
    kept: usize,
    /// What a look found last of each thread: the chain of the park that goes on.
    found: HashMap<ThreadId, Parked, FastHash>,
    /// By lock the first look that found an owner.
    owners: HashMap<LockId, Parked, FastHash>,
    /// When each thread has done something to a lock, and from where, in the order of time: of what is over, the last time alone.
    acts: HashMap<ThreadId, Vec<(Nanos, Option<StackId>)>, FastHash>,
    /// How many of them came since those that are over were left out.
    new_acts: usize,
    /// What each thread was parked on last, and up to when.
    last: HashMap<ThreadId, (LockId, Nanos), FastHash>,
    /// When events are missing, and the last operation.
    losses: Losses,
    latest: Nanos,
}

impl Parks {
    pub(super) fn new(collected: &Collected) -> Self {
        Self {
            owned: owned(collected, collected.recording.options.hide_safe),
            inner: inner_chains(collected),
            is_exact: collected.recording.parks.is_some(),
            holds: Holds::of(collected),
            pieces: Pieces::default(),
            waiting: Vec::new(),
            by_looks: unrecorded(collected),
            looks: Vec::new(),
            releases: HashMap::default(),
            kept: 0,
            found: HashMap::default(),
            owners: HashMap::default(),
            acts: HashMap::default(),
            new_acts: 0,
            last: HashMap::default(),
            losses: collected.losses.clone(),
            latest: Nanos(0),
        }
    }

    /// Goes on where another one stopped that knew less.
    pub(super) fn go_on(&mut self, past: Self) {
        let (owned, is_exact) = (std::mem::take(&mut self.owned), self.is_exact);
        let (by_looks, inner) = (
            std::mem::take(&mut self.by_looks),
            std::mem::take(&mut self.inner),
        );
        let losses = std::mem::take(&mut self.losses);
        *self = Self {
            owned,
            inner,
            is_exact,
            by_looks,
            losses,
            ..past
        };
    }

    /// A look, or several in a row, found a thread parked.
    pub(super) fn found(&mut self, parked: &Parked) -> Option<Stay> {
        let owned = *self.owned.get(&parked.lock)?;
        if !self.is_exact {
            return Some(estimate(parked, looked_at(parked, owned)));
        }
        self.found.insert(parked.thread, *parked);
        if let (Owned::Alone, Owner::Thread(_)) = (owned, parked.owner) {
            self.owners.entry(parked.lock).or_insert(*parked);
        }
        if self.by_looks.contains(&parked.lock) && self.looks.len() < MOST {
            self.looks.push(*parked);
        }
        None
    }

    /// A lock was used.
    pub(super) fn operation(&mut self, operation: &Operation) {
        // Of a part that can't be read no record tells.
        let before = self.latest;
        self.latest = before.max(operation.at);
        if before < operation.at && self.losses.between(before, operation.at) {
            self.lost();
        }
        self.holds.take_in(operation);
        let acts = self.acts.entry(operation.thread).or_default();
        // A thread's own come in their order, but for those that are told when they are over.
        let later = acts.iter().rev().take_while(|(at, _)| *at > operation.at);
        acts.insert(acts.len() - later.count(), (operation.at, operation.stack));
        self.new_acts += 1;
    }

    /// Who holds a lock now; none if not all of them are known.
    pub(super) fn holders(&self, lock: LockId) -> Option<Vec<(ThreadId, Option<StackId>)>> {
        self.holds.now(lock)
    }

    /// Only this is wanted of what parks are made of.
    pub(super) fn want(&mut self, wanted: Wanted) {
        self.pieces.want(wanted);
    }

    /// Has holds told (see [`Holds::take_over`]).
    pub(super) fn tell_holds(&mut self) {
        self.holds.tell_holds();
    }

    /// Who holds the locks of which every operation is told.
    pub(super) fn holds(&mut self) -> &mut Holds {
        &mut self.holds
    }

    /// Whether time parked there is time blocked by somebody.
    pub(super) fn is_owned(&self, lock: Option<LockId>) -> bool {
        lock.is_some_and(|lock| self.owned.contains_key(&lock))
    }

    /// Whether every park is recorded.
    pub(super) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Records are missing.
    pub(super) fn lost(&mut self) {
        self.holds.forget();
        self.acts.clear();
    }

    /// A thread parked and went on.
    pub(super) fn parked(&mut self, park: &Park) -> Vec<Stay> {
        if self.is_owned(park.lock) && park.end != ParkEnd::Unseen {
            self.waiting.push(*park);
        }
        match self.waiting.len() >= MOST {
            true => self.until(Nanos(u64::MAX)),
            false => Vec::new(),
        }
    }

    /// Everything before this time is here.
    pub(super) fn until(&mut self, at: Nanos) -> Vec<Stay> {
        self.waiting.sort_by_key(|park| park.to);
        let end = self.waiting.partition_point(|park| park.to < at);
        let due: Vec<Park> = self.waiting.drain(..end).collect();
        due.iter().for_each(|park| self.release(park));
        let mut stays: Vec<Stay> = due.iter().filter_map(|park| self.stay(park)).collect();
        // Threads that are over are looked at as well, so not each time.
        if self.new_acts >= self.acts.len() {
            self.new_acts = 0;
            self.acts.values_mut().for_each(|acts| keep_last(acts, at));
        }
        let is_due = |look: &Parked| look.to < at;
        let (due, rest) = std::mem::take(&mut self.looks)
            .into_iter()
            .partition(is_due);
        self.looks = rest;
        let due: Vec<Parked> = due;
        stays.extend(due.iter().filter_map(|look| self.stay_by_look(look)));
        stays
    }

    /// What looks found where no park is recorded. The time of each is charged to who held the lock at that very moment, where operations tell
    /// that: between two looks that found it parked the thread may have had the lock and parked again.
    fn stay_by_look(&self, look: &Parked) -> Option<Stay> {
        let owned = *self.owned.get(&look.lock)?;
        let moments = moments(look);
        let (begin, end) = stands(look);
        let whole = u128::from(end.since(begin).0);
        let mark = |at: usize| {
            let part = whole * at as u128 / moments.len() as u128;
            Nanos(begin.0.saturating_add(part as u64))
        };
        let mut pieces = Some(Vec::new());
        for (at, &moment) in moments.iter().enumerate() {
            let span = (moment, Nanos(moment.0.saturating_add(INSTANT)));
            let mut found = Pieces::default();
            let of = (look.lock, owned);
            let held = self.holds.pieces(of, look.thread, span, &mut found);
            let held = held.map(|mut held| {
                held.iter_mut().for_each(of_looks);
                stretched(held, span, (mark(at), mark(at + 1)))
            });
            pieces = pieces.zip(held).map(|(mut all, held)| {
                all.extend(held);
                all
            });
        }
        let pieces = pieces.map_or_else(
            || looked_at(look, owned),
            |pieces| with_chains(pieces, Some(look)),
        );
        Some(estimate(look, pieces))
    }

    /// Whether a chain reaches the program's own code.
    fn tells_caller(&self, stack: StackId) -> bool {
        !self.inner.contains(&stack)
    }

    fn release(&mut self, park: &Park) {
        let (Some(lock), Some(unpark)) = (park.lock, park.unpark) else {
            return;
        };
        if let Some(stack) = unpark.stack.filter(|&stack| self.tells_caller(stack)) {
            self.holds.released(lock, unpark.by, (unpark.at, stack));
        }
        // One that came before the park ended nobody's time here.
        if park.end != ParkEnd::Unparked || self.kept >= ALL_RELEASES {
            return;
        }
        let releases = self.releases.entry(lock).or_default();
        if releases.len() >= RELEASES {
            releases.pop_front();
            self.kept -= 1;
        }
        self.kept += 1;
        let at = unpark.at.min(park.to);
        let later = releases.partition_point(|release| release.at <= at);
        releases.insert(
            later,
            Release {
                by: unpark.by,
                at,
                woke: park.to,
                stack: unpark.stack,
            },
        );
    }

    fn stay(&mut self, park: &Park) -> Option<Stay> {
        let lock = park.lock?;
        let owned = *self.owned.get(&lock)?;
        let look = self.look(park, lock);
        let (from, to) = (park.from, park.to.max(park.from));
        let (of, found) = ((lock, owned), &mut self.pieces);
        let known = self.holds.pieces(of, park.thread, (from, to), found);
        let pieces = match (known, owned) {
            (Some(mut pieces), _) => {
                pieces
                    .iter_mut()
                    .for_each(|piece| self.since_before(lock, piece));
                with_chains(pieces, look.as_ref())
            }
            (None, Owned::Alone) => self.pieces(park, lock, look.as_ref()),
            // Of those who hold it together only the last is known, and of permits nobody knows who has one.
            (None, Owned::Shared | Owned::Permit) => {
                vec![Piece::unknown(park.from, park.to, Why::Shared)]
            }
        };
        Some(Stay {
            group: Group::Parked,
            lock,
            waiter: park.thread,
            stack: park
                .stack
                .filter(|&stack| self.tells_caller(stack))
                .or_else(|| look.and_then(|look| look.stack))
                .or_else(|| self.place(park, lock)),
            pieces,
            measure: Measure::Exact,
            part: self.part(park, lock),
        })
    }

    /// Before the first operation on a lock nobody gave it back: who was found to own it then has had it all along.
    fn since_before(&self, lock: LockId, piece: &mut Piece) {
        if piece.holder != Holder::Unknown(Why::Before) {
            return;
        }
        let owner = self.owners.get(&lock).filter(|look| look.from < piece.to);
        if let Some((look, Owner::Thread(thread))) = owner.map(|look| (look, look.owner)) {
            piece.holder = Holder::Thread(thread);
            piece.chain = chain_of(look, thread);
        }
    }

    /// Where the thread was when it parked: from where it has done what it does next, as it parks only to do that.
    fn place(&self, park: &Park, lock: LockId) -> Option<StackId> {
        if !self.holds.are_told(lock, park.from) {
            return None;
        }
        self.next_act(park.thread, park.to)?.1
    }

    /// Whether the thread has parked before for the same acquisition: it has done nothing to any lock since.
    fn part(&mut self, park: &Park, lock: LockId) -> Part {
        let before = self.last.insert(park.thread, (lock, park.to));
        let before = before.filter(|(other, _)| *other == lock);
        let Some((_, since)) = before else {
            return Part::First;
        };
        if !self.holds.are_told(lock, since) {
            return Part::Unclear;
        }
        match self.next_act(park.thread, since) {
            Some((at, _)) if at <= park.from => Part::First,
            _ => Part::Later,
        }
    }

    /// What a thread did first since then, and from where.
    fn next_act(&self, thread: ThreadId, since: Nanos) -> Option<(Nanos, Option<StackId>)> {
        let acts = self.acts.get(&thread)?;
        let next = acts.partition_point(|(at, _)| *at < since);
        acts.get(next).copied()
    }

    /// What a look found of that very park.
    fn look(&self, park: &Park, lock: LockId) -> Option<Parked> {
        let look = self.found.get(&park.thread)?;
        let is_same = look.lock == lock && look.from <= park.to && park.from <= look.to;
        is_same.then_some(*look)
    }

    fn pieces(&self, park: &Park, lock: LockId, look: Option<&Parked>) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut from = park.from;
        let to = park.to.max(park.from);
        let releases = self.releases.get(&lock);
        for release in releases.into_iter().flatten() {
            if release.woke <= from || release.at > to {
                continue;
            }
            let told = release.stack.filter(|&stack| self.tells_caller(stack));
            let chain = told.map(Chain::at_end);
            let chain = chain.or_else(|| look.and_then(|look| chain_of(look, release.by)));
            let held = Piece::new(from, release.at, Holder::Thread(release.by), chain);
            pieces.extend(held.clipped(from, to));
            let free = Piece::new(release.at, release.woke, Holder::Nobody, None);
            pieces.extend(free.clipped(from, to));
            from = release.woke.max(from);
        }
        let rest = Piece::unknown(from, to, Why::NotLooked);
        pieces.extend(rest.clipped(from, to));
        match pieces.is_empty() {
            true => vec![Piece::unknown(to, to, Why::NotLooked)],
            false => pieces,
        }
    }
}

/// Forgets all times before this one but the last of them.
fn keep_last(acts: &mut Vec<(Nanos, Option<StackId>)>, before: Nanos) {
    let over = acts.partition_point(|&(at, _)| at < before);
    acts.drain(..over.saturating_sub(1));
}

/// Where it is not known from where a holder took the lock, a look may have found it.
fn with_chains(mut pieces: Vec<Piece>, look: Option<&Parked>) -> Vec<Piece> {
    for piece in pieces.iter_mut().filter(|piece| piece.chain.is_none()) {
        if let (Holder::Thread(thread), Some(look)) = (piece.holder, look) {
            piece.chain = chain_of(look, thread);
        }
    }
    pieces
}

/// What the owner was doing when a look found it, if it is that thread.
fn chain_of(look: &Parked, thread: ThreadId) -> Option<Chain> {
    let stack: Option<StackId> = look
        .owner_stack
        .filter(|_| look.owner == Owner::Thread(thread));
    stack.map(Chain::looked_at)
}

/// See [`Parks::inner`].
fn inner_chains(collected: &Collected) -> BTreeSet<StackId> {
    let catalog = &collected.catalog;
    let is_inner = |frame| catalog.is_concurrent(frame);
    let stacks = catalog.stacks.values();
    let inner = stacks.filter(|stack| stack.frames.iter().all(is_inner));
    inner.map(|stack| stack.id).collect()
}

/// Locks that threads were found parked on, and never parked on by any record.
fn unrecorded(collected: &Collected) -> BTreeSet<LockId> {
    let logs = collected.parked.iter();
    let without = logs.filter(|(_, log)| log.parks.is_none());
    without.map(|(&lock, _)| lock).collect()
}

/// The time that looks stand for which found a thread parked: of each that since the look before.
pub(super) fn stands(look: &Parked) -> (Nanos, Nanos) {
    let from = look.to.0.saturating_sub(look.time.0);
    (Nanos(from), Nanos(from.saturating_add(look.time.0)))
}

/// Looks of one record that are told apart.
const MOMENTS: u32 = 256;

/// When the looks were taken, as far as that is known: the first and the last, and the others evenly between them.
fn moments(look: &Parked) -> Vec<Nanos> {
    let many = look.samples.clamp(1, MOMENTS);
    let length = u128::from(look.to.since(look.from).0);
    let at = |n: u32| {
        let part = length * u128::from(n) / u128::from(many.saturating_sub(1).max(1));
        Nanos(look.from.0.saturating_add(part as u64))
    };
    (0..many).map(at).collect()
}

/// A stay as a look found it.
fn estimate(look: &Parked, pieces: Vec<Piece>) -> Stay {
    Stay {
        group: Group::Parked,
        lock: look.lock,
        waiter: look.thread,
        stack: look.stack,
        pieces,
        measure: Measure::Estimate(!look.continues),
        part: Part::First,
    }
}

/// Looks are too far apart, and their moments too coarse, to show a thread between a release and its going on: that nobody
/// held the lock then is not known of the time they stand for.
fn of_looks(piece: &mut Piece) {
    if piece.holder == Holder::Nobody {
        piece.holder = Holder::Unknown(Why::NotLooked);
    }
}

/// The same shares of another time.
fn stretched(
    pieces: Vec<Piece>,
    (from, to): (Nanos, Nanos),
    (begin, end): (Nanos, Nanos),
) -> Vec<Piece> {
    let (whole, wanted) = (u128::from(to.since(from).0), end.since(begin).0);
    let moved = |at: Nanos| {
        let part = u128::from(at.since(from).0) * u128::from(wanted) / whole.max(1);
        Nanos(begin.0.saturating_add(part as u64))
    };
    let piece = |piece: Piece| {
        Piece::new(
            moved(piece.from),
            moved(piece.to),
            piece.holder,
            piece.chain,
        )
    };
    pieces.into_iter().map(piece).collect()
}

/// The owner that a look found, for all of its time.
fn looked_at(look: &Parked, owned: Owned) -> Vec<Piece> {
    let (holder, chain) = owner(look, owned);
    let (from, to) = stands(look);
    vec![Piece::new(from, to, holder, chain)]
}

fn owner(parked: &Parked, owned: Owned) -> (Holder, Option<Chain>) {
    match (parked.owner, owned) {
        (Owner::Thread(thread), _) => (Holder::Thread(thread), chain_of(parked, thread)),
        (Owner::Nobody | Owner::Unknown, Owned::Shared | Owned::Permit) => {
            (Holder::Unknown(Why::Shared), None)
        }
        (Owner::Nobody | Owner::Unknown, Owned::Alone) => (Holder::Unknown(Why::NotLooked), None),
    }
}
