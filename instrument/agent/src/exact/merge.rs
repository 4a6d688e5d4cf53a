//! Two witnesses of one event: the JVM and a probe.
//!
//! On a rewritten region a contended enter is reported twice: by the JVM when it is over, and by the
//! probe a moment later. So is a wait: by the probe, then by the JVM. One of the two is left out: the
//! probe's stays, because it knows the site and stands in the order of the monitor. What the JVM
//! reports of a chosen lock and no probe confirms happened in code that was not rewritten, or had not been when
//! the thread went in; it stays, and is known by having no site.
//!
//! Whether the probe confirms an enter shows a moment later. Until then what follows waits behind it, so
//! that events are told in order of time.

use crate::ring::What;
use crate::scattered::Map;
use locklens_trace::{Event, EventKind, LockId, ThreadId};
use std::collections::VecDeque;

/// An event with its raw argument.
pub(crate) type Told = (Event, u64);

/// How long the JVM's word for an enter waits for the probe's, nanoseconds. Of a thread that loses the
/// processor for longer just then, the JVM's word stays, without a site.
const PATIENCE: u64 = 1_000_000_000;
/// Most events that may wait.
const MOST: usize = 1 << 16;

/// An event in line.
enum Place {
    /// To be told.
    Sure(Told),
    /// The JVM's word for an enter that a probe may yet confirm, and whether it blocked when there were
    /// probes.
    Open(Event, bool),
    /// A probe has told it.
    Gone,
}

/// What is remembered of a thread.
#[derive(Default)]
struct Last {
    /// The probe's word that a wait begins on this lock.
    waits: Option<LockId>,
    /// The same of a wait that is going to throw before it begins.
    in_vain: Option<LockId>,
    /// The JVM's word that it is blocked on this lock, …
    blocked: Option<LockId>,
    /// … or on its way back from a wait for it.
    returns: Option<LockId>,
    /// The JVM's word that a lock has been entered: which, its number in line, whether it counts as elsewhere.
    entered: Option<(LockId, u64, bool)>,
}

impl Last {
    /// The JVM's word for an enter, with this number in line: which event it is, and whether it blocked when there were probes.
    fn entered(&mut self, event: Event, number: u64) -> (Event, bool) {
        // Who had blocked before there were probes was not in code that lacks them for good.
        let blocked_since = self.blocked.take() == event.lock;
        let returns = self.returns.take() == event.lock;
        let kind = if returns {
            EventKind::Resumed
        } else {
            event.kind
        };
        self.entered = event.lock.map(|lock| (lock, number, blocked_since));
        (Event { kind, ..event }, blocked_since)
    }
}

/// See the module.
pub(crate) struct Merge {
    threads: Map<ThreadId, Last>,
    line: VecDeque<Place>,
    /// Events that may wait.
    most: usize,
    /// Number of the first in line.
    first: u64,
    elsewhere: u64,
}

