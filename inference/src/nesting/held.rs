//! What one thread holds, and what it is about to take.

use super::chart::{NodeIx, Span, Standing};
use super::graph::Known;
use locklens_trace::record::Owner;
use locklens_trace::{Event, EventKind, LockId, Nanos, StackId};

/// Times a thread's life is divided by the joins it waited for; later ones are not told apart.
pub(super) const EPOCHS: u32 = 64;

/// A thread on its way through the locks.
#[derive(Debug, Default)]
pub(super) struct Thread {
    /// Exactly watched locks it holds, in the order in which it took them.
    pub(super) held: Vec<Held>,
    /// Levels it gave up to wait.
    suspended: Option<(LockId, u32)>,
    /// The lock whose `wait` it is coming back from.
    pub(super) returning: Option<LockId>,
    /// The attempt it is blocked in.
    pub(super) pending: Option<Attempt>,
    /// Counts the joins it waited for.
    pub(super) epoch: u32,
    /// Its latest event.
    pub(super) last: Nanos,
    /// It was heard of before that.
    pub(super) known: bool,
}

/// An exactly watched lock that is held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) lock: LockId,
    depth: u32,
    pub(super) since: Nanos,
    stack: Option<StackId>,
    /// Together with others.
    shared: bool,
}

impl Thread {
    /// One level more of a lock it holds; false if it holds none.
    pub(super) fn enter_again(&mut self, lock: LockId) -> bool {
        let held = self.held.iter_mut().find(|held| held.lock == lock);
        held.map(|held| held.depth += 1).is_some()
    }

    pub(super) fn hold(&mut self, lock: LockId, event: &Event) {
        self.hold_levels(lock, 1, event);
    }

    fn hold_levels(&mut self, lock: LockId, depth: u32, event: &Event) {
        self.held.push(Held {
            lock,
            depth,
            since: event.at,
            stack: event.stack,
            shared: false,
        });
    }

    /// What it holds of a lock it holds together with others, or alone.
    pub(super) fn share(&mut self, lock: LockId, shared: bool) {
        let held = self.held.iter_mut().filter(|held| held.lock == lock);
        held.for_each(|held| held.shared = shared);
    }

    /// One level less. A lock taken before anybody watched is not known to be held.
    pub(super) fn leave(&mut self, lock: LockId) {
        if let Some(index) = self.held.iter().rposition(|held| held.lock == lock) {
            self.held[index].depth -= 1;
            if self.held[index].depth == 0 {
                self.held.remove(index);
            }
        }
    }

    /// It holds no level of a lock, whatever was seen.
    pub(super) fn drop_all(&mut self, lock: LockId) {
        self.held.retain(|held| held.lock != lock);
    }

    /// Gives up all levels to wait.
    pub(super) fn suspend(&mut self, lock: LockId) {
        if let Some(index) = self.held.iter().position(|held| held.lock == lock) {
            let held = self.held.remove(index);
            self.suspended = Some((lock, held.depth));
        }
    }

    /// Whether an acquisition of the lock is that inside `wait`, which has not returned.
    pub(super) fn returns_to(&self, lock: LockId) -> bool {
        self.returning == Some(lock) && self.suspended.is_some_and(|(s, _)| s == lock)
    }

    /// `wait` has returned: all levels are held again.
    pub(super) fn resume(&mut self, lock: LockId, event: &Event) {
        self.returning = None;
        match self.suspended.take() {
            Some((suspended, depth)) if suspended == lock => self.hold_levels(lock, depth, event),
            _ => {}
        }
    }

    /// A thread seen doing something else has come back from `wait`, whether that was reported
    /// or not.
    pub(super) fn resume_if_elsewhere(&mut self, lock: LockId, event: &Event) {
        use EventKind::{Enter, Entered, Resumed, Waited};
        let Some(returning) = self.returning.filter(|&r| self.returns_to(r)) else {
            return;
        };
        let inside = matches!(event.kind, Enter | Entered | Resumed | Waited { .. });
        if lock != returning || !inside {
            self.resume(returning, event);
        }
    }

    /// Forgets what it holds; false if that was nothing.
    pub(super) fn forget(&mut self) -> bool {
        let held = !self.held.is_empty() || self.suspended.is_some();
        self.held.clear();
        self.suspended = None;
        self.returning = None;
        held
    }

    /// Another thread saw this one hold a lock. While it is blocked it holds what it held before.
    pub(super) fn named_as_owner(&mut self, lock: LockId, at: Nanos) {
        if let Some(attempt) = &mut self.pending
            && attempt.at < at
            && attempt.lock != lock
        {
            attempt.owned.push((lock, at));
        }
    }

    /// A join it waited for is over.
    pub(super) fn next_epoch(&mut self) {
        self.epoch = (self.epoch + 1).min(EPOCHS);
    }
}

/// A lock held at an attempt to take another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hold {
    pub(super) node: NodeIx,
    /// Which object, if that is known.
    pub(super) object: Option<LockId>,
    pub(super) known: Known,
    /// It may have been taken further out already.
    pub(super) again: bool,
    /// Together with others: these are not kept out.
    pub(super) shared: bool,
    /// Where it was taken.
    pub(super) span: Span,
}

impl Hold {
    pub(super) fn of_object(node: NodeIx, held: &Held) -> Self {
        Self {
            node,
            object: Some(held.lock),
            known: Known::Exact,
            again: false,
            shared: held.shared,
            span: Span::whole(held.stack),
        }
    }

    pub(super) fn of_region(standing: &Standing, stack: Option<StackId>) -> Self {
        Self {
            node: standing.node,
            object: standing.object,
            known: Known::Stack,
            again: standing.again,
            shared: false,
            span: standing.span(stack),
        }
    }
}

/// A thread about to take a lock.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    /// The object.
    pub(super) lock: LockId,
    /// Its node; none for a lock that is left out of reports.
    pub(super) target: Option<NodeIx>,
    /// It waits, and will take the lock again.
    pub(super) wait: bool,
    /// First those known exactly, then those on the call chain, outermost first.
    pub(super) holds: Vec<Hold>,
    /// How many are known exactly.
    pub(super) exact: usize,
    pub(super) at: Nanos,
    /// Where it happens.
    pub(super) span: Span,
    /// Who held the lock, as far as the JVM said.
    pub(super) owner: Owner,
    /// Lock objects that others saw this thread hold, and when.
    pub(super) owned: Vec<(LockId, Nanos)>,
    /// All frames and their code are known: nothing else is held.
    pub(super) whole: bool,
    /// It wants it together with others.
    pub(super) shared: bool,
    /// The wait that it ends counted it already.
    pub(super) counted: bool,
    /// The recording ended before it succeeded.
    pub(super) open: bool,
}

impl Attempt {
    /// Gives the only region of a logical lock on the chain the only object of it that others saw
    /// this thread hold while it was blocked, that is until `end`. Of two it could be either.
    pub(super) fn name_objects(&mut self, end: Nanos, node_of: impl Fn(LockId) -> Option<NodeIx>) {
        self.owned.retain(|&(_, at)| at < end && self.whole);
        self.owned.sort_unstable();
        self.owned.dedup_by_key(|&mut (lock, _)| lock);
        for index in 0..self.holds.len() {
            let node = self.holds[index].node;
            let alone = self.holds.iter().filter(|h| h.node == node).count() == 1;
            let mut objects = self.owned.iter().filter(|(l, _)| node_of(*l) == Some(node));
            if let (true, Some(&(lock, _)), None) = (alone, objects.next(), objects.next()) {
                let object = &mut self.holds[index].object;
                *object = object.or(Some(lock));
            }
        }
    }
}
