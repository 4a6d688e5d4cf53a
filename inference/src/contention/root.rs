//! Owners that were held up themselves: who is to blame in the end.
//!
//! A piece of a stay is charged to a thread. Where that thread was blocked itself meanwhile, whoever blocked it
//! is to blame for that part, and so on to a thread that ran. A ring of them that still stands when the recording is over is a
//! deadlock; one that came loose was none, and somebody in it was charged wrongly.

use super::stay::{Group, Holder, Piece, Stay, Why};
use crate::collect::FastHash;
use locklens_trace::{Nanos, ThreadId};
use std::collections::{HashMap, VecDeque};

/// Stays remembered of each thread.
const STAYS: usize = 256;
/// Pieces remembered of all of them.
const REMEMBERED: usize = 1 << 18;
/// Steps from one owner to the next.
const STEPS: usize = 32;
/// Pieces of one stay.
const PIECES: usize = 1 << 14;

/// Where a thread was held up, and by whom.
#[derive(Debug)]
struct Past {
    from: Nanos,
    to: Nanos,
    pieces: Vec<Piece>,
}

/// What is remembered of one thread.
#[derive(Debug, Default)]
struct Memory {
    stays: VecDeque<Past>,
    /// Of the time before, it is not known whether it was held up.
    since: Nanos,
}

impl Memory {
    /// Forgets the oldest stay; how many pieces that had.
    fn forget(&mut self) -> usize {
        let oldest = self.stays.pop_front();
        oldest.map_or(0, |past| {
            self.since = self.since.max(past.to);
            past.pieces.len()
        })
    }
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Roots {
    past: HashMap<ThreadId, Memory, FastHash>,
    /// Whose stays were remembered, in that order.
    order: VecDeque<ThreadId>,
    pieces: usize,
    /// The same as [`Memory::since`], of threads of which nothing is remembered.
    since: Nanos,
}

impl Roots {
    /// Remembers a stay, for those who were blocked by its thread.
    pub(super) fn remember(&mut self, stay: &Stay) {
        let (Some(first), Some(last)) = (stay.pieces.first(), stay.pieces.last()) else {
            return;
        };
        if stay.group == Group::Wait || first.from >= last.to {
            return;
        }
        let since = self.since;
        let memory = self.past.entry(stay.waiter);
        let memory = memory.or_insert_with(|| Memory {
            since,
            ..Memory::default()
        });
        if memory.stays.len() >= STAYS {
            self.pieces -= memory.forget();
        } else {
            self.order.push_back(stay.waiter);
        }
        memory.stays.push_back(Past {
            from: first.from,
            to: last.to,
            pieces: stay.pieces.clone(),
        });
        self.pieces += stay.pieces.len();
        while self.pieces > REMEMBERED {
            self.forget();
        }
    }

    /// Forgets one of the oldest stays.
    fn forget(&mut self) {
        let Some(thread) = self.order.pop_front() else {
            return self.pieces = 0;
        };
        if let Some(memory) = self.past.get_mut(&thread) {
            self.pieces -= memory.forget();
            if memory.stays.is_empty() {
                self.since = self.since.max(memory.since);
                self.past.remove(&thread);
            }
        }
    }

    /// The pieces of a stay, each charged to who is to blame in the end. Some stays go on when the recording is `over`.
    pub(super) fn follow(&self, stay: &Stay, over: bool) -> Vec<Piece> {
        let mut found = Vec::new();
        let mut way = vec![stay.waiter];
        for piece in &stay.pieces {
            self.go(piece, &mut way, &mut found);
        }
        if !over {
            let rings = found.iter_mut().filter(|p| p.holder == Holder::Cycle);
            rings.for_each(|piece| piece.holder = Holder::Unknown(Why::Unseen));
        }
        found
    }

    /// Follows one piece. What rests on an owner that is not tested is not tested either.
    fn go(&self, piece: &Piece, way: &mut Vec<ThreadId>, found: &mut Vec<Piece>) {
        let before = found.len();
        self.step(piece, way, found);
        if piece.untested {
            let found = found.iter_mut().skip(before);
            found.for_each(|piece| piece.untested = true);
        }
    }

    fn step(&self, piece: &Piece, way: &mut Vec<ThreadId>, found: &mut Vec<Piece>) {
        let Holder::Thread(owner) = piece.holder else {
            return found.push(*piece);
        };
        if way.contains(&owner) {
            return found.push(Piece {
                holder: Holder::Cycle,
                chain: None,
                ..*piece
            });
        }
        if way.len() >= STEPS || found.len() >= PIECES {
            return found.push(*piece);
        }
        way.push(owner);
        let ran = self.held_up(owner, piece, way, found);
        way.pop();
        found.extend(ran);
    }