impl Merge {
    /// Nothing seen yet; what waits may take so many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<Place>()).clamp(1, MOST);
        Self {
            threads: Map::default(),
            line: VecDeque::new(),
            // The line grows by doubling.
            most: 1 << most.ilog2(),
            first: 0,
            elsewhere: 0,
        }
    }

    /// Bytes of what waits.
    pub(crate) fn bytes(&self) -> usize {
        self.line.capacity() * size_of::<Place>()
    }

    /// Gives back the memory of what no longer waits.
    pub(crate) fn shrink(&mut self) {
        self.line.shrink_to_fit();
    }

    /// Takes the next event, of a chosen lock or of a thread's life, in order of time, and gives out what
    /// is to be told.
    pub(crate) fn take(&mut self, what: What, told: Told, emit: &mut impl FnMut(Told)) {
        let (event, lock) = (told.0, told.0.lock);
        let Self { threads, line, .. } = self;
        let last = threads.entry(event.thread).or_default();
        let (waits, in_vain) = (last.waits.take(), last.in_vain.take());
        let before = last.entered.take();
        let confirms = matches!(what, What::ProbeEntered | What::Resumed | What::ResumeThrew);
        let confirmed = before.filter(|&(entered, ..)| confirms && lock == Some(entered));
        if let Some((_, number, elsewhere)) = confirmed
            && number < self.first
            && what == What::ProbeEntered
        {
            // Time has told it already: it must not count twice, and a probe was there.
            self.elsewhere -= u64::from(elsewhere);
            return self.advance(event.at.0, emit);
        }
        let place = match what {
            What::Entered => {
                let (event, blocked_since) = last.entered(event, self.first + line.len() as u64);
                self.elsewhere += u64::from(blocked_since);
                Some(Place::Open(event, blocked_since))
            }
            What::ProbeWait if throws(told.1) => {
                (last.waits, last.in_vain) = (lock, lock);
                None
            }
            What::Wait if waits == lock => {
                // The JVM tells of it all the same, before it looks who holds the lock.
                last.in_vain = in_vain;
                None
            }
            What::ResumeThrew if in_vain == lock => None,
            What::ProbeWait => {
                last.waits = lock;
                Some(Place::Sure(told))
            }
            What::Enter => {
                last.blocked = lock;
                Some(Place::Sure(told))
            }
            _ => Some(Place::Sure(told)),
        };
        if what == What::ThreadEnd {
            threads.remove(&event.thread);
        }
        match place {
            // Most often: nothing waits.
            Some(Place::Sure(told)) if line.is_empty() => {
                self.first += 1;
                return emit(told);
            }
            Some(place) => line.push_back(place),
            None => {}
        }
        if let Some((_, number, _)) = before {
            self.settle(number, confirmed.is_some());
        }
        self.advance(event.at.0, emit);
    }

    /// A thread that is blocked now is on its way back from a wait: it acquires nothing, and a probe tells of its return if
    /// one told of the wait.
    pub(crate) fn comes_back(&mut self, thread: ThreadId) {
        if let Some(last) = self.threads.get_mut(&thread) {
            last.returns = last.blocked.take();
        }
    }

    /// Where a thread is blocked now there are no probes by intention: that none confirms its enter is not counted.
    pub(crate) fn meets_no_probe(&mut self, thread: ThreadId) {
        if let Some(last) = self.threads.get_mut(&thread) {
            last.blocked = None;
        }
    }

    /// It is known now whether a probe has told what stands at this place.
    fn settle(&mut self, number: u64, confirmed: bool) {
        let place = number.checked_sub(self.first).map(|at| at as usize);
        let Some(place) = place.and_then(|at| self.line.get_mut(at)) else {
            return;
        };
        if let Place::Open(event, blocked_since) = *place {
            *place = if confirmed {
                self.elsewhere -= u64::from(blocked_since);
                Place::Gone
            } else {
                Place::Sure((event, 0))
            };
        }
    }

    /// Gives out the front of the line, as far as it is known or has waited long enough.
    pub(crate) fn advance(&mut self, now: u64, emit: &mut impl FnMut(Told)) {
        while let Some(place) = self.line.front() {
            match *place {
                Place::Sure(told) => emit(told),
                Place::Open(event, _) => {
                    if self.line.len() < self.most && now.saturating_sub(event.at.0) <= PATIENCE {
                        return;
                    }
                    emit((event, 0));
                }
                Place::Gone => {}
            }
            self.line.pop_front();
            self.first += 1;
        }
    }

    /// Time before which everything has been told; none if nothing waits.
    pub(crate) fn told_to(&self) -> Option<u64> {
        match self.line.front()? {
            Place::Sure((event, _)) | Place::Open(event, _) => Some(event.at.0),
            Place::Gone => None,
        }
    }

    /// The recording's end. Whether probes would have confirmed what is open is not known.
    pub(crate) fn finish(&mut self, emit: &mut impl FnMut(Told)) {
        let open = self.line.iter();
        let open = open.filter(|place| matches!(place, Place::Open(_, true)));
        self.elsewhere -= open.count() as u64;
        self.advance(u64::MAX, emit);
        self.threads.clear();
    }

    /// Contended enters of chosen locks that no probe saw, although they began when there were probes.
    pub(crate) fn elsewhere(&self) -> u64 {
        self.elsewhere
    }
}

