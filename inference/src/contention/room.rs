//! Those who are blocked on one lock, and what has been going on there since the first of them came.

use super::stay::{Group, Piece, Why};
use locklens_trace::{Nanos, StackId, ThreadId};

/// Pieces of a lock's history that are kept before they are given to those blocked.
const KEPT: usize = 256;
/// Pieces of one stay beyond which those charged to one holder become one.
const PIECES: usize = 1024;

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
    /// Pieces keep their times, however many they are.
    keeps_all: bool,
}

impl Room {
    pub(super) fn new(keeps_all: bool) -> Self {
        Self {
            keeps_all,
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
            Some(last)
                if last.holder == piece.holder
                    && last.chain == piece.chain
                    && last.to == piece.from =>
            {
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
            if !self.keeps_all && blocked.pieces.len() > PIECES {
                blocked.join();
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
            self.pieces.push(piece);
        }
    }

    /// Of what lies before that nothing was told.
    fn fill(&mut self, to: Nanos) {
        if self.done < to {
            self.pieces.push(Piece::unknown(self.done, to, Why::Unseen));
            self.done = to;
        }
    }

    /// One piece for each holder and chain; their times no longer say when, but how long.
    fn join(&mut self) {
        let mut order: Vec<Piece> = std::mem::take(&mut self.pieces);
        order.sort_by_key(|p| (p.holder, p.chain));
        let mut from = self.since;
        for piece in order {
            let to = Nanos(from.0.saturating_add(piece.ns()));
            match self.pieces.last_mut() {
                Some(last) if (last.holder, last.chain) == (piece.holder, piece.chain) => {
                    last.to = to
                }
                _ => self.pieces.push(Piece { from, to, ..piece }),
            }
            from = to;
        }
    }
}
