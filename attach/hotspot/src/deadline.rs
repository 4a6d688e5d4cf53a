//! A moment after which nothing here waits any longer.

use std::time::{Duration, Instant};

/// Longest single wait between two looks at a target.
const LONGEST_NAP: Duration = Duration::from_millis(50);
const FIRST_NAP: Duration = Duration::from_millis(1);

/// When to give up, and how long the way there was.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline {
    begun: Instant,
    limit: Duration,
    nap: Duration,
}

impl Deadline {
    /// A deadline `limit` from now.
    pub(crate) fn after(limit: Duration) -> Deadline {
        Deadline {
            begun: Instant::now(),
            limit,
            nap: FIRST_NAP,
        }
    }

    /// How long until it; zero once it has passed.
    pub(crate) fn left(&self) -> Duration {
        self.limit.saturating_sub(self.begun.elapsed())
    }

    /// How long it has been going.
    pub(crate) fn waited(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Sleeps a little, each time longer; `false` once the deadline has passed.
    pub(crate) fn nap(&mut self) -> bool {
        let left = self.left();
        std::thread::sleep(self.nap.min(left));
        self.nap = (self.nap * 2).min(LONGEST_NAP);
        !left.is_zero()
    }
}
