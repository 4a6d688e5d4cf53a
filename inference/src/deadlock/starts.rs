//! Who started a thread. No JVM reports it: where no probe told, it is presumed, and so is what came before that.

use super::jvm::Jvm;
use super::operations::at;
use super::step::{Op, Step, Thread};
use crate::nesting::UNDER_WAY;
use crate::pressure::crowd::is_service;
use locklens_trace::kin::{Kin, Tie};
use locklens_trace::{Event, EventKind, LockId, Nanos, ThreadId};
use std::collections::BTreeSet;

impl Jvm<'_> {
    /// A thread is about to start another one, or has seen its end.
    pub(super) fn kin(&mut self, kin: &Kin, each: &mut dyn FnMut(&Step)) {
        let event = at(kin.at, kin.thread, LockId(0));
        self.fork_before(&event, each);
        self.missing(&event, each);
        self.acts(kin.thread, false);
        self.back_from_elsewhere(&event, each);
        let other = Thread(self.threads.number(kin.other));
        match kin.tie {
            // Who asks for the start of one that runs already is told so by an exception.
            Tie::Starts if !self.is_known(kin.other) => {
                self.goes_on_from_join(kin.thread);
                self.started.insert(kin.other);
                let fork = Op::Fork {
                    child: other,
                    presumed: false,
                };
                self.tell(&event, fork, each);
            }
            Tie::Joined | Tie::JoinedInTime
                if kin.other != kin.thread && self.has_ended(kin.other, kin.at) =>
            {
                let timed = kin.tie == Tie::JoinedInTime;
                self.sees_end(&event, kin.other, timed, each);
            }
            Tie::Starts | Tie::Joined | Tie::JoinedInTime => {}
        }
    }

    fn has_ended(&self, thread: ThreadId, by: Nanos) -> bool {
        self.collected
            .ends
            .get(&thread)
            .is_some_and(|&end| end <= by)
    }

    /// Threads that this one had started by now, and what it did before came before them.
    pub(super) fn fork_before(&mut self, event: &Event, each: &mut dyn FnMut(&Step)) {
        if self.forks.is_empty() {
            return;
        }
        let starters: Vec<ThreadId> = match event.kind {
            // Whoever started it has done nothing since.
            EventKind::ThreadStart => self.forks.keys().copied().collect(),
            _ if self.forks.contains_key(&event.thread) => vec![event.thread],
            _ => return,
        };
        for starter in starters {
            let started = |&(until, child): &(Nanos, ThreadId)| match event.kind {
                EventKind::ThreadStart => {
                    child == event.thread || until < event.at && starter == event.thread
                }
                _ => until < event.at,
            };
            while let Some((_, child)) = self
                .forks
                .get_mut(&starter)
                .and_then(|f| f.pop_if(|f| started(f)))
            {
                let child = Thread(self.threads.number(child));
                let by = Event {
                    thread: starter,
                    stack: None,
                    ..*event
                };
                let presumed = true;
                self.tell(&by, Op::Fork { child, presumed }, each);
            }
        }
    }

    /// A thread that begins after its starter had waited for the end of another was presumably started after that.
    pub(super) fn presumed(&mut self, event: &Event, each: &mut dyn FnMut(&Step)) {
        let joined = match self.starters.get(&event.thread) {
            Some(starter) => self.joined.get(starter).cloned().unwrap_or_default(),
            None if self.again && !self.started.contains(&event.thread) => {
                self.joined_by_all(event)
            }
            None => Vec::new(),
        };
        for before in joined {
            let before = Thread(self.threads.number(before));
            self.tell(event, Op::Follows(before), each);
        }
    }

    /// Threads whose end everybody had waited for who may have started the one that begins here.
    fn joined_by_all(&self, event: &Event) -> Vec<ThreadId> {
        let over: BTreeSet<ThreadId> = self.joined.values().flatten().copied().collect();
        let ended = |thread: &ThreadId| {
            let end = self.collected.ends.get(thread);
            end.is_some_and(|&end| end.0.saturating_add(UNDER_WAY.0) < event.at.0)
        };
        let own = |thread: &ThreadId| {
            let known = self.collected.catalog.threads.get(thread);
            known.is_some_and(is_service)
        };
        let others = self.ways.keys().filter(|&&other| other != event.thread);
        let mut starters =
            others.filter(|other| !over.contains(other) && !ended(other) && !own(other));
        let joined = |starter| self.joined.get(starter).cloned().unwrap_or_default();
        let mut all = starters.next().map(joined).unwrap_or_default();
        for starter in starters {
            let its = joined(starter);
            all.retain(|before| its.contains(before));
        }
        all
    }
}
