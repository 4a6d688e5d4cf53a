//! One who reads a trace, and several who take all of it in, each on a thread of its own.

use locklens_trace::Record;
use locklens_trace::read::Item;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::ScopedJoinHandle;

/// Parts of a trace that are handed on together.
const BATCH: usize = 4096;
/// How many times that the slowest may be behind.
const AHEAD: usize = 8;

/// Hands on what is read.
#[derive(Default)]
pub(crate) struct Crowd {
    members: Vec<SyncSender<Arc<Vec<Item>>>>,
    batch: Vec<Item>,
}

/// Waits for what a thread gives; its panic goes on here.
pub(crate) fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// What one of them is given.
pub(crate) struct Share(Receiver<Arc<Vec<Item>>>);

impl Crowd {
    /// One more, who gets everything from now on.
    pub(crate) fn member(&mut self) -> Share {
        let (sender, receiver) = sync_channel(AHEAD);
        self.members.push(sender);
        Share(receiver)
    }

    pub(crate) fn push(&mut self, item: Item) {
        self.batch.push(item);
        if self.batch.len() >= BATCH {
            self.hand_on();
        }
    }

    /// That was all.
    pub(crate) fn end(mut self) {
        self.hand_on();
    }

    fn hand_on(&mut self) {
        let batch = std::mem::replace(&mut self.batch, Vec::with_capacity(BATCH));
        let batch = Arc::new(batch);
        for member in &self.members {
            // One that is gone has panicked: whoever joins its thread learns of that.
            let _ = member.send(Arc::clone(&batch));
        }
    }
}

impl Share {
    /// Gives each part in turn, until that was all.
    pub(crate) fn each(self, mut see: impl FnMut(&Item)) {
        for batch in self.0 {
            batch.iter().for_each(&mut see);
        }
    }

    /// Gives each record, and passes over what is missing.
    pub(crate) fn each_record(self, mut see: impl FnMut(&Record)) {
        self.each(|item| match item {
            Item::Record(record) => see(record),
            Item::Gap(_) => {}
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::read::{Gap, GapCause};

    fn gap(at: usize) -> Item {
        Item::Gap(Gap {
            offset: at as u64,
            len: 1,
            cause: GapCause::Damaged,
        })
    }

    #[test]
    fn everybody_gets_everything_in_order() {
        for many in [0, 1, BATCH, 3 * BATCH + 1] {
            let mut crowd = Crowd::default();
            let shares = [crowd.member(), crowd.member()];
            let got = std::thread::scope(|scope| {
                let seen = shares.map(|share| {
                    scope.spawn(|| {
                        let mut seen = Vec::new();
                        share.each(|item| seen.push(item.clone()));
                        seen
                    })
                });
                (0..many).for_each(|at| crowd.push(gap(at)));
                crowd.end();
                seen.map(|thread| thread.join().unwrap())
            });
            let all: Vec<Item> = (0..many).map(gap).collect();
            assert!(got.iter().all(|seen| *seen == all), "{many}");
        }
    }
}
