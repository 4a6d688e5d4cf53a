//! Two witnesses of one event: the JVM and a probe.
//!
//! On a rewritten region a contended enter is reported twice: by the JVM when it is over, and by the
//! probe a moment later. So is a wait: by the probe, then by the JVM. One of the two is left out: the
//! probe's stays, because it knows the site and stands in the order of the monitor. What the JVM
//! reports of a chosen lock and no probe confirms happened in code that was not rewritten; it stays
//! and is counted, because such a lock's record is not complete.

use crate::ring::What;
use locklens_trace::{Event, LockId, ThreadId};
use std::collections::HashMap;

/// An event with its raw argument.
pub(crate) type Told = (Event, u64);

/// What is remembered of a thread.
#[derive(Default)]
struct Last {
    /// The probe's word that a wait begins on this lock.
    waits: Option<LockId>,
    /// The JVM's word that a lock has been entered.
    entered: Option<Told>,
}

/// See the module.
#[derive(Default)]
pub(crate) struct Merge {
    threads: HashMap<ThreadId, Last>,
    elsewhere: u64,
}

impl Merge {
    /// Takes the next event of a chosen lock, in order of time, and gives out what is to be told.
    pub(crate) fn take(&mut self, what: What, told: Told, emit: &mut impl FnMut(Told)) {
        let (event, lock) = (told.0, told.0.lock);
        let last = self.threads.entry(event.thread).or_default();
        let waits = last.waits.take();
        let confirms = matches!(what, What::ProbeEntered | What::Resumed | What::ResumeThrew);
        if let Some(held) = last.entered.take()
            && !(confirms && held.0.lock == lock)
        {
            self.elsewhere += 1;
            emit(held);
        }
        match what {
            What::Entered => last.entered = Some(told),
            What::Wait if waits == lock => {}
            What::ProbeWait => {
                last.waits = lock;
                emit(told);
            }
            _ => emit(told),
        }
    }

    /// A thread's end: what was held back of it is told.
    pub(crate) fn end(&mut self, thread: ThreadId, emit: &mut impl FnMut(Told)) {
        if let Some(held) = self.threads.remove(&thread).and_then(|last| last.entered) {
            emit(held);
        }
    }

    /// The recording's end.
    pub(crate) fn finish(&mut self, emit: &mut impl FnMut(Told)) {
        let mut rest: Vec<Told> = self
            .threads
            .drain()
            .filter_map(|(_, last)| last.entered)
            .collect();
        rest.sort_by_key(|(event, _)| (event.at, event.thread));
        rest.into_iter().for_each(emit);
    }

    /// Contended enters of chosen locks that no probe saw.
    pub(crate) fn elsewhere(&self) -> u64 {
        self.elsewhere
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::{EventKind, Nanos, Owner};

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
        let (mut merge, mut times) = (Merge::default(), Vec::new());
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
            (What::Entered, EventKind::Entered, 1),
            (What::ProbeEntered, EventKind::Entered, 2),
            (What::Wait, WAIT, 1),
            (What::Entered, EventKind::Entered, 3),
        ];
        assert_eq!(times(&seen), (vec![0, 1, 2, 3], 1));
    }
}
