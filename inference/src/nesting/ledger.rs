//! What was seen of nesting: for the search of cycles each *dependency* once (a thread that wants a
//! lock while it holds others), for people each edge with its counts and places.

use super::chart::{NodeIx, Span};
use super::graph::Known;
use super::held::{Attempt, Hold};
use crate::collect::FastMap;
use locklens_trace::record::Owner;
use locklens_trace::{LockId, Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// Dependencies kept for the search of cycles.
const DEPENDENCIES: usize = 200_000;
/// Places kept of an edge.
const SITES: usize = 256;

/// A thread that wants a lock while it holds others, however often it did.
#[derive(Clone, Debug)]
pub(super) struct Dependency {
    pub(super) thread: ThreadId,
    /// Which part of the thread's life.
    pub(super) epoch: u32,
    /// The lock wanted.
    pub(super) to: NodeIx,
    /// Which object, if known.
    pub(super) object: Option<LockId>,
    /// The end of a wait wants it.
    pub(super) wait: bool,
    /// It was never wanted but together with others.
    pub(super) shared: bool,
    /// What is held, by node and object.
    pub(super) holds: Vec<Hold>,
    /// Where the lock is taken.
    pub(super) span: Span,
    pub(super) first: Nanos,
    pub(super) last: Nanos,
    pub(super) count: u64,
    /// The thread was still blocked so at the end, and who held the lock then.
    pub(super) open: Option<Owner>,
}

/// What makes a dependency: epoch of the thread's life, lock wanted, locks held.
type Key = (
    ThreadId,
    u32,
    (NodeIx, Option<LockId>, bool),
    Vec<(NodeIx, Option<LockId>)>,
);

/// What was seen of one edge.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    pub(super) count: u64,
    pub(super) threads: BTreeSet<ThreadId>,
    pub(super) exact: bool,
    pub(super) sites: BTreeMap<(Span, Span), SiteEvidence>,
    /// Times it was seen in places beyond those kept.
    pub(super) elsewhere: u64,
    pub(super) first: Nanos,
}

/// What was seen of one edge in one place.
#[derive(Clone, Copy, Debug)]
pub(super) struct SiteEvidence {
    pub(super) count: u64,
    pub(super) known: Known,
    pub(super) first: Nanos,
    pub(super) thread: ThreadId,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    pub(super) dependencies: Vec<Dependency>,
    known: FastMap<Key, usize>,
    /// What is held, and the same as a part of a key: kept from attempt to attempt for their room.
    holds: Vec<Hold>,
    held: Vec<(NodeIx, Option<LockId>)>,
    pub(super) edges: BTreeMap<(NodeIx, NodeIx), Evidence>,
    /// Dependencies that found no room.
    pub(super) left_out: u64,
    /// Probes tell of each acquisition.
    exact: bool,
}

impl Ledger {
    /// Nothing seen yet, of an exact recording or another one.
    pub(super) fn of(exact: bool) -> Self {
        Self {
            exact,
            ..Self::default()
        }
    }

    /// Books an attempt, and the nestings that its call chain shows besides.
    pub(super) fn add(&mut self, thread: ThreadId, epoch: u32, attempt: &Attempt) {
        if let Some(to) = attempt.target {
            self.book(
                (thread, epoch),
                attempt,
                &attempt.holds,
                Wanted {
                    to,
                    object: Some(attempt.lock),
                    wait: attempt.wait,
                    shared: attempt.shared,
                    span: attempt.span,
                    open: attempt.open.then_some(attempt.owner),
                    told: false,
                },
            );
        }
        self.add_chain(thread, epoch, attempt);
    }

    /// Regions further in were entered within those further out. A region of a lock that is held
    /// further out already may have been a second entry: it says nothing.
    fn add_chain(&mut self, thread: ThreadId, epoch: u32, attempt: &Attempt) {
        let chain = &attempt.holds[attempt.exact..];
        for (index, inner) in chain.iter().enumerate().skip(1) {
            let outer = &chain[..index];
            if !inner.again {
                self.book(
                    (thread, epoch),
                    attempt,
                    outer,
                    Wanted {
                        to: inner.node,
                        object: inner.object,
                        wait: false,
                        shared: false,
                        span: inner.span,
                        open: None,
                        told: self.exact,
                    },
                );
            }
        }
    }

