//! Whether a JVM has done next to nothing of late, read from outside.
//!
//! If its threads hang that may be the only sign of it: a class whose initialisation never ends makes no event, and who waits for the end
//! of a thread, or to be told something, may be idle as well. And who does nothing minds least to be asked how its threads stand.

use locklens_hotspot::{Pid, spent_in_all};
use std::time::{Duration, Instant};

/// Between two readings: times come in hundredths of a second.
const STEP: Duration = Duration::from_secs(1);
/// Share of one processor, in percent: what the JVM does by itself, and the agent's looks, take less.
const LITTLE: u128 = 3;

/// What was spent up to a point in time.
type Reading = (Instant, Duration);

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Quiet {
    /// The last but one, which is between one and two steps old when the last is looked back from; the last.
    readings: [Option<Reading>; 2],
}

impl Quiet {
    /// Takes a reading, if it is time for one.
    pub(super) fn look(&mut self, pid: Pid) {
        let now = Instant::now();
        let [_, last] = self.readings;
        let is_due = last.is_none_or(|(at, _)| now.saturating_duration_since(at) >= STEP);
        if let Some(spent) = is_due.then(|| spent_in_all(pid)).flatten() {
            self.readings = [last, Some((now, spent))];
        }
    }

    /// Whether it has done next to nothing for a second or two.
    pub(super) fn lasts(&self, pid: Pid) -> bool {
        let now = spent_in_all(pid).map(|spent| (Instant::now(), spent));
        now.is_some_and(|now| self.lasts_until(now))
    }

    fn lasts_until(&self, (now, spent): Reading) -> bool {
        let old = |reading: &Reading| now.saturating_duration_since(reading.0) >= STEP;
        let then = self.readings.iter().flatten().find(|reading| old(reading));
        then.is_some_and(|(at, before)| {
            let span = now.saturating_duration_since(*at).as_nanos();
            spent.saturating_sub(*before).as_nanos() * 100 <= span * LITTLE
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet(start: Instant, readings: [Option<(u64, u64)>; 2]) -> Quiet {
        let reading = |(at, spent)| (start + ms(at), ms(spent));
        Quiet {
            readings: readings.map(|one| one.map(reading)),
        }
    }

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn little_in_a_second_or_two_is_next_to_nothing() {
        let start = Instant::now();
        let lasts = |readings, (at, spent): (u64, u64)| {
            quiet(start, readings).lasts_until((start + ms(at), ms(spent)))
        };
        let two = [Some((0, 100)), Some((1000, 110))];
        assert!(lasts(two, (1500, 140)));
        assert!(!lasts(two, (1500, 150)));
        // Of the first second nothing is known before it is over.
        assert!(!lasts([None, Some((0, 100))], (900, 100)));
        assert!(lasts([None, Some((0, 100))], (1000, 130)));
        assert!(!lasts([None, None], (1000, 0)));
    }
}