    /// Goes on where the owner was held up; gives when it ran.
    fn held_up(
        &self,
        owner: ThreadId,
        piece: &Piece,
        way: &mut Vec<ThreadId>,
        found: &mut Vec<Piece>,
    ) -> Vec<Piece> {
        let mut ran = Vec::new();
        let memory = self.past.get(&owner);
        let since = memory.map_or(self.since, |memory| memory.since);
        if let Some(before) = piece.clipped(piece.from, since) {
            found.push(Piece::unknown(before.from, before.to, Why::Forgotten));
        }
        let mut from = piece.from.max(since.min(piece.to));
        let past = memory.into_iter().flat_map(|memory| &memory.stays);
        for past in past.filter(|past| past.from < piece.to && piece.from < past.to) {
            ran.extend(piece.clipped(from, past.from));
            let begin = from.max(past.from);
            for next in &past.pieces {
                let next = next.clipped(begin, piece.to);
                next.iter().for_each(|next| self.go(next, way, found));
            }
            from = from.max(past.to);
        }
        let rest = piece.clipped(from, piece.to);
        // A stay of no length has such pieces.
        ran.extend(rest.or((piece.from >= piece.to).then_some(*piece)));
        ran
    }
}

#[cfg(test)]
mod tests {
    use super::super::stay::{Measure, Part};
    use super::*;
    use locklens_trace::LockId;

    fn stay(waiter: u32, pieces: &[(u64, u64, u32)]) -> Stay {
        let piece = |&(from, to, owner)| {
            let holder = Holder::Thread(ThreadId(owner));
            Piece::new(Nanos(from), Nanos(to), holder, None)
        };
        Stay {
            group: Group::Monitor,
            lock: LockId(1),
            waiter: ThreadId(waiter),
            stack: None,
            pieces: pieces.iter().map(piece).collect(),
            measure: Measure::Exact,
            part: Part::First,
        }
    }

    fn told(pieces: &[Piece]) -> Vec<(u64, u64, Holder)> {
        let mut told: Vec<_> = pieces
            .iter()
            .map(|p| (p.from.0, p.to.0, p.holder))
            .collect();
        told.sort_unstable();
        told
    }

    fn thread(id: u32) -> Holder {
        Holder::Thread(ThreadId(id))
    }

    #[test]
    fn an_owner_that_was_blocked_is_followed_to_who_ran() {
        let mut roots = Roots::default();
        roots.remember(&stay(2, &[(20, 60, 3)]));
        roots.remember(&stay(3, &[(30, 40, 4)]));
        let found = roots.follow(&stay(1, &[(10, 100, 2)]), false);
        assert_eq!(
            told(&found),
            [
                (10, 20, thread(2)),
                (20, 30, thread(3)),
                (30, 40, thread(4)),
                (40, 60, thread(3)),
                (60, 100, thread(2)),
            ]
        );
    }

    #[test]
    fn a_ring_is_a_deadlock() {
        let mut roots = Roots::default();
        let (one, two) = (stay(1, &[(10, 90, 2)]), stay(2, &[(30, 90, 1)]));
        roots.remember(&one);
        roots.remember(&two);
        assert_eq!(
            told(&roots.follow(&one, true)),
            [(10, 30, thread(2)), (30, 90, Holder::Cycle)]
        );
        assert_eq!(told(&roots.follow(&two, true)), [(30, 90, Holder::Cycle)]);
        let loose = Holder::Unknown(Why::Unseen);
        assert_eq!(told(&roots.follow(&two, false)), [(30, 90, loose)]);
    }

    #[test]
    fn a_long_way_ends_somewhere() {
        let mut roots = Roots::default();
        (1..100).for_each(|id| roots.remember(&stay(id, &[(0, 10, id + 1)])));
        let found = roots.follow(&stay(0, &[(0, 10, 1)]), false);
        assert_eq!(found.iter().map(Piece::ns).sum::<u64>(), 10);
    }

    #[test]
    fn what_was_forgotten_is_unknown() {
        let mut roots = Roots::default();
        let times = 0..STAYS as u64 + 2;
        times.for_each(|at| roots.remember(&stay(2, &[(10 * at, 10 * at + 5, 3)])));
        let found = roots.follow(&stay(1, &[(0, 30, 2)]), false);
        let forgotten = Holder::Unknown(Why::Forgotten);
        assert_eq!(
            told(&found),
            [
                (0, 15, forgotten),
                (15, 20, thread(2)),
                (20, 25, thread(3)),
                (25, 30, thread(2)),
            ]
        );
    }

    #[test]
    fn there_is_room_for_so_many_pieces() {
        let mut roots = Roots::default();
        let length = 1 << 14;
        for id in 1..100 {
            let times = u64::from(id) * length..u64::from(id + 1) * length;
            let pieces: Vec<_> = times.map(|at| (at, at + 1, 500)).collect();
            roots.remember(&stay(id, &pieces));
        }
        assert_eq!((roots.pieces, roots.past.len()), (REMEMBERED, 16));
        let found = roots.follow(&stay(200, &[(length, 2 * length, 1)]), false);
        let forgotten = Holder::Unknown(Why::Forgotten);
        assert_eq!(told(&found), [(length, 2 * length, forgotten)]);
        let (from, to) = (99 * length, 99 * length + 10);
        let found = roots.follow(&stay(200, &[(from, to, 99)]), false);
        assert_eq!(found.len(), 10);
        assert!(found.iter().all(|piece| piece.holder == thread(500)));
    }
}
