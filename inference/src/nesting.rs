//! Which locks are taken inside which: the nesting graph of logical locks, and what of its cycles
//! can be a deadlock.
//!
//! An edge A → B says that some thread was about to take B while it held A. Every *attempt*
//! counts, not only those that succeed: a thread that blocks for ever shows its edge. What a thread
//! holds is known in two ways, and each edge says which:
//!
//! - *exact*: enter and exit events of a lock tell which objects the thread holds. An acquisition that
//!   only the JVM told is none of these: its exit happens in code without probes;
//! - *stack*: a call chain that stands in a synchronized region holds that region's monitor. This
//!   names a region, not an object: it counts as the logical lock that has this region if there
//!   is exactly one, else the region is a node of its own. Which object it is stays unknown, save for
//!   class mirrors, for static fields in which one object was seen, and for locks whose waiters
//!   name a blocked thread as their owner.
//!
//! A cycle of the graph is a possible deadlock only if distinct threads can be at its edges at the
//! same time: no common lock may keep them apart (a *gate*) and no start or join of a thread may order
//! them. Nesting within one logical lock is judged by the order of its objects.
//!
//! Reading a trace takes two passes: what the first one collects and analyses says what the locks
//! are, and a [`Scout`] sees which of them were watched exactly; the second gives every record to a
//! [`Nester`]. Memory grows with locks, threads and distinct nestings, never with events.
//!
//! `uses` adds locks of `java.util.concurrent` whose operations were recorded; `chart` maps lock objects and regions to nodes, `held` follows threads, `ledger` keeps what they
//! did, `order` knows starts and joins, `cycles` enumerates, `deadlock` judges, `draft` puts
//! [`graph`], the result, together.

pub mod graph;

mod chart;
mod deadlock;
mod draft;
mod fields;
mod gate;
mod held;
mod ledger;
mod order;
mod rings;
mod scout;
mod standing;
mod uses;

use crate::analysis::Analysis;
use crate::collect::{Collected, FastMap};
use chart::{Chart, NodeIx, NodeKey, Operation, Span};
use graph::Graph;
use held::{Attempt, Hold, Thread};
use ledger::Ledger;
use locklens_trace::record::{LockObject, Owner};
use locklens_trace::{Event, EventKind, LockId, Nanos, ThreadId};
pub(crate) use order::{Lives, UNDER_WAY};
pub use scout::Scout;
pub(crate) use standing::standing;
use std::collections::hash_map::Entry;
use uses::Uses;

/// Follows the threads of a recording through its locks, event by event in file order.
#[derive(Debug)]
pub struct Nester<'a> {
    collected: &'a Collected,
    analysis: &'a Analysis,
    scout: &'a Scout,
    chart: Chart<'a>,
    threads: FastMap<ThreadId, Thread>,
    /// Who was last seen acquiring each exactly watched lock, and when.
    last_entered: FastMap<LockId, (ThreadId, Nanos)>,
    ledger: Ledger,
    lives: Lives,
    /// Acquisitions seen without a call chain, where held sets were not known either.
    without_chain: u64,
    /// Times what a thread held had to be forgotten.
    forgotten: u64,
    uses: Uses,
}

impl<'a> Nester<'a> {
    /// A follower of the recording that was collected and analysed.
    #[must_use]
    pub fn new(collected: &'a Collected, analysis: &'a Analysis, scout: &'a Scout) -> Self {
        Self {
            collected,
            analysis,
            scout,
            chart: Chart::new(collected, analysis),
            threads: FastMap::default(),
            last_entered: FastMap::default(),
            ledger: Ledger::of(collected.recording.exact),
            lives: Lives::default(),
            without_chain: 0,
            forgotten: 0,
            uses: Uses::of(collected),
        }
    }

    /// Takes in the next event.
    fn push(&mut self, event: &Event) {
        match (event.kind, event.lock) {
            (EventKind::ThreadStart, _) => self.lives.started(event.thread, event.at),
            (EventKind::ThreadEnd, _) => {
                self.settle(event);
                self.threads.remove(&event.thread);
            }
            (_, Some(lock)) => self.lock_event(event, lock),
            (_, None) => {}
        }
    }

    /// Ends the pass: threads still blocked leave their attempts behind as open ones.
    #[must_use]
    pub fn finish(mut self) -> Graph {
        self.end_uses();
        self.name_last_owners();
        let mut threads: Vec<ThreadId> = self.threads.keys().copied().collect();
        threads.sort_unstable();
        for id in threads {
            let thread = self.thread(id);
            let epoch = thread.epoch;
            let attempt = match thread.pending.take() {
                Some(attempt) => Some(attempt),
                None => self.coming_back(id),
            };
            if let Some(mut attempt) = attempt {
                attempt.name_objects(Nanos(u64::MAX), |lock| self.chart.node_of(lock));
                attempt.open = true;
                self.ledger.add(id, epoch, &attempt);
            }
        }
        let (ends, end) = (&self.collected.ends, self.collected.recording.duration);
        let order = self.lives.into_order_until(ends, end);
        draft::Draft {
            collected: self.collected,
            analysis: self.analysis,
            chart: &self.chart,
            ledger: &self.ledger,
            order: &order,
            without_chain: self.without_chain,
            forgotten: self.forgotten,
        }
        .graph()
    }

