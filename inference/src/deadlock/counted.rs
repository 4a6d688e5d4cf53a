//! What no class tells of a semaphore or a latch, and a recording shows now and then: how many permits there are, and how often
//! it must be counted down.
//!
//! A thread that parks for a permit is told when all of them are out: there are as many as were out when the one was given
//! back that let it go. Who is let go at a latch says which count was the last. Where nobody was kept waiting, it stays unknown.

use super::step::{Needs, Permits};
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::{Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Changes remembered of one semaphore.
const CHANGES: usize = 1024;
/// Counts remembered of one latch.
const COUNTS: usize = 4096;
/// Threads remembered that parked for permits.
const PARKED: usize = 1024;

/// What was seen of one semaphore.
#[derive(Clone, Debug, Default)]
pub(super) struct Semaphore {
    out: u64,
    most: u64,
    /// How many were out before each time that some were given back.
    back: VecDeque<(Nanos, u64)>,
    /// By thread that was let go, how many had been out.
    parked: BTreeMap<ThreadId, u64>,
    /// What there can be at most.
    bound: Option<u64>,
}

impl Semaphore {
    /// Takes in that a thread has had so many, and has now so many.
    pub(super) fn turned(&mut self, at: Nanos, before: u32, after: u32) {
        if after < before {
            if self.back.len() >= CHANGES {
                self.back.pop_front();
            }
            self.back.push_back((at, self.out));
        }
        self.out = self.out.saturating_sub(before.into());
        self.out = self.out.saturating_add(after.into());
        self.most = self.most.max(self.out);
    }

    /// Somebody parked for permits, and was let go by the first that came back meanwhile.
    pub(super) fn park(&mut self, park: &Park) {
        let Some(unpark) = park.unpark.filter(|_| park.end == ParkEnd::Unparked) else {
            return;
        };
        let meanwhile = |at: Nanos| park.from <= at && at <= unpark.at;
        let mut back = self.back.iter().filter(|(at, _)| meanwhile(*at));
        if let (Some(&(_, out)), None) = (back.next(), back.next())
            && self.parked.len() < PARKED
        {
            self.parked.insert(park.thread, out);
        }
    }

    /// What it had parked for it has asked for now: there are not as many as that more than were out.
    pub(super) fn asked(&mut self, operation: &Operation) {
        if let Some(out) = self.parked.remove(&operation.thread) {
            let more = u64::from(operation.count).saturating_sub(1);
            let bound = out.saturating_add(more);
            self.bound = Some(self.bound.map_or(bound, |known| known.min(bound)));
        }
    }

    /// How many permits there are; `free` were seen free.
    pub(super) fn permits(&self, free: u64) -> Permits {
        let least = self.most.max(free);
        let number = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        Permits {
            least: number(least),
            all: self.bound.filter(|&bound| bound == least).map(number),
        }
    }
}

/// What was seen of one latch.
#[derive(Clone, Debug, Default)]
pub(super) struct Latch {
    times: Vec<Nanos>,
    told: u64,
    by: BTreeSet<ThreadId>,
    /// With which count it opened.
    last: Option<u64>,
    /// It was completed by what may have been left with several futures: any one of these would have done.
    pub(super) by_any: bool,
}

impl Latch {
    /// Takes in a count.
    pub(super) fn count(&mut self, operation: &Operation) {
        if (operation.act, operation.outcome) == (Act::CountDown, Outcome::Done) {
            self.told += 1;
            // One and another one: more need not be told apart.
            if self.by.len() < 2 {
                self.by.insert(operation.thread);
            }
            if self.times.len() < COUNTS {
                self.times.push(operation.at);
            }
        }
    }

    /// Somebody was let go by who counted last.
    pub(super) fn park(&mut self, park: &Park) {
        if let Some(unpark) = park.unpark.filter(|_| park.end == ParkEnd::Unparked)
            && self.by.contains(&unpark.by)
        {
            let told = self.times.iter().filter(|&&at| at <= unpark.at).count();
            self.last = Some(self.last.map_or(told as u64, |last| last.min(told as u64)));
        }
    }

    /// Who counted, or tried to: two of them at most.
    pub(super) fn by(&self) -> &BTreeSet<ThreadId> {
        &self.by
    }

    /// When it was counted down first.
    pub(super) fn opened(&self) -> Option<Nanos> {
        self.times.first().copied()
    }

    /// Whose counts it took; `left` is the most that was seen to be left.
    pub(super) fn needs(&self, left: u64) -> Needs {
        let all = self.told == 1 || left >= self.told || self.last == Some(self.told);
        match (all, self.by.len()) {
            (true, _) => Needs::All,
            (false, 0 | 1) => Needs::First,
            (false, _) => Needs::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::LockId;
    use locklens_trace::park::Unpark;

    const LOCK: LockId = LockId(1);

    fn operation(at: u64, thread: u32, act: Act, count: u32) -> Operation {
        Operation {
            at: Nanos(at),
            thread: ThreadId(thread),
            lock: LOCK,
            act,
            outcome: Outcome::Done,
            count,
            tries: false,
            stack: None,
        }
    }

    fn park(thread: u32, (from, at): (u64, u64), by: u32) -> Park {
        Park {
            stack: None,
            thread: ThreadId(thread),
            lock: Some(LOCK),
            from: Nanos(from),
            to: Nanos(at + 1),
            limit: None,
            end: ParkEnd::Unparked,
            unpark: Some(Unpark {
                stack: None,
                by: ThreadId(by),
                at: Nanos(at),
            }),
        }
    }

    #[test]
    fn who_waits_for_a_permit_says_how_many_there_are() {
        let mut semaphore = Semaphore::default();
        semaphore.turned(Nanos(1), 0, 2);
        semaphore.turned(Nanos(2), 0, 1);
        assert_eq!(
            semaphore.permits(0),
            Permits {
                least: 3,
                all: None
            }
        );
        semaphore.turned(Nanos(5), 2, 1);
        semaphore.park(&park(3, (3, 5), 1));
        semaphore.asked(&operation(7, 3, Act::Share, 1));
        assert_eq!(
            semaphore.permits(0),
            Permits {
                least: 3,
                all: Some(3)
            }
        );
        assert_eq!(
            semaphore.permits(4),
            Permits {
                least: 4,
                all: None
            },
            "one more was seen"
        );
    }

    #[test]
    fn who_wanted_several_permits_leaves_it_open() {
        let mut semaphore = Semaphore::default();
        semaphore.turned(Nanos(1), 0, 1);
        semaphore.turned(Nanos(5), 1, 0);
        semaphore.park(&park(3, (3, 5), 1));
        semaphore.asked(&operation(7, 3, Act::Share, 2));
        assert_eq!(
            semaphore.permits(0),
            Permits {
                least: 1,
                all: None
            }
        );
    }

    #[test]
    fn a_latch_needs_what_came_up_to_the_count_that_opened_it() {
        let mut latch = Latch::default();
        latch.count(&operation(1, 1, Act::CountDown, 1));
        assert_eq!(latch.needs(0), Needs::All, "one count is the last");
        latch.count(&operation(4, 1, Act::CountDown, 1));
        assert_eq!(latch.needs(0), Needs::First);
        latch.count(&operation(6, 2, Act::CountDown, 1));
        assert_eq!(latch.needs(0), Needs::Unknown);
        assert_eq!(latch.needs(3), Needs::All, "so many were left");
        latch.park(&park(3, (2, 7), 2));
        assert_eq!(latch.needs(0), Needs::All);
        latch.count(&operation(9, 2, Act::CountDown, 1));
        assert_eq!(latch.needs(0), Needs::Unknown, "one came too late to count");
    }
}
