//! Times in which the whole process stood still: stopped by a signal, frozen, held by a debugger.
//!
//! This thread stands still with it, and sees that a sleep took far longer than asked for. So it does on a crowded machine; but then
//! it waits for a processor, which the kernel counts (run delay, the second number of `schedstat`), and who is stopped does not.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// Shorter ones are not told.
const LEAST: u64 = 500_000_000;
/// So many are told one by one; later ones are left out.
const MOST: usize = 64;

/// See the module.
pub(super) struct Stops {
    /// The thread's `schedstat`; none where the kernel has no such.
    schedstat: Option<File>,
    found: Vec<(u64, u64)>,
}

/// Just before a sleep.
pub(super) struct Asleep {
    at: u64,
    period: u64,
    delay: Option<u64>,
}

impl Stops {
    /// Of the calling thread.
    pub(super) fn new() -> Self {
        Self {
            schedstat: File::open("/proc/thread-self/schedstat").ok(),
            found: Vec::new(),
        }
    }

    /// The thread is about to sleep for so long at most.
    pub(super) fn sleep(&self, at: u64, period: Duration) -> Asleep {
        Asleep {
            at,
            period: u64::try_from(period.as_nanos()).unwrap_or(u64::MAX),
            delay: self.run_delay(),
        }
    }

    /// It is awake.
    pub(super) fn awake(&mut self, asleep: &Asleep, now: u64) {
        let due = asleep.at.saturating_add(asleep.period);
        if now.saturating_sub(due) >= LEAST
            && let (Some(before), Some(delay)) = (asleep.delay, self.run_delay())
        {
            self.judge(due, now, delay.saturating_sub(before));
        }
    }

    fn judge(&mut self, due: u64, now: u64, delayed: u64) {
        let stopped = now - due > delayed.saturating_mul(4);
        if stopped && self.found.len() < MOST {
            self.found.push((due, now));
        }
    }

    /// A line for each: from when to when, in times of the trace.
    pub(super) fn fact(&self, start: u64) -> Option<String> {
        let at = |time: u64| time.saturating_sub(start);
        let lines = self.found.iter();
        let lines: Vec<_> = lines
            .map(|&(a, b)| format!("{} {}", at(a), at(b)))
            .collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// How long the thread has waited for a processor.
    fn run_delay(&self) -> Option<u64> {
        let mut text = [0; 80];
        let length = self.schedstat.as_ref()?.read_at(&mut text, 0).ok()?;
        let text = std::str::from_utf8(&text[..length]).ok()?;
        text.split_whitespace().nth(1)?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn who_waited_for_a_processor_was_not_stopped() {
        let mut stops = Stops::new();
        stops.judge(SECOND, 6 * SECOND, 4 * SECOND);
        assert_eq!(stops.fact(0), None);
        stops.judge(2 * SECOND, 7 * SECOND, SECOND / 100);
        assert_eq!(stops.fact(SECOND).as_deref(), Some("1000000000 6000000000"));
    }

    #[test]
    fn sleeping_as_long_as_asked_is_no_stop() {
        let mut stops = Stops::new();
        let asleep = stops.sleep(SECOND, Duration::from_secs(5));
        stops.awake(&asleep, 6 * SECOND + LEAST - 1);
        assert_eq!(stops.fact(0), None);
    }
}
