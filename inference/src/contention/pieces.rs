//! Pieces of a stay while they are found: one by one, or those that are charged to one holder together.
//!
//! Thousands may have held a lock while one thread was parked on it, most of them many times. Who wants to know how long, and not
//! when, needs one piece of each.

use super::stay::{Holder, Piece};
use crate::collect::FastHash;
use locklens_trace::{Nanos, ThreadId};
use std::collections::HashMap;

/// What of them is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All, with their times.
    #[default]
    All,
    /// How long each holder held it, in the order in which they were found first; and with their times the last piece of a
    /// thread and what follows it.
    Holders,
    /// How it began: the first two, and all others as one.
    Beginning,
}

/// Pieces that are told apart of a beginning.
const BEGINNING: usize = 3;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    wanted: Wanted,
    all: Vec<Piece>,
    /// Of holders: which piece is that of a thread at a place, …
    threads: HashMap<(ThreadId, u64), usize, FastHash>,
    /// … which those of nobody, and of unknown ones, are, …
    others: Vec<usize>,
    /// … and the last piece of a thread and what follows it, until the next one comes.
    last: Vec<Piece>,
}

impl Pieces {
    /// From now on only this is wanted.
    pub(super) fn want(&mut self, wanted: Wanted) {
        self.wanted = wanted;
    }

    #[inline]
    pub(super) fn push(&mut self, piece: Piece) {
        match self.wanted {
            Wanted::All => self.all.push(piece),
            Wanted::Holders => self.hold(piece),
            Wanted::Beginning if self.all.len() < BEGINNING => self.all.push(piece),
            Wanted::Beginning => self.all[BEGINNING - 1].to = piece.to,
        }
    }

    /// Whether more are wanted, up to then: else the last is as long as all of them.
    pub(super) fn go_on(&mut self, to: Nanos) -> bool {
        let goes_on = self.wanted != Wanted::Beginning || self.all.len() < BEGINNING;
        if !goes_on {
            self.all[BEGINNING - 1].to = to;
        }
        goes_on
    }

    fn hold(&mut self, piece: Piece) {
        if matches!(piece.holder, Holder::Thread(_)) {
            self.join_last();
            return self.last.push(piece);
        }
        let is_same = |last: &&mut Piece| last.charge() == piece.charge();
        match self.last.last_mut().filter(is_same) {
            Some(last) => last.to = piece.to,
            None => self.last.push(piece),
        }
    }

    fn join_last(&mut self) {
        for at in 0..self.last.len() {
            let piece = self.last[at];
            match self.known(&piece) {
                Some(known) => {
                    let Nanos(to) = &mut self.all[known].to;
                    *to = to.saturating_add(piece.ns());
                }
                None => self.all.push(piece),
            }
        }
        self.last.clear();
    }

    /// Where the piece is that it is a part of; if there is none, the next one will be.
    fn known(&mut self, piece: &Piece) -> Option<usize> {
        let next = self.all.len();
        let Holder::Thread(thread) = piece.holder else {
            let all = &self.all;
            let is_same = |known: &&usize| all[**known].charge() == piece.charge();
            let known = self.others.iter().find(is_same).copied();
            if known.is_none() {
                self.others.push(next);
            }
            return known;
        };
        let place = piece.chain.map_or(0, |chain| u64::from(chain.stack.0) + 1);
        let known = *self.threads.entry((thread, place)).or_insert(next);
        (known < next).then_some(known)
    }

    /// All of them, one behind the other; then there are none.
    pub(super) fn take(&mut self) -> Vec<Piece> {
        let mut all = std::mem::take(&mut self.all);
        if self.wanted == Wanted::Holders {
            self.threads.clear();
            self.others.clear();
            let mut from = all.first().map_or(Nanos(0), |first| first.from);
            for piece in &mut all {
                let to = Nanos(from.0.saturating_add(piece.ns()));
                (piece.from, piece.to) = (from, to);
                from = to;
            }
            all.append(&mut self.last);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::stay::{Chain, Why};
    use super::*;
    use locklens_trace::StackId;

    /// What is kept of pieces one behind the other, twice: nothing is left of those before.
    fn told(wanted: Wanted, found: &[(Holder, Option<u32>, u64)]) -> Vec<Piece> {
        let mut pieces = Pieces::default();
        pieces.want(wanted);
        let mut all = || {
            let mut from = 100;
            for &(holder, stack, ns) in found {
                let chain = stack.map(|stack| Chain::at_end(StackId(stack)));
                pieces.push(Piece::new(Nanos(from), Nanos(from + ns), holder, chain));
                from += ns;
            }
            pieces.take()
        };
        let first = all();
        assert_eq!(first, all());
        assert!(first.windows(2).all(|two| two[0].to == two[1].from));
        first
    }

    #[test]
    fn pieces_of_one_holder_at_one_place_are_one() {
        let thread = |n: u32| Holder::Thread(ThreadId(n));
        let found = [
            (thread(1), Some(1), 10),
            (Holder::Nobody, None, 1),
            (thread(2), Some(1), 20),
            (Holder::Unknown(Why::Before), None, 5),
            (thread(1), Some(2), 30),
            (Holder::Nobody, None, 1),
            (thread(1), Some(1), 40),
            (thread(1), None, 2),
            (thread(2), Some(1), 7),
            (Holder::Nobody, None, 2),
            (Holder::Nobody, None, 1),
        ];
        assert_eq!(told(Wanted::All, &found).len(), found.len());
        let joined = told(Wanted::Holders, &found);
        let lengths: Vec<u64> = joined.iter().map(Piece::ns).collect();
        assert_eq!(lengths, [50, 2, 20, 5, 30, 2, 7, 3]);
        assert_eq!(joined[0].from, Nanos(100));
        let last = (joined[6].holder, joined[6].to, joined[7].to);
        assert_eq!(last, (thread(2), Nanos(216), Nanos(219)));
        let begun = told(Wanted::Beginning, &found);
        let lengths: Vec<u64> = begun.iter().map(Piece::ns).collect();
        assert_eq!(lengths, [10, 1, 108]);
    }
}
