//! Times in which the whole process stood still: stopped by a signal, frozen, held by a debugger.
//!
//! This thread stands still with it, and sees that a sleep took far longer than asked for. So it does on a crowded machine; but then
//! it waits for a processor, which the kernel counts (run delay, the second number of `schedstat`), and who is stopped does not.
//! Whether the process got on while this thread was late for another reason, others say ([`super::stalls`]).

use crate::clock;
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

/// Just before it works.
pub(super) struct Busy {
    at: u64,
    cpu: u64,
    delay: Option<u64>,
}

/// The thread did not get on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Late {
    pub(super) from: u64,
    pub(super) to: u64,
    /// For how long it waited for a processor.
    pub(super) delayed: u64,
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

    /// It is awake. If it was late, and the process was not stopped: when, and for how long it had waited for a processor.
    pub(super) fn awake(&mut self, asleep: &Asleep, now: u64) -> Option<Late> {
        let due = asleep.at.saturating_add(asleep.period);
        if now.saturating_sub(due) < LEAST {
            return None;
        }
        let delay = self.run_delay().zip(asleep.delay);
        let delayed = delay.map_or(0, |(delay, before)| delay.saturating_sub(before));
        let stopped = delay.is_some() && self.judge(due, now, delayed);
        (!stopped).then_some(Late {
            from: due,
            to: now,
            delayed,
        })
    }

    fn judge(&mut self, due: u64, now: u64, delayed: u64) -> bool {
        let stopped = now - due > delayed.saturating_mul(4);
        if stopped && self.found.len() < MOST {
            self.found.push((due, now));
        }
        stopped
    }

    /// The thread begins to work.
    pub(super) fn begin(&self, at: u64) -> Busy {
        Busy {
            at,
            cpu: clock::thread_cpu(),
            delay: self.run_delay(),
        }
    }

    /// It is done. If something kept it meanwhile: when, and how long it waited for a processor.
    pub(super) fn end(&self, busy: &Busy, now: u64) -> Option<Late> {
        let took = now.saturating_sub(busy.at);
        if took < LEAST || took - clock::thread_cpu().saturating_sub(busy.cpu).min(took) < LEAST {
            return None;
        }
        let delay = self.run_delay().zip(busy.delay);
        Some(Late {
            from: busy.at,
            to: now,
            delayed: delay.map_or(0, |(delay, before)| delay.saturating_sub(before)),
        })
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
        assert!(!stops.judge(SECOND, 6 * SECOND, 4 * SECOND));
        assert_eq!(stops.fact(0), None);
        assert!(stops.judge(2 * SECOND, 7 * SECOND, SECOND / 100));
        assert_eq!(stops.fact(SECOND).as_deref(), Some("1000000000 6000000000"));
    }

    #[test]
    fn sleeping_as_long_as_asked_is_no_stop() {
        let mut stops = Stops::new();
        let asleep = stops.sleep(SECOND, Duration::from_secs(5));
        let late = stops.awake(&asleep, 6 * SECOND + LEAST - 1);
        assert_eq!((stops.fact(0), late), (None, None));
    }

    #[test]
    fn who_worked_was_not_kept_from_it() {
        let stops = Stops::new();
        let busy = stops.begin(SECOND);
        assert_eq!(stops.end(&busy, SECOND + LEAST - 1), None);
        // Hardly any processor time of its own has gone by.
        let late = stops.end(&busy, 9 * SECOND).expect("late");
        assert_eq!((late.from, late.to), (SECOND, 9 * SECOND));
        let worked = Busy {
            cpu: 0,
            at: SECOND,
            ..busy
        };
        let now = SECOND + clock::thread_cpu() + LEAST / 2;
        assert_eq!(stops.end(&worked, now), None);
    }
}
