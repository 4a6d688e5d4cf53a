//! Who held a lock of `java.util.concurrent` when the longest stays at such locks began: parks do not tell that themselves.

use super::hold::Holds;
use super::longest::{Lasting, Longest, OwnerKey};
use crate::collect::{Collected, FastHash};
use crate::contention::owners::{Begun, Owners};
use locklens_trace::{LockId, Nanos, Record, ThreadId};
use std::cmp::Reverse;
use std::collections::HashMap;

/// A stay of which that is known. In the order of stays, so that the longest stays have theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Stay {
    length: u64,
    from: Reverse<u64>,
    thread: Reverse<ThreadId>,
    lock: LockId,
    owner: OwnerKey,
}

impl Lasting for Stay {
    fn length(&self) -> u64 {
        self.length
    }
}

/// By thread, lock and beginning of a stay who held that.
pub(super) type Held = HashMap<(ThreadId, LockId, u64), OwnerKey, FastHash>;

/// See the module.
#[derive(Debug)]
pub(super) struct Owned {
    owners: Option<Owners>,
    longest: Longest<Stay>,
}

impl Owned {
    /// One that keeps so many.
    pub(super) fn new(collected: &Collected, stays: usize) -> Self {
        Self {
            owners: Owners::of(collected),
            longest: Longest::new(stays),
        }
    }

    /// A thread holds so much already.
    pub(super) fn hold(&mut self, thread: ThreadId, holds: &Holds) {
        let owners = self.owners.iter_mut();
        owners.for_each(|owners| {
            for (lock, grip, since) in holds.grips() {
                owners.hold(thread, lock, (grip, Nanos(since)));
            }
        });
    }

    /// The next record.
    pub(super) fn see(&mut self, record: &Record) {
        if let Some(owners) = &mut self.owners {
            let over = owners.see(record);
            self.keep(&over);
        }
    }

    /// Records are missing.
    pub(super) fn forget(&mut self) {
        self.owners.iter_mut().for_each(Owners::lost);
    }

    fn keep(&mut self, over: &[Begun]) {
        for begun in over {
            self.longest.push(Stay {
                length: begun.length,
                from: Reverse(begun.from.0),
                thread: Reverse(begun.thread),
                lock: begun.lock,
                owner: begun.owner.into(),
            });
        }
    }

    /// Ends it.
    pub(super) fn finish(&mut self) -> Held {
        let rest = self.owners.as_mut().map(Owners::rest);
        self.keep(&rest.unwrap_or_default());
        let longest = std::mem::replace(&mut self.longest, Longest::new(0));
        let told = |stay: Stay| ((stay.thread.0, stay.lock, stay.from.0), stay.owner);
        longest.all().map(told).collect()
    }
}
