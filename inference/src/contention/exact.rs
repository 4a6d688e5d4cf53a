//! Who holds a monitor of which probes tell every enter and exit.

use super::stay::{Chain, Holder, Piece, Why};
use locklens_trace::{Nanos, StackId, ThreadId};
use std::collections::BTreeMap;

/// What a monitor is known to be in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Nothing has been seen yet, or what was seen can't be.
    #[default]
    Unknown,
    /// Nobody holds it.
    Free,
    /// A thread does.
    Held(Hold),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hold {
    thread: ThreadId,
    depth: u32,
    /// Where it was acquired.
    chain: Option<StackId>,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Monitor {
    state: State,
    since: Nanos,
    /// What waiting threads will take again.
    given_up: BTreeMap<ThreadId, Hold>,
}

impl Monitor {
    /// A probe saw a thread come in, at this place; `callers` is the chain with which it had to block before, if it had to.
    pub(super) fn entered(
        &mut self,
        at: Nanos,
        thread: ThreadId,
        site: Option<StackId>,
        callers: Option<StackId>,
    ) -> Option<Piece> {
        if let State::Held(hold) = &mut self.state
            && hold.thread == thread
        {
            hold.depth = hold.depth.saturating_add(1);
            return None;
        }
        // Of what the JVM alone tells the exit is not told either.
        let seen = site.map(|site| {
            let chain = Some(callers.unwrap_or(site));
            State::Held(Hold {
                thread,
                depth: 1,
                chain,
            })
        });
        Some(self.become_(at, seen.unwrap_or_default(), None))
    }

    /// A probe saw it leave one level. Of the chains by which it was taken and given back the `fuller` one is told.
    pub(super) fn exit(
        &mut self,
        at: Nanos,
        thread: ThreadId,
        site: Option<StackId>,
        fuller: impl Fn(StackId, StackId) -> StackId,
    ) -> Option<Piece> {
        match &mut self.state {
            State::Held(hold) if hold.thread == thread && hold.depth > 1 => {
                hold.depth -= 1;
                None
            }
            State::Held(hold) if hold.thread == thread => {
                let chain = match (hold.chain, site) {
                    (Some(acquired), Some(site)) => Some(fuller(acquired, site)),
                    (acquired, site) => site.or(acquired),
                };
                Some(self.become_(at, State::Free, chain))
            }
            // It was held since before anybody watched; of an outer level that will show.
            _ => Some(self.become_(at, State::Unknown, None)),
        }
    }

    /// A thread gives up all levels to wait.
    pub(super) fn wait(&mut self, at: Nanos, thread: ThreadId) -> Piece {
        match self.state {
            State::Held(hold) if hold.thread == thread => {
                self.given_up.insert(thread, hold);
            }
            _ => {}
        }
        self.become_(at, State::Free, None)
    }

    /// `wait` has returned: all levels are held again.
    pub(super) fn resumed(&mut self, at: Nanos, thread: ThreadId) -> Piece {
        let hold = self.given_up.remove(&thread);
        let state = hold.map_or(State::Unknown, State::Held);
        self.become_(at, state, None)
    }

    /// A thread holds it, or will take it again after a wait.
    pub(super) fn is_of(&self, thread: ThreadId) -> bool {
        let holds = matches!(self.state, State::Held(hold) if hold.thread == thread);
        holds || self.given_up.contains_key(&thread)
    }

    /// A thread ended, and can't be in it any more.
    pub(super) fn ended(&mut self, at: Nanos, thread: ThreadId) -> Option<Piece> {
        self.given_up.remove(&thread);
        match self.state {
            State::Held(hold) if hold.thread == thread => Some(self.lose(at)),
            _ => None,
        }
    }

    /// Events are missing.
    pub(super) fn lose(&mut self, at: Nanos) -> Piece {
        self.become_(at, State::Unknown, None)
    }

    /// How it has been up to now.
    pub(super) fn so_far(&mut self, at: Nanos) -> Piece {
        self.become_(at, self.state, None)
    }

    fn become_(&mut self, at: Nanos, state: State, chain: Option<StackId>) -> Piece {
        let to = at.max(self.since);
        let (holder, chain) = match self.state {
            State::Unknown => (Holder::Unknown(Why::Before), None),
            State::Free => (Holder::Nobody, None),
            // Somebody else came in: its exit was not seen.
            State::Held(hold) if is_other(hold, state) => (Holder::Unknown(Why::Elsewhere), None),
            State::Held(hold) => (Holder::Thread(hold.thread), chain.or(hold.chain)),
        };
        let piece = Piece::new(self.since, to, holder, chain.map(Chain::at_end));
        (self.state, self.since) = (state, to);
        piece
    }
}

fn is_other(hold: Hold, next: State) -> bool {
    matches!(next, State::Held(next) if next.thread != hold.thread)
}