    /// Who owns what is wanted when the recording ends, as the agent saw it; and as it saw it when the
    /// recording began, of threads that have not moved since.
    fn name_last_owners(&mut self) {
        let mut named = Vec::new();
        for (&id, thread) in &mut self.threads {
            let Some(attempt) = &mut thread.pending else {
                continue;
            };
            let last = self.collected.end_owners.get(&id);
            if let Some(&(_, owner)) = last.filter(|(lock, _)| *lock == attempt.lock) {
                attempt.owner = owner;
                named.push((attempt.lock, owner, Nanos(u64::MAX - 1)));
            } else if attempt.at == Nanos(0) {
                named.push((attempt.lock, attempt.owner, Nanos(1)));
            }
        }
        for (lock, owner, at) in named {
            if let Owner::Thread(owner) = owner
                && let Some(thread) = self.threads.get_mut(&owner)
            {
                thread.named_as_owner(lock, at);
            }
        }
    }

    fn lock_event(&mut self, event: &Event, lock: LockId) {
        self.forget_if_lost(event);
        self.thread(event.thread).resume_if_elsewhere(lock, event);
        match event.kind {
            EventKind::Enter => self.enter(event, lock),
            EventKind::Entered => self.entered(event, lock),
            EventKind::Exit => {
                self.settle(event);
                self.thread(event.thread).leave(lock);
            }
            EventKind::Wait { .. } => self.wait(event, lock),
            EventKind::Waited { timed_out } => self.waited(event, lock, timed_out),
            EventKind::Resumed | EventKind::Interrupted => {
                self.settle(event);
                self.thread(event.thread).resume(lock, event);
            }
            EventKind::Notify
            | EventKind::NotifyAll
            | EventKind::ThreadStart
            | EventKind::ThreadEnd => {}
        }
    }

    fn thread(&mut self, id: ThreadId) -> &mut Thread {
        self.threads.entry(id).or_default()
    }

    /// Where events are missing, an exit may be among them: what was held is unknown.
    fn forget_if_lost(&mut self, event: &Event) {
        let losses = &self.collected.losses;
        let thread = self.threads.entry(event.thread);
        let known = matches!(thread, Entry::Occupied(_));
        let thread = thread.or_default();
        thread.known = known;
        let lost = !losses.is_empty() && losses.between(thread.last, event.at);
        thread.last = event.at;
        if lost && thread.forget() {
            self.forgotten += 1;
        }
    }

    fn is_exact(&self, lock: LockId, at: Nanos) -> bool {
        self.collected.recording.exact || self.scout.is_exact(lock, at)
    }

    /// Of an exact recording a probe tells each acquisition, with its site. What the JVM alone tells
    /// happened in code without probes: so does its exit, which nobody tells.
    fn leaves_unseen(&self, event: &Event) -> bool {
        self.collected.recording.exact && event.stack.is_none()
    }

    fn enter(&mut self, event: &Event, lock: LockId) {
        self.settle(event);
        // Nobody blocks on what it holds: it has left unseen.
        self.thread(event.thread).drop_all(lock);
        if let Owner::Thread(owner) = event.owner
            && let Some(thread) = self.threads.get_mut(&owner)
        {
            thread.named_as_owner(lock, event.at);
        }
        let attempt = self.attempt(event, lock);
        self.thread(event.thread).pending = Some(attempt);
    }

    fn entered(&mut self, event: &Event, lock: LockId) {
        let exact = self.is_exact(lock, event.at);
        let pending = self
            .thread(event.thread)
            .pending
            .as_ref()
            .is_some_and(|p| p.lock == lock);
        self.settle(event);
        if self.thread(event.thread).returns_to(lock) {
            return;
        }
        let stays = exact && !self.leaves_unseen(event);
        if !stays {
            self.thread(event.thread).drop_all(lock);
        }
        let again = stays && self.thread(event.thread).enter_again(lock);
        if !pending && !again {
            let attempt = self.attempt(event, lock);
            self.record(event.thread, &attempt);
        }
        if exact && !again {
            self.last_entered.insert(lock, (event.thread, event.at));
        }
        if stays && !again {
            self.thread(event.thread).hold(lock, event);
        }
    }

    /// A thread that waits must take the monitor again while it holds everything else.
    fn wait(&mut self, event: &Event, lock: LockId) {
        self.settle(event);
        let attempt = self.attempt(event, lock);
        self.record(event.thread, &attempt);
        self.thread(event.thread).suspend(lock);
        if let Some(joined) = self.thread_of(lock) {
            self.lives.waits_for(event.thread, joined, event.at);
        }
    }

