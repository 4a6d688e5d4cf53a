//! Completed sequences → histories of visits.
//!
//! Two kinds of honesty live here. A visit of which not even the region is known says nothing:
//! an incomplete history leaves it out (any region may have run unseen between two of its steps
//! anyway), a complete one forgets its state; one whose region is only supposed is marked as
//! inferred, both ends. And a thread that came back from `wait` unseen and
//! then waits again has either found its condition false or left and come anew; the events
//! cannot tell, so its first visit ends *unknown* and a fresh one begins.

use super::{Begin, Finish, History, Mark, Notified, Step, Visit};
use crate::facsimile::{Completed, What};
use locklens_trace::{EventKind, LockId, Nanos, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// The history of one lock object from its completed sequences, in order of time.
#[must_use]
pub fn history(
    lock: LockId,
    sequences: &[Vec<Completed>],
    complete: bool,
    subject_ended: Option<Nanos>,
) -> History {
    let mut fold = Fold {
        complete,
        subject_ended,
        ..Fold::default()
    };
    for (index, sequence) in sequences.iter().filter(|s| !s.is_empty()).enumerate() {
        if index > 0 {
            fold.reset(sequence[0].not_before);
        }
        sequence.iter().for_each(|event| fold.step(event));
    }
    fold.close(Finish::Unknown, Mark::Inferred, None);
    fold.end_subject(Nanos(u64::MAX));
    History {
        lock: Some(lock),
        complete,
        steps: fold.steps,
        still_waiting: Vec::new(),
    }
}

#[derive(Default)]
struct Fold {
    complete: bool,
    subject_ended: Option<Nanos>,
    steps: Vec<Step>,
    /// The visit going on; without a region it is not kept.
    current: Option<(ThreadId, Option<Visit>)>,
    depth: u32,
    blocked: BTreeSet<ThreadId>,
    /// Levels a waiting thread comes back to.
    depths: BTreeMap<ThreadId, u32>,
    /// Threads whose wait has ended, and whether by time-out.
    woken: BTreeMap<ThreadId, bool>,
    /// Threads in timed waits since whose beginning nobody has notified.
    unnotified: BTreeSet<ThreadId>,
}

impl Fold {
    fn step(&mut self, event: &Completed) {
        self.end_subject(event.not_before);
        match (event.what, event.thread) {
            (What::Event(kind), Some(thread)) => self.event(event, kind, thread),
            _ => self.reset(event.not_before),
        }
    }

    fn event(&mut self, event: &Completed, kind: EventKind, thread: ThreadId) {
        match kind {
            EventKind::Enter => drop(self.blocked.insert(thread)),
            EventKind::Entered => self.entered(event, thread),
            EventKind::Interrupted => {
                self.woken.remove(&thread);
                self.unnotified.remove(&thread);
                self.resumed(event, thread, Begin::Interrupted);
            }
            EventKind::Exit => self.exit(event.mark.max(event.region_mark), event.not_before),
            EventKind::Wait { timeout } => {
                // One that waited before the recording began comes back to one level at least.
                self.depths.insert(thread, self.depth.max(1));
                if timeout.is_some() && self.complete {
                    self.unnotified.insert(thread);
                }
                let mark = event.mark.max(event.region_mark);
                self.close(Finish::Waits { timeout }, mark, Some(event.not_before));
            }
            EventKind::Waited { timed_out } => drop(self.woken.insert(thread, timed_out)),
            EventKind::Resumed => {
                let alone = self.unnotified.remove(&thread);
                // Where its end was not told, a wait that nobody can have ended ran out.
                let timed_out = self.woken.remove(&thread).unwrap_or(alone);
                self.resumed(event, thread, Begin::Resumed { timed_out });
            }
            EventKind::Notify => self.notified(Notified::One(event.mark)),
            EventKind::NotifyAll => self.notified(Notified::All(event.mark)),
            EventKind::ThreadStart | EventKind::ThreadEnd => {}
        }
    }

    fn resumed(&mut self, event: &Completed, thread: ThreadId, begin: Begin) {
        self.open(event, thread, begin);
        self.depth = self.depths.remove(&thread).unwrap_or(1);
    }

    fn entered(&mut self, event: &Completed, thread: ThreadId) {
        let blocked = self.blocked.remove(&thread);
        if self.woken.contains_key(&thread) {
            // Re-entry inside `wait()`: the visit begins when that returns.
        } else if self
            .current
            .as_ref()
            .is_some_and(|&(holder, _)| holder == thread)
        {
            self.depth += 1;
        } else {
            self.open(event, thread, Begin::Fresh { blocked });
        }
    }

    fn open(&mut self, event: &Completed, thread: ThreadId, begin: Begin) {
        self.close(Finish::Unknown, Mark::Inferred, None);
        let visit = event.region.map(|region| Visit {
            thread,
            region,
            at: event.not_after,
            until: event.not_after,
            begin,
            begin_mark: event.mark.max(event.region_mark),
            finish: Finish::Unknown,
            finish_mark: Mark::Inferred,
            notified: Notified::No,
        });
        if visit.is_none() && self.complete {
            self.reset(event.not_before);
        }
        self.depth = 1;
        self.current = Some((thread, visit));
    }

    fn exit(&mut self, mark: Mark, at: Nanos) {
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 0 {
            self.close(Finish::Left, mark, Some(at));
        }
    }

    fn notified(&mut self, notified: Notified) {
        self.unnotified.clear();
        if let Some((_, Some(visit))) = &mut self.current {
            visit.notified = match (visit.notified, notified) {
                (Notified::All(mark), Notified::One(_)) => Notified::All(mark),
                (_, new) => new,
            };
        }
    }

    fn close(&mut self, finish: Finish, finish_mark: Mark, at: Option<Nanos>) {
        self.depth = 0;
        let Some((_, Some(mut visit))) = self.current.take() else {
            return;
        };
        visit.until = visit.at.max(at.unwrap_or(visit.at));
        let resumed_unseen =
            matches!(visit.begin, Begin::Resumed { .. }) && visit.begin_mark == Mark::Inferred;
        if resumed_unseen && matches!(finish, Finish::Waits { .. }) {
            self.steps.push(Step::Visit(visit));
            self.steps.push(Step::Visit(Visit {
                begin: Begin::Fresh { blocked: false },
                notified: Notified::No,
                finish,
                finish_mark,
                ..visit
            }));
        } else {
            self.steps.push(Step::Visit(Visit {
                finish,
                finish_mark,
                ..visit
            }));
        }
    }

    fn reset(&mut self, at: Nanos) {
        self.close(Finish::Unknown, Mark::Inferred, None);
        self.blocked.clear();
        self.depths.clear();
        self.woken.clear();
        self.unnotified.clear();
        if !matches!(self.steps.last(), None | Some(Step::Reset(_))) {
            self.steps.push(Step::Reset(at));
        }
    }

    /// Says that the thread the lock stands for has ended, once the sequence has come so far.
    fn end_subject(&mut self, now: Nanos) {
        if let Some(at) = self.subject_ended.take_if(|at| *at <= now) {
            self.steps.push(Step::SubjectEnded(at));
        }
    }
}

#[cfg(test)]
mod tests;
