//! Those who are blocked on one lock, and what has been going on there since the first of them came.
//!
//! What goes on is written down once, however many are blocked: thousands may be, and the lock may change hands as often
//! before one of them comes through. Each reads its part when it leaves.

use super::stay::{Chain, Group, Holder, Piece, Why};
use crate::collect::FastMap;
use locklens_trace::{Nanos, StackId, ThreadId};

/// Pieces of a stay up to which they are told one by one.
const PIECES: usize = 1024;
/// Pieces of a lock's history that are kept at least, and for each who is blocked, before they are summed up.
const KEPT: usize = 2 * PIECES;
const EACH: usize = 64;
/// Pieces beyond twice those that are to be kept at which the first are forgotten.
const MORE: usize = 256;

/// What is kept of the pieces of a stay under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Keep {
    /// Many that are charged to one holder become one: their times do not matter.
    #[default]
    Lengths,
    /// All of them, with their times.
    All,
    /// So many at least, with their times, the last ones; of what came before nothing is known.
    Last(usize),
}

/// A blocked thread.
#[derive(Clone, Debug)]
pub(super) struct Blocked {
    pub(super) thread: ThreadId,
    pub(super) group: Group,
    pub(super) stack: Option<StackId>,
    pub(super) since: Nanos,
    /// How many came before it.
    nth: u64,
    /// Pieces there were before those that concern it.
    begin: u64,
    /// Up to here its time is in the sums.
    done: Nanos,
    /// By charge, in order.
    sums: Vec<(u32, u64)>,
}

/// Whom time is charged to, and on what grounds.
pub(super) type Charge = (Holder, Option<Chain>, bool);

/// How it was with the lock for a while.
#[derive(Clone, Copy, Debug)]
struct Passed {
    from: Nanos,
    to: Nanos,
    charge: u32,
}

/// All charges that there are, by number.
#[derive(Debug, Default)]
struct Charges {
    all: Vec<Charge>,
    numbers: FastMap<Charge, u32>,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Room {
    blocked: FastMap<ThreadId, Blocked>,
    /// How many have come.
    came: u64,
    charges: Charges,
    history: Vec<Passed>,
    /// Pieces that were before it.
    gone: u64,
    /// Pieces and charges at which what nobody needs any more is looked for.
    full: usize,
    keep: Keep,
}

impl Room {
    pub(super) fn new(keep: Keep) -> Self {
        Self {
            keep,
            ..Self::default()
        }
    }

    /// Where a thread is blocked.
    pub(super) fn stack_of(&self, thread: ThreadId) -> Option<StackId> {
        self.blocked.get(&thread)?.stack
    }

    pub(super) fn enter(
        &mut self,
        thread: ThreadId,
        group: Group,
        stack: Option<StackId>,
        since: Nanos,
    ) {
        // A piece that ends here may yet become longer.
        let before = self.history.partition_point(|piece| piece.to < since);
        let blocked = Blocked {
            thread,
            group,
            stack,
            since,
            nth: self.came,
            begin: self.gone + before as u64,
            done: since,
            sums: Vec::new(),
        };
        self.came += 1;
        self.blocked.insert(thread, blocked);
    }

    /// So it was with the lock, after what was told before.
    pub(super) fn tell(&mut self, piece: Piece) {
        if self.blocked.is_empty() || piece.from >= piece.to {
            return;
        }
        let Piece { from, to, .. } = piece;
        let last = self.history.last_mut().filter(|last| last.to == from);
        if let Some(last) = last
            && self.charges.all[last.charge as usize] == piece.charge()
        {
            last.to = to;
            return;
        }
        let charge = self.charges.number(piece.charge());
        self.history.push(Passed { from, to, charge });
        let most = match self.keep {
            Keep::All => usize::MAX,
            Keep::Lengths => KEPT.max(EACH * self.blocked.len()),
            Keep::Last(least) => 2 * least + MORE,
        };
        if self.history.len() >= most {
            self.make_room();
        }
        let kept = self.history.len() + self.charges.all.len();
        if kept >= self.full.max(2 * KEPT) {
            self.tidy();
            self.full = 2 * (self.history.len() + self.charges.all.len());
        }
    }