    fn book(
        &mut self,
        (thread, epoch): (ThreadId, u32),
        attempt: &Attempt,
        holds: &[Hold],
        wanted: Wanted,
    ) {
        let other = |hold: &&Hold| hold.object.is_none() || hold.object != wanted.object;
        let mut own = std::mem::take(&mut self.holds);
        own.clear();
        own.extend(holds.iter().filter(other).copied());
        if !own.is_empty() {
            if !attempt.counted {
                self.count(thread, attempt.at, &own, &wanted);
            }
            own.sort_by_key(|hold| (hold.node, hold.object));
            self.note((thread, epoch), attempt, &own, &wanted);
        }
        self.holds = own;
    }

    /// Notes a dependency, or that it was seen once more.
    fn note(
        &mut self,
        (thread, epoch): (ThreadId, u32),
        attempt: &Attempt,
        holds: &[Hold],
        wanted: &Wanted,
    ) {
        let mut held = std::mem::take(&mut self.held);
        held.clear();
        held.extend(holds.iter().map(|h| (h.node, h.object)));
        let key = (thread, epoch, (wanted.to, wanted.object, wanted.wait), held);
        if let Some(&index) = self.known.get(&key) {
            self.dependencies[index].again(wanted, attempt, holds);
            self.held = key.3;
        } else if self.dependencies.len() < DEPENDENCIES {
            self.known.insert(key, self.dependencies.len());
            let dependency = wanted.dependency((thread, epoch), attempt, holds.to_vec());
            self.dependencies.push(dependency);
        } else {
            self.left_out += 1;
            self.held = key.3;
        }
    }
}

impl Ledger {
    /// Counts what is nested, once for each node held.
    fn count(&mut self, thread: ThreadId, at: Nanos, holds: &[Hold], wanted: &Wanted) {
        let mut nodes = BTreeSet::new();
        let alone = holds.len() == 1;
        for hold in holds {
            if alone || nodes.insert(hold.node) {
                let edge = self.edges.entry((hold.node, wanted.to)).or_default();
                if edge.count == 0 || !wanted.told {
                    edge.add(thread, at, hold, wanted.span);
                }
            }
        }
    }
}

/// The lock an attempt is about.
struct Wanted {
    to: NodeIx,
    object: Option<LockId>,
    wait: bool,
    shared: bool,
    span: Span,
    open: Option<Owner>,
    /// When it was taken that was told, and counted then.
    told: bool,
}

impl Wanted {
    fn dependency(
        &self,
        (thread, epoch): (ThreadId, u32),
        attempt: &Attempt,
        holds: Vec<Hold>,
    ) -> Dependency {
        Dependency {
            thread,
            epoch,
            to: self.to,
            object: self.object,
            wait: self.wait,
            shared: self.shared,
            holds,
            span: self.span,
            first: attempt.at,
            last: attempt.at,
            count: u64::from(!attempt.counted),
            open: self.open,
        }
    }
}

impl Dependency {
    /// The same once more. Where a thread is blocked for good is the place to show.
    fn again(&mut self, wanted: &Wanted, attempt: &Attempt, holds: &[Hold]) {
        self.first = self.first.min(attempt.at);
        self.last = self.last.max(attempt.at);
        self.count += u64::from(!attempt.counted);
        self.shared &= wanted.shared;
        for (known, hold) in self.holds.iter_mut().zip(holds) {
            let shared = known.shared && hold.shared;
            if wanted.open.is_some() {
                *known = *hold;
            }
            known.shared = shared;
        }
        if wanted.open.is_some() {
            (self.span, self.open) = (wanted.span, wanted.open);
        }
    }
}

impl Evidence {
    /// The best way in which the outer lock was known to be held.
    pub(super) fn known(&self) -> Known {
        match self.exact {
            true => Known::Exact,
            false => Known::Stack,
        }
    }

    fn add(&mut self, thread: ThreadId, at: Nanos, hold: &Hold, inner: Span) {
        self.first = if self.count == 0 {
            at
        } else {
            self.first.min(at)
        };
        self.count += 1;
        self.threads.insert(thread);
        self.exact |= hold.known == Known::Exact;
        let room = self.sites.len() < SITES;
        match self.sites.get_mut(&(hold.span, inner)) {
            Some(site) => site.add(thread, at),
            None if room => {
                let site = SiteEvidence {
                    count: 1,
                    known: hold.known,
                    first: at,
                    thread,
                };
                self.sites.insert((hold.span, inner), site);
            }
            None => self.elsewhere += 1,
        }
    }
}

impl SiteEvidence {
    fn add(&mut self, thread: ThreadId, at: Nanos) {
        self.count += 1;
        if at < self.first {
            self.first = at;
            self.thread = thread;
        }
    }
}