/// A probe's time-out of a wait that throws before it begins, since the thread does not hold the lock or the time-out is none.
fn throws(timeout: u64) -> bool {
    (timeout as u32).cast_signed() < 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::{Nanos, Owner};

    fn told(at: u64, kind: EventKind, lock: u32) -> Told {
        let event = Event {
            at: Nanos(at),
            thread: ThreadId(1),
            kind,
            lock: Some(LockId(lock)),
            stack: None,
            owner: Owner::Unknown,
            seq: None,
        };
        (event, 0)
    }

    fn times(events: &[(What, EventKind, u32)]) -> (Vec<u64>, u64) {
        let (mut merge, mut times) = (Merge::new(1 << 20), Vec::new());
        let mut emit = |(event, _): Told| times.push(event.at.0);
        for (at, &(what, kind, lock)) in events.iter().enumerate() {
            merge.take(what, told(at as u64, kind, lock), &mut emit);
        }
        merge.finish(&mut emit);
        (times, merge.elsewhere())
    }

    const WAIT: EventKind = EventKind::Wait { timeout: None };

    #[test]
    fn what_two_saw_is_told_once() {
        let seen = [
            (What::Enter, EventKind::Enter, 1),
            (What::Entered, EventKind::Entered, 1),
            (What::ProbeEntered, EventKind::Entered, 1),
            (What::ProbeWait, WAIT, 1),
            (What::Wait, WAIT, 1),
            (What::Waited, EventKind::Waited { timed_out: false }, 1),
            (What::Entered, EventKind::Entered, 1),
            (What::Resumed, EventKind::Resumed, 1),
            (What::Exit, EventKind::Exit, 1),
        ];
        assert_eq!(times(&seen), (vec![0, 2, 3, 5, 7, 8], 0));
    }

    #[test]
    fn what_no_probe_saw_stays_and_is_counted() {
        let seen = [
            (What::Enter, EventKind::Enter, 1),
            (What::Entered, EventKind::Entered, 1),
            (What::ProbeEntered, EventKind::Entered, 2),
            (What::Wait, WAIT, 1),
            (What::Entered, EventKind::Entered, 3),
        ];
        let from_before = 4;
        assert_eq!(times(&seen), (vec![0, 1, 2, 3, from_before], 1));
        assert_eq!(times(&seen[..2]), (vec![0, 1], 0), "it may yet come");
    }

    fn of_thread(thread: u32, (event, arg): Told) -> Told {
        let thread = ThreadId(thread);
        (Event { thread, ..event }, arg)
    }

    #[test]
    fn what_is_held_back_holds_back_what_follows() {
        let (mut merge, mut times) = (Merge::new(1 << 20), Vec::new());
        let mut emit = |(event, _): Told| times.push((event.at.0, event.thread.0));
        merge.take(What::Entered, told(1, EventKind::Entered, 1), &mut emit);
        let others = |at, lock| of_thread(2, told(at, EventKind::Entered, lock));
        merge.take(What::ProbeEntered, others(2, 2), &mut emit);
        assert_eq!(merge.told_to(), Some(1));
        merge.take(What::Exit, told(3, EventKind::Exit, 1), &mut emit);
        assert_eq!(merge.told_to(), None);
        // Nothing more is heard of the thread: the rest does not wait for ever.
        merge.take(What::Entered, told(10, EventKind::Entered, 1), &mut emit);
        merge.take(What::ProbeEntered, others(11 + PATIENCE, 2), &mut emit);
        // It comes all the same, and counts once.
        let late = told(12 + PATIENCE, EventKind::Entered, 1);
        merge.take(What::ProbeEntered, late, &mut emit);
        let order = [(1, 1), (2, 2), (3, 1), (10, 1), (11 + PATIENCE, 2)];
        assert_eq!(times, order);
    }

    #[test]
    fn what_a_probe_confirms_late_is_not_elsewhere() {
        let mut merge = Merge::new(1 << 20);
        let mut emit = |_: Told| {};
        merge.take(What::Enter, told(1, EventKind::Enter, 1), &mut emit);
        merge.take(What::Entered, told(2, EventKind::Entered, 1), &mut emit);
        merge.advance(3 + PATIENCE, &mut emit);
        assert_eq!(merge.elsewhere(), 1);
        let late = told(4 + PATIENCE, EventKind::Entered, 1);
        merge.take(What::ProbeEntered, late, &mut emit);
        assert_eq!(merge.elsewhere(), 0);
    }

    #[test]
    fn where_no_probe_is_meant_to_be_none_is_missed() {
        let elsewhere = |is_thread: bool| {
            let mut merge = Merge::new(1 << 20);
            let mut emit = |_: Told| {};
            merge.take(What::Enter, told(1, EventKind::Enter, 1), &mut emit);
            if is_thread {
                merge.meets_no_probe(ThreadId(1));
            }
            merge.take(What::Entered, told(2, EventKind::Entered, 1), &mut emit);
            merge.take(What::Exit, told(3, EventKind::Exit, 2), &mut emit);
            merge.elsewhere()
        };
        assert_eq!((elsewhere(false), elsewhere(true)), (1, 0));
    }

    #[test]
    fn a_wait_that_throws_before_it_begins_is_none() {
        for of_jvm in [true, false] {
            let mut merge = Merge::new(1 << 20);
            let mut times = Vec::new();
            let mut emit = |(event, _): Told| times.push(event.at.0);
            let timeout = u64::from(u32::MAX);
            let probes = (told(1, WAIT, 1).0, timeout);
            merge.take(What::ProbeWait, probes, &mut emit);
            if of_jvm {
                merge.take(What::Wait, told(2, WAIT, 1), &mut emit);
            }
            let threw = |at| told(at, EventKind::Interrupted, 1);
            merge.take(What::ResumeThrew, threw(3), &mut emit);
            // The next one was interrupted.
            merge.take(What::ProbeWait, told(4, WAIT, 1), &mut emit);
            merge.take(What::ResumeThrew, threw(5), &mut emit);
            merge.finish(&mut emit);
            assert_eq!(times, [4, 5]);
        }
    }

    #[test]
    fn who_comes_back_from_a_wait_that_no_probe_saw_acquires_nothing() {
        let mut merge = Merge::new(1 << 20);
        let mut kinds = Vec::new();
        let mut emit = |(event, _): Told| kinds.push(event.kind);
        merge.take(What::Enter, told(1, EventKind::Enter, 1), &mut emit);
        merge.comes_back(ThreadId(1));
        merge.take(What::Entered, told(2, EventKind::Entered, 1), &mut emit);
        merge.take(What::Exit, told(3, EventKind::Exit, 1), &mut emit);
        merge.finish(&mut emit);
        let elsewhere = merge.elsewhere();
        let resumed = [EventKind::Enter, EventKind::Resumed, EventKind::Exit];
        assert_eq!((&kinds[..], elsewhere), (&resumed[..], 0));
    }

    #[test]
    fn time_alone_ends_a_wait() {
        let (mut merge, mut times) = (Merge::new(1 << 20), Vec::new());
        let mut emit = |(event, _): Told| times.push(event.at.0);
        merge.take(What::Entered, told(1, EventKind::Entered, 1), &mut emit);
        let other = of_thread(2, told(2, EventKind::Exit, 2));
        merge.take(What::Exit, other, &mut emit);
        merge.advance(1 + PATIENCE, &mut emit);
        assert_eq!(merge.told_to(), Some(1), "it may yet come");
        merge.advance(2 + PATIENCE, &mut emit);
        assert_eq!((times, merge.told_to()), (vec![1, 2], None));
    }

    #[test]
    fn what_waits_takes_no_more_than_it_may() {
        let most = 64;
        let mut merge = Merge::new(most * size_of::<Place>() + 1);
        let mut told_at = Vec::new();
        let mut emit = |(event, _): Told| told_at.push(event.at.0);
        merge.take(What::Entered, told(0, EventKind::Entered, 1), &mut emit);
        for at in 1..1000 {
            let other = of_thread(2, told(at, EventKind::Exit, 2));
            merge.take(What::Exit, other, &mut emit);
            assert!(merge.bytes() <= most * size_of::<Place>());
        }
        merge.shrink();
        assert!(merge.bytes() <= size_of::<Place>());
        assert_eq!(told_at, (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn a_thread_that_ends_leaves_nothing_open() {
        let (mut merge, mut times) = (Merge::new(1 << 20), Vec::new());
        let mut emit = |(event, _): Told| times.push(event.at.0);
        merge.take(What::Entered, told(1, EventKind::Entered, 1), &mut emit);
        merge.take(What::ThreadEnd, told(2, EventKind::ThreadEnd, 1), &mut emit);
        assert_eq!((times, merge.threads.len()), (vec![1, 2], 0));
    }
}
