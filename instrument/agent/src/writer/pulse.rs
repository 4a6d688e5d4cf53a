//! Whether the command is still alive, as far as its heartbeat tells.
//!
//! A command that is stopped or hangs keeps its socket open: nothing breaks, and its hooks would stay
//! in the target for ever. It therefore promises (option `beat`) to say something now and then. What
//! counts against it is only time in which this thread was looking: where it was itself kept from
//! running, by a stopped process or a crowded machine, the command may have been too.

use crate::channel::Command;
use std::time::{Duration, Instant};

/// Most that one look counts for; the writer looks twenty times a second and more.
const LOOK: Duration = Duration::from_millis(100);

/// See the module.
pub(super) struct Pulse {
    patience: Option<Duration>,
    silence: Duration,
    looked: Instant,
}

impl Pulse {
    /// A command heard just now; without patience it has promised nothing.
    pub(super) fn new(patience: Option<Duration>, now: Instant) -> Self {
        Self {
            patience,
            silence: Duration::ZERO,
            looked: now,
        }
    }

    /// Takes in what was heard since the last look; whether the command is taken for alive.
    pub(super) fn is_felt(&mut self, heard: Command, now: Instant) -> bool {
        let since = now.saturating_duration_since(self.looked);
        self.looked = now;
        self.silence = match heard {
            Command::Continue => self.silence + since.min(LOOK),
            _ => Duration::ZERO,
        };
        self.patience.is_none_or(|most| self.silence < most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Option<Duration> = Some(Duration::from_secs(2));

    /// How many looks, each this long after the one before, until the command is given up.
    fn looks(pulse: &mut Pulse, mut now: Instant, step: Duration) -> usize {
        let mut looks = 1;
        now += step;
        while pulse.is_felt(Command::Continue, now) {
            now += step;
            looks += 1;
        }
        looks
    }

    #[test]
    fn silence_adds_up_and_a_beat_ends_it() {
        let now = Instant::now();
        let mut pulse = Pulse::new(PATIENCE, now);
        assert_eq!(looks(&mut pulse, now, Duration::from_millis(20)), 100);
        assert!(pulse.is_felt(Command::Alive, now));
        assert_eq!(looks(&mut pulse, now, Duration::from_millis(20)), 100);
    }

    #[test]
    fn time_in_which_nobody_looked_counts_little() {
        let now = Instant::now();
        let mut pulse = Pulse::new(PATIENCE, now);
        assert!(pulse.is_felt(Command::Continue, now + Duration::from_secs(3600)));
        assert_eq!(
            looks(&mut Pulse::new(PATIENCE, now), now, Duration::from_secs(60)),
            20
        );
    }

    #[test]
    fn who_promised_nothing_may_be_silent() {
        let now = Instant::now();
        let mut pulse = Pulse::new(None, now);
        assert!((0..1000).all(|i| pulse.is_felt(Command::Continue, now + LOOK * i)));
    }
}
