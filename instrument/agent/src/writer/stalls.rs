//! Times in which nobody got on: this thread was late, and no thread of the program's recorded anything.
//!
//! The JVM may have held all threads, the system may have had no processor for them, or memory had to come from a disk: that is
//! not known, only that it was no lock. Where a program records little, that nothing was recorded says nothing, and is not told.

use super::stops::Late;
use std::collections::VecDeque;

/// Shorter ones are not told.
const LEAST: u64 = 1_000_000_000;
/// So many are told one by one; later ones are left out.
const MOST: usize = 64;
/// Of so many events that were to be expected there was none.
const EXPECTED: u128 = 20;

/// See the module.
#[derive(Default)]
pub(super) struct Stalls {
    /// When this thread was late: what was recorded then may still come.
    late: VecDeque<Late>,
    /// Times without an event, of late.
    holes: VecDeque<(u64, u64)>,
    /// The last event, and how many there were.
    last: u64,
    events: u64,
    found: Vec<Late>,
}

impl Stalls {
    /// This thread was late.
    pub(super) fn note(&mut self, late: Late) {
        push(&mut self.late, late);
    }

    /// Something was recorded: nearly in the order of time.
    pub(super) fn recorded(&mut self, at: u64) {
        self.events += 1;
        if at <= self.last {
            return self.refute(at);
        }
        if self.last > 0 && at - self.last >= LEAST {
            push(&mut self.holes, (self.last, at));
        }
        self.last = at;
    }

    fn refute(&mut self, at: u64) {
        let refuted = |&(from, to): &(u64, u64)| from < at && at < to;
        let Some(index) = self.holes.iter().position(refuted) else {
            return;
        };
        let hole = self.holes.remove(index);
        for (from, to) in hole
            .into_iter()
            .flat_map(|(from, to)| [(from, at), (at, to)])
        {
            if to - from >= LEAST {
                push(&mut self.holes, (from, to));
            }
        }
    }

    /// Everything up to then has come, of a trace that began at `start`.
    pub(super) fn settle(&mut self, mark: u64, start: u64) {
        while self.late.front().is_some_and(|late| late.to <= mark)
            && let Some(late) = self.late.pop_front()
        {
            let now = (self.last > 0).then_some((self.last, mark));
            for (from, to) in self.holes.iter().copied().chain(now) {
                let (from, to) = (from.max(late.from), to.min(late.to));
                let length = to.saturating_sub(from);
                let expected = u128::from(self.events) * u128::from(length);
                let all = u128::from(self.last.saturating_sub(start).max(1));
                if length >= LEAST && expected >= EXPECTED * all && self.found.len() < MOST {
                    let delayed = late.delayed.min(length);
                    self.found.push(Late { from, to, delayed });
                }
            }
        }
    }

    /// A line for each: from when to when, in times of the trace, and for how long this thread waited for a processor.
    pub(super) fn fact(&self, start: u64) -> Option<String> {
        let at = |time: u64| time.saturating_sub(start);
        let line = |late: &Late| format!("{} {} {}", at(late.from), at(late.to), late.delayed);
        let lines: Vec<_> = self.found.iter().map(line).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

fn push<T>(queue: &mut VecDeque<T>, one: T) {
    if queue.len() >= MOST {
        queue.pop_front();
    }
    queue.push_back(one);
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    fn late(from: u64, to: u64) -> Late {
        let (from, to) = (from * SECOND, to * SECOND);
        let delayed = SECOND / 10;
        Late { from, to, delayed }
    }

    /// A thousand events a second between these seconds.
    fn busy(stalls: &mut Stalls, from: u64, to: u64) {
        (from * 1000..=to * 1000).for_each(|ms| stalls.recorded(ms * (SECOND / 1000)));
    }

    #[test]
    fn nothing_recorded_while_this_thread_was_late_is_a_stall() {
        let mut stalls = Stalls::default();
        busy(&mut stalls, 1, 10);
        // It was kept from working after it had taken out what there was.
        stalls.note(late(9, 27));
        stalls.settle(10 * SECOND, 0);
        assert_eq!(
            stalls.fact(0),
            None,
            "what came then may still be in the rings"
        );
        busy(&mut stalls, 26, 30);
        stalls.settle(30 * SECOND, 0);
        let told = "9000000000 25000000000 100000000";
        assert_eq!(stalls.fact(SECOND).as_deref(), Some(told));
    }

    #[test]
    fn who_was_late_while_others_got_on_says_nothing() {
        let mut stalls = Stalls::default();
        busy(&mut stalls, 1, 10);
        stalls.note(late(10, 26));
        busy(&mut stalls, 10, 30);
        stalls.settle(30 * SECOND, 0);
        assert_eq!(stalls.fact(0), None);
        // Parks come behind events.
        stalls.note(late(30, 32));
        stalls.recorded(32 * SECOND);
        stalls.recorded(31 * SECOND + SECOND / 2);
        stalls.recorded(30 * SECOND + SECOND / 10 * 9);
        stalls.settle(33 * SECOND, 0);
        assert_eq!(stalls.fact(0), None);
    }

    #[test]
    fn of_a_program_that_records_little_nothing_is_told() {
        let mut stalls = Stalls::default();
        (1..5).for_each(|nth| stalls.recorded(nth * 10 * SECOND));
        stalls.note(late(42, 48));
        stalls.recorded(50 * SECOND);
        stalls.settle(51 * SECOND, 0);
        assert_eq!(stalls.fact(0), None);
    }

    #[test]
    fn one_that_lasts_until_the_end_is_told() {
        let mut stalls = Stalls::default();
        busy(&mut stalls, 1, 10);
        stalls.note(late(10, 15));
        stalls.settle(15 * SECOND, 0);
        assert!(stalls.fact(0).is_some());
    }
}