    /// Since then it was like this, as has come out.
    pub(super) fn restate(&mut self, since: Nanos, charge: Charge) {
        let number = self.charges.number(charge);
        let mut first = self.history.partition_point(|piece| piece.to <= since);
        if let Some(piece) = self
            .history
            .get_mut(first)
            .filter(|piece| piece.from < since)
        {
            let before = Passed {
                to: since,
                ..*piece
            };
            piece.from = since;
            self.history.insert(first, before);
            let place = self.gone + first as u64;
            let later = self.blocked.values_mut().filter(|b| b.begin > place);
            later.for_each(|blocked| blocked.begin += 1);
            first += 1;
        }
        let pieces = self.history[first..].iter_mut();
        pieces.for_each(|piece| piece.charge = number);
    }

    /// Lets go of the pieces from before whoever has been blocked longest, and of the charges of none that is left.
    fn tidy(&mut self) {
        let first = self.blocked.values().map(|blocked| blocked.begin).min();
        let old = first.map_or(0, |first| first.saturating_sub(self.gone) as usize);
        let old = old.min(self.history.len());
        self.history.drain(..old);
        self.gone += old as u64;
        let mut used = vec![false; self.charges.all.len()];
        let of_history = self.history.iter().map(|piece| piece.charge);
        let of_sums = self.blocked.values().flat_map(|blocked| &blocked.sums);
        for number in of_history.chain(of_sums.map(|sum| sum.0)) {
            used[number as usize] = true;
        }
        // In their order, which is that of sums.
        let mut charges = Charges::default();
        let all = self.charges.all.iter().zip(used);
        let numbers: Vec<u32> = all
            .map(|(&charge, used)| if used { charges.number(charge) } else { 0 })
            .collect();
        let renumber = |number: &mut u32| *number = numbers[*number as usize];
        let history = self.history.iter_mut();
        history.for_each(|piece| renumber(&mut piece.charge));
        let sums = self.blocked.values_mut().flat_map(|b| &mut b.sums);
        sums.for_each(|sum| renumber(&mut sum.0));
        self.charges = charges;
    }

    /// A thread is blocked no more: how it was, in pieces from its beginning to `at`.
    pub(super) fn leave(&mut self, thread: ThreadId, at: Nanos) -> Option<(Blocked, Vec<Piece>)> {
        let mut blocked = self.blocked.remove(&thread)?;
        let to = at.max(blocked.done);
        let is_short = blocked.sums.is_empty() && self.since(blocked.begin).len() <= PIECES;
        let mut pieces = match self.keep {
            Keep::Lengths if !is_short => self.sums(&mut blocked, to),
            _ => self.one_by_one(&blocked, to),
        };
        if pieces.is_empty() {
            pieces.push(Piece::unknown(to, to, Why::Unseen));
        }
        if self.blocked.is_empty() {
            self.forget_all();
        }
        Some((blocked, pieces))
    }

    /// Those who are blocked, in the order in which they came.
    pub(super) fn threads(&self) -> Vec<ThreadId> {
        let mut all: Vec<&Blocked> = self.blocked.values().collect();
        all.sort_unstable_by_key(|blocked| blocked.nth);
        all.iter().map(|blocked| blocked.thread).collect()
    }

    /// Nobody needs it any more.
    fn forget_all(&mut self) {
        (self.gone, self.full) = (0, 0);
        let room = self.history.capacity().max(self.charges.all.capacity());
        match room > PIECES {
            true => (self.history, self.charges) = Default::default(),
            false => {
                self.history.clear();
                self.charges.clear();
            }
        }
    }

    /// What there is of the history after so many pieces.
    fn since(&self, begin: u64) -> &[Passed] {
        let first = begin.saturating_sub(self.gone) as usize;
        self.history.get(first..).unwrap_or_default()
    }

    /// Its pieces as they were.
    fn one_by_one(&self, blocked: &Blocked, to: Nanos) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut done = blocked.done;
        let history = self.since(blocked.begin);
        if blocked.begin < self.gone
            && let Some(first) = history.first()
            && done < first.from
        {
            pieces.push(Piece::unknown(done, first.from, Why::Forgotten));
            done = first.from;
        }
        read(history, &mut done, to, |from, to, charge| {
            let charge = charge.map(|number| self.charges.all[number as usize]);
            pieces.push(blocked.piece(from, to, charge));
        });
        pieces
    }

