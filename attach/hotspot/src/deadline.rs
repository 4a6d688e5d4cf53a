//! A moment, or a word from outside, after which nothing here waits any longer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Longest single wait between two looks at a target, or at whether somebody still waits for it.
pub(crate) const LONGEST_NAP: Duration = Duration::from_millis(50);
const FIRST_NAP: Duration = Duration::from_millis(1);

/// How long to wait for a JVM, and what ends the waiting before. A [`Duration`] alone will do.
#[derive(Debug, Clone)]
pub struct Patience {
    limit: Duration,
    interrupt: Arc<AtomicBool>,
}

impl Patience {
    /// Waits at most this long, and no longer once the flag is set (by a signal handler, say).
    pub fn unless(limit: Duration, interrupt: Arc<AtomicBool>) -> Patience {
        Patience { limit, interrupt }
    }

    /// The same with another limit.
    pub(crate) fn within(self, limit: Duration) -> Patience {
        Patience { limit, ..self }
    }

    pub(crate) fn limit(&self) -> Duration {
        self.limit
    }
}

impl From<Duration> for Patience {
    fn from(limit: Duration) -> Patience {
        Patience::unless(limit, Arc::default())
    }
}

/// When to give up, and how long the way there was.
#[derive(Debug, Clone)]
pub(crate) struct Deadline {
    begun: Instant,
    patience: Patience,
    nap: Duration,
}

impl Deadline {
    /// The patience begins now.
    pub(crate) fn after(patience: &Patience) -> Deadline {
        Deadline {
            begun: Instant::now(),
            patience: patience.clone(),
            nap: FIRST_NAP,
        }
    }

    /// How long until it; zero once it has passed or nobody waits any more.
    pub(crate) fn left(&self) -> Duration {
        match self.interrupted() {
            true => Duration::ZERO,
            false => self.patience.limit.saturating_sub(self.begun.elapsed()),
        }
    }

    /// How long it has been going.
    pub(crate) fn waited(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Somebody has ended the waiting from outside.
    pub(crate) fn interrupted(&self) -> bool {
        self.patience.interrupt.load(Ordering::Relaxed)
    }

    /// Sleeps a little, each time longer; `false` once the deadline has passed.
    pub(crate) fn nap(&mut self) -> bool {
        let left = self.left();
        std::thread::sleep(self.nap.min(left));
        self.nap = (self.nap * 2).min(LONGEST_NAP);
        !left.is_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_ends_what_had_hours_left() {
        let flag = Arc::new(AtomicBool::new(false));
        let patience = Patience::unless(Duration::from_secs(7200), Arc::clone(&flag));
        let mut deadline = Deadline::after(&patience);
        assert!(deadline.nap() && !deadline.interrupted());
        flag.store(true, Ordering::Relaxed);
        assert!(!deadline.nap() && deadline.interrupted());
        assert!(deadline.left().is_zero());
    }
}
