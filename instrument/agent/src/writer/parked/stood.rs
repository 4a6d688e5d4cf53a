//! Threads that were parked when probes came: of those no probe tells.

use super::Sampler;
use super::stay::Stay;
use crate::clock;
use crate::exact::{Seen, Stood};
use crate::vm::Ref;
use locklens_trace::{LockId, StackId, ThreadId};

/// What has been seen of them and is not told yet.
pub(super) struct Standing {
    /// When the probes came.
    since: u64,
    /// The look under way is the first since then.
    is_first: bool,
    seen: Vec<(ThreadId, u64, Option<StackId>, Seen)>,
    /// When the last look began and ended, until that is told.
    look: Option<(u64, u64)>,
}

impl Standing {
    pub(super) fn new(since: u64) -> Self {
        Self {
            since,
            is_first: true,
            seen: Vec::new(),
            look: None,
        }
    }

    /// A stay is over, of a trace that began at `start`.
    pub(super) fn ends(&mut self, stay: &Stay, start: u64) {
        let gone = stay.gone(start);
        let gone = gone.map(|(thread, seen)| (thread, clock::monotonic(), None, seen));
        self.seen.extend(gone);
    }

    /// A look is over that began then.
    pub(super) fn looked(&mut self, began: u64) {
        self.is_first = false;
        let began = self.look.map_or(began, |(first, _)| first);
        self.look = Some((began, clock::monotonic()));
    }

    /// What there is to tell.
    pub(super) fn take(&mut self) -> Option<Stood> {
        let look = self.look.take()?;
        let seen = std::mem::take(&mut self.seen);
        Some(Stood { seen, look })
    }
}

impl Sampler<'_> {
    /// A look has found somebody: whether he was parked before there were probes.
    pub(super) fn stood(
        &mut self,
        tid: u64,
        (thread, blocker): (&Ref<'_>, &Ref<'_>),
        lock: LockId,
    ) {
        let first = self.standing.as_ref().filter(|standing| standing.is_first);
        let Some(since) = first.map(|standing| standing.since) else {
            return;
        };
        // Had he parked since, a record of his would be older than this.
        let there = self.blockers.has_probes(lock) && self.is_at(thread, blocker);
        let now = clock::monotonic();
        if let (true, Some(stay)) = (there, self.stays.get_mut(&tid)) {
            stay.stood = true;
            let (stack, seen) = stay.seen(since);
            let seen = (stay.thread(), now, stack, seen);
            self.standing.iter_mut().for_each(|s| s.seen.push(seen));
        }
    }
}
