//! Threads that were parked when the probes came.
//!
//! The first look at parked threads, just after the probes, finds them: whoever had parked since would have told so. They count from
//! the probes on. They go on in the old code, which tells nothing; so what ends such a park is the next unpark of the thread,
//! and without one it lasted at least as long as looks found it. Where records are missing by then nothing is made of what a look finds.

use super::{Deed, Parks, Step, park, place};
use crate::exact::probe::kind;
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::{LockId, StackId, ThreadId};
use std::collections::VecDeque;

/// What a look saw of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// The first look found it parked on a lock since before the probes, which came at a time; whether it meant to go on by itself.
    Parked {
        lock: LockId,
        since: u64,
        timed: bool,
    },
    /// It is not there any more. The look that found it there last began at that time.
    Gone(u64),
}

/// What the looks have to say, on its way to [`Parks`].
#[derive(Default)]
pub(crate) struct Stood {
    /// Of whom, when, and by which call chain he parked.
    pub(crate) seen: Vec<(ThreadId, u64, Option<StackId>, Seen)>,
    /// The look that it comes from: when it began and ended.
    pub(crate) look: (u64, u64),
}

/// Looks that what comes may still lie behind.
#[derive(Default)]
pub(super) struct Looks {
    /// When each began and ended.
    recent: VecDeque<(u64, u64)>,
    /// The probes are off since then.
    pub(super) end: Option<u64>,
}

impl Looks {
    /// The beginning of the last one that was over by then; 0 if none was.
    fn before(&self, at: u64) -> u64 {
        let over = self.recent.iter().rev().find(|(_, end)| *end <= at);
        over.map_or(0, |(begin, _)| *begin)
    }

    /// Nothing older will come any more.
    pub(super) fn forget_before(&mut self, mark: u64) {
        while self.recent.get(1).is_some_and(|(_, end)| *end <= mark) {
            self.recent.pop_front();
        }
    }
}

impl Parks {
    /// Takes in what a look saw.
    pub(in crate::exact) fn look(&mut self, stood: Stood) {
        self.looks.recent.push_back(stood.look);
        for (thread, at, stack, seen) in stood.seen {
            let what = Deed::Stood(seen);
            self.hold(Step {
                at,
                thread,
                what,
                stack,
            });
        }
    }

    pub(super) fn stood(&mut self, step: Step, seen: Seen, start: u64) -> Option<Park> {
        match seen {
            Seen::Parked { lock, since, timed } => {
                let (word, bit) = place(step.thread);
                let bits = self.followed.get(word).copied().unwrap_or(0);
                if bits & bit != 0 || self.lost > 0 {
                    return None;
                }
                let limit = timed.then_some(kind::LONGEST);
                let (at, what) = (since, Deed::Park(Some(lock), limit));
                let state = self.threads.entry(step.thread).or_default();
                (state.parks, state.stood) = (Some(Step { at, what, ..step }), true);
                match state.permit {
                    // On its way to go on.
                    Some(_) => self.goes_on(step.thread, (step.at, start)),
                    None => None,
                }
            }
            // Whoever went on when the probes were off had been there until then.
            Seen::Gone(last) if self.looks.end.is_some_and(|end| last >= end) => None,
            Seen::Gone(last) => self.ends(step.thread, (last, start), ParkEnd::Unknown),
        }
    }

    /// It was unparked.
    pub(super) fn goes_on(&mut self, thread: ThreadId, when: (u64, u64)) -> Option<Park> {
        self.ends(thread, when, ParkEnd::Unparked)
    }

    /// It parks again, and nobody told why it went on.
    pub(super) fn goes_on_unseen(&mut self, again: &Step, start: u64) -> Option<Park> {
        let last = self.looks.before(again.at);
        self.ends(again.thread, (last, start), ParkEnd::Unknown)
    }

