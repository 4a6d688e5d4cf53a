//! What is still open when the recording is over.

use super::super::evidence::Saw;
use super::super::lock::Lock;
use super::super::wait::Ended;
use super::{Follower, stand};
use locklens_trace::record::Owner;
use locklens_trace::{Event, EventKind, LockId, Nanos, ThreadId};

impl Follower<'_> {
    /// The recording is over: those still blocked are so up to its end.
    pub(in super::super) fn end(&mut self) {
        let end = self.collected.recording.until();
        let mut ids: Vec<LockId> = self.locks.keys().copied().collect();
        ids.sort_unstable();
        // Who is held up where must be known of all, before any of it is over.
        ids.iter().for_each(|&id| self.end_of(id, end));
        for id in ids {
            let blocked = self.locks.get(&id).map(Lock::blocked);
            let end = self.locks.get(&id).map_or(end, |lock| lock.last.max(end));
            for thread in blocked.into_iter().flatten() {
                self.conclude(thread, Some(end));
            }
        }
        self.end_waits(end);
    }

    fn end_of(&mut self, id: LockId, end: Nanos) {
        let collected = self.collected;
        let end = self.locks.get(&id).map_or(end, |lock| lock.last.max(end));
        self.lock(id, end);
        let Some(lock) = self.locks.get_mut(&id) else {
            return;
        };
        let blocked = lock.blocked();
        let told = blocked.iter().find_map(|thread| {
            let &(wanted, owner) = collected.end_owners.get(thread)?;
            Saw::of(owner).filter(|_| wanted == id)
        });
        // One of these got it only when nobody told any more.
        let told = told.filter(|saw| !matches!(saw, Saw::Thread(owner) if blocked.contains(owner)));
        let named = match told {
            Some(Saw::Thread(owner)) => stand(&self.threads, owner, id),
            _ => None,
        };
        lock.place_named(named);
        lock.end(end, told);
        // Who is held up elsewhere is so for a reason of its own.
        if let (Some(Saw::Thread(owner)), None) = (told, named)
            && let Some(&chain) = collected.end_chains.get(&owner)
        {
            lock.held_to_the_end(owner, chain);
        }
    }

    fn end_waits(&mut self, end: Nanos) {
        let threads = self.threads.iter();
        let mut threads: Vec<ThreadId> = threads.map(|(id, _)| ThreadId(id)).collect();
        threads.sort_unstable();
        for thread in threads {
            self.settle(thread, false);
            let Some(waiting) = self.thread(thread).waiting else {
                continue;
            };
            let end = Event {
                at: end,
                thread,
                kind: EventKind::Waited { timed_out: false },
                lock: Some(waiting.lock),
                stack: None,
                owner: Owner::Unknown,
                seq: None,
            };
            self.wait_over(&end, Some(waiting), Ended::Not);
        }
    }
}
