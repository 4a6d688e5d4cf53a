//! Threads that the JVM says are blocked. Who stays blocked has what it holds and wants what it has not got, of which no
//! probe says anything: without these a deadlock at the very first meeting of two orders would go unseen.
//!
//! Only who has been blocked for long is asked about: everything shorter ends with the probe's record. What such a thread left in
//! its ring has been read by then, so what the sieve says that it holds is what it holds.

use super::Guard;
use super::deeds::Link;
use super::sieve::CHAIN;
use crate::recording::Recording;
use crate::vm::{Doing, Ref, Vm};
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;

/// How long a thread is blocked before it is asked about, nanoseconds.
const LONG: u64 = 200_000_000;
/// Time until it is asked about again, nanoseconds; each time it is twice as long. What was not sure may have become so.
const AGAIN: u64 = 1_000_000_000;
/// Least time between two looks, and threads asked about in each: a JVM may stop for that.
const PAUSE: u64 = 100_000_000;
const ASKED: usize = 8;
/// Blocked threads remembered.
const MOST: usize = 1 << 14;

/// What a thread is blocked on.
struct Want {
    lock: u32,
    /// When it is to be asked about, and how long after that the next time is.
    due: u64,
    gap: u64,
}

/// See the module.
#[derive(Default)]
pub(super) struct Wants {
    by_thread: HashMap<u64, Want>,
    looked: u64,
}

impl Wants {
    /// A thread is about to block.
    pub(super) fn begin(&mut self, tid: u64, lock: u32, since: u64) {
        if self.by_thread.len() < MOST || self.by_thread.contains_key(&tid) {
            let (due, gap) = (since.saturating_add(LONG), AGAIN);
            self.by_thread.insert(tid, Want { lock, due, gap });
        }
    }

    /// It has got the lock, or is gone.
    pub(super) fn end(&mut self, tid: u64) {
        self.by_thread.remove(&tid);
    }

    /// Nothing is known of who is blocked.
    fn forget(&mut self) {
        self.by_thread.clear();
    }

    /// Threads that have been blocked for long, the longest due first, and on what: as many as may be asked about now.
    fn due(&mut self, now: u64, heeded: impl Fn(u64, u32) -> bool) -> Vec<(u64, u32)> {
        if now.saturating_sub(self.looked) < PAUSE {
            return Vec::new();
        }
        self.looked = now;
        let due = self.by_thread.iter().filter(|(_, want)| want.due <= now);
        let due = due.filter(|(tid, want)| heeded(**tid, want.lock));
        let mut due: Vec<_> = due.map(|(tid, want)| (want.due, *tid)).collect();
        due.sort_unstable();
        due.truncate(ASKED);
        let mut take = |(_, tid)| {
            let want = self.by_thread.get_mut(&tid)?;
            want.due = now.saturating_add(want.gap);
            want.gap = want.gap.saturating_mul(2);
            Some((tid, want.lock))
        };
        due.into_iter().filter_map(&mut take).collect()
    }
}

impl Guard {
    /// Takes what threads want that stay blocked, when all that they left has been read.
    pub(super) fn take_wants(&mut self, vm: Vm<'_>, recording: &Recording) {
        if recording.off.load(Relaxed) {
            // Who goes on is not heard.
            return self.wants.forget();
        }
        let (sieve, objects) = (&self.sieve, &self.objects);
        let heeded = |tid, lock| {
            sieve.holds_without(tid, &Link::alone(lock, 0)) && objects.may_be_named(lock)
        };
        let due = self.wants.due(self.looked, heeded);
        if due.is_empty() {
            return;
        }
        let threads = vm.all_threads().unwrap_or_default();
        for (tid, lock) in due {
            let thread = threads.iter().find(|it| recording.tid_of(vm, *it) == tid);
            match thread.and_then(|thread| chain(vm, recording, thread)) {
                Some(chain) => self.sieve.want(tid, Link::alone(lock, CHAIN | chain)),
                None => self.unnamed += 1,
            }
        }
    }
}

/// The call chain of a thread that is blocked.
fn chain(vm: Vm<'_>, recording: &Recording, thread: &Ref<'_>) -> Option<u32> {
    let is_blocked = || vm.doing(thread) == Ok(Doing::Blocked);
    if !is_blocked() {
        return None;
    }
    let chain = recording.stack_of(vm, thread);
    (is_blocked() && chain != 0 && chain < CHAIN).then_some(chain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATER: u64 = 2 * LONG;

    #[test]
    fn who_stays_blocked_is_asked_about_and_who_goes_on_is_not() {
        let mut wants = Wants::default();
        wants.begin(1, 10, 0);
        wants.begin(2, 20, 0);
        wants.begin(3, 30, LATER - 1);
        wants.begin(4, 40, 0);
        wants.end(2);
        let heeded = |tid, _| tid != 4;
        assert_eq!(wants.due(LATER, heeded), [(1, 10)]);
        assert!(wants.due(LATER + 1, heeded).is_empty(), "too soon");
        assert_eq!(wants.due(2 * LATER, heeded), [(3, 30)]);
        wants.begin(1, 11, LATER);
        assert_eq!(wants.due(3 * LATER, heeded), [(1, 11)], "another lock");
        wants.begin(5, 50, 0);
        wants.forget();
        assert!(wants.due(4 * LATER, heeded).is_empty());
    }

    #[test]
    fn who_stays_blocked_for_ever_is_asked_about_ever_less_often() {
        let mut wants = Wants::default();
        wants.begin(1, 10, 0);
        let tenths = (1..320).filter(|tenth| !wants.due(tenth * PAUSE, |_, _| true).is_empty());
        assert_eq!(tenths.collect::<Vec<_>>(), [2, 12, 32, 72, 152, 312]);
    }

    #[test]
    fn those_that_have_waited_longest_are_asked_about_first_and_the_others_later() {
        let mut wants = Wants::default();
        for tid in 1..=20 {
            wants.begin(tid, 1, 100 - tid);
        }
        let asked = |wants: &mut Wants, now| -> Vec<u64> {
            wants
                .due(now, |_, _| true)
                .iter()
                .map(|due| due.0)
                .collect()
        };
        assert_eq!(asked(&mut wants, LATER), [20, 19, 18, 17, 16, 15, 14, 13]);
        assert_eq!(asked(&mut wants, 2 * LATER), [12, 11, 10, 9, 8, 7, 6, 5]);
        assert_eq!(asked(&mut wants, 3 * LATER), [4, 3, 2, 1]);
    }

    #[test]
    fn a_full_table_still_hears_of_those_in_it() {
        let mut wants = Wants::default();
        for tid in 0..2 * MOST as u64 {
            wants.begin(tid, 1, 0);
        }
        wants.begin(0, 2, 0);
        assert_eq!(wants.by_thread.len(), MOST);
        assert_eq!(wants.by_thread[&0].lock, 2);
    }
}
