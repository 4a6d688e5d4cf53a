//! Stays put together: who wants a lock may park, or wait in a lock of the program's own, several times until it has it. That is
//! one stay, as long as all of them.

use super::stay::{Measure, Part, Stay};
use crate::collect::FastHash;
use locklens_trace::ThreadId;
use std::collections::HashMap;

/// Pieces of open stays that are kept: some 20 MB. With more, what ended first is whole.
const MOST: usize = 1 << 18;

/// The last stay of each thread of which more may come.
#[derive(Debug, Default)]
pub(super) struct Joined {
    open: HashMap<ThreadId, Stay, FastHash>,
    /// Pieces of all of them.
    pieces: usize,
    /// Stays of which nobody can tell whether they belong to the one before.
    pub(super) unclear: u64,
}

impl Joined {
    /// Takes in what comes next of a thread; tells what is whole by that.
    pub(super) fn push(&mut self, stay: Stay, tell: &mut impl FnMut(&Stay)) {
        self.unclear += u64::from(stay.part == Part::Unclear);
        if !stay.group.may_have_parts() || stay.measure != Measure::Exact {
            return tell(&stay);
        }
        self.pieces += stay.pieces.len();
        if stay.part == Part::Later
            && let Some(open) = self.open.get_mut(&stay.waiter)
            && (open.lock, open.group) == (stay.lock, stay.group)
        {
            open.pieces.extend(stay.pieces);
            open.stack = open.stack.or(stay.stack);
            return self.let_go(tell);
        }
        let whole = self.open.insert(stay.waiter, stay);
        self.pieces -= whole.as_ref().map_or(0, |stay| stay.pieces.len());
        self.let_go(tell);
        whole.iter().for_each(tell);
    }

    /// Those that ended first, where there is no room for all: of hardly any of them more comes.
    fn let_go(&mut self, tell: &mut impl FnMut(&Stay)) {
        if self.pieces <= MOST {
            return;
        }
        let ended = |stay: &Stay| (stay.pieces.last().map(|piece| piece.to), stay.waiter);
        let mut all = self.rest();
        all.sort_unstable_by_key(ended);
        let newer = all.split_off(all.len().div_ceil(2));
        self.pieces = newer.iter().map(|stay| stay.pieces.len()).sum();
        self.open = newer.into_iter().map(|stay| (stay.waiter, stay)).collect();
        all.iter().for_each(tell);
    }

    /// Nothing more comes.
    pub(super) fn rest(&mut self) -> Vec<Stay> {
        let mut rest: Vec<Stay> = self.open.drain().map(|(_, stay)| stay).collect();
        rest.sort_unstable_by_key(|stay| stay.waiter);
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::super::stay::{Group, Holder, Piece};
    use super::*;
    use locklens_trace::{LockId, Nanos};

    fn stay(group: Group, part: Part, from: u64) -> Stay {
        let holder = Holder::Thread(ThreadId(9));
        Stay {
            group,
            lock: LockId(1),
            waiter: ThreadId(1),
            stack: None,
            pieces: vec![Piece::new(Nanos(from), Nanos(from + 10), holder, None)],
            measure: Measure::Exact,
            part,
        }
    }

    #[test]
    fn parks_for_one_acquisition_are_one_stay() {
        let lengths = |group: Group| {
            let mut joined = Joined::default();
            let parts = [
                Part::First,
                Part::Later,
                Part::Later,
                Part::First,
                Part::Unclear,
            ];
            let stays = parts.iter().zip([0, 20, 40, 60, 80]);
            let mut whole = Vec::new();
            for (&part, at) in stays {
                joined.push(stay(group, part, at), &mut |stay| whole.push(stay.clone()));
            }
            whole.extend(joined.rest());
            let ns = |stay: &Stay| stay.pieces.iter().map(Piece::ns).sum::<u64>();
            (whole.iter().map(ns).collect::<Vec<_>>(), joined.unclear)
        };
        assert_eq!(lengths(Group::Parked), (vec![30, 10, 10], 1));
        assert_eq!(lengths(Group::Logical), (vec![30, 10, 10], 1));
        assert_eq!(lengths(Group::Monitor).0.len(), 5);
    }

    #[test]
    fn many_threads_of_which_nothing_more_comes_take_no_room() {
        let mut joined = Joined::default();
        let mut whole = 0;
        for thread in 0..3 * MOST as u32 {
            let stay = Stay {
                waiter: ThreadId(thread),
                ..stay(Group::Parked, Part::First, u64::from(thread))
            };
            joined.push(stay, &mut |_| whole += 1);
            assert!(joined.open.len() <= MOST);
        }
        assert_eq!(whole + joined.rest().len(), 3 * MOST);
    }
}