    fn ends(&mut self, thread: ThreadId, (at, start): (u64, u64), end: ParkEnd) -> Option<Park> {
        if !self.threads.get(&thread)?.stood {
            return None;
        }
        let state = self.threads.remove(&thread)?;
        let begun = state.parks?;
        park(begun, (at.max(begun.at), start), end, state.permit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::Record;

    const LOCK: LockId = LockId(7);
    const SINCE: u64 = 100;

    fn parked(thread: u32, at: u64) -> (ThreadId, u64, Option<StackId>, Seen) {
        let (lock, since, timed) = (LOCK, SINCE, false);
        let seen = Seen::Parked { lock, since, timed };
        (ThreadId(thread), at, Some(StackId(3)), seen)
    }

    fn step(at: u64, thread: u32, what: Deed) -> Step {
        Step {
            at,
            thread: ThreadId(thread),
            what,
            stack: None,
        }
    }

    /// What is told until probes go off at 1,000 of looks and steps.
    fn told(looks: Vec<Stood>, steps: &[Step]) -> Vec<(u32, u64, u64, ParkEnd)> {
        let mut parks = Parks::default();
        looks.into_iter().for_each(|look| parks.look(look));
        steps.iter().for_each(|step| parks.hold(*step));
        finish(&mut parks)
    }

    fn finish(parks: &mut Parks) -> Vec<(u32, u64, u64, ParkEnd)> {
        let mut told = Vec::new();
        parks.finish(1_000, 0, &mut |record| {
            if let Record::Park(park) = record {
                assert!(park.from.0 != SINCE || park.lock == Some(LOCK));
                told.push((park.thread.0, park.from.0, park.to.0, park.end));
            }
        });
        told
    }

    fn look(begin: u64, seen: Vec<(ThreadId, u64, Option<StackId>, Seen)>) -> Stood {
        let look = (begin, begin + 10);
        Stood { seen, look }
    }

    #[test]
    fn who_was_parked_when_the_probes_came_counts_from_then_until_somebody_unparks_him() {
        let looks = vec![look(110, vec![parked(1, 112), parked(2, 113)])];
        let steps = [
            step(400, 9, Deed::Unpark(ThreadId(1))),
            // In the old code it goes on without a word; then it parks anew.
            step(450, 1, Deed::Park(Some(LOCK), None)),
            step(470, 1, Deed::Parked(false)),
        ];
        let expected = [
            (1, SINCE, 400, ParkEnd::Unparked),
            (1, 450, 470, ParkEnd::Unknown),
            (2, SINCE, 1_000, ParkEnd::Open),
        ];
        assert_eq!(told(looks, &steps), expected);
    }

    #[test]
    fn who_goes_on_by_himself_counts_as_long_as_looks_found_him() {
        let gone = |thread, at, last| (ThreadId(thread), at, None, Seen::Gone(last));
        let looks = vec![
            look(110, vec![parked(1, 112), parked(2, 113), parked(3, 114)]),
            look(200, vec![]),
            look(300, vec![gone(2, 309, 200)]),
            // The probes are off by now.
            look(1_100, vec![]),
            look(1_200, vec![gone(3, 1_209, 1_100)]),
        ];
        let again = [step(280, 1, Deed::Park(Some(LOCK), None))];
        let expected = [
            (1, SINCE, 200, ParkEnd::Unknown),
            (2, SINCE, 200, ParkEnd::Unknown),
            (3, SINCE, 1_000, ParkEnd::Open),
            (1, 280, 1_000, ParkEnd::Open),
        ];
        assert_eq!(told(looks, &again), expected);
    }

    #[test]
    fn who_has_parked_since_the_probes_came_or_is_on_his_way_is_not_counted_twice() {
        let looks = vec![look(110, vec![parked(1, 112), parked(2, 113)])];
        let steps = [
            step(105, 1, Deed::Park(Some(LOCK), None)),
            step(106, 9, Deed::Unpark(ThreadId(2))),
            step(120, 2, Deed::Park(Some(LOCK), None)),
        ];
        let expected = [
            (2, SINCE, 113, ParkEnd::Unparked),
            (1, 105, 1_000, ParkEnd::Open),
            (2, 120, 1_000, ParkEnd::Open),
        ];
        assert_eq!(told(looks, &steps), expected);
    }

    #[test]
    fn where_records_are_missing_nothing_is_made_of_a_look() {
        let mut parks = Parks::default();
        parks.lose_track(105);
        parks.look(look(110, vec![parked(1, 112)]));
        assert_eq!(finish(&mut parks), []);
    }

    #[test]
    fn looks_of_which_nothing_can_be_asked_any_more_are_forgotten() {
        let mut parks = Parks::default();
        for nth in 0..100 {
            parks.look(look(100 + nth * 100, Vec::new()));
            parks.release(nth * 100, 0, &mut |_| {});
            assert!(parks.looks.recent.len() < 5);
        }
    }
}
