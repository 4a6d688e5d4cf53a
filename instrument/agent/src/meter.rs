//! What events cost the application's threads, as their callbacks measure it.
//!
//! A call chain takes microseconds: each is timed. An event without one takes a fraction of that, of which reading
//! the clock a second time would be a good part: one in [`EACH`] is timed, chosen by the time it came at, so that
//! nobody has to count. What the rest cost is their number times the mean. What lies outside of the callback (the JVM's
//! way to its agents and back, the gate) cannot be seen from here; [`way`] says what is taken for it.

use crate::clock;
use crate::vm::Vm;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// One event in so many is timed; a power of two.
const EACH: u64 = 64;
/// What an event takes that is not known to take something else, ns.
const USUAL: u64 = 200;
/// Most that an event is taken to cost: a thread that was preempted in it did not spend that time here.
const MOST: u64 = 20_000;

/// See the module.
#[derive(Default)]
pub(crate) struct Meter {
    timed: AtomicU64,
    took: AtomicU64,
    chains: AtomicU64,
}

impl Meter {
    /// An event without a call chain is done, which came at this time.
    pub(crate) fn note(&self, at: u64) {
        // The last digits of the clock are as good as chance, and cost nothing.
        if at.is_multiple_of(EACH) {
            self.add(clock::monotonic().saturating_sub(at));
        }
    }

    fn add(&self, took: u64) {
        self.took.fetch_add(took.min(MOST), Relaxed);
        self.timed.fetch_add(1, Relaxed);
    }

    /// An event with a call chain took so long.
    pub(crate) fn chain(&self, took: u64) {
        self.chains.fetch_add(took, Relaxed);
    }

    /// Time all events with call chains took so far.
    pub(crate) fn chains(&self) -> u64 {
        self.chains.load(Relaxed)
    }

    /// What an event without a call chain takes, ns.
    pub(crate) fn each(&self) -> u64 {
        // Read apart, they may differ by an event.
        let (timed, took) = (self.timed.load(Relaxed), self.took.load(Relaxed));
        took.checked_div(timed).unwrap_or(USUAL)
    }
}

/// What an event takes outside of its callback, ns: as much as a short call of the other way, and reading the clock.
/// The shortest of some tries, since this thread may be preempted, too.
pub(crate) fn way(vm: Vm<'_>) -> u64 {
    const TRIES: u32 = 8;
    const CALLS: u64 = 32;
    let Some(object) = vm.new_object() else {
        return USUAL;
    };
    let time = || {
        let begin = clock::monotonic();
        for _ in 0..CALLS {
            // Whatever it says: it is the way there and back that is timed.
            let _ = vm.tag(&object);
            clock::monotonic();
        }
        clock::monotonic().saturating_sub(begin) / CALLS
    };
    (0..TRIES).map(|_| time()).min().unwrap_or(USUAL).min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_costs_what_those_timed_took_on_average() {
        let meter = Meter::default();
        assert_eq!(meter.each(), USUAL);
        for took in [100, 300, 50_000_000] {
            meter.add(took);
        }
        assert_eq!(meter.each(), (400 + MOST) / 3);
        meter.chain(7);
        assert_eq!(meter.chains(), 7);
    }

    #[test]
    fn about_one_in_so_many_is_timed() {
        let meter = Meter::default();
        for at in 0..EACH * 1_000 {
            meter.note(at * 137);
        }
        let timed = meter.timed.load(Relaxed);
        assert!((500..2_000).contains(&timed), "{timed}");
    }
}