    fn waited(&mut self, event: &Event, lock: LockId, timed_out: bool) {
        self.thread(event.thread).returning = Some(lock);
        if let (Some(joined), false) = (self.thread_of(lock), timed_out) {
            let thread = self.thread(event.thread);
            thread.next_epoch();
            // The first that is heard of it is the end of a wait: it was there all the time.
            if !thread.known {
                self.lives.waits_for(event.thread, joined, Nanos(0));
            }
            self.lives.wait_ended(event.thread, joined, event.at);
        }
    }

    /// The thread a lock object is.
    fn thread_of(&self, lock: LockId) -> Option<ThreadId> {
        match self.collected.catalog.locks.get(&lock)?.object {
            LockObject::Thread(thread) => Some(thread),
            LockObject::Plain | LockObject::ClassMirror(_) => None,
        }
    }

    /// The attempt a thread is blocked in is over: what became known of it meanwhile is kept.
    fn settle(&mut self, event: &Event) {
        let Some(thread) = self.threads.get_mut(&event.thread) else {
            return;
        };
        if let Some(mut attempt) = thread.pending.take() {
            attempt.name_objects(event.at, |lock| self.chart.node_of(lock));
            self.ledger.add(event.thread, thread.epoch, &attempt);
        }
    }

    fn record(&mut self, id: ThreadId, attempt: &Attempt) {
        let epoch = self.thread(id).epoch;
        self.ledger.add(id, epoch, attempt);
    }

    /// What a thread about to take (or take again) a lock holds at that moment.
    fn attempt(&mut self, event: &Event, lock: LockId) -> Attempt {
        let operation = match event.kind {
            EventKind::Wait { .. } => Operation::Wait,
            _ => Operation::Acquire,
        };
        let chain = self.chart.chain(event.stack, operation, lock);
        let wait = chain.in_wait || self.thread(event.thread).returns_to(lock);
        let mut holds = self.exact_holds(event.thread, event.at, lock);
        let exact = holds.len();
        let target = self.chart.node_of(lock);
        if event.stack.is_none() && !self.is_exact(lock, event.at) {
            self.without_chain += 1;
        }
        let only_one = target.is_some_and(|node| self.is_one_object(node));
        for standing in chain.standing.iter() {
            let same = |node| self.chart.may_be_same(node, standing.node);
            let known = holds[..exact].iter().any(|hold| same(hold.node));
            // It may be the lock itself, or is: there is but one.
            let unclear = (wait || only_one) && target.is_some_and(same);
            if !known && !unclear {
                holds.push(Hold::of_region(standing, event.stack));
            }
        }
        Attempt {
            lock,
            target,
            wait,
            holds,
            exact,
            at: event.at,
            span: chain.span(event.stack),
            owner: event.owner,
            owned: Vec::new(),
            whole: chain.whole,
            counted: wait && event.kind == EventKind::Enter,
            shared: false,
            open: false,
        }
    }

    /// A lock of which probes, which miss none, have met one object.
    fn is_one_object(&self, node: NodeIx) -> bool {
        let key = self.chart.nodes().get(node);
        let lock = match key {
            Some(NodeKey::Lock(ix)) => self.analysis.model.locks.get(*ix),
            _ => None,
        };
        self.collected.recording.exact && lock.is_some_and(|lock| lock.instances == 1)
    }

    /// The attempt of a thread whose wait is over while `wait` has not returned: nothing reports
    /// that it is blocked there, but it is.
    fn coming_back(&mut self, id: ThreadId) -> Option<Attempt> {
        let thread = self.thread(id);
        let (lock, at) = (thread.returning?, thread.last);
        if !thread.returns_to(lock) {
            return None;
        }
        let holds = self.exact_holds(id, at, lock);
        Some(Attempt {
            lock,
            target: self.chart.node_of(lock),
            wait: true,
            exact: holds.len(),
            holds,
            at,
            span: Span::default(),
            owner: Owner::Unknown,
            owned: Vec::new(),
            whole: false,
            counted: true,
            shared: false,
            open: false,
        })
    }

    fn exact_holds(&mut self, id: ThreadId, now: Nanos, lock: LockId) -> Vec<Hold> {
        let Some(thread) = self.threads.get_mut(&id) else {
            return Vec::new();
        };
        // Somebody else acquired it since: its exit was not seen.
        let entered = &self.last_entered;
        thread.held.retain(|held| {
            let other = entered.get(&held.lock);
            other.is_none_or(|&(by, at)| by == id || at <= held.since || at > now)
        });
        let chart = &self.chart;
        let others = thread.held.iter().filter(|held| held.lock != lock);
        others
            .filter_map(|held| Some(Hold::of_object(chart.node_of(held.lock)?, held)))
            .collect()
    }
}

#[cfg(test)]
mod definition_tests;
#[cfg(test)]
mod sampled_tests;
#[cfg(test)]
mod sim;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod uses_tests;
