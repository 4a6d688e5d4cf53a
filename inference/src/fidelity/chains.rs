//! The JVM's call chains of waits, found again.
//!
//! The agent takes the chain of every wait as the JVM reports it and defines it in the trace; then the probe's word for the
//! wait takes the place of the JVM's, with a chain of one frame. Whose end is that frame is the JVM's chain of
//! that wait. Where there are several, the one that stands in all the levels the thread holds is taken, of these the
//! one that begins as the thread's blocked entries do.

use crate::catalog::Catalog;
use crate::program::Program;
use locklens_trace::record::Frame;
use locklens_trace::{EventKind, MethodId, Record, StackId, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// Where the call chains of waits come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chains {
    /// Waits.
    pub waits: u64,
    /// There were several chains for their site.
    pub several: u64,
    /// There was none: they have none in the view, as those beyond the agent's budget.
    pub none: u64,
}

impl Chains {
    pub(super) fn add(&mut self, other: &Self) {
        self.waits += other.waits;
        self.several += other.several;
        self.none += other.none;
    }
}

/// Finds chains.
pub(super) struct Callers<'a> {
    catalog: &'a Catalog,
    /// Chains inside `wait`, by the frame that waits.
    waits: BTreeMap<(MethodId, Option<u16>), Vec<StackId>>,
    in_wait: BTreeSet<StackId>,
    /// Chains the JVM reported of each thread.
    own: BTreeMap<ThreadId, BTreeSet<StackId>>,
    found: BTreeMap<(ThreadId, StackId, Vec<StackId>), Option<StackId>>,
    pub(super) chains: Chains,
}

impl<'a> Callers<'a> {
    pub(super) fn of(catalog: &'a Catalog, records: &[Record]) -> Self {
        let program = Program::of(catalog);
        let mut callers = Self {
            catalog,
            waits: BTreeMap::new(),
            in_wait: BTreeSet::new(),
            own: BTreeMap::new(),
            found: BTreeMap::new(),
            chains: Chains::default(),
        };
        for (&id, stack) in &catalog.stacks {
            let mut frames = stack.frames.iter().peekable();
            let mut inner = 0;
            while frames
                .next_if(|f| program.is_object_wait(f.method))
                .is_some()
            {
                inner += 1;
            }
            if let (1.., Some(frame)) = (inner, frames.peek()) {
                let site = (frame.method, frame.bci);
                callers.waits.entry(site).or_default().push(id);
                callers.in_wait.insert(id);
            }
        }
        for record in records {
            if let Record::Event(event) = record
                && let (EventKind::Enter, Some(stack)) = (event.kind, event.stack)
            {
                callers.own.entry(event.thread).or_default().insert(stack);
            }
        }
        callers
    }

    /// The JVM's chain of a wait at this site, by a thread inside these levels.
    pub(super) fn of_wait(
        &mut self,
        thread: ThreadId,
        site: StackId,
        levels: &[StackId],
    ) -> Option<StackId> {
        self.chains.waits += 1;
        if self.in_wait.contains(&site) {
            return Some(site);
        }
        let frame = self.frames(site).first();
        let candidates = frame.and_then(|f| self.waits.get(&(f.method, f.bci)));
        self.chains.several += u64::from(candidates.is_some_and(|c| c.len() > 1));
        let key = (thread, site, levels.to_vec());
        let found = match self.found.get(&key) {
            Some(&known) => known,
            None => {
                let found = self.best(thread, levels, candidates.map_or(&[], Vec::as_slice));
                self.found.insert(key, found);
                found
            }
        };
        self.chains.none += u64::from(found.is_none());
        found
    }

    fn best(
        &self,
        thread: ThreadId,
        levels: &[StackId],
        candidates: &[StackId],
    ) -> Option<StackId> {
        let inside = candidates.iter().filter(|&&id| self.is_inside(id, levels));
        let worth = |&&id: &&StackId| {
            let own = self.own.get(&thread).into_iter().flatten();
            own.map(|&own| self.common(id, own)).max().unwrap_or(0)
        };
        // Of equals the first.
        inside.rev().max_by_key(worth).copied()
    }

    /// The chain goes through the methods of all these levels.
    fn is_inside(&self, id: StackId, levels: &[StackId]) -> bool {
        let mut frames = self.frames(id);
        levels.iter().rev().all(|&level| {
            let Some(method) = self.frames(level).first().map(|f| f.method) else {
                return true;
            };
            let at = frames.iter().position(|f| f.method == method);
            // Two levels may be in one frame.
            at.is_some_and(|at| {
                frames = &frames[at..];
                true
            })
        })
    }

    /// Frames two chains share from their beginning, methods only.
    fn common(&self, a: StackId, b: StackId) -> usize {
        let methods = |id| self.frames(id).iter().rev().map(|f| f.method);
        let pairs = methods(a).zip(methods(b));
        pairs.take_while(|(a, b)| a == b).count()
    }

    fn frames(&self, id: StackId) -> &'a [Frame] {
        let stack = self.catalog.stacks.get(&id);
        stack.map_or(&[], |stack| &stack.frames)
    }
}