    /// One piece for each charge; their times do not say when, but how long.
    fn sums(&mut self, blocked: &mut Blocked, to: Nanos) -> Vec<Piece> {
        let unseen = self.charges.number(UNSEEN);
        let mut sums = Sums::of(&self.charges, &blocked.sums);
        let history = self.since(blocked.begin);
        read(history, &mut blocked.done, to, |from, to, charge| {
            sums.add(charge.unwrap_or(unseen), to.since(from).0);
        });
        let mut from = blocked.since;
        let piece = |(number, ns): (u32, u64)| {
            let to = Nanos(from.0.saturating_add(ns));
            let charge = self.charges.all[number as usize];
            let piece = blocked.piece(from, to, Some(charge));
            from = to;
            piece
        };
        sums.all().map(piece).collect()
    }

    fn make_room(&mut self) {
        if let Keep::Last(least) = self.keep {
            let old = self.history.len() - least;
            self.gone += old as u64;
            self.history.drain(..old);
            return;
        }
        let Some(begin) = self.history.first().map(|first| first.from) else {
            return;
        };
        let end = self.history.last().map_or(begin, |last| last.to);
        let unseen = self.charges.number(UNSEEN);
        let read_by = |sums: &mut Sums, history: &[Passed], done: &mut Nanos| {
            read(history, done, end, |from, to, charge| {
                sums.add(charge.unwrap_or(unseen), to.since(from).0);
            });
        };
        // Most have been there for all of it.
        let mut all = Sums::of(&self.charges, &[]);
        let mut done = begin;
        read_by(&mut all, &self.history, &mut done);
        let all: Vec<(u32, u64)> = all.all().collect();
        for blocked in self.blocked.values_mut() {
            let mut sums = Sums::of(&self.charges, &blocked.sums);
            if blocked.done <= begin {
                sums.add(unseen, begin.since(blocked.done).0);
                all.iter().for_each(|&(number, ns)| sums.add(number, ns));
                blocked.done = done;
            } else {
                let first = blocked.begin.saturating_sub(self.gone) as usize;
                let history = self.history.get(first..).unwrap_or_default();
                read_by(&mut sums, history, &mut blocked.done);
            }
            blocked.sums = sums.all().collect();
        }
        self.gone += self.history.len() as u64;
        self.history.clear();
    }
}

/// What nothing was told of.
const UNSEEN: Charge = (Holder::Unknown(Why::Unseen), None, false);

/// Reads a history from a time to another: each piece, and without a charge what nothing was told of before it or up to the end.
fn read(
    history: &[Passed],
    done: &mut Nanos,
    end: Nanos,
    mut tell: impl FnMut(Nanos, Nanos, Option<u32>),
) {
    for piece in history {
        let (from, to) = (piece.from.max(*done), piece.to.min(end));
        if from >= to {
            continue;
        }
        if *done < from {
            tell(*done, from, None);
        }
        tell(from, to, Some(piece.charge));
        *done = to;
    }
    if *done < end {
        tell(*done, end, None);
        *done = end;
    }
}

impl Charges {
    fn number(&mut self, charge: Charge) -> u32 {
        let next = self.all.len() as u32;
        let number = *self.numbers.entry(charge).or_insert(next);
        if number == next {
            self.all.push(charge);
        }
        number
    }

    fn clear(&mut self) {
        self.all.clear();
        self.numbers.clear();
    }
}

/// Time by charge.
struct Sums(Vec<u64>);

impl Sums {
    /// So much there is already.
    fn of(charges: &Charges, known: &[(u32, u64)]) -> Self {
        let mut sums = Self(vec![0; charges.all.len()]);
        known.iter().for_each(|&(number, ns)| sums.add(number, ns));
        sums
    }

    fn add(&mut self, number: u32, ns: u64) {
        let sum = &mut self.0[number as usize];
        *sum = sum.saturating_add(ns);
    }

    /// What there is, in the order of charges.
    fn all(self) -> impl Iterator<Item = (u32, u64)> {
        let all = (0..).zip(self.0);
        all.filter(|&(_, ns)| ns > 0)
    }
}

impl Blocked {
    /// A piece of its stay. Who is named as the owner of a monitor while it is blocked there has it, and does not run yet: nobody
    /// keeps it out.
    fn piece(&self, from: Nanos, to: Nanos, charge: Option<Charge>) -> Piece {
        let (holder, chain, untested) = charge.unwrap_or(UNSEEN);
        let of_monitor = matches!(self.group, Group::Monitor | Group::AfterWait);
        match of_monitor && holder == Holder::Thread(self.thread) {
            true => Piece::new(from, to, Holder::Nobody, None),
            false => Piece {
                untested,
                ..Piece::new(from, to, holder, chain)
            },
        }
    }
}

#[cfg(test)]
mod tests;
