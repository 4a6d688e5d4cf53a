//! Who waits for a lock, in the order of arrival: a fair lock serves the first and makes all
//! others wait, even while it is free.

/// Threads that wait, longest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiters(Vec<u32>);

impl Waiters {
    /// Nobody is known to wait.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }

    /// Somebody else came before this thread.
    pub(super) fn before(&self, thread: u32) -> bool {
        self.0.first().is_some_and(|&first| first != thread)
    }

    /// The thread waits, or has gone on.
    pub(super) fn set(&mut self, thread: u32, waits: bool) {
        let known = self.0.contains(&thread);
        if waits && !known {
            self.0.push(thread);
        } else if !waits && known {
            self.0.retain(|&t| t != thread);
        }
    }
}

/// Being fair is a further assumption: its price, in nats.
pub(super) const FAIR_COST: f64 = 2.0;
