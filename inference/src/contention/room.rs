//! Those who are blocked on one lock, and what has been going on there since the first of them came.

use super::stay::{Group, Holder, Piece, Why};
use locklens_trace::{Nanos, StackId, ThreadId};

/// Pieces of a lock's history that are kept before they are given to those blocked.
const KEPT: usize = 256;
/// Pieces of one stay beyond which those charged to one holder become one.
const PIECES: usize = 1024;

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
    /// Up to here its pieces are known.
    done: Nanos,
    pieces: Vec<Piece>,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Room {
    blocked: Vec<Blocked>,
    history: Vec<Piece>,
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
        self.blocked.iter().find(|b| b.thread == thread)?.stack
    }

    pub(super) fn enter(
        &mut self,
        thread: ThreadId,
        group: Group,
        stack: Option<StackId>,
        since: Nanos,
    ) {
        self.blocked.push(Blocked {
            thread,
            group,
            stack,
            since,
            done: since,
            pieces: Vec::new(),
        });
    }

    /// So it was with the lock, after what was told before.
    pub(super) fn tell(&mut self, piece: Piece) {
        if self.blocked.is_empty() || piece.from >= piece.to {
            return;
        }
        match self.history.last_mut() {
            Some(last) if last.charge() == piece.charge() && last.to == piece.from => {
                last.to = piece.to;
            }
            _ => self.history.push(piece),
        }
        if self.history.len() >= KEPT {
            self.hand_out();
        }
    }

    /// A thread is blocked no more: how it was, in pieces from its beginning to `at`.
    pub(super) fn leave(&mut self, thread: ThreadId, at: Nanos) -> Option<(Blocked, Vec<Piece>)> {
        let index = self.blocked.iter().position(|b| b.thread == thread)?;
        let mut blocked = self.blocked.remove(index);
        let to = at.max(blocked.done);
        blocked.take(&self.history, to);
        blocked.fill(to);
        if blocked.pieces.is_empty() {
            blocked.pieces.push(Piece::unknown(to, to, Why::Unseen));
        }
        if self.blocked.is_empty() {
            self.history.clear();
        }
        let pieces = std::mem::take(&mut blocked.pieces);
        Some((blocked, pieces))
    }

    /// Those who are blocked.
    pub(super) fn threads(&self) -> Vec<ThreadId> {
        self.blocked.iter().map(|b| b.thread).collect()
    }

    fn hand_out(&mut self) {
        for blocked in &mut self.blocked {
            blocked.take(&self.history, Nanos(u64::MAX));
            match self.keep {
                Keep::Lengths if blocked.pieces.len() > PIECES => blocked.join(),
                Keep::Last(least) if blocked.pieces.len() / 2 > least => blocked.forget(least),
                _ => {}
            }
        }
        self.history.clear();
    }
}

impl Blocked {
    fn take(&mut self, history: &[Piece], to: Nanos) {
        for piece in history {
            let Some(piece) = piece.clipped(self.done, to) else {
                continue;
            };
            self.fill(piece.from);
            self.done = piece.to;
            self.pieces.push(self.seen_by_it(piece));
        }
    }

    /// Who is named as the owner of a monitor while it is blocked there has it, and does not run yet: nobody keeps it out.
    fn seen_by_it(&self, piece: Piece) -> Piece {
        let of_monitor = matches!(self.group, Group::Monitor | Group::AfterWait);
        match of_monitor && piece.holder == Holder::Thread(self.thread) {
            true => Piece::new(piece.from, piece.to, Holder::Nobody, None),
            false => piece,
        }
    }

    /// Of what lies before that nothing was told.
    fn fill(&mut self, to: Nanos) {
        if self.done < to {
            self.pieces.push(Piece::unknown(self.done, to, Why::Unseen));
            self.done = to;
        }
    }

    /// All but the last pieces become one of which nothing is known.
    fn forget(&mut self, last: usize) {
        let rest = self.pieces.split_off(self.pieces.len() - last.max(1));
        let to = rest[0].from;
        self.pieces = vec![Piece::unknown(self.since, to, Why::Forgotten)];
        self.pieces.extend(rest);
    }

    /// One piece for each holder and chain; their times no longer say when, but how long.
    fn join(&mut self) {
        let mut order: Vec<Piece> = std::mem::take(&mut self.pieces);
        order.sort_by_key(Piece::charge);
        let mut from = self.since;
        for piece in order {
            let to = Nanos(from.0.saturating_add(piece.ns()));
            match self.pieces.last_mut() {
                Some(last) if last.charge() == piece.charge() => last.to = to,
                _ => self.pieces.push(Piece { from, to, ..piece }),
            }
            from = to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_keeps_himself_out_of_a_monitor() {
        let told = |group| {
            let mut room = Room::new(Keep::All);
            room.enter(ThreadId(1), group, None, Nanos(0));
            for (from, holder) in [(0, 2), (10, 1)] {
                let holder = Holder::Thread(ThreadId(holder));
                room.tell(Piece::new(Nanos(from), Nanos(from + 10), holder, None));
            }
            let (_, pieces) = room.leave(ThreadId(1), Nanos(20)).unwrap();
            pieces.iter().map(|piece| piece.holder).collect::<Vec<_>>()
        };
        let other = Holder::Thread(ThreadId(2));
        assert_eq!(told(Group::Monitor), [other, Holder::Nobody]);
        // Of a lock built of a monitor it may have a permit itself.
        let own = Holder::Thread(ThreadId(1));
        assert_eq!(told(Group::Logical), [other, own]);
    }

    #[test]
    fn only_the_last_pieces_are_kept_of_a_recording_under_way() {
        let mut room = Room::new(Keep::Last(100));
        room.enter(ThreadId(1), Group::Monitor, None, Nanos(0));
        for at in 0..5_000 {
            let holder = Holder::Thread(ThreadId(2 + at % 2));
            let (from, to) = (Nanos(u64::from(at)), Nanos(u64::from(at) + 1));
            room.tell(Piece::new(from, to, holder, None));
        }
        let (_, pieces) = room.leave(ThreadId(1), Nanos(5_000)).unwrap();
        assert_eq!(pieces[0].holder, Holder::Unknown(Why::Forgotten));
        let times: Vec<_> = pieces.iter().map(|piece| (piece.from, piece.to)).collect();
        assert!(times.windows(2).all(|two| two[0].1 == two[1].0));
        assert_eq!(
            (times[0].0, times[times.len() - 1].1),
            (Nanos(0), Nanos(5_000))
        );
        assert!((100..1_000).contains(&pieces.len()), "{}", pieces.len());
    }
}
